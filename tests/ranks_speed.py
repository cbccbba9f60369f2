"""What two hosts of one CPU each gain over one CPU, and what a slow link between them costs.

    tests/ranks_speed.py HDBENCH [--scale S] [--rounds N] [--passes N] [--medium WORD]
                         [--mbit RATE] [--delay-ms MS] [--database DIR]

First: those of the study's queries that group, by one process on one CPU, by two ranks on hosts of
one CPU each (network_hosts.py), and by two processes without MPI on those CPUs that do all of it
each at once, in turn. The last tells how much more both CPUs do than one (the bound): they share
caches and memory, and two of a virtual machine may be one core's. Second: query 10, whose rows rank
0 receives from the other host, over a link with a limit. Its expected time is

    bytes that the other host sent / the link's rate + the time that mapping its rows takes

The second term lies between two that can be measured: that of one process on one CPU for as many
rows, to which joining them comes, and that of the ranks over a link without a limit, which also has
the copying that a slow link hides. Beyond both is time in which neither the link nor a CPU had
work, such as round trips. Headers, a twentieth of the bytes, count for the link's rate and are not
among them. Prints times as hdbench gives them (time_ms) and ratios, and says which are beyond their
bars. It takes minutes, is no part of ctest and never fails for a figure: it measures the machine,
which must be idle and have two CPUs.
"""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import network_hosts
import program

QUERIES = pathlib.Path(__file__).resolve().parent.parent / "queries" / "paper.q"
GROUPING = (1, 2, 3, 5, 6, 7, 8, 9)
ROWS = 10
FASTER_BAR = 1.8
LINK_BAR = 0.1  # of the expected time


def texts():
    """{number: query} of the study's file."""
    return {int(number): text for number, text in re.findall(
        r"(?m)^/ (\d+): .*\n(.+)$", QUERIES.read_text())}


def on(hosts, name):
    return lambda *words: hosts.on(name, *words)


class Bench:
    def __init__(self, flags, folder):
        self.flags = flags
        self.folder = folder
        self.texts = texts()
        self.result_bytes = 0  # of the last query that ran
        self.database = flags.database or folder / "db"
        if not flags.database:
            program.generate(flags.binary, self.database, flags.scale)

    def run_times(self, numbers, prefixed, beside=None):
        """{number: ms of each repetition} of a run by one process or job; beside: another one,
        which does the same at the same time."""
        file = self.folder / "groups.q"
        file.write_text("".join(self.texts[number] + "\n" for number in numbers))
        results = [self.folder / f"{name}.json" for name in ("own", "beside")]
        words = [self.flags.binary, "run", self.database, "--queries", file, "--medium",
                 self.flags.medium, "--layout", "partitioned", "--attr", "parted", "--mode", "4.0",
                 "-s", "1", "--cache", "warm", "--reps", 3 * self.flags.rounds, "--ceiling-size",
                 "64MiB", "--force", "--out"]
        other = beside and subprocess.Popen([str(word) for word in beside(*words, results[1])],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = program.run(*prefixed(*words, results[0]))
        if other:
            other.wait()
        if done.status != 0:
            raise SystemExit(f"ranks_speed: status {done.status}: {done.messages}")
        cells = json.loads(results[0].read_text())["benchmarks"]
        return {number: cell["times_ms"] for number, cell in zip(numbers, cells)}

    def times(self, numbers, prefixed):
        """{number: ms of each round but the first} of one process or job that runs all."""
        file = self.folder / "rounds.q"
        file.write_text("\n".join([self.texts[number] for number in numbers]
                                  * (self.flags.rounds + 1)) + "\n")
        words = [self.flags.binary, "query", self.database, "--file", file, "--medium",
                 self.flags.medium, "--cache", "warm", "-s", "1", "--format", "json", "--rows-only"]
        done = program.run(*prefixed(*words))
        cells = [json.loads(line) for line in done.out.splitlines()]
        if done.status != 0 or any(cell["error"] for cell in cells):
            raise SystemExit(f"ranks_speed: status {done.status}: {done.messages}")
        self.result_bytes = cells[-1]["bytes_written"]
        found = [cell["time_ms"] for cell in cells[len(numbers):]]
        return {number: found[i::len(numbers)] for i, number in enumerate(numbers)}

    def medians(self, times, numbers, *sides):
        """A {number: median ms} for each side (the arguments of times), which take turns."""
        passes = [[times(numbers, *side) for side in sides] for _ in range(self.flags.passes)]
        return [{number: statistics.median(sum((one[i][number] for one in passes), []))
                 for number in numbers} for i in range(len(sides))]

    def groups(self):
        with network_hosts.Hosts(2, pinned=True) as hosts:
            first, second = (on(hosts, name) for name in hosts.names)
            one, two, both = self.medians(self.run_times, GROUPING, [first], [hosts.mpirun],
                                          [first, second])
        print(f"{'query':>5} {'one CPU':>10} {'two hosts':>10} {'ratio':>6}  bound  share of it "
              f"(bar: {FASTER_BAR} of 2)")
        for number in GROUPING:
            ratio = one[number] / two[number]
            bound = 2 * one[number] / both[number]
            print(f"{number:5} {one[number]:7.2f} ms {two[number]:7.2f} ms {ratio:6.2f} "
                  f"{bound:6.2f} {ratio / bound:8.2f}"
                  f"{'' if ratio >= FASTER_BAR else '  below the bar'}")

    def link(self):
        limits = {"rate": f"{self.flags.mbit}mbit"}
        if self.flags.delay_ms:
            limits["delay"] = f"{self.flags.delay_ms}ms"
            missing = network_hosts.why_not(**limits)
            if missing:
                print(f"without the delay: {missing}")
                del limits["delay"]
        with network_hosts.Hosts(2, pinned=True) as hosts:
            one, free = self.medians(self.times, [ROWS], [on(hosts, hosts.names[0])],
                                     [hosts.mpirun])
        with network_hosts.Hosts(2, pinned=True, **limits) as hosts:
            slow = self.medians(self.times, [ROWS], [hosts.mpirun])[0][ROWS]
            sent = hosts.sent_bytes("host-b") / self.flags.passes / (self.flags.rounds + 1)
        on_link = sent * 8 / self.flags.mbit / 1000
        alone = one[ROWS] * sent / self.result_bytes
        least, most = on_link + alone, on_link + free[ROWS]
        inside = (1 - LINK_BAR) * least <= slow <= (1 + LINK_BAR) * most
        print(f"query {ROWS} over {limits}: {slow:.0f} ms; {sent / 1e6:.1f} of "
              f"{self.result_bytes / 1e6:.1f} MB on the link: {on_link:.0f} ms\n"
              f"  + {alone:.0f} ms of one CPU for them: ratio {slow / least:.3f}\n"
              f"  + {free[ROWS]:.0f} ms of ranks with no limit: ratio {slow / most:.3f}\n"
              f"  {'within' if inside else 'beyond'} the bar: {LINK_BAR} around both")


def parsed_arguments():
    parser = program.parser_of_binary()
    parser.add_argument("--scale", default="0.2", metavar="S", help="of the database: 0.2")
    parser.add_argument("--rounds", type=int, default=5, metavar="N",
                        help="of each query in a process, after a first one; default: 5")
    parser.add_argument("--passes", type=int, default=3, metavar="N",
                        help="processes of each side; default: 3")
    parser.add_argument("--medium", default="dram", metavar="WORD", help="default: dram")
    parser.add_argument("--mbit", type=int, default=1000, metavar="RATE",
                        help="of the link, in 10^6 bits per second; default: 1000")
    parser.add_argument("--delay-ms", type=float, default=1, metavar="MS",
                        help="of the link, one way; 0: none; default: 1")
    parser.add_argument("--database", type=pathlib.Path, metavar="DIR",
                        help="one of gen --profile paper; default: made for this, then removed")
    return parser.parse_args()


def main():
    flags = parsed_arguments()
    missing = network_hosts.why_not(rate=f"{flags.mbit}mbit")
    if missing:
        print(f"ranks_speed: skipped: {missing}")
        return program.SKIPPED
    with tempfile.TemporaryDirectory(prefix="hdbtest-") as folder:
        bench = Bench(flags, pathlib.Path(folder))
        bench.groups()
        bench.link()
    return 0


if __name__ == "__main__":
    sys.exit(main())
