#!/usr/bin/env python3
"""Decoding with transformers: a step that is compiled alone, called again and again with the cache that it gave, against generate().

    decoding.py --ptc PTC --build BUILD [FILTER] [--every] [-j N] [-v]

The cache is an argument and a result by the paths of its parts: an object of the library that eager code filled, or what the step gave.
Each row of Llama has its day; --every: all of them.
"""
import gc
import itertools
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from install import site_packages

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd")]
import runner  # noqa: E402
from pycs import compile_pyc  # noqa: E402

DECODER = "vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64, num_key_value_heads=2"
GPT = "vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=None, eos_token_id=None"
MODEL = """import torch
from transformers import {config}, {model}

torch.manual_seed(0)
model = {model}({config}({options})).eval()
# Weights as they are made give the same word again and again.
for p in model.parameters():
    p.data.mul_(3)
"""
STEPS = 12
OFFLINE = {**os.environ, "HF_HUB_OFFLINE": "1"}
WEIGHTS_ARE_THERE = "the weights are there\n"
OF_CACHES = {"layer_class_to_replicate": None, "offloading": False}


@dataclass
class Row:
    name: str
    model: str
    config: str
    options: str
    heads: int                         # of keys
    kind: str                          # of the cache
    prefill: bool = False              # a variant of the same library


ROWS = [
    Row("Llama, a cache that grows", "LlamaForCausalLM", "LlamaConfig", DECODER, 2, "dynamic"),
    Row("Llama, a cache that grows, from the first word on", "LlamaForCausalLM", "LlamaConfig", DECODER, 2, "dynamic", prefill=True),
    Row("Llama, a cache that is written", "LlamaForCausalLM", "LlamaConfig", DECODER, 2, "static"),
    Row("GPT-2, a cache that grows", "GPT2LMHeadModel", "GPT2Config", GPT, 4, "dynamic"),
]


def f32(*sizes):
    return {"$tensor": f"f32[{','.join(map(str, sizes))}]"}


def cache_of(row):
    if row.kind == "static":
        layer = {"$object": "transformers.cache_utils:StaticLayer", "args": [32], "fields": {
            "is_initialized": True, "device": {"$device": "cpu"}, "batch_size": 1, "num_heads": row.heads, "k_head_dim": 8, "v_head_dim": 8,
            "cumulative_length": {"$tensor": "i64[]", "values": 5},
            "keys": f32(1, row.heads, 32, 8), "values": f32(1, row.heads, 32, 8)}}
        return {"$object": "transformers:StaticCache", "fields": {"layers": [layer, layer], **OF_CACHES}}
    layer = {"$object": "transformers.cache_utils:DynamicLayer", "args": [], "fields": {
        "is_initialized": True, "device": {"$device": "cpu"}, "keys": f32(1, row.heads, "L in 1..63", 8), "values": f32(1, row.heads, "L", 8)}}
    return {"$object": "transformers:DynamicCache", "fields": {"layers": [layer, layer], **OF_CACHES}}


def check(ptc, site, row, folder):
    (folder / "net.py").write_text(MODEL.format(config=row.config, model=row.model, options=row.options))
    compile_pyc(folder / "net.py", folder / "net.pyc")
    # The weights are made in eager, of which the draws of a new model are not ptc's.
    calls = [{"kwargs": {"input_ids": {"$tensor": "i64[1,1]"}, "use_cache": True, "cache": cache_of(row)}}]
    if row.prefill:
        calls.append({"kwargs": {"input_ids": {"$tensor": "i64[1,4]"}, "use_cache": True}})
    (folder / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
    this = [sys.executable, str(HERE / "decoding.py"), "--eager", str(site), str(folder), row.kind, str(STEPS), str(int(row.prefill))]
    with open(folder / "eager.txt", "w+", encoding="utf-8") as said, \
            subprocess.Popen(this, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True, env=OFFLINE) as eager:
        try:
            if eager.stdout.readline() == WEIGHTS_ARE_THERE:
                compile_step(ptc, site, folder)
            eager.communicate("\n", timeout=600)
        finally:
            eager.kill()
        said.seek(0)
        assert eager.returncode == 0, f"eager PyTorch: exit code {eager.returncode}\n{said.read()[-3000:]}"


def compile_step(ptc, site, folder):
    torch_at = str(Path(find_spec("torch").origin).parents[1])
    run([str(ptc), "compile", str(folder / "net.pyc"), "-I", str(site), "-I", torch_at, "--absent", "torchvision", "--entry", "model",
         "--weights", str(folder / "net.pt"), "--example", str(folder / "calls.jsonl"), "-o", str(folder / "libnet.so")])
    header = (folder / "net.h").read_text()
    for line in ('cache.layers[1].keys', 'result["cache"].layers[1].values'):
        assert f"]: {line}\n" in header, header
    assert 'None: result["cache"].layer_class_to_replicate\n' in header, header


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, env=OFFLINE)
    assert done.returncode == 0, f"{words[1]}: exit code {done.returncode}\n{done.stderr[-3000:]}"


def in_eager(site, folder, kind, steps, prefill):
    """A process of its own, in which transformers is imported. It leaves the weights, and decodes when it is told that the step is compiled."""
    gc.disable()                       # a third of the time of the imports
    import torch
    sys.path[:0] = [str(HERE), str(HERE.parents[1] / "lib/Runtime")]    # of the two eager.py that of this folder
    sys.path.insert(3, site)
    import eager
    kept = eager.declare_operators()
    sys.path.insert(1, folder)
    import net
    import ptc_loader
    import transformers
    steps = int(steps)
    torch.save(net.model.state_dict(), Path(folder) / "net.pt")
    sys.stdout.write(WEIGHTS_ARE_THERE)
    sys.stdout.flush()
    sys.stdin.readline()
    words = torch.tensor([[5, 17, 33, 60, 2]])
    expected = net.model.generate(words, do_sample=False, max_new_tokens=steps, pad_token_id=0, eos_token_id=None)
    assert kept and len(set(expected[0].tolist())) > steps // 2, f"a text that says little: {expected}"

    def eager_start():
        cache = transformers.StaticCache(net.model.config, max_cache_len=32) if kind == "static" else transformers.DynamicCache(config=net.model.config)
        with torch.no_grad():
            return net.model(words, use_cache=True, cache=cache)

    def follows(step, start, again):
        text, logits, cache, end = words, start["logits"], start["cache"], eager_start()
        for _ in range(steps):
            word = logits[:, -1].argmax(-1, keepdim=True)
            text = torch.cat([text, word], 1)
            given = step(input_ids=word, use_cache=True, cache=cache)
            with torch.no_grad():
                end = net.model(word, use_cache=True, cache=end.cache)
            logits = given["logits"]
            torch.testing.assert_close(logits, end.logits, rtol=1e-4, atol=1e-4)
            cache = again(given["cache"], cache)
        assert torch.equal(text, expected), f"{text}, expected {expected}"
        return cache, end.cache

    step = ptc_loader.Model(Path(folder) / "libnet.so")
    start = step(input_ids=words, use_cache=True) if int(prefill) else eager_start()
    if kind == "static":
        # The step writes to the very tensors of the object that it is given.
        mine, theirs = follows(step, start, lambda given, cache: cache)
        for layer, other in zip(mine.layers, theirs.layers):
            torch.testing.assert_close(layer.keys, other.keys, rtol=1e-4, atol=1e-4)
            assert torch.equal(layer.cumulative_length, other.cumulative_length)
        assert step.changed == {}, step.changed
        return
    follows(step, start, lambda given, cache: given)
    follows(step, start, lambda given, cache: transformers.DynamicCache([(layer["keys"], layer["values"]) for layer in given["layers"]]))
    try:
        step(input_ids=words[:, :1], use_cache=True, cache=transformers.DynamicCache())
    except ptc_loader.NoVariant as why:
        assert str(why).startswith("len(cache.layers) is 0, expected 2"), why
    else:
        raise AssertionError("a cache without layers has a variant")


def main():
    if sys.argv[1:2] == ["--eager"]:
        in_eager(*sys.argv[2:])
        return 0
    parser = runner.options(__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--every", action="store_true", help="every row, not those of the day alone")
    args = parser.parse_args()
    site = site_packages(args.build)
    by_model = itertools.groupby(ROWS, lambda row: row.model)
    rows = ROWS if args.every or args.filter else [runner.turn_of(model, list(rows)) for model, rows in by_model]
    cases = [(row.name, lambda folder, row=row: check(Path(args.ptc).resolve(), site, row, folder)) for row in rows]
    return runner.run_in_folders(cases, args)


if __name__ == "__main__":
    sys.exit(main())
