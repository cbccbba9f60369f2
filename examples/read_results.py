#!/usr/bin/env python3
"""Reads the results.json of `hdbench run`, prints a table and draws it.

    python3 examples/read_results.py results.json [chart.png]

Needs pandas and matplotlib: pip install pandas matplotlib
"""

import json
import sys

try:
    import matplotlib
    import pandas
except ImportError as absent:
    sys.exit(f"{absent.name} is missing: pip install pandas matplotlib")

matplotlib.use("Agg")  # writes a file; needs no display
from matplotlib import pyplot  # noqa: E402

AXES = ["medium_word", "place", "cache", "layout", "attr", "mode", "threads", "limit_mib", "codes",
        "prefetch", "engine"]


def cells_of(path):
    """One row a cell. A cell that a limit or an error stopped has no time: 0 in the file, as Google
    Benchmark writes it, and NaN here."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    cells = pandas.DataFrame(results["benchmarks"])
    times = pandas.to_numeric(cells["real_time"])
    return results["context"], cells.assign(ms=times.where(times > 0))


def setting_of(cells):
    """A name for each cell's setting: the axes that differ within the file."""
    differing = [name for name in AXES if cells[name].nunique(dropna=False) > 1]
    shown = cells[differing or ["medium_word"]].astype(object).fillna("-").astype(str)
    names = shown.agg(" ".join, axis=1)
    return names + cells["emulated"].map({True: " *", False: ""})


def draw(table, context, path):
    axes = table.plot.bar(logy=True, figsize=(12, 6), width=0.8)
    axes.set_xlabel("query")
    axes.set_ylabel("median, ms")
    axes.set_title(f"{context['machine_model']}, commit {context['commit']} (*: emulated)")
    axes.legend(fontsize="small")
    pyplot.tight_layout()
    pyplot.savefig(path)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    context, cells = cells_of(sys.argv[1])
    stopped = cells[cells["error"].notna()]
    for name, reason in zip(stopped["name"], stopped["error"]):
        print(f"no result: {name}: {reason}", file=sys.stderr)
    cells = cells.assign(setting=setting_of(cells))
    table = cells.pivot_table(index="query", columns="setting", values="ms", sort=False)
    print(table.round(3).to_string())
    path = sys.argv[2] if len(sys.argv) == 3 else "results.png"
    draw(table, context, path)
    print(f"chart: {path}")


if __name__ == "__main__":
    main()
