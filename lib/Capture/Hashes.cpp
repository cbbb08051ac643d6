//===- Hashes.cpp - hash() without Python code ------------------------------------===//
//
// In: values. Out: what CPython's hash() gives, or none where a method written in Python decides:
// then the prelude takes over.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "CallCaches.h"
#include "Escape.h"
#include "Failures.h"
#include "Members.h"
#include "Objects.h"
#include "Positions.h"
#include "Tensors.h"

#include "ptc/Python/Bytes.h"
#include "ptc/Python/Complex.h"
#include "ptc/Python/Hash.h"
#include "ptc/Python/Slice.h"
#include "ptc/Python/Str.h"

using ptc::DiagId;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;

static std::optional<int64_t> hashParts(Engine &e, const Value &v, bool &needsPython) {
  NativeLevel level(e);
  if (!level.ok)
    return tooDeep(e);
  std::vector<int64_t> hashes;
  for (const Value &part : v.parts()) {
    std::optional<int64_t> h = nativeHash(e, part, needsPython);
    if (!h)
      return std::nullopt;
    hashes.push_back(*h);
  }
  return v.is(Kind::FrozenSet) ? py::hashFrozenset(hashes) : py::hashTuple(hashes);
}

static std::optional<int64_t> hashObject(Engine &e, const Value &v, bool &needsPython) {
  Value method = e.lookupInClass(e.typeOf(v), NameId(WellKnown::Hash));
  if (method.isNone()) {
    (void)e.raise(WellKnown::TypeError, "unhashable type: '" + typeName(e, v) + "'");
    return std::nullopt;
  }
  if (!method.isAbsent() && !method.is(Kind::Builtin)) {
    needsPython = true;
    return std::nullopt;
  }
  if (isGrownTuple(e, v))
    return (void)e.refuse(DiagId::RunTimeListArgument), std::nullopt;
  Value content = e.unboxed(v);
  if (!(content == v))
    return nativeHash(e, content, needsPython);
  if (e.caches && e.heap.isProtected(v.asRef()))
    e.caches->giveUp();
  return int64_t(v.asRef()) * 16;
}

std::optional<int64_t> capture::nativeHash(Engine &e, const Value &given, bool &needsPython) {
  Value v = e.known(given);
  switch (v.kind()) {
  case Kind::None:
    return py::kHashNone;
  case Kind::Ellipsis:
    return py::kHashEllipsis;
  case Kind::NotImplemented:
    return py::kHashNotImplemented;
  case Kind::Bool:
  case Kind::Int:
  case Kind::BigInt:
    return py::hashInt(asPyInt(v));
  case Kind::Float:
    return py::hashFloat(v.asFloat());
  case Kind::Complex:
    return py::hashComplex(v.asComplex());
  case Kind::Str:
    return py::hashStr(strRef(v));
  case Kind::Bytes:
    return py::hashBytes(v.asBytes());
  case Kind::Tuple:
  case Kind::FrozenSet:
    return hashParts(e, v, needsPython);
  case Kind::Bound: {
    // By the object itself, whatever hash it has.
    const Value &self = v.parts()[0];
    if (!self.is(Kind::Ref))
      return hashParts(e, v, needsPython);
    std::optional<int64_t> function = nativeHash(e, v.parts()[1], needsPython);
    if (!function)
      return std::nullopt;
    return py::hashTuple({int64_t(self.asRef()) * 16, *function});
  }
  case Kind::Slice:
    if (e.world->minorVersion() >= 12)
      return e.refuse(DiagId::Unsupported, "the hash of a slice");
    (void)e.raise(WellKnown::TypeError, "unhashable type: 'slice'");
    return std::nullopt;
  case Kind::Range: {
    auto range = rangeOf(v);
    return range ? std::optional<int64_t>(range->hash()) : int64_t(v.hash());
  }
  case Kind::Ref:
    return hashObject(e, v, needsPython);
  case Kind::Scalar:
  case Kind::Size:
  case Kind::Template:
  case Kind::Choice:
    needsPython = true;
    return std::nullopt;
  case Kind::Tensor:
    e.guardIdentity(v);
    e.noteIdentityShown(v);
    return int64_t(asTensor(v).storage) * 16;
  case Kind::Opaque:
    if (!Engine::existsAsName(v) && !isAskedByTyping(e))
      return e.refuseOpaque(v);
    return int64_t(v.hash() >> 1);
  default:
    return int64_t(v.hash() >> 1);
  }
}

/// A NaN's says which object it is.
Value capture::runTimeHash(Engine &e, const Value &number) {
  if (numberType(number) != NumberType::Float)
    return e.numberMath("hash.int", {number});
  PTC_LET(isNaN, e.numberMath("isnan", {number}));
  PTC_GET(none, e.truth(isNaN));
  constexpr llvm::StringLiteral kWhat = "the hash of a NaN of the run";
  if (none)
    return endUncomputed(e, kWhat, makeDiagnostic(DiagId::Unsupported, e.here(), kWhat));
  return e.numberMath("hash.float", {number});
}
