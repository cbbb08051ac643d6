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
