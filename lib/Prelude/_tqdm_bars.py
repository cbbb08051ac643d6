"""What tqdm has, where it is installed: bars that count. What they show goes to standard error, which is left out."""
import sys as _sys
from _ptc_torch import _refuse


class tqdm:
    _ptc_known_as = "tqdm.std.tqdm"

    def __init__(self, iterable=None, desc=None, total=None, leave=True, file=None, ncols=None, mininterval=0.1, maxinterval=10.0, miniters=None,
                 ascii=None, disable=False, unit="it", unit_scale=False, dynamic_ncols=False, smoothing=0.3, bar_format=None, initial=0,
                 position=None, postfix=None, unit_divisor=1000, write_bytes=False, lock_args=None, nrows=None, colour=None, delay=0.0, gui=False,
                 **kwargs):
        if kwargs:
            raise KeyError("Unknown argument(s): " + str(kwargs))
        if file is not None and file is not _sys.__stderr__:
            _refuse("a tqdm that is not shown on standard error")
        if total is None and iterable is not None:
            try:
                total = len(iterable)
            except (TypeError, AttributeError):
                total = None
        if total == float("inf"):
            total = None
        # Whether a bar that depends on the terminal is there is not known.
        self.iterable, self.total, self.desc, self.leave, self.unit, self.disable = iterable, total, desc or "", leave, unit, bool(disable)
        self._ptc_count, self._ptc_is_walked, self._ptc_is_known = initial, False, disable is not None

    @property
    def n(self):
        if self._ptc_is_walked or not self._ptc_is_known:
            _refuse("tqdm.n of a bar that moves, which depends on the time")
        return self._ptc_count

    @n.setter
    def n(self, value):
        self._ptc_count = value

    def __bool__(self):
        if self.total is not None:
            return self.total > 0
        if self.iterable is None:
            raise TypeError("bool() undefined when iterable == total == None")
        return bool(self.iterable)

    def __len__(self):
        if self.iterable is None:
            return self.total
        if hasattr(self.iterable, "__len__"):
            return len(self.iterable)
        return getattr(self, "total", None)

    def __contains__(self, item):
        return item in self.iterable

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()

    def __iter__(self):
        if self.disable:
            for item in self.iterable:
                yield item
            return
        self._ptc_is_walked = True
        count = self._ptc_count
        for item in self.iterable:
            yield item
            count += 1
        self._ptc_count, self._ptc_is_walked = count, False

    def update(self, n=1):
        """True, or None, by whether it was shown, which depends on the time."""
        if not self.disable:
            self._ptc_count += n

    def reset(self, total=None):
        self._ptc_count = 0
        if total is not None:
            self.total = total

    def set_description(self, desc=None, refresh=True):
        self.desc = desc + ": " if desc else ""

    def set_description_str(self, desc=None, refresh=True):
        self.desc = desc or ""

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        pass

    def set_postfix_str(self, s="", refresh=True):
        pass

    def close(self):
        pass

    def clear(self, nolock=False):
        pass

    def refresh(self, nolock=False, lock_args=None):
        pass

    def unpause(self):
        pass

    def display(self, msg=None, pos=None):
        pass

    @classmethod
    def get_lock(cls):
        _refuse("tqdm.get_lock")

    @classmethod
    def set_lock(cls, lock):
        pass

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        print(s, end=end, file=_sys.stdout if file is None else file)


class auto(tqdm):
    """tqdm.auto.tqdm, which fits where it is shown."""
    _ptc_known_as = "tqdm.auto.tqdm"


def auto_trange(*args, **kwargs):
    return auto(range(*args), **kwargs)


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)
