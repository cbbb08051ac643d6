//===- Weights.cpp - Parameters and buffers from the weight file ---------------------------===//
//
// In: names and tensors of a module's state dict. Out: their contents become weights of the
// program, and what does not fit is reported, all of it at once.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

static std::string shapeText(llvm::ArrayRef<int64_t> sizes) {
  std::string text = "[";
  for (int64_t size : sizes)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

Value Engine::bindWeight(llvm::StringRef name, const Value &tensor) {
  const TensorNode &t = asTensor(tensor);
  auto found = weightTable.find(name);
  if (found == weightTable.end()) {
    missingWeights.emplace_back(name.str(), t.storage);
    return Value::boolean(false);
  }
  const WeightMeta &meta = found->second;
  if (!llvm::is_contained(usedWeights, name.str()))
    usedWeights.push_back(name.str());
  std::vector<int64_t> wanted;
  for (sym::Expr size : t.sizes)
    wanted.push_back(size.asConstant().value_or(-1));
  if (wanted != meta.sizes || meta.dtype != t.dtype) {
    weightProblems.push_back(makeDiagnostic(
        DiagId::WeightMismatch, {}, name, getDTypeInfo(t.dtype).alias + shapeText(wanted),
        getDTypeInfo(meta.dtype).alias + shapeText(meta.sizes)));
    return Value::boolean(false);
  }
  if (!boundStorages.insert(t.storage).second)
    return Value::boolean(true); // tied to a tensor that is bound already
  TapeValue type = tape.type(heap.get(t.storage, slot::kContent).asRaw());
  type.requiresGrad = t.requiresGrad;
  ValueId id = emitIn(top, TapeOp::Weight, {}, type, {TapeArg::str(name)});
  heap.set(t.storage, slot::kContent, Value::raw(id));
  return Value::boolean(true);
}

std::vector<Diagnostic> Engine::checkWeights() {
  std::vector<Diagnostic> problems = std::move(weightProblems);
  for (const auto &[name, storage] : missingWeights)
    if (!boundStorages.contains(storage))
      problems.push_back(makeDiagnostic(DiagId::WeightMissing, {}, name));
  std::vector<std::string> extra;
  for (const auto &entry : weightTable)
    if (!llvm::is_contained(usedWeights, entry.first().str()))
      extra.push_back(entry.first().str());
  llvm::sort(extra);
  for (const std::string &name : extra)
    problems.push_back(makeDiagnostic(DiagId::WeightUnknown, {}, name));
  return problems;
}
