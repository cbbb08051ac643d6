//===- Opaque.cpp - What was not found when it was imported ----------------------------------===//
//
// In: attributes, items and calls of values that came from a module that is not there. Out: more
// such values, and refusals where the program computes with one or gives one what it goes on with.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Objects.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

FailAny Engine::refuseOpaque(const Value &v) {
  const auto &node = v.nodeAs<OpaqueNode>(Kind::Opaque);
  if (node.poison) {
    pending = {};
    pending.kind = Pending::Kind::Refuse;
    return {};
  }
  if (isMissingBuiltin(node.path))
    return refuse(DiagId::Unsupported, "'" + llvm::StringRef(node.path).split('.').second + "'");
  if (isTorchName(*this, node.path))
    return refuseTorchName(*this, node.path);
  Diagnostic diag = makeDiagnostic(DiagId::OpaqueUsed, here(), node.path);
  diag.note("imported here", locationOfSource(node.importedAt));
  diag.hint("give the folder that holds the module with -I, or do not compute with it");
  return refuse(std::move(diag));
}

static Value opaque(Engine &e, const llvm::Twine &path, const Value &from) {
  auto *node = new OpaqueNode;
  node->path = path.str();
  const OpaqueNode &old = from.nodeAs<OpaqueNode>(Kind::Opaque);
  node->importedAt = old.importedAt;
  node->poison = old.poison;
  (void)e;
  return Value::node(Kind::Opaque, node);
}

Value Engine::opaqueAttr(const Value &v, NameId name) {
  return opaque(*this, v.nodeAs<OpaqueNode>(Kind::Opaque).path + "." + nameText(name), v);
}

namespace {
/// What a call could change through its arguments, and whether the program goes on with any of it.
class Reach {
public:
  explicit Reach(Engine &e) : e(e) {}

  void add(const Value &v) {
    forEachRef(v, [&](ObjectId id) {
      if (isChangeable(e.heap.kind(id)) && objects.insert(id).second)
        e.heap.forEachSlot(id, [&](uint32_t, const Value &part) { add(part); });
    });
  }
  /// Whether anything but the operands of the call refers to one of the objects.
  bool isShared() const {
    if (objects.empty())
      return false;
    const ObjectId frame = e.currentFrame();
    bool found = false;
    for (ObjectId id = 0; id < e.heap.nextId() && !found; ++id) {
      if (!e.heap.exists(id) || objects.contains(id))
        continue;
      e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
        if (id == frame && key >= e.stackBase(frame))
          return;
        forEachRef(v, [&](ObjectId ref) { found |= objects.contains(ref); });
      });
    }
    return found;
  }

private:
  static bool isChangeable(ObjectKind kind) {
    switch (kind) {
    case ObjectKind::Instance:
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
    case ObjectKind::ByteArray:
    case ObjectKind::Iterator:
    case ObjectKind::Storage:
    case ObjectKind::Generator:
      return true;
    case ObjectKind::Engine:
    case ObjectKind::Frame:
    case ObjectKind::Cell:
    case ObjectKind::Function: // functions and classes are given to be registered or wrapped
    case ObjectKind::Class:
    case ObjectKind::Module:
      return false;
    }
    llvm_unreachable("closed enum");
  }

  Engine &e;
  llvm::DenseSet<ObjectId> objects;
};
} // namespace

/// Modules that read what they are given and change none of it.
static constexpr llvm::StringLiteral kReaders[] = {"absl",     "argparse",    "atexit",
                                                   "csv",      "gc",          "glob",
                                                   "inspect",  "json",        "logging",
                                                   "loguru",   "matplotlib",  "mlflow",
                                                   "os",       "pathlib",     "pickle",
                                                   "platform", "pprint",      "rich",
                                                   "signal",   "structlog",   "sys",
                                                   "tabulate", "tensorboard", "tensorboardX",
                                                   "textwrap", "threading",   "time",
                                                   "timeit",   "tqdm",        "traceback",
                                                   "types",    "typing",      "typing_extensions",
                                                   "unittest", "wandb",       "warnings",
                                                   "yaml"};

static bool onlyReads(llvm::StringRef path) {
  return llvm::is_contained(kReaders, path.split('.').first);
}

Flow Engine::checkOpaqueCall(const Value &callee, const CallArgs &args) {
  const auto &node = callee.nodeAs<OpaqueNode>(Kind::Opaque);
  if (node.poison || onlyReads(node.path))
    return Flow::Next;
  Reach reach(*this);
  auto see = [&](const Value &v) {
    // What it draws for a parameter is overwritten by the weight file.
    bool isLoaded =
        !shapes && !weightTable.empty() && v.is(Kind::Tensor) && asTensor(v).isParameter;
    if (!isLoaded)
      reach.add(v);
  };
  for (const Value &v : args.positional)
    see(v);
  for (const KeywordArg &keyword : args.keywords)
    see(keyword.value);
  if (!reach.isShared())
    return Flow::Next;
  if (llvm::StringRef(node.path).starts_with("torch."))
    return refuse(DiagId::UnsupportedTorchFunction, node.path);
  Diagnostic diag = makeDiagnostic(DiagId::OpaqueCalled, here(), node.path);
  diag.note("imported here", locationOfSource(node.importedAt));
  diag.hint("give the folder that holds the module with -I, or do without the call");
  return refuse(std::move(diag));
}

Value Engine::callOpaque(const Value &v, CallArgs &args) {
  const std::string &path = v.nodeAs<OpaqueNode>(Kind::Opaque).path;
  if (isMissingBuiltin(path) || isTorchName(*this, path))
    return refuseOpaque(v);
  PTC_DO(checkOpaqueCall(v, args));
  return opaque(*this, path + "()", v);
}

Value Engine::opaqueItem(const Value &v, const Value &) {
  const std::string &path = v.nodeAs<OpaqueNode>(Kind::Opaque).path;
  return opaque(*this, llvm::StringRef(path).ends_with("]") ? path : path + "[…]", v);
}
