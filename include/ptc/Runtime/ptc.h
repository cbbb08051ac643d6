/*===- ptc.h - The C interface of artefacts ------------------------------*- C -*-===*
 *
 * C11 and C++. What is here is shared by compiled programs and their callers, and does not change
 * within a major version.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_PTC_H
#define PTC_RUNTIME_PTC_H

#ifdef __cplusplus
extern "C" {
#endif

#define PTC_VERSION_MAJOR 0
#define PTC_VERSION_MINOR 1

/** How a call ended. 0 is success. */
typedef enum ptc_status {
#define PTC_STATUS(Name, Value, Text) ptc_status_##Name = Value,
#include "ptc/Runtime/Status.def"
} ptc_status;

/** What a status means, in English; never null, also for numbers that are no status. */
const char *ptc_status_text(ptc_status status);

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_PTC_H */
