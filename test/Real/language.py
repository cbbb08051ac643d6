"""Models of transformers, of language, images and sound, with tiny configurations."""
from model import Model

SMALL = "vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64"
DECODER = SMALL + ", num_key_value_heads=2"
VISION = "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32, patch_size=8"
T5 = "vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4"


def transformers(name, config, options, inputs=("torch.randint(2, 99, (2, 7))",), result=".last_hidden_state", every=True, note="", **more):
    return Model(f"transformers {name}{note}", "transformers", f"from transformers import {config}, {name}", f"{name}({config}({options}))", inputs,
                 result=result, every=every, options=("--absent", "torchvision"), **more)    # as where pip installs transformers alone


TRANSFORMERS = [
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
    # Refused: hooks of state dicts; torch.nn.utils.parametrizations.
    transformers("MambaForCausalLM", "MambaConfig", "vocab_size=99, hidden_size=32, num_hidden_layers=2, state_size=8", result=".logits"),
    transformers("Wav2Vec2Model", "Wav2Vec2Config", "hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, conv_dim=(16, 16), "
                 "conv_stride=(4, 2), conv_kernel=(8, 4), num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2", inputs=("torch.randn(1, 400)",)),
]
