"""The commands of `stiction`: what they print, write and return, also when interrupted or out of disk space."""

import csv
import html
import json
import math
import os
import pty
import re
import resource
import signal
import subprocess
import time
from pathlib import Path
from random import Random

import command_line
from command_line import STICTION, TIMEOUT, content, run

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["models", "list", "reproduce", "simulate", "advise", "detect", "inspect", "identify", "limit-surface",
            "bench", "sdf", "shell", "haptic", "mesh", "doctor"]
CLAIM_KEYS = {"name", "source", "evidence", "published", "measured", "unit", "relation", "tolerance", "holds", "expect", "outcome",
              "reason"}
SCENARIO = """\
title = "A mass under a sine"
model = {name="lugre", stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3}
body = {mass = 1}
load = {force = {type = "sine", amplitude = 2, frequency = 3}}
integrator = {duration = 0.2}
"""


class Cli(command_line.TestCase):
    def assert_good(self, process):
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return process.stdout

    def scenario(self, text=SCENARIO):
        (self.folder / "case.toml").write_text(text)
        return self.folder / "case.toml"

    def subfolder(self, name):
        (self.folder / name).mkdir()
        return self.folder / name

    def rows(self, file):
        with open(file, newline="") as stream:
            names, *rows = csv.reader(stream)
        return names, [[float(cell) for cell in row] for row in rows]


class LimitSurface(Cli):
    def surface(self, text, *arguments):
        (self.folder / "patch.toml").write_text(text)
        out = self.folder / "out"
        return json.loads(self.assert_good(run("limit-surface", self.folder / "patch.toml", "--out", out, "--json",
                                               *arguments)))

    def test_disc_and_square_against_closed_forms(self):
        disc = self.surface('[patch]\nshape = "disc"\nradius = 0.03\ncells = 101\nat = [0.1, -0.2]\n')
        self.assertAlmostEqual(disc["r"], 0.02, delta=2e-5)  # 2 R/3
        self.assertAlmostEqual(disc["u"], 0.03**2 / 2, delta=1e-6)
        self.assertAlmostEqual(disc["centre_of_pressure"][0], 0.1)
        self.assertAlmostEqual(disc["forceless_centre_of_rotation"][1], -0.2)
        square = self.surface('[patch]\nshape = "rectangle"\nwidth = 0.02\nheight = 0.02\n')
        self.assertAlmostEqual(square["r"], 0.02 / 6 * (math.sqrt(2) + math.log(1 + math.sqrt(2))), delta=1e-12)
        self.assertGreater(square["ellipsoid_error"]["rms"], 0.05)
        self.assertLess(square["ellipsoid_error"]["rms"], 0.15)

    def test_files_hold_the_surface(self):
        self.surface('[patch]\nshape = "paper-gradient-line"\n', "--cells", 6)
        names, rows = self.rows(self.folder / "out/limit_surface.csv")
        self.assertEqual(len(rows), 25 * 7)
        for row in map(dict, (zip(names, row) for row in rows)):
            force = math.hypot(row["fx"], row["fy"])
            self.assertLessEqual(force, 1 + 1e-12)
            power = row["fx"] * row["vx_m_s"] + row["fy"] * row["vy_m_s"] + row["tau_m"] * row["omega_rad_s"]
            self.assertLess(power, 0)
        ply = (self.folder / "out/limit_surface.ply").read_text().splitlines()
        self.assertEqual(ply[0], "ply")
        self.assertIn(f"element vertex {2 * 25 * 7}", ply)
        self.assertEqual(len(ply), ply.index("end_header") + 1 + 2 * 25 * 7 + 2 * 24 * 6)

    def test_image_from_a_file(self):
        (self.folder / "image.csv").write_text("# top row first\n0, 0, 4\n0, 0, 0\n")
        patch = self.surface('[patch]\nshape = "grid"\nfile = "image.csv"\nwidth = 0.03\nheight = 0.02\n')
        self.assertAlmostEqual(patch["centre_of_pressure"][0], 0.01)
        self.assertAlmostEqual(patch["centre_of_pressure"][1], 0.005)
        self.assertEqual(patch["points"], 1)

    def test_bad_patches_are_refused(self):
        cases = {
            'shape = "disk"': "did you mean 'disc'",
            'shape = "disc"\nradius = -1': "patch.radius = -1",
            'shape = "disc"\nradius = nan': "patch.radius",
            'shape = "disc"\nradius = 1\ncells = 2.5': "patch.cells = 2.5",
            'shape = "polygon"\nloops = [[[0, 0], [1, 0]]]': "patch.loops",
            'shape = "polygon"\nloops = [[[0, 0], [1, 0], ["a", 1]]]': "patch.loops",
            'shape = "grid"\nfile = "none.csv"\nwidth = 1\nheight = 1': "none.csv",
            'shape = "grid"\nfile = "zero.csv"\nwidth = 1\nheight = 1': "sum",
            'shape = "grid"\nfile = "ragged.csv"\nwidth = 1\nheight = 1': "ragged.csv:2",
            'shape = "grid"\nfile = "words.csv"\nwidth = 1\nheight = 1': "words.csv:1: 'soft'",
            'shape = "rectangle"\nwidth = 1\nheight = 1\ncolour = 3': "patch.colour",
            'shape = "polygon"\nloops = [[[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1]]]': "polygon (its area) = 0",
            'shape = "soft-finger"\nradius = 1\nexponent = 0.1': "patch.exponent = 0.1",
            'shape = "rectangle"\nwidth = 1\nheight = 1e-9': "take points for a line",
            'shape = "rectangle"\nwidth = 1\nheight = 1\nat = [1]': "patch.at",
        }
        (self.folder / "zero.csv").write_text("0,0\n0,0\n")
        (self.folder / "ragged.csv").write_text("1,2\n1\n")
        (self.folder / "words.csv").write_text("soft,2\n")
        for text, fragment in cases.items():
            with self.subTest(text):
                (self.folder / "patch.toml").write_text("[patch]\n" + text + "\n")
                process = run("limit-surface", self.folder / "patch.toml", "--out", self.folder / "out")
                self.assert_one_line(process, 2, fragment)
                self.assertFalse((self.folder / "out").exists())
        self.assert_one_line(run("limit-surface", self.folder / "missing.toml"), 2, "missing.toml")
        (self.folder / "patch.toml").write_text('[patch]\nshape = "rectangle"\nwidth = 1\nheight = 1\n')
        self.assert_one_line(run("limit-surface", self.folder / "patch.toml", "--cells", 0), 2, "--cells = 0")


class Printing(Cli):
    def test_version_is_the_one_of_the_header(self):
        header = (ROOT / "include/stiction/version.h").read_text()
        version = re.search(r'STICTION_VERSION "(.+)"', header)[1]
        self.assertEqual(self.assert_good(run("--version")), f"stiction {version}\n")

    def test_help_is_there_for_all(self):
        overview = self.assert_good(run("--help"))
        for command in COMMANDS:
            self.assertRegex(overview, rf"\n  {command} +\w")
            self.assertIn("Usage: ", self.assert_good(run(command, "--help")))

    def test_help_has_examples_that_fit_its_options(self):
        for command in [*([name] for name in COMMANDS), ["mesh", "repair"], ["haptic", "insertability"]]:
            with self.subTest(command):
                text = self.assert_good(run(*command, "--help"))
                if command != ["mesh"]:  # the commands below it have one
                    self.assertIn("--json", text)
                examples = re.findall(r"^  (stiction .+)$", text[text.index("\nExamples:\n"):], re.M)
                self.assertTrue(examples)
                for example in examples:
                    words = example.split()[1:]
                    self.assertEqual(words[0], command[0])
                    known = text + run(*words[:2], "--help").stdout  # also those of a command below it
                    for option in filter(lambda word: word.startswith("--"), words):
                        self.assertIn(option, known, example)
                    for file in filter(lambda word: word.startswith("examples/"), words):
                        self.assertTrue((ROOT / file).exists(), example)

    def test_alone_it_shows_what_one_can_do(self):
        text = self.assert_good(run())
        examples = re.findall(r"^  stiction (.+)$", text, re.M)
        self.assertEqual([example.split()[0] for example in examples],
                         ["simulate", "advise", "identify", "limit-surface", "haptic", "reproduce"])
        for number, example in enumerate(examples):
            with self.subTest(example):
                words = [ROOT / w if w.startswith("examples/") else w for w in example.split()]
                if words[0] == "haptic":
                    words = [*words[:-1], "0.1", "--no-pictures", "--cache", self.folder / "cache"]
                if words[0] != "advise":
                    words += ["--out", self.folder / str(number)]
                self.assert_good(run(*words))

    def on_terminal(self, *arguments, **environment):
        """What it prints to a terminal."""
        main, terminal = pty.openpty()
        subprocess.run([STICTION, *map(str, arguments)], stdout=terminal, stderr=terminal, timeout=TIMEOUT,
                       cwd=self.folder, env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm",
                                             **environment})
        os.close(terminal)
        shown = b""
        try:
            while data := os.read(main, 100000):
                shown += data
        except OSError:  # the end of a terminal
            pass
        os.close(main)
        return shown.decode()

    def test_colours_are_for_terminals_alone(self):
        for arguments in [[], ["doctor"], ["models", "nonsense"]]:
            with self.subTest(arguments):
                self.assertIn("\x1b[", self.on_terminal(*arguments))
                self.assertNotIn("\x1b[", self.on_terminal(*arguments, NO_COLOR="1"))
                self.assertNotIn("\x1b[", self.on_terminal(*arguments, TERM="dumb"))
                process = run(*arguments)
                self.assertNotIn("\x1b[", process.stdout + process.stderr)

    def test_doctor_says_what_works(self):
        found = json.loads(self.assert_good(run("doctor", "--json")))
        self.assertEqual(set(found), {"version", "compiler", "system", "processor", "cores", "features", "level", "parts"})
        parts = {part["name"]: part for part in found["parts"]}
        self.assertLessEqual({"models", "gnuplot", "CLP", "MuJoCo", "cache", "real-time priority"}, set(parts))
        self.assertEqual(parts["models"]["state"], "ok")
        without = {part["name"]: part for part in json.loads(self.assert_good(
            run("doctor", "--json", env={**os.environ, "PATH": str(self.folder)})))["parts"]}
        self.assertEqual(without["gnuplot"]["state"], "absent")
        self.assertIn("apt install gnuplot", without["gnuplot"]["remedy"])
        broken = self.folder / "gnuplot"
        broken.write_text("#!/bin/sh\nexit 3\n")
        broken.chmod(0o755)
        text = self.assert_good(run("doctor", env={**os.environ, "PATH": str(self.folder)}))
        self.assertRegex(text, r"broken +gnuplot +cannot draw .*status 3")
        if "avx2" in found["features"]:
            self.assertIn("x86-64-v2, as STICTION_SIMD asks",
                          self.assert_good(run("doctor", env={**os.environ, "STICTION_SIMD": "v2"})))

    def test_models_have_the_documented_keys(self):
        models = json.loads(self.assert_good(run("models", "--json")))
        self.assertIn("lugre", [model["name"] for model in models])
        for model in models:
            self.assertEqual(set(model), {"name", "title", "equation", "source", "states", "parameters"})
            self.assertTrue(model["equation"] and model["source"] and model["parameters"])
            for parameter in model["parameters"]:
                self.assertEqual(set(parameter), {"name", "unit", "range", "default", "meaning"})
                self.assertTrue(parameter["default"] in (None, "inf") or parameter["default"] >= 0)

    def test_one_model_is_told_in_detail(self):
        (lugre,) = json.loads(self.assert_good(run("models", "lugre", "--json")))
        self.assertEqual(lugre["states"], ["bristle"])
        text = self.assert_good(run("models", "lugre"))
        for parameter in lugre["parameters"]:
            name, unit, meaning = (re.escape(parameter[key]) for key in ["name", "unit", "meaning"])
            self.assertRegex(text, rf"\n  {name} +{unit} .*{meaning}\n")

    def test_presets_have_the_documented_keys_and_every_parameter(self):
        models = {model["name"]: model for model in json.loads(self.assert_good(run("models", "--json")))}
        presets = json.loads(self.assert_good(run("models", "--presets", "--json")))
        self.assertLessEqual({preset["model"] for preset in presets}, set(models))
        for preset in presets:
            self.assertEqual(set(preset), {"name", "model", "axis", "mass", "source", "parameters"})
            self.assertIn(preset["axis"], ["linear", "rotary"])
            self.assertGreater(preset["mass"], 0)
            self.assertEqual(list(preset["parameters"]), [p["name"] for p in models[preset["model"]]["parameters"]])
        lines = self.assert_good(run("models", "--presets")).splitlines()
        self.assertEqual([line.split()[:2] for line in lines], [[p["name"], p["model"]] for p in presets])
        table2 = next(preset for preset in presets if preset["name"] == "olsson-1998-table2")
        self.assertEqual(table2["parameters"]["stiffness"], 260)
        lugre = json.loads(self.assert_good(run("models", "lugre", "--presets", "--json")))
        self.assertEqual(lugre, [preset for preset in presets if preset["model"] == "lugre"])

    def test_text_and_json_list_the_same(self):
        for command, key in [("models", "name"), ("list", "id")]:
            names = [entry[key] for entry in json.loads(self.assert_good(run(command, "--json")))]
            lines = self.assert_good(run(command)).splitlines()
            self.assertEqual([line.split()[0] for line in lines], names)

    def test_experiments_have_the_documented_keys(self):
        experiments = json.loads(self.assert_good(run("list", "--json")))
        self.assertIn("scalar/fig04", [experiment["id"] for experiment in experiments])
        for experiment in experiments:
            self.assertEqual(set(experiment), {"id", "title", "source"})
            self.assertTrue(experiment["title"] and experiment["source"])

    def test_output_that_cannot_be_written_is_an_error(self):
        for arguments in [["--help"], ["--version"], ["list"], ["models", "--json"], ["simulate", self.scenario()]]:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                process = subprocess.run([STICTION, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE,
                                         text=True, timeout=TIMEOUT, cwd=self.folder)
                self.assert_one_line(process, 2, "No space left on device")


class Advise(Cli):
    def advice(self, *arguments):
        return json.loads(self.assert_good(run("advise", *arguments, "--json")))

    def test_answers_for_a_preset_with_its_own_mass(self):
        advice = self.advice(self.scenario('[model]\npreset = "canudas-1995"\n'), "--dt", 1e-3)
        self.assertEqual((advice["model"], advice["mass"], advice["dt"]), ("lugre", 1, 1e-3))
        self.assertAlmostEqual(advice["breakaway"], 1.5, delta=1e-3)
        self.assertIs(advice["passive"]["passive"], False)
        self.assertIs(advice["creeps"], False)
        self.assertIs(advice["one_solution"], True)
        self.assertEqual(advice["recommended"]["method"], "sdirk2")
        schemes = {scheme["method"]: scheme for scheme in advice["schemes"]}
        self.assertEqual(list(schemes), ["backward-euler", "sdirk2", "semi-implicit-euler", "explicit-euler",
                                         "runge-kutta-4"])
        self.assertEqual(schemes["sdirk2"]["largest_dt"], "inf")
        self.assertAlmostEqual(schemes["explicit-euler"]["largest_dt_at_rest"], 3.166e-3, delta=5e-5)
        for scheme in schemes.values():
            self.assertEqual(set(scheme), {"method", "stable", "largest_dt", "largest_dt_at_rest",
                                           "largest_dt_sliding", "creeps", "drift", "reason"})
            self.assertTrue(scheme["reason"])

    def test_takes_the_mass_given_before_that_of_the_body(self):
        scenario = self.scenario()  # a whole scenario is fine
        self.assertEqual(self.advice(scenario, "--dt", 1e-3)["mass"], 1)
        self.assertEqual(self.advice(scenario, "--dt", 1e-3, "--mass", 2.5)["mass"], 2.5)
        self.assertEqual(self.advice(scenario, "--dt", 1e-3, "--speed", 0.2)["speed"], 0.2)

    def test_prints_one_line_for_each_scheme_and_a_recommendation(self):
        scenario = self.scenario('[model]\nname = "tanh"\ncoulomb_force = 1\ntransition_velocity = 1e-3\n')
        text = self.assert_good(run("advise", scenario, "--dt", 1e-2, "--mass", 1))
        self.assertRegex(text, r"\ncreeps +yes, the model itself")
        self.assertRegex(text, r"\npassive +yes: ")
        self.assertRegex(text, r"\nexplicit-euler +no +0.002 .* at rest it needs dt < 0.002 s\n")
        self.assertRegex(text, r"\nbackward-euler +yes +any ")
        self.assertRegex(text, r"\nrecommended +sdirk2 at dt = 0.01 s: ")


class Detect(Cli):
    """Logs of a servo of 1 kg under PD control along a sine, with Gaussian noise, with and without Coulomb friction."""

    def log(self, friction, rows=6000, header="time,error,reference", turns=20.3, name="log.csv"):
        random = Random(4)
        dt = 0.01
        x = v = 0.0
        lines = []
        for i in range(rows):
            phase = 2 * math.pi * turns * i / rows
            rate = 2 * math.pi * turns / rows / dt
            reference, wanted = math.sin(phase), rate * math.cos(phase)
            measured = x + random.gauss(0, 2e-3)
            free = v + dt * (100 * (reference - measured) + 20 * (wanted - v) + random.gauss(0, 3))
            v = math.copysign(max(abs(free) - dt * friction, 0), free)
            x += dt * v
            values = {"time": i * dt, "error": reference - measured, "reference": reference, "position": measured}
            lines.append(",".join(f"{values.get(key, values['time']):.9g}" for key in header.split(",")))
        (self.folder / name).write_text(header + "\n" + "\n".join(lines) + "\n")
        return self.folder / name

    def verdict(self, *arguments):
        return json.loads(self.assert_good(run("detect", *arguments, "--json")))

    def test_tells_a_loop_with_friction_from_one_without(self):
        without = self.verdict(self.log(0))
        self.assertEqual(without["verdict"], "no friction", without)
        self.assertGreater(without["confidence"], 0.95)
        found = self.verdict(self.log(8))
        self.assertEqual(found["verdict"], "friction", found)
        self.assertGreater(found["confidence"], 0.99)
        self.assertLess(min(found["tail_p"], found["reversal_p"]), 0.005)
        self.assertEqual(found["reversals"], round(0.9 * 2 * 20.3))
        self.assertAlmostEqual(found["sample_time"], 0.01)

    def test_has_the_documented_keys_and_says_which_columns_it_guessed(self):
        found = self.verdict(self.log(8), "--error", "error")
        self.assertEqual(set(found), {"verdict", "confidence", "reason", "columns", "loop", "samples", "sample_time",
                                      "rms", "largest", "explained", "excess_kurtosis", "kurtosis_spread",
                                      "effective_samples", "tail_p", "reversals", "reversal_effect",
                                      "reversal_spread", "reversal_p", "notes"})
        self.assertEqual(found["columns"], {"time": {"name": "time", "guessed": True},
                                            "error": {"name": "error", "guessed": False},
                                            "reference": {"name": "reference", "guessed": True}, "measured": None})
        text = self.assert_good(run("detect", self.log(8)))
        self.assertRegex(text, r"\Afriction \(confidence 0\.99\d\): the error \w+")
        self.assertIn("column 'reference', guessed by its name", text)

    def test_takes_the_error_from_reference_and_position(self):
        direct = self.verdict(self.log(8))
        indirect = self.verdict(self.log(8, header="time,reference,position", name="other.csv"))
        self.assertEqual(indirect["columns"]["error"], None)
        self.assertEqual(indirect["columns"]["measured"], {"name": "position", "guessed": True})
        self.assertAlmostEqual(indirect["rms"], direct["rms"], delta=1e-6 * direct["rms"])
        self.assertEqual(indirect["verdict"], direct["verdict"])
        named = self.log(8, header="time,reference,position", name="named.csv")
        named.write_text(named.read_text().replace("time,reference,position", "T [s],Soll,Ist", 1))
        found = self.verdict(named, "--reference", "Soll", "--position", "Ist")
        self.assertEqual(found["verdict"], "friction")
        self.assertEqual(found["columns"]["time"], {"name": "T [s]", "guessed": True})

    def test_cannot_tell_from_logs_that_do_not_tell(self):
        short = self.verdict(self.log(8, rows=100))
        self.assertEqual((short["verdict"], short["confidence"]), ("cannot tell", 0))
        self.assertIn("short", short["reason"])
        seldom = self.verdict(self.log(0, turns=1.2))
        self.assertEqual(seldom["verdict"], "cannot tell")
        (self.folder / "flat.csv").write_text("error\n" + "0.25\n" * 1000)
        flat = self.verdict(self.folder / "flat.csv")
        self.assertEqual((flat["verdict"], flat["reason"]), ("cannot tell", "the error is constant"))
        self.assertEqual(flat["notes"], ["no column of time: rows are taken as equally spaced"])

    def test_leaves_out_the_start_and_notes_gaps(self):
        log = self.log(0)
        self.assertEqual(self.verdict(log, "--from", 20)["samples"], 4000)
        rows = log.read_text().splitlines()
        log.write_text("\n".join(rows[:3000] + rows[3100:]) + "\n")
        self.assertIn("not equally spaced", self.verdict(log)["notes"][0])


class Inspect(Cli):
    def log(self, name="log.csv", text=None):
        lines = ["t;q;i", "s;deg;A"]
        for k in range(4000):
            t = 5e-3 * k
            q, v = 90 * math.sin(t), math.cos(t)
            torque = math.copysign(0.3, v) + 0.1 * v + 0.5 * math.sin(math.radians(q))
            lines.append(f"{t:.6f};{q:.6f};{torque / 0.2:.6f}".replace(".", ","))
        (self.folder / name).write_text(text or "\n".join(lines) + "\n")
        return self.folder / name

    def test_says_what_was_taken_for_what_and_what_the_log_shows(self):
        text = self.assert_good(run("inspect", self.log(), "--torque-constant", "0.2", "--out", self.folder / "out"))
        for part in ["';' between cells, decimal comma, names in line 1, units in line 2",
                     "position: column 'q' (by its name), in deg", "torque: the current times 0.2 N m/A",
                     "yes  Coulomb friction", "yes  gravity", "Coulomb 0.3"]:
            self.assertIn(part, text)
        self.assertEqual({"inspection.json", "signals.csv", "torque.svg", "velocity.svg", "position.svg",
                          "torque_against_velocity.svg", "torque_against_position.svg"}, set(content(self.folder / "out")))

    def test_prints_objects(self):
        logs = json.loads(self.assert_good(run("inspect", self.log(), self.log("again.csv"), "--json", "--column", "torque=i",
                                               "--unit", "torque=0.2Nm", "--out", self.folder / "out")))
        self.assertEqual(len(logs), 2)
        self.assertEqual({**logs[0], "log": ""}, {**logs[1], "log": ""})
        self.assertAlmostEqual(logs[0]["linear_fit"]["coulomb"], 0.3, delta=3e-3)
        self.assertAlmostEqual(logs[0]["linear_fit"]["sine"], 0.5, delta=5e-3)
        self.assertAlmostEqual(logs[0]["clock"]["interval"], 5e-3)
        self.assertEqual({"1_log", "2_again"}, {str(file).split("/")[0] for file in content(self.folder / "out")})
        table, = json.loads(self.assert_good(run("inspect", ROOT / "examples/logs/steady_friction.csv", "--json")))
        self.assertIsNone(table["clock"])
        self.assertEqual([s["supported"] for s in table["support"] if s["effect"] == "Stribeck curve"], [True])

    def test_is_at_ease_with_little(self):
        text = self.assert_good(run("inspect", self.log("few.csv", "t,q\n0,1\n1,1\n")))
        self.assertIn("no   any friction: there is no torque", text)


class Identify(Cli):
    """Steady friction alone: the fit itself has its own tests."""

    def sweep(self, name="sweep.csv"):
        lines = ["velocity,torque,deviation"]
        noise = Random(3)
        for i in range(25):
            for sign in (1, -1):
                v = sign * 1e-3 * 1.3 ** i
                friction = sign * (1 + 0.5 * math.exp(-(v / 0.01) ** 2)) + 0.4 * v
                lines.append(f"{v:.9g},{friction + noise.gauss(0, 1e-4):.9g},1e-4")
        (self.folder / name).write_text("\n".join(lines) + "\n")
        return self.folder / name

    def test_writes_a_model_that_the_other_commands_read(self):
        out = self.folder / "fit"
        text = self.assert_good(run("identify", self.sweep(), "--model", "stribeck", "--out", out))
        self.assertIn("column 'velocity' (by its name), taken as SI", text)
        self.assertIn("stribeck: accepted", text)
        self.assertEqual({"model.toml", "fit.json", "steady.csv", "steady.svg"}, set(content(out)))
        self.assert_good(run("simulate", out / "model.toml", "--out", out))
        self.assert_good(run("advise", out / "model.toml", "--dt", "1e-3"))

    def test_finds_the_parameters_within_their_intervals(self):
        report = json.loads(self.assert_good(run("identify", self.sweep(), "--model", "stribeck", "--json", "--out",
                                                 self.folder)))
        self.assertEqual(set(report), {"logs", "notes", "fit", "models"})
        found = {p["name"]: p for p in report["fit"]["parameters"]}
        for name, truth in {"coulomb_force": 1, "static_force": 1.5, "stribeck_velocity": 0.01, "viscous": 0.4}.items():
            self.assertTrue(found[name]["determined"])
            self.assertLess(abs(found[name]["value"] - truth), 3 * found[name]["deviation"], name)
            self.assertLess(found[name]["deviation"], 0.01 * truth)

    def test_reads_columns_and_units_as_told(self):
        log = self.sweep()
        log.write_text(log.read_text().replace("velocity,torque,deviation", "Tempo,M,s", 1))
        report = json.loads(self.assert_good(run("identify", log, "--model", "stribeck", "--json", "--out", self.folder,
                                                 "--column", "velocity=Tempo", "--column", "torque=M", "--column",
                                                 "deviation=s", "--unit", "torque=mNm")))
        found = {p["name"]: p["value"] for p in report["fit"]["parameters"]}
        self.assertAlmostEqual(found["coulomb_force"], 1e-3, delta=1e-6)

    def test_measured_motion_drives_the_model(self):
        log = self.folder / "joint.csv"
        rows = ["time,torque,position"]
        for k in range(3000):
            t = 0.002 * k
            v = 0.4 * math.sin(1.3 * t) + 0.2 * math.sin(3.5 * t + 1)
            a = 0.52 * math.cos(1.3 * t) + 0.7 * math.cos(3.5 * t + 1)
            q = -0.4 / 1.3 * math.cos(1.3 * t) - 0.2 / 3.5 * math.cos(3.5 * t + 1)
            torque = 0.02 * a + math.copysign(0.3, v) + 0.2 * v + 0.05 + 1e-3 * math.sin(1e4 * k)
            rows.append(f"{t:.9g},{torque:.9g},{q:.9g}")
        log.write_text("\n".join(rows) + "\n")
        text = self.assert_good(run("identify", log, "--drive", "motion", "--out", self.folder))
        for part in ("coulomb: accepted", "driven by the measured motion", "Coulomb + viscous + offset:", "not determined by these data: stribeck_velocity"):
            self.assertIn(part, text)
        self.assertTrue((self.folder / "motion_1_friction.svg").exists())
        self.assert_good(run("simulate", self.folder / "model.toml", "--out", self.folder / "run"))
        report = json.loads(self.assert_good(run("identify", log, "--drive", "motion", "--json", "--out", self.folder)))["fit"]
        self.assertEqual((report["drive"], report["accepted"]), ("motion", True))
        self.assertLessEqual(report["motion"]["held_out_error"], report["motion"]["held_out_error_of_coulomb_and_viscous"])
        value = {row["name"]: row for row in report["parameters"]}["coulomb_force"]
        self.assertTrue(value["low"] <= 0.3 <= value["high"])
        result = run("identify", log, "--drive", "hand", "--out", self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--drive 'hand': must be one of auto, motion, torque, loop", result.stderr)

    def test_refuses_what_the_data_do_not_show_and_takes_the_old_model_away(self):
        (self.folder / "model.toml").write_text("# of an earlier fit\n")
        result = run("identify", self.sweep(), "--model", "lugre", "--out", self.folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("lugre: REFUSED: ", result.stdout)
        self.assertIn("not determined", result.stdout)
        self.assertFalse((self.folder / "model.toml").exists())

    def test_writes_a_plan(self):
        out = self.folder / "plan"
        text = self.assert_good(run("identify", "--experiment-plan", "--max-torque", "1", "--max-speed", "3", "--travel",
                                    "6", "--friction", "0.3", "--out", out))
        self.assertEqual({"sweep.csv", "presliding.csv", "motion.csv", "instructions.txt"},
                         set(content(out)) - {"break-away.csv"})
        self.assertIn((out / "instructions.txt").read_text(), text)


class Simulate(Cli):
    def test_writes_all_columns_and_a_thousand_intervals(self):
        out = self.assert_good(run("simulate", self.scenario(), "--out", self.folder / "new/out"))
        names, rows = self.rows(self.folder / "new/out/case.csv")
        self.assertEqual(names, ["time", "position", "velocity", "friction", "load", "bristle"])
        self.assertEqual(len(rows), 201)  # a row for each step of 1 ms
        self.assertEqual([row[0] for row in rows], [round(i * 1e-3, 3) for i in range(201)])
        for row in rows:
            self.assertAlmostEqual(row[4], 2 * math.sin(3 * row[0]), delta=1e-11)
        self.assertIn("A mass under a sine\nmodel lugre, 201 rows, 200 steps\n", out)
        self.assertTrue(out.endswith(f"written: {self.folder}/new/out/case.csv, {self.folder}/new/out/case.svg\n"))
        self.assertEqual(set(content(self.folder / "new")), {"out/case.csv", "out/case.svg"})

    def test_draws_every_column_over_time(self):
        self.assert_good(run("simulate", self.scenario(), cwd=self.folder))
        drawing = (self.folder / "out/case.svg").read_text()
        for text in ["A mass under a sine", "position", "velocity", "friction", "load", "bristle", "time [s]"]:
            self.assertIn(f">{text}<", drawing)
        self.assertEqual(len(re.findall(r' d="M\d+ \d+l', drawing)), 5)
        self.assert_good(run("simulate", self.scenario(), "--no-figure", "--out", "plain", cwd=self.folder))
        self.assertEqual(list(content(self.folder / "plain")), ["case.csv"])

    def test_prints_json(self):
        answer = json.loads(self.assert_good(run("simulate", self.scenario(), "--json", cwd=self.folder)))
        self.assertEqual(answer["rows"], 201)
        self.assertEqual((answer["written"], answer["figure"]), ("out/case.csv", "out/case.svg"))
        columns = {column["name"]: column for column in answer["columns"]}
        self.assertEqual(columns["time"]["last"], 0.2)
        self.assertFalse(answer["diverged"])

    def test_writes_into_out_unless_told(self):
        self.assert_good(run("simulate", self.scenario(), cwd=self.folder))
        self.assertTrue((self.folder / "out/case.csv").exists())

    def test_writes_the_columns_and_rows_asked_for(self):
        scenario = self.scenario(SCENARIO + 'output = {interval = 0.05, columns = ["friction", "time"]}\n')
        self.assert_good(run("simulate", scenario, cwd=self.folder))
        names, rows = self.rows(self.folder / "out/case.csv")
        self.assertEqual(names, ["friction", "time"])
        self.assertEqual([row[1] for row in rows], [0, 0.05, 0.1, 0.15, 0.2])

    def test_reads_csv_signals_from_beside_the_scenario(self):
        (self.folder / "log.csv").write_text("# logged\r\ntime, u\r\n0, 0\r\n0.2, 1\r\n")
        self.scenario(re.sub("load = .*", 'load = {force = {type = "csv", file = "log.csv", value = "u"}}', SCENARIO))
        self.assert_good(run("simulate", "../case.toml", "--out", ".", cwd=self.subfolder("elsewhere")))
        _, rows = self.rows(self.folder / "elsewhere/case.csv")
        for row in rows:
            self.assertAlmostEqual(row[4], row[0] / 0.2, delta=1e-11)

    def test_ends_before_the_first_value_that_is_not_finite(self):
        explicit = 'duration = 10, step = 0.01, method = "explicit-euler"'
        process = run("simulate", self.scenario(SCENARIO.replace("duration = 0.2", explicit)), cwd=self.folder)
        self.assert_one_line(process, 1, "no longer finite after t = ", "smaller step", 'method = "sdirk2"')
        _, rows = self.rows(self.folder / "out/case.csv")
        self.assertTrue(all(math.isfinite(value) for row in rows for value in row))
        self.assertTrue(1 < len(rows) < 1000, len(rows))
        self.assertGreater(abs(rows[-1][2]), 1e100)  # it truly ran away
        self.assertIn(f"after t = {rows[-1][0]:g} s", process.stderr)
        self.assertIn(f"model lugre, {len(rows)} rows", process.stdout)


    def test_says_what_helped_the_accurate_solver(self):
        stiff = """\
model = {name="viscous", viscous=1, exponent=0.1}
body = {mass = 1, velocity = 1}
integrator = {duration = 5, method = "cvode"}
"""
        printed = self.assert_good(run("simulate", self.scenario(stiff), cwd=self.folder))
        self.assertRegex(printed, r"note: cvode gave up at t = 1\.1111\d* s \(its steps became too short\): coupled steps "
                                  r"\(sdirk2\) with error control went on from t = ")
        self.assertAlmostEqual(self.rows(self.folder / "out/case.csv")[1][-1][1], 1 / 1.9, delta=1e-7)

    def test_says_where_steps_cannot_follow_an_input(self):
        printed = self.assert_good(run("simulate", self.scenario(SCENARIO.replace("frequency = 3", "frequency = 1e18")),
                                       cwd=self.folder))
        self.assertIn("note: an input changes within 1e-18 s: steps of 0.001 s sample it, but do not follow it\n", printed)

    def test_gives_up_when_its_steps_are_used_up(self):
        process = run("simulate", self.scenario(SCENARIO.replace("duration = 0.2",
                                                                 'duration = 10, method = "cvode", max_steps = 500')),
                      cwd=self.folder)
        self.assert_one_line(process, 1, "gave up after max_steps = 500 steps at t = ", "raise max_steps")


class Reproduce(Cli):
    def test_gives_claims_files_and_a_report(self):
        out = self.folder / "o"
        results = json.loads(self.assert_good(run("reproduce", "scalar/fig04", "--quick", "--json", "--out", out)))
        self.assertEqual(len(results), 1)
        self.assertEqual(set(results[0]), {"id", "title", "source", "version", "seconds", "notes", "figures", "claims"})
        self.assertEqual(results[0]["id"], "scalar/fig04")
        claims = results[0]["claims"]
        self.assertGreaterEqual(len(claims), 5)
        for claim in claims:
            self.assertEqual(set(claim), CLAIM_KEYS)
            self.assertEqual(claim["expect"], "reproduced")
            self.assertIs(claim["holds"], True)
            low, high = claim["published"] - claim["tolerance"], claim["published"] + claim["tolerance"]
            self.assertTrue({"within": low <= claim["measured"] <= high,
                             "at most": claim["measured"] <= high,
                             "at least": claim["measured"] >= low}[claim["relation"]])

        self.assertEqual(set(content(out)), {"report.html"} | {f"scalar/fig04/{name}" for name in [
            "fig04.svg", "lag_1.csv", "lag_10.csv", "lag_25.csv", "result.json"]})
        self.assertEqual(json.loads((out / "scalar/fig04/result.json").read_text()), results[0])
        self.assertEqual(self.rows(out / "scalar/fig04/lag_10.csv")[0], ["velocity [m/s]", "friction [N]"])

        report = (out / "report.html").read_text()
        self.assertIn("<svg", report)
        self.assertIsNone(re.search(r"""(src|href)\s*=\s*["']?\s*(https?:|//|file:)|@import|<link|<script\s""", report))
        for text in [claim["name"] for claim in claims] + [results[0]["title"], results[0]["source"], "scalar/fig04"]:
            self.assertIn(html.escape(text, quote=False), report)

    def test_prints_a_table_without_json(self):
        printed = self.assert_good(run("reproduce", "scalar/fig04", "--quick", cwd=self.folder))
        self.assertRegex(printed, r"\Aexperiment +claim +published +measured +unit +verdict\n")
        self.assertEqual(len(re.findall(" (reproduced|confirmed|met)\n", printed.split("claims:")[0])), 8)
        self.assertRegex(printed, r"\nclaims: .*\d")
        self.assertTrue(printed.endswith("report: out/report.html\n"))

    def test_gives_the_same_numbers_every_time(self):
        for out in ["a", "b"]:
            self.assert_good(run("reproduce", "scalar/fig04", "--quick", "--out", self.folder / out))
        for name in ["lag_1.csv", "lag_10.csv", "lag_25.csv", "fig04.svg"]:
            self.assertEqual(*[(self.folder / out / "scalar/fig04" / name).read_bytes() for out in ["a", "b"]])

    def test_shows_a_progress_bar_on_a_terminal_alone(self):
        main, terminal = pty.openpty()
        process = subprocess.run([STICTION, "reproduce", "scalar/fig04", "--quick"], stdout=subprocess.PIPE,
                                 stderr=terminal, text=True, timeout=TIMEOUT, cwd=self.folder)
        os.close(terminal)
        shown = os.read(main, 100000).decode()
        os.close(main)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(shown, r"\r\[=* *\] +\d+ %  scalar/fig04")
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))  # gone in the end
        self.assertNotIn("%", process.stdout)
        # Work of some seconds says how many are left.
        scenario = self.scenario(SCENARIO.replace("duration = 0.2", 'duration = 2e4, method = "cvode"')
                                 + "output = {interval = 0.1}\n")
        main, terminal = pty.openpty()
        work = subprocess.Popen([STICTION, "simulate", scenario], stdout=subprocess.PIPE, stderr=terminal, text=True,
                                   cwd=self.folder)
        self.addCleanup(work.kill)
        os.close(terminal)
        shown_later, give_up = "", time.monotonic() + TIMEOUT
        while " left" not in shown_later and time.monotonic() < give_up:
            try:
                shown_later += os.read(main, 100000).decode()
            except OSError:
                break
        work.send_signal(signal.SIGINT)
        work.communicate(timeout=TIMEOUT)
        os.close(main)
        self.assertRegex(shown_later, r"\d+ %  simulating +\d+:\d\d left")
        # On a pipe: assert_good has seen an empty stderr in every other test.

    def test_needs_no_other_program(self):
        self.assert_good(run("reproduce", "scalar/fig04", "--quick", cwd=self.folder, env={"PATH": str(self.folder)}))
        self.assertTrue((self.folder / "out/scalar/fig04/fig04.svg").read_text().endswith("</svg>\n"))


class FullDisk(Cli):
    """No file may grow beyond some bytes, as on a disk that has no more."""

    def run_with_room(self, room, *arguments):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

        return run(*arguments, cwd=self.folder, preexec_fn=limit)

    def test_of_a_simulation_leaves_the_earlier_file(self):
        self.assert_good(run("simulate", self.scenario(), cwd=self.folder))
        before = content(self.folder)
        process = self.run_with_room(4096, "simulate", "case.toml")
        self.assert_one_line(process, 2, "cannot write out/case.csv: File too large")
        self.assertEqual(process.stdout, "")
        self.assertEqual(content(self.folder), before)

    def test_of_an_experiment_leaves_the_earlier_results(self):
        self.assert_good(run("reproduce", "scalar/fig04", "--quick", cwd=self.folder))
        def files():  # a result says how long it took
            return {name: data for name, data in content(self.folder).items() if not name.endswith("result.json")}

        before = files()
        for room, culprit in [(4096, "write out/scalar/fig04/lag_1.csv"), (20000, "write out/report.html")]:
            with self.subTest(culprit):
                process = self.run_with_room(room, "reproduce", "scalar/fig04", "--quick")
                self.assert_one_line(process, 2, f"cannot {culprit}: ")
                self.assertEqual(files(), before)


class Interrupt(Cli):
    def test_of_a_simulation_writes_the_rows_so_far_within_a_second(self):
        undamped = 'model = {name="coulomb", coulomb_force=0}\nbody = {mass=1, position=1}\n' \
                   "load = {spring = {stiffness = 1e6}}\n"
        planar = (ROOT / "examples/scenarios/pushed_slider.toml").read_text()
        cases = {
            "accurate": undamped + 'integrator = {duration = 1e4, method = "cvode"}\noutput = {interval = 0.01}\n',
            "fixed": undamped + "integrator = {duration = 9e4, step = 1e-3}\noutput = {interval = 1}\n",
            "driven": 'model = {name="dahl", stiffness=1e3, coulomb_force=1}\nmotion = {velocity = {type="sine", amplitude=1,'
                      " frequency=10}}\nintegrator = {duration = 9e4, step = 1e-3}\noutput = {interval = 1}\n",
            "planar": re.sub(r"(?s)\[integrator\].*", "[integrator]\nduration = 9e4\n[output]\ninterval = 0.1\n", planar),
        }
        for name, text in cases.items():
            with self.subTest(name):
                process = subprocess.Popen([STICTION, "simulate", self.scenario(text), "--out", self.folder / name],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.addCleanup(process.kill)
                time.sleep(1.5)
                self.assertIsNone(process.poll(), "it ended by itself")
                process.send_signal(signal.SIGINT)
                start = time.monotonic()
                printed, complaint = process.communicate(timeout=TIMEOUT)
                self.assertLess(time.monotonic() - start, 3)  # the machine may be busy
                self.assertEqual(process.returncode, 130, complaint)
                self.assertRegex(complaint, r"\Astiction: interrupted; the rows up to t = [-+.e\d]+ s are written\n\Z")
                _, rows = self.rows(self.folder / name / "case.csv")
                self.assertGreater(len(rows), 1)
                self.assertAlmostEqual(rows[-1][0], float(re.search("t = ([^ ]+)", complaint)[1]), delta=1e-5 * rows[-1][0])
                self.assertIn(f"{len(rows)} rows", printed)

    def test_keeps_what_is_finished(self):
        out = self.folder / "o"
        process = subprocess.Popen([STICTION, "reproduce", "scalar/fig04", "scalar/stiction-gate", "--quick", "--json",
                                    "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        give_up = time.monotonic() + TIMEOUT
        while not (out / "scalar/fig04/result.json").exists():
            self.assertLess(time.monotonic(), give_up)
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        time.sleep(0.5)  # into the second experiment
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        printed, complaint = process.communicate(timeout=TIMEOUT)
        self.assertLess(time.monotonic() - start, 15)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(complaint, "stiction: interrupted; 1 of 2 experiments are finished and written\n")
        self.assertEqual([result["id"] for result in json.loads(printed)], ["scalar/fig04"])
        self.assertEqual(len(list((out / "scalar/fig04").iterdir())), 5)
        self.assertEqual([name for name in content(out) if name.endswith((".part", ".gnuplot"))], [])
        report = (out / "report.html").read_text()
        self.assertIn('id="scalar/fig04"', report)
        self.assertIn("<svg", report)
        self.assertNotIn("stiction-gate", report)


if __name__ == "__main__":
    command_line.main()
