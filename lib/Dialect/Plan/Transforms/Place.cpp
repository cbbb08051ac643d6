//===- Place.cpp - plan-place -------------------------------------------------------------===//
//
// In: variants in value form. Out: the same with a place for every storage and the size of the
// arena; the verifier of the plan dialect proves the result.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Plan/Transforms/Passes.h"

#include "ptc/Dialect/Plan/IR/Lifetimes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ptc::plan {
#define GEN_PASS_DEF_PLANPLACE
#include "ptc/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace ptc::plan

using namespace mlir;
using namespace ptc;
using namespace ptc::plan;

namespace {

/// Storages that lie in one place, each written over the one before it.
struct Group {
  SmallVector<unsigned, 1> members;
  int64_t first = 0, last = 0;
  sym::Expr bytes;
  sym::Expr begin = {}; ///< unsupported: nowhere in the arena
  int64_t offset = 0;   ///< constant sizes: where that is
};

/// Memory behind the constant part, for groups that do not live at one time.
struct Slot {
  sym::Expr begin, bytes;
  SmallVector<const Group *, 4> groups;
};

class Placement {
public:
  explicit Placement(program::VariantOp variant)
      : variant(variant), lifetimes(variant), context(lifetimes.symbols()) {}

  void run() {
    findOutputs();
    makeGroups();
    placeConstants();
    placeSymbolic();
    write();
  }
  int64_t constantBytes() const { return constantEnd; }
  int64_t lowerBound() const;

private:
  void findOutputs();
  std::optional<unsigned> directOutput(const Buffer &buffer, unsigned root) const;
  std::optional<unsigned> overwritten(const Buffer &buffer, unsigned root);
  void makeGroups();
  void placeConstants();
  void placeSymbolic();
  bool isText(sym::Expr size);
  void write();
  void setPlace(const Buffer &buffer, PlaceAttr place);
  PlaceAttr makePlace(PlaceKind kind, const Twine &at, sym::Expr bytes, int64_t over = -1);
  bool liveTogether(const Group &a, const Group &b) const {
    return a.first <= b.last && b.first <= a.last && llvm::any_of(a.members, [&](unsigned i) {
             return llvm::any_of(b.members, [&](unsigned j) { return lifetimes.mayMeet(i, j); });
           });
  }

  program::VariantOp variant;
  Lifetimes lifetimes;
  sym::Context &context;
  SmallVector<Group, 0> groups;
  SmallVector<unsigned> groupOf; ///< by storage; ~0u: not in the arena
  SmallVector<int64_t> over;     ///< by storage: the operand that it is written over, or -1
  /// By storage: what places it for the caller, with its number among these.
  llvm::DenseMap<unsigned, SmallVector<std::pair<program::PlaceOp, unsigned>, 1>> outputs;
  SmallVector<Slot> slots;
  int64_t constantEnd = 0;
  sym::Expr end;
};

} // namespace

/// The operations of the only outcome that place storages for the caller, by what they place.
void Placement::findOutputs() {
  auto finish = cast<program::FinishOp>(variant.getBody().front().getTerminator());
  if (finish.getOutcomes().size() != 1)
    return;
  unsigned number = 0;
  for (auto place : finish.getOutcomes().front().getOps<program::PlaceOp>()) {
    for (unsigned root : lifetimes.rootsOf(place.getContents()))
      outputs[root].emplace_back(place, number);
    ++number;
  }
}

/// Made once on every way to the end, and given to the caller once, as it is: which output it is.
std::optional<unsigned> Placement::directOutput(const Buffer &buffer, unsigned root) const {
  auto result = dyn_cast<OpResult>(buffer.value);
  if (!result || !isa<KernelOp>(result.getOwner()))
    return std::nullopt;
  Operation *parent = result.getOwner()->getParentOp();
  if (parent != variant && !isa<program::FinishOp>(parent))
    return std::nullopt;
  auto found = outputs.find(root);
  if (found == outputs.end() || found->second.size() != 1)
    return std::nullopt;
  auto [place, number] = found->second.front();
  if (place.getContents() != buffer.value || place->getAttr(place.getInputAttrName()))
    return std::nullopt;
  return number;
}

/// The operand of a kernel, or the base of a scatter, that `buffer` may be written over.
std::optional<unsigned> Placement::overwritten(const Buffer &buffer, unsigned root) {
  auto result = dyn_cast<OpResult>(buffer.value);
  if (auto scatter = result ? dyn_cast<program::ScatterOp>(result.getOwner()) : nullptr) {
    if (!mayWriteOverCarried(lifetimes, scatter))
      return std::nullopt;
    unsigned old = lifetimes.rootsOf(scatter.getBase()).front();
    bool isIn = groupOf[old] != ~0u && groups[groupOf[old]].members.back() == old &&
                lifetimes.buffers()[old].bytes == buffer.bytes;
    return isIn ? std::optional(0U) : std::nullopt;
  }
  auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : KernelOp();
  if (!kernel)
    return std::nullopt;
  for (auto [i, input] : llvm::enumerate(kernel.getInputs())) {
    ArrayRef<unsigned> given = lifetimes.rootsOf(input);
    if (given.size() != 1 || groupOf[given.front()] == ~0u)
      continue;
    unsigned old = given.front();
    const Buffer &operand = lifetimes.buffers()[old];
    if (operand.value != input || operand.isStaging || operand.last != buffer.first ||
        operand.bytes != buffer.bytes || groups[groupOf[old]].members.back() != old)
      continue;
    bool isAlone = llvm::all_of(llvm::enumerate(kernel.getInputs()), [&](const auto &other) {
      return !llvm::is_contained(lifetimes.rootsOf(other.value()), old) ||
             (other.value() == input &&
              mayWriteOver(kernel, unsigned(other.index()), result.getResultNumber()));
    });
    if (isAlone)
      return unsigned(i);
  }
  return std::nullopt;
}

void Placement::makeGroups() {
  ArrayRef<Buffer> buffers = lifetimes.buffers();
  groupOf.assign(buffers.size(), ~0u);
  over.assign(buffers.size(), -1);
  for (auto [root, buffer] : llvm::enumerate(buffers)) {
    if (std::optional<unsigned> number = directOutput(buffer, unsigned(root))) {
      setPlace(buffer, makePlace(PlaceKind::Output, Twine(*number), buffer.bytes));
      continue;
    }
    if (!isText(buffer.bytes)) {
      setPlace(buffer, makePlace(PlaceKind::Block, "", {}));
      continue;
    }
    if (std::optional<unsigned> operand = overwritten(buffer, unsigned(root))) {
      unsigned old = lifetimes.rootsOf(buffer.value.getDefiningOp()->getOperand(*operand)).front();
      over[root] = *operand;
      groupOf[root] = groupOf[old];
      groups[groupOf[old]].members.push_back(unsigned(root));
      groups[groupOf[old]].last = std::max(groups[groupOf[old]].last, buffer.last);
      continue;
    }
    groupOf[root] = unsigned(groups.size());
    groups.push_back({{unsigned(root)}, buffer.first, buffer.last, buffer.bytes});
  }
}

/// Largest first; each into the smallest gap, between those placed that live with it, that holds
/// it, else behind them.
void Placement::placeConstants() {
  SmallVector<Group *> order;
  for (Group &group : groups)
    if (group.bytes.isConstant())
      order.push_back(&group);
  llvm::sort(order, [](const Group *a, const Group *b) {
    return std::pair(-*a->bytes.asConstant(), a->first) <
           std::pair(-*b->bytes.asConstant(), b->first);
  });
  SmallVector<const Group *> placed; // by offset
  for (Group *group : order) {
    auto bytes =
        int64_t(llvm::alignTo(uint64_t(group->bytes.asConstant().value_or(0)), kArenaAlignment));
    int64_t end = 0, best = -1, bestGap = std::numeric_limits<int64_t>::max();
    for (const Group *other : placed) {
      if (!liveTogether(*group, *other))
        continue;
      int64_t gap = other->offset - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      int64_t otherEnd =
          other->offset +
          int64_t(llvm::alignTo(uint64_t(other->bytes.asConstant().value_or(0)), kArenaAlignment));
      end = std::max(end, otherEnd);
    }
    group->offset = best >= 0 ? best : end;
    group->begin = context.constant(group->offset);
    constantEnd = std::max(constantEnd, group->offset + bytes);
    placed.insert(
        llvm::upper_bound(placed, group,
                          [](const Group *a, const Group *b) { return a->offset < b->offset; }),
        group);
  }
}

/// Whether `size` can be said in an attribute: it is known at entry, and reads as it was written.
bool Placement::isText(sym::Expr size) {
  return size.isSupported() && context.parse(context.str(size)) == size;
}

/// Each into the first slot that is free while it lives and proven to be large enough, else into a
/// new one behind the last, `reservedBytes` long: what the verifier takes for granted about sums.
/// An arena of a size that cannot be said takes no more.
void Placement::placeSymbolic() {
  end = context.constant(constantEnd);
  for (Group &group : groups) {
    if (group.bytes.isConstant())
      continue;
    auto fits = [&](const Slot &slot) {
      return context.isLessEqual(group.bytes, slot.bytes) == true &&
             llvm::none_of(slot.groups, [&](const Group *g) { return liveTogether(*g, group); });
    };
    auto *slot = llvm::find_if(slots, fits);
    if (slot == slots.end()) {
      sym::Expr behind = context.add(end, reservedBytes(context, group.bytes));
      if (!isText(behind))
        continue;
      slot = slots.insert(slots.end(), {end, group.bytes, {}});
      end = behind;
    }
    slot->groups.push_back(&group);
    group.begin = slot->begin;
  }
}

/// Of the storages that live where each is made.
int64_t Placement::lowerBound() const {
  ArrayRef<Buffer> buffers = lifetimes.buffers();
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(unsigned(buffers.size()))), living;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(buffers[a].first, a) < std::pair(buffers[b].first, b);
  });
  int64_t most = 0;
  for (size_t i = 0, next = 0; i < order.size(); ++i) {
    const Buffer &at = buffers[order[i]];
    for (; next < order.size() && buffers[order[next]].first <= at.first; ++next)
      if (groupOf[order[next]] != ~0u)
        living.push_back(order[next]);
    llvm::erase_if(living, [&](unsigned root) { return buffers[root].last < at.first; });
    if (over[order[i]] >= 0)
      continue;
    int64_t now = 0;
    for (unsigned root : living)
      if (lifetimes.mayMeet(order[i], root))
        now += buffers[root].bytes.asConstant().value_or(0);
    most = std::max(most, now);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

PlaceAttr Placement::makePlace(PlaceKind kind, const Twine &at, sym::Expr bytes, int64_t over) {
  std::string length = bytes.isSupported() ? context.str(bytes) : "";
  return PlaceAttr::get(variant.getContext(), kind, at.str(), length, over);
}

void Placement::setPlace(const Buffer &buffer, PlaceAttr place) {
  Operation *op = buffer.value.getDefiningOp();
  unsigned index = 0, count = 0;
  if (op) {
    index = cast<OpResult>(buffer.value).getResultNumber();
    count = op->getNumResults();
  } else {
    auto arg = cast<BlockArgument>(buffer.value);
    op = arg.getOwner()->getParentOp();
    index = arg.getArgNumber();
    count = arg.getOwner()->getNumArguments();
  }
  StringRef name = buffer.isStaging ? kStagingAttr : kPlacesAttr;
  SmallVector<Attribute> places(count, UnitAttr::get(op->getContext()));
  if (auto old = op->getAttrOfType<ArrayAttr>(name))
    places.assign(old.begin(), old.end());
  places[index] = place;
  op->setAttr(name, ArrayAttr::get(op->getContext(), places));
}

void Placement::write() {
  for (const Group &group : groups)
    for (unsigned root : group.members) {
      const Buffer &buffer = lifetimes.buffers()[root];
      setPlace(buffer,
               group.begin.isSupported()
                   ? makePlace(PlaceKind::Arena, context.str(group.begin), buffer.bytes, over[root])
                   : makePlace(PlaceKind::Block, "", {}));
    }
  variant->setAttr(kArenaAttr, StringAttr::get(variant.getContext(), context.str(end)));
}

namespace {
struct PlacePass : plan::impl::PlanPlaceBase<PlacePass> {
  void runOnOperation() override {
    getOperation().walk([&](program::VariantOp variant) {
      Placement placement(variant);
      placement.run();
      arenaBytes += placement.constantBytes();
      lowerBound += placement.lowerBound();
    });
  }
};
} // namespace
