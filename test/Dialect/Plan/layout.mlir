// RUN: ptc-opt %s --plan-layout -split-input-file -verify-diagnostics | FileCheck %s

// What two convolutions have between them lies with channels last; the result is the caller's.
#in = affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>
#taps = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#out = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>
// CHECK-LABEL: @chain
// CHECK: plan.kernel conv(%arg0
// CHECK-SAME: -> tensor<1x32x30x30xf32, #aten.meta<strides = [28800, 1, 960, 32]>>
// CHECK: plan.kernel conv(
// CHECK-SAME: -> tensor<1x32x28x28xf32> {
program.entry @chain {
  program.variant @v0(%x "x" leaf 0 : tensor<1x16x32x32xf32>, %v "v" leaf 1 : tensor<32x16x3x3xf32>,
                      %w "w" leaf 2 : tensor<32x32x3x3xf32>) {
    // expected-remark @below {{lies with channels last: the other way would cost the kernels that make and read it 12.2 us more}}
    %0 = plan.kernel conv(%x, %v : tensor<1x16x32x32xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x30x30xf32> {
    ^bb0(%a: tensor<1x16x32x32xf32>, %b: tensor<32x16x3x3xf32>):
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x32x30x30xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x30x30xf32>) -> tensor<1x32x30x30xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<1x16x32x32xf32>, tensor<32x16x3x3xf32>) outs(%f : tensor<1x32x30x30xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<1x32x30x30xf32>
      plan.yield %1 : tensor<1x32x30x30xf32>
    }
    // expected-remark @below {{lies as eager has it: not only kernels read it}}
    %4 = plan.kernel conv(%0, %w : tensor<1x32x30x30xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x28x28xf32> {
    ^bb0(%a: tensor<1x32x30x30xf32>, %b: tensor<32x32x3x3xf32>):
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x32x28x28xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<1x32x30x30xf32>, tensor<32x32x3x3xf32>) outs(%f : tensor<1x32x28x28xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<1x32x28x28xf32>
      plan.yield %1 : tensor<1x32x28x28xf32>
    }
    program.finish {
      %5 = program.place %4 : tensor<1x32x28x28xf32>
      program.end <leaf 0> (%5 : tensor<1x32x28x28xf32>)
    }
  }
}

// -----

// Few channels of a convolution fill no vectors: rows of the image do.
#in = affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>
#taps = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#out = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>
#id = affine_map<(n, o, h, w) -> (n, o, h, w)>
// CHECK-LABEL: @few
// CHECK: plan.kernel conv(%arg0
// CHECK-SAME: -> tensor<1x2x64x64xf32> {
program.entry @few {
  program.variant @v0(%x "x" leaf 0 : tensor<1x16x66x66xf32>, %v "v" leaf 1 : tensor<2x16x3x3xf32>) {
    // expected-remark @below {{lies as eager has it: the other way would cost}}
    %0 = plan.kernel conv(%x, %v : tensor<1x16x66x66xf32>, tensor<2x16x3x3xf32>) -> tensor<1x2x64x64xf32> {
    ^bb0(%a: tensor<1x16x66x66xf32>, %b: tensor<2x16x3x3xf32>):
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x2x64x64xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<1x16x66x66xf32>, tensor<2x16x3x3xf32>) outs(%f : tensor<1x2x64x64xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<1x2x64x64xf32>
      plan.yield %1 : tensor<1x2x64x64xf32>
    }
    %4 = plan.kernel pointwise(%0 : tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32> {
    ^bb0(%a: tensor<1x2x64x64xf32>):
      %e = tensor.empty() : tensor<1x2x64x64xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<1x2x64x64xf32>) outs(%e : tensor<1x2x64x64xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<1x2x64x64xf32>
      plan.yield %1 : tensor<1x2x64x64xf32>
    }
    program.finish {
      %5 = program.place %4 : tensor<1x2x64x64xf32>
      program.end <leaf 0> (%5 : tensor<1x2x64x64xf32>)
    }
  }
}

// -----

// Nothing that is no convolution has a reason to change, and nobody is told.
#id = affine_map<(n, o, h, w) -> (n, o, h, w)>
// CHECK-LABEL: @pointwise
// CHECK-NOT: strides
program.entry @pointwise {
  program.variant @v0(%x "x" leaf 0 : tensor<1x2x64x64xf32>) {
    %0 = plan.kernel pointwise(%x : tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32> {
    ^bb0(%a: tensor<1x2x64x64xf32>):
      %e = tensor.empty() : tensor<1x2x64x64xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<1x2x64x64xf32>) outs(%e : tensor<1x2x64x64xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<1x2x64x64xf32>
      plan.yield %1 : tensor<1x2x64x64xf32>
    }
    %4 = plan.kernel pointwise(%0 : tensor<1x2x64x64xf32>) -> tensor<1x2x64x64xf32> {
    ^bb0(%a: tensor<1x2x64x64xf32>):
      %e = tensor.empty() : tensor<1x2x64x64xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<1x2x64x64xf32>) outs(%e : tensor<1x2x64x64xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %2 = math.sin %in : f32
        linalg.yield %2 : f32
      } -> tensor<1x2x64x64xf32>
      plan.yield %1 : tensor<1x2x64x64xf32>
    }
    program.finish {
      %5 = program.place %4 : tensor<1x2x64x64xf32>
      program.end <leaf 0> (%5 : tensor<1x2x64x64xf32>)
    }
  }
}

// -----

// Sizes that only the run knows: strides are products of them.
#in = affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>
#taps = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#out = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>
#id = affine_map<(n, o, h, w) -> (n, o, h, w)>
// CHECK-LABEL: @symbolic
// CHECK: plan.kernel conv(%arg0
// CHECK-SAME: -> tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30], strides = [28800, 1, 960, 32]>>
program.entry @symbolic {
  program.variant @v0(%x "x" leaf 0 : tensor<?x16x32x32xf32, #aten.meta<sizes = ["B", 16, 32, 32]>>,
                      %v "v" leaf 1 : tensor<32x16x3x3xf32>)
      symbols [["B", 0, 0]] {
    // expected-remark @below {{lies with channels last}}
    %0 = plan.kernel conv(%x, %v : tensor<?x16x32x32xf32, #aten.meta<sizes = ["B", 16, 32, 32]>>, tensor<32x16x3x3xf32>)
        -> tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30]>> {
    ^bb0(%a: tensor<?x16x32x32xf32>, %b: tensor<32x16x3x3xf32>):
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?x16x32x32xf32>
      %e = tensor.empty(%n) : tensor<?x32x30x30xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32x30x30xf32>) -> tensor<?x32x30x30xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<?x16x32x32xf32>, tensor<32x16x3x3xf32>) outs(%f : tensor<?x32x30x30xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<?x32x30x30xf32>
      plan.yield %1 : tensor<?x32x30x30xf32>
    }
    %4 = plan.kernel pointwise(%0 : tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30]>>)
        -> tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30], strides = [28800, 1, 960, 32]>> {
    ^bb0(%a: tensor<?x32x30x30xf32>):
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?x32x30x30xf32>
      %e = tensor.empty(%n) : tensor<?x32x30x30xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<?x32x30x30xf32>) outs(%e : tensor<?x32x30x30xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<?x32x30x30xf32>
      plan.yield %1 : tensor<?x32x30x30xf32>
    }
    program.finish {
      %5 = program.place %4 : tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30], strides = [28800, 1, 960, 32]>>
      program.end <leaf 0> (%5 : tensor<?x32x30x30xf32, #aten.meta<sizes = ["B", 32, 30, 30], strides = [28800, 1, 960, 32]>>)
    }
  }
}

// -----

// Rows of the image of a length that only the run knows are not copied into vectors.
#in = affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>
#taps = affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>
#out = affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>
// CHECK-LABEL: @open
// CHECK: plan.kernel conv(%arg0
// CHECK-SAME: -> tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"], strides = ["960*max(W, 1)", 1, "32*max(W, 1)", 32]>>
program.entry @open {
  program.variant @v0(%x "x" leaf 0 : tensor<1x16x30x?xf32, #aten.meta<sizes = [1, 16, 30, "W"]>>,
                      %v "v" leaf 1 : tensor<32x16x1x1xf32>, %w "w" leaf 2 : tensor<32x32x1x1xf32>)
      symbols [["W", 0, 3]] {
    // expected-remark @below {{lies with channels last}}
    %0 = plan.kernel conv(%x, %v : tensor<1x16x30x?xf32, #aten.meta<sizes = [1, 16, 30, "W"]>>, tensor<32x16x1x1xf32>)
        -> tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"]>> {
    ^bb0(%a: tensor<1x16x30x?xf32>, %b: tensor<32x16x1x1xf32>):
      %zero = arith.constant 0.0 : f32
      %c3 = arith.constant 3 : index
      %n = tensor.dim %a, %c3 : tensor<1x16x30x?xf32>
      %e = tensor.empty(%n) : tensor<1x32x30x?xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x30x?xf32>) -> tensor<1x32x30x?xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<1x16x30x?xf32>, tensor<32x16x1x1xf32>) outs(%f : tensor<1x32x30x?xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<1x32x30x?xf32>
      plan.yield %1 : tensor<1x32x30x?xf32>
    }
    // expected-remark @below {{lies as eager has it: not only kernels read it}}
    %4 = plan.kernel conv(%0, %w : tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"]>>, tensor<32x32x1x1xf32>)
        -> tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"]>> {
    ^bb0(%a: tensor<1x32x30x?xf32>, %b: tensor<32x32x1x1xf32>):
      %zero = arith.constant 0.0 : f32
      %c3 = arith.constant 3 : index
      %n = tensor.dim %a, %c3 : tensor<1x32x30x?xf32>
      %e = tensor.empty(%n) : tensor<1x32x30x?xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x30x?xf32>) -> tensor<1x32x30x?xf32>
      %1 = linalg.generic {indexing_maps = [#in, #taps, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<1x32x30x?xf32>, tensor<32x32x1x1xf32>) outs(%f : tensor<1x32x30x?xf32>) {
      ^bb0(%p: f32, %q: f32, %sum: f32):
        %2 = arith.mulf %p, %q : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<1x32x30x?xf32>
      plan.yield %1 : tensor<1x32x30x?xf32>
    }
    program.finish {
      %5 = program.place %4 : tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"]>>
      program.end <leaf 0> (%5 : tensor<1x32x30x?xf32, #aten.meta<sizes = [1, 32, 30, "W"]>>)
    }
  }
}
