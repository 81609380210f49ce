# For the installation tests, which source it: a bare Debian 12 without compilers, in the folder $root, that is removed at the
# end. Needs root, debootstrap and a mirror of Debian, which is taken from this machine's apt.
# Exit codes: 0 good, 1 something does not work, 2 wrong arguments, 77 cannot be tested here.
release=bookworm
name=${0##*/}
name=${name%.sh}

fail() {
  echo "$name: $1" >&2
  exit "${2:-1}"
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
megabytes() { awk "BEGIN { printf \"%.1f MB\", $1 / 1000 / 1000 }"; }
seconds() { awk "BEGIN { printf \"%.1f s\", $1 / 1000 }"; }
# quietly MESSAGE COMMAND…: its output is shown only if it fails.
quietly() {
  message=$1
  shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "$message"; }
}
# In the chroot, with mounts that nobody else sees.
inside() { unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$@"; }
as_root() { inside "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() {
  inside --userspec=65534:65534 "$root" env -i PATH=/home/user/env/bin:/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user sh -c 'cd /home/user && "$@"' sh "$@"
}
# try COMMAND…: runs it as a user; its last line and its time are printed.
try() {
  start=$(milliseconds)
  quietly "$* failed" as_user "$@"
  echo "$(seconds $(($(milliseconds) - start)))  $*: $(grep -v '^ *$' "$log" | tail -n 1)"
}
kilobytes() { as_root dpkg-query -W -f '${Installed-Size}\n' | awk '{ sum += $1 } END { print sum }'; }
no_compilers() {
  for program in cc gcc g++ clang cmake; do
    ! as_root sh -c "command -v $program" >/dev/null || fail "$program is in $1"
  done
}

check_tools() {
  [ "$(id -u)" -eq 0 ] || fail "needs root, for a chroot" 77
  for tool in debootstrap apt-get unshare chroot; do
    command -v $tool >/dev/null 2>&1 || fail "$tool is not installed (apt-get install $tool)" 77
  done
  mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    sed -n "s/^$release main Debian //p" | head -n 1)
  [ -n "$mirror" ] || fail "apt knows no mirror with Debian's $release (/etc/apt/sources.list, apt-get update)" 77
}

# make_bare_debian [PACKAGE,…]: with these packages, but not what they only recommend.
make_bare_debian() {
  root=$(mktemp -d)
  log=$(mktemp)
  trap 'rm -rf --one-file-system "$root" "$log"' EXIT
  trap 'exit 130' INT TERM
  start=$(milliseconds)
  quietly "debootstrap failed" debootstrap --variant=minbase ${1:+--include="$1"} "$release" "$root" "$mirror"
  chmod 755 "$root" # mktemp's folders are for root alone
  mkdir -p "$root/home/user"
  chown 65534:65534 "$root/home/user"
  # What this machine's apt needs for its mirror, e.g. for a snapshot of Debian.
  apt-config dump | grep '^Acquire::\(Check-Valid-Until\|https\?::Proxy\)' >"$root/etc/apt/apt.conf.d/90mirror" || true
  no_compilers "what should be a bare system"
  as_root apt-get clean # what is there afterwards was downloaded for the package
  base=$(kilobytes)
  echo "bare Debian $(cat "$root/etc/debian_version")${1:+ with $1}: $(megabytes $((base * 1024))), made in $(seconds $(($(milliseconds) - start)))"
}
