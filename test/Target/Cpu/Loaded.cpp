// Services for calls of compiled variants, and the calls.
#include "Loaded.h"

#include "ptc/Runtime/Numbers.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>
#include <mutex>

using namespace ptc;
using namespace loaded;

static Program &programOf(ptc_frame *frame) { return *reinterpret_cast<Program *>(frame->context); }

static DType dtypeOf(DLDataType type) {
  switch (type.code) {
  case kDLBool:
    return DType::Bool;
  case kDLBfloat:
    return DType::BFloat16;
  case kDLFloat:
    return type.bits == 16 ? DType::Float16 : type.bits == 32 ? DType::Float32 : DType::Float64;
  case kDLUInt:
    return DType::UInt8;
  default:
    return type.bits == 8    ? DType::Int8
           : type.bits == 16 ? DType::Int16
           : type.bits == 32 ? DType::Int32
                             : DType::Int64;
  }
}

static DLDataType dlTypeOf(DType dtype) {
  auto bits = uint8_t(getDTypeInfo(dtype).bytes * 8);
  uint8_t code = dtype == DType::Bool       ? kDLBool
                 : dtype == DType::BFloat16 ? kDLBfloat
                 : isFloat(dtype)           ? kDLFloat
                 : dtype == DType::UInt8    ? kDLUInt
                                            : kDLInt;
  return {code, bits, 1};
}

Program::Program() = default;
Program::~Program() = default;

std::byte *Program::allocate(uint64_t bytes, uint64_t alignment) {
  if (hooks.allocate)
    return hooks.allocate(bytes, alignment);
  memory.emplace_back(bytes + uint64_t(2) * PTC_ALIGNMENT, std::byte(0xff));
  auto at = reinterpret_cast<uintptr_t>(memory.back().data());
  return memory.back().data() + (llvm::alignTo(at, PTC_ALIGNMENT) - at);
}

/// An alias of the memory; it outlives the call.
HostTensor Program::tensorAt(void *data, const ptc_shape &shape) {
  llvm::ArrayRef<int64_t> sizes(shape.sizes, size_t(shape.rank));
  llvm::ArrayRef<int64_t> strides(shape.strides, size_t(shape.rank));
  auto storage =
      std::make_shared<TensorStorage>(static_cast<std::byte *>(data), shape.bytes, nullptr);
  return HostTensor(dtypeOf(shape.dtype), sizes, strides, 0, storage);
}

namespace loaded {

struct Services {
  static void *output(ptc_frame *frame, uint32_t leaf, const ptc_shape *shape) {
    Program &p = programOf(frame);
    std::byte *data = p.allocate(shape->bytes, shape->dtype.bits / 8);
    p.outcome.leaves[leaf] = p.tensorAt(data, *shape);
    return data;
  }
  static void *storage(ptc_frame *frame, uint32_t, uint64_t bytes) {
    return programOf(frame).allocate(bytes);
  }
  static ptc_status view(ptc_frame *frame, uint32_t leaf, void *data, const ptc_shape *shape) {
    Program &p = programOf(frame);
    p.outcome.leaves[leaf] = p.tensorAt(data, *shape);
    return ptc_status_ok;
  }
  static ptc_status arena(ptc_frame *frame, uint64_t bytes) {
    frame->arena = reinterpret_cast<unsigned char *>(programOf(frame).allocate(bytes));
    return ptc_status_ok;
  }
  using Block = Program::Block;
  static void *take(ptc_frame *frame, uint64_t bytes, bool isList) {
    Program &p = programOf(frame);
    p.blocks.push_back({p.allocate(bytes), bytes, isList});
    return p.blocks.back().data;
  }
  static void *scratch(ptc_frame *frame, uint64_t bytes) { return take(frame, bytes, false); }
  static void *list(ptc_frame *frame, uint64_t bytes) { return take(frame, bytes, true); }
  static uint64_t mark(ptc_frame *frame) { return programOf(frame).blocks.size(); }
  /// Whoever reads what is given back reads nonsense.
  static void release(ptc_frame *frame, uint64_t mark, void *const *carried, uint32_t n,
                      uint32_t keepsLists) {
    llvm::erase_if(programOf(frame).blocks, [&, i = uint64_t(0)](const Block &block) mutable {
      auto isInside = [&](void *address) {
        return uint64_t(static_cast<std::byte *>(address) - block.data) < block.bytes;
      };
      if (i++ < mark || (block.isList && keepsLists) || std::any_of(carried, carried + n, isInside))
        return false;
      std::fill_n(block.data, block.bytes, std::byte(0x7b));
      return true;
    });
  }
  static void *temporary(ptc_frame *frame, uint32_t, uint64_t bytes) {
    static std::mutex mutex; // the threads of a section ask at one time
    std::lock_guard<std::mutex> lock(mutex);
    return programOf(frame).allocate(bytes);
  }
  static void *state(ptc_frame *frame, uint32_t slot, const ptc_shape *shape) {
    Program &p = programOf(frame);
    ptc_slot &row = p.slots[slot];
    row.spare = p.allocate(shape->bytes);
    std::copy_n(shape->sizes, shape->rank, row.sizes);
    std::copy_n(shape->strides, shape->rank, row.strides);
    return row.spare;
  }
  static void commit(ptc_frame *frame, uint32_t slot) {
    ptc_slot &row = programOf(frame).slots[slot];
    std::swap(row.tensor.data, row.spare);
  }
  static ptc_status fail(ptc_frame *frame, ptc_status status, const ptc_site *site) {
    Program &p = programOf(frame);
    p.outcome.raisedType = site->type;
    p.outcome.raisedText = site->text;
    p.outcome.raisedLine = site->line;
    return status;
  }
  static std::string textOf(const ptc_text_part *parts, uint32_t n, const ptc_value *values) {
    ptc_text_buffer out = {nullptr, 0, 0, false};
    ptc_put_parts(&out, parts, n, values);
    std::string text(out.data ? out.data : "", out.length);
    free(out.data);
    return text;
  }
  static ptc_status raise(ptc_frame *frame, const ptc_site *site, const ptc_text_part *parts,
                          uint32_t n) {
    fail(frame, ptc_status_raised, site);
    programOf(frame).outcome.raisedText = textOf(parts, n, frame->raised);
    return ptc_status_raised;
  }
  static ptc_status print(ptc_frame *frame, int32_t, const ptc_text_part *parts, uint32_t n,
                          const ptc_value *values) {
    programOf(frame).outcome.printed += textOf(parts, n, values);
    return ptc_status_ok;
  }
  static ptc_status seed(ptc_frame *frame, uint32_t generator, int64_t seed) {
    ptc_generator_seed(&programOf(frame).generators[generator], uint64_t(seed));
    return ptc_status_ok;
  }
  static void draw(ptc_frame *frame, const ptc_draw *what, void *data, const ptc_shape *shape) {
    ptc_draw_into(&programOf(frame).generators[what->generator], what, data, shape);
  }
  static ptc_status status(const ptc_frame *) { return ptc_status_ok; }
};

} // namespace loaded

static ptc_services makeServices() {
  ptc_services table = {};
  table.output = Services::output;
  table.storage = Services::storage;
  table.view = Services::view;
  table.arena = Services::arena;
  table.scratch = Services::scratch;
  table.temporary = Services::temporary;
  table.list = Services::list;
  table.mark = Services::mark;
  table.release = Services::release;
  table.state = Services::state;
  table.state_commit = Services::commit;
  table.fail = Services::fail;
  table.raise = Services::raise;
  table.print = Services::print;
  table.frame_status = Services::status;
  table.count_nonzero = ptc_count_nonzero;
  table.put_nonzero = ptc_put_nonzero;
  table.masked_select = ptc_masked_select;
  table.seed = Services::seed;
  table.draw = Services::draw;
  table.parallel = [](ptc_frame *frame, ptc_section section, void *arg, uint32_t) {
    ptc_pool_run(frame->threads, UINT32_MAX, section, arg); // as many as can be had
  };
  table.barrier = ptc_pool_barrier;
  return table;
}

llvm::Expected<std::unique_ptr<Program>> Program::load(llvm::StringRef object,
                                                       cpu::ProgramCode code) {
  std::unique_ptr<Program> program(new Program());
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  auto symbols = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      program->jit->getDataLayout().getGlobalPrefix());
  if (!symbols)
    return symbols.takeError();
  program->jit->getMainJITDylib().addGenerator(std::move(*symbols));
  // Not among what the process exports.
  llvm::orc::SymbolMap own;
  auto add = [&](llvm::StringRef name, auto *function) {
    own[program->jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                                llvm::JITSymbolFlags::Exported};
  };
  add("ptc_put_tensor", &ptc_put_tensor);
  add("ptc_put_number", &ptc_put_number);
#define PTC_NUMBER_FUNCTION(Name, Symbol, Type, Errors)                                            \
  if (llvm::StringRef(#Symbol).starts_with("ptc_"))                                                \
    add(#Symbol, static_cast<std::add_pointer_t<Type>>(&::Symbol));
#include "ptc/Runtime/NumberFunctions.def"
  if (llvm::Error error =
          program->jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(own))))
    return std::move(error);
  if (llvm::Error error =
          program->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "ptc")))
    return std::move(error);
  // Links everything: what is missing is said now.
  for (const cpu::VariantCode &variant : code.variants)
    if (auto function = program->jit->lookup(variant.symbol); !function)
      return function.takeError();
  program->info = std::move(code);
  program->slots.resize(program->info.states.size());
  program->generators.resize(program->info.numGenerators);
  for (ptc_generator &generator : program->generators)
    ptc_generator_seed(&generator, 67280421310721ULL);
  program->weights = program->allocate(program->info.weightBytes);
  return program;
}

void Program::setWeight(llvm::StringRef name, const HostTensor &tensor) {
  for (const cpu::WeightRow &row : info.weights)
    if (row.name == name) {
      HostTensor contents = row.format ? row.format->pack(tensor) : tensor.contiguous();
      memcpy(weights + row.offset, contents.contiguousBytes().data(), row.bytes);
    }
}

Outcome Program::init() {
  if (info.initSymbol.empty())
    return {};
  cpu::VariantCode variant;
  variant.symbol = info.initSymbol;
  variant.arenaBytes = info.initArenaBytes;
  return run(variant, {});
}

Outcome Program::call(unsigned variant, llvm::ArrayRef<HostValue> inputs) {
  return run(info.variants[variant], inputs);
}

Outcome Program::run(const cpu::VariantCode &variant, llvm::ArrayRef<HostValue> inputs) {
  auto function = jit->lookup(variant.symbol);
  if (!function) {
    llvm::consumeError(function.takeError());
    outcome = {};
    outcome.status = ptc_status_internal;
    return outcome;
  }
  static const ptc_services kServices = makeServices();
  std::vector<ptc_value> values;
  std::deque<DLTensor> tensors;
  for (const HostValue &input : inputs) {
    if (const auto *tensor = input.getIf<HostTensor>()) {
      HostTensor alias = *tensor;
      tensors.push_back({alias.bytes(),
                         {kDLCPU, 0},
                         int32_t(alias.dim()),
                         dlTypeOf(alias.dtype()),
                         const_cast<int64_t *>(tensor->sizes().data()),
                         const_cast<int64_t *>(tensor->strides().data()),
                         0});
      values.push_back(ptc_of_tensor(&tensors.back()));
    } else if (const auto *flag = input.getIf<bool>()) {
      values.push_back(ptc_of_bool(*flag));
    } else if (const auto *real = input.getIf<double>()) {
      values.push_back(ptc_of_float(*real));
    } else {
      values.push_back(ptc_of_int(input.asInt()));
    }
  }
  std::vector<ptc_value> outputs(variant.numOutputs), raised(variant.numRaised);
  outcome = {};
  outcome.leaves.resize(variant.numOutputs);
  blocks.clear();
  ptc_frame frame = {};
  frame.inputs = values.data();
  frame.num_inputs = uint32_t(values.size());
  frame.arena_bytes = variant.arenaBytes + threads * variant.threadBytes;
  frame.arena = reinterpret_cast<unsigned char *>(allocate(frame.arena_bytes));
  frame.weights = reinterpret_cast<unsigned char *>(weights);
  frame.state = slots.data();
  frame.services = &kServices;
  frame.outputs = outputs.data();
  frame.raised = raised.data();
  frame.num_outputs = variant.numOutputs;
  frame.threads = threads;
  frame.context = reinterpret_cast<ptc_context *>(this);
  auto enter = [&] { return function->toPtr<ptc_status (*)(ptc_frame *)>()(&frame); };
  outcome.status = hooks.enter ? hooks.enter(enter) : enter();
  outcome.number = frame.outcome;
  for (auto [leaf, value] : llvm::zip_equal(outcome.leaves, outputs)) {
    if (!leaf.isNone())
      continue;
    if (value.tag == ptc_tag_Bool)
      leaf = value.as.integer != 0;
    else if (value.tag == ptc_tag_Int)
      leaf = value.as.integer;
    else if (value.tag == ptc_tag_Float)
      leaf = value.as.real;
  }
  return outcome;
}
