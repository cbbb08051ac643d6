//===- Payload.cpp - What an element of a pointwise result is -------------------===//
//
// In: a record's payload text. Out: its nodes in evaluation order.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/Payload.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace ptc::aten;

namespace {

class PayloadParser {
public:
  explicit PayloadParser(const OpInfo &op) : op(op), rest(op.payload) {}

  llvm::SmallVector<PayloadNode, 8> parse() {
    parseExpression();
    assert(rest.empty() && "a payload is one expression");
    return std::move(nodes);
  }

private:
  unsigned add(PayloadNode node) {
    nodes.push_back(std::move(node));
    return unsigned(nodes.size() - 1);
  }

  unsigned parseExpression() {
    rest = rest.ltrim();
    llvm::StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    assert(!word.empty() && "a name or a number");
    rest = rest.drop_front(word.size());
    PayloadNode node;
    // An argument may have the name of a number: nan.
    if (std::optional<unsigned> argument = op.findArg(word); argument && !rest.starts_with("(")) {
      node.kind = PayloadNode::Kind::Argument;
      node.argument = *argument;
      return add(std::move(node));
    }
    if (!word.getAsDouble(node.number))
      return add(std::move(node));
    if (rest.consume_front("(")) {
      node.kind = PayloadNode::Kind::Call;
      node.function = word;
      do
        node.operands.push_back(parseExpression());
      while (rest.consume_front(","));
      [[maybe_unused]] bool closed = rest.consume_front(")");
      assert(closed && "a call ends");
      rest = rest.ltrim();
      return add(std::move(node));
    }
    assert(word == "inf" && "an argument of the schema");
    node.number = std::numeric_limits<double>::infinity();
    return add(std::move(node));
  }

  const OpInfo &op;
  llvm::StringRef rest;
  llvm::SmallVector<PayloadNode, 8> nodes;
};

} // namespace

llvm::SmallVector<PayloadNode, 8> ptc::aten::parsePayload(const OpInfo &op) {
  return PayloadParser(op).parse();
}

bool ptc::aten::keepsNumberWide(const OpInfo &op, unsigned argument) {
  auto isOneOf = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, op.baseName());
  };
  if (!op.args[argument].isOperand)
    return !isOneOf({"add", "sub", "rsub", "hardshrink"});
  return argument == 1 && isOneOf({"mul", "div", "floor_divide"});
}
