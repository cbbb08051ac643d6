//===- CaseTable.h - Cases for overloads that need care -------------*- C++ -*-===//
#ifndef PTC_TEST_NUMERICS_CASETABLE_H
#define PTC_TEST_NUMERICS_CASETABLE_H

#include "Cases.h"

namespace ptc::numerics {

/// The cases listed for an overload, by its name or else its shape rule; null: made from its
/// schema.
const std::vector<Case> *findCases(const aten::OpInfo &op);
/// Those of CaseTableNN.cpp; empty if it has none.
std::vector<Case> indexCases(const aten::OpInfo &op);
std::vector<Case> nnCases(const aten::OpInfo &op);
/// Further cases for an overload whose cases are made from its schema.
std::vector<Case> extraCases(const aten::OpInfo &op);

} // namespace ptc::numerics

#endif // PTC_TEST_NUMERICS_CASETABLE_H
