//===- OracleFixture.h - One oracle and one seed for all tests -----*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_ORACLEFIXTURE_H
#define PTC_TEST_NUMERICS_ORACLEFIXTURE_H

#include "ptc/Oracle/OracleLibrary.h"

namespace ptc::numerics {

/// LibTorch, opened once, on one thread.
OracleLibrary &oracle();
/// PTC_SEED, or a fixed one; printed once.
uint64_t seed();

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_ORACLEFIXTURE_H
