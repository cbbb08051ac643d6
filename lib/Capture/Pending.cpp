//===- Pending.cpp - The engine itself: names, places, refusals ----------------------------===//
//
// In: texts and failures. Out: name ids, source locations, diagnostics and the pending state that
// makes the executor roll an instruction back.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "CallCaches.h"
#include "Folder.h"
#include "NumberLists.h"
#include "Objects.h"
#include "SizeLoops.h"
#include "TensorObjects.h"
#include "Tensors.h"

#include "ptc/Capture/Interpreter.h"
#include "ptc/Symbolic/ShapeEnv.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;
using ptc::Diagnostic;
using ptc::SourceLoc;

Engine::Engine() : world(std::make_unique<World>()) {
  ObjectId facts = heap.allocate(ObjectKind::Engine);
  ObjectId machine = heap.allocate(ObjectKind::Engine);
  assert(facts == kFacts && machine == kMachine && "the first two objects");
  (void)facts;
  (void)machine;
#define PTC_NAME(Id, Text) (void)intern(Text);
#include "Names.def"
  bootstrapTypes(*this);
}

Engine::Engine(Heap heap, Names names, std::unique_ptr<World> world)
    : heap(std::move(heap)), names(std::move(names)), world(std::move(world)) {}

Engine::~Engine() = default;

Engine::Kept Engine::keep() const {
  assert(block == &top && !isBetween && "between instructions");
  Kept kept{*this, TapeBlock(), sizeContextOwner};
  kept.top.copyFrom(top);
  return kept;
}

void Engine::rewind(const Kept &kept) {
  static_cast<RunState &>(*this) = kept.state;
  top.copyFrom(kept.top);
  block = &top;
  sizeContextOwner = kept.sizes;
  caches.reset();
  sizeLoops.reset();
  tensorHolders.reset();
  folder.reset();
}

static_assert(!std::is_convertible_v<FailAny, std::optional<Value>>,
              "a failure would become a value, by the way of Value::fail()");

NameId Engine::intern(llvm::StringRef text) {
  auto [at, fresh] = names.ids.try_emplace(text, NameId(names.texts.size()));
  if (fresh)
    names.texts.push_back(at->getKey());
  return at->second;
}

/// The instruction that a frame is in.
static SourceLoc placeIn(const Engine &e, ObjectId frame) {
  const uint32_t ip = e.heap.get(frame, slot::kIp).asIp();
  return e.locationOf(frame, ip ? ip - 1 : ip);
}

/// What goes wrong in a library's code goes wrong for the line of the program that called it.
static void noteCaller(const Engine &e, Diagnostic &diag) {
  if (!e.world->isOfLibrary || !e.world->isOfLibrary(diag.loc.file))
    return;
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller)) {
    if (e.frameInfo(frame.asRef()).hidden)
      continue;
    SourceLoc loc = placeIn(e, frame.asRef());
    if (!e.world->isOfLibrary(loc.file)) {
      diag.note("called from here", std::move(loc));
      return;
    }
  }
}

FailAny Engine::refuse(Diagnostic diag) {
  if (pending.isOpen())
    return {}; // what was found behind an open decision says nothing
  pending = {};
  pending.kind = Pending::Kind::Refuse;
  // The same line may be met again on another side or in another pass.
  bool known = llvm::any_of(diags, [&](const Diagnostic &old) {
    return old.id == diag.id && old.loc == diag.loc && old.text == diag.text;
  });
  if (!known) {
    noteCaller(*this, diag);
    diags.push_back(std::move(diag));
  }
  return {};
}

Value Engine::poison(uint32_t refusal) {
  auto *node = new OpaqueNode;
  node->path = "what was refused";
  node->poison = true;
  node->refusal = refusal;
  return Value::node(Kind::Opaque, node);
}

/// It decides what is said beside a refusal, at each call behind it: of a large value no more than
/// this is looked at.
static constexpr unsigned kLookedAtForPoison = 1024;

bool Engine::isPoison(const Value &given) const {
  llvm::SmallVector<Value, 4> open{given};
  llvm::DenseSet<ObjectId> seen;
  for (unsigned n = 0; n < kLookedAtForPoison && !open.empty(); ++n) {
    Value v = open.pop_back_val();
    if (v.is(Kind::Opaque) && v.nodeAs<OpaqueNode>(Kind::Opaque).poison)
      return true;
    if (v.is(Kind::Ref) && heap.kind(v.asRef()) == ObjectKind::List &&
        seen.insert(v.asRef()).second)
      v = heap.get(v.asRef(), slot::kContent);
    if (v.is(Kind::Tuple) || v.is(Kind::Slice))
      for (const Value &part : v.parts().take_front(kLookedAtForPoison))
        open.push_back(part);
  }
  return false;
}

SourceLoc Engine::here() const {
  Value frame = heap.get(kMachine, slot::kCurrentFrame);
  while (frame.is(Kind::Ref) && frameInfo(frame.asRef()).hidden)
    frame = heap.get(frame.asRef(), slot::kCaller);
  if (!frame.is(Kind::Ref))
    return entryAt;
  return isBetween ? locationOf(frame.asRef(), heap.get(frame.asRef(), slot::kIp).asIp())
                   : placeIn(*this, frame.asRef());
}

SourceLoc Engine::raisedAt(const Value &exception) const {
  Value rows = heap.get(exception.asRef(), slot::kTrace);
  if (!rows.is(Kind::Tuple) || rows.parts().empty())
    return {};
  // Unknown where two sides raised it.
  if (!rows.parts()[0].is(Kind::Tuple))
    return {};
  llvm::ArrayRef<Value> row = rows.parts()[0].parts();
  if (!row[0].is(Kind::Str) || !row[1].is(Kind::Int))
    return {};
  SourceLoc loc;
  loc.file = row[0].asStr().str();
  loc.line = uint32_t(row[1].asInt());
  return loc;
}

SourceId Engine::sourceHere() {
  llvm::SmallVector<SourceLoc, 8> calls; // innermost first
  Value frame = heap.get(kMachine, slot::kCurrentFrame);
  for (; frame.is(Kind::Ref); frame = heap.get(frame.asRef(), slot::kCaller)) {
    if (frameInfo(frame.asRef()).hidden)
      continue;
    uint32_t ip = heap.get(frame.asRef(), slot::kIp).asIp();
    bool next = isBetween && frame == heap.get(kMachine, slot::kCurrentFrame);
    calls.push_back(locationOf(frame.asRef(), ip && !next ? ip - 1 : ip));
  }
  SourceId caller = 0;
  for (const SourceLoc &loc : llvm::reverse(calls)) {
    auto [known, fresh] = world->sourceIds.try_emplace(
        SourceKey(loc.file, loc.line, loc.column, loc.endLine, loc.endColumn, caller),
        SourceId(world->sources.size()));
    if (fresh)
      world->sources.push_back({loc, caller});
    caller = known->second;
  }
  return caller;
}

SourceLoc Engine::locationOfSource(SourceId source) const { return world->sources[source].loc; }

Value Engine::boundValue(const Value &v) {
  if (!v.is(Kind::Choice))
    return v;
  for (const Value &alternative : asChoice(v).alternatives)
    if (alternative.isAbsent())
      return decide(v);
  return known(v);
}

Value Engine::notValue(const Value &truth) {
  if (truth.is(Kind::Bool))
    return Value::boolean(!truth.asBool());
  TapeValue type;
  type.type = TapeType::Bool;
  return Value::scalar(emit(TapeOp::Not, {operand(truth)}, type), ScalarType::Bool);
}

Value Engine::constantIndex(const Value &v) {
  if (v.is(Kind::Size)) {
    if (std::optional<int64_t> n = shapes ? exampleSize(v.asSize()) : std::nullopt) {
      PTC_GET(same,
              guardSizes(CompareOp::Eq, v.asSize(), sizes().constant(*n), "used as an index"));
      if (same)
        return Value::integer(*n);
    }
  }
  ValueId selector = 0;
  if (v.is(Kind::Scalar))
    if (const std::vector<Value> *table = tableOf(v.scalarId(), selector)) {
      PTC_GET(n, settle(selector, uint32_t(table->size())));
      return (*table)[n];
    }
  return refuse(DiagId::Unsupported, "a run-time number where Python code needs to know it");
}

std::optional<int64_t> Engine::exampleSize(sym::Expr e) {
  return isInputSize(e) ? shapes->hint(e) : std::nullopt;
}

// Lists
// ------------------------------------------------------------------------------------------------

Flow Engine::listAppend(const Value &list, const Value &v) {
  PTC_DO(openContent(*this, list));
  PTC_DO(checkListWrite(*this, list));
  Value content = heap.get(list.asRef(), slot::kContent);
  if (content.is(Kind::Tensor))
    return refuse(DiagId::RunTimeListChanged);
  if (content.is(Kind::RunTimeList)) {
    PTC_LET(longer, runTimeListPush(content, v));
    heap.set(list.asRef(), slot::kContent, std::move(longer));
    return Flow::Next;
  }
  content = Value();
  ownContent(*this, list.asRef()).addPart(v);
  return Flow::Next;
}

int64_t Engine::unpackLimit(ObjectId frame) const {
  const Instr &instr = code(frame).instrs[heap.get(frame, slot::kIp).asIp() - 1];
  return instr.op == Opcode::UNPACK_SEQUENCE ? int64_t(instr.arg) + 1
                                             : -int64_t(instr.arg & 255) - 1;
}

Flow Engine::implicitSuper(Value &cls, Value &object) {
  ObjectId frame = currentFrame();
  while (frameInfo(frame).hidden && code(frame).code->argCount == 0 &&
         heap.get(frame, slot::kCaller).is(Kind::Ref))
    frame = heap.get(frame, slot::kCaller).asRef();
  const CodeObject &c = *code(frame).code;
  if (c.argCount == 0)
    return raise(WellKnown::RuntimeError, "super(): no arguments");
  object = known(heap.get(frame, slot::kLocals));
  if (isRefTo(*this, object, ObjectKind::Cell))
    object = known(heap.get(object.asRef(), slot::kContent));
  llvm::ArrayRef<ptc::LocalSlot> locals = code(frame).locals;
  for (uint32_t i = 0; i < locals.size(); ++i) {
    if (locals[i].name != "__class__" || !locals[i].isFree)
      continue;
    Value cell = heap.get(frame, slot::kLocals + i);
    if (!isRefTo(*this, cell, ObjectKind::Cell))
      break;
    cls = known(heap.get(cell.asRef(), slot::kContent));
    if (cls.isAbsent())
      return raise(WellKnown::RuntimeError, "super(): empty __class__ cell");
    return Flow::Next;
  }
  return raise(WellKnown::RuntimeError, "super(): __class__ cell not found");
}

void Engine::finishSend(ObjectId frame, const Instr &send, Value value) {
  push(frame, std::move(value));
  jump(frame, send.target);
}

void Engine::unwind(ObjectId frame, uint32_t ip, Value exception) {
  const ptc::CanonicalCode &c = code(frame);
  const ptc::Handler &handler = c.handlers[ip];
  uint32_t depth = handler.exists() ? handler.depth : 0;
  uint32_t sp = heap.get(frame, slot::kSp).asIp();
  uint32_t base = stackBase(frame);
  for (uint32_t i = depth; i < sp; ++i)
    heap.set(frame, base + i, Value::absent());
  heap.set(frame, slot::kSp, Value::ip(depth));
  // What is raised again as it was caught is raised where it was.
  const ptc::Instr &instr = c.instrs[ip];
  const bool isAgain = instr.op == Opcode::RAISE_VARARGS && instr.arg == 0 &&
                       isException(*this, known(exception)) &&
                       !heap.get(known(exception).asRef(), slot::kTrace).isAbsent();
  if (instr.op != Opcode::RERAISE && !isAgain)
    addTraceback(exception, frame, ip);
  if (!handler.exists()) {
    heap.set(frame, slot::kReturn, std::move(exception));
    heap.set(frame, slot::kIp, Value::ip(c.unwindNode()));
    return;
  }
  push(frame, std::move(exception));
  heap.set(frame, slot::kIp, Value::ip(handler.target));
}

Value Engine::callTorchValue(const Value &torchOp, CallArgs &args) {
  return callTorch(nameText(NameId(torchOp.bits())), args);
}
