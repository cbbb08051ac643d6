//===- Marshal.h - The objects of marshal data, as written -------*- C++ -*-===//
//
// A flat tree in the order of the file that keeps all that another writer could have chosen
// otherwise (which string form, what is shared), so that it can be printed and written back.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_BYTECODE_MARSHAL_H
#define PTC_LIB_BYTECODE_MARSHAL_H

#include "ptc/Bytecode/Reader.h"

#include <array>
#include <vector>

namespace ptc::marshal {

constexpr uint8_t kFlagRef = 0x80;

/// The type bytes that occur in constants and code (Python/marshal.c).
enum Type : uint8_t {
  None = 'N',
  False = 'F',
  True = 'T',
  Ellipsis = '.',
  Int32 = 'i',
  Int64 = 'I',
  Long = 'l',
  Float = 'g',
  Complex = 'y',
  Bytes = 's',
  Ascii = 'a',
  AsciiInterned = 'A',
  ShortAscii = 'z',
  ShortAsciiInterned = 'Z',
  Unicode = 'u',
  Interned = 't',
  SmallTuple = ')',
  Tuple = '(',
  FrozenSet = '>',
  Slice = ':',
  Ref = 'r',
  Code = 'c',
};

inline bool isString(uint8_t type) {
  return type == Ascii || type == AsciiInterned || type == ShortAscii ||
         type == ShortAsciiInterned || type == Unicode || type == Interned;
}
inline bool isContainer(uint8_t type) {
  return type == SmallTuple || type == Tuple || type == FrozenSet || type == Slice || type == Code;
}

/// A code object's children, in order; its six integers are in Tree::codeInts.
enum CodeField : uint8_t {
  CodeBytes,
  Consts,
  Names,
  LocalNames,
  LocalKinds,
  FileName,
  Name,
  QualName,
  LineTable,
  ExceptionTable,
  NumCodeFields
};
enum CodeInt : uint8_t {
  ArgCount,
  PosOnlyArgCount,
  KwOnlyArgCount,
  StackSize,
  Flags,
  FirstLine,
  NumCodeInts
};
/// The field before which FirstLine is written; the other integers come first of all.
constexpr unsigned kFieldAfterFirstLine = LineTable;

struct Node {
  uint8_t type = 0;
  bool isShared = false; ///< FLAG_REF: has a number that Ref nodes may name
  uint32_t value = 0;    ///< Ref: the node meant. Code: index into codeInts. Int32: the bits
  uint32_t children = 0; ///< of containers
  uint32_t end = 0;      ///< one past the last node of the subtree
  llvm::StringRef bytes; ///< payload of strings, bytes, Long (digits), Float, Complex, Int64
};

struct Tree {
  std::vector<Node> nodes;     ///< parents before children
  std::vector<uint32_t> order; ///< node indices, children before parents
  std::vector<std::array<uint32_t, NumCodeInts>> codeInts;
  std::vector<uint32_t> shared; ///< the nodes with isShared, by number

  /// The node itself, or the one that a Ref means.
  const Node &resolve(uint32_t index) const {
    const Node &node = nodes[index];
    return node.type == Ref ? nodes[node.value] : node;
  }
};

/// Parses one object that fills `bytes`, which the tree keeps referring to. `name` is for messages.
/// Errors: PycMalformed, CodeTooLarge.
llvm::Expected<Tree> parse(llvm::StringRef bytes, llvm::StringRef name, const ReadLimits &limits);

/// What stands before the marshal data.
struct Prefix {
  PythonVersion version;
  PycHeader header;
};
constexpr unsigned kHeaderSize = 16;
llvm::Expected<Prefix> parseHeader(llvm::StringRef bytes, llvm::StringRef name);

} // namespace ptc::marshal

#endif // PTC_LIB_BYTECODE_MARSHAL_H
