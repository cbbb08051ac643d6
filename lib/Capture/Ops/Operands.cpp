//===- Operands.cpp - What an instruction must find for its handler to make sense ---------===//
//
// The verifier of lib/Bytecode proves the depth of the stack and that indices are in range, not
// what kind of value lies where: only the order of a compiler's instructions does that. A damaged
// file may ask to append to a number. In: a frame before an instruction. Out: does it fit? If not
// the file is refused.
//
//===----------------------------------------------------------------------===//
#include "Handlers.h"

#include <array>

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

namespace {
enum class Want : uint8_t {
  Code,
  Function,
  Cell,
  List,
  Set,
  Dict,
  Tuple,
  Exception,
  Handled, ///< the exception that was handled before, or is left to handle: there may be none
  Module,  ///< or what stands for one that was not found
};

struct WantInfo {
  llvm::StringLiteral name;
  bool (*fits)(Engine &e, const Value &v);
};

/// Which operand: counted from the top of the stack, behind the operands that are popped before it
/// is looked for, or the local variable that the instruction names.
enum class Place : uint8_t { Top0, Top1, Counted, Local };

struct Row {
  Opcode op;
  Place place;
  Want want;
};
} // namespace

template <ObjectKind kind> static bool isObject(Engine &e, const Value &v) {
  return isRefTo(e, v, kind);
}

template <Kind kind> static bool isConstant(Engine &, const Value &v) { return v.is(kind); }

/// By Want.
static constexpr WantInfo kWants[] = {
    {"code", isConstant<Kind::Code>},
    {"a function", isObject<ObjectKind::Function>},
    {"a cell", isObject<ObjectKind::Cell>},
    {"a list", isObject<ObjectKind::List>},
    {"a set", isObject<ObjectKind::Set>},
    {"a dict", isObject<ObjectKind::Dict>},
    {"a tuple", isConstant<Kind::Tuple>},
    {"an exception", isException},
    {"an exception or None",
     [](Engine &e, const Value &v) { return v.isNone() || v.isAbsent() || isException(e, v); }},
    {"a module",
     [](Engine &e, const Value &v) {
       return v.is(Kind::Opaque) || isRefTo(e, v, ObjectKind::Module);
     }},
};

/// In the order of Opcodes.def.
static constexpr Row kRows[] = {
    {Opcode::LOAD_DEREF, Place::Local, Want::Cell},
    {Opcode::STORE_DEREF, Place::Local, Want::Cell},
    {Opcode::DELETE_DEREF, Place::Local, Want::Cell},
    {Opcode::LOAD_FROM_DICT_OR_DEREF, Place::Local, Want::Cell},
    {Opcode::BUILD_CONST_KEY_MAP, Place::Top0, Want::Tuple},
    {Opcode::LIST_APPEND, Place::Counted, Want::List},
    {Opcode::SET_ADD, Place::Counted, Want::Set},
    {Opcode::MAP_ADD, Place::Counted, Want::Dict},
    {Opcode::LIST_EXTEND, Place::Counted, Want::List},
    {Opcode::SET_UPDATE, Place::Counted, Want::Set},
    {Opcode::DICT_UPDATE, Place::Counted, Want::Dict},
    {Opcode::DICT_MERGE, Place::Counted, Want::Dict},
    {Opcode::LIST_TO_TUPLE, Place::Top0, Want::List},
    {Opcode::MAKE_FUNCTION, Place::Top0, Want::Code},
    {Opcode::SET_FUNCTION_ATTRIBUTE, Place::Top0, Want::Function},
    {Opcode::CLEANUP_THROW, Place::Top0, Want::Exception},
    {Opcode::STOPITERATION_ERROR, Place::Top0, Want::Exception},
    {Opcode::RERAISE, Place::Top0, Want::Exception},
    {Opcode::PUSH_EXC_INFO, Place::Top0, Want::Exception},
    {Opcode::POP_EXCEPT, Place::Top0, Want::Handled},
    {Opcode::CHECK_EXC_MATCH, Place::Top1, Want::Exception},
    {Opcode::CHECK_EG_MATCH, Place::Top1, Want::Handled},
    {Opcode::PREP_RERAISE_STAR, Place::Top0, Want::List},
    {Opcode::PREP_RERAISE_STAR, Place::Top1, Want::Exception},
    {Opcode::WITH_EXCEPT_START, Place::Top0, Want::Exception},
    {Opcode::IMPORT_FROM, Place::Top0, Want::Module},
    {Opcode::IMPORT_STAR, Place::Top0, Want::Module},
};

static constexpr size_t kNumOpcodes = 0
#define PTC_OPCODE(Name, ...) +1
#include "ptc/Bytecode/Opcodes.def"
    ;

/// By opcode: its first row, or behind the last.
static constexpr auto kFirstRow = [] {
  std::array<uint8_t, kNumOpcodes> first{};
  first.fill(std::size(kRows));
  for (size_t i = std::size(kRows); i-- > 0;)
    first[size_t(kRows[i].op)] = uint8_t(i);
  return first;
}();

/// A choice fits if what is there fits: a handler decides between alternatives that are there and
/// those that are not before it goes on.
static bool fits(Engine &e, const Value &given, Want want) {
  Value v = e.known(given);
  if (!v.is(Kind::Choice))
    return kWants[size_t(want)].fits(e, v);
  return llvm::all_of(asChoice(v).alternatives, [&](const Value &alternative) {
    return alternative.isAbsent() || kWants[size_t(want)].fits(e, alternative);
  });
}

static SlotKey slotOf(Engine &e, ObjectId frame, const Instr &instr, Place place) {
  switch (place) {
  case Place::Top0:
    return {frame, e.stackSlot(frame, 0)};
  case Place::Top1:
    return {frame, e.stackSlot(frame, 1)};
  case Place::Counted:
    return {frame, e.stackSlot(frame, ptc::getStackEffect(instr).pops + instr.arg - 1)};
  case Place::Local:
    return {frame, slot::kLocals + instr.arg};
  }
  llvm_unreachable("closed enum");
}

FailAny ops::unfit(Engine &e, ObjectId frame, const Instr &instr, const llvm::Twine &why) {
  return e.refuse(DiagId::BytecodeInvalid, e.code(frame).code->fileName,
                  (instr.info().name + " " + why).str());
}

Flow ops::checkOperands(Engine &e, ObjectId frame, const Instr &instr) {
  for (const Row &row : llvm::ArrayRef(kRows).drop_front(kFirstRow[size_t(instr.op)])) {
    if (row.op != instr.op)
      break;
    const Value &v = e.heap.get(slotOf(e, frame, instr, row.place));
    if (fits(e, v, row.want))
      continue;
    if (v.is(Kind::Opaque))
      return e.refuseOpaque(v);
    return unfit(e, frame, instr, "does not find " + kWants[size_t(row.want)].name);
  }
  return Flow::Next;
}
