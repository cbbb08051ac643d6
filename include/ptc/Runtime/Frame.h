/*===- Frame.h - Between generated code and the stub ----------------------*- C -*-===*
 *
 * What the compiler emits is one constant `ptc_program` and the functions that it names; what these
 * see of a call is a `ptc_frame`. Layouts are those of C on x86-64; generated code reads fields by
 * their offsets (lib/Target/Cpu asserts them), so that a field is added behind the last one only.
 *
 * A variant runs in this order: `dispatch` names it; the stub sees to it that the arena has
 * `arena_bytes` bytes, and `thread_bytes` for each thread of the call; `run` computes. Where a size
 * is known only then, `run` begins with `services->arena`. Inputs, weights and literals are read
 * where they are; results go to where `services->output` says; the outcome's number goes to
 * `frame->outcome` before `run` returns.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_RUNTIME_FRAME_H
#define PTC_RUNTIME_FRAME_H

#include "ptc/Runtime/GuardTable.h"
#include "ptc/Runtime/ptc.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Tensors of more dimensions are refused when a program is compiled. */
#define PTC_MAX_RANK 16
/** Of the arena, of weights, of memory that the stub provides. */
#define PTC_ALIGNMENT 64

typedef struct ptc_frame ptc_frame;
typedef struct ptc_program ptc_program;
typedef struct ptc_services ptc_services;

/** One call as generated code sees it. */
struct ptc_frame {
  const ptc_value *inputs;      /**< leaves of the arguments, depth first */
  uint32_t num_inputs;          /**< as the structure says */
  uint32_t structure;           /**< which structure of the entry the arguments have */
  unsigned char *arena;         /**< aligned to PTC_ALIGNMENT; contents are undefined */
  uint64_t arena_bytes;         /**< at least what the variant needs */
  const unsigned char *weights; /**< base of the packed weights */
  struct ptc_slot *state;       /**< by slot number */
  const ptc_services *services;
  ptc_value *outputs; /**< leaves of the result; `run` writes numbers itself, see `output` */
  ptc_value *raised;  /**< outcomes that raise: operands of program.end go here instead */
  uint32_t num_outputs;
  uint32_t outcome; /**< out: number of the region of program.finish */
  uint32_t threads; /**< how many threads the call may use */
  uint8_t grad_mode;
  uint8_t reserved[3];
  ptc_context *context;
};

/** A place of the program for failures: constant data of the artefact. */
typedef struct ptc_site {
  const char *type; /**< of the exception, "" if it is none: `IndexError` */
  const char *text;
  const char *file;
  uint32_t line;
} ptc_site;

/** A slot of the state of a context. */
typedef struct ptc_slot {
  ptc_value value; /**< a number, or a tensor: then `value.as.tensor` is `&tensor` */
  DLTensor tensor; /**< its shape and strides are `sizes` and `strides` */
  int64_t sizes[PTC_MAX_RANK], strides[PTC_MAX_RANK];
  uint64_t capacity; /**< bytes behind `tensor.data` */
  /** Where `services->state` lets the next contents be written, and what they will be. */
  void *spare;
  uint64_t spare_capacity;
  int64_t spare_sizes[PTC_MAX_RANK], spare_strides[PTC_MAX_RANK];
  int32_t spare_rank;
  DLDataType spare_type;
} ptc_slot;

struct ptc_text_buffer; /* of the stub */
/** Adds repr(tensor) as torch has it; `suffix`, of `length` bytes, comes last in it. Apart from the
    stub and hidden, as the next one: artefacts have those that they name. */
void ptc_put_tensor(struct ptc_text_buffer *out, const ptc_value *tensor, const char *suffix,
                    size_t length);
/** Adds format(number, spec). */
void ptc_put_number(struct ptc_text_buffer *out, const ptc_value *number, const char *spec,
                    size_t length);
/** Is it a spec that ptc_put_number knows, of those that Python takes for an int or a float? */
bool ptc_is_number_spec(const char *spec, size_t length, bool is_real);

/** Part of a text that is made at run time; a text is an array of them. */
typedef struct ptc_text_part {
  const char *text;      /**< literal: the text itself; else the format spec (`.2f`), or "";
                              of a tensor its suffix */
  uint32_t length;       /**< of `text` */
  int32_t value;         /**< which of the values; -1: literal text */
  char conversion;       /**< `s`, `r`, `a`: str(), repr(), ascii(); `f`: format() with a spec;
                              `t`, `n`: of a tensor and format() of a number, by `put` */
  int32_t choice;        /**< -1, or: this part counts only where value `choice` … */
  int64_t choice_equals; /**< … has this number */
  /** `ptc_put_tensor`, `ptc_put_number`, or null. */
  void (*put)(struct ptc_text_buffer *, const ptc_value *, const char *, size_t);
} ptc_text_part;

/** Numbers that describe a tensor, as services take them. Strides are in elements. */
typedef struct ptc_shape {
  DLDataType dtype;
  int32_t rank;
  const int64_t *sizes, *strides;
  uint64_t bytes; /**< of the memory that its elements span */
} ptc_shape;

/** Distributions of random tensors. */
typedef enum ptc_draw_kind {
  ptc_draw_Uniform,     /**< reals `first`, `second`: [first, second) */
  ptc_draw_Normal,      /**< reals: mean, deviation; blocks of 16 where the result is row-major */
  ptc_draw_NormalPairs, /**< the same, never by blocks */
  ptc_draw_Integers,    /**< integers: the lowest, how many; 0: all of 64 bits */
  ptc_draw_All,         /**< integers: how many of 32 random bits, or of 64 for types that wide */
  ptc_draw_Permutation, /**< of 0, 1, … */
  ptc_draw_Bernoulli,   /**< real `first`: of 1 */
  ptc_draw_Exponential, /**< real: lambda */
  ptc_draw_Cauchy,      /**< reals: median, sigma */
  ptc_draw_Geometric,   /**< real: p */
  ptc_draw_LogNormal,   /**< reals: mean, deviation */
  ptc_draw_Dropout      /**< real: the share of elements that are kept; on a device alone */
} ptc_draw_kind;

typedef union ptc_draw_number {
  double real;
  int64_t integer;
} ptc_draw_number;

/** Of a draw: the host does it. */
#define PTC_DRAW_ON_HOST UINT32_MAX

/** What to draw, of which generator. */
typedef struct ptc_draw {
  uint32_t kind; /**< ptc_draw_kind */
  uint32_t generator;
  ptc_draw_number first, second;
  uint32_t kernel;    /**< of the device: counted from its `first_draw` on; or PTC_DRAW_ON_HOST */
  uint32_t per_block; /**< then: numbers that a thread makes of four words */
  const void *self;   /**< of dropout: what it takes elements of, row-major as the result */
  void *mask; /**< of dropout: a byte for each element, 1 where it is kept; null: for none */
} ptc_draw;

/** Arguments of a kernel that draws, eight bytes each. */
enum {
  PTC_DRAW_DATA,   /**< pointer: dense memory */
  PTC_DRAW_COUNT,  /**< elements */
  PTC_DRAW_SEED,   /**< of the generator */
  PTC_DRAW_BLOCK,  /**< number of the first four words, in the stream of each thread */
  PTC_DRAW_FIRST,  /**< as in ptc_draw */
  PTC_DRAW_SECOND, /**< as in ptc_draw; of dropout: neighbours that a thread takes at a time */
  PTC_DRAW_ARGUMENTS,
  /* Of dropout, besides. */
  PTC_DRAW_SELF = PTC_DRAW_ARGUMENTS, /**< pointer */
  PTC_DRAW_MASK,                      /**< pointer, or null */
  PTC_DROPOUT_ARGUMENTS
};

/** Dimensions of a tensor map. */
#define PTC_MAP_RANK 4
/** Of a kernel. */
#define PTC_MAX_MAPS 3
/** Bytes of arguments that a kernel takes. */
#define PTC_MAX_ARGUMENTS 4096

/** Elements of a tensor map. */
typedef enum ptc_map_element {
  ptc_map_Float16,
  ptc_map_BFloat16,
  ptc_map_TFloat32 /**< f32 in memory, rounded to tf32 by the way */
} ptc_map_element;

/** Memory that a kernel of the device brings to its own by whole boxes, where the hardware has
    tensor maps. Dimensions from the innermost on, whose neighbours follow each other. */
typedef struct ptc_tensor_map {
  const void *data;
  uint64_t sizes[PTC_MAP_RANK];       /**< elements; 0: the map is empty */
  uint64_t pitches[PTC_MAP_RANK - 1]; /**< bytes between neighbours along dimension 1, 2, … */
  uint32_t box[PTC_MAP_RANK];         /**< elements; the innermost take 128 bytes */
  uint32_t rank;
  uint32_t element; /**< ptc_map_element */
  /** Of images, channels innermost, in front of columns and rows; 0: there are none. So many
      positions of a window follow each other in a box, `steps` from each other; corners of the
      window's first element are `lower` behind the beginning and `upper` behind the end. */
  uint32_t pixels;
  int32_t lower[2], upper[2];
  uint32_t steps[2];
  uint32_t reserved;
} ptc_tensor_map;

/** A section that threads run together; `thread` is 0 on the caller. */
typedef void (*ptc_section)(void *arg, uint32_t thread, uint32_t num_threads);

/** What generated code asks of the stub. A null pointer or a status other than ok means: the error
   is written; return the status (`frame_status` after a null pointer). */
struct ptc_services {
  /** Memory for the result leaf `leaf`: the caller's buffer, if it gave one that fits; the
      allocator's; or the context's. The leaf's tensor is described by `shape`. */
  void *(*output)(ptc_frame *, uint32_t leaf, const ptc_shape *shape);
  /** Fresh memory that several result leaves share; `storage` numbers such memory from 0. */
  void *(*storage)(ptc_frame *, uint32_t storage, uint64_t bytes);
  /** Makes leaf `leaf` a view of memory at `data`: of an argument, or of `storage`. */
  ptc_status (*view)(ptc_frame *, uint32_t leaf, void *data, const ptc_shape *shape);
  /** Sees to it that the arena has that many bytes. What it held is lost. */
  ptc_status (*arena)(ptc_frame *, uint64_t bytes);
  /** Memory that lives until the call ends, or until `release`, beside the arena: sizes that depend
      on data. */
  void *(*scratch)(ptc_frame *, uint64_t bytes);
  /** Where the next contents of a slot are to be written; not where the present ones are. */
  void *(*state)(ptc_frame *, uint32_t slot, const ptc_shape *shape);
  /** What was written there is the slot's contents from now on. */
  void (*state_commit)(ptc_frame *, uint32_t slot);
  /** Ends the call with a status: an exception of an operation, an int that left its range. Gives
      `status` back. */
  ptc_status (*fail)(ptc_frame *, ptc_status status, const ptc_site *site);
  /** Ends the call with the exception of an outcome; its text is made of `frame->raised`. */
  ptc_status (*raise)(ptc_frame *, const ptc_site *site, const ptc_text_part *parts, uint32_t n);
  /** Stream 1 is stdout, 2 stderr. */
  ptc_status (*print)(ptc_frame *, int32_t stream, const ptc_text_part *parts, uint32_t n,
                      const ptc_value *values);
  /** Up to `frame->threads` threads run `section` once each, the caller included: those that come
      soon enough for what takes one thread about `microseconds`. A pool that is busy leaves
      everything to the caller: `num_threads` is 1 then. */
  void (*parallel)(ptc_frame *, ptc_section section, void *arg, uint32_t microseconds);
  /** Within a section: waits until every thread of it is here. */
  void (*barrier)(uint32_t thread, uint32_t num_threads);
  /** The next 32 bits of a generator (mt19937, as torch's CPU generator). */
  uint32_t (*random)(ptc_frame *, uint32_t generator);
  ptc_status (*seed)(ptc_frame *, uint32_t generator, int64_t seed);
  /** The status of the error that was written last. */
  ptc_status (*frame_status)(const ptc_frame *);
  /** How many elements of a tensor are not 0. */
  int64_t (*count_nonzero)(ptc_frame *, const void *data, const ptc_shape *shape);
  /** Where these are: one column of `count` numbers per dimension. */
  void (*put_nonzero)(ptc_frame *, const void *data, const ptc_shape *shape, int64_t *places,
                      int64_t count);
  /** Elements of `data` where `mask`, of the same sizes, is not 0. */
  void (*masked_select)(ptc_frame *, const void *data, const ptc_shape *shape, const void *mask,
                        const ptc_shape *mask_shape, void *out);
  /** Fills dense memory as eager does. Uniform, normal: float32 and float64; Bernoulli: these and
      integers; integers, permutations: any but 16-bit floats. Kernels of a device draw 16-bit
     floats, too. */
  void (*draw)(ptc_frame *, const ptc_draw *what, void *data, const ptc_shape *shape);
  /** Makes leaf `leaf` a list of that many elements, which `give_element` sets: a number, or, where
      there is a shape, a copy of the tensor at the address in `value->as`; with the tag Tensor, a
     view of the memory there. */
  ptc_status (*give_list)(ptc_frame *, uint32_t leaf, int64_t length);
  ptc_status (*give_element)(ptc_frame *, uint32_t leaf, int64_t number, const ptc_value *value,
                             const ptc_shape *shape);
  /** Memory of a thread for one kernel, whose sizes only the run knows; the next kernel gets the
      same. */
  void *(*temporary)(ptc_frame *, uint32_t thread, uint64_t bytes);
  /** As `scratch`: for lists and what their elements are. */
  void *(*list)(ptc_frame *, uint64_t bytes);
  /** Says what memory there is, for `release`. */
  uint64_t (*mark)(ptc_frame *);
  /** At the end of a turn of a loop: gives back what `scratch` and `list` gave since `mark`, but
     for memory that one of `n` addresses lies in, and lists where these are carried on. */
  void (*release)(ptc_frame *, uint64_t mark, void *const *carried, uint32_t n,
                  uint32_t keeps_lists);
  /* Of programs for a device, whose tensors lie in its memory; null in others. */
  /** Starts a kernel of the device, in the order of these calls. `threads`: that there is work for;
      `arguments`: as they lie for the kernel. What fails is found by `frame_status`. */
  void (*launch)(ptc_frame *, uint32_t kernel, uint64_t threads, const void *arguments,
                 uint32_t bytes);
  /** Waits for what was started, then copies from the device. */
  ptc_status (*read)(ptc_frame *, void *to, const void *from, uint64_t bytes);
  /** The program writes to the memory of an argument. */
  void (*writes)(ptc_frame *, uint32_t input);
  /** A copy of a tensor's memory on the host, until the call ends; null: there is none, and
      `frame_status` says why. */
  void *(*fetch)(ptc_frame *, const void *data, const ptc_shape *shape);
  /** As `frame_status`, once the driver has been given what was started. */
  ptc_status (*settle)(ptc_frame *);
  /** As `launch`; behind its arguments the kernel gets tensor maps, at most PTC_MAX_MAPS. Where the
     device has none, or memory does not lie as they need it, kernel `otherwise` starts, without
     them. */
  void (*launch_mapped)(ptc_frame *, uint32_t kernel, uint64_t threads, uint32_t otherwise,
                        uint64_t otherwise_threads, const void *arguments, uint32_t bytes,
                        const ptc_tensor_map *maps, uint32_t num_maps);
  /* Of all programs. */
  /** Nanoseconds of a clock: a value of ptc_clock_kind. */
  int64_t (*clock)(ptc_frame *, int32_t which);
};

/*===----------------------------------------------------------------------------===*
 * Tables that the compiler emits: rows without padding, their bytes are written as they are
 *===----------------------------------------------------------------------------===*/

/** Rows of PTC_OBSERVABLE, and two more that a structure knows without looking at a leaf. */
typedef enum ptc_observable_kind {
#define PTC_OBSERVABLE(Name, Keyword, Text, Format, Cost) ptc_observable_##Name,
#include "ptc/Runtime/GuardKinds.def"
  ptc_observable_constant, /**< `index` is its value */
  ptc_observable_absent    /**< a call of this structure does not have it */
} ptc_observable_kind;

/** Operators of FloatCompare. */
enum { PTC_FLOAT_EQ, PTC_FLOAT_NE, PTC_FLOAT_LT, PTC_FLOAT_LE, PTC_FLOAT_GT, PTC_FLOAT_GE };

/** How the cold path reads an observable from a call of one structure. */
typedef struct ptc_source {
  uint32_t kind;  /**< ptc_observable_kind */
  uint32_t leaf;  /**< which input */
  uint32_t other; /**< Overlap: the other input; FloatCompare: PTC_FLOAT_… */
  int64_t index;  /**< as in the table of observables */
} ptc_source;

/** How a leaf stands in a call that is written as example JSON. */
typedef struct ptc_leaf_text {
  const char *place;    /**< `args[0]`: what {"$same": …} calls it; "" if it has no such name */
  const char *constant; /**< JSON of a set, which is part of the structure; else "" */
  const char *behind;   /**< what follows it, up to the next leaf */
} ptc_leaf_text;

/** A structure that the arguments of an entry can have. */
typedef struct ptc_structure {
  const ptc_source *sources; /**< by observable of the guard table */
  uint32_t num_leaves;
  uint32_t reserved;
  const char *before;         /**< JSON in front of the first leaf; null: the notation has no form
                                   for calls of this structure */
  const ptc_leaf_text *texts; /**< by leaf */
} ptc_structure;

/** One way in which a variant ends. */
typedef struct ptc_outcome {
  uint32_t num_leaves; /**< operands of its program.end */
  uint32_t raises;     /**< 1: they are in `raised` and describe an exception */
  /** Leaves that show what is state of the program: as arguments of the next call they would be the
      state itself in eager, which that call may write. */
  const uint32_t *kept;
  uint32_t num_kept, reserved;
} ptc_outcome;

typedef struct ptc_variant {
  const char *name;
  ptc_status (*run)(ptc_frame *);
  uint64_t arena_bytes;
  uint32_t num_outputs; /**< most leaves of an outcome that does not raise */
  uint32_t num_raised;  /**< most leaves of one that does */
  uint32_t num_storages;
  uint32_t num_outcomes;
  const ptc_outcome *outcomes;
  uint64_t thread_bytes; /**< of the arena, behind `arena_bytes`, for each thread of a call */
} ptc_variant;

/** A text that may hold any byte. */
typedef struct ptc_string {
  const char *data;
  uint64_t length;
} ptc_string;

typedef struct ptc_entry {
  const char *name;
  /** Number of the variant that fits, -1 if none does. Reads inputs, structure and grad_mode only.
   */
  int32_t (*dispatch)(const ptc_frame *);
  const ptc_guard_table *guards; /**< null: no guards */
  const ptc_structure *structures;
  const ptc_variant *variants;
  /** Texts that string observables are numbered by; leaves with another text have the number -1. */
  const ptc_string *strings;
  uint32_t num_structures, num_variants, num_strings, reserved;
} ptc_entry;

#define PTC_ANY_SIZE (-1)

typedef struct ptc_state_row {
  const char *name; /**< "" for shared objects without one */
  uint32_t tag;     /**< Bool, Int, Float or Tensor */
  DLDataType dtype;
  int32_t rank;
  uint32_t reserved;
  /** Of a tensor: what the code takes for granted; PTC_ANY_SIZE: it reads the slot. */
  const int64_t *sizes, *strides;
} ptc_state_row;

/** Code for one kind of device. */
typedef enum ptc_image_kind {
  ptc_image_machine, /**< machine code, for later devices of the same major number, too */
  ptc_image_exact,   /**< machine code for that capability alone */
  ptc_image_ptx      /**< text, terminated: the driver makes machine code of it */
} ptc_image_kind;
typedef struct ptc_device_image {
  const void *data;
  uint64_t bytes;
  uint32_t kind;       /**< ptc_image_kind */
  uint32_t capability; /**< least that a device has to have: ten times the major plus the minor
                            number */
} ptc_device_image;

/** A kernel of the device. */
typedef struct ptc_device_kernel {
  const char *name;
  uint32_t threads;       /**< of a block */
  uint32_t shared_bytes;  /**< of dynamic shared memory */
  uint32_t per_processor; /**< blocks that go through all work; 0: there may be any number */
  uint32_t awaits;        /**< 1: its machine code waits for the kernels before it by itself */
} ptc_device_kernel;

/** What a program for a device brings along. */
typedef struct ptc_device_code {
  const struct ptc_device_runtime *runtime; /**< of the stub */
  const ptc_device_image *images;           /**< the best first */
  const ptc_device_kernel *kernels;
  uint32_t num_images, num_kernels;
  uint32_t first_draw, reserved; /**< of the kernels, the first that draws */
} ptc_device_code;

/** Everything about an artefact; a constant of the program's object. */
struct ptc_program {
  uint32_t size; /**< sizeof(ptc_program) */
  uint16_t major, minor;
  const char *name;
  const ptc_entry *entries;
  const ptc_state_row *states;
  /** What runs when a context is made: gives every slot its contents. Null: nothing does. */
  ptc_status (*init)(ptc_frame *);
  uint64_t init_arena_bytes;
  uint32_t num_entries, num_states, num_generators;
  uint32_t weights_external; /**< 1: from a file or the caller */
  uint64_t weights_bytes;
  uint64_t weights_hash;         /**< of names, types and bytes: which weights they are */
  const char *manifest;          /**< JSON, terminated */
  const ptc_device_code *device; /**< null: everything runs on the host */
  uint64_t weights_content;      /**< XXH64 of the packed bytes */
  uint64_t cpu_features; /**< that the code may use: a bit for each row of CpuFeatures.def */
};

/** An observable of a call, as the cold path reads it; `present` is 0 or 1. */
typedef struct ptc_reading {
  int64_t value, present;
} ptc_reading;
/** Of the stub, hidden: generated dispatch reads by it what is seldom asked for. */
ptc_reading ptc_read(const ptc_entry *entry, uint32_t observable, const ptc_frame *frame);

/** Defined by the object that the compiler makes of a program; hidden. */
extern const ptc_program ptc_this_program;
extern const char ptc_this_name[]; /**< MODEL */
/** Embedded weights, or null; hidden. */
extern const unsigned char *const ptc_this_weights;

#ifdef __cplusplus
}
#endif

#endif /* PTC_RUNTIME_FRAME_H */
