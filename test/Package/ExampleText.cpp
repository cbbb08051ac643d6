// Example JSON with holes, from structures as guards describe them.
#include "ptc/Package/ExampleText.h"

#include <catch2/catch.hpp>

using namespace ptc;
using sym::CallStructure;
using sym::ValueTag;

namespace {
struct Structure {
  sym::StringTable texts;
  CallStructure structure;

  Structure &given(llvm::StringRef names, int64_t count) {
    return with(std::string(sym::kArgumentsPath), ValueTag::Dict, count, names);
  }
  Structure &with(std::string path, ValueTag tag, int64_t length, llvm::StringRef keys = {}) {
    structure.containerAt(path) = {path, tag, length, texts.intern(keys), {}};
    return *this;
  }
  Structure &leaf(std::string path) {
    structure.addLeaf(std::move(path));
    return *this;
  }
  /// The text with `#place` for each leaf; "none".
  std::string text(const std::vector<std::string> &parameters) const {
    std::optional<ExampleText> made = exampleText(texts, structure, parameters);
    if (!made)
      return "none";
    std::string out = made->before;
    for (const ExampleText::Leaf &leaf : made->leaves)
      out += "#" + leaf.place + leaf.constant + leaf.behind;
    return out;
  }
};
} // namespace

TEST_CASE("arguments by position, behind *rest, and by keyword") {
  CHECK(Structure().given("", 0).text({"x"}) == "{\"args\": [], \"kwargs\": {}}");
  CHECK(Structure().given("x, y", 2).leaf("x").leaf("y").text({"x", "y"}) ==
        "{\"args\": [#args[0], #args[1]], \"kwargs\": {}}");
  CHECK(Structure().given("y", 1).leaf("y").text({"x", "y"}) ==
        "{\"args\": [], \"kwargs\": {\"y\": #kwargs.y}}");
  Structure rest;
  rest.given("x, more[0], more[1], k", 4).leaf("x").leaf("more[0]").leaf("more[1]").leaf("k");
  CHECK(rest.text({"x", "*more", "k"}) ==
        "{\"args\": [#args[0], #args[1], #args[2]], \"kwargs\": {\"k\": #kwargs.k}}");
  CHECK(Structure().given("x, **x", 2).leaf("x").leaf("**x").text({"x", "**options"}) ==
        "{\"args\": [#args[0]], \"kwargs\": {\"x\": #kwargs.x}}");
}

TEST_CASE("containers in containers") {
  Structure s;
  s.given("x", 1).with("x", ValueTag::Tuple, 2).with("x[0]", ValueTag::List, 0);
  s.with("x[1]", ValueTag::Dict, 2, "'a\\n\"', 'b'").leaf("x[1][\"a\n\"\"]").leaf("x[1][\"b\"]");
  CHECK(s.text({"x"}) == "{\"args\": [{\"$tuple\": [[], {\"a\\n\\\"\": #args[0][1].a\n\", "
                         "\"b\": #args[0][1].b}]}], \"kwargs\": {}}");
  Structure keys;
  keys.given("x", 1).with("x", ValueTag::Dict, 3, "1, True, -2.5");
  keys.leaf("x[1]").leaf("x[True]").leaf("x[-2.5]");
  CHECK(keys.text({"x"}) == "{\"args\": [{\"$dict\": [[1, #args[0][0][1]], [true, #args[0][1][1]], "
                            "[-2.5, #args[0][2][1]]]}], \"kwargs\": {}}");
  Structure dollar;
  dollar.given("x", 1).with("x", ValueTag::Dict, 1, "'$t'").leaf("x[\"$t\"]");
  CHECK(dollar.text({"x"}) ==
        "{\"args\": [{\"$dict\": [[\"$t\", #args[0][0][1]]]}], \"kwargs\": {}}");
  Structure set;
  set.given("x, y", 2).with("x", ValueTag::Set, 2, "'a', None").leaf("x").leaf("y");
  CHECK(set.text({"x", "y"}) ==
        "{\"args\": [#{\"$set\": [\"a\", null]}, #args[1]], \"kwargs\": {}}");
}

TEST_CASE("structures that the notation has no form for") {
  auto dict = [](llvm::StringRef keys, const char *label) {
    Structure s;
    s.given("x", 1).with("x", ValueTag::Dict, 1, keys).leaf(std::string("x") + label);
    return s.text({"x"});
  };
  CHECK(dict("1", "[1]") != "none");
  CHECK(dict("(1, 2)", "[(1, 2)]") == "none");
  CHECK(dict("torch.float32", "[torch.float32]") == "none");
  CHECK(dict("'\\x00'", "[\"\"]") == "none");
  CHECK(dict("'a', 'b'", "[\"a\"]") == "none"); // more keys than its length
  CHECK(Structure().given("x", 1).with("x", ValueTag::Object, 0).leaf("x").text({"x"}) == "none");
  CHECK(Structure().given("x, y", 2).leaf("y").leaf("x").text({"x", "y"}) == "none");
  CHECK(Structure().leaf("x").text({"x"}) == "none");
}
