# Completion of hdbench for bash: commands, their flags, and paths where a flag takes one. The
# program itself is asked (`hdbench flags`), so nothing here changes when a flag is added.
# shellcheck shell=bash

_hdbench() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local flags
  flags=$("${COMP_WORDS[0]}" flags 2>/dev/null) || return 0
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(cut -f1 <<<"$flags" | uniq) --help --version" -- "$word")
  elif [[ $word == -* ]]; then
    # One line a flag: command, names, value, what it does with a path.
    mapfile -t COMPREPLY < <(compgen -W "$(awk -F'\t' -v command="$command" \
      '$1 == command && $2 ~ /^-/ { gsub(",", " ", $2); print $2 }' <<<"$flags")" -- "$word")
  elif [[ $before != -* ]] || awk -F'\t' -v command="$command" -v flag="$before" '
      $1 == command && $4 != "" && index("," $2 ",", "," flag ",") { found = 1 }
      END { exit !found }' <<<"$flags"; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _hdbench hdbench
