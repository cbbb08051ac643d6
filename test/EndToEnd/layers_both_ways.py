#!/usr/bin/env python3
"""Every layer of torch.nn by lib/Prelude and by PyTorch's own Python code: both give the same graph.

    layers_both_ways.py --ptc PTC [FILTER] [-j N] [-v]

PyTorch's modules are copied into a package of the program's, so that they are run as its code is, over the model's `Module`,
containers and functions. A layer may be refused one way only where REFUSED says so.
"""
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import batch  # noqa: E402
import runner  # noqa: E402
from pycs import compile_pyc  # noqa: E402

# What stays the model's: what holds layers, not a layer.
MODELLED = "module container"
IMPORTS = [(rf"\.({'|'.join(MODELLED.split())}) import", r"torch.nn.modules.\2 import"), (r"\.\. import", "torch.nn import"), (r"\.\.(?=[a-z_])", "torch.nn."),
           (r"\.\.\. import", "torch import"), (r"\.\.\.(?=[a-z_])", "torch.")]
# A text of documentation, which ptc does not have.
NOTES = "from torch._torch_docs import reproducibility_notes", "from collections import defaultdict as _d\nreproducibility_notes = dict.fromkeys(('cudnn_reproducibility_note', 'cudnn_reproducibility_note1', 'forward_reproducibility_note', 'backward_reproducibility_note'), '')"


@dataclass
class Layer:
    name: str                          # of the class, or an expression that makes it
    inputs: tuple                      # as --input has them, without names
    call: str = ""                     # of `model` and x, y, z; empty: model(x, ...)


def of(inputs, *names):
    return [Layer(name, tuple(inputs.split())) for name in names]


LINE, IMAGE, VOLUME = "f32[2,4,8]", "f32[2,4,8,8]", "f32[1,4,6,6,6]"
LAYERS = [
    *of("f32[2,4]", "Linear(4, 3)", "Linear(4, 3, bias=False)", "Identity()", "Flatten(0)", "Unflatten(1, (2, 2))", "ReLU()", "ReLU(inplace=True)", "ReLU6()", "RReLU()", "Hardtanh(-2, 2)", "Sigmoid()",
        "Hardsigmoid()", "Tanh()", "SiLU()", "Mish()", "Hardswish()", "ELU(0.5)", "CELU()", "SELU()", "GLU()", "GELU()", "GELU('tanh')", "Hardshrink()", "LeakyReLU(0.2)", "LogSigmoid()", "Softplus(2)", "Softshrink()",
        "PReLU()", "PReLU(4)", "Softsign()", "Tanhshrink()", "Softmin(1)", "Softmax(1)", "LogSoftmax(1)", "Threshold(0.1, 2)", "Dropout()", "AlphaDropout()", "LayerNorm(4)", "LayerNorm((2, 4), bias=False)", "RMSNorm(4)",
        "BatchNorm1d(4)", "BatchNorm1d(4, affine=False)", "RNNCell(4, 3)", "LSTMCell(4, 3)", "GRUCell(4, 3)", "GroupNorm(2, 4)"),
    *of("f32[2,4] f32[2,5]", "Bilinear(4, 5, 3)"),
    *of("f32[2,4] f32[2,4]", "CosineSimilarity()", "PairwiseDistance()", "L1Loss()", "MSELoss(reduction='sum')", "KLDivLoss(reduction='batchmean')", "SmoothL1Loss()", "HuberLoss()", "SoftMarginLoss()", "PoissonNLLLoss()",
        "BCEWithLogitsLoss()", "HingeEmbeddingLoss()", "MultiLabelSoftMarginLoss()", "CrossEntropyLoss()"),
    *of("f32[2,4] i64[2]", "CrossEntropyLoss(label_smoothing=0.1)", "NLLLoss()", "MultiMarginLoss()", "CosineEmbeddingLoss()"),
    *of("f32[2,4] f32[2,4] f32[2,4]", "TripletMarginLoss()", "GaussianNLLLoss()", "MarginRankingLoss()", "TripletMarginWithDistanceLoss()"),
    *of("i64[2,3]", "Embedding(5, 4)", "Embedding(5, 4, padding_idx=0)", "EmbeddingBag(5, 4)"),
    *of(LINE, "Conv1d(4, 6, 3)", "Conv1d(4, 6, 4, padding='same')", "Conv1d(4, 6, 3, padding='same', padding_mode='circular')", "ConvTranspose1d(4, 6, 3, 2)", "MaxPool1d(2)", "AvgPool1d(2)", "LPPool1d(2, 3)", "AdaptiveAvgPool1d(2)", "AdaptiveMaxPool1d(2)",
        "InstanceNorm1d(4)", "InstanceNorm1d(4, affine=True)", "ConstantPad1d(1, 2.0)", "ReflectionPad1d(1)", "ReplicationPad1d((1, 2))", "ZeroPad1d(1)", "CircularPad1d(1)", "Dropout1d()", "Upsample(scale_factor=2)",
        "RNN(8, 3)", "RNN(8, 3, nonlinearity='relu')", "LSTM(8, 3, 2, batch_first=True)", "LSTM(8, 4, proj_size=2)", "GRU(8, 3, bidirectional=True)"),
    *of(IMAGE, "Conv2d(4, 6, 3)", "Conv2d(4, 6, 3, 2, 1, groups=2, bias=False)", "Conv2d(4, 4, 3, dilation=2, padding='valid')", "Conv2d(4, 4, 3, padding=1, padding_mode='reflect')", "ConvTranspose2d(4, 6, 3, 2, output_padding=1)",
        "MaxPool2d(2)", "MaxPool2d(3, 2, 1, ceil_mode=True)", "MaxPool2d(2, return_indices=True)", "AvgPool2d(2, count_include_pad=False)", "LPPool2d(2, 2)", "FractionalMaxPool2d(2, output_size=3)", "AdaptiveAvgPool2d((2, None))",
        "AdaptiveMaxPool2d(3)", "BatchNorm2d(4)", "BatchNorm2d(4, track_running_stats=False)", "SyncBatchNorm(4)", "InstanceNorm2d(4, track_running_stats=True)", "GroupNorm(2, 4)", "LocalResponseNorm(2)", "CrossMapLRN2d(2)",
        "ConstantPad2d(1, 2.0)", "ReflectionPad2d(1)", "ReplicationPad2d((1, 2, 0, 1))", "ZeroPad2d(1)", "CircularPad2d(1)", "PixelShuffle(2)", "PixelUnshuffle(2)", "ChannelShuffle(2)", "Dropout2d()", "FeatureAlphaDropout()",
        "Softmax2d()", "Upsample(scale_factor=2, mode='bilinear')", "UpsamplingNearest2d(scale_factor=2)", "UpsamplingBilinear2d(size=(4, 4))", "Unfold(2)"),
    *of("f32[1,16,9]", "Fold((4, 4), 2)", "TransformerEncoderLayer(9, 3, 8, batch_first=True)", "TransformerEncoderLayer(9, 3, 8, activation='gelu', norm_first=True)",
        "TransformerEncoder(TransformerEncoderLayer(9, 3, 8, batch_first=True), 2, enable_nested_tensor=False)"),
    *of("f32[1,4,9] f32[1,5,9]", "TransformerDecoderLayer(9, 3, 8, batch_first=True)", "TransformerDecoder(TransformerDecoderLayer(9, 3, 8, batch_first=True), 2)", "Transformer(9, 3, 1, 1, 8, batch_first=True)"),
    *of("f32[2,4,6] f32[2,4,6] f32[2,4,6]", "MultiheadAttention(6, 2)", "MultiheadAttention(6, 3, batch_first=True, bias=False)", "MultiheadAttention(6, 2, add_bias_kv=True, add_zero_attn=True)"),
    *of(VOLUME, "Conv3d(4, 6, 3)", "ConvTranspose3d(4, 6, 3)", "MaxPool3d(2)", "AvgPool3d(2)", "LPPool3d(2, 2)", "AdaptiveAvgPool3d(2)", "AdaptiveMaxPool3d(2)", "BatchNorm3d(4)", "InstanceNorm3d(4)", "ConstantPad3d(1, 2.0)", "ReflectionPad3d(1)",
        "ReplicationPad3d(1)", "ZeroPad3d(1)", "CircularPad3d(1)", "Dropout3d()", "Upsample(scale_factor=2, mode='trilinear')"),
    Layer("AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4])", ("f32[3,4]",), "model.log_prob(x)"),
    Layer("CTCLoss()", ("f32[5,1,4]",), "model(x, torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))"),
    Layer("MaxUnpool2d(2)", (IMAGE,), "model(*torch.nn.functional.max_pool2d(x, 2, return_indices=True))"),
    Layer("MaxUnpool1d(2)", (LINE,), "model(*torch.nn.functional.max_pool1d(x, 2, return_indices=True))"),
    Layer("MaxUnpool3d(2)", ("f32[1,4,2,2,2]",), "model(x, torch.arange(8).reshape(1, 1, 2, 2, 2).expand(x.shape))"),
    Layer("BCELoss()", ("f32[2,4]", "f32[2,4]"), "model(x.sigmoid(), y.sigmoid())"),
    Layer("MultiLabelMarginLoss()", ("f32[2,4]",), "model(x, torch.tensor([[1, 0, -1, -1], [2, -1, -1, -1]]))"),
]
# Bases, another name, and what is no layer by itself yet.
NO_LAYERS = {"RNNBase", "RNNCellBase", "NLLLoss2d", "FractionalMaxPool3d", "LinearCrossEntropyLoss"}
# Which way is refused, and by what.
REFUSED = {
    **dict.fromkeys(["AdaptiveMaxPool3d(2)", "CrossMapLRN2d(2)", "FractionalMaxPool2d(2, output_size=3)", "MultiLabelMarginLoss()", "AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4])"],
                    "^model: by_model.py:3:9: error: 'torch.nn.[A-Z]\\w+' is not supported"),
    # Its native form for several steps at once.
    **dict.fromkeys([layer.name for layer in LAYERS if re.match(r"(RNN|LSTM|GRU)(Cell)?\(", layer.name)], "^own code: .*('(torch._VF|weakref.ref)|a weak reference to a tensor)"),
    **dict.fromkeys([layer.name for layer in LAYERS if re.match("Transformer|Multihead", layer.name)], "^own code: .*'torch.backends.mha.get_fastpath_enabled' is"),
}


def copy_layers(folder):
    """torch.nn.modules as a package `own` of the program, with bytecode. Where each class of it lies."""
    package, places = folder / "own", {}
    package.mkdir()
    (package / "__init__.py").touch()
    for path in sorted(Path(torch.nn.modules.__file__).parent.glob("*.py")):
        if path.stem == "__init__" or path.stem in MODELLED.split():
            continue
        text = path.read_text()
        for old, new in IMPORTS:
            text = re.sub(rf"^( *from ){old}", rf"\1{new}", text, flags=re.M)
        (package / path.name).write_text(text.replace(*NOTES))
        places.update({name: path.stem for name in re.findall(r"^class (\w+)", text, re.M)})
    for path in package.glob("*.py"):
        compile_pyc(path, path.with_suffix(".pyc"))
        path.rename(path.with_suffix(".txt"))
    return places


def graph(ptc, folder, layer, imports):
    """What inspect-graph shows without places, or the refusal."""
    names = "xyz"[:len(layer.inputs)]
    call = layer.call or f"model({', '.join(names)})"
    source = folder / f"by_{'own' if 'own' in imports else 'model'}.py"
    source.write_text(f"import torch\n{imports}\nmodel = {layer.name}.eval()\n\n\ndef entry({', '.join(names)}):\n    return {call}\n")
    compile_pyc(source, source.with_suffix(".pyc"))
    words = [str(ptc), "inspect-graph", str(source.with_suffix(".pyc")), "-I", str(folder.parent), "--entry", "entry"]
    for name, kind in zip(names, layer.inputs):
        words += ["--input", f"{name}={kind}"]
    done = batch.run(words, text=True, timeout=120)
    if done.returncode:
        return None, next((line for line in done.stderr.splitlines() if "error:" in line), done.stderr[-500:] or f"exit code {done.returncode}")
    return normalized(done.stdout.partition("\nvariant ")[2].partition("\nonce per context")[0]), None


def normalized(body):
    """Without places and the names of state: what starts as equal numbers may be one tensor or two."""
    lines = [re.sub(r" *#.*", "", line) for line in body.splitlines()]
    names = {}
    for line in lines:
        if made := re.match(r" *(%\d+) = state \w+ *(:.*)", line):
            names[made[1]] = f"<state {made[2]}>"
    left = [line for line in lines if not re.match(r" *%\d+ = state", line)]
    for line in left:
        if made := re.match(r" *(%\d+)(?::\d+)? = ", line):
            names[made[1]] = f"%v{len(names)}"
    numbers = {name: f"%v{k}" for k, name in enumerate(n for n, given in names.items() if given.startswith("%v"))}
    return re.sub(r"%\d+", lambda name: numbers.get(name[0], names.get(name[0], name[0])), "\n".join(left))


def check(ptc, folder, places, layer):
    with tempfile.TemporaryDirectory(dir=folder) as name:
        classes = [cls for cls in dict.fromkeys(re.findall(r"\b([A-Z]\w+)\(", layer.name))]
        own, own_error = graph(ptc, Path(name), layer, "\n".join(f"from own.{places[cls]} import {cls}" for cls in classes))
        model, model_error = graph(ptc, Path(name), layer, f"from torch.nn import {', '.join(classes)}")
    allowed = REFUSED.get(layer.name)
    if own_error or model_error:
        says = f"model: {model_error}" if model_error else f"own code: {own_error}"
        if model_error and own_error:
            says = f"model: {model_error}; own code: {own_error}"
        return None if allowed and re.search(allowed, says) else f"refused: {says}"
    if allowed:
        return "it is taken both ways now"
    if own == model:
        return None
    pairs = [(a, b) for a, b in zip(own.splitlines(), model.splitlines()) if a != b]
    return "other graphs: " + (f"own code {pairs[0][0].strip()!r}, model {pairs[0][1].strip()!r}" if pairs else "one is longer")


def main():
    args = runner.options(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        places = copy_layers(Path(name))
        listed = {cls for layer in LAYERS for cls in re.findall(r"\b([A-Z]\w+)\(", layer.name)}
        rows = [(layer.name, (args.ptc, Path(name), places, layer)) for layer in LAYERS]
        rows.append(("every layer is listed", ()))
        every = {n for n, cls in vars(torch.nn).items() if isinstance(cls, type) and issubclass(cls, torch.nn.Module) and n in places}
        left = sorted(n for n in every - listed if not n.startswith("Lazy") and n not in NO_LAYERS)
        return runner.run(rows, lambda *of: check(*of) if of else (f"not listed: {left}" if left else None), args)


if __name__ == "__main__":
    sys.exit(main())
