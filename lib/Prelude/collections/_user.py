"""UserList and UserString: wrappers of a list and of a text."""

from collections.abc import MutableSequence, Sequence


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def _plain(self, other):
        return other.data if isinstance(other, UserList) else list(other)

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, UserList) else other)

    def __le__(self, other):
        return self.data <= (other.data if isinstance(other, UserList) else other)

    def __gt__(self, other):
        return self.data > (other.data if isinstance(other, UserList) else other)

    def __ge__(self, other):
        return self.data >= (other.data if isinstance(other, UserList) else other)

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return type(self)(self.data + self._plain(other))

    def __radd__(self, other):
        return type(self)(self._plain(other) + self.data)

    def __iadd__(self, other):
        self.data += self._plain(other)
        return self

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def insert(self, i, item):
        self.data.insert(i, item)

    def copy(self):
        return type(self)(self.data)

    __copy__ = copy

    def sort(self, /, *, key=None, reverse=False):
        self.data.sort(key=key, reverse=reverse)


class UserString(Sequence):
    def __init__(self, seq):
        self.data = seq.data if isinstance(seq, UserString) else str(seq)

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __hash__(self):
        return hash(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserString) else other)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i])

    def __contains__(self, text):
        return str(text) in self.data

    def __add__(self, other):
        return type(self)(self.data + str(other))

    def __getattr__(self, name):
        if name == "data":
            raise AttributeError(name)
        return getattr(self.data, name)
