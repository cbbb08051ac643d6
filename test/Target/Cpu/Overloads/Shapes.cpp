// Sizes around the borders of vectors, tiles and panels, which the tables' cases are too small for:
// programs for sizes that are known, and programs for symbols that are called with many sizes.
// PTC_ALL=1: more of them.
#include "Native.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace ptc;
using namespace ptc::conversion;
using namespace overloads;
using numerics::Argument;
using numerics::Call;
using numerics::Case;
using numerics::Ints;
using numerics::t;
using numerics::TensorSpec;
using Layout = TensorSpec::Layout;

namespace {

/// Programs of one kind, some of each family.
class Shapes {
public:
  unsigned many(unsigned few) const { return std::getenv("PTC_ALL") ? 8 * few : few; }
  int64_t pick(std::initializer_list<int64_t> from) { return from.begin()[random() % from.size()]; }
  /// Around the borders of tiles, and others.
  int64_t border() {
    return pick({1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12, 13, 14, 15,
                 16, 17, 18, 19, 23, 24, 25, 29, 31, 32, 33, 37, 39, 40});
  }
  bool coin() { return random() % 2; }

  /// One program for this case alone; a case that eager refuses is none.
  void add(llvm::StringRef name, const Case &c, DType dtype, std::optional<size_t> weight = {}) {
    const aten::OpInfo *op = aten::findOp(name);
    REQUIRE(op);
    if (std::optional<Call> call = numerics::makeCall(*op, c, dtype, random)) {
      Trial trial(*op, *call, Mode::Constant, dtype);
      if (weight)
        trial.makeWeight(*weight);
      batch->add(std::move(trial));
    }
    flushIfFull();
  }
  /// One program for sizes that only the run knows, called with each of the cases.
  void addSymbolic(llvm::StringRef name, llvm::ArrayRef<Case> cases, DType dtype,
                   Mode mode = Mode::Symbolic) {
    const aten::OpInfo *op = aten::findOp(name);
    REQUIRE(op);
    std::vector<Call> calls;
    for (const Case &c : cases)
      if (std::optional<Call> call = numerics::makeCall(*op, c, dtype, random))
        calls.push_back(std::move(*call));
    REQUIRE(calls.size() == cases.size());
    Call first = calls.front();
    calls.erase(calls.begin());
    CHECK(batch->add(Trial(*op, first, mode, dtype), std::move(calls)));
    flushIfFull();
  }

  void finish(size_t atLeast) {
    batch->run(cpus.next());
    report.print();
    CHECK(report.failures.empty());
    size_t runs = 0;
    for (const cpu::CodeOptions &one : cpus.all())
      runs += report.runs[one.cpu];
    CHECK(runs >= atLeast);
  }

  std::mt19937 random{20240229};

private:
  void flushIfFull() {
    if (batch->size() < 48)
      return;
    batch->run(cpus.next());
    batch = std::make_unique<Batch>(context, report);
  }

  Cpus cpus;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Report report;
  std::unique_ptr<Batch> batch = std::make_unique<Batch>(context, report);
};

constexpr DType kFloats[] = {DType::Float32, DType::Float32, DType::Float32,
                             DType::Float64, DType::Float16, DType::BFloat16};

} // namespace

TEST_CASE("products around the borders of tiles") {
  Shapes s;
  auto layout = [&](TensorSpec spec) {
    return spec.with(s.pick({0, 0, 1, 1, 3}) == 0 ? Layout::Contiguous
                     : s.coin()                   ? Layout::Transposed
                                                  : Layout::Sliced);
  };
  for (unsigned i = 0; i < s.many(60); ++i) {
    int64_t m = s.border(), n = s.border(), k = s.border();
    DType dtype = kFloats[i % std::size(kFloats)];
    s.add("mm", {{"self", layout(t({m, k}))}, {"mat2", layout(t({k, n}))}}, dtype);
    if (i % 3 == 0)
      s.add("linear",
            {{"input", layout(t({m, k}))}, {"weight", layout(t({n, k}))}, {"bias", t({n})}}, dtype);
    if (i % 4 == 0)
      s.add("bmm", {{"self", t({3, m, k})}, {"mat2", t({3, k, n})}}, dtype);
    if (i % 5 == 0)
      s.add("addmm",
            {{"self", s.coin() ? t({n}) : t({m, n})},
             {"mat1", layout(t({m, k}))},
             {"mat2", layout(t({k, n}))},
             {"alpha", HostValue(0.5)}},
            dtype);
    if (i % 6 == 0)
      s.add("mv", {{"self", layout(t({m, k}))}, {"vec", t({k})}}, dtype);
    if (i % 6 == 1)
      s.add("dot", {{"self", t({8 * k + m})}, {"tensor", t({8 * k + m})}}, dtype);
  }
  for (int64_t empty : {0, 1, 2})
    s.add("mm",
          {{"self", t({empty == 0 ? 0 : 17, empty == 1 ? 0 : 19})},
           {"mat2", t({empty == 1 ? 0 : 19, empty == 2 ? 0 : 33})}},
          DType::Float32);
  s.add("mm", {{"self", t({65, 130})}, {"mat2", t({130, 97})}}, DType::Float32);
  s.add("mm", {{"self", t({65, 130}).transposed()}, {"mat2", t({130, 97}).transposed()}},
        DType::Float32);
  s.finish(90);
}

TEST_CASE("products with weights") {
  Shapes s;
  for (unsigned i = 0; i < s.many(50); ++i) {
    int64_t m = s.border(), n = s.border() + s.pick({0, 0, 32, 64}), k = s.border();
    DType dtype = kFloats[i % std::size(kFloats)];
    s.add("linear", {{"input", t({m, k})}, {"weight", t({n, k})}, {"bias", t({n})}}, dtype, 1);
    s.add("mm", {{"self", t({m, k})}, {"mat2", t({k, n})}}, dtype, 1);
    if (i % 3 == 0)
      s.add("mm", {{"self", t({m, k})}, {"mat2", t({k, n})}}, dtype, 0);
    if (i % 3 == 1)
      s.add("linear", {{"input", t({3, m, k})}, {"weight", t({n, k})}}, dtype, 1);
    if (i % 3 == 2)
      s.add("conv2d", {{"input", t({2, 3, 5 + m % 3, 4 + k % 5})}, {"weight", t({n, 3, 3, 2})}},
            dtype, 1);
  }
  s.finish(90);
}

TEST_CASE("products of sizes that the run knows") {
  Shapes s;
  auto cases = [&](llvm::function_ref<Case(int64_t, int64_t, int64_t)> make) {
    // Sizes of the first call differ: equal ones have one name.
    std::vector<Case> list = {make(17, 33, 9)};
    for (unsigned i = 0; i < s.many(60); ++i)
      list.push_back(make(s.border() + 1, s.border() + 1, s.border() + 1));
    return list;
  };
  for (DType dtype : {DType::Float32, DType::Float64, DType::BFloat16}) {
    s.addSymbolic("mm", cases([](int64_t m, int64_t k, int64_t n) {
                    return Case{{"self", t({m, k})}, {"mat2", t({k, n})}};
                  }),
                  dtype);
    s.addSymbolic("bmm", cases([](int64_t m, int64_t k, int64_t n) {
                    return Case{{"self", t({3, m, k})}, {"mat2", t({3, k, n})}};
                  }),
                  dtype);
    s.addSymbolic("linear", cases([](int64_t m, int64_t, int64_t) {
                    return Case{{"input", t({m, 13})}, {"weight", t({21, 13})}, {"bias", t({21})}};
                  }),
                  dtype);
    s.addSymbolic("linear", cases([](int64_t m, int64_t, int64_t) {
                    return Case{{"input", t({m, 35})}, {"weight", t({3, 35})}};
                  }),
                  dtype);
    s.addSymbolic("mv", cases([](int64_t m, int64_t k, int64_t) {
                    return Case{{"self", t({m, k})}, {"vec", t({k})}};
                  }),
                  dtype);
    s.addSymbolic("addmm", cases([](int64_t m, int64_t k, int64_t n) {
                    return Case{{"self", t({n})}, {"mat1", t({m, k})}, {"mat2", t({k, n})}};
                  }),
                  dtype);
  }
  s.finish(900);
}

TEST_CASE("convolutions of every window") {
  Shapes s;
  for (unsigned i = 0; i < s.many(60); ++i) {
    size_t rank = i % 8 == 6 ? 1 : i % 8 == 7 ? 3 : 2;
    int64_t groups = s.pick({1, 1, 1, 2, 3, 4});
    int64_t in = groups * s.pick({1, 1, 2, 3, 5}), out = groups * s.pick({1, 2, 3, 8, 17});
    Ints window, stride, dilation, padding, input = {s.pick({1, 2}), in},
                                            weight = {out, in / groups};
    for (size_t d = 0; d < rank; ++d) {
      window.push_back(rank == 3 ? s.pick({1, 2, 3}) : s.pick({1, 1, 2, 3, 3, 5, 7}));
      stride.push_back(s.pick({1, 1, 2, 3}));
      dilation.push_back(s.pick({1, 1, 2}));
      padding.push_back(s.pick({0, 0, 1, 2, 3}));
      int64_t reach = dilation[d] * (window[d] - 1) + 1 - 2 * padding[d];
      int64_t most = rank == 3 ? 5 : 19;
      input.push_back(std::max<int64_t>(reach, 1) + int64_t(s.random() % uint64_t(most)));
      weight.push_back(window[d]);
    }
    TensorSpec x = t(input);
    if (rank == 2 && i % 3 == 0)
      x = x.channelsLast();
    else if (i % 7 == 0)
      x = x.sliced();
    Case c{{"input", x},
           {"weight", t(weight)},
           {"stride", HostValue(stride)},
           {"padding", HostValue(padding)},
           {"dilation", HostValue(dilation)},
           {"groups", HostValue(groups)}};
    if (s.coin())
      c["bias"] = t({out});
    DType dtype = kFloats[i % std::size(kFloats)];
    s.add(rank == 1 ? "conv1d" : rank == 2 ? "conv2d" : "conv3d", c, dtype);
    if (i % 5 || rank != 2)
      continue;
    Ints turned = {in, out / groups, window[0], window[1]};
    c["weight"] = t(turned);
    s.add("conv_transpose2d.input", c, dtype);
  }
  s.finish(50);
}

TEST_CASE("products of pairs of bfloat16") {
  Shapes s;
  for (unsigned i = 0; i < s.many(24); ++i) {
    int64_t m = s.border(), n = s.border(), k = s.border() + s.pick({150, 192, 288});
    Case c{{"input", i % 3 ? t({m, k}) : t({m, k}).sliced()}, {"weight", t({n, k})}};
    if (s.coin())
      c["bias"] = t({n});
    s.add("linear", c, DType::BFloat16, i % 2 ? std::optional<size_t>(1) : std::nullopt);
    if (i % 4)
      continue;
    std::vector<Case> cases;
    for (int64_t rows : {41, 2, 16, 43, 7}) {
      c["input"] = t({rows, k});
      cases.push_back(c);
    }
    s.addSymbolic("linear", cases, DType::BFloat16, Mode::Symbolic);
  }
  s.finish(40);
}

/// Whether eager computes the case for the type.
static bool isAccepted(const aten::OpInfo &op, const Case &c, DType dtype) {
  std::mt19937 random(1);
  std::optional<Call> call = numerics::makeCall(op, c, dtype, random);
  if (!call)
    return false;
  aten::EvalContext context;
  auto result = aten::evaluate(op, *call, context);
  if (result)
    return true;
  llvm::consumeError(result.takeError());
  return false;
}

/// Windows that lie inside, over one border or over both, for which vectors begin behind the
/// border.
TEST_CASE("pools of every window") {
  Shapes s;
  for (unsigned i = 0; i < s.many(96); ++i) {
    size_t rank = i % 8 == 6 ? 1 : i % 8 == 7 ? 3 : 2;
    bool isMax = i % 2 == 0;
    Ints window, stride, dilation, padding, first = {s.pick({1, 2}), s.pick({1, 3, 16, 17})};
    for (size_t d = 0; d < rank; ++d) {
      window.push_back(rank == 3 ? s.pick({1, 2, 3}) : s.pick({1, 2, 3, 3, 5, 7}));
      stride.push_back(s.pick({1, 1, 2, 2, 3}));
      dilation.push_back(isMax ? s.pick({1, 1, 2}) : 1);
      padding.push_back(int64_t(s.random() % uint64_t(window[d] / 2 + 1)));
    }
    Case c{{"kernel_size", HostValue(window)},
           {"stride", HostValue(stride)},
           {"padding", HostValue(padding)},
           {"ceil_mode", HostValue(s.coin())}};
    if (isMax)
      c["dilation"] = HostValue(dilation);
    else
      c["count_include_pad"] = HostValue(s.coin());
    auto sized = [&] {
      Ints sizes = first;
      for (size_t d = 0; d < rank; ++d) {
        int64_t size = dilation[d] * (window[d] - 1) + 1;
        size += rank == 3 ? s.pick({0, 1, 5}) : s.border() + s.pick({0, 30});
        while (llvm::is_contained(sizes, size)) // equal sizes would have one name
          ++size;
        sizes.push_back(size);
      }
      return sizes;
    };
    std::string name = std::string(isMax ? "max" : "avg") + "_pool" + std::to_string(rank) + "d";
    DType dtype = kFloats[i % std::size(kFloats)];
    TensorSpec x = t(sized());
    bool isChannelsLast = rank == 2 && i % 3 == 0;
    c["self"] = isChannelsLast ? x.channelsLast() : i % 7 == 0 ? x.sliced() : x;
    s.add(name, c, dtype);
    if (i % 4 > 1 || isChannelsLast)
      continue;
    c["ceil_mode"] = HostValue(false); // how many windows there are depends on the size there
    std::vector<Case> cases;
    for (unsigned times = 0; times < 6; ++times) {
      c["self"] = t(sized());
      cases.push_back(c);
    }
    s.addSymbolic(name, cases, dtype);
  }
  s.finish(150);
}

TEST_CASE("interpolation to every size") {
  Shapes s;
  static constexpr const char *kOps[] = {"upsample_nearest2d", "upsample_bilinear2d"};
  for (unsigned i = 0; i < s.many(40); ++i) {
    const char *op = kOps[i % 2];
    auto sized = [&] { return t({2, 3, s.border(), s.border()}); };
    Case c{{"output_size", HostValue(Ints{s.border(), s.border()})}};
    if (i % 2)
      c["align_corners"] = HostValue(i % 4 == 1);
    DType dtype = kFloats[i / 2 % std::size(kFloats)];
    TensorSpec x = sized();
    c["self"] = i % 3 == 0 ? x.channelsLast() : i % 7 == 0 ? x.sliced() : x;
    s.add(op, c, dtype);
    if (i % 5 > 1)
      continue;
    std::vector<Case> cases;
    for (int64_t width : {5, 16, 33, 40}) {
      c["self"] = t({2, 3, width + 6, width});
      cases.push_back(c);
    }
    s.addSymbolic(op, cases, dtype);
  }
  s.finish(80);
}

/// Rows of every width around the borders of vectors and of the passes of several.
static constexpr int64_t kWidths[] = {2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  31,  32, 33,
                                      47, 48, 49, 63, 64, 65, 79, 95, 127, 128, 129, 200};

TEST_CASE("reductions of rows and columns") {
  Shapes s;
  struct Row {
    const char *op;
    bool isList; ///< dimensions are a list
  };
  static const Row kRows[] = {{"sum.dim_IntList", true},
                              {"mean.dim", true},
                              {"amax", true},
                              {"amin", true},
                              {"prod.dim_int", false},
                              {"any.dim", false},
                              {"all.dim", false},
                              {"argmax", false},
                              {"argmin", false},
                              {"max.dim", false},
                              {"var.correction", true},
                              {"logsumexp", true},
                              {"softmax.int", false},
                              {"log_softmax.int", false},
                              {"cumsum", false},
                              {"logcumsumexp", false},
                              {"linalg_vector_norm", true},
                              {"count_nonzero", false}};
  for (const Row &row : kRows)
    for (DType dtype :
         {DType::Float32, DType::Float16, DType::Float64, DType::Int64, DType::Int8, DType::Bool})
      for (int64_t dim : {0, 1, 2}) {
        auto make = [&](Ints sizes) {
          Case c{{"self", t(std::move(sizes))}};
          c["dim"] = row.isList ? HostValue(Ints{dim}) : HostValue(dim);
          return c;
        };
        const aten::OpInfo *op = aten::findOp(row.op);
        REQUIRE(op);
        // One of the sizes is small: rows that are reduced lie before, between and behind others.
        std::vector<Case> cases = {make({5, 3, 7})};
        for (int64_t width : kWidths) {
          Ints sizes = {s.pick({2, 3}), s.pick({2, 3}), s.pick({2, 3, 17})};
          sizes[size_t(s.pick({dim, dim, 2}))] = width;
          cases.push_back(make(sizes));
        }
        if (!isAccepted(*op, cases[0], dtype))
          continue;
        s.addSymbolic(row.op, cases, dtype);
        // Known sizes, and strides.
        for (Layout layout : {Layout::Contiguous, Layout::Transposed, Layout::Sliced}) {
          Case c = make({s.pick({1, 2, 3}), s.pick({1, 5, 16}), s.pick({1, 15, 16, 17, 33, 65})});
          c["self"] = std::get<TensorSpec>(c["self"]).with(layout);
          if (s.many(1) > 1 || s.random() % 3 == 0)
            s.add(row.op, c, dtype);
        }
      }
  s.finish(2000);
}

TEST_CASE("norms of rows of every width") {
  Shapes s;
  for (int64_t width : kWidths)
    for (const char *name : {"layer_norm", "rms_norm"}) {
      if (s.many(1) == 1 && s.random() % 2)
        continue;
      Case c{{"input", t({3, width})}, {"normalized_shape", HostValue(Ints{width})}};
      DType dtype = kFloats[s.random() % std::size(kFloats)];
      s.add(name, c, dtype);
      c["weight"] = t({width});
      c["input"] = t({2, width}).sliced();
      s.add(name, c, dtype);
    }
  for (int64_t side : {1, 3, 8, 17, 33}) {
    Case c{{"input", t({2, 6, side})}, {"num_groups", HostValue(3)}, {"weight", t({6})}};
    s.add("group_norm", c, DType::Float32);
  }
  for (int64_t keys : {1, 5, 16, 17, 33})
    s.add("scaled_dot_product_attention",
          {{"query", t({1, 2, 7, 8})}, {"key", t({1, 2, keys, 8})}, {"value", t({1, 2, keys, 8})}},
          DType::Float32);
  s.finish(50);
}

/// The case with other sizes of its tensors; none if one of them has other than `from`.
static std::optional<Case> resized(const Case &c, const Ints &from, const Ints &to) {
  Case result = c;
  for (auto &[name, argument] : result) {
    auto *spec = std::get_if<TensorSpec>(&argument);
    if (!spec)
      continue;
    if (spec->sizes != from || spec->layout != Layout::Contiguous)
      return std::nullopt;
    spec->sizes = to;
  }
  return result;
}

TEST_CASE("elementwise operations on rows of every width") {
  Shapes s;
  unsigned number = 0;
  for (const aten::OpInfo &op : aten::getAllOpInfos()) {
    // Sizes of what is named a weight are known when a program is made.
    if (op.payload.empty() || op.has(aten::OpFlag::Random) || op.findArg("weight"))
      continue;
    for (const Case &c : numerics::casesFor(op)) {
      if (!resized(c, {7}, {7}))
        continue;
      for (const DTypeInfo &type : getAllDTypeInfos()) {
        bool isTried = s.many(1) > 1 || type.dtype == DType::Float32 || ++number % 5 == 0;
        if (isComplex(type.dtype) || !isTried)
          continue;
        std::vector<Case> cases = {c};
        for (int64_t width : kWidths)
          if (s.many(1) > 1 || s.random() % 3 == 0)
            cases.push_back(*resized(c, {7}, {width}));
        if (isAccepted(op, c, type.dtype))
          s.addSymbolic(op.name, cases, type.dtype);
      }
    }
  }
  s.finish(2000);
}
