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
 * Threads. A model is immutable: any number of threads use it at the same time, to make contexts,
 * too, until it is closed. A context holds the workspace, the state that calls leave behind, the
 * random generators and the last error, and is one thread's at a time: a function that takes it, or
 * what it gave, from two threads at once is a race; from one after the other, with whatever orders
 * them between, it is not. Contexts of one model do not see each other. What a call starts
 * (ptc_set_threads) has ended when it returns. Callbacks are called by the thread of the call and
 * use the context only to read its last error. Arguments are the caller's: the call writes to those
 * that the program writes to, and threads may share what no call writes to.
 *
 * Errors. Every function that can fail has a text: those of a context in ptc_last_error, which says
 * how the last function ended that was given the context and has a status, or that there is none;
 * ptc_model_open in `ptc_options.text`; ptc_model_load in ptc_load_error; ptc_context_make where
 * its caller says.
 *
 * Needs. x86-64 Linux with glibc 2.29 (libc, libm, libpthread, of artefacts for a GPU libdl), as
 * `readelf -V` shows: exp and log of libm, by which random numbers are drawn, have that version,
 * and what is not of libm is of 2.17 or before. A CPU that has what the code may use:
 * ptc_model_open compares and says what is missing. No environment variable is read, and texts do
 * not depend on the locale.
 *
 * Pointers that are null or not aligned where there has to be something, sizes below 0 and what
 * else cannot be are refused as invalid_argument (see ptc_is_object) before anything has changed;
 * what a caller says of its memory is believed.
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
#define PTC_VERSION_MINOR 5

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
    } list; /**< List, of results alone: as long as the call made it; memory of the context, but for
                 elements that are views of an argument: these lie in its memory */
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

/** When the bytes of weights are compared with those that were compiled; a value of
    `ptc_options.check_weights`. It reads all of them: about 0.1 s for each GB that is in memory. */
typedef enum ptc_weight_check {
  ptc_check_small,  /**< those of a file or of the caller, below PTC_SMALL_WEIGHTS bytes */
  ptc_check_always, /**< embedded ones, too */
  ptc_check_never
} ptc_weight_check;
#define PTC_SMALL_WEIGHTS (UINT64_C(64) << 20)

/** Clocks that a program reads, as Python's time.time(), perf_counter(), process_time() and
    thread_time(). */
typedef enum ptc_clock_kind {
  ptc_clock_realtime,
  ptc_clock_monotonic,
  ptc_clock_process,
  ptc_clock_thread
} ptc_clock_kind;

/** Gives nanoseconds of a clock, a value of ptc_clock_kind. Called by the threads that make
   contexts and calls. */
typedef int64_t (*ptc_clock)(void *user, int32_t which);

/** How a model is opened. A null pointer stands for one whose fields are all 0, and so does what
    lies behind `size`. A caller with a later version of this header may have more fields than the
    artefact knows: what is not 0 there is refused. */
typedef struct ptc_options {
  uint32_t size;            /**< sizeof(ptc_options) */
  uint32_t swap_weights;    /**< accept weights whose hash is not the one that was compiled */
  const char *weights_path; /**< the .weights file of artefacts whose weights are not embedded;
                                 others refuse it */
  const void *weights;      /**< or its bytes, at an address that 64 divides, as long as the model;
                                 with swap_weights also those from 4096 on alone: no hash is there */
  uint64_t weights_bytes;
  /* since 0.3 */
  uint32_t check_weights; /**< ptc_weight_check */
  uint32_t reserved;      /**< 0 */
  char *text; /**< memory for a text: why the model was not opened, "" if it was; or null */
  uint64_t text_bytes; /**< of it: what does not fit is left out, a 0 is behind the text */
  /* since 0.5 */
  ptc_clock clock; /**< what the program reads in place of the system's clocks; or null */
  void *clock_user;
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
      strides must be those of the result, and it shares no memory with an argument or another
      buffer; a result that is a view of other memory is copied there, if its elements have no gaps.
      Anything else becomes a tensor that the call describes: its `shape` and `strides`, in elements
      and never null, are the context's, valid until its next call; its memory is
        - an argument's, where eager's result is that argument or a view of it;
        - else the allocator's, if one was set and the result is new: the caller's from then on;
        - else the context's, valid until its next call, whose argument it may be.
      Strides are those of eager's result, row-major or not. Results that share memory in eager
      share it here, but for those in buffers of the caller.
      State of the program is its own: a result that is state (`return self.total`) is a copy of
      it, and so is what a call keeps of an argument. What is written to one is not seen in the
      other. In eager such a result is the state: as an argument of the next call it would change
      where that call writes to the state, or the state where it writes to the argument. Where
      calls of the program do so, a result in the context's memory that is passed on is refused as
      invalid_argument; one in memory of the caller is a copy, as one that the caller made. */
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
  /* since 0.4 */
  ptc_status (*context_make)(ptc_model *model, ptc_context **context, char *text, uint64_t bytes);
} ptc_api;

/** What a status means, in English; never null, also for numbers that are no status. In
    libptc_rt.a; an artefact has it as `status_text`. */
const char *ptc_status_text(ptc_status status);

/** Opens the library at `path` and its model, with the weights that `options` name or, where they
    name none, those in the library or beside it, as `.weights`. A file that took the place of
    another one is a library of its own; the one before stays in memory, as all do. Code, texts and
    weights are mapped, as the system does with any library: a file that is written over in place
    (`cp` onto it; not `mv`, nor `ptc compile`) changes under the models that were opened, whose
    calls may do anything from then on, and is refused when it is opened once more. Statuses: those
    of ptc_model_open; file; version. In libptc_rt.a. */
ptc_status ptc_model_load(const char *path, const ptc_options *options, ptc_model **model);

/** Why the last ptc_model_load of this thread gave no model: the file, and what the system or the
    artefact say of it. "": it gave one. Valid until the next. In libptc_rt.a. */
const char *ptc_load_error(void);

/** Whether a pointer can be one to something of this interface. Functions refuse those that cannot,
    as invalid_argument, or as if the object were empty. */
static inline int ptc_is_object(const void *pointer) {
  return pointer && ((uintptr_t)pointer & 7u) == 0;
}

/** Statuses: invalid_argument; version (another major version; or the options ask for what an
    older artefact does not know); cpu; weights; out_of_memory; those of a device. */
static inline ptc_status ptc_model_open(const ptc_api *api, const ptc_options *options,
                                        ptc_model **model) {
  if (!ptc_is_object((const void *)model))
    return ptc_status_invalid_argument;
  *model = NULL;
  if (!ptc_is_object(api) || (options && !ptc_is_object(options)))
    return ptc_status_invalid_argument;
  if (api->major != PTC_VERSION_MAJOR || api->size <= offsetof(ptc_api, status_text))
    return ptc_status_version;
  if (api->minor < 3 && options && options->size >= sizeof *options) {
    if (options->text && options->text_bytes)
      options->text[0] = 0;
    if (options->check_weights == ptc_check_always)
      return ptc_status_version;
  }
  return api->model_open(options, model);
}

/** These two: of objects. */
static inline const ptc_api *ptc_api_of_model(const ptc_model *model) {
  return *(const ptc_api *const *)model;
}
static inline const ptc_api *ptc_api_of(const ptc_context *context) {
  return *(const ptc_api *const *)context;
}

/** All its contexts are destroyed before. */
static inline void ptc_model_close(ptc_model *model) {
  if (ptc_is_object(model))
    ptc_api_of_model(model)->model_close(model);
}

/** The manifest: JSON, as `ptc inspect-graph --format=json` prints it. Lives as long as the model.
 */
static inline const char *ptc_describe(const ptc_model *model) {
  return ptc_is_object(model) ? ptc_api_of_model(model)->describe(model) : "";
}

/** A context in the state in which the program begins. Runs what the program does when it is
    constructed. Statuses: out_of_memory, raised, those of a device. */
static inline ptc_status ptc_context_create(ptc_model *model, ptc_context **context) {
  return ptc_is_object(model) ? ptc_api_of_model(model)->context_create(model, context)
                              : ptc_status_invalid_argument;
}
/** The same; in the `bytes` bytes at `text`, if there are any, why there is no context, as the text
    of its ptc_last_error would have it, "" if there is one; what does not fit is left out, a 0 is
    behind the text. Of artefacts before 0.4: what the status means. */
static inline ptc_status ptc_context_make(ptc_model *model, ptc_context **context, char *text,
                                          uint64_t bytes) {
  const ptc_api *api = ptc_is_object(model) ? ptc_api_of_model(model) : NULL;
  if (api && api->size > offsetof(ptc_api, context_make))
    return api->context_make(model, context, text, bytes);
  ptc_status status = ptc_context_create(model, context);
  const char *says = !api ? "there is no model" : status ? api->status_text(status) : "";
  for (uint64_t i = 0; text && i < bytes; ++i) {
    text[i] = 0;
    if (i + 1 == bytes || !says[i])
      break;
    text[i] = says[i];
  }
  return status;
}
static inline void ptc_context_destroy(ptc_context *context) {
  if (ptc_is_object(context))
    ptc_api_of(context)->context_destroy(context);
}

/** One call with everything that can be said about it. */
static inline ptc_status ptc_invoke(ptc_context *context, ptc_invocation *invocation) {
  return ptc_is_object(context) ? ptc_api_of(context)->call(context, invocation)
                                : ptc_status_invalid_argument;
}

/** A call of an entry whose arguments have its first structure. Nothing is allocated when sizes
   were seen before and the caller provides the outputs. Statuses: invalid_argument and no_variant,
   with which nothing has changed (but a call whose result does not fit the caller's buffer has
   printed what it prints); raised, with which what the program had written by then stays written,
   as in eager, lists and dicts of the caller excepted; int_overflow and out_of_memory, with which
   each write of the call is done or not. */
static inline ptc_status ptc_call(ptc_context *context, uint32_t entry, const ptc_value *inputs,
                                  uint32_t num_inputs, ptc_value *outputs, uint32_t num_outputs) {
  ptc_invocation call = {entry, 0, inputs, num_inputs, num_outputs, outputs, 0, 0};
  return ptc_invoke(context, &call);
}

/** Of the last function that was given the context and has a status: where it succeeded, `status`
   is ok and the texts are "". Never null; valid until the next such function. */
static inline const ptc_error *ptc_last_error(const ptc_context *context) {
  static const ptc_error none = {ptc_status_invalid_argument, "there is no context", "", "", 0, -1};
  return ptc_is_object(context) ? ptc_api_of(context)->last_error(context) : &none;
}

/** How many threads calls of this context may use, the caller included; 1 to begin with. They are
    those of one pool that all contexts and artefacts of the process share. */
static inline ptc_status ptc_set_threads(ptc_context *context, uint32_t threads) {
  return ptc_is_object(context) ? ptc_api_of(context)->set_threads(context, threads)
                                : ptc_status_invalid_argument;
}
/** Null: memory of the context again. */
static inline ptc_status ptc_set_allocator(ptc_context *context, const ptc_allocator *allocator) {
  return ptc_is_object(context) ? ptc_api_of(context)->set_allocator(context, allocator)
                                : ptc_status_invalid_argument;
}
/** Null: the process's own streams again. */
static inline ptc_status ptc_set_output(ptc_context *context, ptc_output output, void *user) {
  return ptc_is_object(context) ? ptc_api_of(context)->set_output(context, output, user)
                                : ptc_status_invalid_argument;
}
static inline ptc_status ptc_set_miss_callback(ptc_context *context, ptc_miss_callback callback,
                                               void *user) {
  return ptc_is_object(context) ? ptc_api_of(context)->set_miss_callback(context, callback, user)
                                : ptc_status_invalid_argument;
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
  if (!ptc_is_object(context))
    return ptc_status_invalid_argument;
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, record_misses) ? api->record_misses(context, path)
                                                      : ptc_status_version;
}
/** Records a call that its caller could not make because its arguments have no structure of the
    entry: example JSON in one line. Does nothing where misses are not recorded. */
static inline ptc_status ptc_record_call(ptc_context *context, const char *call, size_t length) {
  if (!ptc_is_object(context))
    return ptc_status_invalid_argument;
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
  if (!ptc_is_object(context))
    return ptc_status_invalid_argument;
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
  if (!ptc_is_object(context))
    return ptc_status_invalid_argument;
  const ptc_api *api = ptc_api_of(context);
  return api->size > offsetof(ptc_api, set_stream) ? api->set_stream(context, stream)
                                                   : ptc_status_version;
}
/** What torch.is_grad_enabled() is during calls; on to begin with. */
static inline ptc_status ptc_set_grad_mode(ptc_context *context, int enabled) {
  return ptc_is_object(context) ? ptc_api_of(context)->set_grad_mode(context, enabled)
                                : ptc_status_invalid_argument;
}
/** Generator 0 is the default one. */
static inline ptc_status ptc_rng_seed(ptc_context *context, uint32_t generator, int64_t seed) {
  return ptc_is_object(context) ? ptc_api_of(context)->rng_seed(context, generator, seed)
                                : ptc_status_invalid_argument;
}
/** `counters->hits` is valid until the next call. */
static inline ptc_status ptc_get_counters(const ptc_context *context, uint32_t entry,
                                          ptc_counters *counters) {
  return ptc_is_object(context) ? ptc_api_of(context)->counters(context, entry, counters)
                                : ptc_status_invalid_argument;
}

/** State that calls leave behind, by slot; shared objects without a name have the name "". */
static inline uint32_t ptc_num_states(const ptc_model *model) {
  return ptc_is_object(model) ? ptc_api_of_model(model)->num_states(model) : 0;
}
static inline const char *ptc_state_name(const ptc_model *model, uint32_t slot) {
  return ptc_is_object(model) ? ptc_api_of_model(model)->state_name(model, slot) : "";
}
/** A tensor's memory is the context's, valid until the next call. */
static inline ptc_status ptc_state_get(ptc_context *context, uint32_t slot, ptc_value *value) {
  return ptc_is_object(context) ? ptc_api_of(context)->state_get(context, slot, value)
                                : ptc_status_invalid_argument;
}
/** Copies. The value must have the slot's type; a tensor its dtype, its number of dimensions, and
   its sizes where these are the same in all calls. Statuses: invalid_argument, out_of_memory. */
static inline ptc_status ptc_state_set(ptc_context *context, uint32_t slot,
                                       const ptc_value *value) {
  return ptc_is_object(context) ? ptc_api_of(context)->state_set(context, slot, value)
                                : ptc_status_invalid_argument;
}
/** As when the context was made; random generators included. */
static inline ptc_status ptc_state_reset(ptc_context *context) {
  return ptc_is_object(context) ? ptc_api_of(context)->state_reset(context)
                                : ptc_status_invalid_argument;
}

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_PTC_H */
