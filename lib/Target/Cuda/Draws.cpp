//===- Draws.cpp - Kernels that draw random numbers ------------------------------------------===//
//
// In: what is drawn, and for which type. Out: a function of the device that fills dense memory with
// the numbers that eager's kernels give it (ATen/native/cuda/DistributionTemplates.h, with curand's
// functions), bit for bit: products and sums are rounded together where nvcc does so, and functions
// are those of libdevice that nvcc takes. Its arguments are those of `PTC_DRAW_…` in Frame.h.
//
//===----------------------------------------------------------------------===//
#include "Draws.h"

#include "Kernels.h"

#include "ptc/Runtime/Frame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>
#include <numbers>

using namespace mlir;
using namespace ptc;
using namespace ptc::cuda;

namespace {

class DrawEmitter {
public:
  DrawEmitter(func::FuncOp function, const cpu::DrawForm &form)
      : form(form), function(function), b(function.getLoc(), function.getContext()),
        isDouble(form.dtype == DType::Float64),
        real(isDouble ? Type(b.getF64Type()) : Type(b.getF32Type())) {}

  void run() {
    Block *body = function.addEntryBlock();
    b.setInsertionPointToStart(body);
    form.kind == ptc_draw_Dropout ? dropOut() : fill();
    b.setInsertionPointToEnd(body);
    func::ReturnOp::create(b);
  }

private:
  void fill() {
    Value thread = whole(threadNumber());
    Value threads = whole(arith::MulIOp::create(b, numBlocks(b), threadsOfBlock(b)));
    Value perTurn = arith::MulIOp::create(b, threads, number(form.perBlock()));
    Value turns = arith::CeilDivUIOp::create(b, argument(PTC_DRAW_COUNT), perTurn);
    auto loop = scf::ForOp::create(b, number(0), turns, number(1));
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value turn = loop.getInductionVar();
      Value first = arith::AddIOp::create(b, arith::MulIOp::create(b, turn, perTurn), thread);
      SmallVector<Value> drawn =
          numbersOf(words(arith::AddIOp::create(b, argument(PTC_DRAW_BLOCK), turn), thread));
      for (auto [i, value] : llvm::enumerate(drawn)) {
        Value skipped = arith::MulIOp::create(b, threads, number(int64_t(i)));
        Value place = arith::AddIOp::create(b, first, skipped);
        OpBuilder::InsertionGuard inner(b);
        guardBy(isBelow(place, argument(PTC_DRAW_COUNT)));
        storeAt(PTC_DRAW_DATA, place, stored(value));
      }
    }
  }

  Value argument(unsigned n) { return function.getArgument(n); }
  Value number(int64_t v) { return arith::ConstantIntOp::create(b, v, 64); }
  Value word(uint32_t v) { return arith::ConstantIntOp::create(b, int64_t(int32_t(v)), 32); }
  Value constant(double v) { return arith::ConstantOp::create(b, b.getFloatAttr(real, v)); }
  Value whole(Value index) { return arith::IndexCastOp::create(b, b.getI64Type(), index); }
  Value threadNumber() {
    Value before = arith::MulIOp::create(b, blockNumber(b), threadsOfBlock(b));
    return arith::AddIOp::create(b, before, threadOfBlock(b));
  }
  Value half(Value v, unsigned n) {
    if (n)
      v = arith::ShRUIOp::create(b, v, number(32));
    return arith::TruncIOp::create(b, b.getI32Type(), v);
  }

  /// philox4x32_10 of a block's number, a stream and the seed.
  SmallVector<Value, 4> words(Value block, Value stream) {
    SmallVector<Value, 4> c{half(block, 0), half(block, 1), half(stream, 0), half(stream, 1)};
    Value seed = argument(PTC_DRAW_SEED);
    Value k[] = {half(seed, 0), half(seed, 1)};
    for (unsigned round = 0; round < 10; ++round) {
      auto x = arith::MulUIExtendedOp::create(b, c[0], word(0xD2511F53));
      auto y = arith::MulUIExtendedOp::create(b, c[2], word(0xCD9E8D57));
      auto mix = [&](Value high, Value other, Value key) -> Value {
        return arith::XOrIOp::create(b, arith::XOrIOp::create(b, high, other), key);
      };
      c = {mix(y.getHigh(), c[1], k[0]), y.getLow(), mix(x.getHigh(), c[3], k[1]), x.getLow()};
      k[0] = arith::AddIOp::create(b, k[0], word(0x9E3779B9));
      k[1] = arith::AddIOp::create(b, k[1], word(0xBB67AE85));
    }
    return c;
  }

  //===--- Arithmetic ------------------------------------------------------===//
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, x, y, z); }
  Value times(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value isLess(Value x, Value y) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
  }
  /// A function of libdevice.
  Value call(StringRef name, Value x) {
    func::FuncOp callee = declare(name, b.getFunctionType(x.getType(), x.getType()));
    return func::CallOp::create(b, callee, x).getResult(0);
  }
  func::FuncOp declare(StringRef name, FunctionType type) {
    auto module = function->getParentOfType<ModuleOp>();
    if (auto found = module.lookupSymbol<func::FuncOp>(name))
      return found;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto made = func::FuncOp::create(b, name, type);
    made.setPrivate();
    return made;
  }
  /// Eager takes the fast ones for float.
  Value log(Value x) { return call(isDouble ? "__nv_log" : "__nv_fast_logf", x); }

  //===--- Numbers of words ------------------------------------------------===//
  Value pair(Value low, Value high, unsigned shift) {
    Value wideLow = arith::ExtUIOp::create(b, b.getI64Type(), low);
    Value wideHigh = arith::ExtUIOp::create(b, b.getI64Type(), high);
    return arith::XOrIOp::create(b, wideLow, arith::ShLIOp::create(b, wideHigh, number(shift)));
  }
  Value scaled(Value bits, double scale, double shift) {
    return fma(arith::UIToFPOp::create(b, real, bits), constant(scale), constant(shift));
  }
  /// In (0, 1].
  SmallVector<Value> uniforms(ArrayRef<Value> w) {
    SmallVector<Value> made;
    if (isDouble)
      for (unsigned i : {0U, 2U})
        made.push_back(scaled(pair(w[i], w[i + 1], 21), 0x1p-53, 0x1p-54));
    else
      for (Value one : w)
        made.push_back(scaled(one, 0x1p-32, 0x1p-33));
    return made;
  }

  /// Box and Muller's: a sine and a cosine.
  SmallVector<Value> normals(ArrayRef<Value> w) {
    SmallVector<Value> u = uniforms(w), made;
    for (unsigned i = 0; i < 4; i += isDouble ? 4 : 2) {
      Value logarithm = isDouble ? call("__nv_log", u[0]) : call("__nv_logf", u[i]);
      Value radius = math::SqrtOp::create(b, times(constant(-2), logarithm));
      auto [sine, cosine] = isDouble ? turnOf(pair(w[2], w[3], 21)) : angleOf(w[i + 1]);
      made.push_back(times(sine, radius));
      made.push_back(times(cosine, radius));
    }
    return made;
  }
  std::pair<Value, Value> angleOf(Value bits) {
    constexpr float kStep = 0x1p-32F * 6.2831855F;
    Value angle = scaled(bits, kStep, kStep / 2);
    return {call("__nv_fast_sinf", angle), call("__nv_fast_cosf", angle)};
  }
  std::pair<Value, Value> turnOf(Value bits) {
    Value angle = scaled(bits, 0x1p-52, 0x1p-53); // of pi
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value one = arith::ConstantIntOp::create(b, 1, 32);
    Value results[] = {LLVM::AllocaOp::create(b, pointer, real, one),
                       LLVM::AllocaOp::create(b, pointer, real, one)};
    func::FuncOp callee = declare("__nv_sincospi", b.getFunctionType({real, pointer, pointer}, {}));
    func::CallOp::create(b, callee, ValueRange{angle, results[0], results[1]});
    return {LLVM::LoadOp::create(b, real, results[0]), LLVM::LoadOp::create(b, real, results[1])};
  }

  //===--- Distributions ---------------------------------------------------===//
  /// A parameter in the type that is computed in.
  Value parameter(unsigned n) {
    Value given = argument(n);
    return isDouble ? given : Value(arith::TruncFOp::create(b, real, given));
  }
  /// The same, rounded to the result's type.
  Value roundedParameter(unsigned n) { return widened(rounded(parameter(n))); }
  Value rounded(Value v) {
    Type to = floatType();
    return v.getType() == to ? v : Value(arith::TruncFOp::create(b, to, v));
  }
  Value widened(Value v) {
    return v.getType() == real ? v : Value(arith::ExtFOp::create(b, real, v));
  }
  /// Of the result, if it is a float type.
  Type floatType() {
    switch (form.dtype) {
    case DType::Float16:
      return b.getF16Type();
    case DType::BFloat16:
      return b.getBF16Type();
    default:
      return real;
    }
  }

  SmallVector<Value> numbersOf(ArrayRef<Value> w) {
    switch (form.kind) {
    case ptc_draw_Integers:
    case ptc_draw_All:
      return integers(w);
    case ptc_draw_Normal:
    case ptc_draw_LogNormal:
      return llvm::map_to_vector(normals(w), [&](Value v) { return scaledNormal(v); });
    case ptc_draw_Uniform:
      return llvm::map_to_vector(uniforms(w), [&](Value u) { return between(u); });
    case ptc_draw_Bernoulli:
      return llvm::map_to_vector(
          uniforms(w), [&](Value u) -> Value { return isLess(u, parameter(PTC_DRAW_FIRST)); });
    case ptc_draw_Exponential:
      return llvm::map_to_vector(uniforms(w), [&](Value u) { return exponential(u); });
    case ptc_draw_Cauchy:
      return llvm::map_to_vector(uniforms(w), [&](Value u) { return cauchy(u); });
    case ptc_draw_Geometric:
      return llvm::map_to_vector(uniforms(w), [&](Value u) { return geometric(u); });
    case ptc_draw_NormalPairs:
    case ptc_draw_Permutation:
    case ptc_draw_Dropout:
      break;
    }
    llvm_unreachable("no kernel of a device draws it");
  }

  SmallVector<Value> integers(ArrayRef<Value> w) {
    SmallVector<Value> bits;
    if (form.isWide)
      bits = {pair(w[1], w[0], 32), pair(w[3], w[2], 32)};
    else
      bits.append(w.begin(), w.end());
    Value range = argument(form.kind == ptc_draw_All ? PTC_DRAW_FIRST : PTC_DRAW_SECOND);
    Value isAll = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, range, number(0));
    Value divisor = arith::MaxUIOp::create(b, range, number(1));
    return llvm::map_to_vector(bits, [&](Value v) -> Value {
      if (!v.getType().isInteger(64))
        v = arith::ExtUIOp::create(b, b.getI64Type(), v);
      Value rest = arith::RemUIOp::create(b, v, divisor);
      v = arith::SelectOp::create(b, isAll, v, rest);
      return form.kind == ptc_draw_All
                 ? v
                 : Value(arith::AddIOp::create(b, v, argument(PTC_DRAW_FIRST)));
    });
  }

  Value between(Value u) {
    Value from = roundedParameter(PTC_DRAW_FIRST), to = roundedParameter(PTC_DRAW_SECOND);
    Value range = widened(rounded(arith::SubFOp::create(b, to, from)));
    Value value = widened(rounded(fma(u, range, from)));
    Value isEnd = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, to);
    return arith::SelectOp::create(b, isEnd, from, value); // the open end is the other one
  }

  Value scaledNormal(Value v) {
    v = fma(v, parameter(PTC_DRAW_SECOND), parameter(PTC_DRAW_FIRST));
    return form.kind == ptc_draw_Normal ? v : call(isDouble ? "__nv_exp" : "__nv_fast_expf", v);
  }

  Value exponential(Value u) {
    double half = isDouble ? std::numeric_limits<double>::epsilon() / 2
                           : std::numeric_limits<float>::epsilon() / 2;
    Value isGreat = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, u, constant(1 - half));
    Value logarithm = arith::SelectOp::create(b, isGreat, constant(-half), log(u));
    Value scale = arith::DivFOp::create(b, constant(-1), parameter(PTC_DRAW_FIRST));
    return times(scale, logarithm);
  }

  Value cauchy(Value u) {
    if (!isDouble) { // where the fast tangent is finite
      constexpr double kLeast = std::numeric_limits<float>::epsilon();
      Value most = constant(1 - kLeast), least = constant(kLeast);
      u = arith::SelectOp::create(b, isLess(most, u), most, u);
      u = arith::SelectOp::create(b, isLess(u, least), least, u);
    }
    Value shifted = arith::AddFOp::create(b, u, constant(-0.5));
    Value angle =
        times(shifted, constant(isDouble ? std::numbers::pi : double(std::numbers::pi_v<float>)));
    Value tangent = call(isDouble ? "__nv_tan" : "__nv_fast_tanf", angle);
    return fma(tangent, parameter(PTC_DRAW_SECOND), parameter(PTC_DRAW_FIRST));
  }

  Value geometric(Value u) {
    Value p = parameter(PTC_DRAW_FIRST);
    Value step;
    if (isDouble)
      step = call("__nv_log1p", arith::NegFOp::create(b, p));
    else
      step = log(arith::SubFOp::create(b, constant(1), p));
    return math::CeilOp::create(b, arith::DivFOp::create(b, log(u), step));
  }

  //===--- Results ---------------------------------------------------------===//
  /// A number of a distribution, as the memory has it.
  Value stored(Value v) {
    Type from = v.getType();
    DTypeKind kind = getDTypeInfo(form.dtype).kind;
    if (kind == DTypeKind::Bool) {
      if (!from.isInteger(1))
        v = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, v, number(0));
      return arith::ExtUIOp::create(b, b.getI8Type(), v);
    }
    if (kind == DTypeKind::Float) {
      if (from.isInteger(1))
        v = arith::UIToFPOp::create(b, real, v);
      else if (from.isInteger())
        v = arith::SIToFPOp::create(b, real, v);
      return rounded(v);
    }
    auto to = IntegerType::get(b.getContext(), 8 * getDTypeInfo(form.dtype).bytes);
    if (from.isInteger(1))
      return arith::ExtUIOp::create(b, to, v);
    if (isa<FloatType>(from)) // what does not fit is the nearest of 32 bits that does
      v = toInteger(v, to);
    return v.getType() == to ? v : Value(arith::TruncIOp::create(b, to, v));
  }
  Value toInteger(Value v, IntegerType to) {
    Type computed = to.getWidth() == 64 ? to : b.getI32Type();
    if (form.dtype == DType::UInt8)
      return arith::FPToUIOp::create(b, computed, v);
    return arith::FPToSIOp::create(b, computed, v);
  }

  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y);
  }
  /// What comes next is done where `condition` holds.
  void guardBy(Value condition) {
    auto guarded = scf::IfOp::create(b, condition);
    b.setInsertionPointToStart(guarded.thenBlock());
  }
  Value addressAt(unsigned memory, Value place, Type element) {
    return LLVM::GEPOp::create(b, argument(memory).getType(), element, argument(memory),
                               ArrayRef<LLVM::GEPArg>(place));
  }
  void storeAt(unsigned memory, Value place, Value value) {
    LLVM::StoreOp::create(b, value, addressAt(memory, place, value.getType()));
  }

  //===--- Dropout ---------------------------------------------------------===//
  /// A thread takes `width` neighbours at a time, and as many whole blocks of words as that needs;
  /// where width is 1, four elements that are a grid apart.
  void dropOut() {
    Value thread = whole(threadNumber());
    Value threads = whole(arith::MulIOp::create(b, numBlocks(b), threadsOfBlock(b)));
    Value width = argument(PTC_DRAW_SECOND);
    Value isSpread = isEqual(width, 1);
    Value perTurn = arith::SelectOp::create(b, isSpread, number(4), width);
    Value turns = arith::CeilDivUIOp::create(b, argument(PTC_DRAW_COUNT),
                                             arith::MulIOp::create(b, threads, perTurn));
    Value blocks = arith::SelectOp::create(b, isEqual(width, 8), number(2), number(1));
    Value perBlock = arith::SelectOp::create(b, isEqual(width, 2), number(2), number(4));
    Value step = arith::SelectOp::create(b, isSpread, threads, number(1));
    auto loop =
        scf::ForOp::create(b, number(0), arith::MulIOp::create(b, turns, blocks), number(1));
    b.setInsertionPointToStart(loop.getBody());
    Value block = loop.getInductionVar();
    Value before = arith::MulIOp::create(b, arith::DivUIOp::create(b, block, blocks), threads);
    Value spread = arith::AddIOp::create(b, arith::MulIOp::create(b, before, number(4)), thread);
    Value dense = arith::MulIOp::create(b, arith::AddIOp::create(b, before, thread), width);
    Value within = arith::MulIOp::create(b, arith::RemUIOp::create(b, block, blocks), number(4));
    Value first =
        arith::SelectOp::create(b, isSpread, spread, arith::AddIOp::create(b, dense, within));
    SmallVector<Value, 4> w =
        words(arith::AddIOp::create(b, argument(PTC_DRAW_BLOCK), block), thread);
    for (unsigned i = 0; i < 4; ++i) {
      Value place = arith::AddIOp::create(b, first, arith::MulIOp::create(b, step, number(i)));
      Value isThere = arith::AndIOp::create(b, isBelow(place, argument(PTC_DRAW_COUNT)),
                                            isBelow(number(i), perBlock));
      OpBuilder::InsertionGuard guard(b);
      guardBy(isThere);
      dropOutElement(place, w[i]);
    }
  }

  /// Floats decide for doubles, too.
  void dropOutElement(Value place, Value bits) {
    Type single = b.getF32Type();
    auto constantOf = [&](double v) -> Value {
      return arith::ConstantOp::create(b, b.getFloatAttr(single, v));
    };
    Value share = parameter(PTC_DRAW_FIRST);
    Value u =
        fma(arith::UIToFPOp::create(b, single, bits), constantOf(0x1p-32), constantOf(0x1p-33));
    Value isKept = isLess(widened(u), share);
    Value x =
        widened(LLVM::LoadOp::create(b, floatType(), addressAt(PTC_DRAW_SELF, place, floatType())));
    Value kept = times(x, arith::UIToFPOp::create(b, real, isKept));
    storeAt(PTC_DRAW_DATA, place, rounded(times(kept, reciprocal(share))));
    Value isAsked =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, argument(PTC_DRAW_MASK),
                             LLVM::ZeroOp::create(b, argument(PTC_DRAW_MASK).getType()));
    guardBy(isAsked);
    storeAt(PTC_DRAW_MASK, place, arith::ExtUIOp::create(b, b.getI8Type(), isKept));
  }
  /// Eager divides doubles.
  Value reciprocal(Value share) {
    Type wide = b.getF64Type();
    Value one = arith::ConstantOp::create(b, b.getFloatAttr(wide, 1));
    if (isDouble)
      return arith::DivFOp::create(b, one, share);
    Value quotient = arith::DivFOp::create(b, one, arith::ExtFOp::create(b, wide, share));
    return arith::TruncFOp::create(b, real, quotient);
  }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, number(y));
  }

  const cpu::DrawForm &form;
  func::FuncOp function;
  ImplicitLocOpBuilder b;
  bool isDouble;
  Type real;
};

} // namespace

static bool takesIntegers(ptc_draw_kind kind) {
  return kind == ptc_draw_Integers || kind == ptc_draw_All;
}

void ptc::cuda::emitDraw(ModuleOp module, StringRef name, const cpu::DrawForm &form, bool waits) {
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types(PTC_DRAW_ARGUMENTS, b.getI64Type());
  types[PTC_DRAW_DATA] = LLVM::LLVMPointerType::get(b.getContext());
  if (!takesIntegers(form.kind))
    types[PTC_DRAW_FIRST] = types[PTC_DRAW_SECOND] = b.getF64Type();
  if (form.kind == ptc_draw_Dropout) {
    types[PTC_DRAW_SECOND] = b.getI64Type();
    types.append(PTC_DROPOUT_ARGUMENTS - PTC_DRAW_ARGUMENTS, types[PTC_DRAW_DATA]);
  }
  auto kernel = func::FuncOp::create(b, name, b.getFunctionType(types, {}));
  kernel->setAttr(kKernelAttr, b.getUnitAttr());
  DrawEmitter(kernel, form).run();
  if (!waits)
    return;
  b.setInsertionPointToStart(&kernel.getBody().front());
  awaitKernelsBefore(b);
}
