"""How often `hdbench compare` calls equal runs different, beside a neighbour that takes half a CPU.

    scripts/false_alarms.py [HDBENCH] [--pairs N] [--files N] [--neighbour SHARE] [--scale S]

Runs the same program over the same small database 2 x N times, one run after the other, and
compares the first with the second, the third with the fourth, and so on; with --files 2 the first
two with the next two. Real and emulated media, one thread and all. Prints a line a pair with its
verdicts, and the cells that were called faster or slower. Status 1: more than one of a hundred
cells was. It takes minutes and is no part of ctest: what it measures is the machine.
"""

import argparse
import collections
import json
import multiprocessing
import pathlib
import sys
import tempfile
import time

from speed import said

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "bench" / "bin" / "hdbench"
PERIOD_SECONDS = 0.1
MOST = 0.01
MATRIX = ["--medium", "nvme,dram,cxl:cxl-asic-ddr5", "--layout", "partitioned", "--attr", "parted",
          "--mode", "4.0", "-s", "1,all", "--cache", "warm"]
DIFFERENT = ("faster", "slower")


def take_cpu(share):
    """Computes for this share of each period, until it is ended."""
    while True:
        begin = time.perf_counter()
        while time.perf_counter() < begin + share * PERIOD_SECONDS:
            pass
        time.sleep((1 - share) * PERIOD_SECONDS)


def compared(program, before, after, by):
    return json.loads(said(program, "compare", *before, "--", *after, "--format", "json", "--by",
                             by, statuses=(0, 1)))["cells"]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=PROGRAM, type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--files", type=int, default=1, help="runs a side")
    parser.add_argument("--neighbour", type=float, default=0.5, help="its share of a CPU; 0: none")
    parser.add_argument("--scale", type=float, default=0.005, help="of the study's database")
    parser.add_argument("--reps", type=int, default=5, help="repetitions of each cell")
    parser.add_argument("--by", default="time", help="of compare: time or ceiling")
    return parser.parse_args()


def measured(options, folder):
    """The verdicts of all pairs' cells, printed as they come."""
    database = folder / "db"
    said(options.program, "gen", database, "--profile", "paper", "--scale", options.scale,
           "--parted", "col3")
    verdicts = collections.Counter()
    for pair in range(options.pairs):
        runs = [folder / f"{pair}-{at}.json" for at in range(2 * options.files)]
        for out in runs:
            said(options.program, "run", database, *MATRIX, "--reps", options.reps, "--out", out)
        cells = compared(options.program, runs[:options.files], runs[options.files:], options.by)
        of_pair = collections.Counter(cell["verdict"] for cell in cells)
        print(f"pair {pair + 1}: " + ", ".join(f"{count} {verdict}" for verdict, count
                                              in sorted(of_pair.items())), flush=True)
        for cell in cells:
            if cell["verdict"] in DIFFERENT:
                print(f"  {cell['verdict']}: {cell['name']}: {cell['ratio']:.3f}, "
                      f"interval {cell['interval']}")
        verdicts += of_pair
    return verdicts


def main():
    options = parsed()
    neighbour = multiprocessing.Process(target=take_cpu, args=(options.neighbour,), daemon=True)
    if options.neighbour > 0:
        neighbour.start()
    try:
        with tempfile.TemporaryDirectory(prefix="hdbench-false-alarms-") as folder:
            verdicts = measured(options, pathlib.Path(folder))
    finally:
        if options.neighbour > 0:
            neighbour.terminate()
    total = sum(verdicts.values())
    if total == 0:
        sys.exit("false_alarms: no cell was compared")
    different = sum(verdicts[one] for one in DIFFERENT)
    print(f"{different} of {total} cells of equal runs called different ({different / total:.2%}); "
          f"{verdicts['same']} the same, {verdicts['inconclusive']} inconclusive")
    return 1 if different > MOST * total else 0


if __name__ == "__main__":
    sys.exit(main())
