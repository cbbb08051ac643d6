// Calls that no variant fits, as lines of example JSON.
#include "HandMade.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using handmade::Tensor;

namespace {
struct Recorded {
  std::string path = std::filesystem::temp_directory_path() / "ptc-misses-XXXXXX";
  ptc_model *model = nullptr;
  ptc_context *context = nullptr;
  Recorded() {
    int file = mkstemp(path.data());
    REQUIRE(file >= 0);
    close(file);
    REQUIRE(ptc_model_open(handmade::table(), nullptr, &model) == ptc_status_ok);
    REQUIRE(ptc_context_create(model, &context) == ptc_status_ok);
    REQUIRE(ptc_record_misses(context, path.c_str()) == ptc_status_ok);
  }
  ~Recorded() {
    ptc_context_destroy(context);
    ptc_model_close(model);
    unlink(path.c_str());
  }
  std::string text() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Makes a call that misses; what it added to the file.
  std::string miss(uint32_t entry, const std::vector<ptc_value> &in) {
    std::string before = text();
    ptc_value out[2] = {};
    REQUIRE(ptc_call(context, entry, in.data(), uint32_t(in.size()), out, 2) ==
            ptc_status_no_variant);
    return text().substr(before.size());
  }
  std::string error() const { return ptc_last_error(context)->text; }
};

std::string call(const std::string &argument) {
  return "{\"args\": [" + argument + "], \"kwargs\": {}}\n";
}
} // namespace

TEST_CASE("leaves in the notation of examples") {
  Recorded r;
  CHECK(r.miss(0, {ptc_of_none()}) == call("null"));
  CHECK(r.miss(0, {ptc_of_bool(1)}) == call("true"));
  CHECK(r.miss(0, {ptc_of_int(INT64_MIN)}) == call("-9223372036854775808"));
  CHECK(r.miss(0, {ptc_of_float(0.1)}) == call("0.1"));
  CHECK(r.miss(0, {ptc_of_float(-0.0)}) == call("-0.0"));
  CHECK(r.miss(0, {ptc_of_float(0x1.fffffffffffffp1023)}) == call("1.7976931348623157e+308"));
  CHECK(r.miss(0, {ptc_of_float(-INFINITY)}) == call("{\"$float\": \"-inf\"}"));
  const char text[] = "a\"\\\n\x01\0\xc3\xa9\xf0\x9f\x99\x82";
  CHECK(r.miss(0, {ptc_of_str(text, sizeof text - 1)}) ==
        call("\"a\\\"\\\\\\u000a\\u0001\\u0000\xc3\xa9\xf0\x9f\x99\x82\""));
  ptc_value value = ptc_of_tag(ptc_tag_DType);
  value.as.dtype = {kDLBfloat, 16, 1};
  CHECK(r.miss(0, {value}) == call("{\"$dtype\": \"bfloat16\"}"));
  value.as.dtype = {kDLBool, 8, 1};
  CHECK(r.miss(0, {value}) == call("{\"$dtype\": \"bool\"}"));
  value = ptc_of_tag(ptc_tag_Device);
  value.as.device = {kDLCUDA, 1};
  CHECK(r.miss(0, {value}) == call("{\"$device\": \"cuda:1\"}"));
}

TEST_CASE("tensors by type, sizes and strides") {
  Recorded r;
  Tensor x({1, 2, 3, 4, 5, 6});
  int64_t sizes[] = {2, 1, 3}, dense[] = {3, 77, 1}, turned[] = {1, 1, 2}, none[] = {0, 3};
  x.view.ndim = 3;
  x.view.shape = sizes;
  CHECK(r.miss(0, {x.value()}) == call("{\"$tensor\": \"f32[2,1,3]\"}"));
  x.view.strides = dense; // the same: a size of 1 has no stride
  CHECK(r.miss(0, {x.value()}).empty());
  x.view.strides = turned;
  x.view.dtype = {kDLUInt, 8, 1};
  CHECK(r.miss(0, {x.value()}) == call("{\"$tensor\": \"u8[2,1,3]\", \"strides\": [1,1,2]}"));
  x.view.ndim = 2;
  x.view.shape = none;
  CHECK(r.miss(0, {x.value()}) == call("{\"$tensor\": \"u8[0,3]\"}"));
  x.view.ndim = 0;
  x.view.dtype = {kDLBool, 8, 1};
  ptc_value value = x.value();
  CHECK(r.miss(0, {value}) == call("{\"$tensor\": \"bool[]\"}"));
  value.requires_grad = 1;
  x.view.dtype = {kDLFloat, 16, 1};
  CHECK(r.miss(0, {value}) == call("{\"$tensor\": \"f16[]\", \"requires_grad\": true}"));
}

TEST_CASE("a tensor that is passed twice, and a set") {
  Recorded r;
  Tensor x({1, 2});
  ptc_value set = ptc_of_tag(ptc_tag_Set), how = ptc_of_str("fast", 4);
  CHECK(r.miss(2, {x.value(), x.value(), set, how}) ==
        "{\"args\": [{\"$tensor\": \"f32[2]\"}, {\"$same\": \"args[0]\"}], \"kwargs\": "
        "{\"scale\": {\"$set\": [1, 2]}, \"how\": \"fast\"}}\n");
}

TEST_CASE("what the notation cannot say is not recorded, and the error says so") {
  Recorded r;
  auto why = [&](uint32_t entry, const std::vector<ptc_value> &in) {
    CHECK(r.miss(entry, in).empty());
    std::string text = r.error(), mark = "note: the call is not recorded: ";
    size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return text.substr(at + mark.size());
  };
  Tensor x({1, 2}), y({1, 2});
  CHECK(why(1, {ptc_of_none()}) == "its arguments have no form in the notation of examples\n");
  CHECK(why(0, {ptc_of_str("\xc3", 1)}) == "a text is not UTF-8\n");
  CHECK(why(0, {ptc_of_str("\xed\xa0\x80", 3)}) == "a text is not UTF-8\n");
  CHECK(why(0, {ptc_of_tag(ptc_tag_Complex)}) ==
        "an argument has no form in the notation of examples\n");
  int64_t back[] = {-1};
  y.view.data = y.data.data() + 1;
  y.view.strides = back;
  CHECK(why(0, {y.value()}) == "a tensor has a negative stride\n");
  y.view.strides = nullptr;
  y.view.data = x.data.data() + 1;
  y.view.shape[0] = 1;
  CHECK(why(2, {x.value(), y.value(), ptc_of_float(1), ptc_of_none()}) ==
        "arguments share parts of their memory\n");
  CHECK(why(0, {ptc_of_tag(ptc_tag_Set)}) == "a set stands where none is expected\n");
  y.view.data = y.data.data();
  for (DLDataType type :
       {DLDataType{kDLFloat, 8, 1}, DLDataType{kDLUInt, 16, 1}, DLDataType{kDLBool, 1, 1},
        DLDataType{kDLInt, 4, 1}, DLDataType{kDLComplex, 32, 1}, DLDataType{kDLFloat, 32, 2}}) {
    y.view.dtype = type;
    CHECK(why(0, {y.value()}) == "a tensor has an element type that the notation does not have\n");
    ptc_value named = ptc_of_tag(ptc_tag_DType);
    named.as.dtype = type;
    CHECK(why(0, {named}) == "an element type that the notation does not have\n");
  }
  ptc_value device = ptc_of_tag(ptc_tag_Device);
  device.as.device = {kDLCUDA, -1};
  CHECK(why(0, {device}) == "a device whose number is negative\n");
  x.view.device.device_type = kDLCUDA;
  CHECK(why(0, {x.value()}) == "a tensor is not on the CPU\n");
  ptc_set_grad_mode(r.context, 0);
  CHECK(why(0, {ptc_of_none()}) == "gradients are off, which examples do not say\n");
}

TEST_CASE("each call is recorded once, by whichever context") {
  Recorded r;
  CHECK(!r.miss(0, {ptc_of_int(1)}).empty());
  CHECK(r.miss(0, {ptc_of_int(1)}).empty());
  ptc_context *other = nullptr;
  REQUIRE(ptc_context_create(r.model, &other) == ptc_status_ok);
  REQUIRE(ptc_record_misses(other, r.path.c_str()) == ptc_status_ok);
  ptc_value in = ptc_of_int(1), out = ptc_of_none();
  REQUIRE(ptc_call(other, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  CHECK(r.text() == call("1"));
  in = ptc_of_int(2);
  REQUIRE(ptc_call(other, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  CHECK(r.miss(0, {ptc_of_int(2)}).empty());
  REQUIRE(ptc_record_misses(other, nullptr) == ptc_status_ok);
  in = ptc_of_int(3);
  REQUIRE(ptc_call(other, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  CHECK(r.text() == call("1") + call("2"));
  CHECK(ptc_record_call(other, "{}", 2) == ptc_status_ok); // it records nothing
  ptc_context_destroy(other);
  CHECK(r.text() == call("1") + call("2"));
}

TEST_CASE("the file is the user's, too") {
  Recorded r;
  std::ofstream(r.path) << "{\"args\": [7]}"; // without an end of line
  CHECK(r.miss(0, {ptc_of_int(1)}) == "\n" + call("1"));
  CHECK(ptc_record_call(r.context, "{\"args\": [7]}", 13) == ptc_status_ok);
  CHECK(r.text() == "{\"args\": [7]}\n" + call("1"));
  for (std::string text : {"{\n}", "", "[]", "{", "{\x01}", "{\xff}", "{\xe2\x82}"})
    CHECK(ptc_record_call(r.context, text.data(), text.size()) == ptc_status_invalid_argument);
  std::ofstream(r.path) << std::string(1 << 20, ' ');
  CHECK(r.miss(0, {ptc_of_int(2)}).empty());
  CHECK(r.error().find("not recorded: the file has reached 1 MiB\n") != std::string::npos);
  unlink(r.path.c_str());
  CHECK(r.miss(0, {ptc_of_int(5)}) == call("5"));
  CHECK(ptc_record_misses(r.context, "/nonexistent/x.jsonl") == ptc_status_invalid_argument);
}

TEST_CASE("an artefact of an older interface does not record") {
  struct Old {
    const ptc_api *api;
  };
  ptc_api api = *handmade::table();
  api.size = offsetof(ptc_api, record_misses);
  Old old = {&api};
  auto *context = reinterpret_cast<ptc_context *>(&old);
  CHECK(ptc_record_misses(context, "x.jsonl") == ptc_status_version);
  CHECK(ptc_record_call(context, "{}", 2) == ptc_status_version);
  CHECK(ptc_profile_call(context, nullptr, nullptr) == ptc_status_version);
}
