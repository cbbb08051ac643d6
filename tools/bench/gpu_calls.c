/*===- gpu_calls.c - What a call and a load of an artefact cost the caller's thread ------===*
 *
 * In: a library for an NVIDIA GPU, how many calls, and its arguments as `bf16:32,512`. Out: lines
 * of text, times of this thread: to load the artefact where the driver's context exists, first and
 * again; of calls one by one, with the same tensors and with others each time, all on the device;
 * and what the driver itself takes for a launch and for the start of a graph of empty kernels.
 *
 *     cc -O2 -I include tools/bench/gpu_calls.c lib/Runtime/Load.c -ldl -o gpu_calls
 *     gpu_calls ./model.so 10000 bf16:32,512
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "ptc/Runtime/ptc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_RANK = 8, MAX_TENSORS = 64, LOADS = 5, BATCH = 100, MAX_NODES = 64 };

typedef void *handle;
typedef uint64_t pointer;
/* As cuda.h has them. */
typedef struct {
  handle function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
} kernel_node;

#define FUNCTIONS(F)                                                                               \
  F(cuInit, (unsigned))                                                                            \
  F(cuDevicePrimaryCtxRetain, (handle *, int))                                                     \
  F(cuCtxSetCurrent, (handle))                                                                     \
  F(cuCtxSynchronize, (void))                                                                      \
  F(cuMemAlloc_v2, (pointer *, size_t))                                                            \
  F(cuMemsetD8_v2, (pointer, unsigned char, size_t))                                               \
  F(cuModuleLoadData, (handle *, const void *))                                                    \
  F(cuModuleGetFunction, (handle *, handle, const char *))                                         \
  F(cuLaunchKernel, (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                     handle, void **, void **))                                                    \
  F(cuGraphCreate, (handle *, unsigned))                                                           \
  F(cuGraphAddKernelNode, (handle *, handle, const handle *, size_t, const kernel_node *))         \
  F(cuGraphInstantiateWithFlags, (handle *, handle, unsigned long long))                           \
  F(cuGraphLaunch, (handle, handle))
#define DECLARE(Name, Arguments) static int(*Name) Arguments;
FUNCTIONS(DECLARE)

static void stop(const char *what, int code) {
  fprintf(stderr, "gpu_calls: %s: %d\n", what, code);
  exit(1);
}
static void check(int code, const char *what) {
  if (code)
    stop(what, code);
}
#define CALL(Name, ...) check(Name(__VA_ARGS__), #Name)

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    stop("no libcuda.so.1", 0);
#define FIND(Name, Arguments)                                                                      \
  if (!(*(void **)&Name = dlsym(library, #Name)))                                                  \
    stop("the driver has no " #Name, 0);
  FUNCTIONS(FIND)
  handle context;
  CALL(cuInit, 0);
  CALL(cuDevicePrimaryCtxRetain, &context, 0);
  CALL(cuCtxSetCurrent, context);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_times(const char *what, double *times, int n) {
  qsort(times, (size_t)n, sizeof *times, compare);
  printf("%-44s median %7.2f us, 10%% %7.2f, 90%% %7.2f\n", what, times[n / 2] / 1e3,
         times[n / 10] / 1e3, times[n - 1 - n / 10] / 1e3);
}

/*===- Tensors of the device ----------------------------------------------------------===*/

typedef struct {
  DLTensor tensor;
  int64_t sizes[MAX_RANK];
} own_tensor;

static void place(own_tensor *made, DLDataType dtype, int rank, const int64_t *sizes) {
  size_t bytes = (dtype.bits + 7u) / 8;
  for (int d = 0; d < rank; ++d)
    bytes *= (size_t)(made->sizes[d] = sizes[d]);
  pointer at = 0;
  CALL(cuMemAlloc_v2, &at, bytes ? bytes : 1);
  CALL(cuMemsetD8_v2, at, 0, bytes ? bytes : 1);
  made->tensor = (DLTensor){(void *)(uintptr_t)at, {kDLCUDA, 0}, rank, dtype, made->sizes, NULL, 0};
}

/* `bf16:32,512` */
static void parse(const char *text, own_tensor *made) {
  static const struct {
    const char *name;
    DLDataType dtype;
  } names[] = {{"bf16", {kDLBfloat, 16, 1}},
               {"f16", {kDLFloat, 16, 1}},
               {"f32", {kDLFloat, 32, 1}},
               {"i64", {kDLInt, 64, 1}}};
  size_t length = strcspn(text, ":");
  int64_t sizes[MAX_RANK];
  int rank = 0;
  for (const char *at = text + length; *at && rank < MAX_RANK; at += strcspn(at, ","))
    sizes[rank++] = strtoll(++at, NULL, 10);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strlen(names[i].name) == length && strncmp(text, names[i].name, length) == 0) {
      place(made, names[i].dtype, rank, sizes);
      return;
    }
  stop(text, 0);
}

/* A call, with tensors of its own. */
typedef struct {
  own_tensor inputs[MAX_TENSORS], outputs[MAX_TENSORS];
  ptc_value given[MAX_TENSORS], taken[MAX_TENSORS];
  ptc_invocation call;
} prepared;

static void run(ptc_context *context, prepared *one) {
  ptc_status status = ptc_invoke(context, &one->call);
  if (status != ptc_status_ok) {
    fprintf(stderr, "%s\n", ptc_last_error(context)->text);
    stop("call", status);
  }
}

/* Results are found by a call that lets the context provide them. */
static void prepare(ptc_context *context, prepared *one, char **texts, int n) {
  for (int i = 0; i < n; ++i) {
    parse(texts[i], &one->inputs[i]);
    one->given[i] = ptc_of_tensor(&one->inputs[i].tensor);
  }
  one->call = (ptc_invocation){0, 0, one->given, (uint32_t)n, MAX_TENSORS, one->taken, 0, 0};
  run(context, one);
  for (int i = 0; i < MAX_TENSORS && one->taken[i].tag == ptc_tag_Tensor; ++i) {
    const DLTensor *found = one->taken[i].as.tensor;
    place(&one->outputs[i], found->dtype, found->ndim, found->shape);
    one->taken[i] = ptc_of_tensor(&one->outputs[i].tensor);
  }
}

static void time_calls(ptc_context *context, prepared *sets, int step, int calls,
                       const char *what) {
  double *times = malloc((size_t)calls * sizeof *times);
  if (!times)
    stop("no memory", 0);
  for (int i = 0; i < calls; ++i) {
    if (i % BATCH == 0)
      CALL(cuCtxSynchronize);
    prepared *one = &sets[i * step % 2];
    double begin = now();
    run(context, one);
    times[i] = now() - begin;
  }
  CALL(cuCtxSynchronize);
  print_times(what, times, calls);
  free(times);
}

/*===- What the driver takes ----------------------------------------------------------===*/

static const char empty[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                            ".visible .entry empty()\n{\n  ret;\n}\n";

static void time_driver(int nodes, int calls) {
  double *times = malloc((size_t)calls * sizeof *times);
  handle module, function, graph, made, last = NULL;
  if (!times)
    stop("no memory", 0);
  CALL(cuModuleLoadData, &module, empty);
  CALL(cuModuleGetFunction, &function, module, "empty");
  CALL(cuGraphCreate, &graph, 0);
  kernel_node node = {function, {1, 1, 1}, {32, 1, 1}, 0, NULL, NULL};
  for (int i = 0; i < nodes; ++i) {
    handle before = last;
    CALL(cuGraphAddKernelNode, &last, graph, i ? &before : NULL, i > 0, &node);
  }
  CALL(cuGraphInstantiateWithFlags, &made, graph, 0);
  for (int kind = nodes == 1 ? 0 : 1; kind < (nodes == 1 ? 3 : 2); ++kind) {
    for (int i = 0; i < calls; ++i) {
      if (i % BATCH == 0)
        CALL(cuCtxSynchronize);
      double begin = now();
      if (kind == 1)
        CALL(cuGraphLaunch, made, NULL);
      else if (kind == 2)
        CALL(cuLaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
      times[i] = now() - begin;
    }
    char text[64];
    snprintf(text, sizeof text, "driver: graph of %d empty kernels", nodes);
    print_times(kind == 0   ? "two readings of the clock"
                : kind == 1 ? text
                            : "driver: one launch",
                times, calls);
  }
  CALL(cuCtxSynchronize);
  free(times);
}

/*===----------------------------------------------------------------------------------===*/

static ptc_context *load(const char *path, ptc_model **model, double *milliseconds) {
  ptc_context *context;
  double begin = now();
  check(ptc_model_load(path, NULL, model), "ptc_model_load");
  check(ptc_context_create(*model, &context), "ptc_context_create");
  *milliseconds = (now() - begin) / 1e6;
  return context;
}

int main(int argc, char **argv) {
  if (argc < 3 || argc - 3 > MAX_TENSORS)
    stop("usage: gpu_calls LIBRARY CALLS [DTYPE:SIZES]...", 0);
  int calls = atoi(argv[2]);
  if (calls < BATCH)
    stop("at least 100 calls", calls);
  open_driver();
  ptc_model *model;
  double first, again[LOADS];
  ptc_context *context = load(argv[1], &model, &first);
  for (int i = 0; i < LOADS; ++i) {
    ptc_context_destroy(context);
    ptc_model_close(model);
    context = load(argv[1], &model, &again[i]);
  }
  qsort(again, LOADS, sizeof *again, compare);
  printf("%-44s %.1f ms, again %.1f ms\n", "load, the driver's context exists", first,
         again[LOADS / 2]);
  prepared *sets = calloc(2, sizeof *sets);
  if (!sets)
    stop("no memory", 0);
  prepare(context, &sets[0], argv + 3, argc - 3);
  prepare(context, &sets[1], argv + 3, argc - 3);
  time_calls(context, sets, 0, calls, "call, same tensors");
  time_calls(context, sets, 1, calls, "call, other inputs and outputs each time");
  time_driver(1, calls);
  time_driver(8, calls);
  ptc_context_destroy(context);
  ptc_model_close(model);
  return 0;
}
