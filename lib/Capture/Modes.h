//===- Modes.h - What eager does beside computing -----------------*- C++ -*-===//
//
// Modes are slots of the machine: what a path has set, and what a call leaves for the next one.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_MODES_H
#define PTC_LIB_CAPTURE_MODES_H

#include "Engine.h"

#include "ptc/Dialect/Aten/IR/Meta.h"

#include "llvm/ADT/STLExtras.h"

namespace ptc::capture {

namespace slot {
// Of the machine, beside those of Layout.h: torch.autocast.
inline constexpr uint32_t kAutocastCpu = 6;      ///< Bool, or Absent: disabled
inline constexpr uint32_t kAutocastCuda = 7;     ///< the same for tensors of GPUs
inline constexpr uint32_t kAutocastCpuType = 8;  ///< DType, or Absent: bfloat16
inline constexpr uint32_t kAutocastCudaType = 9; ///< DType, or Absent: float16
inline constexpr uint32_t kAutocastCache = 10;   ///< Bool, or Absent: casts of leaves are kept
inline constexpr uint32_t kAutocastRegion = 11;  ///< Bool, or Absent: in no region

/// Int, or Absent: whether objects with a __torch_function__ are asked; see Overrides.cpp.
inline constexpr uint32_t kFunctionsDisabled = 12;
/// Tuple of the objects of TorchFunctionMode that are asked, or Absent.
inline constexpr uint32_t kFunctionModes = 13;
/// Tuple of what torch.set_default_device has set, or None, and of the devices that are entered as
/// contexts; Absent: of none.
inline constexpr uint32_t kDefaultDevices = 14;

inline constexpr uint32_t kModes[] = {kGradMode,      kDefaultDType,    kAutocastCpu,
                                      kAutocastCuda,  kAutocastCpuType, kAutocastCudaType,
                                      kAutocastCache, kAutocastRegion,  kFunctionsDisabled,
                                      kFunctionModes, kDefaultDevices};
} // namespace slot

inline bool isMode(uint32_t key) { return llvm::is_contained(slot::kModes, key); }

/// Where the program looks at warnings (lib/Prelude/warnings.py): refuses what eager warns of,
/// since most such warnings are given once in a process.
Flow checkWarning(Engine &e, const llvm::Twine &what);
/// The same of a call of an operation that warns for some arguments.
Flow checkWarnings(Engine &e, const aten::OpInfo &op, llvm::ArrayRef<aten::ArgValue> bound);

/// Inside torch.autocast: gives the arguments of a call the types that eager's dispatcher casts
/// them to. ATen/autocast_mode.cpp
Flow castArguments(Engine &e, const aten::OpInfo &op, llvm::MutableArrayRef<aten::ArgValue> bound,
                   TensorCall &call);
/// Refuses to give other data to a leaf of which eager may have kept a cast.
Flow checkKeptCasts(Engine &e, ObjectId storage);

/// The device that a function of torch makes tensors on where it is given none (DeviceContext of
/// torch.utils._device); None: the function asks for none, or there is no other than the CPU.
Value defaultDeviceOf(Engine &e, llvm::StringRef spelling);

/// What a call gave. Where the program asked for deterministic algorithms, eager fills memory that
/// nothing was written to.
Value filledIfDeterministic(Engine &e, const aten::OpInfo &op, Value result);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_MODES_H
