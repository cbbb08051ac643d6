// Code bytes, exception table and location table of one code object into plain records.
// In: bytes from anywhere. Out: records within the code's bounds, or a reason.
// Formats: Objects/exception_handling_notes.txt and Objects/locations.md of CPython.
#include "RawCode.h"

#include <array>

using namespace ptc;
using namespace ptc::raw;

namespace {

constexpr OpInfo kOps[] = {
#define PTC_RAW_SAME(Name, Canonical) {#Name, Rule::Same, Opcode::Canonical},
#define PTC_RAW_DROP(Name) {#Name, Rule::Drop, Opcode::POP_TOP},
#define PTC_RAW_OWN(Name) {#Name, Rule::Own, Opcode::POP_TOP},
#define PTC_RAW_INTERNAL(Name) {#Name, Rule::Internal, Opcode::POP_TOP},
#include "RawOps.def"
    {"<invalid>", Rule::Internal, Opcode::POP_TOP},
};

// The canonical opcodes of the intrinsics.
constexpr Opcode INTRINSIC_PRINT = Opcode::PRINT_EXPR;
constexpr Opcode INTRINSIC_IMPORT_STAR = Opcode::IMPORT_STAR;
constexpr Opcode INTRINSIC_STOPITERATION_ERROR = Opcode::STOPITERATION_ERROR;
constexpr Opcode INTRINSIC_ASYNC_GEN_WRAP = Opcode::ASYNC_GEN_WRAP;
constexpr Opcode INTRINSIC_UNARY_POSITIVE = Opcode::UNARY_POSITIVE;
constexpr Opcode INTRINSIC_LIST_TO_TUPLE = Opcode::LIST_TO_TUPLE;
constexpr Opcode INTRINSIC_TYPEVAR = Opcode::TYPEVAR;
constexpr Opcode INTRINSIC_PARAMSPEC = Opcode::PARAMSPEC;
constexpr Opcode INTRINSIC_TYPEVARTUPLE = Opcode::TYPEVARTUPLE;
constexpr Opcode INTRINSIC_SUBSCRIPT_GENERIC = Opcode::SUBSCRIPT_GENERIC;
constexpr Opcode INTRINSIC_TYPEALIAS = Opcode::TYPEALIAS;
constexpr Opcode INTRINSIC_PREP_RERAISE_STAR = Opcode::PREP_RERAISE_STAR;
constexpr Opcode INTRINSIC_TYPEVAR_WITH_BOUND = Opcode::TYPEVAR_WITH_BOUND;
constexpr Opcode INTRINSIC_TYPEVAR_WITH_CONSTRAINTS = Opcode::TYPEVAR_WITH_CONSTRAINTS;
constexpr Opcode INTRINSIC_SET_FUNCTION_TYPE_PARAMS = Opcode::SET_FUNCTION_TYPE_PARAMS;
constexpr Opcode INTRINSIC_SET_TYPEPARAM_DEFAULT = Opcode::SET_TYPEPARAM_DEFAULT;

struct RawRow {
  PythonVersion version;
  uint8_t number;
  Op op;
  uint8_t caches;
};
constexpr RawRow kRawRows[] = {
#define PTC_RAW(Minor, Number, Name, Caches) {PythonVersion::Py3##Minor, Number, Op::Name, Caches},
#include "Versions/Tables.inc"
};

template <typename T> struct NumberedRow {
  PythonVersion version;
  uint8_t number;
  T value;
};
constexpr NumberedRow<Opcode> kIntrinsic1Rows[] = {
#define PTC_INTRINSIC_1(Minor, Number, Name) {PythonVersion::Py3##Minor, Number, Name},
#include "Versions/Tables.inc"
};
constexpr NumberedRow<Opcode> kIntrinsic2Rows[] = {
#define PTC_INTRINSIC_2(Minor, Number, Name) {PythonVersion::Py3##Minor, Number, Name},
#include "Versions/Tables.inc"
};
constexpr NumberedRow<CommonConstant> kCommonRows[] = {
#define PTC_COMMON_CONSTANT(Minor, Number, Name)                                                   \
  {PythonVersion::Py3##Minor, Number, CommonConstant::Name},
#include "Versions/Tables.inc"
};

constexpr unsigned kNumVersions = 0
#define PTC_PYTHON(...) +1
#include "ptc/Bytecode/Versions.def"
    ;

constexpr VersionTable emptyTable(bool nullBelow, bool methodBit, uint8_t compareShift,
                                  uint8_t boolBit, ForIterEnd forIterEnd) {
  VersionTable table{};
  for (Op &op : table.ops)
    op = Op::Invalid;
  table.nullBelow = nullBelow;
  table.methodBit = methodBit;
  table.compareShift = compareShift;
  table.boolBit = boolBit;
  table.forIterEnd = forIterEnd;
  return table;
}

constexpr std::array<VersionTable, kNumVersions> makeTables() {
  std::array<VersionTable, kNumVersions> tables{{
#define PTC_PYTHON(Minor, Magic, NullBelow, MethodBit, CompareShift, BoolBit, ForIter)             \
  emptyTable(NullBelow, MethodBit, CompareShift, BoolBit, ForIterEnd::ForIter),
#include "ptc/Bytecode/Versions.def"
  }};
  for (const RawRow &row : kRawRows) {
    tables[static_cast<unsigned>(row.version)].ops[row.number] = row.op;
    tables[static_cast<unsigned>(row.version)].caches[row.number] = row.caches;
  }
  for (const auto &row : kIntrinsic1Rows)
    tables[static_cast<unsigned>(row.version)].intrinsics1[row.number] = row.value;
  for (const auto &row : kIntrinsic2Rows)
    tables[static_cast<unsigned>(row.version)].intrinsics2[row.number] = row.value;
  for (const auto &row : kCommonRows)
    tables[static_cast<unsigned>(row.version)].commonConstants[row.number] = row.value;
  return tables;
}
constexpr std::array<VersionTable, kNumVersions> kTables = makeTables();

/// Reads the varints of both tables.
class Cursor {
public:
  explicit Cursor(llvm::ArrayRef<uint8_t> bytes) : bytes(bytes) {}
  bool atEnd() const { return pos == bytes.size(); }
  bool ok() const { return good; }
  uint8_t byte() {
    if (atEnd()) {
      good = false;
      return 0;
    }
    return bytes[pos++];
  }
  /// Big-endian groups of 6 bits (exception table).
  uint32_t bigVarint() {
    uint8_t b = byte();
    uint64_t value = b & 63;
    while (b & 64 && good) {
      b = byte();
      value = value << 6 | (b & 63);
      good &= value <= INT32_MAX;
    }
    return value;
  }
  /// Little-endian groups of 6 bits (location table).
  uint32_t littleVarint() {
    uint8_t b = byte();
    uint64_t value = b & 63;
    for (unsigned shift = 6; b & 64 && good; shift += 6) {
      b = byte();
      good &= shift <= 30;
      if (good)
        value |= static_cast<uint64_t>(b & 63) << shift;
    }
    good &= value <= UINT32_MAX;
    return value;
  }
  int64_t signedVarint() {
    uint32_t value = littleVarint();
    return value & 1 ? -static_cast<int64_t>(value >> 1) : static_cast<int64_t>(value >> 1);
  }

private:
  llvm::ArrayRef<uint8_t> bytes;
  size_t pos = 0;
  bool good = true;
};

} // namespace

const OpInfo &raw::getOpInfo(Op op) { return kOps[static_cast<unsigned>(op)]; }
const VersionTable &raw::getVersionTable(PythonVersion version) {
  return kTables[static_cast<unsigned>(version)];
}

bool raw::isBackward(Op op) {
  return op == Op::JUMP_BACKWARD || op == Op::JUMP_BACKWARD_NO_INTERRUPT ||
         op == Op::POP_JUMP_BACKWARD_IF_FALSE || op == Op::POP_JUMP_BACKWARD_IF_TRUE ||
         op == Op::POP_JUMP_BACKWARD_IF_NONE || op == Op::POP_JUMP_BACKWARD_IF_NOT_NONE;
}

bool raw::isJump(Op op) {
  return isBackward(op) || op == Op::JUMP_FORWARD || op == Op::FOR_ITER || op == Op::SEND ||
         op == Op::JUMP_IF_FALSE_OR_POP || op == Op::JUMP_IF_TRUE_OR_POP ||
         op == Op::POP_JUMP_IF_FALSE || op == Op::POP_JUMP_IF_TRUE || op == Op::POP_JUMP_IF_NONE ||
         op == Op::POP_JUMP_IF_NOT_NONE || op == Op::POP_JUMP_FORWARD_IF_FALSE ||
         op == Op::POP_JUMP_FORWARD_IF_TRUE || op == Op::POP_JUMP_FORWARD_IF_NONE ||
         op == Op::POP_JUMP_FORWARD_IF_NOT_NONE;
}

bool raw::parseInstrs(const CodeObject &code, std::vector<Instr> &out, Problem &why) {
  const VersionTable &table = getVersionTable(code.version);
  llvm::ArrayRef<uint8_t> bytes = code.code;
  if (bytes.size() % 2 || bytes.empty() || bytes.size() > INT32_MAX) {
    why = "the code is not a sequence of code units";
    return false;
  }
  out.reserve(bytes.size() / 3);
  uint32_t start = 0;
  uint64_t arg = 0;
  for (uint32_t pos = 0; pos < bytes.size();) {
    Op op = table.ops[bytes[pos]];
    arg = arg << 8 | bytes[pos + 1];
    if (arg > INT32_MAX) {
      why = "operand out of range";
      return false;
    }
    if (op == Op::EXTENDED_ARG) {
      pos += 2;
      continue;
    }
    uint64_t next = pos + 2 + 2ULL * table.caches[bytes[pos]];
    if (next > bytes.size()) {
      why = "an instruction's caches are cut off";
      return false;
    }
    out.push_back({op, static_cast<uint32_t>(arg), start, pos, static_cast<uint32_t>(next)});
    arg = 0;
    start = pos = next;
  }
  if (start != bytes.size()) {
    why = "EXTENDED_ARG at the end of the code";
    return false;
  }
  return true;
}

bool raw::parseExceptions(const CodeObject &code, std::vector<ExceptionEntry> &out, Problem &why) {
  Cursor cursor(code.exceptionTable);
  uint32_t last = 0;
  while (!cursor.atEnd()) {
    uint64_t begin = 2ULL * cursor.bigVarint();
    uint64_t end = begin + 2ULL * cursor.bigVarint();
    uint64_t target = 2ULL * cursor.bigVarint();
    uint32_t rest = cursor.bigVarint();
    if (!cursor.ok() || begin < last || end > code.code.size() || target >= code.code.size()) {
      why = "the exception table is malformed";
      return false;
    }
    out.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                   static_cast<uint32_t>(target), rest >> 1, (rest & 1) != 0});
    last = end;
  }
  return true;
}

/// One entry's lines and columns; `line` is carried from entry to entry.
static SourceRange readLocation(Cursor &cursor, uint8_t kind, int64_t &line) {
  auto known = [](int64_t n) { return n > 0 && n <= UINT32_MAX ? static_cast<uint32_t>(n) : 0; };
  if (kind == 15) // nothing known
    return {};
  if (kind == 14) { // long form
    line += cursor.signedVarint();
    int64_t endLine = line + cursor.littleVarint();
    uint32_t column = cursor.littleVarint(), endColumn = cursor.littleVarint();
    return {known(line), known(endLine), column, endColumn};
  }
  if (kind == 13) { // no columns
    line += cursor.signedVarint();
    return {known(line), known(line), 0, 0};
  }
  if (kind >= 10) { // one line, two columns
    line += kind - 10;
    uint32_t column = cursor.byte(), endColumn = cursor.byte();
    return {known(line), known(line), column + 1, endColumn + 1};
  }
  uint8_t second = cursor.byte(); // short form, same line
  uint32_t column = kind * 8U + (second >> 4 & 7);
  return {known(line), known(line), column + 1, column + (second & 15) + 1};
}

bool raw::parseLocations(const CodeObject &code, llvm::ArrayRef<Instr> instrs,
                         std::vector<SourceRange> &out, Problem &why) {
  Cursor cursor(code.lineTable);
  int64_t line = code.firstLine;
  uint64_t pos = 0;
  out.reserve(instrs.size());
  while (!cursor.atEnd()) {
    uint8_t first = cursor.byte();
    SourceRange range = readLocation(cursor, first >> 3 & 15, line);
    pos += 2 * ((first & 7) + 1U);
    if (!(first & 0x80) || !cursor.ok() || pos > code.code.size() || std::abs(line) > INT32_MAX) {
      why = "the location table is malformed";
      return false;
    }
    while (out.size() < instrs.size() && instrs[out.size()].offset < pos)
      out.push_back(range);
  }
  if (pos != code.code.size()) {
    why = "the location table does not cover the code";
    return false;
  }
  return true;
}
