// The names of the exceptions that lib/Python raises.
#include "ptc/Python/Result.h"

#include "llvm/Support/ErrorHandling.h"

namespace ptc::py {

llvm::StringRef getExcName(ExcKind kind) {
  switch (kind) {
  case ExcKind::ValueError:
    return "ValueError";
  case ExcKind::TypeError:
    return "TypeError";
  case ExcKind::OverflowError:
    return "OverflowError";
  case ExcKind::ZeroDivisionError:
    return "ZeroDivisionError";
  case ExcKind::IndexError:
    return "IndexError";
  case ExcKind::KeyError:
    return "KeyError";
  case ExcKind::LookupError:
    return "LookupError";
  case ExcKind::UnicodeEncodeError:
    return "UnicodeEncodeError";
  case ExcKind::UnicodeDecodeError:
    return "UnicodeDecodeError";
  case ExcKind::MemoryError:
    return "MemoryError";
  case ExcKind::Limit:
    return "Limit";
  }
  llvm_unreachable("ExcKind is closed");
}

} // namespace ptc::py
