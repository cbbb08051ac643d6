//===- Names.h - What names of a function stand for -----------*- C++ -*-===//
//
// Registers get places as they are seen; scopes of braces have names of their own.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_NAMES_H
#define PTC_TEST_DEVICE_NAMES_H

#include "Ptx.h"
#include "Syntax.h"

#include <optional>
#include <set>

namespace device {

/// `.align 4 .b8 name[8]`, and what it is filled with.
struct Variable {
  std::string_view space, name;
  unsigned bytes = 0; ///< of an element
  unsigned align = 1;
  uint64_t count = 1;
  uint64_t repeats = 0; ///< of registers, `%r<8>`; 0: one with just this name
  std::vector<uint64_t> contents;
  uint64_t size() const { return count * bytes; }
};
Variable readVariable(const std::vector<std::string_view> &words);

/// What is behind a name that is no register.
struct Symbol {
  Space space = Space::Global;
  uint64_t address = 0;
  uint32_t bytes = 0;
  bool isArgument = false; ///< of a kernel; other parameters are memory of a lane
};

struct Place {
  uint32_t at;
  Width width;
};

struct AddressPlace {
  Place base;
  int64_t offset;
};

/// Bytes that are used so far, and the most that ever were.
struct Room {
  uint32_t used = 0, most = 0;
  uint32_t take(uint64_t bytes, unsigned align);
};

class Names {
public:
  Names(Module &module, Function &function, const std::map<std::string_view, Variable> &shared);

  void open() { scopes.push_back({{}, {}, {}, parameters.used}); }
  void close();
  /// Of registers, local, shared or parameter memory.
  void declare(const Variable &variable);
  void declareParameter(const Variable &variable);

  /// Of an operand of that width: a register, a number or an address that a name stands for.
  uint32_t place(const Item &item, Width width);
  /// Of one of any width.
  Place place(const Item &item);
  /// Of a register; of anything else `otherwise`.
  Width width(const Item &item, Width otherwise);
  AddressPlace address(const Item &item);
  std::optional<Symbol> symbol(std::string_view name);
  uint32_t constant(uint64_t bits, Width width);
  [[noreturn]] void fail(const std::string &text) const;

  Module &module;
  Function &function;
  std::vector<Constant> constants;
  Room registers, parameters, locals;
  uint32_t line = 0;
  std::vector<std::pair<size_t, std::string_view>> jumps; ///< instructions to labels

private:
  struct Scope {
    std::map<std::string_view, Place> registers;
    std::map<std::string_view, Width> ranges;
    std::map<std::string_view, Symbol> symbols;
    uint32_t parameters;
  };
  std::optional<Place> findRegister(std::string_view name);
  std::optional<Place> findSpecial(std::string_view name) const;
  Symbol shareVariable(const Variable &variable);

  std::vector<Scope> scopes;
  std::map<std::pair<uint64_t, Width>, uint32_t> placesOfConstants;
  const std::map<std::string_view, Variable> &shared;
  Room sharedRoom;
};

/// Takes an instruction of a family apart: all with the same first word.
using Decoder = void (*)(Names &names, const Statement &statement, Instruction &instruction);
/// Null: there is no such family.
Decoder findDecoder(std::string_view word);

/// Parts of a word between its dots.
std::vector<std::string_view> partsOf(std::string_view word);
/// Of a type, `.b32` or `b32`; 0: it is none. Of predicates 1, as of bytes.
unsigned bytesOfType(std::string_view type);

// Accesses.cpp
void decodeLoad(Names &names, const Statement &statement, Instruction &instruction);
void decodeStore(Names &names, const Statement &statement, Instruction &instruction);
void decodeMove(Names &names, const Statement &statement, Instruction &instruction);
void decodeAddress(Names &names, const Statement &statement, Instruction &instruction);
void decodeAtomic(Names &names, const Statement &statement, Instruction &instruction);
void decodeReduction(Names &names, const Statement &statement, Instruction &instruction);
// Copies.cpp
void decodeCopy(Names &names, const Statement &statement, Instruction &instruction);
// Lanes.cpp
void decodeShuffle(Names &names, const Statement &statement, Instruction &instruction);
void decodeVote(Names &names, const Statement &statement, Instruction &instruction);
void decodeActive(Names &names, const Statement &statement, Instruction &instruction);
void decodeReduce(Names &names, const Statement &statement, Instruction &instruction);
void decodeBarrier(Names &names, const Statement &statement, Instruction &instruction);
// Matrices.cpp
void decodeMatrix(Names &names, const Statement &statement, Instruction &instruction);
void decodeLoadMatrix(Names &names, const Statement &statement, Instruction &instruction);

} // namespace device

#endif // PTC_TEST_DEVICE_NAMES_H
