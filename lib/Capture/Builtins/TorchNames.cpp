//===- TorchNames.cpp - Names that exist and have no model --------------------------------===//
//
// In: a name with its module, of PyTorch or of Python's modules that lib/Prelude stands in for.
// Out: whether it exists, so that asking for it is answered as eager does (`hasattr`), and using it
// is a refusal and no AttributeError.
//
//===----------------------------------------------------------------------===//
#include "../Aside.h"
#include "../Escape.h"
#include "../Members.h"
#include "../OpaqueCalls.h"
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
  if (isThereNow(e, path, *known))
    return known->kind == KnownKind::None ? Value::none() : missingTorchName(e, path);
  return e.refuse(ptc::DiagId::UnsupportedOperation, path,
                  "it is a module that this program has not imported");
}

/// The function of torch that the program called, if what it is made of is run here; "" if none.
static std::string calledFunction(Engine &e) {
  Value frame = e.heap.get(kMachine, slot::kCurrentFrame);
  ObjectId called = 0;
  for (; frame.is(Kind::Ref) && e.frameInfo(frame.asRef()).hidden;
       frame = e.heap.get(frame.asRef(), slot::kCaller))
    called = frame.asRef();
  if (!called)
    return "";
  const std::string module = moduleName(e, e.frameInfo(called).globals);
  return isTorchPath(module) ? pathOfFunction(e, module, e.code(called).code->qualName) : "";
}

std::string capture::pathOfFunction(Engine &e, llvm::StringRef module, llvm::StringRef name) {
  // Modules of lib/Prelude with a private name hold parts of those around them.
  llvm::StringRef owner = module;
  while (owner.rsplit('.').second.starts_with("_"))
    owner = owner.rsplit('.').first;
  const std::string own = owner.str();
  llvm::SmallVector<llvm::StringRef> places{own};
  if (isTorchPath(own))
    places.push_back("torch.nn.functional");
  if (own == "torch.functional") // has functions of C here
    places.push_back("torch");
  for (llvm::StringRef place : places)
    if (std::string path = (place + "." + name).str();
        findKnownName(path, e.world->minorVersion(), place))
      return path;
  return "";
}

FailAny capture::refuseTorchName(Engine &e, llvm::StringRef name) {
  std::string called = calledFunction(e);
  // What is missing may be one form of the function: "F of 2 dimensions", "F with antialias".
  if (name.starts_with(called + " "))
    called.clear();
  ptc::Diagnostic diag = ptc::makeDiagnostic(ptc::DiagId::UnsupportedTorchFunction, e.here(),
                                             called.empty() ? name : llvm::StringRef(called));
  if (!called.empty() && called != name)
    diag.note(("it is made of '" + name + "'").str());
  diag.hint(hintFor(called.empty() ? name : llvm::StringRef(called)).str());
  return e.refuse(std::move(diag));
}

/// Modules whose functions look with getattr() and dir() at what the program gives them.
static constexpr llvm::StringLiteral kAskForOthers[] = {"functools", "inspect", "operator",
                                                        "types"};

bool capture::isAskedByProgram(Engine &e) {
  return isAskedByProgram(e, e.heap.get(kMachine, slot::kCurrentFrame));
}

bool capture::isAskedByProgram(Engine &e, Value frame) {
  bool isForOthers = false; // so far
  for (; frame.is(Kind::Ref); frame = e.heap.get(frame.asRef(), slot::kCaller)) {
    const FrameInfo &info = e.frameInfo(frame.asRef());
    if (!info.hidden)
      return true;
    if (info.globals == e.world->prelude)
      isForOthers = true;
    else if (!isForOthers || !llvm::is_contained(kAskForOthers, moduleName(e, info.globals)))
      return false;
  }
  return false;
}

bool capture::isOwnOfPrelude(Engine &e, ObjectId module, NameId name) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (!info.prelude || module == e.world->builtins || !isAskedByProgram(e))
    return false; // builtins: `site` adds to what the tables have
  const uint32_t minor = e.world->minorVersion();
  const std::string path = (info.name + "." + e.nameText(name)).str();
  return !findKnownName(path, minor, info.name) && isKnownAbsent(path, minor, info.name);
}

Flow capture::checkAllNames(Engine &e, const Value &object) {
  if (!isRefTo(e, object, ObjectKind::Module) || object.asRef() == e.world->builtins)
    return Flow::Next;
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(object.asRef()).info);
  PTC_DO(checkNoName(e, object.asRef()));
  if (!info.prelude || !isAskedByProgram(e))
    return Flow::Next;
  return e.refuse(ptc::DiagId::Unsupported, "a list of all names of module '" + info.name + "'");
}

NameId capture::nameForProgram(Engine &e, NameId name) {
  return e.intern(("<program>." + e.nameText(name)).str());
}

void capture::noteImported(Engine &e, llvm::StringRef module) {
  if (e.recording())
    return; // no state over calls
  for (; !module.empty(); module = module.contains('.') ? module.rsplit('.').first : "") {
    const uint32_t key = attrKey(e.intern(module));
    if (e.heap.get(e.world->modules, key).isAbsent())
      e.heap.set(e.world->modules, key, makeOpaque(e, module, OpaqueIs::Module));
  }
}

bool capture::isTorchImported(Engine &e) {
  ObjectId torch = findModule(e, "torch");
  return torch && !e.heap.get(torch, slot::kStarted).isAbsent();
}

bool capture::isThereNow(Engine &e, llvm::StringRef path, const KnownName &known) {
  return known.since == KnownSince::Import ||
         (known.since == KnownSince::TorchImport && isTorchImported(e)) ||
         !e.heap.get(e.world->modules, attrKey(e.intern(path))).isAbsent();
}

Flow capture::checkPartImported(Engine &e, ObjectId package, NameId name) {
  const Value &part = e.heap.get(package, attrKey(name));
  if (!isRefTo(e, part, ObjectKind::Module) || !isAskedByProgram(e))
    return Flow::Next;
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(package).info);
  const auto &partInfo = *static_cast<const ModuleInfo *>(e.heap.header(part.asRef()).info);
  const std::string path = (info.name + "." + e.nameText(name)).str();
  if (!partInfo.prelude || partInfo.name != path ||
      !e.heap.get(part.asRef(), slot::kImported).isAbsent())
    return Flow::Next;
  std::optional<KnownName> known = findKnownName(path, e.world->minorVersion(), info.name);
  bool isThere = !known || known->since == KnownSince::Import ||
                 (known->since == KnownSince::TorchImport && isTorchImported(e));
  return isThere ? Flow::Next : Flow(refuseNotImported(e, path));
}

FailAny capture::refuseNotImported(Engine &e, llvm::StringRef path) {
  return e.refuse(ptc::DiagId::UnsupportedOperation, path,
                  "whether this program has imported it is not known");
}
