//===- Session.cpp - Loading and executing a module -------------------------------------===//
//
// In: a request. Out: an engine in which the module's code has run, or the diagnostics of what
// went wrong. Module code runs in the engine like any other; its tensor operations go to the top
// block of the tape.
//
//===----------------------------------------------------------------------===//
#include "Session.h"
#include "Answers.h"
#include "Imports.h"
#include "Snapshot.h"

#include "ptc/Capture/Environment.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ptc;
using namespace ptc::capture;

Session::Session(const CaptureRequest &request, BuiltinWorld &world)
    : engine(world.state->lend()), executor(std::make_unique<Executor>(engine)), request(request),
      world(world) {
  setLimits(request.limits);
  for (const std::string &name : request.absent)
    engine.world->absentModules.insert(name);
  for (const std::string &name : request.opaque)
    engine.world->opaqueModules.insert(name);
}

Session::~Session() { world.state->takeBack(engine); }

void Session::setLimits(const CaptureLimits &limits) {
  engine.limits.depth = limits.depth;
  engine.limits.objects = limits.objects;
  engine.limits.stepsPerJoin = limits.stepsPerJoin;
  const uint64_t before = kept ? engine.countedSteps() : 0;
  engine.limits.steps = limits.steps + std::min(before, UINT64_MAX - limits.steps);
  engine.limits.unroll = limits.unroll;
  engine.limits.choices = limits.choices;
}

void Session::keep() {
  kept.emplace(Kept{engine.heap.mark(), engine.world->extent(), engine.keep(), filesRead.size()});
}

void Session::rewind() {
  assert(kept && "something to come back to");
  engine.heap.rewind(kept->mark);
  engine.world->rewindKeepingCode(kept->world);
  engine.rewind(kept->engine);
  executor = std::make_unique<Executor>(engine);
  filesRead.resize(kept->filesRead);
}

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
  engine.world->installedPath = [this](llvm::StringRef path, bool contents) {
    std::optional<InstalledPath> found = lookAtInstalled(path, contents);
    if (found)
      assume(engine, isInstalled(path) || packageFiles.isInArchive(path)
                         ? "the files of packages in folders of -I are those that are there now"
                         : "the files of models, in folders with a config.json, are those that are "
                           "there now");
    asked[{path.str(), contents, false}] = hashOfAnswer(found);
    return found;
  };
  engine.world->archivedPath = [this](llvm::StringRef path, bool contents) {
    std::optional<InstalledPath> found = lookIntoArchive(path, contents);
    if (found)
      asked[{path.str(), contents, true}] = hashOfAnswer(found);
    return found;
  };
  engine.world->isOfLibrary = [this](llvm::StringRef path) {
    const std::string own = absolutePath(moduleFolderOf(request.file));
    return llvm::any_of(request.includeDirs, [&](const std::string &folder) {
      const std::string library = absolutePath(folder);
      return library != own && path.starts_with(library + "/");
    });
  };
  engine.world->fileLoaded = [this](llvm::StringRef path) { filesRead.push_back(path.str()); };
  engine.world->environment = request.environment;
  std::vector<std::string> &path = folders[""];
  path.push_back(moduleFolderOf(request.file).str());
  llvm::append_range(path, request.includeDirs);
  if (llvm::Error error = packageFiles.open(request.includeDirs))
    return error;
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
  return found.isPackage ? findOpaquePackage(packageFiles, name, found.folders.front()) : nullptr;
}

std::string Session::sourceOf(const ModuleFile &found, llvm::StringRef name) {
  // Of an archive CPython names the member that it took; what __pycache__ has is none.
  if (packageFiles.isInArchive(found.path) && cachedSourceOf(found.path).empty())
    return absolutePath(found.path);
  llvm::SmallString<128> source(moduleFolderOf(found.path));
  llvm::sys::path::append(source, (found.isPackage ? "__init__" : name) + ".py");
  return absolutePath(packageFiles.isFile(source) ? source.str() : found.path);
}

bool Session::isInstalled(llvm::StringRef path) {
  if (!sites) {
    sites.emplace();
    for (const std::string &folder : request.includeDirs) {
      if (llvm::any_of(packageFiles.list(folder), [](const auto &entry) {
            return llvm::sys::path::extension(entry.first) == ".dist-info";
          }))
        sites->push_back(absolutePath(folder) + "/");
    }
  }
  return llvm::any_of(*sites, [&](const std::string &site) { return path.starts_with(site); });
}

/// Is it a folder of a pretrained model, or does it lie in one? Those have a description of it.
static bool isOfModel(llvm::StringRef given) {
  namespace fs = llvm::sys::fs;
  const std::string path = absolutePath(given);
  for (llvm::StringRef folder : {llvm::StringRef(path), llvm::sys::path::parent_path(path)})
    for (llvm::StringRef name : {"config.json", "model_index.json"}) {
      llvm::SmallString<128> file(folder);
      llvm::sys::path::append(file, name);
      if (!folder.empty() && fs::is_regular_file(file))
        return true;
    }
  return false;
}

std::optional<InstalledPath> Session::fileAt(llvm::StringRef path, bool contents) {
  InstalledPath found;
  found.kind = InstalledPath::Kind::File;
  if (contents) {
    auto buffer = packageFiles.read(path);
    if (!buffer)
      return std::nullopt;
    found.bytes = (*buffer)->getBuffer().str();
    this->contents[path] = hashOfBytes(found.bytes);
    filesRead.push_back(path.str());
  }
  return found;
}

std::optional<InstalledPath> Session::lookIntoArchive(llvm::StringRef path, bool contents) {
  if (!packageFiles.isInArchive(path))
    return std::nullopt;
  InstalledPath found;
  if (packageFiles.isFile(path))
    return fileAt(path, contents);
  if (packageFiles.isFolder(path)) {
    found.kind = InstalledPath::Kind::Folder;
    if (contents)
      found.entries = packageFiles.list(path);
  }
  return found;
}

std::optional<InstalledPath> Session::lookAtInstalled(llvm::StringRef path, bool contents) {
  namespace fs = llvm::sys::fs;
  InstalledPath found;
  if (packageFiles.isInArchive(path)) // what only zipimport sees, but for the archive itself
    return fs::is_regular_file(path) ? std::nullopt : std::optional(found);
  const bool isPlain = isInstalled(path) && absolutePath(path) == path.rtrim('/');
  if (!isPlain && !isOfModel(path))
    return std::nullopt;
  fs::file_status status;
  if (fs::status(path, status))
    return status.type() == fs::file_type::file_not_found ? std::optional(found) : std::nullopt;
  if (status.type() == fs::file_type::directory_file) {
    found.kind = InstalledPath::Kind::Folder;
    std::error_code ec;
    if (contents)
      for (fs::directory_iterator it(path, ec), end; it != end && !ec; it.increment(ec))
        found.entries.emplace_back(llvm::sys::path::filename(it->path()),
                                   fs::is_directory(it->path()));
    llvm::sort(found.entries);
    return ec ? std::nullopt : std::optional(std::move(found));
  }
  return status.type() == fs::file_type::regular_file ? fileAt(path, contents) : std::nullopt;
}

/// The folders of a package, looked for from its outermost one on; none where it is not installed.
std::vector<std::string> Session::installedFolders(llvm::StringRef package) {
  auto [parent, leaf] =
      package.contains('.') ? package.rsplit('.') : std::pair(llvm::StringRef(), package);
  const std::vector<std::string> outer =
      parent.empty() ? request.includeDirs : installedFolders(parent);
  return findModuleFile(packageFiles, outer, leaf, engine.world->version).folders;
}

std::vector<std::string> Session::foldersFor(llvm::StringRef name, const Folders &known) {
  llvm::StringRef parent = name.contains('.') ? name.rsplit('.').first : llvm::StringRef();
  if (isPartOnTop(name) && !isPartOnTop(parent))
    return installedFolders(parent);
  auto where = known.find(parent);
  return where == known.end() ? std::vector<std::string>() : where->second;
}

/// Modules beside the program, then those of -I; those of a package only in its folders.
ModuleCode Session::find(llvm::StringRef name) {
  using K = ModuleFile::Kind;
  llvm::StringRef leaf = name.contains('.') ? name.rsplit('.').second : name;
  const std::vector<std::string> where = foldersFor(name, folders);
  if (where.empty())
    return {};
  ModuleFile found = findModuleFile(packageFiles, where, leaf, engine.world->version);
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
  if (std::string why = packageFiles.whyUnreadable(found.path); !why.empty()) {
    unusable(why);
    return {K::Unusable, found.isPackage, nullptr, found.path};
  }
  auto read = readCode(found.path);
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
  out.source = sourceOf(found, leaf);
  return out;
}

const CodeObject *Session::keep(std::unique_ptr<CodeFile> read, llvm::StringRef path) {
  filesRead.push_back(path.str());
  imported.push_back(std::move(read));
  return &imported.back()->top();
}

llvm::Expected<std::unique_ptr<CodeFile>> Session::readCode(llvm::StringRef path) {
  auto buffer = packageFiles.read(path);
  if (!buffer)
    return readPycFile(path); // says why
  contents[path] = hashOfBytes((*buffer)->getBuffer());
  ReadOptions options;
  options.source = cachedSourceOf(path);
  options.verify = false; // most functions of a package are never called: see recordOf()
  auto file = readPyc((*buffer)->getBuffer(), path, options);
  if (file)
    if (auto canonical = getCanonical((*file)->top()); !canonical)
      return canonical.takeError();
  return file;
}

/// The code of a file that is looked at only; null if it cannot be read.
const CodeObject *Session::codeIn(llvm::StringRef path) {
  auto read = readCode(path);
  if (!read) {
    llvm::consumeError(read.takeError());
    return nullptr;
  }
  return (*read)->version() == engine.world->version ? keep(std::move(*read), path) : nullptr;
}

llvm::ArrayRef<Distribution> Session::installed() {
  if (!distributions)
    distributions = listDistributions(packageFiles, folders[""], filesRead);
  return *distributions;
}

std::vector<PackageRead> Session::packages() {
  if (request.includeDirs.empty())
    return {};
  std::vector<std::string> looked; // what decides is what was read before
  std::vector<PackageRead> found = packagesRead(
      packageFiles,
      distributions ? *distributions : listDistributions(packageFiles, request.includeDirs, looked),
      filesRead);
  for (const PackageRead &package : found)
    if (!llvm::is_contained(filesRead, package.metadata))
      filesRead.push_back(package.metadata);
  return found;
}

llvm::Expected<Value> Session::finish(const Value &started) {
  if (!started.isFail() && !Engine::isCalled(started))
    return started;
  return finish(started.isFail() ? executor->endOfPending()
                                 : executor->run(Executor::Start::Arrive));
}

llvm::Expected<Value> Session::finish(End end) {
  if (end.status != End::Status::Exits || !engine.diags.empty())
    return failure();
  if (end.exits.size() != 1) {
    // The switch that gave the selector says where.
    const auto &instrs = engine.block->instrs;
    return makeError(makeDiagnostic(
        DiagId::Unsupported,
        instrs.empty() ? SourceLoc() : engine.locationOfSource(instrs.back().source),
        "an exception that numbers of the run decide, while a module is imported or an object is "
        "made,"));
  }
  Value result = engine.heap.get(kMachine, slot::kResult);
  if (end.exits[0].key == raisedKey()) {
    std::string line = exceptionLine(engine, result).value_or("an exception");
    auto [type, text] = llvm::StringRef(line).split(": ");
    return makeError(diagnoseRaised(engine.raisedAt(result), type, text, engine.world->worldUses));
  }
  return result;
}

/// The code of the module, whose frame was entered; a snapshot may take the place of its imports.
End Session::runBody() {
  const ObjectId frame = engine.currentFrame();
  const uint32_t end = importsEnd(engine.code(frame));
  Snapshot snapshot(*this, frame, end);
  if (snapshot.isOn() && !snapshot.load()) {
    executor->pause = {frame, end};
    End ended = executor->run(Executor::Start::Arrive);
    executor->pause = {};
    if (ended.status != End::Status::Paused)
      return ended;
    snapshot.save();
  }
  return executor->run(Executor::Start::Arrive);
}

llvm::Error Session::runModule(llvm::StringRef name) {
  const CodeObject &top = file->top();
  module = engine.makeModule(name, top.fileName, /*prelude=*/false);
  engine.heap.set(module, attrKey(engine.intern("__package__")), Value::str(""));
  describeModule(engine, module, ModuleForm::Plain);
  Value started = enterBody(engine, Value::code(&top), module, Value::ref(module), Value::absent(),
                            ReturnAction::Push, Value::absent());
  engine.world->importing = true;
  llvm::Expected<Value> done = Engine::isCalled(started) ? finish(runBody()) : finish(started);
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
