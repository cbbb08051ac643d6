"""torch.nn.modules.distance: its layers, wherever they are written."""
from torch.nn.layers import CosineSimilarity, PairwiseDistance  # noqa: F401
