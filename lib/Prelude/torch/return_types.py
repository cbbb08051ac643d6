"""torch.return_types of functions that are composed here; those of operations are the engine's."""


class _Result(tuple):
    """A structseq of C: a tuple whose fields have names."""
    __slots__ = ()

    def __repr__(self):
        fields = ",\n".join([f"{name}={value!r}" for name, value in zip(self.__match_args__, self)])
        return f"torch.return_types.{type(self).__name__}(\n{fields})"


class aminmax(_Result):
    __slots__ = ()
    __match_args__ = ("min", "max")
    n_fields, n_sequence_fields, n_unnamed_fields = 2, 2, 0
    min, max = property(lambda self: self[0]), property(lambda self: self[1])


class kthvalue(_Result):
    __slots__ = ()
    __match_args__ = ("values", "indices")
    n_fields, n_sequence_fields, n_unnamed_fields = 2, 2, 0
    values, indices = property(lambda self: self[0]), property(lambda self: self[1])


class cummax(_Result):
    __slots__ = ()
    __match_args__ = ("values", "indices")
    n_fields, n_sequence_fields, n_unnamed_fields = 2, 2, 0
    values, indices = property(lambda self: self[0]), property(lambda self: self[1])


class cummin(_Result):
    __slots__ = ()
    __match_args__ = ("values", "indices")
    n_fields, n_sequence_fields, n_unnamed_fields = 2, 2, 0
    values, indices = property(lambda self: self[0]), property(lambda self: self[1])
