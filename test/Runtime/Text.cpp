// Texts that the stub makes, against what CPython 3.11 prints.
extern "C" {
#include "../../lib/Runtime/Stub.h"
}

#include <catch2/catch.hpp>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

static std::string textOf(const char *spec, char conversion, ptc_value value) {
  ptc_text_part parts[] = {
      {"<", 1, -1, 0, -1, 0, nullptr},
      {spec, uint32_t(std::string(spec).size()), 0, conversion, -1, 0, nullptr},
      {">", 1, -1, 0, -1, 0, nullptr}};
  ptc_text_buffer out = {nullptr, 0, 0, false};
  ptc_put_parts(&out, parts, 3, &value);
  std::string text(out.data, out.length);
  std::free(out.data);
  return text;
}

TEST_CASE("floats print as repr() does") {
  struct {
    double value;
    const char *text;
  } rows[] = {{0.0, "<0.0>"},
              {-0.0, "<-0.0>"},
              {1.0, "<1.0>"},
              {0.1, "<0.1>"},
              {123.456, "<123.456>"},
              {1e16, "<1e+16>"},
              {1e15, "<1000000000000000.0>"},
              {9999999999999998.0, "<9999999999999998.0>"},
              {0.0001, "<0.0001>"},
              {0.00001, "<1e-05>"},
              {1.5e300, "<1.5e+300>"},
              {5e-324, "<5e-324>"},
              {1.0 / 3, "<0.3333333333333333>"},
              {-2.5, "<-2.5>"},
              {__builtin_inf(), "<inf>"},
              {-__builtin_inf(), "<-inf>"},
              {__builtin_nan(""), "<nan>"},
              {1234567.0, "<1234567.0>"}};
  for (auto &row : rows)
    CHECK(textOf("", 's', ptc_of_float(row.value)) == row.text);
}

TEST_CASE("formats") {
  CHECK(textOf(".2f", 'f', ptc_of_float(3.14159)) == "<3.14>");
  CHECK(textOf("f", 'f', ptc_of_float(2)) == "<2.000000>");
  CHECK(textOf(".0f", 'f', ptc_of_float(2.5)) == "<2>");
  CHECK(textOf(".3e", 'f', ptc_of_float(12345.678)) == "<1.235e+04>");
  CHECK(textOf(".4g", 'f', ptc_of_float(12345.678)) == "<1.235e+04>");
  CHECK(textOf(".1%", 'f', ptc_of_float(0.256)) == "<25.6%>");
  CHECK(textOf(".2f", 'f', ptc_of_int(7)) == "<7.00>");
  CHECK(textOf("d", 'f', ptc_of_int(-7)) == "<-7>");
  CHECK(textOf(".1f", 'f', ptc_of_float(__builtin_inf())) == "<inf>");
  CHECK(textOf("", 'f', ptc_of_float(0.5)) == "<0.5>");
  CHECK(textOf("", 's', ptc_of_bool(1)) == "<True>");
  CHECK(textOf("", 'r', ptc_of_int(INT64_MIN)) == "<-9223372036854775808>");
  CHECK(textOf("", 's', ptc_of_none()) == "<None>");
  CHECK(textOf("", 's', ptc_of_str("a\0b", 3)) == std::string("<a\0b>", 5));
}

namespace {
/// The process's numbers have another decimal point while it lives: glibc reads them from a file,
/// which localedef(1) writes so.
class DecimalPoint {
public:
  explicit DecimalPoint(const std::string &point) {
    std::string folder = std::filesystem::temp_directory_path() / "ptc-locale-XXXXXX";
    REQUIRE(mkdtemp(folder.data()));
    path = folder;
    uint32_t behind = 32 + uint32_t(point.size()) + 1, words = (behind + 2 + 3) / 4 * 4;
    uint32_t header[] = {0x20031114, 6, 32, behind, behind + 1, words, words + 4, words + 8};
    std::string bytes(reinterpret_cast<char *>(header), sizeof header);
    bytes += point + '\0' + '\0' + '\xff';
    bytes.resize(words);
    bytes += std::string(",\0\0\0\0\0\0\0UTF-8", 14);
    std::filesystem::create_directory(path / "test");
    std::ofstream(path / "test" / "LC_NUMERIC", std::ios::binary) << bytes;
    setenv("LOCPATH", folder.c_str(), 1);
    REQUIRE(std::setlocale(LC_NUMERIC, "test"));
    REQUIRE(std::localeconv()->decimal_point == point);
  }
  DecimalPoint(const DecimalPoint &) = delete;
  ~DecimalPoint() {
    std::setlocale(LC_NUMERIC, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(path);
  }

private:
  std::filesystem::path path;
};
} // namespace

TEST_CASE("texts do not depend on the process's locale") {
  for (const char *point : {",", "\xd9\xab"}) {
    DecimalPoint local(point);
    CHECK(textOf(".3f", 'f', ptc_of_float(-1234.5)) == "<-1234.500>");
    CHECK(textOf(".0f", 'f', ptc_of_float(1234)) == "<1234>");
    CHECK(textOf(".2e", 'f', ptc_of_float(1234.5)) == "<1.23e+03>");
    CHECK(textOf(".0e", 'f', ptc_of_float(1234.5)) == "<1e+03>");
    CHECK(textOf(".4g", 'f', ptc_of_float(0.00012345)) == "<0.0001234>");
    CHECK(textOf(".1%", 'f', ptc_of_float(0.256)) == "<25.6%>");
    CHECK(textOf("", 's', ptc_of_float(0.1)) == "<0.1>");
    CHECK(textOf("", 's', ptc_of_float(1.0 / 3)) == "<0.3333333333333333>");
    CHECK(textOf("", 's', ptc_of_float(-1.5e300)) == "<-1.5e+300>");
    CHECK(textOf("", 's', ptc_of_float(1e16)) == "<1e+16>");
    float elements[] = {1, 2.5, 1e-6F}, whole[] = {1, 2, 3};
    int64_t sizes[] = {3};
    for (auto [data, text] : {std::pair(elements, "<tensor([1.0000e+00, 2.5000e+00, 1.0000e-06])>"),
                              std::pair(whole, "<tensor([1., 2., 3.])>")}) {
      DLTensor tensor = {data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, nullptr, 0};
      ptc_text_buffer out = {nullptr, 0, 0, false};
      ptc_put_string(&out, "<");
      ptc_value value = ptc_of_tensor(&tensor);
      ptc_put_tensor(&out, &value, "", 0);
      ptc_put_string(&out, ">");
      CHECK(std::string(out.data) == text);
      std::free(out.data);
    }
    char text[40];
    for (auto [value, digits, expected] :
         {std::tuple(0.5, 1, "0.5"), std::tuple(1.0 / 3, 16, "0.3333333333333333"),
          std::tuple(1e300, 1, "1e+300"), std::tuple(2.0, 1, "2"),
          std::tuple(__builtin_inf(), 1, "inf")}) {
      CHECK(ptc_print_shortest(text, sizeof text, 'g', value) == digits);
      CHECK(text == std::string(expected));
    }
  }
}

TEST_CASE("tensors among the values print as repr() does, with what the part appends") {
  float elements[] = {1, 2.5, -3, 0.25};
  int64_t sizes[] = {2, 2}, strides[] = {1, 2}, nothing[] = {0, 3};
  DLTensor tensor = {elements, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, sizes, strides, 0};
  DLTensor row = {elements, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, nullptr, sizeof(float)};
  DLTensor none = {nullptr, {kDLCPU, 0}, 2, {kDLInt, 64, 1}, nothing, strides, 0};
  ptc_value values[] = {ptc_of_tensor(&tensor), ptc_of_int(1), ptc_of_tensor(nullptr),
                        ptc_of_tensor(&row), ptc_of_tensor(&none)};
  ptc_text_part parts[] = {{"x = ", 4, -1, 0, -1, 0, nullptr},
                           {"requires_grad=True", 18, 0, 't', -1, 0, ptc_put_tensor},
                           {"", 0, 2, 't', 1, 0, ptc_put_tensor}, // not chosen: it may not be there
                           {"; ", 2, -1, 0, 1, 1, nullptr},
                           {"", 0, 3, 't', 1, 1, ptc_put_tensor},
                           {" of ", 4, -1, 0, -1, 0, nullptr},
                           {"", 0, 1, 'r', -1, 0, nullptr},
                           {"\n", 1, -1, 0, -1, 0, nullptr},
                           {"", 0, 4, 't', -1, 0, ptc_put_tensor}};
  ptc_text_buffer out = {nullptr, 0, 0, false};
  ptc_put_parts(&out, parts, std::size(parts), values);
  CHECK(std::string(out.data, out.length) ==
        "x = tensor([[ 1.0000, -3.0000],\n        [ 2.5000,  0.2500]], requires_grad=True); "
        "tensor([ 2.5000, -3.0000]) of 1\ntensor([], size=(0, 3), dtype=torch.int64)");
  std::free(out.data);
}

TEST_CASE("a part with a choice counts where the selector has its number") {
  ptc_text_part parts[] = {{"no", 2, -1, 0, 0, 0, nullptr}, {"yes", 3, -1, 0, 0, 1, nullptr}};
  for (int64_t which : {0, 1, 2}) {
    ptc_value selector = ptc_of_int(which);
    ptc_text_buffer out = {nullptr, 0, 0, false};
    ptc_put_parts(&out, parts, 2, &selector);
    CHECK(std::string(out.data ? out.data : "") == (which == 0 ? "no" : which == 1 ? "yes" : ""));
    std::free(out.data);
  }
}

TEST_CASE("generators give what std::mt19937 gives") {
  ptc_generator generator;
  ptc_generator_seed(&generator, 5489);
  uint32_t bits = 0;
  for (int i = 0; i < 10000; ++i)
    bits = ptc_generator_next(&generator);
  CHECK(bits == 4123659995U); // [rand.predef]
}
