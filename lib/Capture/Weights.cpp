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
  // Numbers of floating point are converted, as load_state_dict does.
  bool isConverted = isFloat(meta.dtype) && isFloat(t.dtype);
  if (wanted != meta.sizes || (meta.dtype != t.dtype && !isConverted)) {
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

/// "a." where `longer` are the names in `shorter`, and maybe not all of those, each behind it;
/// else empty.
static std::string prefixBetween(llvm::ArrayRef<std::string> shorter,
                                 llvm::ArrayRef<std::string> longer) {
  if (longer.empty())
    return "";
  for (llvm::StringRef name : shorter) {
    llvm::StringRef prefix = longer.front();
    if (!prefix.consume_back(name) || !prefix.ends_with("."))
      continue;
    auto isBehind = [&](llvm::StringRef other) {
      return other.consume_front(prefix) && llvm::is_contained(shorter, other);
    };
    if (llvm::all_of(longer, isBehind))
      return prefix.str();
  }
  return "";
}

std::vector<Diagnostic> Engine::checkWeights() {
  std::vector<Diagnostic> problems = std::move(weightProblems);
  std::vector<std::string> missing, extra;
  for (const auto &[name, storage] : missingWeights)
    if (!boundStorages.contains(storage))
      missing.push_back(name);
  for (const auto &entry : weightTable)
    if (!llvm::is_contained(usedWeights, entry.first().str()))
      extra.push_back(entry.first().str());
  llvm::sort(extra);
  if (std::string prefix = prefixBetween(missing, extra); !prefix.empty()) {
    Diagnostic diag = makeDiagnostic(DiagId::WeightUnknown, {}, extra.front());
    diag.note("'" + prefix + "' stands in front of " + std::to_string(extra.size()) +
              " names of the weights that the program has without it");
    diag.hint("save them without it: {name.removeprefix('" + prefix +
              "'): value for name, value in state_dict.items()}");
    problems.push_back(std::move(diag));
    return problems;
  }
  if (std::string prefix = prefixBetween(extra, missing); !prefix.empty()) {
    Diagnostic diag = makeDiagnostic(DiagId::WeightMissing, {}, missing.front());
    diag.note("'" + prefix + "' stands in front of " + std::to_string(missing.size()) +
              " names of the program that the weights have without it");
    diag.hint("save them with it: {'" + prefix +
              "' + name: value for name, value in state_dict.items()}");
    problems.push_back(std::move(diag));
    return problems;
  }
  for (const std::string &name : missing)
    problems.push_back(makeDiagnostic(DiagId::WeightMissing, {}, name));
  for (const std::string &name : extra)
    problems.push_back(makeDiagnostic(DiagId::WeightUnknown, {}, name));
  return problems;
}
