"""time: a compiled program has no clock, so every reading is refused."""


def _refuse(name):
    def read(*args):
        raise NotImplementedError(f"time.{name}() has no meaning in a compiled program: there is no clock")

    read.__name__ = name
    return read


time = _refuse("time")
time_ns = _refuse("time_ns")
perf_counter = _refuse("perf_counter")
perf_counter_ns = _refuse("perf_counter_ns")
monotonic = _refuse("monotonic")
monotonic_ns = _refuse("monotonic_ns")
process_time = _refuse("process_time")
process_time_ns = _refuse("process_time_ns")
sleep = _refuse("sleep")
localtime = _refuse("localtime")
gmtime = _refuse("gmtime")
strftime = _refuse("strftime")
