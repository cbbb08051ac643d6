//===- Image.h - Modules of the prelude as they stand when they have run -*- C++ -*-===//
//
// A unit is what one import of a module of the prelude leaves in the heap: the objects that it made
// and what it wrote to older ones. ptc is built with the units of every Python version, written by
// the same engine (Bake); loading one takes the place of running the code of its modules.
//
// That is the same only where the code would find what it found when the image was made. So a unit
// is loaded while an image of the modules that it needs is, and as long as nobody else has written
// to an object of the prelude or made a class (Heap::watch); else the code runs as any other.
//
// Numbers are ULEB128. An object is (0, id) of the builtin world or (unit + 1, place in the unit).
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_IMAGE_H
#define PTC_LIB_CAPTURE_IMAGE_H

#include "Objects.h"

namespace ptc::capture {

/// One unit: which modules it starts, the units that it needs, and the rest for the reader.
struct ImageUnit {
  std::vector<llvm::StringRef> modules;
  std::vector<uint32_t> needs; ///< in the order in which they were loaded
  llvm::StringRef body;
};

/// The image of one Python version.
struct Image {
  PythonVersion version{};
  ObjectId base = 0; ///< the first object that is not of the builtin world
  std::vector<ImageUnit> units;
};

/// What ptc was built with, from Bake; empty while it is made. Defined by the library ptcImage.
llvm::StringRef imageBytes();

/// The units of one version in `bytes`: none if they have none.
std::optional<Image> findImage(llvm::StringRef bytes, PythonVersion version);
/// The modules of the prelude that can be imported; those that need fewest others first, so that
/// units are small.
llvm::Expected<std::vector<llvm::StringRef>> bakeOrder();
/// An image of these modules for one version.
llvm::Expected<std::string> bakeImage(PythonVersion version, llvm::ArrayRef<llvm::StringRef> order);

/// Loads the unit of a module in place of its code, and those that it needs. False: the code must
/// run.
bool loadFromImage(Engine &e, llvm::StringRef module);

/// What a file of the prelude holds, read now if it is not.
const ptc::CodeFile &readLazyFile(World &w, uint32_t file);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_IMAGE_H
