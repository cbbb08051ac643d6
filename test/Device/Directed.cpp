//===- Directed.cpp - Instructions on floats, rounded to one side ----------------------===//
//
// Compiled for a rounding that is not known: it is set around each instruction.
//
//===----------------------------------------------------------------------===//
#include "Table.h"

#include <cfenv>

using namespace device;

namespace {
struct Add {
  template <class T> T operator()(T a, T b) const { return a + b; }
};
struct Sub {
  template <class T> T operator()(T a, T b) const { return a - b; }
};
struct Mul {
  template <class T> T operator()(T a, T b) const { return a * b; }
};
struct Div {
  template <class T> T operator()(T a, T b) const { return a / b; }
};
struct Fma {
  template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
struct Sqrt {
  template <class T> T operator()(T a) const { return std::sqrt(a); }
};
struct Reciprocal {
  template <class T> T operator()(T a) const { return T(1) / a; }
};

template <int Rounding, class F, class... T> void computeRounded(Warp &warp, const Instruction &i) {
  std::fesetround(Rounding);
  compute<F, T...>(warp, i);
  std::fesetround(FE_TONEAREST);
}

template <int Rounding, class F, class... T>
void addRow(Table &table, const std::string &op, const std::string &mode, const std::string &type) {
  table.add(op + mode + type, {computeRounded<Rounding, F, T...>, {widthOf<T>...}});
}

template <int Rounding, class T>
void addMode(Table &table, const std::string &mode, const std::string &type) {
  addRow<Rounding, Add, T, T, T>(table, "add", mode, type);
  addRow<Rounding, Sub, T, T, T>(table, "sub", mode, type);
  addRow<Rounding, Mul, T, T, T>(table, "mul", mode, type);
  addRow<Rounding, Div, T, T, T>(table, "div", mode, type);
  addRow<Rounding, Fma, T, T, T, T>(table, "fma", mode, type);
  addRow<Rounding, Sqrt, T, T>(table, "sqrt", mode, type);
  addRow<Rounding, Reciprocal, T, T>(table, "rcp", mode, type);
}
} // namespace

void device::addDirected(Table &table) {
  addMode<FE_TOWARDZERO, float>(table, ".rz", ".f32");
  addMode<FE_DOWNWARD, float>(table, ".rm", ".f32");
  addMode<FE_UPWARD, float>(table, ".rp", ".f32");
  addMode<FE_TOWARDZERO, double>(table, ".rz", ".f64");
  addMode<FE_DOWNWARD, double>(table, ".rm", ".f64");
  addMode<FE_UPWARD, double>(table, ".rp", ".f64");
}
