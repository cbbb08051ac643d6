//===- CaseTable.cpp - Cases for overloads that need care -------------------------===//
//
// One row per overload or shape rule: the calls to try. Tensors are specs; the element type that is
// tried fills them.
//
//===----------------------------------------------------------------------===//
#include "CaseTable.h"

using namespace ptc;
using namespace ptc::numerics;
using aten::OpInfo;

std::vector<Case> ptc::numerics::extraCases(const OpInfo &op) {
  std::vector<Case> cases;
  if (op.findArg("rounding_mode"))
    for (HostValue mode : {HostValue("floor"), HostValue("trunc"), HostValue("none")}) {
      Case c{{"self", t({5, 3})}, {"rounding_mode", mode}};
      if (op.overload() == "Scalar_mode")
        c["other"] = HostValue(-2);
      else
        c["other"] = t({3}).positive();
      cases.push_back(c);
    }
  if (op.findArg("approximate"))
    for (const char *word : {"tanh", "none", "wrong"})
      cases.push_back({{"self", t({5, 3})}, {"approximate", HostValue(word)}});
  return cases;
}

const std::vector<Case> *ptc::numerics::findCases(const OpInfo &op) { return nullptr; }
