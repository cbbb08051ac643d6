/*===- Services.c - What generated code asks of a device -------------------------------===*
 *
 * In: a frame, while a variant runs whose tensors lie on a device. Out: its kernels started, in
 * order; what only the host does (places of elements that are not 0) done there on copies.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#include <stdlib.h>
#include <string.h>

static ptc_status read_device(ptc_frame *frame, void *to, const void *from, uint64_t bytes) {
  return ptc_cuda_download(frame->context, to, from, bytes);
}

static ptc_status frame_status(const ptc_frame *frame) {
  context_device *own = frame->context->device;
  if (own->failed && frame->context->error.status == ptc_status_ok)
    return ptc_cuda_report(frame->context, own->failed);
  return frame->context->error.status;
}

static ptc_status settle(ptc_frame *frame) {
  ptc_cuda_flush(frame->context);
  return frame_status(frame);
}

/* What asked for it goes on: nothing is started any more, and the call ends with the status. */
static void *temporary(ptc_frame *frame, uint32_t thread, uint64_t bytes) {
  ptc_block *block = &frame->context->temporaries[thread];
  if (ptc_reserve(frame->context, block, bytes))
    return block->data;
  ptc_no_memory(frame);
  ptc_cuda_note(frame->context->device, CU_OUT_OF_MEMORY);
  return NULL;
}

/* Blocks of the call before are used again, in the same order. */
static void *scratch(ptc_frame *frame, uint64_t bytes) {
  ptc_context *context = frame->context;
  context_device *own = context->device;
  if (own->num_blocks == own->most_blocks) {
    uint32_t more = own->most_blocks ? 2 * own->most_blocks : 8;
    ptc_block *blocks = realloc(own->blocks, more * sizeof *blocks);
    if (!blocks) {
      ptc_no_memory(frame);
      return NULL;
    }
    memset(blocks + own->most_blocks, 0, (more - own->most_blocks) * sizeof *blocks);
    own->blocks = blocks;
    own->most_blocks = more;
  }
  ptc_block *block = &own->blocks[own->num_blocks];
  if (!ptc_reserve(context, block, bytes)) {
    ptc_no_memory(frame);
    return NULL;
  }
  ++own->num_blocks;
  return block->data;
}

static void writes(ptc_frame *frame, uint32_t input) {
  context_device *own = frame->context->device;
  uintptr_t at = (uintptr_t)own->tensors[input].data;
  for (uint32_t i = 0; i < own->num_inputs; ++i)
    if (ptc_lies_in(at, own->staged[i].block.data, own->staged[i].block.capacity))
      own->staged[i].is_written = true;
}

static void *fetch(ptc_frame *frame, const void *data, const ptc_shape *shape) {
  uint64_t bytes = ptc_span(shape->dtype, shape->rank, shape->sizes, shape->strides);
  void *here = ptc_scratch_take(frame, bytes);
  if (!here || ptc_cuda_download(frame->context, here, data, bytes) != ptc_status_ok)
    return NULL;
  return here;
}

static int64_t count_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape) {
  void *here = fetch(frame, data, shape);
  return here ? ptc_count_nonzero(frame, here, shape) : 0;
}

static void put_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape, int64_t *places,
                        int64_t count) {
  uint64_t bytes = (uint64_t)count * (uint64_t)shape->rank * sizeof *places;
  void *here = fetch(frame, data, shape);
  int64_t *made = here ? ptc_scratch_take(frame, bytes) : NULL;
  if (!made)
    return;
  ptc_put_nonzero(frame, here, shape, made, count);
  ptc_cuda_upload(frame->context, places, made, bytes);
}

static void masked_select(ptc_frame *frame, const void *data, const ptc_shape *shape,
                          const void *mask, const ptc_shape *mask_shape, void *out) {
  void *here = fetch(frame, data, shape), *flags = here ? fetch(frame, mask, mask_shape) : NULL;
  uint64_t bytes = (shape->dtype.bits + 7u) / 8;
  uint64_t count = flags ? (uint64_t)ptc_count_nonzero(frame, flags, mask_shape) : 0;
  void *made = flags ? ptc_scratch_take(frame, count * bytes) : NULL;
  if (!made)
    return;
  ptc_masked_select(frame, here, shape, flags, mask_shape, made);
  ptc_cuda_upload(frame->context, out, made, count * bytes);
}

void ptc_cuda_set_services(ptc_services *services) {
  services->scratch = scratch;
  services->temporary = temporary;
  services->frame_status = frame_status;
  services->count_nonzero = count_nonzero;
  services->put_nonzero = put_nonzero;
  services->masked_select = masked_select;
  services->draw = ptc_cuda_draw;
  services->launch = ptc_cuda_launch;
  services->launch_mapped = ptc_cuda_launch_mapped;
  services->read = read_device;
  services->writes = writes;
  services->fetch = fetch;
  services->settle = settle;
}
