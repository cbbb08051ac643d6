//===- OracleLibrary.cpp - Loads and calls the LibTorch oracle ------------------===//
//
// In: host values. Out: host values whose tensors keep the oracle's result alive, or the exception
// that eager raised. The only way from ptc to LibTorch.
//
//===----------------------------------------------------------------------===//
#include "ptc/Oracle/OracleLibrary.h"

#include "ptc/Oracle/Oracle.h"
#include "ptc/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <deque>
#include <dlfcn.h>

using namespace ptc;

char OracleException::ID;

namespace {

/// Turns host values into tagged ones; what those point to lives here.
class Marshal {
public:
  ptc_oracle_value operator()(const HostValue &value) { return std::visit(*this, value.sum); }
  ptc_oracle_value operator()(HostValue::None) { return {}; }
  ptc_oracle_value operator()(bool value) { return integer(PTC_ORACLE_BOOL, value); }
  ptc_oracle_value operator()(int64_t value) { return integer(PTC_ORACLE_INT, value); }
  ptc_oracle_value operator()(DType value) {
    return integer(PTC_ORACLE_DTYPE, getDTypeInfo(value).torchCode);
  }
  ptc_oracle_value operator()(HostValue::Layout v) { return integer(PTC_ORACLE_LAYOUT, v.code); }
  ptc_oracle_value operator()(HostValue::MemoryFormat v) {
    return integer(PTC_ORACLE_MEMORY_FORMAT, v.code);
  }
  ptc_oracle_value operator()(HostValue::Generator) { return integer(PTC_ORACLE_GENERATOR, 0); }
  ptc_oracle_value operator()(HostValue::Device device) {
    ptc_oracle_value out = integer(PTC_ORACLE_DEVICE, device.type);
    out.count = size_t(device.index + 1);
    return out;
  }
  ptc_oracle_value operator()(double value) { return (*this)(std::complex<double>(value)); }
  ptc_oracle_value operator()(std::complex<double> value) {
    ptc_oracle_value out{};
    out.tag = value.imag() == 0 ? PTC_ORACLE_FLOAT : PTC_ORACLE_COMPLEX;
    out.f = value.real();
    out.imaginary = value.imag();
    return out;
  }
  ptc_oracle_value operator()(const std::string &text) {
    ptc_oracle_value out{};
    out.tag = PTC_ORACLE_STRING;
    out.text = text.data();
    out.count = text.size();
    return out;
  }
  ptc_oracle_value operator()(const HostTensor &tensor) {
    ptc_oracle_value out{};
    if (!tensor.isDefined())
      return out;
    out.tag = PTC_ORACLE_TENSOR;
    out.tensor = {tensor.storage()->data(),
                  tensor.storage()->size(),
                  tensor.storageOffset(),
                  tensor.dim(),
                  tensor.sizes().data(),
                  tensor.strides().data(),
                  getDTypeInfo(tensor.dtype()).torchCode};
    return out;
  }
  template <typename List> ptc_oracle_value operator()(const List &values) {
    std::vector<ptc_oracle_value> items;
    for (const auto &value : values)
      items.push_back((*this)(value));
    lists.push_back(std::move(items));
    ptc_oracle_value out{};
    out.tag = PTC_ORACLE_LIST;
    out.items = lists.back().data();
    out.count = lists.back().size();
    return out;
  }

private:
  static ptc_oracle_value integer(ptc_oracle_tag tag, int64_t value) {
    ptc_oracle_value out{};
    out.tag = tag;
    out.i = value;
    return out;
  }

  std::deque<std::vector<ptc_oracle_value>> lists;
};

const DTypeInfo *findTorchCode(int32_t code) {
  const DTypeInfo *info = llvm::find_if(
      getAllDTypeInfos(), [&](const DTypeInfo &row) { return row.torchCode == code; });
  return info == getAllDTypeInfos().end() ? nullptr : info;
}

/// False for complex32 and the other types that DType.def leaves out.
bool hasKnownDTypes(const ptc_oracle_value &value) {
  if (value.tag == PTC_ORACLE_LIST)
    return llvm::all_of(llvm::ArrayRef(value.items, value.count), hasKnownDTypes);
  return value.tag != PTC_ORACLE_TENSOR || findTorchCode(value.tensor.dtype);
}

/// Turns the values of one result into host values.
class Unmarshal {
public:
  Unmarshal(std::shared_ptr<ptc_oracle_result> result, llvm::ArrayRef<HostValue> args)
      : result(std::move(result)) {
    for (const HostValue &arg : args) {
      if (const auto *tensor = arg.getIf<HostTensor>())
        addStorage(*tensor);
      else if (const auto *list = arg.getIf<HostValue::TensorList>())
        llvm::for_each(*list, [&](const HostTensor &t) { addStorage(t); });
    }
  }

  HostValue operator()(const ptc_oracle_value &value) {
    switch (value.tag) {
    case PTC_ORACLE_NONE:
      return {};
    case PTC_ORACLE_BOOL:
      return value.i != 0;
    case PTC_ORACLE_INT:
      return value.i;
    case PTC_ORACLE_FLOAT:
      return value.f;
    case PTC_ORACLE_COMPLEX:
      return std::complex<double>(value.f, value.imaginary);
    case PTC_ORACLE_LIST: {
      HostValue::TensorList tensors;
      for (const ptc_oracle_value &item : llvm::ArrayRef(value.items, value.count))
        tensors.push_back(tensor(item.tensor));
      return tensors;
    }
    case PTC_ORACLE_TENSOR:
      return tensor(value.tensor);
    case PTC_ORACLE_STRING:
    case PTC_ORACLE_DTYPE:
    case PTC_ORACLE_DEVICE:
    case PTC_ORACLE_LAYOUT:
    case PTC_ORACLE_MEMORY_FORMAT:
    case PTC_ORACLE_GENERATOR:
      break;
    }
    llvm_unreachable("no ATen schema returns this");
  }

private:
  void addStorage(const HostTensor &tensor) {
    if (tensor.isDefined())
      storages.push_back(tensor.storage());
  }

  HostTensor tensor(const ptc_oracle_tensor &t) {
    const DTypeInfo *info = findTorchCode(t.dtype);
    assert(info && "checked before");
    auto *data = static_cast<std::byte *>(t.storage);
    auto known = llvm::find_if(storages, [&](const auto &s) { return s->data() == data && data; });
    if (known == storages.end()) {
      storages.push_back(std::make_shared<TensorStorage>(data, t.storage_bytes, result));
      known = std::prev(storages.end());
    }
    return HostTensor(info->dtype, {t.sizes, size_t(t.dim)}, {t.strides, size_t(t.dim)}, t.offset,
                      *known);
  }

  std::shared_ptr<ptc_oracle_result> result;
  std::vector<std::shared_ptr<TensorStorage>> storages;
};

} // namespace

llvm::Expected<OracleLibrary> OracleLibrary::open(llvm::StringRef path) {
  void *handle = dlopen(path.str().c_str(), RTLD_LOCAL | RTLD_NOW);
  if (!handle)
    return makeError(DiagId::OracleMissing, {}, path, dlerror());
  auto entry = reinterpret_cast<const ptc_oracle_api *(*)()>(dlsym(handle, "ptc_oracle_v1"));
  if (!entry || entry()->version != PTC_ORACLE_VERSION)
    return makeError(DiagId::OracleMissing, {}, path, "it is not the oracle of this version");
  return OracleLibrary(entry());
}

std::string OracleLibrary::defaultPath(llvm::StringRef executable) {
  llvm::SmallString<128> path = llvm::sys::path::parent_path(executable);
  llvm::sys::path::append(path, "..", "lib", "libptc_oracle.so");
  return path.str().str();
}

llvm::StringRef OracleLibrary::torchVersion() const { return api->torch_version; }

std::string OracleLibrary::schema(llvm::StringRef name) const {
  auto [base, overload] = name.split('.');
  const char *text = api->schema(base.str().c_str(), overload.str().c_str());
  return text ? text : "";
}

llvm::Expected<llvm::SmallVector<HostValue, 1>>
OracleLibrary::call(llvm::StringRef name, llvm::ArrayRef<HostValue> args) const {
  auto [base, overload] = name.split('.');
  Marshal marshal;
  std::vector<ptc_oracle_value> values;
  for (const HostValue &arg : args)
    values.push_back(marshal(arg));
  std::shared_ptr<ptc_oracle_result> result(
      api->call(base.str().c_str(), overload.str().c_str(), values.data(), values.size()),
      api->release);
  if (result->error_class)
    return llvm::make_error<OracleException>(result->error_class, result->error_text);
  if (!llvm::all_of(llvm::ArrayRef(result->values, result->count), hasKnownDTypes))
    return llvm::make_error<OracleException>("NotImplementedError",
                                             "an element type of the result is none of ptc's");
  Unmarshal unmarshal(result, args);
  llvm::SmallVector<HostValue, 1> results;
  for (const ptc_oracle_value &value : llvm::ArrayRef(result->values, result->count))
    results.push_back(unmarshal(value));
  return results;
}

void OracleLibrary::manualSeed(uint64_t seed) const { api->manual_seed(seed); }

void OracleLibrary::setNumThreads(int count) const { api->set_num_threads(count); }
