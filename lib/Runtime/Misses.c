/*===- Misses.c - Calls that no variant fits, as examples ------------------------------===*
 *
 * In: a call that dispatch refused, how its structure is written. Out: a line of example JSON in
 * the file of misses, unless it is there. All of it is the cold path.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* A caller whose sizes are never the same twice does not fill the disk. */
#define MOST_BYTES (1u << 20)

/*===----------------------------------------------------------------------------===*
 * Values
 *===----------------------------------------------------------------------------===*/

/* The bytes of the UTF-8 character at `at`; 0: there is none. */
static size_t character(const unsigned char *at, const unsigned char *end) {
  size_t more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at >= 0xe0 && *at < 0xf0 ? 2 : 3;
  if (*at >= 0xf5 || (*at >= 0x80 && *at < 0xc2) || (size_t)(end - at) <= more)
    return 0;
  for (size_t i = 1; i <= more; ++i)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  bool is_long = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90);
  bool is_none = (*at == 0xed && at[1] >= 0xa0) || (*at == 0xf4 && at[1] >= 0x90);
  return is_long || is_none ? 0 : more + 1;
}

/* A JSON string; false: the text is not UTF-8. */
static bool put_text(ptc_text_buffer *out, const char *text, size_t length) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  ptc_put_string(out, "\"");
  while (at != end) {
    size_t bytes = character(at, end);
    if (!bytes)
      return false;
    char escaped[8];
    if (*at == '"' || *at == '\\')
      ptc_put_string(out, "\\");
    if (*at < 0x20)
      ptc_put(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", *at));
    else
      ptc_put(out, (const char *)at, bytes);
    at += bytes;
  }
  ptc_put_string(out, "\"");
  return true;
}

static void put_int(ptc_text_buffer *out, int64_t value) {
  char text[24];
  ptc_put(out, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)value));
}

static void put_real(ptc_text_buffer *out, double value) {
  bool is_number = isfinite(value);
  ptc_put_string(out, is_number ? "" : "{\"$float\": \"");
  ptc_put_float(out, value);
  ptc_put_string(out, is_number ? "" : "\"}");
}

/* Whether the notation has a name for elements of that type. */
static bool has_name(DLDataType type) {
  uint8_t bits = type.bits;
  if (type.lanes != 1)
    return false;
  switch (type.code) {
  case kDLInt:
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  case kDLFloat:
    return bits == 16 || bits == 32 || bits == 64;
  case kDLComplex:
    return bits == 64 || bits == 128;
  case kDLBfloat:
    return bits == 16;
  case kDLUInt:
  case kDLBool:
    return bits == 8;
  default:
    return false;
  }
}

/* `f32`, or with whole names `float32`; false: an element type that the notation does not have. */
static bool put_type(ptc_text_buffer *out, DLDataType type, bool whole) {
  static const char *const names[][2] = {{"i", "int"},    {"u", "uint"},    {"f", "float"},
                                         {"", ""},        {"bf", "bfloat"}, {"c", "complex"},
                                         {"bool", "bool"}};
  if (!has_name(type))
    return false;
  ptc_put_string(out, names[type.code][whole]);
  if (type.code != kDLBool)
    put_int(out, type.bits);
  return true;
}

static bool is_dense(const DLTensor *t) {
  int64_t dense = 1;
  for (int32_t d = t->ndim - 1; t->strides && d >= 0; --d) {
    if (t->shape[d] == 0)
      return true;
    if (t->shape[d] != 1 && t->strides[d] != dense)
      return false;
    dense *= t->shape[d];
  }
  return true;
}

static void put_numbers(ptc_text_buffer *out, const int64_t *numbers, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    ptc_put_string(out, i ? "," : "");
    put_int(out, numbers[i]);
  }
}

static bool are_same(const DLTensor *a, const DLTensor *b) {
  bool same =
      (unsigned char *)a->data + a->byte_offset == (unsigned char *)b->data + b->byte_offset &&
      a->ndim == b->ndim && a->dtype.code == b->dtype.code && a->dtype.bits == b->dtype.bits;
  for (int32_t d = 0; same && d < a->ndim; ++d)
    same = a->shape[d] == b->shape[d] && (!a->strides == !b->strides) &&
           (!a->strides || a->strides[d] == b->strides[d]);
  return same;
}

/* Null: the tensor is written, or `other` says which earlier one it is. */
static const char *find_same(const ptc_frame *frame, uint32_t leaf, uint32_t *other) {
  const DLTensor *tensor = frame->inputs[leaf].as.tensor;
  uintptr_t begin, end, first, last;
  bool has_memory = ptc_extent(tensor, &begin, &end);
  *other = leaf;
  for (uint32_t i = 0; has_memory && i < leaf; ++i) {
    if (frame->inputs[i].tag != ptc_tag_Tensor ||
        !ptc_extent(frame->inputs[i].as.tensor, &first, &last) || first >= end || begin >= last)
      continue;
    if (!are_same(frame->inputs[i].as.tensor, tensor) ||
        frame->inputs[i].requires_grad != frame->inputs[leaf].requires_grad)
      return "arguments share parts of their memory";
    *other = i;
    return NULL;
  }
  return NULL;
}

static const char *put_tensor(ptc_text_buffer *out, const ptc_structure *structure,
                              const ptc_frame *frame, uint32_t leaf) {
  const DLTensor *t = frame->inputs[leaf].as.tensor;
  if (t->device.device_type != kDLCPU)
    return "a tensor is not on the CPU";
  uint32_t other;
  const char *why = find_same(frame, leaf, &other);
  if (why)
    return why;
  if (other != leaf) {
    const char *place = structure->texts[other].place;
    ptc_put_string(out, "{\"$same\": ");
    if (!*place || !put_text(out, place, strlen(place)))
      return "a tensor is passed twice where the notation has no name for it";
    ptc_put_string(out, "}");
    return NULL;
  }
  ptc_put_string(out, "{\"$tensor\": \"");
  if (!put_type(out, t->dtype, false))
    return "a tensor has an element type that the notation does not have";
  ptc_put_string(out, "[");
  put_numbers(out, t->shape, t->ndim);
  ptc_put_string(out, "]\"");
  if (!is_dense(t)) {
    for (int32_t d = 0; d < t->ndim; ++d)
      if (t->strides[d] < 0)
        return "a tensor has a negative stride";
    ptc_put_string(out, ", \"strides\": [");
    put_numbers(out, t->strides, t->ndim);
    ptc_put_string(out, "]");
  }
  ptc_put_string(out, frame->inputs[leaf].requires_grad ? ", \"requires_grad\": true}" : "}");
  return NULL;
}

static const char *put_device(ptc_text_buffer *out, DLDevice device) {
  char text[48];
  if (device.device_id < 0)
    return "a device whose number is negative";
  if (device.device_type == kDLCPU)
    snprintf(text, sizeof text, "{\"$device\": \"cpu\"}");
  else
    snprintf(text, sizeof text, "{\"$device\": \"cuda:%d\"}", (int)device.device_id);
  ptc_put_string(out, text);
  return device.device_type == kDLCPU || device.device_type == kDLCUDA
             ? NULL
             : "an unknown kind of device";
}

/* Null, or why the leaf has no form in the notation. */
static const char *put_leaf(ptc_text_buffer *out, const ptc_structure *structure,
                            const ptc_frame *frame, uint32_t leaf) {
  const ptc_value *value = &frame->inputs[leaf];
  switch (value->tag) {
  case ptc_tag_None:
    ptc_put_string(out, "null");
    return NULL;
  case ptc_tag_Bool:
    ptc_put_string(out, value->as.integer ? "true" : "false");
    return NULL;
  case ptc_tag_Int:
    put_int(out, value->as.integer);
    return NULL;
  case ptc_tag_Float:
    put_real(out, value->as.real);
    return NULL;
  case ptc_tag_Str:
    return put_text(out, value->as.str.data, value->as.str.length) ? NULL : "a text is not UTF-8";
  case ptc_tag_Tensor:
    return put_tensor(out, structure, frame, leaf);
  case ptc_tag_DType:
    ptc_put_string(out, "{\"$dtype\": \"");
    if (!put_type(out, value->as.dtype, true))
      return "an element type that the notation does not have";
    ptc_put_string(out, "\"}");
    return NULL;
  case ptc_tag_Device:
    return put_device(out, value->as.device);
  case ptc_tag_Set:
    ptc_put_string(out, structure->texts[leaf].constant);
    return *structure->texts[leaf].constant ? NULL : "a set stands where none is expected";
  default:
    return "an argument has no form in the notation of examples";
  }
}

static const char *put_call(ptc_text_buffer *out, const ptc_structure *structure,
                            const ptc_frame *frame) {
  if (!structure->before)
    return "its arguments have no form in the notation of examples";
  if (!frame->grad_mode)
    return "gradients are off, which examples do not say";
  ptc_put_string(out, structure->before);
  for (uint32_t i = 0; i < structure->num_leaves; ++i) {
    const char *why = put_leaf(out, structure, frame, i);
    if (why)
      return why;
    ptc_put_string(out, structure->texts[i].behind);
  }
  return out->failed ? "out of memory" : NULL;
}

/*===----------------------------------------------------------------------------===*
 * The file
 *===----------------------------------------------------------------------------===*/

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}

static bool is_seen(const ptc_recorder *recorder, uint64_t hash) {
  for (size_t i = 0; i < recorder->num_seen; ++i)
    if (recorder->seen[i] == hash)
      return true;
  return false;
}

/* Without memory for it the file is looked at again. */
static void note_seen(ptc_recorder *recorder, uint64_t hash) {
  if (recorder->num_seen == recorder->capacity) {
    size_t capacity = 2 * recorder->capacity + 16;
    uint64_t *grown = realloc(recorder->seen, capacity * sizeof *grown);
    if (!grown)
      return;
    recorder->seen = grown;
    recorder->capacity = capacity;
  }
  recorder->seen[recorder->num_seen++] = hash;
}

static bool has_line(const char *text, size_t size, const char *line, size_t length) {
  const char *end = text + size;
  while (text != end) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    stop = stop ? stop : end;
    if ((size_t)(stop - text) == length && memcmp(text, line, length) == 0)
      return true;
    text = stop == end ? end : stop + 1;
  }
  return false;
}

/* Adds a line to an open and locked file. */
static const char *append_to(int file, const char *line, size_t length) {
  off_t end = lseek(file, 0, SEEK_END);
  if (end < 0 || lseek(file, 0, SEEK_SET) != 0)
    return "the file cannot be read";
  if ((uint64_t)end + length > MOST_BYTES)
    return "the file has reached 1 MiB";
  size_t size = (size_t)end, have = 0;
  char *text = malloc(size + length + 2);
  if (!text)
    return "out of memory";
  while (have < size) {
    ssize_t got = read(file, text + have, size - have);
    if (got <= 0)
      break;
    have += (size_t)got;
  }
  bool there = has_line(text, have, line, length), written = true;
  if (!there) {
    /* In one piece: other processes append, too. */
    size_t begin = have && text[have - 1] != '\n';
    text[0] = '\n';
    memcpy(text + begin, line, length);
    text[begin + length] = '\n';
    size_t bytes = begin + length + 1;
    written = write(file, text, bytes) == (ssize_t)bytes;
  }
  free(text);
  return written ? NULL : "the file cannot be written";
}

static int open_file(const char *path) {
  return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

static const char *append(ptc_recorder *recorder, const char *line, size_t length) {
  uint64_t hash = hash_of(line, length);
  if (is_seen(recorder, hash))
    return NULL;
  int file = open_file(recorder->path);
  if (file < 0)
    return "the file cannot be opened";
  (void)flock(file, LOCK_EX); /* where files cannot be locked, a line may be there twice */
  const char *why = append_to(file, line, length);
  close(file);
  if (!why)
    note_seen(recorder, hash);
  return why;
}

const char *ptc_record_miss(ptc_recorder *recorder, const ptc_structure *structure,
                            const ptc_frame *frame) {
  ptc_text_buffer out = {NULL, 0, 0, false};
  const char *why = put_call(&out, structure, frame);
  if (!why)
    why = append(recorder, out.data, out.length);
  free(out.data);
  return why;
}

ptc_status ptc_stub_record_misses(ptc_context *context, const char *path) {
  ptc_recorder *recorder = &context->recorder;
  free(recorder->path);
  recorder->path = NULL;
  recorder->num_seen = 0;
  if (!path)
    return ptc_succeed(context);
  int file = open_file(path);
  if (file < 0)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "the file for misses cannot be written");
  close(file);
  size_t bytes = strlen(path) + 1;
  recorder->path = malloc(bytes);
  if (!recorder->path)
    return ptc_no_memory(&context->frame);
  memcpy(recorder->path, path, bytes);
  return ptc_succeed(context);
}

/* Whether a text is one line in braces of characters that JSON has: what it says is the caller's.
 */
static bool is_line(const char *call, size_t length) {
  const unsigned char *at = (const unsigned char *)call, *end = at + length;
  if (length < 2 || *at != '{' || end[-1] != '}')
    return false;
  for (size_t bytes; at != end; at += bytes)
    if (!(bytes = character(at, end)) || *at < 0x20)
      return false;
  return true;
}

ptc_status ptc_stub_record_call(ptc_context *context, const char *call, size_t length) {
  if (!context->recorder.path)
    return ptc_succeed(context);
  const char *why = !call                        ? "there is no text of a call"
                    : memchr(call, '\n', length) ? "a call is one line"
                    : !is_line(call, length)     ? "a call is an object in JSON"
                                                 : append(&context->recorder, call, length);
  return why ? ptc_set_error(context, ptc_status_invalid_argument, why) : ptc_succeed(context);
}
