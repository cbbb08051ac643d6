//===- TableObject.h - Constant C tables as an object ---------------*- C++ -*-===//
//
// Rows are C structs as this compiler lays them out, which is how the stub reads them on x86-64;
// pointers in them are relocations.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_PACKAGE_TABLEOBJECT_H
#define PTC_LIB_PACKAGE_TABLEOBJECT_H

#include "ptc/Package/ElfObject.h"
#include "ptc/Runtime/Frame.h"

namespace ptc {

/// A place in a section.
struct Place {
  ElfObject::SectionId section;
  uint64_t offset;
};

/// An object with a section of plain rows and one of rows with pointers; writers of tables derive
/// from it.
class TableObject {
protected:
  TableObject()
      : plain(object.addSection(".rodata.ptc", llvm::ELF::SHF_ALLOC)),
        pointing(
            object.addSection(".data.rel.ro.ptc", llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_WRITE)) {}

  template <typename T> Place rows(llvm::ArrayRef<T> list, bool hasPointers) {
    return rowsIn(hasPointers ? pointing : plain, list);
  }
  template <typename T> Place rowsIn(ElfObject::SectionId section, llvm::ArrayRef<T> list) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, ptc_source>,
                  "rows have no padding");
    llvm::StringRef bytes(reinterpret_cast<const char *>(list.data()), list.size() * sizeof(T));
    return {section, object.append(section, bytes, alignof(T))};
  }
  void point(Place row, size_t field, Place target) {
    object.relocate(row.section, row.offset + field, target.section, int64_t(target.offset));
  }
  void point(Place row, size_t field, llvm::StringRef symbol) {
    object.relocate(row.section, row.offset + field, symbol);
  }
  /// Terminated text.
  Place text(llvm::StringRef text) { return {plain, object.append(plain, text.str() + '\0')}; }
  void pointText(Place row, size_t field, llvm::StringRef text) {
    point(row, field, this->text(text));
  }

  ElfObject object;
  ElfObject::SectionId plain, pointing;
};

} // namespace ptc

#endif // PTC_LIB_PACKAGE_TABLEOBJECT_H
