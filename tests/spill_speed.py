"""What a memory tier below -w is worth: one query with a large result, three times.

    tests/spill_speed.py HDBENCH [--scale S] [--share PART] [--reps N] [--tier WORD]
                         [--scratch-dir DIR] [--database DIR] [--out FILE]

First without a limit, whose peak workspace is the query's need; then under -w of a share of the
need, with what goes beyond it on a tier (--on-limit spill=cxl:cxl-asic-ddr5, emulated, or any other
medium's word), and in files on a disk (--on-limit spill=file). The disk is that of --scratch-dir,
else that of the database; a tmpfs is refused, as it is none. Columns are warm in DRAM in all three,
so that what differs is where results go. All three give the same rows (checksums).

The bars: on the tier at most 1.25 times as long as without a limit, where the disk takes at least 3
times. Where the disk takes less, the machine's page cache has held what went to it, and no bar is
said to be missed: take a larger --scale. Prints medians with their intervals, ratios, bytes beyond
-w, and GB/s to them; --out keeps the last run's results.json. It is no part of ctest and never
fails for a figure: it measures the machine, which must be idle.
"""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile

import program

QUERY = "select from quote"
TIER_BAR = 1.25
DISK_BAR = 3.0
MIB = 1 << 20


def filesystem_of(path):
    """The kind of the filesystem that a path lies on."""
    found = ("", "")
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, rest = line.partition(" - ")
        place = fields.split()[4]
        if path.is_relative_to(place) and len(place) >= len(found[0]):
            found = (place, rest.split()[0])
    return found[1]


class Bench:
    def __init__(self, flags, folder):
        self.flags = flags
        self.folder = folder
        self.queries = folder / "one.q"
        self.queries.write_text(QUERY + "\n", encoding="utf-8")
        self.database = flags.database or folder / "db"
        if not flags.database:
            program.generate(flags.binary, self.database, flags.scale)

    def cell(self, *words):
        out = self.folder / "results.json"
        program.succeed(self.flags.binary, "run", self.database, "--queries", self.queries,
                        "--medium", "dram", "--layout", "partitioned", "--attr", "none", "--mode",
                        "4.0", "-s", "all", "--cache", "warm", "--reps", self.flags.reps,
                        "--scratch-dir", self.flags.scratch_dir or self.database.parent, *words,
                        "--out", out, "--force")
        cell, = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
        if cell["error"]:
            sys.exit(f"{words}: {cell['error']}")
        return cell

    def run(self):
        free = self.cell("-w", "0")
        limit = max(1, int(free["peak_workspace_bytes"] * self.flags.share) // MIB)
        print(f"{QUERY}: {free['rows_out']:,} rows, {free['peak_workspace_bytes'] / MIB:,.0f} MiB "
              f"of workspace; -w {limit} MiB")
        ratios = [self.show("no limit", free, free)]
        for word in (self.flags.tier, "file"):
            cell = self.cell("-w", limit, "--on-limit", f"spill={word}")
            if cell["checksum"] != free["checksum"]:
                sys.exit(f"spill={word}: another result")
            ratios.append(self.show(f"spill={word}", cell, free))
        return ratios[1:]

    @staticmethod
    def show(name, cell, free):
        ratio = cell["real_time"] / free["real_time"]
        low, high = cell["interval_ms"] or (float("nan"),) * 2
        spilled = cell["spilled_bytes"]
        print(f"{name:24} {cell['real_time']:10,.1f} ms ({low:,.1f} to {high:,.1f}), "
              f"{ratio:6.2f} times; beyond -w {spilled / MIB:,.0f} MiB, "
              f"{spilled / cell['real_time'] / 1e6:.2f} GB/s")
        return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--scale", default="0.1")
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--reps", default="7")
    parser.add_argument("--tier", default="cxl:cxl-asic-ddr5")
    parser.add_argument("--scratch-dir", type=pathlib.Path)
    parser.add_argument("--database", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    flags = parser.parse_args()
    flags.binary = flags.binary.resolve()
    with tempfile.TemporaryDirectory(prefix="hdbench-spill-", dir=flags.scratch_dir) as folder:
        bench = Bench(flags, pathlib.Path(folder))
        disk = flags.scratch_dir or bench.database.resolve().parent
        if filesystem_of(disk.resolve()) == "tmpfs":
            sys.exit(f"{disk}: a tmpfs is no disk: give --scratch-dir")
        tier, on_disk = bench.run()
        if flags.out:
            shutil.copy(bench.folder / "results.json", flags.out)
    if on_disk < DISK_BAR:
        print(f"the disk takes {on_disk:.2f} times, below {DISK_BAR}: the bar says nothing here")
    else:
        print(f"bar: {tier:.2f} times on the tier, at most {TIER_BAR}: "
              f"{'held' if tier <= TIER_BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
