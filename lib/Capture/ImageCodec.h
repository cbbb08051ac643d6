//===- ImageCodec.h - Bytes of images and snapshots ------------------------------*- C++ -*-===//
//
// Numbers are ULEB128, texts their length and bytes.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_IMAGECODEC_H
#define PTC_LIB_CAPTURE_IMAGECODEC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace ptc::capture {

struct Output {
  std::string data;
  llvm::raw_string_ostream os{data};
  void number(uint64_t n) { llvm::encodeULEB128(n, os); }
  void text(llvm::StringRef t) {
    number(t.size());
    os << t;
  }
};

/// Bytes that were written whole: who reads them has made sure.
class Bytes {
public:
  explicit Bytes(llvm::StringRef text) : at(text.bytes_begin()), end(text.bytes_end()) {}

  bool done() const { return at == end; }
  uint64_t number() {
    unsigned length = 0;
    uint64_t n = llvm::decodeULEB128(at, &length, end);
    at += length;
    return n;
  }
  llvm::StringRef text() {
    size_t length = number();
    assert(length <= size_t(end - at) && "bytes that were written whole");
    llvm::StringRef found(reinterpret_cast<const char *>(at), length);
    at += length;
    return found;
  }

private:
  const uint8_t *at, *end;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_IMAGECODEC_H
