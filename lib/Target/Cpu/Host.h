//===- Host.h - The host program of one variant ----------------------*- C++ -*-===//
//
// Private to lib/Target/Cpu. A Host turns the body of a variant into one function of func, cf,
// arith, scf and llvm, whose calls of kernels take plain pointers and sizes. A tensor is the
// address of its first element; its sizes and strides are those of its type, computed from the
// symbols that the function reads from its inputs first.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CPU_HOST_H
#define PTC_LIB_TARGET_CPU_HOST_H

#include "Kernels.h"

#include "ptc/Dialect/Plan/IR/KernelRows.h"
#include "ptc/Dialect/Plan/IR/Lifetimes.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Dialect/Program/IR/SizeSymbols.h"
#include "ptc/Runtime/Frame.h"
#include "ptc/Support/Error.h"
#include "ptc/Symbolic/Expr.h"
#include "ptc/Target/Cpu/Code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace ptc::aten {
class AnsweringContext;
} // namespace ptc::aten
namespace ptc::py {
struct NumberFunction;
} // namespace ptc::py

namespace ptc::cpu {

/// What the functions of one program share.
struct ProgramBuilder {
  ProgramBuilder(mlir::ModuleOp source, ProgramCode &code, plan::CostModel cost, bool onDevice);

  /// A constant of the object: terminated text, once per text.
  mlir::Value text(mlir::ImplicitLocOpBuilder &b, llvm::StringRef text);
  /// A constant whose initializer is built by `init`, which gives its value.
  mlir::Value constant(mlir::ImplicitLocOpBuilder &b, mlir::Type type, llvm::StringRef name,
                       llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &)> init);
  mlir::Value int64Array(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<int64_t> values);
  /// Bytes of a literal, aligned for vectors.
  mlir::Value bytes(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<char> bytes);
  std::optional<unsigned> slotOf(llvm::StringRef symbol);

  mlir::ModuleOp source;
  ProgramCode &code;
  KernelLibrary kernels;
  size_t numKernels = 0;  ///< of the variants so far
  size_t numLiterals = 0; ///< that lie among the weights
  const bool onDevice;    ///< tensors lie in memory of a device, which the host does not see

private:
  mlir::Value address(mlir::ImplicitLocOpBuilder &b, llvm::StringRef symbol);
  llvm::StringMap<std::string> texts, arrays;
  llvm::StringMap<unsigned> slots; ///< by name
  unsigned numConstants = 0;
};

/// Of a text that is made at run time: see ptc_text_part.
struct TextPart {
  std::string text; ///< literal, or a format spec, or the suffix of a tensor
  int32_t value;    ///< which value; -1: literal
  char conversion;
  int32_t choice = -1;     ///< or: it counts only where this value …
  int64_t alternative = 0; ///< … is that
};

/// Elements as they lie in memory: a bool is a byte.
mlir::Type memoryType(mlir::Type element);
mlir::Location unknownLoc(mlir::MLIRContext *context);
SourceLoc sourceLocOf(mlir::Location loc);
/// NoNativeCode at the operation's place in the Python program.
llvm::Error refuse(mlir::Operation *op, const llvm::Twine &why);

/// Answers to what the algebra cannot prove, in the order of the questions (Steps.h).
using Answers = llvm::SmallVector<bool, 8>;
using AnsweringContext = aten::AnsweringContext;
struct Piece;

class Host {
public:
  /// `body`: of a variant, or of program.init (then without arguments).
  Host(ProgramBuilder &program, mlir::Operation *owner, llvm::StringRef symbol);
  llvm::Error run(VariantCode &out);
  /// How much memory behind the plan's part of the arena kernels need.
  void setScratch(const Scratch &bytes);

private:
  using Builder = mlir::ImplicitLocOpBuilder;
  using Value = mlir::Value;
  using Values = llvm::SmallVector<mlir::Value, 4>;

  // Host.cpp: the frame, failures, control flow.
  void readInputs();
  llvm::Error openArena();
  llvm::Error emitBlock(mlir::Block &block);
  llvm::Error emit(mlir::Operation *op);
  llvm::Error emitIf(mlir::Operation *op);
  llvm::Error emitSwitch(mlir::Operation *op);
  llvm::Error emitWhile(mlir::Operation *op);
  llvm::Error settleCarried(mlir::scf::WhileOp loop, mlir::ValueRange given,
                            llvm::SmallVectorImpl<Value> &out);
  void releaseBlocks(mlir::scf::WhileOp loop, mlir::Operation *before,
                     llvm::ArrayRef<Value> carried);
  Value undefined(mlir::Type type);
  Value readNumber(mlir::Type type, Value leaf);
  llvm::Error emitSide(mlir::Region &region, mlir::Block *after);
  llvm::Error emitOperation(mlir::Operation *op);
  Value valueOf(const program::SizeSymbol &row, llvm::ArrayRef<Value> tensors);
  Value sizeOfInput(mlir::RankedTensorType type, Value tensor, const program::SizeSymbol &row);
  mlir::Block *newBlock(mlir::TypeRange types = {});
  mlir::Type lowerType(mlir::Type type);
  llvm::Error checkTypes(mlir::Operation *op, mlir::TypeRange types);

  // HostFrame.cpp: fields, services, exits.
  Value i64(int64_t v);
  Value i32(int64_t v);
  Value load(mlir::Type type, Value base, uint64_t offset);
  void store(Value v, Value base, uint64_t offset);
  Value offsetBy(Value base, uint64_t offset);
  Value offsetBy(Value base, Value bytes);
  mlir::LLVM::CallOp callService(uint64_t offset, mlir::Type result, mlir::ValueRange args);
  Value siteAt(mlir::Location loc, llvm::StringRef type, llvm::StringRef text);
  void failIf(Value condition, mlir::Operation *op, ptc_status status, llvm::StringRef type = "",
              llvm::StringRef text = "");
  void returnIfNull(Value pointer);
  void returnIfFailed(Value status);
  Value stackSlot(uint64_t bytes);
  /// Ends the call where a service has written an error, which only those of devices do.
  void returnIfDeviceFailed();

  // HostMemory.cpp: elements of tensors, wherever they lie.
  Value readElement(mlir::Type type, Value at);
  void writeElement(Value value, Value at);

  // HostSizes.cpp: expressions over sizes.
  /// With `flag`, which may be null before and after: set where a number does not fit 64 bits.
  /// Sizes of a tensor that has memory always fit: what makes it has asked.
  llvm::Expected<Value> evaluate(sym::Expr e, mlir::Operation *op, Value *flag = nullptr);
  llvm::Expected<Geometry> geometryOf(mlir::Type tensor, mlir::Operation *op,
                                      Value *sizeFlag = nullptr, Value *strideFlag = nullptr);
  Value asValue(mlir::OpFoldResult size);
  /// More than there is memory, where it does not fit 64 bits.
  llvm::Expected<Value> byteCount(mlir::Type tensor, mlir::Operation *op);
  Value orTooMuch(Value bytes, Value flag);
  llvm::Expected<Value> shapeOf(mlir::Type tensor, mlir::Operation *op);
  llvm::Error emitSizeOf(program::SizeOfOp op);
  llvm::Error emitSizeExpr(program::SizeExprOp op);

  /// A ptc_shape that says where elements lie.
  Value describe(const Geometry &shape, mlir::Type element, Value bytes);
  /// Of an element of a type of tensors.
  static unsigned elementBytes(mlir::Type type);

  // HostData.cpp: sizes that depend on data.
  void declareSymbols();
  /// Names in a type that no argument binds, in the order of its sizes and strides.
  llvm::SmallVector<sym::SymbolId, 2> dataSymbolsOf(mlir::Type type);
  void bind(Value tensor);
  void bindSymbol(sym::SymbolId id, Value number);
  void bindOperands(mlir::ValueRange operands);
  void bindNames(mlir::RankedTensorType type, const Geometry &shape);
  void bindResultSizes(plan::KernelOp op, llvm::ArrayRef<Value> inputs,
                       llvm::ArrayRef<Geometry> shapes);
  llvm::Error keepExtents(mlir::Operation *op);
  /// A value as it goes from block to block: itself, and the numbers that its type names.
  llvm::SmallVector<mlir::Type> lowerTypes(mlir::TypeRange types);
  void append(Value value, llvm::SmallVectorImpl<Value> &out);
  void define(mlir::ValueRange defined, mlir::ValueRange lowered);
  void alias(Value value, Value same);
  llvm::Error emitRetype(program::RetypeOp op);
  Value blockOf(Value count, int64_t elementBytes, bool isList = false);
  Value broadcastShape(Value tensor, const Geometry &own, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  llvm::Error emitAten(mlir::Operation *op);
  llvm::Error emitNonzero(mlir::Operation *op);
  llvm::Error emitMaskedSelect(mlir::Operation *op);

  // HostNumbers.cpp
  /// Whether it is an operation on numbers.
  llvm::Expected<bool> emitNumber(mlir::Operation *op);
  /// x + y or x * y; adds to `flag`, which may be null, whether it does not fit.
  Value flagged(Value x, Value y, bool multiplies, Value &flag);
  /// x + y or x * y; ends the call where it does not fit.
  Value checked(mlir::Operation *op, Value x, Value y, bool multiplies);
  void emitDivision(mlir::Operation *op);
  /// int(x): truncates; ends the call where that is no int of 64 bits.
  Value toInt(mlir::Operation *op, Value x);
  llvm::Error emitCompare(program::CompareOp op);
  llvm::Error emitPick(program::PickOp op);
  void chooseExtents(Value condition, Value taken);
  llvm::Error emitMap(program::MapOp op);
  llvm::Error emitHome(program::HomeOp op);

  // HostMath.cpp
  Value toFloat(Value number);
  Value callFunction(llvm::StringRef name, mlir::Type result, mlir::ValueRange args);
  /// A function of libm.
  Value callMath(llvm::StringRef name, mlir::ValueRange args);
  void emitFloatDivision(mlir::Operation *op);
  void emitTrueDivision(program::TrueDivOp op);
  llvm::Error emitPower(program::PowOp op);
  void emitIntPower(program::PowOp op);
  void emitShift(mlir::Operation *op);
  llvm::Error emitMath(program::MathOp op);
  bool emitRounding(program::MathOp op, Value x);
  bool emitFloatTest(program::MathOp op, Value x);
  llvm::SmallVector<Value> numberOperands(const py::NumberFunction &function, program::MathOp op);
  void checkNumber(const py::NumberFunction &function, Value result, program::MathOp op);
  void emitNumberFunction(const py::NumberFunction &function, program::MathOp op);

  // HostTensors.cpp
  llvm::Error emitKernel(plan::KernelOp op);
  void emitCheck(plan::CheckOp op);
  /// Ends the call with an exception whose text has numbers in it.
  void raiseWith(mlir::Operation *op, llvm::StringRef type, llvm::ArrayRef<TextPart> parts,
                 mlir::ValueRange values);
  llvm::Error emitItem(program::ItemOp op);
  llvm::Error emitTensor(program::TensorOp op);
  llvm::Error emitWeight(program::WeightOp op);
  llvm::Error emitLiteral(program::LiteralOp op);
  llvm::Error emitGetState(program::GetStateOp op);
  llvm::Expected<Value> placeFor(Value result, plan::PlaceAttr place, mlir::Operation *op);
  void copy(Value from, const Geometry &fromShape, Value to, const Geometry &toShape,
            mlir::Type element);
  llvm::Error copy(Value from, Value to, mlir::Type tensor, mlir::Operation *op);

  // HostViews.cpp
  /// The address of a tensor that is read; one that is undefined raises IndexError.
  Value use(Value tensor, mlir::Operation *op);
  Value isNull(Value address);
  /// Ends the call as eager does for the step of a view that does not fit.
  void raiseMisfit(Value tensor, mlir::Operation *op);
  void raiseFirstOf(llvm::ArrayRef<mlir::Operation *> views, mlir::Operation *op);
  /// Whether a tensor may be undefined, which is the address null.
  bool mayBeUndefined(Value tensor);
  llvm::Error emitView(program::ViewOp op);
  llvm::Expected<Value> findSaidStart(mlir::Operation *op, Value base, DType dtype);
  llvm::Expected<Value> findSaidView(program::ViewOp op);
  llvm::Expected<Value> findSaidPart(program::ScatterOp op, Value base, aten::TensorMeta *out);
  llvm::Error bindView(program::ViewOp op, const aten::TensorMeta &meta, Value address);
  llvm::Error bindByNumbers(program::ViewOp op, const aten::TensorMeta &wanted,
                            const aten::TensorMeta &meta, Value address);
  llvm::Error emitScatter(program::ScatterOp op);
  llvm::Error writePart(program::ScatterOp op);
  /// Where a chain of views has come to.
  struct Place {
    Value address;
    aten::TensorMeta meta;
  };
  mlir::Operation *keepsComplex();
  llvm::Expected<Value> walkStep(mlir::Operation *op, mlir::ArrayAttr step,
                                 mlir::ValueRange operands, AnsweringContext &context, Value start,
                                 Value base, aten::TensorMeta &meta);
  llvm::Error choosePlace(mlir::Operation *op, Value holds, const Place &one, Place &other);
  llvm::Expected<Value> applySteps(mlir::Operation *op, Value base, mlir::RankedTensorType type,
                                   mlir::ArrayAttr steps, mlir::ValueRange operands,
                                   mlir::RankedTensorType wanted, aten::TensorMeta *out);
  llvm::Expected<Value> selectAt(mlir::Operation *op, Value base, aten::TensorMeta &meta,
                                 int64_t dim, Value index);
  llvm::Expected<Value> sliceAt(mlir::Operation *op, Value base, aten::TensorMeta &meta,
                                mlir::ArrayAttr step, mlir::ValueRange operands);
  llvm::Expected<Value> pieceAt(mlir::Operation *op, Value base, aten::TensorMeta &meta,
                                const Piece &piece, mlir::ArrayAttr step,
                                mlir::ValueRange operands);
  llvm::Expected<Value> stepNumber(mlir::Operation *op, mlir::Attribute attr,
                                   mlir::ValueRange operands);
  llvm::Expected<Value> sliceBound(mlir::Operation *op, mlir::Attribute bound, Value size,
                                   Value missing, mlir::ValueRange operands);
  llvm::Error noteMisfit(mlir::Operation *op, Value isOut, const aten::TensorMeta &meta,
                         int64_t dim, Value index);

  // HostSteps.cpp
  using Meaning = llvm::DenseMap<sym::SymbolId, sym::Expr>;
  sym::Expr symbolOf(Value number, int64_t lower);
  bool isOfInputs(sym::Expr e);
  bool isGuarded(const AnsweringContext &context);
  sym::Expr ofElements(sym::Expr stride);
  sym::Expr exprOf(Value number);
  std::optional<aten::ArgValue> stepArgument(mlir::Attribute attr, mlir::ValueRange operands);
  std::optional<aten::TensorResult> inferStep(mlir::ArrayAttr step, const aten::TensorMeta &meta,
                                              aten::MetaContext &context,
                                              mlir::ValueRange operands);
  /// Whether symbolOf made it: no type has its name.
  bool isOwnSymbol(sym::SymbolId id);
  std::optional<Meaning> meaningOf(const aten::TensorMeta &type, const aten::TensorMeta &is,
                                   bool withStrides, const AnsweringContext *answered = nullptr);
  std::optional<aten::TensorMeta> walkSteps(AnsweringContext &context, aten::TensorMeta meta,
                                            mlir::ArrayAttr steps, mlir::ValueRange operands,
                                            llvm::SmallVectorImpl<sym::Expr> &offsets);
  llvm::Expected<llvm::SmallVector<Answers, 2>>
  answersOf(mlir::Operation *op, const aten::TensorMeta &meta, mlir::ArrayAttr steps,
            mlir::ValueRange operands, mlir::RankedTensorType wanted);
  void useEqualities(const AnsweringContext &context, aten::TensorMeta &meta);
  llvm::Expected<Value> checkAnswers(mlir::Operation *op, const AnsweringContext &context,
                                     bool isChosen);

  // HostLists.cpp
  /// Whether it is an operation on lists.
  llvm::Expected<bool> emitList(mlir::Operation *op);
  Value lengthOf(Value list);
  Value jumpBehind(Value list);
  /// A list with the operand as an element behind those of `list`, whose type is `type`.
  llvm::Expected<Value> pushed(Value list, mlir::Type type, Value operand, mlir::Operation *op);
  Value nodeAt(Value list, Value index);
  Value copiesBehind(Value place, Value list, Value first, uint64_t nodeSize);
  llvm::Error emitListPush(program::ListPushOp op);
  llvm::Error emitListSet(program::ListSetOp op);
  void emitListDrop(program::ListDropOp op);
  llvm::Error emitListGet(program::ListGetOp op);
  llvm::SmallVector<std::pair<sym::SymbolId, uint64_t>, 2> namesInNode(mlir::Type type);
  void bindNode(Value node, mlir::Type type);
  void readNode(Value node, Value value);
  llvm::Expected<Value> extentOfAll(Value list, mlir::RankedTensorType element, int64_t dim,
                                    mlir::Operation *op);
  llvm::Error forEachNode(Value list, llvm::function_ref<llvm::Error(Value node)> body);
  void bindLength(mlir::RankedTensorType type, mlir::RankedTensorType element, int64_t dim,
                  Value length);
  llvm::Error emitListJoin(mlir::Operation *op, int64_t dim, bool stacks);
  llvm::Error storeNumbers(Value list, Value to);
  llvm::Error giveList(Value list, unsigned leaf, mlir::Operation *op);
  llvm::Error giveViews(program::ListViewsOp views, unsigned leaf);

  // HostRandom.cpp
  /// Random numbers of one operation: their kind and its parameters.
  struct Draw {
    ptc_draw_kind kind;
    Value first, second;
    bool isWide = false; ///< as in DrawForm
  };
  bool drawsOnDevice(mlir::Operation *op);
  uint32_t kernelFor(const DrawForm &form);
  Value drawOnDevice(const Draw &draw, DType dtype);
  Value drawOnHost(mlir::Operation *op, const Draw &draw);
  bool canDraw(mlir::Operation *op, DType dtype);
  Value realArgument(mlir::Operation *op, llvm::StringRef name, double otherwise);
  Value realConstant(double value);
  void checkParameter(mlir::Operation *op, llvm::StringRef name, Value number);
  void raiseUnless(mlir::Operation *op, Value holds, llvm::ArrayRef<TextPart> text,
                   mlir::ValueRange numbers);
  void checkUniform(mlir::Operation *op, DType dtype, Value from, Value to);
  std::optional<bool> isRowMajor(mlir::Type tensor);
  llvm::Expected<Draw> integersToDraw(mlir::Operation *op, DType dtype);
  llvm::Expected<Draw> numbersToDraw(mlir::Operation *op, DType dtype);
  void bindSizeArgument(mlir::Operation *op);
  llvm::Error emitDraw(mlir::Operation *op);
  llvm::Error emitDropout(mlir::Operation *op);
  llvm::Error emitSeed(program::SeedOp op);

  // HostResult.cpp
  llvm::Error emitFinish(program::FinishOp op);
  llvm::Error emitOutcome(mlir::Block &block, unsigned number);
  llvm::Error emitPlace(program::PlaceOp op);
  llvm::Expected<Value> outputMemory(program::PlaceOp op);
  llvm::Error writeInputs(llvm::ArrayRef<program::PlaceOp> places);
  llvm::Expected<Value> keepShown(Value tensor, unsigned storage, program::EndOp end);
  void findPendingStates();
  llvm::Error emitSetState(program::SetStateOp op);
  void numberStorages(mlir::Block &block);
  llvm::Error emitRaise(program::EndOp op, program::OutAttr tree);
  Value siteOfRaised(program::EndOp op, llvm::StringRef type, program::OutAttr place);
  llvm::Error emitRaiseOneOf(program::EndOp op, program::OutAttr choice);
  llvm::Error storeLeaf(Value leaf, unsigned index, Value base, mlir::Operation *op);
  void storeNumber(Value number, Value to);
  void commitSlot(unsigned slot, Value number);
  Value loadNumber(mlir::Type type, Value from);
  void commit(unsigned outcome);

  // HostText.cpp
  /// The table of parts and how many there are; what they show goes to the table of values at `to`.
  llvm::Expected<std::pair<Value, unsigned>>
  textParts(program::OutAttr text, mlir::ValueRange values, Value to, mlir::Operation *op);
  Value textTable(llvm::ArrayRef<TextPart> parts);
  llvm::Error storeShown(llvm::ArrayRef<TextPart> parts, mlir::ValueRange values, Value to,
                         mlir::Operation *op);
  llvm::Error storeTensor(Value tensor, Value to, mlir::Operation *op);
  llvm::Error emitPrint(program::PrintOp op);
  bool mayReadInput(Value tensor) const;

  Value get(Value v) const {
    assert(values.contains(v) && "operands are emitted before they are used");
    return values.lookup(v);
  }
  void set(Value v, Value lowered) { values[v] = lowered; }

  ProgramBuilder &program;
  mlir::Operation *owner;
  program::VariantOp variant; ///< null: program.init
  Builder b;
  mlir::func::FuncOp function;
  Value frame, arena, services, weights;
  mlir::LLVM::ConstantOp sharedBytes, threadBytes; ///< of the arena, behind the plan's part
  Value scratch;
  unsigned numBlocks = 0; ///< requests for memory beside the arena that were emitted
  llvm::DenseMap<Value, Value> values;
  sym::Context symbols;
  llvm::DenseMap<sym::SymbolId, Value> symbolValues;
  llvm::DenseSet<sym::SymbolId> inputSymbols;
  llvm::DenseMap<Value, sym::Expr> numberExprs;  ///< by number that a view names
  llvm::SmallVector<sym::SymbolId> boundSymbols; ///< by the operation that is being emitted
  /// By tensor whose type names sizes that depend on data: what the names stand for.
  llvm::DenseMap<Value, Values> extents;
  VariantCode *out = nullptr;
  llvm::DenseMap<mlir::Operation *, size_t> kernelNumbers; ///< as plan::kernelsOf counts
  /// By view: where a step does not fit, and what eager says then.
  struct Misfit {
    Value isOut;
    llvm::SmallVector<TextPart> parts;
    Values values;
  };
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Misfit, 1>> misfits;
  // Of the outcome that is being emitted.
  llvm::DenseMap<mlir::Operation *, unsigned> storageOf, soleLeafOf;
  llvm::SmallVector<program::PlaceOp> outcomePlaces;
  /// By slot: the number that it holds next; null: a tensor, which lies where the stub said.
  llvm::MapVector<unsigned, Value> nextStates;
  /// By slot that some paths alone set: memory of the function with a word that is not 0 where one
  /// did, and the number behind it.
  llvm::MapVector<unsigned, Value> pendingStates;
};

} // namespace ptc::cpu

#endif // PTC_LIB_TARGET_CPU_HOST_H
