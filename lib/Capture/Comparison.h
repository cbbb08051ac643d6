//===- Comparison.h - A comparison of two constants of one type --------------------------===//
#ifndef PTC_LIB_CAPTURE_COMPARISON_H
#define PTC_LIB_CAPTURE_COMPARISON_H

#include "ptc/Bytecode/Instr.h"

#include "llvm/Support/ErrorHandling.h"

namespace ptc::capture {

template <typename T> bool compareAs(CompareOp op, const T &a, const T &b) {
  switch (op) {
  case CompareOp::Lt:
    return a < b;
  case CompareOp::Le:
    return a <= b;
  case CompareOp::Eq:
    return a == b;
  case CompareOp::Ne:
    return a != b;
  case CompareOp::Gt:
    return a > b;
  case CompareOp::Ge:
    return a >= b;
  }
  llvm_unreachable("closed enum");
}

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_COMPARISON_H
