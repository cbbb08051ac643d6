//===- EmitNumbers.cpp - Python's numbers at run time ----------------------------===//
//
// In: scalar instructions. Out: arith where its meaning is Python's, else operations of program.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;

Ssa Emitter::emitFloat(const TapeInstr &instr, Ssa x, Ssa y, Location loc) {
  switch (instr.op) {
  case TapeOp::Add:
    return arith::AddFOp::create(b, loc, x, y);
  case TapeOp::Sub:
    return arith::SubFOp::create(b, loc, x, y);
  case TapeOp::Mul:
    return arith::MulFOp::create(b, loc, x, y);
  case TapeOp::TrueDiv:
    return arith::DivFOp::create(b, loc, x, y);
  case TapeOp::FloorDiv:
    return program::FloorDivOp::create(b, loc, x, y);
  case TapeOp::Mod:
    return program::ModOp::create(b, loc, x, y);
  case TapeOp::Pow:
    return program::PowOp::create(b, loc, x, y);
  case TapeOp::Neg:
    return arith::NegFOp::create(b, loc, x);
  case TapeOp::Abs:
    return program::AbsOp::create(b, loc, x);
  default:
    llvm_unreachable("no operation on floats");
  }
}

Ssa Emitter::emitInt(const TapeInstr &instr, Ssa x, Ssa y, Location loc) {
  switch (instr.op) {
  case TapeOp::Add:
    return program::AddOp::create(b, loc, x, y);
  case TapeOp::Sub:
    return program::SubOp::create(b, loc, x, y);
  case TapeOp::Mul:
    return program::MulOp::create(b, loc, x, y);
  case TapeOp::FloorDiv:
    return program::FloorDivOp::create(b, loc, x, y);
  case TapeOp::Mod:
    return program::ModOp::create(b, loc, x, y);
  case TapeOp::Pow:
    return program::PowOp::create(b, loc, x, y);
  case TapeOp::Shl:
    return program::ShlOp::create(b, loc, x, y);
  case TapeOp::Shr:
    return program::ShrOp::create(b, loc, x, y);
  case TapeOp::Neg:
    return program::NegOp::create(b, loc, x);
  case TapeOp::Abs:
    return program::AbsOp::create(b, loc, x);
  default:
    return emitBits(instr, x, y, loc);
  }
}

Ssa Emitter::emitBits(const TapeInstr &instr, Ssa x, Ssa y, Location loc) {
  switch (instr.op) {
  case TapeOp::And:
    return arith::AndIOp::create(b, loc, x, y);
  case TapeOp::Or:
    return arith::OrIOp::create(b, loc, x, y);
  case TapeOp::Xor:
    return arith::XOrIOp::create(b, loc, x, y);
  default:
    llvm_unreachable("no operation on ints");
  }
}

namespace {
struct Comparison {
  TapeOp op;
  arith::CmpIPredicate ints;
  arith::CmpFPredicate floats;
  StringRef text;
};
} // namespace
static constexpr Comparison kComparisons[] = {
    {TapeOp::Lt, arith::CmpIPredicate::slt, arith::CmpFPredicate::OLT, "<"},
    {TapeOp::Le, arith::CmpIPredicate::sle, arith::CmpFPredicate::OLE, "<="},
    {TapeOp::Eq, arith::CmpIPredicate::eq, arith::CmpFPredicate::OEQ, "=="},
    {TapeOp::Ne, arith::CmpIPredicate::ne, arith::CmpFPredicate::UNE, "!="},
    {TapeOp::Gt, arith::CmpIPredicate::sgt, arith::CmpFPredicate::OGT, ">"},
    {TapeOp::Ge, arith::CmpIPredicate::sge, arith::CmpFPredicate::OGE, ">="},
};

Ssa Emitter::emitCompare(const TapeInstr &instr, Location loc) {
  const auto *row = llvm::find_if(kComparisons, [&](auto &row) { return row.op == instr.op; });
  if (row == std::end(kComparisons))
    return {};
  Ssa x = valueOf(instr.args[0], loc), y = valueOf(instr.args[1], loc);
  if (x.getType().isF64() != y.getType().isF64())
    return program::CompareOp::create(b, loc, b.getI1Type(), row->text, x, y);
  if (x.getType().isF64())
    return arith::CmpFOp::create(b, loc, row->floats, x, y);
  if (x.getType().isIndex() || y.getType().isIndex()) {
    x = convert(x, b.getIndexType(), loc);
    y = convert(y, b.getIndexType(), loc);
  } else {
    x = convert(x, b.getI64Type(), loc);
    y = convert(y, b.getI64Type(), loc);
  }
  return arith::CmpIOp::create(b, loc, row->ints, x, y);
}

Ssa Emitter::emitCast(const TapeInstr &instr, Location loc) {
  Ssa x = valueOf(instr.args[0], loc);
  switch (instr.op) {
  case TapeOp::Not: {
    Ssa one = arith::ConstantIntOp::create(b, loc, 1, 1);
    return arith::XOrIOp::create(b, loc, convert(x, b.getI1Type(), loc), one);
  }
  case TapeOp::ToInt:
    if (x.getType().isF64())
      return program::ToIntOp::create(b, loc, x);
    return convert(x, b.getI64Type(), loc);
  case TapeOp::ToFloat:
    return convert(x, b.getF64Type(), loc);
  case TapeOp::ToBool: {
    if (x.getType().isInteger(1))
      return x;
    Ssa zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
    if (x.getType().isF64())
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
  }
  default:
    return {};
  }
}

Ssa Emitter::emitNumber(const TapeInstr &instr, Type type, Location loc) {
  if (instr.op == TapeOp::Math) {
    SmallVector<Ssa> args;
    for (const TapeArg &arg : instr.args)
      args.push_back(valueOf(arg, loc));
    return program::MathOp::create(b, loc, type, instr.attrs[0].text, args,
                                   /*total=*/instr.attrs.size() > 1);
  }
  if (Ssa compared = emitCompare(instr, loc))
    return compared;
  if (Ssa cast = emitCast(instr, loc))
    return cast;
  if (instr.op == TapeOp::TrueDiv) {
    Ssa x = valueOf(instr.args[0], loc), y = valueOf(instr.args[1], loc);
    if (!x.getType().isF64() && !y.getType().isF64())
      return program::TrueDivOp::create(b, loc, convert(x, b.getI64Type(), loc),
                                        convert(y, b.getI64Type(), loc));
  }
  Ssa x = valueOf(instr.args[0], type, loc);
  Ssa y = instr.args.size() > 1 ? valueOf(instr.args[1], type, loc) : Ssa();
  if (type.isF64())
    return emitFloat(instr, x, y, loc);
  return type.isInteger(64) ? emitInt(instr, x, y, loc) : emitBits(instr, x, y, loc);
}
