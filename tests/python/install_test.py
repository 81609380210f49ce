"""`pip install .`, or of an sdist, into a fresh virtual environment, then every example there, and tests. Prints what was tried.

    install_test.py SOURCE [SDIST]

With a package index the build tools come from it, the newest pybind11 and NumPy among them; without one, those of the
system do (--no-build-isolation).
"""

import pathlib
import subprocess
import sys
import tempfile


def run(*command, **options):
    print("+", *map(str, command), flush=True)
    return subprocess.run([str(part) for part in command], **options)


def main(source, package):
    with tempfile.TemporaryDirectory() as folder:
        python = pathlib.Path(folder) / "env/bin/python"
        run(sys.executable, "-m", "venv", python.parents[1], check=True)
        done = run(python, "-m", "pip", "install", "--quiet", package)
        if done.returncode != 0:
            print("with build isolation it failed; again with the tools of the system", flush=True)
            run(sys.executable, "-m", "venv", "--clear", "--system-site-packages", python.parents[1], check=True)
            run(python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", package, check=True)
        run(python, "-c", "import stiction; print(stiction.__version__, stiction.__file__)", cwd=folder, check=True)
        run(python, "-c", "import numpy, stiction._core as core; print('NumPy', numpy.__version__, 'pybind11', core.__pybind11__)",
            cwd=folder, check=True)
        run(python.parent / "stiction", "--version", cwd=folder, check=True)
        if run(python, "-m", "pip", "install", "--quiet", "pytest").returncode == 0:
            tests = [source / f"tests/python/test_{name}.py" for name in ("arrays", "scalar", "planar", "spatial", "control")]
            run(python, "-B", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests, cwd=folder, check=True)
        for example in sorted((source / "examples").glob("0*.py")):
            run(python, "-B", example, cwd=folder, check=True)
    print("installed, and all examples ran")


if __name__ == "__main__":
    paths = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
    main(paths[0], paths[-1])
