/*===- GuardTable.c - Why no variant fits: the cold path ---------------------------===*
 *
 * In: the guards of an entry as read-only data, the observables of a call. Out: the first guard
 * that does not hold, and text about it in the caller's memory. Allocates nothing.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Python's `//`; false where it is not defined or does not fit. */
static bool floor_divide(int64_t a, int64_t b, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool apply(int64_t op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
  case PTC_CODE_ADD:
    return !__builtin_add_overflow(a, b, out);
  case PTC_CODE_MUL:
    return !__builtin_mul_overflow(a, b, out);
  case PTC_CODE_FLOORDIV:
    return floor_divide(a, b, out);
  case PTC_CODE_MIN:
    *out = a < b ? a : b;
    return true;
  case PTC_CODE_MAX:
    *out = a > b ? a : b;
    return true;
  case PTC_CODE_COMPARE:
    *out = (a > b) - (a < b);
    return true;
  default:
    return false;
  }
}

static bool evaluate(const ptc_guard_table *table, const ptc_guard_row *row, ptc_observation call,
                     int64_t *out) {
  int64_t stack[PTC_CODE_MAX_DEPTH];
  unsigned depth = 0;
  const int64_t *end = table->code + row->code + row->code_length;
  for (const int64_t *cell = table->code + row->code; cell != end; ++cell) {
    if (*cell == PTC_CODE_CONSTANT) {
      stack[depth++] = *++cell;
    } else if (*cell == PTC_CODE_OBSERVABLE) {
      int64_t which = *++cell;
      if (!call.present[which])
        return false;
      stack[depth++] = call.values[which];
    } else {
      --depth;
      if (!apply(*cell, stack[depth - 1], stack[depth], &stack[depth - 1]))
        return false;
    }
  }
  *out = stack[0];
  return true;
}

static bool holds(const ptc_guard_table *table, const ptc_guard_row *row, ptc_observation call) {
  int64_t value;
  if (!evaluate(table, row, call, &value))
    return false;
  switch (row->relation) {
  case PTC_IS_ZERO:
    return value == 0;
  case PTC_IS_NONZERO:
    return value != 0;
  default:
    return value <= 0;
  }
}

int64_t ptc_first_failure(const ptc_guard_table *table, uint32_t variant, ptc_observation call) {
  for (uint32_t i = table->variant_begins[variant]; i < table->variant_begins[variant + 1]; ++i)
    if (!holds(table, &table->guards[i], call))
      return i;
  return -1;
}

uint32_t ptc_count_failures(const ptc_guard_table *table, uint32_t variant, ptc_observation call) {
  uint32_t count = 0;
  for (uint32_t i = table->variant_begins[variant]; i < table->variant_begins[variant + 1]; ++i)
    count += !holds(table, &table->guards[i], call);
  return count;
}

/*===----------------------------------------------------------------------------===*
 * Text
 *===----------------------------------------------------------------------------===*/

/* Where snprintf would write next; `length` counts what does not fit, too. */
typedef struct {
  char *buffer;
  size_t size, length;
} sink;

static void put(sink *out, const char *text) {
  size_t n = strlen(text);
  if (out->length < out->size) {
    size_t room = out->size - out->length - 1;
    size_t part = n < room ? n : room;
    memcpy(out->buffer + out->length, text, part);
    out->buffer[out->length + part] = 0;
  }
  out->length += n;
}

/* The shortest decimal form that reads back as the same double, as repr() writes it. */
static void put_float(sink *out, int64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  char text[40];
  ptc_print_shortest(text, sizeof text, 'g', value);
  put(out, text);
  if (!strpbrk(text, ".eni"))
    put(out, ".0");
}

static void put_value(sink *out, const ptc_guard_table *table, uint32_t observable,
                      ptc_observation call) {
  if (!call.present[observable]) {
    put(out, "nothing");
    return;
  }
  int64_t value = call.values[observable];
  switch (table->observables[observable].format) {
  case PTC_FORMAT_BOOL:
    put(out, value ? "True" : "False");
    return;
  case PTC_FORMAT_FLOAT:
    put_float(out, value);
    return;
  case PTC_FORMAT_NAMED:
    for (uint32_t i = 0; i < table->num_names; ++i)
      if (table->names[i].observable == observable && table->names[i].value == value) {
        put(out, table->texts + table->names[i].name);
        return;
      }
    put(out, "something else");
    return;
  default: {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    put(out, text);
  }
  }
}

/* Does the formula of a guard read an observable? */
static bool is_read(const ptc_guard_table *table, const ptc_guard_row *row, uint32_t which) {
  const int64_t *begin = table->code + row->code, *end = begin + row->code_length;
  bool found = false;
  for (const int64_t *cell = begin; cell != end; ++cell)
    if (*cell == PTC_CODE_OBSERVABLE || *cell == PTC_CODE_CONSTANT)
      found |= *cell++ == PTC_CODE_OBSERVABLE && *cell == which;
  return found;
}

/* What a guard reads, each with its name and `is`: `x.shape[1] is 6, y.shape[0] is 5`. No `is`: the
 * value alone, where there is one, else with ` = `. */
static void put_found(sink *out, const ptc_guard_table *table, const ptc_guard_row *row,
                      ptc_observation call, const char *is) {
  uint32_t count = 0, shown = 0;
  for (uint32_t which = 0; which < table->num_observables; ++which)
    count += is_read(table, row, which);
  for (uint32_t which = 0; which < table->num_observables; ++which) {
    if (!is_read(table, row, which))
      continue;
    if (shown++)
      put(out, ", ");
    if (is || count > 1) {
      put(out, table->texts + table->observables[which].subject);
      put(out, is ? is : " = ");
    }
    put_value(out, table, which, call);
  }
}

size_t ptc_print_failure(char *buffer, size_t size, const ptc_guard_table *table, int64_t guard,
                         ptc_observation call) {
  const ptc_guard_row *row = &table->guards[guard];
  sink out = {buffer, size, 0};
  put_found(&out, table, row, call, " is ");
  put(&out, ", expected ");
  put(&out, table->texts + row->expected);
  put(&out, "\nnote: ");
  if (table->texts[row->file]) {
    char line[16];
    snprintf(line, sizeof line, ":%" PRIu32 ": ", row->line);
    put(&out, table->texts + row->file);
    put(&out, line);
  }
  put(&out, "assumed here: ");
  put(&out, table->texts + row->assumption);
  put(&out, "\nhint: ");
  const char *hint = table->texts + row->hint, *hole = strstr(hint, "{}");
  if (!hole) {
    put(&out, hint);
  } else {
    for (; hint != hole; ++hint)
      put(&out, (char[]){*hint, 0});
    put_found(&out, table, row, call, NULL);
    put(&out, hole + 2);
  }
  put(&out, "\n");
  return out.length;
}
