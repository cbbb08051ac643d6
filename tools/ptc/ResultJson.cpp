//===- ResultJson.cpp - What calls gave back, as files --------------------------------===//
//
// In: reports of calls. Out: JSON in the notation of calls, tensors in a safetensors file beside
// it.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"
#include "NotationWriter.h"

#include "ptc/Support/AtomicFile.h"

#include "llvm/ADT/Twine.h"

#include <filesystem>

using namespace ptc;
using namespace ptc::tool;
using Json = NotationWriter::Json;

namespace {

class ResultWriter : public NotationWriter {
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
  Json tensor(const ExampleValue &v, const std::string &name) override {
    tensors.push_back({name, v.tensor});
    Json out{{"$tensor", tensorFile}, {"name", name}};
    // Without elements a tensor is contiguous, whatever its strides.
    if (v.tensor.strides() != llvm::ArrayRef<int64_t>(contiguousStrides(v.tensor.sizes())))
      out["strides"] = std::vector<int64_t>(v.tensor.strides().begin(), v.tensor.strides().end());
    return out;
  }
  std::string elementName(const std::string &name, size_t i) override {
    return name + "." + std::to_string(i);
  }
  std::string itemName(const std::string &name, const ExampleValue &key, size_t, bool) override {
    return name + "." + exampleStr(key);
  }

  std::string tensorFile;
};

} // namespace

llvm::Error tool::saveReports(const std::string &path,
                              llvm::ArrayRef<std::optional<CallReport>> reports, bool lines,
                              OutputFiles &out) {
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
    if (llvm::Error error = addSafetensors(out, beside.string(), writer.tensors))
      return error;
  return out.add(path, text);
}

std::string tool::describeValue(const ExampleValue &value) { return exampleRepr(value); }
