//===- CallJson.h - Calls in the JSON notation ---------------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_CALLJSON_H
#define PTC_TOOLS_PTC_CALLJSON_H

#include "SizeSpec.h"

#include "ptc/Driver/Runner.h"

#include <set>

namespace ptc::tool {

/// Reads `--example` and `--call` files; a .jsonl file holds one call per line. Tensor files are
/// looked up beside the JSON file; what was read is added to `filesRead`. With `variants`, sizes
/// that have variants of their own make a call each, so many at most.
/// Errors: FileNotReadable, ExampleMalformed, those of tensor files.
llvm::Expected<std::vector<ExampleCall>>
readCalls(const std::string &path, std::set<std::string> &filesRead, size_t variants = 0);

/// A call as `--example` reads it: one line; of tensors their specs, not their contents.
std::string writeExample(const ExampleCall &call);
/// The call of such a text, as part of the file `path`. Errors: ExampleMalformed.
llvm::Expected<ExampleCall> parseExample(const std::string &text, const std::string &path);

/// Puts a part into an argument at a path as `.layers[0].keys` or `["mask"]`: lists grow by one,
/// dicts and objects get what they lack. Else why there is no such part.
std::string putPart(ExampleValue &whole, llvm::StringRef path, const ExampleValue &part);
bool isAttributeName(llvm::StringRef text);

/// The arguments of `--init`: `{"args": […], "kwargs": {…}}`, a list (args) or an object (kwargs).
llvm::Expected<ExampleCall> parseInit(const std::string &text, std::set<std::string> &filesRead);

/// A tensor of more elements than this is a typing error: no machine holds it.
inline constexpr int64_t kMaxElements = 1LL << 36;

/// Adds calls of `NAME=SPEC` texts: `x=f32[8,3]`, `x=f32[B in 1..64,512]`, `x=@x.npy`,
/// `x=@batch.safetensors` (the only tensor, else the one called x), `n=B` (an int that is a size),
/// or JSON; one, or one for each combination of sizes that have variants of their own, at most
/// `variants`. Errors: InputSpecMalformed, those of tensor files.
llvm::Error addInputs(std::vector<ExampleCall> &calls, llvm::ArrayRef<std::string> specs,
                      size_t variants, std::set<std::string> &filesRead);

/// Adds what `f32[B in 1..64,T]` says of sizes. Errors: a text.
llvm::Error addFacts(llvm::StringRef spec, SizeFacts &facts);

/// A tensor of a spec like `f32[2,3]`, drawn from `seed`; names have these numbers, and formulas of
/// dimensions go to `dims`. Errors: a text that says what is wrong.
llvm::Expected<HostTensor> tensorFromSpec(llvm::StringRef spec, uint64_t seed,
                                          const SizeValues &values, std::vector<std::string> &dims);

/// Of calls the one whose sizes are as they typically are; else the first.
const ExampleCall &typicalCall(llvm::ArrayRef<ExampleCall> calls);
/// The numbers that names of sizes have in a call.
SizeValues sizeValues(const ExampleCall &call);

/// Adds to `out` what `--save` writes for several calls: one JSON object (or one per line), tensors
/// beside it; null for a call that was not begun. Errors: OutputNotWritten.
llvm::Error saveReports(const std::string &path, llvm::ArrayRef<std::optional<CallReport>> reports,
                        bool lines, OutputFiles &out);
/// One call as JSON text without tensors' contents: for printing.
std::string describeValue(const ExampleValue &value);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_CALLJSON_H
