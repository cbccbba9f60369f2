"""Driving the hdbench binary from tests: runs, small databases, what a directory holds."""

import hashlib
import os
import pathlib
import subprocess


def is_sanitized():
    """Whether the program was built with sanitizers (tests/CMakeLists.txt says so)."""
    return bool(os.environ.get("HDBENCH_SANITIZED"))


TIMEOUT_SECONDS = 1200 if is_sanitized() else 120
# Of a run whose figures do not matter: its ceilings are a cache's.
SMALL_CEILINGS = ["--ceiling-size", "1MiB"]


def without_preflight(said):
    """What it finds of this machine is another thing on each."""
    return "".join(line for line in said.splitlines(keepends=True)
                   if not line.startswith("preflight: "))


class Outcome:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout
        self.messages = without_preflight(done.stderr.decode(errors="replace"))
        self.lines = self.messages.splitlines()


def run(binary, *arguments):
    done = subprocess.run(
        [str(binary), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Outcome(done)


def generate(binary, path, scale):
    done = run(binary, "gen", path, "--profile", "paper", "--scale", scale, "--parted", "col3",
               "--threads", 2)
    if done.status != 0:
        raise RuntimeError(f"gen ended with status {done.status}: {done.messages}")


def contents(folder):
    """Everything below a folder: {path: (bytes, modified, hash)}; directories without a hash."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        stat = path.lstat()
        data = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (stat.st_size, stat.st_mtime_ns, data)
    return found
