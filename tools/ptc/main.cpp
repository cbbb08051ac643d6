//===- main.cpp - The ptc command ----------------------------------------------===//
//
// In: the command line. Out: the exit code of the verb it names. @FILE arguments are expanded,
// PTC_FLAGS goes before the verb's own arguments, and -MD and its like, which are not options that
// CLI11 can spell, are brought to the form --MD.
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

#include <CLI/CLI.hpp>

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"

#include <csignal>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ptc;
using namespace ptc::tool;

static constexpr const char *kGnuOptions[] = {"-MD", "-MF", "-MT", "-MP"};

/// Arguments after the program's name, in order, with everything expanded.
static llvm::Expected<std::vector<std::string>>
expandArguments(llvm::ArrayRef<const char *> given) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> raw(given);
  if (const char *flags = std::getenv("PTC_FLAGS")) {
    llvm::SmallVector<const char *, 8> more;
    llvm::cl::TokenizeGNUCommandLine(flags, saver, more);
    raw.insert(raw.empty() ? raw.end() : raw.begin() + 1, more.begin(), more.end());
  }
  llvm::cl::ExpansionContext expansion(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(raw))
    return makeError(DiagId::UsageError, {}, llvm::toString(std::move(error)));
  std::vector<std::string> args;
  for (llvm::StringRef arg : raw) {
    if (arg.size() > 1 && arg.front() == '@')
      return makeError(DiagId::FileNotReadable, {}, arg.drop_front(), "no such response file");
    bool gnu = llvm::is_contained(kGnuOptions, arg.take_front(3));
    args.push_back((gnu ? "-" : "") + arg.str());
  }
  return args;
}

//===----------------------------------------------------------------------===//
// MLIR's own flags
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kMlirPrefix = "mlir-";

static void registerMlirFlags() {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
}

/// --help-mlir: the flags that only MLIR knows.
static void printMlirHelp() {
  registerMlirFlags();
  llvm::outs() << "Flags of MLIR, behind any verb that runs passes:\n\n";
  llvm::SmallVector<llvm::cl::Option *> options;
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.first.starts_with(kMlirPrefix))
      options.push_back(entry.second);
  llvm::sort(options, [](auto *a, auto *b) { return a->ArgStr < b->ArgStr; });
  for (llvm::cl::Option *option : options)
    llvm::outs() << llvm::formatv("  --{0,-44} {1}\n", option->ArgStr, option->HelpStr);
}

/// Takes MLIR's flags out of `args` and gives them to MLIR.
static llvm::Error takeMlirFlags(std::vector<std::string> &args) {
  std::vector<const char *> flags{"ptc"};
  std::vector<std::string> taken, rest;
  for (std::string &arg : args) {
    llvm::StringRef name = arg;
    bool mlir = name.consume_front("--") && name.starts_with(kMlirPrefix);
    (mlir ? taken : rest).push_back(std::move(arg));
  }
  args = std::move(rest);
  if (taken.empty())
    return llvm::Error::success();
  registerMlirFlags();
  for (const std::string &flag : taken)
    flags.push_back(flag.c_str());
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (llvm::cl::ParseCommandLineOptions(int(flags.size()), flags.data(), "", &os))
    return llvm::Error::success();
  Diagnostic diag = makeDiagnostic(DiagId::UsageError, {}, llvm::StringRef(problem).trim());
  return makeError(std::move(diag.hint("`ptc --help-mlir` lists MLIR's flags")));
}

static std::string footer(const Verb &verb) {
  std::string text = "Examples:\n";
  llvm::SmallVector<llvm::StringRef, 8> lines;
  llvm::StringRef(verb.examples).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    text += "  " + line.str() + "\n";
  return text;
}

static std::string verbNames() {
  std::string names;
  for (const Verb &verb : getVerbs())
    names += (names.empty() ? "" : ", ") + std::string(verb.name);
  return names;
}

/// Whether they begin with the name of a verb.
static bool isVerb(llvm::ArrayRef<std::string> args) {
  return !args.empty() &&
         llvm::any_of(getVerbs(), [&](const Verb &verb) { return args[0] == verb.name; });
}

/// Parses `args`; help goes to stdout, wrong usage becomes a diagnostic. True: go on.
static bool parse(CLI::App &app, std::vector<std::string> args, Session &session) {
  if (!args.empty() && !args[0].empty() && args[0][0] != '-' && !isVerb(args)) {
    Diagnostic diag = makeDiagnostic(DiagId::UsageError, {}, "'" + args[0] + "' is no verb of ptc");
    session.report(diag.hint("the verbs are " + verbNames()));
    return false;
  }
  std::reverse(args.begin(), args.end()); // CLI11 takes them from the back
  try {
    app.parse(std::move(args));
    return true;
  } catch (const CLI::CallForHelp &) {
    llvm::outs() << app.help();
  } catch (const CLI::CallForAllHelp &) {
    llvm::outs() << app.help("", CLI::AppFormatMode::All);
  } catch (const CLI::CallForVersion &) {
    llvm::outs() << app.version() << '\n';
  } catch (const CLI::ParseError &error) {
    Diagnostic diag = makeDiagnostic(DiagId::UsageError, {}, error.what());
    CLI::App *used = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
    if (used == &app) {
      diag.hint("the verbs are " + verbNames());
    } else {
      diag.hint("`ptc " + used->get_name() + " --help` lists the options");
    }
    session.report(diag);
  }
  return false;
}

static void runTool(llvm::ArrayRef<const char *> given, Session &session) {
  auto args = expandArguments(given);
  if (!args)
    return session.report(args.takeError());

  session.arguments = *args;
  // CLI11 would take the next argument as the value.
  for (llvm::StringRef arg : *args)
    if (arg.starts_with("--") && arg.find('=') == arg.size() - 1)
      return session.report(
          makeDiagnostic(DiagId::UsageError, {}, "'" + arg.str() + "' has no value"));
  if (llvm::is_contained(*args, "--help-mlir"))
    return printMlirHelp();
  if (llvm::Error error = takeMlirFlags(*args))
    return session.report(std::move(error));

  CLI::App app("ptc: an ahead-of-time compiler for PyTorch programs given as CPython bytecode",
               "ptc");
  app.set_version_flag("--version", "ptc " PTC_VERSION);
  app.require_subcommand(1);
  bool mlirHelp = false; // acted on above
  app.add_flag("--help-mlir", mlirHelp,
               "the flags that MLIR has for printing IR and timing passes");
  VerbBody chosen;
  const bool isNamed = isVerb(*args);
  for (const Verb &verb : getVerbs()) {
    CLI::App *sub = app.add_subcommand(verb.name, verb.summary);
    if (isNamed && args->front() != verb.name)
      continue; // its options are not asked for, and there are hundreds
    sub->footer(footer(verb));
    declareManners(*sub, session.manners);
    VerbBody body = verb.declare(*sub);
    sub->final_callback([&chosen, body] { chosen = body; });
  }
  if (!parse(app, std::move(*args), session))
    return;
  if (llvm::Error error = applyManners(session.manners))
    return session.report(std::move(error));
  chosen(session);
  session.report(session.finish());
  session.printTimings();
}

int ptc::tool::runCommand(llvm::ArrayRef<const char *> arguments, capture::BuiltinWorld *builtins) {
  Session session;
  session.builtins = builtins;
  try {
    runTool(arguments, session);
  } catch (const std::bad_alloc &) {
    session.report(makeDiagnostic(DiagId::OutOfMemory, {}, "what this command makes"));
  } catch (const std::exception &error) {
    session.report(makeDiagnostic(DiagId::InternalError, {}, error.what()));
  }
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    session.report(
        makeDiagnostic(DiagId::OutputNotWritten, {}, "<stdout>", llvm::outs().error().message()));
    llvm::outs().clear_error(); // else its destructor aborts
  }
  return int(session.exitCode());
}

/// Lets the allocator begin with one piece of memory in huge pages, where the kernel has them on
/// demand, and keep what is given back. Faults of small pages were a fifth of a short run.
static void prepareMemory() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr int kPiece = 64 << 20;
  constexpr uintptr_t kHugePage = 2 << 20;
  mallopt(M_MMAP_THRESHOLD, kPiece / 2); // the highest that there is
  mallopt(M_TRIM_THRESHOLD, 4 * kPiece);
  mallopt(M_TOP_PAD, kPiece);
  void *volatile grown = std::malloc(kPiece / 64); // volatile: compilers know that nobody reads it
  std::free(grown);
  auto *end = static_cast<char *>(sbrk(0));
  end -= uintptr_t(end) % kHugePage;
  madvise(end - kPiece, kPiece, MADV_HUGEPAGE);
  mallopt(M_TOP_PAD, kPiece / 8);
#endif
}

int main(int argc, char **argv) {
  prepareMemory();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow fails to be written
  llvm::setBugReportMsg("internal error: please report it with this command line\n");
  return runCommand(llvm::ArrayRef<const char *>(argv + 1, argv + argc));
}
