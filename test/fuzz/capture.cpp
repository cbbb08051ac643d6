// Arbitrary bytes as a .pyc, read, verified and captured with small limits: programs, or typed
// errors. Mutations that the reader refuses are tried again, because the reader has a fuzzer of its
// own and a capture costs a hundred times as much. The builtin world is made once.
#include "Request.h"

#include "ptc/Support/Error.h"

using namespace ptc;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static bool isReadable(const uint8_t *data, size_t size) {
  auto file = readPyc(llvm::StringRef(reinterpret_cast<const char *>(data), size), "fuzz");
  if (file)
    return true;
  llvm::consumeError(file.takeError());
  return false;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned) {
  std::vector<uint8_t> tried(maxSize);
  for (int i = 0; i < 200; ++i) {
    std::copy(data, data + size, tried.begin());
    size_t length = LLVMFuzzerMutate(tried.data(), size, maxSize);
    if (!isReadable(tried.data(), length))
      continue;
    std::copy(tried.begin(), tried.begin() + length, data);
    return length;
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}

static capture::BuiltinWorld &world() {
  static capture::BuiltinWorld made = llvm::cantFail(fuzz::importedWorld());
  return made;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  (void)world(); // not within the time of the first input
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!isReadable(data, size))
    return -1;
  capture::CaptureRequest request = fuzz::smallRequest();
  request.read = [&] {
    return readPyc(llvm::StringRef(reinterpret_cast<const char *>(data), size), "fuzz.pyc");
  };
  auto captured = capture::captureEntry(request, world());
  if (captured)
    return 0;
  for (const Diagnostic &diag : takeDiagnostics(captured.takeError()))
    if (diag.info().exitCode == ExitCode::Internal) {
      llvm::errs() << diag.text << '\n';
      __builtin_trap();
    }
  return 0;
}
