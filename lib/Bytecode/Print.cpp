// Canonical code as text, for people and tests. In: a verified code object. Out: one line per
// instruction: index, depth, opcode, operand with its meaning, jump target, handler, source range.
#include "ptc/Bytecode/Decode.h"

#include "Text.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ptc;

void ptc::printQuoted(llvm::raw_ostream &os, llvm::StringRef bytes) {
  os << '"';
  for (char c : bytes) {
    switch (c) {
    case '\\':
    case '"':
      os << '\\' << c;
      break;
    case '\n':
      os << "\\n";
      break;
    case '\r':
      os << "\\r";
      break;
    case '\t':
      os << "\\t";
      break;
    default:
      if (llvm::isPrint(c))
        os << c;
      else
        os << "\\x" << llvm::hexdigit(static_cast<uint8_t>(c) >> 4, true)
           << llvm::hexdigit(c & 15, true);
    }
  }
  os << '"';
}

namespace {

/// Constants nest as deep as the reader's limit allows and share parts, so both are bounded here.
class Describer {
public:
  explicit Describer(size_t limit) : limit(limit), os(text) {}

  std::string run(const Constant *constant) {
    describe(constant, 0);
    if (text.size() <= limit)
      return std::move(text);
    text.resize(limit);
    return std::move(text) + "…";
  }

private:
  void describe(const Constant *constant, unsigned depth);
  void describeItems(llvm::ArrayRef<const Constant *> items, unsigned depth) {
    llvm::ListSeparator comma;
    for (const Constant *item : items) {
      if (text.size() > limit)
        return;
      os << comma;
      describe(item, depth + 1);
    }
  }

  size_t limit;
  std::string text;
  llvm::raw_string_ostream os;
};

void Describer::describe(const Constant *constant, unsigned depth) {
  if (depth > 8 || text.size() > limit) {
    os << "…";
    return;
  }
  switch (constant->kind) {
  case ConstKind::None:
    os << "None";
    break;
  case ConstKind::Ellipsis:
    os << "...";
    break;
  case ConstKind::Bool:
    os << (llvm::cast<BoolConstant>(constant)->value ? "True" : "False");
    break;
  case ConstKind::Int: {
    const auto *value = llvm::cast<IntConstant>(constant);
    llvm::SmallString<32> digits;
    if (value->words.size() > 16)
      digits = "<large int>";
    else
      value->asAPInt().toStringSigned(digits);
    os << digits;
    break;
  }
  case ConstKind::Float:
    os << llvm::format("%.17g", llvm::cast<FloatConstant>(constant)->value);
    break;
  case ConstKind::Complex: {
    const auto *value = llvm::cast<ComplexConstant>(constant);
    os << llvm::format("(%.17g%+.17gj)", value->real, value->imag);
    break;
  }
  case ConstKind::Str:
    printQuoted(os, llvm::cast<StrConstant>(constant)->text.take_front(limit + 1));
    break;
  case ConstKind::Bytes:
    os << 'b';
    printQuoted(os, llvm::cast<BytesConstant>(constant)->data.take_front(limit + 1));
    break;
  case ConstKind::Tuple: {
    auto items = llvm::cast<TupleConstant>(constant)->items;
    os << '(';
    describeItems(items, depth);
    os << (items.size() == 1 ? ",)" : ")");
    break;
  }
  case ConstKind::FrozenSet:
    os << "frozenset({";
    describeItems(llvm::cast<FrozenSetConstant>(constant)->items, depth);
    os << "})";
    break;
  case ConstKind::Slice: {
    const auto *slice = llvm::cast<SliceConstant>(constant);
    os << "slice(";
    describeItems({slice->start, slice->stop, slice->step}, depth);
    os << ')';
    break;
  }
  case ConstKind::Code:
    os << "<code " << llvm::cast<CodeObject>(constant)->qualName << '>';
    break;
  }
}

void printOperand(llvm::raw_ostream &os, const CanonicalCode &code, const Instr &instr) {
  static constexpr llvm::StringLiteral conversions[] = {"", "str", "repr", "ascii"};
  static constexpr llvm::StringLiteral attributes[] = {"defaults", "kwdefaults", "annotations",
                                                       "closure", "annotate"};
  switch (instr.info().operand) {
  case OperandKind::None:
    break;
  case OperandKind::Count:
  case OperandKind::Depth:
  case OperandKind::Flag:
    os << ' ' << instr.arg;
    break;
  case OperandKind::Const:
    os << ' ' << describeConstant(code.consts[instr.arg]);
    break;
  case OperandKind::Builtin:
    os << ' ' << getBuiltinConstName(static_cast<BuiltinConst>(instr.arg));
    break;
  case OperandKind::Local:
  case OperandKind::Cell:
    os << ' ' << code.locals[instr.arg].name;
    break;
  case OperandKind::Name:
    os << ' ' << code.names[instr.arg];
    if (instr.arg2)
      os << ", " << instr.arg2;
    break;
  case OperandKind::Jump:
    os << " -> " << instr.target;
    break;
  case OperandKind::Binary:
    os << ' ' << getBinaryOpSymbol(instr.binaryOp(), instr.isInPlace());
    break;
  case OperandKind::Compare:
    os << ' ' << getCompareOpSymbol(instr.compareOp());
    break;
  case OperandKind::Conversion:
    os << ' ' << conversions[instr.arg];
    break;
  case OperandKind::FunctionAttr:
    os << ' ' << attributes[llvm::countr_zero(instr.arg)];
    break;
  }
  if (instr.keywords != kNoIndex)
    os << ", keywords " << describeConstant(code.consts[instr.keywords]);
}

void printCode(llvm::raw_ostream &os, const CanonicalCode &code, bool locations) {
  const CodeObject &object = *code.code;
  os << "code " << object.qualName << " (";
  llvm::ListSeparator comma;
  for (const LocalSlot &slot : code.locals)
    os << comma << slot.name << (slot.isCell ? "+cell" : slot.isFree ? "+free" : "");
  os << ") parameters " << object.parameterCount();
  if (locations)
    os << " line " << object.firstLine;
  os << '\n';
  for (uint32_t i = 0; i < code.size(); ++i) {
    const Instr &instr = code.instrs[i];
    os << llvm::format("%5u", i) << (code.flow.loopAt(i) ? " @ " : "   ") << instr.info().name;
    printOperand(os, code, instr);
    if (code.handlers[i].exists())
      os << "  ! " << code.handlers[i].target << " [" << code.handlers[i].depth << ']';
    if (locations && instr.range.line)
      os << "  ; " << instr.range.line << ':' << instr.range.column << '-' << instr.range.endLine
         << ':' << instr.range.endColumn;
    os << '\n';
  }
}

} // namespace

std::string ptc::describeConstant(const Constant *constant, size_t limit) {
  return Describer(limit).run(constant);
}

llvm::Error ptc::printCanonical(llvm::raw_ostream &os, const CodeObject &code, bool locations) {
  std::vector<const CodeObject *> work = {&code};
  while (!work.empty()) {
    const CodeObject *next = work.back();
    work.pop_back();
    llvm::Expected<const CanonicalCode *> canonical = getCanonical(*next);
    if (!canonical)
      return canonical.takeError();
    if (next != &code)
      os << '\n';
    printCode(os, **canonical, locations);
    for (const Constant *constant : llvm::reverse(next->consts))
      if (const auto *inner = llvm::dyn_cast<CodeObject>(constant))
        work.push_back(inner);
  }
  return llvm::Error::success();
}
