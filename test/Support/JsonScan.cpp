// The scan of JSON before it is parsed.
#include "ptc/Support/JsonScan.h"

#include <catch2/catch.hpp>

#include <string>

using namespace ptc;

TEST_CASE("depth, members and brackets too many") {
  struct Row {
    const char *text;
    size_t depth, members;
    bool overclosed;
  };
  for (const Row &row : {
           Row{"", 0, 0, false},
           {"3", 0, 0, false},
           {"[]", 1, 0, false},
           {R"({"a": [1, {"b": 2}], "a": []})", 3, 3, false},
           {R"(["[[[[", "\"[[[", ":"])", 1, 0, false},
           {R"({"a:{": 1})", 1, 1, false},
           {"[[", 2, 0, false},
           {"[]]", 1, 0, true},
           {"}", 0, 0, true},
       }) {
    INFO(row.text);
    JsonScan scan = scanJson(row.text);
    CHECK(scan.depth == row.depth);
    CHECK(scan.members == row.members);
    CHECK(scan.overclosed == row.overclosed);
  }
  CHECK(scanJson(std::string(1000000, '[')).depth == 1000000);
}
