// .pyc bytes into code objects: the marshal tree becomes constants, children first, and the fields
// of each code object are checked for their types. Instructions are checked by Decode.cpp. In:
// bytes. Out: a CodeFile that owns all of it, or a typed error.
#include "ptc/Bytecode/Reader.h"

#include "Marshal.h"

#include "ptc/Bytecode/Decode.h"
#include "ptc/Support/Error.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ptc;

struct CodeFile::Storage {
  std::string bytes;
  llvm::BumpPtrAllocator arena;
  std::vector<std::unique_ptr<CodeObject>> codes;
  std::string source; ///< the name of it, where it is not the file's own
};

CodeFile::CodeFile() : storage(std::make_unique<Storage>()) {}
CodeFile::~CodeFile() = default;

namespace ptc {

class CodeFileBuilder {
public:
  CodeFileBuilder(llvm::StringRef bytes, llvm::StringRef name, const ReadOptions &options)
      : file(new CodeFile), options(options) {
    file->storage->bytes = bytes.str();
    file->fileName = name.str();
  }

  llvm::Expected<std::unique_ptr<CodeFile>> run(std::optional<PythonVersion> bareVersion);

private:
  template <typename T, typename... Args> const Constant *make(Args &&...args) {
    return new (file->storage->arena) T(std::forward<Args>(args)...);
  }
  template <typename T> llvm::MutableArrayRef<T> allocate(size_t n) {
    return {file->storage->arena.Allocate<T>(n), n};
  }

  const Constant *build(uint32_t index);
  const Constant *buildLong(const marshal::Node &node);
  const Constant *buildCode(uint32_t index);
  llvm::ArrayRef<const Constant *> children(uint32_t index);
  bool fillTexts(CodeObject &code, llvm::ArrayRef<const Constant *> fields);
  bool fillLocals(CodeObject &code, const Constant *names, const Constant *kinds);
  bool checkCounts(const CodeObject &code);
  const Constant *fail(const llvm::Twine &why) {
    if (problem.empty())
      problem = why.str();
    return nullptr;
  }

  std::unique_ptr<CodeFile> file;
  const ReadOptions &options;
  marshal::Tree tree;
  std::vector<const Constant *> built; ///< by node
  std::string problem;
};

} // namespace ptc

const Constant *CodeFileBuilder::buildLong(const marshal::Node &node) {
  size_t digits = node.bytes.size() / 2;
  llvm::MutableArrayRef<uint64_t> words = allocate<uint64_t>((digits * 15 + 63) / 64);
  std::fill(words.begin(), words.end(), 0);
  for (size_t i = 0; i < digits; ++i) {
    uint64_t digit = llvm::support::endian::read16le(node.bytes.data() + 2 * i);
    size_t bit = 15 * i;
    words[bit / 64] |= digit << (bit % 64);
    if (bit % 64 > 49 && digit >> (64 - bit % 64))
      words[bit / 64 + 1] |= digit >> (64 - bit % 64);
  }
  llvm::ArrayRef<uint64_t> trimmed = words;
  while (!trimmed.empty() && trimmed.back() == 0)
    trimmed = trimmed.drop_back();
  return make<IntConstant>(node.value != 0, trimmed);
}

llvm::ArrayRef<const Constant *> CodeFileBuilder::children(uint32_t index) {
  const marshal::Node &node = tree.nodes[index];
  auto items = allocate<const Constant *>(node.children);
  uint32_t child = index + 1;
  for (const Constant *&item : items) {
    item = built[child];
    child = tree.nodes[child].end;
  }
  return items;
}

static const IntConstant *makeSmall(llvm::BumpPtrAllocator &arena, int64_t value) {
  auto *word = arena.Allocate<uint64_t>(1);
  *word = value < 0 ? 0 - static_cast<uint64_t>(value) : value;
  return new (arena) IntConstant(value < 0, llvm::ArrayRef<uint64_t>(word, value != 0));
}

const Constant *CodeFileBuilder::build(uint32_t index) {
  const marshal::Node &node = tree.nodes[index];
  auto readDouble = [&](unsigned at) {
    return llvm::bit_cast<double>(llvm::support::endian::read64le(node.bytes.data() + at));
  };
  if (marshal::isString(node.type)) {
    bool ascii = node.type != marshal::Unicode && node.type != marshal::Interned;
    ascii = ascii || llvm::all_of(node.bytes, [](char c) { return !(c & 0x80); });
    return make<StrConstant>(node.bytes, ascii);
  }
  switch (node.type) {
  case marshal::None:
    return make<Constant>(ConstKind::None);
  case marshal::Ellipsis:
    return make<Constant>(ConstKind::Ellipsis);
  case marshal::False:
  case marshal::True:
    return make<BoolConstant>(node.type == marshal::True);
  case marshal::Int32:
    return makeSmall(file->storage->arena, static_cast<int32_t>(node.value));
  case marshal::Int64:
    return makeSmall(file->storage->arena,
                     static_cast<int64_t>(llvm::support::endian::read64le(node.bytes.data())));
  case marshal::Long:
    return buildLong(node);
  case marshal::Float:
    return make<FloatConstant>(readDouble(0));
  case marshal::Complex:
    return make<ComplexConstant>(readDouble(0), readDouble(8));
  case marshal::Bytes:
    return make<BytesConstant>(node.bytes);
  case marshal::SmallTuple:
  case marshal::Tuple:
    return make<TupleConstant>(children(index));
  case marshal::FrozenSet:
    return make<FrozenSetConstant>(children(index));
  case marshal::Slice: {
    auto items = children(index);
    return make<SliceConstant>(items[0], items[1], items[2]);
  }
  case marshal::Ref:
    return built[node.value];
  default:
    assert(node.type == marshal::Code && "the parser lets no other type through");
    return buildCode(index);
  }
}

static llvm::ArrayRef<uint8_t> bytesOf(const Constant *c) {
  llvm::StringRef data = llvm::cast<BytesConstant>(c)->data;
  return {data.bytes_begin(), data.size()};
}

bool CodeFileBuilder::fillTexts(CodeObject &code, llvm::ArrayRef<const Constant *> fields) {
  auto text = [&](marshal::CodeField field, llvm::StringRef &out) {
    const auto *s = llvm::dyn_cast<StrConstant>(fields[field]);
    if (s)
      out = s->text;
    return s != nullptr;
  };
  return text(marshal::FileName, code.fileName) && text(marshal::Name, code.name) &&
         text(marshal::QualName, code.qualName);
}

bool CodeFileBuilder::fillLocals(CodeObject &code, const Constant *names, const Constant *kinds) {
  constexpr uint8_t hidden = 0x10, local = 0x20, cell = 0x40, free = 0x80;
  const auto *nameTuple = llvm::dyn_cast<TupleConstant>(names);
  const auto *kindBytes = llvm::dyn_cast<BytesConstant>(kinds);
  if (!nameTuple || !kindBytes || nameTuple->items.size() != kindBytes->data.size())
    return false;
  auto locals = allocate<LocalSlot>(nameTuple->items.size());
  bool freeSeen = false;
  for (auto [slot, item, kindChar] : llvm::zip(locals, nameTuple->items, kindBytes->data)) {
    const auto *name = llvm::dyn_cast<StrConstant>(item);
    auto kind = static_cast<uint8_t>(kindChar);
    freeSeen |= kind & free;
    bool isFree = kind & free;
    if (!name || !(kind & (local | cell | free)) || isFree != freeSeen ||
        (isFree && (kind & (local | cell))))
      return false;
    slot = {name->text, bool(kind & local), bool(kind & cell), isFree, bool(kind & hidden)};
  }
  code.locals = locals;
  return true;
}

bool CodeFileBuilder::checkCounts(const CodeObject &code) {
  constexpr uint32_t limit = 1U << 28;
  if (code.argCount > limit || code.kwOnlyArgCount > limit || code.stackSize > limit ||
      code.posOnlyArgCount > code.argCount || code.parameterCount() > code.locals.size())
    return false;
  return llvm::all_of(code.locals.take_front(code.parameterCount()),
                      [](const LocalSlot &slot) { return slot.isLocal; });
}

const Constant *CodeFileBuilder::buildCode(uint32_t index) {
  auto owned = std::make_unique<CodeObject>();
  CodeObject &code = *owned;
  const auto &ints = tree.codeInts[tree.nodes[index].value];
  code.version = file->pythonVersion;
  code.argCount = ints[marshal::ArgCount];
  code.posOnlyArgCount = ints[marshal::PosOnlyArgCount];
  code.kwOnlyArgCount = ints[marshal::KwOnlyArgCount];
  code.stackSize = ints[marshal::StackSize];
  code.flags = ints[marshal::Flags];
  code.firstLine = ints[marshal::FirstLine];
  llvm::ArrayRef<const Constant *> fields = children(index);
  if (!fillTexts(code, fields))
    return fail("the name of a code object is not a string");
  for (marshal::CodeField field : {marshal::CodeBytes, marshal::LineTable, marshal::ExceptionTable})
    if (!llvm::isa<BytesConstant>(fields[field]))
      return fail("code, line table or exception table of '" + code.name + "' is not bytes");
  code.code = bytesOf(fields[marshal::CodeBytes]);
  code.lineTable = bytesOf(fields[marshal::LineTable]);
  code.exceptionTable = bytesOf(fields[marshal::ExceptionTable]);
  const auto *consts = llvm::dyn_cast<TupleConstant>(fields[marshal::Consts]);
  const auto *names = llvm::dyn_cast<TupleConstant>(fields[marshal::Names]);
  if (!consts || !names)
    return fail("constants or names of '" + code.name + "' are not a tuple");
  code.consts = consts->items;
  auto texts = allocate<llvm::StringRef>(names->items.size());
  for (auto [out, item] : llvm::zip(texts, names->items)) {
    const auto *s = llvm::dyn_cast<StrConstant>(item);
    if (!s)
      return fail("a name of '" + code.name + "' is not a string");
    out = s->text;
  }
  code.names = texts;
  if (!fillLocals(code, fields[marshal::LocalNames], fields[marshal::LocalKinds]))
    return fail("the table of locals of '" + code.name + "' is malformed");
  if (!checkCounts(code))
    return fail("the parameter counts of '" + code.name + "' do not fit its locals");
  file->storage->codes.push_back(std::move(owned));
  return &code;
}

llvm::Expected<std::unique_ptr<CodeFile>>
CodeFileBuilder::run(std::optional<PythonVersion> bareVersion) {
  llvm::StringRef bytes = file->storage->bytes, name = file->fileName;
  if (bareVersion) {
    file->pythonVersion = *bareVersion;
  } else {
    llvm::Expected<marshal::Prefix> prefix = marshal::parseHeader(bytes, name);
    if (!prefix)
      return prefix.takeError();
    file->pythonVersion = prefix->version;
    file->pycHeader = prefix->header;
    bytes = bytes.drop_front(marshal::kHeaderSize);
  }
  llvm::Expected<marshal::Tree> parsed = marshal::parse(bytes, name, options.limits);
  if (!parsed)
    return parsed.takeError();
  tree = std::move(*parsed);
  built.resize(tree.nodes.size());
  for (uint32_t index : tree.order) {
    built[index] = build(index);
    if (!built[index])
      return makeError(DiagId::PycMalformed, {name.str()}, name, problem);
  }
  file->topCode = llvm::dyn_cast<CodeObject>(built[0]);
  if (!file->topCode)
    return makeError(DiagId::PycMalformed, {name.str()}, name, "it does not hold a code object");
  const llvm::StringRef compiledFrom = file->topCode->fileName;
  file->storage->source = options.source;
  for (const auto &code : llvm::reverse(file->storage->codes)) {
    if (!options.source.empty() && code->fileName == compiledFrom)
      code->fileName = file->storage->source;
    file->codes.push_back(code.get());
  }
  if (options.verify)
    for (const CodeObject *code : file->codes)
      if (llvm::Expected<const CanonicalCode *> canonical = getCanonical(*code); !canonical)
        return canonical.takeError();
  return std::move(file);
}

llvm::Expected<std::unique_ptr<CodeFile>> ptc::readPyc(llvm::StringRef bytes, llvm::StringRef name,
                                                       const ReadOptions &options) {
  return CodeFileBuilder(bytes, name, options).run(std::nullopt);
}

llvm::Expected<std::unique_ptr<CodeFile>> ptc::readMarshal(llvm::StringRef bytes,
                                                           PythonVersion version,
                                                           llvm::StringRef name,
                                                           const ReadOptions &options) {
  return CodeFileBuilder(bytes, name, options).run(version);
}

llvm::Expected<std::unique_ptr<CodeFile>> ptc::readPycFile(llvm::StringRef path,
                                                           const ReadOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(DiagId::FileNotReadable, {}, path, buffer.getError().message());
  return readPyc((*buffer)->getBuffer(), path, options);
}
