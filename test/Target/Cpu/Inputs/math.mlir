// Python's powers, shifts and divisions, and its math module, with their exceptions.
program.entry @forward {
  program.variant @v0(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.floordiv %x, %y : f64
    %1 = program.mod %x, %y : f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1]> (%0, %1 : f64, f64)
    }
  }
  program.variant @v1(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.pow %x, %y : f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v2(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %zero = arith.constant 0.0 : f64
    %0 = program.mod %x, %zero : f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v3(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64) {
    %n = program.abs %b : i64
    %0 = program.pow %a, %n : i64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : i64)
    }
  }
  program.variant @v4(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64) {
    %many = arith.constant 40 : i64
    %n = program.abs %b : i64
    %m = program.add %n, %many : i64
    %0 = program.pow %a, %m : i64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : i64)
    }
  }
  program.variant @v5(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64) {
    %0 = program.shl %a, %b : i64
    %1 = program.shr %a, %b : i64
    program.finish {
      program.end <tuple [leaf 0, leaf 1]> (%0, %1 : i64, i64)
    }
  }
  program.variant @v6(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64) {
    %many = arith.constant 60 : i64
    %m = program.add %b, %many : i64
    %0 = program.shl %a, %m : i64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : i64)
    }
  }
  program.variant @v7(%a "a" leaf 0 : i64, %b "b" leaf 1 : i64) {
    %0 = program.truediv %a, %b
    %big = arith.constant 2305843009213693951 : i64
    %c = program.sub %big, %a : i64
    %1 = program.truediv %c, %b
    %2 = program.truediv %a, %c
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%0, %1, %2 : f64, f64, f64)
    }
  }
  program.variant @v8(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "exp"(%x) : (f64) -> f64
    %1 = program.math "expm1"(%x) : (f64) -> f64
    %2 = program.math "atan"(%x) : (f64) -> f64
    %3 = program.math "sinh"(%x) : (f64) -> f64
    %4 = program.math "cosh"(%x) : (f64) -> f64
    %5 = program.math "tanh"(%x) : (f64) -> f64
    %6 = program.math "asinh"(%x) : (f64) -> f64
    %7 = program.math "erf"(%x) : (f64) -> f64
    %8 = program.math "erfc"(%x) : (f64) -> f64
    %9 = program.math "cbrt"(%x) : (f64) -> f64
    %10 = program.math "ulp"(%x) : (f64) -> f64
    %11 = program.math "lgamma"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3, leaf 4, leaf 5, leaf 6, leaf 7, leaf 8, leaf 9, leaf 10, leaf 11]> (%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)
    }
  }
  program.variant @v9(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "sin"(%x) : (f64) -> f64
    %1 = program.math "cos"(%x) : (f64) -> f64
    %2 = program.math "tan"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%0, %1, %2 : f64, f64, f64)
    }
  }
  program.variant @v10(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "sqrt"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v11(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "log"(%x) : (f64) -> f64
    %1 = program.math "log2"(%x) : (f64) -> f64
    %2 = program.math "log10"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%0, %1, %2 : f64, f64, f64)
    }
  }
  program.variant @v12(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "log1p"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v13(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "acosh"(%x) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v14(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "floor"(%x) : (f64) -> i64
    %1 = program.math "ceil"(%x) : (f64) -> i64
    %2 = program.math "trunc"(%x) : (f64) -> i64
    %3 = program.math "round"(%x) : (f64) -> i64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3]> (%0, %1, %2, %3 : i64, i64, i64, i64)
    }
  }
  program.variant @v15(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %five = arith.constant 5.0 : f64
    %z = arith.divf %x, %five : f64
    %0 = program.math "asin"(%z) : (f64) -> f64
    %1 = program.math "acos"(%z) : (f64) -> f64
    %2 = program.math "atanh"(%z) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2]> (%0, %1, %2 : f64, f64, f64)
    }
  }
  program.variant @v16(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %huge = arith.constant 400.0 : f64
    %z = arith.mulf %x, %huge : f64
    %0 = program.math "exp"(%z) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v17(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %0 = program.math "atan2"(%x, %y) : (f64, f64) -> f64
    %1 = program.math "copysign"(%x, %y) : (f64, f64) -> f64
    %2 = program.math "hypot"(%x, %y) : (f64, f64) -> f64
    %3 = program.math "fmod"(%x, %y) : (f64, f64) -> f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3]> (%0, %1, %2, %3 : f64, f64, f64, f64)
    }
  }
  program.variant @v18(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %zero = arith.constant 0.0 : f64
    %far = arith.divf %x, %zero : f64
    %nan = arith.subf %far, %far : f64
    %0 = program.math "isnan"(%nan) : (f64) -> i1
    %1 = program.math "isinf"(%far) : (f64) -> i1
    %2 = program.math "isfinite"(%y) : (f64) -> i1
    %3 = program.math "floor"(%far) : (f64) -> f64
    %4 = program.floordiv %x, %far : f64
    %5 = program.mod %x, %far : f64
    program.finish {
      program.end <tuple [leaf 0, leaf 1, leaf 2, leaf 3, leaf 4, leaf 5]> (%0, %1, %2, %3, %4, %5 : i1, i1, i1, f64, f64, f64)
    }
  }
  program.variant @v19(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %zero = arith.constant 0.0 : f64
    %far = arith.divf %x, %zero : f64
    %nan = arith.subf %far, %far : f64
    %0 = program.math "floor"(%far) : (f64) -> i64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : i64)
    }
  }
  program.variant @v20(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %zero = arith.constant 0.0 : f64
    %far = arith.divf %x, %zero : f64
    %nan = arith.subf %far, %far : f64
    %0 = program.math "fmod"(%far, %y) : (f64, f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
  program.variant @v21(%x "x" leaf 0 : f64, %y "y" leaf 1 : f64) {
    %zero = arith.constant 0.0 : f64
    %far = arith.divf %x, %zero : f64
    %nan = arith.subf %far, %far : f64
    %0 = program.math "sin"(%far) : (f64) -> f64
    program.finish {
      program.end <tuple [leaf 0]> (%0 : f64)
    }
  }
}
