//===- HostSteps.cpp - Sizes of views -------------------------------------------------------===//
//
// In: chains of view operations on a tensor, and the type of what they give. Out: the sizes,
// strides and offset of each step, with the answers to what the algebra cannot prove that lead to
// that type.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;
using namespace ptc;
using namespace ptc::cpu;

/// Chains of which all answers are tried.
static constexpr unsigned kMaxRuns = 256;
/// Ways to answer among which the run chooses.
static constexpr unsigned kMaxPossible = 32;

static arith::CmpIPredicate predicateOf(aten::Cmp cmp) {
  using P = arith::CmpIPredicate;
  switch (cmp) {
  case aten::Cmp::EQ:
    return P::eq;
  case aten::Cmp::NE:
    return P::ne;
  case aten::Cmp::LT:
    return P::slt;
  case aten::Cmp::LE:
    return P::sle;
  case aten::Cmp::GT:
    return P::sgt;
  case aten::Cmp::GE:
    return P::sge;
  }
  llvm_unreachable("closed enum");
}

bool ptc::cpu::isSliceOfRun(ArrayAttr step) {
  return cast<StringAttr>(step[0]).getValue() == "slice.Tensor" && isa<IntegerAttr>(step[1]) &&
         isa<IntegerAttr>(step[4]) && (isa<aten::ArgAttr>(step[2]) || isa<aten::ArgAttr>(step[3]));
}

bool ptc::cpu::isSelectOfRun(ArrayAttr step) {
  return cast<StringAttr>(step[0]).getValue() == "select.int" && isa<IntegerAttr>(step[1]) &&
         isa<aten::ArgAttr>(step[2]);
}

std::optional<Piece> ptc::cpu::pieceOfRun(ArrayAttr step, const aten::TensorMeta &meta) {
  using K = Piece::Kind;
  auto kind = llvm::StringSwitch<std::optional<K>>(cast<StringAttr>(step[0]).getValue())
                  .Case("chunk", K::OfSoMany)
                  .Case("split.Tensor", K::OfSize)
                  .Case("tensor_split.sections", K::Even)
                  .Case("unbind.int", K::Entry)
                  .Default(std::nullopt);
  size_t first = kind == K::Entry ? 1 : 2; // the dimension, then the number of the piece
  if (!kind || step.size() != first + 2)
    return std::nullopt;
  auto dim = dyn_cast<IntegerAttr>(step[first]), number = dyn_cast<IntegerAttr>(step[first + 1]);
  if (!dim || !number || dim.getInt() < -meta.dim() || dim.getInt() >= meta.dim())
    return std::nullopt;
  int64_t d = dim.getInt() + (dim.getInt() < 0 ? meta.dim() : 0);
  bool isKnown =
      meta.sizes[size_t(d)].asConstant() && (kind == K::Entry || isa<IntegerAttr>(step[1]));
  return isKnown ? std::nullopt : std::optional(Piece{*kind, d, number.getInt()});
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A symbol that stands for a number of the run.
sym::Expr Host::symbolOf(Value number, int64_t lower) {
  sym::Expr symbol = symbols.symbol({.name = "." + std::to_string(symbols.numSymbols()),
                                     .lower = lower,
                                     .kind = sym::SymbolKind::Unbacked});
  symbolValues[symbol.symbol()] = number;
  return symbol;
}

bool Host::isOwnSymbol(sym::SymbolId id) { return symbols.symbolInfo(id).name.starts_with("."); }

/// Whether all names are sizes of inputs, which stand for one number wherever they are.
bool Host::isOfInputs(sym::Expr e) {
  return e.isSupported() && llvm::all_of(symbols.symbolsOf(e), [&](sym::SymbolId id) {
           return inputSymbols.contains(id);
         });
}

/// What is known of a number: an expression over sizes of inputs, or a symbol of its own.
sym::Expr Host::exprOf(Value number) {
  if (auto known = numberExprs.find(number); known != numberExprs.end())
    return known->second;
  sym::Expr e;
  if (auto size = number.getDefiningOp<program::SizeOfOp>()) {
    auto meta = aten::toMeta(cast<RankedTensorType>(size.getTensor().getType()), symbols);
    if (auto d = size_t(size.getDimension()); meta && d < meta->sizes.size())
      e = size.getStride() ? meta->strides[d] : meta->sizes[d];
  } else if (auto size = number.getDefiningOp<program::SizeExprOp>()) {
    llvm::StringMap<sym::Expr> named;
    for (auto [name, value] : llvm::zip_equal(size.getSymbols(), size.getValues()))
      named[cast<StringAttr>(name).getValue()] = exprOf(value);
    e = symbols
            .parse(size.getExpr(),
                   [&](StringRef name) -> std::optional<sym::Expr> {
                     if (auto found = named.find(name); found != named.end())
                       return found->second;
                     std::optional<sym::SymbolId> id = symbols.findSymbol(name);
                     return id ? std::optional(symbols.symbol(*id)) : std::nullopt;
                   })
            .value_or(sym::Expr());
  }
  if (!isOfInputs(e))
    e = symbolOf(get(number), INT64_MIN);
  numberExprs[number] = e;
  return e;
}

/// An argument of a step as meta takes it; none for what is no number.
std::optional<aten::ArgValue> Host::stepArgument(Attribute attr, ValueRange operands) {
  if (auto arg = dyn_cast<aten::ArgAttr>(attr))
    return aten::ArgValue(aten::ArgValue::Int{exprOf(operands[arg.getIndex()])});
  if (isa<aten::NoneAttr>(attr))
    return aten::ArgValue(aten::ArgValue::None());
  if (auto dtype = dyn_cast<aten::DTypeAttr>(attr))
    return aten::ArgValue(dtype.getValue());
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return aten::ArgValue(aten::ArgValue::Bool{flag.getValue()});
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return aten::ArgValue(aten::ArgValue::Int{symbols.constant(integer.getInt())});
  if (auto text = dyn_cast<aten::ExprAttr>(attr)) {
    std::optional<sym::Expr> e = symbols.parse(text.getText());
    return e ? std::optional(aten::ArgValue(aten::ArgValue::Int{*e})) : std::nullopt;
  }
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list)
    return std::nullopt;
  aten::ArgValue::IntList ints;
  for (Attribute element : list) {
    std::optional<aten::ArgValue> value = stepArgument(element, operands);
    const auto *integer = value ? value->getIf<aten::ArgValue::Int>() : nullptr;
    if (!integer)
      return std::nullopt;
    ints.values.push_back(integer->value);
  }
  return aten::ArgValue(std::move(ints));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

std::optional<aten::TensorResult> Host::inferStep(ArrayAttr step, const aten::TensorMeta &meta,
                                                  aten::MetaContext &context, ValueRange operands) {
  const aten::OpInfo *info = aten::findOp(cast<StringAttr>(step[0]).getValue());
  if (!info || step.size() < info->args.size())
    return std::nullopt;
  SmallVector<aten::ArgValue, 8> args;
  args.push_back(&meta);
  for (size_t i = 1; i < info->args.size(); ++i) {
    std::optional<aten::ArgValue> value = stepArgument(step[i], operands);
    if (!value)
      return std::nullopt;
    args.push_back(std::move(*value));
  }
  aten::MetaResult result = aten::infer(*info, args, context);
  size_t element = 0;
  if (step.size() > info->args.size())
    element = size_t(cast<IntegerAttr>(step[info->args.size()]).getInt());
  if (!result.isOk() || result.results.empty() || element >= result.results.front().tensors.size())
    return std::nullopt;
  aten::TensorResult view = result.results.front().tensors[element];
  // Complex numbers have no code of their own, and are seen as pairs of reals.
  bool isPair = info->id == aten::OpId::view_as_real || info->id == aten::OpId::view_as_complex;
  if (view.aliasing.kind == aten::Aliasing::Kind::Fresh ||
      (isComplex(view.meta.dtype) != isComplex(meta.dtype) && !isPair))
    return std::nullopt;
  return view;
}

/// Strides are products of sizes that count as 1 where they are 0: then there is no element, and no
/// stride matters.
sym::Expr Host::ofElements(sym::Expr stride) {
  if (!stride.isSupported() || stride.asConstant())
    return stride;
  if (stride.kind() == sym::ExprKind::Max && stride.operands().size() == 2) {
    sym::Expr a = stride.operands()[0], b = stride.operands()[1];
    if (b.asConstant() == 1)
      return a;
    return a.asConstant() == 1 ? b : stride;
  }
  if (stride.kind() != sym::ExprKind::Sum)
    return stride;
  sym::Expr sum = symbols.constant(0);
  for (const sym::Term &term : stride.terms()) {
    sym::Expr product = symbols.constant(term.coefficient);
    for (const sym::Factor &factor : term.factors)
      for (uint32_t i = 0; i < factor.power; ++i)
        product = symbols.mul(product, ofElements(factor.atom));
    sum = symbols.add(sum, product);
  }
  return sum;
}

/// The atom of which `e` is a multiple; unsupported: it is another expression.
static sym::Expr onlyAtom(sym::Expr e) {
  bool isMultiple = e.isSupported() && e.kind() == sym::ExprKind::Sum && e.terms().size() == 1 &&
                    e.terms()[0].factors.size() == 1 && e.terms()[0].factors[0].power == 1;
  return isMultiple ? e.terms()[0].factors[0].atom : sym::Expr();
}

namespace {
/// What symbols are where questions were answered as they were: of each equation, its symbol.
class Equations {
public:
  Equations(sym::Context &symbols, const AnsweringContext *answered) : symbols(symbols) {
    if (!answered)
      return;
    for (const AnsweringContext::Question &question : answered->questions()) {
      if (question.cmp != (question.answer ? aten::Cmp::EQ : aten::Cmp::NE))
        continue;
      auto [a, b] = withoutCommonFactors(apply(question.a), apply(question.b));
      if (std::optional<int64_t> number = quotient(a, b))
        std::tie(a, b) = std::pair(onlyAtom(b), symbols.constant(*number));
      else if (std::optional<int64_t> number = quotient(b, a))
        std::tie(a, b) = std::pair(onlyAtom(a), symbols.constant(*number));
      if (b.isSupported() && b.kind() == sym::ExprKind::Symbol)
        std::swap(a, b);
      if (a.isSupported() && b.isSupported() && a != b && a.kind() == sym::ExprKind::Symbol)
        known.emplace_back(a.symbol(), b);
    }
  }
  sym::Expr apply(sym::Expr e) const {
    for (const auto &[symbol, is] : known)
      if (e.isSupported() && !e.isConstant())
        e = symbols.substitute(
            e, [&](sym::SymbolId id) { return id == symbol ? is : symbols.symbol(id); });
    return e;
  }

private:
  /// What the atom of `e` is where the multiple of it is the constant `c`.
  static std::optional<int64_t> quotient(sym::Expr c, sym::Expr e) {
    const std::optional<int64_t> number = c.asConstant();
    if (!number || !onlyAtom(e).isSupported())
      return std::nullopt;
    const int64_t coefficient = e.terms()[0].coefficient;
    return *number % coefficient == 0 ? std::optional(*number / coefficient) : std::nullopt;
  }
  /// As numbers of elements are compared: where such a factor is 0 there is none, and no size or
  /// stride of them matters.
  std::pair<sym::Expr, sym::Expr> withoutCommonFactors(sym::Expr a, sym::Expr b) {
    auto isProduct = [](sym::Expr e) {
      return e.isSupported() && !e.isConstant() && e.terms().size() == 1;
    };
    if (!isProduct(a) || !isProduct(b) || a.terms()[0].coefficient != b.terms()[0].coefficient)
      return {a, b};
    SmallVector<sym::Expr> left, right;
    for (auto [list, e] : {std::pair(&left, a), std::pair(&right, b)})
      for (const sym::Factor &factor : e.terms()[0].factors)
        list->append(factor.power, factor.atom);
    for (sym::Expr factor : SmallVector<sym::Expr>(left))
      if (auto *same = llvm::find(right, factor); same != right.end()) {
        right.erase(same);
        left.erase(llvm::find(left, factor));
      }
    auto product = [&](ArrayRef<sym::Expr> factors) {
      return std::accumulate(factors.begin(), factors.end(), symbols.constant(1),
                             [&](sym::Expr x, sym::Expr y) { return symbols.mul(x, y); });
    };
    return {product(left), product(right)};
  }

  sym::Context &symbols;
  SmallVector<std::pair<sym::SymbolId, sym::Expr>> known;
};
} // namespace

/// What names of a type stand for where a tensor has this geometry; none if it does not fit with
/// what was answered.
std::optional<Host::Meaning> Host::meaningOf(const aten::TensorMeta &type,
                                             const aten::TensorMeta &is, bool withStrides,
                                             const AnsweringContext *answered) {
  if (type.sizes.size() != is.sizes.size())
    return std::nullopt;
  Equations equations(symbols, answered);
  Meaning meaning;
  auto learn = [&](ArrayRef<sym::Expr> names, ArrayRef<sym::Expr> exprs) {
    for (auto [name, e] : llvm::zip_equal(names, exprs))
      if (name.kind() == sym::ExprKind::Symbol && !inputSymbols.contains(name.symbol()))
        meaning.try_emplace(name.symbol(), e);
  };
  learn(type.sizes, is.sizes);
  if (withStrides)
    learn(type.strides, is.strides);
  auto isSame = [&](sym::Expr says, sym::Expr has) {
    // How far a slice of the run goes is no formula here; where the type knows more, it is so.
    if (has.kind() == sym::ExprKind::Symbol && isOwnSymbol(has.symbol()) && isOfInputs(says))
      return true;
    sym::Expr meant = symbols.substitute(says, [&](sym::SymbolId id) {
      auto known = meaning.find(id);
      return known == meaning.end() ? symbols.symbol(id) : known->second;
    });
    if (symbols.isEqual(ofElements(meant), ofElements(has)) == true)
      return true;
    return symbols.isEqual(ofElements(equations.apply(meant)), ofElements(equations.apply(has))) ==
           true;
  };
  bool fits = llvm::all_of(llvm::zip(type.sizes, is.sizes),
                           [&](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
  // Strides of one element, and of none, say nothing: readers have those of the type.
  auto sizeIs = [&](sym::Expr size, int64_t number) {
    sym::Expr known = equations.apply(size);
    return known.isSupported() && known.asConstant() == number;
  };
  bool isEmpty = llvm::any_of(is.sizes, [&](sym::Expr size) { return sizeIs(size, 0); });
  for (auto [size, says, has] : llvm::zip_equal(is.sizes, type.strides, is.strides))
    fits &= !withStrides || isEmpty || sizeIs(size, 1) || isSame(says, has);
  return fits ? std::optional(std::move(meaning)) : std::nullopt;
}

/// The geometry that the answers lead to, and the offset of each step that has one; none if a step
/// does not fit.
std::optional<aten::TensorMeta> Host::walkSteps(AnsweringContext &context, aten::TensorMeta meta,
                                                ArrayAttr steps, ValueRange operands,
                                                SmallVectorImpl<sym::Expr> &offsets) {
  auto unknown = [&] {
    return symbols.symbol({.name = "." + std::to_string(symbols.numSymbols()),
                           .lower = 0,
                           .kind = sym::SymbolKind::Unbacked});
  };
  for (auto step : steps.getAsRange<ArrayAttr>()) {
    // Where they begin depends on the stride.
    if (std::optional<Piece> piece = pieceOfRun(step, meta)) {
      offsets.push_back(meta.strides[size_t(piece->dim)]);
      if (piece->kind == Piece::Kind::Entry) {
        meta.sizes.erase(meta.sizes.begin() + piece->dim);
        meta.strides.erase(meta.strides.begin() + piece->dim);
      } else {
        meta.sizes[size_t(piece->dim)] = unknown();
      }
      continue;
    }
    if (isSliceOfRun(step) || isSelectOfRun(step)) {
      int64_t d = cast<IntegerAttr>(step[1]).getInt();
      d += d < 0 ? meta.dim() : 0;
      if (d < 0 || d >= meta.dim())
        return std::nullopt;
      offsets.push_back(meta.strides[size_t(d)]);
      if (isSelectOfRun(step)) {
        meta.sizes.erase(meta.sizes.begin() + d);
        meta.strides.erase(meta.strides.begin() + d);
        continue;
      }
      meta.sizes[size_t(d)] = unknown();
      meta.strides[size_t(d)] = symbols.mul(meta.strides[size_t(d)],
                                            symbols.constant(cast<IntegerAttr>(step[4]).getInt()));
      continue;
    }
    std::optional<aten::TensorResult> view = inferStep(step, meta, context, operands);
    if (!view)
      return std::nullopt;
    if (view->aliasing.isOffsetAbsolute)
      offsets.clear();
    if (view->aliasing.kind == aten::Aliasing::Kind::View)
      offsets.push_back(view->aliasing.offset);
    meta = std::move(view->meta);
  }
  return meta;
}

/// A number of the run is what an answer says that it equals: types do not name it.
void Host::useEqualities(const AnsweringContext &context, aten::TensorMeta &meta) {
  llvm::DenseMap<sym::SymbolId, sym::Expr> known;
  auto learn = [&](sym::Expr number, sym::Expr e) {
    if (sym::Expr atom = onlyAtom(number); atom.isSupported()) {
      // That many times a number, as sizes of a view have it.
      sym::Expr times = symbols.constant(number.terms()[0].coefficient);
      sym::Expr part = symbols.floordiv(e, times);
      if (symbols.mul(part, times) != e)
        return;
      number = atom;
      e = part;
    }
    bool isNumber = number.kind() == sym::ExprKind::Symbol && isOwnSymbol(number.symbol());
    if (isNumber &&
        llvm::none_of(symbols.symbolsOf(e), [&](sym::SymbolId id) { return isOwnSymbol(id); }))
      known.try_emplace(number.symbol(), e);
  };
  for (const AnsweringContext::Question &question : context.questions()) {
    if (question.cmp != (question.answer ? aten::Cmp::EQ : aten::Cmp::NE))
      continue;
    learn(question.a, question.b);
    learn(question.b, question.a);
  }
  for (auto *list : {&meta.sizes, &meta.strides})
    for (sym::Expr &e : *list)
      if (e.isSupported())
        e = symbols.substitute(e, [&](sym::SymbolId id) {
          auto found = known.find(id);
          return found == known.end() ? symbols.symbol(id) : found->second;
        });
}

/// Whether guards have asked all that was asked.
bool Host::isGuarded(const AnsweringContext &context) {
  return llvm::all_of(context.questions(), [&](const AnsweringContext::Question &question) {
    return isOfInputs(question.a) && isOfInputs(question.b);
  });
}

namespace {
/// Where one way to answer has led to.
struct Found {
  Answers answers;
  SmallVector<sym::Expr> places; ///< offsets of the steps; strides that the type does not say
  DenseMap<sym::SymbolId, sym::Expr> names;
  bool isGuarded;
};
} // namespace

/// All answers; one, if they make no difference and guards have asked for them.
static SmallVector<Answers, 2> distinct(ArrayRef<Found> found) {
  bool isOne = llvm::all_of(found, [&](const Found &other) {
    return other.isGuarded && other.places == found.front().places &&
           other.names == found.front().names;
  });
  SmallVector<Answers, 2> answers;
  for (const Found &way : isOne ? found.take_front() : found)
    answers.push_back(way.answers);
  return answers;
}

/// The distinct answers that lead to the type. Where the algebra sees none, because it knows less
/// than guards and paths say: all that lead to a tensor of as many dimensions (bindByNumbers
/// compares what they give).
llvm::Expected<SmallVector<Answers, 2>> Host::answersOf(Operation *op, const aten::TensorMeta &meta,
                                                        ArrayAttr steps, ValueRange operands,
                                                        RankedTensorType wanted) {
  std::optional<aten::TensorMeta> type = aten::toMeta(wanted, symbols);
  Answers given;
  SmallVector<Found> found;
  SmallVector<Answers, 2> possible;
  bool isStrided = isa<program::ViewOp>(op); // a part that is written has strides of its own
  for (unsigned run = 0; run < kMaxRuns; ++run) {
    AnsweringContext context(symbols, given);
    SmallVector<sym::Expr> places;
    std::optional<aten::TensorMeta> seen = walkSteps(context, meta, steps, operands, places);
    given.clear();
    for (const AnsweringContext::Question &question : context.questions())
      given.push_back(question.answer);
    if (given.empty())
      return SmallVector<Answers, 2>{given};
    if (seen)
      useEqualities(context, *seen);
    // Also those that lead to the same tensor: the run has one of them, and looks which.
    if (seen && type && seen->sizes.size() == type->sizes.size())
      possible.push_back(given);
    // Of answers that guards have asked for, the type is the one that they lead to.
    const AnsweringContext *ofRun = isGuarded(context) ? nullptr : &context;
    if (auto meaning = seen && type ? meaningOf(*type, *seen, isStrided, ofRun) : std::nullopt) {
      if (!isStrided)
        llvm::append_range(places, seen->strides);
      found.push_back({given, std::move(places), std::move(*meaning), isGuarded(context)});
    }
    if (aten::nextAnswers(context.questions(), given))
      continue;
    if (found.empty())
      break;
    return distinct(found);
  }
  if (given.empty() && isStrided && !possible.empty() && possible.size() <= kMaxPossible)
    return possible;
  return refuse(op, "a view of sizes that are known only at run time");
}

/// Whether the numbers of the run answer as assumed; null where guards have asked for it, unless
/// there are others to choose from.
llvm::Expected<Value> Host::checkAnswers(Operation *op, const AnsweringContext &context,
                                         bool isChosen) {
  Value all;
  for (const AnsweringContext::Question &question : context.questions()) {
    if (!isChosen && isOfInputs(question.a) && isOfInputs(question.b))
      continue;
    llvm::Expected<Value> a = evaluate(question.a, op);
    if (!a)
      return a.takeError();
    llvm::Expected<Value> b = evaluate(question.b, op);
    if (!b)
      return b.takeError();
    arith::CmpIPredicate asked = predicateOf(question.cmp);
    Value holds = arith::CmpIOp::create(
        this->b, question.answer ? asked : arith::invertPredicate(asked), *a, *b);
    all = all ? Value(arith::AndIOp::create(this->b, all, holds)) : holds;
  }
  return all;
}
