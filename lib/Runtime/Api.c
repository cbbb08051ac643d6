/*===- Api.c - The table of functions of an artefact ----------------------------------===*
 *
 * In: the program's constant table. Out: the table that callers see, and the model behind it.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Stub.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What precedes the packed bytes in a weight file; they begin at the next page. */
typedef struct {
  char magic[8]; /* "PTCWGT1" */
  uint64_t bytes, hash;
} weight_header;
#define WEIGHT_MAGIC "PTCWGT1"
#define WEIGHT_OFFSET 4096u

/* Whether the bytes of a weight file are for the program. */
static bool is_weight_file(const ptc_program *program, const void *file, bool swap) {
  const weight_header *header = file;
  return memcmp(header->magic, WEIGHT_MAGIC, sizeof WEIGHT_MAGIC) == 0 &&
         header->bytes == program->weights_bytes && (swap || header->hash == program->weights_hash);
}

static ptc_status map_weights(ptc_model *model, const char *path, bool swap) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0)
    return ptc_status_weights;
  uint64_t bytes = model->program->weights_bytes + WEIGHT_OFFSET;
  void *data = MAP_FAILED;
  if (fstat(file, &info) == 0 && (uint64_t)info.st_size == bytes)
    data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED)
    return ptc_status_weights;
  model->mapped = data;
  model->mapped_bytes = bytes;
  model->weights = (const unsigned char *)data + WEIGHT_OFFSET;
  return is_weight_file(model->program, data, swap) ? ptc_status_ok : ptc_status_weights;
}

static ptc_status find_weights(ptc_model *model, const ptc_options *options) {
  const ptc_program *program = model->program;
  if (!program->weights_external || program->weights_bytes == 0) {
    model->weights = ptc_this_weights;
    return ptc_status_ok;
  }
  if (options && options->weights) {
    bool swap = options->swap_weights != 0;
    bool is_file = options->weights_bytes == program->weights_bytes + WEIGHT_OFFSET;
    bool fits = is_file ? is_weight_file(program, options->weights, swap)
                        : swap && options->weights_bytes == program->weights_bytes;
    model->weights = (const unsigned char *)options->weights + (is_file ? WEIGHT_OFFSET : 0);
    fits = fits && (uintptr_t)options->weights % PTC_ALIGNMENT == 0;
    return fits ? ptc_status_ok : ptc_status_weights;
  }
  if (options && options->weights_path)
    return map_weights(model, options->weights_path, options->swap_weights != 0);
  return ptc_status_weights;
}

static void model_close(ptc_model *model) {
  if (model->device)
    model->program->device->runtime->close(model);
  if (model->mapped)
    munmap(model->mapped, model->mapped_bytes);
  free(model);
}

static ptc_status model_open(const ptc_options *options, ptc_model **result) {
  *result = NULL;
  if (options && options->size < sizeof *options)
    return ptc_status_invalid_argument;
  if (ptc_this_program.major != PTC_VERSION_MAJOR)
    return ptc_status_version;
  ptc_model *model = calloc(1, sizeof *model);
  if (!model)
    return ptc_status_out_of_memory;
  model->api = &ptc_stub_api;
  model->program = &ptc_this_program;
  ptc_status status = find_weights(model, options);
  if (status == ptc_status_ok && model->program->device)
    status = model->program->device->runtime->open(model, options);
  if (status != ptc_status_ok)
    model_close(model);
  else
    *result = model;
  return status;
}

static const char *describe(const ptc_model *model) { return model->program->manifest; }

static const ptc_error *last_error(const ptc_context *context) {
  static const ptc_error none = {ptc_status_ok, "", "", "", 0, -1};
  return context->error.status == ptc_status_ok ? &none : &context->error;
}

static ptc_status set_threads(ptc_context *context, uint32_t threads) {
  if (threads == 0 || threads > PTC_MAX_THREADS)
    return ptc_set_error(context, ptc_status_invalid_argument, "threads are from 1 to 64");
  context->frame.threads = threads;
  return ptc_status_ok;
}

static ptc_status set_allocator(ptc_context *context, const ptc_allocator *allocator) {
  static const ptc_allocator none = {NULL, NULL};
  context->allocator = allocator ? *allocator : none;
  return ptc_status_ok;
}

static ptc_status set_output(ptc_context *context, ptc_output output, void *user) {
  context->output = output;
  context->output_user = user;
  return ptc_status_ok;
}

static ptc_status set_miss_callback(ptc_context *context, ptc_miss_callback callback, void *user) {
  context->on_miss = callback;
  context->on_miss_user = user;
  return ptc_status_ok;
}

static ptc_status set_stream(ptc_context *context, void *stream) {
  if (!context->device)
    return ptc_set_error(context, ptc_status_invalid_argument,
                         "tensors of this program do not lie on a GPU: it has no stream");
  return context->program->device->runtime->set_stream(context, stream);
}

static ptc_status set_grad_mode(ptc_context *context, int enabled) {
  context->frame.grad_mode = enabled != 0;
  return ptc_status_ok;
}

static ptc_status rng_seed(ptc_context *context, uint32_t generator, int64_t seed) {
  if (generator >= context->program->num_generators)
    return ptc_status_ok; /* the program draws nothing from it */
  ptc_generator_seed(&context->generators[generator], (uint64_t)seed);
  return ptc_status_ok;
}

static ptc_status counters(const ptc_context *context, uint32_t entry, ptc_counters *out) {
  if (entry >= context->program->num_entries)
    return ptc_status_invalid_argument;
  ptc_counters read = {context->calls[entry],  context->misses[entry],
                       context->hits[entry],   context->program->entries[entry].num_variants,
                       context->frame.threads, context->arena.capacity + context->scratch.bytes};
  *out = read;
  return ptc_status_ok;
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
                              set_stream};
