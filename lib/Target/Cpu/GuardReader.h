//===- GuardReader.h - Reading observables in generated code -----------*- C++ -*-===//
#ifndef PTC_LIB_TARGET_CPU_GUARDREADER_H
#define PTC_LIB_TARGET_CPU_GUARDREADER_H

#include "ptc/Symbolic/CallStructure.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <cstddef>

namespace ptc::cpu {

/// The field of type `type` at `offset` bytes behind `base`.
mlir::Value loadField(mlir::ImplicitLocOpBuilder &b, mlir::Type type, mlir::Value base,
                      size_t offset);

class GuardReader;

/// What is proven of a call where code stands: types of leaves, ranks, values of observables.
class Facts {
public:
  explicit Facts(const GuardReader &reader) : reader(&reader) {}

  void assume(const sym::UnaryAtom &atom);
  void assume(sym::SymbolId symbol, sym::Interval interval);
  void assumeTag(uint32_t leaf, sym::ValueTag tag) { tags[leaf] = tag; }
  void assumeMinRank(uint32_t leaf, int64_t rank) {
    sym::Interval &known = ranks[leaf];
    known.lower = std::max(known.lower, rank);
  }
  std::optional<sym::ValueTag> tag(uint32_t leaf) const {
    auto found = tags.find(leaf);
    return found == tags.end() ? std::nullopt : std::optional(found->second);
  }
  sym::Interval rank(uint32_t leaf) const { return ranks.lookup(leaf); }
  sym::Interval size(uint32_t leaf, int64_t dimension) const;

private:
  const GuardReader *reader;
  llvm::DenseMap<uint32_t, sym::ValueTag> tags;
  llvm::DenseMap<uint32_t, sym::Interval> ranks;
  llvm::DenseMap<sym::SymbolId, sym::Interval> intervals;
};

/// What a conjunction says and needs, by the step that checks it.
struct Requirements {
  llvm::MapVector<uint32_t, sym::ValueTag> tags; ///< of leaves
  bool contradicts = false;                      ///< a leaf would need two types
  /// Of tensors: what their heads have to be, and how many dimensions are read.
  struct Head {
    std::optional<int64_t> rank, dtype, device, requiresGrad;
    int64_t dimensions = 0;
  };
  llvm::MapVector<uint32_t, Head> heads;
  llvm::SmallVector<sym::Atom> values; ///< everything else
};

/// Emits reads of observables of calls of one structure.
class GuardReader {
public:
  GuardReader(mlir::ImplicitLocOpBuilder &b, const sym::ObservableSpace &space,
              const sym::CallStructure &structure, mlir::Value frame, llvm::StringRef entry);

  Requirements requirements(llvm::ArrayRef<sym::Atom> atoms) const;
  /// The same in parts of a few tensors each, in an order in which they can be checked.
  std::vector<Requirements> byTensors(Requirements needed) const;
  void checkTags(const Requirements &needed, Facts &facts, mlir::Block *fail);
  void checkHeads(const Requirements &needed, Facts &facts, mlir::Block *fail);
  void checkValues(const Requirements &needed, const Facts &facts, mlir::Block *fail);
  /// The value of an observable; goes to `absent` where the call does not have it.
  mlir::Value readOrLeave(sym::SymbolId id, Facts &facts, mlir::Block *absent);

  ptc_source sourceOf(sym::SymbolId id) const { return structure.source(space.observable(id)); }
  /// The symbol of a size, if any guard asks for it.
  std::optional<sym::SymbolId> sizeSymbol(uint32_t leaf, int64_t dimension) const;

  mlir::Block *newBlock();
  void returnVariant(int32_t number);
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, mlir::Value value, int64_t constant);

  mlir::ImplicitLocOpBuilder &b;
  const sym::ObservableSpace &space;
  const sym::CallStructure &structure;

private:
  class Gathered;
  void require(Requirements &needed, sym::SymbolId id) const;
  void requireTag(Requirements &needed, uint32_t leaf, sym::ValueTag tag) const;
  bool requireHead(Requirements &needed, const sym::Atom &atom) const;
  /// Goes on where `bad` is 0.
  void branch(mlir::Value bad, mlir::Block *fail);

  mlir::Value constant(int64_t value);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value widen(mlir::Value bit);
  mlir::Value leafField(mlir::Type type, uint32_t leaf, size_t offset);
  mlir::Value tensor(uint32_t leaf);
  mlir::Value tensorField(mlir::Type type, uint32_t leaf, size_t offset);
  mlir::Value tagOf(uint32_t leaf);
  mlir::Value devicePair(mlir::Value type, mlir::Value index);
  mlir::Value size(uint32_t leaf, int64_t dimension, const Facts &facts);
  /// The given strides, or any readable memory where there are none; whether there are any.
  std::pair<mlir::Value, mlir::Value> strides(uint32_t leaf);
  mlir::Value stride(uint32_t leaf, int64_t dimension, const Facts &facts);
  /// 0 where the tensor is dense in the order; its rank is known.
  mlir::Value notDense(uint32_t leaf, int64_t order, int64_t rank, const Facts &facts);
  mlir::Value checkHead(uint32_t leaf, const Requirements::Head &head, const Facts &facts);
  mlir::Value checkAtom(const sym::Atom &atom, const Facts &facts);
  mlir::Value checkUnary(const sym::UnaryAtom &atom, const Facts &facts);

  /// A number; `bad` gathers what is not 0 where it has no value.
  mlir::Value read(sym::SymbolId id, const Facts &facts, mlir::Value &bad);
  mlir::Value readTensor(sym::SymbolId id, const ptc_source &source, const Facts &facts,
                         mlir::Value &bad);
  mlir::Value readByStub(sym::SymbolId id, mlir::Value &bad);
  mlir::Value compute(sym::Expr e, const Facts &facts, mlir::Value &bad);
  mlir::Value computeSum(sym::Expr e, const Facts &facts, mlir::Value &bad);
  mlir::Value divide(mlir::Value a, mlir::Value b, mlir::Value &bad);
  template <typename Op> mlir::Value checked(mlir::Value a, mlir::Value b, mlir::Value &bad);

  llvm::DenseMap<std::pair<uint32_t, int64_t>, sym::SymbolId>
      sizeSymbols; ///< by leaf and dimension
  mlir::Value frame, inputs;
  std::string entry;
  mlir::Type i8, i32, i64;
  mlir::LLVM::LLVMPointerType pointer;
};

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_GUARDREADER_H
