"""Says of each name of a module whether it is there, None, callable. run.py and members.py put the questions in place of the text.

`os` imports a module where an ImportError would be caught, `os !` where it would not; `os path` asks for a name. With `:` in place
of a module, as in `enum:Enum`, its class is meant.
"""
QUESTIONS = "@@@"


def answer(owner, name):
    if not hasattr(owner, name):
        assert getattr(owner, name, QUESTIONS) is QUESTIONS
        return "absent"
    value = getattr(owner, name, QUESTIONS)
    if value is None:
        return "None"
    return "callable" if callable(value) else "value"


def main():
    owner = None
    for line in QUESTIONS.split("\n"):
        module, _, name = line.partition(" ")
        if ":" in module and not name:
            module, _, cls = module.partition(":")
            owner = getattr(__import__(module, None, None, ("__name__",)), cls)
            print("class")
        elif name == "!":
            owner = __import__(module, None, None, ("__name__",))
            print("imported")
        elif not name:
            try:
                owner = __import__(module, None, None, ("__name__",))
            except ImportError:
                owner = None
            print("imported" if owner is not None else "ImportError")
        elif owner is not None:
            print(answer(owner, name))
        else:
            print("-")


main()
