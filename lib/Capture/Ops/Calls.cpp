//===- Calls.cpp - Calls and functions ---------------------------------------------------===//
#include "../Positions.h"
#include "../Template.h"
#include "Handlers.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

/// Splits off the values that are given by name.
static CallArgs argumentsOf(Engine &e, ObjectId frame, const Instr &instr) {
  CallArgs args;
  args.positional = e.popN(frame, instr.arg);
  if (instr.keywords == ptc::kNoIndex)
    return args;
  const Value &names = e.frameInfo(frame).record->constants[instr.keywords];
  llvm::ArrayRef<Value> parts = names.parts();
  size_t first = args.positional.size() - parts.size();
  for (size_t i = 0; i < parts.size(); ++i)
    args.keywords.push_back({e.intern(parts[i].asStr()), std::move(args.positional[first + i])});
  args.positional.resize(first);
  return args;
}

PTC_OP(CALL) {
  CallArgs args = argumentsOf(e, frame, instr);
  Value callee = e.pop(frame);
  return e.finish(frame, e.call(std::move(callee), std::move(args)));
}

PTC_OP(CALL_METHOD) {
  CallArgs args = argumentsOf(e, frame, instr);
  Value self = e.pop(frame);
  Value callee = e.pop(frame);
  if (callee.is(Kind::Null))
    callee = std::move(self);
  else if (!self.is(Kind::Null))
    args.positional.insert(args.positional.begin(), std::move(self));
  return e.finish(frame, e.call(std::move(callee), std::move(args)));
}

static bool isZip(Engine &e, const Value &callee) {
  return isClass(e, callee) && callee.asRef() == e.builtinClass(WellKnown::ZipType);
}

PTC_OP(CALL_EX) {
  CallArgs args;
  if (instr.arg) {
    PTC_LET(keywords, e.decide(e.pop(frame)));
    if (!isRefTo(e, keywords, ObjectKind::Dict))
      return e.refuse(DiagId::Unsupported, "** of a mapping that is no dict");
    PTC_DO(openContent(e, keywords));
    llvm::ArrayRef<Value> items = dictItems(e, keywords);
    for (size_t i = 0; i < items.size(); i += 2) {
      if (items[i].is(Kind::Ref) && e.unboxed(items[i]).is(Kind::Str))
        return e.refuse(DiagId::Unsupported, "** of a dict with keys of a subclass of str");
      if (!items[i].is(Kind::Str))
        return items[i].is(Kind::Template)
                   ? refuseTemplate(e, "naming an argument with")
                   : e.raise(WellKnown::TypeError, "keywords must be strings");
      args.keywords.push_back({e.intern(items[i].asStr()), items[i + 1]});
    }
  }
  PTC_LET(positional, e.decide(e.pop(frame)));
  Value callee = e.pop(frame);
  PTC_DO(openContents(e, positional));
  // Columns are as many as a row has elements.
  if (isGrownList(e, positional) && isZip(e, callee) && args.keywords.empty())
    return e.finish(frame, e.callPrelude("_zip_grown", {positional}));
  if (isGrownList(e, positional))
    return e.refuse(DiagId::Unsupported, "a call with * of a list that grew in a run-time loop");
  std::optional<std::vector<Value>> items = collectedElements(e, positional);
  if (!items) {
    if (specialMethod(e, positional, WellKnown::Iter).isAbsent() &&
        specialMethod(e, positional, WellKnown::GetItem).isAbsent())
      return e.raise(WellKnown::TypeError, functionText(e, callee) +
                                               " argument after * must be an iterable, not " +
                                               typeName(e, positional));
    // Made a tuple first; the call is Python in the prelude.
    Value keywords = e.makeDict({});
    for (const KeywordArg &k : args.keywords)
      PTC_DO(dictSet(e, keywords, Value::str(e.nameText(k.name)), k.value));
    return e.finish(frame, e.callPrelude("_call_star", {callee, positional, keywords}));
  }
  args.positional = std::move(*items);
  return e.finish(frame, e.call(std::move(callee), std::move(args)));
}

PTC_OP(MAKE_FUNCTION) {
  (void)instr;
  Value code = e.pop(frame);
  const FrameInfo &info = e.frameInfo(frame);
  e.push(frame, makeFunction(e, code.asCode(), info.globals, info.hidden));
  return Flow::Next;
}

/// Are these the cells of all free variables of the function?
static bool isClosureOf(Engine &e, const Value &closure, ObjectId function) {
  const CodeObject &code = *functionOf(e, function).code;
  size_t free = llvm::count_if(code.locals, [](const auto &local) { return local.isFree; });
  return closure.is(Kind::Tuple) && closure.parts().size() == free &&
         llvm::all_of(closure.parts(),
                      [&](const Value &v) { return isRefTo(e, v, ObjectKind::Cell); });
}

PTC_OP(SET_FUNCTION_ATTRIBUTE) {
  Value f = e.pop(frame);
  PTC_LET(v, e.decide(e.pop(frame)));
  if (v.is(Kind::Opaque))
    return e.refuseOpaque(v);
  switch (ptc::FunctionAttribute(instr.arg)) {
  case ptc::FunctionAttribute::Defaults:
    if (!v.is(Kind::Tuple))
      return ops::unfit(e, frame, instr, "does not find a tuple");
    e.heap.set(f.asRef(), slot::kDefaults, std::move(v));
    break;
  case ptc::FunctionAttribute::KwDefaults:
    if (!isRefTo(e, v, ObjectKind::Dict))
      return ops::unfit(e, frame, instr, "does not find a dict");
    PTC_DO(openContent(e, v));
    for (size_t i = 0; i < dictItems(e, v).size(); i += 2)
      if (!dictItems(e, v)[i].is(Kind::Str))
        return ops::unfit(e, frame, instr, "finds a name that is not a string");
    e.heap.set(f.asRef(), slot::kKwDefaults, Value::tuple(dictItems(e, v)));
    break;
  case ptc::FunctionAttribute::Closure:
    if (!isClosureOf(e, v, f.asRef()))
      return ops::unfit(e, frame, instr, "does not find the cells of the function");
    e.heap.set(f.asRef(), slot::kClosure, std::move(v));
    break;
  case ptc::FunctionAttribute::Annotations:
    // A dict from the start: one that the first call made would be state of the program.
    if (v.is(Kind::Tuple))
      v = e.makeDict(std::vector<Value>(v.parts()));
    e.heap.set(f.asRef(), slot::kAnnotations, std::move(v));
    break;
  case ptc::FunctionAttribute::Annotate:
    e.heap.set(f.asRef(), slot::kAnnotations, std::move(v));
    break;
  }
  e.push(frame, std::move(f));
  return Flow::Next;
}
