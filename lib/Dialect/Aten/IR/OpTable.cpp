//===- OpTable.cpp - Rows of the overload table and look-up by name ----------===//
//
// In: names. Out: rows that tools/gen/aten_table.py made of AtenOps.td.
//
//===----------------------------------------------------------------------===//
#include "ptc/Dialect/Aten/IR/OpTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>

using namespace ptc;
using namespace ptc::aten;

namespace {
#include "ptc/Dialect/Aten/IR/AtenTable.inc"
} // namespace

std::optional<unsigned> OpInfo::findArg(llvm::StringRef argName) const {
  for (auto [i, arg] : llvm::enumerate(args))
    if (arg.name == argName)
      return unsigned(i);
  return std::nullopt;
}

const OpInfo &ptc::aten::getOpInfo(OpId id) {
  assert(size_t(id) < std::size(kOps) && "a record of AtenOps.td");
  return kOps[size_t(id)];
}

llvm::ArrayRef<OpInfo> ptc::aten::getAllOpInfos() { return kOps; }

const OpInfo *ptc::aten::findOp(llvm::StringRef name) {
  if (!name.consume_front("aten::"))
    name.consume_front("aten.");
  const OpId *it = llvm::lower_bound(
      kByName, name, [](OpId id, llvm::StringRef key) { return getOpInfo(id).name < key; });
  if (it == std::end(kByName) || getOpInfo(*it).name != name)
    return nullptr;
  return &getOpInfo(*it);
}

llvm::ArrayRef<Spelling> ptc::aten::getAllSpellings() { return kSpellings; }

llvm::ArrayRef<Spelling> ptc::aten::findSpelling(llvm::StringRef name) {
  const Spelling *first =
      llvm::lower_bound(kSpellings, name, [](const Spelling &s, llvm::StringRef key) {
        return llvm::StringRef(s.name) < key;
      });
  const Spelling *last = first;
  while (last != std::end(kSpellings) && last->name == name)
    ++last;
  return llvm::ArrayRef(first, last);
}
