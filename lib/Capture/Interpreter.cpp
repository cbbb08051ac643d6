//===- Interpreter.cpp - Running a module as a program ---------------------------------------===//
//
// In: module code. Out: what it prints, and how it ended.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Interpreter.h"
#include "Executor.h"
#include "Objects.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

/// Runs what is entered until the outermost frame is left.
static llvm::Error runToEnd(Engine &e) {
  Executor executor(e);
  End end = executor.run(Executor::Start::Arrive);
  if (end.status == End::Status::Exits)
    return llvm::Error::success();
  llvm::Error all = llvm::Error::success();
  for (ptc::Diagnostic &d : e.diags)
    all = llvm::joinErrors(std::move(all), ptc::makeError(std::move(d)));
  e.diags.clear();
  return all;
}

llvm::Error capture::runBody(Engine &e, const CodeObject &code, ObjectId module) {
  e.heap.set(kMachine, slot::kCurrentFrame, Value());
  Value entered = enterBody(e, Value::code(&code), module, Value::ref(module), Value(),
                            ReturnAction::Drop, Value());
  assert(Engine::isCalled(entered) && "module code is entered");
  (void)entered;
  return runToEnd(e);
}

static int exitCodeOf(Engine &e, const Value &exception, PythonResult &result) {
  Value content = e.heap.get(exception.asRef(), slot::kContent);
  if (content.parts().empty() || content.parts()[0].isNone())
    return 0;
  if (content.parts()[0].isSmallInt())
    return int(content.parts()[0].asInt());
  if (std::optional<std::string> text = nativeStr(e, content.parts()[0]))
    result.uncaught = *text + "\n";
  return 1;
}

llvm::Expected<PythonResult> capture::runPython(const CodeObject &module,
                                                const PythonOptions &options) {
  Engine e;
  e.limits.steps = options.steps;
  e.limits.depth = options.depth;
  e.world->output = options.output ? options.output : [](llvm::StringRef s) { llvm::outs() << s; };
  e.world->errorOutput =
      options.errorOutput ? options.errorOutput : [](llvm::StringRef s) { llvm::errs() << s; };
  e.world->resolve = options.resolve;
  if (llvm::Error error = bootstrapPrelude(e))
    return error;
  ObjectId main = e.makeModule(options.moduleName, module.fileName, false);
  PythonResult result;
  if (llvm::Error error = runBody(e, module, main))
    return error;
  result.steps = e.steps;
  Value raised = e.heap.get(kMachine, slot::kResult);
  if (!isException(e, raised))
    return result;
  result.exitCode = 1;
  if (isInstance(e, raised, WellKnown::SystemExit)) {
    result.exitCode = exitCodeOf(e, raised, result);
    return result;
  }
  std::optional<std::string> line = exceptionLine(e, raised);
  result.uncaught = tracebackText(e, raised) + line.value_or(className(e, e.typeOf(raised))) + "\n";
  return result;
}
