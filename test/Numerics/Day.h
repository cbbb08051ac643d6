//===- Day.h - Which part of the cases has its day ---------------------------------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_DAY_H
#define PTC_TEST_NUMERICS_DAY_H

#include <chrono>
#include <cstdlib>

namespace ptc::numerics {

/// PTC_SEED, or the number of the day: which part of the cases is tried, where one is.
inline unsigned seedOfDay() {
  using Days = std::chrono::duration<unsigned, std::ratio<86400>>;
  const char *given = std::getenv("PTC_SEED");
  return given ? unsigned(std::strtoul(given, nullptr, 10))
               : std::chrono::floor<Days>(std::chrono::system_clock::now().time_since_epoch())
                     .count();
}

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_DAY_H
