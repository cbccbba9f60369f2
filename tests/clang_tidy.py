"""Runs clang-tidy over the sources of the compile database, as many at once as there are cores.

Tests are left out: the test library's macros make most of their findings and half of the time.
A file that was clean is left alone until something changes that could make it unclean: the file, a
header of the project that it includes (however indirectly), its command, or .clang-tidy. The notes
of that are kept in BUILD/tidy. In a clean clone, which has none, files whose code the last commits
changed (not only moved, nor only their comments and includes) are looked at, and the others are
taken for clean until they change; --all looks at everything.

    clang_tidy.py BUILD [--all]
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

from include_direction import FOLDERS, project_includes

CLANG_TIDY = "clang-tidy-19"
RECENT_COMMITS = 5
ASSUMED = "assumed "


class Sources:
    """Texts and includes of the project's files, each read once."""

    def __init__(self, root):
        self.root = root
        self.known = {}

    def read(self, name):
        if name not in self.known:
            path = self.root / name
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            self.known[name] = (text, project_includes(text))
        return self.known[name]

    def closure(self, name):
        """The file and all that it includes of the project, sorted."""
        found, open_ends = {name}, [name]
        while open_ends:
            for target in self.read(open_ends.pop())[1]:
                if target not in found:
                    found.add(target)
                    open_ends.append(target)
        return sorted(found)


def fingerprint(sources, name, command, settings):
    digest = hashlib.sha256()
    for text in [settings, command] + [sources.read(part)[0] for part in sources.closure(name)]:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def run_one(build, path):
    # The compiler's precompiled headers are none of clang's: it reads the header beside them.
    command = [CLANG_TIDY, "--quiet", "--extra-arg=-Wno-ignored-gch", "-p", str(build), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def unclean(build, root, notes, looks_at_all):
    """How many sources there are, and {name: (path, note, fingerprint)} of those to look at."""
    sources = Sources(root)
    settings = (root / ".clang-tidy").read_text(encoding="utf-8")
    count, found = 0, {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        name = os.path.relpath(path, root)
        if name.split("/")[0] not in FOLDERS or name.endswith("_test.cc"):
            continue
        count += 1
        current = fingerprint(sources, name, entry["command"], settings)
        note = notes / (name.replace("/", ".") + ".clean")
        noted = note.read_text(encoding="utf-8") if note.is_file() else ""
        if noted != current and (looks_at_all or noted != ASSUMED + current):
            found[name] = (path, note, current)
    return count, found


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
    """The files of the last commits; None where git does not tell."""
    command = ["git", "-C", str(root), "log", f"-n{RECENT_COMMITS}", "--first-parent", "-m", "-M",
               "-p", "-U0", "--format=", "--", "*.cc", "*.h"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return changed_in(done.stdout) if done.returncode == 0 else None


def is_of(name, changed):
    """Whether the source or its own header is one of these."""
    return name in changed or name.removesuffix(".cc") + ".h" in changed


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    notes = build / "tidy"
    is_clean_clone = not notes.exists()
    notes.mkdir(exist_ok=True)
    looks_at_all = "--all" in sys.argv
    count, stale = unclean(build, root, notes, looks_at_all)
    changed = recently_changed(root)
    if is_clean_clone and changed is not None and not looks_at_all:
        for name in [name for name in stale if not is_of(name, changed)]:
            _, note, current = stale.pop(name)
            note.write_text(ASSUMED + current, encoding="utf-8")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        runs = {pool.submit(run_one, build, path): name for name, (path, _, _) in stale.items()}
        for run in concurrent.futures.as_completed(runs):
            status, text = run.result()
            _, note, current = stale[runs[run]]
            if status == 0:
                note.write_text(current, encoding="utf-8")
            else:
                failed += 1
                print(text, flush=True)
    print(f"{count} sources, {len(stale)} looked at, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
