"""torch.nn.modules.rnn: its layers, wherever they are written."""
from torch.nn.recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNBase, RNNCell  # noqa: F401
