"""tqdm, where it is installed."""
from _tqdm_bars import tqdm, trange  # noqa: F401
