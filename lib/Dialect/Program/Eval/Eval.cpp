//===- Eval.cpp - Contexts and calls --------------------------------------------===//
//
// In: an entry, weights, inputs. Out: the result of a call, and the context's state for the next.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"

#include <ctime>

using namespace mlir;
using namespace ptc;
using namespace ptc::program;

char PythonError::ID;
int64_t program::readClock(Clock which) {
  clockid_t id = CLOCK_REALTIME;
  switch (which) {
  case Clock::Realtime:
    break;
  case Clock::Monotonic:
    id = CLOCK_MONOTONIC;
    break;
  case Clock::Process:
    id = CLOCK_PROCESS_CPUTIME_ID;
    break;
  case Clock::Thread:
    id = CLOCK_THREAD_CPUTIME_ID;
    break;
  }
  timespec time = {};
  clock_gettime(id, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

OpExecutor::~OpExecutor() = default;

llvm::Expected<llvm::SmallVector<HostTensor, 1>> OpExecutor::execute(Operation *op,
                                                                     ArrayRef<HostValue>) {
  return internalError(op, "the executor does not know this operation");
}

llvm::Error OpExecutor::beginCall(VariantOp, ArrayRef<HostValue>) { return llvm::Error::success(); }
llvm::Expected<HostTensor> OpExecutor::settle(OpResult, HostTensor tensor) { return tensor; }
llvm::Error OpExecutor::settleCarried(scf::WhileOp, MutableArrayRef<HostValue>) {
  return llvm::Error::success();
}

struct Evaluator::Impl {
  EntryOp entry;
  WeightLookup weights;
  OpExecutor &executor;
  llvm::StringMap<HostValue> states;
  SmallVector<VariantOp> variants;
  uint64_t maxOps = UINT64_MAX;
};

Evaluator::Evaluator(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Evaluator::~Evaluator() = default;

unsigned Evaluator::numVariants() const { return impl->variants.size(); }
VariantOp Evaluator::variant(unsigned index) const { return impl->variants[index]; }
void Evaluator::setMaxOps(uint64_t count) { impl->maxOps = count; }

llvm::Error program::raise(StringRef type, const Twine &text) {
  return llvm::make_error<PythonError>(type.str(), text.str());
}

SourceLoc program::sourceLocOf(Location loc) {
  SourceLoc place;
  if (auto file = loc->findInstanceOf<FileLineColLoc>()) {
    place.file = file.getFilename().str();
    place.line = file.getLine();
    place.column = file.getColumn();
  }
  return place;
}

llvm::Error program::internalError(Operation *op, const Twine &text) {
  return makeError(DiagId::InternalError, sourceLocOf(op->getLoc()),
                   (op->getName().getStringRef() + ": " + text).str());
}

static void commitStates(Frame &frame) {
  for (auto &entry : frame.nextStates)
    frame.states[entry.getKey()] = std::move(entry.getValue());
}

llvm::Expected<std::unique_ptr<Evaluator>> Evaluator::create(EntryOp entry, WeightLookup weights,
                                                             OpExecutor &executor) {
  auto impl = std::make_unique<Impl>(Impl{entry, std::move(weights), executor, {}, {}});
  for (Operation &op : entry.getBody().front()) {
    if (auto state = dyn_cast<StateOp>(op)) {
      impl->states[state.getSymName()] = HostValue();
    } else if (auto init = dyn_cast<InitOp>(op)) {
      Frame frame(executor, impl->weights, impl->states);
      if (llvm::Error error = frame.run(init.getBody().front()))
        return std::move(error);
      commitStates(frame);
    } else if (auto variant = dyn_cast<VariantOp>(op)) {
      impl->variants.push_back(variant);
    }
  }
  return std::unique_ptr<Evaluator>(new Evaluator(std::move(impl)));
}

llvm::Expected<CallResult> Evaluator::call(unsigned index, ArrayRef<HostValue> inputs) {
  VariantOp variant = impl->variants[index];
  Block &body = variant.getBody().front();
  assert(inputs.size() == body.getNumArguments() && "one value per run-time leaf");
  Frame frame(impl->executor, impl->weights, impl->states, variant);
  frame.maxOps = impl->maxOps;
  frame.callerInputs.append(inputs.begin(), inputs.end());
  for (auto [arg, input] : llvm::zip_equal(body.getArguments(), inputs)) {
    const HostTensor *tensor = input.getIf<HostTensor>();
    frame.set(arg, tensor ? HostValue(cloneStrided(*tensor)) : input);
  }
  llvm::Error error = impl->executor.beginCall(variant, inputs);
  if (!error)
    error = frame.run(body);
  llvm::Error other = llvm::handleErrors(std::move(error), [&](PythonError &e) {
    // Raised by an operation on data, not by the program: nothing was placed, nothing is committed.
    frame.result.raised = CallResult::Raised{e.type, e.text, sourceLocOf(frame.current->getLoc())};
    frame.nextStates.clear();
  });
  if (other)
    return llvm::handleErrors(std::move(other), [&](DiagError &e) {
      // What executes operations knows their names, but not where they stand.
      if (!e.diag.loc.isKnown())
        e.diag.loc = sourceLocOf(frame.current->getLoc());
      return makeError(std::move(e.diag));
    });
  commitStates(frame);
  return std::move(frame.result);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

const HostValue &Frame::get(Value v) const {
  auto found = values.find(v);
  assert(found != values.end() && "operands are computed before they are used");
  return found->second;
}

int64_t Frame::getInt(Value v) const {
  const HostValue &value = get(v);
  if (const bool *flag = value.getIf<bool>())
    return *flag;
  return value.get<int64_t>();
}

double Frame::getFloat(Value v) const {
  const HostValue &value = get(v);
  if (const double *real = value.getIf<double>())
    return *real;
  return double(getInt(v));
}

llvm::Error Frame::run(Block &block) {
  for (Operation &op : block)
    if (llvm::Error error = execute(&op))
      return error;
  return llvm::Error::success();
}
