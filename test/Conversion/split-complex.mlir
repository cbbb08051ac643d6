// Tensors of complex numbers as tensors of their parts, in a whole body or not at all.
// RUN: ptc-opt %s -split-complex | FileCheck %s

module attributes {ptc.parameters = ["x", "y"], ptc.signature = "x, y"} {
  // Views of complex numbers go; dimensions are counted from the start; a product is in parts.
  // CHECK-LABEL: program.entry @product
  // CHECK: %[[X:.*]] = program.view %{{.*}} {{\[}}["view", [2, 3, 2]], ["transpose.int", 1, 0]] : (tensor<2x6xf32>) -> tensor<3x2x2xf32, #aten.meta<strides = [2, 6, 1]>>
  // CHECK: program.view %[[X]] {{\[}}["select.int", 2, 0]] : {{.*}} -> tensor<3x2xf32, #aten.meta<strides = [2, 6]>>
  // CHECK-COUNT-2: aten.mul.Tensor
  // CHECK: aten.sub.Tensor
  // CHECK-COUNT-2: aten.mul.Tensor
  // CHECK: aten.add.Tensor
  // CHECK: %[[P:.*]] = aten.stack([%{{.*}}, %{{.*}}], dim = 2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  // CHECK: %[[B:.*]] = program.view %[[P]] {{\[}}["permute", [1, 0, 2]]] : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32, #aten.meta<strides = [2, 6, 1]>>
  // CHECK: aten.sum.dim_IntList(%[[B]], dim = [1])
  // CHECK-NOT: complex<
  program.entry @product {
    program.variant @v0(%arg0 "x" leaf 0 : tensor<2x6xf32>, %arg1 "y" leaf 1 : tensor<2x6xf32>) {
      %0 = program.view %arg0 [["view", [2, 3, 2]], ["view_as_complex"], ["transpose.int", -1, -2]] : (tensor<2x6xf32>) -> tensor<3x2xcomplex<f32>, #aten.meta<strides = [1, 3]>>
      %1 = aten.mul.Tensor(%0, %0) : (tensor<3x2xcomplex<f32>, #aten.meta<strides = [1, 3]>>, tensor<3x2xcomplex<f32>, #aten.meta<strides = [1, 3]>>) -> tensor<3x2xcomplex<f32>, #aten.meta<strides = [1, 3]>>
      %2 = aten.sum.dim_IntList(%1, dim = [-1]) : (tensor<3x2xcomplex<f32>, #aten.meta<strides = [1, 3]>>) -> tensor<3xcomplex<f32>>
      program.finish {
        %3 = program.place %2 : tensor<3xcomplex<f32>>
        %4 = program.view %3 [["view_as_real"]] : (tensor<3xcomplex<f32>>) -> tensor<3x2xf32>
        program.end <leaf 0>(%4 : tensor<3x2xf32>)
      }
    }
  }
  // What comes from outside and what leaves stay complex; a product of matrices is four.
  // CHECK-LABEL: program.entry @matrices
  // CHECK: %arg0 "x" leaf 0 : tensor<3x3xcomplex<f32>>
  // CHECK: %[[Z:.*]] = program.view %arg0 {{\[}}["view_as_real"]] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3x2xf32>
  // CHECK-COUNT-4: aten.matmul
  // CHECK: %[[M:.*]] = aten.stack
  // CHECK: %[[K:.*]] = program.place %[[M]] : tensor<3x3x2xf32>
  // CHECK: %[[R:.*]] = program.view %[[K]] {{\[}}["view_as_complex"]] : (tensor<3x3x2xf32>) -> tensor<3x3xcomplex<f32>>
  // CHECK: program.end <leaf 0>(%[[R]] : tensor<3x3xcomplex<f32>>)
  program.entry @matrices {
    program.variant @v0(%arg0 "x" leaf 0 : tensor<3x3xcomplex<f32>>, %arg1 "y" leaf 1 : tensor<2x6xf32>) {
      %1 = aten.matmul(%arg0, %arg0) : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
      program.finish {
        %2 = program.place %1 : tensor<3x3xcomplex<f32>>
        program.end <leaf 0>(%2 : tensor<3x3xcomplex<f32>>)
      }
    }
  }
  // CHECK-LABEL: program.entry @roots
  // CHECK: view_as_complex
  // CHECK: aten.sqrt(%{{.*}}) {ptc.of_complex}
  program.entry @roots {
    program.variant @v0(%arg0 "x" leaf 0 : tensor<3x3x2xf32>, %arg1 "y" leaf 1 : tensor<2x6xf32>) {
      %0 = program.view %arg0 [["view_as_complex"]] : (tensor<3x3x2xf32>) -> tensor<3x3xcomplex<f32>>
      %1 = aten.sqrt(%0) : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
      program.finish {
        %2 = program.place %1 : tensor<3x3xcomplex<f32>>
        %3 = program.view %2 [["view_as_real"]] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3x2xf32>
        program.end <leaf 0>(%3 : tensor<3x3x2xf32>)
      }
    }
  }
}
