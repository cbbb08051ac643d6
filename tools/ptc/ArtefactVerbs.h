//===- ArtefactVerbs.h - Verbs that make or need an artefact --------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_ARTEFACTVERBS_H
#define PTC_TOOLS_PTC_ARTEFACTVERBS_H

#include "Verb.h"

namespace ptc::tool {

VerbBody declareBench(CLI::App &app);
VerbBody declareCompile(CLI::App &app);

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_ARTEFACTVERBS_H
