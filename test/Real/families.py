"""More models of transformers, by what they have in common: one configuration for all of a group."""
from language import BOTH_TEXTS, DECODER, EXPERTS, GPT, IMAGE, SMALL, SOUND, T5, TEXT_AND_IMAGE, TEXT_PART, VISION, VISION_PART, transformers

ENDS = "pad_token_id=0, bos_token_id=1, eos_token_id=2"
CODER = f"{SMALL}, embedding_size=16, {ENDS}"
HEADS = f"{DECODER}, head_dim=8, {ENDS}"
# Products of groups take rows of 16 bytes.
MIXED = f"{HEADS}, {EXPERTS}, num_local_experts=4, n_routed_experts=4, shared_expert_intermediate_size=16, n_group=1, topk_group=1, first_k_dense_replace=1"
MIXED = MIXED.replace("intermediate_size=37", "intermediate_size=40")
PARTS = ("d_model=32, hidden_size=32, encoder_layers=2, decoder_layers=2, num_decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=40, "
         f"decoder_ffn_dim=40, vocab_size=99, max_position_embeddings=64, {ENDS}, decoder_start_token_id=2")
LATENT = "q_lora_rank=16, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8"
MAMBA = f"vocab_size=99, hidden_size=32, num_hidden_layers=2, state_size=8, {ENDS}"
SSM = "mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8, mamba_chunk_size=4"
SCALES = "hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 2, 1]"
PYRAMID = "hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4]"
WINDOWS = "image_size=32, patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 4], window_size=2"
VIDEO = {"inputs": ("torch.randn(1, 4, 3, 32, 32)",), "names": ("pixel_values",)}
WAVES = {"inputs": ("torch.randn(1, 400)",), "names": ("input_values",)}
PLACES = {"inputs": ("torch.randint(10, 99, (1, 7))", "torch.randint(0, 60, (1, 7, 2)).repeat(1, 1, 2)"), "names": ("input_ids", "bbox")}
EAGER = ', attn_implementation="eager"'


def models(which, options, suffix="Model", **more):
    return [transformers(f"{name}{suffix}", f"{name}Config", options, **more) for name in which.split()]


def generators(which, options, **more):
    return models(which, options, "ForCausalLM", result=".logits", **more)


FAMILIES = [
    # Decoders.
    *generators("Arcee Cwm DiffLlama Dory Ernie4_5 Glm Glm4 HunYuanDenseV1 HyperCLOVAX Jais2 Ministral3 NanoChat Olmo3 SeedOss VaultGemma "
                "Cohere2 Doge Exaone4 GraniteSWA Starcoder2", HEADS),
    *generators("Qwen3 Gemma2", HEADS + EAGER, note=" eager"),
    *generators("OPT", f"vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=40, word_embed_proj_dim=32, {ENDS}"),
    *generators("GPTJ CodeGen", f"{GPT}, rotary_dim=4, {ENDS}"),
    *generators("GPTNeo", f"vocab_size=99, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[['global', 'local'], 1]], window_size=4, {ENDS}"),
    *generators("MiniCPM3", f"{HEADS}, {LATENT}".replace("num_key_value_heads=2", "num_key_value_heads=4").replace("head_dim=8, pad", "pad")),
    *models("CTRL OpenAIGPT", f"{GPT}, dff=40", "LMHeadModel", result=".logits"),
    *generators("GPTNeoXJapanese BioGpt XGLM", f"{SMALL}, d_model=32, num_layers=2, attention_heads=4, ffn_dim=40, {ENDS}"),
    # Decoders that send each token to some of the layers.
    *generators("Mixtral Olmoe GptOss Phimoe FlexOlmo GraniteMoe GraniteMoeShared MiniMax MiniMaxM2 Ernie4_5_Moe Glm4Moe HunYuanMoEV1 ExaoneMoe Cohere2Moe "
                "Afmoe SolarOpen", MIXED),
    *generators("JetMoe", f"{MIXED}, kv_channels=8"),
    *generators("DeepseekV2 DeepseekV3 Glm4MoeLite", f"{MIXED}, {LATENT}".replace("num_key_value_heads=2", "num_key_value_heads=4").replace("head_dim=8, pad", "pad")),
    *generators("Dbrx", "vocab_size=99, d_model=32, n_heads=4, n_layers=2, max_seq_len=64, attn_config=dict(kv_n_heads=2, rope_theta=10000.0, clip_qkv=8.0), "
                "ffn_config=dict(ffn_hidden_size=40, moe_num_experts=4, moe_top_k=2)"),
    *generators("Mixtral", MIXED + ', experts_implementation="eager"', note=" one by one"),
    *generators("Mixtral", MIXED + ', experts_implementation="batched_mm"', note=" batched"),
    # Decoders with a state.
    *generators("Mamba FalconMamba", MAMBA),
    *generators("Mamba2", f"{MAMBA}, num_heads=4, head_dim=16, n_groups=1, chunk_size=4"),
    *generators("Bamba", f"{DECODER}, {ENDS}, {SSM}, attn_layer_indices=[1]"),
    *generators("GraniteMoeHybrid", f"{MIXED}, {SSM}, shared_intermediate_size=16, layer_types=['mamba', 'attention']"),
    *generators("FalconH1", f"{DECODER}, {ENDS}, {SSM}, mamba_d_ssm=64"),
    *generators("Jamba", f"{MIXED}, attn_layer_period=2, attn_layer_offset=1, expert_layer_offset=1, use_mamba_kernels=False"),
    *generators("Zamba", f"{SMALL}, num_key_value_heads=4, {ENDS}, layers_block_type=['mamba', 'hybrid', 'mamba', 'hybrid'], use_mamba_kernels=False".replace("num_hidden_layers=2", "num_hidden_layers=4")),
    *generators("Zamba2", f"{SMALL}, num_key_value_heads=4, {ENDS}, layers_block_type=['mamba', 'hybrid'], use_mamba_kernels=False, mamba_d_state=8, chunk_size=4, "
                "n_mamba_heads=4, adapter_rank=4"),
    *generators("NemotronH", f"{MIXED}, layers_block_type=['mamba', 'attention'], ssm_state_size=8, mamba_num_heads=4, mamba_head_dim=16, n_groups=1, chunk_size=4, "
                "use_mamba_kernels=False"),
    *generators("RecurrentGemma", f"{SMALL}, num_key_value_heads=2, lru_width=32, block_types=['recurrent', 'attention'], {ENDS}"),
    *generators("Qwen3Next", f"{MIXED}, linear_key_head_dim=8, linear_value_head_dim=8, linear_num_key_heads=2, linear_num_value_heads=4, "
                "layer_types=['linear_attention', 'full_attention']"),
    *generators("Lfm2Moe", f"{MIXED}, num_dense_layers=1, layer_types=['conv', 'full_attention']"),
    *generators("AriaText", MIXED),
    transformers("Gemma3ForCausalLM", "Gemma3TextConfig", HEADS, result=".logits"),
    # Encoders.
    *models("Camembert Ernie MegatronBert RemBert RobertaPreLayerNorm RoFormer XLMRobertaXL ConvBert Deberta Gte Nystromformer Splinter", CODER),
    *models("BertGeneration", CODER, "Encoder"),
    *models("Bert Roberta Electra Albert", CODER + EAGER, "ForMaskedLM", result=".logits", note=" eager"),
    *models("Bert Roberta Electra DebertaV2 MPNet", CODER, "ForTokenClassification", result=".logits"),
    *models("Bert Roberta XLMRoberta", CODER, "ForQuestionAnswering", result=".start_logits"),
    *models("Esm", f"{SMALL}, {ENDS}, emb_layer_norm_before=False, position_embedding_type='rotary'"),
    *models("SqueezeBert", f"{SMALL}, embedding_size=32".replace("=37", "=40")),
    *models("EuroBert", HEADS),
    *models("ModernBert", f"{SMALL}, {ENDS}, cls_token_id=1, sep_token_id=2, local_attention=8", "ForMaskedLM", result=".logits"),
    *models("Xmod", f"{SMALL}, {ENDS}, languages=['en_XX'], default_language='en_XX'"),
    *models("Canine", f"{SMALL}, num_hash_buckets=64"),
    *models("LayoutLM Lilt", f"{SMALL.replace('=37', '=40').replace('size=32', 'size=48')}, max_2d_position_embeddings=64", **PLACES),
    *models("BigBird FNet", CODER),
    *models("XLM Flaubert", f"vocab_size=99, emb_dim=32, n_layers=2, n_heads=4, max_position_embeddings=64, {ENDS}"),
    # Encoders with decoders.
    *models("Blenderbot BlenderbotSmall M2M100 MBart Mvp Pegasus PegasusX PLBart BigBirdPegasus", PARTS, "ForConditionalGeneration", result=".logits", **BOTH_TEXTS),
    *models("ProphetNet", f"{SMALL.replace('num_hidden_layers=2, ', '')}, {ENDS}, num_encoder_layers=2, num_decoder_layers=2, num_encoder_attention_heads=4, num_decoder_attention_heads=4",
            "ForConditionalGeneration", result=".logits", **BOTH_TEXTS),
    *models("Marian", PARTS, "MTModel", result=".logits", **BOTH_TEXTS),
    *models("NllbMoe", f"{PARTS}, num_experts=4, encoder_sparse_step=2, decoder_sparse_step=2", "ForConditionalGeneration", result=".logits", **BOTH_TEXTS),
    *models("MT5 LongT5", f"{T5}, num_decoder_layers=2, decoder_start_token_id=0", "ForConditionalGeneration", result=".logits", **BOTH_TEXTS),
    *models("Bart", PARTS + EAGER, "ForConditionalGeneration", result=".logits", note=" eager", **BOTH_TEXTS),
    # Images and videos.
    *models("Beit Data2VecVision DeiT Dinov2 IJepa ViTMSN", VISION, "ForImageClassification", result=".logits", inputs=IMAGE),
    *models("ViT", VISION + EAGER, inputs=IMAGE, note=" eager"),
    *models("ViTMAE", VISION, inputs=(*IMAGE, "torch.rand(1, 16)"), names=("pixel_values", "noise")),
    *models("Yolos", VISION.replace("image_size=32", "image_size=[32, 32]") + ", num_detection_tokens=5", inputs=IMAGE),
    *models("ConvNextV2 ResNet RegNet", f"{SCALES}, embedding_size=8, groups_width=8, patch_size=4", inputs=IMAGE),
    *models("ResNet", f"{SCALES}, embedding_size=8, layer_type='basic'", inputs=IMAGE, note=" basic"),
    *models("Bit", f"{SCALES}, embedding_size=8, num_groups=4", inputs=IMAGE),
    *models("Segformer PvtV2 GLPN", PYRAMID, inputs=IMAGE),
    *models("Pvt", f"{PYRAMID}, image_size=32", inputs=IMAGE),
    *models("Segformer", f"{PYRAMID}, decoder_hidden_size=16", "ForSemanticSegmentation", result=".logits", inputs=IMAGE),
    *models("Swinv2 DonutSwin MaskFormerSwin", WINDOWS, inputs=IMAGE),
    *models("FocalNet", "image_size=32, patch_size=2, embed_dim=8, hidden_sizes=[8, 16], depths=[1, 1], focal_levels=[2, 2], focal_windows=[3, 3]", inputs=IMAGE),
    *models("Hiera", "image_size=[32, 32], patch_size=[7, 7], embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2]", inputs=IMAGE),
    *models("Levit", "image_size=64, hidden_sizes=[16, 24, 32], num_attention_heads=[2, 2, 4], depths=[1, 1, 1], key_dim=[8, 8, 8]", inputs=("torch.randn(1, 3, 64, 64)",)),
    *models("MobileNetV1", "image_size=32, depth_multiplier=0.25", inputs=IMAGE),
    *models("MobileNetV2", "image_size=32, depth_multiplier=0.35", inputs=IMAGE),
    *models("MobileViT", "image_size=32, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 24, 32]", inputs=IMAGE),
    *models("MobileViTV2", "image_size=64, width_multiplier=0.25", inputs=("torch.randn(1, 3, 64, 64)",)),
    *models("SwiftFormer", "image_size=64, embed_dims=[8, 16, 24, 32], depths=[1, 1, 1, 1]", inputs=("torch.randn(1, 3, 64, 64)",)),
    *models("TextNet", "image_size=[64, 64], stem_out_channels=8, hidden_sizes=[8, 8, 16, 16, 24]", inputs=("torch.randn(1, 3, 64, 64)",)),
    *models("EfficientNet", "image_size=64, width_coefficient=0.25, depth_coefficient=0.3, hidden_dim=320", inputs=("torch.randn(1, 3, 64, 64)",)),
    *models("VideoMAE", f"{VISION}, num_frames=4", **VIDEO),
    *models("Vivit", f"{VISION}, num_frames=4, tubelet_size=[2, 8, 8]", **VIDEO),
    *models("Timesformer", f"{VISION}, num_frames=4", **VIDEO),
    # Sound.
    *models("Hubert UniSpeech UniSpeechSat WavLM Data2VecAudio Wav2Vec2Conformer", f"{SOUND}, vocab_size=30", "ForCTC", result=".logits", **WAVES),
    *models("SEW SEWD", f"{SOUND}, vocab_size=30, squeeze_factor=2", "ForCTC", result=".logits", **WAVES),
    *models("Wav2Vec2", f"{SOUND}, classifier_proj_size=16, num_labels=3", "ForSequenceClassification", result=".logits", **WAVES),
    *models("Wav2Vec2Bert", f"{SMALL}, feature_projection_input_dim=16, conv_depthwise_kernel_size=7, output_hidden_size=32", inputs=("torch.randn(1, 20, 16)",), names=("input_features",)),
    *models("AST", f"{SMALL}, patch_size=8, max_length=40, num_mel_bins=16", inputs=("torch.randn(1, 40, 16)",)),
    *models("Speech2Text", f"{PARTS}, num_conv_layers=2, conv_channels=16, input_feat_per_channel=16, max_source_positions=60, max_target_positions=20",
            inputs=("torch.randn(1, 40, 16)", "torch.randint(4, 99, (1, 5))"), names=("input_features", "decoder_input_ids")),
    *models("Moonshine", "vocab_size=99, hidden_size=32, intermediate_size=40, encoder_num_hidden_layers=2, decoder_num_hidden_layers=2, encoder_num_attention_heads=4, "
            "decoder_num_attention_heads=4, max_position_embeddings=64", inputs=("torch.randn(1, 1000)", "torch.randint(4, 99, (1, 5))"), names=("input_values", "decoder_input_ids")),
    transformers("ParakeetEncoder", "ParakeetEncoderConfig", f"{SMALL}, num_mel_bins=16, subsampling_conv_channels=8", inputs=("torch.randn(1, 40, 16)",)),
    # Both.
    *models("CLIP ChineseCLIP", f"text_config={TEXT_PART}, vision_config={VISION_PART}, projection_dim=16", result=".logits_per_image", **TEXT_AND_IMAGE),
    *models("CLIP", f"text_config={TEXT_PART}, vision_config={VISION_PART}, projection_dim=16" + EAGER, result=".logits_per_image", note=" eager", **TEXT_AND_IMAGE),
    # It draws patches by torch.multinomial.
    *models("Vilt", f"{SMALL}, image_size=32, patch_size=8", draws=True, **TEXT_AND_IMAGE),
    *models("Blip", f"text_config=dict({SMALL}, {ENDS}), vision_config={VISION_PART}, projection_dim=16", "ForConditionalGeneration", result=".logits",
            inputs=(*IMAGE, "torch.randint(10, 99, (1, 7))"), names=("pixel_values", "input_ids")),
    *models("Git", f"{SMALL}, {ENDS}, vision_config={VISION_PART}", **TEXT_AND_IMAGE),
    *models("VisualBert", f"{SMALL}, visual_embedding_dim=16", inputs=("torch.randint(10, 99, (1, 7))", "torch.randn(1, 3, 16)"), names=("input_ids", "visual_embeds")),
    *models("Lxmert", f"{SMALL}, l_layers=1, x_layers=1, r_layers=1, visual_feat_dim=16", result=".pooled_output",
            inputs=("torch.randint(10, 99, (1, 7))", "torch.randn(1, 3, 16)", "torch.rand(1, 3, 4)"), names=("input_ids", "visual_feats", "visual_pos")),
    # Series.
    *models("PatchTST", "d_model=16, num_hidden_layers=2, ffn_dim=20, patch_length=4, patch_stride=4", inputs=("torch.randn(2, 32, 1)",), names=("past_values",)),
    *models("PatchTSMixer", "d_model=8, num_layers=2", inputs=("torch.randn(2, 32, 1)",), names=("past_values",)),
]
