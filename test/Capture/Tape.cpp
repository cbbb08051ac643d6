// Pure operations are found again by content, results of another type are not.
#include "ptc/Capture/Tape.h"

#include <catch2/catch.hpp>

using namespace ptc::capture;

namespace {
ValueId lookUp(Tape &tape, TapeBlock &block, ValueId selector, TapeType type) {
  TapeInstr instr;
  instr.op = TapeOp::Map;
  instr.args = {TapeArg::value(selector)};
  instr.attrs = {TapeArg::list({TapeArg::integer(1), TapeArg::integer(0)})};
  TapeValue result;
  result.type = type;
  return tape.record(block, std::move(instr), result)[0];
}
} // namespace

TEST_CASE("a number is not a selector, though one table gives both") {
  Tape tape;
  TapeBlock outer;
  TapeBlock inner(&outer);
  TapeValue flag;
  flag.type = TapeType::Bool;
  ValueId selector = tape.makeValue(flag);
  ValueId number = lookUp(tape, outer, selector, TapeType::Int);
  ValueId choice = lookUp(tape, inner, selector, TapeType::Selector);
  CHECK(number != choice);
  CHECK(tape.type(number).type == TapeType::Int);
  CHECK(tape.type(choice).type == TapeType::Selector);
  CHECK(lookUp(tape, inner, selector, TapeType::Int) == number);
  CHECK(lookUp(tape, inner, selector, TapeType::Selector) == choice);
}
