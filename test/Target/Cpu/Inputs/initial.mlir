// Weights that are drawn once: between constants, and by the normal distribution.
program.entry @forward {
  program.state @c0 "" : tensor<4xf32>
  program.state @c1 "" : tensor<4xf32>
  program.init {
    %0 = aten.empty.memory_format(size = [4]) : () -> tensor<4xf32>
    %1 = aten.uniform(%0, from = -5.000000e-01, to = 5.000000e-01) {program.generator = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = aten.normal_functional(%0) {program.generator = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    program.set_state @c0, %1 : tensor<4xf32>
    program.set_state @c1, %2 : tensor<4xf32>
  }
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) {
    %0 = program.get_state @c0 : tensor<4xf32>
    %1 = program.get_state @c1 : tensor<4xf32>
    program.finish {
      %2 = program.place %0 : tensor<4xf32>
      %3 = program.place %1 : tensor<4xf32>
      program.end <tuple [leaf 0, leaf 1]> (%2, %3 : tensor<4xf32>, tensor<4xf32>)
    }
  }
}
