//===- CacheNatives.cpp - What functools asks of the caches of a call ------------------===//
//
// In: calls of functions under functools.lru_cache, from lib/Prelude/functools.py. Out: results
// that the same call of the entry has had before (CallCaches.h).
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
