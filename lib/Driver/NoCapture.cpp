//===- NoCapture.cpp - A build without capture ---------------------------------------------===//
//
// In: any request. Out: CaptureMissing. Compiled only where lib/Capture has no front end.
//
//===----------------------------------------------------------------------===//
#include "ptc/Capture/Capture.h"

using namespace ptc;

llvm::Expected<capture::CapturedEntry> capture::captureEntry(const CaptureRequest &) {
  return makeError(DiagId::CaptureMissing, {});
}

llvm::Error capture::runPython(const CaptureRequest &, llvm::raw_ostream &, llvm::raw_ostream &) {
  return makeError(DiagId::CaptureMissing, {});
}
