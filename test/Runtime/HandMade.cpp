// The tables and functions of HandMade.h.
#include "HandMade.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}
const ptc_api *handmade::table() { return &ptc_stub_api; }
bool handmade::initFails = false;

namespace {

constexpr DLDataType kF32 = {kDLFloat, 32, 1}, kI64 = {kDLInt, 64, 1};
constexpr int64_t kF32Code = 2 | 32 << 8 | 1 << 16;
alignas(64) const float kWeights[16] = {handmade::kWeight};

//===----------------------------------------------------------------------===//
// scale
//===----------------------------------------------------------------------===//

const DLTensor &input(const ptc_frame *frame, unsigned i) { return *frame->inputs[i].as.tensor; }

int32_t dispatchScale(const ptc_frame *frame) {
  if (frame->inputs[0].tag != ptc_tag_Tensor)
    return -1;
  const DLTensor &x = input(frame, 0);
  if (x.ndim != 1 || x.dtype.code != kDLFloat || x.dtype.bits != 32)
    return -1;
  return x.shape[0] == 4 ? 0 : x.shape[0] >= 5 ? 1 : -1;
}

void multiply(const ptc_frame *frame, float *out) {
  const DLTensor &x = input(frame, 0);
  auto *buffer = reinterpret_cast<float *>(frame->arena); // as a plan with one temporary
  float weight;
  std::memcpy(&weight, frame->weights, sizeof weight);
  for (int64_t i = 0; i < x.shape[0]; ++i)
    buffer[i] = static_cast<const float *>(x.data)[i];
  for (int64_t i = 0; i < x.shape[0]; ++i)
    out[i] = buffer[i] * weight;
}

ptc_status scaleFour(ptc_frame *frame) {
  const int64_t sizes[] = {4}, strides[] = {1};
  ptc_shape shape = {kF32, 1, sizes, strides, 16};
  void *out = frame->services->output(frame, 0, &shape);
  if (!out)
    return frame->services->frame_status(frame);
  multiply(frame, static_cast<float *>(out));
  frame->outcome = 0;
  return ptc_status_ok;
}

ptc_status scaleMany(ptc_frame *frame) {
  int64_t n = input(frame, 0).shape[0];
  uint64_t bytes = uint64_t(n) * 4;
  if (frame->services->arena(frame, bytes) != ptc_status_ok)
    return ptc_status_out_of_memory;
  auto *memory = static_cast<float *>(frame->services->storage(frame, 0, bytes));
  if (!memory)
    return frame->services->frame_status(frame);
  multiply(frame, memory);
  const int64_t sizes[] = {n}, strides[] = {1}, halves[] = {n / 2}, two[] = {2};
  ptc_shape whole = {kF32, 1, sizes, strides, bytes}, half = {kF32, 1, halves, two, bytes};
  if (ptc_status status = frame->services->view(frame, 0, memory, &whole))
    return status;
  frame->outcome = 0;
  return frame->services->view(frame, 1, memory + 1, &half);
}

//===----------------------------------------------------------------------===//
// count
//===----------------------------------------------------------------------===//

const ptc_site kOverflow = {"", "an int left the range of 64 bits", "model.py", 5};

int32_t dispatchCount(const ptc_frame *frame) {
  return frame->inputs[0].tag == ptc_tag_Int ? 0 : -1;
}

ptc_status initState(ptc_frame *frame) {
  if (handmade::initFails)
    return frame->services->fail(frame, ptc_status_int_overflow, &kOverflow);
  frame->state[0].value = ptc_of_int(0);
  const int64_t none[] = {0}, strides[] = {1};
  ptc_shape shape = {kI64, 1, none, strides, 0};
  if (!frame->services->state(frame, 1, &shape))
    return ptc_status_out_of_memory;
  frame->services->state_commit(frame, 1);
  const int64_t sizes[] = {3, 2}, columns[] = {1, 3};
  ptc_shape grid = {kI64, 2, sizes, columns, 48};
  void *elements = frame->services->state(frame, 3, &grid);
  if (!elements)
    return ptc_status_out_of_memory;
  std::memset(elements, 0, 48);
  frame->services->state_commit(frame, 3);
  return ptc_status_ok;
}

const ptc_site kTooMuch = {"ValueError", "", "model.py", 7};
const ptc_text_part kTooMuchText[] = {{"count is ", 9, -1, 0, -1, 0, nullptr},
                                      {"", 0, 0, 's', -1, 0, nullptr}};
const ptc_text_part kSaid[] = {{"count ", 6, -1, 0, -1, 0, nullptr},
                               {"", 0, 0, 's', -1, 0, nullptr},
                               {"\n", 1, -1, 0, -1, 0, nullptr}};

ptc_status count(ptc_frame *frame) {
  int64_t total;
  if (__builtin_add_overflow(frame->state[0].value.as.integer, frame->inputs[0].as.integer, &total))
    return frame->services->fail(frame, ptc_status_int_overflow, &kOverflow);
  if (total > 10) {
    frame->outcome = 1;
    frame->raised[0] = ptc_of_int(total);
    return frame->services->raise(frame, &kTooMuch, kTooMuchText, 2);
  }
  ptc_value said = ptc_of_int(total);
  if (ptc_status status = frame->services->print(frame, 1, kSaid, 3, &said))
    return status;
  const DLTensor &seen = frame->state[1].tensor;
  const int64_t sizes[] = {seen.shape[0] + 1}, strides[] = {1};
  ptc_shape shape = {kI64, 1, sizes, strides, uint64_t(sizes[0]) * 8};
  auto *next = static_cast<int64_t *>(frame->services->state(frame, 1, &shape));
  auto *out = static_cast<int64_t *>(frame->services->output(frame, 1, &shape));
  if (!next || !out)
    return frame->services->frame_status(frame);
  if (seen.shape[0])
    std::memcpy(next, seen.data, uint64_t(seen.shape[0]) * 8);
  next[seen.shape[0]] = total;
  std::memcpy(out, next, uint64_t(sizes[0]) * 8);
  frame->services->state_commit(frame, 1);
  frame->state[0].value = frame->outputs[0] = ptc_of_int(total);
  frame->outcome = 0;
  return ptc_status_ok;
}

//===----------------------------------------------------------------------===//
// who
//===----------------------------------------------------------------------===//

// One variant that no call of the tests fits unless all of its guards hold.
int32_t dispatchWho(const ptc_frame *frame) {
  if (frame->inputs[0].tag != ptc_tag_Tensor || frame->inputs[1].tag != ptc_tag_Tensor ||
      frame->inputs[2].tag != ptc_tag_Float || frame->inputs[3].tag != ptc_tag_Str)
    return -1;
  bool apart = input(frame, 0).data != input(frame, 1).data;
  bool fast = frame->inputs[3].as.str.length == 4 &&
              std::memcmp(frame->inputs[3].as.str.data, "fast", 4) == 0;
  return apart && fast && frame->grad_mode && frame->inputs[2].as.real > 0.5 ? 0 : -1;
}

ptc_status who(ptc_frame *frame) {
  std::atomic<int64_t> ran = 0;
  auto section = [](void *arg, uint32_t, uint32_t) {
    static_cast<std::atomic<int64_t> *>(arg)->fetch_add(1);
  };
  frame->services->parallel(frame, section, &ran, 1000);
  frame->outputs[0] = ptc_of_int(ran);
  if (!frame->services->scratch(frame, 1000) || !frame->services->scratch(frame, 10))
    return frame->services->frame_status(frame);
  frame->outputs[1] = ptc_of_int(frame->services->random(frame, 0));
  frame->outcome = 0;
  return ptc_status_ok;
}

//===----------------------------------------------------------------------===//
// turns
//===----------------------------------------------------------------------===//

int32_t dispatchTurns(const ptc_frame *) { return 0; }

/// A list as long as the argument: it turned around, itself, it turned around, …
ptc_status turns(ptc_frame *frame) {
  const DLTensor &x = input(frame, 0);
  const auto *from = static_cast<const float *>(x.data);
  const int64_t n = x.shape[0], sizes[] = {n}, strides[] = {1};
  ptc_shape shape = {kF32, 1, sizes, strides, uint64_t(n) * 4};
  if (ptc_status status = frame->services->give_list(frame, 0, n))
    return status;
  for (int64_t i = 0; i < n; ++i) {
    std::vector<float> turned(from, from + n);
    if (i % 2 == 0)
      std::reverse(turned.begin(), turned.end());
    ptc_value value = {};
    value.as.tensor = reinterpret_cast<DLTensor *>(turned.data());
    if (ptc_status status = frame->services->give_element(frame, 0, i, &value, &shape))
      return status;
  }
  frame->outcome = 0;
  return ptc_status_ok;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

#define C PTC_CODE_CONSTANT
#define O PTC_CODE_OBSERVABLE

const char kTexts[] = "\0x\0x.dtype\0x.ndim\0x.shape[0]\0f32\0"
                      "1\0"
                      "4\0>= 5\0a guard\0model.py\0make it {}\0int\0Tensor";
constexpr ptc_text kX = 1, kDtype = 3, kNdim = 11, kSize = 18, kFloat = 29, kOne = 33, kFour = 35,
                   kFive = 37, kWhy = 42, kFile = 50, kHint = 59, kInt = 70, kTensor = 74;

// Observables: type(x), x.ndim, x.dtype, x.shape[0].
const int64_t kCode[] = {O,
                         0,
                         C,
                         ptc_tag_Tensor,
                         PTC_CODE_COMPARE,
                         O,
                         1,
                         C,
                         1,
                         PTC_CODE_COMPARE,
                         O,
                         2,
                         C,
                         kF32Code,
                         PTC_CODE_COMPARE,
                         O,
                         3,
                         C,
                         4,
                         PTC_CODE_COMPARE,
                         C,
                         5,
                         O,
                         3,
                         PTC_CODE_COMPARE};
const ptc_observable_row kRows[] = {{kX, PTC_FORMAT_NAMED},
                                    {kNdim, PTC_FORMAT_INT},
                                    {kDtype, PTC_FORMAT_NAMED},
                                    {kSize, PTC_FORMAT_INT}};
const ptc_value_name kNames[] = {
    {0, kInt, ptc_tag_Int}, {0, kTensor, ptc_tag_Tensor}, {2, kFloat, kF32Code}};
#define GUARD(Code, Relation, Expected) {Code, 5, Relation, Expected, kWhy, kFile, 3, kHint}
const ptc_guard_row kGuards[] = {
    GUARD(0, PTC_IS_ZERO, kTensor), GUARD(5, PTC_IS_ZERO, kOne),
    GUARD(10, PTC_IS_ZERO, kFloat), GUARD(15, PTC_IS_ZERO, kFour),
    GUARD(0, PTC_IS_ZERO, kTensor), GUARD(5, PTC_IS_ZERO, kOne),
    GUARD(10, PTC_IS_ZERO, kFloat), GUARD(20, PTC_IS_NONPOSITIVE, kFive)};
const uint32_t kBegins[] = {0, 4, 8};
const ptc_guard_table kScaleGuards = {kCode, kRows, kNames, kGuards, kBegins, kTexts, 4, 3, 2, 0};
const ptc_source kScaleSources[] = {{ptc_observable_Tag, 0, 0, 0},
                                    {ptc_observable_Rank, 0, 0, 0},
                                    {ptc_observable_DType, 0, 0, 0},
                                    {ptc_observable_Size, 0, 0, 0}};
const ptc_leaf_text kScaleTexts[] = {{"args[0]", "", "], \"kwargs\": {}}"}};
const ptc_structure kScaleStructures[] = {{kScaleSources, 1, 0, "{\"args\": [", kScaleTexts}};
const uint32_t kFirst[] = {0}, kSecond[] = {1};
const ptc_outcome kOneLeaf[] = {{1, 0, nullptr, 0, 0}}, kTwoLeaves[] = {{2, 0, nullptr, 0, 0}},
                  kMayRaise[] = {{2, 0, nullptr, 0, 0}, {1, 1, nullptr, 0, 0}},
                  kKeepsFirst[] = {{1, 0, kFirst, 1, 0}}, kKeepsSecond[] = {{2, 0, kSecond, 1, 0}};
const ptc_variant kScaleVariants[] = {{"v0", scaleFour, 16, 1, 0, 0, 1, kOneLeaf, 1024},
                                      {"v1", scaleMany, 0, 2, 0, 1, 1, kTwoLeaves, 0}};
const ptc_variant kKeepVariants[] = {{"v0", scaleFour, 16, 1, 0, 0, 1, kKeepsFirst, 1024},
                                     {"v1", scaleMany, 0, 2, 0, 1, 1, kKeepsSecond, 0}};

const uint32_t kCountBegins[] = {0, 1};
const int64_t kCountCode[] = {O, 0, C, ptc_tag_Int, PTC_CODE_COMPARE};
const ptc_guard_row kCountGuard[] = {GUARD(0, PTC_IS_ZERO, kInt)};
const ptc_guard_table kCountGuards = {kCountCode, kRows, kNames, kCountGuard, kCountBegins,
                                      kTexts,     1,     2,      1,           0};
const ptc_structure kCountStructures[] = {{kScaleSources, 1, 0, nullptr, nullptr}};
const ptc_variant kCountVariants[] = {{"v0", count, 0, 2, 1, 0, 2, kMayRaise, 0}};

// Observables: overlap(x, y), grad mode, scale > 0.5, the string, type(x), absent, 7.
const int64_t kWhoCode[] = {O, 0, O, 1, C, 1, PTC_CODE_COMPARE, O,
                            2, O, 3, O, 4, C, ptc_tag_Tensor,   PTC_CODE_COMPARE,
                            O, 5, O, 6, C, 7, PTC_CODE_COMPARE};
const ptc_observable_row kWhoRows[] = {
    {kX, PTC_FORMAT_BOOL},  {kX, PTC_FORMAT_BOOL}, {kX, PTC_FORMAT_BOOL}, {kX, PTC_FORMAT_NAMED},
    {kX, PTC_FORMAT_NAMED}, {kX, PTC_FORMAT_INT},  {kX, PTC_FORMAT_INT}};
const ptc_guard_row kWhoGuard[] = {{11, 5, PTC_IS_ZERO, kTensor, kWhy, kFile, 1, kHint},
                                   {18, 5, PTC_IS_ZERO, kOne, kWhy, kFile, 2, kHint},
                                   {0, 2, PTC_IS_ZERO, kOne, kWhy, kFile, 3, kHint},
                                   {2, 5, PTC_IS_ZERO, kOne, kWhy, kFile, 4, kHint},
                                   {7, 2, PTC_IS_NONZERO, kOne, kWhy, kFile, 5, kHint},
                                   {9, 2, PTC_IS_ZERO, kOne, kWhy, kFile, 6, kHint},
                                   {16, 2, PTC_IS_ZERO, kOne, kWhy, kFile, 7, kHint}};
// The last guard is about what no call has; it counts for structure 1 only.
const uint32_t kWhoBegins[] = {0, 6};
const ptc_guard_table kWhoGuards = {kWhoCode, kWhoRows, kNames, kWhoGuard, kWhoBegins,
                                    kTexts,   7,        3,      1,         0};
const int64_t kHalfBits = 0x3fe0000000000000;
const ptc_source kWhoSources[] = {{ptc_observable_Overlap, 0, 1, 0},
                                  {ptc_observable_GradMode, 0, 0, 0},
                                  {ptc_observable_FloatCompare, 2, PTC_FLOAT_GT, kHalfBits},
                                  {ptc_observable_StringValue, 3, 0, 0},
                                  {ptc_observable_Tag, 0, 0, 0},
                                  {ptc_observable_absent, 0, 0, 0},
                                  {ptc_observable_constant, 0, 0, 7}};
const ptc_leaf_text kWhoTexts[] = {{"args[0]", "", ", "},
                                   {"", "", "], \"kwargs\": {\"scale\": "},
                                   {"kwargs.scale", "{\"$set\": [1, 2]}", ", \"how\": "},
                                   {"kwargs.how", "", "}}"}};
const ptc_structure kWhoStructures[] = {{kWhoSources, 4, 0, "{\"args\": [", kWhoTexts}};
const ptc_variant kWhoVariants[] = {{"v0", who, 0, 2, 0, 0, 1, kTwoLeaves, 0}};
const ptc_variant kTurnsVariants[] = {{"v0", turns, 0, 1, 0, 0, 1, kOneLeaf, 0}};
const ptc_string kStrings[] = {{"fast", 4}};

const ptc_entry kEntries[] = {
    {"scale", dispatchScale, &kScaleGuards, kScaleStructures, kScaleVariants, nullptr, 1, 2, 0, 0},
    {"count", dispatchCount, &kCountGuards, kCountStructures, kCountVariants, nullptr, 1, 1, 0, 0},
    {"who", dispatchWho, &kWhoGuards, kWhoStructures, kWhoVariants, kStrings, 1, 1, 1, 0},
    {"turns", dispatchTurns, nullptr, kScaleStructures, kTurnsVariants, nullptr, 1, 1, 0, 0},
    {"keep", dispatchScale, &kScaleGuards, kScaleStructures, kKeepVariants, nullptr, 1, 2, 0, 0}};
// "grid": two columns, as many rows as there are, column by column in memory.
const int64_t kAny[] = {PTC_ANY_SIZE}, kDense[] = {1}, kGrid[] = {PTC_ANY_SIZE, 2},
              kColumns[] = {1, PTC_ANY_SIZE};
const ptc_state_row kStates[] = {{"count", ptc_tag_Int, {0, 0, 0}, 0, 0, nullptr, nullptr},
                                 {"seen", ptc_tag_Tensor, kI64, 1, 0, kAny, kDense},
                                 {"pair", ptc_tag_Tensor, kI64, 1, 0, kGrid + 1, kDense},
                                 {"grid", ptc_tag_Tensor, kI64, 2, 0, kGrid, kColumns}};

} // namespace

extern "C" {
extern const ptc_program ptc_this_program = {sizeof(ptc_program),
                                             PTC_VERSION_MAJOR,
                                             PTC_VERSION_MINOR,
                                             "handmade",
                                             kEntries,
                                             kStates,
                                             initState,
                                             0,
                                             5,
                                             4,
                                             1,
                                             0,
                                             sizeof kWeights,
                                             0,
                                             "{\"entry\": \"scale\"}\n",
                                             nullptr,
                                             0,
                                             0};
extern const char ptc_this_name[] = "handmade";
extern const unsigned char *const ptc_this_weights =
    reinterpret_cast<const unsigned char *>(kWeights);
}
