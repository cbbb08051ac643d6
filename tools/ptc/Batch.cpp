//===- Batch.cpp - ptc batch: many calls of verbs from one process -----------------------===//
//
// In: lines, each the arguments of one call. Out: per call a line of JSON as soon as it has ended,
// with its exit code and all that it wrote. Each call is a child forked from this process, which
// stays as it was when it had started, with the builtin modules made: nothing that a call does
// reaches another, and one that crashes is a result like any other.
//
//===----------------------------------------------------------------------===//
#include "JsonProblem.h"
#include "Verb.h"

#include "ptc/Capture/Capture.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

namespace {

struct BatchOptions {
  std::string input;
  unsigned jobs = 1;
};

/// What one line asks for.
struct Call {
  std::vector<std::string> args;
  std::string folder;                   ///< to work in; empty: that of this process
  std::optional<double> limit;          ///< seconds
  std::optional<std::string> malformed; ///< why it is no call
};

/// A call that is under way.
struct Running {
  size_t number; ///< of its line, from 0
  pid_t pid;
  int process;  ///< becomes readable when it ends
  int out, err; ///< unnamed files
  Clock::time_point start, end;
  bool hasEnd, wasStopped = false;
};

bool isStrings(const Json &value) {
  return value.is_array() && llvm::all_of(value, [](const Json &item) { return item.is_string(); });
}

Call readCall(const std::string &line) {
  Call call;
  if (std::optional<JsonProblem> problem = findJsonProblem(line)) {
    call.malformed = problem->text;
    return call;
  }
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  Json args = json.is_object() ? json.value("args", Json()) : json;
  if (!isStrings(args)) {
    call.malformed = "a call is an array of strings, or an object that has one as \"args\"";
    return call;
  }
  call.args = args.get<std::vector<std::string>>();
  if (!json.is_object())
    return call;
  for (const auto &[key, value] : json.items()) {
    if (key == "cwd" && value.is_string())
      call.folder = value.get<std::string>();
    else if (key == "limit" && value.is_number() && value.get<double>() > 0)
      call.limit = value.get<double>();
    else if (key != "args")
      call.malformed = "\"" + key +
                       "\" is not what a call has: \"args\", \"cwd\" (a folder) and "
                       "\"limit\" (seconds)";
  }
  return call;
}

class Batch {
public:
  Batch(Session &session, capture::BuiltinWorld &builtins, std::string name, int lines,
        unsigned jobs)
      : session(session), builtins(builtins), name(std::move(name)), lines(lines), jobs(jobs) {}

  void run() {
    for (;;) {
      while (running.size() < jobs && nextLine())
        ;
      if (running.empty() && ended)
        return;
      wait();
    }
  }

private:
  /// Starts the call of the next line that has been read. False: there is none yet.
  bool nextLine() {
    size_t length = buffer.find('\n');
    if (length == std::string::npos) {
      if (!ended || buffer.empty())
        return false;
      length = buffer.size();
    }
    std::string line = buffer.substr(0, length);
    buffer.erase(0, length + 1);
    ++lineNumber;
    if (llvm::StringRef(line).trim().empty())
      return true;
    Call call = readCall(line);
    if (call.malformed)
      refuse(*call.malformed);
    else
      begin(call);
    ++calls;
    return true;
  }

  /// A line that is no call: said here, and in the result that its author waits for.
  void refuse(const std::string &why) {
    Diagnostic diag = makeDiagnostic(DiagId::UsageError, SourceLoc{name, lineNumber, 0, 0, 0}, why);
    session.report(diag);
    std::string text;
    llvm::raw_string_ostream os(text);
    printDiagnostic(os, diag, {});
    print({{"call", calls},
           {"exit", int(diag.info().exitCode)},
           {"seconds", 0.0},
           {"stdout", ""},
           {"stderr", text}});
  }

  void begin(const Call &call) {
    Running made;
    made.number = calls;
    made.out = memfd_create("stdout", MFD_CLOEXEC);
    made.err = memfd_create("stderr", MFD_CLOEXEC);
    made.start = Clock::now();
    made.hasEnd = call.limit.has_value();
    if (call.limit)
      made.end = made.start + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::min(*call.limit, 1e6)));
    made.pid = made.out < 0 || made.err < 0 ? -1 : fork();
    if (made.pid == 0)
      live(call, made);
    made.process = made.pid < 0 ? -1 : int(syscall(SYS_pidfd_open, made.pid, 0));
    if (made.process < 0)
      throw std::runtime_error(std::string("a call cannot be started: ") + std::strerror(errno));
    running.push_back(made);
  }

  /// The child: the call and nothing else.
  [[noreturn]] void live(const Call &call, const Running &made) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server)
      _exit(0); // it ended before the line above: nobody waits for this call
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, 0);
    dup2(made.out, 1);
    dup2(made.err, 2);
    if (lines > 2)
      close(lines);
    for (const Running &other : running) {
      close(other.process);
      close(other.out);
      close(other.err);
    }
    if (!call.folder.empty() && chdir(call.folder.c_str())) {
      Session fresh;
      fresh.report(makeDiagnostic(DiagId::FileNotReadable, {}, call.folder, std::strerror(errno)));
      _exit(int(fresh.exitCode()));
    }
    std::vector<const char *> args;
    args.reserve(call.args.size());
    for (const std::string &arg : call.args)
      args.push_back(arg.c_str());
    int code = runCommand(args, &builtins);
    std::fflush(nullptr);
    _exit(code); // this process's own destructors are not the call's
  }

  /// Until a call ends or reaches its limit, or there is more to read.
  void wait() {
    std::vector<pollfd> files;
    int timeout = -1;
    for (const Running &call : running) {
      files.push_back({call.process, POLLIN, 0});
      if (!call.hasEnd || call.wasStopped)
        continue;
      double left = std::chrono::duration<double, std::milli>(call.end - Clock::now()).count();
      int rounded = int(std::ceil(std::clamp(left, 0.0, 1e9)));
      timeout = timeout < 0 ? rounded : std::min(timeout, rounded);
    }
    if (!ended && running.size() < jobs)
      files.push_back({lines, POLLIN, 0});
    if (poll(files.data(), files.size(), timeout) < 0 && errno != EINTR)
      throw std::runtime_error(std::string("waiting failed: ") + std::strerror(errno));
    std::vector<Running> rest;
    for (size_t i = 0; i < running.size(); ++i) {
      if (files[i].revents) {
        finish(running[i]);
        continue;
      }
      Running &call = running[i];
      if (call.hasEnd && !call.wasStopped && Clock::now() >= call.end) {
        call.wasStopped = true;
        kill(call.pid, SIGKILL);
      }
      rest.push_back(call);
    }
    bool isReadable = files.size() > running.size() && files.back().revents;
    running = std::move(rest);
    if (isReadable)
      readMore();
  }

  void readMore() {
    char bytes[1 << 16];
    ssize_t n = read(lines, bytes, sizeof bytes);
    if (n < 0 && errno != EINTR)
      session.report(makeDiagnostic(DiagId::FileNotReadable, {}, name, std::strerror(errno)));
    if (n == 0 || (n < 0 && errno != EINTR))
      ended = true;
    else if (n > 0)
      buffer.append(bytes, size_t(n));
  }

  static std::string contents(int file) {
    struct stat about = {};
    fstat(file, &about);
    std::string text(size_t(about.st_size), '\0');
    size_t done = 0;
    while (done < text.size()) {
      ssize_t n = pread(file, text.data() + done, text.size() - done, off_t(done));
      if (n <= 0)
        break;
      done += size_t(n);
    }
    text.resize(done);
    return text;
  }

  void finish(const Running &call) {
    int status = 0;
    while (waitpid(call.pid, &status, 0) < 0 && errno == EINTR)
      ;
    Json code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    if (call.wasStopped)
      code = nullptr;
    double seconds = std::chrono::duration<double>(Clock::now() - call.start).count();
    print({{"call", call.number},
           {"exit", code},
           {"seconds", std::round(seconds * 1e6) / 1e6},
           {"stdout", contents(call.out)},
           {"stderr", contents(call.err)}});
    for (int file : {call.process, call.out, call.err})
      close(file);
  }

  /// Not by llvm::outs(), which children would have a copy of.
  static void print(const Json &result) {
    std::string text = result.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    for (size_t done = 0; done < text.size();) {
      ssize_t n = write(1, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR)
        throw std::runtime_error(std::string("<stdout>: ") + std::strerror(errno));
      done += size_t(std::max<ssize_t>(n, 0));
    }
  }

  Session &session;
  capture::BuiltinWorld &builtins; ///< each call has a copy, as it was made
  std::string name;                ///< of the file of lines
  int lines;
  size_t jobs;
  pid_t server = getpid();
  std::string buffer; ///< read and not used
  bool ended = false; ///< nothing more can be read
  uint32_t lineNumber = 0;
  size_t calls = 0;
  std::vector<Running> running;
};

void runBatch(const BatchOptions &options, Session &session) {
  bool isStandard = options.input == "-";
  int lines = isStandard ? 0 : open(options.input.c_str(), O_RDONLY | O_CLOEXEC);
  if (lines < 0)
    return session.report(
        makeDiagnostic(DiagId::FileNotReadable, {}, options.input, std::strerror(errno)));
  session.noteFileRead(options.input);
  llvm::Expected<capture::BuiltinWorld> builtins = capture::BuiltinWorld::make();
  if (!builtins)
    return session.report(builtins.takeError());
  Batch(session, *builtins, isStandard ? "<stdin>" : options.input, lines, options.jobs).run();
}

} // namespace

VerbBody ptc::tool::declareBatch(CLI::App &app) {
  auto options = std::make_shared<BatchOptions>();
  app.add_option(
         "FILE", options->input,
         "lines, or - for standard input; each is a JSON array of arguments, or an object "
         "with \"args\", \"cwd\" and \"limit\", the seconds after which the call is stopped")
      ->required();
  app.add_option("-j,--jobs", options->jobs, "calls at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  return [options](Session &session) { runBatch(*options, session); };
}
