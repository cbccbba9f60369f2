"""How a test says that it cannot run here: the reason, and the status that ctest calls skipped."""

import sys


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)
