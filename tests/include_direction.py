"""The house's arrows, held by reading every #include: who may know whom.

Folders: engine knows nobody; queries and datagen know engine; pmem knows engine's seams
(engine/base); bench knows everybody. Rooms of a folder know what ROOMS says, and no two know each
other. Tests have no more rights than what they test, but for TESTS_KNOW_TOO and the rooms named
`testing`, which are theirs.
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
# By folder; "": what lies in the folder itself.
ROOMS = {
    "engine": {
        "base": set(),
        "zip": {"base"},
        "column": {"base", "zip"},
        "storage": {"base", "column", "zip"},
        "inspect": {"base", "column", "storage"},
        "kernel": {"base", "column", "storage"},
        "expression": {"base", "column", "kernel"},
        "operator": {"base", "column", "zip", "storage", "kernel", "expression"},
        "shaping": {"base", "column", "kernel", "expression", "operator"},
        "exec": {"base", "column", "zip", "storage", "kernel", "expression", "operator", "shaping"},
        "testing": {"base", "column", "zip", "storage", "kernel", "expression", "operator",
                    "shaping", "exec"},
    },
    "pmem": {
        "base": set(),
        "memory": {"base"},
        "machine": {"base", "memory"},
        "persistent": {"base", "memory", "machine"},
        "readahead": {"base", "memory", "machine"},
        "emulator": {"base"},
        "media": {"base", "memory", "machine", "persistent", "readahead", "emulator"},
        "testing": {"base", "machine", "emulator"},
    },
    "bench": {
        "base": set(),
        "privileges": {"base"},
        "machine": {"base"},
        "profiles": {"base", "machine"},
        "ranks": {"base"},
        "model": {"base", "machine", "ranks"},
        "kdb": {"base"},
        "peers": {"base", "machine", "model"},
        "results": {"base", "machine", "model"},
        "users": {"base", "model"},
        "run": {"base", "kdb", "machine", "model", "peers", "ranks", "results", "users"},
        "predict": {"base", "machine", "model", "results", "run"},
        "advise": {"base", "machine", "model", "predict", "results", "run"},
        "query_output": {"base", "run"},
        "storage": {"base", "machine", "model", "results"},
        "storage/volumes": {"base", "machine"},
        "storage/filesystems": {"base", "machine", "privileges", "storage"},
        "report/views": {"base", "model", "results", "storage"},
        "report/published": {"base", "report/views"},
        "report/answers": {"base", "machine", "model", "report/views"},
        "report/page": set(),
        "report/html": {"base", "storage", "storage/filesystems", "report/views",
                        "report/published", "report/answers", "report/page"},
        "report/text": {"base", "machine", "model", "results", "report/views", "report/answers",
                        "report/published"},
        "cli": {"base", "kdb", "privileges", "machine", "profiles", "model", "peers", "ranks",
                "results", "run", "users", "predict", "advise", "query_output", "storage",
                "storage/volumes", "storage/filesystems", "report/views", "report/html",
                "report/text"},
        "testing": {"base", "model", "ranks", "results", "run", "report/views"},
        "": {"cli"},
    },
}
# What a room is tested through, or beside.
TESTS_KNOW_TOO = {
    "pmem/base": {"memory"},
    "pmem/memory": {"media"},
    "pmem/persistent": {"media"},
    "pmem/readahead": {"media"},
    "bench/report/answers": {"report/published"},
    "engine/zip": {"storage"},
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


def room_of(path):
    """report/views of bench/report/views/verdict.h; empty: what lies in the folder itself."""
    return "/".join(path.split("/")[1:-1])


def is_test(path):
    return path.endswith("_test.cc")


def knows_testing(path):
    return is_test(path) or room_of(path) == "testing"


def wrong_room(folder, source, target):
    rooms, room, other = ROOMS[folder], room_of(source), room_of(target)
    for name in (room, other):
        if name not in rooms:
            return f"{folder}/{name} is not a room of {folder}"
    known = rooms[room] | {room}
    if is_test(source):
        known = known | TESTS_KNOW_TOO.get(f"{folder}/{room}", set())
    if other not in known and not (other == "testing" and knows_testing(source)):
        return f"{folder}/{room} does not know {folder}/{other}"
    return None


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
    if to_parts[1] == "testing":
        if not knows_testing(source):
            return f"{to_parts[0]}/testing is for tests"
    elif from_parts[0] == "pmem" and to_parts[0] == "engine" and to_parts[1] != "base":
        return "pmem knows engine's seams (engine/base) only"
    if from_parts[0] == to_parts[0] and from_parts[0] in ROOMS:
        return wrong_room(from_parts[0], source, target)
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
