//===- CaseTable.cpp - Cases for overloads that need care -------------------------===//
//
// One row per base name or overload: the calls to try. Tensors are specs; the element type that is
// tried fills them. Views, joins, reductions and creation are here, the rest in CaseTableNN.cpp.
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

const V kNone;
V ints(I values) { return V(std::move(values)); }

} // namespace

std::vector<Case> ptc::numerics::extraCases(const OpInfo &op) {
  std::vector<Case> cases;
  if (op.findArg("rounding_mode"))
    for (HostValue mode : {HostValue("floor"), HostValue("trunc"), HostValue("none")}) {
      Case c{{"self", t({5, 3})}, {"rounding_mode", mode}};
      if (op.overload() == "Scalar_mode")
        c["other"] = HostValue(-2);
      else
        c["other"] = t({3}).positive();
      cases.push_back(c);
    }
  if (op.findArg("approximate"))
    for (const char *word : {"tanh", "none", "wrong"})
      cases.push_back({{"self", t({5, 3})}, {"approximate", HostValue(word)}});
  return cases;
}

/// Tensors of every layout for operations on one of them.
static const std::vector<TensorSpec> &selves() {
  static const std::vector<TensorSpec> kSelves = {t({}),
                                                  t({1}),
                                                  t({7}),
                                                  t({0}),
                                                  t({2, 0, 3}),
                                                  t({3, 5}),
                                                  t({3, 5}).transposed(),
                                                  t({2, 3, 4}).sliced(),
                                                  t({2, 3, 4}).expanded(),
                                                  t({2, 3, 4, 5}).channelsLast(),
                                                  t({33}),
                                                  t({2, 1, 3}),
                                                  t({1, 1})};
  return kSelves;
}

/// `arguments` with each of selves().
static std::vector<Case> onSelves(const std::vector<Case> &arguments) {
  std::vector<Case> cases;
  for (const TensorSpec &self : selves())
    for (Case c : arguments) {
      c["self"] = self;
      cases.push_back(std::move(c));
    }
  return cases;
}

static std::vector<Case> dimCases(std::initializer_list<int64_t> dims,
                                  const std::vector<Case> &more = {{}}) {
  std::vector<Case> cases;
  for (int64_t dim : dims)
    for (Case c : more) {
      c["dim"] = V(dim);
      cases.push_back(std::move(c));
    }
  return onSelves(cases);
}

/// Reductions over none, one, several dimensions; kept or not; out of range.
static std::vector<Case> reductionCases(const OpInfo &op) {
  std::vector<Case> arguments;
  std::optional<unsigned> dim = op.findArg("dim");
  bool isList = dim && op.args[*dim].isList;
  if (!dim) {
    arguments = {{}};
  } else if (!isList) {
    for (int64_t d : {0, -1, 1, 5})
      arguments.push_back({{"dim", V(d)}});
  } else {
    for (const I &dims : {I{0}, I{-1}, I{1, 2}, I{0, -1}, I{}, I{0, 0}, I{7}})
      arguments.push_back({{"dim", ints(dims)}});
  }
  if (dim && op.args[*dim].isOptional)
    arguments.push_back({{"dim", kNone}});
  if (op.findArg("keepdim"))
    for (size_t i = 0, count = arguments.size(); i < count; ++i) {
      Case c = arguments[i];
      c["keepdim"] = V(true);
      arguments.push_back(c);
    }
  Case base = arguments.front();
  auto vary = [&](const char *name, std::initializer_list<V> values) {
    if (op.findArg(name))
      for (const V &value : values) {
        Case c = base;
        c[name] = value;
        arguments.push_back(c);
      }
  };
  vary("dtype", {DType::Float64, DType::Int32});
  if (op.shapeRule == aten::ShapeRule::Norm)
    return onSelves(arguments);
  if (op.baseName() != "prod") // eager multiplies halves in an order of its own, up to infinity
    vary("dtype", {DType::Float16});
  vary("unbiased", {false});
  vary("correction", {0, 2, 5});
  vary("p", {0, 1, 3, V(0.5), std::numeric_limits<double>::infinity(),
             -std::numeric_limits<double>::infinity()});
  vary("ord", {0, 1, 3, V(0.5), std::numeric_limits<double>::infinity(),
               -std::numeric_limits<double>::infinity()});
  if (op.findArg("p") && op.args[*op.findArg("p")].isOptional)
    for (Case &c : arguments)
      if (!c.count("p"))
        c["p"] = kNone;
  return onSelves(arguments);
}

static std::vector<Case> viewCases(llvm::StringRef name, llvm::StringRef overload) {
  using Cases = std::vector<Case>;
  if (name == "view" && overload == "dtype")
    return onSelves({{{"dtype", V(DType::Int32)}},
                     {{"dtype", V(DType::UInt8)}},
                     {{"dtype", V(DType::Float64)}}});
  if (name == "view" || name == "_unsafe_view" || name == "reshape") {
    const char *arg = name == "reshape" ? "shape" : "size";
    Cases cases;
    for (const I &sizes : {I{-1}, I{3, -1}, I{15}, I{1, 15}, I{5, 3}, I{}, I{2, 12}, I{0, -1},
                           I{6, 4}, I{2, 3, 2, 2}, I{-1, -1}})
      cases.push_back({{arg, ints(sizes)}});
    return onSelves(cases);
  }
  if (name == "expand" || name == "broadcast_to")
    return onSelves({{{"size", ints({2, 3})}},
                     {{"size", ints({4, 1, -1})}},
                     {{"size", ints({2, 3, 4})}},
                     {{"size", ints({7})}},
                     {{"size", ints({})}},
                     {{"size", ints({2, 2, 3})}}});
  if (name == "as_strided")
    return onSelves({{{"size", ints({2, 2})}, {"stride", ints({1, 2})}},
                     {{"size", ints({3})}, {"stride", ints({0})}, {"storage_offset", V(1)}},
                     {{"size", ints({})}, {"stride", ints({})}}});
  if (name == "permute")
    return onSelves({{{"dims", ints({1, 0})}},
                     {{"dims", ints({2, 0, 1})}},
                     {{"dims", ints({0})}},
                     {{"dims", ints({-1, 0, 1, 2})}},
                     {{"dims", ints({})}},
                     {{"dims", ints({0, 0})}}});
  if (name == "transpose")
    return onSelves({{{"dim0", V(0)}, {"dim1", V(1)}}, {{"dim0", V(-1)}, {"dim1", V(0)}}});
  if (name == "movedim" && overload == "int")
    return onSelves(
        {{{"source", V(0)}, {"destination", V(-1)}}, {{"source", V(2)}, {"destination", V(0)}}});
  if (name == "movedim")
    return onSelves({{{"source", ints({0, 1})}, {"destination", ints({1, 0})}},
                     {{"source", ints({0})}, {"destination", ints({2})}}});
  if (name == "select")
    return dimCases({0, -1}, {{{"index", V(0)}}, {{"index", V(-1)}}, {{"index", V(2)}}});
  if (name == "slice")
    return dimCases({0, -1}, {{},
                              {{"start", V(1)}},
                              {{"start", V(-2)}, {"end", V(100)}},
                              {{"start", V(0)}, {"end", V(-1)}, {"step", V(2)}},
                              {{"start", V(3)}, {"end", V(1)}},
                              {{"step", V(0)}}});
  if (name == "narrow")
    return dimCases({0, -1}, {{{"start", V(0)}, {"length", V(1)}},
                              {{"start", V(1)}, {"length", V(2)}},
                              {{"start", V(-1)}, {"length", V(1)}}});
  if (name == "diagonal")
    return onSelves({{}, {{"offset", V(1)}}, {{"offset", V(-1)}, {"dim1", V(-1)}, {"dim2", V(0)}}});
  if (name == "unfold")
    return onSelves({{{"dimension", V(0)}, {"size", V(2)}, {"step", V(1)}},
                     {{"dimension", V(-1)}, {"size", V(3)}, {"step", V(2)}}});
  if (name == "squeeze" && overload == "dims")
    return onSelves({{{"dim", ints({0, 1})}}, {{"dim", ints({-1})}}});
  if (name == "squeeze" && overload.empty())
    return onSelves({{}});
  if (name == "squeeze" || name == "unsqueeze" || name == "unbind")
    return dimCases({0, -1, 1, 2});
  if (name == "flatten")
    return onSelves({{}, {{"start_dim", V(1)}}, {{"start_dim", V(0)}, {"end_dim", V(1)}}});
  if (name == "unflatten")
    return dimCases({0, -1}, {{{"sizes", ints({1, -1})}}, {{"sizes", ints({3, 1})}}});
  if (name == "split" && overload == "Tensor")
    return dimCases({0, -1}, {{{"split_size", V(2)}}, {{"split_size", V(10)}}});
  if (name == "split" || name == "split_with_sizes") {
    const char *arg = name == "split" ? "split_size" : "split_sizes";
    return dimCases({0, -1}, {{{arg, ints({1, 2})}}, {{arg, ints({2, 3})}}, {{arg, ints({4, 3})}}});
  }
  if (name == "chunk")
    return dimCases({0, -1}, {{{"chunks", V(2)}}, {{"chunks", V(3)}}, {{"chunks", V(50)}}});
  if (name == "tensor_split" && overload == "sections")
    return dimCases({0, -1}, {{{"sections", V(2)}}, {{"sections", V(4)}}});
  if (name == "tensor_split")
    return dimCases({0, -1}, {{{"indices", ints({1, 2})}}, {{"indices", ints({2, 100})}}});
  if (name == "view_as" || name == "reshape_as" || name == "expand_as")
    return onSelves({{{"other", t({5, 3})}}, {{"other", t({2, 3, 4})}}, {{"other", t({7})}}});
  if (name == "view_as_complex")
    return {{{"self", t({3, 2})}},
            {{"self", t({2})}},
            {{"self", t({3, 3})}},
            {{"self", t({})}},
            {{"self", t({1, 2}).transposed()}},
            {{"self", t({1, 1, 2}).with(TensorSpec::Layout::Rolled)}}};
  if (name == "contiguous" || name == "clone")
    return onSelves({{},
                     {{"memory_format", V(V::MemoryFormat{0})}},
                     {{"memory_format", V(V::MemoryFormat{2})}}});
  if (name == "to" || name == "_to_copy") {
    Cases cases;
    for (DType dtype : {DType::Float32, DType::Float16, DType::Int64, DType::Bool})
      cases.push_back({{"dtype", V(dtype)}});
    if (overload == "device")
      for (Case &c : cases)
        c["device"] = V(V::Device{});
    if (overload == "other")
      cases = {{{"other", t({}).as(DType::Float32)}}, {{"other", t({}).as(DType::UInt8)}}};
    if (overload == "dtype_layout" || name == "_to_copy")
      cases.push_back({});
    if (name == "to") {
      Case c = cases.front();
      c["copy"] = V(true);
      cases.push_back(c);
    }
    return onSelves(cases);
  }
  if (name == "type_as")
    return onSelves({{{"other", t({}).as(DType::Float32)}}});
  return {};
}

static std::vector<Case> createCases(llvm::StringRef name, const OpInfo &op) {
  std::vector<Case> cases;
  std::vector<Case> dtypes = {{},
                              {{"dtype", V(DType::Float64)}},
                              {{"dtype", V(DType::Int64)}},
                              {{"dtype", V(DType::Bool)}},
                              {{"dtype", V(DType::Float16)}}};
  std::vector<Case> bases = {{}};
  auto combine = [&](const std::vector<Case> &more) {
    std::vector<Case> all;
    for (const Case &base : bases)
      for (const Case &extra : more) {
        Case c = base;
        c.insert(extra.begin(), extra.end());
        all.push_back(std::move(c));
      }
    bases = std::move(all);
  };
  if (name == "arange") {
    bases = {{{"end", V(5)}}, {{"end", V(2.5)}}, {{"end", V(0)}}, {{"end", V(-1)}}};
    if (op.findArg("start"))
      combine({{{"start", V(1)}}, {{"start", V(-0.5)}}, {{"start", V(5)}}});
    if (op.findArg("step"))
      combine({{{"step", V(2)}}, {{"step", V(0.3)}}, {{"step", V(-1)}}, {{"step", V(0)}}});
    combine({{},
             {{"dtype", V(DType::Float64)}},
             {{"dtype", V(DType::Int32)}},
             {{"dtype", V(DType::Float32)}}});
    return bases;
  }
  if (name == "linspace")
    bases = {{{"start", V(0)}, {"end", V(1)}, {"steps", V(7)}},
             {{"start", V(3)}, {"end", V(-1.5)}, {"steps", V(1)}},
             {{"start", V(3)}, {"end", V(-1)}, {"steps", V(0)}},
             {{"start", V(0)}, {"end", V(10)}, {"steps", V(-1)}}};
  if (name == "eye")
    bases = op.findArg("m")
                ? std::vector<Case>{{{"n", V(3)}, {"m", V(5)}}, {{"n", V(0)}, {"m", V(2)}}}
                : std::vector<Case>{{{"n", V(3)}}, {{"n", V(0)}}, {{"n", V(-1)}}};
  if (op.findArg("self"))
    bases = onSelves(bases);
  if (op.findArg("size"))
    combine({{{"size", ints({2, 3})}}, {{"size", ints({})}}, {{"size", ints({0, 3})}}});
  if (op.findArg("stride"))
    bases = {{{"size", ints({2, 3})}, {"stride", ints({1, 2})}}};
  if (op.findArg("fill_value"))
    combine({{{"fill_value", V(2)}}, {{"fill_value", V(0.5)}}, {{"fill_value", V(true)}}});
  if (name == "scalar_tensor")
    combine({{{"s", V(2)}}, {{"s", V(0.5)}}, {{"s", V(true)}}});
  combine(name == "linspace" ? std::vector<Case>{{}, {{"dtype", V(DType::Float64)}}} : dtypes);
  return bases;
}

static std::vector<Case> joinCases(llvm::StringRef name) {
  if (name == "cat" || name == "stack") {
    std::vector<Case> cases;
    std::vector<Specs> lists = {{t({2, 3}), t({2, 3}).transposed()},
                                {t({2, 3})},
                                {t({2, 3}), t({4, 3})},
                                {t({2, 3, 4, 5}).channelsLast(), t({2, 3, 4, 5}).channelsLast()},
                                {t({0}), t({2, 3})},
                                {t({}), t({})},
                                {t({2}).as(DType::Int64), t({2})},
                                {t({3, 0}), t({3, 2})},
                                {t({5}), t({5}), t({5}).sliced()}};
    for (const Specs &list : lists)
      for (int64_t dim : {0, -1, 1})
        cases.push_back({{"tensors", list}, {"dim", V(dim)}});
    return cases;
  }
  if (name == "repeat")
    return onSelves({{{"repeats", ints({2})}},
                     {{"repeats", ints({2, 1, 3})}},
                     {{"repeats", ints({0, 2})}},
                     {{"repeats", ints({1, 2, 1, 2})}}});
  if (name == "tile")
    return onSelves({{{"dims", ints({2})}}, {{"dims", ints({2, 1, 3})}}, {{"dims", ints({})}}});
  if (name == "roll")
    return onSelves({{{"shifts", ints({1})}, {"dims", ints({0})}},
                     {{"shifts", ints({-2})}},
                     {{"shifts", ints({1, 2})}, {"dims", ints({0, -1})}}});
  if (name == "flip")
    return onSelves({{{"dims", ints({0})}}, {{"dims", ints({-1, 0})}}, {{"dims", ints({})}}});
  if (name == "constant_pad_nd")
    return onSelves({{{"pad", ints({1, 2})}},
                     {{"pad", ints({0, -1, 2, 1})}, {"value", V(3)}},
                     {{"pad", ints({})}}});
  if (name == "pad") {
    std::vector<Case> cases = onSelves({{{"pad", ints({1, 1})}},
                                        {{"pad", ints({1, 2})}, {"value", V(1.5)}},
                                        {{"pad", ints({1, 2})}, {"mode", V("reflect")}},
                                        {{"pad", ints({2, 1})}, {"mode", V("replicate")}},
                                        {{"pad", ints({2, 1, 1, 1})}, {"mode", V("reflect")}},
                                        {{"pad", ints({-1, 2})}, {"mode", V("reflect")}},
                                        {{"pad", ints({-2, 1})}, {"mode", V("replicate")}},
                                        {{"pad", ints({-1, 2})}, {"mode", V("circular")}},
                                        {{"pad", ints({1, -2})}, {"mode", V("circular")}},
                                        {{"pad", ints({1, 1})}, {"mode", V("circular")}}});
    for (const char *mode : {"constant", "reflect", "replicate", "circular"})
      cases.push_back({{"self", t({2, 3, 4, 5}).channelsLast()},
                       {"pad", ints({1, 1, 2, 1})},
                       {"mode", V(mode)}});
    return cases;
  }
  if (name == "tril" || name == "triu")
    return onSelves({{}, {{"diagonal", V(1)}}, {{"diagonal", V(-2)}}});
  if (name == "diag")
    return onSelves({{}, {{"diagonal", V(1)}}, {{"diagonal", V(-2)}}});
  if (name == "diag_embed")
    return onSelves({{}, {{"offset", V(1)}}, {{"offset", V(-2)}, {"dim1", V(0)}, {"dim2", V(1)}}});
  if (name == "pixel_shuffle")
    return {{{"self", t({2, 8, 3, 5})}, {"upscale_factor", V(2)}},
            {{"self", t({2, 8, 3, 5}).channelsLast()}, {"upscale_factor", V(2)}},
            {{"self", t({9, 1, 2})}, {"upscale_factor", V(3)}},
            {{"self", t({5, 1, 2})}, {"upscale_factor", V(3)}}};
  if (name == "pixel_unshuffle")
    return {{{"self", t({2, 3, 4, 6})}, {"downscale_factor", V(2)}},
            {{"self", t({2, 3, 4, 6}).channelsLast()}, {"downscale_factor", V(2)}},
            {{"self", t({1, 3, 6})}, {"downscale_factor", V(3)}},
            {{"self", t({1, 3, 5})}, {"downscale_factor", V(2)}}};
  if (name == "repeat_interleave")
    return {};
  return {};
}

static std::vector<Case> alongDimCases(llvm::StringRef name, const OpInfo &op) {
  if (name == "cumsum" || name == "cumprod")
    return dimCases({0, -1, 1, 9},
                    {{}, {{"dtype", V(DType::Float64)}}, {{"dtype", V(DType::Int32)}}});
  if (name == "logcumsumexp")
    return dimCases({0, -1, 1, 9}, {{}});
  if (name == "softmax" || name == "log_softmax")
    return dimCases({0, -1, 1}, {{}, {{"dtype", V(DType::Float64)}}});
  if (name == "_softmax" || name == "_log_softmax")
    return dimCases({0, -1, 1}, {{{"half_to_float", V(false)}}});
  if (name == "diff")
    return {{{"self", t({5})}},
            {{"self", t({3, 5})}, {"n", V(2)}},
            {{"self", t({3, 5})}, {"dim", V(0)}},
            {{"self", t({3, 5})}, {"prepend", t({3, 1})}},
            {{"self", t({3, 5})}, {"append", t({3, 2})}},
            {{"self", t({3, 5})}, {"n", V(7)}},
            {{"self", t({})}}};
  if (name == "sort" || name == "argsort") {
    std::vector<Case> cases;
    for (bool down : {false, true})
      for (int64_t dim : {0, -1, 1})
        for (const TensorSpec &self : selves()) {
          if (self.sizes == I{33} && !op.findArg("stable"))
            continue; // more than 16 equal elements come in any order
          Case c{{"self", TensorSpec(self).distinct()}, {"dim", V(dim)}, {"descending", V(down)}};
          if (op.findArg("stable")) {
            c["stable"] = V(true);
            c["self"] = self;
          }
          cases.push_back(c);
        }
    return cases;
  }
  if (name == "topk")
    return {{{"self", t({7}).distinct()}, {"k", V(3)}},
            {{"self", t({3, 5}).distinct()}, {"k", V(2)}, {"dim", V(0)}},
            {{"self", t({3, 5}).transposed().distinct()}, {"k", V(5)}, {"largest", V(false)}},
            {{"self", t({3, 5}).distinct()}, {"k", V(0)}},
            {{"self", t({3, 5}).distinct()}, {"k", V(6)}},
            {{"self", t({})}, {"k", V(1)}}};
  auto sorted = [](Ints sizes) { return t(std::move(sizes)).filled(TensorSpec::Fill::Sorted); };
  if (name == "searchsorted")
    return {{{"sorted_sequence", sorted({5})}, {"self", t({3, 4})}},
            {{"sorted_sequence", sorted({2, 5})}, {"self", t({2, 3})}, {"right", V(true)}},
            {{"sorted_sequence", sorted({5})}, {"self", t({3})}, {"side", V("right")}},
            {{"sorted_sequence", sorted({5})}, {"self", t({3})}, {"out_int32", V(true)}},
            {{"sorted_sequence", sorted({2, 5})}, {"self", t({3, 3})}}};
  if (name == "bucketize")
    return {{{"self", t({3, 4})}, {"boundaries", sorted({5})}},
            {{"self", t({})}, {"boundaries", sorted({5})}, {"right", V(true)}},
            {{"self", t({4})}, {"boundaries", sorted({3})}, {"out_int32", V(true)}}};
  if (name == "_unique2")
    return {{{"self", t({9})}},
            {{"self", t({3, 5})}, {"return_inverse", V(true)}},
            {{"self", t({0})}},
            {{"self", t({3, 5})}, {"return_inverse", V(true)}, {"return_counts", V(true)}}};
  return {};
}

const std::vector<Case> *ptc::numerics::findCases(const OpInfo &op) {
  static std::map<std::string, std::vector<Case>> made;
  auto [place, isNew] = made.try_emplace(op.name.str());
  std::vector<Case> &cases = place->second;
  if (isNew) {
    llvm::StringRef name = op.baseName();
    cases = viewCases(name, op.overload());
    for (auto more : {joinCases(name), alongDimCases(name, op), indexCases(op), nnCases(op)})
      cases.insert(cases.end(), more.begin(), more.end());
    switch (op.shapeRule) {
    case aten::ShapeRule::Reduce:
    case aten::ShapeRule::ReduceIndex:
    case aten::ShapeRule::ArgReduce:
    case aten::ShapeRule::Moment:
    case aten::ShapeRule::Norm:
      cases = reductionCases(op);
      if (name == "median") // of equal elements any index is right; eager is wrong on expanded ones
        for (Case &c : cases) {
          TensorSpec &self = std::get<TensorSpec>(c["self"]);
          bool isExpanded = self.layout == TensorSpec::Layout::Expanded;
          self = (isExpanded ? t({2, 3, 4}) : self).distinct();
        }
      break;
    case aten::ShapeRule::Factory:
    case aten::ShapeRule::FactoryLike:
    case aten::ShapeRule::NewFactory:
    case aten::ShapeRule::EmptyStrided:
    case aten::ShapeRule::Arange:
    case aten::ShapeRule::Linspace:
    case aten::ShapeRule::Eye:
      cases = createCases(name, op);
      break;
    case aten::ShapeRule::Alias:
    case aten::ShapeRule::ViewAsReal:
    case aten::ShapeRule::Real:
    case aten::ShapeRule::MatrixTranspose:
    case aten::ShapeRule::Clone:
    case aten::ShapeRule::Item:
      if (cases.empty())
        cases = onSelves({{}});
      break;
    default: // listed by name, or made from the schema
      break;
    }
    if (name == "ravel")
      cases = onSelves({{}});
    if (name == "_local_scalar_dense") // is called on one element only
      cases = {{{"self", t({})}}, {{"self", t({1})}}, {{"self", t({1, 1})}}};
  }
  return cases.empty() ? nullptr : &cases;
}
