"""What a change does to speed: kernels and a dozen queries, against the merge base's program.

    scripts/speed.py [--base REV] [--rounds N] [--scale S] [--threads LIST]

Builds the optimised merge base (in a git worktree below build/speed, kept while the commit is the
same) and this tree, and makes a small database. Then both programs run in turn, the first of a pair
changing from round to round, so that a machine that slows down slows both. A line has the median
times, the median of the pairs' ratios (above 1: this tree is slower) and an interval that holds the
true median ratio with at least 95 % probability. Where something seems slower, all rounds are run
again and count together. The last lines name what is more than 1.1 times as slow with an interval
above 1; of fifty comparisons one can be so by chance. Slower is not a failure: the status says only
whether it ran.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEED = ROOT / "build" / "speed"
TARGETS = ("hdbench", "engine_bench")
# Of each file, by number: last rows of groups, rows selected; whole columns, groups, conditions.
QUERIES = {"paper.q": (2, 4, 7, 8, 9), "aggregates.q": (2, 3, 6, 8, 11, 14, 15)}
NUMBERS_FROM = {"paper.q": 0, "aggregates.q": 100}  # the one file has the other's after these
KERNELS = "/(4096|65536)$"
KERNEL_SECONDS = "0.02"
REPETITIONS = 5  # of a query, of which the median counts in its round
LIMIT = 1.1
CONFIDENCE = 0.95
LOOK_SECONDS, BUSY = 1, 0.05
ROUNDS_LEAST = 6  # fewer pairs hold no median with this confidence


def sign_interval(values, confidence=CONFIDENCE):
    """Two of the values that hold the true median between them, by the sign test: the narrowest
    such pair of the same rank from below and from above; the ends where there are too few."""
    ordered = sorted(values)
    count, rank, outside = len(ordered), 0, 0.5 ** len(ordered)
    # The median lies below the pair, or above it, as often as `count` coins show at most `rank`
    # heads.
    while 2 * (rank + 2) <= count:
        outside += math.comb(count, rank + 1) * 0.5**count
        if 2 * outside > 1 - confidence:
            break
        rank += 1
    return ordered[rank], ordered[count - 1 - rank]


class Comparison:
    """A thing's times on both sides, a pair a round."""

    def __init__(self, name, old, new):
        self.name = name
        self.old, self.new = statistics.median(old), statistics.median(new)
        ratios = [b / a for a, b in zip(old, new)]
        self.ratio = statistics.median(ratios)
        self.low, self.high = sign_interval(ratios)

    def is_slower(self):
        return self.ratio > LIMIT and self.low > 1


def compared(rounds):
    """Comparisons of what both sides have in every round, of [({name: time}, {name: time})]."""
    names = [name for name in rounds[0][0] if all(name in side for pair in rounds for side in pair)]
    return [Comparison(name, [old[name] for old, _ in rounds], [new[name] for _, new in rounds])
            for name in names]


def table(title, unit, comparisons):
    width = max([len(one.name) for one in comparisons] + [len(title)])
    lines = [f"{title:<{width}} {'base ' + unit:>12} {'this ' + unit:>12} {'ratio':>7}  interval"]
    for one in comparisons:
        mark = f"  beyond {LIMIT}" if one.is_slower() else ""
        lines.append(f"{one.name:<{width}} {one.old:>12.4g} {one.new:>12.4g} {one.ratio:>7.3f}"
                     f"  {one.low:.3f} to {one.high:.3f}{mark}")
    if comparisons:
        mean = math.exp(statistics.fmean(math.log(one.ratio) for one in comparisons))
        lines.append(f"{'geometric mean':<{width}} {'':>12} {'':>12} {mean:>7.3f}")
    return "\n".join(lines)


def verdict(comparisons):
    slower = [one for one in comparisons if one.is_slower()]
    if not slower:
        return f"speed: of {len(comparisons)} none is beyond {LIMIT} with an interval above 1"
    count = f"{len(slower)} of {len(comparisons)}"
    lines = [f"speed: beyond {LIMIT} with an interval above 1, {count}:"]
    lines += [f"  {one.name}: {one.ratio:.3f} ({one.low:.3f} to {one.high:.3f})" for one in slower]
    return "\n".join(lines)


def said(*command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, check=False,
                          capture_output=True, text=True, **options)
    if done.returncode:
        words = " ".join(str(word) for word in command)
        raise SystemExit(f"speed: {words}: status {done.returncode}\n{done.stdout[-2000:]}"
                         f"{done.stderr[-2000:]}")
    return done.stdout


def git(*arguments, folder=ROOT):
    return said("git", "-C", folder, *arguments).strip()


def base_commit(wanted):
    """The commit to hold this tree against: the merge base with the main branch; where that is this
    commit itself, it if the tree has changes, else the one before."""
    if wanted:
        return git("rev-parse", "--verify", f"{wanted}^{{commit}}")
    for branch in ("origin/main", "main", "origin/master", "master"):
        known = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "-q", "--verify", branch],
                               capture_output=True, check=False)
        if known.returncode == 0:
            base, head = git("merge-base", "HEAD", branch), git("rev-parse", "HEAD")
            is_changed = git("status", "--porcelain", "--untracked-files=no")
            return base if base != head or is_changed else git("rev-parse", "HEAD^")
    raise SystemExit("speed: no branch main: give --base REV")


def checked_out(commit):
    """A worktree of the commit; what was built there stays."""
    folder = SPEED / "base"
    git("worktree", "prune")
    if (folder / ".git").exists():
        if git("rev-parse", "HEAD", folder=folder) != commit:
            git("checkout", "--quiet", "--detach", "--force", commit, folder=folder)
    else:
        SPEED.mkdir(parents=True, exist_ok=True)
        git("worktree", "add", "--quiet", "--detach", folder, commit)
    return folder


def built(folder, what):
    print(f"speed: building {what}", file=sys.stderr, flush=True)
    said("cmake", "--preset", "bench", cwd=folder)
    said("cmake", "--build", "--preset", "bench", "--target", *TARGETS, cwd=folder)
    return folder / "build" / "bench" / "bin"


def database(program, scale):
    path = SPEED / f"paper-{scale}"
    if not (SPEED / f"{path.name}.manifest.json").exists():
        said(program, "gen", path, "--profile", "paper", "--scale", scale, "--parted", "col3")
    return path


def numbered(lines):
    """{number: text} of a query file."""
    queries, number = {}, None
    for line in lines:
        if line.startswith("/ ") and line[2:].split(":")[0].isdigit():
            number = int(line[2:].split(":")[0])
        elif line.strip() and not line.startswith("/"):
            queries[number or len(queries) + 1] = line.strip()
            number = None
    return queries


def write_queries(path):
    """The dozen in one file, so that a program loads its table once."""
    texts = []
    for name, numbers in QUERIES.items():
        known = numbered((ROOT / "queries" / name).read_text(encoding="utf-8").splitlines())
        texts += [f"/ {NUMBERS_FROM[name] + number}\n{known[number]}\n" for number in numbers]
    path.write_text("\n".join(texts), encoding="utf-8")


def query_name(number):
    """"aggregates.q 3" of the number in the common file."""
    name = max((one for one in QUERIES if NUMBERS_FROM[one] < number), key=NUMBERS_FROM.get)
    return f"{name} {number - NUMBERS_FROM[name]}"


def query_times(program, data, queries, threads):
    """{cell: ms}, and {cell: checksum}."""
    with tempfile.TemporaryDirectory(prefix="hdbench-speed-") as folder:
        out = pathlib.Path(folder, "results.json")
        said(program, "run", data, "--queries", queries, "--medium", "dram", "--layout", "flat",
             "--attr", "none", "--mode", "4.0", "--threads", threads, "--reps", REPETITIONS,
             "--out", out)
        cells = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
    times, checksums = {}, {}
    for cell in cells:
        name = f"{query_name(cell['query'])}, -s {cell['threads']}"
        times[name] = statistics.median(cell["times_ms"])
        checksums[name] = cell["checksum"]
    return times, checksums


def kernel_times(program):
    answer = said(program, f"--benchmark_filter={KERNELS}", "--benchmark_format=json",
                  f"--benchmark_min_time={KERNEL_SECONDS}")
    return {one["name"]: one["cpu_time"] for one in json.loads(answer)["benchmarks"]}


def busy_share(before, after):
    """Of the processors, by two readings of /proc/stat's first line: idle and waiting are not."""
    first, last = ([int(word) for word in line.split()[1:9]] for line in (before, after))
    spent = [b - a for a, b in zip(first, last)]
    return 1 - (spent[3] + spent[4]) / max(1, sum(spent))


def warn_if_busy():
    stat = pathlib.Path("/proc/stat")
    before = stat.read_text(encoding="utf-8").splitlines()[0]
    time.sleep(LOOK_SECONDS)
    share = busy_share(before, stat.read_text(encoding="utf-8").splitlines()[0])
    if share > BUSY:
        print(f"speed: other work uses {share:.0%} of the processors: ratios will be far apart, and"
              " something may be named by chance", flush=True)


def in_turn(rounds, old, new):
    """Pairs of what both gave, the first of a pair changing from round to round."""
    pairs = []
    for i in range(rounds):
        print(f"speed: round {i + 1} of {rounds}", file=sys.stderr, flush=True)
        first, second = (old, new) if i % 2 == 0 else (new, old)
        one, two = first(), second()
        pairs.append((one, two) if i % 2 == 0 else (two, one))
    return pairs


def looked_at(rounds, old, new, times=lambda answer: answer):
    """in_turn(), and as many pairs again where something seems slower; `times` of an answer."""
    pairs = in_turn(rounds, old, new)
    if any(one.is_slower() for one in compared([(times(a), times(b)) for a, b in pairs])):
        pairs += in_turn(rounds, old, new)
    return pairs, compared([(times(a), times(b)) for a, b in pairs])


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", metavar="REV", help="default: the merge base with main")
    parser.add_argument("--rounds", type=int, default=9, metavar="N", help="default: 9")
    parser.add_argument("--scale", default="0.02", metavar="S", help="of the database: 0.02")
    parser.add_argument("--threads", default="1", metavar="LIST", help="of queries; default: 1")
    flags = parser.parse_args()
    if flags.rounds < ROUNDS_LEAST:
        parser.error(f"--rounds: {flags.rounds} give no interval: at least {ROUNDS_LEAST}")
    return flags


def main():
    flags = parsed_arguments()
    commit = base_commit(flags.base)
    folder = checked_out(commit)
    old = built(folder, f"the base, {commit[:12]}")
    new = built(ROOT, "this tree")
    data = database(new / "hdbench", flags.scale)
    queries = SPEED / "queries.q"
    write_queries(queries)
    warn_if_busy()

    def ask(programs):
        return query_times(programs / "hdbench", data, queries, flags.threads)

    _, kernels = looked_at(flags.rounds, lambda: kernel_times(old / "engine_bench"),
                           lambda: kernel_times(new / "engine_bench"))
    print(table("kernel", "ns", kernels), flush=True)
    pairs, timed = looked_at(flags.rounds, lambda: ask(old), lambda: ask(new), lambda one: one[0])
    print("\n" + table("query", "ms", timed))
    for name, checksum in pairs[0][1][1].items():
        if pairs[0][0][1].get(name) != checksum:
            print(f"{name}: another result than the base's")
    print("\n" + verdict(kernels + timed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
