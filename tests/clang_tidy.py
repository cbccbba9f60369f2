"""Runs clang-tidy over sources of the compile database, as many at once as there are cores.

    clang_tidy.py BUILD [--all]

Looks at sources whose code (or whose header's) the working tree or the last commits changed: more
than their names, comments and includes; --all looks at all. Tests are left out: the test library's
macros make most of their findings and half of the time.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

from include_direction import FOLDERS

CLANG_TIDY = "clang-tidy-19"
RECENT_COMMITS = 5


def run_one(build, path):
    # The compiler's precompiled headers are none of clang's: it reads the header beside them.
    command = [CLANG_TIDY, "--quiet", "--extra-arg=-Wno-ignored-gch", "-p", str(build), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def sources(build, root):
    """{name: path} of the project's sources in the compile database."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        name = os.path.relpath(path, root)
        if name.split("/")[0] in FOLDERS and not name.endswith("_test.cc"):
            found[name] = path
    return found


def changed_in(log):
    """The files, by today's names, of which a log of patches (newest first) changes more than
    comments and includes: a file that was only moved is not among them."""
    today, changed, name, old = {}, set(), "", ""
    for line in log.splitlines():
        if line.startswith("diff --git "):
            name = ""
        elif line.startswith("rename from "):
            old = line.removeprefix("rename from ")
        elif line.startswith("rename to "):
            new = line.removeprefix("rename to ")
            today[old] = today.get(new, new)
        elif line.startswith("+++ ") and not name:
            path = line.removeprefix("+++ ").removeprefix("b/")
            name = today.get(path, path)
        elif name and line[:1] in ("+", "-"):
            text = line[1:].strip()
            if text and not text.startswith(("#include", "//")):
                changed.add(name)
    return changed


def recently_changed(root):
    """The files of the working tree and of the last commits; None where git does not know."""
    logs = []
    for command in (["diff", "HEAD"], ["log", f"-n{RECENT_COMMITS}", "--first-parent", "-m",
                                       "--format="]):
        done = subprocess.run(["git", "-C", str(root), *command, "-M", "-p", "-U0", "--", "*.cc",
                               "*.h"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None
        logs.append(done.stdout)
    return changed_in("".join(logs))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    known = sources(build, root)
    changed = None if "--all" in sys.argv else recently_changed(root)
    chosen = [path for name, path in known.items() if changed is None or name in changed
              or name.removesuffix(".cc") + ".h" in changed]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        runs = [pool.submit(run_one, build, path) for path in chosen]
        for run in concurrent.futures.as_completed(runs):
            status, text = run.result()
            if status != 0:
                failed += 1
                print(text, flush=True)
    print(f"{len(known)} sources, {len(chosen)} looked at, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
