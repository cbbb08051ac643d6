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
    makeGroups();
    placeConstants();
    placeSymbolic();
    write();
  }
  int64_t constantBytes() const { return constantEnd; }
  int64_t lowerBound() const;

private:
  bool isDirectOutput(const Buffer &buffer, unsigned &number);
  std::optional<unsigned> overwritten(const Buffer &buffer, unsigned root) const;
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
  SmallVector<Slot> slots;
  int64_t constantEnd = 0;
  sym::Expr end;
};

/// The outcome's operations that place storages for the caller.
SmallVector<program::PlaceOp> placesOf(program::VariantOp variant) {
  auto finish = cast<program::FinishOp>(variant.getBody().front().getTerminator());
  if (finish.getOutcomes().size() != 1)
    return {};
  return llvm::to_vector(finish.getOutcomes().front().getOps<program::PlaceOp>());
}

} // namespace

/// Made once on every way to the end, and given to the caller once, as it is.
bool Placement::isDirectOutput(const Buffer &buffer, unsigned &number) {
  auto result = dyn_cast<OpResult>(buffer.value);
  if (!result || !isa<KernelOp>(result.getOwner()))
    return false;
  Operation *parent = result.getOwner()->getParentOp();
  if (parent != variant && !isa<program::FinishOp>(parent))
    return false;
  int found = 0;
  for (auto [i, place] : llvm::enumerate(placesOf(variant))) {
    if (!llvm::is_contained(lifetimes.rootsOf(place.getContents()),
                            &buffer - lifetimes.buffers().begin()))
      continue;
    if (place.getContents() != buffer.value || place.getInput())
      return false;
    number = unsigned(i);
    ++found;
  }
  return found == 1;
}

/// The operand of a kernel that `buffer` may be written over.
std::optional<unsigned> Placement::overwritten(const Buffer &buffer, unsigned root) const {
  auto result = dyn_cast<OpResult>(buffer.value);
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
    unsigned number = 0;
    if (isDirectOutput(buffer, number)) {
      setPlace(buffer, makePlace(PlaceKind::Output, Twine(number), buffer.bytes));
      continue;
    }
    if (!isText(buffer.bytes)) {
      setPlace(buffer, makePlace(PlaceKind::Block, "", {}));
      continue;
    }
    if (std::optional<unsigned> operand = overwritten(buffer, unsigned(root))) {
      auto kernel = cast<KernelOp>(buffer.value.getDefiningOp());
      unsigned old = lifetimes.rootsOf(kernel.getInputs()[*operand]).front();
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

int64_t Placement::lowerBound() const {
  int64_t most = 0;
  for (auto [i, at] : llvm::enumerate(lifetimes.buffers())) {
    int64_t now = 0;
    for (auto [j, other] : llvm::enumerate(lifetimes.buffers())) {
      bool lives = other.first <= at.first && at.first <= other.last && over[i] < 0 &&
                   groupOf[j] != ~0u && lifetimes.mayMeet(unsigned(i), unsigned(j));
      now += lives ? other.bytes.asConstant().value_or(0) : 0;
    }
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
