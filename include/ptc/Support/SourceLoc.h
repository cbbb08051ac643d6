//===- SourceLoc.h - A place in the user's Python file ----------*- C++ -*-===//
#ifndef PTC_SUPPORT_SOURCELOC_H
#define PTC_SUPPORT_SOURCELOC_H

#include <cstdint>
#include <string>

namespace ptc {

/// A range of characters in the user's file. Lines count from 1; columns count from 1 in UTF-8
/// bytes; 0 means "not known". CPython's line tables (co_positions) give columns from 0.
struct SourceLoc {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;

  bool isKnown() const { return !file.empty(); }
  bool operator==(const SourceLoc &) const = default;
};

} // namespace ptc

#endif // PTC_SUPPORT_SOURCELOC_H
