//===- Interpreter.cpp - Running a module as a program ---------------------------------------===//
//
// In: module code. Out: what it prints, and how it ended.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Interpreter.h"
#include "Answers.h"
#include "Executor.h"
#include "Objects.h"
#include "OpenGenerators.h"

using namespace ptc::capture;
namespace capture = ptc::capture;
using ptc::DiagId;

static llvm::Error takeErrors(Engine &e) {
  llvm::Error all = llvm::Error::success();
  for (ptc::Diagnostic &d : e.diags)
    all = llvm::joinErrors(std::move(all), ptc::makeError(std::move(d)));
  e.diags.clear();
  return all;
}

/// Runs what is entered until the outermost frame is left.
static llvm::Error runToEnd(Engine &e) {
  Executor executor(e);
  End end = executor.run(Executor::Start::Arrive);
  return end.status == End::Status::Exits ? llvm::Error::success() : takeErrors(e);
}

/// Closes the generators that are suspended when the program ends.
static llvm::Error closeAll(Engine &e) {
  for (;;)
    switch (closeAny(e)) {
    case Closing::None:
      return llvm::Error::success();
    case Closing::Refused:
      return takeErrors(e);
    case Closing::Entered:
      if (llvm::Error error = runToEnd(e))
        return error;
    }
}

llvm::Error capture::runBody(Engine &e, const CodeObject &code, ObjectId module) {
  e.heap.set(kMachine, slot::kCurrentFrame, Value());
  Value entered = enterBody(e, Value::code(&code), module, Value::ref(module), Value(),
                            ReturnAction::Drop, Value());
  assert(Engine::isCalled(entered) && "module code is entered");
  (void)entered;
  return runToEnd(e);
}

/// What SystemExit asks for; a code that is no number is what the program says on leaving.
static int exitCodeOf(Engine &e, const Value &exception, PythonResult &result) {
  Value content = e.heap.get(exception.asRef(), slot::kContent);
  if (content.parts().empty() || content.parts()[0].isNone())
    return 0;
  if (content.parts().size() == 1 && content.parts()[0].isSmallInt())
    return int(content.parts()[0].asInt());
  if (std::optional<std::string> text = nativeStr(e, exception))
    result.uncaught = *text + "\n";
  return 1;
}

/// "Type: text" of an exception; the type alone where its text is written in Python and fails.
static llvm::Expected<std::string> lineOf(Engine &e, const Value &raised) {
  if (std::optional<std::string> line = exceptionLine(e, raised))
    return *line;
  Value text = toStr(e, raised, ReturnAction::Push);
  if (Engine::isCalled(text)) {
    if (llvm::Error error = runToEnd(e))
      return std::move(error);
    text = e.heap.get(kMachine, slot::kResult);
  }
  e.pending = {};
  std::string full = classFullName(e, e.typeOf(raised));
  llvm::StringRef name = full;
  name.consume_front("__main__.");
  if (!text.is(Kind::Str))
    return (name + ": <exception str() failed>").str();
  return text.asStr().empty() ? name.str() : (name + ": " + text.asStr()).str();
}

llvm::Expected<PythonResult> capture::runMain(Engine &e, const CodeObject &module,
                                              llvm::StringRef name) {
  e.plainPython = true;
  ObjectId main = e.makeModule(name, module.fileName, false);
  e.heap.set(main, attrKey(e.intern("__package__")), Value::none());
  describeModule(e, main, ModuleForm::Main);
  PythonResult result;
  if (llvm::Error error = runBody(e, module, main))
    return std::move(error);
  result.steps = e.steps;
  Value raised = e.heap.get(kMachine, slot::kResult);
  if (llvm::Error error = closeAll(e))
    return std::move(error);
  if (!isException(e, raised))
    return result;
  result.exitCode = 1;
  bool exits = isInstance(e, raised, WellKnown::SystemExit);
  if (exits)
    result.exitCode = exitCodeOf(e, raised, result);
  if (!result.exitCode)
    return result;
  result.raisedAt = e.raisedAt(raised);
  std::string trace = tracebackText(e, raised);
  llvm::Expected<std::string> line = lineOf(e, raised);
  if (!line)
    return line.takeError();
  if (!exits)
    result.uncaught = trace + *line + "\n";
  auto [type, text] = llvm::StringRef(*line).split(": ");
  result.raisedType = type.str();
  result.raisedText = text.str();
  return result;
}

llvm::Expected<PythonResult> capture::runPython(const CodeObject &module,
                                                const PythonOptions &options) {
  Engine e;
  e.limits.steps = options.steps;
  e.limits.depth = options.depth;
  e.world->output = options.output ? options.output : [](llvm::StringRef s) { llvm::outs() << s; };
  e.world->errorOutput =
      options.errorOutput ? options.errorOutput : [](llvm::StringRef s) { llvm::errs() << s; };
  if (llvm::Error error = bootstrapPrelude(e))
    return std::move(error);
  setVersion(e, module.version);
  return runMain(e, module, options.moduleName);
}
