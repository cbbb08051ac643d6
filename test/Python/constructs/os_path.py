"""os.path on strings: nothing here looks at a file system."""
import os
import os.path as p

print(p.join("a", "b"), p.join("a", "/b"), p.join("a/", "b", ""), p.basename("/x/y.py"), p.dirname("/x/y"), p.split("a/b/c"))
print(p.splitext("n.tar.gz"), p.splitext(".hidden"), p.normpath("a/./b/../c"), p.isabs("/x"), p.isabs("x"), os.sep, os.linesep == "\n")
print(p.commonprefix(["abc", "abd"]), p.join("w", "layer_%d.bin" % 3), f"{p.basename('dir/model.pyc')}")
