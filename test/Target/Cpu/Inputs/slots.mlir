// Slots that some paths set, more than once, and what a call that raises leaves behind.
program.entry @forward {
  program.state @s0 "count" : i64
  program.state @s1 "last" : tensor<3xf32>
  program.state @s2 "turn" : f64
  program.init {
    %five = arith.constant 5 : i64
    %l = program.literal dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : tensor<3xf32>
    %half = arith.constant 0.5 : f64
    program.set_state @s0, %five : i64
    program.set_state @s1, %l : tensor<3xf32>
    program.set_state @s2, %half : f64
  }
  program.variant @v0(%x "x" leaf 0 : tensor<3xf32>, %c "c" leaf 1 : i1, %n "n" leaf 2 : i64) {
    %count = program.get_state @s0 : i64
    %last = program.get_state @s1 : tensor<3xf32>
    %turn = program.get_state @s2 : f64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    program.set_state @s0, %n : i64
    scf.if %c {
      %more = program.add %count, %one : i64
      program.set_state @s0, %more : i64
      %sum = aten.add.Tensor(%last, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      program.set_state @s1, %sum : tensor<3xf32>
    }
    %r = scf.while (%i = %zero) : (i64) -> i64 {
      %again = arith.cmpi slt, %i, %n : i64
      scf.condition(%again) %i : i64
    } do {
    ^bb0(%i: i64):
      %f = arith.sitofp %i : i64 to f64
      program.set_state @s2, %f : f64
      %twice = aten.mul.Tensor(%last, %last) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      program.set_state @s1, %twice : tensor<3xf32>
      %next = program.add %i, %one : i64
      scf.yield %next : i64
    }
    %many = arith.constant 4 : i64
    %raises = arith.cmpi sgt, %n, %many : i64
    program.finish %raises : i1 {
      %p = program.place %last : tensor<3xf32>
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%count, %p, %turn : i64, tensor<3xf32>, f64)
    }, {
      program.end raised <choice 1 [tuple [object "ValueError" [str "args", tuple], template [str "bad ", leaf 0], tuple [str "model.py", int = 7 : i64]], tuple [object "KeyError" [str "args", tuple], template [str "no ", leaf 0], tuple [str "model.py", int = 9 : i64]]]> (%n, %c : i64, i1)
    }
  }
}
