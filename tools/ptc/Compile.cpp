//===- Compile.cpp - ptc compile: a program as a native library ------------------===//
//
// In: a program, examples, weights. Out: a library, an object or an archive, and the header that
// declares its table; a program; or code as text.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"
#include "AlwaysRaises.h"
#include "ArtefactVerbs.h"
#include "CallJson.h"
#include "CaptureOptions.h"

#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/Driver/MakeArtefact.h"
#include "ptc/Driver/Phases.h"
#include "ptc/Target/Cuda/Code.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/Path.h"

using namespace ptc;
using namespace ptc::tool;

static constexpr char kX86[] = "x86-64", kCuda[] = "cuda";
/// Rows of World.def whose answers are those of --matmul-precision=highest.
static constexpr llvm::StringLiteral kPrecisionQuestions[] = {
    "torch.get_float32_matmul_precision", "torch.backends.cuda.matmul.allow_tf32"};

namespace {
struct CompileOptions {
  std::string output, emit = "lib", placement, cpu = "native", level = "2", header;
  std::string target = kX86, gpu, matmulPrecision = cpu::kMatmulPrecisions[0].str();
  bool stripIr = false, allowRaising = false;
};
} // namespace

static std::string withSuffix(llvm::StringRef path, llvm::StringRef suffix) {
  llvm::SmallString<128> changed(path);
  llvm::sys::path::replace_extension(changed, suffix);
  return changed.str().str();
}

static std::string defaultHeader(llvm::StringRef output) {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(output));
  llvm::sys::path::append(path, modelNameOf(output) + ".h");
  return path.str().str();
}

static std::optional<ArtefactKind> kindOf(llvm::StringRef emit) {
  if (emit == "lib")
    return ArtefactKind::Library;
  if (emit == "obj")
    return ArtefactKind::Object;
  if (emit == "archive")
    return ArtefactKind::Archive;
  if (emit == "exe")
    return ArtefactKind::Program;
  return std::nullopt; // text
}

static llvm::Error refuse(const llvm::Twine &why) {
  return makeError(DiagId::UsageError, {}, why.str());
}

/// Where weights go: into libraries and programs; objects and archives leave them to a file.
/// Errors: UsageError.
static llvm::Expected<WeightPlacement> placementOf(const CompileOptions &options) {
  std::optional<ArtefactKind> kind = kindOf(options.emit);
  bool isLoaded = kind == ArtefactKind::Library || kind == ArtefactKind::Program;
  if (!kind && !(options.placement.empty() && options.header.empty()))
    return refuse("--emit=" + options.emit + " writes code to be read, without weights and " +
                  "interface: --weights-placement and --header are for what is linked");
  if (options.placement.empty())
    return isLoaded ? WeightPlacement::Embed : WeightPlacement::External;
  if (options.placement == "external")
    return WeightPlacement::External;
  if (options.placement == "argument" && kind != ArtefactKind::Program)
    return WeightPlacement::Argument;
  if (options.placement == "argument")
    return refuse("--weights-placement=argument is for callers that have the weights in memory, "
                  "and --emit=exe makes a program without one: it takes embed or external");
  if (isLoaded)
    return WeightPlacement::Embed;
  return refuse("--weights-placement=embed needs --emit=lib or --emit=exe: objects and archives "
                "take external weights or weights as an argument");
}

/// Errors: UsageError.
static llvm::Error checkTarget(const CompileOptions &options) {
  if (options.target == kCuda)
    return llvm::Error::success();
  if (!options.gpu.empty())
    return refuse("--gpu " + options.gpu + " is for --target=cuda");
  if (options.emit == "ptx" || options.emit == "cubin")
    return refuse("--emit=" + options.emit + " is code of a GPU: give --target=cuda");
  return llvm::Error::success();
}

static cpu::CodeOptions codeOptions(const CompileOptions &options) {
  cpu::CodeOptions code;
  code.cpu = options.cpu;
  code.level = unsigned(options.level[0] - '0');
  if (options.target == kCuda)
    code.gpu = options.gpu.empty() ? "sm_90a" : options.gpu;
  code.matmulPrecision = cpu::MatmulPrecision(
      llvm::find(cpu::kMatmulPrecisions, options.matmulPrecision) - cpu::kMatmulPrecisions);
  return code;
}

/// A program that asks how exact products are was read as one in which they are exact. Errors:
/// UsageError.
static llvm::Error checkPrecision(const CompiledProgram &program, const CompileOptions &options) {
  if (options.matmulPrecision == cpu::kMatmulPrecisions[0])
    return llvm::Error::success();
  for (const capture::WorldUse &use : program.world)
    if (llvm::is_contained(kPrecisionQuestions, use.name))
      return makeError(
          std::move(makeDiagnostic(DiagId::UsageError, use.loc,
                                   "--matmul-precision=" + options.matmulPrecision +
                                       ": the program itself asks for '" + use.name + "'")
                        .note("what it gets is " + use.answer +
                              ": leave the option out, or what the program does with it")));
  return llvm::Error::success();
}

/// The call that a program makes: the first example of typical sizes. Errors: UsageError.
static llvm::Expected<ExampleCall> firstExample(const CompiledProgram &program,
                                                const PipelineOptions &pipeline) {
  if (!pipeline.request.examples.empty())
    return typicalCall(pipeline.request.examples);
  if (program.signature && program.parameters.empty())
    return ExampleCall();
  return refuse("--emit=exe makes a program that makes a call, and there is none: give --input or "
                "--example");
}

static void emitText(CompiledProgram &program, const CompileOptions &options,
                     const cpu::CodeOptions &code, Session &session) {
  bool isDevice = options.emit == "ptx" || options.emit == "cubin";
  cpu::CodeForm form = options.emit == "asm" ? cpu::CodeForm::Assembly : cpu::CodeForm::LLVM;
  auto text =
      isDevice ? deviceText(program, options.emit == "cubin", code) : codeText(program, form, code);
  if (!text)
    return session.report(text.takeError());
  session.deliver(options.output, *text);
}

/// Before anything is done. Errors: OutputNotWritten.
static llvm::Error checkPlaces(const CompileOptions &options) {
  llvm::Error error = checkOutputPlace(options.output);
  if (!options.header.empty())
    error = llvm::joinErrors(std::move(error), checkOutputPlace(options.header));
  return error;
}

static std::string entryName(const CompiledProgram &made) {
  mlir::ModuleOp module = made.module.get();
  return (*module.getOps<program::EntryOp>().begin()).getSymName().str();
}

static bool isBytecode(llvm::StringRef input) {
  return !input.ends_with(".mlir") && !isArtefact(input);
}

/// A program that only raises is compiled for who asks for it; variants that do are warned of.
/// False: it is not compiled.
static bool checkRaises(const CompiledProgram &program, const PipelineOptions &pipeline,
                        const CompileOptions &options, Session &session) {
  bool refused = !options.allowRaising && raisesAlways(program);
  for (Diagnostic &raised : findAlwaysRaised(program, pipeline.request.examples)) {
    if (!refused) {
      session.warn(raised);
      continue;
    }
    raised.hint("--allow-raising compiles it as it is");
    session.report(raised);
  }
  return !refused;
}

static void compileTo(const CaptureOptions &capture, const CompileOptions &options,
                      Session &session) {
  PipelineOptions pipeline;
  std::optional<ArtefactKind> kind = kindOf(options.emit);
  bool isProgram = kind == ArtefactKind::Program;
  llvm::Expected<WeightPlacement> placement = placementOf(options);
  if (!placement)
    return session.report(placement.takeError());
  if (llvm::Error error = checkTarget(options))
    return session.report(std::move(error));
  if (isProgram && !options.header.empty())
    return session.report(refuse("--header: a program (--emit=exe) has no C interface"));
  if (llvm::Error error = checkPlaces(options))
    return session.report(std::move(error));
  if (!capture.addVariants.empty() && !isBytecode(capture.input))
    return session.report(makeDiagnostic(
        DiagId::UsageError, {},
        "--add-variants compiles anew: it needs the .pyc that the artefact was compiled from"));
  std::optional<CompiledProgram> program = compileInput(capture, session, pipeline);
  if (!program)
    return;
  if (!capture.addVariants.empty())
    if (llvm::Error error = checkFilesOf(capture.addVariants, pipeline, program->filesRead))
      return session.report(std::move(error));
  if (llvm::Error error = checkPrecision(*program, options))
    return session.report(std::move(error));
  if (!checkRaises(*program, pipeline, options, session))
    return;
  ArtefactOptions artefact;
  artefact.code = codeOptions(options);
  noteCodeOptions(*program, artefact.code);
  std::string ir = options.stripIr ? "" : printModule(*program->module, /*locations=*/true);
  llvm::Expected<plan::CostModel> cost = costModelFor(artefact.code, *program);
  if (!cost)
    return session.report(cost.takeError());
  if (llvm::Error error = advance(*program, Phase::Normalise, Phase::Plan, *cost))
    return session.report(std::move(error));
  if (!kind)
    return emitText(*program, options, artefact.code, session);
  artefact.output = options.output;
  artefact.kind = *kind;
  artefact.placement = *placement;
  artefact.weightsOutput = withSuffix(options.output, "weights");
  if (artefact.placement != WeightPlacement::Embed && artefact.weightsOutput == options.output)
    return session.report(
        refuse("-o '" + options.output + "' is where the weights go: name the output otherwise"));
  if (!isProgram)
    artefact.headerOutput = options.header.empty() ? defaultHeader(options.output) : options.header;
  if (isProgram) {
    llvm::Expected<ExampleCall> example = firstExample(*program, pipeline);
    if (!example)
      return session.report(example.takeError());
    artefact.example = std::move(*example);
  }
  if (!options.stripIr && isBytecode(capture.input)) {
    llvm::Expected<std::string> request =
        requestText(pipeline, entryName(*program), program->filesRead);
    if (!request)
      return session.report(request.takeError());
    artefact.request = std::move(*request);
  }
  Session::Timer timer(session, "artefact");
  OutputFiles files;
  if (llvm::Error error = makeArtefact(*program, ir, program->weights, artefact, files))
    return session.report(std::move(error));
  session.deliver(std::move(files), options.output);
  const std::string &gpu = artefact.code.gpu;
  if (!gpu.empty() && !cuda::hasAssembler())
    session.report(makeDiagnostic(DiagId::PtxAlone, {}, options.output, gpu));
}

VerbBody tool::declareCompile(CLI::App &app) {
  auto capture = declareCapture(app);
  auto options = std::make_shared<CompileOptions>();
  app.add_option("-o", options->output, "the file to write; its name gives that of the model")
      ->type_name("FILE")
      ->required();
  app.add_option("--emit", options->emit,
                 "what to write; exe: a program that makes the call of the first example, or one "
                 "with tensors of .npy files, and prints its result or (--bench) how long it "
                 "takes; its --help says more; asm, llvm: the code alone, to be read; ptx, cubin: "
                 "what the GPU runs")
      ->check(CLI::IsMember({"lib", "obj", "archive", "exe", "asm", "llvm", "ptx", "cubin"}))
      ->capture_default_str();
  app.add_option("--cpu", options->cpu, "native, x86-64-v3, x86-64-v4, znver5, …")
      ->capture_default_str();
  app.add_option("--target", options->target,
                 "what runs kernels; cuda: an NVIDIA GPU, whose memory holds the tensors; none is "
                 "needed to compile")
      ->check(CLI::IsMember({kX86, kCuda}))
      ->capture_default_str();
  app.add_option("--gpu", options->gpu,
                 "with --target=cuda: the GPU of the machine code, beside which PTX is for others; "
                 "default: sm_90a")
      ->check(CLI::IsMember(cuda::gpuNames()));
  app.add_option(
         "--matmul-precision", options->matmulPrecision,
         "as torch.set_float32_matmul_precision in front of the program: high, medium: with "
         "--target=cuda, inputs of products and convolutions of f32 are rounded to tf32, as "
         "eager CUDA does then; for a CPU, products stay exact")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(cpu::kMatmulPrecisions),
                                                     std::end(cpu::kMatmulPrecisions))))
      ->capture_default_str();
  app.add_option("-O", options->level, "how hard to optimise")
      ->check(CLI::IsMember({"0", "1", "2", "3"}))
      ->capture_default_str();
  app.add_option("--weights-placement", options->placement,
                 "where weights are: in the output, or in a file beside it, as libmodel.weights "
                 "for -o libmodel.so: external is for programs that open that file by its path, "
                 "argument for those that have its bytes in memory; default: embed, for objects "
                 "and archives external; a program opens its file beside itself or by its "
                 "--weights")
      ->check(CLI::IsMember({"embed", "external", "argument"}));
  app.add_option(
         "--add-variants", capture->addVariants,
         "a library made of the same program: its examples come before those given here, and "
         "its entry and options are taken where none are given")
      ->type_name("FILE");
  app.add_option("--on-miss", capture->onMiss,
                 "what becomes of calls that no variant fits; error: a status with the guard that "
                 "failed; fallback: a variant more, of the first example, in which every size is a "
                 "symbol, where the program has one; callback: error, unless the application has "
                 "set a function by ptc_set_miss_callback, which works with each of them")
      ->check(CLI::IsMember({"error", "fallback", "callback"}))
      ->capture_default_str();
  app.add_option("--header", options->header, "where the C header goes; default: MODEL.h beside")
      ->type_name("FILE");
  app.add_flag("--strip-ir", options->stripIr,
               "leave out the program's IR and examples, which verify, inspect-graph and "
               "--add-variants use");
  app.add_flag("--allow-raising", options->allowRaising,
               "compile a program of which every call ends in an exception, with a warning");
  return [=](Session &session) { compileTo(*capture, *options, session); };
}
