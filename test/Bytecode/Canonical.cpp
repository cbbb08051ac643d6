// The canonical form: the same for all versions where their compilers agree, flow graphs against
// direct definitions, loops and locals of known functions.
#include "Fixtures.h"

#include <map>
#include <set>

using namespace ptc;
using namespace ptc::test;

namespace {

const CodeObject *findCode(const CodeFile &file, llvm::StringRef qualName) {
  for (const CodeObject *code : file.codeObjects())
    if (code->qualName == qualName)
      return code;
  FAIL("no code object " << qualName.str());
  return nullptr;
}

/// Opcodes and operands of one function, without those inside it.
std::string textOf(const CodeObject &code) {
  std::string text;
  llvm::raw_string_ostream os(text);
  REQUIRE(!printCanonical(os, code, /*locations=*/false));
  return text.substr(0, text.find("\n\n"));
}

/// Nodes that can be reached from the entry without passing `removed`.
std::vector<bool> reachableWithout(const CanonicalCode &code, uint32_t removed) {
  std::vector<bool> seen(code.size() + 2);
  std::vector<uint32_t> work;
  if (removed != 0) {
    work.push_back(0);
    seen[0] = true;
  }
  while (!work.empty()) {
    uint32_t node = work.back();
    work.pop_back();
    for (uint32_t s : code.flow.successors(node))
      if (s != removed && !seen[s]) {
        seen[s] = true;
        work.push_back(s);
      }
  }
  return seen;
}

} // namespace

TEST_CASE("equal sources give equal canonical code in all versions") {
  struct Row {
    const char *stem;
    const char *function;
    unsigned forms;
  };
  const Row rows[] = {
      {"control", "loops", 1},
      {"data", "operators", 1},
      {"copies", "shared_tail", 1},
      {"copies", "fused_loads", 1},
      {"copies", "silent_ends", 1},
      {"copies", "handlers", 1},
      {"copies", "chained_test", 1},
      {"functions", "parameters", 1},
      {"functions", "closures", 1},
      // From 3.14 on `h[:, 0]` has a constant slice.
      {"model", "Block.forward", 2},
      // `x and y or z` is threaded differently by 3.11, by 3.12 and 3.13, and later.
      {"control", "branches", 3},
  };
  for (const Row &row : rows) {
    CAPTURE(row.function);
    std::map<std::string, std::set<std::string>> byText;
    for (const char *version : kVersions) {
      auto file = require(readPycFile(fixture(row.stem, version)));
      byText[textOf(*findCode(*file, row.function))].insert(version);
    }
    std::string groups;
    for (const auto &[text, versions] : byText) {
      for (const std::string &version : versions)
        groups += version + " ";
      groups += "\n" + text + "\n";
    }
    CAPTURE(groups);
    CHECK(byText.size() == row.forms);
  }
}

TEST_CASE("dominators, order and loops agree with their definitions") {
  for (const std::string &path : listPycs(PTC_FIXTURES)) {
    auto file = require(readPycFile(path));
    for (const CodeObject *object : file->codeObjects()) {
      const CanonicalCode &code = *require(getCanonical(*object));
      const FlowGraph &flow = code.flow;
      CAPTURE(path, object->qualName.str());
      std::vector<bool> reachable = reachableWithout(code, ~0U);
      for (uint32_t d = 0; d < code.size(); ++d) {
        REQUIRE(reachable[d]);
        std::vector<bool> rest = reachableWithout(code, d);
        for (uint32_t n = 0; n < code.size() + 2; ++n)
          if (reachable[n] && flow.dominates(d, n) != (!rest[n] || n == d))
            FAIL(d << " dominates " << n << " is wrong");
      }
      for (uint32_t n = 0; n < code.size(); ++n)
        for (uint32_t s : flow.successors(n)) {
          bool isBackEdge = flow.dominates(s, n);
          const Loop *loop = flow.loopAt(s);
          REQUIRE(isBackEdge == (loop && loop->body.test(n)));
          if (!isBackEdge)
            REQUIRE(flow.order(n) < flow.order(s));
        }
      for (const Loop &loop : flow.loops()) {
        // What lies behind a loop comes after all of its body.
        uint32_t last = 0;
        for (unsigned n : loop.body.set_bits())
          last = std::max(last, flow.order(n));
        for (uint32_t n : loop.controls) {
          REQUIRE(loop.body.test(n));
          for (uint32_t s : flow.successors(n))
            if (!loop.body.test(s) && !flow.dominates(s, loop.head))
              REQUIRE(flow.order(s) > last);
        }
      }
      REQUIRE(flow.order(code.unwindNode()) > flow.order(code.exitNode()));
    }
  }
}

TEST_CASE("every loop of the source has one head") {
  for (const char *version : kVersions) {
    CAPTURE(version);
    auto file = require(readPycFile(fixture("control", version)));
    // for; while t < 10; while not t; while True; for; while i.
    CHECK(require(getCanonical(*findCode(*file, "loops")))->flow.loops().size() == 6);
  }
}

TEST_CASE("live locals are those that may be read") {
  for (const std::string &path : listPycs(PTC_FIXTURES)) {
    auto file = require(readPycFile(path));
    for (const CodeObject *object : file->codeObjects()) {
      const CanonicalCode &code = *require(getCanonical(*object));
      for (uint32_t slot = 0; slot < code.locals.size(); ++slot) {
        // A slot is live where a read can be reached without a write.
        std::vector<bool> live(code.size() + 2);
        std::vector<uint32_t> work;
        for (uint32_t i = 0; i < code.size(); ++i) {
          const Instr &instr = code.instrs[i];
          bool reads = instr.info().operand == OperandKind::Local && instr.arg == slot &&
                       instr.op != Opcode::STORE_FAST;
          if (reads || code.locals[slot].holdsCell()) {
            live[i] = true;
            work.push_back(i);
          }
        }
        while (!work.empty()) {
          uint32_t node = work.back();
          work.pop_back();
          for (uint32_t p : code.flow.predecessors(node)) {
            const Instr &instr = code.instrs[p];
            bool writes = instr.op == Opcode::STORE_FAST && instr.arg == slot;
            if (!live[p] && !writes) {
              live[p] = true;
              work.push_back(p);
            }
          }
        }
        for (uint32_t i = 0; i < code.size(); ++i)
          if (code.flow.isLive(i, slot) != live[i])
            FAIL(path << " " << object->qualName.str() << " slot " << slot << " at " << i);
      }
    }
  }
}

TEST_CASE("loads are checked exactly where a local may be unbound") {
  for (const char *version : kVersions) {
    auto file = require(readPycFile(fixture("functions", version)));
    const CodeObject *object = findCode(*file, "unbound");
    const CanonicalCode &code = *require(getCanonical(*object));
    std::map<std::string, std::vector<uint32_t>> checked;
    for (const Instr &instr : code.instrs)
      if (instr.op == Opcode::LOAD_FAST_CHECK)
        checked[code.locals[instr.arg].name.str()].push_back(instr.range.line);
    CAPTURE(version);
    uint32_t first = object->firstLine;
    CHECK(checked["x"] == std::vector<uint32_t>{first + 3, first + 11});
    CHECK(checked["y"] == std::vector<uint32_t>{first + 10});
    CHECK(checked["c"].empty());
  }
}

TEST_CASE("locations are lines and columns of the source") {
  for (const char *version : kVersions) {
    CAPTURE(version);
    auto file = require(readPycFile(fixture("model", version)));
    const CanonicalCode &code = *require(getCanonical(*findCode(*file, "Block.forward")));
    // `h * mask` in line 13.
    for (uint32_t i = 0; i < code.size(); ++i)
      if (code.instrs[i].op == Opcode::BINARY_OP && code.instrs[i].binaryOp() == BinaryOp::Mul) {
        SourceLoc loc = code.location(i);
        CHECK(loc == SourceLoc{"model.py", 13, 17, 13, 25});
      }
  }
}
