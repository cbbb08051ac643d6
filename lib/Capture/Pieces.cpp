//===- Pieces.cpp - As many parts of a tensor as a size says -------------------------------===//
//
// In: unbind, split and chunk along a size that is not the same for all calls. Out: where the
// program only walks over the result, a generator of lib/Prelude that makes one part after the
// other, or a list of them where it walks from the end. Elsewhere a tuple of the run, unless it is
// unpacked at once or of chunks: then the number of parts is what the example says, as the shape
// function asks it.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"

#include "Objects.h"
#include "Positions.h"
#include "SizeLoops.h"

#include "ptc/Symbolic/ShapeEnv.h"

using namespace ptc;
using namespace ptc::capture;
namespace capture = ptc::capture;
namespace sym = ptc::sym;

/// How what takes the parts goes over them.
enum class Walk : uint8_t { None, Forwards, Backwards, Unpacks };

/// Does a call of it walk over each of its arguments once, and keep none?
static Walk walkOf(Engine &e, const Value &callee) {
  if (!isClass(e, callee))
    return Walk::None;
  for (WellKnown cls :
       {WellKnown::EnumerateType, WellKnown::ZipType, WellKnown::MapType, WellKnown::ListType})
    if (callee.asRef() == e.builtinClass(cls))
      return Walk::Forwards;
  return callee.asRef() == e.builtinClass(WellKnown::ReversedType) ? Walk::Backwards : Walk::None;
}

/// How the result of the running call is walked over, by whatever takes it from the stack. A
/// function of lib/Prelude may return it first.
static Walk walkOverResult(Engine &e) {
  ObjectId frame = e.currentFrame();
  for (;;) {
    const CanonicalCode &code = e.code(frame);
    uint32_t above = 0; // values on the stack above the result
    uint32_t ip = e.heap.get(frame, slot::kIp).asIp();
    for (; ip < code.exitNode(); ++ip) {
      const Instr &instr = code.instrs[ip];
      StackEffect effect = getStackEffect(instr);
      if (above < effect.pops)
        break;
      // Another reference to it, or another place.
      if ((instr.op == Opcode::COPY || instr.op == Opcode::SWAP) && instr.arg > above)
        return Walk::None;
      if (instr.info().flow != OpFlow::Next)
        return Walk::None;
      above += effect.pushes - effect.pops;
    }
    if (ip >= code.exitNode())
      return Walk::None;
    const Instr &taker = code.instrs[ip];
    if (taker.op == Opcode::GET_ITER)
      return Walk::Forwards;
    if (taker.op == Opcode::UNPACK_SEQUENCE)
      return Walk::Unpacks;
    if (taker.op == Opcode::CALL && above < taker.arg && taker.keywords == kNoIndex) {
      // The callee lies below the arguments, of which `above` are pushed later.
      uint32_t below = taker.arg - above - 1;
      uint32_t top = e.stackBase(frame) + code.depths[e.heap.get(frame, slot::kIp).asIp()] - 1;
      Value callee = e.known(e.heap.get(frame, top - below - 1));
      return walkOf(e, callee);
    }
    Value caller = e.heap.get(frame, slot::kCaller);
    if (taker.op != Opcode::RETURN_VALUE || !e.frameInfo(frame).hidden || !caller.is(Kind::Ref))
      return Walk::None;
    frame = caller.asRef();
  }
}

static Value argumentOf(Engine &e, const CallArgs &args, size_t place, llvm::StringRef name,
                        Value otherwise) {
  if (place < args.positional.size())
    return e.known(args.positional[place]);
  for (const KeywordArg &keyword : args.keywords)
    if (e.nameText(keyword.name) == name)
      return e.known(keyword.value);
  return otherwise;
}

/// Parts whose sizes a list of the run says; absent: it is no such list.
static Value piecesOfLengths(Engine &e, llvm::StringRef spelling, const CallArgs &args) {
  if (args.positional.empty())
    return Value();
  Value x = e.known(args.positional[0]);
  llvm::StringRef name = !spelling.ends_with(".split")    ? "split_sizes"
                         : spelling.starts_with("torch.") ? "split_size_or_sections"
                                                          : "split_size";
  Value lengths = argumentOf(e, args, 1, name, Value());
  Value dim = argumentOf(e, args, 2, "dim", Value::integer(0));
  if (!x.is(Kind::Tensor) || !lengths.is(Kind::Ref) || !isGrownList(e, lengths))
    return Value();
  if (requiresGrad(e, asTensor(x)) || !dim.isSmallInt())
    return e.refuse(DiagId::RunTimeListArgument);
  PTC_GET(d, wrapDimension(e, dim.asInt(), asTensor(x).sizes.size()));
  const Walk walk = walkOverResult(e);
  // The parts are of the tensor as it is now, whatever `x` is given later.
  PTC_LET(now, e.tensorOp("alias", {x}));
  return e.callPrelude(walk == Walk::Forwards ? "_pieces_of_lengths" : "_tuple_of_lengths",
                       {now, Value::integer(int64_t(d)), lengths}, args.action);
}

Value capture::walkOverPieces(Engine &e, llvm::StringRef spelling, const CallArgs &args) {
  llvm::StringRef name = spelling.rsplit('.').second;
  bool unbinds = name == "unbind", splits = name == "split", chunks = name == "chunk";
  if (splits || name == "split_with_sizes")
    if (Value pieces = piecesOfLengths(e, spelling, args); !pieces.isAbsent())
      return pieces;
  if (!e.sizeLoops || !e.shapes || !(unbinds || splits || chunks) || args.positional.empty())
    return Value();
  Value x = e.known(args.positional[0]);
  Value dim = argumentOf(e, args, unbinds ? 1 : 2, "dim", Value::integer(0));
  Value count = unbinds ? Value::integer(1)
                        : argumentOf(e, args, 1, splits ? "split_size" : "chunks", Value());
  // Parts of what requires a gradient are not written to as views are.
  const bool isSize = splits && count.is(Kind::Size);
  if (!x.is(Kind::Tensor) || requiresGrad(e, asTensor(x)) || !dim.isSmallInt() ||
      (!isSize && (!count.isSmallInt() || count.asInt() <= 0)))
    return Value();
  auto rank = int64_t(asTensor(x).sizes.size());
  int64_t d = dim.asInt() < 0 ? dim.asInt() + rank : dim.asInt();
  if (d < 0 || d >= rank)
    return Value();
  sym::Expr size = e.shapes->simplify(asTensor(x).sizes[size_t(d)]);
  sym::Expr width = isSize ? count.asSize() : e.sizes().constant(count.asInt());
  if (isSize && (e.shapes->prove(sym::Relation::Greater, width, e.sizes().constant(0)) != true ||
                 e.shapes->simplify(e.sizes().ceildiv(size, width)).isConstant()))
    return Value();
  if ((size.isConstant() || !e.sizeLoops->isCount(size)) &&
      (!isSize || !e.sizeLoops->isCount(width)))
    return Value();
  const Walk walk = walkOverResult(e);
  if (walk == Walk::Unpacks || (walk == Walk::None && chunks))
    return Value();
  sym::Context &sizes = e.sizes();
  // Of nothing there is one piece, and as many chunks as were asked for.
  if (chunks && e.shapes->prove(sym::Relation::Greater, size, sizes.constant(0)) != true)
    return Value();
  if (chunks)
    width = sizes.ceildiv(size, width);
  if (splits)
    size = sizes.max(size, sizes.constant(1));
  Value step = sizeValue(width);
  // The parts are of the tensor as it is now, whatever `x` is given later.
  PTC_LET(now, e.tensorOp("alias", {x}));
  // What is gone over from its end is a list first.
  static constexpr llvm::StringLiteral kFunctions[][2] = {
      {"_tuple_of_pieces", "_tuple_of_rows"},
      {"_pieces_along", "_rows_along"},
      {"_listed_pieces_along", "_listed_rows_along"}};
  llvm::StringRef function = kFunctions[size_t(walk)][unbinds];
  return e.callPrelude(function, {now, Value::integer(d), Value::size(size), step}, args.action);
}
