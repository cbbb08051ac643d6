// Marshal data into a flat tree: iterative, bounded, no object is named before it is complete.
// In: bytes. Out: marshal::Tree, whose strings are well-formed and whose refs point to complete
// objects, or PycMalformed with the offset. Facts: Python/marshal.c of CPython 3.11 to 3.15.
#include "Marshal.h"

#include "ptc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace ptc;
using namespace ptc::marshal;

namespace {

/// UTF-8 in which surrogates may be encoded; no overlong forms.
bool isGeneralizedUtf8(llvm::StringRef text) {
  const auto *p = text.bytes_begin(), *end = text.bytes_end();
  while (p != end) {
    uint8_t lead = *p++;
    if (lead < 0x80)
      continue;
    unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || end - p < more)
      return false;
    uint32_t value = lead & (0x3f >> more);
    for (unsigned i = 0; i < more; ++i, ++p) {
      if ((*p & 0xc0) != 0x80)
        return false;
      value = value << 6 | (*p & 0x3f);
    }
    if ((more == 2 && value < 0x800) || (more == 3 && (value < 0x10000 || value > 0x10ffff)))
      return false;
  }
  return true;
}

class Parser {
public:
  Parser(llvm::StringRef bytes, llvm::StringRef name, const ReadLimits &limits)
      : bytes(bytes), name(name), limits(limits) {}

  llvm::Expected<Tree> run();

private:
  struct Open {
    uint32_t node;
    uint32_t read; ///< children read so far
  };

  bool fail(const llvm::Twine &why) {
    if (problem.empty())
      problem = (why + " at byte " + llvm::Twine(pos)).str();
    return false;
  }
  bool failLimit(const llvm::Twine &what) {
    isLimit = true;
    problem = what.str();
    return false;
  }
  bool take(uint64_t n, llvm::StringRef &out) {
    if (bytes.size() - pos < n)
      return fail("data ends early");
    out = bytes.substr(pos, n);
    pos += n;
    return true;
  }
  bool takeByte(uint8_t &out) {
    llvm::StringRef b;
    if (!take(1, b))
      return false;
    out = static_cast<uint8_t>(b[0]);
    return true;
  }
  bool takeInt(uint32_t &out) {
    llvm::StringRef b;
    if (!take(4, b))
      return false;
    out = llvm::support::endian::read32le(b.data());
    return true;
  }
  bool takeSized(bool isShort, llvm::StringRef &out) {
    uint8_t small;
    uint32_t size;
    if (isShort) {
      if (!takeByte(small))
        return false;
      size = small;
    } else if (!takeInt(size)) {
      return false;
    }
    if (size > INT32_MAX)
      return fail("negative size");
    return take(size, out);
  }

  bool readObject();
  bool readLeaf(Node &node);
  bool readLong(Node &node);
  bool readRef(Node &node);
  bool openContainer(uint32_t index);
  bool readCodeInts(Open &open);
  void close(uint32_t index) {
    tree.nodes[index].end = tree.nodes.size();
    tree.order.push_back(index);
  }

  llvm::StringRef bytes, name;
  const ReadLimits &limits;
  uint64_t pos = 0;
  Tree tree;
  std::vector<Open> stack;
  std::string problem;
  bool isLimit = false;
};

bool Parser::readLong(Node &node) {
  uint32_t count;
  if (!takeInt(count))
    return false;
  auto n = static_cast<int32_t>(count);
  if (n == INT32_MIN)
    return fail("integer too long");
  node.value = n < 0;
  if (!take(2ULL * std::abs(n), node.bytes))
    return false;
  for (size_t i = 0; i < node.bytes.size(); i += 2) {
    uint16_t digit = llvm::support::endian::read16le(node.bytes.data() + i);
    if (digit >> 15 || (digit == 0 && i + 2 == node.bytes.size()))
      return fail("integer digit out of range");
  }
  return true;
}

bool Parser::readRef(Node &node) {
  uint32_t number;
  if (!takeInt(number))
    return false;
  if (number >= tree.shared.size())
    return fail("reference to an object that is not there");
  node.value = tree.shared[number];
  if (tree.nodes[node.value].end == 0)
    return fail("reference to an object that is not complete");
  return true;
}

bool Parser::readLeaf(Node &node) {
  switch (node.type) {
  case None:
  case False:
  case True:
  case Ellipsis:
    return true;
  case Int32:
    return takeInt(node.value);
  case Int64:
  case Float:
    return take(8, node.bytes);
  case Complex:
    return take(16, node.bytes);
  case Long:
    return readLong(node);
  case Bytes:
    return takeSized(false, node.bytes);
  case Ascii:
  case AsciiInterned:
  case ShortAscii:
  case ShortAsciiInterned:
    if (!takeSized(node.type == ShortAscii || node.type == ShortAsciiInterned, node.bytes))
      return false;
    return llvm::all_of(node.bytes, [](char c) { return static_cast<uint8_t>(c) < 0x80; }) ||
           fail("ASCII text with a byte above 127");
  case Unicode:
  case Interned:
    return takeSized(false, node.bytes) &&
           (isGeneralizedUtf8(node.bytes) || fail("text is not UTF-8"));
  case Ref:
    return readRef(node);
  default:
    return fail("object of type '" + llvm::Twine(llvm::isPrint(node.type) ? char(node.type) : '?') +
                "' cannot be a constant,");
  }
}

bool Parser::openContainer(uint32_t index) {
  Node &node = tree.nodes[index];
  uint8_t small;
  switch (node.type) {
  case SmallTuple:
    if (!takeByte(small))
      return false;
    node.children = small;
    break;
  case Tuple:
  case FrozenSet:
    if (!takeInt(node.children))
      return false;
    break;
  case Slice:
    node.children = 3;
    break;
  default:
    assert(node.type == Code);
    node.children = NumCodeFields;
    node.value = tree.codeInts.size();
    tree.codeInts.emplace_back();
    break;
  }
  if (node.children > bytes.size() - pos)
    return fail("data ends early");
  if (stack.size() >= limits.nesting)
    return failLimit("objects nested more than " + llvm::Twine(limits.nesting) + " deep");
  stack.push_back({index, 0});
  return true;
}

bool Parser::readCodeInts(Open &open) {
  auto &ints = tree.codeInts[tree.nodes[open.node].value];
  unsigned first = open.read == 0 ? ArgCount : FirstLine;
  unsigned last = open.read == 0 ? Flags : FirstLine;
  for (unsigned i = first; i <= last; ++i)
    if (!takeInt(ints[i]))
      return false;
  return true;
}

bool Parser::readObject() {
  uint8_t type;
  if (!takeByte(type))
    return false;
  if (tree.nodes.size() >= limits.objects)
    return failLimit("more than " + llvm::Twine(limits.objects) + " objects");
  uint32_t index = tree.nodes.size();
  Node &node = tree.nodes.emplace_back();
  node.type = type & ~kFlagRef;
  node.isShared = type & kFlagRef;
  if (node.isShared) {
    if (node.type == Ref)
      return fail("shared reference");
    tree.shared.push_back(index);
  }
  if (isContainer(node.type))
    return openContainer(index);
  if (!readLeaf(node))
    return false;
  close(index);
  return true;
}

llvm::Expected<Tree> Parser::run() {
  tree.nodes.reserve(bytes.size() / 8);
  bool ok = bytes.size() <= limits.bytes
                ? readObject()
                : failLimit("more than " + llvm::Twine(limits.bytes) + " bytes");
  while (ok && !stack.empty()) {
    Open &open = stack.back();
    const Node &node = tree.nodes[open.node];
    if (open.read == node.children) {
      close(open.node);
      stack.pop_back();
      continue;
    }
    if (node.type == Code && (open.read == 0 || open.read == kFieldAfterFirstLine))
      ok = readCodeInts(open);
    ++open.read;
    ok = ok && readObject();
  }
  if (ok && pos != bytes.size())
    ok = fail("data goes on behind the code object");
  if (ok)
    return std::move(tree);
  return makeError(isLimit ? DiagId::CodeTooLarge : DiagId::PycMalformed, {name.str()}, name,
                   problem);
}

} // namespace

llvm::Expected<Tree> marshal::parse(llvm::StringRef bytes, llvm::StringRef name,
                                    const ReadLimits &limits) {
  return Parser(bytes, name, limits).run();
}

/// The release whose magic number is the last one up to `magic`; none for those that ptc reads and
/// for what no CPython wrote. Pre-releases used the numbers before a release's.
static std::optional<llvm::StringRef> findOldVersion(uint16_t magic) {
  static constexpr std::pair<uint16_t, llvm::StringLiteral> kReleases[] = {
      {3131, "3.0"}, {3151, "3.1"}, {3180, "3.2"}, {3230, "3.3"}, {3310, "3.4"}, {3351, "3.5"},
      {3379, "3.6"}, {3394, "3.7"}, {3413, "3.8"}, {3425, "3.9"}, {3439, "3.10"}};
  for (const auto &[last, name] : kReleases)
    if (magic >= 3000 && magic <= last)
      return name;
  return magic == 62211 ? std::optional<llvm::StringRef>("2.7") : std::nullopt;
}

llvm::Expected<Prefix> marshal::parseHeader(llvm::StringRef bytes, llvm::StringRef name) {
  auto malformed = [&](const char *why) {
    return makeError(DiagId::PycMalformed, {name.str()}, name, why);
  };
  if (bytes.size() < 4 || bytes[2] != '\r' || bytes[3] != '\n')
    return malformed("it does not begin with a magic number");
  uint16_t magic = llvm::support::endian::read16le(bytes.data());
  std::string known;
#define PTC_PYTHON(Minor, Magic, ...)                                                              \
  if (magic == Magic) {                                                                            \
    if (bytes.size() < kHeaderSize)                                                                \
      return malformed("the header ends early");                                                   \
    Prefix prefix{PythonVersion::Py3##Minor, {}};                                                  \
    prefix.header.flags = llvm::support::endian::read32le(bytes.data() + 4);                       \
    prefix.header.stamp = llvm::support::endian::read64le(bytes.data() + 8);                       \
    if (prefix.header.flags > 3)                                                                   \
      return malformed("unknown flags in the header");                                             \
    return prefix;                                                                                 \
  }                                                                                                \
  known += known.empty() ? "3." #Minor : ", 3." #Minor;
#include "ptc/Bytecode/Versions.def"
  Diagnostic diag = makeDiagnostic(DiagId::PycMagicUnknown, {name.str()}, name, magic, known);
  if (std::optional<llvm::StringRef> version = findOldVersion(magic))
    diag.hint(("it was written by CPython " + *version +
               ": compile the source with one of the supported versions")
                  .str());
  return makeError(std::move(diag));
}
