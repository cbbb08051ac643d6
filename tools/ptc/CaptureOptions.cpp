//===- CaptureOptions.cpp - Options of every verb that captures ------------------------===//
//
// In: option texts. Out: what the pipeline takes: calls, weights, limits.
//
//===----------------------------------------------------------------------===//
#include "CaptureOptions.h"

#include "AddVariants.h"
#include "CallJson.h"

#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/TensorFile/FilePages.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace ptc;
using namespace ptc::tool;

std::string tool::checkLimit(const std::string &text) {
  uint64_t limit = 0; // CLI11 wraps negative numbers
  bool isLimit = !llvm::StringRef(text).getAsInteger(10, limit) && limit > 0;
  return isLimit ? "" : "'" + text + "' is no whole number of at least 1";
}

std::shared_ptr<CaptureOptions> tool::declareCapture(CLI::App &app) {
  auto o = std::make_shared<CaptureOptions>();
  app.add_option("FILE", o->input,
                 "a .pyc, MODULE.py whose bytecode is in __pycache__, or .mlir that --dump wrote")
      ->required();
  const char *group = "What is compiled";
  app.add_option("--entry", o->entry, "NAME, Class, Class.method or module:NAME")->group(group);
  app.add_option("--init", o->init, "arguments of the class, as JSON")->group(group);
  app.add_option(
         "--weights", o->weights,
         "state dict: .safetensors, .pt, .pth; to run or bench a library whose weights are not "
         "embedded: the .weights file of its compilation")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--dtype", o->dtype,
                 "what parameters, buffers and weights of floating point become, as by "
                 "model.to(torch.bfloat16); inputs are as --input and --example say; default: "
                 "that of a library, or as they are")
      ->check(CLI::IsMember({"bf16", "f16", "f32", "f64"}))
      ->group(group);
  app.add_option("-I", o->includeDirs, "a folder or a zip archive with further modules")
      ->group(group);
  app.add_option("--absent", o->absent,
                 "a module that the program does not find, whoever has it: importing it is an "
                 "ImportError, and find_spec gives None; program:NAME: a program that it does not "
                 "find when it starts one")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--opaque", o->opaque,
                 "a module that the program finds, and that ptc knows nothing about: importing it "
                 "is no error, and what depends on it is refused")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--env", o->environment,
                 "an environment variable that the program sees, NAME=VALUE; it sees no others")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE")
      ->group(group);
  app.add_flag("--env-report", o->envReport,
               "list on stderr what was read of the folders of -I, by package")
      ->group(group);
  auto *train = app.add_flag("--train", o->train,
                             "the entry's module in training mode, as after model.train()")
                    ->group(group);
  app.add_flag("--eval", o->eval, "the entry's module in evaluation mode, as after model.eval()")
      ->excludes(train)
      ->group(group);
  app.add_option(
         "--input", o->inputs,
         "NAME=f32[8,3], NAME=f32[B in 1..64,512], NAME=@x.npy, NAME=JSON, NAME=B for an int "
         "that is a size; a size is a number or says B=8 in 1..64 (8 is typical), B={1,8} "
         "in 1..64 (variants of their own), B in {1,2}, L=16*K, L % 16 == 0, P+L, A < B, "
         "joined by and; a part of an input that is given, too: x[0]=f32[2], "
         "past.layers[0].keys=f32[1,4,L,16]")
      ->group(group);
  app.add_option("--example", o->examples,
                 "a call as JSON, .jsonl: one per line; a variant per set of assumptions")
      ->type_name("FILE")
      ->group(group);
  o->dynamicOption = app.add_option("--dynamic", o->dynamic, "which sizes become symbols")
                         ->check(CLI::IsMember({"none", "auto", "all"}))
                         ->capture_default_str()
                         ->group(group);
  auto *explore =
      app.add_flag("--explore", o->explore,
                   "a variant for the other side of each branch on sizes and numbers, too")
          ->group(group);
  app.add_flag("--no-explore", o->noExplore,
               "one variant for declared sizes: what narrows them is an error")
      ->excludes(explore)
      ->group(group);
  app.add_option("--max-variants", o->maxVariants,
                 "variants that --explore and declared sizes may lead to")
      ->check(CLI::Range(1u, 64u))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--allow-narrowing", o->allowNarrowing,
               "a declared size that the program narrows makes a variant, not an error")
      ->group(group);
  app.add_flag("--require-total", o->requireTotal,
               "exit 7 unless the variants accept every call of the declared inputs")
      ->group(group);
  app.add_option("--python-version", o->pythonVersion, "of bare marshal data, as 3.11")
      ->group(group);
  group = "Limits";
  app.add_option("--max-steps", o->limits.steps, "instructions")
      ->check(checkLimit)
      ->capture_default_str()
      ->group(group);
  app.add_option("--max-depth", o->limits.depth, "nested calls")
      ->check(checkLimit)
      ->capture_default_str()
      ->group(group);
  app.add_option("--max-objects", o->limits.objects, "objects")
      ->check(checkLimit)
      ->capture_default_str()
      ->group(group);
  app.add_option("--max-unroll", o->limits.unroll, "passes of a loop")
      ->check(checkLimit)
      ->capture_default_str()
      ->group(group);
  app.add_option("--max-choices", o->limits.choices, "alternatives of one value")
      ->check(CLI::Range(uint32_t(1), capture::kMostChoices))
      ->capture_default_str()
      ->group(group);
  group = "Phases";
  std::vector<std::string> names;
  for (const PhaseInfo &info : getAllPhases())
    names.push_back(info.name.str());
  app.add_option("--from", o->from, "the phase that made a .mlir input")
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->group(group);
  app.add_option("--to", o->to, "the last phase")
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->group(group);
  app.add_option("--dump", o->dump, "a folder that gets the module behind each phase")
      ->group(group);
  return o;
}

void tool::declareCpu(CLI::App &app, CaptureOptions &options) {
  app.add_option("--cpu", options.cpu.emplace(),
                 "whose plan it is: native, x86-64-v3, x86-64-v4, znver5, …; default: that of a "
                 "library, or native");
}

cpu::CodeOptions tool::codeOptionsFor(llvm::StringRef cpu, const CompiledProgram &program) {
  cpu::CodeOptions options = codeOptionsOf(program);
  if (!cpu.empty()) {
    options.cpu = cpu.str();
    options.gpu.clear();
  }
  return options;
}

/// The .weights file of an artefact, which only its code reads.
static bool isPacked(llvm::StringRef path) { return path.ends_with(".weights"); }

/// Weights of floating point, one after the other, as elements of another type.
static void convertWeights(std::vector<NamedTensor> &weights, DType dtype) {
  for (NamedTensor &weight : weights)
    if (isFloat(weight.tensor.dtype()) && weight.tensor.dtype() != dtype) {
      HostTensor converted = weight.tensor.convertedTo(dtype);
      forgetFilePages(weight.tensor);
      weight.tensor = std::move(converted);
    }
}

llvm::Expected<PipelineOptions> CaptureOptions::resolve(Session &session) const {
  PipelineOptions out;
  out.input = input;
  std::optional<Phase> first = parsePhase(from), last = parsePhase(to);
  if (!first || !last)
    return makeError(DiagId::UsageError, {}, "no phase is called '" + (first ? to : from) + "'");
  if (*last < *first)
    return makeError(DiagId::UsageError, {}, "--to " + to + " comes before --from " + from);
  bool isIr = llvm::StringRef(input).ends_with(".mlir") || isArtefact(input);
  if (!isIr) {
    auto file = capture::findEntryFile(input, parseVersionName(pythonVersion));
    if (!file)
      return file.takeError();
    out.input = std::move(*file);
  }
  if (*first != Phase::Capture && !isIr)
    return makeError(DiagId::UsageError, {},
                     "--from " + from + " needs IR, and " + input + " is none: --dump writes it");
  if (cpu)
    out.chooseCost = [cpu = *cpu](const CompiledProgram &program) {
      return costModelFor(codeOptionsFor(cpu, program), program);
    };
  out.from = *first;
  out.to = *last;
  out.dumpDir = dump;
  out.builtins = session.builtins;
  out.buriesState = !session.builtins;
  capture::CaptureRequest &request = out.request;
  request.file = out.input;
  request.entry = entry;
  // In front of a .pyc, the option has chosen it.
  request.pythonVersion = out.input == input ? pythonVersion : "";
  if (train || eval)
    request.training = train;
  request.includeDirs = includeDirs;
  request.absent = absent;
  request.opaque = opaque;
  request.allowNarrowing = allowNarrowing;
  request.general = onMiss == "fallback";
  out.explore = explore;
  out.requireTotal = requireTotal;
  out.coverRanges = !noExplore;
  out.maxVariants = maxVariants;
  request.limits = limits;
  request.dynamic = dynamic == "none"  ? capture::DynamicMode::None
                    : dynamic == "all" ? capture::DynamicMode::All
                                       : capture::DynamicMode::Auto;
  std::set<std::string> files;
  llvm::Error problems = llvm::Error::success(); // all of them, not the first
  auto found = [&](llvm::Error error) {
    problems = llvm::joinErrors(std::move(problems), std::move(error));
  };
  for (const std::string &given : environment) {
    auto [name, value] = llvm::StringRef(given).split('=');
    if (name.empty() || name.size() == given.size() || !llvm::json::isUTF8(given))
      found(makeError(std::move(
          makeDiagnostic(DiagId::UsageError, {}, "--env '" + given + "' is not NAME=VALUE")
              .hint("--env " + (name.empty() ? "NAME" : name.str()) +
                    "=VALUE gives a variable its value, also an empty one"))));
    std::erase_if(request.environment, [&](const auto &known) { return known.first == name; });
    request.environment.emplace_back(name.str(), value.str());
  }
  if (!init.empty()) {
    if (auto call = parseInit(init, files))
      request.init = std::move(*call);
    else
      found(call.takeError());
  }
  for (const std::string &path : examples) {
    if (auto calls = readCalls(path, files, maxVariants))
      request.examples.insert(request.examples.end(), calls->begin(), calls->end());
    else
      found(calls.takeError());
  }
  if (!inputs.empty()) {
    found(addInputs(request.examples, inputs, maxVariants, files));
  }
  if (!weights.empty() && !(isArtefact(input) && isPacked(weights))) {
    files.insert(weights);
    if (auto tensors = readTensorFile(weights))
      request.weights = std::move(*tensors);
    else
      found(tensors.takeError());
  }
  if (problems)
    return std::move(problems);
  auto elements = elementsFor(dtype, isArtefact(input) ? input : addVariants);
  if (!elements)
    return elements.takeError();
  request.dtype = *elements;
  if (request.dtype)
    convertWeights(request.weights, *request.dtype);
  // The entry of a class gets the examples' own arguments, if they say any.
  if (init.empty() && !request.examples.empty())
    if (const auto &own = request.examples.front().init) {
      request.init.args = own->first;
      request.init.kwargs = own->second;
    }
  if (!addVariants.empty()) {
    files.insert(addVariants);
    if (llvm::Error error = addVariantsOf(addVariants, {dynamicOption->count() > 0}, out))
      return std::move(error);
  }
  for (const std::string &file : files)
    session.noteFileRead(file);
  return out;
}

/// Packages with their versions and files, then the files that are of none.
static void reportEnvironment(const CompiledProgram &program) {
  std::set<std::string> others(program.filesRead.begin(), program.filesRead.end());
  auto list = [](const std::string &what, const auto &files) {
    llvm::errs() << what << ", " << files.size() << (files.size() == 1 ? " file\n" : " files\n");
    for (const std::string &file : files)
      llvm::errs() << "  " << file << '\n';
  };
  for (const capture::PackageRead &package : program.packages) {
    list(package.name + " " + package.version, package.files);
    for (const std::string &file : package.files)
      others.erase(file);
  }
  list("of no package", others);
}

std::optional<CompiledProgram> tool::compileInput(const CaptureOptions &options, Session &session,
                                                  PipelineOptions &resolved) {
  llvm::Expected<PipelineOptions> pipeline = [&] {
    Session::Timer timer(session, "inputs");
    return options.resolve(session);
  }();
  if (!pipeline) {
    session.report(pipeline.takeError());
    return std::nullopt;
  }
  resolved = std::move(*pipeline);
  session.noteFileRead(resolved.input);
  size_t number = 0;
  resolved.onExplore = [&](const std::string &text) { session.progress("exploring: " + text); };
  resolved.onTiming = [&](llvm::StringRef phase, double ms) {
    session.addTiming(phase.str(), ms);
    session.progress("[" + std::to_string(++number) + "/" + std::to_string(getAllPhases().size()) +
                     "] " + phase.str());
  };
  if (!options.dump.empty()) {
    std::error_code ec = llvm::sys::fs::create_directories(options.dump);
    llvm::Error error = ec ? makeError(DiagId::OutputNotWritten, {}, options.dump, ec.message())
                           : session.writeReplay((llvm::Twine(options.dump) + "/cmd").str());
    if (error) {
      session.report(std::move(error));
      return std::nullopt;
    }
  }
  auto program = compile(resolved);
  if (!program) {
    session.report(program.takeError());
    return std::nullopt;
  }
  for (const Diagnostic &note : program->notes)
    session.report(note);
  for (const capture::Program::Assumption &assumed : program->assumptions)
    session.progress("assumed at " + assumed.loc.file + ":" + std::to_string(assumed.loc.line) +
                     ": " + assumed.text);
  for (const std::string &file : program->filesRead)
    session.noteFileRead(capture::fileHolding(file));
  if (options.envReport)
    reportEnvironment(*program);
  return std::move(*program);
}
