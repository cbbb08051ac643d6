//===- ByProcessor.h - Where eager's answer depends on the processor -*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_BYPROCESSOR_H
#define PTC_DIALECT_ATEN_IR_BYPROCESSOR_H

#include "ptc/Dialect/Aten/IR/OpTable.h"

namespace ptc::aten {

/// What of eager's answer depends on the processor that it runs on; described in AtenBase.td.
enum class ProcessorRule : uint8_t {
#define PTC_ATEN_PROCESSOR_RULE(Name, Text) Name,
#define PTC_ATEN_BY_PROCESSOR(Id, Name)
#include "ptc/Dialect/Aten/IR/AtenProcessors.inc"
};

/// That of the overload's record.
ProcessorRule getProcessorRule(OpId id);
/// What eager answers on which processor, and what ptc answers on all.
llvm::StringRef toString(ProcessorRule rule);

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_BYPROCESSOR_H
