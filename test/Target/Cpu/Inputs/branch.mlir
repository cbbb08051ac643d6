// State over calls, a side that raises, a written argument and a view of it.
module {
  program.entry @forward {
    program.state @s0 "count" : i64
    program.init {
      %zero = arith.constant 5 : i64
      program.set_state @s0, %zero : i64
    }
    program.variant @v0(%x "x" leaf 0 : tensor<3xf32>, %k "k" leaf 1 : i64) {
      %count = program.get_state @s0 : i64
      %one = arith.constant 1 : i64
      %zero = arith.constant 0.0 : f64
      %next = program.add %count, %one : i64
      %e = program.view %x [["select.int", 0, #aten.arg<0>]] (%k) : (tensor<3xf32>, i64) -> tensor<f32>
      %v = program.item %e : tensor<f32> -> f64 loc("model.py":3:5)
      %c = arith.cmpf ogt, %v, %zero : f64
      %which, %y = scf.if %c -> (index, tensor<3xf32>) {
        %i0 = arith.constant 0 : index
        program.print stdout <template [str "positive ", leaf 0, str "\n"]> (%v : f64)
        %sum = aten.add.Tensor(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
        scf.yield %i0, %sum : index, tensor<3xf32>
      } else {
        %i1 = arith.constant 1 : index
        %u = program.undef : tensor<3xf32>
        scf.yield %i1, %u : index, tensor<3xf32>
      }
      program.finish %which : index {
        program.set_state @s0, %next : i64
        %home = program.place %y input 0 written : tensor<3xf32>
        %part = program.view %home [["slice.Tensor", 0, 1, #aten.none, 1]] : (tensor<3xf32>) -> tensor<2xf32>
        program.end <tuple [leaf 0, leaf 1, leaf 2]> (%home, %part, %next : tensor<3xf32>, tensor<2xf32>, i64)
      }, {
        program.set_state @s0, %next : i64
        program.end raised <tuple [object "ValueError" [str "args", tuple], template [str "bad ", leaf 0], tuple [str "model.py", int = 7 : i64]]> (%v : f64) loc("model.py":7:5)
      } loc("model.py":9:5)
    }
  }
}
