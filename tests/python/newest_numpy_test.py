"""The package under the newest NumPy: the extension as it was built is refused in one line or right; built again with
the newest pybind11 it passes its tests. Needs a package index; exit code 77 says that it cannot be had, and why.

    newest_numpy_test.py SOURCE FOLDER COMPILER_LAUNCHER
"""

import os
import pathlib
import subprocess
import sys

FILES = ["arrays", "calls", "control", "geometry", "haptics", "help", "identification", "mujoco", "planar", "scalar", "sim", "spatial",
         "stubs", "values", "views"]
WANTED = ["numpy>=2", "pybind11>=2.12", "pytest"]


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], **options)


def main(source, folder, launcher):
    """Builds in the folder: beside the other builds, so that what does not depend on Python comes from the compiler's cache."""
    python = folder / "env/bin/python"
    if run(sys.executable, "-m", "venv", folder / "env").returncode != 0:
        print("skipped: no virtual environment can be made (Debian: python3-venv)")
        return 77
    pip = [python, "-m", "pip", "install", "--quiet", "--upgrade", "--retries", "1", "--timeout", "20"]
    done = run(*pip, *WANTED, capture_output=True, text=True)
    if done.returncode != 0:
        print("skipped: the package index did not give", *WANTED, "-", (done.stderr.splitlines() or [""])[-1])
        return 77
    for wheel in ("mujoco", "mypy"):  # their tests are skipped without them
        run(*pip, wheel)

    # As it was built, perhaps with an older pybind11
    said = run(python, "-c", "import stiction", capture_output=True, text=True).stderr
    if said and not said.rstrip().splitlines()[-1].startswith("ImportError: stiction was built with pybind11 "):
        print(said)
        return 1

    cmake_folder = run(python, "-m", "pybind11", "--cmakedir", capture_output=True, text=True, check=True).stdout.strip()
    run("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTICTION_TESTS=OFF",
        f"-DPython_EXECUTABLE={python}", f"-Dpybind11_DIR={cmake_folder}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}",
        check=True, stdout=subprocess.DEVNULL)
    usual = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}  # where the compiler's cache is
    run("cmake", "--build", folder, "--target", "stiction_python", check=True, env=usual)
    files = [path for name in FILES for path in [source / f"tests/python/test_{name}.py"] if path.exists()]
    return run(python, "-B", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *files,
               env={**os.environ, "PYTHONPATH": str(folder / "python")}).returncode


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]))
