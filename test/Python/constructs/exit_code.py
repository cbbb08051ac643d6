"""SystemExit leaves the program through finally."""
import sys

try:
    print("working")
    sys.exit(0)
finally:
    print("cleanup")
