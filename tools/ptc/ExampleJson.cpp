//===- ExampleJson.cpp - Calls as examples ----------------------------------------------===//
//
// In: a call. Out: what --example reads to compile for calls like it: tensors by their specs, since
// their contents decide nothing; tensors that are passed twice by their first place.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"
#include "NotationWriter.h"

#include "llvm/ADT/Twine.h"

using namespace ptc;
using namespace ptc::tool;
using Json = NotationWriter::Json;

namespace {
/// Names are the places that {"$same": …} knows.
class ExampleWriter : public NotationWriter {
public:
  Json arguments(const std::string &prefix, const std::vector<ExampleValue> &args,
                 const std::vector<std::pair<std::string, ExampleValue>> &kwargs) {
    Json out{{"args", Json::array()}, {"kwargs", Json::object()}};
    for (size_t i = 0; i < args.size(); ++i)
      out["args"].push_back(value(args[i], elementName(prefix + "args", i)));
    for (const auto &[name, argument] : kwargs)
      out["kwargs"][name] = value(argument, (llvm::Twine(prefix) + "kwargs." + name).str());
    return out;
  }

private:
  Json tensor(const ExampleValue &v, const std::string &name) override;
  std::string elementName(const std::string &name, size_t i) override {
    return name + "[" + std::to_string(i) + "]";
  }
  std::string itemName(const std::string &name, const ExampleValue &key, size_t i,
                       bool plain) override {
    return plain ? name + "." + key.text : name + "[" + std::to_string(i) + "][1]";
  }

  std::vector<std::pair<const ExampleValue *, std::string>> seen; ///< tensors, with their places
};
} // namespace

/// `B in 1..64`
static std::string dimText(const DeclaredDim &dim, int64_t size) {
  if (dim.name.empty())
    return std::to_string(size);
  if (!dim.lower || !dim.upper)
    return dim.name;
  return dim.name + " in " + std::to_string(*dim.lower) + ".." + std::to_string(*dim.upper);
}

Json ExampleWriter::tensor(const ExampleValue &v, const std::string &name) {
  for (const auto &[other, place] : seen)
    if (other->tensor.storage() == v.tensor.storage() && other->requiresGrad == v.requiresGrad)
      return Json{{"$same", place}}; // the notation makes no other views
  seen.emplace_back(&v, name);
  std::string sizes;
  for (int64_t d = 0; d < v.tensor.dim(); ++d)
    sizes += (d ? "," : "") +
             dimText(v.dims.empty() ? DeclaredDim() : v.dims[size_t(d)], v.tensor.sizes()[d]);
  Json out{{"$tensor", getDTypeInfo(v.tensor.dtype()).alias.str() + "[" + sizes + "]"}};
  if (!v.tensor.isContiguous())
    out["strides"] = std::vector<int64_t>(v.tensor.strides().begin(), v.tensor.strides().end());
  if (v.requiresGrad)
    out["requires_grad"] = true;
  return out;
}

std::string tool::writeExample(const ExampleCall &call) {
  ExampleWriter writer;
  Json out = writer.arguments("", call.args, call.kwargs);
  if (call.init)
    out["init"] = writer.arguments("init.", call.init->first, call.init->second);
  if (call.seed)
    out["seed"] = *call.seed;
  return out.dump();
}
