//===- ExprText.cpp - Expressions as Python text, and back ---------------------------===//
//
// In: an expression. Out: Python (`B*T + 3`, `(s0 + 1) // 2`, `s0 % 8`, `min(a, b)`), which parse
// reads back to the same expression.
//
//===----------------------------------------------------------------------===//
#include "ExprNode.h"

#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::sym;

namespace {

class Printer {
public:
  Printer(llvm::raw_ostream &os, Context::SymbolPrinter printSymbol)
      : os(os), printSymbol(printSymbol) {}

  /// `tight`: the text stands as a factor, so a sum or a division needs parentheses.
  void print(Expr e, bool tight) {
    if (std::optional<int64_t> c = e.asConstant()) {
      os << (tight && *c < 0 ? "(" : "") << *c << (tight && *c < 0 ? ")" : "");
      return;
    }
    switch (e.kind()) {
    case ExprKind::Unsupported:
      os << '?';
      return;
    case ExprKind::Symbol:
      return printSymbol(os, e.symbol());
    case ExprKind::FloorDiv:
      return printBinary(e.operands()[0], " // ", e.operands()[1], tight);
    case ExprKind::Min:
    case ExprKind::Max:
      os << (e.kind() == ExprKind::Min ? "min(" : "max(");
      llvm::interleaveComma(e.operands(), os, [&](Expr operand) { print(operand, false); });
      os << ')';
      return;
    case ExprKind::Sum:
      return printSum(e, tight);
    case ExprKind::Constant:
      break;
    }
    llvm_unreachable("constants are printed above");
  }

private:
  void printBinary(Expr a, llvm::StringRef op, Expr b, bool tight) {
    os << (tight ? "(" : "");
    print(a, true);
    os << op;
    print(b, true);
    os << (tight ? ")" : "");
  }

  void printSum(Expr e, bool tight) {
    if (auto modulo = Context::asModulo(e))
      return printBinary(modulo->first, " % ", modulo->second, tight);
    bool parens = tight; // even one product: a // (b*c)
    os << (parens ? "(" : "");
    bool first = true;
    for (const Term &term : e.terms()) {
      bool negative = term.coefficient < 0;
      // INT64_MIN keeps its sign: its magnitude does not read back.
      bool signOnly = first || term.coefficient == Interval::kMin;
      os << (first                   ? ""
             : negative && !signOnly ? " - "
                                     : " + ")
         << (negative && signOnly ? "-" : "");
      printTerm(term);
      first = false;
    }
    os << (parens ? ")" : "");
  }

  void printTerm(const Term &term) {
    uint64_t size =
        term.coefficient < 0 ? 0 - uint64_t(term.coefficient) : uint64_t(term.coefficient);
    bool first = true;
    if (size != 1 || term.factors.empty()) {
      os << size;
      first = false;
    }
    for (const Factor &factor : term.factors) {
      for (uint32_t i = 0; i < factor.power; ++i) {
        os << (first ? "" : "*");
        print(factor.atom, true);
        first = false;
      }
    }
  }

  llvm::raw_ostream &os;
  Context::SymbolPrinter printSymbol;
};

} // namespace

/// Whether the terms of `x`, in order, are those of `e` without the one at `skip`.
static bool isRemainderOf(Expr e, size_t skip, Expr x) {
  llvm::ArrayRef<Term> whole = e.terms(), part = x.terms();
  if (whole.size() != part.size() + 1)
    return false;
  for (size_t i = 0, j = 0; i < whole.size(); ++i) {
    if (i == skip)
      continue;
    if (whole[i].coefficient != part[j].coefficient || whole[i].factors != part[j].factors)
      return false;
    ++j;
  }
  return true;
}

std::optional<std::pair<Expr, Expr>> Context::asModulo(Expr e) {
  if (e.kind() != ExprKind::Sum)
    return std::nullopt;
  for (auto [i, term] : llvm::enumerate(e.terms())) {
    for (const Factor &factor : term.factors) {
      if (factor.atom.kind() != ExprKind::FloorDiv || factor.power != 1)
        continue;
      Expr x = factor.atom.operands()[0], b = factor.atom.operands()[1];
      auto rest = divideMonomials(term.factors, {factor});
      if (!rest)
        continue;
      bool matches;
      if (std::optional<int64_t> c = b.asConstant())
        matches = rest->empty() && term.coefficient == -*c;
      else
        matches = b.terms().size() == 1 && term.coefficient == -b.terms().front().coefficient &&
                  llvm::ArrayRef<Factor>(*rest) == b.terms().front().factors;
      if (matches && !x.isConstant() && isRemainderOf(e, i, x))
        return std::pair(x, b);
    }
  }
  return std::nullopt;
}

void Context::print(llvm::raw_ostream &os, Expr e, SymbolPrinter printSymbol) const {
  Printer(os, printSymbol).print(e, /*tight=*/false);
}

void Context::print(llvm::raw_ostream &os, Expr e) const {
  print(os, e, [&](llvm::raw_ostream &os, SymbolId id) { os << symbolInfo(id).name; });
}

std::string Context::str(Expr e) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, e);
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Recursive descent over sum := product (('+'|'-') product)*,
/// product := unary (('*'|'//'|'%') unary)*, unary := '-' unary | primary.
class Parser {
public:
  Parser(Context &context, llvm::StringRef text, Context::SymbolLookup lookup)
      : context(context), rest(text), lookup(lookup) {}

  std::optional<Expr> parseAll(std::string *error) {
    Expr result = parseSum();
    skipSpace();
    if (problem.empty() && !rest.empty())
      fail("unexpected '" + rest.take_front(8).str() + "'");
    if (problem.empty() && !result.isSupported())
      fail("the value does not fit");
    if (problem.empty())
      return result;
    if (error)
      *error = problem;
    return std::nullopt;
  }

private:
  void skipSpace() { rest = rest.ltrim(" \t"); }
  bool consume(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  Expr fail(std::string text) {
    if (problem.empty())
      problem = std::move(text);
    return Expr();
  }

  Expr parseSum() {
    Expr left = parseProduct();
    while (problem.empty()) {
      if (consume("+"))
        left = context.add(left, parseProduct());
      else if (consume("-"))
        left = context.sub(left, parseProduct());
      else
        break;
    }
    return left;
  }

  Expr parseProduct() {
    Expr left = parseUnary();
    while (problem.empty()) {
      if (consume("*"))
        left = context.mul(left, parseUnary());
      else if (consume("//"))
        left = context.floordiv(left, parseUnary());
      else if (consume("%"))
        left = context.mod(left, parseUnary());
      else
        break;
    }
    return left;
  }

  Expr parseUnary() {
    if (++depth > kMaxNesting)
      return fail("nested too deeply");
    Expr result = consume("-") ? parseNegated() : parsePrimary();
    --depth;
    return result;
  }

  Expr parseNegated() {
    skipSpace();
    // -9223372036854775808 has no positive counterpart.
    if (rest.starts_with("9223372036854775808")) {
      rest = rest.drop_front(19);
      return context.constant(Interval::kMin);
    }
    return context.neg(parseUnary());
  }

  Expr parsePrimary() {
    skipSpace();
    if (consume("(")) {
      Expr inner = parseSum();
      return consume(")") ? inner : fail("expected ')'");
    }
    if (!rest.empty() && llvm::isDigit(rest.front())) {
      int64_t value;
      if (rest.consumeInteger(10, value))
        return fail("the number does not fit in 64 bits");
      return context.constant(value);
    }
    llvm::StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty())
      return fail("expected a number, a name or '('");
    rest = rest.drop_front(name.size());
    if ((name == "min" || name == "max") && consume("("))
      return parseExtremum(name == "min");
    std::optional<Expr> symbol = lookup(name);
    return symbol ? *symbol : fail("unknown symbol '" + name.str() + "'");
  }

  Expr parseExtremum(bool isMin) {
    Expr result = parseSum();
    while (problem.empty() && consume(",")) {
      Expr operand = parseSum();
      result = isMin ? context.min(result, operand) : context.max(result, operand);
    }
    return consume(")") ? result : fail("expected ')'");
  }

  static constexpr unsigned kMaxNesting = 200;
  Context &context;
  llvm::StringRef rest;
  Context::SymbolLookup lookup;
  std::string problem;
  unsigned depth = 0;
};

} // namespace

std::optional<Expr> Context::parse(llvm::StringRef text, SymbolLookup lookup, std::string *error) {
  return Parser(*this, text, lookup).parseAll(error);
}

std::optional<Expr> Context::parse(llvm::StringRef text, std::string *error) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<Expr> {
    std::optional<SymbolId> id = findSymbol(name);
    return id ? std::optional<Expr>(symbol(*id)) : std::nullopt;
  };
  return parse(text, lookup, error);
}
