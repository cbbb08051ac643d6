//===- CallJson.cpp - Calls in the JSON notation -----------------------------------===//
//
// In: JSON text as cli.md's notation has it ({"$tensor": …}, {"$tuple": …}). Out: calls as data, or
// an error that names the place in the structure.
//
//===----------------------------------------------------------------------===//
#include "CallJson.h"

#include "JsonProblem.h"

#include "ptc/Support/JsonScan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// Thrown while a call is read; carries what the user sees.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
  explicit Malformed(JsonProblem problem)
      : std::runtime_error(problem.text), line(problem.line), column(problem.column),
        hint(std::move(problem.hint)) {}

  uint32_t line = 0, column = 0; ///< in the text that was read; 0: not known
  std::string hint;
};
/// An error of another library on its way out.
struct Passed {
  llvm::Error error;
};

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw Passed{value.takeError()};
  return std::move(*value);
}

/// Values are read, printed and guarded by recursion.
constexpr size_t kMaxDepth = 100;
/// Of the tensors of a file, where one is not found.
constexpr size_t kNamesShown = 10;

/// A number without fraction and exponent is an int. The parser takes one of more than 64 bits for
/// a float, which would be another argument: here it becomes {"$int": its digits}.
Json parseJson(llvm::StringRef text) {
  if (scanJson(text).depth > kMaxDepth)
    throw Malformed("it is nested deeper than " + std::to_string(kMaxDepth) + " levels");
  if (std::optional<JsonProblem> problem = findJsonProblem(text))
    throw Malformed(std::move(*problem));
  auto inNumber = [](char c) { return llvm::isDigit(c) || llvm::StringRef("+-.eE").contains(c); };
  std::string out;
  bool inString = false;
  while (!text.empty()) {
    size_t taken = inString && text[0] == '\\' ? 2 : 1;
    inString ^= text[0] == '"';
    llvm::StringRef number = inString ? "" : text.take_while(inNumber);
    int64_t fits;
    if (!number.empty()) {
      taken = number.size();
      bool digits = llvm::all_of(number.drop_while([](char c) { return c == '-'; }), llvm::isDigit);
      if (digits && number.getAsInteger(10, fits)) {
        out += "{\"$int\": \"" + number.str() + "\"}";
        text = text.drop_front(taken);
        continue;
      }
    }
    out += text.take_front(taken);
    text = text.drop_front(std::min(taken, text.size()));
  }
  return Json::parse(out);
}

Json parseFile(std::istream &file) {
  return parseJson(std::string(std::istreambuf_iterator<char>(file), {}));
}

class CallReader {
public:
  CallReader(fs::path folder, std::set<std::string> &filesRead, SizeValues values = {})
      : folder(std::move(folder)), values(std::move(values)), filesRead(filesRead) {}

  /// One call, or, with `variants`, those of sizes that have variants of their own.
  std::vector<ExampleCall> calls(const Json &json, size_t variants) {
    if (!json.is_object())
      throw Malformed("a call is an object with args and kwargs");
    SizeFacts facts;
    findFacts(json, "", facts);
    readFacts(json, facts);
    auto chosen = chooseSizes(facts, variants);
    if (!chosen)
      throw Malformed(llvm::toString(chosen.takeError()));
    std::vector<ExampleCall> out;
    for (SizeValues &one : *chosen) {
      values = std::move(one);
      out.push_back(call(json));
      out.back().sizes = facts.sizes;
      out.back().relations = facts.relations;
    }
    return out;
  }

private:
  ExampleCall call(const Json &json) {
    ExampleCall out;
    named.clear();
    for (const auto &[key, value] : json.items()) {
      if (key == "args")
        out.args = list(value, "args");
      else if (key == "kwargs")
        out.kwargs = fields(value, "kwargs");
      else if (key == "seed" && value.is_number_integer())
        out.seed = value.get<int64_t>();
      else if (key == "init")
        out.init = init(value);
      else if (key != "sizes" && key != "where")
        throw Malformed("'" + key + "' is none of args, kwargs, init, seed, sizes, where");
    }
    return out;
  }

public:
  std::pair<std::vector<ExampleValue>, std::vector<std::pair<std::string, ExampleValue>>>
  init(const Json &json) {
    llvm::SaveAndRestore inInit(allowsCalls, true);
    if (json.is_array())
      return {list(json, "init"), {}};
    if (!json.is_object())
      throw Malformed("init is a list of arguments or an object");
    if (!json.contains("args") && !json.contains("kwargs"))
      return {{}, fields(json, "init")};
    return {json.contains("args") ? list(json["args"], "init.args") : std::vector<ExampleValue>(),
            json.contains("kwargs") ? fields(json["kwargs"], "init.kwargs")
                                    : std::vector<std::pair<std::string, ExampleValue>>()};
  }

  ExampleValue value(const Json &json, const std::string &path) {
    switch (json.type()) {
    case Json::value_t::null:
      return {};
    case Json::value_t::boolean:
      return ExampleValue::boolean(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return ExampleValue::ofInt(json.get<int64_t>());
    case Json::value_t::number_float:
      return ExampleValue::ofFloat(json.get<double>());
    case Json::value_t::string:
      return ExampleValue::ofStr(json.get<std::string>());
    case Json::value_t::array:
      return ExampleValue::ofItems(ExampleValue::Kind::List, list(json, path));
    case Json::value_t::object:
      return object(json, path);
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
    }
    throw Malformed(path + " is no JSON value");
  }

  /// An int that is a size.
  ExampleValue size(const std::string &text, const std::string &path) {
    SizeFacts said; // they are known
    auto formula = parseSize(text, said);
    if (!formula)
      throw Malformed(path + ": " + llvm::toString(formula.takeError()));
    std::optional<int64_t> found = evaluateSize(*formula, values);
    if (!found)
      throw Malformed(path + ": '" + *formula + "' is no size");
    ExampleValue out = ExampleValue::ofInt(*found);
    out.dims = {*formula};
    return out;
  }

  /// A tensor of a file by --input: the only one, else the one that is called as the argument.
  ExampleValue fileInput(const std::string &file, const std::string &name) {
    const std::vector<NamedTensor> &tensors = tensorsOf(file);
    return ExampleValue::ofTensor(pick(tensors, tensors.size() == 1 ? "" : name, file, name));
  }

private:
  static std::string below(llvm::StringRef path, llvm::StringRef key) {
    return (path + "." + key).str();
  }

  std::vector<ExampleValue> list(const Json &json, const std::string &path) {
    if (!json.is_array())
      throw Malformed(path + " must be a list");
    std::vector<ExampleValue> out;
    out.reserve(json.size());
    for (size_t i = 0; i < json.size(); ++i)
      out.push_back(noted(json[i], path + "[" + std::to_string(i) + "]"));
    return out;
  }

  std::vector<std::pair<std::string, ExampleValue>> fields(const Json &json,
                                                           const std::string &path) {
    if (!json.is_object())
      throw Malformed(path + " must be an object");
    std::vector<std::pair<std::string, ExampleValue>> out;
    for (const auto &[key, item] : json.items())
      out.emplace_back(key, noted(item, below(path, key)));
    return out;
  }

  /// A value, kept for {"$same": path}.
  ExampleValue noted(const Json &json, const std::string &path) {
    ExampleValue out = value(json, path);
    if (out.kind == ExampleValue::Kind::Tensor)
      named.insert_or_assign(path, out);
    return out;
  }

  const std::string &text(const Json &json, const char *key, const std::string &path) {
    if (!json[key].is_string())
      throw Malformed(path + ": " + key + " must be a string");
    return json[key].get_ref<const std::string &>();
  }

  /// A key that nobody reads may be a misspelt one that somebody would.
  static void checkKeys(const Json &json, llvm::ArrayRef<llvm::StringRef> known,
                        const std::string &path) {
    for (const auto &[key, item] : json.items())
      if (!llvm::is_contained(known, key))
        throw Malformed(
            llvm::formatv("{0}: '{1}' is none of {2}", path, key, llvm::join(known, ", ")).str());
  }

  ExampleValue object(const Json &json, const std::string &path) {
    using K = ExampleValue::Kind;
    if (json.contains("$tensor"))
      return tensor(json, path);
    for (llvm::StringRef only : {"$same", "$tuple", "$set", "$frozenset", "$dtype", "$device",
                                 "$int", "$float", "$dict", "$size"})
      if (json.contains(only))
        checkKeys(json, only, path);
    if (json.contains("$size"))
      return size(text(json, "$size", path), path);
    if (json.contains("$same")) {
      auto found = named.find(text(json, "$same", path));
      if (found == named.end())
        throw Malformed(path + ": no tensor before it is at '" + text(json, "$same", path) + "'");
      return found->second; // shares the storage
    }
    if (json.contains("$tuple"))
      return ExampleValue::ofItems(K::Tuple, list(json["$tuple"], path));
    if (json.contains("$set"))
      return ExampleValue::ofItems(K::Set, list(json["$set"], path));
    if (json.contains("$frozenset")) {
      if (!allowsCalls)
        throw Malformed(path + ": $frozenset is for arguments of the class");
      ExampleValue out = ExampleValue::ofItems(K::Set, list(json["$frozenset"], path));
      out.text = "frozenset";
      return out;
    }
    if (json.contains("$dtype")) {
      ExampleValue out(K::DType);
      std::optional<DType> dtype = parseDType(text(json, "$dtype", path));
      if (!dtype)
        throw Malformed(path + ": no element type is called '" + text(json, "$dtype", path) + "'");
      out.dtype = *dtype;
      return out;
    }
    if (json.contains("$call"))
      return madeByCall(json, path);
    if (json.contains("$object"))
      return instance(json, path);
    if (json.contains("$device"))
      return ExampleValue::ofStr(text(json, "$device", path), K::Device);
    if (json.contains("$int"))
      return integer(text(json, "$int", path), path);
    if (json.contains("$float"))
      return ExampleValue::ofFloat(real(text(json, "$float", path), path));
    if (json.contains("$dict")) {
      std::vector<ExampleValue> items;
      for (const ExampleValue &pair : list(json["$dict"], path)) {
        if (pair.items.size() != 2)
          throw Malformed(path + ": $dict is a list of pairs");
        items.push_back(pair.items[0]);
        items.push_back(pair.items[1]);
      }
      return ExampleValue::ofItems(K::Dict, std::move(items));
    }
    std::vector<ExampleValue> items;
    for (const auto &[key, item] : json.items()) {
      if (!key.empty() && key[0] == '$')
        throw Malformed(
            llvm::formatv("{0}: '{1}' is none of $tensor, $same, $tuple, $set, "
                          "$frozenset, $dict, $dtype, $device, $int, $float, $call, $object",
                          path, key)
                .str());
      items.push_back(ExampleValue::ofStr(key));
      items.push_back(noted(item, below(path, key)));
    }
    return ExampleValue::ofItems(K::Dict, std::move(items));
  }

  /// {"$call": "module:Name", "args": […], "kwargs": {…}}: an object that the program makes.
  ExampleValue madeByCall(const Json &json, const std::string &path) {
    if (!allowsCalls)
      throw Malformed(path + ": $call is for arguments of the class");
    checkKeys(json, {"$call", "args", "kwargs"}, path);
    return calledIn(json, "$call", path);
  }

  /// {"$object": "module:Name", "fields": {…}}: an object with these attributes. With args and
  /// kwargs its other ones are what a call of its class with them makes.
  ExampleValue instance(const Json &json, const std::string &path) {
    if (allowsCalls)
      throw Malformed(path + ": $object is for arguments of the entry; $call makes one here");
    checkKeys(json, {"$object", "args", "kwargs", "fields"}, path);
    ExampleValue out(ExampleValue::Kind::Object);
    {
      llvm::SaveAndRestore constants(allowsCalls, true);
      ExampleValue maker = calledIn(json, "$object", path);
      out.text = maker.text;
      if (json.contains("args") || json.contains("kwargs"))
        out.maker.push_back(std::move(maker));
    }
    if (json.contains("fields"))
      for (auto &[name, item] : fields(json["fields"], path)) {
        if (!isAttributeName(name))
          throw Malformed(
              (llvm::Twine(path) + ": '" + name + "' is no name of an attribute").str());
        out.names.push_back(name);
        out.items.push_back(std::move(item));
      }
    return out;
  }

  /// A call of what `key` names, of args and kwargs.
  ExampleValue calledIn(const Json &json, const char *key, const std::string &path) {
    ExampleValue out = ExampleValue::ofStr(text(json, key, path), ExampleValue::Kind::Call);
    if (out.text.empty() || out.text.starts_with(':') || out.text.ends_with(':') ||
        out.text.ends_with('.'))
      throw Malformed(path + ": " + key + " is \"module:Name\", or a name of the program's module");
    if (json.contains("args"))
      out.items = list(json["args"], below(path, "args"));
    if (json.contains("kwargs"))
      for (auto &[name, item] : fields(json["kwargs"], below(path, "kwargs"))) {
        out.names.push_back(name);
        out.items.push_back(std::move(item));
      }
    return out;
  }

  static double real(const std::string &digits, const std::string &path) {
    char *end = nullptr;
    double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || end != digits.c_str() + digits.size())
      throw Malformed(path + ": '" + digits + "' is no float");
    return value;
  }

  static ExampleValue integer(llvm::StringRef digits, const std::string &path) {
    int64_t fits;
    if (!digits.getAsInteger(10, fits))
      return ExampleValue::ofInt(fits);
    llvm::StringRef magnitude = digits;
    (void)magnitude.consume_front("-");
    if (magnitude.empty() || !llvm::all_of(magnitude, llvm::isDigit))
      throw Malformed(path + ": '" + digits.str() + "' is no int");
    return ExampleValue::ofStr(digits.str(), ExampleValue::Kind::BigInt);
  }

  ExampleValue tensor(const Json &json, const std::string &path) {
    const std::string &spec = text(json, "$tensor", path);
    ExampleValue out;
    if (json.contains("values"))
      checkKeys(json, {"$tensor", "values", "strides", "requires_grad"}, path);
    else if (spec.find('[') != std::string::npos)
      checkKeys(json, {"$tensor", "seed", "strides", "requires_grad"}, path);
    else
      checkKeys(json, {"$tensor", "name", "strides", "requires_grad"}, path);
    if (json.contains("values")) {
      std::vector<std::string> dims;
      out = ExampleValue::ofTensor(specTensor(spec, 0, path, dims));
      fill(out.tensor, json["values"], path);
    } else if (spec.find('[') != std::string::npos) {
      if (json.contains("seed") && !json["seed"].is_number_integer())
        throw Malformed(path + ": seed must be an int");
      uint64_t seed = json.contains("seed") ? json["seed"].get<uint64_t>() : 0;
      std::vector<std::string> dims;
      out = ExampleValue::ofTensor(specTensor(spec, seed, path, dims));
      out.dims = std::move(dims);
    } else {
      out = ExampleValue::ofTensor(
          pick(tensorsOf(spec), json.contains("name") ? text(json, "name", path) : "", spec, path));
    }
    if (json.contains("strides"))
      out.tensor = withStrides(out.tensor, json["strides"], path);
    if (json.contains("requires_grad") && !json["requires_grad"].is_boolean())
      throw Malformed(path + ": requires_grad must be true or false");
    out.requiresGrad = json.contains("requires_grad") && json["requires_grad"].get<bool>();
    DType dtype = out.tensor.dtype();
    if (out.requiresGrad && !isFloat(dtype) && !isComplex(dtype))
      throw Malformed(path + ": a tensor of " + getDTypeInfo(dtype).torchName.str() +
                      " cannot require gradients");
    return out;
  }

  static HostTensor withStrides(const HostTensor &tensor, const Json &json,
                                const std::string &path) {
    std::vector<int64_t> strides;
    if (json.is_array())
      for (const Json &stride : json)
        strides.push_back(stride.is_number_integer() ? stride.get<int64_t>() : -1);
    if (int64_t(strides.size()) != tensor.dim() ||
        std::any_of(strides.begin(), strides.end(), [](int64_t s) { return s < 0; }))
      throw Malformed(path + ": strides must be one number for each dimension, not negative");
    std::optional<size_t> bytes = storageBytes(tensor.dtype(), tensor.sizes(), strides);
    if (!bytes || *bytes / tensor.elementBytes() > size_t(kMaxElements))
      throw Malformed(path + ": strides make the tensor too large");
    HostTensor out = HostTensor::zerosStrided(tensor.dtype(), tensor.sizes(), strides);
    out.copyFrom(tensor);
    return out;
  }

  /// Of tensors and sizes in what is read, at any depth.
  static void findFacts(const Json &json, const std::string &path, SizeFacts &facts) {
    auto take = [&](llvm::Error error) {
      if (error)
        throw Malformed(path + ": " + llvm::toString(std::move(error)));
    };
    if (json.is_object() && json.contains("$tensor") && json["$tensor"].is_string())
      take(addFacts(json["$tensor"].get_ref<const std::string &>(), facts));
    if (json.is_object() && json.contains("$size") && json["$size"].is_string())
      take(parseSize(json["$size"].get_ref<const std::string &>(), facts).takeError());
    if (json.is_array())
      for (size_t i = 0; i < json.size(); ++i)
        findFacts(json[i], path + "[" + std::to_string(i) + "]", facts);
    if (json.is_object())
      for (const auto &[key, item] : json.items())
        findFacts(item, path.empty() ? key : below(path, key), facts);
  }

  /// `"sizes": ["B in 1..64"]`, `"where": {"B": 8}` of a call.
  void readFacts(const Json &json, SizeFacts &facts) {
    if (json.contains("sizes")) {
      if (!json["sizes"].is_array())
        throw Malformed("sizes must be a list of texts like \"B in 1..64\"");
      for (const Json &item : json["sizes"]) {
        if (!item.is_string())
          throw Malformed("sizes must be a list of texts like \"B in 1..64\"");
        if (llvm::Error error = parseFact(item.get_ref<const std::string &>(), facts))
          throw Malformed("sizes: " + llvm::toString(std::move(error)));
      }
    }
    if (!json.contains("where"))
      return;
    if (!json["where"].is_object())
      throw Malformed("where must be an object of names and sizes");
    for (const auto &[name, item] : json["where"].items()) {
      if (!item.is_number_integer() || !llvm::is_contained(facts.names, name))
        throw Malformed("where: " + name + " must be a name of a size, and have a number");
      facts.values[name] = item.get<int64_t>();
    }
  }

  HostTensor specTensor(const std::string &spec, uint64_t seed, const std::string &path,
                        std::vector<std::string> &dims) {
    auto made = tensorFromSpec(spec, seed, values, dims);
    if (!made)
      throw Malformed(path + ": " + llvm::toString(made.takeError()));
    return std::move(*made);
  }

  static void flatten(const Json &json, std::vector<Json> &out) {
    if (!json.is_array())
      return out.push_back(json);
    for (const Json &item : json)
      flatten(item, out);
  }

  /// A number of a tensor's values: an int if it is written as one.
  ExampleValue numberOf(const Json &json, const std::string &path) {
    bool isNumber = json.is_number() || json.is_boolean() ||
                    (json.is_object() && (json.contains("$float") || json.contains("$int")));
    if (!isNumber)
      throw Malformed(path + ": values must be numbers");
    return value(json, path);
  }

  /// `number` as an element, rounded if T has a fraction, else exactly.
  template <typename T> static std::optional<T> elementOf(const ExampleValue &number) {
    using K = ExampleValue::Kind;
    constexpr bool isInteger = std::is_integral_v<T>;
    if constexpr (isInteger)
      if (number.kind == K::Int || number.kind == K::Bool) {
        int64_t v = number.kind == K::Int ? number.integer : int64_t(number.flag);
        T element = convertElement<T>(v);
        return int64_t(element) == v ? std::optional(element) : std::nullopt;
      }
    double v = number.kind == K::Float  ? number.real
               : number.kind == K::Bool ? double(number.flag)
               : number.kind == K::Int  ? double(number.integer)
                                        : std::strtod(number.text.c_str(), nullptr);
    if constexpr (isInteger) {
      // 2^63 is the first double that no int64_t is.
      if (!(v >= -0x1p63 && v < 0x1p63) || std::floor(v) != v)
        return std::nullopt;
      return elementOf<T>(ExampleValue::ofInt(int64_t(v)));
    } else {
      T element = number.kind == K::Int ? convertElement<T>(number.integer) // rounded once
                                        : convertElement<T>(v);
      bool isInfinite = number.kind == K::Float && !std::isfinite(v);
      bool fits = isInfinite || std::isfinite(convertElement<double>(element));
      return fits ? std::optional(element) : std::nullopt;
    }
  }

  void fill(HostTensor &tensor, const Json &values, const std::string &path) {
    std::vector<Json> flat;
    flatten(values, flat);
    if (int64_t(flat.size()) != tensor.numel())
      throw Malformed(path + ": " + std::to_string(flat.size()) + " values for " +
                      std::to_string(tensor.numel()) + " elements");
    visitDType(tensor.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      for (size_t i = 0; i < flat.size(); ++i) {
        std::optional<T> element = elementOf<T>(numberOf(flat[i], path));
        if (!element)
          throw Malformed(path + ": the value " + flat[i].dump() + " is no " +
                          getDTypeInfo(tensor.dtype()).torchName.str());
        tensor.data<T>()[i] = *element;
      }
    });
  }

  const std::vector<NamedTensor> &tensorsOf(const std::string &file) {
    std::string at = (folder / file).string();
    filesRead.insert(at);
    auto found = files.find(at);
    if (found == files.end())
      found = files.emplace(at, unwrap(readTensorFile(at))).first;
    return found->second;
  }

  /// Of the tensors of `file` the one of that name; the only one has to be asked for by none.
  static HostTensor pick(llvm::ArrayRef<NamedTensor> tensors, llvm::StringRef name,
                         const std::string &file, const std::string &path) {
    if (name.empty() && tensors.size() == 1)
      return tensors[0].tensor.clone();
    for (const NamedTensor &tensor : tensors)
      if (tensor.name == name)
        return tensor.tensor.clone(); // two mentions of one name are two tensors
    std::string text = path + ": " + file + " has no tensor named '" + name.str() + "'";
    if (llvm::StringRef(file).ends_with(".npy"))
      throw Malformed(text + ": that of an .npy file has no name");
    std::vector<llvm::StringRef> names;
    for (const NamedTensor &tensor : tensors.take_front(kNamesShown))
      names.push_back(tensor.name);
    std::string more = tensors.size() > names.size() ? ", …" : "";
    throw Malformed(text + ", but " + (names.empty() ? "none" : llvm::join(names, ", ") + more));
  }

  fs::path folder;
  std::map<std::string, ExampleValue> named; ///< tensors of the call so far, by place
  SizeValues values;                         ///< of names of sizes, in the call
  std::set<std::string> &filesRead;
  std::map<std::string, std::vector<NamedTensor>> files;
  bool allowsCalls = false; ///< arguments of the class are read
};

/// Runs `body`, turning what it throws into errors; `malformed` makes one of a text.
template <typename T, typename Body, typename Fail>
llvm::Expected<T> guarded(Body body, Fail malformed) {
  try {
    return body();
  } catch (Passed &passed) {
    return std::move(passed.error);
  } catch (const std::bad_alloc &) {
    return malformed(Malformed("there is not enough memory for its tensors"));
  } catch (const Malformed &problem) {
    return malformed(problem);
  }
}

/// `diag` with the hint of `problem`, if it has one.
llvm::Error hinted(Diagnostic diag, const Malformed &problem) {
  if (!problem.hint.empty())
    diag.hint(problem.hint);
  return makeError(std::move(diag));
}

/// What an option's text has wrong, and where in it.
std::string placed(const Malformed &problem) {
  std::string text = problem.what();
  return problem.column ? text + ", at character " + std::to_string(problem.column) : text;
}

} // namespace

llvm::Expected<std::vector<ExampleCall>>
tool::readCalls(const std::string &path, std::set<std::string> &filesRead, size_t variants) {
  std::ifstream file(path);
  if (!file)
    return makeError(DiagId::FileNotReadable, {}, path, std::strerror(errno));
  filesRead.insert(path);
  const bool isLines = fs::path(path).extension() == ".jsonl";
  uint32_t line = 0; // of a .jsonl file
  auto body = [&] {
    CallReader reader(fs::path(path).parent_path(), filesRead);
    std::vector<ExampleCall> calls;
    if (isLines) {
      for (std::string text; std::getline(file, text);) {
        ++line;
        if (text.find_first_not_of(" \t\r") != std::string::npos)
          llvm::append_range(calls, reader.calls(parseJson(text), variants));
      }
    } else {
      calls = reader.calls(parseFile(file), variants);
    }
    for (ExampleCall &call : calls)
      call.file = path;
    return calls;
  };
  return guarded<std::vector<ExampleCall>>(body, [&](const Malformed &problem) {
    SourceLoc loc{path, isLines ? line : problem.line, problem.column, 0, 0};
    return hinted(makeDiagnostic(DiagId::ExampleMalformed, loc, path, problem.what()), problem);
  });
}

llvm::Expected<ExampleCall> tool::parseExample(const std::string &text, const std::string &path) {
  std::set<std::string> noFiles;
  auto body = [&] {
    ExampleCall call = CallReader(fs::current_path(), noFiles).calls(parseJson(text), 0).front();
    call.file = path;
    return call;
  };
  return guarded<ExampleCall>(body, [&](const Malformed &problem) {
    return hinted(makeDiagnostic(DiagId::ExampleMalformed, {}, path, placed(problem)), problem);
  });
}

llvm::Expected<ExampleCall> tool::parseInit(const std::string &text,
                                            std::set<std::string> &filesRead) {
  auto body = [&] {
    CallReader reader(fs::current_path(), filesRead);
    ExampleCall call;
    auto [args, kwargs] = reader.init(parseJson(text));
    call.args = std::move(args);
    call.kwargs = std::move(kwargs);
    return call;
  };
  return guarded<ExampleCall>(body, [&](const Malformed &problem) {
    return hinted(makeDiagnostic(DiagId::InitMalformed, {}, text, placed(problem)), problem);
  });
}

/// What is wrong with `NAME=SPEC`.
static llvm::Error inputError(const std::string &spec, const Malformed &problem) {
  Diagnostic diag = makeDiagnostic(DiagId::InputSpecMalformed, {}, spec, placed(problem));
  auto [given, word] = llvm::StringRef(spec).split('=');
  bool isWord = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_-. ").contains(c);
  });
  if (isWord && problem.hint.empty())
    diag.hint(("a string is " + given + "='\"" + word +
               "\"' with its quotes, a tensor x=f32[2,3] or x=@x.npy, a number x=3, a size of "
               "another input n=B")
                  .str());
  return hinted(std::move(diag), problem);
}

namespace {
/// `NAME=SPEC`, and what SPEC is.
struct Input {
  enum class Kind : uint8_t { File, Tensor, Size, Json } kind = Kind::Json;
  std::string spec, name, text;
};
} // namespace

/// A word before a bracket is meant as an element type; JSON has none there.
static bool isTensorSpec(llvm::StringRef text) {
  llvm::StringRef word = text.split('[').first.trim();
  return text.contains('[') && !word.empty() &&
         llvm::all_of(word, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// A formula of sizes that tensors have; with a range or relation also of others.
static bool isSizeSpec(llvm::StringRef text, const SizeFacts &ofTensors) {
  SizeFacts said;
  auto formula = parseSize(text, said);
  if (!formula) {
    llvm::consumeError(formula.takeError());
    return false;
  }
  bool isKnown = llvm::all_of(said.names, [&](const std::string &name) {
    return llvm::is_contained(ofTensors.names, name);
  });
  return !said.names.empty() && (isKnown || !said.sizes.empty() || !said.relations.empty());
}

/// Takes the specs apart, and what they say of sizes.
static llvm::Expected<std::vector<Input>> readInputs(llvm::ArrayRef<std::string> specs,
                                                     SizeFacts &facts) {
  std::vector<Input> inputs;
  llvm::Error problems = llvm::Error::success();
  auto found = [&](const std::string &spec, llvm::Error error) {
    if (error)
      problems = llvm::joinErrors(std::move(problems),
                                  inputError(spec, Malformed(llvm::toString(std::move(error)))));
  };
  for (const std::string &spec : specs) {
    size_t equals = spec.find('=');
    if (equals == std::string::npos || equals == 0) {
      problems = llvm::joinErrors(std::move(problems),
                                  inputError(spec, Malformed("it must be NAME=SPEC")));
      continue;
    }
    Input &input = inputs.emplace_back(
        Input{Input::Kind::Json, spec, spec.substr(0, equals), spec.substr(equals + 1)});
    if (llvm::StringRef(input.text).starts_with("@"))
      input.kind = Input::Kind::File;
    else if (isTensorSpec(input.text))
      input.kind = Input::Kind::Tensor;
    if (input.kind == Input::Kind::Tensor)
      found(spec, addFacts(input.text, facts));
  }
  SizeFacts ofTensors = facts;
  for (Input &input : inputs)
    if (input.kind == Input::Kind::Json &&
        (namesDomain(input.text) || isSizeSpec(input.text, ofTensors))) {
      input.kind = Input::Kind::Size;
      found(input.spec, parseSize(input.text, facts).takeError());
    }
  if (problems)
    return std::move(problems);
  return inputs;
}

static llvm::Error addInput(ExampleCall &call, const Input &input, const SizeValues &values,
                            std::set<std::string> &filesRead) {
  auto body = [&]() -> ExampleValue {
    CallReader reader(fs::current_path(), filesRead, values);
    switch (input.kind) {
    case Input::Kind::File:
      return reader.fileInput(input.text.substr(1), input.name);
    case Input::Kind::Tensor:
      return reader.value(Json{{"$tensor", input.text}, {"seed", call.kwargs.size()}}, input.name);
    case Input::Kind::Size:
      return reader.size(input.text, input.name);
    case Input::Kind::Json:
      return reader.value(parseJson(input.text), input.name);
    }
    llvm_unreachable("closed enum");
  };
  auto value = guarded<ExampleValue>(
      body, [&](const Malformed &problem) { return inputError(input.spec, problem); });
  if (!value)
    return value.takeError();
  size_t root = input.name.find_first_of(".[");
  auto whole = llvm::find_if(call.kwargs, [&](const auto &argument) {
    return argument.first == llvm::StringRef(input.name).take_front(root);
  });
  if (root == std::string::npos || whole == call.kwargs.end()) {
    call.kwargs.emplace_back(input.name, std::move(*value));
    return llvm::Error::success();
  }
  std::string why = putPart(whole->second, llvm::StringRef(input.name).drop_front(root), *value);
  return why.empty() ? llvm::Error::success() : inputError(input.spec, Malformed(why));
}

llvm::Error tool::addInputs(std::vector<ExampleCall> &calls, llvm::ArrayRef<std::string> specs,
                            size_t variants, std::set<std::string> &filesRead) {
  SizeFacts facts;
  auto inputs = readInputs(specs, facts);
  if (!inputs)
    return inputs.takeError();
  auto chosen = chooseSizes(facts, variants);
  if (!chosen)
    return inputError(llvm::join(specs, "' --input '"),
                      Malformed(llvm::toString(chosen.takeError())));
  for (const SizeValues &values : *chosen) {
    ExampleCall call;
    llvm::Error problems = llvm::Error::success(); // all of them, not the first
    for (const Input &input : *inputs)
      problems = llvm::joinErrors(std::move(problems), addInput(call, input, values, filesRead));
    if (problems)
      return problems;
    call.sizes = facts.sizes;
    call.relations = facts.relations;
    calls.push_back(std::move(call));
  }
  return llvm::Error::success();
}
