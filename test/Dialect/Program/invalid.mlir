// RUN: ptc-opt %s -split-input-file -verify-diagnostics

program.entry @outcomes {
  program.variant @v0(%c "c" leaf 0 : i64) {
    // expected-error @below {{several outcomes need a selector}}
    program.finish {
      program.end <none>
    }, {
      program.end <none>
    }
  }
}

// -----

program.entry @leaves {
  program.variant @v0(%c "c" leaf 0 : i64) {
    program.finish {
      // expected-error @below {{a tree reads operand 1, but there are 1}}
      program.end <tuple [leaf 0, leaf 1]> (%c : i64)
    }
  }
}

// -----

program.entry @raised {
  program.variant @v0() {
    program.finish {
      // expected-error @below {{what is raised must be an object with its text and place}}
      program.end raised <none>
    }
  }
}

// -----

program.entry @text {
  program.variant @v0() {
    // expected-error @below {{text must be a template}}
    program.print stdout <none>
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @field {
  program.variant @v0() {
    // expected-error @below {{a field of a template is a conversion and what it shows}}
    program.print stdout <template [field "r"]>
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @dict {
  program.variant @v0() {
    program.finish {
      // expected-error @below {{a tree has a key without a value}}
      program.end <dict [str "a"]>
    }
  }
}

// -----

program.entry @mutated {
  program.variant @v0() {
    program.finish {
      // expected-error @below {{mutated containers: 2 paths, 1 contents}}
      program.end <none> mutated ["a", "b"] [#program.out<none>]
    }
  }
}

// -----

program.entry @symbols {
  // expected-error @below {{belongs to an input that is not there}}
  program.variant @v0(%x "x" leaf 0 : tensor<?xf32>) symbols [["B", 1, 0]] {
    program.finish {
      program.end <none>
    }
  }
}

// -----

program.entry @tree {
  program.variant @v0() {
    program.finish {
      // expected-error @below {{no kind of result is called 'heap'}}
      program.end <heap>
    }
  }
}

// -----

func.func @other_elements(%list: !program.list<i64>) {
  // expected-error @below {{makes another value of '!program.list<i64>'}}
  %0 = program.retype %list : !program.list<i64> -> !program.list<tensor<i64>>
  return
}

// -----

func.func @names_without_numbers(%x: tensor<?xf32, #aten.meta<sizes = ["t0"]>>) {
  // expected-error @below {{has a number for each symbol}}
  %0 = "program.retype"(%x) {symbols = ["u0"]} : (tensor<?xf32, #aten.meta<sizes = ["t0"]>>) -> tensor<?xf32, #aten.meta<sizes = ["u0"]>>
  return
}

// -----

func.func @views_without_stride(%x: tensor<4xf32>, %at: !program.list<i64>, %n: i64) {
  // expected-error @below {{has a size and a stride for each dimension of a tensor}}
  %0 = program.list.views %x, %at extents (%n) : (tensor<4xf32>, !program.list<i64>, i64) -> !program.list<tensor<?xf32>>
  return
}

// -----

func.func @views_at_floats(%x: tensor<4xf32>, %at: !program.list<f64>, %n: i64) {
  // expected-error @below {{takes ints, and lists of ints}}
  %0 = program.list.views %x, %at extents (%n, %n) : (tensor<4xf32>, !program.list<f64>, i64, i64) -> !program.list<tensor<?xf32>>
  return
}

// -----

func.func @other_element(%list: !program.list<i64>, %x: tensor<i64>) {
  // expected-error @below {{puts 'tensor<i64>' among 'i64'}}
  %0 = program.list.push %list, %x : <i64>, tensor<i64>
  return
}

// -----

func.func @another_element(%list: !program.list<i64>, %at: i64, %x: tensor<i64>) {
  // expected-error @below {{puts 'tensor<i64>' among 'i64'}}
  %0 = program.list.set %list, %at, %x : <i64>, tensor<i64>
  return
}
