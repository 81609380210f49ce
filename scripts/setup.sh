#!/bin/sh
# Installs the Debian packages that Stiction is built, run and tested with. Silent when all are there. With --fuzz also
# those of `make fuzz`, with --deb those of `make deb`, with --docs those of `make docs` and of the tests that look at pages in a browser.
set -eu

packages="
  g++ cmake ninja-build ccache git
  libsundials-dev libceres-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev libpng-dev gnuplot-nox
  libopenvdb-dev libboost-dev libtbb-dev libmatio-dev
  libeigen3-dev libgtest-dev libgmock-dev librapidcheck-dev libmujoco-dev coinor-libclp-dev
  pybind11-dev python3-dev python3-numpy python3-pytest python3-matplotlib
  clang-format clang-tidy python3
"
fuzz_packages="clang libclang-rt-14-dev libomp-14-dev"
deb_packages="dpkg-dev file"
docs_packages="python3-sphinx furo python3-myst-parser doxygen libjs-katex fonts-katex chromium fonts-dejavu-core"
[ "${1:-}" != "--fuzz" ] || packages="$packages $fuzz_packages"
[ "${1:-}" != "--deb" ] || packages="$packages $deb_packages"
[ "${1:-}" != "--docs" ] || packages="$packages $docs_packages"

fail() {
  echo "setup: $1" >&2
  exit 1
}

command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1 ||
  fail "this is not a Debian system; install the equivalents of:$(echo $packages | sed 's/^/ /')"

missing=""
for package in $packages; do
  case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  fail "not root and no sudo; have an administrator run: apt-get install$missing"
fi
echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
  >"$log" 2>&1 || { cat "$log" >&2; fail "apt-get failed (see above); packages wanted:$missing"; }
