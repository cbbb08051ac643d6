/*===- Api.c - The table of functions of an artefact ----------------------------------===*
 *
 * In: the program's constant table. Out: the table that callers see, and the model behind it.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What precedes the packed bytes in a weight file; they begin at the next page. */
typedef struct {
  char magic[8]; /* "PTCWGT1" */
  uint64_t bytes, hash;
  uint64_t content; /* 0 in files of 0.2, which did not have it */
} weight_header;
#define WEIGHT_MAGIC "PTCWGT1"
#define WEIGHT_OFFSET 4096u

/* Weights before they are taken. */
typedef struct {
  const unsigned char *packed;
  const weight_header *header; /* null: they have none */
  const char *name;            /* of their file; else what they are */
} weights;

/*===----------------------------------------------------------------------------===*
 * Weights
 *===----------------------------------------------------------------------------===*/

static ptc_status refuse_size(const ptc_options *options, const char *name, uint64_t have,
                              uint64_t need) {
  return PTC_SAY(options, ptc_status_weights,
                 "%s: it has %" PRIu64 " bytes and needs %" PRIu64
                 ": it is cut short, or no file of these weights",
                 name, have, need);
}

/* Whether the bytes are those that the header, or the program, has the hash of. */
static ptc_status check_content(const ptc_program *program, const ptc_options *options,
                                const weights *found) {
  bool always = options->check_weights == ptc_check_always;
  bool small = found->header && program->weights_bytes < PTC_SMALL_WEIGHTS;
  if (options->check_weights == ptc_check_never || !(always || small))
    return ptc_status_ok;
  uint64_t expected = program->weights_content;
  if (program->weights_external && (!found->header || found->header->hash != program->weights_hash))
    expected = found->header ? found->header->content : 0;
  if (!expected)
    return always ? PTC_SAY(options, ptc_status_weights,
                            "%s: there is no hash to check the bytes by", found->name)
                  : ptc_status_ok;
  ptc_hash hash;
  ptc_hash_begin(&hash);
  ptc_hash_add(&hash, found->packed, program->weights_bytes);
  if (ptc_hash_end(&hash) == expected)
    return ptc_status_ok;
  return PTC_SAY(options, ptc_status_weights,
                 "%s: its bytes are not those that were compiled: it was changed or is damaged",
                 found->name);
}

/* Takes weights of the right size. */
static ptc_status take_weights(ptc_model *model, const ptc_options *options, const weights *found) {
  const ptc_program *program = model->program;
  const weight_header *header = found->header;
  if (header && (memcmp(header->magic, WEIGHT_MAGIC, sizeof WEIGHT_MAGIC) != 0 ||
                 header->bytes != program->weights_bytes))
    return PTC_SAY(options, ptc_status_weights, "%s: it is no .weights file", found->name);
  if (!options->swap_weights && (!header || header->hash != program->weights_hash))
    return PTC_SAY(options, ptc_status_weights, "%s: it has the weights of another artefact",
                   found->name);
  model->weights = found->packed;
  return check_content(program, options, found);
}

static ptc_status map_weights(ptc_model *model, const ptc_options *options) {
  const char *path = options->weights_path;
  uint64_t needed = model->program->weights_bytes + WEIGHT_OFFSET;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  off_t bytes = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  void *data = MAP_FAILED;
  if (bytes >= 0 && (uint64_t)bytes == needed)
    data = mmap(NULL, needed, PROT_READ, MAP_PRIVATE, file, 0);
  int error = errno;
  if (file >= 0)
    close(file);
  if (bytes >= 0 && (uint64_t)bytes != needed)
    return refuse_size(options, path, (uint64_t)bytes, needed);
  if (data == MAP_FAILED)
    return PTC_SAY(options, ptc_status_weights, "%s: %s", path, ptc_system_text(error));
  model->mapped = data;
  model->mapped_bytes = needed;
  weights found = {(const unsigned char *)data + WEIGHT_OFFSET, data, path};
  return take_weights(model, options, &found);
}

/* The caller's, with the header of their file or without. */
static ptc_status read_given(ptc_model *model, const ptc_options *options) {
  static const char name[] = "the bytes of the weights";
  uint64_t packed = model->program->weights_bytes;
  const unsigned char *data = options->weights;
  bool has_header = options->weights_bytes == packed + WEIGHT_OFFSET;
  if ((uintptr_t)data % PTC_ALIGNMENT != 0)
    return PTC_SAY(options, ptc_status_weights, "%s do not lie at an address that 64 divides",
                   name);
  if (!has_header && options->weights_bytes != packed)
    return refuse_size(options, name, options->weights_bytes, packed + WEIGHT_OFFSET);
  weights found = {data + (has_header ? WEIGHT_OFFSET : 0),
                   has_header ? (const weight_header *)options->weights : NULL, name};
  return take_weights(model, options, &found);
}

static ptc_status find_weights(ptc_model *model, const ptc_options *options) {
  const ptc_program *program = model->program;
  if (!program->weights_external) {
    if (options->weights || options->weights_path)
      return PTC_SAY(options, ptc_status_invalid_argument,
                     "the weights of this artefact, if it has any, are in it: it takes no others");
    weights embedded = {ptc_this_weights, NULL, ptc_this_name};
    model->weights = embedded.packed;
    return program->weights_bytes ? check_content(program, options, &embedded) : ptc_status_ok;
  }
  if (options->weights)
    return read_given(model, options);
  if (options->weights_path)
    return map_weights(model, options);
  model->weights = ptc_this_weights;
  if (program->weights_bytes == 0)
    return ptc_status_ok;
  return PTC_SAY(options, ptc_status_weights,
                 "the weights of this artefact are not in it: name their .weights file");
}

/*===----------------------------------------------------------------------------===*
 * Models
 *===----------------------------------------------------------------------------===*/

static void model_close(ptc_model *model) {
  if (!ptc_is_object(model))
    return;
  if (model->device)
    model->program->device->runtime->close(model);
  if (model->mapped)
    munmap(model->mapped, model->mapped_bytes);
  free(model);
}

/* Before anything of the program runs. */
static ptc_status check_cpu(const ptc_program *program, const ptc_options *options) {
  char missing[512];
  if (ptc_cpu_has(&ptc_this_cpu, program->cpu_features, missing, sizeof missing))
    return ptc_status_ok;
  return PTC_SAY(options, ptc_status_cpu,
                 "this CPU lacks instructions that the code may have: %s; compile it for this one",
                 missing);
}

static ptc_status open_program(ptc_model *model, const ptc_options *options) {
  ptc_status status = check_cpu(model->program, options);
  if (status == ptc_status_ok)
    status = find_weights(model, options);
  if (status != ptc_status_ok || !model->program->device)
    return status;
  status = model->program->device->runtime->open(model, options);
  return status == ptc_status_ok ? status : PTC_SAY(options, status, "%s", ptc_status_text(status));
}

static ptc_status model_open(const ptc_options *given, ptc_model **result) {
  ptc_options options;
  if (!ptc_is_object(result))
    return ptc_status_invalid_argument;
  *result = NULL;
  const char *wrong = ptc_read_options(given, &options);
  if (wrong)
    return PTC_SAY(&options, ptc_status_invalid_argument, "%s", wrong);
  ptc_model *model = calloc(1, sizeof *model);
  if (!model)
    return PTC_SAY(&options, ptc_status_out_of_memory, "out of memory");
  model->api = &ptc_stub_api;
  model->program = &ptc_this_program;
  model->clock = options.clock;
  model->clock_user = options.clock_user;
  ptc_status status = open_program(model, &options);
  if (status != ptc_status_ok)
    model_close(model);
  else
    *result = model;
  return status;
}

/*===----------------------------------------------------------------------------===*
 * Settings
 *===----------------------------------------------------------------------------===*/

static const char *describe(const ptc_model *model) { return model->program->manifest; }

static const ptc_error *last_error(const ptc_context *context) {
  static const ptc_error none = {ptc_status_ok, "", "", "", 0, -1};
  return context->error.status == ptc_status_ok ? &none : &context->error;
}

static ptc_status set_threads(ptc_context *context, uint32_t threads) {
  if (threads == 0 || threads > PTC_MAX_THREADS)
    return ptc_set_error(context, ptc_status_invalid_argument, "threads are from 1 to 64");
  context->frame.threads = threads;
  return ptc_succeed(context);
}

static ptc_status set_allocator(ptc_context *context, const ptc_allocator *allocator) {
  static const ptc_allocator none = {NULL, NULL};
  if (allocator && !ptc_is_object(allocator))
    return ptc_set_error(context, ptc_status_invalid_argument, "the allocator is not aligned");
  context->allocator = allocator ? *allocator : none;
  return ptc_succeed(context);
}

static ptc_status set_output(ptc_context *context, ptc_output output, void *user) {
  context->output = output;
  context->output_user = user;
  return ptc_succeed(context);
}

static ptc_status set_miss_callback(ptc_context *context, ptc_miss_callback callback, void *user) {
  context->on_miss = callback;
  context->on_miss_user = user;
  return ptc_succeed(context);
}

static ptc_status set_stream(ptc_context *context, void *stream) {
  if (!context->device)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "tensors of this program do not lie on a GPU: it has no stream");
  ptc_status status = context->program->device->runtime->set_stream(context, stream);
  return status == ptc_status_ok ? ptc_succeed(context) : status;
}

static ptc_status set_grad_mode(ptc_context *context, int enabled) {
  context->frame.grad_mode = enabled != 0;
  return ptc_succeed(context);
}

static ptc_status rng_seed(ptc_context *context, uint32_t generator, int64_t seed) {
  if (generator >= context->program->num_generators && generator > 0)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "there is no generator of this number");
  if (generator < context->program->num_generators) /* else the program draws nothing */
    ptc_generator_seed(&context->generators[generator], (uint64_t)seed);
  return ptc_succeed(context);
}

static ptc_status counters(const ptc_context *context, uint32_t entry, ptc_counters *out) {
  if (entry >= context->program->num_entries || !ptc_is_object(out))
    return ptc_set_error((ptc_context *)context, ptc_status_invalid_argument,
                         "there is no entry of this number, or no place for its counters");
  ptc_counters read = {context->calls[entry],  context->misses[entry],
                       context->hits[entry],   context->program->entries[entry].num_variants,
                       context->frame.threads, context->arena.capacity + context->scratch.bytes};
  *out = read;
  return ptc_succeed((ptc_context *)context);
}

static uint32_t num_states(const ptc_model *model) { return model->program->num_states; }

static const char *state_name(const ptc_model *model, uint32_t slot) {
  return slot < model->program->num_states ? model->program->states[slot].name : "";
}

const ptc_api ptc_stub_api = {sizeof(ptc_api),
                              PTC_VERSION_MAJOR,
                              PTC_VERSION_MINOR,
                              ptc_this_name,
                              model_open,
                              model_close,
                              describe,
                              ptc_stub_context_create,
                              ptc_stub_context_destroy,
                              ptc_stub_call,
                              last_error,
                              set_threads,
                              set_allocator,
                              set_output,
                              set_miss_callback,
                              set_grad_mode,
                              rng_seed,
                              counters,
                              num_states,
                              state_name,
                              ptc_stub_state_get,
                              ptc_stub_state_set,
                              ptc_stub_state_reset,
                              ptc_status_text,
                              ptc_stub_record_misses,
                              ptc_stub_record_call,
                              ptc_stub_profile,
                              set_stream,
                              ptc_stub_context_make};
