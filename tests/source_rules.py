"""Rules for sources: their size, the size of folders, and no measurements in comments.

    source_rules.py ROOT

A file has at most 600 lines of at most 100 columns, a folder at most 60 files. Comments of C++
sources hold no rates, ratios, percentages or names of CPUs: such figures depend on a machine and a
day; they belong in docs/measurements. Text in quotes or backticks (examples of output) and tests
(made-up figures) do not count. What a comment may say is listed in ALLOWED with the reason; an
entry that no source needs is a complaint. Sources of a layer are compiled together, so that types,
constants and functions of their unnamed namespaces have names of their own in it: a call could mean
another source's function. For the same reason none is named as a function of std:: that takes
anything.
"""

import collections
import pathlib
import re
import subprocess
import sys

LINES_MAX = 600
COLUMNS_MAX = 100
FILES_MAX = 60
SUFFIXES = {".cc", ".h", ".py", ".sh", ".cmake"}
SCRIPTS = {"quickstart", "check", "run", "against_fio", "truth", "CMakeLists.txt"}

# Not within a power, a date or an identifier.
NUMBER = r"(?<![\w.^])(?:\d[\d.,]*\d|\d)"
FIGURES = {
    "a rate": re.compile(
        rf"{NUMBER} ?(?:[kMGT]i?B|bytes)(?:/s| (?:a|per) second)"
        rf"|{NUMBER} ?(?:ns|us|ms) (?:a|per) (?:row|line|value|element|morsel|query)\b"
    ),
    "a ratio": re.compile(
        rf"{NUMBER} times (?:as|slower|faster|longer|shorter|quicker)\b"
        rf"|{NUMBER}(?<!\b0)x\b"
        r"|(?<![\w.])\d+\.\d+ to \d+\.\d+(?![\w.]*\d)"
    ),
    "a percentage": re.compile(rf"{NUMBER} ?%|{NUMBER} per ?cent\b|\b(?:some|tens of) per cent\b"),
    "a measured time": re.compile(
        rf"\b(?:took|takes?) (?:about |some )?{NUMBER} ?(?:ns|us|ms|s)\b"
    ),
    "a CPU's name": re.compile(
        r"\bZen ?\d?\b|\bSkylake\b|\b(?:Ice|Cascade|Cooper) Lake\b"
        r"|\b(?:Sapphire|Emerald|Granite) Rapids\b|\b(?:Redwood|Golden|Sunny) Cove\b"
        r"|\bEPYC\b|\bXeon\b|\bGraviton\d?\b|\bNeoverse\b"
    ),
}

# (file's name, what the comment says there, why it holds on every machine)
ALLOWED = [
    ("answers.h", "at least 60 % less time", "the study's own aim"),
    ("bootstrap.cc", "Student's t at 97.5 %", "a quantile"),
    ("bootstrap.h", "94 % of what a repeated", "a property of the estimator"),
    ("cache_state.h", "more than 0.1 % stays resident", "the limit of the check"),
    ("cache_state.h", "than 99.9 % is then resident", "the limit of the check"),
    ("column_file.cc", "kdb+ 3.0 to 3.5", "versions"),
    ("comparison.h", "more than 1.05 times as long", "what the threshold means"),
    ("process_group.h", "right within 0.8 %", "the width of a bin"),
    ("other_load.h", "less than 5 % of either", "the threshold of the check"),
    ("preflight.h", "more than 5 % of the CPUs", "the threshold of the check"),
    ("repetition_rule.h", "0.05 is +-5 %", "the unit"),
    ("emulator_known_answers.cc", "17 MB at 1.3 GB/s", "the made-up disk of the experiment"),
]

# Comments, and what could be taken for the begin of one.
TOKENS = re.compile(
    r'R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|\b\d[\w.']*"
    r"|'(?:\\.|[^'\\\n])*'"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)",
    re.DOTALL,
)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`')


def comments(text):
    """(line, text) of each comment; lines of `//` right below each other are one."""
    found = []
    for token in TOKENS.finditer(text):
        body = token.group("line") or token.group("block")
        if body is None:
            continue
        line = text.count("\n", 0, token.start()) + 1
        last = line + body.count("\n")
        words = " ".join(body.strip("/*").split())
        before = text[text.rfind("\n", 0, token.start()) + 1 : token.start()]
        if found and found[-1][1] == line - 1 and not before.strip():
            found[-1] = (found[-1][0], last, f"{found[-1][2]} {words}".strip())
        else:
            found.append((line, last, words))
    return [(line, words) for line, _, words in found]


def figures(comment):
    """(what it is, the figure) for each in a comment."""
    bare = QUOTED.sub('""', comment)
    return [
        (kind, match.group(0))
        for kind, pattern in FIGURES.items()
        for match in pattern.finditer(bare)
    ]


def complaints(name, text, allowed, used):
    """What is wrong with a source; `used` collects the entries of `allowed` that it needed."""
    base = name.rsplit("/", 1)[-1]
    mine = [entry for entry in allowed if entry[0] == base]
    for line, comment in comments(text):
        rest = comment
        for entry in mine:
            if entry[1] in rest and figures(entry[1]):
                used.add(entry)
                rest = rest.replace(entry[1], "")
        for kind, figure in figures(rest):
            yield f"{name}:{line}: {kind} in a comment: {figure}"


def is_judged(name):
    return name.endswith((".cc", ".h")) and not name.endswith("_test.cc")


def too_large(name, text):
    lines = text.splitlines()
    if len(lines) > LINES_MAX:
        yield f"{name}: {len(lines)} lines, at most {LINES_MAX}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            yield f"{name}:{number}: {len(line)} columns, at most {COLUMNS_MAX}"


def full_folders(names):
    folders = collections.Counter(str(pathlib.PurePosixPath(name).parent) for name in names)
    for folder, files in sorted(folders.items()):
        if files > FILES_MAX:
            yield f"{folder}: {files} files, at most {FILES_MAX}"


UNNAMED = re.compile(r"^namespace \{\n(.*?)\n\}  // namespace$", re.DOTALL | re.MULTILINE)
OWN_NAME = re.compile(
    r"^(?:(?:struct|class|enum class|enum) (?!alignas)(\w+)\b(?!;)"
    r"|(using \w+ = [^;]*);"
    r"|(?:const|constexpr) [^({=;]*?\b(k[A-Z]\w*)\b"
    r"|(?!return|else|using|typedef|struct|class|enum)[A-Za-z_][\w:<>,&*\[\] ]*?[ &*](\w+)\()",
    re.MULTILINE,
)


# Templates of the standard library that take anything: a call with an argument of std:: finds them,
# and they win over a function of ours whose parameters need a conversion.
STD_TAKES_ANYTHING = {
    "apply", "bind", "bind_front", "cref", "exchange", "forward", "invoke", "move", "ref", "swap",
    "visit",
}

LAYER = re.compile(r"(?:engine|queries|datagen|pmem|bench)/(?!.*testing/).*\.cc$")


def own_names(text):
    """{name: what it stands for} of the types, constants and functions that a source has for
    itself; "": its own. Two sources may have the same other name for a type."""
    found = {}
    for unnamed in UNNAMED.findall(text):
        for match in OWN_NAME.finditer(unnamed):
            name = match.group(match.lastindex)
            alias = name.startswith("using ")
            found[name.split()[1] if alias else name] = " ".join(name.split()) if alias else ""
    return found


def ambiguous_names(sources):
    """Of {path: text}: a source's own names that a call could take for something else's."""
    owner = {}
    for path, text in sorted(sources.items()):
        for name, meaning in sorted(own_names(text).items()):
            if name in STD_TAKES_ANYTHING:
                yield f"{path}: {name}: a call can mean std::{name}; choose another name"
            first, its_meaning = owner.setdefault((path.split("/")[0], name), (path, meaning))
            if first != path and not meaning == its_meaning != "":
                yield f"{path}: {name}, which {first} has, too: their layer is compiled together"


def is_source(path):
    return path.suffix in SUFFIXES or path.name in SCRIPTS


def main():
    root = pathlib.Path(sys.argv[1])
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = [name for name in sorted(set(listed.split("\0"))) if (root / name).is_file()]
    used, found, sources = set(), list(full_folders(names)), {}
    for name in filter(lambda name: is_source(pathlib.Path(name)), names):
        text = (root / name).read_text(encoding="utf-8")
        found += too_large(name, text)
        if is_judged(name):
            found += complaints(name, text, ALLOWED, used)
        if LAYER.match(name) and is_judged(name):
            sources[name] = text
    found += ambiguous_names(sources)
    for entry in ALLOWED:
        if entry not in used:
            found.append(f"source_rules.py: nothing needs ALLOWED's {entry[0]}: {entry[1]}")
    print("\n".join(found + [f"{len(names)} files, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
