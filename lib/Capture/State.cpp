//===- State.cpp - Modes, guards and containers of the engine ---------------------------===//
//
// In: questions of handlers about modes and sizes of the entry's arguments. Out: answers, guards.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Folder.h"
#include "InputNumbers.h"
#include "Loop.h"
#include "Modes.h"
#include "NumberLists.h"
#include "Objects.h"
#include "Positions.h"
#include "RunTimeTables.h"
#include "SizeLoops.h"

#include "ptc/Symbolic/ShapeEnv.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

void Engine::attach(sym::ShapeEnv &env) {
  shapes = &env;
  folder.reset();
  sizeContextOwner = env.sharedContext();
}

Flow Engine::decideModes() {
  for (uint32_t mode : slot::kModes) {
    const Value &value = heap.get(kMachine, mode);
    if (!value.is(Kind::Choice) && !value.is(Kind::Scalar))
      continue;
    PTC_LET(decided, decide(Value(value)));
    if (decided.is(Kind::Scalar)) {
      PTC_GET(isOn, truth(decided));
      decided = Value::boolean(isOn);
    }
    heap.set(kMachine, mode, std::move(decided));
  }
  return Flow::Next;
}

DType Engine::defaultDType() const {
  const Value &set = heap.get(kMachine, slot::kDefaultDType);
  assert((set.isAbsent() || set.is(Kind::DType)) && "decided before each instruction");
  return set.isAbsent() ? DType::Float32 : set.asDType();
}

bool Engine::isGradEnabled() const {
  const Value &mode = heap.get(kMachine, slot::kGradMode);
  assert((mode.isAbsent() || mode.is(Kind::Bool)) && "decided before each instruction");
  return mode.isAbsent() || mode.asBool();
}

sym::Relation capture::relationOf(capture::CompareOp op) {
  switch (op) {
  case capture::CompareOp::Lt:
    return sym::Relation::Less;
  case capture::CompareOp::Le:
    return sym::Relation::LessEqual;
  case capture::CompareOp::Eq:
    return sym::Relation::Equal;
  case capture::CompareOp::Ne:
    return sym::Relation::NotEqual;
  case capture::CompareOp::Gt:
    return sym::Relation::Greater;
  case capture::CompareOp::Ge:
    return sym::Relation::GreaterEqual;
  }
  llvm_unreachable("closed enum");
}

std::optional<bool> Engine::guardSizes(capture::CompareOp op, sym::Expr a, sym::Expr b,
                                       llvm::StringRef why) {
  assert(shapes && "sizes of inputs exist only while an entry is captured");
  if (sizeLoops)
    if (std::optional<bool> known = sizeLoops->prove(op, a, b))
      return known;
  std::string unrolled = sizeLoops ? sizeLoops->reason() : std::string();
  std::optional<bool> answer =
      shapes->decide(relationOf(op), a, b, {here(), unrolled.empty() ? why.str() : unrolled});
  if (!answer) {
    refuse(DiagId::SizeNotDecided, sizes().str(a), sizes().str(b));
    return std::nullopt;
  }
  return answer;
}

std::optional<bool> capture::provenSizes(Engine &e, CompareOp op, sym::Expr a, sym::Expr b) {
  if (!e.shapes)
    return proven(e.sizes(), op, a, b);
  if (e.sizeLoops)
    if (std::optional<bool> known = e.sizeLoops->prove(op, a, b))
      return known;
  return e.shapes->prove(relationOf(op), e.shapes->simplify(a), e.shapes->simplify(b));
}

static constexpr char kIdentity[] = "which object it is";

void Engine::guardIdentity(const Value &tensor) {
  if (shapes)
    shapes->specializeDistinct(asTensor(tensor).storage, {here(), kIdentity});
}

void Engine::guardDistinct(const Value &a, const Value &b) {
  if (shapes)
    shapes->specializeDistinct(asTensor(a).storage, asTensor(b).storage, {here(), kIdentity});
}

std::optional<bool> capture::guardFloat(Engine &e, CompareOp op, const Value &a, const Value &b) {
  auto pathOf = [&](const Value &v) -> const std::string * {
    return e.shapes && v.is(Kind::Scalar) ? e.shapes->findFloat(v.scalarId()) : nullptr;
  };
  auto constant = [](const Value &v) -> std::optional<double> {
    if (v.is(Kind::Float))
      return v.asFloat();
    // Up to 2^53 an int and its float compare alike.
    constexpr int64_t kExact = int64_t(1) << 53;
    if (v.isSmallInt() && v.asInt() <= kExact && v.asInt() >= -kExact)
      return double(v.asInt());
    return std::nullopt;
  };
  bool swapped = pathOf(b) != nullptr;
  const std::string *path = pathOf(swapped ? b : a);
  std::optional<double> other = constant(swapped ? a : b);
  if (!path || !other)
    return std::nullopt;
  return e.shapes->decideFloat(*path, relationOf(swapped ? mirrored(op) : op), *other,
                               {e.here(), "a comparison"});
}

Value Engine::containerTruth(const Value &v) {
  switch (v.kind()) {
  case Kind::Str:
    return Value::boolean(!v.asStr().empty());
  case Kind::Bytes:
    return Value::boolean(!v.asBytes().empty());
  case Kind::BigInt:
    return Value::boolean(true);
  case Kind::Complex:
    return Value::boolean(v.asComplex() != 0.0);
  case Kind::Tuple:
  case Kind::FrozenSet:
    return Value::boolean(!v.parts().empty());
  case Kind::Range:
    if (std::optional<py::Range> range = rangeOf(v))
      return Value::boolean(py::PyInt(0) < range->length());
    return refuse(DiagId::Unsupported, "the truth of a range whose bounds are run-time values");
  case Kind::Opaque:
    return existsAsName(v) ? Value::boolean(true) : Value(refuseOpaque(v));
  case Kind::Template:
    // A number's or tensor's text is never empty; a template's or string's may be.
    if (llvm::any_of(v.parts(), [](const Value &part) {
          return part.is(Kind::Scalar) || part.is(Kind::Size) || part.is(Kind::Tensor);
        }))
      return Value::boolean(true);
    return refuse(DiagId::RunTimeStringCompared);
  case Kind::Ref:
    break;
  default:
    return Value::boolean(true);
  }
  switch (heap.kind(v.asRef())) {
  case ObjectKind::List:
  case ObjectKind::Dict:
  case ObjectKind::Set: {
    if (!capture::isRunTimeTable(*this, v)) {
      PTC_DO(openContent(*this, v)); // an object's attributes, too
    }
    PTC_LET(contents, decide(heap.get(v.asRef(), slot::kContent)));
    if (!contents.is(Kind::RunTimeList) && !contents.is(Kind::Tensor))
      return Value::boolean(contents.partCount() != 0);
    PTC_LET(length, runTimeListLength(contents));
    return numberOrConstantCompare(capture::CompareOp::Ne, length, Value::integer(0));
  }
  case ObjectKind::Instance:
    if (capture::isDictView(*this, v)) {
      PTC_LET(dict, capture::viewedDict(*this, v));
      return containerTruth(dict);
    }
    return Value::boolean(true);
  default:
    return Value::boolean(true);
  }
}

std::optional<llvm::SmallVector<Value, 4>> Engine::sequenceItems(const Value &v) {
  llvm::SmallVector<Value, 4> items;
  if (v.is(Kind::Tuple)) {
    items.append(v.parts().begin(), v.parts().end());
    return items;
  }
  if (v.is(Kind::Range)) {
    int64_t start = v.parts()[0].asInt(), stop = v.parts()[1].asInt(), step = v.parts()[2].asInt();
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step)
      items.push_back(Value::integer(i));
    return items;
  }
  assert(v.is(Kind::Ref) && heap.kind(v.asRef()) == ObjectKind::List && "a sequence");
  PTC_DO(openContent(*this, v));
  Value contents = heap.get(v.asRef(), slot::kContent);
  if (contents.is(Kind::Tensor)) {
    std::optional<std::vector<Value>> numbers = capture::numberListItems(*this, contents);
    if (numbers)
      items.append(numbers->begin(), numbers->end());
    return numbers ? std::optional(items) : refuse(DiagId::RunTimeListArgument);
  }
  if (contents.is(Kind::RunTimeList))
    return refuse(DiagId::RunTimeListArgument);
  items.append(contents.parts().begin(), contents.parts().end());
  return items;
}

std::string Engine::stateName(const HeadState &state, size_t row) const {
  ValueId id = state.rows[row].result;
  for (const auto &[slot, value] : state.out) {
    bool uses = (value.is(Kind::Scalar) && value.scalarId() == id) ||
                (value.is(Kind::Raw) && value.asRaw() == id) ||
                (value.is(Kind::Choice) && asChoice(value).selector == id);
    if (uses)
      return describeSlot(slot);
  }
  return "state";
}
