"""What measurements by alternating processes share."""
import subprocess
import sys


def output(*command):
    """What the command prints; its failure ends the measurement."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout
