// The stub's cold path on the tables that the compiler writes, against lib/Symbolic: for each guard
// kind, and for random formulas on all points of small boxes.
#include "Symbolic/AddGuard.h"

#include "ptc/Package/GuardTable.h"
#include "ptc/Runtime/ptc.h"

#include "Symbolic/GuardRows.h"

#include <random>
#include <set>

using namespace ptc;
using namespace ptc::sym;

namespace {

/// The observables of a call as generated code hands them to the stub.
struct ObservedCall {
  std::vector<int64_t> values;
  std::vector<uint8_t> present;

  ObservedCall(ObservableSpace &space, const Observation &call) {
    for (SymbolId id = 0; id < space.numObservables(); ++id)
      add(call.read(space.observable(id), space.strings()));
  }
  explicit ObservedCall(llvm::ArrayRef<std::optional<int64_t>> list) {
    for (std::optional<int64_t> value : list)
      add(value);
  }
  void add(std::optional<int64_t> value) {
    values.push_back(value.value_or(0));
    present.push_back(value.has_value());
  }
  ptc_observation view() const { return {values.data(), present.data()}; }
};

std::string textOf(const ptc_guard_table &table, int64_t guard, ptc_observation call) {
  std::string text(ptc_print_failure(nullptr, 0, &table, guard, call), '?');
  CHECK(ptc_print_failure(text.data(), text.size() + 1, &table, guard, call) == text.size());
  return text;
}

GuardTable tableOf(const ObservableSpace &space, const Atom &atom) {
  GuardSet set;
  addGuard(set, {classify(space, atom), atom, {}});
  llvm::Expected<GuardTable> table = GuardTable::create(space, set);
  REQUIRE(bool(table));
  return std::move(*table);
}

} // namespace

TEST_CASE("each guard kind: the stub says what the compiler says") {
  for (const KindRow &row : kindRows()) {
    INFO(row.text);
    ObservableSpace space;
    GuardSet set;
    addGuard(set, {row.kind, *row.atom(space), {{{"model.py", 12, 0, 0, 0}, "line 12 needed it"}}});
    llvm::Expected<GuardTable> table = GuardTable::create(space, {set, set});
    REQUIRE(bool(table));
    ptc_guard_table view = table->view();

    Observation call = baseCall();
    CHECK(ptc_first_failure(&view, 0, ObservedCall(space, call).view()) == -1);
    row.breakIt(call);
    ObservedCall broken(space, call);
    CHECK(ptc_first_failure(&view, 0, broken.view()) == 0);
    CHECK(ptc_first_failure(&view, 1, broken.view()) == 1);
    CHECK(ptc_count_failures(&view, 1, broken.view()) == 1);

    std::optional<GuardFailure> failure = findFailure(set, space, call);
    REQUIRE(failure.has_value());
    // The stub does not keep the texts of strings that no guard compares with.
    bool isText =
        getObservableInfo(getGuardKindInfo(row.kind).observable).format == ValueFormat::String;
    if (isText)
      failure->found = "something else";
    Diagnostic diag = diagnoseMiss(space, set.guards()[0], *failure);
    REQUIRE(diag.attachments.size() == 2);
    CHECK("no variant fits this call: " + textOf(view, 0, broken.view()) ==
          diag.text + "\nnote: model.py:12: " + diag.attachments[0].text +
              "\nhint: " + diag.attachments[1].text + "\n");
  }
}

TEST_CASE("text is cut as snprintf cuts it") {
  ObservableSpace space;
  GuardSet set;
  addGuard(set, {GuardKind::Rank, *equals(space, {ObservableKind::Rank, "x", 0, {}}, 2), {}});
  llvm::Expected<GuardTable> table = GuardTable::create(space, set);
  REQUIRE(bool(table));
  ptc_guard_table view = table->view();
  ObservedCall call(std::vector<std::optional<int64_t>>{3});
  std::string whole = textOf(view, 0, call.view());
  for (size_t size = 0; size <= whole.size() + 2; ++size) {
    std::string buffer(size + 1, '#');
    CHECK(ptc_print_failure(buffer.data(), size, &view, 0, call.view()) == whole.size());
    CHECK(buffer.back() == '#');
    if (size)
      CHECK(std::string(buffer.c_str()) == whole.substr(0, size - 1));
  }
}

/// A random formula over three sizes; divisors are not zero at most points, sometimes they are.
static Expr randomExpr(Context &context, std::mt19937 &random, unsigned depth) {
  if (depth == 0 || random() % 5 == 0)
    return random() % 3 ? context.symbol(SymbolId(random() % 3))
                        : context.constant(int64_t(random() % 9) - 4);
  Expr a = randomExpr(context, random, depth - 1), b = randomExpr(context, random, depth - 1);
  switch (random() % 6) {
  case 0:
    return context.add(a, b);
  case 1:
    return context.sub(a, b);
  case 2:
    return context.mul(a, b);
  case 3:
    return context.floordiv(a, b);
  case 4:
    return context.min(a, b);
  default:
    return context.max(a, b);
  }
}

TEST_CASE("random formulas on all points of a box") {
  std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed): the same in every run
  static constexpr Relation kRelations[] = {Relation::Equal, Relation::NotEqual,
                                            Relation::LessEqual};
  unsigned tried = 0;
  for (unsigned round = 0; round < 400; ++round) {
    ObservableSpace space;
    for (int64_t i = 0; i < 3; ++i)
      space.symbol({ObservableKind::Size, "x", i, {}});
    Expr left = randomExpr(space.context(), random, 4);
    std::optional<Atom> atom = makeAtom(space.context(), kRelations[random() % 3], left,
                                        randomExpr(space.context(), random, 2));
    if (!atom || atom->expr.isConstant())
      continue;
    ++tried;
    GuardTable table = tableOf(space, *atom);
    ptc_guard_table view = table.view();
    INFO(atomText(space, *atom));
    for (int64_t point = 0; point < 125; ++point) {
      std::optional<int64_t> sizes[] = {point % 5, point / 5 % 5, point / 25};
      bool holds = evaluate(space.context(), *atom, [&](SymbolId id) { return sizes[id]; }) == true;
      CHECK((ptc_first_failure(&view, 0, ObservedCall(sizes).view()) == -1) == holds);
    }
    // A call without the observable, and values near the ends of the range.
    std::optional<int64_t> edges[] = {INT64_MAX, INT64_MIN, std::nullopt};
    bool holds = evaluate(space.context(), *atom, [&](SymbolId id) { return edges[id]; }) == true;
    CHECK((ptc_first_failure(&view, 0, ObservedCall(edges).view()) == -1) == holds);
  }
  CHECK(tried > 200);
}

TEST_CASE("numbers are compared with constants at the ends of 64 bits") {
  const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
  for (Relation relation :
       {Relation::Equal, Relation::NotEqual, Relation::LessEqual, Relation::GreaterEqual})
    for (int64_t constant : ends) {
      ObservableSpace space;
      Expr k = space.symbol({ObservableKind::Value, "k", 0, {}});
      std::optional<Atom> atom =
          makeAtom(space.context(), relation, k, space.context().constant(constant));
      if (!atom)
        continue;
      GuardTable table = tableOf(space, *atom);
      ptc_guard_table view = table.view();
      INFO(atomText(space, *atom));
      for (int64_t value : ends) {
        ObservedCall call(std::vector<std::optional<int64_t>>{value});
        bool holds = ptc_first_failure(&view, 0, call.view()) == -1;
        CHECK(holds == compare(value, relation, constant));
        if (!holds)
          CHECK(textOf(view, 0, call.view()).find(" is " + std::to_string(value) + ",") !=
                std::string::npos);
      }
    }
}

TEST_CASE("every status has a text of its own") {
  std::set<std::string> texts;
#define PTC_STATUS(Name, Value, Text) texts.insert(ptc_status_text(ptc_status_##Name));
#include "ptc/Runtime/Status.def"
  CHECK(texts.size() == 15);
  CHECK(ptc_status_text(ptc_status(9999)) == std::string("not a status of this version"));
}
