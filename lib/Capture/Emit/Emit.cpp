//===- Emit.cpp - From captured programs to a module ---------------------------===//
//
// In: programs of one entry. Out: a module with one program.entry. Values of the top block that a
// body uses travel through slots of the context, except weights and literals, which are named
// again.
//
//===----------------------------------------------------------------------===//
#include "Emitter.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::capture;

//===----------------------------------------------------------------------===//
// Types, places, constants
//===----------------------------------------------------------------------===//

Location Emitter::locOf(const SourceLoc &loc) const {
  if (!loc.isKnown())
    return b.getUnknownLoc();
  return FileLineColLoc::get(b.getContext(), loc.file, loc.line, loc.column);
}

Location Emitter::locOf(SourceId source) const {
  assert(source < owner.sources.size() && "a row of the table of places");
  // Weights are bound before any of the user's code runs.
  bool known = owner.sources[source].loc.isKnown();
  const SourcePlace &place = owner.sources[known ? source : owner.definedAt];
  Location loc = locOf(place.loc);
  return place.caller ? Location(CallSiteLoc::get(loc, locOf(place.caller))) : loc;
}

Type Emitter::typeOf(const TapeValue &type) const {
  switch (type.type) {
  case TapeType::Bool:
    return b.getI1Type();
  case TapeType::Int:
  case TapeType::Generator:
    return b.getI64Type();
  case TapeType::Float:
    return b.getF64Type();
  case TapeType::Selector:
    return b.getIndexType();
  case TapeType::Tensor:
  case TapeType::List: {
    if (type.number != NumberType::NotNumber) {
      TapeValue element;
      element.type = tapeTypeOf(type.number);
      return program::ListType::get(b.getContext(), typeOf(element));
    }
    aten::TensorMeta meta;
    meta.dtype = type.dtype;
    meta.sizes = type.sizes;
    meta.strides = type.strides;
    meta.device = unpackDevice(type.device);
    meta.requiresGrad = type.requiresGrad;
    RankedTensorType tensor = aten::toType(b.getContext(), meta, *p.sizes);
    if (type.type == TapeType::List)
      return program::ListType::get(b.getContext(), tensor);
    return tensor;
  }
  case TapeType::None:
    break;
  }
  llvm_unreachable("a value without type is never used");
}

Ssa Emitter::lookup(ValueId id) const {
  auto found = values.find(id);
  assert(found != values.end() && "used before it was recorded, or out of its region");
  return found->second;
}

Attribute Emitter::constantOf(const TapeArg &arg) const {
  using K = TapeArg::Kind;
  switch (arg.kind) {
  case K::Bool:
    return b.getBoolAttr(arg.bits != 0);
  case K::Int:
    return b.getI64IntegerAttr(arg.asInt());
  case K::Float:
    return b.getF64FloatAttr(arg.asReal());
  case K::Str:
    return b.getStringAttr(arg.text);
  default:
    return {};
  }
}

Ssa Emitter::convert(Ssa value, Type type, Location loc) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (type.isF64() && from.isInteger(64))
    return arith::SIToFPOp::create(b, loc, type, value);
  if (type.isF64() && from.isInteger(1))
    return arith::UIToFPOp::create(b, loc, type, value);
  if (type.isInteger(64) && from.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, value);
  // As a selector it may be undefined, which only a look-up passes on.
  if (type.isIndex() && from.isInteger(1))
    return program::MapOp::create(b, loc, type, value, b.getIndexArrayAttr({0, 1}));
  if (type.isInteger(1) && from.isIndex())
    return program::MapOp::create(b, loc, type, value, b.getBoolArrayAttr({false, true}));
  if (type.isIndex() && from.isInteger(64))
    return arith::IndexCastOp::create(b, loc, type, value);
  if (type.isInteger(64) && from.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  assert(isa<RankedTensorType>(from) == isa<RankedTensorType>(type) && "values of other kinds");
  return program::RetypeOp::create(b, loc, type, value);
}

Ssa Emitter::valueOf(const TapeArg &arg, Type type, Location loc) {
  if (arg.isValue()) {
    if (arg.id() == kUndef)
      return program::UndefOp::create(b, loc, type);
    return convert(lookup(arg.id()), type, loc);
  }
  bool real = arg.kind == TapeArg::Kind::Float;
  assert((real || arg.kind == TapeArg::Kind::Bool || arg.kind == TapeArg::Kind::Int) &&
         "only numbers become values");
  if (type.isF64())
    return arith::ConstantOp::create(b, loc,
                                     b.getF64FloatAttr(real ? arg.asReal() : double(arg.asInt())));
  assert(!real && "a float where an int is wanted");
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, arg.asInt()));
}

Ssa Emitter::valueOf(const TapeArg &arg, Location loc) {
  if (arg.isValue())
    return lookup(arg.id());
  if (arg.kind == TapeArg::Kind::Float)
    return valueOf(arg, b.getF64Type(), loc);
  return valueOf(arg, arg.kind == TapeArg::Kind::Bool ? b.getI1Type() : b.getI64Type(), loc);
}

Ssa Emitter::selectorOf(const TapeArg &arg, Location loc) {
  if (!arg.isValue() || arg.id() == kUndef)
    return valueOf(arg, b.getIndexType(), loc);
  Ssa selector = lookup(arg.id());
  return selector.getType().isInteger(64) ? convert(selector, b.getIndexType(), loc) : selector;
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

static void collect(const TapeArg &arg, llvm::DenseSet<ValueId> &used) {
  if (arg.isValue())
    used.insert(arg.id());
  for (const TapeArg &item : arg.items)
    collect(item, used);
}

static void collect(const OutValue &value, llvm::DenseSet<ValueId> &used) {
  collect(value.value, used);
  collect(value.steps, used);
  for (const OutValue &child : value.children)
    collect(child, used);
}

static void collect(const TapeBlock &block, llvm::DenseSet<ValueId> &used) {
  for (const TapeInstr &instr : block.instrs) {
    for (const TapeArg &arg : instr.args)
      collect(arg, used);
    for (const auto &region : instr.regions)
      collect(*region, used);
  }
  for (const TapeArg &arg : block.yields)
    collect(arg, used);
}

/// Values that the body and the exits of `p` use.
static llvm::DenseSet<ValueId> usedInBody(const Program &p) {
  llvm::DenseSet<ValueId> used;
  collect(*p.body, used);
  collect(p.exitSelector, used);
  for (const auto &states : p.next)
    for (const TapeArg &arg : states)
      collect(arg, used);
  for (const ProgramExit &exit : p.exits) {
    collect(exit.result, used);
    for (const OutStorage &storage : exit.storages)
      collect(storage.contents, used);
    for (const auto &[path, value] : exit.mutatedInputs)
      collect(value, used);
  }
  return used;
}

static std::string stateSymbol(size_t i) { return "s" + std::to_string(i); }

namespace {
/// Emits the entry: states and init, which all programs share, and a variant from each.
class EntryEmitter {
public:
  EntryEmitter(ModuleOp module, ArrayRef<const Program *> variants, const Program &owner)
      : b(module.getContext()), programs(variants), owner(owner) {
    b.setInsertionPointToEnd(module.getBody());
  }

  void run() {
    Location loc = Emitter(owner, owner, b).locOf(owner.definedAt);
    auto entry = program::EntryOp::create(b, loc, owner.entry, StringAttr());
    b.setInsertionPointToStart(&entry.getBody().emplaceBlock());
    emitStatesAndInit(loc);
    for (auto [i, p] : llvm::enumerate(programs))
      emitVariant(*p, i);
  }

private:
  void declare(StringRef symbol, StringRef name, Type type, Location loc) {
    program::StateOp::create(b, loc, symbol, name, type);
  }

  void emitStatesAndInit(Location loc) {
    Emitter emitter(owner, owner, b);
    llvm::DenseSet<ValueId> used;
    for (const Program *variant : programs)
      for (ValueId id : usedInBody(*variant))
        used.insert(id);
    for (auto [i, state] : llvm::enumerate(owner.states))
      declare(stateSymbol(i), state.name, emitter.typeOf(state.argument), loc);
    for (const TapeInstr &instr : owner.top.instrs)
      for (ValueId id : instr.results)
        if (used.contains(id) && instr.op != TapeOp::Weight && instr.op != TapeOp::Literal) {
          shared.push_back({id, "c" + std::to_string(shared.size())});
          declare(shared.back().second, "", emitter.typeOf(id), loc);
        }
    if (owner.top.instrs.empty() && owner.states.empty())
      return;
    auto init = program::InitOp::create(b, loc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&init.getBody().emplaceBlock());
    emitter.emitBlock(owner.top);
    for (const auto &[id, symbol] : shared)
      program::SetStateOp::create(b, loc, symbol, emitter.lookup(id));
    for (auto [i, state] : llvm::enumerate(owner.states)) {
      if (state.initial.isValue() && state.initial.id() == kUndef)
        continue;
      Type type = emitter.typeOf(state.argument);
      program::SetStateOp::create(b, loc, stateSymbol(i),
                                  emitter.valueOf(state.initial, type, loc));
    }
  }

  void emitVariant(const Program &p, size_t index) {
    Emitter emitter(p, owner, b);
    Location loc = emitter.locOf(owner.definedAt);
    SmallVector<Attribute> inputs, symbols;
    SmallVector<int64_t> leaves;
    for (const ProgramInput &input : p.inputs) {
      inputs.push_back(b.getStringAttr(input.path));
      leaves.push_back(input.leaf);
    }
    for (const InputSymbol &symbol : p.inputSymbols) {
      auto name = b.getStringAttr(p.sizes->symbolInfo(symbol.symbol).name);
      if (symbol.dimension < 0)
        symbols.push_back(
            b.getArrayAttr({name, b.getStringAttr(p.sizes->str(owner.sizeExprs[symbol.input]))}));
      else
        symbols.push_back(b.getArrayAttr(
            {name, b.getI64IntegerAttr(symbol.input), b.getI64IntegerAttr(symbol.dimension)}));
    }
    auto variant =
        program::VariantOp::create(b, loc, "v" + std::to_string(index), b.getArrayAttr(inputs),
                                   b.getDenseI64ArrayAttr(leaves), b.getArrayAttr(symbols));
    Block &block = variant.getBody().emplaceBlock();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&block);
    for (const ProgramInput &input : p.inputs)
      emitter.bind(input.value, block.addArgument(emitter.typeOf(input.value), loc));
    for (auto [i, state] : llvm::enumerate(p.states))
      emitter.bind(state.argument, program::GetStateOp::create(
                                       b, loc, emitter.typeOf(state.argument), stateSymbol(i)));
    for (const auto &[id, symbol] : shared)
      emitter.bind(id, program::GetStateOp::create(b, loc, emitter.typeOf(id), symbol));
    llvm::DenseSet<ValueId> used = usedInBody(p);
    for (const TapeInstr &instr : owner.top.instrs)
      if ((instr.op == TapeOp::Weight || instr.op == TapeOp::Literal) &&
          used.contains(instr.results[0]))
        emitter.emit(instr);
    emitter.emitBlock(*p.body);
    emitFinish(p, emitter);
  }

  void emitFinish(const Program &p, Emitter &emitter) {
    Location loc = emitter.locOf(owner.definedAt);
    Ssa selector;
    if (p.exits.size() > 1)
      selector = emitter.valueOf(p.exitSelector, b.getIndexType(), loc);
    auto finish = program::FinishOp::create(b, loc, selector, p.exits.size());
    OpBuilder::InsertionGuard guard(b);
    for (auto [exit, region] : llvm::enumerate(finish.getOutcomes())) {
      b.setInsertionPointToStart(&region.emplaceBlock());
      for (auto [i, state] : llvm::enumerate(p.states)) {
        const TapeArg &next = p.next[exit][i];
        bool same = next.isValue() && (next.id() == state.argument || next.id() == kUndef);
        if (!same)
          program::SetStateOp::create(b, loc, stateSymbol(i),
                                      emitter.valueOf(next, emitter.typeOf(state.argument), loc));
      }
      emitter.emitExit(exit);
    }
  }

  OpBuilder b;
  ArrayRef<const Program *> programs;
  const Program &owner;
  /// Values of the top block that bodies use, and their slots.
  std::vector<std::pair<ValueId, std::string>> shared;
};
} // namespace

OwningOpRef<ModuleOp> capture::emitModule(MLIRContext &context, ArrayRef<const Program *> variants,
                                          const Program &owner) {
  assert(!variants.empty() && "an entry has a variant");
  context.loadDialect<aten::AtenDialect, arith::ArithDialect, scf::SCFDialect,
                      program::ProgramDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  EntryEmitter(*module, variants, owner).run();
  return module;
}
