/*===- Results.c - Results of a call where the caller wants them ------------------------===*
 *
 * In: results in memory of the device. Out: they stay there where an argument was the device's;
 * else they are copied to the host, as are arguments of the host that the program wrote to. A call
 * that has anything to do with memory of the host returns when the device is done; others leave
 * that to the stream.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

void *ptc_cuda_stage(ptc_context *context, uint32_t leaf, void *host, uint64_t bytes) {
  context_device *own = context->device;
  staged_output *mine = &own->outputs[leaf];
  if (!ptc_reserve(context, &mine->block, bytes)) {
    ptc_no_memory(&context->frame);
    return NULL;
  }
  mine->host = host;
  mine->bytes = bytes;
  return mine->block.data;
}

/* Starts a copy, unless something failed before. */
static void bring(context_device *own, void *to, const void *from, uint64_t bytes) {
  if (bytes == 0 || own->failed)
    return;
  own->awaited = true;
  ptc_cuda_note(own, own->model->driver.to_host(to, (uintptr_t)from, bytes, own->stream));
}

static void return_staged(context_device *own) {
  for (uint32_t i = 0; i < own->num_inputs; ++i) {
    staged_input *in = &own->staged[i];
    if (in->is_written)
      bring(own, (void *)in->begin, /* NOLINT(performance-no-int-to-ptr) */
            in->block.data, in->end - in->begin);
  }
  for (uint32_t i = 0; i < own->num_outputs; ++i)
    if (own->outputs[i].host)
      bring(own, own->outputs[i].host, own->outputs[i].block.data, own->outputs[i].bytes);
}

/* A tensor without elements may lie at the end of memory, too. */
static bool is_in(uintptr_t address, const void *memory, uint64_t bytes, bool is_empty) {
  return ptc_lies_in(address, memory, bytes + is_empty);
}

/* The leaf or one of those behind it whose memory an address is in. */
static ptc_leaf *leaf_of(ptc_leaf *leaf, uintptr_t address, bool is_empty) {
  for (; leaf; leaf = leaf->next) {
    if (is_in(address, leaf->block.data, leaf->block.capacity, is_empty))
      return leaf;
    for (size_t i = 0; i < leaf->num_elements; ++i) {
      ptc_leaf *element = &leaf->elements[i];
      if (is_in(address, element->block.data, element->block.capacity, is_empty))
        return element;
    }
  }
  return NULL;
}

/* A copy of memory of the device, made once in a call, in memory that the caller's allocator gives,
   else in the context's. Null: there is none. */
static unsigned char *copy_for_host(ptc_context *context, ptc_leaf *leaf, const void *from,
                                    uint64_t bytes) {
  context_device *own = context->device;
  const ptc_allocator *allocator = &context->allocator;
  uint64_t room = bytes ? bytes : 1;
  if (leaf->host_call == own->calls)
    return leaf->host_copy;
  if (allocator->allocate)
    leaf->host_copy = allocator->allocate(allocator->user, room, PTC_ALIGNMENT);
  else
    leaf->host_copy = ptc_reserve_host(&leaf->host, room) ? leaf->host.data : NULL;
  if (leaf->host_copy) {
    leaf->host_call = own->calls;
    bring(own, leaf->host_copy, from, bytes);
  }
  return leaf->host_copy;
}

/* Where the host sees a tensor of the device: in an argument, in a copy of the memory of results
   that it is in, or, if only a text shows it, in one of what it shows. Null: there is no memory. */
static void *host_address(ptc_context *context, ptc_leaf *leaf, uintptr_t first, uintptr_t end) {
  context_device *own = context->device;
  uintptr_t address = (uintptr_t)leaf->tensor.data;
  bool is_empty = first == end;
  for (uint32_t i = 0; i < own->num_inputs; ++i) {
    staged_input *in = &own->staged[i];
    if (in->end != in->begin && is_in(address, in->block.data, in->end - in->begin, is_empty))
      return (void *)(in->begin + (address - (uintptr_t)in->block.data)); /* NOLINT */
  }
  ptc_leaf *found = NULL;
  for (uint32_t i = 0; i < context->num_storages && !found; ++i)
    found = leaf_of(&context->storages[i], address, is_empty);
  for (uint32_t i = 0; i < context->num_leaves && !found; ++i)
    found = leaf_of(&context->leaves[i], address, is_empty);
  unsigned char *copy;
  if (found) {
    first = (uintptr_t)found->block.data;
    copy = copy_for_host(context, found, found->block.data, found->block.capacity);
  } else {
    const void *from = (const void *)first; /* NOLINT(performance-no-int-to-ptr) */
    copy = copy_for_host(context, leaf, from, end - first);
  }
  return copy ? copy + (address - first) : NULL;
}

/* What this call described: where the caller sees it. False: there is no memory for that. */
static bool locate(ptc_context *context, ptc_leaf *leaf) {
  context_device *own = context->device;
  DLTensor *tensor = &leaf->tensor;
  uintptr_t first, end;
  if (!leaf->is_new)
    return true;
  leaf->is_new = false;
  if (!own->results_on_host) {
    tensor->device.device_type = kDLCUDA;
    tensor->device.device_id = own->model->ordinal;
    return true;
  }
  if (!ptc_extent(tensor, &first, &end))
    first = end = (uintptr_t)tensor->data;
  tensor->data = host_address(context, leaf, first, end);
  return tensor->data != NULL;
}

static bool forget(ptc_context *context, ptc_leaf *leaf) {
  leaf->is_new = false;
  return true;
}

/* Whether `visit` gives true of all leaves and elements of lists. */
static bool visit_leaves(ptc_context *context, bool (*visit)(ptc_context *, ptc_leaf *)) {
  bool all = true;
  for (uint32_t i = 0; i < context->num_leaves; ++i)
    for (ptc_leaf *leaf = &context->leaves[i]; leaf; leaf = leaf->next) {
      all = visit(context, leaf) && all;
      for (size_t k = 0; k < leaf->num_elements; ++k)
        all = visit(context, &leaf->elements[k]) && all;
    }
  return all;
}

ptc_status ptc_cuda_end(ptc_context *context, ptc_status status) {
  context_device *own = context->device;
  if (!own->is_inside)
    return status; /* the call was refused before it began */
  bool has_results = status == ptc_status_ok || status == ptc_status_raised;
  ptc_cuda_flush(context);
  if (own->is_call && has_results)
    return_staged(own);
  if (!visit_leaves(context, has_results ? locate : forget))
    status = ptc_no_memory(&context->frame);
  if (own->results_on_host || own->awaited)
    ptc_cuda_note(own, own->model->driver.synchronize(own->stream));
  for (uint32_t i = 0; i < own->num_outputs; ++i)
    own->outputs[i].host = NULL;
  own->is_inside = false;
  ptc_cuda_leave(own);
  if (own->failed && has_results && status != ptc_status_out_of_memory)
    status = ptc_cuda_report(context, own->failed);
  return status;
}
