"""Orders of attributes: a name that was taken away and set again is the last one."""
class A: pass
o = A()
o.a = 1; o.b = 2; o.c = 3
del o.a
o.a = 4
print(list(vars(o)), list(o.__dict__.items()))
del o.b; o.b = 1; o.d = 1; del o.c; o.c = 0
print(vars(o))
class C:
    x = 1
    y = 2
del C.x
C.x = 3
print([k for k in vars(C) if k[0] != "_"])
import sys
m = type(sys)("m")
m.p = 1; m.q = 2
del m.p
m.p = 1
print([k for k in vars(m) if k[0] != "_"])
def f(): pass
f.a = 1; f.b = 2; del f.a; f.a = 3
print(f.__dict__)
x1 = 1; x2 = 2
del x1
x1 = 3
print([k for k in globals() if k[0] == "x"])
o.__dict__.pop("a"); o.__dict__["a"] = 1
print(vars(o))
o.__dict__.clear(); o.a = 1; o.c = 2
print(vars(o))
e = ValueError("x"); e.a = 1; e.b = 2; del e.a; e.a = 2
print(e.__dict__)
