"""Kills: commands that write, ended by SIGKILL at random moments.

After each kill files are the old ones or whole: gen is completed by --resume to the same bytes, an
image of persistent memory is whole or made anew, results.json and its journal hold what was
reported as done and every round that had ended, and are gone on from to the cells of an undisturbed
run, a pool of processes ends with its run, ranks end with the one that was killed, `advise` leaves
no process and no file beside its advice, `io --compare` leaves no mount, loop device, group or
file, and `--tiering` the kernel's settings that were there.

    kills.py HDBENCH [--times N] [--only WORD]...     ./check --kills: 200 of each

Without --times a few of each but of `io --compare`, which tests/io_filesystems.py kills, and of
`--tiering`, which bench/machine/kernel_tiering_test.cc does: they change the machine.
"""

import collections
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import program  # pylint: disable=wrong-import-position
import traces_left  # pylint: disable=wrong-import-position

SEED = 1
FEW = 2
PROGRESS_EVERY = 20
SHORTEST_SECONDS = 0.05
LATE_SHARE = 0.9
VISITS = 3
ROUNDS_OF_USERS = 3
REPS_OF_VISIT = 2
QUICK = ["--attr", "none", "--mode", "4.0", "-s", "1", "--reps", str(VISITS * REPS_OF_VISIT),
         "--visits", str(VISITS), *program.SMALL_CEILINGS]
QUERY = "select max bid, med ask by col1 from quote"


class Failure(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Failure(what)


class Victim:
    """A command, what it may leave when it is killed, and what must hold afterwards."""

    name = ""

    def __init__(self, scene):
        self.scene = scene
        self.said = ""  # by the command that was killed
        self.place = scene.root / self.name
        self.place.mkdir()

    def words(self):
        raise NotImplementedError

    def check(self):
        raise NotImplementedError

    def command(self):
        return [self.scene.binary, *self.words()]

    def kill(self, process):
        process.kill()

    def clean(self):
        for path in self.place.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def succeed(self, *words):
        try:
            return program.succeed(*self.command(), *words)
        except RuntimeError as failure:
            raise Failure(failure) from failure

    def left_in_place(self):
        return sorted(path.name for path in self.place.iterdir())

    def require_left(self, *names, may=False):
        """That these are left, or `may` be, and nothing else."""
        left = self.left_in_place()
        require(set(left) <= set(names) if may else left == sorted(names), f"left: {left}")


class Gen(Victim):
    name = "gen"

    def words(self):
        return ["gen", self.place / "new", *self.scene.MADE]

    def check(self):
        self.require_left("new", "new.partial", "new.manifest.json", may=True)
        found = program.hashes(self.place / "new")
        require(found.items() <= self.scene.made.items(),
                "a file of the database is neither absent nor whole")
        self.succeed("--resume")
        require(program.hashes(self.place / "new") == self.scene.made,
                "resumed to another database")
        self.require_left("new", "new.manifest.json")


class Image(Victim):
    """The load of a database into an image that is kept, over an older one or none."""

    name = "image"

    def __init__(self, scene):
        super().__init__(scene)
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="hdbench-kills-", dir="/dev/shm"))
        self.turn = 0

    def words(self):
        return [*self.scene.query, "--medium", "tmpfs", "--pmem-dir", self.place, "--pmem-keep"]

    def check(self):
        require(all(name.startswith("hdbench-") and name.endswith(".pool")
                    for name in self.left_in_place()), f"left: {self.left_in_place()}")
        done = self.succeed()
        require(done.out == self.scene.answer, "another answer from the image")
        require(len(self.left_in_place()) == 1, f"left after a load: {self.left_in_place()}")
        again = self.succeed()
        require("reused" in again.messages, f"the image is not used again: {again.messages}")
        require(again.out == self.scene.answer, "another answer from the reused image")

    def clean(self):
        """Every other time an image of an older state of the database is there."""
        self.turn += 1
        if self.turn % 2 == 0:
            super().clean()
        else:
            os.utime(self.scene.database / "sym")


class Resume(Victim):
    name = "run"

    def words(self):
        return [*self.scene.matrix, "--scratch-dir", self.place, "--out", self.place / "r.json",
                "--resume"]

    def check(self):
        self.require_left("r.json", "r.json.partial", may=True)
        self.check_told()
        kept = self.finished()
        done = self.succeed()
        results = self.read("r.json")
        require(results["context"]["complete"], f"not complete: {done.messages}")
        cells = {cell["name"]: cell for cell in results["benchmarks"]}
        require(set(cells) == self.scene.cells, f"cells {sorted(cells)}")
        for name, times in kept.items():
            require(cells[name]["times_ms"][:len(times)] == times, f"{name} was measured anew")
        require(all(cell["visits"] == [REPS_OF_VISIT] * VISITS for cell in cells.values()),
                f"visits {[cell['visits'] for cell in cells.values()]}")
        self.require_left("r.json")

    def read(self, name):
        path = self.place / name
        return json.loads(path.read_text()) if path.exists() else None

    def check_told(self):
        """What was reported as done is in results.json."""
        told = collections.Counter(re.findall(r"^done: visit ./., ./. (\w+ \w+), ", self.said,
                                              re.MULTILINE))
        results = self.read("r.json")
        ceilings = results["context"]["placement_ceilings"] if results else []
        there = {f"{one['medium']} {one['layout']}": one["visits"] for one in ceilings}
        require(all(there.get(title, 0) >= visits for title, visits in told.items()),
                f"told {dict(told)}, there are {there}")

    def finished(self):
        """Times of finished visits by cell, of results.json and of the journal's whole lines."""
        documents = [self.read("r.json")]
        journal = self.place / "r.json.partial"
        if journal.exists():
            lines = journal.read_text().split("\n")
            documents += [json.loads(line) for line in lines[:-1]]
            require(len(lines) > 1, "a journal without a line")
        kept = {}
        for document in documents:
            for cell in document["benchmarks"] if document else []:
                count = sum(visit for visit in cell["visits"] if visit == REPS_OF_VISIT)
                kept[cell["name"]] = cell["times_ms"][:count]
        return kept


class Users(Victim):
    """A run with a pool of processes: they end with it, and what it had is gone on from."""

    name = "users"

    def words(self):
        return ["run", self.scene.database, *QUICK, "--queries", self.scene.queries, "--medium",
                "dram", "--layout", "partitioned", "--cache", "warm", "--users", "2,4",
                "--processes", "2", "--seconds", "0.2", "--out", self.place / "u.json", "--resume"]

    def check(self):
        program.wait_until(lambda: not self.processes())
        require(not self.processes(), f"left: processes {self.processes()}")
        self.require_left("u.json", "u.json.partial", may=True)
        kept = self.cells()
        self.succeed()
        cells = self.cells()
        require(len(cells) == 2, f"cells of users {sorted(cells)}")
        require(all(cells[name] == cell for name, cell in kept.items()),
                "a cell that was there was measured anew")

    def cells(self):
        path = self.place / "u.json"
        context = json.loads(path.read_text())["context"] if path.exists() else {}
        return {cell["name"]: cell for cell in context.get("users", [])
                if cell["rounds"] == ROUNDS_OF_USERS}

    def processes(self):
        found = []
        for words in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if str(self.place).encode() in words.read_bytes():
                    found.append(words.parent.name)
        return found


class Ranks(Victim):
    """A run by two ranks, one of which is killed: all end soon, and the other is named."""

    name = "ranks"
    ENDS_WITHIN_SECONDS = 10
    killed = None  # the rank, and when

    def words(self):
        return ["run", self.scene.database, *QUICK, "--queries", self.scene.queries, "--medium",
                "nvme,dram", "--cache", "cold,warm", "--out", self.place / "m.json", "--resume"]

    def command(self):
        return ["mpirun", "--oversubscribe", "-n", "2", self.scene.binary, *self.words()]

    def kill(self, process):
        ranks = program.ranks_of(process.pid)
        if not ranks:  # mpirun has not begun them, or they have ended
            process.kill()
            return
        rank, pid = random.choice(sorted(ranks.items()))
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            self.killed = rank, time.monotonic()

    def check(self):
        if self.killed:
            rank, moment = self.killed
            self.killed = None
            took = time.monotonic() - moment
            require(took < self.ENDS_WITHIN_SECONDS, f"it took {took:.1f} s to end")
            require(f"rank {rank} " in self.said, f"rank {rank} is not named: {self.said}")
        program.wait_until(lambda: not self.processes())
        require(not self.processes(), f"left: processes {self.processes()}")
        self.require_left("m.json", "m.json.partial", may=True)
        self.succeed()
        document = json.loads((self.place / "m.json").read_text())
        require(document["context"]["complete"], "not complete")
        require(len(document["benchmarks"]) == 3, f"{len(document['benchmarks'])} cells")
        self.require_left("m.json")

    processes = Users.processes


class Advise(Victim):
    """While its queries are recorded, or the solver runs."""

    name = "advise"
    TIERS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tiers.toml"

    def words(self):
        return ["advise", self.scene.database, "--queries", self.scene.queries, "--tiers",
                self.TIERS, "--slowdown", "15%", "--reps", "1", *program.SMALL_CEILINGS, "--out",
                self.place / "a.json"]

    def command(self):
        return ["env", f"TMPDIR={self.place}", *super().command()]

    def check(self):
        program.wait_until(lambda: not self.processes())
        require(not self.processes(), f"left: processes {self.processes()}")
        self.require_left("a.json", may=True)
        if self.left_in_place():
            json.loads((self.place / "a.json").read_text())

    processes = Users.processes


class Compare(Victim):
    name = "compare"

    def words(self):
        pair = ",".join(traces_left.filesystems()[:2])
        return ["io", self.place, "--compare", f"fs:{pair}", "--quick", "--tests",
                "write-sync|hcount", "--processes", "2"]

    def check(self):
        program.wait_until(lambda: not self.leftovers())
        require(not self.leftovers(), f"left: {self.leftovers()}")

    def leftovers(self):
        guards = [f"guard {pid}" for pid in traces_left.guards()
                  if str(self.place) in traces_left.folder_of(pid)]
        return self.left_in_place() + traces_left.of_folder(self.place) + guards


class Tiering(Victim):
    """A query while the kernel's tiering is set."""

    name = "tiering"
    FILES = ["/proc/sys/kernel/numa_balancing", "/sys/kernel/mm/numa/demotion_enabled"]

    def __init__(self, scene):
        super().__init__(scene)
        self.before = self.settings()

    def words(self):
        return [*self.scene.query, "--tiering", "numa-balancing"]

    def settings(self):
        return [pathlib.Path(file).read_text() for file in self.FILES]

    def check(self):
        program.wait_until(lambda: self.settings() == self.before)
        require(self.settings() == self.before, f"left: {self.settings()}")

    @classmethod
    def why_not(cls):
        return "" if all(os.access(file, os.W_OK) for file in cls.FILES) else "not root, or no such"


class Scene:
    """What the commands are about, and what whole runs make."""

    MADE = ["--scale", "0.0001", "--parted", "col3", "-s", "2"]

    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        self.database = root / "db"
        program.generate(binary, self.database, 0.0005)
        self.queries = queries = root / "some.q"
        queries.write_text(f"{QUERY}\n", encoding="utf-8")
        self.query = ["query", self.database, QUERY, "--format", "csv"]
        self.answer = program.succeed(binary, *self.query).out
        program.succeed(binary, "gen", root / "other", *self.MADE)
        self.made = program.hashes(root / "other")
        self.matrix = ["run", self.database, *QUICK, "--queries", queries, "--medium",
                       "nvme,dram", "--layout", "partitioned,flat", "--cache", "warm"]
        out = root / "whole.json"
        program.succeed(binary, *self.matrix, "--out", out)
        self.cells = {cell["name"] for cell in program.cells(out)}


def seconds_of(victim):
    """How long the command takes when it is not killed."""
    started = time.monotonic()
    victim.succeed()
    took = time.monotonic() - started
    victim.check()
    victim.clean()
    return took


def kill_once(victim, delay):
    """True: it still ran."""
    with subprocess.Popen([*map(str, victim.command())], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace") as process:
        try:
            victim.said = process.communicate(timeout=delay)[1]
            return False
        except subprocess.TimeoutExpired:
            victim.kill(process)
            victim.said = process.communicate()[1]
            return True


def kill_many(victim, times, chance):
    longest = seconds_of(victim)
    kills = failures = runs = 0
    while kills < times and runs < 3 * times:
        runs += 1
        delay = chance.uniform(0.001, longest)
        is_killed = kill_once(victim, delay)
        kills += is_killed
        # The machine may be faster or slower than it was; the moments are to cover the whole run.
        if not is_killed:
            longest = max(delay, SHORTEST_SECONDS)
        elif delay > LATE_SHARE * longest:
            longest *= 2 - LATE_SHARE
        try:
            victim.check()
        except Failure as failure:
            failures += 1
            print(f"FOUND {victim.name}: {failure}")
        victim.clean()
        if runs % PROGRESS_EVERY == 0:
            print(f"{victim.name}: {kills} kills, {failures} failed", file=sys.stderr, flush=True)
    print(f"{victim.name}: {kills} kills in {runs} runs, the last within {longest:.1f} s, "
          f"{failures} failed", flush=True)
    return failures


def main():
    parser = program.parser_of_binary()
    parser.add_argument("--times", type=int)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    chance = random.Random(SEED)
    os.environ.update(program.MPI_ENVIRONMENT)
    failures = 0
    with tempfile.TemporaryDirectory(prefix="hdbench-kills-") as folder:
        scene = Scene(options.binary, pathlib.Path(folder))
        for kind in (Gen, Image, Resume, Users, Ranks, Advise, Compare, Tiering):
            if options.only and kind.name not in options.only:
                continue
            if kind is Compare and (options.times is None or traces_left.why_not_compare()):
                print(f"compare: skipped: {traces_left.why_not_compare() or 'without --times'}")
                continue
            if kind is Tiering and (options.times is None or Tiering.why_not()):
                print(f"tiering: skipped: {Tiering.why_not() or 'without --times'}")
                continue
            if kind is Ranks and shutil.which("mpirun") is None:
                print("ranks: skipped: no mpirun here (openmpi-bin)")
                continue
            if kind is Advise and shutil.which("glpsol") is None:
                print("advise: skipped: no glpsol here (glpk-utils)")
                continue
            victim = kind(scene)
            try:
                failures += kill_many(victim, options.times or FEW, chance)
            finally:
                shutil.rmtree(victim.place)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
