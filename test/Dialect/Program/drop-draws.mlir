// What program.init draws goes unless its numbers are read or something draws from its generator later.
// RUN: ptc-opt --program-drop-draws %s | FileCheck %s

// CHECK-LABEL: program.entry @unused
// CHECK-NOT: program.init
program.entry @unused {
  program.init {
    %seed = arith.constant 3 : i64
    %zero = arith.constant 0 : i64
    program.seed %zero, %seed
    %0 = aten.empty.memory_format(size = [2]) : () -> tensor<2xf32>
    %1 = aten.uniform(%0, from = 0.0, to = 1.0) {program.generator = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  }
  program.variant @v0(%x "x" leaf 0 : tensor<2xf32>) symbols [] {
    program.finish { program.end <leaf 0>(%x : tensor<2xf32>) }
  }
}

// The second draw is kept as a state: so is the first, which moves the generator, but not the third.
// CHECK-LABEL: program.entry @kept
// CHECK: program.init
// CHECK: program.seed
// CHECK: aten.rand(size = [2])
// CHECK: aten.rand(size = [3])
// CHECK-NOT: aten.rand
// CHECK: program.variant
program.entry @kept {
  program.state @s0 "kept" : tensor<3xf32>
  program.init {
    %seed = arith.constant 3 : i64
    %zero = arith.constant 0 : i64
    program.seed %zero, %seed
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    %1 = aten.rand(size = [3]) {program.generator = 0 : i64} : () -> tensor<3xf32>
    program.set_state @s0, %1 : tensor<3xf32>
    %2 = aten.rand(size = [4]) {program.generator = 0 : i64} : () -> tensor<4xf32>
  }
  program.variant @v0(%x "x" leaf 0 : tensor<2xf32>) symbols [] {
    program.finish { program.end <leaf 0>(%x : tensor<2xf32>) }
  }
}

// The variant draws from generator 0, not from generator 1.
// CHECK-LABEL: program.entry @drawn
// CHECK: program.init
// CHECK: aten.rand(size = [2]) {program.generator = 0 : i64}
// CHECK-NOT: program.generator = 1
// CHECK: program.variant
program.entry @drawn {
  program.init {
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    %1 = aten.rand(size = [2]) {program.generator = 1 : i64} : () -> tensor<2xf32>
  }
  program.variant @v0(%x "x" leaf 0 : tensor<2xf32>) symbols [] {
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    program.finish { program.end <leaf 0>(%0 : tensor<2xf32>) }
  }
}

// Drawn again while data says so. Nobody reads what comes of it.
// CHECK-LABEL: program.entry @again
// CHECK-NOT: program.init
program.entry @again {
  program.init {
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    %1 = scf.while (%drawn = %0) : (tensor<2xf32>) -> tensor<2xf32> {
      %2 = aten.gt.Scalar(%drawn, other = 5.0e-01) : (tensor<2xf32>) -> tensor<2xi1>
      %3 = aten.any(%2) : (tensor<2xi1>) -> tensor<i1>
      %4 = program.item %3 : tensor<i1> -> i1
      %5 = scf.if %4 -> (tensor<2xf32>) {
        %6 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
        scf.yield %6 : tensor<2xf32>
      } else {
        scf.yield %drawn : tensor<2xf32>
      }
      scf.condition(%4) %5 : tensor<2xf32>
    } do {
    ^bb0(%next: tensor<2xf32>):
      scf.yield %next : tensor<2xf32>
    }
  }
  program.variant @v0(%x "x" leaf 0 : tensor<2xf32>) symbols [] {
    program.finish { program.end <leaf 0>(%x : tensor<2xf32>) }
  }
}

// The same, but the variant draws from where the loop leaves the generator.
// CHECK-LABEL: program.entry @drawn_after
// CHECK: program.init
// CHECK: scf.while
// CHECK: program.variant
program.entry @drawn_after {
  program.init {
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    %1 = scf.while (%drawn = %0) : (tensor<2xf32>) -> tensor<2xf32> {
      %2 = aten.gt.Scalar(%drawn, other = 5.0e-01) : (tensor<2xf32>) -> tensor<2xi1>
      %3 = aten.any(%2) : (tensor<2xi1>) -> tensor<i1>
      %4 = program.item %3 : tensor<i1> -> i1
      %5 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
      scf.condition(%4) %5 : tensor<2xf32>
    } do {
    ^bb0(%next: tensor<2xf32>):
      scf.yield %next : tensor<2xf32>
    }
  }
  program.variant @v0(%x "x" leaf 0 : tensor<2xf32>) symbols [] {
    %0 = aten.rand(size = [2]) {program.generator = 0 : i64} : () -> tensor<2xf32>
    program.finish { program.end <leaf 0>(%0 : tensor<2xf32>) }
  }
}
