// The pool, and one model on many threads, under ThreadSanitizer. Prints nothing and exits with 0,
// or says what was wrong.
#include "HandMade.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
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

namespace {
/// Each thread writes its cell, waits, and reads those of all others.
struct Exchange {
  std::vector<long> cells = std::vector<long>(64), sums = std::vector<long>(64);
  uint32_t ran = 0;
  static void section(void *arg, uint32_t thread, uint32_t n) {
    auto *self = static_cast<Exchange *>(arg);
    self->cells[thread] = thread + 1;
    ptc_pool_barrier(thread, n);
    long sum = 0;
    for (uint32_t i = 0; i < n; ++i)
      sum += self->cells[i];
    ptc_pool_barrier(thread, n);
    self->cells[thread] = 0;
    ptc_pool_barrier(thread, n);
    self->sums[thread] = sum;
    if (thread == 0)
      self->ran = n;
  }
};
} // namespace

/// On how many threads it ran.
static uint32_t runSection(uint32_t threads, uint32_t microseconds) {
  Exchange e;
  ptc_pool_run(threads, microseconds, Exchange::section, &e);
  require(e.ran >= 1 && e.ran <= threads, "a section ran on more threads than it was given");
  for (uint32_t t = 0; t < e.ran; ++t)
    require(e.sums[t] == long(e.ran) * (e.ran + 1) / 2, "a barrier let a thread through");
  return e.ran;
}

static void runSections(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    runSection(1 + uint32_t(i) % 5, i % 3 ? 1000 : 5);
    if (i % 100 == 99)
      usleep(2000); // workers fall asleep
  }
}

/// Where the contexts of all threads record the calls that no variant fits.
static std::string missesPath() {
  auto name = "ptc-threads-" + std::to_string(getpid()) + ".jsonl";
  return std::filesystem::temp_directory_path() / name;
}

/// Each call is there once, in a whole line.
static void checkMisses() {
  std::ifstream file(missesPath());
  std::multiset<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.insert(line);
  std::multiset<std::string> expected = {"{\"args\": [null], \"kwargs\": {}}"};
  for (int n = 0; n < 8; ++n)
    expected.insert("{\"args\": [" + std::to_string(n) + "], \"kwargs\": {}}");
  std::remove(missesPath().c_str());
  require(lines == expected, "misses of several threads");
}

static void runContext(ptc_model *model, int calls) {
  ptc_context *context = nullptr;
  require(ptc_context_create(model, &context) == ptc_status_ok, "no context");
  ptc_set_threads(context, 3);
  ptc_set_output(context, [](void *, int, const char *, size_t) {}, nullptr);
  require(ptc_record_misses(context, missesPath().c_str()) == ptc_status_ok, "no file of misses");
  handmade::Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0}), other({1});
  for (int i = 0; i < calls; ++i) {
    ptc_value in = x.value(), out = y.value(), k = ptc_of_int(1), counted[2] = {};
    require(ptc_call(context, 0, &in, 1, &out, 1) == ptc_status_ok && y.data[3] == 12, "scale");
    ptc_status status = ptc_call(context, 1, &k, 1, counted, 2);
    require(status == (i < 10 ? ptc_status_ok : ptc_status_raised), "count");
    ptc_value who[] = {x.value(), other.value(), ptc_of_float(1), ptc_of_str("fast", 4)};
    require(ptc_call(context, 2, who, 4, counted, 2) == ptc_status_ok, "who");
    require(counted[0].as.integer >= 1 && counted[0].as.integer <= 3, "threads of a section");
    in = ptc_of_none();
    require(ptc_call(context, 0, &in, 1, &out, 1) == ptc_status_no_variant, "miss");
    in = ptc_of_int(i % 8);
    require(ptc_call(context, 0, &in, 1, &out, 1) == ptc_status_no_variant, "miss of an int");
  }
  ptc_context_destroy(context);
}

/// Workers that get no processor: what pthread_create of the pool starts waits until `mayRun`.
static std::atomic<bool> holdsWorkers, mayRun;
namespace {
struct Held {
  void *(*work)(void *);
  void *argument;
  static void *run(void *held) {
    Held self = *static_cast<Held *>(held);
    delete static_cast<Held *>(held);
    while (!mayRun)
      usleep(100);
    return self.work(self.argument);
  }
};
} // namespace
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of the linker
extern "C" int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                                     void *);
extern "C" int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                     void *(*work)(void *), void *argument) {
  if (!holdsWorkers)
    return __real_pthread_create(thread, attributes, work, argument);
  return __real_pthread_create(thread, attributes, Held::run, new Held{work, argument});
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

/// Sections do not wait for workers that do not run; these take part as soon as they do.
static void runWithLateWorkers() {
  alarm(60);
  holdsWorkers = true;
  for (int i = 0; i < 20; ++i)
    require(runSection(3, i % 2 ? 1000 : 5) == 1, "a worker that does not run took part");
  mayRun = true;
  while (runSection(3, 1000) != 3)
    usleep(100);
}

/// The child process makes new workers.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name it looks for
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }

/// Arguments: threads and calls of each, default 6 and 60.
int main(int argc, char **argv) {
  auto number = [&](int i, int otherwise) {
    return argc > i ? int(std::strtol(argv[i], nullptr, 10)) : otherwise;
  };
  int numThreads = number(1, 6), calls = number(2, 60);
  runSections(500);
  ptc_model *model = nullptr;
  require(ptc_model_open(handmade::table(), nullptr, &model) == ptc_status_ok, "no model");
  std::vector<std::thread> threads;
  threads.reserve(size_t(numThreads) + 1);
  for (int t = 0; t < numThreads; ++t)
    threads.emplace_back(runContext, model, calls);
  threads.emplace_back(runSections, 100);
  for (std::thread &thread : threads)
    thread.join();
  ptc_model_close(model);
  checkMisses();
  // A child has no workers of its own; it makes new ones.
  for (auto run : {+[] { runSections(20); }, runWithLateWorkers}) {
    pid_t child = fork();
    if (child == 0) {
      run();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "sections in a child process");
  }
}
