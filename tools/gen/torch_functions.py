"""Writes lib/Prelude/torch/_forms.py: in which form functions of PyTorch that are Python hand their arguments to __torch_function__.

    build/venv/bin/python tools/gen/torch_functions.py lib/Prelude/torch/_forms.py
"""
import ast
import inspect
import sys
import textwrap

import torch
import torch.overrides

MODULES = [torch.functional, torch.nn.functional, torch.nn.init, torch._tensor]
HEAD = '''# Written by tools/gen/torch_functions.py from PyTorch {version}; not to be edited.
"""How functions of PyTorch that are Python ask objects with a __torch_function__: which of their arguments, and with what."""
import torch
from torch._overridden import _handle, _handle_operator, _of_c

F, Tensor, inf = torch.nn.functional, torch.Tensor, torch.inf
'''
# Functions that call another one by the form of its argument, by the name that the form is of.
OTHER_NAMES = {"_meshgrid": "meshgrid", "_unique_torch_function": "unique", "_unique_consecutive_torch_function": "unique_consecutive",
               "_threshold": "threshold"}
LEFT_OUT = {"__cuda_array_interface__", "_handle_torch_function_and_wrap_type_error_to_not_implemented", "_lu_with_infos",
            "_lu_no_infos", "lu", "__setstate__", "_clear_non_serializable_cached_data", "storage", "storage_type", "__dlpack__",
            "__dlpack_device__", "__array_wrap__", "dim_order", "stft", "istft"}
# Where the function gathers them in a variable.
TENSORS = {"multi_head_attention_forward": "(query, key, value, in_proj_weight, in_proj_bias, bias_k, bias_v, out_proj_weight, out_proj_bias)"}
# What takes its tensors in a list, too: it asks about them when it has taken them out, or in C.
IN_A_LIST = "len(tensors) == 1 and isinstance(tensors[0], (list, tuple))"
OWN_FORMS = {"einsum": ("(torch.einsum(args[0], *args[1]) if len(args) == 2 and isinstance(args[1], (list, tuple)) else "
                        "_handle(torch.einsum, args[1:], args, {}))", "*args"),
             "meshgrid": (f"(_of_c(torch.meshgrid, 'torch.meshgrid', tensors, {{}} if indexing is None else {{'indexing': indexing}}, {{}}) if {IN_A_LIST} "
                          "else _handle(torch.meshgrid, tensors, (*tensors,), {'indexing': indexing}))", "*tensors, indexing=None")}
for n in (1, 2, 3):
    OWN_FORMS[f"atleast_{n}d"] = (f"(_of_c(torch.atleast_{n}d, 'torch.atleast_{n}d', tensors, {{}}) if {IN_A_LIST} else "
                                  f"_handle(torch.atleast_{n}d, tensors, (*tensors,), {{}}))", "*tensors")


class Plain(ast.NodeTransformer):
    """Annotations away; a Tensor's method names itself by its class."""

    def visit_arg(self, node):
        node.annotation = None
        return node


def functions(module):
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef) and node.name == "Tensor":
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield "Tensor", method


def form_of(module, owner, node):
    calls = [c for c in ast.walk(node) if isinstance(c, ast.Call) and ast.unparse(c.func).endswith("handle_torch_function")]
    wraps = any("wrap_type_error" in ast.unparse(d) for d in node.decorator_list)
    if node.name in LEFT_OUT or not (calls or wraps):
        return None
    name = node.name if owner else OTHER_NAMES.get(node.name, node.name)
    # What chooses between two functions by a flag calls them by their public name.
    private = node.name.startswith("_") and not owner and node.name not in OTHER_NAMES
    if private and hasattr(module, node.name[1:]):
        name = node.name[1:]
    path = "torch.Tensor." if owner else {"torch.functional": "torch."}.get(module.__name__, module.__name__ + ".")
    place = {"torch.functional": "torch.", "torch.nn.functional": "F.", "torch.nn.init": "torch.nn.init.", "torch._tensor": "Tensor."}
    arguments = ast.unparse(Plain().visit(node.args))
    if wraps:
        return path + name, f"_handle_operator(Tensor.{name}, (self, other))", "self, other"
    call = calls[0]
    if name in OWN_FORMS:
        return path + name, *OWN_FORMS[name]
    relevant = TENSORS.get(name) or ast.unparse(call.args[1])
    positional = ", ".join(ast.unparse(a) for a in call.args[2:])
    named = ", ".join(f"{k.arg!r}: {ast.unparse(k.value)}" for k in call.keywords)
    function = place[module.__name__] + name
    given = f"({positional},)" if positional else "()"
    if node.name == "_threshold":  # what the function calls itself
        return path + node.name, f"_handle({function}, {relevant}, {given}, {{{named}}})", arguments
    return path + name, f"_handle({function}, {relevant}, {given}, {{{named}}})", arguments


def wrapped(line, indent):
    return "\n".join(textwrap.wrap(line, 130, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
                                   drop_whitespace=True)) + "\n"


def main():
    rows = {}
    for module in MODULES:
        for owner, node in functions(module):
            form = form_of(module, owner, node)
            if form:
                rows.setdefault(form[0], form[1:])
    # Names of torch.functional that are those of torch, and classes' other names.
    for name in ("rdiv", "rtruediv"):
        if "torch.Tensor.__rdiv__" in rows:
            rows[f"torch.Tensor.__{name}__"] = ("_handle_operator(Tensor.__rtruediv__, (self, other))", "self, other")
    with open(sys.argv[1], "w") as out:
        out.write(HEAD.format(version=torch.__version__.split("+")[0]))
        for path, (call, arguments) in sorted(rows.items()):
            out.write("\n\n" + wrapped(f"def {path.replace('.', '__of__')}({arguments}):", "        ")
                      + wrapped(f"    return {call}", "            "))


main()
