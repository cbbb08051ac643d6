//===- ResultJson.cpp - What calls gave back, as files --------------------------------===//
//
// In: reports of calls. Out: JSON in the notation of calls, tensors in a safetensors file beside
// it.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"

#include "ptc/Support/AtomicFile.h"

#include <nlohmann/json.hpp>

#include "llvm/ADT/Twine.h"

#include <cmath>
#include <filesystem>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;

namespace {

class ResultWriter {
public:
  explicit ResultWriter(std::string tensorFile) : tensorFile(std::move(tensorFile)) {}

  Json report(const CallReport &report, const std::string &prefix) {
    Json out;
    out["result"] = value(report.call.result, prefix + "result");
    out["stdout"] = report.call.out;
    if (!report.call.err.empty())
      out["stderr"] = report.call.err;
    out["raised"] = nullptr;
    if (const auto &raised = report.call.raised)
      out["raised"] = {{"type", raised->type},
                       {"text", raised->text},
                       {"file", raised->loc.file},
                       {"line", raised->loc.line}};
    out["inputs"] = Json::object();
    for (const auto &[path, input] : report.inputs)
      out["inputs"][path] = value(input, (llvm::Twine(prefix) + "inputs." + path).str());
    out["aliases"] = Json::array();
    for (const auto &[a, b] : report.aliases)
      out["aliases"].push_back({a, b});
    return out;
  }

  std::vector<NamedTensor> tensors;

private:
  Json list(const std::vector<ExampleValue> &items, const std::string &name) {
    Json out = Json::array();
    for (size_t i = 0; i < items.size(); ++i)
      out.push_back(value(items[i], name + "." + std::to_string(i)));
    return out;
  }

  Json dict(const ExampleValue &v, const std::string &name) {
    bool strings = true;
    for (size_t i = 0; i < v.items.size(); i += 2)
      strings &= v.items[i].kind == ExampleValue::Kind::Str;
    Json out = strings ? Json::object() : Json::array();
    for (size_t i = 0; i + 1 < v.items.size(); i += 2) {
      Json item = value(v.items[i + 1], name + "." + exampleStr(v.items[i]));
      if (strings)
        out[v.items[i].text] = std::move(item);
      else
        out.push_back({value(v.items[i], name), std::move(item)});
    }
    return strings ? out : Json{{"$dict", std::move(out)}};
  }

  Json value(const ExampleValue &v, const std::string &name) {
    using K = ExampleValue::Kind;
    switch (v.kind) {
    case K::None:
      return nullptr;
    case K::Bool:
      return v.flag;
    case K::Int:
      return v.integer;
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
    case K::Tensor: {
      tensors.push_back({name, v.tensor});
      Json out{{"$tensor", tensorFile}, {"name", name}};
      if (!v.tensor.isContiguous())
        out["strides"] = std::vector<int64_t>(v.tensor.strides().begin(), v.tensor.strides().end());
      return out;
    }
    case K::List:
      return list(v.items, name);
    case K::Tuple:
      return Json{{"$tuple", list(v.items, name)}};
    case K::Set:
      return Json{{"$set", list(v.items, name)}};
    case K::Dict:
      return dict(v, name);
    case K::Object: {
      Json fields = Json::object();
      for (size_t i = 0; i < v.items.size(); ++i)
        fields[v.names[i]] = value(v.items[i], name + "." + v.names[i]);
      return Json{{"$object", v.text}, {"fields", std::move(fields)}};
    }
    }
    llvm_unreachable("closed enum");
  }

  std::string tensorFile;
};

} // namespace

/// Is there a folder for `path`? Asked first, so that the user reads the name that they gave.
static llvm::Error checkFolder(const std::string &path) {
  std::error_code ec;
  auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, ec))
    return llvm::Error::success();
  if (!ec)
    ec = std::make_error_code(std::errc::not_a_directory);
  return makeError(DiagId::OutputNotWritten, {}, path, ec.message());
}

llvm::Error tool::saveReports(const std::string &path,
                              llvm::ArrayRef<std::optional<CallReport>> reports, bool lines) {
  if (llvm::Error error = checkFolder(path))
    return error;
  auto beside = std::filesystem::path(path).replace_extension(".safetensors");
  ResultWriter writer(beside.filename().string());
  std::string text;
  for (size_t i = 0; i < reports.size(); ++i) {
    std::string prefix = reports.size() > 1 ? "call" + std::to_string(i) + "." : "";
    const std::optional<CallReport> &report = reports[i];
    Json json = report ? writer.report(*report, prefix) : Json();
    // Strings of the program may hold lone surrogates: replaced, not refused.
    auto dumped = json.dump(lines ? -1 : 2, ' ', false, Json::error_handler_t::replace);
    text += dumped + "\n";
  }
  if (!writer.tensors.empty())
    if (llvm::Error error = writeSafetensors(beside.string(), writer.tensors))
      return error;
  llvm::Error error = writeFileAtomically(path, text);
  if (error && !writer.tensors.empty()) { // nothing names its tensors
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
  }
  return error;
}

std::string tool::describeValue(const ExampleValue &value) { return exampleRepr(value); }
