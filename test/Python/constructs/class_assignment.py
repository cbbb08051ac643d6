"""Assignment to __class__: of instances of classes of the same form, of the others an error."""


class Dog:
    kind = "dog"

    def __init__(self, name):
        self.name = name

    def speak(self):
        return f"{self.name} barks"


class Cat:
    kind = "cat"

    def speak(self):
        return f"{self.name} meows"

    def __eq__(self, other):
        return self.name == other.name

    __hash__ = None


class Loud(Dog):
    def speak(self):
        return super().speak().upper()

    @property
    def volume(self):
        return len(self.name)


pet, other = Dog("Rex"), Dog("Rex")
seen = {pet: 1}
bound = pet.speak
print(pet.speak(), pet.kind, type(pet).__name__, pet == other)
pet.__class__ = Cat
print(pet.speak(), pet.kind, type(pet).__name__, pet == other, isinstance(pet, Dog), bound(), pet.__dict__)
pet.__class__ = Loud
print(pet.speak(), pet.volume, isinstance(pet, Dog), pet.__class__ is Loud, super(Loud, pet).speak())
object.__setattr__(pet, "__class__", Dog)
print(pet.speak(), hasattr(pet, "volume"), seen[pet])


def parametrized(obj):
    """As torch.nn.utils.parametrize does it."""
    cls = obj.__class__
    obj.__class__ = type(f"Parametrized{cls.__name__}", (cls,), {"speak": lambda self: "quiet", "name": property(lambda self: "nobody")})


parametrized(other)
print(other.speak(), other.name, type(other).__mro__[1] is Dog, type(other).__name__)


class Meta(type):
    pass


class Made(metaclass=Meta):
    pass


made = Made()
made.__class__ = Dog
print(type(made) is Dog)
for obj, cls in ((pet, 3), (pet, int), (5, Dog), (pet, "Dog")):
    try:
        obj.__class__ = cls
    except TypeError as e:
        print(e)
