//===- main.cpp - ptc-bake OUT: the image of the prelude for every Python version ---------===//
//
// In: the modules of the prelude. Out: a file for Embedded.cpp; the same modules give the same
// bytes.
//
//===----------------------------------------------------------------------===//
#include "Image.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace ptc;

llvm::StringRef ptc::capture::imageBytes() { return {}; }

int main(int argc, char **argv) {
  static constexpr PythonVersion versions[] = {
#define PTC_PYTHON(Minor, ...) PythonVersion::Py3##Minor,
#include "ptc/Bytecode/Versions.def"
  };
  if (argc != 2)
    return 2;
  std::error_code error;
  llvm::ToolOutputFile out(argv[1], error, llvm::sys::fs::OpenFlags::OF_None);
  if (error) {
    llvm::errs() << argv[1] << ": " << error.message() << '\n';
    return 1;
  }
  llvm::Expected<std::vector<llvm::StringRef>> order = capture::bakeOrder();
  if (!order) {
    llvm::errs() << llvm::toString(order.takeError()) << '\n';
    return 1;
  }
  for (PythonVersion version : versions) {
    llvm::Expected<std::string> image = capture::bakeImage(version, *order);
    if (!image) {
      llvm::errs() << llvm::toString(image.takeError()) << '\n';
      return 1;
    }
    out.os() << *image;
  }
  out.keep();
  return 0;
}
