//===- JoinLists.cpp - Lists that are of other lengths on the sides of a join -------------===//
//
// In: contents of one list on each side: elements that are known, a list of the run, or one of
// several such by a selector. Out: a list of the run, where a loop makes the list longer, or where
// it has more lengths than a choice may have alternatives (control.md, loops, 4).
//
//===----------------------------------------------------------------------===//
#include "ListedViews.h"
#include "NumberLists.h"
#include "Objects.h"
#include "RunTimeTables.h"
#include "SizeLoops.h"
#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace sym = ptc::sym;

/// Contents of a list, a dict or a set.
static bool isContents(const Value &v, ObjectKind kind) {
  return v.is(Kind::RunTimeList) || v.is(kind == ObjectKind::Dict  ? Kind::DictItems
                                         : kind == ObjectKind::Set ? Kind::SetItems
                                                                   : Kind::Tuple);
}

/// The elements: of a dict, its pairs.
static std::vector<Value> elementsIn(const Value &contents) {
  if (!contents.is(Kind::DictItems))
    return contents.parts().vec();
  std::vector<Value> pairs;
  for (size_t i = 0; i < contents.partCount(); i += 2)
    pairs.push_back(Value::tuple(contents.parts().slice(i, 2).vec()));
  return pairs;
}

/// Is a number of the run among these keys, or in one of them?
static bool hasKeyOfRun(const Value &contents) {
  const size_t step = contents.is(Kind::DictItems) ? 2 : 1;
  for (size_t i = 0; i < contents.partCount(); i += step)
    if (anyElement(contents.parts()[i],
                   [](const Value &v) { return v.is(Kind::Scalar) || v.is(Kind::Size); }))
      return true;
  return false;
}

// One side
// ----------------------------------------------------------------------------------------

/// Records a region for each of some cases of a selector; gives what they yield.
static std::vector<TapeArg>
recordSwitch(Engine &e, TapeBlock &block, ValueId selector, llvm::ArrayRef<size_t> cases,
             llvm::ArrayRef<TapeValue> types,
             llvm::function_ref<std::vector<TapeArg>(TapeBlock &, size_t)> make) {
  TapeInstr choose;
  choose.op = TapeOp::Switch;
  choose.source = e.sourceHere();
  choose.args = {TapeArg::value(selector)};
  std::vector<TapeArg> numbers, results;
  for (size_t number : cases) {
    numbers.push_back(TapeArg::integer(int64_t(number)));
    auto region = std::make_unique<TapeBlock>(&block);
    region->yields = make(*region, number);
    choose.regions.push_back(std::move(region));
  }
  choose.attrs = {TapeArg::list(std::move(numbers))};
  for (ValueId id : e.tape.record(block, std::move(choose), types))
    results.push_back(TapeArg::value(id));
  return results;
}

namespace {
/// What the elements of a list have in common on all sides, and how each side's contents become
/// lists on the tape. Nothing is recorded before all fit.
class ListElements {
public:
  /// `before`: what was made before the join that the list comes from is known behind it. `kind`:
  /// what it is the contents of; dicts and sets have keys.
  ListElements(Engine &e, ValueId before, ObjectKind kind) : e(e), before(before), kind(kind) {}

  /// Are elements of these contents of one form with what was seen before? Empty lists say none.
  bool fit(const Delta &delta, const Value &contents) {
    if (contents.is(Kind::RunTimeList)) {
      const RunTimeListNode &node = asRunTimeList(contents);
      isShared |= node.shared;
      std::vector<TapeValue> found;
      for (ValueId column : node.columns)
        found.push_back(e.tape.type(column));
      return fits(node.form, found);
    }
    seen.clear();
    return llvm::all_of(elementsIn(contents), [&](const Value &item) {
      std::vector<Value> leaves;
      std::vector<TapeValue> found;
      std::optional<Value> itemForm = formOf(delta, item, leaves);
      for (const Value &one : alternativesOf(item))
        if (one.is(Kind::Ref))
          isShared |= !seen.insert(one.asRef()).second || isElsewhere(delta, one.asRef());
      return itemForm &&
             llvm::all_of(leaves, [&](const Value &leaf) { return addType(delta, leaf, found); }) &&
             fits(*itemForm, found);
    });
  }
  bool isKnown() const { return !form.isAbsent() && !types.empty(); }
  const Value &formOfAll() const { return form; }
  size_t columns() const { return types.size(); }
  TapeValue listType(size_t column) const {
    TapeValue list = types[column];
    list.type = TapeType::List;
    return list;
  }
  Value contentsOf(llvm::ArrayRef<ValueId> lists) const {
    auto *node = new RunTimeListNode;
    node->columns.assign(lists.begin(), lists.end());
    node->form = form;
    node->shared = isShared;
    return Value::node(Kind::RunTimeList, node);
  }

  /// Is an element numbers where another alternative is a tensor, or other numbers?
  bool hasChoices(const Delta &delta, const Value &contents) {
    auto isOfNumbers = [](const Value &leaf) {
      return leaf.is(Kind::Choice) &&
             llvm::any_of(alternativesOf(leaf), [](const Value &v) { return v.is(Kind::Tuple); });
    };
    return !contents.is(Kind::RunTimeList) &&
           llvm::any_of(elementsIn(contents), [&](const Value &item) {
             std::vector<Value> leaves;
             (void)formOf(delta, item, leaves);
             return llvm::any_of(leaves, isOfNumbers);
           });
  }

  /// One list for each column.
  std::vector<TapeArg> listsIn(TapeBlock &block, const Delta &delta, const Value &contents) {
    std::vector<TapeArg> lists;
    if (contents.is(Kind::RunTimeList)) {
      for (ValueId column : asRunTimeList(contents).columns)
        lists.push_back(TapeArg::value(column));
      return lists;
    }
    for (size_t c = 0; c < columns(); ++c)
      lists.push_back(TapeArg::value(e.emitIn(block, TapeOp::ListNew, {}, listType(c))));
    for (const Value &item : elementsIn(contents)) {
      std::vector<Value> leaves;
      (void)formOf(delta, item, leaves);
      for (const Value &one : alternativesOf(item))
        if (one.is(Kind::Ref))
          e.frozenStorages.insert(one.asRef());
      for (auto [c, leaf] : llvm::enumerate(leaves))
        lists[c] =
            TapeArg::value(e.emitIn(block, TapeOp::ListPush,
                                    {lists[c], leafIn(block, delta, leaf, types[c])}, listType(c)));
    }
    return lists;
  }

private:
  std::optional<Value> formOf(const Delta &delta, const Value &item, std::vector<Value> &leaves) {
    return formOfElement(e, item, leaves, [&](ObjectId id) {
      if (e.heap.header(id).kind != ObjectKind::List || e.heap.header(id).cls)
        return Value();
      return valueOf(delta, {id, slot::kContent});
    });
  }
  /// Is the list an element of another one already?
  bool isElsewhere(const Delta &delta, ObjectId list) const {
    return shownBy(e, list, valueOf(delta, {list, slot::kContent}), [&](ObjectId storage) {
             return e.frozenStorages.contains(storage) ||
                    valueOf(delta, {storage, slot::kFrozen}).bits() != 0;
           }) != Shown::Nothing;
  }
  bool fits(const Value &oneForm, llvm::ArrayRef<TapeValue> found) {
    if (kind != ObjectKind::List &&
        !isTableKeyForm(kind == ObjectKind::Dict ? oneForm.parts()[0] : oneForm, found))
      return false;
    if (form.isAbsent()) {
      form = oneForm;
      types.assign(found.begin(), found.end());
    }
    if (form != oneForm)
      return false;
    for (auto [type, other] : llvm::zip_equal(types, found)) {
      std::optional<TapeValue> common = commonElement(e, type, other);
      if (!common)
        return false;
      type = std::move(*common);
    }
    return true;
  }
  /// What a slot holds on the side.
  Value valueOf(const Delta &delta, SlotKey slot) const {
    auto changed = delta.find(slot);
    return changed != delta.end()       ? changed->second
           : e.heap.exists(slot.object) ? e.heap.get(slot)
                                        : Value::absent();
  }
  /// The storage's contents on the side; not Raw: it has none there.
  Value rawOf(const Delta &delta, const TensorNode &tensor) const {
    return valueOf(delta, {tensor.storage, slot::kContent});
  }
  bool addType(const Delta &delta, const Value &leaf, std::vector<TapeValue> &found) {
    found.emplace_back();
    found.back().number = numberType(leaf);
    if (found.back().number != NumberType::NotNumber)
      return true;
    bool isFirst = true;
    return llvm::all_of(alternativesOf(leaf), [&](const Value &v) {
      if (v.is(Kind::Tuple)) {
        TapeValue numbers = typeOfNumbers(e, v);
        if (std::exchange(isFirst, false))
          found.back() = numbers;
        std::optional<TapeValue> common = commonElement(e, found.back(), numbers);
        if (common)
          found.back() = std::move(*common);
        return common.has_value();
      }
      const TensorNode &tensor = asTensor(v);
      Value raw = rawOf(delta, tensor);
      isShared |= !tensor.steps.empty() || !seen.insert(tensor.storage).second;
      if (!raw.is(Kind::Raw))
        return false;
      TapeValue one = tensor.steps.empty() ? e.tape.type(raw.asRaw()) : tapeTypeOf(metaOf(tensor));
      llvm::SmallBitVector isNew(unsigned(one.sizes.size()));
      for (auto [d, size] : llvm::enumerate(one.sizes))
        isNew[unsigned(d)] = !e.sizeKnownBefore(size, before);
      if (!forgetSizes(e, one, isNew))
        return false;
      if (std::exchange(isFirst, false))
        found.back() = one;
      std::optional<TapeValue> common = commonElement(e, found.back(), one);
      if (common)
        found.back() = std::move(*common);
      return common.has_value();
    });
  }
  /// A tensor of known numbers.
  TapeArg numbersIn(TapeBlock &block, const Value &numbers) {
    TapeValue made = typeOfNumbers(e, numbers), one = made;
    one.sizes.clear();
    one.strides.clear();
    TapeValue list = one;
    list.type = TapeType::List;
    TapeArg all = TapeArg::value(e.emitIn(block, TapeOp::ListNew, {}, list));
    for (const Value &number : numbers.parts()) {
      ValueId element = e.emitIn(block, TapeOp::Tensor0, {e.operandIn(block, number)}, one,
                                 {TapeArg::dtype(one.dtype)});
      all = TapeArg::value(e.emitIn(block, TapeOp::ListPush, {all, TapeArg::value(element)}, list));
    }
    return TapeArg::value(e.emitIn(block, TapeOp::ListStack, {all}, made, {TapeArg::integer(0)}));
  }
  TapeArg leafIn(TapeBlock &block, const Delta &delta, const Value &leaf, TapeValue type) {
    if (type.number != NumberType::NotNumber)
      return e.operandIn(block, leaf);
    if (leaf.is(Kind::Tuple))
      return numbersIn(block, leaf);
    type.type = TapeType::Tensor;
    if (llvm::any_of(alternativesOf(leaf), [](const Value &v) { return v.is(Kind::Tuple); })) {
      // Numbers of one alternative are undefined where another was chosen.
      const ChoiceNode &choice = asChoice(leaf);
      const size_t count = choice.alternatives.size();
      return recordSwitch(e, block, choice.selector, llvm::to_vector(llvm::seq(count)), {type},
                          [&](TapeBlock &region, size_t k) -> std::vector<TapeArg> {
                            return {leafIn(region, delta, choice.alternatives[k], type)};
                          })
          .front();
    }
    std::vector<TapeArg> read;
    for (const Value &v : alternativesOf(leaf)) {
      const TensorNode &tensor = asTensor(v);
      ValueId id = rawOf(delta, tensor).asRaw();
      if (!tensor.steps.empty())
        id = e.emitIn(block, TapeOp::AtenView, {TapeArg::value(id), e.stepsIn(block, tensor)},
                      tapeTypeOf(metaOf(tensor)));
      read.push_back(TapeArg::value(id));
      e.frozenStorages.insert(tensor.storage);
      // What is taken out of a list is no longer known to be this.
      e.shows.sharing |= e.maybeViews.views.contains(tensor.storage);
      e.shows.idleStrides |= e.looseStrides.contains(tensor.storage);
    }
    if (read.size() == 1)
      return read[0];
    read.insert(read.begin(), TapeArg::value(asChoice(leaf).selector));
    return TapeArg::value(e.emitIn(block, TapeOp::Pick, std::move(read), type));
  }

  Engine &e;
  ValueId before;
  ObjectKind kind;
  Value form;                    ///< Absent: not known
  std::vector<TapeValue> types;  ///< of the columns
  bool isShared = false;         ///< may they have shared a storage before they were copied in?
  llvm::DenseSet<ObjectId> seen; ///< storages of the contents that are looked at
};
} // namespace

// All sides
// ----------------------------------------------------------------------------------------

/// Are they contents of a list on all sides, whatever path a side took?
bool Joiner::listsOnly(const PerSide &values, std::optional<SlotKey> slot) const {
  if (!slot || slot->key != slot::kContent)
    return false;
  const ObjectKind kind = e.heap.kind(slot->object);
  if (kind != ObjectKind::List && kind != ObjectKind::Dict && kind != ObjectKind::Set)
    return false;
  return llvm::all_of(values, [&](const auto &v) {
    return !v.second.isAbsent() && llvm::all_of(alternativesOf(v.second), [&](const Value &one) {
      return isContents(one, kind);
    });
  });
}

/// Known contents by the number of their elements: the most that there are in any alternative.
static size_t longestOf(const Value &contents) {
  size_t most = 0;
  for (const Value &v : alternativesOf(contents))
    most = std::max(most, v.partCount());
  return most;
}

/// Does a turn leave a list that has more elements, and never fewer? One that data may have made
/// longer is a choice first: it is left so if the next turn does not make it longer still.
bool Joiner::becameLonger(const PerSide &values, SlotKey slot) const {
  const Value &before = values.front().second;
  size_t longest = longestOf(before);
  bool isLonger = false, isOneOfSome = false;
  for (const auto &[s, v] : llvm::drop_begin(values)) {
    isOneOfSome |= v.is(Kind::Choice);
    for (const Value &now : alternativesOf(v)) {
      isLonger |= now.partCount() > longest;
      if (llvm::none_of(alternativesOf(before),
                        [&](const Value &then) { return now.partCount() >= then.partCount(); }))
        return false;
    }
  }
  if (!isLonger || !isOneOfSome)
    return isLonger;
  if (!options.was)
    return false;
  auto head = options.was->find(slot);
  // The turn before may have found it to be of the run, or laid its numbers side by side.
  return head == options.was->end() ||
         llvm::any_of(
             alternativesOf(head->second),
             [](const Value &one) { return one.is(Kind::RunTimeList) || one.is(Kind::Tensor); }) ||
         llvm::any_of(llvm::drop_begin(values),
                      [&](const auto &v) { return longestOf(v.second) > longestOf(head->second); });
}

std::optional<Value> Joiner::joinGrowing(const PerSide &values, std::optional<SlotKey> slot) {
  if (!slot || !listsOnly(values, slot))
    return std::nullopt;
  bool anyGrown = llvm::any_of(values, [](const auto &v) {
    return llvm::any_of(alternativesOf(v.second),
                        [](const Value &one) { return one.is(Kind::RunTimeList); });
  });
  if (!anyGrown && (!options.grow || values.size() < 2 || !becameLonger(values, *slot)))
    return std::nullopt;
  const ObjectKind kind = e.heap.kind(slot->object);
  // Keys that are known are looked up faster, and may be of any type.
  if (!anyGrown && kind != ObjectKind::List && llvm::none_of(values, [](const auto &v) {
        return llvm::any_of(alternativesOf(v.second), hasKeyOfRun);
      }))
    return std::nullopt;
  return joinToList(values, kind);
}

/// Records what may see no undefined operand in a region that runs on the way to the side alone.
std::vector<TapeArg> Joiner::makeUnder(const JoinSide &side, llvm::ArrayRef<TapeValue> types,
                                       llvm::function_ref<std::vector<TapeArg>(TapeBlock &)> make) {
  auto in = [&](auto &self, TapeBlock &block, llvm::ArrayRef<Way> ways) -> std::vector<TapeArg> {
    if (ways.empty())
      return make(block);
    const Way &way = ways.front();
    std::vector<int64_t> isTaken(way.count, 0);
    isTaken[way.number] = 1;
    return recordSwitch(e, block, e.mapIn(block, way.selector, isTaken), {0, 1}, types,
                        [&](TapeBlock &region, size_t isHere) {
                          return isHere ? self(self, region, ways.drop_front())
                                        : std::vector(types.size(), TapeArg::value(kUndef));
                        });
  };
  return in(in, *side.block, side.under);
}

/// Are the storages that a form names the same on all sides?
bool Joiner::keepsStorages(const PerSide &values, const Value &form) const {
  bool areKept = true;
  forEachRef(form, [&](ObjectId id) {
    areKept &= e.heap.exists(id) && !oneSided(id) && llvm::all_of(values, [&](const auto &v) {
                 auto taken = states[v.first].taken.find(id);
                 return taken == states[v.first].taken.end() || taken->second == id;
               });
  });
  return areKept;
}

std::optional<Value> Joiner::joinToList(const PerSide &values, ObjectKind kind) {
  std::optional<Value> joined = joinToListOf(values, kind);
  if (joined || !e.keeps.listedViews)
    return joined;
  llvm::SaveAndRestore copies(e.keeps.listedViews, false);
  return joinToListOf(values, kind);
}

/// None if elements are of several types, or no side has any.
std::optional<Value> Joiner::joinToListOf(const PerSide &values, ObjectKind kind) {
  ListElements elements(e, options.before, kind);
  for (const auto &[s, v] : values) {
    uint64_t possible = possibleOn(s, v);
    for (auto [k, contents] : llvm::enumerate(alternativesOf(v)))
      if ((possible >> k & 1) && !elements.fit(*sides[s].delta, contents))
        return std::nullopt;
  }
  if (!elements.isKnown() || !keepsStorages(values, elements.formOfAll()))
    return std::nullopt;
  std::vector<std::map<int64_t, TapeArg>> yields(elements.columns());
  auto yield = [&](unsigned s, llvm::ArrayRef<TapeArg> lists) {
    for (auto [column, list] : llvm::zip_equal(yields, lists))
      column[sides[s].number] = list;
  };
  std::vector<TapeValue> types;
  types.reserve(elements.columns());
  for (size_t c = 0; c < elements.columns(); ++c)
    types.push_back(elements.listType(c));
  for (const auto &[s, v] : values) {
    const Delta &delta = *sides[s].delta;
    if (!v.is(Kind::Choice)) {
      auto make = [&](TapeBlock &block) { return elements.listsIn(block, delta, v); };
      yield(s, elements.hasChoices(delta, v) ? makeUnder(sides[s], types, make)
                                             : make(*sides[s].block));
      continue;
    }
    // Elements of one alternative are undefined where another was chosen.
    const ChoiceNode &choice = asChoice(v);
    uint64_t possible = possibleOn(s, v);
    llvm::SmallVector<size_t> cases;
    for (size_t k = 0; k < choice.alternatives.size(); ++k)
      if (possible >> k & 1)
        cases.push_back(k);
    yield(s, makeUnder(sides[s], types, [&](TapeBlock &block) {
            return recordSwitch(e, block, choice.selector, cases, types,
                                [&](TapeBlock &region, size_t k) {
                                  return elements.listsIn(region, delta, choice.alternatives[k]);
                                });
          }));
  }
  sym::Expr length = evenLength(values);
  std::vector<ValueId> lists;
  for (auto [c, column] : llvm::enumerate(yields)) {
    lists.push_back(result(std::move(column), elements.listType(c)).id());
    if (e.sizeLoops)
      e.sizeLoops->noteLength(lists.back(), length);
  }
  SourceId source = 0;
  for (const auto &[s, v] : values)
    if (v.is(Kind::RunTimeList))
      source = v.source();
  return elements.contentsOf(lists).withSource(source);
}

// Lists whose elements, which are lists, lie side by side on some sides (NumberLists.cpp)
// ----------------------------------------------------------------------------------------

/// May another list than `list` show what is in these contents on a side?
bool Joiner::mayShow(unsigned side, ObjectId list, const Value &contents) const {
  return llvm::any_of(states[side].reach, [&](ObjectId id) {
    if (id == list || e.heap.header(id).kind != ObjectKind::List)
      return false;
    const Value held = read(side, {id, slot::kContent});
    if (shownBy(e, id, held, [&](ObjectId storage) {
          return e.frozenStorages.contains(storage) ||
                 read(side, {storage, slot::kFrozen}).bits() != 0;
        }) != Shown::Nothing)
      return true;
    return contents.is(Kind::Tensor) && llvm::any_of(alternativesOf(held), [&](const Value &one) {
             return one.is(Kind::Tensor) && asTensor(one).storage == asTensor(contents).storage;
           });
  });
}

/// The sides on which the elements are lists of their own lay them side by side, too.
std::optional<Value> Joiner::joinLaid(const PerSide &values, std::optional<SlotKey> slot) {
  if (!slot || slot->key != slot::kContent || !e.sizeLoops || !e.shapes ||
      e.heap.header(slot->object).kind != ObjectKind::List)
    return std::nullopt;
  const auto *laid = llvm::find_if(values, [](const auto &v) { return v.second.is(Kind::Tensor); });
  if (laid == values.end())
    return std::nullopt;
  const TensorNode &first = asTensor(laid->second);
  for (const auto &[s, v] : values) {
    if (mayShow(s, slot->object, v))
      return std::nullopt;
    if (v.is(Kind::Tensor) &&
        (!asTensor(v).steps.empty() || asTensor(v).dtype != first.dtype ||
         asTensor(v).sizes.size() != 2 || e.frozenStorages.contains(asTensor(v).storage) ||
         read(s, {asTensor(v).storage, slot::kFrozen}).bits() != 0))
      return std::nullopt;
    if (v.is(Kind::Tensor))
      continue;
    if (!v.is(Kind::RunTimeList) || !holdsNumberLists(v) || asRunTimeList(v).shared)
      return std::nullopt;
    const TapeValue &element = e.tape.type(asRunTimeList(v).columns[0]);
    sym::Expr length = e.sizeLoops->lengthOf(v);
    if (element.dtype != first.dtype || element.sizes.size() != 1 || sizesDiffer(e, element) ||
        !length.isSupported() ||
        e.sizeLoops->prove(CompareOp::Gt, length, e.sizes().constant(0)) != true)
      return std::nullopt;
  }
  PerSide raw;
  llvm::SmallVector<std::pair<unsigned, sym::Expr>, 4> sizes[2], strides[2];
  for (const auto &[s, v] : values) {
    TapeValue type;
    if (v.is(Kind::Tensor)) {
      raw.emplace_back(s, read(s, {asTensor(v).storage, slot::kContent}));
      type = e.tape.type(raw.back().second.asRaw());
    } else {
      const ValueId column = asRunTimeList(v).columns[0];
      type = e.tape.type(column);
      type.type = TapeType::Tensor;
      type.sizes.insert(type.sizes.begin(), e.sizeLoops->lengthOf(v));
      type.strides = e.contiguousStrides(type.sizes);
      raw.emplace_back(s,
                       Value::raw(e.emitIn(*sides[s].block, TapeOp::ListStack,
                                           {TapeArg::value(column)}, type, {TapeArg::integer(0)})));
    }
    for (size_t d = 0; d < 2; ++d) {
      sizes[d].emplace_back(s, type.sizes[d]);
      strides[d].emplace_back(s, type.strides[d]);
    }
  }
  const ObjectId storage = e.heap.reserve({ObjectKind::Storage});
  for (const auto &[s, v] : values)
    if (v.is(Kind::Tensor))
      states[s].taken[asTensor(v).storage] = storage;
  auto *node = new TensorNode(first);
  node->refs = 0;
  node->storage = storage;
  out[{storage, kExists}] = Value::ip(0);
  out[{storage, slot::kContent}] = joinRaw(raw, /*force=*/true);
  out[{storage, slot::kFrozen}] = Value::boolean(false);
  node->sizes.assign({joinSizes(sizes[0]), joinSizes(sizes[1])});
  node->strides.assign({joinSizes(strides[0]), joinSizes(strides[1])});
  return Value::node(Kind::Tensor, node).withSource(laid->second.source());
}
