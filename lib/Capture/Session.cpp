//===- Session.cpp - Loading and executing a module -------------------------------------===//
//
// In: a request. Out: an engine in which the module's code has run, or the diagnostics of what
// went wrong. Module code runs in the engine like any other; its tensor operations go to the top
// block of the tape.
//
//===----------------------------------------------------------------------===//
#include "Session.h"
#include "Answers.h"

#include "ptc/Capture/Environment.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace ptc;
using namespace ptc::capture;

Session::Session(const CaptureRequest &request, BuiltinWorld &world)
    : engine(world.state->lend()), executor(engine), request(request), world(world) {
  engine.limits.steps = request.limits.steps;
  engine.limits.depth = request.limits.depth;
  engine.limits.objects = request.limits.objects;
  engine.limits.stepsPerJoin = request.limits.stepsPerJoin;
  engine.limits.unroll = request.limits.unroll;
  engine.limits.choices = request.limits.choices;
  for (const std::string &name : request.absent)
    engine.world->absentModules.insert(name);
  for (const std::string &name : request.opaque)
    engine.world->opaqueModules.insert(name);
}

Session::~Session() { world.state->takeBack(engine); }

/// How much of the program was looked at in spite of what was refused.
static std::optional<Diagnostic> countRefusals(const Engine &engine) {
  size_t refused = llvm::count_if(engine.diags, [](const Diagnostic &diag) {
    return diag.info().exitCode == ExitCode::CannotCompile;
  });
  if (refused == 0)
    return std::nullopt;
  std::string how = (llvm::Twine(engine.steps) + " instructions were followed").str();
  if (!engine.stoppedAt)
    how += ", to the program's end";
  else if (engine.stoppedAt->isKnown() && engine.stoppedAt->line)
    how += ", up to line " + std::to_string(engine.stoppedAt->line) +
           ", where it cannot go on without what was refused";
  return makeDiagnostic(DiagId::RefusalsCounted, {},
                        refused == 1 ? "1 thing was" : std::to_string(refused) + " things were",
                        how);
}

llvm::Error Session::failure() {
  if (std::optional<Diagnostic> count = countRefusals(engine))
    engine.diags.push_back(std::move(*count));
  llvm::Error all = llvm::Error::success();
  for (Diagnostic &diag : engine.diags)
    all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
  engine.diags.clear();
  if (!all)
    all = makeError(DiagId::InternalError, {}, "capture ended without saying why");
  return all;
}

static llvm::Expected<std::unique_ptr<CodeFile>> readFile(const CaptureRequest &request) {
  if (request.read)
    return request.read();
  if (request.pythonVersion.empty())
    return readPycFile(request.file);
  std::optional<PythonVersion> version = parseVersionName(request.pythonVersion);
  if (!version)
    return makeError(DiagId::UsageError, {}, "unknown Python version " + request.pythonVersion);
  auto buffer = llvm::MemoryBuffer::getFile(request.file, /*IsText=*/false);
  if (!buffer)
    return makeError(DiagId::FileNotReadable, {}, request.file, buffer.getError().message());
  return readMarshal((*buffer)->getBuffer(), *version, request.file);
}

llvm::Error Session::load() {
  engine.world->resolve = [this](llvm::StringRef name) { return resolve(name); };
  engine.world->distributions = [this] { return installed(); };
  engine.world->environment = request.environment;
  std::vector<std::string> &path = folders[""];
  path.push_back(moduleFolderOf(request.file).str());
  llvm::append_range(path, request.includeDirs);
  auto read = readFile(request);
  if (!read)
    return read.takeError();
  file = std::move(*read);
  setVersion(engine, file->version());
  filesRead.push_back(request.file);
  return llvm::Error::success();
}

ModuleCode Session::resolve(llvm::StringRef name) {
  if (auto known = resolved.find(name); known != resolved.end())
    return known->second;
  ModuleCode found = find(name);
  // What is wrong with a file is said each time.
  return found.kind == ModuleFile::Kind::Unusable
             ? found
             : resolved.emplace(name.str(), found).first->second;
}

/// The row of the native package that the module is, or is in: its packages were looked for before.
const OpaquePackage *Session::opaquePackageOf(llvm::StringRef name, const ModuleFile &found) {
  if (name.contains('.')) {
    auto package = resolved.find(name.split('.').first);
    return package == resolved.end() ? nullptr : package->second.package;
  }
  return found.isPackage ? findOpaquePackage(name, found.folders.front()) : nullptr;
}

/// Modules beside the program, then those of -I; those of a package only in its folders.
ModuleCode Session::find(llvm::StringRef name) {
  using K = ModuleFile::Kind;
  auto [parent, leaf] = name.contains('.') ? name.rsplit('.') : std::pair(llvm::StringRef(), name);
  auto where = folders.find(parent);
  if (where == folders.end())
    return {};
  ModuleFile found = findModuleFile(where->second, leaf, engine.world->version);
  if (found.isPackage)
    folders[name.str()] = found.folders;
  ModuleCode out{found.kind, found.isPackage, nullptr, found.path, opaquePackageOf(name, found)};
  if (out.package) {
    out.code = found.kind == K::Code ? codeIn(found.path) : nullptr;
    out.kind = found.kind == K::Absent ? K::Absent : K::Native;
    return out;
  }
  auto unusable = [&](llvm::StringRef why) {
    engine.diags.push_back(
        makeDiagnostic(DiagId::ModuleNotUsable, engine.here(), name, found.path, why));
  };
  if (found.kind == K::Unusable)
    unusable(found.why);
  if (found.kind != K::Code)
    return out;
  auto read = readPycFile(found.path);
  if (!read) {
    for (Diagnostic &diag : takeDiagnostics(read.takeError()))
      engine.diags.push_back(std::move(diag));
    return {K::Unusable, found.isPackage, nullptr, found.path};
  }
  if (PythonVersion version = (*read)->version(); version != engine.world->version) {
    unusable(("it is of Python " + getVersionName(version) + " and the program of " +
              getVersionName(engine.world->version))
                 .str());
    return {K::Unusable, found.isPackage, nullptr, found.path};
  }
  out.code = keep(std::move(*read), found.path);
  return out;
}

const CodeObject *Session::keep(std::unique_ptr<CodeFile> read, llvm::StringRef path) {
  filesRead.push_back(path.str());
  imported.push_back(std::move(read));
  return &imported.back()->top();
}

/// The code of a file that is looked at only; null if it cannot be read.
const CodeObject *Session::codeIn(llvm::StringRef path) {
  auto read = readPycFile(path.str());
  if (!read) {
    llvm::consumeError(read.takeError());
    return nullptr;
  }
  return (*read)->version() == engine.world->version ? keep(std::move(*read), path) : nullptr;
}

llvm::ArrayRef<Distribution> Session::installed() {
  if (!distributions)
    distributions = listDistributions(folders[""], filesRead);
  return *distributions;
}

llvm::Expected<Value> Session::finish(Value started) {
  End end;
  if (started.isFail())
    end = executor.endOfPending();
  else if (!Engine::isCalled(started))
    return started;
  else
    end = executor.run(Executor::Start::Arrive);
  if (end.status != End::Status::Exits || end.exits.size() != 1 || !engine.diags.empty())
    return failure();
  Value result = engine.heap.get(kMachine, slot::kResult);
  if (end.exits[0].key == raisedKey()) {
    std::string line = exceptionLine(engine, result).value_or("an exception");
    auto [type, text] = llvm::StringRef(line).split(": ");
    return makeError(diagnoseRaised(engine.raisedAt(result), type, text, engine.world->worldUses));
  }
  return result;
}

llvm::Error Session::runModule(llvm::StringRef name) {
  const CodeObject &top = file->top();
  module = engine.makeModule(name, top.fileName, /*prelude=*/false);
  engine.heap.set(module, attrKey(engine.intern("__package__")), Value::str(""));
  describeModule(engine, module, ModuleForm::Plain);
  Value started = enterBody(engine, Value::code(&top), module, Value::ref(module), Value::absent(),
                            ReturnAction::Push, Value::absent());
  engine.world->importing = true;
  llvm::Expected<Value> done = finish(std::move(started));
  engine.world->importing = false;
  return done ? llvm::Error::success() : done.takeError();
}

llvm::Expected<Value> Session::runCall(const Value &callee, CallArgs args) {
  return finish(engine.call(callee, std::move(args)));
}

llvm::Expected<PythonResult> capture::runPython(const CaptureRequest &request,
                                                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  llvm::Expected<BuiltinWorld> world = BuiltinWorld::make();
  if (!world)
    return world.takeError();
  return runPython(request, *world, out, err);
}

llvm::Expected<PythonResult> capture::runPython(const CaptureRequest &request, BuiltinWorld &world,
                                                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Session session(request, world);
  session.engine.world->output = [&](llvm::StringRef text) { out << text; };
  session.engine.world->errorOutput = [&](llvm::StringRef text) { err << text; };
  if (llvm::Error error = session.load())
    return std::move(error);
  return runMain(session.engine, session.moduleCode(), "__main__");
}
