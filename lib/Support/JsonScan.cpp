//===- JsonScan.cpp - What to know of JSON before it is parsed ---------------------===//
//
// In: text. Out: how deeply it nests, how many members its objects have.
//
//===----------------------------------------------------------------------===//
#include "ptc/Support/JsonScan.h"

#include <algorithm>

using namespace ptc;

JsonScan ptc::scanJson(llvm::StringRef text) {
  JsonScan scan;
  size_t depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == ':') {
      ++scan.members;
    } else if (c == '{' || c == '[') {
      scan.depth = std::max(scan.depth, ++depth);
    } else if ((c == '}' || c == ']') && depth-- == 0) {
      scan.overclosed = true;
      return scan;
    }
  }
  return scan;
}
