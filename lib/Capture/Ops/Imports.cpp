//===- Imports.cpp - import statements --------------------------------------------===//
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

/// Is it a public name of a module of lib/Prelude that the library's `__all__` has not?
static bool isLeftOut(llvm::StringRef module, llvm::StringRef name, unsigned minor) {
  /// By module, then by name: the version from which on it is exported.
  static const llvm::StringMap<llvm::StringMap<unsigned>> kLeftOut = [] {
    static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kRows[] = {
#define PTC_STAR_NAMES(Module, Names) {Module, Names},
#include "../Known/StarNames.def"
    };
    llvm::StringMap<llvm::StringMap<unsigned>> table;
    for (const auto &[of, names] : kRows) {
      llvm::SmallVector<llvm::StringRef> list;
      llvm::StringRef(names).split(list, ' ');
      for (llvm::StringRef row : list) {
        auto [left, from] = row.split('<');
        unsigned exported = ~0U;
        (void)from.getAsInteger(10, exported);
        table[of][left] = from.empty() ? ~0U : exported;
      }
    }
    return table;
  }();
  auto row = kLeftOut.find(module);
  if (row == kLeftOut.end())
    return false;
  auto exported = row->second.find(name);
  return exported != row->second.end() && minor < exported->second;
}

/// What a module has in CPython or PyTorch and not in lib/Prelude.
static void addUnmodelled(Engine &e, ObjectId module,
                          std::vector<std::pair<uint32_t, Value>> &names) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  if (!info.prelude || !isAskedByProgram(e))
    return;
  forEachKnownName(info.name, e.world->minorVersion(), [&](llvm::StringRef name) {
    const uint32_t key = attrKey(e.intern(name));
    if (!name.starts_with("_") && e.heap.get(module, key).isAbsent())
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
    const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module.asRef()).info);
    if (info.prelude && isAskedByProgram(e))
      llvm::erase_if(names, [&](const auto &row) {
        return isLeftOut(info.name, e.nameText(nameOfKey(row.first)), e.world->minorVersion());
      });
  }
  for (auto &[key, given] : names) {
    PTC_LET(v, e.boundValue(given));
    if (!v.isAbsent())
      e.heap.set(e.frameInfo(frame).globals, key, std::move(v));
  }
  return Flow::Next;
}
