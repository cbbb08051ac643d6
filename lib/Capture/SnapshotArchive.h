//===- SnapshotArchive.h - Values and places of snapshots, in both directions ----*- C++ -*-===//
//
// What is written is described once, by functions that exchange with an archive: it is asked for
// each part in turn, and either writes it (Saving) or fills it in (Loading).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_SNAPSHOTARCHIVE_H
#define PTC_LIB_CAPTURE_SNAPSHOTARCHIVE_H

#include "Image.h"
#include "ImageCodec.h"
#include "SetMembers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace ptc::capture {

class Saving {
public:
  static constexpr bool isLoading = false;
  explicit Saving(Engine &engine) : e(engine) {
    for (const std::unique_ptr<CodeFile> &file : e.world->files)
      list(*file);
  }
  /// Code of the program's modules, and of one that is looked at only.
  void list(const CodeFile &file) {
    for (size_t n = 0; n < file.codeObjects().size(); ++n)
      places[file.codeObjects()[n]] = {&file, n};
  }

  /// Why nothing can be written, if there is a reason.
  std::optional<std::string> problem;
  void fail(llvm::StringRef why) {
    if (!problem)
      problem = why.str();
  }

  Output out;

  template <typename T> void number(T &n) { out.number(uint64_t(n)); }
  void text(std::string &t) { out.text(t); }
  void name(NameId &id) { out.number(nameIndex(id)); }
  template <typename List, typename Each> void list(List &items, Each each) {
    out.number(items.size());
    for (auto &item : items)
      each(item);
  }

  void key(uint32_t &k) {
    out.number(isAttrKey(k) ? 2 * nameIndex(nameOfKey(k)) + 1 : 2 * uint64_t(k));
  }

  /// Of a file of the prelude by its module, of the program by its path.
  void code(const CodeObject *code) {
    auto place = places.find(code);
    if (place == places.end()) {
      fail("code of no file");
      return;
    }
    codeAt(std::string(place->second.first->name()), place->second.second);
  }
  void codeAt(const std::string &file, uint64_t place) {
    auto [at, fresh] = fileAt.try_emplace(file, files.size());
    if (fresh)
      files.push_back(file);
    out.number(at->second);
    out.number(place);
  }

  void value(const Value &v) {
    out.number(uint64_t(v.kind()) * 2 + (v.source() != 0));
    out.number(v.sub());
    if (v.source())
      out.number(v.source());
    if (isOfName(v.kind(), v.sub()))
      return out.number(nameIndex(NameId(v.bits())));
    switch (v.kind()) {
    case Kind::Absent:
      return;
    case Kind::Fail:
    case Kind::Raw:
    case Kind::Scalar:
    case Kind::Size:
      return fail("a value of the run");
    default:
      break;
    }
    if (!hasNode(v.kind()))
      return out.number(v.bits());
    if (auto known = nodeAt.find(v.node()); known != nodeAt.end())
      return out.number(known->second + 1);
    out.number(0);
    node(v);
    nodeAt.try_emplace(v.node(), nodeAt.size());
  }

  std::vector<NameId> names;
  std::vector<std::string> files;

private:
  size_t nameIndex(NameId name) {
    auto [at, fresh] = nameAt.try_emplace(name, names.size());
    if (fresh)
      names.push_back(name);
    return at->second;
  }

  void node(const Value &v) {
    switch (v.kind()) {
    case Kind::Str:
      return out.text(v.asStr());
    case Kind::Bytes:
      return out.text(v.asBytes());
    case Kind::Code:
      return code(v.asCode());
    case Kind::BigInt: {
      auto digits = py::toDigits(v.asBigInt(), 16);
      return out.text(digits);
    }
    case Kind::Complex: {
      const std::complex<double> c = v.asComplex();
      out.number(llvm::bit_cast<uint64_t>(c.real()));
      return out.number(llvm::bit_cast<uint64_t>(c.imag()));
    }
    case Kind::Opaque: {
      const auto &opaque = v.nodeAs<OpaqueNode>(Kind::Opaque);
      out.text(opaque.path);
      for (uint64_t n : {uint64_t(opaque.importedAt), uint64_t(opaque.is), uint64_t(opaque.poison),
                         uint64_t(opaque.refusal)})
        out.number(n);
      return;
    }
    default:
      break;
    }
    if (!isComposite(v.kind()))
      return fail("a value of the run");
    out.number(v.partCount());
    for (const Value &part : v.parts())
      value(part);
    if (v.is(Kind::DictItems)) {
      const std::map<uint32_t, int64_t> hashes = givenHashes(v);
      out.number(hashes.size());
      for (const auto &[position, hash] : hashes) {
        out.number(position);
        out.number(uint64_t(hash));
      }
    }
    if (v.is(Kind::SetItems) || v.is(Kind::FrozenSet)) {
      const bool isWritten =
          writeSetLayout(v, [&](uint64_t n) { out.number(n); }, [&](const Value &p) { value(p); });
      if (!isWritten)
        fail("a set whose order holds on a path only");
    }
  }

  Engine &e;
  llvm::DenseMap<const CodeObject *, std::pair<const CodeFile *, size_t>> places;
  llvm::DenseMap<NameId, size_t> nameAt;
  llvm::DenseMap<const Node *, size_t> nodeAt;
  llvm::StringMap<size_t> fileAt;
};

class Loading {
public:
  static constexpr bool isLoading = true;
  Loading(Engine &engine, llvm::StringRef bytes) : in(bytes), e(engine) {}

  Bytes in;
  std::vector<NameId> names;
  std::vector<uint32_t> files; ///< of World::lazyFiles
  /// Dicts with hashes that Python code gave, for when all objects are there.
  std::vector<std::pair<Value, std::map<uint32_t, int64_t>>> hashed;

  template <typename T> void number(T &n) { n = T(in.number()); }
  void text(std::string &t) { t = in.text().str(); }
  void name(NameId &id) { id = names[in.number()]; }
  template <typename List, typename Each> void list(List &items, Each each) {
    size_t count = in.number();
    items.clear();
    items.resize(count);
    for (auto &item : items)
      each(item);
  }

  uint32_t key() {
    uint64_t n = in.number();
    return n % 2 ? attrKey(names[n / 2]) : uint32_t(n / 2);
  }

  Value value() {
    const uint64_t tag = in.number();
    auto kind = Kind(tag / 2);
    auto sub = uint8_t(in.number());
    const SourceId source = tag % 2 ? SourceId(in.number()) : 0;
    Value v = bare(kind, sub);
    return source ? v.withSource(source) : v;
  }

private:
  Value bare(Kind kind, uint8_t sub) {
    if (kind == Kind::Absent)
      return {};
    if (isOfName(kind, sub))
      return Value::constant(kind, names[in.number()], sub);
    if (!hasNode(kind))
      return Value::constant(kind, in.number(), sub);
    if (size_t known = in.number())
      return nodes[known - 1].withSub(sub);
    Value made = node(kind);
    nodes.push_back(made);
    return made.withSub(sub);
  }

  Value node(Kind kind) {
    switch (kind) {
    case Kind::Str:
      return Value::str(in.text());
    case Kind::Bytes:
      return Value::bytes(in.text());
    case Kind::Code: {
      const CodeFile &file = readLazyFile(*e.world, files[in.number()]);
      return Value::code(file.codeObjects()[in.number()]);
    }
    case Kind::BigInt:
      return Value::bigInt(*py::parseInt(in.text(), py::PyInt(16)));
    case Kind::Complex: {
      const double real = llvm::bit_cast<double>(in.number());
      return Value::complex({real, llvm::bit_cast<double>(in.number())});
    }
    case Kind::Opaque: {
      auto *opaque = new OpaqueNode;
      opaque->path = in.text().str();
      number(opaque->importedAt);
      number(opaque->is);
      number(opaque->poison);
      number(opaque->refusal);
      return Value::node(Kind::Opaque, opaque);
    }
    default:
      break;
    }
    assert(isComposite(kind) && "no other node is written");
    std::vector<Value> parts;
    size_t count = in.number();
    parts.reserve(count);
    for (; count; --count)
      parts.push_back(value());
    Value made = Value::composite(kind, std::move(parts));
    if (kind == Kind::DictItems)
      if (uint64_t count = in.number()) {
        std::map<uint32_t, int64_t> &hashes =
            hashed.emplace_back(made, std::map<uint32_t, int64_t>()).second;
        for (; count; --count) {
          const auto position = uint32_t(in.number());
          hashes[position] = int64_t(in.number());
        }
      }
    if (kind == Kind::SetItems || kind == Kind::FrozenSet)
      readSetLayout(made, [&] { return in.number(); }, [&] { return value(); });
    return made;
  }

  Engine &e;
  std::vector<Value> nodes; ///< in the order in which they end
};

template <typename Archive> void exchangePlace(Archive &a, SourceLoc &loc) {
  a.text(loc.file);
  a.number(loc.line);
  a.number(loc.column);
  a.number(loc.endLine);
  a.number(loc.endColumn);
}

template <typename Archive> void exchangeDiagnostic(Archive &a, Diagnostic &diag) {
  a.number(diag.id);
  exchangePlace(a, diag.loc);
  a.text(diag.text);
  a.list(diag.attachments, [&](Diagnostic::Attachment &attached) {
    a.number(attached.kind);
    exchangePlace(a, attached.loc);
    a.text(attached.text);
  });
}

template <typename Archive> void exchangeNames(Archive &a, llvm::StringSet<> &set) {
  std::vector<std::string> names;
  for (const auto &entry : set)
    names.push_back(entry.getKey().str());
  llvm::sort(names);
  a.list(names, [&](std::string &name) { a.text(name); });
  if constexpr (Archive::isLoading)
    for (const std::string &name : names)
      set.insert(name);
}

/// What of a World imports change, but for what refers to objects and values.
template <typename Archive> void exchangeWorld(Archive &a, Engine &e) {
  World &w = *e.world;
  a.number(w.hookedGetAttribute);
  a.number(w.nanCount);
  a.number(w.suspendsInHandlers);
  a.list(w.worldUses, [&](WorldUse &use) {
    a.text(use.name);
    a.text(use.answer);
    a.text(use.reason);
    exchangePlace(a, use.loc);
  });
  a.list(w.assumptions, [&](Program::Assumption &assumption) {
    a.text(assumption.text);
    exchangePlace(a, assumption.loc);
  });
  a.list(w.setAside, [&](Diagnostic &diag) { exchangeDiagnostic(a, diag); });
  exchangeNames(a, w.absentModules);
  exchangeNames(a, w.opaqueModules);
  a.list(w.sources, [&](SourcePlace &place) {
    exchangePlace(a, place.loc);
    a.number(place.caller);
  });
  if constexpr (Archive::isLoading) {
    w.sourceIds.clear();
    for (SourceId id = 1; id < w.sources.size(); ++id) {
      const auto &[loc, caller] = w.sources[id];
      w.sourceIds.try_emplace(
          SourceKey(loc.file, loc.line, loc.column, loc.endLine, loc.endColumn, caller), id);
    }
  }
  a.number(w.ownClasses);
  a.number(e.steps);
}

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_SNAPSHOTARCHIVE_H
