"""The models of the suite."""
from dataclasses import replace

from families import FAMILIES
from language import TRANSFORMERS
from model import Model
from vision import VISION


def einops(name, make, inputs, before="", **more):
    return Model(f"einops {name}", "einops", "from einops import einsum, pack, rearrange, reduce, repeat, unpack\n"
                 f"from einops.layers.torch import EinMix, Rearrange, Reduce\n{before}", make, inputs, **more)


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

# One of each kind, beside those that say so of themselves.
OF_CI = {f"transformers {name}" for name in (
    "GPT2LMHeadModel", "LlamaForCausalLM step", "T5Model", "MixtralForCausalLM", "MambaForCausalLM", "ViTModel", "SwinModel", "WhisperModel", "CLIPModel",
    "DebertaV2Model", "Gemma2ForCausalLM eager", "BartModel", "PatchTSTModel")} | {
        "diffusers AutoencoderKL", "diffusers FluxTransformer2DModel", "timm convnext_atto", "timm efficientnet_b0", "timm swin_tiny_patch4_window7_224", "torchvision lraspp_mobilenet_v3_large"}

EVERY = [
    einops("attention", "Attention(32, 4)", ("torch.randn(2, 9, 32)",), ATTENTION),
    einops("patches", "Patches()", ("torch.randn(2, 3, 16, 16)",), PATCHES),
    *VISION,
    *TRANSFORMERS,
    *FAMILIES,
]
MODELS = [replace(model, every=model.every and model.name not in OF_CI) for model in EVERY]
