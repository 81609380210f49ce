#!/usr/bin/env python3
"""Is a wheel, or an sdist, what it should be: small enough, complete, and free of what has no place in it? Prints its megabytes.

    check_wheel.py FILE…
"""

import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(r'STICTION_VERSION "([^"]+)"', (ROOT / "include/stiction/version.h").read_text())[1]
MAX_MEGABYTES = {"wheel": 25, "sdist": 3}
# What any Linux has by the manylinux rules.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "ld-linux-x86-64.so.2"}
# Allocators that would replace Python's, programs that are only baselines, libraries under the GPL, and what is large.
UNWANTED = ["jemalloc", "tbbmalloc", "tcmalloc", "Clp", "mujoco", "cholmod", "spqr", "cxsparse", "lapack", "blas", "atlas", "gfortran"]
NEEDED_SOURCES = ["CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "cmake/stiction_target.cmake", "python/CMakeLists.txt",
                  "python/stiction/__init__.py", "include/stiction/version.h", "lab/report.css", "tests/data/id_A_sweep.csv", "examples/01_joint_with_lugre.py"]


def fail(path, message):
    sys.exit(f"check_wheel: {path.name}: {message}")


def libraries_wanted(library):
    said = subprocess.run(["readelf", "--dynamic", "--wide", library], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", said)


def check_wheel(path):
    if not re.fullmatch(rf"stiction-{re.escape(VERSION)}-(cp3\d+)-\1-manylinux_2_\d+_x86_64\.whl", path.name):
        fail(path, f"the name is not that of a manylinux wheel of version {VERSION}")
    with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(path) as archive:
        folder = pathlib.Path(name)
        archive.extractall(folder)
        files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
        info = f"stiction-{VERSION}.dist-info"
        package = ROOT / "python"
        wanted = {str(file.relative_to(package)) for file in package.glob("stiction/**/*") if file.suffix in (".py", ".pyi", ".typed")}
        wanted |= {f"{info}/METADATA", f"{info}/entry_points.txt", f"{info}/licenses/LICENSE"}
        if wanted - files:
            fail(path, f"without {', '.join(sorted(wanted - files))}")
        extensions = {file for file in files if re.fullmatch(r"stiction/_core\.cpython-[\w-]+\.so", file)}
        libraries = {file for file in files if file.startswith("stiction.libs/")}
        other = {file for file in files - wanted - extensions - libraries if not file.startswith(f"{info}/")}
        if len(extensions) != 1 or other:
            fail(path, f"has the extensions {sorted(extensions)} and files that belong nowhere: {sorted(other)}")
        brought = {pathlib.Path(file).name for file in libraries}
        for library in sorted(brought):
            if any(word.lower() in library.lower() for word in UNWANTED):
                fail(path, f"brings {library}")
        for file in extensions | libraries:
            for library in libraries_wanted(folder / file):
                if library not in brought | SYSTEM:
                    fail(path, f"{file} needs {library}, which it does not bring")
        licenses = [file for file in files if file.startswith(f"{info}/licenses/libraries/")]
        if len(licenses) < len(libraries) / 2:  # some packages have two libraries
            fail(path, f"has {len(libraries)} libraries and {len(licenses)} licences")
        largest = sorted(extensions | libraries, key=lambda file: -archive.getinfo(file).compress_size)[:3]
        parts = ", ".join(f"{pathlib.Path(file).name.split('-')[0].split('.')[0]} {archive.getinfo(file).compress_size / 1e6:.1f}" for file in largest)
        installed = sum(item.file_size for item in archive.infolist()) / 1e6
        return f"{installed:.1f} MB installed, {len(libraries)} libraries; largest, in MB: {parts}"


def check_sdist(path):
    top = f"stiction-{VERSION}"
    if path.name != f"{top}.tar.gz":
        fail(path, f"the name is not that of an sdist of version {VERSION}")
    with tarfile.open(path) as archive:
        files = {item.name.removeprefix(f"{top}/") for item in archive.getmembers() if item.isfile()}
    missing = [name for name in NEEDED_SOURCES if name not in files]
    if missing:
        fail(path, f"without {', '.join(missing)}")
    junk = [name for name in sorted(files) if re.search(r"(^|/)(\.|build/|out/|__pycache__)", name)
            or name.startswith("tests/") and not re.fullmatch(r"tests/data/id_\w+\.csv", name)]
    if junk:
        fail(path, f"has {', '.join(junk[:5])}, which has no place in it")
    return f"{len(files)} files"


def main(paths):
    for path in map(pathlib.Path, paths):
        kind = "wheel" if path.suffix == ".whl" else "sdist"
        said = check_wheel(path) if kind == "wheel" else check_sdist(path)
        megabytes = path.stat().st_size / 1e6
        if megabytes > MAX_MEGABYTES[kind]:
            fail(path, f"{megabytes:.1f} MB, and at most {MAX_MEGABYTES[kind]} are allowed")
        print(f"{path.name}: {megabytes:.1f} MB, {said}")


if __name__ == "__main__":
    main(sys.argv[1:])
