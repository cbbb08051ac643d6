//===- Sections.cpp - Stretches of kernels for several threads -------------------------------===//
//
// In: host functions that call kernels, some of which a team of threads may run. Out: stretches of
// such calls as functions of their own, ptc_section, that the pool runs on all threads of the call:
// every kernel has its barrier, and what is too small for a team runs on the first thread.
//
//===----------------------------------------------------------------------===//
#include "Kernels.h"

#include "Emitters/Team.h"

#include "ptc/Runtime/Frame.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

namespace {

class Sections {
public:
  Sections(ModuleOp code, double worth, const KernelTimer *timer)
      : code(code), b(code.getLoc(), code.getContext()), worth(worth), timer(timer) {
    for (auto function : code.getOps<func::FuncOp>())
      if (function->hasAttr(kSecondsAttr))
        kernels[function.getSymName()] = function;
  }

  void run() {
    for (auto function : llvm::make_early_inc_range(code.getOps<func::FuncOp>()))
      if (function.isPublic() && !function.isExternal())
        for (Block &block : function.getBody())
          walk(function, block);
    for (auto [function, call] : mayFail)
      returnIfFailed(function, call);
  }

private:
  struct Stretch {
    SmallVector<func::CallOp> calls;
    double seconds = 0; ///< of kernels for teams
    bool hasTeam = false, isTypical = false;
  };

  func::FuncOp kernelOf(Operation &op) {
    auto call = dyn_cast<func::CallOp>(op);
    return call ? kernels.lookup(call.getCallee()) : func::FuncOp();
  }

  void walk(func::FuncOp function, Block &block) {
    Stretch stretch;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (func::FuncOp kernel = kernelOf(op)) {
        stretch.calls.push_back(cast<func::CallOp>(op));
        if (kernel->hasAttr(kTeamAttr)) {
          stretch.hasTeam = true;
          stretch.seconds += kernel->getAttrOfType<FloatAttr>(kSecondsAttr).getValueAsDouble();
          stretch.isTypical |= kernel->hasAttr(kTypicalAttr);
        }
      } else if (op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
                 !op.hasTrait<OpTrait::IsTerminator>()) {
        // Kernels give no values: what is computed between them may be computed before them.
        if (!stretch.calls.empty())
          op.moveBefore(stretch.calls.front());
      } else {
        finish(function, stretch);
        stretch = {};
      }
    }
    finish(function, stretch);
  }

  void finish(func::FuncOp function, Stretch &stretch) {
    if (stretch.hasTeam && stretch.seconds >= worth)
      return outline(function, stretch);
    for (func::CallOp call : stretch.calls) {
      b.setInsertionPoint(call);
      if (kernelOf(*call)->hasAttr(kTeamAttr)) {
        addArguments(call,
                     {number(0), number(1), serviceOf(function, offsetof(ptc_services, barrier))});
        if (kernelOf(*call)->hasAttr(kFrameAttr))
          mayFail.emplace_back(function, call);
      }
      if (timer) {
        Value begin = KernelTimer::now(b);
        b.setInsertionPointAfter(call);
        timer->add(b, call, begin);
      }
    }
  }

  Value number(int32_t n) { return LLVM::ConstantOp::create(b, b.getI32Type(), n); }
  Value load(Value at, uint64_t offset) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::LoadOp::create(b, pointer,
                                LLVM::GEPOp::create(b, pointer, b.getI8Type(), at,
                                                    ArrayRef<LLVM::GEPArg>(int32_t(offset))));
  }
  /// The pointer of a service, loaded where the function begins.
  Value serviceOf(func::FuncOp function, uint64_t offset) {
    Value &service = services[{function, offset}];
    if (!service) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function.getBody().front());
      service = load(load(function.getArgument(0), offsetof(ptc_frame, services)), offset);
    }
    return service;
  }
  static void addArguments(func::CallOp call, ValueRange more) {
    call.getOperandsMutable().append(more);
  }

  void outline(func::FuncOp function, Stretch &stretch) {
    MutableArrayRef<func::CallOp> calls = stretch.calls;
    b.setLoc(calls.front().getLoc());
    // What the calls take, each once.
    llvm::MapVector<Value, unsigned> taken;
    SmallVector<Type> types;
    auto take = [&](Value v) {
      if (taken.try_emplace(v, unsigned(types.size())).second)
        types.push_back(v.getType());
    };
    for (func::CallOp call : calls)
      for (Value operand : call.getOperands())
        if (!constantOf(operand))
          take(operand);
    Value barrier = serviceOf(function, offsetof(ptc_services, barrier));
    take(barrier);
    auto record = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    LLVM::LLVMFuncOp section = makeSection(record, taken, barrier, calls);

    b.setInsertionPointToStart(&function.getBody().front());
    Value memory = LLVM::AllocaOp::create(
        b, pointer, record, LLVM::ConstantOp::create(b, b.getI64Type(), 1), /*alignment=*/16);
    b.setInsertionPoint(calls.front());
    for (auto [value, i] : taken)
      LLVM::StoreOp::create(b, value, fieldOf(record, memory, i));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                            {pointer, pointer, pointer, b.getI32Type()});
    // Where it may take longer than it often does, threads are worth waiting for.
    double microseconds =
        stretch.isTypical ? INT32_MAX : std::min(stretch.seconds * 1e6, double(INT32_MAX));
    LLVM::CallOp::create(b, type,
                         ValueRange{serviceOf(function, offsetof(ptc_services, parallel)),
                                    function.getArgument(0), LLVM::AddressOfOp::create(b, section),
                                    memory, number(int32_t(microseconds))});
    bool asksForMemory = llvm::any_of(
        calls, [&](func::CallOp call) { return kernelOf(*call)->hasAttr(kFrameAttr); });
    if (asksForMemory)
      mayFail.emplace_back(function, &*std::prev(b.getInsertionPoint()));
    for (func::CallOp call : calls)
      call.erase();
  }

  static Operation *constantOf(Value v) {
    Operation *op = v.getDefiningOp();
    return op && op->hasTrait<OpTrait::ConstantLike>() ? op : nullptr;
  }
  Value fieldOf(Type record, Value memory, unsigned i) {
    return LLVM::GEPOp::create(b, memory.getType(), record, memory,
                               ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
  }

  LLVM::LLVMFuncOp makeSection(LLVM::LLVMStructType record,
                               const llvm::MapVector<Value, unsigned> &taken, Value barrier,
                               MutableArrayRef<func::CallOp> calls) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                            {pointer, b.getI32Type(), b.getI32Type()});
    b.setInsertionPointToEnd(code.getBody());
    auto section = LLVM::LLVMFuncOp::create(b, "ptc_section_" + std::to_string(numSections++), type,
                                            LLVM::Linkage::Internal);
    SymbolTable::setSymbolVisibility(section, SymbolTable::Visibility::Private);
    section->setAttr(kStepsAttr, b.getUnitAttr());
    Block *entry = section.addEntryBlock(b);
    b.setInsertionPointToStart(entry);
    IRMapping mapping;
    for (auto [value, i] : taken)
      mapping.map(value, LLVM::LoadOp::create(b, value.getType(),
                                              fieldOf(record, entry->getArgument(0), i)));
    TeamArguments team = {entry->getArgument(1), entry->getArgument(2), mapping.lookup(barrier)};
    LoopBuilder l(entry);
    for (func::CallOp call : calls) {
      l.b.setLoc(call.getLoc());
      Value begin = timer ? KernelTimer::now(l.b) : Value();
      auto clone = [&] {
        for (Value operand : call.getOperands())
          if (Operation *constant = constantOf(operand))
            mapping.map(operand, l.b.clone(*constant)->getResult(0));
        auto copy = cast<func::CallOp>(l.b.clone(*call, mapping));
        if (kernelOf(*call)->hasAttr(kTeamAttr))
          addArguments(copy, {team.thread, team.num, team.barrier});
      };
      if (kernelOf(*call)->hasAttr(kTeamAttr)) {
        clone();
      } else {
        Value zero = arith::ConstantOp::create(l.b, l.b.getI32IntegerAttr(0));
        l.when(l.compare(arith::CmpIPredicate::eq, team.thread, zero), clone);
      }
      // A kernel takes as long as the last of its threads.
      if (call != calls.back() || timer)
        emitBarrier(l, team);
      if (timer)
        timer->add(l.b, call, begin, team.thread);
    }
    LLVM::ReturnOp::create(l.b, ValueRange());
    return section;
  }

  ModuleOp code;
  ImplicitLocOpBuilder b;
  double worth; ///< seconds of a section
  const KernelTimer *timer;
  llvm::StringMap<func::FuncOp> kernels; ///< by name
  /// Calls of kernels, or of sections, behind which an error may be written.
  SmallVector<std::pair<func::FuncOp, Operation *>> mayFail;
  llvm::DenseMap<std::pair<Operation *, uint64_t>, Value> services;
  unsigned numSections = 0;
};

} // namespace

void ptc::cpu::runSections(ModuleOp code, const CodeOptions &options, const KernelTimer *timer) {
  Sections(code, options.sectionSeconds, timer).run();
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Ticks and runs of one kernel.
static Type timeRow(MLIRContext *context) {
  Type number = IntegerType::get(context, 64);
  return LLVM::LLVMStructType::getLiteral(context, {number, number});
}

/// One row more than there are kernels: threads that do not count add to it.
KernelTimer::KernelTimer(ModuleOp code, size_t numKernels) : numKernels(numKernels) {
  ImplicitLocOpBuilder b(code.getLoc(), code.getContext());
  b.setInsertionPointToStart(code.getBody());
  auto type = LLVM::LLVMArrayType::get(timeRow(b.getContext()), unsigned(numKernels + 1));
  auto table = LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::External,
                                      kKernelTimes, Attribute(), /*alignment=*/64);
  b.setInsertionPointToEnd(&table.getInitializerRegion().emplaceBlock());
  Value zeros = LLVM::ZeroOp::create(b, type);
  LLVM::ReturnOp::create(b, zeros);
}

Value KernelTimer::now(ImplicitLocOpBuilder &b) {
  return LLVM::CallIntrinsicOp::create(b, b.getI64Type(), b.getStringAttr("llvm.readcyclecounter"),
                                       ValueRange())
      .getResult(0);
}

void KernelTimer::add(ImplicitLocOpBuilder &b, Operation *call, Value begin, Value thread) const {
  auto kernel = call->getAttrOfType<IntegerAttr>(kKernelAttr);
  if (!kernel)
    return; // of program.init
  Value passed = LLVM::SubOp::create(b, now(b), begin);
  auto constant = [&](int64_t n) -> Value {
    return LLVM::ConstantOp::create(b, b.getI64Type(), n);
  };
  Value row = constant(kernel.getInt());
  if (thread) {
    Value zero = LLVM::ConstantOp::create(b, b.getI32Type(), 0);
    Value isFirst = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, thread, zero);
    row = LLVM::SelectOp::create(b, isFirst, row, constant(int64_t(numKernels)));
  }
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value table = LLVM::AddressOfOp::create(b, pointer, kKernelTimes);
  for (auto [field, more] : {std::pair(0, passed), std::pair(1, constant(1))}) {
    Value at = LLVM::GEPOp::create(b, pointer, timeRow(b.getContext()), table,
                                   ArrayRef<LLVM::GEPArg>{row, int32_t(field)});
    Value sum = LLVM::AddOp::create(b, LLVM::LoadOp::create(b, b.getI64Type(), at), more);
    LLVM::StoreOp::create(b, sum, at);
  }
}
