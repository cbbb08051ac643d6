//===- Matrices.cpp - Instructions of a warp on matrices -------------------------------===//
//
// Products of 16 rows and 8 columns, and what loads their inputs. A sum of products is computed in
// double precision and rounded once: how a GPU adds it up is not said.
//
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "Numbers.h"
#include "Run.h"

#include <algorithm>
#include <cstring>

using namespace device;

namespace {
constexpr unsigned kRows = 16, kColumns = 8, kMostTurns = 16;

/// Two elements, or one of 32 bits whose last bits are not looked at.
template <class T> float elementOf(uint32_t word, unsigned half) {
  if constexpr (isHalf<T>) {
    T element;
    element.bits = uint16_t(word >> (16 * half));
    return float(element);
  } else {
    return std::bit_cast<float>(word & ~uint32_t(0x1fff));
  }
}

/// Words of an input: the lane's row (or column), and four lanes beside each other along the sum.
/// Operands: 4 sums, words of rows, words of columns, 4 sums that are added to.
template <class T, unsigned Turns> void multiply(Warp &warp, const Instruction &i) {
  if (!warp.needs(kAll))
    return;
  constexpr unsigned kPerWord = isHalf<T> ? 2 : 1;
  constexpr unsigned kSteps = Turns / (4 * kPerWord); // words of a lane along the sum
  float a[kRows][kMostTurns], b[kColumns][kMostTurns];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned step = 0; step < kSteps; ++step)
      for (unsigned half = 0; half < kPerWord; ++half) {
        unsigned k = step * 4 * kPerWord + lane % 4 * kPerWord + half, side = lane / 4;
        const uint32_t *words[3] = {warp.at<uint32_t>(i.at[4 + 2 * step]),
                                    warp.at<uint32_t>(i.at[5 + 2 * step]),
                                    warp.at<uint32_t>(i.at[4 + 2 * kSteps + step])};
        a[side][k] = elementOf<T>(words[0][lane], half);
        a[side + 8][k] = elementOf<T>(words[1][lane], half);
        b[side][k] = elementOf<T>(words[2][lane], half);
      }
  std::array<std::array<float, 4>, kLanes> made;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned n = 0; n < 4; ++n) {
      unsigned row = lane / 4 + n / 2 * 8, column = lane % 4 * 2 + n % 2;
      double sum = warp.at<float>(i.at[4 + 3 * kSteps + n])[lane];
      for (unsigned k = 0; k < Turns; ++k)
        sum += double(a[row][k]) * double(b[column][k]);
      made[lane][n] = float(sum);
    }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned n = 0; n < 4; ++n)
      warp.at<float>(i.at[n])[lane] = made[lane][n];
}

struct Product {
  std::string_view word;
  Handler run;
  unsigned steps;
};
constexpr Product kProducts[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", multiply<Half, 16>, 2},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", multiply<BFloat, 16>, 2},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", multiply<Half, 8>, 1},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", multiply<BFloat, 8>, 1},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", multiply<float, 8>, 2},
    {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", multiply<float, 4>, 1}};

/// Lanes have the addresses of rows, 8 for each matrix, and get two elements of each matrix: of one
/// row, or where they are transposed, of one column.
void loadMatrix(Warp &warp, const Instruction &i) {
  if (!warp.needs(kAll))
    return;
  uint16_t rows[kLanes][8];
  for (unsigned lane = 0; lane < 8U * i.count; ++lane) {
    uint64_t address =
        i.kind == kWidth64 ? warp.at<uint64_t>(i.at[0])[lane] : warp.at<uint32_t>(i.at[0])[lane];
    std::memcpy(rows[lane],
                warp.place(i.space, address + uint64_t(i.number), 16, lane, Access::Read), 16);
  }
  for (unsigned matrix = 0; matrix < i.count; ++matrix)
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto *rowsOf = rows + size_t(8) * matrix;
      unsigned far = lane / 4, near = lane % 4 * 2;
      uint32_t low = i.isSigned ? rowsOf[near][far] : rowsOf[far][near];
      uint32_t high = i.isSigned ? rowsOf[near + 1][far] : rowsOf[far][near + 1];
      warp.at<uint32_t>(i.at[1 + matrix])[lane] = low | high << 16;
    }
}
} // namespace

void device::decodeMatrix(Names &names, const Statement &statement, Instruction &i) {
  const auto *found =
      std::ranges::find(kProducts, statement.word, [](auto &row) { return row.word; });
  if (found == std::end(kProducts) || statement.operands.size() != 4)
    return;
  const size_t sizes[] = {4, size_t(2) * found->steps, found->steps, 4};
  size_t at = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const Item one = statement.operands[k];
    const std::vector<Item> single{one};
    const std::vector<Item> &items = one.kind == Item::List ? one.items : single;
    if (items.size() != sizes[k])
      names.fail("another number of registers");
    for (const Item &item : items)
      i.at[at++] = names.place(item, kWidth32);
  }
  i.run = found->run;
}

void device::decodeLoadMatrix(Names &names, const Statement &statement, Instruction &i) {
  auto parts = partsOf(statement.word);
  if (!statement.word.starts_with("ldmatrix.sync.aligned.m8n8.x") ||
      statement.operands.size() != 2 || parts.back() != "b16")
    return;
  i.isSigned = std::ranges::find(parts, "trans") != parts.end(); // transposed
  i.space = parts[parts.size() - 2].starts_with("shared") ? Space::Shared : Space::Generic;
  i.count = uint8_t(parts[4][1] - '0');
  const Item &to = statement.operands[0];
  const std::vector<Item> single{to};
  const std::vector<Item> &items = to.kind == Item::List ? to.items : single;
  if (items.size() != i.count)
    names.fail("another number of registers");
  for (size_t k = 0; k < items.size(); ++k)
    i.at[1 + k] = names.place(items[k], kWidth32);
  AddressPlace address = names.address(statement.operands[1]);
  i.at[0] = address.base.at;
  i.kind = address.base.width;
  i.number = address.offset;
  i.run = loadMatrix;
}
