/*===- Stub.h - What the files of the stub share -------------------------*- C -*-===*/
#ifndef PTC_LIB_RUNTIME_STUB_H
#define PTC_LIB_RUNTIME_STUB_H

#include "ptc/Runtime/Frame.h"

#include <stdbool.h>

struct ptc_model {
  const ptc_api *api;
  const ptc_program *program;
  const unsigned char *weights;
  void *mapped; /* weights from a file, else null */
  size_t mapped_bytes;
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
} ptc_generator;

/* Memory of one call beside the arena (Blocks.c). */
typedef struct ptc_scratch_block ptc_scratch_block;
#define PTC_SIZE_CLASSES 256
typedef struct {
  ptc_scratch_block *first[PTC_SIZE_CLASSES]; /* by class of their sizes */
  uint64_t has[PTC_SIZE_CLASSES / 64];        /* bits: classes of which there is one */
} ptc_scratch_bins;
typedef struct {
  ptc_scratch_block *used; /* by this call, the last one first */
  ptc_scratch_bins free;   /* given back in this call */
  ptc_scratch_bins kept;   /* of the call before */
  uint64_t taken;          /* requests so far */
  uint64_t bytes;          /* of all blocks */
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
  bool has_more;         /* a leaf has a `next` */
  uint32_t lacks_memory; /* a thread of a section found none: atomic */
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
void ptc_put_parts(ptc_text_buffer *out, const ptc_text_part *parts, uint32_t n,
                   const ptc_value *values);

/* Names of an element type. */
typedef struct {
  uint8_t code, bits;
  const char *name, *npy; /* torch's, numpy's; "": it has none */
} ptc_dtype_names;

/* Of tensors that are shown, which may be arguments of a program. */
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

/* At least `bytes` bytes, aligned to PTC_ALIGNMENT; what they held is lost. */
bool ptc_reserve(ptc_block *block, uint64_t bytes);

/* Writes the context's error; gives the status back. `text` is copied. */
ptc_status ptc_set_error(ptc_context *context, ptc_status status, const char *text);
ptc_status ptc_set_site_error(ptc_context *context, ptc_status status, const ptc_site *site,
                              const char *text);

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
/* Stride of a dimension; without strides a tensor is dense in row-major order. */
int64_t ptc_stride_of(const DLTensor *tensor, int64_t dimension);

ptc_status ptc_no_memory(ptc_frame *frame);
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
void ptc_free_leaf(ptc_leaf *leaf);

int64_t ptc_count_nonzero(const void *data, const ptc_shape *shape);
void ptc_put_nonzero(const void *data, const ptc_shape *shape, int64_t *places, int64_t count);
void ptc_masked_select(const void *data, const ptc_shape *shape, const void *mask,
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
void ptc_stub_context_destroy(ptc_context *context);
ptc_status ptc_stub_state_get(ptc_context *context, uint32_t slot, ptc_value *value);
ptc_status ptc_stub_state_set(ptc_context *context, uint32_t slot, const ptc_value *value);
ptc_status ptc_stub_state_reset(ptc_context *context);

extern const ptc_services ptc_stub_services;
extern const ptc_api ptc_stub_api;

#endif /* PTC_LIB_RUNTIME_STUB_H */
