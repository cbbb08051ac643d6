//===- TorchNames.cpp - Names that PyTorch has and ptc has not ---------------------------===//
//
// Names of Python's own modules are among them, of those that lib/Prelude stands in for.
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

namespace {
struct TorchName {
  llvm::StringLiteral name;
  bool isData; ///< of a tensor: an attribute that holds data, no function
};
} // namespace

/// Sorted; written by tools/gen/torch_names.py.
static constexpr TorchName kTorchNames[] = {
#define PTC_TORCH_NAME(Name) {Name, false},
#define PTC_TORCH_DATA(Name) {Name, true},
#include "TorchNames.inc"
};

static const TorchName *findTorchName(llvm::StringRef name) {
  const auto *at = llvm::lower_bound(
      kTorchNames, name, [](const TorchName &row, llvm::StringRef key) { return row.name < key; });
  return at != std::end(kTorchNames) && at->name == name ? at : nullptr;
}

bool capture::isTorchName(llvm::StringRef name) { return findTorchName(name); }

bool capture::isTorchData(llvm::StringRef name) {
  const TorchName *found = findTorchName(name);
  return found && found->isData;
}

Value capture::missingTorchName(Engine &e, llvm::StringRef name) {
  auto *node = new OpaqueNode;
  node->path = name.str();
  node->importedAt = e.sourceHere();
  return Value::node(Kind::Opaque, node);
}

FailAny capture::refuseTorchName(Engine &e, llvm::StringRef name) {
  ptc::Diagnostic diag = ptc::makeDiagnostic(ptc::DiagId::UnsupportedTorchFunction, e.here(), name);
  diag.hint(name.starts_with("torch.")
                ? "write it in terms of what is supported: `ptc list ops` prints the operations"
                : "write it in terms of what is supported");
  return e.refuse(std::move(diag));
}
