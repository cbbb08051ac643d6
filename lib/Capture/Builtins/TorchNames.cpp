//===- TorchNames.cpp - Names that PyTorch has and ptc has not ---------------------------===//
//
// In: a name with its module. Out: whether PyTorch has it, so that asking for it is answered as
// eager does (`hasattr`), and calling it is a refusal and no AttributeError.
//
//===----------------------------------------------------------------------===//
#include "../Tensors.h"
#include "Builtins.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

/// Sorted; written by tools/gen/torch_names.py.
static constexpr llvm::StringLiteral kTorchNames[] = {
#define PTC_TORCH_NAME(Name) Name,
#include "TorchNames.inc"
};

bool capture::isTorchName(llvm::StringRef name) {
  const auto *at = llvm::lower_bound(
      kTorchNames, name, [](llvm::StringRef row, llvm::StringRef key) { return row < key; });
  return at != std::end(kTorchNames) && *at == name;
}

Value capture::missingTorchName(Engine &e, llvm::StringRef name) {
  auto *node = new OpaqueNode;
  node->path = name.str();
  node->importedAt = e.sourceHere();
  return Value::node(Kind::Opaque, node);
}

FailAny capture::refuseTorchName(Engine &e, llvm::StringRef name) {
  ptc::Diagnostic diag = ptc::makeDiagnostic(ptc::DiagId::UnsupportedTorchFunction, e.here(), name);
  diag.hint("write it in terms of what is supported: `ptc list ops` prints the operations");
  return e.refuse(std::move(diag));
}
