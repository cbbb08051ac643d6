"""The models of the suite: what makes each, and what it is called with."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    name: str
    library: str
    before: str                        # imports
    make: str                          # an expression: the module
    inputs: tuple = ("torch.randn(1, 3, 64, 64)",)
    result: str = ""                   # of `y`, what the module gives
    every: bool = False                # only in the long tier

    def wrapper(self):
        names = [f"x{n}" for n in range(len(self.inputs))]
        return (f"import torch\n{self.before}\n\n\n"
                "class Net(torch.nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                f"        self.net = {self.make}\n\n"
                f"    def forward(self, {', '.join(names)}):\n"
                f"        y = self.net({', '.join(names)})\n"
                f"        return y{self.result}\n\n\n"
                f"def inputs():\n    return [{', '.join(self.inputs)}]\n")


def torchvision(name, inputs=("torch.randn(1, 3, 64, 64)",), **options):
    return Model(f"torchvision {name}", "torchvision", "import torchvision", f"torchvision.models.{name}(weights=None)", inputs, **options)


def timm(name, options="", size=64, every=True, **more):
    return Model(f"timm {name}", "timm", "import timm", f"timm.create_model({name!r}, pretrained=False{options})", (f"torch.randn(1, 3, {size}, {size})",),
                 every=every, **more)


def einops(name, make, inputs, before="", **more):
    return Model(f"einops {name}", "einops", "from einops import einsum, pack, rearrange, reduce, repeat, unpack\n"
                 f"from einops.layers.torch import EinMix, Rearrange, Reduce\n{before}", make, inputs, **more)


SMALL = "vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64"


def transformers(name, config, options, inputs=("torch.randint(2, 99, (2, 7))",), result=".last_hidden_state", every=True, **more):
    return Model(f"transformers {name}", "transformers", f"from transformers import {config}, {name}", f"{name}({config}({options}))", inputs,
                 result=result, every=every, **more)


ATTENTION = '''
class Attention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(x), "b n (three h d) -> three b h n d", three=3, h=self.heads)
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") * q.shape[-1] ** -0.5
        return self.out(rearrange(scores.softmax(-1) @ v, "b h n d -> b n (h d)"))
'''
PATCHES = '''
class Patches(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cut = Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)
        self.mix = EinMix("b n c -> b n d", weight_shape="c d", bias_shape="d", c=48, d=32)
        self.token, self.mean = torch.nn.Parameter(torch.zeros(32)), Reduce("b n d -> b d", "mean")

    def forward(self, x):
        y = self.mix(self.cut(x))
        joined, shapes = pack([repeat(self.token, "d -> b d", b=x.shape[0]), y], "b * d")
        token, rest = unpack(joined, shapes, "b * d")
        return self.mean(rest) + token + reduce(rest, "b (n two) d -> b d", "max", two=2)
'''

MODELS = [
    einops("attention", "Attention(32, 4)", ("torch.randn(2, 9, 32)",), ATTENTION),
    einops("patches", "Patches()", ("torch.randn(2, 3, 16, 16)",), PATCHES),
    *(torchvision(name) for name in ("resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1")),
    timm("resnet10t", every=False),
    timm("vit_tiny_patch16_224", ", img_size=64", every=False),
    *(timm(name) for name in ("convnext_atto", "convnext_tiny", "convnextv2_atto", "densenet121", "dla46_c", "edgenext_xx_small", "efficientnet_b0",
                              "efficientnet_lite0", "fastvit_t8", "ghostnet_050", "hrnet_w18_small", "lcnet_050", "mnasnet_small", "mobilenetv3_small_050",
                              "mobilevit_xxs", "nf_regnet_b0", "nfnet_f0", "poolformer_s12", "pvt_v2_b0", "regnetx_002", "regnety_002", "repvgg_a0",
                              "tresnet_m", "xcit_nano_12_p16_224")),
    *(timm(name, ", img_size=64") for name in ("cait_xxs24_224", "coat_lite_tiny", "deit_tiny_patch16_224", "gmlp_s16_224", "levit_128s",
                                               "maxvit_nano_rw_256", "mixer_s32_224", "swin_tiny_patch4_window7_224", "swinv2_tiny_window8_256",
                                               "visformer_tiny", "volo_d1_224")),
    timm("davit_tiny"),
    timm("crossvit_tiny_240"),           # refused: bicubic interpolation
    *(timm(name, size=224) for name in ("efficientformer_l1", "inception_v3")),
    transformers("BertModel", "BertConfig", SMALL, every=False),
]
