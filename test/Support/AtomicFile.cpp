// AtomicFile: whole files, untouched when identical, typed errors.
#include "ptc/Support/AtomicFile.h"
#include "ptc/Support/Error.h"

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
