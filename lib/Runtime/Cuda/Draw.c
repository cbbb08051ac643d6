/*===- Draw.c - Random numbers on the device -------------------------------------------===*
 *
 * In: a generator, a distribution, dense memory of the device. Out: a kernel that fills it, started
 * with the generator's seed and offset on the grid of eager's kernels (calc_execution_policy in
 * ATen/native/cuda/DistributionTemplates.h), which decides what number goes where; the generator
 * behind it. What the host draws is copied there.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#define BLOCK_THREADS 256
#define WORDS 4 /* that a thread draws at a time */

/* Of eager's kernel for so many elements. */
static uint64_t threads_for(const ptc_frame *frame, uint64_t count) {
  const model_device *model = ((context_device *)frame->context->device)->model;
  uint64_t most = (uint64_t)model->processors * (model->threads_per_processor / BLOCK_THREADS);
  uint64_t blocks = (count - 1) / BLOCK_THREADS + 1;
  return (blocks < most ? blocks : most) * BLOCK_THREADS;
}

static uint64_t count_of(const ptc_shape *shape) {
  uint64_t count = 1;
  for (int32_t d = 0; d < shape->rank; ++d)
    count *= (uint64_t)shape->sizes[d];
  return count;
}

/* Permutations; and what generators of the program's own draw, or any before the program is
   called, which are eager's of the CPU. */
static void draw_on_host(ptc_frame *frame, const ptc_draw *what, void *data,
                         const ptc_shape *shape) {
  uint64_t bytes = ptc_span(shape->dtype, shape->rank, shape->sizes, shape->strides);
  void *made = ptc_scratch_take(frame, bytes);
  if (!made)
    return;
  bool is_call = ((context_device *)frame->context->device)->is_call;
  if (what->kind == ptc_draw_Permutation && what->generator == 0 && is_call) {
    uint64_t count = count_of(shape);
    void *memory = ptc_scratch_take(frame, ptc_cuda_permute_bytes(count));
    if (!memory)
      return;
    if (count)
      ptc_cuda_permute(&frame->context->generators[0], threads_for(frame, count), memory,
                       shape->dtype, made, count);
  } else {
    ptc_stub_services.draw(frame, what, made, shape);
  }
  ptc_cuda_upload(frame->context, data, made, bytes);
}

/* Moves the generator behind a draw that one kernel does. */
static void advance(const ptc_frame *frame, const ptc_draw *what, uint64_t count) {
  uint64_t each = threads_for(frame, count) * what->per_block;
  frame->context->generators[what->generator].offset += WORDS * ((count - 1) / each + 1);
}

/* Eager counts the bytes of one kernel in 32 bits. */
static bool fits(uint64_t count, uint64_t element_bytes) {
  return (count - 1) * element_bytes < INT32_MAX;
}

static void put_common(const ptc_frame *frame, const ptc_draw *what, void *data, uint64_t count,
                       uint64_t *arguments) {
  const ptc_generator *generator = &frame->context->generators[what->generator];
  arguments[PTC_DRAW_DATA] = (uintptr_t)data;
  arguments[PTC_DRAW_COUNT] = count;
  arguments[PTC_DRAW_SEED] = generator->seed;
  arguments[PTC_DRAW_BLOCK] = generator->offset / WORDS;
  arguments[PTC_DRAW_FIRST] = (uint64_t)what->first.integer; /* the bits, of a real too */
}

static void start(ptc_frame *frame, const ptc_draw *what, uint64_t count, const uint64_t *arguments,
                  uint32_t bytes) {
  uint32_t kernel = frame->context->program->device->first_draw + what->kernel;
  ptc_cuda_launch(frame, kernel, threads_for(frame, count), arguments, bytes);
  advance(frame, what, count);
}

/* Neighbours that a thread of eager's kernel takes at a time: 16 bytes, where memory begins so and
   there is no rest. */
static uint64_t width_of_dropout(const ptc_draw *what, uint64_t count, uint64_t element_bytes) {
  uint64_t width = 16 / element_bytes;
  while (width > 1 && ((uintptr_t)what->self % (width * element_bytes) || count % width))
    width /= 2;
  return width;
}

/* One kernel, whatever the size. */
static void drop_out(ptc_frame *frame, const ptc_draw *what, void *data, uint64_t count,
                     uint64_t element_bytes) {
  uint64_t arguments[PTC_DROPOUT_ARGUMENTS];
  put_common(frame, what, data, count, arguments);
  arguments[PTC_DRAW_SECOND] = width_of_dropout(what, count, element_bytes);
  arguments[PTC_DRAW_SELF] = (uintptr_t)what->self;
  arguments[PTC_DRAW_MASK] = (uintptr_t)what->mask;
  start(frame, what, count, arguments, sizeof arguments);
}

static void draw_piece(ptc_frame *frame, const ptc_draw *what, unsigned char *data,
                       uint64_t count) {
  uint64_t arguments[PTC_DRAW_ARGUMENTS];
  put_common(frame, what, data, count, arguments);
  arguments[PTC_DRAW_SECOND] = (uint64_t)what->second.integer;
  start(frame, what, count, arguments, sizeof arguments);
}

/* Halves, the first one first. */
static void draw_pieces(ptc_frame *frame, const ptc_draw *what, unsigned char *data, uint64_t count,
                        uint64_t element_bytes) {
  if (fits(count, element_bytes)) {
    draw_piece(frame, what, data, count);
    return;
  }
  uint64_t first = count / 2;
  draw_pieces(frame, what, data, first, element_bytes);
  draw_pieces(frame, what, data + first * element_bytes, count - first, element_bytes);
}

void ptc_cuda_draw(ptc_frame *frame, const ptc_draw *what, void *data, const ptc_shape *shape) {
  if (what->kernel == PTC_DRAW_ON_HOST) {
    draw_on_host(frame, what, data, shape);
    return;
  }
  uint64_t count = count_of(shape), element_bytes = (shape->dtype.bits + 7u) / 8;
  if (count == 0)
    return;
  if (what->kind == ptc_draw_Dropout) {
    drop_out(frame, what, data, count, element_bytes);
    return;
  }
  if (!fits(count, element_bytes))
    advance(frame, what, count); /* eager does, before it looks */
  draw_pieces(frame, what, data, count, element_bytes);
}
