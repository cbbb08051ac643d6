// RUN: ptc-opt %s | ptc-opt | FileCheck %s
// RUN: ptc-opt %s --mlir-print-op-generic | ptc-opt | FileCheck %s

// CHECK-LABEL: program.entry @forward
program.entry @forward attributes {file = "model.py"} {
  // CHECK: program.state @s0 "self.count" : i64
  program.state @s0 "self.count" : i64
  program.state @s1 "self.cache" : tensor<3xf32>
  // CHECK: program.init {
  program.init {
    %zero = arith.constant 0 : i64
    program.set_state @s0, %zero : i64
    // CHECK: program.weight "cache" : tensor<3xf32>
    %w = program.weight "cache" : tensor<3xf32>
    program.set_state @s1, %w : tensor<3xf32>
    // CHECK: program.literal dense<{{.*}}> : tensor<2xf32> : tensor<2xf32>
    %l = program.literal dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  }
  // CHECK: program.variant @v0(%{{.*}} "x" leaf 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, %{{.*}} "k" leaf 2 : i64) symbols {{\[\[}}"B", 0, 0]]
  program.variant @v0(%x "x" leaf 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, %k "k" leaf 2 : i64) symbols [["B", 0, 0]] {
    %count = program.get_state @s0 : i64
    %one = arith.constant 1 : i64
    %next = program.add %count, %one : i64
    // CHECK: program.view %{{.*}} {{\[\[}}"select.int", 0, #aten.arg<0>]](%{{.*}}) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, i64) -> tensor<3xf32>
    %row = program.view %x [["select.int", 0, #aten.arg<0>]] (%k) : (tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>, i64) -> tensor<3xf32>
    // CHECK: program.retype %{{.*}} ["u1"](%{{.*}}) : tensor<?xf32, #aten.meta<sizes = ["t0"]>> -> tensor<?xf32, #aten.meta<sizes = ["u1 + 1"]>>
    %some = program.undef : tensor<?xf32, #aten.meta<sizes = ["t0"]>>
    %said = program.retype %some ["u1"](%k) : tensor<?xf32, #aten.meta<sizes = ["t0"]>> -> tensor<?xf32, #aten.meta<sizes = ["u1 + 1"]>>
    // CHECK: program.item
    %n = program.size_of %x, 0 : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
    %e = program.size_expr "B*2 + u0" ["u0"] (%n)
    %c = arith.cmpi sgt, %e, %one : i64
    %i = program.item %row : tensor<3xf32> -> f64
    %u = program.undef : tensor<3xf32>
    %p = program.pick %c of %row, %u : (i1, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %m = program.map %c [2 : i64, 5 : i64] : i1 -> i64
    %l0 = program.list.new : <tensor<3xf32>>
    %l1 = program.list.push %l0, %row : <tensor<3xf32>>, tensor<3xf32>
    %l2 = program.list.push %l1, %row : <tensor<3xf32>>, tensor<3xf32>
    %l3 = program.list.drop %l2 : <tensor<3xf32>>
    // CHECK: program.list.set %{{.*}}, %{{.*}}, %{{.*}} : <tensor<3xf32>>, tensor<3xf32>
    %l4 = program.list.set %l3, %one, %row : <tensor<3xf32>>, tensor<3xf32>
    %offsets = program.list.new : <i64>
    // CHECK: program.list.views %{{.*}}, %{{.*}} extents(%{{.*}}, %{{.*}}) : (tensor<3xf32>, !program.list<i64>, !program.list<i64>, i64) -> !program.list<tensor<?xf32>>
    %views = program.list.views %row, %offsets extents (%offsets, %one) : (tensor<3xf32>, !program.list<i64>, !program.list<i64>, i64) -> !program.list<tensor<?xf32>>
    %st = program.list.stack %l3, 0 : <tensor<3xf32>> -> tensor<?x3xf32>
    // CHECK: program.print stdout <template [str "n = ", field "f.2f" [leaf 0], str "\0A"]>(%{{.*}} : i64)
    program.print stdout <template [str "n = ", field "f.2f" [leaf 0], str "\n"]> (%n : i64)
    // CHECK: %{{.*}} = program.clock monotonic
    %now = program.clock monotonic
    // CHECK: program.turn
    program.turn
    // CHECK: program.text_length <template [leaf 0]>(%{{.*}} : i64)
    %length = program.text_length <template [leaf 0]> (%n : i64)
    // CHECK: program.finish %{{.*}} : i1 {
    program.finish %c : i1 {
      program.set_state @s0, %next : i64
      // CHECK: program.place %{{.*}} input 0 written : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
      %home = program.place %x input 0 written : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>
      // CHECK: program.end <tuple [leaf 0, list id 1 [int = 3 : i64, str "a"], same id 1, none]>(%{{.*}} : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>)
      program.end <tuple [leaf 0, list id 1 [int = 3 : i64, str "a"], same id 1, none]> (%home : tensor<?x3xf32, #aten.meta<sizes = ["B", 3]>>)
    }, {
      // CHECK: program.end raised <tuple [object "ValueError" id 1 [str "args", tuple [str "bad"]], template [str "bad ", leaf 0], tuple [str "m.py", int = 3 : i64]]>(%{{.*}} : i64)
      program.end raised <tuple [object "ValueError" id 1 [str "args", tuple [str "bad"]], template [str "bad ", leaf 0], tuple [str "m.py", int = 3 : i64]]> (%k : i64)
    }
  }
}
