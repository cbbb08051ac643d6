//===- SizeLoops.cpp - Loops that sizes of arguments count ---------------------------===//
//
// In: comparisons of input sizes that say whether a loop goes on. Out: comparisons of the run.
//
//===----------------------------------------------------------------------===//
#include "SizeLoops.h"

#include "InputNumbers.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace sym = ptc::sym;

bool SizeLoops::isCount(sym::Expr size) const {
  if (none || !e.shapes || !e.recording())
    return false;
  sym::Expr simplified = e.shapes->simplify(size);
  return !simplified.isConstant() &&
         llvm::any_of(e.sizes().symbolsOf(simplified),
                      [&](sym::SymbolId id) { return e.shapes->isOfSizes(id); });
}

/// Where the running instruction is, in code of the program and, if it calls that, of lib/Prelude.
static std::string placeOf(const Engine &e) {
  ObjectId frame = e.currentFrame();
  ptc::SourceLoc user = e.here(),
                 own = e.locationOf(frame, e.heap.get(frame, slot::kIp).asIp() - 1);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const ptc::SourceLoc &loc : {user, own})
    os << loc.file << ':' << loc.line << ':' << loc.column << ' ';
  return text;
}

/// A size at the end of its range may leave too few turns for a loop to close: that is of one
/// example. What two of them have unrolled is taken to be so in all, which saves captures.
bool SizeLoops::isFoundHere(const UnrolledLoop &loop, llvm::StringRef place) const {
  return loop.place == place &&
         (loop.example == example || llvm::any_of(known, [&](const UnrolledLoop &other) {
            return other.place == place && other.example != loop.example;
          }));
}

const UnrolledLoop *SizeLoops::findHere() const {
  if (known.empty())
    return nullptr;
  std::string place = placeOf(e);
  const UnrolledLoop *found =
      llvm::find_if(known, [&](const UnrolledLoop &loop) { return isFoundHere(loop, place); });
  return found == known.end() ? nullptr : found;
}

std::string SizeLoops::reason() const {
  const UnrolledLoop *loop = findHere();
  return loop ? "the loop is unrolled, since each turn makes another form of " + loop->changing
              : std::string();
}

Value SizeLoops::record(CompareOp op, sym::Expr a, sym::Expr b) {
  // `a > -1` is asked as `a < 0`: so do indices, and the path knows the answer then.
  std::optional<int64_t> limit = b.asConstant();
  bool mirrors = (op == CompareOp::Gt || op == CompareOp::Ge) && limit && *limit < INT64_MAX;
  if (mirrors) {
    b = e.sizes().constant(*limit + (op == CompareOp::Gt));
    op = CompareOp::Lt;
  }
  TapeValue type;
  type.type = TapeType::Bool;
  ValueId id =
      e.emit(comparisonOf(op), {e.operand(Value::size(a)), e.operand(Value::size(b))}, type);
  note(id, op, a, b);
  Value goesOn = Value::scalar(id, ScalarType::Bool);
  if (mirrors)
    goesOn = e.mapOf(id, {Value::boolean(true), Value::boolean(false)});
  if (goesOn.is(Kind::Scalar))
    counts.try_emplace(goesOn.scalarId(), placeOf(e));
  return goesOn;
}

Value SizeLoops::compareCount(CompareOp op, sym::Expr a, sym::Expr b) {
  if ((!isCount(a) && !isCount(b)) || !x.stepsForLoop() || findHere())
    return Value();
  // What is known to have no turn is none; what is known to have one is a loop from there on.
  if (std::optional<bool> goesOn = e.shapes->prove(relationOf(op), a, b); goesOn && !*goesOn)
    return Value::boolean(false);
  return record(op, a, b);
}

Value SizeLoops::compareCondition(CompareOp op, sym::Expr a, sym::Expr b) {
  if ((!isCount(a) && !isCount(b)) || !x.feedsLoopControl() || findHere())
    return Value();
  if (e.shapes->prove(relationOf(op), a, b))
    return Value();
  return record(op, a, b);
}

/// So many operations on the tape are not worth a loop: fewer take less time to compile than they
/// gain by what is known of each turn.
static constexpr uint64_t kMostUnrolled = 2048;

bool SizeLoops::rolls(ObjectId iterator, int64_t rest) {
  if (isRolled(iterator))
    return true;
  if (none || noneKnown || !e.shapes || !e.recording() || findHere())
    return false;
  std::optional<Executor::PassCost> cost = x.costOfPass();
  if (!cost || !cost->operations ||
      (uint64_t(rest) <= kMostUnrolled / cost->operations &&
       uint64_t(rest) + cost->passes <= e.limits.unroll))
    return false;
  rolled.insert(iterator);
  return true;
}

Value SizeLoops::compareTurn(sym::Expr place, int64_t turns) {
  Value goesOn = record(CompareOp::Lt, place, e.sizes().constant(turns));
  // Where data say with which turn it begins, it is one of the run in any case.
  if (goesOn.is(Kind::Scalar) && place.isConstant())
    knownTurns[goesOn.scalarId()] = turns;
  return goesOn;
}

void SizeLoops::unroll(ValueId selector, llvm::StringRef changing) {
  std::string place = counts.lookup(selector);
  // One that is among them and was not unrolled is found with all that are rolled.
  if (llvm::none_of(known, [&](const UnrolledLoop &loop) { return isFoundHere(loop, place); }))
    newlyUnrolled.push_back({std::move(place), changing.str(), example});
}

void SizeLoops::note(ValueId id, CompareOp op, sym::Expr a, sym::Expr b) {
  if (comparisons.empty() || comparisons.back().id < id)
    comparisons.push_back({id, op, a, b});
}

std::optional<bool> SizeLoops::prove(CompareOp op, sym::Expr a, sym::Expr b) const {
  constexpr size_t kMost = 16; // the latest ones: what encloses the running instruction
  size_t facts = 0;
  sym::ShapeEnv::Mark mark = e.shapes->mark();
  for (const Comparison &known : llvm::reverse(comparisons)) {
    uint64_t cases = e.possible(known.id, 3);
    if (cases != 1 && cases != 2)
      continue;
    sym::Relation relation = relationOf(known.op);
    e.shapes->assume(cases == 2 ? relation : sym::negate(relation), known.a, known.b);
    if (++facts == kMost)
      break;
  }
  std::optional<bool> answer;
  if (facts)
    answer = e.shapes->prove(relationOf(op), a, b);
  e.shapes->rollback(mark);
  return answer;
}

sym::Expr SizeLoops::lengthOf(const Value &contents) const {
  if (contents.is(Kind::Tuple))
    return e.sizes().constant(int64_t(contents.parts().size()));
  return contents.is(Kind::RunTimeList) ? lengthOf(asRunTimeList(contents).columns[0])
                                        : sym::Expr();
}
