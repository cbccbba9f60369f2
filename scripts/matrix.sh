#!/usr/bin/env bash
# Builds as a packager does (no preset, CMAKE_BUILD_TYPE=Release) and tests: with each compiler of
# the list that is installed, with the first of these without each optional library, and once for
# names that are defined twice. ./check --matrix runs it; about an hour on two CPUs.
#
# Ends with a line a combination; status 1 where one fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# What an optional library serves.
hardware='^(pmem\.|bench\.|program\.(topo|placement|bad_input))'
libraries=(PMEM)
out=build/matrix
mkdir -p "$out"
results=()
status=0

# combination NAME DIRECTORY TESTS CMAKE-ARGUMENT...: TESTS is ctest's expression, which must find
# some. What the directory has from another combination is built anew where the arguments ask.
combination() {
  local name=$1 directory="$out/$2" tests=$3 log="$out/$1.log"
  shift 3
  if cmake -S . -B "$directory" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 &&
    cmake --build "$directory" >>"$log" 2>&1 &&
    ctest --test-dir "$directory" -j2 --no-label-summary --no-tests=error -R "$tests" \
      </dev/null >>"$log" 2>&1; then
    results+=("$name: $(grep -o '[0-9]*% tests passed.*' "$log" | tail -n 1)")
  else
    results+=("$name: FAILED, see $log")
    status=1
  fi
  printf '%s\n' "${results[-1]}"
}

first=
for compiler in g++-12 g++-13 clang++-19; do
  if command -v "$compiler" >/dev/null; then
    combination "$compiler" "$compiler" . -DCMAKE_CXX_COMPILER="$compiler"
    [ -n "$first" ] && rm -rf "${out:?}/$compiler"
    first=${first:-$compiler}
  else
    results+=("$compiler: not installed, left out")
  fi
done
first=${first:-default}
for library in "${libraries[@]}"; do
  options=()
  for other in "${libraries[@]}"; do
    options+=("-DHDBENCH_WITH_$other=$([ "$other" = "$library" ] && echo OFF || echo ON)")
  done
  combination "without-$library" "$first" "$hardware" "${options[@]}"
done
[ "$status" -eq 0 ] && rm -rf "${out:?}/$first"
# The linker sees the types of all sources together: a name that two of them define differently is
# an error.
if cmake -S . -B "$out/odr" -G Ninja -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -flto=auto -Wodr -Werror=odr" -DCMAKE_AR="$(command -v gcc-ar)" \
  -DCMAKE_RANLIB="$(command -v gcc-ranlib)" >"$out/odr.log" 2>&1 &&
  cmake --build "$out/odr" --target hdbench engine_test pmem_test >>"$out/odr.log" 2>&1; then
  results+=("one definition a name (link-time, -Wodr): none is defined twice")
  rm -rf "${out:?}/odr"
else
  results+=("one definition a name (link-time, -Wodr): FAILED, see $out/odr.log")
  status=1
fi
printf '\nmatrix:\n'
printf '  %s\n' "${results[@]}"
exit "$status"
