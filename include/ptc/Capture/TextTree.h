//===- TextTree.h - Text on the tape ----------------------------*- C++ -*-===//
//
// How a TapeArg says what text an operation or a result has: a Str is literal text, an SSA value or
// another constant is what a field shows, a List is a node whose first item is a TextNode.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_TEXTTREE_H
#define PTC_CAPTURE_TEXTTREE_H

#include <cstdint>

namespace ptc::capture {

enum class TextNode : uint8_t {
  Sequence, ///< the others, one after the other
  Field,    ///< Str of conversion and spec, what is shown
  Choice,   ///< selector, alternatives
};

} // namespace ptc::capture

#endif // PTC_CAPTURE_TEXTTREE_H
