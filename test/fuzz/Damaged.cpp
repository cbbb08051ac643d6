// Damaged .pyc files all the way through capture: cut at every byte, every bit flipped. Each gives
// programs or typed diagnostics; no signal, no internal error, no more than a second. Built under
// the sanitizers, too. PTC_DAMAGE_STRIDE takes each n-th damage, PTC_DAMAGE_SEED says which of n.
//
// The builtin world is made once. What is damaged is then read and captured in a child that starts
// from there: a crash ends one try, not the program, and none sees what another left behind.
#include "Request.h"

#include "ptc/Support/Error.h"

#include "llvm/Support/MemoryBuffer.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ptc;

namespace {

/// How a child ends.
enum Outcome : int { Captured = 0, Refused = 1, Wrong = 2 };

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

/// Does the reader take it? Damage that it refuses needs no child: no state is left behind.
bool isReadable(const Damage &damage) {
  auto file = readPyc(damage.bytes, "damaged.pyc");
  if (file)
    return true;
  for (const Diagnostic &diag : takeDiagnostics(file.takeError())) {
    INFO(damage.what << ": " << diag.text);
    CHECK(diag.info().exitCode != ExitCode::Internal);
  }
  return false;
}

/// Tries each damage in a child of its own, some at a time, and counts how they end.
class Tries {
public:
  /// In the child: the damaged bytes that it is to capture. In the parent: null, after all ended.
  const Damage *forkEach(const std::vector<Damage> &damages);
  std::map<int, unsigned> ends;
  std::vector<std::string> failures;

private:
  void fail(std::string failure);
  void waitForOne();
  std::map<pid_t, const Damage *> running;
};

} // namespace

void Tries::fail(std::string failure) {
  llvm::errs() << failure << '\n'; // at once: all the damage of a file takes minutes
  failures.push_back(std::move(failure));
}

void Tries::waitForOne() {
  int status = 0;
  pid_t child = ::wait(&status);
  REQUIRE(child > 0);
  const std::string &what = running.at(child)->what;
  running.erase(child);
  if (WIFSIGNALED(status))
    fail(what + (WTERMSIG(status) == SIGPROF
                     ? " takes more than a second"
                     : " ends by signal " + std::to_string(WTERMSIG(status))));
  else if (int code = WEXITSTATUS(status); code == Captured || code == Refused)
    ++ends[code];
  else
    fail(what + " ends with exit code " + std::to_string(code));
}

const Damage *Tries::forkEach(const std::vector<Damage> &damages) {
  unsigned width = std::max(1U, std::thread::hardware_concurrency());
  for (const Damage &damage : damages) {
    if (!isReadable(damage))
      continue;
    while (running.size() >= width)
      waitForOne();
    pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      itimerval second{{0, 0}, {1, 0}}; // of its own processor time, then SIGPROF
      ::setitimer(ITIMER_PROF, &second, nullptr);
      return &damage;
    }
    running[child] = &damage;
  }
  while (!running.empty())
    waitForOne();
  return nullptr;
}

static void tryAll(const std::string &name, const std::string &entry) {
  std::string good = readBytes(std::string(PTC_INPUTS) + "/" + name + ".pyc");
  std::vector<Damage> damages = damagesOf(good);
  Tries tries;
  bool isChild = false;
  capture::CaptureRequest request = fuzz::smallRequest();
  request.entry = entry;
  request.read = [&] {
    const Damage *damage = tries.forkEach(damages);
    isChild = damage != nullptr;
    return readPyc(isChild ? damage->bytes : good, "damaged.pyc");
  };
  auto captured = capture::captureEntry(request);
  if (isChild) {
    int outcome = Captured;
    if (!captured)
      for (const Diagnostic &diag : takeDiagnostics(captured.takeError())) {
        outcome = std::max<int>(outcome, Refused);
        if (diag.info().exitCode == ExitCode::Internal) {
          llvm::errs() << diag.text << '\n';
          outcome = Wrong;
        }
      }
    ::_exit(outcome);
  }
  llvm::errs() << name << ": " << damages.size() << " damages, " << tries.ends[Captured]
               << " captured, " << tries.ends[Refused] << " refused after reading\n";
  for (const std::string &failure : tries.failures)
    UNSCOPED_INFO(failure);
  CHECK(tries.failures.empty());
  CHECK(bool(captured)); // the sound file
  if (!captured)
    llvm::consumeError(captured.takeError());
  CHECK(tries.ends[Captured] > 0);
}

TEST_CASE("damaged files are captured or refused") {
  for (const char *name : {"small.3.11", "small.3.12", "small.3.13", "small.3.14", "small.3.15"})
    SECTION(name) { tryAll(name, ""); }
  for (const char *name : {"rich.3.11", "rich.3.14"})
    SECTION(name) { tryAll(name, "entry"); }
}
