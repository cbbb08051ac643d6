// The C++ wrapper on the hand-made program.
#include "HandMade.h"

#include "ptc/Runtime/ptc.hpp"

#include <catch2/catch.hpp>

TEST_CASE("models, contexts and tensors of C++") {
  ptc::Model model(handmade::table());
  ptc::Context context(model);
  std::vector<float> x = {1, 2, 3, 4}, y(4);
  ptc::Tensor<float> in(x.data(), {4}), out(y.data(), {4});
  std::vector<ptc_value> results = {out.value()};
  context.call(0, {in.value()}, results);
  CHECK(y == std::vector<float>{3, 6, 9, 12});
  try {
    context.call(0, {ptc_of_int(3)}, results);
    FAIL("no error");
  } catch (const ptc::Error &error) {
    CHECK(error.status() == ptc_status_no_variant);
    CHECK(std::string(error.what()).find("x is int") != std::string::npos);
  }
  context.setThreads(2);
  context.call(0, {in.value()}, results);
  CHECK(y == std::vector<float>{3, 6, 9, 12});
  CHECK_THROWS_AS(context.setThreads(0), ptc::Error);
  CHECK_THROWS_AS(context.recordMisses("/nonexistent/misses.jsonl"), ptc::Error);
  context.recordMisses("");
  ptc_api newer = *handmade::table();
  newer.major = 99;
  CHECK_THROWS_AS(ptc::Model(&newer), ptc::Error);
  CHECK(model.manifest() == "{\"entry\": \"scale\"}\n");
}
