// RUN: ptc-opt %s --plan-place -split-input-file | FileCheck %s

// The first result dies where the second is made and is written over; the third is the caller's.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: @chain
// CHECK: program.variant
// CHECK: plan.kernel
// CHECK-SAME: plan.places = [#plan.place<arena at "0" bytes "40">]
// CHECK: plan.kernel
// CHECK-SAME: plan.places = [#plan.place<arena at "0" bytes "40" over 0>]
// CHECK: plan.kernel
// CHECK-SAME: plan.places = [#plan.place<output at "0" bytes "40">]
program.entry @chain {
  program.variant @v0(%x "x" leaf 0 : tensor<10xf32>) {
    %0 = plan.kernel pointwise(%x : tensor<10xf32>) -> tensor<10xf32> {
    ^bb0(%a: tensor<10xf32>):
      %e = tensor.empty() : tensor<10xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a : tensor<10xf32>) outs(%e : tensor<10xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.negf %in : f32
        linalg.yield %2 : f32
      } -> tensor<10xf32>
      plan.yield %1 : tensor<10xf32>
    }
    %3 = plan.kernel pointwise(%0 : tensor<10xf32>) -> tensor<10xf32> {
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
    %4 = plan.kernel pointwise(%3 : tensor<10xf32>) -> tensor<10xf32> {
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
    program.finish {
      %5 = program.place %4 : tensor<10xf32>
      program.end <leaf 0> (%5 : tensor<10xf32>)
    }
  }
}

// -----

// Sides of a branch share memory; what is read behind them does not. Aten operations have places,
// too, and are never written over their operands.
// CHECK-LABEL: @branch
// CHECK-SAME: {
// CHECK: program.variant {{.*}}plan.arena = "128"
// CHECK: aten.exp{{.*}}#plan.place<arena at "0" bytes "40">
// CHECK: scf.if
// CHECK: aten.sin{{.*}}#plan.place<arena at "64" bytes "40">
// CHECK: aten.cos{{.*}}#plan.place<arena at "64" bytes "40">
program.entry @branch {
  program.variant @v0(%x "x" leaf 0 : tensor<10xf32>, %c "c" leaf 1 : i1) {
    %0 = aten.exp(%x) : (tensor<10xf32>) -> tensor<10xf32>
    %1 = scf.if %c -> (tensor<10xf32>) {
      %2 = aten.sin(%0) : (tensor<10xf32>) -> tensor<10xf32>
      scf.yield %2 : tensor<10xf32>
    } else {
      %2 = aten.cos(%0) : (tensor<10xf32>) -> tensor<10xf32>
      scf.yield %2 : tensor<10xf32>
    }
    program.finish {
      %5 = program.place %1 : tensor<10xf32>
      %6 = program.place %0 : tensor<10xf32>
      program.end <tuple [leaf 0, leaf 1]> (%5, %6 : tensor<10xf32>, tensor<10xf32>)
    }
  }
}

// -----

// A loop that swaps what it carries stages both; what is made before the loop lives to its end.
// CHECK-LABEL: @swap
// CHECK: plan.arena = "448"
// CHECK: aten.exp{{.*}}#plan.place<arena at "{{[0-9]+}}" bytes "40">
// CHECK: plan.places = [#plan.place<arena at "[[A:[0-9]+]]" bytes "40">, #plan.place<arena at "[[B:[0-9]+]]" bytes "40">],
// CHECK-SAME: plan.staging = [#plan.place<arena at "{{[0-9]+}}" bytes "40">, #plan.place<arena at "{{[0-9]+}}" bytes "40">]
program.entry @swap {
  program.variant @v0(%x "x" leaf 0 : tensor<10xf32>, %y "y" leaf 1 : tensor<10xf32>) {
    %0 = aten.exp(%x) : (tensor<10xf32>) -> tensor<10xf32>
    %r:2 = scf.while (%a = %x, %b = %y) : (tensor<10xf32>, tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
      %s = aten.add.Tensor(%a, %0) : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
      %t = aten.any(%s) : (tensor<10xf32>) -> tensor<i1>
      %c = program.item %t : tensor<i1> -> i1
      scf.condition(%c) %a, %b : tensor<10xf32>, tensor<10xf32>
    } do {
    ^bb0(%a: tensor<10xf32>, %b: tensor<10xf32>):
      scf.yield %b, %a : tensor<10xf32>, tensor<10xf32>
    }
    program.finish {
      %5 = program.place %r#0 : tensor<10xf32>
      program.end <leaf 0> (%5 : tensor<10xf32>)
    }
  }
}

// -----

// Sizes that have a name: slots behind the constant part, shared where one is proven to fit. A
// size that only the run knows: memory of its own.
// CHECK-LABEL: @symbolic
// CHECK: plan.arena = "1024*B
// CHECK: aten.exp{{.*}}#plan.place<arena at "[[C:[0-9]+]]" bytes "512*B">
// CHECK: aten.sin{{.*}}#plan.place<arena at "{{.*}}" bytes "512*B">
// CHECK: aten.cos{{.*}}#plan.place<arena at "[[C]]" bytes "512*B">
// CHECK: aten.nonzero{{.*}}#plan.place<block>
program.entry @symbolic {
  program.variant @v0(%x "x" leaf 0 : tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>)
      symbols [["B", 0, 0]] {
    %0 = aten.exp(%x) : (tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>) -> tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>
    %1 = aten.sin(%0) : (tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>) -> tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>
    %2 = aten.cos(%1) : (tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>) -> tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>
    %3 = aten.nonzero(%2) : (tensor<?x128xf32, #aten.meta<sizes = ["B", 128]>>) -> tensor<?x2xi64, #aten.meta<sizes = ["u0", 2]>>
    program.finish {
      %5 = program.place %3 : tensor<?x2xi64, #aten.meta<sizes = ["u0", 2]>>
      program.end <leaf 0> (%5 : tensor<?x2xi64, #aten.meta<sizes = ["u0", 2]>>)
    }
  }
}

// -----

// Quotients of quotients in a sum: each lies behind what is reserved for the one before it. A size
// that is below 0 on ways not taken reserves nothing there.
// CHECK-LABEL: @quotients
// CHECK: plan.arena = "64*((s + 7) // 8) + 64*((s + 3) // 4) + 64*((s + 31) // 32) + 128*((max(4*n, 0) + 63) // 64)"
// CHECK: aten.exp{{.*}}#plan.place<arena at "0" bytes "16*s">
// CHECK: aten.sin{{.*}}#plan.place<arena at "64*((s + 3) // 4)" bytes "16*((s + 1) // 2)">
// CHECK: aten.cos{{.*}}#plan.place<arena at "64*((s + 7) // 8) + 64*((s + 3) // 4)" bytes "16*((s + 7) // 8)">
// CHECK: aten.ones{{.*}}#plan.place<arena at "64*((s + 7) // 8) + 64*((s + 3) // 4) + 64*((s + 31) // 32)" bytes "4*n">
#all = #aten.meta<sizes = ["s", 4]>
#half = #aten.meta<sizes = ["(s + 1) // 2", 4]>
#eighth = #aten.meta<sizes = ["(s + 7) // 8", 4]>
#less = #aten.meta<sizes = ["n"]>
program.entry @quotients {
  program.variant @v0(%x "x" leaf 0 : tensor<?x4xf32, #all>, %y "y" leaf 1 : tensor<?x4xf32, #half>,
                      %z "z" leaf 2 : tensor<?x4xf32, #eighth>, %n "n" leaf 3 : i64)
      symbols [["s", 0, 0], ["n", 3, 0]] {
    %0 = aten.exp(%x) : (tensor<?x4xf32, #all>) -> tensor<?x4xf32, #all>
    %1 = aten.sin(%y) : (tensor<?x4xf32, #half>) -> tensor<?x4xf32, #half>
    %2 = aten.cos(%z) : (tensor<?x4xf32, #eighth>) -> tensor<?x4xf32, #eighth>
    %3 = aten.ones(size = [%n]) : (i64) -> tensor<?xf32, #less>
    %4 = aten.tan(%3) : (tensor<?xf32, #less>) -> tensor<?xf32, #less>
    program.finish {
      %5 = program.place %0 : tensor<?x4xf32, #all>
      %6 = program.place %1 : tensor<?x4xf32, #half>
      %7 = program.place %2 : tensor<?x4xf32, #eighth>
      %8 = program.place %4 : tensor<?xf32, #less>
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3]> (%5, %6, %7, %8 : tensor<?x4xf32, #all>, tensor<?x4xf32, #half>, tensor<?x4xf32, #eighth>, tensor<?xf32, #less>)
    }
  }
}

// -----

// A tensor with its channels last is as long as its elements, whatever its strides are made of.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#last = #aten.meta<sizes = [2, 32, "H", "W"], strides = ["32*max(W, 1)*max(H, 1)", 1, "32*max(W, 1)", 32]>
// CHECK-LABEL: @channels_last
// CHECK-SAME: {
// CHECK: plan.arena = "256*H*W"
// CHECK: plan.kernel
// CHECK-SAME: plan.places = [#plan.place<arena at "0" bytes "256*H*W">]
program.entry @channels_last {
  program.variant @v0(%x "x" leaf 0 : tensor<2x32x?x?xf32, #aten.meta<sizes = [2, 32, "H", "W"]>>)
      symbols [["H", 0, 2], ["W", 0, 3]] {
    %0 = plan.kernel pointwise(%x : tensor<2x32x?x?xf32, #aten.meta<sizes = [2, 32, "H", "W"]>>)
        -> tensor<2x32x?x?xf32, #last> {
    ^bb0(%a: tensor<2x32x?x?xf32>):
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %h = tensor.dim %a, %c2 : tensor<2x32x?x?xf32>
      %w = tensor.dim %a, %c3 : tensor<2x32x?x?xf32>
      %e = tensor.empty(%h, %w) : tensor<2x32x?x?xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<2x32x?x?xf32>) outs(%e : tensor<2x32x?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.negf %in : f32
        linalg.yield %2 : f32
      } -> tensor<2x32x?x?xf32>
      plan.yield %1 : tensor<2x32x?x?xf32>
    }
    %3 = plan.kernel pointwise(%0 : tensor<2x32x?x?xf32, #last>)
        -> tensor<2x32x?x?xf32, #aten.meta<sizes = [2, 32, "H", "W"]>> {
    ^bb0(%a: tensor<2x32x?x?xf32>):
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %h = tensor.dim %a, %c2 : tensor<2x32x?x?xf32>
      %w = tensor.dim %a, %c3 : tensor<2x32x?x?xf32>
      %e = tensor.empty(%h, %w) : tensor<2x32x?x?xf32>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<2x32x?x?xf32>) outs(%e : tensor<2x32x?x?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = math.exp %in : f32
        linalg.yield %2 : f32
      } -> tensor<2x32x?x?xf32>
      plan.yield %1 : tensor<2x32x?x?xf32>
    }
    program.finish {
      %4 = program.place %3 : tensor<2x32x?x?xf32, #aten.meta<sizes = [2, 32, "H", "W"]>>
      program.end <leaf 0> (%4 : tensor<2x32x?x?xf32, #aten.meta<sizes = [2, 32, "H", "W"]>>)
    }
  }
}
