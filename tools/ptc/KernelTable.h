//===- KernelTable.h - Kernels and decisions as text and JSON -----------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_KERNELTABLE_H
#define PTC_TOOLS_PTC_KERNELTABLE_H

#include "ptc/Driver/KernelReport.h"

#include <nlohmann/json_fwd.hpp>

namespace ptc::tool {

/// Per variant a table of its kernels with their costs, how they became code and where their
/// results lie, as far as the report knows; the sum; and why loops are plain.
std::string kernelTable(const KernelReport &report);

/// Kernels that were measured, the largest first; `callSeconds`: of a whole call.
std::string measuredTable(llvm::ArrayRef<KernelEntry> kernels, double callSeconds);

/// One line per remark of fusion and layout, equal ones once.
std::string remarkList(llvm::ArrayRef<PlanRemark> remarks);

/// As kernels.schema.json says.
nlohmann::ordered_json kernelJson(const KernelEntry &entry, std::optional<double> callSeconds = {});
nlohmann::ordered_json planJson(const KernelReport &report, llvm::ArrayRef<PlanRemark> remarks);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_KERNELTABLE_H
