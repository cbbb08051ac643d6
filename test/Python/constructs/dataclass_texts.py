"""Texts that dataclass() gives classes whose metaclass wraps what is set."""
import functools
from dataclasses import dataclass


class Renames(type):
    """What dataclass() sets is wrapped."""

    def __setattr__(cls, name, value):
        if name == "__init__":
            made = value

            @functools.wraps(made)
            def value(self, *args, **kwargs):
                made(self, *args, **{"x" if k == "old" else k: v for k, v in kwargs.items()})
        super().__setattr__(name, value)


@dataclass
class Renamed(metaclass=Renames):
    x: int = 3
    y: "str | None" = None


@dataclass
class More(Renamed):
    z: float = 0.5


print(Renamed(old=4), More(1, z=2.0), Renamed.__doc__, More.__doc__, sep="\n")
