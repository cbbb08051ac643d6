//===- CallJson.h - Calls in the JSON notation ---------------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_CALLJSON_H
#define PTC_TOOLS_PTC_CALLJSON_H

#include "ptc/Driver/Runner.h"

#include <map>
#include <set>

namespace ptc::tool {

/// Reads `--example` and `--call` files; a .jsonl file holds one call per line. Tensor files are
/// looked up beside the JSON file; what was read is added to `filesRead`.
/// Errors: FileNotReadable, ExampleMalformed, those of tensor files.
llvm::Expected<std::vector<ExampleCall>> readCalls(const std::string &path,
                                                   std::set<std::string> &filesRead);

/// A call as `--example` reads it: one line; of tensors their specs, not their contents.
std::string writeExample(const ExampleCall &call);
/// The call of such a text, as part of the file `path`. Errors: ExampleMalformed.
llvm::Expected<ExampleCall> parseExample(const std::string &text, const std::string &path);

/// The arguments of `--init`: `{"args": […], "kwargs": {…}}`, a list (args) or an object (kwargs).
llvm::Expected<ExampleCall> parseInit(const std::string &text, std::set<std::string> &filesRead);

/// A tensor of more elements than this is a typing error: no machine holds it.
inline constexpr int64_t kMaxElements = 1LL << 36;

/// Names of sizes, with the ranges that tensors of a call declare for them.
using DeclaredRanges = std::map<std::string, DeclaredDim, std::less<>>;

/// Adds `NAME=SPEC` to a call: `x=f32[8,3]`, `x=f32[B in 1..64,512]`, `x=@x.npy`,
/// `x=@batch.safetensors` (the only tensor, else the one called x), or JSON. Errors:
/// InputSpecMalformed, those of tensor files.
/// `ranges`: of all inputs of the call.
llvm::Error addInput(ExampleCall &call, const std::string &spec, const DeclaredRanges &ranges,
                     std::set<std::string> &filesRead);

/// Adds what `f32[B in 1..64,T]` says of the names of sizes. A name that has a range twice keeps
/// the first here; what contradicts it is found when the call is captured.
void addRanges(llvm::StringRef spec, DeclaredRanges &ranges);

/// A tensor of a spec like `f32[2,3]`, drawn from `seed`; named dimensions go to `dims`.
/// Errors: a text that says what is wrong.
llvm::Expected<HostTensor> tensorFromSpec(llvm::StringRef spec, uint64_t seed,
                                          const DeclaredRanges &ranges,
                                          std::vector<DeclaredDim> &dims);

/// Adds to `out` what `--save` writes for several calls: one JSON object (or one per line), tensors
/// beside it; null for a call that was not begun. Errors: OutputNotWritten.
llvm::Error saveReports(const std::string &path, llvm::ArrayRef<std::optional<CallReport>> reports,
                        bool lines, OutputFiles &out);
/// One call as JSON text without tensors' contents: for printing.
std::string describeValue(const ExampleValue &value);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_CALLJSON_H
