//===- Overloads.cpp - The overload that a call of torch means ------------------------===//
//
// In: a Python spelling and arguments. Out: what the first overload gives that takes them, in the
// order of the table, as eager's argument parser does; without one, a refusal that says why.
//
//===----------------------------------------------------------------------===//
#include "Modes.h"
#include "NamedResults.h"
#include "NumberArguments.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace ptc;
using namespace ptc::capture;

/// Does `name` ("relu", "add.Tensor", "relu.default") mean an overload of this name?
static bool means(llvm::StringRef name, llvm::StringRef overload) {
  auto [base, which] = name.split('.');
  auto [ownBase, own] = overload.split('.');
  return base == ownBase && (!name.contains('.') || which == (own.empty() ? "default" : own));
}

/// Overloads of an ATen name, in the order of the records; "add_" means forms in place.
static llvm::SmallVector<aten::Spelling, 4> overloadsOf(llvm::StringRef name) {
  llvm::SmallVector<aten::Spelling, 4> overloads;
  for (const aten::OpInfo &op : aten::getAllOpInfos())
    if (means(name, op.name))
      overloads.push_back({op.name, op.id, false});
    else if (means(name, op.inplaceName))
      overloads.push_back({op.name, op.id, true});
  return overloads;
}

bool Engine::hasAtenName(llvm::StringRef base) const { return !overloadsOf(base).empty(); }

/// Whether Python's form of an overload takes `requires_grad=`, which schemas do not name.
static bool makesLeaves(const aten::Spelling &overload) {
  const aten::OpInfo &op = aten::getOpInfo(overload.id);
  return op.findArg("pin_memory") && op.baseName() != "to";
}

/// The call without one of its keyword arguments.
static CallArgs without(const CallArgs &args, const KeywordArg *keyword) {
  CallArgs rest = args;
  rest.keywords.erase(rest.keywords.begin() + (keyword - args.keywords.data()));
  return rest;
}

static bool hasKeyword(const Engine &e, const CallArgs &args, llvm::StringRef name) {
  return llvm::any_of(args.keywords,
                      [&](const KeywordArg &keyword) { return e.nameText(keyword.name) == name; });
}

namespace {
/// The arguments of one call of an overload set as meta reads them.
struct GivenArgs {
  llvm::SmallVector<aten::ArgValue, 8> positional;
  llvm::SmallVector<aten::KeywordArg, 4> keywords;

  using Bound = std::optional<llvm::SmallVector<aten::ArgValue, 8>>;
  Bound bind(const aten::OpInfo &op, sym::Context &sizes, std::string *error) const {
    return aten::bindArgs(op, positional, keywords, sizes, error);
  }
};
} // namespace

/// None after a failure.
static std::optional<GivenArgs> convertArgs(Engine &e, TensorCall &call, const CallArgs &args) {
  GivenArgs given;
  for (const Value &v : args.positional) {
    PTC_GET(arg, call.convert(v));
    given.positional.push_back(std::move(arg));
  }
  for (const KeywordArg &keyword : args.keywords) {
    PTC_GET(arg, call.convert(keyword.value));
    given.keywords.push_back({e.nameText(keyword.name), std::move(arg)});
  }
  return given;
}

/// Which dimension an operation is about is known before it is recorded: of a tensor whose rank a
/// branch on data has decided, x.dim() is decided here.
static Flow settleDimensions(Engine &e, const aten::OpInfo &op,
                             llvm::MutableArrayRef<aten::ArgValue> bound) {
  for (auto [arg, value] : llvm::zip(op.args, bound)) {
    const auto *number = value.getIf<aten::ArgValue::Int>();
    if (!number || !arg.name.starts_with("dim") || !number->value.isSupported() ||
        number->value.isConstant())
      continue;
    std::optional<Engine::SizeCases> known = e.casesOf({number->value});
    if (!known)
      continue;
    PTC_GET(n, e.settle(known->selector, uint32_t(known->cases.size())));
    if (!known->cases[n].empty())
      value = aten::ArgValue(aten::ArgValue::Int{known->cases[n][0]});
  }
  return Flow::Next;
}

/// Flags of the run are decided: they say which operation is meant, not what it computes with.
static Flow decideFlags(Engine &e, const aten::OpInfo &op,
                        llvm::MutableArrayRef<aten::ArgValue> bound, TensorCall &call) {
  for (auto [arg, value] : llvm::zip(op.args, bound)) {
    const auto *flag = value.getIf<aten::ArgValue::Bool>();
    if (arg.type != aten::ArgType::Bool || !flag || flag->value)
      continue;
    PTC_GET(n, e.settle(call.operandOf(value).id(), 2));
    value = aten::ArgValue(aten::ArgValue::Bool{n != 0});
  }
  return Flow::Next;
}

/// Does a function of torch take `out=`? ATen has such forms of nearly all.
static bool takesOut(llvm::StringRef spelling) {
  static const llvm::StringSet<> without = [] {
    static constexpr llvm::StringLiteral kNames =
#define PTC_WITHOUT_OUT(Names) Names
#include "WithoutOut.def"
        ;
    llvm::StringSet<> names;
    for (llvm::StringRef name : llvm::split(kNames, ' '))
      names.insert(name);
    return names;
  }();
  return !spelling.consume_front("torch.") ||
         (!spelling.ends_with("_") && !without.contains(spelling));
}

/// What eager's forms with `out=` do otherwise than the forms without, for want of checks or by
/// mistake: nothing has a least element, errors come in another order, or wrong numbers.
static Flow checkOutForm(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                         const Value &out) {
  using aten::OpId;
  static constexpr OpId kLookAtSizes[] = {OpId::amax, OpId::amin, OpId::max, OpId::min};
  auto mayBeEmpty = [&](const aten::TensorMeta &t) {
    return llvm::any_of(t.sizes, [&](sym::Expr size) {
      return e.sizes().isEqual(size, e.sizes().constant(0)) != false;
    });
  };
  auto refuse = [&](llvm::StringRef why) {
    return e.refuse(DiagId::UnsupportedOperation, op.name, why);
  };
  static constexpr llvm::StringLiteral kWithout[] = {
      "sum", "prod", "median", "where.ScalarSelf", "where.ScalarOther", "where.Scalar"};
  if (llvm::is_contained(kWithout, op.name))
    return refuse("this form takes no out=");
  if (llvm::is_contained(kLookAtSizes, op.id) && mayBeEmpty(*bound[0].tensor()))
    return refuse("with out= it takes what may be empty otherwise than without");
  if (op.id == OpId::_softmax || op.id == OpId::_log_softmax)
    return refuse("with out= eager gives wrong numbers in some memory orders");
  if (op.id == OpId::matmul && out.is(Kind::Tensor) && asTensor(out).sizes.size() > 2 &&
      aten::contiguousStrides(e.sizes(), asTensor(out).sizes) != asTensor(out).strides)
    return refuse("with out= eager does not take some memory orders");
  return Flow::Next;
}

/// Tensors of the device "meta" hold no data: no numbers are drawn for them, and eager computes
/// nothing of them together with others. Absent: the call goes on.
static Value callOnMeta(Engine &e, const aten::Spelling &overload,
                        llvm::ArrayRef<aten::ArgValue> bound, const TensorCall &call) {
  const aten::OpInfo &op = aten::getOpInfo(overload.id);
  bool hasMeta = false, hasOthers = false;
  auto see = [&](const aten::TensorMeta *t) {
    hasMeta |= t && t->device.type == aten::DeviceType::Meta;
    hasOthers |= t && t->device.type != aten::DeviceType::Meta && !t->sizes.empty();
  };
  const aten::Device *target = nullptr;
  for (const aten::ArgValue &arg : bound) {
    see(arg.tensor());
    if (const auto *list = arg.getIf<aten::ArgValue::TensorList>())
      llvm::for_each(list->values, see);
    if (const auto *device = arg.getIf<aten::Device>())
      target = device;
  }
  const bool toMeta = target && target->type == aten::DeviceType::Meta;
  const bool isMoved = target && !toMeta && (op.baseName() == "to" || op.baseName() == "_to_copy");
  if (hasMeta && (hasOthers || isMoved))
    return e.refuse(DiagId::UnsupportedTorchFunction, "data of a tensor of the device 'meta'");
  if (!op.has(aten::OpFlag::Random) || !(hasMeta || toMeta))
    return Value();
  if (overload.isInplace && bound[0].tensor())
    return call.valueOf(bound[0].tensor());
  return e.refuse(DiagId::UnsupportedTorchFunction, "random numbers of the device 'meta'");
}

static Value callBound(Engine &e, const aten::Spelling &overload,
                       llvm::MutableArrayRef<aten::ArgValue> bound, TensorCall &call) {
  const aten::OpInfo &op = aten::getOpInfo(overload.id);
  PTC_DO(settleDimensions(e, op, bound));
  PTC_DO(decideFlags(e, op, bound, call));
  PTC_DO(checkWarnings(e, op, bound));
  if (Value done = callOnMeta(e, overload, bound, call); !done.isAbsent())
    return done;
  if (call.out) {
    PTC_DO(checkOutForm(e, op, bound, *call.out));
  } else if (!overload.isInplace) {
    PTC_DO(castArguments(e, op, bound, call));
  }
  return overload.isInplace ? e.callInPlace(op, bound, call)
                            : filledIfDeterministic(e, op, e.callFunctional(op, bound, call));
}

/// Calls the first of the overloads that takes the arguments with numbers for tensors that hold
/// one; absent: there is none.
static Value callWithNumbers(Engine &e, llvm::ArrayRef<aten::Spelling> overloads,
                             const CallArgs &args, const Value *out) {
  for (const aten::Spelling &overload : overloads) {
    const aten::OpInfo &op = aten::getOpInfo(overload.id);
    NumberArguments numbers(e, op, args);
    if (numbers.isEmpty() || mixesNumbers(e, numbers.probe()))
      continue;
    TensorCall trial(e);
    PTC_GET(tried, convertArgs(e, trial, numbers.probe()));
    if (!tried.bind(op, e.sizes(), nullptr))
      continue;
    PTC_GET(read, numbers.read());
    TensorCall call(e);
    call.out = out;
    PTC_GET(given, convertArgs(e, call, read));
    auto bound = given.bind(op, e.sizes(), nullptr);
    if (!bound) // a float argument takes no number of the run
      continue;
    return callBound(e, overload, *bound, call);
  }
  return Value::absent();
}

/// Calls the first of the overloads that takes the arguments. `out`: what `out=` names, which the
/// result is checked against before anything is recorded.
static Value callOverloads(Engine &e, llvm::StringRef spelling,
                           llvm::ArrayRef<aten::Spelling> overloads, const CallArgs &args,
                           const Value *out) {
  if (mixesNumbers(e, args))
    if (Value done = callWithNumbers(e, overloads, args, out); !done.isAbsent())
      return done;
  TensorCall call(e);
  call.out = out;
  PTC_GET(given, convertArgs(e, call, args));
  std::string firstError;
  for (const aten::Spelling &overload : overloads) {
    std::string error;
    if (auto bound = given.bind(aten::getOpInfo(overload.id), e.sizes(), &error))
      return callBound(e, overload, *bound, call);
    if (firstError.empty())
      firstError = error;
  }
  if (Value done = callWithNumbers(e, overloads, args, out); !done.isAbsent())
    return done;
  // PyTorch may have an overload for these that the table has not.
  return e.refuse(DiagId::UnsupportedOperation, spelling, firstError);
}

/// The arguments with this device where they name none.
static std::optional<CallArgs> placedOn(Engine &e, const CallArgs &args, const Value &device) {
  CallArgs placed = args;
  for (KeywordArg &keyword : placed.keywords)
    if (e.nameText(keyword.name) == "device") {
      if (!keyword.value.isNone())
        return std::nullopt;
      keyword.value = device;
      return placed;
    }
  placed.keywords.push_back({e.intern("device"), device});
  return placed;
}

Value Engine::callTorch(llvm::StringRef spelling, CallArgs &args) {
  llvm::SmallVector<aten::Spelling, 4> overloads;
  if (spelling.starts_with("aten."))
    overloads = overloadsOf(spelling.drop_front(5));
  else
    llvm::append_range(overloads, aten::findSpelling(spelling));
  if (overloads.empty())
    return refuseTorchName(*this, spelling);
  if (Value list = callOnRunTimeList(spelling, args); !list.isAbsent())
    return list;
  if (Value device = defaultDeviceOf(*this, spelling); !device.isNone())
    if (std::optional<CallArgs> placed = placedOn(*this, args, device))
      return callTorch(spelling, *placed);
  if (Value pieces = walkOverPieces(*this, spelling, args); !pieces.isAbsent())
    return pieces;
  for (const Value &v : args.positional)
    if (v.is(Kind::Opaque))
      return refuseOpaque(v);
  for (const KeywordArg &keyword : args.keywords)
    if (keyword.value.is(Kind::Opaque))
      return refuseOpaque(keyword.value);
  for (const KeywordArg &keyword : args.keywords) {
    llvm::StringRef name = nameText(keyword.name);
    if (name == "out" && !spelling.starts_with("Tensor.")) {
      CallArgs rest = without(args, &keyword);
      PTC_LET(target, decide(keyword.value));
      if (!takesOut(spelling))
        return refuse(DiagId::UnsupportedTorchFunction,
                      "out= of " + spelling + ", which takes none,");
      if (target.isNone())
        return callTorch(spelling, rest);
      if (hasKeyword(*this, rest, "requires_grad"))
        return refuse(DiagId::UnsupportedTorchFunction, "out= together with requires_grad=");
      PTC_LET(result, callOverloads(*this, spelling, overloads, rest, &target));
      return writeOut(spelling, result, target);
    }
    if (name == "requires_grad" && llvm::any_of(overloads, makesLeaves)) {
      CallArgs rest = without(args, &keyword);
      PTC_LET(result, callTorch(spelling, rest));
      return withGradient(*this, result, keyword.value);
    }
  }
  PTC_LET(result, callOverloads(*this, spelling, overloads, args, nullptr));
  // Classes of results belong to functions of Python, which torch.ops has none of.
  const bool isPlain = spelling.starts_with("aten.") && isNamedResult(result);
  return isPlain ? result.withSub(uint8_t(TupleTag::Plain)) : result;
}
