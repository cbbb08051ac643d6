//===- Tensors.h - Tensors as storages and views -----------------*- C++ -*-===//
//
// A tensor value is a view of a storage; the storage's contents are a slot that holds an SSA value.
// Reading a tensor records its view operations; writing through a view replaces the storage's
// contents, so that every live alias reads the new ones (capture.md, section 4).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_TENSORS_H
#define PTC_LIB_CAPTURE_TENSORS_H

#include "DevicePayload.h"
#include "Engine.h"
#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/ADT/SmallBitVector.h"

namespace ptc::capture {

namespace slot {
// Of a Storage, beside those of Layout.h.
inline constexpr uint32_t kGradient = 3; ///< Bool: what requires_grad_() said of its own tensor
inline constexpr uint32_t kLeaf = 4;     ///< Bool: its own tensor was made to require a gradient
} // namespace slot

/// In slot::kFrozen: of a tensor that conj() was asked of, or of what it gave.
inline constexpr int64_t kShownByConj = 2;

aten::TensorMeta metaOf(const TensorNode &t);
/// Whether a gradient is asked of the tensor, after what requires_grad_() said.
bool requiresGrad(Engine &e, const TensorNode &t);
/// Whether it is no result of others: a parameter, or a gradient was asked of the tensor itself.
bool isLeaf(Engine &e, const TensorNode &t);
/// requires_grad_(): the tensor, of which a gradient is asked or not from now on.
Value setRequiresGrad(Engine &e, const Value &tensor, const Value &wanted);
/// Raises where eager refuses to write to a leaf of the graph of gradients, or to a view of one.
Flow checkLeaf(Engine &e, const Value &target);
/// Pieces.cpp: parts of a tensor whose number only the run knows, where the program does nothing
/// but walk over them; absent: not such a call.
Value walkOverPieces(Engine &e, llvm::StringRef spelling, const CallArgs &args);
TapeValue tapeTypeOf(const aten::TensorMeta &meta);

// RunTimeLists.cpp
/// The name, in types of lists of the run, of a size that each element has its own of.
sym::Expr sizeOfEach(Engine &e, size_t dimension);
/// Has an element of this type such a size?
bool sizesDiffer(Engine &e, const TapeValue &element);
/// Makes sizes of a type of elements such names; false: elements do not lie alike.
bool forgetSizes(Engine &e, TapeValue &element, const llvm::SmallBitVector &which);
/// The type of a column of a list of the run that has elements of both types; none: it cannot.
std::optional<TapeValue> commonElement(Engine &e, const TapeValue &a, const TapeValue &b);
/// The number that a formula over sizes is.
Value sizeValue(sym::Expr formula);
/// The form of an element of such lists (RunTimeListNode::form); its numbers and tensors go behind
/// `leaves`. None: no list of the run has such elements.
/// `contentsOf` knows lists that may be elements; absent of others.
using ContentsOf = llvm::function_ref<Value(ObjectId)>;
std::optional<Value> formOfElement(Engine &e, const Value &element, std::vector<Value> &leaves,
                                   ContentsOf contentsOf, unsigned depth = 0);
/// Are the elements of a list of the run lists of numbers?
bool holdsNumberLists(const Value &contents);
/// torch.stack or torch.cat of such a list, which has elements that are fit for it.
Value joinRunTimeList(Engine &e, const Value &contents, size_t dimension, bool stack);
/// An element of a list that grew in a run-time loop; a slice of all of it is a copy.
Value itemOfGrownList(Engine &e, const Value &list, const Value &content, const Value &key);
/// The place of list[index], counted from the front; an IndexError with the text `outside` if it is
/// none.
Value positionInList(Engine &e, const Value &index, const Value &length,
                     const llvm::Twine &outside);
Value popOfGrownList(Engine &e, const Value &list);
/// list[key] = value
Value setInGrownList(Engine &e, const Value &list, const Value &key, const Value &value);
/// A function of lib/Prelude that makes such a list anew; `args`: the list, a key, what else it
/// takes.
Value changeGrownList(Engine &e, llvm::StringRef function, std::vector<Value> args);
/// Where it begins in its storage, in elements of its own; that an argument begins where its
/// storage does is guarded. `what` asks, for the refusal where that is not known.
std::optional<sym::Expr> storageOffsetOf(Engine &e, const TensorNode &t, llvm::StringRef what);
/// `d` as a dimension of a tensor of `rank`, negative ones counted from the end; raises IndexError.
std::optional<size_t> wrapDimension(Engine &e, int64_t d, size_t rank);

/// Arguments of one call of an ATen overload, with what stands behind each of them.
class TensorCall {
public:
  explicit TensorCall(Engine &e) : e(e) {}

  /// Reads tensors, decides choices. Fails on what is no argument of a torch function.
  std::optional<aten::ArgValue> convert(const Value &v);
  /// `arg` of the bound call as an operand of the tape.
  TapeArg operandOf(const aten::ArgValue &arg);
  /// The tensor value that `meta` was made from.
  const Value &valueOf(const aten::TensorMeta *meta) const;
  ValueId idOf(const aten::TensorMeta *meta) const;
  /// All tensors among the arguments.
  std::vector<Value> operands() const;
  /// An int, or a float of the run.
  Value numberOf(const aten::ArgValue &number) const;
  const aten::TensorMeta *add(const Value &tensor, ValueId id, aten::TensorMeta meta);

  Value generator;            ///< Int: handle of the generator that was given, or Absent
  const Value *out = nullptr; ///< what the result will be written to, else none

private:
  struct Tensor {
    Value value;
    ValueId id;
    aten::TensorMeta meta;
  };
  std::optional<aten::ArgValue> convertObject(const Value &v);
  std::optional<aten::ArgValue> convertList(llvm::ArrayRef<Value> items);

  Engine &e;
  std::vector<std::unique_ptr<Tensor>> tensors;
  /// Run-time floats and bools, by the tag that stands for them in an ArgValue.
  std::vector<ValueId> scalars;
};

// TensorIndex.cpp
/// index_put_, or index_put of a copy, of one value under one mask, which eager makes of
/// masked_fill_; absent: it is none.
Value fillUnderMask(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound,
                    const TensorCall &call, bool isInPlace);
/// The masks among the indices of `op` become the positions of their true elements, as eager's
/// expandTensors() makes them, so that their number is a value of the run. `bound` then refers to
/// `storage`.
Flow expandMasks(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> &bound,
                 TensorCall &call, std::vector<aten::ArgValue> &storage);

// TensorLiterals.cpp
/// `tensor` as one that requires a gradient, or none: eager's `requires_grad=`.
Value withGradient(Engine &e, const Value &tensor, const Value &wanted);
/// An argument `dtype=`: Python's classes of numbers name element types, too.
Value dtypeValue(Engine &e, const Value &given);

// TorchResults.cpp
/// Whether this call of `op` updates arguments.
bool updatesArguments(const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound);

// Builtins/TorchTypes.cpp
/// A torch.Generator object; `handle` names its stream of numbers.
Value makeGenerator(Engine &e, int64_t handle);

// Builtins/TorchNames.cpp
/// Whether PyTorch, or a module of Python that the prelude has, has this name: "torch.add",
/// "torch.Tensor.add", "torch.nn.Linear".
bool isTorchName(Engine &e, llvm::StringRef name);
/// Whether it is an attribute of tensors that holds data, as torch.Tensor.grad_fn does.
bool isTorchData(Engine &e, llvm::StringRef name);
/// What stands for a name that PyTorch has and ptc has not: using it is refused.
Value missingTorchName(Engine &e, llvm::StringRef name);
/// The same for an attribute of a module or class that the prelude has: Absent if there is no such
/// attribute; refused if that is not known.
Value unmodelledAttribute(Engine &e, llvm::StringRef owner, llvm::StringRef name);
FailAny refuseTorchName(Engine &e, llvm::StringRef name);

// Builtins/TorchNatives.cpp
void bootstrapTorch(Engine &e);
Value torchModuleAttr(Engine &e, llvm::StringRef module, NameId name);
Value tensorAttribute(Engine &e, const Value &tensor, NameId name);
/// Does a tensor have an attribute in PyTorch that is no method and that the model has not?
std::optional<bool> isUnmodelledTensorData(Engine &e, const Value &tensor, NameId name);
/// What class Tensor has beside its methods: operations by their spelling.
Value tensorClassAttr(Engine &e, NameId name);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_TENSORS_H
