//===- AddVariants.cpp - What an artefact was compiled from ----------------------------===//
//
// In: a request, or an artefact that keeps one. Out: JSON for the artefact; a request that has the
// old examples before the new ones, so that two rounds of compiling give what one would.
//
//===----------------------------------------------------------------------===//
#include "AddVariants.h"

#include "CallJson.h"

#include "ptc/Capture/PackageFiles.h"
#include "ptc/Driver/ArtefactIr.h"
#include "ptc/TensorFile/FilePages.h"

#include <nlohmann/json.hpp>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <set>

using namespace ptc;
using namespace ptc::tool;
using Json = nlohmann::ordered_json;

static std::string hex(uint64_t number) { return llvm::utohexstr(number, /*LowerCase=*/true, 16); }

/// Of what is behind the first `header` bytes of a file.
static llvm::Expected<std::string> fileHash(const std::string &path, size_t header) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(DiagId::FileNotReadable, {}, path, buffer.getError().message());
  return hex(llvm::xxh3_64bits((*buffer)->getBuffer().drop_front(header)));
}

/// The first bytes of a .pyc say when it was made, and of what.
static constexpr size_t kPycHeader = 16;

/// Of the code.
static llvm::Expected<std::string> programHash(const PipelineOptions &options) {
  return fileHash(options.input, options.request.pythonVersion.empty() ? kPycHeader : 0);
}

/// Hashes of the modules and checkpoints that were read beside the program, by their paths, which
/// start at the program's folder where they are in it.
static llvm::Expected<Json> fileHashes(const PipelineOptions &options,
                                       llvm::ArrayRef<std::string> files) {
  std::map<std::string, std::string> hashes;
  llvm::StringRef folder = llvm::sys::path::parent_path(options.input);
  std::set<std::string> held; // members of one archive are one file
  for (const std::string &file : files)
    held.insert(capture::fileHolding(file));
  for (const std::string &file : held) {
    if (file == options.input)
      continue;
    llvm::Expected<std::string> hash =
        fileHash(file, llvm::StringRef(file).ends_with(".pyc") ? kPycHeader : 0);
    if (!hash)
      return hash.takeError();
    llvm::StringRef name = file;
    if (!folder.empty() && name.consume_front(folder))
      name.consume_front("/");
    hashes[name.str()] = std::move(*hash);
  }
  return Json(hashes);
}

/// Null without weights; else of all names, types, sizes and elements.
static Json weightsHash(llvm::ArrayRef<NamedTensor> weights) {
  if (weights.empty())
    return nullptr;
  std::vector<std::string> rows;
  for (const NamedTensor &weight : weights) {
    std::string summary;
    HostTensor whole = weight.tensor.contiguous();
    llvm::ArrayRef<std::byte> bytes = whole.contiguousBytes();
    llvm::ArrayRef raw(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    summary += weight.name + '\0' + getDTypeInfo(weight.tensor.dtype()).alias.str();
    for (int64_t size : weight.tensor.sizes())
      summary += ',' + std::to_string(size);
    rows.push_back(summary + ' ' + hex(llvm::xxh3_64bits(raw)));
    forgetFilePages(weight.tensor);
  }
  llvm::sort(rows); // formats have orders of their own
  return hex(llvm::xxh3_64bits(llvm::join(rows, "\n")));
}

static constexpr std::pair<capture::DynamicMode, const char *> kDynamicModes[] = {
    {capture::DynamicMode::None, "none"},
    {capture::DynamicMode::Auto, "auto"},
    {capture::DynamicMode::All, "all"}};

static const char *dynamicName(capture::DynamicMode mode) {
  return llvm::find_if(kDynamicModes, [&](auto &row) { return row.first == mode; })->second;
}

static Json exampleJson(ExampleCall call) {
  call.init.reset(); // it is the request's
  return Json::parse(writeExample(call));
}

llvm::Expected<std::string> tool::requestText(const PipelineOptions &options, llvm::StringRef entry,
                                              llvm::ArrayRef<std::string> files) {
  const capture::CaptureRequest &request = options.request;
  llvm::Expected<std::string> hash = programHash(options);
  if (!hash)
    return hash.takeError();
  llvm::Expected<Json> read = fileHashes(options, files);
  if (!read)
    return read.takeError();
  Json out{{"program", *hash},
           {"entry", entry.str()},
           {"init", exampleJson(request.init)},
           {"dtype", request.dtype ? Json(getDTypeInfo(*request.dtype).alias.str()) : Json()},
           {"dynamic", dynamicName(request.dynamic)},
           {"explore", options.explore},
           {"allow_narrowing", request.allowNarrowing},
           {"general", request.general},
           {"weights", weightsHash(request.weights)},
           {"files", std::move(*read)},
           {"include", request.includeDirs},
           {"absent", request.absent},
           {"opaque", request.opaque},
           {"env", request.environment},
           {"training", request.training ? Json(*request.training) : Json()},
           {"examples", Json::array()}};
  for (const ExampleCall &call : request.examples)
    out["examples"].push_back(exampleJson(call));
  if (request.examples.empty()) // an entry without arguments
    out["examples"].push_back(exampleJson({}));
  return out.dump() + "\n";
}

//===----------------------------------------------------------------------===//
// Adding
//===----------------------------------------------------------------------===//

static llvm::Error otherThan(const std::string &path, const llvm::Twine &what) {
  return makeError(DiagId::UsageError, {},
                   ("--add-variants '" + path + "': it was compiled from " + what).str());
}

/// `module:NAME` is NAME of the program's module.
static llvm::StringRef plainEntry(llvm::StringRef entry) {
  return entry.contains(':') ? entry.split(':').second : entry;
}

static llvm::Error checkProgram(const std::string &path, const Json &old,
                                const PipelineOptions &options) {
  const capture::CaptureRequest &request = options.request;
  llvm::Expected<std::string> hash = programHash(options);
  if (!hash)
    return hash.takeError();
  if (old.at("program") != *hash)
    return otherThan(path, "another program than '" + options.input + "'");
  const auto &entry = old.at("entry").get_ref<const std::string &>();
  if (!request.entry.empty() && plainEntry(request.entry) != entry)
    return otherThan(path, "the entry '" + entry + "', not '" + request.entry + "'");
  bool givesInit = !request.init.args.empty() || !request.init.kwargs.empty();
  if (givesInit && exampleJson(request.init) != old.at("init"))
    return otherThan(path, "other arguments of the class: " + old.at("init").dump());
  if (weightsHash(request.weights) != old.at("weights"))
    return otherThan(path, old.at("weights").is_null() ? "the program without --weights"
                           : request.weights.empty()   ? "weights: give them with --weights"
                                                       : "other weights");
  return llvm::Error::success();
}

/// What is said of the world of the program is as it was, or not said at all.
static llvm::Error takeOverWorld(const std::string &path, const Json &old,
                                 capture::CaptureRequest &request) {
  auto take = [&](const char *key, auto &given, llvm::StringRef options) -> llvm::Error {
    auto was = old.value(key, Json::array()).template get<std::decay_t<decltype(given)>>();
    if (!given.empty() && given != was)
      return otherThan(path, "other " + options + ": " + old.value(key, Json::array()).dump());
    given = std::move(was);
    return llvm::Error::success();
  };
  if (llvm::Error error = take("include", request.includeDirs, "-I"))
    return error;
  if (llvm::Error error = take("absent", request.absent, "--absent"))
    return error;
  if (llvm::Error error = take("opaque", request.opaque, "--opaque"))
    return error;
  if (llvm::Error error = take("env", request.environment, "--env"))
    return error;
  std::optional<bool> was;
  if (Json training = old.value("training", Json()); !training.is_null())
    was = training.get<bool>();
  if (request.training && request.training != was)
    return otherThan(path, !was   ? "the mode that the program sets, without --train or --eval"
                           : *was ? "--train"
                                  : "--eval");
  request.training = was;
  return llvm::Error::success();
}

static llvm::Expected<std::vector<ExampleCall>> readExamples(const std::string &path,
                                                             const Json &old) {
  std::vector<ExampleCall> examples;
  for (const Json &text : old.at("examples")) {
    auto call = parseExample(text.dump(), path);
    if (!call)
      return call.takeError();
    examples.push_back(std::move(*call));
  }
  return examples;
}

static llvm::Error takeOver(const std::string &path, const Json &old, GivenOptions given,
                            PipelineOptions &options) {
  capture::CaptureRequest &request = options.request;
  if (llvm::Error error = takeOverWorld(path, old, request))
    return error;
  auto examples = readExamples(path, old);
  if (!examples)
    return examples.takeError();
  std::set<std::string> noFiles;
  auto init = parseInit(old.at("init").dump(), noFiles);
  if (!init)
    return init.takeError();
  request.init = std::move(*init);
  request.entry = old.at("entry");
  if (!given.dynamic)
    for (auto [mode, name] : kDynamicModes)
      if (old.at("dynamic") == name)
        request.dynamic = mode;
  options.explore |= old.at("explore").get<bool>();
  request.allowNarrowing |= old.at("allow_narrowing").get<bool>();
  request.general |= old.value("general", false);
  request.examples.insert(request.examples.begin(), examples->begin(), examples->end());
  return llvm::Error::success();
}

/// Reads what an artefact keeps and hands it to `use`.
template <typename Result, typename Use>
static Result withRequest(const std::string &path, Use use) {
  llvm::Expected<std::string> text = readArtefactRequest(path);
  if (!text)
    return text.takeError();
  try {
    return use(Json::parse(*text));
  } catch (const Json::exception &problem) {
    return makeError(DiagId::IrMalformed, {}, path, problem.what());
  }
}

llvm::Error tool::addVariantsOf(const std::string &path, GivenOptions given,
                                PipelineOptions &options) {
  return withRequest<llvm::Error>(path, [&](const Json &old) -> llvm::Error {
    if (llvm::Error error = checkProgram(path, old, options))
      return error;
    return takeOver(path, old, given, options);
  });
}

llvm::Error tool::checkFilesOf(const std::string &path, const PipelineOptions &options,
                               llvm::ArrayRef<std::string> files) {
  return withRequest<llvm::Error>(path, [&](const Json &old) -> llvm::Error {
    llvm::Expected<Json> read = fileHashes(options, files);
    if (!read)
      return read.takeError();
    const Json before = old.value("files", Json::object());
    for (const auto &[file, hash] : read->items())
      if (before.contains(file) && before[file] != hash)
        return otherThan(path, "another content of '" + file + "'");
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<ExampleCall>> tool::examplesFor(const std::string &input,
                                                           const PipelineOptions &options) {
  using Calls = llvm::Expected<std::vector<ExampleCall>>;
  if (!options.request.examples.empty() || !isArtefact(input))
    return options.request.examples;
  return withRequest<Calls>(input, [&](const Json &old) { return readExamples(input, old); });
}

llvm::Expected<std::optional<DType>> tool::elementsFor(const std::string &name,
                                                       const std::string &path) {
  using Elements = llvm::Expected<std::optional<DType>>;
  std::optional<DType> given = parseDType(name);
  llvm::Expected<std::string> text = path.empty() ? "" : readArtefactRequest(path);
  if (!text) // who needs what it was compiled from says so
    llvm::consumeError(text.takeError());
  if (!text || text->empty())
    return given;
  return withRequest<Elements>(path, [&](const Json &old) -> Elements {
    const Json &has = old.at("dtype");
    std::optional<DType> elements =
        has.is_null() ? std::nullopt : parseDType(has.get<std::string>());
    if (given && given != elements)
      return makeError(DiagId::UsageError, {},
                       "--dtype " + name + ": '" + path + "' was compiled " +
                           (elements ? "with --dtype " + has.get<std::string>() : "without it"));
    return elements;
  });
}
