//===- Candidates.cpp - What of a module may be the entry -----------------------------===//
//
// In: a module whose code has run. Out: the names that an entry may have, and the one that is taken
// where the user names none.
//
//===----------------------------------------------------------------------===//
#include "Candidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

std::string Candidates::text() const {
  return llvm::join(llvm::concat<const std::string>(classes, functions, objects), ", ");
}

Value capture::unwrapped(Engine &e, Value function) {
  ObjectId torch = findModule(e, "torch");
  while (torch && isRefTo(e, function, ObjectKind::Function) &&
         functionOf(e, function.asRef()).globals == torch) {
    Value inner = e.heap.get(function.asRef(), attrKey(e.intern("__wrapped__")));
    if (!isRefTo(e, inner, ObjectKind::Function))
      break;
    function = inner;
  }
  return function;
}

std::vector<std::string> capture::methodsOf(Engine &e, ObjectId cls, llvm::StringRef name) {
  std::vector<std::string> found;
  e.heap.forEachSlot(cls, [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key) || !isRefTo(e, v, ObjectKind::Function))
      return;
    llvm::StringRef method = e.nameText(nameOfKey(key));
    if (!method.starts_with("_"))
      found.push_back((name + "." + method).str());
  });
  return found;
}

/// Was it defined in this module, and not imported?
static bool isOwn(Engine &e, ObjectId module, const Value &v) {
  if (isRefTo(e, v, ObjectKind::Function))
    return functionOf(e, unwrapped(e, v).asRef()).globals == module;
  if (!isClass(e, v))
    return false;
  Value name = e.heap.get(v.asRef(), attrKey(WellKnown::Module));
  return name.is(Kind::Str) &&
         name.asStr() == static_cast<const ModuleInfo *>(e.heap.header(module).info)->name;
}

Candidates capture::candidatesOf(Engine &e, ObjectId module) {
  Candidates found;
  ObjectId base = 0;
  if (ObjectId nn = findModule(e, "torch.nn.module"))
    if (Value v = e.heap.get(nn, attrKey(e.intern("Module"))); v.is(Kind::Ref))
      base = v.asRef();
  e.heap.forEachSlot(module, [&](uint32_t key, const Value &v) {
    if (!isAttrKey(key))
      return;
    std::string name = e.nameText(nameOfKey(key)).str();
    if (isRefTo(e, v, ObjectKind::Instance) && base && e.isSubclass(e.typeOf(v), base) &&
        name[0] != '_') {
      found.objects.push_back(name);
      if (isOwn(e, module, Value::ref(e.typeOf(v))))
        found.ownObjects.push_back(name);
    }
    if (!isOwn(e, module, v))
      return;
    if (isClass(e, v) && base && e.isSubclass(v.asRef(), base))
      found.classes.push_back(name);
    if (isRefTo(e, v, ObjectKind::Function) && name[0] != '_')
      found.functions.push_back(name);
  });
  return found;
}

llvm::Expected<std::string> capture::defaultEntry(Engine &e, ObjectId module,
                                                  const std::string &file, bool byClass) {
  Candidates found = candidatesOf(e, module);
  llvm::ArrayRef<std::string> names = found.preferred(byClass);
  if (names.size() == 1)
    return names[0];
  if (names.empty()) {
    Diagnostic diag = makeDiagnostic(DiagId::NoEntry, {}, file);
    diag.hint("name a function or class with --entry NAME; names that start with _ and what is "
              "imported are not taken by themselves");
    return makeError(std::move(diag));
  }
  Diagnostic diag = makeDiagnostic(DiagId::SeveralEntries, {}, file);
  diag.note("candidates: " + found.text()).hint("choose one with --entry NAME");
  return makeError(std::move(diag));
}

std::vector<std::string> capture::parameterNames(const CodeObject &code, bool hasSelf) {
  std::vector<std::string> names;
  bool takesRest = code.hasFlag(CO_VARARGS);
  names.reserve(code.argCount + code.kwOnlyArgCount + size_t(takesRest));
  for (uint32_t i = hasSelf; i < code.argCount; ++i)
    names.push_back(code.locals[i].name.str());
  uint32_t keywordEnd = code.argCount + code.kwOnlyArgCount;
  if (takesRest)
    names.push_back("*" + code.locals[keywordEnd].name.str());
  for (uint32_t i = code.argCount; i < keywordEnd; ++i)
    names.push_back(code.locals[i].name.str());
  return names;
}

std::string capture::signatureText(Engine &e, const Value &function, const CodeObject &code,
                                   bool hasSelf) {
  std::vector<std::string> parts;
  const Value &positional = e.heap.get(function.asRef(), slot::kDefaults);
  const Value &named = e.heap.get(function.asRef(), slot::kKwDefaults);
  size_t optional = positional.is(Kind::Tuple) ? positional.parts().size() : 0;
  for (uint32_t i = hasSelf; i < code.argCount; ++i) {
    parts.push_back(code.locals[i].name.str() + (i + optional >= code.argCount ? "=" : ""));
    if (i + 1 == code.posOnlyArgCount)
      parts.emplace_back("/");
  }
  uint32_t next = code.argCount + code.kwOnlyArgCount;
  if (code.hasFlag(CO_VARARGS))
    parts.push_back("*" + code.locals[next++].name.str());
  else if (code.kwOnlyArgCount)
    parts.emplace_back("*");
  for (uint32_t i = code.argCount; i < code.argCount + code.kwOnlyArgCount; ++i) {
    llvm::StringRef name = code.locals[i].name;
    bool hasDefault = false;
    if (named.is(Kind::Tuple))
      for (size_t k = 0; k < named.parts().size(); k += 2)
        hasDefault |= named.parts()[k].asStr() == name;
    parts.push_back(name.str() + (hasDefault ? "=" : ""));
  }
  if (code.hasFlag(CO_VARKEYWORDS))
    parts.push_back("**" + code.locals[next].name.str());
  return llvm::join(parts, ", ");
}
