//===- Outcome.cpp - What comes of a call, by us and by eager --------------------===//
//
// In: a call. Out: what it returns or raises; copies and texts of calls.
//
//===----------------------------------------------------------------------===//
#include "Outcome.h"

#include "OracleFixture.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

Outcome ptc::numerics::runEager(llvm::StringRef name, const Call &call) {
  Outcome outcome;
  auto results = oracle().call(name, call);
  if (results)
    outcome.results = std::move(*results);
  else
    llvm::handleAllErrors(results.takeError(), [&](const OracleException &e) {
      outcome.raised = e.pythonClass;
      outcome.text = e.text;
    });
  return outcome;
}

Outcome ptc::numerics::runOurs(const OpInfo &op, const Call &call, Mt19937 &generator) {
  Outcome outcome;
  EvalContext context;
  context.generator = &generator;
  auto results = evaluate(op, call, context);
  if (results)
    outcome.results = std::move(*results);
  else
    llvm::handleAllErrors(results.takeError(), [&](const EvalFailure &e) {
      outcome.isUnsupported = e.kind == EvalFailure::Kind::Unsupported;
      outcome.raised = toString(e.pythonClass).str();
      outcome.text = e.text;
    });
  return outcome;
}

Call ptc::numerics::cloneCall(const Call &call) {
  Call copy = call;
  for (HostValue &value : copy)
    if (const auto *tensor = value.getIf<HostTensor>(); tensor && tensor->isDefined()) {
      auto storage = std::make_shared<TensorStorage>(tensor->storage()->size());
      std::copy_n(tensor->storage()->data(), storage->size(), storage->data());
      value = HostTensor(tensor->dtype(), tensor->sizes(), tensor->strides(),
                         tensor->storageOffset(), storage);
    }
  return copy;
}

std::string ptc::numerics::describe(const Call &call) {
  std::string text;
  for (const HostValue &value : call)
    text += (text.empty() ? "" : ", ") + toString(value);
  return text;
}

bool ptc::numerics::isEmptyResult(const Outcome &outcome) {
  return llvm::all_of(outcome.results, [](const HostValue &value) {
    const auto *tensor = value.getIf<HostTensor>();
    return tensor && tensor->numel() == 0;
  });
}
