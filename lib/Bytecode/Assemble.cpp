// The text of Disassemble.cpp into bytes. The form is described in Assembly.h.
// In: text from anywhere. Out: bytes, or AssemblyMalformed with the line. What the bytes mean is
// not checked: the reader does that.
#include "ptc/Bytecode/Decode.h"

#include "Assembly.h"
#include "RawCode.h"

#include "ptc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"

using namespace ptc;
using namespace ptc::assembly;

namespace {

class Assembler {
public:
  Assembler(llvm::StringRef text, llvm::StringRef name) : rest(text), name(name) {}

  llvm::Expected<std::string> run();

private:
  struct Open {
    bool isCode;
    uint32_t read, count;
  };

  bool fail(const llvm::Twine &why) {
    if (problem.empty())
      problem = why.str();
    return false;
  }
  bool nextLine();
  llvm::StringRef takeWord();
  bool takeQuoted(std::string &out);
  template <typename T> bool takeNumber(T &out, unsigned radix = 0) {
    llvm::StringRef word = takeWord();
    return !word.getAsInteger(radix, out) || fail("'" + word + "' is not a number");
  }
  bool atLineEnd() {
    current = current.ltrim(" \t");
    return current.empty() || current.front() == ';' || fail("unexpected text at the end");
  }

  bool readHeader();
  bool readInts(unsigned first, unsigned last);
  bool readObject();
  bool readPayload(uint8_t type);
  bool readString(uint8_t type);
  bool readLong();
  bool readInstructions();
  bool readInstruction(llvm::StringRef word, std::string &code);

  void putInt(uint32_t value) {
    char raw[4];
    llvm::support::endian::write32le(raw, value);
    out.append(raw, 4);
  }
  void putWord(uint64_t value) {
    char raw[8];
    llvm::support::endian::write64le(raw, value);
    out.append(raw, 8);
  }

  llvm::StringRef rest, name, current;
  uint32_t lineNumber = 0;
  PythonVersion version{};
  llvm::StringMap<uint8_t> numbers; ///< opcode by name
  std::string out, problem;
  std::vector<Open> stack;
};

/// The next line that says something; false at the end of the text.
bool Assembler::nextLine() {
  while (!rest.empty()) {
    std::tie(current, rest) = rest.split('\n');
    ++lineNumber;
    current = current.trim(" \t\r");
    if (!current.empty() && current.front() != ';')
      return true;
  }
  return fail("the text ends early");
}

llvm::StringRef Assembler::takeWord() {
  current = current.ltrim(" \t");
  llvm::StringRef word = current.take_until([](char c) { return c == ' ' || c == '\t'; });
  current = current.drop_front(word.size());
  return word;
}

bool Assembler::takeQuoted(std::string &text) {
  current = current.ltrim(" \t");
  if (!current.consume_front("\""))
    return fail("a quoted string is missing");
  while (!current.empty()) {
    char c = current.front();
    current = current.drop_front();
    if (c == '"')
      return true;
    if (c != '\\') {
      text += c;
      continue;
    }
    if (current.empty())
      break;
    char escape = current.front();
    current = current.drop_front();
    uint8_t value;
    if (escape == 'x') {
      if (current.take_front(2).getAsInteger(16, value) || current.size() < 2)
        return fail("bad escape in a string");
      current = current.drop_front(2);
      text += static_cast<char>(value);
    } else if (llvm::StringRef("nrt\\\"").contains(escape)) {
      text += escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape == 't' ? '\t' : escape;
    } else {
      return fail("bad escape in a string");
    }
  }
  return fail("a string does not end");
}

bool Assembler::readHeader() {
  if (!nextLine())
    return false;
  llvm::StringRef kind = takeWord();
  if (kind != "pyc" && kind != "marshal")
    return fail("the text does not begin with 'pyc' or 'marshal'");
  std::optional<PythonVersion> known = parseVersionName(takeWord());
  if (!known)
    return fail("unknown Python version");
  version = *known;
  for (unsigned number = 0; number < 256; ++number)
    if (raw::Op op = raw::getVersionTable(version).ops[number]; op != raw::Op::Invalid)
      numbers[raw::getOpInfo(op).name] = number;
  if (kind == "marshal")
    return atLineEnd();
  static constexpr uint16_t magics[] = {
#define PTC_PYTHON(Minor, Magic, ...) Magic,
#include "ptc/Bytecode/Versions.def"
  };
  putInt(magics[static_cast<unsigned>(version)] | uint32_t('\r') << 16 | uint32_t('\n') << 24);
  uint32_t flags;
  uint64_t stamp;
  if (takeWord() != "flags" || !takeNumber(flags) || takeWord() != "stamp" || !takeNumber(stamp))
    return fail("the header needs flags and stamp");
  putInt(flags);
  putWord(stamp);
  return atLineEnd();
}

bool Assembler::readInts(unsigned first, unsigned last) {
  for (unsigned i = first; i <= last; ++i) {
    int64_t value;
    if (!nextLine())
      return false;
    if (takeWord() != kIntNames[i])
      return fail("'" + kIntNames[i] + "' is missing");
    if (!takeNumber(value) || !atLineEnd())
      return false;
    if (value < INT32_MIN || value > UINT32_MAX)
      return fail("number out of range");
    putInt(value);
  }
  return true;
}

bool Assembler::readString(uint8_t type) {
  std::string text;
  if (!takeQuoted(text))
    return false;
  if (type == marshal::ShortAscii || type == marshal::ShortAsciiInterned) {
    if (text.size() > 255)
      return fail("a short string is longer than 255 bytes");
    out += static_cast<char>(text.size());
  } else {
    putInt(text.size());
  }
  out += text;
  return true;
}

bool Assembler::readLong() {
  llvm::StringRef digits = takeWord();
  bool negative = digits.consume_front("-");
  if (digits == "0")
    digits = "";
  if (digits.size() % 4)
    return fail("a long has four hexadecimal digits for each 15 bits");
  auto count = static_cast<int32_t>(digits.size() / 4);
  putInt(negative ? -count : count);
  for (; !digits.empty(); digits = digits.drop_back(4)) {
    uint16_t digit;
    if (digits.take_back(4).getAsInteger(16, digit))
      return fail("a long has four hexadecimal digits for each 15 bits");
    out += static_cast<char>(digit & 255);
    out += static_cast<char>(digit >> 8);
  }
  return true;
}

bool Assembler::readInstruction(llvm::StringRef word, std::string &code) {
  if (word == "caches") {
    std::string bytes;
    if (!takeQuoted(bytes) || bytes.size() > code.size())
      return fail("caches without an instruction");
    std::copy(bytes.begin(), bytes.end(), code.end() - bytes.size());
    return atLineEnd();
  }
  uint8_t number;
  if (auto it = numbers.find(word); it != numbers.end())
    number = it->second;
  else if (!word.consume_front("#") || word.getAsInteger(10, number))
    return fail("Python " + getVersionName(version) + " has no opcode '" + word + "'");
  uint32_t arg;
  if (!takeNumber(arg) || !atLineEnd())
    return false;
  const auto extended = static_cast<char>(numbers.lookup("EXTENDED_ARG"));
  for (unsigned shift : {24, 16, 8})
    if (arg >> shift) {
      code += extended;
      code += static_cast<char>(arg >> shift & 255);
    }
  code += static_cast<char>(number);
  code += static_cast<char>(arg & 255);
  code.append(2ULL * raw::getVersionTable(version).caches[number], '\0');
  return true;
}

bool Assembler::readInstructions() {
  if (takeWord() != "{" || !atLineEnd())
    return fail("'{' is missing");
  std::string code;
  while (nextLine()) {
    llvm::StringRef word = takeWord();
    if (word == "}") {
      putInt(code.size());
      out += code;
      return true;
    }
    if (!readInstruction(word, code))
      return false;
  }
  return false;
}

bool Assembler::readPayload(uint8_t type) {
  if (marshal::isString(type) || type == marshal::Bytes)
    return readString(type);
  int64_t number = 0;
  uint64_t first = 0, second = 0;
  switch (type) {
  case marshal::Int32:
  case marshal::Ref:
    if (!takeNumber(number))
      return false;
    putInt(number);
    return true;
  case marshal::Int64:
    if (!takeNumber(number))
      return false;
    putWord(number);
    return true;
  case marshal::Long:
    return readLong();
  case marshal::Float:
  case marshal::Complex:
    if (!takeNumber(first) || (type == marshal::Complex && !takeNumber(second)))
      return false;
    putWord(first);
    if (type == marshal::Complex)
      putWord(second);
    return true;
  case marshal::SmallTuple:
  case marshal::Tuple:
  case marshal::FrozenSet:
    if (!takeNumber(number))
      return false;
    if (number < 0 || number > (type == marshal::SmallTuple ? 255 : INT32_MAX))
      return fail("number out of range");
    if (type == marshal::SmallTuple)
      out += static_cast<char>(number);
    else
      putInt(number);
    stack.push_back({false, 0, static_cast<uint32_t>(number)});
    return true;
  case marshal::Slice:
    stack.push_back({false, 0, 3});
    return true;
  case marshal::Code:
    stack.push_back({true, 0, marshal::NumCodeFields});
    return takeWord() == "{" || fail("'{' is missing");
  default:
    return true;
  }
}

bool Assembler::readObject() {
  if (!nextLine())
    return false;
  llvm::StringRef word = takeWord();
  if (word.ends_with(":"))
    word = takeWord();
  bool shared = word.consume_front("&");
  uint8_t flag = shared ? marshal::kFlagRef : 0;
  if (word == kInstructions) {
    out += static_cast<char>(marshal::Bytes | flag);
    return readInstructions();
  }
  for (const Word &known : kWords) {
    if (known.word != word)
      continue;
    out += static_cast<char>(known.type | flag);
    return readPayload(known.type) && atLineEnd();
  }
  return fail("'" + word + "' is not an object");
}

llvm::Expected<std::string> Assembler::run() {
  bool ok = readHeader() && readObject();
  while (ok && !stack.empty()) {
    Open &open = stack.back();
    if (open.read == open.count) {
      bool isCode = open.isCode;
      stack.pop_back();
      ok = !isCode || (nextLine() && (takeWord() == "}" || fail("'}' is missing")));
      continue;
    }
    if (open.isCode && open.read == 0)
      ok = readInts(marshal::ArgCount, marshal::Flags);
    if (open.isCode && open.read == marshal::kFieldAfterFirstLine)
      ok = readInts(marshal::FirstLine, marshal::FirstLine);
    ++open.read;
    ok = ok && readObject();
  }
  if (ok)
    return std::move(out);
  return makeError(DiagId::AssemblyMalformed, {name.str(), lineNumber, 1, lineNumber, 1}, problem);
}

} // namespace

llvm::Expected<std::string> ptc::assemble(llvm::StringRef text, llvm::StringRef name) {
  return Assembler(text, name).run();
}
