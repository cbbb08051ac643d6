//===- Imports.cpp - import statements
//---------------------------------------------------------------===//
#include "../Imports.h"
#include "../Aside.h"
#include "../Escape.h"
#include "../KnownNames.h"
#include "../Tensors.h"
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static bool isPackage(Engine &e, const Value &module) {
  return !e.heap.get(module.asRef(), attrKey(e.intern("__path__"))).isAbsent();
}

/// Runs again after each module whose code it had to enter.
PTC_OP(IMPORT_NAME) {
  Value fromList = e.heap.get(frame, e.stackSlot(frame, 0));
  Value level = e.heap.get(frame, e.stackSlot(frame, 1));
  NameId name = ops::nameOf(e, frame, instr);
  bool named = !fromList.is(Kind::Tuple) ||
               llvm::all_of(fromList.parts(), [](const Value &v) { return v.is(Kind::Str); });
  if (!named)
    return ops::unfit(e, frame, instr, "finds a name that is not a string");
  PTC_LET(module,
          importModule(e, e.nameText(name), fromList, level.is(Kind::Int) ? level.asInt() : 0,
                       e.frameInfo(frame).globals));
  if (Engine::isCalled(module))
    return Flow::Next;
  if (isRefTo(e, module, ObjectKind::Module) && fromList.is(Kind::Tuple)) {
    if (isPackage(e, module) && asksForNames(e, module)) {
      (void)e.popN(frame, 2);
      return e.finish(frame, e.callPrelude("_import_names", {module, fromList}));
    }
    PTC_LET(done, importNamed(e, module.asRef(), fromList));
    if (Engine::isCalled(done))
      return Flow::Next;
  }
  (void)e.popN(frame, 2);
  e.push(frame, std::move(module));
  return Flow::Next;
}

PTC_OP(IMPORT_FROM) {
  NameId name = ops::nameOf(e, frame, instr);
  PTC_LET(module, e.decide(e.heap.get(frame, e.stackSlot(frame, 0))));
  return e.finish(frame, importFrom(e, module, name));
}

/// `sys` of typing: `__all__` has no names of what a module imports from elsewhere.
static bool isImportedThere(llvm::StringRef module, llvm::StringRef name, unsigned minor) {
  std::optional<KnownName> known = findKnownName((module + "." + name).str(), minor, module);
  return known && known->kind == KnownKind::Module && !known->definedAs.empty() &&
         !known->definedAs.starts_with((module + ".").str()) &&
         findKnownName((module + ".__all__").str(), minor, module);
}

/// What a module has in CPython or PyTorch and not in lib/Prelude.
static void addUnmodelled(Engine &e, ObjectId module,
                          std::vector<std::pair<uint32_t, Value>> &names) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (!info.prelude || !isAskedByProgram(e))
    return;
  forEachKnownName(info.name, e.world->minorVersion(), [&](llvm::StringRef name) {
    const uint32_t key = attrKey(e.intern(name));
    if (!name.starts_with("_") && e.heap.get(module, key).isAbsent() &&
        !isImportedThere(info.name, name, e.world->minorVersion()))
      names.emplace_back(key, torchModuleAttr(e, info.name, nameOfKey(key)));
  });
}

/// Name by name: what comes before one that raises is bound.
static Flow importStar(Engine &e, ObjectId frame, const Value &module) {
  Value target = Value::ref(e.frameInfo(frame).globals);
  return e.finish(frame, e.callPrelude("_import_star", {module, target}, ReturnAction::Drop),
                  ReturnAction::Drop);
}

PTC_OP(IMPORT_STAR) {
  (void)instr;
  PTC_LET(module, e.decide(e.pop(frame)));
  if (module.is(Kind::Opaque))
    return e.refuseOpaque(module);
  PTC_DO(checkNoName(e, module.asRef()));
  if (asksForNames(e, module))
    return importStar(e, frame, module);
  std::vector<std::pair<uint32_t, Value>> names;
  Value all = e.known(e.heap.get(module.asRef(), attrKey(e.intern("__all__"))));
  if (all.is(Kind::Opaque))
    return e.refuseOpaque(all);
  if (std::optional<std::vector<Value>> listed =
          all.isAbsent() ? std::nullopt : listElements(e, all)) {
    for (const Value &given : *listed) {
      PTC_LET(name, e.decide(given));
      if (!name.is(Kind::Str))
        return importStar(e, frame, module);
      uint32_t key = attrKey(e.intern(name.asStr()));
      PTC_LET(v, ownAttr(e, module.asRef(), nameOfKey(key)));
      if (v.isAbsent())
        return importStar(e, frame, module);
      names.emplace_back(key, std::move(v));
    }
  } else {
    e.heap.forEachSlot(module.asRef(), [&](uint32_t key, const Value &v) {
      if (isAttrKey(key) && !e.nameText(nameOfKey(key)).starts_with("_") &&
          !isOwnOfPrelude(e, module.asRef(), nameOfKey(key)))
        names.emplace_back(key, v);
    });
    addUnmodelled(e, module.asRef(), names);
  }
  for (auto &[key, given] : names) {
    PTC_LET(v, e.boundValue(given));
    if (!v.isAbsent())
      e.heap.set(e.frameInfo(frame).globals, key, std::move(v));
  }
  return Flow::Next;
}
