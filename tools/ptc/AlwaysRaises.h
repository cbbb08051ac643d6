//===- AlwaysRaises.h - Programs that only raise -----------------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_ALWAYSRAISES_H
#define PTC_TOOLS_PTC_ALWAYSRAISES_H

#include "ptc/Driver/Pipeline.h"

namespace ptc::tool {

/// Does no call of the program return?
bool raisesAlways(const CompiledProgram &program);

/// A ProgramRaised for each variant of which all calls end in an exception, at its line: that is
/// mostly a mistake in the program. Texts that depend on the call have `…` for what does.
std::vector<Diagnostic> findAlwaysRaised(const CompiledProgram &program,
                                         llvm::ArrayRef<ExampleCall> examples);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_ALWAYSRAISES_H
