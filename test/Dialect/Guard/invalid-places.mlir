// RUN: not ptc-opt %s 2>&1 | FileCheck %s

// The error is reported at the first of the places, so that it cannot be expected in this file.
// CHECK: m.py:1:1: error: 'guard.require' op has 2 reasons and 3 places
guard.set @v {
  %0 = guard.observe rank "x"
  guard.require rank eq %0, %0 because ["a", "b"] loc(fused["m.py":1:1, "m.py":2:1, "m.py":3:1])
}
