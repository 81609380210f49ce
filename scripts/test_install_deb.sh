#!/bin/sh
# test_install_deb.sh PACKAGE.deb: installs the package on a bare Debian 12 without compilers, in a folder that is removed
# afterwards, and uses the command there as a user would. Prints times and megabytes. Needs and exit codes: bare_debian.sh.
set -eu
. "${0%/*}/bare_debian.sh"

[ $# -eq 1 ] || fail "usage: test_install_deb.sh PACKAGE.deb" 2
package=$1
[ -f "$package" ] || fail "no package '$package' (make deb)" 2
check_tools
make_bare_debian
! as_root sh -c "command -v python3" >/dev/null || fail "python3 is in what should be a bare system"

cp "$package" "$root/home/"
start=$(milliseconds)
quietly "apt-get update failed" as_root apt-get update
quietly "apt-get install failed" as_root apt-get install -y "/home/$(basename "$package")"
spent=$(($(milliseconds) - start))
no_compilers "what the package brings"
downloaded=$(find "$root/var/cache/apt/archives" -name '*.deb' -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')
own=$(as_root dpkg-query -W -f '${Installed-Size}' stiction)
echo "package: $(megabytes "$(stat -c %s "$package")"), installed $(megabytes $((own * 1024)))"
echo "with what it depends on: $(megabytes "$downloaded") to download, $(megabytes $((($(kilobytes) - base) * 1024))) installed, $(as_root dpkg-query -W -f x | wc -c) packages in all"
echo "apt-get update and install: $(seconds $spent)"

examples=/usr/share/doc/stiction/examples
echo
as_user stiction doctor || fail "stiction doctor failed"
echo
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
