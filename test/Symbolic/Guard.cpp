// Guards: for each kind one call that passes and one that fails, normal forms and texts of atoms,
// what a miss says.
#include "ptc/Symbolic/Guard.h"

#include <catch2/catch.hpp>

#include <bit>
#include <set>

using namespace ptc;
using namespace ptc::sym;

namespace {

ObservedTensor tensor(llvm::ArrayRef<int64_t> sizes, DType dtype = DType::Float32) {
  return ObservedTensor::contiguous(dtype, sizes);
}

/// The call that all rows below start from.
Observation baseCall() {
  Observation call;
  call.addTensor("x", tensor({8, 6}));
  call.addTensor("y", tensor({6, 4}));
  ObservedTensor shared = tensor({4});
  shared.storage = 7;
  call.addTensor("a", shared);
  shared.storageOffset = 16;
  call.addTensor("b", shared);
  call.addInt("k", 5);
  call.addBool("flag", true);
  call.addFloat("scale", 0.75);
  call.addString("mode", "fast");
  ObservedValue dict;
  dict.tag = ValueTag::Dict;
  dict.length = 2;
  dict.keys = {"'mask'", "'ids'"};
  call.add("batch", dict);
  ObservedValue object;
  object.tag = ValueTag::Object;
  object.text = "Config";
  call.add("opts", object);
  ObservedValue dtype;
  dtype.tag = ValueTag::DType;
  dtype.number = dtypeCode(DType::Float16);
  call.add("dt", dtype);
  ObservedValue device;
  device.tag = ValueTag::Device;
  device.number = deviceCode(kDeviceCpu);
  call.add("dev", device);
  call.training["self"] = true;
  call.states["self.cache"] = 0;
  return call;
}

struct KindRow {
  GuardKind kind;
  /// The guard, from what the base call holds.
  std::function<std::optional<Atom>(ObservableSpace &)> atom;
  std::function<void(Observation &)> breakIt;
  const char *text;
  const char *expected, *found;
};

std::optional<Atom> equals(ObservableSpace &space, const Observable &observable, int64_t value) {
  return makeAtom(space.context(), Relation::Equal, space.symbol(observable),
                  space.context().constant(value));
}

/// The guard that the observable has its value of the base call.
auto same(ObservableKind kind, const char *path, int64_t index = 0, const char *other = "") {
  return [=](ObservableSpace &space) {
    Observable observable{kind, path, index, other};
    Observation call = baseCall();
    std::optional<int64_t> value = call.read(observable, space.strings());
    REQUIRE(value.has_value());
    return equals(space, observable, *value);
  };
}

auto relation(const char *text, Relation rel, const char *right) {
  return [=](ObservableSpace &space) {
    Context &context = space.context();
    auto lookup = [&](llvm::StringRef name) -> std::optional<Expr> {
      // x0: the first size of x; k: the number; otherwise nothing.
      if (name == "k")
        return space.symbol({ObservableKind::Value, "k", 0, {}});
      return space.symbol({ObservableKind::Size, name.take_front(1).str(), name[1] - '0', {}});
    };
    return makeAtom(context, rel, *context.parse(text, lookup), *context.parse(right, lookup));
  };
}

ObservedTensor &at(Observation &call, const char *path) { return call.values[path].tensor; }

std::vector<KindRow> kindRows() {
  using K = GuardKind;
  using O = ObservableKind;
  int64_t half = std::bit_cast<int64_t>(0.5);
  return {
      {K::Type, same(O::Tag, "k"), [](auto &c) { c.addFloat("k", 5); }, "type(k) == int", "int",
       "float"},
      {K::Class, same(O::ClassName, "opts"), [](auto &c) { c.values["opts"].text = "Other"; },
       "type(opts).__name__ == \"Config\"", "\"Config\"", "\"Other\""},
      {K::Length, same(O::Length, "batch"), [](auto &c) { c.values["batch"].length = 3; },
       "len(batch) == 2", "2", "3"},
      {K::Keys, same(O::Keys, "batch"), [](auto &c) { c.values["batch"].keys = {"'ids'"}; },
       "batch.keys() == \"'mask', 'ids'\"", "\"'mask', 'ids'\"", "\"'ids'\""},
      {K::Rank, same(O::Rank, "x"), [](auto &c) { c.addTensor("x", tensor({8, 6, 1})); },
       "x.ndim == 2", "2", "3"},
      {K::DType, same(O::DType, "x"),
       [](auto &c) { c.addTensor("x", tensor({8, 6}, DType::Float64)); },
       "x.dtype == torch.float32", "torch.float32", "torch.float64"},
      {K::Device, same(O::Device, "x"),
       [](auto &c) { at(c, "x").device = deviceCode(kDeviceCuda, 1); }, "x.device == cpu", "cpu",
       "cuda:1"},
      {K::RequiresGrad, same(O::RequiresGrad, "x"), [](auto &c) { at(c, "x").requiresGrad = true; },
       "x.requires_grad == False", "False", "True"},
      {K::GradMode, same(O::GradMode, ""), [](auto &c) { c.gradMode = false; },
       "torch.is_grad_enabled() == True", "True", "False"},
      {K::Training, same(O::Training, "self"), [](auto &c) { c.training["self"] = false; },
       "self.training == True", "True", "False"},
      {K::State, same(O::StateTag, "self.cache"), [](auto &c) { c.states["self.cache"] = 1; },
       "state(self.cache) == 0", "0", "1"},
      {K::SizeEqual, same(O::Size, "x", 1), [](auto &c) { c.addTensor("x", tensor({8, 7})); },
       "x.shape[1] == 6", "6", "7"},
      {K::SizeRange, relation("x0", Relation::Greater, "1"),
       [](auto &c) { c.addTensor("x", tensor({1, 6})); }, "x.shape[0] >= 2", ">= 2", "1"},
      {K::SizeRelation, relation("x1", Relation::Equal, "y0"),
       [](auto &c) { c.addTensor("y", tensor({5, 4})); }, "x.shape[1] == y.shape[0]",
       "x.shape[1] == y.shape[0]", "x.shape[1] = 6, y.shape[0] = 5"},
      {K::SizeDivisible, relation("x0 % 4", Relation::Equal, "0"),
       [](auto &c) { c.addTensor("x", tensor({6, 6})); }, "x.shape[0] % 4 == 0",
       "x.shape[0] % 4 == 0", "x.shape[0] = 6"},
      {K::Dense, same(O::Dense, "x", encodeOrder({0, 1})),
       [](auto &c) { at(c, "x").strides = {1, 8}; }, "dense(x, (0, 1))", "True", "False"},
      {K::Stride, same(O::Stride, "x", 0), [](auto &c) { at(c, "x").strides[0] = 12; },
       "x.stride(0) == 6", "6", "12"},
      {K::Alignment, same(O::Alignment, "x"), [](auto &c) { at(c, "x").address = 68; },
       "x.data_ptr() % 64 == 0", "0", "4"},
      {K::StorageOffset, same(O::StorageOffset, "x"), [](auto &c) { at(c, "x").storageOffset = 2; },
       "x.storage_offset() == 0", "0", "2"},
      {K::Overlap, same(O::Overlap, "a", 0, "b"), [](auto &c) { at(c, "b").storageOffset = 2; },
       "not overlap(a, b)", "False", "True"},
      {K::BoolValue, same(O::BoolValue, "flag"), [](auto &c) { c.addBool("flag", false); },
       "flag == True", "True", "False"},
      {K::IntCondition, relation("k", Relation::Greater, "3"), [](auto &c) { c.addInt("k", 3); },
       "k >= 4", ">= 4", "3"},
      {K::StringValue, same(O::StringValue, "mode"), [](auto &c) { c.addString("mode", "slow"); },
       "mode == \"fast\"", "\"fast\"", "\"slow\""},
      {K::DTypeValue, same(O::DTypeValue, "dt"),
       [](auto &c) { c.values["dt"].number = dtypeCode(DType::Int64); }, "dt == torch.float16",
       "torch.float16", "torch.int64"},
      {K::DeviceValue, same(O::DeviceValue, "dev"),
       [](auto &c) { c.values["dev"].number = deviceCode(kDeviceCuda); }, "dev == cpu", "cpu",
       "cuda:0"},
      {K::FloatValue, same(O::FloatBits, "scale"), [](auto &c) { c.addFloat("scale", 0.1); },
       "scale == 0.75", "0.75", "0.1"},
      {K::FloatCondition, same(O::FloatCompare, "scale", half, ">"),
       [](auto &c) { c.addFloat("scale", 0.25); }, "scale > 0.5", "True", "False"},
  };
}

} // namespace

TEST_CASE("each guard kind: one call that passes, one that fails") {
  std::set<GuardKind> covered;
  for (const KindRow &row : kindRows()) {
    ObservableSpace space;
    std::optional<Atom> atom = row.atom(space);
    REQUIRE(atom.has_value());
    INFO(row.text);
    CHECK(atomText(space, *atom) == row.text);
    CHECK(classify(space, *atom) == row.kind);
    covered.insert(row.kind);
    GuardSet set;
    set.add({row.kind, *atom, {{{"model.py", 12, 0, 0, 0}, "line 12 needed it"}}});
    Observation call = baseCall();
    CHECK(holds(set, space, call));
    CHECK_FALSE(findFailure(set, space, call).has_value());
    row.breakIt(call);
    CHECK_FALSE(holds(set, space, call));
    std::optional<GuardFailure> failure = findFailure(set, space, call);
    REQUIRE(failure.has_value());
    CHECK(failure->expected == row.expected);
    CHECK(failure->found == row.found);
    Diagnostic diag = diagnoseMiss(space, set.guards()[0], *failure);
    CHECK(diag.text.find(failure->found) != std::string::npos);
    REQUIRE(diag.attachments.size() == 2);
    CHECK(diag.attachments[0].loc.line == 12);
  }
  for (const GuardKindInfo &info : getAllGuardKindInfos()) {
    INFO(info.name.str());
    CHECK(covered.count(info.kind) == 1);
    CHECK(parseGuardKind(info.keyword) == info.kind);
  }
  for (const ObservableInfo &info : getAllObservableInfos())
    CHECK(parseObservableKind(info.keyword) == info.kind);
}

TEST_CASE("atoms have a normal form") {
  struct Row {
    const char *a;
    Relation relation;
    const char *b;
    const char *text;
  };
  for (const Row &row : {
           Row{"x0 + 1", Relation::Equal, "y0 + 1", "x.shape[0] == y.shape[0]"},
           {"4*x0", Relation::Less, "10", "x.shape[0] <= 2"},
           {"4*x0", Relation::Equal, "8", "x.shape[0] == 2"},
           {"x0", Relation::Less, "y0", "x.shape[0] < y.shape[0]"},
           {"x0*y0", Relation::GreaterEqual, "2", "x.shape[0]*y.shape[0] >= 2"},
           {"0", Relation::Equal, "x0 - 3", "x.shape[0] == 3"},
           {"x0 % 8", Relation::NotEqual, "0", "x.shape[0] % 8 != 0"},
           {"x0 // 2", Relation::Equal, "y0", "y.shape[0] == x.shape[0] // 2"},
       }) {
    ObservableSpace space;
    // Symbols in a fixed order.
    space.symbol({ObservableKind::Size, "x", 0, {}});
    space.symbol({ObservableKind::Size, "y", 0, {}});
    std::optional<Atom> atom = relation(row.a, row.relation, row.b)(space);
    REQUIRE(atom.has_value());
    CHECK(atomText(space, *atom) == row.text);
    std::optional<Atom> opposite = negate(space.context(), *atom);
    REQUIRE(opposite.has_value());
    for (int64_t x = 0; x < 20; ++x)
      for (int64_t y = 0; y < 6; ++y) {
        auto values = [&](SymbolId id) { return std::optional(id == 0 ? x : y); };
        CHECK(evaluate(space.context(), *atom, values) !=
              evaluate(space.context(), *opposite, values));
      }
  }
  ObservableSpace space;
  CHECK(isTrue(space.context(), *relation("2*x0", Relation::Equal, "7")(space)) == false);
  CHECK(isTrue(space.context(), *relation("x0", Relation::GreaterEqual, "0")(space)) == true);
}

TEST_CASE("a set keeps checking order and merges origins") {
  ObservableSpace space;
  GuardSet set;
  Atom size = *equals(space, {ObservableKind::Size, "x", 0, {}}, 8);
  Atom rank = *equals(space, {ObservableKind::Rank, "x", 0, {}}, 1);
  set.add({GuardKind::SizeEqual, size, {{{"a.py", 1, 0, 0, 0}, "one"}}});
  set.add({GuardKind::Rank, rank, {{{"a.py", 2, 0, 0, 0}, "two"}}});
  set.add({GuardKind::SizeEqual, size, {{{"a.py", 3, 0, 0, 0}, "three"}}});
  set.add({GuardKind::SizeEqual, size, {{{"a.py", 1, 0, 0, 0}, "one"}}});
  REQUIRE(set.size() == 2);
  CHECK(set.guards()[0].kind == GuardKind::Rank);
  CHECK(set.guards()[1].origins.size() == 2);
  std::string text;
  llvm::raw_string_ostream os(text);
  printGuards(os, space, set);
  CHECK(text == "x.ndim == 1\n    a.py:2: two\n"
                "x.shape[0] == 8\n    a.py:1: one\n    a.py:3: three\n");
  // A call without x at all: the first guard in order fails.
  std::optional<GuardFailure> failure = findFailure(set, space, Observation());
  REQUIRE(failure.has_value());
  CHECK(failure->guard == 0);
  CHECK(failure->found == "nothing");
  CHECK(countFailures(set, space, Observation()) == 2);
}

TEST_CASE("dense orders") {
  using V = std::vector<int64_t>;
  auto order = [](const V &sizes, const V &strides) -> std::optional<std::vector<unsigned>> {
    auto found = findDenseOrder(sizes, strides);
    if (!found)
      return std::nullopt;
    return std::vector<unsigned>(found->begin(), found->end());
  };
  using U = std::vector<unsigned>;
  CHECK(order({2, 3, 4}, {12, 4, 1}) == U{0, 1, 2});
  CHECK(order({2, 3, 4}, {1, 8, 2}) == U{1, 2, 0});
  CHECK(order({2, 3, 4, 5}, {60, 1, 15, 3}) == U{0, 2, 3, 1});
  CHECK(order({2, 1, 4}, {4, 99, 1}) == U{0, 1, 2});
  CHECK(order({2, 0}, {5, 5}) == U{0, 1});
  CHECK(order({2, 3}, {4, 1}) == std::nullopt);
  CHECK(order({2, 3}, {0, 1}) == std::nullopt);
  CHECK(order({}, {}) == U{});
}
