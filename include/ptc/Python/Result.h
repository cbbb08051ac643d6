//===- Result.h - A value or the Python exception instead of it -*- C++ -*-===//
//
// What the functions of lib/Python return where CPython can raise. `text` is what str(exc) gives in
// CPython 3.11; texts that every later version agrees on instead are taken from those.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_RESULT_H
#define PTC_PYTHON_RESULT_H

#include "llvm/ADT/StringRef.h"

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace ptc::py {

enum class ExcKind : uint8_t {
  ValueError,
  TypeError,
  OverflowError,
  ZeroDivisionError,
  IndexError,
  KeyError,
  LookupError,
  UnicodeEncodeError,
  UnicodeDecodeError,
  MemoryError,
  /// No exception of Python: CPython would go on, but the result is beyond what ptc computes at
  /// compile time (kMaxIntBits, kMaxStrBytes). The engine makes it a diagnostic.
  Limit,
};

/// The class name of `kind`, as Python prints it ("Limit" for ExcKind::Limit).
llvm::StringRef getExcName(ExcKind kind);

/// What a codec could not convert: the members of UnicodeEncodeError and UnicodeDecodeError.
struct UnicodeFault {
  std::string encoding;
  std::string object; ///< the bytes, or the str as UTF-8 with surrogates
  size_t start, end;
  std::string reason;
};

struct [[nodiscard]] Raised {
  ExcKind kind;
  std::string text;
  /// Of a UnicodeEncodeError and UnicodeDecodeError.
  std::shared_ptr<const UnicodeFault> fault = nullptr;
};

/// Either a T or what was raised. Unlike llvm::Expected it may be dropped: nothing is lost by it.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Raised raised) : state(std::in_place_index<1>, std::move(raised)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() & { return get(); }
  T &&operator*() && { return std::move(get()); }
  const T &operator*() const & { return const_cast<Result *>(this)->get(); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &const_cast<Result *>(this)->get(); }

  const Raised &error() const & {
    assert(state.index() == 1 && "no exception here");
    return *std::get_if<1>(&state);
  }
  Raised error() && {
    assert(state.index() == 1 && "no exception here");
    return std::move(*std::get_if<1>(&state));
  }

private:
  T &get() {
    assert(state.index() == 0 && "an exception was raised");
    return *std::get_if<0>(&state);
  }
  std::variant<T, Raised> state;
};

/// The largest int that is computed here, in bits of its magnitude.
inline constexpr size_t kMaxIntBits = size_t(1) << 20;
/// The longest str or bytes that is computed here, in bytes.
inline constexpr size_t kMaxStrBytes = size_t(1) << 28;

} // namespace ptc::py

#endif // PTC_PYTHON_RESULT_H
