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
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
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

// The value is returned, too: one loop nest with two results.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @shared
// CHECK: %[[R:.*]]:2 = plan.kernel pointwise(%arg0
// CHECK: linalg.generic
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[S:.*]] = math.sin %[[E]]
// CHECK-NEXT: linalg.yield
// CHECK-NOT: plan.kernel
// CHECK: return %[[R]]#1, %[[R]]#0
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
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
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
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
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

// -----

// What a reduction sums is computed in its loops.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @prologue
// CHECK: plan.kernel reduction(%arg0
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: plan.kernel
func.func @prologue(%x: tensor<64x256xf32>) -> tensor<64xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = arith.mulf %e0, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    plan.yield %1 : tensor<64xf32>
  }
  return %3 : tensor<64xf32>
}

// -----

// What is cheap is computed again in each pass over the rows, ...
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @passes
// CHECK: plan.kernel rows(%arg0
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.addf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NEXT: arith.divf
// CHECK-NOT: plan.kernel
func.func @passes(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = arith.mulf %e0, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel rows(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<64xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  return %3 : tensor<64x256xf32>
}

// -----

// ... what takes long is kept in memory that has the rows of the passes.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @kept
// CHECK: plan.kernel rows(%arg0
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: math.sin
// CHECK: linalg.generic {{.*}} ins(%[[P]]
// CHECK: linalg.generic {{.*}} outs(%[[P]]
// CHECK-NOT: plan.kernel
func.func @kept(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = math.sin %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel rows(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<64xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  return %3 : tensor<64x256xf32>
}

// -----

// What follows the passes is a part of the last one.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @behind_rows
// CHECK: plan.kernel rows(%arg0
// CHECK: arith.divf
// CHECK-NEXT: arith.mulf
// CHECK-NOT: plan.kernel
func.func @behind_rows(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = plan.kernel rows(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<64xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel pointwise(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = arith.mulf %e0, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  return %3 : tensor<64x256xf32>
}

// -----

// Each element of a row reads what its row gave: passes over rows.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @over_rows
// CHECK: plan.kernel rows(%arg0
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic
// CHECK: arith.subf
// CHECK-NOT: plan.kernel
func.func @over_rows(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = plan.kernel reduction(%x : tensor<64x256xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    plan.yield %1 : tensor<64xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel pointwise(%0, %x : tensor<64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64xf32>, %a1: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0, %a1 : tensor<64xf32>, tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %e1: f32, %out: f32):
      %r = arith.subf %e1, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  return %3 : tensor<64x256xf32>
}

// -----

// A second reduction over the same rows.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @second
// CHECK: plan.kernel rows(%arg0
// CHECK-COUNT-2: "reduction"
// CHECK-NOT: plan.kernel
func.func @second(%x: tensor<64x256xf32>) -> tensor<64xf32> {
  %0 = plan.kernel rows(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<64xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    plan.yield %1 : tensor<64xf32>
  }
  return %3 : tensor<64xf32>
}

// -----

// Sums of columns go over all rows.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: plan.kernel
func.func @columns(%x: tensor<64x256xf32>) -> tensor<256xf32> {
  %0 = plan.kernel rows(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<64xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  // expected-remark @below {{stays apart from what computes operand 0: their operations have no rows in common}}
  %3 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<256xf32>
    plan.yield %1 : tensor<256xf32>
  }
  return %3 : tensor<256xf32>
}

// -----

// Two readers compute a cheap value each for itself.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @again
// CHECK: plan.kernel reduction(%arg0
// CHECK: arith.mulf {{.*}} {plan.recomputed}
// CHECK: plan.kernel reduction(%arg0
// CHECK: arith.mulf
// CHECK-NOT: plan.kernel pointwise
func.func @again(%x: tensor<64x256xf32>) -> (tensor<64xf32>, tensor<256xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = arith.mulf %e0, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0, as others do: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    plan.yield %1 : tensor<64xf32>
  }
  // expected-remark-re @below {{goes on with what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %4 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<256xf32>
    plan.yield %1 : tensor<256xf32>
  }
  return %3, %4 : tensor<64xf32>, tensor<256xf32>
}

// -----

// Each element would be computed for each tile of columns.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @factor
// CHECK: plan.kernel pointwise
// CHECK: plan.kernel gemm
func.func @factor(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>) -> tensor<64x512xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = math.exp %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark-re @below {{stays apart from what computes operand 0: {{[0-9.]+}} us together, {{[0-9.]+}} us apart}}
  %3 = plan.kernel gemm(%0, %w : tensor<64x256xf32>, tensor<256x512xf32>) -> tensor<64x512xf32> {
  ^bb0(%a: tensor<64x256xf32>, %b: tensor<256x512xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64x512xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
    %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x256xf32>, tensor<256x512xf32>) outs(%f : tensor<64x512xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %2 = arith.mulf %in, %other : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<64x512xf32>
    plan.yield %1 : tensor<64x512xf32>
  }
  return %3 : tensor<64x512xf32>
}

// -----

// With a factor of 1 nothing would be left of the product.
#id = affine_map<(d0, d1) -> (d0, d1)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @ones
// CHECK: plan.kernel pointwise
// CHECK: plan.kernel gemm
func.func @ones(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = plan.kernel pointwise(%w : tensor<8x2xf32>) -> tensor<8x2xf32> {
  ^bb0(%a0: tensor<8x2xf32>):
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<8x2xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
    ^bb0(%e0: f32, %out: f32):
      linalg.yield %one : f32
    } -> tensor<8x2xf32>
    plan.yield %1 : tensor<8x2xf32>
  }
  // expected-remark @below {{stays apart from what computes operand 1: a product with the value is none}}
  %3 = plan.kernel gemm(%x, %0 : tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
    %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %2 = arith.mulf %in, %other : f32
      %3 = arith.addf %out, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<4x2xf32>
    plan.yield %1 : tensor<4x2xf32>
  }
  return %3 : tensor<4x2xf32>
}

// -----

// Passes along columns have no rows that lie together.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @along_columns
// CHECK-COUNT-2: plan.kernel
func.func @along_columns(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = math.sin %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark @below {{stays apart from what computes operand 0: the value would lie in memory as a whole}}
  %3 = plan.kernel rows(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<256xf32>
    %g = tensor.empty() : tensor<64x256xf32>
    %3 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %1 : tensor<64x256xf32>, tensor<256xf32>) outs(%g : tensor<64x256xf32>) {
    ^bb0(%in: f32, %sum: f32, %out: f32):
      %2 = arith.divf %in, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<64x256xf32>
    plan.yield %3 : tensor<64x256xf32>
  }
  return %3 : tensor<64x256xf32>
}

// -----

// What looks for entries in an order is read as it lies.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @ordered
// CHECK-COUNT-2: plan.kernel
func.func @ordered(%x: tensor<64x256xf32>) -> tensor<64xf32> {
  %0 = plan.kernel pointwise(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a0: tensor<64x256xf32>):
    %e = tensor.empty() : tensor<64x256xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a0 : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
    ^bb0(%e0: f32, %out: f32):
      %r = arith.mulf %e0, %e0 : f32
      linalg.yield %r : f32
    } -> tensor<64x256xf32>
    plan.yield %1 : tensor<64x256xf32>
  }
  // expected-remark @below {{stays apart from what computes operand 0: entries are looked for as they lie}}
  %3 = plan.kernel reduction(%0 : tensor<64x256xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x256xf32>) outs(%f : tensor<64xf32>)
        attrs = {plan.order = #plan.order<dim = 1, descending = true, nanFirst = true, isUnsigned = false>} {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    plan.yield %1 : tensor<64xf32>
  }
  return %3 : tensor<64xf32>
}
