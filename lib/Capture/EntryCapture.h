//===- EntryCapture.h - Captures an entry from its examples ----------------------*- C++ -*-===//
//
// The state of one capture: Capture.cpp runs the entry, EntryArguments.cpp makes what it is called
// with, EntryObjects.cpp the objects among it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_ENTRYCAPTURE_H
#define PTC_LIB_CAPTURE_ENTRYCAPTURE_H

#include "CallLoop.h"
#include "PreparedEntry.h"
#include "SizeLoops.h"

#include "ptc/Capture/Observe.h"
#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace ptc::capture {
namespace sym = ptc::sym;

/// One example while it is captured.
struct Example {
  const ExampleCall *call;
  sym::Observation seen;
  std::unique_ptr<sym::ShapeEnv> shapes;
  bool isGeneral = false; ///< see CaptureRequest::general
};

/// What an object among the arguments is made of beside the attributes that are given.
struct ObjectClass {
  ObjectId cls = 0;
  std::vector<std::pair<NameId, Value>> attributes; ///< of what a call of the class made
};

/// What only a capture finds out, and the next one begins with.
struct Findings {
  LateImports imports;
  std::vector<sym::DimMark> marks;    ///< what the program says about sizes
  bool cachesAreState = false;        ///< of functools.lru_cache (CallCaches.h)
  RunState::Shown shown;              ///< of results for which no size was asked
  std::vector<UnrolledLoop> unrolled; ///< loops over sizes that do not close
  bool folds = false;                 ///< numbers in a call that follow from constants are known
  bool unrollsAll = false;            ///< none of them is one of the run
  bool unrollsKnown = false;          ///< nor is one with a known number of turns
  size_t size() const {
    return marks.size() + cachesAreState + shown.idleStrides + shown.sharing + unrolled.size();
  }
};

/// Captures an entry from its examples.
class EntryCapture {
public:
  /// `refused`: why numbers among the arguments cannot be run-time values; null: they can.
  /// `known`: what earlier captures found out.
  EntryCapture(const CaptureRequest &request, PreparedEntry &entry, const Diagnostic *refused,
               const Findings &known)
      : entry(entry), request(request), refused(refused), known(known) {}

  llvm::Expected<CapturedEntry> run();
  /// Adds what this capture found and did not know; false: nothing.
  bool addFindings(Findings &all) const;
  /// Is a loop one of the run because a size counts it?
  bool loopsOverSizes() const { return e.sizeLoops && e.sizeLoops->isUsed(); }
  /// Does the program show that elements of a list of the run, which copies them, are views?
  bool showsListedViews() const { return e.shows.listedViews && !known.shown.listedViews; }
  /// Is a loop one of the run although the number of its turns is known?
  bool rollsKnownLoops() const { return e.sizeLoops && e.sizeLoops->hasRolled(); }
  /// Did a number or a size follow from constants that was taken for one of the run?
  bool hasFoldable() const { return e.hasFoldable && !known.folds; }
  bool hitLimit() const { return e.hitLimit; }
  /// Were numbers among the arguments run-time values?
  bool hasRunTimeNumbers = false;

private:
  void checkImports(llvm::ArrayRef<CallVariant> variants, const llvm::DenseSet<SlotKey> &memos);
  llvm::Error checkFit(const ExampleCall &call);
  llvm::Error observeExamples(CapturedEntry &captured);
  llvm::Error declareDomain(CapturedEntry &captured);
  CallArgs makeArguments(CallLoop &loop, Example &example);
  Value argument(CallLoop &loop, const std::string &path, const ExampleValue &v);
  Value numberArgument(CallLoop &loop, const std::string &path, const ExampleValue &v);
  Value tensorArgument(CallLoop &loop, const std::string &path, const ExampleValue &v);
  Value objectArgument(const ExampleValue &v, llvm::ArrayRef<Value> parts);
  llvm::Error findClasses(const std::string &path, const ExampleValue &v);
  llvm::Error findClass(const std::string &path, const ExampleValue &v);
  llvm::Error addMadeAttributes(ObjectClass &found, const ExampleValue &v, std::string &why);
  bool isCovered(size_t index, llvm::ArrayRef<CallVariant> variants);
  llvm::Error finish(CapturedEntry &captured, llvm::MutableArrayRef<CallVariant> variants,
                     const llvm::DenseSet<SlotKey> &memos);
  std::vector<InputSymbol> inputSymbols(const Example &example, const Program &program);
  SourceLoc firstUse(llvm::StringRef path, const llvm::BitVector &ran) const;
  sym::GuardSet placeGuards(const sym::GuardSet &guards, const llvm::BitVector &ran) const;
  void checkMarks(const Example &example, const sym::GuardSet &guards);
  const sym::Guard *guardOfSize(const sym::Observable &size, const sym::GuardSet &guards);
  /// Types and sizes have numbers for symbols that are one number under the guards.
  void fixSizes(llvm::MutableArrayRef<CallVariant> variants);
  void noteFixedSizes(const Example &example, const Program &program, const sym::GuardSet &guards);

  PreparedEntry &entry;
  Session &session = entry.session;
  Engine &e = session.engine;
  const CaptureRequest &request;
  const Diagnostic *refused;
  const Findings &known;
  sym::ObservableSpace *space = nullptr;
  sym::DynamicDims dims, generalDims;
  std::vector<ExampleCall> calls;
  std::deque<Example> examples;
  llvm::DenseMap<const ExampleValue *, ObjectClass> objectClasses; ///< of objects in `calls`
  std::vector<MadeAttribute> made;
  /// Of all variants and of the state that they share.
  std::shared_ptr<sym::Context> sizes = std::make_shared<sym::Context>();
  std::vector<Diagnostic> notes;

  // While the arguments of an example are made:
  uint32_t nextLeaf = 0;
  sym::ShapeEnv *shapes = nullptr;
  /// Tensors so far, with what they became.
  std::vector<std::pair<CallLeaf, Value>> tensors;
};
} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_ENTRYCAPTURE_H
