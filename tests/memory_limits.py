"""Queries, runs and limits in control groups with little memory: results, 0N or one line, and never
a process that the kernel kills.

    memory_limits.py HDBENCH [--all]

--all: a database of 600 MB under 64 MB, 300 MB and 1 GiB, 60 tries and more; without it one of 120
MB under 64 MB. Needs root and a memory controller that takes a group; else it is skipped.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import program

SECONDS = 300
SKIPPED = 77
QUERIES = pathlib.Path(__file__).resolve().parent.parent / "queries" / "paper.q"
STATUSES = (0, 1, 3)


class Group:
    """A control group with so many bytes of memory, of version 1 or 2."""

    def __init__(self, bytes_max):
        memory = pathlib.Path("/sys/fs/cgroup/memory")
        self.is_first = memory.is_dir()
        root = memory if self.is_first else pathlib.Path("/sys/fs/cgroup")
        self.path = root / f"hdbench-test-{os.getpid()}"
        self.path.mkdir()
        try:
            name = "memory.limit_in_bytes" if self.is_first else "memory.max"
            (self.path / name).write_text(str(bytes_max))
            # Memory that is swapped would hide what is too much.
            swap = self.path / ("memory.memsw.limit_in_bytes" if self.is_first
                                else "memory.swap.max")
            if swap.exists():
                swap.write_text(str(bytes_max if self.is_first else 0))
        except OSError:
            self.path.rmdir()
            raise

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self):
        file = self.path / ("memory.oom_control" if self.is_first else "memory.events")
        counts = dict(line.split() for line in file.read_text().splitlines())
        return int(counts.get("oom_kill", 0))

    def close(self):
        for _ in range(100):
            try:
                self.path.rmdir()
                return
            except OSError:
                time.sleep(0.05)


def commands(database, megabytes):
    paper = ["query", database, "--file", QUERIES, "--rows-only"]
    run = ["run", database, "--attr", "parted", "--mode", "4.0", "-s", "1", "--reps", "1",
           "--budget", "2"]
    yield paper
    yield [*paper, "--layout", "flat"]
    yield [*paper, "--layout", "flat", "--medium", "dram"]
    yield [*paper, "--medium", "dram"]
    yield [*paper, "--medium", "memory-mode"]
    yield [*paper, "--medium", "app-direct", "--layout", "flat"]
    yield [*paper, "--on-limit", "spill"]
    yield [*paper, "--on-limit", "spill", "-w", megabytes // 4]
    yield [*paper, "--on-limit", "exit"]
    yield [*run, "--medium", "nvme", "--cache", "warm", "--layout", "partitioned"]
    yield [*run, "--medium", "nvme", "--cache", "cold", "--layout", "flat"]
    yield [*run, "--medium", "dram", "--layout", "flat,partitioned"]
    yield [*run, "--medium", "nvme,dram,cxl", "--cache", "warm"]
    yield ["limit", database, "-s", "1"]
    yield ["limit", database, "--layout", "flat", "--medium", "dram"]
    yield ["query", database, "select from quote", "--rows-only"]
    yield ["query", database, "select last bid by col3 from quote", "--medium", "cxl"]
    yield ["query", database, "select med bid by col3 from quote"]
    yield ["query", database, "select dev bid, avg ask by date, col3 from quote", "-s", "2"]
    yield ["query", database, "select from quote where bid>0", "--medium", "tmpfs"]
    yield ["verify", database]
    yield ["describe", database]


def tried(binary, arguments, megabytes):
    """A complaint, or nothing; prints a line."""
    group = Group(megabytes << 20)
    begin = time.monotonic()
    try:
        done = subprocess.run([binary, *map(str, arguments)], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=SECONDS, check=False,
                              preexec_fn=group.enter)
        kills = group.kills()
    finally:
        group.close()
    said = program.without_preflight(done.stderr.decode(errors="replace")).strip().splitlines()
    stopped = done.stdout.count(b"0N")
    print(f"{megabytes:5} MB  status {done.returncode:3}  0N {stopped:2}  kills {kills}  "
          f"{time.monotonic() - begin:5.1f} s  {' '.join(map(str, arguments))[-90:]}  "
          f"{said[-1:] if done.returncode else ''}", flush=True)
    if kills or done.returncode not in STATUSES:
        return f"{megabytes} MB: {arguments}: status {done.returncode}, {kills} kills: {said[-3:]}"
    return None


def main():
    binary = os.path.abspath(sys.argv[1])
    is_whole = "--all" in sys.argv
    if program.is_sanitized():
        print("skipped: a sanitizer needs memory of its own")
        return SKIPPED
    if os.geteuid() != 0:
        print("skipped: not root")
        return SKIPPED
    try:
        Group(64 << 20).close()
    except OSError as error:
        print(f"skipped: no control group can be made: {error}")
        return SKIPPED
    bad, tries = [], 0
    with tempfile.TemporaryDirectory(prefix="memory-", dir=os.path.dirname(binary)) as place:
        database = os.path.join(place, "db")
        program.generate(binary, database, 0.05 if is_whole else 0.01)
        for megabytes in (64, 300, 1024) if is_whole else (64,):
            for arguments in commands(database, megabytes):
                if not is_whole and arguments[0] in ("run", "limit") and tries % 2:
                    tries += 1
                    continue
                tries += 1
                complaint = tried(binary, arguments, megabytes)
                bad += [complaint] if complaint else []
    print(f"{tries} tries, {len(bad)} bad", *bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
