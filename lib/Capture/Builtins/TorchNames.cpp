//===- TorchNames.cpp - Names that exist and have no model --------------------------------===//
//
// In: a name with its module, of PyTorch or of Python's modules that lib/Prelude stands in for.
// Out: whether it exists, so that asking for it is answered as eager does (`hasattr`), and using it
// is a refusal and no AttributeError.
//
//===----------------------------------------------------------------------===//
#include "../KnownNames.h"
#include "../Tensors.h"
#include "Builtins.h"

#include "ptc/Capture/Prelude.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

bool capture::isTorchName(Engine &e, llvm::StringRef name) {
  llvm::StringRef root = name.split('.').first;
  return (root == "torch" || findPreludeModule(root)) &&
         findKnownName(name, e.world->minorVersion());
}

bool capture::isTorchData(Engine &e, llvm::StringRef name) {
  std::optional<KnownName> known = findKnownName(name, e.world->minorVersion());
  return known && !known->isCallable;
}

Value capture::missingTorchName(Engine &e, llvm::StringRef name) { return makeOpaque(e, name); }

Value capture::unmodelledAttribute(Engine &e, llvm::StringRef owner, llvm::StringRef name) {
  const uint32_t minor = e.world->minorVersion();
  const std::string path = (owner + "." + name).str();
  std::optional<KnownName> known = findKnownName(path, minor);
  if (!known) {
    // What ptc adds to the modules is no part of any library.
    if (!findKnownName(owner, minor) || isKnownAbsent(path, minor))
      return Value();
    return refuseTorchName(e, path);
  }
  if (known->since == KnownSince::Import ||
      (known->since == KnownSince::TorchImport && findModule(e, "torch")))
    return known->kind == KnownKind::None ? Value::none() : missingTorchName(e, path);
  return e.refuse(ptc::DiagId::UnsupportedOperation, path,
                  "it is a module that this program has not imported");
}

FailAny capture::refuseTorchName(Engine &e, llvm::StringRef name) {
  ptc::Diagnostic diag = ptc::makeDiagnostic(ptc::DiagId::UnsupportedTorchFunction, e.here(), name);
  diag.hint(name.starts_with("torch.")
                ? "write it in terms of what is supported: `ptc list ops` prints the operations"
                : "write it in terms of what is supported");
  return e.refuse(std::move(diag));
}
