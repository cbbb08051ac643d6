//===- Failures.h - Failures that depend on data, where somebody looks --------*- C++ -*-===//
//
// An operation that may fail at run time ends the call there, and nothing has changed. Where the
// program would notice, that is where a handler or an exit of a context manager stands around it,
// or where state, arguments or containers have been written before, which stays, the condition is
// computed before the operation and is a branch like any other (control.md, "Exceptions").
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_FAILURES_H
#define PTC_LIB_CAPTURE_FAILURES_H

#include "Engine.h"

namespace ptc::py {
struct NumberFunction;
} // namespace ptc::py

namespace ptc::capture {

/// What the frames on the stack do with an exception of the running instruction.
enum class Fate : uint8_t {
  Leaves, ///< it ends the call as if this had never begun
  Passes, ///< it ends the call, but code runs first (`finally`, an exit) or changes stay behind
  Caught, ///< a handler takes it, or may
};
Fate fateOf(Engine &e, ObjectId cls);
/// The same of an exception at instruction `ip` of a frame, as far as this frame goes.
Fate fateAt(Engine &e, ObjectId cls, ObjectId frame, uint32_t ip);
/// Where the program catches an exception of the running instruction, and goes on differently from
/// when there is none. No class: any exception; in the code of a module that is imported, none that
/// clauses of ImportErrors, and of what else ends an import, around it are for: that is assumed.
std::optional<SourceLoc> catcherOf(Engine &e, ObjectId cls);
inline bool isNoticed(Engine &e, WellKnown cls) {
  return fateOf(e, e.builtinClass(cls)) != Fate::Leaves;
}

/// Raises where `fails` (a bool, constant or of the run) holds, which is decided here.
Flow failIf(Engine &e, const Value &fails, WellKnown cls, const llvm::Twine &text);

/// Ends the call where its values are none that compiled programs compute, by an exception that
/// says `what`; reports `refusal` where a handler of the program would take it for one of eager.
FailAny endUncomputed(Engine &e, const llvm::Twine &what, Diagnostic refusal);

// NumberChecks.cpp: nothing is recorded unless somebody notices.

/// int() of a float of the run: not of NaN and infinity.
Flow checkToInt(Engine &e, const Value &x);
/// A function of math on floats, constant or of the run.
Flow checkMath(Engine &e, llvm::StringRef function, llvm::ArrayRef<Value> args);
/// Does the program notice what a function raises that checkMath knows nothing of?
bool noticesNumber(Engine &e, const py::NumberFunction &function);
/// CPython's exception for a result that is NaN or infinite.
Flow checkResult(Engine &e, const py::NumberFunction &function, const Value &result,
                 llvm::ArrayRef<Value> args);
Flow checkShift(Engine &e, const Value &count);
/// x ** y of floats, whose base is not negative or whose exponent is whole; Absent: record it as
/// it is.
Value noticedPower(Engine &e, const Value &x, const Value &y);
/// math.pow, whose failures are decided always.
Value mathPower(Engine &e, const Value &x, const Value &y);

// TensorChecks.cpp

/// Elements for which `op` raises, where somebody notices.
Flow checkElements(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                   TensorCall &call);

/// as_strided() beyond the storage, view_as_complex() between two elements: eager's exception,
/// decided always.
Flow checkExtent(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                 const TensorCall &call);

/// A view as larger elements, before its strides are looked at: eager's exception where none of
/// them may begin at the view's offset, decided always.
Flow checkStart(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                const TensorCall &call);

/// Numbers of the run that `op` converts to a type which may have no such value, or does not take:
/// decided always.
Flow checkNumbers(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                  const aten::MetaResult &meta, const TensorCall &call);

// TensorWrites.cpp

/// Before `op` writes in place to `target`, its first argument: eager's exception where memory
/// overlaps that it looks at, and a refusal where what it would write depends on the order.
Flow checkWrite(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                TensorCall &call, const Value &target);
/// Rows of a dimension that has none: eager makes a view of them first, and which exception comes
/// depends on whether the storage has room for it.
bool failsByStorage(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                    const Value &target);
/// The weight that a copy_ writes to all of a tensor that lies as it does, before the entry is
/// called: copying it would make a second one when the program starts.
std::optional<ValueId> copiedWeight(Engine &e, const aten::OpInfo &op,
                                    llvm::ArrayRef<aten::ArgValue> bound, const TensorCall &call,
                                    const aten::MetaResult &written);
/// Whether `op` copies elements to where they are: eager does nothing then, whatever they share.
bool copiesItself(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                  const TensorCall &call, const Value &target);
/// Before `op`, whose result `meta` is, writes to what its caller gave as `out=`, a tensor or
/// several: eager's exception where the element type does not fit, and a refusal where eager's own
/// kernel decides what becomes of another type, or of memory that is read or written twice.
Flow checkOut(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
              const TensorCall &call, const aten::MetaResult &meta, const Value &target);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_FAILURES_H
