"""Small work for every command that writes files, for the tests of what must never happen to them."""

import csv
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))

import command_line  # noqa: E402
from command_line import STICTION, TIMEOUT, content, run  # noqa: E402, F401

SCENARIO = """\
title = "A mass under a sine"
model = {{name="lugre", stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3}}
body = {{mass = 1}}
load = {{force = {{type = "sine", amplitude = 2, frequency = 3}}}}
integrator = {{duration = 0.2}}
output = {{interval = {interval}}}
"""
PATCH = '[patch]\nshape = "rectangle"\nwidth = 0.1\nheight = 0.05\n'
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")


class TestCase(command_line.TestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "case.toml").write_text(SCENARIO.format(interval=1e-3))
        (self.folder / "patch.toml").write_text(PATCH)
        (self.folder / "cube.obj").write_text(CUBE)
        (self.folder / "bad.toml").write_text("[model]\nname = 3\n")

    def commands(self):
        """What writes files, each into folder "out"."""
        return {
            "simulate": ["simulate", "case.toml", "--out", "out"],
            "limit-surface": ["limit-surface", "patch.toml", "--cells", 5, "--out", "out", "--figure", "out/surface.svg"],
            "shell": ["shell", "cube.obj", "--points", 100, "--levels", 2, "--no-cache", "--out", "out/shell.ply",
                      "--figure", "out/shell.png"],
            "plan": ["identify", "--experiment-plan", "--max-torque", 1, "--max-speed", 3, "--travel", 6, "--friction",
                     0.3, "--out", "out"],
            "reproduce": ["reproduce", "scalar/fig04", "--quick", "--out", "out"],
        }

    def assert_whole(self, folder):
        """Every file under a folder is complete; hidden drafts of killed writers do not count."""
        for path in Path(folder).rglob("*"):
            if path.is_dir() or (path.name.startswith(".stiction-") and path.suffix == ".part"):
                continue
            with self.subTest(path.name):
                data = path.read_bytes()
                if path.suffix == ".csv":
                    rows = list(csv.reader(data.decode().splitlines()))
                    self.assertTrue(data.endswith(b"\n") and len(rows) > 1)
                    self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                elif path.suffix == ".json":
                    json.loads(data)
                elif path.suffix in (".svg", ".html"):
                    self.assertTrue(data.rstrip().endswith(f"</{path.suffix[1:]}>".encode()))
                elif path.suffix == ".png":
                    self.assertIn(b"IEND", data[-16:])
                else:
                    self.assertGreater(len(data), 0)


def main():
    command_line.main()
