//===- Syntax.cpp - PTX as words and operands ------------------------------------------------===//
//
// In: text, as LLVM writes it, with what inline assembly has besides. Out: statements; a fault with
// the line where something else comes.
//
//===----------------------------------------------------------------------===//
#include "Syntax.h"

#include "Ptx.h"

#include <cctype>
#include <charconv>
#include <string>

using namespace device;

static bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '%';
}

/// Where a word that begins at `begin` ends; `::` is part of it.
static size_t endOfWord(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size()) {
    if (text.substr(end, 2) == "::")
      end += 2;
    else if (isWordPart(text[end]))
      ++end;
    else
      break;
  }
  return end == begin ? begin + 1 : end;
}

Syntax::Syntax(std::string_view text) {
  uint32_t line = 1;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      ++line;
      ++i;
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"') {
      size_t end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      size_t end = endOfWord(text, i);
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    }
  }
}

std::string_view Syntax::take() {
  if (isAtEnd())
    throw Fault("PTX ends too early");
  return tokens[at++].text;
}

void Syntax::expect(std::string_view text) {
  uint32_t where = line();
  std::string_view found = take();
  if (found != text)
    throw Fault("PTX, line " + std::to_string(where) + ": '" + std::string(text) +
                "' expected, not '" + std::string(found) + "'");
}

bool device::isNumber(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front()));
}

uint64_t device::numberOf(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' &&
      std::string_view("xXfFdD").find(text[1]) != std::string_view::npos) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  std::string_view rest(end, size_t(text.data() + text.size() - end));
  if (error != std::errc() || !(rest.empty() || rest == "U"))
    throw Fault("'" + std::string(text) + "' is no number");
  return value;
}

uint64_t Syntax::takeNumber() { return numberOf(take()); }

Item Syntax::takeList(std::string_view end) {
  Item made;
  made.kind = Item::List;
  while (peek() != end) {
    made.items.push_back(takeItem());
    if (peek() != end)
      expect(",");
  }
  take();
  return made;
}

/// Behind the bracket: a name or a number, and what is added to it.
Item Syntax::takeAddress() {
  Item made;
  made.kind = Item::Address;
  if (isNumber(peek()))
    made.number = takeNumber();
  else
    made.name = take();
  while (peek() != "]") {
    bool isLess = false;
    for (; peek() == "+" || peek() == "-"; take())
      isLess ^= peek() == "-";
    uint64_t number = takeNumber();
    made.number += isLess ? -number : number;
  }
  take();
  return made;
}

Item Syntax::takeItem() {
  std::string_view word = take();
  if (word == "{")
    return takeList("}");
  if (word == "(")
    return takeList(")");
  if (word == "[")
    return takeAddress();
  Item made;
  made.isNegated = word == "!";
  if (word == "!")
    word = take();
  bool isLess = word == "-";
  if (isLess)
    word = take();
  if (!isNumber(word)) {
    made.name = word;
    if (peek() == "+") {
      take();
      made.number = takeNumber();
    }
    return made;
  }
  made.kind = Item::Number;
  made.number = isLess ? -numberOf(word) : numberOf(word);
  made.isFloat32 = word.size() == 10 && (word.starts_with("0f") || word.starts_with("0F"));
  return made;
}

std::vector<std::string_view> Syntax::takeDeclaration() {
  std::vector<std::string_view> words;
  for (std::string_view word = take(); word != ";"; word = take())
    words.push_back(word);
  return words;
}

Statement Syntax::takeStatement() {
  Statement made;
  made.line = line();
  made.word = take();
  if (made.word == "{" || made.word == "}") {
    made.kind = made.word == "{" ? Statement::Open : Statement::Close;
    return made;
  }
  if (peek() == ":") {
    take();
    made.kind = Statement::Label;
    return made;
  }
  if (made.word.starts_with(".")) {
    made.kind = Statement::Declaration;
    made.words = takeDeclaration();
    return made;
  }
  if (made.word == "@") {
    made.guard = takeItem();
    made.word = take();
  }
  while (peek() != ";") {
    made.operands.push_back(takeItem());
    if (peek() == "|") { // a second result
      take();
      made.operands.push_back(takeItem());
    }
    if (peek() != ";")
      expect(",");
  }
  take();
  return made;
}
