//===- BreakGuards.cpp - Calls that violate one guard ----------------------------------------===//
//
// In: a call that satisfies a variant's guards, and one of them. Out: a call near to it that
// violates that guard. First small changes of what the guard looks at are tried; where sizes and
// numbers hang together, the solver finds a point, and the call is made from it.
//
//===----------------------------------------------------------------------===//
#include "ptc/Driver/BreakGuards.h"

#include "ptc/Capture/Observe.h"
#include "ptc/Dialect/Guard/Transforms/Simplify.h"
#include "ptc/TensorFile/Draw.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>

using namespace ptc;
using O = sym::ObservableKind;
using K = ExampleValue::Kind;

//===----------------------------------------------------------------------===//
// Copies of calls
//===----------------------------------------------------------------------===//

static void forEachTensor(ExampleValue &value, llvm::function_ref<void(ExampleValue &)> see) {
  if (value.kind == K::Tensor)
    see(value);
  for (ExampleValue &item : value.items)
    forEachTensor(item, see);
}

static void forEachTensor(ExampleCall &call, llvm::function_ref<void(ExampleValue &)> see) {
  for (ExampleValue &value : call.args)
    forEachTensor(value, see);
  for (auto &[name, value] : call.kwargs)
    forEachTensor(value, see);
}

ExampleCall ptc::cloneCall(const ExampleCall &call) {
  ExampleCall copy = call;
  llvm::DenseMap<const TensorStorage *, std::shared_ptr<TensorStorage>> storages;
  forEachTensor(copy, [&](ExampleValue &value) {
    const HostTensor &old = value.tensor;
    std::shared_ptr<TensorStorage> &storage = storages[old.storage().get()];
    if (!storage)
      storage = old.storage()->clone();
    value.tensor =
        HostTensor(old.dtype(), old.sizes(), old.strides(), old.storageOffset(), storage);
  });
  return copy;
}

ExampleCall ptc::redrawCall(const ExampleCall &call, uint64_t seed) {
  ExampleCall copy = cloneCall(call);
  forEachTensor(copy, [&](ExampleValue &value) {
    drawElements(value.tensor, seed++, distributionOf(value.tensor));
  });
  return copy;
}

//===----------------------------------------------------------------------===//
// Small changes
//===----------------------------------------------------------------------===//

namespace {
/// A change of one part of a call, as text and as function; false: it does not apply.
struct Change {
  std::string text;
  std::function<bool(ExampleValue &)> apply;
};
} // namespace

static ExampleValue *findPart(ExampleCall &call, llvm::ArrayRef<std::string> parameters,
                              const std::string &path) {
  ExampleValue *found = nullptr;
  std::function<void(const std::string &, const ExampleValue &)> look =
      [&](const std::string &at, const ExampleValue &value) {
        if (at == path)
          found = const_cast<ExampleValue *>(&value); // the call is ours and mutable
        else if (!found)
          forEachPart(at, value, look);
      };
  for (const CallLeaf &argument : argumentsOf(call, parameters))
    look(argument.path, *argument.value);
  return found;
}

/// A tensor of this form with elements like those of `like`, which are drawn when they are asked
/// for: of most examples only the sizes are looked at.
static HostTensor remade(const HostTensor &like, llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> strides) {
  HostTensor kept(like.dtype(), like.sizes(), like.strides(), like.storageOffset(),
                  like.storage()->clone());
  return drawnTensor(like.dtype(), sizes, strides, 1,
                     [kept = std::move(kept)] { return distributionOf(kept); });
}

/// Dense strides in the order of another tensor's strides.
static llvm::SmallVector<int64_t, 4> stridesInOrder(llvm::ArrayRef<int64_t> sizes,
                                                    llvm::ArrayRef<int64_t> like) {
  llvm::SmallVector<unsigned, 6> order(sizes.size());
  for (unsigned d = 0; d < order.size(); ++d)
    order[d] = d;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-like[a], a) < std::pair(-like[b], b);
  });
  llvm::SmallVector<int64_t, 4> strides(sizes.size());
  int64_t extent = 1;
  for (unsigned d : llvm::reverse(order)) {
    strides[d] = extent;
    extent *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

static bool resize(ExampleValue &value, size_t dim, int64_t size) {
  if (value.kind != K::Tensor || dim >= size_t(value.tensor.dim()) || size < 0 || size > 1 << 16)
    return false;
  llvm::SmallVector<int64_t, 4> sizes(value.tensor.sizes());
  sizes[dim] = size;
  value.tensor = remade(value.tensor, sizes, stridesInOrder(sizes, value.tensor.strides()));
  return true;
}

static void valueChanges(std::vector<Change> &out) {
  auto become = [&](const char *text, const ExampleValue &value) {
    out.push_back({text, [value](ExampleValue &v) {
                     if (v.kind == value.kind)
                       return false;
                     v = value;
                     return true;
                   }});
  };
  become("an int", ExampleValue::ofInt(7));
  become("None", ExampleValue::none());
  become("a str", ExampleValue::ofStr("other"));
  become("a float", ExampleValue::ofFloat(0.5));
  become("a tensor", ExampleValue::ofTensor(HostTensor::zeros(DType::Float32, {2})));
  become("a list", ExampleValue(K::List));
}

static void lengthChanges(std::vector<Change> &out) {
  out.push_back({"one element more", [](ExampleValue &v) {
                   if (v.items.empty()) {
                     v.items.push_back(ExampleValue::ofInt(1));
                     if (v.kind == K::Dict)
                       v.items.push_back(ExampleValue::ofInt(1));
                   } else if (v.kind == K::Dict) {
                     ExampleValue value = v.items.back();
                     v.items.push_back(ExampleValue::ofStr("one_more"));
                     v.items.push_back(std::move(value));
                   } else {
                     v.items.push_back(ExampleValue(v.items.back()));
                   }
                   return true;
                 }});
  out.push_back({"one element fewer", [](ExampleValue &v) {
                   size_t step = v.kind == K::Dict ? 2 : 1;
                   if (v.items.size() < step)
                     return false;
                   v.items.resize(v.items.size() - step);
                   return true;
                 }});
}

static void keyChanges(std::vector<Change> &out) {
  out.push_back({"another key", [](ExampleValue &v) {
                   if (v.kind == K::Object && !v.names.empty()) {
                     v.names.back() += "_other";
                     return true;
                   }
                   if (v.kind != K::Dict || v.items.empty())
                     return false;
                   v.items[v.items.size() - 2] = ExampleValue::ofStr("other_key");
                   return true;
                 }});
}

static void rankChanges(std::vector<Change> &out) {
  out.push_back({"one dimension more", [](ExampleValue &v) {
                   if (v.kind != K::Tensor)
                     return false;
                   llvm::SmallVector<int64_t, 4> sizes{1};
                   sizes.append(v.tensor.sizes().begin(), v.tensor.sizes().end());
                   v.tensor = remade(v.tensor, sizes, contiguousStrides(sizes));
                   return true;
                 }});
}

static void dtypeChanges(std::vector<Change> &out) {
  for (const DTypeInfo &info : getAllDTypeInfos())
    out.push_back({("torch." + info.torchName).str(), [dtype = info.dtype](ExampleValue &v) {
                     if (v.kind == K::DType) {
                       bool other = v.dtype != dtype;
                       v.dtype = dtype;
                       return other;
                     }
                     if (v.kind != K::Tensor || v.tensor.dtype() == dtype)
                       return false;
                     v.tensor =
                         HostTensor::zerosStrided(dtype, v.tensor.sizes(), v.tensor.strides());
                     return true;
                   }});
}

static void sizeChanges(std::vector<Change> &out, const ExampleValue &now, int64_t dim) {
  if (now.kind != K::Tensor || dim >= now.tensor.dim())
    return;
  int64_t n = now.tensor.size(dim);
  for (int64_t size : {n + 1, n - 1, n + 2, n * 2, int64_t(3), int64_t(2), int64_t(1), int64_t(0),
                       int64_t(64), int64_t(1000)})
    if (size != n && size >= 0)
      out.push_back({std::to_string(n) + " -> " + std::to_string(size),
                     [dim, size](ExampleValue &v) { return resize(v, size_t(dim), size); }});
}

static void layoutChanges(std::vector<Change> &out) {
  out.push_back({"transposed in memory", [](ExampleValue &v) {
                   if (v.kind != K::Tensor)
                     return false;
                   llvm::SmallVector<int64_t, 4> reversed(llvm::reverse(v.tensor.strides()));
                   auto strides = stridesInOrder(v.tensor.sizes(), reversed);
                   v.tensor = remade(v.tensor, v.tensor.sizes(), strides);
                   return true;
                 }});
  out.push_back({"every second element", [](ExampleValue &v) {
                   if (v.kind != K::Tensor)
                     return false;
                   llvm::SmallVector<int64_t, 4> strides(v.tensor.strides());
                   for (int64_t &stride : strides)
                     stride *= 2;
                   v.tensor = remade(v.tensor, v.tensor.sizes(), strides);
                   return true;
                 }});
}

static void placeChanges(std::vector<Change> &out) {
  out.push_back(
      {"one element into its storage", [](ExampleValue &v) {
         if (v.kind != K::Tensor)
           return false;
         HostTensor &t = v.tensor;
         int64_t extent = t.storageOffset() + 1;
         for (int64_t d = 0; d < t.dim(); ++d)
           extent += std::max<int64_t>(t.size(d) - 1, 0) * t.stride(d);
         auto storage = std::make_shared<TensorStorage>(size_t(extent + 1) * t.elementBytes());
         t = HostTensor(t.dtype(), t.sizes(), t.strides(), t.storageOffset() + 1, storage);
         return true;
       }});
}

static void numberChanges(std::vector<Change> &out, const ExampleValue &now) {
  if (now.kind == K::Bool)
    out.push_back({now.flag ? "False" : "True", [](ExampleValue &v) {
                     v.flag = !v.flag;
                     return true;
                   }});
  if (now.kind == K::Int) {
    int64_t n = now.integer;
    for (int64_t i : {n + 1, n - 1, n + 2, int64_t(0), int64_t(1), int64_t(-1), int64_t(100),
                      int64_t(-100), int64_t(1) << 40, -(int64_t(1) << 40)})
      if (i != n)
        out.push_back({std::to_string(n) + " -> " + std::to_string(i), [i](ExampleValue &v) {
                         v.integer = i;
                         return true;
                       }});
  }
  if (now.kind == K::Float)
    for (double d : {now.real + 1, now.real - 1, -now.real, 0.0, 1e30, -1e30, double(NAN)})
      out.push_back({floatRepr(now.real) + " -> " + floatRepr(d), [d](ExampleValue &v) {
                       v.real = d;
                       return true;
                     }});
}

static void textChanges(std::vector<Change> &out) {
  for (const char *text : {"other", "", "cuda"})
    out.push_back({std::string("'") + text + "'", [text](ExampleValue &v) {
                     bool other = v.text != text;
                     v.text = text;
                     return other;
                   }});
}

/// What may be done to the part of a call that an observable is read from.
static std::vector<Change> changesOf(const sym::Observable &o, const ExampleValue &now) {
  std::vector<Change> out;
  switch (o.kind) {
  case O::Tag:
    valueChanges(out);
    break;
  case O::ClassName:
  case O::StringValue:
  case O::DeviceValue:
    textChanges(out);
    break;
  case O::Length:
    lengthChanges(out);
    break;
  case O::Keys:
    keyChanges(out);
    break;
  case O::Rank:
    rankChanges(out);
    break;
  case O::DType:
  case O::DTypeValue:
    dtypeChanges(out);
    break;
  case O::RequiresGrad:
    out.push_back({now.requiresGrad ? "False" : "True", [](ExampleValue &v) {
                     v.requiresGrad = !v.requiresGrad;
                     return true;
                   }});
    break;
  case O::Size:
    sizeChanges(out, now, o.index);
    break;
  case O::Stride:
  case O::Dense:
    layoutChanges(out);
    break;
  case O::StorageOffset:
  case O::Alignment:
    placeChanges(out);
    break;
  case O::Value:
  case O::BoolValue:
  case O::FloatBits:
  case O::FloatCompare:
    numberChanges(out, now);
    break;
  case O::Device:
  case O::Overlap:
  case O::GradMode:
  case O::Training:
  case O::StateTag:
    break; // changed in the observation, or between two arguments
  }
  return out;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
class GuardBreaker {
public:
  GuardBreaker(CompiledProgram &program, unsigned variant, size_t guard, const ExampleCall &call,
               llvm::function_ref<bool(const sym::Observation &)> isWanted)
      : program(program), set(program.guards[variant]), guard(guard), call(call),
        isWanted(isWanted) {}

  BrokenGuard run() {
    for (sym::SymbolId id : program.observables->context().symbolsOf(atom().expr)) {
      const sym::Observable &o = program.observables->observable(id);
      tryChanges(o);
      if (o.kind == O::Overlap)
        tryOverlap(o);
      tryObservation(o);
    }
    if (!best || best->others)
      trySolver();
    if (best)
      return std::move(*best);
    BrokenGuard none;
    none.kind = implied ? BrokenGuard::Kind::Implied : BrokenGuard::Kind::NotFound;
    return none;
  }

private:
  const sym::Atom &atom() const { return set.guards()[guard].atom; }

  /// Keeps `candidate` if it violates the guard and fewer others than what is known.
  void offer(BrokenGuard candidate) {
    if (best && best->others == 0)
      return;
    sym::GuardSet only(set.guards()[guard]);
    if (sym::holds(only, *program.observables, candidate.seen))
      return;
    if (isWanted && !isWanted(candidate.seen))
      return;
    candidate.others = unsigned(sym::countFailures(set, *program.observables, candidate.seen)) - 1;
    if (!best || candidate.others < best->others)
      best = std::move(candidate);
  }

  void offerCall(ExampleCall made, std::string change) {
    BrokenGuard candidate;
    candidate.kind = BrokenGuard::Kind::Call;
    candidate.seen = observe(made, program.parameters);
    candidate.call = std::move(made);
    candidate.change = std::move(change);
    offer(std::move(candidate));
  }

  void tryChanges(const sym::Observable &o) {
    ExampleCall original = call;
    ExampleValue *now = findPart(original, program.parameters, o.path);
    if (!now)
      return;
    for (const Change &change : changesOf(o, *now)) {
      ExampleCall copy = cloneCall(call);
      ExampleValue *part = findPart(copy, program.parameters, o.path);
      if (change.apply(*part))
        offerCall(std::move(copy), o.str() + ": " + change.text);
    }
  }

  void tryOverlap(const sym::Observable &o) {
    ExampleCall copy = cloneCall(call);
    ExampleValue *a = findPart(copy, program.parameters, o.path);
    ExampleValue *b = findPart(copy, program.parameters, o.other);
    if (!a || !b || a->kind != K::Tensor || b->kind != K::Tensor)
      return;
    if (a->tensor.sharesStorageWith(b->tensor))
      b->tensor = remade(b->tensor, b->tensor.sizes(), b->tensor.strides());
    else if (a->tensor.dtype() == b->tensor.dtype() && a->tensor.sizes() == b->tensor.sizes())
      b->tensor = a->tensor;
    else
      return;
    offerCall(std::move(copy), o.str() + ": changed");
  }

  /// What no argument of this machine can show.
  void tryObservation(const sym::Observable &o) {
    BrokenGuard candidate;
    candidate.kind = BrokenGuard::Kind::Observation;
    candidate.seen = observe(call, program.parameters);
    auto at = candidate.seen.values.find(o.path);
    switch (o.kind) {
    case O::Device:
      if (at == candidate.seen.values.end())
        return;
      at->second.tensor.device = sym::deviceCode(sym::kDeviceCuda);
      candidate.change = o.str() + ": cuda:0";
      break;
    case O::GradMode:
      candidate.seen.gradMode = !candidate.seen.gradMode;
      candidate.change = o.str() + (candidate.seen.gradMode ? ": True" : ": False");
      break;
    case O::Training:
      candidate.seen.training[o.path] = !candidate.seen.training[o.path];
      candidate.change = o.str() + ": the other mode";
      break;
    case O::StateTag:
      candidate.seen.states[o.path] += 1;
      candidate.change = o.str() + ": another kind";
      break;
    default:
      return;
    }
    offer(std::move(candidate));
  }

  /// A point that satisfies all other guards, and the call that has these sizes and numbers.
  void trySolver() {
    sym::Context &context = program.observables->context();
    std::optional<sym::Atom> broken = sym::negate(context, atom());
    if (!broken)
      return;
    llvm::SmallVector<sym::Atom> atoms{*broken};
    for (auto [i, other] : llvm::enumerate(set.guards()))
      if (i != guard)
        atoms.push_back(other.atom);
    // The guard may be a bound that stands for a wider one, which was declared.
    for (const sym::Guard &declared : program.domain.guards())
      atoms.push_back(declared.atom);
    guard::Verdict verdict = guard::Solver(context).solve(atoms);
    implied = verdict.kind == guard::Verdict::Kind::Empty;
    if (verdict.kind != guard::Verdict::Kind::Solved)
      return;
    offerPoint(verdict.point);
    if (best || !isWanted)
      return;
    // The point has a variant already: one outside of all of them.
    guard::Coverage outside = guard::findCoverage(context, atoms, program.guards);
    if (outside.kind == guard::Coverage::Kind::CounterExample)
      offerPoint(outside.point);
  }

  /// The call with these sizes and numbers.
  void offerPoint(const guard::Point &point) {
    ExampleCall copy = cloneCall(call);
    sym::Observation before = observe(call, program.parameters);
    std::string text;
    for (auto [id, value] : point) {
      const sym::Observable &o = program.observables->observable(id);
      std::optional<int64_t> now = before.read(o, program.observables->strings());
      ExampleValue *part = findPart(copy, program.parameters, o.path);
      if (!part || now == value)
        continue;
      bool done = o.kind == O::Size && resize(*part, size_t(o.index), value);
      if (o.kind == O::Value && part->kind == K::Int) {
        part->integer = value;
        done = true;
      }
      if (o.kind == O::BoolValue && part->kind == K::Bool) {
        part->flag = value != 0;
        done = true;
      }
      if (done)
        text += (text.empty() ? "" : ", ") + o.str() + ": " + std::to_string(now.value_or(0)) +
                " -> " + std::to_string(value);
    }
    if (!text.empty())
      offerCall(std::move(copy), std::move(text));
  }

  CompiledProgram &program;
  const sym::GuardSet &set;
  size_t guard;
  const ExampleCall &call;
  llvm::function_ref<bool(const sym::Observation &)> isWanted;
  std::optional<BrokenGuard> best;
  bool implied = false;
};
} // namespace

BrokenGuard ptc::breakGuard(CompiledProgram &program, unsigned variant, size_t guard,
                            const ExampleCall &call,
                            llvm::function_ref<bool(const sym::Observation &)> isWanted) {
  return GuardBreaker(program, variant, guard, call, isWanted).run();
}
