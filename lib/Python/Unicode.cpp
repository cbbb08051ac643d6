// Look-ups in the table of Unicode properties: a binary search over runs of code points with equal
// properties, and a short table of mappings to several code points.
#include "Unicode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace ptc::py::unicode {

namespace {
struct Record {
  uint16_t flags;
  uint32_t zero;
  int32_t deltas[4];
};
struct Run {
  uint32_t first;
  uint16_t record;
};
struct SpecialMapping {
  char32_t point;
  const char32_t *texts[4];
};
} // namespace

static constexpr Record kRecords[] = {
#define PTC_UNICODE_RECORD(Flags, Zero, Upper, Lower, Title, Fold)                                 \
  {Flags, Zero, {Upper, Lower, Title, Fold}},
#include "Unicode.inc"
#undef PTC_UNICODE_RECORD
};

static constexpr Run kRuns[] = {
#define PTC_UNICODE_RUN(First, Record) {First, Record},
#include "Unicode.inc"
#undef PTC_UNICODE_RUN
};

static constexpr SpecialMapping kSpecials[] = {
#define PTC_UNICODE_SPECIAL(Point, Upper, Lower, Title, Fold) {Point, {Upper, Lower, Title, Fold}},
#include "Unicode.inc"
#undef PTC_UNICODE_SPECIAL
};

/// Which record each character of ASCII has, which is what nearly all texts are made of.
static constexpr auto kAscii = [] {
  std::array<uint16_t, 128> records{};
  size_t run = 0;
  for (uint32_t point = 0; point < records.size(); ++point) {
    while (run + 1 < std::size(kRuns) && kRuns[run + 1].first <= point)
      ++run;
    records[point] = kRuns[run].record;
  }
  return records;
}();

static const Record &getRecord(char32_t point) {
  if (point < kAscii.size())
    return kRecords[kAscii[point]];
  const Run *after = std::upper_bound(std::begin(kRuns), std::end(kRuns), point,
                                      [](char32_t p, const Run &run) { return p < run.first; });
  assert(after != std::begin(kRuns) && "the first run starts at 0");
  return kRecords[after[-1].record];
}

uint16_t getFlags(char32_t point) { return getRecord(point).flags; }

int getDecimal(char32_t point) {
  const Record &record = getRecord(point);
  return record.flags & Decimal ? static_cast<int>(point - record.zero) : -1;
}

void appendMapped(std::u32string &text, char32_t point, Mapping mapping) {
  const auto which = static_cast<unsigned>(mapping);
  const Record &record = getRecord(point);
  if (!(record.flags & Special)) {
    text += static_cast<char32_t>(static_cast<int32_t>(point) + record.deltas[which]);
    return;
  }
  const auto *found =
      std::lower_bound(std::begin(kSpecials), std::end(kSpecials), point,
                       [](const SpecialMapping &row, char32_t p) { return row.point < p; });
  assert(found != std::end(kSpecials) && found->point == point && "the flag promises a row");
  text += found->texts[which];
}

} // namespace ptc::py::unicode
