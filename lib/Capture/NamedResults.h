//===- NamedResults.h - torch.return_types ------------------------------------------*- C++ -*-===//
//
// What operations with named results return: tuples whose sub() says of which class they are. The
// classes are made with the builtin ones, one for each row of Known/ReturnTypes.def.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_CAPTURE_NAMEDRESULTS_H
#define PTC_CAPTURE_NAMEDRESULTS_H

#include "Objects.h"

namespace ptc::capture {

/// The sub() of a tuple that a function of Python returns for `op`: of a class if
/// torch.return_types has one of this name, or, where tensors were given as `out=`, of this name
/// and `_out`.
uint8_t namedResultTag(const aten::OpInfo &op);
/// `result`, with what it is when it was written into tensors given as `out=`.
Value asWrittenResult(Value result);

bool isNamedResult(const Value &v);
/// The class of a named result.
ObjectId namedResultClass(Engine &e, const Value &tuple);
/// The part of a named result that has a name; Absent: none has.
Value namedResultField(const Value &tuple, llvm::StringRef name);
/// Names of the fields, in order.
llvm::SmallVector<llvm::StringRef, 4> namedResultFields(const Value &tuple);

/// Makes the classes, right behind torch.Size.
void makeNamedResultClasses(Engine &e);
/// Gives them their attributes, and their names in a module of their own.
void bootstrapNamedResults(Engine &e);

} // namespace ptc::capture

#endif
