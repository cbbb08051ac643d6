//===- AtenDialect.cpp - The aten dialect: registration and its attributes ---===//
//
// In: the classes that AtenEnums.inc names. Out: a dialect with one op per record, attributes for
// the constants of schema arguments, and the encoding that carries symbolic sizes.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/AtenDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::aten;

#include "ptc/Dialect/Aten/IR/AtenDialect.cpp.inc"

namespace ptc::aten {
// Found by argument-dependent look-up when the generated storage hashes its parameters.
static llvm::hash_code hash_value(Device device) {
  return llvm::hash_combine(uint8_t(device.type), device.index);
}
} // namespace ptc::aten

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Aten/IR/AtenAttrs.cpp.inc"

void AtenDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ptc/Dialect/Aten/IR/AtenAttrs.cpp.inc"
      >();
  registerOps();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

void DTypeAttr::print(AsmPrinter &printer) const {
  printer << "<" << getDTypeInfo(getValue()).alias << ">";
}

Attribute DTypeAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<DType> dtype = parseDType(word);
  if (!dtype) {
    parser.emitError(parser.getNameLoc(), "unknown element type '") << word << "'";
    return {};
  }
  return parser.parseGreater() ? Attribute() : get(parser.getContext(), *dtype);
}

void DeviceAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << toString(getValue()) << "\">";
}

static FailureOr<Device> parseDeviceText(AsmParser &parser) {
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  std::optional<Device> device = parseDevice(text);
  if (!device)
    return parser.emitError(loc, "unknown device \"") << text << "\"";
  return *device;
}

Attribute DeviceAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<Device> device = parseDeviceText(parser);
  if (failed(device) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *device);
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << "<strided>"; }

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess() || parser.parseKeyword("strided") || parser.parseGreater())
    return {};
  return get(parser.getContext(), Layout::Strided);
}

void MemoryFormatAttr::print(AsmPrinter &printer) const {
  printer << "<" << toString(getValue()) << ">";
}

Attribute MemoryFormatAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<MemoryFormat> format = parseMemoryFormat(word);
  if (!format) {
    parser.emitError(parser.getNameLoc(), "unknown memory format '") << word << "'";
    return {};
  }
  return parser.parseGreater() ? Attribute() : get(parser.getContext(), *format);
}

//===----------------------------------------------------------------------===//
// MetaAttr
//===----------------------------------------------------------------------===//

/// `["B", 4]`: texts are ExprAttr.
static void printExprs(AsmPrinter &printer, ArrayAttr exprs) {
  printer << "[";
  llvm::interleaveComma(exprs, printer, [&](Attribute attr) {
    if (auto text = dyn_cast<ExprAttr>(attr))
      printer << '"' << text.getText() << '"';
    else
      printer << cast<IntegerAttr>(attr).getInt();
  });
  printer << "]";
}

static ParseResult parseExprs(AsmParser &parser, ArrayAttr &exprs) {
  SmallVector<Attribute> values;
  auto element = [&]() -> ParseResult {
    std::string text;
    if (succeeded(parser.parseOptionalString(&text))) {
      values.push_back(ExprAttr::get(parser.getContext(), text));
      return success();
    }
    int64_t value;
    if (parser.parseInteger(value))
      return failure();
    values.push_back(parser.getBuilder().getI64IntegerAttr(value));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, element))
    return failure();
  exprs = parser.getBuilder().getArrayAttr(values);
  return success();
}

void MetaAttr::print(AsmPrinter &printer) const {
  const char *separator = "";
  printer << "<";
  auto part = [&](StringRef text) -> AsmPrinter & {
    printer << separator << text;
    separator = ", ";
    return printer;
  };
  if (getSizes())
    printExprs(part("sizes = "), getSizes());
  if (getStrides())
    printExprs(part("strides = "), getStrides());
  if (getDevice() != Device())
    part("device = \"") << toString(getDevice()) << '"';
  if (getRequiresGrad())
    part("requires_grad");
  printer << ">";
}

Attribute MetaAttr::parse(AsmParser &parser, Type) {
  ArrayAttr sizes, strides;
  Device device;
  bool requiresGrad = false;
  auto part = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    if (word == "requires_grad") {
      requiresGrad = true;
      return success();
    }
    if (parser.parseEqual())
      return failure();
    if (word == "sizes")
      return parseExprs(parser, sizes);
    if (word == "strides")
      return parseExprs(parser, strides);
    if (word == "device") {
      FailureOr<Device> parsed = parseDeviceText(parser);
      if (failed(parsed))
        return failure();
      device = *parsed;
      return success();
    }
    return parser.emitError(loc, "expected sizes, strides, device or requires_grad");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, part))
    return {};
  return get(parser.getContext(), sizes, strides, device, requiresGrad);
}

LogicalResult MetaAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  for (ArrayAttr list : {getSizes(), getStrides()})
    if (list && list.size() != shape.size())
      return emitError() << "meta has " << list.size() << " entries for " << shape.size()
                         << " dimensions";
  if (!getSizes())
    return success();
  for (auto [attr, size] : llvm::zip(getSizes(), shape)) {
    auto constant = dyn_cast<IntegerAttr>(attr);
    if (ShapedType::isDynamic(size) ? bool(constant) : !constant || constant.getInt() != size)
      return emitError() << "meta's sizes and the tensor's differ";
  }
  return success();
}
