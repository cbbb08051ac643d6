/*===- Npy.c - NumPy's array files ---------------------------------------------------===*
 *
 * In: a `.npy` (numpy/lib/format.py: magic, version, a Python dict literal, the data). Out: a
 * tensor in memory of its own, or what is wrong with the file, in the words of the compiler's own
 * reader; and back. The header is parsed by its three keys; it is not Python.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6u
#define MAX_HEADER (1u << 20)

/*===----------------------------------------------------------------------------===*
 * The header
 *===----------------------------------------------------------------------------===*/

typedef struct {
  const char *at, *end;
} cursor;

typedef struct {
  const char *descr;
  size_t descr_length;
  int64_t sizes[PTC_MAX_SHOWN_RANK];
  int32_t ndim;
  bool has_descr, has_order, has_shape, fortran;
} header;

static void skip_blanks(cursor *c) {
  while (c->at != c->end && *c->at == ' ')
    ++c->at;
}

static bool eat(cursor *c, const char *token) {
  size_t length = strlen(token);
  skip_blanks(c);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0)
    return false;
  c->at += length;
  skip_blanks(c);
  return true;
}

static bool is_next(const cursor *c, char token) { return c->at != c->end && *c->at == token; }

static bool parse_string(cursor *c, const char **text, size_t *length) {
  if (!is_next(c, '\'') && !is_next(c, '"'))
    return false;
  char quote = *c->at++;
  const char *stop = memchr(c->at, quote, (size_t)(c->end - c->at));
  if (!stop)
    return false;
  *text = c->at;
  *length = (size_t)(stop - c->at);
  c->at = stop + 1;
  return true;
}

static bool parse_size(cursor *c, int64_t *size) {
  uint64_t value = 0;
  const char *begin = c->at;
  for (; c->at != c->end && *c->at >= '0' && *c->at <= '9'; ++c->at) {
    uint64_t digit = (uint64_t)(*c->at - '0');
    if (value > ((uint64_t)INT64_MAX - digit) / 10)
      return false;
    value = 10 * value + digit;
  }
  *size = (int64_t)value;
  return c->at != begin;
}

static bool parse_shape(cursor *c, header *out) {
  if (!eat(c, "("))
    return false;
  while (!eat(c, ")")) {
    if (out->ndim == PTC_MAX_SHOWN_RANK || !parse_size(c, &out->sizes[out->ndim]))
      return false;
    ++out->ndim;
    if (!eat(c, ",") && !is_next(c, ')'))
      return false;
  }
  return true;
}

static bool is_key(const char *text, size_t length, const char *key) {
  return length == strlen(key) && memcmp(text, key, length) == 0;
}

static bool parse_value(cursor *c, const char *key, size_t length, header *out) {
  if (is_key(key, length, "descr") && !out->has_descr)
    return out->has_descr = parse_string(c, &out->descr, &out->descr_length);
  if (is_key(key, length, "fortran_order") && !out->has_order) {
    out->fortran = eat(c, "True");
    return out->has_order = out->fortran || eat(c, "False");
  }
  if (is_key(key, length, "shape") && !out->has_shape)
    return out->has_shape = parse_shape(c, out);
  return false;
}

/* `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. */
static bool parse_header(const char *text, size_t length, header *out) {
  cursor c = {text, text + length};
  while (c.end != c.at && (c.end[-1] == ' ' || c.end[-1] == '\n'))
    --c.end;
  while (c.at != c.end && (*c.at == ' ' || *c.at == '\n'))
    ++c.at;
  if (!eat(&c, "{"))
    return false;
  while (!eat(&c, "}")) {
    const char *key;
    size_t key_length;
    if (!parse_string(&c, &key, &key_length) || !eat(&c, ":") ||
        !parse_value(&c, key, key_length, out) || (!eat(&c, ",") && !is_next(&c, '}')))
      return false;
  }
  return c.at == c.end && out->has_descr && out->has_order && out->has_shape;
}

/*===----------------------------------------------------------------------------===*
 * The data
 *===----------------------------------------------------------------------------===*/

void main_free_tensor(main_tensor *tensor) {
  free(tensor->view.data);
  free(tensor->sizes);
  memset(tensor, 0, sizeof *tensor);
}

static int64_t at_least_1(int64_t size) { return size ? size : 1; }

/* Bytes of all elements; false: with sizes of zero as one, which bounds every stride, they are more
   than there can be. */
static bool count_bytes(const header *h, uint32_t element, uint64_t *bytes) {
  int64_t padded = element;
  bool empty = false;
  for (int32_t d = 0; d < h->ndim; ++d) {
    empty |= h->sizes[d] == 0;
    if (__builtin_mul_overflow(padded, at_least_1(h->sizes[d]), &padded))
      return false;
  }
  *bytes = empty ? 0 : (uint64_t)padded;
  return true;
}

static bool make_tensor(const header *h, const ptc_dtype_names *type, uint64_t bytes,
                        main_tensor *out) {
  size_t n = (size_t)h->ndim;
  out->sizes = calloc(2 * n + 1, sizeof *out->sizes);
  out->view.data = aligned_alloc(PTC_ALIGNMENT, (bytes + PTC_ALIGNMENT) & ~(PTC_ALIGNMENT - 1ull));
  if (!out->sizes || !out->view.data) {
    main_free_tensor(out);
    return false;
  }
  out->strides = out->sizes + n;
  int64_t stride = 1;
  for (size_t i = 0; i < n; ++i) {
    size_t d = h->fortran ? i : n - 1 - i;
    out->sizes[d] = h->sizes[d];
    out->strides[d] = stride;
    stride *= at_least_1(h->sizes[d]);
  }
  out->view.device.device_type = kDLCPU;
  out->view.ndim = h->ndim;
  out->view.dtype = (DLDataType){type->code, type->bits, 1};
  out->view.shape = out->sizes;
  out->view.strides = out->strides;
  return true;
}

static void swap_bytes(unsigned char *data, uint64_t bytes, size_t width) {
  for (uint64_t at = 0; at < bytes; at += width)
    for (size_t i = 0; i < width / 2; ++i) {
      unsigned char low = data[at + i];
      data[at + i] = data[at + width - 1 - i];
      data[at + width - 1 - i] = low;
    }
}

static bool are_bools(const unsigned char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i)
    if (bytes[i] > 1)
      return false;
  return true;
}

static main_npy_status malformed(char why[128], const char *text) {
  snprintf(why, 128, "%s", text);
  return main_npy_malformed;
}

/* Where the header's text is and how long; null: fine, else what is wrong. */
static const char *find_header(const unsigned char *bytes, size_t size, size_t *at,
                               size_t *length) {
  if (size < MAGIC_LENGTH || memcmp(bytes, MAGIC, MAGIC_LENGTH) != 0)
    return "it does not start with the npy magic";
  if (size < MAGIC_LENGTH + 2 || bytes[6] < 1 || bytes[6] > 3)
    return "its format version is not 1, 2 or 3";
  size_t digits = bytes[6] == 1 ? 2 : 4;
  *at = MAGIC_LENGTH + 2 + digits;
  *length = 0;
  for (size_t i = 0; i < digits && *at <= size; ++i)
    *length |= (size_t)bytes[MAGIC_LENGTH + 2 + i] << 8 * i;
  if (*at > size || *length > MAX_HEADER)
    return "its header is truncated or longer than 1 MiB";
  return *length > size - *at ? "its header is truncated" : NULL;
}

main_npy_status main_parse_npy(const unsigned char *bytes, size_t size, main_tensor *out,
                               char why[128]) {
  size_t at, length;
  header h;
  memset(&h, 0, sizeof h);
  memset(out, 0, sizeof *out);
  const char *wrong = find_header(bytes, size, &at, &length);
  if (wrong)
    return malformed(why, wrong);
  if (!parse_header((const char *)bytes + at, length, &h))
    return malformed(why, "its header is not a dict of descr, fortran_order and shape");
  bool has_order = h.descr_length > 1 && memchr("<>|=", h.descr[0], 4);
  const ptc_dtype_names *type =
      has_order ? ptc_dtype_of_npy(h.descr + 1, h.descr_length - 1) : NULL;
  if (!type) {
    snprintf(why, 128, "%.*s", h.descr_length > 100 ? 100 : (int)h.descr_length, h.descr);
    return main_npy_type;
  }
  uint64_t needed;
  const unsigned char *data = bytes + at + length;
  if (!count_bytes(&h, type->bits / 8u, &needed) || needed > size - at - length)
    return malformed(why, "its data is shorter than its shape");
  if (type->code == kDLBool && !are_bools(data, needed))
    return malformed(why, "a bool is neither 0 nor 1");
  if (!make_tensor(&h, type, needed, out))
    return main_npy_memory;
  memcpy(out->view.data, data, needed);
  if (h.descr[0] == '>')
    swap_bytes(out->view.data, needed, type->bits / (type->code == kDLComplex ? 16u : 8u));
  return main_npy_ok;
}

/*===----------------------------------------------------------------------------===*
 * Files
 *===----------------------------------------------------------------------------===*/

/* All bytes of a file; null: `errno` says why. */
static unsigned char *read_file(const char *path, size_t *size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return NULL;
  size_t capacity = 1 << 16;
  unsigned char *data = malloc(capacity);
  ssize_t got = -1;
  *size = 0;
  while (data && (got = read(file, data + *size, capacity - *size)) > 0) {
    *size += (size_t)got;
    if (*size < capacity)
      continue;
    unsigned char *grown = realloc(data, capacity *= 2);
    if (!grown)
      free(data);
    data = grown;
  }
  int why = errno;
  close(file);
  if (!data)
    why = ENOMEM;
  if (data && got == 0)
    return data;
  free(data);
  errno = why;
  return NULL;
}

int main_read_npy(const char *path, main_tensor *out) {
  size_t size;
  unsigned char *bytes = read_file(path, &size);
  memset(out, 0, sizeof *out);
  if (!bytes)
    return main_say(ptc_diag_FileNotReadable, path, ptc_system_text(errno), NULL);
  char why[128];
  main_npy_status status = main_parse_npy(bytes, size, out, why);
  free(bytes);
  switch (status) {
  case main_npy_ok:
    return 0;
  case main_npy_malformed:
    return main_say(ptc_diag_NpyMalformed, path, why, NULL);
  case main_npy_type:
    return main_say(ptc_diag_NpyElementType, path, why, NULL);
  case main_npy_memory:
    break;
  }
  return main_say_no_memory();
}

/* The bytes of a .npy file. */
static void put_npy(ptc_text_buffer *out, const DLTensor *t, const ptc_dtype_names *type) {
  ptc_text_buffer text = {NULL, 0, 0, false};
  char number[40];
  ptc_put_string(&text, type->bits == 8 ? "{'descr': '|" : "{'descr': '<");
  ptc_put_string(&text, type->npy);
  ptc_put_string(&text, "', 'fortran_order': False, 'shape': (");
  for (int32_t d = 0; d < t->ndim; ++d) {
    int n = snprintf(number, sizeof number, "%s%lld", d ? ", " : "", (long long)t->shape[d]);
    ptc_put(&text, number, (size_t)n);
  }
  ptc_put_string(&text, t->ndim == 1 ? ",), }" : "), }");
  /* Data starts at a multiple of 64; the header ends with a newline. */
  while ((MAGIC_LENGTH + 4 + text.length + 1) % 64)
    ptc_put_string(&text, " ");
  ptc_put_string(&text, "\n");
  const unsigned char start[] = {1, 0, (unsigned char)text.length,
                                 (unsigned char)(text.length >> 8)};
  ptc_put(out, MAGIC, MAGIC_LENGTH);
  ptc_put(out, (const char *)start, sizeof start);
  if (!text.failed)
    ptc_put(out, text.data, text.length);
  size_t bytes = (size_t)ptc_num_elements(t) * (type->bits / 8u);
  unsigned char *dense = malloc(bytes + 1);
  if (dense) {
    ptc_copy_dense(t, dense);
    ptc_put(out, (const char *)dense, bytes);
  }
  out->failed |= text.failed || !dense;
  free(text.data);
  free(dense);
}

/* Writes a new file; 0 or an errno. */
static int write_file(const char *path, const char *data, size_t size) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return errno;
  int why = 0;
  while (size && !why) {
    ssize_t done = write(file, data, size);
    if (done < 0)
      why = errno;
    else
      data += done, size -= (size_t)done;
  }
  if (close(file) != 0 && !why)
    why = errno;
  return why;
}

/* FOLDER/outN.npy, or the file beside it that becomes this one. */
static void put_path(ptc_text_buffer *out, const char *folder, size_t number, bool temporary) {
  char name[64];
  ptc_put_string(out, folder);
  snprintf(name, sizeof name, "/out%zu.npy%s", number, temporary ? ".tmp" : "");
  ptc_put_string(out, name);
}

static int write_npy(const char *folder, const DLTensor *t, size_t number) {
  ptc_text_buffer path = {NULL, 0, 0, false}, bytes = {NULL, 0, 0, false};
  put_path(&path, folder, number, true);
  put_npy(&bytes, t, ptc_dtype_of(t->dtype));
  int why = path.failed || bytes.failed ? ENOMEM : write_file(path.data, bytes.data, bytes.length);
  int code = why ? main_say(ptc_diag_OutputNotWritten, path.failed ? folder : path.data,
                            ptc_system_text(why), NULL)
                 : 0;
  free(path.data);
  free(bytes.data);
  return code;
}

/* Gives a written file its name, or removes it. */
static int settle(const char *folder, size_t number, bool keep) {
  ptc_text_buffer from = {NULL, 0, 0, false}, to = {NULL, 0, 0, false};
  put_path(&from, folder, number, true);
  put_path(&to, folder, number, false);
  int code = 0;
  if (from.failed || to.failed)
    code = main_say_no_memory();
  else if (!keep)
    unlink(from.data);
  else if (rename(from.data, to.data) != 0)
    code = main_say(ptc_diag_OutputNotWritten, to.data, ptc_system_text(errno), NULL);
  free(from.data);
  free(to.data);
  return code;
}

int main_write_npys(const char *folder, const DLTensor *const *tensors, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const ptc_dtype_names *type = ptc_dtype_of(tensors[i]->dtype);
    if (!type || !*type->npy)
      return main_say(ptc_diag_NpyElementType, folder, type ? type->name : "of no name", NULL);
  }
  int code = 0;
  size_t written = 0;
  for (; written < n && !code; ++written)
    code = write_npy(folder, tensors[written], written);
  bool keep = code == 0;
  for (size_t i = 0; i < written; ++i) {
    int failed = settle(folder, i, keep && !code);
    code = code ? code : failed;
  }
  return code;
}
