// AtomicFile: whole files, untouched when identical, typed errors.
#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/Error.h"

#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace ptc;
namespace fs = std::filesystem;

static std::string contents(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("files are replaced whole and left alone when identical") {
  fs::path dir = fs::temp_directory_path() / ("ptc-atomic-" + std::to_string(::getpid()));
  fs::create_directories(dir);
  std::string path = dir / "out.txt";
  REQUIRE_FALSE(bool(writeFileAtomically(path, "one")));
  CHECK(contents(path) == "one");

  auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(path, old);
  REQUIRE_FALSE(bool(writeFileAtomically(path, "one")));
  CHECK(fs::last_write_time(path) == old);
  REQUIRE_FALSE(bool(writeFileAtomically(path, "two")));
  CHECK(fs::last_write_time(path) != old);
  CHECK(contents(path) == "two");
  CHECK(std::distance(fs::directory_iterator(dir), {}) == 1);
  fs::remove_all(dir);
}

TEST_CASE("a folder that is not there is OutputNotWritten") {
  auto diags = takeDiagnostics(writeFileAtomically("/no/such/folder/x", "one"));
  REQUIRE(diags.size() == 1);
  CHECK(diags[0].id == DiagId::OutputNotWritten);
}

namespace {
struct Folder {
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  size_t count() const { return size_t(std::distance(fs::directory_iterator(path), {})); }
  fs::path path = fs::temp_directory_path() / ("ptc-outputs-" + std::to_string(::getpid()));
};
} // namespace

TEST_CASE("several files appear together") {
  Folder folder;
  std::string one = folder.path / "one", two = folder.path / "two";
  {
    OutputFiles dropped;
    REQUIRE_FALSE(bool(dropped.add(one, "1")));
  }
  CHECK(folder.count() == 0);
  OutputFiles files;
  llvm::Expected<llvm::raw_ostream *> os = files.begin(one, /*isExecutable=*/true);
  REQUIRE(bool(os));
  **os << "o";
  REQUIRE_FALSE(bool(files.add(two, "2")));
  CHECK(llvm::toString(files.add(one, "again")).find("same name") != std::string::npos);
  **os << "ne";
  CHECK_FALSE(fs::exists(one));
  REQUIRE_FALSE(bool(files.commit()));
  CHECK(contents(one) == "one");
  CHECK(contents(two) == "2");
  CHECK((fs::status(one).permissions() & fs::perms::owner_exec) != fs::perms::none);
  CHECK(folder.count() == 2);
}

TEST_CASE("without one of them none appears") {
  Folder folder;
  std::string one = folder.path / "one";
  OutputFiles files;
  REQUIRE_FALSE(bool(files.add(one, "1")));
  REQUIRE_FALSE(bool(files.add("/dev/full", "2")));
  CHECK(llvm::toString(files.commit()).find("/dev/full") != std::string::npos);
  CHECK(folder.count() == 0);
  llvm::Expected<llvm::raw_ostream *> os = files.begin(folder.path.string());
  CHECK(llvm::toString(os.takeError()).find("not a file") != std::string::npos);
}

TEST_CASE("places are known beforehand") {
  Folder folder;
  auto said = [](const fs::path &path) { return llvm::toString(checkOutputPlace(path.string())); };
  CHECK(said(folder.path / "new").empty());
  CHECK(said("/dev/null").empty());
  CHECK(said("-").empty());
  CHECK(said(folder.path).find("folder") != std::string::npos);
  CHECK_FALSE(said(folder.path / "no" / "new").empty());
  std::ofstream(folder.path / "file") << "text";
  CHECK(said(folder.path / "file").empty());
  CHECK_FALSE(said(folder.path / "file" / "new").empty());
}
