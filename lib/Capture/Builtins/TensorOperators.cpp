//===- TensorOperators.cpp - __add__ and the like of tensors ------------------------------===//
//
// In: a tensor and the other operand. Out: what the operator computes, NotImplemented where eager's
// method returns it.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

using namespace ptc::capture;
using ptc::BinaryOp;
using ptc::CompareOp;

#define PTC_PURE_OPERATOR(Name)                                                                    \
  Value builtins::tensor##Name(Engine &e, CallArgs &args) {                                        \
    return e.tensorBinary(BinaryOp::Name, arg(args, 0), arg(args, 1), /*inPlace=*/false);          \
  }                                                                                                \
  Value builtins::tensorR##Name(Engine &e, CallArgs &args) {                                       \
    return e.tensorBinary(BinaryOp::Name, arg(args, 1), arg(args, 0), /*inPlace=*/false);          \
  }
#define PTC_OPERATOR(Name)                                                                         \
  PTC_PURE_OPERATOR(Name)                                                                          \
  Value builtins::tensorI##Name(Engine &e, CallArgs &args) {                                       \
    return e.tensorBinary(BinaryOp::Name, arg(args, 0), arg(args, 1), /*inPlace=*/true);           \
  }
PTC_OPERATOR(Add)
PTC_OPERATOR(And)
PTC_OPERATOR(FloorDiv)
PTC_OPERATOR(LShift)
PTC_PURE_OPERATOR(MatMul) // PyTorch has no __imatmul__
PTC_OPERATOR(Mul)
PTC_OPERATOR(Mod)
PTC_OPERATOR(Or)
PTC_OPERATOR(Pow)
PTC_OPERATOR(RShift)
PTC_OPERATOR(Sub)
PTC_OPERATOR(TrueDiv)
PTC_OPERATOR(Xor)
#undef PTC_OPERATOR
#undef PTC_PURE_OPERATOR

#define PTC_COMPARISON(Name)                                                                       \
  Value builtins::tensor##Name(Engine &e, CallArgs &args) {                                        \
    return e.tensorCompare(CompareOp::Name, arg(args, 0), arg(args, 1));                           \
  }
PTC_COMPARISON(Lt)
PTC_COMPARISON(Le)
PTC_COMPARISON(Eq)
PTC_COMPARISON(Ne)
PTC_COMPARISON(Gt)
PTC_COMPARISON(Ge)
#undef PTC_COMPARISON
