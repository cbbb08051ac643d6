//===- OperationText.cpp - Operations as people read them -------------------------------------===//
//
// In: operations of a captured program. Out: one short text each, with values by their names in the
// user's program where they have one.
//
//===----------------------------------------------------------------------===//
#include "ProgramText.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/TensorFile/Example.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ptc;
using namespace ptc::tool;

static std::string plain(Attribute attr);

std::string ValueNames::of(Value value) {
  auto [at, fresh] = names.try_emplace(value);
  if (!fresh)
    return at->second;
  std::string text;
  Operation *op = value.getDefiningOp();
  if (auto constant = llvm::dyn_cast_or_null<arith::ConstantOp>(op))
    text = plain(constant.getValue());
  else if (auto weight = llvm::dyn_cast_or_null<program::WeightOp>(op))
    text = weight.getName().str();
  else if (llvm::isa_and_nonnull<program::UndefOp>(op))
    text = "undefined";
  else
    text = "%" + std::to_string(next++);
  return names[value] = text;
}

static std::string joined(llvm::ArrayRef<std::string> parts) {
  std::string text;
  for (const std::string &part : parts)
    text.append(text.empty() ? "" : ", ").append(part);
  return text;
}

/// Constants as Python writes them.
static std::string plain(Attribute attr) {
  return llvm::TypeSwitch<Attribute, std::string>(attr)
      .Case([](BoolAttr a) { return std::string(a.getValue() ? "True" : "False"); })
      .Case([](FloatAttr a) { return floatRepr(a.getValueAsDouble()); })
      .Case([](IntegerAttr a) {
        if (a.getType().isInteger(1))
          return std::string(a.getValue().isZero() ? "False" : "True");
        return std::to_string(a.getInt());
      })
      .Case([](StringAttr a) { return exampleRepr(ExampleValue::ofStr(a.getValue().str())); })
      .Case([](ArrayAttr a) {
        std::vector<std::string> parts;
        for (Attribute item : a)
          parts.push_back(plain(item));
        return "[" + joined(parts) + "]";
      })
      .Case([](aten::NoneAttr) { return std::string("None"); })
      .Case(
          [](aten::DTypeAttr a) { return ("torch." + getDTypeInfo(a.getValue()).torchName).str(); })
      .Default([](Attribute a) {
        std::string text;
        llvm::raw_string_ostream(text) << a;
        return text;
      });
}

/// An argument of an aten operation or view step, whose operands are `#aten.arg<i>`.
static std::string argument(Attribute attr, ValueRange operands, ValueNames &names) {
  if (auto arg = dyn_cast<aten::ArgAttr>(attr))
    return names.of(operands[arg.getIndex()]);
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    std::vector<std::string> parts;
    for (Attribute item : list)
      parts.push_back(argument(item, operands, names));
    return "[" + joined(parts) + "]";
  }
  return plain(attr);
}

//===----------------------------------------------------------------------===//
// Types and places
//===----------------------------------------------------------------------===//

/// Integers and texts of size expressions.
static std::string sizesText(ArrayAttr sizes) {
  std::vector<std::string> parts;
  for (Attribute size : sizes) {
    auto expr = dyn_cast<aten::ExprAttr>(size);
    parts.push_back(expr ? expr.getText().str() : plain(size));
  }
  return "[" + joined(parts) + "]";
}

static std::string tensorText(RankedTensorType type) {
  std::optional<DType> dtype = aten::toDType(type.getElementType());
  auto encoding = dyn_cast_or_null<aten::MetaAttr>(type.getEncoding());
  std::string text = dtype ? getDTypeInfo(*dtype).alias.str() : "?";
  if (encoding && encoding.getSizes()) {
    text += sizesText(encoding.getSizes());
  } else {
    std::vector<std::string> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size) ? "?" : std::to_string(size));
    text += "[" + joined(sizes) + "]";
  }
  if (encoding && encoding.getStrides())
    text += " strides " + sizesText(encoding.getStrides());
  if (encoding && encoding.getRequiresGrad())
    text += " grad";
  return text;
}

std::string tool::typeText(Type type) {
  if (type.isInteger(1))
    return "bool";
  if (type.isInteger(64))
    return "int";
  if (type.isF64())
    return "float";
  if (type.isIndex())
    return "choice";
  if (auto list = dyn_cast<program::ListType>(type))
    return "list of " + typeText(list.getElementType());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensorText(tensor);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string tool::placeText(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return place.getFilename().str() + ":" + std::to_string(place.getLine());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::string operandList(ValueRange operands, ValueNames &names) {
  std::vector<std::string> parts;
  for (Value operand : operands)
    parts.push_back(names.of(operand));
  return joined(parts);
}

static std::string atenText(aten::AtenOp op, ValueNames &names) {
  std::vector<std::string> parts;
  const aten::OpInfo &info = op.getInfo();
  ValueRange operands = op->getOperands();
  bool named = false; // behind an argument that is left out
  for (auto [attr, arg] : llvm::zip(op.getArgs(), info.args)) {
    if (isa<aten::NoneAttr>(attr)) {
      named = true;
      continue;
    }
    if (arg.name == "alpha" && plain(attr) == "1")
      continue; // add and sub without a factor
    std::string text = argument(attr, operands, names);
    bool positional = !named && (isa<aten::ArgAttr>(attr) || isa<ArrayAttr>(attr));
    parts.push_back(positional ? text : (arg.name + "=").str() + text);
  }
  return op->getName().getStringRef().str() + "(" + joined(parts) + ")";
}

/// `x.select(0, k).t()`
static std::string stepsText(std::string base, ArrayAttr steps, ValueRange operands,
                             ValueNames &names) {
  for (auto step : steps.getAsRange<ArrayAttr>()) {
    StringRef overload = cast<StringAttr>(step[0]).getValue();
    std::vector<std::string> parts;
    for (Attribute attr : step.getValue().drop_front())
      parts.push_back(argument(attr, operands, names));
    base += "." + overload.split('.').first.str() + "(" + joined(parts) + ")";
  }
  return base;
}

static std::string printText(program::PrintOp op, ValueNames &names) {
  return std::string(op.getStream() == program::Stream::Stdout ? "print " : "print to stderr ") +
         treeText(op.getText(), op.getValues(), names);
}

/// `x with u0 = k`
static std::string retypeText(program::RetypeOp op, ValueNames &names) {
  std::string text = names.of(op.getValue());
  for (size_t i = 0; i < op.getNumbers().size(); ++i)
    text += (i ? ", " : " with ") + cast<StringAttr>(op.getSymbolsAttr()[i]).getValue().str() +
            " = " + names.of(op.getNumbers()[i]);
  return text;
}

/// `a + b` for the operations that Python writes between its operands; empty for others.
static StringRef infix(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Cases({"program.add", "arith.addf", "arith.addi"}, "+")
      .Cases({"program.sub", "arith.subf", "arith.subi"}, "-")
      .Cases({"program.mul", "arith.mulf", "arith.muli"}, "*")
      .Cases({"program.truediv", "arith.divf"}, "/")
      .Case("program.floordiv", "//")
      .Case("program.mod", "%")
      .Case("program.pow", "**")
      .Case("arith.andi", "and")
      .Case("arith.ori", "or")
      .Case("arith.xori", "!=")
      .Default("");
}

static StringRef relation(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  llvm_unreachable("closed enum");
}

static StringRef relation(arith::CmpFPredicate predicate) {
  StringRef name = arith::stringifyCmpFPredicate(predicate).drop_front();
  return llvm::StringSwitch<StringRef>(name)
      .Case("eq", "==")
      .Case("ne", "!=")
      .Case("lt", "<")
      .Case("le", "<=")
      .Case("gt", ">")
      .Case("ge", ">=")
      .Default("?");
}

/// `name(operands) key=value`
static std::string genericText(Operation *op, ValueNames &names) {
  std::string text =
      op->getName().getStringRef().str() + "(" + operandList(op->getOperands(), names) + ")";
  for (NamedAttribute attr : op->getAttrs())
    text += " " + attr.getName().str() + "=" + plain(attr.getValue());
  return text;
}

std::string tool::operationText(Operation *op, ValueNames &names) {
  if (StringRef symbol = infix(op); !symbol.empty() && op->getNumOperands() == 2)
    return names.of(op->getOperand(0)) + " " + symbol.str() + " " + names.of(op->getOperand(1));
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](program::ViewOp o) {
        return stepsText(names.of(o.getBase()), o.getSteps(), o.getValues(), names);
      })
      .Case([&](program::ScatterOp o) {
        return names.of(o.getBase()) + " with " +
               stepsText("it", o.getSteps(), o.getValues(), names) + " = " + names.of(o.getPart());
      })
      .Case([&](program::GetStateOp o) { return "state " + o.getState().str(); })
      .Case([&](program::SetStateOp o) {
        return "next state " + o.getState().str() + " = " + names.of(o.getValue());
      })
      .Case([&](program::ClockOp o) {
        return "clock " + program::stringifyClock(o.getClock()).str();
      })
      .Case([&](program::ItemOp o) { return names.of(o.getTensor()) + ".item()"; })
      .Case([&](program::SizeOfOp o) {
        return names.of(o.getTensor()) + (o.getStride() ? ".stride(" : ".size(") +
               std::to_string(o.getDimension()) + ")";
      })
      .Case([&](program::SizeExprOp o) { return "size " + o.getExpr().str(); })
      .Case([&](program::PrintOp o) { return printText(o, names); })
      .Case([&](program::RetypeOp o) { return retypeText(o, names); })
      .Case([&](program::LiteralOp) { return std::string("literal tensor"); })
      .Case([&](program::PickOp o) {
        return "[" + operandList(o.getAlternatives(), names) + "][" + names.of(o.getSelector()) +
               "]";
      })
      .Case([&](program::MapOp o) {
        return plain(o.getTable()) + "[" + names.of(o.getSelector()) + "]";
      })
      .Case([&](program::CompareOp o) {
        return names.of(o.getLhs()) + " " + o.getRelation().str() + " " + names.of(o.getRhs());
      })
      .Case([&](arith::CmpIOp o) {
        return names.of(o.getLhs()) + " " + relation(o.getPredicate()).str() + " " +
               names.of(o.getRhs());
      })
      .Case([&](arith::CmpFOp o) {
        return names.of(o.getLhs()) + " " + relation(o.getPredicate()).str() + " " +
               names.of(o.getRhs());
      })
      .Case([&](arith::SelectOp o) {
        return names.of(o.getTrueValue()) + " if " + names.of(o.getCondition()) + " else " +
               names.of(o.getFalseValue());
      })
      .Default([&](Operation *other) {
        if (auto aten = dyn_cast<aten::AtenOp>(other))
          return atenText(aten, names);
        return genericText(other, names);
      });
}
