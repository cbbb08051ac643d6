//===- Report.cpp - Diagnostics of capture ---------------------------------------------===//
//
// In: what went wrong and where the program stands. Out: numbered diagnostics that name the user's
// line, the slot as the user wrote it, and what to do.
//
//===----------------------------------------------------------------------===//
#include "Executor.h"
#include "Objects.h"

#include "ptc/Capture/Capture.h"

using namespace ptc;
using namespace ptc::capture;

void Engine::reportLimit(DiagId id, uint64_t limit) {
  diags.push_back(makeDiagnostic(id, here(), limit));
  hitLimit = true;
}

/// Has the program asked CPython to go deeper than it does by itself?
static bool hasHigherLimit(Engine &e) {
  ObjectId sys = findModule(e, "sys");
  Value held = sys ? e.heap.get(sys, attrKey(e.intern("_limit"))) : Value();
  Value limit = isRefTo(e, held, ObjectKind::List) ? listItems(e, held).front() : Value();
  return limit.is(Kind::Int) && limit.asInt() > int64_t(kRecursionLimit);
}

/// Is it lib/Prelude that calls itself? That says nothing of the program.
static bool isPreludes(Engine &e) {
  constexpr unsigned kInnermost = 32;
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame); // none between calls
  for (unsigned n = 0; n < kInnermost && frame.is(Kind::Ref); ++n) {
    if (!e.frameInfo(frame.asRef()).hidden)
      return false;
    frame = e.heap.get(frame.asRef(), slot::kCaller);
  }
  return frame.is(Kind::Ref);
}

FailAny capture::tooDeep(Engine &e, llvm::StringRef where) {
  if (e.limits.depth < kRecursionLimit || hasHigherLimit(e) || isPreludes(e))
    return e.refuse(DiagId::DepthLimit, e.limits.depth);
  return e.raise(WellKnown::RecursionError, "maximum recursion depth exceeded" + where);
}

Flow capture::checkItemCount(Engine &e, const py::PyInt &count) {
  std::optional<int64_t> n = count.asInt64();
  if (!n)
    return e.raise(WellKnown::OverflowError, "Python int too large to convert to C ssize_t");
  // A terabyte of pointers is no memory's; what is less may be CPython's, but not this run's.
  if (*n > int64_t(1) << 37)
    return e.raise(WellKnown::MemoryError, "");
  if (*n > 0 && uint64_t(*n) > e.limits.objects)
    return e.refuse(DiagId::ObjectLimit, e.limits.objects);
  return Flow::Next;
}

void Engine::reportLoop(ObjectId frame, uint32_t ip, llvm::StringRef changing) {
  if (!diags.empty())
    return; // what stands for a refused value may be what keeps changing
  const bool isBuiltin = frameInfo(frame).hidden;
  while (frameInfo(frame).hidden && heap.get(frame, slot::kCaller).is(Kind::Ref)) {
    frame = heap.get(frame, slot::kCaller).asRef(); // the user's call of the prelude's loop
    ip = heap.get(frame, slot::kIp).asIp();
    ip -= ip > 0;
  }
  if (isBuiltin) { // the program has no loop there
    diags.push_back(std::move(
        makeDiagnostic(DiagId::Unsupported, locationOf(frame, ip),
                       "a builtin that goes through so many elements as data decides, here,")
            .note("for each element, it makes another form of " + changing.str())));
    return;
  }
  Diagnostic diag = makeDiagnostic(DiagId::LoopDoesNotClose, locationOf(frame, ip));
  diag.note(("what kept changing: " + changing).str());
  diag.hint("keep the number, kinds and shapes of the values that the loop carries the same in "
            "every pass");
  diags.push_back(std::move(diag));
}

void Engine::reportState(llvm::StringRef changing, const SourceLoc &at) {
  if (!diags.empty())
    return;
  Diagnostic diag = makeDiagnostic(DiagId::StateDoesNotClose, entryAt);
  diag.note(("what kept changing from call to call: " + changing).str(), at);
  diags.push_back(std::move(diag));
}

/// What to do so that fewer values are alternatives of a slot.
static std::string hintOnAlternatives(Engine &e, std::optional<SlotKey> slot, size_t count) {
  std::string raise = count > kMostChoices ? std::string("decide more of it before")
                                           : "compile with --max-choices=" + std::to_string(count);
  std::optional<ObjectKind> kind;
  if (slot && !isAttrKey(slot->key))
    kind = e.heap.kind(slot->object);
  if (kind == ObjectKind::Dict || kind == ObjectKind::Set)
    return raise + ", if no more keys follow; where data decides which keys are there, put all of "
                   "them in before, or count with torch.bincount or torch.unique";
  if (kind == ObjectKind::List)
    return raise + ", if no more elements follow; where data decides how many there are, append in "
                   "a loop on data, or keep a tensor of all and a mask";
  return raise + ", or give the sides values of one kind: numbers of one type, tensors of one "
                 "dtype and rank, tuples of one length";
}

void Executor::reportTooManyAlternatives(std::optional<SlotKey> slot,
                                         llvm::ArrayRef<Value> alternatives) {
  if (!e.diags.empty())
    return; // poison among them
  Diagnostic diag = makeDiagnostic(DiagId::TooManyAlternatives, e.here(),
                                   slot ? e.describeSlot(*slot) : std::string("a value"),
                                   alternatives.size(), e.limits.choices);
  for (const Value &v : alternatives.take_front(2))
    diag.note("one value: " + e.describeConstant(v), e.locationOfSource(v.source()));
  diag.hint(hintOnAlternatives(e, slot, alternatives.size()));
  e.diags.push_back(std::move(diag));
}

End Executor::endOfPending() {
  Pending pending = std::exchange(e.pending, {});
  End end;
  if (pending.kind != Pending::Kind::Raise)
    return End::failed();
  e.heap.set(kMachine, slot::kResult, e.exceptionOf(pending));
  end.status = End::Status::Exits;
  end.exits.push_back({raisedKey(), {}});
  return end;
}

// Names of things ---------------------------------------------------------------------------------

SourceLoc Engine::locationOf(ObjectId frame, uint32_t ip) const {
  const CanonicalCode &canonical = code(frame);
  return ip < canonical.size() ? canonical.location(ip) : SourceLoc();
}

std::string Engine::describeSlot(SlotKey slot) const {
  const ObjectHeader &header = heap.header(slot.object);
  if (isAttrKey(slot.key)) {
    std::string name = nameText(nameOfKey(slot.key)).str();
    switch (header.kind) {
    case ObjectKind::Module:
      return "global '" + name + "'";
    case ObjectKind::Instance:
      return "attribute '" + name + "' of a " + classInfo(header.cls).name;
    case ObjectKind::Class:
      return "attribute '" + name + "' of class " + classInfo(slot.object).name;
    default:
      return "attribute '" + name + "'";
    }
  }
  switch (header.kind) {
  case ObjectKind::Frame: {
    const auto &locals = code(slot.object).locals;
    if (slot.key >= slot::kLocals && slot.key < slot::kLocals + locals.size())
      return "local '" + locals[slot.key - slot::kLocals].name.str() + "'";
    return "a value on the stack";
  }
  case ObjectKind::List:
    return "contents of a list";
  case ObjectKind::Dict:
    return "contents of a dict";
  case ObjectKind::Set:
    return "contents of a set";
  case ObjectKind::Cell:
    return "a variable of an enclosing function";
  case ObjectKind::Storage:
    return "elements of a tensor";
  case ObjectKind::Iterator:
    return "state of an iterator";
  case ObjectKind::Engine:
  case ObjectKind::Function:
  case ObjectKind::Class:
  case ObjectKind::Module:
  case ObjectKind::Instance:
  case ObjectKind::ByteArray:
  case ObjectKind::Generator:
    return "state of an object";
  }
  llvm_unreachable("closed enum");
}

std::string Engine::describeObject(ObjectId id) const {
  switch (heap.kind(id)) {
  case ObjectKind::Class:
    return "<class '" + classInfo(id).name + "'>";
  case ObjectKind::Instance:
    return "<" + classInfo(heap.header(id).cls).name + " object>";
  case ObjectKind::List:
    return "a list";
  case ObjectKind::Dict:
    return "a dict";
  case ObjectKind::Set:
    return "a set";
  case ObjectKind::Function:
    return "a function";
  case ObjectKind::Module:
    return "a module";
  case ObjectKind::Frame:
    return "a generator";
  case ObjectKind::Iterator:
    return "an iterator";
  case ObjectKind::Engine:
  case ObjectKind::Cell:
  case ObjectKind::ByteArray:
  case ObjectKind::Storage:
  case ObjectKind::Generator:
    return "an object";
  }
  llvm_unreachable("closed enum");
}

std::string Engine::describeConstant(const Value &v) const {
  switch (v.kind()) {
  case Kind::Absent:
    return "no value";
  case Kind::None:
    return "None";
  case Kind::Bool:
    return v.asBool() ? "True" : "False";
  case Kind::Int:
    return std::to_string(v.asInt());
  case Kind::Float:
    return llvm::formatv("{0}", v.asFloat()).str();
  case Kind::Str:
    return "'" + v.asStr().str() + "'";
  case Kind::DType:
    return "torch." + getDTypeInfo(v.asDType()).torchName.str();
  case Kind::Scalar:
    return "a number known at run time";
  case Kind::Size:
    return sizeContext().str(v.asSize());
  case Kind::Tensor: {
    std::string text = "a tensor of shape [";
    for (sym::Expr size : asTensor(v).sizes)
      text += (text.back() == '[' ? "" : ", ") + sizeContext().str(size);
    return text + "]";
  }
  case Kind::Tuple:
    return "a sequence of " + std::to_string(v.parts().size());
  case Kind::FrozenSet:
  case Kind::SetItems:
    return "a set of " + std::to_string(v.parts().size());
  case Kind::DictItems:
    return "a dict of " + std::to_string(v.parts().size() / 2);
  case Kind::Ref:
    return describeObject(v.asRef());
  case Kind::Choice:
    return "one of several values";
  case Kind::Opaque:
    return v.nodeAs<OpaqueNode>(Kind::Opaque).path;
  default:
    return "a value";
  }
}
