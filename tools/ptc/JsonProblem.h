//===- JsonProblem.h - What is wrong with JSON, in words for its author -*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_JSONPROBLEM_H
#define PTC_TOOLS_PTC_JSONPROBLEM_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ptc::tool {

struct JsonProblem {
  uint32_t line, column; ///< from 1, in bytes
  std::string text;      ///< what was expected and what is there
  std::string hint;      ///< what to write instead; may be empty
};

/// The first place where `text` is no JSON value (RFC 8259; UTF-8; numbers that a double or an int
/// holds). It recurses: nesting must have been bounded before.
std::optional<JsonProblem> findJsonProblem(llvm::StringRef text);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_JSONPROBLEM_H
