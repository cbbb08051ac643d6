//===- KnownNames.cpp - The table of names that exist ------------------------------------===//
//
// What CPython and PyTorch answer: rows of {question, answer}.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Capture/KnownNames.h"

#include <catch2/catch.hpp>

using namespace ptc::capture;

TEST_CASE("names that exist are of a kind and have a type") {
  struct Row {
    const char *path;
    unsigned minor;
    KnownKind kind;
    bool isCallable;
    const char *type;
    const char *definedAs;
  };
  static const Row kRows[] = {
      {"re", 11, KnownKind::Module, false, "module", "re"},
      {"os.path", 12, KnownKind::Module, false, "module", "posixpath"},
      {"os.path.abspath", 15, KnownKind::Function, true, "function", ""},
      {"sys.implementation", 11, KnownKind::Value, false, "types.SimpleNamespace", ""},
      {"re.Pattern", 13, KnownKind::Class, true, "type", "re.Pattern"},
      {"re.Pattern.match", 13, KnownKind::Function, true, "method_descriptor", ""},
      {"re.Pattern.mro", 13, KnownKind::Function, true, "method_descriptor", ""},
      {"collections.abc.Mapping.get", 11, KnownKind::Function, true, "function", ""},
      {"torch._foreach_add_", 11, KnownKind::Function, true, "builtin_function_or_method", ""},
      {"torch.nn.attention.sdpa_kernel", 14, KnownKind::Function, true, "function", ""},
      {"torch.nn.functional.torch.nn", 11, KnownKind::Module, false, "module", "torch.nn"},
      {"torch.nn.functional.Tensor", 11, KnownKind::Class, true, "torch._C._TensorMeta",
       "torch.Tensor"},
      {"torch.float8_e4m3fn", 11, KnownKind::Value, false, "torch.dtype", ""},
      {"torch.Tensor.add", 11, KnownKind::Function, true, "method_descriptor", ""},
      {"torch.Tensor.grad_fn", 11, KnownKind::Value, false, "getset_descriptor", ""},
      {"torch.nn.Conv2d.forward", 11, KnownKind::Function, true, "function", ""},
      {"torch.nn.Conv2d.half", 11, KnownKind::Function, true, "function", ""},
      // A function and a module of one name.
      {"torch.nn.parallel.replicate", 11, KnownKind::Function, true, "function", ""},
      {"torch.nn.parallel.replicate.Sequence", 11, KnownKind::Class, true, "abc.ABCMeta",
       "collections.abc.Sequence"},
      // What only Linux has follows 3.11.
      {"os.fork", 14, KnownKind::Function, true, "builtin_function_or_method", ""},
      {"ssl.SSLContext", 12, KnownKind::Class, true, "type", "ssl.SSLContext"},
  };
  for (const Row &row : kRows) {
    INFO(row.path);
    std::optional<KnownName> found = findKnownName(row.path, row.minor);
    REQUIRE(found);
    CHECK(found->kind == row.kind);
    CHECK(found->isCallable == row.isCallable);
    CHECK(found->type == row.type);
    CHECK(found->definedAs == row.definedAs);
    CHECK_FALSE(isKnownAbsent(row.path, row.minor));
  }
}

TEST_CASE("versions differ in what they have") {
  struct Row {
    const char *path;
    unsigned first, last;
  };
  static const Row kRows[] = {
      {"asyncore", 11, 11},           {"imp.reload", 11, 11},
      {"asyncio.TaskGroup", 11, 15},  {"itertools.batched", 12, 15},
      {"typing.override", 12, 15},    {"ast.Num", 11, 13},
      {"annotationlib", 14, 15},      {"ssl.wrap_socket", 11, 11},
      {"locale.resetlocale", 11, 12}, {"warnings.deprecated", 13, 15},
  };
  for (const Row &row : kRows)
    for (unsigned minor = 11; minor <= 15; ++minor) {
      INFO(row.path << " in 3." << minor);
      CHECK(findKnownName(row.path, minor).has_value() ==
            (minor >= row.first && minor <= row.last));
    }
  CHECK_FALSE(findKnownName("re", 10));
  CHECK_FALSE(findKnownName("re", 16));
}

TEST_CASE("what is absent, and what nothing is known about") {
  CHECK(isKnownAbsent("torch.no_such_name", 11));
  CHECK(isKnownAbsent("re.no_such_name", 15));
  CHECK(isKnownAbsent("torch.Tensor.no_such_name", 11));
  CHECK(isKnownAbsent("os.startfile", 11));
  CHECK_FALSE(isKnownAbsent("os.startfile", 13)); // seen on another platform only
  CHECK_FALSE(isKnownAbsent("torch.ops.no_such_name", 11));
  CHECK_FALSE(isKnownAbsent("nowhere.name", 11));
  CHECK_FALSE(isKnownAbsent("math.__file__", 11));
  CHECK_FALSE(findKnownName("nowhere", 11));
  CHECK_FALSE(findKnownName("nowhere.name", 11));
  CHECK_FALSE(findKnownName("re.compile.name", 11));
  CHECK_FALSE(findKnownName("", 11));
  CHECK_FALSE(findKnownName("re.", 11));
  CHECK(isKnownModule("torch._inductor.config", 11));
  CHECK(isKnownModule("collections.abc", 12));
  CHECK_FALSE(isKnownModule("collections.OrderedDict", 12));
  CHECK_FALSE(isKnownModule("msvcrt", 12));
  CHECK(isCompletelyKnown("torch", 11));
  CHECK(isCompletelyKnown("torch.nn.Module", 11));
  CHECK_FALSE(isCompletelyKnown("torch.ops", 11));
  CHECK_FALSE(isCompletelyKnown("_gdbm", 11));
}

TEST_CASE("modules of a package that have to be imported themselves") {
  CHECK(findKnownName("xml.etree", 11)->since == KnownSince::OwnImport);
  CHECK(findKnownName("os.path", 11)->since == KnownSince::Import);
  CHECK(findKnownName("concurrent.futures", 11)->since != KnownSince::Import);
  CHECK(findKnownName("torch.nn", 11)->since == KnownSince::Import);
}

TEST_CASE("classes and what they are derived from") {
  CHECK(isKnownSubclass("collections.OrderedDict", "builtins.dict", 11) == true);
  CHECK(isKnownSubclass("re.Pattern", "builtins.dict", 11) == false);
  CHECK(isKnownSubclass("torch.nn.Conv2d", "torch.nn.Module", 11) == true);
  CHECK(isKnownSubclass("torch.Tensor", "torch.distributed.tensor.DTensor", 11) == false);
  CHECK(isKnownSubclass("torch.distributed.tensor.DTensor", "torch.Tensor", 11) == true);
  CHECK(isKnownSubclass("nowhere.A", "torch.Tensor", 11) == std::nullopt);
  CHECK(findKnownName("torch.Tensor", 11)->hasPlainInstanceCheck);
  CHECK_FALSE(findKnownName("torch.nn.Parameter", 11)->hasPlainInstanceCheck);
  CHECK_FALSE(findKnownName("collections.abc.Mapping", 11)->hasPlainInstanceCheck);
}
