//===- Accesses.cpp - Loads, stores, moves and atomic operations -----------------------===//
//
// Elements in memory may be narrower than the registers that they come to. Every access is inside
// of something that was allocated, and aligned.
//
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "Numbers.h"
#include "Run.h"

#include <algorithm>
#include <cstring>

using namespace device;

//===----------------------------------------------------------------------===//
// What is done
//===----------------------------------------------------------------------===//

namespace {
/// The base of an address is operand 0, of `kind` bytes.
uint64_t addressOf(Warp &warp, const Instruction &i, unsigned lane) {
  uint64_t base =
      i.kind == kWidth64 ? warp.at<uint64_t>(i.at[0])[lane] : warp.at<uint32_t>(i.at[0])[lane];
  return base + uint64_t(i.number);
}

/// A signed element takes its sign along.
template <class Register, class Stored> Register widened(Stored element) {
  return Register(element); // NOLINT(bugprone-signed-char-misuse): it is a number
}

bool isFor(const Warp &warp, unsigned lane) { return (warp.active >> lane & 1) != 0; }

template <class Stored, class Register> void load(Warp &warp, const Instruction &i) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!isFor(warp, lane))
      continue;
    unsigned bytes = sizeof(Stored) * i.count;
    const unsigned char *from =
        warp.place(i.space, addressOf(warp, i, lane), bytes, lane, Access::Read);
    for (unsigned k = 0; k < i.count; ++k) {
      Stored element;
      std::memcpy(&element, from + k * sizeof element, sizeof element);
      warp.at<Register>(i.at[1 + k])[lane] = widened<Register>(element);
    }
  }
}
template <class Stored, class Register> void store(Warp &warp, const Instruction &i) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!isFor(warp, lane))
      continue;
    unsigned bytes = sizeof(Stored) * i.count;
    unsigned char *to = warp.place(i.space, addressOf(warp, i, lane), bytes, lane, Access::Write);
    for (unsigned k = 0; k < i.count; ++k) {
      auto element = Stored(warp.at<Register>(i.at[1 + k])[lane]);
      std::memcpy(to + k * sizeof element, &element, sizeof element);
    }
  }
}
/// The same for all lanes.
template <class Stored, class Register> void loadArgument(Warp &warp, const Instruction &i) {
  const std::vector<unsigned char> &arguments = warp.launch.arguments;
  if (size_t(i.number) + sizeof(Stored) * i.count > arguments.size())
    throw Fault("an argument that the launch has not");
  for (unsigned k = 0; k < i.count; ++k) {
    Stored element;
    std::memcpy(&element, arguments.data() + i.number + k * sizeof element, sizeof element);
    auto *to = warp.at<Register>(i.at[1 + k]);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (isFor(warp, lane))
        to[lane] = widened<Register>(element);
  }
}

/// A handler for elements and registers of some widths; null: there is none.
template <template <class, class> class Action> Handler pick(const Instruction &i) {
  switch (i.width << 8 | i.bytes << 1 | int(i.isSigned && i.bytes < i.width)) {
#define PTC_CASE(Register, Stored, IsSigned)                                                       \
  case sizeof(Register) << 8 | sizeof(Stored) << 1 | IsSigned:                                     \
    return Action<Stored, Register>::run;
    PTC_CASE(uint16_t, uint8_t, 0)
    PTC_CASE(uint16_t, int8_t, 1)
    PTC_CASE(uint16_t, uint16_t, 0)
    PTC_CASE(uint32_t, uint8_t, 0)
    PTC_CASE(uint32_t, int8_t, 1)
    PTC_CASE(uint32_t, uint16_t, 0)
    PTC_CASE(uint32_t, int16_t, 1)
    PTC_CASE(uint32_t, uint32_t, 0)
    PTC_CASE(uint64_t, uint8_t, 0)
    PTC_CASE(uint64_t, int8_t, 1)
    PTC_CASE(uint64_t, uint16_t, 0)
    PTC_CASE(uint64_t, int16_t, 1)
    PTC_CASE(uint64_t, uint32_t, 0)
    PTC_CASE(uint64_t, int32_t, 1)
    PTC_CASE(uint64_t, uint64_t, 0)
#undef PTC_CASE
  default:
    return nullptr;
  }
}
template <class Stored, class Register> struct Load {
  static constexpr Handler run = load<Stored, Register>;
};
template <class Stored, class Register> struct Store {
  static constexpr Handler run = store<Stored, Register>;
};
template <class Stored, class Register> struct LoadArgument {
  static constexpr Handler run = loadArgument<Stored, Register>;
};

template <class T> void copy(Warp &warp, const Instruction &i) {
  T *to = warp.at<T>(i.at[0]);
  const T *from = warp.at<T>(i.at[1]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = isFor(warp, lane) ? from[lane] : to[lane];
}
/// Operand 0 becomes the others: `count` parts of `bytes` bytes.
void unpack(Warp &warp, const Instruction &i) {
  const size_t part = i.bytes, whole = i.count * part;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned k = 0; k < i.count && isFor(warp, lane); ++k)
      std::memcpy(warp.at<unsigned char>(i.at[1 + k]) + lane * part,
                  warp.at<unsigned char>(i.at[0]) + lane * whole + k * part, part);
}
/// The others become operand 0.
void pack(Warp &warp, const Instruction &i) {
  const size_t part = i.bytes, whole = i.count * part;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    std::array<unsigned char, 8> made{};
    for (unsigned k = 0; k < i.count; ++k)
      std::memcpy(made.data() + k * part, warp.at<unsigned char>(i.at[1 + k]) + lane * part, part);
    if (isFor(warp, lane))
      std::memcpy(warp.at<unsigned char>(i.at[0]) + lane * whole, made.data(), whole);
  }
}
/// A place in the window of a space.
template <class T> void shiftWindow(Warp &warp, const Instruction &i) {
  T *to = warp.at<T>(i.at[0]);
  const T *from = warp.at<T>(i.at[1]);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (isFor(warp, lane))
      to[lane] = T(uint64_t(from[lane]) + uint64_t(i.number));
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

enum Operation : uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor, kExchange, kCompare, kInc, kDec };
constexpr std::string_view kOperations[] = {"add", "min",  "max", "and", "or",
                                            "xor", "exch", "cas", "inc", "dec"};

template <class T> T combined(Operation operation, T old, T value, T other) {
  switch (operation) {
  case kAdd:
    return T(old + value);
  case kMin:
    return std::min(old, value);
  case kMax:
    return std::max(old, value);
  case kExchange:
    return value;
  case kCompare:
    return old == value ? other : old;
  case kInc:
    return old >= value ? T(0) : T(old + 1);
  case kDec:
    return old == 0 || old > value ? value : T(old - 1);
  case kAnd:
  case kOr:
  case kXor:
    break;
  }
  if constexpr (std::is_integral_v<T>)
    return operation == kAnd ? T(old & value) : operation == kOr ? T(old | value) : T(old ^ value);
  throw Fault("bits of a float are combined");
}

/// Lanes one after the other: any order is one that a GPU may have. Operand 1 is where what was
/// there goes.
template <class T> void combine(Warp &warp, const Instruction &i) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!isFor(warp, lane))
      continue;
    unsigned char *at =
        warp.place(i.space, addressOf(warp, i, lane), sizeof(T), lane, Access::Atomic);
    T old;
    std::memcpy(&old, at, sizeof old);
    T made =
        combined(Operation(i.bytes), old, warp.at<T>(i.at[2])[lane], warp.at<T>(i.at[3])[lane]);
    std::memcpy(at, &made, sizeof made);
    warp.at<T>(i.at[1])[lane] = old;
  }
}

Handler combinerOf(std::string_view type) {
  static constexpr std::pair<std::string_view, Handler> kTypes[] = {
      {"u32", combine<uint32_t>}, {"b32", combine<uint32_t>}, {"s32", combine<int32_t>},
      {"u64", combine<uint64_t>}, {"b64", combine<uint64_t>}, {"s64", combine<int64_t>},
      {"f32", combine<float>},    {"f64", combine<double>}};
  const auto *found = std::ranges::find(kTypes, type, [](auto &row) { return row.first; });
  return found == std::end(kTypes) ? nullptr : found->second;
}

//===----------------------------------------------------------------------===//
// How they are written
//===----------------------------------------------------------------------===//

constexpr std::pair<std::string_view, Space> kSpaces[] = {
    {"global", Space::Global},      {"const", Space::Global}, {"shared", Space::Shared},
    {"shared::cta", Space::Shared}, {"local", Space::Local},  {"param", Space::Parameter}};
/// What says nothing about the result where blocks run one after the other.
constexpr std::string_view kIgnored[] = {"nc",  "weak", "volatile", "relaxed", "acquire", "release",
                                         "cta", "gpu",  "sys",      "ca",      "cg",      "cs",
                                         "cv",  "lu",   "wb",       "wt",      "acq_rel"};

/// Space, number of elements and their type.
void readAccess(Names &names, const Statement &statement, Instruction &i) {
  i.count = 1;
  for (std::string_view part : partsOf(statement.word)) {
    const auto *space = std::ranges::find(kSpaces, part, [](auto &row) { return row.first; });
    if (space != std::end(kSpaces))
      i.space = space->second;
    else if (part == "v2" || part == "v4" || part == "v8")
      i.count = uint8_t(part[1] - '0');
    else if (unsigned bytes = bytesOfType(part)) {
      i.bytes = uint8_t(bytes);
      i.isSigned = part.front() == 's';
    } else if (part != "ld" && part != "st" && !part.starts_with("L1::") &&
               !part.starts_with("L2::") && std::ranges::find(kIgnored, part) == std::end(kIgnored))
      names.fail("an access that is '" + std::string(part) + "'");
  }
}

/// Operands of data, whose registers have one width.
void readData(Names &names, const Item &item, Instruction &i) {
  const std::vector<Item> one{item};
  const std::vector<Item> &items = item.kind == Item::List ? item.items : one;
  if (items.size() != i.count)
    names.fail("other elements than registers");
  auto width = Width(std::max<unsigned>(i.bytes, 2));
  for (const Item &each : items)
    width = std::max(width, names.width(each, width));
  i.width = width;
  for (size_t k = 0; k < items.size(); ++k)
    i.at[1 + k] = names.place(items[k], width);
}

/// Of arguments of the kernel; false: it is no such thing.
bool readArgument(Names &names, const Item &item, Instruction &i) {
  auto symbol = i.space == Space::Parameter ? names.symbol(item.name) : std::nullopt;
  if (!symbol || !symbol->isArgument)
    return false;
  i.number = int64_t(symbol->address + item.number);
  return true;
}
void readAddress(Names &names, const Item &item, Instruction &i) {
  AddressPlace address = names.address(item);
  i.at[0] = address.base.at;
  i.kind = address.base.width;
  i.number = address.offset;
}
} // namespace

void device::decodeLoad(Names &names, const Statement &statement, Instruction &i) {
  if (statement.operands.size() != 2)
    return;
  readAccess(names, statement, i);
  readData(names, statement.operands[0], i);
  if (readArgument(names, statement.operands[1], i)) {
    i.run = pick<LoadArgument>(i);
    return;
  }
  readAddress(names, statement.operands[1], i);
  i.run = pick<Load>(i);
}

void device::decodeStore(Names &names, const Statement &statement, Instruction &i) {
  if (statement.operands.size() != 2)
    return;
  readAccess(names, statement, i);
  i.isSigned = false;
  readData(names, statement.operands[1], i);
  readAddress(names, statement.operands[0], i);
  i.run = pick<Store>(i);
}

void device::decodeMove(Names &names, const Statement &statement, Instruction &i) {
  unsigned bytes = bytesOfType(partsOf(statement.word).back());
  if (statement.operands.size() != 2 || bytes < 2)
    return;
  const Item &to = statement.operands[0], &from = statement.operands[1];
  const Item *list = to.kind == Item::List ? &to : from.kind == Item::List ? &from : nullptr;
  if (!list) {
    i.at[0] = names.place(to, Width(bytes));
    i.at[1] = names.place(from, Width(bytes));
    i.run = bytes == 2 ? copy<uint16_t> : bytes == 4 ? copy<uint32_t> : copy<uint64_t>;
    return;
  }
  i.count = uint8_t(list->items.size());
  i.bytes = uint8_t(bytes / i.count);
  i.at[0] = names.place(list == &to ? from : to, Width(bytes));
  for (size_t k = 0; k < i.count; ++k)
    i.at[1 + k] = names.place(list->items[k], Width(i.bytes));
  i.run = list == &to ? unpack : pack;
}

void device::decodeAddress(Names &names, const Statement &statement, Instruction &i) {
  auto parts = partsOf(statement.word);
  bool isBack = parts[1] == "to";
  std::string_view space = parts[isBack ? 2 : 1];
  uint64_t window = space == "shared"                       ? kSharedWindow
                    : space == "local"                      ? kLocalWindow
                    : space == "global" || space == "const" ? 0
                                                            : ~uint64_t(0);
  if (statement.operands.size() != 2 || window == ~uint64_t(0))
    return;
  bool isWide = bytesOfType(parts.back()) == 8;
  i.number = int64_t(isBack ? -window : window);
  for (unsigned k = 0; k < 2; ++k)
    i.at[k] = names.place(statement.operands[k], isWide ? kWidth64 : kWidth32);
  i.run = isWide ? shiftWindow<uint64_t> : shiftWindow<uint32_t>;
}

/// `d, [a], b` and another; `hasResult`: without d.
static void readAtomic(Names &names, const Statement &statement, Instruction &i, bool hasResult) {
  auto parts = partsOf(statement.word);
  const std::string_view *operation = nullptr;
  for (std::string_view part : parts) {
    const auto *space = std::ranges::find(kSpaces, part, [](auto &row) { return row.first; });
    if (space != std::end(kSpaces))
      i.space = space->second;
    if (auto *found = std::ranges::find(kOperations, part); found != std::end(kOperations))
      operation = found;
  }
  const auto &operands = statement.operands;
  unsigned first = hasResult ? 1 : 0;
  if (!operation || operands.size() < first + 2)
    return;
  auto width = Width(bytesOfType(parts.back()));
  readAddress(names, operands[first], i);
  i.bytes = uint8_t(operation - std::begin(kOperations));
  i.at[1] = hasResult ? names.place(operands[0], width) : uint32_t(kSink);
  i.at[2] = names.place(operands[first + 1], width);
  i.at[3] = operands.size() > first + 2 ? names.place(operands[first + 2], width) : i.at[2];
  i.run = combinerOf(parts.back());
}

void device::decodeAtomic(Names &names, const Statement &statement, Instruction &i) {
  readAtomic(names, statement, i, true);
}
void device::decodeReduction(Names &names, const Statement &statement, Instruction &i) {
  readAtomic(names, statement, i, false);
}
