//===- BuiltinWorld.cpp - The builtin modules, made once for many captures --------------===//
//
// In: names of modules of the prelude. Out: a heap with a mark and the tables behind it, lent to
// one session after the other. An engine that starts from it is otherwise new; so what a session
// leaves behind can only be in the heap, in the tables of the world, or in the names, which stay.
//
//===----------------------------------------------------------------------===//
#include "Session.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

World::Extent World::extent() const {
  Extent now;
  now.classInfos = classInfos.size();
  now.moduleInfos = moduleInfos.size();
  now.functions = functions.size();
  now.frames = frames.size();
  now.sources = sources.size();
  now.files = files.size();
  now.lazyFiles = lazyFiles.size();
  now.flags = *this;
  for (const auto &[code, record] : codes)
    now.codes.insert(code);
  return now;
}

void World::rewindKeepingCode(const Extent &extent) {
  classInfos.resize(extent.classInfos);
  moduleInfos.resize(extent.moduleInfos);
  functions.resize(extent.functions);
  frames.resize(extent.frames);
  sources.resize(extent.sources);
  std::erase_if(sourceIds, [&](const auto &row) { return row.second >= extent.sources; });
  static_cast<WorldFlags &>(*this) = extent.flags;
}

void World::rewind(const Extent &extent) {
  llvm::SmallVector<const CodeObject *> added;
  for (const auto &[code, record] : codes)
    if (!extent.codes.contains(code))
      added.push_back(code);
  for (const CodeObject *code : added)
    codes.erase(code);
  rewindKeepingCode(extent);
  // What was decoded since for a function that stays went with its code.
  for (const FunctionRecord &function : functions)
    if (!codes.contains(function.code))
      function.frame = FrameInfo();
  files.resize(extent.files);
  lazyFiles.resize(extent.lazyFiles);
}

BuiltinWorld::State::State(Engine &engine)
    : heap(std::move(engine.heap)), names(std::move(engine.names)), world(std::move(engine.world)),
      extent(world->extent()) {
  assert(engine.top.instrs.empty() && engine.tape.nextId() == 1 && engine.diags.empty() &&
         engine.literals.empty() && engine.sizeExprs.empty() && engine.frozenStorages.empty() &&
         engine.sharedElements.empty() && world->openGenerators.empty() && heap.depth() == 0 &&
         "builtin modules compute nothing with tensors");
  (void)heap.mark();
}

Engine BuiltinWorld::State::lend() {
  if (std::exchange(used, true)) {
    heap.rewind(0);
    world->rewind(extent);
  }
  return Engine(std::move(heap), std::move(names), std::move(world));
}

void BuiltinWorld::State::takeBack(Engine &engine) {
  heap = std::move(engine.heap);
  names = std::move(engine.names);
  world = std::move(engine.world);
}

BuiltinWorld::BuiltinWorld(std::unique_ptr<State> state) : state(std::move(state)) {}
BuiltinWorld::BuiltinWorld(BuiltinWorld &&) noexcept = default;
BuiltinWorld::~BuiltinWorld() = default;

/// What ended the import of a module.
static std::string whyNot(Engine &e) {
  if (!e.diags.empty())
    return e.diags.front().text;
  Value result = e.heap.get(kMachine, slot::kResult);
  return isException(e, result) ? exceptionLine(e, result).value_or("an exception")
                                : "it is not there";
}

/// Runs the code of a module and of the packages that it is in.
llvm::Error capture::importPrelude(Engine &e, llvm::StringRef name) {
  for (size_t end = 0; end != llvm::StringRef::npos;) {
    end = name.find('.', end ? end + 1 : 0);
    e.heap.set(kMachine, slot::kCurrentFrame, Value());
    Value loaded = loadModule(e, name.take_front(end), ReturnAction::Drop);
    if (loaded.isNone())
      continue;
    Executor executor(e);
    if (!Engine::isCalled(loaded) ||
        executor.run(Executor::Start::Arrive).status != End::Status::Exits ||
        isException(e, e.heap.get(kMachine, slot::kResult)))
      return makeError(DiagId::InternalError, {},
                       "the prelude has no module " + name + ": " + whyNot(e));
  }
  return llvm::Error::success();
}

llvm::Expected<BuiltinWorld> BuiltinWorld::make(llvm::ArrayRef<std::string> modules) {
  Engine e;
  bootstrapTorch(e);
  if (llvm::Error error = bootstrapPrelude(e))
    return std::move(error);
  e.world->usesImage = false; // of which version is not known yet
  for (const std::string &name : modules)
    if (llvm::Error error = importPrelude(e, name))
      return std::move(error);
  e.world->usesImage = modules.empty();
  return BuiltinWorld(std::make_unique<State>(e));
}
