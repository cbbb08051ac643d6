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
/* A graph of one kernel would save nothing. */
#define LEAST_NODES 2

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

void ptc_cuda_launch(ptc_frame *frame, uint32_t kernel, uint64_t threads, const void *arguments,
                     uint32_t bytes) {
  context_device *own = frame->context->device;
  launch_list *list = &own->pending;
  if (threads == 0 || own->failed)
    return;
  if (!reserve(list, bytes)) {
    ptc_no_memory(frame);
    return;
  }
  uint32_t of_block = frame->context->program->device->kernels[kernel].threads;
  uint64_t blocks = (threads - 1) / of_block + 1;
  launch_row *row = &list->rows[list->count++];
  *row =
      (launch_row){kernel, blocks < MAX_BLOCKS ? (uint32_t)blocks : MAX_BLOCKS, list->bytes, bytes};
  memcpy(list->arguments + list->bytes, arguments, bytes);
  list->bytes += bytes;
}

/* As cuda.h numbers them: the buffer's address, its size, the end. */
#define PACKED(Arguments, Size)                                                                    \
  {(void *)(uintptr_t)1, (void *)(Arguments), (void *)(uintptr_t)2, (Size), NULL}

static void start(ptc_context *context, const launch_list *list, uint32_t i) {
  context_device *own = context->device;
  const launch_row *row = &list->rows[i];
  const ptc_device_kernel *kernel = &context->program->device->kernels[row->kernel];
  size_t size = row->bytes;
  void *extra[] = PACKED(list->arguments + row->at, &size); /* NOLINT */
  ptc_cuda_note(own, own->model->driver.launch(own->model->functions[row->kernel], row->blocks, 1,
                                               1, kernel->threads, 1, 1, kernel->shared_bytes,
                                               own->stream, NULL, extra));
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

static void clear(context_device *own, kernel_graph *graph) {
  drop_graph(own, graph);
  free(graph->last.rows);
  free(graph->last.arguments);
  memset(graph, 0, sizeof *graph);
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
                              void **extra) {
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
                          NULL,
                          extra};
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
    size_t size = list->rows[i].bytes;
    void *extra[] = PACKED(list->arguments + list->rows[i].at, &size); /* NOLINT */
    cu_kernel_node node = node_of(context, list, i, extra);
    if (driver->graph_add(&graph->nodes[i], graph->graph, i ? &graph->nodes[i - 1] : NULL, i > 0,
                          &node))
      return false;
  }
  return driver->graph_instantiate(&graph->executable, graph->graph, 0) == 0;
}

/* Tells the graph what changed since its last run. */
static cu_result update(ptc_context *context, kernel_graph *graph, const launch_list *list) {
  context_device *own = context->device;
  const cu_driver *driver = &own->model->driver;
  for (uint32_t i = 0; i < list->count; ++i) {
    launch_row *last = &graph->last.rows[i];
    const launch_row *row = &list->rows[i];
    unsigned char *seen = graph->last.arguments + last->at;
    const unsigned char *given = list->arguments + row->at;
    if (last->blocks == row->blocks && memcmp(seen, given, row->bytes) == 0)
      continue;
    size_t size = row->bytes;
    void *extra[] = PACKED(given, &size); /* NOLINT */
    cu_kernel_node node = node_of(context, list, i, extra);
    cu_result result = driver->executable_set(graph->executable, graph->nodes[i], &node);
    if (result)
      return result;
    memcpy(seen, given, row->bytes);
    last->blocks = row->blocks;
  }
  return 0;
}

/* Of the sequence; null: it is new, and takes the place of the one that was not used for longest.
 */
static kernel_graph *find_graph(context_device *own, const launch_list *list) {
  kernel_graph *oldest = &own->graphs[0];
  for (uint32_t i = 0; i < MAX_GRAPHS; ++i) {
    kernel_graph *graph = &own->graphs[i];
    if (has_sequence(graph, list)) {
      graph->used = ++own->uses;
      return graph;
    }
    if (graph->used < oldest->used)
      oldest = graph;
  }
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
  kernel_graph *graph = list->count < LEAST_NODES ? NULL : find_graph(own, list);
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

void ptc_cuda_drop_launches(context_device *own) {
  for (uint32_t i = 0; i < MAX_GRAPHS; ++i)
    clear(own, &own->graphs[i]);
  free(own->pending.rows);
  free(own->pending.arguments);
  memset(&own->pending, 0, sizeof own->pending);
}
