// Memory of a call beside the arena: what is given back, and what serves again.
#include "HandMade.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}

using handmade::allocations;

namespace {
/// A context of which only that memory is used.
struct Scratch {
  std::unique_ptr<ptc_context, decltype(&std::free)> context{
      static_cast<ptc_context *>(std::calloc(1, sizeof(ptc_context))), std::free};
  ptc_frame frame = {};
  Scratch() { frame.context = context.get(); }
  ~Scratch() { ptc_free_scratch(context.get()); }
  void *take(uint64_t bytes) { return ptc_scratch_take(&frame, bytes); }
  void *takeList(uint64_t bytes) { return ptc_list_take(&frame, bytes); }
  uint64_t mark() { return ptc_scratch_mark(&frame); }
  void release(uint64_t mark, std::vector<void *> carried, bool keepsLists = false) {
    ptc_scratch_release(&frame, mark, carried.data(), uint32_t(carried.size()), keepsLists);
  }
  void endCall() { ptc_end_scratch(context.get()); }
};
} // namespace

TEST_CASE("the end of a turn gives back what it does not carry on") {
  Scratch s;
  auto *outside = static_cast<char *>(s.take(1000));
  uint64_t mark = s.mark();
  auto *carried = static_cast<char *>(s.take(1000));
  void *other = s.take(1000);
  s.release(mark, {carried + 999, nullptr});
  CHECK(s.take(1000) == other);
  void *more = s.take(1000);
  CHECK(more != outside);
  CHECK(more != carried);
  s.release(mark, {}); // nothing of this turn, and no longer what the one before had carried
  std::vector<void *> again = {s.take(1000), s.take(1000), s.take(1000)};
  for (void *block : {static_cast<void *>(carried), other, more})
    CHECK(std::count(again.begin(), again.end(), block) == 1);
}

TEST_CASE("lists that are carried on keep all of their nodes") {
  Scratch s;
  uint64_t mark = s.mark();
  void *node = s.takeList(24), *element = s.takeList(1000);
  s.release(mark, {node}, /*keepsLists=*/true);
  CHECK(s.take(1000) != element);
  s.release(mark, {node}, /*keepsLists=*/false);
  CHECK(s.take(1000) != node);
}

TEST_CASE("blocks of a turn serve those of the next one, whatever grows or shrinks") {
  for (bool grows : {true, false}) {
    Scratch s;
    uint64_t mark = s.mark();
    void *carried = nullptr;
    uint64_t most = 0;
    for (uint64_t i = 1; i <= 1000; ++i) {
      uint64_t bytes = (grows ? i : 1001 - i) * 4096;
      s.take(bytes);
      carried = s.take(bytes);
      s.release(mark, {carried});
      most = std::max(most, s.context->scratch.bytes);
    }
    CHECK(most < 5 * uint64_t(1000 * 4096));
  }
}

TEST_CASE(
    "calls that ask for the same come to allocate nothing, and keep no more than they ask for") {
  Scratch s;
  auto call = [&](uint64_t scale) {
    uint64_t mark = s.mark();
    for (uint64_t i = 0; i < 50; ++i) {
      s.take(i % 7 * scale);
      void *carried = s.take(i * scale);
      s.take((50 - i) * scale * 3);
      s.release(mark, {carried});
    }
    s.endCall();
  };
  for (int i = 0; i < 10; ++i)
    call(1000);
  unsigned long before = allocations;
  call(1000);
  CHECK(allocations == before);
  call(10); // large blocks are not asked for
  call(10);
  CHECK(s.context->scratch.bytes < 500000);
  s.endCall();
  CHECK(s.context->scratch.bytes == 0);
}

TEST_CASE("sizes that no memory has") {
  Scratch s;
  CHECK(s.take(UINT64_MAX) == nullptr);
  CHECK(s.take(uint64_t(1) << 62) == nullptr);
  CHECK(s.frame.context->error.status == ptc_status_out_of_memory);
  CHECK(s.take(0) != nullptr);
}
