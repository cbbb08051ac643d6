// Parts of a tensor are replaced; where their elements lie depends on sizes of the run.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, %y "y" leaf 1 : tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>) symbols [["B", 0, 0], ["C", 1, 0]] {
    %column = program.view %x [["slice.Tensor", 1, #aten.none, 1, 1], ["reshape", [-1]]] : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>) -> tensor<?xf32, #aten.meta<sizes = ["B"], strides = [3]>>
    %0 = aten.abs(%column) : (tensor<?xf32, #aten.meta<sizes = ["B"], strides = [3]>>) -> tensor<?xf32, #aten.meta<sizes = ["B"]>>
    %1 = program.scatter %x, %0 [["slice.Tensor", 1, #aten.none, 1, 1], ["reshape", [-1]]] : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<?xf32, #aten.meta<sizes = ["B"]>>) -> tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %half = program.view %y [["slice.Tensor", 1, #aten.none, 2, 1], ["flatten.using_ints", 1, -1]] : (tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>) -> tensor<?x6xf32, #aten.meta<sizes = ["C", 6], strides = [12, 1]>>
    %2 = aten.neg(%half) : (tensor<?x6xf32, #aten.meta<sizes = ["C", 6], strides = [12, 1]>>) -> tensor<?x6xf32, #aten.meta<sizes = ["C", 6]>>
    %3 = program.scatter %y, %2 [["slice.Tensor", 1, #aten.none, 2, 1], ["flatten.using_ints", 1, -1]] : (tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>, tensor<?x6xf32, #aten.meta<sizes = ["C", 6]>>) -> tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>
    program.finish {
      %4 = program.place %1 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
      %5 = program.place %3 : tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>
      program.end <tuple [leaf 0, leaf 1]> (%4, %5 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, tensor<?x4x3xf32, #aten.meta<sizes = ["C", 4, 3]>>)
    }
  }
}
