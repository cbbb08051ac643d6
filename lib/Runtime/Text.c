/*===- Text.c - Texts that are made at run time --------------------------------------===*
 *
 * In: parts with numbers in them. Out: text as Python makes it of them: str() and repr() of bools,
 * ints and floats, format() with the specs `[.N]f`, `[.N]e`, `[.N]g`, `[.N]%` and `d`; other specs
 * and texts of tensors by a function that the part names, so that artefacts without them do not
 * have it. What else Python can format is refused when a program is compiled.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ptc_put(ptc_text_buffer *out, const char *text, size_t length) {
  size_t needed = out->length + length + 1;
  if (needed > out->capacity) {
    size_t capacity = needed + out->capacity;
    char *grown = realloc(out->data, capacity);
    if (!grown) {
      out->failed = true;
      return;
    }
    out->data = grown;
    out->capacity = capacity;
  }
  memcpy(out->data + out->length, text, length);
  out->length += length;
  out->data[out->length] = 0;
}

void ptc_put_string(ptc_text_buffer *out, const char *text) { ptc_put(out, text, strlen(text)); }

const char *ptc_system_text(int error) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* glibc's own: not to be freed */
  return plain ? strerror_l(error, plain) : "an error of the system";
}

static void put_int(ptc_text_buffer *out, int64_t value) {
  char text[24];
  ptc_put(out, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
}

/* Python's names of what has no digits; false: it has. */
static bool put_special(ptc_text_buffer *out, double value) {
  if (isnan(value))
    ptc_put_string(out, "nan");
  else if (isinf(value))
    ptc_put_string(out, value < 0 ? "-inf" : "inf");
  else
    return false;
  return true;
}

/* snprintf of a number, with the decimal point of the process's locale: for strtod. */
static size_t print_local(char *text, size_t size, char letter, int precision, double value) {
  char format[] = {'%', '.', '*', letter, 0};
  return (size_t)snprintf(text, size, format, precision, value);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The locale's decimal point, which may have several bytes, becomes a point. The new length. */
static size_t put_point(char *text, size_t length) {
  size_t at = text[0] == '-', behind;
  while (is_digit(text[at]))
    ++at;
  if (at == length || text[at] == '.' || text[at] == 'e' || text[at] == 'i' || text[at] == 'n')
    return length;
  for (behind = at; behind < length && !is_digit(text[behind]);)
    ++behind;
  text[at++] = '.';
  memmove(text + at, text + behind, length - behind + 1);
  return length - (behind - at);
}

size_t ptc_print_real(char *text, size_t size, char letter, int precision, double value) {
  return put_point(text, print_local(text, size, letter, precision, value));
}

int ptc_print_shortest(char *text, size_t size, char letter, double value) {
  size_t length;
  int digits = 0;
  do {
    ++digits;
    length = print_local(text, size, letter, letter == 'e' ? digits - 1 : digits, value);
  } while (strtod(text, NULL) != value && digits < 17);
  put_point(text, length);
  return digits;
}

/* The fewest digits that read back as the same double; with an exponent where it is below -4 or
   above 15, as float_repr_style "short" does. */
void ptc_put_float(ptc_text_buffer *out, double value) {
  if (put_special(out, value))
    return;
  char text[40];
  int digits = ptc_print_shortest(text, sizeof text, 'e', value) - 1;
  const char *e = strchr(text, 'e');
  int exponent = atoi(e + 1);
  if (exponent < -4 || exponent >= 16) {
    ptc_put(out, text, (size_t)(e - text));
    snprintf(text, sizeof text, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    ptc_put_string(out, text);
    return;
  }
  int places = digits - exponent;
  char plain[48];
  ptc_put(out, plain, ptc_print_real(plain, sizeof plain, 'f', places < 1 ? 1 : places, value));
}

static double real_of(const ptc_value *value) {
  return value->tag == ptc_tag_Float ? value->as.real : (double)value->as.integer;
}

/* `[.N]` and a letter; the compiler lets no other spec through. */
static void put_formatted(ptc_text_buffer *out, const ptc_text_part *part, const ptc_value *value) {
  char letter = part->length ? part->text[part->length - 1] : 0;
  if (letter == 'd') {
    put_int(out, value->as.integer);
    return;
  }
  double number = real_of(value);
  if (letter == '%')
    number *= 100;
  if (!put_special(out, number)) {
    int precision = part->length > 1 ? atoi(part->text + 1) : 6;
    char text[400]; /* 309 digits before the point, at most 64 behind it */
    ptc_put(out, text,
            ptc_print_real(text, sizeof text, letter == '%' ? 'f' : letter,
                           precision > 64 ? 64 : precision, number));
  }
  if (letter == '%')
    ptc_put_string(out, "%");
}

static void put_value(ptc_text_buffer *out, const ptc_text_part *part, const ptc_value *value) {
  if (part->put) {
    part->put(out, value, part->text, part->length);
    return;
  }
  if (part->conversion == 'f' && part->length) {
    put_formatted(out, part, value);
    return;
  }
  switch (value->tag) {
  case ptc_tag_List: /* of numbers */
    for (size_t i = 0; i < value->as.list.length; ++i) {
      ptc_put_string(out, i ? ", " : "[");
      put_value(out, part, &value->as.list.items[i]);
    }
    ptc_put_string(out, value->as.list.length ? "]" : "[]");
    return;
  case ptc_tag_Bool:
    ptc_put_string(out, value->as.integer ? "True" : "False");
    return;
  case ptc_tag_Int:
    put_int(out, value->as.integer);
    return;
  case ptc_tag_Float:
    ptc_put_float(out, value->as.real);
    return;
  case ptc_tag_Str:
    ptc_put(out, value->as.str.data, value->as.str.length);
    return;
  default:
    ptc_put_string(out, "None");
  }
}

void ptc_put_parts(ptc_text_buffer *out, const ptc_text_part *parts, uint32_t n,
                   const ptc_value *values) {
  for (const ptc_text_part *part = parts; part != parts + n; ++part) {
    if (part->choice >= 0 && values[part->choice].as.integer != part->choice_equals)
      continue;
    if (part->value < 0)
      ptc_put(out, part->text, part->length);
    else
      put_value(out, part, &values[part->value]);
  }
}
