/*===- Context.c - A context's memory on an NVIDIA GPU --------------------------------===*
 *
 * In: a context of a program for a device. Out: its memory there and copies from and to it. What
 * the driver refuses becomes a status; the context can be used again.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#include <stdlib.h>

ptc_status ptc_cuda_report(ptc_context *context, cu_result result) {
  context_device *own = context->device;
  if (result == CU_OUT_OF_MEMORY)
    return ptc_set_error(context, ptc_status_out_of_memory,
                         "out of memory: the device has no more of it");
  const char *text = NULL;
  if (own->model->driver.error_text(result, &text) || !text)
    text = "an error without a name";
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_string(&out, "the device or its driver failed: ");
  ptc_put_string(&out, text);
  ptc_status status =
      ptc_set_error(context, ptc_status_device, out.data && !out.failed ? out.data : text);
  free(out.data);
  return status;
}

cu_result ptc_cuda_enter(context_device *own) {
  const cu_driver *driver = &own->model->driver;
  cu_handle current = NULL;
  if (own->is_inside)
    return 0;
  own->is_pushed = false;
  if (driver->context_current(&current) == 0 && current == own->model->context)
    return 0;
  cu_result result = driver->context_push(own->model->context);
  own->is_pushed = result == 0;
  return result;
}

void ptc_cuda_leave(context_device *own) {
  cu_handle popped;
  if (!own->is_inside && own->is_pushed)
    own->model->driver.context_pop(&popped);
}

void ptc_cuda_note(context_device *own, cu_result result) {
  if (own->failed == 0)
    own->failed = result;
}

static void *allocate(ptc_context *context, uint64_t bytes) {
  context_device *own = context->device;
  cu_pointer pointer = 0;
  cu_result result = ptc_cuda_enter(own);
  if (result == 0) {
    result = own->model->driver.allocate(&pointer, bytes);
    ptc_cuda_leave(own);
  }
  own->refused = result;
  return result ? NULL : (void *)(uintptr_t)pointer; /* NOLINT(performance-no-int-to-ptr) */
}

static ptc_status no_memory(ptc_context *context) {
  context_device *own = context->device;
  if (own->refused)
    return ptc_cuda_report(context, own->refused);
  return ptc_set_error(context, ptc_status_out_of_memory,
                       ptc_status_text(ptc_status_out_of_memory));
}

/* Where the driver fails there is nothing that could be done. */
static void release(ptc_context *context, void *data) {
  context_device *own = context->device;
  if (ptc_cuda_enter(own))
    return;
  ptc_cuda_flush(context); /* what was launched may use it */
  own->model->driver.release((cu_pointer)(uintptr_t)data);
  ptc_cuda_leave(own);
}

static void copy(ptc_context *context, void *to, const void *from, uint64_t bytes) {
  context_device *own = context->device;
  ptc_cuda_flush(context);
  if (bytes && own->failed == 0)
    ptc_cuda_note(own,
                  own->model->driver.on_device((uintptr_t)to, (uintptr_t)from, bytes, own->stream));
}

/* What was launched before a copy goes to the driver in front of it. Returns the first failure. */
static cu_result begin_copy(ptc_context *context) {
  context_device *own = context->device;
  cu_result result = ptc_cuda_enter(own);
  if (result)
    return result;
  ptc_cuda_flush(context);
  return own->failed;
}

/* Waits for a copy that began with this result. */
static ptc_status end_copy(ptc_context *context, cu_result result) {
  context_device *own = context->device;
  if (result == 0)
    result = own->model->driver.synchronize(own->stream);
  ptc_cuda_leave(own);
  return result ? ptc_cuda_report(context, result) : ptc_status_ok;
}

ptc_status ptc_cuda_upload(ptc_context *context, void *to, const void *from, uint64_t bytes) {
  context_device *own = context->device;
  cu_result result = begin_copy(context);
  if (bytes && result == 0)
    result = own->model->driver.to_device((uintptr_t)to, from, bytes, own->stream);
  return end_copy(context, result);
}

ptc_status ptc_cuda_download(ptc_context *context, void *to, const void *from, uint64_t bytes) {
  context_device *own = context->device;
  cu_result result = begin_copy(context);
  if (bytes && result == 0)
    result = own->model->driver.to_host(to, (uintptr_t)from, bytes, own->stream);
  return end_copy(context, result);
}

static ptc_status state_get(ptc_context *context, uint32_t slot, ptc_value *value) {
  context_device *own = context->device;
  ptc_slot *row = &context->slots[slot];
  DLTensor *tensor = &row->tensor;
  uint64_t bytes = ptc_span(tensor->dtype, tensor->ndim, row->sizes, row->strides);
  ptc_block *contents = &own->states[2 * slot], *description = contents + 1;
  if (!ptc_reserve_host(contents, bytes) || !ptc_reserve_host(description, sizeof *tensor))
    return ptc_no_memory(&context->frame);
  own->failed = 0; /* of an earlier call, which told it */
  ptc_status status = ptc_cuda_download(context, contents->data, tensor->data, bytes);
  if (status != ptc_status_ok)
    return status;
  DLTensor *seen = description->data;
  *seen = *tensor;
  seen->data = contents->data;
  *value = ptc_of_tensor(seen);
  return ptc_status_ok;
}

static ptc_status state_put(ptc_context *context, void *to, const void *from, uint64_t bytes) {
  context_device *own = context->device;
  own->failed = 0;
  return ptc_cuda_upload(context, to, from, bytes);
}

/* Calls share the context's memory: the next one begins when what the last one started is done. */
static ptc_status set_stream(ptc_context *context, void *stream) {
  context_device *own = context->device;
  if (own->stream == stream)
    return ptc_status_ok;
  own->failed = 0;
  ptc_status status = end_copy(context, begin_copy(context));
  if (status == ptc_status_ok)
    own->stream = stream;
  return status;
}

static uint32_t most_outputs(const ptc_program *program) {
  uint32_t most = 0;
  for (uint32_t e = 0; e < program->num_entries; ++e)
    for (uint32_t v = 0; v < program->entries[e].num_variants; ++v)
      if (program->entries[e].variants[v].num_outputs > most)
        most = program->entries[e].variants[v].num_outputs;
  return most;
}

static ptc_status create(ptc_context *context) {
  context_device *own = calloc(1, sizeof *own);
  if (!own)
    return ptc_status_out_of_memory;
  context->device = own;
  own->model = context->model->device;
  own->num_outputs = most_outputs(context->program);
  own->outputs = calloc(own->num_outputs + 1, sizeof *own->outputs);
  own->states = calloc(2 * (size_t)context->program->num_states + 1, sizeof *own->states);
  if (!own->outputs || !own->states)
    return ptc_status_out_of_memory;
  context->ordinal = own->model->ordinal;
  own->services = ptc_stub_services;
  ptc_cuda_set_services(&own->services);
  context->frame.services = &own->services;
  context->frame.weights =
      (const unsigned char *)(uintptr_t)own->model->weights; /* NOLINT(performance-no-int-to-ptr) */
  return ptc_status_ok;
}

static void destroy(ptc_context *context) {
  context_device *own = context->device;
  if (ptc_cuda_enter(own) == 0) {
    ptc_cuda_drop_graphs(own);
    ptc_cuda_leave(own);
  }
  ptc_cuda_free_launches(own);
  for (uint32_t i = 0; i < own->most_inputs; ++i)
    ptc_release(context, own->staged[i].block.data);
  for (uint32_t i = 0; i < own->num_outputs && own->outputs; ++i)
    ptc_release(context, own->outputs[i].block.data);
  for (uint32_t i = 0; i < own->most_blocks; ++i)
    ptc_release(context, own->blocks[i].data);
  for (uint32_t i = 0; i < 2 * context->program->num_states && own->states; ++i)
    free(own->states[i].data);
  void *const all[] = {own->inputs, own->tensors, own->staged, own->outputs,
                       own->states, own->blocks,  own};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    free(all[i]);
  context->device = NULL;
}

const struct ptc_device_runtime ptc_cuda_runtime = {
    ptc_cuda_open,  ptc_cuda_close, create,    destroy,   ptc_cuda_begin,
    ptc_cuda_end,   allocate,       no_memory, release,   copy,
    ptc_cuda_stage, state_get,      state_put, set_stream};
