//===- Names.cpp - What names of a function stand for ----------------------------------------===//
//
// In: declarations and operands. Out: places in the registers of a warp, constants among them, and
// places of memory. A fault where a name is not known or has another width.
//
//===----------------------------------------------------------------------===//
#include "Names.h"

#include <algorithm>

using namespace device;

std::vector<std::string_view> device::partsOf(std::string_view word) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t dot = word.find('.');
    parts.push_back(word.substr(0, dot));
    if (dot == std::string_view::npos)
      return parts;
    word.remove_prefix(dot + 1);
  }
}

unsigned device::bytesOfType(std::string_view type) {
  if (type.starts_with("."))
    type.remove_prefix(1);
  static constexpr std::pair<std::string_view, unsigned> kTypes[] = {
      {"pred", 1}, {"b8", 1},  {"u8", 1},   {"s8", 1},    {"b16", 2},    {"u16", 2}, {"s16", 2},
      {"f16", 2},  {"b32", 4}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4}, {"u32", 4}, {"s32", 4},
      {"f32", 4},  {"b64", 8}, {"u64", 8},  {"s64", 8},   {"f64", 8}};
  const auto *found = std::ranges::find(kTypes, type, [](const auto &row) { return row.first; });
  return found == std::end(kTypes) ? 0 : found->second;
}

/// `{1, 2}` behind `=`, or one number.
static std::vector<uint64_t> readContents(const std::vector<std::string_view> &words, size_t at) {
  std::vector<uint64_t> contents;
  for (bool isLess = false; at < words.size(); ++at) {
    if (isNumber(words[at]))
      contents.push_back(isLess ? -numberOf(words[at]) : numberOf(words[at]));
    else if (words[at] != "{" && words[at] != "}" && words[at] != "," && words[at] != "-")
      throw Fault("a variable is filled with '" + std::string(words[at]) + "'");
    isLess = words[at] == "-";
  }
  return contents;
}

Variable device::readVariable(const std::vector<std::string_view> &words) {
  Variable made;
  made.space = words.front();
  for (size_t i = 1; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word == ".align")
      made.align = unsigned(numberOf(words[++i]));
    else if (unsigned bytes = bytesOfType(word); bytes && word.starts_with("."))
      made.bytes = bytes;
    else if (word == "[")
      made.count = words[i + 1] == "]" ? 0 : numberOf(words[i + 1]);
    else if (word == "<")
      made.repeats = numberOf(words[i + 1]);
    else if (word == "=") {
      made.contents = readContents(words, i + 1);
      break;
    } else if (made.name.empty() && !word.starts_with("."))
      made.name = word;
  }
  made.align = std::max({made.align, made.bytes, 1U});
  if (made.name.empty() || made.bytes == 0)
    throw Fault("a variable without a name or a type that is known");
  return made;
}

uint32_t Room::take(uint64_t bytes, unsigned align) {
  uint32_t at = (used + align - 1) / align * align;
  used = uint32_t(at + bytes);
  most = std::max(most, used);
  return at;
}

Names::Names(Module &module, Function &function, const std::map<std::string_view, Variable> &shared)
    : module(module), function(function), shared(shared) {
  open();
}

void Names::fail(const std::string &text) const {
  throw Fault("PTX of " + function.name + ", line " + std::to_string(line) + ": " + text);
}

void Names::close() {
  if (scopes.size() == 1)
    fail("a brace too many");
  parameters.used = scopes.back().parameters;
  scopes.pop_back();
}

static uint32_t bytesOfPlace(Width width) {
  return width == kPredicate ? uint32_t(sizeof(Mask)) : width * kLanes;
}

void Names::declare(const Variable &variable) {
  Scope &scope = scopes.back();
  if (variable.space == ".reg") {
    bool isPredicate = variable.bytes == 1;
    auto width = Width(isPredicate ? kPredicate : variable.bytes);
    if (variable.repeats)
      scope.ranges[variable.name] = width;
    else
      scope.registers[variable.name] = {registers.take(bytesOfPlace(width), 8), width};
  } else if (variable.space == ".param") {
    uint32_t at = parameters.take(variable.size(), std::max(variable.align, 8U));
    scope.symbols[variable.name] = {Space::Parameter, at, uint32_t(variable.size())};
  } else if (variable.space == ".local") {
    uint32_t at = locals.take(variable.size(), std::max(variable.align, 16U));
    scope.symbols[variable.name] = {Space::Local, at, uint32_t(variable.size())};
  } else if (variable.space == ".shared") {
    scope.symbols[variable.name] = shareVariable(variable);
  } else {
    fail("a variable in '" + std::string(variable.space) + "'");
  }
}

void Names::declareParameter(const Variable &variable) {
  auto bytes = uint32_t(variable.size());
  if (!function.isKernel) {
    declare(variable);
    function.parameters.push_back({uint32_t(scopes.back().symbols[variable.name].address), bytes});
    return;
  }
  uint32_t at = (function.argumentBytes + variable.align - 1) / variable.align * variable.align;
  function.argumentBytes = at + bytes;
  function.parameters.push_back({at, bytes});
  scopes.back().symbols[variable.name] = {Space::Parameter, at, bytes, true};
}

/// Variables of shared memory lie there in the order in which the kernel first names them; that of
/// the launch's size has addresses of its own.
Symbol Names::shareVariable(const Variable &variable) {
  if (!function.isKernel)
    fail("shared memory of a function that is called");
  if (variable.count == 0)
    return {Space::Shared, kDynamicShared, 0};
  uint32_t at = sharedRoom.take(variable.size(), std::max(variable.align, 16U));
  function.sharedBytes = sharedRoom.most;
  return {Space::Shared, at, uint32_t(variable.size())};
}

std::optional<Place> Names::findSpecial(std::string_view name) const {
  static constexpr std::pair<std::string_view, uint32_t> kNames[] = {
      {"%tid", kThread}, {"%ntid", kThreads}, {"%ctaid", kBlock}, {"%nctaid", kBlocks}};
  if (name == "_")
    return Place{kSink, kWidth64};
  if (name == "%laneid")
    return Place{kLane, kWidth32};
  if (name == "%warpid")
    return Place{kWarp, kWidth32};
  size_t dot = name.find('.');
  const auto *found =
      std::ranges::find(kNames, name.substr(0, dot), [](auto &row) { return row.first; });
  if (found == std::end(kNames) || dot == std::string_view::npos || name.size() != dot + 2)
    return std::nullopt;
  unsigned axis = unsigned(name[dot + 1]) - 'x';
  return axis < 3 ? std::optional(Place{found->second + axis * 4 * kLanes, kWidth32})
                  : std::nullopt;
}

std::optional<Place> Names::findRegister(std::string_view name) {
  size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (auto found = scope->registers.find(name); found != scope->registers.end())
      return found->second;
    auto range = scope->ranges.find(name.substr(0, digits));
    if (digits < name.size() && range != scope->ranges.end())
      return scope->registers[name] =
                 Place{registers.take(bytesOfPlace(range->second), 8), range->second};
  }
  return findSpecial(name);
}

std::optional<Symbol> Names::symbol(std::string_view name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->symbols.find(name); found != scope->symbols.end())
      return found->second;
  if (auto found = shared.find(name); found != shared.end())
    return scopes.front().symbols[name] = shareVariable(found->second);
  for (const auto &variable : module.globals)
    if (variable->name == name)
      return Symbol{Space::Global, variable->address, uint32_t(variable->contents.size())};
  return std::nullopt;
}

uint32_t Names::constant(uint64_t bits, Width width) {
  if (width != kWidth64 && width != kPredicate)
    bits &= (uint64_t(1) << (8 * width)) - 1;
  auto [found, isNew] = placesOfConstants.try_emplace({bits, width}, 0);
  if (isNew) {
    found->second = registers.take(bytesOfPlace(width), 8);
    constants.push_back({found->second, width, bits});
  }
  return found->second;
}

uint32_t Names::place(const Item &item, Width width) {
  if (item.kind == Item::Number)
    return constant(item.number, width);
  if (item.kind != Item::Name || item.isNegated)
    fail("an operand of another kind is expected");
  if (auto found = findRegister(item.name)) {
    if (found->width != width && item.name != "_")
      fail("'" + std::string(item.name) + "' has another width");
    return found->at;
  }
  if (auto found = symbol(item.name); found && !found->isArgument)
    return constant(found->address + item.number, width);
  fail("'" + std::string(item.name) + "' is not known");
}

Place Names::place(const Item &item) {
  auto found = item.kind == Item::Name ? findRegister(item.name) : std::nullopt;
  return found ? *found : Place{place(item, kWidth64), kWidth64};
}

Width Names::width(const Item &item, Width otherwise) {
  auto found = item.kind == Item::Name ? findRegister(item.name) : std::nullopt;
  return found && item.name != "_" ? found->width : otherwise;
}

AddressPlace Names::address(const Item &item) {
  if (item.kind != Item::Address)
    fail("an address is expected");
  auto found = item.name.empty() ? std::nullopt : findRegister(item.name);
  if (found)
    return {*found, int64_t(item.number)};
  uint64_t number = item.number;
  if (!item.name.empty()) {
    auto what = symbol(item.name);
    if (!what || what->isArgument)
      fail("'" + std::string(item.name) + "' is not known");
    number += what->address;
  }
  return {{constant(number, kWidth64), kWidth64}, 0};
}
