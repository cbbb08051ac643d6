/*===- Services.c - What generated code asks of the stub -----------------------------===*
 *
 * In: a frame, while a variant runs. Out: memory for results, state and workspace; errors, text,
 * threads, random bits.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The stub's functions for memory of the device, or null. */
static const struct ptc_device_runtime *device_of(const ptc_context *context) {
  return context->device ? context->program->device->runtime : NULL;
}

static void *allocate(ptc_context *context, uint64_t bytes) {
  const struct ptc_device_runtime *device = context ? device_of(context) : NULL;
  return device ? device->allocate(context, bytes) : aligned_alloc(PTC_ALIGNMENT, bytes);
}

void ptc_release(ptc_context *context, void *data) {
  const struct ptc_device_runtime *device = context ? device_of(context) : NULL;
  if (device && data)
    device->release(context, data);
  else
    free(data);
}

void ptc_copy(ptc_context *context, void *to, const void *from, uint64_t bytes) {
  const struct ptc_device_runtime *device = device_of(context);
  if (device)
    device->copy(context, to, from, bytes);
  else
    memcpy(to, from, bytes);
}

bool ptc_reserve(ptc_context *context, ptc_block *block, uint64_t bytes) {
  if (bytes <= block->capacity && block->data)
    return true;
  uint64_t rounded = (bytes + PTC_ALIGNMENT - 1) / PTC_ALIGNMENT * PTC_ALIGNMENT;
  if (rounded < bytes)
    return false;
  ptc_release(context, block->data);
  block->capacity = rounded ? rounded : PTC_ALIGNMENT;
  block->data = allocate(context, block->capacity);
  if (!block->data)
    block->capacity = 0;
  return block->data != NULL;
}

bool ptc_reserve_host(ptc_block *block, uint64_t bytes) { return ptc_reserve(NULL, block, bytes); }

/*===----------------------------------------------------------------------------===*
 * Errors
 *===----------------------------------------------------------------------------===*/

ptc_status ptc_set_error(ptc_context *context, ptc_status status, const char *text) {
  static const ptc_site nowhere = {"", "", "", 0};
  return ptc_set_site_error(context, status, &nowhere, text);
}

ptc_status ptc_set_site_error(ptc_context *context, ptc_status status, const ptc_site *site,
                              const char *text) {
  ptc_text_buffer out = {context->text, 0, context->text_capacity, false};
  if (site->type[0]) {
    ptc_put_string(&out, site->type);
    ptc_put_string(&out, ": ");
  }
  ptc_put_string(&out, text);
  if (site->file[0]) {
    char line[24];
    snprintf(line, sizeof line, ":%u", site->line);
    ptc_put_string(&out, "\nnote: at ");
    ptc_put_string(&out, site->file);
    ptc_put_string(&out, line);
  }
  context->text = out.data;
  context->text_capacity = out.capacity;
  ptc_error error = {status,     out.data && !out.failed ? out.data : ptc_status_text(status),
                     site->type, site->file,
                     site->line, -1};
  context->error = error;
  return status;
}

ptc_status ptc_no_memory(ptc_frame *frame) {
  const struct ptc_device_runtime *device = device_of(frame->context);
  if (device)
    return device->no_memory(frame->context);
  return ptc_set_error(frame->context, ptc_status_out_of_memory,
                       ptc_status_text(ptc_status_out_of_memory));
}

/* Exceptions of the program may have no text; what else fails says what it means. */
static ptc_status fail(ptc_frame *frame, ptc_status status, const ptc_site *site) {
  bool says = site->text[0] || status == ptc_status_raised;
  return ptc_set_site_error(frame->context, status, site,
                            says ? site->text : ptc_status_text(status));
}

static ptc_status raise_outcome(ptc_frame *frame, const ptc_site *site, const ptc_text_part *parts,
                                uint32_t n) {
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_parts(&out, parts, n, frame->raised);
  ptc_status status = out.failed ? ptc_no_memory(frame)
                                 : ptc_set_site_error(frame->context, ptc_status_raised, site,
                                                      out.data ? out.data : "");
  free(out.data);
  return status;
}

/* The error itself is one thread's to write. */
static ptc_status frame_status(const ptc_frame *frame) {
  ptc_context *context = frame->context;
  if (__atomic_load_n(&context->lacks_memory, __ATOMIC_RELAXED)) {
    context->lacks_memory = 0; /* sections are over */
    ptc_no_memory(&context->frame);
  }
  return context->error.status;
}

/*===----------------------------------------------------------------------------===*
 * Results
 *===----------------------------------------------------------------------------===*/

static bool same_type(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

/* Whether a buffer of the caller has the sizes and strides of a result. */
static bool fits(const ptc_context *context, const DLTensor *t, const ptc_shape *shape) {
  if (t->ndim != shape->rank || !same_type(t->dtype, shape->dtype))
    return false;
  bool on_device = context->device && t->device.device_type == kDLCUDA &&
                   t->device.device_id == context->ordinal;
  if (t->device.device_type != kDLCPU && !on_device)
    return false;
  for (int32_t d = 0; d < shape->rank; ++d)
    if (t->shape[d] != shape->sizes[d])
      return false;
  if (shape->bytes == 0)
    return true;
  int64_t dense = 1;
  for (int32_t d = shape->rank - 1; d >= 0; --d) {
    if (shape->sizes[d] != 1 && (t->strides ? t->strides[d] : dense) != shape->strides[d])
      return false;
    dense *= shape->sizes[d];
  }
  return true;
}

bool ptc_touches(const DLTensor *t, uintptr_t begin, uintptr_t end) {
  uintptr_t first, last;
  return ptc_extent(t, &first, &last) && first < end && begin < last;
}

/* Whether memory of a result leaf is an argument's or another result's. */
static bool is_shared(const ptc_frame *frame, uint32_t leaf, uintptr_t begin, uintptr_t end) {
  const ptc_value *given = frame->context->given;
  for (uint32_t i = 0; i < frame->num_inputs; ++i)
    if (given[i].tag == ptc_tag_Tensor && ptc_touches(given[i].as.tensor, begin, end))
      return true;
  for (uint32_t i = 0; i < leaf; ++i)
    if (frame->outputs[i].tag == ptc_tag_Tensor &&
        ptc_touches(frame->outputs[i].as.tensor, begin, end))
      return true;
  return false;
}

static void *refuse_buffer(ptc_frame *frame, uint32_t leaf, const char *why) {
  char text[96];
  snprintf(text, sizeof text, "the buffer for result %u %s", leaf, why);
  ptc_set_error(frame->context, ptc_status_invalid_argument, text);
  return NULL;
}

void ptc_describe_leaf(ptc_leaf *own, void *data, const ptc_shape *shape) {
  size_t bytes = (size_t)shape->rank * sizeof(int64_t);
  memcpy(own->sizes, shape->sizes, bytes);
  memcpy(own->strides, shape->strides, bytes);
  own->is_new = true;
  DLTensor tensor = {data, {kDLCPU, 0}, shape->rank, shape->dtype, own->sizes, own->strides, 0};
  own->tensor = tensor;
}

bool ptc_lies_in(uintptr_t address, const void *block, uint64_t bytes) {
  return address - (uintptr_t)block < bytes;
}

static bool is_in_memory(uintptr_t address, const ptc_leaf *leaf) {
  return ptc_lies_in(address, leaf->block.data, leaf->block.capacity) ||
         ptc_lies_in(address, leaf->host.data, leaf->host.capacity);
}

/* Whether a tensor lies in memory of a leaf, or is described there. */
static bool is_in_leaf(const DLTensor *t, const ptc_leaf *leaf) {
  uintptr_t data = (uintptr_t)t->data + t->byte_offset;
  if (t == &leaf->tensor || is_in_memory(data, leaf))
    return true;
  if (ptc_lies_in((uintptr_t)t, leaf->elements, leaf->num_elements * sizeof *leaf->elements))
    return true;
  for (size_t i = 0; i < leaf->num_elements; ++i)
    if (is_in_memory(data, &leaf->elements[i]))
      return true;
  return false;
}

static bool has_argument(const ptc_frame *frame, const ptc_leaf *leaf) {
  const ptc_value *given = frame->context->given;
  for (uint32_t i = 0; i < frame->num_inputs; ++i)
    if (given[i].tag == ptc_tag_Tensor && is_in_leaf(given[i].as.tensor, leaf))
      return true;
  return ptc_lies_in((uintptr_t)given, leaf->items, leaf->num_elements * sizeof *leaf->items);
}

ptc_leaf *ptc_free_of_arguments(ptc_frame *frame, ptc_leaf *leaf) {
  while (has_argument(frame, leaf)) {
    if (!leaf->next) {
      leaf->next = calloc(1, sizeof *leaf);
      frame->context->has_more = true;
      return leaf->next;
    }
    leaf = leaf->next;
  }
  return leaf;
}

static void describe(ptc_frame *frame, uint32_t leaf, ptc_leaf *own, void *data,
                     const ptc_shape *shape) {
  ptc_describe_leaf(own, data, shape);
  frame->outputs[leaf] = ptc_of_tensor(&own->tensor);
}

bool ptc_is_own(const ptc_context *context, const DLTensor *tensor) {
  if (ptc_lies_in((uintptr_t)tensor, context->leaves,
                  context->num_leaves * sizeof *context->leaves))
    return true;
  for (uint32_t i = 0; context->has_more && i < context->num_leaves; ++i)
    for (const ptc_leaf *more = context->leaves[i].next; more; more = more->next)
      if (tensor == &more->tensor)
        return true;
  return false;
}

/* The caller's tensor for a leaf; null where it gave none, or hands back a description that an
   earlier call made. */
static DLTensor *given(const ptc_frame *frame, uint32_t leaf) {
  const ptc_value *value = &frame->outputs[leaf];
  if (value->tag != ptc_tag_Tensor || !value->as.tensor || !value->as.tensor->data)
    return NULL;
  return ptc_is_own(frame->context, value->as.tensor) ? NULL : value->as.tensor;
}

void *ptc_fresh(ptc_context *context, ptc_block *block, uint64_t bytes) {
  if (context->allocator.allocate && !context->device)
    return context->allocator.allocate(context->allocator.user, bytes ? bytes : 1, PTC_ALIGNMENT);
  return ptc_reserve(context, block, bytes) ? block->data : NULL;
}

/* Where the program writes what goes to a buffer of the caller: there, or, where that is the host's
   and the program's tensors are a device's, in memory that is copied when the call ends. */
static void *place_of(ptc_frame *frame, uint32_t leaf, const DLTensor *buffer, uint64_t bytes) {
  unsigned char *data = (unsigned char *)buffer->data + buffer->byte_offset;
  const struct ptc_device_runtime *device = device_of(frame->context);
  bool is_apart = device && buffer->device.device_type == kDLCPU;
  return is_apart ? device->stage(frame->context, leaf, data, bytes) : data;
}

static void *output(ptc_frame *frame, uint32_t leaf, const ptc_shape *shape) {
  const DLTensor *buffer = given(frame, leaf);
  if (buffer) {
    if (!fits(frame->context, buffer, shape))
      return refuse_buffer(frame, leaf, "has another dtype, sizes or strides than the result");
    unsigned char *data = (unsigned char *)buffer->data + buffer->byte_offset;
    if (shape->bytes && is_shared(frame, leaf, (uintptr_t)data, (uintptr_t)data + shape->bytes))
      return refuse_buffer(frame, leaf, "shares memory with an argument or another result");
    return place_of(frame, leaf, buffer, shape->bytes);
  }
  ptc_leaf *own = ptc_free_of_arguments(frame, &frame->context->leaves[leaf]);
  void *data = own ? ptc_fresh(frame->context, &own->block, shape->bytes) : NULL;
  if (!data)
    ptc_no_memory(frame);
  else
    describe(frame, leaf, own, data, shape);
  return data;
}

static void *storage(ptc_frame *frame, uint32_t number, uint64_t bytes) {
  ptc_leaf *own = ptc_free_of_arguments(frame, &frame->context->storages[number]);
  void *data = own ? ptc_fresh(frame->context, &own->block, bytes) : NULL;
  if (!data)
    ptc_no_memory(frame);
  return data;
}

/* What a view shows, in the caller's memory. */
static ptc_status copy_view(ptc_frame *frame, uint32_t leaf, const DLTensor *buffer,
                            const void *data, const ptc_shape *shape) {
  const char *why = NULL;
  uint64_t bytes = shape->dtype.bits / 8;
  for (int32_t d = 0; d < shape->rank; ++d)
    bytes *= (uint64_t)shape->sizes[d];
  unsigned char *to = (unsigned char *)buffer->data + buffer->byte_offset;
  if (!fits(frame->context, buffer, shape))
    why = "has another dtype, sizes or strides than the result";
  else if (bytes != shape->bytes)
    why = "cannot be used: the result is a view with gaps";
  else if (bytes && is_shared(frame, leaf, (uintptr_t)to, (uintptr_t)to + bytes))
    why = "shares memory with an argument or another result";
  if (why) {
    refuse_buffer(frame, leaf, why);
    return ptc_status_invalid_argument;
  }
  void *place = place_of(frame, leaf, buffer, bytes);
  if (!place)
    return frame->context->error.status;
  ptc_copy(frame->context, place, data, bytes);
  return ptc_status_ok;
}

static ptc_status view(ptc_frame *frame, uint32_t leaf, void *data, const ptc_shape *shape) {
  const DLTensor *buffer = given(frame, leaf);
  if (buffer)
    return copy_view(frame, leaf, buffer, data, shape);
  ptc_leaf *own = ptc_free_of_arguments(frame, &frame->context->leaves[leaf]);
  if (!own)
    return ptc_no_memory(frame);
  describe(frame, leaf, own, data, shape);
  return ptc_status_ok;
}

/*===----------------------------------------------------------------------------===*
 * Workspace and state
 *===----------------------------------------------------------------------------===*/

static ptc_status arena(ptc_frame *frame, uint64_t bytes) {
  if (bytes <= frame->arena_bytes)
    return ptc_status_ok;
  ptc_block *block = &frame->context->arena;
  bool there = ptc_reserve(frame->context, block, bytes);
  frame->arena = block->data;
  frame->arena_bytes = block->capacity;
  return there ? ptc_status_ok : ptc_no_memory(frame);
}

static void *temporary(ptc_frame *frame, uint32_t thread, uint64_t bytes) {
  ptc_block *block = &frame->context->temporaries[thread];
  if (ptc_reserve(frame->context, block, bytes))
    return block->data;
  __atomic_store_n(&frame->context->lacks_memory, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void *state(ptc_frame *frame, uint32_t number, const ptc_shape *shape) {
  ptc_slot *slot = &frame->state[number];
  ptc_block block = {slot->spare, slot->spare_capacity};
  bool there = ptc_reserve(frame->context, &block, shape->bytes);
  slot->spare = block.data;
  slot->spare_capacity = block.capacity;
  if (!there) {
    ptc_no_memory(frame);
    return NULL;
  }
  size_t bytes = (size_t)shape->rank * sizeof(int64_t);
  memcpy(slot->spare_sizes, shape->sizes, bytes);
  memcpy(slot->spare_strides, shape->strides, bytes);
  slot->spare_rank = shape->rank;
  slot->spare_type = shape->dtype;
  return slot->spare;
}

static void state_commit(ptc_frame *frame, uint32_t number) {
  ptc_slot *slot = &frame->state[number];
  void *data = slot->tensor.data;
  uint64_t capacity = slot->capacity;
  memcpy(slot->sizes, slot->spare_sizes, sizeof slot->sizes);
  memcpy(slot->strides, slot->spare_strides, sizeof slot->strides);
  DLTensor tensor = {
      slot->spare, {kDLCPU, 0}, slot->spare_rank, slot->spare_type, slot->sizes, slot->strides, 0};
  slot->tensor = tensor;
  slot->capacity = slot->spare_capacity;
  slot->spare = data;
  slot->spare_capacity = capacity;
  slot->value = ptc_of_tensor(&slot->tensor);
}

/*===----------------------------------------------------------------------------===*
 * Text, threads, random bits
 *===----------------------------------------------------------------------------===*/

static ptc_status print(ptc_frame *frame, int32_t stream, const ptc_text_part *parts, uint32_t n,
                        const ptc_value *values) {
  ptc_context *context = frame->context;
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_parts(&out, parts, n, values);
  if (out.failed) {
    free(out.data);
    return ptc_no_memory(frame);
  }
  if (out.length && context->output)
    context->output(context->output_user, stream, out.data, out.length);
  else if (out.length)
    fwrite(out.data, 1, out.length, stream == 2 ? stderr : stdout);
  free(out.data);
  return ptc_status_ok;
}

static void parallel(ptc_frame *frame, ptc_section section, void *arg, uint32_t microseconds) {
  ptc_pool_run(frame->threads, microseconds, section, arg);
}

static uint32_t random_bits(ptc_frame *frame, uint32_t generator) {
  return ptc_generator_next(&frame->context->generators[generator]);
}

static ptc_status seed(ptc_frame *frame, uint32_t generator, int64_t number) {
  ptc_generator_seed(&frame->context->generators[generator], (uint64_t)number);
  return ptc_status_ok;
}

static void draw(ptc_frame *frame, const ptc_draw *what, void *data, const ptc_shape *shape) {
  ptc_draw_into(&frame->context->generators[what->generator], what, data, shape);
}

static int64_t read_clock(ptc_frame *frame, int32_t which) {
  const ptc_model *model = frame->context->model;
  if (model->clock)
    return model->clock(model->clock_user, which);
  static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                     CLOCK_THREAD_CPUTIME_ID};
  struct timespec time;
  clock_gettime(clocks[which], &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

const ptc_services ptc_stub_services = {output,
                                        storage,
                                        view,
                                        arena,
                                        ptc_scratch_take,
                                        state,
                                        state_commit,
                                        fail,
                                        raise_outcome,
                                        print,
                                        parallel,
                                        ptc_pool_barrier,
                                        random_bits,
                                        seed,
                                        frame_status,
                                        ptc_count_nonzero,
                                        ptc_put_nonzero,
                                        ptc_masked_select,
                                        draw,
                                        ptc_give_list,
                                        ptc_give_element,
                                        temporary,
                                        ptc_list_take,
                                        ptc_scratch_mark,
                                        ptc_scratch_release,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        read_clock};
