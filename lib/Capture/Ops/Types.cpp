//===- Types.cpp - Type parameters, template strings, special methods
//----------------------------------===//
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static Flow typeParameter(Engine &e, ObjectId frame, llvm::StringRef kind, size_t operands) {
  std::vector<Value> parts = e.popN(frame, operands);
  return e.finish(frame, e.callPrelude("_type_parameter", {Value::str(kind), parts[0]}));
}
PTC_OP(TYPEVAR) { return (void)instr, typeParameter(e, frame, "TypeVar", 1); }
PTC_OP(PARAMSPEC) { return (void)instr, typeParameter(e, frame, "ParamSpec", 1); }
PTC_OP(TYPEVARTUPLE) { return (void)instr, typeParameter(e, frame, "TypeVarTuple", 1); }
PTC_OP(TYPEVAR_WITH_BOUND) { return (void)instr, typeParameter(e, frame, "TypeVar", 2); }
PTC_OP(TYPEVAR_WITH_CONSTRAINTS) { return (void)instr, typeParameter(e, frame, "TypeVar", 2); }
PTC_OP(SUBSCRIPT_GENERIC) { return (void)instr, typeParameter(e, frame, "Generic", 1); }
PTC_OP(TYPEALIAS) { return (void)instr, typeParameter(e, frame, "TypeAliasType", 1); }

/// (function or type parameter, value -> the first): what the value says is of no effect here.
PTC_OP(SET_FUNCTION_TYPE_PARAMS) {
  (void)instr;
  (void)e.pop(frame);
  return Flow::Next;
}
PTC_OP(SET_TYPEPARAM_DEFAULT) {
  (void)instr;
  (void)e.pop(frame);
  return Flow::Next;
}
PTC_OP(BUILD_INTERPOLATION) {
  return (void)frame, (void)instr, e.refuse(DiagId::Unsupported, "template strings");
}
PTC_OP(BUILD_TEMPLATE) {
  return (void)frame, (void)instr, e.refuse(DiagId::Unsupported, "template strings");
}
PTC_OP(PRINT_EXPR) {
  (void)instr;
  return e.refuse(DiagId::Unsupported, "code of the interactive prompt"), (void)frame, Flow::Fail;
}
PTC_OP(LOAD_SPECIAL) {
  return (void)frame, (void)instr,
         e.refuse(DiagId::Unsupported, "a special method outside of a with statement");
}
