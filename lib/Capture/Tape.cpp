//===- Tape.cpp - Recording operations -------------------------------------------===//
//
// In: operations with operands. Out: blocks in program order, where an equal pure operation is
// found again instead of recorded twice.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Tape.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <cmath>

using namespace ptc::capture;

namespace {
struct OpRow {
  llvm::StringLiteral name;
  bool pure;
  bool lenient;
};
} // namespace

static constexpr OpRow kOpRows[] = {
#define TAPE_OP(Name, Pure, Lenient) {#Name, Pure, Lenient},
#include "ptc/Capture/TapeOps.def"
};

llvm::StringRef ptc::capture::tapeOpName(TapeOp op) { return kOpRows[size_t(op)].name; }
bool ptc::capture::isPure(TapeOp op) { return kOpRows[size_t(op)].pure; }
bool ptc::capture::isLenient(TapeOp op) { return kOpRows[size_t(op)].lenient; }

TapeArg TapeArg::real(double d) { return {Kind::Float, std::bit_cast<uint64_t>(d), 0, {}, {}}; }
double TapeArg::asReal() const { return std::bit_cast<double>(bits); }

bool TapeArg::operator==(const TapeArg &other) const {
  return kind == other.kind && bits == other.bits &&
         std::bit_cast<uint64_t>(imaginary) == std::bit_cast<uint64_t>(other.imaginary) &&
         text == other.text && items == other.items;
}

size_t ptc::capture::hashOf(const TapeArg &arg) {
  size_t h = llvm::hash_combine(arg.kind, arg.bits, arg.text);
  for (const TapeArg &item : arg.items)
    h = llvm::hash_combine(h, hashOf(item));
  return h;
}

static size_t hashInstr(const TapeInstr &instr) {
  size_t h = llvm::hash_combine(instr.op, instr.aten);
  for (const TapeArg &arg : instr.args)
    h = llvm::hash_combine(h, hashOf(arg));
  for (const TapeArg &attr : instr.attrs)
    h = llvm::hash_combine(h, hashOf(attr));
  return h;
}

static bool sameOperation(const TapeInstr &a, const TapeInstr &b) {
  return a.op == b.op && a.aten == b.aten && a.args == b.args && a.attrs == b.attrs;
}

/// One look-up in a table gives a number or a selector: what is found must be what is wanted.
bool Tape::haveTypes(llvm::ArrayRef<ValueId> results, llvm::ArrayRef<TapeValue> types) const {
  return llvm::equal(results, types, [&](ValueId id, const TapeValue &wanted) {
    const TapeValue &is = type(id);
    // The same computation in another grad mode gives another tensor to who asks.
    if (is.type != wanted.type || is.requiresGrad != wanted.requiresGrad)
      return false;
    // Nothing but its type says what an empty list is to hold.
    return is.type != TapeType::List ||
           (is.number == wanted.number && is.dtype == wanted.dtype && is.device == wanted.device &&
            is.sizes == wanted.sizes && is.strides == wanted.strides);
  });
}

TapeInstr::TapeInstr(const TapeInstr &other, TapeBlock *block)
    : op(other.op), aten(other.aten), source(other.source), args(other.args), attrs(other.attrs),
      results(other.results) {
  for (const std::unique_ptr<TapeBlock> &region : other.regions) {
    regions.push_back(std::make_unique<TapeBlock>(block));
    regions.back()->copyFrom(*region);
  }
}

void TapeBlock::copyFrom(const TapeBlock &other) {
  args = other.args;
  instrs.clear();
  for (const TapeInstr &instr : other.instrs)
    instrs.emplace_back(instr, this);
  yields = other.yields;
  memo = other.memo;
}

void TapeBlock::truncate(size_t n) {
  if (n >= instrs.size())
    return;
  instrs.erase(instrs.begin() + ptrdiff_t(n), instrs.end());
  for (auto &[hash, places] : memo)
    llvm::erase_if(places, [&](uint32_t place) { return place >= n; });
}

size_t TapeBlock::countInstrs() const {
  size_t n = instrs.size();
  for (const TapeInstr &instr : instrs)
    for (const auto &region : instr.regions)
      n += region->countInstrs();
  return n;
}

size_t TapeBlock::depth() const {
  size_t deepest = 0;
  for (const TapeInstr &instr : instrs)
    for (const auto &region : instr.regions)
      deepest = std::max(deepest, 1 + region->depth());
  return deepest;
}

llvm::ArrayRef<ValueId> Tape::record(TapeBlock &block, TapeInstr instr,
                                     llvm::ArrayRef<TapeValue> types) {
  size_t hash = 0;
  if (isPure(instr.op)) {
    hash = hashInstr(instr);
    for (TapeBlock *b = &block; b; b = b->parent) {
      auto places = b->memo.find(hash);
      if (places == b->memo.end())
        continue;
      for (uint32_t place : places->second)
        if (sameOperation(b->instrs[place], instr) && haveTypes(b->instrs[place].results, types))
          return b->instrs[place].results;
    }
    block.memo[hash].push_back(uint32_t(block.instrs.size()));
  }
  for (const TapeValue &type : types) {
    ValueId id = makeValue(type);
    instr.results.push_back(id);
    if (instr.op == TapeOp::Pick)
      chooseMakers(id, llvm::ArrayRef(instr.args).drop_front());
    else if (instr.regions.empty() && instr.op != TapeOp::Map && instr.op != TapeOp::ListGet)
      values.back().makers.push_back(id);
  }
  block.instrs.push_back(std::move(instr));
  return block.instrs.back().results;
}

void Tape::chooseMakers(ValueId result, llvm::ArrayRef<TapeArg> alternatives) {
  static constexpr size_t kMost = 64; // of more, none is told apart
  llvm::SmallVector<ValueId, 1> all;
  for (const TapeArg &arg : alternatives) {
    bool isNaN = arg.kind == TapeArg::Kind::Float && std::isnan(arg.asReal());
    if (isNaN || (arg.isValue() && arg.id() != kUndef && values[arg.id()].makers.empty()))
      return;
    if (arg.isValue())
      for (ValueId maker : values[arg.id()].makers)
        if (!llvm::is_contained(all, maker))
          all.push_back(maker);
    if (all.size() > kMost)
      return;
  }
  values[result].makers = std::move(all);
}

static void printArg(llvm::raw_ostream &os, const TapeArg &arg) {
  switch (arg.kind) {
  case TapeArg::Kind::None:
    os << "None";
    return;
  case TapeArg::Kind::Value:
    if (arg.id() == kUndef)
      os << "undef";
    else
      os << '%' << arg.id();
    return;
  case TapeArg::Kind::Bool:
    os << (arg.bits ? "True" : "False");
    return;
  case TapeArg::Kind::Int:
    os << arg.asInt();
    return;
  case TapeArg::Kind::Float:
    os << arg.asReal();
    return;
  case TapeArg::Kind::Complex:
    os << '(' << arg.asReal() << " + " << arg.imaginary << "j)";
    return;
  case TapeArg::Kind::Str:
    os << '"';
    os.write_escaped(arg.text) << '"';
    return;
  case TapeArg::Kind::DType:
    os << getDTypeInfo(ptc::DType(arg.bits)).alias;
    return;
  case TapeArg::Kind::Device:
    os << "device:" << arg.bits;
    return;
  case TapeArg::Kind::Layout:
    os << "layout:" << arg.bits;
    return;
  case TapeArg::Kind::MemoryFormat:
    os << "format:" << arg.bits;
    return;
  case TapeArg::Kind::List:
    os << '[';
    llvm::interleaveComma(arg.items, os, [&](const TapeArg &item) { printArg(os, item); });
    os << ']';
    return;
  }
  llvm_unreachable("closed enum");
}

void Tape::print(llvm::raw_ostream &os, const TapeBlock &block, unsigned indent) const {
  for (const TapeInstr &instr : block.instrs) {
    os.indent(indent);
    if (!instr.results.empty()) {
      llvm::interleaveComma(instr.results, os, [&](ValueId id) { os << '%' << id; });
      os << " = ";
    }
    os << tapeOpName(instr.op);
    if (instr.aten)
      os << '#' << instr.aten;
    os << '(';
    llvm::interleaveComma(instr.args, os, [&](const TapeArg &arg) { printArg(os, arg); });
    os << ')';
    for (const TapeArg &attr : instr.attrs) {
      os << ' ';
      printArg(os, attr);
    }
    os << '\n';
    for (const auto &region : instr.regions) {
      os.indent(indent) << "{ (";
      llvm::interleaveComma(region->args, os, [&](ValueId id) { os << '%' << id; });
      os << ")\n";
      print(os, *region, indent + 2);
      os.indent(indent) << "} yield ";
      llvm::interleaveComma(region->yields, os, [&](const TapeArg &arg) { printArg(os, arg); });
      os << '\n';
    }
  }
}
