//===- Host.cpp - The host program of one variant -----------------------------------------===//
//
// In: the body of a variant behind phase `plan`. Out: a function of its blocks; kernels are called,
// everything else is code here.
//
//===----------------------------------------------------------------------===//
#include "Host.h"

#include "ptc/Dialect/Guard/IR/GuardConvert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

Location ptc::cpu::unknownLoc(MLIRContext *context) { return UnknownLoc::get(context); }

SourceLoc ptc::cpu::sourceLocOf(Location loc) {
  SourceLoc place;
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    place.file = file.getFilename().str();
    place.line = file.getLine();
    place.column = file.getColumn();
  }
  return place;
}

/// What an operation is in the user's program, who knows operations of PyTorch only.
static StringRef nameForUser(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace(), name = op->getName().stripDialect();
  if (dialect == "aten" || dialect == "random")
    return op->getName().getStringRef();
  if (dialect == "scf")
    return "control flow on data";
  if (dialect != "program")
    return "computing with numbers or elements";
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"state", "init", "get_state", "set_state", "home", "finish"},
             "state that calls leave behind")
      .Cases({"view", "place", "retype"}, "a view")
      .Case("scatter", "writing to a view")
      .Case("item", "reading an element")
      .Cases({"weight", "literal"}, "a constant tensor")
      .Case("tensor", "making a tensor of numbers")
      .Cases({"pick", "map", "undef"}, "a choice by data")
      .Case("print", "print()")
      .Case("text_length", "the length of a text")
      .Case("seed", "seeding a generator")
      .Case("clock", "reading a clock")
      .Case("end", "a result")
      .StartsWith("list.", "a list whose length data decides")
      .Default("arithmetic with run-time numbers");
}

llvm::Error ptc::cpu::refuse(Operation *op, const Twine &why) {
  Diagnostic diag = makeDiagnostic(DiagId::UnsupportedOperation, sourceLocOf(op->getLoc()),
                                   nameForUser(op), why.str());
  auto variant = op->getParentOfType<program::VariantOp>();
  if (auto calls = variant ? variant->getAttrOfType<StringAttr>(kCallsAttr) : StringAttr())
    diag.note("in the variant for calls with " + calls.getValue().str());
  return makeError(std::move(diag));
}

Host::Host(ProgramBuilder &program, Operation *owner, StringRef symbol)
    : program(program), owner(owner), variant(dyn_cast<program::VariantOp>(owner)),
      b(unknownLoc(owner->getContext()), owner->getContext()) {
  b.setInsertionPointToEnd(program.code.module->getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  function = func::FuncOp::create(b, symbol, b.getFunctionType({pointer}, {b.getI32Type()}));
  function->setAttr(kStepsAttr, b.getUnitAttr());
  b.setInsertionPointToStart(function.addEntryBlock());
  frame = function.getArgument(0);
}

Block *Host::newBlock(TypeRange types) {
  auto *block = new Block();
  function.getBody().push_back(block);
  for (Type type : types)
    block->addArgument(type, b.getLoc());
  return block;
}

Type Host::lowerType(Type type) {
  if (isa<RankedTensorType, program::ListType>(type))
    return LLVM::LLVMPointerType::get(b.getContext());
  return type.isIntOrIndexOrFloat() ? type : Type();
}

llvm::Error Host::checkTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (!lowerType(type))
      return refuse(op, "a value of this type");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Where it begins
//===----------------------------------------------------------------------===//

/// What the guards of a variant, which hold where its code runs, say about a size of an input.
static sym::Interval guardedSize(const sym::GuardSet &guards, const sym::ObservableSpace &space,
                                 StringRef path, int64_t dimension) {
  sym::Interval size{0, sym::Interval::kMax};
  SmallVector<int64_t> others;
  for (const sym::Guard &guard : guards.guards()) {
    std::optional<sym::UnaryAtom> atom = sym::asUnary(guard.atom);
    if (!atom)
      continue;
    const sym::Observable &seen = space.observable(atom->symbol);
    if (seen.kind != sym::ObservableKind::Size || seen.path != path || seen.index != dimension)
      continue;
    if (atom->relation == sym::Relation::NotEqual)
      others.push_back(atom->value);
    if (atom->relation == sym::Relation::GreaterEqual || atom->relation == sym::Relation::Equal)
      size.lower = std::max(size.lower, atom->value);
    if (atom->relation == sym::Relation::LessEqual || atom->relation == sym::Relation::Equal)
      size.upper = std::min(size.upper, atom->value);
  }
  while (llvm::is_contained(others, size.lower))
    ++size.lower;
  return size.lower <= size.upper ? size : sym::Interval{0, sym::Interval::kMax};
}

/// The guards of a variant; none where it has no set of its own.
static sym::GuardSet guardsOf(program::VariantOp variant, sym::ObservableSpace &space) {
  for (auto set : variant->getParentOp()->getRegion(0).getOps<guard::SetOp>())
    if (set.getVariant() == variant.getSymName())
      if (FailureOr<sym::GuardSet> guards = guard::readGuards(set, space); succeeded(guards))
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): succeeded() tests it
        return std::move(*guards);
  return {};
}

void Host::readInputs() {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  services = load(pointer, frame, offsetof(ptc_frame, services));
  weights = load(pointer, frame, offsetof(ptc_frame, weights));
  if (!variant)
    return declareSymbols();
  Value inputs = load(pointer, frame, offsetof(ptc_frame, inputs));
  SmallVector<Value> tensors;
  for (auto [i, arg] : llvm::enumerate(variant.getBody().getArguments())) {
    Value leaf = offsetBy(inputs, uint64_t(variant.getLeaves()[i]) * sizeof(ptc_value));
    if (!isa<RankedTensorType>(arg.getType())) {
      tensors.emplace_back();
      set(arg, readNumber(arg.getType(), leaf));
      continue;
    }
    Value tensor = load(pointer, leaf, offsetof(ptc_value, as));
    Value data = load(pointer, tensor, offsetof(DLTensor, data));
    Value offset = load(b.getI64Type(), tensor, offsetof(DLTensor, byte_offset));
    tensors.push_back(tensor);
    Value address = offsetBy(data, offset);
    // Without elements it may be null, which means here that there is no tensor.
    auto type = cast<RankedTensorType>(arg.getType());
    if (!type.hasStaticShape() || type.getNumElements() == 0)
      address = arith::SelectOp::create(b, isNull(address), tensor, address);
    set(arg, address);
  }
  sym::ObservableSpace space;
  const sym::GuardSet guards = guardsOf(variant, space);
  for (const program::SizeSymbol &row : program::sizeSymbols(variant)) {
    if (symbols.findSymbol(row.name))
      continue;
    const bool isNumber = row.formula.empty() && !tensors[row.input];
    sym::Interval bounds{isNumber ? sym::Interval::kMin : 0, sym::Interval::kMax};
    if (!isNumber && row.formula.empty() && !row.isStride)
      bounds =
          guardedSize(guards, space, cast<StringAttr>(variant.getInputs()[row.input]).getValue(),
                      row.dimension);
    sym::SymbolInfo info{.name = row.name.str(), .lower = bounds.lower};
    if (bounds.upper != sym::Interval::kMax)
      info.upper = bounds.upper;
    sym::Expr symbol = symbols.symbol(std::move(info));
    symbolValues[symbol.symbol()] = valueOf(row, tensors);
    inputSymbols.insert(symbol.symbol());
  }
  declareSymbols();
}

/// A symbol's value at entry; formulas are of symbols that have theirs.
Value Host::valueOf(const program::SizeSymbol &row, ArrayRef<Value> tensors) {
  if (!row.formula.empty()) {
    std::optional<sym::Expr> formula = symbols.parse(row.formula);
    assert(formula && "capture writes formulas of symbols before");
    return llvm::cantFail(evaluate(*formula, variant));
  }
  BlockArgument arg = variant.getBody().getArgument(row.input);
  return tensors[row.input]
             ? sizeOfInput(cast<RankedTensorType>(arg.getType()), tensors[row.input], row)
             : get(arg);
}

/// Without strides a tensor is dense in row-major order; empty dimensions count as 1.
Value Host::sizeOfInput(RankedTensorType type, Value tensor, const program::SizeSymbol &row) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value shape = load(pointer, tensor, offsetof(DLTensor, shape));
  int64_t dimension = row.dimension;
  if (!row.isStride)
    return load(b.getI64Type(), shape, uint64_t(dimension) * 8);
  Value dense = i64(1);
  for (int64_t d = type.getRank() - 1; d > dimension; --d) {
    Value size = load(b.getI64Type(), shape, uint64_t(d) * 8);
    dense = arith::MulIOp::create(b, dense, arith::MaxSIOp::create(b, size, i64(1)));
  }
  Value strides = load(pointer, tensor, offsetof(DLTensor, strides));
  Value isDense = isNull(strides);
  Value readable = LLVM::SelectOp::create(b, isDense, shape, strides);
  return LLVM::SelectOp::create(b, isDense, dense,
                                load(b.getI64Type(), readable, uint64_t(dimension) * 8));
}

/// An int given where a float is meant is that float.
Value Host::readNumber(Type type, Value leaf) {
  if (!type.isF64())
    return loadNumber(type, leaf);
  Value tag = load(b.getI8Type(), leaf, offsetof(ptc_value, tag));
  Value real = load(type, leaf, offsetof(ptc_value, as));
  Value whole = load(b.getI64Type(), leaf, offsetof(ptc_value, as));
  Value isFloat = LLVM::ICmpOp::create(
      b, LLVM::ICmpPredicate::eq, tag,
      Value(LLVM::ConstantOp::create(b, b.getI8Type(), b.getI8IntegerAttr(ptc_tag_Float))));
  return LLVM::SelectOp::create(b, isFloat, real, Value(LLVM::SIToFPOp::create(b, type, whole)));
}

/// The plan's part of the arena comes first, what kernels need for themselves behind it. Constant
/// sizes: the stub has seen to it; else it is asked here.
llvm::Error Host::openArena() {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  // What makes a context has no plan: it computes no tensors.
  auto text = owner->getAttrOfType<StringAttr>(plan::kArenaAttr);
  std::optional<sym::Expr> size = text      ? symbols.parse(text.getValue())
                                  : variant ? std::nullopt
                                            : std::optional(symbols.constant(0));
  if (!size)
    return refuse(owner, "it is not planned");
  sharedBytes = LLVM::ConstantOp::create(b, b.getI64Type(), 0);
  threadBytes = LLVM::ConstantOp::create(b, b.getI64Type(), 0);
  Value flag;
  llvm::Expected<Value> bytes = evaluate(*size, owner, &flag);
  if (!bytes)
    return bytes.takeError();
  Value aligned =
      LLVM::AndOp::create(b, LLVM::AddOp::create(b, orTooMuch(*bytes, flag), i64(63)), i64(-64));
  if (std::optional<int64_t> constant = size->asConstant()) {
    out->arenaBytes = llvm::alignTo(uint64_t(*constant), PTC_ALIGNMENT);
  } else {
    Value threads = LLVM::ZExtOp::create(b, b.getI64Type(),
                                         load(b.getI32Type(), frame, offsetof(ptc_frame, threads)));
    Value own = LLVM::MulOp::create(b, threads, threadBytes);
    Value all = LLVM::AddOp::create(b, aligned, LLVM::AddOp::create(b, sharedBytes, own));
    returnIfFailed(
        callService(offsetof(ptc_services, arena), b.getI32Type(), {frame, all}).getResult());
  }
  arena = load(pointer, frame, offsetof(ptc_frame, arena));
  scratch = offsetBy(arena, aligned);
  return llvm::Error::success();
}

void Host::setScratch(const Scratch &bytes) {
  sharedBytes.setValueAttr(b.getI64IntegerAttr(int64_t(bytes.shared)));
  threadBytes.setValueAttr(b.getI64IntegerAttr(int64_t(bytes.perThread)));
}

llvm::Error Host::run(VariantCode &code) {
  out = &code;
  code.symbol = function.getSymName().str();
  if (variant)
    for (plan::KernelOp kernel : plan::kernelsOf(variant))
      kernelNumbers.try_emplace(kernel, kernelNumbers.size());
  code.kernels.resize(kernelNumbers.size());
  code.firstKernel = std::exchange(program.numKernels, program.numKernels + code.kernels.size());
  readInputs();
  findPendingStates();
  if (llvm::Error error = openArena())
    return error;
  if (variant) {
    // Results that are written where they are made are known before the end is reached.
    auto finish = cast<program::FinishOp>(variant.getBody().front().getTerminator());
    if (finish.getOutcomes().size() == 1)
      numberStorages(finish.getOutcomes().front().front());
  }
  if (llvm::Error error = emitBlock(owner->getRegion(0).front()))
    return error;
  if (!variant) {
    commit(0);
    func::ReturnOp::create(b, i32(ptc_status_ok));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

llvm::Error Host::emitBlock(Block &block) {
  for (Operation &op : block) {
    if (isa<scf::YieldOp, scf::ConditionOp>(op))
      continue; // whoever emits the region looks at them
    if (llvm::Error error = emit(&op))
      return error;
  }
  return llvm::Error::success();
}

/// Emits a side and goes to `after` with what it yields.
llvm::Error Host::emitSide(Region &region, Block *after) {
  SmallVector<Value> yielded;
  if (!region.empty()) {
    if (llvm::Error error = emitBlock(region.front()))
      return error;
    for (Value value : region.front().getTerminator()->getOperands())
      append(value, yielded);
  }
  cf::BranchOp::create(b, after, yielded);
  return llvm::Error::success();
}

llvm::Error Host::emitIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  if (llvm::Error error = checkTypes(op, op->getResultTypes()))
    return error;
  Block *taken = newBlock(), *other = newBlock();
  Block *after = newBlock(lowerTypes(op->getResultTypes()));
  cf::CondBranchOp::create(b, get(branch.getCondition()), taken, ValueRange(), other, ValueRange());
  for (auto [block, region] :
       {std::pair(taken, &branch.getThenRegion()), std::pair(other, &branch.getElseRegion())}) {
    b.setInsertionPointToEnd(block);
    if (llvm::Error error = emitSide(*region, after))
      return error;
  }
  b.setInsertionPointToEnd(after);
  define(op->getResults(), after->getArguments());
  return llvm::Error::success();
}

llvm::Error Host::emitSwitch(Operation *op) {
  auto branch = cast<scf::IndexSwitchOp>(op);
  if (llvm::Error error = checkTypes(op, op->getResultTypes()))
    return error;
  Block *after = newBlock(lowerTypes(op->getResultTypes()));
  Value selector = arith::IndexCastOp::create(b, b.getI64Type(), get(branch.getArg()));
  SmallVector<Block *> blocks;
  SmallVector<Region *> regions;
  SmallVector<APInt> numbers;
  for (auto [number, region] : llvm::zip(branch.getCases(), branch.getCaseRegions())) {
    numbers.emplace_back(64, uint64_t(number));
    regions.push_back(&region);
    blocks.push_back(newBlock());
  }
  Block *otherwise = newBlock();
  SmallVector<ValueRange> noOperands(blocks.size());
  cf::SwitchOp::create(b, selector, otherwise, ValueRange(), numbers, blocks, noOperands);
  blocks.push_back(otherwise);
  regions.push_back(&branch.getDefaultRegion());
  for (auto [block, region] : llvm::zip_equal(blocks, regions)) {
    b.setInsertionPointToEnd(block);
    if (llvm::Error error = emitSide(*region, after))
      return error;
  }
  b.setInsertionPointToEnd(after);
  define(op->getResults(), after->getArguments());
  return llvm::Error::success();
}

/// What is carried is copied into its place where the loop is entered and at the end of a turn;
/// what may lie where another carried value lies, by way of its staging place.
llvm::Error Host::settleCarried(scf::WhileOp loop, ValueRange given, SmallVectorImpl<Value> &out) {
  SmallVector<Value> from;
  for (Value value : given)
    from.push_back(get(value));
  for (StringRef name : {StringRef(plan::kStagingAttr), StringRef(plan::kPlacesAttr)}) {
    auto places = loop->getAttrOfType<ArrayAttr>(name);
    if (!places)
      continue;
    for (auto [i, attr] : llvm::enumerate(places)) {
      auto place = dyn_cast<plan::PlaceAttr>(attr);
      if (!place)
        continue;
      BlockArgument arg = loop.getBeforeArguments()[i];
      bindOperands(given[i]);
      llvm::Expected<Value> memory = placeFor(arg, place, loop);
      if (!memory)
        return memory.takeError();
      // A value that a path does not have stays null, and what was written in place where it is.
      Block *copies = newBlock(), *after = newBlock({memory->getType()});
      Value isThere = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, from[i], *memory);
      Value isSettled = arith::OrIOp::create(b, isThere, isNull(from[i]));
      cf::CondBranchOp::create(b, isSettled, after, ValueRange(from[i]), copies, ValueRange());
      b.setInsertionPointToEnd(copies);
      if (llvm::Error error = copy(from[i], *memory, arg.getType(), loop))
        return error;
      cf::BranchOp::create(b, after, *memory);
      b.setInsertionPointToEnd(after);
      from[i] = after->getArgument(0);
    }
  }
  for (auto [value, address] : llvm::zip_equal(given, from)) {
    out.push_back(address);
    llvm::append_range(out, extents.lookup(value));
  }
  return llvm::Error::success();
}

/// Gives back what a turn has asked for and does not hand on. `before`: where the loop is entered,
/// behind it it is known what was there before.
void Host::releaseBlocks(scf::WhileOp loop, Operation *before, ArrayRef<Value> carried) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> addresses;
  for (Value value : carried)
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      addresses.push_back(value);
  Value table = stackSlot(8 * addresses.size());
  for (auto [i, address] : llvm::enumerate(addresses))
    store(address, table, 8 * i);
  bool hasList = llvm::any_of(loop.getInits().getTypes(), llvm::IsaPred<program::ListType>);
  Block *end = b.getInsertionBlock();
  b.setInsertionPointAfter(before);
  Value mark = callService(offsetof(ptc_services, mark), b.getI64Type(), frame).getResult();
  b.setInsertionPointToEnd(end);
  callService(offsetof(ptc_services, release), {},
              {frame, mark, table, i32(int64_t(addresses.size())), i32(hasList)});
}

llvm::Error Host::emitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  for (TypeRange types : {TypeRange(loop.getInits()), TypeRange(op->getResultTypes())})
    if (llvm::Error error = checkTypes(op, types))
      return error;
  Block *head = newBlock(lowerTypes(TypeRange(loop.getInits())));
  Block *body = newBlock(), *after = newBlock();
  SmallVector<Value> carried;
  unsigned blocksBefore = numBlocks;
  Operation *before = i64(0).getDefiningOp();
  if (llvm::Error error = settleCarried(loop, loop.getInits(), carried))
    return error;
  cf::BranchOp::create(b, head, carried);
  b.setInsertionPointToEnd(head);
  define(loop.getBeforeArguments(), head->getArguments());
  if (llvm::Error error = emitBlock(*loop.getBeforeBody()))
    return error;
  scf::ConditionOp condition = loop.getConditionOp();
  // Both ways lie below the head: what it computes is seen there.
  for (auto [i, value] : llvm::enumerate(condition.getArgs())) {
    alias(loop.getAfterArguments()[i], value);
    alias(loop.getResult(unsigned(i)), value);
  }
  cf::CondBranchOp::create(b, get(condition.getCondition()), body, ValueRange(), after,
                           ValueRange());
  b.setInsertionPointToEnd(body);
  if (llvm::Error error = emitBlock(*loop.getAfterBody()))
    return error;
  carried.clear();
  if (llvm::Error error = settleCarried(loop, loop.getYieldedValues(), carried))
    return error;
  if (numBlocks != blocksBefore)
    releaseBlocks(loop, before, carried);
  cf::BranchOp::create(b, head, carried);
  b.setInsertionPointToEnd(after);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Something of the type: nothing reads it.
Value Host::undefined(Type type) {
  if (isa<RankedTensorType, program::ListType>(type))
    return LLVM::ZeroOp::create(b, lowerType(type));
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

llvm::Error Host::emit(Operation *op) {
  bindOperands(op->getOperands());
  if (llvm::Error error = emitOperation(op))
    return error;
  return keepExtents(op);
}

llvm::Error Host::emitOperation(Operation *op) {
  llvm::Expected<bool> isNumber = emitNumber(op);
  if (!isNumber)
    return isNumber.takeError();
  if (*isNumber)
    return llvm::Error::success();
  llvm::Expected<bool> isList = emitList(op);
  if (!isList)
    return isList.takeError();
  if (*isList)
    return llvm::Error::success();
  return llvm::TypeSwitch<Operation *, llvm::Error>(op)
      .Case([&](scf::IfOp) { return emitIf(op); })
      .Case([&](scf::IndexSwitchOp) { return emitSwitch(op); })
      .Case([&](scf::WhileOp) { return emitWhile(op); })
      .Case([&](program::UndefOp undef) -> llvm::Error {
        if (llvm::Error error = checkTypes(op, op->getResultTypes()))
          return error;
        set(undef.getResult(), undefined(undef.getType()));
        for (sym::SymbolId id : dataSymbolsOf(undef.getType()))
          bindSymbol(id, i64(0));
        return llvm::Error::success();
      })
      .Case([&](program::RetypeOp retype) { return emitRetype(retype); })
      .Case([&](plan::KernelOp kernel) { return emitKernel(kernel); })
      .Case([&](plan::CheckOp check) -> llvm::Error {
        emitCheck(check);
        return llvm::Error::success();
      })
      .Case([&](program::ViewOp view) { return emitView(view); })
      .Case([&](program::ScatterOp scatter) { return emitScatter(scatter); })
      .Case([&](program::ItemOp item) { return emitItem(item); })
      .Case([&](program::TensorOp tensor) { return emitTensor(tensor); })
      .Case([&](program::WeightOp weight) { return emitWeight(weight); })
      .Case([&](program::LiteralOp literal) { return emitLiteral(literal); })
      .Case([&](program::GetStateOp state) { return emitGetState(state); })
      .Case([&](program::SetStateOp state) { return emitSetState(state); })
      .Case([&](program::PlaceOp place) { return emitPlace(place); })
      .Case([&](program::PrintOp print) { return emitPrint(print); })
      .Case([&](program::SeedOp seed) { return emitSeed(seed); })
      .Case([&](program::TurnOp) { return llvm::Error::success(); })
      .Case([&](program::ClockOp clock) -> llvm::Error {
        set(clock.getResult(), callService(offsetof(ptc_services, clock), b.getI64Type(),
                                           {frame, i32(int64_t(clock.getClock()))})
                                   .getResult());
        return llvm::Error::success();
      })
      .Case([&](program::FinishOp finish) { return emitFinish(finish); })
      .Default([&](Operation *other) { return emitAten(other); });
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Kernels are the object's own; variants are seen by what is linked with it.
static void setVisibility(ModuleOp code) {
  code.walk([&](LLVM::LLVMFuncOp function) {
    if (function.isExternal())
      return;
    if (SymbolTable::getSymbolVisibility(function) == SymbolTable::Visibility::Private) {
      function.setLinkage(LLVM::Linkage::Internal);
      return;
    }
    function.setVisibility_(LLVM::Visibility::Hidden);
    function.setDsoLocal(true);
  });
}

/// Kernels of a device, behind functions that launch them.
static llvm::Expected<LoweredKernels> lowerForDevice(ProgramCode &code, const CodeOptions &options,
                                                     DeviceLowering device) {
  auto kernels = bufferizeKernels(*code.module);
  if (!kernels)
    return kernels.takeError();
  llvm::Expected<DeviceCode> made = device(**kernels, code.draws, options);
  if (!made)
    return made.takeError();
  code.device = std::move(*made);
  LoweredKernels lowered;
  lowered.scratch.shared = code.device.scratchBytes;
  for (auto function : llvm::make_early_inc_range((*kernels)->getOps<func::FuncOp>())) {
    lowered.code[function.getSymName()].function = function.getSymName().str();
    function->moveBefore(code.module->getBody(), code.module->getBody()->end());
  }
  return lowered;
}

static llvm::Expected<LoweredKernels> lowerFor(ProgramCode &code, const CodeOptions &options,
                                               DeviceLowering device) {
  if (device)
    return lowerForDevice(code, options, device);
  llvm::Expected<Isa> isa = isaOf(options);
  if (!isa)
    return isa.takeError();
  return lowerKernels(*code.module, *isa, options);
}

llvm::Expected<ProgramCode> ptc::cpu::lowerProgram(ModuleOp module, const CodeOptions &options,
                                                   DeviceLowering device) {
  assert(options.gpu.empty() == !device && "kernels of a GPU are lowered by its target");
  auto entries = module.getOps<program::EntryOp>();
  if (entries.empty())
    return makeError(DiagId::InternalError, {}, "the module has no program.entry");
  MLIRContext *context = module.getContext();
  loadDialects(*context);
  ProgramCode code;
  code.module = ModuleOp::create(unknownLoc(context));
  llvm::Expected<plan::CostModel> cost = costModelOf(options);
  if (!cost)
    return cost.takeError();
  ProgramBuilder builder(module, code, std::move(*cost), bool(device));
  auto entry = *entries.begin();
  std::vector<std::unique_ptr<Host>> hosts;
  for (auto state : entry.getBody().getOps<program::StateOp>())
    code.states.push_back({state.getName().str(), state.getType()});
  VariantCode init;
  for (auto op : entry.getBody().getOps<program::InitOp>()) {
    hosts.push_back(std::make_unique<Host>(builder, op, "ptc_init"));
    if (llvm::Error error = hosts.back()->run(init))
      return std::move(error);
    code.initSymbol = init.symbol;
    // It runs once, and a block of a thousand draws costs optimizers their square.
    auto function = code.module->lookupSymbol<func::FuncOp>(init.symbol);
    function->setAttr("passthrough", OpBuilder(context).getStrArrayAttr({"noinline", "optnone"}));
  }
  for (auto variant : entry.getBody().getOps<program::VariantOp>()) {
    std::string symbol = ("ptc_variant_" + variant.getSymName()).str();
    hosts.push_back(std::make_unique<Host>(builder, variant, symbol));
    code.variants.emplace_back();
    if (llvm::Error error = hosts.back()->run(code.variants.back()))
      return std::move(error);
  }
  llvm::Expected<LoweredKernels> lowered = lowerFor(code, options, device);
  if (!lowered)
    return lowered.takeError();
  std::vector<std::string> called(builder.numKernels); // what is called for each kernel
  code.module->walk([&](func::CallOp call) {
    if (auto number = call->getAttrOfType<IntegerAttr>(kKernelAttr))
      called[size_t(number.getInt())] = call.getCallee().str();
  });
  giveFrames(*code.module);
  placeWeights(*code.module, code);
  Scratch scratch = lowered->scratch;
  code.initArenaBytes = init.arenaBytes + scratch.shared + scratch.perThread;
  for (VariantCode &variant : code.variants) {
    variant.arenaBytes += scratch.shared;
    variant.threadBytes = scratch.perThread;
    for (auto [i, kernel] : llvm::enumerate(variant.kernels))
      if (const std::string &name = called[variant.firstKernel + i]; !name.empty())
        kernel = lowered->code[name];
  }
  for (auto &host : hosts)
    host->setScratch(scratch);
  std::optional<KernelTimer> timer;
  if (options.timesKernels)
    timer.emplace(*code.module, builder.numKernels);
  runSections(*code.module, options, timer ? &*timer : nullptr);
  if (llvm::Error error = lowerToLLVM(*code.module))
    return std::move(error);
  setVisibility(*code.module);
  return std::move(code);
}
