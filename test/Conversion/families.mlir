// The regions that emitters look for, one operation per family.
// RUN: ptc-opt %s -aten-to-kernels | FileCheck %s

// A contraction into zeros, then what is added: one kernel.
// CHECK-LABEL: func.func @gemm
// CHECK: plan.kernel gemm(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16xbf16>, tensor<4x16xbf16>, tensor<4xbf16>) -> tensor<8x4xbf16>
// CHECK: linalg.fill
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %[[P]] : f32
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: arith.truncf
func.func @gemm(%x: tensor<8x16xbf16>, %w: tensor<4x16xbf16>, %b: tensor<4xbf16>) {
  %0 = aten.linear(%x, %w, %b) : (tensor<8x16xbf16>, tensor<4x16xbf16>, tensor<4xbf16>) -> tensor<8x4xbf16>
  return
}

// CHECK-LABEL: func.func @rows
// CHECK: plan.kernel rows(%{{.*}} : tensor<?x4xf32, {{.*}}>)
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]
// CHECK: arith.divf
func.func @rows(%x: tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>) {
  %0 = aten._softmax(%x, dim = 1, half_to_float = false) : (tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>) -> tensor<?x4xf32, #aten.meta<sizes = ["B", 4]>>
  return
}

// CHECK-LABEL: func.func @attention
// CHECK: plan.kernel attention
// CHECK-COUNT-1: plan.yield
func.func @attention(%q: tensor<1x2x5x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>) {
  %0 = aten.scaled_dot_product_attention(%q, %k, %v, is_causal = true) : (tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x2x5x8xf32>
  return
}

// One entry of an order is found in one pass over the line.
// CHECK-LABEL: func.func @first
// CHECK: plan.kernel reduction
// CHECK-COUNT-1: iterator_types = ["parallel", "reduction"]
func.func @first(%x: tensor<3x9xf32>) {
  %0:2 = aten.topk(%x, k = 1, dim = -1, largest = true, sorted = true) : (tensor<3x9xf32>) -> (tensor<3x1xf32>, tensor<3x1xi64>)
  return
}

// The check stands in front; the kernel clamps what it reads.
// CHECK-LABEL: func.func @gather
// CHECK: %[[BAD:.*]]:3 = plan.kernel reduction
// CHECK: plan.check %[[BAD]]#0 raises "IndexError" "index out of range in self"(%[[BAD]]#1, %[[BAD]]#2
// CHECK: plan.kernel gather
// CHECK: arith.minsi
// CHECK: tensor.extract
func.func @gather(%w: tensor<10x4xf32>, %i: tensor<3xi64>) {
  %0 = aten.embedding(%w, %i) : (tensor<10x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @copy
// CHECK: plan.kernel copy
// CHECK: tensor.insert_slice %{{.*}}[0, 0] [2, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}}[2, 0] [1, 3] [1, 1]
func.func @copy(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) {
  %0 = aten.cat([%a, %b]) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  return
}
