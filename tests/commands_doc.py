"""docs/commands.md and --help name the same commands and flags, both ways. Help fits 80 columns and
gives examples whose flags exist.

    commands_doc.py HDBENCH
"""

import pathlib
import re
import sys

import program

DOCUMENT = pathlib.Path(__file__).resolve().parents[1] / "docs" / "commands.md"
EVERYWHERE = {"-h", "--help"}
LONG = re.compile(r"--[a-z][a-z_-]*")
NAME = re.compile(r"--?[A-Za-z][A-Za-z_-]*")


def commands_of(text):
    """The names below "Subcommands:"."""
    listed = text.split("Subcommands:", 1)[1]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def flags_of_help(text):
    """Names of flags and arguments: lines "  -s,--threads WORD=all   about", "  DB DIR   about"."""
    found = set()
    for line in text.splitlines():
        entry = re.match(r"  (\S.*?)(?:  |$)", line)
        if not entry or line.startswith("   "):
            continue
        first = entry.group(1).split()[0]
        found |= set(first.split(",")) if first.startswith("-") else {first}
    return (found | set(re.findall(r"--benchmark_[a-z_]+", text))) - EVERYWHERE


def flags_of_document(text, commands):
    """By command, what the lists' items under its headings begin with: "- `-s`, `--threads`"."""
    found = {command: set() for command in commands}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading = section.split("\n", 1)[0].split(":")[0]
        about = [word for word in heading.split(", ") if word in found]
        for item in re.findall(r"^- (`[^`]+`(?:, `[^`]+`)*)(?: \(|:)", section, re.MULTILINE):
            for quoted in re.findall(r"`([^`]+)`", item):
                name = NAME.match(quoted)
                for command in about:
                    found[command].add(name.group() if name else quoted.split()[0])
    return found


def complaints_of_help(command, text):
    """Lines that are too long, and examples that are few or wrong."""
    name = command or "hdbench"
    for line in text.splitlines():
        if len(line) > 80 and len(line.split()) > 1:
            yield f"{name}: a line of --help is {len(line)} long: {line}"
    shown, _, after = text.partition("Examples:\n")
    examples = [line for line in after.splitlines() if line.startswith("    hdbench ")]
    if len(examples) < 3:
        yield f"{name}: --help has {len(examples)} examples, not three"
    if command:
        own = re.sub(r"mpirun .*? hdbench", "hdbench", after)
        for flag in set(LONG.findall(own)) - set(LONG.findall(shown)):
            yield f"{name}: an example has {flag}, and --help has not"


def complaints(helps, text):
    """`helps` is {command: what its --help prints}, "" the program's own."""
    written = flags_of_document(text, [command for command in helps if command])
    known = {name for said in helps.values() for name in LONG.findall(said)}
    for command, flags in written.items():
        offered = flags_of_help(helps[command])
        for name in sorted(offered - flags):
            yield f"{command}: {name} is in --help, not in docs/commands.md"
        for name in sorted(flags - offered):
            yield f"{command}: {name} is in docs/commands.md, not in --help"
    for name in sorted(set(LONG.findall(text)) - known):
        yield f"{name} is in docs/commands.md, and no command has it"
    for command in written:
        if not re.search(rf"^## {command}$", text, re.MULTILINE):
            yield f"{command}: has no heading in docs/commands.md"
    for heading in re.findall(r"^\| \[([a-z]+)\]\(#", text, re.MULTILINE):
        if heading not in written:
            yield f"{heading}: docs/commands.md lists it, and there is no such command"


def main():
    binary = pathlib.Path(sys.argv[1])
    own = program.run(binary, "--help").out.decode()
    helps = {"": own}
    for command in commands_of(own):
        helps[command] = program.run(binary, command, "--help").out.decode()
    found = list(complaints(helps, DOCUMENT.read_text(encoding="utf-8")))
    for command, text in helps.items():
        found += complaints_of_help(command, text)
    print("\n".join(found + [f"{len(helps) - 1} commands, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
