"""enumerate() of containers whose elements are known, and of others."""
l=[1,2,3]
e=enumerate(l)
print(next(e), list(e), next(e,None))
for i,x in enumerate(l):
    if i<5: l.append(x)
print(l)
print(list(enumerate("añb",5)), list(enumerate((1,),start=-2)), list(enumerate([])))
print(list(enumerate(range(3))), list(enumerate({1:2,3:4})), list(enumerate({7})), dict(enumerate("ab")))
class L(list):
    def __iter__(self): return iter([9])
print(list(enumerate(L([1]))), list(enumerate(iter([4,5]))))
try: enumerate()
except TypeError as x: print(x)
try: enumerate([1], 2.5)
except TypeError as x: print(x)
it=iter([1,2]); e=enumerate(it); next(it); print(list(e))
e=enumerate([1,2]); next(e); a,b=next(e); print(a,b, next(e,0))
big=list(enumerate([1], 1<<70)); print(big)
print(max(enumerate([3,9,2]), key=lambda p:p[1]), [*enumerate("ab")], sum(i*x for i,x in enumerate([1,2,3])))
for i, (j, c) in enumerate(enumerate("xy")): print(i,j,c)
e=enumerate([]); print(next(e,1)); print(iter(e) is e, isinstance(e, enumerate))
