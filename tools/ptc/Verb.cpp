//===- Verb.cpp - The table of verbs ------------------------------------------===//
//
// In: nothing. Out: one row per verb, in the order of --help.
//
//===----------------------------------------------------------------------===//
#include "Verb.h"

using namespace ptc::tool;

static const Verb kVerbs[] = {
    {"list", "print one of the tables that the compiler itself uses",
     "ptc list diagnostics\n"
     "ptc list --format=json dtypes\n",
     declareList},
};

llvm::ArrayRef<Verb> ptc::tool::getVerbs() { return kVerbs; }
