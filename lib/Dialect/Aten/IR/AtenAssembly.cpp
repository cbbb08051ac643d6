//===- AtenAssembly.cpp - The text form of aten operations -------------------===//
//
// `aten.add.Tensor(%a, %b, alpha = 2) : (types) -> type`. Leading tensors stand without a name, the
// rest as `name = value`, defaults left out. The schema's type of an argument says how its words
// are read: `dtype = f32`, `memory_format = channels_last`, `device = "cuda:0"`; a string where an
// integer belongs is an expression over size symbols.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::aten;

/// The default of `arg` as an attribute; null if it is required.
static Attribute defaultAttr(MLIRContext *context, const ArgInfo &arg) {
  sym::Context symbols;
  std::optional<ArgValue> value = defaultValue(arg, symbols);
  return value ? toAttr(context, *value, symbols) : Attribute();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printValue(OpAsmPrinter &printer, AtenOp op, const ArgInfo &arg, Attribute attr) {
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    printer << "[";
    llvm::interleaveComma(list, printer,
                          [&](Attribute element) { printValue(printer, op, arg, element); });
    printer << "]";
    return;
  }
  if (isa<NoneAttr>(attr))
    printer << "none";
  else if (auto ref = dyn_cast<ArgAttr>(attr))
    printer << op->getOperand(ref.getIndex());
  else if (auto text = dyn_cast<ExprAttr>(attr))
    printer.printString(text.getText());
  else if (auto dtype = dyn_cast<DTypeAttr>(attr))
    printer << getDTypeInfo(dtype.getValue()).alias;
  else if (isa<LayoutAttr>(attr))
    printer << "strided";
  else if (auto format = dyn_cast<MemoryFormatAttr>(attr))
    printer << toString(format.getValue());
  else if (auto device = dyn_cast<DeviceAttr>(attr))
    printer.printString(toString(device.getValue()));
  else if (auto number = dyn_cast<FloatAttr>(attr); number && !number.getValue().isFinite())
    printer.printAttribute(attr); // bits with `: f64`, so that they are not read as an integer
  else
    printer.printAttributeWithoutType(attr);
}

void AtenOp::printAssembly(OpAsmPrinter &printer) {
  const OpInfo &info = getInfo();
  MLIRContext *context = (*this)->getContext();
  bool isNamed = false;
  const char *separator = "";
  printer << "(";
  for (auto [arg, attr] : llvm::zip(info.args, getArgs())) {
    bool isTensor = isa<ArgAttr>(attr) || (arg.isList && arg.type == ArgType::Tensor);
    isNamed |= arg.isKeywordOnly || arg.type != ArgType::Tensor || !isTensor;
    if (isNamed && attr == defaultAttr(context, arg))
      continue;
    printer << separator;
    if (isNamed)
      printer << arg.name << " = ";
    printValue(printer, *this, arg, attr);
    separator = ", ";
  }
  printer << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"args"});
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Reads the parenthesised arguments of one op.
class ArgParser {
public:
  ArgParser(const OpInfo &info, OpAsmParser &parser)
      : info(info), parser(parser), values(info.args.size()) {}

  ParseResult parse() {
    return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                          [&] { return parseArgument(); });
  }

  /// All arguments, defaults filled in; null and an error if a required one is missing.
  ArrayAttr finish(SMLoc loc) {
    for (auto [arg, value] : llvm::zip(info.args, values)) {
      if (!value)
        value = defaultAttr(parser.getContext(), arg);
      if (!value) {
        parser.emitError(loc, "argument '") << arg.name << "' is missing";
        return {};
      }
    }
    return parser.getBuilder().getArrayAttr(values);
  }

  SmallVector<OpAsmParser::UnresolvedOperand, 4> operands;

private:
  ParseResult parseArgument() {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    unsigned index = next;
    if (!isNamed && failed(parser.parseOptionalKeyword(&name))) {
      ++next;
    } else {
      isNamed = true;
      if (name.empty() && parser.parseKeyword(&name))
        return failure();
      std::optional<unsigned> found = info.findArg(name);
      if (!found)
        return parser.emitError(loc, "'") << info.name << "' has no argument '" << name << "'";
      index = *found;
      if (parser.parseEqual())
        return failure();
    }
    if (index >= values.size())
      return parser.emitError(loc, "too many arguments");
    if (values[index])
      return parser.emitError(loc, "argument '") << info.args[index].name << "' is given twice";
    return parseValue(info.args[index], values[index]);
  }

  ParseResult parseValue(const ArgInfo &arg, Attribute &value) {
    if (succeeded(parser.parseOptionalKeyword("none"))) {
      value = NoneAttr::get(parser.getContext());
      return success();
    }
    if (arg.isList) {
      SmallVector<Attribute> elements;
      auto element = [&]() { return parseScalar(arg, elements.emplace_back()); };
      if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, element))
        return failure();
      value = parser.getBuilder().getArrayAttr(elements);
      return success();
    }
    return parseScalar(arg, value);
  }

  ParseResult parseScalar(const ArgInfo &arg, Attribute &value) {
    MLIRContext *context = parser.getContext();
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult isOperand = parser.parseOptionalOperand(operand);
    if (isOperand.has_value()) {
      if (failed(*isOperand))
        return failure();
      value = ArgAttr::get(context, unsigned(operands.size()));
      operands.push_back(operand);
      return success();
    }
    if (succeeded(parser.parseOptionalKeyword("none"))) {
      value = NoneAttr::get(context);
      return success();
    }
    return parseConstant(arg, value);
  }

  ParseResult parseConstant(const ArgInfo &arg, Attribute &value) {
    MLIRContext *context = parser.getContext();
    SMLoc loc = parser.getCurrentLocation();
    if (arg.type == ArgType::DType || arg.type == ArgType::Layout ||
        arg.type == ArgType::MemoryFormat)
      return parseWord(arg, value);
    std::string text;
    if (succeeded(parser.parseOptionalString(&text))) {
      if (arg.type == ArgType::Str) {
        value = parser.getBuilder().getStringAttr(text);
        return success();
      }
      if (arg.type == ArgType::Device) {
        std::optional<Device> device = parseDevice(text);
        if (!device)
          return parser.emitError(loc, "unknown device \"") << text << "\"";
        value = DeviceAttr::get(context, *device);
        return success();
      }
      value = ExprAttr::get(context, text);
      return success();
    }
    return parseNumber(value);
  }

  ParseResult parseNumber(Attribute &value) {
    // 2 is i64, 2.0 is f64: what a number without type means to MLIR.
    return parser.parseAttribute(value);
  }

  ParseResult parseWord(const ArgInfo &arg, Attribute &value) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    MLIRContext *context = parser.getContext();
    if (arg.type == ArgType::DType) {
      if (std::optional<DType> dtype = parseDType(word))
        value = DTypeAttr::get(context, *dtype);
    } else if (arg.type == ArgType::MemoryFormat) {
      if (std::optional<MemoryFormat> format = parseMemoryFormat(word))
        value = MemoryFormatAttr::get(context, *format);
    } else if (word == "strided") {
      value = LayoutAttr::get(context, Layout::Strided);
    }
    if (!value)
      return parser.emitError(loc, "'") << word << "' is no value of '" << arg.name << "'";
    return success();
  }

  const OpInfo &info;
  OpAsmParser &parser;
  SmallVector<Attribute, 8> values;
  unsigned next = 0;
  bool isNamed = false;
};
} // namespace

ParseResult AtenOp::parseAssembly(OpAsmParser &parser, OperationState &result) {
  const OpInfo &info = *findOp(result.name.stripDialect());
  SMLoc loc = parser.getNameLoc();
  ArgParser args(info, parser);
  FunctionType type;
  if (args.parse() || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  ArrayAttr values = args.finish(loc);
  if (!values || parser.resolveOperands(args.operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addAttribute("args", values);
  result.addTypes(type.getResults());
  return success();
}
