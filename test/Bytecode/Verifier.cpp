// The verifier: small functions that are wrong in one way each, and every opcode number.
#include "Fixtures.h"
#include "RawCode.h"

using namespace ptc;
using namespace ptc::test;

namespace {

/// A function of two parameters and a cell, with constants (None, 1, ("k",)) and one name.
class Function {
public:
  explicit Function(PythonVersion version) {
    code.version = version;
    code.stackSize = 16;
    code.argCount = 2;
    code.flags = CO_OPTIMIZED | CO_NEWLOCALS;
    code.consts = consts;
    code.names = names;
    code.locals = locals;
    code.fileName = "t.py";
    code.name = code.qualName = "f";
    code.firstLine = 1;
  }

  Function &op(llvm::StringRef name, unsigned arg = 0) {
    const raw::VersionTable &table = raw::getVersionTable(code.version);
    for (unsigned number = 0; number < 256; ++number)
      if (raw::getOpInfo(table.ops[number]).name == name)
        return number_(number, arg);
    FAIL("no opcode " << name.str());
    return *this;
  }
  Function &number_(unsigned number, unsigned arg) {
    bytes.push_back(number);
    bytes.push_back(arg);
    bytes.insert(bytes.end(), 2 * raw::getVersionTable(code.version).caches[number], 0);
    return *this;
  }

  llvm::Expected<std::unique_ptr<CanonicalCode>> decodeNow() {
    code.code = bytes;
    // Entries of up to eight units without a location.
    lines.clear();
    for (size_t units = bytes.size() / 2; units; units -= std::min<size_t>(units, 8))
      lines.push_back(0xf8 | (std::min<size_t>(units, 8) - 1));
    if (code.lineTable.empty())
      code.lineTable = lines;
    return decode(code);
  }

  CodeObject code;
  std::vector<uint8_t> bytes, lines;

private:
  Constant none{ConstKind::None};
  uint64_t word = 1;
  IntConstant one{false, llvm::ArrayRef<uint64_t>(word)};
  StrConstant key{"k", true};
  const Constant *keys[1] = {&key};
  TupleConstant keyTuple{keys};
  const Constant *consts[3] = {&none, &one, &keyTuple};
  llvm::StringRef names[1] = {"name"};
  LocalSlot locals[4] = {{"a", true, false, false, false},
                         {"b", true, false, false, false},
                         {"x", true, false, false, false},
                         {"c", false, true, false, false}};
};

} // namespace

TEST_CASE("invalid code is refused with a reason") {
  using Build = void (*)(Function &);
  struct Row {
    const char *reason;
    Build build;
  };
  const Row rows[] = {
      {"stack underflow", [](Function &f) { f.op("POP_TOP").op("RETURN_VALUE"); }},
      {"end of the code", [](Function &f) { f.op("LOAD_CONST", 0); }},
      {"constant index", [](Function &f) { f.op("LOAD_CONST", 3).op("RETURN_VALUE"); }},
      {"name index", [](Function &f) { f.op("LOAD_GLOBAL", 2).op("RETURN_VALUE"); }},
      {"local index", [](Function &f) { f.op("LOAD_FAST", 4).op("RETURN_VALUE"); }},
      {"cell index", [](Function &f) { f.op("LOAD_DEREF", 0).op("RETURN_VALUE"); }},
      {"start of an instruction", [](Function &f) { f.op("JUMP_FORWARD", 100); }},
      {"start of an instruction",
       [](Function &f) { f.op("LOAD_GLOBAL", 0).op("JUMP_BACKWARD_NO_INTERRUPT", 3); }},
      {"NULL is used", [](Function &f) { f.op("PUSH_NULL").op("RETURN_VALUE"); }},
      {"no callable",
       [](Function &f) { f.op("PUSH_NULL").op("PUSH_NULL").op("CALL", 0).op("RETURN_VALUE"); }},
      {"no such", [](Function &f) { f.op("COMPARE_OP", 255).op("RETURN_VALUE"); }},
      {"does not occur", [](Function &f) { f.op("CACHE").op("RETURN_VALUE"); }},
      {"EXTENDED_ARG at the end", [](Function &f) { f.op("EXTENDED_ARG", 1); }},
      {"stacks that differ",
       [](Function &f) {
         // A jump back to the start with one value more.
         f.op("LOAD_CONST", 0).op("JUMP_BACKWARD_NO_INTERRUPT", 2);
       }},
      {"not a sequence of code units", [](Function &f) { f.bytes = {9}; }},
      {"deeper than co_stacksize",
       [](Function &f) {
         f.code.stackSize = 1;
         f.op("LOAD_CONST", 0).op("LOAD_CONST", 0).op("RETURN_VALUE");
       }},
      {"exception table",
       [](Function &f) {
         static const uint8_t table[] = {0x80, 0x3f, 0x00, 0x00};
         f.code.exceptionTable = table;
         f.op("LOAD_CONST", 0).op("RETURN_VALUE");
       }},
      {"handler keeps more",
       [](Function &f) {
         static const uint8_t table[] = {0x80, 0x02, 0x00, 0x04};
         f.code.exceptionTable = table;
         f.op("LOAD_FAST", 0).op("RETURN_VALUE");
       }},
      {"location table",
       [](Function &f) {
         static const uint8_t table[] = {0x80};
         f.code.lineTable = table;
         f.op("LOAD_CONST", 0).op("RETURN_VALUE");
       }},
  };
  for (const char *version : kVersions)
    for (const Row &row : rows) {
      Function f(*parseVersionName(version));
      row.build(f);
      CAPTURE(version, row.reason);
      auto result = f.decodeNow();
      Diagnostic diag = diagnosticOf(result);
      CHECK(diag.id == DiagId::BytecodeInvalid);
      CHECK(diag.loc.file == "t.py");
      CAPTURE(diag.text);
      CHECK((diag.text.find(row.reason) != std::string::npos ||
             (row.reason == std::string("no such") && diag.text.find("underflow"))));
    }
}

TEST_CASE("every opcode of every version has its canonical form") {
  // Whatever stands on the stack, decoding ends in instructions or a reason, and only what the
  // interpreter alone writes is refused for itself.
  for (const char *version : kVersions) {
    const raw::VersionTable &table = raw::getVersionTable(*parseVersionName(version));
    for (unsigned number = 0; number < 256; ++number) {
      raw::Op op = table.ops[number];
      if (op == raw::Op::EXTENDED_ARG)
        continue; // part of the instruction behind it
      bool internal = raw::getOpInfo(op).rule == raw::Rule::Internal;
      bool refusedForItself = false, accepted = false;
      for (const char *below : {"LOAD_CONST", "PUSH_NULL"})
        for (unsigned arg = 0; arg < 32; ++arg) {
          Function f(*parseVersionName(version));
          for (unsigned i = 0; i < 6; ++i)
            f.op(i == 4 ? below : "LOAD_CONST", 0);
          f.number_(number, arg).op("NOP").op("NOP").op("LOAD_CONST", 0).op("RETURN_VALUE");
          for (unsigned i = 0; i < 40; ++i)
            f.op("NOP");
          f.op("LOAD_CONST", 0).op("RETURN_VALUE");
          auto result = f.decodeNow();
          if (result) {
            accepted = true;
            continue;
          }
          refusedForItself |= diagnosticOf(result).text.find("does not occur") != std::string::npos;
        }
      CAPTURE(version, number, raw::getOpInfo(op).name.str());
      CHECK(refusedForItself == internal);
      CHECK((!internal || !accepted));
    }
  }
}

TEST_CASE("stack effects of what keeps its form agree with simulation") {
  for (const OpcodeInfo &info : getAllOpcodeInfos()) {
    Instr instr{};
    instr.op = info.opcode;
    instr.arg = info.operand == OperandKind::Count ? 3 : 1;
    StackEffect effect = getStackEffect(instr);
    CAPTURE(info.name.str());
    CHECK(effect.pops < 8);
    CHECK((info.flow != OpFlow::Return || effect.pops == 1));
    CHECK((info.flow == OpFlow::Branch) ==
          (info.operand == OperandKind::Jump && info.flow != OpFlow::Jump));
  }
}
