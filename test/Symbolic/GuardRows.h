// For each guard kind a guard that a base call fulfils, and how to break it: what is tested of
// guards in the compiler and of the stub's cold path is the same table.
#ifndef PTC_TEST_SYMBOLIC_GUARDROWS_H
#define PTC_TEST_SYMBOLIC_GUARDROWS_H

#include "ptc/Symbolic/Guard.h"

#include <catch2/catch.hpp>

#include <bit>
#include <functional>

namespace ptc::sym {

inline ObservedTensor tensor(llvm::ArrayRef<int64_t> sizes, DType dtype = DType::Float32) {
  return ObservedTensor::contiguous(dtype, sizes);
}

/// The call that all rows below start from.
inline Observation baseCall() {
  Observation call;
  call.addTensor("x", tensor({8, 6}));
  call.addTensor("y", tensor({6, 4}));
  ObservedTensor shared = tensor({4});
  shared.storage = 7;
  call.addTensor("a", shared);
  shared.storageOffset = 16;
  call.addTensor("b", shared);
  call.addInt("k", 5);
  call.addBool("flag", true);
  call.addFloat("scale", 0.75);
  call.addString("mode", "fast");
  ObservedValue dict;
  dict.tag = ValueTag::Dict;
  dict.length = 2;
  dict.keys = {"'mask'", "'ids'"};
  call.add("batch", dict);
  ObservedValue object;
  object.tag = ValueTag::Object;
  object.text = "Config";
  call.add("opts", object);
  ObservedValue dtype;
  dtype.tag = ValueTag::DType;
  dtype.number = dtypeCode(DType::Float16);
  call.add("dt", dtype);
  ObservedValue device;
  device.tag = ValueTag::Device;
  device.number = deviceCode(kDeviceCpu);
  call.add("dev", device);
  call.training["self"] = true;
  call.states["self.cache"] = 0;
  return call;
}

struct KindRow {
  GuardKind kind;
  /// The guard, from what the base call holds.
  std::function<std::optional<Atom>(ObservableSpace &)> atom;
  std::function<void(Observation &)> breakIt;
  const char *text;
  const char *expected, *found;
};

inline std::optional<Atom> equals(ObservableSpace &space, const Observable &observable,
                                  int64_t value) {
  return makeAtom(space.context(), Relation::Equal, space.symbol(observable),
                  space.context().constant(value));
}

/// The guard that the observable has its value of the base call.
inline auto same(ObservableKind kind, const char *path, int64_t index = 0, const char *other = "") {
  return [=](ObservableSpace &space) {
    Observable observable{kind, path, index, other};
    Observation call = baseCall();
    std::optional<int64_t> value = call.read(observable, space.strings());
    REQUIRE(value.has_value());
    return equals(space, observable, *value);
  };
}

inline auto relation(const char *text, Relation rel, const char *right) {
  return [=](ObservableSpace &space) {
    Context &context = space.context();
    auto lookup = [&](llvm::StringRef name) -> std::optional<Expr> {
      // x0: the first size of x; k: the number; otherwise nothing.
      if (name == "k")
        return space.symbol({ObservableKind::Value, "k", 0, {}});
      return space.symbol({ObservableKind::Size, name.take_front(1).str(), name[1] - '0', {}});
    };
    return makeAtom(context, rel, *context.parse(text, lookup), *context.parse(right, lookup));
  };
}

inline ObservedTensor &at(Observation &call, const char *path) { return call.values[path].tensor; }

inline std::vector<KindRow> kindRows() {
  using K = GuardKind;
  using O = ObservableKind;
  int64_t half = std::bit_cast<int64_t>(0.5);
  return {
      {K::Type, same(O::Tag, "k"), [](auto &c) { c.addFloat("k", 5); }, "type(k) == int", "int",
       "float"},
      {K::Class, same(O::ClassName, "opts"), [](auto &c) { c.values["opts"].text = "Other"; },
       "type(opts).__name__ == \"Config\"", "\"Config\"", "\"Other\""},
      {K::Length, same(O::Length, "batch"), [](auto &c) { c.values["batch"].length = 3; },
       "len(batch) == 2", "2", "3"},
      {K::Keys, same(O::Keys, "batch"), [](auto &c) { c.values["batch"].keys = {"'ids'"}; },
       "batch.keys() == \"'mask', 'ids'\"", "\"'mask', 'ids'\"", "\"'ids'\""},
      {K::Rank, same(O::Rank, "x"), [](auto &c) { c.addTensor("x", tensor({8, 6, 1})); },
       "x.ndim == 2", "2", "3"},
      {K::DType, same(O::DType, "x"),
       [](auto &c) { c.addTensor("x", tensor({8, 6}, DType::Float64)); },
       "x.dtype == torch.float32", "torch.float32", "torch.float64"},
      {K::Device, same(O::Device, "x"),
       [](auto &c) { at(c, "x").device = deviceCode(kDeviceCuda, 1); }, "x.device == cpu", "cpu",
       "cuda:1"},
      {K::RequiresGrad, same(O::RequiresGrad, "x"), [](auto &c) { at(c, "x").requiresGrad = true; },
       "x.requires_grad == False", "False", "True"},
      {K::GradMode, same(O::GradMode, ""), [](auto &c) { c.gradMode = false; },
       "torch.is_grad_enabled() == True", "True", "False"},
      {K::Training, same(O::Training, "self"), [](auto &c) { c.training["self"] = false; },
       "self.training == True", "True", "False"},
      {K::State, same(O::StateTag, "self.cache"), [](auto &c) { c.states["self.cache"] = 1; },
       "state(self.cache) == 0", "0", "1"},
      {K::SizeEqual, same(O::Size, "x", 1), [](auto &c) { c.addTensor("x", tensor({8, 7})); },
       "x.shape[1] == 6", "6", "7"},
      {K::SizeRange, relation("x0", Relation::Greater, "1"),
       [](auto &c) { c.addTensor("x", tensor({1, 6})); }, "x.shape[0] >= 2", ">= 2", "1"},
      {K::SizeRelation, relation("x1", Relation::Equal, "y0"),
       [](auto &c) { c.addTensor("y", tensor({5, 4})); }, "x.shape[1] == y.shape[0]",
       "x.shape[1] == y.shape[0]", "6, y.shape[0] = 5"},
      {K::SizeDivisible, relation("x0 % 4", Relation::Equal, "0"),
       [](auto &c) { c.addTensor("x", tensor({6, 6})); }, "x.shape[0] % 4 == 0",
       "x.shape[0] % 4 == 0", "6"},
      {K::Dense, same(O::Dense, "x", encodeOrder({0, 1})),
       [](auto &c) { at(c, "x").strides = {1, 8}; }, "dense(x, (0, 1))", "True", "False"},
      {K::Stride, same(O::Stride, "x", 0), [](auto &c) { at(c, "x").strides[0] = 12; },
       "x.stride(0) == 6", "6", "12"},
      {K::Alignment, same(O::Alignment, "x"), [](auto &c) { at(c, "x").address = 68; },
       "x.data_ptr() % 64 == 0", "0", "4"},
      {K::StorageOffset, same(O::StorageOffset, "x"), [](auto &c) { at(c, "x").storageOffset = 2; },
       "x.storage_offset() == 0", "0", "2"},
      {K::Overlap, same(O::Overlap, "a", 0, "b"), [](auto &c) { at(c, "b").storageOffset = 2; },
       "not overlap(a, b)", "False", "True"},
      {K::BoolValue, same(O::BoolValue, "flag"), [](auto &c) { c.addBool("flag", false); },
       "flag == True", "True", "False"},
      {K::IntCondition, relation("k", Relation::Greater, "3"), [](auto &c) { c.addInt("k", 3); },
       "k >= 4", ">= 4", "3"},
      {K::StringValue, same(O::StringValue, "mode"), [](auto &c) { c.addString("mode", "slow"); },
       "mode == \"fast\"", "\"fast\"", "\"slow\""},
      {K::DTypeValue, same(O::DTypeValue, "dt"),
       [](auto &c) { c.values["dt"].number = dtypeCode(DType::Int64); }, "dt == torch.float16",
       "torch.float16", "torch.int64"},
      {K::DeviceValue, same(O::DeviceValue, "dev"),
       [](auto &c) { c.values["dev"].number = deviceCode(kDeviceCuda); }, "dev == cpu", "cpu",
       "cuda:0"},
      {K::FloatValue, same(O::FloatBits, "scale"), [](auto &c) { c.addFloat("scale", 0.1); },
       "scale == 0.75", "0.75", "0.1"},
      {K::FloatCondition, same(O::FloatCompare, "scale", half, ">"),
       [](auto &c) { c.addFloat("scale", 0.25); }, "scale > 0.5", "True", "False"},
  };
}

} // namespace ptc::sym

#endif // PTC_TEST_SYMBOLIC_GUARDROWS_H
