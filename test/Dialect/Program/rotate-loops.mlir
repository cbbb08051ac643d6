// RUN: ptc-opt --program-rotate-loops %s | FileCheck %s

// The side that goes on becomes the second region, and gets what it reads of the first.
// CHECK-LABEL: func @counted
// CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK:   %[[C:.*]] = arith.cmpi slt, %[[I]], %arg1
// CHECK:   scf.condition(%[[C]]) %[[Y]], %[[I]]
// CHECK: do
// CHECK: ^bb0(%[[Y2:.*]]: i64, %[[I2:.*]]: i64):
// CHECK:   %[[Z:.*]] = arith.addi %[[Y2]], %[[I2]]
// CHECK:   %[[N:.*]] = arith.addi %[[I2]], %{{.*}}
// CHECK:   scf.yield %[[N]], %[[Z]]
func.func @counted(%arg0: i64, %arg1: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:3 = scf.while (%i = %zero, %y = %arg0) : (i64, i64) -> (i64, i64, i64) {
    %c = arith.cmpi slt, %i, %arg1 : i64
    %s = arith.select %c, %c1, %c0 : index
    %b:3 = scf.index_switch %s -> index, i64, i64
    case 0 {
      scf.yield %c0, %zero, %zero : index, i64, i64
    }
    default {
      %z = arith.addi %y, %i : i64
      %n = arith.addi %i, %one : i64
      scf.yield %c1, %n, %z : index, i64, i64
    }
    %go = arith.cmpi eq, %b#0, %c1 : index
    scf.condition(%go) %y, %b#1, %b#2 : i64, i64, i64
  } do {
  ^bb0(%y: i64, %n: i64, %z: i64):
    scf.yield %n, %z : i64, i64
  }
  return %r#0 : i64
}

// What the branch gives is read behind the loop: the loop stays.
// CHECK-LABEL: func @read_behind
// CHECK: scf.if
// CHECK: return
func.func @read_behind(%arg0: i64, %arg1: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %c = arith.cmpi slt, %i, %arg1 : i64
    %b:2 = scf.if %c -> (index, i64) {
      %n = arith.addi %i, %arg0 : i64
      scf.yield %c1, %n : index, i64
    } else {
      scf.yield %c0, %zero : index, i64
    }
    %go = arith.cmpi eq, %b#0, %c1 : index
    scf.condition(%go) %b#1 : i64
  } do {
  ^bb0(%n: i64):
    scf.yield %n : i64
  }
  return %r : i64
}
