//===- Lanes.cpp - What lanes of a warp, and warps of a block, do together -------------===//
//
// Shuffles, votes and barriers. Lanes that an instruction names have to come to it; what they read
// of others is what these have there.
//
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "Run.h"

#include <algorithm>

using namespace device;

namespace {
enum ShuffleKind : uint8_t { kUp, kDown, kCross, kIndex };
constexpr std::string_view kShuffles[] = {"up", "down", "bfly", "idx"};

/// The lane that this one reads, and whether it is in range, as the manual has it.
std::pair<unsigned, bool> sourceOf(uint8_t kind, unsigned lane, uint32_t b, uint32_t c) {
  unsigned value = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  unsigned most = (lane & segment) | (clamp & ~segment & 31), least = lane & segment;
  switch (kind) {
  case kUp:
    return {lane - value, int(lane - value) >= int(most)};
  case kDown:
    return {lane + value, lane + value <= most};
  case kCross:
    return {lane ^ value, (lane ^ value) <= most};
  default:
    return {least | (value & ~segment), (least | (value & ~segment)) <= most};
  }
}

/// The mask of operand `k`, the same in all lanes that are here.
Mask namedLanes(Warp &warp, const Instruction &i, unsigned k) {
  const auto *masks = warp.at<uint32_t>(i.at[k]);
  Mask mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (warp.active >> lane & 1) {
      if (mask && masks[lane] != mask)
        throw Fault("lanes name different lanes");
      mask = masks[lane];
    }
  if (warp.active & ~mask)
    throw Fault("a lane that does not name itself");
  return mask;
}

void shuffle(Warp &warp, const Instruction &i) {
  if (!warp.needs(namedLanes(warp, i, 5)))
    return;
  std::array<uint32_t, kLanes> made{};
  Mask inRange = 0;
  const auto *from = warp.at<uint32_t>(i.at[2]), *b = warp.at<uint32_t>(i.at[3]),
             *c = warp.at<uint32_t>(i.at[4]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(warp.active >> lane & 1))
      continue;
    auto [source, isIn] = sourceOf(i.kind, lane, b[lane], c[lane]);
    inRange |= Mask(isIn) << lane;
    source = isIn ? source : lane;
    if (!(warp.active >> source & 1))
      throw Fault("a lane reads of one that is not here");
    made[lane] = from[source];
  }
  auto *to = warp.at<uint32_t>(i.at[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = warp.active >> lane & 1 ? made[lane] : to[lane];
  Mask &predicate = *warp.at<Mask>(i.at[1]);
  predicate = (predicate & ~warp.active) | (inRange & warp.active);
}

enum VoteKind : uint8_t { kEvery, kAny, kSame, kBallot };
constexpr std::string_view kVotes[] = {"all", "any", "uni", "ballot"};

void vote(Warp &warp, const Instruction &i) {
  if (!warp.needs(namedLanes(warp, i, 2)))
    return;
  const Mask active = warp.active;
  Mask is = *warp.at<Mask>(i.at[1]) ^ (i.isSigned ? kAll : 0);
  is &= active;
  if (i.kind == kBallot) {
    auto *to = warp.at<uint32_t>(i.at[0]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      to[lane] = active >> lane & 1 ? is : to[lane];
    return;
  }
  bool result = i.kind == kEvery ? is == active
                : i.kind == kAny ? is != 0
                                 : is == 0 || is == active;
  Mask &to = *warp.at<Mask>(i.at[0]);
  to = (to & ~active) | (result ? active : 0);
}

void showActive(Warp &warp, const Instruction &i) {
  auto *to = warp.at<uint32_t>(i.at[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = warp.active >> lane & 1 ? warp.active : to[lane];
}

/// `redux`: of all lanes that are named.
template <class T, class F> void reduce(Warp &warp, const Instruction &i) {
  if (!warp.needs(namedLanes(warp, i, 2)))
    return;
  std::optional<T> made;
  const T *from = warp.at<T>(i.at[1]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (warp.active >> lane & 1)
      made = made ? F()(*made, from[lane]) : from[lane];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (warp.active >> lane & 1)
      warp.at<T>(i.at[0])[lane] = *made;
}
struct Sum {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};
struct Least {
  template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct Greatest {
  template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct Both {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a & b; }
};
struct Either {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a | b; }
};
struct OneOf {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a ^ b; }
};
constexpr std::pair<std::string_view, Handler> kReductions[] = {
    {"redux.sync.add.s32", reduce<uint32_t, Sum>},
    {"redux.sync.add.u32", reduce<uint32_t, Sum>},
    {"redux.sync.min.s32", reduce<int32_t, Least>},
    {"redux.sync.min.u32", reduce<uint32_t, Least>},
    {"redux.sync.max.s32", reduce<int32_t, Greatest>},
    {"redux.sync.max.u32", reduce<uint32_t, Greatest>},
    {"redux.sync.and.b32", reduce<uint32_t, Both>},
    {"redux.sync.or.b32", reduce<uint32_t, Either>},
    {"redux.sync.xor.b32", reduce<uint32_t, OneOf>}};

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// The first lane's number of operand `k`.
uint32_t numberOfLanes(Warp &warp, const Instruction &i, unsigned k) {
  return warp.at<uint32_t>(i.at[k])[std::countr_zero(warp.active)];
}

void waitForWarp(Warp &warp, const Instruction &i) {
  if (warp.needs(namedLanes(warp, i, 0)))
    warp.passLanes();
}
void waitForBlock(Warp &warp, const Instruction &i) {
  if (warp.needs(warp.live()))
    warp.waitAt(numberOfLanes(warp, i, 0), i.count > 1 ? numberOfLanes(warp, i, 1) : 0);
}
void arrive(Warp &warp, const Instruction &i) {
  if (!warp.needs(warp.live()))
    return;
  unsigned barrier = numberOfLanes(warp, i, 0), threads = numberOfLanes(warp, i, 1);
  if (barrier >= Block::kNumBarriers || threads % kLanes)
    throw Fault("a barrier that there is not");
  warp.block.expected[barrier] = threads;
  warp.block.arrive(barrier, kLanes);
}
} // namespace

void device::decodeShuffle(Names &names, const Statement &statement, Instruction &i) {
  auto parts = partsOf(statement.word);
  const auto &operands = statement.operands;
  bool hasPredicate = operands.size() == 6;
  if (parts.size() != 4 || parts[1] != "sync" || parts[3] != "b32" || operands.size() < 5)
    return;
  const auto *kind = std::ranges::find(kShuffles, parts[2]);
  if (kind == std::end(kShuffles))
    return;
  i.kind = uint8_t(kind - std::begin(kShuffles));
  i.at[0] = names.place(operands[0], kWidth32);
  i.at[1] = hasPredicate ? names.place(operands[1], kPredicate) : uint32_t(kSink);
  for (unsigned k = 0; k < 4; ++k)
    i.at[2 + k] = names.place(operands[(hasPredicate ? 2 : 1) + k], kWidth32);
  i.run = shuffle;
}

void device::decodeVote(Names &names, const Statement &statement, Instruction &i) {
  auto parts = partsOf(statement.word);
  if (parts.size() != 4 || parts[1] != "sync" || statement.operands.size() != 3)
    return;
  const auto *kind = std::ranges::find(kVotes, parts[2]);
  if (kind == std::end(kVotes))
    return;
  i.kind = uint8_t(kind - std::begin(kVotes));
  Item asked = statement.operands[1];
  i.isSigned = asked.isNegated;
  asked.isNegated = false;
  i.at[0] = names.place(statement.operands[0], i.kind == kBallot ? kWidth32 : kPredicate);
  i.at[1] = names.place(asked, kPredicate);
  i.at[2] = names.place(statement.operands[2], kWidth32);
  i.run = vote;
}

void device::decodeActive(Names &names, const Statement &statement, Instruction &i) {
  if (statement.word != "activemask.b32" || statement.operands.size() != 1)
    return;
  i.at[0] = names.place(statement.operands[0], kWidth32);
  i.run = showActive;
}

void device::decodeReduce(Names &names, const Statement &statement, Instruction &i) {
  const auto *found =
      std::ranges::find(kReductions, statement.word, [](auto &row) { return row.first; });
  if (found == std::end(kReductions) || statement.operands.size() != 3)
    return;
  for (unsigned k = 0; k < 3; ++k)
    i.at[k] = names.place(statement.operands[k], kWidth32);
  i.run = found->second;
}

void device::decodeBarrier(Names &names, const Statement &statement, Instruction &i) {
  static constexpr std::pair<std::string_view, Handler> kWords[] = {
      {"bar.sync", waitForBlock},
      {"barrier.sync", waitForBlock},
      {"bar.cta.sync", waitForBlock},
      {"barrier.cta.sync", waitForBlock},
      {"barrier.sync.aligned", waitForBlock},
      {"barrier.cta.sync.aligned", waitForBlock},
      {"bar.warp.sync", waitForWarp},
      {"bar.arrive", arrive},
      {"barrier.arrive", arrive},
      {"bar.cta.arrive", arrive},
      {"barrier.cta.arrive", arrive},
      {"barrier.cta.arrive.aligned", arrive}};
  const auto *found =
      std::ranges::find(kWords, statement.word, [](auto &row) { return row.first; });
  if (found == std::end(kWords) || statement.operands.size() > 2 || statement.operands.empty())
    return;
  i.count = uint8_t(statement.operands.size());
  for (unsigned k = 0; k < i.count; ++k)
    i.at[k] = names.place(statement.operands[k], kWidth32);
  i.run = found->second;
}
