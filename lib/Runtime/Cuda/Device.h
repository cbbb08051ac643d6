/*===- Device.h - What the files of the runtime of NVIDIA GPUs share -----*- C -*-===*
 *
 * The CUDA driver, as far as it is used, and what models and contexts keep of it. The driver is
 * opened when a model is: nothing here needs it to be linked, or its headers.
 *
 *===----------------------------------------------------------------------------===*/
#ifndef PTC_LIB_RUNTIME_CUDA_DEVICE_H
#define PTC_LIB_RUNTIME_CUDA_DEVICE_H

#include "../Stub.h"

/* What is used of cuda.h; a result of 0 is success. */
typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_pointer;
typedef void *cu_handle; /* contexts, modules, functions, streams, graphs and their nodes */
/* A launch in a graph. */
typedef struct {
  cu_handle function;
  unsigned blocks, blocks_y, blocks_z, threads, threads_y, threads_z, shared_bytes;
  void **parameters, **extra;
} cu_kernel_node;

/* From one node to the next. */
typedef struct {
  unsigned char from_port, to_port, type, reserved[5];
} cu_edge;
enum { CU_EDGE_PROGRAMMATIC = 1, CU_PORT_PROGRAMMATIC = 1 };

enum { CU_OUT_OF_MEMORY = 2, CU_NOT_FOUND = 500 };
enum { CU_CAPABILITY_MAJOR = 75, CU_CAPABILITY_MINOR = 76 };
enum { CU_NUM_PROCESSORS = 16, CU_THREADS_PER_PROCESSOR = 39 };
enum { CU_MAX_DYNAMIC_SHARED = 8 };
/* What the hardware reads of memory that it brings by boxes. */
typedef struct {
  _Alignas(PTC_ALIGNMENT) unsigned char bytes[128];
} cu_tensor_map;
enum { CU_MAP_FLOAT16 = 6, CU_MAP_BFLOAT16 = 9, CU_MAP_TFLOAT32 = 11 };
enum { CU_MAP_PLAIN = 0, CU_MAP_EXCHANGED_128 = 3, CU_MAP_L2_256 = 3, CU_MAP_ZEROS = 0 };

#define CU_FUNCTIONS(F)                                                                            \
  F(init, "cuInit", (unsigned))                                                                    \
  F(device_get, "cuDeviceGet", (cu_device *, int))                                                 \
  F(device_attribute, "cuDeviceGetAttribute", (int *, int, cu_device))                             \
  F(context_retain, "cuDevicePrimaryCtxRetain", (cu_handle *, cu_device))                          \
  F(context_release, "cuDevicePrimaryCtxRelease_v2", (cu_device))                                  \
  F(context_current, "cuCtxGetCurrent", (cu_handle *))                                             \
  F(context_push, "cuCtxPushCurrent_v2", (cu_handle))                                              \
  F(context_pop, "cuCtxPopCurrent_v2", (cu_handle *))                                              \
  F(module_load, "cuModuleLoadData", (cu_handle *, const void *))                                  \
  F(module_unload, "cuModuleUnload", (cu_handle))                                                  \
  F(module_function, "cuModuleGetFunction", (cu_handle *, cu_handle, const char *))                \
  F(function_set, "cuFuncSetAttribute", (cu_handle, int, int))                                     \
  F(allocate, "cuMemAlloc_v2", (cu_pointer *, size_t))                                             \
  F(release, "cuMemFree_v2", (cu_pointer))                                                         \
  F(to_device, "cuMemcpyHtoDAsync_v2", (cu_pointer, const void *, size_t, cu_handle))              \
  F(to_host, "cuMemcpyDtoHAsync_v2", (void *, cu_pointer, size_t, cu_handle))                      \
  F(on_device, "cuMemcpyDtoDAsync_v2", (cu_pointer, cu_pointer, size_t, cu_handle))                \
  F(synchronize, "cuStreamSynchronize", (cu_handle))                                               \
  F(launch, "cuLaunchKernel",                                                                      \
    (cu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cu_handle,   \
     void **, void **))                                                                            \
  F(graph_create, "cuGraphCreate", (cu_handle *, unsigned))                                        \
  F(graph_add, "cuGraphAddKernelNode",                                                             \
    (cu_handle *, cu_handle, const cu_handle *, size_t, const cu_kernel_node *))                   \
  F(graph_instantiate, "cuGraphInstantiateWithFlags",                                              \
    (cu_handle *, cu_handle, unsigned long long))                                                  \
  F(graph_launch, "cuGraphLaunch", (cu_handle, cu_handle))                                         \
  F(graph_destroy, "cuGraphDestroy", (cu_handle))                                                  \
  F(executable_set, "cuGraphExecKernelNodeSetParams",                                              \
    (cu_handle, cu_handle, const cu_kernel_node *))                                                \
  F(executable_destroy, "cuGraphExecDestroy", (cu_handle))                                         \
  F(error_text, "cuGetErrorString", (cu_result, const char **))
/* Drivers have these or not. */
#define CU_LATER_FUNCTIONS(F)                                                                      \
  F(encode_map, "cuTensorMapEncodeTiled",                                                          \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const uint32_t *,          \
     const uint32_t *, int, int, int, int))                                                        \
  F(encode_images, "cuTensorMapEncodeIm2col",                                                      \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const int32_t *,           \
     const int32_t *, uint32_t, uint32_t, const uint32_t *, int, int, int, int))                   \
  F(graph_link, "cuGraphAddDependencies_v2",                                                       \
    (cu_handle, const cu_handle *, const cu_handle *, const cu_edge *, size_t))

typedef struct {
#define CU_FIELD(Name, Symbol, Arguments) cu_result(*Name) Arguments;
  CU_FUNCTIONS(CU_FIELD)
  CU_LATER_FUNCTIONS(CU_FIELD)
#undef CU_FIELD
} cu_driver;

/* Of a model. */
typedef struct {
  cu_driver driver;
  cu_device device;
  int32_t ordinal; /* as DLPack counts devices */
  cu_handle context, module;
  cu_handle *functions; /* by kernel; null: the image has no such kernel */
  uint32_t processors, threads_per_processor;
  bool has_machine_code; /* else the driver made it of PTX */
  cu_pointer weights;
} model_device;

/* An argument in memory of the host, or a part of one: where it lies on the device. */
typedef struct {
  ptc_block block;
  uintptr_t begin, end; /* on the host; equal: it has no place of its own */
  bool is_written;
} staged_input;

/* A result whose buffer is the host's. */
typedef struct {
  ptc_block block;
  void *host; /* of this call; null: none */
  uint64_t bytes;
} staged_output;

/* A launch; its arguments lie at `at` of those of its list, what its tensor maps are made of behind
   them. */
typedef struct {
  uint32_t kernel, blocks, at, bytes, num_maps;
} launch_row;

typedef struct {
  launch_row *rows;
  unsigned char *arguments;
  uint32_t count, most, bytes, most_bytes;
} launch_list;

/* A sequence of kernels that ran before, and what its nodes were told last. */
typedef struct {
  launch_list last;
  cu_handle graph, executable; /* null: it ran once */
  cu_handle *nodes;
  uint64_t used;
  bool is_refused; /* there is no graph of it */
} kernel_graph;

enum { MAX_GRAPHS = 16 };

/* Of a context. */
typedef struct {
  model_device *model;
  ptc_services services;
  cu_handle stream;
  cu_result failed;  /* the first failure of this call that no status has told */
  cu_result refused; /* why there was no memory when it was asked for last */
  ptc_value *inputs;
  DLTensor *tensors;
  staged_input *staged;
  uint32_t num_inputs, most_inputs, num_outputs;
  staged_output *outputs;
  ptc_block *states; /* of the host: contents and description of each slot */
  ptc_block *blocks; /* memory of the call on the device, in the order in which it was asked for */
  uint32_t num_blocks, most_blocks;
  launch_list pending; /* not given to the driver yet */
  kernel_graph graphs[MAX_GRAPHS];
  uint64_t uses;
  uint64_t calls;
  bool is_inside;       /* between begin and end: the driver's context is current */
  bool is_pushed;       /* it was not before */
  bool is_call;         /* else the program begins */
  bool results_on_host; /* those without a buffer */
  bool awaited;         /* memory of the host is read or written: the call waits for it */
} context_device;

/* Model.c */
ptc_status ptc_cuda_open(ptc_model *model, const ptc_options *options);
void ptc_cuda_close(ptc_model *model);

/* Context.c: around each use of the driver that no call is around, its context is made current.
   Where that fails, nothing is asked of the driver. */
cu_result ptc_cuda_enter(context_device *own);
void ptc_cuda_leave(context_device *own);
/* Keeps a failure until the call can end with it. */
void ptc_cuda_note(context_device *own, cu_result result);
ptc_status ptc_cuda_report(ptc_context *context, cu_result result);
ptc_status ptc_cuda_upload(ptc_context *context, void *to, const void *from, uint64_t bytes);
ptc_status ptc_cuda_download(ptc_context *context, void *to, const void *from, uint64_t bytes);

/* Launches.c */
void ptc_cuda_launch(ptc_frame *frame, uint32_t kernel, uint64_t threads, const void *arguments,
                     uint32_t bytes);
void ptc_cuda_launch_mapped(ptc_frame *frame, uint32_t kernel, uint64_t threads, uint32_t otherwise,
                            uint64_t otherwise_threads, const void *arguments, uint32_t bytes,
                            const ptc_tensor_map *maps, uint32_t num_maps);
/* Gives the driver what was launched: in front of everything else that the stream gets. */
void ptc_cuda_flush(ptc_context *context);
/* What the driver has of them; then memory of the host. */
void ptc_cuda_drop_graphs(context_device *own);
void ptc_cuda_free_launches(context_device *own);

/* Draw.c */
void ptc_cuda_draw(ptc_frame *frame, const ptc_draw *what, void *data, const ptc_shape *shape);

/* Permutation.c: `threads` of eager's kernel, which draws the keys; `count` is not 0. */
uint64_t ptc_cuda_permute_bytes(uint64_t count); /* of `memory` */
void ptc_cuda_permute(ptc_generator *generator, uint64_t threads, void *memory, DLDataType type,
                      void *data, uint64_t count);

/* Services.c */
void ptc_cuda_set_services(ptc_services *services);

/* Arguments.c, Results.c */
ptc_status ptc_cuda_begin(ptc_context *context, const ptc_invocation *invocation);
ptc_status ptc_cuda_end(ptc_context *context, ptc_status status);
void *ptc_cuda_stage(ptc_context *context, uint32_t leaf, void *host, uint64_t bytes);

#endif /* PTC_LIB_RUNTIME_CUDA_DEVICE_H */
