// The str methods by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Hash.h"

namespace values {

static void addQuestions(Calls &calls) {
  using Question = bool (*)(StrRef);
  using Mapping = Str (*)(StrRef);
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Question>>{{"isalpha", str::isalpha},
                                                                {"isalnum", str::isalnum},
                                                                {"isdecimal", str::isdecimal},
                                                                {"isdigit", str::isdigit},
                                                                {"isnumeric", str::isnumeric},
                                                                {"isspace", str::isspace},
                                                                {"isupper", str::isupper},
                                                                {"islower", str::islower},
                                                                {"istitle", str::istitle},
                                                                {"isidentifier", str::isidentifier},
                                                                {"isprintable", str::isprintable},
                                                                {"isascii", str::isascii}})
    calls[std::string("str.") + name] = [f = f](const Args &a) { return encode(f(a.str(0))); };
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Mapping>>{{"upper", str::upper},
                                                               {"lower", str::lower},
                                                               {"title", str::title},
                                                               {"capitalize", str::capitalize},
                                                               {"swapcase", str::swapcase},
                                                               {"casefold", str::casefold},
                                                               {"repr", str::repr},
                                                               {"ascii", str::ascii}})
    calls[std::string("str.") + name] = [f = f](const Args &a) { return encode(f(a.str(0))); };
}

/// One number for what the method of that name says of each character of a range.
static std::string digest(const Calls &calls, const Args &a) {
  const auto &method = calls.at("str." + a.text(0));
  std::string answers;
  for (auto point = char32_t(a.small(1, 0)); point < char32_t(a.small(2, 0)); ++point) {
    Value character{'s', fromCodePoints({&point, 1}).bytes(), {}, 0, 0, {}};
    answers += decode(method(Args({character}))).shown();
  }
  return encode(hashStr(answers));
}

static void addSearch(Calls &calls) {
  calls["str.find"] = [](const Args &a) {
    return encode(str::find(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.rfind"] = [](const Args &a) {
    return encode(str::rfind(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.index"] = [](const Args &a) {
    return encode(str::index(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.rindex"] = [](const Args &a) {
    return encode(str::rindex(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.count"] = [](const Args &a) {
    return encode(str::count(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.startswith"] = [](const Args &a) {
    return encode(str::startswith(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.endswith"] = [](const Args &a) {
    return encode(str::endswith(a.str(0), a.str(1), a.bounds(2)));
  };
  calls["str.contains"] = [](const Args &a) { return encode(str::contains(a.str(0), a.str(1))); };
  calls["str.lt"] = [](const Args &a) { return encode(a.str(0) < a.str(1)); };
  calls["str.hash"] = [](const Args &a) { return encode(hashStr(a.str(0))); };
}

static void addParts(Calls &calls) {
  using Strip = Str (*)(StrRef, std::optional<StrRef>);
  for (auto [name, f] : std::initializer_list<std::pair<const char *, Strip>>{
           {"str.strip", str::strip}, {"str.lstrip", str::lstrip}, {"str.rstrip", str::rstrip}})
    calls[name] = [f = f](const Args &a) {
      return encode(f(a.str(0), a[1].isNone() ? std::nullopt : std::optional<StrRef>(a.str(1))));
    };
  calls["str.split"] = [](const Args &a) {
    return a[1].isNone() ? encode(str::split(a.str(0), a.small(2, -1)))
                         : encode(str::split(a.str(0), a.str(1), a.small(2, -1)));
  };
  calls["str.rsplit"] = [](const Args &a) {
    return a[1].isNone() ? encode(str::rsplit(a.str(0), a.small(2, -1)))
                         : encode(str::rsplit(a.str(0), a.str(1), a.small(2, -1)));
  };
  calls["str.splitlines"] = [](const Args &a) {
    return encode(str::splitlines(a.str(0), a.flag(1)));
  };
  calls["str.replace"] = [](const Args &a) {
    return encode(str::replace(a.str(0), a.str(1), a.str(2), a.small(3, -1)));
  };
  calls["str.partition"] = [](const Args &a) { return encode(str::partition(a.str(0), a.str(1))); };
  calls["str.rpartition"] = [](const Args &a) {
    return encode(str::rpartition(a.str(0), a.str(1)));
  };
  calls["str.removeprefix"] = [](const Args &a) {
    return encode(str::removeprefix(a.str(0), a.str(1)));
  };
  calls["str.removesuffix"] = [](const Args &a) {
    return encode(str::removesuffix(a.str(0), a.str(1)));
  };
  calls["str.join"] = [](const Args &a) {
    std::vector<StrRef> items;
    for (const Value &item : a[1].items)
      items.emplace_back(item.text);
    return encode(str::join(a.str(0), items));
  };
}

static void addLayout(Calls &calls) {
  using Justify = Result<Str> (*)(StrRef, const PyInt &, StrRef);
  for (auto [name, f] : std::initializer_list<std::pair<const char *, Justify>>{
           {"str.center", str::center}, {"str.ljust", str::ljust}, {"str.rjust", str::rjust}})
    calls[name] = [f = f](const Args &a) {
      return encode(f(a.str(0), a.integer(1), a[2].isNone() ? StrRef(" ") : a.str(2)));
    };
  calls["str.zfill"] = [](const Args &a) { return encode(str::zfill(a.str(0), a.integer(1))); };
  calls["str.expandtabs"] = [](const Args &a) {
    return encode(str::expandtabs(a.str(0), a[1].isNone() ? PyInt(8) : a.integer(1)));
  };
}

void addStrCalls(Calls &calls) {
  addQuestions(calls);
  addSearch(calls);
  addParts(calls);
  addLayout(calls);
  calls["str.digest"] = [&calls](const Args &a) { return digest(calls, a); };
  calls["str.at"] = [](const Args &a) { return encode(str::at(a.str(0), a.small(1, 0))); };
  calls["str.slice"] = [](const Args &a) -> std::string {
    auto indices = sliceIndices(a.slice(1), int64_t(a.str(0).length()));
    return indices ? encode(str::slice(a.str(0), *indices)) : encode(indices.error());
  };
  calls["str.repeat"] = [](const Args &a) { return encode(str::repeat(a.str(0), a.integer(1))); };
  calls["str.chr"] = [](const Args &a) { return encode(str::chr(a.integer(0))); };
  calls["str.ord"] = [](const Args &a) { return encode(str::ord(a.str(0))); };
  calls["str.encode"] = [](const Args &a) {
    return encode(asBytes(str::encode(a.str(0), a.str(1), a.str(2))));
  };
  calls["str.translate"] = [](const Args &a) -> std::string {
    auto rows = str::maketrans(a.str(1), a.str(2), a.str(3));
    if (!rows)
      return encode(rows.error());
    // A dict: the last row of a key counts.
    std::map<char32_t, std::optional<char32_t>> dict;
    for (auto &[key, value] : *rows)
      dict[key] = value;
    return encode(str::translate(a.str(0), [&](char32_t c) -> Result<std::optional<Str>> {
      auto found = dict.find(c);
      if (found == dict.end())
        return std::optional<Str>();
      return std::optional<Str>(found->second ? fromCodePoints({&*found->second, 1}) : Str());
    }));
  };
}

} // namespace values
