//===- main.cpp - The ptc command ----------------------------------------------===//
//
// In: the command line. Out: the exit code of the verb it names. @FILE arguments are expanded,
// PTC_FLAGS goes before the verb's own arguments, and -MD and its like, which are not options that
// CLI11 can spell, are brought to the form --MD.
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"

using namespace ptc;
using namespace ptc::tool;

static constexpr const char *kGnuOptions[] = {"-MD", "-MF", "-MT", "-MP"};

/// Arguments after the program's name, in order, with everything expanded.
static llvm::Expected<std::vector<std::string>> expandArguments(int argc, char **argv) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 32> raw(argv + 1, argv + argc);
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

/// Parses `args`; help goes to stdout, wrong usage becomes a diagnostic. True: go on.
static bool parse(CLI::App &app, std::vector<std::string> args, Session &session) {
  bool isVerb = args.empty() || args[0].empty() || args[0][0] == '-' ||
                llvm::any_of(getVerbs(), [&](const Verb &verb) { return args[0] == verb.name; });
  if (!isVerb) {
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

static void runTool(int argc, char **argv, Session &session) {
  auto args = expandArguments(argc, argv);
  if (!args)
    return session.report(args.takeError());

  CLI::App app("ptc: an ahead-of-time compiler for PyTorch programs given as CPython bytecode",
               "ptc");
  app.set_version_flag("--version", "ptc " PTC_VERSION);
  app.require_subcommand(1);
  VerbBody chosen;
  for (const Verb &verb : getVerbs()) {
    CLI::App *sub = app.add_subcommand(verb.name, verb.summary);
    sub->footer(footer(verb));
    declareManners(*sub, session.manners);
    VerbBody body = verb.declare(*sub);
    sub->final_callback([&chosen, body] { chosen = body; });
  }
  if (!parse(app, std::move(*args), session))
    return;
  applyManners(session.manners);
  chosen(session);
  session.printTimings();
}

int main(int argc, char **argv) {
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::setBugReportMsg("internal error: please report it with this command line\n");
  Session session;
  try {
    runTool(argc, argv, session);
  } catch (const std::exception &error) {
    session.report(makeDiagnostic(DiagId::InternalError, {}, error.what()));
  }
  llvm::outs().flush();
  return int(session.exitCode());
}
