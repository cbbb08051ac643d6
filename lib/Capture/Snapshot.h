//===- Snapshot.h - A program's imports as they stand when they have run ---------*- C++ -*-===//
//
// Programs begin with import statements, and what these run is most of what a capture of a user of
// libraries runs. A snapshot is all that they leave: the heap, with the ids that objects had, the
// world beside it, and what was looked at on the way, so that it is known where it holds. Loading
// one takes the place of running them, and what follows finds the same state to the last id.
//
// A snapshot is a file of the folder PTC_CACHE_DIR. Its name is a hash of what the imports were
// given: the statements, the options, this program. It holds while every module that was looked for
// is found where it was, every file that was read has the same content, and every question about
// installed packages has the same answer. Folders may be shared: files are written under another
// name and renamed.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SNAPSHOT_H
#define PTC_LIB_CAPTURE_SNAPSHOT_H

#include "Session.h"

namespace ptc::capture {

uint64_t hashOfBytes(llvm::StringRef bytes);
/// Of an answer about installed packages; equal answers have equal hashes.
uint64_t hashOfAnswer(const std::optional<InstalledPath> &answer);

/// Behind the last of the import statements that a module's code begins with; 0: there is none.
uint32_t importsEnd(const CanonicalCode &code);

/// The snapshot of the imports at the beginning of a session's module, while they have not run.
class Snapshot {
public:
  /// `frame`: of the module's code, entered; `end`: of importsEnd().
  Snapshot(Session &session, ObjectId frame, uint32_t end);
  ~Snapshot();
  Snapshot(const Snapshot &) = delete;

  /// Is there a folder, and something to be taken?
  bool isOn() const { return !file.empty(); }
  /// Takes the place of running the imports; false: no snapshot holds, and nothing is changed.
  bool load();
  /// The imports have run: makes one, unless they were quick or left what cannot be written.
  void save();

private:
  struct Basis;
  bool describe(Basis &basis);
  bool holds(const Basis &basis);
  void write(const std::string &body);
  uint32_t lazyFile(llvm::StringRef name);

  Session &session;
  Engine &e;
  size_t filesBefore; ///< of those that the session has read
  std::string file;   ///< where it lies; empty: nowhere
  /// What there was before the imports ran.
  Heap::Mark mark = 0;
  ObjectId first = 0;
  /// Of files that it rests on, as they are now.
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> contents;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SNAPSHOT_H
