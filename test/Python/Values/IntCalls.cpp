// The int functions by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Hash.h"

namespace values {

static std::string signedDigits(const PyInt &value, unsigned base) {
  return (value.isNegative() ? "-" : "") + toDigits(value, base);
}

static void addArithmetic(Calls &calls) {
  using Binary = PyInt (*)(const PyInt &, const PyInt &);
  using BinaryOrRaise = Result<PyInt> (*)(const PyInt &, const PyInt &);
  for (auto [name, f] : std::initializer_list<std::pair<const char *, Binary>>{{"int.add", add},
                                                                               {"int.sub", sub},
                                                                               {"int.and", bitAnd},
                                                                               {"int.or", bitOr},
                                                                               {"int.xor", bitXor}})
    calls[name] = [f = f](const Args &a) { return encode(f(a.integer(0), a.integer(1))); };
  for (auto [name, f] :
       std::initializer_list<std::pair<const char *, BinaryOrRaise>>{{"int.mul", mul},
                                                                     {"int.floordiv", floorDiv},
                                                                     {"int.mod", mod},
                                                                     {"int.lshift", shiftLeft},
                                                                     {"int.rshift", shiftRight},
                                                                     {"int.round", roundInt},
                                                                     {"math.gcd", gcd},
                                                                     {"math.lcm", lcm},
                                                                     {"math.comb", comb},
                                                                     {"math.perm", perm}})
    calls[name] = [f = f](const Args &a) { return encode(f(a.integer(0), a.integer(1))); };
  calls["int.divmod"] = [](const Args &a) { return encode(divMod(a.integer(0), a.integer(1))); };
  calls["int.truediv"] = [](const Args &a) { return encode(trueDiv(a.integer(0), a.integer(1))); };
  calls["int.pow"] = [](const Args &a) { return encode(pow(a.integer(0), a.integer(1))); };
  calls["int.powmod"] = [](const Args &a) {
    return encode(powMod(a.integer(0), a.integer(1), a.integer(2)));
  };
  calls["int.lt"] = [](const Args &a) { return encode(a.integer(0) < a.integer(1)); };
  calls["int.eq"] = [](const Args &a) { return encode(a.integer(0) == a.integer(1)); };
  calls["int.neg"] = [](const Args &a) { return encode(neg(a.integer(0))); };
  calls["int.abs"] = [](const Args &a) { return encode(ptc::py::abs(a.integer(0))); };
  calls["int.invert"] = [](const Args &a) { return encode(invert(a.integer(0))); };
  calls["int.bit_length"] = [](const Args &a) { return encode(bitLength(a.integer(0))); };
  calls["int.bit_count"] = [](const Args &a) { return encode(bitCount(a.integer(0))); };
  calls["int.hash"] = [](const Args &a) { return encode(hashInt(a.integer(0))); };
  calls["math.isqrt"] = [](const Args &a) { return encode(isqrt(a.integer(0))); };
  calls["math.factorial"] = [](const Args &a) { return encode(factorial(a.integer(0))); };
}

void addIntCalls(Calls &calls) {
  addArithmetic(calls);
  calls["int.lt_float"] = [](const Args &a) {
    return encode(compare(a.integer(0), a.real(1)) < 0);
  };
  calls["int.eq_float"] = [](const Args &a) {
    return encode(compare(a.integer(0), a.real(1)) == 0);
  };
  calls["int.float"] = [](const Args &a) { return encode(toDouble(a.integer(0))); };
  calls["int.from_float"] = [](const Args &a) { return encode(truncToInt(a.real(0))); };
  calls["int.round_float"] = [](const Args &a) { return encode(roundToInt(a.real(0))); };
  calls["int.floor"] = [](const Args &a) { return encode(floorToInt(a.real(0))); };
  calls["int.ceil"] = [](const Args &a) { return encode(ceilToInt(a.real(0))); };
  calls["int.repr"] = [](const Args &a) { return encode(toDecimal(a.integer(0))); };
  calls["int.bin"] = [](const Args &a) { return encode(signedDigits(a.integer(0), 2)); };
  calls["int.oct"] = [](const Args &a) { return encode(signedDigits(a.integer(0), 8)); };
  calls["int.hex"] = [](const Args &a) { return encode(signedDigits(a.integer(0), 16)); };
  calls["int.parse"] = [](const Args &a) {
    return encode(a[0].kind == 'y' ? parseIntBytes(a.text(0), a.integer(1))
                                   : parseInt(a.text(0), a.integer(1)));
  };
  calls["int.to_bytes"] = [](const Args &a) {
    return encode(asBytes(toBytes(a.integer(0), a.integer(1),
                                  a.flag(2) ? ByteOrder::Big : ByteOrder::Little, a.flag(3))));
  };
  calls["int.from_bytes"] = [](const Args &a) {
    return encode(fromBytes(a.text(0), a.flag(1) ? ByteOrder::Big : ByteOrder::Little, a.flag(2)));
  };
}

} // namespace values
