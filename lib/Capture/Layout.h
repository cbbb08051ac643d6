//===- Layout.h - Fixed slots of each kind of heap object -------*- C++ -*-===//
//
// Key kExists (0) is the same in all of them. Names are attributes and have keys from kFirstAttr
// on.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_LAYOUT_H
#define PTC_LIB_CAPTURE_LAYOUT_H

#include "ptc/Bytecode/Decode.h"
#include "ptc/Capture/Heap.h"

namespace ptc::capture {

/// The two objects that every heap has, made first.
inline constexpr ObjectId kFacts =
    1; ///< attrKey(ValueId): Ip whose bits are the mask of cases possible
inline constexpr ObjectId kMachine = 2;

namespace slot {
// Machine.
inline constexpr uint32_t kCurrentFrame = 1; ///< Ref
inline constexpr uint32_t kException = 2;    ///< exception being handled: Ref, or Absent
inline constexpr uint32_t kGradMode = 4;     ///< Bool, or Absent: enabled
inline constexpr uint32_t kDefaultDType = 5; ///< DType, or Absent: float32
inline constexpr uint32_t kResult = 3;       ///< what the outermost frame returned or raised

// Frame. Locals (localsplus order), then the operand stack, follow at kLocals.
inline constexpr uint32_t kIp = 1;        ///< Ip: the next instruction; while one runs: behind it
inline constexpr uint32_t kSp = 2;        ///< Ip: depth of the operand stack
inline constexpr uint32_t kCaller = 3;    ///< Ref, or None for the outermost frame
inline constexpr uint32_t kReturn = 4;    ///< value returned or exception raised, on the way out
inline constexpr uint32_t kAction = 5;    ///< Ip: ReturnAction
inline constexpr uint32_t kActionArg = 6; ///< Init: the instance; Import: the module
inline constexpr uint32_t kDepth = 7;     ///< Ip: number of callers
inline constexpr uint32_t kNamespace =
    8; ///< Ref to the Dict or Module that STORE_NAME writes, or Absent
inline constexpr uint32_t kSavedException = 9; ///< a suspended generator's exception state
inline constexpr uint32_t kGenState = 10;      ///< Ip: GenPoint; Absent for ordinary frames
inline constexpr uint32_t kLocals = 11;

// Cell, Storage, List, Dict, Set, ByteArray, Instance of a class derived from an immutable builtin.
inline constexpr uint32_t kContent = 1;
// Storage.
inline constexpr uint32_t kFrozen =
    2; ///< Bool: copied into or out of a run-time list, so not written
// Iterator.
inline constexpr uint32_t kSequence = 1;
inline constexpr uint32_t kPosition = 2;
// Function.
inline constexpr uint32_t kDefaults = 1;    ///< Tuple, or Absent
inline constexpr uint32_t kKwDefaults = 2;  ///< Tuple of name, value alternating, or Absent
inline constexpr uint32_t kClosure = 3;     ///< Tuple of Ref to Cell, or Absent
inline constexpr uint32_t kAnnotations = 4; ///< a dict, or the function that makes it; Absent
// Generator (torch.Generator).
inline constexpr uint32_t kHandle = 1; ///< Int
inline constexpr uint32_t kSeed = 2;   ///< what initial_seed() answers
} // namespace slot

/// What a frame's caller does with the value that the frame returns.
enum class ReturnAction : uint8_t {
  Push,
  Drop,
  PushAgain, ///< as Push; the instruction that called runs again
  DropAgain, ///< as Drop; the same
  Init,      ///< must be None; pushes kActionArg, the instance
  Bool,      ///< from __bool__: must be a bool
  NotBool,   ///< the same, negated
  LenBool,   ///< from __len__ in a truth test: an int >= 0, pushes != 0
  Import,    ///< pushes kActionArg, the module
};

enum class GenState : uint8_t { Created, Suspended, Running, Finished };

/// kGenState, decoded: instruction and stack depth only of Created and Suspended.
struct GenPoint {
  GenState state;
  uint32_t ip, sp;
};

/// What never changes about a frame.
struct FrameInfo {
  const CanonicalCode *code;
  ObjectId globals;  ///< Module
  ObjectId function; ///< 0 for module code
  bool hidden;       ///< prelude code: diagnostics and tracebacks name its caller
  const struct CodeRecord *record = nullptr;
  ObjectId generatorClass = 0; ///< what its generators are where CPython has a class: map, zip …
};

/// What never changes about a function.
struct FunctionInfo {
  const CodeObject *code;
  ObjectId globals;
  bool hidden;
};

/// How instances of a class are laid out: by the builtin that it derives from.
enum class Layout : uint8_t {
  Plain, ///< Instance without content
  Boxed, ///< Instance whose kContent is the immutable builtin value (int, str, tuple, …)
  List,
  Dict,
  Set,
  Exception, ///< Instance; kContent is the tuple of args
  Class,     ///< metaclasses
  None,      ///< cannot be instantiated by calling object.__new__
};

/// What never changes about a class.
struct ClassInfo {
  std::string name;
  std::string module;
  ObjectId self = 0;
  ObjectId meta = 0; ///< class of the class
  std::vector<ObjectId> bases;
  std::vector<ObjectId> mro; ///< self first
  Layout layout = Layout::Plain;
  bool builtin = false; ///< made by the engine or the prelude in the name of a builtin
};

/// What never changes about a module.
struct ModuleInfo {
  std::string name;
  std::string file;
  bool prelude = false;
};

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_LAYOUT_H
