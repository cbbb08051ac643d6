//===- AddVariants.h - What an artefact was compiled from ----------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_ADDVARIANTS_H
#define PTC_TOOLS_PTC_ADDVARIANTS_H

#include "ptc/Driver/Pipeline.h"

namespace ptc::tool {

/// What an artefact keeps of the request that it is compiled from, as JSON: the program's hash, the
/// entry's name, arguments of its class, the type of elements asked for, how sizes are treated, a
/// hash of the weights, hashes of the files that capture read, the examples.
llvm::Expected<std::string> requestText(const PipelineOptions &options, llvm::StringRef entry,
                                        llvm::ArrayRef<std::string> files);

/// Options of capture that were given, and go before those of the old artefact.
struct GivenOptions {
  bool dynamic = false;
};

/// Puts the examples of the artefact at `path` before those of `options`, and takes entry and
/// options of capture from it where none are given. Errors: FileNotReadable, IrMalformed without
/// them, UsageError where program, entry, arguments of the class or weights are others.
llvm::Error addVariantsOf(const std::string &path, GivenOptions given, PipelineOptions &options);

/// UsageError where a file that capture read holds something else than what the artefact at `path`
/// was compiled from: old variants would become others. Errors: as above.
llvm::Error checkFilesOf(const std::string &path, const PipelineOptions &options,
                         llvm::ArrayRef<std::string> files);

/// The elements that --dtype names; without it those that the artefact at `path` has, if there is
/// one. Errors: as above; UsageError where both say something else.
llvm::Expected<std::optional<DType>> elementsFor(const std::string &name, const std::string &path);

/// The examples of `options`; without any those that the artefact at `input`, if it is one, was
/// compiled from, with other contents of tensors. Errors: as above.
llvm::Expected<std::vector<ExampleCall>> examplesFor(const std::string &input,
                                                     const PipelineOptions &options);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_ADDVARIANTS_H
