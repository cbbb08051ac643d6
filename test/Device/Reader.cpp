//===- Reader.cpp - PTX to instructions ------------------------------------------------===//
//
// In: the text of a module. Out: instructions of functions that are called, then of kernels; its
// variables, in memory of the device. An instruction that nobody knows fails when it is executed.
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Names.h"
#include "Run.h"
#include "Table.h"

#include <algorithm>
#include <cstring>

using namespace device;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static void jump(Warp &warp, const Instruction &i) { warp.jump(uint32_t(i.number)); }
static void leave(Warp &warp, const Instruction & /*i*/) { warp.leave(); }
static void exitKernel(Warp &warp, const Instruction & /*i*/) { warp.exit(); }
static void call(Warp &warp, const Instruction &i) { warp.enter(i); }
static void doNothing(Warp & /*warp*/, const Instruction & /*i*/) {}
static void stop(Warp & /*warp*/, const Instruction & /*i*/) {
  throw Fault("the kernel stops itself");
}
static void refuse(Warp & /*warp*/, const Instruction & /*i*/) {
  throw Fault("an instruction that is not known");
}

static void decodeJump(Names &names, const Statement &statement, Instruction &i) {
  if (statement.operands.size() != 1)
    return;
  names.jumps.emplace_back(names.module.code.size(), statement.operands[0].name);
  i.run = jump;
}
static void decodeLeave(Names & /*names*/, const Statement & /*statement*/, Instruction &i) {
  i.run = leave;
}
static void decodeExit(Names & /*names*/, const Statement & /*statement*/, Instruction &i) {
  i.run = exitKernel;
}
static void decodeNothing(Names & /*names*/, const Statement & /*statement*/, Instruction &i) {
  i.run = doNothing;
}
static void decodeStop(Names & /*names*/, const Statement & /*statement*/, Instruction &i) {
  i.run = stop;
}

/// `(result), name, (arguments)`, both lists or not.
static void decodeCall(Names &names, const Statement &statement, Instruction &i) {
  const Item *callee = nullptr;
  std::vector<uint32_t> results;
  for (const Item &item : statement.operands) {
    if (item.kind == Item::Name) {
      callee = &item;
      continue;
    }
    for (const Item &each : item.items) {
      auto symbol = names.symbol(each.name);
      if (!symbol || symbol->space != Space::Parameter || symbol->isArgument)
        names.fail("'" + std::string(each.name) + "' cannot be passed");
      (callee ? i.places : results).push_back(uint32_t(symbol->address));
    }
  }
  auto found = names.module.functions.find(callee ? callee->name : "");
  if (found == names.module.functions.end() || found->second->isKernel)
    names.fail("a function that is not known");
  i.callee = found->second.get();
  if (i.places.size() != i.callee->parameters.size() || results.size() > i.callee->results.size())
    names.fail("other arguments than '" + i.callee->name + "' has");
  i.places.insert(i.places.end(), results.begin(), results.end());
  i.run = results.size() == i.callee->results.size() ? call : nullptr;
}

Decoder device::findDecoder(std::string_view word) {
  static constexpr std::pair<std::string_view, Decoder> kFamilies[] = {
      {"ld", decodeLoad},
      {"st", decodeStore},
      {"mov", decodeMove},
      {"cvta", decodeAddress},
      {"atom", decodeAtomic},
      {"red", decodeReduction},
      {"cp", decodeCopy},
      {"shfl", decodeShuffle},
      {"vote", decodeVote},
      {"bar", decodeBarrier},
      {"barrier", decodeBarrier},
      {"activemask", decodeActive},
      {"redux", decodeReduce},
      {"mma", decodeMatrix},
      {"ldmatrix", decodeLoadMatrix},
      {"bra", decodeJump},
      {"ret", decodeLeave},
      {"exit", decodeExit},
      {"call", decodeCall},
      {"trap", decodeStop},
      {"membar", decodeNothing},
      {"fence", decodeNothing},
      {"nanosleep", decodeNothing},
      {"prefetch", decodeNothing},
      {"griddepcontrol", decodeNothing}};
  const auto *found = std::ranges::find(kFamilies, word, [](auto &row) { return row.first; });
  return found == std::end(kFamilies) ? nullptr : found->second;
}

Table::Table() {
  addIntegers(*this);
  addFloats(*this);
  addDirected(*this);
  addComparisons(*this);
  addConversions(*this);
}

const Row *Table::find(std::string_view name) const {
  auto found = rows.find(std::string(name));
  return found == rows.end() ? nullptr : &found->second;
}

static const Table &theTable() {
  static const Table *const table = new Table;
  return *table;
}

/// Lower parts of wider registers.
static void cutLanes(Warp &warp, const Instruction &i) {
  for (size_t lane = 0; lane < kLanes; ++lane)
    if (warp.active >> lane & 1)
      std::memcpy(warp.at<unsigned char>(i.at[0]) + lane * i.bytes,
                  warp.at<unsigned char>(i.at[1]) + lane * i.width, i.bytes);
}

/// An operand of a conversion: where it is a wider register, an instruction in front cuts it.
static uint32_t placeOfConverted(Names &names, const Item &item, Width width, Instruction of) {
  Width found = names.width(item, width);
  if (found <= width)
    return names.place(item, width);
  of.at[0] = names.registers.take(uint64_t(width) * kLanes, 8);
  of.at[1] = names.place(item, found);
  of.bytes = width;
  of.width = found;
  of.run = cutLanes;
  names.module.code.push_back(of);
  return of.at[0];
}

static Instruction decode(Names &names, const Statement &statement) {
  Instruction made;
  made.line = names.line = statement.line;
  made.text = statement.word;
  if (!statement.guard.name.empty()) {
    Item guard = statement.guard;
    guard.isNegated = false;
    made.guard = names.place(guard, kPredicate);
    made.isGuardNegated = statement.guard.isNegated;
  }
  const Row *row = theTable().find(statement.word);
  if (row && row->widths.size() == statement.operands.size()) {
    bool isConversion = statement.word.starts_with("cvt.");
    for (size_t k = 0; k < row->widths.size(); ++k)
      made.at[k] = k > 0 && isConversion
                       ? placeOfConverted(names, statement.operands[k], row->widths[k], made)
                       : names.place(statement.operands[k], row->widths[k]);
    made.run = row->run;
  } else if (Decoder family = findDecoder(partsOf(statement.word).front())) {
    family(names, statement, made);
  }
  if (!made.run)
    made.run = refuse;
  return made;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// A function as it was written.
struct Written {
  Function *function = nullptr;
  std::vector<Variable> results, parameters;
  std::vector<Statement> body;
  uint32_t line = 0;
};

class Reader {
public:
  Reader(Module &module, Allocate allocate)
      : module(module), allocate(allocate), syntax(module.text) {}
  void read();

private:
  void readDirective();
  void readVariable(std::string_view space);
  void readFunction(bool isKernel);
  std::vector<Variable> readParameters();
  std::vector<Statement> readBody();
  void decodeFunction(const Written &written);
  void decodeBody(Names &names, const Written &written);

  Module &module;
  Allocate allocate;
  Syntax syntax;
  std::map<std::string_view, Variable> shared;
  std::vector<Written> written;
  Room registers{kNumSpecialBytes, kNumSpecialBytes}, parameters, locals; ///< of what is called
};
} // namespace

/// Those of the whole module end with their line.
void Reader::readDirective() {
  for (uint32_t line = syntax.line(); syntax.line() == line; syntax.take())
    ;
}

void Reader::readVariable(std::string_view space) {
  std::vector<std::string_view> words = syntax.takeDeclaration();
  words.insert(words.begin(), space);
  Variable variable = device::readVariable(words);
  if (space == ".shared") {
    shared[variable.name] = variable;
    return;
  }
  auto made = std::make_unique<GlobalVariable>();
  made->name = variable.name;
  made->contents.resize(variable.size());
  for (size_t k = 0; k < variable.contents.size(); ++k)
    std::memcpy(made->contents.data() + k * variable.bytes, &variable.contents[k], variable.bytes);
  made->address = allocate(std::max<size_t>(made->contents.size(), 1));
  unsigned char *place = behind(made->address, made->contents.size());
  if (!place)
    throw Fault("no memory for a variable of a module");
  std::memcpy(place, made->contents.data(), made->contents.size());
  module.globals.push_back(std::move(made));
}

std::vector<Variable> Reader::readParameters() {
  std::vector<Variable> made;
  syntax.expect("(");
  while (syntax.peek() != ")") {
    std::vector<std::string_view> words;
    while (syntax.peek() != "," && syntax.peek() != ")")
      words.push_back(syntax.take());
    made.push_back(device::readVariable(words));
    if (syntax.peek() == ",")
      syntax.take();
  }
  syntax.take();
  return made;
}

std::vector<Statement> Reader::readBody() {
  std::vector<Statement> body;
  for (unsigned depth = 1; depth;) {
    body.push_back(syntax.takeStatement());
    depth += body.back().kind == Statement::Open;
    depth -= body.back().kind == Statement::Close;
  }
  body.pop_back();
  return body;
}

/// Behind `.entry` or `.func`. What is only declared is defined later.
void Reader::readFunction(bool isKernel) {
  Written made;
  made.line = syntax.line();
  if (!isKernel && syntax.peek() == "(")
    made.results = readParameters();
  std::string name(syntax.take());
  if (syntax.peek() == "(")
    made.parameters = readParameters();
  auto &function = module.functions[name];
  if (!function)
    function = std::make_unique<Function>();
  function->name = name;
  function->isKernel = isKernel;
  made.function = function.get();
  for (; syntax.peek() != "{" && syntax.peek() != ";"; syntax.take())
    if (syntax.peek() == ".maxntid" || syntax.peek() == ".reqntid") {
      syntax.take();
      function->maxThreads = unsigned(numberOf(syntax.peek()));
    }
  if (syntax.take() == ";")
    return;
  made.body = readBody();
  written.push_back(std::move(made));
}

/// One variable, or registers of one type with commas between them.
static void declare(Names &names, const Statement &statement) {
  std::vector<std::string_view> words{statement.word};
  for (std::string_view word : statement.words) {
    if (word != ",") {
      words.push_back(word);
      continue;
    }
    names.declare(device::readVariable(words));
    words.pop_back(); // the name
  }
  names.declare(device::readVariable(words));
}

void Reader::decodeBody(Names &names, const Written &of) {
  std::map<std::string_view, size_t> labels;
  for (const Statement &statement : of.body) {
    names.line = statement.line;
    switch (statement.kind) {
    case Statement::Label:
      labels[statement.word] = module.code.size();
      break;
    case Statement::Open:
      names.open();
      break;
    case Statement::Close:
      names.close();
      break;
    case Statement::Declaration: {
      if (statement.word == ".pragma")
        break;
      declare(names, statement);
      break;
    }
    case Statement::Operation: {
      Instruction made = decode(names, statement);
      module.code.push_back(std::move(made));
      break;
    }
    }
  }
  for (auto [at, label] : names.jumps) {
    auto found = labels.find(label);
    if (found == labels.end())
      names.fail("no label '" + std::string(label) + "'");
    module.code[at].number = int64_t(found->second);
  }
}

/// Functions that are called have registers and memory side by side, kernels behind them.
void Reader::decodeFunction(const Written &of) {
  Function &function = *of.function;
  Names names(module, function, shared);
  names.registers = registers;
  names.parameters = parameters;
  names.locals = locals;
  names.line = of.line;
  for (const Variable &parameter : of.parameters)
    names.declareParameter(parameter);
  for (const Variable &result : of.results) {
    names.declare(result);
    auto symbol = names.symbol(result.name);
    function.results.push_back({uint32_t(symbol->address), symbol->bytes});
  }
  function.begin = uint32_t(module.code.size());
  decodeBody(names, of);
  Instruction end;
  end.run = stop;
  end.line = of.line;
  end.text = "the end of a function";
  module.code.push_back(end);
  function.registerBytes = names.registers.most + 64; // whole words are read
  function.parameterBytes = names.parameters.most;
  function.localBytes = names.locals.most;
  if (function.isKernel) {
    function.constants = std::move(names.constants);
    return;
  }
  module.constants.insert(module.constants.end(), names.constants.begin(), names.constants.end());
  registers.used = registers.most = names.registers.most;
  parameters.used = parameters.most = names.parameters.most;
  locals.used = locals.most = names.locals.most;
}

void Reader::read() {
  while (!syntax.isAtEnd()) {
    std::string_view word = syntax.peek();
    if (word == ".version" || word == ".target" || word == ".address_size") {
      readDirective();
      continue;
    }
    uint32_t line = syntax.line();
    syntax.take();
    if (word == ".global" || word == ".const" || word == ".shared")
      readVariable(word);
    else if (word == ".entry" || word == ".func")
      readFunction(word == ".entry");
    else if (word != ".visible" && word != ".extern" && word != ".weak" && word != ".common" &&
             word != ";")
      throw Fault("PTX, line " + std::to_string(line) + ": '" + std::string(word) +
                  "' is not known");
  }
  // Callees first: what they have lies in front.
  for (const Written &of : written)
    if (!of.function->isKernel)
      decodeFunction(of);
  for (const Written &of : written)
    if (of.function->isKernel)
      decodeFunction(of);
}

const Function *Module::kernel(std::string_view name) const {
  auto found = functions.find(name);
  return found == functions.end() || !found->second->isKernel ? nullptr : found->second.get();
}

std::unique_ptr<Module> device::readModule(std::string text, Allocate allocate) {
  auto module = std::make_unique<Module>();
  module->text = std::move(text);
  Reader(*module, allocate).read();
  return module;
}
