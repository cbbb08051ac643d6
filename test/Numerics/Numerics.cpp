// Every record of the table against LibTorch's dispatcher: type, sizes, strides, aliasing, values,
// and refusals, over element types and shapes. PTC_OP=NAME: of one record; PTC_PART=I/N: of every
// N-th one from the I-th.
#include "Cases.h"
#include "Compare.h"
#include "OracleFixture.h"
#include "Outcome.h"
#include "Processors.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

OracleLibrary &ptc::numerics::oracle() {
  static OracleLibrary library = [] {
    OracleLibrary opened = llvm::cantFail(OracleLibrary::open(PTC_ORACLE_LIBRARY));
    opened.setNumThreads(1);
    return opened;
  }();
  return library;
}

uint64_t ptc::numerics::seed() {
  static const uint64_t value = [] {
    const char *given = std::getenv("PTC_SEED");
    uint64_t number = given ? std::strtoull(given, nullptr, 10) : 20240229;
    std::cerr << "seed " << number << " (PTC_SEED)\n";
    return number;
  }();
  return value;
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

namespace {

/// Where ptc is known to differ from eager: a part of what the comparison says. Each row is work
/// left.
struct Gap {
  llvm::StringLiteral op; ///< start of the base name
  llvm::StringLiteral difference;
  llvm::StringLiteral why;
};

} // namespace

static constexpr Gap kGaps[] = {
    {"scatter_reduce", "scatter_gather_tensor_cpu_reduce",
     "an index out of range, of a type that the reduction refuses: which is found first"},
};

/// The same of other memory orders and of sizes of 0 and 1.
static constexpr Gap kOrderGaps[] = {
    {"prod", "expected",
     "halves are multiplied in the order of memory, by us in that of places, and rounded each "
     "time"},
};

/// `met` counts the rows that were needed.
static bool isKnownGap(llvm::ArrayRef<Gap> gaps, const OpInfo &op, llvm::StringRef difference,
                       llvm::MutableArrayRef<size_t> met) {
  for (auto [gap, count] : llvm::zip_equal(gaps, met))
    if (op.baseName().starts_with(gap.op) && difference.contains(gap.difference)) {
      ++count;
      return true;
    }
  return false;
}

/// Calls whose answer is none: of a tensor whose elements share memory eager's `median` reads what
/// lies beyond it, `topk` chooses any of equal ones, and their variance, or their distance from
/// their mean, is what rounding leaves.
static bool isAnswerUnknown(const OpInfo &op, const Call &call) {
  const auto *self = call[0].getIf<HostTensor>();
  if (!self || !self->isDefined() || self->numel() == 0)
    return false;
  bool isRepeated = llvm::any_of(llvm::seq<int64_t>(0, self->dim()), [&](int64_t d) {
    return self->size(d) > 1 && self->stride(d) == 0;
  });
  llvm::StringRef name = op.baseName();
  // One element of each channel, or of each image and channel.
  bool isOneEach =
      (name.contains("batch_norm") && self->dim() > 1 && self->numel() == self->size(1)) ||
      (name == "instance_norm" && self->dim() > 1 &&
       self->numel() == self->size(0) * self->size(1));
  bool isSensitive = name == "instance_norm" || name == "topk" || name.contains("median") ||
                     name.contains("layer_norm") || name.starts_with("var") ||
                     name.starts_with("std");
  return isOneEach || (isRepeated && isSensitive);
}

/// Says how the two outcomes differ; empty if they agree.
static std::string compare(const OpInfo &op, const Call &call, const Outcome &ours,
                           const Outcome &eager) {
  if (!ours.raised.empty() || !eager.raised.empty()) {
    if (ours.isUnsupported)
      return ""; // ptc refuses the program with a diagnostic: not a wrong answer
    bool namesType = ours.text.find("not implemented for") != std::string::npos;
    if (eager.raised.empty() && namesType && isEmptyResult(eager))
      return ""; // eager's kernels look at the type only when there are elements
    if (eager.raised.empty())
      return (ours.isUnsupported ? "unsupported: " : "we raise " + ours.raised + ": ") + ours.text;
    if (ours.raised.empty())
      return "eager raises " + eager.raised + ": " + eager.text;
    if (ours.raised != eager.raised)
      return "we raise " + ours.raised + ": " + ours.text + "; eager raises " + eager.raised +
             ": " + eager.text;
    return "";
  }
  // Beyond the schema's results: new values of arguments that eager updates in place.
  if (ours.results.size() < eager.results.size())
    return "fewer results than eager";
  std::optional<Reference> reference;
  if (!llvm::all_of(llvm::zip(ours.results, eager.results),
                    [](auto pair) { return haveSameBits(std::get<0>(pair), std::get<1>(pair)); }))
    reference = referenceOf(op, call, [&](const Call &wide) {
      Outcome outcome = runEager(op.name, wide);
      return outcome.raised.empty() ? std::optional(std::move(outcome.results)) : std::nullopt;
    });
  size_t nextTensor = 0;
  for (size_t i = 0; i < eager.results.size(); ++i) {
    std::string difference = compareValues(op, ours.results[i], eager.results[i],
                                           reference ? &*reference : nullptr, nextTensor);
    if (!difference.empty())
      return difference;
    if (op.id == OpId::_unsafe_view) // its schema promises a fresh result; eager shares storage
      continue;
    if (aliasOf(ours.results[i], call) != aliasOf(eager.results[i], call))
      return "aliasing differs";
    const auto *tensor = eager.results[i].getIf<HostTensor>();
    if (tensor && aliasOf(eager.results[i], call) >= 0 &&
        tensor->storageOffset() != ours.results[i].tensor().storageOffset())
      return "storage offset differs";
  }
  return "";
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

namespace {

/// Calls of one record and what came of them.
struct Tried {
  size_t calls = 0, succeeded = 0;
  std::vector<std::string> failures;
  /// How often each row was needed.
  std::array<size_t, std::size(kGaps)> gaps{};
  std::array<size_t, std::size(kOrderGaps)> orderGaps{};
};

} // namespace

/// Makes one call of eager and one of ours.
static void tryCall(const OpInfo &op, const Call &call, Tried &tried) {
  Call copy = cloneCall(call);
  Mt19937 generator(seed());
  Outcome eager = runEager(op.name, copy), ours = runOurs(op, call, generator);
  // Aliasing of eager's results is with the copies.
  for (size_t i = 0; i < eager.results.size(); ++i)
    if (int alias = aliasOf(eager.results[i], copy); alias >= 0) {
      HostTensor t = eager.results[i].tensor();
      eager.results[i] = HostTensor(t.dtype(), t.sizes(), t.strides(), t.storageOffset(),
                                    call[alias].tensor().storage());
    }
  applyProcessorRule(op, call, eager);
  ++tried.calls;
  tried.succeeded += eager.raised.empty() && ours.raised.empty();
  std::string difference = compare(op, call, ours, eager);
  if (!difference.empty() && !isKnownGap(kGaps, op, difference, tried.gaps) &&
      !isKnownGap(kOrderGaps, op, difference, tried.orderGaps))
    tried.failures.push_back("(" + describe(call) + "): " + difference);
}

static void report(const OpInfo &op, const Tried &tried) {
  const char *all = std::getenv("PTC_SHOW");
  size_t shown = all ? std::strtoull(all, nullptr, 10) : 8;
  if (!tried.failures.empty())
    std::cerr << op.name.str() << ": " << tried.failures.size() << " differ\n";
  for (size_t i = 0; i < tried.failures.size() && i < shown; ++i)
    std::cerr << "  " << tried.failures[i] << '\n';
  INFO(op.name.str());
  CHECK(tried.failures.empty());
}

/// Whether PTC_PART, `I/N`, has the record.
static bool isOfPart(const OpInfo &op) {
  const char *part = std::getenv("PTC_PART");
  if (!part)
    return true;
  auto [number, count] = llvm::StringRef(part).split('/');
  size_t one = 0, all = 0;
  REQUIRE_FALSE((number.getAsInteger(10, one) || count.getAsInteger(10, all)));
  REQUIRE((one >= 1 && one <= all));
  return size_t(op.id) % all == one - 1;
}

static bool isTried(const OpInfo &op) {
  const char *only = std::getenv("PTC_OP");
  return !isRandom(op) && (!only || op.name == only) && isOfPart(op);
}

TEST_CASE("every record equals eager on every element type") {
  size_t calls = 0;
  std::array<size_t, std::size(kGaps)> met{};
  for (const OpInfo &op : getAllOpInfos()) {
    if (!isTried(op))
      continue;
    std::vector<Case> cases = casesFor(op);
    std::mt19937 random(static_cast<uint32_t>(seed()));
    Tried tried;
    for (const DTypeInfo &type : getAllDTypeInfos())
      for (const Case &c : cases)
        if (std::optional<Call> call = makeCall(op, c, type.dtype, random))
          tryCall(op, *call, tried);
    calls += tried.calls;
    for (size_t i = 0; i < met.size(); ++i)
      met[i] += tried.gaps[i];
    report(op, tried);
    INFO(op.name.str());
    CHECK(tried.succeeded > 0); // else no case of the tables fits the record
  }
  std::cerr << calls << " calls compared\n";
  for (size_t i = 0; !std::getenv("PTC_OP") && i < met.size(); ++i) {
    INFO("row of kGaps: " << kGaps[i].op.str() << ", " << kGaps[i].difference.str());
    CHECK(met[i] > 0); // else it is no gap any more
  }
}

/// The cases of a record in other memory orders and sizes. Which of their calls a sample has, and
/// the numbers in them, depend on the record alone: what other records try changes neither.
static void tryVariants(const OpInfo &op, size_t stride, Tried &tried) {
  std::vector<Case> variants;
  for (const Case &c : casesFor(op))
    llvm::append_range(variants, variantsOf(c));
  const auto types = getAllDTypeInfos();
  const size_t count = variants.size() * types.size();
  if (count == 0)
    return;
  // Records start apart from each other, and each has a call in the sample.
  const size_t first = llvm::xxh3_64bits(op.name) % std::min(stride, count);
  for (size_t number = first; number < count; number += stride) {
    std::mt19937 random(static_cast<uint32_t>(seed() + number));
    const Case &variant = variants[number / types.size()];
    std::optional<Call> call = makeCall(op, variant, types[number % types.size()].dtype, random);
    if (call && !isAnswerUnknown(op, *call))
      tryCall(op, *call, tried);
  }
}

/// A fixed part of the calls; PTC_ALL=1: all of them.
TEST_CASE("every record equals eager in every memory order and on sizes of 0 and 1") {
  const size_t stride = std::getenv("PTC_ALL") ? 1 : std::getenv("PTC_OP") ? 3 : 53;
  size_t calls = 0, failures = 0;
  for (const OpInfo &op : getAllOpInfos()) {
    if (!isTried(op))
      continue;
    Tried tried;
    tryVariants(op, stride, tried);
    calls += tried.calls;
    failures += tried.failures.size();
    report(op, tried);
  }
  std::cerr << calls << " calls compared in other orders and sizes, " << failures << " differ\n";
}
