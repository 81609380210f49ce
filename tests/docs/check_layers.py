#!/usr/bin/env python3
"""Which part includes which: no upward include, no cycle, and models with the standard library alone."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ("scalar", "planar", "spatial")
# Each part may include itself and these. `common` is include/stiction/*.h and src/*.h.
ALLOWED = {
    "common": (),
    "scalar": ("common",),
    "planar": ("common", "scalar"),
    "spatial": ("common",),
    "control": ("common", "scalar"),
    "sim": ("common", "scalar", "planar"),
    "identify": ("common", "scalar", "sim"),
    "geometry": ("common", "spatial"),
    "haptics": ("common", "spatial", "geometry"),
    "viz": ("common", "spatial", "geometry", "haptics"),
    "io": ("common", "scalar", "planar", "sim", "identify", "geometry", "haptics"),
    "c_api": ("common", "scalar", "planar"),
}
# Evidence and ways in: the library knows none of them.
LIBRARY = tuple(ALLOWED)
ALLOWED |= {
    "bench/baselines": LIBRARY,
    "lab": (*LIBRARY, "bench/baselines"),
    "bench": (*LIBRARY, "bench/baselines", "lab"),
    "integrations": LIBRARY,
    "apps": (*LIBRARY, "bench/baselines", "lab", "bench"),
    "python": (*LIBRARY, "bench/baselines", "lab", "apps"),  # it installs the same command
}
FOLDERS = ("include/stiction", "src", "bench", "lab", "integrations", "apps/stiction", "python/src")
INCLUDE_PATHS = ("include", "src", "bench/baselines", "bench", "lab", "apps/stiction")
POSIX = ("unistd.h", "fcntl.h", "sys/", "arpa/", "netinet/", "sched.h", "pthread.h", "poll.h")
POSIX_PARTS = ("haptics", "io")
DISK = pathlib.Path("src/disk.h")  # the one writer of files, which geometry and io share
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)


def part_of(path):
    """The part of a file: a folder of the library, or what stands on it."""
    parts = path.relative_to(ROOT).parts
    if parts[0] not in ("include", "src"):
        return "bench/baselines" if parts[:2] == ("bench", "baselines") else parts[0]
    inner = parts[2 if parts[0] == "include" else 1:]
    return inner[0] if len(inner) > 1 else "common"


def target_of(path, name):
    """The file of ours that an include names, or None for one from outside."""
    for candidate in (path.parent / name, *(ROOT / folder / name for folder in INCLUDE_PATHS)):
        if candidate.is_file():
            return candidate.resolve()
    return None


def problems():
    found, edges = [], {}
    files = [f for folder in FOLDERS for f in sorted((ROOT / folder).rglob("*")) if f.suffix in (".h", ".cpp")]
    if len(files) < 400:
        found.append(f"only {len(files)} files found below {ROOT}")
    for file in files:
        part = part_of(file)
        where = file.relative_to(ROOT)
        if part not in ALLOWED:
            found.append(f"{where}: there is no layer '{part}' in the table of {pathlib.Path(__file__).name}")
            continue
        for name in INCLUDE.findall(file.read_text()):
            target = target_of(file, name)
            if target is not None:
                other = part_of(target)
                edges.setdefault(file, []).append(target)
                if other != part and other not in ALLOWED[part]:
                    found.append(f"{where}: {part} includes {other} ({name}); it may include {', '.join(ALLOWED[part]) or 'nothing'}")
                continue
            system = name.startswith(POSIX)
            if system and part in LIBRARY and part not in POSIX_PARTS and where != DISK:
                found.append(f"{where}: POSIX ({name}) outside of {', '.join(POSIX_PARTS)} and {DISK}")
            if part in (*MODELS, "control", "common") and where != DISK and not system and "/" in name:
                found.append(f"{where}: {part} needs the standard library alone, and includes {name}")
            if name.startswith("stiction/"):
                found.append(f"{where}: {name} does not exist")
    found += cycles(edges)
    return found


def cycles(edges):
    """Files that include themselves through others."""
    state, found = {}, []

    def visit(file, path):
        if state.get(file) == "open":
            found.append("cycle: " + " -> ".join(str(f.relative_to(ROOT)) for f in path[path.index(file):] + [file]))
        if file in state:
            return
        state[file] = "open"
        for target in edges.get(file, ()):
            visit(target, path + [file])
        state[file] = "done"

    for file in edges:
        visit(file, [])
    return found


if __name__ == "__main__":
    wrong = problems()
    print("\n".join(wrong) if wrong else "layers: as they should be")
    sys.exit(1 if wrong else 0)
