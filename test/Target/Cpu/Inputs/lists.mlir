// Lists that a loop makes: read at places known at run time, joined, counted.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<2x3xf32>, %n "n" leaf 1 : i64, %k "k" leaf 2 : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %numbers = program.list.new : !program.list<i64>
    %tensors = program.list.new : !program.list<tensor<2x3xf32>>
    %r:4 = scf.while (%l = %numbers, %t = %tensors, %y = %x, %i = %zero) : (!program.list<i64>, !program.list<tensor<2x3xf32>>, tensor<2x3xf32>, i64) -> (!program.list<i64>, !program.list<tensor<2x3xf32>>, tensor<2x3xf32>, i64) {
      %c = arith.cmpi slt, %i, %n : i64
      scf.condition(%c) %l, %t, %y, %i : !program.list<i64>, !program.list<tensor<2x3xf32>>, tensor<2x3xf32>, i64
    } do {
    ^bb0(%l: !program.list<i64>, %t: !program.list<tensor<2x3xf32>>, %y: tensor<2x3xf32>, %i: i64):
      %square = program.mul %i, %i : i64
      %l2 = program.list.push %l, %square : !program.list<i64>, i64
      %t2 = program.list.push %t, %y : !program.list<tensor<2x3xf32>>, tensor<2x3xf32>
      %next = program.add %i, %one : i64
      %more = aten.add.Tensor(%y, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      scf.yield %l2, %t2, %more, %next : !program.list<i64>, !program.list<tensor<2x3xf32>>, tensor<2x3xf32>, i64
    }
    %count = program.list.len %r#0 : !program.list<i64>
    %some = program.list.get %r#0, %k : !program.list<i64> -> i64 loc("model.py":4:5)
    %stacked = program.list.stack %r#1, 1 : !program.list<tensor<2x3xf32>> -> tensor<2x?x3xf32, #aten.meta<sizes = [2, "u0", 3]>>
    %joined = program.list.cat %r#1, 0 : !program.list<tensor<2x3xf32>> -> tensor<?x3xf32, #aten.meta<sizes = ["u1", 3]>>
    program.finish {
      %a = program.place %stacked : tensor<2x?x3xf32, #aten.meta<sizes = [2, "u0", 3]>>
      %b = program.place %joined : tensor<?x3xf32, #aten.meta<sizes = ["u1", 3]>>
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3]> (%count, %some, %a, %b : i64, i64, tensor<2x?x3xf32, #aten.meta<sizes = [2, "u0", 3]>>, tensor<?x3xf32, #aten.meta<sizes = ["u1", 3]>>)
    }
  }
}
