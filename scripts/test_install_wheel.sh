#!/bin/sh
# test_install_wheel.sh WHEEL NUMPY_WHEEL: installs both for Debian's Python on a bare Debian 12 without compilers, in a folder
# that is removed afterwards, and uses the package and the command there as a user would: without root, in a virtual
# environment. Prints times and megabytes. Needs and exit codes: bare_debian.sh.
set -eu
. "${0%/*}/bare_debian.sh"

[ $# -eq 2 ] || fail "usage: test_install_wheel.sh WHEEL NUMPY_WHEEL" 2
for file in "$@"; do
  [ -f "$file" ] || fail "no wheel '$file' (make wheel)" 2
done
check_tools
make_bare_debian python3-venv

source=${0%/*}/..
wheel=$1
mkdir "$root/home/wheels"
cp "$@" "$root/home/wheels"
cp -R "$source/examples" "$root/home/user"

start=$(milliseconds)
quietly "python3 -m venv failed" as_user python3 -m venv env
echo "virtual environment of Python $(as_user python3 -c 'import platform; print(platform.python_version())'): $(seconds $(($(milliseconds) - start)))"
start=$(milliseconds)
quietly "pip install failed" as_user pip install --no-index --find-links /home/wheels stiction
spent=$(($(milliseconds) - start))
packages=$(as_user python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "wheel: $(megabytes "$(stat -c %s "$wheel")"), installed $(megabytes "$(as_user sh -c "du -sbc $packages/stiction*" | tail -n 1 | cut -f 1)")"
echo "pip install, with NumPy: $(seconds $spent)"

# The best of five, in seconds, of importing a module in a new process.
import_time() {
  for i in 1 2 3 4 5; do
    as_user python -c "import time; start = time.perf_counter(); import $1; print(f'{time.perf_counter() - start:.3f}')"
  done | sort -n | head -n 1
}
echo "import: NumPy $(import_time numpy) s, stiction with NumPy $(import_time stiction) s"

echo
as_user stiction doctor || fail "stiction doctor failed"
echo
for example in "$source"/examples/0*.py; do
  try python "examples/${example##*/}"
done
try stiction --version
try stiction models lugre
try stiction reproduce scalar/fig03 --quick
try stiction simulate examples/scenarios/lugre_stick_slip.toml
try stiction identify examples/logs/steady_friction.csv --model stribeck
try stiction haptic peg-and-hole --duration 1
for file in report.html scalar/fig03/result.json model.toml; do
  [ -n "$(find "$root/home/user/out" -path "*/$file" -size +0)" ] || fail "out/$file was not written"
done

# What needs another package says so, in one line.
for module in plot mujoco; do
  ! as_user python -c "import stiction.$module" >"$log" 2>&1 || fail "stiction.$module can be imported without what it needs"
  tail -n 1 "$log" | grep "^ImportError: stiction.$module needs .*pip install" || fail "stiction.$module does not say what it needs"
done
[ ! -e "$root/usr/lib/x86_64-linux-gnu/libopenvdb.so.10.0" ] || fail "the system has libraries that the wheel should bring"

quietly "pip uninstall failed" as_user pip uninstall -y stiction
[ -z "$(find "$root/home/user/env" -name 'stiction*')" ] || fail "files are left after pip uninstall"
echo "removed without a trace"
