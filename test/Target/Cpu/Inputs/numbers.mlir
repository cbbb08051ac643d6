// Python's numbers: floors, signs, overflow, comparisons of ints with floats, tables.
program.entry @forward {
  program.variant @v0(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64, %x "x" leaf 2 : f64, %f "f" leaf 3 : i1) {
    %big = arith.constant 4611686018427387904 : i64
    %0 = program.floordiv %a, %b : i64 loc("model.py":4:5)
    %1 = program.mod %a, %b : i64
    %2 = program.mul %a, %big : i64
    %3 = program.abs %a : i64
    %4 = program.neg %x : f64
    %5 = program.compare "<" %a, %x : i64, f64
    %6 = program.compare ">=" %x, %b : f64, i64
    %7 = program.to_int %x
    %8 = program.pick %f of %a, %b : (i1, i64, i64) -> i64
    %9 = program.map %f [1.5, -2.5] : i1 -> f64
    %10 = program.sub %0, %1 : i64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3, leaf 4, leaf 5, leaf 6, leaf 7, leaf 8, leaf 9, leaf 10]> (%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : i64, i64, i64, i64, f64, i1, i1, i64, i64, f64, i64)
    }
  }
}
