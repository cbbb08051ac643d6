// Real code: the checked-in fixtures of all versions, and the standard library of this machine's
// CPython, are decoded, verified, disassembled and assembled again.
#include "Fixtures.h"

#include "llvm/Support/Program.h"

using namespace ptc;
using namespace ptc::test;

namespace {

void roundTrip(const std::string &path) {
  std::string bytes = readBytes(path), text;
  CAPTURE(path);
  llvm::raw_string_ostream os(text);
  REQUIRE(!printRaw(os, bytes, path));
  if (require(assemble(text, path)) != bytes)
    FAIL("dis and asm change " << path);
}

/// No loop can be entered but at its head, so that the executor finds all of them.
void checkReducible(const CodeObject &object) {
  const CanonicalCode &code = *require(getCanonical(object));
  for (uint32_t n = 0; n < code.size(); ++n)
    for (uint32_t s : code.flow.successors(n))
      if (code.flow.order(s) <= code.flow.order(n) && !code.flow.dominates(s, n))
        FAIL("a loop of " << object.qualName.str() << " has two entries: " << n << " to " << s);
}

} // namespace

TEST_CASE("fixtures decode and survive dis and asm") {
  std::vector<std::string> paths = listPycs(PTC_FIXTURES);
  CHECK(paths.size() >= 26);
  for (const std::string &path : paths) {
    CAPTURE(path);
    auto file = require(readPycFile(path));
    std::string text;
    llvm::raw_string_ostream os(text);
    REQUIRE(!printCanonical(os, file->top()));
    CHECK(text.size() > 100);
    roundTrip(path);
  }
}

TEST_CASE("the standard library decodes and survives dis and asm") {
  llvm::SmallString<128> dir;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("ptc-stdlib", dir));
  std::string script = R"(
import importlib.util, marshal, os, sys, warnings
warnings.simplefilter("ignore")
out, root = sys.argv[1], os.path.dirname(os.__file__)
for folder, folders, files in os.walk(root):
    folders[:] = sorted(f for f in folders if f not in ("test", "tests", "site-packages", "idlelib",
                                                        "lib2to3", "dist-packages"))
    for name in sorted(files):
        path = os.path.join(folder, name)
        if not name.endswith(".py"):
            continue
        try:
            code = compile(open(path, "rb").read(), path, "exec", dont_inherit=True)
        except SyntaxError:
            continue
        stem = os.path.relpath(path, root).replace(os.sep, "+")
        with open(os.path.join(out, stem + "c"), "wb") as f:
            f.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
)";
  std::string error;
  int status = llvm::sys::ExecuteAndWait(PTC_PYTHON_EXE, {PTC_PYTHON_EXE, "-c", script, dir}, {},
                                         {}, 0, 0, &error);
  REQUIRE(status == 0);
  size_t codes = 0;
  for (const std::string &path : listPycs(dir.str().str())) {
    auto file = require(readPycFile(path));
    CAPTURE(path);
    for (const CodeObject *code : file->codeObjects())
      checkReducible(*code);
    codes += file->codeObjects().size();
    roundTrip(path);
  }
  INFO(codes << " code objects");
  CHECK(codes > 10000);
  llvm::sys::fs::remove_directories(dir);
}
