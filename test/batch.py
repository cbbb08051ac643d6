"""Calls of `ptc` through one `ptc batch` per process and environment: what subprocess.run([ptc, ...]) gives, sooner.

A call's standard input is empty. A server ends when the process that started it does.
"""
import contextlib
import json
import multiprocessing.util
import os
import subprocess

servers = {}


class Server:
    def __init__(self, ptc, env):
        self.owner = os.getpid()               # a forked worker starts its own
        self.process = subprocess.Popen([ptc, "batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        multiprocessing.util.Finalize(self, self.end, exitpriority=1)

    def end(self):
        """Waits for it, too: its time counts among that of its owner's children."""
        if self.owner == os.getpid():
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self.process.stdin.close()
                self.process.wait(3)

    def call(self, args, cwd, timeout):
        request = {"args": args, "cwd": cwd, **({} if timeout is None else {"limit": timeout})}
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError) as error:
            raise RuntimeError(f"`ptc batch` ended with {self.process.wait()} at {args}") from error

    def usable(self):
        return self.owner == os.getpid() and self.process.poll() is None


def run(command, timeout=None, cwd=None, env=None, text=False):
    """As subprocess.run(command, capture_output=True, ...): TimeoutExpired behind `timeout` seconds."""
    ptc, *args = map(str, command)
    env = dict(os.environ if env is None else env)
    key = (os.path.abspath(ptc), frozenset(env.items()))
    if key not in servers or not servers[key].usable():
        servers[key] = Server(key[0], env)
    try:
        done = servers[key].call(args, os.path.abspath(cwd or "."), timeout)
    except BaseException:                      # an answer may still come, to a question that nobody remembers
        with contextlib.suppress(OSError):
            servers.pop(key).process.kill()
        raise
    if done["exit"] is None:
        raise subprocess.TimeoutExpired(command, timeout)
    said = [done["stdout"], done["stderr"]]
    return subprocess.CompletedProcess(command, done["exit"], *(said if text else [one.encode() for one in said]))
