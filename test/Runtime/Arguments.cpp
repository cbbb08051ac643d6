// Every function of the C interface with each of its arguments null, negative, huge, not aligned,
// of another version: it says so and leaves the context as it was. Built with AddressSanitizer and
// UndefinedBehaviorSanitizer.
#include "HandMade.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <functional>
#include <string>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}

namespace {

constexpr int64_t kHuge = INT64_MAX, kLow = INT64_MIN;
constexpr ptc_status kRefused = ptc_status_invalid_argument, kTaken = ptc_status_ok,
                     kNoVariant = ptc_status_no_variant;

template <typename T> T *misaligned(T *pointer) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that no object has
  return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(pointer) + 1);
}

/// A tensor of 4 numbers, with room for a description that is not aligned.
struct Numbers {
  alignas(8) char described[sizeof(DLTensor) + 8] = {};
  float data[5] = {1, 2, 3, 4, 5};
  int64_t sizes[3] = {4, 4, 4}, strides[3] = {1, 1, 1};
  DLTensor view = {data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, nullptr, 0};
  ptc_value value = ptc_of_tensor(&view);

  Numbers() = default;
  Numbers(const Numbers &) = delete;
};

/// Everything that a call of any function may need, all of it good.
struct World {
  ptc_model *model = nullptr;
  ptc_context *context = nullptr;
  Numbers in, out, state;
  ptc_value inputs[2], outputs[3];
  ptc_invocation call = {};
  ptc_profile profile = {};
  alignas(8) char options[8192] = {}, values[256] = {};
  ptc_counters counters = {};
  char text[64] = "";

  World() {
    REQUIRE(ptc_model_open(handmade::table(), nullptr, &model) == ptc_status_ok);
    REQUIRE(ptc_context_create(model, &context) == ptc_status_ok);
    inputs[0] = inputs[1] = in.value;
    outputs[0] = outputs[1] = outputs[2] = out.value;
    call = {0, 0, inputs, 1, 1, outputs, 0, 0};
    profile = {sizeof profile, 3, 0, 0, 0};
    state.view.dtype = {kDLInt, 64, 1};
    state.sizes[0] = 1;
    set(0, uint32_t(sizeof(ptc_options)));
  }
  World(const World &) = delete;
  ~World() {
    ptc_context_destroy(context);
    ptc_model_close(model);
  }

  ptc_options *given() { return reinterpret_cast<ptc_options *>(options); }
  template <typename T> void set(size_t offset, T field) {
    std::memcpy(options + offset, &field, sizeof field);
  }
  ptc_status open(const ptc_api *api, const ptc_options *with) {
    ptc_model *other = misaligned(model);
    ptc_status status = ptc_model_open(api, with, &other);
    CHECK((status == ptc_status_ok) == (other != nullptr));
    ptc_model_close(other);
    return status;
  }
  ptc_status invoke() { return ptc_invoke(context, &call); }
};

struct Row {
  std::string function, argument;
  ptc_status expected;
  std::function<ptc_status(World &)> call;
};

ptc_status said(const char *text) { return *text ? ptc_status_ok : kRefused; }

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

using OfContext = ptc_status (*)(ptc_context *);
using OfModel = ptc_status (*)(ptc_model *);

struct ContextFunction {
  const char *name;
  OfContext call;
};
const ContextFunction kOfContexts[] = {
    {"ptc_context_destroy", [](ptc_context *c) { return ptc_context_destroy(c), kRefused; }},
    {"ptc_invoke",
     [](ptc_context *c) {
       ptc_invocation none = {};
       return ptc_invoke(c, &none);
     }},
    {"ptc_call", [](ptc_context *c) { return ptc_call(c, 0, nullptr, 0, nullptr, 0); }},
    {"ptc_last_error",
     [](ptc_context *c) {
       const ptc_error *error = ptc_last_error(c);
       return said(error->text) == ptc_status_ok ? error->status : ptc_status_internal;
     }},
    {"ptc_set_threads", [](ptc_context *c) { return ptc_set_threads(c, 1); }},
    {"ptc_set_allocator", [](ptc_context *c) { return ptc_set_allocator(c, nullptr); }},
    {"ptc_set_output", [](ptc_context *c) { return ptc_set_output(c, nullptr, nullptr); }},
    {"ptc_set_miss_callback",
     [](ptc_context *c) { return ptc_set_miss_callback(c, nullptr, nullptr); }},
    {"ptc_record_misses", [](ptc_context *c) { return ptc_record_misses(c, nullptr); }},
    {"ptc_record_call", [](ptc_context *c) { return ptc_record_call(c, "{}", 2); }},
    {"ptc_profile_call",
     [](ptc_context *c) {
       ptc_invocation none = {};
       ptc_profile profile = {sizeof profile, 1, 0, 0, 0};
       return ptc_profile_call(c, &none, &profile);
     }},
    {"ptc_set_stream", [](ptc_context *c) { return ptc_set_stream(c, nullptr); }},
    {"ptc_set_grad_mode", [](ptc_context *c) { return ptc_set_grad_mode(c, 1); }},
    {"ptc_rng_seed", [](ptc_context *c) { return ptc_rng_seed(c, 0, 0); }},
    {"ptc_get_counters",
     [](ptc_context *c) {
       ptc_counters counters;
       return ptc_get_counters(c, 0, &counters);
     }},
    {"ptc_state_get",
     [](ptc_context *c) {
       ptc_value value;
       return ptc_state_get(c, 0, &value);
     }},
    {"ptc_state_set",
     [](ptc_context *c) {
       ptc_value value = ptc_of_int(0);
       return ptc_state_set(c, 0, &value);
     }},
    {"ptc_state_reset", [](ptc_context *c) { return ptc_state_reset(c); }}};

struct ModelFunction {
  const char *name;
  OfModel call;
};
const ModelFunction kOfModels[] = {
    {"ptc_model_close", [](ptc_model *m) { return ptc_model_close(m), kRefused; }},
    {"ptc_describe", [](ptc_model *m) { return said(ptc_describe(m)); }},
    {"ptc_context_create",
     [](ptc_model *m) {
       ptc_context *made = nullptr;
       return ptc_context_create(m, &made);
     }},
    {"ptc_context_make",
     [](ptc_model *m) {
       ptc_context *made = nullptr;
       char text[8];
       ptc_status status = ptc_context_make(m, &made, text, sizeof text);
       return text[0] ? status : kTaken;
     }},
    {"ptc_num_states", [](ptc_model *m) { return ptc_num_states(m) ? kTaken : kRefused; }},
    {"ptc_state_name", [](ptc_model *m) { return said(ptc_state_name(m, 0)); }}};

void addObjects(std::vector<Row> &rows) {
  for (const ContextFunction &function : kOfContexts) {
    OfContext call = function.call;
    rows.push_back(
        {function.name, "context: null", kRefused, [=](World &) { return call(nullptr); }});
    rows.push_back({function.name, "context: not aligned", kRefused,
                    [=](World &w) { return call(misaligned(w.context)); }});
  }
  for (const ModelFunction &function : kOfModels) {
    OfModel call = function.call;
    rows.push_back(
        {function.name, "model: null", kRefused, [=](World &) { return call(nullptr); }});
    rows.push_back({function.name, "model: not aligned", kRefused,
                    [=](World &w) { return call(misaligned(w.model)); }});
  }
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

void addOption(std::vector<Row> &rows, const std::string &what, ptc_status expected,
               const std::function<void(World &)> &change) {
  rows.push_back({"ptc_model_open", what, expected, [change](World &w) {
                    change(w);
                    return w.open(handmade::table(), w.given());
                  }});
  rows.push_back(
      {"ptc_model_load", what, expected == kTaken ? ptc_status_file : expected, [change](World &w) {
         change(w);
         ptc_model *model = nullptr;
         ptc_status status = ptc_model_load("/nonexistent.so", w.given(), &model);
         CHECK(ptc_load_error() != std::string());
         return status;
       }});
}

void addOpening(std::vector<Row> &rows) {
  auto add = [&](const char *function, const char *what, ptc_status expected,
                 std::function<ptc_status(World &)> call) {
    rows.push_back({function, what, expected, std::move(call)});
  };
  add("ptc_model_open", "api: null", kRefused, [](World &w) { return w.open(nullptr, nullptr); });
  add("ptc_model_open", "api: not aligned", kRefused,
      [](World &w) { return w.open(misaligned(handmade::table()), nullptr); });
  add("ptc_model_open", "api: another version", ptc_status_version, [](World &w) {
    ptc_api api = *handmade::table();
    ++api.major;
    return w.open(&api, nullptr);
  });
  add("ptc_model_open", "api: of no functions", ptc_status_version, [](World &w) {
    ptc_api api = *handmade::table();
    api.size = 16;
    return w.open(&api, nullptr);
  });
  add("ptc_model_open", "api: of 0.2, which checks no weights", ptc_status_version, [](World &w) {
    ptc_api api = *handmade::table();
    api.minor = 2;
    w.given()->check_weights = ptc_check_always;
    return w.open(&api, w.given());
  });
  for (ptc_model **place :
       {static_cast<ptc_model **>(nullptr), reinterpret_cast<ptc_model **>(9)}) {
    add("ptc_model_open", "model: no place", kRefused,
        [=](World &) { return ptc_model_open(handmade::table(), nullptr, place); });
    add("ptc_model_load", "model: no place", kRefused,
        [=](World &) { return ptc_model_load("/nonexistent.so", nullptr, place); });
    add("ptc_context_create", "context: no place", kRefused, [=](World &w) {
      return ptc_context_create(w.model, reinterpret_cast<ptc_context **>(place));
    });
    add("ptc_context_make", "context: no place", kRefused, [=](World &w) {
      return ptc_context_make(w.model, reinterpret_cast<ptc_context **>(place), nullptr, 0);
    });
  }
  add("ptc_model_load", "path: null", kRefused, [](World &) {
    ptc_model *model = nullptr;
    return ptc_model_load(nullptr, nullptr, &model);
  });
  for (auto [path, why] : {std::pair("", "No such file"), std::pair("/", "it is no file of bytes"),
                           std::pair("/nonexistent/x.so", "No such file"),
                           std::pair("/etc/hostname/x", "Not a directory"),
                           std::pair("/etc/hostname", "it is no library for x86-64")})
    add("ptc_model_load", path, ptc_status_file, [path = path, why = why](World &w) {
      ptc_model *model = misaligned(w.model);
      ptc_status status = ptc_model_load(path, nullptr, &model);
      CHECK(model == nullptr);
      CHECK(std::string(ptc_load_error()).find(std::string(path) + ": " + why) == 0);
      return status;
    });
  add("ptc_model_open", "options: not aligned", kRefused,
      [](World &w) { return w.open(handmade::table(), misaligned(w.given())); });
}

void addOptions(std::vector<Row> &rows) {
  constexpr uint32_t kFirst = offsetof(ptc_options, check_weights), kSize = sizeof(ptc_options);
  for (uint32_t size : {0U, 1U, kFirst - 8, kFirst - 1, 4097U, UINT32_MAX})
    addOption(rows, "options.size: " + std::to_string(size), kRefused,
              [=](World &w) { w.set(0, size); });
  for (uint32_t size : {kFirst, kFirst + 8, kSize, kSize + 8, 4096U})
    addOption(rows, "options.size: " + std::to_string(size), kTaken,
              [=](World &w) { w.set(0, size); });
  addOption(rows, "options: of a later version, with what is not known", kRefused, [](World &w) {
    w.set(0, uint32_t(kSize + 8));
    w.set(kSize + 4, uint32_t(1));
  });
  addOption(rows, "options: 0.2, with what lies behind it", kTaken, [](World &w) {
    w.set(0, uint32_t(kFirst));
    w.set(kFirst, UINT64_MAX);
  });
  addOption(rows, "options.check_weights", kRefused,
            [](World &w) { w.given()->check_weights = 3; });
  addOption(rows, "options.check_weights: huge", kRefused,
            [](World &w) { w.given()->check_weights = UINT32_MAX; });
  addOption(rows, "options.reserved", kRefused, [](World &w) { w.given()->reserved = 1; });
  addOption(rows, "options.text: null, with a size", kTaken,
            [](World &w) { w.given()->text_bytes = UINT64_MAX; });
  addOption(rows, "options.text: of no bytes", kTaken, [](World &w) { w.given()->text = w.text; });
  for (const char *what : {"weights", "weights_path"})
    rows.push_back({"ptc_model_open", std::string("options.") + what + ": the model has its own",
                    kRefused, [what](World &w) {
                      if (std::string(what) == "weights")
                        w.given()->weights = w.text;
                      else
                        w.given()->weights_path = "/nonexistent";
                      w.given()->text = w.text;
                      w.given()->text_bytes = 20;
                      ptc_status status = w.open(handmade::table(), w.given());
                      CHECK(w.text == std::string("the weights of this"));
                      return status;
                    }});
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

struct BadTensor {
  const char *name;
  void (*change)(Numbers &);
  ptc_status input, buffer, state = kRefused;
};
const BadTensor kBadTensors[] = {
    {"null", [](Numbers &n) { n.value.as.tensor = nullptr; }, kRefused, kTaken},
    {"not aligned",
     [](Numbers &n) {
       std::memcpy(n.described + 1, &n.view, sizeof n.view);
       n.value.as.tensor = reinterpret_cast<DLTensor *>(n.described + 1);
     },
     kRefused, kRefused},
    {"data: null", [](Numbers &n) { n.view.data = nullptr; }, kRefused, kTaken},
    {"ndim: -1", [](Numbers &n) { n.view.ndim = -1; }, kRefused, kRefused},
    {"ndim: lowest", [](Numbers &n) { n.view.ndim = INT32_MIN; }, kRefused, kRefused},
    {"ndim: 65", [](Numbers &n) { n.view.ndim = 65; }, kRefused, kRefused},
    {"ndim: huge", [](Numbers &n) { n.view.ndim = INT32_MAX; }, kRefused, kRefused},
    {"ndim: 2", [](Numbers &n) { n.view.ndim = 2; }, kNoVariant, kRefused},
    {"ndim: 0, no sizes",
     [](Numbers &n) {
       n.view.ndim = 0;
       n.view.shape = nullptr;
     },
     kNoVariant, kRefused},
    {"shape: null", [](Numbers &n) { n.view.shape = nullptr; }, kRefused, kRefused},
    {"shape: not aligned", [](Numbers &n) { n.view.shape = misaligned(n.sizes); }, kRefused,
     kRefused},
    {"shape: -2", [](Numbers &n) { n.sizes[0] = -2; }, kRefused, kRefused},
    {"shape: lowest", [](Numbers &n) { n.sizes[0] = kLow; }, kRefused, kRefused},
    {"shape: huge", [](Numbers &n) { n.sizes[0] = kHuge; }, kRefused, kRefused},
    {"shape: huge in bytes", [](Numbers &n) { n.sizes[0] = int64_t(1) << 61; }, kRefused, kRefused},
    {"shape: huge as a product",
     [](Numbers &n) {
       n.view.ndim = 3;
       n.sizes[0] = n.sizes[1] = n.sizes[2] = int64_t(1) << 31;
     },
     kRefused, kRefused},
    {"shape: -2 beside 0",
     [](Numbers &n) {
       n.view.ndim = 2;
       n.sizes[0] = 0;
       n.sizes[1] = -2;
     },
     kRefused, kRefused},
    {"shape: 0", [](Numbers &n) { n.sizes[0] = 0; }, kNoVariant, kRefused, kTaken},
    {"strides: not aligned", [](Numbers &n) { n.view.strides = misaligned(n.strides); }, kRefused,
     kRefused},
    {"strides: huge",
     [](Numbers &n) {
       n.view.strides = n.strides;
       n.strides[0] = kHuge;
     },
     kRefused, kRefused, kTaken}, // of one element
    {"strides: lowest",
     [](Numbers &n) {
       n.view.strides = n.strides;
       n.strides[0] = kLow;
     },
     kRefused, kRefused, kTaken},
    {"byte_offset: huge", [](Numbers &n) { n.view.byte_offset = UINT64_MAX; }, kRefused, kRefused},
    {"dtype: unknown", [](Numbers &n) { n.view.dtype.code = 255; }, kNoVariant, kRefused},
    {"dtype: of no bits", [](Numbers &n) { n.view.dtype.bits = 0; }, kNoVariant, kRefused},
    {"dtype: 255 bits", [](Numbers &n) { n.view.dtype.bits = 255; }, kNoVariant, kRefused}};

void addTensors(std::vector<Row> &rows) {
  for (const BadTensor &bad : kBadTensors) {
    auto *change = bad.change;
    rows.push_back(
        {"ptc_invoke", std::string("inputs[0]: ") + bad.name, bad.input, [change](World &w) {
           change(w.in);
           w.inputs[0] = w.in.value;
           return w.invoke();
         }});
    rows.push_back(
        {"ptc_invoke", std::string("outputs[0]: ") + bad.name, bad.buffer, [change](World &w) {
           change(w.out);
           w.outputs[0] = w.out.value;
           return w.invoke();
         }});
    rows.push_back(
        {"ptc_state_set", std::string("value: ") + bad.name, bad.state, [change](World &w) {
           change(w.state);
           return ptc_state_set(w.context, 1, &w.state.value);
         }});
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void addCalls(std::vector<Row> &rows) {
  auto add = [&](const char *what, ptc_status expected, void (*change)(World &)) {
    rows.push_back({"ptc_invoke", what, expected, [=](World &w) {
                      change(w);
                      return w.invoke();
                    }});
    rows.push_back({"ptc_profile_call", what, expected, [=](World &w) {
                      change(w);
                      return ptc_profile_call(w.context, &w.call, &w.profile);
                    }});
  };
  add("entry: huge", kRefused, [](World &w) { w.call.entry = UINT32_MAX; });
  add("structure: huge", kRefused, [](World &w) { w.call.structure = UINT32_MAX; });
  add("inputs: null", kRefused, [](World &w) { w.call.inputs = nullptr; });
  add("inputs: not aligned", kRefused, [](World &w) { w.call.inputs = misaligned(w.inputs); });
  add("num_inputs: 0", kRefused, [](World &w) { w.call.num_inputs = 0; });
  add("num_inputs: huge", kRefused, [](World &w) { w.call.num_inputs = UINT32_MAX; });
  add("outputs: null", kRefused, [](World &w) { w.call.outputs = nullptr; });
  add("outputs: not aligned", kRefused, [](World &w) { w.call.outputs = misaligned(w.outputs); });
  add("num_outputs: 0", kRefused, [](World &w) { w.call.num_outputs = 0; });
  add("num_outputs: more than are there", kTaken,
      [](World &w) { w.call.num_outputs = UINT32_MAX; });
  add("inputs[0].tag: unknown", kNoVariant, [](World &w) { w.inputs[0].tag = 200; });
  add("inputs[0]: a str without text", kRefused,
      [](World &w) { w.inputs[0] = ptc_of_str(nullptr, 5); });
  add("inputs[0]: an empty str at null", kNoVariant,
      [](World &w) { w.inputs[0] = ptc_of_str(nullptr, 0); });
  add("outputs[0].tag: unknown", kTaken, [](World &w) { w.outputs[0].tag = 200; });
  for (ptc_invocation *call :
       {static_cast<ptc_invocation *>(nullptr), reinterpret_cast<ptc_invocation *>(9)}) {
    rows.push_back({"ptc_invoke", "invocation: none", kRefused,
                    [=](World &w) { return ptc_invoke(w.context, call); }});
    rows.push_back({"ptc_profile_call", "invocation: none", kRefused,
                    [=](World &w) { return ptc_profile_call(w.context, call, &w.profile); }});
    rows.push_back({"ptc_profile_call", "profile: none", kRefused, [=](World &w) {
                      return ptc_profile_call(w.context, &w.call,
                                              reinterpret_cast<ptc_profile *>(call));
                    }});
    rows.push_back({"ptc_get_counters", "counters: none", kRefused, [=](World &w) {
                      return ptc_get_counters(w.context, 0, reinterpret_cast<ptc_counters *>(call));
                    }});
    for (uint32_t slot : {0U, 1U}) {
      rows.push_back({"ptc_state_get", "value: none", kRefused, [=](World &w) {
                        return ptc_state_get(w.context, slot, reinterpret_cast<ptc_value *>(call));
                      }});
      rows.push_back({"ptc_state_set", "value: none", kRefused, [=](World &w) {
                        return ptc_state_set(w.context, slot, reinterpret_cast<ptc_value *>(call));
                      }});
    }
  }
}

void addNumbers(std::vector<Row> &rows) {
  auto add = [&](const char *function, const char *what, ptc_status expected,
                 std::function<ptc_status(World &)> call) {
    rows.push_back({function, what, expected, std::move(call)});
  };
  for (uint32_t size : {0U, 8U, uint32_t(sizeof(ptc_profile)) - 8})
    add("ptc_profile_call", "profile.size: too small", kRefused, [=](World &w) {
      w.profile.size = size;
      return ptc_profile_call(w.context, &w.call, &w.profile);
    });
  add("ptc_profile_call", "profile.size: of a later version", kTaken, [](World &w) {
    w.profile.size = 4096;
    return ptc_profile_call(w.context, &w.call, &w.profile);
  });
  for (uint32_t repeats : {0U, 1000001U, UINT32_MAX})
    add("ptc_profile_call", "profile.repeats", kRefused, [=](World &w) {
      w.profile.repeats = repeats;
      return ptc_profile_call(w.context, &w.call, &w.profile);
    });
  for (uint32_t threads : {0U, 65U, UINT32_MAX})
    add("ptc_set_threads", "threads", kRefused,
        [=](World &w) { return ptc_set_threads(w.context, threads); });
  add("ptc_set_allocator", "allocator: not aligned", kRefused, [](World &w) {
    return ptc_set_allocator(w.context, reinterpret_cast<ptc_allocator *>(misaligned(w.values)));
  });
  add("ptc_set_allocator", "allocator: without a function", kTaken, [](World &w) {
    ptc_allocator allocator = {nullptr, nullptr};
    REQUIRE(ptc_set_allocator(w.context, &allocator) == kTaken);
    w.outputs[0] = ptc_of_none();
    return w.invoke();
  });
  add("ptc_record_misses", "path: a folder", kRefused,
      [](World &w) { return ptc_record_misses(w.context, "/"); });
  add("ptc_record_misses", "path: empty", kRefused,
      [](World &w) { return ptc_record_misses(w.context, ""); });
  add("ptc_record_call", "call: null", kRefused, [](World &w) {
    REQUIRE(ptc_record_misses(w.context, "/dev/null") == kTaken);
    return ptc_record_call(w.context, nullptr, 10);
  });
  for (uint32_t generator : {1U, UINT32_MAX})
    add("ptc_rng_seed", "generator", kRefused,
        [=](World &w) { return ptc_rng_seed(w.context, generator, 0); });
  for (int64_t seed : {kLow, int64_t(-1), kHuge})
    add("ptc_rng_seed", "seed", kTaken, [=](World &w) { return ptc_rng_seed(w.context, 0, seed); });
  for (uint32_t number : {64U, UINT32_MAX}) {
    add("ptc_get_counters", "entry", kRefused,
        [=](World &w) { return ptc_get_counters(w.context, number, &w.counters); });
    add("ptc_state_name", "slot", kRefused,
        [=](World &w) { return said(ptc_state_name(w.model, number)); });
    add("ptc_state_get", "slot", kRefused,
        [=](World &w) { return ptc_state_get(w.context, number, &w.outputs[0]); });
    add("ptc_state_set", "slot", kRefused,
        [=](World &w) { return ptc_state_set(w.context, number, &w.outputs[0]); });
  }
  add("ptc_state_set", "value: of another type", kRefused,
      [](World &w) { return ptc_state_set(w.context, 0, &w.state.value); });
  for (int status : {-1, 1000, INT32_MAX, INT32_MIN})
    add("ptc_status_text", "status", kTaken,
        [=](World &) { return said(ptc_status_text(static_cast<ptc_status>(status))); });
}

} // namespace

TEST_CASE("what callers give wrongly is refused, and changes nothing") {
  std::vector<Row> rows;
  addObjects(rows);
  addOpening(rows);
  addOptions(rows);
  addTensors(rows);
  addCalls(rows);
  addNumbers(rows);
  CHECK(rows.size() > 250);
  for (const Row &row : rows) {
    World world;
    INFO(row.function << ", " << row.argument);
    CHECK(row.call(world) == row.expected);
    // The context is as good as before.
    Numbers x, y;
    REQUIRE(ptc_call(world.context, 0, &x.value, 1, &y.value, 1) == ptc_status_ok);
    CHECK(y.data[3] == 4 * handmade::kWeight);
    CHECK(ptc_last_error(world.context)->text == std::string());
  }
}

TEST_CASE("the last error is that of the last function with a status") {
  for (const ContextFunction &function : kOfContexts) {
    if (function.name == std::string("ptc_context_destroy") ||
        function.name == std::string("ptc_last_error"))
      continue;
    World world;
    INFO(function.name);
    REQUIRE(ptc_set_threads(world.context, 0) == kRefused);
    REQUIRE(ptc_last_error(world.context)->text == std::string("threads are from 1 to 64"));
    ptc_status status = function.call(world.context);
    const ptc_error *error = ptc_last_error(world.context);
    CHECK(error->status == status);
    CHECK(error->text != std::string("threads are from 1 to 64"));
    CHECK((error->text == std::string()) == (status == ptc_status_ok));
  }
}
