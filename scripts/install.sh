# shellcheck shell=bash
# Sourced by quickstart, check and bench/peers/run: Debian packages from packages.txt, and Python
# environments.
#
# Sets `root`, the repository's directory. The caller runs under `set -euo pipefail`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Packages under the heading `# $1:` of packages.txt.
packages_of() {
  awk -v heading="# $1:" '
    /^#/ { inside = index($0, heading) == 1; next }
    NF && inside { print $1 }' "$root/packages.txt"
}

# Those of the packages given that are not installed.
missing_of() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
}

# apt-get as root, never asking anything.
apt_get() {
  local become=()
  [ "$(id -u)" -eq 0 ] || become=(sudo -n)
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >&2
}

can_install() {
  [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

# install_packages required [check ...]: installs what is missing of these headings, and what it can
# of the optional ones. Ends the script, with the command that would help, where a package that is
# needed cannot be had.
install_packages() {
  local heading needed=() optional=()
  for heading in "$@"; do
    mapfile -t -O "${#needed[@]}" needed < <(packages_of "$heading")
  done
  mapfile -t optional < <(packages_of optional)
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "note: this is not a Debian-like system: packages.txt is not looked at." >&2
    echo "      Needed are your system's packages for: ${needed[*]}" >&2
    return 0
  fi
  mapfile -t needed < <(missing_of "${needed[@]}")
  mapfile -t optional < <(missing_of "${optional[@]}")
  local missing=("${needed[@]}" "${optional[@]}")
  if [ ${#missing[@]} -eq 0 ]; then
    return 0
  fi
  if ! can_install; then
    local command="sudo apt-get install -y --no-install-recommends ${missing[*]}"
    if [ ${#needed[@]} -gt 0 ]; then
      echo "error: packages are missing, and installing needs root. Run this, then try again:" >&2
      echo "  $command" >&2
      exit 1
    fi
    echo "note: what these serve is reported as absent without them. To have it:" >&2
    echo "  $command" >&2
    return 0
  fi
  echo "installing packages: ${missing[*]}" >&2
  apt_get -qq update || echo "note: apt-get update failed; trying with the lists at hand" >&2
  if [ ${#needed[@]} -gt 0 ] &&
    ! apt_get -qq install -y --no-install-recommends "${needed[@]}"; then
    echo "error: apt-get could not install: ${needed[*]}" >&2
    exit 1
  fi
  local package
  for package in "${optional[@]}"; do
    apt_get -qq install -y --no-install-recommends "$package" ||
      echo "note: $package could not be installed; what it serves is reported as absent" >&2
  done
}

# install_wanted HEADING: installs what is missing of it, or says why not; never ends the script.
install_wanted() {
  local missing=()
  mapfile -t missing < <(packages_of "$1")
  command -v dpkg-query >/dev/null && mapfile -t missing < <(missing_of "${missing[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! can_install || ! command -v apt-get >/dev/null; then
    echo "note: not installed (that needs apt-get and root): ${missing[*]}" >&2
    return 0
  fi
  echo "installing packages: ${missing[*]}" >&2
  apt_get -qq update || true
  apt_get -qq install -y --no-install-recommends "${missing[@]}" ||
    echo "note: apt-get could not install: ${missing[*]}" >&2
}

# install_venv DIRECTORY REQUIREMENTS: a Python environment with what the file pins. Fails, having
# said why, where it cannot be made.
install_venv() {
  local venv=$1 requirements=$2 python
  if cmp -s "$requirements" "$venv/installed.txt" &&
    "$venv/bin/python" -c '' 2>/dev/null; then
    return 0
  fi
  echo "making the Python environment ${venv#"$root"/}" >&2
  mkdir -p "$(dirname "$venv")"
  for python in python3 /usr/bin/python3; do
    rm -rf "$venv"
    if "$python" -m venv "$venv" >&2 &&
      "$venv/bin/pip" install --quiet --disable-pip-version-check --no-input --no-compile \
        -r "$requirements" </dev/null >&2; then
      cp "$requirements" "$venv/installed.txt"
      return 0
    fi
  done
  rm -rf "$venv"
  echo "error: no Python environment with what ${requirements#"$root"/} pins could be made" >&2
  return 1
}

# The tests' environment.
install_python() {
  install_venv "$root/.venv" "$root/requirements.txt"
}
