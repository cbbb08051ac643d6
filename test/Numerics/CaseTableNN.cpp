//===- CaseTableNN.cpp - Cases for indexing and for layers ----------------------------===//
//
// As CaseTable.cpp: index and scatter, matrices, convolutions, pools, norms, losses.
//
//===----------------------------------------------------------------------===//
#include "CaseTable.h"

using namespace ptc;
using namespace ptc::numerics;
using aten::OpInfo;

namespace {

using I = Ints;
using V = HostValue;
using Specs = std::vector<std::optional<TensorSpec>>;
using Cases = std::vector<Case>;

const V kNone;
V ints(I values) { return V(std::move(values)); }
TensorSpec at(I sizes, int64_t bound) { return t(std::move(sizes)).index(bound); }
TensorSpec mask(I sizes) { return t(std::move(sizes)).mask(); }

} // namespace

std::vector<Case> ptc::numerics::indexCases(const OpInfo &op) {
  llvm::StringRef name = op.baseName();
  TensorSpec x = t({3, 5}), cube = t({4, 3, 5});
  if (name == "index" || name == "_unsafe_index")
    return {{{"self", x}, {"indices", Specs{at({4}, 3)}}},
            {{"self", x}, {"indices", Specs{at({2, 2}, 3), at({2}, 5)}}},
            {{"self", x}, {"indices", Specs{std::nullopt, at({4}, 5)}}},
            {{"self", cube.transposed()}, {"indices", Specs{at({2}, 4), std::nullopt, at({2}, 5)}}},
            {{"self", cube}, {"indices", Specs{mask({4, 3})}}},
            {{"self", x}, {"indices", Specs{mask({3, 5})}}},
            {{"self", x}, {"indices", Specs{at({}, 3)}}},
            {{"self", x}, {"indices", Specs{at({0}, 3)}}},
            {{"self", x}, {"indices", Specs{at({4}, 9)}}},
            {{"self", x}, {"indices", Specs{mask({4})}}},
            {{"self", t({})}, {"indices", Specs{mask({})}}}};
  if (name == "index_put")
    return {
        {{"self", x},
         {"indices", Specs{t({3}).as(DType::Int64).distinct()}},
         {"values", t({3, 5})}},
        {{"self", x}, {"indices", Specs{at({1}, 3)}}, {"values", t({})}},
        {{"self", x},
         {"indices", Specs{at({4}, 3)}},
         {"values", t({4, 5})},
         {"accumulate", V(true)}},
        {{"self", x},
         {"indices", Specs{std::nullopt, at({4}, 5)}},
         {"values", t({3, 4})},
         {"accumulate", V(true)}},
        {{"self", x}, {"indices", Specs{mask({3, 5})}}, {"values", t({})}},
        {{"self", x.transposed()}, {"indices", Specs{at({1}, 3), at({1}, 5)}}, {"values", t({1})}},
        {{"self", x}, {"indices", Specs{at({2}, 3)}}, {"values", t({3})}}};
  if (name == "index_select")
    return {{{"self", x}, {"dim", V(0)}, {"index", at({4}, 3)}},
            {{"self", x.transposed()}, {"dim", V(-1)}, {"index", at({2}, 5)}},
            {{"self", cube}, {"dim", V(1)}, {"index", at({0}, 3)}},
            {{"self", t({})}, {"dim", V(0)}, {"index", at({1}, 1)}},
            {{"self", x}, {"dim", V(0)}, {"index", at({9}, 9)}}};
  if (name == "gather")
    return {{{"self", x}, {"dim", V(0)}, {"index", at({2, 5}, 3)}},
            {{"self", x.transposed()}, {"dim", V(1)}, {"index", at({3, 7}, 5)}},
            {{"self", cube}, {"dim", V(-1)}, {"index", at({2, 2, 3}, 5)}},
            {{"self", t({})}, {"dim", V(0)}, {"index", at({}, 1)}},
            {{"self", x}, {"dim", V(0)}, {"index", at({0, 5}, 3)}},
            {{"self", x}, {"dim", V(0)}, {"index", at({4, 5}, 9)}}};
  if (name == "take_along_dim")
    return {{{"self", x}, {"dim", V(1)}, {"indices", at({3, 2}, 5)}},
            {{"self", x}, {"dim", V(0)}, {"indices", at({2, 1}, 3)}},
            {{"self", x}, {"dim", kNone}, {"indices", at({4}, 15)}}};
  if (name == "masked_select")
    return {{{"self", x}, {"mask", mask({3, 5})}},
            {{"self", x}, {"mask", mask({5})}},
            {{"self", t({5})}, {"mask", mask({3, 1})}},
            {{"self", t({})}, {"mask", mask({})}}};
  if (name == "nonzero" || name == "argwhere" || op.name == "where")
    return {{{"self", x}, {"condition", x}},
            {{"self", cube.transposed()}, {"condition", cube}},
            {{"self", t({})}, {"condition", t({})}},
            {{"self", t({0})}, {"condition", t({0})}},
            {{"self", t({7})}, {"condition", t({7})}}};
  if (name == "embedding")
    return {{{"weight", x}, {"indices", at({4}, 3)}},
            {{"weight", x}, {"indices", at({2, 2}, 3)}},
            {{"weight", x.transposed()}, {"indices", at({}, 3)}},
            {{"weight", x}, {"indices", at({0}, 3)}},
            {{"weight", x}, {"indices", at({9}, 9)}},
            {{"weight", t({3})}, {"indices", at({2}, 3)}}};
  if (name == "one_hot")
    return {{{"self", at({4}, 3)}},
            {{"self", at({2, 3}, 5)}, {"num_classes", V(6)}},
            {{"self", at({9}, 9)}, {"num_classes", V(2)}},
            {{"self", at({}, 3)}}};
  if (name == "repeat_interleave" && op.overload() == "self_int")
    return {{{"self", x}, {"repeats", V(2)}},
            {{"self", x}, {"repeats", V(3)}, {"dim", V(0)}},
            {{"self", x.transposed()}, {"repeats", V(0)}, {"dim", V(1)}}};
  if (name == "repeat_interleave")
    return {{{"self", x}, {"repeats", at({5}, 3)}, {"dim", V(1)}},
            {{"self", x}, {"repeats", at({1}, 4)}},
            {{"self", t({4})}, {"repeats", at({4}, 3)}}};
  Cases indices = {{{"self", x}, {"dim", V(0)}, {"index", at({2}, 3)}},
                   {{"self", cube.transposed()}, {"dim", V(1)}, {"index", at({1}, 3)}}};
  if (name == "index_fill")
    return {{{"self", x},
             {"dim", V(0)},
             {"index", at({2}, 3)},
             {"value", op.overload() == "int_Scalar" ? Argument(V(2)) : Argument(t({}))}},
            {{"self", cube.transposed()},
             {"dim", V(-1)},
             {"index", at({1}, 5)},
             {"value", op.overload() == "int_Scalar" ? Argument(V(1)) : Argument(t({}))}}};
  if (name == "index_add" || name == "index_copy")
    return {{{"self", x}, {"dim", V(0)}, {"index", at({1}, 3)}, {"source", t({1, 5})}},
            {{"self", x.transposed()}, {"dim", V(1)}, {"index", at({2}, 5)}, {"source", t({3, 2})}},
            {{"self", t({7})}, {"dim", V(0)}, {"index", at({3}, 7)}, {"source", t({3})}}};
  if (name == "scatter" && op.overload() == "value")
    return {{{"self", x}, {"dim", V(0)}, {"index", at({2, 5}, 3)}, {"value", V(2)}},
            {{"self", x.transposed()}, {"dim", V(-1)}, {"index", at({3, 1}, 5)}, {"value", V(1)}}};
  if (name.starts_with("scatter")) {
    Cases cases = {
        {{"self", x}, {"dim", V(0)}, {"index", at({1, 5}, 3)}, {"src", t({2, 5})}},
        {{"self", x.transposed()}, {"dim", V(-1)}, {"index", at({3, 1}, 5)}, {"src", t({3, 5})}},
        {{"self", t({7})}, {"dim", V(0)}, {"index", at({0}, 7)}, {"src", t({3})}},
        {{"self", x}, {"dim", V(0)}, {"index", at({2, 5}, 9)}, {"src", t({2, 5})}}};
    if (name != "scatter")
      cases.push_back({{"self", x}, {"dim", V(0)}, {"index", at({4, 5}, 3)}, {"src", t({4, 5})}});
    if (name != "scatter_reduce")
      return cases;
    Cases all;
    for (const char *how : {"sum", "prod", "mean", "amax", "amin"})
      for (bool includes : {true, false})
        for (Case c : cases) {
          c["reduce"] = V(how);
          c["include_self"] = V(includes);
          all.push_back(c);
        }
    return all;
  }
  if (name == "masked_scatter")
    return {{{"self", x}, {"mask", mask({3, 5})}, {"source", t({15})}},
            {{"self", x}, {"mask", mask({5})}, {"source", t({20})}},
            {{"self", x}, {"mask", mask({3, 5}).positive()}, {"source", t({2})}}};
  if (name == "slice_scatter")
    return {{{"self", x}, {"src", t({2, 5})}, {"start", V(1)}},
            {{"self", x.transposed()},
             {"src", t({3, 2})},
             {"dim", V(1)},
             {"start", V(0)},
             {"end", V(4)},
             {"step", V(2)}},
            {{"self", x}, {"src", t({1, 5})}, {"start", V(1)}}};
  if (name == "select_scatter")
    return {{{"self", x}, {"src", t({5})}, {"dim", V(0)}, {"index", V(1)}},
            {{"self", x.transposed()}, {"src", t({3})}, {"dim", V(-1)}, {"index", V(-1)}}};
  if (name == "diagonal_scatter")
    return {{{"self", x}, {"src", t({3})}}, {{"self", x}, {"src", t({2})}, {"offset", V(-1)}}};
  if (name == "as_strided_scatter")
    return {{{"self", x}, {"src", t({2, 2})}, {"size", ints({2, 2})}, {"stride", ints({1, 2})}}};
  return {};
}

static Cases matrixCases(llvm::StringRef name) {
  auto pair = [](const char *second, TensorSpec a, TensorSpec b) {
    return Case{{"self", a}, {second, b}};
  };
  if (name == "mm")
    return {pair("mat2", t({3, 5}), t({5, 2})),
            pair("mat2", t({3, 5}).transposed(), t({5, 2}).sliced()),
            pair("mat2", t({3, 0}), t({0, 2})), pair("mat2", t({3, 5}), t({4, 2})),
            pair("mat2", t({17, 33}), t({33, 9}))};
  if (name == "bmm")
    return {pair("mat2", t({2, 3, 5}), t({2, 5, 4})),
            pair("mat2", t({2, 3, 5}).transposed(), t({2, 5, 4})),
            pair("mat2", t({0, 3, 5}), t({0, 5, 4})), pair("mat2", t({2, 3, 5}), t({3, 5, 4}))};
  if (name == "mv")
    return {pair("vec", t({3, 5}), t({5})), pair("vec", t({3, 5}).transposed(), t({5}).sliced()),
            pair("vec", t({3, 5}), t({3}))};
  if (name == "dot")
    return {pair("tensor", t({5}), t({5})), pair("tensor", t({5}).sliced(), t({5})),
            pair("tensor", t({0}), t({0})), pair("tensor", t({3}), t({5}))};
  if (name == "outer")
    return {pair("vec2", t({5}), t({3})), pair("vec2", t({0}), t({3})),
            pair("vec2", t({5}).as(DType::Int64), t({3}))};
  if (name == "matmul")
    return {pair("other", t({3, 5}), t({5, 2})),
            pair("other", t({5}), t({5})),
            pair("other", t({5}), t({5, 2})),
            pair("other", t({3, 5}), t({5})),
            pair("other", t({2, 3, 5}), t({5, 4})),
            pair("other", t({2, 1, 3, 5}), t({4, 5, 2})),
            pair("other", t({5}), t({2, 5, 4})),
            pair("other", t({2, 3, 5}), t({5})),
            pair("other", t({2, 3, 5}).transposed(), t({5, 4}).transposed()),
            pair("other", t({}), t({5})),
            pair("other", t({3, 5}), t({4, 2}))};
  auto added = [](const char *a, const char *b, TensorSpec self, TensorSpec x, TensorSpec y) {
    return Cases{{{"self", self}, {a, x}, {b, y}},
                 {{"self", self}, {a, x}, {b, y}, {"beta", V(0)}, {"alpha", V(2)}},
                 {{"self", self}, {a, x}, {b, y}, {"beta", V(2)}, {"alpha", V(3)}}};
  };
  Cases cases;
  auto append = [&](Cases more) { cases.insert(cases.end(), more.begin(), more.end()); };
  if (name == "addmm")
    for (const TensorSpec &self : {t({3, 2}), t({2}), t({}), t({3, 1}), t({4})})
      append(added("mat1", "mat2", self, t({3, 5}), t({5, 2})));
  if (name == "baddbmm")
    for (const TensorSpec &self : {t({2, 3, 4}), t({4}), t({2, 1, 1})})
      append(added("batch1", "batch2", self, t({2, 3, 5}), t({2, 5, 4})));
  if (name == "addmv")
    for (const TensorSpec &self : {t({3}), t({}), t({1})})
      append(added("mat", "vec", self, t({3, 5}), t({5})));
  if (name == "linear")
    return {{{"input", t({3, 5})}, {"weight", t({2, 5})}},
            {{"input", t({3, 5})}, {"weight", t({2, 5})}, {"bias", t({2})}},
            {{"input", t({2, 3, 5})}, {"weight", t({4, 5})}, {"bias", t({4})}},
            {{"input", t({5})}, {"weight", t({4, 5})}},
            {{"input", t({2, 3, 5}).transposed()}, {"weight", t({4, 5}).transposed()}},
            {{"input", t({5})}, {"weight", t({5})}},
            {{"input", t({0, 5})}, {"weight", t({4, 5})}, {"bias", t({4})}},
            {{"input", t({3, 5})}, {"weight", t({2, 4})}}};
  if (name == "scaled_dot_product_attention") {
    auto qkv = [](TensorSpec q, TensorSpec k, TensorSpec v) {
      return Case{{"query", q}, {"key", k}, {"value", v}};
    };
    Case base = qkv(t({2, 3, 4, 8}), t({2, 3, 5, 8}), t({2, 3, 5, 8}));
    cases = {base, qkv(t({2, 4, 8}), t({2, 5, 8}), t({2, 5, 6})),
             qkv(t({4, 8}), t({5, 8}), t({5, 8}))};
    Case c = base;
    c["attn_mask"] = mask({4, 5});
    cases.push_back(c);
    for (const TensorSpec &given :
         {t({2, 3, 4, 5}), t({3, 4, 5}), t({4, 5}).as(DType::Float32), t({5}), t({4, 6})}) {
      c["attn_mask"] = given;
      cases.push_back(c);
    }
    c = qkv(t({2, 3, 5, 8}), t({2, 3, 5, 8}), t({2, 3, 5, 8}));
    c["is_causal"] = V(true);
    cases.push_back(c);
    c["scale"] = V(0.3);
    cases.push_back(c);
    c = qkv(t({2, 4, 5, 8}), t({2, 2, 5, 8}), t({2, 2, 5, 8}));
    c["enable_gqa"] = V(true);
    cases.push_back(c);
  }
  return cases;
}

static Cases convolutionCases(llvm::StringRef name, const OpInfo &op) {
  size_t at = name.find_first_of("123");
  size_t rank = at == llvm::StringRef::npos ? 2 : size_t(name[at] - '0');
  bool isTransposed = name.starts_with("conv_transpose");
  auto repeat = [&](int64_t v) { return ints(I(rank, v)); };
  auto sized = [&](I front, int64_t side) {
    front.append(rank, side);
    return t(front);
  };
  // Weight [out, in / groups, …]; transposed: [in, out / groups, …].
  TensorSpec weight = isTransposed ? sized({4, 6}, 3) : sized({6, 4}, 3);
  TensorSpec grouped = isTransposed ? sized({4, 3}, 2) : sized({6, 2}, 2);
  Cases cases = {
      {{"input", sized({2, 4}, 5)}, {"weight", weight}},
      {{"input", sized({2, 4}, 5)}, {"weight", weight}, {"bias", t({6})}},
      {{"input", sized({4}, 5)}, {"weight", weight}},
      {{"input", sized({2, 4}, 7)},
       {"weight", weight},
       {"stride", repeat(2)},
       {"padding", repeat(1)}},
      {{"input", sized({2, 4}, 7)}, {"weight", weight}, {"dilation", repeat(2)}, {"bias", t({6})}},
      {{"input", sized({2, 4}, 5)}, {"weight", grouped}, {"groups", V(2)}},
      {{"input", sized({2, 3}, 5)}, {"weight", weight}}};
  if (rank == 2)
    cases.push_back({{"input", t({2, 4, 5, 5}).channelsLast()}, {"weight", weight}});
  if (rank != 2) {
    // One channel, or a window of 1, lies in more than one order.
    TensorSpec one = isTransposed ? sized({1, 6}, 3) : sized({6, 1}, 3);
    TensorSpec narrow = isTransposed ? sized({4, 6}, 2) : sized({6, 4}, 1);
    TensorSpec wide = isTransposed ? sized({4, 6}, 4) : sized({6, 4}, 4);
    for (auto [in, by] : {std::pair(sized({2, 1}, 5), one),
                          {sized({2, 4}, 5), narrow},
                          {sized({2, 4}, isTransposed ? 2 : 1), narrow},
                          {sized({1, 4}, 6), weight},
                          {sized({1, 4}, 6), wide},
                          {sized({1, 4}, 30), narrow}}) {
      cases.push_back({{"input", in.channelsLast()}, {"weight", by}});
      cases.push_back({{"input", in.channelsLast()}, {"weight", by.channelsLast()}});
      cases.push_back({{"input", in}, {"weight", by.channelsLast()}});
    }
  }
  if (isTransposed)
    cases.push_back({{"input", sized({2, 4}, 4)},
                     {"weight", weight},
                     {"stride", repeat(2)},
                     {"output_padding", repeat(1)}});
  if (op.overload() == "padding")
    for (Case &c : cases) {
      c.erase("stride");
      c["padding"] = V("same");
    }
  if (op.overload() == "padding")
    cases.push_back({{"input", sized({2, 4}, 5)},
                     {"weight", weight},
                     {"padding", V("valid")},
                     {"stride", repeat(2)}});
  if (name == "convolution") {
    Cases all;
    for (Case &c : cases) {
      for (const char *key : {"stride", "dilation"})
        c.insert({key, repeat(1)});
      for (const char *key : {"padding", "output_padding"})
        c.insert({key, repeat(0)});
      c.insert({"transposed", V(false)});
      c.insert({"groups", V(1)});
      c.insert({"bias", kNone});
    }
    Case transposed = cases[0];
    transposed["weight"] = t({4, 6, 3, 3});
    transposed["transposed"] = V(true);
    cases.push_back(transposed);
  }
  return cases;
}

static Cases poolCases(llvm::StringRef name) {
  size_t rank = size_t(name[name.find_first_of("123")] - '0');
  auto repeat = [&](int64_t v) { return ints(I(rank, v)); };
  auto sized = [&](I front, int64_t side) {
    front.append(rank, side);
    return t(front);
  };
  if (name.starts_with("upsample")) {
    Cases cases;
    for (TensorSpec x : {sized({2, 3}, 4), sized({1, 1}, 3)})
      for (bool aligned : {false, true})
        for (int64_t side : {7, 2, 4, 3}) {
          Case c{
              {"self", x}, {"input", x}, {"output_size", repeat(side)}, {"scale_factors", kNone}};
          if (name.contains("linear"))
            c["align_corners"] = V(aligned);
          cases.push_back(c);
          if (side == 2) {
            c["output_size"] = kNone;
            c["scale_factors"] = V(Floats(rank, 1.6));
            cases.push_back(c);
          }
        }
    return cases;
  }
  if (name.contains("adaptive"))
    return {{{"self", sized({2, 3}, 7)}, {"output_size", repeat(3)}},
            {{"self", sized({3}, 5)}, {"output_size", repeat(1)}},
            {{"self", sized({2, 3}, 5)}, {"output_size", repeat(5)}},
            {{"self", sized({2, 3}, 2)}, {"output_size", repeat(3)}},
            {{"self", sized({2, 3}, 6).channelsLast()}, {"output_size", repeat(3)}}};
  Cases cases = {{{"self", sized({2, 3}, 7)}, {"kernel_size", repeat(2)}},
                 {{"self", sized({3}, 7)},
                  {"kernel_size", repeat(3)},
                  {"stride", repeat(2)},
                  {"padding", repeat(1)}},
                 {{"self", sized({2, 3}, 8)},
                  {"kernel_size", repeat(3)},
                  {"stride", repeat(2)},
                  {"ceil_mode", V(true)}},
                 {{"self", sized({2, 3}, 2)}, {"kernel_size", repeat(3)}}};
  cases.push_back({{"self", sized({2, 3}, 5).channelsLast()}, {"kernel_size", repeat(2)}});
  cases.push_back({{"self", sized({2, 1}, 5).channelsLast()}, {"kernel_size", repeat(2)}});
  cases.push_back(
      {{"self", sized({3}, 5).with(TensorSpec::Layout::Rolled)}, {"kernel_size", repeat(2)}});
  if (rank > 1)
    cases.push_back({{"self", sized({3}, 5).channelsLast()}, {"kernel_size", repeat(2)}});
  if (name.contains("max"))
    cases.push_back(
        {{"self", sized({2, 3}, 8)}, {"kernel_size", repeat(2)}, {"dilation", repeat(2)}});
  if (name.contains("max") && rank > 1) { // more places than a byte counts
    int64_t side = rank == 2 ? 20 : 7;
    cases.push_back({{"self", sized({2, 1}, side).channelsLast()}, {"kernel_size", repeat(2)}});
    cases.push_back(
        {{"self", sized({3}, side).with(TensorSpec::Layout::Rolled)}, {"kernel_size", repeat(2)}});
  }
  if (!name.contains("max"))
    cases.push_back({{"self", sized({2, 3}, 7)},
                     {"kernel_size", repeat(3)},
                     {"padding", repeat(1)},
                     {"count_include_pad", V(false)}});
  if (name.starts_with("avg_pool2d") || name.starts_with("avg_pool3d"))
    cases.push_back(
        {{"self", sized({2, 3}, 7)}, {"kernel_size", repeat(3)}, {"divisor_override", V(5)}});
  return cases;
}

static Cases normCases(llvm::StringRef name) {
  TensorSpec x = t({2, 3, 4});
  if (name == "layer_norm" || name == "native_layer_norm" || name == "rms_norm") {
    Cases cases;
    for (TensorSpec input :
         {x, x.transposed(), t({5, 4}), t({4}), t({0, 4}), t({2, 3, 5, 4}).channelsLast()}) {
      Case c{{"input", input}, {"normalized_shape", ints({4})}};
      if (name == "native_layer_norm") {
        c["eps"] = V(1e-5);
        c["weight"] = c["bias"] = kNone;
      }
      cases.push_back(c);
      c["weight"] = t({4});
      if (name != "rms_norm")
        c["bias"] = t({4});
      cases.push_back(c);
    }
    Case wide{{"input", x}, {"normalized_shape", ints({3, 4})}};
    if (name == "native_layer_norm") {
      wide["eps"] = V(1e-5);
      wide["weight"] = wide["bias"] = kNone;
    }
    cases.push_back(wide);
    return cases;
  }
  if (name == "group_norm")
    return {
        {{"input", t({2, 6, 5})}, {"num_groups", V(3)}},
        {{"input", t({2, 6, 3, 2})}, {"num_groups", V(2)}, {"weight", t({6})}, {"bias", t({6})}},
        {{"input", t({2, 6})}, {"num_groups", V(1)}},
        {{"input", t({2, 6, 5})}, {"num_groups", V(4)}}};
  if (name == "native_group_norm")
    return {{{"input", t({2, 6, 5})},
             {"weight", t({6})},
             {"bias", t({6})},
             {"N", V(2)},
             {"C", V(6)},
             {"HxW", V(5)},
             {"group", V(3)},
             {"eps", V(1e-5)}}};
  bool isInstance = name == "instance_norm";
  Cases cases;
  for (TensorSpec input :
       {t({4, 3, 5}), t({4, 3}), t({2, 3, 4, 5}).channelsLast(), t({2, 3, 2, 2})})
    for (bool training : {false, true})
      for (bool affine : {false, true}) {
        if (isInstance && input.sizes.size() == 2)
          continue; // nothing to normalise over: eager multiplies zero by a thousand
        bool hasStats = !isInstance || !training;
        Case c{{"input", input},
               {"weight", affine ? Argument(t({3})) : Argument(kNone)},
               {"bias", affine ? Argument(t({3})) : Argument(kNone)},
               {"running_mean", hasStats ? Argument(t({3})) : Argument(kNone)},
               {"running_var", hasStats ? Argument(t({3}).positive()) : Argument(kNone)},
               {"training", V(training)},
               {"use_input_stats", V(training)},
               {"momentum", V(0.1)},
               {"eps", V(1e-5)},
               {"cudnn_enabled", V(false)}};
        cases.push_back(c);
      }
  return cases;
}

static Cases lossCases(llvm::StringRef name) {
  Cases cases;
  if (name.starts_with("nll_loss") || name == "cross_entropy_loss") {
    for (int64_t reduction : {0, 1, 2}) {
      for (bool weighted : {false, true}) {
        Case c{{"self", t({4, 3})},
               {"target", at({4}, 3)},
               {"reduction", V(reduction)},
               {"weight", weighted ? Argument(t({3}).positive()) : Argument(kNone)},
               {"ignore_index", V(-100)}};
        cases.push_back(c);
        c["ignore_index"] = V(1);
        cases.push_back(c);
        c["self"] = t({3});
        c["target"] = at({}, 3);
        cases.push_back(c);
        if (name == "nll_loss_nd" || name == "cross_entropy_loss") {
          c["self"] = t({2, 3, 4, 5});
          c["target"] = at({2, 4, 5}, 3);
          cases.push_back(c);
        }
        if (name == "cross_entropy_loss") {
          c["label_smoothing"] = V(0.2);
          cases.push_back(c);
          c["self"] = t({4, 3});
          c["target"] = t({4, 3}).unit();
          c["ignore_index"] = V(-100);
          cases.push_back(c);
        }
      }
      cases.push_back({{"self", t({4, 3})},
                       {"target", at({4}, 9)},
                       {"reduction", V(reduction)},
                       {"weight", kNone},
                       {"ignore_index", V(-100)}});
    }
    return cases;
  }
  for (int64_t reduction : {0, 1, 2})
    for (auto [x, y] : {std::pair(t({3, 5}), t({3, 5})), std::pair(t({7}).sliced(), t({7})),
                        std::pair(t({}), t({})), std::pair(t({3, 5}).transposed(), t({3, 5}))}) {
      cases.push_back({{"self", x.unit()}, {"target", y.unit()}, {"reduction", V(reduction)}});
      if (name.starts_with("binary"))
        cases.push_back({{"self", x.unit()},
                         {"target", y.unit()},
                         {"reduction", V(reduction)},
                         {"weight", y.positive()}});
      if (name == "binary_cross_entropy_with_logits")
        cases.push_back({{"self", x},
                         {"target", y.unit()},
                         {"reduction", V(reduction)},
                         {"pos_weight", y.positive()}});
      if (name == "kl_div")
        cases.push_back(
            {{"self", x}, {"target", y}, {"reduction", V(reduction)}, {"log_target", V(true)}});
    }
  if (name == "binary_cross_entropy_with_logits")
    for (DType type : {DType::Float16, DType::Int64, DType::Bool}) {
      cases.push_back({{"self", t({5})}, {"target", t({3, 5}).unit().as(type)}});
      cases.push_back({{"self", t({3, 5})}, {"target", t({5}).unit().as(type)}});
      cases.push_back({{"self", t({5})},
                       {"target", t({3, 5}).unit()},
                       {"weight", t({5}).positive().as(type)},
                       {"reduction", V(0)}});
    }
  if (name == "mse_loss" || name == "l1_loss" || name == "smooth_l1_loss")
    cases.push_back({{"self", t({3, 5})}, {"target", t({5})}});
  return cases;
}

std::vector<Case> ptc::numerics::nnCases(const OpInfo &op) {
  llvm::StringRef name = op.baseName();
  if (Cases cases = matrixCases(name); !cases.empty())
    return cases;
  if (name.starts_with("conv"))
    return convolutionCases(name, op);
  if (name.contains("pool") || name.starts_with("upsample"))
    return poolCases(name);
  if (name.ends_with("_norm") && name != "linalg_vector_norm")
    return normCases(name);
  if (name.starts_with("_native_batch_norm_legit")) {
    Cases cases = normCases("batch_norm");
    return cases;
  }
  if (name.contains("loss") || name == "kl_div" || name.starts_with("binary_cross"))
    return lossCases(name);
  return {};
}
