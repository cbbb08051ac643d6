//===- Lifetimes.cpp - Which storages a program fills, and when they live -------------===//
//
// In: the body of a variant. Out: its storages with the interval in which each lives.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/IR/Lifetimes.h"

#include "ptc/Dialect/Program/IR/SizeSymbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

static bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Its results lie where the operands lie.
static bool passesOn(Operation *op) {
  return isa<program::ViewOp, program::RetypeOp, program::PickOp, arith::SelectOp>(op);
}

/// Its results lie where no storage of the plan is: in what callers, files and slots hold.
static bool liesElsewhere(Operation *op) {
  return isa<program::PlaceOp, program::GetStateOp, program::WeightOp, program::LiteralOp,
             program::UndefOp, program::ListGetOp>(op);
}

sym::Expr ptc::plan::reservedBytes(sym::Context &context, sym::Expr bytes) {
  if (context.bounds(bytes).lower < 0)
    bytes = context.max(bytes, context.constant(0));
  sym::Expr unit = context.constant(kArenaAlignment);
  return context.mul(context.ceildiv(bytes, unit), unit);
}

aten::Exprs ptc::plan::channelsLastStrides(sym::Context &context, ArrayRef<sym::Expr> sizes) {
  aten::Exprs turned(sizes.begin(), sizes.end());
  std::rotate(turned.begin() + 1, turned.begin() + 2, turned.end());
  aten::Exprs strides = aten::contiguousStrides(context, turned);
  std::rotate(strides.begin() + 1, strides.end() - 1, strides.end());
  return strides;
}

Lifetimes::Lifetimes(program::VariantOp variant) {
  for (const program::SizeSymbol &symbol : program::sizeSymbols(variant)) {
    bool isNumber =
        symbol.formula.empty() && !isTensor(variant.getBody().getArgument(symbol.input));
    if (!context.findSymbol(symbol.name))
      context.symbol({.name = symbol.name.str(), .lower = isNumber ? sym::Interval::kMin : 0});
  }
  visit(variant.getBody().front());
  for (unsigned root : kept)
    all[root].last = next;
}

ArrayRef<unsigned> Lifetimes::rootsOf(Value tensor) const {
  auto found = roots.find(tensor);
  return found == roots.end() ? ArrayRef<unsigned>() : ArrayRef<unsigned>(found->second);
}

static Operation *makerOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
}

unsigned Lifetimes::addRegion(Region *region) {
  SmallVector<Region *> unknown;
  for (; region && !regionIndex.contains(region); region = region->getParentRegion())
    unknown.push_back(region);
  unsigned above = region ? regionIndex.lookup(region) : 0;
  for (Region *next : llvm::reverse(unknown)) {
    auto index = unsigned(regions.size());
    RegionNode node{next, above, above, 0};
    if (index != 0) {
      const RegionNode &parent = regions[above], &jump = regions[parent.jump];
      node.depth = parent.depth + 1;
      if (parent.depth - jump.depth == jump.depth - regions[jump.jump].depth)
        node.jump = jump.jump;
    }
    regions.push_back(node);
    regionIndex[next] = above = index;
  }
  return above;
}

unsigned Lifetimes::ancestorAt(unsigned region, unsigned depth) const {
  while (regions[region].depth > depth)
    region = regions[regions[region].jump].depth >= depth ? regions[region].jump
                                                          : regions[region].parent;
  return region;
}

/// Whether no run of the operations around both regions executes both.
bool Lifetimes::areOtherSides(unsigned a, unsigned b) const {
  unsigned depth = std::min(regions[a].depth, regions[b].depth);
  a = ancestorAt(a, depth);
  b = ancestorAt(b, depth);
  if (a == b)
    return false; // one is around the other
  while (regions[a].parent != regions[b].parent) {
    bool areApart = regions[a].jump != regions[b].jump;
    a = areApart ? regions[a].jump : regions[a].parent;
    b = areApart ? regions[b].jump : regions[b].parent;
  }
  Operation *branch = regions[a].region->getParentOp();
  return branch == regions[b].region->getParentOp() && !isa<scf::WhileOp>(branch);
}

bool Lifetimes::mayMeet(unsigned a, unsigned b) const {
  return all[a].first <= all[b].last && all[b].first <= all[a].last &&
         !areOtherSides(homes[a], homes[b]);
}

sym::Expr Lifetimes::bytesOf(Value tensor) {
  auto meta = aten::toMeta(cast<RankedTensorType>(tensor.getType()), context);
  if (!meta)
    return {};
  sym::Expr count = aten::numel(context, *meta);
  bool isDense = meta->strides == aten::contiguousStrides(context, meta->sizes) ||
                 (meta->dim() > 2 && meta->strides == channelsLastStrides(context, meta->sizes));
  if (!isDense) {
    count = context.constant(1);
    for (auto [size, stride] : llvm::zip_equal(meta->sizes, meta->strides))
      count = context.add(count, context.mul(context.max(context.sub(size, context.constant(1)),
                                                         context.constant(0)),
                                             stride));
  }
  return context.mul(count, context.constant(int64_t(getDTypeInfo(meta->dtype).bytes)));
}

unsigned Lifetimes::addBuffer(Value value, bool isStaging) {
  all.push_back({value, isStaging, next - 1, next - 1, bytesOf(value)});
  homeLoops.push_back(loops.empty() ? nullptr : loops.back().first);
  homes.push_back(addRegion(makerOf(value)->getParentRegion()));
  return unsigned(all.size() - 1);
}

void Lifetimes::touch(Value value, int64_t position) {
  for (unsigned root : rootsOf(value)) {
    all[root].last = std::max(all[root].last, position);
    // The outermost loop that reads what was made before it ends last.
    auto *outer = loops.begin();
    if (homeLoops[root]) {
      outer = llvm::find_if(loops, [&](const auto &l) { return l.first == homeLoops[root]; });
      if (outer != loops.end())
        ++outer;
    }
    if (outer != loops.end())
      outer->second.push_back(root);
  }
}

void Lifetimes::passOn(Value from, Value to) {
  ArrayRef<unsigned> given = rootsOf(from);
  Roots merged(roots.lookup(to));
  for (unsigned root : given)
    if (!llvm::is_contained(merged, root))
      merged.push_back(root);
  if (!merged.empty())
    roots[to] = std::move(merged);
}

void Lifetimes::visitRegions(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue; // scf.if without another side
    visit(region.front());
    Operation *end = region.front().getTerminator();
    if (isa<scf::YieldOp>(end))
      for (auto [value, result] : llvm::zip_equal(end->getOperands(), op->getResults()))
        passOn(value, result);
  }
}

/// The argument of the loop's first region that a value yielded by the second simply is.
static Value carriedAs(scf::WhileOp loop, Value yielded) {
  auto arg = dyn_cast<BlockArgument>(yielded);
  if (arg && arg.getOwner() == loop.getAfterBody())
    return loop.getConditionOp().getArgs()[arg.getArgNumber()];
  return yielded;
}

void Lifetimes::visitLoop(scf::WhileOp loop) {
  SmallVector<unsigned> carried;
  for (BlockArgument arg : loop.getBeforeArguments())
    if (isTensor(arg)) {
      carried.push_back(addBuffer(arg));
      roots[arg] = {carried.back()};
    }
  loops.emplace_back(loop, Roots());
  visit(*loop.getBeforeBody());
  for (auto [i, value] : llvm::enumerate(loop.getConditionOp().getArgs())) {
    passOn(value, loop.getAfterArguments()[i]);
    passOn(value, loop.getResult(unsigned(i)));
  }
  visit(*loop.getAfterBody());
  SmallVector<unsigned> staged;
  for (auto [arg, value] : llvm::zip_equal(loop.getBeforeArguments(), loop.getYieldedValues()))
    if (isTensor(arg) && carriedAs(loop, value) != arg &&
        llvm::any_of(rootsOf(value), [&](unsigned r) { return llvm::is_contained(carried, r); }))
      staged.push_back(addBuffer(arg, /*isStaging=*/true));
  for (unsigned root : staged)
    all[root].first = positions[loop]; // what is carried into the first turn is staged, too
  int64_t end = next++;
  Roots through = std::move(loops.back().second);
  loops.pop_back();
  for (ArrayRef<unsigned> group :
       {ArrayRef<unsigned>(through), ArrayRef(carried), ArrayRef(staged)})
    for (unsigned root : group)
      all[root].last = std::max(all[root].last, end);
}

void Lifetimes::visit(Block &block) {
  for (Operation &op : block) {
    positions[&op] = next++;
    for (Value operand : op.getOperands())
      touch(operand, next - 1);
    if (auto set = dyn_cast<program::SetStateOp>(op)) {
      llvm::append_range(kept, rootsOf(set.getValue()));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      visitLoop(loop);
    } else if (isa<scf::IfOp, scf::IndexSwitchOp, program::FinishOp>(op)) {
      visitRegions(&op);
    } else if (passesOn(&op)) {
      for (Value operand : op.getOperands())
        for (Value result : op.getResults())
          passOn(operand, result);
    } else if (!liesElsewhere(&op)) {
      for (Value result : op.getResults())
        if (isTensor(result)) {
          unsigned made = addBuffer(result);
          roots[result] = {made};
        }
    }
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static PlaceAttr placeIn(Operation *op, StringRef name, unsigned index) {
  auto places = op->getAttrOfType<ArrayAttr>(name);
  return places && index < places.size() ? dyn_cast<PlaceAttr>(places[index]) : PlaceAttr();
}

PlaceAttr ptc::plan::placeOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return isa<scf::WhileOp>(result.getOwner())
               ? PlaceAttr()
               : placeIn(result.getOwner(), kPlacesAttr, result.getResultNumber());
  auto arg = cast<BlockArgument>(value);
  return placeIn(arg.getOwner()->getParentOp(), kPlacesAttr, arg.getArgNumber());
}

PlaceAttr ptc::plan::placeOf(const Buffer &buffer) {
  if (!buffer.isStaging)
    return placeOf(buffer.value);
  auto arg = cast<BlockArgument>(buffer.value);
  return placeIn(arg.getOwner()->getParentOp(), kStagingAttr, arg.getArgNumber());
}

/// Whether the elements of equal sizes lie at the same places. Dense row-major tensors name no
/// strides.
static bool liesAlike(Type a, Type b) {
  auto stridesOf = [](Type type) {
    auto meta = dyn_cast_or_null<aten::MetaAttr>(cast<RankedTensorType>(type).getEncoding());
    return meta ? meta.getStrides() : decltype(meta.getStrides())();
  };
  return stridesOf(a) == stridesOf(b);
}

bool ptc::plan::mayWriteOver(KernelOp kernel, unsigned input, unsigned result) {
  Block &body = kernel.getBody().front();
  auto loops = body.getTerminator()->getOperand(result).getDefiningOp<linalg::GenericOp>();
  BlockArgument arg = body.getArgument(input);
  if (kernel.getFamily() != Family::Pointwise || !loops || loops.getNumResults() != 1 ||
      loops.getResult(0).getType() != arg.getType() ||
      !liesAlike(kernel.getInputs()[input].getType(), kernel.getResult(result).getType()) ||
      llvm::range_size(body.getOps<linalg::LinalgOp>()) != 1 ||
      !loops.getIndexingMapMatchingResult(loops->getResult(0)).isIdentity())
    return false;
  if (loops.getRegion()
          .walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return false;
  return llvm::all_of(arg.getUses(), [&](OpOperand &use) {
    return isa<tensor::DimOp>(use.getOwner()) ||
           (use.getOwner() == loops && loops.isDpsInput(&use) &&
            loops.getMatchingIndexingMap(&use).isIdentity());
  });
}

/// What the loop around `scatter` carries under its base; null: that is something else.
static BlockArgument carriedBase(program::ScatterOp scatter, scf::WhileOp loop) {
  auto arg = dyn_cast<BlockArgument>(scatter.getBase());
  if (!arg || arg.getOwner() != loop.getAfterBody())
    return {};
  auto carried = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[arg.getArgNumber()]);
  return carried && carried.getOwner() == loop.getBeforeBody() ? carried : BlockArgument();
}

bool ptc::plan::mayWriteOverCarried(Lifetimes &lifetimes, program::ScatterOp scatter) {
  auto loop = dyn_cast<scf::WhileOp>(scatter->getParentOp());
  BlockArgument carried = loop ? carriedBase(scatter, loop) : BlockArgument();
  ArrayRef<unsigned> roots = lifetimes.rootsOf(scatter.getBase());
  if (!carried || roots.size() != 1 || scatter.getBase().getType() != scatter.getType() ||
      lifetimes.rootsOf(carried) != roots)
    return false;
  // It is what the next turn begins with, and nobody reads the old elements once it is written.
  if (loop.getYieldedValues()[carried.getArgNumber()] != scatter.getResult() ||
      llvm::is_contained(lifetimes.rootsOf(scatter.getPart()), roots.front()))
    return false;
  auto reads = [&](Operation *op) {
    bool isReader = llvm::any_of(op->getOperands(), [&](Value v) {
      return llvm::is_contained(lifetimes.rootsOf(v), roots.front());
    });
    return isReader ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (Operation *op = scatter->getNextNode(); op; op = op->getNextNode())
    if (op->walk(reads).wasInterrupted())
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

namespace {

struct Span {
  const Buffer *buffer;
  unsigned root;
  sym::Expr begin, end;
  std::optional<std::pair<int64_t, int64_t>> known; ///< beginning and end, if both are constants
};

/// From where a storage begins to where another one, or the end of the arena, is reserved behind
/// it.
struct Step {
  sym::Expr bytes, end;
};

class PlaceVerifier {
public:
  explicit PlaceVerifier(program::VariantOp variant) : variant(variant), lifetimes(variant) {}

  LogicalResult run() {
    auto arena = variant->getAttrOfType<StringAttr>(kArenaAttr);
    std::optional<sym::Expr> size;
    if (arena)
      size = lifetimes.symbols().parse(arena.getValue());
    if (!size)
      return variant.emitOpError("has no arena of a size known at entry");
    for (auto [root, buffer] : llvm::enumerate(lifetimes.buffers()))
      if (failed(addSpan(buffer, unsigned(root))))
        return failure();
    findSteps(*size);
    for (const Span &span : spans)
      if (!isStepBefore(span, *size) && lifetimes.symbols().isLessEqual(span.end, *size) != true)
        return emitError(span, "lies beyond the end of the arena");
    llvm::sort(spans, [](const Span &a, const Span &b) {
      return std::pair(a.buffer->first, a.root) < std::pair(b.buffer->first, b.root);
    });
    for (size_t i = 0; i < spans.size(); ++i)
      for (size_t j = i + 1; j < spans.size() && spans[j].buffer->first <= spans[i].buffer->last;
           ++j)
        if (lifetimes.mayMeet(spans[i].root, spans[j].root) && !areApart(spans[i], spans[j]) &&
            !isWrittenOver(spans[i], spans[j]))
          return emitError(spans[j], "overlaps a value that still lives, made at ")
                 << spans[i].buffer->value.getLoc();
    return success();
  }

private:
  InFlightDiagnostic emitError(const Span &span, const char *text) {
    return emitError(*span.buffer, text);
  }
  static InFlightDiagnostic emitError(const Buffer &buffer, const char *text) {
    return makerOf(buffer.value)->emitOpError(text);
  }

  LogicalResult addSpan(const Buffer &buffer, unsigned root) {
    PlaceAttr place = placeOf(buffer);
    if (!place)
      return emitError(buffer, "makes a tensor that has no place");
    if (place.getKind() != PlaceKind::Arena)
      return success();
    sym::Context &context = lifetimes.symbols();
    std::optional<sym::Expr> at = context.parse(place.getAt());
    std::optional<sym::Expr> bytes = context.parse(place.getBytes());
    if (!at || !bytes || *bytes != buffer.bytes || !buffer.bytes.isSupported())
      return emitError(buffer, "has a place in the arena of another size than its tensor");
    Span &span = spans.emplace_back(Span{&buffer, root, *at, context.add(*at, *bytes), {}});
    std::optional<int64_t> begin = span.begin.asConstant(), end = span.end.asConstant();
    if (begin && end)
      span.known = {*begin, *end};
    return success();
  }

  void findSteps(sym::Expr arena) {
    sym::Context &context = lifetimes.symbols();
    llvm::DenseSet<sym::Expr> begins{arena};
    for (const Span &span : spans)
      begins.insert(span.begin);
    for (const Span &span : spans) {
      sym::Expr bytes = span.buffer->bytes;
      sym::Expr end = context.add(span.begin, reservedBytes(context, bytes));
      if (!bytes.isConstant() && end.isSupported() && begins.contains(end))
        steps.try_emplace(span.begin, Step{bytes, end});
    }
  }

  /// Each step leads to where no storage before it reaches; the algebra of sizes may not see that
  /// in the sum of many.
  bool isStepBefore(const Span &span, sym::Expr limit) {
    sym::Context &context = lifetimes.symbols();
    sym::Expr at;
    if (auto step = steps.find(span.begin); step != steps.end()) {
      if (context.isLessEqual(span.buffer->bytes, step->second.bytes) == true)
        at = step->second.end;
    } else if (std::optional<int64_t> end = span.end.asConstant()) {
      for (const auto &[begin, reserved] : steps)
        if (begin.asConstant().value_or(-1) >= *end)
          at = begin;
    }
    for (size_t i = 0; i <= steps.size() && at.isSupported(); ++i) {
      if (at == limit)
        return true;
      at = steps.lookup(at).end;
    }
    return false;
  }

  bool areApart(const Span &a, const Span &b) {
    sym::Context &context = lifetimes.symbols();
    if (a.buffer->bytes.isZero() || b.buffer->bytes.isZero())
      return true;
    if (a.known && b.known)
      return a.known->second <= b.known->first || b.known->second <= a.known->first;
    return isStepBefore(a, b.begin) || isStepBefore(b, a.begin) ||
           context.isLessEqual(a.end, b.begin) == true ||
           context.isLessEqual(b.end, a.begin) == true;
  }

  /// `b` is made where `a` is read for the last time, element by element at the same place.
  bool isWrittenOver(const Span &a, const Span &b) {
    PlaceAttr place = placeOf(*b.buffer);
    auto result = dyn_cast<OpResult>(b.buffer->value);
    if (auto scatter = result ? dyn_cast<program::ScatterOp>(result.getOwner()) : nullptr)
      return place.getOver() == 0 && a.begin == b.begin && !a.buffer->isStaging &&
             lifetimes.rootsOf(scatter.getBase()) == ArrayRef<unsigned>(a.root) &&
             mayWriteOverCarried(lifetimes, scatter);
    auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
    if (!kernel || place.getOver() < 0 || place.getOver() >= int64_t(kernel.getInputs().size()) ||
        a.buffer->last != b.buffer->first || a.begin != b.begin)
      return false;
    Value given = kernel.getInputs()[size_t(place.getOver())];
    bool isOnlyReader = true;
    for (auto [i, input] : llvm::enumerate(kernel.getInputs()))
      if (llvm::is_contained(lifetimes.rootsOf(input), a.root))
        isOnlyReader &=
            mayWriteOver(kernel, unsigned(i), result.getResultNumber()) && input == a.buffer->value;
    return isOnlyReader && given == a.buffer->value;
  }

  program::VariantOp variant;
  Lifetimes lifetimes;
  SmallVector<Span> spans;
  llvm::DenseMap<sym::Expr, Step> steps; ///< by where they begin
};

} // namespace

LogicalResult ptc::plan::verifyPlaces(program::VariantOp variant) {
  return PlaceVerifier(variant).run();
}
