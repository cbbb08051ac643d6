/*===- NumberText.c - format() of numbers ------------------------------------------------===*
 *
 * In: a bool, int or float, and a format spec that Python takes for it. Out: what format() gives.
 * An object of its own, in artefacts that have such specs. Not known: `#` of floats, and a
 * precision without a letter.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [[fill]align][sign][z][#][0][width][grouping][.precision][letter] */
typedef struct {
  const char *fill; /* a code point */
  size_t fill_bytes;
  char align, sign, grouping, letter;
  bool drops_zero_sign, shows_base;
  int width, precision; /* -1: none */
} number_spec;

enum { MOST_WIDTH = 1000, MOST_PRECISION = 64, MOST_TEXT = 400 };

static size_t code_point_bytes(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static bool is_align(const char *at, const char *end) { return at < end && strchr("<>=^", *at); }

static bool take(const char **at, const char *end, char c) {
  bool is_there = *at < end && **at == c;
  *at += is_there;
  return is_there;
}

/* False: it is too large. */
static bool take_number(const char **at, const char *end, int most, int *number) {
  for (*number = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
    if ((*number = *number * 10 + (**at - '0')) > most)
      return false;
  return true;
}

static bool parse_spec(const char *at, size_t length, number_spec *spec) {
  const char *end = at + length;
  *spec = (number_spec){" ", 1, 0, '-', 0, 0, false, false, -1, -1};
  size_t first = length ? code_point_bytes((unsigned char)*at) : 0;
  bool has_fill = first && first < length && is_align(at + first, end);
  if (has_fill) {
    spec->fill = at;
    spec->fill_bytes = first;
    at += first;
  }
  if (is_align(at, end))
    spec->align = *at++;
  if (at < end && strchr("+- ", *at))
    spec->sign = *at++;
  spec->drops_zero_sign = take(&at, end, 'z');
  spec->shows_base = take(&at, end, '#');
  if (!has_fill && take(&at, end, '0')) {
    spec->fill = "0";
    if (!spec->align)
      spec->align = '=';
  }
  if (at < end && *at >= '0' && *at <= '9' && !take_number(&at, end, MOST_WIDTH, &spec->width))
    return false;
  if (at < end && strchr(",_", *at))
    spec->grouping = *at++;
  if (take(&at, end, '.') && !take_number(&at, end, MOST_PRECISION, &spec->precision))
    return false;
  if (at < end)
    spec->letter = *at++;
  if (!spec->align)
    spec->align = '>';
  return at == end;
}

static bool is_real_letter(char letter) { return letter && strchr("eEfFgG%", letter); }

bool ptc_is_number_spec(const char *text, size_t length, bool is_real) {
  number_spec spec;
  if (!parse_spec(text, length, &spec))
    return false;
  if (spec.letter == 'n')
    return spec.precision < 0;
  if (is_real || is_real_letter(spec.letter))
    return !spec.shows_base && (spec.letter ? is_real_letter(spec.letter) : spec.precision < 0);
  return spec.precision < 0 && (!spec.letter || strchr("dboxX", spec.letter));
}

/* A number without its sign: `digits` are those before the point, `rest` what follows. */
typedef struct {
  bool is_negative;
  const char *prefix, *digits, *rest;
  size_t num_digits;
  int group; /* digits between separators */
} number_text;

static void put_fill(ptc_text_buffer *out, const number_spec *spec, int count) {
  for (int i = 0; i < count; ++i)
    ptc_put(out, spec->fill, spec->fill_bytes);
}

/* The digits with separators, and zeros before them up to `width`; written from the end of `text`,
   of MOST_TEXT bytes. Where they begin. */
static char *group_digits(char *text, const number_spec *spec, const number_text *number,
                          int width) {
  char *at = text + MOST_TEXT;
  int left = (int)number->num_digits;
  *--at = 0;
  if (!left)
    return at;
  for (;;) {
    int wanted = left > width ? left : width;
    int count = spec->grouping && wanted > number->group ? number->group : wanted;
    for (int i = 0; i < count; ++i)
      *--at = left > 0 ? number->digits[--left] : '0';
    width -= count;
    if (left <= 0 && width <= 0)
      return at;
    --width;
    *--at = spec->grouping;
  }
}

static void put_number(ptc_text_buffer *out, const number_spec *spec, const number_text *number) {
  const char *sign = number->is_negative ? "-" : spec->sign == '-' ? "" : (char[]){spec->sign, 0};
  int others = (int)(strlen(sign) + strlen(number->prefix) + strlen(number->rest));
  bool has_zeros = spec->fill[0] == '0' && spec->align == '=';
  char text[MOST_TEXT + MOST_WIDTH];
  const char *digits =
      group_digits(text + MOST_WIDTH, spec, number, has_zeros ? spec->width - others : 0);
  int padding = spec->width - others - (int)strlen(digits);
  padding = padding < 0 ? 0 : padding;
  int before = spec->align == '>' ? padding : spec->align == '^' ? padding / 2 : 0;
  int inside = spec->align == '=' ? padding : 0;
  put_fill(out, spec, before);
  ptc_put_string(out, sign);
  ptc_put_string(out, number->prefix);
  put_fill(out, spec, inside);
  ptc_put_string(out, digits);
  ptc_put_string(out, number->rest);
  put_fill(out, spec, padding - before - inside);
}

static void put_int(ptc_text_buffer *out, const number_spec *spec, int64_t value) {
  char text[72], *at = text + sizeof text - 1;
  char letter = spec->letter ? spec->letter : 'd';
  unsigned base = letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
  const char *names = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  *at = 0;
  do {
    *--at = names[left % base];
    left /= base;
  } while (left);
  char prefix[] = {'0', letter, 0};
  number_text number = {value < 0,  spec->shows_base && base != 10 ? prefix : "",
                        at,         "",
                        strlen(at), base == 10 ? 3 : 4};
  put_number(out, spec, &number);
}

static void make_upper(char *text) {
  for (; *text; ++text)
    if (*text >= 'a' && *text <= 'z')
      *text = (char)(*text - 'a' + 'A');
}

/* Of digits, a point and a sign of percents. */
static bool is_zero(const char *text) {
  while (*text == '0' || *text == '.' || *text == '%')
    ++text;
  return !*text;
}

static void put_real(ptc_text_buffer *out, const number_spec *spec, double value) {
  char text[MOST_TEXT], letter = spec->letter;
  bool is_percent = letter == '%', is_upper = letter && strchr("EFG", letter);
  size_t length;
  if (is_percent)
    value *= 100;
  if (isnan(value) || isinf(value)) {
    const char *name = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    length = strlen(name);
    memcpy(text, name, length);
  } else if (!letter || letter == 'n') {
    ptc_text_buffer shortest = {0};
    if (letter == 'n')
      length = ptc_print_real(text, sizeof text, 'g', 6, value);
    else {
      ptc_put_float(&shortest, value);
      length = shortest.length;
      if (shortest.data)
        memcpy(text, shortest.data, length);
      out->failed |= shortest.failed;
      free(shortest.data);
    }
  } else {
    char printed = is_percent                                        ? 'f'
                   : letter == 'E' || letter == 'F' || letter == 'G' ? (char)(letter - 'A' + 'a')
                                                                     : letter;
    length = ptc_print_real(text, sizeof text - 1, printed,
                            spec->precision < 0 ? 6 : spec->precision, value);
  }
  if (is_percent)
    text[length++] = '%';
  text[length] = 0;
  if (is_upper)
    make_upper(text);
  number_text number = {text[0] == '-', "", text + (text[0] == '-'), "", 0, 3};
  while (number.digits[number.num_digits] >= '0' && number.digits[number.num_digits] <= '9')
    ++number.num_digits;
  number.rest = number.digits + number.num_digits;
  if (spec->drops_zero_sign && is_zero(number.digits))
    number.is_negative = false;
  put_number(out, spec, &number);
}

void ptc_put_number(ptc_text_buffer *out, const ptc_value *value, const char *spec_text,
                    size_t length) {
  number_spec spec;
  (void)parse_spec(spec_text, length, &spec);
  bool is_real = value->tag == ptc_tag_Float;
  if (is_real || is_real_letter(spec.letter))
    put_real(out, &spec, is_real ? value->as.real : (double)value->as.integer);
  else
    put_int(out, &spec, value->as.integer);
}
