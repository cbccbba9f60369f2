"""The house's arrows, held by reading every #include: who may know whom.

Folders: engine knows nobody; queries and datagen know engine; pmem knows engine's seams
(engine/base); bench knows everybody. Rooms of engine: base knows nobody; column knows base; storage
knows column and base; kernel, operator and exec know what comes before them. Tests have no more
rights than what they test.
"""

import pathlib
import re
import sys

FOLDERS = {
    "engine": {"engine"},
    "queries": {"queries", "engine"},
    "datagen": {"datagen", "engine"},
    "pmem": {"pmem", "engine"},
    "bench": {"bench", "pmem", "datagen", "queries", "engine"},
}
ROOMS = {
    "base": {"base"},
    "column": {"base", "column"},
    "storage": {"base", "column", "storage"},
    "kernel": {"base", "column", "storage", "kernel"},
    "operator": {"base", "column", "storage", "kernel", "operator"},
    "exec": {"base", "column", "storage", "kernel", "operator", "exec"},
}
# Headers that the build makes, outside the folders.
GENERATED = {"hdbench_commit.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def project_includes(text):
    """Paths of the project's own files that this text includes, as written."""
    found = []
    for quote, path in INCLUDE.findall(text):
        if quote == '"' or path.split("/")[0] in FOLDERS:
            found.append(path)
    return found


def wrong_arrow(source, target):
    """Why `source` (a path from the root) may not include `target`; None where it may."""
    from_parts, to_parts = source.split("/"), target.split("/")
    if from_parts[0] not in FOLDERS or target in GENERATED:
        return None
    if len(to_parts) < 2 or to_parts[0] in (".", ".."):
        return "not a path from the repository's root"
    if to_parts[0] not in FOLDERS:
        return None
    if to_parts[0] not in FOLDERS[from_parts[0]]:
        return f"{from_parts[0]} does not know {to_parts[0]}"
    if from_parts[0] == "pmem" and to_parts[0] == "engine" and to_parts[1] != "base":
        return "pmem knows engine's seams (engine/base) only"
    if from_parts[0] == "engine" and len(from_parts) > 2:
        room, other = from_parts[1], to_parts[1]
        if room not in ROOMS or other not in ROOMS:
            return f"engine/{other if room in ROOMS else room} is not a room of engine"
        if other not in ROOMS[room]:
            return f"engine/{room} does not know engine/{other}"
    return None


def sources(root):
    for folder in FOLDERS:
        for suffix in ("*.h", "*.cc"):
            yield from sorted((root / folder).rglob(suffix))


def complaints(root):
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        for target in project_includes(path.read_text(encoding="utf-8")):
            reason = wrong_arrow(name, target)
            if reason:
                yield f'{name}: #include "{target}": {reason}'


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(complaints(root))
    for line in found:
        print(line)
    print(f"{sum(1 for _ in sources(root))} files, {len(found)} wrong arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
