"""torch.nn.modules.transformer: its layers, and the functions that draw their weights, which a program may set here."""
from torch.nn.init import xavier_uniform_  # noqa: F401
from torch.nn.attention import Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer  # noqa: F401
