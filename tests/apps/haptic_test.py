"""`stiction haptic`: forces of a scene, and scenes, hands and devices that cannot be used."""

import csv
import json
import math
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import time

import command_line
from command_line import STICTION, content, run

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
         (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def obj(size, centre, faces=FACES):
    place = [[c + (u - 0.5) * s for u, s, c in zip(corner, size, centre)] for corner in CORNERS]
    return ("".join(f"v {x} {y} {z}\n" for x, y, z in place) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))


# A cube of 40 mm above a plate whose upper face is z = 0.
PARTS = """
[moving]
mesh = "cube.obj"
points = 600
levels = 5
[[fixed]]
mesh = "plate.obj"
resolution = 64
friction = 0.5
"""
HAND = """
[hand]
poses = [[0, 0, 0, 0.022], [0.1, 0, 0, 0.015], [0.4, 0, 0, 0.015]]
"""
GOOD = PARTS + HAND

# What is done to the good scene, and what the line says.
BAD = [
    (("cube.obj", "gone.obj"), "moving.mesh = 'gone.obj': must be a readable file"),
    (("plate.obj", "open.obj"), "open.obj: 3 open edges"),
    (("plate.obj", "nan.obj"), "nan.obj:1: z = 'nan'"),
    (("plate.obj", "empty.obj"), "empty.obj: no faces"),
    (("cube.obj", "cube.step"), "must end with .stl, .obj or .ply"),
    (("points = 600", "points = 0"), "moving.points = 0: must be a whole number from 1 to 1000000"),
    (("points = 600", "points = nan"), "moving.points = nan"),
    (("levels = 5", "levels = 21"), "moving.levels = 21: must be a whole number from 1 to 20"),
    (("levels = 5", "scale = -1"), "moving.scale = -1: must be > 0"),
    (("levels = 5", "colour = 3"), "moving.colour"),
    (("levels = 5", "centre = [1, 2]"), "moving.centre = [ 1, 2 ]: must be three numbers"),
    (("resolution = 64", "resolution = 2048"), "fixed[0].resolution = 2048: must be 32 to 1024"),
    (("resolution = 64", "resolution = 64\nband = 5"), "fixed[0].band = 5: must be 1 to 4"),
    (("friction = 0.5", "friction = -0.5"), "fixed[0].friction = -0.5: must be >= 0"),
    (("friction = 0.5", "friction = inf"), "fixed[0].friction = inf"),
    (("friction = 0.5", 'friction = "high"'), "fixed[0].friction"),
    (("friction = 0.5", 'shell = "both"'), "fixed[0].shell = 'both': must be"),
    (("friction = 0.5", "contact_stiffness = 0"), "fixed[0].contact_stiffness = 0: must be > 0"),
    (("friction = 0.5", "rotation = [0, 0, nan]"), "fixed[0].rotation"),
    (("[[fixed]]", "[fixed]"), "fixed"),
    ((PARTS, ""), "moving"),
    ((HAND, ""), "hand"),
    ((HAND, "[hand]\n"), "hand.poses"),
    ((HAND, "[hand]\nposes = []\n"), "hand.poses"),
    ((HAND, "[hand]\nposes = [[0, 0, 0, 0.03], [0, 0, 0, 0.02]]\n"), "time = 0: must be within 1e9 s, and later"),
    ((HAND, "[hand]\nposes = [[0, 0, 0], [1, 0, 0]]\n"), "hand.poses"),
    ((HAND, '[hand]\nposes = [[0, 0, 0, "up"]]\n'), "hand.poses"),
    ((HAND, "[hand]\nposes = [[0, 0, 0, 0.03]]\n"), "run.duration is missing"),
    ((HAND, '[hand]\nfile = "gone.csv"\n'), "hand.file = 'gone.csv': must be a readable file"),
    ((HAND, '[hand]\nfile = "word.csv"\n'), "word.csv:2:"),
    ((HAND, '[hand]\nfile = "no_z.csv"\n'), "no column 'z'"),
    ((HAND, '[hand]\nfile = "quaternion.csv"\n'), "|(qw, qx, qy, qz)| = 2: must be 1"),
    ((HAND, '[hand]\nfile = "backwards.csv"\n'), "time = 0: must be within 1e9 s, and later"),
    ((HAND, '[hand]\nkind = "ghost"\n'), "hand.kind = 'ghost': must be"),
    ((HAND, '[hand]\nkind = "udp"\n'), "hand.port"),
    ((HAND, '[hand]\nkind = "udp"\nport = 80\n'), "hand.port = 80: must be a whole number from 1024 to 65535"),
    ((HAND, '[hand]\nkind = "udp"\nport = 40000\n'), "run.duration is missing"),
    ((HAND, HAND.replace("[hand]", '[hand]\nkind = "mass"\nmass = 0')), "hand.mass = 0: must be > 0"),
    ((HAND, HAND + "[run]\nduration = 0\n"), "run.duration = 0: must be > 0"),
    ((HAND, HAND + "[run]\nduration = 1e9\n"), "run.duration = 1000000000"),
    ((HAND, HAND + "[render]\nperiod = 0\n"), "render.period = 0: must be 1e-6 to 3600"),
    ((HAND, HAND + "[render]\nperiod = 1e-6\n[run]\nduration = 1e4\n"), "run.duration is 10000000000 cycles"),
    ((HAND, HAND + "[render]\nmass = 0.1\nstatic_damping = 0.6\n"), "render.static_damping = 0.6: must be left out"),
    (("friction = 0.5", "sliding_friction = 0.6"), "fixed[0].sliding_friction = 0.6: must be at most its friction, 0.5"),
    (("friction = 0.5", "at = [0, 0, 1e10]"), "fixed[0].at"),
    (("friction = 0.5", "rotation = [1e308, 1e308, 1e308]"), "fixed[0].rotation"),
    (("points = 600", "points = 10.5"), "moving.points = 10.5: must be a whole number"),
    ((HAND, "[hand]\nposes = [[0, 0, 0, true]]\n"), "hand.poses"),
    ((HAND, "[hand]\nposes = [[0, 0, 0, 1e300], [1, 0, 0, 0]]\n"), "position = 1e+300: must be finite, and within 1e9 m"),
    ((HAND, HAND + "[render]\nstatic_damping = 1\n"), "render.static_damping = 1: must be >= 0 and < 1"),
    ((HAND, HAND + "[render]\nmax_contacts = 1.5\n"), "render.max_contacts = 1.5"),
    ((HAND, HAND + "[render]\ncoupling_damping = 3\n"), "render.coupling_damping = 3: must be left out"),
    ((HAND, HAND + '[friction]\nmethod = "glue"\n'), "friction.method = 'glue': must be"),
    ((HAND, HAND + "[friction]\nsides = 5\n"), "friction.sides = 5: must be an even"),
    ((HAND, HAND + '[friction]\nseparation = true\n'), "friction.separation"),
    ((PARTS, 'built_in = "dor"\n'), "did you mean 'door'"),
    ((HAND, HAND + '\n[[[\n'), "scene.toml:"),
    (("[moving]", 'built_in = "door"\n[moving]'), "built_in = 'door': must be left out where there are meshes"),
]


class Haptic(command_line.TestCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        for name, text in {
            "cube.obj": obj((0.04, 0.04, 0.04), (0, 0, 0)),
            "plate.obj": obj((0.2, 0.2, 0.02), (0, 0, -0.01)),
            "open.obj": obj((0.2, 0.2, 0.02), (0, 0, -0.01), FACES[1:]),
            "nan.obj": obj((0.2, 0.2, math.nan), (0, 0, 0)),
            "empty.obj": "",
            "cube.step": "ISO-10303-21;",
            "word.csv": "time,x,y,z\n0,0,0,up\n",
            "no_z.csv": "time,x,y\n0,0,0\n",
            "quaternion.csv": "time,x,y,z,qw,qx,qy,qz\n0,0,0,0.03,2,0,0,0\n",
            "backwards.csv": "time,x,y,z\n1,0,0,0.03\n0,0,0,0.02\n",
        }.items():
            (self.folder / name).write_text(text)

    def run_scene(self, text, *arguments, command=("haptic",)):
        (self.folder / "scene.toml").write_text(text)
        return run(*command, "scene.toml", "--cache", self.cache, *arguments, cwd=self.folder)

    def result(self, text, *arguments):
        process = self.run_scene(text, "--json", "--out", self.folder / "out", *arguments)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        with open(self.folder / "out/cycles.csv") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        return json.loads(process.stdout), rows

    def test_bad_scenes(self):
        for (old, new), says in BAD:
            with self.subTest(new[-60:]):
                self.assertIn(old, GOOD)
                self.assert_one_line(self.run_scene(GOOD.replace(old, new)), 2, says)
        self.assertFalse((self.folder / "out").exists())
        self.assert_one_line(run("haptic"), 2, "SCENE")
        self.assert_one_line(run("haptic", "nowhere.toml"), 2, "nowhere.toml")
        self.assert_one_line(run("haptic", "door", "--every", "0"), 2, "--every")
        self.assert_one_line(run("haptic", "door", "--priority", "100", "--realtime"), 2, "--priority")
        self.assert_one_line(run("haptic", "door", "--priority", "50"), 2, "--priority 50: must be with --realtime")

    def test_duration(self):
        summary, rows = self.result(GOOD, "--duration", 0.05, "--every", 1)
        self.assertEqual((summary["cycles"], len(rows)), (50, 50))
        for bad in ["0", "-1", "nan", "inf"]:
            self.assert_one_line(run("haptic", "door", "--duration", bad), 2, f"--duration = {bad}: must be > 0")

    def test_refuses_a_start_deeper_than_distances_are_known(self):
        deep = GOOD.replace("[0, 0, 0, 0.022]", "[0, 0, 0, 0.012]")
        self.assertNotEqual(deep, GOOD)
        process = self.run_scene(deep)
        self.assert_one_line(process, 2, "scene.toml: start: ", " is inside ", "deeper than the band of its distance field")
        # The faces of the cube, 40 mm wide, reach 8 mm below the plate's surface; the plate is 20 mm thick.
        self.assertAlmostEqual(float(re.search(r"by ([\d.e-]+) mm", process.stderr)[1]), 8, delta=0.1)
        self.assertFalse((self.folder / "out").exists())

    def test_force_of_a_press(self):
        summary, rows = self.result(GOOD, "--every", 1)
        self.assertEqual(summary["cycles"], 400)
        last = rows[-1]
        # Hand and part: F = k_vc (z_body − z_hand) upwards on the hand, and springs of at most n0 k_max below it
        self.assertAlmostEqual(last["output_fz"], 500 * (last["body_z"] - last["hand_z"]), delta=1e-9)
        self.assertAlmostEqual(last["output_fz"], 500 * (0.005 - last["deepest"]), delta=0.05)
        self.assertAlmostEqual(last["output_fz"] / last["deepest"], 10 * 1000, delta=300)
        self.assertGreater(last["contacts"], 50)
        self.assertEqual(rows[0]["phase"], 0)
        self.assertEqual(last["phase"], 1)
        # Fields and shells are there the second time, and the numbers are the same
        again, same = self.result(GOOD, "--every", 1)
        self.assertEqual((summary["from_cache"], again["from_cache"]), (0, 2))
        timed = ("find_us", "springs_us", "friction_us", "cycle_us", "late_us", "thread_us", "switches")
        self.assertEqual([{k: v for k, v in row.items() if k not in timed} for row in rows],
                         [{k: v for k, v in row.items() if k not in timed} for row in same])

    def test_long_cycles_are_explained(self):
        # A period that no cycle can keep: they take as long when they run again, so all of them are their own work
        summary, _ = self.result(GOOD + "[render]\nperiod = 1e-6\n[run]\nduration = 2e-4\n")
        overruns = summary["overruns"]
        self.assertGreater(overruns["all"], 0)
        self.assertEqual(overruns["all"], overruns["system"] + overruns["waited"] + overruns["own"])
        with open(self.folder / "out/overruns.csv") as file:
            listed = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(listed), overruns["all"])
        for blame, count in ((1, "system"), (2, "waited"), (3, "own")):
            self.assertEqual(sum(row["blame"] == blame for row in listed), overruns[count])
        for row in listed:
            self.assertGreater(row["cycle_us"], 1)
            if row["thread_us"] > 1 and row["replayed_us"] > 1:
                self.assertEqual(row["blame"], 3)
        self.assertIn("halts", summary["empty_loop"])

    def test_friction_holds_up_to_the_cone(self):
        drag = HAND.replace("[0.4, 0, 0, 0.015]", "[0.4, 0, 0, 0.015], [1.4, 0.02, 0, 0.015]")
        _, rows = self.result(PARTS + drag)
        normal = rows[-1]["output_fz"]
        self.assertAlmostEqual(-rows[-1]["output_fx"] / normal, 0.5, delta=0.01)
        first = next(row for row in rows if row["body_x"] > 1e-3)
        self.assertAlmostEqual(500 * (first["hand_x"] - first["body_x"]) / first["output_fz"], 0.5, delta=0.05)
        _, free = self.result(PARTS + drag + '[friction]\nmethod = "none"\n')
        self.assertLess(abs(free[-1]["output_fx"]), 0.05 * normal)

    def test_every_method_runs(self):
        for method in ["cone", "pyramid", "switched", "none", "springs", "explicit-springs", "staggered", "gauss-seidel",
                       "constraint"]:
            with self.subTest(method):
                ratio = 0.1 if "springs" in method else 1  # of the others it is that of the contacts themselves
                friction = f'[friction]\nmethod = "{method}"\nstiffness_ratio = {ratio}\n'
                summary, rows = self.result(GOOD + friction, "--no-pictures")
                if method == "constraint":  # nothing gives way but the coupling
                    self.assertAlmostEqual(rows[-1]["output_fz"], 500 * 0.005, delta=1e-3)
                    self.assertLess(max(row["deepest"] for row in rows), 1e-6)
                else:
                    self.assertAlmostEqual(rows[-1]["output_fz"], 2.38, delta=0.1)
                self.assertEqual(summary["phases"]["fault"], 0)

    def test_the_limits_of_the_device(self):
        _, rows = self.result(GOOD + "[render]\nforce_limit = 1.0\n")
        self.assertAlmostEqual(math.hypot(*(rows[-1][f"output_f{axis}"] for axis in "xyz")), 1, places=9)

    def test_shell_on_the_other_part(self):
        text = GOOD.replace("friction = 0.5", 'friction = 0.5\nshell = "fixed"\npoints = 4000')
        _, rows = self.result(text.replace("levels = 5", "resolution = 64"))
        self.assertAlmostEqual(rows[-1]["output_fz"], 2.38, delta=0.1)

    def test_a_hand_with_a_mass_gives_way(self):
        _, stiff = self.result(GOOD)
        _, soft = self.result(PARTS + HAND.replace("[hand]", '[hand]\nkind = "mass"'))
        # 400 N/m and 500 N/m in a row
        self.assertAlmostEqual(soft[-1]["output_fz"] / stiff[-1]["output_fz"], (400 / 900) / (1 - 500 / 10500), delta=0.03)

    def test_a_stream_of_poses(self):
        (self.folder / "hand.csv").write_text("time [s],x,y,z,qw,qx,qy,qz\n0,0,0,0.022,1,0,0,0\n0.1,0,0,0.015,1,0,0,0\n"
                                              "0.4,0,0,0.015,1,0,0,0\n")
        _, rows = self.result(GOOD)
        _, same = self.result(PARTS + '[hand]\nfile = "hand.csv"\n')
        self.assertEqual([row["output_fz"] for row in rows], [row["output_fz"] for row in same])

    def test_the_part_of_a_built_in_scene_begins_where_the_hand_does(self):
        _, rows = self.result('built_in = "peg-and-hole"\n[hand]\nposes = [[0, 0, 0.01, 0.06], [0.1, 0, 0.01, 0.06]]\n',
                              "--every", 1, "--no-pictures")
        self.assertEqual({(row["body_y"], row["body_z"], row["output_fz"]) for row in rows}, {(0.01, 0.06, 0)})

    def test_interrupted_it_keeps_what_it_has(self):
        (self.folder / "scene.toml").write_text(GOOD + "[run]\nduration = 1000\n")
        process = subprocess.Popen([STICTION, "haptic", "scene.toml", "--cache", self.cache, "--realtime", "--no-pictures",
                                    "--out", "out"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=command_line.TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertGreater(len((self.folder / "out/cycles.csv").read_text().splitlines()), 10)

    def test_a_device_by_udp(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        (self.folder / "scene.toml").write_text(
            PARTS.replace("[moving]", "[moving]\nat = [0, 0, 0.022]") + f'[hand]\nkind = "udp"\nport = {port}\n[run]\nduration = 4\n')
        process = subprocess.Popen([STICTION, "haptic", "scene.toml", "--cache", self.cache, "--json", "--out", "out",
                                    "--no-pictures", "--every", "1"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        force = 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hand:
            hand.setblocking(False)
            end = time.monotonic() + 2.5
            number = 0
            while time.monotonic() < end:
                number += 1
                hand.sendto(b"garbage" * (number % 40), ("127.0.0.1", port))
                hand.sendto(struct.pack("<4sHHQd3d4d", b"STIC", 1, 1, number, 0, 0, 0, 0.017, 1, 0, 0, 0),
                            ("127.0.0.1", port))
                try:
                    while True:
                        answer = hand.recv(1000)
                        force = struct.unpack("<4sHHQd3d3dII", answer)[7]
                except OSError:
                    pass
                time.sleep(0.002)
        output, _ = process.communicate(timeout=command_line.TIMEOUT)
        summary = json.loads(output)
        self.assertGreater(force, 0.5)  # 3 mm deep
        self.assertGreater(summary["safe"], 100)  # the last second
        with open(self.folder / "out/cycles.csv") as file:
            self.assertEqual(float(list(csv.DictReader(file))[-1]["output_fz"]), 0)

    def test_the_page_of_results_reads_what_is_printed(self):
        process = run("haptic", "peg-and-hole", "--duration", 0.2, "--repeat", 2, "--no-pictures", "--json", "--cache", self.cache,
                      cwd=self.folder)
        (self.folder / "peg.json").write_text(process.stdout)
        self.assertEqual(run("reproduce", "scalar/fig03", "--quick", cwd=self.folder).returncode, 0)
        script = pathlib.Path(__file__).parents[2] / "scripts/results.py"
        page = subprocess.run([sys.executable, script, "out", "--haptic", "peg-and-hole=peg.json"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        self.assertIn("## Haptic cycles", page.stdout)
        self.assertIn("| peg-and-hole |", page.stdout)

    def test_insertability(self):
        # A cube between two walls that are 0.4 mm too near: friction decides
        (self.folder / "walls.obj").write_text(
            obj((0.02, 0.2, 0.1), (-0.0298, 0, 0)) + "".join(
                line for line in obj((0.02, 0.2, 0.1), (0.0298, 0, 0)).splitlines(True) if line[0] == "v") + "".join(
                f"f {a + 9} {b + 9} {c + 9}\n" for a, b, c in FACES))
        text = (PARTS.replace("plate.obj", "walls.obj").replace("resolution = 64", "resolution = 256")
                + "[hand]\nposes = [[0, 0, 0, 0.072], [1, 0, 0, 0.04]]\n")
        process = self.run_scene(text, "--json", "--tolerance", 0.005, "--max-friction", 4, "--sweep", 5, "--resolution", 0.25,
                                 command=("haptic", "insertability"))
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        found = json.loads(process.stdout)
        self.assertGreaterEqual(found["insertable"], 0)
        self.assertLessEqual(found["not_insertable"] - found["insertable"], 0.25)
        forces = [trial["force"] for trial in found["trials"]]
        process = self.run_scene(text, "--json", "--max-force", 1e-9, "--sweep", 2, command=("haptic", "insertability"))
        none = json.loads(process.stdout)
        self.assertIsNone(none["insertable"])
        self.assertEqual(none["not_insertable"], 0)
        self.assertEqual(forces, sorted(forces))
        for arguments, says in [(("--sweep", 1), "sweep = 1"), (("--tolerance", 0), "tolerance = 0"),
                                (("--resolution", "nan"), "resolution = nan"), (("--max-friction", -1), "max_friction = -1")]:
            with self.subTest(arguments):
                self.assert_one_line(self.run_scene(text, *arguments, command=("haptic", "insertability")), 2, says)


if __name__ == "__main__":
    command_line.main()
