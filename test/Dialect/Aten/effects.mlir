// RUN: ptc-opt %s --cse | FileCheck %s

// What is pure goes when unused and is computed once; what may raise or draws random numbers stays.
// CHECK-LABEL: @effects
func.func @effects(%x: tensor<4xf32>, %i: tensor<2xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NOT: aten.neg
  %0 = aten.neg(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: aten.bernoulli
  %1 = aten.bernoulli(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: aten.index_select
  %2 = aten.index_select(%x, dim = 0, index = %i) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  // CHECK: %[[R:.*]] = aten.relu
  // CHECK-NOT: aten.relu
  %3 = aten.relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = aten.relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[R]], %[[R]]
  return %3, %4 : tensor<4xf32>, tensor<4xf32>
}
