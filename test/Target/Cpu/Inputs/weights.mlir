// Products with weights: packed for one kernel, plain for others, with rows that the run knows.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : tensor<?x13xf32, #aten.meta<sizes = ["B", 13]>>) symbols [["B", 0, 0]] {
    %w = program.weight "w" : tensor<45x13xf32>
    %b = program.weight "b" : tensor<45xf32>
    %u = program.weight "u" : tensor<45x70xf32>
    %r = aten.round(%x) : (tensor<?x13xf32, #aten.meta<sizes = ["B", 13]>>) -> tensor<?x13xf32, #aten.meta<sizes = ["B", 13]>>
    %0 = aten.linear(%r, %w, %b) : (tensor<?x13xf32, #aten.meta<sizes = ["B", 13]>>, tensor<45x13xf32>, tensor<45xf32>) -> tensor<?x45xf32, #aten.meta<sizes = ["B", 45]>>
    %1 = aten.mm(%0, %u) : (tensor<?x45xf32, #aten.meta<sizes = ["B", 45]>>, tensor<45x70xf32>) -> tensor<?x70xf32, #aten.meta<sizes = ["B", 70]>>
    %2 = aten.neg(%w) : (tensor<45x13xf32>) -> tensor<45x13xf32>
    program.finish {
      %5 = program.place %1 : tensor<?x70xf32, #aten.meta<sizes = ["B", 70]>>
      %6 = program.place %2 : tensor<45x13xf32>
      program.end <tuple [leaf 0, leaf 1]> (%5, %6 : tensor<?x70xf32, #aten.meta<sizes = ["B", 70]>>, tensor<45x13xf32>)
    }
  }
  program.variant @v1(%x "x" leaf 0 : tensor<9x13xf32>) {
    %w = program.weight "w" : tensor<45x13xf32>
    %b = program.weight "b" : tensor<45xf32>
    %r = aten.round(%x) : (tensor<9x13xf32>) -> tensor<9x13xf32>
    %0 = aten.linear(%r, %w, %b) : (tensor<9x13xf32>, tensor<45x13xf32>, tensor<45xf32>) -> tensor<9x45xf32>
    program.finish {
      %5 = program.place %0 : tensor<9x45xf32>
      program.end <tuple [leaf 0]> (%5 : tensor<9x45xf32>)
    }
  }
}
