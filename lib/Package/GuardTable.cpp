//===- GuardTable.cpp - Guards as the read-only data of the stub ----------------------===//
//
// In: guard sets over an ObservableSpace. Out: rows, postfix formulas and texts for the cold path.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/GuardTable.h"

#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace ptc;
using namespace ptc::sym;

ptc_text GuardTable::intern(llvm::StringRef text) {
  auto [place, isNew] = interned.try_emplace(text, ptc_text(texts.size()));
  if (isNew)
    (texts += text) += '\0';
  return place->second;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

void GuardTable::encodeAll(llvm::ArrayRef<Expr> operands, int64_t op, unsigned &depth) {
  for (auto [i, operand] : llvm::enumerate(operands)) {
    depth = std::max(depth, unsigned(i != 0) + encode(operand));
    if (i)
      code.push_back(op);
  }
}

unsigned GuardTable::encodeTerm(const Term &term) {
  code.insert(code.end(), {PTC_CODE_CONSTANT, term.coefficient});
  unsigned depth = 1;
  for (const Factor &factor : term.factors)
    for (uint32_t i = 0; i < factor.power; ++i) {
      depth = std::max(depth, 1 + encode(factor.atom));
      code.push_back(PTC_CODE_MUL);
    }
  return depth;
}

unsigned GuardTable::encode(Expr e) {
  unsigned depth = 1;
  switch (e.kind()) {
  case ExprKind::Unsupported:
    llvm_unreachable("an atom is never unsupported");
  case ExprKind::Constant:
    code.insert(code.end(), {PTC_CODE_CONSTANT, e.asConstant().value_or(0)});
    break;
  case ExprKind::Symbol:
    code.insert(code.end(), {PTC_CODE_OBSERVABLE, int64_t(e.symbol())});
    break;
  case ExprKind::Sum:
    for (auto [i, term] : llvm::enumerate(e.terms())) {
      depth = std::max(depth, unsigned(i != 0) + encodeTerm(term));
      if (i)
        code.push_back(PTC_CODE_ADD);
    }
    break;
  case ExprKind::FloorDiv:
    encodeAll(e.operands(), PTC_CODE_FLOORDIV, depth);
    break;
  case ExprKind::Min:
    encodeAll(e.operands(), PTC_CODE_MIN, depth);
    break;
  case ExprKind::Max:
    encodeAll(e.operands(), PTC_CODE_MAX, depth);
    break;
  }
  return depth;
}

/// What the guard's relation with zero is asked of. A value that is compared with a constant is not
/// subtracted from it: the difference may not fit.
unsigned GuardTable::encode(const Atom &atom) {
  std::optional<UnaryAtom> unary = asUnary(atom);
  if (!unary)
    return encode(atom.expr);
  std::array<int64_t, 2> read{PTC_CODE_OBSERVABLE, int64_t(unary->symbol)};
  std::array<int64_t, 2> value{PTC_CODE_CONSTANT, unary->value};
  if (unary->relation == Relation::GreaterEqual)
    std::swap(read, value);
  code.insert(code.end(), read.begin(), read.end());
  code.insert(code.end(), value.begin(), value.end());
  code.push_back(PTC_CODE_COMPARE);
  return 2;
}

static uint32_t relationCode(AtomKind kind) {
  switch (kind) {
  case AtomKind::IsZero:
    return PTC_IS_ZERO;
  case AtomKind::IsNonZero:
    return PTC_IS_NONZERO;
  case AtomKind::IsNonPositive:
    return PTC_IS_NONPOSITIVE;
  }
  llvm_unreachable("closed enum");
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static uint32_t formatCode(ValueFormat format) {
  switch (format) {
  case ValueFormat::Int:
    return PTC_FORMAT_INT;
  case ValueFormat::Bool:
    return PTC_FORMAT_BOOL;
  case ValueFormat::Float:
    return PTC_FORMAT_FLOAT;
  case ValueFormat::DType:
  case ValueFormat::Device:
  case ValueFormat::Tag:
  case ValueFormat::String:
    return PTC_FORMAT_NAMED;
  }
  llvm_unreachable("closed enum");
}

/// The values that a call can have and that have names, beside those that guards compare with.
static llvm::SmallVector<int64_t> namedValues(ValueFormat format) {
  llvm::SmallVector<int64_t> values;
  if (format == ValueFormat::DType)
    for (const DTypeInfo &info : getAllDTypeInfos())
      values.push_back(dtypeCode(info.dtype));
  if (format == ValueFormat::Device)
    for (int32_t index = 0; index < 8; ++index)
      values.push_back(deviceCode(kDeviceCuda, index));
  if (format == ValueFormat::Device)
    values.push_back(deviceCode(kDeviceCpu));
  if (format == ValueFormat::Tag)
    for (ValueTag tag : {
#define PTC_VALUE_TAG(Name, Text) ValueTag::Name,
#include "ptc/Runtime/GuardKinds.def"
         })
      values.push_back(int64_t(tag));
  return values;
}

void GuardTable::nameValues(const ObservableSpace &space, const Atom &atom) {
  std::optional<UnaryAtom> unary = asUnary(atom);
  if (!unary || observables[unary->symbol].format != PTC_FORMAT_NAMED)
    return;
  const Observable &observable = space.observable(unary->symbol);
  names.push_back(
      {unary->symbol, intern(space.formatValue(observable, unary->value)), unary->value});
}

llvm::Error GuardTable::addGuard(const ObservableSpace &space, const Guard &guard) {
  ptc_guard_row row = {};
  row.code = uint32_t(code.size());
  if (encode(guard.atom) > PTC_CODE_MAX_DEPTH)
    return makeError(DiagId::InternalError, {}, "a guard is nested too deeply for an artefact");
  row.code_length = uint32_t(code.size() - row.code);
  row.relation = relationCode(guard.atom.kind);
  GuardText text = describeGuard(space, guard);
  std::string reason = guard.origins.empty() ? "" : guard.origins.front().reason;
  row.expected = intern(text.expected);
  row.assumption = intern(text.assumption + (reason.empty() ? "" : " (" + reason + ")"));
  row.hint = intern(text.hint("{}"));
  if (!guard.origins.empty()) {
    row.file = intern(guard.origins.front().loc.file);
    row.line = guard.origins.front().loc.line;
  }
  nameValues(space, guard.atom);
  guards.push_back(row);
  return llvm::Error::success();
}

llvm::Expected<GuardTable> GuardTable::create(const ObservableSpace &space,
                                              llvm::ArrayRef<GuardSet> variants) {
  GuardTable table;
  table.intern("");
  for (SymbolId id = 0; id < space.numObservables(); ++id) {
    const Observable &observable = space.observable(id);
    ValueFormat format = getObservableInfo(observable.kind).format;
    table.observables.push_back({table.intern(observable.str()), formatCode(format)});
    for (int64_t value : namedValues(format))
      table.names.push_back({id, table.intern(space.formatValue(observable, value)), value});
  }
  for (const GuardSet &set : variants) {
    table.variantBegins.push_back(uint32_t(table.guards.size()));
    for (const Guard &guard : set.guards())
      if (llvm::Error error = table.addGuard(space, guard))
        return std::move(error);
  }
  table.variantBegins.push_back(uint32_t(table.guards.size()));
  return table;
}

ptc_guard_table GuardTable::view() const {
  return {code.data(),
          observables.data(),
          names.data(),
          guards.data(),
          variantBegins.data(),
          texts.data(),
          uint32_t(observables.size()),
          uint32_t(names.size()),
          uint32_t(variantBegins.size() - 1),
          0};
}
