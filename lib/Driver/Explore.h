//===- Explore.h - --explore ----------------------------------------*- C++ -*-===//
#ifndef PTC_LIB_DRIVER_EXPLORE_H
#define PTC_LIB_DRIVER_EXPLORE_H

#include "ptc/Driver/Pipeline.h"

namespace ptc {

/// Runs the phases with the examples of `options` and, for each branch that their guards decided,
/// an example that takes the other side, as long as there are new ones. A side that cannot be
/// compiled becomes a note in the result, or one of `left` if there is none.
llvm::Expected<CompiledProgram>
explore(const PipelineOptions &options,
        llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> run,
        std::vector<Diagnostic> *left = nullptr);

/// The same for a program that narrows its declared sizes, as `why` says: with variants that take
/// every call of the declared inputs, or the errors of `why`.
llvm::Expected<CompiledProgram>
coverRanges(const PipelineOptions &options, std::vector<Diagnostic> why,
            llvm::function_ref<llvm::Expected<CompiledProgram>(const PipelineOptions &)> run);

} // namespace ptc

#endif // PTC_LIB_DRIVER_EXPLORE_H
