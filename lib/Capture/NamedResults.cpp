//===- NamedResults.cpp - torch.return_types -----------------------------------------------===//
//
// In: the table of classes that PyTorch has for named results. Out: these classes, and what their
// instances, tuples of the engine, answer by name.
//
//===----------------------------------------------------------------------===//
#include "NamedResults.h"
#include "Builtins/Builtins.h"
#include "Members.h"

#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
using namespace ptc::capture::builtins;
namespace capture = ptc::capture;

namespace {
struct ResultRow {
  llvm::StringLiteral name, fields;
};
} // namespace

static constexpr ResultRow kRows[] = {
#define PTC_RETURN_TYPE(Name, Fields) {Name, Fields},
#include "Known/ReturnTypes.def"
};
static constexpr size_t kFirstTag = size_t(TupleTag::NamedResult);
static_assert(kFirstTag + std::size(kRows) <= UINT8_MAX + 1, "more kinds of results than tags");

static uint8_t tagOf(llvm::StringRef name) {
  const auto *row = llvm::find_if(kRows, [&](const ResultRow &r) { return r.name == name; });
  return row == std::end(kRows) ? uint8_t(TupleTag::Plain) : uint8_t(kFirstTag + (row - kRows));
}

static const ResultRow &rowOf(const Value &tuple) {
  assert(isNamedResult(tuple) && "no named result");
  return kRows[tuple.sub() - kFirstTag];
}

uint8_t capture::namedResultTag(const aten::OpInfo &op) {
  return op.returns.size() < 2 ? uint8_t(TupleTag::Plain)
                               : tagOf(llvm::StringRef(op.name).split('.').first);
}

Value capture::asWrittenResult(Value result) {
  if (!isNamedResult(result))
    return result;
  const uint8_t tag = tagOf((rowOf(result).name + "_out").str());
  return std::move(result).withSub(tag);
}

bool capture::isNamedResult(const Value &v) { return v.is(Kind::Tuple) && v.sub() >= kFirstTag; }

llvm::SmallVector<llvm::StringRef, 4> capture::namedResultFields(const Value &tuple) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(rowOf(tuple).fields).split(names, ' ');
  return names;
}

Value capture::namedResultField(const Value &tuple, llvm::StringRef name) {
  for (const auto &[field, part] : llvm::zip_equal(namedResultFields(tuple), tuple.parts()))
    if (field == name)
      return part;
  return Value();
}

// The classes
// ------------------------------------------------------------------------------------------

/// The class of a row: they are made one after the other, behind torch.Size.
static ObjectId classOfRow(Engine &e, size_t n) {
  return e.builtinClass(WellKnown::TorchSizeType) + ObjectId(n) + 1;
}

ObjectId capture::namedResultClass(Engine &e, const Value &tuple) {
  return classOfRow(e, tuple.sub() - kFirstTag);
}

void capture::makeNamedResultClasses(Engine &e) {
  const ObjectId base = e.builtinClass(WellKnown::TupleType);
  for (const auto &[n, row] : llvm::enumerate(kRows)) {
    ClassInfo info;
    info.name = row.name.str();
    info.module = "torch.return_types";
    info.layout = Layout::None;
    info.builtin = true;
    info.bases = {base};
    info.mro = e.classInfo(base).mro;
    [[maybe_unused]] const ObjectId made = e.makeClass(std::move(info));
    assert(made == classOfRow(e, n) && "classes of results do not follow torch.Size");
  }
}

static Value field(Engine &e, ObjectId cls, llvm::StringRef name) {
  const ObjectId id = e.heap.allocate(ObjectKind::Instance, e.builtinClass(WellKnown::SlotType));
  e.heap.set(id, slot::kContent, Value::tuple({Value::str(name)}));
  e.heap.set(id, attrKey(e.intern("__objclass__")), Value::ref(cls));
  e.heap.set(id, attrKey(WellKnown::Name), Value::str(name));
  return Value::ref(id);
}

void capture::bootstrapNamedResults(Engine &e) {
  const Value make = e.heap.get(findModule(e, "_ptc_torch"), attrKey(e.intern("_named_result")));
  assert(make.is(Kind::Builtin) && "no row of the constructor");
  const ObjectId module = e.makeModule("_ptc_return_types", "", true);
  std::vector<Value> all;
  for (const auto &[n, row] : llvm::enumerate(kRows)) {
    const ObjectId cls = classOfRow(e, n);
    auto put = [&, cls](llvm::StringRef name, Value v) {
      e.heap.set(cls, attrKey(e.intern(name)), std::move(v));
    };
    llvm::SmallVector<llvm::StringRef, 4> names;
    llvm::StringRef(row.fields).split(names, ' ');
    std::vector<Value> texts;
    for (llvm::StringRef name : names) {
      put(name, field(e, cls, name));
      texts.push_back(Value::str(name));
    }
    put("__new__", make);
    put("__doc__", Value::none());
    put("__match_args__", Value::tuple(std::move(texts)));
    put("n_fields", Value::integer(int64_t(names.size())));
    put("n_sequence_fields", Value::integer(int64_t(names.size())));
    put("n_unnamed_fields", Value::integer(0));
    e.heap.set(module, attrKey(e.intern(row.name)), Value::ref(cls));
    all.push_back(Value::ref(cls));
  }
  e.heap.set(module, attrKey(e.intern("_all")), Value::tuple(std::move(all)));
}

/// torch.return_types.max(sequence, dict=None), as C makes struct sequences.
Value builtins::namedResultNew(Engine &e, CallArgs &args) {
  PTC_LET(cls, e.decide(arg(args, 0)));
  if (!isClass(e, cls) || cls.asRef() < classOfRow(e, 0) ||
      cls.asRef() >= classOfRow(e, std::size(kRows)))
    return e.raise(WellKnown::TypeError, "tuple.__new__(X): X is not a type object of results");
  const std::string name = classFullName(e, cls.asRef());
  if (!builtins::given(args, 1))
    return e.raise(WellKnown::TypeError,
                   "structseq() missing required argument 'sequence' (pos 1)");
  PTC_LET(given, e.decide(arg(args, 1)));
  std::vector<Value> parts;
  if (const Value held = e.unboxed(given); held.is(Kind::Tuple))
    parts = held.parts().vec();
  else if (std::optional<std::vector<Value>> items = listElements(e, given))
    parts = std::move(*items);
  else if (!specialMethod(e, given, WellKnown::Iter).isAbsent() ||
           !specialMethod(e, given, WellKnown::GetItem).isAbsent())
    return e.refuse(DiagId::UnsupportedTorchFunction, name + " of an iterator");
  else
    return e.raise(WellKnown::TypeError, "constructor requires a sequence");
  const size_t n = size_t(cls.asRef() - classOfRow(e, 0));
  const size_t wanted = llvm::StringRef(kRows[n].fields).count(' ') + 1;
  if (builtins::given(args, 2)) {
    PTC_LET(more, e.decide(arg(args, 2)));
    if (!isInstance(e, more, WellKnown::DictType))
      return e.raise(WellKnown::TypeError, name + "() takes a dict as second arg, if any");
  }
  if (parts.size() != wanted)
    return e.raise(WellKnown::TypeError, name + "() takes a " + llvm::Twine(wanted) +
                                             "-sequence (" + llvm::Twine(parts.size()) +
                                             "-sequence given)");
  return Value::tuple(std::move(parts)).withSub(uint8_t(kFirstTag + n));
}
