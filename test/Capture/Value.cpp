// Values: parts that are changed in place, and nesting deeper than the native stack.
#include "ptc/Capture/Value.h"

#include <catch2/catch.hpp>

using namespace ptc::capture;

static Value numbers(int64_t from, int64_t to) {
  std::vector<Value> parts;
  for (int64_t i = from; i < to; ++i)
    parts.push_back(Value::integer(i));
  return Value::tuple(std::move(parts));
}

TEST_CASE("the ends of a value's parts", "[value]") {
  Value queue = numbers(0, 3);
  queue.addPart(Value::integer(3));
  queue.dropParts(0, 1);
  CHECK(queue == numbers(1, 4));
  queue.addFirstPart(Value::integer(0));
  CHECK(queue == numbers(0, 4));
  queue.addFirstPart(Value::integer(-1));
  queue.addPart(Value::integer(4));
  CHECK(queue == numbers(-1, 5));
  CHECK(queue.partCount() == 6);
  queue.mutablePart(0) = Value::integer(-1);
  CHECK(queue.mutableParts().size() == 6);
  CHECK(queue == numbers(-1, 5));
  queue.dropParts(0, 6);
  CHECK(queue.parts().empty());
  queue.addFirstPart(Value::integer(7));
  CHECK(queue == numbers(7, 8));
}

TEST_CASE("parts taken out anywhere", "[value]") {
  for (size_t at = 0; at <= 7; ++at)
    for (size_t n = 0; at + n <= 7; ++n) {
      Value v = numbers(0, 7);
      v.addFirstPart(Value::integer(-1));
      v.dropParts(0, 1);
      v.dropParts(at, n);
      std::vector<Value> left;
      for (size_t i = 0; i < 7; ++i)
        if (i < at || i >= at + n)
          left.push_back(Value::integer(int64_t(i)));
      CHECK(v == Value::tuple(left));
    }
}

/// How often `change` moves the parts of a queue of 1000 to another place, in 10000 calls.
template <typename F> static unsigned moves(F change) {
  Value queue = numbers(0, 1000);
  unsigned moves = 0;
  for (int64_t i = 0; i < 10000; ++i) {
    // A part that stays: the last or the first one before, wherever it lies now.
    const Value *end = queue.parts().end();
    change(queue, i);
    moves += queue.parts().end() != end && queue.parts().end() != end + 1 &&
             queue.parts().end() != end - 1;
  }
  return moves;
}

TEST_CASE("a queue moves its parts seldom", "[value]") {
  CHECK(moves([](Value &queue, int64_t i) {
          queue.addPart(Value::integer(i));
          queue.dropParts(0, 1);
        }) < 40);
  CHECK(moves([](Value &queue, int64_t i) { queue.addFirstPart(Value::integer(i)); }) < 10);
  CHECK(moves([](Value &queue, int64_t i) { queue.addPart(Value::integer(i)); }) < 10);
}

TEST_CASE("a str that grows shares its buffer", "[value]") {
  Value text = Value::str(std::string(300, 'a')), piece = Value::str("b");
  unsigned copies = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    Value longer = Value::concat(text, piece);
    copies += longer.asStr().data() != text.asStr().data();
    text = std::move(longer);
  }
  CHECK(copies < 20);
  CHECK(text.asStr().size() == 10300);

  // Two continuations of one str do not meet.
  Value left = Value::concat(text, Value::str("l")), right = Value::concat(text, Value::str("r"));
  CHECK(left.asStr().back() == 'l');
  CHECK(right.asStr().back() == 'r');
  CHECK(text.asStr().back() == 'b');
  Value twice = Value::concat(left, left);
  CHECK(twice.asStr() == left.asStr().str() + left.asStr().str());
  CHECK(Value::concat(Value::str("a"), Value::str("")) == Value::str("a"));
}

TEST_CASE("values nested deeper than the stack", "[value]") {
  auto nested = [](Value inner) {
    for (int i = 0; i < 1000000; ++i)
      inner = Value::tuple({std::move(inner), Value::integer(1)});
    return inner;
  };
  Value a = nested(Value::ref(5)), b = nested(Value::ref(5)), c = nested(Value::ref(6));
  CHECK(a == b);
  CHECK(!(a == c));
  CHECK(a.hash() == b.hash());
  std::vector<ObjectId> seen;
  forEachRef(a, [&](ObjectId id) { seen.push_back(id); });
  CHECK(seen == std::vector<ObjectId>{5});
  CHECK(anyElement(a, [](const Value &v) { return v.is(Kind::Ref); }));
  CHECK(!anyElement(a, [](const Value &v) { return v.is(Kind::Str); }));
}

TEST_CASE("references are seen in order", "[value]") {
  Value v = Value::tuple({Value::ref(1), Value::tuple({Value::ref(2), Value::tuple({})}),
                          Value::bound(Value::ref(3), Value::ref(4))});
  std::vector<ObjectId> seen;
  forEachRef(v, [&](ObjectId id) { seen.push_back(id); });
  CHECK(seen == std::vector<ObjectId>{1, 2, 3, 4});
}
