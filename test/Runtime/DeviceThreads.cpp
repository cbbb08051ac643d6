// The runtime of NVIDIA GPUs on many threads, under ThreadSanitizer: contexts of one model and of
// others with other weights, on one device whose driver is here and computes on the host; and what
// is computed behind calls in which the driver failed. Prints nothing and exits with 0, or says
// what was wrong.
//
// The program: entry 0 gives x * weight + n, where n counts the calls of the context, by two
// kernels; each third call reads an element back between them.
#include "ptc/Runtime/Frame.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}

static void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }
}

//===----------------------------------------------------------------------===//
// A driver: memory of the device is the host's, work is done when it is started
//===----------------------------------------------------------------------===//

namespace {

std::atomic<long> allocations, graphs, launched;
int primaryContext;
thread_local std::vector<void *> current;

/// What can fail, once: that call of it, counted from 1 on.
enum class Step { Push, Allocate, ToDevice, ToHost, Launch, Create, Add, Make, Set, Start };
struct Failing {
  Step step;
  int left;
};
thread_local Failing failing = {Step::Push, 0};
bool fails(Step step) {
  if (failing.left == 0 || failing.step != step)
    return false;
  --failing.left;
  return failing.left == 0;
}
constexpr int kFailed = 719;

/// What both kernels take.
struct Arguments {
  const float *x;
  float *out;
  const float *weight;
  int64_t n, number;
};

void runKernel(void *function, const Arguments &a) {
  require(current.size() == 1 && current[0] == &primaryContext, "the context is not current");
  ++launched;
  for (int64_t i = 0; i < a.n; ++i)
    a.out[i] =
        function == reinterpret_cast<void *>(1) ? a.x[i] * *a.weight : a.out[i] + float(a.number);
}

struct Node {
  void *function;
  Arguments arguments;
};
struct Graph {
  std::vector<Node> nodes;
};
/// As cuda.h has it.
struct NodeOfKernel {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
};

Node nodeOf(void *function, void **extra) {
  require(*static_cast<size_t *>(extra[3]) == sizeof(Arguments), "arguments of a kernel");
  Node made = {function, {}};
  std::memcpy(&made.arguments, extra[1], sizeof made.arguments);
  return made;
}
void *numbered(size_t i) { return reinterpret_cast<void *>(i); } // NOLINT

using Pointer = uint64_t;
int init(unsigned) { return 0; }
int deviceGet(int *device, int) { return *device = 0; }
int attribute(int *value, int which, int) {
  *value = which == 75 ? 9 : which == 76 ? 0 : 4;
  return 0;
}
int retain(void **context, int) {
  *context = &primaryContext;
  return 0;
}
int ok() { return 0; }
int contextOfThread(void **context) {
  *context = current.empty() ? nullptr : current.back();
  return 0;
}
int push(void *context) {
  if (fails(Step::Push))
    return kFailed;
  current.push_back(context);
  return 0;
}
int pop(void **context) {
  require(!current.empty(), "a context is popped that was not pushed");
  *context = current.back();
  current.pop_back();
  return 0;
}
int loadModule(void **module, const void *) {
  *module = numbered(7);
  return 0;
}
int findFunction(void **function, void *, const char *name) {
  *function = numbered(std::string_view(name) == "scale" ? 1 : 2);
  return 0;
}
int allocate(Pointer *at, size_t bytes) {
  if (fails(Step::Allocate))
    return kFailed;
  ++allocations;
  *at = reinterpret_cast<Pointer>(std::malloc(bytes));
  return 0;
}
int release(Pointer at) {
  --allocations;
  std::free(reinterpret_cast<void *>(at)); // NOLINT
  return 0;
}
int toDevice(Pointer to, const void *from, size_t bytes, void *) {
  if (fails(Step::ToDevice))
    return kFailed;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes); // NOLINT
  return 0;
}
int toHost(void *to, Pointer from, size_t bytes, void *) {
  if (fails(Step::ToHost))
    return kFailed;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes); // NOLINT
  return 0;
}
int launch(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
           void *, void **, void **extra) {
  if (fails(Step::Launch))
    return kFailed;
  runKernel(function, nodeOf(function, extra).arguments);
  return 0;
}
int createGraph(Graph **graph, unsigned) {
  if (fails(Step::Create))
    return kFailed;
  ++graphs;
  *graph = new Graph;
  return 0;
}
int addNode(void **node, Graph *graph, void *const *, size_t, const NodeOfKernel *given) {
  if (fails(Step::Add))
    return kFailed;
  graph->nodes.push_back(nodeOf(given->function, given->extra));
  *node = numbered(graph->nodes.size());
  return 0;
}
int instantiate(Graph **made, const Graph *graph, unsigned long long) {
  if (fails(Step::Make))
    return kFailed;
  ++graphs;
  *made = new Graph(*graph);
  return 0;
}
int setNode(Graph *made, void *node, const NodeOfKernel *given) {
  if (fails(Step::Set))
    return kFailed;
  made->nodes[reinterpret_cast<size_t>(node) - 1] = nodeOf(given->function, given->extra);
  return 0;
}
int launchGraph(Graph *made, void *) {
  if (fails(Step::Start))
    return kFailed;
  for (const Node &node : made->nodes)
    runKernel(node.function, node.arguments);
  return 0;
}
int dropGraph(Graph *graph) {
  --graphs;
  delete graph;
  return 0;
}

struct Function {
  const char *name;
  void *address;
};
#define F(Name, Function) {Name, reinterpret_cast<void *>(&(Function))}
const Function kDriver[] = {F("cuInit", init),
                            F("cuDeviceGet", deviceGet),
                            F("cuDeviceGetAttribute", attribute),
                            F("cuDevicePrimaryCtxRetain", retain),
                            F("cuDevicePrimaryCtxRelease_v2", ok),
                            F("cuCtxGetCurrent", contextOfThread),
                            F("cuCtxPushCurrent_v2", push),
                            F("cuCtxPopCurrent_v2", pop),
                            F("cuModuleLoadData", loadModule),
                            F("cuModuleUnload", ok),
                            F("cuModuleGetFunction", findFunction),
                            F("cuFuncSetAttribute", ok),
                            F("cuMemAlloc_v2", allocate),
                            F("cuMemFree_v2", release),
                            F("cuMemcpyHtoDAsync_v2", toDevice),
                            F("cuMemcpyDtoHAsync_v2", toHost),
                            F("cuMemcpyDtoDAsync_v2", ok),
                            F("cuStreamSynchronize", ok),
                            F("cuLaunchKernel", launch),
                            F("cuGraphCreate", createGraph),
                            F("cuGraphAddKernelNode", addNode),
                            F("cuGraphInstantiateWithFlags", instantiate),
                            F("cuGraphLaunch", launchGraph),
                            F("cuGraphDestroy", dropGraph),
                            F("cuGraphExecKernelNodeSetParams", setNode),
                            F("cuGraphExecDestroy", dropGraph),
                            F("cuGetErrorString", ok)};
#undef F

} // namespace

// What the runtime calls here instead of dlopen and dlsym.
extern "C" void *openTestDriver(const char *, int) { return &primaryContext; }
extern "C" void *findInTestDriver(void *, const char *name) {
  for (const Function &function : kDriver)
    if (std::string_view(function.name) == name)
      return function.address;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static int32_t dispatch(const ptc_frame *frame) {
  return frame->inputs[0].tag == ptc_tag_Tensor ? 0 : -1;
}

static ptc_status runProgram(ptc_frame *frame) {
  const DLTensor &x = *frame->inputs[0].as.tensor;
  const int64_t sizes[] = {x.shape[0]}, strides[] = {1};
  ptc_shape shape = {x.dtype, 1, sizes, strides, uint64_t(x.shape[0]) * 4};
  auto *out = static_cast<float *>(frame->services->output(frame, 0, &shape));
  if (!out)
    return frame->services->frame_status(frame);
  int64_t number = frame->state[0].value.as.integer + 1;
  Arguments arguments = {static_cast<const float *>(x.data), out,
                         reinterpret_cast<const float *>(frame->weights), x.shape[0], number};
  frame->services->launch(frame, 0, uint64_t(x.shape[0]), &arguments, sizeof arguments);
  float first = 0;
  if (number % 3 == 0)
    if (ptc_status status = frame->services->read(frame, &first, out, 4))
      return status;
  frame->services->launch(frame, 1, uint64_t(x.shape[0]), &arguments, sizeof arguments);
  if (ptc_status status = frame->services->settle(frame))
    return status;
  frame->state[0].value = ptc_of_int(number);
  frame->outcome = 0;
  return ptc_status_ok;
}

static ptc_status begin(ptc_frame *frame) {
  frame->state[0].value = ptc_of_int(0);
  return ptc_status_ok;
}

static const ptc_source kSources[] = {{ptc_observable_Tag, 0, 0, 0}};
static const ptc_structure kStructures[] = {{kSources, 1, 0, nullptr, nullptr}};
static const ptc_outcome kOutcomes[] = {{1, 0, nullptr, 0, 0}};
static const ptc_variant kVariants[] = {{"v0", runProgram, 64, 1, 0, 0, 1, kOutcomes, 0}};
static const ptc_entry kEntries[] = {
    {"forward", dispatch, nullptr, kStructures, kVariants, nullptr, 1, 1, 0, 0}};
static const ptc_state_row kStates[] = {{"count", ptc_tag_Int, {0, 0, 0}, 0, 0, nullptr, nullptr}};
static const ptc_device_kernel kKernels[] = {{"scale", 32, 0, 0, 1}, {"shift", 32, 0, 0, 1}};
static const ptc_device_image kImages[] = {{"", 1, ptc_image_machine, 90}};
static const ptc_device_code kDevice = {&ptc_cuda_runtime, kImages, kKernels, 1, 2, 2, 0};
alignas(64) static const float kNoWeights[16] = {};

extern "C" {
extern const ptc_program ptc_this_program = {sizeof(ptc_program),
                                             PTC_VERSION_MAJOR,
                                             PTC_VERSION_MINOR,
                                             "device",
                                             kEntries,
                                             kStates,
                                             begin,
                                             0,
                                             1,
                                             1,
                                             0,
                                             1,
                                             sizeof kNoWeights,
                                             0,
                                             "{}\n",
                                             &kDevice,
                                             0,
                                             0};
extern const char ptc_this_name[] = "device";
extern const unsigned char *const ptc_this_weights =
    reinterpret_cast<const unsigned char *>(kNoWeights);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// A model whose weight is that number.
static ptc_model *openModel(float weight) {
  alignas(64) float weights[16] = {weight};
  ptc_options options = {};
  options.size = sizeof options;
  options.swap_weights = 1;
  options.weights = weights;
  options.weights_bytes = sizeof weights;
  ptc_model *model = nullptr;
  require(ptc_model_open(&ptc_stub_api, &options, &model) == ptc_status_ok, "no model");
  return model;
}

namespace {
/// A context, and what its next call gives.
struct Caller {
  ptc_context *context = nullptr;
  float weight;
  int calls = 0;
  std::vector<float> result = std::vector<float>(64);

  Caller(ptc_model *model, float weight) : weight(weight) {
    require(ptc_context_create(model, &context) == ptc_status_ok, "no context");
  }
  /// With tensors on the device, in one of two places, or on the host; how it ended.
  ptc_status tryCall(int64_t n, bool onDevice, std::vector<float> (&places)[2]) {
    std::vector<float> &in = places[calls % 2];
    result.assign(result.size(), -1.0F);
    for (int64_t i = 0; i < n; ++i)
      in[size_t(i)] = float(i + calls);
    DLDevice device = {onDevice ? kDLCUDA : kDLCPU, 0};
    DLTensor x = {in.data(), device, 1, {kDLFloat, 32, 1}, &n, nullptr, 0};
    DLTensor y = {result.data(), device, 1, {kDLFloat, 32, 1}, &n, nullptr, 0};
    ptc_value given = ptc_of_tensor(&x), taken = ptc_of_tensor(&y);
    ptc_status status = ptc_call(context, 0, &given, 1, &taken, 1);
    ptc_value count;
    require(ptc_state_get(context, 0, &count) == ptc_status_ok, "no state");
    calls = int(count.as.integer);
    for (int64_t i = 0; i < n && status == ptc_status_ok; ++i)
      require(result[size_t(i)] == in[size_t(i)] * weight + float(calls), "a wrong number");
    return status;
  }
  void call(int64_t n, bool onDevice, std::vector<float> (&places)[2]) {
    int before = calls;
    require(tryCall(n, onDevice, places) == ptc_status_ok, "a call failed");
    require(calls == before + 1, "state of a call");
  }
};
} // namespace

static void runThread(ptc_model *shared, int number) {
  if (number % 2)
    push(&primaryContext); // as a thread that uses CUDA itself
  ptc_model *own = openModel(float(number + 10));
  std::vector<float> places[2] = {std::vector<float>(64), std::vector<float>(64)};
  std::vector<Caller> callers;
  callers.emplace_back(shared, 3.0F);
  callers.emplace_back(own, float(number + 10));
  callers.emplace_back(shared, 3.0F);
  for (int i = 0; i < 200; ++i)
    for (Caller &caller : callers)
      caller.call(4 + i / 50, i % 7 != 3, places);
  for (int i : {1, 0, 2}) {
    ptc_context_destroy(callers[size_t(i)].context);
    if (i == 1)
      ptc_model_close(own); // others go on
    else
      require(current.size() == size_t(number % 2), "a context stays current");
  }
  current.clear();
}

/// Each step fails at each of its calls: at most one call ends so, and those behind it are right.
static void runFailures(ptc_model *model) {
  std::vector<float> places[2] = {std::vector<float>(64), std::vector<float>(64)};
  int failures = 0;
  for (Step step : {Step::Push, Step::Allocate, Step::ToDevice, Step::ToHost, Step::Launch,
                    Step::Create, Step::Add, Step::Make, Step::Set, Step::Start})
    for (int number = 1, left = 0; left == 0; ++number) {
      Caller caller(model, 3.0F);
      failing = {step, number};
      int failed = 0;
      for (int i = 0; i < 12; ++i) {
        int before = caller.calls;
        // What failed is asked for once more.
        ptc_status status = caller.tryCall(4 + before % 3, before % 4 < 2, places);
        require(status == ptc_status_ok || status == ptc_status_device, "a status");
        require(caller.calls == before + 1 || status != ptc_status_ok, "state of a call");
        failed += status != ptc_status_ok;
      }
      left = std::exchange(failing.left, 0);
      require(failed <= 1, "a failure is told twice");
      failures += failed;
      ptc_context_destroy(caller.context);
    }
  require(failures > 50, "there were too few failures");
  require(current.empty(), "a context stays current");
}

int main() {
  ptc_model *shared = openModel(3);
  runFailures(shared);
  launched = 0;
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int t = 0; t < 6; ++t)
    threads.emplace_back(runThread, shared, t);
  for (std::thread &thread : threads)
    thread.join();
  ptc_model_close(shared);
  require(launched == 6L * 3 * 200 * 2, "kernels that were started");
  require(allocations == 0 && graphs == 0, "something stays on the device");
}
