// Texts of tensors: of run-time sizes, strides and every kind of element; of one that is an alternative,
// in an exception.
module {
  program.entry @texts {
  program.variant @v0(%x "x" leaf 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, %n "n" leaf 1 : tensor<4xi64>, %m "m" leaf 2 : tensor<2x2xi1>, %i "i" leaf 3 : i64) symbols [["B", 0, 0]] {
    %t = program.view %x [["t"]] : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<3x?xf32, #aten.meta<sizes = [3, "B"], strides = [1, 3]>>
    %double = aten.add.Tensor(%x, %x) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    program.print stdout <template [str "x ", field "s" [leaf 0], str " of ", field "rrequires_grad=True" [leaf 1], list [leaf 2, tuple [leaf 3, leaf 4]], str "\n"]> (%x, %t, %double, %n, %i : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<3x?xf32, #aten.meta<sizes = [3, "B"], strides = [1, 3]>>, tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<4xi64>, i64)
    program.finish {
      program.end <leaf 0> (%i : i64)
    }
  }
  program.variant @v1(%x "x" leaf 0 : tensor<3x2xf64>, %h "h" leaf 1 : tensor<2xf16>, %m "m" leaf 2 : tensor<2x2xi1>, %i "i" leaf 3 : i64) {
    %zero = arith.constant 0 : i64
    %low = arith.cmpi slt, %i, %zero : i64
    %which, %row, %half = scf.if %low -> (index, tensor<2xf64>, tensor<2xf16>) {
      %i0 = arith.constant 0 : index
      %e = program.view %x [["select.int", 0, #aten.arg<0>]] (%i) : (tensor<3x2xf64>, i64) -> tensor<2xf64> loc("model.py":3:5)
      %u = program.undef : tensor<2xf16>
      scf.yield %i0, %e, %u : index, tensor<2xf64>, tensor<2xf16>
    } else {
      %i1 = arith.constant 1 : index
      %u = program.undef : tensor<2xf64>
      scf.yield %i1, %u, %h : index, tensor<2xf64>, tensor<2xf16>
    }
    program.print stdout <template [choice 0 [template [str "row ", field "s" [leaf 1]], template [str "half ", field "s" [leaf 2]]], str " and ", field "s" [leaf 3], str "\n"]> (%which, %row, %half, %m : index, tensor<2xf64>, tensor<2xf16>, tensor<2x2xi1>)
    %last = program.view %x [["select.int", 0, 2]] : (tensor<3x2xf64>) -> tensor<2xf64> loc("model.py":7:5)
    program.finish %which : index {
      program.end <leaf 0> (%i : i64)
    }, {
      program.end raised <tuple [object "ValueError" [str "args", tuple], template [str "bad ", field "s" [leaf 0]], tuple [str "model.py", int = 8 : i64]]> (%last : tensor<2xf64>) loc("model.py":8:5)
    }
  }
  }
}
