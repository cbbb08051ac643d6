// Module re by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Regex.h"

namespace values {

constexpr unsigned kMinor = 11;

static re::Subject subject(const Args &a, size_t n) {
  return {StrRef(a.text(n)), a[n].kind == 'y'};
}

static std::string encodeError(const re::PatternError &error) {
  std::string position = error.position ? encode(uint64_t(*error.position)) : "n";
  return "l|" + encode(StrRef("error")) + "|" + encode(error.message) + "|" + position;
}

static std::vector<int64_t> described(const re::Match &match) {
  std::vector<int64_t> numbers{match.lastIndex};
  numbers.insert(numbers.end(), match.spans.begin(), match.spans.end());
  return numbers;
}

/// As Python prints a list of numbers.
static std::string shown(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t n : numbers)
    text += (text.empty() ? "[" : ", ") + std::to_string(n);
  return text + "]";
}

static re::Compiled compile(const Args &a) {
  return re::compile(subject(a, 0), uint32_t(a.small(1, 0)), kMinor);
}

/// `use` of a pattern, or that there is none.
template <typename Use> static std::string withPattern(const Args &a, Use use) {
  re::Compiled compiled = compile(a);
  if (auto *raised = std::get_if<Raised>(&compiled))
    return raised->kind == ExcKind::OverflowError ? encode(StrRef("error")) : encode(*raised);
  auto *pattern = std::get_if<re::Pattern>(&compiled);
  return pattern ? use(*pattern) : encode(StrRef("error"));
}

static std::string describePattern(const re::Pattern &pattern) {
  std::string text =
      "l|" + encode(uint64_t(pattern.flags)) + "|" + encode(uint64_t(pattern.groups));
  for (const re::Pattern::Name &name : pattern.names)
    text += "|" + encode(name.name) + "|" + encode(uint64_t(name.group));
  for (const re::PatternWarning &warning : pattern.warnings)
    text += "|" + encode(warning.text);
  return text;
}

static std::string encodeTemplate(const re::ReplacementTemplate &parts, bool isBytes) {
  std::string text = "l";
  for (const re::TemplatePart &part : parts) {
    text += "|";
    if (auto *group = std::get_if<uint32_t>(&part)) {
      text += encode(uint64_t(*group));
      continue;
    }
    const Str &literal = std::get<Str>(part);
    std::string octets;
    for (char32_t point : toCodePoints(literal.bytes()))
      octets += char(point);
    text += isBytes ? encode(Octets{octets}) : encode(literal);
  }
  return text;
}

void addRegexCalls(Calls &calls) {
  calls["re.compile"] = [](const Args &a) {
    re::Compiled compiled = compile(a);
    if (auto *error = std::get_if<re::PatternError>(&compiled))
      return encodeError(*error);
    if (auto *raised = std::get_if<Raised>(&compiled))
      return encode(*raised);
    return describePattern(std::get<re::Pattern>(compiled));
  };
  calls["re.find"] = [](const Args &a) {
    return withPattern(a, [&](const re::Pattern &pattern) {
      const re::Mode mode = a.text(3) == "search"  ? re::Mode::Search
                            : a.text(3) == "match" ? re::Mode::Match
                                                   : re::Mode::FullMatch;
      const re::Subject text = subject(a, 2);
      const auto end = std::min<size_t>(a.small(5, 0), text.length());
      const auto start = std::min<size_t>(a.small(4, 0), text.length());
      auto found = re::find(pattern, text, start, end, mode);
      if (!found)
        return encode(found.error());
      return *found ? encode(described(**found)) : std::string("n");
    });
  };
  calls["re.all"] = [](const Args &a) {
    return withPattern(a, [&](const re::Pattern &pattern) {
      const re::Subject text = subject(a, 2);
      auto found = re::findAll(pattern, text, 0, text.length(), size_t(a.small(3, 0)));
      if (!found)
        return encode(found.error());
      std::vector<Str> all;
      for (const re::Match &match : *found)
        all.emplace_back(shown(described(match)));
      return encode(all);
    });
  };
  calls["re.template"] = [](const Args &a) {
    re::Compiled compiled = re::compile(subject(a, 0), 0, kMinor);
    const auto &pattern = std::get<re::Pattern>(compiled);
    const re::Subject text = subject(a, 1);
    auto parsed = re::parseTemplate(pattern, text, kMinor);
    if (auto *error = std::get_if<re::PatternError>(&parsed))
      return encodeError(*error);
    if (auto *raised = std::get_if<Raised>(&parsed))
      return encode(*raised);
    return encodeTemplate(std::get<re::ReplacementTemplate>(parsed), text.isBytes);
  };
}

} // namespace values
