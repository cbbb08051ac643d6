// The reader: constants, headers, and one case per diagnostic.
#include "ptc/Bytecode/Reader.h"

#include "Fixtures.h"

using namespace ptc;
using namespace ptc::test;

namespace {

const CodeObject *findCode(const CodeFile &file, llvm::StringRef qualName) {
  for (const CodeObject *code : file.codeObjects())
    if (code->qualName == qualName)
      return code;
  FAIL("no code object " << qualName.str());
  return nullptr;
}

/// A tuple constant as the constants of a code object, in assembly.
std::string codeWith(llvm::StringRef consts, llvm::StringRef instructions,
                     llvm::StringRef version = "3.13") {
  return ("pyc " + version + " flags 0 stamp 0x0\n" +
          "code {\nargcount 0\nposonlyargcount 0\nkwonlyargcount 0\nstacksize 9\nflags 0x0\n" +
          "code: instructions {\n" + instructions + "\n}\nconsts: " + consts +
          "\ntuple 1\nstr \"name\"\ntuple 0\nbytes \"\"\nstr \"f.py\"\nstr \"f\"\nstr \"f\"\n"
          "firstlineno 1\nbytes \"\\x80\\x00\"\nbytes \"\"\n}\n")
      .str();
}

} // namespace

TEST_CASE("fields of code objects are CPython's") {
  for (const char *version : kVersions) {
    CAPTURE(version);
    auto file = require(readPycFile(fixture("functions", version)));
    CHECK(getVersionName(file->version()) == version);
    REQUIRE(file->header());
    const CodeObject *code = findCode(*file, "parameters");
    CHECK(code->argCount == 3);
    CHECK(code->posOnlyArgCount == 1);
    CHECK(code->kwOnlyArgCount == 2);
    CHECK(code->parameterCount() == 7);
    CHECK(code->hasFlag(CO_VARARGS));
    CHECK(code->hasFlag(CO_VARKEYWORDS));
    CHECK(code->fileName == "functions.py");
    CHECK(code->firstLine == 6);
    REQUIRE(code->docString());
    CHECK(code->docString()->text == "Docstring.");
    std::vector<std::string> names;
    for (const LocalSlot &slot : code->locals)
      names.push_back(slot.name.str());
    CHECK(names == std::vector<std::string>{"a", "b", "c", "d", "e", "args", "kwargs"});
    const CodeObject *inner = findCode(*file, "closures.<locals>.inner");
    CHECK(std::count_if(inner->locals.begin(), inner->locals.end(),
                        [](const LocalSlot &slot) { return slot.isFree; }) >= 1);
    CHECK(findCode(*file, "decorated")->isGeneratorLike());
  }
}

TEST_CASE("constants of every kind") {
  struct Row {
    const char *text;
    ConstKind kind;
  };
  const Row rows[] = {
      {"none", ConstKind::None},
      {"true", ConstKind::Bool},
      {"ellipsis", ConstKind::Ellipsis},
      {"int -5", ConstKind::Int},
      {"int64 1234567890123", ConstKind::Int},
      {"long -000100000000", ConstKind::Int},
      {"float 0x3ff8000000000000", ConstKind::Float},
      {"complex 0x0 0x3ff0000000000000", ConstKind::Complex},
      {"str \"a\"", ConstKind::Str},
      {"utf8 \"\\xED\\xA0\\x80\"", ConstKind::Str},
      {"bytes \"\\xFF\"", ConstKind::Bytes},
      {"tuple 1\nnone", ConstKind::Tuple},
      {"frozenset 2\nnone\ntrue", ConstKind::FrozenSet},
      {"slice\nnone\nint 1\nnone", ConstKind::Slice},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    std::string text =
        codeWith("tuple 1\n" + std::string(row.text), "RESUME 0\nLOAD_CONST 0\nRETURN_VALUE 0");
    // One location entry of two units and one of one.
    size_t at = text.find("\\x80\\x00");
    text.replace(at, 8, "\\xFA");
    std::string bytes = require(assemble(text, "t"));
    auto file = require(readPyc(bytes, "t"));
    REQUIRE(file->top().consts.size() == 1);
    CHECK(file->top().consts[0]->kind == row.kind);
    std::string again;
    llvm::raw_string_ostream os(again);
    REQUIRE(!printRaw(os, bytes, "t"));
    CHECK(require(assemble(again, "t")) == bytes);
  }
}

TEST_CASE("integers of any size") {
  for (const char *version : kVersions) {
    auto file = require(readPycFile(fixture("data", version)));
    unsigned found = 0;
    for (const Constant *c : file->top().consts)
      if (const auto *value = llvm::dyn_cast<IntConstant>(c)) {
        if (value->asInt64())
          continue;
        llvm::SmallString<40> digits;
        value->asAPInt().toStringSigned(digits);
        found += digits == "123456789012345678901234567890" || digits == "-1180591620717411303424";
      }
    CHECK(found == 2);
  }
}

TEST_CASE("what cannot be read has a diagnostic") {
  std::string good = readBytes(fixture("model", "3.13"));
  struct Row {
    std::string bytes;
    DiagId id;
  };
  std::string badMagic = good, badFlags = good;
  badMagic[0] = 1;
  badFlags[4] = 4;
  const Row rows[] = {
      {"", DiagId::PycMalformed},
      {"not a pyc", DiagId::PycMalformed},
      {badMagic, DiagId::PycMagicUnknown},
      {badFlags, DiagId::PycMalformed},
      {good.substr(0, 10), DiagId::PycMalformed},
      {good.substr(0, 100), DiagId::PycMalformed},
      {good + "x", DiagId::PycMalformed},
      {good.substr(0, 16) + "N", DiagId::PycMalformed},
      {good.substr(0, 16) + "[", DiagId::PycMalformed},
      // A tuple that holds itself.
      {good.substr(0, 16) + std::string("\xa9\x01r\0\0\0\0", 7), DiagId::PycMalformed},
  };
  for (const Row &row : rows) {
    auto file = readPyc(row.bytes, "t.pyc");
    CHECK(diagnosticOf(file).id == row.id);
  }
  auto missing = readPycFile("/nonexistent/t.pyc");
  CHECK(diagnosticOf(missing).id == DiagId::FileNotReadable);
  auto unknown = readPyc(badMagic, "t.pyc");
  CHECK(diagnosticOf(unknown).text.find("3.11, 3.12, 3.13, 3.14, 3.15") != std::string::npos);
}

TEST_CASE("limits") {
  std::string deep = readBytes(fixture("model", "3.13")).substr(0, 16);
  for (unsigned i = 0; i < 100000; ++i)
    deep += ")\x01";
  deep += 'N';
  auto nested = readPyc(deep, "t.pyc");
  CHECK(diagnosticOf(nested).id == DiagId::CodeTooLarge);
  ReadOptions few;
  few.limits.objects = 10;
  auto many = readPyc(readBytes(fixture("model", "3.13")), "t.pyc", few);
  CHECK(diagnosticOf(many).id == DiagId::CodeTooLarge);
}

TEST_CASE("bare marshal data") {
  for (const char *version : kVersions) {
    std::string bytes = readBytes(fixture("model", version)).substr(16);
    auto file = require(readMarshal(bytes, *parseVersionName(version), "t"));
    CHECK(!file->header());
    std::string text;
    llvm::raw_string_ostream os(text);
    REQUIRE(!printRaw(os, bytes, "t", file->version()));
    CHECK(require(assemble(text, "t")) == bytes);
  }
}

TEST_CASE("text that is not assembly") {
  std::string good = codeWith("tuple 0", "RESUME 0");
  auto replace = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string rows[] = {
      "",
      "hello",
      replace("3.13", "3.1"),
      replace("RESUME 0", "RESUMED 0"),
      replace("RESUME 0", "RESUME x"),
      replace("RESUME 0", "RESUME 0 0"),
      replace("stacksize 9", "stack 9"),
      replace("tuple 0", "tuple 300"),
      replace("\"f.py\"", "\"f.py"),
      replace("\"f.py\"", "\"\\q\""),
      replace("tuple 0", "list 0"),
      good.substr(0, good.size() - 2),
  };
  for (const std::string &text : rows) {
    CAPTURE(text);
    auto bytes = assemble(text, "t.txt");
    CHECK(diagnosticOf(bytes).id == DiagId::AssemblyMalformed);
  }
  CHECK(require(assemble(good, "t.txt")).size() > 16);
}
