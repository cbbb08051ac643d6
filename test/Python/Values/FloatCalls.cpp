// The float and complex functions by the names that the fixtures use.
#include "Encoding.h"

#include "ptc/Python/Complex.h"
#include "ptc/Python/Math.h"

namespace values {

static std::string encodePair(const Result<FloatPair> &pair) {
  return pair ? "l|" + encode(pair->quotient) + "|" + encode(pair->remainder)
              : encode(pair.error());
}

static std::string encodeRatio(const Result<IntRatio> &ratio) {
  return ratio ? "l|" + encode(ratio->numerator) + "|" + encode(ratio->denominator)
               : encode(ratio.error());
}

static std::string encodePower(const Result<FloatOrComplex> &power) {
  return power ? std::visit([](auto value) { return encode(value); }, *power)
               : encode(power.error());
}

static void addComplex(Calls &calls) {
  calls["complex.repr"] = [](const Args &a) { return encode(reprComplex(a.complex(0))); };
  calls["complex.parse"] = [](const Args &a) { return encode(parseComplex(a.str(0))); };
  calls["complex.abs"] = [](const Args &a) { return encode(absComplex(a.complex(0))); };
  calls["complex.mul"] = [](const Args &a) {
    return encode(mulComplex(a.complex(0), a.complex(1)));
  };
  calls["complex.truediv"] = [](const Args &a) {
    return encode(divComplex(a.complex(0), a.complex(1)));
  };
  calls["complex.pow"] = [](const Args &a) {
    return encode(powComplex(a.complex(0), a.complex(1)));
  };
}

static void addMath(Calls &calls) {
  calls["math.gamma"] = [](const Args &a) { return encode(ptc::py::gamma(a.real(0))); };
  calls["math.lgamma"] = [](const Args &a) { return encode(logGamma(a.real(0))); };
  calls["math.hypot"] = [](const Args &a) {
    std::vector<double> coordinates;
    coordinates.reserve(a.size());
    for (size_t i = 0; i < a.size(); ++i)
      coordinates.push_back(a.real(i));
    return encode(vectorNorm(coordinates));
  };
}

void addFloatCalls(Calls &calls) {
  addComplex(calls);
  addMath(calls);
  calls["float.repr"] = [](const Args &a) { return encode(reprFloat(a.real(0))); };
  calls["float.hex"] = [](const Args &a) { return encode(hexFloat(a.real(0))); };
  calls["float.fromhex"] = [](const Args &a) { return encode(parseHexFloat(a.str(0))); };
  calls["float.is_integer"] = [](const Args &a) { return encode(isInteger(a.real(0))); };
  calls["float.as_integer_ratio"] = [](const Args &a) {
    return encodeRatio(asIntegerRatio(a.real(0)));
  };
  calls["float.parse"] = [](const Args &a) {
    return encode(a[0].kind == 'y' ? parseFloatBytes(a.text(0)) : parseFloat(a.str(0)));
  };
  calls["float.truediv"] = [](const Args &a) { return encode(divFloat(a.real(0), a.real(1))); };
  calls["float.floordiv"] = [](const Args &a) {
    return encode(floorDivFloat(a.real(0), a.real(1)));
  };
  calls["float.mod"] = [](const Args &a) { return encode(modFloat(a.real(0), a.real(1))); };
  calls["float.divmod"] = [](const Args &a) {
    return encodePair(divModFloat(a.real(0), a.real(1)));
  };
  calls["float.pow"] = [](const Args &a) { return encodePower(powFloat(a.real(0), a.real(1))); };
  calls["float.round"] = [](const Args &a) { return encode(roundFloat(a.real(0), a.integer(1))); };
}

} // namespace values
