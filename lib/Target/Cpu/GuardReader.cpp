//===- GuardReader.cpp - Reading observables in generated code -------------------------===//
//
// In: observables and atoms, and what is proven where they are read. Out: loads from the frame, and
// differences that are 0 where an atom holds. Kinds that are read seldom (overlap, strings, layouts
// of unknown rank) are read by the stub, which has them for its cold path anyway.
//
//===----------------------------------------------------------------------===//
#include "GuardReader.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;
using sym::Atom;
using sym::AtomKind;
using sym::Expr;
using sym::ExprKind;
using sym::Interval;
using sym::Relation;
using sym::SymbolId;
using sym::UnaryAtom;
using sym::ValueTag;
using Predicate = LLVM::ICmpPredicate;

static_assert(sizeof(ptc_value) == 24 && offsetof(ptc_value, tag) == 0 &&
              offsetof(ptc_value, requires_grad) == 1 && offsetof(ptc_value, as) == 8);
static_assert(offsetof(DLTensor, device) == 8 && offsetof(DLTensor, ndim) == 16 &&
              offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24);

Value cpu::loadField(ImplicitLocOpBuilder &b, Type type, Value base, size_t offset) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at = LLVM::GEPOp::create(b, pointer, b.getI8Type(), base, {LLVM::GEPArg(int32_t(offset))});
  return LLVM::LoadOp::create(b, type, at);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void Facts::assume(SymbolId symbol, Interval interval) {
  Interval &known = intervals[symbol];
  known.lower = std::max(known.lower, interval.lower);
  known.upper = std::min(known.upper, interval.upper);
  ptc_source source = reader->sourceOf(symbol);
  bool isPoint = known.lower == known.upper;
  if (source.kind == ptc_observable_Tag && isPoint)
    assumeTag(source.leaf, ValueTag(known.lower));
  if (source.kind == ptc_observable_Rank)
    ranks[source.leaf] = {std::max(ranks[source.leaf].lower, known.lower),
                          std::min(ranks[source.leaf].upper, known.upper)};
}

void Facts::assume(const UnaryAtom &atom) {
  if (atom.relation == Relation::NotEqual)
    return;
  Interval interval;
  if (atom.relation != Relation::GreaterEqual)
    interval.upper = atom.value;
  if (atom.relation != Relation::LessEqual)
    interval.lower = atom.value;
  assume(atom.symbol, interval);
}

Interval Facts::size(uint32_t leaf, int64_t dimension) const {
  std::optional<SymbolId> symbol = reader->sizeSymbol(leaf, dimension);
  Interval known = symbol ? intervals.lookup(*symbol) : Interval();
  known.lower = std::max<int64_t>(known.lower, 0);
  return known;
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

GuardReader::GuardReader(ImplicitLocOpBuilder &b, const sym::ObservableSpace &space,
                         const sym::CallStructure &structure, Value frame, StringRef entry)
    : b(b), space(space), structure(structure), frame(frame), entry(entry), i8(b.getI8Type()),
      i32(b.getI32Type()), i64(b.getI64Type()),
      pointer(LLVM::LLVMPointerType::get(b.getContext())) {
  inputs = loadField(b, pointer, frame, offsetof(ptc_frame, inputs));
  for (SymbolId id = 0; id < space.numObservables(); ++id) {
    const sym::Observable &observable = space.observable(id);
    if (observable.kind != sym::ObservableKind::Size)
      continue;
    if (std::optional<uint32_t> leaf = structure.findLeaf(observable.path))
      sizeSymbols.try_emplace({*leaf, observable.index}, id);
  }
}

std::optional<SymbolId> GuardReader::sizeSymbol(uint32_t leaf, int64_t dimension) const {
  auto found = sizeSymbols.find({leaf, dimension});
  return found == sizeSymbols.end() ? std::nullopt : std::optional(found->second);
}

Block *GuardReader::newBlock() {
  OpBuilder::InsertionGuard guard(b);
  return b.createBlock(b.getInsertionBlock()->getParent(),
                       b.getInsertionBlock()->getParent()->end());
}

void GuardReader::returnVariant(int32_t number) {
  LLVM::ReturnOp::create(b, LLVM::ConstantOp::create(b, i32, number));
}

void GuardReader::branch(Value bad, Block *fail) {
  if (!bad)
    return;
  Block *next = newBlock();
  LLVM::CondBrOp::create(b, compare(Predicate::eq, bad, 0), next, fail);
  b.setInsertionPointToStart(next);
}

/// Differences, or-ed. So many at a time that a branch costs nothing beside them, and that blocks
/// stay small: what LLVM takes for a block grows with its square.
class GuardReader::Gathered {
public:
  Gathered(GuardReader &reader, Block *fail) : reader(reader), fail(fail) {}
  ~Gathered() { reader.branch(bad, fail); }

  void add(Value difference) {
    bad = reader.either(bad, difference);
    if (++count % kMost == 0)
      reader.branch(std::exchange(bad, Value()), fail);
  }

private:
  static constexpr size_t kMost = 32;
  GuardReader &reader;
  Block *fail;
  Value bad;
  size_t count = 0;
};

Value GuardReader::constant(int64_t value) { return LLVM::ConstantOp::create(b, i64, value); }
Value GuardReader::compare(Predicate predicate, Value value, int64_t number) {
  return LLVM::ICmpOp::create(b, predicate, value, constant(number));
}
Value GuardReader::either(Value first, Value second) {
  if (!first || !second)
    return first ? first : second;
  return LLVM::OrOp::create(b, first, second);
}
Value GuardReader::widen(Value bits) { return LLVM::ZExtOp::create(b, i64, bits); }

Value GuardReader::leafField(Type type, uint32_t leaf, size_t offset) {
  return loadField(b, type, inputs, leaf * sizeof(ptc_value) + offset);
}
Value GuardReader::tensor(uint32_t leaf) {
  return leafField(pointer, leaf, offsetof(ptc_value, as));
}
Value GuardReader::tensorField(Type type, uint32_t leaf, size_t offset) {
  return loadField(b, type, tensor(leaf), offset);
}
Value GuardReader::tagOf(uint32_t leaf) {
  return widen(leafField(i8, leaf, offsetof(ptc_value, tag)));
}

/// Device type << 32 | index, as sym::deviceCode.
Value GuardReader::devicePair(Value type, Value index) {
  Value high = LLVM::ShlOp::create(b, widen(type), constant(32));
  return LLVM::OrOp::create(b, high, widen(index));
}

//===----------------------------------------------------------------------===//
// Sizes and layouts
//===----------------------------------------------------------------------===//

Value GuardReader::size(uint32_t leaf, int64_t dimension, const Facts &facts) {
  Interval known = facts.size(leaf, dimension);
  if (known.lower == known.upper)
    return constant(known.lower);
  Value shape = tensorField(pointer, leaf, offsetof(DLTensor, shape));
  return loadField(b, i64, shape, size_t(dimension) * sizeof(int64_t));
}

std::pair<Value, Value> GuardReader::strides(uint32_t leaf) {
  Value shape = tensorField(pointer, leaf, offsetof(DLTensor, shape));
  Value given = tensorField(pointer, leaf, offsetof(DLTensor, strides));
  Value null = LLVM::ZeroOp::create(b, pointer);
  Value isGiven = LLVM::ICmpOp::create(b, Predicate::ne, given, null);
  return {LLVM::SelectOp::create(b, isGiven, given, shape), isGiven};
}

/// Without strides a tensor is dense in row-major order; empty dimensions count as 1.
Value GuardReader::stride(uint32_t leaf, int64_t dimension, const Facts &facts) {
  // The number of dimensions behind this one may be unknown: the stub counts them.
  Interval rank = facts.rank(leaf);
  assert(rank.lower == rank.upper && "strides of tensors of known rank are read here");
  Value dense = constant(1);
  for (int64_t d = rank.lower - 1; d > dimension; --d) {
    Value extent = size(leaf, d, facts);
    if (facts.size(leaf, d).lower < 1)
      extent = LLVM::SMaxOp::create(b, extent, constant(1));
    dense = LLVM::MulOp::create(b, dense, extent);
  }
  auto [memory, isGiven] = strides(leaf);
  Value given = loadField(b, i64, memory, size_t(dimension) * sizeof(int64_t));
  return LLVM::SelectOp::create(b, isGiven, given, dense);
}

Value GuardReader::notDense(uint32_t leaf, int64_t order, int64_t rank, const Facts &facts) {
  SmallVector<unsigned, 6> dimensions = sym::decodeOrder(order, unsigned(rank));
  if (llvm::any_of(dimensions, [&](unsigned d) { return d >= rank; }))
    return constant(1);
  bool rowMajor = llvm::is_sorted(dimensions);
  Value bad, empty, expected = constant(1);
  for (unsigned d : llvm::reverse(dimensions)) {
    Interval known = facts.size(leaf, d);
    if (known.lower < 1)
      empty = either(empty, widen(compare(Predicate::eq, size(leaf, d, facts), 0)));
    if (known.lower == 1 && known.upper == 1)
      continue;
    Value found;
    if (rowMajor) {
      auto [memory, isGiven] = strides(leaf);
      Value given = loadField(b, i64, memory, d * sizeof(int64_t));
      found = LLVM::SelectOp::create(b, isGiven, given, expected);
    } else {
      found = stride(leaf, d, facts);
    }
    Value extent = size(leaf, d, facts);
    Value difference = LLVM::XOrOp::create(b, found, expected);
    if (known.lower < 2 && known.upper >= 1)
      difference =
          LLVM::SelectOp::create(b, compare(Predicate::eq, extent, 1), constant(0), difference);
    bad = either(bad, difference);
    expected = checked<LLVM::SMulWithOverflowOp>(expected, extent, bad);
  }
  if (!bad)
    return constant(0);
  if (!empty)
    return bad;
  return LLVM::SelectOp::create(b, compare(Predicate::ne, empty, 0), constant(0), bad);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// `{value, present}` of the stub's ptc_read.
Value GuardReader::readByStub(SymbolId id, Value &bad) {
  auto pair = LLVM::LLVMStructType::getLiteral(b.getContext(), {i64, i64});
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = LLVM::LLVMFunctionType::get(pair, {pointer, i32, pointer});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    if (!module.lookupSymbol("ptc_read"))
      LLVM::LLVMFuncOp::create(b, "ptc_read", type).setVisibility_(LLVM::Visibility::Hidden);
    if (!module.lookupSymbol(entry))
      LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(i8, sizeof(ptc_entry)),
                             /*isConstant=*/true, LLVM::Linkage::External, entry, Attribute())
          .setVisibility_(LLVM::Visibility::Hidden);
  }
  Value table = LLVM::AddressOfOp::create(b, pointer, entry);
  Value number = LLVM::ConstantOp::create(b, i32, int32_t(id));
  auto call = LLVM::CallOp::create(b, type, "ptc_read", ValueRange{table, number, frame});
  Value present = LLVM::ExtractValueOp::create(b, call.getResult(), 1);
  bad = either(bad, LLVM::XOrOp::create(b, present, constant(1)));
  return LLVM::ExtractValueOp::create(b, call.getResult(), 0);
}

/// Observables of tensors, where the leaf is known to be one.
Value GuardReader::readTensor(SymbolId id, const ptc_source &source, const Facts &facts,
                              Value &bad) {
  uint32_t leaf = source.leaf;
  Interval rank = facts.rank(leaf);
  bool knowsRank = rank.lower == rank.upper;
  auto field = [&](Type type, size_t offset) { return tensorField(type, leaf, offset); };
  switch (source.kind) {
  case ptc_observable_Rank:
    return LLVM::SExtOp::create(b, i64, field(i32, offsetof(DLTensor, ndim)));
  case ptc_observable_DType:
    return widen(field(i32, offsetof(DLTensor, dtype)));
  case ptc_observable_Device:
    return devicePair(field(i32, offsetof(DLTensor, device)),
                      field(i32, offsetof(DLTensor, device) + 4));
  case ptc_observable_RequiresGrad: {
    Value flag = widen(leafField(i8, leaf, offsetof(ptc_value, requires_grad)));
    return widen(compare(Predicate::ne, flag, 0));
  }
  case ptc_observable_Size:
    return size(leaf, source.index, Facts(*this));
  case ptc_observable_Stride:
    return knowsRank ? stride(leaf, source.index, facts) : readByStub(id, bad);
  case ptc_observable_Alignment: {
    Value address = LLVM::AddOp::create(b, field(i64, offsetof(DLTensor, data)),
                                        field(i64, offsetof(DLTensor, byte_offset)));
    return LLVM::AndOp::create(b, address, constant(63));
  }
  case ptc_observable_Dense:
    if (knowsRank && rank.lower <= 16)
      return widen(compare(Predicate::eq, notDense(leaf, source.index, rank.lower, facts), 0));
    return readByStub(id, bad);
  default: // NOLINT: kinds of the C table; the stub reads every one of them
    return readByStub(id, bad);
  }
}

static LLVM::FCmpPredicate floatPredicate(uint32_t op) {
  static constexpr LLVM::FCmpPredicate kPredicates[] = {
      LLVM::FCmpPredicate::oeq, LLVM::FCmpPredicate::une, LLVM::FCmpPredicate::olt,
      LLVM::FCmpPredicate::ole, LLVM::FCmpPredicate::ogt, LLVM::FCmpPredicate::oge};
  return kPredicates[op];
}

Value GuardReader::read(SymbolId id, const Facts &facts, Value &bad) {
  ptc_source source = sourceOf(id);
  constexpr size_t kAs = offsetof(ptc_value, as);
  switch (source.kind) {
  case ptc_observable_constant:
    return constant(source.index);
  case ptc_observable_Tag:
    return tagOf(source.leaf);
  case ptc_observable_GradMode:
    return widen(loadField(b, i8, frame, offsetof(ptc_frame, grad_mode)));
  case ptc_observable_Value:
  case ptc_observable_FloatBits:
    return leafField(i64, source.leaf, kAs);
  case ptc_observable_BoolValue:
    return widen(compare(Predicate::ne, leafField(i64, source.leaf, kAs), 0));
  case ptc_observable_DTypeValue:
    return widen(leafField(i32, source.leaf, kAs));
  case ptc_observable_DeviceValue:
    return devicePair(leafField(i32, source.leaf, kAs), leafField(i32, source.leaf, kAs + 4));
  case ptc_observable_FloatCompare: {
    Value value = leafField(b.getF64Type(), source.leaf, kAs);
    double number = llvm::bit_cast<double>(source.index);
    Value other = LLVM::ConstantOp::create(b, b.getF64Type(), b.getF64FloatAttr(number));
    return widen(LLVM::FCmpOp::create(b, floatPredicate(source.other), value, other));
  }
  case ptc_observable_StringValue:
    return readByStub(id, bad);
  default: // NOLINT: what is left of the C table is about tensors
    return readTensor(id, source, facts, bad);
  }
}

Value GuardReader::readOrLeave(SymbolId id, Facts &facts, Block *absent) {
  Requirements needed;
  require(needed, id);
  checkTags(needed, facts, absent);
  checkHeads(needed, facts, absent);
  Value bad;
  Value value = read(id, facts, bad);
  branch(bad, absent);
  return value;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

template <typename Op> Value GuardReader::checked(Value first, Value second, Value &bad) {
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {i64, b.getI1Type()});
  Value both = Op::create(b, type, first, second);
  bad = either(bad, widen(LLVM::ExtractValueOp::create(b, both, 1)));
  return LLVM::ExtractValueOp::create(b, both, 0);
}

/// Python's `//`, of a divisor that may be anything.
Value GuardReader::divide(Value first, Value second, Value &bad) {
  Value isZero = compare(Predicate::eq, second, 0);
  Value isEdge = LLVM::AndOp::create(b, compare(Predicate::eq, first, INT64_MIN),
                                     compare(Predicate::eq, second, -1));
  Value isBad = LLVM::OrOp::create(b, isZero, isEdge);
  bad = either(bad, widen(isBad));
  Value divisor = LLVM::SelectOp::create(b, isBad, constant(1), second);
  Value quotient = LLVM::SDivOp::create(b, first, divisor);
  Value rest = LLVM::SubOp::create(b, first, LLVM::MulOp::create(b, quotient, divisor));
  Value differs = compare(Predicate::slt, LLVM::XOrOp::create(b, rest, divisor), 0);
  Value isInexact = LLVM::AndOp::create(b, compare(Predicate::ne, rest, 0), differs);
  return LLVM::SubOp::create(b, quotient, widen(isInexact));
}

Value GuardReader::computeSum(Expr e, const Facts &facts, Value &bad) {
  Value sum;
  for (const sym::Term &term : e.terms()) {
    Value product = constant(term.coefficient);
    bool isOne = term.coefficient == 1;
    for (const sym::Factor &factor : term.factors) {
      Value value = compute(factor.atom, facts, bad);
      for (uint32_t i = 0; i < factor.power; ++i) {
        product = isOne ? value : checked<LLVM::SMulWithOverflowOp>(product, value, bad);
        isOne = false;
      }
    }
    sum = sum ? checked<LLVM::SAddWithOverflowOp>(sum, product, bad) : product;
  }
  return sum;
}

Value GuardReader::compute(Expr e, const Facts &facts, Value &bad) {
  auto fold = [&](auto combine) {
    Value result = compute(e.operands().front(), facts, bad);
    for (Expr operand : e.operands().drop_front())
      result = combine(result, compute(operand, facts, bad));
    return result;
  };
  switch (e.kind()) {
  case ExprKind::Unsupported:
    break;
  case ExprKind::Constant:
    return constant(e.asConstant().value_or(0));
  case ExprKind::Symbol:
    return read(e.symbol(), facts, bad);
  case ExprKind::Sum:
    return computeSum(e, facts, bad);
  case ExprKind::FloorDiv:
    return fold([&](Value x, Value y) { return divide(x, y, bad); });
  case ExprKind::Min:
    return fold([&](Value x, Value y) -> Value { return LLVM::SMinOp::create(b, x, y); });
  case ExprKind::Max:
    return fold([&](Value x, Value y) -> Value { return LLVM::SMaxOp::create(b, x, y); });
  }
  llvm_unreachable("an atom is never unsupported");
}

//===----------------------------------------------------------------------===//
// Conjunctions
//===----------------------------------------------------------------------===//

/// The type that a leaf needs for an observable to be read from it; none: any.
static std::optional<ValueTag> tagFor(uint32_t kind) {
  switch (kind) {
  case ptc_observable_Tag:
  case ptc_observable_GradMode:
  case ptc_observable_constant:
  case ptc_observable_absent:
    return std::nullopt;
  case ptc_observable_Value:
    return ValueTag::Int;
  case ptc_observable_BoolValue:
    return ValueTag::Bool;
  case ptc_observable_StringValue:
    return ValueTag::Str;
  case ptc_observable_DTypeValue:
    return ValueTag::DType;
  case ptc_observable_DeviceValue:
    return ValueTag::Device;
  case ptc_observable_FloatBits:
  case ptc_observable_FloatCompare:
    return ValueTag::Float;
  default: // NOLINT: what is left of the C table is about tensors
    return ValueTag::Tensor;
  }
}

void GuardReader::requireTag(Requirements &needed, uint32_t leaf, ValueTag tag) const {
  auto [place, isNew] = needed.tags.insert({leaf, tag});
  needed.contradicts |= !isNew && place->second != tag;
}

void GuardReader::require(Requirements &needed, SymbolId id) const {
  ptc_source source = sourceOf(id);
  if (std::optional<ValueTag> tag = tagFor(source.kind))
    requireTag(needed, source.leaf, *tag);
  if (source.kind == ptc_observable_Overlap)
    requireTag(needed, source.other, ValueTag::Tensor);
  if (source.kind == ptc_observable_Size || source.kind == ptc_observable_Stride) {
    int64_t &dimensions = needed.heads[source.leaf].dimensions;
    dimensions = std::max(dimensions, source.index + 1);
  }
}

/// An equality of a type or of something in a tensor's head; the same again is no contradiction.
bool GuardReader::requireHead(Requirements &needed, const Atom &atom) const {
  std::optional<UnaryAtom> unary = sym::asUnary(atom);
  if (!unary || unary->relation != Relation::Equal)
    return false;
  ptc_source source = sourceOf(unary->symbol);
  auto set = [&](std::optional<int64_t> &field) {
    if (field && *field != unary->value)
      return false; // checked as a value
    field = unary->value;
    return true;
  };
  switch (source.kind) {
  case ptc_observable_Tag:
    requireTag(needed, source.leaf, ValueTag(unary->value));
    return true;
  case ptc_observable_Rank:
    return unary->value == int32_t(unary->value) && set(needed.heads[source.leaf].rank);
  case ptc_observable_DType:
    return unary->value == int64_t(uint32_t(unary->value)) && set(needed.heads[source.leaf].dtype);
  case ptc_observable_Device:
    return set(needed.heads[source.leaf].device);
  case ptc_observable_RequiresGrad:
    return set(needed.heads[source.leaf].requiresGrad);
  default: // NOLINT: everything else is a value
    return false;
  }
}

Requirements GuardReader::requirements(ArrayRef<Atom> atoms) const {
  Requirements needed;
  for (const Atom &atom : atoms) {
    for (SymbolId id : space.context().symbolsOf(atom.expr))
      require(needed, id);
    if (!requireHead(needed, atom))
      needed.values.push_back(atom);
  }
  return needed;
}

std::vector<Requirements> GuardReader::byTensors(Requirements needed) const {
  static constexpr size_t kFewTensors = 16;
  size_t numParts = std::max<size_t>(1, llvm::divideCeil(needed.heads.size(), kFewTensors));
  std::vector<Requirements> parts(numParts);
  llvm::DenseMap<uint32_t, size_t> partOf;
  for (auto [i, head] : llvm::enumerate(needed.heads)) {
    partOf[head.first] = i / kFewTensors;
    parts[i / kFewTensors].heads.insert(head);
  }
  for (const Atom &atom : needed.values) {
    size_t part = numParts - 1; // behind the heads of all
    if (std::optional<UnaryAtom> unary = sym::asUnary(atom)) {
      ptc_source source = sourceOf(unary->symbol);
      auto found = partOf.find(source.leaf);
      if (found != partOf.end() && source.kind != ptc_observable_Overlap)
        part = found->second;
    }
    parts[part].values.push_back(atom);
  }
  return parts;
}

void GuardReader::checkTags(const Requirements &needed, Facts &facts, Block *fail) {
  Gathered bad(*this, fail);
  if (needed.contradicts)
    bad.add(constant(1));
  for (auto [leaf, tag] : needed.tags) {
    if (facts.tag(leaf) == tag)
      continue;
    bad.add(LLVM::XOrOp::create(b, tagOf(leaf), constant(int64_t(tag))));
    facts.assumeTag(leaf, tag);
  }
}

Value GuardReader::checkHead(uint32_t leaf, const Requirements::Head &head, const Facts &facts) {
  auto field = [&](Type type, size_t offset) { return tensorField(type, leaf, offset); };
  auto differs = [&](Value found, uint64_t wanted) -> Value {
    return LLVM::XOrOp::create(b, found, constant(int64_t(wanted)));
  };
  Value bad;
  constexpr size_t kNdim = offsetof(DLTensor, ndim);
  if (head.rank && head.dtype)
    bad = differs(field(i64, kNdim), uint32_t(*head.rank) | uint64_t(*head.dtype) << 32);
  else if (head.rank)
    bad = differs(widen(field(i32, kNdim)), uint32_t(*head.rank));
  else if (head.dtype)
    bad = differs(widen(field(i32, offsetof(DLTensor, dtype))), uint64_t(*head.dtype));
  if (head.device) // type and index lie the other way round than in deviceCode
    bad = either(bad, differs(field(i64, offsetof(DLTensor, device)),
                              uint64_t(*head.device) >> 32 | uint64_t(*head.device) << 32));
  if (head.requiresGrad) {
    Value flag = widen(leafField(i8, leaf, offsetof(ptc_value, requires_grad)));
    Value isSet = widen(compare(Predicate::ne, flag, 0));
    bad = either(bad, differs(isSet, uint64_t(*head.requiresGrad)));
  }
  int64_t known = head.rank ? *head.rank : facts.rank(leaf).lower;
  if (known < head.dimensions) {
    Value rank = LLVM::SExtOp::create(b, i64, field(i32, kNdim));
    bad = either(bad, widen(compare(Predicate::slt, rank, head.dimensions)));
  }
  return bad;
}

void GuardReader::checkHeads(const Requirements &needed, Facts &facts, Block *fail) {
  Gathered bad(*this, fail);
  for (const auto &[leaf, head] : needed.heads) {
    bad.add(checkHead(leaf, head, facts));
    facts.assumeMinRank(leaf, head.dimensions);
  }
}

Value GuardReader::checkUnary(const UnaryAtom &atom, const Facts &facts) {
  ptc_source source = sourceOf(atom.symbol);
  Interval rank = source.kind == ptc_observable_Dense ? facts.rank(source.leaf) : Interval();
  // The usual guard: the difference itself, not the answer made of it.
  if (atom.relation == Relation::Equal && atom.value == 1 && rank.lower == rank.upper &&
      rank.lower <= 16)
    return notDense(source.leaf, source.index, rank.lower, facts);
  Value bad;
  Value value = read(atom.symbol, facts, bad);
  switch (atom.relation) {
  case Relation::Equal:
    return either(bad, LLVM::XOrOp::create(b, value, constant(atom.value)));
  case Relation::NotEqual:
    return either(bad, widen(compare(Predicate::eq, value, atom.value)));
  case Relation::LessEqual:
    return either(bad, widen(compare(Predicate::sgt, value, atom.value)));
  case Relation::GreaterEqual:
    return either(bad, widen(compare(Predicate::slt, value, atom.value)));
  case Relation::Less:
  case Relation::Greater:
    break;
  }
  llvm_unreachable("not in normal form");
}

Value GuardReader::checkAtom(const Atom &atom, const Facts &facts) {
  if (std::optional<UnaryAtom> unary = sym::asUnary(atom))
    return checkUnary(*unary, facts);
  Value bad;
  Value value = compute(atom.expr, facts, bad);
  switch (atom.kind) {
  case AtomKind::IsZero:
    return either(bad, value);
  case AtomKind::IsNonZero:
    return either(bad, widen(compare(Predicate::eq, value, 0)));
  case AtomKind::IsNonPositive:
    return either(bad, widen(compare(Predicate::sgt, value, 0)));
  }
  llvm_unreachable("closed enum");
}

void GuardReader::checkValues(const Requirements &needed, const Facts &facts, Block *fail) {
  Gathered bad(*this, fail);
  for (const Atom &atom : needed.values)
    bad.add(checkAtom(atom, facts));
}
