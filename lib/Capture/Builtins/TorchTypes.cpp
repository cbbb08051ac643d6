//===- TorchTypes.cpp - torch.dtype, device, Size and Generator -------------------------===//
//
// In: arguments of their constructors, methods and attributes. Out: constants; for generators, heap
// objects whose handle names a stream of random numbers of the context.
//
//===----------------------------------------------------------------------===//
#include "../Members.h"
#include "../NumpyObjects.h"
#include "../Overrides.h"
#include "../Positions.h"
#include "../Tensors.h"
#include "Builtins.h"

#include "ptc/Capture/Program.h"

using namespace ptc;
using namespace ptc::capture;
using namespace ptc::capture::builtins;

/// For the Python part: what PyTorch has and this case of it ptc has not.
Value builtins::torchRefuse(Engine &e, CallArgs &args) {
  PTC_LET(what, plainArg(e, args, 0));
  return refuseTorchName(e, what.asStr());
}

/// Of a tensor whose memory another value shows without being a view of it: no writes from here on.
Value builtins::torchFreeze(Engine &e, CallArgs &args) {
  PTC_LET(tensor, e.decide(arg(args, 0)));
  e.heap.set(asTensor(tensor).storage, slot::kFrozen, Value::integer(kShownByConj));
  return Value::none();
}

/// torch.Tensor(2, 3), torch.Tensor([[1, 2]]), torch.Tensor(x): the constructor of old.
Value builtins::tensorNew(Engine &e, CallArgs &args) {
  const Value cls = args.positional[0];
  if (isClass(e, cls) && isDerivedTensorClass(e, cls.asRef())) {
    args.positional[0] = Value::ref(e.builtinClass(WellKnown::TensorType));
    PTC_LET(made, tensorNew(e, args));
    if (!made.is(Kind::Tensor))
      return refuseTensorOfClass(e, cls.asRef());
    return makeDerivedTensor(e, cls.asRef(), made);
  }
  args.positional.erase(args.positional.begin());
  if (args.positional.size() == 1) {
    PTC_LET(data, plainArg(e, args, 0));
    if (isDerivedTensor(e, data))
      data = e.heap.get(data.asRef(), slot::kContent);
    if (e.isTensorLike(data))
      return e.tensorOp("alias", {data});
    if (holdsNumpyObject(e, data))
      return tensorOfNumpyObjects(e, data, {Value::str("dtype"), Value::dtype(e.defaultDType())},
                                  args.action);
    if (numberType(data) == NumberType::NotNumber && data.sub() != uint8_t(TupleTag::TorchSize)) {
      args.keywords = {{e.intern("dtype"), Value::dtype(e.defaultDType())}};
      return e.makeTensor(args);
    }
  }
  if (args.positional.empty())
    args.positional = {Value::integer(0)};
  return e.callTorch("torch.empty", args);
}

// dtype
// ------------------------------------------------------------------------------------------------

static DType dtypeArg(CallArgs &args) { return args.positional[0].asDType(); }

Value builtins::torchDTypeIsFloatingPoint(Engine &, CallArgs &args) {
  return Value::boolean(isFloat(dtypeArg(args)));
}
Value builtins::torchDTypeIsComplex(Engine &, CallArgs &args) {
  return Value::boolean(isComplex(dtypeArg(args)));
}
Value builtins::torchDTypeIsSigned(Engine &, CallArgs &args) {
  DType t = dtypeArg(args);
  return Value::boolean(t != DType::Bool && t != DType::UInt8);
}
Value builtins::torchDTypeItemSize(Engine &, CallArgs &args) {
  return Value::integer(getDTypeInfo(dtypeArg(args)).bytes);
}
Value builtins::torchDTypeToComplex(Engine &e, CallArgs &args) {
  switch (dtypeArg(args)) {
  case DType::Float64:
  case DType::Complex128:
    return Value::dtype(DType::Complex128);
  case DType::Float16:
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.complex32");
  default:
    return Value::dtype(DType::Complex64);
  }
}
Value builtins::torchDTypeToReal(Engine &, CallArgs &args) {
  switch (DType t = dtypeArg(args)) {
  case DType::Complex128:
    return Value::dtype(DType::Float64);
  case DType::Complex64:
    return Value::dtype(DType::Float32);
  default:
    return Value::dtype(t);
  }
}

static std::optional<DType> dtypeOf(Engine &e, CallArgs &args, size_t n, llvm::StringRef function,
                                    llvm::StringRef name) {
  PTC_LET(v, plainArg(e, args, n));
  if (v.is(Kind::DType))
    return v.asDType();
  e.raise(WellKnown::TypeError, function + "(): argument '" + name + "' (position " +
                                    llvm::Twine(n + 1) + ") must be torch.dtype, not " +
                                    typeName(e, v));
  return std::nullopt;
}

Value builtins::torchPromoteTypes(Engine &e, CallArgs &args) {
  PTC_GET(a, dtypeOf(e, args, 0, "promote_types", "type1"));
  PTC_GET(b, dtypeOf(e, args, 1, "promote_types", "type2"));
  return Value::dtype(aten::promoteTypes(a, b));
}

Value builtins::torchCanCast(Engine &e, CallArgs &args) {
  PTC_GET(from, dtypeOf(e, args, 0, "can_cast", "from_"));
  PTC_GET(to, dtypeOf(e, args, 1, "can_cast", "to"));
  return Value::boolean(aten::canCast(from, to));
}

// device
// -----------------------------------------------------------------------------------------------

Value builtins::torchDeviceNew(Engine &e, CallArgs &args) {
  PTC_LET(given, plainArg(e, args, 1));
  PTC_LET(index, builtins::given(args, 2) ? plainArg(e, args, 2) : Value::none());
  if (given.is(Kind::Device))
    return given;
  if (!given.is(Kind::Str))
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.device of other than a str");
  std::optional<aten::Device> device = aten::parseDevice(given.asStr());
  if (!device)
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.device('" + given.asStr() + "')");
  if (index.isSmallInt())
    device->index = int16_t(index.asInt());
  return Value::constant(Kind::Device, payloadOf(*device));
}

static aten::Device deviceArg(CallArgs &args) { return unpackDevice(args.positional[0].bits()); }

Value builtins::torchDeviceTypeName(Engine &, CallArgs &args) {
  return Value::str(aten::toString(aten::Device{deviceArg(args).type, -1}));
}

Value builtins::torchDeviceIndex(Engine &, CallArgs &args) {
  int16_t index = deviceArg(args).index;
  return index < 0 ? Value::none() : Value::integer(index);
}

// Size
// -------------------------------------------------------------------------------------------------

Value builtins::torchSizeNew(Engine &e, CallArgs &args) {
  CallArgs plain;
  plain.positional = {Value::ref(e.builtinClass(WellKnown::TupleType))};
  if (given(args, 1))
    plain.positional.push_back(args.positional[1]);
  plain.action = args.action;
  plain.actionArg = args.actionArg;
  PTC_LET(items, tupleNew(e, plain));
  if (!items.is(Kind::Tuple))
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.Size of an iterator");
  std::vector<Value> sizes = items.parts().vec();
  for (const auto &[i, size] : llvm::enumerate(sizes))
    if (!size.is(Kind::Choice) && !size.is(Kind::Ref) && !e.isTensorLike(size) &&
        numberType(size) != NumberType::Int && numberType(size) != NumberType::Bool)
      return e.raise(WellKnown::TypeError, "torch.Size() takes an iterable of 'int' (item " +
                                               llvm::Twine(i) + " is '" +
                                               capture::typeName(e, size) + "')");
  for (Value &size : sizes)
    if (size.is(Kind::Bool)) {
      size = Value::integer(size.asBool());
    } else if (Value held = numberOfNumpy(e, size); isNumber(held)) {
      size = std::move(held);
    } else if (e.isTensorLike(size)) { // what it holds, as an index
      PTC_LET(number, indexNumber(e, size));
      size = std::move(number);
    }
  return Value::composite(Kind::Tuple, std::move(sizes)).withSub(uint8_t(TupleTag::TorchSize));
}

Value builtins::torchSizeNumel(Engine &e, CallArgs &args) {
  PTC_LET(self, e.decide(args.positional[0]));
  Value product = Value::integer(1);
  for (const Value &part : self.parts()) {
    if (product.isSmallInt() && part.isSmallInt()) {
      product = Value::integer(product.asInt() * part.asInt());
      continue;
    }
    PTC_LET(next, e.numberBinary(BinaryOp::Mul, product, part));
    product = std::move(next);
  }
  return product;
}

// Generator
// --------------------------------------------------------------------------------------------

Value capture::makeGenerator(Engine &e, int64_t handle) {
  ObjectId id = e.heap.allocate(ObjectKind::Generator);
  e.heap.set(id, slot::kHandle, Value::integer(handle));
  e.heap.set(id, slot::kSeed, Value::integer(kDefaultSeed));
  return Value::ref(id);
}

/// Handles are given out in the order of capture: each generator object draws numbers of its own.
Value builtins::torchGeneratorNew(Engine &e, CallArgs &args) {
  if (given(args, 1)) {
    PTC_LET(device, plainArg(e, args, 1));
    bool cpu = device.is(Kind::Str)      ? device.asStr() == "cpu"
               : device.is(Kind::Device) ? unpackDevice(device.bits()).type == aten::DeviceType::CPU
                                         : device.isNone();
    if (!cpu)
      return e.refuse(DiagId::UnsupportedTorchFunction, "torch.Generator of another device");
  }
  Value made = makeGenerator(e, ++e.world->generators);
  e.emitEffect(TapeOp::Seed, {e.operand(e.heap.get(made.asRef(), slot::kHandle)),
                              TapeArg::integer(kDefaultSeed)});
  return made;
}

Value builtins::torchGeneratorManualSeed(Engine &e, CallArgs &args) {
  PTC_LET(self, e.decide(arg(args, 0)));
  PTC_LET(seed, plainArg(e, args, 1));
  if (numberType(seed) != NumberType::Int && numberType(seed) != NumberType::Bool)
    return e.raise(WellKnown::RuntimeError,
                   "manual_seed expected a long, but got " + typeName(e, seed));
  if (seed.is(Kind::BigInt))
    return e.refuse(DiagId::UnsupportedTorchFunction, "manual_seed of an int beyond 64 bits");
  e.emitEffect(TapeOp::Seed,
               {e.operand(e.known(e.heap.get(self.asRef(), slot::kHandle))), e.operand(seed)});
  e.heap.set(self.asRef(), slot::kSeed, seed);
  return self;
}

Value builtins::torchGeneratorInitialSeed(Engine &e, CallArgs &args) {
  PTC_LET(self, e.decide(arg(args, 0)));
  return e.heap.get(self.asRef(), slot::kSeed);
}

Value builtins::torchGeneratorDevice(Engine &, CallArgs &) {
  return Value::constant(Kind::Device, payloadOf(aten::Device()));
}
