//===- MetaMatmul.cpp - Shape functions of matrix products and attention -----===//
//
// In: matrices, batches of them. Out: contiguous products, but for attention, whose fused
// CPU kernel allocates its result like the query.
//
//===----------------------------------------------------------------------===//
#include "Inference.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace ptc;
using namespace ptc::aten;
using sym::Expr;

static constexpr llvm::StringLiteral kProductWhy = "sizes of a product agree";

/// "2x3".
static std::string crossText(Inference &inf, llvm::ArrayRef<Expr> sizes) {
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "x" : "") + inf.str(sizes[i]);
  return text;
}

static bool checkTypes(Inference &inf, const TensorMeta &a, const TensorMeta &b) {
  if (a.dtype == b.dtype)
    return true;
  llvm::StringRef name = inf.op.name;
  if (name == "dot")
    inf.raise("dot : expected both vectors to have same dtype, but found {0} and {1}",
              scalarTypeName(a.dtype), scalarTypeName(b.dtype));
  else if (name == "linear" || name == "addmm")
    inf.raise("mat1 and mat2 must have the same dtype, but got {0} and {1}",
              scalarTypeName(a.dtype), scalarTypeName(b.dtype));
  else
    inf.raise("expected m1 and m2 to have the same dtype, but got: {0} != {1}",
              cppTypeName(a.dtype), cppTypeName(b.dtype));
  return false;
}

/// What the first argument of addmm and its kin must do.
static void checkAddend(Inference &inf, DType product, llvm::ArrayRef<Expr> sizes) {
  const TensorMeta &self = inf.self();
  bool isHalf = (product == DType::Float16 || product == DType::BFloat16) && sizes.size() > 1;
  for (llvm::StringRef name : {"beta", "alpha"})
    inf.checkNumber(inf.arg(name), isHalf ? DType::Float32 : product);
  if (self.dtype != product)
    inf.raise("self and mat2 must have the same dtype, but got {0} and {1}",
              scalarTypeName(self.dtype), scalarTypeName(product));
  if (!inf.failed() && !inf.expandsTo(self.sizes, sizes))
    inf.raise("The expanded size of the tensor ({0}) must match the existing size ({1}) at "
              "non-singleton dimension {2}.  Target sizes: {3}.  Tensor sizes: {4}",
              inf.str(sizes.back()), self.dim() ? inf.str(self.sizes.back()) : "1",
              sizes.size() - 1, inf.str(sizes), inf.str(self.sizes));
}

/// Whether a kernel reads the elements of a product.
static bool hasTerms(Inference &inf, const TensorMeta &a, const TensorMeta &b) {
  return !inf.isVacant(a) && !inf.isVacant(b);
}

/// A sum of no terms added to a mask: eager scales this by beta, with numbers, and calls no kernel.
static void checkEmptySum(Inference &inf, DType dtype, Expr terms, llvm::ArrayRef<Expr> sizes) {
  auto isZero = [&](Expr size) { return inf.isEqual(size, 0, "a sum of no terms"); };
  if (!isBool(dtype) || !isZero(terms) || llvm::any_of(sizes, isZero))
    return;
  if (inf.hasArg("beta") && inf.floatValue("beta") == 0)
    return inf.acceptKernel();
  inf.raise("result type Long can't be cast to the desired output type Bool");
}

static void matrixProduct(Inference &inf, const TensorMeta &a, const TensorMeta &b, bool adds) {
  llvm::StringRef first = adds ? "mat1" : "self";
  if (a.dim() != 2)
    return adds ? inf.raise("mat1 must be a matrix, got {0}-D tensor", a.dim())
                : inf.raise("{0} must be a matrix", first);
  if (b.dim() != 2)
    return adds ? inf.raise("mat2 must be a matrix, got {0}-D tensor", b.dim())
                : inf.raise("mat2 must be a matrix");
  if (!inf.isEqual(a.sizes[1], b.sizes[0], kProductWhy))
    return inf.raise("mat1 and mat2 shapes cannot be multiplied ({0} and {1})",
                     crossText(inf, a.sizes), crossText(inf, b.sizes));
  if (!checkTypes(inf, a, b))
    return;
  Exprs sizes{a.sizes[0], b.sizes[1]};
  if (adds) {
    checkEmptySum(inf, a.dtype, a.sizes[1], sizes);
    checkAddend(inf, a.dtype, sizes);
  } else if (!hasTerms(inf, a, b)) {
    inf.acceptKernel();
  }
  inf.add(inf.make(a.dtype, sizes));
}

void ptc::aten::inferMm(Inference &inf) {
  matrixProduct(inf, inf.self(), *inf.tensor("mat2"), false);
}

void ptc::aten::inferAddmm(Inference &inf) {
  matrixProduct(inf, *inf.tensor("mat1"), *inf.tensor("mat2"), true);
}

/// t.size(dim) raises IndexError where there is no such dimension.
static void checkHasDim(Inference &inf, const TensorMeta &t, int64_t dim) {
  if (t.dim() == 0)
    inf.raiseAs(PyErrorKind::IndexError, "Dimension specified as {0} but tensor has no dimensions",
                dim);
  else
    inf.wrapDim(dim, t.dim());
}

/// The kernel of a batched product is chosen by the first type; it reads the second as the first.
static void checkBatchTypes(Inference &inf, DType a, DType b) {
  if (isBool(a)) {
    inf.refuse("bmm", a);
    inf.settle();
  }
  if (a != b)
    inf.raise("expected scalar type {0} but found {1}", scalarTypeName(a), scalarTypeName(b));
}

static void batchProduct(Inference &inf, const TensorMeta &a, const TensorMeta &b, bool adds) {
  if (adds) { // argument 0 is expanded first
    checkHasDim(inf, a, 1);
    checkHasDim(inf, b, 2);
  }
  if (a.dim() != 3)
    return inf.raise("batch1 must be a 3D tensor");
  if (b.dim() != 3)
    return inf.raise("batch2 must be a 3D tensor");
  if (!inf.isEqual(a.sizes[0], b.sizes[0], kProductWhy) ||
      !inf.isEqual(a.sizes[2], b.sizes[1], kProductWhy))
    return inf.raise("Expected size for first two dimensions of batch2 tensor to be: [{0}, {1}] "
                     "but got: [{2}, {3}].",
                     inf.str(a.sizes[0]), inf.str(a.sizes[2]), inf.str(b.sizes[0]),
                     inf.str(b.sizes[1]));
  Exprs sizes{a.sizes[0], a.sizes[1], b.sizes[2]};
  if (adds && a.dtype != b.dtype)
    inf.raise("Input dtypes must be the same, got: input {0}, batch1: {1}, batch2: {2}",
              cppTypeName(inf.self().dtype), cppTypeName(a.dtype), cppTypeName(b.dtype));
  else if (!adds && hasTerms(inf, a, b))
    checkBatchTypes(inf, a.dtype, b.dtype);
  else if (!adds)
    inf.acceptKernel();
  if (adds) {
    checkEmptySum(inf, a.dtype, a.sizes[2], sizes);
    checkAddend(inf, a.dtype, sizes);
  }
  inf.add(inf.make(a.dtype, sizes));
}

void ptc::aten::inferBmm(Inference &inf) {
  batchProduct(inf, inf.self(), *inf.tensor("mat2"), false);
}

void ptc::aten::inferBaddbmm(Inference &inf) {
  batchProduct(inf, *inf.tensor("batch1"), *inf.tensor("batch2"), true);
}

static void matrixVector(Inference &inf, const TensorMeta &mat, const TensorMeta &vec, bool adds) {
  if (!adds)
    checkHasDim(inf, mat, 0); // of the result, which is made first
  int64_t rank = adds ? inf.self().dim() : 1;
  if (mat.dim() != 2 || vec.dim() != 1 || rank > 1)
    return inf.raise("vector + matrix @ vector expected, got {0}, {1}, {2}", rank, mat.dim(),
                     vec.dim());
  if (!inf.isEqual(mat.sizes[1], vec.sizes[0], kProductWhy)) {
    if (rank == 0)
      checkHasDim(inf, inf.self(), 0); // what the message would name
    return inf.raise("size mismatch, got input ({0}), mat ({1}), vec ({2})", inf.str(mat.sizes[0]),
                     crossText(inf, mat.sizes), inf.str(vec.sizes[0]));
  }
  if (mat.dtype != vec.dtype)
    return inf.raise("expected scalar type {0} but found {1}", scalarTypeName(mat.dtype),
                     scalarTypeName(vec.dtype));
  if (adds && inf.isVacant(mat) && inf.self().sizes != Exprs{mat.sizes[0]})
    return inf.unsupported("addmv without elements, whose result has the sizes of argument 0");
  if (!hasTerms(inf, mat, vec))
    inf.acceptKernel();
  if (adds)
    checkAddend(inf, mat.dtype, {mat.sizes[0]});
  inf.add(inf.make(mat.dtype, {mat.sizes[0]}));
}

void ptc::aten::inferMv(Inference &inf) {
  matrixVector(inf, inf.self(), *inf.tensor("vec"), false);
}

void ptc::aten::inferAddmv(Inference &inf) {
  matrixVector(inf, *inf.tensor("mat"), *inf.tensor("vec"), true);
}

static void vectorProduct(Inference &inf, const TensorMeta &a, const TensorMeta &b) {
  if (a.dim() != 1 || b.dim() != 1)
    return inf.raise("1D tensors expected, but got {0}D and {1}D tensors", a.dim(), b.dim());
  if (a.dtype != b.dtype)
    return inf.raise("dot : expected both vectors to have same dtype, but found {0} and {1}",
                     scalarTypeName(a.dtype), scalarTypeName(b.dtype));
  if (!inf.isEqual(a.sizes[0], b.sizes[0], kProductWhy))
    return inf.raise("inconsistent tensor size, expected tensor {0} and src {1} to have the same "
                     "number of elements, but got {2} and {3} elements respectively",
                     inf.str(a.sizes), inf.str(b.sizes), inf.str(a.sizes[0]), inf.str(b.sizes[0]));
  inf.add(inf.make(a.dtype, {}));
}

void ptc::aten::inferDot(Inference &inf) { vectorProduct(inf, inf.self(), *inf.tensor("tensor")); }

void ptc::aten::inferOuter(Inference &inf) {
  const TensorMeta &a = inf.self(), *b = inf.tensor("vec2");
  if (a.dim() != 1)
    return inf.raise("outer: Expected 1-D argument self, but got {0}-D", a.dim());
  if (b->dim() != 1)
    return inf.raise("outer: Expected 1-D argument vec2, but got {0}-D", b->dim());
  inf.add(inf.make(inf.resultType({&a, b}), {a.sizes[0], b->sizes[0]}));
}

/// Both have two dimensions or more, one has three or more.
static void batchedMatmul(Inference &inf, const TensorMeta &a, const TensorMeta &b) {
  size_t ra = a.dim(), rb = b.dim();
  Exprs sizes(a.sizes.begin(), a.sizes.end() - 2);
  inf.broadcastInto(sizes, llvm::ArrayRef(b.sizes).drop_back(2));
  if (inf.failed())
    return;
  if (!inf.isEqual(a.sizes[ra - 1], b.sizes[rb - 2], kProductWhy)) {
    Expr batch = inf.sym.product(sizes);
    if (rb == 2)
      return inf.raise(
          "mat1 and mat2 shapes cannot be multiplied ({0} and {1})",
          crossText(inf, {inf.sym.product(llvm::ArrayRef(a.sizes).drop_back()), a.sizes[ra - 1]}),
          crossText(inf, b.sizes));
    return inf.raise("Expected size for first two dimensions of batch2 tensor to be: [{0}, {1}] "
                     "but got: [{2}, {3}].",
                     inf.str(batch), inf.str(a.sizes[ra - 1]), inf.str(batch),
                     inf.str(b.sizes[rb - 2]));
  }
  if (rb > 2) {
    if (hasTerms(inf, a, b))
      checkBatchTypes(inf, a.dtype, b.dtype);
  } else if (!checkTypes(inf, a, b)) {
    return;
  }
  sizes.push_back(a.sizes[ra - 2]);
  sizes.push_back(b.sizes[rb - 1]);
  inf.add(inf.make(a.dtype, sizes));
}

/// `t` with a dimension of 1 where matmul adds one to a vector.
static TensorMeta asMatrix(Inference &inf, const TensorMeta &t, bool isRow) {
  TensorMeta m = t;
  m.sizes.insert(isRow ? m.sizes.begin() : m.sizes.end(), inf.constant(1));
  m.strides = inf.contiguous(m.sizes);
  return m;
}

/// The kernel that matmul of these ranks ends in.
static llvm::StringRef matmulKernel(int64_t a, int64_t b) {
  if (a == 1 && b == 1)
    return "dot";
  if (a <= 2 && b == 1)
    return "addmv_impl_cpu";
  return a <= 2 || b <= 2 ? "addmm_impl_cpu_" : "bmm";
}

void ptc::aten::inferMatmul(Inference &inf) {
  const TensorMeta &a = inf.self(), &b = *inf.tensor("other");
  if (a.dim() == 0 || b.dim() == 0)
    return inf.raise("both arguments to matmul need to be at least 1D, but they are {0}D and {1}D",
                     a.dim(), b.dim());
  bool isDot = a.dim() == 1 && b.dim() == 1; // whose kernel is called without terms, too
  if (isBool(a.dtype) && isBool(b.dtype) && (isDot || hasTerms(inf, a, b)))
    inf.refuse(matmulKernel(a.dim(), b.dim()), a.dtype);
  if (isDot)
    return vectorProduct(inf, a, b);
  if (a.dim() == 2 && b.dim() == 1)
    return matrixVector(inf, a, b, false);
  TensorMeta left = a.dim() == 1 ? asMatrix(inf, a, true) : a;
  TensorMeta right = b.dim() == 1 ? asMatrix(inf, b, false) : b;
  if (left.dim() == 2 && right.dim() == 2)
    matrixProduct(inf, left, right, false);
  else
    batchedMatmul(inf, left, right);
  if (inf.failed() || (a.dim() > 1 && b.dim() > 1))
    return;
  TensorMeta &result = inf.result.results.front().tensors.front().meta;
  result.sizes.erase(result.sizes.end() - (b.dim() == 1 ? 1 : 2));
  result.strides = inf.contiguous(result.sizes);
}

void ptc::aten::inferLinear(Inference &inf) {
  const TensorMeta &input = inf.self(), &weight = *inf.tensor("weight"), *bias = inf.tensor("bias");
  if (input.dim() == 0 || weight.dim() == 0)
    return inf.raise("both arguments to linear need to be at least 1D, but they are {0}D and {1}D",
                     input.dim(), weight.dim());
  if (weight.dim() > 2)
    return inf.raise("t() expects a tensor with <= 2 dimensions, but self is {0}D", weight.dim());
  llvm::ArrayRef<Expr> batch = llvm::ArrayRef(input.sizes).drop_back();
  if (!inf.isEqual(input.sizes.back(), weight.sizes.back(), kProductWhy)) {
    Exprs transposed(llvm::reverse(weight.sizes));
    if (input.dim() == 1)
      return inf.raise("size mismatch, got input ({0}), mat ({1}), vec ({2})",
                       inf.str(weight.sizes.front()), crossText(inf, weight.sizes),
                       inf.str(input.sizes.front()));
    return inf.raise("mat1 and mat2 shapes cannot be multiplied ({0} and {1})",
                     crossText(inf, {inf.sym.product(batch), input.sizes.back()}),
                     crossText(inf, transposed));
  }
  if (!checkTypes(inf, input, weight))
    return;
  Exprs sizes(batch.begin(), batch.end());
  if (weight.dim() == 2)
    sizes.push_back(weight.sizes[0]);
  bool isDot = input.dim() == 1 && weight.dim() == 1; // whose kernel is called without terms, too
  if (isDot && !bias && isBool(input.dtype))
    inf.refuse("dot", input.dtype);
  else if (!bias && !hasTerms(inf, input, weight))
    inf.acceptKernel();
  else if (bias)
    checkEmptySum(inf, input.dtype, input.sizes.back(), sizes);
  if (bias && bias->dtype != input.dtype)
    return inf.raise("self and mat2 must have the same dtype, but got {0} and {1}",
                     scalarTypeName(bias->dtype), scalarTypeName(input.dtype));
  if (bias && !inf.expandsTo(bias->sizes, sizes))
    return inf.raise("The expanded size of the tensor must match the existing size.  Target sizes: "
                     "{0}.  Tensor sizes: {1}",
                     inf.str(sizes), inf.str(bias->sizes));
  inf.add(inf.make(input.dtype, sizes));
}

/// Whether the CPU's fused kernel takes the mask of these: two dimensions, or four with batch and
/// heads. Eager raises for fewer.
static bool takesFusedMask(Inference &inf, const TensorMeta &mask, const TensorMeta &q,
                           const TensorMeta &k) {
  if (mask.dim() != 2 && mask.dim() != 4)
    return false;
  llvm::SmallVector<std::pair<Expr, Expr>, 4> wanted;
  if (mask.dim() == 4)
    wanted = {{mask.sizes[0], q.sizes[0]}, {mask.sizes[1], q.sizes[1]}};
  wanted.emplace_back(mask.sizes[mask.dim() - 2], q.sizes[2]);
  wanted.emplace_back(mask.sizes.back(), k.sizes[2]);
  return llvm::all_of(wanted, [&](auto &pair) {
    return inf.isEqual(pair.first, pair.second, "fused attention") ||
           inf.isEqual(pair.first, 1, "fused attention");
  });
}

/// Whether the CPU's fused kernel takes these; else the plain formula, with contiguous results.
static bool takesFusedAttention(Inference &inf, llvm::ArrayRef<const TensorMeta *> qkv) {
  const TensorMeta *mask = inf.tensor("attn_mask");
  if (inf.floatValue("dropout_p").value_or(1) > 0 || (mask && mask->requiresGrad))
    return false;
  for (const TensorMeta *t : qkv) {
    if (t->dim() != 4)
      return false;
    bool isVacant = llvm::any_of(qkv, [&](const TensorMeta *each) { return inf.isVacant(*each); });
    if (mask && mask->dim() < 2 && !isVacant) // eager asks for the second size from the end
      inf.wrapDim(-2, mask->dim());
    if (!t->strides.back().isOne())
      return false;
    if (!inf.isEqual(t->sizes[3], qkv[0]->sizes[3], "fused attention") ||
        !inf.isEqual(t->sizes[0], qkv[0]->sizes[0], "fused attention"))
      return false;
    if (t->sizes[2].isZero())
      return false;
  }
  bool gqa = inf.boolValue("enable_gqa");
  if (!gqa && (!inf.isEqual(qkv[1]->sizes[1], qkv[0]->sizes[1], "fused attention") ||
               !inf.isEqual(qkv[2]->sizes[1], qkv[0]->sizes[1], "fused attention")))
    return false;
  return (!mask || takesFusedMask(inf, *mask, *qkv[0], *qkv[1])) && isFloat(qkv[0]->dtype);
}

/// The mask broadcasts to the scores, which have `rows` and a column for each key.
static void checkMask(Inference &inf, llvm::ArrayRef<Expr> rows, Expr columns) {
  const TensorMeta *mask = inf.tensor("attn_mask");
  Exprs scores(rows);
  scores.push_back(columns);
  if (mask && !inf.failed() && !inf.expandsTo(mask->sizes, scores))
    inf.raise("The expanded size of the attention mask must match that of the scores. Target "
              "sizes: {0}.  Tensor sizes: {1}",
              inf.str(scores), inf.str(mask->sizes));
}

/// The heads of keys and of values divide the query's.
static void checkHeads(Inference &inf, const TensorMeta &q, const TensorMeta &k,
                       const TensorMeta &v) {
  constexpr llvm::StringLiteral why = "heads of attention";
  for (const TensorMeta *t : {&q, &k, &v})
    inf.wrapDim(-3, t->dim());
  if (inf.failed())
    return;
  if (k.dim() != q.dim() || v.dim() != q.dim())
    return inf.unsupported("grouped heads of tensors of different ranks");
  size_t heads = q.dim() - 3;
  for (size_t d = 0; d < heads; ++d)
    if (!inf.isEqual(q.sizes[d], k.sizes[d], why) || !inf.isEqual(q.sizes[d], v.sizes[d], why))
      return inf.unsupported("grouped heads of batches that broadcast");
  for (const TensorMeta *t : {&k, &v})
    if (inf.isEqual(t->sizes[heads], 0, why))
      return inf.unsupported("grouped heads of no heads, by which eager divides");
    else if (!inf.isEqual(inf.sym.mod(q.sizes[heads], t->sizes[heads]), 0, why))
      return inf.raise("Number of heads in key and value must divide the number of heads in ");
  if (!inf.isEqual(k.sizes[heads], v.sizes[heads], why))
    inf.unsupported("grouped heads of which keys and values have different numbers");
}

/// Types and ranks that eager looks at before it chooses a kernel.
static void checkAttention(Inference &inf, const TensorMeta &q, const TensorMeta &k,
                           const TensorMeta &v) {
  const TensorMeta *mask = inf.tensor("attn_mask");
  if (q.dtype != k.dtype || q.dtype != v.dtype)
    return inf.raise("Expected query, key, and value to have the same dtype, but got query.dtype: "
                     "{0} key.dtype: {1} and value.dtype: {2} instead.",
                     cppTypeName(q.dtype), cppTypeName(k.dtype), cppTypeName(v.dtype));
  if (q.dim() < 2 || k.dim() < 2 || v.dim() < 2)
    return inf.raise("Expected query, key, and value to all be  at least 2 dimensional, but got "
                     "query.dim: {0} key.dim: {1} and value.dim: {2} instead.",
                     q.dim(), k.dim(), v.dim());
  if (mask && !isBool(mask->dtype) && mask->dtype != DType::Float32 && mask->dtype != q.dtype)
    return inf.raise("Expected attn_mask dtype to be bool or float or to match query dtype, but "
                     "got attn_mask.dtype: {0} and  query.dtype: {1} instead.",
                     cppTypeName(mask->dtype), cppTypeName(q.dtype));
}

/// The fused kernel allocates its result like the query.
static void addFusedAttention(Inference &inf, const TensorMeta &q, const TensorMeta &k,
                              const TensorMeta &v) {
  if (inf.floatValue("dropout_p") != 0.0)
    return inf.raise("scaled_dot_product_attention_flash_attention: Currently do not support "
                     "dropout > 0");
  if (!inf.isEqual(k.sizes[2], v.sizes[2], kProductWhy)) // eager reads what is behind the values
    return inf.unsupported("attention to values of another length than the keys");
  checkMask(inf, llvm::ArrayRef(q.sizes).drop_back(), k.sizes[2]);
  inf.add(inf.make(q.dtype, q.sizes, inf.likeStrides(q)));
}

/// softmax(query @ key.mT * scale + mask) @ value, batches broadcast.
static void addPlainAttention(Inference &inf, const TensorMeta &q, const TensorMeta &k,
                              const TensorMeta &v) {
  if (inf.tensor("attn_mask") && inf.boolValue("is_causal"))
    return inf.raise("_scaled_dot_product_attention: Explicit attn_mask should not be set when "
                     "is_causal=True");
  if (std::optional<double> p = inf.floatValue("dropout_p"); p && *p > 1)
    return inf.raise("dropout probability has to be between 0 and 1, but got {0}",
                     llvm::format("%g", *p));
  Exprs sizes(q.sizes.begin(), q.sizes.end() - 2);
  if (!inf.boolValue("enable_gqa")) {
    inf.broadcastInto(sizes, llvm::ArrayRef(k.sizes).drop_back(2));
    inf.broadcastInto(sizes, llvm::ArrayRef(v.sizes).drop_back(2));
  }
  if (!inf.failed() && !inf.isEqual(q.sizes.back(), k.sizes.back(), kProductWhy))
    return inf.raise("Expected size for first two dimensions of batch2 tensor to be: [{0}, {1}] "
                     "but got: [{0}, {2}].",
                     inf.str(inf.sym.product(sizes)), inf.str(q.sizes.back()),
                     inf.str(k.sizes.back()));
  Expr length = k.sizes[k.dim() - 2], values = v.sizes[v.dim() - 2];
  if (!inf.failed() && !inf.isEqual(length, values, kProductWhy))
    return inf.raise("Expected size for first two dimensions of batch2 tensor to be: [{0}, {1}] "
                     "but got: [{0}, {2}].",
                     inf.str(inf.sym.product(sizes)), inf.str(length), inf.str(values));
  sizes.push_back(q.sizes[q.dim() - 2]);
  checkMask(inf, sizes, length);
  sizes.push_back(v.sizes.back());
  inf.add(inf.make(q.dtype, sizes));
}

void ptc::aten::inferAttention(Inference &inf) {
  const TensorMeta &q = inf.self(), &k = *inf.tensor("key"), &v = *inf.tensor("value");
  checkAttention(inf, q, k, v);
  if (inf.failed())
    return;
  bool isFused = takesFusedAttention(inf, {&q, &k, &v});
  if (inf.boolValue("enable_gqa"))
    checkHeads(inf, q, k, v);
  bool isVacant = inf.isVacant(q) || inf.isVacant(k) || inf.isVacant(v);
  if (q.sizes.back().isZero() && k.sizes.back().isZero() && !inf.isVacant(v))
    return inf.unsupported("attention by heads without elements, whose scale is infinite");
  if (isVacant && (isBool(q.dtype) || isComplex(q.dtype)))
    return inf.unsupported("attention of masks or complex numbers without elements");
  if (isComplex(q.dtype))
    inf.refuse("softmax_lastdim_kernel_impl", q.dtype);
  else if (!isFloat(q.dtype) && !isVacant)
    inf.raise("expected scalar type Float but found {0}", scalarTypeName(q.dtype));
  if (inf.failed())
    return;
  if (isFused)
    return addFusedAttention(inf, q, k, v);
  addPlainAttention(inf, q, k, v);
  if (inf.result.status == MetaResult::Status::Raise && isVacant &&
      inf.proves(Cmp::EQ, q.sizes.back(), k.sizes.back()) == true) // eager may not look
    inf.result = MetaResult::unsupported("attention without elements, of sizes that do not fit");
}
