"""How time, memory, opening and reporting grow with a database: one variable at a time.

    tests/growth.py HDBENCH [--quick] [--only rows,users] [--out FILE] [--chart FILE]
                    [--folder DIR]
    tests/growth.py --draw FILE [--chart FILE]

Of each variable (rows, partitions, columns, groups, symbols, threads, ranks, users, cells) about
eight databases or runs are made that differ in nothing else, and removed when they are measured:

- query: the least of the repetitions of a query in one process (time_ms), over warm files, with
  `-s 1` unless threads vary; "first" is the first repetition, which also orders the symbol list
  and has the kernel map the pages
- memory: peak_workspace_bytes of the same; of a command: the most that its process had resident,
  mapped pages of files included, by /usr/bin/time
- open: a process that opens and plans (`query --explain`): the least wall time of several, less
  that of `hdbench --version`
- report: `hdbench report` of a results file that a short `run` wrote, less the same
- command: wall time of others (verify, describe, a result as CSV), less the same

Days of a database are hard links to the files of at most five days (the same days repeated), so
that 2e9 rows take 2 GB of disk and of page cache. Row counts are real: each partition is read.

An exponent is the slope of log(value - floor) against log(n), by least squares over the points from
a tenth of the greatest n on; the second one is that of value / log(n), which is 1 of n log n. The
floor is the least value among points of at most a thousandth of the greatest n; where there are
none, or where the floor is most of the value, it is 0. A series is above its bar where the first
exponent is beyond 1.05 (the second one, of what puts as many things in order), or, of what should
be constant, where it doubles and the first is beyond 0.15; what ends below 1 ms or 1 MB is not
judged.

Prints a table in Markdown; --out keeps the points, from which --draw makes table and chart again.
It fails for no figure: they are the machine's, which must be idle. --quick: small n, to see
that it works.
"""

import argparse
import array
import datetime
import functools
import json
import os
import pathlib
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import growth_chart
import program

SOURCES = 5  # days that differ; the others are links to them
TIMEOUT_SECONDS = 1800
FIRST_DAY = datetime.date(1990, 1, 1)
RUN = ["--medium", "nvme", "--cache", "warm", "--mode", "4.0", "--attr", "none", "--reps", "1",
       *program.SMALL_CEILINGS]
SYMBOL_BYTES = 8
JUDGED_FROM = 1.0  # ms or MB


class Figure(NamedTuple):
    kind: str  # query, memory, open, report, command
    what: str
    value: float
    expected: int = 1  # its exponent, at most; 0: constant
    main: bool = False  # whether the chart has it
    sorts: bool = False  # whether it may be n log n: it puts as many things in order


def vector(path, q_type, values, count):
    """A plain column; values: its bytes, repeated until there are as many elements."""
    width = {7: 8, 9: 8}[q_type]
    write(path, b"\xfe\x20" + bytes([q_type, 0, 0, 0, 0, 0]) + struct.pack("<q", count), values,
          count * width)


def symbols(path, codes, count):
    head = bytearray(4096)
    head[0:2], head[16:20], head[4080], head[4082] = b"\xfd\x20", b"sym\0", 0xFD, 0x14
    head[4088:4096] = struct.pack("<q", count)
    write(path, bytes(head), codes, count * SYMBOL_BYTES)


def write(path, head, values, size):
    with open(path, "wb") as file:
        file.write(head)
        for begin in range(0, size, len(values)):
            file.write(values[:size - begin])


def names_file(path, names):
    path.write_bytes(b"\xff\x01\x0b\0" + struct.pack("<i", len(names))
                     + b"".join(name.encode() + b"\0" for name in names))


def longs(values):
    return array.array("q", values).tobytes()


def floats(values):
    return array.array("d", values).tobytes()


def day(index):
    return (FIRST_DAY + datetime.timedelta(index)).strftime("%Y.%m.%d")


def table(folder, columns, count):
    """columns: {name: (type or "s", bytes)}."""
    folder.mkdir(parents=True)
    for name, (q_type, values) in columns.items():
        if q_type == "s":
            symbols(folder / name, values, count)
        else:
            vector(folder / name, q_type, values, count)
    names_file(folder / ".d", list(columns))


def quotes(rows, salt=0, more=0):
    """The columns s and f, and c1, c2, ... : a block that repeats."""
    block = min(rows, 100_000)
    found = {"s": ("s", longs((i * 31 + salt) % 100 for i in range(block))),
             "f": (9, floats(i * 7919 % 10007 * 0.01 for i in range(block)))}
    whole = longs(range(block))
    found.update({f"c{number}": (7, whole) for number in range(1, more + 1)})
    return found


class Trials:
    def __init__(self, binary, folder, quick):
        self.binary = binary
        self.folder = folder
        self.quick = quick
        self.database = folder / "db"
        self.version_s = 0.0
        self.version_s = min(self.command_s("--version")[0] for _ in range(10))

    def up_to(self, values, quick_max):
        return [n for n in values if not self.quick or n <= quick_max]

    def clear(self):
        shutil.rmtree(self.database, ignore_errors=True)

    def days(self, count, rows, columns_of):
        """A database of so many days of so many rows."""
        self.clear()
        sources = self.folder / "sources"
        for index in range(min(count, SOURCES)):
            table(sources / str(index), columns_of(index), rows)
        for index in range(count):
            source = sources / str(index % SOURCES)
            made = self.database / day(index) / "t"
            made.mkdir(parents=True)
            for path in source.iterdir():
                os.link(path, made / path.name)
        shutil.rmtree(sources)
        names_file(self.database / "sym", [f"s{code:02}" for code in range(100)])

    def started(self, *words, before=()):
        done = subprocess.run([str(word) for word in [*before, self.binary, *words]],
                              stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=TIMEOUT_SECONDS, env=program.MPI_ENVIRONMENT)
        if done.returncode != 0:
            raise SystemExit(f"growth: {words}: status {done.returncode}: "
                             f"{done.stderr.decode(errors='replace')}")
        return done

    def command_s(self, *words, before=(), times=0):
        """(the least seconds beyond --version, most MB resident) of several; once if it is long."""
        seconds, resident = [], [0]
        peak = self.folder / "peak"
        timer = ["/usr/bin/time", "-f", "%M", "-o", peak] if has_timer() else []
        for _ in range(times or (1 if self.quick else 5)):
            begin = time.monotonic()
            self.started(*words, before=[*timer, *before])
            seconds.append(time.monotonic() - begin)
            if timer:
                resident.append(int(peak.read_text().split()[-1]) / 1000)
            if seconds[-1] > 5:
                break
        return max(min(seconds) - self.version_s, 1e-3), max(resident)

    def open(self, text, what="open", **options):
        seconds, resident = self.command_s("query", self.database, text, "--explain")
        yield Figure("open", what, seconds * 1000, main=what == "open", **options)
        if resident:
            yield Figure("memory", f"{what}: resident", resident, **options)

    def checked(self, *commands, **options):
        for command in commands:
            seconds, _ = self.command_s(command, self.database, times=3)
            yield Figure("command", command, seconds * 1000, **options)

    def printed(self, text):
        seconds, _ = self.command_s("query", self.database, text, "--format", "csv", times=2)
        yield Figure("command", f"`{text}` as CSV", seconds * 1000)

    def query(self, text, main=False, times=5, before=(), memory=True, first=False, threads=1,
              expected=1, sorts=False, what=""):
        times = 2 if self.quick else times
        file = self.folder / "trial.q"
        file.write_text(f"{text}\n" * times)
        done = self.started("query", self.database, "--file", file, "--medium", "nvme", "--cache",
                            "warm", "-s", threads, "--format", "json", "--rows-only",
                            before=before)
        cells = [json.loads(line) for line in done.stdout.splitlines()]
        if any(cell["error"] for cell in cells):
            raise SystemExit(f"growth: {text}: {cells[0]['error']}")
        what = what or f"`{text}`"
        least = min(cell["time_ms"] for cell in cells)
        yield Figure("query", what, least, expected, main, sorts)
        if first:
            yield Figure("query", f"{what}, first", cells[0]["time_ms"], sorts=True)
        if memory:
            most = max(cell["peak_workspace_bytes"] for cell in cells) / 1e6
            yield Figure("memory", what, most, expected, main)

    def run(self, texts, *flags, threads=1):
        """Its results file, and how long it took."""
        queries, results = self.folder / "run.q", self.folder / "run.json"
        queries.write_text("\n".join(texts) + "\n")
        begin = time.monotonic()
        self.started("run", self.database, "--queries", queries, *RUN, *flags, "-s", threads,
                     "--out", results, "--force")
        return results, time.monotonic() - begin

    def report(self, results, **options):
        page = self.folder / "page.html"
        seconds, _ = self.command_s("report", results, "-o", page, "--force")
        yield Figure("report", "report", seconds * 1000, main=True, **options)


@functools.cache
def has_timer():
    return os.access("/usr/bin/time", os.X_OK)


BY = "select avg f by s from t"


def rows(trials):
    days = 100
    for n in trials.up_to([10**6, 10**7, 3 * 10**7, 10**8, 2 * 10**8, 5 * 10**8, 10**9, 2 * 10**9],
                          10**7):
        trials.days(days, n // days, functools.partial(quotes, n // days))
        yield n, [*trials.query(BY, main=True), *trials.query("select n:count i from t where f>50"),
                  *trials.query("select s,f from t where f>99"),
                  *trials.query("select n:count i from t"),
                  *trials.printed("select s,f from t where f>99"),
                  *trials.query(f"`f xasc select f from t where date={day(0)}", times=3,
                                sorts=True),
                  *trials.open(BY, expected=0), *trials.checked("describe", expected=0),
                  *trials.report(trials.run([BY])[0], expected=0)]


def partitions(trials):
    total = 2_000_000
    for n in trials.up_to([1, 10, 100, 1000, 2000, 5000, 10_000], 100):
        trials.days(n, total // n, functools.partial(quotes, total // n))
        yield n, [*trials.query(BY, main=True), *trials.query("select count i by date from t"),
                  *trials.query("select last f by date from t"),
                  *trials.query(f"select n:count i from t where date={day(0)}", expected=0),
                  *trials.open(BY), *trials.open(f"{BY} where date={day(0)}", "open for one day"),
                  *trials.checked("describe", "verify"),
                  *trials.report(trials.run([BY])[0], expected=0)]


def columns(trials):
    days, count = 20, 20_000 if trials.quick else 200_000
    for n in trials.up_to([5, 10, 20, 50, 100, 200], 50):
        trials.days(days, count, functools.partial(quotes, count, more=n - 2))
        yield n, [*trials.query(BY, main=True, expected=0),
                  *trials.query("select count i by date from t", expected=0),
                  *trials.query(f"select from t where date={day(0)}"),
                  *trials.query("select from t where f>99"), *trials.open(BY, expected=0),
                  *trials.open("select from t", "open for all columns"),
                  *trials.checked("describe", "verify"),
                  *trials.report(trials.run([BY])[0], expected=0)]


def groups(trials):
    days = 4
    each = 25_000 if trials.quick else 2_500_000
    for n in trials.up_to([1, 10, 100, 1000, 10**4, 10**5, 10**6, 3 * 10**6, 10**7],
                          10**4):
        def keys(index, n=n):
            begin = index * each
            codes = array.array("q", (i * 7919 % n for i in range(begin, begin + each)))
            return {"k": (7, codes.tobytes()), "a": (7, longs(code // 1000 for code in codes)),
                    "b": (7, longs(code % 1000 for code in codes)), "x": (7, longs(range(each)))}

        trials.days(days, each, keys)
        yield n, [*trials.query("select sum x by k from t", main=True, times=3, sorts=True)] + [
            figure for text in ("select count i by k from t", "select sum x by a,b from t",
                                "select distinct k from t", "select med x by k from t",
                                "select last x by k from t", "select dev x by k from t",
                                "select n:count distinct k from t", "select x by k from t")
            for figure in trials.query(text, times=2, sorts=" by " in text)] + [
            *trials.open("select sum x by k from t", expected=0),
            *trials.report(trials.run(["select sum x by k from t"])[0], expected=0)]


def symbol_list(trials):
    count = 10_000 if trials.quick else 1_000_000
    for n in trials.up_to([10, 100, 1000, 10**4, 10**5, 5 * 10**5, 10**6, 2 * 10**6, 5 * 10**6],
                          10**4):
        names = [f"sym{code:07}" for code in range(n)]
        random.Random(1).shuffle(names)
        trials.days(1, count, lambda index, n=n: {
            "s": ("s", longs(i * 7919 % n for i in range(count))),
            "few": ("s", longs(i * 7 % min(n, 10) for i in range(count))),
            "x": (7, longs(range(count)))})
        names_file(trials.database / "sym", names)
        yield n, [*trials.query("select sum x by s from t", main=True, first=True),
                  *trials.query("select sum x by few from t", first=True, expected=0),
                  *trials.query("select from t where x=(max;x) fby s", first=True),
                  *trials.query("`s xasc select s,x from t", first=True),
                  *trials.query(f"select x from t where s=`{names[0]}", expected=0),
                  *trials.query(f"select x from t where s in `{names[0]}`{names[-1]}", expected=0),
                  *trials.query("select n:count i from t where s like \"*77\""),
                  *trials.open("select sum x by s from t"), *trials.checked("describe", "verify"),
                  *trials.report(trials.run(["select sum x by s from t"])[0], expected=0)]


def of_ten_days(trials):
    each = 20_000 if trials.quick else 2_000_000
    trials.days(10, each, functools.partial(quotes, each))


def threads(trials):
    of_ten_days(trials)
    for n in trials.up_to([1, 2, 4, 8, 16, 64], 4):
        results, _ = trials.run([BY, "select from t where f>99"], threads=n)
        yield n, [*trials.query(BY, main=True, threads=n, expected=0),
                  *trials.query("select s,f from t where f>99", threads=n, expected=0),
                  *trials.query(f"`f xasc select f from t where date={day(0)}", threads=n,
                                expected=0),
                  *trials.query("select distinct f from t", threads=n, expected=0),
                  *trials.open(BY, expected=0), *trials.report(results, expected=0)]


def ranks(trials):
    if not shutil.which("mpirun"):
        return
    of_ten_days(trials)
    probe = program.run("mpirun", "--oversubscribe", "-n", 2, trials.binary, "query",
                        trials.database, BY, env=program.MPI_ENVIRONMENT)
    if probe.status != 0:
        print(f"ranks: left out: {probe.messages}", file=sys.stderr)
        return
    for n in trials.up_to([1, 2, 4, 8], 2):
        before = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(n)]
        seconds, _ = trials.command_s("query", trials.database, f"{BY} where date={day(0)}",
                                      "--medium", "nvme", before=before, times=3)
        yield n, [*trials.query(BY, main=True, before=before, expected=0),
                  *trials.query("select s,f from t where f>99", before=before, expected=0),
                  Figure("open", "job of one day's query", seconds * 1000, 1, True)]


def users(trials):
    each = 2_000
    trials.days(10, each, functools.partial(quotes, each))
    for n in trials.up_to([1, 10, 100, 1000], 10):
        texts = [BY, "select s,f from t where f>99"]
        results, took = trials.run(texts, "--users", n, "--processes", "2", "--seconds", "1")
        cell = json.loads(results.read_text(encoding="utf-8"))["context"]["users"][0]
        yield n, [Figure("query", "median time of a user's answer", cell["p50"]["ms"], 1, True),
                  Figure("query", "the run itself", took * 1000, 1),
                  Figure("query", "time per answer (1 / rate)", 1000 / cell["per_s"], 0),
                  *trials.report(results, expected=0)]


def cells(trials):
    each = 200
    trials.days(2, each, functools.partial(quotes, each))
    for n in trials.up_to([1, 10, 50, 200, 500, 1000, 2000], 10):
        results, took = trials.run([f"{BY} where f>{i % 90},f<1{i}" for i in range(n)])
        report = list(trials.report(results))
        again, _ = trials.command_s("compare", results, results, times=3)
        yield n, [Figure("query", "the run itself", took * 1000, 1, True), *report,
                  Figure("report", "compare", again * 1000),
                  Figure("memory", "results.json", results.stat().st_size / 1e6, main=True)]


VARIABLES = {"rows": rows, "partitions": partitions, "columns": columns, "groups": groups,
             "symbols": symbol_list, "threads": threads, "ranks": ranks, "users": users,
             "cells": cells}


def measured(trials, name):
    """[{kind, what, expected, main, points: [[n, value], ...]}] of one variable."""
    series = {}
    for n, figures in VARIABLES[name](trials):
        print(f"{name} {n}", file=sys.stderr, flush=True)
        for place, figure in enumerate(figures):
            # A text may have another day or symbol in each database: the place tells.
            one = series.setdefault(place, {**figure._asdict(), "points": []})
            one.pop("value", None)
            one["points"].append([n, figure.value])
    return list(series.values())


def floor_of(points):
    most = points[-1][0]
    low = [value for n, value in points if n <= most / 1000]
    first = next(value for n, value in points if n >= most / 10)
    return min(low) if low and first > 2 * min(low) else 0.0


def slope(points, value_of):
    logs = [(growth_chart.log(n), growth_chart.log(value_of(n, value))) for n, value in points]
    if len(logs) < 2:
        return 0.0
    x, y = zip(*logs)
    return statistics.linear_regression(x, y).slope


def exponents(points):
    """(of value, of value / log n)"""
    floor = floor_of(points)
    top = [(n, value) for n, value in points if n >= points[-1][0] / 10 and n > 1
           and value > floor]
    return (slope(top, lambda n, value: value - floor),
            slope(top, lambda n, value: (value - floor) / growth_chart.log(n)))


def verdict(one):
    plain, by_log = exponents(one["points"])
    if one["points"][-1][1] < JUDGED_FROM:
        return ""
    grown = one["points"][-1][1] / max(one["points"][0][1], 1e-6)
    if one["expected"] == 0 and grown > 2 and plain > 0.15:
        return "grows" if plain <= 1.05 else "above"
    if plain <= 1.05:
        return ""
    return "n log n" if one["sorts"] and by_log <= 1.05 else "above"


def amount(value, unit):
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def table_lines(found):
    yield "| variable | what | from | to | exponent | over log n | |"
    yield "|---|---|---:|---:|---:|---:|---|"
    for name, series in found.items():
        for one in series:
            (first, begin), (last, end) = one["points"][0], one["points"][-1]
            unit = "MB" if one["kind"] == "memory" else "ms"
            plain, by_log = exponents(one["points"])
            what = one["what"].replace("|", "\\|")
            yield (f"| {name} {first:g} to {last:g} | {one['kind']}: {what} "
                   f"| {amount(begin, unit)} | {amount(end, unit)} | {plain:.2f} | {by_log:.2f} "
                   f"| {verdict(one)} |")


def parsed_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", nargs="?",
                        type=lambda path: pathlib.Path(path).resolve(strict=True))
    parser.add_argument("--quick", action="store_true", help="small n, to see that it works")
    parser.add_argument("--only", default=",".join(VARIABLES), metavar="LIST",
                        help="these variables; default: all")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the points, as JSON")
    parser.add_argument("--chart", type=pathlib.Path, metavar="FILE", help="the chart, as SVG")
    parser.add_argument("--folder", type=pathlib.Path, metavar="DIR",
                        help="where databases are made; default: the temporary directory")
    parser.add_argument("--draw", type=pathlib.Path, metavar="FILE",
                        help="measures nothing: table and chart of these points")
    flags = parser.parse_args()
    unknown = set(flags.only.split(",")) - set(VARIABLES)
    if unknown or (flags.binary is None) == (flags.draw is None):
        parser.error(f"unknown: {', '.join(unknown)}" if unknown else "HDBENCH or --draw FILE")
    return flags


def all_measured(flags):
    """The variables that were asked for; a file of points keeps what it has of others."""
    found = {}
    if flags.out and flags.out.exists():
        found = json.loads(flags.out.read_text(encoding="utf-8"))
    for name in flags.only.split(","):
        with tempfile.TemporaryDirectory(prefix="hdbtest-", dir=flags.folder) as folder:
            series = measured(Trials(flags.binary, pathlib.Path(folder), flags.quick), name)
        if series:
            found[name] = series
        if flags.out:
            flags.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return found


def main():
    flags = parsed_arguments()
    if flags.draw:
        found = json.loads(flags.draw.read_text(encoding="utf-8"))
    else:
        found = all_measured(flags)
    found = {name: found[name] for name in VARIABLES if name in found}
    print("\n".join(table_lines(found)))
    if flags.chart:
        flags.chart.write_text(growth_chart.drawn(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
