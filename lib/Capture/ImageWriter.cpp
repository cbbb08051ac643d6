//===- ImageWriter.cpp - What the modules of the prelude leave in the heap ----------------===//
//
// In: an engine that has run nothing but builtin modules. Out: the bytes of an image. The modules
// are imported one after the other, those that need fewest others first, and what each import
// changed becomes a unit.
//
//===----------------------------------------------------------------------===//
#include "Answers.h"
#include "Executor.h"
#include "Image.h"
#include "ImageCodec.h"
#include "Tensors.h"

#include "ptc/Capture/Prelude.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace ptc;
using namespace ptc::capture;

namespace {

/// Objects that units hold already.
using Places = llvm::DenseMap<ObjectId, std::pair<uint32_t, uint32_t>>;

/// Writes one unit: what has changed since a mark.
class UnitWriter {
public:
  UnitWriter(Engine &e, ObjectId base, Places &places, uint32_t unit)
      : e(e), base(base), places(places), unit(unit) {}

  /// What cannot be written, if there is something.
  std::optional<std::string> problem;
  llvm::SetVector<uint32_t> needs;

  std::string write(Heap::Mark mark, ObjectId first, const World::Extent &before, uint64_t steps) {
    std::vector<SlotKey> old;
    for (const auto &[slot, v] : e.heap.delta(mark)) {
      if (slot.object == kFacts || (slot.object == kMachine && slot.key != slot::kCurrentFrame &&
                                    slot.key != slot::kResult && !v.isAbsent() && !v.isNone()))
        fail("it leaves something in the machine");
      if (slot.object < first && slot.key == kExists)
        fail("it gives an older object another class");
      if (slot.object >= first || slot.object == kMachine || isOfImporter(slot.object, slot.key))
        continue;
      old.push_back(slot);
      reach(v);
    }
    for (ObjectId id = first; id < e.heap.nextId(); ++id)
      if (e.heap.exists(id) && e.heap.kind(id) == ObjectKind::Class)
        reach(id, first);
    while (!open.empty())
      visit(open.pop_back_val(), first);
    llvm::sort(objects);
    for (uint32_t n = 0; n < objects.size(); ++n)
      places[objects[n]] = {unit, n};
    Output rest;
    writeInfos(rest);
    writeObjects(rest);
    rest.number(old.size());
    for (SlotKey slot : old) {
      writeObject(rest, slot.object);
      writeKey(rest, slot.key);
      writeValue(rest, e.heap.get(slot));
    }
    rest.number(e.world->hookedGetAttribute);
    checkFlags(before.flags);
    Output out;
    out.number(steps);
    out.number(names.size());
    for (NameId name : names)
      out.text(e.nameText(name));
    out.number(files.size());
    for (const CodeFile *file : files)
      out.text(moduleOf(*file));
    out.os << rest.data;
    return std::move(out.data);
  }

private:
  /// That a program has imported the module itself: who loads the image says so.
  bool isOfImporter(ObjectId id, uint32_t key) const {
    return key == slot::kImported && e.heap.kind(id) == ObjectKind::Module;
  }

  void fail(std::string why) {
    if (!problem)
      problem = std::move(why);
  }

  void checkFlags(const WorldFlags &flags) {
    const World &w = *e.world;
    if (w.worldUses.size() != flags.worldUses.size())
      fail("it asks about the world: " + std::to_string(w.worldUses.size()));
    if (w.assumptions.size() != flags.assumptions.size() || w.generators != flags.generators ||
        w.nanCount != flags.nanCount || w.sources.size() != 1 || !e.diags.empty() ||
        e.tape.nextId() != 1 || !w.openGenerators.empty() || w.suspendsInHandlers)
      fail("it does more than write to the heap");
    if (!w.absentModules.empty() || !w.opaqueModules.empty() || !w.given.empty() ||
        !w.setAside.empty() || w.lateImports.size() != flags.lateImports.size())
      fail("it imports what has no model");
  }

  // What there is -----------------------------------------------------------------------------

  void reach(ObjectId id, ObjectId first) {
    if (id >= first && seen.insert(id).second)
      open.push_back(id);
  }
  void reach(const Value &v) {
    llvm::SmallVector<Value, 8> all{v};
    while (!all.empty()) {
      Value next = all.pop_back_val();
      if (next.is(Kind::Ref) && !places.contains(next.asRef()) && next.asRef() >= base &&
          seen.insert(next.asRef()).second)
        open.push_back(next.asRef());
      if (isComposite(next.kind()))
        all.append(next.parts().begin(), next.parts().end());
    }
  }

  void visit(ObjectId id, ObjectId first) {
    if (id < first)
      return fail("it refers to an object that no unit has: " + e.describeObject(id));
    objects.push_back(id);
    const ObjectHeader &header = e.heap.header(id);
    reach(Value::ref(header.cls ? header.cls : kMachine));
    switch (header.kind) {
    case ObjectKind::Class:
      for (const auto *list : {&e.classInfo(id).bases, &e.classInfo(id).mro})
        for (ObjectId other : *list)
          reach(Value::ref(other));
      reach(Value::ref(e.classInfo(id).meta));
      break;
    case ObjectKind::Function:
      reach(Value::ref(functionOf(e, id).globals));
      break;
    case ObjectKind::Engine:
    case ObjectKind::Frame:
    case ObjectKind::Iterator:
    case ObjectKind::Storage:
    case ObjectKind::Generator:
      fail("it keeps a " + std::to_string(int(header.kind)));
      break;
    case ObjectKind::Cell:
    case ObjectKind::Module:
    case ObjectKind::Instance:
    case ObjectKind::List:
    case ObjectKind::Dict:
    case ObjectKind::Set:
    case ObjectKind::ByteArray:
      break;
    }
    e.heap.forEachSlot(id, [&](uint32_t, const Value &v) { reach(v); });
  }

  // Bytes -------------------------------------------------------------------------------------

  void writeObject(Output &out, ObjectId id) {
    if (id < base) {
      out.number(0);
      return out.number(id);
    }
    auto [of, n] = places.lookup(id);
    if (of != unit)
      needs.insert(of);
    out.number(of + 1);
    out.number(n);
  }

  size_t nameIndex(NameId name) {
    auto [at, fresh] = nameAt.try_emplace(name, names.size());
    if (fresh)
      names.push_back(name);
    return at->second;
  }
  void writeKey(Output &out, uint32_t key) {
    out.number(isAttrKey(key) ? 2 * nameIndex(nameOfKey(key)) + 1 : 2 * uint64_t(key));
  }

  llvm::StringRef moduleOf(const CodeFile &file) {
    llvm::StringRef name = file.name();
    name.consume_front("<");
    name.consume_back(">");
    return name;
  }
  void writeCode(Output &out, const CodeObject *code) {
    for (const std::unique_ptr<CodeFile> &file : e.world->files) {
      auto at = llvm::find(file->codeObjects(), code);
      if (at == file->codeObjects().end())
        continue;
      files.insert(file.get());
      out.number(size_t(llvm::find(files, file.get()) - files.begin()));
      return out.number(size_t(at - file->codeObjects().begin()));
    }
    fail("code of no file");
  }

  void writeInfos(Output &out) {
    std::vector<ObjectId> modules, classes, functions;
    for (ObjectId id : objects) {
      ObjectKind kind = e.heap.kind(id);
      if (kind == ObjectKind::Module)
        modules.push_back(id);
      if (kind == ObjectKind::Class)
        classes.push_back(id);
      if (kind == ObjectKind::Function)
        functions.push_back(id);
    }
    for (const auto *list : {&modules, &classes, &functions})
      for (ObjectId id : *list)
        infoAt[id] = infoAt.size() + 1;
    out.number(modules.size());
    for (ObjectId id : modules) {
      const auto &info = *static_cast<const ModuleInfo *>(e.heap.header(id).info);
      out.text(info.name);
      out.text(info.file);
      out.number(info.prelude);
    }
    out.number(classes.size());
    for (ObjectId id : classes)
      writeClass(out, e.classInfo(id));
    out.number(functions.size());
    for (ObjectId id : functions) {
      const FunctionRecord &function = functionOf(e, id);
      writeCode(out, function.code);
      writeObject(out, function.globals);
      out.number(function.hidden);
    }
  }

  void writeClass(Output &out, const ClassInfo &info) {
    out.text(info.name);
    out.text(info.module);
    writeObject(out, info.self);
    writeObject(out, info.meta);
    for (const auto *list : {&info.bases, &info.mro}) {
      out.number(list->size());
      for (ObjectId id : *list)
        writeObject(out, id);
    }
    out.number(uint64_t(info.layout));
    out.number(info.builtin);
  }

  void writeObjects(Output &out) {
    out.number(objects.size());
    for (ObjectId id : objects) {
      out.number(uint64_t(e.heap.kind(id)));
      writeObject(out, e.heap.header(id).cls);
      out.number(infoAt.lookup(id));
    }
    for (ObjectId id : objects) {
      std::vector<std::pair<uint32_t, Value>> slots;
      // Names come in their order, and so are made in it again.
      e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
        if (key != kExists && !(key == kNameOrder && e.heap.hasNames(id)) && !isOfImporter(id, key))
          slots.emplace_back(key, v);
      });
      out.number(slots.size());
      for (const auto &[key, v] : slots) {
        writeKey(out, key);
        writeValue(out, v);
      }
    }
  }

  void writeValue(Output &out, const Value &v) {
    if (v.source())
      fail("a value has a place in a program");
    out.number(uint64_t(v.kind()));
    out.number(v.sub());
    if (v.is(Kind::Ref))
      return writeObject(out, v.asRef());
    if (isOfName(v.kind(), v.sub()))
      return out.number(nameIndex(NameId(v.bits())));
    if (v.is(Kind::Raw) || v.is(Kind::Scalar) || v.is(Kind::Size) || v.isFail())
      return fail("a value of the run");
    if (!hasNode(v.kind())) {
      if (!v.isAbsent())
        out.number(v.bits());
      return;
    }
    if (auto known = nodeAt.find(v.node()); known != nodeAt.end())
      return out.number(known->second + 1);
    out.number(0);
    writeNode(out, v);
    nodeAt.try_emplace(v.node(), nodeAt.size());
  }

  void writeNode(Output &out, const Value &v) {
    if (isComposite(v.kind())) {
      // The table of a set is made anew of its elements: nobody adds to a frozenset.
      if (v.is(Kind::SetItems) && v.partCount() > 1)
        fail("what a set went through decides where the next element lies");
      out.number(v.partCount());
      for (const Value &part : v.parts())
        writeValue(out, part);
    } else if (v.is(Kind::Code)) {
      writeCode(out, v.asCode());
    } else if (v.is(Kind::Str)) {
      out.text(v.asStr());
    } else if (v.is(Kind::Bytes)) {
      out.text(v.asBytes());
    } else {
      fail("a value of kind " + std::to_string(int(v.kind())) + ": " + e.describeConstant(v));
    }
  }

  Engine &e;
  ObjectId base;
  Places &places;
  uint32_t unit;
  llvm::DenseSet<ObjectId> seen;
  llvm::SmallVector<ObjectId, 0> open;
  std::vector<ObjectId> objects;
  llvm::DenseMap<ObjectId, size_t> infoAt;
  std::vector<NameId> names;
  llvm::DenseMap<NameId, size_t> nameAt;
  llvm::DenseMap<const Node *, size_t> nodeAt;
  llvm::SetVector<const CodeFile *> files;
};

/// The modules of the prelude that were started, by their place in getPreludeModules().
std::vector<llvm::StringRef> startedModules(Engine &e) {
  std::vector<llvm::StringRef> names;
  for (const PreludeModule &module : getPreludeModules())
    if (ObjectId id = findModule(e, module.name))
      if (!e.heap.get(id, slot::kStarted).isAbsent())
        names.push_back(module.name);
  return names;
}

/// An engine that has the builtin names and runs the code of every module that it imports.
llvm::Expected<std::unique_ptr<Engine>> makeEngine(PythonVersion version) {
  auto e = std::make_unique<Engine>();
  bootstrapTorch(*e);
  if (llvm::Error error = bootstrapPrelude(*e))
    return std::move(error);
  e->limits.steps = ~uint64_t(0);
  e->world->lenient = true;
  e->world->usesImage = false;
  setVersion(*e, version);
  return e;
}

} // namespace

llvm::Expected<std::vector<llvm::StringRef>> capture::bakeOrder() {
  std::vector<std::pair<size_t, llvm::StringRef>> order;
  for (const PreludeModule &module : getPreludeModules()) {
    if (module.name.starts_with("_builtins"))
      continue;
    auto e = makeEngine(PythonVersion::Py311);
    if (!e)
      return e.takeError();
    if (llvm::Error error = importPrelude(**e, module.name))
      llvm::consumeError(std::move(error)); // its code runs where it is imported, and says why
    else
      order.emplace_back(startedModules(**e).size(), module.name);
  }
  llvm::sort(order);
  std::vector<llvm::StringRef> names;
  names.reserve(order.size());
  for (const auto &[size, name] : order)
    names.push_back(name);
  return names;
}

llvm::Expected<std::string> capture::bakeImage(PythonVersion version,
                                               llvm::ArrayRef<llvm::StringRef> order) {
  auto made = makeEngine(version);
  if (!made)
    return made.takeError();
  Engine &e = **made;
  ObjectId base = e.world->ownObjects;
  assert(base == e.heap.nextId() && "nothing was made since the builtin world");
  Places places;
  std::vector<std::string> units;
  llvm::StringMap<uint32_t> unitOf;
  for (llvm::StringRef name : order) {
    std::vector<llvm::StringRef> before = startedModules(e);
    if (llvm::is_contained(before, name))
      continue;
    World::Extent extent = e.world->extent();
    Heap::Mark mark = e.heap.mark();
    ObjectId first = e.heap.nextId();
    e.steps = 0;
    std::vector<std::string> used;
    e.world->importLog = &used;
    if (llvm::Error error = importPrelude(e, name))
      return std::move(error);
    e.world->importLog = nullptr;
    UnitWriter writer(e, base, places, uint32_t(units.size()));
    std::string body = writer.write(mark, first, extent, e.steps);
    for (const std::string &module : used)
      if (auto of = unitOf.find(module); of != unitOf.end())
        writer.needs.insert(of->second);
    if (writer.problem)
      return makeError(DiagId::InternalError, {},
                       ("there is no image of " + name + ": " + *writer.problem).str());
    Output unit;
    std::vector<llvm::StringRef> fresh;
    for (llvm::StringRef module : startedModules(e))
      if (!llvm::is_contained(before, module))
        fresh.push_back(module);
    unit.number(fresh.size());
    for (llvm::StringRef module : fresh) {
      unit.text(module);
      unitOf[module] = uint32_t(units.size());
    }
    auto needs = writer.needs.takeVector();
    llvm::sort(needs);
    unit.number(needs.size());
    for (uint32_t need : needs)
      unit.number(need);
    unit.text(body);
    units.push_back(std::move(unit.data));
  }
  Output image;
  image.number(base);
  image.number(units.size());
  for (const std::string &unit : units)
    image.os << unit;
  Output all;
  all.number(uint64_t(version));
  all.text(image.data);
  return std::move(all.data);
}
