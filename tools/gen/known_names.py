#!/usr/bin/env python3
"""Writes the tables of lib/Capture/Known: what CPython 3.11 to 3.15, PyTorch and NumPy have.

    known_names.py python --other "node py.mjs {version} run" > lib/Capture/Known/python.txt
    known_names.py torch > lib/Capture/Known/torch.txt
    known_names.py numpy > lib/Capture/Known/numpy.txt

Run with CPython 3.11 on Linux that has PyTorch and NumPy. `--other` runs a script with another version. Those interpreters may be built
for another platform: what only Linux has follows 3.11, but for what is known to have been removed; of such modules other names
are unknown. pack.py, beside the tables, says what their lines mean.
"""
import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

VERSIONS = range(11, 16)
PACKAGES = {"torch": "PyTorch", "numpy": "NumPy"}
ALL = 31
# Not on Linux: importing them raises there. Of modules that are there elsewhere, those that need one of these.
ELSEWHERE = {"_msi", "msilib", "msvcrt", "nt", "winreg", "winsound", "_winapi", "_overlapped", "_wmi", "_scproxy",
             "asyncio.windows_events", "asyncio.windows_utils", "encodings.mbcs", "encodings.oem", "_ios_support",
             "multiprocessing.popen_spawn_win32", "distutils._msvccompiler", "distutils.msvc9compiler",
             "_pyrepl.windows_console", "lib2to3.pgen2.conv"}
# Of what the other platform lacks: since when Linux lacks it, too.
REMOVED = {"typing.io": 13, "typing.re": 13, "ctypes.test": 12, "unittest.test": 12, "tkinter.test": 12,
           "tkinter.tix": 13, "importlib.resources._legacy": 13, "ssl.wrap_socket": 12, "ssl.match_hostname": 12,
           "ssl.RAND_pseudo_bytes": 12, "sqlite3.enable_shared_cache": 12, "sqlite3.OptimizedUnicode": 12,
           "asyncio.coroutines.traceback": 12, "locale.format": 12, "io.OpenWrapper": 12}
# Modules whose names differ by platform, and names of others that do.
OF_PLATFORM = {"posix", "os", "time", "_signal", "signal", "select", "_socket", "socket", "mmap", "errno", "_locale"}
NAMES_OF_PLATFORM = {
    "_thread": "get_native_id", "threading": "get_native_id", "selectors": "EpollSelector",
    "asyncio": "open_unix_connection start_unix_server", "asyncio.streams": "open_unix_connection start_unix_server",
    "concurrent.futures": "ProcessPoolExecutor", "multiprocessing.connection": "_multiprocessing",
    "multiprocessing.managers": "SharedMemoryManager SharedMemoryServer _SharedMemoryTracker shared_memory",
    "http.client": "HTTPSConnection ssl", "urllib.request": "HTTPSHandler ssl", "ftplib": "FTP_TLS ssl",
    "imaplib": "IMAP4_SSL ssl", "nntplib": "NNTP_SSL ssl", "poplib": "POP3_SSL ssl", "smtplib": "SMTP_SSL ssl",
    "hashlib": "pbkdf2_hmac scrypt", "rlcompleter": "readline", "getpass": "termios", "hmac": "_hashlib",
    "socketserver": "ThreadingUnixDatagramServer ThreadingUnixStreamServer UnixDatagramServer UnixStreamServer",
    "ctypes.util": "_findLib_gcc _findLib_ld _findSoname_ldconfig _get_soname _is_elf re tempfile",
    "webbrowser": "BackgroundBrowser BaseBrowser Chrome Chromium Elinks Error GenericBrowser Konqueror Mozilla",
}
# Classes whose members nobody needs: inside of the compilers, and the tensor types of old, which have those of a tensor.
MEMBERS_LEFT_OUT = ("torch._inductor.", "torch._dynamo.", "torch.testing.", "torch.cuda.sparse.", "torch.sparse.")


def snapshot(what, command):
    script = Path(__file__).with_name("known_snapshot.py")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        subprocess.run([*command, str(script), what, str(out)], check=True, stdout=sys.stderr)
        return json.loads(out.read_text())


def is_removed(path, minor):
    parts = path.split(".")
    return any(REMOVED.get(".".join(parts[:n]), 99) <= minor for n in range(1, len(parts) + 1))


def as_linux(found, linux, minor):
    """What CPython 3.minor has on Linux, of what it has on another platform and what 3.11 has on Linux."""
    modules, classes = dict(found["modules"]), dict(found["classes"])
    top = set(found["stdlib"])
    for name, old in linux["modules"].items():
        if name.partition(".")[0] not in top or is_removed(name, minor):
            continue
        new = modules.get(name)
        if new is None:
            modules[name] = old and {**old, "open": "alias" not in old,
                                     "names": {n: r for n, r in old["names"].items()
                                               if not is_removed(f"{name}.{n}", minor)}}
        elif old and "alias" not in old and "alias" not in new:
            kept = set(old["names"]) if name in OF_PLATFORM else set(NAMES_OF_PLATFORM.get(name, "").split())
            names = dict(new["names"])
            if name == "importlib":     # an interpreter that is started otherwise has loaded other parts of it
                names = {n: [*r[:3], old["names"][n][3] if n in old["names"] else "o" if r[0] == "m" and not r[2] else ""]
                         for n, r in names.items()}
            for n in kept - set(names):
                if n in old["names"] and not is_removed(f"{name}.{n}", minor):
                    names[n] = old["names"][n]
            modules[name] = {**new, "names": names, "open": new["open"] or name in OF_PLATFORM}
    for name in top:
        modules.setdefault(name, None)
    for path, row in linux["classes"].items():
        if path not in classes and path.partition(".")[0] in top and path.rpartition(".")[0] in modules:
            classes[path] = {**row, "open": True}
    return {**found, "modules": modules, "classes": classes}


class Table:
    def __init__(self):
        # path -> {"flags": {flag: mask}, "lines": {(key, name): mask}, "bases": {(path, ...): mask}}
        self.blocks = {}

    def block(self, sort, path):
        return self.blocks.setdefault((sort, path), {"flags": defaultdict(int), "lines": defaultdict(int), "bases": defaultdict(int)})

    def add(self, found, bit):
        for name, module in found["modules"].items():
            if name in ELSEWHERE:
                continue
            block = self.block("@m", name)
            block["flags"]["in"] |= bit
            if module is None:
                block["flags"]["open"] |= bit
                continue
            if "alias" in module:
                block["lines"][("a", module["alias"])] |= bit
                continue
            for flag in ("open", "source", "package"):
                if module[flag]:
                    block["flags"][flag] |= bit
            self.rows(block, module["names"], bit)
        for path, row in found["classes"].items():
            block = self.block("@c", path)
            block["flags"]["in"] |= bit
            if row["open"]:
                block["flags"]["open"] |= bit
            if not row["plain"]:
                block["flags"]["own"] |= bit
            for flag in ("static", "fixed", "dict"):
                if row[flag]:
                    block["flags"][flag] |= bit
            if row["bases"]:
                block["bases"][tuple(row["bases"])] |= bit
            if row["meta"] != "type":
                block["lines"][("t", row["meta"])] |= bit
            if path.startswith(MEMBERS_LEFT_OUT):
                block["flags"]["open"] |= bit
            else:
                self.rows(block, row["names"], bit)

    def rows(self, block, names, bit):
        for name, (kind, type_, target, since) in names.items():
            if not name.isascii():
                continue
            if kind == "c" or kind == "m":
                key = kind + (f">{target}" if target else "")
            elif kind == "f":
                key = kind + ("" if type_ == "function" else f"={type_}")
            else:
                key = kind + (f"={type_}" if type_ and kind != "n" else "")
            block["lines"][(key + (f"~{since}" if since else ""), name)] |= bit

    def text(self, all_bits):
        for (sort, path), block in sorted(self.blocks.items(), key=lambda item: (item[0][1], item[0][0])):
            if " " in path or not path.isascii():
                continue
            flags = block["flags"]
            line = [sort, path]
            for flag in sorted(flags):
                if flags[flag] != (all_bits if flag == "in" else 0):
                    line.append(flag if flags[flag] == flags["in"] and flag != "in" else f"{flag}:{flags[flag]:x}")
            yield " ".join(line)
            groups = defaultdict(list)
            for (key, name), mask in block["lines"].items():
                groups[key, mask].append(name)
            rows = [(key, mask, sorted(names)) for (key, mask), names in groups.items()]
            rows += [("b", mask, names) for names, mask in block["bases"].items()]
            for key, mask, names in sorted(rows, key=lambda row: row[:2]):
                suffix = "" if mask == flags["in"] else f"@{mask:x}"
                yield f"{key}{suffix} " + " ".join(names)


def of_python(other):
    linux = snapshot("python", [sys.executable, "-I", "-S"])
    table = Table()
    table.add(linux, 1)
    for minor in VERSIONS[1:]:
        command = shlex.split(other.format(version=f"3.{minor}"))
        table.add(as_linux(snapshot("python", command), linux, minor), 1 << (minor - 11))
    print("# Written by tools/gen/known_names.py from CPython 3.11 to 3.15; do not edit.")
    print("\n".join(table.text(ALL)))


def lines_of(what, found, bits):
    """The table of one snapshot alone."""
    table = Table()
    if what != "python":
        found = {**found, "classes": {p: r for p, r in found["classes"].items() if p.startswith(f"{what}.")}}
    if what == "torch":
        yield "@l " + " ".join(found["loaded"])
    table.add(found, bits)
    yield from table.text(bits)


def of_package(what, name):
    found = snapshot(what, [sys.executable, "-I"])
    print(f"# Written by tools/gen/known_names.py from {name} {found['version']}; do not edit.")
    print("\n".join(lines_of(what, found, ALL)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["python", *PACKAGES])
    parser.add_argument("--other", help="command that runs a script with CPython {version}")
    args = parser.parse_args()
    if args.what in PACKAGES:
        of_package(args.what, PACKAGES[args.what])
    elif args.other:
        of_python(args.other)
    else:
        parser.error("python needs --other")


if __name__ == "__main__":
    main()
