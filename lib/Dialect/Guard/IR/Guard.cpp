//===- Guard.cpp - The guard dialect -----------------------------------------------===//
//
// In: what TableGen made of GuardOps.td. Out: the dialect; kinds and relations are printed by the
// keywords of their tables.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Guard/IR/Guard.h"

#include "ptc/Symbolic/Guard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ptc::guard;
using ptc::sym::GuardKind;
using ptc::sym::ObservableKind;
using ptc::sym::Relation;

//===----------------------------------------------------------------------===//
// Keywords
//===----------------------------------------------------------------------===//

static constexpr std::pair<Relation, llvm::StringLiteral> kRelations[] = {
    {Relation::Equal, "eq"},     {Relation::NotEqual, "ne"}, {Relation::Less, "lt"},
    {Relation::LessEqual, "le"}, {Relation::Greater, "gt"},  {Relation::GreaterEqual, "ge"},
};

static ParseResult parseIndexed(OpAsmParser &parser, IntegerAttr &attr, llvm::StringRef what,
                                llvm::function_ref<std::optional<unsigned>(llvm::StringRef)> find,
                                llvm::function_ref<void(InFlightDiagnostic &)> listValid) {
  llvm::StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<unsigned> index = find(keyword);
  if (!index) {
    InFlightDiagnostic error = parser.emitError(loc)
                               << "unknown " << what << " '" << keyword << "'; valid:";
    listValid(error);
    return error;
  }
  attr = parser.getBuilder().getI32IntegerAttr(int32_t(*index));
  return success();
}

static ParseResult parseObservableKind(OpAsmParser &parser, IntegerAttr &attr) {
  return parseIndexed(
      parser, attr, "observable",
      [](llvm::StringRef keyword) -> std::optional<unsigned> {
        auto kind = ptc::sym::parseObservableKind(keyword);
        return kind ? std::optional(unsigned(*kind)) : std::nullopt;
      },
      [](InFlightDiagnostic &error) {
        for (const auto &info : ptc::sym::getAllObservableInfos())
          error << ' ' << llvm::StringRef(info.keyword);
      });
}

static void printObservableKind(OpAsmPrinter &p, Operation *, IntegerAttr attr) {
  p << ptc::sym::getObservableInfo(ObservableKind(attr.getInt())).keyword;
}

static ParseResult parseGuardKind(OpAsmParser &parser, IntegerAttr &attr) {
  return parseIndexed(
      parser, attr, "guard kind",
      [](llvm::StringRef keyword) -> std::optional<unsigned> {
        auto kind = ptc::sym::parseGuardKind(keyword);
        return kind ? std::optional(unsigned(*kind)) : std::nullopt;
      },
      [](InFlightDiagnostic &error) {
        for (const auto &info : ptc::sym::getAllGuardKindInfos())
          error << ' ' << llvm::StringRef(info.keyword);
      });
}

static void printGuardKind(OpAsmPrinter &p, Operation *, IntegerAttr attr) {
  p << ptc::sym::getGuardKindInfo(GuardKind(attr.getInt())).keyword;
}

static ParseResult parseRelation(OpAsmParser &parser, IntegerAttr &attr) {
  return parseIndexed(
      parser, attr, "relation",
      [](llvm::StringRef keyword) -> std::optional<unsigned> {
        for (const auto &[relation, name] : kRelations)
          if (name == keyword)
            return unsigned(relation);
        return std::nullopt;
      },
      [](InFlightDiagnostic &error) {
        for (const auto &[relation, name] : kRelations)
          error << ' ' << llvm::StringRef(name);
      });
}

static void printRelation(OpAsmPrinter &p, Operation *, IntegerAttr attr) {
  for (const auto &[relation, name] : kRelations)
    if (int64_t(relation) == attr.getInt())
      p << name;
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

#include "ptc/Dialect/Guard/IR/GuardDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ptc/Dialect/Guard/IR/GuardOps.cpp.inc"

void GuardDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ptc/Dialect/Guard/IR/GuardOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

LogicalResult SetOp::verify() {
  for (Operation &op : *getBody().begin())
    if (!isa<ObserveOp, TextOp, RequireOp>(op) && !isa<arith::ArithDialect>(op.getDialect()))
      return op.emitOpError("does not belong into a guard.set: only guard and arith do");
  return success();
}

/// Which fields an observable has follows from the places in its text: {0} path, {1} index, {2}
/// the other path.
LogicalResult ObserveOp::verify() {
  if (getKind() >= ptc::sym::getAllObservableInfos().size())
    return emitOpError("has a kind that is no row of the table of observables");
  const auto &info = ptc::sym::getObservableInfo(ObservableKind(getKind()));
  llvm::StringRef text = info.text;
  if (text.contains("{0}") == getPath().empty())
    return emitOpError() << "'" << info.keyword << "' "
                         << (getPath().empty() ? "needs a path" : "has no path");
  if (text.contains("{1}") != getIndex().has_value())
    return emitOpError() << "'" << info.keyword << "' "
                         << (getIndex() ? "has no index" : "needs an index");
  if (text.contains("{2}") != getOther().has_value())
    return emitOpError() << "'" << info.keyword << "' "
                         << (getOther() ? "has no 'with'" : "needs 'with'");
  return success();
}

LogicalResult RequireOp::verify() {
  if (getKind() >= ptc::sym::getAllGuardKindInfos().size())
    return emitOpError("has a kind that is no row of the table of guard kinds");
  if (getRelation() >= std::size(kRelations))
    return emitOpError("has an unknown relation");
  auto fused = dyn_cast<FusedLoc>(getLoc());
  if (getReasons().size() > 1 && fused && fused.getLocations().size() != getReasons().size())
    return emitOpError("has ") << getReasons().size() << " reasons and "
                               << fused.getLocations().size() << " places";
  return success();
}
