/*===- Numbers.h - Functions of Python's numbers ------------------------------*- C -*-===*
 *
 * What CPython computes itself of ints and floats, bit for bit: rows of NumberFunctions.def that
 * are none of libm's. The compiler's evaluator calls them, and artefacts have those that they name.
 * Functions that return bool for an int say false where it leaves 64 bits. Where CPython raises
 * ValueError the float is NaN, where it raises OverflowError infinite.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_NUMBERS_H
#define PTC_RUNTIME_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

double ptc_number_mantissa(double x); /* of math.frexp, and the exponent */
int64_t ptc_number_exponent(double x);
double ptc_number_fraction(double x); /* of math.modf */
double ptc_number_gamma(double x);
double ptc_number_log_gamma(double x);
double ptc_number_ldexp(double x, int64_t exponent);
double ptc_number_norm(const double *coordinates, int64_t count);
double ptc_number_ulp(double x);

/* Of numbers that are not negative. */
bool ptc_number_comb(int64_t n, int64_t k, int64_t *result);
bool ptc_number_factorial(int64_t n, int64_t *result);
bool ptc_number_perm(int64_t n, int64_t k, int64_t *result);
int64_t ptc_number_isqrt(int64_t n);

bool ptc_number_gcd(int64_t a, int64_t b, int64_t *result);
bool ptc_number_lcm(int64_t a, int64_t b, int64_t *result);
int64_t ptc_number_bit_count(int64_t n);
int64_t ptc_number_bit_length(int64_t n);
int64_t ptc_number_hash_float(double x); /* of NaN: 0 */
int64_t ptc_number_hash_int(int64_t n);
bool ptc_number_is_whole(double x);
/* The exponent is not negative, the modulus not 0. */
int64_t ptc_number_power_modulo(int64_t base, int64_t exponent, int64_t modulus);
double ptc_number_round_float(double x, int64_t digits);
bool ptc_number_round_int(int64_t n, int64_t digits, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_NUMBERS_H */
