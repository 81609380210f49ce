#!/bin/sh
# clang-tidy over our sources. `lint.sh REV` takes only the files changed since REV, and for a changed header one file that
# includes it; `lint.sh REV MOST` at most that many of them (each takes some 20 s), src/ and apps/ first.
set -eu
cd "$(dirname "$0")/.."
build=build/lint
cmake --preset lint >/dev/null

sources=$(git ls-files 'src/*.cpp' 'apps/*.cpp' 'bench/*.cpp' 'lab/*.cpp')
if [ $# -gt 0 ]; then
  wanted=""
  for file in $(git diff --name-only --diff-filter=d "$1" -- '*.h' '*.cpp'); do
    case "$file" in
      *.cpp) wanted="$wanted $(echo "$sources" | grep -Fx "$file" || true)" ;;
      *.h) wanted="$wanted $(grep -lF "${file#include/}" $sources | head -n 1 || true)" ;;
    esac
  done
  sources=$(echo $wanted | tr ' ' '\n' | sort -u)
  if [ $# -gt 1 ] && [ "$(echo "$sources" | wc -l)" -gt "$2" ]; then
    sources=$( (echo "$sources" | grep -v '^lab/' || true; echo "$sources" | grep '^lab/' || true) | head -n "$2")
    echo "lint: the first $2 of the changed files; make lint takes all"
  fi
fi
[ -n "$sources" ] || exit 0
# Options that only GCC knows are none of clang's business. The count of suppressed warnings goes to stderr and is of no
# use; findings go to stdout.
echo "$sources" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p $build --quiet --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-unused-command-line-argument 2>/dev/null
