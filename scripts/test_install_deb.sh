#!/bin/sh
# test_install_deb.sh PACKAGE.deb: installs the package on a bare Debian 12 without compilers, in a folder that is removed
# afterwards, and uses the command there as a user would. Prints times and megabytes. Needs root, debootstrap and a mirror of
# Debian, which is taken from this machine's apt. Exit codes: 0 good, 1 something does not work, 77 cannot be tested here.
set -eu

release=bookworm

fail() {
  echo "test_install_deb: $1" >&2
  exit "${2:-1}"
}

[ $# -eq 1 ] || fail "usage: test_install_deb.sh PACKAGE.deb" 2
package=$1
[ -f "$package" ] || fail "no package '$package' (make deb)" 2
[ "$(id -u)" -eq 0 ] || fail "needs root, for a chroot" 77
for tool in debootstrap apt-get unshare chroot; do
  command -v $tool >/dev/null 2>&1 || fail "$tool is not installed (apt-get install $tool)" 77
done
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
  sed -n "s/^$release main Debian //p" | head -n 1)
[ -n "$mirror" ] || fail "apt knows no mirror with Debian's $release (/etc/apt/sources.list, apt-get update)" 77

root=$(mktemp -d)
log=$(mktemp)
trap 'rm -rf --one-file-system "$root" "$log"' EXIT
trap 'exit 130' INT TERM

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
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
  inside --userspec=65534:65534 "$root" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user sh -c 'cd /home/user && "$@"' sh "$@"
}
kilobytes() { as_root dpkg-query -W -f '${Installed-Size}\n' | awk '{ sum += $1 } END { print sum }'; }
megabytes() { awk "BEGIN { printf \"%.1f MB\", $1 / 1000 / 1000 }"; }
seconds() { awk "BEGIN { printf \"%.1f s\", $1 / 1000 }"; }

start=$(milliseconds)
quietly "debootstrap failed" debootstrap --variant=minbase "$release" "$root" "$mirror"
chmod 755 "$root" # mktemp's folders are for root alone
mkdir -p "$root/home/user"
chown 65534:65534 "$root/home/user"
# What this machine's apt needs for its mirror, e.g. for a snapshot of Debian.
apt-config dump | grep '^Acquire::\(Check-Valid-Until\|https\?::Proxy\)' >"$root/etc/apt/apt.conf.d/90mirror" || true
for program in cc gcc g++ clang cmake python3; do
  ! as_root sh -c "command -v $program" >/dev/null || fail "$program is in what should be a bare system"
done
as_root apt-get clean # what is there afterwards was downloaded for the package
base=$(kilobytes)
echo "bare Debian $(cat "$root/etc/debian_version"): $(megabytes $((base * 1024))), made in $(seconds $(($(milliseconds) - start)))"

cp "$package" "$root/home/"
start=$(milliseconds)
quietly "apt-get update failed" as_root apt-get update
quietly "apt-get install failed" as_root apt-get install -y "/home/$(basename "$package")"
spent=$(($(milliseconds) - start))
for program in cc gcc g++ clang; do
  ! as_root sh -c "command -v $program" >/dev/null || fail "the package brings a compiler, $program"
done
downloaded=$(find "$root/var/cache/apt/archives" -name '*.deb' -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')
own=$(as_root dpkg-query -W -f '${Installed-Size}' stiction)
echo "package: $(megabytes "$(stat -c %s "$package")"), installed $(megabytes $((own * 1024)))"
echo "with what it depends on: $(megabytes "$downloaded") to download, $(megabytes $((($(kilobytes) - base) * 1024))) installed, $(as_root dpkg-query -W -f x | wc -c) packages in all"
echo "apt-get update and install: $(seconds $spent)"

examples=/usr/share/doc/stiction/examples
echo
as_user stiction doctor || fail "stiction doctor failed"
echo
# try COMMAND…: runs it as a user; its last line and its time are printed.
try() {
  start=$(milliseconds)
  quietly "$* failed" as_user "$@"
  echo "$(seconds $(($(milliseconds) - start)))  $*: $(grep -v '^ *$' "$log" | tail -n 1)"
}
try stiction --version
try stiction models
try stiction models lugre
try stiction reproduce scalar/fig03 --quick
try stiction simulate $examples/scenarios/lugre_stick_slip.toml
try stiction identify $examples/logs/steady_friction.csv --model stribeck
try stiction haptic peg-and-hole --duration 1
try bash -c 'source /usr/share/bash-completion/completions/stiction && COMP_WORDS=(stiction rep) COMP_CWORD=1 && _stiction && [ "${COMPREPLY[*]}" = reproduce ] && echo completed'
for file in /usr/share/man/man1/stiction.1.gz /usr/share/man/man1/stiction-identify.1.gz /usr/share/zsh/vendor-completions/_stiction \
  /usr/share/fish/vendor_completions.d/stiction.fish /usr/share/doc/stiction/copyright /usr/include/stiction/scalar/lugre.h; do
  [ -s "$root$file" ] || fail "$file is missing"
done
for file in report.html scalar/fig03/result.json model.toml; do
  [ -n "$(find "$root/home/user/out" -path "*/$file" -size +0)" ] || fail "out/$file was not written"
done
quietly "removing the package failed" as_root apt-get purge -y stiction
[ ! -e "$root/usr/bin/stiction" ] && [ ! -e "$root/usr/include/stiction" ] || fail "files are left after apt-get purge"
echo "removed without a trace"
