//===- SizeSpec.cpp - What is said of sizes, as text ----------------------------------===//
//
// In: `B=8 in 1..64`, `L % 16 == 0`. Out: names, ranges, sets, relations; numbers that satisfy all
// of them.
//
//===----------------------------------------------------------------------===//
#include "SizeSpec.h"

#include "ptc/Symbolic/Guard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::tool;

static llvm::Error malformed(const llvm::Twine &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Where `token` stands outside of brackets, from `from` on.
static size_t findOutside(llvm::StringRef text, llvm::StringRef token, size_t from = 0) {
  int depth = 0;
  for (size_t i = 0; i + token.size() <= text.size(); ++i) {
    if (i >= from && depth == 0 && text.substr(i).starts_with(token))
      return i;
    depth += text[i] == '(' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == '}';
  }
  return llvm::StringRef::npos;
}

static std::pair<llvm::StringRef, llvm::StringRef> splitOutside(llvm::StringRef text,
                                                                llvm::StringRef token) {
  size_t at = findOutside(text, token);
  if (at == llvm::StringRef::npos)
    return {text.trim(), llvm::StringRef()};
  return {text.take_front(at).trim(), text.drop_front(at + token.size()).trim()};
}

llvm::SmallVector<llvm::StringRef> tool::splitList(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> out;
  for (size_t at; (at = findOutside(text, ",")) != llvm::StringRef::npos;
       text = text.drop_front(at + 1))
    out.push_back(text.take_front(at).trim());
  out.push_back(text.trim());
  return out;
}

static bool isName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::is_contained({"in", "and", "min", "max"}, text);
}

/// Checks a formula, and notes its names.
static llvm::Error checkFormula(llvm::StringRef text, SizeFacts &facts) {
  sym::Context context;
  std::string problem;
  std::vector<std::string> names;
  auto lookup = [&](llvm::StringRef name) -> std::optional<sym::Expr> {
    if (!isName(name))
      return std::nullopt;
    if (!llvm::is_contained(names, name.str()))
      names.push_back(name.str());
    std::optional<sym::SymbolId> known = context.findSymbol(name);
    return known ? context.symbol(*known) : context.symbol({.name = name.str(), .lower = 0});
  };
  if (!context.parse(text, lookup, &problem))
    return malformed("'" + text + "' is no dimension: " + problem +
                     "; it is a number, NAME, NAME in LOW..HIGH, or a formula like 2*L");
  for (std::string &name : names)
    if (!llvm::is_contained(facts.names, name))
      facts.names.push_back(std::move(name));
  return llvm::Error::success();
}

static DeclaredSize &sizeOf(llvm::StringRef name, SizeFacts &facts) {
  auto known = llvm::find_if(facts.sizes, [&](auto &size) { return size.name == name; });
  if (known != facts.sizes.end())
    return *known;
  facts.sizes.emplace_back().name = name.str();
  return facts.sizes.back();
}

static llvm::Expected<std::vector<int64_t>> parseSet(llvm::StringRef text) {
  llvm::StringRef inner = text;
  std::vector<int64_t> out;
  bool braces = inner.consume_front("{") && inner.consume_back("}");
  for (llvm::StringRef part : splitList(inner)) {
    int64_t value;
    if (!braces || part.getAsInteger(10, value) || value < 0)
      return malformed("'" + text + "' is no set of sizes like {1,8,32}");
    out.push_back(value);
  }
  llvm::sort(out);
  out.erase(llvm::unique(out), out.end());
  return out;
}

bool tool::namesDomain(llvm::StringRef text) {
  auto [name, domain] = text.split(" in ");
  return !domain.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// LOW..HIGH or LOW..
static llvm::Error parseRange(llvm::StringRef text, std::optional<int64_t> &lower,
                              std::optional<int64_t> &upper) {
  auto [low, high] = text.split("..");
  int64_t from, to = INT64_MAX;
  bool isRange = text.contains("..") && !low.trim().getAsInteger(10, from) && from >= 0 &&
                 (high.trim().empty() || !high.trim().getAsInteger(10, to));
  if (!isRange)
    return malformed("'" + text + "' is no range LOW..HIGH");
  if (to < from)
    return malformed("'" + text + "' has no sizes: what comes first is the lowest");
  lower = std::max(lower.value_or(from), from);
  if (!high.trim().empty())
    upper = std::min(upper.value_or(to), to);
  return llvm::Error::success();
}

/// `subject in domain`
static llvm::Error addDomain(llvm::StringRef subject, llvm::StringRef domain, SizeFacts &facts) {
  if (!isName(subject)) {
    std::optional<int64_t> lower, upper;
    if (domain.starts_with("{"))
      return malformed("'" + subject + " in " + domain + "': only a name has a set of sizes");
    if (llvm::Error error = parseRange(domain, lower, upper))
      return error;
    facts.relations.push_back({subject.str(), ">=", std::to_string(lower.value_or(0))});
    if (upper)
      facts.relations.push_back({subject.str(), "<=", std::to_string(*upper)});
    return llvm::Error::success();
  }
  DeclaredSize &size = sizeOf(subject, facts);
  if (!domain.starts_with("{"))
    return parseRange(domain, size.lower, size.upper);
  auto values = parseSet(domain);
  if (!values)
    return values.takeError();
  std::vector<int64_t> others = std::move(size.own);
  size.own = std::move(*values);
  for (int64_t other : others)
    if (!llvm::is_contained(size.own, other))
      return malformed(subject + " is one of " + domain + ", and " + llvm::Twine(other) +
                       " is none of them");
  size.isClosed = true;
  return llvm::Error::success();
}

/// `name = value`
static llvm::Error addValue(llvm::StringRef name, llvm::StringRef value, SizeFacts &facts) {
  if (!isName(name))
    return malformed("'" + name + " = " + value +
                     "': what stands before = is a name; == relates two formulas");
  int64_t number;
  if (value.empty())
    return malformed("'" + name + " =' says no number, set or formula");
  if (!value.getAsInteger(10, number)) {
    DeclaredSize &size = sizeOf(name, facts);
    if (number < 0)
      return malformed("'" + value + "': a size is negative");
    if (size.typical && *size.typical != number)
      return malformed(name + " is typically " + llvm::Twine(*size.typical) + ", and " + value);
    size.typical = number;
    return llvm::Error::success();
  }
  if (value.starts_with("{")) {
    auto values = parseSet(value);
    if (!values)
      return values.takeError();
    DeclaredSize &size = sizeOf(name, facts);
    for (int64_t own : *values)
      if (!llvm::is_contained(size.own, own)) {
        if (size.isClosed)
          return malformed(name + " is never " + llvm::Twine(own) + ", which is to have a variant");
        size.own.push_back(own);
      }
    llvm::sort(size.own);
    return llvm::Error::success();
  }
  facts.relations.push_back({name.str(), "==", value.str()});
  return checkFormula(value, facts);
}

/// Reads one clause; gives the size that it is about.
static llvm::Expected<std::string> parseClause(llvm::StringRef text, SizeFacts &facts) {
  auto [subject, domain] = splitOutside(text, " in ");
  if (subject.empty())
    return malformed("'" + text + "' is no dimension: nothing stands there");
  bool hasDomain = subject.size() != text.trim().size();
  if (hasDomain && domain.empty())
    return malformed("'" + text + "': no range stands behind in");
  for (llvm::StringRef sign : {"==", "!=", "<=", ">=", "<", ">"}) {
    if (findOutside(subject, sign) == llvm::StringRef::npos)
      continue;
    auto [left, right] = splitOutside(subject, sign);
    if (hasDomain)
      return malformed("'" + text + "': a relation has no range; join the two by and");
    for (llvm::StringRef side : {left, right})
      if (llvm::Error error = checkFormula(side, facts))
        return std::move(error);
    facts.relations.push_back({left.str(), sign.str(), right.str()});
    return splitOutside(left, "%").first.str();
  }
  if (size_t at = findOutside(subject, "="); at != llvm::StringRef::npos) {
    llvm::StringRef name = subject.take_front(at).trim(), value = subject.drop_front(at + 1).trim();
    if (llvm::Error error = checkFormula(name, facts))
      return std::move(error);
    if (llvm::Error error = addValue(name, value, facts))
      return std::move(error);
    subject = name;
  } else if (llvm::Error error = checkFormula(subject, facts)) {
    return std::move(error);
  }
  if (hasDomain)
    if (llvm::Error error = addDomain(subject, domain, facts))
      return std::move(error);
  return subject.str();
}

llvm::Expected<std::string> tool::parseSize(llvm::StringRef text, SizeFacts &facts) {
  auto [first, rest] = splitOutside(text, " and ");
  auto size = parseClause(first, facts);
  if (!size)
    return size;
  while (!rest.empty()) {
    auto [next, more] = splitOutside(rest, " and ");
    rest = more;
    if (llvm::Error error = parseClause(next, facts).takeError())
      return std::move(error);
  }
  return size;
}

llvm::Error tool::parseFact(llvm::StringRef text, SizeFacts &facts) {
  return parseSize(text, facts).takeError();
}

static std::string setText(llvm::ArrayRef<int64_t> values) {
  return "{" +
         llvm::join(llvm::map_range(values, [](int64_t v) { return std::to_string(v); }), ",") +
         "}";
}

std::vector<std::string> tool::factTexts(llvm::ArrayRef<DeclaredSize> sizes,
                                         llvm::ArrayRef<DeclaredRelation> relations) {
  std::vector<std::string> out;
  for (const DeclaredSize &size : sizes) {
    if (size.lower || size.upper)
      out.push_back(size.name + " in " + std::to_string(size.lower.value_or(0)) + ".." +
                    (size.upper ? std::to_string(*size.upper) : ""));
    if (!size.own.empty())
      out.push_back(size.name + (size.isClosed ? " in " : "=") + setText(size.own));
    if (size.typical)
      out.push_back(size.name + "=" + std::to_string(*size.typical));
  }
  for (const DeclaredRelation &said : relations)
    out.push_back(said.left + " " + said.relation + " " + said.right);
  return out;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<int64_t> tool::evaluateSize(llvm::StringRef size, const SizeValues &values) {
  sym::Context context;
  auto lookup = [&](llvm::StringRef name) -> std::optional<sym::Expr> {
    auto found = values.find(std::string_view(name));
    return found == values.end() ? std::nullopt : std::optional(context.constant(found->second));
  };
  std::optional<sym::Expr> e = context.parse(size, lookup);
  return e ? e->asConstant() : std::nullopt;
}

static bool holds(int64_t a, llvm::StringRef relation, int64_t b) {
  return relation == "=="   ? a == b
         : relation == "!=" ? a != b
         : relation == "<"  ? a < b
         : relation == "<=" ? a <= b
         : relation == ">"  ? a > b
                            : a >= b;
}

namespace {
/// Looks for numbers name by name; what a name is equal to says what it is.
class SizeChooser {
public:
  /// `mayBeTypical`: also if what is typical has a variant of its own.
  SizeChooser(const SizeFacts &facts, const SizeValues &given, bool mayBeTypical)
      : facts(facts), given(given), mayBeTypical(mayBeTypical) {
    for (const std::string &name : facts.names)
      (definitionOf(name) ? defined : order).push_back(name);
    llvm::append_range(order, defined);
  }

  std::optional<SizeValues> run() { return search(0) ? std::optional(chosen) : std::nullopt; }

private:
  /// `L` of `L == 16*K` is 16*K.
  const DeclaredRelation *definitionOf(llvm::StringRef name) const {
    for (const DeclaredRelation &said : facts.relations)
      if (said.relation == "==" && said.left == name)
        return &said;
    return nullptr;
  }

  const DeclaredSize *sizeOf(llvm::StringRef name) const {
    auto found = llvm::find_if(facts.sizes, [&](auto &size) { return size.name == name; });
    return found == facts.sizes.end() ? nullptr : &*found;
  }

  bool isAllowed(const std::string &name, int64_t value) const {
    const DeclaredSize *size = sizeOf(name);
    if (!size)
      return value >= 0;
    if (value < size->lower.value_or(0) || value > size->upper.value_or(INT64_MAX))
      return false;
    bool isOwn = llvm::is_contained(size->own, value);
    return given.count(name) || isOwn == size->isClosed || (mayBeTypical && size->typical == value);
  }

  /// The step of `name % by == rest`, and its rest.
  std::pair<int64_t, int64_t> stepOf(const std::string &name) const {
    for (const DeclaredRelation &said : facts.relations) {
      auto [left, divisor] = splitOutside(said.left, "%");
      int64_t by, rest;
      if (said.relation == "==" && left == name && !divisor.getAsInteger(10, by) && by > 0 &&
          !llvm::StringRef(said.right).getAsInteger(10, rest) && rest >= 0 && rest < by)
        return {by, rest};
    }
    return {1, 0};
  }

  std::vector<int64_t> candidates(const std::string &name) const {
    if (auto found = given.find(name); found != given.end())
      return {found->second};
    const DeclaredSize *size = sizeOf(name);
    if (size && size->typical && (mayBeTypical || !llvm::is_contained(size->own, *size->typical)))
      return {*size->typical};
    if (const DeclaredRelation *said = definitionOf(name))
      if (std::optional<int64_t> value = evaluateSize(said->right, chosen))
        return {*value};
    if (size && size->isClosed)
      return size->own;
    int64_t lower = size ? size->lower.value_or(0) : 0;
    int64_t upper = size ? size->upper.value_or(INT64_MAX) : INT64_MAX;
    int64_t usual = 5;
    for (char c : name)
      usual = 3 + (usual * 31 + c) % 11;
    std::vector<int64_t> out{std::min(std::max(usual, lower), upper)};
    auto [by, rest] = stepOf(name);
    int64_t first = std::max<int64_t>(lower, 2);
    first += ((rest - first) % by + by) % by;
    for (int64_t i = 0, value = first; i < kTried && value <= upper; ++i, value += by)
      out.push_back(value);
    for (int64_t small : {int64_t(1), int64_t(0)})
      out.push_back(small);
    return out;
  }

  /// Do all relations hold whose names have numbers?
  bool agrees() const {
    const bool isWhole = chosen.size() == order.size();
    return llvm::all_of(facts.relations, [&](const DeclaredRelation &said) {
      std::optional<int64_t> left = evaluateSize(said.left, chosen),
                             right = evaluateSize(said.right, chosen);
      return left && right ? holds(*left, said.relation, *right) : !isWhole;
    });
  }

  bool search(size_t next) {
    if (next == order.size())
      return true;
    for (int64_t value : candidates(order[next])) {
      if (!isAllowed(order[next], value) || ++steps > kSteps)
        continue;
      chosen[order[next]] = value;
      if (agrees() && search(next + 1))
        return true;
      chosen.erase(order[next]);
    }
    return false;
  }

  static constexpr int64_t kTried = 1000;
  static constexpr unsigned kSteps = 20000;
  const SizeFacts &facts;
  const SizeValues &given;
  const bool mayBeTypical;
  std::vector<std::string> order, defined;
  SizeValues chosen;
  unsigned steps = 0;
};
} // namespace

/// What one name says that contradicts itself.
static llvm::Error checkSize(const DeclaredSize &size) {
  int64_t lower = size.lower.value_or(0), upper = size.upper.value_or(INT64_MAX);
  std::string range =
      size.name + " in " + std::to_string(lower) + ".." + (size.upper ? std::to_string(upper) : "");
  if (lower > upper)
    return malformed("'" + range + "' has no sizes");
  auto isOutside = [&](int64_t value) { return value < lower || value > upper; };
  if (size.typical && isOutside(*size.typical))
    return malformed("the typical size " + llvm::Twine(*size.typical) + " is out of '" + range +
                     "'");
  if (size.typical && size.isClosed && !llvm::is_contained(size.own, *size.typical))
    return malformed("the typical size " + llvm::Twine(*size.typical) + " is none of '" +
                     size.name + " in " + setText(size.own) + "'");
  for (int64_t own : size.own)
    if (isOutside(own))
      return malformed("the size " + llvm::Twine(own) + " is out of '" + range + "'");
  return llvm::Error::success();
}

static llvm::Error unsatisfied(const SizeFacts &facts, const SizeValues &given) {
  std::string what = llvm::join(factTexts(facts.sizes, facts.relations), "', '");
  for (const auto &[name, value] : given)
    what += "', '" + name + " is " + std::to_string(value);
  return malformed("no sizes were found that satisfy '" + what + "'");
}

/// All combinations of values with variants of their own, none of them last.
static std::vector<SizeValues> combinations(const SizeFacts &facts, size_t limit) {
  std::vector<SizeValues> out{facts.values};
  for (const DeclaredSize &size : facts.sizes) {
    if (size.own.empty() || facts.values.count(size.name))
      continue;
    std::vector<SizeValues> more;
    for (const SizeValues &values : out) {
      for (int64_t own : size.own)
        more.emplace_back(values)[size.name] = own;
      if (!size.isClosed)
        more.push_back(values);
    }
    out = std::move(more);
    if (out.size() > limit)
      break;
  }
  return out;
}

llvm::Expected<std::vector<SizeValues>> tool::chooseSizes(const SizeFacts &facts, size_t limit) {
  for (const DeclaredSize &size : facts.sizes)
    if (llvm::Error error = checkSize(size))
      return std::move(error);
  if (!limit) {
    std::optional<SizeValues> found = SizeChooser(facts, facts.values, true).run();
    for (const SizeValues &own : combinations(facts, SIZE_MAX))
      if (!found)
        found = SizeChooser(facts, own, true).run();
    if (!found)
      return unsatisfied(facts, facts.values);
    return std::vector<SizeValues>{std::move(*found)};
  }
  std::vector<SizeValues> wanted = combinations(facts, limit), out;
  if (wanted.size() > limit)
    return malformed("the sets of sizes ask for more than " + llvm::Twine(limit) +
                     " variants, which --max-variants allows");
  for (const SizeValues &given : wanted) {
    std::optional<SizeValues> found = SizeChooser(facts, given, false).run();
    if (found && !llvm::is_contained(out, *found))
      out.push_back(std::move(*found));
  }
  if (out.empty())
    return unsatisfied(facts, facts.values);
  return out;
}
