// Generated dispatch against the guards as lib/Symbolic evaluates them, over generated calls. What
// describes a tensor lies at the end of a page, so that a read too far ends the test.
#include "Symbolic/AddGuard.h"

#include "ptc/Symbolic/DecisionTree.h"
#include "ptc/Target/Cpu/Guards.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptc;
using namespace ptc::sym;

namespace {

using Dispatch = int32_t (*)(const ptc_frame *);

/// Entries with random or given guards, compiled together.
class Entries {
public:
  struct Entry {
    ObservableSpace space;
    std::vector<GuardSet> variants;
    std::vector<CallStructure> structures;
    std::vector<std::vector<ptc_source>> sources;
    std::vector<ptc_structure> rows;
    std::vector<std::string> texts;
    std::vector<ptc_string> strings;
    ptc_entry table = {};
    Dispatch dispatch = nullptr;

    /// Everything but the code; the guards are complete.
    void seal() {
      structures = llvm::cantFail(callStructures(space, variants));
      for (const CallStructure &structure : structures) {
        std::vector<ptc_source> &row = sources.emplace_back();
        for (SymbolId id = 0; id < space.numObservables(); ++id)
          row.push_back(structure.source(space.observable(id)));
      }
      for (auto [structure, row] : llvm::zip_equal(structures, sources))
        rows.push_back({row.data(), uint32_t(structure.leaves().size()), 0, nullptr, nullptr});
      // Calls intern more texts, which moves those that are there.
      for (const char *text : {"fast", "slow"})
        while (int64_t(texts.size()) <= space.strings().intern(text))
          texts.push_back(space.strings().text(int64_t(texts.size())).str());
      for (const std::string &text : texts)
        strings.push_back({text.data(), text.size()});
      table.structures = rows.data();
      table.num_structures = uint32_t(rows.size());
      table.strings = strings.data();
      table.num_strings = uint32_t(strings.size());
    }
    int32_t expected(const Observation &call) {
      for (auto [i, set] : llvm::enumerate(variants))
        if (holds(set, space, call))
          return int32_t(i);
      return -1;
    }
  };

  Entry &add() { return *entries.emplace_back(std::make_unique<Entry>()); }
  void compile();
  std::vector<std::unique_ptr<Entry>> entries;

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

void Entries::compile() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  mlir::OpBuilder b(&context);
  for (auto [i, entry] : llvm::enumerate(entries)) {
    entry->seal();
    b.setInsertionPointToEnd(module->getBody());
    std::string name = "dispatch_" + std::to_string(i), table = "entry_" + std::to_string(i);
    cpu::emitDispatch(b, loc, {entry->space, entry->variants, entry->structures, name, table});
  }
  REQUIRE(succeeded(mlir::verify(*module)));
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(*module, *llvmContext);
  REQUIRE(code);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*code, modules);

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  // What the code names lies anywhere in this process.
  auto machine = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  machine.setCodeModel(llvm::CodeModel::Large);
  jit = llvm::cantFail(
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
  llvm::orc::SymbolMap known;
  auto define = [&](const std::string &name, auto *address) {
    known[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                         llvm::JITSymbolFlags::Exported};
  };
  define("ptc_read", &ptc_read);
  for (auto [i, entry] : llvm::enumerate(entries))
    define("entry_" + std::to_string(i), &entry->table);
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(known))));
  llvm::cantFail(jit->addIRModule({std::move(code), std::move(llvmContext)}));
  for (auto [i, entry] : llvm::enumerate(entries))
    entry->dispatch =
        llvm::cantFail(jit->lookup("dispatch_" + std::to_string(i))).toPtr<Dispatch>();
}

/// Memory before a page that cannot be read: what is put there ends where it ends.
class PageEnd {
public:
  PageEnd() {
    size_t page = size_t(getpagesize());
    void *memory =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    end = static_cast<char *>(memory) + page;
    mprotect(end, page, PROT_NONE);
  }
  int64_t *put(llvm::ArrayRef<int64_t> values) {
    auto *at = reinterpret_cast<int64_t *>(end) - values.size();
    std::copy(values.begin(), values.end(), at);
    return at;
  }

private:
  char *end;
};

/// A call as the stub gets it and as the compiler sees it.
struct Call {
  std::vector<ptc_value> values;
  std::vector<DLTensor> tensors = std::vector<DLTensor>(4);
  std::vector<std::string> texts = std::vector<std::string>(8);
  Observation seen;
  ptc_frame frame = {};

  const ptc_frame *get(uint32_t structure = 0) {
    frame.inputs = values.data();
    frame.num_inputs = uint32_t(values.size());
    frame.structure = structure;
    frame.grad_mode = seen.gradMode;
    return &frame;
  }
};

constexpr uint64_t kMemory[] = {0x10000000, 0x20000004};

class CallMaker {
public:
  explicit CallMaker(std::mt19937_64 &random) : random(random) {}
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }
  bool oneIn(int64_t n) { return below(n) == 0; }

  Call make() {
    Call call;
    call.seen.gradMode = !oneIn(8);
    tensor(call, "x", 0);
    tensor(call, "y", 1);
    number(call, "k", ptc_tag_Int);
    number(call, "scale", ptc_tag_Float);
    number(call, "flag", ptc_tag_Bool);
    number(call, "mode", ptc_tag_Str);
    return call;
  }

private:
  void tensor(Call &call, const char *path, size_t i) {
    if (oneIn(12))
      return number(call, path, ptc_tag_Int);
    static constexpr DType kTypes[] = {DType::Float32, DType::Float32, DType::Int64,
                                       DType::BFloat16};
    ObservedTensor t;
    t.dtype = kTypes[below(4)];
    int64_t rank = oneIn(3) ? below(4) : 2;
    for (int64_t d = 0; d < rank; ++d)
      t.sizes.push_back(oneIn(6) ? below(10) : 1 + below(4));
    if (oneIn(20) && rank > 1) { // products overflow, without memory that nobody has
      t.sizes[0] = int64_t(1) << 62;
      t.sizes.back() = 0;
    }
    t = ptc::sym::ObservedTensor::contiguous(t.dtype, t.sizes);
    bool given = !oneIn(3);
    if (given && rank > 1 && oneIn(3))
      std::swap(t.strides[0], t.strides[size_t(rank) - 1]);
    if (given && rank && oneIn(6))
      t.strides[size_t(below(rank))] += below(3) - 1;
    if (oneIn(8))
      t.device = deviceCode(kDeviceCuda, int32_t(below(3)));
    t.requiresGrad = oneIn(8);
    size_t storage = oneIn(2) ? 0 : i;
    t.storage = kMemory[storage];
    t.storageOffset = below(3) * below(20);
    int64_t bytes = getDTypeInfo(t.dtype).bytes;
    t.address = kMemory[storage] + uint64_t(t.storageOffset * bytes);
    int64_t type = dtypeCode(t.dtype);
    DLTensor &view = call.tensors[i];
    view = {reinterpret_cast<void *>(kMemory[storage]), // NOLINT(performance-no-int-to-ptr)
            {int32_t(t.device >> 32), int32_t(t.device)},
            int32_t(rank),
            {uint8_t(type), uint8_t(type >> 8), uint16_t(type >> 16)},
            pages[2 * i].put(t.sizes),
            given ? pages[2 * i + 1].put(t.strides) : nullptr,
            uint64_t(t.storageOffset * bytes)};
    ptc_value value = ptc_of_tensor(&view);
    value.requires_grad = t.requiresGrad;
    call.values.push_back(value);
    call.seen.addTensor(path, t);
  }

  void number(Call &call, const char *path, ptc_tag tag) {
    if (oneIn(12))
      tag = ptc_tag(below(7));
    int64_t n = oneIn(10) ? INT64_MIN + below(3) : oneIn(10) ? INT64_MAX - below(3) : below(8) - 1;
    double real = oneIn(6) ? NAN : 0.25 * double(below(5));
    switch (tag) {
    case ptc_tag_Bool:
      call.values.push_back(ptc_of_bool(int(n & 1)));
      return call.seen.addBool(path, n & 1);
    case ptc_tag_Float:
      call.values.push_back(ptc_of_float(real));
      return call.seen.addFloat(path, real);
    case ptc_tag_Str: {
      static constexpr const char *kTexts[] = {"fast", "slow", "fas", "", "faster"};
      std::string &text = call.texts[call.values.size()] = kTexts[below(5)];
      call.values.push_back(ptc_of_str(text.data(), text.size()));
      return call.seen.addString(path, text);
    }
    case ptc_tag_None:
      call.values.push_back(ptc_of_none());
      return call.seen.addNone(path);
    default:
      call.values.push_back(ptc_of_int(n));
      return call.seen.addInt(path, n);
    }
  }

  std::mt19937_64 &random;
  std::array<PageEnd, 4> pages;
};

/// Guards that calls of CallMaker fulfil now and then.
class GuardMaker {
public:
  GuardMaker(std::mt19937_64 &random, Entries::Entry &entry)
      : random(random), space(entry.space), c(entry.space.context()) {}
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }

  GuardSet make() {
    GuardSet set;
    for (auto [path, tag] : {std::pair("x", ValueTag::Tensor), std::pair("y", ValueTag::Tensor),
                             std::pair("k", ValueTag::Int), std::pair("scale", ValueTag::Float),
                             std::pair("flag", ValueTag::Bool), std::pair("mode", ValueTag::Str)})
      equal(set, {ObservableKind::Tag, path, 0, {}}, int64_t(tag));
    for (const char *path : {"x", "y"}) {
      if (below(4))
        equal(set, {ObservableKind::Rank, path, 0, {}}, 2);
      if (below(2))
        equal(set, {ObservableKind::DType, path, 0, {}}, dtypeCode(DType::Float32));
    }
    for (int64_t n = below(4); n > 0; --n)
      add(set);
    return set;
  }

private:
  void require(GuardSet &set, Relation relation, Expr a, Expr b) {
    std::optional<Atom> atom = makeAtom(c, relation, a, b);
    if (atom && !atom->expr.isConstant())
      addGuard(set, {classify(space, *atom), *atom, {}});
  }
  void equal(GuardSet &set, const Observable &observable, int64_t value) {
    require(set, Relation::Equal, space.symbol(observable), c.constant(value));
  }
  Expr size() { return space.symbol({ObservableKind::Size, below(2) ? "x" : "y", below(3), {}}); }

  void add(GuardSet &set) {
    const char *path = below(2) ? "x" : "y";
    using O = ObservableKind;
    constexpr Relation kRelations[] = {Relation::Equal, Relation::NotEqual, Relation::LessEqual,
                                       Relation::GreaterEqual};
    Relation relation = kRelations[below(4)];
    switch (below(17)) {
    case 0:
    case 1:
      return equal(set, {O::Dense, path, encodeOrder({0, 1}), {}}, below(6) != 0);
    case 2:
      return equal(set, {O::Dense, path, encodeOrder({1, 0}), {}}, below(3) != 0);
    case 3:
      return equal(set, {O::Stride, path, below(2), {}}, 1 + below(3));
    case 4:
      return equal(set, {O::Overlap, "x", 0, "y"}, below(2));
    case 5:
      return require(set, relation, size(), c.constant(below(5)));
    case 6:
      return require(set, relation, c.add(size(), c.mul(size(), size())), c.constant(below(12)));
    case 7:
      return require(set, Relation::Equal, c.mod(size(), c.constant(2 + below(2))), c.constant(0));
    case 8:
      return require(set, relation, c.floordiv(size(), size()), c.constant(1));
    case 9:
      return require(set, relation, space.symbol({O::Value, "k", 0, {}}), c.constant(below(6)));
    case 10:
      return equal(set,
                   {O::FloatCompare, "scale", int64_t(0x3fe0000000000000), below(2) ? ">" : "!="},
                   below(2));
    case 11:
      return equal(set, {O::BoolValue, "flag", 0, {}}, below(2));
    case 12:
      return equal(set, {O::StringValue, "mode", 0, {}},
                   space.strings().intern(below(2) ? "fast" : "slow"));
    case 13:
      return equal(set, {O::Device, path, 0, {}}, deviceCode(kDeviceCpu));
    case 14:
      return equal(set, {O::RequiresGrad, path, 0, {}}, below(2));
    case 15:
      return require(set, relation,
                     c.min(size(), c.max(size(), space.symbol({O::Value, "k", 0, {}}))), size());
    default:
      return equal(set,
                   below(2) ? Observable{O::GradMode, "", 0, {}}
                            : Observable{below(2) ? O::StorageOffset : O::Rank, path, 0, {}},
                   below(3));
    }
  }

  std::mt19937_64 &random;
  ObservableSpace &space;
  Context &c;
};

} // namespace

TEST_CASE("generated dispatch and guards agree on generated calls") {
  std::mt19937_64 random(11); // NOLINT(bugprone-random-generator-seed): the same in every run
  Entries entries;
  for (int i = 0; i < 150; ++i) {
    Entries::Entry &entry = entries.add();
    GuardMaker guards(random, entry);
    for (int64_t n = 1 + guards.below(6); n > 0; --n)
      entry.variants.push_back(guards.make());
  }
  entries.compile();
  CallMaker maker(random);
  size_t hits = 0, misses = 0;
  for (int round = 0; round < 4000; ++round) {
    Call call = maker.make();
    for (auto [i, entry] : llvm::enumerate(entries.entries)) {
      int32_t expected = entry->expected(call.seen), got = entry->dispatch(call.get());
      ++(expected < 0 ? misses : hits);
      if (got == expected)
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      for (const GuardSet &set : entry->variants) {
        os << "variant\n";
        printGuards(os, entry->space, set);
      }
      FAIL("entry " << i << " gives " << got << ", expected " << expected << '\n' << text);
    }
  }
  CHECK(hits > 20000);
  CHECK(misses > 20000);
}

TEST_CASE("structures choose among variants") {
  Entries entries;
  Entries::Entry &entry = entries.add();
  auto equal = [&](GuardSet &set, const Observable &observable, int64_t value) {
    Context &c = entry.space.context();
    Atom atom = *makeAtom(c, Relation::Equal, entry.space.symbol(observable), c.constant(value));
    addGuard(set, {classify(entry.space, atom), atom, {}});
  };
  // f(x: int) for 1 and 2; f(x: list of ints) of one or two elements.
  for (int64_t value : {1, 2}) {
    GuardSet &set = entry.variants.emplace_back();
    equal(set, {ObservableKind::Tag, "x", 0, {}}, int64_t(ValueTag::Int));
    equal(set, {ObservableKind::Value, "x", 0, {}}, value);
  }
  for (int64_t length : {1, 2}) {
    GuardSet &set = entry.variants.emplace_back();
    equal(set, {ObservableKind::Tag, "x", 0, {}}, int64_t(ValueTag::List));
    equal(set, {ObservableKind::Length, "x", 0, {}}, length);
    for (int64_t i = 0; i < length; ++i)
      equal(set, {ObservableKind::Tag, "x[" + std::to_string(i) + "]", 0, {}},
            int64_t(ValueTag::Int));
  }
  entries.compile();
  REQUIRE(entry.structures.size() == 3);
  CHECK(entry.structures[0].variants == std::vector<unsigned>{0, 1});
  CHECK(entry.structures[2].leaves() == std::vector<std::string>{"x[0]", "x[1]"});
  Call call;
  call.values = {ptc_of_int(2), ptc_of_int(3)};
  CHECK(entry.dispatch(call.get(0)) == 1);
  CHECK(entry.dispatch(call.get(1)) == 2);
  CHECK(entry.dispatch(call.get(2)) == 3);
  CHECK(entry.dispatch(call.get(3)) == -1);
  call.values[0] = ptc_of_int(3);
  CHECK(entry.dispatch(call.get(0)) == -1);

  Observation list;
  ObservedValue two;
  two.tag = ValueTag::List;
  two.length = 2;
  list.add("x", two);
  list.addInt("x[0]", 1);
  list.addInt("x[1]", 1);
  CHECK(!entry.structures[0].matches(entry.space, list));
  CHECK(!entry.structures[1].matches(entry.space, list));
  CHECK(entry.structures[2].matches(entry.space, list));
}

// Run by name: prints what the guards of 1 and 16 dense tensors cost.
TEST_CASE("cost of dispatch", "[.bench]") {
  for (int count : {1, 16})
    for (bool withStrides : {false, true}) {
      Entries entries;
      Entries::Entry &entry = entries.add();
      GuardSet &set = entry.variants.emplace_back();
      Call call;
      call.tensors.resize(size_t(count));
      static int64_t sizes[] = {8, 3, 224, 224}, strides[] = {3 * 224 * 224, 224 * 224, 224, 1};
      auto equal = [&](const Observable &observable, int64_t value) {
        Context &c = entry.space.context();
        Atom atom =
            *makeAtom(c, Relation::Equal, entry.space.symbol(observable), c.constant(value));
        addGuard(set, {classify(entry.space, atom), atom, {}});
      };
      for (int i = 0; i < count; ++i) {
        std::string path = "x" + std::to_string(i);
        equal({ObservableKind::Tag, path, 0, {}}, int64_t(ValueTag::Tensor));
        equal({ObservableKind::Rank, path, 0, {}}, 4);
        equal({ObservableKind::DType, path, 0, {}}, dtypeCode(DType::Float32));
        equal({ObservableKind::Device, path, 0, {}}, deviceCode(kDeviceCpu));
        equal({ObservableKind::RequiresGrad, path, 0, {}}, 0);
        for (int64_t d = 0; d < 4; ++d)
          equal({ObservableKind::Size, path, d, {}}, sizes[d]);
        equal({ObservableKind::Dense, path, encodeOrder({0, 1, 2, 3}), {}}, 1);
        call.tensors[size_t(i)] = {
            nullptr, {kDLCPU, 0}, 4, {kDLFloat, 32, 1}, sizes, withStrides ? strides : nullptr, 0};
        call.values.push_back(ptc_of_tensor(&call.tensors[size_t(i)]));
      }
      entries.compile();
      const ptc_frame *frame = call.get();
      double best = 1e9;
      int64_t sum = 0;
      for (int batch = 0; batch < 100; ++batch) {
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 10000; ++i)
          sum += entry.dispatch(frame);
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / 10000);
      }
      CHECK(sum == 0);
      WARN(count << " tensors, strides " << (withStrides ? "given" : "null") << ": " << best
                 << " ns");
    }
}
