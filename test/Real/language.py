"""Models of transformers, of language, images and sound, with tiny configurations."""
from importlib.util import find_spec
from pathlib import Path

from model import BATCHES, DECLARED, Model

# Where PyTorch is, as pip puts it beside transformers, and without torchvision.
BESIDE = ("--absent", "torchvision", "-I", str(Path(find_spec("torch").origin).parents[1]))

SMALL = "vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64"
DECODER = SMALL + ", num_key_value_heads=2"
VISION = "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32, patch_size=8"
EXPERTS = "moe_intermediate_size=16, num_experts_per_tok=2, num_experts=4"
GPT = "vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64"
SOUND = ("hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, conv_dim=(16, 16), conv_stride=(4, 2), conv_kernel=(8, 4), "
         "num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2, num_feat_extract_layers=2")
TEXT_PART = f"dict({SMALL}, bos_token_id=2, eos_token_id=3)"
VISION_PART = f"dict({VISION})"
IMAGE = ("torch.randn(1, 3, 32, 32)",)
BOTH_TEXTS = {"inputs": ("torch.randint(10, 99, (2, 7))", "torch.randint(10, 99, (2, 5))"), "names": ("input_ids", "decoder_input_ids")}
TEXT_AND_IMAGE = {"inputs": ("torch.randint(10, 99, (1, 7))", *IMAGE), "names": ("input_ids", "pixel_values")}
T5 = "vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4"

STATES = "output_hidden_states=True, output_attentions=True"
STATES_ONLY = "[:0] + (y.last_hidden_state, y.hidden_states, y.attentions)"


# What all models import is run once (run.py).
IMPORTS = """import transformers
from transformers import DynamicCache, GenerationMixin, PreTrainedModel
from transformers.modeling_layers import GradientCheckpointingLayer
"""


def transformers(name, config, options, inputs=("torch.randint(2, 99, (2, 7))",), result=".last_hidden_state", every=True, note="", without=(), **more):
    absent = [word for name in without for word in ("--absent", name)]
    return Model(f"transformers {name}{note}", "transformers", IMPORTS, f"transformers.{name}(transformers.{config}({options}))", inputs,
                 result=result, every=every, options=(*BESIDE, *absent), **more)


# A step of decoding: what earlier ones left comes as arguments, and goes on as results.
STEP = """

class Step(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, *past):
        cache = DynamicCache()
        for n in range(0, len(past), 2):
            cache.update(past[n], past[n + 1], n // 2)
        y = self.net(x, cache=cache, use_cache=True)
        return y.logits, [(layer.keys, layer.values) for layer in y.cache.layers]
"""


PADDED = "(torch.arange(L[1]) * L[0] < (torch.arange(L[0])[:, None] + 1) * L[1]).long()"

TRANSFORMERS = [
    Model("transformers LlamaForCausalLM step", "transformers", IMPORTS + STEP,
          f"Step(transformers.LlamaForCausalLM(transformers.LlamaConfig({DECODER})))", ("torch.randint(2, 99, (1, 1))", *4 * ("torch.randn(1, 2, 5, 8)",)), every=True, options=BESIDE),
    # A step with a cache of any length.
    *(Model(f"transformers {name} steps", "transformers", IMPORTS + STEP, f"Step(transformers.{name}(transformers.{config}))",
            ("torch.randint(2, 99, (1, 1))", *4 * (f"torch.randn(1, {heads}, L, 8)",)), every=True, options=BESIDE, lengths=(5, 1, 17, 31),
            declared=("x0=i64[1,1]", *(f"x{n}=f32[1,{heads},{'L in 1..32' if n == 1 else 'L'},8]" for n in range(1, 5))))
      for name, config, heads in (("GPT2LMHeadModel", f"GPT2Config({GPT})", 4), ("LlamaForCausalLM", f"LlamaConfig({DECODER})", 2))),
    # Texts of any number and length, the first ones padded.
    *(transformers(name, config, options, ("torch.randint(2, 99, (L[0], L[1]))", PADDED), result, every=False, note=", padded, all sizes",
                   names=("input_ids", "attention_mask"), lengths=BATCHES, declared=(f"x0=i64[{','.join(DECLARED)}]", "x1=i64[B,T]"))
      for name, config, options, result in (("LlamaForCausalLM", "LlamaConfig", DECODER, "[:0] + (y.logits, y.cache.layers[1].keys)"),
                                            ("T5EncoderModel", "T5Config", T5, ".last_hidden_state"))),
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
    transformers("BartModel", "BartConfig", "vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, "
                 "decoder_attention_heads=4, encoder_ffn_dim=37, decoder_ffn_dim=37, max_position_embeddings=64"),
    *(transformers(f"{name}ForCausalLM", f"{name}Config", DECODER, result=".logits")
      for name in ("Olmo", "Olmo2", "Phi", "Cohere", "Granite", "BitNet", "Apertus", "StableLm", "Persimmon")),
    *(transformers(f"{name}ForCausalLM", f"{name}Config", DECODER + ", head_dim=8", result=".logits") for name in ("Helium", "Nemotron", "Gemma2", "Ministral")),
    transformers("SmolLM3ForCausalLM", "SmolLM3Config", DECODER + ", pad_token_id=1, layer_types=['full_attention', 'full_attention']", result=".logits"),
    transformers("Qwen2MoeForCausalLM", "Qwen2MoeConfig", f"{DECODER}, {EXPERTS}, shared_expert_intermediate_size=16", result=".logits"),
    transformers("Qwen3MoeForCausalLM", "Qwen3MoeConfig", f"{DECODER}, {EXPERTS}, head_dim=8", result=".logits"),
    transformers("FalconForCausalLM", "FalconConfig", SMALL, result=".logits"),
    transformers("BloomForCausalLM", "BloomConfig", "vocab_size=99, hidden_size=32, n_layer=2, n_head=4", result=".logits"),
    transformers("MptForCausalLM", "MptConfig", "vocab_size=99, d_model=32, n_heads=4, n_layers=2, max_seq_len=64", result=".logits"),
    transformers("GPTBigCodeForCausalLM", "GPTBigCodeConfig", GPT, result=".logits"),
    transformers("Lfm2ForCausalLM", "Lfm2Config", DECODER + ", layer_types=['conv', 'full_attention']", result=".logits"),
    transformers("Data2VecTextForCausalLM", "Data2VecTextConfig", SMALL, result=".logits"),
    transformers("IBertModel", "IBertConfig", SMALL),
    transformers("MobileBertModel", "MobileBertConfig", SMALL + ", embedding_size=16"),
    transformers("XLNetModel", "XLNetConfig", "vocab_size=99, d_model=32, n_layer=2, n_head=4, d_inner=37"),
    transformers("UMT5Model", "UMT5Config", T5 + ", num_decoder_layers=2", **BOTH_TEXTS),
    transformers("SwitchTransformersModel", "SwitchTransformersConfig", T5 + ", num_decoder_layers=2, num_experts=4", **BOTH_TEXTS),
    transformers("Dinov2WithRegistersModel", "Dinov2WithRegistersConfig", VISION, inputs=IMAGE),
    transformers("PoolFormerModel", "PoolFormerConfig", "patch_size=8, depths=[1, 1, 1, 1], hidden_sizes=[8, 16, 24, 32]", inputs=IMAGE),
    transformers("SiglipModel", "SiglipConfig", f"text_config={TEXT_PART}, vision_config={VISION_PART}", result=".logits_per_image", **TEXT_AND_IMAGE),
    *(transformers(f"{name}Model", f"{name}Config", f"text_config={TEXT_PART}, vision_config={VISION_PART}, projection_dim=16", result=".logits_per_image",
                   **TEXT_AND_IMAGE) for name in ("Aimv2", "AltCLIP", "CLIPSeg")),
    transformers("Wav2Vec2Model", "Wav2Vec2Config", SOUND, inputs=("torch.randn(1, 400)",)),
    transformers("GlmAsrEncoder", "GlmAsrEncoderConfig", "hidden_size=32, intermediate_size=37, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, "
                 "max_position_embeddings=64, num_mel_bins=16", inputs=("torch.randn(1, 16, 40)",)),
    # What layers gave and saw, by hooks that the first call puts in.
    *(transformers(f"{name}Model", f"{name}Config", f'{options}, attn_implementation="eager"', note=" states", also=STATES, **{"result": ".to_tuple()", **more})
      for name, options, more in (("Bert", SMALL, {}), ("GPT2", GPT + ", use_cache=False", {}), ("T5", T5 + ", use_cache=False", BOTH_TEXTS), ("ViT", VISION, {"inputs": IMAGE}),
                                  ("Llama", DECODER, {"result": STATES_ONLY}))),
    # As they are trained: BERT base, GPT-2, DistilBERT, T5 small.
    *(transformers(name, f"{name.removesuffix('Model').removesuffix('LMHead')}Config", "", result=result, note=" of full size", inputs=("torch.randint(2, 999, (1, 16))",))
      for name, result in (("BertModel", ".last_hidden_state"), ("GPT2LMHeadModel", ".logits"), ("DistilBertModel", ".last_hidden_state"))),
    transformers("T5Model", "T5Config", "", note=" of full size", inputs=("torch.randint(2, 999, (1, 16))", "torch.randint(2, 999, (1, 4))"), names=BOTH_TEXTS["names"]),
    # It asks a subprocess whether ninja is there.
    transformers("RwkvForCausalLM", "RwkvConfig", "vocab_size=99, hidden_size=32, attention_hidden_size=32, intermediate_size=37, num_hidden_layers=2", result=".logits",
                 without=("program:ninja",)),
]
