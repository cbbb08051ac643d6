"""Models of torchvision, timm and diffusers."""
from model import Model

IMAGE = ("torch.randn(1, 3, 64, 64)",)


# torchvision ------------------------------------------------------------------------------------------------


def torchvision(name, inputs=IMAGE, options="", result="", every=True, package="", before="", around="{}"):
    made = f"torchvision.models.{package + '.' if package else ''}{name}(weights=None{options})"
    return Model(f"torchvision {name}", "torchvision", f"import torchvision\n{before}", around.format(made), inputs, result, every)


def segmentation(name, options="", result="['out']"):
    return torchvision(name, options=f", weights_backbone=None{options}", result=result, package="segmentation")


def video(name, size, frames=4):
    return torchvision(name, (f"torch.randn(1, 3, {frames}, {size}, {size})",), package="video")


def flow(name):
    return torchvision(name, ("torch.randn(1, 3, 128, 128)", "torch.randn(1, 3, 128, 128)"), package="optical_flow")


# These take a list of images, and give a dict for each. What is set here is what fewer boxes, or smaller images, need.
DETECT = '''
class Detect(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, *images):
        return self.net(list(images))
'''


def detection(name, options, inputs=("torch.rand(3, 64, 96)",)):
    return torchvision(name, inputs, f", weights_backbone=None, {options}", package="detection", before=DETECT, around="Detect({})")


SCORES = "num_classes=4, score_thresh={}, topk_candidates=30, detections_per_img=10"
PROPOSALS = "num_classes={}, min_size=64, max_size=96, rpn_pre_nms_top_n_test=50, rpn_post_nms_top_n_test=20, box_score_thresh={}"
OPERATORS = '''

class Keep(torch.nn.Module):
    def forward(self, x, scores, kinds, image):
        boxes = torch.cat([x[:, :2], x[:, :2] + x[:, 2:]], 1)
        kept = torchvision.ops.nms(boxes, scores, 0.3)
        pooled = torchvision.ops.roi_align(image, [boxes[:7] * 8, boxes[7:9] * 5 - 2], (3, 2), 0.9, 2)
        shifted = torchvision.ops.roi_align(image, [boxes[:3] * 6, boxes[7:9] * 5], 5, 0.5, 3, True)
        return boxes[kept], kept, torchvision.ops.batched_nms(boxes, scores, kinds, 0.3), pooled, shifted
'''
TORCHVISION = [
    *(torchvision(name, every=False) for name in ("resnet18", "mobilenet_v3_small", "shufflenet_v2_x0_5", "squeezenet1_1")),
    Model("torchvision operators", "torchvision", f"import torchvision\n{OPERATORS}", "Keep()",
          ("torch.rand(60, 4)", "torch.rand(60)", "torch.randint(0, 3, (60,))", "torch.rand(2, 3, 12, 10)")),
    *(torchvision(name) for name in ("alexnet", "convnext_tiny", "densenet121", "efficientnet_b0", "efficientnet_v2_s", "mnasnet0_5",
                                     "mobilenet_v2", "mobilenet_v3_large", "regnet_x_400mf", "regnet_y_400mf", "resnext50_32x4d", "resnet50",
                                     "wide_resnet50_2", "swin_t", "swin_v2_t", "vgg11_bn", "vgg11")),
    torchvision("googlenet", options=", init_weights=False"),
    torchvision("inception_v3", ("torch.randn(1, 3, 96, 96)",), ", init_weights=False"),
    torchvision("vit_b_32", options=", image_size=64"),
    torchvision("maxvit_t", ("torch.randn(1, 3, 224, 224)",)),
    *(segmentation(name) for name in ("deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50")),
    segmentation("deeplabv3_resnet50", ", aux_loss=True", "['out'], y['aux']"),
    *(video(name, 32) for name in ("mc3_18", "r3d_18", "r2plus1d_18")),
    video("s3d", 224, 16),
    *(video(name, 224, 16) for name in ("mvit_v1_b", "mvit_v2_s")),
    video("swin3d_t", 64),
    *(flow(name) for name in ("raft_small", "raft_large")),
    *(detection(name, SCORES.format(0.3)) for name in ("ssdlite320_mobilenet_v3_large", "ssd300_vgg16")),
    *(detection(name, f"{SCORES.format(0.01)}, min_size=64, max_size=96")
      for name in ("retinanet_resnet50_fpn", "retinanet_resnet50_fpn_v2", "fcos_resnet50_fpn")),
    # maskrcnn is refused: a mask is pasted where, and as large as, data say.
    *(detection(name, PROPOSALS.format(4, 0.2)) for name in ("fasterrcnn_mobilenet_v3_large_320_fpn", "fasterrcnn_resnet50_fpn_v2",
                                                             "maskrcnn_resnet50_fpn")),
    detection("fasterrcnn_resnet50_fpn", PROPOSALS.format(4, 0.2), ("torch.rand(3, 64, 96)", "torch.rand(3, 80, 60)")),
    detection("keypointrcnn_resnet50_fpn", f"{PROPOSALS.format(2, 0.0)}, box_detections_per_img=5"),
]


# timm -------------------------------------------------------------------------------------------------------


def timm(name, options="", size=64, every=True, note="", **more):
    return Model(f"timm {name}{note}", "timm", "import timm", f"timm.create_model({name!r}, pretrained=False{options})", (f"torch.randn(1, 3, {size}, {size})",),
                 every=every, **more)


# One of every family, and more of those with several kinds; by what they are given.
ANY_SIZE = (
    "caformer_s18 convmixer_768_32 convnext_atto convnext_tiny convnextv2_atto cpubone_b0_bfrobust cs3darknet_focus_s csatv2 "
    "cspnext_tiny davit_tiny densenet121 densenetblur121d dla34 dla46_c dpn48b eca_nfnet_l0 edgenext_xx_small efficientnet_b0 "
    "efficientnet_b0_gn efficientnet_lite0 efficientvim_m1 efficientvit_b0 fasternet_t0 fastvit_t8 fbnetv3_b focalnet_tiny_srf "
    "ghostnet_050 ghostnetv2_100 hardcorenas_a hgnet_tiny hrnet_w18_small hrnet_w18_ssld iformer_t inception_next_atto lcnet_050 "
    "lcnetv2_small legacy_seresnet18 lowformer_b0 mambaout_femto mnasnet_small mobilenetv3_small_050 mobilenetv5_300m mobilevit_xxs "
    "mobilevitv2_050 nextvit_small nf_regnet_b0 nfnet_f0 poolformer_s12 pvt_v2_b0 pvt_v2_b2_li rdnet_tiny regnetv_040 regnetx_002 "
    "regnety_002 repghostnet_050 repvgg_a0 repvit_m0_9 res2net50_14w_8s resnest14d resnet18d resnetv2_18d rexnet_100 selecsls42 "
    "sequencer2d_s shvit_s1 skresnet18 starnet_s050 swiftformer_xs tresnet_m twins_pcpvt_small vgg11_bn vovnet39a "
    "xcit_nano_12_p16_224")
IMG_SIZE = (
    "beit_base_patch16_224 cait_xxs24_224 coat_lite_tiny coatnet_nano_rw_224 convit_tiny deit3_small_patch16_224 "
    "deit_tiny_patch16_224 gmixer_12_224 gmlp_s16_224 hiera_tiny_224 levit_128s maxvit_nano_rw_256 mixer_s32_224 mvitv2_tiny "
    "naflexvit_base_patch16_gap pit_ti_224 swin_tiny_patch4_window7_224 swinv2_cr_tiny_224 swinv2_tiny_window8_256 visformer_tiny "
    "volo_d1_224")
TIMM = [
    timm("resnet10t", every=False),
    timm("vit_tiny_patch16_224", ", img_size=64", every=False),
    *(timm(name) for name in ANY_SIZE.split()),
    *(timm(name, ", img_size=64") for name in IMG_SIZE.split()),
    *(timm(name, ", img_size=56", 56)
      for name in "eva02_tiny_patch14_224".split()),
    *(timm(name, size=96) for name in "inception_resnet_v2 inception_v4 nasnetalarge pnasnet5large xception xception41p".split()),
    *(timm(name, size=224)
      for name in "efficientformer_l1 inception_v3 efficientvit_m0 nest_tiny efficientformerv2_s0 tiny_vit_5m_224 gcvit_xxtiny coat_mini".split()),
    *(timm(name, ", img_size=64") for name in "qwen3_vit_88m test_vit_relpos tnt_s_legacy_patch16_224 vit_tiny_r_s16_p8_224 vitamin_small_224".split()),
    *(timm(name, ", depth=3", size, note=" of 3 layers")
      for name, size in (("deepseek_vit_412m", 56), ("gemma4_vit_167m", 96), ("samvit_base_patch16_224", 224))),
    *(timm(name, size=240) for name in "crossvit_tiny_240".split()),
    *(timm(name, size=256) for name in "botnet26t_256 hieradet_small".split()),
    # As they are trained.
    *(timm(name, size=224, note=" of 224") for name in "resnet50 vit_base_patch16_224 convnext_tiny efficientnet_b0 swin_tiny_patch4_window7_224 mobilenetv3_large_100".split()),
]


# diffusers --------------------------------------------------------------------------------------------------


def diffusers(name, options, inputs, result=".sample"):
    return Model(f"diffusers {name}", "diffusers", f"from diffusers import {name}", f"{name}({options})", inputs, result, True)


def scheduler(name, starts=" * self.scheduler.init_noise_sigma", scaled="self.scheduler.scale_model_input(x, t)", again="", note=""):
    """Four steps with a network of one layer."""
    return Model(f"diffusers {name}{note}", "diffusers", f"from diffusers import {name}\n" + STEPS.format(starts=starts, scaled=scaled, again=again), f"Steps({name}())",
                 ("torch.randn(1, 4, 8, 8)",), "", name not in ("DDIMScheduler",))


STEPS = '''

class Steps(torch.nn.Module):
    def __init__(self, scheduler):
        super().__init__()
        self.scheduler, self.net = scheduler, torch.nn.Conv2d(4, 4, 3, padding=1)
        self.scheduler.set_timesteps(4)

    def forward(self, x):
        torch.manual_seed(3){again}
        x = x{starts}
        for t in self.scheduler.timesteps:
            x = self.scheduler.step(self.net({scaled}), t, x).prev_sample
        return x
'''
FLUX = '''

class Flux(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = FluxTransformer2DModel(patch_size=1, in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
                                          num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=(4, 4, 8))

    def forward(self, x, text, pooled, t):
        places = torch.stack([torch.zeros(16), torch.arange(16) // 4, torch.arange(16) % 4], dim=-1)
        return self.net(x, text, pooled, t, img_ids=places, txt_ids=torch.zeros(7, 3)).sample
'''
CODER = ("down_block_types=('DownEncoderBlock2D', 'DownEncoderBlock2D'), up_block_types=('UpDecoderBlock2D', 'UpDecoderBlock2D'), "
         "block_out_channels=(32, 64), norm_num_groups=8, latent_channels={}")
DIFFUSERS = [
    diffusers("UNet2DModel", "sample_size=32, in_channels=3, out_channels=3, layers_per_block=1, block_out_channels=(32, 64), norm_num_groups=8, "
              "down_block_types=('DownBlock2D', 'AttnDownBlock2D'), up_block_types=('AttnUpBlock2D', 'UpBlock2D')",
              ("torch.randn(1, 3, 32, 32)", "torch.tensor(7)")),
    diffusers("UNet2DConditionModel", "sample_size=16, in_channels=4, out_channels=4, layers_per_block=1, block_out_channels=(32, 64), "
              "norm_num_groups=8, down_block_types=('DownBlock2D', 'CrossAttnDownBlock2D'), up_block_types=('CrossAttnUpBlock2D', 'UpBlock2D'), "
              "cross_attention_dim=32, attention_head_dim=8", ("torch.randn(1, 4, 16, 16)", "torch.tensor(7)", "torch.randn(1, 5, 32)")),
    diffusers("AutoencoderKL", CODER.format(4), ("torch.randn(1, 3, 32, 32)",)),
    diffusers("VQModel", CODER.format(3), ("torch.randn(1, 3, 32, 32)",)),
    diffusers("DiTTransformer2DModel", "num_attention_heads=2, attention_head_dim=16, in_channels=4, out_channels=8, num_layers=2, sample_size=8, "
              "num_embeds_ada_norm=10", ("torch.randn(1, 4, 8, 8)", "torch.tensor([7])", "torch.tensor([3])")),
    diffusers("SD3Transformer2DModel", "sample_size=16, patch_size=2, in_channels=4, num_layers=2, attention_head_dim=8, num_attention_heads=4, "
              "joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=64, out_channels=4, pos_embed_max_size=16",
              ("torch.randn(1, 4, 16, 16)", "torch.randn(1, 7, 32)", "torch.randn(1, 64)", "torch.tensor([7])")),
    Model("diffusers FluxTransformer2DModel", "diffusers", f"from diffusers import FluxTransformer2DModel\n{FLUX}", "Flux()",
          ("torch.randn(1, 16, 4)", "torch.randn(1, 7, 32)", "torch.randn(1, 32)", "torch.tensor([0.5])"), every=True),
    *(scheduler(name) for name in ("DDIMScheduler", "DDPMScheduler", "DEISMultistepScheduler", "DPMSolverMultistepScheduler",
                                   "EulerAncestralDiscreteScheduler", "EulerDiscreteScheduler", "HeunDiscreteScheduler",
                                   "UniPCMultistepScheduler")),
    # Refused: results of steps of which the call before has left none to four; pipelines set the steps in each call.
    scheduler("PNDMScheduler"),
    *(scheduler(name, again="\n        self.scheduler.set_timesteps(4)", note=" set in the call") for name in ("PNDMScheduler", "UniPCMultistepScheduler")),
    scheduler("FlowMatchEulerDiscreteScheduler", "", "x"),
]

VISION = [*TORCHVISION, *TIMM, *DIFFUSERS]
