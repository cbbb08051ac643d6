// Results of branches and loops, and what loops carry, stand in the order in which they are read.
// RUN: ptc-opt --program-order-results %s | FileCheck %s

program.entry @f {
  program.variant @v0(%c "c" leaf 0 : i1, %a "a" leaf 1 : i64, %b "b" leaf 2 : f64) symbols [] {
    // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (f64, i64) {
    // CHECK-NEXT: scf.yield %[[B:.*]], %[[A:.*]] : f64, i64
    %0:2 = scf.if %c -> (i64, f64) {
      scf.yield %a, %b : i64, f64
    } else {
      scf.yield %a, %b : i64, f64
    }
    // CHECK: %[[F:.*]] = arith.addf %[[R]]#0
    %1 = arith.addf %0#1, %b : f64
    // The condition is read first in the loop, so it is carried first.
    // CHECK: scf.while (%[[G:.*]] = %{{.*}}, %[[X:.*]] = %[[F]]) : (i1, f64) -> (i64, f64) {
    %2:2 = scf.while (%x = %1, %go = %c) : (f64, i1) -> (f64, i64) {
      // CHECK: scf.condition(%[[G]]) %{{.*}}, %[[X]] : i64, f64
      scf.condition(%go) %x, %0#0 : f64, i64
    } do {
    // CHECK: ^bb0(%{{.*}}: i64, %[[Y:.*]]: f64):
    // CHECK-NEXT: scf.yield %{{.*}}, %[[Y]] : i1, f64
    ^bb0(%y: f64, %z: i64):
      scf.yield %y, %c : f64, i1
    }
    program.finish {
      program.end <tuple [leaf 0, leaf 1]>(%2#1, %2#0 : i64, f64)
    }
  }
}
