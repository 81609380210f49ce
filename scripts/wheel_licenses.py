#!/usr/bin/env python3
"""Adds to a wheel, before auditwheel repairs it, the licences of the Debian packages whose code will be in it.

    wheel_licenses.py WHEEL

Those of shared libraries are found by what the extension is linked with. auditwheel writes the list of files anew.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

# Linked statically, or headers alone.
COMPILED_IN = ["libceres-dev", "libeigen3-dev", "libcli11-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "libboost-dev"]
# What auditwheel leaves to the system.
SYSTEM = {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}


def packages(extension):
    """The Debian packages of the libraries that an extension loads."""
    said = subprocess.run(["ldd", extension], check=True, capture_output=True, text=True).stdout
    if "not found" in said:
        sys.exit(f"wheel_licenses: a library is missing:\n{said}")
    paths = [str(pathlib.Path(line.split()[2]).resolve()) for line in said.splitlines() if "=> /" in line]
    # Debian knows some files of /usr/lib by their old names in /lib.
    search = ["dpkg-query", "--search", *paths, *(path.removeprefix("/usr") for path in paths)]
    lines = subprocess.run(search, capture_output=True, text=True).stdout.splitlines()
    owners = {line.split(": ")[1].removeprefix("/usr"): line.split(":")[0] for line in lines}
    strangers = [path for path in paths if path.removeprefix("/usr") not in owners]
    if strangers:
        sys.exit(f"wheel_licenses: of no Debian package: {', '.join(strangers)}")
    return set(owners.values()) - SYSTEM


def main(wheel):
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel, "a") as archive:
        extension = next(name for name in archive.namelist() if name.endswith(".so"))
        info = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA")).rpartition("/")[0]
        for package in sorted(packages(archive.extract(extension, folder)) | set(COMPILED_IN)):
            archive.write(f"/usr/share/doc/{package}/copyright", f"{info}/licenses/libraries/{package}.txt")


if __name__ == "__main__":
    main(sys.argv[1])
