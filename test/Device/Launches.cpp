//===- Launches.cpp - Launches, and graphs: chains of them -----------------------------------===//
//
// In: calls of the driver that start kernels. Out: lines of the log, and what the kernels compute.
//
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "Memory.h"
#include "Run.h"

#include <cstring>
#include <optional>

using namespace device;

// The names are the driver's. NOLINTBEGIN(readability-identifier-naming)

namespace {
/// As cuda.h has it.
struct KernelNode {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
};

/// What a launch says and does.
struct Told {
  std::string text;
  Launch launch; ///< without a kernel: it computes nothing
};

constexpr size_t kMostArguments = 4096, kMostNodes = 1024;
size_t graphs;
} // namespace

size_t device::numGraphs() { return graphs; }

/// A word of an argument.
static std::string wordText(const unsigned char *at) {
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const Region *in = findRegion(word);
  return in ? " memory(" + std::to_string(in->bytes) + ")" : " " + std::to_string(word);
}

/// One by one, words in front of tensor maps; a null pointer ends them.
static void readEach(void **parameters, const Kernel &kernel, Told &told) {
  for (size_t k = 0; parameters[k]; ++k) {
    const auto *at = static_cast<const unsigned char *>(parameters[k]);
    told.text += wordText(at);
    if (!kernel.function || k >= kernel.function->parameters.size())
      continue;
    const Parameter &parameter = kernel.function->parameters[k];
    told.launch.arguments.resize(parameter.offset);
    told.launch.arguments.insert(told.launch.arguments.end(), at, at + parameter.bytes);
  }
}

/// All together; false: they are not told as cuda.h says.
static bool readTogether(void **extra, Told &told) {
  constexpr uintptr_t kBuffer = 1, kSize = 2;
  if (!extra || reinterpret_cast<uintptr_t>(extra[0]) != kBuffer ||
      reinterpret_cast<uintptr_t>(extra[2]) != kSize || extra[4])
    return false;
  size_t bytes = *static_cast<const size_t *>(extra[3]);
  if (bytes % 8 || bytes > kMostArguments)
    return false;
  const auto *at = static_cast<const unsigned char *>(extra[1]);
  told.launch.arguments.assign(at, at + bytes);
  for (size_t k = 0; k < bytes; k += 8)
    told.text += wordText(at + k);
  return true;
}

/// Nothing: it is wrong.
static std::optional<Told> read(const KernelNode &node) {
  constexpr unsigned kMostShared = 232448;
  const unsigned *grid = node.grid, *block = node.block;
  if (grid[0] == 0 || grid[1] != 1 || grid[2] != 1 || block[0] == 0 || block[0] > 1024 ||
      block[1] != 1 || block[2] != 1 || node.shared > kMostShared) {
    wrong("size of a launch");
    return std::nullopt;
  }
  const auto &kernel = *static_cast<const Kernel *>(node.function);
  Told told;
  told.text = "launch " + kernel.name + " " + std::to_string(grid[0]) + " x " +
              std::to_string(block[0]) + ":";
  if (node.parameters && !node.extra) {
    readEach(node.parameters, kernel, told);
  } else if (node.parameters || !readTogether(node.extra, told)) {
    wrong("arguments of a launch");
    return std::nullopt;
  }
  told.launch.module = kernel.image->module.get();
  told.launch.kernel = kernel.function;
  told.launch.grid = {grid[0], grid[1], grid[2]};
  told.launch.threads = {block[0], block[1], block[2]};
  told.launch.sharedBytes = node.shared;
  return told;
}

static int execute(const Told &told) {
  if (!told.launch.kernel)
    return kOk;
  try {
    run(told.launch);
  } catch (const Fault &fault) {
    return noteFault(fault.what());
  }
  return kOk;
}

PTC_DRIVER int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads,
                              unsigned threadsY, unsigned threadsZ, unsigned shared, void *stream,
                              void **parameters, void **extra) {
  PTC_NEEDS_CONTEXT("cuLaunchKernel");
  PTC_MAY_FAIL("cuLaunchKernel");
  auto told = read({function, {x, y, z}, {threads, threadsY, threadsZ}, shared, parameters, extra});
  if (!told || !isStream(stream))
    return wrong("launch");
  say(told->text + on(stream));
  return execute(*told);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// A graph, and what was made of it.
struct Graph {
  const Graph *of = nullptr; ///< null: it is the graph itself
  std::vector<Told> nodes;
  size_t numLinked = 0; ///< those with an edge to the node before, and the first
  Graph() { ++graphs; }
  Graph(const Graph &) = delete;
  ~Graph() { --graphs; }
};
} // namespace

/// Nodes are numbered from 1 on.
static void *nodeAt(size_t i) {
  return reinterpret_cast<void *>(uintptr_t(i + 1)); // NOLINT(performance-no-int-to-ptr)
}

PTC_DRIVER int cuGraphCreate(Graph **graph, unsigned flags) {
  PTC_NEEDS_CONTEXT("cuGraphCreate");
  PTC_MAY_FAIL("cuGraphCreate");
  *graph = new Graph;
  return flags ? wrong("flags of a graph") : kOk;
}
PTC_DRIVER int cuGraphAddKernelNode(void **node, Graph *graph, void *const *before, size_t count,
                                    const KernelNode *given) {
  PTC_MAY_FAIL("cuGraphAddKernelNode");
  size_t number = graph->nodes.size();
  if (graph->of || number == kMostNodes || count > size_t(number > 0) ||
      (count && *before != nodeAt(number - 1)) || graph->numLinked != number)
    return wrong("node of a graph");
  auto told = read(*given);
  if (!told)
    return kInvalidValue;
  graph->nodes.push_back(*told);
  graph->numLinked += number == 0 || count;
  *node = nodeAt(number);
  return kOk;
}
/// The last node begins early.
PTC_DRIVER int cuGraphAddDependencies_v2(Graph *graph, void *const *from, void *const *to,
                                         const unsigned char edge[8], size_t count) {
  PTC_MAY_FAIL("cuGraphAddDependencies");
  static constexpr unsigned char kEarly[8] = {1, 0, 1};
  size_t number = graph->nodes.size();
  if (graph->of || count != 1 || number < 2 || *to != nodeAt(number - 1) ||
      *from != nodeAt(number - 2) || graph->numLinked != number - 1 ||
      std::memcmp(edge, kEarly, sizeof kEarly) != 0)
    return wrong("edge of a graph");
  ++graph->numLinked;
  return kOk;
}
PTC_DRIVER int cuGraphInstantiateWithFlags(Graph **made, Graph *graph, unsigned long long flags) {
  PTC_NEEDS_CONTEXT("cuGraphInstantiate");
  PTC_MAY_FAIL("cuGraphInstantiate");
  if (graph->of || flags || graph->numLinked != graph->nodes.size())
    return wrong("graph");
  *made = new Graph;
  (*made)->of = graph;
  (*made)->nodes = graph->nodes;
  say("graph of " + std::to_string(graph->nodes.size()));
  return kOk;
}
PTC_DRIVER int cuGraphExecKernelNodeSetParams(Graph *made, void *node, const KernelNode *given) {
  PTC_MAY_FAIL("cuGraphExecKernelNodeSetParams");
  size_t number = reinterpret_cast<uintptr_t>(node) - 1;
  auto told = read(*given);
  if (!made->of || number >= made->nodes.size() || !told)
    return wrong("node of a graph");
  made->nodes[number] = *told;
  say("node " + std::to_string(number));
  return kOk;
}
PTC_DRIVER int cuGraphLaunch(Graph *made, void *stream) {
  PTC_NEEDS_CONTEXT("cuGraphLaunch");
  PTC_MAY_FAIL("cuGraphLaunch");
  if (!made->of || !isStream(stream))
    return wrong("launch of a graph");
  say("graph starts" + on(stream));
  for (const Told &told : made->nodes) {
    say(told.text);
    if (int failed = execute(told))
      return failed;
  }
  return kOk;
}

static int destroy(Graph *graph) {
  if (!graph)
    return wrong("graph");
  delete graph;
  return kOk;
}
PTC_DRIVER int cuGraphDestroy(Graph *graph) {
  PTC_NEEDS_CONTEXT("cuGraphDestroy");
  return graph && graph->of ? wrong("graph") : destroy(graph);
}
PTC_DRIVER int cuGraphExecDestroy(Graph *made) {
  PTC_NEEDS_CONTEXT("cuGraphExecDestroy");
  return made && !made->of ? wrong("graph") : destroy(made);
}

// NOLINTEND(readability-identifier-naming)
