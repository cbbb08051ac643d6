//===- NotationWriter.h - Values in the JSON notation ---------------*- C++ -*-===//
#ifndef PTC_TOOLS_PTC_NOTATIONWRITER_H
#define PTC_TOOLS_PTC_NOTATIONWRITER_H

#include "ptc/TensorFile/Example.h"

#include <nlohmann/json.hpp>

namespace ptc::tool {

/// Writes values as CallJson.h reads them; how tensors are written, and what parts are called, is
/// the derived class's business.
class NotationWriter {
public:
  using Json = nlohmann::ordered_json;
  virtual ~NotationWriter() = default;

  /// `name`: of the value, for its tensors.
  Json value(const ExampleValue &v, const std::string &name);

protected:
  virtual Json tensor(const ExampleValue &v, const std::string &name) = 0;
  /// Of element `i` of a list, tuple or set.
  virtual std::string elementName(const std::string &name, size_t i) = 0;
  /// Of the value of pair `i`; `plain`: the dict is written as an object.
  virtual std::string itemName(const std::string &name, const ExampleValue &key, size_t i,
                               bool plain) = 0;

private:
  Json list(const std::vector<ExampleValue> &items, const std::string &name);
  Json dict(const ExampleValue &v, const std::string &name);
};

} // namespace ptc::tool

#endif // PTC_TOOLS_PTC_NOTATIONWRITER_H
