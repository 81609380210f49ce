"""`stiction limit-surface` with a load, a figure and the fitted ellipsoid."""

import json
import math

import command_line
from command_line import run

SQUARE = '[patch]\nshape = "rectangle"\nwidth = 0.02\nheight = 0.02\nat = [0.5, 0.3]\n'
DISC = '[patch]\nshape = "disc"\nradius = 0.03\ncells = 101\n'


class Slip(command_line.TestCase):
    def run_with(self, patch, *arguments):
        (self.folder / "patch.toml").write_text(patch)
        return run("limit-surface", self.folder / "patch.toml", "--out", self.folder / "out", *arguments)

    def result(self, patch, *arguments):
        process = self.run_with(patch, "--json", *arguments)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return json.loads(process.stdout)

    def test_torque_force_and_a_force_aside(self):
        # Torque alone: mu f_N 2 R/3
        spun = self.result(DISC, "--load", "0,0,-0.01", "--friction", 2)["slip"]
        self.assertAlmostEqual(spun["factor"], 2 * 0.02 / 0.01, delta=1e-3)
        self.assertTrue(spun["holds"] and spun["proven"])
        self.assertLess(spun["twist"][2], 0)
        self.assertLess(math.hypot(*spun["centre_of_rotation"]), 1e-6)
        # A force through the centre of pressure, which is the default point
        pulled = self.result(SQUARE, "--load", "-0.3,0.4,0")["slip"]
        self.assertAlmostEqual(pulled["factor"], 2, delta=1e-12)
        self.assertIsNone(pulled["centre_of_rotation"])
        self.assertAlmostEqual(pulled["twist"][0], -0.6)
        # The same force 10 mm aside has a lever: it slips earlier, and turns the way of the torque
        aside = self.result(SQUARE, "--load", "-0.3,0.4,0", "--at", "0.51,0.3")["slip"]
        self.assertAlmostEqual(aside["load"][2], 0.004)
        self.assertLess(aside["factor"], 1.7)
        self.assertGreater(aside["twist"][2], 0)
        slipping = self.result(SQUARE, "--load=-0.3,0.4,0", "--at", "0.51,0.3", "--friction", 0.5)["slip"]
        self.assertAlmostEqual(slipping["factor"], aside["factor"] / 2, delta=1e-9)
        self.assertFalse(slipping["holds"])

    def test_text_says_the_same(self):
        process = self.run_with(SQUARE, "--load", "0.3,0,0.001")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        slip = self.result(SQUARE, "--load", "0.3,0,0.001")["slip"]
        self.assertIn(f"{slip['factor']:.6f}"[:6], process.stdout)
        self.assertIn(": holds\n", process.stdout)
        self.assertIn("about (", process.stdout)
        self.assertIn("its semi-axes", process.stdout)
        self.assertIn(": slips\n", self.run_with(SQUARE, "--load", "3,0,0.001").stdout)
        self.assertIn("without rotation\n", self.run_with(SQUARE, "--load", "3,0,0").stdout)
        self.assertNotIn("slips", self.run_with(SQUARE).stdout.replace("slipping load", ""))

    def test_ellipsoids(self):
        surface = self.result(SQUARE)
        simple = surface["ellipsoid_error"]
        level = surface["fitted_ellipsoid"]
        free = surface["fitted_free_ellipsoid"]
        self.assertLess(level["error"]["rms"], simple["rms"])
        self.assertLessEqual(free["error"]["rms"], level["error"]["rms"] * (1 + 1e-9))
        self.assertAlmostEqual(math.sqrt(level["matrix"][2][2]) / surface["r"], 0.95, delta=0.01)
        self.assertEqual(level["matrix"][0][1:], [0, 0])
        self.assertNotIn("slip", surface)

    def test_figures(self):
        self.result(SQUARE, "--figure", self.folder / "surface.svg", "--cells", 8)
        self.assertIn("</svg>", (self.folder / "surface.svg").read_text())
        self.result(SQUARE, "--figure", self.folder / "surface.png", "--cells", 8, "--load", "1,0,0.01")
        picture = (self.folder / "surface.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG\r\n") and b"IEND" in picture)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["out", "patch.toml", "surface.png", "surface.svg"])

    def test_bad_loads_are_refused(self):
        cases = {
            ("--load", "1,2"): "--load = 1,2",
            ("--load", "1,2,3,4"): "--load",
            ("--load", "0,0,0"): "--load = 0,0,0",
            ("--load", "nan,0,0"): "--load = nan,0,0",
            ("--load", "inf,0,0"): "--load = inf,0,0",
            ("--load", "much,0,0"): "much",
            ("--load",): "--load",
            ("--load", "1,0,0", "--friction", "0"): "--friction = 0",
            ("--load", "1,0,0", "--friction", "nan"): "--friction = nan",
            ("--load", "1,0,0", "--at", "1"): "--at = 1",
            ("--load", "1,0,0", "--at", "1,inf"): "--at = 1,inf",
            ("--at", "1,1"): "--at and --friction belong to --load",
            ("--friction", "2"): "--at and --friction belong to --load",
            ("--figure", "surface.pdf"): "surface.pdf",
        }
        for arguments, fragment in cases.items():
            with self.subTest(arguments):
                self.assert_one_line(self.run_with(SQUARE, *arguments), 2, fragment)
                self.assertFalse((self.folder / "out").exists())
        self.assert_one_line(self.run_with(SQUARE, "--figure", self.folder / "no/folder/a.svg"), 2, "a.svg")


if __name__ == "__main__":
    command_line.main()
