//===- JsonScan.h - What to know of JSON before it is parsed -----*- C++ -*-===//
//
// Parsers of JSON and what walks their values recurse: text from outside is scanned first.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_SUPPORT_JSONSCAN_H
#define PTC_SUPPORT_JSONSCAN_H

#include "llvm/ADT/StringRef.h"

namespace ptc {

struct JsonScan {
  size_t depth = 0;        ///< of the most deeply nested array or object
  size_t members = 0;      ///< of all objects, keys that occur twice included
  bool overclosed = false; ///< a bracket closes what none opened; the scan ends there
};

/// One pass without recursion; what is no JSON at all is left to the parser.
JsonScan scanJson(llvm::StringRef text);

} // namespace ptc

#endif // PTC_SUPPORT_JSONSCAN_H
