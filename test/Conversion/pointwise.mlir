// What becomes a kernel, with which accesses and types, and what stays an aten operation.
// RUN: ptc-opt %s -aten-to-kernels | FileCheck %s

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @broadcast
// CHECK: plan.kernel pointwise(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROW]], #[[ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[SCALED]] : f32
// CHECK: linalg.generic {indexing_maps = [#[[COLUMN]], #[[ROW]], #[[ALL]]]
func.func @broadcast(%a: tensor<3x4xf32>, %b: tensor<4xf32>, %c: tensor<3x1xf32>) {
  %0 = aten.add.Tensor(%a, %b, alpha = 2) : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %2 = aten.add.Tensor(%c, %b) : (tensor<3x1xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// 16 bits are computed in single precision and rounded once; comparisons give i1.
// CHECK-LABEL: func.func @types
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[Y:.*]] = arith.divf
// CHECK: arith.truncf %[[Y]] : f32 to bf16
// CHECK: plan.kernel pointwise(%{{.*}} : tensor<4xf64>) -> tensor<4xi1>
// CHECK: arith.cmpf ogt
func.func @types(%a: tensor<4xbf16>, %b: tensor<4xf64>) {
  %0 = aten.sigmoid(%a) : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = aten.gt.Scalar(%b, other = 0.5) : (tensor<4xf64>) -> tensor<4xi1>
  return
}

// Sizes known only by name: the same name broadcasts, another one may be 1 and is looked at when the
// kernel runs; the size of the result is read from an input.
// CHECK-LABEL: func.func @symbolic
// CHECK: plan.kernel pointwise
// CHECK: tensor.dim
// CHECK: tensor.empty(%{{.*}}) : tensor<?x4xf32>
// CHECK: plan.kernel pointwise
// CHECK: arith.minsi
// CHECK: tensor.extract
// CHECK: arith.mulf
func.func @symbolic(%a: tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>,
                    %b: tensor<?x4xf32, #aten.meta<sizes = ["C", 4]>>) {
  %0 = aten.relu(%a) : (tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>) -> tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>
  %1 = aten.mul.Tensor(%a, %b) : (tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>, tensor<?x4xf32, #aten.meta<sizes = ["C", 4]>>) -> tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>
  return
}

// The strides of a result are no matter of the kernel.
// CHECK-LABEL: func.func @strides
// CHECK: plan.kernel pointwise(%{{.*}} : tensor<3x4xf32, #aten.meta<strides = [1, 3]>>) -> tensor<3x4xf32, #aten.meta<strides = [1, 3]>>
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<3x4xf32>)
func.func @strides(%t: tensor<3x4xf32, #aten.meta<strides = [1, 3]>>) {
  %0 = aten.neg(%t) : (tensor<3x4xf32, #aten.meta<strides = [1, 3]>>) -> tensor<3x4xf32, #aten.meta<strides = [1, 3]>>
  return
}

// Integers: bytes without sign, numbers known at run time, a division that may raise.
// CHECK-LABEL: func.func @integers
// CHECK: plan.kernel pointwise(%{{.*}}, %{{.*}} : tensor<4xui8>, i64) -> tensor<4xui8>
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xi8>, %{{.*}}: i64)
// CHECK: arith.divui
// CHECK: %[[FAILED:.*]] = plan.kernel reduction(%{{.*}} : tensor<4xi64>) -> tensor<i1>
// CHECK: plan.check %[[FAILED]] raises "RuntimeError" "ZeroDivisionError"
// CHECK: plan.kernel pointwise(%{{.*}} : tensor<4xi64>) -> tensor<4xi64>
func.func @integers(%a: tensor<4xui8>, %n: i64, %b: tensor<4xi64>) {
  %0 = aten.add.Tensor(%a, %n) : (tensor<4xui8>, i64) -> tensor<4xui8>
  %1 = aten.floor_divide(%a, 3) : (tensor<4xui8>) -> tensor<4xui8>
  %2 = aten.floor_divide(%b, %b) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  return
}

// No family takes these: complex numbers, random numbers.
// CHECK-LABEL: func.func @survivors
// CHECK-NOT: plan.kernel
// CHECK: aten.add.Tensor
// CHECK: aten.rand
func.func @survivors(%c: tensor<4xcomplex<f32>>) {
  %0 = aten.add.Tensor(%c, %c) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = aten.rand(size = [2]) : () -> tensor<2xf32>
  return
}
