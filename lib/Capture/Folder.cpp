//===- Folder.cpp - What tensors of a module hold already ------------------------------------===//
//
// In: a value on the tape, while no caller has given anything yet. Out: its elements, computed by
// the reference evaluator from literals, where the operations between take nothing else.
//
//===----------------------------------------------------------------------===//
#include "Folder.h"

#include "DevicePayload.h"
#include "Engine.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::capture;

/// The last operation in `instrs` with a result that is not behind `id`: results are numbered as
/// they are made.
static const TapeInstr *lastUpTo(llvm::ArrayRef<TapeInstr> instrs, ValueId id) {
  const TapeInstr *found = nullptr;
  for (size_t low = 0, high = instrs.size(); low < high;) {
    size_t middle = low + (high - low) / 2, at = middle;
    while (at > low && instrs[at].results.empty())
      --at;
    if (!instrs[at].results.empty() && instrs[at].results.front() <= id) {
      found = &instrs[at];
      low = middle + 1;
    } else if (instrs[at].results.empty()) {
      low = middle + 1; // none up to the middle has results
    } else {
      high = at;
    }
  }
  return found;
}

const TapeInstr *Folder::find(const TapeBlock &block, ValueId id) {
  for (const TapeBlock *at = &block; at; at = at->parent) {
    const TapeInstr *guess = lastUpTo(at->instrs, id);
    if (guess && llvm::is_contained(guess->results, id))
      return guess;
    // A join numbers its results before operations that it puts in front of itself.
    for (const TapeInstr &instr : llvm::reverse(at->instrs)) {
      --budget;
      if (llvm::is_contained(instr.results, id))
        return &instr;
    }
  }
  return nullptr;
}

/// Values that the operation takes.
static void collectOperands(const TapeArg &arg, llvm::SmallVectorImpl<ValueId> &out) {
  if (arg.isValue())
    out.push_back(arg.id());
  for (const TapeArg &item : arg.items)
    collectOperands(item, out);
}

std::optional<HostValue> Folder::valueOf(const TapeBlock &block, ValueId id) {
  llvm::SmallVector<ValueId, 16> pending{id};
  auto none = [&]() -> std::optional<HostValue> {
    others.insert(pending.back());
    others.insert(id);
    return std::nullopt;
  };
  while (!pending.empty()) {
    ValueId next = pending.back();
    if (values.contains(next)) {
      pending.pop_back();
      continue;
    }
    const TapeInstr *made = budget > 0 && !others.contains(next) ? find(block, next) : nullptr;
    if (!made)
      return none();
    llvm::SmallVector<ValueId, 8> operands;
    for (const TapeArg &arg : made->args)
      collectOperands(arg, operands);
    size_t before = pending.size();
    for (ValueId operand : operands)
      if (!values.contains(operand))
        pending.push_back(operand);
    if (pending.size() == before && !evaluate(*made))
      return none();
  }
  return values.find(id)->second;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// Turns arguments on the tape into those of an overload.
struct HostArguments {
  const llvm::DenseMap<ValueId, HostValue> &values;

  std::optional<HostValue> read(const TapeArg &arg, const aten::ArgInfo &info) const {
    switch (arg.kind) {
    case TapeArg::Kind::None:
      return HostValue();
    case TapeArg::Kind::Value:
      return values.find(arg.id())->second;
    case TapeArg::Kind::Bool:
      return HostValue(arg.bits != 0);
    case TapeArg::Kind::Int:
      return info.type == aten::ArgType::Float ? HostValue(double(arg.asInt()))
                                               : HostValue(arg.asInt());
    case TapeArg::Kind::Float:
      return HostValue(arg.asReal());
    case TapeArg::Kind::Complex:
      return HostValue(std::complex<double>(arg.asReal(), arg.imaginary));
    case TapeArg::Kind::Str:
      return HostValue(arg.text);
    case TapeArg::Kind::DType:
      return HostValue(DType(arg.bits));
    case TapeArg::Kind::Layout:
      return HostValue(HostValue::Layout{int8_t(arg.bits)});
    case TapeArg::Kind::MemoryFormat:
      return HostValue(HostValue::MemoryFormat{int8_t(arg.bits)});
    case TapeArg::Kind::Device:
      // Nothing on another device is known here, and no value says which one it is.
      return info.isOptional && unpackDevice(arg.bits).type == aten::DeviceType::CPU
                 ? std::optional(HostValue())
                 : std::nullopt;
    case TapeArg::Kind::List:
      return readList(arg.items, info);
    }
    llvm_unreachable("closed enum");
  }

private:
  std::optional<HostValue> readList(llvm::ArrayRef<TapeArg> items,
                                    const aten::ArgInfo &info) const {
    aten::ArgInfo element = info;
    element.isList = false;
    HostValue::TensorList tensors;
    HostValue::BoolList flags;
    HostValue::IntList ints;
    HostValue::FloatList reals;
    for (const TapeArg &item : items) {
      std::optional<HostValue> value = read(item, element);
      if (!value)
        return std::nullopt;
      if (info.type == aten::ArgType::Tensor)
        tensors.push_back(value->isNone() ? HostTensor() : value->tensor());
      else if (info.type == aten::ArgType::Bool)
        flags.push_back(value->asInt() != 0);
      else if (info.type == aten::ArgType::Int)
        ints.push_back(value->asInt());
      else
        reals.push_back(value->asDouble());
    }
    if (info.type == aten::ArgType::Tensor)
      return HostValue(std::move(tensors));
    if (info.type == aten::ArgType::Bool)
      return HostValue(std::move(flags));
    return info.type == aten::ArgType::Int ? HostValue(std::move(ints))
                                           : HostValue(std::move(reals));
  }
};
} // namespace

static std::optional<llvm::SmallVector<HostValue, 1>> call(const aten::OpInfo &op,
                                                           llvm::ArrayRef<HostValue> args) {
  aten::EvalContext context;
  auto results = aten::evaluate(op, args, context);
  if (results)
    return std::move(*results);
  llvm::consumeError(results.takeError());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

std::optional<HostValue> Folder::literal(const TapeInstr &instr) const {
  const TensorLiteral &given = literals[size_t(instr.attrs[0].asInt())];
  HostTensor tensor = HostTensor::zeros(given.dtype, given.sizes);
  if (!given.data.empty())
    std::memcpy(tensor.bytes(), given.data.data(), given.data.size());
  return HostValue(std::move(tensor));
}

std::optional<HostTensor> Folder::apply(HostTensor base, const TapeArg &steps) const {
  HostArguments arguments{values};
  for (const TapeArg &step : steps.items) {
    const aten::OpInfo &op = aten::getOpInfo(aten::OpId(step.items[0].asInt()));
    llvm::SmallVector<HostValue, 8> args{HostValue(base)};
    for (size_t i = 1; i < op.args.size(); ++i) {
      std::optional<HostValue> arg = arguments.read(step.items[i], op.args[i]);
      if (!arg)
        return std::nullopt;
      args.push_back(std::move(*arg));
    }
    auto results = call(op, args);
    if (!results)
      return std::nullopt;
    const HostValue &first = results->front();
    if (const auto *list = first.getIf<HostValue::TensorList>())
      base = HostTensor((*list)[size_t(step.items[op.args.size()].asInt())]);
    else
      base = HostTensor(first.tensor());
  }
  return base;
}

std::optional<HostValue> Folder::scatter(const TapeInstr &instr) const {
  const HostTensor &old = values.find(instr.args[0].id())->second.tensor();
  HostTensor copy = HostTensor::zerosStrided(old.dtype(), old.sizes(), old.strides());
  copy.copyFrom(old);
  std::optional<HostTensor> part = apply(copy, instr.args[2]);
  if (!part || !part->sharesStorageWith(copy))
    return std::nullopt;
  part->copyFrom(values.find(instr.args[1].id())->second.tensor());
  return HostValue(std::move(copy));
}

std::optional<HostValue> Folder::item(const TapeInstr &instr) const {
  const HostTensor &tensor = values.find(instr.args[0].id())->second.tensor();
  HostTensor one = tensor.view({}, {}, tensor.storageOffset());
  switch (tape.type(instr.results[0]).type) {
  case TapeType::Bool:
    return HostValue(one.getInt({}) != 0);
  case TapeType::Int:
    return HostValue(one.getInt({}));
  case TapeType::Float:
    return HostValue(one.getDouble({}));
  default:
    return std::nullopt;
  }
}

bool Folder::spend(const HostValue &value) {
  if (const auto *tensor = value.getIf<HostTensor>())
    budget -= tensor->numel();
  return budget > 0;
}

bool Folder::evaluate(const TapeInstr &instr) {
  std::optional<HostValue> value;
  switch (instr.op) {
  case TapeOp::Literal:
    value = literal(instr);
    break;
  case TapeOp::Scatter:
    value = scatter(instr);
    break;
  case TapeOp::Item:
    value = item(instr);
    break;
  case TapeOp::AtenView:
    if (auto view = apply(values.find(instr.args[0].id())->second.tensor(), instr.args[1]))
      value = HostValue(std::move(*view));
    break;
  case TapeOp::Aten: {
    const aten::OpInfo &op = aten::getOpInfo(aten::OpId(instr.aten));
    HostArguments arguments{values};
    llvm::SmallVector<HostValue, 8> args;
    for (auto [arg, info] : llvm::zip_equal(instr.args, op.args)) {
      std::optional<HostValue> read = arguments.read(arg, info);
      if (!read)
        return false;
      args.push_back(std::move(*read));
    }
    auto results = call(op, args);
    if (!results)
      return false;
    llvm::SmallVector<HostValue, 2> flat;
    for (HostValue &result : *results)
      if (const auto *list = result.getIf<HostValue::TensorList>())
        flat.append(list->begin(), list->end());
      else
        flat.push_back(std::move(result));
    if (flat.size() != instr.results.size())
      return false;
    for (auto [id, result] : llvm::zip_equal(instr.results, flat)) {
      if (!spend(result))
        return false;
      values[id] = std::move(result);
    }
    return true;
  }
  default:
    return false;
  }
  if (!value || !spend(*value))
    return false;
  values[instr.results[0]] = std::move(*value);
  return true;
}

//===----------------------------------------------------------------------===//
// While a module is imported
//===----------------------------------------------------------------------===//

static std::optional<HostValue> valueOf(Engine &e, ValueId id) {
  if (!e.folder)
    e.folder = std::make_unique<Folder>(e.tape, e.literals);
  return e.folder->valueOf(*e.block, id);
}

Value capture::foldedInteger(Engine &e, const Value &number) {
  if (!number.is(Kind::Scalar) || number.scalarType() != ScalarType::Int)
    return number;
  std::optional<HostValue> value = valueOf(e, number.scalarId());
  return value ? Value::integer(value->asInt()).withSource(number.source()) : number;
}

Value capture::foldedElements(Engine &e, const Value &tensor) {
  PTC_LET(t, e.readable(tensor));
  std::optional<HostValue> value = valueOf(e, e.readTensor(t));
  if (!value)
    return Value::none();
  HostTensor held = value->tensor().contiguous();
  if (isComplex(held.dtype()))
    return Value::none();
  const int64_t count = held.numel();
  std::vector<Value> items;
  for (int64_t i = 0; i < count; ++i) {
    HostTensor one = held.view({}, {}, held.storageOffset() + i);
    items.push_back(isFloat(held.dtype())  ? Value::real(one.getDouble({}))
                    : isBool(held.dtype()) ? Value::boolean(one.getInt({}) != 0)
                                           : Value::integer(one.getInt({})));
  }
  return Value::tuple(std::move(items));
}

Value Engine::foldedNumber(ValueId number, ScalarType type) {
  if (shapes && type == ScalarType::Float)
    return {};
  std::optional<HostValue> value = valueOf(*this, number);
  hasFoldable |= value && shapes;
  if (!value || (shapes && !folds))
    return {};
  switch (type) {
  case ScalarType::Bool:
    return Value::boolean(value->asInt() != 0);
  case ScalarType::Int:
    return Value::integer(value->asInt());
  case ScalarType::Float:
    return Value::real(value->asDouble());
  }
  llvm_unreachable("closed enum");
}

Flow Engine::checkImported(llvm::ArrayRef<sym::Expr> given) {
  bool known = llvm::all_of(given, [](sym::Expr e) { return !e.isSupported() || e.isConstant(); });
  if (shapes || known)
    return Flow::Next;
  return refuse(DiagId::Unsupported, "a tensor whose size the run decides, made while a module is "
                                     "imported or an object is made,");
}

/// Do elements decide a size of this result?
static bool hasOwnSize(const Engine &e, ValueId id) {
  return llvm::any_of(e.tape.type(id).sizes, [&](sym::Expr size) {
    const SymbolBinding *bound =
        size.kind() == sym::ExprKind::Symbol ? e.bindingOf(size.symbol()) : nullptr;
    return bound && bound->value == id;
  });
}

Flow Engine::foldSizes(llvm::ArrayRef<ValueId> results) {
  for (ValueId id : results) {
    if (llvm::all_of(tape.type(id).sizes, [](sym::Expr e) { return e.isConstant(); }) ||
        (shapes && !hasOwnSize(*this, id)))
      continue;
    std::optional<HostValue> value = valueOf(*this, id);
    hasFoldable |= value && shapes;
    if (value && (!shapes || folds)) {
      auto constants = [&](llvm::ArrayRef<int64_t> numbers) {
        llvm::SmallVector<sym::Expr, 4> result;
        for (int64_t n : numbers)
          result.push_back(sizes().constant(n));
        return result;
      };
      TapeValue &type = tape.type(id);
      type.sizes = constants(value->tensor().sizes());
      type.strides = constants(value->tensor().strides());
    }
    PTC_DO(checkImported(tape.type(id).sizes));
  }
  return Flow::Next;
}
