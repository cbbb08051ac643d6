// The text form of calls and answers that generate.py writes: read arguments, write answers.
#ifndef PTC_TEST_PYTHON_VALUES_ENCODING_H
#define PTC_TEST_PYTHON_VALUES_ENCODING_H

#include "ptc/Python/Str.h"

#include <array>
#include <complex>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace values {

using namespace ptc::py;

struct Value {
  /// n b i f c s y l, see generate.py
  char kind = 'n';
  std::string text;
  PyInt integer;
  double real = 0, imag = 0;
  std::vector<Value> items;

  bool isNone() const { return kind == 'n'; }
  /// A str itself, or 0 and 1 for a bool.
  std::string shown() const { return kind == 'b' ? *toDecimal(integer) : text; }
};

Value decode(std::string_view text);

/// The arguments of one call; a missing one is None.
class Args {
public:
  explicit Args(std::vector<Value> values) : values(std::move(values)) {}
  const Value &operator[](size_t i) const {
    static const Value none;
    return i < values.size() ? values[i] : none;
  }
  size_t size() const { return values.size(); }

  const std::string &text(size_t i) const { return expect(i, "sy").text; }
  StrRef str(size_t i) const { return StrRef(expect(i, "s").text); }
  const PyInt &integer(size_t i) const { return expect(i, "ib").integer; }
  int64_t small(size_t i, int64_t absent) const {
    return (*this)[i].isNone() ? absent : integer(i).asInt64().value();
  }
  bool flag(size_t i) const { return !expect(i, "b").integer.isZero(); }
  double real(size_t i) const { return expect(i, "f").real; }
  std::complex<double> complex(size_t i) const {
    const Value &v = expect(i, "cfi");
    return v.kind == 'i' ? *toDouble(v.integer) : std::complex<double>(v.real, v.imag);
  }
  Bounds bounds(size_t i) const { return {small(i, 0), small(i + 1, INT64_MAX)}; }
  std::optional<PyInt> optionalInt(size_t i) const {
    return (*this)[i].isNone() ? std::nullopt : std::optional<PyInt>(integer(i));
  }
  SliceArgs slice(size_t i) const {
    return {optionalInt(i), optionalInt(i + 1), optionalInt(i + 2)};
  }

private:
  const Value &expect(size_t i, std::string_view kinds) const {
    const Value &v = (*this)[i];
    if (kinds.find(v.kind) == kinds.npos)
      throw std::runtime_error("argument " + std::to_string(i) + " is of kind " + v.kind);
    return v;
  }
  std::vector<Value> values;
};

/// bytes, where a std::string would be taken for a str.
struct Octets {
  std::string text;
};

std::string encode(bool value);
std::string encode(const PyInt &value);
std::string encode(double value);
std::string encode(std::complex<double> value);
std::string encode(StrRef value);
std::string encode(const Octets &value);
std::string encode(const Raised &raised);
inline std::string encode(int64_t value) { return encode(PyInt(value)); }
inline std::string encode(uint64_t value) { return encode(PyInt(value)); }
inline std::string encode(const Str &value) { return encode(StrRef(value)); }
inline std::string encode(const std::string &value) { return encode(StrRef(value)); }
inline std::string encode(const IntPair &pair) {
  return "l|" + encode(pair.quotient) + "|" + encode(pair.remainder);
}
inline std::string encode(const IntOrFloat &value) {
  return std::visit([](const auto &v) { return encode(v); }, value);
}
template <typename Items> std::string encodeItems(const Items &items) {
  std::string text = "l";
  for (const auto &item : items)
    text += "|" + encode(item);
  return text;
}
template <typename T> std::string encode(const std::vector<T> &items) { return encodeItems(items); }
template <typename T, size_t N> std::string encode(const std::array<T, N> &items) {
  return encodeItems(items);
}
template <typename T> std::string encode(const Result<T> &result) {
  return result ? encode(*result) : encode(result.error());
}

inline Octets asBytes(std::string text) { return {std::move(text)}; }
inline Result<Octets> asBytes(const Result<std::string> &text) {
  if (!text)
    return text.error();
  return Octets{*text};
}
inline std::vector<Octets> eachAsBytes(const std::vector<std::string> &items) {
  std::vector<Octets> result;
  result.reserve(items.size());
  for (const std::string &item : items)
    result.push_back({item});
  return result;
}
template <typename Items> Result<std::vector<Octets>> eachAsBytes(const Result<Items> &items) {
  if (!items)
    return items.error();
  std::vector<Octets> result;
  for (const std::string &item : *items)
    result.push_back({item});
  return result;
}

/// What a name of the fixtures calls; the answer is encoded.
using Calls = std::map<std::string, std::function<std::string(const Args &)>>;

void addIntCalls(Calls &calls);
void addStrCalls(Calls &calls);
void addBytesCalls(Calls &calls);
void addContainerCalls(Calls &calls);
void addFloatCalls(Calls &calls);
void addFormatCalls(Calls &calls);
void addRegexCalls(Calls &calls);

} // namespace values

#endif // PTC_TEST_PYTHON_VALUES_ENCODING_H
