//===- KernelTable.cpp - Kernels and decisions as text and JSON ---------------------------===//
//
// In: rows of kernels, remarks. Out: tables whose columns are rows of one list each; JSON.
//
//===----------------------------------------------------------------------===//
#include "KernelTable.h"

#include <nlohmann/json.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <functional>
#include <map>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static std::string formatted(const char *format, double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, number);
  return text;
}

/// Three digits and the thousand that they count: `1.23M`.
static std::string counted(double number) {
  const char *unit = "kMGTP";
  if (number < 1000)
    return formatted("%.0f", number);
  for (number /= 1000; number >= 999.5 && unit[1]; number /= 1000)
    ++unit;
  return formatted(number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f", number) + *unit;
}

static std::string micros(double seconds) {
  double us = seconds * 1e6;
  return formatted(us < 10 ? "%.3f" : us < 1000 ? "%.1f" : "%.0f", us);
}

static std::string percent(double part) { return formatted("%.0f%%", 100 * part); }

static std::string spaceText(const plan::KernelRow &row) {
  std::string text = llvm::join(row.space, "x");
  if (text.empty())
    text = "1";
  return row.reduced.empty() ? text : text + " over " + llvm::join(row.reduced, "x");
}

static std::string lineText(const SourceLoc &loc) {
  return loc.isKnown() ? loc.file + ":" + std::to_string(loc.line) : "";
}

/// `aten.mul.Tensor aten.relu model.py:3, aten.sum model.py:4`
static std::string operationsText(llvm::ArrayRef<plan::FusedOperation> operations) {
  std::string text;
  for (size_t i = 0; i < operations.size(); ++i) {
    std::string line = lineText(operations[i].loc);
    bool goesOn = i + 1 < operations.size() && lineText(operations[i + 1].loc) == line;
    text += operations[i].name.empty() ? "?" : operations[i].name;
    if (!line.empty() && !goesOn)
      text += " " + line;
    if (i + 1 < operations.size())
      text += goesOn ? " " : ", ";
  }
  return text;
}

/// `arena 0+64 to v0.3`: the byte, how many, the last kernel before it is free again.
static std::string placesText(const KernelEntry &entry) {
  std::string text;
  std::string variant = llvm::StringRef(entry.name).rsplit('.').first.str();
  for (const plan::ResultPlace &place : entry.row.places) {
    text += text.empty() ? "" : ", ";
    switch (place.kind) {
    case plan::PlaceKind::Arena:
      text += "arena " + place.at + "+" + place.bytes;
      if (place.over)
        text += " over operand " + std::to_string(*place.over);
      text += " to " + variant + "." + std::to_string(place.lastKernel);
      break;
    case plan::PlaceKind::Output:
      text += "output " + place.at;
      break;
    case plan::PlaceKind::Block:
      text += "a block of its own";
      break;
    }
  }
  return text;
}

/// Forms in the order of the kernel's loops, each once.
static std::string codeText(const cpu::KernelCode &code) {
  std::vector<std::string> forms;
  for (const cpu::EmittedLoops &loops : code.loops)
    if (std::string form = cpu::stringifyForm(loops.form).str(); !llvm::is_contained(forms, form))
      forms.push_back(form);
  return (code.byRows ? "rows: " : "") + llvm::join(forms, ", ");
}

static double gigaPerSecond(double number, const KernelEntry &entry) {
  double seconds = entry.time ? entry.time->seconds / std::max(entry.time->runs, 1.0) : 0;
  return seconds > 0 ? number / seconds / 1e9 : 0;
}

static double bytesOf(const plan::KernelCost &cost) { return cost.bytesRead + cost.bytesWritten; }

/// How far a measured time is from what was predicted.
static double ratioOf(const KernelEntry &entry) {
  return entry.predicted() > 0 ? entry.time->seconds / entry.predicted() : 0;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
struct Column {
  std::string title;
  bool isNumber;
  std::function<std::string(const KernelEntry &)> cell;
};
} // namespace

static void print(llvm::raw_ostream &os, llvm::ArrayRef<Column> columns,
                  llvm::ArrayRef<std::vector<std::string>> rows) {
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns.size(); ++c) {
    size_t width = columns[c].title.size();
    for (const auto &row : rows)
      width = std::max(width, row[c].size());
    widths.push_back(width);
  }
  auto line = [&](auto cellOf) {
    std::string text;
    for (size_t c = 0; c < columns.size(); ++c) {
      std::string cell = cellOf(c), space(widths[c] - cell.size(), ' ');
      text += (c ? "  " : "") + (columns[c].isNumber ? space + cell : cell + space);
    }
    os << llvm::StringRef(text).rtrim(' ') << '\n';
  };
  line([&](size_t c) { return columns[c].title; });
  for (const auto &row : rows)
    line([&](size_t c) { return row[c]; });
}

static void print(llvm::raw_ostream &os, llvm::ArrayRef<Column> columns,
                  llvm::ArrayRef<KernelEntry> entries) {
  std::vector<std::vector<std::string>> rows;
  for (const KernelEntry &entry : entries) {
    auto &row = rows.emplace_back();
    for (const Column &column : columns)
      row.push_back(column.cell(entry));
  }
  print(os, columns, rows);
}

static std::string nameCell(const KernelEntry &e) { return e.name; }
static std::string familyCell(const KernelEntry &e) {
  return plan::stringifyFamily(e.row.family).str();
}
static std::string spaceCell(const KernelEntry &e) { return spaceText(e.row); }
static std::string predictedCell(const KernelEntry &e) {
  return (e.row.cost.isTypical ? "~" : "") + micros(e.predicted());
}
static std::string roofCell(const KernelEntry &e) { return percent(e.rooflineShare()); }
static std::string codeCell(const KernelEntry &e) { return e.code ? codeText(*e.code) : ""; }
static std::string operationsCell(const KernelEntry &e) { return operationsText(e.row.operations); }

/// What is known before anything runs.
static std::vector<Column> planColumns(bool hasCode) {
  std::vector<Column> columns = {
      {"kernel", false, nameCell},
      {"family", false, familyCell},
      {"space", false, spaceCell},
      {"flops", true, [](auto &e) { return counted(e.row.cost.flops); }},
      {"read", true, [](auto &e) { return counted(e.row.cost.bytesRead); }},
      {"written", true, [](auto &e) { return counted(e.row.cost.bytesWritten); }},
      {"us", true, predictedCell},
      {"bound", false, [](auto &e) { return plan::stringifyBound(e.row.cost.bound()).str(); }},
      {"roof", true, roofCell}};
  if (hasCode)
    columns.push_back({"code", false, codeCell});
  columns.push_back({"places", false, placesText});
  columns.push_back({"operations", false, operationsCell});
  return columns;
}

static std::vector<Column> measuredColumns(double callSeconds) {
  return {{"kernel", false, nameCell},
          {"us", true, [](auto &e) { return micros(e.time->seconds); }},
          {"share", true, [=](auto &e) { return percent(e.time->seconds / callSeconds); }},
          {"runs", true, [](auto &e) { return counted(e.time->runs); }},
          {"predicted", true, predictedCell},
          {"ratio", true, [](auto &e) { return formatted("%.2f", ratioOf(e)); }},
          {"roof", true, roofCell},
          {"GFLOP/s", true,
           [](auto &e) { return formatted("%.1f", gigaPerSecond(e.row.cost.flops, e)); }},
          {"GB/s", true,
           [](auto &e) { return formatted("%.1f", gigaPerSecond(bytesOf(e.row.cost), e)); }},
          {"family", false, familyCell},
          {"space", false, spaceCell},
          {"code", false, codeCell},
          {"operations", false, operationsCell}};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool anyCode(llvm::ArrayRef<KernelEntry> kernels) {
  return llvm::any_of(kernels, [](const KernelEntry &e) { return e.code.has_value(); });
}

static void printTotal(llvm::raw_ostream &os, llvm::ArrayRef<KernelEntry> kernels) {
  plan::KernelCost all;
  double seconds = 0, least = 0;
  for (const KernelEntry &entry : kernels) {
    const plan::KernelCost &cost = entry.row.cost;
    all.flops += cost.flops;
    all.bytesRead += cost.bytesRead;
    all.bytesWritten += cost.bytesWritten;
    seconds += cost.seconds();
    least += std::max(cost.compute, cost.memory);
  }
  os << "each once: " << counted(all.flops) << " flops, " << counted(all.bytesRead)
     << " bytes read, " << counted(all.bytesWritten) << " written, " << micros(seconds) << " us, "
     << percent(seconds > 0 ? least / seconds : 0) << " of it under the roofline\n";
}

/// Kernels with loops that no emitter took, and why.
static void printPlainLoops(llvm::raw_ostream &os, llvm::ArrayRef<KernelEntry> kernels) {
  for (const KernelEntry &entry : kernels) {
    if (!entry.hasPlainLoops())
      continue;
    llvm::SmallVector<llvm::StringRef> reasons;
    for (const cpu::EmittedLoops &loops : entry.code->loops)
      if (loops.form == cpu::Form::Plain && !llvm::is_contained(reasons, loops.why))
        reasons.push_back(loops.why);
    os << "plain loops: " << entry.name << ": " << llvm::join(reasons, "; ") << '\n';
  }
}

std::string tool::kernelTable(const KernelReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "costs on " << report.machine << '\n';
  if (!report.noCode.empty())
    os << "no native code: " << report.noCode << '\n';
  for (const VariantKernels &variant : report.variants) {
    os << "\nvariant " << variant.name << ": " << variant.kernels.size() << " kernels";
    if (!variant.arenaBytes.empty())
      os << ", arena of " << variant.arenaBytes << " bytes";
    os << '\n';
    if (variant.kernels.empty())
      continue;
    print(os, planColumns(anyCode(variant.kernels)), variant.kernels);
    printTotal(os, variant.kernels);
    printPlainLoops(os, variant.kernels);
  }
  return text;
}

std::string tool::measuredTable(llvm::ArrayRef<KernelEntry> kernels, double callSeconds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, measuredColumns(callSeconds), kernels);
  double seconds = 0, predicted = 0;
  for (const KernelEntry &entry : kernels) {
    seconds += entry.time->seconds;
    predicted += entry.predicted();
  }
  os << "all kernels: " << micros(seconds) << " us, " << percent(seconds / callSeconds)
     << " of the call; predicted " << micros(predicted) << " us; elsewhere "
     << micros(std::max(callSeconds - seconds, 0.0)) << " us\n";
  return text;
}

static std::string lineOf(const PlanRemark &remark) {
  std::string where = operationsText(remark.operations);
  return (where.empty() ? "?" : where) + ": " + remark.text;
}

std::string tool::remarkList(llvm::ArrayRef<PlanRemark> remarks) {
  std::map<std::string, unsigned> times;
  std::vector<std::string> lines;
  for (const PlanRemark &remark : remarks)
    if (std::string line = lineOf(remark); times[line]++ == 0)
      lines.push_back(std::move(line));
  std::string text;
  for (const std::string &line : lines)
    text += line + (times[line] > 1 ? " (" + std::to_string(times[line]) + " times)" : "") + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static Json operationsJson(llvm::ArrayRef<plan::FusedOperation> operations) {
  Json out = Json::array();
  for (const plan::FusedOperation &operation : operations)
    out.push_back(
        {{"name", operation.name}, {"file", operation.loc.file}, {"line", operation.loc.line}});
  return out;
}

static Json placesJson(llvm::ArrayRef<plan::ResultPlace> places) {
  Json out = Json::array();
  for (const plan::ResultPlace &place : places)
    out.push_back({{"kind", plan::stringifyPlaceKind(place.kind).str()},
                   {"at", place.at},
                   {"bytes", place.bytes},
                   {"over", place.over ? Json(*place.over) : Json()},
                   {"first_kernel", place.firstKernel},
                   {"last_kernel", place.lastKernel}});
  return out;
}

static Json codeJson(const cpu::KernelCode &code) {
  Json loops = Json::array();
  for (const cpu::EmittedLoops &row : code.loops)
    loops.push_back({{"form", cpu::stringifyForm(row.form).str()}, {"why", row.why}});
  return {{"function", code.function},
          {"team", code.forTeam},
          {"by_rows", code.byRows},
          {"loops", loops}};
}

static Json timeJson(const KernelEntry &entry, double callSeconds) {
  return {{"us", entry.time->seconds * 1e6},
          {"runs", entry.time->runs},
          {"share", entry.time->seconds / callSeconds},
          {"ratio", ratioOf(entry)},
          {"gflops", gigaPerSecond(entry.row.cost.flops, entry)},
          {"gb_per_s", gigaPerSecond(bytesOf(entry.row.cost), entry)}};
}

Json tool::kernelJson(const KernelEntry &entry, std::optional<double> callSeconds) {
  const plan::KernelCost &cost = entry.row.cost;
  return {{"name", entry.name},
          {"family", familyCell(entry)},
          {"operations", operationsJson(entry.row.operations)},
          {"space", entry.row.space},
          {"reduced", entry.row.reduced},
          {"flops", cost.flops},
          {"bytes_read", cost.bytesRead},
          {"bytes_written", cost.bytesWritten},
          {"predicted_us", entry.predicted() * 1e6},
          {"typical", cost.isTypical},
          {"bound", plan::stringifyBound(cost.bound()).str()},
          {"roofline", entry.rooflineShare()},
          {"places", placesJson(entry.row.places)},
          {"code", entry.code ? codeJson(*entry.code) : Json()},
          {"measured", entry.time && callSeconds ? timeJson(entry, *callSeconds) : Json()}};
}

Json tool::planJson(const KernelReport &report, llvm::ArrayRef<PlanRemark> remarks) {
  Json variants = Json::array(), decisions = Json::array();
  for (const VariantKernels &variant : report.variants) {
    Json kernels = Json::array();
    for (const KernelEntry &entry : variant.kernels)
      kernels.push_back(kernelJson(entry));
    variants.push_back(
        {{"name", variant.name}, {"arena_bytes", variant.arenaBytes}, {"kernels", kernels}});
  }
  for (const PlanRemark &remark : remarks)
    decisions.push_back({{"operations", operationsJson(remark.operations)}, {"text", remark.text}});
  return {{"machine", report.machine},
          {"no_code", report.noCode.empty() ? Json() : Json(report.noCode)},
          {"fusion", decisions},
          {"variants", variants}};
}
