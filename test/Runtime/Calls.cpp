// Calls through the C interface on a program whose tables are written by hand.
#include "HandMade.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

using handmade::Tensor;

namespace {
struct Opened {
  ptc_model *model = nullptr;
  ptc_context *context = nullptr;
  Opened() {
    REQUIRE(ptc_model_open(handmade::table(), nullptr, &model) == ptc_status_ok);
    REQUIRE(ptc_context_create(model, &context) == ptc_status_ok);
  }
  ~Opened() {
    ptc_context_destroy(context);
    ptc_model_close(model);
  }
  std::string error() const { return ptc_last_error(context)->text; }
};

std::vector<float> elements(const ptc_value &value) {
  REQUIRE(value.tag == ptc_tag_Tensor);
  const DLTensor &t = *value.as.tensor;
  std::vector<float> out(size_t(t.shape[0]));
  for (int64_t i = 0; i < t.shape[0]; ++i)
    out[size_t(i)] = static_cast<float *>(t.data)[i * (t.strides ? t.strides[0] : 1)];
  return out;
}
} // namespace

TEST_CASE("outputs in the caller's buffer, and in the context's memory") {
  Opened o;
  Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0});
  ptc_value in = x.value(), out = y.value();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(y.data == std::vector<float>{3, 6, 9, 12});
  CHECK(out.as.tensor == &y.view);

  out = ptc_of_none();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(elements(out) == std::vector<float>{3, 6, 9, 12});
  void *memory = out.as.tensor->data;
  // The description that it gave is no buffer of the caller.
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(out.as.tensor->data == memory);
}

TEST_CASE("a buffer that does not fit is refused") {
  Opened o;
  Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0}), small({0, 0, 0});
  ptc_value in = x.value(), out = small.value();
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "the buffer for result 0 has another dtype, sizes or strides than the result");
  y.view.dtype = {kDLInt, 32, 1};
  out = y.value();
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_invalid_argument);
  y.view.dtype = {kDLFloat, 32, 1};
  int64_t strides[] = {2};
  y.view.strides = strides;
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_invalid_argument);
  out = x.value();
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "the buffer for result 0 shares memory with an argument or another result");
  CHECK(x.data == std::vector<float>{1, 2, 3, 4});
  out = ptc_of_none();
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(o.error().empty());
}

TEST_CASE("malformed calls") {
  Opened o;
  Tensor x({1, 2, 3, 4});
  ptc_value in[] = {x.value(), x.value()}, out = ptc_of_none();
  CHECK(ptc_call(o.context, 9, in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "the artefact has no entry of this number");
  CHECK(ptc_call(o.context, 0, in, 2, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "the number of inputs is not that of the structure's leaves");
  CHECK(ptc_call(o.context, 0, in, 1, &out, 0) == ptc_status_invalid_argument);
  CHECK(o.error() == "there are fewer outputs than the result has leaves");
  in[0].as.tensor = nullptr;
  CHECK(ptc_call(o.context, 0, in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "input 0 is a tensor without a description");
  in[0] = x.value();
  x.view.data = nullptr;
  CHECK(ptc_call(o.context, 0, in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "input 0 is a tensor without memory");
  x.view.shape = nullptr;
  CHECK(ptc_call(o.context, 0, in, 1, &out, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "input 0 is a tensor without sizes");
  // No element needs no memory: guards see it.
  int64_t none[] = {0};
  x.view.shape = none;
  CHECK(ptc_call(o.context, 0, in, 1, &out, 1) == ptc_status_no_variant);
  ptc_invocation call = {0, 7, in, 1, 1, &out, 0, 0};
  CHECK(ptc_invoke(o.context, &call) == ptc_status_invalid_argument);
  CHECK(o.error() == "the entry has no structure of this number");
}

TEST_CASE("results that share memory, and memory of an allocator") {
  Opened o;
  Tensor x({1, 2, 3, 4, 5, 6});
  ptc_value in = x.value(), out[2] = {};
  ptc_invocation call = {0, 0, &in, 1, 2, out, 9, 9};
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  CHECK(call.variant == 1);
  CHECK(call.outcome == 0);
  CHECK(elements(out[0]) == std::vector<float>{3, 6, 9, 12, 15, 18});
  CHECK(elements(out[1]) == std::vector<float>{6, 12, 18});
  CHECK(static_cast<float *>(out[1].as.tensor->data) ==
        static_cast<float *>(out[0].as.tensor->data) + 1);

  Tensor y({0, 0, 0, 0, 0, 0});
  out[0] = y.value();
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  CHECK(elements(y.value()) == std::vector<float>{3, 6, 9, 12, 15, 18});
  out[0] = x.value();
  CHECK(ptc_invoke(o.context, &call) == ptc_status_invalid_argument);
  CHECK(o.error() == "the buffer for result 0 shares memory with an argument or another result");
  Tensor less({0, 0, 0});
  out[0] = less.value();
  CHECK(ptc_invoke(o.context, &call) == ptc_status_invalid_argument);
  CHECK(o.error() == "the buffer for result 0 has another dtype, sizes or strides than the result");

  struct Heap {
    std::vector<std::pair<void *, size_t>> made;
    bool empty = false;
  } heap;
  ptc_allocator allocator = {&heap, [](void *user, size_t bytes, size_t alignment) -> void * {
                               auto *h = static_cast<Heap *>(user);
                               if (h->empty)
                                 return nullptr;
                               void *p = std::aligned_alloc(alignment, (bytes + 63) / 64 * 64);
                               h->made.emplace_back(p, bytes);
                               return p;
                             }};
  REQUIRE(ptc_set_allocator(o.context, &allocator) == ptc_status_ok);
  out[0] = out[1] = ptc_of_none();
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  REQUIRE(heap.made.size() == 1);
  CHECK(heap.made[0].second == 24);
  CHECK(out[0].as.tensor->data == heap.made[0].first);
  std::free(heap.made[0].first);
  heap.empty = true;
  CHECK(ptc_invoke(o.context, &call) == ptc_status_out_of_memory);
  CHECK(o.error() == "out of memory");
}

TEST_CASE("results of a call are arguments of the next one") {
  Opened o;
  Tensor x({1, 2, 3, 4});
  ptc_value in = x.value(), out = ptc_of_none();
  std::vector<const void *> memory;
  float scale = 1;
  for (int i = 0; i < 4; ++i) {
    REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
    CHECK(elements(in) == std::vector<float>{scale, 2 * scale, 3 * scale, 4 * scale});
    scale *= 3;
    CHECK(elements(out) == std::vector<float>{scale, 2 * scale, 3 * scale, 4 * scale});
    memory.push_back(out.as.tensor->data);
    in = out; // and `out` still has the description of the last result
  }
  CHECK(memory[0] != memory[1]);
  CHECK(memory[0] == memory[2]);
  CHECK(memory[1] == memory[3]);
  // Arguments elsewhere: the first memory, whoever else was given.
  in = x.value();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(out.as.tensor->data == memory[0]);
}

TEST_CASE("memory that results share is not written while an argument lies there") {
  Opened o;
  Tensor x({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  ptc_value in = x.value(), out[2] = {};
  REQUIRE(ptc_call(o.context, 0, &in, 1, out, 2) == ptc_status_ok);
  // The second leaf shows every other element; `scale` reads them as if they were dense.
  in = out[1];
  REQUIRE(ptc_call(o.context, 0, &in, 1, out, 2) == ptc_status_ok);
  CHECK(elements(in) == std::vector<float>{6, 12, 18, 24, 30, 36});
  CHECK(in.as.tensor != out[1].as.tensor);
  CHECK(out[0].as.tensor->data != static_cast<float *>(in.as.tensor->data) - 1);
  CHECK(elements(out[0]) == std::vector<float>{18, 27, 36, 45, 54, 63});
}

TEST_CASE("elements of a list are arguments of the next call") {
  Opened o;
  Tensor x({1, 2, 3});
  ptc_value in = x.value(), out = ptc_of_none();
  auto elementsOf = [&](size_t i) { return elements(out.as.list.items[i]); };
  REQUIRE(ptc_call(o.context, 3, &in, 1, &out, 1) == ptc_status_ok);
  REQUIRE(out.as.list.length == 3);
  CHECK(elementsOf(2) == std::vector<float>{3, 2, 1});
  // The element, its description, and the array that it stands in.
  const ptc_value *given = &out.as.list.items[2];
  Tensor longer({1, 2, 3, 4, 5});
  REQUIRE(ptc_call(o.context, 3, given, 1, &out, 1) == ptc_status_ok);
  CHECK(elements(*given) == std::vector<float>{3, 2, 1});
  CHECK(given != &out.as.list.items[2]);
  CHECK(elementsOf(0) == std::vector<float>{1, 2, 3});
  const ptc_value *items = out.as.list.items;
  in = longer.value();
  REQUIRE(ptc_call(o.context, 3, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(out.as.list.length == 5);
  CHECK(elementsOf(4) == std::vector<float>{5, 4, 3, 2, 1});
  CHECK(items != out.as.list.items);
}

TEST_CASE("a miss says which guard failed of the nearest variant") {
  Opened o;
  Tensor x({1, 2, 3});
  ptc_value in = x.value(), out = ptc_of_none();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  const ptc_error *error = ptc_last_error(o.context);
  CHECK(o.error() == "no variant fits this call: x.shape[0] is 3, expected 4\n"
                     "note: model.py:3: assumed here: a guard\nhint: make it 3\n");
  CHECK(error->guard == 3);
  CHECK(error->line == 3);
  CHECK(error->file == std::string("model.py"));
  in = ptc_of_int(3);
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  CHECK(o.error().find("x is int, expected Tensor") != std::string::npos);
  x.view.dtype = {kDLFloat, 64, 1};
  in = x.value();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_no_variant);
  CHECK(ptc_last_error(o.context)->guard == 2);

  ptc_counters counters;
  REQUIRE(ptc_get_counters(o.context, 0, &counters) == ptc_status_ok);
  CHECK(counters.misses == 3);
  CHECK(counters.calls == 0);
  auto retry = [](void *user, ptc_context *, ptc_invocation *call) {
    *static_cast<unsigned *>(user) += call->num_inputs;
    return ptc_status_raised;
  };
  unsigned called = 0;
  ptc_set_miss_callback(o.context, retry, &called);
  CHECK(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_raised);
  CHECK(called == 1);
}

TEST_CASE("state goes from call to call, and an exception leaves it") {
  Opened o;
  std::string printed;
  auto take = [](void *user, int stream, const char *text, size_t length) {
    CHECK(stream == 1);
    static_cast<std::string *>(user)->append(text, length);
  };
  ptc_set_output(o.context, take, &printed);
  ptc_value in = ptc_of_int(4), out[2] = {};
  REQUIRE(ptc_call(o.context, 1, &in, 1, out, 2) == ptc_status_ok);
  REQUIRE(ptc_call(o.context, 1, &in, 1, out, 2) == ptc_status_ok);
  CHECK(out[0].as.integer == 8);
  REQUIRE(out[1].as.tensor->shape[0] == 2);
  CHECK(static_cast<int64_t *>(out[1].as.tensor->data)[1] == 8);
  CHECK(printed == "count 4\ncount 8\n");

  ptc_invocation call = {1, 0, &in, 1, 2, out, 0, 0};
  CHECK(ptc_invoke(o.context, &call) == ptc_status_raised);
  CHECK(call.outcome == 1);
  CHECK(o.error() == "ValueError: count is 12\nnote: at model.py:7");
  CHECK(ptc_last_error(o.context)->type == std::string("ValueError"));
  in = ptc_of_int(INT64_MAX);
  CHECK(ptc_invoke(o.context, &call) == ptc_status_int_overflow);

  ptc_value state;
  REQUIRE(ptc_num_states(o.model) == 4);
  CHECK(ptc_state_name(o.model, 1) == std::string("seen"));
  REQUIRE(ptc_state_get(o.context, 0, &state) == ptc_status_ok);
  CHECK(state.as.integer == 8);
  int64_t strided[] = {1, -1, 2, -1, 3}, size = 3, stride = 2;
  DLTensor seen = {strided, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, &size, &stride, 0};
  state = ptc_of_tensor(&seen);
  REQUIRE(ptc_state_set(o.context, 1, &state) == ptc_status_ok);
  in = ptc_of_int(1);
  out[1] = ptc_of_none();
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  REQUIRE(out[1].as.tensor->shape[0] == 4);
  CHECK(std::memcmp(out[1].as.tensor->data, (int64_t[]){1, 2, 3, 9}, 32) == 0);

  CHECK(ptc_state_set(o.context, 0, &state) == ptc_status_invalid_argument);
  seen.dtype.bits = 32;
  CHECK(ptc_state_set(o.context, 1, &state) == ptc_status_invalid_argument);
  CHECK(ptc_state_get(o.context, 4, &state) == ptc_status_invalid_argument);
  REQUIRE(ptc_state_reset(o.context) == ptc_status_ok);
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  CHECK(out[0].as.integer == 1);
  CHECK(out[1].as.tensor->shape[0] == 1);
}

TEST_CASE("a state has the sizes and the order that the code takes for granted") {
  Opened o;
  int64_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8}, sizes[] = {2, 2};
  DLTensor given = {numbers, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, sizes, nullptr, 0};
  ptc_value value = ptc_of_tensor(&given);
  CHECK(ptc_state_set(o.context, 2, &value) == ptc_status_ok);
  for (int64_t other : {0, 1, 3}) {
    sizes[0] = other;
    CHECK(ptc_state_set(o.context, 2, &value) == ptc_status_invalid_argument);
    CHECK(o.error() == "the state has other sizes");
  }
  sizes[0] = -2;
  CHECK(ptc_state_set(o.context, 1, &value) == ptc_status_invalid_argument);
  CHECK(o.error() == "the value is a tensor with a negative size");
  sizes[0] = INT64_MAX;
  CHECK(ptc_state_set(o.context, 1, &value) == ptc_status_invalid_argument);
  CHECK(o.error() == "the value is a tensor larger than memory can be");
  sizes[0] = 3;
  CHECK(ptc_state_set(o.context, 1, &value) == ptc_status_ok);
  given.data = nullptr;
  CHECK(ptc_state_set(o.context, 1, &value) == ptc_status_invalid_argument);
  CHECK(o.error() == "the value is a tensor without memory");

  // Row-major elements go to where those of the slot lie; a tensor of other sizes would lie
  // elsewhere.
  given.data = numbers;
  given.ndim = 2;
  REQUIRE(ptc_state_set(o.context, 3, &value) == ptc_status_ok);
  ptc_value state;
  REQUIRE(ptc_state_get(o.context, 3, &state) == ptc_status_ok);
  const auto *elements = static_cast<int64_t *>(state.as.tensor->data);
  CHECK(std::vector<int64_t>(elements, elements + 6) == std::vector<int64_t>{1, 3, 5, 2, 4, 6});
  sizes[0] = 4;
  CHECK(ptc_state_set(o.context, 3, &value) == ptc_status_invalid_argument);
  CHECK(o.error() == "the state lies in another order in memory: give it the sizes that it has");
  sizes[0] = 3;
  sizes[1] = 1;
  CHECK(ptc_state_set(o.context, 3, &value) == ptc_status_invalid_argument);
}

TEST_CASE("observables of the cold path") {
  Opened o;
  Tensor x({1, 2}), y({3});
  ptc_value in[] = {x.value(), y.value(), ptc_of_float(0.75), ptc_of_str("fast", 4)}, out[2] = {};
  auto guard = [&] {
    REQUIRE(ptc_call(o.context, 2, in, 4, out, 2) == ptc_status_no_variant);
    return ptc_last_error(o.context)->guard;
  };
  REQUIRE(ptc_call(o.context, 2, in, 4, out, 2) == ptc_status_ok);
  CHECK(out[0].as.integer == 1);
  in[2] = ptc_of_float(0.5);
  CHECK(guard() == 4);
  in[2] = ptc_of_float(1);
  in[3] = ptc_of_str("slow", 4);
  CHECK(guard() == 5);
  in[3] = ptc_of_str("fast", 4);
  in[1] = in[0];
  CHECK(guard() == 2);
  in[1] = y.value();
  ptc_set_grad_mode(o.context, 0);
  CHECK(guard() == 3);
}

TEST_CASE("random bits follow the seed") {
  Opened o;
  Tensor x({1, 2}), y({3});
  ptc_value in[] = {x.value(), y.value(), ptc_of_float(0.75), ptc_of_str("fast", 4)}, out[2] = {};
  auto draw = [&] {
    REQUIRE(ptc_call(o.context, 2, in, 4, out, 2) == ptc_status_ok);
    return out[1].as.integer;
  };
  ptc_rng_seed(o.context, 0, 5489);
  CHECK(draw() == 3499211612);
  CHECK(draw() == 581869302);
  ptc_rng_seed(o.context, 0, 5489);
  CHECK(draw() == 3499211612);
  // A new generator of torch.
  ptc_state_reset(o.context);
  int64_t first = draw();
  ptc_rng_seed(o.context, 0, 67280421310721);
  CHECK(draw() == first);
}

TEST_CASE("a profiled call is a call, and its parts are measured") {
  Opened o;
  Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0});
  ptc_value in = x.value(), out = y.value();
  ptc_invocation call = {0, 0, &in, 1, 1, &out, 9, 9};
  ptc_profile profile = {sizeof profile, 1000, -1, -1, -1};
  REQUIRE(ptc_profile_call(o.context, &call, &profile) == ptc_status_ok);
  CHECK(y.data == std::vector<float>{3, 6, 9, 12});
  CHECK((call.variant == 0 && call.outcome == 0));
  CHECK((profile.guards > 0 && profile.guards < 1e6));
  CHECK((profile.dispatch >= 0 && profile.dispatch < 1e6));
  CHECK((profile.kernels >= 0 && profile.kernels < 1e6));
  ptc_counters counters;
  REQUIRE(ptc_get_counters(o.context, 0, &counters) == ptc_status_ok);
  CHECK((counters.calls == 1 && counters.hits[0] == 1));

  ptc_value one = ptc_of_int(1), results[2] = {};
  ptc_set_output(o.context, [](void *, int, const char *, size_t) {}, nullptr);
  call = {1, 0, &one, 1, 2, results, 0, 0};
  REQUIRE(ptc_profile_call(o.context, &call, &profile) == ptc_status_ok);
  CHECK(results[0].as.integer == 1); // state has moved once
  in = ptc_of_none();
  call = {0, 0, &in, 1, 1, &out, 0, 0};
  CHECK(ptc_profile_call(o.context, &call, &profile) == ptc_status_no_variant);
  REQUIRE(ptc_get_counters(o.context, 0, &counters) == ptc_status_ok);
  CHECK((counters.calls == 1 && counters.misses == 1));
  profile.repeats = 0;
  CHECK(ptc_profile_call(o.context, &call, &profile) == ptc_status_invalid_argument);
}

TEST_CASE("a result that is state of the program is no argument of the next call") {
  Opened o;
  Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0});
  ptc_value in = x.value(), out = ptc_of_none(), other = ptc_of_none();
  REQUIRE(ptc_call(o.context, 4, &in, 1, &out, 1) == ptc_status_ok);
  ptc_value state = out;
  CHECK(ptc_call(o.context, 4, &state, 1, &other, 1) == ptc_status_invalid_argument);
  CHECK(o.error() == "input 0 is a result of the last call that is state of the program, which "
                     "calls write to: pass a copy of it");
  // A part of it, and in a call of another entry.
  int64_t two[] = {2};
  DLTensor half = {static_cast<float *>(out.as.tensor->data) + 2,
                   {kDLCPU, 0},
                   1,
                   out.as.tensor->dtype,
                   two,
                   nullptr,
                   0};
  ptc_value part = ptc_of_tensor(&half);
  CHECK(ptc_call(o.context, 3, &part, 1, &other, 1) == ptc_status_invalid_argument);
  // It is refused until another call was made.
  Tensor copy(elements(out));
  state = copy.value();
  REQUIRE(ptc_call(o.context, 0, &state, 1, &out, 1) == ptc_status_ok);
  CHECK(elements(out) == std::vector<float>{9, 18, 27, 36});
  CHECK(ptc_call(o.context, 4, &out, 1, &other, 1) == ptc_status_ok);

  // In memory of the caller it is a copy.
  out = y.value();
  REQUIRE(ptc_call(o.context, 4, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(ptc_call(o.context, 4, &out, 1, &other, 1) == ptc_status_ok);
  CHECK(elements(other) == std::vector<float>{9, 18, 27, 36});

  // A view shares its memory with a result that is none.
  Tensor many({1, 2, 3, 4, 5, 6});
  in = many.value();
  ptc_value results[2] = {};
  ptc_invocation call = {4, 0, &in, 1, 2, results, 0, 0};
  REQUIRE(ptc_invoke(o.context, &call) == ptc_status_ok);
  CHECK(ptc_call(o.context, 3, &results[1], 1, &other, 1) == ptc_status_invalid_argument);
  CHECK(ptc_call(o.context, 3, &results[0], 1, &other, 1) == ptc_status_invalid_argument);
}

TEST_CASE("why there is no context") {
  ptc_model *model = nullptr;
  REQUIRE(ptc_model_open(handmade::table(), nullptr, &model) == ptc_status_ok);
  ptc_context *context = nullptr;
  char text[64] = "?";
  handmade::initFails = true;
  CHECK(ptc_context_make(model, &context, text, sizeof text) == ptc_status_int_overflow);
  CHECK(text == std::string("an int left the range of 64 bits\nnote: at model.py:5"));
  CHECK(ptc_context_make(model, &context, text, 7) == ptc_status_int_overflow);
  CHECK(text == std::string("an int"));
  CHECK(ptc_context_make(model, &context, nullptr, 0) == ptc_status_int_overflow);
  CHECK(ptc_context_create(model, &context) == ptc_status_int_overflow);
  CHECK(context == nullptr);
  handmade::initFails = false;
  CHECK(ptc_context_make(nullptr, &context, text, sizeof text) == ptc_status_invalid_argument);
  CHECK(text == std::string("there is no model"));
  CHECK(ptc_context_make(model, nullptr, text, sizeof text) == ptc_status_invalid_argument);
  CHECK(text == std::string("there is no place for the context"));
  REQUIRE(ptc_context_make(model, &context, text, sizeof text) == ptc_status_ok);
  CHECK(text == std::string());
  ptc_context_destroy(context);

  // An artefact of 0.3 says what the status means.
  ptc_api old = *handmade::table();
  old.size = offsetof(ptc_api, context_make);
  const ptc_api *table = handmade::table();
  *reinterpret_cast<const ptc_api **>(model) = &old;
  handmade::initFails = true;
  CHECK(ptc_context_make(model, &context, text, sizeof text) == ptc_status_int_overflow);
  CHECK(text == std::string(ptc_status_text(ptc_status_int_overflow)).substr(0, 63));
  CHECK(ptc_context_make(model, &context, text, 4) == ptc_status_int_overflow);
  CHECK(text == std::string("an "));
  handmade::initFails = false;
  *reinterpret_cast<const ptc_api **>(model) = table;
  ptc_model_close(model);
}

TEST_CASE("the table describes itself") {
  Opened o;
  const ptc_api *api = handmade::table();
  CHECK(api->size == sizeof(ptc_api));
  CHECK(api->name == std::string("handmade"));
  CHECK(ptc_describe(o.model) == std::string("{\"entry\": \"scale\"}\n"));
  ptc_api newer = *api;
  newer.major = 99;
  ptc_model *model = nullptr;
  CHECK(ptc_model_open(&newer, nullptr, &model) == ptc_status_version);
  CHECK(ptc_model_load("/nonexistent.so", nullptr, &model) == ptc_status_file);
  CHECK(ptc_model_load("libc.so.6", nullptr, &model) == ptc_status_file);
  CHECK(ptc_set_threads(o.context, 0) == ptc_status_invalid_argument);
}

//===----------------------------------------------------------------------===//
// No allocation on the hot path
//===----------------------------------------------------------------------===//

// The program's own malloc counts.
unsigned long handmade::allocations;
using handmade::allocations;
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): glibc's names
extern "C" {
void *__libc_malloc(size_t);
void *__libc_memalign(size_t, size_t);
void *__libc_calloc(size_t, size_t);
#if !__has_feature(address_sanitizer)
void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t n, size_t bytes) {
  ++allocations;
  return __libc_calloc(n, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
#endif
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

TEST_CASE("the workspace grows with the threads of a context, once") {
  Opened o;
  Tensor x({1, 2, 3, 4}), y({0, 0, 0, 0});
  ptc_value in = x.value(), out = y.value();
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  REQUIRE(ptc_set_threads(o.context, 8) == ptc_status_ok);
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  ptc_counters counters;
  REQUIRE(ptc_get_counters(o.context, 0, &counters) == ptc_status_ok);
  CHECK(counters.workspace_bytes >= 16 + 8 * 1024);
  unsigned long before = allocations;
  REQUIRE(ptc_call(o.context, 0, &in, 1, &out, 1) == ptc_status_ok);
  CHECK(allocations == before);
}
TEST_CASE("nothing is allocated where sizes were seen before") {
  Opened o;
  Tensor x({1, 2, 3, 4}), many({1, 2, 3, 4, 5, 6, 7}), y({0, 0, 0, 0});
  ptc_value in = x.value(), out = y.value();
  unsigned long before = allocations;
  for (int i = 0; i < 100; ++i)
    if (ptc_call(o.context, 0, &in, 1, &out, 1) != ptc_status_ok)
      std::abort();
  CHECK(allocations == before);
  in = many.value();
  ptc_value outs[2] = {};
  REQUIRE(ptc_call(o.context, 0, &in, 1, outs, 2) == ptc_status_ok);
  before = allocations;
  for (int i = 0; i < 100; ++i)
    if (ptc_call(o.context, 0, &in, 1, outs, 2) != ptc_status_ok)
      std::abort();
  CHECK(allocations == before);
}
