//===- TorchNatives.cpp - What torch's Python part is made of ---------------------------===//
//
// In: arguments of natives of `_ptc_torch` and of methods of Tensor that are no operation. Out:
// metadata, modes, parameters, weights.
//
//===----------------------------------------------------------------------===//
#include "../Answers.h"
#include "../CallCaches.h"
#include "../Escape.h"
#include "../Folder.h"
#include "../InputNumbers.h"
#include "../KnownNames.h"
#include "../Modes.h"
#include "../NamedResults.h"
#include "../NumpyObjects.h"
#include "../Overrides.h"
#include "../Positions.h"
#include "../TensorObjects.h"
#include "../TensorWrites.h"
#include "../Tensors.h"
#include "Builtins.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/StringSwitch.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;

// Modes
// ---------------------------------------------------------------------------------------------

Value builtins::torchTensor(Engine &e, CallArgs &args) {
  const bool isGrown = args.positional.size() == 1 && isGrownList(e, args.positional[0]);
  if (args.positional.size() == 1 && !isGrown && holdsNumpyObject(e, args.positional[0])) {
    std::vector<Value> named;
    for (const KeywordArg &k : args.keywords)
      named.insert(named.end(), {Value::str(e.nameText(k.name)), k.value});
    return tensorOfNumpyObjects(e, args.positional[0], std::move(named), args.action);
  }
  if (!args.positional.empty() && e.isTensorLike(args.positional[0]))
    PTC_DO(checkWarning(e, "torch.tensor() of a tensor"));
  if (!isGrown)
    return e.makeTensor(args);
  auto dtype = llvm::find_if(args.keywords,
                             [&](const KeywordArg &k) { return e.nameText(k.name) == "dtype"; });
  Value wanted = dtype == args.keywords.end() ? Value::none() : dtype->value;
  return e.callPrelude("_tensor_of_grown", {args.positional[0], wanted}, args.action);
}

Value builtins::torchIsGradEnabled(Engine &e, CallArgs &) {
  const Value &mode = e.heap.get(kMachine, slot::kGradMode);
  return mode.isAbsent() ? answerAboutWorld(e, WorldId::GradMode) : mode;
}

/// None: as the program was started.
Value builtins::torchGradMode(Engine &e, CallArgs &) {
  const Value &mode = e.heap.get(kMachine, slot::kGradMode);
  return mode.isAbsent() ? Value::none() : mode;
}

Value builtins::torchSetGradEnabled(Engine &e, CallArgs &args) {
  PTC_LET(mode, plainArg(e, args, 0));
  if (mode.isNone()) {
    e.heap.set(kMachine, slot::kGradMode, Value::absent());
    return Value::none();
  }
  PTC_GET(on, e.truth(mode));
  e.heap.set(kMachine, slot::kGradMode, Value::boolean(on));
  return Value::none();
}

/// The slot of a mode of torch.autocast.
static uint32_t autocastSlot(CallArgs &args) {
  return llvm::StringSwitch<uint32_t>(arg(args, 0).asStr())
      .Case("cpu", slot::kAutocastCpu)
      .Case("cuda", slot::kAutocastCuda)
      .Case("cpu type", slot::kAutocastCpuType)
      .Case("cuda type", slot::kAutocastCudaType)
      .Case("cache", slot::kAutocastCache)
      .Case("region", slot::kAutocastRegion);
}

/// None: as the program was started.
Value builtins::torchAutocastMode(Engine &e, CallArgs &args) {
  const Value &mode = e.heap.get(kMachine, autocastSlot(args));
  return mode.isAbsent() ? Value::none() : mode;
}

Value builtins::torchSetAutocastMode(Engine &e, CallArgs &args) {
  PTC_LET(mode, plainArg(e, args, 1));
  if (!mode.isNone() && !mode.is(Kind::DType)) {
    PTC_GET(on, e.truth(mode));
    mode = Value::boolean(on);
  }
  e.heap.set(kMachine, autocastSlot(args), mode.isNone() ? Value::absent() : mode);
  return Value::none();
}

/// The modes that each thread has for itself: None, or one, for each of them.
Value builtins::torchThreadModes(Engine &e, CallArgs &) {
  std::vector<Value> modes;
  for (uint32_t key : slot::kModes)
    if (key != slot::kDefaultDType) {
      const Value &mode = e.heap.get(kMachine, key);
      modes.push_back(mode.isAbsent() ? Value::none() : mode);
    }
  return Value::tuple(std::move(modes));
}

/// Sets them to what torchThreadModes() gave; None: as the program was started.
Value builtins::torchSetThreadModes(Engine &e, CallArgs &args) {
  PTC_LET(given, e.decide(arg(args, 0)));
  size_t next = 0;
  for (uint32_t key : slot::kModes)
    if (key != slot::kDefaultDType) {
      const Value mode = given.isNone() ? given : given.parts()[next++];
      e.heap.set(kMachine, key, mode.isNone() ? Value::absent() : mode);
    }
  return Value::none();
}

Value builtins::torchGetDefaultDType(Engine &e, CallArgs &) {
  return Value::dtype(e.defaultDType());
}

Value builtins::torchSetDefaultDType(Engine &e, CallArgs &args) {
  PTC_LET(dtype, plainArg(e, args, 0));
  if (!dtype.is(Kind::DType) || !isFloat(dtype.asDType()))
    return e.raise(WellKnown::TypeError,
                   "only floating-point types are supported as the default type");
  e.heap.set(kMachine, slot::kDefaultDType, dtype);
  return Value::none();
}

Value builtins::torchHasAttributes(Engine &e, CallArgs &args) {
  PTC_LET(tensor, e.decide(arg(args, 0)));
  return Value::boolean(hasGivenAttrs(e, tensor));
}

Value builtins::torchDefaultDevices(Engine &e, CallArgs &) {
  const Value &devices = e.heap.get(kMachine, slot::kDefaultDevices);
  return devices.is(Kind::Tuple) ? devices : Value::tuple({Value::none()});
}

Value builtins::torchSetDefaultDevices(Engine &e, CallArgs &args) {
  PTC_LET(devices, e.decide(arg(args, 0)));
  const bool isPlain = devices.parts().size() == 1 && devices.parts()[0].isNone();
  e.heap.set(kMachine, slot::kDefaultDevices, isPlain ? Value::absent() : devices);
  return Value::none();
}

// Kinds of values
// --------------------------------------------------------------------------------------

Value builtins::torchIsTensor(Engine &e, CallArgs &args) {
  if (e.isTensorLike(arg(args, 0)))
    return Value::boolean(true);
  PTC_LET(v, e.decide(arg(args, 0)));
  const Value tensor = Value::ref(e.builtinClass(WellKnown::TensorType));
  if (v.is(Kind::Opaque) || hasOwnClass(e, v))
    return e.callPrelude("isinstance", {v, tensor}, args.action);
  return Value::boolean(e.isSubclass(e.typeOf(v), tensor.asRef()));
}

/// Whether data decides a number: what is asked of it is a decision of the run.
Value builtins::torchIsData(Engine &e, CallArgs &args) {
  const Value &v = arg(args, 0);
  bool isKnown = v.isSmallInt() || (v.is(Kind::Size) && e.isInputSize(v.asSize()));
  return Value::boolean(!isKnown);
}

/// Whether a size of inputs may be 1 in one call and not in another, and the other one is the same
/// number in all of them; asks for no guard.
Value builtins::torchIsOpenSize(Engine &e, CallArgs &args) {
  const Value &number = arg(args, 0), &other = arg(args, 1);
  if (!number.is(Kind::Size) || !e.isInputSize(number.asSize()) || !isSizeOperand(other))
    return Value::boolean(false);
  const sym::Expr size = number.asSize(), one = e.sizes().constant(1);
  return Value::boolean(!provenSizes(e, CompareOp::Eq, size, one) &&
                        provenSizes(e, CompareOp::Eq, size, sizeOf(e, other)) == true);
}

/// Objects that a function of the prelude wrote to for the time of a call.
static std::vector<Value> &restoredObjects(Engine &e) { return e.world->given["restored"]; }

static size_t numBlocksAround(const TapeBlock *block) {
  size_t count = 0;
  while ((block = block->parent))
    ++count;
  return count;
}

/// Where recording is, from which on writes to older objects are noted.
Value builtins::torchRecorded(Engine &e, CallArgs &) {
  const ObjectId first = e.heap.nextId();
  e.heap.noteWritesBelow(first);
  const size_t counts[] = {numBlocksAround(e.block), e.block->instrs.size(), first,
                           e.heap.notedWrites().size(), writtenInPlace(e).size()};
  std::vector<Value> place;
  for (size_t count : counts)
    place.push_back(Value::integer(int64_t(count)));
  return Value::tuple(std::move(place));
}

namespace {
/// What torchRecorded() gave.
struct Recorded {
  explicit Recorded(const Value &place)
      : around(at(place, 0)), instrs(at(place, 1)), first(ObjectId(at(place, 2))),
        noted(at(place, 3)), inPlace(at(place, 4)) {}

  size_t around;  ///< blocks
  size_t instrs;  ///< in the innermost block
  ObjectId first; ///< objects below are older
  size_t noted, inPlace;

private:
  static size_t at(const Value &place, size_t i) { return size_t(place.parts()[i].asInt()); }
};
} // namespace

/// What was recorded behind that place: the rest of its block, and the blocks in it that lead to
/// where recording is now. None: it is no longer there.
static std::optional<llvm::SmallVector<llvm::ArrayRef<TapeInstr>>>
recordedSince(Engine &e, const Recorded &place) {
  llvm::SmallVector<llvm::ArrayRef<TapeInstr>> found;
  const TapeBlock *block = e.block;
  size_t depth = numBlocksAround(block);
  for (; depth > place.around; --depth, block = block->parent)
    found.insert(found.begin(), block->instrs);
  if (depth < place.around || block->instrs.size() < place.instrs)
    return std::nullopt;
  found.insert(found.begin(), llvm::ArrayRef(block->instrs).drop_front(place.instrs));
  return found;
}

/// Does the operation give each element of its result from those at the same place alone, or make
/// one without looking at any?
static bool isPointwise(const aten::OpInfo &op) {
  using R = aten::ShapeRule;
  static constexpr llvm::StringLiteral kOthers[] = {"_to_copy", "clone",     "index", "new_full",
                                                    "new_ones", "new_zeros", "to"};
  return llvm::is_contained({R::Pointwise, R::Where, R::MaskedFill}, op.shapeRule) ||
         llvm::is_contained(kOthers, op.baseName());
}

/// Does the operation index one of these? Of results for all positions at once that takes others
/// than of the result for each.
static bool isIndexOf(const TapeInstr &instr, const llvm::DenseSet<ValueId> &tensors) {
  return aten::getOpInfo(aten::OpId(instr.aten)).baseName() == "index" &&
         tensors.contains(instr.args[0].id());
}

/// Of what was recorded since: (are all pointwise, and views those of other tensors than the given
/// ones and what was made of them; does none draw random numbers; is nothing decided by data).
Value builtins::torchKindsSince(Engine &e, CallArgs &args) {
  const auto since = recordedSince(e, Recorded(arg(args, 0)));
  llvm::DenseSet<ValueId> made;
  if (given(args, 1))
    for (const Value &v : arg(args, 1).parts())
      if (v.is(Kind::Tensor))
        made.insert(e.heap.get(asTensor(v).storage, slot::kContent).asRaw());
  bool allPointwise = since.has_value(), drawsNothing = allPointwise,
       decidesNothing = allPointwise && since->size() == 1;
  auto look = [&](const TapeInstr &instr, const TapeInstr *next) {
    // Whether positions lie inside is a question of the engine's own.
    const bool isAsked = next && next->op == TapeOp::Item && !instr.results.empty() &&
                         next->args[0].isValue() && next->args[0].id() == instr.results[0];
    const bool isOne = instr.op == TapeOp::Aten &&
                       (isAsked || isPointwise(aten::getOpInfo(aten::OpId(instr.aten)))) &&
                       !isIndexOf(instr, made);
    const bool isOthers = instr.op == TapeOp::AtenView && instr.args[0].isValue() &&
                          !made.contains(instr.args[0].id());
    if (!isOthers)
      made.insert_range(instr.results);
    allPointwise &=
        isOne || isOthers ||
        !llvm::is_contained({TapeOp::Aten, TapeOp::AtenRandom, TapeOp::AtenView, TapeOp::Scatter},
                            instr.op);
    drawsNothing &= instr.op != TapeOp::AtenRandom && instr.op != TapeOp::Seed;
    decidesNothing &= !llvm::is_contained({TapeOp::Switch, TapeOp::Loop, TapeOp::Item}, instr.op);
  };
  if (since)
    for (llvm::ArrayRef<TapeInstr> part : *since)
      for (size_t i = 0; i < part.size(); ++i)
        look(part[i], i + 1 < part.size() ? &part[i + 1] : nullptr);
  return Value::tuple(
      {Value::boolean(allPointwise), Value::boolean(drawsNothing), Value::boolean(decidesNothing)});
}

namespace {
/// What a call of a function did to what is older than it, where the entries of a batch are its
/// arguments: it is made for each entry, and eager makes it once.
class CallOfEntry {
public:
  CallOfEntry(Engine &e, const Value &place, llvm::ArrayRef<Value> entries)
      : e(e), place(place), entries(entries) {}

  /// Whether it did only what it would do once.
  bool isPure() {
    const auto since = recordedSince(e, place);
    if (!since || writesObjects())
      return false;
    for (const Value &entry : entries)
      contents.insert(e.heap.get(asTensor(entry).storage, slot::kContent).asRaw());
    llvm::ArrayRef<Value> writes = llvm::ArrayRef(writtenInPlace(e)).drop_front(place.inPlace);
    // What entries are of, before this call wrote to it.
    for (const Value &write : writes)
      if (isOfBatch(asTensor(write.parts()[0])))
        contents.insert(write.parts()[1].asRaw());
    for (llvm::ArrayRef<TapeInstr> part : *since)
      for (const TapeInstr &instr : part) {
        if (hasEffect(instr))
          return false;
        if (readsBatch(instr))
          batched.insert_range(instr.results);
      }
    return llvm::all_of(writes, [&](const Value &write) { return isForEach(write); });
  }

private:
  bool writesObjects() const {
    const std::vector<Value> &restored = restoredObjects(e);
    return llvm::any_of(llvm::drop_begin(e.heap.notedWrites(), place.noted), [&](ObjectId id) {
      const ObjectKind kind = e.heap.kind(id);
      return id < place.first && id != e.currentFrame() && kind != ObjectKind::Engine &&
             kind != ObjectKind::Storage && !llvm::is_contained(restored, Value::ref(id));
    });
  }
  bool isOfBatch(const TensorNode &t) const {
    return llvm::any_of(entries,
                        [&](const Value &entry) { return asTensor(entry).storage == t.storage; });
  }
  /// Is it an entry, or a view of one?
  bool isEntry(const TensorNode &t) const {
    return llvm::any_of(entries, [&](const Value &entry) {
      const TensorNode &whole = asTensor(entry);
      return whole.storage == t.storage && whole.steps.size() <= t.steps.size() &&
             llvm::equal(whole.steps, llvm::ArrayRef(t.steps).take_front(whole.steps.size()),
                         [](const ViewStep &a, const ViewStep &b) {
                           return a.op == b.op && a.args == b.args;
                         });
    });
  }
  bool readsBatch(const TapeArg &arg) const {
    return arg.isValue() ? batched.contains(arg.id())
                         : llvm::any_of(arg.items, [&](const TapeArg &a) { return readsBatch(a); });
  }
  bool readsBatch(const TapeInstr &instr) const {
    if (llvm::any_of(instr.args, [&](const TapeArg &arg) { return readsBatch(arg); }))
      return true;
    if (instr.op != TapeOp::AtenView || !instr.args[0].isValue() ||
        !contents.contains(instr.args[0].id()))
      return false;
    return llvm::any_of(entries, [&](const Value &entry) {
      const TapeArg steps = e.stepsIn(*e.block, asTensor(entry));
      llvm::ArrayRef<TapeArg> all = instr.args[1].items;
      return steps.items.size() <= all.size() &&
             llvm::equal(steps.items, all.take_front(steps.items.size()));
    });
  }
  /// Whether eager writes to each entry of its own what was written here.
  bool isForEach(const Value &write) const {
    const TensorNode &target = asTensor(write.parts()[0]);
    if (isEntry(target) || batched.contains(write.parts()[1].asRaw()))
      return true;
    return target.storage >= place.first && !batched.contains(write.parts()[2].asRaw());
  }

  Engine &e;
  Recorded place;
  llvm::ArrayRef<Value> entries;
  llvm::DenseSet<ValueId> contents; ///< of the storages that the entries are of
  llvm::DenseSet<ValueId> batched;  ///< made of entries
};
} // namespace

/// Whether a call since, of a function of these entries of batches, did what one for all would do.
Value builtins::torchIsForEach(Engine &e, CallArgs &args) {
  return Value::boolean(CallOfEntry(e, arg(args, 0), arg(args, 1).parts()).isPure());
}

/// Whether the tensors are known to have the same elements, as the same was computed for each.
Value builtins::torchHoldSame(Engine &e, CallArgs &args) {
  llvm::ArrayRef<Value> tensors = arg(args, 0).parts();
  return Value::boolean(llvm::all_of(
      tensors, [&](const Value &t) { return e.readTensor(t) == e.readTensor(tensors[0]); }));
}

/// That objects which were written to are again as they were.
Value builtins::torchRestored(Engine &e, CallArgs &args) {
  llvm::append_range(restoredObjects(e), arg(args, 0).parts());
  return Value::none();
}

/// Whether one of the tensors has memory in common with the other.
Value builtins::torchSharesStorage(Engine &e, CallArgs &args) {
  PTC_LET(one, e.decide(arg(args, 0)));
  PTC_LET(other, e.decide(arg(args, 1)));
  return Value::boolean(asTensor(one).storage == asTensor(other).storage);
}

Value builtins::torchIsConstant(Engine &e, CallArgs &args) {
  PTC_LET(v, plainArg(e, args, 0));
  return Value::boolean(isNumberConst(v) || v.is(Kind::Bool));
}

Value builtins::torchConstantElements(Engine &e, CallArgs &args) {
  return foldedElements(e, arg(args, 0));
}

/// What the program says about a size of an argument; says nothing about any other tensor. `kind`
/// is a row of sym::DimMark::Kind.
Value builtins::torchMarkSize(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  llvm::SmallVector<std::optional<int64_t>, 4> numbers;
  for (size_t i = 1; i < 5; ++i) {
    PTC_LET(number, plainArg(e, args, i));
    numbers.push_back(number.isSmallInt() ? std::optional(number.asInt()) : std::nullopt);
  }
  const auto &[given, kind, lower, upper] =
      std::tie(numbers[0], numbers[1], numbers[2], numbers[3]);
  if (!v.is(Kind::Tensor) || !e.shapes || !given || !kind)
    return Value::none();
  const TensorNode &tensor = asTensor(v);
  const std::string *path = e.shapes->findTensor(tensor.storage);
  int64_t rank = int64_t(tensor.sizes.size()), dim = *given;
  if (path && tensor.steps.empty() && tensor.made == 0 && dim >= -rank && dim < rank)
    e.shapes->markSize({sym::DimMark::Kind(*kind),
                        {*path, unsigned(dim < 0 ? dim + rank : dim)},
                        lower,
                        upper,
                        e.here()});
  return Value::none();
}

Value builtins::torchIsParameter(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  return Value::boolean(v.is(Kind::Tensor) && asTensor(v).isParameter);
}

Value builtins::torchMakeParameter(Engine &e, CallArgs &args) {
  PTC_LET(data, e.decide(arg(args, 0)));
  PTC_LET(grad, plainArg(e, args, 1));
  PTC_GET(requiresGrad, e.truth(grad));
  if (!data.is(Kind::Tensor))
    return e.raise(WellKnown::TypeError, "Parameter needs a tensor");
  return makeParameter(e, data, requiresGrad);
}

/// Module.half() and its like: pairs of parameters and of what they are now.
Value builtins::torchReplaceTensors(Engine &e, CallArgs &args) {
  PTC_GET(items, e.sequenceItems(arg(args, 0)));
  std::vector<std::pair<Value, Value>> pairs;
  for (const Value &item : items) {
    PTC_LET(pair, e.decide(item));
    PTC_LET(old, e.decide(pair.parts()[0]));
    PTC_LET(now, e.decide(pair.parts()[1]));
    if (!(asTensor(old).made == asTensor(now).made &&
          asTensor(old).storage == asTensor(now).storage))
      pairs.emplace_back(std::move(old), std::move(now));
  }
  if (!pairs.empty())
    PTC_DO(replaceTensors(e, pairs));
  return Value::none();
}

Value builtins::ptcAdoptTensor(Engine &e, CallArgs &args) { return ptcAdopt(e, args); }

/// Makes the contents of a parameter or buffer those of the weight file; Bool: was there one?
Value builtins::torchBindWeight(Engine &e, CallArgs &args) {
  PTC_LET(name, plainArg(e, args, 0));
  PTC_LET(tensor, e.decide(arg(args, 1)));
  return e.bindWeight(name.asStr(), tensor);
}

// Metadata
// -------------------------------------------------------------------------------------------------

/// A dimension given by the caller, wrapped as eager wraps it.
static std::optional<size_t> dimension(Engine &e, CallArgs &args, size_t rank) {
  PTC_LET(dim, plainArg(e, args, 1));
  if (!dim.isSmallInt()) {
    e.refuse(DiagId::UnsupportedTorchFunction, "a dimension that is no constant");
    return std::nullopt;
  }
  return wrapDimension(e, dim.asInt(), rank);
}

Value builtins::tensorMethodSize(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  if (!given(args, 1) || args.positional[1].isNone())
    return e.tensorShape(t);
  const TensorNode &node = anyTensor(t);
  PTC_GET(d, dimension(e, args, node.sizes.size()));
  return Value::size(node.sizes[d]);
}

/// Of dimensions of one element, whose strides a result may have from those of the arguments.
static bool hasIdleStrides(Engine &e, const TensorNode &t) {
  return llvm::any_of(t.sizes, [&](sym::Expr size) {
    return e.sizes().isLess(e.sizes().constant(1), size) != true;
  });
}

/// What stride() answers: of an argument also where its memory says nothing of a stride, as the
/// caller made it. Nothing after a refusal: a view of an argument whose strides of one element are
/// other than those that a dense tensor has, or a result beside such an argument.
static std::optional<llvm::SmallVector<sym::Expr, 4>> askedStrides(Engine &e, const Value &t) {
  llvm::SmallVector<sym::Expr, 4> strides = anyTensor(t).strides;
  if (!e.shapes)
    return strides;
  llvm::ArrayRef<Value> ways = alternativesOf(t);
  sym::GuardOrigin origin{e.here(), "its strides are asked"};
  for (const Value &way : ways) {
    const TensorNode &node = asTensor(way);
    const std::string *path = e.shapes->findTensor(node.storage);
    if (path ? e.shapes->specializeIdleStrides(*path, origin)
             : !hasIdleStrides(e, node) || e.shapes->specializeIdleStrides(origin))
      continue;
    if (ways.size() > 1 || !path || !node.steps.empty()) {
      e.refuse(DiagId::UnsupportedTorchFunction,
               llvm::Twine("stride() of ") + (path ? "a view of" : "a result where there is") +
                   " an argument with an unusual stride of a dimension of size 1");
      return std::nullopt;
    }
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (std::optional<int64_t> given = e.shapes->findIdleStride(*path, unsigned(dim)))
        stride = e.sizes().constant(*given);
  }
  return strides;
}

Value builtins::tensorMethodStride(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  e.shows.idleStrides |= llvm::any_of(anyTensor(t).sizes, [&](sym::Expr size) {
    return !size.isConstant() && e.sizes().isLess(e.sizes().constant(1), size) != true;
  });
  PTC_GET(strides, askedStrides(e, t));
  if (given(args, 1) && !args.positional[1].isNone()) {
    PTC_GET(d, dimension(e, args, strides.size()));
    return Value::size(strides[d]);
  }
  std::vector<Value> parts;
  for (sym::Expr stride : strides)
    parts.push_back(Value::size(stride));
  return Value::tuple(std::move(parts));
}

Value builtins::tensorMethodDim(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  return Value::integer(int64_t(anyTensor(t).sizes.size()));
}

Value builtins::tensorMethodNumel(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  return Value::size(e.sizes().product(anyTensor(t).sizes));
}

/// Inputs and fresh tensors begin where their storage begins.
std::optional<sym::Expr> capture::storageOffsetOf(Engine &e, const TensorNode &t,
                                                  llvm::StringRef what) {
  auto refuse = [&](llvm::StringRef of) {
    e.refuse(DiagId::UnsupportedTorchFunction, what + " of " + of);
    return std::nullopt;
  };
  e.shows.sharing |= e.maybeViews.views.contains(t.storage);
  if (!t.isOffsetKnown)
    return refuse("a view that data chooses");
  if (e.isFrozen(t.storage)) // an element may be a view of what the list does not know
    return refuse("a tensor in a list whose length the run knows");
  bool isInside = t.offset.isSupported() && !t.offset.isZero();
  if (const std::string *path = e.shapes ? e.shapes->findTensor(t.storage) : nullptr) {
    sym::GuardOrigin origin{e.here(), "its offset is asked"};
    if (e.shapes->specialize({sym::ObservableKind::StorageOffset, *path, 0, {}}, origin) != 0)
      return refuse("an argument that begins inside its storage");
    // A view behind the one element of a dimension begins a stride further.
    if (isInside && !e.shapes->specializeIdleStrides(*path, origin))
      return refuse("a view of an argument with an unusual stride of a dimension of size 1");
  }
  return t.offset.isSupported() ? t.offset : e.sizes().constant(0);
}

Value builtins::tensorMethodStorageOffset(Engine &e, CallArgs &args) {
  PTC_LET(t, e.decide(arg(args, 0)));
  PTC_GET(offset, storageOffsetOf(e, asTensor(t), "storage_offset()"));
  return Value::size(offset);
}

Value builtins::tensorMethodItem(Engine &e, CallArgs &args) { return e.tensorItem(arg(args, 0)); }

/// Do the dimensions lie in this order, the innermost first, without gaps?
static std::optional<bool> liesInOrder(Engine &e, const TensorNode &node,
                                       llvm::ArrayRef<size_t> order) {
  sym::Expr expected = e.sizes().constant(1);
  for (size_t d : order) {
    PTC_GET(single,
            e.decideSizes(CompareOp::Eq, node.sizes[d], e.sizes().constant(1), "is_contiguous()"));
    if (single)
      continue;
    PTC_GET(same, e.decideSizes(CompareOp::Eq, node.strides[d], expected, "is_contiguous()"));
    if (!same)
      return false;
    expected = e.sizes().mul(expected, node.sizes[d]);
  }
  return true;
}

Value builtins::tensorMethodIsContiguous(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  auto format = aten::MemoryFormat::Contiguous;
  if (given(args, 1)) {
    PTC_LET(named, plainArg(e, args, 1));
    if (!named.is(Kind::MemoryFormat) ||
        aten::MemoryFormat(named.bits()) == aten::MemoryFormat::Preserve)
      return e.refuse(DiagId::UnsupportedTorchFunction,
                      "is_contiguous with a memory_format that is no order");
    format = aten::MemoryFormat(named.bits());
  }
  const TensorNode &node = anyTensor(t);
  const size_t rank = node.sizes.size();
  if (format != aten::MemoryFormat::Contiguous) {
    // As TensorImpl::compute_channels_last_contiguous: of empty tensors, too.
    if (rank != (format == aten::MemoryFormat::ChannelsLast ? 4 : 5))
      return Value::boolean(false);
    llvm::SmallVector<size_t, 5> order{1};
    for (size_t d = rank; d-- > 2;)
      order.push_back(d);
    order.push_back(0);
    PTC_GET(lies, liesInOrder(e, node, order));
    return Value::boolean(lies);
  }
  for (sym::Expr size : node.sizes) {
    PTC_GET(none, e.decideSizes(CompareOp::Eq, size, e.sizes().constant(0), "is_contiguous()"));
    if (none)
      return Value::boolean(true);
  }
  llvm::SmallVector<size_t, 5> order;
  for (size_t d = rank; d-- > 0;)
    order.push_back(d);
  PTC_GET(lies, liesInOrder(e, node, order));
  return Value::boolean(lies);
}

Value builtins::tensorMethodIsFloatingPoint(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  return Value::boolean(isFloat(anyTensor(t).dtype));
}

Value builtins::tensorMethodIsComplex(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  return Value::boolean(isComplex(anyTensor(t).dtype));
}

Value builtins::tensorMethodElementSize(Engine &e, CallArgs &args) {
  PTC_LET(t, e.readable(arg(args, 0)));
  return Value::integer(getDTypeInfo(anyTensor(t).dtype).bytes);
}

/// Whether a tensor requires a gradient is part of the value, so only what nobody else refers to
/// through another value sees it: enough for forward programs, which never ask later.
Value builtins::tensorMethodRequiresGrad(Engine &e, CallArgs &args) {
  const Value &wanted = arg(args, 1);
  return setRequiresGrad(e, arg(args, 0), wanted.isAbsent() ? Value::boolean(true) : wanted);
}

/// Is it a view of another tensor, so far as eager tells: one of what detach() gave is none.
static bool isViewToAutograd(const TensorNode &t) {
  auto isDetached = [](const ViewStep &step) { return step.op == uint16_t(aten::OpId::detach); };
  return !t.steps.empty() && !isDetached(t.steps.back());
}

Value builtins::tensorMethodDetachInPlace(Engine &e, CallArgs &args) {
  PTC_LET(v, e.decide(arg(args, 0)));
  const TensorNode &t = asTensor(v);
  if (isViewToAutograd(t))
    return e.raise(
        WellKnown::RuntimeError,
        "Can't detach views in-place. Use detach() instead. If you are using "
        "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, "
        "gradients are views of DDP buckets, and hence detach_() cannot be called on these "
        "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
        "torch/optim/optimizer.py as the solution.");
  if (t.isParameter && requiresGrad(e, t))
    return e.refuse(DiagId::UnsupportedTorchFunction, "torch.Tensor.detach_ of a parameter");
  if (requiresGrad(e, t))
    e.heap.set(t.storage, slot::kGradient, Value::boolean(false));
  return v;
}

// The module
// ---------------------------------------------------------------------------------------------------

void capture::bootstrapTorch(Engine &e) {
  ObjectId module = findModule(e, "_ptc_torch");
  auto put = [&](llvm::StringRef name, Value v) {
    e.heap.set(module, attrKey(e.intern(name)), std::move(v));
  };
  for (const DTypeInfo &info : getAllDTypeInfos())
    put(info.torchName, Value::dtype(info.dtype));
  put("strided", Value::constant(Kind::Layout, 0));
  static constexpr std::pair<llvm::StringLiteral, aten::MemoryFormat> kFormats[] = {
      {"contiguous_format", aten::MemoryFormat::Contiguous},
      {"preserve_format", aten::MemoryFormat::Preserve},
      {"channels_last", aten::MemoryFormat::ChannelsLast},
      {"channels_last_3d", aten::MemoryFormat::ChannelsLast3d}};
  for (const auto &[name, format] : kFormats)
    put(name, Value::constant(Kind::MemoryFormat, uint64_t(format)));
  put("Tensor", Value::ref(e.builtinClass(WellKnown::TensorType)));
  put("dtype", Value::ref(e.builtinClass(WellKnown::TorchDTypeType)));
  put("device", Value::ref(e.builtinClass(WellKnown::TorchDeviceType)));
  put("layout", Value::ref(e.builtinClass(WellKnown::TorchLayoutType)));
  put("memory_format", Value::ref(e.builtinClass(WellKnown::TorchMemoryFormatType)));
  put("Generator", Value::ref(e.builtinClass(WellKnown::TorchGeneratorType)));
  put("Size", Value::ref(e.builtinClass(WellKnown::TorchSizeType)));
  put("default_generator", makeGenerator(e, 0));
  bootstrapNamedResults(e);
  if (!findModule(e, "_ptc_aten"))
    e.makeModule("_ptc_aten", "", true);
}

/// What a module of the prelude has beside its Python part: operations of torch by their spelling,
/// and names that are known and not there.
Value capture::torchModuleAttr(Engine &e, llvm::StringRef module, NameId name) {
  const bool isAten = module == "_ptc_aten";
  if (isAten || module == "torch" || module.starts_with("torch.")) {
    std::string spelling = ((isAten ? "aten" : module) + "." + e.nameText(name)).str();
    if (isAten ? e.hasAtenName(e.nameText(name)) : !aten::findSpelling(spelling).empty())
      return Value::constant(Kind::TorchOp, e.intern(spelling));
  }
  if (isModelOfPackage(e, module) && isAskedByProgram(e))
    return e.opaqueAttr(makeOpaque(e, module, OpaqueIs::Module), name);
  return unmodelledAttribute(e, module, e.nameText(name));
}

Value capture::tensorClassAttr(Engine &e, NameId name) {
  std::string spelling = ("Tensor." + e.nameText(name)).str();
  if (!aten::findSpelling(spelling).empty())
    return Value::constant(Kind::TorchOp, e.intern(spelling));
  return unmodelledAttribute(e, "torch.Tensor", e.nameText(name));
}

std::optional<bool> capture::isUnmodelledTensorData(Engine &e, const Value &tensor, NameId name) {
  const std::string path = ("torch.Tensor." + e.nameText(name)).str();
  const uint32_t minor = e.world->minorVersion();
  std::optional<KnownName> known = findKnownName(path, minor);
  if (!known || known->isCallable || known->type == "property" || // which may raise
      findKnownAttribute("torch.Tensor", e.nameText(name), minor, true).is == KnownMember::No ||
      !aten::findSpelling(("Tensor." + e.nameText(name)).str()).empty())
    return false;
  PTC_LET(modelled, e.tensorAttr(tensor, name));
  return modelled.isAbsent();
}

/// Is it a tensor with that attribute, of which nothing but that is known?
Value builtins::ptcHasUnmodelledData(Engine &e, CallArgs &args) {
  if (!e.isTensorLike(arg(args, 0)))
    return Value::boolean(false);
  PTC_LET(name, plainArg(e, args, 1));
  if (!name.is(Kind::Str) || isFunctionModeActive(e))
    return Value::boolean(false);
  PTC_LET(tensor, e.readable(arg(args, 0)));
  PTC_GET(isThere, isUnmodelledTensorData(e, tensor, e.intern(name.asStr())));
  return Value::boolean(isThere);
}

/// An attribute of a tensor: metadata, or an operation bound to it; Absent if it is neither.
Value capture::tensorAttribute(Engine &e, const Value &tensor, NameId name) {
  PTC_LET(meta, e.tensorAttr(tensor, name));
  if (!meta.isAbsent())
    return meta;
  ObjectId cls = e.builtinClass(WellKnown::TensorType);
  Value method = e.lookupInClass(cls, name);
  if (!method.isAbsent())
    return bindAttribute(e, method, tensor, cls);
  const bool isOperation = !aten::findSpelling(("Tensor." + e.nameText(name)).str()).empty();
  const uint32_t minor = e.world->minorVersion();
  if (!isOperation &&
      findKnownAttribute("torch.Tensor", e.nameText(name), minor, true).is == KnownMember::No)
    return givenTensorAttr(e, tensor, name); // none of the metaclass
  PTC_LET(operation, tensorClassAttr(e, name));
  if (operation.is(Kind::TorchOp))
    return Value::bound(tensor, operation);
  std::string spelling = ("torch.Tensor." + e.nameText(name)).str();
  return isTorchData(e, spelling) ? Value(refuseTorchName(e, spelling)) : operation;
}
