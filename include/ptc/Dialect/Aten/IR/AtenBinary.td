//===- AtenBinary.td - Elementwise operations on two and three operands -*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENBINARY_TD
#define PTC_DIALECT_ATEN_IR_ATENBINARY_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Arithmetic; a Python number may stand for the second tensor
//===----------------------------------------------------------------------===//

def AddTensorOp : AtenOp<
    "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__add__", "Tensor.__radd__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__iadd__"];
  let takesNumbers = 1;
  let payload = "add(self, mul(alpha, other))";
}

def AddScalarOp : AtenOp<
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let payload = "add(self, mul(alpha, other))";
}

def SubTensorOp : AtenOp<
    "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__sub__", "torch.subtract", "Tensor.subtract"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__isub__"];
  let takesNumbers = 1;
  let payload = "add(self, mul(sub(0, alpha), other))";
}

def SubScalarOp : AtenOp<
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let payload = "add(self, mul(sub(0, alpha), other))";
}

def RsubTensorOp : AtenOp<
    "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    Promote, Pointwise, Fn # ["Tensor.__rsub__"]> {
  let takesNumbers = 1;
  let payload = "add(other, mul(sub(0, alpha), self))";
}

def RsubScalarOp : AtenOp<
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    Promote, Pointwise, Fn # ["Tensor.__rsub__"]> {
  let payload = "add(other, mul(sub(0, alpha), self))";
}

def MulTensorOp : AtenOp<
    "mul.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__mul__", "Tensor.__rmul__", "torch.multiply", "Tensor.multiply"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__imul__"];
  let takesNumbers = 1;
  let payload = "mul(self, other)";
}

def MulScalarOp : AtenOp<"mul.Scalar(Tensor self, Scalar other) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let payload = "mul(self, other)";
}

def DivTensorOp : AtenOp<
    "div.Tensor(Tensor self, Tensor other) -> Tensor",
    PromoteFloat, Pointwise, FM # ["Tensor.__truediv__", "torch.true_divide", "Tensor.true_divide", "torch.divide", "Tensor.divide"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__itruediv__"];
  let takesNumbers = 1;
  let payload = "div(self, other)";
}

def DivScalarOp : AtenOp<
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "div(self, other)";
}

def DivTensorModeOp : AtenOp<
    "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    PerResult, Pointwise, FM # ["torch.divide", "Tensor.divide"]> {
  let hasInplace = 1;
  let takesNumbers = 1;
  let mayFail = 1;
  let payload = "div_mode(self, other, rounding_mode)";
}

def DivScalarModeOp : AtenOp<
    "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    PerResult, Pointwise> {
  let hasInplace = 1;
  let mayFail = 1;
  let payload = "div_mode(self, other, rounding_mode)";
}

def FloorDivideOp : AtenOp<
    "floor_divide(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__floordiv__"]> {
  let hasInplace = 1;
  let inplaceName = "floor_divide_.Tensor";
  let inplaceSpellings = ["Tensor.__ifloordiv__"];
  let takesNumbers = 1;
  let mayFail = 1;
  let kernel = "div_floor_cpu";
  let kernelTypes = RealNoBool;
  let payload = "floordiv(self, other)";
}

def FloorDivideScalarOp : AtenOp<
    "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let mayFail = 1;
  let kernel = "div_floor_cpu";
  let kernelTypes = RealNoBool;
  let payload = "floordiv(self, other)";
}

def RemainderTensorOp : AtenOp<
    "remainder.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__mod__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__imod__"];
  let takesNumbers = 1;
  let mayFail = 1;
  let kernel = "remainder_cpu";
  let kernelTypes = RealNoBool;
  let payload = "remainder(self, other)";
}

def RemainderScalarOp : AtenOp<
    "remainder.Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__mod__"]> {
  let hasInplace = 1;
  let mayFail = 1;
  let kernel = "remainder_cpu";
  let kernelTypes = RealNoBool;
  let payload = "remainder(self, other)";
}

def RemainderScalarTensorOp : AtenOp<
    "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
    Promote, Pointwise, Fn> {
  let mayFail = 1;
  let kernel = "remainder_cpu";
  let kernelTypes = RealNoBool;
  let payload = "remainder(self, other)";
}

def FmodTensorOp : AtenOp<"fmod.Tensor(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let takesNumbers = 1;
  let mayFail = 1;
  let kernel = "fmod_cpu";
  let kernelTypes = RealNoBool;
  let payload = "fmod(self, other)";
}

def FmodScalarOp : AtenOp<"fmod.Scalar(Tensor self, Scalar other) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let mayFail = 1;
  let kernel = "fmod_cpu";
  let kernelTypes = RealNoBool;
  let payload = "fmod(self, other)";
}

def PowTensorScalarOp : AtenOp<
    "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__pow__"]> {
  let hasInplace = 1;
  let inplaceName = "pow_.Scalar";
  let inplaceSpellings = ["Tensor.__ipow__"];
  let payload = "pow_number(self, exponent)";
}

// Also what `2 ** x` asks for.
def PowScalarOp : AtenOp<
    "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
    Promote, Pointwise, Fn # ["Tensor.__pow__"]> {
  let payload = "pow(self, exponent)";
  let kernel = "pow";
  let kernelTypes = NoBool;
}

def PowTensorTensorOp : AtenOp<
    "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__pow__"]> {
  let hasInplace = 1;
  let inplaceName = "pow_.Tensor";
  let inplaceSpellings = ["Tensor.__ipow__"];
  let takesNumbers = 1;
  let kernel = "pow";
  let kernelTypes = NoBool;
  let payload = "pow(self, exponent)";
}

def MaximumOp : AtenOp<"maximum(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "maximum(self, other)";
}

def MinimumOp : AtenOp<"minimum(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "minimum(self, other)";
}

def MaxOtherOp : AtenOp<"max.other(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "maximum(self, other)";
}

def MinOtherOp : AtenOp<"min.other(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "minimum(self, other)";
}

def FmaxOp : AtenOp<"fmax(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "fmax(self, other)";
}

def FminOp : AtenOp<"fmin(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernelTypes = NoComplex;
  let payload = "fmin(self, other)";
}

def Atan2Op : AtenOp<
    "atan2(Tensor self, Tensor other) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arctan2", "Tensor.arctan2"]> {
  let hasInplace = 1;
  let kernel = "atan2_cpu";
  let kernelTypes = NoComplex;
  let payload = "atan2(self, other)";
}

def HypotOp : AtenOp<"hypot(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let kernel = "hypot_cpu";
  let kernelTypes = Floating;
  let payload = "hypot(self, other)";
}

def CopysignTensorOp : AtenOp<
    "copysign.Tensor(Tensor self, Tensor other) -> Tensor",
    PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let takesNumbers = 1;
  let kernelTypes = NoComplex;
  let payload = "copysign(self, other)";
}

def XlogyTensorOp : AtenOp<
    "xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
    PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = NoComplex;
  let payload = "xlogy(self, other)";
}

def LogaddexpOp : AtenOp<"logaddexp(Tensor self, Tensor other) -> Tensor", Promote, Pointwise> {
  let kernel = "logaddexp_cpu";
  let kernelTypes = FloatingComplex;
  let payload = "logaddexp(self, other)";
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

def EqTensorOp : AtenOp<
    "eq.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__eq__"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "eq(self, other)";
}

def EqScalarOp : AtenOp<
    "eq.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__eq__"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "eq(self, other)";
}

def NeTensorOp : AtenOp<
    "ne.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__ne__", "torch.not_equal", "Tensor.not_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "ne(self, other)";
}

def NeScalarOp : AtenOp<
    "ne.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__ne__", "torch.not_equal", "Tensor.not_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "ne(self, other)";
}

def LtTensorOp : AtenOp<
    "lt.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__lt__", "torch.less", "Tensor.less"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "lt_cpu";
  let kernelTypes = NoComplex;
  let payload = "lt(self, other)";
}

def LtScalarOp : AtenOp<
    "lt.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__lt__", "torch.less", "Tensor.less"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "lt_cpu";
  let kernelTypes = NoComplex;
  let payload = "lt(self, other)";
}

def LeTensorOp : AtenOp<
    "le.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__le__", "torch.less_equal", "Tensor.less_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "le_cpu";
  let kernelTypes = NoComplex;
  let payload = "le(self, other)";
}

def LeScalarOp : AtenOp<
    "le.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__le__", "torch.less_equal", "Tensor.less_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "le_cpu";
  let kernelTypes = NoComplex;
  let payload = "le(self, other)";
}

def GtTensorOp : AtenOp<
    "gt.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__gt__", "torch.greater", "Tensor.greater"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "gt_cpu";
  let kernelTypes = NoComplex;
  let payload = "gt(self, other)";
}

def GtScalarOp : AtenOp<
    "gt.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__gt__", "torch.greater", "Tensor.greater"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "gt_cpu";
  let kernelTypes = NoComplex;
  let payload = "gt(self, other)";
}

def GeTensorOp : AtenOp<
    "ge.Tensor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__ge__", "torch.greater_equal", "Tensor.greater_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "ge_cpu";
  let kernelTypes = NoComplex;
  let payload = "ge(self, other)";
}

def GeScalarOp : AtenOp<
    "ge.Scalar(Tensor self, Scalar other) -> Tensor",
    BoolResult, Pointwise, FM # ["Tensor.__ge__", "torch.greater_equal", "Tensor.greater_equal"]> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let kernel = "ge_cpu";
  let kernelTypes = NoComplex;
  let payload = "ge(self, other)";
}

//===----------------------------------------------------------------------===//
// Logical and bitwise
//===----------------------------------------------------------------------===//

def LogicalAndOp : AtenOp<
    "logical_and(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "and(ne(self, 0), ne(other, 0))";
}

def LogicalOrOp : AtenOp<"logical_or(Tensor self, Tensor other) -> Tensor", BoolResult, Pointwise> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "or(ne(self, 0), ne(other, 0))";
}

def LogicalXorOp : AtenOp<
    "logical_xor(Tensor self, Tensor other) -> Tensor",
    BoolResult, Pointwise> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "xor(ne(self, 0), ne(other, 0))";
}

def BitwiseAndTensorOp : AtenOp<
    "bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__and__", "Tensor.__rand__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__iand__"];
  let kernel = "bitwise_and_cpu";
  let kernelTypes = IntegralBool;
  let payload = "and(self, other)";
}

def BitwiseAndScalarOp : AtenOp<
    "bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__and__", "Tensor.__rand__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__iand__"];
  let kernel = "bitwise_and_cpu";
  let kernelTypes = IntegralBool;
  let payload = "and(self, other)";
}

def BitwiseOrTensorOp : AtenOp<
    "bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__or__", "Tensor.__ror__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ior__"];
  let kernel = "bitwise_or_cpu";
  let kernelTypes = IntegralBool;
  let payload = "or(self, other)";
}

def BitwiseOrScalarOp : AtenOp<
    "bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__or__", "Tensor.__ror__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ior__"];
  let kernel = "bitwise_or_cpu";
  let kernelTypes = IntegralBool;
  let payload = "or(self, other)";
}

def BitwiseXorTensorOp : AtenOp<
    "bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__xor__", "Tensor.__rxor__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ixor__"];
  let kernel = "bitwise_xor_cpu";
  let kernelTypes = IntegralBool;
  let payload = "xor(self, other)";
}

def BitwiseXorScalarOp : AtenOp<
    "bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__xor__", "Tensor.__rxor__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ixor__"];
  let kernel = "bitwise_xor_cpu";
  let kernelTypes = IntegralBool;
  let payload = "xor(self, other)";
}

def BitwiseLeftShiftTensorOp : AtenOp<
    "bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__lshift__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ilshift__"];
  let kernel = "lshift_cpu";
  let kernelTypes = IntegralOnly;
  let payload = "left_shift(self, other)";
}

def BitwiseLeftShiftTensorScalarOp : AtenOp<
    "bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__lshift__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__ilshift__"];
  let kernel = "lshift_cpu";
  let kernelTypes = IntegralOnly;
  let payload = "left_shift(self, other)";
}

def BitwiseRightShiftTensorOp : AtenOp<
    "bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__rshift__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__irshift__"];
  let kernel = "rshift_cpu";
  let kernelTypes = IntegralOnly;
  let payload = "right_shift(self, other)";
}

def BitwiseRightShiftTensorScalarOp : AtenOp<
    "bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
    Promote, Pointwise, FM # ["Tensor.__rshift__"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.__irshift__"];
  let kernel = "rshift_cpu";
  let kernelTypes = IntegralOnly;
  let payload = "right_shift(self, other)";
}

//===----------------------------------------------------------------------===//
// Clamping, selection and three operands
//===----------------------------------------------------------------------===//

def ClampOp : AtenOp<
    "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
    Promote, Pointwise, FM # ["torch.clip", "Tensor.clip"]> {
  let hasInplace = 1;
  let operandNames = ["self", "min", "max"];
  let kernelTypes = RealNoBool;
  let payload = "clamp(self, min, max)";
}

def ClampTensorOp : AtenOp<
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    Promote, Pointwise, FM # ["torch.clip", "Tensor.clip"]> {
  let hasInplace = 1;
  let operandNames = ["self", "min", "max"];
  let payload = "clamp(self, min, max)";
  let kernelTypes = NoComplex;
}

def ClampMinOp : AtenOp<"clamp_min(Tensor self, Scalar min) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let operandNames = ["self", "min"];
  let kernelTypes = RealNoBool;
  let payload = "maximum(self, min)";
}

def ClampMinTensorOp : AtenOp<
    "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let operandNames = ["self", "min"];
  let kernel = "maximum_cpu";
  let kernelTypes = NoComplex;
  let payload = "maximum(self, min)";
}

def ClampMaxOp : AtenOp<"clamp_max(Tensor self, Scalar max) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let operandNames = ["self", "max"];
  let kernelTypes = RealNoBool;
  let payload = "minimum(self, max)";
}

def ClampMaxTensorOp : AtenOp<
    "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let operandNames = ["self", "max"];
  let kernel = "minimum_cpu";
  let kernelTypes = NoComplex;
  let payload = "minimum(self, max)";
}

def WhereSelfOp : AtenOp<
    "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
    Promote, Where> {
  let operandNames = ["self", "other"];
  let payload = "select(condition, self, other)";
}

def WhereScalarSelfOp : AtenOp<
    "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
    Promote, Where, Fn> {
  let operandNames = ["self", "other"];
  let payload = "select(condition, self, other)";
}

def WhereScalarOtherOp : AtenOp<
    "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
    Promote, Where> {
  let operandNames = ["self", "other"];
  let payload = "select(condition, self, other)";
}

def WhereScalarOp : AtenOp<
    "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
    Promote, Where, Fn> {
  let operandNames = ["self", "other"];
  let payload = "select(condition, self, other)";
}

def MaskedFillScalarOp : AtenOp<
    "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
    SameAsSelf, MaskedFill> {
  let hasInplace = 1;
  let payload = "select(mask, value, self)";
}

def MaskedFillTensorOp : AtenOp<
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    SameAsSelf, MaskedFill> {
  let hasInplace = 1;
  let payload = "select(mask, value, self)";
}

def LerpScalarOp : AtenOp<
    "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
    SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "lerp_kernel_scalar";
  let kernelTypes = FloatingComplex;
  let payload = "lerp(self, end, weight)";
}

def LerpTensorOp : AtenOp<
    "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
    SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "lerp_kernel_tensor";
  let kernelTypes = FloatingComplex;
  let payload = "lerp(self, end, weight)";
}

def AddcmulOp : AtenOp<
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let kernel = "addcmul_cpu_out";
  let kernelTypes = NoBool;
  let payload = "add(self, mul(mul(value, tensor1), tensor2))";
}

def AddcdivOp : AtenOp<
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    Promote, Pointwise> {
  let hasInplace = 1;
  let payload = "add(self, div(mul(value, tensor1), tensor2))";
}

def CopyOp : AtenOp<
    "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
    SameAsSelf, Copy, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.copy_"];
  let payload = "src";
}

def FillScalarOp : AtenOp<
    "fill.Scalar(Tensor self, Scalar value) -> Tensor",
    SameAsSelf, Fill, Fn> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.fill_"];
  let payload = "value";
}

def FillTensorOp : AtenOp<
    "fill.Tensor(Tensor self, Tensor value) -> Tensor",
    SameAsSelf, Fill, Fn> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.fill_"];
  let payload = "value";
}

def ZeroOp : AtenOp<"zero(Tensor self) -> Tensor", SameAsSelf, Fill, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["torch.zero_", "Tensor.zero_"];
  let payload = "0";
}

#endif // PTC_DIALECT_ATEN_IR_ATENBINARY_TD
