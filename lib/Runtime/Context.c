/*===- Context.c - Per-thread state of a model ----------------------------------------===*
 *
 * In: an opened model. Out: a context with its workspace, state and generators; all memory of the
 * hot path is reserved here.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* torch.Generator() starts with it. */
#define DEFAULT_SEED 67280421310721u

static uint32_t max_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void *make(size_t count, size_t size) { return calloc(count ? count : 1, size); }

static bool make_counters(ptc_context *context, const ptc_program *program) {
  context->calls = make(program->num_entries, sizeof *context->calls);
  context->misses = make(program->num_entries, sizeof *context->misses);
  context->hits = make(program->num_entries, sizeof *context->hits);
  if (!context->calls || !context->misses || !context->hits)
    return false;
  for (uint32_t i = 0; i < program->num_entries; ++i) {
    context->hits[i] = make(program->entries[i].num_variants, sizeof **context->hits);
    if (!context->hits[i])
      return false;
  }
  return true;
}

static bool make_memory(ptc_context *context, const ptc_program *program) {
  uint32_t raised = 0;
  uint64_t arena = program->init_arena_bytes;
  for (uint32_t e = 0; e < program->num_entries; ++e)
    for (uint32_t v = 0; v < program->entries[e].num_variants; ++v) {
      const ptc_variant *variant = &program->entries[e].variants[v];
      context->num_leaves = max_of(context->num_leaves, variant->num_outputs);
      context->num_storages = max_of(context->num_storages, variant->num_storages);
      raised = max_of(raised, variant->num_raised);
      uint64_t bytes = variant->arena_bytes + variant->thread_bytes;
      arena = bytes > arena ? bytes : arena;
    }
  context->leaves = make(context->num_leaves, sizeof *context->leaves);
  context->storages = make(context->num_storages, sizeof *context->storages);
  context->kept = make(context->num_leaves, sizeof *context->kept);
  context->raised = make(raised, sizeof *context->raised);
  context->slots = make(program->num_states, sizeof *context->slots);
  context->generators = make(program->num_generators, sizeof *context->generators);
  if (!context->leaves || !context->storages || !context->kept || !context->raised ||
      !context->slots || !context->generators || !make_counters(context, program))
    return false;
  /* A variant for more than this machine has is no reason to refuse calls of others: its own calls
     ask again. */
  return ptc_reserve(context, &context->arena, arena) ||
         ptc_reserve(context, &context->arena, program->init_arena_bytes);
}

static void free_slot(ptc_context *context, ptc_slot *slot) {
  ptc_release(context, slot->tensor.data);
  ptc_release(context, slot->spare);
  memset(slot, 0, sizeof *slot);
}

void ptc_stub_context_destroy(ptc_context *context) {
  for (uint32_t i = 0; context->leaves && i < context->num_leaves; ++i)
    ptc_free_leaf(context, &context->leaves[i]);
  for (uint32_t i = 0; context->storages && i < context->num_storages; ++i)
    ptc_free_leaf(context, &context->storages[i]);
  for (uint32_t i = 0; context->slots && i < context->program->num_states; ++i)
    free_slot(context, &context->slots[i]);
  for (uint32_t i = 0; i < PTC_MAX_THREADS; ++i)
    ptc_release(context, context->temporaries[i].data);
  ptc_release(context, context->arena.data);
  ptc_free_scratch(context);
  for (uint32_t i = 0; context->hits && i < context->program->num_entries; ++i)
    free(context->hits[i]);
  if (context->device)
    context->program->device->runtime->destroy(context);
  void *const blocks[] = {context->leaves, context->storages,      context->kept,
                          context->raised, context->slots,         context->generators,
                          context->calls,  context->misses,        context->hits,
                          context->text,   context->recorder.path, context->recorder.seen,
                          context};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
    free(blocks[i]);
}

static void take_memory(ptc_context *context) {
  ptc_frame *frame = &context->frame;
  frame->arena = context->arena.data;
  frame->arena_bytes = context->arena.capacity;
  frame->state = context->slots;
  frame->raised = context->raised;
}

static void prepare_frame(ptc_context *context) {
  ptc_frame *frame = &context->frame;
  frame->weights = context->model->weights;
  frame->services = &ptc_stub_services;
  frame->threads = 1;
  frame->grad_mode = 1;
  frame->context = context;
}

ptc_status ptc_stub_state_reset(ptc_context *context) {
  const ptc_program *program = context->program;
  for (uint32_t i = 0; i < program->num_generators; ++i)
    ptc_generator_seed(&context->generators[i], DEFAULT_SEED);
  context->error.status = ptc_status_ok;
  ptc_status status =
      context->device ? program->device->runtime->begin(context, NULL) : ptc_status_ok;
  if (status == ptc_status_ok && program->init)
    status = program->init(&context->frame);
  if (context->device)
    status = program->device->runtime->end(context, status);
  ptc_end_scratch(context);
  return status;
}

/* Gives the status back. `text`: may be null. */
static ptc_status say(char *text, uint64_t bytes, ptc_status status, const char *what) {
  if (text && bytes)
    snprintf(text, bytes < PTC_MOST_TEXT ? (size_t)bytes : PTC_MOST_TEXT, "%s", what);
  return status;
}

ptc_status ptc_stub_context_create(ptc_model *model, ptc_context **result) {
  return ptc_stub_context_make(model, result, NULL, 0);
}

ptc_status ptc_stub_context_make(ptc_model *model, ptc_context **result, char *text,
                                 uint64_t bytes) {
  say(text, bytes, ptc_status_ok, "");
  if (!ptc_is_object(model) || !ptc_is_object(result))
    return say(text, bytes, ptc_status_invalid_argument,
               ptc_is_object(model) ? "there is no place for the context" : "there is no model");
  *result = NULL;
  ptc_context *context = calloc(1, sizeof *context);
  if (!context)
    return say(text, bytes, ptc_status_out_of_memory, ptc_status_text(ptc_status_out_of_memory));
  context->api = model->api;
  context->model = model;
  context->program = model->program;
  context->error.text = context->error.type = context->error.file = "";
  context->error.guard = -1;
  prepare_frame(context);
  ptc_status status =
      model->device ? model->program->device->runtime->create(context) : ptc_status_ok;
  if (status == ptc_status_ok && !make_memory(context, model->program))
    status = ptc_no_memory(&context->frame);
  if (status == ptc_status_ok) {
    take_memory(context);
    status = ptc_stub_state_reset(context);
  }
  if (status == ptc_status_ok) {
    *result = context;
    return status;
  }
  bool says = context->error.status == status && context->error.text[0];
  say(text, bytes, status, says ? context->error.text : ptc_status_text(status));
  ptc_stub_context_destroy(context);
  return status;
}

/*===----------------------------------------------------------------------------===*
 * State from outside
 *===----------------------------------------------------------------------------===*/

/* Whether there is that state, and a value to copy it to or from. */
static bool has_state(ptc_context *context, uint32_t slot, const ptc_value *value) {
  if (slot >= context->program->num_states)
    ptc_set_error(context, ptc_status_invalid_argument, "there is no state of this number");
  else if (!ptc_is_object(value))
    ptc_set_error(context, ptc_status_invalid_argument, "there is no value at the address");
  else
    return true;
  return false;
}

ptc_status ptc_stub_state_get(ptc_context *context, uint32_t slot, ptc_value *value) {
  if (!has_state(context, slot, value))
    return ptc_status_invalid_argument;
  *value = context->slots[slot].value;
  ptc_status status = ptc_status_ok;
  if (context->device && value->tag == ptc_tag_Tensor)
    status = context->program->device->runtime->state_get(context, slot, value);
  return status == ptc_status_ok ? ptc_succeed(context) : status;
}

/* Copies elements, dimension by dimension, outermost first. */
static void copy_elements(unsigned char *to, const unsigned char *from, const DLTensor *t,
                          const int64_t *to_strides, int32_t dimension, size_t bytes) {
  if (dimension == t->ndim) {
    memcpy(to, from, bytes);
    return;
  }
  int64_t dense = 1;
  for (int32_t d = t->ndim - 1; d > dimension; --d)
    dense *= t->shape[d];
  int64_t stride = t->strides ? t->strides[dimension] : dense;
  for (int64_t i = 0; i < t->shape[dimension]; ++i)
    copy_elements(to + i * to_strides[dimension] * (int64_t)bytes,
                  from + i * stride * (int64_t)bytes, t, to_strides, dimension + 1, bytes);
}

/* Where the elements of new contents lie: as constants of the code say; where there are none and
   the sizes are those of the present contents, as these; else densely, in row-major order. Null, or
   why they cannot be the slot's. */
static const char *lay_out(const ptc_slot *slot, const ptc_state_row *row, const DLTensor *t,
                           int64_t *strides) {
  bool same = slot->tensor.data && slot->tensor.ndim == t->ndim, fixed = true, moved = false;
  for (int32_t d = 0; d < t->ndim; ++d) {
    if (row->sizes[d] != PTC_ANY_SIZE && row->sizes[d] != t->shape[d])
      return "the state has other sizes";
    same = same && slot->sizes[d] == t->shape[d];
    fixed = fixed && row->strides[d] != PTC_ANY_SIZE;
  }
  int64_t dense = 1;
  for (int32_t d = t->ndim - 1; d >= 0; --d) {
    strides[d] = fixed ? row->strides[d] : same ? slot->strides[d] : dense;
    moved = moved || (row->strides[d] != PTC_ANY_SIZE && row->strides[d] != strides[d]);
    int64_t size = t->shape[d] ? t->shape[d] : 1;
    if (__builtin_mul_overflow(dense, size, &dense))
      return "the state has other sizes";
  }
  return moved ? "the state lies in another order in memory: give it the sizes that it has" : NULL;
}

uint64_t ptc_span(DLDataType dtype, int32_t rank, const int64_t *sizes, const int64_t *strides) {
  uint64_t last = 0, bytes = (dtype.bits + 7u) / 8;
  for (int32_t d = 0; d < rank; ++d) {
    if (sizes[d] == 0)
      return 0;
    last += (uint64_t)(sizes[d] - 1) * (uint64_t)strides[d];
  }
  return last < INT64_MAX / bytes ? (last + 1) * bytes : UINT64_MAX;
}

static ptc_status set_tensor(ptc_context *context, uint32_t number, const DLTensor *t) {
  int64_t strides[PTC_MAX_RANK];
  const ptc_state_row *row = &context->program->states[number];
  const char *why = lay_out(&context->slots[number], row, t, strides);
  if (why)
    return ptc_set_error(context, ptc_status_invalid_argument, why);
  ptc_shape shape = {t->dtype, t->ndim, t->shape, strides,
                     ptc_span(t->dtype, t->ndim, t->shape, strides)};
  unsigned char *data = context->frame.services->state(&context->frame, number, &shape);
  if (!data)
    return context->error.status;
  const unsigned char *from = (const unsigned char *)t->data + t->byte_offset;
  unsigned char *to = context->device ? calloc(1, shape.bytes + 1) : data;
  if (!to)
    return ptc_no_memory(&context->frame);
  copy_elements(to, from, t, strides, 0, (t->dtype.bits + 7u) / 8);
  if (to != data) {
    ptc_status status = context->program->device->runtime->upload(context, data, to, shape.bytes);
    free(to);
    if (status != ptc_status_ok)
      return status;
  }
  context->frame.services->state_commit(&context->frame, number);
  return ptc_succeed(context);
}

ptc_status ptc_stub_state_set(ptc_context *context, uint32_t slot, const ptc_value *value) {
  if (!has_state(context, slot, value))
    return ptc_status_invalid_argument;
  const ptc_state_row *row = &context->program->states[slot];
  if (value->tag != row->tag)
    return ptc_set_error(context, ptc_status_invalid_argument, "the state has another type");
  if (value->tag != ptc_tag_Tensor) {
    context->slots[slot].value = *value;
    return ptc_succeed(context);
  }
  const DLTensor *t = value->as.tensor;
  const char *wrong = ptc_wrong_of_tensor(t);
  if (wrong) {
    char text[128];
    snprintf(text, sizeof text, "the value is a tensor %s", wrong);
    return ptc_set_error(context, ptc_status_invalid_argument, text);
  }
  if (t->ndim != row->rank || t->dtype.code != row->dtype.code ||
      t->dtype.bits != row->dtype.bits || t->device.device_type != kDLCPU)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "the state has another dtype or number of dimensions");
  return set_tensor(context, slot, t);
}
