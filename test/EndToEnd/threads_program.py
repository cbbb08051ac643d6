"""threading, queue and concurrent.futures: threads that run to their end, in an order that every run of CPython gives the same text."""
import contextvars
import threading, queue, io
from concurrent.futures import ThreadPoolExecutor, as_completed, wait, Future
import concurrent.futures

def said(f, *a, **k):
    try:
        return f(*a, **k)
    except BaseException as e:
        return type(e).__name__, str(e)

r = []
t = threading.Thread(target=lambda a, b=2: r.append((a, b, threading.current_thread().name)), args=(1,), kwargs={"b": 3})
print(t.name.split()[0], t.daemon, t.is_alive(), t.ident, said(t.join))
t.start()
t.join()
print(t.is_alive(), r, said(t.start))
class W(threading.Thread):
    def __init__(self, n):
        super().__init__(name=f"w{n}", daemon=True)
        self.n = n
    def run(self):
        self.result = self.n * 2
ws = [W(i) for i in range(3)]
for w in ws:
    w.start()
for w in ws:
    w.join()
print([w.result for w in ws], [w.name for w in ws], ws[0].daemon, repr(W(4)))
loc = threading.local()
loc.x = 1
def f():
    print(hasattr(loc, "x"), said(getattr, loc, "x"))
    loc.x = 5
    print(loc.x)
    del loc.x
    print(hasattr(loc, "x"), said(delattr, loc, "x"))
t = threading.Thread(target=f)
t.start()
t.join()
print(loc.x, threading.current_thread() is threading.main_thread(), threading.current_thread().name)
c = threading.Condition()
with c:
    print(c.wait(0.001), c.notify(), c.notify_all(), c.wait_for(lambda: 3), c.wait_for(lambda: 0, 0.001))
print(said(c.wait, 1), said(c.notify))
s = threading.Semaphore(1)
print(s.acquire(), s.acquire(False), s.acquire(timeout=0.001), s.release(), s.acquire(blocking=False), said(s.release, 0), said(threading.Semaphore, -1))
b = threading.BoundedSemaphore(1)
print(said(b.release))
with b:
    print(b.acquire(False))
def bad():
    raise KeyError(1)
seen = []
threading.excepthook = lambda a: seen.append((a.exc_type, str(a.exc_value), a.thread is t))
t = threading.Thread(target=bad)
t.start()
t.join()
print(seen)
q = queue.Queue(2)
print(q.empty(), q.put(1), q.put(2), q.full(), said(q.put, 3, False), said(q.put, 3, timeout=0.001), said(q.put, 3, timeout=-1), q.qsize(), q.get(), q.get_nowait(), said(q.get_nowait), said(q.get, timeout=0.001), said(q.get, timeout=-1))
print(q.task_done(), q.task_done(), said(q.task_done), q.join(), q.queue, q.maxsize, q.unfinished_tasks)
p = queue.PriorityQueue()
for v in (3, 1, 2):
    p.put((v, str(v)))
print([p.get() for _ in range(3)])
l = queue.LifoQueue()
l.put(1)
l.put(2)
print(l.get(), l.get(), l.queue)
z = queue.SimpleQueue()
z.put(1)
print(z.get(), z.empty(), said(z.get_nowait), z.qsize())
with ThreadPoolExecutor(max_workers=2) as ex:
    fs = [ex.submit(pow, i, 2) for i in range(4)]
    print([f.result() for f in fs], [f.done() for f in fs], sorted(f.result() for f in as_completed(fs)))
    print(list(ex.map(lambda a, b: a + b, [1, 2], [3, 4])))
    e = ex.submit(bad)
    print(said(e.result), repr(e.exception()), e.cancel(), e.cancelled(), e.running())
    d, n = wait(fs)
    print(len(d), len(n))
    got = []
    fs[0].add_done_callback(lambda f: got.append(f.result()))
    print(got)
print(said(ex.submit, bad), said(ThreadPoolExecutor, 0), said(ThreadPoolExecutor, initializer=3))
f = Future()
print(f.done(), f.cancel(), f.cancelled(), said(f.result))
print(ThreadPoolExecutor.__module__, Future.__module__, queue.Empty.__module__, concurrent.futures.TimeoutError is TimeoutError, said(f.result, timeout=1)[0])
l = threading.Lock()
def hold():
    print(l.acquire(False), l.acquire(timeout=0))
rl = threading.RLock()
def hold2():
    print(rl.acquire(False), said(rl.release))
with l, rl:
    for g in (hold, hold2):
        t = threading.Thread(target=g)
        t.start()
        t.join()
own = contextvars.ContextVar("own", default=0)
own.set(5)
seen = []
t = threading.Thread(target=lambda: (seen.append(own.get()), own.set(7), seen.append(own.get()), seen.append(dict(loc.__dict__))))
t.start()
t.join()
print(seen, own.get(), loc.__dict__)
