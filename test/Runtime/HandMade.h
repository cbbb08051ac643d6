//===- HandMade.h - A program as the compiler would emit it, by hand ---*- C++ -*-===//
//
// Entry 0, `scale(x)`: x of f32, one dimension. Variant 0 takes 4 elements and gives x * weight;
// variant 1 takes 5 or more and gives (x * weight, its reversed-in-halves view) from one storage.
// Entry 1, `count(k)`: adds k to the state "count", appends it to the state "seen", gives both;
// raises where the count passes 10. Entry 2, `who(x, y)`: overlap, grad mode and a float condition
// as guards; gives the number of threads that ran. Entry 3, `turns(x)`: a list of as many tensors
// as x has elements, in turns x turned around and x. Entry 4, `keep(x)`: as scale; says that what
// variant 0, and the view of variant 1, give is state of the program.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_RUNTIME_HANDMADE_H
#define PTC_TEST_RUNTIME_HANDMADE_H

#include "ptc/Runtime/Frame.h"

#include <vector>

namespace handmade {
extern const ptc_api *table();
inline constexpr float kWeight = 3;
/// By malloc and its relatives so far (Calls.cpp).
extern unsigned long allocations;
/// What runs when a context is made ends with int_overflow.
extern bool initFails;

/// A dense f32 tensor with memory of its own.
struct Tensor {
  std::vector<float> data;
  std::vector<int64_t> sizes;
  DLTensor view = {};

  explicit Tensor(std::vector<float> elements) : data(std::move(elements)) {
    sizes = {int64_t(data.size())};
    view.data = data.data();
    view.device = {kDLCPU, 0};
    view.ndim = 1;
    view.dtype = {kDLFloat, 32, 1};
    view.shape = sizes.data();
  }
  Tensor(const Tensor &) = delete;
  ptc_value value() { return ptc_of_tensor(&view); }
};
} // namespace handmade

#endif // PTC_TEST_RUNTIME_HANDMADE_H
