/*===- Call.c - One call --------------------------------------------------------------===*
 *
 * In: leaves of arguments, places for leaves of the result. Out: what the variant that fits made of
 * them, or an error. Where outputs are the caller's and sizes were seen before, nothing is
 * allocated.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_REPEATS 1000000u

static ptc_status refuse(ptc_context *context, const char *text) {
  return ptc_set_error(context, ptc_status_invalid_argument, text);
}

/* The first guard that fails of the variant with the fewest failing ones, in words; behind them why
   the call is not recorded, or null. */
static ptc_status explain(ptc_context *context, const ptc_entry *entry, const int64_t *values,
                          const uint8_t *present, const char *not_recorded) {
  const ptc_guard_table *table = entry->guards;
  ptc_observation call = {values, present};
  uint32_t nearest = 0, fewest = UINT32_MAX;
  for (uint32_t i = 0; i < table->num_variants; ++i) {
    uint32_t failures = ptc_count_failures(table, i, call);
    if (failures < fewest) {
      fewest = failures;
      nearest = i;
    }
  }
  int64_t guard = ptc_first_failure(table, nearest, call);
  if (guard < 0)
    return ptc_set_error(context, ptc_status_internal, "dispatch refused a call that fits");
  ptc_text_buffer out = {NULL, 0, 0, false};
  ptc_put_string(&out, "no variant fits this call: ");
  size_t length = ptc_print_failure(NULL, 0, table, guard, call);
  char *text = malloc(length + 1);
  if (text) {
    ptc_print_failure(text, length + 1, table, guard, call);
    ptc_put(&out, text, length);
  }
  if (not_recorded) {
    ptc_put_string(&out, "note: the call is not recorded: ");
    ptc_put_string(&out, not_recorded);
    ptc_put_string(&out, "\n");
  }
  ptc_set_error(context, ptc_status_no_variant, out.data ? out.data : "no variant fits this call");
  free(text);
  free(out.data);
  context->error.guard = guard;
  context->error.file = table->texts + table->guards[guard].file;
  context->error.line = table->guards[guard].line;
  return ptc_status_no_variant;
}

static ptc_status miss(ptc_context *context, const ptc_entry *entry, ptc_invocation *invocation) {
  ++context->misses[invocation->entry];
  ptc_status status;
  uint32_t n = entry->guards ? entry->guards->num_observables : 0;
  int64_t *values = malloc(n * sizeof *values + 1);
  uint8_t *present = malloc(n + 1);
  if (!values || !present) {
    status = ptc_set_error(context, ptc_status_no_variant, "no variant fits this call");
  } else if (!entry->guards) {
    status = ptc_set_error(context, ptc_status_internal, "dispatch refused a call without guards");
  } else {
    ptc_observe(entry, &context->frame, values, present);
    const char *not_recorded = NULL;
    if (context->recorder.path)
      not_recorded = ptc_record_miss(&context->recorder, &entry->structures[invocation->structure],
                                     &context->frame);
    status = explain(context, entry, values, present, not_recorded);
  }
  free(values);
  free(present);
  if (status == ptc_status_no_variant && context->on_miss)
    return context->on_miss(context->on_miss_user, context, invocation);
  return status;
}

/* `what` number `i` is no value: `wrong` says why. */
static ptc_status refuse_value(ptc_context *context, const char *what, uint32_t i,
                               const ptc_value *value, const char *wrong) {
  char text[128];
  snprintf(text, sizeof text, "%s %u is a %s %s", what, i,
           value->tag == ptc_tag_Tensor ? "tensor" : "str", wrong);
  return refuse(context, text);
}

/* A tensor of which nothing needs a closer look, told fast: few dimensions, of sizes and strides
   whose products are far from what 64 bits hold, none of them negative. */
static inline bool is_plain(const ptc_value *value) {
  const DLTensor *t = value->as.tensor;
  if (value->tag != ptc_tag_Tensor || !ptc_is_object(t) || !t->data || (uint32_t)t->ndim > 4)
    return false;
  if ((((uintptr_t)t->shape | (uintptr_t)t->strides) & 7u) || (t->ndim && !t->shape))
    return false;
  uint64_t bits = t->byte_offset;
  for (int32_t d = 0; d < t->ndim; ++d)
    bits |= (uint64_t)t->shape[d] | (t->strides ? (uint64_t)t->strides[d] : 0);
  return bits < 1u << 13;
}

/* Whether inputs are values; which these are is what guards are about. */
static ptc_status check_inputs(ptc_context *context, const ptc_invocation *invocation) {
  const ptc_value *inputs = invocation->inputs;
  if (invocation->num_inputs && !ptc_is_object(inputs))
    return refuse(context, "there is no array of inputs");
  for (uint32_t i = 0; i < invocation->num_inputs; ++i) {
    const char *wrong = is_plain(&inputs[i]) ? NULL : ptc_wrong_of_input(&inputs[i]);
    if (wrong)
      return refuse_value(context, "input", i, &inputs[i], wrong);
  }
  return ptc_status_ok;
}

/* Eager's result would be the state itself, which the call may write while it reads the argument.
 */
static ptc_status check_kept(ptc_context *context, const ptc_invocation *invocation) {
  for (uint32_t i = 0; i < invocation->num_inputs; ++i)
    for (uint32_t k = 0; k < context->num_kept; ++k) {
      uintptr_t begin, end;
      if (invocation->inputs[i].tag != ptc_tag_Tensor ||
          !ptc_extent(context->kept[k], &begin, &end) ||
          !ptc_touches(invocation->inputs[i].as.tensor, begin, end))
        continue;
      char text[160];
      snprintf(text, sizeof text,
               "input %u is a result of the last call that is state of the program, which calls "
               "write to: pass a copy of it",
               i);
      return refuse(context, text);
    }
  return ptc_status_ok;
}

/* Before anything has changed. */
static ptc_status check_outputs(ptc_context *context, const ptc_invocation *invocation,
                                uint32_t needed) {
  ptc_value *outputs = invocation->outputs;
  if (invocation->num_outputs < needed)
    return refuse(context, "there are fewer outputs than the result has leaves");
  if (needed && !ptc_is_object(outputs))
    return refuse(context, "there is no array of outputs");
  for (uint32_t i = 0; i < needed; ++i) {
    const char *wrong = is_plain(&outputs[i]) ? NULL : ptc_wrong_of_output(&outputs[i]);
    if (wrong)
      return refuse_value(context, "output", i, &outputs[i], wrong);
  }
  return ptc_status_ok;
}

/* Everything before the variant's code: `*which` is the variant, or the status is not ok. */
static inline __attribute__((always_inline)) ptc_status begin(ptc_context *context,
                                                              ptc_invocation *invocation,
                                                              const ptc_entry **entry,
                                                              int32_t *which) {
  const ptc_program *program = context->program;
  ptc_frame *frame = &context->frame;
  context->error.status = ptc_status_ok;
  if (!ptc_is_object(invocation))
    return refuse(context, "there is no invocation");
  if (invocation->entry >= program->num_entries)
    return refuse(context, "the artefact has no entry of this number");
  const ptc_entry *of = *entry = &program->entries[invocation->entry];
  if (invocation->structure >= of->num_structures)
    return refuse(context, "the entry has no structure of this number");
  if (invocation->num_inputs != of->structures[invocation->structure].num_leaves)
    return refuse(context, "the number of inputs is not that of the structure's leaves");
  ptc_status wrong = check_inputs(context, invocation);
  if (wrong != ptc_status_ok)
    return wrong;

  frame->inputs = context->given = invocation->inputs;
  frame->num_inputs = invocation->num_inputs;
  frame->structure = invocation->structure;
  frame->outputs = invocation->outputs;
  frame->num_outputs = invocation->num_outputs;
  if (context->device) {
    ptc_status status = program->device->runtime->begin(context, invocation);
    if (status != ptc_status_ok)
      return status;
  }
  *which = of->dispatch(frame);
  if (*which < 0)
    return miss(context, of, invocation);
  const ptc_variant *variant = &of->variants[*which];
  wrong = check_outputs(context, invocation, variant->num_outputs);
  if (wrong != ptc_status_ok)
    return wrong;
  if (context->num_kept) {
    wrong = check_kept(context, invocation);
    if (wrong != ptc_status_ok)
      return wrong;
  }
  uint64_t bytes = variant->arena_bytes + frame->threads * variant->thread_bytes;
  if (frame->arena_bytes < bytes) {
    ptc_status status = frame->services->arena(frame, bytes);
    if (status != ptc_status_ok)
      return status;
  }
  context->num_kept = 0;
  ++context->calls[invocation->entry];
  ++context->hits[invocation->entry][*which];
  invocation->variant = (uint32_t)*which;
  frame->outcome = PTC_NO_OUTCOME;
  return ptc_status_ok;
}

static ptc_status leave(ptc_context *context, ptc_status status) {
  return context->device ? context->program->device->runtime->end(context, status) : status;
}

/* Results that show state, where they are in memory of the context: the caller knows what it did
   with its own. */
static void note_kept(ptc_context *context, const ptc_invocation *invocation,
                      const ptc_outcome *outcome) {
  for (uint32_t i = 0; i < outcome->num_kept && !context->allocator.allocate; ++i) {
    const ptc_value *result = &invocation->outputs[outcome->kept[i]];
    if (result->tag == ptc_tag_Tensor && ptc_is_own(context, result->as.tensor))
      context->kept[context->num_kept++] = result->as.tensor;
  }
}

static ptc_status end(ptc_context *context, ptc_invocation *invocation, const ptc_variant *variant,
                      ptc_status status) {
  uint32_t outcome = invocation->outcome = context->frame.outcome;
  if (context->scratch.taken)
    ptc_end_scratch(context);
  status = leave(context, status);
  if (outcome != PTC_NO_OUTCOME && variant->outcomes[outcome].num_kept)
    note_kept(context, invocation, &variant->outcomes[outcome]);
  return status;
}

ptc_status ptc_stub_call(ptc_context *context, ptc_invocation *invocation) {
  const ptc_entry *entry;
  int32_t which;
  ptc_status status = begin(context, invocation, &entry, &which);
  if (status != ptc_status_ok)
    return leave(context, status);
  status = entry->variants[which].run(&context->frame);
  return end(context, invocation, &entry->variants[which], status);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* What one reading of the clock takes. */
static double clock_cost(void) {
  double begin = now(), end = begin;
  for (int i = 0; i < 16; ++i)
    end = now();
  return (end - begin) / 16;
}

static double at_least_0(double value) { return value > 0 ? value : 0; }

ptc_status ptc_stub_profile(ptc_context *context, ptc_invocation *invocation,
                            ptc_profile *profile) {
  if (!ptc_is_object(profile) || profile->size < sizeof *profile || profile->repeats == 0 ||
      profile->repeats > MOST_REPEATS)
    return refuse(context, "a profile has its size, and is measured 1 to 1000000 times");
  const ptc_entry *entry;
  int32_t which;
  ptc_status status = begin(context, invocation, &entry, &which);
  double times[4] = {now()};
  uint32_t repeats = profile->repeats;
  for (uint32_t i = 0; status == ptc_status_ok && i < repeats; ++i)
    status = begin(context, invocation, &entry, &which);
  if (status != ptc_status_ok)
    return leave(context, status);
  context->calls[invocation->entry] -= repeats;
  context->hits[invocation->entry][which] -= repeats;
  times[1] = now();
  for (uint32_t i = 0; i < repeats; ++i)
    which = entry->dispatch(&context->frame);
  times[2] = now();
  status = entry->variants[which].run(&context->frame);
  times[3] = now();
  status = end(context, invocation, &entry->variants[which], status);
  profile->guards = (times[2] - times[1]) / repeats;
  profile->dispatch = at_least_0((times[1] - times[0]) / repeats - profile->guards);
  profile->kernels = at_least_0(times[3] - times[2] - clock_cost());
  return status;
}
