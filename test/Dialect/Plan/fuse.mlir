// RUN: ptc-opt %s --plan-fuse -split-input-file -verify-diagnostics | FileCheck %s

#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @chain
// CHECK: plan.kernel pointwise(%arg0
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.sin
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @chain(%x: tensor<10xf32>) -> tensor<10xf32> {
  %0 = plan.kernel pointwise(%x : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%a: tensor<10xf32>):
    %e = tensor.empty() : tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    plan.yield %1 : tensor<10xf32>
  }
  // expected-remark @below {{goes on with what computes operand 0, which nobody else reads}}
  %3 = plan.kernel pointwise(%0 : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%a: tensor<10xf32>):
    %e = tensor.empty() : tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.sin %in : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    plan.yield %1 : tensor<10xf32>
  }
  return %3 : tensor<10xf32>
}

// -----

// The value is returned, too.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: plan.kernel
func.func @shared(%x: tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%a: tensor<10xf32>):
    %e = tensor.empty() : tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    plan.yield %1 : tensor<10xf32>
  }
  // expected-remark @below {{stays apart from what computes operand 0: others read the value, too}}
  %3 = plan.kernel pointwise(%0 : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%a: tensor<10xf32>):
    %e = tensor.empty() : tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.sin %in : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    plan.yield %1 : tensor<10xf32>
  }
  return %0, %3 : tensor<10xf32>, tensor<10xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @broadcast
// CHECK-COUNT-2: plan.kernel
func.func @broadcast(%x: tensor<10xf32>, %y: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %0 = plan.kernel pointwise(%x : tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%a: tensor<10xf32>):
    %e = tensor.empty() : tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    plan.yield %1 : tensor<10xf32>
  }
  // expected-remark @below {{operand 0: the value would be computed again where it broadcasts}}
  %3 = plan.kernel pointwise(%0, %y : tensor<10xf32>, tensor<4x10xf32>) -> tensor<4x10xf32> {
  ^bb0(%a: tensor<10xf32>, %b: tensor<4x10xf32>):
    %e = tensor.empty() : tensor<4x10xf32>
    %1 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<10xf32>, tensor<4x10xf32>) outs(%e : tensor<4x10xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %2 = arith.addf %in, %other : f32
      linalg.yield %2 : f32
    } -> tensor<4x10xf32>
    plan.yield %1 : tensor<4x10xf32>
  }
  return %3 : tensor<4x10xf32>
}

// -----

// The epilogue of a product works in place; what does not depend on the product comes first.
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @epilogue
// CHECK: plan.kernel gemm(%arg0, %arg1, %arg2
// CHECK: math.sqrt
// CHECK: linalg.fill
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]] :
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: arith.mulf %[[SUM]], %[[S]]
// CHECK-NOT: plan.kernel
func.func @epilogue(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16xf32>) -> tensor<4x16xf32> {
  %0 = plan.kernel gemm(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%p: tensor<4x8xf32>, %q: tensor<8x16xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%p, %q : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %2 = arith.mulf %in, %other : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<4x16xf32>
    plan.yield %1 : tensor<4x16xf32>
  }
  // expected-remark @below {{goes on with what computes operand 0, which nobody else reads}}
  %4 = plan.kernel pointwise(%0, %v : tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32> {
  ^bb0(%p: tensor<4x16xf32>, %q: tensor<16xf32>):
    %e = tensor.empty() : tensor<16xf32>
    %1 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
        ins(%q : tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.sqrt %in : f32
      linalg.yield %2 : f32
    } -> tensor<16xf32>
    %g = tensor.empty() : tensor<4x16xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%p, %1 : tensor<4x16xf32>, tensor<16xf32>) outs(%g : tensor<4x16xf32>) {
    ^bb0(%in: f32, %s: f32, %out: f32):
      %2 = arith.mulf %in, %s : f32
      linalg.yield %2 : f32
    } -> tensor<4x16xf32>
    plan.yield %3 : tensor<4x16xf32>
  }
  return %4 : tensor<4x16xf32>
}
