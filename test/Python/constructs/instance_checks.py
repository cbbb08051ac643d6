class Asked(type):
    def __instancecheck__(cls, instance):
        print("instance of", cls.__name__)
        return instance == 5

    def __subclasscheck__(cls, other):
        print("subclass of", cls.__name__)
        return other is bool


class A(metaclass=Asked):
    pass


class B(A):
    pass


class Raises(type):
    def __instancecheck__(cls, instance):
        raise LookupError(cls.__name__)

    __subclasscheck__ = __instancecheck__


class C(metaclass=Raises):
    pass


def tried(f, *args):
    try:
        return f(*args)
    except (LookupError, TypeError) as e:
        return type(e).__name__


# Each is asked in its turn: those behind one that says yes are not.
print([isinstance(v, A) for v in (5, 6, A(), B())])
print(isinstance("x", (str, A)), isinstance("x", (A, str)), isinstance("x", ((A,), (str,))), isinstance(5, (A, A)))
print(issubclass(int, (A, int)), issubclass(int, (int, A)), issubclass(bool, ((A, A), A)))
print([tried(isinstance, "x", c) for c in ((str, C), (C, str), (A, C, str), ((C,), str), (str, 5), (5, str), (A, 5, str))])
print([tried(issubclass, str, c) for c in ((str, C), (C, str), (A, C, str), ((C,), str), (str, 5), (5, str), (A, 5, str))])
print(tried(isinstance, C(), C), tried(isinstance, C(), (int, C)), tried(issubclass, C, C))


class Claims:
    @property
    def __class__(self):
        print("asked")
        return list


class Says:
    __class__ = int


class Hides:
    def __getattribute__(self, name):
        return str if name == "__class__" else object.__getattribute__(self, name)


class Other(list):
    @property
    def __class__(self):
        return dict


for v in (Claims(), Says(), Hides(), Other()):
    print(type(v).__name__, [isinstance(v, c) for c in (list, int, str, dict, type(v), (tuple, list), object)])


class Plain(type):
    pass


class D(metaclass=Plain):
    pass


print(isinstance(D(), D), isinstance(D, Plain), isinstance(D, type), isinstance(3, D), isinstance(Plain, Plain), isinstance(D, (int, Plain)))
