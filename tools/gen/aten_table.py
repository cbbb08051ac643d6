#!/usr/bin/env python3
"""Writes what follows from the records of AtenOps.td.

In: `llvm-tblgen --dump-json AtenOps.td` (a file). Out, by --emit:
  enums    AtenEnums.inc    X-macros: overloads, dtype rules, shape rules, mlir classes
  table    AtenTable.inc    the rows of OpTable.cpp
The schema strings are parsed here, once, so that no C++ parses them at start.
"""

import argparse
import io
import json
import pathlib
import re
import sys

FLAGS = {
    "isView": "View",
    "isMaybeView": "MaybeView",
    "isRandom": "Random",
    "isDataDependent": "DataDependent",
    "isNoGrad": "NoGrad",
    "hasInplace": "Inplace",
    "isMutating": "Mutates",
    "isHostRead": "HostRead",
    "takesNumbers": "Numbers",
    "mayFail": "MayFail",
}
TYPES = {
    "Tensor": "Tensor",
    "int": "Int",
    "SymInt": "Int",
    "float": "Float",
    "bool": "Bool",
    "Scalar": "Scalar",
    "str": "Str",
    "ScalarType": "DType",
    "Layout": "Layout",
    "Device": "Device",
    "MemoryFormat": "MemoryFormat",
    "Generator": "Generator",
}
NUMBER_OPERANDS = {"self", "other", "exponent"}
NAMED_INTS = {"Mean": 1, "Sum": 2, "contiguous_format": 0, "preserve_format": 1}
NAMED_DTYPES = {"long": "Int64", "float": "Float32"}


def fail(record, text):
    sys.exit(f"{record}: {text}")


def split_top(text):
    """Splits at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([" and 1 or c in ")]" and -1 or 0
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def parse_type(text, record):
    """(ArgType, optional, list, element optional, list size) of a schema type."""
    text = re.sub(r"\(\w+!?( -> \*)?\)", "", text)  # alias annotations
    optional = text.endswith("?")
    text = text.rstrip("?")
    match = re.fullmatch(r"(\w+)(\?)?\[(\d*)\]", text)
    base, element_optional, size, is_list = text, False, 0, False
    if match:
        base, is_list = match[1], True
        element_optional = bool(match[2])
        size = int(match[3] or 0)
    if base not in TYPES:
        fail(record, f"unknown type '{text}'")
    return TYPES[base], optional, is_list, element_optional, size


def c_string(text):
    return json.dumps(text)


def parse_default(text, arg_type, is_list, size, record, lists):
    """The initializer of an ArgDefault."""
    if text is None:
        return "{}"
    kind = "ArgDefault::Kind::"
    if text == "None":
        return f"{{{kind}None}}"
    if is_list:
        if text.startswith("["):
            values = [int(v) for v in split_top(text[1:-1])]
        else:
            values = [int(text)] * size
        if not values:
            return f"{{{kind}IntList}}"
        return f"{{{kind}IntList, 0, 0, {{}}, {lists(values)}}}"
    if arg_type == "MemoryFormat":
        return f"{{{kind}MemoryFormat, {NAMED_INTS[text]}}}"
    if arg_type == "DType":
        return f"{{{kind}DType, int64_t(DType::{NAMED_DTYPES[text]})}}"
    if text in ("True", "False"):
        return f"{{{kind}Bool, {int(text == 'True')}}}"
    if text[0] in "'\"":
        return f"{{{kind}Str, 0, 0, {c_string(text[1:-1])}}}"
    if text in NAMED_INTS:
        return f"{{{kind}Int, {NAMED_INTS[text]}}}"
    if arg_type == "Float" or (arg_type == "Scalar" and re.search(r"[.e]", text)):
        return f"{{{kind}Float, 0, {float(text)!r}}}"
    if re.fullmatch(r"-?\d+", text):
        return f"{{{kind}Int, {text}}}"
    fail(record, f"unknown default '{text}'")


def parse_schema(schema, record):
    match = re.fullmatch(r"([\w.]+)\((.*)\) -> (.*)", schema)
    if not match:
        fail(record, "schema not understood")
    name, arguments, returns = match.groups()
    args, keyword_only = [], False
    for text in split_top(arguments):
        if text == "*":
            keyword_only = True
            continue
        declared, _, default = text.partition("=")
        type_text, arg_name = declared.rsplit(" ", 1)
        args.append((arg_name, parse_type(type_text, record), default or None, keyword_only))
    if returns.startswith("("):
        returns = returns[1:-1]
    results = []
    for text in split_top(returns):
        type_text, _, result_name = text.partition(" ") if "->" not in text else (text, "", "")
        results.append((result_name, parse_type(type_text, record)))
    return name, args, results


class Record:
    def __init__(self, def_name, fields):
        self.def_name = def_name
        self.fields = fields
        self.schema = fields["schema"]
        self.name, self.args, self.results = parse_schema(self.schema, def_name)
        self.id = self.name.replace(".", "_")
        base, _, overload = self.name.partition(".")
        self.inplace = ""
        if fields["hasInplace"]:
            self.inplace = fields["inplaceName"] or base + "_" + (overload and "." + overload)
        self.spellings = [s.replace("*", base) for s in fields["spellings"]]
        inplace_spellings = list(fields["inplaceSpellings"])
        if self.inplace:
            derived = [s + "_" for s in self.spellings
                       if re.fullmatch(r"(Tensor|torch)\.[a-z]\w*", s)]
            inplace_spellings += [s for s in derived if s.startswith("Tensor.")
                                  or base in UNARY_TORCH_INPLACE]
        self.inplace_spellings = list(dict.fromkeys(inplace_spellings))
        names = {a[0] for a in self.args}
        wanted = fields["operandNames"]
        if not set(wanted) <= names:
            fail(def_name, "operandNames are not arguments")
        self.operands = {
            a[0] for a in self.args
            if (a[0] in wanted if wanted else a[1][0] == "Tensor" or
                (a[1][0] == "Scalar" and a[0] in NUMBER_OPERANDS))
        }

    def flags(self):
        names = [flag for field, flag in FLAGS.items() if self.fields[field]]
        return " | ".join(f"uint16_t(OpFlag::{n})" for n in names) or "0"


# torch.<name>_ exists for these (torch.relu_, torch.sigmoid_, …).
UNARY_TORCH_INPLACE = set(
    "abs acos acosh asin asinh atan atanh ceil celu clamp clamp_max clamp_min cos cosh deg2rad "
    "erf erfc exp exp2 expm1 fill floor frac log log10 log1p log2 logit nan_to_num neg rad2deg "
    "reciprocal relu round rsqrt selu sigmoid sin sinh sqrt square tan tanh threshold trunc "
    "zero dropout".split())


def load(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    records = [Record(name, data[name]) for name in data["!instanceof"]["AtenOp"]]
    # Source order is the order in which eager tries overloads; the dump is sorted by name.
    def place(record):
        file, line = data[record.def_name]["!locs"][0].rsplit(":", 1)
        return (file, int(line))

    records.sort(key=place)
    seen = {}
    for record in records:
        if record.id in seen:
            fail(record.def_name, f"same overload as {seen[record.id]}")
        seen[record.id] = record.def_name
    return data, records


def rule_names(data, kind, records, field):
    used = {r.fields[field]["def"] for r in records}
    return [n for n in data["!instanceof"][kind] if n in used]


def emit_enums(data, records, out):
    def block(macro, rows):
        out.write(f"#ifdef {macro}\n")
        for row in rows:
            out.write(f"{macro}({row})\n")
        out.write(f"#undef {macro}\n#endif\n\n")

    block("PTC_ATEN_OP", [r.id for r in records])
    block("PTC_ATEN_OP_CLASS", [f"{r.def_name}, {r.id}, \"aten.{r.name}\"" for r in records])
    block("PTC_ATEN_DTYPE_RULE", rule_names(data, "DTypeRule", records, "dtypeRule"))
    block("PTC_ATEN_SHAPE_RULE", rule_names(data, "ShapeRule", records, "shapeRule"))


def emit_processors(data, records, out):
    """Rules of processors with their texts, and the overloads that have one of them."""
    for name in rule_names(data, "ProcessorRule", records, "byProcessor"):
        out.write(f"PTC_ATEN_PROCESSOR_RULE({name}, {c_string(data[name]['summary'])})\n")
    for r in records:
        rule = r.fields["byProcessor"]["def"]
        if rule != "SameOnAll":
            out.write(f"PTC_ATEN_BY_PROCESSOR({r.id}, {rule})\n")
    out.write("#undef PTC_ATEN_PROCESSOR_RULE\n#undef PTC_ATEN_BY_PROCESSOR\n")


def emit_table(data, records, out):
    lists = {}

    def list_name(values):
        return lists.setdefault(tuple(values), f"kInts{len(lists)}")

    body = []
    for r in records:
        rows = []
        for name, (kind, optional, is_list, element_optional, size), default, kw in r.args:
            init = parse_default(default, kind, is_list, size, r.def_name, list_name)
            bools = ", ".join(str(int(b)) for b in (optional, is_list, element_optional))
            rows.append(f"    {{{c_string(name)}, ArgType::{kind}, {bools}, {size}, {int(kw)}, "
                        f"{int(name in r.operands)}, {init}}},\n")
        body.append(f"constexpr ArgInfo kArgs_{r.id}[] = {{\n{''.join(rows)}}};\n")
        rets = ", ".join(f"{{{c_string(n)}, ArgType::{t[0]}, {int(t[2])}}}" for n, t in r.results)
        body.append(f"constexpr ReturnInfo kReturns_{r.id}[] = {{{rets}}};\n")
        for kind, names in (("Spellings", r.spellings), ("Inplace", r.inplace_spellings)):
            if names:
                items = ", ".join(c_string(n) for n in names)
                body.append(f"constexpr llvm::StringLiteral k{kind}_{r.id}[] = {{{items}}};\n")
    for values, name in lists.items():
        out.write(f"constexpr int64_t {name}[] = {{{', '.join(map(str, values))}}};\n")
    out.writelines(body)
    out.write("constexpr OpInfo kOps[] = {\n")
    for r in records:
        f = r.fields
        types = data[f["kernelTypes"]["def"]]["members"]
        mask = " | ".join(f"1u << unsigned(DType::{t})" for t in types)
        out.write(
            f"    {{OpId::{r.id}, {c_string(r.name)}, {c_string(r.schema)}, kArgs_{r.id}, "
            f"kReturns_{r.id}, DTypeRule::{f['dtypeRule']['def']}, "
            f"ShapeRule::{f['shapeRule']['def']}, uint16_t({r.flags()}), "
            f"{'kSpellings_' + r.id if r.spellings else '{}'}, "
            f"{'kInplace_' + r.id if r.inplace_spellings else '{}'}, "
            f"{c_string(r.inplace)}, {c_string(f['kernel'])}, uint16_t({mask}), "
            f"{c_string(f['payload'])}, {c_string(f['valueForm'])}, "
            f"{c_string(f['updatesWhen'])}}},\n")
    out.write("};\n")
    spellings = [(s, i, 0) for i, r in enumerate(records) for s in r.spellings]
    spellings += [(s, i, 1) for i, r in enumerate(records) for s in r.inplace_spellings]
    spellings.sort(key=lambda s: (s[0], s[1]))
    out.write("constexpr Spelling kSpellings[] = {\n")
    for name, i, inplace in spellings:
        out.write(f"    {{{c_string(name)}, OpId::{records[i].id}, {'true' if inplace else 'false'}}},\n")
    out.write("};\n")
    names = sorted((r.name, r.id) for r in records)
    out.write("constexpr OpId kByName[] = {\n")
    out.writelines(f"    OpId::{i},\n" for _, i in names)
    out.write("};\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump")
    parser.add_argument("--emit", choices=("enums", "table", "processors"), required=True)
    parser.add_argument("-o", required=True)
    options = parser.parse_args()
    data, records = load(options.dump)
    out = io.StringIO()
    out.write("// Written by tools/gen/aten_table.py from AtenOps.td; do not edit.\n")
    {"enums": emit_enums, "table": emit_table, "processors": emit_processors}[options.emit](data, records, out)
    path = pathlib.Path(options.o)
    if not path.exists() or path.read_text(encoding="utf-8") != out.getvalue():  # what includes it is not built again
        path.write_text(out.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main()
