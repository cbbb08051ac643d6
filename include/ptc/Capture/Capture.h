//===- Capture.h - From a .pyc to captured programs ---------------*- C++ -*-===//
//
// What the driver asks of capture, and what it gets. One request captures one entry, one variant
// per distinct set of assumptions among its examples.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_CAPTURE_H
#define PTC_CAPTURE_CAPTURE_H

#include "ptc/Bytecode/Reader.h"
#include "ptc/Capture/Interpreter.h"
#include "ptc/Capture/Program.h"
#include "ptc/Symbolic/Guard.h"
#include "ptc/TensorFile/Example.h"
#include "ptc/TensorFile/TensorFile.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ptc::capture {

/// Limits that users may set; hitting one is a diagnostic of the 5000s.
struct CaptureLimits {
  uint64_t steps = 200'000'000;
  uint32_t depth = 1000;
  uint64_t objects = 50'000'000;
  uint32_t unroll = 100'000;
  uint32_t choices = 16; ///< at most kMostChoices
  /// What a join counts for in `steps`: it costs about as much as so many instructions, and a
  /// program whose decisions multiply runs few of them.
  uint64_t stepsPerJoin = 10'000;
  /// Where one is hit, numbers among the arguments do not become constants instead.
  bool areFinal = false;
};
inline constexpr uint32_t kMostChoices = 64; ///< what a path knows of one selector is a word

/// Which sizes become symbols (capture.md, "Inputs").
enum class DynamicMode : uint8_t { None, Auto, All };

struct CaptureRequest {
  std::string file; ///< a .pyc, or bare marshal data
  /// Where the code comes from instead of `file`, which then only names it; called once the builtin
  /// world stands.
  std::function<llvm::Expected<std::unique_ptr<CodeFile>>()> read;
  std::string entry;                    ///< empty: the only candidate
  std::string pythonVersion;            ///< of bare marshal data: "3.11"
  std::vector<std::string> includeDirs; ///< -I
  std::vector<std::string> absent;      ///< modules that are not there, whoever has them
  std::vector<std::string> opaque;      ///< modules that are there, and have no model
  std::vector<std::pair<std::string, std::string>> environment; ///< --env: name and value
  std::optional<bool> training; ///< the mode of the entry's module: --train, --eval; none: it stays
  ExampleCall init;             ///< arguments of the class, if the entry is one
  std::vector<ExampleCall> examples;
  DynamicMode dynamic = DynamicMode::Auto;
  /// A declared size that the program narrows becomes a variant, not an error.
  bool allowNarrowing = false;
  /// One variant more, of the first example, in which every size is a symbol without bounds and
  /// only what the program itself asks is a guard: for calls that no other fits.
  bool general = false;
  CaptureLimits limits;
  /// What `Module.to` makes of the entry's module before weights are bound; none: it stays.
  std::optional<DType> dtype;
  /// The weight file's tensors by state-dict name; empty without --weights.
  std::vector<NamedTensor> weights;
};

/// What a call of a class gives the objects among the arguments, of which only some attributes are
/// arguments.
struct MadeAttribute {
  std::string object; ///< the class and what it is called with: objectClass() of an argument
  std::string name;
  std::string value; ///< repr() of a constant; empty: it is none
};

/// A distribution in a folder of -I of which files were read, and these files.
struct PackageRead {
  std::string name, version; ///< as its METADATA has them
  std::string metadata{};    ///< the path of that
  std::vector<std::string> files{};
};

struct CapturedEntry {
  /// In order of preference; all of one entry.
  std::vector<std::unique_ptr<Program>> variants;
  std::unique_ptr<sym::ObservableSpace> observables;
  std::vector<sym::GuardSet> guards; ///< by variant
  std::vector<std::string> sizes;    ///< what was declared of sizes, a line for each name and fact
  std::optional<double> typicalSize; ///< of what was said to be typical of them
  sym::GuardSet domain;              ///< the same as guards; empty where examples differ in it
  /// Of the domain what is not declared all the same, as variants: gaps of sets.
  std::vector<sym::GuardSet> outside;
  std::vector<std::string> parameters;          ///< names of the entry's parameters, without self
  std::optional<std::string> signature;         ///< as in the manifest; of Python functions
  std::vector<WorldUse> world;                  ///< rows of World.def that the program used
  std::vector<Program::Assumption> assumptions; ///< taken from outside the code
  std::vector<std::string> filesRead;           ///< for depfiles
  std::vector<PackageRead> packages;            ///< that these are of, by name
  std::vector<NamedTensor> loaded; ///< weights from files that the program itself loads
  std::vector<MadeAttribute> made; ///< by class
  std::vector<Diagnostic> notes;   ///< what the user should know of a program that compiles
};

/// The builtin modules as they stand before a program is read. One serves any number of captures
/// one after the other: each finds it as it was made.
class BuiltinWorld {
public:
  /// `modules`: of the prelude, such as "torch.nn", that are imported already.
  static llvm::Expected<BuiltinWorld> make(llvm::ArrayRef<std::string> modules = {});
  BuiltinWorld(BuiltinWorld &&) noexcept;
  ~BuiltinWorld();

private:
  friend class Session;
  struct State;
  explicit BuiltinWorld(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// What one capture leaves for the next of the same entry: the state of the program behind imports
/// and the making of the model. The requests differ in their examples, in `dynamic`,
/// `allowNarrowing`, `general`, and in limits, which hold for the calls.
class Preparation {
public:
  Preparation();
  /// In a world of the caller's.
  explicit Preparation(BuiltinWorld &world);
  ~Preparation();

private:
  friend llvm::Expected<CapturedEntry> captureEntry(const CaptureRequest &, Preparation &);
  struct State;
  std::unique_ptr<State> state;
};

/// Errors: all refusals of the run, joined.
llvm::Expected<CapturedEntry> captureEntry(const CaptureRequest &request);
llvm::Expected<CapturedEntry> captureEntry(const CaptureRequest &request, BuiltinWorld &world);
llvm::Expected<CapturedEntry> captureEntry(const CaptureRequest &request, Preparation &prepared);

/// Runs a tensor-free .pyc as `python FILE` does, printing as it goes.
llvm::Expected<PythonResult> runPython(const CaptureRequest &request, BuiltinWorld &world,
                                       llvm::raw_ostream &out, llvm::raw_ostream &err);
llvm::Expected<PythonResult> runPython(const CaptureRequest &request, llvm::raw_ostream &out,
                                       llvm::raw_ostream &err);

} // namespace ptc::capture

#endif // PTC_CAPTURE_CAPTURE_H
