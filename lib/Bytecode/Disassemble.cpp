// A .pyc as text from which Assemble.cpp makes the same bytes. The form is described in Assembly.h.
// In: bytes whose marshal data is well-formed. Out: text. Bytecode need not be valid.
#include "ptc/Bytecode/Decode.h"

#include "Assembly.h"
#include "RawCode.h"
#include "Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"

using namespace ptc;
using namespace ptc::assembly;

namespace {

class Printer {
public:
  Printer(llvm::raw_ostream &os, const marshal::Tree &tree, PythonVersion version)
      : os(os), tree(tree), table(raw::getVersionTable(version)), version(version) {
    numberOf.assign(tree.nodes.size(), 0);
    for (auto [number, node] : llvm::enumerate(tree.shared))
      numberOf[node] = number;
  }

  void run();

private:
  struct Open {
    uint32_t node;
    uint32_t next; ///< the child to be printed
    uint32_t printed;
  };

  void printObject(uint32_t index, std::vector<Open> &stack);
  void printPayload(const marshal::Node &node);
  void printLong(const marshal::Node &node);
  void printInts(const marshal::Node &node, unsigned first, unsigned last);
  void printInstructions(uint32_t codeNode, llvm::StringRef bytes,
                         llvm::ArrayRef<raw::Instr> instrs);
  bool parseBytes(const marshal::Node &node, std::vector<raw::Instr> &instrs) const;
  void printInstruction(const raw::Instr &instr, llvm::StringRef bytes, uint32_t codeNode);
  std::string describeOperand(const raw::Instr &instr, uint32_t codeNode);
  std::string textOf(uint32_t tupleNode, uint32_t index);
  uint32_t childOf(uint32_t node, unsigned which) const {
    uint32_t child = node + 1;
    for (; which; --which)
      child = tree.nodes[child].end;
    return child;
  }
  llvm::raw_ostream &line() { return os.indent(2 * depth); }

  llvm::raw_ostream &os;
  const marshal::Tree &tree;
  const raw::VersionTable &table;
  PythonVersion version;
  std::vector<uint32_t> numberOf; ///< node -> its number among the shared ones
  std::vector<uint32_t> children; ///< of the tuple at childrenOf, so that look-ups are fast
  uint32_t childrenOf = kNoIndex;
  unsigned depth = 0;
};

void Printer::printLong(const marshal::Node &node) {
  // Digits of 15 bits, the most significant first, as one number to base 2^15 in hexadecimal.
  os << (node.value ? " -" : " ");
  for (size_t i = node.bytes.size(); i > 0; i -= 2)
    os << llvm::format("%04x", llvm::support::endian::read16le(node.bytes.data() + i - 2));
  if (node.bytes.empty())
    os << '0';
}

void Printer::printPayload(const marshal::Node &node) {
  auto word = [&](unsigned at) { return llvm::support::endian::read64le(node.bytes.data() + at); };
  if (marshal::isString(node.type) || node.type == marshal::Bytes) {
    printQuoted(os << ' ', node.bytes);
  } else if (node.type == marshal::Int32) {
    os << ' ' << static_cast<int32_t>(node.value);
  } else if (node.type == marshal::Int64) {
    os << ' ' << static_cast<int64_t>(word(0));
  } else if (node.type == marshal::Long) {
    printLong(node);
  } else if (node.type == marshal::Float) {
    os << llvm::format(" 0x%016llx ; %.17g", (unsigned long long)word(0),
                       llvm::bit_cast<double>(word(0)));
  } else if (node.type == marshal::Complex) {
    os << llvm::format(" 0x%016llx 0x%016llx ; %.17g%+.17gj", (unsigned long long)word(0),
                       (unsigned long long)word(8), llvm::bit_cast<double>(word(0)),
                       llvm::bit_cast<double>(word(8)));
  } else if (node.type == marshal::Ref) {
    os << ' ' << numberOf[node.value];
    const marshal::Node &meant = tree.nodes[node.value];
    if (marshal::isString(meant.type))
      printQuoted(os << " ; ", meant.bytes.take_front(60));
  } else if (node.type == marshal::SmallTuple || node.type == marshal::Tuple ||
             node.type == marshal::FrozenSet) {
    os << ' ' << node.children;
  } else if (node.type == marshal::Code) {
    os << " {";
  }
}

void Printer::printInts(const marshal::Node &node, unsigned first, unsigned last) {
  for (unsigned i = first; i <= last; ++i) {
    line() << kIntNames[i] << ' ';
    uint32_t value = tree.codeInts[node.value][i];
    if (i == marshal::Flags)
      os << llvm::format("0x%x\n", value);
    else
      os << static_cast<int32_t>(value) << '\n';
  }
}

/// The text of item `index` of a tuple, for comments.
std::string Printer::textOf(uint32_t tupleNode, uint32_t index) {
  if (tree.nodes[tupleNode].type == marshal::Ref)
    tupleNode = tree.nodes[tupleNode].value;
  const marshal::Node &tuple = tree.nodes[tupleNode];
  if (tuple.type != marshal::SmallTuple && tuple.type != marshal::Tuple)
    return {};
  if (childrenOf != tupleNode) {
    childrenOf = tupleNode;
    children.clear();
    for (uint32_t child = tupleNode + 1; child < tuple.end; child = tree.nodes[child].end)
      children.push_back(child);
  }
  if (index >= children.size())
    return {};
  const marshal::Node &item = tree.resolve(children[index]);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (marshal::isString(item.type))
    printQuoted(stream, item.bytes.take_front(60));
  else if (item.type == marshal::Int32)
    stream << static_cast<int32_t>(item.value);
  else
    for (const Word &word : kWords)
      if (word.type == item.type)
        stream << word.word;
  return text;
}

std::string Printer::describeOperand(const raw::Instr &instr, uint32_t codeNode) {
  using raw::Op;
  llvm::StringRef name = raw::getOpInfo(instr.op).name;
  bool shifted = instr.op == Op::LOAD_GLOBAL || (instr.op == Op::LOAD_ATTR && table.methodBit);
  uint32_t arg = instr.op == Op::LOAD_SUPER_ATTR ||
                         (instr.op == Op::IMPORT_NAME && version >= PythonVersion::Py315)
                     ? instr.arg >> 2
                     : instr.arg >> shifted;
  if (instr.op == Op::LOAD_CONST || instr.op == Op::RETURN_CONST || instr.op == Op::KW_NAMES)
    return textOf(childOf(codeNode, marshal::Consts), arg);
  bool isPair = name.count("_FAST") > 1;
  if (isPair)
    return textOf(childOf(codeNode, marshal::LocalNames), arg >> 4) + " " +
           textOf(childOf(codeNode, marshal::LocalNames), arg & 15);
  if (name.contains("_FAST") || name.ends_with("DEREF") || instr.op == Op::MAKE_CELL ||
      instr.op == Op::LOAD_CLOSURE)
    return textOf(childOf(codeNode, marshal::LocalNames), arg);
  if (name.ends_with("_NAME") || name.ends_with("_GLOBAL") || name.ends_with("_ATTR") ||
      instr.op == Op::LOAD_METHOD || instr.op == Op::IMPORT_FROM ||
      instr.op == Op::LOAD_FROM_DICT_OR_GLOBALS)
    return textOf(childOf(codeNode, marshal::Names), arg);
  if (instr.op == Op::BINARY_OP && arg < 2 * kNumBinaryOps)
    return getBinaryOpSymbol(static_cast<BinaryOp>(arg % kNumBinaryOps), arg >= kNumBinaryOps)
        .str();
  if (instr.op == Op::COMPARE_OP && arg >> table.compareShift < 6)
    return getCompareOpSymbol(static_cast<CompareOp>(arg >> table.compareShift)).str();
  return {};
}

void Printer::printInstruction(const raw::Instr &instr, llvm::StringRef bytes, uint32_t codeNode) {
  unsigned prefixes = (instr.offset - instr.start) / 2;
  unsigned needed = instr.arg > 0xffffff ? 3 : instr.arg > 0xffff ? 2 : instr.arg > 0xff ? 1 : 0;
  uint32_t arg = instr.arg;
  if (prefixes != needed) { // not as a compiler writes it: each one by itself
    for (uint32_t at = instr.start; at < instr.offset; at += 2)
      line() << "EXTENDED_ARG " << unsigned(uint8_t(bytes[at + 1])) << '\n';
    arg &= 255;
  }
  if (instr.op == raw::Op::Invalid)
    line() << '#' << unsigned(uint8_t(bytes[instr.offset])) << ' ' << arg;
  else
    line() << raw::getOpInfo(instr.op).name << ' ' << arg;
  if (raw::isJump(instr.op)) {
    int64_t distance = 2LL * instr.arg;
    os << " ; to " << instr.next + (raw::isBackward(instr.op) ? -distance : distance);
  } else if (std::string text = describeOperand(instr, codeNode); !text.empty()) {
    os << " ; " << text;
  }
  os << '\n';
  llvm::StringRef caches = bytes.slice(instr.offset + 2, instr.next);
  if (llvm::any_of(caches, [](char c) { return c != 0; })) {
    line() << "caches ";
    printQuoted(os, caches);
    os << '\n';
  }
}

bool Printer::parseBytes(const marshal::Node &node, std::vector<raw::Instr> &instrs) const {
  CodeObject code;
  code.version = version;
  code.code = {node.bytes.bytes_begin(), node.bytes.size()};
  raw::Problem ignored;
  return raw::parseInstrs(code, instrs, ignored);
}

void Printer::printInstructions(uint32_t codeNode, llvm::StringRef bytes,
                                llvm::ArrayRef<raw::Instr> instrs) {
  std::vector<bool> isTarget(bytes.size() + 1);
  for (const raw::Instr &instr : instrs)
    if (raw::isJump(instr.op)) {
      int64_t distance = 2LL * instr.arg;
      int64_t target = instr.next + (raw::isBackward(instr.op) ? -distance : distance);
      if (target >= 0 && target < int64_t(isTarget.size()))
        isTarget[target] = true;
    }
  os << " {\n";
  ++depth;
  for (const raw::Instr &instr : instrs) {
    if (isTarget[instr.start])
      line() << "; " << instr.start << ":\n";
    printInstruction(instr, bytes, codeNode);
  }
  --depth;
  line() << "}";
}

void Printer::printObject(uint32_t index, std::vector<Open> &stack) {
  const marshal::Node &node = tree.nodes[index];
  line();
  const marshal::Node *parent = stack.empty() ? nullptr : &tree.nodes[stack.back().node];
  bool isCodeBytes = false;
  if (parent && parent->type == marshal::Code) {
    os << kFieldNames[stack.back().printed - 1] << ": ";
    isCodeBytes = stack.back().printed - 1 == marshal::CodeBytes && node.type == marshal::Bytes;
  }
  if (node.isShared)
    os << '&';
  std::vector<raw::Instr> instrs;
  if (isCodeBytes && parseBytes(node, instrs)) {
    os << kInstructions;
    printInstructions(stack.back().node, node.bytes, instrs);
  } else {
    for (const Word &word : kWords)
      if (word.type == node.type)
        os << word.word;
    printPayload(node);
  }
  os << '\n';
  if (marshal::isContainer(node.type)) {
    stack.push_back({index, index + 1, 0});
    ++depth;
  }
}

void Printer::run() {
  std::vector<Open> stack;
  printObject(0, stack);
  while (!stack.empty()) {
    Open &open = stack.back();
    const marshal::Node &node = tree.nodes[open.node];
    bool isCode = node.type == marshal::Code;
    if (open.printed == node.children) {
      --depth;
      if (isCode)
        line() << "}\n";
      stack.pop_back();
      continue;
    }
    if (isCode && open.printed == 0)
      printInts(node, marshal::ArgCount, marshal::Flags);
    if (isCode && open.printed == marshal::kFieldAfterFirstLine)
      printInts(node, marshal::FirstLine, marshal::FirstLine);
    uint32_t child = open.next;
    open.next = tree.nodes[child].end;
    ++open.printed;
    printObject(child, stack);
  }
}

} // namespace

llvm::Error ptc::printRaw(llvm::raw_ostream &os, llvm::StringRef bytes, llvm::StringRef name,
                          std::optional<PythonVersion> version) {
  std::optional<PycHeader> header;
  if (!version) {
    llvm::Expected<marshal::Prefix> prefix = marshal::parseHeader(bytes, name);
    if (!prefix)
      return prefix.takeError();
    version = prefix->version;
    header = prefix->header;
    bytes = bytes.drop_front(marshal::kHeaderSize);
  }
  llvm::Expected<marshal::Tree> tree = marshal::parse(bytes, name, {});
  if (!tree)
    return tree.takeError();
  if (header)
    os << "pyc " << getVersionName(*version) << " flags " << header->flags
       << llvm::format(" stamp 0x%016llx\n", (unsigned long long)header->stamp);
  else
    os << "marshal " << getVersionName(*version) << '\n';
  Printer(os, *tree, *version).run();
  return llvm::Error::success();
}
