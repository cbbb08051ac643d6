//===- Image.cpp - Modules from the image are those that their code makes --------------===//
//
// For each Python version and module of the prelude: the heap after its code has run and after it
// came from the image, written in one normal form, are the same text; so are those after all
// modules in two orders. The orders of sys.modules, of modules among the names of others and of
// __subclasses__() are not compared.
//
//===----------------------------------------------------------------------===//
#include "Image.h"
#include "Answers.h"
#include "Tensors.h"

#include "ptc/Capture/Prelude.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>

using namespace ptc;
using namespace ptc::capture;

namespace {

/// Text of everything that is reachable, objects numbered in the order in which they are met.
class Dump {
public:
  explicit Dump(Engine &e) : e(e) {}

  std::string text() {
    for (ObjectId root : {e.world->modules, e.world->builtins, e.world->prelude})
      number(root);
    for (size_t i = 0; i < found.size(); ++i)
      object(found[i]);
    return std::move(out);
  }
  size_t objects() const { return found.size(); }

private:
  uint32_t number(ObjectId id) {
    auto [at, fresh] = numbers.try_emplace(id, numbers.size());
    if (fresh)
      found.push_back(id);
    return at->second;
  }
  void add(const llvm::Twine &text) {
    llvm::raw_string_ostream stream(out);
    text.print(stream);
    stream << ' ';
  }
  void add(const std::vector<ObjectId> &ids) {
    for (ObjectId id : ids)
      add("#" + llvm::Twine(number(id)));
  }

  void object(ObjectId id) {
    const ObjectHeader &header = e.heap.header(id);
    add("\n#" + llvm::Twine(number(id)) + " kind " + llvm::Twine(int(header.kind)));
    if (header.cls)
      add({header.cls});
    if (header.kind == ObjectKind::Class) {
      const ClassInfo &info = e.classInfo(id);
      add(info.name + " " + info.module + " " + llvm::Twine(int(info.layout)) +
          (info.builtin ? " builtin" : ""));
      add({info.self, info.meta});
      add(info.bases);
      add("mro");
      add(info.mro);
    } else if (header.kind == ObjectKind::Module) {
      const auto &info = *static_cast<const ModuleInfo *>(header.info);
      add(info.name + " " + info.file + (info.prelude ? " prelude" : ""));
    } else if (header.kind == ObjectKind::Function) {
      const FunctionRecord &function = functionOf(e, id);
      code(function.code);
      add({function.globals});
      add(function.hidden ? "hidden" : "shown");
    }
    std::vector<std::pair<uint32_t, Value>> slots;
    // Names come in their order, whether the heap has it written down or made them in it.
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (key != kNameOrder || !e.heap.hasNames(id))
        slots.emplace_back(key, v);
    });
    auto name = [&](uint32_t key) {
      return isAttrKey(key) ? e.nameText(nameOfKey(key)).str() : std::to_string(key);
    };
    if (id == e.world->modules)
      llvm::sort(slots, [&](auto &a, auto &b) { return name(a.first) < name(b.first); });
    if (header.kind == ObjectKind::Module) {
      decltype(slots) modules;
      llvm::copy_if(slots, std::back_inserter(modules),
                    [&](auto &slot) { return isModule(slot.second); });
      llvm::sort(modules, [&](auto &a, auto &b) { return name(a.first) < name(b.first); });
      llvm::erase_if(slots, [&](auto &slot) { return isModule(slot.second); });
      llvm::append_range(slots, modules);
    }
    for (const auto &[key, v] : slots) {
      add("\n  " + name(key) + ":");
      value(v);
    }
  }

  bool isModule(const Value &v) const {
    return v.is(Kind::Ref) && e.heap.kind(v.asRef()) == ObjectKind::Module;
  }

  void code(const CodeObject *code) {
    add(code->fileName + ":" + code->qualName + ":" + llvm::Twine(code->firstLine) + ":" +
        llvm::Twine(code->code.size()));
  }

  void value(const Value &v) {
    add(llvm::Twine(int(v.kind())) + "." + llvm::Twine(int(v.sub())) + "@" +
        llvm::Twine(v.source()));
    if (v.is(Kind::Ref))
      return add({v.asRef()});
    if (v.is(Kind::TorchOp))
      return add(e.nameText(NameId(v.bits())));
    if (v.is(Kind::Str))
      return add("'" + v.asStr() + "'");
    if (v.is(Kind::Bytes))
      return add("b'" + v.asBytes() + "'");
    if (v.is(Kind::Code))
      return code(v.asCode());
    if (isComposite(v.kind())) {
      add("(");
      for (const Value &part : v.parts())
        value(part);
      return add(")");
    }
    if (v.is(Kind::Opaque))
      return add(v.nodeAs<OpaqueNode>(Kind::Opaque).path);
    if (hasNode(v.kind())) // REQUIRE would take longer than all the rest
      FAIL("a kind of value that is not written");
    if (!v.isAbsent())
      add(llvm::Twine(v.bits()));
  }

  Engine &e;
  std::string out;
  llvm::DenseMap<ObjectId, uint32_t> numbers;
  std::vector<ObjectId> found;
};

std::unique_ptr<Engine> makeEngine(PythonVersion version, bool usesImage) {
  auto e = std::make_unique<Engine>();
  bootstrapTorch(*e);
  llvm::cantFail(bootstrapPrelude(*e));
  e->limits.steps = ~uint64_t(0);
  e->world->lenient = true;
  e->world->usesImage = usesImage;
  setVersion(*e, version);
  return e;
}

size_t unitsLoaded(Engine &e) {
  return llvm::count_if(e.world->imaged, [](ObjectId start) { return start != 0; });
}

/// Are both ways to the modules, in this order, the same?
void compare(PythonVersion version, llvm::ArrayRef<llvm::StringRef> modules) {
  std::string texts[2];
  for (bool usesImage : {false, true}) {
    std::unique_ptr<Engine> e = makeEngine(version, usesImage);
    // As an import statement, which runs again when the module's code has run.
    for (int run = 0; run < 2; ++run)
      for (llvm::StringRef module : modules)
        llvm::consumeError(importPrelude(*e, module));
    CHECK((unitsLoaded(*e) > 0) == usesImage);
    Dump dump(*e);
    texts[usesImage] = dump.text();
    CHECK(dump.objects() > 500);
  }
  if (texts[0] == texts[1])
    return;
  auto [code, image] =
      std::mismatch(texts[0].begin(), texts[0].end(), texts[1].begin(), texts[1].end());
  size_t at = size_t(code - texts[0].begin()), from = at > 300 ? at - 300 : 0;
  INFO(getVersionName(version).str()
       << " " << modules.front().str() << "\ncode: " << texts[0].substr(from, 600)
       << "\n\nimage: " << texts[1].substr(from, 600));
  FAIL_CHECK("they differ");
}

constexpr PythonVersion kVersions[] = {
#define PTC_PYTHON(Minor, ...) PythonVersion::Py3##Minor,
#include "ptc/Bytecode/Versions.def"
};

} // namespace

/// Each module of a version, alone, is compared on one day of so many; PTC_ALL=1: all. The test
/// below compares all modules of every version in two orders, each day.
static constexpr unsigned kDays = 13;

static bool isOfToday(unsigned number) {
  using Days = std::chrono::duration<unsigned, std::ratio<86400>>;
  unsigned day =
      std::chrono::floor<Days>(std::chrono::system_clock::now().time_since_epoch()).count();
  return std::getenv("PTC_ALL") || (number + day) % kDays == 0;
}

TEST_CASE("a module from the image is the module that its code makes") {
  unsigned number = 0;
  for (PythonVersion version : kVersions) {
    std::optional<Image> image = findImage(imageBytes(), version);
    REQUIRE(image);
    CHECK(image->units.size() > 20);
    for (const ImageUnit &unit : image->units)
      for (llvm::StringRef module : unit.modules)
        if (isOfToday(++number))
          compare(version, module);
  }
}

TEST_CASE("modules from the image in any order") {
  for (PythonVersion version : kVersions) {
    std::vector<llvm::StringRef> modules;
    std::optional<Image> image = findImage(imageBytes(), version);
    REQUIRE(image);
    for (const ImageUnit &unit : image->units)
      modules.push_back(unit.modules.back());
    compare(version, modules);
    std::reverse(modules.begin(), modules.end());
    compare(version, modules);
  }
}

TEST_CASE("code runs where the image might not be what it makes") {
  auto e = makeEngine(PythonVersion::Py311, true);
  SECTION("an object of the prelude has been written") {
    e->heap.set(e->world->builtins, attrKey(e->intern("oct")), Value::integer(3));
  }
  SECTION("a class has been made") {
    ClassInfo info;
    info.name = "Own";
    info.meta = e->builtinClass(WellKnown::TypeType);
    info.bases = {e->builtinClass(WellKnown::ObjectType)};
    (void)e->makeClass(info);
  }
  REQUIRE(!importPrelude(*e, "functools"));
  CHECK(unitsLoaded(*e) == 0);
}

TEST_CASE("nothing comes from the image while an entry is captured") {
  auto e = makeEngine(PythonVersion::Py311, true);
  e->isRecording = true;
  CHECK(llvm::errorToBool(importPrelude(*e, "functools")));
  CHECK(unitsLoaded(*e) == 0);
}

TEST_CASE("what was loaded and rolled back is loaded no more") {
  auto e = makeEngine(PythonVersion::Py313, true);
  Heap::Mark mark = e->heap.mark();
  REQUIRE(!importPrelude(*e, "functools"));
  CHECK(unitsLoaded(*e) > 0);
  e->heap.rollback(mark);
  REQUIRE(!importPrelude(*e, "functools"));
  ObjectId module = findModule(*e, "functools");
  REQUIRE(module);
  CHECK(e->heap.get(module, attrKey(e->intern("partial"))).is(Kind::Ref));
}
