//===- AtenCreate.td - Creation, random numbers, reading by the host -*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENCREATE_TD
#define PTC_DIALECT_ATEN_IR_ATENCREATE_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Filled
//===----------------------------------------------------------------------===//

def EmptyMemoryFormatOp : AtenOp<
    "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isNoGrad = 1;
}

def ZerosOp : AtenOp<
    "zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isNoGrad = 1;
}

def OnesOp : AtenOp<
    "ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isNoGrad = 1;
}

def FullOp : AtenOp<
    "full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isNoGrad = 1;
}

def EmptyStridedOp : AtenOp<
    "empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, EmptyStrided, Fn> {
  let isNoGrad = 1;
}

def ScalarTensorOp : AtenOp<
    "scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isNoGrad = 1;
}

def EmptyLikeOp : AtenOp<
    "empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isNoGrad = 1;
}

def ZerosLikeOp : AtenOp<
    "zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isNoGrad = 1;
}

def OnesLikeOp : AtenOp<
    "ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isNoGrad = 1;
}

def FullLikeOp : AtenOp<
    "full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isNoGrad = 1;
}

def NewEmptyOp : AtenOp<
    "new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, NewFactory, Me> {
  let isNoGrad = 1;
}

def NewZerosOp : AtenOp<
    "new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, NewFactory, Me> {
  let isNoGrad = 1;
}

def NewOnesOp : AtenOp<
    "new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, NewFactory, Me> {
  let isNoGrad = 1;
}

def NewFullOp : AtenOp<
    "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, NewFactory, Me> {
  let isNoGrad = 1;
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

def ArangeOp : AtenOp<
    "arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Arange, Fn> {
  let isNoGrad = 1;
}

def ArangeStartOp : AtenOp<
    "arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Arange, Fn> {
  let isNoGrad = 1;
}

def ArangeStartStepOp : AtenOp<
    "arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Arange, Fn> {
  let isNoGrad = 1;
}

def LinspaceOp : AtenOp<
    "linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Linspace, Fn> {
  let isNoGrad = 1;
}

def EyeOp : AtenOp<
    "eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Eye, Fn> {
  let isNoGrad = 1;
}

def EyeMOp : AtenOp<
    "eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Eye, Fn> {
  let isNoGrad = 1;
}

//===----------------------------------------------------------------------===//
// Random
//===----------------------------------------------------------------------===//

def RandOp : AtenOp<
    "rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandGeneratorOp : AtenOp<
    "rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandnOp : AtenOp<
    "randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandnGeneratorOp : AtenOp<
    "randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintOp : AtenOp<
    "randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintGeneratorOp : AtenOp<
    "randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintLowOp : AtenOp<
    "randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintLowGeneratorOp : AtenOp<
    "randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandpermOp : AtenOp<
    "randperm(SymInt n, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Randperm, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandpermGeneratorOp : AtenOp<
    "randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Randperm, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandLikeOp : AtenOp<
    "rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandnLikeOp : AtenOp<
    "randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintLikeOp : AtenOp<
    "randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def RandintLikeLowDtypeOp : AtenOp<
    "randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    FromArgument, FactoryLike, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def BernoulliOp : AtenOp<
    "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom> {
  let isRandom = 1;
  let mayFail = 1;
  let kernel = "bernoulli_tensor_cpu_p_";
  let kernelTypes = Floating;
}

def BernoulliPOp : AtenOp<
    "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.bernoulli_"];
  let inplaceName = "bernoulli_.float";
  let isRandom = 1;
  let mayFail = 1;
  let kernel = "bernoulli_scalar_cpu_";
  let kernelTypes = NoComplex;
}

def UniformOp : AtenOp<
    "uniform(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.uniform_"];
  let isRandom = 1;
  let mayFail = 1;
  let kernel = "check_uniform_bounds";
  let kernelTypes = FloatingComplex;
}

def NormalFunctionalOp : AtenOp<
    "normal_functional(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.normal_"];
  let inplaceName = "normal_";
  let isRandom = 1;
  let mayFail = 1;
  let kernel = "normal_kernel_cpu";
  let kernelTypes = FloatingComplex;
}

def NormalFloatFloatOp : AtenOp<
    "normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    FromArgument, Factory, Fn> {
  let isRandom = 1;
  let isNoGrad = 1;
}

def ExponentialOp : AtenOp<
    "exponential(Tensor self, float lambd=1, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.exponential_"];
  let isRandom = 1;
  let mayFail = 1;
  let kernelTypes = Floating;
}

def LogNormalOp : AtenOp<
    "log_normal(Tensor self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.log_normal_"];
  let isRandom = 1;
  let mayFail = 1;
  let kernelTypes = Floating;
}

def CauchyOp : AtenOp<
    "cauchy(Tensor self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.cauchy_"];
  let isRandom = 1;
  let mayFail = 1;
  let kernelTypes = Floating;
}

def GeometricOp : AtenOp<
    "geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.geometric_"];
  let isRandom = 1;
  let mayFail = 1;
  let kernelTypes = RealNoBool;
}

def RandomOp : AtenOp<
    "random(Tensor self, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.random_"];
  let isRandom = 1;
  let kernel = "random_kernel_cpu";
  let kernelTypes = NoComplex;
}

def RandomToOp : AtenOp<
    "random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.random_"];
  let isRandom = 1;
}

def RandomFromOp : AtenOp<
    "random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
    SameAsSelf, RandomFrom, []> {
  let hasInplace = 1;
  let inplaceSpellings = ["Tensor.random_"];
  let isRandom = 1;
}

def MultinomialOp : AtenOp<
    "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
    IndexResult, Multinomial> {
  let isRandom = 1;
  let isNoGrad = 1;
  let mayFail = 1;
}

//===----------------------------------------------------------------------===//
// Reading by the host
//===----------------------------------------------------------------------===//

def ItemOp : AtenOp<"item(Tensor self) -> Scalar", SameAsSelf, Item, Me> {
  let isNoGrad = 1;
  let isHostRead = 1;
}

def InternalLocalScalarDenseOp : AtenOp<
    "_local_scalar_dense(Tensor self) -> Scalar",
    SameAsSelf, Item, []> {
  let isNoGrad = 1;
  let isHostRead = 1;
}

def EqualOp : AtenOp<"equal(Tensor self, Tensor other) -> bool", BoolResult, Equal> {
  let isNoGrad = 1;
  let isHostRead = 1;
}

def IsNonzeroOp : AtenOp<
    "is_nonzero(Tensor self) -> bool",
    BoolResult, Item, FM # ["Tensor.__bool__"]> {
  let isNoGrad = 1;
  let isHostRead = 1;
}

#endif // PTC_DIALECT_ATEN_IR_ATENCREATE_TD
