//===- Capture.cpp - From a request to captured programs ------------------------------===//
//
// In: a .pyc, an entry, examples. Out: one program per distinct set of assumptions, with guards.
// One engine captures all variants, so that the state that one of them changes is run-time state of
// all; what a call does to the heap is rolled back behind it, so that none sees another's.
//
//===----------------------------------------------------------------------===//
#include "CallCaches.h"
#include "Candidates.h"
#include "EntryCapture.h"
#include "Scopes.h"

#include "ptc/Capture/Prelude.h"
#include "ptc/Support/NearName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptc;
using namespace ptc::capture;
namespace sym = ptc::sym;

/// Do the example's arguments fit the entry.parameters?
llvm::Error EntryCapture::checkFit(const ExampleCall &call) {
  if (!entry.function)
    return llvm::Error::success();
  std::string why = entry.misfit(*entry.function, call.args.size() + entry.hasSelf, call.kwargs);
  if (why.empty())
    return llvm::Error::success();
  bool byInput = call.file.empty();
  if (request.examples.empty())
    why = "none is given, and " + why;
  Diagnostic diag =
      byInput ? makeDiagnostic(DiagId::InputUnknown, {}, why)
              : makeDiagnostic(DiagId::CallDoesNotFit, SourceLoc{call.file, 0, 0, 0, 0}, why);
  diag.hint(entry.parameters.empty() ? "it has no parameters"
                                     : "its parameters are " + llvm::join(entry.parameters, ", "));
  return makeError(std::move(diag));
}

/// What a call imports was imported before it, and read what was there then: the calls must not
/// change that.
void EntryCapture::checkImports(llvm::ArrayRef<CallVariant> variants,
                                const llvm::DenseSet<SlotKey> &memos) {
  bool readsMemo =
      llvm::any_of(memos, [&](SlotKey slot) { return entry.readByImports.contains(slot); });
  const bool readsTensor = llvm::any_of(entry.readByImports, [&](SlotKey slot) {
    return slot.key == slot::kContent && e.heap.kind(slot.object) == ObjectKind::Storage;
  });
  for (const std::string &name : known.imports.names) {
    if (findPreludeModule(name))
      continue;
    for (const CallVariant &variant : variants)
      if (variant.active &&
          (readsMemo || llvm::any_of(variant.program->states, [&](const ProgramState &state) {
             return readsTensor || e.tape.type(state.argument).type != TapeType::Tensor;
           }))) {
        e.diags.push_back(makeDiagnostic(DiagId::ImportInCall, entry.definedAt, name));
        break;
      }
  }
}

// Capturing
// --------------------------------------------------------------------------------------------------

static sym::DynamicMode modeOf(capture::DynamicMode mode) {
  switch (mode) {
  case capture::DynamicMode::None:
    return sym::DynamicMode::None;
  case capture::DynamicMode::Auto:
    return sym::DynamicMode::Auto;
  case capture::DynamicMode::All:
    return sym::DynamicMode::All;
  }
  llvm_unreachable("closed enum");
}

/// The numbers between values that a name has, as variants that nobody needs.
static void addGaps(sym::Context &context, sym::Expr value, llvm::ArrayRef<int64_t> values,
                    std::vector<sym::GuardSet> &out) {
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    auto above = sym::makeAtom(context, sym::Relation::Greater, value, context.constant(values[i]));
    auto below =
        sym::makeAtom(context, sym::Relation::Less, value, context.constant(values[i + 1]));
    if (above && below && values[i] + 1 < values[i + 1])
      out.emplace_back(llvm::ArrayRef<sym::Guard>{{sym::GuardKind::SizeRange, *above, {}},
                                                  {sym::GuardKind::SizeRange, *below, {}}});
  }
}

/// A name for each size.
static sym::DeclaredSizes allSizes(const sym::Observation &seen) {
  sym::DeclaredSizes out;
  for (const auto &[path, value] : seen.values)
    for (unsigned d = 0; value.tag == sym::ValueTag::Tensor && d < value.tensor.sizes.size(); ++d)
      out.dims.push_back({{path, d}, "d" + std::to_string(out.dims.size())});
  return out;
}

/// Of example `number`, which may be a call that was recorded because it has no variant.
static ptc::Diagnostic otherThanDeclared(size_t number, const sym::ShapeEnv &shapes,
                                         sym::ObservableSpace &space, const sym::Observation &seen,
                                         llvm::ArrayRef<std::string> declared) {
  std::string text =
      "an example has other sizes than what is declared of them: " + llvm::join(declared, "; ") +
      "; it is example " + std::to_string(number);
  if (std::optional<sym::GuardFailure> failure = sym::findFailure(shapes.guards(), space, seen))
    text += ", where " + failure->subject + " is " + failure->found;
  ptc::Diagnostic diag = ptc::makeDiagnostic(DiagId::UsageError, {}, text);
  diag.hint("declare sizes that hold every example; what is declared in a library stays with "
            "--add-variants: compile it anew");
  return diag;
}

llvm::Error EntryCapture::observeExamples(CapturedEntry &captured) {
  calls = request.examples;
  if (calls.empty())
    calls.emplace_back();
  std::vector<sym::Observation> observations;
  for (const ExampleCall &call : calls) {
    if (llvm::Error error = checkFit(call))
      return error;
    for (const CallLeaf &argument : argumentsOf(call, entry.parameters))
      if (llvm::Error error = findClasses(argument.path, *argument.value))
        return error;
    observations.push_back(observe(call, entry.parameters));
  }
  dims = sym::DynamicDims(observations, modeOf(request.dynamic),
                          declaredSizes(calls, entry.parameters), known.marks);
  for (auto [call, seen] : llvm::zip(calls, observations))
    examples.push_back({&call, std::move(seen), nullptr});
  if (request.general)
    examples.push_back({&calls.front(), examples.front().seen, nullptr, true});
  generalDims = sym::DynamicDims({}, sym::DynamicMode::None, allSizes(examples.front().seen));
  sym::ShapeEnv::Options options;
  options.context = sizes;
  options.allowNarrowing = request.allowNarrowing;
  for (Example &example : examples) {
    options.allowNarrowing = request.allowNarrowing || example.isGeneral;
    example.shapes = std::make_unique<sym::ShapeEnv>(
        *captured.observables, example.isGeneral ? generalDims : dims, example.seen, options);
  }
  for (auto [number, example] : llvm::enumerate(examples)) {
    if (llvm::Error error = example.shapes->declareSizes())
      return error;
    if (example.shapes->contradictsDeclared() ||
        !sym::holds(example.shapes->guards(), *captured.observables, example.seen))
      return makeError(otherThanDeclared(number, *example.shapes, *captured.observables,
                                         example.seen, dims.declared().lines()));
  }
  return declareDomain(captured);
}

/// What was declared, as the calls that --require-total asks about.
llvm::Error EntryCapture::declareDomain(CapturedEntry &captured) {
  captured.sizes = dims.declared().lines();
  captured.typicalSize = dims.declared().typicalSize();
  sym::Context &context = captured.observables->context();
  for (const Example &example : examples) {
    if (example.isGeneral)
      continue;
    sym::ShapeEnv::Options options;
    options.ignoreOwn = true;
    sym::ShapeEnv general(*captured.observables, dims, example.seen, options);
    if (llvm::Error error = general.declareSizes())
      return error;
    sym::GuardSet domain = general.guards();
    // Examples of other arguments have other sizes: only what is said of all of them is a domain.
    if (&example == &examples.front())
      captured.domain = domain;
    else if (!llvm::equal(domain.guards(), captured.domain.guards(),
                          [](auto &a, auto &b) { return a.atom == b.atom; }))
      captured.domain = {};
    if (&example != &examples.front())
      continue;
    for (const auto &[name, value] : general.declaredValues())
      if (const sym::SizeDomain *size = dims.declared().find(name); size && size->isClosed)
        addGaps(context, value, size->own, captured.outside);
  }
  return llvm::Error::success();
}

/// Do the guards of a variant that was captured before hold for this example?
bool EntryCapture::isCovered(size_t index, llvm::ArrayRef<CallVariant> variants) {
  if (examples[index].isGeneral)
    return false;
  for (size_t i = 0; i < index; ++i)
    if (variants[i].active &&
        sym::holds(examples[i].shapes->guards(), *space, examples[index].seen))
      return true;
  return false;
}

std::vector<InputSymbol> EntryCapture::inputSymbols(const Example &example,
                                                    const Program &program) {
  using O = sym::ObservableKind;
  std::vector<InputSymbol> found;
  for (sym::SymbolId id = 0; id < sizes->numSymbols(); ++id) {
    if (sym::Expr formula = example.shapes->formula(id); formula.isSupported()) {
      found.push_back({id, uint32_t(e.sizeExprs.size()), -1});
      e.sizeExprs.push_back(formula);
      continue;
    }
    std::optional<sym::Observable> source = example.shapes->source(id);
    if (!source)
      continue;
    for (size_t i = 0; i < program.inputs.size(); ++i)
      if (program.inputs[i].path == source->path)
        found.push_back(
            {id, uint32_t(i),
             int32_t(source->index) + (source->kind == O::Stride ? kStrideDimension : 0)});
  }
  return found;
}

/// The first line of the entry that ran and reads the argument at `path`; where the entry is
/// defined if none does.
SourceLoc EntryCapture::firstUse(llvm::StringRef path, const llvm::BitVector &ran) const {
  const CodeObject *code = entry.code;
  if (!code || path == kArgumentsPath)
    return entry.definedAt;
  llvm::StringRef root = path.take_until([](char c) { return c == '.' || c == '['; });
  bool isParameter = llvm::any_of(entry.parameters, [&](const std::string &name) {
    return llvm::StringRef(name).ltrim('*') == root;
  });
  // What is no parameter came as a keyword for **more.
  if (!isParameter && code->hasFlag(CO_VARKEYWORDS))
    root = code->locals[code->argCount + code->kwOnlyArgCount + code->hasFlag(CO_VARARGS)].name;
  const CanonicalCode *canonical = code->canonical.get();
  for (unsigned i : ran.set_bits()) {
    const Instr &instr = canonical->instrs[i];
    switch (instr.op) {
    case Opcode::LOAD_FAST:
    case Opcode::LOAD_FAST_CHECK:
    case Opcode::LOAD_FAST_AND_CLEAR:
    case Opcode::LOAD_DEREF:
    case Opcode::LOAD_CLOSURE:
      if (canonical->locals[instr.arg].name == root)
        return canonical->location(i);
      break;
    default:
      break;
    }
  }
  return entry.definedAt;
}

/// Guards that no line asked for name the line that uses the argument first.
sym::GuardSet EntryCapture::placeGuards(const sym::GuardSet &guards,
                                        const llvm::BitVector &ran) const {
  llvm::SmallVector<sym::Guard, 0> placed;
  for (sym::Guard guard : guards.guards()) {
    for (sym::GuardOrigin &origin : guard.origins)
      if (!origin.loc.isKnown()) {
        origin.loc = firstUse(sym::guardPath(*space, guard.atom), ran);
        origin.implicit = true;
      }
    placed.push_back(std::move(guard));
  }
  return sym::GuardSet(placed);
}

/// The guard that says which number a size is; none where that follows from several.
const sym::Guard *EntryCapture::guardOfSize(const sym::Observable &size,
                                            const sym::GuardSet &guards) {
  sym::SymbolId id = space->symbol(size).symbol();
  for (const sym::Guard &guard : guards.guards())
    if (auto unary = sym::asUnary(guard.atom);
        unary && unary->symbol == id && unary->relation == sym::Relation::Equal)
      return &guard;
  return nullptr;
}

/// With --dynamic=all: sizes that are a single number all the same.
void EntryCapture::noteFixedSizes(const Example &example, const Program &program,
                                  const sym::GuardSet &guards) {
  if (request.dynamic != DynamicMode::All)
    return;
  for (const auto &input : program.inputs) {
    const sym::ObservedValue *value = example.seen.find(input.path);
    if (!value || value->tag != sym::ValueTag::Tensor)
      continue;
    for (uint32_t d = 0; d < value->tensor.sizes.size(); ++d) {
      if (!example.shapes->simplify(example.shapes->addTensor(input.path, {})[d]).isConstant())
        continue;
      sym::Observable read{sym::ObservableKind::Size, input.path, d, {}};
      const sym::Guard *guard = guardOfSize(read, guards);
      SourceLoc loc = guard ? guard->origins.front().loc : SourceLoc();
      Diagnostic diag = makeDiagnostic(DiagId::SizeStaysFixed, loc, read.str(),
                                       std::to_string(value->tensor.sizes[d]));
      if (guard && !guard->origins.front().reason.empty())
        diag.note("because " + guard->origins.front().reason, loc);
      notes.push_back(std::move(diag));
    }
  }
}

/// A size that the program marks as dynamic must not be a single one.
void EntryCapture::checkMarks(const Example &example, const sym::GuardSet &guards) {
  for (const sym::DimMark &mark : known.marks) {
    const sym::ObservedValue *value = example.seen.find(mark.where.path);
    bool exists =
        value && value->tag == sym::ValueTag::Tensor && mark.where.dim < value->tensor.sizes.size();
    if (mark.kind != sym::DimMark::Kind::Dynamic || !exists || request.allowNarrowing)
      continue;
    sym::Expr size = example.shapes->addTensor(mark.where.path, {})[mark.where.dim];
    if (!example.shapes->simplify(size).isConstant())
      continue;
    sym::Observable read{sym::ObservableKind::Size, mark.where.path, mark.where.dim, {}};
    sym::GuardOrigin origin{mark.loc, ""};
    if (const sym::Guard *guard = guardOfSize(read, guards))
      origin = guard->origins.front();
    int64_t found = value->tensor.sizes[mark.where.dim];
    Diagnostic diag = makeDiagnostic(DiagId::DeclaredSizeNarrowed, origin.loc,
                                     read.str() + " == " + std::to_string(found), read.str());
    if (!origin.reason.empty())
      diag.note("because " + origin.reason, origin.loc);
    diag.note("marked as dynamic here", mark.loc);
    diag.hint("mark it with maybe_mark_dynamic, or allow a variant for it with --allow-narrowing; "
              "with --explore there are others for the rest of the sizes");
    e.diags.push_back(std::move(diag));
  }
}

llvm::Error EntryCapture::finish(CapturedEntry &captured,
                                 llvm::MutableArrayRef<CallVariant> variants,
                                 const llvm::DenseSet<SlotKey> &memos) {
  for (size_t i = 0; i < variants.size(); ++i) {
    if (!variants[i].active)
      continue;
    for (const Diagnostic &diag : examples[i].shapes->narrowings())
      e.diags.push_back(diag);
    sym::GuardSet guards = examples[i].shapes->guards();
    if (!sym::holds(guards, *space, examples[i].seen))
      return makeError(DiagId::InternalError, {}, "an example does not fit its own guards");
    variants[i].program->inputSymbols = inputSymbols(examples[i], *variants[i].program);
    guards = placeGuards(guards, variants[i].ran);
    checkMarks(examples[i], guards);
    noteFixedSizes(examples[i], *variants[i].program, guards);
    captured.guards.push_back(std::move(guards));
  }
  checkImports(variants, memos);
  if (!e.diags.empty())
    return session.failure();
  fixSizes(variants);
  for (CallVariant &variant : variants) {
    if (!variant.active)
      continue;
    if (llvm::Error error = checkScopes(*variant.program, e.top, e.world->sources))
      return error;
    variant.program->entry = entry.name;
    variant.program->sizes = sizes;
    captured.variants.push_back(std::move(variant.program));
  }
  // The first one holds what the engine recorded for all.
  Program &first = *captured.variants.front();
  first.sizeExprs = std::move(e.sizeExprs);
  first.bindings = std::move(e.bindings);
  first.literals = std::move(e.literals);
  first.weights = std::move(e.usedWeights);
  first.sources = e.world->sources;
  if (entry.definedAt.isKnown()) {
    first.definedAt = SourceId(first.sources.size());
    first.sources.push_back({entry.definedAt, 0});
  }
  first.top = std::move(e.top);
  first.tape = std::move(e.tape);
  captured.parameters = entry.parameters;
  captured.signature = entry.signature;
  captured.assumptions = std::move(e.world->assumptions);
  captured.world = std::move(e.world->worldUses);
  captured.packages = session.packages();
  captured.made = std::move(made);
  captured.loaded = std::move(e.loadedWeights);
  captured.filesRead = session.filesRead;
  captured.notes = entry.notes;
  llvm::append_range(captured.notes, notes);
  return llvm::Error::success();
}

llvm::Expected<CapturedEntry> EntryCapture::run() {
  if (llvm::Error error = entry.begin(request.limits))
    return std::move(error);
  CapturedEntry captured;
  captured.observables = std::make_unique<sym::ObservableSpace>();
  space = captured.observables.get();
  if (llvm::Error error = observeExamples(captured))
    return std::move(error);
  std::vector<CallVariant> variants(examples.size());
  for (size_t i = 0; i < variants.size(); ++i) {
    variants[i].shapes = examples[i].shapes.get();
    variants[i].makeArguments = [this, i](CallLoop &loop) {
      e.sizeLoops->begin(i);
      return makeArguments(loop, examples[i]);
    };
    variants[i].isCovered = [this, i, &variants] { return isCovered(i, variants); };
  }
  e.boundary = e.heap.nextId();
  e.heap.setBoundary(e.boundary);
  e.isRecording = true;
  e.entryAt = entry.definedAt;
  e.keeps = known.shown;
  e.folds = known.folds;
  if (!known.cachesAreState)
    e.caches = std::make_unique<CallCaches>(e);
  e.sizeLoops = std::make_unique<SizeLoops>(
      e, *session.executor,
      SizeLoops::Unrolled{known.unrolled, known.unrollsAll, known.unrollsKnown});
  CallLoop loop(*session.executor, entry.code);
  const uint64_t stepsBefore = e.steps, countedBefore = e.countedSteps();
  if (!loop.run(entry.callee, variants) || !e.diags.empty())
    return session.failure();
  if (llvm::Error error = finish(captured, variants, loop.memoSlots))
    return std::move(error);
  Program::Counts &counts = captured.variants.front()->counts;
  counts.steps = e.steps - stepsBefore;
  counts.countedSteps = e.countedSteps() - countedBefore;
  counts.forks = e.forkCount;
  return captured;
}

bool EntryCapture::addFindings(Findings &all) const {
  const size_t before = all.size();
  for (const Example &example : examples)
    for (const sym::DimMark &mark : example.shapes->marks())
      if (llvm::none_of(all.marks, [&](const sym::DimMark &other) {
            return other.where == mark.where && other.kind == mark.kind;
          }))
        all.marks.push_back(mark);
  all.cachesAreState |= e.caches && e.caches->mustBeState();
  all.shown.idleStrides |= e.shows.idleStrides;
  all.shown.sharing |= e.shows.sharing || (e.writesTensors && !e.maybeViews.views.empty());
  if (e.sizeLoops)
    llvm::append_range(all.unrolled, e.sizeLoops->found());
  return entry.addFound(all.imports) || all.size() > before;
}

static llvm::Error errorOf(std::vector<Diagnostic> diags) {
  llvm::Error all = llvm::Error::success();
  for (Diagnostic &diag : diags)
    all = llvm::joinErrors(std::move(all), makeError(std::move(diag)));
  return all;
}

/// Captures again when the program has marked sizes, which are symbols from the start, or imported
/// modules in a call.
llvm::Expected<CapturedEntry> Preparation::State::captureAgain(const CaptureRequest &request,
                                                               const Diagnostic *refused,
                                                               Findings &found, Needs &needs) {
  llvm::Error overSizes = llvm::Error::success();
  std::optional<llvm::Error> overViews; // why a capture failed in which lists copy views
  bool triesViews = true;
  for (;;) {
    Findings known = found;
    EntryCapture capture(request, entryFor(request, known.imports), refused, known);
    llvm::Expected<CapturedEntry> captured = capture.run();
    const bool isFinal = request.limits.areFinal && capture.hitLimit();
    needs = {capture.hasRunTimeNumbers && !isFinal, capture.hasFoldable() && !isFinal};
    if (capture.addFindings(found)) {
      if (!captured)
        llvm::consumeError(captured.takeError());
      continue;
    }
    if (captured) {
      llvm::consumeError(std::move(overSizes));
      if (overViews)
        llvm::consumeError(std::move(*overViews));
      return captured;
    }
    if (triesViews && !capture.hitLimit() && capture.showsListedViews()) {
      overViews = captured.takeError();
      triesViews = false;
      found.shown.listedViews = true;
      continue;
    }
    if (overViews) {
      std::vector<Diagnostic> diags = takeDiagnostics(captured.takeError());
      // What narrows a declared size has variants for the rest.
      const bool isNarrowed = llvm::any_of(
          diags, [](const Diagnostic &diag) { return diag.id == DiagId::DeclaredSizeNarrowed; });
      found.shown.listedViews = isNarrowed;
      captured = isNarrowed ? errorOf(std::move(diags)) : std::move(*overViews);
      if (isNarrowed)
        llvm::consumeError(std::move(*overViews));
      overViews.reset();
    }
    if (capture.rollsKnownLoops()) {
      llvm::consumeError(captured.takeError());
      found.unrollsKnown = true;
      continue;
    }
    if (overSizes) {
      // Unrolled, the loops narrow the sizes: what is in the way of a loop says more.
      llvm::consumeError(captured.takeError());
      return std::move(overSizes);
    }
    if (!capture.loopsOverSizes())
      return captured;
    overSizes = captured.takeError();
    found.unrollsAll = true;
  }
}

llvm::Expected<CapturedEntry> Preparation::State::capture(const CaptureRequest &request) {
  Findings found;
  found.imports = imports;
  Needs needs;
  llvm::Expected<CapturedEntry> captured = captureAgain(request, nullptr, found, needs);
  if (!captured && needs.folding) {
    Findings folding;
    folding.imports = found.imports;
    folding.folds = true;
    Needs others;
    if (llvm::Expected<CapturedEntry> again = captureAgain(request, nullptr, folding, others)) {
      llvm::consumeError(captured.takeError());
      captured = std::move(again);
    } else {
      llvm::consumeError(again.takeError());
    }
  }
  if (!captured && needs.numbers) {
    // Where a number is needed now, its value is an assumption like any other.
    std::vector<Diagnostic> why = takeDiagnostics(captured.takeError());
    captured = captureAgain(request, &why.front(), found, needs);
  }
  if (captured)
    imports = found.imports;
  return captured;
}

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request,
                                                    Preparation &prepared) {
  if (!prepared.state->world) {
    llvm::Expected<BuiltinWorld> made = BuiltinWorld::make();
    if (!made)
      return made.takeError();
    prepared.state->world = &prepared.state->own.emplace(std::move(*made));
  }
  return prepared.state->capture(request);
}

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request,
                                                    BuiltinWorld &world) {
  Preparation prepared(world);
  return captureEntry(request, prepared);
}

llvm::Expected<CapturedEntry> capture::captureEntry(const CaptureRequest &request) {
  Preparation prepared;
  return captureEntry(request, prepared);
}
