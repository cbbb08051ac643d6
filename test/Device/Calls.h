//===- Calls.h - What all functions of the driver do --------------------*- C++ -*-===//
//
// Calls are written down, and fail where the environment says so.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_TEST_DEVICE_CALLS_H
#define PTC_TEST_DEVICE_CALLS_H

#include "Ptx.h"

namespace device {

/// As cuda.h numbers them.
enum Result : int {
  kOk = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidContext = 201,
  kNoBinary = 209,
  kInvalidPtx = 218,
  kNotFound = 500,
  kLaunchFailed = 719
};

/// Of the driver's functions.
#define PTC_DRIVER extern "C" __attribute__((visibility("default")))

/// A line of the log.
void say(const std::string &text);
/// A call that is wrong.
Result wrong(const std::string &what);
/// What a kernel did wrong; launches fail with it.
Result noteFault(const char *text);
/// Calls of a function since the last wish for a failure, of which there were so many.
struct Counted {
  int calls = 0, since = 0;
};
/// What this call of a function fails with.
int failure(const char *name, Counted &counted);
bool hasContext(const char *name);

#define PTC_MAY_FAIL(Name)                                                                         \
  do {                                                                                             \
    static device::Counted counted;                                                                \
    if (int failed = failure(Name, counted))                                                       \
      return failed;                                                                               \
  } while (false)
#define PTC_NEEDS_CONTEXT(Name)                                                                    \
  do {                                                                                             \
    if (!hasContext(Name))                                                                         \
      return kInvalidContext;                                                                      \
  } while (false)

/// An image that was loaded: machine code, which is not executed, or PTX, which is.
struct Image {
  const char *machineCode = nullptr;
  std::unique_ptr<Module> module;
};
struct Kernel {
  std::string name;
  const Image *image;
  const Function *function; ///< null: it is not executed
};

bool isStream(const void *stream);
std::string on(const void *stream);
size_t numGraphs();

} // namespace device

#endif // PTC_TEST_DEVICE_CALLS_H
