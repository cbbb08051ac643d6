//===- Kernels.h - What the files of this target share ------------------*- C++ -*-===//
//
// Private to lib/Target/Cuda.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_TARGET_CUDA_KERNELS_H
#define PTC_LIB_TARGET_CUDA_KERNELS_H

#include "ptc/Target/Cpu/Combiner.h"
#include "ptc/Target/Cuda/Code.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <array>

namespace ptc::cuda {

/// Of a function: the device starts it.
inline constexpr llvm::StringLiteral kKernelAttr = "ptc.device";
/// Of such a function: how many of its last arguments are tensor maps.
inline constexpr llvm::StringLiteral kMapsAttr = "ptc.maps";
/// Of such a function: [threads of a block, blocks that share a processor], for the registers that
/// it may have.
inline constexpr llvm::StringLiteral kResidentAttr = "ptc.resident";
/// Of such a function: so many blocks make a tile together.
inline constexpr llvm::StringLiteral kClusterAttr = "ptc.cluster";
/// Of a function: products of f32 may be as exact as tf32.
inline constexpr llvm::StringLiteral kTf32Attr = "ptc.tf32";
/// Of a function of the host: it takes the frame behind its other arguments.
inline constexpr llvm::StringLiteral kFrameAttr = "ptc.frame";

/// What became of the kernels of a program.
struct SplitKernels {
  /// For GPUs that have matrix instructions of four warps; null: nobody asked for it.
  mlir::OwningOpRef<mlir::ModuleOp> withWarpgroups;
  mlir::OwningOpRef<mlir::ModuleOp> module;     ///< memref, scf, arith, math, nvvm
  std::vector<cpu::DeviceCode::Kernel> kernels; ///< by the number that a launch names
  uint64_t scratchBytes = 0;
};

struct SplitOptions {
  bool hasWarpgroups; ///< the GPU has matrix instructions of four warps
  bool allowsTf32;    ///< products of f32 may be as exact as tf32
};
/// Takes the work out of the functions of `kernels`, which are on buffers: each of them becomes a
/// sequence of launches and takes the frame behind its other arguments. Errors: InternalError.
llvm::Expected<SplitKernels> splitKernels(mlir::ModuleOp kernels, SplitOptions options);

/// Bytes of the widest access to memory.
inline constexpr int64_t kWideAccess = 16;
/// Threads.
inline constexpr int64_t kWarp = 32;

/// Whether the innermost of `loops` go through neighbours of `memory`, which `map` gives a place
/// in, by whole groups of `size`, and nothing else leads between them; strides that the run knows
/// are left to `areAligned`. `isOpen`: sizes of loops that the run knows are taken for whole
/// groups.
bool comesInGroups(mlir::linalg::LinalgOp op, mlir::AffineMap map, mlir::MemRefType memory,
                   llvm::ArrayRef<unsigned> loops, int64_t size, bool isOpen = false);
/// The address of an element, of the first one where `isThere` is false.
mlir::Value addressOf(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, mlir::ValueRange place,
                      mlir::Value isThere = {});
/// A pointer to an element of the device's memory, to the first one where `isThere` is false.
mlir::Value pointerTo(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, mlir::ValueRange place,
                      mlir::Value isThere = {});
/// Elements between neighbours, by dimension.
llvm::SmallVector<mlir::Value> stridesOf(mlir::ImplicitLocOpBuilder &b, mlir::Value memory);
/// Whether accesses of 16 bytes can begin where all of `memories` do, and as far from there as
/// strides lead that the run knows.
mlir::Value areAligned(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> memories);
/// Elements that an access of 16 bytes moves, for the narrowest of these types; 1: there is none.
int64_t groupFor(llvm::ArrayRef<mlir::Value> memories);
/// The elements at `indices`, the first of them and its neighbours in one access if `isWide`.
llvm::SmallVector<mlir::Value> loadGroup(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
                                         mlir::AffineMap map,
                                         llvm::ArrayRef<llvm::SmallVector<mlir::Value>> indices,
                                         bool isWide);
void storeGroup(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> values,
                mlir::Value memory, mlir::AffineMap map,
                llvm::ArrayRef<llvm::SmallVector<mlir::Value>> indices, bool isWide);

/// What a memory is part of: an argument of the kernel, or an allocation.
mlir::Value rootOf(mlir::Value memory);
/// Sizes of the loops of a nest, by loop.
llvm::SmallVector<mlir::Value> loopSizes(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op);
/// The indices of `loops` in the turn with this number, the last loop being the innermost.
void takeApart(mlir::ImplicitLocOpBuilder &b, mlir::Value number, llvm::ArrayRef<unsigned> loops,
               llvm::ArrayRef<mlir::Value> sizes, llvm::MutableArrayRef<mlir::Value> indices);
/// The place of the element that an operand with this map has at `indices` of the loops.
llvm::SmallVector<mlir::Value> placeOf(mlir::ImplicitLocOpBuilder &b, mlir::AffineMap map,
                                       llvm::ArrayRef<mlir::Value> indices);
/// Whether neighbours in memory of what an operand reads are turns of loop `d`.
bool liesAlong(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned d);

mlir::Value blockNumber(mlir::ImplicitLocOpBuilder &b);
mlir::Value numBlocks(mlir::ImplicitLocOpBuilder &b);
mlir::Value threadOfBlock(mlir::ImplicitLocOpBuilder &b);
mlir::Value threadsOfBlock(mlir::ImplicitLocOpBuilder &b);
/// Memory that the threads of a block share: the same for the same name, element and sizes.
mlir::Value sharedMemory(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name, mlir::Type element,
                         llvm::ArrayRef<int64_t> sizes);
/// Lets the next kernel begin, and waits until memory is as kernels before this one leave it.
void awaitKernelsBefore(mlir::ImplicitLocOpBuilder &b);
/// Where the shared memory is that a launch gives a block.
mlir::Value dynamicSharedMemory(mlir::ImplicitLocOpBuilder &b);

/// Inputs of products that matrix instructions make lie along the sum.
void layAlongSums(mlir::func::FuncOp function);
/// Products and windows read from where it was copied what has one number around it in the copy.
void readWithoutBorders(mlir::func::FuncOp function);
/// Whether places of an input, of this input, may lie outside of its memory, in such a border.
bool isPadded(mlir::linalg::LinalgOp op);
bool isPadded(mlir::linalg::LinalgOp op, mlir::OpOperand &in);
/// `to` is made of `from`, with the same inputs.
void copyPadding(mlir::linalg::LinalgOp from, mlir::linalg::LinalgOp to);
/// Whether the place that an input has in the turn at `indices` is inside; null: each is.
mlir::Value isInside(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op, mlir::OpOperand &in,
                     llvm::ArrayRef<mlir::Value> indices);
/// What `load` gives of an input in these turns, which go along what has no border, or, outside,
/// the border's number.
llvm::SmallVector<mlir::Value>
loadInside(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op, mlir::OpOperand &in,
           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> turns,
           llvm::function_ref<llvm::SmallVector<mlir::Value>()> load);
/// Nests of few results that reduce much become nests that reduce parts, and parts of parts; not
/// products that come by tensor maps, if there are any: their kernels do so by themselves.
void cutReductions(mlir::func::FuncOp function, bool hasMaps);
/// Nests that compute few numbers for one reader become a part of it, where that takes less time
/// than starting them.
void computeInReaders(mlir::func::FuncOp function);

/// One of several nests that go on together, row by row.
struct RowNest {
  mlir::linalg::LinalgOp op;
  bool isKept; ///< others use the memory that it writes
};

/// What one kernel does.
struct Step {
  mlir::Operation *op;              ///< the first of `rows`, if there are any
  mlir::Operation *start = nullptr; ///< fills what a product or a reduction adds to
  /// Nests that compute of each result of a product, one after the other.
  llvm::SmallVector<mlir::linalg::LinalgOp> ends = {};
  llvm::SmallVector<RowNest> rows = {};
  /// What comes before `op`, the product with the values of an attention.
  llvm::SmallVector<mlir::Operation *> scores = {};

  /// In order.
  llvm::SmallVector<mlir::Operation *> all() const {
    llvm::SmallVector<mlir::Operation *> ops = scores;
    if (start)
      ops.push_back(start);
    if (!rows.empty())
      return llvm::map_to_vector(rows, [](RowNest nest) -> mlir::Operation * { return nest.op; });
    ops.push_back(op);
    ops.append(ends.begin(), ends.end());
    return ops;
  }
};
/// Where a result of the product goes through the ends of a step.
struct Flow {
  mlir::Value memory;                         ///< that would have it
  llvm::SmallVector<mlir::OpOperand *> reads; ///< of the ends
  llvm::SmallVector<mlir::Value> left;        ///< memory that is not written
};
Flow flowOf(const Step &step);
/// Memory that the kernel of a step does not need.
llvm::SmallVector<mlir::Value> memoryLeft(const Step &step);
/// Whether nothing but `ops` uses `memory`.
bool isOwnOf(mlir::Value memory, llvm::ArrayRef<mlir::Operation *> ops);
/// Operations that follow each other, as the kernels that do them.
llvm::SmallVector<Step> joinSteps(llvm::ArrayRef<mlir::Operation *> ops);

/// The nests at the front of `ops`, behind `first` ones that are none of them, that go on together
/// row by row: a block or a warp has a row at a time. Empty: there are none.
struct RowRun {
  size_t first = 0;
  llvm::SmallVector<RowNest> nests;
};
RowRun findRows(llvm::ArrayRef<mlir::Operation *> ops);
mlir::Value countRowThreads(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<RowNest> nests);
struct KernelShape;
KernelShape emitRows(llvm::ArrayRef<RowNest> nests);

/// What a kernel may use beside what every GPU has.
enum class Means { Common, Warpgroups, TensorMaps };

struct KernelShape {
  uint32_t threads;          ///< of a block
  uint32_t sharedBytes;      ///< that the launch gives it
  uint32_t perProcessor = 0; ///< blocks that go through all work; 0: any number
};
/// Turns a step into what each thread does of it: loop nests share their parallel loops, everything
/// else is done by one thread.
KernelShape emitStep(const Step &step, Means means);
/// How many threads there is work for, in front of it on the host.
mlir::Value countThreads(mlir::ImplicitLocOpBuilder &b, const Step &step);

/// A nest that reads memory across what it writes.
struct Turn {
  mlir::OpOperand *in;    ///< what lies otherwise
  unsigned read, written; ///< loops along which it and the result lie
};
/// None: it does not, or is too small for tiles.
std::optional<Turn> findTurn(mlir::linalg::LinalgOp op);
mlir::Value countTurnThreads(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op,
                             const Turn &turn);
KernelShape emitTurn(mlir::linalg::LinalgOp op, const Turn &turn);

/// The body of a nest in the turn at `indices`, with what `mapping` gives its arguments: what it
/// yields.
llvm::SmallVector<mlir::Value> cloneBody(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op,
                                         llvm::ArrayRef<mlir::Value> indices,
                                         mlir::IRMapping &mapping);

/// Sums of products, of which a block makes a tile: its threads share what they read.
struct TiledProduct {
  mlir::OpOperand *rows, *columns;                           ///< inputs
  llvm::SmallVector<unsigned> batch, ofRows, ofColumns, sum; ///< loops
  int64_t size = 0, width = 0;                               ///< rows and columns of a tile
  int64_t count = 0;                                         ///< of tiles, about
  int64_t threads = 256;                                     ///< of a block
  bool byMatrix = false;                                     ///< by matrix instructions
  /// Which side has so few turns that all are in each tile, 0 for rows: threads share its sums.
  std::optional<unsigned> narrow = std::nullopt;
};
/// None: it is no sum of products, or too small for tiles.
std::optional<TiledProduct> findTiledProduct(mlir::linalg::LinalgOp op);
/// How many tiles there are, in front of it on the host or in its kernel.
mlir::Value countTiles(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op,
                       const TiledProduct &product);
/// Attention whose product with the values is `step.op`.
KernelShape emitAttention(const Step &step);
mlir::Value countAttentionThreads(mlir::ImplicitLocOpBuilder &b, const Step &step);
/// How many of `ops` are an attention's up to the product with its values, the last; 0: they are
/// none. The first is the product of queries and keys; a kernel of its own fills `fill`.
size_t countScores(mlir::Operation *fill, llvm::ArrayRef<mlir::Operation *> ops);
/// Whether the kernel of an attention computes what `step` does.
bool fitsAttention(const Step &step);
KernelShape emitTiledProduct(const Step &step, const TiledProduct &product, Means means);

/// A step whose inputs come to shared memory by tensor maps, as its kernel does it.
class MappedKernel {
public:
  virtual ~MappedKernel() = default;
  virtual unsigned numMaps() const = 0;
  /// In front of it on the host.
  virtual mlir::Value countThreads(mlir::ImplicitLocOpBuilder &b) const = 0;
  /// On the host: `ptc_tensor_map`s of its inputs, one behind the other.
  virtual mlir::Value describeMaps(mlir::ImplicitLocOpBuilder &b) const = 0;
  /// Its tensor maps are the last arguments of the function around it.
  virtual KernelShape emit() const = 0;
};
/// Whether the inputs of a product can come by tensor maps.
bool fitsMaps(mlir::linalg::LinalgOp op);
/// Null: inputs lie otherwise, or tiles would be too small. `step` has to live as long.
std::unique_ptr<MappedKernel> findMappedKernel(const Step &step);

/// Threads that share a result of a nest.
struct Sharing {
  unsigned loop;  ///< the reduction whose turns they share
  uint32_t lanes; ///< neighbours, a warp or a block
  Combiner combiner;
};
/// None: a thread makes results alone.
std::optional<Sharing> findSharing(mlir::linalg::LinalgOp op);
/// What so many lanes, which are neighbours, have together.
mlir::Value combineLanes(mlir::ImplicitLocOpBuilder &b, const Combiner &c, mlir::Value v,
                         int64_t lanes);
mlir::Value combine(mlir::OpBuilder &b, const Combiner &c, mlir::Value x, mlir::Value y);
/// What the lane has whose number differs in the bits of `mask`.
mlir::Value shuffle(mlir::ImplicitLocOpBuilder &b, mlir::Value v, int64_t mask);
/// What all lanes have together, in each of them; all threads of a block come here.
mlir::Value combineShared(mlir::ImplicitLocOpBuilder &b, const Sharing &sharing, mlir::Value v,
                          mlir::Value lane);

/// The module becomes the llvm dialect. Errors: InternalError.
llvm::Error lowerToNvvm(mlir::ModuleOp device);

/// PTX text of a module of the llvm dialect, the same for the same module and GPU. `target`: what
/// LLVM calls the GPU; `version`: the feature of PTX that it needs. Errors: InternalError;
/// LibdeviceMissing.
llvm::Expected<std::string> emitPtx(mlir::ModuleOp device, llvm::StringRef target,
                                    llvm::StringRef version, unsigned level);

/// Machine code of PTX, by nvJitLink or ptxas; empty: there is neither. Errors: InternalError with
/// the assembler's words.
llvm::Expected<std::string> assemble(llvm::StringRef ptx, llvm::StringRef target, unsigned level);

/// Path; empty: there is none. Looked for in the folder that PTC_CUDA names, a toolkit or one with
/// Python packages, and nowhere else; without it where CUDA_HOME and CUDA_PATH say, and in
/// /usr/local/cuda.
std::string findLibdevice();

} // namespace ptc::cuda

#endif // PTC_LIB_TARGET_CUDA_KERNELS_H
