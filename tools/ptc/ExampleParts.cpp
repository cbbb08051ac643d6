//===- ExampleParts.cpp - Parts of arguments that --input gives by path -----------------===//
//
// In: an argument, a path as `.layers[0].keys`, and what is there. Out: the argument with it.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::tool;

bool tool::isAttributeName(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text[0]) && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) > 127;
  });
}

std::string tool::putPart(ExampleValue &whole, llvm::StringRef path, const ExampleValue &part) {
  using K = ExampleValue::Kind;
  if (path.empty()) {
    whole = part;
    return "";
  }
  auto below = [&](bool isNew, ExampleValue &item, llvm::StringRef rest) {
    if (isNew && rest.starts_with("[") && !rest.starts_with("[\""))
      item = ExampleValue(K::List); // what is put into it comes
    return putPart(item, rest, part);
  };
  if (path.consume_front(".")) {
    llvm::StringRef name = path.take_until([](char c) { return c == '.' || c == '['; });
    if (whole.kind != K::Object || name.empty())
      return "what has no attributes is given no '." + name.str() + "'";
    auto at = size_t(llvm::find(whole.names, name) - whole.names.begin());
    const bool isNew = at == whole.names.size();
    if (isNew) {
      whole.names.push_back(name.str());
      whole.items.emplace_back();
    }
    return below(isNew, whole.items[at], path.drop_front(name.size()));
  }
  auto [key, rest] = path.drop_front().split(']');
  size_t index = 0;
  if (!path.starts_with("[") || !path.contains(']'))
    return "a path is as in x.name, x[0] and x[\"key\"]";
  if (key.size() > 1 && key.front() == '"' && key.back() == '"' && whole.kind == K::Dict) {
    const ExampleValue name = ExampleValue::ofStr(key.drop_front().drop_back().str());
    while (index < whole.items.size() &&
           (whole.items[index].kind != K::Str || whole.items[index].text != name.text))
      index += 2;
    const bool isNew = index >= whole.items.size();
    if (isNew)
      whole.items.insert(whole.items.end(), {name, ExampleValue()});
    return below(isNew, whole.items[index + 1], rest);
  }
  const bool isSequence = whole.kind == K::List || whole.kind == K::Tuple;
  if (!isSequence || key.getAsInteger(10, index) || index > whole.items.size())
    return "there is no place [" + key.str() + "]";
  const bool isNew = index == whole.items.size();
  if (isNew)
    whole.items.emplace_back();
  return below(isNew, whole.items[index], rest);
}
