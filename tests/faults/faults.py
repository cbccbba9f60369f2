"""Injected failures: every command, with one call of the system or the allocator that fails.

The preloaded library (fail_call.cc) makes the n-th call of a kind fail. Whatever fails, the command
ends by itself with a documented status and one line of its own words, outputs are the old ones or
new and whole, nothing is left behind, and the database is as it was. A failure that the command
survives (status 0, a right result) is fine.

    faults.py HDBENCH LIBRARY            some n of each kind: in every ctest
    faults.py HDBENCH LIBRARY --paths    the first, the last and one more n of each path of calls
                                         that leads to a call of the kind (of allocations, and of
                                         commands that take seconds, the first): ./check --faults
                                         (allocations come last; an interrupt ends the runs, and
                                         what they found is reported)
    faults.py HDBENCH LIBRARY --all      every n: takes hours
      [--only WORD]...                   scenarios and kinds whose name has the word
      [--trace]                          with the stack of each call whose failure is a finding
"""

import collections
import concurrent.futures
import dataclasses
import errno
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import program  # pylint: disable=wrong-import-position
import taq_files  # pylint: disable=wrong-import-position
import traces_left  # pylint: disable=wrong-import-position

LIMIT_SECONDS = 60
SAMPLED = 90
PROGRESS_EVERY = 1000
LASTING_STEPS = 20
SLOW_SECONDS = 1.0
STACKS_MOST = 1 << 18
SEED = 1
FINDINGS_SHOWN = 40
DAYS = 2
KINDS = {
    "allocation": errno.ENOMEM,
    "mmap": errno.ENOMEM,
    "open": errno.EMFILE,
    "stat": errno.EACCES,
    "read": errno.EIO,
    "write": errno.ENOSPC,
    "fsync": errno.EIO,
    "name": errno.ENOSPC,
    "size": errno.ENOSPC,
    "mount": errno.EPERM,
    "process": errno.EAGAIN,
}
# A full disk or memory stays full.
LASTING = ("write", "size", "allocation")
QUICK = ["--attr", "none", "--mode", "4.0", "-s", "2", "--reps", "1", *program.SMALL_CEILINGS]


# A join as of, of rows with groups' aggregates and running sums, chosen by another query.
TREE = ("`time xdesc aj[`col1`time;select col1,time,bid from quote where col2 in exec col2 from"
        " quote where bid>90;update m:max ask,sums bsize by col1 from select col1,time,ask,bsize"
        " from quote where bid=(max;bid) fby col1]")


@dataclasses.dataclass
class Scenario:
    """One command. `out` is what it writes, `is_exact`: every run prints and writes the same.

    `status` is what it ends with when nothing fails."""

    name: str
    words: list
    out: str = None
    is_exact: bool = False
    status: int = 0


def firsts_and_lasts(stacks, chance, is_first_alone):
    """By equal stacks the first, the last and one other n, from 1."""
    places = collections.defaultdict(list)
    for index, stack in enumerate(stacks):
        places[stack].append(index + 1)
    found = set()
    for numbers in places.values():
        found.add(numbers[0])
        if not is_first_alone:
            found |= {numbers[-1], chance.choice(numbers)}
    return sorted(found)


def scenarios(scene):
    """`@` represents the folder of one trial."""
    query = ["query", scene.database, "--file", scene.queries]
    results = scene.results
    exact_queries = {
        "nvme": [],
        "dram-flat": ["--medium", "dram", "--layout", "flat", "-s", "2"],
        "app-direct": ["--medium", "app-direct:optane-100-6dimm", "--emulation", "model",
                       *program.SMALL_CEILINGS],
        "spill": ["-w", "1", "--on-limit", "spill", "--scratch-dir", "@/tmp"],
        "spill-cxl": ["-w", "1", "--on-limit", "spill=cxl:cxl-asic-ddr5", "--emulation", "model",
                      *program.SMALL_CEILINGS],
        "read-ahead": ["--prefetch", "on", "--cache", "cold"],
    }
    return [
        *(Scenario(f"query-{name}", [*query, "--format", "csv", *words], None, True)
          for name, words in exact_queries.items()),
        Scenario("query-narrow", [*query, "--medium", "tmpfs", "--pmem-dir", scene.memory,
                                  "--codes", "narrow", "--format", "json"], None, True),
        Scenario("query-table", [*query, "--memory", "--all-rows"]),
        Scenario("query-of-queries", ["query", scene.database, TREE, "--format", "csv"], None,
                 True),
        Scenario("explain", [*query, "--explain"], None, True),
        Scenario("check", ["query", scene.database, "--check", scene.queries], None, True),
        Scenario("run", [*scene.run, "--out", "@/out/r.json"], "r.json"),
        Scenario("run-users", [*scene.run, "--users", "2", "--processes", "2", "--seconds", "0.1",
                               "--out", "@/out/u.json"], "u.json"),
        Scenario("report-html", ["report", results, "-o", "@/out/r.html"], "r.html", True),
        Scenario("report-csv", ["report", results, "--format", "csv", "-o", "@/out/r.csv"],
                 "r.csv", True),
        Scenario("report-text", ["report", results, "--format", "terminal"], None, True),
        Scenario("compare", ["compare", results, results], None, True),
        Scenario("limit", ["limit", scene.database, "--queries", scene.queries, "-s", "1"]),
        Scenario("io", ["io", "@/disk", "--quick", "--tests",
                        "set/vector:tiny|append|hcount|random-read.*cold", "--processes", "2",
                        "--size", "16", "--out", "@/out/io.json"], "io.json"),
        Scenario("profile", ["profile", "@/disk", "--size", "32", "--reps", "1", "-o",
                             "@/out/p.json"], "p.json"),
        Scenario("verify", ["verify", scene.database], None, True),
        # Not exact: what cannot be read is described as that.
        Scenario("describe", ["describe", scene.database, "--format", "json"]),
        # Into a copy of the database, which is refused.
        Scenario("guarded", ["report", results, "--format", "csv", "-o", "@/disk/db/r.csv"],
                 None, True, 2),
        Scenario("topo", ["topo", scene.database, "--json"]),
        Scenario("advice", ["topo", scene.database, "--advice"]),
        Scenario("import", ["import", "taq", *scene.vendor_files, "@/out/new"], "new"),
        Scenario("gen", ["gen", "@/out/new", "--scale", "0.00005", "--parted", "col3", "-s", "2"],
                 "new"),
    ]


class Scene:
    """What the commands are about, made once."""

    def __init__(self, binary, library, root):
        self.binary, self.library, self.root = binary, library, root
        self.shelf = root / "shelf"
        self.database = self.shelf / "db"
        self.queries = root / "some.q"
        self.results = root / "results.json"
        self.vendor_files = [
            taq_files.write(root, "trade", "20200107", 50),
            taq_files.write(root, "quote", "20200107", 50, name="quotes.gz", is_packed=True)]
        self.memory = pathlib.Path(tempfile.mkdtemp(prefix="hdbench-faults-", dir="/dev/shm"))
        self.shelf.mkdir()
        program.generate_days(binary, self.database, 0.0002, DAYS)
        self.queries.write_text("select max bid, med ask by col1 from quote\n"
                                "select from quote where col3=`val1\n", encoding="utf-8")
        self.run = ["run", self.database, *QUICK, "--queries", self.queries, "--medium",
                    "nvme,dram", "--cache", "warm"]
        program.succeed(binary, *self.run, "--out", self.results)
        self.before = program.contents(self.shelf)
        self.stamps = self.stamp()

    def stamp(self):
        return [(str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino)
                for path in sorted(self.shelf.rglob("*")) for stat in [path.lstat()]]


class Trial:
    """One run of one scenario with one fault, in a folder of its own."""

    def __init__(self, scene, scenario, kind, at, is_lasting=False, with_old=None):
        self.scene, self.scenario, self.kind, self.at = scene, scenario, kind, at
        self.is_lasting = is_lasting
        self.old = with_old
        self.stacks, self.stack = [], ""
        self.seen, self.failed = {}, 0
        self.is_hung, self.left = False, []
        # Removing a tree, and what --resume goes on from, needs memory too.
        self.has_no_memory = is_lasting and kind == "allocation"

    def name(self):
        every = " and all after it" if self.is_lasting else ""
        return f"{self.scenario.name}: {self.kind} {self.at}{every}"

    def run(self, wants_trace=False, wants_stacks=False):
        with tempfile.TemporaryDirectory(prefix="trial-", dir=self.scene.root) as place:
            self.place = pathlib.Path(place)
            self.run_in_place(wants_trace, wants_stacks)
        return self

    def run_in_place(self, wants_trace, wants_stacks):
        for name in ("out", "tmp", "disk", "home"):
            (self.place / name).mkdir()
        if self.old is not None and self.scenario.out and self.scenario.out != "new":
            (self.place / "out" / self.scenario.out).write_bytes(self.old)
        if self.scenario.name == "guarded":
            shutil.copytree(self.scene.database, self.place / "disk" / "db")
        disk_before = program.hashes(self.place / "disk")
        counts = self.place / "counts"
        counts.write_bytes(bytes(8 * (1 + len(KINDS))))
        environment = dict(os.environ, TMPDIR=str(self.place / "tmp"), LC_ALL="C",
                           HOME=str(self.place / "home"), LD_PRELOAD=str(self.scene.library),
                           HDBENCH_FAULT_KIND=self.kind, HDBENCH_FAULT_AT=str(self.at),
                           HDBENCH_FAULT_ERRNO=str(KINDS.get(self.kind, 0)),
                           HDBENCH_FAULT_LASTING=str(int(self.is_lasting)),
                           HDBENCH_FAULT_COUNT=str(counts))
        environment.pop("XDG_CACHE_HOME", None)
        if wants_trace:
            environment["HDBENCH_FAULT_TRACE"] = str(self.place / "trace")
        stacks = self.place / "stacks"
        if wants_stacks:
            stacks.write_bytes(bytes(8 * STACKS_MOST))
            environment["HDBENCH_FAULT_STACKS"] = str(stacks)
        self.start(environment)
        self.failed, *seen = struct.unpack(f"<{1 + len(KINDS)}Q", counts.read_bytes())
        self.seen = dict(zip(KINDS, seen))
        if wants_stacks:
            self.stacks = [stack for (stack,) in struct.iter_unpack("<Q", stacks.read_bytes())
                           if stack != 0]
        if wants_trace and (self.place / "trace").exists():
            self.stack = (self.place / "trace").read_text(errors="replace")
        self.read_outputs(disk_before)

    def start(self, environment):
        line = [str(word).replace("@", str(self.place)) for word in self.scenario.words]
        with open(self.place / "stdout", "wb") as out, open(self.place / "stderr", "wb") as said:
            process = subprocess.Popen(
                [str(self.scene.binary), *line], stdout=out, stderr=said, env=environment,
                stdin=subprocess.DEVNULL, start_new_session=True)
            started = time.monotonic()
            try:
                process.wait(LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                self.is_hung = True
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            self.status = process.returncode
            self.seconds = time.monotonic() - started
            traces_left.wait_for_session(process.pid)

    def read_outputs(self, disk_before):
        self.out = (self.place / "stdout").read_bytes()
        self.messages = program.without_preflight(
            (self.place / "stderr").read_text(errors="replace"))
        written = self.place / "out" / (self.scenario.out or "-")
        self.written = written.read_bytes() if written.is_file() else \
            program.hashes(written) if written.is_dir() else None
        allowed = {self.scenario.out}
        if self.scenario.out == "new":
            allowed |= {"new.manifest.json", *["new.partial"] * self.has_no_memory}
        # What --resume goes on from.
        if self.scenario.name.startswith("run") and self.status != 0:
            allowed.add(f"{self.scenario.out}.partial")
        self.left = [f"out/{path.name}" for path in (self.place / "out").iterdir()
                     if path.name not in allowed]
        self.left += [f"tmp/{name}" for name in program.contents(self.place / "tmp")]
        self.left += [f"disk/{name}" for name, value in program.hashes(self.place / "disk").items()
                      if value != disk_before.get(name)
                      and not (self.has_no_memory and name.startswith("hdbench-io-"))]
        self.left += traces_left.of_folder(self.place)

    def findings(self, reference):
        """What is wrong, each as one word and what was seen."""
        if self.is_hung:
            return ["hang"]
        end = self.messages.strip()[-200:]
        if self.status < 0:
            return [f"signal {-self.status}: {end}"]
        found = [f"{fault}: {end}" for fault in program.faults(self.status, self.messages)]
        said = [line for line in self.messages.splitlines() if line.startswith("hdbench: ")]
        is_said = self.scenario.name == "verify" and "unreadable here" in self.messages
        if self.status != 0 and len(said) != 1 and not is_said:
            found.append(f"{len(said)} lines for status {self.status}: {end!r}")
        if any(len(line) < len("hdbench: x: y") for line in said):
            found.append(f"empty words: {said}")
        if self.left:
            found.append(f"left behind: {self.left[:4]}")
        return found + self.output_findings(reference)

    def output_findings(self, reference):
        found = []
        is_tolerant = "0N" in self.messages or b"0N" in self.out or "hdbench: " in self.messages
        # A query of a file that cannot be read is left out, and said to be.
        is_tolerant |= "not run: " in self.messages
        # A note tells what was not looked into.
        is_tolerant |= os.strerror(KINDS.get(self.kind, 0)).encode() in self.out
        if self.status == 0 and self.scenario.status != 0:
            found.append("done, though it is refused")
        if self.status == 0 and self.scenario.is_exact and self.out != reference.out and \
                not is_tolerant:
            found.append(f"another output with status 0: {self.out[:80]!r}")
        if self.scenario.out is None:
            return found
        if self.scenario.out == "new":
            if self.status == 0 and self.written != reference.written:
                found.append("another database with status 0")
            if not (self.written or {}).items() <= reference.written.items():
                found.append("a database that is neither old nor new")
            return found
        if self.status == 0 and (self.written is None or self.written == self.old):
            found.append("status 0 without its output")
        if self.written is not None and self.written != self.old and not self.is_whole(reference):
            found.append(f"an output that is neither old nor new: {self.written[-60:]!r}")
        return found

    def is_whole(self, reference):
        if self.scenario.is_exact:
            return self.written == reference.written
        try:
            return json.loads(self.written) is not None
        except ValueError:
            return False


class Campaign:
    def __init__(self, scene, options):
        self.scene, self.options = scene, options
        self.lock = threading.Lock()
        self.found = collections.OrderedDict()
        self.done = collections.Counter()
        self.struck = collections.Counter()
        self.references = {}
        self.plans = []

    def is_wanted(self, *names):
        return all(any(word in name for name in names) for word in self.options.only)

    def plan(self):
        """All (scenario, kind, n): counts come from a run without a fault."""
        prefix = self.reference(Scenario("version", ["--version"])).seen["allocation"]
        for scenario in scenarios(self.scene):
            wanted = [kind for kind in KINDS if self.is_wanted(scenario.name, kind)]
            # Seconds for each run: in every ctest it would be most of the time.
            is_left_out = scenario.name == "profile" and not (self.options.all or
                                                              self.options.paths)
            if not wanted or is_left_out:
                continue
            reference = self.reference(scenario)
            if reference is None:
                continue
            self.references[scenario.name] = reference
            for kind in wanted:
                stacks = []
                if self.options.paths and reference.seen[kind] > 0:
                    stacks = self.reference(scenario, kind).stacks
                # The allocations while flags are set up are the same for every command.
                first = prefix if kind == "allocation" and scenario.name != "verify" else 1
                self.plans.append((scenario, kind, max(1, first), reference.seen[kind], stacks))

    def reference(self, scenario, kind=""):
        """A run without a fault; of a kind: with the stacks of its calls. None where its medium is
        absent: a build without libpmem has no tmpfs."""
        trial = Trial(self.scene, scenario, kind, 0).run(wants_stacks=kind != "")
        if "tmpfs is absent here: this build has no libpmem" in trial.messages:
            print(f"{scenario.name} is left out: {trial.messages.strip()}", flush=True)
            return None
        if trial.status != scenario.status:
            raise RuntimeError(f"{scenario.name}: {trial.messages}")
        return trial

    def sampled(self):
        chance = random.Random(SEED)
        some = []
        for scenario, kind, first, last, _ in self.plans:
            if last >= first and (scenario.name != "io" or kind == "write"):
                some.append((scenario, kind, chance.randint(first, last), kind in LASTING and
                             chance.random() < 0.3))
        chance.shuffle(some)
        return some[:SAMPLED]

    def every(self):
        chance = random.Random(SEED)
        for scenario, kind, first, last, stacks in self.plans:
            numbers = range(1, last + 1)
            if self.options.paths:
                is_first_alone = kind == "allocation" or \
                    self.references[scenario.name].seconds > SLOW_SECONDS
                numbers = firsts_and_lasts(stacks, chance, is_first_alone)
            for at in numbers:
                if at >= first:
                    yield scenario, kind, at, False
            if kind in LASTING and last >= first:
                for at in range(first, last + 1, max(1, (last - first) // LASTING_STEPS)):
                    yield scenario, kind, at, True

    def one(self, job):
        scenario, kind, at, is_lasting = job
        reference = self.references[scenario.name]
        old = reference.written if at % 2 == 0 and isinstance(reference.written, bytes) else None
        if old is not None:
            old = old.rstrip() + b"\n\n"  # so that it is told from a new one
        trial = Trial(self.scene, scenario, kind, at, is_lasting, old).run(self.options.trace)
        findings = trial.findings(reference)
        if self.scene.stamp() != self.scene.stamps:
            findings.append("the database or what is beside it has changed")
        with self.lock:
            self.done[scenario.name, kind] += 1
            self.struck[scenario.name, kind] += trial.failed > 0
            total = sum(self.done.values())
            if total % PROGRESS_EVERY == 0:
                print(f"{total} runs, {len(self.found)} kinds of finding", file=sys.stderr,
                      flush=True)
            for finding in findings:
                key = f"{trial.scenario.name} {kind} {finding[:60]}"
                if key not in self.found:
                    print(f"found {trial.name()}: {finding}", file=sys.stderr, flush=True)
                self.found.setdefault(key, []).append((trial, finding))

    def run(self):
        self.plan()
        is_whole = self.options.all or self.options.paths
        jobs = list(self.every()) if is_whole else self.sampled()
        jobs.sort(key=lambda job: job[1] == "allocation")  # by far the most
        print(f"{len(jobs)} runs", flush=True)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                for _ in pool.map(self.one, jobs):
                    pass
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                print("interrupted: what follows is of the runs that were done", flush=True)

    def report(self):
        by_kind = collections.Counter()
        for (scenario, kind), count in sorted(self.struck.items()):
            by_kind[kind] += count
            if self.options.all or self.options.paths:
                print(f"{scenario:18} {kind:10} {count:6} failures injected of "
                      f"{self.done[scenario, kind]} runs")
        for trials in list(self.found.values())[:FINDINGS_SHOWN]:
            trial, finding = trials[0]
            print(f"FOUND {len(trials)} x {trial.name()}: {finding}\n{trial.stack}")
        print("injected: " + ", ".join(f"{kind} {count}" for kind, count in by_kind.items()))
        print(f"{sum(self.struck.values())} failures in {sum(self.done.values())} runs, "
              f"{len(self.found)} kinds of finding")


def main():
    parser = program.parser_of_binary()
    parser.add_argument("library", type=lambda path: pathlib.Path(path).resolve(strict=True))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hdbench-faults-") as folder:
        scene = Scene(options.binary, options.library, pathlib.Path(folder))
        campaign = Campaign(scene, options)
        try:
            campaign.run()
            left = [str(path) for path in scene.memory.iterdir()]
        finally:
            shutil.rmtree(scene.memory)
        campaign.report()
        is_same = program.contents(scene.shelf) == scene.before
    if left:
        print(f"FOUND left in memory: {left}")
    if not is_same:
        print("FOUND the database has changed")
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if campaign.found or left or not is_same else 0


if __name__ == "__main__":
    sys.exit(main())
