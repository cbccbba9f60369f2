"""What a change does to speed: the study's queries and the aggregates, against the merge base.

    scripts/speed.py [--base REV] [--rounds N] [--scale S] [--threads LIST]

Builds the optimised merge base (in a git worktree below build/speed, kept while the commit is the
same) and this tree, and makes a small database. Then both programs run in turn, the first of a pair
changing from round to round, so that a machine that slows down slows both; `hdbench compare` holds
the one side's files against the other's. Slower is not a failure: the status says only whether it
ran.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEED = ROOT / "build" / "speed"
FILES = ("paper.q", "aggregates.q")
REPETITIONS = 5  # of a query in a round


def said(*command, statuses=(0,), **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, check=False,
                          capture_output=True, text=True, **options)
    if done.returncode not in statuses:
        words = " ".join(str(word) for word in command)
        raise SystemExit(f"{words}: status {done.returncode}\n{done.stdout[-2000:]}"
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
    said("cmake", "--build", "--preset", "bench", "--target", "hdbench", cwd=folder)
    return folder / "build" / "bench" / "bin" / "hdbench"


def database(program, scale):
    path = SPEED / f"paper-{scale}"
    if not (SPEED / f"{path.name}.manifest.json").exists():
        said(program, "gen", path, "--profile", "paper", "--scale", scale, "--parted", "col3")
    return path


def timed(program, data, queries, threads, out):
    said(program, "run", data, "--queries", ROOT / "queries" / queries, "--medium", "dram",
         "--layout", "flat", "--attr", "none", "--mode", "4.0", "--threads", threads, "--cache",
         "warm", "--reps", REPETITIONS, "--out", out)
    return out


def compared(old, new, data, queries, flags):
    """What `hdbench compare` prints of a query file, also where its status is 1 (slower)."""
    sides = {old: [], new: []}
    for i in range(flags.rounds):
        print(f"speed: {queries}, round {i + 1} of {flags.rounds}", file=sys.stderr, flush=True)
        for program in (old, new) if i % 2 == 0 else (new, old):
            out = SPEED / f"{queries}-{'new' if program == new else 'old'}-{i}.json"
            sides[program].append(timed(program, data, queries, flags.threads, out))
    return said(new, "compare", *sides[old], "--", *sides[new], statuses=(0, 1))


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", metavar="REV", help="default: the merge base with main")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default: 5")
    parser.add_argument("--scale", default="0.02", metavar="S", help="of the database: 0.02")
    parser.add_argument("--threads", default="1", metavar="LIST", help="of queries; default: 1")
    return parser.parse_args()


def main():
    flags = parsed_arguments()
    commit = base_commit(flags.base)
    old = built(checked_out(commit), f"the base, {commit[:12]}")
    new = built(ROOT, "this tree")
    data = database(new, flags.scale)
    for queries in FILES:
        print(f"{queries}:\n{compared(old, new, data, queries, flags)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
