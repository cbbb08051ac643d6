/*===- Stub.h - What the files of the stub share -------------------------*- C -*-===*/
#ifndef PTC_LIB_RUNTIME_STUB_H
#define PTC_LIB_RUNTIME_STUB_H

#include "ptc/Runtime/Frame.h"
#include "ptc/Runtime/Hash.h"

#include <stdbool.h>

struct ptc_model {
  const ptc_api *api;
  const ptc_program *program;
  const unsigned char *weights;
  void *mapped; /* weights from a file, else null */
  size_t mapped_bytes;
  void *device;    /* of programs for one: what its runtime keeps */
  ptc_clock clock; /* of the caller; null: the system's */
  void *clock_user;
};

/* What the stub asks of the runtime of a device; statuses are with their texts in the context's
   error, where there is one. */
struct ptc_device_runtime {
  ptc_status (*open)(ptc_model *model, const ptc_options *options);
  void (*close)(ptc_model *model);
  ptc_status (*create)(ptc_context *context);
  void (*destroy)(ptc_context *context);
  /* The arguments as the program sees them: in memory of the device. */
  ptc_status (*begin)(ptc_context *context, const ptc_invocation *invocation);
  /* Results to where the caller wants them. */
  ptc_status (*end)(ptc_context *context, ptc_status status);
  /* Memory of the device; null: there is none. */
  void *(*allocate)(ptc_context *context, uint64_t bytes);
  /* Writes the error for memory that was asked for last and is not there. */
  ptc_status (*no_memory)(ptc_context *context);
  void (*release)(ptc_context *context, void *data);
  /* Between places in memory of the device. */
  void (*copy)(ptc_context *context, void *to, const void *from, uint64_t bytes);
  /* Memory of the device for a result whose buffer is the host's. */
  void *(*stage)(ptc_context *context, uint32_t leaf, void *host, uint64_t bytes);
  ptc_status (*state_get)(ptc_context *context, uint32_t slot, ptc_value *value);
  /* `from` of the host, laid out as the slot's contents will be. */
  ptc_status (*upload)(ptc_context *context, void *to, const void *from, uint64_t bytes);
  ptc_status (*set_stream)(ptc_context *context, void *stream);
};

/* Memory that grows and is kept. */
typedef struct {
  void *data;
  uint64_t capacity;
} ptc_block;

/* A result leaf that has no buffer of the caller, or memory that several share: its description,
   and its memory. */
typedef struct ptc_leaf {
  DLTensor tensor;
  int64_t sizes[PTC_MAX_RANK], strides[PTC_MAX_RANK];
  ptc_block block;
  ptc_block host;            /* of the block, where a device has it and results are the host's */
  uint64_t host_call;        /* the call that copied it for the host */
  unsigned char *host_copy;  /* in that block, or where the caller's allocator said */
  bool is_new;               /* a device has it, and its caller was not told where */
  struct ptc_leaf *elements; /* a list: of its tensors */
  ptc_value *items;
  size_t num_elements;   /* that there is memory for */
  struct ptc_leaf *next; /* instead of it in calls whose arguments lie here */
} ptc_leaf;

#define PTC_MT_WORDS 624
typedef struct {
  uint32_t words[PTC_MT_WORDS];
  uint32_t next;
  bool has_normal;
  double normal; /* the second of the last pair */
  /* Of eager's generator on a GPU: words of each thread's stream that are drawn, a multiple of 4.
   */
  uint64_t seed, offset;
} ptc_generator;

/* Memory of one call beside the arena (Blocks.c). */
typedef struct ptc_scratch_block ptc_scratch_block;
#define PTC_SIZE_CLASSES 256
typedef struct {
  ptc_scratch_block *first[PTC_SIZE_CLASSES]; /* by class of their sizes */
  uint64_t has[PTC_SIZE_CLASSES / 64];        /* bits: classes of which there is one */
} ptc_scratch_bins;
typedef struct {
  ptc_scratch_block *used[2]; /* by this call, the last one first; [1]: what lists consist of */
  ptc_scratch_bins free;      /* given back in this call */
  ptc_scratch_bins kept;      /* of the call before */
  uint64_t taken;             /* requests so far */
  uint64_t bytes;             /* of all blocks */
} ptc_scratch;

#define PTC_MAX_THREADS 64

/* Where misses go. */
typedef struct {
  char *path;     /* null: nowhere */
  uint64_t *seen; /* hashes of calls that are in the file */
  size_t num_seen, capacity;
} ptc_recorder;

struct ptc_context {
  const ptc_api *api;
  const ptc_model *model;
  const ptc_program *program;
  ptc_frame frame;
  ptc_block arena;
  ptc_leaf *leaves;   /* as many as the widest variant has */
  ptc_leaf *storages; /* the same; only their memory */
  ptc_value *raised;
  ptc_slot *slots;
  ptc_generator *generators;
  uint64_t **hits; /* by entry, by variant */
  uint64_t *calls, *misses;
  ptc_scratch scratch;
  ptc_block temporaries[PTC_MAX_THREADS];
  ptc_error error;
  char *text; /* of the error */
  size_t text_capacity;
  ptc_allocator allocator; /* allocate is null: memory of the context */
  ptc_output output;       /* null: stdout and stderr */
  void *output_user;
  ptc_miss_callback on_miss;
  void *on_miss_user;
  uint32_t num_leaves, num_storages;
  DLTensor **kept; /* results of the last call that show state, in memory of the context */
  uint32_t num_kept;
  bool has_more;          /* a leaf has a `next` */
  uint32_t lacks_memory;  /* a thread of a section found none: atomic */
  const ptc_value *given; /* the arguments of the call; the frame's may be copies on a device */
  void *device;           /* of programs for one: what its runtime keeps */
  int32_t ordinal;        /* of that device */
  ptc_recorder recorder;
};

/* Text that grows: what was written so far, terminated by 0 once something was. `failed`: there was
   no memory for all of it. */
typedef struct ptc_text_buffer {
  char *data;
  size_t length, capacity;
  bool failed;
} ptc_text_buffer;

void ptc_put(ptc_text_buffer *out, const char *text, size_t length);
void ptc_put_string(ptc_text_buffer *out, const char *text);
/* repr(float). */
void ptc_put_float(ptc_text_buffer *out, double value);
/* What an errno means, in English in every locale; valid until the next in this thread. */
const char *ptc_system_text(int error);
/* As snprintf with `%.*LETTER`, e, f or g, and with a point in every locale. `size` is enough. */
size_t ptc_print_real(char *text, size_t size, char letter, int precision, double value);
/* The same with the fewest digits that read back as the same double; how many, 1 to 17. */
int ptc_print_shortest(char *text, size_t size, char letter, double value);
void ptc_put_parts(ptc_text_buffer *out, const ptc_text_part *parts, uint32_t n,
                   const ptc_value *values);

/* Names of an element type. */
typedef struct {
  uint8_t code, bits;
  const char *name, *npy; /* torch's, numpy's; "": it has none */
} ptc_dtype_names;

/* Of tensors that are shown, which may be arguments of a program. Eager has no more. */
#define PTC_MAX_SHOWN_RANK 64

/* Null: an unknown one. */
const ptc_dtype_names *ptc_dtype_of(DLDataType dtype);
const ptc_dtype_names *ptc_dtype_of_npy(const char *code, size_t length);
/* An element, by its index; of a complex number the real part, or the imaginary one. */
double ptc_real_element(const DLTensor *t, const int64_t *index, bool imaginary);
int64_t ptc_int_element(const DLTensor *t, const int64_t *index);
/* The elements in row-major order, for a file. */
void ptc_copy_dense(const DLTensor *t, unsigned char *out);
int64_t ptc_num_elements(const DLTensor *t);

/* At least `bytes` bytes where the program's tensors lie, aligned to PTC_ALIGNMENT; what they held
   is lost. */
bool ptc_reserve(ptc_context *context, ptc_block *block, uint64_t bytes);
void ptc_release(ptc_context *context, void *data);
/* Between places in such memory. */
void ptc_copy(ptc_context *context, void *to, const void *from, uint64_t bytes);
/* The same of the host. */
bool ptc_reserve_host(ptc_block *block, uint64_t bytes);

/* Null, or why there is no tensor: the end of a sentence that names it. */
const char *ptc_wrong_of_tensor(const DLTensor *t);
const char *ptc_wrong_of_input(const ptc_value *value);
/* A tensor without memory becomes None: it is no buffer. */
const char *ptc_wrong_of_output(ptc_value *value);
/* What the caller's options say, in the present version; null, or why they cannot be taken. */
const char *ptc_read_options(const ptc_options *given, ptc_options *options);
/* Writes a text to where options want one, and gives the status. */
#define PTC_SAY(options, status, ...)                                                              \
  ((options)->text && (options)->text_bytes                                                        \
       ? (void)snprintf((options)->text, ptc_text_room(options), __VA_ARGS__)                      \
       : (void)0,                                                                                  \
   (status))
#define PTC_MOST_TEXT 65536u
static inline size_t ptc_text_room(const ptc_options *options) {
  return options->text_bytes < PTC_MOST_TEXT ? (size_t)options->text_bytes : PTC_MOST_TEXT;
}

/* How a CPU is asked what it has: words of a leaf of CPUID, 0 where it has none; XCR0. */
typedef struct {
  void (*read)(uint32_t leaf, uint32_t subleaf, uint32_t words[4]);
  uint64_t (*enabled)(void);
} ptc_cpu;
extern const ptc_cpu ptc_this_cpu;
/* Whether it has the rows of CpuFeatures.def whose bits are set in `wanted`. `missing`: the names
   of those that it lacks, as far as there is room. */
bool ptc_cpu_has(const ptc_cpu *cpu, uint64_t wanted, char *missing, size_t size);

/* Writes the context's error; gives the status back. `text` is copied. */
ptc_status ptc_set_error(ptc_context *context, ptc_status status, const char *text);
ptc_status ptc_set_site_error(ptc_context *context, ptc_status status, const ptc_site *site,
                              const char *text);
/* A function that was given the context has succeeded: there is no error. */
static inline ptc_status ptc_succeed(ptc_context *context) {
  return context->error.status = ptc_status_ok;
}

/* Writes the present call to the recorder's file. Null, or why it is not there. */
const char *ptc_record_miss(ptc_recorder *recorder, const ptc_structure *structure,
                            const ptc_frame *frame);
ptc_status ptc_stub_record_misses(ptc_context *context, const char *path);
ptc_status ptc_stub_record_call(ptc_context *context, const char *call, size_t length);

ptc_status ptc_stub_profile(ptc_context *context, ptc_invocation *invocation, ptc_profile *profile);

/* Observables of a call, by number of the entry's guard table. */
void ptc_observe(const ptc_entry *entry, const ptc_frame *frame, int64_t *values, uint8_t *present);
/* The first and the last byte behind the elements of a tensor; false: it has none. */
bool ptc_extent(const DLTensor *tensor, uintptr_t *begin, uintptr_t *end);
/* Whether elements of a tensor lie between two addresses. */
bool ptc_touches(const DLTensor *tensor, uintptr_t begin, uintptr_t end);
/* Whether a description is one that the context made for a result. */
bool ptc_is_own(const ptc_context *context, const DLTensor *tensor);
/* Stride of a dimension; without strides a tensor is dense in row-major order. */
int64_t ptc_stride_of(const DLTensor *tensor, int64_t dimension);

ptc_status ptc_no_memory(ptc_frame *frame);
bool ptc_lies_in(uintptr_t address, const void *block, uint64_t bytes);
/* Of the memory that elements span; no tensor is larger than what 64 bits count. */
uint64_t ptc_span(DLDataType dtype, int32_t rank, const int64_t *sizes, const int64_t *strides);
void ptc_describe_leaf(ptc_leaf *own, void *data, const ptc_shape *shape);
/* The first of a leaf and those behind it that no argument of the call lies in or is described by;
   null: there is no memory for one. */
ptc_leaf *ptc_free_of_arguments(ptc_frame *frame, ptc_leaf *leaf);
/* Memory for a result: the allocator's, or the block, grown. Null: there is none. */
void *ptc_fresh(ptc_context *context, ptc_block *block, uint64_t bytes);
void *ptc_scratch_take(ptc_frame *frame, uint64_t bytes);
void *ptc_list_take(ptc_frame *frame, uint64_t bytes);
uint64_t ptc_scratch_mark(ptc_frame *frame);
void ptc_scratch_release(ptc_frame *frame, uint64_t mark, void *const *carried, uint32_t n,
                         uint32_t keeps_lists);
/* A call, or what makes a context, has ended. */
void ptc_end_scratch(ptc_context *context);
void ptc_free_scratch(ptc_context *context);
ptc_status ptc_give_list(ptc_frame *frame, uint32_t leaf, int64_t length);
ptc_status ptc_give_element(ptc_frame *frame, uint32_t leaf, int64_t number, const ptc_value *value,
                            const ptc_shape *shape);
void ptc_free_leaf(ptc_context *context, ptc_leaf *leaf);

int64_t ptc_count_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape);
void ptc_put_nonzero(ptc_frame *frame, const void *data, const ptc_shape *shape, int64_t *places,
                     int64_t count);
void ptc_masked_select(ptc_frame *frame, const void *data, const ptc_shape *shape, const void *mask,
                       const ptc_shape *mask_shape, void *out);

void ptc_generator_seed(ptc_generator *generator, uint64_t seed);
uint32_t ptc_generator_next(ptc_generator *generator);
void ptc_draw_into(ptc_generator *generator, const ptc_draw *what, void *data,
                   const ptc_shape *shape);

/* `microseconds`: about how long the section takes one thread. */
void ptc_pool_run(uint32_t threads, uint32_t microseconds, ptc_section section, void *arg);
void ptc_pool_barrier(uint32_t thread, uint32_t num_threads);

ptc_status ptc_stub_call(ptc_context *context, ptc_invocation *invocation);
ptc_status ptc_stub_context_create(ptc_model *model, ptc_context **context);
ptc_status ptc_stub_context_make(ptc_model *model, ptc_context **context, char *text,
                                 uint64_t bytes);
void ptc_stub_context_destroy(ptc_context *context);
ptc_status ptc_stub_state_get(ptc_context *context, uint32_t slot, ptc_value *value);
ptc_status ptc_stub_state_set(ptc_context *context, uint32_t slot, const ptc_value *value);
ptc_status ptc_stub_state_reset(ptc_context *context);

extern const struct ptc_device_runtime ptc_cuda_runtime;
extern const ptc_services ptc_stub_services;
extern const ptc_api ptc_stub_api;

#endif /* PTC_LIB_RUNTIME_STUB_H */
