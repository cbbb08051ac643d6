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
    names: tuple = ()                  # of the module's parameters; none: by position
    options: tuple = ()                # of `ptc compile`

    def wrapper(self):
        names = [f"x{n}" for n in range(len(self.inputs))]
        given = [f"{parameter}={name}" for parameter, name in zip(self.names, names)] or names
        return (f"import torch\n{self.before}\n\n\n"
                "class Net(torch.nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                f"        self.net = {self.make}\n\n"
                f"    def forward(self, {', '.join(names)}):\n"
                f"        y = self.net({', '.join(given)})\n"
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


DECODER = SMALL + ", num_key_value_heads=2"
VISION = "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32, patch_size=8"
T5 = "vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4"


def transformers(name, config, options, inputs=("torch.randint(2, 99, (2, 7))",), result=".last_hidden_state", every=True, note="", **more):
    return Model(f"transformers {name}{note}", "transformers", f"from transformers import {config}, {name}", f"{name}({config}({options}))", inputs,
                 result=result, every=every, options=("--absent", "torchvision"), **more)    # as where pip installs transformers alone


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
    transformers("BertModel", "BertConfig", SMALL + ', attn_implementation="eager"', note=" eager"),
    transformers("LlamaForCausalLM", "LlamaConfig", DECODER + ', attn_implementation="eager"', result=".logits", note=" eager"),
    *(transformers(f"{name}Model", f"{name}Config", SMALL) for name in ("Roberta", "MPNet", "XLMRoberta", "DebertaV2", "CLIPText")),
    *(transformers(f"BertFor{name}", "BertConfig", SMALL, result=".logits") for name in ("MaskedLM", "SequenceClassification")),
    transformers("GPTNeoXForCausalLM", "GPTNeoXConfig", SMALL, result=".logits"),
    transformers("OPTModel", "OPTConfig", "vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=37, max_position_embeddings=64, word_embed_proj_dim=32"),
    *(transformers(f"{name}Model", f"{name}Config", SMALL + ", embedding_size=16") for name in ("Albert", "Electra")),
    transformers("DistilBertModel", "DistilBertConfig", "vocab_size=99, dim=32, n_layers=2, n_heads=4, hidden_dim=37, max_position_embeddings=64"),
    transformers("GPT2LMHeadModel", "GPT2Config", "vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64", result=".logits"),
    transformers("T5EncoderModel", "T5Config", T5),
    transformers("T5Model", "T5Config", T5, inputs=("torch.randint(2, 99, (2, 7))", "torch.randint(2, 99, (2, 5))"), names=("input_ids", "decoder_input_ids")),
    *(transformers(f"{name}ForCausalLM", f"{name}Config", DECODER, result=".logits") for name in ("Llama", "Mistral", "Qwen2")),
    *(transformers(f"{name}ForCausalLM", f"{name}Config", DECODER + ", head_dim=8", result=".logits") for name in ("Gemma", "Qwen3")),
    transformers("Phi3ForCausalLM", "Phi3Config", DECODER + ", pad_token_id=1", result=".logits"),
    *(transformers(f"{name}Model", f"{name}Config", VISION, inputs=("torch.randn(1, 3, 32, 32)",)) for name in ("ViT", "DeiT", "CLIPVision")),
    transformers("ConvNextModel", "ConvNextConfig", "hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1]", inputs=("torch.randn(1, 3, 32, 32)",)),
    transformers("SwinModel", "SwinConfig", "image_size=32, patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 4], window_size=2",
                 inputs=("torch.randn(1, 3, 32, 32)",)),
    transformers("WhisperModel", "WhisperConfig", "vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, "
                 "decoder_attention_heads=4, encoder_ffn_dim=37, decoder_ffn_dim=37, num_mel_bins=16, max_source_positions=20, max_target_positions=20, "
                 "pad_token_id=1, bos_token_id=2, eos_token_id=3, decoder_start_token_id=2",
                 inputs=("torch.randn(1, 16, 40)", "torch.randint(4, 99, (1, 5))"), names=("input_features", "decoder_input_ids")),
    # Refused: a flag of attention that data decides; hooks of state dicts; torch.nn.utils.parametrizations.
    transformers("BartModel", "BartConfig", "vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, "
                 "decoder_attention_heads=4, encoder_ffn_dim=37, decoder_ffn_dim=37, max_position_embeddings=64"),
    transformers("MambaForCausalLM", "MambaConfig", "vocab_size=99, hidden_size=32, num_hidden_layers=2, state_size=8", result=".logits"),
    transformers("Wav2Vec2Model", "Wav2Vec2Config", "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, conv_dim=(16, 16), "
                 "conv_stride=(4, 2), conv_kernel=(8, 4), num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2", inputs=("torch.randn(1, 400)",)),
]
