//===- Syntax.h - PTX as words and operands -------------------*- C++ -*-===//
//
// In: text. Out: statements, with names of everything as they were written.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_SYNTAX_H
#define PTC_TEST_DEVICE_SYNTAX_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace device {

/// `%r1`, `-3`, `name+8` (a name with a number), `{...}` and `(...)` (lists), `[...]` (an address).
struct Item {
  enum Kind : uint8_t { Name, Number, List, Address };
  Kind kind = Name;
  std::string_view name;
  uint64_t number = 0;     ///< of an address: what is added
  bool isNegated = false;  ///< `!name`
  bool isFloat32 = false;  ///< `0f...`
  std::vector<Item> items; ///< of a list; of an address, nothing
};

/// An instruction, a label or a directive.
struct Statement {
  enum Kind : uint8_t { Operation, Label, Declaration, Open, Close };
  Kind kind = Operation;
  uint32_t line = 0;
  std::string_view word; ///< first word; of an operation, with its types
  Item guard;            ///< an empty name: none
  std::vector<Item> operands;
  std::vector<std::string_view> words; ///< of a declaration, with its punctuation
};

/// Statements of the body of a function, up to the brace that closes it.
class Syntax {
public:
  explicit Syntax(std::string_view text);
  bool isAtEnd() const { return at == tokens.size(); }
  std::string_view peek() const { return isAtEnd() ? std::string_view() : tokens[at].text; }
  std::string_view take();
  void expect(std::string_view text);
  uint32_t line() const { return isAtEnd() ? 0 : tokens[at].line; }
  /// Words up to the semicolon, which is taken.
  std::vector<std::string_view> takeDeclaration();
  Statement takeStatement();
  uint64_t takeNumber();

private:
  struct Token {
    std::string_view text;
    uint32_t line;
  };
  Item takeItem();
  Item takeAddress();
  Item takeList(std::string_view end);

  std::vector<Token> tokens;
  size_t at = 0;
};

bool isNumber(std::string_view text);
/// Decimal, hexadecimal, or the bits of a float.
uint64_t numberOf(std::string_view text);

} // namespace device

#endif // PTC_TEST_DEVICE_SYNTAX_H
