//===- Bytes.h - The methods of bytes -*- C++ -*-===//
//
// CPython's bytes as pure functions over the bytes themselves. See Str.h for the conventions.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_PYTHON_BYTES_H
#define PTC_PYTHON_BYTES_H

#include "ptc/Python/Str.h"

namespace ptc::py::bytes {

using Ref = std::string_view;

// Sequence.
Result<PyInt> at(Ref b, int64_t index);
std::string slice(Ref b, const SliceIndices &indices);
Result<std::string> repeat(Ref b, const PyInt &count);
/// bytes([...]): each item must be in range(0, 256).
Result<std::string> fromInts(llvm::ArrayRef<PyInt> items);
/// bytes(count): that many zeros.
Result<std::string> zeros(const PyInt &count);
Result<PyInt> ord(Ref b);

// Search.
int64_t find(Ref b, Ref sub, Bounds bounds = {});
int64_t rfind(Ref b, Ref sub, Bounds bounds = {});
Result<int64_t> index(Ref b, Ref sub, Bounds bounds = {});
Result<int64_t> rindex(Ref b, Ref sub, Bounds bounds = {});
int64_t count(Ref b, Ref sub, Bounds bounds = {});
/// `sub in b` for bytes, and for an int.
bool contains(Ref b, Ref sub);
Result<bool> containsInt(Ref b, const PyInt &value);
bool startswith(Ref b, Ref prefix, Bounds bounds = {});
bool endswith(Ref b, Ref suffix, Bounds bounds = {});

// Parts.
Result<std::string> replace(Ref b, Ref from, Ref to, int64_t limit = -1);
std::vector<std::string> split(Ref b, int64_t limit = -1);
std::vector<std::string> rsplit(Ref b, int64_t limit = -1);
Result<std::vector<std::string>> split(Ref b, Ref separator, int64_t limit = -1);
Result<std::vector<std::string>> rsplit(Ref b, Ref separator, int64_t limit = -1);
std::vector<std::string> splitlines(Ref b, bool keepEnds = false);
Result<std::array<std::string, 3>> partition(Ref b, Ref separator);
Result<std::array<std::string, 3>> rpartition(Ref b, Ref separator);
std::string strip(Ref b, std::optional<Ref> chars = {});
std::string lstrip(Ref b, std::optional<Ref> chars = {});
std::string rstrip(Ref b, std::optional<Ref> chars = {});
std::string removeprefix(Ref b, Ref prefix);
std::string removesuffix(Ref b, Ref suffix);
Result<std::string> join(Ref separator, llvm::ArrayRef<Ref> items);

// Case and questions: of ASCII letters only.
std::string upper(Ref b);
std::string lower(Ref b);
std::string title(Ref b);
std::string capitalize(Ref b);
std::string swapcase(Ref b);
bool isalpha(Ref b);
bool isalnum(Ref b);
bool isdigit(Ref b);
bool isspace(Ref b);
bool isupper(Ref b);
bool islower(Ref b);
bool istitle(Ref b);
bool isascii(Ref b);

// Layout.
Result<std::string> center(Ref b, const PyInt &width, Ref fill = " ");
Result<std::string> ljust(Ref b, const PyInt &width, Ref fill = " ");
Result<std::string> rjust(Ref b, const PyInt &width, Ref fill = " ");
Result<std::string> zfill(Ref b, const PyInt &width);
Result<std::string> expandtabs(Ref b, const PyInt &tabSize = 8);

// Translation.
/// `table` absent: only deletes.
Result<std::string> translate(Ref b, std::optional<Ref> table, Ref remove = {});
Result<std::string> maketrans(Ref from, Ref to);

// Text.
Str repr(Ref b);
/// `errors`: strict, ignore, replace, backslashreplace, surrogateescape, surrogatepass (utf-8).
Result<Str> decode(Ref b, StrRef encoding = "utf-8", StrRef errors = "strict");
Result<Str> hex(Ref b, std::optional<StrRef> separator = {}, int64_t group = 1);
Result<std::string> fromhex(StrRef text);

} // namespace ptc::py::bytes

#endif // PTC_PYTHON_BYTES_H
