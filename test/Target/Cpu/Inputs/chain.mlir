// Pointwise neighbours with a weight, a literal and broadcasting; two results in one storage.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<5x7xf32>) {
    %w = program.weight "w" : tensor<7xf32>
    %l = program.literal dense<[[1.5], [2.0], [-3.0], [0.25], [1.0e10]]> : tensor<5x1xf32> : tensor<5x1xf32>
    %0 = aten.mul.Tensor(%x, %w) : (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>
    %1 = aten.sub.Tensor(%0, %l) : (tensor<5x7xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
    %2 = aten.abs(%1) : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %3 = aten.floor(%0) : (tensor<5x7xf32>) -> tensor<5x7xf32>
    %4 = aten.mul.Tensor(%2, %3) : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    program.finish {
      %5 = program.place %4 : tensor<5x7xf32>
      %6 = program.place %0 : tensor<5x7xf32>
      %7 = program.view %6 [["t"]] : (tensor<5x7xf32>) -> tensor<7x5xf32, #aten.meta<strides = [1, 7]>>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%5, %6, %7 : tensor<5x7xf32>, tensor<5x7xf32>, tensor<7x5xf32, #aten.meta<strides = [1, 7]>>)
    }
  }
}
