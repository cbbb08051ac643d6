//===- OpaqueCalls.cpp - What is known of callees without a model -----------------------------===//
//
// In: the path of a callee. Out: its row of OpaqueCalls.def.
//
//===----------------------------------------------------------------------===//
#include "OpaqueCalls.h"
#include "Answers.h"
#include "Escape.h"
#include "Objects.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static constexpr OpaqueRow kCalls[] = {
#define PTC_OPAQUE_CALL(Path, Name, Effect, Raise, Reason)                                         \
  {Path, Name, OpaqueEffect::Effect, OpaqueRaises::Raise},
#include "OpaqueCalls.def"
};

namespace {
struct TextRow {
  llvm::StringLiteral path, name;
};
enum class When : uint8_t { Always, AtImport };
struct StoreRow {
  llvm::StringLiteral module, name;
  When when;
};
struct HintRow {
  llvm::StringLiteral path, hint;
};
struct ImportRow {
  llvm::StringLiteral module, act;
};
} // namespace

static constexpr TextRow kTexts[] = {
#define PTC_OPAQUE_TEXT(Path, Name, Reason) {Path, Name},
#include "OpaqueCalls.def"
};

static constexpr StoreRow kStores[] = {
#define PTC_OPAQUE_STORE(Module, Name, WhenSet, Reason) {Module, Name, When::WhenSet},
#include "OpaqueCalls.def"
};

static constexpr HintRow kHints[] = {
#define PTC_OPAQUE_HINT(Path, Hint) {Path, Hint},
#include "OpaqueCalls.def"
};

static constexpr ImportRow kImports[] = {
#define PTC_OPAQUE_IMPORT(Module, Act) {Module, Act},
#include "OpaqueCalls.def"
};

bool capture::isBelowOpaque(llvm::StringRef path, llvm::StringRef owner) {
  return path.consume_front(owner) &&
         (path.empty() || path.front() == '.' || path.front() == '(' || path.front() == '[');
}

const OpaqueRow *capture::rowOfOpaque(llvm::StringRef path) {
  llvm::StringRef name = path.rsplit('.').second;
  for (const OpaqueRow &row : kCalls)
    if (isBelowOpaque(path, row.path) && (row.name.empty() || row.name == name))
      return &row;
  return nullptr;
}

const OpaqueRow *capture::rowOfOpaqueCall(llvm::StringRef path, bool isDecorator) {
  if (isDecorator)
    while (path.consume_back("()"))
      ;
  return path.ends_with("()") ? nullptr : rowOfOpaque(path);
}

OpaqueEffect capture::effectOf(llvm::StringRef path) {
  const OpaqueRow *row = rowOfOpaque(path);
  return row ? row->effect : OpaqueEffect::Unknown;
}

bool capture::runsText(llvm::StringRef path) {
  return llvm::any_of(kTexts, [&](const TextRow &row) {
    return isBelowOpaque(path, row.path) &&
           (row.name.empty() || row.name == path.rsplit('.').second);
  });
}

llvm::StringRef capture::hintFor(llvm::StringRef path) {
  for (const HintRow &row : kHints)
    if (isBelowOpaque(path, row.path))
      return row.hint;
  return isTorchPath(path)
             ? "write it in terms of what is supported: `ptc list ops` prints the operations"
             : "write it in terms of what is supported";
}

std::string capture::hintOnModule(llvm::StringRef without) {
  return ("where the module is Python code, give the folder that holds it with -I; what is "
          "compiled, "
          "as most of numpy is, has none: write it with torch, or " +
          without)
      .str();
}

llvm::StringRef capture::actOfImport(llvm::StringRef module) {
  for (const ImportRow &row : kImports)
    if (row.module == module)
      return row.act;
  return {};
}

Flow capture::checkModuleStore(Engine &e, ObjectId module, NameId name) {
  const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(module).info);
  const llvm::StringRef text = e.nameText(name);
  if (!info.prelude || isTorchPath(info.name) || !e.heap.get(module, attrKey(name)).isAbsent() ||
      !isAskedByProgram(e) || isWorldAttribute(info.name, text) ||
      !findKnownName((info.name + "." + text).str(), e.world->minorVersion(), info.name))
    return Flow::Next;
  const bool isImport = !e.recording() && !e.plainPython;
  if (llvm::any_of(kStores, [&](const StoreRow &row) {
        return row.module == info.name && row.name == text &&
               (row.when == When::Always || isImport);
      }))
    return Flow::Next;
  return e.refuse(DiagId::UnsupportedTorchFunction, "assigning " + info.name + "." + text);
}

/// Only text is given, and by position.
static bool isOfText(const CallArgs &args) {
  return args.keywords.empty() &&
         llvm::all_of(args.positional, [](const Value &v) { return v.is(Kind::Str); });
}

bool OpaqueRow::raisesNothing(const CallArgs *args) const {
  return raises == OpaqueRaises::Never ||
         (raises == OpaqueRaises::UnlessText && args && isOfText(*args));
}
