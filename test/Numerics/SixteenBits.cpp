// What 16-bit floats are rounded to on the way, bit for bit: eager rounds numbers, factors and the
// steps of some kernels to the tensors' type, but not a second operand of one element.
#include "Cases.h"
#include "Compare.h"
#include "OracleFixture.h"
#include "Outcome.h"

#include <catch2/catch.hpp>

using namespace ptc;
using namespace ptc::aten;
using namespace ptc::numerics;

namespace {

struct RoundingRow {
  OpId op;
  Case arguments;
};

} // namespace

static std::vector<RoundingRow> roundingRows() {
  std::vector<RoundingRow> rows;
  const TensorSpec many = t({40}), column = t({8, 1}), row = t({1, 5});
  for (OpId op :
       {OpId::add_Tensor, OpId::sub_Tensor, OpId::mul_Tensor, OpId::div_Tensor, OpId::floor_divide,
        OpId::remainder_Tensor, OpId::fmod_Tensor, OpId::xlogy_Tensor})
    for (const Argument &other : {Argument(HostValue(0.7)), Argument(HostValue(-1.3)),
                                  Argument(many), Argument(t({}).as(DType::Float32)),
                                  Argument(t({1}).as(DType::Float64)), Argument(t({}))}) {
      if (op == OpId::xlogy_Tensor && std::holds_alternative<HostValue>(other))
        continue; // takes no numbers
      rows.push_back({op, {{"self", many}, {"other", other}}});
      if (std::holds_alternative<TensorSpec>(other))
        rows.push_back({op, {{"self", other}, {"other", many}}});
    }
  for (OpId op : {OpId::floor_divide, OpId::div_Tensor, OpId::mul_Tensor})
    rows.push_back({op, {{"self", column}, {"other", row}}});
  for (const char *mode : {"floor", "trunc"})
    for (const Argument &other : {Argument(HostValue(0.7)), Argument(many), Argument(t({1})),
                                  Argument(t({}).as(DType::Float64))})
      rows.push_back({OpId::div_Tensor_mode,
                      {{"self", many}, {"other", other}, {"rounding_mode", HostValue(mode)}}});
  rows.push_back({OpId::add_Scalar, {{"self", many}, {"other", HostValue(0.7)}}});
  rows.push_back({OpId::rsub_Scalar, {{"self", many}, {"other", HostValue(0.7)}}});
  // The vector loops: the factor is rounded, its product is not.
  rows.push_back(
      {OpId::add_Tensor, {{"self", t({64})}, {"other", t({64})}, {"alpha", HostValue(0.3)}}});
  // Eager's kernel rounds each product, in the order of the elements up to its vector loop.
  rows.push_back({OpId::prod, {{"self", many}}});
  for (int64_t dim : {0, 1})
    rows.push_back({OpId::prod_dim_int, {{"self", t({8, 5})}, {"dim", HostValue(dim)}}});
  return rows;
}

TEST_CASE("16-bit floats are rounded where eager rounds them") {
  std::mt19937 random(static_cast<uint32_t>(seed()));
  size_t compared = 0;
  for (const RoundingRow &row : roundingRows())
    for (DType dtype : {DType::BFloat16, DType::Float16})
      for (unsigned turn = 0; turn < 8; ++turn) {
        const OpInfo &op = getOpInfo(row.op);
        std::optional<Call> call = makeCall(op, row.arguments, dtype, random);
        REQUIRE(call);
        INFO(op.name.str() << "(" << describe(*call) << ")");
        Mt19937 generator(seed());
        Outcome eager = runEager(op.name, cloneCall(*call)), ours = runOurs(op, *call, generator);
        CHECK(eager.raised == ours.raised);
        if (!eager.raised.empty() || !ours.raised.empty())
          continue;
        ++compared;
        HostTensor a = convertTensor(ours.results[0].tensor(), DType::Float64).contiguous();
        HostTensor b = convertTensor(eager.results[0].tensor(), DType::Float64).contiguous();
        REQUIRE(a.numel() == b.numel());
        for (int64_t i = 0; i < a.numel(); ++i) {
          double x = a.data<double>()[i], y = b.data<double>()[i];
          if (!(x == y || (x != x && y != y)))
            FAIL_CHECK("element " << i << ": " << x << ", eager has " << y);
        }
      }
  CHECK(compared > 1000);
}
