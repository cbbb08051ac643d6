// RUN: ptc-opt %s --guard-simplify --split-input-file --verify-diagnostics --mlir-print-debuginfo | FileCheck %s

// CHECK-LABEL: guard.set @implied
// CHECK: %[[Y:.*]] = guard.observe size "y"[0]
// CHECK: %[[C8:.*]] = arith.constant 8 : i64
// CHECK: guard.require size_equal eq %[[Y]], %[[C8]] because ["y is 8"]
// CHECK: %[[X:.*]] = guard.observe size "x"[0]
// CHECK: guard.require size_equal eq %[[X]], %[[C8]] because ["product", "at least 2"]
// CHECK-NOT: guard.require
guard.set @implied {
  %x = guard.observe size "x"[0]
  %y = guard.observe size "y"[0]
  %xy = arith.muli %x, %y : i64
  %c2 = arith.constant 2 : i64
  %c8 = arith.constant 8 : i64
  %c64 = arith.constant 64 : i64
  guard.require size_equal eq %y, %c8 because ["y is 8"] loc("m.py":1:1)
  guard.require size_range ge %x, %c2 because ["at least 2"] loc("m.py":2:1)
  guard.require size_relation eq %xy, %c64 because ["product"] loc("m.py":3:1)
}

// -----

// CHECK-LABEL: guard.set @divisible
// CHECK: %[[X:.*]] = guard.observe size "x"[0]
// CHECK: arith.floordivsi %[[X]]
// CHECK: guard.require size_divisible eq {{.*}} because ["by 8", "by 4"]
// CHECK: guard.require string_value eq
// CHECK-NOT: guard.require
guard.set @divisible {
  %x = guard.observe size "x"[0]
  %mode = guard.observe string "mode"
  %fast = guard.text "fast"
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %q4 = arith.floordivsi %x, %c4 : i64
  %m4 = arith.muli %q4, %c4 : i64
  %q8 = arith.floordivsi %x, %c8 : i64
  %m8 = arith.muli %q8, %c8 : i64
  guard.require size_divisible eq %x, %m8 because ["by 8"]
  guard.require size_divisible eq %x, %m4 because ["by 4"]
  guard.require string_value eq %mode, %fast because ["mode"]
}

// -----

// expected-error@+1 {{holds guards that contradict each other}}
guard.set @contradiction {
  %x = guard.observe size "x"[0]
  %y = guard.observe size "y"[0]
  guard.require size_relation lt %x, %y because []
  guard.require size_relation lt %y, %x because []
}

// -----

guard.set @unknown {
  %x = guard.observe size "x"[0]
  // expected-error@+1 {{'arith.shli' op is not integer arithmetic on observables}}
  %y = arith.shli %x, %x : i64
  guard.require size_relation lt %x, %y because []
}
