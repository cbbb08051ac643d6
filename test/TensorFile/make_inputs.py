# Makes Inputs/: what NumPy, safetensors and torch.save themselves write. Run by hand with torch
# 2.13, numpy and safetensors; the results are checked in.
import io
import os
import pickle
import zipfile

import numpy
import safetensors.torch
import torch

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
numpy.save("f4_2x3.npy", numpy.arange(6, dtype="<f4").reshape(2, 3))
numpy.save("big_i2_fortran.npy", numpy.asfortranarray(numpy.arange(6, dtype=">i2").reshape(2, 3)))
numpy.save("scalar_c16.npy", numpy.array(1 + 2j))
numpy.save("u2.npy", numpy.arange(3, dtype="<u2"))
safetensors.torch.save_file(
    {"w": torch.arange(6, dtype=torch.bfloat16).reshape(2, 3), "b": torch.tensor([True, False]),
     "n": torch.tensor(7)}, "mixed.safetensors", metadata={"format": "pt"})
weight = torch.arange(6.0).reshape(2, 3)
torch.save({"a.weight": weight, "b.weight": torch.nn.Parameter(weight), "t": weight.t()[1:],
            "n": torch.tensor(5), "h": torch.tensor([1.5], dtype=torch.bfloat16)}, "tied.pt")
torch.save({"model": {"w": weight}, "epoch": 3}, "training.pt")


class Evil:
    def __reduce__(self):
        return os.system, ("touch executed",)


buffer = io.BytesIO()
with zipfile.ZipFile("evil.pt", "w") as archive:
    archive.writestr(zipfile.ZipInfo("archive/data.pkl"), pickle.dumps({"w": Evil()}, 2))
with zipfile.ZipFile("compressed.pt", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr(zipfile.ZipInfo("archive/data.pkl"), pickle.dumps({}, 2) * 50,
                     zipfile.ZIP_DEFLATED)
