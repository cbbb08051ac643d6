//===- CodeObject.h - Code objects and constants of a .pyc ------*- C++ -*-===//
//
// The immutable tree that the reader makes. All of it (texts included) is owned by the CodeFile;
// constants that the file shares are shared here, so identity is the file's identity.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_BYTECODE_CODEOBJECT_H
#define PTC_BYTECODE_CODEOBJECT_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ptc {

struct CanonicalCode;

/// One enumerator per row of Versions.def, in order of release.
enum class PythonVersion : uint8_t {
#define PTC_PYTHON(Minor, ...) Py3##Minor,
#include "ptc/Bytecode/Versions.def"
};

/// "3.13".
llvm::StringRef getVersionName(PythonVersion version);
/// By name ("3.13"); none if there is no such row.
std::optional<PythonVersion> parseVersionName(llvm::StringRef name);

enum class ConstKind : uint8_t {
  None,
  Ellipsis,
  Bool,
  Int,
  Float,
  Complex,
  Str,
  Bytes,
  Tuple,
  FrozenSet,
  Slice,
  Code
};

/// Base of the closed sum; use llvm::cast and llvm::dyn_cast. None and Ellipsis have no more.
struct Constant {
  ConstKind kind;

  bool isNone() const { return kind == ConstKind::None; }

  constexpr explicit Constant(ConstKind kind) : kind(kind) {}
};

template <ConstKind K> struct ConstantOf : Constant {
  static bool classof(const Constant *c) { return c->kind == K; }

protected:
  constexpr ConstantOf() : Constant(K) {}
};

struct BoolConstant : ConstantOf<ConstKind::Bool> {
  bool value;
  constexpr explicit BoolConstant(bool value) : value(value) {}
};

/// Of any size: sign and magnitude; `words` are 64-bit, least significant first, without leading
/// zeros (0 has none).
struct IntConstant : ConstantOf<ConstKind::Int> {
  bool negative;
  llvm::ArrayRef<uint64_t> words;
  constexpr IntConstant(bool negative, llvm::ArrayRef<uint64_t> words)
      : negative(negative), words(words) {}

  std::optional<int64_t> asInt64() const;
  /// Two's complement, as wide as needed (at least 64 bits).
  llvm::APInt asAPInt() const;
};

struct FloatConstant : ConstantOf<ConstKind::Float> {
  double value;
  explicit FloatConstant(double value) : value(value) {}
};

struct ComplexConstant : ConstantOf<ConstKind::Complex> {
  double real, imag;
  ComplexConstant(double real, double imag) : real(real), imag(imag) {}
};

/// UTF-8; a lone surrogate is the three bytes that UTF-8 would give its code point (WTF-8).
struct StrConstant : ConstantOf<ConstKind::Str> {
  llvm::StringRef text;
  bool isAscii;
  constexpr StrConstant(llvm::StringRef text, bool isAscii) : text(text), isAscii(isAscii) {}
};

struct BytesConstant : ConstantOf<ConstKind::Bytes> {
  llvm::StringRef data;
  explicit BytesConstant(llvm::StringRef data) : data(data) {}
};

struct TupleConstant : ConstantOf<ConstKind::Tuple> {
  llvm::ArrayRef<const Constant *> items;
  explicit TupleConstant(llvm::ArrayRef<const Constant *> items) : items(items) {}
};

struct FrozenSetConstant : ConstantOf<ConstKind::FrozenSet> {
  llvm::ArrayRef<const Constant *> items; ///< in the order of the file
  explicit FrozenSetConstant(llvm::ArrayRef<const Constant *> items) : items(items) {}
};

/// From 3.14 on.
struct SliceConstant : ConstantOf<ConstKind::Slice> {
  const Constant *start, *stop, *step;
  SliceConstant(const Constant *start, const Constant *stop, const Constant *step)
      : start(start), stop(stop), step(step) {}
};

/// Bits of co_flags (Include/cpython/code.h).
enum CodeFlag : uint32_t {
  CO_OPTIMIZED = 0x1,
  CO_NEWLOCALS = 0x2,
  CO_VARARGS = 0x4,
  CO_VARKEYWORDS = 0x8,
  CO_NESTED = 0x10,
  CO_GENERATOR = 0x20,
  CO_COROUTINE = 0x80,
  CO_ITERABLE_COROUTINE = 0x100,
  CO_ASYNC_GENERATOR = 0x200,
  CO_FUTURE_ANNOTATIONS = 0x1000000,
  CO_HAS_DOCSTRING = 0x4000000, ///< from 3.14 on; before, consts[0] is a str
  CO_METHOD = 0x8000000,
};

/// One slot of co_localsplus: parameters first, in order, then locals, cells, free variables.
struct LocalSlot {
  llvm::StringRef name;
  bool isLocal;  ///< has a value of its own: a parameter or local, perhaps a cell as well
  bool isCell;   ///< MAKE_CELL turns it into a cell
  bool isFree;   ///< holds the closure's cell when the frame starts
  bool isHidden; ///< only inside an inlined comprehension
  bool holdsCell() const { return isCell || isFree; }
};

/// A code object; fields as in CPython's co_*.
struct CodeObject : ConstantOf<ConstKind::Code> {
  CodeObject();
  ~CodeObject();
  CodeObject(const CodeObject &) = delete;

  PythonVersion version{};
  uint32_t argCount = 0; ///< positional parameters, those of posOnlyArgCount included
  uint32_t posOnlyArgCount = 0;
  uint32_t kwOnlyArgCount = 0;
  uint32_t stackSize = 0;
  uint32_t flags = 0;
  llvm::ArrayRef<uint8_t> code;
  llvm::ArrayRef<const Constant *> consts;
  llvm::ArrayRef<llvm::StringRef> names;
  llvm::ArrayRef<LocalSlot> locals; ///< co_localsplusnames and co_localspluskinds
  llvm::StringRef fileName, name, qualName;
  uint32_t firstLine = 0;
  llvm::ArrayRef<uint8_t> lineTable;
  llvm::ArrayRef<uint8_t> exceptionTable;

  bool hasFlag(CodeFlag flag) const { return flags & flag; }
  bool isGeneratorLike() const {
    return flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE);
  }
  /// Slots that the call fills: positional, keyword-only, *args, **kwargs, in this order.
  uint32_t parameterCount() const {
    return argCount + kwOnlyArgCount + hasFlag(CO_VARARGS) + hasFlag(CO_VARKEYWORDS);
  }
  /// The docstring, or null.
  const StrConstant *docString() const;

  /// Filled by getCanonical (Decode.h) on first use.
  mutable std::unique_ptr<CanonicalCode> canonical;
};

} // namespace ptc

#endif // PTC_BYTECODE_CODEOBJECT_H
