// What may raise stays where nobody uses it, in its order; what is known not to raise goes. A loop that nothing proves to end stays.
// RUN: ptc-opt --program-canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: program.entry @raises
program.entry @raises {
  program.variant @v0(%a "a" leaf 0 : f64, %n "n" leaf 1 : i64, %x "x" leaf 2 : tensor<?xf32, #aten.meta<sizes = ["N"]>>) symbols [["N", 2, 0]] {
    %two = arith.constant 2.0 : f64
    %half = arith.constant 0.5 : f64
    %real = arith.sitofp %n : i64 to f64
    %size = program.size_of %x, 0 : tensor<?xf32, #aten.meta<sizes = ["N"]>>
    %length = arith.sitofp %size : i64 to f64
    // CHECK: program.math "sqrt"
    // CHECK-NEXT: program.to_int
    // CHECK-NEXT: program.pow
    // CHECK-NEXT: program.math "floor"
    // CHECK-NEXT: program.shl
    // CHECK-NEXT: program.shr
    // CHECK-NEXT: program.math "sqrt"
    // CHECK-NEXT: program.finish
    %0 = program.math "sqrt"(%a) : (f64) -> f64
    %1 = program.to_int %a
    %2 = program.pow %two, %a : f64
    %3 = program.math "floor"(%a) : (f64) -> i64
    %4 = program.shl %n, %n : i64
    %5 = program.shr %n, %n : i64
    %6 = program.math "sqrt"(%real) : (f64) -> f64
    // These do not raise, whatever their operands are.
    %7 = program.to_int %real
    %8 = program.math "floor"(%real) : (f64) -> i64
    %9 = program.math "cos"(%real) : (f64) -> f64
    %10 = program.math "sqrt"(%length) : (f64) -> f64
    %11 = program.shl %n, %size : i64
    %12 = program.pow %length, %half : f64
    %13 = program.math "atan"(%a) : (f64) -> f64
    %14 = program.math "isnan"(%a) : (f64) -> i1
    %15 = program.math "floor"(%a) : (f64) -> f64
    %16 = program.math "sqrt"(%a) {total} : (f64) -> f64
    %17 = program.pow %n, %n : i64
    %18 = program.add %n, %n : i64
    %19 = program.abs %a : f64
    %20 = program.math "sqrt"(%19) : (f64) -> f64
    program.finish {
      program.end <none>
    }
  }
}

// CHECK-LABEL: program.entry @loops
program.entry @loops {
  program.variant @v0(%a "a" leaf 0 : f64, %b "b" leaf 1 : f64) symbols [] {
    // CHECK-COUNT-1: scf.while
    // CHECK: program.turn
    // CHECK-NOT: scf.while
    // CHECK: program.finish
    %0 = scf.while (%x = %a) : (f64) -> f64 {
      %goes = arith.cmpf olt, %x, %b : f64
      scf.condition(%goes) %x : f64
    } do {
    ^bb0(%x: f64):
      program.turn
      %next = arith.addf %x, %x : f64
      scf.yield %next : f64
    }
    %1 = scf.while (%x = %a) : (f64) -> f64 {
      %goes = arith.cmpf olt, %x, %b : f64
      scf.condition(%goes) %x : f64
    } do {
    ^bb0(%x: f64):
      %next = arith.addf %x, %x : f64
      scf.yield %next : f64
    }
    program.finish {
      program.end <none>
    }
  }
}
