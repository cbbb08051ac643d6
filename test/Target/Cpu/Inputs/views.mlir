// Elements at places known at run time; what is out of range says so where it is used.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<3x2xf32>, %i "i" leaf 1 : i64, %j "j" leaf 2 : i64) {
    %e = program.view %x [["select.int", 0, #aten.arg<0>], ["select.int", 0, #aten.arg<1>]] (%i, %j) : (tensor<3x2xf32>, i64, i64) -> tensor<f32>
    %0 = aten.neg(%e) : (tensor<f32>) -> tensor<f32> loc("model.py":4:5)
    program.finish {
      %a = program.place %0 : tensor<f32>
      program.end <tuple [leaf 0]> (%a : tensor<f32>)
    }
  }
  program.variant @v1(%x "x" leaf 0 : tensor<3x2xf32>, %y "y" leaf 1 : tensor<2xf32>, %i "i" leaf 2 : i64) {
    %0 = program.scatter %x, %y [["select.int", 0, #aten.arg<0>]] (%i) : (tensor<3x2xf32>, tensor<2xf32>, i64) -> tensor<3x2xf32> loc("model.py":6:5)
    program.finish {
      %a = program.place %0 : tensor<3x2xf32>
      program.end <tuple [leaf 0]> (%a : tensor<3x2xf32>)
    }
  }
  program.variant @v2(%x "x" leaf 0 : tensor<3x2xf32>, %y "y" leaf 1 : tensor<2x2xf32>, %i "i" leaf 2 : i64) {
    %least = arith.constant -2 : i64
    %two = arith.constant 2 : i64
    %above = arith.cmpi sge, %i, %least : i64
    %below = arith.cmpi slt, %i, %two : i64
    %c = arith.andi %above, %below : i1
    %row = program.view %y [["select.int", 0, #aten.arg<0>]] (%i) : (tensor<2x2xf32>, i64) -> tensor<2xf32>
    %0 = program.scatter %x, %row [["select.int", 0, 1]] : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
    %1 = program.pick %c of %x, %0 : (i1, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    program.finish {
      %a = program.place %1 : tensor<3x2xf32>
      program.end <tuple [leaf 0]> (%a : tensor<3x2xf32>)
    }
  }
}
