"""`stiction sdf` and `stiction shell`: what they make, keep and draw, and meshes that cannot be used."""

import json
import math
import os
import signal
import struct
import subprocess
import time

import command_line
from command_line import STICTION, content, run

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
         (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def stl(corners=CORNERS, faces=FACES, count=None):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[a], *corners[b], *corners[c], 0) for a, b, c in faces)
    return bytes(80) + struct.pack("<I", len(faces) if count is None else count) + body


def obj(corners=CORNERS, faces=FACES):
    return ("".join(f"v {x} {y} {z}\n" for x, y, z in corners)
            + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)).encode()


def ply(corners=CORNERS, faces=FACES, vertices=None):
    return (f"ply\nformat ascii 1.0\nelement vertex {vertices or len(corners)}\nproperty float x\nproperty float y\n"
            f"property float z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
            + "".join(f"{x} {y} {z}\n" for x, y, z in corners)
            + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces)).encode()


NAN = [(0, 0, math.nan)] + CORNERS[1:]

# Name, bytes, what the line says.
BAD = [
    ("empty.stl", b"", "at least 84"),
    ("open.stl", stl(faces=FACES[1:]), "3 open edges (one triangle each), the first from (0, 0, 0) to ("),
    ("lie.stl", stl(count=200_000_000), "promises 200000000 triangles in 10000000084 bytes"),
    ("cut.stl", stl()[:-7], "promises 12 triangles"),
    ("zero.stl", stl(faces=[]), "no triangles"),
    ("text_in_binary.stl", b"this is no mesh at all, " * 10, "not an STL file"),
    ("nan.stl", stl(NAN), "(0, 0, nan): must be finite"),
    ("infinite.stl", stl([(0, 0, math.inf)] + CORNERS[1:]), "must be finite"),
    ("huge.stl", stl([(1e30, 0, 0)] + CORNERS[1:]), "must be within 1e+09 m"),
    ("flat.stl", stl([(x, y, 0) for x, y, _ in CORNERS]), "flat.stl: "),
    ("point.stl", stl([(1, 1, 1)] * 8), "all triangles are degenerate"),
    ("walled.stl", stl(faces=FACES + [(0, 1, 7), (0, 7, 6)]), "4 edges with an odd number of triangles, the first from (0, 0, 0)"),
    ("word.stl", b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 up\n", ":4: z = 'up'"),
    ("cut_text.stl", b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1\n", "the file ends where 'vertex'"),
    ("empty.obj", b"", "no faces"),
    ("index.obj", obj(faces=FACES + [(0, 1, 8)]), ":21: vertex = 9: must be from 1 to 8"),
    ("nan.obj", obj(NAN), ":1: z = 'nan'"),
    ("open.obj", obj(faces=FACES[2:]), "4 open edges"),
    ("index.ply", ply(faces=FACES + [(0, 1, 8)]), "uses vertex 8: must be below 8"),
    ("lie.ply", ply(vertices=4_000_000_000), "promises 4000000000 of element 'vertex'"),
    ("nan.ply", ply(NAN), "number = 'nan'"),
    ("cut.ply", ply()[:-4], "unexpected end of file"),
    ("no.ply", b"plywood", "must start with 'ply'"),
    ("mesh.step", b"ISO-10303-21;", "must end with .stl, .obj or .ply"),
]


class Mesh(command_line.TestCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        for name, data in {"cube.stl": stl(), "cube.obj": obj(), "cube.ply": ply()}.items():
            (self.folder / name).write_bytes(data)

    def run_on(self, command, mesh, *arguments):
        return run(command, self.folder / mesh, "--cache", self.cache, *arguments)

    def result(self, command, mesh, *arguments):
        process = self.run_on(command, mesh, "--json", *arguments)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return json.loads(process.stdout)

    def test_bad_meshes(self):
        for name, data, says in BAD:
            (self.folder / name).write_bytes(data)
            for command in ["sdf", "shell"]:
                with self.subTest(name, command=command):
                    self.assert_one_line(self.run_on(command, name), 2, name, says)
        self.assertFalse(self.cache.exists())
        self.assert_one_line(self.run_on("sdf", "missing.stl"), 2, "missing.stl", "No such file")
        (self.folder / "folder.stl").mkdir()
        self.assert_one_line(self.run_on("sdf", "folder.stl"), 2, "it is a folder")
        os.mkfifo(self.folder / "pipe.stl")  # nobody writes into it
        self.assert_one_line(self.run_on("sdf", "pipe.stl"), 2, "it is not a regular file")

    def test_says_how_an_open_mesh_may_be_repaired(self):
        (self.folder / "open.stl").write_bytes(stl(faces=FACES[1:]))
        self.assert_one_line(self.run_on("sdf", "open.stl"), 2, f"(try: stiction mesh repair {self.folder / 'open.stl'})")

    def test_repair(self):
        shaken = [tuple(x + 1e-8 * ((i * 7919 + k) % 5) for k, x in enumerate(CORNERS[c]))
                  for i, face in enumerate(FACES[2:]) for c in face]  # every triangle with corners of its own
        (self.folder / "open.stl").write_bytes(stl(shaken, [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(10)]))
        process = run("mesh", "repair", "open.stl", cwd=self.folder)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertRegex(process.stdout, r"changed +\d+ near vertices merged .*1 holes filled with 2 triangles \(at most 4 edges, 1 m")
        self.assertTrue(process.stdout.endswith("written: out/open-repaired.stl\n"))
        good = self.result("shell", "out/open-repaired.stl", "--points", 20)
        self.assertAlmostEqual(good["mesh"]["volume"] if "mesh" in good else good["volume"], 1, delta=1e-5)
        process = run("mesh", "repair", "open.stl", "--json", "--scale", 0.001, "--out", "new/closed.ply", cwd=self.folder)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        answer = json.loads(process.stdout)
        self.assertEqual((answer["written"], answer["holes"], answer["added"], answer["triangles"], answer["changed"]),
                         ("new/closed.ply", 1, 2, 12, True))
        self.assertAlmostEqual(answer["volume"], 1e-9, delta=1e-14)
        process = run("mesh", "repair", "cube.ply", cwd=self.folder)
        self.assertIn("changed             nothing: it was the surface of a solid\n", process.stdout)

    def test_repair_refuses_what_it_cannot(self):
        (self.folder / "sheet.stl").write_bytes(stl(faces=FACES[:2]))
        for arguments, says in [
            (["missing.stl"], "No such file"),
            (["sheet.stl"], "sheet.stl: "),
            (["cube.stl", "--out", "cube.obj"], "--out = cube.obj: must end with .stl or .ply"),
            (["cube.stl", "--scale", "0"], "--scale = 0: must be > 0"),
            (["cube.stl", "--weld", "-1"], "--weld = -1: must be >= 0"),
            (["cube.stl", "--weld", "9"], "no triangle is left"),
        ]:
            with self.subTest(arguments):
                self.assert_one_line(run("mesh", "repair", *arguments, cwd=self.folder), 2, says)
        self.assertFalse((self.folder / "out").exists())

    def test_bad_arguments(self):
        for command, arguments, says in [
            ("sdf", ["--resolution", "31"], "--resolution = 31: must be from 32 to 1024"),
            ("sdf", ["--resolution", "nan"], "--resolution = nan"),
            ("sdf", ["--band", "0"], "--band = 0: must be from 1"),
            ("sdf", ["--scale", "0"], "--scale = 0: must be > 0"),
            ("sdf", ["--slice", "w=1"], "--slice = w=1"),
            ("sdf", ["--slice", "x"], "--slice = x"),
            ("sdf", ["--slice", "x=1mm"], "--slice = x=1mm"),
            ("sdf", ["--check", "-1"], "--check = -1"),
            ("sdf", ["--figure", "a.pdf"], "--figure = a.pdf"),
            ("sdf", ["--no-cache"], "exclude each other"),
            ("shell", ["--points", "0"], "--points = 0: must be a whole number from 1"),
            ("shell", ["--levels", "21"], "--levels = 21: must be a whole number from 1 to 20"),
            ("shell", ["--out", "a.stl"], "--out = a.stl"),
        ]:
            with self.subTest(arguments):
                self.assert_one_line(self.run_on(command, "cube.stl", *arguments), 2, says)
        self.assertFalse(self.cache.exists())

    def test_sdf_of_a_cube_in_each_format(self):
        for name in ["cube.stl", "cube.obj", "cube.ply"]:
            made = self.result("sdf", name, "--resolution", 64, "--band", 3)
            self.assertAlmostEqual(made["mesh"]["volume"], 1, places=6)
            self.assertEqual((made["mesh"]["triangles"], made["mesh"]["vertices"], made["mesh"]["flipped"]), (12, 8, 0))
            self.assertEqual(made["mesh"]["welded"], 28 if name == "cube.stl" else 0)
            self.assertLess(made["error"]["largest_cells"], 0.5)
            self.assertLess(made["error"]["mean_cells"], 0.1)
            self.assertAlmostEqual(made["spacing"], 1 / (64 - 8), places=12)
        self.assertEqual(self.result("sdf", "cube.stl", "--scale", 0.001, "--resolution", 32, "--band", 1)
                         ["mesh"]["high"], [0.001] * 3)

    def test_repairs_are_said(self):
        turned = [(b, a, c) for a, b, c in FACES]
        (self.folder / "turned.stl").write_bytes(stl(faces=turned + turned[:1]))
        process = self.run_on("sdf", "turned.stl", "--resolution", 32, "--band", 1)
        self.assertIn("31 equal vertices welded, 1 duplicate triangles removed, 12 triangles flipped", process.stdout)
        self.assertIn("area, volume        6 m^2, 1 m^3", process.stdout)

    def test_shell(self):
        made = self.result("shell", "cube.stl", "--points", 672, "--levels", 6, "--out", self.folder / "shell.ply")
        self.assertEqual(made["points"], 672)
        self.assertEqual(made["levels"][-1]["points"], 672)
        self.assertEqual(len(made["levels"]), 6)
        lines = (self.folder / "shell.ply").read_text().splitlines()
        rows = [list(map(float, line.split())) for line in lines[lines.index("end_header") + 1:]]
        self.assertEqual(len(rows), 672)
        for level in range(6):
            self.assertEqual(sum(row[6] <= level for row in rows), made["levels"][level]["points"])
        for x, y, z, nx, ny, nz, _ in rows:  # on the side its normal says
            axis = max(range(3), key=lambda i: abs((nx, ny, nz)[i]))
            self.assertAlmostEqual((x, y, z)[axis], 1 if (nx, ny, nz)[axis] > 0 else 0, places=6)

    def test_cache_and_figures(self):
        for command, arguments in [("sdf", ["--resolution", 64, "--band", 3]), ("shell", ["--points", 500])]:
            first = self.result(command, "cube.stl", *arguments, "--figure", self.folder / f"{command}.svg")
            second = self.result(command, "cube.stl", *arguments)
            self.assertEqual((first["from_cache"], second["from_cache"]), (False, True))
            self.assertEqual(first["cache_file"], second["cache_file"])
            self.assertIn("</svg>", (self.folder / f"{command}.svg").read_text())
            with open(first["cache_file"], "r+b") as file:  # one byte
                file.seek(-100, os.SEEK_END)
                byte = file.read(1)
                file.seek(-100, os.SEEK_END)
                file.write(bytes([byte[0] ^ 64]))
            third = self.run_on(command, "cube.stl", *arguments)
            self.assertEqual(third.returncode, 0)
            self.assertRegex(third.stderr, r"\Astiction: rebuilding .*: its checksum is wrong\n\Z")
            self.assertTrue(self.result(command, "cube.stl", *arguments)["from_cache"])
        self.assertEqual(len(content(self.cache)), 2)
        # as the environment says; nothing at all
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "xdg")}
        run("shell", self.folder / "cube.stl", "--points", 10, env=environment)
        self.assertEqual(len(content(self.folder / "xdg/stiction")), 1)
        process = run("shell", self.folder / "cube.stl", "--points", 11, "--no-cache", env=environment)
        self.assertIn("kept in             nothing", process.stdout)
        self.assertEqual(len(content(self.folder / "xdg/stiction")), 1)

    def test_a_killed_writer_leaves_nothing_that_is_used(self):
        arguments = ["--resolution", 128, "--band", 8, "--check", 0]
        good = self.result("sdf", "cube.stl", *arguments)
        whole = content(self.cache)
        for delay in [0.05, 0.15, 0.3, 0.5, 0.7]:
            for file in self.cache.iterdir():
                file.unlink()
            process = subprocess.Popen([STICTION, "sdf", self.folder / "cube.stl", "--cache", self.cache,
                                        *map(str, arguments)], stdout=subprocess.DEVNULL)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
            after = self.result("sdf", "cube.stl", *arguments)  # no notice: nothing was damaged
            self.assertEqual(after["blocks"], good["blocks"])
            self.assertEqual({name: data for name, data in content(self.cache).items() if not name.endswith(".part")},
                             whole)


if __name__ == "__main__":
    command_line.main()
