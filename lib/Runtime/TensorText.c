/*===- TensorText.c - Tensors as torch prints them -----------------------------------===*
 *
 * In: a tensor. Out: repr(tensor) under torch's default print options: four digits, three elements
 * at each end of a dimension of a tensor of more than a thousand, lines of 80. The compiler's own
 * (TensorFile/TensorText.cpp) gives the same.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THRESHOLD 1000
#define EDGE 3
#define LINE_WIDTH 80
#define PREFIX "tensor("

/* Width and notation that suit all elements. */
typedef struct {
  bool whole, scientific;
  size_t width;
} formatter;

typedef struct {
  ptc_text_buffer *out;
  const DLTensor *t;
  bool summarize;
  formatter real, imaginary;
  int64_t index[PTC_MAX_SHOWN_RANK];
} printer;

static bool is_complex(const DLTensor *t) { return t->dtype.code == kDLComplex; }
static bool is_real(const DLTensor *t) {
  return t->dtype.code == kDLFloat || t->dtype.code == kDLBfloat;
}

static bool is_cut(const printer *p, int32_t d) {
  return p->summarize && p->t->shape[d] > 2 * EDGE;
}

/* The next element that is shown, in row-major order; false: there is none, the index is at 0. */
static bool advance(printer *p) {
  for (int32_t d = p->t->ndim - 1; d >= 0; --d) {
    ++p->index[d];
    if (is_cut(p, d) && p->index[d] == EDGE)
      p->index[d] = p->t->shape[d] - EDGE;
    if (p->index[d] < p->t->shape[d])
      return true;
    p->index[d] = 0;
  }
  return false;
}

/* 309 digits before the point at most. */
#define LONGEST 400

static size_t print_real(char text[LONGEST], const formatter *f, double v) {
  if (isnan(v))
    return (size_t)snprintf(text, LONGEST, "nan");
  if (isinf(v))
    return (size_t)snprintf(text, LONGEST, v < 0 ? "-inf" : "inf");
  if (f->scientific)
    return ptc_print_real(text, LONGEST, 'e', 4, v);
  size_t length = ptc_print_real(text, LONGEST, 'f', f->whole ? 0 : 4, v);
  if (f->whole)
    text[length++] = '.';
  return length;
}

static size_t print_plain(char text[LONGEST], const printer *p) {
  int64_t v = ptc_int_element(p->t, p->index);
  if (p->t->dtype.code == kDLBool)
    return (size_t)snprintf(text, LONGEST, v ? "True" : "False");
  return (size_t)snprintf(text, LONGEST, "%lld", (long long)v);
}

static bool counts(double v) { return isfinite(v) && v != 0; }

static bool is_whole(double v) { return v >= 0x1p52 || v <= -0x1p52 || v == (double)(int64_t)v; }

/* Chooses a notation for all elements that are shown, then the width that it takes. */
static void fit(printer *p, formatter *f, bool imaginary) {
  double low = INFINITY, high = 0;
  f->whole = true;
  do {
    double v = ptc_real_element(p->t, p->index, imaginary), size = v < 0 ? -v : v;
    if (!counts(v))
      continue;
    low = size < low ? size : low;
    high = size > high ? size : high;
    f->whole &= is_whole(v);
  } while (advance(p));
  if (high == 0)
    return;
  f->scientific = high / low > 1000. || high > 1e8 || low < 1e-4;
  do {
    char text[LONGEST];
    double v = ptc_real_element(p->t, p->index, imaginary);
    size_t length = counts(v) ? print_real(text, f, v) : 0;
    f->width = length > f->width ? length : f->width;
  } while (advance(p));
}

static void fit_plain(printer *p) {
  char text[LONGEST];
  do {
    size_t length = print_plain(text, p);
    p->real.width = length > p->real.width ? length : p->real.width;
  } while (advance(p));
}

static void put_padded(ptc_text_buffer *out, const char *text, size_t length, size_t width) {
  for (size_t i = length; i < width; ++i)
    ptc_put(out, " ", 1);
  ptc_put(out, text, length);
}

static void put_element(printer *p) {
  char text[LONGEST];
  if (!is_real(p->t) && !is_complex(p->t)) {
    put_padded(p->out, text, print_plain(text, p), p->real.width);
    return;
  }
  double v = ptc_real_element(p->t, p->index, false);
  put_padded(p->out, text, print_real(text, &p->real, v), p->real.width);
  if (!is_complex(p->t))
    return;
  size_t length = print_real(text, &p->imaginary, ptc_real_element(p->t, p->index, true));
  ptc_put(p->out, "+", text[0] != '-');
  ptc_put(p->out, text, length);
  ptc_put(p->out, "j", 1);
}

static void put_dimension(printer *p, int32_t d, int64_t indent);

/* What stands between two parts of a dimension. */
static void put_gap(printer *p, int32_t d, int64_t indent, bool same_line) {
  if (same_line) {
    ptc_put_string(p->out, ", ");
    return;
  }
  ptc_put_string(p->out, ",");
  int32_t lines = d + 1 == p->t->ndim ? 1 : p->t->ndim - d - 1;
  for (int32_t i = 0; i < lines; ++i)
    ptc_put_string(p->out, "\n");
  for (int64_t i = 0; i <= indent; ++i)
    ptc_put_string(p->out, " ");
}

static void put_dimension(printer *p, int32_t d, int64_t indent) {
  bool last = d + 1 == p->t->ndim;
  int64_t width = (int64_t)p->real.width + 2, per_line = 1, parts = 0;
  if (is_complex(p->t))
    width += (int64_t)p->imaginary.width + 1;
  if (last && LINE_WIDTH - indent > width)
    per_line = (LINE_WIDTH - indent) / width;
  ptc_put_string(p->out, "[");
  for (int64_t i = 0; i < p->t->shape[d]; ++i, ++parts) {
    if (parts)
      put_gap(p, d, indent, parts % per_line != 0);
    if (is_cut(p, d) && parts == EDGE) {
      ptc_put_string(p->out, last ? " ..." : "...");
      i = p->t->shape[d] - EDGE - 1;
      continue;
    }
    p->index[d] = i;
    if (last)
      put_element(p);
    else
      put_dimension(p, d + 1, indent + 1);
  }
  p->index[d] = 0;
  ptc_put_string(p->out, "]");
}

static void put_elements(ptc_text_buffer *out, const DLTensor *t) {
  printer p = {out, t, ptc_num_elements(t) > THRESHOLD, {false, false, 1}, {false, false, 1}, {0}};
  if (is_real(t) || is_complex(t))
    fit(&p, &p.real, false);
  else
    fit_plain(&p);
  if (is_complex(t))
    fit(&p, &p.imaginary, true);
  if (t->ndim)
    put_dimension(&p, 0, (int64_t)strlen(PREFIX));
  else
    put_element(&p);
}

/* Behind the elements, on a new line where it would be too long. `*line`: how long it is so far. */
static void put_suffix(ptc_text_buffer *out, const char *suffix, size_t length, size_t *line) {
  if (*line + length + 2 > LINE_WIDTH) {
    ptc_put_string(out, ",\n       ");
    *line = strlen(PREFIX) + length;
  } else {
    ptc_put_string(out, ", ");
    *line += length + 2;
  }
  ptc_put(out, suffix, length);
}

static void put_size(ptc_text_buffer *out, const DLTensor *t, size_t *line) {
  char text[PTC_MAX_SHOWN_RANK * 22 + 8] = "size=(";
  size_t length = strlen(text);
  for (int32_t d = 0; d < t->ndim; ++d)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", d ? ", " : "",
                               (long long)t->shape[d]);
  text[length++] = ')';
  put_suffix(out, text, length, line);
}

/* Does torch leave the element type out? */
static bool is_usual(const DLTensor *t, bool empty) {
  if (t->dtype.code == kDLFloat)
    return t->dtype.bits == 32;
  return !empty && ((t->dtype.code == kDLComplex && t->dtype.bits == 64) ||
                    (t->dtype.code == kDLInt && t->dtype.bits == 64) || t->dtype.code == kDLBool);
}

void ptc_put_tensor(ptc_text_buffer *out, const ptc_value *tensor, const char *suffix,
                    size_t length) {
  const DLTensor *t = tensor->as.tensor;
  size_t begin = out->length;
  bool empty = ptc_num_elements(t) == 0;
  ptc_put_string(out, PREFIX);
  if (empty)
    ptc_put_string(out, "[]");
  else
    put_elements(out, t);
  if (out->failed)
    return;
  size_t last = out->length;
  while (last > begin && out->data[last - 1] != '\n')
    --last;
  /* torch counts the line's end in */
  size_t line = out->length - last + 2;
  if (empty && t->ndim != 1)
    put_size(out, t, &line);
  const ptc_dtype_names *type = ptc_dtype_of(t->dtype);
  if (!is_usual(t, empty)) {
    char text[32];
    int n = snprintf(text, sizeof text, "dtype=torch.%s", type ? type->name : "unknown");
    put_suffix(out, text, (size_t)n, &line);
  }
  if (length)
    put_suffix(out, suffix, length, &line);
  ptc_put_string(out, ")");
}
