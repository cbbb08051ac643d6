// RUN: ptc-opt --program-hoist-invariants %s | FileCheck %s

// What is computed of arguments leaves the loop, and what is computed of that.
// CHECK-LABEL: func @invariant
// CHECK: %[[S:.*]] = aten.sigmoid(%arg0)
// CHECK: %[[T:.*]] = aten.tanh(%[[S]])
// CHECK: scf.while
// CHECK: do
// CHECK: aten.mul.Tensor(%{{.*}}, %[[T]])
func.func @invariant(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%i = %zero, %h = %arg1) : (i64, tensor<4xf32>) -> (i64, tensor<4xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %h : i64, tensor<4xf32>
  } do {
  ^bb0(%i: i64, %h: tensor<4xf32>):
    %s = aten.sigmoid(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %t = aten.tanh(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %m = aten.mul.Tensor(%h, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %next = arith.addi %i, %one : i64
    scf.yield %next, %m : i64, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// Sizes that only the run knows, what a branch gives, random numbers and what may raise stay.
// CHECK-LABEL: func @stays
// CHECK: scf.while
// CHECK: do
// CHECK: aten.sigmoid
// CHECK: aten.tanh
// CHECK: aten.bernoulli
// CHECK: aten.index_select
func.func @stays(%arg0: tensor<?xf32, #aten.meta<sizes = ["N"]>>, %arg1: tensor<4xf32>, %ids: tensor<2xi64>, %c: i1) {
  %u = scf.if %c -> (tensor<4xf32>) {
    scf.yield %arg1 : tensor<4xf32>
  } else {
    %none = program.undef : tensor<4xf32>
    scf.yield %none : tensor<4xf32>
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    %s = aten.sigmoid(%arg0) : (tensor<?xf32, #aten.meta<sizes = ["N"]>>) -> tensor<?xf32, #aten.meta<sizes = ["N"]>>
    %t = aten.tanh(%u) : (tensor<4xf32>) -> tensor<4xf32>
    %b = aten.bernoulli(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %i = aten.index_select(%arg1, dim = 0, index = %ids) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
    scf.yield
  }
  return
}
