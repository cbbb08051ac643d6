//===- Session.h - A module that has been executed ----------------*- C++ -*-===//
//
// Loads a .pyc and what it imports, and runs the module's code in an engine: the common beginning
// of `run --python` and of every capture.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SESSION_H
#define PTC_LIB_CAPTURE_SESSION_H

#include "Executor.h"
#include "Objects.h"
#include "Packages.h"
#include "Tensors.h"

#include "ptc/Bytecode/Reader.h"
#include "ptc/Capture/Capture.h"

namespace ptc::capture {

class Session {
public:
  /// The world is the session's until the session ends.
  Session(const CaptureRequest &request, BuiltinWorld &world);
  ~Session();

  Engine engine;
  std::unique_ptr<Executor> executor;

  /// Reads the file.
  llvm::Error load();
  const CodeObject &moduleCode() const { return file->top(); }
  /// Runs the module's code under this name.
  llvm::Error runModule(llvm::StringRef name);
  /// Runs a call to its end; nothing in it may depend on data.
  llvm::Expected<Value> runCall(const Value &callee, CallArgs args);
  /// Everything reported so far as one error.
  llvm::Error failure();

  /// rewind() comes back to what is now, any number of times; between runs.
  void keep();
  void rewind();
  /// That of steps holds anew for what runs after keep().
  void setLimits(const CaptureLimits &limits);

  ObjectId module = 0;
  std::vector<std::string> filesRead;
  /// What of the installed packages these are; their METADATA is read for it.
  std::vector<PackageRead> packages();

private:
  friend class Snapshot;
  using Folders = std::map<std::string, std::vector<std::string>, std::less<>>;
  /// Where the module is looked for, by the folders of the packages that are known.
  std::vector<std::string> foldersFor(llvm::StringRef name, const Folders &known);
  std::vector<std::string> installedFolders(llvm::StringRef package);
  llvm::Expected<Value> finish(const Value &started);
  llvm::Expected<Value> finish(End end);
  End runBody();
  ModuleCode resolve(llvm::StringRef name);
  ModuleCode find(llvm::StringRef name);
  const OpaquePackage *opaquePackageOf(llvm::StringRef name, const ModuleFile &found);
  const CodeObject *keep(std::unique_ptr<CodeFile> read, llvm::StringRef path);
  const CodeObject *codeIn(llvm::StringRef path);
  llvm::Expected<std::unique_ptr<CodeFile>> readCode(llvm::StringRef path);
  /// `__file__` of a module: its source where there is one, else the bytecode.
  std::string sourceOf(const ModuleFile &found, llvm::StringRef name);
  llvm::ArrayRef<Distribution> installed();
  /// Has a folder of -I distributions, and lies this absolute path in it?
  bool isInstalled(llvm::StringRef path);
  std::optional<InstalledPath> lookAtInstalled(llvm::StringRef path, bool contents);
  std::optional<InstalledPath> lookIntoArchive(llvm::StringRef path, bool contents);
  std::optional<InstalledPath> fileAt(llvm::StringRef path, bool contents);

  const CaptureRequest &request;
  BuiltinWorld &world;
  PackageFiles packageFiles;
  std::unique_ptr<CodeFile> file;
  std::vector<std::unique_ptr<CodeFile>> imported;
  /// Where modules of packages that were found are looked for; "": those of no package.
  Folders folders;
  std::map<std::string, ModuleCode, std::less<>> resolved; ///< what was found, by name
  std::optional<std::vector<Distribution>> distributions;  ///< in the folders of no package
  std::optional<std::vector<std::string>> sites; ///< folders of -I that have some, absolute
  /// What was asked of installed packages, by path, whether for contents, and whether of an
  /// archive: hashes of the answers.
  std::map<std::tuple<std::string, bool, bool>, uint64_t> asked;
  llvm::StringMap<uint64_t> contents; ///< hashes of what was read, by path

  struct Kept {
    Heap::Mark mark;
    World::Extent world;
    Engine::Kept engine;
    size_t filesRead;
  };
  std::optional<Kept> kept;
};

/// A heap that is marked where the builtin world stands, and what belongs to it outside the heap.
struct BuiltinWorld::State {
  Heap heap;
  Names names;
  std::unique_ptr<World> world;
  World::Extent extent; ///< of `world` at the mark
  bool used = false;    ///< has a session changed it?

  /// Out of an engine that has run nothing but the builtin modules.
  explicit State(Engine &engine);
  /// For one session; as it was made, again.
  Engine lend();
  void takeBack(Engine &engine);
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SESSION_H
