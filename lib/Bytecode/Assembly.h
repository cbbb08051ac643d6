//===- Assembly.h - The text of printRaw and assemble ------------*- C++ -*-===//
//
//   pyc 3.13 flags 0 stamp 0x65f0a1b200000123       or: marshal 3.13
//   &code {                                         '&': FLAG_REF, numbered in order for `ref`
//     argcount 1 … firstlineno 1                    the six integers, one per line
//     code: &instructions {                         the code bytes; `bytes "…"` if they are odd
//       RESUME 0
//     L0:                                           labels are comments for jumps: operands count
//       LOAD_FAST 0 ; x
//     }
//     consts: tuple 2
//       none
//       int 5
//     …
//   }
//
// One object per line; what a container holds follows it. `name:` before an object, indentation and
// what follows ';' are for the reader. An operand above 255 stands for the EXTENDED_ARGs it needs.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_BYTECODE_ASSEMBLY_H
#define PTC_LIB_BYTECODE_ASSEMBLY_H

#include "Marshal.h"

namespace ptc::assembly {

struct Word {
  uint8_t type;
  llvm::StringLiteral word;
};
/// The word for each type of marshal object; a '!' says that the string is interned.
constexpr Word kWords[] = {
    {marshal::None, "none"},
    {marshal::False, "false"},
    {marshal::True, "true"},
    {marshal::Ellipsis, "ellipsis"},
    {marshal::Int32, "int"},
    {marshal::Int64, "int64"},
    {marshal::Long, "long"},
    {marshal::Float, "float"},
    {marshal::Complex, "complex"},
    {marshal::Bytes, "bytes"},
    {marshal::Ascii, "ascii"},
    {marshal::AsciiInterned, "ascii!"},
    {marshal::ShortAscii, "str"},
    {marshal::ShortAsciiInterned, "str!"},
    {marshal::Unicode, "utf8"},
    {marshal::Interned, "utf8!"},
    {marshal::SmallTuple, "tuple"},
    {marshal::Tuple, "largetuple"},
    {marshal::FrozenSet, "frozenset"},
    {marshal::Slice, "slice"},
    {marshal::Ref, "ref"},
    {marshal::Code, "code"},
};
/// Bytes of type marshal::Bytes that are shown as instructions.
constexpr llvm::StringLiteral kInstructions = "instructions";

constexpr llvm::StringLiteral kIntNames[marshal::NumCodeInts] = {
    "argcount", "posonlyargcount", "kwonlyargcount", "stacksize", "flags", "firstlineno"};
constexpr llvm::StringLiteral kFieldNames[marshal::NumCodeFields] = {
    "code",     "consts", "names",    "locals",    "kinds",
    "filename", "name",   "qualname", "linetable", "exceptiontable"};

} // namespace ptc::assembly

#endif // PTC_LIB_BYTECODE_ASSEMBLY_H
