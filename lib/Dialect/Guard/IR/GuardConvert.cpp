//===- GuardConvert.cpp - Guard sets as IR and back ------------------------------------===//
//
// In: a GuardSet, or a guard.set. Out: the other. Expressions become arith operations on i64, each
// distinct one once; a place that needed a guard becomes a location.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Guard/IR/GuardConvert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace ptc;
using namespace ptc::guard;
using namespace ptc::sym;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static Location toLocation(MLIRContext *context, const SourceLoc &loc) {
  if (!loc.isKnown())
    return UnknownLoc::get(context);
  StringAttr file = StringAttr::get(context, loc.file);
  if (loc.endLine == 0)
    return FileLineColLoc::get(file, loc.line, loc.column);
  return FileLineColRange::get(file, loc.line, loc.column, loc.endLine, loc.endColumn);
}

static SourceLoc toSourceLoc(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return toSourceLoc(named.getChildLoc());
  auto range = dyn_cast<FileLineColRange>(location);
  if (!range)
    return {};
  SourceLoc loc{range.getFilename().str(), range.getStartLine(), range.getStartColumn(), 0, 0};
  bool isPoint =
      range.getStartLine() == range.getEndLine() && range.getStartColumn() == range.getEndColumn();
  if (!isPoint) {
    loc.endLine = range.getEndLine();
    loc.endColumn = range.getEndColumn();
  }
  return loc;
}

//===----------------------------------------------------------------------===//
// To IR
//===----------------------------------------------------------------------===//

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, const ObservableSpace &space)
      : builder(builder), loc(loc), space(space) {}

  void emit(const Guard &guard);

private:
  mlir::Value emit(Expr e);
  mlir::Value emitTerm(const Term &term, bool negated);
  mlir::Value emitTerms(llvm::ArrayRef<Term> terms, bool negated);
  mlir::Value emitSymbol(SymbolId id);
  mlir::Value emitFold(ExprKind kind, llvm::ArrayRef<Expr> operands);
  mlir::Value constant(int64_t value);
  mlir::Value constantFor(const Observable &observable, int64_t value);

  OpBuilder &builder;
  Location loc;
  const ObservableSpace &space;
  llvm::DenseMap<Expr, mlir::Value> emitted;
  std::map<int64_t, mlir::Value> constants, texts; ///< DenseMap keeps two ints for itself
};

} // namespace

mlir::Value Emitter::constant(int64_t value) {
  mlir::Value &known = constants[value];
  if (!known)
    known = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  return known;
}

mlir::Value Emitter::constantFor(const Observable &observable, int64_t value) {
  if (getObservableInfo(observable.kind).format != ValueFormat::String)
    return constant(value);
  mlir::Value &known = texts[value];
  if (!known)
    known = TextOp::create(builder, loc, space.strings().text(value));
  return known;
}

mlir::Value Emitter::emitSymbol(SymbolId id) {
  const Observable &observable = space.observable(id);
  llvm::StringRef text = getObservableInfo(observable.kind).text;
  return ObserveOp::create(
      builder, loc, builder.getI32IntegerAttr(int32_t(observable.kind)),
      builder.getStringAttr(observable.path),
      text.contains("{1}") ? builder.getI64IntegerAttr(observable.index) : IntegerAttr(),
      text.contains("{2}") ? builder.getStringAttr(observable.other) : StringAttr());
}

mlir::Value Emitter::emitFold(ExprKind kind, llvm::ArrayRef<Expr> operands) {
  mlir::Value result = emit(operands.front());
  for (Expr operand : operands.drop_front()) {
    mlir::Value next = emit(operand);
    if (kind == ExprKind::FloorDiv)
      result = arith::FloorDivSIOp::create(builder, loc, result, next);
    else if (kind == ExprKind::Min)
      result = arith::MinSIOp::create(builder, loc, result, next);
    else
      result = arith::MaxSIOp::create(builder, loc, result, next);
  }
  return result;
}

mlir::Value Emitter::emit(Expr e) {
  if (std::optional<int64_t> c = e.asConstant())
    return constant(*c);
  if (mlir::Value known = emitted.lookup(e))
    return known;
  mlir::Value result;
  switch (e.kind()) {
  case ExprKind::Symbol:
    result = emitSymbol(e.symbol());
    break;
  case ExprKind::Sum:
    result = emitTerms(e.terms(), /*negated=*/false);
    break;
  case ExprKind::FloorDiv:
  case ExprKind::Min:
  case ExprKind::Max:
    result = emitFold(e.kind(), e.operands());
    break;
  case ExprKind::Constant:
  case ExprKind::Unsupported:
    llvm_unreachable("guards hold supported expressions");
  }
  emitted[e] = result;
  return result;
}

mlir::Value Emitter::emitTerm(const Term &term, bool negated) {
  int64_t coefficient = negated ? -term.coefficient : term.coefficient;
  mlir::Value product;
  for (const Factor &factor : term.factors)
    for (uint32_t i = 0; i < factor.power; ++i) {
      mlir::Value value = emit(factor.atom);
      product = product ? arith::MulIOp::create(builder, loc, product, value) : value;
    }
  if (!product)
    return constant(coefficient);
  if (coefficient == 1)
    return product;
  return arith::MulIOp::create(builder, loc, product, constant(coefficient));
}

mlir::Value Emitter::emitTerms(llvm::ArrayRef<Term> terms, bool negated) {
  mlir::Value sum;
  for (const Term &term : terms) {
    mlir::Value value = emitTerm(term, negated);
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value) : value;
  }
  return sum ? sum : constant(0);
}

/// `expr == 0` is written with its negative terms on the right.
void Emitter::emit(const Guard &guard) {
  mlir::Value left, right;
  Relation relation = guard.atom.kind == AtomKind::IsZero      ? Relation::Equal
                      : guard.atom.kind == AtomKind::IsNonZero ? Relation::NotEqual
                                                               : Relation::LessEqual;
  if (std::optional<UnaryAtom> unary = asUnary(guard.atom)) {
    relation = unary->relation;
    left = emit(space.context().symbol(unary->symbol));
    right = constantFor(space.observable(unary->symbol), unary->value);
  } else if (std::optional<int64_t> c = guard.atom.expr.asConstant()) {
    left = constant(*c);
    right = constant(0);
  } else {
    llvm::SmallVector<Term, 4> positive, negative;
    for (const Term &term : guard.atom.expr.terms())
      // The smallest coefficient has no negation: it stays on the left.
      (term.coefficient < 0 && term.coefficient != Interval::kMin ? negative : positive)
          .push_back(term);
    left = emitTerms(positive, /*negated=*/false);
    right = emitTerms(negative, /*negated=*/true);
  }
  llvm::SmallVector<Attribute> reasons;
  llvm::SmallVector<Location> places;
  for (const GuardOrigin &origin : guard.origins) {
    reasons.push_back(builder.getStringAttr(origin.reason));
    Location place = toLocation(builder.getContext(), origin.loc);
    // A fused location drops unknown and equal parts: the reason keeps them apart.
    if (guard.origins.size() > 1)
      place = NameLoc::get(builder.getStringAttr(origin.reason), place);
    places.push_back(place);
  }
  Location place = places.empty()       ? loc
                   : places.size() == 1 ? places.front()
                                        : Location(FusedLoc::get(builder.getContext(), places));
  RequireOp::create(builder, place, builder.getI32IntegerAttr(int32_t(guard.kind)),
                    builder.getI32IntegerAttr(int32_t(relation)), left, right,
                    builder.getArrayAttr(reasons));
}

SetOp ptc::guard::emitGuards(OpBuilder &builder, Location loc, llvm::StringRef variant,
                             const ObservableSpace &space, const GuardSet &set) {
  OpBuilder::InsertionGuard restore(builder);
  SetOp op = SetOp::create(builder, loc, FlatSymbolRefAttr::get(builder.getContext(), variant));
  builder.createBlock(&op.getBody());
  Emitter emitter(builder, loc, space);
  for (const Guard &guard : set.guards())
    emitter.emit(guard);
  return op;
}

//===----------------------------------------------------------------------===//
// From IR
//===----------------------------------------------------------------------===//

namespace {

class GuardReader {
public:
  explicit GuardReader(ObservableSpace &space) : space(space), context(space.context()) {}

  LogicalResult read(Operation &op);
  llvm::SmallVector<Guard, 0> guards;

private:
  Expr evaluate(Operation &op);
  Expr valueOf(mlir::Value value) { return values.lookup(value); }
  LogicalResult readRequire(RequireOp op);

  ObservableSpace &space;
  Context &context;
  llvm::DenseMap<mlir::Value, Expr> values;
};

} // namespace

/// The value of an operation that computes; unsupported for any other.
Expr GuardReader::evaluate(Operation &op) {
  auto a = [&] { return valueOf(op.getOperand(0)); };
  auto b = [&] { return valueOf(op.getOperand(1)); };
  return llvm::TypeSwitch<Operation *, Expr>(&op)
      .Case([&](ObserveOp observe) {
        return space.symbol({ObservableKind(observe.getKind()), observe.getPath().str(),
                             int64_t(observe.getIndex().value_or(0)),
                             observe.getOther().value_or("").str()});
      })
      .Case([&](TextOp text) { return context.constant(space.strings().intern(text.getText())); })
      .Case([&](arith::ConstantOp constant) {
        auto value = dyn_cast<IntegerAttr>(constant.getValue());
        return value && constant.getType().isInteger(64) ? context.constant(value.getInt())
                                                         : Expr();
      })
      .Case([&](arith::AddIOp) { return context.add(a(), b()); })
      .Case([&](arith::SubIOp) { return context.sub(a(), b()); })
      .Case([&](arith::MulIOp) { return context.mul(a(), b()); })
      .Case([&](arith::FloorDivSIOp) { return context.floordiv(a(), b()); })
      .Case([&](arith::MinSIOp) { return context.min(a(), b()); })
      .Case([&](arith::MaxSIOp) { return context.max(a(), b()); })
      .Default([](Operation *) { return Expr(); });
}

LogicalResult GuardReader::readRequire(RequireOp op) {
  std::optional<Atom> atom =
      makeAtom(context, Relation(op.getRelation()), valueOf(op.getLhs()), valueOf(op.getRhs()));
  if (!atom)
    return op.emitOpError("relates expressions whose difference does not fit in 64 bits");
  Guard guard{GuardKind(op.getKind()), *atom, {}};
  auto fused = dyn_cast<FusedLoc>(op.getLoc());
  for (auto [i, reason] : llvm::enumerate(op.getReasons().getAsRange<StringAttr>())) {
    Location place =
        fused && i < fused.getLocations().size() ? fused.getLocations()[i] : Location(op.getLoc());
    guard.origins.push_back({toSourceLoc(place), reason.str()});
  }
  guards.push_back(std::move(guard));
  return success();
}

LogicalResult GuardReader::read(Operation &op) {
  if (auto require = dyn_cast<RequireOp>(op))
    return readRequire(require);
  Expr value = evaluate(op);
  if (!value.isSupported())
    return op.emitOpError("is not integer arithmetic on observables");
  values[op.getResult(0)] = value;
  return success();
}

FailureOr<GuardSet> ptc::guard::readGuards(SetOp op, ObservableSpace &space) {
  GuardReader reader(space);
  for (Operation &inner : *op.getBody().begin())
    if (failed(reader.read(inner)))
      return failure();
  return GuardSet(reader.guards);
}
