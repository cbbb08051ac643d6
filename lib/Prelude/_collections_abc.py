"""_collections_abc: the classes of collections.abc, by the name of the module that defines them."""
from collections.abc import *

__name__ = "collections.abc"  # as CPython has it
