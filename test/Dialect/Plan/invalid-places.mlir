// RUN: ptc-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{has an arena and is no program.variant}}
module attributes {plan.arena = "0"} {}

// -----

// expected-error @below {{has the unknown attribute "plan.size"}}
module attributes {plan.size = "0"} {}

// -----

// expected-error @below {{has places of an unknown form}}
module attributes {plan.places = [1]} {}

// -----

program.entry @no_size {
  // expected-error @below {{has no arena of a size known at entry}}
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "n"} {
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @no_place {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "64"} {
    // expected-error @below {{makes a tensor that has no place}}
    %0 = aten.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @other_size {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "64"} {
    // expected-error @below {{has a place in the arena of another size than its tensor}}
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "8">]} : (tensor<4xf32>) -> tensor<4xf32>
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @beyond {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "64"} {
    // expected-error @below {{lies beyond the end of the arena}}
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "64" bytes "16">]} : (tensor<4xf32>) -> tensor<4xf32>
    program.finish {
      program.end <none>
    }
  }
}

// -----

// The first value is read behind the second one, through a view.
program.entry @overlap {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "128"} {
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "16">]} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = program.view %0 [["view", [2, 2]]] : (tensor<4xf32>) -> tensor<2x2xf32>
    // expected-error @below {{overlaps a value that still lives, made at loc(}}
    %2 = aten.sin(%x) {plan.places = [#plan.place<arena at "8" bytes "16">]} : (tensor<4xf32>) -> tensor<4xf32>
    program.finish {
      %3 = program.place %1 : tensor<2x2xf32>
      program.end <leaf 0> (%3 : tensor<2x2xf32>)
    }
  }
}

// -----

// What a loop reads in each turn lives to its end.
program.entry @loop {
  program.variant @v0(%x "x" leaf 0 : tensor<1xf32>) attributes {plan.arena = "128"} {
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "4">]} : (tensor<1xf32>) -> tensor<1xf32>
    scf.while : () -> () {
      %1 = program.item %0 : tensor<1xf32> -> f64
      %zero = arith.constant 0.0 : f64
      %c = arith.cmpf ogt, %1, %zero : f64
      scf.condition(%c)
    } do {
      // expected-error @below {{overlaps a value that still lives, made at loc(}}
      %2 = aten.sin(%x) {plan.places = [#plan.place<arena at "0" bytes "4">]} : (tensor<1xf32>) -> tensor<1xf32>
      scf.yield
    }
    program.finish {
      program.end <none>
    }
  }
}

// -----

// Written over an operand whose elements are read in another order.
#id = affine_map<(d0) -> (d0)>
#zero = affine_map<(d0) -> (0)>
program.entry @over {
  program.variant @v0(%x "x" leaf 0 : tensor<4xf32>) attributes {plan.arena = "64"} {
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "16">]} : (tensor<4xf32>) -> tensor<4xf32>
    // expected-error @below {{overlaps a value that still lives, made at loc(}}
    %1 = plan.kernel pointwise(%0 : tensor<4xf32>) -> tensor<4xf32>
        attributes {plan.places = [#plan.place<arena at "0" bytes "16" over 0>]} {
    ^bb0(%a: tensor<4xf32>):
      %e = tensor.empty() : tensor<4xf32>
      %2 = linalg.generic {indexing_maps = [#zero, #id], iterator_types = ["parallel"]}
          ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4xf32>
      plan.yield %2 : tensor<4xf32>
    }
    program.finish {
      program.end <none>
    }
  }
}

// -----

// Written over an operand that lies in another order.
#id = affine_map<(d0, d1) -> (d0, d1)>
program.entry @over_turned {
  program.variant @v0(%x "x" leaf 0 : tensor<2x2xf32>) attributes {plan.arena = "64"} {
    %0 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "16">]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    // expected-error @below {{overlaps a value that still lives, made at loc(}}
    %1 = plan.kernel pointwise(%0 : tensor<2x2xf32>) -> tensor<2x2xf32, #aten.meta<strides = [1, 2]>>
        attributes {plan.places = [#plan.place<arena at "0" bytes "16" over 0>]} {
    ^bb0(%a: tensor<2x2xf32>):
      %e = tensor.empty() : tensor<2x2xf32>
      %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<2x2xf32>
      plan.yield %2 : tensor<2x2xf32>
    }
    program.finish {
      program.end <none>
    }
  }
}

// -----

// What is reserved for the smaller one of two at one place ends before the larger one does.
#all = #aten.meta<sizes = ["s"]>
#half = #aten.meta<sizes = ["(s + 1) // 2"]>
program.entry @half_reserved {
  program.variant @v0(%x "x" leaf 0 : tensor<?xf32, #all>, %y "y" leaf 1 : tensor<?xf32, #half>)
      symbols [["s", 0, 0]] attributes {plan.arena = "64*((s + 31) // 32) + 64*((s + 15) // 16)"} {
    %0 = aten.exp(%y) {plan.places = [#plan.place<arena at "0" bytes "4*((s + 1) // 2)">]} : (tensor<?xf32, #half>) -> tensor<?xf32, #half>
    %1 = aten.exp(%x) {plan.places = [#plan.place<arena at "0" bytes "4*s">]} : (tensor<?xf32, #all>) -> tensor<?xf32, #all>
    // expected-error @below {{overlaps a value that still lives}}
    %2 = aten.sin(%x) {plan.places = [#plan.place<arena at "64*((s + 31) // 32)" bytes "4*s">]} : (tensor<?xf32, #all>) -> tensor<?xf32, #all>
    %3 = aten.add.Tensor(%1, %2) {plan.places = [#plan.place<block>]} : (tensor<?xf32, #all>, tensor<?xf32, #all>) -> tensor<?xf32, #all>
    program.finish {
      program.end <none>
    }
  }
}

// -----

// An order is one of a loop nest.
// expected-error @below {{has an order and is no linalg.generic}}
module attributes {plan.order = #plan.order<dim = 0, descending = false, nanFirst = false, isUnsigned = false>} {}
