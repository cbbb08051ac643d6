//===- Run.cpp - Grids of blocks of warps of lanes -------------------------------------===//
//
// In: a launch. Out: memory as it is behind it, or a fault. Of the lanes of a warp those go on that
// are in the innermost call, and there at the first instruction: where code comes together again
// behind what is divided, so do they. A warp runs until it waits for others of its block.
//
//===----------------------------------------------------------------------===//
#include "Run.h"

#include "Memory.h"
#include "Races.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

using namespace device;

/// What fresh memory holds: no number, and no address or place that there is.
static constexpr unsigned char kPoison = 0xff;

//===----------------------------------------------------------------------===//
// A warp
//===----------------------------------------------------------------------===//

static void setConstants(Warp &warp, const std::vector<Constant> &constants) {
  for (const Constant &constant : constants) {
    if (constant.width == kPredicate) {
      *warp.at<Mask>(constant.at) = constant.bits ? kAll : 0;
      continue;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(warp.at<unsigned char>(constant.at) + size_t(lane) * constant.width,
                  &constant.bits, constant.width);
  }
}

static void setAll(Warp &warp, uint32_t place, uint32_t value) {
  std::fill_n(warp.at<uint32_t>(place), kLanes, value);
}

Warp::Warp(Block &block, const Launch &launch, unsigned number)
    : launch(launch), block(block), number(number),
      registers(launch.kernel->registerBytes, kPoison),
      parameters(size_t(kLanes) * launch.kernel->parameterBytes),
      locals(size_t(kLanes) * launch.kernel->localBytes),
      parameterBytes(launch.kernel->parameterBytes), localBytes(launch.kernel->localBytes) {
  fragments.reserve(kLanes + 1); // none of them moves
  setConstants(*this, launch.module->constants);
  setConstants(*this, launch.kernel->constants);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned thread = number * kLanes + lane;
    for (unsigned axis = 0; axis < 3; thread /= launch.threads[axis], ++axis)
      at<uint32_t>(kThread)[axis * kLanes + lane] = thread % launch.threads[axis];
    at<uint32_t>(kLane)[lane] = lane;
  }
  setAll(*this, kWarp, number);
  for (unsigned axis = 0; axis < 3; ++axis) {
    setAll(*this, kThreads + axis * 4 * kLanes, launch.threads[axis]);
    setAll(*this, kBlocks + axis * 4 * kLanes, launch.grid[axis]);
  }
}

void Warp::start(std::array<unsigned, 3> block) {
  for (unsigned axis = 0; axis < 3; ++axis)
    setAll(*this, kBlock + axis * 4 * kLanes, block[axis]);
  unsigned left = launch.threads[0] * launch.threads[1] * launch.threads[2] - number * kLanes;
  Fragment all{launch.kernel->begin, left >= kLanes ? kAll : (Mask(1) << left) - 1, false, {}};
  fragments.assign(1, all);
  barrier.reset();
  std::ranges::fill(locals, kPoison);
  for (auto &copied : copies)
    copied.clear();
  groups.fill(0);
}

Mask Warp::live() const {
  Mask all = 0;
  for (const Fragment &fragment : fragments)
    all |= fragment.mask;
  return all;
}

static bool areTogether(const Fragment &a, const Fragment &b) {
  return a.next == b.next && a.frames == b.frames;
}

void Warp::merge() {
  for (size_t a = 0; a < fragments.size(); ++a)
    for (size_t b = fragments.size() - 1; b > a; --b)
      if (areTogether(fragments[a], fragments[b])) {
        fragments[a].mask |= fragments[b].mask;
        fragments[a].waits = false;
        fragments.erase(fragments.begin() + ptrdiff_t(b));
      }
}

Fragment *Warp::pick() {
  merge();
  Fragment *best = nullptr;
  auto isBefore = [](const Fragment &a, const Fragment &b) {
    return a.frames.size() != b.frames.size() ? a.frames.size() > b.frames.size() : a.next < b.next;
  };
  for (Fragment &fragment : fragments)
    if (!fragment.waits && (!best || isBefore(fragment, *best)))
      best = &fragment;
  if (best || fragments.empty())
    return best;
  std::string lines;
  for (const Fragment &fragment : fragments)
    lines += " " + std::to_string(launch.module->code[fragment.next].line);
  throw Fault("kernel " + launch.kernel->name +
              ": lanes of a warp wait for each other at different lines:" + lines);
}

/// The first instruction where others are: it goes on with them.
uint32_t Warp::limitOf(const Fragment &fragment) const {
  uint32_t limit = ~uint32_t(0);
  for (const Fragment &other : fragments)
    if (other.frames.size() == fragment.frames.size() && other.next > fragment.next)
      limit = std::min(limit, other.next);
  return limit;
}

void Warp::step(Fragment &fragment) {
  const Instruction &i = launch.module->code[fragment.next++];
  active = fragment.mask;
  if (i.guard != kNoGuard) {
    Mask guard = *at<Mask>(i.guard);
    active &= i.isGuardNegated ? ~guard : guard;
  }
  if (active)
    i.run(*this, i);
}

void Warp::run() {
  while (!barrier) {
    current = pick();
    if (!current)
      return;
    isOver = false;
    const uint32_t limit = limitOf(*current);
    uint32_t before = current->next;
    try {
      do {
        before = current->next;
        step(*current);
      } while (!isOver && current->next < limit);
    } catch (const Fault &fault) {
      fail(launch.module->code[before], fault.what());
    }
  }
}

void Warp::fail(const Instruction &instruction, const std::string &text) const {
  const auto *block = reinterpret_cast<const uint32_t *>(registers.data() + kBlock);
  throw Fault("kernel " + launch.kernel->name + ", block " + std::to_string(*block) + ", warp " +
              std::to_string(number) + ", PTX line " + std::to_string(instruction.line) + " (" +
              std::string(instruction.text) + "): " + text);
}

bool Warp::needs(Mask mask) {
  Mask lanes = mask & live();
  if ((lanes & ~active) == 0)
    return true;
  if ((lanes & ~current->mask) == 0)
    throw Fault("lanes that it is for do not take part");
  --current->next;
  current->waits = isOver = true;
  return false;
}

void Warp::jump(uint32_t target) {
  if (active == current->mask) {
    current->next = target;
    return;
  }
  current->mask &= ~active;
  fragments.push_back({target, active, false, current->frames});
  isOver = true;
}

void Warp::exit() {
  current->mask &= ~active;
  std::erase_if(fragments, [](const Fragment &fragment) { return fragment.mask == 0; });
  for (Fragment &fragment : fragments) // nobody waits for them
    fragment.waits = false;
  isOver = true;
}

void Warp::enter(const Instruction &call) {
  if (active != current->mask)
    throw Fault("a call of some lanes");
  for (size_t k = 0; k < call.callee->parameters.size(); ++k)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(parameter(lane, call.callee->parameters[k].offset),
                  parameter(lane, call.places[k]), call.callee->parameters[k].bytes);
  current->frames.push_back({&call, current->next});
  current->next = call.callee->begin;
  isOver = true;
}

void Warp::leave() {
  if (current->frames.empty()) {
    exit();
    return;
  }
  Fragment left{0, active, false, current->frames};
  const Frame frame = left.frames.back();
  left.frames.pop_back();
  left.next = frame.back;
  const Function &callee = *frame.call->callee;
  for (size_t k = 0; k < callee.results.size(); ++k)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (active >> lane & 1)
        std::memcpy(parameter(lane, frame.call->places[callee.parameters.size() + k]),
                    parameter(lane, callee.results[k].offset), callee.results[k].bytes);
  current->mask &= ~active;
  if (current->mask == 0)
    *current = left;
  else
    fragments.push_back(left);
  isOver = true;
}

void Warp::waitAt(unsigned which, unsigned threads) {
  if (which >= Block::kNumBarriers || threads % kLanes)
    throw Fault("a barrier that there is not");
  barrier = which;
  block.expected[which] = threads;
  block.arrive(which, kLanes);
  isOver = true;
}

void Warp::passLanes() {
  if (block.races)
    block.races->passWarp(number);
}

unsigned char *Warp::globalPlace(uint64_t address, unsigned bytes) {
  if (address - regionBegin < regionBytes && bytes <= regionBytes - (address - regionBegin))
    return regionAt + (address - regionBegin);
  const Region *found = findRegion(address);
  if (!found)
    throw Fault("an address outside of everything that is allocated");
  if (bytes > found->bytes - (address - found->begin))
    throw Fault("an access over the end of what is allocated");
  regionBegin = found->begin;
  regionBytes = found->bytes;
  regionAt = found->behind;
  return regionAt + (address - regionBegin);
}

unsigned char *Warp::place(Space space, uint64_t address, unsigned bytes, unsigned lane,
                           Access access) {
  if (address & (bytes - 1))
    throw Fault("an access of " + std::to_string(bytes) + " bytes that is not aligned");
  if (space == Space::Generic) {
    bool isLocal = address >= kLocalWindow, isShared = !isLocal && address >= kSharedWindow;
    space = isLocal ? Space::Local : isShared ? Space::Shared : Space::Global;
    address -= isLocal ? kLocalWindow : isShared ? kSharedWindow : 0;
  }
  switch (space) {
  case Space::Shared:
    return block.place(address, bytes, {number * kLanes + lane, access});
  case Space::Local:
    if (address >= localBytes || bytes > localBytes - address)
      throw Fault("local memory that the kernel has not");
    return locals.data() + size_t(lane) * localBytes + address;
  case Space::Parameter:
    if (address >= parameterBytes || bytes > parameterBytes - address)
      throw Fault("a parameter that there is not");
    return parameter(lane, uint32_t(address));
  case Space::Generic:
  case Space::Global:
    return globalPlace(address, bytes);
  }
}

//===----------------------------------------------------------------------===//
// A block, and all of them
//===----------------------------------------------------------------------===//

Block::Block(const Launch &launch)
    : launch(launch), ownBytes((launch.kernel->sharedBytes + 15) / 16 * 16),
      addedBytes(launch.sharedBytes), shared(size_t(ownBytes) + addedBytes) {
  unsigned threads = launch.threads[0] * launch.threads[1] * launch.threads[2];
  if (std::getenv("FAKE_CUDA_RACES"))
    races = std::make_unique<Races>(shared, threads);
  for (unsigned number = 0; number * kLanes < threads; ++number)
    warps.push_back(std::make_unique<Warp>(*this, launch, number));
}

Block::~Block() = default;

unsigned char *Block::place(uint64_t address, unsigned bytes, const Accessor &by) {
  bool isAdded = address >= kDynamicShared;
  uint64_t at = isAdded ? address - kDynamicShared : address;
  uint64_t room = isAdded ? addedBytes : ownBytes;
  if (at >= room || bytes > room - at)
    throw Fault("shared memory that the block has not");
  at += isAdded ? ownBytes : 0;
  if (races)
    races->note(at, bytes, by);
  return shared.data() + at;
}

/// Lets warps go on; false: those that wait do so for ever.
bool Block::release() {
  auto running = unsigned(std::ranges::count_if(warps, [](auto &warp) { return !warp->isDone(); }));
  bool any = false;
  for (unsigned which = 0; which < kNumBarriers; ++which) {
    unsigned needed = expected[which] ? expected[which] : running * kLanes;
    if (arrived[which] == 0 || arrived[which] < needed)
      continue;
    arrived[which] = 0;
    for (auto &warp : warps)
      if (warp->barrier == which) {
        warp->barrier.reset();
        any = true;
      }
  }
  if (races)
    races->passBlock();
  return any;
}

void Block::run(std::array<unsigned, 3> number) {
  std::ranges::fill(shared, kPoison);
  arrived.fill(0);
  if (races)
    races->clear();
  for (auto &warp : warps)
    warp->start(number);
  while (true) {
    for (auto &warp : warps)
      if (!warp->barrier)
        warp->run();
    if (std::ranges::all_of(warps, [](auto &warp) { return warp->isDone(); }))
      return;
    if (!release())
      throw Fault("kernel " + launch.kernel->name +
                  ": warps wait at a barrier that the others do not come to");
  }
}

void device::run(const Launch &launch) {
  constexpr unsigned kMostShared = 232448;
  const std::string head = "kernel " + launch.kernel->name + ": ";
  if (launch.threads[0] * launch.threads[1] * launch.threads[2] > launch.kernel->maxThreads)
    throw Fault(head + "more threads than it says");
  if (launch.arguments.size() != launch.kernel->argumentBytes)
    throw Fault(head + std::to_string(launch.arguments.size()) +
                " bytes of arguments in place of " + std::to_string(launch.kernel->argumentBytes));
  if (launch.sharedBytes + launch.kernel->sharedBytes > kMostShared)
    throw Fault(head + "more shared memory than there is");
  Block block(launch);
  for (unsigned z = 0; z < launch.grid[2]; ++z)
    for (unsigned y = 0; y < launch.grid[1]; ++y)
      for (unsigned x = 0; x < launch.grid[0]; ++x)
        block.run({x, y, z});
}
