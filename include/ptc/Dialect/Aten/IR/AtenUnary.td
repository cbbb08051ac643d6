//===- AtenUnary.td - Elementwise operations on one operand ------*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENUNARY_TD
#define PTC_DIALECT_ATEN_IR_ATENUNARY_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Unary arithmetic
//===----------------------------------------------------------------------===//

def AbsOp : AtenOp<
    "abs(Tensor self) -> Tensor",
    RealOfSelf, Pointwise, FM # ["Tensor.__abs__", "torch.absolute", "Tensor.absolute"]> {
  let hasInplace = 1;
  let kernelTypes = NoBool;
  let payload = "abs(self)";
}

def NegOp : AtenOp<
    "neg(Tensor self) -> Tensor",
    SameAsSelf, Pointwise, FM # ["Tensor.__neg__", "torch.negative", "Tensor.negative"]> {
  let hasInplace = 1;
  let payload = "neg(self)";
}

def SignOp : AtenOp<"sign(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let payload = "sign(self)";
}

def SgnOp : AtenOp<"sgn(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let payload = "sign(self)";
}

def SquareOp : AtenOp<"square(Tensor self) -> Tensor", Promote, Pointwise> {
  let hasInplace = 1;
  let payload = "mul(self, self)";
}

def ReciprocalOp : AtenOp<"reciprocal(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "div(1, self)";
}

def FloorOp : AtenOp<"floor(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "floor_vml_cpu";
  let kernelTypes = RealNoBool;
  let payload = "floor(self)";
}

def CeilOp : AtenOp<"ceil(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "ceil_vml_cpu";
  let kernelTypes = RealNoBool;
  let payload = "ceil(self)";
}

def TruncOp : AtenOp<
    "trunc(Tensor self) -> Tensor",
    SameAsSelf, Pointwise, FM # ["torch.fix", "Tensor.fix"]> {
  let hasInplace = 1;
  let kernel = "trunc_vml_cpu";
  let kernelTypes = RealNoBool;
  let payload = "trunc(self)";
}

def RoundOp : AtenOp<"round(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "round_vml_cpu";
  let kernelTypes = RealNoBool;
  let payload = "roundeven(self)";
}

def RoundDecimalsOp : AtenOp<
    "round.decimals(Tensor self, *, int decimals) -> Tensor",
    SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = Floating;
  let payload = "div(roundeven(mul(self, pow(10, decimals))), pow(10, decimals))";
}

def FracOp : AtenOp<"frac(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernel = "frac_cpu";
  let kernelTypes = Floating;
  let payload = "sub(self, trunc(self))";
}

def BitwiseNotOp : AtenOp<
    "bitwise_not(Tensor self) -> Tensor",
    SameAsSelf, Pointwise, FM # ["Tensor.__invert__"]> {
  let hasInplace = 1;
  let kernelTypes = IntegralBool;
  let payload = "not(self)";
}

//===----------------------------------------------------------------------===//
// Unary functions
//===----------------------------------------------------------------------===//

def SqrtOp : AtenOp<"sqrt(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "sqrt(self)";
}

def RsqrtOp : AtenOp<"rsqrt(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "div(1, sqrt(self))";
}

def ExpOp : AtenOp<"exp(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "exp(self)";
}

def Exp2Op : AtenOp<
    "exp2(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.exp2"]> {
  let hasInplace = 1;
  let payload = "exp2(self)";
}

def Expm1Op : AtenOp<
    "expm1(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.expm1"]> {
  let hasInplace = 1;
  let payload = "expm1(self)";
}

def LogOp : AtenOp<"log(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "log(self)";
}

def Log2Op : AtenOp<"log2(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "log2(self)";
}

def Log10Op : AtenOp<"log10(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "log10(self)";
}

def Log1pOp : AtenOp<
    "log1p(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.log1p"]> {
  let hasInplace = 1;
  let payload = "log1p(self)";
}

def SinOp : AtenOp<"sin(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "sin(self)";
}

def CosOp : AtenOp<"cos(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "cos(self)";
}

def TanOp : AtenOp<"tan(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "tan(self)";
}

def AsinOp : AtenOp<
    "asin(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arcsin", "Tensor.arcsin"]> {
  let hasInplace = 1;
  let payload = "asin(self)";
}

def AcosOp : AtenOp<
    "acos(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arccos", "Tensor.arccos"]> {
  let hasInplace = 1;
  let payload = "acos(self)";
}

def AtanOp : AtenOp<
    "atan(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arctan", "Tensor.arctan"]> {
  let hasInplace = 1;
  let payload = "atan(self)";
}

def SinhOp : AtenOp<"sinh(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "sinh(self)";
}

def CoshOp : AtenOp<"cosh(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let payload = "cosh(self)";
}

def TanhOp : AtenOp<
    "tanh(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.nn.functional.tanh"]> {
  let hasInplace = 1;
  let payload = "tanh(self)";
}

def AsinhOp : AtenOp<
    "asinh(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arcsinh", "Tensor.arcsinh"]> {
  let hasInplace = 1;
  let payload = "asinh(self)";
}

def AcoshOp : AtenOp<
    "acosh(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arccosh", "Tensor.arccosh"]> {
  let hasInplace = 1;
  let payload = "acosh(self)";
}

def AtanhOp : AtenOp<
    "atanh(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.arctanh", "Tensor.arctanh"]> {
  let hasInplace = 1;
  let payload = "atanh(self)";
}

def SigmoidOp : AtenOp<
    "sigmoid(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.nn.functional.sigmoid", "torch.special.expit"]> {
  let hasInplace = 1;
  let payload = "div(1, add(1, exp(neg(self))))";
}

def ErfOp : AtenOp<
    "erf(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.erf"]> {
  let hasInplace = 1;
  let kernel = "erf_vml_cpu";
  let kernelTypes = NoComplex;
  let payload = "erf(self)";
}

def ErfcOp : AtenOp<
    "erfc(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.erfc"]> {
  let hasInplace = 1;
  let kernel = "erfc_vml_cpu";
  let kernelTypes = NoComplex;
  let payload = "erfc(self)";
}

def ErfinvOp : AtenOp<
    "erfinv(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.erfinv"]> {
  let hasInplace = 1;
  let kernel = "erfinv_vml_cpu";
  let kernelTypes = NoComplex;
  let payload = "erfinv(self)";
}

def LgammaOp : AtenOp<
    "lgamma(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.gammaln"]> {
  let hasInplace = 1;
  let kernel = "lgamma_vml_cpu";
  let kernelTypes = NoComplex;
  let payload = "lgamma(self)";
}

def DigammaOp : AtenOp<
    "digamma(Tensor self) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.digamma"]> {
  let hasInplace = 1;
  let kernel = "digamma";
  let kernelTypes = NoComplex;
  let payload = "digamma(self)";
}

def Deg2radOp : AtenOp<"deg2rad(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = NoComplex;
  let payload = "mul(self, 0.017453292519943295)";
}

def Rad2degOp : AtenOp<"rad2deg(Tensor self) -> Tensor", PromoteFloat, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = NoComplex;
  let payload = "mul(self, 57.29577951308232)";
}

def LogitOp : AtenOp<
    "logit(Tensor self, float? eps=None) -> Tensor",
    PromoteFloat, Pointwise, FM # ["torch.special.logit"]> {
  let hasInplace = 1;
  let kernelTypes = NoComplex;
  let payload = "logit(self, eps)";
}

def NanToNumOp : AtenOp<
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = AllTypes;
  let payload = "nan_to_num(self, nan, posinf, neginf)";
}

//===----------------------------------------------------------------------===//
// Tests of elements
//===----------------------------------------------------------------------===//

def IsnanOp : AtenOp<"isnan(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let payload = "isnan(self)";
}

def IsinfOp : AtenOp<"isinf(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let payload = "isinf(self)";
}

def IsfiniteOp : AtenOp<"isfinite(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let payload = "isfinite(self)";
}

def IsposinfOp : AtenOp<"isposinf(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let kernelTypes = NoComplex;
  let payload = "eq(self, inf)";
}

def IsneginfOp : AtenOp<"isneginf(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let kernelTypes = NoComplex;
  let payload = "eq(self, neg(inf))";
}

def SignbitOp : AtenOp<"signbit(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let isNoGrad = 1;
  let kernelTypes = NoComplex;
  let payload = "signbit(self)";
}

def LogicalNotOp : AtenOp<"logical_not(Tensor self) -> Tensor", BoolResult, Pointwise> {
  let hasInplace = 1;
  let isNoGrad = 1;
  let payload = "eq(self, 0)";
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def ReluOp : AtenOp<"relu(Tensor self) -> Tensor", SameAsSelf, Pointwise> {
  let hasInplace = 1;
  let kernelTypes = RealNoBool;
  let payload = "max(self, 0)";
}

def Relu6Op : AtenOp<
    "relu6(Tensor self) -> Tensor",
    SameAsSelf, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*", "torch.nn.functional.relu6"]> {
  let hasInplace = 1;
  let kernelTypes = RealNoBool;
  let payload = "min(max(self, 0), 6)";
}

def GeluOp : AtenOp<
    "gelu(Tensor self, *, str approximate='none') -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let byProcessor = GeluOfFloats;
  let kernel = "GeluKernelImpl";
  let kernelTypes = Floating;
  let payload = "gelu(self, approximate)";
}

def SiluOp : AtenOp<
    "silu(Tensor self) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "silu_cpu";
  let kernelTypes = FloatingComplex;
  let payload = "div(self, add(1, exp(neg(self))))";
}

def MishOp : AtenOp<
    "mish(Tensor self) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "mish_cpu";
  let kernelTypes = Floating;
  let payload = "mul(self, tanh(log1p(exp(self))))";
}

def HardtanhOp : AtenOp<
    "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
    SameAsSelf, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernelTypes = RealNoBool;
  let payload = "min(max(self, min_val), max_val)";
}

def HardsigmoidOp : AtenOp<
    "hardsigmoid(Tensor self) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "hardsigmoid_cpu";
  let kernelTypes = Floating;
  let payload = "div(min(max(add(self, 3), 0), 6), 6)";
}

def HardswishOp : AtenOp<
    "hardswish(Tensor self) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "hardswish_cpu";
  let kernelTypes = Floating;
  let payload = "div(mul(self, min(max(add(self, 3), 0), 6)), 6)";
}

def LeakyReluOp : AtenOp<
    "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "leaky_relu_cpu";
  let kernelTypes = Floating;
  let payload = "select(gt(self, 0), self, mul(self, negative_slope))";
}

def EluOp : AtenOp<
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let hasInplace = 1;
  let kernel = "elu_cpu";
  let kernelTypes = Floating;
  let payload = "select(lt(self, 0), mul(mul(alpha, scale), expm1(mul(self, input_scale))), mul(self, scale))";
}

def CeluOp : AtenOp<
    "celu(Tensor self, Scalar alpha=1.0) -> Tensor",
    SameFloat, Pointwise, Fn # ["torch.nn.functional.celu"]> {
  let hasInplace = 1;
  let kernel = "elu_cpu";
  let kernelTypes = Floating;
  let payload = "select(lt(self, 0), mul(alpha, expm1(div(self, alpha))), self)";
}

def SeluOp : AtenOp<
    "selu(Tensor self) -> Tensor",
    SameFloat, Pointwise, Fn # ["torch.nn.functional.selu"]> {
  let hasInplace = 1;
  let kernel = "elu_cpu";
  let kernelTypes = Floating;
  let payload = "select(lt(self, 0), mul(1.7580993408473766, expm1(self)), mul(self, 1.0507009873554805))";
}

def SoftplusOp : AtenOp<
    "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "softplus_cpu";
  let kernelTypes = Floating;
  let payload = "select(gt(mul(self, beta), threshold), self, div(log1p(exp(mul(self, beta))), beta))";
}

def LogSigmoidOp : AtenOp<
    "log_sigmoid(Tensor self) -> Tensor",
    SameFloat, Pointwise, ["torch.nn.functional.logsigmoid"]> {
  let kernel = "log_sigmoid_cpu";
  let kernelTypes = Floating;
  let payload = "sub(min(self, 0), log1p(exp(neg(abs(self)))))";
}

def SoftshrinkOp : AtenOp<
    "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    SameFloat, Pointwise, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "softshrink_check";
  let kernelTypes = Floating;
  let payload = "select(gt(self, lambd), sub(self, lambd), select(lt(self, neg(lambd)), add(self, lambd), mul(self, 0)))";
}

def HardshrinkOp : AtenOp<
    "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
    SameFloat, Pointwise, FM # ["torch.nn.functional.*"]> {
  let kernel = "hardshrink_cpu";
  let kernelTypes = Floating;
  let payload = "select(ge(self, neg(lambd)), select(le(self, lambd), 0, self), self)";
}

def ThresholdOp : AtenOp<
    "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
    SameAsSelf, Pointwise, Fn # ["torch.nn.functional.*"]> {
  let hasInplace = 1;
  let inplaceSpellings = ["torch.threshold_", "torch.nn.functional.threshold_"];
  let kernel = "threshold_cpu";
  let kernelTypes = RealNoBool;
  let payload = "select(le(self, threshold), value, self)";
}

def GluOp : AtenOp<
    "glu(Tensor self, int dim=-1) -> Tensor",
    SameFloat, Glu, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "glu_cpu";
  let kernelTypes = Floating;
}

def PreluOp : AtenOp<
    "prelu(Tensor self, Tensor weight) -> Tensor",
    SameFloat, Prelu, FM # ["torch.nn.functional.prelu"]> {
  let kernel = "prelu_cpu";
  let kernelTypes = Floating;
}

#endif // PTC_DIALECT_ATEN_IR_ATENUNARY_TD
