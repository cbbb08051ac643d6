/*===- Status.c - What a status means ---------------------------------------------===*
 *
 * In: a status. Out: its text from Status.def.
 *
 *===----------------------------------------------------------------------------===*/
#include "ptc/Runtime/ptc.h"

const char *ptc_status_text(ptc_status status) {
  switch (status) {
#define PTC_STATUS(Name, Value, Text)                                                              \
  case ptc_status_##Name:                                                                          \
    return Text;
#include "ptc/Runtime/Status.def"
  }
  return "not a status of this version";
}
