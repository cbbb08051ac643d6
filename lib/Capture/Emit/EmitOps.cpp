//===- EmitOps.cpp - One operation of the tape to one operation -----------------===//
//
// In: instructions of a tape block. Out: operations of program, aten, arith and scf where the
// builder stands. Numbers of mixed types are brought to one type first, as Python does.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/ViewOffset.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;

void Emitter::emitBlock(const TapeBlock &block) {
  for (const TapeInstr &instr : block.instrs)
    emit(instr);
}

SmallVector<Ssa> Emitter::yieldsOf(ArrayRef<TapeArg> yields, TypeRange types, Location loc) {
  assert(yields.size() == types.size() && "a region yields one value per result");
  SmallVector<Ssa> out;
  for (auto [arg, type] : llvm::zip_equal(yields, types))
    out.push_back(valueOf(arg, type, loc));
  return out;
}

//===----------------------------------------------------------------------===//
// Arguments that are not values
//===----------------------------------------------------------------------===//

Attribute Emitter::argumentOf(const TapeArg &arg, SmallVectorImpl<Ssa> &operands, Location loc) {
  using K = TapeArg::Kind;
  MLIRContext *context = b.getContext();
  switch (arg.kind) {
  case K::Value:
    operands.push_back(lookup(arg.id()));
    return aten::ArgAttr::get(context, operands.size() - 1);
  case K::List: {
    SmallVector<Attribute> items;
    for (const TapeArg &item : arg.items)
      items.push_back(argumentOf(item, operands, loc));
    return b.getArrayAttr(items);
  }
  case K::None:
    return aten::NoneAttr::get(context);
  case K::DType:
    return aten::DTypeAttr::get(context, DType(arg.bits));
  case K::Device:
    return aten::DeviceAttr::get(context, unpackDevice(arg.bits));
  case K::Layout:
    return aten::LayoutAttr::get(context, aten::Layout(arg.bits));
  case K::MemoryFormat:
    return aten::MemoryFormatAttr::get(context, aten::MemoryFormat(arg.bits));
  case K::Complex:
    return aten::ComplexAttr::get(context, b.getF64FloatAttr(arg.asReal()),
                                  b.getF64FloatAttr(arg.imaginary));
  case K::Bool:
  case K::Int:
  case K::Float:
  case K::Str:
    return constantOf(arg);
  }
  llvm_unreachable("closed enum");
}

ArrayAttr Emitter::stepsOf(const TapeArg &steps, SmallVectorImpl<Ssa> &operands, Location loc) {
  SmallVector<Attribute> rows;
  for (const TapeArg &step : steps.items) {
    SmallVector<Attribute> row;
    row.push_back(b.getStringAttr(aten::getOpInfo(aten::OpId(step.items.front().asInt())).name));
    for (const TapeArg &arg : llvm::drop_begin(step.items))
      row.push_back(argumentOf(arg, operands, loc));
    rows.push_back(b.getArrayAttr(row));
  }
  return b.getArrayAttr(rows);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Emitter::emitSwitch(const TapeInstr &instr, Location loc) {
  SmallVector<Type> types;
  for (ValueId id : instr.results)
    types.push_back(typeOf(id));
  Ssa selector = valueOf(instr.args[0], loc);
  SmallVector<int64_t> cases;
  for (const TapeArg &c : instr.attrs[0].items)
    cases.push_back(c.asInt());
  auto fill = [&](Region &region, const TapeBlock &block) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(region.empty() ? &region.emplaceBlock() : &region.front());
    emitBlock(block);
    scf::YieldOp::create(b, loc, yieldsOf(block.yields, types, loc));
  };
  Operation *op;
  if (selector.getType().isInteger(1) && cases == ArrayRef<int64_t>{0, 1}) {
    auto branch = scf::IfOp::create(b, loc, types, selector);
    fill(branch.getThenRegion(), *instr.regions[1]);
    fill(branch.getElseRegion(), *instr.regions[0]);
    op = branch;
  } else {
    // The cases are all there are, so the last one needs no number.
    selector = convert(selector, b.getIndexType(), loc);
    auto branch = scf::IndexSwitchOp::create(b, loc, types, selector, ArrayRef(cases).drop_back(),
                                             cases.size() - 1);
    for (auto [region, block] : llvm::zip(branch.getCaseRegions(), instr.regions))
      fill(region, *block);
    fill(branch.getDefaultRegion(), *instr.regions.back());
    op = branch;
  }
  for (auto [id, result] : llvm::zip_equal(instr.results, op->getResults()))
    bind(id, result);
}

void Emitter::emitLoop(const TapeInstr &instr, Location loc) {
  const TapeBlock &body = *instr.regions[0];
  SmallVector<Type> carried, all{b.getIndexType()};
  for (ValueId id : body.args)
    carried.push_back(typeOf(id));
  all.append(carried);
  for (ValueId id : llvm::drop_begin(instr.results))
    all.push_back(typeOf(id));
  auto loop = scf::WhileOp::create(b, loc, all, yieldsOf(instr.args, carried, loc));
  OpBuilder::InsertionGuard guard(b);

  Block &before = loop.getBefore().emplaceBlock();
  for (auto [id, type] : llvm::zip_equal(body.args, carried))
    bind(id, before.addArgument(type, loc));
  b.setInsertionPointToEnd(&before);
  emitBlock(body);
  SmallVector<Ssa> yields = yieldsOf(body.yields, all, loc);
  Ssa back = arith::ConstantIndexOp::create(b, loc, instr.attrs[0].asInt());
  Ssa again = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, yields.front(), back);
  scf::ConditionOp::create(b, loc, again, yields);

  Block &after = loop.getAfter().emplaceBlock();
  for (Type type : all)
    after.addArgument(type, loc);
  b.setInsertionPointToEnd(&after);
  if (instr.attrs[1].bits == 0)
    program::TurnOp::create(b, loc);
  scf::YieldOp::create(b, loc, after.getArguments().slice(1, carried.size()));

  bind(instr.results[0], loop.getResult(0));
  for (auto [i, id] : llvm::enumerate(llvm::drop_begin(instr.results)))
    bind(id, loop.getResult(1 + carried.size() + i));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void Emitter::emitAten(const TapeInstr &instr, Location loc) {
  SmallVector<Ssa> operands;
  SmallVector<Attribute> args;
  SmallVector<Type> types;
  for (const TapeArg &arg : instr.args)
    args.push_back(argumentOf(arg, operands, loc));
  for (ValueId id : instr.results)
    types.push_back(typeOf(id));
  Naming naming;
  if (instr.results.size() == 1) {
    naming = namingOf(owner.tape.type(instr.results[0]), instr.args, loc);
    types.front() = typeOf(naming.type);
  }
  aten::AtenOp op =
      aten::createOp(b, loc, aten::OpId(instr.aten), operands, b.getArrayAttr(args), types);
  if (instr.op == TapeOp::AtenRandom)
    op->setAttr("program.generator", constantOf(instr.attrs[0]));
  for (auto [id, result] : llvm::zip_equal(instr.results, op->getResults()))
    bind(id, named(result, naming, typeOf(id), loc));
}

static ElementsAttr literalOf(const TensorLiteral &literal, Type element) {
  auto type = RankedTensorType::get(literal.sizes, element);
  if (literal.dtype == DType::Bool) {
    SmallVector<bool> bits(literal.data.begin(), literal.data.end());
    return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
  }
  return DenseElementsAttr::getFromRawBuffer(type, literal.data);
}

bool Emitter::emitTensorOp(const TapeInstr &instr, Location loc) {
  Type type = instr.results.empty() ? Type() : typeOf(instr.results[0]);
  auto arg = [&](unsigned i) { return valueOf(instr.args[i], loc); };
  SmallVector<Ssa> operands;
  Ssa result;
  switch (instr.op) {
  case TapeOp::AtenView: {
    ArrayAttr steps = stepsOf(instr.args[1], operands, loc);
    Naming naming = namingOf(owner.tape.type(instr.results[0]), instr.args, loc);
    auto view = program::ViewOp::create(b, loc, typeOf(naming.type), arg(0), operands, steps);
    if (!instr.attrs.empty())
      view->setAttr(program::kViewOffsetAttr, sizeText(instr.attrs[0].asInt()));
    result = view;
    result = named(result, naming, type, loc);
    break;
  }
  case TapeOp::Scatter: {
    ArrayAttr steps = stepsOf(instr.args[2], operands, loc);
    auto scatter = program::ScatterOp::create(b, loc, type, arg(0), arg(1), operands, steps);
    if (!instr.attrs.empty()) {
      SmallVector<Attribute> strides;
      for (const TapeArg &stride : ArrayRef(instr.attrs).drop_front())
        strides.push_back(sizeText(stride.asInt()));
      scatter->setAttr(program::kViewOffsetAttr, sizeText(instr.attrs[0].asInt()));
      scatter->setAttr(program::kPartStridesAttr, b.getArrayAttr(strides));
    }
    result = scatter;
    break;
  }
  case TapeOp::Retype:
    result = program::RetypeOp::create(b, loc, type, arg(0));
    break;
  case TapeOp::Item:
    result = program::ItemOp::create(b, loc, type, arg(0));
    break;
  case TapeOp::SizeOf:
    result = sizeOf(arg(0), instr.attrs[0].asInt(), loc);
    break;
  case TapeOp::Tensor0:
    result = program::TensorOp::create(b, loc, type, arg(0));
    break;
  case TapeOp::Weight:
    result = program::WeightOp::create(b, loc, type, instr.attrs[0].text);
    break;
  case TapeOp::Literal: {
    const TensorLiteral &literal = owner.literals[instr.attrs[0].asInt()];
    result = program::LiteralOp::create(
        b, loc, type, literalOf(literal, aten::toType(b.getContext(), literal.dtype)));
    break;
  }
  default:
    return false;
  }
  bind(instr.results[0], result);
  return true;
}

static Type elementTypeOf(Ssa list) {
  return cast<program::ListType>(list.getType()).getElementType();
}

bool Emitter::emitListOp(const TapeInstr &instr, Location loc) {
  Type type = instr.results.empty() ? Type() : typeOf(instr.results[0]);
  auto arg = [&](unsigned i) { return valueOf(instr.args[i], loc); };
  Ssa result;
  switch (instr.op) {
  case TapeOp::ListNew:
    result = program::ListNewOp::create(b, loc, type);
    break;
  case TapeOp::ListPush: {
    Ssa list = valueOf(instr.args[0], type, loc), element = arg(1);
    if (isa<RankedTensorType>(element.getType()))
      element = convert(element, elementTypeOf(list), loc);
    result = program::ListPushOp::create(b, loc, list, element);
    break;
  }
  case TapeOp::ListSet: {
    Ssa list = valueOf(instr.args[0], type, loc), element = arg(2);
    if (isa<RankedTensorType>(element.getType()))
      element = convert(element, elementTypeOf(list), loc);
    result = program::ListSetOp::create(b, loc, list, valueOf(instr.args[1], b.getI64Type(), loc),
                                        element);
    break;
  }
  case TapeOp::ListDrop:
    result = program::ListDropOp::create(b, loc, type, valueOf(instr.args[0], type, loc));
    break;
  case TapeOp::ListGet:
    // Sizes that each element has its own of get names of this one's.
    result = convert(program::ListGetOp::create(b, loc, elementTypeOf(arg(0)), arg(0),
                                                valueOf(instr.args[1], b.getI64Type(), loc)),
                     type, loc);
    break;
  case TapeOp::ListLen:
    result = program::ListLenOp::create(b, loc, arg(0));
    break;
  case TapeOp::ListStack:
  case TapeOp::ListCat: {
    Naming naming = namingOf(owner.tape.type(instr.results[0]), instr.args, loc);
    Type made = typeOf(naming.type);
    int64_t dim = instr.attrs[0].asInt();
    result = instr.op == TapeOp::ListStack
                 ? Ssa(program::ListStackOp::create(b, loc, made, arg(0), dim))
                 : Ssa(program::ListCatOp::create(b, loc, made, arg(0), dim));
    result = named(result, naming, type, loc);
    break;
  }
  default:
    return false;
  }
  bind(instr.results[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// Selectors and effects
//===----------------------------------------------------------------------===//

bool Emitter::emitStructural(const TapeInstr &instr, Location loc) {
  switch (instr.op) {
  case TapeOp::Switch:
    emitSwitch(instr, loc);
    return true;
  case TapeOp::Loop:
    emitLoop(instr, loc);
    return true;
  case TapeOp::Map: {
    SmallVector<Attribute> table;
    for (const TapeArg &item : instr.attrs[0].items)
      table.push_back(constantOf(item));
    bind(instr.results[0],
         program::MapOp::create(b, loc, typeOf(instr.results[0]), selectorOf(instr.args[0], loc),
                                b.getArrayAttr(table)));
    return true;
  }
  case TapeOp::Pick: {
    SmallVector<Ssa> alternatives;
    Type type = typeOf(instr.results[0]);
    for (const TapeArg &arg : llvm::drop_begin(instr.args))
      alternatives.push_back(valueOf(arg, type, loc));
    bind(instr.results[0],
         program::PickOp::create(b, loc, type, selectorOf(instr.args[0], loc), alternatives));
    return true;
  }
  case TapeOp::Home: {
    SmallVector<Ssa> numbers;
    for (const TapeArg &arg : llvm::drop_begin(instr.args))
      numbers.push_back(valueOf(arg, b.getIndexType(), loc));
    bind(instr.results[0],
         program::HomeOp::create(b, loc, valueOf(instr.args[0], b.getIndexType(), loc), numbers,
                                 instr.attrs[0].asInt()));
    return true;
  }
  case TapeOp::Aten:
  case TapeOp::AtenRandom:
    emitAten(instr, loc);
    return true;
  case TapeOp::SizeExpr:
    emitSizeExpr(instr, loc);
    return true;
  case TapeOp::TextLength:
  case TapeOp::Print:
    emitText(instr, loc);
    return true;
  case TapeOp::Seed:
    program::SeedOp::create(b, loc, valueOf(instr.args[0], b.getI64Type(), loc),
                            valueOf(instr.args[1], b.getI64Type(), loc));
    return true;
  case TapeOp::Clock:
    bind(instr.results[0],
         program::ClockOp::create(b, loc, b.getI64Type(), program::Clock(instr.attrs[0].asInt())));
    return true;
  default:
    return false;
  }
}

void Emitter::emitText(const TapeInstr &instr, Location loc) {
  Leaves leaves;
  SmallVector<program::OutAttr> parts;
  for (const TapeArg &arg : instr.args)
    parts.push_back(textOf(arg, leaves, loc));
  auto text = program::OutAttr::get(b.getContext(), program::OutKind::Template, -1, StringAttr(), 0,
                                    Attribute(), parts);
  if (instr.op == TapeOp::TextLength) {
    bind(instr.results[0],
         program::TextLengthOp::create(b, loc, b.getI64Type(), text, leaves.values));
    return;
  }
  bool toStderr = !instr.attrs.empty() && instr.attrs[0].text == "stderr";
  program::PrintOp::create(b, loc, toStderr ? program::Stream::Stderr : program::Stream::Stdout,
                           text, leaves.values);
}

void Emitter::emit(const TapeInstr &instr) {
  Location loc = locOf(instr.source);
  if (emitStructural(instr, loc) || emitTensorOp(instr, loc) || emitListOp(instr, loc))
    return;
  bind(instr.results[0], emitNumber(instr, typeOf(instr.results[0]), loc));
}
