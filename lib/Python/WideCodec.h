//===- WideCodec.h - UTF-16 and UTF-32 -*- C++ -*-===//
#ifndef PTC_LIB_PYTHON_WIDECODEC_H
#define PTC_LIB_PYTHON_WIDECODEC_H

#include "ptc/Python/Result.h"
#include "ptc/Python/Text.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ptc::py {

/// UTF-16 or UTF-32. Without an order of bytes in the name, a byte order mark gives it.
struct WideCodec {
  unsigned unit; ///< bytes: 2 or 4
  enum class Order : uint8_t { Mark, Little, Big } order;
  std::string name() const;
};

/// By the encoding's name in lower case with underscores.
std::optional<WideCodec> findWideCodec(llvm::StringRef key);
/// Error handlers other than strict, ignore, replace and surrogatepass are a Limit.
/// text[start, end) or bytes[start, end) that a codec cannot convert.
Raised encodeError(llvm::StringRef codec, std::u32string_view text, size_t start, size_t end,
                   llvm::StringRef reason);
Raised decodeError(llvm::StringRef codec, std::string_view bytes, size_t start, size_t end,
                   llvm::StringRef reason);

Result<std::string> encodeWide(WideCodec codec, std::u32string_view text, llvm::StringRef errors);
Result<Str> decodeWide(WideCodec codec, std::string_view bytes, llvm::StringRef errors);

} // namespace ptc::py

#endif // PTC_LIB_PYTHON_WIDECODEC_H
