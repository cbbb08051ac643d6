// Every function of lib/Python against CPython: the answers that generate.py wrote into fixtures/,
// and fresh random calls where a CPython 3.11 is at hand.
#include "Encoding.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/SetTable.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>

using namespace values;

namespace {

const std::string kFolder = "test/Python/Values/";

const Calls &allCalls() {
  static Calls calls;
  if (!calls.empty())
    return calls;
  addIntCalls(calls);
  addStrCalls(calls);
  addBytesCalls(calls);
  addContainerCalls(calls);
  addFloatCalls(calls);
  addFormatCalls(calls);
  addRegexCalls(calls);
  return calls;
}

std::vector<std::string_view> splitTabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; at != line.npos;) {
    size_t end = line.find('\t', at);
    fields.push_back(line.substr(at, end - at));
    at = end == line.npos ? end : end + 1;
  }
  return fields;
}

/// Runs one line of a table; the answer that differs, or "".
std::string runLine(const Calls &calls, std::string_view line, std::set<std::string> &called) {
  std::vector<std::string_view> fields = splitTabs(line);
  if (fields.size() < 3 || fields[fields.size() - 2] != "=")
    return "malformed line";
  auto call = calls.find(std::string(fields[0]));
  if (call == calls.end())
    return "nothing is called so";
  called.insert(call->first);
  std::vector<Value> args;
  for (size_t i = 1; i + 2 < fields.size(); ++i)
    args.push_back(decode(fields[i]));
  std::string answer = call->second(Args(std::move(args)));
  return answer == fields.back() ? "" : answer;
}

/// Compares all lines and reports the first failures.
void compareLines(const Calls &calls, const std::vector<std::string> &lines,
                  std::set<std::string> &called) {
  int failures = 0;
  for (const std::string &line : lines) {
    std::string answer = runLine(calls, line, called);
    if (answer.empty())
      continue;
    if (++failures <= 20)
      UNSCOPED_INFO(line.substr(0, 700) << "\n  here: " << answer.substr(0, 400));
  }
  CHECK(failures == 0);
}

} // namespace

TEST_CASE("the tables of CPython's answers hold") {
  const Calls &calls = allCalls();
  std::set<std::string> called;
  for (const char *table :
       {"int", "str", "bytes", "containers", "float", "math", "format", "regex"}) {
    INFO(table);
    std::ifstream in(kFolder + "fixtures/" + table + ".txt");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    CHECK(lines.size() > 1000);
    compareLines(calls, lines, called);
  }
  // A function that no line calls is not tested.
  for (const auto &[name, call] : calls) {
    INFO(name);
    CHECK(called.count(name) == 1);
  }
}

TEST_CASE("fresh random calls agree with a live CPython") {
  const unsigned seed = std::random_device()() % 1000000;
  const std::string command = "PYTHONHASHSEED=0 python3 " + kFolder + "generate.py --random " +
                              std::to_string(seed) + " 2>/dev/null";
  // NOLINTNEXTLINE(bugprone-command-processor): the command is ours, with a number in it.
  FILE *pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  std::array<char, 65536> buffer;
  while (size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  if (pclose(pipe) != 0) {
    WARN("no CPython 3.11: the live comparison is left out");
    return;
  }
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  INFO("seed " << seed);
  CHECK(lines.size() > 10000);
  std::set<std::string> called;
  compareLines(allCalls(), lines, called);
}

TEST_CASE("a set asks its owner about equal hashes") {
  // Items 0 and 1 are 1 and 1.0: equal; item 2 has their hash and is another.
  auto equal = [](uint32_t a, uint32_t b) { return a < 2 && b < 2; };
  SetTable table = SetTable::fromItems({{1, 0}, {1, 1}, {1, 2}}, equal);
  CHECK(table.size() == 2);
  REQUIRE(table.find({1, 1}, equal));
  CHECK(table.find({1, 1}, equal)->id == 0);
  CHECK(table.discard({1, 1}, equal)->id == 0);
  CHECK_FALSE(table.find({1, 0}, equal));
  CHECK(table.pop()->id == 2);
  CHECK_FALSE(table.pop());
}

TEST_CASE("what would be too large is a limit, at once") {
  const PyInt billion = 1'000'000'000;
  CHECK(pow(10, billion).error().kind == ExcKind::Limit);
  CHECK(shiftLeft(1, billion).error().kind == ExcKind::Limit);
  CHECK(factorial(billion).error().kind == ExcKind::Limit);
  CHECK(comb(billion, 500'000'000).error().kind == ExcKind::Limit);
  CHECK(perm(billion, billion).error().kind == ExcKind::Limit);
  CHECK(toBytes(0, billion, ByteOrder::Big, false).error().kind == ExcKind::Limit);
  CHECK(str::repeat("ab", billion).error().kind == ExcKind::Limit);
  CHECK(str::center("ab", billion).error().kind == ExcKind::Limit);
  CHECK(str::expandtabs("\t\t", billion).error().kind == ExcKind::Limit);
  const PyInt large = *shiftLeft(1, 900'000);
  CHECK(mul(large, large).error().kind == ExcKind::Limit);
  CHECK(gcd(large, add(large, 1)).error().kind == ExcKind::Limit);
  CHECK(powMod(3, large, add(large, 1)).error().kind == ExcKind::Limit);
  CHECK(*roundInt(5, neg(large)) == PyInt(0));
  CHECK(formatInt(5, "999999999999").error().kind == ExcKind::Limit);
  CHECK(formatFloat(5, ".999999999f").error().kind == ExcKind::Limit);
  CHECK(formatStr("a", "999999999999").error().kind == ExcKind::Limit);
  CHECK(formatPercent(*parsePercent("%999999999999d").parts[0].spec, {PyInt(5), "int"})
            .error()
            .kind == ExcKind::Limit);
  CHECK(
      formatPercent(*parsePercent("%.999999999f").parts[0].spec, {PyInt(5), "int"}).error().kind ==
      ExcKind::Limit);
}
