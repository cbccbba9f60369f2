#!/usr/bin/env bash
# Builds as a packager does (no preset, CMAKE_BUILD_TYPE=Release) and tests: with each compiler of
# the list that is installed, and with the default one without each optional library. ./check
# --matrix runs it; an hour and more on two CPUs, less with ccache installed.
#
# Ends with a line a combination; status 1 where one fails.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# What an optional library serves.
hardware='^(pmem\.|bench\.|program\.(topo|placement|bad_input))'
out=build/matrix
mkdir -p "$out"
results=()
status=0

# combination NAME TESTS CMAKE-ARGUMENT...: TESTS is ctest's expression, which must find some.
combination() {
  local name=$1 tests=$2 log="$out/$1.log" passed
  shift 2
  if cmake -S . -B "$out/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 &&
    cmake --build "$out/$name" >>"$log" 2>&1 &&
    ctest --test-dir "$out/$name" -j2 --no-label-summary --no-tests=error -R "$tests" \
      </dev/null >>"$log" 2>&1; then
    passed=$(grep -o '[0-9]*% tests passed.*' "$log" | tail -n 1)
    results+=("$name: $passed")
    rm -rf "${out:?}/$name"
  else
    results+=("$name: FAILED, see $log")
    status=1
  fi
  printf '%s\n' "${results[-1]}"
}

common=()
command -v ccache >/dev/null && common+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
for compiler in g++-12 g++-13 clang++-19; do
  if command -v "$compiler" >/dev/null; then
    combination "$compiler" . "${common[@]}" -DCMAKE_CXX_COMPILER="$compiler"
  else
    results+=("$compiler: not installed, left out")
  fi
done
for library in HWLOC PMEM NDCTL; do
  combination "without-$library" "$hardware" "${common[@]}" "-DHDBENCH_WITH_$library=OFF"
done
printf '\nmatrix:\n'
printf '  %s\n' "${results[@]}"
exit "$status"
