//===- FilePages.cpp - Memory of mapped files -----------------------------------------===//
//
// In: tensors of mapped files. Out: their memory, for other pages of the file.
//
//===----------------------------------------------------------------------===//
#include "ptc/TensorFile/FilePages.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include <sys/mman.h>

using namespace ptc;

/// Whether the memory there is a file's, as the kernel says: `BEGIN-END PERMS OFFSET DEVICE INODE`.
static bool isOfFile(uint64_t address) {
  auto maps = llvm::MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return false;
  for (llvm::line_iterator line(**maps); !line.is_at_end(); ++line) {
    llvm::SmallVector<llvm::StringRef> fields;
    line->split(fields, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    auto [first, last] = fields[0].split('-');
    uint64_t begin = 0, end = 0;
    if (fields.size() > 4 && !first.getAsInteger(16, begin) && !last.getAsInteger(16, end) &&
        address >= begin && address < end)
      return fields[4] != "0";
  }
  return false;
}

void ptc::forgetFilePages(const HostTensor &tensor) {
  if (!tensor.isContiguous())
    return;
  llvm::ArrayRef<std::byte> bytes = tensor.contiguousBytes();
  // Whole pages alone: others hold neighbours, too.
  uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  auto address = reinterpret_cast<uint64_t>(bytes.data());
  uint64_t begin = llvm::alignTo(address, page),
           end = llvm::alignDown(address + bytes.size(), page);
  if (begin >= end || !isOfFile(begin))
    return;
  auto *pages = const_cast<std::byte *>(bytes.data()) + (begin - address);
  (void)madvise(pages, end - begin, MADV_DONTNEED); // else they stay
}
