"""torch.nn.modules.sparse: its layers, wherever they are written."""
from torch.nn.embedding import Embedding, EmbeddingBag  # noqa: F401
