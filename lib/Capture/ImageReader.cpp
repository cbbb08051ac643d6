//===- ImageReader.cpp - Modules of the prelude from the image --------------------------===//
//
// In: the bytes that Bake wrote. Out: the objects, classes, functions and writes of a unit, in the
// heap as its code would have left them.
//
//===----------------------------------------------------------------------===//
#include "Image.h"
#include "ImageCodec.h"

#include "ptc/Capture/ModuleFiles.h"
#include "ptc/Capture/Prelude.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace ptc;
using namespace ptc::capture;

namespace {

class UnitReader {
public:
  UnitReader(Engine &e, const Image &image, uint32_t unit)
      : e(e), unit(unit), bytes(image.units[unit].body) {}

  void read() {
    start = e.heap.nextId();
    e.steps += bytes.number();
    for (size_t n = bytes.number(); n; --n)
      names.push_back(e.intern(bytes.text()));
    for (size_t n = bytes.number(); n; --n)
      readFile();
    for (size_t n = bytes.number(); n; --n)
      readModule();
    for (size_t n = bytes.number(); n; --n)
      readClass();
    for (size_t n = bytes.number(); n; --n)
      readFunction();
    readObjects();
    for (size_t n = bytes.number(); n; --n) {
      ObjectId id = object();
      uint32_t k = key();
      e.heap.restore({id, k}, value());
    }
    e.world->hookedGetAttribute |= bytes.number() != 0;
    assert(bytes.done() && "a unit is read to its end");
  }

  ObjectId start = 0;

private:
  ObjectId object() {
    uint64_t of = bytes.number();
    ObjectId n = ObjectId(bytes.number());
    if (of == 0)
      return n;
    return n + (of == unit + 1 ? start : e.world->imaged[of - 1]);
  }

  uint32_t key() {
    uint64_t n = bytes.number();
    return n % 2 ? attrKey(names[n / 2]) : uint32_t(n / 2);
  }

  void readFile() {
    llvm::StringRef name = bytes.text();
    std::vector<LazyFile> &all = e.world->lazyFiles;
    auto at = llvm::find_if(all, [&](const LazyFile &file) { return file.module == name; });
    files.push_back(uint32_t(at - all.begin()));
    if (at == all.end())
      all.push_back({name.str()});
  }

  void readModule() {
    ModuleInfo info;
    info.name = bytes.text().str();
    info.file = bytes.text().str();
    info.prelude = bytes.number();
    infos.push_back(&e.world->moduleInfos.emplace_back(std::move(info)));
  }

  void readClass() {
    ClassInfo info;
    info.name = bytes.text().str();
    info.module = bytes.text().str();
    info.self = object();
    info.meta = object();
    for (std::vector<ObjectId> *list : {&info.bases, &info.mro})
      for (size_t n = bytes.number(); n; --n)
        list->push_back(object());
    info.layout = Layout(bytes.number());
    info.builtin = bytes.number();
    infos.push_back(&e.world->classInfos.emplace_back(std::move(info)));
  }

  void readFunction() {
    FunctionRecord &function = e.world->functions.emplace_back();
    function.code = nullptr;
    function.file = files[bytes.number()];
    function.place = uint32_t(bytes.number());
    function.globals = object();
    function.hidden = bytes.number();
    infos.push_back(static_cast<const FunctionInfo *>(&function));
  }

  void readObjects() {
    size_t count = bytes.number();
    for (size_t i = 0; i < count; ++i) {
      auto kind = ObjectKind(bytes.number());
      ObjectId cls = object();
      size_t info = bytes.number();
      e.heap.allocate(kind, cls, info ? infos[info - 1] : nullptr);
    }
    for (ObjectId id = start; id < start + count; ++id)
      for (size_t n = bytes.number(); n; --n) {
        uint32_t k = key();
        e.heap.set(id, k, value());
      }
  }

  Value value() {
    auto kind = Kind(bytes.number());
    auto sub = uint8_t(bytes.number());
    if (kind == Kind::Ref)
      return Value::ref(object());
    if (isOfName(kind, sub))
      return Value::constant(kind, names[bytes.number()], sub);
    if (!hasNode(kind))
      return kind == Kind::Absent ? Value() : Value::constant(kind, bytes.number(), sub);
    size_t known = bytes.number();
    if (known)
      return nodes[known - 1].withSub(sub);
    Value made = node(kind);
    nodes.push_back(made);
    return made.withSub(sub);
  }

  Value node(Kind kind) {
    if (isComposite(kind)) {
      std::vector<Value> parts;
      size_t count = bytes.number();
      parts.reserve(count);
      for (; count; --count)
        parts.push_back(value());
      return Value::composite(kind, std::move(parts));
    }
    if (kind == Kind::Code) {
      const CodeFile &file = readLazyFile(*e.world, files[bytes.number()]);
      return Value::code(file.codeObjects()[bytes.number()]);
    }
    llvm::StringRef text = bytes.text();
    if (kind == Kind::Bytes)
      return Value::bytes(text);
    assert(kind == Kind::Str && "Bake writes no other node");
    return Value::str(text);
  }

  Engine &e;
  uint32_t unit;
  Bytes bytes;
  std::vector<NameId> names;
  std::vector<uint32_t> files;     ///< of World::lazyFiles
  std::vector<const void *> infos; ///< of modules, classes and functions
  std::vector<Value> nodes;        ///< in the order in which they end
};

} // namespace

const CodeFile &capture::readLazyFile(World &w, uint32_t file) {
  LazyFile &lazy = w.lazyFiles[file];
  if (!lazy.file) {
    // Both were read before, as they are now.
    ReadOptions options;
    options.verify = lazy.bytes != nullptr;
    options.source = cachedSourceOf(lazy.path);
    auto read = lazy.bytes ? readPyc(lazy.bytes->getBuffer(), lazy.path, options)
                           : readPyc(findPreludeModule(lazy.module)->bytes, "<" + lazy.module + ">",
                                     options);
    w.files.push_back(llvm::cantFail(std::move(read)));
    lazy.file = w.files.back().get();
  }
  return *lazy.file;
}

void capture::readCode(const Engine &e, const FunctionRecord &function) {
  // What the function is does not change: only when it is known.
  const_cast<FunctionRecord &>(function).code =
      readLazyFile(*e.world, function.file).codeObjects()[function.place];
}

std::optional<Image> capture::findImage(llvm::StringRef all, PythonVersion version) {
  Bytes images(all);
  while (!images.done()) {
    Image image;
    image.version = PythonVersion(images.number());
    Bytes bytes(images.text());
    if (image.version != version)
      continue;
    image.base = ObjectId(bytes.number());
    for (size_t n = bytes.number(); n; --n) {
      ImageUnit &unit = image.units.emplace_back();
      for (size_t i = bytes.number(); i; --i)
        unit.modules.push_back(bytes.text());
      for (size_t i = bytes.number(); i; --i)
        unit.needs.push_back(uint32_t(bytes.number()));
      unit.body = bytes.text();
    }
    return image;
  }
  return std::nullopt;
}

static bool isLoadedFromImage(Engine &e, uint32_t unit) {
  ObjectId start = e.world->imaged[unit];
  return start && e.heap.exists(start);
}

/// Would the code of the prelude find the world as Bake's engine had it?
static bool isPristine(Engine &e, const Image &image) {
  const World &w = *e.world;
  size_t classes = w.ownClasses;
  for (uint32_t unit = 0; unit < image.units.size(); ++unit)
    if (w.imaged[unit] && !isLoadedFromImage(e, unit))
      return false; // what was loaded has been rolled back
  return !e.recording() && !e.heap.isDisturbed() && w.classInfos.size() == classes;
}

static void loadUnit(Engine &e, const Image &image, uint32_t unit) {
  if (isLoadedFromImage(e, unit))
    return;
  for (uint32_t need : image.units[unit].needs)
    loadUnit(e, image, need);
  UnitReader reader(e, image, unit);
  reader.read();
  e.world->imaged[unit] = reader.start;
}

bool capture::loadFromImage(Engine &e, llvm::StringRef module) {
  World &w = *e.world;
  if (!w.image || w.image->version != w.version) {
    if (llvm::any_of(w.imaged, [](ObjectId start) { return start != 0; }))
      return false; // modules of another version are there
    std::optional<Image> found = findImage(imageBytes(), w.version);
    if (!found || found->base != w.ownObjects)
      return false; // an engine without torch has other objects
    w.image = std::make_shared<const Image>(std::move(*found));
    w.imaged.assign(w.image->units.size(), 0);
  }
  const Image &image = *w.image;
  auto unit = llvm::find_if(
      image.units, [&](const ImageUnit &row) { return llvm::is_contained(row.modules, module); });
  if (unit == image.units.end() || !isPristine(e, image))
    return false;
  ObjectId first = e.heap.nextId();
  loadUnit(e, image, uint32_t(unit - image.units.begin()));
  w.ownClasses = w.classInfos.size();
  e.heap.watch(first);
  e.heap.setDisturbed(false);
  return true;
}
