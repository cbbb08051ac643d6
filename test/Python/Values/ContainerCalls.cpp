// Hashes, sets, slices and ranges by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Hash.h"
#include "ptc/Python/SetTable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace values {

static int64_t hashOf(const Value &value) {
  switch (value.kind) {
  case 'i':
  case 'b':
    return hashInt(value.integer);
  case 'f':
    return hashFloat(value.real);
  case 's':
    return hashStr(StrRef(value.text));
  default:
    throw std::runtime_error("no hash for this kind of value");
  }
}

static std::vector<int64_t> hashesOf(const std::vector<Value> &values) {
  std::vector<int64_t> hashes;
  hashes.reserve(values.size());
  for (const Value &value : values)
    hashes.push_back(hashOf(value));
  return hashes;
}

/// frozenset(values): each value once.
static std::vector<Value> distinct(const std::vector<Value> &values) {
  std::vector<Value> result;
  for (const Value &value : values) {
    auto equals = [&](const Value &other) {
      auto isNumber = [](const Value &v) { return v.kind != 's'; };
      if (!isNumber(value) || !isNumber(other))
        return value.kind == other.kind && value.text == other.text;
      if (value.kind == 'f' && other.kind == 'f')
        return value.real == other.real;
      if (value.kind == 'f')
        return compare(other.integer, value.real) == 0;
      if (other.kind == 'f')
        return compare(value.integer, other.real) == 0;
      return value.integer == other.integer;
    };
    if (std::none_of(result.begin(), result.end(), equals))
      result.push_back(value);
  }
  return result;
}

namespace {
/// The interpreter of set.run in python_calls.py. Members are numbered by their text, so that equal
/// members have equal ids and nothing is ever compared.
struct SetMachine {
  std::map<std::string, SetTable> sets{{"A", {}}, {"B", {}}, {"C", {}}};
  std::vector<std::string> members;

  static bool never(uint32_t, uint32_t) { return false; }

  SetItem item(llvm::StringRef text) {
    auto found = std::find(members.begin(), members.end(), text);
    const auto id = static_cast<uint32_t>(found - members.begin());
    if (found == members.end())
      members.push_back(text.str());
    const std::string body = text.substr(1).str();
    return {text[0] == 'i' ? hashInt(*parseInt(body)) : hashStr(body), id};
  }

  void step(llvm::StringRef text);
  std::string show() const;
};
} // namespace

void SetMachine::step(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  SetTable &target = sets.at(words[1].str());
  llvm::ArrayRef<llvm::StringRef> rest = llvm::ArrayRef(words).drop_front(2);
  std::vector<SetItem> items;
  std::vector<SetTable *> operands;
  for (llvm::StringRef word : rest) {
    auto found = sets.find(word.str());
    if (found != sets.end())
      operands.push_back(&found->second);
    else
      items.push_back(item(word));
  }
  const std::map<llvm::StringRef, std::function<void()>> ops = {
      {"items", [&] { target = SetTable::fromItems(items, never); }},
      {"add", [&] { target.add(items[0], never); }},
      {"discard", [&] { target.discard(items[0], never); }},
      {"pop", [&] { target.pop(); }},
      {"clear", [&] { target.clear(); }},
      {"copy", [&] { target = operands[0]->copy(); }},
      {"frozen", [&] { target = operands[0]->copy().copy(); }},
      {"update", [&] { target.merge(*operands[0], never); }},
      {"keys",
       [&] {
         std::vector<SetItem> keys;
         for (SetItem key : items)
           if (std::none_of(keys.begin(), keys.end(), [&](SetItem k) { return k.id == key.id; }))
             keys.push_back(key);
         target.mergeKeys(keys, never);
       }},
      {"and", [&] { target = operands[0]->intersect(*operands[1], never); }},
      {"iand", [&] { target.takeMembers(target.intersect(*operands[0], never)); }},
      {"anditems", [&] { target = target.intersectItems(items, never); }},
      {"sub", [&] { target = operands[0]->subtract(*operands[1], never); }},
      {"isub", [&] { target.subtractInPlace(*operands[0], never); }},
      {"subitems", [&] { target.subtractItems(items, never); }},
      {"xor", [&] { target = operands[0]->symmetricDifference(*operands[1], never); }},
      {"ixor", [&] { target.symmetricDifferenceInPlace(*operands[0], never); }},
      {"or", [&] { target = operands[0]->unite(*operands[1], never); }},
  };
  ops.at(words[0])();
}

std::string SetMachine::show() const {
  std::vector<std::string> shown;
  for (const auto &[name, table] : sets) {
    shown.push_back(name);
    for (SetItem member : table.items())
      shown.push_back(members[member.id].substr(1));
  }
  return encode(shown);
}

/// f(range) for the range of the first three arguments.
template <typename F> static std::string withRange(const Args &a, size_t at, F f) {
  auto range = Range::make(a.integer(at), a.integer(at + 1), a.integer(at + 2));
  return range ? f(*range) : encode(range.error());
}

static std::string firstItems(const Range &range) {
  std::vector<PyInt> items;
  for (int64_t i = 0; i < 50 && PyInt(i) < range.length(); ++i)
    items.push_back(*range.at(i));
  return encode(items);
}

static void addRange(Calls &calls) {
  calls["range.items"] = [](const Args &a) { return withRange(a, 0, firstItems); };
  calls["range.reversed"] = [](const Args &a) {
    return withRange(a, 0, [](const Range &r) { return firstItems(r.reversed()); });
  };
  calls["range.len"] = [](const Args &a) {
    return withRange(a, 0, [](const Range &r) { return encode(r.len()); });
  };
  calls["range.hash"] = [](const Args &a) {
    return withRange(a, 0, [](const Range &r) { return encode(r.hash()); });
  };
  calls["range.at"] = [](const Args &a) {
    return withRange(a, 0, [&](const Range &r) { return encode(r.at(a.integer(3))); });
  };
  calls["range.index"] = [](const Args &a) {
    return withRange(a, 0, [&](const Range &r) { return encode(r.index(a.integer(3))); });
  };
  calls["range.slice"] = [](const Args &a) {
    return withRange(a, 0, [&](const Range &r) -> std::string {
      auto part = r.slice(a.slice(3));
      return part ? encode(part->repr()) : encode(part.error());
    });
  };
  calls["range.eq"] = [](const Args &a) {
    return withRange(a, 0, [&](const Range &r) {
      return withRange(a, 3, [&](const Range &s) { return encode(r == s); });
    });
  };
}

void addContainerCalls(Calls &calls) {
  addRange(calls);
  calls["hash.float"] = [](const Args &a) { return encode(hashFloat(a.real(0))); };
  calls["hash.complex"] = [](const Args &a) { return encode(hashComplex(a.complex(0))); };
  calls["hash.tuple"] = [](const Args &a) { return encode(hashTuple(hashesOf(a[0].items))); };
  calls["hash.frozenset"] = [](const Args &a) {
    return encode(hashFrozenset(hashesOf(distinct(a[0].items))));
  };
  calls["slice.indices"] = [](const Args &a) {
    return encode(sliceIndicesBig(a.slice(0), a.integer(3)));
  };
  calls["set.run"] = [](const Args &a) {
    SetMachine machine;
    for (const Value &step : a[0].items)
      machine.step(step.text);
    return machine.show();
  };
}

} // namespace values
