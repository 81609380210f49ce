"""Planar scenarios on the command line: what is written, and the many ways in which a file can be wrong."""

import csv

import command_line
from command_line import content, run

GOOD = """\
title = "A slider"
[patch]
shape = "rectangle"
width = 0.1
height = 0.06
cells = 4
[friction]
stiffness = 1e5
damping = 300
coulomb = 0.3
static = 0.35
stribeck_velocity = 0.01
[contact]
model = "ellipsoid"
carried = true
normal_force = 9.81
[body]
mass = 1
inertia = 1e-3
[load]
fx = 4
[integrator]
duration = 0.01
"""
MOVED = (GOOD[:GOOD.index("[body]")].replace("carried = true\n", "") +
         "[motion]\nvx = 0.01\n[integrator]\nduration = 0.01\n")
COLUMNS = ["time", "normal_force", "x", "y", "angle", "vx", "vy", "spin", "fx", "fy", "torque"]
SHAPES = ("rectangle, disc, soft-finger, polygon, grid, paper-square, paper-circle, paper-line, paper-gradient-line, "
          "paper-gradient-line-x, paper-non-convex-1, paper-non-convex-2")
SIGNAL = "a finite number, a table with a type (constant, ramp, sine, steps, table, csv), or a list of these"
FILES = {
    "empty.toml": "[patch]\nshape = 'grid'\nfile = 'empty.csv'\nwidth = 1\nheight = 1\n",
    "empty.csv": "0, 0\n0, 0\n",
    "shapeless.toml": "[patch]\nradius = 1\n",
}


def changed(line, replacement, text=GOOD):
    """A good scenario with another text in place of one line."""
    assert text.count(line + "\n") == 1, line
    return text.replace(line + "\n", replacement + "\n" if replacement else "")


def without(table, text=GOOD):
    """A good scenario without one of its tables."""
    start = text.index(f"[{table}]")
    end = text.find("\n[", start)
    return text[:start] + (text[end + 1:] if end >= 0 else "")


def patch(text):
    return without("patch").replace("[friction]", f"[patch]\n{text}\n[friction]")


def soft(text="", force="2", model="reduced"):
    scenario = changed("normal_force = 9.81", f"normal_force = {force}", patch('shape = "soft-finger"\n' + text))
    return changed('model = "ellipsoid"', f'model = "{model}"', scenario)


# What is wrong: the scenario, where in it, and the rest of the line.
SCENARIOS = {
    # tables
    "no patch": (without("patch"), "1:1", "'patch' is missing: must be a table [patch]"),
    "no friction": (without("friction"), "1:1", "'friction' is missing: must be a table [friction]"),
    "no contact": (without("contact"), "1:1", "'contact' is missing: must be a table [contact]"),
    "no integrator": (without("integrator"), "1:1", "'integrator' is missing: must be a table [integrator]"),
    "neither body nor motion": (without("body"), "1:1",
                                "'body' is missing: must be a table [body], or [motion] instead"),
    "body and motion": (GOOD + "[motion]\nvx = 1\n", "24:1",
                        "[motion] imposes the velocity: it cannot be combined with [body] or [load]"),
    "load and motion": (MOVED + "[load]\nfx = 1\n", "16:1",
                        "[motion] imposes the velocity: it cannot be combined with [body] or [load]"),
    "patch no table": ("patch = 3\n", "1:9", "patch = 3: must be a table [patch]"),
    "list of patches": (GOOD.replace("[patch]", "[[patch]]"), "2:1", "patch = [ ", "must be a table [patch]"),
    "motion no table": ("motion = 3\n" + MOVED.replace("[motion]\nvx = 0.01\n", ""), "1:10",
                        "motion = 3: must be a table [motion]"),
    "mistyped table": (GOOD.replace("[load]", "[laod]"), "20:2", "unknown key 'laod' (fx = 4); did you mean 'load'?"),
    "mistyped required table": (GOOD.replace("[contact]", "[contcat]"), "13:2", "unknown key 'contcat'",
                                "did you mean 'contact'?"),
    "model of a line beside a patch": ('model = {name = "coulomb", coulomb_force = 1}\n' + GOOD, "1:1",
                                       "[model] is for bodies on a line: it cannot be combined with [patch]"),
    "initial states": (GOOD + "[initial]\nbristle = 0\n", "24:2", "unknown key 'initial' (bristle = 0)"),
    "title no text": (changed('title = "A slider"', "title = 3"), "1:9", "title = 3: must be a text in quotes"),
    # patch
    "no shape": (patch("radius = 1"), "2:1", f"'patch.shape' is missing: must be one of {SHAPES}"),
    "empty patch table": (patch(""), "2:1", f"'patch.shape' is missing: must be one of {SHAPES}"),
    "unknown shape": (patch('shape = "disk"'), "3:9",
                      f"patch.shape = 'disk': must be one of {SHAPES}; did you mean 'disc'?"),
    "patch without pressure": (patch("file = 'empty.toml'"), "", "empty.toml:1:1: patch: "),
    "patch file that is not there": (patch("file = 'none.toml'"), "3:8",
                                     "patch.file = 'none.toml': must be a readable file: there is none at"),
    "patch file without shape": (patch("file = 'shapeless.toml'"), "", "shapeless.toml:1:1: 'patch.shape' is missing"),
    "more beside a patch file": (patch("file = 'shapeless.toml'\nwidth = 1"), "4:1", "unknown key 'patch.width' (1)"),
    "patch file no text": (patch("file = 3"), "3:8", "patch.file = 3: must be a text in quotes"),
    "width NaN": (changed("width = 0.1", "width = nan"), "4:9", "patch.width = nan: must be in [1e-12, 1e6]"),
    "negative width": (changed("width = 0.1", "width = -0.1"), "4:9", "patch.width = -0.1: must be in [1e-12, 1e6]"),
    "half a cell": (changed("cells = 4", "cells = 2.5"), "6:9",
                    "patch.cells = 2.5: must be a whole number from 1 to 1000"),
    "unknown key of the patch": (changed("cells = 4", "cell = 4"), "6:1",
                                 "unknown key 'patch.cell' (4); did you mean 'cells'?"),
    # soft fingers
    "reach and radius": (soft("reach = 0.01\nradius = 0.01"), "5:1", "unknown key 'patch.radius' (0.01)"),
    "reach of a disc": (patch('shape = "disc"\nradius = 1\nreach = 1'), "5:1", "unknown key 'patch.reach' (1)"),
    "reach zero": (soft("reach = 0"), "4:9", "patch.reach = 0: must be in [1e-12, 1e6]"),
    "exponent zero": (soft("reach = 0.01\nexponent = 0"), "5:12", "patch.exponent = 0: must be in [0.5, 1000]"),
    "per_newton no boolean": (soft("reach = 0.01\nper_newton = 1"), "5:14",
                              "patch.per_newton = 1: must be true or false"),
    "largest negative": (soft("reach = 0.01\nlargest = -1"), "5:11", "patch.largest = -1: must be > 0, or inf"),
    "growing patch of many bristles": (soft("reach = 0.01", model="distributed"), "",
                                       "contact.model = 'distributed': must be 'reduced' for a patch that grows"),
    "growing patch that never touches": (soft("reach = 0.01", force="-1"), "",
                                         "contact.normal_force = -1: must be > 0 at some time"),
    # friction
    "unknown law": (changed("damping = 300", 'damping = 300\nlaw = "lugr"'), "10:7",
                    "friction.law = 'lugr': must be one of lugre, elasto-plastic; did you mean 'lugre'?"),
    "unknown preset": (changed("damping = 300", 'preset = "waltersson"'), "9:10",
                       "friction.preset = 'waltersson': must be one of waltersson-p0, waltersson-p1"),
    "static below coulomb": (changed("static = 0.35", "static = 0.2"), "11:10",
                             "friction.static = 0.2: must be >= coulomb"),
    "preset that no longer fits": (without("friction") + "[friction]\npreset = 'waltersson-p0'\ncoulomb = 2\n", "18:1",
                                   "friction.static = 1: must be >= coulomb"),
    "share without elasto-plastic": (changed("damping = 300", "damping = 1\nlaw = 'lugre'\nelastic_share = 1"), "11:17",
                                     "friction.elastic_share = 1: must be left out"),
    "share of one": (changed("damping = 300", "damping = 300\nelastic_share = 1"), "10:17",
                     "friction.elastic_share = 1: must be in [0.001, 0.999]"),
    "no stiffness": (changed("stiffness = 1e5", ""), "7:1",
                     "'friction.stiffness' is missing: must be a number in [1e-2, 1e10]"),
    "stiffness NaN": (changed("stiffness = 1e5", "stiffness = nan"), "8:13",
                      "friction.stiffness = nan: must be in [1e-2, 1e10]"),
    "damping text": (changed("damping = 300", 'damping = "much"'), "9:11",
                     "friction.damping = 'much': must be a number in [0, 1e8]"),
    "forces of a line": (changed("coulomb = 0.3", "coulomb_force = 0.3"), "7:1", "'friction.coulomb' is missing"),
    # contact
    "unknown model": (changed('model = "ellipsoid"', 'model = "elipsoid"'), "14:9",
                      "contact.model = 'elipsoid': must be one of distributed, reduced, ellipsoid; did you mean 'ell"),
    "no normal force": (changed("normal_force = 9.81", ""), "13:1",
                        f"'contact.normal_force' is missing: must be {SIGNAL}"),
    "normal force NaN": (changed("normal_force = 9.81", "normal_force = nan"), "16:16",
                         f"contact.normal_force = nan: must be {SIGNAL}"),
    "normal force below 0": (changed("normal_force = 9.81", "normal_force = -1"), "16:16",
                             "contact.normal_force = -1: must be >= 0 at some time"),
    "normal force without a type": (changed("normal_force = 9.81", "normal_force = {value = 1}"), "16:16",
                                    "'contact.normal_force.type' is missing: must be one of constant, ramp"),
    "no contacts": (changed("carried = true", "contacts = 0"), "15:12",
                    "contact.contacts = 0: must be a whole number from 1 to 1000"),
    "contact and a half": (changed("carried = true", "contacts = 1.5"), "15:12",
                           "contact.contacts = 1.5: must be a whole number from 1 to 1000"),
    "carried no boolean": (changed("carried = true", 'carried = "yes"'), "15:11",
                           "contact.carried = 'yes': must be true or false"),
    "at of three": (changed("carried = true", "at = [1, 2, 3]"), "15:6",
                    "contact.at = [ 1, 2, 3 ]: must be two numbers [x, y]"),
    "at infinite": (changed("carried = true", "at = [1, inf]"), "15:10",
                    "contact.at = inf: must be a list of numbers, each finite"),
    "at no list": (changed("carried = true", "at = 1"), "15:6",
                   "contact.at = 1: must be a list of numbers, each finite"),
    "mistyped key of the contact": (changed("carried = true", "caried = true"), "15:1",
                                    "unknown key 'contact.caried' (true); did you mean 'carried'?"),
    "place of a moved patch": (changed('model = "ellipsoid"', "at = [1, 2]", MOVED), "14:6",
                               "contact.at = [ 1, 2 ]: must be left out: [motion] moves the patch itself"),
    "carried and moved": (changed('model = "ellipsoid"', "carried = false", MOVED), "14:11",
                          "contact.carried = false: must be left out"),
    # body and load
    "negative mass": (changed("mass = 1", "mass = -1"), "18:8", "body.mass = -1: must be > 0 and finite"),
    "no mass": (changed("mass = 1", ""), "17:1", "'body.mass' is missing: must be a number > 0 and finite"),
    "no inertia": (changed("inertia = 1e-3", ""), "17:1", "'body.inertia' is missing: must be a number > 0 and finite"),
    "inertia zero": (changed("inertia = 1e-3", "inertia = 0"), "19:11", "body.inertia = 0: must be > 0 and finite"),
    "gravity a number": (changed("mass = 1", "mass = 1\ngravity = 9.81"), "19:11",
                         "body.gravity = 9.81: must be a list of numbers, each finite"),
    "velocity of three": (changed("mass = 1", "mass = 1\nvelocity = [1, 2, 3]"), "19:12",
                          "body.velocity = [ 1, 2, 3 ]: must be two numbers [x, y]"),
    "position of text": (changed("mass = 1", 'mass = 1\nposition = ["a", "b"]'), "19:13",
                         "body.position = 'a': must be a list of numbers, each finite"),
    "spin infinite": (changed("mass = 1", "mass = 1\nspin = inf"), "19:8", "body.spin = inf: must be finite"),
    "mistyped key of the body": (changed("inertia = 1e-3", "inertia = 1\nvelocty = [0, 0]"), "20:1",
                                 "unknown key 'body.velocty'", "did you mean 'velocity'?"),
    "force of a line": (changed("fx = 4", "force = 4"), "21:1", "unknown key 'load.force' (4)"),
    "force that is text": (changed("fx = 4", 'fx = "4 N"'), "21:6", f"load.fx = '4 N': must be {SIGNAL}"),
    "torque of which times fall": (changed("fx = 4", "torque = {type='steps', times=[1, 0], values=[1, 2]}"), "21:31",
                                   "load.torque.times = [ 1, 0 ]: must be strictly increasing"),
    "force from a file that is not there": (changed("fx = 4", "fy = {type='csv', file='none.csv', value='u'}"), "21:24",
                                            "load.fy.file = 'none.csv': must be a readable file"),
    "mistyped motion": (changed("vx = 0.01", "v = 0.01", MOVED), "17:1", "unknown key 'motion.v' (0.01)"),
    "motion NaN": (changed("vx = 0.01", "spin = nan", MOVED), "17:8", f"motion.spin = nan: must be {SIGNAL}"),
    # integrator and output
    "duration zero": (changed("duration = 0.01", "duration = 0"), "23:12",
                      "integrator.duration = 0: must be > 0 and finite"),
    "no duration": (changed("duration = 0.01", ""), "22:1",
                    "'integrator.duration' is missing: must be a number > 0 and finite"),
    "duration NaN": (changed("duration = 0.01", "duration = nan"), "23:12",
                     "integrator.duration = nan: must be > 0 and finite"),
    "duration infinite": (changed("duration = 0.01", "duration = inf"), "23:12",
                          "integrator.duration = inf: must be > 0 and finite"),
    "method of a line": (GOOD + 'method = "sdirk2"\n', "24:10",
                         "integrator.method = 'sdirk2': must be one of accurate, fixed"),
    "step of the accurate solver": (GOOD + "step = 1e-3\n", "24:8", "integrator.step = 0.001: must be left out"),
    "tolerance of fixed steps": (GOOD + "method = 'fixed'\nrelative_tolerance = 1e-6\n", "25:22",
                                 "integrator.relative_tolerance = 1e-06: must be left out"),
    "tolerance too small": (GOOD + "relative_tolerance = 1e-13\n", "24:22",
                            "integrator.relative_tolerance = 1e-13: must be in [1e-10, 1e-3]"),
    "step zero": (GOOD + "method = 'fixed'\nstep = 0\n", "25:8", "integrator.step = 0: must be > 0 and finite"),
    "step longer than the run": (GOOD + "method = 'fixed'\nstep = 1\n", "25:8",
                                 "integrator.step = 1: must be > 0 and at most the duration"),
    "steps without end": (GOOD + "method = 'fixed'\nstep = 1e-14\n", "25:8",
                          "integrator.step = 1e-14: must be >= duration / max_steps (1e+12 steps, more than "
                          "max_steps = 100000000"),
    "accurate motion": (MOVED + "method = 'accurate'\n", "20:10",
                        "integrator.method = 'accurate': must be 'fixed', or left out, under [motion]"),
    "rows without end": (GOOD + "[output]\ninterval = 1e-15\n", "25:12",
                         "output.interval = 1e-15: must be >= duration / 1e7 ("),
    "interval zero": (GOOD + "[output]\ninterval = 0\n", "25:12", "output.interval = 0: must be > 0 and finite"),
    "unknown column": (GOOD + "[output]\ncolumns = ['time', 'z']\n", "25:20",
                       f"output.columns = 'z': must be one of {', '.join(COLUMNS)}"),
    "no columns": (GOOD + "[output]\ncolumns = []\n", "25:11",
                   "output.columns = []: must be a list of texts in quotes"),
    "unknown key of the output": (GOOD + "[output]\nintervall = 1\n", "25:1",
                                  "unknown key 'output.intervall' (1); did you mean 'interval'?"),
}


class PlanarScenario(command_line.TestCase):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            (self.folder / name).write_text(text)

    def scenario(self, text):
        path = self.folder / "case.toml"
        path.write_text(text)
        return path

    def simulated(self, text):
        """What it prints, the names of its columns, and its rows."""
        process = run("simulate", self.scenario(text), "--out", self.folder / "out")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        with open(self.folder / "out/case.csv", newline="") as file:
            names, *rows = csv.reader(file)
        return process.stdout, names, [[float(value) for value in row] for row in rows]

    def test_writes_all_columns_and_a_thousand_intervals(self):
        out, names, rows = self.simulated(GOOD)
        self.assertEqual(names, COLUMNS)
        self.assertEqual(len(rows), 1001)
        self.assertTrue(out.startswith("A slider\nmodel ellipsoid, 1001 rows, "), out)
        self.assertRegex(out, r"\nnormal_force +9.81 +9.81 +9.81\n")
        last = dict(zip(names, rows[-1]))
        self.assertAlmostEqual(last["time"], 0.01, delta=1e-12)
        # 4 N against μ f_N of about 3.4 N: it has broken away
        self.assertGreater(last["vx"], 1e-4)
        self.assertTrue(-0.36 * 9.81 < last["fx"] < -0.29 * 9.81)

    def test_a_moved_patch_resists_with_coulomb_friction(self):
        out, names, rows = self.simulated(changed("vx = 0.01", "vx = -1", MOVED))
        self.assertIn("model ellipsoid, 11 rows, 10 steps", out)
        last = dict(zip(names, rows[-1]))
        self.assertAlmostEqual(last["x"], -0.01, delta=1e-12)
        self.assertAlmostEqual(last["fx"], 0.3 * 9.81, delta=1e-9)

    def test_writes_the_columns_and_rows_asked_for(self):
        _, names, rows = self.simulated(GOOD + "[output]\ninterval = 0.0025\ncolumns = ['vx', 'time']\n")
        self.assertEqual(names, ["vx", "time"])
        self.assertEqual([row[1] for row in rows], [0, 0.0025, 0.005, 0.0075, 0.01])

    def test_what_cannot_be_solved_ends_with_one_line_and_writes_nothing(self):
        for method in "accurate", "fixed":
            text = changed("mass = 1", "mass = 1\ngravity = [0, -1e200]") + f"method = '{method}'\n"
            process = run("simulate", self.scenario(text), "--out", self.folder / "out")
            self.assert_one_line(process, 1, "step")
            self.assertFalse((self.folder / "out").exists())

    def test_bad_scenarios_are_refused_with_one_clear_line_and_leave_no_trace(self):
        for name, (text, place, *fragments) in SCENARIOS.items():
            with self.subTest(name):
                scenario = self.scenario(text)
                before = content(self.folder)
                process = run("simulate", scenario, "--out", self.folder / "out")
                where = f"stiction: {scenario}:{place}: " if place else "stiction: "
                self.assert_one_line(process, 2, where, *fragments)
                self.assertEqual(process.stdout, "")
                self.assertEqual(content(self.folder), before)


if __name__ == "__main__":
    command_line.main()
