/*===- Blocks.c - Memory of one call beside the arena ----------------------------------===*
 *
 * In: sizes that only the run knows. Out: blocks that live until the call ends, or until a turn of
 * a loop ends that carries nothing of them on. What was given back serves again, in this call and
 * in the next one: calls that ask for the same come to allocate nothing.
 *
 * Blocks have sizes of classes, four for each power of two. A request gets the smallest block that
 * is free and large enough; of what this call gave back none of four times its size or more, which
 * what needs so much would miss. Where there is none, the largest of the smaller ones goes: a
 * tensor that grows from turn to turn leaves nothing behind.
 *
 *===----------------------------------------------------------------------------===*/
#include "Stub.h"

#include <stdlib.h>

/* Between sizes of which one is four times the other. */
#define CLASSES_ABOVE 8
#define NO_CLASS PTC_SIZE_CLASSES

struct ptc_scratch_block {
  struct ptc_scratch_block *next; /* asked for before it, or free of the same class */
  uint64_t bytes;
  uint64_t taken; /* which request it serves or served last, counted over all calls */
  uint32_t size_class;
};
_Static_assert(sizeof(ptc_scratch_block) <= PTC_ALIGNMENT, "contents lie behind a line");

static unsigned char *contents(ptc_scratch_block *block) {
  return (unsigned char *)block + PTC_ALIGNMENT;
}

/* The first class of blocks that large, and how large they are: 1 to 8 lines; then 10, 12, 14, 16;
   20, 24, … */
static uint32_t class_of(uint64_t bytes, uint64_t *rounded) {
  uint64_t last = bytes ? (bytes - 1) / PTC_ALIGNMENT : 0;
  if (last < 8) {
    *rounded = (last + 1) * PTC_ALIGNMENT;
    return (uint32_t)last;
  }
  uint32_t power = 63 - (uint32_t)__builtin_clzll(last);
  uint64_t quarter = last >> (power - 2); /* 4 to 7 */
  *rounded = (quarter + 1) * PTC_ALIGNMENT << (power - 2);
  return 8 + (power - 3) * 4 + (uint32_t)(quarter - 4);
}

static void put(ptc_scratch_bins *bins, ptc_scratch_block *block) {
  uint32_t size_class = block->size_class;
  block->next = bins->first[size_class];
  bins->first[size_class] = block;
  bins->has[size_class / 64] |= (uint64_t)1 << size_class % 64;
}

static ptc_scratch_block *get(ptc_scratch_bins *bins, uint32_t size_class) {
  ptc_scratch_block *block = bins->first[size_class];
  bins->first[size_class] = block->next;
  if (!block->next)
    bins->has[size_class / 64] &= ~((uint64_t)1 << size_class % 64);
  return block;
}

/* The first class from `from` on of which there is a block. */
static uint32_t first_from(const ptc_scratch_bins *bins, uint32_t from) {
  for (uint32_t i = from; i < PTC_SIZE_CLASSES; i = (i / 64 + 1) * 64) {
    uint64_t bits = bins->has[i / 64] >> i % 64;
    if (bits)
      return i + (uint32_t)__builtin_ctzll(bits);
  }
  return NO_CLASS;
}

static uint32_t last_below(const ptc_scratch_bins *bins, uint32_t end) {
  for (uint32_t i = end; i > 0; i = (i - 1) / 64 * 64) {
    uint64_t bits = bins->has[(i - 1) / 64] << (63 - (i - 1) % 64);
    if (bits)
      return i - 1 - (uint32_t)__builtin_clzll(bits);
  }
  return NO_CLASS;
}

static void drop(ptc_scratch *scratch, ptc_scratch_block *block) {
  scratch->bytes -= block->bytes;
  free(block);
}

static ptc_scratch_block *find_block(ptc_scratch *scratch, uint64_t bytes) {
  uint64_t rounded;
  if (bytes > (uint64_t)1 << 62)
    return NULL;
  uint32_t size_class = class_of(bytes, &rounded);
  uint32_t in_free = first_from(&scratch->free, size_class);
  uint32_t in_kept = first_from(&scratch->kept, size_class);
  if (in_free < size_class + CLASSES_ABOVE && in_free <= in_kept)
    return get(&scratch->free, in_free);
  if (in_kept != NO_CLASS)
    return get(&scratch->kept, in_kept);
  uint32_t smaller = last_below(&scratch->free, size_class);
  if (smaller != NO_CLASS)
    drop(scratch, get(&scratch->free, smaller));
  ptc_scratch_block *block = aligned_alloc(PTC_ALIGNMENT, PTC_ALIGNMENT + rounded);
  if (!block)
    return NULL;
  scratch->bytes += block->bytes = rounded;
  block->size_class = size_class;
  return block;
}

static void *take(ptc_frame *frame, uint64_t bytes, bool is_list) {
  ptc_scratch *scratch = &frame->context->scratch;
  ptc_scratch_block *block = find_block(scratch, bytes);
  if (!block) {
    ptc_no_memory(frame);
    return NULL;
  }
  block->taken = ++scratch->taken;
  block->next = scratch->used[is_list];
  scratch->used[is_list] = block;
  return contents(block);
}

void *ptc_scratch_take(ptc_frame *frame, uint64_t bytes) { return take(frame, bytes, false); }
void *ptc_list_take(ptc_frame *frame, uint64_t bytes) { return take(frame, bytes, true); }

uint64_t ptc_scratch_mark(ptc_frame *frame) { return frame->context->scratch.taken; }

static bool holds_one(ptc_scratch_block *block, void *const *carried, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    if ((uintptr_t)carried[i] - (uintptr_t)contents(block) < block->bytes)
      return true;
  return false;
}

static void release(ptc_scratch *scratch, uint32_t is_list, uint64_t mark, void *const *carried,
                    uint32_t n) {
  ptc_scratch_block **link = &scratch->used[is_list];
  while (*link && (*link)->taken > mark) {
    ptc_scratch_block *block = *link;
    if (holds_one(block, carried, n)) {
      link = &block->next;
      continue;
    }
    *link = block->next;
    put(&scratch->free, block);
  }
}

/* What lists consist of has a chain of its own: a loop that carries a list does not look at it. */
void ptc_scratch_release(ptc_frame *frame, uint64_t mark, void *const *carried, uint32_t n,
                         uint32_t keeps_lists) {
  ptc_scratch *scratch = &frame->context->scratch;
  for (uint32_t is_list = 0; is_list < 2 - (uint32_t)(keeps_lists != 0); ++is_list)
    release(scratch, is_list, mark, carried, n);
}

/* What the call did not ask for goes. */
void ptc_end_scratch(ptc_context *context) {
  ptc_scratch *scratch = &context->scratch;
  for (uint32_t c; (c = first_from(&scratch->kept, 0)) != NO_CLASS;)
    drop(scratch, get(&scratch->kept, c));
  for (uint32_t c; (c = first_from(&scratch->free, 0)) != NO_CLASS;)
    put(&scratch->kept, get(&scratch->free, c));
  for (uint32_t is_list = 0; is_list < 2; ++is_list)
    while (scratch->used[is_list]) {
      ptc_scratch_block *block = scratch->used[is_list];
      scratch->used[is_list] = block->next;
      put(&scratch->kept, block);
    }
}

void ptc_free_scratch(ptc_context *context) {
  ptc_end_scratch(context);
  ptc_end_scratch(context); /* asked for nothing */
}
