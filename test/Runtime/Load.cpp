// Libraries that are opened by their paths: replaced, written over, cut short, no libraries at all.
// Built with AddressSanitizer.
#include "HandMade.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <chrono>
#include <clocale>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <libintl.h>
#include <sys/stat.h>

extern "C" {
#include "../../lib/Runtime/Stub.h"
}

namespace fs = std::filesystem;

namespace {

std::string library() {
  std::ifstream file(PTC_HANDMADE_LIBRARY, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The library with another description of itself.
std::string named(const std::string &name) {
  std::string bytes = library(), is = "\"scale\"}\n";
  size_t at = bytes.find(is);
  REQUIRE(at != std::string::npos);
  REQUIRE(name.size() == 5);
  return bytes.replace(at + 1, 5, name);
}

void write(const fs::path &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct Folder {
  fs::path path;
  Folder() {
    std::string name = fs::temp_directory_path() / "ptc-load-XXXXXX";
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  Folder(const Folder &) = delete;
  ~Folder() { fs::remove_all(path); }
};

/// What the library says of itself, or why it was not opened.
std::string load(const fs::path &path) {
  ptc_model *model = nullptr;
  ptc_status status = ptc_model_load(path.c_str(), nullptr, &model);
  std::string text = status == ptc_status_ok ? ptc_describe(model) : ptc_load_error();
  CHECK((status == ptc_status_ok || status == ptc_status_file));
  CHECK((status == ptc_status_ok) == (*ptc_load_error() == 0));
  ptc_model_close(model);
  return text;
}

/// What the system says is in another language while it lives: glibc reads the name of a locale
/// from a file that localedef(1) writes so, and what it says there from one of msgfmt(1).
class Translated {
public:
  explicit Translated(const std::string &text, const std::string &translation) {
    std::string strings("^y\0^n\0\0\0UTF-8\0", 14);
    uint32_t header[] = {0x20031110, 5, 28, 31, 34, 35, 36};
    fs::path messages = folder.path / "test" / "LC_MESSAGES";
    fs::create_directories(messages);
    write(messages / "SYS_LC_MESSAGES", bytesOf(header) + strings);
    uint32_t behind = 44 + uint32_t(text.size()) + 1;
    uint32_t table[] = {
        0x950412de, 0, 1, 28, 36, 0, 44, uint32_t(text.size()), 44, uint32_t(translation.size()),
        behind};
    write(messages / "libc.mo", bytesOf(table) + text + '\0' + translation + '\0');
    setenv("LOCPATH", folder.path.c_str(), 1);
    bindtextdomain("libc", folder.path.c_str());
    REQUIRE(std::setlocale(LC_MESSAGES, "test"));
    REQUIRE(dgettext("libc", text.c_str()) == translation);
  }
  Translated(const Translated &) = delete;
  ~Translated() {
    std::setlocale(LC_MESSAGES, "C");
    unsetenv("LOCPATH");
  }

private:
  template <typename T> static std::string bytesOf(const T &words) {
    return {reinterpret_cast<const char *>(words), sizeof words};
  }
  Folder folder;
};

std::string manifest(const char *name) { return std::string("{\"entry\": \"") + name + "\"}\n"; }

} // namespace

TEST_CASE("a library in the place of another one is a library of its own") {
  Folder folder;
  fs::path path = folder.path / "lib.so";
  write(path, named("first"));
  CHECK(load(path) == manifest("first"));
  CHECK(load(path) == manifest("first"));
  for (const char *name : {"twice", "third"}) {
    write(folder.path / "new.so", named(name));
    fs::rename(folder.path / "new.so", path);
    CHECK(load(path) == manifest(name));
  }
  // By other names it is the same one; by the same name elsewhere another.
  fs::create_hard_link(path, folder.path / "link.so");
  fs::create_symlink(path, folder.path / "symlink.so");
  CHECK(load(folder.path / "link.so") == manifest("third"));
  CHECK(load(folder.path / "symlink.so") == manifest("third"));
  fs::path before = fs::current_path();
  for (const char *name : {"here1", "here2"}) {
    fs::create_directory(folder.path / name);
    write(folder.path / name / "lib.so", named(name));
    fs::current_path(folder.path / name);
    CHECK(load("lib.so") == manifest(name));
    CHECK(load("./lib.so") == manifest(name));
  }
  fs::current_path(before);
}

TEST_CASE("an old model goes on while its library is replaced") {
  Folder folder;
  fs::path path = folder.path / "lib.so";
  write(path, named("elder"));
  ptc_model *model = nullptr;
  REQUIRE(ptc_model_load(path.c_str(), nullptr, &model) == ptc_status_ok);
  write(folder.path / "new.so", named("young"));
  fs::rename(folder.path / "new.so", path);
  CHECK(load(path) == manifest("young"));
  CHECK(ptc_describe(model) == manifest("elder"));
  ptc_model_close(model);
}

TEST_CASE("a library that was written over is refused") {
  Folder folder;
  fs::path path = folder.path / "lib.so";
  write(path, named("first"));
  CHECK(load(path) == manifest("first"));
  // Not cut first, as cp does: the process would lose pages that it needs when it exits.
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << named("other");
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(2));
  CHECK(load(path).find(path.string() + ": it was written over after it was loaded") == 0);
  // What could not be loaded may be mended in its place.
  fs::path broken = folder.path / "broken.so";
  write(broken, named("third").substr(0, 5000));
  CHECK(load(broken).find("cut short") != std::string::npos);
  write(broken, named("third"));
  CHECK(load(broken) == manifest("third"));
}

TEST_CASE("a library that was cut short is refused, wherever that was") {
  Folder folder;
  std::string whole = named("whole");
  std::vector<size_t> sizes = {0, 1, 4, 16, 63, 64, 65, 200, whole.size() - 1, whole.size() - 64};
  for (size_t size = 1000; size < whole.size(); size += whole.size() / 40)
    sizes.push_back(size);
  for (size_t size : sizes) {
    fs::path path = folder.path / ("cut" + std::to_string(size) + ".so");
    write(path, whole.substr(0, size));
    INFO(size << " of " << whole.size() << " bytes");
    CHECK(load(path).find(": it is ") != std::string::npos);
  }
  write(folder.path / "all.so", whole);
  CHECK(load(folder.path / "all.so") == manifest("whole"));
}

TEST_CASE("tables of files that name what is not there are refused") {
  struct {
    size_t offset, bytes;
    uint64_t value;
  } rows[] = {{0, 1, 0},      {4, 1, 1},           {5, 1, 2},          {16, 2, 2},
              {16, 2, 1},     {18, 2, 183},        {32, 8, ~0ULL},     {32, 8, 1ULL << 40},
              {40, 8, ~0ULL}, {40, 8, 1ULL << 40}, {54, 2, 55},        {56, 2, 65535},
              {60, 2, 65535}, {64 + 8, 8, ~0ULL},  {64 + 32, 8, ~0ULL}};
  Folder folder;
  for (auto &row : rows) {
    std::string bytes = named("whole");
    std::memcpy(bytes.data() + row.offset, &row.value, row.bytes);
    fs::path path = folder.path / "bad.so";
    fs::remove(path);
    write(path, bytes);
    INFO("at " << row.offset << ": " << row.value);
    CHECK(load(path).find(": it is ") != std::string::npos);
  }
}

TEST_CASE("what is no library of ptc is refused, with the reason") {
  Folder folder;
  fs::path pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(load(pipe) == pipe.string() + ": it is no file of bytes");
  CHECK(load(folder.path) == folder.path.string() + ": it is no file of bytes");
  CHECK(load(folder.path / "none.so") ==
        (folder.path / "none.so").string() + ": No such file or directory");
  fs::path text = folder.path / "text.so";
  write(text, std::string(1000, 'x'));
  CHECK(load(text) == text.string() + ": it is no library for x86-64, or a part of one");
  fs::path libc = "/lib/x86_64-linux-gnu/libc.so.6";
  if (fs::exists(libc))
    CHECK(load(libc) == libc.string() + ": it is no artefact of ptc");
  // Which goes to where the caller wants it, too.
  char why[200] = "x";
  ptc_options options = {};
  options.size = sizeof options;
  options.text = why;
  options.text_bytes = sizeof why;
  ptc_model *model = nullptr;
  CHECK(ptc_model_load(text.c_str(), &options, &model) == ptc_status_file);
  CHECK(std::string(why) == ptc_load_error());
  options.text_bytes = 5;
  CHECK(ptc_model_load(text.c_str(), &options, &model) == ptc_status_file);
  CHECK(std::string(why) == text.string().substr(0, 4));
}

TEST_CASE("a file that has the number of one that is gone is none that was written over") {
  Folder folder;
  // A library that is not opened is not kept, and the next file gets its number.
  for (int i = 0; i < 20; ++i) {
    fs::path path = folder.path / "lib.so";
    write(path, named("whole"));
    char text[8] = "";
    ptc_options options = {};
    options.size = sizeof options;
    options.weights = text;
    ptc_model *model = nullptr;
    CHECK(ptc_model_load(path.c_str(), &options, &model) == ptc_status_invalid_argument);
    fs::remove(path);
  }
}

TEST_CASE("what the system says is English in every locale") {
  Folder folder;
  std::string missing = "No such file or directory";
  Translated there(missing, "Datei oder Verzeichnis nicht gefunden");
  fs::path path = folder.path / "lib.so";
  CHECK(load(path) == path.string() + ": " + missing);
  CHECK(ptc_system_text(ENOENT) == missing);
  CHECK(ptc_system_text(12345) == std::string("Unknown error 12345"));
}

TEST_CASE("what the linker says is English in every locale") {
  Folder folder;
  std::string missing = "cannot open shared object file", needed = library();
  size_t at = needed.find("libc.so.6");
  REQUIRE(at != std::string::npos);
  write(folder.path / "lib.so", needed.replace(at, 9, "libc.so.0"));
  Translated there(missing, "kann nicht ge\xc3\xb6"
                            "ffnet werden");
  CHECK(load(folder.path / "lib.so").find(missing) != std::string::npos);
}
