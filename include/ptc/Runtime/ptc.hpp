//===- ptc.hpp - The C interface of artefacts, for C++ ---------------*- C++ -*-===//
//
// Header only, C++17. Owners of models and contexts, and calls that throw ptc::Error.
//
//     ptc::Model model(mlp_ptc_v1());
//     ptc::Context context(model);
//     ptc::Tensor<const float> in(x, {1, 512});
//     std::vector<ptc_value> results = {ptc_of_none()};
//     context.call(0, {in.value()}, results);
//
//===----------------------------------------------------------------------===//
#ifndef PTC_RUNTIME_PTC_HPP
#define PTC_RUNTIME_PTC_HPP

#include "ptc/Runtime/ptc.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ptc {

/// What a call, or the opening of a model, ended with.
class Error : public std::runtime_error {
public:
  Error(ptc_status status, const std::string &text) : std::runtime_error(text), code(status) {}
  ptc_status status() const { return code; }

private:
  ptc_status code;
};

/// A dense tensor over memory of the caller, with its description.
template <typename T> class Tensor {
public:
  Tensor(T *data, std::vector<int64_t> sizes) : sizes(std::move(sizes)) {
    view.data = const_cast<std::remove_const_t<T> *>(data);
    view.device.device_type = kDLCPU;
    view.ndim = int32_t(this->sizes.size());
    view.dtype = type();
  }
  ptc_value value() {
    view.shape = sizes.data();
    return ptc_of_tensor(&view);
  }

private:
  static constexpr DLDataType type() {
    uint8_t code = std::is_same<std::remove_const_t<T>, bool>::value ? uint8_t(kDLBool)
                   : std::is_floating_point<T>::value                ? uint8_t(kDLFloat)
                   : std::is_signed<T>::value                        ? uint8_t(kDLInt)
                                                                     : uint8_t(kDLUInt);
    return {code, uint8_t(sizeof(T) * 8), 1};
  }

  std::vector<int64_t> sizes;
  DLTensor view = {};
};

/// An opened artefact: immutable, shared by threads.
class Model {
public:
  explicit Model(const ptc_api *api, const ptc_options *options = nullptr) {
    char text[4608] = "";
    ptc_options with = {};
    with.size = sizeof with;
    bool isOfThisVersion = !options || options->size == sizeof with;
    if (options && isOfThisVersion)
      with = *options;
    if (isOfThisVersion && !with.text) {
      with.text = text;
      with.text_bytes = sizeof text;
    }
    ptc_model *opened = nullptr;
    ptc_status status = ptc_model_open(api, isOfThisVersion ? &with : options, &opened);
    if (status != ptc_status_ok && *text)
      throw Error(status, text);
    if (status != ptc_status_ok)
      throw Error(status, ptc_is_object(api) ? api->status_text(status) : "there is no table");
    model.reset(opened, ptc_model_close);
  }
  ptc_model *get() const { return model.get(); }
  std::string manifest() const { return ptc_describe(model.get()); }

private:
  std::shared_ptr<ptc_model> model;
};

/// What one thread needs to make calls; keeps its model.
class Context {
public:
  explicit Context(Model model) : model(std::move(model)) {
    ptc_context *made = nullptr;
    char text[4608] = "";
    if (ptc_status status = ptc_context_make(this->model.get(), &made, text, sizeof text))
      throw Error(status, text);
    context.reset(made);
  }
  ptc_context *get() const { return context.get(); }

  /// Errors: Error, with the text of ptc_last_error.
  void call(uint32_t entry, const std::vector<ptc_value> &inputs, std::vector<ptc_value> &outputs) {
    check(ptc_call(context.get(), entry, inputs.data(), uint32_t(inputs.size()), outputs.data(),
                   uint32_t(outputs.size())));
  }
  /// How many threads a call may use, the caller included: 1 to 64. Results do not depend on it.
  void setThreads(uint32_t threads) { check(ptc_set_threads(context.get(), threads)); }
  /// The CUDA stream that calls start their work on, as ptc_set_stream says; null: the default one.
  void setStream(void *stream) { check(ptc_set_stream(context.get(), stream)); }
  /// Calls that no variant fits are added to the file at `path` (`.jsonl`), for `ptc compile
  /// --add-variants`; "": no more.
  void recordMisses(const std::string &path) {
    check(ptc_record_misses(context.get(), path.empty() ? nullptr : path.c_str()));
  }

private:
  void check(ptc_status status) {
    if (status)
      throw Error(status, ptc_last_error(context.get())->text);
  }

  struct Destroy {
    void operator()(ptc_context *made) const { ptc_context_destroy(made); }
  };
  Model model;
  std::unique_ptr<ptc_context, Destroy> context;
};

} // namespace ptc

#endif // PTC_RUNTIME_PTC_HPP
