/*===- Launches.c - Kernels in the order in which the program starts them --------------===*
 *
 * In: launches of a call, one by one. Out: they are kept until something else is asked of the
 * stream, then given to the driver together. A sequence of kernels that came before becomes a
 * graph: the driver starts it at once, and only nodes whose arguments or grids changed are told.
 *
 *===----------------------------------------------------------------------------===*/
#include "Device.h"

#include <stdlib.h>
#include <string.h>

/* Threads go through what is left at a stride of them all. */
#define MAX_BLOCKS 0x40000u
/* Of launches that wait: a loop of the host starts as many as it likes. */
#define MAX_PENDING 1024u

static bool grow(void **memory, uint32_t *most, uint32_t needed, size_t size) {
  if (needed <= *most)
    return true;
  uint32_t more = *most ? *most : 16;
  while (more < needed)
    more *= 2;
  void *larger = realloc(*memory, more * size);
  if (!larger)
    return false;
  *memory = larger;
  *most = more;
  return true;
}

/* Room for one launch more with arguments of so many bytes. */
static bool reserve(launch_list *list, uint32_t bytes) {
  return grow((void **)&list->rows, &list->most, list->count + 1, sizeof *list->rows) &&
         grow((void **)&list->arguments, &list->most_bytes, list->bytes + bytes, 1);
}

static void put(ptc_frame *frame, uint32_t kernel, uint64_t threads, const void *arguments,
                uint32_t bytes, const ptc_tensor_map *maps, uint32_t num_maps) {
  context_device *own = frame->context->device;
  launch_list *list = &own->pending;
  uint32_t of_maps = num_maps * (uint32_t)sizeof *maps, all = bytes + of_maps;
  if (list->count == MAX_PENDING)
    ptc_cuda_flush(frame->context);
  if (threads == 0 || own->failed)
    return;
  if (!reserve(list, all)) {
    ptc_no_memory(frame);
    ptc_cuda_note(own, CU_OUT_OF_MEMORY); /* nothing runs that would miss it */
    return;
  }
  const ptc_device_kernel *of = &frame->context->program->device->kernels[kernel];
  uint64_t blocks = (threads - 1) / of->threads + 1;
  uint32_t most = of->per_processor ? of->per_processor * own->model->processors : MAX_BLOCKS;
  list->rows[list->count++] =
      (launch_row){kernel, blocks < most ? (uint32_t)blocks : most, list->bytes, all, num_maps};
  memcpy(list->arguments + list->bytes, arguments, bytes);
  if (of_maps)
    memcpy(list->arguments + list->bytes + bytes, maps, of_maps);
  list->bytes += all;
}

void ptc_cuda_launch(ptc_frame *frame, uint32_t kernel, uint64_t threads, const void *arguments,
                     uint32_t bytes) {
  put(frame, kernel, threads, arguments, bytes, NULL, 0);
}

/* What the hardware asks of memory that it brings by boxes. */
#define MAP_GROUP 16
#define MAX_MAP_SIZE ((uint64_t)1 << 32)
#define MAX_MAP_PITCH ((uint64_t)1 << 40)

static bool can_be_mapped(const ptc_tensor_map *map) {
  if ((uintptr_t)map->data % MAP_GROUP)
    return false;
  for (uint32_t d = 0; d < map->rank; ++d)
    if (map->sizes[d] == 0 || map->sizes[d] > MAX_MAP_SIZE)
      return false;
  for (uint32_t d = 0; d + 1 < map->rank; ++d)
    if (map->pitches[d] == 0 || map->pitches[d] % MAP_GROUP || map->pitches[d] >= MAX_MAP_PITCH)
      return false;
  return true;
}

void ptc_cuda_launch_mapped(ptc_frame *frame, uint32_t kernel, uint64_t threads, uint32_t otherwise,
                            uint64_t otherwise_threads, const void *arguments, uint32_t bytes,
                            const ptc_tensor_map *maps, uint32_t num_maps) {
  const model_device *model = ((context_device *)frame->context->device)->model;
  bool can = model->functions[kernel] && model->driver.encode_map && model->driver.encode_images;
  for (uint32_t i = 0; i < num_maps && can; ++i)
    can = can_be_mapped(&maps[i]);
  if (can)
    put(frame, kernel, threads, arguments, bytes, maps, num_maps);
  else
    put(frame, otherwise, otherwise_threads, arguments, bytes, NULL, 0);
}

/* Where the arguments of a launch are, as the driver is told. Those of a kernel with tensor maps
   one by one: how these are aligned depends on the device. Of others all together. */
typedef struct {
  cu_tensor_map maps[PTC_MAX_MAPS];
  void *each[PTC_MAX_ARGUMENTS / sizeof(uint64_t) + PTC_MAX_MAPS + 1]; /* a null pointer last */
  size_t size;
  void *together[5];
  void **parameters, **extra;
} told_arguments;

/* As cuda.h numbers them. */
enum { CU_ARGUMENTS = 1, CU_ARGUMENTS_SIZE = 2 };

static cu_result encode(const cu_driver *driver, const ptc_tensor_map *map, cu_tensor_map *to) {
  static const uint32_t ones[PTC_MAP_RANK] = {1, 1, 1, 1};
  const uint32_t steps[PTC_MAP_RANK] = {1, map->steps[0], map->steps[1], 1};
  int element = map->element == ptc_map_Float16    ? CU_MAP_FLOAT16
                : map->element == ptc_map_BFloat16 ? CU_MAP_BFLOAT16
                                                   : CU_MAP_TFLOAT32;
  void *data = (void *)(uintptr_t)map->data; /* NOLINT(performance-no-int-to-ptr) */
  if (map->pixels)
    return driver->encode_images(to, element, map->rank, data, map->sizes, map->pitches, map->lower,
                                 map->upper, map->box[0], map->pixels, steps, CU_MAP_PLAIN,
                                 CU_MAP_EXCHANGED_128, CU_MAP_L2_256, CU_MAP_ZEROS);
  return driver->encode_map(to, element, map->rank, data, map->sizes, map->pitches, map->box, ones,
                            CU_MAP_PLAIN, CU_MAP_EXCHANGED_128, CU_MAP_L2_256, CU_MAP_ZEROS);
}

/* `given`: what the launch has, which is not written. */
static cu_result tell(const context_device *own, const launch_row *row, unsigned char *given,
                      told_arguments *told) {
  told->size = row->bytes - row->num_maps * sizeof(ptc_tensor_map);
  if (row->num_maps == 0) {
    told->parameters = NULL;
    told->extra = told->together;
    told->together[0] = (void *)(uintptr_t)CU_ARGUMENTS; /* NOLINT(performance-no-int-to-ptr) */
    told->together[1] = given;
    told->together[2] =
        (void *)(uintptr_t)CU_ARGUMENTS_SIZE; /* NOLINT(performance-no-int-to-ptr) */
    told->together[3] = &told->size;
    told->together[4] = NULL;
    return 0;
  }
  told->parameters = told->each;
  told->extra = NULL;
  size_t count = 0;
  for (; count < told->size / sizeof(uint64_t); ++count)
    told->each[count] = given + count * sizeof(uint64_t);
  for (uint32_t i = 0; i < row->num_maps; ++i) {
    ptc_tensor_map map;
    memcpy(&map, given + told->size + i * sizeof map, sizeof map);
    cu_result result = encode(&own->model->driver, &map, &told->maps[i]);
    if (result)
      return result;
    told->each[count++] = &told->maps[i];
  }
  told->each[count] = NULL;
  return 0;
}

static void start(ptc_context *context, const launch_list *list, uint32_t i) {
  context_device *own = context->device;
  const launch_row *row = &list->rows[i];
  const ptc_device_kernel *kernel = &context->program->device->kernels[row->kernel];
  told_arguments told;
  cu_result result = tell(own, row, list->arguments + row->at, &told);
  if (result == 0)
    result = own->model->driver.launch(own->model->functions[row->kernel], row->blocks, 1, 1,
                                       kernel->threads, 1, 1, kernel->shared_bytes, own->stream,
                                       told.parameters, told.extra);
  ptc_cuda_note(own, result);
}

static void start_all(ptc_context *context, const launch_list *list) {
  context_device *own = context->device;
  for (uint32_t i = 0; i < list->count && own->failed == 0; ++i)
    start(context, list, i);
}

static void drop_graph(context_device *own, kernel_graph *graph) {
  const cu_driver *driver = &own->model->driver;
  if (graph->executable)
    driver->executable_destroy(graph->executable);
  if (graph->graph)
    driver->graph_destroy(graph->graph);
  free(graph->nodes);
  graph->executable = graph->graph = NULL;
  graph->nodes = NULL;
}

/* Memory of the host alone. */
static void free_graph(kernel_graph *graph) {
  free(graph->nodes);
  free(graph->last.rows);
  free(graph->last.arguments);
  memset(graph, 0, sizeof *graph);
}

static void clear(context_device *own, kernel_graph *graph) {
  drop_graph(own, graph);
  free_graph(graph);
}

static bool has_sequence(const kernel_graph *graph, const launch_list *list) {
  if (graph->last.count != list->count)
    return false;
  for (uint32_t i = 0; i < list->count; ++i)
    if (graph->last.rows[i].kernel != list->rows[i].kernel ||
        graph->last.rows[i].bytes != list->rows[i].bytes)
      return false;
  return true;
}

static cu_kernel_node node_of(ptc_context *context, const launch_list *list, uint32_t i,
                              const told_arguments *told) {
  const launch_row *row = &list->rows[i];
  const ptc_device_kernel *kernel = &context->program->device->kernels[row->kernel];
  const context_device *own = context->device;
  return (cu_kernel_node){own->model->functions[row->kernel],
                          row->blocks,
                          1,
                          1,
                          kernel->threads,
                          1,
                          1,
                          kernel->shared_bytes,
                          told->parameters,
                          told->extra};
}

/* Behind the node before it: it begins early where it waits by itself. */
static cu_result add_node(const context_device *own, kernel_graph *graph, uint32_t i, bool awaits,
                          const cu_kernel_node *node) {
  static const cu_edge early = {CU_PORT_PROGRAMMATIC, 0, CU_EDGE_PROGRAMMATIC, {0}};
  const cu_driver *driver = &own->model->driver;
  const cu_handle *before = i ? &graph->nodes[i - 1] : NULL;
  bool is_early = before && awaits && own->model->has_machine_code && driver->graph_link;
  cu_result result = driver->graph_add(&graph->nodes[i], graph->graph, is_early ? NULL : before,
                                       before && !is_early, node);
  if (result || !is_early)
    return result;
  return driver->graph_link(graph->graph, before, &graph->nodes[i], &early, 1);
}

/* One node behind the other; false: the driver has no room for it. */
static bool build(ptc_context *context, kernel_graph *graph) {
  context_device *own = context->device;
  const cu_driver *driver = &own->model->driver;
  const launch_list *list = &graph->last;
  graph->nodes = calloc(list->count, sizeof *graph->nodes);
  if (!graph->nodes || driver->graph_create(&graph->graph, 0)) {
    graph->graph = NULL;
    return false;
  }
  for (uint32_t i = 0; i < list->count; ++i) {
    const launch_row *row = &list->rows[i];
    told_arguments told;
    cu_result result = tell(own, row, list->arguments + row->at, &told);
    cu_kernel_node node = node_of(context, list, i, &told);
    if (result ||
        add_node(own, graph, i, context->program->device->kernels[row->kernel].awaits, &node))
      return false;
  }
  if (driver->graph_instantiate(&graph->executable, graph->graph, 0) == 0)
    return true;
  graph->executable = NULL; /* whatever the driver left there */
  return false;
}

/* Tells the graph what changed since its last run. */
static cu_result update(ptc_context *context, kernel_graph *graph, const launch_list *list) {
  context_device *own = context->device;
  const cu_driver *driver = &own->model->driver;
  for (uint32_t i = 0; i < list->count; ++i) {
    launch_row *last = &graph->last.rows[i];
    const launch_row *row = &list->rows[i];
    unsigned char *seen = graph->last.arguments + last->at;
    unsigned char *given = list->arguments + row->at;
    if (last->blocks == row->blocks && memcmp(seen, given, row->bytes) == 0)
      continue;
    told_arguments told;
    cu_result result = tell(own, row, given, &told);
    cu_kernel_node node = node_of(context, list, i, &told);
    if (result == 0)
      result = driver->executable_set(graph->executable, graph->nodes[i], &node);
    if (result)
      return result;
    memcpy(seen, given, row->bytes);
    last->blocks = row->blocks;
  }
  return 0;
}

/* Of the sequence; null: it is new, and takes the place of the one that was not used for longest.
   One kernel alone does not take that of several, which would save more. */
static kernel_graph *find_graph(context_device *own, const launch_list *list) {
  kernel_graph *oldest = NULL;
  for (uint32_t i = 0; i < MAX_GRAPHS; ++i) {
    kernel_graph *graph = &own->graphs[i];
    if (has_sequence(graph, list)) {
      graph->used = ++own->uses;
      return graph;
    }
    bool may_go = list->count > 1 || graph->last.count <= 1;
    if (may_go && (!oldest || graph->used < oldest->used))
      oldest = graph;
  }
  if (!oldest)
    return NULL;
  clear(own, oldest);
  launch_list *last = &oldest->last;
  for (uint32_t i = 0; i < list->count; ++i) {
    if (!reserve(last, list->rows[i].bytes)) {
      clear(own, oldest); /* no graph without memory, which the call does not need */
      return NULL;
    }
    last->rows[last->count++] = list->rows[i];
    last->bytes += list->rows[i].bytes;
  }
  memcpy(last->arguments, list->arguments, list->bytes);
  oldest->used = ++own->uses;
  return NULL;
}

static void submit(ptc_context *context, const launch_list *list) {
  context_device *own = context->device;
  kernel_graph *graph = find_graph(own, list);
  if (graph && !graph->executable && !graph->is_refused && !build(context, graph)) {
    drop_graph(own, graph);
    graph->is_refused = true;
  }
  if (!graph || graph->is_refused) {
    start_all(context, list);
    return;
  }
  cu_result result = update(context, graph, list);
  if (result == 0)
    result = own->model->driver.graph_launch(graph->executable, own->stream);
  if (result)
    drop_graph(own, graph); /* what its nodes hold is not known */
  ptc_cuda_note(own, result);
}

void ptc_cuda_flush(ptc_context *context) {
  context_device *own = context->device;
  launch_list *list = &own->pending;
  if (list->count && own->failed == 0)
    submit(context, list);
  list->count = list->bytes = 0;
}

void ptc_cuda_drop_graphs(context_device *own) {
  for (uint32_t i = 0; i < MAX_GRAPHS; ++i)
    drop_graph(own, &own->graphs[i]);
}

void ptc_cuda_free_launches(context_device *own) {
  for (uint32_t i = 0; i < MAX_GRAPHS; ++i)
    free_graph(&own->graphs[i]);
  free(own->pending.rows);
  free(own->pending.arguments);
  memset(&own->pending, 0, sizeof own->pending);
}
