"""tqdm.std."""
from _tqdm_bars import tqdm, trange  # noqa: F401
