//===- Contraction.cpp - Sums of products -----------------------------------------------------===//
//
// In: a nest whose body adds the product of two inputs to its output, in floats: GEMM, batches of
// them, convolutions; its epilogue. Out: one of two forms, panels or dots, chosen by an estimate of
// cycles.
//
//===----------------------------------------------------------------------===//
#include "Body.h"
#include "Emitters.h"
#include "Epilogue.h"
#include "Product.h"
#include "Team.h"

#include "ptc/Target/Cpu/Lowering.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

//===----------------------------------------------------------------------===//
// Reading a nest
//===----------------------------------------------------------------------===//

/// Adds what `v` is computed from to `factor`: one argument of the body, and what stands outside.
static bool addOperations(Value v, Block *body, Factor &factor) {
  if (auto arg = dyn_cast<BlockArgument>(v); arg && arg.getOwner() == body) {
    bool isOther = factor.argument && factor.argument != arg;
    factor.argument = arg;
    return !isOther;
  }
  Operation *op = v.getDefiningOp();
  if (!op || op->getBlock() != body)
    return true;
  if (llvm::is_contained(factor.made, op))
    return true;
  if (!llvm::all_of(op->getOperands(),
                    [&](Value from) { return addOperations(from, body, factor); }))
    return false;
  factor.made.push_back(op);
  return true;
}

/// A factor that is `v`; none if more than one element goes into it.
static std::optional<Factor> factorOf(const Nest &nest, Value v) {
  Factor factor;
  factor.converted = v;
  if (!addOperations(v, nest.body, factor) || !factor.argument ||
      factor.argument.getArgNumber() >= nest.inputs.size())
    return std::nullopt;
  factor.stream = nest.inputs[factor.argument.getArgNumber()];
  return factor;
}

/// Factors of `yield(out + a * b)`.
static std::optional<std::pair<Factor, Factor>> readFactors(const Nest &nest) {
  if (nest.inputs.size() != 2 || nest.outputs.size() != 1)
    return std::nullopt;
  auto sum = nest.body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  BlockArgument accumulator = nest.body->getArgument(2);
  if (!sum || (sum.getLhs() != accumulator && sum.getRhs() != accumulator))
    return std::nullopt;
  Value other = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  auto product = other.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  std::optional<Factor> a = factorOf(nest, product.getLhs()), b = factorOf(nest, product.getRhs());
  if (!a || !b || a->argument == b->argument || !isElementwise(*nest.body))
    return std::nullopt;
  return std::pair(std::move(*a), std::move(*b));
}

static bool names(const Stream &s, size_t loop) { return !s.hasStride(loop, 0); }

/// Sorts the loops into groups; none if some loop belongs to none.
static std::optional<Product> readProduct(const Nest &nest) {
  auto factors = readFactors(nest);
  if (!factors)
    return std::nullopt;
  Type sum = nest.body->getArgument(2).getType();
  Product p{nest, factors->first, factors->second, nest.outputs[0], {}, {}, {}, {}, sum};
  if (p.row.stream.isScalar() || p.column.stream.isScalar())
    return std::nullopt;
  for (size_t d = 0; d < nest.numLoops(); ++d) {
    bool inRow = names(p.row.stream, d), inColumn = names(p.column.stream, d);
    if (nest.reduces[d] != !names(p.out, d) || (!inRow && !inColumn) ||
        (nest.reduces[d] && !(inRow && inColumn)))
      return std::nullopt;
    Group &group = nest.reduces[d] ? p.sum : !inColumn ? p.rows : !inRow ? p.columns : p.batch;
    group.loops.push_back(d);
  }
  if (p.sum.loops.empty() || !(p.type.isF32() || p.type.isF64()))
    return std::nullopt;
  return p;
}

static void swapRoles(Product &p) {
  std::swap(p.row, p.column);
  std::swap(p.rows, p.columns);
}

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

/// The loop of the group along which the stream has consecutive elements.
static std::optional<size_t> consecutive(const Stream &s, const Group &group) {
  for (size_t d : group.loops)
    if (s.hasStride(d, 1))
      return d;
  return std::nullopt;
}

namespace {
/// An argument that is to lie in panels, and how.
struct Packed {
  BlockArgument memory;
  ptc::PackFormat format;
};
} // namespace

/// The column factor in panels of `width`, if it is a weight, in the type of the sum, that does not
/// differ by batch.
static std::optional<Packed> packedColumns(const Product &p, int64_t width) {
  auto op = cast<linalg::GenericOp>(p.nest.body->getParentOp());
  const Stream &s = p.column.stream;
  Value operand = op->getOperand(p.column.argument.getArgNumber());
  BlockArgument memory = memoryOf(operand);
  auto function = op->getParentOfType<func::FuncOp>();
  bool isFirst = s.pointer.getDefiningOp<LLVM::ExtractValueOp>() != nullptr; // no offset
  if (!memory || !isFirst || p.column.converted != p.column.argument ||
      !function.getArgAttr(memory.getArgNumber(), kWeightAttr) ||
      llvm::any_of(p.batch.loops, [&](size_t d) { return names(s, d); }))
    return std::nullopt;
  Packed packed{memory, {}};
  packed.format.width = width;
  for (auto [group, loops] :
       {std::pair(&p.sum, &packed.format.sum), std::pair(&p.columns, &packed.format.columns)})
    for (size_t d : group->loops) {
      auto size = LoopBuilder::constantOf(p.nest.sizes[d]),
           stride = LoopBuilder::constantOf(s.strides[d]);
      if (!size || !stride)
        return std::nullopt;
      loops->push_back({*size, *stride});
    }
  return packed;
}

/// What is made of each element, or each vector of them.
static double factorCycles(const Factor &factor) {
  double cycles = 0;
  for (Operation *op : factor.made)
    cycles += operationCycles(*op);
  return cycles;
}

/// Estimates of cycles for one batch: with tiles of `tall` rows by `wide` vectors.
static double panelCycles(const Product &p, int64_t lanes, const Isa &isa) {
  double rows = countOf(p, p.rows), columns = countOf(p, p.columns), sum = countOf(p, p.sum);
  auto wide = double(isa.tileVectors), panel = double(lanes) * wide;
  double tall = std::min(rows, double(isa.tileRows));
  double tiles = std::ceil(rows / double(isa.tileRows)) * std::ceil(columns / panel);
  double step = std::max(tall * wide, tall + wide) / 2;
  double packing = 0, storing = 0;
  if (!packedColumns(p, int64_t(panel)))
    packing = sum * columns * (1 + factorCycles(p.column) / double(lanes)) /
              (consecutive(p.column.stream, p.columns) ? double(lanes) / 2 : 1);
  if (!consecutive(p.out, p.columns))
    storing = rows * columns * 2;
  return packing + storing + tiles * sum * (step + tall * factorCycles(p.row));
}

/// With the sum's loop `along` in vectors.
static double dotCycles(const Product &p, size_t along, int64_t lanes, const Isa &isa) {
  bool isPairs = hasPairs(p, isa);
  double row = countOf(p, Group{{along}});
  double steps = std::ceil(row / double(isPairs ? 2 * lanes : lanes));
  double sum = countOf(p, p.sum) / row * steps;
  // For tiles of four by four.
  double made = isPairs ? 0 : (factorCycles(p.row) + factorCycles(p.column)) / 4;
  double folding = isPairs ? 5 : 2; // measured: beside fewer steps the lanes of each sum count more
  return countOf(p, p.rows) * countOf(p, p.columns) * (folding + sum * (1.3 / 2 + made));
}

/// A loop of columns along which vectors can be read and written, long enough for them, stays
/// alone: the others become batches.
static void splitColumns(Product &p, int64_t lanes) {
  for (size_t d : p.columns.loops) {
    std::optional<int64_t> size = LoopBuilder::constantOf(p.nest.sizes[d]);
    if (p.columns.loops.size() < 2 || !isShortStep(p.column.stream, d) || !p.out.hasStride(d, 1) ||
        !size || *size < lanes)
      continue;
    for (size_t other : p.columns.loops)
      if (other != d)
        p.batch.loops.push_back(other);
    p.columns.loops = {d};
    return;
  }
}

/// Fewer rows do not fill a tile: such a sum is as fast along its columns, without panels.
static constexpr double kFewestRows = 3;

/// The loop of the sum along which both factors are consecutive.
static std::optional<size_t> commonRow(const Product &p) {
  for (size_t d : p.sum.loops)
    if (p.row.stream.hasStride(d, 1) && p.column.stream.hasStride(d, 1))
      return d;
  return std::nullopt;
}

static bool hasUnknown(const Product &p, const Group &group) {
  return llvm::any_of(group.loops,
                      [&](size_t d) { return !LoopBuilder::constantOf(p.nest.sizes[d]); });
}

/// An epilogue of so many cycles for a vector may be done one element at a time.
static constexpr double kMostScalar = 6;

namespace {
/// How a product is computed.
struct Forms {
  Product panels;                           ///< with the roles that panels want
  std::optional<Packed> packed;             ///< what its columns lie in
  Product dots;                             ///< rows are the few
  std::optional<size_t> along;              ///< of dots
  bool usesPanels = true, usesDots = false; ///< both: a number known at run time decides,
  Value decides;                            ///< dots if it is less than the lanes of a vector
};
} // namespace

/// Of several forms the one with the fewest cycles; none if plain loops do as well.
static std::optional<Forms> formsOf(LoopBuilder &l, const Product &given, const Isa &isa) {
  int64_t lanes = isa.lanes(given.type.getIntOrFloatBitWidth());
  Product p = given, turned = given;
  swapRoles(turned);
  if (panelCycles(turned, lanes, isa) < panelCycles(p, lanes, isa))
    std::swap(p, turned);
  Forms forms{p, packedColumns(p, lanes * isa.tileVectors), p, commonRow(p), true, false, {}};
  if (!forms.packed)
    splitColumns(forms.panels, lanes);
  if (!forms.along || countOf(p, Group{{*forms.along}}) < double(lanes))
    return countOf(p, p.rows) < kFewestRows ? std::nullopt : std::optional(forms);
  if (countOf(p, p.rows) > countOf(p, p.columns))
    swapRoles(forms.dots);
  // A number of columns or rows that only the run knows decides there; a weight lies in one way.
  bool rows = hasUnknown(p, p.rows), columns = hasUnknown(p, p.columns);
  if (forms.packed && rows)
    return forms;
  if ((rows || columns) && !hasPairs(p, isa)) {
    forms.usesDots = true;
    forms.decides = l.product((columns ? p.columns : p.rows).sizesIn(p.nest));
    return forms;
  }
  forms.usesDots = dotCycles(p, *forms.along, lanes, isa) < panelCycles(p, lanes, isa);
  forms.usesPanels = !forms.usesDots;
  return forms;
}

/// Whether the epilogue costs no more on tiles than by itself: what takes long wants vectors.
static bool suitsEpilogue(const Forms &forms) {
  return epilogueCycles(forms.panels.nest) <= kMostScalar ||
         (!forms.usesDots && suitsVectors(forms.panels));
}

std::optional<Form> ptc::cpu::emitContraction(LoopBuilder &l, const Nest &nest, const Isa &isa) {
  std::optional<Product> p = readProduct(nest);
  std::optional<Forms> forms = p ? formsOf(l, *p, isa) : std::nullopt;
  if (!forms || !suitsEpilogue(*forms))
    return std::nullopt;
  auto panels = [&] {
    Value packed = forms->packed ? forms->packed->memory : Value();
    if (packed)
      nest.body->getParentOp()->getParentOfType<func::FuncOp>().setArgAttr(
          forms->packed->memory.getArgNumber(), kPackAttr,
          l.b.getDenseI64ArrayAttr(forms->packed->format.toNumbers()));
    l.together([&] { emitPanels(l, forms->panels, isa, packed); });
  };
  auto dots = [&] { l.together([&] { emitDots(l, forms->dots, isa, *forms->along); }); };
  if (forms->usesPanels && forms->usesDots) {
    int64_t lanes = isa.lanes(p->type.getIntOrFloatBitWidth());
    l.when(l.less(forms->decides, l.index(lanes)), dots, panels);
    return Form::PanelsOrDots;
  }
  forms->usesDots ? dots() : panels();
  return forms->usesDots ? Form::Dots : Form::Panels;
}
