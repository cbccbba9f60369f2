"""Driving the hdbench binary from tests: runs, small databases, what a directory holds."""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77
NOBODY = 65534
PATIENCE_SECONDS = 60
# What a command may end with, and words of libraries, of the runtime, and of our own checks.
DOCUMENTED = (0, 1, 2, 3, 4, 5, 130)
FOREIGN_WORDS = ("bug in hdbench", "terminate called", "std::", "bad_alloc", "json.exception",
                 "what():", "basic_", "vector::", "filesystem error", "Assertion", "__cxa",
                 "_M_", "iostream error", "Aborted", "Segmentation", "system_error",
                 "bad_function_call", "toml::")


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


def run(binary, *arguments, before=(), **options):
    """`before`: the program that runs it, with its arguments; `options`: of subprocess.run."""
    done = subprocess.run(
        [str(word) for word in [*before, binary, *arguments]],
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
           "timeout": TIMEOUT_SECONDS, "check": False, **options},
    )
    return Outcome(done)


def faults(status, messages):
    """What no command may do, whatever happens to it."""
    found = [] if status in DOCUMENTED else [f"status {status}"]
    foreign = [word for word in FOREIGN_WORDS if word in messages]
    return found + ([f"foreign words {foreign}"] if foreign else [])


def parser_of_binary():
    """Of the arguments of a script that takes the program first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=lambda path: pathlib.Path(path).resolve(strict=True))
    return parser


def succeed(binary, *arguments):
    done = run(binary, *arguments)
    if done.status != 0:
        raise RuntimeError(f"{arguments[0]} ended with status {done.status}: {done.messages}")
    return done


def generate(binary, path, scale):
    succeed(binary, "gen", path, "--profile", "paper", "--scale", scale, "--parted", "col3",
            "--threads", 2)


def generate_days(binary, path, scale, days):
    """A database of the first days alone, without the manifest."""
    generate(binary, path, scale)
    path.with_name(f"{path.name}.manifest.json").unlink()
    for day in sorted(path.glob("20*"))[days:]:
        shutil.rmtree(day)


def cells(path):
    """Of a file of results."""
    return json.loads(path.read_text(encoding="utf-8"))["benchmarks"]


def wait_until(holds, seconds=PATIENCE_SECONDS):
    """Whether it holds within so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def contents(folder):
    """Everything below a folder: {path: (bytes, modified, hash)}; directories without a hash."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        stat = path.lstat()
        data = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (stat.st_size, stat.st_mtime_ns, data)
    return found


def hashes(folder):
    """The same without what is no file's contents; of no folder: nothing."""
    return {name: hashed for name, (_, _, hashed) in contents(folder).items()}


def why_not_mount():
    """Why nothing can be mounted in a namespace here; empty: it can."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return "not root, or no unshare"
    probe = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"],
                           capture_output=True, check=False, text=True)
    return f"no mount namespace here: {probe.stderr.strip()}" if probe.returncode else ""


# Of mpirun where root runs the tests, too.
MPI_ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def ranks_of(job):
    """The processes that mpirun started, by rank."""
    children = pathlib.Path(f"/proc/{job}/task/{job}/children").read_text().split()
    found = {}
    for child in children:
        environment = pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        for one in environment:
            if one.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(one.split(b"=")[1])] = int(child)
    return found


def files_up_to(count_bytes):
    """What a process is started with (preexec_fn) that no file may grow beyond."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (count_bytes, count_bytes))


def children_of(pid):
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid:
            found.append(int(entry.parent.name))
    return found


@contextlib.contextmanager
def mounted(place, *words):
    """A folder where this is mounted, by root."""
    place.mkdir()
    subprocess.run(["mount", *words, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)
        place.rmdir()


class Case(unittest.TestCase):
    """A test of the program, in a folder that is its class's own."""

    binary = None  # main() sets it

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="hdbtest-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)

    def ended(self, status, *arguments, **options):
        done = run(self.binary, *arguments, **options)
        self.assertEqual(done.status, status, f"{arguments}: {done.messages}")
        return done

    def fine(self, *arguments, **options):
        return self.ended(0, *arguments, **options)

    def refused(self, status, named, *arguments, **options):
        """In one line that names the thing, and nothing on standard output."""
        done = self.ended(status, *arguments, **options)
        self.assertEqual(len(done.lines), 1, done.messages)
        self.assertIn(named, done.messages, arguments)
        self.assertEqual(done.out, b"", arguments)
        return done

    def start(self, *arguments, **options):
        """The running program, whose messages are a pipe; killed and closed at the end."""
        process = subprocess.Popen(
            [str(word) for word in [self.binary, *arguments]],
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
               "stderr": subprocess.PIPE, "text": True, **options})
        self.addCleanup(process.__exit__, None, None, None)
        self.addCleanup(process.kill)
        return process


class DatabaseCase(Case):
    """Each test has a folder of its own, with a copy of `whole` in it, or place for a database."""

    whole = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="hdbtest-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.database = self.folder / "db"
        if self.whole:
            shutil.copytree(self.whole, self.database)

    def csv(self, *arguments):
        """What a query prints."""
        return self.fine("query", self.database, *arguments, "--format", "csv").out.decode()

    def query_refused(self, named, *arguments):
        return self.refused(3, named, "query", self.database, *arguments)

    def verified(self, status, *said):
        done = self.ended(status, "verify", self.database)
        for text in said:
            self.assertIn(text, done.out.decode() + done.messages)
        return done


def main(why_not=""):
    """Runs the tests of the script that was called, unless they cannot be run here."""
    if why_not:
        print(f"{pathlib.Path(sys.argv[0]).stem}: skipped: {why_not}")
        sys.exit(SKIPPED)
    Case.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
