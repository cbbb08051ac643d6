"""Tables of torch.nn whose rows are looked up."""
import torch
from torch.nn import functional as F
from torch.nn import init
from torch.nn.module import Module, _of_meta
from torch.nn.parameter import Parameter


def _padding_row(padding_idx, rows, name):
    """A row that is never trained, counted from the start."""
    if padding_idx is None:
        return None
    if padding_idx > 0:
        assert padding_idx < rows, f"{name} must be within num_embeddings"
    elif padding_idx < 0:
        assert padding_idx >= -rows, f"{name} must be within num_embeddings"
        padding_idx = rows + padding_idx
    return padding_idx


class _Embedding(Module):
    """A table of rows, of which the padding row starts as zeros."""

    def _ptc_set_up(self, num_embeddings, embedding_dim, weight, requires_grad, dtype, device):
        if weight is None:
            self.weight = Parameter(torch.empty((num_embeddings, embedding_dim), dtype=dtype, device=_of_meta(device)), requires_grad)
            self.reset_parameters()
            return
        assert list(weight.shape) == [num_embeddings, embedding_dim], (
            "Shape of weight does not match num_embeddings and embedding_dim")
        self.weight = Parameter(weight, requires_grad)

    def reset_parameters(self):
        init.normal_(self.weight)
        self._fill_padding_idx_with_zero()

    def _fill_padding_idx_with_zero(self):
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def _ptc_norm_repr(self):
        """The part of extra_repr that both tables have in common."""
        s = "" if self.max_norm is None else f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            s += f", norm_type={self.norm_type}"
        return s if self.scale_grad_by_freq is False else s + f", scale_grad_by_freq={self.scale_grad_by_freq}"


class EmbeddingBag(_Embedding):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None,
                 dtype=None):
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.sparse, self.include_last_offset = sparse, include_last_offset
        self.padding_idx = _padding_row(padding_idx, num_embeddings, "padding_idx")
        self._ptc_set_up(num_embeddings, embedding_dim, _weight, True, dtype, device)

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                               self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        rows, cols = embeddings.shape
        made = cls(rows, cols, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
                   include_last_offset, padding_idx)
        made.weight = Parameter(embeddings, not freeze)
        return made

    def extra_repr(self):
        s = f"{self.num_embeddings}, {self.embedding_dim}{self._ptc_norm_repr()}, mode={self.mode!r}"
        return s if self.padding_idx is None else s + f", padding_idx={self.padding_idx}"


class Embedding(_Embedding):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None,
                 norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None,
                 _freeze=False, device=None, dtype=None):
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = _padding_row(padding_idx, num_embeddings, "Padding_idx")
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self._ptc_set_up(num_embeddings, embedding_dim, _weight, not _freeze, dtype, device)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        assert embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional"
        rows, cols = embeddings.shape
        return cls(rows, cols, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def extra_repr(self):
        s = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            s += f", padding_idx={self.padding_idx}"
        s += self._ptc_norm_repr()
        return s if self.sparse is False else s + ", sparse=True"
