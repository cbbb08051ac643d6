//===- Native.cpp - Calls of overloads as native code -----------------------------===//
//
// In: calls. Out: how many were planned, refused and run, and what differs.
//
//===----------------------------------------------------------------------===//
#include "Native.h"

#include "Compare.h"
#include "Guarded.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Dialect/Plan/Transforms/Passes.h"
#include "ptc/Support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

using namespace ptc;
using namespace overloads;
using numerics::Call;

Cpus::Cpus() {
  struct Row {
    const char *cpu;
    unsigned level;
    bool teams; ///< every kernel that can be is for threads
    std::vector<const char *> features;
  };
  static const Row kRows[] = {
      {"x86-64-v3", 1, false, {"avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"}},
      {"x86-64-v4",
       1,
       false,
       {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "fma", "f16c", "bmi2"}},
      {"native", 2, true, {}},
  };
  const char *only = std::getenv("PTC_CPU");
  llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  for (const Row &row : kRows) {
    if (only && llvm::StringRef(only) != row.cpu)
      continue;
    if (llvm::all_of(row.features, [&](const char *feature) { return has.lookup(feature); }))
      options.push_back(row.teams ? cpu::CodeOptions{row.cpu, row.level, 0, 0}
                                  : cpu::CodeOptions{row.cpu, row.level});
    else
      std::cerr << "this machine is no " << row.cpu << ": not tried\n";
  }
  REQUIRE_FALSE(options.empty());
}

llvm::ArrayRef<cpu::CodeOptions> Cpus::next() {
  if (std::getenv("PTC_ALL") || std::getenv("PTC_OP"))
    return options;
  return options[turn++ % options.size()];
}

void Report::print() const {
  for (const auto &[family, row] : families)
    std::cerr << family << ": " << row.planned << " calls planned, " << row.refused << " refused, "
              << row.run << " runs\n";
  for (const auto &[cpu, count] : runs)
    std::cerr << cpu << ": " << count << " calls\n";
  for (const auto &[text, count] : refusals)
    std::cerr << "refused " << count << " times: " << text << '\n';
  for (const auto &[name, count] : stays)
    std::cerr << "no kernels: " << name << ", " << count << " calls\n";
  std::cerr << overloads.size() << " overloads run, " << failures.size() << " failures\n";
  for (size_t i = 0; i < failures.size() && i < 60; ++i)
    std::cerr << "  " << failures[i] << '\n';
}

//===----------------------------------------------------------------------===//
// What is wanted
//===----------------------------------------------------------------------===//

static std::optional<llvm::SmallVector<HostValue, 1>> evaluateWide(const aten::OpInfo &op,
                                                                   const Call &call) {
  aten::EvalContext context;
  auto results = aten::evaluate(op, call, context);
  if (results)
    return std::move(*results);
  llvm::consumeError(results.takeError());
  return std::nullopt;
}

Wanted::Wanted(const aten::OpInfo &op, const Call &given) : op(op), call(given) {
  aten::EvalContext context;
  auto results = aten::evaluate(op, call, context);
  if (!results) {
    llvm::handleAllErrors(results.takeError(), [&](const aten::EvalFailure &failure) {
      unknown = failure.kind == aten::EvalFailure::Kind::Unsupported;
      raised = aten::toString(failure.pythonClass).str();
    });
    return;
  }
  for (const HostValue &value : *results) {
    if (const auto *list = value.getIf<HostValue::TensorList>())
      tensors.append(list->begin(), list->end());
    else
      tensors.push_back(value.tensor());
  }
}

/// The sign of a zero that a sum gives depends on the zero that it starts with: these take theirs
/// from `expected`.
static HostTensor withZerosOf(const HostTensor &expected, const HostTensor &given) {
  if (!isFloat(given.dtype()) || given.dtype() != expected.dtype() ||
      given.sizes() != expected.sizes())
    return given;
  HostTensor result = HostTensor::zerosStrided(given.dtype(), given.sizes(), given.strides());
  result.copyFrom(given);
  HostTensor flat = expected.contiguous(), dense = result.contiguous();
  visitDType(result.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < dense.numel(); ++i)
      if (convertElement<double>(dense.data<T>()[i]) == 0 &&
          convertElement<double>(flat.data<T>()[i]) == 0)
        dense.data<T>()[i] = flat.data<T>()[i];
  });
  result.copyFrom(dense);
  return result;
}

std::string Wanted::compare(const loaded::Outcome &got) const {
  if (!raised.empty()) {
    if (got.status == ptc_status_raised && got.raisedType == raised)
      return "";
    return "the evaluator raises " + raised + ", the code gives status " +
           std::to_string(got.status) + " " + got.raisedType;
  }
  if (got.status != ptc_status_ok)
    return "status " + std::to_string(got.status) + " " + got.raisedType;
  if (tensors.size() < got.leaves.size())
    return "more results";
  bool isSame = llvm::all_of(llvm::zip(tensors, got.leaves), [](auto pair) {
    return numerics::haveSameBits(HostValue(std::get<0>(pair)), std::get<1>(pair));
  });
  if (isSame)
    return compareTensors(got, nullptr);
  auto reference =
      numerics::referenceOf(op, call, [&](const Call &wide) { return evaluateWide(op, wide); });
  return compareTensors(got, reference ? &*reference : nullptr);
}

std::string Wanted::compareTensors(const loaded::Outcome &got,
                                   const numerics::Reference *reference) const {
  size_t nextTensor = 0;
  for (auto [expected, leaf] : llvm::zip(tensors, got.leaves)) {
    if (leaf.isNone())
      return "a result is not written";
    HostValue result = op.payload.empty() && leaf.is<HostTensor>() && expected.isDefined()
                           ? HostValue(withZerosOf(expected, leaf.tensor()))
                           : leaf;
    std::string what =
        numerics::compareValues(op, HostValue(expected), result, reference, nextTensor);
    if (!what.empty())
      return what;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Batch::Batch(mlir::MLIRContext &context, Report &report)
    : report(report), module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::scf::SCFDialect, aten::AtenDialect,
                      plan::PlanDialect, program::ProgramDialect>();
  mlir::OpBuilder b = mlir::OpBuilder::atBlockEnd(module->getBody());
  entry = program::EntryOp::create(b, b.getUnknownLoc(), "forward", mlir::StringAttr());
  entry.getBody().emplaceBlock();
}

bool Batch::add(conversion::Trial trial, std::vector<Call> more) {
  if (!trial.buildVariant(entry, unsigned(items.size())))
    return false;
  more.insert(more.begin(), trial.getCall());
  items.push_back({std::move(trial), std::move(more), {}, {}});
  return true;
}

static unsigned numberOf(program::VariantOp variant) {
  unsigned number = 0;
  bool isBad = variant.getSymName().drop_front().getAsInteger(10, number);
  REQUIRE_FALSE(isBad);
  return number;
}

/// What no family takes is no part of the plan.
void Batch::plan() {
  REQUIRE(mlir::succeeded(mlir::verify(*module)));
  mlir::PassManager kernels(module->getContext());
  kernels.addPass(createAtenToKernels());
  REQUIRE(mlir::succeeded(kernels.run(*module)));
  for (auto variant : llvm::make_early_inc_range(entry.getBody().getOps<program::VariantOp>())) {
    Item &item = items[numberOf(variant)];
    aten::AtenOp left;
    variant.walk([&](aten::AtenOp op) { left = op; });
    if (left) {
      ++report.stays[item.trial.getOp().name.str()];
      variant.erase();
      continue;
    }
    variant.walk(
        [&](plan::KernelOp kernel) { item.family = stringifyFamily(kernel.getFamily()).str(); });
    ++report.families[item.family].planned;
  }
  mlir::PassManager places(module->getContext());
  places.addPass(plan::createPlanPlace());
  REQUIRE(mlir::succeeded(places.run(*module)));
}

static program::EntryOp entryOf(mlir::ModuleOp module) {
  return *module.getOps<program::EntryOp>().begin();
}

/// Every second variant of `from`, from `first` on.
static mlir::OwningOpRef<mlir::ModuleOp> halfOf(mlir::ModuleOp from, size_t first) {
  mlir::OwningOpRef<mlir::ModuleOp> half = from.clone();
  size_t i = 0;
  for (auto variant :
       llvm::make_early_inc_range(entryOf(*half).getBody().getOps<program::VariantOp>()))
    if (i++ % 2 != first)
      variant.erase();
  return half;
}

static llvm::Expected<std::unique_ptr<loaded::Program>> compile(mlir::ModuleOp module,
                                                                const cpu::CodeOptions &options) {
  auto code = cpu::lowerProgram(module, options);
  if (!code)
    return code.takeError();
  auto object = cpu::emitCode(*code->module, cpu::CodeForm::Object, options);
  if (!object)
    return object.takeError();
  auto program = loaded::Program::load(*object, std::move(*code));
  if (program && options.sectionSeconds == 0)
    (*program)->threads = 3;
  return program;
}

void Batch::compileAndRun(mlir::OwningOpRef<mlir::ModuleOp> part, const cpu::CodeOptions &options) {
  auto variants = [&] { return entryOf(*part).getBody().getOps<program::VariantOp>(); };
  while (!variants().empty()) {
    auto program = compile(*part, options);
    if (program) {
      runAll(**program, *part, options);
      return;
    }
    std::vector<Diagnostic> diags = takeDiagnostics(program.takeError());
    // One that is refused is left out; for any other reason it is looked for.
    const Diagnostic &diag = diags.front();
    size_t number = diag.loc.line;
    if (diag.id == DiagId::UnsupportedOperation && diag.loc.isKnown()) {
      Item &item = items[number];
      ++report.refusals[diag.text];
      ++report.families[item.family].refused;
      for (auto variant : llvm::make_early_inc_range(variants()))
        if (numberOf(variant) == number)
          variant.erase();
      continue;
    }
    if (llvm::hasSingleElement(variants())) {
      const Item &item = items[numberOf(*variants().begin())];
      report.failures.push_back(item.trial.getOp().name.str() + " " + item.trial.describe() +
                                " for " + options.cpu + ": " + diag.text);
      return;
    }
    compileAndRun(halfOf(*part, 0), options);
    compileAndRun(halfOf(*part, 1), options);
    return;
  }
}

void Batch::run(llvm::ArrayRef<cpu::CodeOptions> options) {
  plan();
  for (const cpu::CodeOptions &one : options)
    compileAndRun(mlir::OwningOpRef<mlir::ModuleOp>(module->clone()), one);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Batch::runAll(loaded::Program &program, mlir::ModuleOp part, const cpu::CodeOptions &options) {
  unsigned index = 0;
  for (auto variant : entryOf(part).getBody().getOps<program::VariantOp>()) {
    Item &item = items[numberOf(variant)];
    if (item.wanted.empty())
      for (const Call &call : item.calls)
        item.wanted.emplace_back(item.trial.getOp(), call);
    for (size_t call = 0; call < item.calls.size(); ++call) {
      if (std::optional<size_t> weight = item.trial.getWeight())
        program.setWeight("w" + std::to_string(numberOf(variant)),
                          item.calls[call][*weight].tensor());
      if (item.wanted[call].isUnknown())
        continue;
      std::string what = runOne(program, index, item, call);
      ++report.runs[options.cpu];
      ++report.families[item.family].run;
      report.overloads.insert(item.trial.getOp().name.str());
      if (what.empty())
        continue;
      std::string text;
      for (const HostValue &value : item.calls[call])
        (text += toString(value)) += ", ";
      report.failures.push_back(llvm::formatv("{0} {1} called with {2}for {3}: {4}",
                                              item.trial.getOp().name, item.trial.describe(), text,
                                              options.cpu, what)
                                    .str());
    }
    ++index;
  }
}

static std::vector<std::byte> bytesOf(const HostTensor &tensor) {
  const std::byte *first = tensor.storage()->data();
  return {first, first + tensor.storage()->size()};
}

std::string Batch::runOne(loaded::Program &program, unsigned variant, const Item &item,
                          size_t call) {
  for (Border border : {Border::Behind, Border::Before}) {
    GuardedMemory memory(border);
    std::vector<HostValue> inputs = item.trial.inputsOf(item.calls[call]);
    std::vector<std::vector<std::byte>> before;
    for (HostValue &input : inputs)
      if (const auto *tensor = input.getIf<HostTensor>()) {
        HostTensor copy = memory.copyOf(*tensor);
        before.push_back(bytesOf(copy));
        input = HostValue(std::move(copy));
      }
    bool isDone = true;
    program.hooks.allocate = [&](uint64_t bytes, uint64_t alignment) {
      return memory.allocate(bytes, alignment);
    };
    program.hooks.enter = [&](llvm::function_ref<ptc_status()> enter) {
      ptc_status status = ptc_status_internal;
      isDone = runTrapped([&] { status = enter(); });
      return status;
    };
    loaded::Outcome got = program.call(variant, inputs);
    std::string where = border == Border::Behind ? " (a page behind)" : " (a page before)";
    if (!isDone)
      return "touches memory that is not its own" + where;
    if (!memory.isIntact())
      return "writes memory that is not its own" + where;
    if (std::string what = item.wanted[call].compare(got); !what.empty())
      return what + where;
    size_t next = 0;
    for (const HostValue &input : inputs)
      if (const auto *tensor = input.getIf<HostTensor>())
        if (bytesOf(*tensor) != before[next++])
          return "writes an argument" + where;
  }
  return "";
}
