//===- SplitComplex.cpp - split-complex ---------------------------------------------------===//
//
// In: a module behind normalise. Out: the same where tensors of complex numbers are tensors of
// reals with one dimension more, the last, of size 2: what torch.view_as_real shows of them. Types
// of values change where they stand, so that branches, loops and picks need no code of their own.
//
// Arguments, weights, states and results stay complex, and are seen by view_as_real and
// view_as_complex. A body is split as a whole or stays: an operation that is not among those below
// is what a later phase refuses by name.
//
//===----------------------------------------------------------------------===//
#include "SplitComplex.h"

#include "ptc/Conversion/Passes.h"
#include "ptc/Dialect/Aten/IR/Refused.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Dialect/Program/IR/SizeSymbols.h"
#include "ptc/Dialect/Program/IR/ViewOffset.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

namespace ptc {
#define GEN_PASS_DEF_SPLITCOMPLEX
#include "ptc/Conversion/Passes.h.inc"
} // namespace ptc

using namespace mlir;
using namespace ptc;
using aten::OpId;

static DType realOf(DType dtype) {
  return dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<aten::TensorMeta> ComplexParts::metaOf(RankedTensorType type) {
  return aten::toMeta(type, symbols);
}

aten::TensorMeta ComplexParts::knownMeta(RankedTensorType type) {
  std::optional<aten::TensorMeta> meta = metaOf(type);
  assert(meta && "asked before");
  return meta.value_or(aten::TensorMeta());
}

RankedTensorType ComplexParts::typeOf(const aten::TensorMeta &meta) {
  return aten::toType(b.getContext(), meta, symbols);
}

/// `complex` with its parts as last dimension.
RankedTensorType ComplexParts::pairType(RankedTensorType complex) {
  aten::TensorMeta meta = knownMeta(complex);
  meta.dtype = realOf(meta.dtype);
  for (sym::Expr &stride : meta.strides)
    stride = symbols.mul(stride, symbols.constant(2));
  meta.sizes.push_back(symbols.constant(2));
  meta.strides.push_back(symbols.constant(1));
  return typeOf(meta);
}

/// One part, as an operation makes it that gives `complex`.
RankedTensorType ComplexParts::partType(RankedTensorType complex) {
  aten::TensorMeta meta = knownMeta(complex);
  meta.dtype = realOf(meta.dtype);
  return typeOf(meta);
}

/// Truth values of one part.
RankedTensorType ComplexParts::truthType(RankedTensorType complex) {
  aten::TensorMeta meta = knownMeta(complex);
  meta.dtype = DType::Bool;
  return typeOf(meta);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ComplexParts::view(Value base, ArrayRef<Attribute> step, RankedTensorType type) {
  ArrayAttr steps = b.getArrayAttr({b.getArrayAttr(step)});
  return program::ViewOp::create(b, loc, type, base, ValueRange(), steps);
}

/// Part 0 or 1 of a pair that stands for a tensor of type `complex`.
Value ComplexParts::part(Value pair, RankedTensorType complex, int64_t index) {
  aten::TensorMeta meta = knownMeta(complex);
  meta.dtype = realOf(meta.dtype);
  for (sym::Expr &stride : meta.strides)
    stride = symbols.mul(stride, symbols.constant(2));
  return view(pair,
              {b.getStringAttr("select.int"), b.getI64IntegerAttr(complex.getRank()),
               b.getI64IntegerAttr(index)},
              typeOf(meta));
}

/// A real tensor that is broadcast over both parts.
Value ComplexParts::overParts(Value real) {
  auto type = cast<RankedTensorType>(real.getType());
  aten::TensorMeta meta = knownMeta(type);
  meta.sizes.push_back(symbols.constant(1));
  meta.strides.push_back(symbols.constant(1));
  return view(real, {b.getStringAttr("unsqueeze"), b.getI64IntegerAttr(type.getRank())},
              typeOf(meta));
}

Value ComplexParts::make(OpId id, const aten::OpArgBuilder &args, RankedTensorType type) {
  return aten::createOp(b, loc, id, args, type)->getResult(0);
}

Value ComplexParts::unary(OpId id, Value value, RankedTensorType type) {
  return make(id, aten::OpArgBuilder(b.getContext()).add(value), type);
}

Value ComplexParts::binary(OpId id, Value left, Value right, RankedTensorType type) {
  aten::OpArgBuilder args(b.getContext());
  args.add(left).add(right);
  if (id == OpId::add_Tensor || id == OpId::sub_Tensor)
    args.add(b.getI64IntegerAttr(1));
  return make(id, args, type);
}

Value ComplexParts::scaled(Value value, FloatAttr factor, RankedTensorType type) {
  return make(OpId::mul_Tensor, aten::OpArgBuilder(b.getContext()).add(value).add(factor), type);
}

Value ComplexParts::plus(Value value, double number, RankedTensorType type) {
  if (number == 0 && std::signbit(number))
    return value;
  aten::OpArgBuilder args(b.getContext());
  args.add(value).add(b.getF64FloatAttr(number)).add(b.getI64IntegerAttr(1));
  return make(OpId::add_Tensor, args, type);
}

/// The order of dimensions in which the tensor is row-major, or by falling strides; none where that
/// is not known.
std::optional<SmallVector<int64_t>> ComplexParts::orderOf(const aten::TensorMeta &meta) {
  SmallVector<int64_t> left = llvm::to_vector(llvm::seq<int64_t>(0, meta.dim())), order;
  aten::Exprs sizes(1, symbols.constant(1)); // in that order, behind one that does not matter
  while (!left.empty()) {
    sym::Expr wanted = aten::contiguousStrides(symbols, sizes).front(), product = sizes.front();
    for (sym::Expr size : sizes)
      product = symbols.mul(product, size); // where sizes are known to be 1 or more
    auto next = std::find_if(left.rbegin(), left.rend(), [&](int64_t dim) {
      return meta.strides[size_t(dim)] == wanted || meta.strides[size_t(dim)] == product;
    });
    if (next == left.rend())
      break;
    order.insert(order.begin(), *next);
    sizes.insert(sizes.begin() + 1, meta.sizes[size_t(*next)]);
    left.erase(std::next(next).base());
  }
  if (left.empty())
    return order;
  order = llvm::to_vector(llvm::seq<int64_t>(0, meta.dim()));
  for (sym::Expr stride : meta.strides)
    if (!stride.asConstant())
      return std::nullopt;
  llvm::sort(order, [&](int64_t x, int64_t y) {
    return std::pair(-*meta.strides[size_t(x)].asConstant(), x) <
           std::pair(-*meta.strides[size_t(y)].asConstant(), y);
  });
  return order;
}

/// The pair for a result of type `complex`, which lies in memory as eager's does.
Value ComplexParts::pair(Value real, Value imag, RankedTensorType complex) {
  aten::TensorMeta meta = knownMeta(complex);
  std::optional<SmallVector<int64_t>> known = orderOf(meta);
  assert(known && "asked before");
  SmallVector<int64_t> order = known.value_or(SmallVector<int64_t>());
  bool asTheyStand = llvm::is_sorted(order);
  aten::TensorMeta inOrder = meta;
  inOrder.dtype = realOf(meta.dtype);
  for (auto [at, from] : llvm::enumerate(order)) {
    inOrder.sizes[at] = meta.sizes[size_t(from)];
    inOrder.strides[at] = symbols.mul(meta.strides[size_t(from)], symbols.constant(2));
  }
  SmallVector<Attribute> forth, back(order.size() + 1);
  for (auto [at, from] : llvm::enumerate(order)) {
    forth.push_back(b.getI64IntegerAttr(from));
    back[from] = b.getI64IntegerAttr(int64_t(at));
  }
  back.back() = b.getI64IntegerAttr(int64_t(order.size()));
  if (!asTheyStand)
    for (Value *value : {&real, &imag}) {
      aten::TensorMeta from = knownMeta(cast<RankedTensorType>(value->getType())), to = from;
      for (auto [at, dim] : llvm::enumerate(order)) {
        to.sizes[at] = from.sizes[dim];
        to.strides[at] = from.strides[dim];
      }
      *value = view(*value, {b.getStringAttr("permute"), b.getArrayAttr(forth)}, typeOf(to));
    }
  inOrder.sizes.push_back(symbols.constant(2));
  inOrder.strides.push_back(symbols.constant(1));
  aten::OpArgBuilder args(b.getContext());
  args.add({real, imag}).add(b.getI64IntegerAttr(complex.getRank()));
  Value made = make(OpId::stack, args, typeOf(inOrder));
  if (asTheyStand)
    return made;
  return view(made, {b.getStringAttr("permute"), b.getArrayAttr(back)}, pairType(complex));
}

//===----------------------------------------------------------------------===//
// Chains of views
//===----------------------------------------------------------------------===//

namespace {
/// What a step says of dimensions: at which of its arguments they stand, and by how many it changes
/// them.
struct StepRow {
  StringLiteral name;
  enum Kind : uint8_t {
    Dims,
    Sizes,
    Order,
    Flatten,
    Unflatten,
    Unsqueeze,
    Transpose,
    Squeeze, ///< how many dimensions go is not known here
    Reversed,
    LastTwo,
  } kind;
  int first = 0, last = -1, change = 0;
};
} // namespace

static constexpr StepRow kStepRows[] = {
    {"alias", StepRow::Dims},
    {"detach", StepRow::Dims},
    {"slice.Tensor", StepRow::Dims, 1, 1},
    {"narrow", StepRow::Dims, 1, 1},
    {"select.int", StepRow::Dims, 1, 1, -1},
    {"unbind.int", StepRow::Dims, 1, 1, -1},
    {"split.Tensor", StepRow::Dims, 2, 2},
    {"split_with_sizes", StepRow::Dims, 2, 2},
    {"split.sizes", StepRow::Dims, 2, 2},
    {"chunk", StepRow::Dims, 2, 2},
    {"transpose.int", StepRow::Dims, 1, 2},
    {"movedim.int", StepRow::Dims, 1, 2},
    {"squeeze", StepRow::Squeeze},
    {"squeeze.dim", StepRow::Squeeze, 1, 1},
    {"numpy_T", StepRow::Reversed},
    {"mT", StepRow::LastTwo},
    {"t", StepRow::Transpose},
    {"unsqueeze", StepRow::Unsqueeze},
    {"permute", StepRow::Order},
    {"view", StepRow::Sizes},
    {"reshape", StepRow::Sizes},
    {"expand", StepRow::Sizes},
    {"flatten.using_ints", StepRow::Flatten},
    {"unflatten.int", StepRow::Unflatten},
};

namespace {
/// The steps of one chain, for a base of so many dimensions.
class Chain {
public:
  Chain(Builder b, RankedTensorType base)
      : b(b), rank(base.getRank()), isComplex(bool(complexTensor(base))) {}

  /// None: a step is not in the table, or its dimensions are numbers of the run.
  std::optional<ArrayAttr> split(ArrayAttr steps) {
    SmallVector<Attribute> out;
    for (Attribute attr : steps) {
      auto step = cast<ArrayAttr>(attr);
      StringRef name = cast<StringAttr>(step[0]).getValue();
      if (name == (isComplex ? "view_as_real" : "view_as_complex")) {
        change(isComplex ? 1 : -1);
        isComplex = !isComplex;
      } else if (isComplex && rank && (name == "real" || name == "imag")) {
        out.push_back(b.getArrayAttr({b.getStringAttr("select.int"), b.getI64IntegerAttr(*rank),
                                      b.getI64IntegerAttr(name == "imag")}));
        isComplex = false;
      } else if (std::optional<Step> made = split(step, name)) {
        if (!made->empty())
          out.push_back(b.getArrayAttr(*made));
      } else if (!isComplex && name != "view.dtype") {
        rank.reset(); // known again where a step says all sizes
        out.push_back(step);
      } else {
        return std::nullopt;
      }
    }
    return b.getArrayAttr(out);
  }

  /// Of the result.
  bool givesComplex() const { return isComplex; }

private:
  using Step = SmallVector<Attribute>;

  std::optional<Step> split(ArrayAttr step, StringRef name) {
    const StepRow *row = llvm::find_if(kStepRows, [&](auto &row) { return row.name == name; });
    Step made(step.begin(), step.end());
    if (row == std::end(kStepRows))
      return std::nullopt;
    switch (row->kind) {
    case StepRow::Dims:
      for (int i = row->first; i <= row->last; ++i)
        if (!count(made[i]))
          return std::nullopt;
      change(row->change);
      return made;
    case StepRow::Transpose:
      if (!rank)
        return std::nullopt;
      if (rank == 2)
        return Step{b.getStringAttr("transpose.int"), b.getI64IntegerAttr(0),
                    b.getI64IntegerAttr(1)};
      return Step();
    case StepRow::Squeeze:
      for (int i = row->first; i && i <= row->last; ++i)
        if (!count(made[i]))
          return std::nullopt;
      rank.reset();
      return made;
    case StepRow::Reversed: {
      if (!rank)
        return std::nullopt;
      SmallVector<int64_t> order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, *rank)));
      if (isComplex)
        order.push_back(*rank);
      return Step{b.getStringAttr("permute"), b.getI64ArrayAttr(order)};
    }
    case StepRow::LastTwo:
      if (!rank || rank < 2)
        return std::nullopt;
      return Step{b.getStringAttr("transpose.int"), b.getI64IntegerAttr(*rank - 2),
                  b.getI64IntegerAttr(*rank - 1)};
    case StepRow::Unsqueeze:
      change(1);
      if (!count(made[1]))
        return std::nullopt;
      return made;
    case StepRow::Flatten: {
      std::optional<int64_t> first = count(made[1]), last = count(made[2]);
      if (!first || !last || rank == 0)
        return std::nullopt;
      change(*first - *last);
      return made;
    }
    case StepRow::Unflatten:
      if (!count(made[1]))
        return std::nullopt;
      change(int64_t(cast<ArrayAttr>(made[2]).size()) - 1);
      return made;
    case StepRow::Order:
      return counted(std::move(made));
    case StepRow::Sizes: {
      auto sizes = cast<ArrayAttr>(made[1]);
      rank = int64_t(sizes.size());
      if (isComplex)
        made[1] = appended(sizes, 2);
      return made;
    }
    }
    llvm_unreachable("closed enum");
  }

  std::optional<Step> counted(Step made) {
    SmallVector<Attribute> dims(cast<ArrayAttr>(made[1]).begin(), cast<ArrayAttr>(made[1]).end());
    for (Attribute &dim : dims)
      if (!count(dim))
        return std::nullopt;
    made[1] = b.getArrayAttr(dims);
    if (isComplex)
      made[1] = appended(cast<ArrayAttr>(made[1]), int64_t(dims.size()));
    return made;
  }

  ArrayAttr appended(ArrayAttr list, int64_t number) {
    SmallVector<Attribute> elements(list.begin(), list.end());
    elements.push_back(b.getI64IntegerAttr(number));
    return b.getArrayAttr(elements);
  }

  void change(int64_t dims) {
    if (rank)
      *rank += dims;
  }

  /// A dimension, from the start: behind the last one stand the parts.
  std::optional<int64_t> count(Attribute &dim) {
    auto number = dyn_cast<IntegerAttr>(dim);
    if (!number || !rank)
      return std::nullopt;
    int64_t value = number.getInt() < 0 ? number.getInt() + *rank : number.getInt();
    dim = b.getI64IntegerAttr(value);
    return value;
  }

  Builder b;
  std::optional<int64_t> rank;
  bool isComplex;
};

//===----------------------------------------------------------------------===//
// A body
//===----------------------------------------------------------------------===//

class Body {
public:
  explicit Body(Operation *root) : root(root), parts(root->getContext()) {
    if (auto variant = dyn_cast<program::VariantOp>(root))
      for (const program::SizeSymbol &symbol : program::sizeSymbols(variant))
        if (!parts.symbols.findSymbol(symbol.name))
          parts.symbols.symbol({.name = symbol.name.str()});
  }

  void run() {
    if (!collect() || (work.empty() && outside.empty()))
      return;
    for (auto [value, type] : parts.was)
      value.setType(parts.pairType(type));
    for (Value value : outside)
      seeAsReal(value);
    for (Operation *op : work)
      rewrite(op);
    for (Operation *op : parts.replaced)
      op->erase();
  }

private:
  bool note(Value value) {
    RankedTensorType type = complexTensor(value.getType());
    if (!type)
      return true;
    if (!parts.metaOf(type))
      return false;
    parts.was.insert({value, type});
    return true;
  }

  /// A storage of the caller's.
  static bool isInput(Operation *op) {
    auto place = dyn_cast<program::PlaceOp>(op);
    return place && place.getInput();
  }

  bool noteOutside(Value value) {
    RankedTensorType type = complexTensor(value.getType());
    if (type && !parts.metaOf(type))
      return false;
    if (type)
      outside.push_back(value);
    return true;
  }

  /// The parts of a value that stays complex.
  void seeAsReal(Value value) {
    RankedTensorType type = complexTensor(value.getType());
    OpBuilder b(root->getContext());
    b.setInsertionPointAfterValue(value);
    auto pair = program::ViewOp::create(b, value.getLoc(), parts.pairType(type), value,
                                        ValueRange(), oneStep(b, "view_as_real"));
    value.replaceAllUsesExcept(pair, pair);
    parts.was.insert({pair, type});
  }

  static ArrayAttr oneStep(Builder b, StringRef name) {
    return b.getArrayAttr({b.getArrayAttr({b.getStringAttr(name)})});
  }

  /// What leaves the body is complex.
  void showAsComplex(Operation *op) {
    OpBuilder b(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto known = parts.was.find(operand.get());
      if (known != parts.was.end())
        operand.set(program::ViewOp::create(b, op->getLoc(), known->second, operand.get(),
                                            ValueRange(), oneStep(b, "view_as_complex")));
    }
  }

  /// All complex values, and what makes and reads them. False: it cannot be split.
  bool collect() {
    for (Value argument : root->getRegion(0).getArguments())
      if (!noteOutside(argument))
        return false;
    WalkResult seen = root->walk([&](Operation *op) {
      if (op == root)
        return WalkResult::advance();
      bool touches = llvm::any_of(op->getOperandTypes(), complexTensor) ||
                     llvm::any_of(op->getResultTypes(), complexTensor) || passesComplex(op);
      if (isa<program::WeightOp, program::GetStateOp>(op)) {
        bool fits = noteOutside(op->getResult(0));
        return fits ? WalkResult::advance() : WalkResult::interrupt();
      }
      if (isa<program::PlaceOp>(op) && isInput(op)) {
        work.push_back(op);
        bool fits = noteOutside(op->getResult(0));
        return fits ? WalkResult::advance() : WalkResult::interrupt();
      }
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments()) {
          touches |= bool(complexTensor(argument.getType()));
          if (!note(argument))
            return WalkResult::interrupt();
        }
      bool fits = llvm::all_of(op->getResults(), [&](Value value) { return note(value); });
      if (!touches)
        return WalkResult::advance();
      work.push_back(op);
      if (fits && takes(op))
        return WalkResult::advance();
      op->setAttr(aten::kOfComplexAttr, UnitAttr::get(op->getContext()));
      return WalkResult::interrupt();
    });
    return !seen.wasInterrupted();
  }

  /// A chain of views from reals to reals.
  static bool passesComplex(Operation *op) {
    auto chain = dyn_cast<program::ViewOp>(op);
    return chain && llvm::any_of(chain.getSteps(), [](Attribute step) {
             return cast<StringAttr>(cast<ArrayAttr>(step)[0]).getValue() == "view_as_complex";
           });
  }

  static bool takes(Value base, ArrayAttr steps, Value shown) {
    Chain chain(Builder(base.getContext()), cast<RankedTensorType>(base.getType()));
    return chain.split(steps) && chain.givesComplex() == bool(complexTensor(shown.getType()));
  }

  bool takes(Operation *op) {
    if (isa<scf::IfOp, scf::WhileOp, scf::ForOp, scf::IndexSwitchOp, scf::YieldOp, scf::ConditionOp,
            program::UndefOp, program::PickOp, program::PlaceOp, program::EndOp,
            program::SetStateOp>(op))
      return true;
    if (auto chain = dyn_cast<program::ViewOp>(op))
      return takes(chain.getBase(), chain.getSteps(), chain.getResult());
    if (auto write = dyn_cast<program::ScatterOp>(op))
      return takes(write.getBase(), write.getSteps(), write.getPart());
    auto overload = dyn_cast<aten::AtenOp>(op);
    return overload && ptc::canSplitComplex(overload, parts);
  }

  ArrayAttr splitSteps(Builder b, Value base, ArrayAttr steps) {
    std::optional<ArrayAttr> split = Chain(b, parts.typeBefore(base)).split(steps);
    assert(split && "asked before");
    return split.value_or(ArrayAttr());
  }

  void rewrite(Operation *op) {
    Builder b(op->getContext());
    // These count complex numbers, of which each is two reals.
    auto offset = op->getAttrOfType<StringAttr>(program::kViewOffsetAttr);
    if (offset && (offset.getValue() != "0" || isa<program::ScatterOp>(op))) {
      op->removeAttr(program::kViewOffsetAttr);
      op->removeAttr(program::kPartStridesAttr);
    }
    if (auto chain = dyn_cast<program::ViewOp>(op)) {
      chain.setStepsAttr(splitSteps(b, chain.getBase(), chain.getSteps()));
    } else if (auto write = dyn_cast<program::ScatterOp>(op))
      write.setStepsAttr(splitSteps(b, write.getBase(), write.getSteps()));
    else if (isa<program::EndOp, program::SetStateOp>(op) || isInput(op))
      showAsComplex(op);
    else if (auto overload = dyn_cast<aten::AtenOp>(op))
      ptc::splitComplex(overload, parts);
  }

  Operation *root;
  ComplexParts parts;
  SmallVector<Operation *> work;
  SmallVector<Value> outside; ///< complex values that stay such
};

struct SplitComplexPass : ptc::impl::SplitComplexBase<SplitComplexPass> {
  void runOnOperation() override {
    SmallVector<Operation *> bodies;
    getOperation()->walk([&](Operation *op) {
      if (isa<program::VariantOp, program::InitOp>(op))
        bodies.push_back(op);
    });
    for (Operation *body : bodies)
      Body(body).run();
  }
};
} // namespace
