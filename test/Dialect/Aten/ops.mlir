// RUN: ptc-opt %s | FileCheck %s
// RUN: ptc-opt %s --mlir-print-op-generic | ptc-opt | FileCheck %s
// RUN: ptc-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: @arguments
func.func @arguments(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %k: i64) {
  // CHECK: aten.add.Tensor(%[[X:.*]], %[[Y:.*]]) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // GENERIC: "aten.add.Tensor"(%{{.*}}, %{{.*}}) {args = [#aten.arg<0>, #aten.arg<1>, 1]}
  %0 = aten.add.Tensor(%x, %y, alpha = 1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: aten.add.Tensor(%[[X]], other = 2.500000e+00, alpha = %{{.*}}) : (tensor<2x3xf32>, i64)
  %1 = aten.add.Tensor(self = %x, alpha = %k, other = 2.5) : (tensor<2x3xf32>, i64) -> tensor<2x3xf32>
  // CHECK: aten.gelu(%[[X]], approximate = "tanh")
  %2 = aten.gelu(%x, approximate = "tanh") : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: aten.clamp(%[[X]], max = "B*2") : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = aten.clamp(%x, min = none, max = "B*2") : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: aten.clamp(%[[X]], min = 0xFFF0000000000000 : f64, max = #aten.complex<1.000000e+00 : f64, 0.000000e+00 : f64>)
  %4 = aten.clamp(%x, min = 0xFFF0000000000000 : f64, max = #aten.complex<1.0 : f64, 0.0 : f64>) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: @encodings
// CHECK-SAME: tensor<?x3xf32, #aten.meta<sizes = ["B", 3], strides = [1, "B"], device = "cuda:1", requires_grad>>
// CHECK-SAME: tensor<2xui8>
func.func @encodings(%x: tensor<?x3xf32, #aten.meta<sizes = ["B", 3], strides = [1, "B"], device = "cuda:1", requires_grad>>,
                     %y: tensor<2xui8>) {
  return
}

// CHECK-LABEL: @lists
func.func @lists(%x: tensor<4x6xf32>, %i: tensor<2xi64>, %n: i64) {
  // CHECK: aten.index.Tensor(%[[X:.*]], [none, %{{.*}}])
  %0 = aten.index.Tensor(%x, indices = [none, %i]) : (tensor<4x6xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  // CHECK: aten.cat([%[[X]], %{{.*}}], dim = 1)
  %1 = aten.cat([%x, %0], dim = 1) : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  // CHECK: aten.view(%[[X]], size = [%{{.*}}, "2*B", 3])
  %2 = aten.view(%x, size = [%n, "2*B", 3]) : (tensor<4x6xf32>, i64) -> tensor<?x?x3xf32, #aten.meta<sizes = ["u0", "2*B", 3]>>
  // CHECK: aten.sum.dim_IntList(%[[X]], dim = [1], dtype = f64)
  %3 = aten.sum.dim_IntList(%x, dim = [1], keepdim = false, dtype = f64) : (tensor<4x6xf32>) -> tensor<4xf64>
  // CHECK: aten.split.Tensor(%[[X]], split_size = 3) : (tensor<4x6xf32>) -> (tensor<3x6xf32>, tensor<1x6xf32>)
  %4:2 = aten.split.Tensor(%x, split_size = 3, dim = 0) : (tensor<4x6xf32>) -> (tensor<3x6xf32>, tensor<1x6xf32>)
  // CHECK: aten.clone(%[[X]], memory_format = channels_last)
  %5 = aten.clone(%x, memory_format = channels_last) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: aten.zeros(size = [2, 3], dtype = i64, device = "cuda:0")
  %6 = aten.zeros(size = [2, 3], dtype = i64, layout = none, device = "cuda:0") : () -> tensor<2x3xi64, #aten.meta<device = "cuda:0">>
  // CHECK: aten.item(%{{.*}}) : (tensor<4xf64>) -> f64
  %7 = aten.item(%3) : (tensor<4xf64>) -> f64
  return
}
