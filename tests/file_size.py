"""Sources stay readable: at most 600 lines a file, 100 columns a line."""

import pathlib
import subprocess
import sys

LINES_MAX = 600
COLUMNS_MAX = 100
SUFFIXES = {".cc", ".h", ".py", ".sh", ".cmake"}
SCRIPTS = {"quickstart", "check", "run", "against_fio", "truth", "CMakeLists.txt"}


def complaints(name, text):
    lines = text.splitlines()
    if len(lines) > LINES_MAX:
        yield f"{name}: {len(lines)} lines, at most {LINES_MAX}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            yield f"{name}:{number}: {len(line)} columns, at most {COLUMNS_MAX}"


def is_source(path):
    return path.suffix in SUFFIXES or path.name in SCRIPTS


def main():
    root = pathlib.Path(sys.argv[1])
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    paths = [root / name for name in names if is_source(pathlib.Path(name))]
    found = []
    for path in paths:
        if path.is_file():
            found += complaints(path.relative_to(root), path.read_text(encoding="utf-8"))
    print("\n".join(found + [f"{len(paths)} files, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
