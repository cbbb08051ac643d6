//===- CacheNatives.cpp - What functools and re keep of earlier calls ------------------===//
//
// In: calls of functions under functools.lru_cache, from lib/Prelude/functools.py. Out: results
// that the same call of the entry has had before (CallCaches.h). Beside that: what lib/Prelude made
// of constants, patterns of re for one, kept as long as the heap has it.
//
//===----------------------------------------------------------------------===//
#include "../CallCaches.h"
#include "Builtins.h"

using namespace ptc::capture;
using namespace ptc::capture::builtins;

/// The text of a key of a cache with room for so many more (None: any number); None: results are
/// kept as state.
Value builtins::ptcCacheKey(Engine &e, CallArgs &args) {
  std::optional<std::string> key;
  const Value room = e.known(arg(args, 2));
  if (e.caches && (room.isNone() || room.is(Kind::Int)))
    key = e.caches->keyOf(
        arg(args, 0).asRef(), arg(args, 1),
        room.isNone() ? std::nullopt : std::optional(size_t(std::max<int64_t>(room.asInt(), 0))));
  return key ? Value::str(*key) : Value::none();
}

/// Does code of the program hash or compare the key?
Value builtins::ptcNeedsCode(Engine &e, CallArgs &args) {
  return Value::boolean(needsPythonKey(e, arg(args, 0)));
}

/// (result,), or None.
Value builtins::ptcCacheFind(Engine &e, CallArgs &args) {
  Value found = e.caches->find(arg(args, 0).asStr());
  return found.isAbsent() ? Value::none() : Value::tuple({std::move(found)});
}

Value builtins::ptcCacheStart(Engine &e, CallArgs &args) {
  return Value::integer(e.caches->start());
}

Value builtins::ptcCacheFinish(Engine &e, CallArgs &args) {
  e.caches->finish(arg(args, 0).asInt(), arg(args, 1).asStr(), arg(args, 2));
  return Value::none();
}

/// The program looks at what only state can tell: how often functions were called.
Value builtins::ptcCachesAreState(Engine &e, CallArgs &args) {
  if (e.caches)
    e.caches->giveUp();
  return Value::none();
}

/// Under what _keep() keeps something; Absent: of what it is made may change, or is not known.
static Value keptKey(Engine &e, CallArgs &args) {
  const Value &key = arg(args, 1);
  bool isFixed = !anyElement(key, [&](const Value &v) {
    switch (v.kind()) {
    case Kind::Opaque:
    case Kind::Choice:
    case Kind::Template:
    case Kind::Scalar:
    case Kind::Size:
    case Kind::Tensor:
      return true;
    case Kind::Ref:
      return isRefTo(e, v, ObjectKind::List) || isRefTo(e, v, ObjectKind::Dict) ||
             isRefTo(e, v, ObjectKind::Set);
    default:
      return false;
    }
  });
  return isFixed ? Value::tuple({arg(args, 0), key}) : Value();
}

/// What was made of the same constants and objects before; None: nothing, or it is gone.
Value builtins::ptcKept(Engine &e, CallArgs &args) {
  Value key = keptKey(e, args);
  auto found = key.isAbsent() ? e.world->kept.end() : e.world->kept.find(key);
  return found != e.world->kept.end() && e.heap.exists(found->second) ? Value::ref(found->second)
                                                                      : Value::none();
}

Value builtins::ptcKeep(Engine &e, CallArgs &args) {
  Value key = keptKey(e, args);
  if (key.isAbsent() || !arg(args, 2).is(Kind::Ref))
    return Value::none();
  // As many as the caches of CPython hold; the oldest makes room.
  constexpr size_t kMost = 512;
  auto &kept = e.world->kept;
  size_t count = 0;
  auto oldest = kept.end();
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (it->first.parts()[0] != arg(args, 0))
      continue;
    ++count;
    if (oldest == kept.end() || it->second < oldest->second)
      oldest = it;
  }
  if (count >= kMost)
    kept.erase(oldest);
  kept[key] = arg(args, 2).asRef();
  return Value::none();
}

Value builtins::ptcForget(Engine &e, CallArgs &args) {
  std::erase_if(e.world->kept,
                [&](const auto &made) { return made.first.parts()[0] == arg(args, 0); });
  return Value::none();
}
