"""finally against return, break, continue and raise: what wins."""


def value_then_finally():
    out = []
    try:
        out.append("try")
        return out
    finally:
        out.append("finally")


def nested_returns():
    log = []

    def f():
        try:
            try:
                return log.append("inner") or "value"
            finally:
                log.append("f1")
        finally:
            log.append("f2")
    return f(), log


def loop_break():
    log = []
    for i in range(3):
        try:
            if i == 1:
                break
            log.append(i)
        finally:
            log.append(f"f{i}")
    return log


def loop_continue():
    log = []
    i = 0
    while i < 4:
        i += 1
        try:
            if i % 2:
                continue
            log.append(i)
        finally:
            log.append(-i)
    else:
        log.append("else")
    return log


def return_in_loop():
    for i in range(5):
        try:
            if i == 2:
                return i
        finally:
            print("leaving", i)
    return None


def raise_in_finally():
    try:
        try:
            raise ValueError("first")
        finally:
            raise KeyError("second")
    except KeyError as e:
        return repr(e), repr(e.__context__)


def rebind():
    x = 1
    try:
        return x
    finally:
        x = 2
        print("x is", x)


def except_returns():
    try:
        1 / 0
    except ZeroDivisionError:
        return "handler"
    finally:
        print("then finally")


def else_raises():
    log = []
    try:
        try:
            pass
        except ValueError:
            log.append("wrong handler")
        else:
            log.append("else")
            raise ValueError("from else")
        finally:
            log.append("finally")
    except ValueError as e:
        log.append(str(e))
    return log


def generator():
    try:
        yield 1
        yield 2
    finally:
        print("generator closed")


def deep():
    log = []
    try:
        for a in range(2):
            try:
                for b in range(2):
                    try:
                        if (a, b) == (1, 0):
                            raise IndexError("x")
                        log.append((a, b))
                    finally:
                        log.append("b")
            finally:
                log.append("a")
    except IndexError as e:
        log.append(e.args)
    finally:
        log.append("end")
    return log


print(value_then_finally(), nested_returns(), loop_break(), loop_continue(), return_in_loop())
print(raise_in_finally(), rebind(), except_returns(), else_raises())
for v in generator():
    print(v)
for v in generator():
    break
print(deep())


def swallow_with_flag():
    done = False
    try:
        try:
            raise ValueError
        finally:
            done = True
    except ValueError:
        pass
    return done


print(swallow_with_flag())


def handler_in_finally():
    try:
        return "try"
    finally:
        try:
            raise KeyError
        except KeyError:
            print("handled inside")


print(handler_in_finally())
