"""lit: every .mlir and .test file below test/, each run as its RUN lines say."""
import os

import lit.formats

config.name = "ptc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "fixtures"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ptc_build, "test")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.ptc_build, "bin"), config.llvm_bin, os.environ["PATH"]])
if os.path.exists(os.path.join(config.ptc_build, "lib", "libptc_oracle.so")):
    config.available_features.add("oracle")
# What a user's shell may hold must not change a test.
for name in ("PTC_FLAGS", "NO_COLOR"):
    config.environment.pop(name, None)
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%root", os.path.dirname(config.test_source_root)))
