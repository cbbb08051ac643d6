//===- ExampleJson.cpp - Calls as examples ----------------------------------------------===//
//
// In: a call. Out: what --example reads to compile for calls like it: tensors by their specs, since
// their contents decide nothing; tensors that are passed twice by their first place.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"
#include "NotationWriter.h"

#include "ptc/Symbolic/ShapeEnv.h"

#include "llvm/ADT/STLExtras.h"
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

Json ExampleWriter::tensor(const ExampleValue &v, const std::string &name) {
  for (const auto &[other, place] : seen)
    if (other->tensor.storage() == v.tensor.storage() && other->requiresGrad == v.requiresGrad)
      return Json{{"$same", place}}; // the notation makes no other views
  seen.emplace_back(&v, name);
  std::string sizes;
  for (size_t d = 0; d < size_t(v.tensor.dim()); ++d)
    sizes +=
        (d ? "," : "") +
        (v.dims.empty() || v.dims[d].empty() ? std::to_string(v.tensor.sizes()[d]) : v.dims[d]);
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
  std::vector<std::string> facts = factTexts(call.sizes, call.relations);
  if (!facts.empty())
    out["sizes"] = std::move(facts);
  if (SizeValues values = sizeValues(call); !values.empty())
    out["where"] = std::move(values);
  return out.dump();
}

SizeValues tool::sizeValues(const ExampleCall &call) {
  sym::DynamicDims dims({}, sym::DynamicMode::None, declaredSizes(call, {}));
  SizeValues out;
  if (dims.declared().empty())
    return out;
  sym::Observation seen = observe(call, {});
  sym::ObservableSpace space;
  sym::ShapeEnv shapes(space, dims, seen);
  llvm::consumeError(shapes.declareSizes()); // said where it is compiled
  for (const auto &[name, value] : shapes.declaredValues()) {
    auto read = [&](sym::SymbolId id) { return seen.read(space.observable(id), space.strings()); };
    if (std::optional<int64_t> number = space.context().evaluate(value, read))
      out[name] = *number;
  }
  return out;
}

const ExampleCall &tool::typicalCall(llvm::ArrayRef<ExampleCall> calls) {
  for (const ExampleCall &call : calls) {
    SizeValues values = sizeValues(call);
    if (llvm::all_of(call.sizes, [&](const DeclaredSize &size) {
          auto found = values.find(size.name);
          return !size.typical || found == values.end() || found->second == *size.typical;
        }))
      return call;
  }
  return calls.front();
}
