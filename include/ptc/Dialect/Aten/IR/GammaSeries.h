//===- GammaSeries.h - Series of the logarithm of gamma -------------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_GAMMASERIES_H
#define PTC_DIALECT_ATEN_IR_GAMMASERIES_H

namespace ptc::aten {

/// 1 less Euler's constant, then (-1)^k (zeta(k) - 1) / k from k = 2 on: the coefficients of
/// lgamma(2 + z) / z (Abramowitz and Stegun, 6.1.33). Exact to double precision for |z| <= 1/2.
inline constexpr double kLogGammaNearTwo[] = {
    0.42278433509846713,     0.3224670334241132,     -0.0673523010531981,
    0.020580808427784546,    -0.007385551028673986,  0.0028905103307415234,
    -0.001192753911703261,   0.0005096695247430425,  -0.00022315475845357939,
    9.945751278180853e-05,   -4.492623673813314e-05, 2.050721277567069e-05,
    -9.439488275268397e-06,  4.374866789907488e-06,  -2.039215753801366e-06,
    9.55141213040742e-07,    -4.492469198764566e-07, 2.1207184805554665e-07,
    -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08,  -5.183475041970047e-09, 2.4836745438024785e-09,
    -1.1921401405860912e-09, 5.731367241678862e-10,  -2.7595228851242334e-10};

/// Stirling's series: the Bernoulli numbers B(2n) over 2n (2n - 1).
inline constexpr double kStirling[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                       1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
inline constexpr double kHalfLogTwoPi = 0.91893853320467274;

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_GAMMASERIES_H
