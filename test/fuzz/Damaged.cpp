// Damaged .pyc files all the way through capture: cut at every byte, every bit flipped. Each gives
// programs or typed diagnostics; no signal, no internal error, no more than a second. Built under
// the sanitizers, too. PTC_DAMAGE_STRIDE takes each n-th damage, PTC_DAMAGE_SEED says which of n.
//
// The builtin world is made once. Workers are copies of the process that try one damage after the
// other from there; one that dies ends one try, and another worker goes on behind it.
#include "Request.h"

#include "ptc/Support/Error.h"

#include "llvm/Support/MemoryBuffer.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <map>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ptc;

namespace {

/// How a try ends. A sanitizer's exit codes are none of these: a worker writes them down.
enum Outcome : uint8_t { Waiting, Unreadable, Captured, Refused, Wrong };

struct Damage {
  std::string bytes, what;
};

std::string readBytes(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

size_t numberFrom(const char *variable, size_t otherwise) {
  const char *given = std::getenv(variable);
  return given ? size_t(std::strtoull(given, nullptr, 10)) : otherwise;
}

Damage damageAt(const std::string &good, size_t i) {
  if (i < good.size())
    return {good.substr(0, i), "cut at byte " + std::to_string(i)};
  size_t bit = i - good.size();
  std::string bad = good;
  bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
  return {std::move(bad), "bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8)};
}

std::vector<Damage> damagesOf(const std::string &good) {
  size_t stride = std::max<size_t>(1, numberFrom("PTC_DAMAGE_STRIDE", 1));
  std::vector<Damage> all;
  all.reserve(9 * good.size() / stride + 1);
  for (size_t i = numberFrom("PTC_DAMAGE_SEED", 0) % stride; i < 9 * good.size(); i += stride)
    all.push_back(damageAt(good, i));
  return all;
}

/// The worst that the diagnostics say.
Outcome outcomeOf(llvm::Error error, Outcome outcome) {
  for (const Diagnostic &diag : takeDiagnostics(std::move(error)))
    if (diag.info().exitCode == ExitCode::Internal) {
      llvm::errs() << diag.text << '\n';
      outcome = Wrong;
    }
  return outcome;
}

Outcome tryOne(const Damage &damage, capture::CaptureRequest &request,
               capture::BuiltinWorld &world) {
  auto file = readPyc(damage.bytes, "damaged.pyc");
  if (!file)
    return outcomeOf(file.takeError(), Unreadable);
  request.read = [&] { return std::move(file); };
  auto captured = capture::captureEntry(request, world);
  return captured ? Captured : outcomeOf(captured.takeError(), Refused);
}

/// Workers that try each n-th of all damages.
class Tries {
public:
  explicit Tries(const std::vector<Damage> &damages);
  ~Tries() { ::munmap(shared, bytes); }
  Tries(const Tries &) = delete;
  void run(llvm::function_ref<Outcome(const Damage &)> attempt);
  size_t count(Outcome outcome) const {
    return size_t(std::count(shared, shared + damages.size(), outcome));
  }
  std::vector<std::string> failures;

private:
  void start(size_t from, llvm::function_ref<Outcome(const Damage &)> attempt);
  void fail(size_t at, llvm::StringRef how);

  const std::vector<Damage> &damages;
  size_t width = std::max(1U, std::thread::hardware_concurrency());
  size_t bytes;
  Outcome *shared;                 ///< by damage; the parent reads what the workers write
  std::map<pid_t, size_t> running; ///< worker → the first of its damages
};

} // namespace

Tries::Tries(const std::vector<Damage> &damages)
    : damages(damages), bytes(std::max<size_t>(1, damages.size())),
      shared(static_cast<Outcome *>(
          ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
  REQUIRE(shared != MAP_FAILED);
}

void Tries::fail(size_t at, llvm::StringRef how) {
  failures.push_back((damages[at].what + " " + how).str());
  llvm::errs() << failures.back() << '\n'; // at once: all the damage of a file takes minutes
}

void Tries::start(size_t from, llvm::function_ref<Outcome(const Damage &)> attempt) {
  if (from >= damages.size())
    return;
  pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child) {
    running[child] = from;
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // whoever stops this test stops its workers
  for (size_t i = from; i < damages.size(); i += width) {
    itimerval second{{0, 0}, {1, 0}}; // of processor time, then SIGPROF
    ::setitimer(ITIMER_PROF, &second, nullptr);
    shared[i] = attempt(damages[i]);
  }
  ::_exit(0);
}

void Tries::run(llvm::function_ref<Outcome(const Damage &)> attempt) {
  for (size_t i = 0; i < width; ++i)
    start(i, attempt);
  while (!running.empty()) {
    int status = 0;
    pid_t child = ::wait(&status);
    REQUIRE(child > 0);
    size_t at = running.at(child);
    running.erase(child);
    while (at < damages.size() && shared[at] != Waiting)
      at += width;
    if (at >= damages.size())
      continue;
    if (!WIFSIGNALED(status))
      fail(at, "ends with exit code " + std::to_string(WEXITSTATUS(status)));
    else if (WTERMSIG(status) == SIGPROF)
      fail(at, "takes more than a second");
    else
      fail(at, "ends by signal " + std::to_string(WTERMSIG(status)));
    shared[at] = Wrong;
    start(at + width, attempt);
  }
}

static void tryAll(const std::string &name, const std::string &entry) {
  static llvm::Expected<capture::BuiltinWorld> world = fuzz::importedWorld();
  REQUIRE(bool(world));
  std::string good = readBytes(std::string(PTC_INPUTS) + "/" + name + ".pyc");
  std::vector<Damage> damages = damagesOf(good);
  capture::CaptureRequest request = fuzz::smallRequest();
  request.entry = entry;
  CHECK(tryOne({good, "nothing"}, request, *world) == Captured);
  Tries tries(damages);
  tries.run([&](const Damage &damage) { return tryOne(damage, request, *world); });
  llvm::errs() << name << ": " << damages.size() << " damages, " << tries.count(Captured)
               << " captured, " << tries.count(Refused) << " refused after reading\n";
  for (const std::string &failure : tries.failures)
    UNSCOPED_INFO(failure);
  CHECK(tries.count(Wrong) == 0);
  CHECK(tries.count(Captured) > 0);
}

TEST_CASE("small files") {
  for (const char *name : {"small.3.11", "small.3.12", "small.3.13", "small.3.14", "small.3.15"})
    SECTION(name) { tryAll(name, ""); }
}

TEST_CASE("rich files") {
  for (const char *name : {"rich.3.11", "rich.3.14"})
    SECTION(name) { tryAll(name, "entry"); }
}
