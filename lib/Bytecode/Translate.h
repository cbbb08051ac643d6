//===- Translate.h - Raw into canonical instructions -------------*- C++ -*-===//
#ifndef PTC_LIB_BYTECODE_TRANSLATE_H
#define PTC_LIB_BYTECODE_TRANSLATE_H

#include "RawCode.h"

namespace ptc {

/// Fills instrs, handlers and consts of `out` from the raw instructions that can be reached; jumps
/// are resolved, nothing is simplified. False and a reason, with the offset, if the code is not
/// well-formed.
bool translate(const CodeObject &code, CanonicalCode &out, std::string &why);

/// Threads jumps, folds copies, tells which LOAD_FAST may find an unbound local, removes what
/// cannot be reached, and computes depths. False and a reason if stack depths do not agree.
bool simplify(CanonicalCode &code, std::string &why);

/// Puts comprehensions that are called as functions where they are called. True if the code
/// changed; depths then are those of the old instructions.
bool inlineComprehensions(CanonicalCode &code);

/// Gives comprehensions that stand in place variables of their own.
void separateComprehensions(CanonicalCode &code);

/// Lets exceptions pass by handlers that only drop values and raise again, or that do what the
/// executor does anyway. Nothing may reach these handlers any more then.
void dropIdleHandlers(CanonicalCode &code);

/// Orders locals as CanonicalCode::locals says; of several that are stored in a row, by name.
void orderLocals(CanonicalCode &code);

/// Makes one of instructions that do the same at one place of the source and go on alike, and lays
/// the rest out in an order that the flow graph gives. All must be reachable and have their depth;
/// the depths are those of the old instructions afterwards.
void foldCopies(CanonicalCode &code);

/// The nodes that may follow instruction `index`, appended to `out`, without duplicates.
void appendSuccessors(const CanonicalCode &code, uint32_t index,
                      llvm::SmallVectorImpl<uint32_t> &out);

/// How many of the values that `op` pops it leaves where they are and pushes again.
uint32_t getKeptOperands(Opcode op);

} // namespace ptc

#endif // PTC_LIB_BYTECODE_TRANSLATE_H
