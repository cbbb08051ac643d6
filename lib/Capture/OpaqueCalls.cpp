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

/// The program that a call starts, as CPython looks for it in PATH; empty: it is not known which.
static std::string startedProgram(Engine &e, const CallArgs &args) {
  static constexpr llvm::StringLiteral kHarmless[] = {
      "check",  "encoding", "errors",  "stderr",  "stdin",
      "stdout", "text",     "timeout", "bufsize", "universal_newlines"};
  for (const KeywordArg &keyword : args.keywords)
    if (!llvm::is_contained(kHarmless, e.nameText(keyword.name)))
      return {};
  if (args.positional.size() != 1)
    return {};
  const Value given = e.known(args.positional[0]);
  if (given.is(Kind::Str))
    return given.asStr().str();
  if (!given.is(Kind::Tuple) && !isRefTo(e, given, ObjectKind::List))
    return {};
  llvm::ArrayRef<Value> words = given.is(Kind::Tuple) ? given.parts() : listItems(e, given);
  const bool isText =
      !words.empty() && llvm::all_of(words, [](const Value &v) { return v.is(Kind::Str); });
  return isText ? words.front().asStr().str() : std::string();
}

bool capture::asksForProgram(llvm::StringRef path) {
  static constexpr llvm::StringLiteral kStarts[] = {"call", "check_call", "check_output", "Popen",
                                                    "run"};
  return path == "shutil.which" ||
         (path.consume_front("subprocess.") && llvm::is_contained(kStarts, path));
}

Value capture::callForAbsentProgram(Engine &e, llvm::StringRef path, const CallArgs &args) {
  const bool isSearch = path == "shutil.which";
  if (!asksForProgram(path) || (isSearch && !args.keywords.empty()))
    return {};
  const std::string name = startedProgram(e, args);
  if (name.empty() || !e.world->absentModules.contains("program:" + name))
    return {};
  assume(e, "program '" + name + "' is not found, as on a machine without it");
  return isSearch ? Value::none() : e.callPrelude("_no_such_file", {Value::str(name)});
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
