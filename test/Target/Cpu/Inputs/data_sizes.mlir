// Sizes that data decide: what a mask keeps, slices with run-time bounds, a tensor that a loop grows.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<7xf32>) {
    %m = aten.gt.Scalar(%x, other = 0) : (tensor<7xf32>) -> tensor<7xi1>
    %n = aten.nonzero(%m) : (tensor<7xi1>) -> tensor<?x1xi64, #aten.meta<sizes = ["u0", 1], strides = [1, "u0"]>>
    %i = program.view %n [["select.int", 1, 0]] : (tensor<?x1xi64, #aten.meta<sizes = ["u0", 1], strides = [1, "u0"]>>) -> tensor<?xi64, #aten.meta<sizes = ["u0"]>>
    %y = aten.index.Tensor(%x, [%i]) : (tensor<7xf32>, tensor<?xi64, #aten.meta<sizes = ["u0"]>>) -> tensor<?xf32, #aten.meta<sizes = ["u0"]>>
    %z = aten.cat([%y, %x], dim = 0) : (tensor<?xf32, #aten.meta<sizes = ["u0"]>>, tensor<7xf32>) -> tensor<?xf32, #aten.meta<sizes = ["u0 + 7"]>>
    %c = program.size_of %n, 0 : tensor<?x1xi64, #aten.meta<sizes = ["u0", 1], strides = [1, "u0"]>>
    %d = program.size_expr "u0 * 2" ["u0"] (%c)
    program.finish {
      %a = program.place %y : tensor<?xf32, #aten.meta<sizes = ["u0"]>>
      %b = program.place %z : tensor<?xf32, #aten.meta<sizes = ["u0 + 7"]>>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%a, %b, %d : tensor<?xf32, #aten.meta<sizes = ["u0"]>>, tensor<?xf32, #aten.meta<sizes = ["u0 + 7"]>>, i64)
    }
  }
  program.variant @v1(%x "x" leaf 0 : tensor<7x2xf32>, %n "n" leaf 1 : i64) {
    %0 = program.view %x [["slice.Tensor", 0, #aten.none, #aten.arg<0>, 1]] (%n) : (tensor<7x2xf32>, i64) -> tensor<?x2xf32, #aten.meta<sizes = ["u1", 2]>>
    %1 = program.view %x [["slice.Tensor", 0, #aten.arg<0>, #aten.none, 2]] (%n) : (tensor<7x2xf32>, i64) -> tensor<?x2xf32, #aten.meta<sizes = ["u2", 2], strides = [4, 1]>>
    %2 = aten.neg(%0) : (tensor<?x2xf32, #aten.meta<sizes = ["u1", 2]>>) -> tensor<?x2xf32, #aten.meta<sizes = ["u1", 2]>>
    %3 = aten.abs(%1) : (tensor<?x2xf32, #aten.meta<sizes = ["u2", 2], strides = [4, 1]>>) -> tensor<?x2xf32, #aten.meta<sizes = ["u2", 2]>>
    program.finish {
      %a = program.place %2 : tensor<?x2xf32, #aten.meta<sizes = ["u1", 2]>>
      %b = program.place %3 : tensor<?x2xf32, #aten.meta<sizes = ["u2", 2]>>
      program.end <tuple [leaf 0, leaf 1]> (%a, %b : tensor<?x2xf32, #aten.meta<sizes = ["u1", 2]>>, tensor<?x2xf32, #aten.meta<sizes = ["u2", 2]>>)
    }
  }
  program.variant @v2(%x "x" leaf 0 : tensor<3xf32>, %n "n" leaf 1 : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %first = program.retype %x : tensor<3xf32> -> tensor<?xf32, #aten.meta<sizes = ["u3"]>>
    %r:2 = scf.while (%a = %first, %i = %zero) : (tensor<?xf32, #aten.meta<sizes = ["u3"]>>, i64) -> (tensor<?xf32, #aten.meta<sizes = ["u3"]>>, i64) {
      %c = arith.cmpi slt, %i, %n : i64
      scf.condition(%c) %a, %i : tensor<?xf32, #aten.meta<sizes = ["u3"]>>, i64
    } do {
    ^bb0(%a: tensor<?xf32, #aten.meta<sizes = ["u3"]>>, %i: i64):
      %more = aten.cat([%a, %x], dim = 0) : (tensor<?xf32, #aten.meta<sizes = ["u3"]>>, tensor<3xf32>) -> tensor<?xf32, #aten.meta<sizes = ["u3 + 3"]>>
      %next = program.add %i, %one : i64
      %kept = program.retype %more : tensor<?xf32, #aten.meta<sizes = ["u3 + 3"]>> -> tensor<?xf32, #aten.meta<sizes = ["u3"]>>
      scf.yield %kept, %next : tensor<?xf32, #aten.meta<sizes = ["u3"]>>, i64
    }
    program.finish {
      %p = program.place %r#0 : tensor<?xf32, #aten.meta<sizes = ["u3"]>>
      program.end <tuple [leaf 0, leaf 1]> (%p, %r#1 : tensor<?xf32, #aten.meta<sizes = ["u3"]>>, i64)
    }
  }
}
