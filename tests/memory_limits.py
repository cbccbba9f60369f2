"""Queries, runs and limits in control groups with little memory: results, 0N or one line, and never
a process that the kernel kills.

    memory_limits.py HDBENCH [--all]

--all: a database of 600 MB under 64 MB, 300 MB and 1 GiB, 60 tries and more; without it one of 120
MB under 64 MB. Needs root and a memory controller that takes a group; else it is skipped.
"""

import os
import pathlib
import sys
import tempfile
import time

import program

SECONDS = 300
QUERIES = pathlib.Path(__file__).resolve().parent.parent / "queries" / "paper.q"
STATUSES = (0, 1, 3)


class Group:
    """A control group with so many bytes of memory, of version 1 or 2."""

    def __init__(self, bytes_max):
        root = pathlib.Path("/sys/fs/cgroup")
        is_first = (root / "memory").is_dir()
        self.path = (root / "memory" if is_first else root) / f"hdbench-test-{os.getpid()}"
        self.counts = self.path / ("memory.oom_control" if is_first else "memory.events")
        most, swap = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes") if is_first else \
            ("memory.max", "memory.swap.max")
        self.path.mkdir()
        try:
            (self.path / most).write_text(str(bytes_max))
            # Memory that is swapped would hide what is too much.
            if (self.path / swap).exists():
                (self.path / swap).write_text(str(bytes_max if is_first else 0))
        except OSError:
            self.path.rmdir()
            raise

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self):
        counts = dict(line.split() for line in self.counts.read_text().splitlines())
        return int(counts.get("oom_kill", 0))

    def close(self):
        def is_removed():
            try:
                self.path.rmdir()
            except OSError:
                return False
            return True
        program.wait_until(is_removed, 5)


def commands(megabytes):
    """Each line, where DB represents the database."""
    for words in ("", "--layout flat", "--layout flat --medium dram", "--medium dram",
                  "--medium memory-mode", "--medium app-direct --layout flat", "--on-limit spill",
                  f"--on-limit spill -w {megabytes // 4}",
                  f"--on-limit spill=cxl -w {megabytes // 4}", "--on-limit exit"):
        yield f"query DB --file {QUERIES} --rows-only {words}".split()
    for words in ("nvme --cache warm --layout partitioned", "nvme --cache cold --layout flat",
                  "dram --layout flat,partitioned", "nvme,dram,cxl --cache warm"):
        yield ("run DB --attr parted --mode 4.0 -s 1 --reps 1 --budget 2 --medium "
               f"{words}").split()
    yield from (["limit", "DB", "-s", "1"], ["limit", "DB", "--layout", "flat", "--medium", "dram"])
    for query, *words in (("select from quote", "--rows-only"),
                          ("select last bid by col3 from quote", "--medium", "cxl"),
                          ("select med bid by col3 from quote",),
                          ("select dev bid, avg ask by date, col3 from quote", "-s", "2"),
                          ("select from quote where bid>0", "--medium", "tmpfs")):
        yield ["query", "DB", query, *words]
    yield from (["verify", "DB"], ["describe", "DB"])


def tried(binary, arguments, megabytes):
    """Complaints; prints a line."""
    group = Group(megabytes << 20)
    begin = time.monotonic()
    try:
        done = program.run(binary, *arguments, timeout=SECONDS, preexec_fn=group.enter)
        kills = group.kills()
    finally:
        group.close()
    said = done.messages.strip().splitlines()
    print(f"{megabytes:5} MB  status {done.status:3}  0N {done.out.count(b'0N'):2}  kills {kills}  "
          f"{time.monotonic() - begin:5.1f} s  {' '.join(map(str, arguments))[-90:]}  "
          f"{said[-1:] if done.status else ''}", flush=True)
    if kills or done.status not in STATUSES:
        return [f"{megabytes} MB: {arguments}: status {done.status}, {kills} kills: {said[-3:]}"]
    return []


def why_not():
    if program.is_sanitized():
        return "a sanitizer needs memory of its own"
    if os.geteuid() != 0:
        return "not root"
    try:
        Group(64 << 20).close()
    except OSError as error:
        return f"no control group can be made: {error}"
    return ""


def main():
    binary = os.path.abspath(sys.argv[1])
    is_whole = "--all" in sys.argv
    if why_not():
        print(f"skipped: {why_not()}")
        return program.SKIPPED
    bad, tries = [], 0
    with tempfile.TemporaryDirectory(prefix="memory-", dir=os.path.dirname(binary)) as place:
        database = os.path.join(place, "db")
        program.generate(binary, database, 0.05 if is_whole else 0.01)
        for megabytes in (64, 300, 1024) if is_whole else (64,):
            for arguments in commands(megabytes):
                tries += 1
                if is_whole or arguments[0] not in ("run", "limit") or tries % 2:
                    bad += tried(binary, [database if word == "DB" else word
                                          for word in arguments], megabytes)
    print(f"{tries} tries, {len(bad)} bad", *bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
