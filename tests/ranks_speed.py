"""What two hosts of one CPU each gain over one CPU, and what a slow link between them costs.

    tests/ranks_speed.py HDBENCH [--scale S] [--rounds N] [--passes N] [--medium WORD]
                         [--mbit RATE] [--delay-ms MS] [--database DIR]

First: those of the study's queries that group, by one process on one CPU and by two ranks on hosts
of one CPU each (network_hosts.py), in turn. Second: query 10, whose rows rank 0 receives from the
other host, with no limit on the link and with one. Its expected time is

    bytes that the other host sent / the link's rate + the time with no limit

The second term is what mapping and joining cost, but it also has the copying through the links
without a limit, which a slow link hides: a ratio below 1 is no error. A ratio above 1 is time in
which neither the link nor a CPU had work, such as round trips. Headers count for the link's rate
and are not among the bytes; they are a twentieth of them. Prints times as hdbench gives them
(time_ms) and ratios, and says how each compares with its bar. It takes minutes, is no part of ctest
and never fails for a figure: it measures the machine, which must be idle and have two CPUs.
"""

import json
import pathlib
import re
import statistics
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


class Bench:
    def __init__(self, flags, folder):
        self.flags = flags
        self.folder = folder
        self.texts = texts()
        self.database = flags.database or folder / "db"
        if not flags.database:
            program.generate(flags.binary, self.database, flags.scale)

    def times(self, numbers, prefixed):
        """{number: ms of each round but the first} of one process or job that runs all."""
        file = self.folder / "rounds.q"
        file.write_text("\n".join([self.texts[number] for number in numbers]
                                  * (self.flags.rounds + 1)) + "\n")
        done = program.run(*prefixed(self.flags.binary, "query", self.database, "--file", file,
                                     "--medium", self.flags.medium, "--cache", "warm", "-s", "1",
                                     "--format", "json", "--rows-only"))
        cells = [json.loads(line) for line in done.out.splitlines()]
        if done.status != 0 or any(cell["error"] for cell in cells):
            raise SystemExit(f"ranks_speed: status {done.status}: {done.messages}")
        found = [cell["time_ms"] for cell in cells[len(numbers):]]
        return {number: found[i::len(numbers)] for i, number in enumerate(numbers)}

    def medians(self, numbers, *sides):
        """A {number: median ms} for each side, which take turns."""
        passes = [[self.times(numbers, side) for side in sides] for _ in range(self.flags.passes)]
        return [{number: statistics.median(sum((one[i][number] for one in passes), []))
                 for number in numbers} for i in range(len(sides))]

    def groups(self):
        with network_hosts.Hosts(2, pinned=True) as hosts:
            one, two = self.medians(GROUPING, lambda *words: hosts.on("host-a", *words),
                                    hosts.mpirun)
        print(f"{'query':>5} {'one CPU':>10} {'two hosts':>10}  ratio (bar: {FASTER_BAR})")
        for number in GROUPING:
            ratio = one[number] / two[number]
            print(f"{number:5} {one[number]:7.2f} ms {two[number]:7.2f} ms {ratio:6.2f}"
                  f"{'' if ratio >= FASTER_BAR else '  below'}")

    def rows_over(self, **limits):
        """Median ms of query 10 over such links, and the bytes that the other host sent for it."""
        with network_hosts.Hosts(2, pinned=True, **limits) as hosts:
            median = self.medians([ROWS], hosts.mpirun)[0][ROWS]
            sent = hosts.sent_bytes("host-b") / self.flags.passes / (self.flags.rounds + 1)
        return median, sent

    def link(self):
        limits = {"rate": f"{self.flags.mbit}mbit"}
        if self.flags.delay_ms:
            limits["delay"] = f"{self.flags.delay_ms}ms"
            missing = network_hosts.why_not(**limits)
            if missing:
                print(f"without the delay: {missing}")
                del limits["delay"]
        free, _ = self.rows_over()
        slow, sent = self.rows_over(**limits)
        on_link = sent * 8 / self.flags.mbit / 1000
        ratio = slow / (free + on_link)
        print(f"query {ROWS} over {limits}: {slow:.0f} ms; expected {sent / 1e6:.1f} MB on the "
              f"link {on_link:.0f} ms + {free:.0f} ms with no limit; ratio {ratio:.3f} (bar: 1 +- "
              f"{LINK_BAR}){'' if abs(ratio - 1) <= LINK_BAR else '  outside'}")


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
