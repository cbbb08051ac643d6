//===- ExampleText.cpp - How calls of a structure are written -------------------------===//
//
// In: how arguments are taken apart: paths of leaves, containers with repr() of their keys. Out:
// the call as example JSON with a hole per leaf, in the order of the leaves. The stub fills the
// holes.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/ExampleText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace ptc;
using sym::CallStructure;
using sym::ValueTag;

/// A JSON string of UTF-8.
static std::string quoted(llvm::StringRef text) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::json::Value(text);
  return out;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// A key of a dict, or an element of a set.
struct Key {
  std::string json;
  std::string label; ///< what paths of parts have behind that of the container: `["a"]`, `[3]`
  std::optional<std::string> text; ///< of a str
};
} // namespace

/// The character behind a backslash of repr(str), and what it takes of `rest`.
static std::optional<char> unescaped(llvm::StringRef &rest) {
  char c = rest.front();
  rest = rest.drop_front();
  switch (c) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'x': {
    unsigned code = 0;
    if (rest.take_front(2).getAsInteger(16, code) || code == 0 || code > 127)
      return std::nullopt; // a zero ends texts in C
    rest = rest.drop_front(2);
    return char(code);
  }
  default:
    return c == '\\' || c == '\'' || c == '"' ? std::optional(c) : std::nullopt;
  }
}

/// Takes repr(str) off `rest`.
static std::optional<Key> takeText(llvm::StringRef &rest) {
  char quote = rest.front();
  rest = rest.drop_front();
  std::string text;
  while (!rest.empty() && rest.front() != quote) {
    if (!rest.consume_front("\\")) {
      text += rest.front();
      rest = rest.drop_front();
      continue;
    }
    std::optional<char> c = rest.empty() ? std::nullopt : unescaped(rest);
    if (!c)
      return std::nullopt;
    text += *c;
  }
  if (rest.empty() || !llvm::json::isUTF8(text))
    return std::nullopt;
  rest = rest.drop_front();
  return Key{quoted(text), "[\"" + text + "\"]", text};
}

/// Takes repr() of None, a bool, an int or a float off `rest`.
static std::optional<Key> takeNumber(llvm::StringRef &rest) {
  llvm::StringRef word = rest.take_until([](char c) { return c == ','; });
  rest = rest.drop_front(word.size());
  std::string label = "[" + word.str() + "]";
  if (word == "None" || word == "True" || word == "False")
    return Key{word == "None" ? "null" : word.lower(), label, std::nullopt};
  if (word == "nan" || word == "inf" || word == "-inf")
    return Key{"{\"$float\": \"" + word.str() + "\"}", label, std::nullopt};
  int64_t integer;
  double real;
  if (!word.getAsInteger(10, integer) || !word.getAsDouble(real))
    return Key{word.str(), label, std::nullopt};
  return std::nullopt;
}

/// The keys of `repr(key), repr(key)`; none: one has no form in the notation.
static std::optional<std::vector<Key>> keysOf(llvm::StringRef rest) {
  std::vector<Key> keys;
  while (!rest.empty()) {
    bool isText = rest.front() == '\'' || rest.front() == '"';
    std::optional<Key> key = isText ? takeText(rest) : takeNumber(rest);
    if (!key || !(rest.empty() || rest.consume_front(", ")))
      return std::nullopt;
    keys.push_back(std::move(*key));
  }
  return keys;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
class ExampleWriter {
public:
  ExampleWriter(const sym::StringTable &texts, const CallStructure &structure)
      : texts(texts), structure(structure) {}

  std::optional<ExampleText> run(llvm::ArrayRef<std::string> parameters);

private:
  bool arguments(llvm::ArrayRef<std::string> parameters);
  bool value(const std::string &path, const std::string &place);
  bool container(const CallStructure::Container &at, const std::string &place);
  bool dict(const CallStructure::Container &at, const std::string &place);
  bool set(const CallStructure::Container &at);
  bool object(const CallStructure::Container &at, const std::string &place);
  void put(llvm::StringRef text) {
    (out.leaves.empty() ? out.before : out.leaves.back().behind) += text;
  }
  void hole(const std::string &place, std::string constant = "") {
    bool hasName = place.find('\0') == std::string::npos;
    out.leaves.push_back({hasName ? place : "", std::move(constant), ""});
  }
  bool isNext(llvm::StringRef path) const {
    return out.leaves.size() < structure.leaves().size() &&
           structure.leaves()[out.leaves.size()] == path;
  }

  const sym::StringTable &texts;
  const CallStructure &structure;
  ExampleText out;
};
} // namespace

bool ExampleWriter::value(const std::string &path, const std::string &place) {
  if (const CallStructure::Container *found = structure.findContainer(path))
    return container(*found, place);
  if (!isNext(path))
    return false;
  hole(place);
  return true;
}

bool ExampleWriter::dict(const CallStructure::Container &at, const std::string &place) {
  auto keys = keysOf(at.keys ? texts.text(*at.keys) : llvm::StringRef());
  if (!keys || int64_t(keys->size()) != at.length.value_or(-1))
    return false;
  auto isPlain = [](const Key &key) { return key.text.value_or("$").rfind('$', 0) != 0; };
  bool plain = llvm::all_of(*keys, isPlain);
  put(plain ? "{" : "{\"$dict\": [");
  for (auto [i, key] : llvm::enumerate(*keys)) {
    put((i ? ", " : "") + (plain ? key.json + ": " : "[" + key.json + ", "));
    std::string below = plain ? "." + key.text.value_or("") : "[" + std::to_string(i) + "][1]";
    if (!value(at.path + key.label, place + below))
      return false;
    put(plain ? "" : "]");
  }
  put(plain ? "}" : "]}");
  return true;
}

/// Sets are constants of the structure, and one leaf each.
bool ExampleWriter::set(const CallStructure::Container &at) {
  auto keys = keysOf(at.keys ? texts.text(*at.keys) : llvm::StringRef());
  if (!keys || int64_t(keys->size()) != at.length.value_or(-1) || !isNext(at.path))
    return false;
  std::string items;
  for (const Key &key : *keys)
    items += (items.empty() ? "" : ", ") + key.json;
  hole("", "{\"$set\": [" + items + "]}");
  return true;
}

/// Of what a class makes of arguments only that is written which has none: its text is a call's.
bool ExampleWriter::object(const CallStructure::Container &at, const std::string &place) {
  if (!at.className || !at.keys)
    return false;
  llvm::StringRef name = texts.text(*at.className), names = texts.text(*at.keys);
  const bool isMade = name.consume_back("()");
  if (name.contains('('))
    return false;
  llvm::SmallVector<llvm::StringRef> attributes;
  names.split(attributes, ", ", -1, /*KeepEmpty=*/false);
  put("{\"$object\": " + quoted(name) + (isMade ? ", \"args\": []" : "") + ", \"fields\": {");
  for (auto [i, attribute] : llvm::enumerate(attributes)) {
    put((i ? ", " : "") + quoted(attribute) + ": ");
    if (!value((at.path + "." + attribute).str(), (place + "." + attribute).str()))
      return false;
  }
  put("}}");
  return true;
}

bool ExampleWriter::container(const CallStructure::Container &at, const std::string &place) {
  if (at.tag == ValueTag::Dict)
    return dict(at, place);
  if (at.tag == ValueTag::Object)
    return object(at, place);
  if (at.tag == ValueTag::Set)
    return set(at);
  bool isTuple = at.tag == ValueTag::Tuple;
  if ((at.tag != ValueTag::List && !isTuple) || !at.length)
    return false;
  put(isTuple ? "{\"$tuple\": [" : "[");
  for (int64_t i = 0; i < *at.length; ++i) {
    std::string index = "[" + std::to_string(i) + "]";
    put(i ? ", " : "");
    if (!value(at.path + index, place + index))
      return false;
  }
  put(isTuple ? "]}" : "]");
  return true;
}

/// Arguments that can be given by position come first; what is behind *rest cannot.
bool ExampleWriter::arguments(llvm::ArrayRef<std::string> parameters) {
  const CallStructure::Container *given = structure.findContainer(sym::kArgumentsPath);
  if (!given || !given->keys)
    return false;
  llvm::SmallVector<llvm::StringRef> paths;
  if (llvm::StringRef text = texts.text(*given->keys); !text.empty())
    text.split(paths, ", ");
  size_t named =
      size_t(llvm::find_if(parameters, [](auto &p) { return p[0] == '*'; }) - parameters.begin());
  size_t taken = 0;
  put("{\"args\": [");
  for (; taken < paths.size(); ++taken) {
    bool isNamed = taken < named && paths[taken] == parameters[taken];
    bool isRest =
        taken >= named && paths[taken].ends_with("[" + std::to_string(taken - named) + "]");
    if (!isNamed && !isRest)
      break;
    put(taken ? ", " : "");
    if (!value(paths[taken].str(), "args[" + std::to_string(taken) + "]"))
      return false;
  }
  put("], \"kwargs\": {");
  for (size_t i = taken; i < paths.size(); ++i) {
    llvm::StringRef name = paths[i];
    (void)name.consume_front("**"); // a keyword with the name of a positional parameter
    put(i > taken ? ", " : "");
    put(quoted(name) + ": ");
    if (!value(paths[i].str(), "kwargs." + name.str()))
      return false;
  }
  put("}}");
  return true;
}

std::optional<ExampleText> ExampleWriter::run(llvm::ArrayRef<std::string> parameters) {
  bool done = arguments(parameters) && out.leaves.size() == structure.leaves().size();
  return done ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<ExampleText> ptc::exampleText(const sym::StringTable &texts,
                                            const CallStructure &structure,
                                            llvm::ArrayRef<std::string> parameters) {
  return ExampleWriter(texts, structure).run(parameters);
}
