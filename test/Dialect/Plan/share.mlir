// RUN: ptc-opt %s --plan-share -split-input-file | FileCheck %s

#at = affine_map<(i) -> (i)>
// Eight kernels that differ in one number: all get it; what is the same in all stays. One that
// begins where another ends is no other kernel.
// CHECK-LABEL: @many
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: plan.kernel pointwise(%arg0, %[[ZERO]] : tensor<4xf32>, f64) -> tensor<4xf32>
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>, %[[GIVEN:.*]]: f64):
// CHECK-NEXT: %[[TAKEN:.*]] = arith.truncf %[[GIVEN]] : f64 to f32
// CHECK-NEXT: %[[SAME:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[TAKEN]] : f32
// CHECK: arith.addf %{{.*}}, %[[SAME]] : f32
// CHECK: %[[SEVEN:.*]] = arith.constant 7.000000e+00 : f64
// CHECK-NEXT: plan.kernel pointwise(%{{.*}}, %[[SEVEN]] : tensor<4xf32>, f64) -> tensor<4xf32>
program.entry @many {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) {
    %r0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 0.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r1 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 1.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r2 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 2.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r3 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 3.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r4 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 4.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r5 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 5.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r6 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 6.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r7 = plan.kernel pointwise(%r0 : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 7.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    program.finish {
      %end = program.place %r0 : tensor<4xf32>
      program.end <leaf 0> (%end : tensor<4xf32>)
    }
  }
}

// -----

#at = affine_map<(i) -> (i)>
// Seven keep their numbers; so do kernels that are not the same otherwise.
// CHECK-LABEL: @few
// CHECK-COUNT-8: plan.kernel pointwise(%arg0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: plan.kernel
program.entry @few {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) {
    %r0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 0.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r1 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 1.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r2 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 2.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r3 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 3.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r4 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 4.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r5 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 5.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r6 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 6.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.mulf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r7 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 7.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %2 = arith.subf %p, %k : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    program.finish {
      %end = program.place %r0 : tensor<4xf32>
      program.end <leaf 0> (%end : tensor<4xf32>)
    }
  }
}

// -----

#at = affine_map<(i) -> (i)>
// A number that is compared decides what is computed: it stays.
// CHECK-LABEL: @compared
// CHECK-COUNT-8: plan.kernel pointwise(%arg0 : tensor<4xf32>) -> tensor<4xf32>
program.entry @compared {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) {
    %r0 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 0.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r1 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 1.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r2 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 2.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r3 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 3.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r4 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 4.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r5 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 5.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r6 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 6.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    %r7 = plan.kernel pointwise(%x : tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %k = arith.constant 7.0 : f32
      %same = arith.constant 0.5 : f32
      %e = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        %c = arith.cmpf olt, %p, %k : f32
        %2 = arith.select %c, %p, %same : f32
        %3 = arith.addf %2, %same : f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      plan.yield %1 : tensor<4xf32>
    }
    program.finish {
      %end = program.place %r0 : tensor<4xf32>
      program.end <leaf 0> (%end : tensor<4xf32>)
    }
  }
}
