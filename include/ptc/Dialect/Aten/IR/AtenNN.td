//===- AtenNN.td - Products, convolutions, pooling, normalisation, losses -*- tablegen -*-===//
#ifndef PTC_DIALECT_ATEN_IR_ATENNN_TD
#define PTC_DIALECT_ATEN_IR_ATENNN_TD

include "ptc/Dialect/Aten/IR/AtenBase.td"

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

def MmOp : AtenOp<"mm(Tensor self, Tensor mat2) -> Tensor", SameAsSelf, Mm> {
  let kernel = "addmm_impl_cpu_";
  let kernelTypes = NoBool;
}

def BmmOp : AtenOp<"bmm(Tensor self, Tensor mat2) -> Tensor", SameAsSelf, Bmm> {
  let kernel = "bmm";
  let kernelTypes = NoBool;
}

def MvOp : AtenOp<"mv(Tensor self, Tensor vec) -> Tensor", SameAsSelf, Mv> {
  let kernel = "addmv_impl_cpu";
  let kernelTypes = NoBool;
}

def DotOp : AtenOp<"dot(Tensor self, Tensor tensor) -> Tensor", SameAsSelf, Dot> {
  let kernel = "dot";
  let kernelTypes = NoBool;
}

def OuterOp : AtenOp<"outer(Tensor self, Tensor vec2) -> Tensor", Promote, Outer>;

def AddmmOp : AtenOp<
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    SameAsSelf, Addmm> {
  let hasInplace = 1;
  let kernel = "addmm_impl_cpu_";
  let kernelTypes = NoBool;
}

def BaddbmmOp : AtenOp<
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    SameAsSelf, Baddbmm> {
  let hasInplace = 1;
  let kernel = "baddbmm";
  let kernelTypes = NoBool;
}

def AddmvOp : AtenOp<
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    SameAsSelf, Addmv> {
  let hasInplace = 1;
  let kernel = "addmv_impl_cpu";
  let kernelTypes = NoBool;
}

def MatmulOp : AtenOp<
    "matmul(Tensor self, Tensor other) -> Tensor",
    SameAsSelf, Matmul, FM # ["Tensor.__matmul__"]>;

def LinearOp : AtenOp<
    "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    SameAsSelf, Linear, ["torch._C._nn.linear", "torch.nn.functional.linear"]> {
  let kernel = "addmm_impl_cpu_";
  let kernelTypes = NoBool;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

def ConvolutionOp : AtenOp<
    "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor",
    SameAsSelf, Convolution, Fn> {
  let byProcessor = VolumesOf16Bits;
  let kernel = "slow_conv2d_cpu";
  let kernelTypes = RealNoBool;
}

def Conv1dOp : AtenOp<
    "conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNd, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv2d_cpu";
  let kernelTypes = NoBool;
}

def Conv1dPaddingOp : AtenOp<
    "conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding=\"valid\", SymInt[1] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNdPadding, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv2d_cpu";
  let kernelTypes = NoBool;
}

def Conv2dOp : AtenOp<
    "conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNd, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv2d_cpu";
  let kernelTypes = NoBool;
}

def Conv2dPaddingOp : AtenOp<
    "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding=\"valid\", SymInt[2] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNdPadding, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv2d_cpu";
  let kernelTypes = NoBool;
}

def Conv3dOp : AtenOp<
    "conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNd, Fn # ["torch.nn.functional.*"]> {
  let byProcessor = VolumesOf16Bits;
  let kernel = "compute_columns3d";
  let kernelTypes = NoBool;
}

def Conv3dPaddingOp : AtenOp<
    "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding=\"valid\", SymInt[3] dilation=1, SymInt groups=1) -> Tensor",
    SameAsSelf, ConvNdPadding, Fn # ["torch.nn.functional.*"]> {
  let byProcessor = VolumesOf16Bits;
  let kernel = "compute_columns3d";
  let kernelTypes = NoBool;
}

def ConvTranspose1dOp : AtenOp<
    "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) -> Tensor",
    SameAsSelf, ConvTranspose, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv_transpose2d_out_cpu";
  let kernelTypes = FloatingComplexLong;
}

def ConvTranspose2dInputOp : AtenOp<
    "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] dilation=1) -> Tensor",
    SameAsSelf, ConvTranspose, Fn # ["torch.nn.functional.*"]> {
  let kernel = "slow_conv_transpose2d_out_cpu";
  let kernelTypes = FloatingComplexLong;
}

def ConvTranspose3dInputOp : AtenOp<
    "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] dilation=1) -> Tensor",
    SameAsSelf, ConvTranspose, Fn # ["torch.nn.functional.*"]> {
  let byProcessor = VolumesOf16Bits;
  let kernel = "slow_conv_transpose3d_out_cpu";
  let kernelTypes = FloatingComplexLong;
}

//===----------------------------------------------------------------------===//
// Pooling and resizing
//===----------------------------------------------------------------------===//

def MaxPool1dOp : AtenOp<
    "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor",
    SameAsSelf, MaxPool, Fn> {
  let kernel = "max_pool1d_impl";
  let kernelTypes = Floating;
}

def MaxPool2dOp : AtenOp<
    "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
    SameAsSelf, MaxPool, Fn> {
  let kernel = "max_pool2d";
  let kernelTypes = RealNoBool;
}

def MaxPool3dOp : AtenOp<
    "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor",
    SameAsSelf, MaxPool, Fn> {
  let kernel = "max_pool3d";
  let kernelTypes = RealNoBool;
}

def MaxPool2dWithIndicesOp : AtenOp<
    "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    PerResult, MaxPool, ["torch._C._nn.max_pool2d_with_indices"]> {
  let kernel = "max_pool2d";
  let kernelTypes = RealNoBool;
}

def AvgPool1dOp : AtenOp<
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
    SameAsSelf, AvgPool, Fn # ["torch.nn.functional.*"]> {
  let kernel = "avg_pool2d";
  let kernelTypes = FloatingLong;
}

def AvgPool2dOp : AtenOp<
    "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    SameAsSelf, AvgPool, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "avg_pool2d";
  let kernelTypes = FloatingLong;
}

def AvgPool3dOp : AtenOp<
    "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    SameAsSelf, AvgPool, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "avg_pool3d_out_frame";
  let kernelTypes = FloatingLongNoHalf;
}

def AdaptiveAvgPool1dOp : AtenOp<
    "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
    SameAsSelf, AdaptivePool, Fn # ["torch.nn.functional.*"]>;

def AdaptiveAvgPool2dOp : AtenOp<
    "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    SameAsSelf, AdaptivePool, ["torch._C._nn.adaptive_avg_pool2d"]>;

def InternalAdaptiveAvgPool2dOp : AtenOp<
    "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    SameAsSelf, AdaptivePool, []> {
  let kernel = "adaptive_avg_pool2d";
  let kernelTypes = Floating;
}

def AdaptiveMaxPool2dOp : AtenOp<
    "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
    PerResult, AdaptivePool, ["torch._C._nn.adaptive_max_pool2d"]> {
  let kernel = "adaptive_max_pool2d";
  let kernelTypes = Floating;
}

def UpsampleNearest1dVecOp : AtenOp<
    "upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    SameAsSelf, Upsample, ["torch._C._nn.*"]> {
  let kernel = "compute_indices_weights_nearest";
  let kernelTypes = FloatingByte;
}

def UpsampleNearest2dVecOp : AtenOp<
    "upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
    SameAsSelf, Upsample, ["torch._C._nn.*"]> {
  let kernel = "upsample_nearest2d_channels_last";
  let kernelTypes = FloatingByte;
}

def UpsampleBilinear2dVecOp : AtenOp<
    "upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor",
    SameAsSelf, Upsample, ["torch._C._nn.*"]> {
  let kernel = "upsample_bilinear2d_channels_last";
  let kernelTypes = FloatingByte;
}

def UpsampleNearest2dOp : AtenOp<
    "upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor",
    SameAsSelf, Upsample, ["torch._C._nn.*"]> {
  let kernel = "upsample_nearest2d_channels_last";
  let kernelTypes = FloatingByte;
}

def UpsampleBilinear2dOp : AtenOp<
    "upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor",
    SameAsSelf, Upsample, ["torch._C._nn.*"]> {
  let kernel = "upsample_bilinear2d_channels_last";
  let kernelTypes = FloatingByte;
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

def LayerNormOp : AtenOp<
    "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor",
    SameAsSelf, LayerNorm, Fn>;

def NativeLayerNormOp : AtenOp<
    "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
    PerResult, LayerNorm, Fn>;

def GroupNormOp : AtenOp<
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
    SameAsSelf, GroupNorm, Fn> {
  let kernel = "GroupNormKernelImpl";
  let kernelTypes = Floating;
}

def NativeGroupNormOp : AtenOp<
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
    PerResult, NativeGroupNorm, Fn> {
  let kernel = "GroupNormKernelImpl";
  let kernelTypes = Floating;
}

def RmsNormOp : AtenOp<
    "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
    SameAsSelf, RmsNorm, Fn> {
  let kernel = "rms_norm";
  let kernelTypes = FloatingComplex;
}

def InstanceNormOp : AtenOp<
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    SameAsSelf, BatchNorm, Fn> {
  let isMutating = 1;
  let updatesWhen = "use_input_stats";
  let kernel = "batch_norm";
  let kernelTypes = Floating;
}

def BatchNormOp : AtenOp<
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    SameAsSelf, BatchNorm, Fn> {
  let isMutating = 1;
  let valueForm = "_native_batch_norm_legit_functional";
  let updatesWhen = "training";
  let kernel = "batch_norm";
  let kernelTypes = Floating;
}

def NativeBatchNormOp : AtenOp<
    "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    PerResult, NativeBatchNorm, Fn> {
  let isMutating = 1;
  let valueForm = "_native_batch_norm_legit_functional";
  let updatesWhen = "training";
  let kernel = "batch_norm";
  let kernelTypes = Floating;
}

def InternalNativeBatchNormLegitFunctionalOp : AtenOp<
    "_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
    PerResult, NativeBatchNorm, []> {
  let kernel = "batch_norm";
  let kernelTypes = Floating;
}

def InternalNativeBatchNormLegitNoTrainingOp : AtenOp<
    "_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
    PerResult, NativeBatchNorm, []> {
  let kernel = "batch_norm";
  let kernelTypes = Floating;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def ScaledDotProductAttentionOp : AtenOp<
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
    SameAsSelf, Attention, ["torch._C._nn.*", "torch.nn.functional.*"]>;

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

def DropoutOp : AtenOp<
    "dropout(Tensor input, float p, bool train) -> Tensor",
    SameAsSelf, Dropout, Fn> {
  let hasInplace = 1;
  let isRandom = 1;
}

def NativeDropoutOp : AtenOp<
    "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
    PerResult, Dropout, Fn> {
  let isRandom = 1;
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

def MseLossOp : AtenOp<
    "mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
    Promote, Loss, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "mse_cpu";
  let kernelTypes = Floating;
}

def L1LossOp : AtenOp<
    "l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
    Promote, Loss, ["torch._C._nn.l1_loss", "torch.nn.functional.l1_loss"]>;

def SmoothL1LossOp : AtenOp<
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
    Promote, Loss, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "smooth_l1_cpu";
  let kernelTypes = Floating;
}

def HuberLossOp : AtenOp<
    "huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
    Promote, Loss, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let kernel = "huber_cpu";
  let kernelTypes = Floating;
}

def BinaryCrossEntropyOp : AtenOp<
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor",
    SameFloat, Loss, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let mayFail = 1;
  let kernel = "binary_cross_entropy";
  let kernelTypes = Floating;
}

def BinaryCrossEntropyWithLogitsOp : AtenOp<
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=Mean) -> Tensor",
    Promote, Loss, Fn> {
  let kernel = "log_sigmoid_cpu";
  let kernelTypes = Floating;
}

def KlDivOp : AtenOp<
    "kl_div(Tensor self, Tensor target, int reduction=Mean, *, bool log_target=False) -> Tensor",
    Promote, Loss, Fn>;

def NllLossNdOp : AtenOp<
    "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor",
    SameFloat, Nll, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let mayFail = 1;
  let kernel = "nll_loss_out_frame";
  let kernelTypes = Floating;
}

def NllLossOp : AtenOp<
    "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor",
    SameFloat, Nll, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let mayFail = 1;
  let kernel = "nll_loss_out_frame";
  let kernelTypes = Floating;
}

def NllLossForwardOp : AtenOp<
    "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
    PerResult, Nll, ["torch._C._nn.nll_loss_forward"]> {
  let mayFail = 1;
  let kernel = "nll_loss_out_frame";
  let kernelTypes = Floating;
}

def CrossEntropyLossOp : AtenOp<
    "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor",
    SameFloat, CrossEntropy, ["torch._C._nn.*", "torch.nn.functional.*"]> {
  let mayFail = 1;
  let kernel = "log_softmax_lastdim_kernel_impl";
  let kernelTypes = Floating;
}

#endif // PTC_DIALECT_ATEN_IR_ATENNN_TD
