//===- Dispatch.cpp - ATen overloads by name, through LibTorch's dispatcher ----===//
//
// In: tagged values of Oracle.h. Out: tagged values whose tensors live as long as the result, or
// the Python class and text of the exception. The schema says what a list of integers means, so
// there is no code per operation.
//
//===----------------------------------------------------------------------===//
#include "ptc/Oracle/Oracle.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <deque>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace {

/// A result and all that its pointers need.
struct OwnedResult : ptc_oracle_result {
  std::vector<ptc_oracle_value> top;
  std::deque<std::vector<ptc_oracle_value>> lists;
  std::deque<std::string> texts;
  std::vector<at::Tensor> tensors;
  std::vector<c10::IntArrayRef> shapes;
};

/// The storages of one call's arguments: tensors that share memory share the storage object, by
/// which eager tells writes to what overlaps.
using Storages = std::vector<c10::Storage>;

const c10::Storage &storageOf(const ptc_oracle_tensor &t, Storages &storages) {
  for (const c10::Storage &storage : storages)
    if (t.storage && storage.data() == t.storage)
      return storage;
  return storages.emplace_back(c10::Storage::use_byte_size_t(), t.storage_bytes,
                               c10::DataPtr(t.storage, c10::Device(c10::kCPU)), nullptr, false);
}

at::Tensor toTensor(const ptc_oracle_tensor &t, Storages &storages) {
  auto type = static_cast<c10::ScalarType>(t.dtype);
  at::Tensor tensor = at::empty({0}, at::TensorOptions(type));
  c10::IntArrayRef sizes(t.sizes, t.dim), strides(t.strides, t.dim);
  tensor.set_(storageOf(t, storages), t.offset, sizes, strides);
  return tensor;
}

c10::Scalar toScalar(const ptc_oracle_value &v) {
  switch (v.tag) {
  case PTC_ORACLE_BOOL:
    return c10::Scalar(v.i != 0);
  case PTC_ORACLE_INT:
    return c10::Scalar(v.i);
  case PTC_ORACLE_FLOAT:
    return c10::Scalar(v.f);
  case PTC_ORACLE_COMPLEX:
    return c10::Scalar(c10::complex<double>(v.f, v.imaginary));
  default:
    throw std::invalid_argument("a number was expected");
  }
}

c10::IValue toIValue(const ptc_oracle_value &v, const c10::Type &type, Storages &storages);

c10::IValue toList(const ptc_oracle_value &v, const c10::Type &element, Storages &storages) {
  auto gather = [&](auto &&convert) {
    using T = decltype(convert(v));
    std::vector<T> values;
    values.reserve(v.count);
    for (size_t i = 0; i < v.count; ++i)
      values.push_back(convert(v.items[i]));
    return values;
  };
  switch (element.kind()) {
  case c10::TypeKind::IntType:
  case c10::TypeKind::SymIntType:
    return gather([](const ptc_oracle_value &x) { return x.i; });
  case c10::TypeKind::FloatType:
    return gather(
        [](const ptc_oracle_value &x) { return x.tag == PTC_ORACLE_INT ? double(x.i) : x.f; });
  case c10::TypeKind::BoolType: {
    c10::List<bool> list;
    for (size_t i = 0; i < v.count; ++i)
      list.push_back(v.items[i].i != 0);
    return list;
  }
  case c10::TypeKind::TensorType:
    return gather([&](const ptc_oracle_value &x) { return toTensor(x.tensor, storages); });
  case c10::TypeKind::OptionalType: {
    c10::List<std::optional<at::Tensor>> list;
    for (size_t i = 0; i < v.count; ++i)
      list.push_back(v.items[i].tag == PTC_ORACLE_NONE
                         ? std::nullopt
                         : std::optional<at::Tensor>(toTensor(v.items[i].tensor, storages)));
    return list;
  }
  default:
    throw std::invalid_argument("lists of " + element.str() + " are not passed");
  }
}

c10::IValue toIValue(const ptc_oracle_value &v, const c10::Type &type, Storages &storages) {
  if (type.kind() == c10::TypeKind::OptionalType) {
    if (v.tag == PTC_ORACLE_NONE)
      return {};
    return toIValue(v, *type.castRaw<c10::OptionalType>()->getElementType(), storages);
  }
  switch (type.kind()) {
  case c10::TypeKind::TensorType:
    if (v.tag == PTC_ORACLE_TENSOR)
      return toTensor(v.tensor, storages);
    return at::native::wrapped_scalar_tensor(toScalar(v));
  case c10::TypeKind::ListType:
    return toList(v, *type.castRaw<c10::ListType>()->getElementType(), storages);
  case c10::TypeKind::NumberType:
    return toScalar(v);
  case c10::TypeKind::FloatType:
    return v.tag == PTC_ORACLE_FLOAT ? v.f : double(v.i);
  case c10::TypeKind::BoolType:
    return v.i != 0;
  case c10::TypeKind::StringType:
    return std::string(v.text, v.count);
  case c10::TypeKind::DeviceObjType:
    return c10::Device(static_cast<c10::DeviceType>(v.i), c10::DeviceIndex(int(v.count) - 1));
  case c10::TypeKind::GeneratorType:
    return at::detail::getDefaultCPUGenerator();
  default: // integers, and the enums that schemas spell as int: ScalarType, Layout, MemoryFormat
    return v.i;
  }
}

ptc_oracle_value fromIValue(OwnedResult &result, const c10::IValue &v);

ptc_oracle_value fromTensor(OwnedResult &result, at::Tensor tensor) {
  ptc_oracle_value out{};
  if (!tensor.defined())
    return out;
  tensor = tensor.resolve_conj().resolve_neg();
  result.tensors.push_back(tensor);
  out.tag = PTC_ORACLE_TENSOR;
  out.tensor = {tensor.storage().mutable_data(), tensor.storage().nbytes(),
                tensor.storage_offset(),         tensor.dim(),
                tensor.sizes().data(),           tensor.strides().data(),
                int32_t(tensor.scalar_type())};
  return out;
}

ptc_oracle_value fromIValue(OwnedResult &result, const c10::IValue &v) {
  ptc_oracle_value out{};
  if (v.isTensor())
    return fromTensor(result, v.toTensor());
  if (v.isBool()) {
    out.tag = PTC_ORACLE_BOOL;
    out.i = v.toBool();
  } else if (v.isInt()) {
    out.tag = PTC_ORACLE_INT;
    out.i = v.toInt();
  } else if (v.isDouble()) {
    out.tag = PTC_ORACLE_FLOAT;
    out.f = v.toDouble();
  } else if (v.isComplexDouble()) {
    out.tag = PTC_ORACLE_COMPLEX;
    out.f = v.toComplexDouble().real();
    out.imaginary = v.toComplexDouble().imag();
  } else if (v.isList()) {
    std::vector<ptc_oracle_value> items;
    for (const c10::IValue &item : v.toListRef())
      items.push_back(fromIValue(result, item));
    result.lists.push_back(std::move(items));
    out.tag = PTC_ORACLE_LIST;
    out.items = result.lists.back().data();
    out.count = result.lists.back().size();
  } else if (!v.isNone()) {
    throw std::invalid_argument("results of kind " + v.tagKind() + " are not passed");
  }
  return out;
}

void fail(OwnedResult &result, const char *errorClass, std::string text) {
  result.top.clear();
  result.texts.push_back(std::move(text));
  result.error_class = errorClass;
  result.error_text = result.texts.back().c_str();
}

void callBoxed(OwnedResult &result, const char *name, const char *overload,
               const ptc_oracle_value *args, size_t count) {
  std::string qualified = std::string("aten::") + name;
  c10::OperatorHandle op =
      c10::Dispatcher::singleton().findSchemaOrThrow(qualified.c_str(), overload);
  const std::vector<c10::Argument> &formals = op.schema().arguments();
  if (formals.size() != count)
    throw std::invalid_argument("the schema has " + std::to_string(formals.size()) + " arguments");
  std::vector<c10::IValue> stack;
  stack.reserve(count);
  Storages storages;
  for (size_t i = 0; i < count; ++i)
    stack.push_back(toIValue(args[i], *formals[i].real_type(), storages));
  at::NoGradGuard noGrad;
  op.callBoxed(&stack);
  for (const c10::IValue &value : stack)
    result.top.push_back(fromIValue(result, value));
}

/// Says the warnings of each place in LibTorch once: its own handler says some with every call.
class FirstOfPlace : public c10::WarningHandler {
public:
  void process(const c10::Warning &warning) override {
    const c10::SourceLocation &at = warning.source_location();
    std::lock_guard<std::mutex> lock(mutex);
    if (seen.emplace(at.file, at.line).second)
      c10::WarningHandler::process(warning);
  }

private:
  std::mutex mutex;
  std::set<std::pair<std::string, uint32_t>> seen;
};

ptc_oracle_result *call(const char *name, const char *overload, const ptc_oracle_value *args,
                        size_t count) {
  static FirstOfPlace handler;
  c10::WarningUtils::WarningHandlerGuard guard(&handler);
  auto result = std::make_unique<OwnedResult>();
  // The classes that torch's Python binding translates to (torch/csrc/Exceptions.h).
  try {
    callBoxed(*result, name, overload, args, count);
  } catch (const c10::IndexError &e) {
    fail(*result, "IndexError", e.what_without_backtrace());
  } catch (const c10::ValueError &e) {
    fail(*result, "ValueError", e.what_without_backtrace());
  } catch (const c10::TypeError &e) {
    fail(*result, "TypeError", e.what_without_backtrace());
  } catch (const c10::NotImplementedError &e) {
    fail(*result, "NotImplementedError", e.what_without_backtrace());
  } catch (const c10::Error &e) {
    fail(*result, "RuntimeError", e.what_without_backtrace());
  } catch (const std::exception &e) {
    fail(*result, "RuntimeError", e.what());
  }
  result->values = result->top.data();
  result->count = result->top.size();
  return result.release();
}

void release(ptc_oracle_result *result) { delete static_cast<OwnedResult *>(result); }

const char *schema(const char *name, const char *overload) {
  static thread_local std::string text;
  auto op = c10::Dispatcher::singleton().findSchema({std::string("aten::") + name, overload});
  if (!op)
    return nullptr;
  std::ostringstream os;
  os << op->schema();
  text = os.str();
  return text.c_str();
}

void manualSeed(uint64_t seed) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(seed);
}

void setNumThreads(int32_t count) { at::set_num_threads(count); }

} // namespace

extern "C" __attribute__((visibility("default"))) const ptc_oracle_api *ptc_oracle_v1(void) {
  static const ptc_oracle_api api = {PTC_ORACLE_VERSION, TORCH_VERSION, schema, call, release,
                                     manualSeed,         setNumThreads};
  return &api;
}
