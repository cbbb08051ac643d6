// Sizes that have a name: the arena and the kernels get them when the program runs.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) symbols [["B", 0, 0]] {
    %0 = aten.abs(%x) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %1 = aten.mul.Tensor(%0, %x) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %2 = aten.add.Tensor(%1, %0) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %n = program.size_of %x, 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %e = program.size_expr "n*n // 2 + B % 3" ["n"] (%n)
    program.finish {
      %5 = program.place %2 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
      %6 = program.view %5 [["t"]] : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<3x?xf32, #aten.meta<sizes = [3, "B"], strides = [1, 3]>>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%5, %6, %e : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<3x?xf32, #aten.meta<sizes = [3, "B"], strides = [1, 3]>>, i64)
    }
  }
}
