"""weights.py [--random]: writes weights.pt, the state dict of the model of classify.py: those of timm's hub, or random ones."""
import sys

import timm
import torch

model = timm.create_model("convnext_atto", pretrained="--random" not in sys.argv)
torch.save(model.state_dict(), "weights.pt")
