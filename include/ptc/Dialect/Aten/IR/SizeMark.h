//===- SizeMark.h - Sizes in texts of exceptions ----------------*- C++ -*-===//
#ifndef PTC_DIALECT_ATEN_IR_SIZEMARK_H
#define PTC_DIALECT_ATEN_IR_SIZEMARK_H

namespace ptc::aten {

/// Stands on both sides of each size in MetaResult::text that is no constant; between them is what
/// sym::Context::parse reads. Who shows the text puts the size of the run there.
inline constexpr char kSizeMark = '\x1f';

} // namespace ptc::aten

#endif // PTC_DIALECT_ATEN_IR_SIZEMARK_H
