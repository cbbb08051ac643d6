/*===- driver.c - A CUDA driver without a GPU ------------------------------------------------===*
 *
 * Built as libcuda.so.1 by the tests, which load it in front of any real one. It has the functions
 * that artefacts use and no others. Memory of the device is addresses that fault: whoever reads or
 * writes them on the host is caught. Copies go to memory behind them; kernels are found in the
 * images, their launches checked and written down, and compute nothing: results are what the host
 * copied there, else 0.
 *
 * FAKE_CUDA_LOG: a file: one line for each call that changes something, and, where the process
 * ends, what is left.
 *
 * FAKE_CUDA_FAIL: `name:n=result`: the n-th call of a function, since this was said, gives this
 * result and does nothing. `name:n+=result`: this one and all that follow. `*`: of any name.
 *
 * FAKE_CUDA_ARCH: compute capability, default 90.
 *
 * FAKE_CUDA_PTX: set: machine code is refused.
 *
 *===----------------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  OK = 0,
  INVALID_VALUE = 1,
  NOT_INITIALIZED = 3,
  INVALID_CONTEXT = 201,
  NO_BINARY = 209,
  NOT_FOUND = 500
};
enum { MAX_REGIONS = 4096, MAX_FUNCTIONS = 4096, PAGE = 4096 };

typedef int result;
typedef uint64_t pointer;

static struct region {
  pointer begin;
  size_t bytes;
  unsigned char *behind; /* null: free */
} regions[MAX_REGIONS];
static struct {
  char name[256];
} functions[MAX_FUNCTIONS];
static int num_functions, num_graphs, depth, retained, is_initialized;
static char the_context, the_module, the_stream;
static const char *image;

/*===- What is written down ----------------------------------------------------------===*/

static void say(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  va_list args;
  va_start(args, format);
  vfprintf(file, format, args);
  va_end(args);
  fputc('\n', file);
  fclose(file);
}

static result wrong(const char *what) {
  say("WRONG %s", what);
  return INVALID_VALUE;
}

__attribute__((destructor)) static void at_end(void) {
  size_t left = 0;
  for (int i = 0; i < MAX_REGIONS; ++i)
    left += regions[i].behind != NULL;
  say("end: %zu allocations, %d graphs, %d contexts current, %d retained", left, num_graphs, depth,
      retained);
}

/* Whether this call of `name` is one that fails, and how. */
static result failure(const char *name, int *calls, int *since) {
  static char said[256];
  static int wishes;
  const char *wish = getenv("FAKE_CUDA_FAIL");
  size_t length = wish && *wish == '*' ? 1 : strlen(name);
  if (strcmp(wish ? wish : "", said) != 0) {
    snprintf(said, sizeof said, "%s", wish ? wish : "");
    ++wishes;
  }
  if (*since != wishes)
    *calls = 0;
  *since = wishes;
  ++*calls;
  if (!wish || (*wish != '*' && strncmp(wish, name, length) != 0) || wish[length] != ':')
    return OK;
  int number = 0, code = 0;
  if (sscanf(wish + length, ":%d+=%d", &number, &code) == 2
          ? *calls < number
          : sscanf(wish + length, ":%d=%d", &number, &code) != 2 || number != *calls)
    return OK;
  say("%s fails with %d", name, code);
  return code;
}
#define MAY_FAIL(Name)                                                                             \
  do {                                                                                             \
    static int calls, since;                                                                       \
    result failed = failure(Name, &calls, &since);                                                 \
    if (failed)                                                                                    \
      return failed;                                                                               \
  } while (0)
#define NEEDS_CONTEXT(Name)                                                                        \
  do {                                                                                             \
    if (depth == 0) {                                                                              \
      say("WRONG %s without a context", Name);                                                     \
      return INVALID_CONTEXT;                                                                      \
    }                                                                                              \
  } while (0)

/*===- Devices and contexts ----------------------------------------------------------===*/

result cuInit(unsigned flags) {
  MAY_FAIL("cuInit");
  is_initialized = 1;
  return flags ? wrong("flags of cuInit") : OK;
}
result cuDeviceGet(int *device, int ordinal) {
  MAY_FAIL("cuDeviceGet");
  *device = 0;
  return !is_initialized ? NOT_INITIALIZED : ordinal ? wrong("ordinal") : OK;
}
result cuDeviceGetAttribute(int *value, int attribute, int device) {
  MAY_FAIL("cuDeviceGetAttribute");
  const char *arch = getenv("FAKE_CUDA_ARCH");
  int capability = arch ? atoi(arch) : 90;
  if (device != 0 || (attribute != 16 && attribute != 39 && attribute != 75 && attribute != 76))
    return wrong("attribute");
  if (attribute == 16 || attribute == 39) { /* processors, and threads of each */
    *value = attribute == 16 ? 132 : 2048;
    return OK;
  }
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return OK;
}
result cuDevicePrimaryCtxRetain(void **context, int device) {
  MAY_FAIL("cuDevicePrimaryCtxRetain");
  *context = &the_context;
  ++retained;
  return device ? wrong("device") : OK;
}
result cuDevicePrimaryCtxRelease_v2(int device) {
  --retained;
  return device || retained < 0 ? wrong("release of a context") : OK;
}
result cuCtxGetCurrent(void **context) {
  MAY_FAIL("cuCtxGetCurrent");
  *context = depth ? &the_context : NULL;
  return OK;
}
result cuCtxPushCurrent_v2(void *context) {
  MAY_FAIL("cuCtxPushCurrent");
  ++depth;
  return context != &the_context ? wrong("context") : OK;
}
result cuCtxPopCurrent_v2(void **context) {
  if (depth == 0)
    return wrong("pop without a push");
  --depth;
  *context = &the_context;
  return OK;
}
result cuGetErrorString(result code, const char **text) {
  *text = code == 719 ? "unspecified launch failure" : NULL;
  return *text ? OK : INVALID_VALUE;
}

/*===- Memory -----------------------------------------------------------------------===*/

static size_t in_pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

result cuMemAlloc_v2(pointer *at, size_t bytes) {
  NEEDS_CONTEXT("cuMemAlloc");
  MAY_FAIL("cuMemAlloc");
  if (bytes == 0)
    return wrong("an allocation of nothing");
  for (int i = 0; i < MAX_REGIONS; ++i)
    if (!regions[i].behind) {
      void *place = mmap(NULL, in_pages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (place == MAP_FAILED)
        return 2;
      regions[i] = (struct region){(pointer)place, bytes, calloc(1, bytes)};
      *at = (pointer)place;
      say("alloc %zu", bytes);
      return regions[i].behind ? OK : 2;
    }
  return 2;
}
result cuMemFree_v2(pointer at) {
  NEEDS_CONTEXT("cuMemFree");
  for (int i = 0; i < MAX_REGIONS; ++i)
    if (regions[i].behind && regions[i].begin == at) {
      munmap((void *)at, in_pages(regions[i].bytes));
      free(regions[i].behind);
      regions[i].behind = NULL;
      return OK;
    }
  return wrong("free of what was not allocated");
}

static struct region *region_of(pointer at) {
  for (int i = 0; i < MAX_REGIONS; ++i)
    if (regions[i].behind && at - regions[i].begin < regions[i].bytes)
      return &regions[i];
  return NULL;
}
/* The memory behind an address that so many bytes of the device lie at; null: they do not. */
static unsigned char *behind(pointer at, size_t bytes) {
  struct region *in = region_of(at);
  return in && bytes <= in->bytes - (at - in->begin) ? in->behind + (at - in->begin) : NULL;
}

/* A stream that callers make; artefacts make none. */
result cuStreamCreate(void **stream, unsigned flags) {
  *stream = &the_stream;
  return flags ? wrong("flags of a stream") : OK;
}
static int is_stream(const void *stream) { return !stream || stream == &the_stream; }
static const char *on(const void *stream) { return stream ? " on a stream" : ""; }

result cuMemcpyHtoDAsync_v2(pointer to, const void *from, size_t bytes, void *stream) {
  NEEDS_CONTEXT("cuMemcpyHtoD");
  MAY_FAIL("cuMemcpyHtoD");
  unsigned char *at = behind(to, bytes);
  if (!at || !is_stream(stream) || region_of((pointer)from))
    return wrong("copy to the device");
  memcpy(at, from, bytes);
  say("to device %zu%s", bytes, on(stream));
  return OK;
}
result cuMemcpyDtoHAsync_v2(void *to, pointer from, size_t bytes, void *stream) {
  NEEDS_CONTEXT("cuMemcpyDtoH");
  MAY_FAIL("cuMemcpyDtoH");
  unsigned char *at = behind(from, bytes);
  if (!at || !is_stream(stream) || region_of((pointer)to))
    return wrong("copy to the host");
  memcpy(to, at, bytes);
  say("to host %zu%s", bytes, on(stream));
  return OK;
}
result cuMemcpyDtoDAsync_v2(pointer to, pointer from, size_t bytes, void *stream) {
  NEEDS_CONTEXT("cuMemcpyDtoD");
  MAY_FAIL("cuMemcpyDtoD");
  unsigned char *at = behind(to, bytes), *source = behind(from, bytes);
  if (!at || !source || !is_stream(stream))
    return wrong("copy on the device");
  memmove(at, source, bytes);
  return OK;
}
result cuStreamSynchronize(void *stream) {
  NEEDS_CONTEXT("cuStreamSynchronize");
  MAY_FAIL("cuStreamSynchronize");
  say("synchronize%s", on(stream));
  return is_stream(stream) ? OK : wrong("stream");
}

/*===- Code -------------------------------------------------------------------------===*/

static int is_elf(const char *data) { return memcmp(data, ELFMAG, SELFMAG) == 0; }

/* Whether an image has a kernel: a global function of the symbol table, or an entry of PTX. */
static int has_kernel(const char *data, const char *name) {
  if (!is_elf(data)) {
    char entry[300];
    snprintf(entry, sizeof entry, ".visible .entry %s(", name);
    return strstr(data, entry) != NULL;
  }
  const Elf64_Ehdr *header = (const void *)data;
  const Elf64_Shdr *sections = (const void *)(data + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB)
      continue;
    const Elf64_Sym *symbols = (const void *)(data + sections[i].sh_offset);
    const char *names = data + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; ++k)
      if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC &&
          strcmp(names + symbols[k].st_name, name) == 0)
        return 1;
  }
  return 0;
}

result cuModuleLoadData(void **module, const void *data) {
  NEEDS_CONTEXT("cuModuleLoadData");
  MAY_FAIL("cuModuleLoadData");
  if ((uintptr_t)data % 8)
    return wrong("an image that is not aligned");
  if (is_elf(data) && getenv("FAKE_CUDA_PTX"))
    return NO_BINARY;
  image = data;
  *module = &the_module;
  say("load %s", is_elf(data) ? "machine code" : "PTX");
  return OK;
}
result cuModuleUnload(void *module) {
  NEEDS_CONTEXT("cuModuleUnload");
  return module != &the_module ? wrong("module") : OK;
}
result cuModuleGetFunction(void **function, void *module, const char *name) {
  NEEDS_CONTEXT("cuModuleGetFunction");
  MAY_FAIL("cuModuleGetFunction");
  if (module != &the_module || num_functions == MAX_FUNCTIONS || !has_kernel(image, name))
    return NOT_FOUND;
  int i = 0;
  while (i < num_functions && strcmp(functions[i].name, name) != 0)
    ++i;
  num_functions += i == num_functions;
  snprintf(functions[i].name, sizeof functions->name, "%s", name);
  *function = &functions[i];
  return OK;
}
result cuFuncSetAttribute(void *function, int attribute, int value) {
  MAY_FAIL("cuFuncSetAttribute");
  return attribute == 8 && value > 0 ? OK : wrong("attribute of a function");
}

/* Of 16-bit floats, 128 bytes of the innermost dimension in a box: what is written down in place of
   a map is its memory, how much of it the map covers, and zeros. */
result cuTensorMapEncodeTiled(uint64_t *map, int type, unsigned rank, void *at,
                              const uint64_t *sizes, const uint64_t *pitches, const uint32_t *box,
                              const uint32_t *steps, int interleave, int swizzle, int promotion,
                              int fill) {
  MAY_FAIL("cuTensorMapEncodeTiled");
  if ((uintptr_t)map % 64 || (type != 6 && type != 9 && type != 11) || rank < 2 || rank > 5 ||
      (uintptr_t)at % 16 || interleave || swizzle != 3 || promotion < 0 || promotion > 3 || fill)
    return wrong("tensor map");
  uint64_t last = 0, width = type == 11 ? 4 : 2;
  for (unsigned d = 0; d < rank; ++d) {
    uint64_t pitch = d ? pitches[d - 1] : width;
    if (sizes[d] == 0 || sizes[d] >> 32 || steps[d] != 1 || box[d] == 0 || box[d] > 256 ||
        (d && pitch % 16) || (d == 0 && box[d] * width != 128))
      return wrong("dimension of a tensor map");
    last += (sizes[d] - 1) * pitch;
  }
  if (!behind((pointer)at, last + width))
    return wrong("memory of a tensor map");
  memset(map, 0, 128);
  map[0] = (uint64_t)at;
  map[1] = last + width;
  return OK;
}

/* Images, channels last: windows that begin between the corners. */
result cuTensorMapEncodeIm2col(uint64_t *map, int type, unsigned rank, void *at,
                               const uint64_t *sizes, const uint64_t *pitches, const int *lower,
                               const int *upper, uint32_t channels, uint32_t pixels,
                               const uint32_t *steps, int interleave, int swizzle, int promotion,
                               int fill) {
  uint32_t box[4] = {channels, 1, 1, 1}, ones[4] = {1, 1, 1, 1};
  if (rank != 4 || pixels == 0 || pixels > 1024 || steps[0] != 1 || steps[3] != 1)
    return wrong("tensor map of images");
  for (unsigned d = 0; d < 2; ++d)
    if (lower[d] < -128 || lower[d] > 127 || upper[d] < -128 || upper[d] > 127 ||
        steps[d + 1] == 0 || steps[d + 1] > 8 || (int64_t)sizes[d + 1] + upper[d] - lower[d] <= 0)
      return wrong("window of a tensor map");
  return cuTensorMapEncodeTiled(map, type, rank, at, sizes, pitches, box, ones, interleave, swizzle,
                                promotion, fill);
}

static size_t put_word(char *to, size_t room, uint64_t word) {
  struct region *in = region_of(word);
  return (size_t)snprintf(to, room, in ? " memory(%llu)" : " %llu",
                          in ? (unsigned long long)in->bytes : (unsigned long long)word);
}

/* What a launch says; null: it is wrong. */
static const char *launch_text(void *function, const unsigned grid[3], const unsigned block[3],
                               unsigned shared, void **parameters, void **extra) {
  static char text[8192 + 512];
  if (grid[0] == 0 || grid[1] != 1 || grid[2] != 1 || block[0] == 0 || block[0] > 1024 ||
      block[1] != 1 || block[2] != 1 || shared > 232448) {
    wrong("size of a launch");
    return NULL;
  }
  size_t length = (size_t)snprintf(text, sizeof text, "launch %s %u x %u:", (const char *)function,
                                   grid[0], block[0]);
  if (parameters &&
      !extra) { /* one by one, words in front of tensor maps; a null pointer ends them */
    for (; *parameters && length < sizeof text - 64; ++parameters) {
      const uint64_t word = *(const uint64_t *)*parameters;
      length += put_word(text + length, sizeof text - length, word);
    }
    return text;
  }
  if (parameters || !extra || extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL) {
    wrong("arguments of a launch");
    return NULL;
  }
  size_t bytes = *(const size_t *)extra[3];
  if (bytes % 8 || bytes > 4096) {
    wrong("size of a launch's arguments");
    return NULL;
  }
  const uint64_t *words = extra[1];
  for (size_t i = 0; i < bytes / 8 && length < sizeof text - 64; ++i)
    length += put_word(text + length, sizeof text - length, words[i]);
  text[length] = 0;
  return text;
}

result cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads,
                      unsigned threads_y, unsigned threads_z, unsigned shared, void *stream,
                      void **parameters, void **extra) {
  NEEDS_CONTEXT("cuLaunchKernel");
  MAY_FAIL("cuLaunchKernel");
  const unsigned grid[] = {x, y, z}, block[] = {threads, threads_y, threads_z};
  const char *text = launch_text(function, grid, block, shared, parameters, extra);
  if (!text || !is_stream(stream))
    return wrong("launch");
  say("%s%s", text, on(stream));
  return OK;
}

/*===- Graphs: chains of launches -----------------------------------------------------===*/

enum { MAX_NODES = 1024 };
typedef struct {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
} kernel_node;
/* A graph, and what was made of it. */
struct graph {
  struct graph *of; /* null: it is the graph itself */
  char *texts[MAX_NODES];
  int num_nodes, num_linked; /* those with an edge to the node before, and the first */
};

static struct graph *make_graph(struct graph *of) {
  struct graph *made = calloc(1, sizeof *made);
  made->of = of;
  ++num_graphs;
  return made;
}
static result drop_graph(struct graph *graph) {
  if (!graph)
    return wrong("graph");
  for (int i = 0; i < graph->num_nodes; ++i)
    free(graph->texts[i]);
  free(graph);
  --num_graphs;
  return OK;
}
static const char *node_text(const kernel_node *node) {
  return launch_text(node->function, node->grid, node->block, node->shared, node->parameters,
                     node->extra);
}
/* Nodes are numbered from 1 on. */
static void *node_at(int i) { return (void *)(uintptr_t)(i + 1); }

result cuGraphCreate(struct graph **graph, unsigned flags) {
  NEEDS_CONTEXT("cuGraphCreate");
  MAY_FAIL("cuGraphCreate");
  *graph = make_graph(NULL);
  return flags ? wrong("flags of a graph") : OK;
}
result cuGraphAddKernelNode(void **node, struct graph *graph, void *const *before, size_t count,
                            const kernel_node *given) {
  MAY_FAIL("cuGraphAddKernelNode");
  int number = graph->num_nodes;
  if (graph->of || number == MAX_NODES || count > (size_t)(number > 0) ||
      (count && *before != node_at(number - 1)) || graph->num_linked != number)
    return wrong("node of a graph");
  const char *text = node_text(given);
  if (!text)
    return INVALID_VALUE;
  graph->texts[graph->num_nodes++] = strdup(text);
  graph->num_linked += number == 0 || count;
  *node = node_at(number);
  return OK;
}
/* The last node begins early. */
result cuGraphAddDependencies_v2(struct graph *graph, void *const *from, void *const *to,
                                 const unsigned char edge[8], size_t count) {
  MAY_FAIL("cuGraphAddDependencies");
  static const unsigned char early[8] = {1, 0, 1};
  int number = graph->num_nodes - 1;
  if (graph->of || count != 1 || number < 1 || *to != node_at(number) ||
      *from != node_at(number - 1) || graph->num_linked != number || memcmp(edge, early, 8) != 0)
    return wrong("edge of a graph");
  ++graph->num_linked;
  return OK;
}
result cuGraphInstantiateWithFlags(struct graph **made, struct graph *graph,
                                   unsigned long long flags) {
  NEEDS_CONTEXT("cuGraphInstantiate");
  MAY_FAIL("cuGraphInstantiate");
  if (graph->of || flags || graph->num_linked != graph->num_nodes)
    return wrong("graph");
  *made = make_graph(graph);
  for (; (*made)->num_nodes < graph->num_nodes; ++(*made)->num_nodes)
    (*made)->texts[(*made)->num_nodes] = strdup(graph->texts[(*made)->num_nodes]);
  say("graph of %d", graph->num_nodes);
  return OK;
}
result cuGraphExecKernelNodeSetParams(struct graph *made, void *node, const kernel_node *given) {
  MAY_FAIL("cuGraphExecKernelNodeSetParams");
  intptr_t number = (intptr_t)node - 1;
  const char *text = node_text(given);
  if (!made->of || number < 0 || number >= made->num_nodes || !text)
    return wrong("node of a graph");
  free(made->texts[number]);
  made->texts[number] = strdup(text);
  say("node %d", (int)number);
  return OK;
}
result cuGraphLaunch(struct graph *made, void *stream) {
  NEEDS_CONTEXT("cuGraphLaunch");
  MAY_FAIL("cuGraphLaunch");
  if (!made->of || !is_stream(stream))
    return wrong("launch of a graph");
  say("graph starts%s", on(stream));
  for (int i = 0; i < made->num_nodes; ++i)
    say("%s", made->texts[i]);
  return OK;
}
result cuGraphDestroy(struct graph *graph) {
  NEEDS_CONTEXT("cuGraphDestroy");
  return graph && graph->of ? wrong("graph") : drop_graph(graph);
}
result cuGraphExecDestroy(struct graph *made) {
  NEEDS_CONTEXT("cuGraphExecDestroy");
  return made && !made->of ? wrong("graph") : drop_graph(made);
}
