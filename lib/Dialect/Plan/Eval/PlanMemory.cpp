//===- PlanMemory.cpp - Tensors where a plan says ---------------------------------------===//
//
// In: places, and tensors as operations give them. Out: the same tensors in one arena, overlapping
// as the plan has them overlap.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Eval/PlanMemory.h"

#include "ptc/Dialect/Plan/IR/Lifetimes.h"
#include "ptc/Dialect/Program/IR/SizeSymbols.h"
#include "ptc/Support/Error.h"
#include "ptc/Symbolic/Expr.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

llvm::Expected<int64_t> PlanMemory::evaluate(StringRef text) {
  if (auto known = evaluated.find(text); known != evaluated.end())
    return known->second;
  sym::Context context;
  for (const auto &symbol : symbols)
    context.symbol(
        {.name = symbol.getKey().str(), .lower = sym::Interval::kMin, .hint = symbol.getValue()});
  std::optional<sym::Expr> parsed = context.parse(text);
  std::optional<int64_t> value = parsed ? context.evaluateHint(*parsed) : std::nullopt;
  if (!value)
    return makeError(DiagId::IntOverflow, {});
  return evaluated[text] = *value;
}

llvm::Error PlanMemory::begin(program::VariantOp variant, ArrayRef<HostValue> inputs) {
  symbols.clear();
  evaluated.clear();
  arena.reset();
  auto size = variant->getAttrOfType<StringAttr>(kArenaAttr);
  if (!size)
    return llvm::Error::success();
  for (const program::SizeSymbol &symbol : program::sizeSymbols(variant)) {
    if (!symbol.formula.empty()) {
      llvm::Expected<int64_t> value = evaluate(symbol.formula);
      if (!value)
        return value.takeError();
      symbols[symbol.name] = *value;
      continue;
    }
    const auto *tensor = inputs[symbol.input].getIf<HostTensor>();
    symbols[symbol.name] = !tensor           ? inputs[symbol.input].asInt()
                           : symbol.isStride ? tensor->stride(symbol.dimension)
                                             : tensor->size(symbol.dimension);
  }
  llvm::Expected<int64_t> bytes = evaluate(size.getValue());
  if (!bytes)
    return bytes.takeError();
  arena = std::make_shared<TensorStorage>(size_t(*bytes));
  memset(arena->data(), 0xff, arena->size());
  return llvm::Error::success();
}

llvm::Expected<HostTensor> PlanMemory::moveTo(PlaceAttr place, const HostTensor &tensor) {
  std::optional<size_t> needed = storageBytes(tensor.dtype(), tensor.sizes(), tensor.strides());
  if (place.getKind() != PlaceKind::Arena) {
    HostTensor own = HostTensor::zerosStrided(tensor.dtype(), tensor.sizes(), tensor.strides());
    own.copyFrom(tensor);
    return own;
  }
  llvm::Expected<int64_t> at = evaluate(place.getAt());
  if (!at)
    return at.takeError();
  llvm::Expected<int64_t> bytes = evaluate(place.getBytes());
  if (!bytes)
    return bytes.takeError();
  if (!needed || int64_t(*needed) > *bytes)
    return makeError(DiagId::InternalError, {}, "a tensor is larger than its place in the arena");
  HostTensor moved(tensor.dtype(), tensor.sizes(), tensor.strides(),
                   *at / int64_t(tensor.elementBytes()), arena);
  // The source may be a view of what is written here.
  moved.copyFrom(tensor.storage() == arena ? tensor.clone() : tensor);
  return moved;
}

llvm::Expected<HostTensor> PlanMemory::settle(OpResult result, HostTensor tensor) {
  PlaceAttr place = arena ? placeOf(result) : PlaceAttr();
  return place ? moveTo(place, tensor) : std::move(tensor);
}

llvm::Error PlanMemory::settleCarried(scf::WhileOp loop, MutableArrayRef<HostValue> carried) {
  if (!arena)
    return llvm::Error::success();
  auto staging = loop->getAttrOfType<ArrayAttr>(kStagingAttr);
  auto move = [&](ArrayAttr places) -> llvm::Error {
    for (auto [attr, value] : llvm::zip_equal(places, carried)) {
      auto place = dyn_cast<PlaceAttr>(attr);
      const auto *tensor = value.getIf<HostTensor>();
      if (!place || !tensor)
        continue;
      llvm::Expected<HostTensor> moved = moveTo(place, *tensor);
      if (!moved)
        return moved.takeError();
      value = std::move(*moved);
    }
    return llvm::Error::success();
  };
  if (staging)
    if (llvm::Error error = move(staging))
      return error;
  auto places = loop->getAttrOfType<ArrayAttr>(kPlacesAttr);
  return places ? move(places) : llvm::Error::success();
}
