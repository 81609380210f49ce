#!/bin/sh
# Does the Debian package work on a bare Debian 12 without compilers? Makes such a system in a temporary folder, installs
# the package there with apt, runs the main commands, and prints times and megabytes. As root, with debootstrap:
#   scripts/test_install_deb.sh build/deb/stiction_<version>_amd64.deb
set -eu

fail() {
  echo "test_install_deb: $1" >&2
  exit 2
}
[ $# -eq 1 ] && [ -f "$1" ] || fail "give one .deb file; 'make deb' writes it"
[ "$(id -u)" -eq 0 ] || fail "must be run as root: it makes a system in a folder of its own"
command -v debootstrap >/dev/null || fail "needs debootstrap: apt-get install debootstrap"

# Packages come from where this machine gets its own, with the same settings.
release=bookworm
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | awk -v release=$release '$1 == release { print $2; exit }')
[ -n "$mirror" ] || fail "apt knows no repository of $release: run apt-get update"

root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
seconds() { date +%s.%N; }
megabytes() { du -sxm --exclude=proc "$root" | cut -f1; }
inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; fail "debootstrap failed (see above)"; }
rm -f "$root.log"
mount -t proc proc "$root/proc" 2>/dev/null || true # some programs ask it for the processor
rm -f "$root/etc/apt/sources.list"
cp -a /etc/apt/. "$root/etc/apt/"
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
inside apt-get update -qq >/dev/null || fail "apt-get update failed in the new system"
for tool in cc c++ g++ cmake python3; do
  inside sh -c "command -v $tool" >/dev/null && fail "$tool is in the bare system: nothing would be shown"
done

before=$(megabytes)
cp "$1" "$root/stiction.deb"
start=$(seconds)
inside apt-get install -y -qq --no-install-recommends /stiction.deb >/dev/null 2>&1 || fail "apt-get install of the package failed"
end=$(seconds)
inside rm /stiction.deb
inside apt-get clean
awk -v start="$start" -v end="$end" -v before="$before" -v after="$(megabytes)" -v size="$(stat -c %s "$1")" \
  'BEGIN { printf "package %.1f MB; installed with all it needs in %.1f s, %d MB more than the bare system\n", size / 1e6, end - start, after - before }'

run() {
  start=$(seconds)
  inside sh -c "cd /usr/share/doc/stiction && $*" >"$root/output" 2>&1 || { cat "$root/output" >&2; fail "$* failed (see above)"; }
  awk -v start="$start" -v end="$(seconds)" -v command="$*" 'BEGIN { printf "%6.1f s  %s\n", end - start, command }'
}
run stiction doctor
run stiction models lugre
run stiction simulate examples/scenarios/lugre_stick_slip.toml --out /tmp/out
run stiction identify examples/logs/steady_friction.csv --model stribeck --out /tmp/out
run stiction haptic peg-and-hole --duration 1 --no-pictures --out /tmp/out
run stiction reproduce scalar/fig03 --quick --out /tmp/out
run test -s /tmp/out/scalar/fig03/result.json -a -s /tmp/out/report.html
run test -s /usr/share/man/man1/stiction.1.gz -a -s /usr/share/bash-completion/completions/stiction
for tool in cc c++ g++ cmake; do
  inside sh -c "command -v $tool" >/dev/null && fail "the package brings $tool with it"
done
echo "the package works on a bare Debian 12"
