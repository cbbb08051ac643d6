//===- Copies.cpp - Copies to shared memory that go on by themselves -------------------===//
//
// What a lane copies arrives when it waits for it, and no earlier: who reads too early reads what
// was there before.
//
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "Run.h"

#include <bit>
#include <cstring>

using namespace device;

namespace {
uint64_t addressAt(Warp &warp, uint32_t place, unsigned width, unsigned lane) {
  return width == kWidth64 ? warp.at<uint64_t>(place)[lane] : warp.at<uint32_t>(place)[lane];
}

/// Operands: where to, of `kind` bytes, where from, of `width` bytes, how much of it is there.
void copy(Warp &warp, const Instruction &i) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(warp.active >> lane & 1))
      continue;
    Copy made{.to = addressAt(warp, i.at[0], i.kind, lane) + uint64_t(i.number),
              .group = warp.groups[lane],
              .bytes = i.bytes};
    uint32_t there = warp.at<uint32_t>(i.at[2])[lane];
    if (there > i.bytes)
      throw Fault("a copy of more than there is room for");
    warp.place(Space::Shared, made.to, i.bytes, lane, Access::Begun);
    uint64_t from =
        addressAt(warp, i.at[1], i.width, lane) + uint64_t(int64_t(int32_t(i.places[0])));
    if (from % i.bytes)
      throw Fault("a copy from a place that is not aligned");
    if (there) // bytes that are not there are zeros
      std::memcpy(made.contents.data(),
                  warp.place(Space::Global, from, std::bit_floor(there), lane, Access::Read),
                  there);
    warp.copies[lane].push_back(made);
  }
}

void commit(Warp &warp, const Instruction & /*i*/) {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    warp.groups[lane] += warp.active >> lane & 1;
}

/// All groups but the last ones; `number` negative: those that are not committed either.
void wait(Warp &warp, const Instruction &i) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(warp.active >> lane & 1))
      continue;
    auto &copies = warp.copies[lane];
    for (; !copies.empty() && int64_t(copies.front().group) < int64_t(warp.groups[lane]) - i.number;
         copies.pop_front()) {
      const Copy &first = copies.front();
      std::memcpy(warp.place(Space::Shared, first.to, first.bytes, lane, Access::Write),
                  first.contents.data(), first.bytes);
    }
  }
}
} // namespace

void device::decodeCopy(Names &names, const Statement &statement, Instruction &i) {
  const auto &operands = statement.operands;
  if (statement.word == "cp.async.commit_group" && operands.empty()) {
    i.run = commit;
  } else if (statement.word == "cp.async.wait_all" && operands.empty()) {
    i.number = -1;
    i.run = wait;
  } else if (statement.word == "cp.async.wait_group" && operands.size() == 1) {
    i.number = int64_t(operands[0].number);
    i.run = wait;
  } else if ((statement.word.starts_with("cp.async.cg.shared.global") ||
              statement.word.starts_with("cp.async.ca.shared.global")) &&
             operands.size() >= 3 && operands[2].kind == Item::Number) {
    AddressPlace to = names.address(operands[0]), from = names.address(operands[1]);
    i.at[0] = to.base.at;
    i.kind = to.base.width;
    i.number = to.offset;
    i.at[1] = from.base.at;
    i.width = from.base.width;
    i.places = {uint32_t(from.offset)};
    i.bytes = uint8_t(operands[2].number);
    i.at[2] = names.place(operands.back(), kWidth32);
    i.run = copy;
  }
}
