//===- NotationWriter.cpp - Values in the JSON notation --------------------------------===//
//
// In: values. Out: JSON in the notation of calls.
//
//===----------------------------------------------------------------------===//
#include "NotationWriter.h"

#include <cmath>

using namespace ptc;
using namespace ptc::tool;
using Json = NotationWriter::Json;

Json NotationWriter::list(const std::vector<ExampleValue> &items, const std::string &name) {
  Json out = Json::array();
  for (size_t i = 0; i < items.size(); ++i)
    out.push_back(value(items[i], elementName(name, i)));
  return out;
}

Json NotationWriter::dict(const ExampleValue &v, const std::string &name) {
  bool plain = true; // {"$tensor": …} is no dict
  for (size_t i = 0; i < v.items.size(); i += 2)
    plain &= v.items[i].kind == ExampleValue::Kind::Str && !v.items[i].text.starts_with('$');
  Json out = plain ? Json::object() : Json::array();
  for (size_t i = 0; i + 1 < v.items.size(); i += 2) {
    Json item = value(v.items[i + 1], itemName(name, v.items[i], i / 2, plain));
    if (plain)
      out[v.items[i].text] = std::move(item);
    else
      out.push_back({value(v.items[i], name), std::move(item)});
  }
  return plain ? out : Json{{"$dict", std::move(out)}};
}

Json NotationWriter::value(const ExampleValue &v, const std::string &name) {
  using K = ExampleValue::Kind;
  switch (v.kind) {
  case K::None:
    return nullptr;
  case K::Bool:
    return v.flag;
  case K::Int:
    return v.dims.empty() ? Json(v.integer) : Json{{"$size", v.dims.front()}};
  case K::BigInt:
    return Json{{"$int", v.text}};
  case K::Float:
    if (!std::isfinite(v.real))
      return Json{{"$float", floatRepr(v.real)}};
    return v.real;
  case K::Str:
    return v.text;
  case K::Bytes:
  case K::Other:
    return Json{{"$repr", exampleRepr(v)}};
  case K::DType:
    return Json{{"$dtype", getDTypeInfo(v.dtype).torchName.str()}};
  case K::Device:
    return Json{{"$device", v.text}};
  case K::Tensor:
    return tensor(v, name);
  case K::List:
    return list(v.items, name);
  case K::Tuple:
    return Json{{"$tuple", list(v.items, name)}};
  case K::Set:
    return Json{{v.text.empty() ? "$set" : "$frozenset", list(v.items, name)}};
  case K::Dict:
    return dict(v, name);
  case K::Object: {
    Json fields = Json::object();
    for (size_t i = 0; i < v.items.size(); ++i)
      fields[v.names[i]] =
          value(v.items[i], itemName(name, ExampleValue::ofStr(v.names[i]), i, true));
    Json out{{"$object", v.text}};
    if (!v.maker.empty()) {
      Json made = value(v.maker.front(), name);
      out["args"] = made["args"];
      out["kwargs"] = made["kwargs"];
    }
    out["fields"] = std::move(fields);
    return out;
  }
  case K::Call: {
    const size_t positional = v.items.size() - v.names.size();
    Json args = Json::array(), kwargs = Json::object();
    for (size_t i = 0; i < v.items.size(); ++i)
      if (i < positional)
        args.push_back(value(v.items[i], name));
      else
        kwargs[v.names[i - positional]] = value(v.items[i], name);
    return Json{{"$call", v.text}, {"args", std::move(args)}, {"kwargs", std::move(kwargs)}};
  }
  }
  llvm_unreachable("closed enum");
}
