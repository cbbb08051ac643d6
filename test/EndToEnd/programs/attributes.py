"""Attributes that an object has on some sides of a branch only, and the dicts that show them."""


class Plain:
    pass


class Default:
    v = 5
    name = "class"


def _describe(self):
    return self.name


class Slots:
    __slots__ = ("v", "w")


class Hooked:
    def __getattr__(self, name):
        return name + "!"


class Base:
    shade = "base"


class Derived(Base):
    pass


def _given(x, a, value=1):
    if x.sum() > 0:
        a.v = value
    return a


def attribute_or_default(x):
    return getattr(_given(x, Plain()), "v", None)


def attribute_is_there(x):
    a = _given(x, Plain(), x)
    return hasattr(a, "v"), getattr(a, "v", None)


def attribute_then_read(x):
    a = _given(x, Plain(), x * 2)
    return a.v + 1 if hasattr(a, "v") else 0


def attribute_error_caught(x):
    try:
        return _given(x, Plain()).v
    except AttributeError as e:
        return str(e)


def attribute_error_leaves(x):
    return _given(x, Plain()).v


def attribute_of_class(x):
    a = _given(x, Default())
    return a.v, hasattr(a, "v"), "v" in a.__dict__, vars(a)


def attribute_deleted(x):
    a = Plain()
    a.v, a.w = 1, 2
    if x.sum() > 0:
        del a.v
    return hasattr(a, "v"), list(a.__dict__)


def attribute_deleted_again(x):
    a = _given(x, Plain())
    try:
        del a.v
    except AttributeError as e:
        return type(e).__name__
    return hasattr(a, "v")


def attribute_slot(x):
    a = _given(x, Slots(), x)
    found = hasattr(a, "v"), getattr(a, "v", 0), hasattr(a, "w")
    try:
        del a.v
    except AttributeError as e:
        return found, type(e).__name__
    return found, hasattr(a, "v")


def attribute_hook(x):
    return _given(x, Hooked(), 3).v


def attribute_of_base(x):
    if x.sum() > 0:
        Derived.shade = "derived"
    elif "shade" in vars(Derived):
        del Derived.shade
    return Derived.shade, Derived().shade, "shade" in vars(Derived)


def attribute_method(x):
    a = Default()
    if x.sum() > 0:
        a.__class__.describe = _describe
    elif hasattr(Default, "describe"):
        del Default.describe
    return a.describe() if hasattr(a, "describe") else "none"


def attribute_super(x):
    class Child(Derived):
        def look(self):
            return super().shade

    if x.sum() > 0:
        Derived.shade = "between"
    elif "shade" in vars(Derived):
        del Derived.shade
    return Child().look()


def function_attribute(x):
    def f():
        return f.calls

    if x.sum() > 0:
        f.calls = 3
    return f() if hasattr(f, "calls") else vars(f)


def names_of_attributes(x):
    a = Plain()
    a.u = 1
    _given(x, a, 2)
    return sorted(vars(a)), len(vars(a)), [n for n in dir(a) if n[0] != "_"], a.__dict__ == {"u": 1}


def copied_attributes(x):
    a, b = _given(x, Plain(), x), Plain()
    b.__dict__.update(a.__dict__)
    a.v = 0
    return hasattr(b, "v"), vars(b)


def object_returned(x):
    a = Plain()
    a.u = x
    _given(x, a, x + 1)
    if x.max() > 2:
        a.w = [a.u]
    return a, a.u


def dict_returned(x):
    a = Plain()
    a.v = 1
    return a.__dict__


def dict_before_attribute(x):
    a = Plain()
    d = a.__dict__
    a.v = x
    return d


def dict_of_some_sides(x):
    a = Plain()
    a.u = [x]
    d = a.__dict__
    _given(x, a, a.u)
    if x.max() > 2:
        a.w = None
    return d, a.u


def dict_of_either(x):
    a, b = Plain(), Plain()
    d = a.__dict__ if x.sum() > 0 else b.__dict__
    a.p, b.q = 1, x
    return d, len(d), "q" in d


def dict_or_plain(x):
    a = Plain()
    d = {"v": 0}
    if x.sum() > 0:
        d = vars(a)
    a.v = 7
    d["w"] = 8
    return d, d["v"], hasattr(a, "w")


def dict_is_one_object(x):
    a = _given(x, Plain())
    return a.__dict__ is vars(a), a.__dict__ is _given(x, Plain()).__dict__, [a.__dict__, vars(a)]


def attribute_in_loop(x):
    a, n = Plain(), 0
    while x.sum() < 9 and n < 5:
        x = x + 1
        n += 1
        if x.max() > 3:
            a.best = x
    return getattr(a, "best", None), n, hasattr(a, "best")


def global_deleted(x):
    global momentary
    if x.sum() > 0:
        momentary = 1
    try:
        del momentary
    except NameError as e:
        return str(e)
    return "momentary" in globals()


def free_variable_deleted(x):
    def clear():
        nonlocal held
        del held

    if x.sum() > 0:
        held = x
    try:
        clear()
    except NameError as e:
        return type(e).__name__
    return "cleared"


def variables_of_either(x):
    a = 1
    if x.sum() > 0:
        b = 2
    else:
        b = 3
    while x.max() > 4:
        x, c = x * 0.5, 5
    return sorted(locals()), locals().get("b"), "c" in vars(), len(dir())


def given_where_it_is_missing(x):
    """On the path where it had no value it comes behind what was set there before."""
    box = Plain()
    if x[0] > 3:
        box.a = 1
    if not hasattr(box, "a"):
        box.c = 2
        box.a = 3
    return x, list(vars(box)), vars(box)
