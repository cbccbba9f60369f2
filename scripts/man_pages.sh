#!/usr/bin/env bash
# Writes hdbench.1 and a page for each command from --help.
#
#   scripts/man_pages.sh HDBENCH DIRECTORY
#
# Needs help2man (packages.txt, "package").
set -euo pipefail
program=$(realpath "$1")
directory=$2
mkdir -p "$directory"
version=$("$program" --version | cut -d' ' -f2)

# page NAME SUMMARY PROGRAM-WITH-COMMAND
page() {
  help2man --no-info --section=1 --version-string="$version" --name="$2" \
    --output="$directory/$1.1" "$3"
}

page hdbench "what a memory tier is worth to a historical tick database" "$program"
"$program" flags | cut -f1 | uniq | while read -r command; do
  # What is before "Usage:", which may be wrapped.
  summary=$("$program" "$command" --help | sed '/^Usage:/,$d' | tr '\n' ' ')
  page "hdbench-$command" "${summary% }" "$program $command"
done
