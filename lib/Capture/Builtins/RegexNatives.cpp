//===- RegexNatives.cpp - Regular expressions of module re ------------------------------===//
//
// In: patterns, flags and texts. Out: numbers and texts for lib/Prelude/re.py, which has the
// classes. A pattern is compiled where it is used: that costs less than a call of Python.
//
//===----------------------------------------------------------------------===//
#include "Builtins.h"

#include "ptc/Python/Regex.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using namespace ptc::capture::builtins;
namespace py = ptc::py;
namespace re = ptc::py::re;
using ptc::DiagId;

/// A str or bytes, as the prelude gives it.
static std::optional<re::Subject> subjectArg(Engine &e, CallArgs &args, size_t n) {
  PTC_LET(v, plainArg(e, args, n));
  if (v.is(Kind::Bytes))
    return re::Subject{py::StrRef(std::string_view(v.asBytes()), 0), true};
  if (!v.is(Kind::Str))
    return e.refuse(DiagId::Unsupported, "a regular expression over a text that is not known");
  return re::Subject{strRef(v), false};
}

static std::optional<int64_t> numberArg(Engine &e, CallArgs &args, size_t n) {
  PTC_LET(v, plainArg(e, args, n));
  PTC_LET(number, integerOf(e, v));
  return asPyInt(number).clampToInt64();
}

static Value number(uint64_t n) { return Value::integer(int64_t(n)); }

static Value ofError(const re::PatternError &error) {
  return Value::tuple({Value::str("error"), Value::str(error.message),
                       error.position ? number(*error.position) : Value::none()});
}

static Value ofMatch(const re::Match &match) {
  std::vector<Value> numbers{number(match.lastIndex)};
  for (int64_t at : match.spans)
    numbers.push_back(Value::integer(at));
  return Value::tuple(std::move(numbers));
}

static std::optional<re::Compiled> compiledArg(Engine &e, CallArgs &args) {
  PTC_GET(source, subjectArg(e, args, 0));
  PTC_GET(flags, numberArg(e, args, 1));
  return re::compile(source, uint32_t(flags), e.world->minorVersion());
}

/// The pattern of the first two arguments, which re.py has compiled before.
static std::optional<re::Pattern> patternArg(Engine &e, CallArgs &args) {
  PTC_GET(compiled, compiledArg(e, args));
  assert(std::holds_alternative<re::Pattern>(compiled) && "was compiled before");
  return std::move(std::get<re::Pattern>(compiled));
}

namespace {
/// What both searches are given; the last argument says how.
struct Search {
  re::Pattern pattern;
  re::Subject subject;
  size_t from, to;
  int64_t how;
};
} // namespace

static std::optional<Search> searchArgs(Engine &e, CallArgs &args) {
  PTC_GET(pattern, patternArg(e, args));
  PTC_GET(subject, subjectArg(e, args, 2));
  PTC_GET(from, numberArg(e, args, 3));
  PTC_GET(to, numberArg(e, args, 4));
  PTC_GET(how, numberArg(e, args, 5));
  return Search{std::move(pattern), subject, size_t(from), size_t(to), how};
}

Value builtins::reCompile(Engine &e, CallArgs &args) {
  PTC_GET(compiled, compiledArg(e, args));
  if (const auto *error = std::get_if<re::PatternError>(&compiled))
    return ofError(*error);
  if (const auto *failure = std::get_if<py::Raised>(&compiled))
    return raised(e, *failure);
  const auto &pattern = std::get<re::Pattern>(compiled);
  std::vector<Value> names, warnings;
  for (const re::Pattern::Name &name : pattern.names)
    names.push_back(Value::tuple({Value::str(name.name), number(name.group)}));
  for (const re::PatternWarning &warning : pattern.warnings)
    warnings.push_back(
        Value::tuple({Value::str(warning.text), Value::boolean(warning.isDeprecation)}));
  return Value::tuple({Value::str("pattern"), number(pattern.flags), number(pattern.groups),
                       Value::tuple(std::move(names)), Value::tuple(std::move(warnings))});
}

Value builtins::reFind(Engine &e, CallArgs &args) {
  PTC_GET(search, searchArgs(e, args));
  auto found =
      re::find(search.pattern, search.subject, search.from, search.to, re::Mode(search.how));
  if (!found)
    return raised(e, found.error());
  const std::optional<re::Match> &match = *found;
  return match ? ofMatch(*match) : Value::none();
}

Value builtins::reFindAll(Engine &e, CallArgs &args) {
  PTC_GET(search, searchArgs(e, args));
  auto found =
      re::findAll(search.pattern, search.subject, search.from, search.to, size_t(search.how));
  if (!found)
    return raised(e, found.error());
  std::vector<Value> all;
  for (const re::Match &match : *found)
    all.push_back(ofMatch(match));
  return Value::tuple(std::move(all));
}

Value builtins::reTemplate(Engine &e, CallArgs &args) {
  PTC_GET(pattern, patternArg(e, args));
  PTC_GET(text, subjectArg(e, args, 2));
  auto parsed = re::parseTemplate(pattern, text, e.world->minorVersion());
  if (const auto *error = std::get_if<re::PatternError>(&parsed))
    return ofError(*error);
  if (const auto *failure = std::get_if<py::Raised>(&parsed))
    return raised(e, *failure);
  std::vector<Value> parts;
  for (const re::TemplatePart &part : std::get<re::ReplacementTemplate>(parsed)) {
    if (const auto *group = std::get_if<uint32_t>(&part)) {
      parts.push_back(number(*group));
      continue;
    }
    const auto &literal = std::get<py::Str>(part);
    if (!text.isBytes) {
      parts.push_back(ofStr(literal));
      continue;
    }
    std::string octets;
    for (char32_t point : py::toCodePoints(literal.bytes()))
      octets += char(point);
    parts.push_back(Value::bytes(octets));
  }
  return Value::tuple({Value::str("template"), Value::tuple(std::move(parts))});
}
