// RUN: ptc-opt %s | ptc-opt --mlir-print-debuginfo=false | FileCheck %s
// RUN: ptc-opt %s --mlir-print-debuginfo | ptc-opt --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: guard.set @variant_0
guard.set @variant_0 {
  // CHECK: %[[TYPE:.*]] = guard.observe type "batch[\22mask\22]"
  %0 = guard.observe type "batch[\22mask\22]"
  // CHECK: %[[SIZE:.*]] = guard.observe size "x"[1]
  %1 = guard.observe size "x"[1]
  // CHECK: guard.observe overlap "x" with "y"
  %2 = guard.observe overlap "x" with "y"
  // CHECK: guard.observe grad_mode ""
  %3 = guard.observe grad_mode ""
  // CHECK: guard.observe float_compare "scale"[4602678819172646912] with ">"
  %4 = guard.observe float_compare "scale"[4602678819172646912] with ">"
  // CHECK: %[[MODE:.*]] = guard.observe string "mode"
  %5 = guard.observe string "mode"
  // CHECK: %[[FAST:.*]] = guard.text "fast"
  %6 = guard.text "fast"
  %c8 = arith.constant 8 : i64
  // CHECK: guard.require type eq %[[TYPE]], %{{.*}} because ["argument"]
  guard.require type eq %0, %c8 because ["argument"]
  // CHECK: guard.require size_range ge %[[SIZE]], %{{.*}} because ["one", "two"]
  // LOC: guard.require size_range ge {{.*}} loc([[TWO:#.*]])
  guard.require size_range ge %1, %c8 because ["one", "two"] loc(fused["m.py":3:5, "m.py":9:1])
  // CHECK: guard.require string_value eq %[[MODE]], %[[FAST]] because []
  guard.require string_value eq %5, %6 because []
  guard.require overlap eq %2, %3 because ["x is written"]
  guard.require float_condition ne %4, %3 because ["branch"]
}
// LOC: [[TWO]] = loc(fused[
