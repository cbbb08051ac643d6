//===- Template.cpp - Strings with run-time parts --------------------------------------===//
//
// In: values whose text is known at run time only. Out: templates, printed or handed on as text
// trees. What cannot be formatted is found here, when the template is made, as in eager: the type
// of a run-time value is known, and whether a format spec fits depends on the type alone.
//
//===----------------------------------------------------------------------===//
#include "Template.h"

#include "Tensors.h"

#include "ptc/Python/Format.h"
#include "ptc/Python/Str.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace py = ptc::py;
using ptc::DiagId;

// Building
// --------------------------------------------------------------------------------------------

void TextBuilder::flush() {
  if (literal.empty())
    return;
  parts.push_back(Value::str(literal));
  parts.push_back(Value::none());
  literal.clear();
}

void TextBuilder::append(const Value &text) {
  if (text.is(Kind::Str)) {
    literal += text.asStr();
    return;
  }
  llvm::ArrayRef<Value> more = text.parts();
  for (size_t i = 0; i < more.size(); i += 2) {
    if (more[i + 1].isNone())
      literal += more[i].asStr();
    else
      field(more[i], more[i + 1].asStr());
  }
}

void TextBuilder::field(Value shown, llvm::StringRef how) {
  flush();
  parts.push_back(std::move(shown));
  parts.push_back(Value::str(how));
}

std::optional<std::string> TextBuilder::constant() const {
  return parts.empty() ? std::optional(literal) : std::nullopt;
}

Value TextBuilder::take() {
  if (parts.empty())
    return Value::str(literal);
  flush();
  return Value::composite(Kind::Template, std::move(parts));
}

bool capture::isRunTimeText(const Value &v) {
  return v.is(Kind::Scalar) || v.is(Kind::Size) || v.is(Kind::Tensor) || v.is(Kind::Template) ||
         v.is(Kind::RunTimeList);
}

Value capture::shownNow(Engine &e, const Value &v) {
  if (!e.isTensorLike(v))
    return v;
  PTC_LET(tensor, e.readable(v));
  const TensorNode &t = anyTensor(tensor);
  if (requiresGrad(e, t) && !(tensor.is(Kind::Tensor) && isLeaf(e, t)))
    return e.refuse(DiagId::Unsupported, "the text of a tensor with a gradient function");
  return e.newTensor(e.readTensor(tensor));
}

/// How a tensor's text begins and what is appended in its parentheses.
/// `of`: the tensor itself; of a choice nothing is known but that it requires no gradients.
static void tensorField(Engine &e, TextBuilder &out, const Value &shown, const Value &of,
                        char conversion) {
  bool single = of.is(Kind::Tensor);
  if (single && asTensor(of).isParameter)
    out += "Parameter containing:\n";
  bool grad = single && requiresGrad(e, asTensor(of));
  out.field(shown, std::string(1, conversion) + (grad ? "requires_grad=True" : ""));
}

Value Engine::templateOf(const Value &v, char conversion, llvm::StringRef spec) {
  bool plain = spec.empty() && conversion != 'r' && conversion != 'a';
  if (v.is(Kind::Template) && plain)
    return v;
  PTC_LET(shown, shownNow(*this, v));
  TextBuilder out;
  if (isTensorLike(v))
    tensorField(*this, out, shown, known(v), conversion);
  else
    out.field(shown, conversion + spec.str());
  return out.take();
}

Value Engine::templateConcat(const Value &a, const Value &b) {
  TextBuilder out;
  for (const Value *v : {&a, &b}) {
    if (!v->is(Kind::Template) && !v->is(Kind::Str))
      return raise(WellKnown::TypeError,
                   "can only concatenate str (not \"" + typeName(*this, *v) + "\") to str");
    out.append(*v);
  }
  return out.take();
}

Value capture::templateRepeat(Engine &e, const Value &text, const Value &count) {
  if (numberType(count) != NumberType::Int && numberType(count) != NumberType::Bool)
    return Value();
  PTC_LET(times, e.constantIndex(count));
  constexpr int64_t kMost = 1000;
  if (!times.isSmallInt() || times.asInt() > kMost)
    return e.refuse(DiagId::Unsupported, "so long a string of run-time parts");
  TextBuilder out;
  for (int64_t i = 0; i < times.asInt(); ++i)
    out.append(text);
  return out.take();
}

// Methods
// ----------------------------------------------------------------------------------------------

FailAny capture::refuseTemplate(Engine &e, const llvm::Twine &what) {
  return e.refuse(DiagId::Unsupported, (what + " a string known at run time only").str());
}

Value capture::callTemplateMethod(Engine &e, const BuiltinRow &row, CallArgs &args) {
  llvm::StringRef name = row.name;
  bool takesTemplate = name == "join" || name == "__str__" || name == "__repr__" ||
                       name == "__format__" ||
                       (name == "format" && !args.positional[0].is(Kind::Template));
  if (takesTemplate)
    return row.fn(e, args);
  return refuseTemplate(e, "str." + name + "() with");
}

// On the tape
// ----------------------------------------------------------------------------------------------

static TapeArg node(TextNode kind, std::vector<TapeArg> items) {
  items.insert(items.begin(), TapeArg::integer(int64_t(kind)));
  return TapeArg::list(std::move(items));
}

TapeArg capture::textOperand(Engine &e, const Value &given) {
  Value v = e.known(given);
  switch (v.kind()) {
  case Kind::None:
    return TapeArg::none();
  case Kind::Str:
    return TapeArg::str(v.asStr());
  case Kind::Tensor:
    return TapeArg::value(e.readTensor(v));
  case Kind::RunTimeList:
    return TapeArg::value(asRunTimeList(v).columns[0]);
  case Kind::Choice: {
    std::vector<TapeArg> items{TapeArg::value(asChoice(v).selector)};
    for (const Value &alternative : asChoice(v).alternatives)
      items.push_back(textOperand(e, alternative));
    return node(TextNode::Choice, std::move(items));
  }
  case Kind::Template: {
    std::vector<TapeArg> items;
    llvm::ArrayRef<Value> parts = v.parts();
    for (size_t i = 0; i < parts.size(); i += 2) {
      TapeArg shown = textOperand(e, parts[i]);
      if (parts[i + 1].isNone())
        items.push_back(std::move(shown));
      else
        items.push_back(
            node(TextNode::Field, {TapeArg::str(parts[i + 1].asStr()), std::move(shown)}));
    }
    return node(TextNode::Sequence, std::move(items));
  }
  default:
    return e.operand(v);
  }
}

Value capture::templateLength(Engine &e, const Value &text) {
  TapeValue type;
  type.type = TapeType::Int;
  return Value::scalar(e.emit(TapeOp::TextLength, {textOperand(e, text)}, type), ScalarType::Int);
}

/// Has the text code points that UTF-8 has no bytes for? They begin with 0xed 0xa0 to 0xed 0xbf.
static bool hasSurrogates(const Value &text) {
  if (!text.is(Kind::Str))
    return false;
  llvm::StringRef bytes = text.asStr();
  for (size_t at = bytes.find('\xed'); at != llvm::StringRef::npos; at = bytes.find('\xed', at + 1))
    if (uint8_t(bytes[at + 1]) >= 0xa0)
      return true;
  return false;
}

Value Engine::printParts(llvm::ArrayRef<Value> parts, bool toStderr) {
  bool constant = llvm::all_of(parts, [](const Value &v) { return v.is(Kind::Str); });
  if (constant && !recording()) {
    auto &sink = toStderr ? world->errorOutput : world->output;
    std::string text;
    Value result = Value::none();
    for (const Value &part : parts) {
      if (!hasSurrogates(part)) {
        text += part.asStr();
        continue;
      }
      // What comes before is written.
      py::Result<std::string> bytes = py::str::encode(
          strRef(part), py::StrRef("utf-8"), py::StrRef(toStderr ? "backslashreplace" : "strict"));
      if (!bytes) {
        result = raised(*this, bytes.error());
        break;
      }
      text += *bytes;
    }
    if (sink)
      sink(text);
    return result;
  }
  if (llvm::any_of(parts, hasSurrogates))
    return refuse(DiagId::Unsupported, "printing text with lone surrogates");
  if (plainPython)
    return refuse(DiagId::Unsupported, "printing contents of tensors in a plain program");
  return recordPrint(parts, toStderr);
}

Value Engine::recordPrint(llvm::ArrayRef<Value> parts, bool toStderr) {
  // Literals of neighbours become one; a choice between strings needs no fork to be printed.
  std::vector<TapeArg> args;
  TextBuilder run;
  auto flush = [&] {
    Value text = std::exchange(run, TextBuilder()).take();
    TapeArg arg = textOperand(*this, text);
    if (text.is(Kind::Template))
      args.insert(args.end(), std::next(arg.items.begin()), arg.items.end());
    else if (!text.asStr().empty())
      args.push_back(std::move(arg));
  };
  for (const Value &part : parts) {
    if (part.is(Kind::Choice)) {
      flush();
      args.push_back(textOperand(*this, part));
    } else {
      run.append(part);
    }
  }
  flush();
  emitEffect(TapeOp::Print, std::move(args), {TapeArg::str(toStderr ? "stderr" : "stdout")});
  return Value::none();
}
