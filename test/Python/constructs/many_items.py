"""Containers that grow and shrink item by item cost their items: 30000 of each must end within the limit."""
from collections import OrderedDict, deque

N = 30_000

s = set()
for i in range(N):
    s.add(i * 7)
print(len(s), sum(1 for i in range(N) if i in s))
for i in range(0, N, 2):
    s.discard(i * 7)
    s.remove(i * 7 + 7)
    s.add(-i)
print(len(s), sum(s))
count = 0
while s:
    count += s.pop()
print(count, len(s))
words = {str(i) for i in range(N)}
print(len(words), "777" in words, len({i: i for i in range(N)}))
while words:
    words.pop()

d = {}
for i in range(N):
    d[i] = i
for i in range(N // 2):
    del d[i]
for i in range(N // 2):
    d[i] = -i
    d.pop(N // 2 + i)
print(len(d), next(iter(d)), d[17], 17 in d, N - 1 in d)
total = 0
while d:
    k, v = d.popitem()
    total += v
print(total)
groups = {}
for i in range(N):
    groups.setdefault(i, []).append(i)
print(len(groups), groups[N - 1])
for i in range(N):
    groups.pop((i * 7919) % N, None)
print(len(groups))
lru = OrderedDict()
for i in range(N // 10):
    lru[i] = i
    if len(lru) > 100:
        lru.popitem(last=False)
print(len(lru), list(lru)[:2])

q = deque()
for i in range(N):
    q.append(i)
    q.append(-i)
    total += q.popleft()
while q:
    total += q.popleft()
for i in range(N):
    q.appendleft(i)
print(total, q[0], q[-1], len(q))
while q:
    total += q.pop()
print(total)

x = []
for i in range(N):
    x.insert(0, i)
print(x[0], x[-1], len(x))
for i in range(N):
    total += x.pop(0)
    x.append(i)
print(total, x[0], x[-1], x[1:4], x[::12000])
x.sort(reverse=True)
x[0] = 5
del x[1]
print(x[:4], len(x))
for i in range(N):
    x.extend((i, i))
    x.pop()
print(len(x))

text, other = "", ""
for i in range(2 * N):
    text += "ab"
    other = text
    if i % 1000 == 0:
        text += "\u20ac"
print(len(text), text[-3:], text.count("\u20ac"), other == text, len(other))
half = text[:300]
left, right = half + "x", half + "y"
print(left[-3:], right[-3:], half[-2:], (left + left)[300:303], len(left + left))
double = half + half
print(len(double + double), double[:2], double[-2:], len(double))
