//===- Modes.h - What eager does beside computing -----------------*- C++ -*-===//
#ifndef PTC_LIB_CAPTURE_MODES_H
#define PTC_LIB_CAPTURE_MODES_H

#include "Engine.h"

#include "ptc/Dialect/Aten/IR/Meta.h"

namespace ptc::capture {

/// Where the program looks at warnings (lib/Prelude/warnings.py): refuses what eager warns of,
/// since most such warnings are given once in a process.
Flow checkWarning(Engine &e, const llvm::Twine &what);
/// The same of a call of an operation that warns for some arguments.
Flow checkWarnings(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound);

/// What a call gave. Where the program asked for deterministic algorithms, eager fills memory that
/// nothing was written to.
Value filledIfDeterministic(Engine &e, const aten::OpInfo &op, Value result);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_MODES_H
