//===- ListedViews.cpp - Views as elements of lists of the run ----------------------------===//
//
// In: views of storages. Out: forms of elements that say how such a view leads from its storage,
// and which numbers each element has of its own: the places and sizes that its steps take, where it
// begins, and sizes that are not those of the storage. Out of these the view is made again, so that
// it reads what the storage holds by then, and writes to it.
//
//===----------------------------------------------------------------------===//
#include "ListedViews.h"

#include "Tensors.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
namespace aten = ptc::aten;
namespace sym = ptc::sym;

bool capture::mayDifferInViews(const ViewStep &step, size_t arg) {
  static constexpr llvm::StringLiteral kNumbers[] = {"index", "start",  "end",    "step",
                                                     "size",  "length", "stride", "storage_offset"};
  llvm::ArrayRef<aten::ArgInfo> infos = aten::getOpInfo(aten::OpId(step.op)).args.drop_front();
  return arg < infos.size() && llvm::is_contained(kNumbers, infos[arg].name);
}

bool capture::isOfEach(Engine &e, sym::Expr stride, size_t rank) {
  if (!stride.isSupported())
    return false;
  const auto symbols = e.sizes().symbolsOf(stride);
  for (size_t d = 0; d < rank; ++d)
    if (llvm::is_contained(symbols, sizeOfEach(e, d).symbol()))
      return true;
  return false;
}

namespace {
/// Puts the numbers of one view behind some leaves.
class ViewForm {
public:
  ViewForm(Engine &e, std::vector<Value> &leaves) : e(e), leaves(leaves) {}

  Value column(Value number) {
    leaves.push_back(number.is(Kind::Size) ? sizeValue(number.asSize()) : std::move(number));
    return Value::ip(uint32_t(leaves.size() - 1));
  }
  /// An argument that may differ.
  Value placed(const Value &arg) {
    if (numberType(arg) == NumberType::Int && !arg.is(Kind::BigInt))
      return column(arg);
    if (!arg.is(Kind::Tuple))
      return arg;
    std::vector<Value> parts;
    for (const Value &part : arg.parts())
      parts.push_back(placed(part));
    return Value::tuple(std::move(parts));
  }
  static bool isConstant(const Value &arg) {
    return arg.is(Kind::Tuple) ? llvm::all_of(arg.parts(), isConstant)
                               : !arg.is(Kind::Scalar) && !arg.is(Kind::Size);
  }
  /// Rows of a tensor are elements of what unbind() gives, or are asked for one by one.
  static void normalize(std::vector<ViewStep> &steps) {
    llvm::erase_if(steps,
                   [](const ViewStep &step) { return aten::OpId(step.op) == aten::OpId::alias; });
    for (ViewStep &step : steps)
      if (aten::OpId(step.op) == aten::OpId::unbind_int)
        step.op = uint16_t(aten::OpId::select_int);
  }
  bool place(std::vector<ViewStep> &steps) {
    normalize(steps);
    for (ViewStep &step : steps)
      for (auto [i, arg] : llvm::enumerate(step.args)) {
        if (mayDifferInViews(step, i))
          arg = placed(arg);
        else if (!isConstant(arg))
          return false;
      }
    return true;
  }
  /// Which sizes, and strides that follow from them, each element has of its own, behind its other
  /// numbers.
  std::optional<std::vector<Value>> nameSizes(TensorNode &view) {
    const TapeValue &whole = e.tape.type(e.heap.get(view.storage, slot::kContent).asRaw());
    TapeValue type;
    type.sizes = view.sizes;
    type.strides = view.strides;
    llvm::SmallBitVector own(unsigned(view.sizes.size()));
    for (auto [d, size] : llvm::enumerate(view.sizes))
      if (!e.isInputSize(size) || !llvm::is_contained(whole.sizes, size))
        own.set(unsigned(d));
    if (!forgetSizes(e, type, own))
      return std::nullopt;
    std::vector<Value> places;
    for (auto [d, size] : llvm::enumerate(view.sizes))
      if (own.test(unsigned(d)))
        places.push_back(column(Value::size(size)));
    for (auto [d, stride] : llvm::enumerate(type.strides))
      if (isOfEach(e, stride, type.sizes.size()))
        places.push_back(column(Value::size(view.strides[d])));
    view.sizes = type.sizes;
    view.strides = type.strides;
    return places;
  }

private:
  Engine &e;
  std::vector<Value> &leaves;
};
} // namespace

std::optional<Value> capture::formOfView(Engine &e, const TensorNode &view,
                                         std::vector<Value> &leaves) {
  if (!e.keeps.listedViews || view.steps.empty() || view.requiresGrad || view.isParameter ||
      !view.isOffsetKnown || isComplex(view.dtype) || !e.heap.exists(view.storage))
    return std::nullopt;
  if (e.tape.type(e.heap.get(view.storage, slot::kContent).asRaw()).dtype != view.dtype)
    return std::nullopt;
  const size_t before = leaves.size();
  auto *node = new TensorNode(view);
  node->refs = 0;
  Value made = Value::node(Kind::Tensor, node);
  node->made = 0;
  node->offset = sym::Expr();
  ViewForm form(e, leaves);
  if (form.place(node->steps)) {
    std::vector<Value> parts{made, form.column(view.offset.isSupported() ? Value::size(view.offset)
                                                                         : Value::integer(0))};
    if (std::optional<std::vector<Value>> sizes = form.nameSizes(*node)) {
      llvm::append_range(parts, *sizes);
      return Value::tuple(std::move(parts)).withSub(uint8_t(TupleTag::View));
    }
  }
  leaves.resize(before);
  return std::nullopt;
}

Value capture::viewOfForm(Engine &e, const Value &form, llvm::ArrayRef<Value> leaves) {
  auto sizeAt = [&](const Value &place) {
    return e.sizeOfScalar(leaves[place.asIp()].scalarId(), 0);
  };
  auto filled = [&](auto &self, const Value &arg) -> Value {
    if (arg.is(Kind::Ip))
      return leaves[arg.asIp()];
    if (!arg.is(Kind::Tuple))
      return arg;
    std::vector<Value> parts;
    for (const Value &part : arg.parts())
      parts.push_back(self(self, part));
    return Value::tuple(std::move(parts));
  };
  auto *node = new TensorNode(asTensor(form.parts()[0]));
  node->refs = 0;
  for (ViewStep &step : node->steps)
    for (Value &arg : step.args)
      arg = filled(filled, arg);
  const bool isContiguous = e.isContiguous(node->sizes, node->strides);
  size_t next = 2;
  for (auto [d, size] : llvm::enumerate(node->sizes))
    if (size == sizeOfEach(e, d))
      size = sizeAt(form.parts()[next++]);
  if (isContiguous)
    node->strides = e.contiguousStrides(node->sizes);
  node->offset = sizeAt(form.parts()[1]);
  node->made = e.tape.makeValue({});
  e.listedViews.insert(node->made);
  return Value::node(Kind::Tensor, node).withSource(e.sourceHere());
}

bool capture::holdsViews(const Value &form) {
  return isViewForm(form) || (form.is(Kind::Tuple) && llvm::any_of(form.parts(), holdsViews));
}

bool capture::isListOfViews(const Value &contents) {
  return llvm::any_of(alternativesOf(contents), [](const Value &one) {
    return one.is(Kind::RunTimeList) && holdsViews(asRunTimeList(one).form);
  });
}

Value capture::withStorages(const Value &form, llvm::function_ref<ObjectId(ObjectId)> replace) {
  if (form.is(Kind::Tensor)) {
    auto *node = new TensorNode(asTensor(form));
    node->refs = 0;
    node->storage = replace(node->storage);
    return Value::node(Kind::Tensor, node);
  }
  if (!form.is(Kind::Tuple))
    return form;
  std::vector<Value> parts;
  for (const Value &part : form.parts())
    parts.push_back(withStorages(part, replace));
  return Value::tuple(std::move(parts)).withSub(form.sub());
}
