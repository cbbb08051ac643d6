//===- ByProcessor.cpp - Where eager's answer depends on the processor ------===//
//
// In: an overload. Out: the rule of its record, and its text.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/ByProcessor.h"

#include "llvm/Support/ErrorHandling.h"

using namespace ptc::aten;

ProcessorRule ptc::aten::getProcessorRule(OpId id) {
  switch (id) {
#define PTC_ATEN_PROCESSOR_RULE(Name, Text)
#define PTC_ATEN_BY_PROCESSOR(Id, Name)                                                            \
  case OpId::Id:                                                                                   \
    return ProcessorRule::Name;
#include "ptc/Dialect/Aten/IR/AtenProcessors.inc"
  default:
    return ProcessorRule::SameOnAll;
  }
}

llvm::StringRef ptc::aten::toString(ProcessorRule rule) {
  switch (rule) {
#define PTC_ATEN_PROCESSOR_RULE(Name, Text)                                                        \
  case ProcessorRule::Name:                                                                        \
    return Text;
#define PTC_ATEN_BY_PROCESSOR(Id, Name)
#include "ptc/Dialect/Aten/IR/AtenProcessors.inc"
  }
  llvm_unreachable("closed enum");
}
