"""tqdm.auto."""
from _tqdm_bars import auto as tqdm, auto_trange as trange  # noqa: F401
