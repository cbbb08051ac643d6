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
  ValueId held = heap.get(t.storage, slot::kContent).asRaw();
  TapeValue whole = tape.type(held), type = tapeTypeOf(metaOf(t));
  type.strides = contiguousStrides(type.sizes); // as the file has it
  type.requiresGrad = t.requiresGrad;
  bool isWhole = t.steps.empty() && whole.strides == contiguousStrides(whole.sizes);
  // Of tied names in a file the last one counts, as with load_state_dict.
  if (isWhole)
    boundStorages.insert(t.storage);
  ValueId id = emitIn(top, TapeOp::Weight, {}, type, {TapeArg::str(name)});
  if (!isWhole)
    id = contentsWith(t, id);
  heap.set(t.storage, slot::kContent, Value::raw(id));
  return Value::boolean(true);
}

/// What the storage of a view holds once `weight`, in rows, is copied into the view.
ValueId Engine::contentsWith(const TensorNode &view, ValueId weight) {
  ValueId held = heap.get(view.storage, slot::kContent).asRaw();
  const TapeValue whole = tape.type(held);
  auto count = [&](llvm::ArrayRef<sym::Expr> list) { return sizes().product(list); };
  bool isReshaped = view.strides == contiguousStrides(view.sizes) &&
                    whole.strides == contiguousStrides(whole.sizes) &&
                    count(view.sizes) == count(whole.sizes);
  if (!isReshaped)
    return emitIn(top, TapeOp::Scatter,
                  {TapeArg::value(held), TapeArg::value(weight), stepsIn(top, view)}, whole);
  std::vector<Value> parts;
  for (sym::Expr size : whole.sizes)
    parts.push_back(Value::size(size));
  TensorNode back;
  back.steps.push_back({uint16_t(aten::OpId::view), {Value::tuple(std::move(parts))}});
  return emitIn(top, TapeOp::AtenView, {TapeArg::value(weight), stepsIn(top, back)}, whole);
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
