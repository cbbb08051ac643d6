//===- Npy.cpp - NumPy's array files -------------------------------------------===//
//
// In: bytes of a `.npy` (numpy/lib/format.py: magic, version, a Python dict literal, the data).
// Out: a view of those bytes, or a typed error. The header is parsed by its three keys; it is not
// Python.
//
//===----------------------------------------------------------------------===//
#include "Bytes.h"
#include "ptc/Support/Error.h"
#include "ptc/TensorFile/TensorFile.h"

#include "ptc/Support/AtomicFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace ptc;

static constexpr llvm::StringLiteral kMagic = "\x93NUMPY";
static constexpr uint32_t kMaxHeader = 1 << 20;

namespace {

struct NpyHeader {
  std::optional<llvm::StringRef> descr;
  std::optional<bool> fortranOrder;
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
};

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  explicit HeaderParser(llvm::StringRef text) : rest(text.trim(" \n")) {}

  /// Nothing if the text is not such a dict.
  std::optional<NpyHeader> parse() {
    NpyHeader header;
    if (!eat("{"))
      return std::nullopt;
    while (!eat("}")) {
      std::optional<llvm::StringRef> key = parseString();
      if (!key || !eat(":") || !parseValue(*key, header))
        return std::nullopt;
      if (!eat(",") && !rest.starts_with("}"))
        return std::nullopt;
    }
    if (!rest.empty() || !header.descr || !header.fortranOrder || !header.shape)
      return std::nullopt;
    return header;
  }

private:
  bool eat(llvm::StringRef token) {
    rest = rest.ltrim(' ');
    return rest.consume_front(token) && (rest = rest.ltrim(' '), true);
  }

  std::optional<llvm::StringRef> parseString() {
    char quote = rest.empty() ? 0 : rest.front();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    size_t end = rest.find(quote, 1);
    if (end == llvm::StringRef::npos)
      return std::nullopt;
    llvm::StringRef text = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return text;
  }

  bool parseValue(llvm::StringRef key, NpyHeader &header) {
    if (key == "descr" && !header.descr) {
      header.descr = parseString();
      return header.descr.has_value();
    }
    if (key == "fortran_order" && !header.fortranOrder) {
      if (eat("True"))
        header.fortranOrder = true;
      else if (eat("False"))
        header.fortranOrder = false;
      return header.fortranOrder.has_value();
    }
    if (key == "shape" && !header.shape)
      return parseShape(header.shape.emplace());
    return false;
  }

  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!eat("("))
      return false;
    while (!eat(")")) {
      uint64_t size;
      if (rest.consumeInteger(10, size) || size > INT64_MAX || shape.size() == kMaxDims)
        return false;
      shape.push_back(int64_t(size));
      if (!eat(",") && !rest.starts_with(")"))
        return false;
    }
    return true;
  }

  llvm::StringRef rest;
};

/// A row of the table of npy type codes: kind and size as in numpy's dtype.str, without byte order.
struct NpyType {
  llvm::StringLiteral code;
  DType dtype;
};

} // namespace

static constexpr NpyType kNpyTypes[] = {
    {"b1", DType::Bool},      {"u1", DType::UInt8},      {"i1", DType::Int8},
    {"i2", DType::Int16},     {"i4", DType::Int32},      {"i8", DType::Int64},
    {"f2", DType::Float16},   {"f4", DType::Float32},    {"f8", DType::Float64},
    {"c8", DType::Complex64}, {"c16", DType::Complex128}};

static void swapBytes(HostTensor &tensor) {
  size_t width = isComplex(tensor.dtype()) ? tensor.elementBytes() / 2 : tensor.elementBytes();
  std::byte *end = tensor.bytes() + size_t(tensor.numel()) * tensor.elementBytes();
  for (std::byte *p = tensor.bytes(); p != end; p += width)
    std::reverse(p, p + width);
}

static llvm::SmallVector<int64_t, 4> fortranStrides(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> strides;
  int64_t next = 1;
  for (int64_t size : sizes) {
    strides.push_back(next);
    next *= std::max<int64_t>(size, 1);
  }
  return strides;
}

/// True if every byte is 0 or 1, as a C++ bool must be.
static bool areBools(llvm::StringRef bytes) {
  return llvm::all_of(bytes, [](char c) { return c == 0 || c == 1; });
}

llvm::Expected<HostTensor> ptc::parseNpy(std::shared_ptr<TensorStorage> file,
                                         llvm::StringRef path) {
  auto malformed = [&](const llvm::Twine &why) {
    return makeError(DiagId::NpyMalformed, {}, path, why.str());
  };
  llvm::StringRef bytes(reinterpret_cast<const char *>(file->data()), file->size());
  ByteReader reader(bytes);
  if (reader.take(kMagic.size()) != kMagic)
    return malformed("it does not start with the npy magic");
  std::optional<uint8_t> major = reader.takeInt<uint8_t>(), minor = reader.takeInt<uint8_t>();
  if (!major || !minor || *major < 1 || *major > 3)
    return malformed("its format version is not 1, 2 or 3");
  std::optional<uint32_t> length;
  if (*major == 1)
    length = reader.takeInt<uint16_t>();
  else
    length = reader.takeInt<uint32_t>();
  if (!length || *length > kMaxHeader)
    return malformed("its header is truncated or longer than 1 MiB");
  std::optional<llvm::StringRef> text = reader.take(*length);
  if (!text)
    return malformed("its header is truncated");
  std::optional<NpyHeader> header = HeaderParser(*text).parse();
  if (!header)
    return malformed("its header is not a dict of descr, fortran_order and shape");

  llvm::StringRef descr = *header->descr;
  bool big = descr.starts_with(">");
  const NpyType *type = llvm::find_if(kNpyTypes, [&](const NpyType &row) {
    return descr.size() > 1 && llvm::StringRef("<>|=").contains(descr[0]) &&
           descr.drop_front() == row.code;
  });
  if (type == std::end(kNpyTypes))
    return makeError(DiagId::NpyElementType, {}, path, descr);
  std::optional<int64_t> size = checkedBytes(*header->shape, getDTypeInfo(type->dtype).bytes);
  if (!size || uint64_t(*size) > reader.remaining())
    return malformed("its data is shorter than its shape");
  std::optional<llvm::StringRef> data = reader.take(*size);
  if (type->dtype == DType::Bool && !areBools(*data))
    return malformed("a bool is neither 0 nor 1");

  auto strides =
      *header->fortranOrder ? fortranStrides(*header->shape) : contiguousStrides(*header->shape);
  // The header's length is arbitrary, so elements may lie unaligned: copy.
  HostTensor tensor = HostTensor::zerosStrided(type->dtype, *header->shape, strides);
  std::copy_n(data->data(), data->size(), reinterpret_cast<char *>(tensor.bytes()));
  if (big)
    swapBytes(tensor);
  return tensor;
}

llvm::Expected<HostTensor> ptc::readNpy(llvm::StringRef path) {
  auto file = mapFile(path);
  if (!file)
    return file.takeError();
  return parseNpy(std::move(*file), path);
}

llvm::Error ptc::writeNpy(llvm::StringRef path, const HostTensor &tensor) {
  const NpyType *type =
      llvm::find_if(kNpyTypes, [&](const NpyType &row) { return row.dtype == tensor.dtype(); });
  if (type == std::end(kNpyTypes))
    return makeError(DiagId::NpyElementType, {}, path, getDTypeInfo(tensor.dtype()).torchName);
  std::string header;
  llvm::raw_string_ostream os(header);
  os << "{'descr': '" << (tensor.elementBytes() == 1 ? '|' : '<') << type->code
     << "', 'fortran_order': False, 'shape': (";
  llvm::interleave(tensor.sizes(), os, ", ");
  os << (tensor.dim() == 1 ? ",), }" : "), }");
  // Data starts at a multiple of 64; the header ends with a newline.
  header.append(63 - (kMagic.size() + 4 + header.size()) % 64, ' ').append("\n");

  std::string contents = kMagic.str();
  contents += {1, 0, char(header.size() & 0xff), char(header.size() >> 8)};
  contents += header;
  HostTensor dense = tensor.contiguous();
  llvm::ArrayRef<std::byte> data = dense.contiguousBytes();
  contents.append(reinterpret_cast<const char *>(data.data()), data.size());
  return writeFileAtomically(path, contents);
}
