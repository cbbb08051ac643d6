// Damaged .pyc files all the way through capture: cut at every byte, every bit flipped, of each
// Python version. Each gives programs or typed diagnostics; no signal, no internal error, no more
// than a second. Built under the sanitizers.
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

size_t stride() {
  const char *given = std::getenv("PTC_DAMAGE_STRIDE");
  return given ? std::max(1, std::atoi(given)) : 1;
}

std::vector<Damage> damagesOf(const std::string &good) {
  std::vector<Damage> all;
  all.reserve(9 * good.size());
  for (size_t size = 0; size < good.size(); size += stride())
    all.push_back({good.substr(0, size), "cut at byte " + std::to_string(size)});
  for (size_t bit = 0; bit < 8 * good.size(); bit += stride()) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    all.push_back(
        {std::move(bad), "bit " + std::to_string(bit % 8) + " of byte " + std::to_string(bit / 8)});
  }
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
  void waitForOne();
  std::map<pid_t, const Damage *> running;
};

} // namespace

void Tries::waitForOne() {
  int status = 0;
  pid_t child = ::wait(&status);
  REQUIRE(child > 0);
  const std::string &what = running.at(child)->what;
  running.erase(child);
  if (WIFSIGNALED(status))
    failures.push_back(what + (WTERMSIG(status) == SIGPROF
                                   ? " takes more than a second"
                                   : " ends by signal " + std::to_string(WTERMSIG(status))));
  else if (int code = WEXITSTATUS(status); code == Captured || code == Refused)
    ++ends[code];
  else
    failures.push_back(what + " ends with exit code " + std::to_string(code));
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

static void tryAll(const std::string &version) {
  std::string good = readBytes(std::string(PTC_INPUTS) + "/small." + version + ".pyc");
  std::vector<Damage> damages = damagesOf(good);
  Tries tries;
  bool isChild = false;
  capture::CaptureRequest request = fuzz::smallRequest();
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
  llvm::errs() << version << ": " << damages.size() << " damages, " << tries.ends[Captured]
               << " captured, " << tries.ends[Refused] << " refused after reading\n";
  for (const std::string &failure : tries.failures)
    UNSCOPED_INFO(failure);
  CHECK(tries.failures.empty());
  // The sound file is captured, and damage is of both kinds.
  CHECK(bool(captured));
  if (!captured)
    llvm::consumeError(captured.takeError());
  CHECK(tries.ends[Captured] > 0);
  CHECK(tries.ends[Refused] > 0);
}

TEST_CASE("damaged files are captured or refused") {
  for (const char *version : {"3.11", "3.12", "3.13", "3.14", "3.15"})
    SECTION(version) { tryAll(version); }
}
