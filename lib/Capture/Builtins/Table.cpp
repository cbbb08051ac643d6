//===- Table.cpp - The rows of Builtins.def ------------------------------------------------===//
#include "../Answers.h"
#include "Builtins.h"

using namespace ptc::capture;
namespace capture = ptc::capture;

static constexpr BuiltinRow kRows[] = {
#define PTC_FUNCTION(Module, Name, Signature, Fn)                                                  \
  {BuiltinKind::Function, WellKnown::ObjectType, Module, Name, Signature, builtins::Fn},
#define PTC_METHOD(Type, Name, Signature, Fn)                                                      \
  {BuiltinKind::Method, WellKnown::Type, "", Name, Signature, builtins::Fn},
#define PTC_CLASSMETHOD(Type, Name, Signature, Fn)                                                 \
  {BuiltinKind::ClassMethod, WellKnown::Type, "", Name, Signature, builtins::Fn},
#define PTC_STATIC(Type, Name, Signature, Fn)                                                      \
  {BuiltinKind::Static, WellKnown::Type, "", Name, Signature, builtins::Fn},
#define PTC_GETTER(Type, Name, Signature, Fn)                                                      \
  {BuiltinKind::Getter, WellKnown::Type, "", Name, Signature, builtins::Fn},
#include "Builtins.def"
#define PTC_WORLD_CALL(Id, Module, Name, Signature, ...)                                           \
  {BuiltinKind::Function, WellKnown::ObjectType, Module, Name, Signature, worldCall<WorldId::Id>},
#include "ptc/Capture/World.def"
};

llvm::ArrayRef<BuiltinRow> capture::builtinRows() { return kRows; }
