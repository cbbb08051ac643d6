// RUN: ptc-opt %s -split-input-file -verify-diagnostics

// kernel_c1
func.func @argument(%x: tensor<4xf32>) {
  // expected-error @below {{argument 0 is 'tensor<5xf32>', its input 'tensor<4xf32>'}}
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<5xf32>):
    plan.yield %a : tensor<5xf32>
  }
  return
}

// -----

// kernel_c1
func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @below {{has 1 inputs and 2 arguments}}
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    plan.yield %a : tensor<4xf32>
  }
  return
}

// -----

// kernel_c2
func.func @yield(%x: tensor<4xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf64> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{yields 'tensor<4xf32>' for 'tensor<4xf64>'}}
    plan.yield %a : tensor<4xf32>
  }
  return
}

// -----

// kernel_c2
func.func @yields(%x: tensor<4xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{yields 0 values for 1 results}}
    plan.yield
  }
  return
}

// -----

// kernel_c3
func.func @dialect(%x: tensor<4xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{may not stand in a kernel}}
    %1 = aten.exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
    plan.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// kernel_c4
#row = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func @reduces(%x: tensor<4xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<f32>
    // expected-error @below {{reduces in a pointwise kernel}}
    %1 = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    plan.yield %1 : tensor<f32>
  }
  return
}

// -----

// kernel_c5
func.func @nothing(%x: tensor<4xf32>) {
  // expected-error @below {{reduces nothing}}
  %0 = plan.kernel rows(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    plan.yield %a : tensor<4xf32>
  }
  return
}

// -----

// kernel_c6
#row = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func @products(%x: tensor<4xf32>) {
  // expected-error @below {{sums no products}}
  %0 = plan.kernel gemm(%x : tensor<4xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["reduction"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    plan.yield %1 : tensor<f32>
  }
  return
}

// -----

// kernel_c7
#all = affine_map<(d0) -> (d0)>
func.func @computes(%x: tensor<4xf32>) {
  %0 = plan.kernel copy(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{computes in a copy kernel}}
    %1 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel"]}
        ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    plan.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// kernel_c3
func.func @loop(%x: tensor<4xf32>) {
  %0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.for %i = %c0 to %c1 step %c1 iter_args(%now = %a) -> tensor<4xf32> {
      // expected-error @below {{may not stand in a kernel}}
      scf.yield %now : tensor<4xf32>
    }
    plan.yield %1 : tensor<4xf32>
  }
  return
}

// -----

// kernel_c8
func.func @writes(%x: tensor<4xf32>) {
  // expected-error @below {{writes no element in a loop}}
  %0 = plan.kernel scatter(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    plan.yield %a : tensor<4xf32>
  }
  return
}

// -----

// plan.check reads a truth value without dimensions.
func.func @check(%x: tensor<4xi1>) {
  // expected-error @below {{0D tensor of 1-bit signless integer values}}
  plan.check %x raises "IndexError" "out of range" : tensor<4xi1>
  return
}

// -----

// kernel_c9
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @two_anchors(%x: tensor<4x4xf32>, %s: tensor<4x4xf32>, %t: tensor<4xf32>) {
  %0 = plan.kernel gemm(%x, %s, %t : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4xf32>):
    %1 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) {
    ^bb0(%in: f32, %other: f32, %out: f32):
      %3 = arith.mulf %in, %other : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<4x4xf32>
    // expected-error @below {{reduces without products in a gemm kernel}}
    %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%1 : tensor<4x4xf32>) outs(%c : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    plan.yield %2 : tensor<4xf32>
  }
  return
}

// -----

func.func @recomputed(%x: f32) {
  // expected-error @below {{is marked as recomputed and is no pure operation of a kernel}}
  %0 = arith.addf %x, %x {plan.recomputed} : f32
  return
}
