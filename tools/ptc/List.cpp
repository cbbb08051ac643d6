//===- List.cpp - ptc list: the compiler's own tables ------------------------===//
//
// In: the name of a table. Out: its rows on stdout, aligned text or JSON.
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

#include "ptc/Bytecode/Instr.h"
#include "ptc/Dialect/Aten/IR/ByProcessor.h"
#include "ptc/Driver/Pipeline.h"
#include "ptc/Support/DType.h"
#include "ptc/Symbolic/Guard.h"
#include "ptc/Target/Target.h"

#include "mlir/Pass/Pass.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

using namespace ptc;
using namespace ptc::tool;

namespace {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Table listDiagnostics() {
  Table table{{"code", "severity", "exit", "name", "text"}, {}};
  static constexpr const char *kSeverities[] = {"error", "warning", "note"};
  for (const DiagInfo &info : getAllDiagInfos())
    table.rows.push_back(
        {"PTC" + std::to_string(unsigned(info.id)), kSeverities[size_t(info.severity)],
         std::to_string(unsigned(info.exitCode)), info.name.str(), info.text.str()});
  return table;
}

Table listDTypes() {
  Table table{{"dtype", "short", "bytes", "safetensors"}, {}};
  for (const DTypeInfo &info : getAllDTypeInfos())
    table.rows.push_back({info.torchName.str(), info.alias.str(), std::to_string(info.bytes),
                          info.safetensors.str()});
  return table;
}

Table listOps() {
  Table table{{"op", "flags", "schema"}, {}};
  static constexpr std::pair<aten::OpFlag, const char *> kFlags[] = {
      {aten::OpFlag::View, "view"},       {aten::OpFlag::Random, "random"},
      {aten::OpFlag::Inplace, "inplace"}, {aten::OpFlag::DataDependent, "data-dependent"},
      {aten::OpFlag::Mutates, "mutates"}, {aten::OpFlag::HostRead, "host-read"}};
  for (const aten::OpInfo &info : aten::getAllOpInfos()) {
    std::string flags;
    for (auto [flag, name] : kFlags)
      if (info.has(flag))
        flags += (flags.empty() ? "" : ",") + std::string(name);
    table.rows.push_back(
        {"aten." + info.name.str(), flags.empty() ? "-" : flags, info.schema.str()});
  }
  return table;
}

Table listByProcessor() {
  Table table{{"op", "what eager answers on which processor, and ptc on all"}, {}};
  for (const aten::OpInfo &info : aten::getAllOpInfos())
    if (auto rule = aten::getProcessorRule(info.id); rule != aten::ProcessorRule::SameOnAll)
      table.rows.push_back({"aten." + info.name.str(), aten::toString(rule).str()});
  return table;
}

Table listOpcodes() {
  Table table{{"opcode", "may raise"}, {}};
  for (const OpcodeInfo &info : getAllOpcodeInfos())
    table.rows.push_back({info.name.str(), info.mayRaise ? "yes" : "no"});
  return table;
}

Table listGuards() {
  Table table{{"guard", "observable", "assumes"}, {}};
  for (const sym::GuardKindInfo &info : sym::getAllGuardKindInfos())
    table.rows.push_back({info.keyword.str(), sym::getObservableInfo(info.observable).keyword.str(),
                          info.text.str()});
  return table;
}

Table listPhases() {
  Table table{{"phase", "does"}, {}};
  for (const PhaseInfo &info : getAllPhases())
    table.rows.push_back({info.name.str(), info.summary.str()});
  return table;
}

Table listPasses() {
  Table table{{"pass", "phase", "does"}, {}};
  for (const PassRow &row : getAllPasses()) {
    std::unique_ptr<mlir::Pass> pass = row.make({});
    table.rows.push_back({pass->getArgument().str(), getAllPhases()[size_t(row.phase)].name.str(),
                          pass->getDescription().str()});
  }
  return table;
}

Table listTargets() {
  Table table{{"target", "does"}, {}};
  for (const TargetInfo &info : getAllTargets())
    table.rows.push_back({info.name.str(), info.summary.str()});
  return table;
}

struct Listing {
  const char *name;
  Table (*make)();
};
constexpr Listing kListings[] = {
    {"by-processor", listByProcessor},
    {"diagnostics", listDiagnostics},
    {"dtypes", listDTypes},
    {"guards", listGuards},
    {"opcodes", listOpcodes},
    {"ops", listOps},
    {"passes", listPasses},
    {"phases", listPhases},
    {"targets", listTargets},
};

void printText(const Table &table) {
  std::vector<size_t> widths(table.columns.size());
  auto widen = [&](const std::vector<std::string> &row) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  };
  widen(table.columns);
  for (const auto &row : table.rows)
    widen(row);
  auto print = [&](const std::vector<std::string> &row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    llvm::outs() << llvm::StringRef(line).rtrim() << '\n';
  };
  print(table.columns);
  for (const auto &row : table.rows)
    print(row);
}

void printJson(const Table &table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto &row : table.rows) {
    nlohmann::ordered_json object;
    for (size_t i = 0; i < row.size(); ++i)
      object[table.columns[i]] = row[i];
    rows.push_back(std::move(object));
  }
  llvm::outs() << rows.dump(2) << '\n';
}

} // namespace

VerbBody ptc::tool::declareList(CLI::App &app) {
  struct Options {
    std::string table, format = "text";
  };
  auto options = std::make_shared<Options>();
  std::vector<std::string> names;
  for (const Listing &listing : kListings)
    names.push_back(listing.name);
  app.add_option("TABLE", options->table, "which table")->required()->check(CLI::IsMember(names));
  app.add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  return [options](Session &session) {
    for (const Listing &listing : kListings)
      if (options->table == listing.name)
        options->format == "json" ? printJson(listing.make()) : printText(listing.make());
  };
}
