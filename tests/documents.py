"""Documents: the README's size, links that lead somewhere, cited documents that exist.

    documents.py ROOT

A citation is the name of an *.md file in a source, script, CMake file or document. With a folder
(docs/design.md) it is a path from the repository's root or from the citing file's folder; a bare
name (README.md) is a file of either. A name with YYYY is a pattern for names.
"""

import pathlib
import re
import subprocess
import sys

README_BYTES_MAX = 8192
SUFFIXES = {".cc", ".h", ".py", ".sh", ".cmake", ".txt", ".md", ".toml", ".q", ".json"}
SCRIPTS = {"quickstart", "check", "run", "against_fio"}
# Tests name files that do not exist: made ones, and those of sample databases.
IGNORED = re.compile(r"_test\.(cc|py)$|^tests/.*\.py$")
CITED = re.compile(r"(?<![\w/.*{$-])((?:[\w.-]+/)*[\w.-]*\w\.md)\b(?!\w)")
URL = re.compile(r"https?://\S+")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SHOWN = re.compile(r"\[[^\]]*\](?=\()")  # a link's text; its target is a citation
PATTERN = "YYYY"


def tracked(root):
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and (root / name).is_file()]


def is_looked_at(name):
    path = pathlib.PurePosixPath(name)
    return (path.suffix in SUFFIXES or path.name in SCRIPTS) and not IGNORED.search(name)


def places(root, name, target):
    return [root / target, (root / name).parent / target]


def missing_citations(root, name, text):
    for number, line in enumerate(text.splitlines(), 1):
        for target in CITED.findall(SHOWN.sub("", URL.sub("", line))):
            found = any(place.is_file() for place in places(root, name, target))
            if not found and PATTERN not in target:
                yield f"{name}:{number}: {target} is cited, and is no file of the repository"


def headings(text):
    """Anchors as GitHub makes them."""
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def broken_links(root, name, text):
    for number, line in enumerate(text.splitlines(), 1):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (root / name).parent / path if path else root / name
            if not file.exists():
                yield f"{name}:{number}: the link {target} leads nowhere"
            elif anchor and file.suffix == ".md":
                if anchor not in headings(file.read_text(encoding="utf-8")):
                    yield f"{name}:{number}: {target}: there is no such heading"


def complaints(root):
    size = (root / "README.md").stat().st_size
    if size > README_BYTES_MAX:
        yield f"README.md: {size} bytes, at most {README_BYTES_MAX}"
    for name in filter(is_looked_at, tracked(root)):
        text = (root / name).read_text(encoding="utf-8")
        yield from missing_citations(root, name, text)
        if name.endswith(".md"):
            yield from broken_links(root, name, text)


def main():
    found = list(complaints(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found + [f"{len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
