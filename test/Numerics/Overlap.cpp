// In-place forms on memory that overlaps: refused where eager's dispatcher refuses them.
#include "Cases.h"
#include "OracleFixture.h"
#include "Outcome.h"

#include "ptc/Dialect/Aten/Eval/MetaArgs.h"
#include "ptc/Dialect/Aten/IR/Overlap.h"

#include <catch2/catch.hpp>

#include <deque>
#include <iostream>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

static constexpr llvm::StringLiteral kRefusal = "unsupported operation: ";
static constexpr int64_t kRoom = 4096; ///< elements of the storage that all operands are put in

/// `relu_`, `add_.Tensor`.
static std::string inplaceName(const OpInfo &op) {
  llvm::StringRef base = op.baseName();
  return (base + "_" + op.name.drop_front(base.size())).str();
}

/// The text with which eager refuses the overlap; none if the call fails for another reason.
static std::optional<std::string> eagerRefusal(const OpInfo &op, const Call &call) {
  auto results = oracle().call(inplaceName(op), call);
  if (results)
    return "";
  std::string text;
  llvm::handleAllErrors(results.takeError(), [&](const OracleException &e) { text = e.text; });
  if (!llvm::StringRef(text).starts_with(kRefusal))
    return std::nullopt;
  return text;
}

static TensorMeta metaOf(sym::Context &symbols, const HostTensor &t) {
  TensorMeta meta;
  meta.dtype = t.dtype();
  for (auto [size, stride] : llvm::zip_equal(t.sizes(), t.strides())) {
    meta.sizes.push_back(symbols.constant(size));
    meta.strides.push_back(symbols.constant(stride));
  }
  return meta;
}

/// What ptc says. Of arguments that are no tensors the rules do not speak.
static std::string ourRefusal(const OpInfo &op, const Call &call) {
  sym::Context symbols;
  std::deque<TensorMeta> metas;
  llvm::SmallVector<ArgValue> args;
  llvm::SmallVector<Placement> placements;
  auto add = [&](const HostTensor &t) -> const TensorMeta * {
    if (!t.isDefined())
      return nullptr;
    const TensorMeta &meta = metas.emplace_back(metaOf(symbols, t));
    if (t.sharesStorageWith(call[0].tensor()))
      placements.push_back({meta.sizes, meta.strides, symbols.constant(t.storageOffset()),
                            int64_t(t.elementBytes()), unsigned(args.size() - 1)});
    return &meta;
  };
  for (const HostValue &value : call) {
    ArgValue &arg = args.emplace_back();
    if (const auto *t = value.getIf<HostTensor>()) {
      arg = ArgValue(add(*t));
    } else if (const auto *list = value.getIf<HostValue::TensorList>()) {
      ArgValue::TensorList tensors;
      for (const HostTensor &t : *list)
        tensors.values.push_back(add(t));
      arg = ArgValue(tensors);
    }
  }
  WriteCheck check =
      checkWrite(symbols, op, args, placements.front(), llvm::ArrayRef(placements).drop_front());
  return check.isKnown ? check.text.str() : "unknown";
}

/// A copy of the call with a copy of each storage.
static Call copyOf(const Call &call) {
  Call copy = call;
  for (HostValue &value : copy)
    if (const auto *t = value.getIf<HostTensor>(); t && t->isDefined())
      value = t->clone();
  return copy;
}

/// `t`'s elements under other strides, in a storage of their own.
static HostTensor placed(const HostTensor &t, llvm::ArrayRef<int64_t> strides, int64_t offset,
                         std::shared_ptr<TensorStorage> storage) {
  return HostTensor(t.dtype(), t.sizes(), strides, offset, std::move(storage));
}

/// The call with argument 0 under strides that meet, and with each operand of its type in one
/// storage with it: at the same place, one element on, behind it.
static std::vector<Call> overlappingCalls(const Call &call) {
  std::vector<Call> calls;
  const HostTensor &self = call[0].tensor();
  auto room = [&] { return HostTensor::zeros(self.dtype(), {kRoom}).storage(); };
  for (int64_t stride : {0, 1}) {
    llvm::SmallVector<int64_t> strides(self.strides());
    strides[0] = stride;
    Call changed = copyOf(call);
    changed[0] = placed(self, strides, 0, room());
    calls.push_back(changed);
  }
  for (size_t i = 1; i < call.size(); ++i) {
    const auto *operand = call[i].getIf<HostTensor>();
    if (!operand || !operand->isDefined() || operand->dtype() != self.dtype())
      continue;
    for (int64_t shift : {int64_t(0), int64_t(1), self.numel(), kRoom / 2}) {
      Call changed = copyOf(call);
      auto storage = room();
      changed[0] = placed(self, self.strides(), 0, storage);
      changed[i] = placed(*operand, operand->strides(), shift, storage);
      calls.push_back(changed);
    }
  }
  return calls;
}

/// Calls of in-place forms whose first argument is large enough to be written over another.
static void forEachWrite(llvm::ArrayRef<DType> types,
                         llvm::function_ref<void(const OpInfo &, const Call &)> see) {
  for (const OpInfo &op : getAllOpInfos()) {
    if (!op.has(OpFlag::Inplace) || op.has(OpFlag::View) ||
        oracle().schema(inplaceName(op)).empty())
      continue;
    std::mt19937 random(static_cast<uint32_t>(seed()));
    for (DType dtype : types)
      for (const Case &c : casesFor(op)) {
        std::optional<Call> call = makeCall(op, c, dtype, random);
        if (!call || !(*call)[0].is<HostTensor>())
          continue;
        const HostTensor &self = (*call)[0].tensor();
        if (self.isDefined() && self.dim() != 0 && self.size(0) >= 2 && self.numel() != 0 &&
            self.numel() <= kRoom / 4 && self.isContiguous())
          see(op, *call);
      }
  }
}

TEST_CASE("in-place forms refuse the overlaps that eager refuses") {
  size_t compared = 0, refused = 0;
  forEachWrite({DType::Float32, DType::Int64, DType::Bool},
               [&](const OpInfo &op, const Call &call) {
                 if (eagerRefusal(op, copyOf(call)) != "")
                   return;
                 for (const Call &overlapping : overlappingCalls(call)) {
                   std::string ours = ourRefusal(op, overlapping);
                   std::optional<std::string> eager = eagerRefusal(op, overlapping);
                   if (!eager)
                     continue;
                   INFO(inplaceName(op) << " on " << toString(overlapping[0]));
                   CHECK(ours == *eager);
                   ++compared;
                   refused += !eager->empty();
                 }
               });
  std::cerr << compared << " overlapping writes compared, " << refused << " refused\n";
  CHECK(refused > 100);
}

static WriteInference inferredWrite(const OpInfo &op, const Call &call) {
  ConcreteContext context;
  MetaArgs convert(context.symbols());
  llvm::SmallVector<ArgValue, 8> args;
  for (const HostValue &value : call)
    args.push_back(convert(value));
  return inferWrite(op, args, context);
}

TEST_CASE("in-place forms look at memory when eager looks") {
  size_t compared = 0, ofOverlap = 0;
  llvm::SmallVector<DType> types;
  for (const DTypeInfo &type : getAllDTypeInfos())
    types.push_back(type.dtype);
  forEachWrite(types, [&](const OpInfo &op, const Call &call) {
    auto [own, isAfterMemory] = inferredWrite(op, call);
    if (own.status != MetaResult::Status::Raise ||
        runEager(inplaceName(op), copyOf(call)).raised.empty())
      return;
    for (const Call &overlapping : overlappingCalls(call)) {
      bool isOverlap = isAfterMemory && !ourRefusal(op, overlapping).empty();
      Outcome eager = runEager(inplaceName(op), overlapping);
      if (llvm::StringRef(eager.text).contains("is out of bounds for dimension"))
        continue; // found by the kernel, see kGaps
      INFO(inplaceName(op) << " on " << toString(overlapping[0]) << ": " << own.text
                           << "; eager: " << eager.text);
      CHECK(toString(isOverlap ? PyErrorKind::RuntimeError : own.errorKind).str() == eager.raised);
      CHECK(isOverlap == llvm::StringRef(eager.text).starts_with(kRefusal));
      ++compared;
      ofOverlap += isOverlap;
    }
  });
  std::cerr << compared << " overlapping writes that fail, too, compared, " << ofOverlap
            << " with the overlap first\n";
  CHECK(ofOverlap > 100);
  CHECK(compared > ofOverlap + 100);
}
