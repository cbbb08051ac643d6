//===- CallLoop.h - An entry as the body of a loop over calls ----*- C++ -*-===//
//
// Persistent slots (module globals, attributes, buffers) that a call leaves changed are run-time
// state of the context in all calls: they are found by joining the state before the first call with
// the ends of a call, as at any loop head (control.md, "Calls are a loop, too").
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_CALLLOOP_H
#define PTC_LIB_CAPTURE_CALLLOOP_H

#include "Loop.h"

#include "ptc/Capture/Program.h"

namespace ptc::capture {

/// Makes the arguments of one turn: fresh objects each time. Inputs that are known only at run time
/// are announced through addInput.
class CallLoop {
public:
  CallLoop(Executor &executor, Program &program) : x(executor), e(executor.e), program(program) {}

  /// A tensor argument: a fresh storage whose contents are an input of the body.
  Value addTensorInput(llvm::StringRef path, uint32_t leaf, TapeValue type);
  /// An object of the caller: what is written to it can be seen after the call.
  void addCallerObject(llvm::StringRef path, ObjectId id);

  /// Captures `callee(*makeArguments())`. False: diagnostics say why.
  bool run(const Value &callee, llvm::function_ref<CallArgs()> makeArguments);

private:
  struct CallerObject {
    std::string path;
    ObjectId id;
  };

  std::optional<End> runTurn(const Value &callee, llvm::function_ref<CallArgs()> makeArguments,
                             const HeadState *prev);
  bool finish(const HeadState *prev, const HeadState &now, End end);

  Executor &x;
  Engine &e;
  Program &program;
  std::unique_ptr<TapeBlock> body;
  std::vector<ProgramInput> inputs;
  std::vector<ObjectId> inputStorages; ///< by input, 0: no tensor
  std::vector<CallerObject> callerObjects;
};

/// Turns an end of the body into what the caller gets.
class ExitBuilder {
public:
  ExitBuilder(Engine &e, llvm::ArrayRef<ObjectId> inputStorages,
              llvm::ArrayRef<ProgramInput> inputs)
      : e(e), inputStorages(inputStorages), inputs(inputs) {}

  /// The heap stands at this end.
  ProgramExit build(bool raised);

  OutValue value(const Value &v);

private:
  OutValue object(ObjectId id);
  OutValue tensor(const TensorNode &t);
  uint32_t storage(ObjectId id);

  Engine &e;
  llvm::ArrayRef<ObjectId> inputStorages;
  llvm::ArrayRef<ProgramInput> inputs;
  ProgramExit exit;
  llvm::DenseMap<ObjectId, uint32_t> identities;
  llvm::DenseMap<ObjectId, uint32_t> storages;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_CALLLOOP_H
