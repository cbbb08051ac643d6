// A loop decided by data that swaps and changes what it carries.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<6xf32>, %y "y" leaf 1 : tensor<6xf32>, %n "n" leaf 2 : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %base = aten.abs(%x) : (tensor<6xf32>) -> tensor<6xf32>
    %r:3 = scf.while (%a = %x, %b = %y, %i = %zero) : (tensor<6xf32>, tensor<6xf32>, i64) -> (tensor<6xf32>, tensor<6xf32>, i64) {
      %c = arith.cmpi slt, %i, %n : i64
      scf.condition(%c) %a, %b, %i : tensor<6xf32>, tensor<6xf32>, i64
    } do {
    ^bb0(%a: tensor<6xf32>, %b: tensor<6xf32>, %i: i64):
      %s = aten.add.Tensor(%a, %base) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %next = program.add %i, %one : i64
      scf.yield %b, %s, %next : tensor<6xf32>, tensor<6xf32>, i64
    }
    program.finish {
      %5 = program.place %r#0 : tensor<6xf32>
      %6 = program.place %r#1 : tensor<6xf32>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%5, %6, %r#2 : tensor<6xf32>, tensor<6xf32>, i64)
    }
  }
}
