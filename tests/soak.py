"""Soak: random queries over random axes and media beside one long run.

Each query's text (csv) must be the same over all axes; each command ends with a documented status
and its own words; databases, files, mounts and loop devices are at the end what they were. The
`run` beside it, of many repetitions, goes on for the whole time: its memory, maps and descriptors
may not grow after a warm-up.

    soak.py HDBENCH [--time 30m] [--seed N]         ./check --soak 30m; without --time 8 seconds
"""

import collections
import hashlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

import program
import traces_left

SHORT_SECONDS = 8
PAPER = pathlib.Path(__file__).resolve().parent.parent / "queries"
WARM_SHARE = 0.35
LOOKS_LEAST = 20
# Queries of a query.
AROUND = ["select count i from (@)", "select[7] from @", "select[-3] from (@)",
          "select from quote where col1 in (exec distinct col1 from quote where bid>99),"
          "bid=(max;bid) fby col1", "aj[`col1`time;select col1,time,ask from quote where"
          " date=2020.01.07;select col1,time,bid from quote where date=2020.01.07]",
          "ungroup select time,sums bsize,5 mavg bid by col1 from quote where date=2020.01.07"]
# KiB, maps, descriptors. Of maps also one a column file: late queries map what no early one did.
GROWTH_BOUNDS = (32 << 10, 64, 8)


def seconds_of(text):
    number, unit = re.fullmatch(r"([0-9.]+)([smh]?)", text).groups()
    return float(number) * {"": 1, "s": 1, "m": 60, "h": 3600}[unit]


def listed_queries(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("select")]


def random_query(chance):
    aggregates = ["max bid", "min ask", "sum bsize", "avg asize", "n:count i", "med bid",
                  "last ask", "first bid", "dev ask", "bsize wavg bid"]
    keys = ["", " by col1", " by date", " by date,col1", " by col2,col3", " by time.hh"]
    conditions = ["date=2020.01.07", "date within (2019.12.01;2020.01.10)", "col3=`val1",
                  "col3 in `val1`val2", "bid>100", "asize within (100;900)", "col1 like \"*1\"",
                  "date in (2020.01.03;2020.01.31)"]
    where = ", ".join(chance.sample(conditions, chance.randint(0, 3)))
    picked = ", ".join(f"r{index}:{text.split(':')[-1]}" for index, text in
                       enumerate(chance.sample(aggregates, chance.randint(1, 3))))
    by = chance.choice(keys)
    if not by and chance.random() < 0.2:
        picked = ""
        where = where or "date=2020.01.07"
    text = f"select {picked}{by} from quote" + (f" where {where}" if where else "")
    return chance.choice(AROUND).replace("@", text) if chance.random() < 0.3 else text


def random_axes(chance, place):
    """Words that change where and how a query is run, not what it returns."""
    words = []
    medium = chance.choice(["nvme", "dram", "tmpfs", "app-direct:optane-100-6dimm",
                            "cxl:cxl-asic-ddr5", "memory-mode:optane-memory-mode",
                            "cxl:cxl-asic-ddr5+interleave=3:1", "nvme:nvme-p5510"])
    words += ["--medium", medium, "--emulation", chance.choice(["model", "wall"])]
    words += ["--layout", chance.choice(["partitioned", "partitioned", "flat"])]
    words += ["--attr", chance.choice(["none", "parted"])]
    words += ["--mode", chance.choice(["3.6", "4.0"]), "-s", chance.choice("0124")]
    words += ["--codes", chance.choice(["stored", "narrow"])]
    words += ["--pmem-dir", place / "memory"] if medium == "tmpfs" else []
    if medium.startswith("nvme"):
        words += chance.choice([[], ["--prefetch", "on"], ["--cache", "warm"]])
    if chance.random() < 0.2 and not medium.startswith("memory-mode"):
        words += ["--place", "bid,ask=cxl:cxl-asic-ddr5"]
    if chance.random() < 0.3:
        words += ["-w", chance.choice(["1", "8"]), "--on-limit",
                  chance.choice(["abort", "exit", "spill", "spill=dram",
                                 "spill=cxl:cxl-asic-ddr5", "spill=tmpfs"])]
    return [*words, *program.SMALL_CEILINGS, "--scratch-dir", place / "scratch"]


class Soak:
    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        self.shelf = root / "shelf"
        self.shelf.mkdir()
        self.found = []
        self.done = collections.Counter()
        self.texts = {}
        self.queries = (listed_queries(PAPER / "paper.q") + listed_queries(PAPER / "aggregates.q"))
        program.generate(binary, self.shelf / "parted", 0.0005)
        program.succeed(binary, "gen", self.shelf / "timed", "--scale", 0.0003)
        self.before = program.contents(self.shelf)

    def fault(self, what, words, done):
        self.found.append(f"{what}: {' '.join(map(str, words))}: status {done.status}: "
                          f"{done.messages.strip()[-300:]}")

    def call(self, place, words):
        environment = dict(os.environ, TMPDIR=str(place / "tmp"), HOME=str(place))
        done = program.run(self.binary, *words, env=environment, cwd=place)
        for fault in program.faults(done.status, done.messages):
            self.fault(fault, words, done)
        if done.status not in (0, 1) and \
                not any(line.startswith("hdbench: ") for line in done.lines):
            self.fault("no line", words, done)
        return done

    def ask(self, place, chance):
        """One query over one setting: the same text as over any other."""
        database = self.shelf / chance.choice(["parted", "timed"])
        query = chance.choice(self.queries) if chance.random() < 0.4 else random_query(chance)
        words = ["query", database, query, "--format", "csv", *random_axes(chance, place)]
        done = self.call(place, words)
        self.done["queries"] += 1
        if done.status in (2, 3):
            self.done["refused"] += 1
            # A build without libpmem has no tmpfs.
            if done.status == 3 and "this build has no libpmem" not in done.messages:
                self.fault("bad data in a good database", words, done)
            return
        if done.status == 1 or "hdbench: " in done.messages:
            self.done["limited"] += 1
            return
        text = hashlib.sha256(done.out).hexdigest()
        known = self.texts.setdefault((database.name, query), (text, words))
        if known[0] != text:
            self.fault(f"another result than of {' '.join(map(str, known[1]))}", words, done)

    def user(self, end, seed):
        chance, place = random.Random(seed), self.root / "user"
        for name in ("tmp", "scratch"):
            (place / name).mkdir(parents=True)
        with tempfile.TemporaryDirectory(prefix="hdbench-soak-", dir="/dev/shm") as memory:
            (place / "memory").symlink_to(memory)
            try:
                while time.monotonic() < end and not self.found:
                    self.ask(place, chance)
                    self.found += [f"left behind: {path}" for name in ("tmp", "scratch", "memory")
                                   for path in (place / name).iterdir()]
            except (OSError, subprocess.TimeoutExpired) as failure:
                self.found.append(f"the user: {failure}")


class LongRun:
    """`run` with many repetitions, begun again when it ends, looked at once a moment."""

    def __init__(self, soak, seconds):
        self.soak, self.budget = soak, max(seconds, 6) / 60
        self.runs = self.looks = 0
        self.growths = []
        self.begin()

    def begin(self):
        words = ["run", self.soak.shelf / "parted", "--medium", "nvme,dram", "--cache", "warm",
                 "-s", "1,2", "--reps", "1000", "--reps-most", "1000", "--precision", "0",
                 "--budget", f"{self.budget:.3f}", *program.SMALL_CEILINGS, "--scratch-dir",
                 self.soak.root, "--queries", PAPER / "paper.q", "--out",
                 self.soak.root / "long.json"]
        self.samples = []
        with open(self.soak.root / "long.txt", "wb") as said:
            self.process = subprocess.Popen(
                [str(self.soak.binary), *map(str, words)], stdin=subprocess.DEVNULL,
                stdout=said, stderr=said)

    def look(self):
        if self.process.poll() is not None:
            self.ended()
            self.begin()
        proc = pathlib.Path(f"/proc/{self.process.pid}")
        try:
            resident = re.search(r"VmRSS:\s+([0-9]+)", (proc / "status").read_text())
            if resident:
                self.samples.append((int(resident[1]),
                                     len((proc / "maps").read_text().splitlines()),
                                     len(list((proc / "fd").iterdir()))))
                self.looks += 1
        except OSError:
            pass

    def ended(self):
        """Keeps how it ended, and by how much its end was above its warm-up."""
        self.runs += 1
        status = self.process.returncode
        if status not in (0, 1, 4, 130):
            said = (self.soak.root / "long.txt").read_text(errors="replace").strip()[-300:]
            self.soak.found.append(f"the long run ended with status {status}: {said}")
        if len(self.samples) < LOOKS_LEAST:
            return
        warm = int(len(self.samples) * WARM_SHARE)
        early, late = self.samples[:warm], self.samples[warm:]
        growth = [max(one[index] for one in late) - max(one[index] for one in early)
                  for index in range(3)]
        self.growths.append(growth)
        files = sum(path.is_file() for path in (self.soak.shelf / "parted").rglob("*"))
        # A sanitizer keeps what is freed, up to so many KiB.
        kept = 4 << 20 if program.is_sanitized() else 0
        bounds = [bound + extra for bound, extra in zip(GROWTH_BOUNDS, (kept, files, 0))]
        if any(grown > bound for grown, bound in zip(growth, bounds)):
            self.soak.found.append(f"the long run grew by {growth} (KiB, maps, descriptors)")

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(program.TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.soak.found.append("the long run does not end on SIGTERM")
            self.process.kill()
            self.process.wait()
        self.ended()

    def text(self):
        most = [max(column) for column in zip(*self.growths)] or [0] * 3
        return (f"{self.runs} long runs, {self.looks} looks, {len(self.growths)} long "
                f"enough: after the warm-up at most {most[0]:+} KiB, {most[1]:+} maps, "
                f"{most[2]:+} descriptors")


def main():
    parser = program.parser_of_binary()
    parser.add_argument("--time", default=f"{SHORT_SECONDS}s")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seconds = seconds_of(options.time)
    with tempfile.TemporaryDirectory(prefix="hdbench-soak-") as folder:
        root = pathlib.Path(folder)
        soak = Soak(options.binary, root)
        end = time.monotonic() + seconds
        long_run = LongRun(soak, seconds)
        user = threading.Thread(target=soak.user, args=(end, options.seed))
        user.start()
        while user.is_alive():
            long_run.look()
            time.sleep(min(1.0, seconds / 40))
        long_run.end()
        if program.contents(soak.shelf) != soak.before:
            soak.found.append("a database has changed")
        soak.found += traces_left.of_folder(root)
    for line in soak.found[:40]:
        print(f"FOUND {line}")
    counts = ", ".join(f"{count} {name}" for name, count in sorted(soak.done.items()))
    print(f"soak: {seconds:.0f} s, seed {options.seed}: {counts}; {len(soak.texts)} different "
          f"queries; {long_run.text()}; {len(soak.found)} findings")
    return 1 if soak.found else 0


if __name__ == "__main__":
    sys.exit(main())
