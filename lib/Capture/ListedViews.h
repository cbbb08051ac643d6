//===- ListedViews.h - Views as elements of lists of the run ------*- C++ -*-===//
//
// Where a program shows that an element of a list of the run is a view (Shown::listedViews), lists
// do not copy views of one storage: an element is the numbers that say where it lies.
//
//===----------------------------------------------------------------------===//
#ifndef PTC_LIB_CAPTURE_LISTEDVIEWS_H
#define PTC_LIB_CAPTURE_LISTEDVIEWS_H

#include "Engine.h"

namespace ptc::capture {

/// May data decide this argument of a view operation: a place or a size? Dimensions say what a view
/// is, and so does which of several results it is, which stands behind the arguments.
bool mayDifferInViews(const ViewStep &step, size_t arg);

/// The form of an element that is this view (TupleTag::View); its numbers go behind `leaves`. None:
/// lists copy it.
std::optional<Value> formOfView(Engine &e, const TensorNode &view, std::vector<Value> &leaves);
/// The view of such a form that has these numbers, which are scalars of the run.
Value viewOfForm(Engine &e, const Value &form, llvm::ArrayRef<Value> leaves);
/// Do sizes that each element has of its own decide this stride?
bool isOfEach(Engine &e, sym::Expr stride, size_t rank);
/// Is a part of a form such a view?
bool holdsViews(const Value &form);
/// Is this contents of a list that holds views, or a choice of such?
bool isListOfViews(const Value &contents);
inline bool isViewForm(const Value &form) {
  return form.is(Kind::Tuple) && form.sub() == uint8_t(TupleTag::View);
}
/// The form with each storage replaced.
Value withStorages(const Value &form, llvm::function_ref<ObjectId(ObjectId)> replace);

} // namespace ptc::capture

#endif // PTC_LIB_CAPTURE_LISTEDVIEWS_H
