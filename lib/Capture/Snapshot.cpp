//===- Snapshot.cpp - What a program's imports leave, in a file ---------------------------===//
//
// In: a session in whose module the imports at the beginning have run. Out: a file; from it, the
// same session in a process that has not run them.
//
//===----------------------------------------------------------------------===//
#include "Snapshot.h"
#include "Positions.h"
#include "SnapshotArchive.h"

#include "ptc/Capture/ModuleFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

#include <link.h>

using namespace ptc;
using namespace ptc::capture;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Of files, so that one that is no snapshot is none.
static constexpr llvm::StringLiteral kMagic = "ptc snapshot\n";
/// Imports that run fewer instructions are not worth a file.
static constexpr uint64_t kWorthwhile = 200'000;

uint64_t capture::hashOfBytes(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
}

//===----------------------------------------------------------------------===//
// Statements at the beginning
//===----------------------------------------------------------------------===//

/// A constant of an import statement, or what stands beside them; none: another one.
static std::optional<std::string> textOf(const Constant &c) {
  if (c.isNone())
    return "None";
  if (const auto *text = llvm::dyn_cast<StrConstant>(&c))
    return "'" + text->text.str();
  if (const auto *number = llvm::dyn_cast<IntConstant>(&c)) {
    std::optional<int64_t> n = number->asInt64();
    return n ? std::optional(std::to_string(*n)) : std::nullopt;
  }
  const auto *tuple = llvm::dyn_cast<TupleConstant>(&c);
  if (!tuple)
    return std::nullopt;
  std::string all = "(";
  for (const Constant *item : tuple->items) {
    std::optional<std::string> one = textOf(*item);
    if (!one)
      return std::nullopt;
    all += std::to_string(one->size()) + ":" + *one;
  }
  return all;
}

static bool isOfImports(const CanonicalCode &code, uint32_t at) {
  const Instr &instr = code.instrs[at];
  if (at < code.handlers.size() && code.handlers[at].target != kNoIndex)
    return false; // in a try statement
  switch (instr.op) {
  case Opcode::LOAD_CONST:
    return textOf(*code.consts[instr.arg]).has_value();
  case Opcode::STORE_NAME:
  case Opcode::STORE_GLOBAL:
  case Opcode::POP_TOP:
  case Opcode::IMPORT_NAME:
  case Opcode::IMPORT_FROM:
  case Opcode::IMPORT_STAR:
    return true;
  default:
    return false;
  }
}

uint32_t capture::importsEnd(const CanonicalCode &code) {
  uint32_t end = 0, depth = 0;
  bool imports = false;
  for (uint32_t i = 0; i < code.size() && isOfImports(code, i); ++i) {
    const Instr &instr = code.instrs[i];
    imports |= instr.op == Opcode::IMPORT_NAME;
    StackEffect effect = getStackEffect(instr);
    depth = depth - effect.pops + effect.pushes;
    if (depth == 0 && imports) {
      end = i + 1;
      imports = false;
    }
  }
  return end;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// Is the frame a generator, of a function that there is, at one place and not running? Nothing of
/// it is outside of its slots then.
static bool isParked(Engine &e, ObjectId frame) {
  const Value &state = e.heap.get(frame, slot::kGenState);
  const ObjectId function = e.frameInfo(frame).function;
  return state.is(Kind::Ip) && pointOf(state).state != GenState::Running && function &&
         e.heap.exists(function);
}

namespace {

/// The objects that what follows can find.
class Reached {
public:
  Reached(Engine &e, ObjectId first) : e(e), first(first) {}

  std::optional<std::string> problem;

  /// Of an object that is no more, as a frame that was left, only the id can be seen.
  void add(ObjectId id) {
    if (id >= first && e.heap.exists(id) && seen.insert(id).second)
      open.push_back(id);
  }
  void add(const Value &given) {
    llvm::SmallVector<Value, 8> all{given};
    while (!all.empty()) {
      Value v = all.pop_back_val();
      if (v.is(Kind::Ref))
        add(v.asRef());
      else if (isComposite(v.kind()) && nodes.insert(v.node()).second)
        all.append(v.parts().begin(), v.parts().end());
    }
  }

  /// By id.
  std::vector<ObjectId> objects() {
    while (!open.empty())
      visit(open.pop_back_val());
    std::vector<ObjectId> all(seen.begin(), seen.end());
    llvm::sort(all);
    return all;
  }

private:
  void visit(ObjectId id) {
    const ObjectHeader &header = e.heap.header(id);
    add(header.cls);
    switch (header.kind) {
    case ObjectKind::Class:
      for (const auto *list : {&e.classInfo(id).bases, &e.classInfo(id).mro})
        for (ObjectId other : *list)
          add(other);
      add(e.classInfo(id).meta);
      break;
    case ObjectKind::Function:
      add(static_cast<const FunctionRecord *>(static_cast<const FunctionInfo *>(header.info))
              ->globals);
      break;
    case ObjectKind::Frame:
      if (isParked(e, id))
        add(e.frameInfo(id).function);
      else
        problem = "it keeps a frame that no generator is";
      break;
    case ObjectKind::Engine:
    case ObjectKind::Storage:
    case ObjectKind::Generator:
      problem = "it keeps a " + std::to_string(int(header.kind));
      break;
    default:
      break;
    }
    e.heap.forEachSlot(id, [&](uint32_t, const Value &v) { add(v); });
  }

  Engine &e;
  ObjectId first;
  llvm::DenseSet<ObjectId> seen;
  llvm::DenseSet<const Node *> nodes;
  llvm::SmallVector<ObjectId, 0> open;
};

void saveHeader(Saving &a, Engine &e, ObjectId id) {
  const ObjectHeader &header = e.heap.header(id);
  a.out.number(uint64_t(header.kind));
  a.out.number(header.cls);
  if (header.kind == ObjectKind::Module) {
    const auto &info = *static_cast<const ModuleInfo *>(header.info);
    a.out.text(info.name);
    a.out.text(info.file);
    a.out.number(info.prelude);
  } else if (header.kind == ObjectKind::Class) {
    const ClassInfo &info = e.classInfo(id);
    a.out.text(info.name);
    a.out.text(info.module);
    a.out.number(info.self);
    a.out.number(info.meta);
    for (const auto *list : {&info.bases, &info.mro}) {
      a.out.number(list->size());
      for (ObjectId other : *list)
        a.out.number(other);
    }
    a.out.number(uint64_t(info.layout));
    a.out.number(info.builtin);
  } else if (header.kind == ObjectKind::Function) {
    const auto &info =
        *static_cast<const FunctionRecord *>(static_cast<const FunctionInfo *>(header.info));
    if (info.code) {
      a.code(info.code);
    } else {
      const LazyFile &file = e.world->lazyFiles[info.file];
      a.codeAt(file.module.empty() ? file.path : "<" + file.module + ">", info.place);
    }
    a.out.number(info.globals);
    a.out.number(info.hidden);
  } else if (header.kind == ObjectKind::Frame) {
    a.out.number(e.frameInfo(id).function);
  } else if (header.info) {
    a.fail("an object of which more is known");
  }
}

void loadObject(Loading &a, Engine &e) {
  World &w = *e.world;
  auto kind = ObjectKind(a.in.number());
  auto cls = ObjectId(a.in.number());
  const void *known = nullptr;
  if (kind == ObjectKind::Module) {
    ModuleInfo info;
    a.text(info.name);
    a.text(info.file);
    a.number(info.prelude);
    known = &w.moduleInfos.emplace_back(std::move(info));
  } else if (kind == ObjectKind::Class) {
    ClassInfo info;
    a.text(info.name);
    a.text(info.module);
    a.number(info.self);
    a.number(info.meta);
    for (std::vector<ObjectId> *list : {&info.bases, &info.mro})
      a.list(*list, [&](ObjectId &id) { a.number(id); });
    a.number(info.layout);
    a.number(info.builtin);
    known = &w.classInfos.emplace_back(std::move(info));
  } else if (kind == ObjectKind::Function) {
    FunctionRecord &function = w.functions.emplace_back();
    function.code = nullptr;
    function.file = a.files[a.in.number()];
    a.number(function.place);
    a.number(function.globals);
    a.number(function.hidden);
    known = static_cast<const FunctionInfo *>(&function);
  } else if (kind == ObjectKind::Frame) {
    // Functions are made before their generators.
    known = bodyOf(e, ObjectId(a.in.number()));
    assert(known && "the generator was made of it");
  }
  ObjectId id = e.heap.allocate(kind, cls, known);
  for (size_t n = a.in.number(); n; --n) {
    uint32_t key = a.key();
    e.heap.set(id, key, a.value());
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// What it rests on
//===----------------------------------------------------------------------===//

uint64_t capture::hashOfAnswer(const std::optional<InstalledPath> &answer) {
  if (!answer)
    return 0;
  Output text;
  text.number(uint64_t(answer->kind));
  text.text(answer->bytes);
  for (const auto &[name, isFolder] : answer->entries) {
    text.text(name);
    text.number(isFolder);
  }
  return hashOfBytes(text.data);
}

static uint64_t hashOfDistributions(llvm::ArrayRef<Distribution> all) {
  Output text;
  for (const Distribution &there : all)
    for (const std::string *part : {&there.folder, &there.key, &there.name, &there.version})
      text.text(*part);
  return hashOfBytes(text.data);
}

/// What a session has looked at, to be compared with what it would see now.
struct Snapshot::Basis {
  struct Lookup {
    std::string name, path, source, package;
    ModuleFile::Kind kind{};
    bool isPackage = false;
    bool operator==(const Lookup &) const = default;
  };
  struct File {
    std::string path;
    uint64_t hash = 0;
  };
  struct Question {
    std::string path;
    bool contents = false, isOfArchive = false;
    uint64_t answer = 0;
  };
  struct Folders {
    std::string package;
    std::vector<std::string> folders;
  };
  std::vector<Lookup> lookups; ///< by name: packages before what is in them
  std::vector<Folders> folders;
  std::vector<File> files; ///< that were read, in that order
  std::vector<Question> questions;
  bool listed = false; ///< were distributions asked for?
  uint64_t distributions = 0;

  template <typename Archive> void exchange(Archive &a) {
    a.list(lookups, [&](Lookup &l) {
      for (std::string *text : {&l.name, &l.path, &l.source, &l.package})
        a.text(*text);
      a.number(l.kind);
      a.number(l.isPackage);
    });
    a.list(folders, [&](Folders &f) {
      a.text(f.package);
      a.list(f.folders, [&](std::string &folder) { a.text(folder); });
    });
    a.list(files, [&](File &f) {
      a.text(f.path);
      a.number(f.hash);
    });
    a.list(questions, [&](Question &q) {
      a.text(q.path);
      a.number(q.contents);
      a.number(q.isOfArchive);
      a.number(q.answer);
    });
    a.number(listed);
    a.number(distributions);
  }
};

/// False: a file is gone.
bool Snapshot::describe(Basis &basis) {
  for (const auto &[name, found] : session.resolved)
    basis.lookups.push_back({name, found.path, found.source,
                             found.package ? found.package->module.str() : "", found.kind,
                             found.isPackage});
  for (const auto &[package, folders] : session.folders)
    if (!package.empty())
      basis.folders.push_back({package, folders});
  llvm::StringSet<> seen;
  for (const std::string &file : llvm::ArrayRef(session.filesRead).drop_front(filesBefore)) {
    if (!seen.insert(file).second)
      continue;
    // What was read counts, not what lies there now.
    if (auto known = session.contents.find(file); known != session.contents.end()) {
      basis.files.push_back({file, known->second});
    } else {
      auto content = session.packageFiles.read(file);
      if (!content)
        return false;
      basis.files.push_back({file, hashOfBytes((*content)->getBuffer())});
    }
  }
  for (const auto &[asked, answer] : session.asked) {
    const auto &[path, contents, isOfArchive] = asked;
    basis.questions.push_back({path, contents, isOfArchive, answer});
  }
  basis.listed = session.distributions.has_value();
  if (basis.listed)
    basis.distributions = hashOfDistributions(*session.distributions);
  return true;
}

/// Would everything be found as it was? Fills what a session knows of modules and `contents`.
bool Snapshot::holds(const Basis &basis) {
  for (const auto &[file, hash] : basis.files) {
    auto content = session.packageFiles.read(file);
    if (!content || hashOfBytes((*content)->getBuffer()) != hash)
      return false;
    contents[file] = std::move(*content);
  }
  auto folders = session.folders;
  for (const Basis::Folders &row : basis.folders)
    folders[row.package] = row.folders;
  for (const Basis::Lookup &was : basis.lookups) {
    auto [parent, leaf] = llvm::StringRef(was.name).contains('.')
                              ? llvm::StringRef(was.name).rsplit('.')
                              : std::pair(llvm::StringRef(), llvm::StringRef(was.name));
    const std::vector<std::string> where = session.foldersFor(was.name, folders);
    if (where.empty()) {
      if (was.kind != ModuleFile::Kind::Absent)
        return false;
      continue;
    }
    ModuleFile found = findModuleFile(session.packageFiles, where, leaf, e.world->version);
    if (found.isPackage)
      if (auto at = folders.find(was.name); at == folders.end() || at->second != found.folders)
        return false;
    std::string package;
    if (!parent.empty()) {
      auto root = llvm::find_if(basis.lookups, [&](const Basis::Lookup &l) {
        return l.name == llvm::StringRef(was.name).split('.').first;
      });
      package = root == basis.lookups.end() ? "" : root->package;
    } else if (found.isPackage) {
      if (const OpaquePackage *row =
              findOpaquePackage(session.packageFiles, was.name, found.folders.front()))
        package = row->module.str();
    }
    // As Session::find() says it of a package that is not run.
    const ModuleFile::Kind kind = package.empty() || found.kind == ModuleFile::Kind::Absent
                                      ? found.kind
                                      : ModuleFile::Kind::Native;
    const bool isRun = found.kind == ModuleFile::Kind::Code && package.empty();
    if (Basis::Lookup{was.name, found.path, isRun ? session.sourceOf(found, leaf) : "", package,
                      kind, found.isPackage} != was)
      return false;
  }
  for (const Basis::Question &q : basis.questions)
    if (hashOfAnswer(q.isOfArchive ? session.lookIntoArchive(q.path, q.contents)
                                   : session.lookAtInstalled(q.path, q.contents)) != q.answer)
      return false;
  return !basis.listed || hashOfDistributions(session.installed()) == basis.distributions;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// What the linker says of the content of this program; empty: nothing.
static std::string buildId() {
  std::string found;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        for (const auto &header : llvm::ArrayRef(info->dlpi_phdr, info->dlpi_phnum)) {
          if (header.p_type != PT_NOTE)
            continue;
          // Name, description and the words in front of them, each padded to four bytes.
          // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives a number
          auto *at = reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr);
          for (const char *end = at + header.p_memsz; at + sizeof(ElfW(Nhdr)) <= end;) {
            const auto &note = *reinterpret_cast<const ElfW(Nhdr) *>(at);
            const char *name = at + sizeof note, *text = name + llvm::alignTo(note.n_namesz, 4);
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                llvm::StringRef(name, 4) == llvm::StringRef("GNU\0", 4))
              static_cast<std::string *>(found)->assign(text, note.n_descsz);
            at = text + llvm::alignTo(note.n_descsz, 4);
          }
        }
        return 1; // the program itself comes first
      },
      &found);
  return found;
}

/// What the imports are given, beside what they look at.
static std::string keyOf(Engine &e, const CaptureRequest &request, const CanonicalCode &code,
                         uint32_t end) {
  Output key;
  // This program: what it does may change with any change of it.
  const std::string self = buildId();
  if (self.empty())
    return {};
  key.text(self);
  key.number(uint64_t(e.world->version));
  llvm::SmallString<128> here;
  if (fs::current_path(here))
    return {};
  key.text(here);
  auto list = [&](const auto &texts) {
    key.number(texts.size());
    for (const std::string &text : texts)
      key.text(text);
  };
  // Modules can find the program by its name, and its file.
  key.text(request.file);
  key.text(code.code->fileName);
  list(request.includeDirs);
  list(request.absent);
  list(request.opaque);
  key.number(request.environment.size());
  for (const auto &[name, value] : request.environment) {
    key.text(name);
    key.text(value);
  }
  const CaptureLimits &limits = request.limits;
  for (uint64_t n : {limits.steps, uint64_t(limits.depth), limits.objects, uint64_t(limits.unroll),
                     uint64_t(limits.choices), limits.stepsPerJoin})
    key.number(n);
  key.number(e.world->lenient);
  for (const Instr &instr : llvm::ArrayRef(code.instrs).take_front(end)) {
    for (uint64_t n : {uint64_t(instr.op), uint64_t(instr.arg2), uint64_t(instr.range.line),
                       uint64_t(instr.range.column), uint64_t(instr.range.endLine),
                       uint64_t(instr.range.endColumn)})
      key.number(n);
    if (instr.op == Opcode::LOAD_CONST)
      key.text(textOf(*code.consts[instr.arg]).value_or(""));
    else if (instr.op != Opcode::POP_TOP && instr.op != Opcode::IMPORT_STAR)
      key.text(code.names[instr.arg]);
  }
  return std::move(key.data);
}

Snapshot::Snapshot(Session &session, ObjectId frame, uint32_t end)
    : session(session), e(session.engine), filesBefore(session.filesRead.size()) {
  std::optional<std::string> folder = llvm::sys::Process::GetEnv("PTC_CACHE_DIR");
  if (!folder || folder->empty() || end == 0)
    return;
  std::string key = keyOf(e, session.request, e.code(frame), end);
  if (key.empty())
    return;
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(key));
  llvm::SmallString<128> name(*folder);
  path::append(name, llvm::formatv("{0:x-16}{1:x-16}.snapshot", hash.high64, hash.low64).str());
  file = name.str().str();
  first = e.heap.nextId();
  mark = e.heap.mark();
}

Snapshot::~Snapshot() {
  if (isOn())
    e.heap.release(mark);
}

/// Is nothing but the heap and the world changed?
static bool isPlain(const Engine &e) {
  const World &w = *e.world;
  // Units of the image that a pristine world may still load stand in no snapshot.
  const bool isPristine = w.classInfos.size() == w.ownClasses && !e.heap.isDisturbed();
  return !isPristine && e.diags.empty() && e.tape.nextId() == 1 && e.top.instrs.empty() &&
         e.literals.empty() && e.bindings.empty() && e.forkCount == 0 && e.viewJoins == 0 &&
         w.openGenerators.empty() && w.generators == 0 && w.lateImports.empty() &&
         w.importsWithEffects.empty();
}

void Snapshot::save() {
  World &w = *e.world;
  if (!isOn() || e.steps < kWorthwhile || !isPlain(e))
    return;
  Saving a(e);
  for (const std::unique_ptr<CodeFile> &file : session.imported)
    a.list(*file);
  Reached reached(e, first);
  std::vector<SlotKey> old;
  for (const auto &[slot, v] : e.heap.delta(mark)) {
    if (slot.object >= first)
      continue;
    if (slot.object == kFacts || slot.key == kExists)
      return;
    old.push_back(slot);
    reached.add(v);
  }
  for (ObjectId id = first; id < e.heap.nextId(); ++id)
    if (e.heap.exists(id) && e.heap.kind(id) == ObjectKind::Class)
      reached.add(id);
  std::vector<std::pair<Value, ObjectId>> kept;
  for (const auto &[of, made] : w.kept)
    if (e.heap.exists(made)) {
      kept.emplace_back(of, made);
      reached.add(of);
      reached.add(made);
    }
  for (const auto &[module, values] : w.given)
    for (const Value &v : values)
      reached.add(v);
  for (const auto &[dict, iterators] : w.walkers)
    for (ObjectId it : iterators)
      if (e.heap.exists(it)) {
        reached.add(dict);
        reached.add(it);
      }
  std::vector<ObjectId> objects = reached.objects();
  if (reached.problem)
    return;

  a.out.number(e.heap.nextId());
  a.out.number(objects.size());
  ObjectId next = first;
  for (ObjectId id : objects) {
    a.out.number(id - std::exchange(next, id + 1));
    saveHeader(a, e, id);
    std::vector<std::pair<uint32_t, Value>> slots;
    // Names come in their order, and so are made in it again.
    e.heap.forEachSlot(id, [&](uint32_t key, const Value &v) {
      if (key != kExists && !(key == kNameOrder && e.heap.hasNames(id)))
        slots.emplace_back(key, v);
    });
    a.out.number(slots.size());
    for (auto &[key, v] : slots) {
      a.key(key);
      a.value(v);
    }
  }
  a.out.number(old.size());
  for (SlotKey slot : old) {
    a.out.number(slot.object);
    a.key(slot.key);
    a.value(e.heap.get(slot));
  }
  a.out.number(e.heap.isDisturbed());
  a.out.number(kept.size());
  for (const auto &[of, made] : kept) {
    a.value(of);
    a.out.number(made);
  }
  a.out.number(w.given.size());
  for (const auto &[module, values] : w.given) {
    a.out.text(module);
    a.out.number(values.size());
    for (const Value &v : values)
      a.value(v);
  }
  std::vector<std::pair<ObjectId, ObjectId>> walkers;
  for (const auto &[dict, iterators] : w.walkers)
    for (ObjectId it : iterators)
      if (e.heap.exists(it))
        walkers.emplace_back(dict, it);
  llvm::sort(walkers);
  a.out.number(walkers.size());
  for (const auto &[dict, it] : walkers) {
    a.out.number(dict);
    a.out.number(it);
  }
  exchangeWorld(a, e);
  std::vector<std::string> opaque;
  for (const auto &package : w.opaquePackages)
    opaque.push_back(package.getKey().str());
  llvm::sort(opaque);
  a.list(opaque, [&](std::string &name) { a.text(name); });
  if (a.problem)
    return;

  Basis basis;
  if (!describe(basis))
    return;
  Saving front(e);
  basis.exchange(front);
  front.out.number(a.names.size());
  for (NameId name : a.names)
    front.out.text(e.nameText(name));
  front.list(a.files, [&](std::string &file) { front.text(file); });
  front.out.number(first);
  write(front.out.data + a.out.data);
}

/// A name of its own first, so that nobody reads a part.
void Snapshot::write(const std::string &body) {
  // Without the file the imports run, as they did here.
  std::error_code ignored = fs::create_directories(path::parent_path(file));
  llvm::SmallString<128> made;
  int fd = -1;
  if (fs::createUniqueFile(file + ".%%%%%%%%", fd, made))
    return;
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
  Output head;
  head.number(hashOfBytes(body));
  os << kMagic << head.data << body;
  os.close();
  if (!os.has_error() && !fs::rename(made, file))
    return;
  os.clear_error();
  ignored = fs::remove(made);
}

bool Snapshot::load() {
  if (!isOn())
    return false;
  auto content = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
  if (!content)
    return false;
  llvm::StringRef text = (*content)->getBuffer();
  if (!text.consume_front(kMagic))
    return false;
  unsigned length = 0;
  const char *problem = nullptr;
  uint64_t hash = llvm::decodeULEB128(text.bytes_begin(), &length, text.bytes_end(), &problem);
  if (problem || hashOfBytes(text.drop_front(length)) != hash)
    return false;

  World &w = *e.world;
  Loading a(e, text.drop_front(length));
  Basis basis;
  basis.exchange(a);
  const size_t read = session.filesRead.size();
  const bool hasListed = session.distributions.has_value();
  const bool isValid = holds(basis);
  session.filesRead.resize(read); // what was looked at for the comparison alone
  if (!isValid) {
    if (!hasListed)
      session.distributions.reset();
    return false;
  }
  std::vector<std::string> names, files;
  a.list(names, [&](std::string &name) { a.text(name); });
  a.list(files, [&](std::string &file) { a.text(file); });
  if (a.in.number() != first)
    return false; // the world was another one before the imports ran
  for (const std::string &name : names)
    a.names.push_back(e.intern(name));
  for (const std::string &file : files)
    a.files.push_back(lazyFile(file));
  const auto last = ObjectId(a.in.number());
  for (size_t n = a.in.number(); n; --n) {
    for (uint64_t gap = a.in.number(); gap; --gap)
      e.heap.reserve({ObjectKind::Instance});
    loadObject(a, e);
  }
  while (e.heap.nextId() < last)
    e.heap.reserve({ObjectKind::Instance});
  for (size_t n = a.in.number(); n; --n) {
    auto id = ObjectId(a.in.number());
    uint32_t key = a.key();
    e.heap.restore({id, key}, a.value());
  }
  e.heap.setDisturbed(a.in.number());
  for (size_t n = a.in.number(); n; --n) {
    Value of = a.value();
    w.kept[of] = ObjectId(a.in.number());
  }
  for (size_t n = a.in.number(); n; --n) {
    std::vector<Value> &values = w.given[a.in.text().str()];
    for (size_t i = a.in.number(); i; --i)
      values.push_back(a.value());
  }
  for (size_t n = a.in.number(); n; --n) {
    auto dict = ObjectId(a.in.number());
    w.walkers[dict].push_back(ObjectId(a.in.number()));
  }
  exchangeWorld(a, e);
  std::vector<std::string> opaque;
  a.list(opaque, [&](std::string &name) { a.text(name); });
  for (auto &[contents, hashes] : a.hashed)
    giveHashes(e, contents, std::move(hashes));

  for (const Basis::Folders &row : basis.folders)
    session.folders[row.package] = row.folders;
  for (const Basis::File &file : basis.files)
    session.filesRead.push_back(file.path);
  // What is known of packages that are not run is asked of their files again.
  for (const Basis::Lookup &lookup : basis.lookups)
    if (!lookup.package.empty())
      (void)session.resolve(lookup.name);
  for (const std::string &name : opaque)
    w.opaquePackages[name] = session.resolve(name).package;
  return true;
}

uint32_t Snapshot::lazyFile(llvm::StringRef name) {
  std::vector<LazyFile> &all = e.world->lazyFiles;
  LazyFile file;
  if (auto content = contents.find(name); content != contents.end()) {
    file.path = name.str();
    file.bytes = content->second;
  } else {
    file.module = name.drop_front().drop_back().str();
  }
  for (uint32_t n = 0; n < all.size(); ++n)
    if (all[n].module == file.module && all[n].path == file.path)
      return n;
  all.push_back(std::move(file));
  return uint32_t(all.size() - 1);
}
