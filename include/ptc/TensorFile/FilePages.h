//===- FilePages.h - Memory of mapped files ----------------------------*- C++ -*-===//
#ifndef PTC_TENSORFILE_FILEPAGES_H
#define PTC_TENSORFILE_FILEPAGES_H

#include "ptc/TensorFile/HostTensor.h"

namespace ptc {

/// Gives the memory back that holds a tensor of a mapped file: who goes through weights larger than
/// the machine's memory has one of them in it at a time. The file's bytes come again when they are
/// read; what this process wrote over them is lost. Does nothing to tensors of no file.
void forgetFilePages(const HostTensor &tensor);

} // namespace ptc

#endif // PTC_TENSORFILE_FILEPAGES_H
