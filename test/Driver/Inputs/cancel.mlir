// The sum of x: eager adds floats in float, the null target in double, which shows where they cancel.
module attributes {ptc.parameters = ["x"]} {
  program.entry @forward {
    program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) {
      %sum = aten.sum(%x) : (tensor<4xf32>) -> tensor<f32> loc("model.py":5:12)
      program.finish {
        %home = program.place %sum : tensor<f32>
        program.end <leaf 0> (%home : tensor<f32>)
      }
    }
    guard.set @v0 {
    }
  }
}
