//===- TorchResults.cpp - out= and updated arguments -------------------------------------===//
//
// In: what an overload set returned. Out: tensors given as `out=` and
// arguments that an operation updates, written with new contents; the exception of one that failed.
//
//===----------------------------------------------------------------------===//
#include "NamedResults.h"
#include "Tensors.h"

#include "ptc/Dialect/Aten/IR/SizeMark.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;

// out=
// -------------------------------------------------------------------------------------------------

/// Eager computes in the result's type and casts, see checkOut; it resizes `out`, which here keeps
/// its size.
static Value writeTensorOut(Engine &e, llvm::StringRef spelling, const Value &result,
                            const Value &givenOut) {
  PTC_LET(out, e.decide(givenOut));
  PTC_LET(value, e.decide(result));
  if (!out.is(Kind::Tensor))
    return e.raise(WellKnown::TypeError, spelling.rsplit('.').second +
                                             "(): argument 'out' must be Tensor, not " +
                                             e.classInfo(e.typeOf(out)).name);
  const TensorNode &to = asTensor(out), &from = asTensor(value);
  bool same = to.sizes.size() == from.sizes.size();
  for (size_t d = 0; same && d < to.sizes.size(); ++d) {
    PTC_GET(equal, e.decideSizes(capture::CompareOp::Eq, to.sizes[d], from.sizes[d], "out="));
    same = equal;
  }
  if (!same)
    return e.refuse(DiagId::UnsupportedOperation, spelling, "its out= tensor would be resized");
  CallArgs copy;
  copy.positional = {out, value};
  PTC_LET(written, e.callTorch("Tensor.copy_", copy));
  return out;
}

Value Engine::writeOut(llvm::StringRef spelling, const Value &result, const Value &out) {
  if (!result.is(Kind::Tuple))
    return writeTensorOut(*this, spelling, result, out);
  PTC_GET(targets, sequenceItems(out));
  if (targets.size() != result.parts().size())
    return raise(WellKnown::TypeError, spelling.rsplit('.').second +
                                           "(): argument 'out' must have as many tensors as "
                                           "there are results");
  std::vector<Value> written;
  written.reserve(targets.size());
  for (const auto &[part, target] : llvm::zip_equal(result.parts(), targets)) {
    PTC_LET(one, writeTensorOut(*this, spelling, part, target));
    written.push_back(std::move(one));
  }
  return asWrittenResult(Value::tuple(std::move(written)).withSub(result.sub()));
}

// Exceptions
// -----------------------------------------------------------------------------------

static WellKnown exceptionClass(aten::PyErrorKind kind) {
  switch (kind) {
  case aten::PyErrorKind::RuntimeError:
    return WellKnown::RuntimeError;
  case aten::PyErrorKind::IndexError:
    return WellKnown::IndexError;
  case aten::PyErrorKind::ValueError:
    return WellKnown::ValueError;
  case aten::PyErrorKind::TypeError:
    return WellKnown::TypeError;
  case aten::PyErrorKind::NotImplementedError:
    return WellKnown::NotImplementedError;
  }
  llvm_unreachable("closed enum");
}

/// A text in which sizes are marked, with those of the run in their places.
static Value textWithSizes(Engine &e, llvm::StringRef marked) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  marked.split(parts, aten::kSizeMark);
  Value text = Value::str(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) {
    Value part = Value::str(parts[i]);
    if (i % 2) {
      std::optional<sym::Expr> size = e.sizes().parse(parts[i]);
      if (!size)
        return e.refuse(DiagId::Unsupported, "the text of an exception with a size like this");
      PTC_LET(shown, e.templateOf(Value::size(*size), 's', ""));
      part = std::move(shown);
    }
    PTC_LET(longer, e.templateConcat(text, part));
    text = std::move(longer);
  }
  return text;
}

FailAny Engine::metaFailed(const aten::MetaResult &meta, const aten::OpInfo &op) {
  switch (meta.status) {
  case aten::MetaResult::Status::Raise:
    if (llvm::StringRef(meta.text).contains(aten::kSizeMark)) {
      PTC_LET(text, textWithSizes(*this, meta.text));
      return raiseNew(makeException(builtinClass(exceptionClass(meta.errorKind)), {text}));
    }
    return raise(exceptionClass(meta.errorKind), meta.text);
  case aten::MetaResult::Status::Unsupported: {
    std::string why = meta.text;
    llvm::erase(why, aten::kSizeMark);
    return refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name, why);
  }
  case aten::MetaResult::Status::Pending:
    return {}; // decideSizes said why
  case aten::MetaResult::Status::Ok:
    break;
  }
  llvm_unreachable("not a failure");
}

// Updated arguments
// -----------------------------------------------------------------------------------

/// NAME of an overload's result NAME_out; empty for a result of another kind.
static llvm::StringRef updatedName(const aten::ReturnInfo &result) {
  llvm::StringRef name = result.name;
  return name.consume_back("_out") ? name : llvm::StringRef();
}

/// The value of an argument that the overload has.
static const aten::ArgValue &valueOf(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                                     llvm::StringRef name) {
  std::optional<unsigned> at = op.findArg(name);
  if (!at)
    llvm_unreachable("records name arguments of their overload");
  return bound[*at];
}

bool capture::updatesArguments(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound) {
  if (!op.has(aten::OpFlag::Mutates))
    return false;
  const auto *when = valueOf(op, bound, op.updatesWhen).getIf<aten::ArgValue::Bool>();
  if (!when || (when->value && !*when->value))
    return false;
  return llvm::any_of(llvm::zip_equal(op.args, bound), [](const auto &row) {
    const auto &[arg, value] = row;
    return llvm::StringRef(arg.name).starts_with("running_") && value.tensor();
  });
}

Value Engine::callUpdating(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                           TensorCall &call) {
  const aten::OpInfo *form = op.valueForm.empty() ? nullptr : aten::findOp(op.valueForm);
  if (!form)
    return refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name,
                  "it updates its arguments");
  llvm::SmallVector<aten::ArgValue, 8> args;
  for (const aten::ArgInfo &arg : form->args) {
    args.push_back(valueOf(op, bound, arg.name));
    if (args.back().isNone() && !arg.isOptional)
      return refuse(DiagId::UnsupportedOperation, llvm::Twine("aten.") + op.name,
                    "it updates some of its running statistics only");
  }
  PTC_LET(all, callFunctional(*form, args, call));
  std::vector<Value> results;
  for (const auto &[part, result] : llvm::zip_equal(all.parts(), form->returns)) {
    llvm::StringRef name = updatedName(result);
    if (name.empty()) {
      results.push_back(part);
      continue;
    }
    const aten::TensorMeta *target = valueOf(op, bound, name).tensor();
    PTC_DO(writeTensor(call.valueOf(target), readTensor(part)));
  }
  results.resize(op.returns.size());
  return results.size() == 1 ? results[0]
                             : Value::tuple(std::move(results)).withSub(namedResultTag(op));
}
