"""Properties: getter, setter, deleter, inheritance, class-level access, errors."""


class Temperature:
    def __init__(self, celsius=0):
        self._c = celsius

    @property
    def celsius(self):
        "degrees"
        return self._c

    @celsius.setter
    def celsius(self, value):
        if value < -273:
            raise ValueError(f"{value} is too cold")
        self._c = value

    @celsius.deleter
    def celsius(self):
        print("deleted")
        self._c = 0

    @property
    def fahrenheit(self):
        return self.celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self.celsius = (value - 32) * 5 / 9

    double = property(lambda self: self._c * 2)


t = Temperature(10)
print(t.celsius, t.fahrenheit, t.double)
t.celsius = 20
t.celsius += 5
print(t.celsius, t.fahrenheit)
t.fahrenheit = 212
print(t.celsius)
del t.celsius
print(t.celsius, Temperature.celsius.__doc__, isinstance(Temperature.celsius, property))
for f in (lambda: setattr(t, "celsius", -300), lambda: setattr(t, "double", 1), lambda: delattr(t, "double")):
    try:
        f()
    except (ValueError, AttributeError) as e:
        print(type(e).__name__, str(e) if isinstance(e, ValueError) else "")


class Child(Temperature):
    @property
    def celsius(self):
        return super().celsius + 100

    @property
    def lazy(self):
        if not hasattr(self, "_lazy"):
            print("computing")
            self._lazy = 42
        return self._lazy


c = Child(1)
print(c.celsius, c.lazy, c.lazy, c.fahrenheit)
try:
    c.celsius = 3
except AttributeError:
    print("no setter in the child")


class Child2(Temperature):
    @Temperature.celsius.setter
    def celsius(self, value):
        Temperature.celsius.fset(self, value + 1)


c = Child2()
c.celsius = 5
print(c.celsius)
c.__dict__["celsius"] = "shadowed?"
print(c.celsius)


class Raises:
    @property
    def broken(self):
        return self.missing_inside

    @property
    def value(self):
        raise KeyError("inside")


try:
    Raises().broken
except AttributeError as e:
    print(e)
try:
    Raises().value
except KeyError as e:
    print(repr(e))
print(hasattr(Raises(), "broken"), getattr(Raises(), "broken", "default"))


class Meta(type):
    @property
    def size(cls):
        return len(cls.__name__)


class WithMeta(metaclass=Meta):
    pass


print(WithMeta.size)
