// Random numbers: each distribution, below and above the sixteen elements that normal ones take at a time.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<5xf64>, %s "s" leaf 1 : i64) {
    %g = arith.constant 0 : i64
    %a = aten.rand([3, 2]) : () -> tensor<3x2xf32>
    %b = aten.randn([19]) : () -> tensor<19xf32>
    %c = aten.randn([7]) : () -> tensor<7xf32>
    program.seed %g, %s
    %d = aten.randint.low(-3, 9, [11]) : () -> tensor<11xi64>
    %e = aten.randperm(9) : () -> tensor<9xi64>
    %f = aten.uniform(%x, -2.0, 3.0) : (tensor<5xf64>) -> tensor<5xf64>
    %h = aten.randn([33], dtype = f64) : () -> tensor<33xf64>
    program.finish {
      %0 = program.place %a : tensor<3x2xf32>
      %1 = program.place %b : tensor<19xf32>
      %2 = program.place %c : tensor<7xf32>
      %3 = program.place %d : tensor<11xi64>
      %4 = program.place %e : tensor<9xi64>
      %5 = program.place %f : tensor<5xf64>
      %6 = program.place %h : tensor<33xf64>
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3, leaf 4, leaf 5, leaf 6]> (%0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<19xf32>, tensor<7xf32>, tensor<11xi64>, tensor<9xi64>, tensor<5xf64>, tensor<33xf64>)
    }
  }
}
