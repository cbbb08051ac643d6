"""queue, of one thread; uuid, of names."""
import queue
import uuid


def tried(act):
    try:
        return act()
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"


for make in (queue.Queue, queue.LifoQueue, queue.PriorityQueue):
    q = make(maxsize=3)
    for n in (5, 1, 3):
        q.put(n)
    print(q.qsize(), q.full(), q.empty(), q.maxsize, tried(lambda: q.put(2, block=False)), tried(lambda: q.put_nowait(2)), tried(lambda: q.put(1, timeout=-1)))
    print([q.get() for _ in range(3)], tried(q.get_nowait), tried(lambda: q.get(False)), q.unfinished_tasks, tried(lambda: q.get(timeout=-1)))
    for _ in range(3):
        q.task_done()
    print(q.join(), tried(q.task_done))
s = queue.SimpleQueue()
s.put(1), s.put(2)
print(s.qsize(), s.get(), s.get_nowait(), s.empty(), tried(s.get_nowait), issubclass(queue.Empty, Exception), queue.Full.__name__)

names = [uuid.uuid3(uuid.NAMESPACE_DNS, "python.org"), uuid.uuid5(uuid.NAMESPACE_URL, "https://example.org/é"), uuid.uuid5(uuid.NAMESPACE_OID, "")]
for u in names:
    print(u, repr(u), u.hex, u.int, u.version, u.variant, u.urn, u.fields, u.bytes, u.bytes_le, u.node, u.time_low)
u = uuid.UUID("{12345678-1234-5678-1234-567812345678}")
print(u == uuid.UUID(hex="12345678123456781234567812345678"), u == uuid.UUID(bytes=u.bytes), u == uuid.UUID(bytes_le=u.bytes_le), u == uuid.UUID(int=u.int), u != 3)
print(uuid.UUID(int=5, version=4), uuid.UUID(int=0).version, hash(u) == hash(u.int), int(u) == u.int, sorted(names) == sorted(names, key=int), u < names[0], u >= u)
for act in (lambda: uuid.UUID("12"), lambda: uuid.UUID(), lambda: uuid.UUID(bytes=b"1"), lambda: uuid.UUID(int=-1), lambda: uuid.UUID(int=1, version=9),
            lambda: setattr(u, "int", 3), lambda: u < 3, lambda: uuid.UUID(bytes_le=b"")):
    print(tried(act))
