// Kernels that read run-time numbers; indices and divisors that eager refuses.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<2x3xf32>, %s "s" leaf 1 : f64, %n "n" leaf 2 : i64, %c "c" leaf 3 : i1) {
    %0 = aten.mul.Scalar(%x, %s) : (tensor<2x3xf32>, f64) -> tensor<2x3xf32>
    %1 = aten.add.Scalar(%0, %n, 1) : (tensor<2x3xf32>, i64) -> tensor<2x3xf32>
    %2 = aten.full([5], %s) : (f64) -> tensor<5xf32>
    %i = arith.extui %c : i1 to i64
    %3 = aten.sub.Scalar(%2, %i, 1) : (tensor<5xf32>, i64) -> tensor<5xf32>
    program.finish {
      %a = program.place %1 : tensor<2x3xf32>
      %b = program.place %3 : tensor<5xf32>
      program.end <tuple [leaf 0, leaf 1]> (%a, %b : tensor<2x3xf32>, tensor<5xf32>)
    }
  }
  program.variant @v1(%w "w" leaf 0 : tensor<3x4xf32>, %i "i" leaf 1 : tensor<2xi64>) {
    %0 = aten.embedding(%w, %i) : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x4xf32> loc("model.py":4:5)
    program.finish {
      %a = program.place %0 : tensor<2x4xf32>
      program.end <tuple [leaf 0]> (%a : tensor<2x4xf32>)
    }
  }
  program.variant @v2(%x "x" leaf 0 : tensor<3xi64>, %y "y" leaf 1 : tensor<3xi64>) {
    %0 = aten.floor_divide(%x, %y) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64> loc("model.py":5:5)
    program.finish {
      %a = program.place %0 : tensor<3xi64>
      program.end <tuple [leaf 0]> (%a : tensor<3xi64>)
    }
  }
  program.variant @v3(%x "x" leaf 0 : tensor<7x2xf32>, %i "i" leaf 1 : tensor<3x2xi64>) {
    %0 = aten.gather(%x, 0, %i, sparse_grad = false) : (tensor<7x2xf32>, tensor<3x2xi64>) -> tensor<3x2xf32> loc("model.py":6:5)
    program.finish {
      %a = program.place %0 : tensor<3x2xf32>
      program.end <tuple [leaf 0]> (%a : tensor<3x2xf32>)
    }
  }
}
