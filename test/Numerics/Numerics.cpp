// Every record of the table against LibTorch's dispatcher: type, sizes, strides, aliasing, values,
// and refusals, over element types and shapes.
#include "Cases.h"
#include "Compare.h"

#include "ptc/Dialect/Aten/Eval/Eval.h"
#include "ptc/Oracle/OracleLibrary.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

static OracleLibrary &oracle() {
  static OracleLibrary library = [] {
    OracleLibrary opened = llvm::cantFail(OracleLibrary::open(PTC_ORACLE_LIBRARY));
    opened.setNumThreads(1);
    return opened;
  }();
  return library;
}

static uint64_t seed() {
  static const uint64_t value = [] {
    const char *given = std::getenv("PTC_SEED");
    uint64_t number = given ? std::strtoull(given, nullptr, 10) : 20240229;
    std::cerr << "seed " << number << " (PTC_SEED)\n";
    return number;
  }();
  return value;
}

namespace {

/// What came of one call: results, or an exception's class and text.
struct Outcome {
  llvm::SmallVector<HostValue, 1> results;
  std::string raised;
  std::string text;
  bool isUnsupported = false;
};

} // namespace

static Outcome runEager(const OpInfo &op, const Call &call) {
  Outcome outcome;
  auto results = oracle().call(op.name, call);
  if (results)
    outcome.results = std::move(*results);
  else
    llvm::handleAllErrors(results.takeError(), [&](const OracleException &e) {
      outcome.raised = e.pythonClass;
      outcome.text = e.text;
    });
  return outcome;
}

static Outcome runOurs(const OpInfo &op, const Call &call, Mt19937 &generator) {
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

/// Where a result's storage is: the index of the argument that it shares one with, or -1.
static int aliasOf(const HostValue &result, const Call &call) {
  const auto *tensor = result.getIf<HostTensor>();
  if (!tensor || !tensor->isDefined() || tensor->numel() == 0)
    return -1;
  for (size_t i = 0; i < call.size(); ++i)
    if (const auto *arg = call[i].getIf<HostTensor>())
      if (arg->isDefined() && arg->sharesStorageWith(*tensor))
        return int(i);
  return -1;
}

/// Both refuse; NotImplementedError is a RuntimeError, so one stands for the other.
static bool areSameRefusals(llvm::StringRef a, llvm::StringRef b) {
  auto general = [](llvm::StringRef name) {
    return name == "NotImplementedError" ? "RuntimeError" : name;
  };
  return general(a) == general(b);
}

/// Says how the two outcomes differ; empty if they agree.
static std::string compare(const OpInfo &op, const Call &call, const Outcome &ours,
                           const Outcome &eager) {
  if (!ours.raised.empty() || !eager.raised.empty()) {
    if (ours.isUnsupported && ours.text.find("complex32") != std::string::npos)
      return ""; // an element type that ptc leaves out
    if (eager.raised.empty())
      return (ours.isUnsupported ? "unsupported: " : "we raise " + ours.raised + ": ") + ours.text;
    if (ours.raised.empty())
      return "eager raises " + eager.raised + ": " + eager.text;
    if (!ours.isUnsupported && !areSameRefusals(ours.raised, eager.raised))
      return "we raise " + ours.raised + " (" + ours.text + "), eager " + eager.raised + " (" +
             eager.text + ")";
    return "";
  }
  // Beyond the schema's results: new values of arguments that eager updates in place.
  if (ours.results.size() < eager.results.size())
    return "fewer results than eager";
  for (size_t i = 0; i < eager.results.size(); ++i) {
    std::string difference = compareValues(op, ours.results[i], eager.results[i]);
    if (!difference.empty())
      return difference;
    if (aliasOf(ours.results[i], call) != aliasOf(eager.results[i], call))
      return "aliasing differs";
    const auto *tensor = eager.results[i].getIf<HostTensor>();
    if (tensor && aliasOf(eager.results[i], call) >= 0 &&
        tensor->storageOffset() != ours.results[i].tensor().storageOffset())
      return "storage offset differs";
  }
  return "";
}

static std::string describe(const Call &call) {
  std::string text;
  for (const HostValue &value : call)
    text += (text.empty() ? "" : ", ") + toString(value);
  return text;
}

/// Copies that share nothing with the originals: eager may write what it is given.
static Call cloneCall(const Call &call) {
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

static bool isRandom(const OpInfo &op) { return op.has(OpFlag::Random); }

TEST_CASE("every record has eager's schema") {
  for (const OpInfo &op : getAllOpInfos()) {
    std::string schema = oracle().schema(op.name);
    INFO(op.name.str());
    REQUIRE_FALSE(schema.empty());
    size_t args = 0;
    for (const ArgInfo &arg : op.args)
      args += schema.find(arg.name.str()) != std::string::npos;
    CHECK(args == op.args.size());
  }
}

TEST_CASE("every record equals eager on every element type") {
  const char *only = std::getenv("PTC_OP");
  size_t calls = 0;
  for (const OpInfo &op : getAllOpInfos()) {
    if (isRandom(op) || (only && op.name != only))
      continue;
    std::vector<Case> cases = casesFor(op);
    std::mt19937 random(static_cast<uint32_t>(seed()));
    size_t succeeded = 0;
    std::vector<std::string> failures;
    for (const DTypeInfo &type : getAllDTypeInfos()) {
      for (const Case &c : cases) {
        std::optional<Call> call = makeCall(op, c, type.dtype, random);
        if (!call)
          continue;
        Call copy = cloneCall(*call);
        Mt19937 generator(seed());
        Outcome eager = runEager(op, copy), ours = runOurs(op, *call, generator);
        // Aliasing of eager's results is with the copies.
        for (size_t i = 0; i < eager.results.size(); ++i)
          if (int alias = aliasOf(eager.results[i], copy); alias >= 0) {
            HostTensor t = eager.results[i].tensor();
            eager.results[i] = HostTensor(t.dtype(), t.sizes(), t.strides(), t.storageOffset(),
                                          (*call)[alias].tensor().storage());
          }
        ++calls;
        succeeded += eager.raised.empty() && ours.raised.empty();
        std::string difference = compare(op, *call, ours, eager);
        if (!difference.empty())
          failures.push_back("(" + describe(*call) + "): " + difference);
      }
    }
    if (!failures.empty() && failures[0].find("has no kernel") != std::string::npos) {
      std::cerr << op.name.str() << ": no kernel\n";
      continue;
    }
    if (!failures.empty())
      std::cerr << op.name.str() << ": " << failures.size() << " differ\n";
    for (size_t i = 0; i < failures.size() && i < 8; ++i)
      std::cerr << "  " << failures[i] << '\n';
    INFO(op.name.str());
    CHECK(failures.empty());
    CHECK(succeeded > 0); // else no case of the tables fits the record
  }
  std::cerr << calls << " calls compared\n";
}
