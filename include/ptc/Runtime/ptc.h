/*===- ptc.h - The C interface of artefacts ------------------------------*- C -*-===*
 *
 * C11 and C++. What is here is shared by compiled programs and their callers, and does not change
 * within a major version.
 *
 * An artefact exports one function, `MODEL_ptc_v1`, which gives its table of functions (ptc_api).
 * The functions below call through that table, so that several artefacts live in one process:
 *
 *     ptc_model *model;
 *     ptc_context *context;
 *     ptc_model_open(mlp_ptc_v1(), NULL, &model);   // or ptc_model_load("libmlp.so", NULL, &model)
 *     ptc_context_create(model, &context);
 *     ptc_value in = ptc_of_tensor(&x), out = ptc_of_tensor(&y);
 *     if (ptc_call(context, 0, &in, 1, &out, 1) != ptc_status_ok)
 *       puts(ptc_last_error(context)->text);
 *
 * A model is immutable and shared by threads. A context is one thread's: it holds the workspace,
 * the state that calls leave behind and the random generators.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_PTC_H
#define PTC_RUNTIME_PTC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTC_VERSION_MAJOR 0
#define PTC_VERSION_MINOR 2

/** How a call ended. 0 is success. */
typedef enum ptc_status {
#define PTC_STATUS(Name, Value, Text) ptc_status_##Name = Value,
#include "ptc/Runtime/Status.def"
} ptc_status;

/*===----------------------------------------------------------------------------===*
 * Values
 *===----------------------------------------------------------------------------===*/

/* DLPack 1.x; a dlpack.h that was included first is used instead. */
/* NOLINTBEGIN(readability-identifier-naming): DLPack's names */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
enum { kDLCPU = 1, kDLCUDA = 2 };
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5, kDLBool = 6 };

typedef struct {
  int32_t device_type;
  int32_t device_id;
} DLDevice;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: row-major and dense */
  uint64_t byte_offset;
} DLTensor;
#endif
/* NOLINTEND(readability-identifier-naming) */

/** What a value is; the numbers are part of the interface. */
typedef enum ptc_tag {
#define PTC_VALUE_TAG(Name, Text) ptc_tag_##Name,
#include "ptc/Runtime/GuardKinds.def"
} ptc_tag;

/** One leaf of the arguments or of a result. Containers are no values: they are taken apart, and
   the structure says which leaf stands where. */
typedef struct ptc_value {
  uint8_t tag; /**< ptc_tag; None, Bool, Int, Float, Complex, Str, Tensor, List, DType, Device */
  uint8_t requires_grad; /**< Tensor, argument: as Python's attribute */
  uint8_t reserved[6];
  union {
    int64_t integer; /**< Int; Bool: 0 or 1 */
    double real;     /**< Float */
    double complex_parts[2];
    struct {
      const char *data; /**< UTF-8, not terminated */
      size_t length;
    } str;
    DLTensor *tensor;
    DLDataType dtype;
    DLDevice device;
    struct {
      struct ptc_value *items;
      size_t length;
    } list; /**< List, of results alone: as long as the call made it; memory of the context */
  } as;
} ptc_value;

static inline ptc_value ptc_of_tag(ptc_tag tag) {
  ptc_value value;
  memset(&value, 0, sizeof value);
  value.tag = (uint8_t)tag;
  return value;
}
static inline ptc_value ptc_of_none(void) { return ptc_of_tag(ptc_tag_None); }
static inline ptc_value ptc_of_tensor(DLTensor *tensor) {
  ptc_value value = ptc_of_tag(ptc_tag_Tensor);
  value.as.tensor = tensor;
  return value;
}
static inline ptc_value ptc_of_int(int64_t integer) {
  ptc_value value = ptc_of_tag(ptc_tag_Int);
  value.as.integer = integer;
  return value;
}
static inline ptc_value ptc_of_bool(int flag) {
  ptc_value value = ptc_of_tag(ptc_tag_Bool);
  value.as.integer = flag != 0;
  return value;
}
static inline ptc_value ptc_of_float(double real) {
  ptc_value value = ptc_of_tag(ptc_tag_Float);
  value.as.real = real;
  return value;
}
static inline ptc_value ptc_of_str(const char *data, size_t length) {
  ptc_value value = ptc_of_tag(ptc_tag_Str);
  value.as.str.data = data;
  value.as.str.length = length;
  return value;
}

/*===----------------------------------------------------------------------------===*
 * Models, contexts, calls
 *===----------------------------------------------------------------------------===*/

/** An opened artefact. Begins with the pointer to its table. */
typedef struct ptc_model ptc_model;
/** What one thread needs to make calls. Begins with the pointer to the table. */
typedef struct ptc_context ptc_context;

/** How a model is opened. A null pointer stands for one whose fields are all 0. */
typedef struct ptc_options {
  uint32_t size;            /**< sizeof(ptc_options) */
  uint32_t swap_weights;    /**< accept weights whose hash is not the one that was compiled */
  const char *weights_path; /**< the .weights file of artefacts whose weights are not embedded */
  const void *weights;      /**< or its bytes, at an address that 64 divides, as long as the model;
                                 with swap_weights also those from 4096 on alone: no hash is there */
  uint64_t weights_bytes;
} ptc_options;

/** Memory for results that have no buffer of the caller. `allocate` gives NULL when there is none.
    The memory is the caller's from then on. */
typedef struct ptc_allocator {
  void *user;
  void *(*allocate)(void *user, size_t bytes, size_t alignment);
} ptc_allocator;

/** Takes what the program prints; stream 1 is stdout, 2 stderr. */
typedef void (*ptc_output)(void *user, int stream, const char *text, size_t length);

typedef struct ptc_invocation ptc_invocation;

/** Called when no variant fits, after the error was written; its status is the call's. */
typedef ptc_status (*ptc_miss_callback)(void *user, ptc_context *context,
                                        ptc_invocation *invocation);

/** The outcome of a call that an operation ended with an exception or another failure. */
#define PTC_NO_OUTCOME UINT32_MAX

/** One call. The first six fields are the caller's. */
struct ptc_invocation {
  uint32_t entry;
  uint32_t structure;      /**< which structure the arguments have: a number of the manifest */
  const ptc_value *inputs; /**< leaves of the arguments, depth first */
  uint32_t num_inputs;
  uint32_t num_outputs;
  /** Leaves of the result. In: a tensor with data is a buffer of the caller; its dtype, sizes and
      strides must be those of the result, and it shares no memory with an argument; a result that
      is a view of other memory is copied there, if its elements have no gaps. Anything else: memory
      of the context, valid until its next call, whose argument it may be, or of the
      allocator if one was set. */
  ptc_value *outputs;
  uint32_t variant; /**< out: which variant ran */
  uint32_t outcome; /**< out: which of its outcomes it was; it says what structure the result has.
                         One that raises gives its leaves as well where containers changed. */
};

/** Why the last call of a context, or its creation, failed. */
typedef struct ptc_error {
  ptc_status status;
  const char *text; /**< whole: all of below in one text of several lines; "" if nothing failed */
  const char *type; /**< raised: the exception's class; else "" */
  const char *file; /**< Python file, "" if there is none */
  uint32_t line;
  int64_t guard; /**< no_variant: the guard of the nearest variant that failed; else -1 */
} ptc_error;

typedef struct ptc_counters {
  uint64_t calls, misses;
  const uint64_t *hits; /**< by variant of the entry */
  uint32_t num_variants;
  uint32_t threads;
  uint64_t workspace_bytes; /**< of the context */
} ptc_counters;

/** Where the time of one call goes, in nanoseconds. */
typedef struct ptc_profile {
  uint32_t size;    /**< sizeof(ptc_profile), set by the caller */
  uint32_t repeats; /**< in: how often `guards` and `dispatch` are measured; the mean is given */
  double guards;    /**< the generated function that checks guards and names the variant, alone */
  double dispatch; /**< what the stub does around it: checks of the invocation, workspace, counts */
  double kernels;  /**< the variant's code: kernels and the program that runs them */
} ptc_profile;

/** The functions of an artefact. A caller looks at no field beyond `size`. */
typedef struct ptc_api {
  uint32_t size; /**< in bytes */
  uint16_t major, minor;
  const char *name; /**< MODEL */
  ptc_status (*model_open)(const ptc_options *options, ptc_model **model);
  void (*model_close)(ptc_model *model);
  const char *(*describe)(const ptc_model *model);
  ptc_status (*context_create)(ptc_model *model, ptc_context **context);
  void (*context_destroy)(ptc_context *context);
  ptc_status (*call)(ptc_context *context, ptc_invocation *invocation);
  const ptc_error *(*last_error)(const ptc_context *context);
  ptc_status (*set_threads)(ptc_context *context, uint32_t threads);
  ptc_status (*set_allocator)(ptc_context *context, const ptc_allocator *allocator);
  ptc_status (*set_output)(ptc_context *context, ptc_output output, void *user);
  ptc_status (*set_miss_callback)(ptc_context *context, ptc_miss_callback callback, void *user);
  ptc_status (*set_grad_mode)(ptc_context *context, int enabled);
  ptc_status (*rng_seed)(ptc_context *context, uint32_t generator, int64_t seed);
  ptc_status (*counters)(const ptc_context *context, uint32_t entry, ptc_counters *counters);
  uint32_t (*num_states)(const ptc_model *model);
  const char *(*state_name)(const ptc_model *model, uint32_t slot);
  ptc_status (*state_get)(ptc_context *context, uint32_t slot, ptc_value *value);
  ptc_status (*state_set)(ptc_context *context, uint32_t slot, const ptc_value *value);
  ptc_status (*state_reset)(ptc_context *context);
  const char *(*status_text)(ptc_status status);
  /* since 0.2 */
  ptc_status (*record_misses)(ptc_context *context, const char *path);
  ptc_status (*record_call)(ptc_context *context, const char *call, size_t length);
  ptc_status (*profile)(ptc_context *context, ptc_invocation *invocation, ptc_profile *profile);
  ptc_status (*set_stream)(ptc_context *context, void *stream);
} ptc_api;

/** What a status means, in English; never null, also for numbers that are no status. In
    libptc_rt.a; an artefact has it as `status_text`. */
const char *ptc_status_text(ptc_status status);

/** Opens the library at `path` and its model.  In libptc_rt.a. */
ptc_status ptc_model_load(const char *path, const ptc_options *options, ptc_model **model);

/** Statuses: version (another major version), weights, out_of_memory. */
static inline ptc_status ptc_model_open(const ptc_api *api, const ptc_options *options,
                                        ptc_model **model) {
  if (api->major != PTC_VERSION_MAJOR)
    return ptc_status_version;
  return api->model_open(options, model);
}

static inline const ptc_api *ptc_api_of_model(const ptc_model *model) {
  return *(const ptc_api *const *)model;
}
static inline const ptc_api *ptc_api_of(const ptc_context *context) {
  return *(const ptc_api *const *)context;
}

/** All its contexts are destroyed before. */
static inline void ptc_model_close(ptc_model *model) {
  if (model)
    ptc_api_of_model(model)->model_close(model);
}

/** The manifest: JSON, as `ptc inspect-graph --format=json` prints it. Lives as long as the model.
 */
static inline const char *ptc_describe(const ptc_model *model) {
  return ptc_api_of_model(model)->describe(model);
}

/** A context in the state in which the program begins. Runs what the program does when it is
    constructed. Statuses: out_of_memory, raised. */
static inline ptc_status ptc_context_create(ptc_model *model, ptc_context **context) {
  return ptc_api_of_model(model)->context_create(model, context);
}
static inline void ptc_context_destroy(ptc_context *context) {
  if (context)
    ptc_api_of(context)->context_destroy(context);
}

/** One call with everything that can be said about it. */
static inline ptc_status ptc_invoke(ptc_context *context, ptc_invocation *invocation) {
  return ptc_api_of(context)->call(context, invocation);
}

/** A call of an entry whose arguments have its first structure. Nothing is allocated when sizes
   were seen before and the caller provides the outputs. Statuses: invalid_argument, no_variant,
   raised, int_overflow, out_of_memory. */
static inline ptc_status ptc_call(ptc_context *context, uint32_t entry, const ptc_value *inputs,
                                  uint32_t num_inputs, ptc_value *outputs, uint32_t num_outputs) {
  ptc_invocation call = {entry, 0, inputs, num_inputs, num_outputs, outputs, 0, 0};
  return ptc_invoke(context, &call);
}

/** Never null; valid until the next call. */
static inline const ptc_error *ptc_last_error(const ptc_context *context) {
  return ptc_api_of(context)->last_error(context);
}

/** How many threads calls of this context may use, the caller included; 1 to begin with. They are
    those of one pool that all contexts and artefacts of the process share. */
static inline ptc_status ptc_set_threads(ptc_context *context, uint32_t threads) {
  return ptc_api_of(context)->set_threads(context, threads);
}
/** Null: memory of the context again. */
static inline ptc_status ptc_set_allocator(ptc_context *context, const ptc_allocator *allocator) {
  return ptc_api_of(context)->set_allocator(context, allocator);
}
/** Null: the process's own streams again. */
static inline ptc_status ptc_set_output(ptc_context *context, ptc_output output, void *user) {
  return ptc_api_of(context)->set_output(context, output, user);
}
static inline ptc_status ptc_set_miss_callback(ptc_context *context, ptc_miss_callback callback,
                                               void *user) {
  return ptc_api_of(context)->set_miss_callback(context, callback, user);
}
/** From now on each call that no variant fits adds a line to the file at `path`, which should end
   in
    `.jsonl`: the call as `ptc compile --example` reads it, so that `ptc compile --add-variants`
    makes a variant for it. Sizes, strides, types, numbers and texts are kept, contents of tensors
    are not; a line that the file has is not added again, whichever context or process wrote it; a
    file of 1 MiB is left alone. Where a call is not recorded, the error's text says why. A call
   that fits costs nothing. Null: no more. Statuses: invalid_argument where the file cannot be
   written, version where the artefact is of 0.1. */
static inline ptc_status ptc_record_misses(ptc_context *context, const char *path) {
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, record_misses) ? api->record_misses(context, path)
                                                      : ptc_status_version;
}
/** Records a call that its caller could not make because its arguments have no structure of the
    entry: example JSON in one line. Does nothing where misses are not recorded. */
static inline ptc_status ptc_record_call(ptc_context *context, const char *call, size_t length) {
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, record_call) ? api->record_call(context, call, length)
                                                    : ptc_status_version;
}
/** Makes a call as ptc_invoke does and measures its parts. What precedes the variant's code is done
    `repeats` times in a row, so that the clock does not show; the code runs once, between two
    readings of the clock. Calls that are not profiled pay nothing for it. Statuses: those of
    ptc_invoke; version where the artefact is of 0.1. */
static inline ptc_status ptc_profile_call(ptc_context *context, ptc_invocation *invocation,
                                          ptc_profile *profile) {
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, profile) ? api->profile(context, invocation, profile)
                                                : ptc_status_version;
}
/** The CUDA stream on which calls of this context start their work from now on, as a CUstream or
    cudaStream_t; null, as to begin with: the default stream. What was started before is waited for
    where the stream is another one, since calls share the context's memory. The stream has to be of
    the device's primary context and to live until the next ptc_set_stream or
    ptc_context_destroy. Statuses: invalid_argument where tensors of the program do not lie on a
   GPU; device; version where the artefact is of 0.1. */
static inline ptc_status ptc_set_stream(ptc_context *context, void *stream) {
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, set_stream) ? api->set_stream(context, stream)
                                                   : ptc_status_version;
}
/** What torch.is_grad_enabled() is during calls; on to begin with. */
static inline ptc_status ptc_set_grad_mode(ptc_context *context, int enabled) {
  return ptc_api_of(context)->set_grad_mode(context, enabled);
}
/** Generator 0 is the default one. */
static inline ptc_status ptc_rng_seed(ptc_context *context, uint32_t generator, int64_t seed) {
  return ptc_api_of(context)->rng_seed(context, generator, seed);
}
/** `counters->hits` is valid until the next call. */
static inline ptc_status ptc_get_counters(const ptc_context *context, uint32_t entry,
                                          ptc_counters *counters) {
  return ptc_api_of(context)->counters(context, entry, counters);
}

/** State that calls leave behind, by slot; shared objects without a name have the name "". */
static inline uint32_t ptc_num_states(const ptc_model *model) {
  return ptc_api_of_model(model)->num_states(model);
}
static inline const char *ptc_state_name(const ptc_model *model, uint32_t slot) {
  return ptc_api_of_model(model)->state_name(model, slot);
}
/** A tensor's memory is the context's, valid until the next call. */
static inline ptc_status ptc_state_get(ptc_context *context, uint32_t slot, ptc_value *value) {
  return ptc_api_of(context)->state_get(context, slot, value);
}
/** Copies. The value must have the slot's type; a tensor its dtype, its number of dimensions, and
   its sizes where these are the same in all calls. Statuses: invalid_argument, out_of_memory. */
static inline ptc_status ptc_state_set(ptc_context *context, uint32_t slot,
                                       const ptc_value *value) {
  return ptc_api_of(context)->state_set(context, slot, value);
}
/** As when the context was made; random generators included. */
static inline ptc_status ptc_state_reset(ptc_context *context) {
  return ptc_api_of(context)->state_reset(context);
}

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_PTC_H */
