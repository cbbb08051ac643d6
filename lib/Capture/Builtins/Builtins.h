//===- Builtins.h - Native functions and methods ----------------*- C++ -*-===//
//
// Every row of Builtins.def names a function here: Value fn(Engine &, CallArgs &), with the
// arguments in the order of the row's signature, Absent where none was given.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_BUILTINS_BUILTINS_H
#define PTC_LIB_CAPTURE_BUILTINS_BUILTINS_H

#include "../Objects.h"

#include "ptc/Python/Result.h"

namespace ptc::capture::builtins {

#define PTC_FUNCTION(Module, Name, Signature, Fn) Value Fn(Engine &e, CallArgs &args);
#define PTC_METHOD(Type, Name, Signature, Fn) Value Fn(Engine &e, CallArgs &args);
#define PTC_CLASSMETHOD(Type, Name, Signature, Fn) Value Fn(Engine &e, CallArgs &args);
#define PTC_STATIC(Type, Name, Signature, Fn) Value Fn(Engine &e, CallArgs &args);
#define PTC_GETTER(Type, Name, Signature, Fn) Value Fn(Engine &e, CallArgs &args);
#include "Builtins.def"

/// Does an object of the program say itself what its __class__ is?
bool hasOwnClass(Engine &e, const Value &v);
/// isinstance(v, cls) where no class of the program and nothing of the run has a say; None: it is
/// to be looked at more closely.
std::optional<bool> plainIsInstance(Engine &e, const Value &v, const Value &cls);
/// The value as an instance of `cls`, a class derived from its own.
Value box(Engine &e, ObjectId cls, Value value);
/// The name of an attribute; raises where it is no text.
std::optional<NameId> nameArg(Engine &e, const Value &given);
/// Argument n, decided and unboxed.
Value plainArg(Engine &e, CallArgs &args, size_t n);
/// Raises where argument n, a bound of a part of a sequence, is no integer; None may stand for one.
Flow checkSliceIndex(Engine &e, CallArgs &args, size_t n, bool takesNone);
/// What int() and float() make of a tensor.
Value tensorNumber(Engine &e, const Value &tensor, ScalarType type);
inline const Value &arg(CallArgs &args, size_t n) { return args.positional[n]; }
inline bool given(CallArgs &args, size_t n) {
  return n < args.positional.size() && !args.positional[n].isAbsent();
}

/// Turns what lib/Python returns into a value or a pending exception.
inline Value toValue(Engine &, const py::PyInt &i) { return ofPyInt(i); }
inline Value toValue(Engine &, double d) { return Value::real(d); }
inline Value toValue(Engine &, bool b) { return Value::boolean(b); }
inline Value toValue(Engine &, int64_t i) { return Value::integer(i); }
inline Value toValue(Engine &, const py::Str &s) { return ofStr(s); }
template <typename T> Value toValue(Engine &e, const py::Result<T> &r) {
  if (!r)
    return raised(e, r.error());
  return toValue(e, *r);
}

} // namespace ptc::capture::builtins

#endif // PTC_LIB_CAPTURE_BUILTINS_BUILTINS_H
