//===- Program.h - What capture found ---------------------------*- C++ -*-===//
//
// The result of capturing one entry from one example: a tape, what goes in, how it ends, the state
// that it carries from call to call, and what was assumed. Free of MLIR; Emit.cpp makes a
// `ptc.program` module of it.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_PROGRAM_H
#define PTC_CAPTURE_PROGRAM_H

#include "ptc/Capture/Tape.h"
#include "ptc/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace ptc::capture {

/// What torch's default generator starts with (c10::detail::default_rng_seed_val).
inline constexpr int64_t kDefaultSeed = 67280421310721;

/// A tensor known when the program was captured: torch.tensor([...]), a NumPy array.
struct TensorLiteral {
  ptc::DType dtype = ptc::DType::Float32;
  std::vector<int64_t> sizes;
  std::vector<char> data; ///< row-major
};

/// A place in the user's files, and the call that led there: 0 if it is the entry's own code.
struct SourcePlace {
  SourceLoc loc;
  SourceId caller = 0;
};

/// One leaf of the entry's arguments that is known only at run time.
struct ProgramInput {
  std::string path;       ///< as the user wrote it: `x`, `batch["mask"]`
  uint32_t leaf = 0;      ///< number of the leaf among all leaves of the arguments, depth first
  ValueId value = kUndef; ///< first arguments of the body
};

/// A symbol that is a size or stride of an input.
struct InputSymbol {
  sym::SymbolId symbol;
  uint32_t input;    ///< index into inputs; without a dimension into sizeExprs: a formula
  int32_t dimension; ///< + kStrideDimension: a stride; -1: none
};

/// A slot that changes from call to call.
struct ProgramState {
  std::string name; ///< "counter", "self.cache"
  ValueId argument; ///< argument of the body, behind the inputs
  TapeArg initial;  ///< value in the top block's scope; undef if the first call has none
};

/// One value of a result, or of an exception's arguments, as the caller gets it.
struct OutValue {
  enum class Kind : uint8_t {
    None,
    Bool,
    Int,
    Float,
    Str, ///< constant text
    Bytes,
    Other,       ///< dtype or device (`value`), or what has only a repr (`text`): a function …
    Template,    ///< string with run-time parts: `value` is its tree (TextTree.h)
    Scalar,      ///< run-time number: `value`
    Tensor,      ///< whole storage `storage`, or a view of it by `steps`
    RunTimeList, ///< run-time list: `value`
    Views, ///< list of views of `storage`: `value` is the list of the places where they begin,
           ///< `children` are their sizes, then their strides: numbers, or lists of such
    List,
    Tuple,  ///< `text`: class name of a named tuple or torch.Size; "*": of what the child, which is
            ///< a list, holds; else empty
    Dict,   ///< keys and values alternate
    Set,    ///< `text`: "frozenset", else empty
    Object, ///< instance: `text` is its class, children are name (Str) and value, alternating
    Choice, ///< `value` selects one of the children
    Same,   ///< the object numbered `identity` again
  };
  Kind kind = Kind::None;
  TapeArg value;
  std::string text;
  uint32_t identity = 0; ///< of a mutable object: equal numbers are one object; 0: immutable
  uint32_t storage = 0;  ///< index into ProgramExit::storages
  TapeArg steps;         ///< list of view steps as in AtenView; empty list: the whole storage
  int64_t offset = -1;   ///< of such a view, as AtenView has it; -1: not known
  TapeValue type;        ///< of a tensor
  std::vector<OutValue> children;
};

/// Contents of one storage when the program ends.
struct OutStorage {
  TapeArg contents;
  int32_t input = -1;   ///< the storage of this input (index into inputs), else fresh
  bool written = false; ///< the input's contents changed
  /// In eager it is state of the program that later calls write in place, or may write when they
  /// get it as an argument. Callers have a copy.
  bool kept = false;
};

/// One way in which the body ends.
struct ProgramExit {
  bool raised = false;
  OutValue result; ///< raised: (Object, its text, (file, line)), or a choice of such
  std::vector<OutStorage> storages;
  std::vector<std::pair<std::string, OutValue>>
      mutatedInputs; ///< containers of the caller that changed
  SourceLoc raisedAt;
};

/// A row of World.def that a program used.
struct WorldUse {
  std::string name;   ///< "sys.platform"
  std::string answer; ///< as Python's repr
  std::string reason;
  SourceLoc loc; ///< of the first use
};

/// Added to a dimension's number where its stride is meant.
inline constexpr int32_t kStrideDimension = 1000;

/// What gives a symbol its value at run time: an int of the tape (`dimension` is -1), or a
/// dimension of a tensor on the tape.
struct SymbolBinding {
  ValueId value;
  int32_t dimension;
};

/// A guard on what the entry was given, as text until the guard library represents it.
struct Program {
  std::string entry;
  Tape tape;
  TapeBlock top; ///< runs once per context: literals, weights, constants computed at load
  std::unique_ptr<TapeBlock> body;
  std::vector<ProgramInput> inputs;
  std::vector<InputSymbol> inputSymbols;
  std::vector<sym::Expr> sizeExprs;                      ///< what SizeExpr's attribute counts in
  llvm::DenseMap<sym::SymbolId, SymbolBinding> bindings; ///< of run-time symbols
  std::shared_ptr<sym::Context> sizes;
  std::vector<ProgramState> states;
  /// next[exit][state]: the state's value after that exit.
  std::vector<std::vector<TapeArg>> next;
  std::vector<ProgramExit> exits;
  TapeArg exitSelector; ///< index into exits, in the body's scope
  std::vector<TensorLiteral> literals;
  std::vector<std::string> weights; ///< state-dict names that Weight operations use
  std::vector<SourcePlace> sources; ///< by SourceId; row 0: unknown
  SourceId definedAt = 0;           ///< the entry's first line
  struct Assumption {
    std::string text;
    SourceLoc loc;
  };
  struct Counts {
    uint64_t ops = 0, depth = 0, steps = 0, forks = 0, turns = 0;
    uint64_t countedSteps = 0; ///< against CaptureLimits::steps: joins count, too
  } counts;
};

} // namespace ptc::capture

#endif // PTC_CAPTURE_PROGRAM_H
