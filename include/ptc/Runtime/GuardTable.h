/*===- GuardTable.h - Guards as read-only data ----------------------------*- C -*-===*
 *
 * What an artefact needs to say why no variant fits a call. The fast path is generated code; this
 * table is read only after it has failed. The compiler writes it (lib/Package), the stub reads it.
 *
 * Texts are offsets in `texts`, which are terminated by 0; offset 0 is the empty text.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_GUARDTABLE_H
#define PTC_RUNTIME_GUARDTABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t ptc_text;

/* Rows have no padding: their bytes are written to artefacts as they are. */

/** Formulas in postfix form. CONSTANT and OBSERVABLE are followed by their operand; the others pop
    two values and push one. FLOORDIV is Python's `//`; COMPARE gives -1, 0 or 1: the sign of the
    difference, which itself may not fit. */
enum {
  PTC_CODE_CONSTANT,
  PTC_CODE_OBSERVABLE,
  PTC_CODE_ADD,
  PTC_CODE_MUL,
  PTC_CODE_FLOORDIV,
  PTC_CODE_MIN,
  PTC_CODE_MAX,
  PTC_CODE_COMPARE
};
/** Deepest stack of a formula; the compiler does not write deeper ones. */
#define PTC_CODE_MAX_DEPTH 64

/** What has to be true of a formula's value. */
enum { PTC_IS_ZERO, PTC_IS_NONZERO, PTC_IS_NONPOSITIVE };

/** How the integer of an observable prints. Values not named in `names` print as numbers. */
enum { PTC_FORMAT_INT, PTC_FORMAT_BOOL, PTC_FORMAT_FLOAT, PTC_FORMAT_NAMED };

typedef struct ptc_observable_row {
  ptc_text subject; /**< `x.shape[0]` */
  uint32_t format;
} ptc_observable_row;

/** The text of one value of an observable: `torch.float32`. */
typedef struct ptc_value_name {
  uint32_t observable;
  ptc_text name;
  int64_t value;
} ptc_value_name;

typedef struct ptc_guard_row {
  uint32_t code, code_length; /**< the formula: cells of `code` */
  uint32_t relation;          /**< PTC_IS_… */
  ptc_text expected;          /**< `8`, `>= 2`, or the whole formula */
  ptc_text assumption, file;  /**< what is assumed, and where; file may be empty */
  uint32_t line;
  ptc_text hint; /**< `{}` stands for what was found */
} ptc_guard_row;

typedef struct ptc_guard_table {
  const int64_t *code;
  const ptc_observable_row *observables;
  const ptc_value_name *names;
  const ptc_guard_row *guards;    /**< of all variants, one after the other */
  const uint32_t *variant_begins; /**< first guard of each variant, then the number of guards */
  const char *texts;
  uint32_t num_observables, num_names, num_variants, reserved;
} ptc_guard_table;

/** Values of the observables of one call; `present[i]` is 0 where the call does not have one. */
typedef struct ptc_observation {
  const int64_t *values;
  const uint8_t *present;
} ptc_observation;

/** The first guard of a variant that does not hold, or -1 if all do. A guard whose observables a
    call does not have, or whose value overflows 64 bits, does not hold. */
int64_t ptc_first_failure(const ptc_guard_table *table, uint32_t variant, ptc_observation call);

/** How many guards of a variant do not hold: the variant with fewest is the nearest one. */
uint32_t ptc_count_failures(const ptc_guard_table *table, uint32_t variant, ptc_observation call);

/** Writes what failed, where it was assumed, and what to do, one line each, as snprintf does: at
    most `size` bytes with the final 0; returns the length that the whole text has. */
size_t ptc_print_failure(char *buffer, size_t size, const ptc_guard_table *table, int64_t guard,
                         ptc_observation call);

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_GUARDTABLE_H */
