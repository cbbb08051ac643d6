// Arguments exchange their contents; a part of one is replaced; state is a tensor.
program.entry @forward {
  program.state @s0 "last" : tensor<4xf32>
  program.init {
    %l = program.literal dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
    program.set_state @s0, %l : tensor<4xf32>
  }
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>, %y "y" leaf 1 : tensor<4xf32>, %c "c" leaf 2 : i1) {
    %last = program.get_state @s0 : tensor<4xf32>
    %0 = aten.add.Tensor(%last, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %part = program.view %0 [["slice.Tensor", 0, 1, 3, 1]] : (tensor<4xf32>) -> tensor<2xf32>
    %1 = program.scatter %y, %part [["slice.Tensor", 0, 0, 2, 1]] : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>
    %2 = arith.select %c, %x, %1 : tensor<4xf32>
    program.finish {
      program.set_state @s0, %1 : tensor<4xf32>
      %a = program.place %y input 0 written : tensor<4xf32>
      %b = program.place %2 input 1 written : tensor<4xf32>
      %d = program.place %0 : tensor<4xf32>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%a, %b, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    }
  }
}
