//===- Template.h - Strings with run-time parts -----------------*- C++ -*-===//
//
// The parts of a template alternate: what is shown, and its field. A field is None for literal
// text (a Str), else a Str of a conversion character and what belongs to it:
//
//   s r a   str(), repr(), ascii(); of a tensor: what torch appends ("requires_grad=True")
//   f       format(), with the format spec
//   %       the % operator, with one conversion ("%5.2f")
//
// What is shown is a number, a tensor of its own storage (a template shows what the tensor held
// when it was made), a run-time list, a template, or a choice of such and of strings.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_TEMPLATE_H
#define PTC_LIB_CAPTURE_TEMPLATE_H

#include "Objects.h"

#include "ptc/Capture/TextTree.h"

namespace ptc::capture {

/// Makes a Str, or a Template if a part is known at run time only.
class TextBuilder {
public:
  template <typename T> TextBuilder &operator+=(const T &text) {
    literal += llvm::StringRef(text);
    return *this;
  }
  /// A Str or a Template.
  void append(const Value &text);
  void field(Value shown, llvm::StringRef how);
  /// The text so far if it is constant.
  std::optional<std::string> constant() const;
  Value take();

private:
  void flush();

  std::string literal;
  std::vector<Value> parts;
};

/// Is the text of `v` known at run time only?
bool isRunTimeText(const Value &v);
/// What a field of a template shows for a run-time value: tensors are read now. Fails for what
/// has no text.
Value shownNow(Engine &e, const Value &v);
/// str() or repr() of a value, where no Python code decides it; none if some does (or failed:
/// pending says why).
std::optional<Value> nativeText(Engine &e, const Value &v, bool repr);
/// str() of an exception, the same way.
std::optional<Value> exceptionText(Engine &e, const Value &exception);
/// The same where only its arguments are shown.
std::optional<Value> exceptionArgsText(Engine &e, const Value &exception);
/// Refuses `what` ("iterating over") a string known at run time only.
FailAny refuseTemplate(Engine &e, const llvm::Twine &what);
/// A method of str whose receiver or argument is a template.
Value callTemplateMethod(Engine &e, const BuiltinRow &row, CallArgs &args);
/// template * count; Absent for what is no int.
Value templateRepeat(Engine &e, const Value &text, const Value &count);
/// len(template)
Value templateLength(Engine &e, const Value &text);
/// A Str, a Template or a choice of them as an argument on the tape (TextTree.h).
TapeArg textOperand(Engine &e, const Value &text);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TEMPLATE_H
