//===- Tensors.cpp - Calls of torch operations ------------------------------------------===//
//
// In: an overload and arguments. Out: operations on the tape under ATen overload names, new
// storages, views, or writes; eager's exception where eager raises.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"

#include "CaptureMeta.h"
#include "ElementBounds.h"
#include "Failures.h"
#include "Modes.h"
#include "NamedResults.h"
#include "NumpyObjects.h"
#include "Objects.h"
#include "TensorWrites.h"

#include "ptc/Dialect/Aten/IR/Overlap.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

// Devices and metas
// ---------------------------------------------------------------------------------

aten::TensorMeta capture::metaOf(const TensorNode &t) {
  aten::TensorMeta meta;
  meta.dtype = t.dtype;
  meta.sizes = t.sizes;
  meta.strides = t.strides;
  meta.device = unpackDevice(t.device);
  meta.requiresGrad = t.requiresGrad;
  return meta;
}

std::optional<size_t> capture::wrapDimension(Engine &e, int64_t d, size_t rank) {
  int64_t n = int64_t(rank), low = std::min<int64_t>(-n, -1), high = std::max<int64_t>(n - 1, 0);
  if (d < low || d > high || n == 0) {
    e.raise(WellKnown::IndexError, "Dimension out of range (expected to be in range of [" +
                                       llvm::Twine(low) + ", " + llvm::Twine(high) + "], but got " +
                                       llvm::Twine(d) + ")");
    return std::nullopt;
  }
  return size_t(d < 0 ? d + n : d);
}

TapeValue capture::tapeTypeOf(const aten::TensorMeta &meta) {
  TapeValue type;
  type.type = TapeType::Tensor;
  type.dtype = meta.dtype;
  type.requiresGrad = meta.requiresGrad;
  type.device = payloadOf(meta.device);
  type.sizes = meta.sizes;
  type.strides = meta.strides;
  return type;
}

static llvm::SmallVector<DType, 2> dtypesOf(const aten::MetaResult &meta) {
  llvm::SmallVector<DType, 2> dtypes;
  for (const aten::ResultValue &result : meta.results)
    for (const aten::TensorResult &tensor : result.tensors)
      dtypes.push_back(tensor.meta.dtype);
  return dtypes;
}

/// Recorded operations know no default dtype but float32: a type that follows another one is
/// written into the call, `bound`, which may point to `changed` then.
static Flow writeDefaultDType(Engine &e, const aten::OpInfo &op, const aten::MetaResult &meta,
                              llvm::ArrayRef<aten::ArgValue> &bound,
                              std::vector<aten::ArgValue> &changed) {
  if (e.defaultDType() == DType::Float32)
    return Flow::Next;
  CaptureMeta usual(e, DType::Float32);
  aten::MetaResult without = aten::infer(op, bound, usual);
  if (without.isOk() && dtypesOf(without) == dtypesOf(meta))
    return Flow::Next;
  std::optional<unsigned> at = op.findArg("dtype");
  if (!at || !bound[*at].isNone())
    return e.refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name,
                    "its result has the default dtype, which is not float32");
  std::vector<aten::ArgValue> named(bound.begin(), bound.end());
  named[*at] = aten::ArgValue(dtypesOf(meta).front());
  changed = std::move(named);
  bound = changed;
  return Flow::Next;
}

// Reading and writing
// --------------------------------------------------------------------------------

bool Engine::isTensorLike(const Value &v) const {
  Value now = known(v);
  if (now.is(Kind::Tensor))
    return true;
  return now.is(Kind::Choice) &&
         llvm::all_of(asChoice(now).alternatives, [&](const Value &a) { return isTensorLike(a); });
}

static bool sameMeta(const TensorNode &a, const TensorNode &b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.device == b.device && a.requiresGrad == b.requiresGrad;
}

/// The tensor with the sizes that the path has decided.
static Value settled(Engine &e, const Value &v) {
  const TensorNode &t = asTensor(v);
  auto sizes = t.sizes, strides = t.strides;
  bool changed = e.settleSizes(sizes);
  changed |= e.settleSizes(strides);
  if (!changed)
    return v;
  auto *node = new TensorNode(t);
  node->refs = 0;
  node->sizes = std::move(sizes);
  node->strides = std::move(strides);
  return Value::node(Kind::Tensor, node).withSource(v.source());
}

/// A tensor, or a choice of tensors that read alike; any other choice is decided.
Value Engine::readable(const Value &v) {
  Value now = known(v);
  if (now.is(Kind::Tensor))
    return settled(*this, now);
  if (!now.is(Kind::Choice))
    return now;
  const auto &alternatives = asChoice(now).alternatives;
  bool alike = llvm::all_of(alternatives, [&](const Value &a) {
    return a.is(Kind::Tensor) && alternatives[0].is(Kind::Tensor) &&
           sameMeta(asTensor(a), asTensor(alternatives[0]));
  });
  return alike ? now : decide(now);
}

TapeArg Engine::stepArgIn(TapeBlock &into, const Value &v) {
  switch (v.kind()) {
  case Kind::None:
    return TapeArg::none();
  case Kind::Str:
    return TapeArg::str(v.asStr());
  case Kind::DType:
    return TapeArg::dtype(v.asDType());
  case Kind::MemoryFormat:
    return {TapeArg::Kind::MemoryFormat, v.bits(), 0, {}, {}};
  case Kind::Tuple: {
    std::vector<TapeArg> items;
    for (const Value &part : v.parts())
      items.push_back(stepArgIn(into, part));
    return TapeArg::list(std::move(items));
  }
  default:
    return operandIn(into, v);
  }
}

ValueId Engine::contentsOf(ObjectId storage) {
  ValueId id = heap.get(storage, slot::kContent).asRaw();
  TapeValue type = tape.type(id);
  bool changed = settleSizes(type.sizes);
  changed |= settleSizes(type.strides);
  return changed ? emit(TapeOp::Retype, {TapeArg::value(id)}, type) : id;
}

static bool isKnownStepArg(const Value &v) {
  if (isComposite(v.kind()))
    return llvm::all_of(v.parts(), isKnownStepArg);
  return !v.is(Kind::Size) && !v.is(Kind::Scalar);
}

std::optional<int64_t> Engine::offsetInContents(const TensorNode &t) {
  const TapeValue &contents = tape.type(heap.get(t.storage, slot::kContent).asRaw());
  bool isAbsolute = llvm::any_of(
      t.steps, [](const ViewStep &step) { return aten::OpId(step.op) == aten::OpId::as_strided; });
  auto isConstant = [](sym::Expr size) { return size.isConstant(); };
  bool isKnown = llvm::all_of(contents.sizes, isConstant) && llvm::all_of(t.sizes, isConstant) &&
                 llvm::all_of(t.steps, [](const ViewStep &step) {
                   return llvm::all_of(step.args, isKnownStepArg);
                 });
  if (!t.isOffsetKnown || isAbsolute || isKnown)
    return std::nullopt;
  sym::Expr offset = t.offset.isSupported() ? t.offset : sizes().constant(0);
  if (t.dtype != contents.dtype && !offset.isZero())
    return std::nullopt; // in elements of which type?
  return isInputSize(offset) ? std::optional(sizeExprIndex(offset)) : std::nullopt;
}

ValueId Engine::readTensor(const Value &v) {
  if (v.is(Kind::Choice)) {
    // Which storage a choice means needs no fork to be read.
    std::vector<TapeArg> args{TapeArg::value(asChoice(v).selector)};
    for (const Value &alternative : asChoice(v).alternatives)
      args.push_back(TapeArg::value(readTensor(alternative)));
    TapeValue type = tapeTypeOf(metaOf(asTensor(asChoice(v).alternatives[0])));
    for (const Value &alternative : asChoice(v).alternatives)
      if (asTensor(alternative).strides != type.strides)
        type.strides = contiguousStrides(type.sizes);
    return emit(TapeOp::Pick, std::move(args), type);
  }
  const TensorNode &t = asTensor(v);
  ValueId id = contentsOf(t.storage);
  if (t.steps.empty())
    return id;
  std::vector<TapeArg> attrs;
  if (std::optional<int64_t> offset = offsetInContents(t))
    attrs.push_back(TapeArg::integer(*offset));
  const ValueId view = emit(TapeOp::AtenView, {TapeArg::value(id), stepsIn(*block, t)},
                            tapeTypeOf(metaOf(t)), std::move(attrs));
  noteElementsOfView(*this, id, view);
  return view;
}

/// Only the last view's meta is known here; those in between are the evaluator's business.
TapeArg Engine::stepsIn(TapeBlock &into, const TensorNode &view) {
  std::vector<TapeArg> steps;
  for (const ViewStep &step : view.steps) {
    std::vector<TapeArg> row{TapeArg::integer(step.op)};
    for (const Value &arg : step.args)
      row.push_back(stepArgIn(into, arg));
    steps.push_back(TapeArg::list(std::move(row)));
  }
  return TapeArg::list(std::move(steps));
}

Value Engine::newTensor(ValueId id) {
  const TapeValue &type = tape.type(id);
  auto *node = new TensorNode;
  node->dtype = type.dtype;
  node->sizes = type.sizes;
  node->strides = type.strides;
  node->device = type.device;
  node->requiresGrad = type.requiresGrad;
  node->storage = heap.allocate(ObjectKind::Storage);
  heap.set(node->storage, slot::kContent, Value::raw(id));
  heap.set(node->storage, slot::kFrozen, Value::boolean(false));
  return Value::node(Kind::Tensor, node).withSource(sourceHere());
}

/// Kernels take it that truth values lie in memory as 0 and 1: what was not made as such is never
/// seen as such, nor are they written as anything else.
static bool holdsTruthValues(Engine &e, const TensorNode &t) {
  return e.tape.type(e.heap.get(t.storage, slot::kContent).asRaw()).dtype == DType::Bool;
}

Flow Engine::writeTensor(const Value &target, ValueId contents) {
  writesTensors |= isRecording;
  PTC_LET(v, decide(target));
  const TensorNode &t = asTensor(v);
  if (heap.get(t.storage, slot::kFrozen).bits() == kShownByConj)
    return refuse(DiagId::Unsupported, "writing to a tensor behind its conj(), or to what that "
                                       "gave; conj_physical() shares no memory");
  if (isFrozen(t.storage)) {
    shows.listedViews = true;
    return refuse(DiagId::FrozenTensorWritten);
  }
  PTC_DO(checkKeptCasts(*this, t.storage));
  // A storage keeps its layout: results that are laid out anew are written over what it holds.
  const ValueId base = contentsOf(t.storage);
  if (t.dtype != DType::Bool && holdsTruthValues(*this, t))
    return refuse(DiagId::UnsupportedOperation, "aten.view.dtype",
                  "other bytes than 0 and 1 may be written to truth values");
  if (!t.steps.empty() || tape.type(contents).strides != tape.type(base).strides) {
    std::vector<TapeArg> attrs;
    if (std::optional<int64_t> offset = offsetInContents(t);
        offset && llvm::all_of(t.strides, [&](sym::Expr stride) { return isInputSize(stride); })) {
      attrs.push_back(TapeArg::integer(*offset));
      for (sym::Expr stride : t.strides)
        attrs.push_back(TapeArg::integer(sizeExprIndex(stride)));
    }
    contents =
        emit(TapeOp::Scatter, {TapeArg::value(base), TapeArg::value(contents), stepsIn(*block, t)},
             tape.type(base), std::move(attrs));
  }
  heap.set(t.storage, slot::kContent, Value::raw(contents));
  writtenInPlace(*this).push_back(Value::tuple({v, Value::raw(base), Value::raw(contents)}));
  return Flow::Next;
}

// Arguments
// ------------------------------------------------------------------------------------------

const aten::TensorMeta *TensorCall::add(const Value &tensor, ValueId id, aten::TensorMeta meta) {
  tensors.push_back(std::make_unique<Tensor>(Tensor{tensor, id, std::move(meta)}));
  return &tensors.back()->meta;
}

const Value &TensorCall::valueOf(const aten::TensorMeta *meta) const {
  for (const auto &tensor : tensors)
    if (&tensor->meta == meta)
      return tensor->value;
  llvm_unreachable("a tensor of this call");
}

std::vector<Value> TensorCall::operands() const {
  std::vector<Value> values;
  values.reserve(tensors.size());
  for (const auto &tensor : tensors)
    values.push_back(tensor->value);
  return values;
}

Value TensorCall::numberOf(const aten::ArgValue &number) const {
  if (const auto *i = number.getIf<aten::ArgValue::Int>())
    return Value::size(i->value);
  assert(number.is<aten::ArgValue::Float>() && number.tag && "a float of the run");
  return Value::scalar(scalars[number.tag - 1], ScalarType::Float);
}

ValueId TensorCall::idOf(const aten::TensorMeta *meta) const {
  for (const auto &tensor : tensors)
    if (&tensor->meta == meta)
      return tensor->id;
  llvm_unreachable("a tensor of this call");
}

std::optional<aten::ArgValue> TensorCall::convert(const Value &given) {
  using A = aten::ArgValue;
  Value v = e.isTensorLike(given) ? e.readable(given) : e.unboxed(e.decide(given));
  if (v.isFail())
    return std::nullopt;
  if (e.isTensorLike(v)) {
    const TensorNode &t = anyTensor(v);
    ValueId id = e.readTensor(v);
    aten::TensorMeta meta = metaOf(t);
    meta.requiresGrad = requiresGrad(e, t);
    meta.strides = e.tape.type(id).strides;
    return A(add(v, id, std::move(meta)));
  }
  switch (v.kind()) {
  case Kind::None:
    return A();
  case Kind::Bool:
    return A(A::Bool{v.asBool()});
  case Kind::Int:
    return A(A::Int{e.sizes().constant(v.asInt())});
  case Kind::Size:
    return A(A::Int{e.settledSize(v.asSize())});
  case Kind::Float:
    return A(A::Float{v.asFloat()});
  case Kind::Complex:
    return A(A::Complex{v.asComplex()});
  case Kind::Scalar: {
    if (v.scalarType() == ScalarType::Int)
      return A(A::Int{e.sizeOfScalar(v.scalarId())});
    A arg = v.scalarType() == ScalarType::Float ? A(A::Float{}) : A(A::Bool{});
    scalars.push_back(v.scalarId());
    arg.tag = uint32_t(scalars.size());
    return arg;
  }
  case Kind::Str:
    return A(A::Str{v.asStr().str()});
  case Kind::DType:
    return A(v.asDType());
  case Kind::Device:
    return A(unpackDevice(v.bits()));
  case Kind::Layout:
    return A(aten::Layout::Strided);
  case Kind::MemoryFormat:
    return A(aten::MemoryFormat(v.bits()));
  case Kind::Tuple:
    return convertList(v.parts());
  case Kind::Ref:
    return convertObject(v);
  default:
    e.raise(WellKnown::TypeError,
            llvm::Twine("invalid argument of type '") + e.classInfo(e.typeOf(v)).name + "'");
    return std::nullopt;
  }
}

std::optional<aten::ArgValue> TensorCall::convertObject(const Value &v) {
  switch (e.heap.kind(v.asRef())) {
  case ObjectKind::List: {
    PTC_LET(items, e.decide(e.heap.get(v.asRef(), slot::kContent)));
    if (items.is(Kind::Tuple))
      return convertList(items.parts());
    e.refuse(DiagId::RunTimeListArgument);
    return std::nullopt;
  }
  case ObjectKind::Generator:
    generator = e.known(e.heap.get(v.asRef(), slot::kHandle));
    if (!generator.isSmallInt()) {
      e.refuse(DiagId::UnsupportedTorchFunction, "a torch.Generator that depends on data");
      return std::nullopt;
    }
    return aten::ArgValue(aten::ArgValue::Generator{});
  case ObjectKind::Instance:
    if (Value number = numberOfNumpy(e, v); isNumber(number))
      return convert(number);
    // Methods of its class may make a number or an operation of it.
    e.refuse(DiagId::UnsupportedTorchFunction,
             "an object of class '" + typeName(e, v) + "' as an argument of torch");
    return std::nullopt;
  default: {
    PTC_LET(dtype, dtypeValue(e, v));
    if (dtype.is(Kind::DType))
      return aten::ArgValue(dtype.asDType());
    e.raise(WellKnown::TypeError,
            llvm::Twine("invalid argument of type '") + e.classInfo(e.typeOf(v)).name + "'");
    return std::nullopt;
  }
  }
}

std::optional<aten::ArgValue> TensorCall::convertList(llvm::ArrayRef<Value> items) {
  using A = aten::ArgValue;
  std::vector<A> parts;
  for (const Value &item : items) {
    PTC_GET(part, convert(item));
    parts.push_back(std::move(part));
  }
  auto all = [&](auto pred) { return llvm::all_of(parts, pred); };
  if (all([](const A &a) { return a.is<A::Int>(); })) {
    A::IntList list;
    for (const A &a : parts)
      list.values.push_back(a.getIf<A::Int>()->value);
    return A(std::move(list));
  }
  if (all([](const A &a) { return a.tensor() || a.isNone(); })) {
    A::TensorList list;
    for (const A &a : parts)
      list.values.push_back(a.tensor());
    return A(std::move(list));
  }
  if (all([](const A &a) { return a.is<A::Bool>() && a.getIf<A::Bool>()->value; })) {
    A::BoolList list;
    for (const A &a : parts)
      list.values.push_back(a.getIf<A::Bool>()->value.value_or(false));
    return A(std::move(list));
  }
  A::FloatList list;
  list.values.reserve(parts.size());
  for (const A &a : parts) {
    std::optional<double> value;
    if (const auto *f = a.getIf<A::Float>())
      value = f->value;
    else if (const auto *i = a.getIf<A::Int>())
      value = i->value.asConstant();
    if (!value) {
      e.refuse(DiagId::MixedListArgument);
      return std::nullopt;
    }
    list.values.push_back(*value);
  }
  return A(std::move(list));
}

namespace {
/// One row per alternative of ArgValue's sum.
struct OperandOf {
  Engine &e;
  const TensorCall &call;
  uint32_t tag;
  llvm::ArrayRef<ValueId> scalars;
  using A = aten::ArgValue;

  TapeArg operator()(const A::None &) const { return TapeArg::none(); }
  TapeArg operator()(const A::Bool &b) const {
    return b.value ? TapeArg::boolean(*b.value) : TapeArg::value(scalars[tag - 1]);
  }
  TapeArg operator()(const A::Int &i) const { return e.sizeOperand(*e.block, i.value); }
  TapeArg operator()(const A::Float &f) const {
    return f.value ? TapeArg::real(*f.value) : TapeArg::value(scalars[tag - 1]);
  }
  TapeArg operator()(const A::Complex &c) const {
    std::complex<double> value = c.value.value_or(0.0);
    TapeArg arg = TapeArg::real(value.real());
    arg.kind = TapeArg::Kind::Complex;
    arg.imaginary = value.imag();
    return arg;
  }
  TapeArg operator()(const A::Str &s) const { return TapeArg::str(s.value); }
  TapeArg operator()(DType t) const { return TapeArg::dtype(t); }
  TapeArg operator()(aten::Device d) const {
    return {TapeArg::Kind::Device, payloadOf(d), 0, {}, {}};
  }
  TapeArg operator()(aten::Layout l) const {
    return {TapeArg::Kind::Layout, uint64_t(l), 0, {}, {}};
  }
  TapeArg operator()(aten::MemoryFormat f) const {
    return {TapeArg::Kind::MemoryFormat, uint64_t(f), 0, {}, {}};
  }
  TapeArg operator()(const A::Generator &) const { return TapeArg::none(); }
  TapeArg operator()(const A::IntList &list) const {
    std::vector<TapeArg> items;
    for (sym::Expr size : list.values)
      items.push_back(e.sizeOperand(*e.block, size));
    return TapeArg::list(std::move(items));
  }
  TapeArg operator()(const A::FloatList &list) const {
    std::vector<TapeArg> items;
    for (double d : list.values)
      items.push_back(TapeArg::real(d));
    return TapeArg::list(std::move(items));
  }
  TapeArg operator()(const A::BoolList &list) const {
    std::vector<TapeArg> items;
    for (bool b : list.values)
      items.push_back(TapeArg::boolean(b));
    return TapeArg::list(std::move(items));
  }
  TapeArg operator()(const aten::TensorMeta *meta) const { return TapeArg::value(call.idOf(meta)); }
  TapeArg operator()(const A::TensorList &list) const {
    std::vector<TapeArg> items;
    for (const aten::TensorMeta *meta : list.values)
      items.push_back(meta ? TapeArg::value(call.idOf(meta)) : TapeArg::none());
    return TapeArg::list(std::move(items));
  }
};
} // namespace

TapeArg TensorCall::operandOf(const aten::ArgValue &arg) {
  return std::visit(OperandOf{e, *this, arg.tag, scalars}, arg.sum);
}

// Calls
// ----------------------------------------------------------------------------------------------

Value Engine::callFunctional(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                             TensorCall &call) {
  if (updatesArguments(op, bound))
    return callUpdating(op, bound, call);
  if (!call.out)
    if (Value filled = fillUnderMask(*this, op, bound, call, false); !filled.isAbsent())
      return filled;
  std::vector<aten::ArgValue> expanded;
  PTC_DO(expandMasks(*this, op, bound, call, expanded));
  PTC_DO(checkStart(*this, op, bound, call));
  CaptureMeta context(*this);
  const std::vector<Value> operands = call.operands();
  noteShownBy(*this, op, bound, operands);
  auto [meta, maybeView, isLoose] =
      aten::inferByDifference(op, bound, context, {keeps.idleStrides, keeps.sharing || call.out});
  if (call.out)
    PTC_DO(checkOut(*this, op, bound, call, meta, *call.out));
  if (!meta.isOk())
    return metaFailed(meta, op);
  PTC_DO(writeDefaultDType(*this, op, meta, bound, expanded));
  llvm::SmallVector<aten::TensorResult, 4> fresh;
  for (const aten::ResultValue &result : meta.results)
    for (const aten::TensorResult &tensor : result.tensors)
      if (tensor.aliasing.kind == aten::Aliasing::Kind::Fresh)
        fresh.push_back(tensor);
  std::vector<ValueId> recorded;
  bool host = meta.results[0].kind != aten::ResultValue::Kind::Tensor &&
              meta.results[0].kind != aten::ResultValue::Kind::TensorList;
  PTC_DO(checkNumbers(*this, op, bound, meta, call));
  PTC_DO(checkElements(*this, op, bound, call));
  PTC_DO(checkExtent(*this, op, bound, call));
  if (!fresh.empty() || host)
    recorded = recordAten(op, bound, call, meta);
  PTC_DO(foldSizes(recorded));
  PTC_LET(packed, packResults(op, bound, call, meta, recorded));
  noteLooseStrides(*this, op, operands, packed, isLoose);
  if (maybeView)
    noteMaybeViews(packed, call.valueOf(bound.front().tensor()));
  return packed;
}

std::vector<ValueId> Engine::recordAten(const aten::OpInfo &op,
                                        llvm::ArrayRef<aten::ArgValue> bound, TensorCall &call,
                                        const aten::MetaResult &meta) {
  std::vector<TapeArg> args, attrs;
  for (const aten::ArgValue &arg : bound)
    args.push_back(call.operandOf(arg));
  std::vector<TapeValue> types;
  for (const aten::ResultValue &result : meta.results) {
    TapeValue scalar;
    switch (result.kind) {
    case aten::ResultValue::Kind::Tensor:
    case aten::ResultValue::Kind::TensorList:
      for (const aten::TensorResult &tensor : result.tensors)
        types.push_back(tapeTypeOf(tensor.meta));
      continue;
    case aten::ResultValue::Kind::Bool:
      scalar.type = TapeType::Bool;
      break;
    case aten::ResultValue::Kind::Int:
      scalar.type = TapeType::Int;
      break;
    case aten::ResultValue::Kind::Float:
    case aten::ResultValue::Kind::Complex:
      scalar.type = TapeType::Float;
      break;
    }
    types.push_back(scalar);
  }
  TapeOp kind = TapeOp::Aten;
  if (op.has(aten::OpFlag::Random)) {
    kind = TapeOp::AtenRandom;
    attrs.push_back(call.generator.isAbsent() ? TapeArg::integer(0) : operand(call.generator));
  }
  std::vector<ValueId> ids =
      emitMany(kind, std::move(args), types, std::move(attrs), uint16_t(op.id));
  bindFreshSizes(ids);
  noteElements(*this, op, bound, call, ids);
  return ids;
}

Value Engine::packResults(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                          TensorCall &call, const aten::MetaResult &meta,
                          llvm::ArrayRef<ValueId> ids) {
  std::vector<Value> results;
  size_t next = 0;
  auto number = [&](ScalarType type) {
    ValueId id = ids[next++];
    Value folded = foldedNumber(id, type);
    return folded.isAbsent() ? Value::scalar(id, type) : folded;
  };
  for (const aten::ResultValue &result : meta.results) {
    std::vector<Value> tensors;
    switch (result.kind) {
    case aten::ResultValue::Kind::Bool:
      results.push_back(number(ScalarType::Bool));
      continue;
    case aten::ResultValue::Kind::Int:
      results.push_back(number(ScalarType::Int));
      continue;
    case aten::ResultValue::Kind::Float:
      results.push_back(number(ScalarType::Float));
      continue;
    case aten::ResultValue::Kind::Complex:
      return refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name,
                    "a complex number read from a tensor");
    case aten::ResultValue::Kind::Tensor:
    case aten::ResultValue::Kind::TensorList:
      break;
    }
    for (size_t i = 0; i < result.tensors.size(); ++i) {
      const aten::TensorResult &tensor = result.tensors[i];
      const aten::TensorMeta *self =
          tensor.aliasing.arg < bound.size() ? bound[tensor.aliasing.arg].tensor() : nullptr;
      switch (tensor.aliasing.kind) {
      case aten::Aliasing::Kind::Fresh:
        tensors.push_back(newTensor(ids[next++]));
        if (op.id == aten::OpId::empty_strided)
          noteStrided(*this);
        break;
      case aten::Aliasing::Kind::Same:
        tensors.push_back(call.valueOf(self));
        break;
      case aten::Aliasing::Kind::View: {
        bool many = result.kind == aten::ResultValue::Kind::TensorList;
        tensors.push_back(viewOf(op, bound, call, call.valueOf(self), tensor,
                                 many ? std::optional<size_t>(i) : std::nullopt, result));
        break;
      }
      }
    }
    if (result.kind == aten::ResultValue::Kind::TensorList)
      results.push_back(Value::tuple(std::move(tensors)));
    else
      results.push_back(std::move(tensors[0]));
  }
  if (results.size() == 1)
    return results[0];
  return Value::composite(Kind::Tuple, std::move(results)).withSub(namedResultTag(op));
}

/// The arguments of a bound view operation behind its first, as a step keeps them.
static std::optional<Value> stepValue(Engine &e, const aten::ArgValue &arg) {
  using A = aten::ArgValue;
  if (arg.isNone())
    return Value::none();
  if (const auto *i = arg.getIf<A::Int>())
    return Value::size(i->value);
  if (const auto *b = arg.getIf<A::Bool>(); b && b->value)
    return Value::boolean(*b->value);
  if (const auto *f = arg.getIf<A::Float>(); f && f->value)
    return Value::real(*f->value);
  if (const auto *s = arg.getIf<A::Str>())
    return Value::str(s->value);
  if (const auto *t = arg.getIf<DType>())
    return Value::dtype(*t);
  if (const auto *m = arg.getIf<aten::MemoryFormat>())
    return Value::constant(Kind::MemoryFormat, uint64_t(*m));
  if (const auto *d = arg.getIf<aten::Device>())
    return Value::constant(Kind::Device, payloadOf(*d));
  if (const auto *list = arg.getIf<A::IntList>()) {
    std::vector<Value> parts;
    for (sym::Expr size : list->values)
      parts.push_back(Value::size(size));
    return Value::tuple(std::move(parts));
  }
  return std::nullopt;
}

/// A view's offset in elements of this type, which checkStart() has seen to be whole.
static sym::Expr offsetInElements(Engine &e, const TensorNode &t, DType dtype) {
  const int64_t from = getDTypeInfo(t.dtype).bytes, to = getDTypeInfo(dtype).bytes;
  if (from == to || !t.offset.isSupported())
    return t.offset;
  return e.sizes().floordiv(e.sizes().mul(t.offset, e.sizes().constant(from)),
                            e.sizes().constant(to));
}

Value Engine::viewOf(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound, TensorCall &call,
                     const Value &base, const aten::TensorResult &result,
                     std::optional<size_t> element, const aten::ResultValue &all) {
  if (base.is(Kind::Choice)) {
    // A view of a choice is a choice of views.
    auto *choice = new ChoiceNode;
    choice->selector = asChoice(base).selector;
    for (const Value &alternative : asChoice(base).alternatives)
      choice->alternatives.push_back(viewOf(op, bound, call, alternative, result, element, all));
    return Value::node(Kind::Choice, choice).withSource(sourceHere());
  }
  PTC_DO(checkImported(result.meta.sizes));
  PTC_DO(checkImported(result.aliasing.offset));
  const TensorNode &t = asTensor(base);
  if (result.meta.dtype == DType::Bool && t.dtype != DType::Bool && !holdsTruthValues(*this, t))
    return refuse(DiagId::UnsupportedOperation, "aten.view.dtype",
                  "bytes seen as truth values may be others than 0 and 1; compare them with 0");
  auto *node = new TensorNode;
  node->storage = t.storage;
  node->made = tape.makeValue({});
  node->steps = t.steps;
  node->dtype = result.meta.dtype;
  node->sizes = result.meta.sizes;
  node->strides = result.meta.strides;
  node->device = payloadOf(result.meta.device);
  node->requiresGrad = result.meta.requiresGrad;
  const aten::Aliasing &aliasing = result.aliasing;
  const sym::Expr before = offsetInElements(*this, t, node->dtype);
  node->offset = aliasing.isOffsetAbsolute || !before.isSupported() ? aliasing.offset
                 : !aliasing.offset.isSupported() ? before
                                                  : sizes().add(before, aliasing.offset);
  node->isOffsetKnown = aliasing.isOffsetAbsolute || t.isOffsetKnown;
  ViewStep step;
  step.op = uint16_t(op.id);
  for (const aten::ArgValue &arg : bound.drop_front())
    step.args.push_back(stepValue(*this, arg).value_or(Value::none()));
  if (element)
    step.args.push_back(Value::integer(int64_t(*element)));
  node->steps.push_back(std::move(step));
  return Value::node(Kind::Tensor, node).withSource(sourceHere());
}

Value Engine::callInPlace(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                          TensorCall &call) {
  if (Value filled = fillUnderMask(*this, op, bound, call, true); !filled.isAbsent())
    return filled;
  const aten::TensorMeta *self = bound[0].tensor();
  Value target = call.valueOf(self);
  bool isMemoryFirst = aten::writeRuleOf(op, bound).order == aten::WriteRule::Order::First;
  if (isMemoryFirst)
    PTC_DO(capture::checkWrite(*this, op, bound, call, target));
  std::vector<aten::ArgValue> expanded;
  PTC_DO(expandMasks(*this, op, bound, call, expanded));
  CaptureMeta context(*this);
  auto [meta, isAfterMemory] = aten::inferWrite(op, bound, context);
  if (meta.isOk())
    meta = aten::inferByDifference(op, bound, context, {true, true}).result;
  else if (isAfterMemory && !isMemoryFirst)
    PTC_DO(capture::checkWrite(*this, op, bound, call, target));
  if (!meta.isOk() && capture::failsByStorage(op, bound, target))
    return refuse(DiagId::UnsupportedOperation, op.name,
                  "it writes to rows of a view's dimension of size 0");
  if (!meta.isOk())
    return metaFailed(meta, op);
  PTC_DO(writeDefaultDType(*this, op, meta, bound, expanded));
  aten::Aliasing::Kind kind = meta.results[0].tensors[0].aliasing.kind;
  if (kind == aten::Aliasing::Kind::Same || copiesItself(*this, op, bound, call, target))
    return target;
  // The object itself would become a view, under every name and for views that it has already.
  if (kind == aten::Aliasing::Kind::View)
    return refuse(DiagId::UnsupportedOperation, op.name,
                  "its in-place form changes a tensor's shape");
  PTC_DO(checkLeaf(*this, target));
  if (!isMemoryFirst)
    PTC_DO(capture::checkWrite(*this, op, bound, call, target));
  PTC_DO(checkNumbers(*this, op, bound, meta, call));
  PTC_DO(checkElements(*this, op, bound, call));
  std::optional<ValueId> weight = capture::copiedWeight(*this, op, bound, call, meta);
  ValueId contents = weight ? *weight : recordAten(op, bound, call, meta)[0];
  if (tape.type(contents).dtype != self->dtype) {
    PTC_LET(converted, castTensor(contents, self->dtype));
    contents = readTensor(converted);
  }
  PTC_DO(writeTensor(target, contents));
  return target;
}

Value Engine::castTensor(ValueId id, DType to) {
  CallArgs args;
  args.positional = {newTensor(id), Value::dtype(to)};
  return callTorch("Tensor.to", args);
}
