#!/bin/sh
# test_wheels.sh WHEEL…: the Python tests on each wheel, installed into a new virtual environment with the oldest NumPy
# (that pyproject.toml allows) and the newest one that its interpreter can have, and with what is optional. Needs python3.N on the PATH for a wheel of
# cp3N, and a package index. One line for each environment; exit codes: 0 good, 1 a test failed, 77 nothing could be tested.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
log=$folder/log

fail() {
  echo "test_wheels: $1" >&2
  exit "${2:-1}"
}
# The best of five, in milliseconds of processor time, of importing a module in a new process.
import_time() {
  for i in 1 2 3 4 5; do
    "$env/bin/python" -c "import time; start = time.process_time(); import $1; print(round(1e3 * (time.process_time() - start)))"
  done | sort -n | head -n 1
}

# Not the tests of stubs: their texts are those of Debian's pybind11.
tests=$(ls "$source"/tests/python/test_*.py | grep -v test_stubs.py)
reference=$source/build/release/tests/python/python_reference # numbers of C++, where they were built
[ ! -x "$reference" ] || export STICTION_REFERENCE="$reference"
minimum=$(sed -n 's/^dependencies = .*"numpy>=\([0-9.]*\)".*/\1/p' "$source/pyproject.toml")
tested=0
for wheel in "$@"; do
  python=$(expr "$wheel" : '.*-cp3\([0-9]*\)-cp3.*\.whl$') || fail "'$wheel' is not a wheel of CPython 3" 2
  python=python3.$python
  env=$folder/env
  if ! "$python" -m venv --clear "$env" >/dev/null 2>&1; then
    echo "${wheel##*/}: not tested, there is no $python that makes virtual environments"
    continue
  fi
  pip="$env/bin/pip --disable-pip-version-check"
  # `pip index versions` also lists what has no wheel; this complaint does not.
  versions=$($pip install --only-binary :all: 'numpy==0' 2>&1 | tee "$log" | sed -n 's/.*(from versions: \(.*\)).*/\1/p' | tr -d ' ' | tr ',' '\n' | grep -v '[a-z]' | sort -V)
  [ -n "$versions" ] || fail "the package index gave no versions of NumPy: $(tail -n 1 "$log")" 77
  oldest=$(printf '%s\n%s\n' "$minimum" "$versions" | sort -V | sed "0,/^$minimum\$/d" | head -n 1)
  newest=$(echo "$versions" | tail -n 1)
  for numpy in "$oldest" "$newest"; do
    "$python" -m venv --clear "$env"
    $pip install --quiet --only-binary :all: "$wheel[plot,mujoco]" "numpy==$numpy" pytest >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "pip install failed"; }
    status=0
    (cd "$folder" && STICTION_SOURCE=$source STICTION_CLI=$env/bin/stiction XDG_CACHE_HOME=$folder/cache \
      "$env/bin/python" -B -m pytest -q -rs -p no:cacheprovider $tests) >"$log" 2>&1 || status=$?
    [ $status -eq 0 ] || { cat "$log" >&2; fail "tests fail with $("$python" --version) and NumPy $numpy"; }
    echo "$("$env/bin/python" --version), NumPy $numpy: $(tail -n 1 "$log"); import $(import_time stiction) ms, of which NumPy $(import_time numpy) ms"
    # SKIPPED [count] file:line: reason
    awk '/^SKIPPED/ { count = $2; gsub(/[][]/, "", count); sub(/^[^:]*:[0-9]+: /, ""); sum[$0] += count }
         END { for (reason in sum) print "  " sum[reason] " skipped: " reason }' "$log" | sort
    tested=$((tested + 1))
  done
done
[ $tested -gt 0 ] || exit 77
