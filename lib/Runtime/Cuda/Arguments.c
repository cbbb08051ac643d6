/*===- Arguments.c - Arguments of a call as the device sees them ------------------------===*
 *
 * In: the leaves of a call, in memory of the host or of the device. Out: leaves whose tensors are
 * the device's: those of the host are copied there, once for all that lie in the same memory.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#include <stdlib.h>
#include <string.h>

static bool grow_inputs(context_device *own, uint32_t n) {
  if (n <= own->most_inputs)
    return true;
  ptc_value *inputs = realloc(own->inputs, n * sizeof *inputs);
  if (inputs)
    own->inputs = inputs;
  DLTensor *tensors = realloc(own->tensors, n * sizeof *tensors);
  if (tensors)
    own->tensors = tensors;
  staged_input *staged = realloc(own->staged, n * sizeof *staged);
  if (staged) {
    memset(staged + own->most_inputs, 0, (n - own->most_inputs) * sizeof *staged);
    own->staged = staged;
  }
  if (!inputs || !tensors || !staged)
    return false;
  own->most_inputs = n;
  return true;
}

/* The place of an argument before `number` that holds it; null: there is none, or `*overlaps`. */
static staged_input *place_of(context_device *own, uint32_t number, bool *overlaps) {
  const staged_input *mine = &own->staged[number];
  *overlaps = false;
  for (uint32_t i = 0; i < number; ++i) {
    staged_input *other = &own->staged[i];
    if (other->begin <= mine->begin && mine->end <= other->end)
      return other;
    *overlaps = *overlaps || (other->begin < mine->end && mine->begin < other->end);
  }
  return NULL;
}

static ptc_status stage_input(ptc_context *context, uint32_t number, DLTensor *tensor) {
  context_device *own = context->device;
  staged_input *mine = &own->staged[number];
  if (!ptc_extent(tensor, &mine->begin, &mine->end)) {
    mine->begin = mine->end = 0;
    return ptc_status_ok; /* it has no elements */
  }
  uintptr_t first = (uintptr_t)tensor->data + tensor->byte_offset;
  bool overlaps;
  staged_input *place = place_of(own, number, &overlaps);
  if (!place && overlaps)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "arguments in memory of the host overlap in part: give the larger one "
                         "first, or memory of the device");
  if (place) {
    mine->end = mine->begin;
  } else {
    place = mine;
    uint64_t bytes = mine->end - mine->begin;
    if (!ptc_reserve(context, &mine->block, bytes))
      return ptc_no_memory(&context->frame);
    cu_result result = own->model->driver.to_device((uintptr_t)mine->block.data,
                                                    (const void *)mine->begin, /* NOLINT */
                                                    bytes, own->stream);
    own->awaited = true;
    if (result)
      return ptc_cuda_report(context, result);
  }
  tensor->data = (unsigned char *)place->block.data + (first - place->begin);
  tensor->byte_offset = 0;
  return ptc_status_ok;
}

static ptc_status take_input(ptc_context *context, uint32_t number, const ptc_value *given) {
  context_device *own = context->device;
  staged_input *staged = &own->staged[number];
  staged->is_written = false;
  staged->begin = staged->end = 0;
  own->inputs[number] = *given;
  if (given->tag != ptc_tag_Tensor)
    return ptc_status_ok;
  DLTensor *tensor = &own->tensors[number];
  *tensor = *given->as.tensor;
  own->inputs[number].as.tensor = tensor;
  if (tensor->device.device_type == kDLCPU)
    return stage_input(context, number, tensor);
  if (tensor->device.device_type != kDLCUDA || tensor->device.device_id != own->model->ordinal)
    return ptc_status_ok; /* the guards refuse it */
  /* The program was captured with tensors that have no other device than its own. */
  tensor->device.device_type = kDLCPU;
  tensor->device.device_id = 0;
  own->results_on_host = false;
  return ptc_status_ok;
}

/* `invocation` is null where the program begins. */
ptc_status ptc_cuda_begin(ptc_context *context, const ptc_invocation *invocation) {
  context_device *own = context->device;
  uint32_t n = invocation ? invocation->num_inputs : 0;
  if (!grow_inputs(own, n))
    return ptc_no_memory(&context->frame);
  ++own->calls;
  own->failed = own->refused = 0;
  own->num_inputs = n;
  own->num_blocks = 0;
  own->results_on_host = true;
  own->awaited = false;
  own->is_call = invocation != NULL;
  cu_result result = ptc_cuda_enter(own);
  if (result)
    return ptc_cuda_report(context, result);
  own->is_inside = true;
  ptc_status status = ptc_status_ok;
  for (uint32_t i = 0; i < n && status == ptc_status_ok; ++i)
    status = take_input(context, i, &invocation->inputs[i]);
  context->frame.inputs = own->inputs;
  return status;
}
