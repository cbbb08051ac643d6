// Programs as native code against the null target: the same calls one after the other, bit for bit.
#include "Loaded.h"

#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Plan/Transforms/Passes.h"
#include "ptc/Dialect/Program/Eval/Eval.h"
#include "ptc/Target/Target.h"
#include "ptc/TensorFile/Draw.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FileSystem.h"

#include <catch2/catch.hpp>

using namespace ptc;

namespace {

struct Compiled {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<loaded::Program> program;

  program::EntryOp entry() { return *module->getOps<program::EntryOp>().begin(); }
};

Compiled compile(const std::string &path, const std::string &cpu) {
  Compiled out;
  out.context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  out.context->loadDialect<mlir::arith::ArithDialect, mlir::scf::SCFDialect, aten::AtenDialect,
                           plan::PlanDialect, program::ProgramDialect>();
  out.module = mlir::parseSourceFile<mlir::ModuleOp>(path, out.context.get());
  REQUIRE(out.module);
  mlir::PassManager passes(out.context.get());
  passes.addPass(createAtenToKernels());
  passes.addPass(plan::createPlanPlace());
  REQUIRE(mlir::succeeded(passes.run(*out.module)));
  cpu::CodeOptions options;
  options.cpu = cpu;
  auto code = cpu::lowerProgram(*out.module, options);
  if (!code)
    FAIL(llvm::toString(code.takeError()));
  auto object = cpu::emitCode(*code->module, cpu::CodeForm::Object, options);
  if (!object)
    FAIL(llvm::toString(object.takeError()));
  auto program = loaded::Program::load(*object, std::move(*code));
  if (!program)
    FAIL(llvm::toString(program.takeError()));
  out.program = std::move(*program);
  return out;
}

HostTensor draw(mlir::RankedTensorType type, uint64_t seed) {
  llvm::SmallVector<int64_t> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(mlir::ShapedType::isDynamic(size) ? int64_t(1 + seed % 7) : size);
  llvm::SmallVector<int64_t, 4> strides = contiguousStrides(sizes);
  auto meta = mlir::dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  if (meta && meta.getStrides())
    for (auto [stride, attr] : llvm::zip_equal(strides, meta.getStrides()))
      stride = mlir::cast<mlir::IntegerAttr>(attr).getInt();
  HostTensor tensor =
      HostTensor::zerosStrided(*aten::toDType(type.getElementType()), sizes, strides);
  drawElements(tensor, seed);
  return tensor;
}

/// Whole numbers: sums of their products with others are exact in any order.
HostTensor drawWhole(mlir::RankedTensorType type, uint64_t seed) {
  HostTensor tensor = draw(type, seed);
  visitDType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i < tensor.numel(); ++i)
      tensor.data<T>()[i] = T(float((int64_t(seed) + 7 * i) % 11 - 5));
  });
  return tensor;
}

HostValue drawValue(mlir::Type type, uint64_t seed) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
    return draw(tensor, seed);
  if (type.isInteger(1))
    return seed % 2 == 0;
  if (type.isF64())
    return double(seed % 11) - 4.5;
  return int64_t(seed % 9) - 3;
}

HostValue copyOf(const HostValue &value) {
  const auto *tensor = value.getIf<HostTensor>();
  if (!tensor)
    return value;
  HostTensor copy = HostTensor::zerosStrided(tensor->dtype(), tensor->sizes(), tensor->strides());
  copy.copyFrom(*tensor);
  return copy;
}

void collect(const ExampleValue &value, std::vector<HostValue> &leaves) {
  using K = ExampleValue::Kind;
  if (value.kind == K::Tensor)
    leaves.emplace_back(value.tensor);
  else if (value.kind == K::Int)
    leaves.emplace_back(value.integer);
  else if (value.kind == K::Float)
    leaves.emplace_back(value.real);
  else if (value.kind == K::Bool)
    leaves.emplace_back(value.flag);
  for (const ExampleValue &item : value.items)
    collect(item, leaves);
}

void requireSame(const HostValue &want, const HostValue &got) {
  if (const auto *tensor = want.getIf<HostTensor>()) {
    REQUIRE(got.is<HostTensor>());
    const HostTensor &other = got.tensor();
    REQUIRE(tensor->dtype() == other.dtype());
    REQUIRE(tensor->sizes() == other.sizes());
    REQUIRE(tensor->strides() == other.strides());
    auto a = tensor->clone(), b = other.clone();
    auto x = a.contiguousBytes(), y = b.contiguousBytes();
    REQUIRE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
    return;
  }
  INFO(toString(want) << " " << toString(got));
  REQUIRE(want.sum.index() == got.sum.index());
  if (const auto *real = want.getIf<double>())
    REQUIRE((*real == got.get<double>() || (std::isnan(*real) && std::isnan(got.get<double>()))));
  else
    REQUIRE(want.asInt() == got.asInt());
}

/// One call on both; what each wrote into its arguments is compared, too.
void requireSameCall(Compiled &compiled, program::Evaluator &evaluator, unsigned number,
                     uint64_t seed) {
  INFO("variant " << number << ", call " << seed);
  program::VariantOp variant = evaluator.variant(number);
  llvm::SmallVector<HostValue> ours, theirs;
  for (auto arg : variant.getBody().getArguments()) {
    ours.push_back(drawValue(arg.getType(), seed * 31 + arg.getArgNumber()));
    theirs.push_back(copyOf(ours.back()));
  }
  auto want = evaluator.call(number, theirs);
  loaded::Outcome got = compiled.program->call(number, ours);
  if (!want) {
    std::string text = llvm::toString(want.takeError());
    INFO(text);
    bool isInternal = text.find("internal error") != std::string::npos;
    REQUIRE(got.status == (isInternal ? ptc_status_internal : ptc_status_int_overflow));
    return;
  }
  if (want->raised) {
    REQUIRE(got.status == ptc_status_raised);
    CHECK(got.raisedType == want->raised->type);
    CHECK(got.raisedText == want->raised->text);
    CHECK(got.raisedLine == want->raised->loc.line);
  } else {
    REQUIRE(got.status == ptc_status_ok);
    std::vector<HostValue> leaves;
    collect(want->result, leaves);
    REQUIRE(leaves.size() <= got.leaves.size());
    for (auto [a, b] : llvm::zip(leaves, got.leaves))
      requireSame(a, b);
  }
  CHECK(got.printed == want->out);
  for (auto [a, b] : llvm::zip_equal(theirs, ours))
    requireSame(a, b);
}

} // namespace

TEST_CASE("Programs compute what the null target computes") {
  std::error_code ec;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator file("test/Target/Cpu/Inputs", ec), end;
       file != end && !ec; file.increment(ec)) {
    for (const char *cpu : {"x86-64-v3", "native"}) {
      INFO(file->path() << " for " << cpu);
      Compiled compiled = compile(file->path(), cpu);
      auto executor = findTarget("null")->target.makeExecutor();
      llvm::StringMap<HostTensor> weights;
      compiled.module->walk([&](program::WeightOp op) {
        auto type = mlir::cast<mlir::RankedTensorType>(op.getType());
        HostTensor tensor = drawWhole(type, weights.size());
        weights[op.getName()] = tensor;
        compiled.program->setWeight(op.getName(), tensor);
      });
      auto lookup = [&](llvm::StringRef name) -> const HostTensor * {
        return &weights.find(name)->second;
      };
      auto evaluator = program::Evaluator::create(compiled.entry(), lookup, *executor);
      REQUIRE(bool(evaluator));
      REQUIRE(compiled.program->init().status == ptc_status_ok);
      for (uint64_t seed = 0; seed < 40; ++seed)
        for (unsigned variant = 0; variant < (*evaluator)->numVariants(); ++variant)
          requireSameCall(compiled, **evaluator, variant, seed);
      ++count;
    }
  }
  CHECK(count >= 10);
}

TEST_CASE("The same program gives the same bytes") {
  cpu::CodeOptions options{.cpu = "x86-64-v3"};
  std::string first;
  for (int i = 0; i < 2; ++i) {
    Compiled compiled = compile("test/Target/Cpu/Inputs/branch.mlir", options.cpu);
    auto code = cpu::lowerProgram(*compiled.module, options);
    REQUIRE(bool(code));
    auto object = cpu::emitCode(*code->module, cpu::CodeForm::Object, options);
    REQUIRE(bool(object));
    CHECK((i == 0 || *object == first));
    first = *object;
  }
}

TEST_CASE("What an initialisation draws between constants is not checked in code") {
  cpu::CodeOptions options{.cpu = "x86-64-v3"};
  Compiled compiled = compile("test/Target/Cpu/Inputs/initial.mlir", options.cpu);
  auto code = cpu::lowerProgram(*compiled.module, options);
  REQUIRE(bool(code));
  // Branches where memory is asked for: of what is filled, of the draws, of the states. None for
  // bounds, nor for whether what is drawn is there.
  std::string text;
  llvm::raw_string_ostream(text) << **code->module;
  CHECK(!llvm::StringRef(text).contains("uniform_ expects"));
  size_t branches = 0;
  code->module->lookupSymbol(code->initSymbol)->walk([&](mlir::Operation *op) {
    branches += op->getNumSuccessors() > 1;
  });
  CHECK(branches == 5);
}

TEST_CASE("A CPU that LLVM does not know is refused") {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> empty = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto object = cpu::emitCode(*empty, cpu::CodeForm::Object, {.cpu = "abacus"});
  REQUIRE(!bool(object));
  CHECK(llvm::toString(object.takeError()).find("abacus") != std::string::npos);
}
