// The dtype table: rows stand at their enumerators, every name parses back to its row.
#include "ptc/Support/DType.h"

#include <catch2/catch.hpp>

using namespace ptc;

TEST_CASE("dtype names parse back") {
  for (const DTypeInfo &info : getAllDTypeInfos()) {
    CHECK(&getDTypeInfo(info.dtype) == &info);
    CHECK(parseDType(info.alias) == info.dtype);
    CHECK(parseDType(info.torchName) == info.dtype);
  }
  CHECK_FALSE(parseDType("float31").has_value());
  CHECK(isFloat(DType::BFloat16));
  CHECK_FALSE(isInteger(DType::Bool));
}
