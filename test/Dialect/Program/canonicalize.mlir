// What branches and loops forward twice is one; what they forward to nobody, or from one place only, is gone.
// RUN: ptc-opt --program-canonicalize %s | FileCheck %s

// CHECK-LABEL: program.entry @branch
program.entry @branch {
  program.variant @v0(%c "c" leaf 0 : i1, %a "a" leaf 1 : f64, %b "b" leaf 2 : f64) symbols [] {
    // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (f64, f64) {
    // CHECK-NEXT: %[[SUM:.*]] = arith.addf
    // CHECK-NEXT: scf.yield %[[SUM]], %[[B:.*]] : f64, f64
    %0:5 = scf.if %c -> (f64, f64, f64, f64, f64) {
      %1 = arith.addf %a, %b : f64
      %2 = arith.mulf %a, %b : f64
      scf.yield %1, %a, %1, %2, %b : f64, f64, f64, f64, f64
    } else {
      // CHECK: else
      // CHECK-NEXT: %[[LESS:.*]] = arith.subf
      // CHECK-NEXT: scf.yield %[[LESS]], %[[LESS]] : f64, f64
      %1 = arith.subf %a, %b : f64
      scf.yield %1, %a, %1, %1, %1 : f64, f64, f64, f64, f64
    }
    program.finish {
      // CHECK: program.end {{.*}}(%[[R]]#0, %{{.*}}, %[[R]]#0, %[[R]]#1 : f64, f64, f64, f64)
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3]>(%0#0, %0#1, %0#2, %0#4 : f64, f64, f64, f64)
    }
  }
}

// CHECK-LABEL: program.entry @loop
program.entry @loop {
  program.variant @v0(%a "a" leaf 0 : f64, %b "b" leaf 1 : f64) symbols [] {
    // CHECK: %[[R:.*]] = scf.while (%[[X:.*]] = %{{.*}}) : (f64) -> f64 {
    // CHECK-NEXT: %[[GOES:.*]] = arith.cmpf olt, %[[X]]
    // CHECK-NEXT: scf.condition(%[[GOES]]) %[[X]] : f64
    %0:2 = scf.while (%x = %a, %y = %a) : (f64, f64) -> (f64, f64) {
      %goes = arith.cmpf olt, %x, %b : f64
      scf.condition(%goes) %x, %y : f64, f64
    } do {
    ^bb0(%x: f64, %y: f64):
      // CHECK: ^bb0(%[[Y:.*]]: f64):
      // CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[Y]], %[[Y]]
      // CHECK-NEXT: scf.yield %[[NEXT]] : f64
      %1 = arith.addf %x, %y : f64
      scf.yield %1, %1 : f64, f64
    }
    program.finish {
      // CHECK: program.end {{.*}}(%[[R]], %[[R]] : f64, f64)
      program.end <tuple [leaf 0, leaf 1]>(%0#0, %0#1 : f64, f64)
    }
  }
}
