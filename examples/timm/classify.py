"""The model as timm makes it. Compiled with weights of its own (weights.py), so none are made here."""
import timm

model = timm.create_model("convnext_atto").eval()
