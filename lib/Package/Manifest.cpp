//===- Manifest.cpp - What a program says about itself ------------------------------===//
//
// In: a module with one entry, and what is known about it beside the IR. Out: JSON.
//
//===----------------------------------------------------------------------===//
#include "ptc/Package/Manifest.h"

#include "ptc/Dialect/Aten/IR/AtenDialect.h"
#include "ptc/Dialect/Program/IR/Program.h"
#include "ptc/Symbolic/CallStructure.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace ptc;

namespace {

class ManifestWriter {
public:
  ManifestWriter(llvm::raw_ostream &os, const ManifestFacts &facts) : json(os, 2), facts(facts) {}

  void write(program::EntryOp entry) {
    json.object([&] {
      json.attribute("entry", entry.getSymName());
      json.attributeArray("parameters", [&] {
        for (const std::string &name : facts.parameters)
          text(name);
      });
      if (facts.signature)
        attribute("signature", *facts.signature);
      if (!facts.sizes.empty())
        json.attributeArray("sizes", [&] {
          for (const std::string &size : facts.sizes)
            text(size);
        });
      json.attributeObject("counts", [&] {
        json.attribute("ops", facts.counts.ops);
        json.attribute("steps", facts.counts.steps);
        json.attribute("forks", facts.counts.forks);
        json.attribute("depth", facts.counts.depth);
      });
      json.attributeArray("state", [&] {
        for (auto state : entry.getBody().getOps<program::StateOp>())
          named("name", state.getName(), state.getType());
      });
      writeWeights(entry);
      if (facts.weightsContent)
        json.attribute("weights_content", llvm::formatv("{0:x-16}", *facts.weightsContent).str());
      writeStructures();
      json.attributeArray("variants", [&] {
        for (auto [i, variant] : llvm::enumerate(entry.getBody().getOps<program::VariantOp>()))
          writeVariant(variant, i);
      });
      json.attributeArray("assumptions", [&] {
        for (const ManifestFacts::Assumption &assumption : facts.assumptions)
          json.object([&] {
            attribute("text", assumption.text);
            place(assumption.loc.file, assumption.loc.line);
          });
      });
      json.attributeArray("world", [&] {
        for (const ManifestFacts::WorldUse &use : facts.world)
          json.object([&] {
            attribute("name", use.name);
            attribute("answer", use.answer);
            attribute("reason", use.reason);
            place(use.loc.file, use.loc.line);
          });
      });
      json.attributeArray("made", [&] {
        for (const ManifestFacts::MadeAttribute &made : facts.made)
          json.object([&] {
            attribute("class", made.object);
            attribute("name", made.name);
            attribute("value", made.value);
          });
      });
      json.attributeArray("packages", [&] {
        for (const auto &[name, version] : facts.packages)
          json.object([&] {
            attribute("name", name);
            attribute("version", version);
          });
      });
    });
  }

private:
  /// Paths and texts come from the user's program; JSON is UTF-8.
  void text(llvm::StringRef value) {
    json.value(llvm::json::isUTF8(value) ? value.str() : llvm::json::fixUTF8(value));
  }
  void attribute(llvm::StringRef key, llvm::StringRef value) {
    json.attributeBegin(key);
    text(value);
    json.attributeEnd();
  }
  /// Each byte as the character of its number.
  void bytes(llvm::StringRef key, llvm::StringRef value) {
    std::string text;
    for (unsigned char byte : value) {
      if (byte >= 0x80)
        text += char(0xC0 | byte >> 6);
      text += char(byte < 0x80 ? byte : 0x80 | (byte & 0x3F));
    }
    json.attribute(key, text);
  }
  void place(llvm::StringRef file, unsigned line) {
    attribute("file", file);
    json.attribute("line", line);
  }
  template <typename Printable> static std::string printed(const Printable &what) {
    std::string out;
    llvm::raw_string_ostream(out) << what;
    return out;
  }
  void named(llvm::StringRef key, llvm::StringRef name, mlir::Type type) {
    json.object([&] {
      attribute(key, name);
      attribute("type", printed(type));
    });
  }

  void writeWeights(program::EntryOp entry) {
    std::map<std::string, mlir::Type> weights;
    entry.walk(
        [&](program::WeightOp weight) { weights.emplace(weight.getName(), weight.getType()); });
    json.attributeArray("weights", [&] {
      for (const auto &[name, type] : weights)
        named("name", name, type);
    });
  }

  void writeStructures() {
    std::vector<sym::CallStructure> structures;
    if (facts.observables && !facts.guards.empty()) {
      auto found = sym::callStructures(*facts.observables, facts.guards);
      if (found)
        structures = std::move(*found);
      else
        llvm::consumeError(found.takeError()); // such a program is refused where code is made
    }
    json.attributeArray("structures", [&] {
      for (const sym::CallStructure &structure : structures)
        json.object([&] {
          json.attributeArray("leaves", [&] {
            for (const std::string &leaf : structure.leaves())
              text(leaf);
          });
          json.attributeArray("containers", [&] {
            for (const sym::CallStructure::Container &container : structure.containers())
              writeContainer(container);
          });
          json.attributeArray("variants", [&] {
            for (unsigned variant : structure.variants)
              json.value(int64_t(variant));
          });
        });
    });
  }

  void writeContainer(const sym::CallStructure::Container &container) {
    const sym::StringTable &texts = facts.observables->strings();
    json.object([&] {
      attribute("path", container.path);
      attribute("type", sym::getValueTagName(container.tag));
      if (container.length)
        json.attribute("length", *container.length);
      if (container.keys)
        attribute("keys", texts.text(*container.keys));
      if (container.className)
        attribute("class", texts.text(*container.className));
    });
  }

  /// A node of a result: its kind, and what it has of leaf, text, id, value and items.
  void writeTree(program::OutAttr node) {
    json.object([&] {
      json.attribute("kind", program::stringifyOutKind(node.getKind()));
      if (node.getLeaf() >= 0)
        json.attribute("leaf", node.getLeaf());
      if (node.getText() && node.getKind() == program::OutKind::Bytes)
        bytes("text", node.getText().getValue());
      else if (node.getText())
        attribute("text", node.getText().getValue());
      else if (auto dtype = mlir::dyn_cast_or_null<aten::DTypeAttr>(node.getConstant()))
        attribute("text", "torch." + getDTypeInfo(dtype.getValue()).torchName.str());
      else if (auto device = mlir::dyn_cast_or_null<aten::DeviceAttr>(node.getConstant()))
        attribute("text", aten::toString(device.getValue()));
      if (node.getIdentity())
        json.attribute("id", node.getIdentity());
      writeConstant(node.getConstant());
      if (!node.getChildren().empty())
        json.attributeArray("items", [&] {
          for (program::OutAttr child : node.getChildren())
            writeTree(child);
        });
    });
  }

  /// Floats as text, which every float has and JSON's numbers do not.
  void writeConstant(mlir::Attribute constant) {
    if (auto flag = mlir::dyn_cast_or_null<mlir::BoolAttr>(constant)) {
      json.attribute("value", flag.getValue());
    } else if (auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(constant)) {
      json.attribute("value", number.getInt());
    } else if (auto real = mlir::dyn_cast_or_null<mlir::FloatAttr>(constant)) {
      llvm::SmallString<32> text;
      real.getValue().toString(text);
      json.attribute("value", text);
    }
  }

  void writeVariant(program::VariantOp variant, size_t index) {
    json.object([&] {
      json.attribute("name", variant.getSymName());
      json.attributeArray("inputs", [&] {
        for (auto [path, arg] : llvm::zip(variant.getInputs().getAsValueRange<mlir::StringAttr>(),
                                          variant.getBody().getArguments()))
          named("path", path, arg.getType());
      });
      json.attributeArray("guards", [&] {
        if (index < facts.guards.size())
          for (const sym::Guard &guard : facts.guards[index].guards())
            writeGuard(guard);
      });
      json.attributeArray("outcomes",
                          [&] { variant.walk([&](program::EndOp end) { writeEnd(end); }); });
      std::map<llvm::StringRef, int64_t> ops;
      variant.walk([&](mlir::Operation *op) {
        if (op != variant.getOperation())
          ++ops[op->getName().getStringRef()];
      });
      json.attributeObject("ops", [&] {
        for (const auto &[name, count] : ops)
          json.attribute(name, count);
      });
    });
  }

  void writeGuard(const sym::Guard &guard) {
    json.object([&] {
      json.attribute("kind", sym::getGuardKindInfo(guard.kind).keyword);
      attribute("path", sym::guardPath(*facts.observables, guard.atom));
      attribute("formula", sym::atomText(*facts.observables, guard.atom));
      json.attributeArray("origins", [&] {
        for (const sym::GuardOrigin &origin : guard.origins)
          json.object([&] {
            place(origin.loc.file, origin.loc.line);
            attribute("reason", origin.reason);
          });
      });
    });
  }

  void writeEnd(program::EndOp end) {
    json.object([&] {
      attribute("result", printed(mlir::Attribute(end.getResult())));
      json.attributeBegin("tree");
      writeTree(end.getResult());
      json.attributeEnd();
      json.attributeArray("leaves", [&] {
        for (mlir::Type type : end.getLeaves().getTypes())
          text(printed(type));
      });
      json.attribute("raised", end.getRaised());
      if (auto where = end.getLoc()->findInstanceOf<mlir::FileLineColLoc>())
        place(where.getFilename().getValue(), where.getLine());
      json.attributeArray("mutated", [&] {
        if (auto paths = end.getMutatedPaths())
          for (llvm::StringRef path : paths->getAsValueRange<mlir::StringAttr>())
            text(path);
      });
      json.attributeArray("contents", [&] {
        if (auto trees = end.getMutated())
          for (auto tree : trees->getAsRange<program::OutAttr>())
            writeTree(tree);
      });
    });
  }

  llvm::json::OStream json;
  const ManifestFacts &facts;
};

} // namespace

void ptc::writeManifest(llvm::raw_ostream &os, mlir::ModuleOp module, const ManifestFacts &facts) {
  ManifestWriter(os, facts).write(*module.getOps<program::EntryOp>().begin());
  os << '\n';
}
