#!/usr/bin/env python3
"""Objects as arguments of libraries, by the paths of their attributes, against eager.

    object_arguments.py --ptc PTC [FILTER] [-v]
"""
import copy
import sys

import torch

from loader import World, X, equal, ptc_loader, raised, runner

OBJECTS = """
    from collections import namedtuple
    from dataclasses import dataclass

    Pair = namedtuple("Pair", "a b")


    class Layer:
        kind = "layer"

        def __init__(self):
            self.keys = self.values = None
            self.ready = False
            self.note = "made"
            self.form = (2, torch.float32, b"ab")

        def update(self, x):
            self.keys = torch.cat([self.keys, x]) if self.ready else x
            self.values.add_(1)
            self.ready = True
            return self.keys


    class Cache:
        def __init__(self, width=2):
            self.layers = []
            self.width = width
            self.seen = 0
            self.layer_class = Layer

        def __len__(self):
            return len(self.layers)


    @dataclass(frozen=True)
    class Batch:
        x: torch.Tensor
        scale: float = 2.0
        mask: torch.Tensor = None


    class Slots:
        __slots__ = ("t", "n")


    class Maker:
        def __init__(self, t):
            self.t = t
            self.hidden = [t]

        @property
        def made(self):
            return self.t


    def entry(x, cache):
        total = sum([layer.update(x).sum() for layer in cache.layers])
        cache.seen = len(cache) * cache.width
        return total, cache, cache.layers[0].note, cache.layer_class is Layer


    def batch(b):
        y = b.x * b.scale
        return (y if b.mask is None else y * b.mask), b


    def pair(p, s):
        s.n += 1
        return p.a + p[1] * s.n, len(p), isinstance(p, Pair), s.t is p.b


    def unchanged(x, cache):
        return x + cache.layers[0].keys
    """
LAYER = {"$object": "Layer", "args": [], "fields": {"keys": {"$tensor": "f32[L in 1..32,2]"}, "values": {"$tensor": "f32[3]"}, "ready": True}}
CACHE = {"$object": "Cache", "args": [5], "fields": {"layers": [LAYER, LAYER], "seen": 0}}


def layer_of(module, length):
    layer = module.Layer()
    layer.keys, layer.values, layer.ready = torch.arange(length * 2.0).view(length, 2), torch.zeros(3), True
    return layer


def check_objects(world):
    """Objects as arguments by the paths of their attributes: instances, and what results have of them."""
    x = torch.ones(1, 2)
    path, module = world.library(OBJECTS, {"kwargs": {"x": {"$tensor": "f32[1,2]"}, "cache": CACHE}}, options=["--entry", "entry"], name="libcache.so")
    header = (world.folder / "cache.h").read_text()
    assert "inputs[1]: cache.layers[0].keys\n" in header and "inputs[6]: cache.layers[1].ready\n" in header, header
    assert "outputs[1]: result[1].layers[0].keys\n" in header, header
    caches = [module.Cache(5), module.Cache(5)]
    for cache in caches:
        cache.layers = [layer_of(module, 3), layer_of(module, 4 - 1)]
    with ptc_loader.Model(path) as model:
        given = caches[0]
        for turn in range(4):
            total, given, note, same = model(x, given)
            expected = module.entry(x, caches[1])
            equal((total, note, same), (expected[0], *expected[2:]))
            equal([layer["keys"] for layer in given["layers"]], [layer.keys for layer in caches[1].layers])
            # What was written in place was written to the caller's own tensor in the first turn, and comes back with the result.
            equal([layer["values"] for layer in given["layers"]], [layer.values for layer in caches[1].layers])
            equal([model.changed["cache"]["seen"], model.changed["cache.layers[1]"]["keys"]], [caches[1].seen, caches[1].layers[1].keys])
        equal(caches[0].layers[0].values, torch.ones(3))
        other, longer = module.Cache(5), module.Cache(5)
        other.layers, longer.layers = [layer_of(module, 3), torch.nn.Identity()], [layer_of(module, 3) for _ in range(3)]
        twice = module.Cache(5)
        twice.layers = [layer_of(module, 3)] * 2
        wide, noted, more, plain, formed = (copy.deepcopy(longer) for _ in range(5))
        for cache in (wide, noted, more, plain, formed):
            del cache.layers[2]
        formed.layers[0].form = (2, torch.float64, b"ab")
        plain.layer_class, wide.width, noted.layers[1].note, more.layers[0].device = None, 7, "mine", None
        for wrong, text in ((formed, "cache.layers[0].form is (2, torch.float64, b'ab'), expected (2, torch.float32, b'ab', )"), (plain, "cache.layer_class is None, expected <class 'Layer'>"), (twice, "cache.layers[1] is what cache.layers[0] is, expected an object of its own"), (wide, "cache.width is 7, expected 5"), (noted, "cache.layers[1].note is 'mine', expected 'made'"),
                            (more, "cache.layers[0].device is given, expected the attributes keys, values, ready, note, form"), (other, "type(cache.layers[1]) is Identity, expected Layer"), (longer, "len(cache.layers) is 3, expected 2"), ([1], "type(cache) is list, expected Cache"),
                            (None, "type(cache) is NoneType, expected Cache"), ({"layers": []}, "type(cache) is dict, expected Cache")):
            said = str(raised(model, x, wrong))
            assert said.startswith(text), said


def check_whole_objects(world):
    """Objects of which all attributes are given: data classes, named tuples, slots."""
    path, module = world.library(OBJECTS, {"args": [{"$object": "Batch", "fields": {"x": X, "scale": 3.0}}]}, {"args": [{"$object": "Batch", "fields": {"x": X, "scale": 3.0, "mask": X}}]},
                                 options=["--entry", "batch"], name="libbatch.so")
    t = torch.tensor([1.0, -2.0, 4.0])
    with ptc_loader.Model(path) as model:
        for b in (module.Batch(t), module.Batch(t, 0.5), module.Batch(t, -1.0, t)):
            value, held = model(b)
            equal(value, module.batch(b)[0])
            equal(held, {"$object": "Batch", "x": b.x, "scale": b.scale, **({} if b.mask is None else {"mask": b.mask})})
        odd = module.Batch(t)
        object.__setattr__(odd, "more", 1)
        said = str(raised(model, odd))
        assert said.startswith("b.more is given, expected the attributes x, scale"), said
    path, module = world.library(OBJECTS, {"args": [{"$object": "Pair", "fields": {"a": X, "b": X}}, {"$object": "Slots", "fields": {"t": X, "n": 4}}]},
                                 options=["--entry", "pair"], name="libpair.so")
    slots = module.Slots()
    slots.t, slots.n = t + 1, 7
    with ptc_loader.Model(path) as model:
        equal(model(module.Pair(t, t * 2), slots), module.pair(module.Pair(t, t * 2), slots))
        assert isinstance(raised(model, (t, t), slots), ptc_loader.NoVariant)


def check_unchanged_objects(world):
    path, module = world.library(OBJECTS, {"kwargs": {"x": {"$tensor": "f32[1,2]"}, "cache": CACHE}}, options=["--entry", "unchanged"], name="libunchanged.so")
    cache = module.Cache(5)
    cache.layers = [layer_of(module, 2), layer_of(module, 2)]
    with ptc_loader.Model(path) as model:
        equal(model(torch.ones(1, 2), cache), module.unchanged(torch.ones(1, 2), cache))
        equal(model.changed, {})


if __name__ == "__main__":
    sys.exit(runner.run_checks([check_objects, check_whole_objects, check_unchanged_objects], World, runner.options(__doc__).parse_args()))
