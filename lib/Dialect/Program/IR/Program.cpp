//===- Program.cpp - The program dialect --------------------------------------===//
//
// In: what TableGen made of ProgramOps.td. Out: the dialect with its types, attributes, custom
// assembly and verifiers.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Program/IR/Program.h"

#include "ptc/Dialect/Program/IR/SizeSymbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc::program;

#include "ptc/Dialect/Program/IR/ProgramDialect.cpp.inc"
#include "ptc/Dialect/Program/IR/ProgramEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ptc/Dialect/Program/IR/ProgramTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ptc/Dialect/Program/IR/ProgramAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Program/IR/ProgramOps.cpp.inc"

void ProgramDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ptc/Dialect/Program/IR/ProgramTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ptc/Dialect/Program/IR/ProgramAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ptc/Dialect/Program/IR/ProgramOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// #program.out<…>
//===----------------------------------------------------------------------===//

static void printNode(AsmPrinter &p, OutAttr node) {
  p << stringifyOutKind(node.getKind());
  if (node.getLeaf() >= 0)
    p << ' ' << node.getLeaf();
  if (node.getText()) {
    p << ' ';
    p.printAttributeWithoutType(node.getText());
  }
  if (node.getIdentity())
    p << " id " << node.getIdentity();
  if (node.getConstant()) {
    p << " = ";
    p.printAttribute(node.getConstant());
  }
  if (!node.getChildren().empty()) {
    p << " [";
    llvm::interleaveComma(node.getChildren(), p, [&](OutAttr child) { printNode(p, child); });
    p << ']';
  }
}

void OutAttr::print(AsmPrinter &p) const {
  p << '<';
  printNode(p, *this);
  p << '>';
}

static FailureOr<OutAttr> parseNode(AsmParser &p) {
  StringRef keyword;
  llvm::SMLoc loc = p.getCurrentLocation();
  if (p.parseKeyword(&keyword))
    return failure();
  std::optional<OutKind> kind = symbolizeOutKind(keyword);
  if (!kind)
    return p.emitError(loc, "no kind of result is called '") << keyword << "'";
  int64_t leaf = -1, identity = 0;
  StringAttr text;
  Attribute constant;
  SmallVector<OutAttr> children;
  if (OptionalParseResult r = p.parseOptionalInteger(leaf); r.has_value() && failed(*r))
    return failure();
  std::string string;
  if (succeeded(p.parseOptionalString(&string)))
    text = StringAttr::get(p.getContext(), string);
  if (succeeded(p.parseOptionalKeyword("id")) && p.parseInteger(identity))
    return failure();
  if (succeeded(p.parseOptionalEqual()) && p.parseAttribute(constant))
    return failure();
  if (succeeded(p.parseOptionalLSquare())) {
    do {
      FailureOr<OutAttr> child = parseNode(p);
      if (failed(child))
        return failure();
      children.push_back(*child); // NOLINT(bugprone-unchecked-optional-access): failed() tests it
    } while (succeeded(p.parseOptionalComma()));
    if (p.parseRSquare())
      return failure();
  }
  return OutAttr::get(p.getContext(), *kind, leaf, text, identity, constant, children);
}

Attribute OutAttr::parse(AsmParser &p, Type) {
  if (p.parseLess())
    return {};
  FailureOr<OutAttr> node = parseNode(p);
  if (failed(node) || p.parseGreater())
    return {};
  return *node; // NOLINT(bugprone-unchecked-optional-access): failed() tests it
}

/// Every operand that a tree reads is there.
static LogicalResult verifyTree(Operation *op, OutAttr node, size_t numLeaves) {
  bool reads = node.getKind() == OutKind::Leaf || node.getKind() == OutKind::Choice;
  if (reads && (node.getLeaf() < 0 || size_t(node.getLeaf()) >= numLeaves))
    return op->emitOpError("a tree reads operand ")
           << node.getLeaf() << ", but there are " << numLeaves;
  bool pairs = node.getKind() == OutKind::Dict || node.getKind() == OutKind::Object;
  if (pairs && node.getChildren().size() % 2)
    return op->emitOpError("a tree has a key without a value");
  bool field = node.getKind() == OutKind::Field;
  if (field && (!node.getText() || node.getText().empty() || node.getChildren().size() != 1))
    return op->emitOpError("a field of a template is a conversion and what it shows");
  for (OutAttr child : node.getChildren())
    if (failed(verifyTree(op, child, numLeaves)))
      return failure();
  return success();
}

/// (object, text, (file, line)), or a choice of such.
static bool isRaised(OutAttr node) {
  if (node.getKind() == OutKind::Choice)
    return llvm::all_of(node.getChildren(), isRaised);
  return node.getKind() == OutKind::Tuple && node.getChildren().size() == 3;
}

static LogicalResult verifyText(Operation *op, OutAttr text, size_t numLeaves) {
  if (text.getKind() != OutKind::Template)
    return op->emitOpError("text must be a template");
  return verifyTree(op, text, numLeaves);
}
LogicalResult PrintOp::verify() { return verifyText(*this, getText(), getValues().size()); }
LogicalResult TextLengthOp::verify() { return verifyText(*this, getText(), getValues().size()); }

/// Are both numbers of one type, or tensors of one dtype, or lists of these?
static bool holdAlike(Type a, Type b) {
  if (auto x = dyn_cast<ListType>(a), y = dyn_cast<ListType>(b); x || y)
    return x && y && holdAlike(x.getElementType(), y.getElementType());
  if (auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b); x || y)
    return x && y && x.getElementType() == y.getElementType() && x.getRank() == y.getRank();
  return a == b;
}

LogicalResult RetypeOp::verify() {
  ArrayAttr names = getSymbolsAttr();
  if (getNumbers().size() != (names ? names.size() : 0))
    return emitOpError("has a number for each symbol");
  if (holdAlike(getValue().getType(), getResult().getType()))
    return success();
  return emitOpError("makes another value of ") << getValue().getType();
}

/// An operation that puts an element in a list.
template <typename OpT> static LogicalResult verifyElement(OpT op) {
  Type element = op.getList().getType().getElementType();
  if (holdAlike(element, op.getElement().getType()))
    return success();
  return op.emitOpError("puts ") << op.getElement().getType() << " among " << element;
}

LogicalResult ListPushOp::verify() { return verifyElement(*this); }
LogicalResult ListSetOp::verify() { return verifyElement(*this); }

LogicalResult ListViewsOp::verify() {
  auto element = dyn_cast<RankedTensorType>(getResult().getType().getElementType());
  if (!element || getExtents().size() != 2 * size_t(element.getRank()))
    return emitOpError("has a size and a stride for each dimension of a tensor");
  auto isNumber = [](Type type) {
    auto list = dyn_cast<ListType>(type);
    return (list ? list.getElementType() : type).isInteger(64);
  };
  if (!isa<ListType>(getOffsets().getType()) || !isNumber(getOffsets().getType()) ||
      !llvm::all_of(getExtents().getTypes(), isNumber))
    return emitOpError("takes ints, and lists of ints");
  return success();
}

LogicalResult EndOp::verify() {
  if (failed(verifyTree(*this, getResult(), getLeaves().size())))
    return failure();
  if (getRaised() && !isRaised(getResult()))
    return emitOpError("what is raised must be an object with its text and place");
  std::optional<ArrayAttr> names = getMutatedPaths(), mutated = getMutated();
  size_t paths = names ? names->size() : 0, trees = mutated ? mutated->size() : 0;
  if (paths != trees)
    return emitOpError("mutated containers: ") << paths << " paths, " << trees << " contents";
  if (mutated)
    for (OutAttr tree : mutated->getAsRange<OutAttr>())
      if (failed(verifyTree(*this, tree, getLeaves().size())))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

LogicalResult FinishOp::verify() {
  if (getOutcomes().empty())
    return emitOpError("a call needs a way to end");
  if (getOutcomes().size() > 1 && !getSelector())
    return emitOpError("several outcomes need a selector");
  for (Region &region : getOutcomes())
    if (!llvm::hasSingleElement(region) || !isa<EndOp>(region.front().back()))
      return emitOpError("every outcome ends with program.end");
  return success();
}

/// Dimensions from here on are strides.
static constexpr int64_t kStrideDimension = 1000;

SmallVector<SizeSymbol> ptc::program::sizeSymbols(VariantOp variant) {
  SmallVector<SizeSymbol> out;
  for (auto row : variant.getSymbols().getAsRange<ArrayAttr>()) {
    SizeSymbol &symbol = out.emplace_back();
    symbol.name = cast<StringAttr>(row[0]).getValue();
    if (row.size() == 2) {
      symbol.formula = cast<StringAttr>(row[1]).getValue();
      continue;
    }
    symbol.input = unsigned(cast<IntegerAttr>(row[1]).getInt());
    int64_t d = cast<IntegerAttr>(row[2]).getInt();
    symbol.isStride = d >= kStrideDimension;
    symbol.dimension = symbol.isStride ? d - kStrideDimension : d;
  }
  return out;
}

LogicalResult VariantOp::verify() {
  size_t n = getBody().getNumArguments();
  if (getInputs().size() != n || getLeaves().size() != n)
    return emitOpError("has ") << n << " arguments, " << getInputs().size() << " names and "
                               << getLeaves().size() << " leaf numbers";
  for (Attribute attr : getSymbols()) {
    auto row = dyn_cast<ArrayAttr>(attr);
    if (row && row.size() == 2 && isa<StringAttr>(row[0]) && isa<StringAttr>(row[1]) &&
        !cast<StringAttr>(row[1]).empty())
      continue;
    if (!row || row.size() != 3 || !isa<StringAttr>(row[0]) || !isa<IntegerAttr>(row[1]) ||
        !isa<IntegerAttr>(row[2]))
      return emitOpError("a symbol is [name, input, dimension] or [name, formula]");
    if (size_t(cast<IntegerAttr>(row[1]).getInt()) >= n)
      return emitOpError("symbol ") << row[0] << " belongs to an input that is not there";
  }
  return success();
}

/// `@name(%arg0 "x" leaf 0 : type, …) symbols […] attributes {…} { … }`
void VariantOp::print(OpAsmPrinter &p) {
  p << ' ';
  p.printSymbolName(getSymName());
  p << '(';
  for (auto [i, arg] : llvm::enumerate(getBody().getArguments())) {
    p << (i ? ", " : "");
    p.printOperand(arg);
    p << ' ';
    p.printAttributeWithoutType(getInputs()[i]);
    p << " leaf " << getLeaves()[i] << " : ";
    p.printType(arg.getType());
  }
  p << ')';
  if (!getSymbols().empty()) {
    p << " symbols ";
    p.printAttributeWithoutType(getSymbols());
  }
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {"sym_name", "inputs", "leaves", "symbols"});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult VariantOp::parse(OpAsmParser &p, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> args;
  SmallVector<Attribute> inputs;
  SmallVector<int64_t> leaves;
  if (p.parseSymbolName(name, "sym_name", result.attributes))
    return failure();
  auto parseOne = [&]() -> ParseResult {
    StringAttr path;
    return failure(p.parseArgument(args.emplace_back()) || p.parseAttribute(path) ||
                   p.parseKeyword("leaf") || p.parseInteger(leaves.emplace_back()) ||
                   p.parseColonType(args.back().type) || (inputs.push_back(path), false));
  };
  if (p.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  ArrayAttr symbols = p.getBuilder().getArrayAttr({});
  if (succeeded(p.parseOptionalKeyword("symbols")) && p.parseAttribute(symbols))
    return failure();
  result.addAttribute("inputs", p.getBuilder().getArrayAttr(inputs));
  result.addAttribute("leaves", p.getBuilder().getDenseI64ArrayAttr(leaves));
  result.addAttribute("symbols", symbols);
  if (p.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return p.parseRegion(*result.addRegion(), args);
}
