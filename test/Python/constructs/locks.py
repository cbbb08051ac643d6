"""threading: locks and events of one thread."""
import copy
import threading


def said(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as e:
        return type(e).__name__, str(e)


lock = threading.Lock()
print(lock.locked(), lock.acquire(), lock.locked(), lock.acquire(False), lock.acquire(blocking=False), lock.acquire(timeout=0.001))
print(lock.release(), said(lock.release), said(lock.acquire, False, 1), said(lock.acquire, True, -2)[0])
with lock as held:
    print(held, lock.locked())
print(lock.locked(), said(copy.deepcopy, lock))
lock = threading.RLock()
with lock, lock:
    print(lock.acquire(), lock.release())
print(said(lock.release), said(lock.acquire, False, 1))
try:
    with lock:
        raise KeyError(1)
except KeyError:
    print(said(lock.release))
event = threading.Event()
print(event.is_set(), event.wait(0.001), event.set(), event.is_set(), event.wait(), event.clear(), event.is_set())
print(threading.TIMEOUT_MAX > 9e9)
