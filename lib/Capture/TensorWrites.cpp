//===- TensorWrites.cpp - In-place writes to memory that overlaps ---------------------------===//
//
// In: an in-place operation, the tensor that it writes to, and its arguments. Out: what eager
// raises when elements of the written tensor share memory, or an operand lies partly where it
// writes. Contents are values here, so a write whose outcome depends on the order of elements is
// refused.
//
//===----------------------------------------------------------------------===//
#include "TensorWrites.h"
#include "Builtins/Builtins.h"
#include "Failures.h"
#include "Objects.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/Overlap.h"
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
using namespace ptc::capture::builtins;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;
using ptc::DiagId;

std::vector<Value> &capture::writtenInPlace(Engine &e) {
  return e.world->given["written in place"];
}

/// The first object of the call that is being followed, then the tensors that its caller gave.
static std::vector<Value> &givenToCall(Engine &e) { return e.world->given["given to the call"]; }

/// Slots of what the caller holds: tuples of the object, the key and the value.
static std::vector<Value> &heldByCaller(Engine &e) { return e.world->given["held by the caller"]; }

void capture::beginWrites(Engine &e) {
  writtenInPlace(e).clear();
  heldByCaller(e).clear();
  givenToCall(e) = {Value::integer(int64_t(e.heap.nextId()))};
}

void capture::noteGiven(Engine &e, const Value &tensor) { givenToCall(e).push_back(tensor); }

void capture::noteHeld(Engine &e, ObjectId id) {
  const bool isStorage = e.heap.kind(id) == ObjectKind::Storage;
  e.heap.forEachSlot(id, [&](uint32_t key, const Value &value) {
    if (!isStorage || key == slot::kContent)
      heldByCaller(e).push_back(Value::tuple({Value::ref(id), Value::raw(key), value}));
  });
}

bool capture::hasChangedHeld(Engine &e) {
  return llvm::any_of(heldByCaller(e), [&](const Value &held) {
    llvm::ArrayRef<Value> parts = held.parts();
    const ObjectId id = parts[0].asRef();
    return e.heap.exists(id) && e.heap.get(id, uint32_t(parts[1].asRaw())) != parts[2];
  });
}

void capture::noteStrided(Engine &e) {
  if (std::vector<Value> &given = givenToCall(e); !given.empty())
    given[0] = Value::integer(std::numeric_limits<int64_t>::max());
}

/// Has an operation of this call made the storage? None but empty_strided gives two elements one
/// place.
static bool isMadeInCall(Engine &e, ObjectId storage) {
  llvm::ArrayRef<Value> given = givenToCall(e);
  return !given.empty() && int64_t(storage) >= given[0].asInt() &&
         llvm::none_of(given.drop_front(),
                       [&](const Value &v) { return asTensor(v).storage == storage; });
}

static aten::Placement placementOf(Engine &e, const TensorNode &t, unsigned arg) {
  sym::Expr offset = t.offset.isSupported() ? t.offset : e.sizes().constant(0);
  return {t.sizes, t.strides, offset, int64_t(ptc::getDTypeInfo(t.dtype).bytes), arg};
}

/// May a view of the storage's own tensor show one element twice?
static bool mayRepeat(const TensorNode &t) {
  return llvm::any_of(t.steps, [](const ViewStep &step) {
    llvm::StringRef op = aten::getOpInfo(aten::OpId(step.op)).baseName();
    return op == "expand" || op == "unfold" || op == "as_strided";
  });
}

/// Is each element at a place of its own? False where that is not known; what depends on the
/// strides of an argument is guarded.
static std::optional<bool> isInjective(Engine &e, llvm::ArrayRef<sym::Expr> sizes,
                                       llvm::ArrayRef<sym::Expr> strides) {
  constexpr llvm::StringLiteral kWhy = "elements of a tensor that is written to";
  if (aten::overlapsItself(e.sizes(), sizes, strides) == aten::SelfOverlap::No)
    return true;
  llvm::SmallVector<std::pair<sym::Expr, sym::Expr>, 6> dims; // stride, size; by ascending strides
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size.isOne())
      continue;
    if (!e.isInputSize(size) || !e.isInputSize(stride))
      return false;
    size_t at = dims.size();
    for (; at > 0; --at) {
      PTC_GET(isLess, e.decideSizes(CompareOp::Lt, stride, dims[at - 1].first, kWhy));
      if (!isLess)
        break;
    }
    dims.insert(dims.begin() + at, {stride, size});
  }
  sym::Expr one = e.sizes().constant(1), reach = e.sizes().constant(0);
  for (auto [stride, size] : dims) { // reach: of the dimensions with smaller strides
    PTC_GET(isBeyond, e.decideSizes(CompareOp::Gt, stride, reach, kWhy));
    if (!isBeyond)
      return false;
    reach = e.sizes().add(reach, e.sizes().mul(stride, e.sizes().sub(size, one)));
  }
  return true;
}

/// Is each element of the storage's own tensor at a place of its own?
static std::optional<bool> isStorageInjective(Engine &e, const TensorNode &t) {
  if (isMadeInCall(e, t.storage))
    return true;
  const TapeValue &all = e.tape.type(e.heap.get(t.storage, slot::kContent).asRaw());
  return isInjective(e, all.sizes, all.strides);
}

/// Equal arguments of views; an int that data decides may stand as a size or as itself.
static bool sameArgument(Engine &e, const Value &a, const Value &b) {
  if (a.is(Kind::Tuple) && b.is(Kind::Tuple))
    return llvm::equal(a.parts(), b.parts(),
                       [&](const Value &x, const Value &y) { return sameArgument(e, x, y); });
  auto isInt = [](const Value &v) {
    return v.is(Kind::Size) || (v.is(Kind::Scalar) && v.scalarType() == ScalarType::Int);
  };
  if (!isInt(a) || !isInt(b))
    return a == b;
  auto sizeOf = [&](const Value &v) {
    return v.is(Kind::Size) ? v.asSize() : e.sizeOfScalar(v.scalarId());
  };
  return a == b || sizeOf(a) == sizeOf(b);
}

/// Do views of one storage show the same elements in the same order?
static bool isSameView(Engine &e, const TensorNode &a, const TensorNode &b) {
  return llvm::equal(a.steps, b.steps, [&](const ViewStep &x, const ViewStep &y) {
    return x.op == y.op && llvm::equal(x.args, y.args, [&](const Value &v, const Value &w) {
             return sameArgument(e, v, w);
           });
  });
}

/// Do tensors of one storage have the same elements at the same places, whatever made them?
static bool liesAlike(Engine &e, const TensorNode &a, const TensorNode &b) {
  auto offset = [&](const TensorNode &t) {
    return t.offset.isSupported() ? t.offset : e.sizes().constant(0);
  };
  return a.dtype == b.dtype &&
         (isSameView(e, a, b) || (a.isOffsetKnown && b.isOffsetKnown && a.sizes == b.sizes &&
                                  a.strides == b.strides && offset(a) == offset(b)));
}

/// Whether what is read may share elements with what is written, other than all of them, each at
/// its own place; `repeats`: what is written may have elements that share a place.
static bool mayOverlap(Engine &e, const TensorNode &read, const TensorNode &written, bool repeats) {
  return read.storage == written.storage && (repeats || !isSameView(e, read, written));
}

/// The places of a tensor's elements, where sizes, strides and offset are numbers and not too many.
static std::optional<std::vector<int64_t>> placesOf(const TensorNode &t) {
  constexpr size_t kMost = 1 << 20;
  std::optional<int64_t> offset = t.offset.isSupported() ? t.offset.asConstant() : 0;
  if (!t.isOffsetKnown || !offset)
    return std::nullopt;
  std::vector<int64_t> places = {*offset};
  for (auto [size, stride] : llvm::zip_equal(t.sizes, t.strides)) {
    std::optional<int64_t> turns = size.asConstant(), step = stride.asConstant();
    if (!turns || !step || size_t(*turns) * places.size() > kMost)
      return std::nullopt;
    size_t count = places.size();
    if (*turns == 0)
      return std::vector<int64_t>();
    for (int64_t i = 1; i < *turns; ++i)
      for (size_t k = 0; k < count; ++k)
        places.push_back(places[k] + i * *step);
  }
  llvm::sort(places);
  return places;
}

/// The range that a step takes of a dimension, if it takes a part of one; none: it is another step,
/// or depends on what only the run knows.
static std::optional<std::array<int64_t, 3>> partOf(const ViewStep &step) {
  aten::OpId op = aten::OpId(step.op);
  if (op != aten::OpId::select_int && op != aten::OpId::slice_Tensor)
    return std::nullopt;
  bool isSelect = op == aten::OpId::select_int;
  llvm::SmallVector<int64_t, 4> numbers;
  for (const Value &v : step.args) {
    if (v.is(Kind::Int))
      numbers.push_back(v.asInt());
    else if (std::optional<int64_t> size =
                 v.is(Kind::Size) ? v.asSize().asConstant() : std::nullopt)
      numbers.push_back(*size);
    else if (v.isNone())
      numbers.push_back(INT64_MAX);
    else
      return std::nullopt;
  }
  if (isSelect && numbers.size() == 2 && numbers[1] >= 0)
    return std::array<int64_t, 3>{numbers[0], numbers[1], numbers[1] + 1};
  if (!isSelect && numbers.size() >= 3 && numbers[1] >= 0 && numbers[2] >= 0)
    return std::array<int64_t, 3>{numbers[0], numbers[1] == INT64_MAX ? 0 : numbers[1], numbers[2]};
  return std::nullopt;
}

/// Do views of one storage show no element in common? False where that is not known.
static bool liesApart(const TensorNode &a, const TensorNode &b) {
  if (a.dtype != b.dtype)
    return false;
  // Where they part, each takes its own range of one dimension.
  auto [x, y] = std::mismatch(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end());
  if (x != a.steps.end() && y != b.steps.end()) {
    std::optional<std::array<int64_t, 3>> p = partOf(*x), q = partOf(*y);
    if (p && q && (*p)[0] == (*q)[0] && ((*p)[2] <= (*q)[1] || (*q)[2] <= (*p)[1]))
      return true;
  }
  std::optional<std::vector<int64_t>> p = placesOf(a), q = placesOf(b);
  std::vector<int64_t> common;
  if (p && q)
    std::set_intersection(p->begin(), p->end(), q->begin(), q->end(), std::back_inserter(common));
  return p && q && common.empty();
}

/// Does each element of what it makes have a place of its own?
static bool keepsPlacesApart(const ViewStep &step) {
  switch (aten::OpId(step.op)) {
  case aten::OpId::select_int:
  case aten::OpId::slice_Tensor:
  case aten::OpId::transpose_int:
  case aten::OpId::permute:
  case aten::OpId::t:
  case aten::OpId::unsqueeze:
  case aten::OpId::view:
    return true;
  default:
    return false;
  }
}

/// Are they entries of the same dimensions of one view, by whatever numbers? Then they are one, or
/// have no element in common.
static bool areEntriesOfOne(const TensorNode &a, const TensorNode &b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.steps.size() == b.steps.size() &&
         llvm::all_of(llvm::zip_equal(a.steps, b.steps), [](const auto &steps) {
           const auto &[x, y] = steps;
           const bool areSelected = aten::OpId(x.op) == aten::OpId::select_int && x.op == y.op &&
                                    x.args.front() == y.args.front();
           return keepsPlacesApart(x) && (areSelected || x == y);
         });
}

namespace {
/// One write, to one of the tensors that its target may be.
struct Write {
  Engine &e;
  const aten::OpInfo &op;
  llvm::ArrayRef<aten::ArgValue> bound;
  const TensorNode &self;
  bool isStorageInjective; ///< no two of the storage's elements share a place
  llvm::SmallVector<aten::Placement, 4> operands;
  bool isPlaceKnown = true;
  bool isOrdered = false; ///< an operand's elements may change while they are read

  bool repeats() const { return !isStorageInjective || mayRepeat(self); }

  /// Whether an argument is read as a whole before anything is written.
  bool isReadFirst(unsigned arg) const {
    return op.args[arg].name == "value" &&
           (op.id == aten::OpId::fill_Tensor || aten::writeRuleOf(op, bound).readsValueFirst);
  }

  /// Also where an operand is what is written, if eager does not take that.
  bool mayOverlap(const Value &v) const {
    const bool looks =
        repeats() || aten::writeRuleOf(op, bound).operands == aten::WriteRule::Operands::Outside;
    return v.is(Kind::Tensor) && ::mayOverlap(e, asTensor(v), self, looks);
  }

  /// Of several tensors that the operand may be, one that overlaps must be known to be it.
  Flow look(const Value &operand, unsigned arg) {
    llvm::ArrayRef<Value> all = alternativesOf(operand);
    if (llvm::none_of(all, [&](const Value &v) { return mayOverlap(v); }))
      return Flow::Next;
    PTC_LET(v, e.decide(operand));
    if (!mayOverlap(v))
      return Flow::Next;
    if (!repeats() && areEntriesOfOne(asTensor(v), self) &&
        aten::writeRuleOf(op, bound).operands != aten::WriteRule::Operands::Outside)
      return Flow::Next;
    isPlaceKnown &= asTensor(v).isOffsetKnown && self.isOffsetKnown;
    operands.push_back(placementOf(e, asTensor(v), arg));
    isOrdered |=
        !isReadFirst(arg) && !liesAlike(e, asTensor(v), self) &&
        aten::overlapOf(e.sizes(), placementOf(e, self, 0), operands.back()) != aten::Overlap::No &&
        !liesApart(asTensor(v), self);
    return Flow::Next;
  }

  /// Eager's text, empty where it writes; none: it is not known, or depends on the order.
  std::optional<llvm::StringRef> check() const {
    if (!repeats() && operands.empty())
      return "";
    aten::WriteCheck check =
        aten::checkWrite(e.sizes(), op, bound, placementOf(e, self, 0), operands);
    if (!check.isKnown || !isPlaceKnown)
      return std::nullopt;
    if (!check.text.empty())
      return check.text;
    if (isOrdered)
      return std::nullopt;
    // A write to one of two elements at one place changes both, whatever the view shows.
    if (!repeats())
      return "";
    PTC_GET(isApart, isInjective(e, self.sizes, self.strides));
    return isApart && isStorageInjective ? std::optional<llvm::StringRef>("") : std::nullopt;
  }
};
} // namespace

Flow capture::checkWrite(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                         TensorCall &call, const Value &target) {
  std::optional<llvm::StringRef> first;
  for (const Value &one : alternativesOf(target)) {
    PTC_GET(isStorageInjective, ::isStorageInjective(e, asTensor(one)));
    Write write{e, op, bound, asTensor(one), isStorageInjective, {}};
    for (const auto &[i, arg] : llvm::enumerate(bound.drop_front())) {
      llvm::SmallVector<const aten::TensorMeta *, 4> read;
      if (const aten::TensorMeta *meta = arg.tensor())
        read.push_back(meta);
      else if (const auto *list = arg.getIf<aten::ArgValue::TensorList>())
        read.append(list->values.begin(), list->values.end());
      for (const aten::TensorMeta *meta : read)
        PTC_DO(meta ? write.look(call.valueOf(meta), unsigned(i) + 1) : Flow::Next);
    }
    std::optional<llvm::StringRef> text = write.check();
    if (!(text && text->empty()) && target.is(Kind::Choice)) {
      PTC_LET(known, e.decide(target));
      if (!(known == one))
        continue; // it is another one that is written
    }
    if (!text || (first && *first != *text))
      return e.refuse(
          std::move(makeDiagnostic(DiagId::UnsupportedOperation, e.here(), op.name,
                                   "it writes in place to memory that may overlap")
                        .hint("write a copy of what lies in the same memory: `.clone()`")));
    first = text;
  }
  return first && !first->empty() ? Flow(e.raise(WellKnown::RuntimeError, *first)) : Flow::Next;
}

bool capture::copiesItself(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                           const TensorCall &call, const Value &target) {
  if (op.id != aten::OpId::copy || !target.is(Kind::Tensor))
    return false;
  const Value &source = call.valueOf(bound[1].tensor());
  return source.is(Kind::Tensor) && asTensor(source).storage == asTensor(target).storage &&
         liesAlike(e, asTensor(source), asTensor(target));
}

std::optional<ValueId> capture::copiedWeight(Engine &e, const aten::OpInfo &op,
                                             llvm::ArrayRef<aten::ArgValue> bound,
                                             const TensorCall &call,
                                             const aten::MetaResult &written) {
  if (op.id != aten::OpId::copy || e.recording() || !bound[1].tensor())
    return std::nullopt;
  const ValueId source = call.idOf(bound[1].tensor());
  const bool isAll = written.results[0].tensors[0].meta == *bound[1].tensor();
  return isAll && e.loadedValues.contains(source) ? std::optional(source) : std::nullopt;
}

bool capture::failsByStorage(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                             const Value &target) {
  bool isOfRows = op.id == aten::OpId::index_copy || op.id == aten::OpId::index_fill_int_Scalar ||
                  op.id == aten::OpId::index_fill_int_Tensor;
  // An out= tensor of other sizes keeps its storage as it is resized.
  bool hasMemory = !target.is(Kind::Tensor) || !asTensor(target).steps.empty() ||
                   asTensor(target).sizes != bound[0].tensor()->sizes;
  return isOfRows && hasMemory &&
         llvm::any_of(bound[0].tensor()->sizes, [](sym::Expr s) { return s.isZero(); });
}

// out=
// -----------------------------------------------------------------------------------------------

using TensorMetas = llvm::SmallVector<const aten::TensorMeta *, 4>;

/// The tensors among arguments, those in lists as well.
static TensorMetas tensorsOf(llvm::ArrayRef<aten::ArgValue> bound) {
  TensorMetas tensors;
  for (const aten::ArgValue &arg : bound) {
    if (const aten::TensorMeta *meta = arg.tensor())
      tensors.push_back(meta);
    else if (const auto *list = arg.getIf<aten::ArgValue::TensorList>())
      llvm::copy_if(list->values, std::back_inserter(tensors), [](const auto *t) { return t; });
  }
  return tensors;
}

/// Is the result computed by TensorIterator, which looks where operands and result lie?
static bool isIterated(const aten::OpInfo &op) {
  return !op.payload.empty() && op.id != aten::OpId::threshold;
}

/// Does TensorIterator cast the result to the type of `out`? Others ask for their own type, or
/// compute in that of `out`.
static bool castsResult(const aten::OpInfo &op) {
  switch (op.id) {
  case aten::OpId::clamp:
  case aten::OpId::clamp_min:
  case aten::OpId::clamp_max:
  case aten::OpId::isneginf:
  case aten::OpId::isposinf:
  case aten::OpId::signbit:
    return false;
  default: // by rule
    break;
  }
  bool isOwnType = op.dtypeRule == aten::DTypeRule::SameAsSelf ||
                   op.dtypeRule == aten::DTypeRule::SameFloat ||
                   op.dtypeRule == aten::DTypeRule::RealOfSelf;
  return isIterated(op) && !isOwnType && op.baseName() != "where";
}

namespace {
/// One result, and the tensor that it is written to.
struct OutCheck {
  Engine &e;
  const aten::OpInfo &op;
  const TensorNode &out;
  bool isIterated;

  Flow refuse(llvm::StringRef why) const {
    return e.refuse(DiagId::UnsupportedOperation, op.name, why);
  }

  Flow checkType(ptc::DType result) const {
    if (result == out.dtype)
      return Flow::Next;
    if (!castsResult(op))
      return refuse("its out= tensor has another element type");
    if (aten::canCast(result, out.dtype))
      return Flow::Next;
    return e.raise(WellKnown::RuntimeError, "result type " + aten::scalarTypeName(result) +
                                                " can't be cast to the desired output type " +
                                                aten::scalarTypeName(out.dtype));
  }

  bool liesOver(const TensorNode &read) const {
    bool meets =
        isIterated ? mayOverlap(e, read, out, mayRepeat(out)) : read.storage == out.storage;
    return meets && !liesApart(read, out);
  }

  Flow checkMemory(llvm::ArrayRef<Value> operands) const {
    for (const Value &operand : operands)
      for (const Value &one : alternativesOf(operand))
        if (liesOver(asTensor(one)))
          return refuse("its out= tensor lies over an operand");
    PTC_GET(isApart, isStorageInjective(e, out));
    if (!isIterated && (mayRepeat(out) || !isApart))
      return refuse("elements of its out= tensor share memory");
    return Flow::Next;
  }
};
} // namespace

Flow capture::checkOut(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                       const TensorCall &call, const aten::MetaResult &meta, const Value &target) {
  if (!meta.isOk() && failsByStorage(op, bound, target))
    return e.refuse(DiagId::UnsupportedOperation, op.name,
                    "its out= tensor may have memory for rows of a dimension of size 0");
  if (!meta.isOk()) {
    bool isKernel = meta.status == aten::MetaResult::Status::Raise &&
                    meta.errorKind == aten::PyErrorKind::NotImplementedError;
    return isKernel ? Flow(e.refuse(DiagId::UnsupportedOperation, op.name,
                                    "its kernel does not take the type, which out= may be found "
                                    "wrong before"))
                    : Flow::Next;
  }
  llvm::SmallVector<const aten::TensorMeta *, 4> results;
  for (const aten::ResultValue &result : meta.results)
    for (const aten::TensorResult &tensor : result.tensors)
      results.push_back(&tensor.meta);
  std::vector<Value> targets = {target};
  if (results.size() != 1) {
    PTC_GET(items, e.sequenceItems(target));
    targets.assign(items.begin(), items.end());
  }
  if (targets.size() != results.size())
    return Flow::Next; // writeOut raises
  std::vector<Value> operands;
  for (const aten::TensorMeta *operand : tensorsOf(bound))
    operands.push_back(call.valueOf(operand));
  auto isDerived = [&](const Value &v) {
    return llvm::any_of(alternativesOf(v), [&](const Value &one) {
      return one.is(Kind::Tensor) && capture::requiresGrad(e, asTensor(one));
    });
  };
  if (e.isGradEnabled() && llvm::any_of(operands, isDerived))
    return e.refuse(
        DiagId::UnsupportedOperation, op.name,
        "out= of operands that require grad, which eager takes in torch.no_grad() alone");
  for (const auto &[result, given] : llvm::zip_equal(results, targets)) {
    PTC_LET(out, e.decide(given));
    if (!out.is(Kind::Tensor))
      continue; // writeOut raises
    OutCheck check{e, op, asTensor(out), isIterated(op)};
    PTC_DO(check.checkType(result->dtype));
    PTC_DO(check.checkMemory(operands));
  }
  return Flow::Next;
}

/// out= of a function that lib/Prelude composes of operations: written are tensors of the result's
/// type that nothing else has to do with.
static Flow checkComposedOut(Engine &e, llvm::StringRef name, const Value &result,
                             const Value &given, llvm::ArrayRef<Value> operands) {
  PTC_LET(value, e.decide(result));
  PTC_LET(target, e.decide(given));
  if (!target.is(Kind::Tensor) || !value.is(Kind::Tensor))
    return Flow::Next; // writeOut raises
  const TensorNode &out = asTensor(target);
  auto refuse = [&](llvm::StringRef why) {
    return e.refuse(DiagId::UnsupportedOperation, "torch." + name, why);
  };
  if (out.dtype != asTensor(value).dtype)
    return refuse("its out= tensor has another element type");
  PTC_GET(isApart, isStorageInjective(e, out));
  if (mayRepeat(out) || !isApart)
    return refuse("elements of its out= tensor share memory");
  for (const Value &operand : operands)
    for (const Value &one : alternativesOf(operand)) {
      if (!one.is(Kind::Tensor))
        continue;
      if (asTensor(one).storage == out.storage)
        return refuse("its out= tensor lies over an operand");
      if (e.isGradEnabled() && capture::requiresGrad(e, asTensor(one)))
        return refuse(
            "out= of operands that require grad, which eager takes in torch.no_grad() alone");
    }
  if (e.isGradEnabled() && capture::requiresGrad(e, out))
    return refuse("its out= tensor requires grad, which eager takes in torch.no_grad() alone");
  return Flow::Next;
}

Value builtins::torchWriteOut(Engine &e, CallArgs &args) {
  const std::string name = arg(args, 0).asStr().str();
  PTC_LET(result, e.decide(arg(args, 1)));
  PTC_LET(out, e.decide(arg(args, 2)));
  PTC_GET(operands, e.sequenceItems(arg(args, 3)));
  std::vector<Value> results{result}, targets{out};
  if (result.is(Kind::Tuple)) {
    PTC_GET(items, e.sequenceItems(out));
    results = result.parts().vec();
    targets.assign(items.begin(), items.end());
  }
  for (const auto &[value, target] : llvm::zip(results, targets)) // writeOut compares how many
    PTC_DO(checkComposedOut(e, name, value, target, operands));
  return e.writeOut("torch." + name, result, out);
}

// Gradients
// -----------------------------------------------------------------------------------------------

bool capture::requiresGrad(Engine &e, const TensorNode &t) {
  const Value &said = e.heap.get(t.storage, slot::kGradient);
  // Data that a parameter was made of shares its storage, and asks for none.
  bool isData = !t.isParameter && !t.requiresGrad && !e.heap.get(t.storage, slot::kLeaf).isAbsent();
  if (!t.steps.empty() || isData || !said.is(Kind::Bool))
    return t.requiresGrad;
  return said.asBool();
}

bool capture::isLeaf(Engine &e, const TensorNode &t) {
  return t.steps.empty() && (t.isParameter || !e.heap.get(t.storage, slot::kLeaf).isAbsent() ||
                             !e.heap.get(t.storage, slot::kGradient).isAbsent());
}

Value capture::setRequiresGrad(Engine &e, const Value &tensor, const Value &wanted) {
  PTC_GET(isWanted, e.truth(wanted));
  PTC_LET(v, e.decide(tensor));
  const TensorNode &t = asTensor(v);
  if (requiresGrad(e, t) == isWanted)
    return v;
  if (isWanted && !isFloat(t.dtype) && !isComplex(t.dtype))
    return e.raise(WellKnown::RuntimeError,
                   "only Tensors of floating point dtype can require gradients");
  if (!t.steps.empty() || (!isWanted && !isLeaf(e, t)))
    return e.refuse(DiagId::UnsupportedTorchFunction,
                    "torch.Tensor.requires_grad_ of a view or of a result");
  e.writesTensors |= e.isRecording;
  e.heap.set(t.storage, slot::kGradient, Value::boolean(isWanted));
  return v;
}

Flow capture::checkLeaf(Engine &e, const Value &target) {
  if (!e.isGradEnabled())
    return Flow::Next;
  for (const Value &one : alternativesOf(target)) {
    const TensorNode &t = asTensor(one);
    if (e.shapes && e.shapes->findTensor(t.storage) && requiresGrad(e, t))
      return e.refuse(DiagId::UnsupportedTorchFunction,
                      "writing in place to an argument that requires gradients");
    bool isMarked = !e.heap.get(t.storage, slot::kLeaf).isAbsent() ||
                    !e.heap.get(t.storage, slot::kGradient).isAbsent();
    if (isMarked && requiresGrad(e, t))
      return e.raise(
          WellKnown::RuntimeError,
          llvm::Twine(t.steps.empty() ? "a leaf Variable" : "a view of a leaf Variable") +
              " that requires grad is being used in an in-place operation.");
  }
  return Flow::Next;
}
