//===- Passes.td - Passes over programs ----------------------------*- tablegen -*-===//
#ifndef PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_TD
#define PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProgramOrderResults : Pass<"program-order-results", "::mlir::ModuleOp"> {
  let summary = "order results of branches and loops by their first use";
  let description = [{
    Joins meet the slots of a frame in the order in which a compiler of Python laid them out, which
    differs between its versions. Behind this pass the results of scf.if, scf.index_switch and
    scf.while, and what a loop carries, stand in the order in which they are first read.
  }];
}

def ProgramDropDraws : Pass<"program-drop-draws", "::mlir::ModuleOp"> {
  let summary = "drop initial random numbers that nobody reads";
  let description = [{
    Modules draw their parameters before weights from a file take their place. What program.init draws
    from a generator matters only if its numbers are read, or if something draws from the same generator
    later: a variant, or program.init itself. The same is true of loops and branches that do nothing but
    compute and draw. An initialisation without effect goes as a whole.
  }];
}

def ProgramCanonicalize : Pass<"program-canonicalize", "::mlir::ModuleOp"> {
  let summary = "canonicalize, in time that does not grow with the square of what a branch gives";
  let description = [{
    The canonicalization patterns of all operations, as `canonicalize` applies them. Those about what branches and
    loops forward (results of scf.if, scf.index_switch and scf.while, and what loops carry) are applied to all of
    these in turn, where `canonicalize` comes back to them with every change that is made within.
  }];
}

def ProgramRotateLoops : Pass<"program-rotate-loops", "::mlir::ModuleOp"> {
  let summary = "put what a loop does into the region that runs where it goes on";
  let description = [{
    Captured loops end their first region in a branch of which one side goes on and the other ends the loop. Behind this
    pass the condition of the branch is the loop's, and the side that goes on is the second region, if the other side
    only says that the loop ends.
  }];
}

def ProgramHoistInvariants : Pass<"program-hoist-invariants", "::mlir::ModuleOp"> {
  let summary = "compute in front of a loop what is the same in each of its iterations";
  let description = [{
    Operations on tensors of known sizes that cannot raise, and whose operands have a value whether the loop runs or not.
  }];
}

#endif // PTC_DIALECT_PROGRAM_TRANSFORMS_PASSES_TD
