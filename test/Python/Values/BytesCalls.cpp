// The bytes methods by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Hash.h"

namespace values {

static void addQuestions(Calls &calls) {
  using Question = bool (*)(bytes::Ref);
  using Mapping = std::string (*)(bytes::Ref);
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Question>>{{"isalpha", bytes::isalpha},
                                                                {"isalnum", bytes::isalnum},
                                                                {"isdigit", bytes::isdigit},
                                                                {"isspace", bytes::isspace},
                                                                {"isupper", bytes::isupper},
                                                                {"islower", bytes::islower},
                                                                {"istitle", bytes::istitle},
                                                                {"isascii", bytes::isascii}})
    calls[std::string("bytes.") + name] = [f = f](const Args &a) { return encode(f(a.text(0))); };
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Mapping>>{{"upper", bytes::upper},
                                                               {"lower", bytes::lower},
                                                               {"title", bytes::title},
                                                               {"capitalize", bytes::capitalize},
                                                               {"swapcase", bytes::swapcase}})
    calls[std::string("bytes.") + name] = [f = f](const Args &a) {
      return encode(asBytes(f(a.text(0))));
    };
}

static void addSearch(Calls &calls) {
  calls["bytes.find"] = [](const Args &a) {
    return encode(bytes::find(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.rfind"] = [](const Args &a) {
    return encode(bytes::rfind(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.index"] = [](const Args &a) {
    return encode(bytes::index(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.rindex"] = [](const Args &a) {
    return encode(bytes::rindex(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.count"] = [](const Args &a) {
    return encode(bytes::count(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.startswith"] = [](const Args &a) {
    return encode(bytes::startswith(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.endswith"] = [](const Args &a) {
    return encode(bytes::endswith(a.text(0), a.text(1), a.bounds(2)));
  };
  calls["bytes.contains"] = [](const Args &a) {
    return encode(bytes::contains(a.text(0), a.text(1)));
  };
  calls["bytes.hash"] = [](const Args &a) { return encode(hashBytes(a.text(0))); };
}

static void addParts(Calls &calls) {
  using Strip = std::string (*)(bytes::Ref, std::optional<bytes::Ref>);
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Strip>>{{"bytes.strip", bytes::strip},
                                                             {"bytes.lstrip", bytes::lstrip},
                                                             {"bytes.rstrip", bytes::rstrip}})
    calls[name] = [f = f](const Args &a) {
      return encode(asBytes(
          f(a.text(0), a[1].isNone() ? std::nullopt : std::optional<bytes::Ref>(a.text(1)))));
    };
  calls["bytes.split"] = [](const Args &a) {
    return a[1].isNone() ? encode(eachAsBytes(bytes::split(a.text(0), a.small(2, -1))))
                         : encode(eachAsBytes(bytes::split(a.text(0), a.text(1), a.small(2, -1))));
  };
  calls["bytes.rsplit"] = [](const Args &a) {
    return a[1].isNone() ? encode(eachAsBytes(bytes::rsplit(a.text(0), a.small(2, -1))))
                         : encode(eachAsBytes(bytes::rsplit(a.text(0), a.text(1), a.small(2, -1))));
  };
  calls["bytes.splitlines"] = [](const Args &a) {
    return encode(eachAsBytes(bytes::splitlines(a.text(0), a.flag(1))));
  };
  calls["bytes.replace"] = [](const Args &a) {
    return encode(asBytes(bytes::replace(a.text(0), a.text(1), a.text(2), a.small(3, -1))));
  };
  calls["bytes.partition"] = [](const Args &a) {
    return encode(eachAsBytes(bytes::partition(a.text(0), a.text(1))));
  };
  calls["bytes.rpartition"] = [](const Args &a) {
    return encode(eachAsBytes(bytes::rpartition(a.text(0), a.text(1))));
  };
  calls["bytes.removeprefix"] = [](const Args &a) {
    return encode(asBytes(bytes::removeprefix(a.text(0), a.text(1))));
  };
  calls["bytes.removesuffix"] = [](const Args &a) {
    return encode(asBytes(bytes::removesuffix(a.text(0), a.text(1))));
  };
  calls["bytes.join"] = [](const Args &a) {
    std::vector<bytes::Ref> items;
    for (const Value &item : a[1].items)
      items.emplace_back(item.text);
    return encode(asBytes(bytes::join(a.text(0), items)));
  };
}

static void addLayout(Calls &calls) {
  using Justify = Result<std::string> (*)(bytes::Ref, const PyInt &, bytes::Ref);
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, Justify>>{{"bytes.center", bytes::center},
                                                               {"bytes.ljust", bytes::ljust},
                                                               {"bytes.rjust", bytes::rjust}})
    calls[name] = [f = f](const Args &a) {
      return encode(
          asBytes(f(a.text(0), a.integer(1), a[2].isNone() ? bytes::Ref(" ") : a.text(2))));
    };
  calls["bytes.zfill"] = [](const Args &a) {
    return encode(asBytes(bytes::zfill(a.text(0), a.integer(1))));
  };
  calls["bytes.expandtabs"] = [](const Args &a) {
    return encode(asBytes(bytes::expandtabs(a.text(0), a[1].isNone() ? PyInt(8) : a.integer(1))));
  };
}

void addBytesCalls(Calls &calls) {
  addQuestions(calls);
  addSearch(calls);
  addParts(calls);
  addLayout(calls);
  calls["bytes.repr"] = [](const Args &a) { return encode(bytes::repr(a.text(0))); };
  calls["bytes.at"] = [](const Args &a) { return encode(bytes::at(a.text(0), a.small(1, 0))); };
  calls["bytes.slice"] = [](const Args &a) -> std::string {
    auto indices = sliceIndices(a.slice(1), int64_t(a.text(0).size()));
    return indices ? encode(asBytes(bytes::slice(a.text(0), *indices))) : encode(indices.error());
  };
  calls["bytes.repeat"] = [](const Args &a) {
    return encode(asBytes(bytes::repeat(a.text(0), a.integer(1))));
  };
  calls["bytes.ord"] = [](const Args &a) { return encode(bytes::ord(a.text(0))); };
  calls["bytes.zeros"] = [](const Args &a) { return encode(asBytes(bytes::zeros(a.integer(0)))); };
  calls["bytes.from_ints"] = [](const Args &a) {
    std::vector<PyInt> items;
    for (const Value &item : a[0].items)
      items.push_back(item.integer);
    return encode(asBytes(bytes::fromInts(items)));
  };
  calls["bytes.decode"] = [](const Args &a) {
    return encode(bytes::decode(a.text(0), a.str(1), a.str(2)));
  };
  calls["bytes.hex"] = [](const Args &a) {
    return encode(bytes::hex(
        a.text(0), a[1].isNone() ? std::nullopt : std::optional<StrRef>(a.str(1)), a.small(2, 1)));
  };
  calls["bytes.fromhex"] = [](const Args &a) { return encode(asBytes(bytes::fromhex(a.str(0)))); };
  calls["bytes.translate"] = [](const Args &a) -> std::string {
    auto table = bytes::maketrans(a.text(1), a.text(2));
    return table ? encode(asBytes(bytes::translate(a.text(0), *table, a.text(3))))
                 : encode(table.error());
  };
}

} // namespace values
