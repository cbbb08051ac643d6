"""Recurrent layers and cells of torch.nn: loops over time in Python."""
import math
import warnings
import torch
from _ptc import _is_of_the_run
from torch import _refuse
from torch._casts import _check_no_autocast
from torch.nn import functional as F
from torch.nn import init
from torch.nn.module import Module, _of_meta
from torch.nn.parameter import Parameter


class _Cell(Module):
    _ptc_known_as = "torch.nn.modules.rnn.RNNCellBase"
    _ptc_chunks = 1

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = self._ptc_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty((rows, input_size), dtype=dtype, device=_of_meta(device)))
        self.weight_hh = Parameter(torch.empty((rows, hidden_size), dtype=dtype, device=_of_meta(device)))
        if bias:
            self.bias_ih = Parameter(torch.empty(rows, dtype=dtype, device=_of_meta(device)))
            self.bias_hh = Parameter(torch.empty(rows, dtype=dtype, device=_of_meta(device)))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for p in self.parameters():
            init.uniform_(p, -bound, bound)

    def extra_repr(self):
        s = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            s += f", bias={self.bias}"
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        return s if nonlinearity == "tanh" else s + f", nonlinearity={nonlinearity}"

    def _ptc_check(self, input, hidden):
        """Sizes that the cell's kernel asks for; `hidden` holds what it starts from."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        for h in hidden:
            if h.dim() not in (1, 2):
                raise ValueError(f"{name}: Expected hidden to be 1D or 2D, got {h.dim()}D instead")
        if input.size(-1) != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.size(-1)} expected {self.input_size}")
        batch = input.size(0) if input.dim() == 2 else 1
        for k, h in enumerate(hidden):
            if input.dim() == 2 and h.dim() == 1 and h.size(0) == batch:
                raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
            if batch != (h.size(0) if input.dim() == 2 or h.dim() == 2 else 1):
                raise RuntimeError(f"Input batch size {batch} doesn't match hidden{k} batch size {h.size(0)}")
            if h.size(-1) != self.hidden_size:
                raise RuntimeError(f"hidden{k} has inconsistent hidden_size: got {h.size(-1)}, expected "
                                   f"{self.hidden_size}")
            if h.dim() != input.dim():
                _refuse(f"torch.nn.{name} with a batch of one beside no batch")

    def _ptc_gates(self, x, h):
        return F.linear(x, self.weight_ih, self.bias_ih), F.linear(h, self.weight_hh, self.bias_hh)


class RNNCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        _check_no_autocast("torch.nn." + type(self).__name__)
        if hx is None:
            hx = torch.zeros(list(input.shape[:-1]) + [self.hidden_size], dtype=input.dtype)
        self._ptc_check(input, (hx,))
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        a, b = self._ptc_gates(input, hx)
        return (a + b).tanh() if self.nonlinearity == "tanh" else (a + b).relu()


class GRUCell(_Cell):
    _ptc_chunks = 3

    def forward(self, input, hx=None):
        _check_no_autocast("torch.nn." + type(self).__name__)
        if hx is None:
            hx = torch.zeros(list(input.shape[:-1]) + [self.hidden_size], dtype=input.dtype)
        self._ptc_check(input, (hx,))
        a, b = self._ptc_gates(input, hx)
        ar, az, an = a.chunk(3, -1)
        br, bz, bn = b.chunk(3, -1)
        r, z = (ar + br).sigmoid(), (az + bz).sigmoid()
        n = (an + r * bn).tanh()
        return (hx - n) * z + n


class LSTMCell(_Cell):
    _ptc_chunks = 4

    def forward(self, input, hx=None):
        _check_no_autocast("torch.nn." + type(self).__name__)
        if hx is None:
            zeros = torch.zeros(list(input.shape[:-1]) + [self.hidden_size], dtype=input.dtype)
            hx = (zeros, zeros)
        if len(hx) != 2:
            raise RuntimeError("lstm_cell expects two hidden states")
        h, c = hx
        self._ptc_check(input, hx)
        a, b = self._ptc_gates(input, h)
        i, f, g, o = (a + b).chunk(4, -1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


def _gru_step(a, b, state):
    ar, az, an = a.chunk(3, -1)
    br, bz, bn = b.chunk(3, -1)
    r, z = (ar + br).sigmoid(), (az + bz).sigmoid()
    n = (an + r * bn).tanh()
    h = (state[0] - n) * z + n
    return h, (h,)


def _lstm_step(a, b, state):
    i, f, g, o = (a + b).chunk(4, -1)
    c = f.sigmoid() * state[1] + i.sigmoid() * g.tanh()
    h = o.sigmoid() * c.tanh()
    return h, (h, c)


def _check_sizes(input_size, hidden_size, num_layers, bias, batch_first, dropout):
    if not isinstance(dropout, (int, float)) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element "
                         "being zeroed")
    if dropout > 0 and num_layers == 1:
        warnings._warn_at("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                          f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                          UserWarning, None)
    wanted = (("bias", bias, bool), ("batch_first", batch_first, bool), ("input_size", input_size, int),
              ("hidden_size", hidden_size, int))
    for name, value, kind in wanted:
        if not isinstance(value, kind):
            raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        if kind is int and value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")


class RNNBase(Module):
    _ptc_chunks, _ptc_states = 1, 1

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        _check_sizes(input_size, hidden_size, num_layers, bias, batch_first, dropout)
        if proj_size != 0 and mode != "LSTM":
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = float(dropout), bidirectional, proj_size
        directions, wide = 2 if bidirectional else 1, proj_size or hidden_size
        for layer in range(num_layers):
            width = input_size if layer == 0 else wide * directions
            for direction in range(directions):
                rows, end = self._ptc_chunks * hidden_size, self._ptc_end(layer, direction)
                setattr(self, "weight_ih" + end, Parameter(torch.empty((rows, width), dtype=dtype, device=_of_meta(device))))
                setattr(self, "weight_hh" + end, Parameter(torch.empty((rows, wide), dtype=dtype, device=_of_meta(device))))
                if bias:
                    setattr(self, "bias_ih" + end, Parameter(torch.empty(rows, dtype=dtype, device=_of_meta(device))))
                    setattr(self, "bias_hh" + end, Parameter(torch.empty(rows, dtype=dtype, device=_of_meta(device))))
                if proj_size:
                    setattr(self, "weight_hr" + end, Parameter(torch.empty((proj_size, hidden_size), dtype=dtype, device=_of_meta(device))))
        self.reset_parameters()

    def _ptc_mode_matters(self):
        return self.dropout > 0 and self.num_layers > 1

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for p in self.parameters():
            init.uniform_(p, -bound, bound)

    def extra_repr(self):
        s = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            s += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            s += f", num_layers={self.num_layers}"
        if self.bias is not True:
            s += f", bias={self.bias}"
        if self.batch_first is not False:
            s += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            s += f", dropout={self.dropout}"
        return s if self.bidirectional is False else s + f", bidirectional={self.bidirectional}"

    def _ptc_end(self, layer, direction):
        return f"_l{layer}" + ("_reverse" if direction else "")

    def flatten_parameters(self):
        pass

    def _ptc_direction(self, x, state, end, reverse, mask=None):
        """All outputs of one layer in one direction, [time, batch, hidden], and the last state; what `mask` [time, batch]
        does not hold leaves the state as it is."""
        weight, bias = getattr(self, "weight_hh" + end), getattr(self, "bias_hh" + end) if self.bias else None
        gates = F.linear(x, getattr(self, "weight_ih" + end), getattr(self, "bias_ih" + end) if self.bias else None)
        if gates.shape[0] == 0:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        outputs = []
        steps = range(gates.shape[0])
        for t in reversed(steps) if reverse else steps:
            before = state
            h, state = self._ptc_step(gates[t], F.linear(state[0], weight, bias), state)
            if self.proj_size:
                h = F.linear(h, getattr(self, "weight_hr" + end))
                state = (h, *state[1:])
            if mask is not None:
                held = mask[t].unsqueeze(1)
                state = tuple(torch.where(held, now, then) for now, then in zip(state, before))
            outputs.append(h)
        if not reverse:
            return torch.stack(outputs), state
        if _is_of_the_run(gates.shape[0]):
            return torch.stack(outputs).flip(0), state
        outputs.reverse()
        return torch.stack(outputs), state

    def forward(self, input, hx=None):
        _check_no_autocast("torch.nn." + type(self).__name__)
        if not isinstance(input, torch.Tensor):
            return self._ptc_packed(input, hx)
        return self._ptc_padded(input, hx)

    def _ptc_packed(self, sequence, hx):
        from torch.nn.utils.rnn import PackedSequence, _packed, _padded
        if not isinstance(sequence, PackedSequence):
            _refuse(f"torch.nn.{type(self).__name__} of what is no tensor")
        if self.dropout and self.num_layers > 1 and self.training:
            _refuse("torch.nn.utils.rnn.PackedSequence with dropout between layers")
        x, mask = _padded(sequence)
        if x.dim() != 3:
            raise RuntimeError(f"input must have 2 dimensions, got {x.dim() - 1}")
        order, back = sequence.sorted_indices, sequence.unsorted_indices
        single = self._ptc_states == 1
        if hx is not None and order is not None:
            hx = hx.index_select(1, order) if single else tuple(s.index_select(1, order) for s in hx)
        x, final = self._ptc_padded(x.transpose(0, 1) if self.batch_first else x, hx, mask)
        if self.batch_first:
            x = x.transpose(0, 1)
        if back is not None:
            final = final.index_select(1, back) if single else tuple(s.index_select(1, back) for s in final)
        return _packed(x, mask, sequence.batch_sizes, order, back), final

    def _ptc_padded(self, input, hx, mask=None):
        if input.dim() not in (2, 3):
            raise ValueError(f"{self.mode}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        if input.dtype != self.weight_ih_l0.dtype:
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype "
                             f"({self.weight_ih_l0.dtype}). Convert input: input.to({self.weight_ih_l0.dtype}), or "
                             f"convert model: model.to({input.dtype})")
        x = input if batched else input.unsqueeze(0 if self.batch_first else 1)
        if self.batch_first:
            x = x.transpose(0, 1)
        if x.size(-1) != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {x.size(-1)}")
        directions = 2 if self.bidirectional else 1
        widths = (self.proj_size or self.hidden_size, self.hidden_size)[:self._ptc_states]
        wanted = [(self.num_layers * directions, x.size(1), width) for width in widths]
        if hx is None:
            given = tuple(torch.zeros(size, dtype=x.dtype) for size in wanted)
        else:
            given = (hx,) if self._ptc_states == 1 else tuple(hx)
            if any(s.dim() != input.dim() for s in given):
                raise RuntimeError(f"For {'' if batched else 'un'}batched {input.dim()}-D input, hx should also be "
                                   f"{input.dim()}-D but got {given[0].dim()}-D tensor")
            if not batched:
                given = tuple(s.unsqueeze(1) for s in given)
            for k, s in enumerate(given):
                if tuple(s.size()) != wanted[k]:
                    raise RuntimeError(f"Expected hidden{f'[{k}]' if self._ptc_states > 1 else ''} size {wanted[k]}, got "
                                       f"{list(s.size())}")
        last = []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                start = tuple(s[layer * directions + direction] for s in given)
                out, state = self._ptc_direction(x, start, self._ptc_end(layer, direction), direction == 1, mask)
                outputs.append(out)
                last.append(state)
            x = outputs[0] if directions == 1 else torch.cat(outputs, -1)
            if self.dropout and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        final = tuple(torch.stack([s[i] for s in last]) for i in range(self._ptc_states))
        if self.batch_first:
            x = x.transpose(0, 1)
        if not batched:
            x, final = x.squeeze(0 if self.batch_first else 1), tuple(s.squeeze(1) for s in final)
        return x, final if self._ptc_states > 1 else final[0]


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + nonlinearity.upper(), input_size, hidden_size, num_layers, bias, batch_first,
                         dropout, bidirectional, device=device, dtype=dtype)
        self.nonlinearity = nonlinearity

    def _ptc_step(self, a, b, state):
        h = (a + b).tanh() if self.nonlinearity == "tanh" else (a + b).relu()
        return h, (h,)


class GRU(RNNBase):
    _ptc_chunks = 3

    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)

    def _ptc_step(self, a, b, state):
        return _gru_step(a, b, state)


class LSTM(RNNBase):
    _ptc_chunks, _ptc_states = 4, 2

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def _ptc_step(self, a, b, state):
        return _lstm_step(a, b, state)
