//===- Str.h - The methods of str -*- C++ -*-===//
//
// CPython's str as pure functions over StrRef (Text.h). Positions count code points. A method that
// takes a tuple (startswith, endswith) is called once per element by the engine. `limit` arguments
// (maxsplit, count) are negative for "all", as in Python.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_STR_H
#define PTC_PYTHON_STR_H

#include "ptc/Python/BigInt.h"
#include "ptc/Python/Slice.h"
#include "ptc/Python/Text.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <optional>
#include <vector>

namespace ptc::py {

/// The optional start and end of find, count, startswith and their like, as Python takes them:
/// negative ones count from the end, others are clipped.
struct Bounds {
  int64_t start = 0;
  int64_t end = INT64_MAX;
};

namespace str {

// Sequence.
Result<Str> at(StrRef s, int64_t index);
Str slice(StrRef s, const SliceIndices &indices);
Str concat(StrRef a, StrRef b);
Result<Str> repeat(StrRef s, const PyInt &count);
Result<Str> chr(const PyInt &point);
Result<PyInt> ord(StrRef s);

// Search. find and rfind give -1 where there is nothing.
int64_t find(StrRef s, StrRef sub, Bounds bounds = {});
int64_t rfind(StrRef s, StrRef sub, Bounds bounds = {});
Result<int64_t> index(StrRef s, StrRef sub, Bounds bounds = {});
Result<int64_t> rindex(StrRef s, StrRef sub, Bounds bounds = {});
int64_t count(StrRef s, StrRef sub, Bounds bounds = {});
bool contains(StrRef s, StrRef sub);
bool startswith(StrRef s, StrRef prefix, Bounds bounds = {});
bool endswith(StrRef s, StrRef suffix, Bounds bounds = {});

// Parts.
Result<Str> replace(StrRef s, StrRef from, StrRef to, int64_t limit = -1);
std::vector<Str> split(StrRef s, int64_t limit = -1);
std::vector<Str> rsplit(StrRef s, int64_t limit = -1);
/// In UTF-8, as part of `s`.
Result<std::vector<std::string_view>> split(StrRef s, StrRef separator, int64_t limit = -1);
Result<std::vector<std::string_view>> rsplit(StrRef s, StrRef separator, int64_t limit = -1);
std::vector<std::string_view> splitlines(StrRef s, bool keepEnds = false);
Result<std::array<Str, 3>> partition(StrRef s, StrRef separator);
Result<std::array<Str, 3>> rpartition(StrRef s, StrRef separator);
/// `chars` absent: white space.
Str strip(StrRef s, std::optional<StrRef> chars = {});
Str lstrip(StrRef s, std::optional<StrRef> chars = {});
Str rstrip(StrRef s, std::optional<StrRef> chars = {});
Str removeprefix(StrRef s, StrRef prefix);
Str removesuffix(StrRef s, StrRef suffix);
Result<Str> join(StrRef separator, llvm::ArrayRef<StrRef> items);

// Case.
Str upper(StrRef s);
Str lower(StrRef s);
Str title(StrRef s);
Str capitalize(StrRef s);
Str swapcase(StrRef s);
Str casefold(StrRef s);

// Questions.
bool isalpha(StrRef s);
bool isalnum(StrRef s);
bool isdecimal(StrRef s);
bool isdigit(StrRef s);
bool isnumeric(StrRef s);
bool isspace(StrRef s);
bool isupper(StrRef s);
bool islower(StrRef s);
bool istitle(StrRef s);
bool isidentifier(StrRef s);
bool isprintable(StrRef s);
inline bool isascii(StrRef s) { return s.isAscii(); }

// Layout.
Result<Str> center(StrRef s, const PyInt &width, StrRef fill = " ");
Result<Str> ljust(StrRef s, const PyInt &width, StrRef fill = " ");
Result<Str> rjust(StrRef s, const PyInt &width, StrRef fill = " ");
Result<Str> zfill(StrRef s, const PyInt &width);
Result<Str> expandtabs(StrRef s, const PyInt &tabSize = 8);

// Translation.
/// What a table says about a code point: nullopt keeps it, a text replaces it ("" deletes it).
using TranslateFn = llvm::function_ref<Result<std::optional<Str>>(char32_t)>;
Result<Str> translate(StrRef s, TranslateFn table);
/// str.maketrans(from, to, remove) in order: a code point, and what replaces it (nullopt: None).
using TranslateRow = std::pair<char32_t, std::optional<char32_t>>;
Result<std::vector<TranslateRow>> maketrans(StrRef from, StrRef to, StrRef remove = "");

// Text of code and codecs.
Str repr(StrRef s);
/// ascii(s)
Str ascii(StrRef s);
/// `errors`: strict, ignore, replace, backslashreplace, surrogateescape, surrogatepass (utf-8).
Result<std::string> encode(StrRef s, StrRef encoding = "utf-8", StrRef errors = "strict");

} // namespace str
} // namespace ptc::py

#endif // PTC_PYTHON_STR_H
