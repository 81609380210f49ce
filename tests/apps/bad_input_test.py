"""Input that cannot be used: one clear line, exit code 2, nothing written. Never a crash, never a hang."""

import json

import command_line
from command_line import content, run

GOOD = """\
title = "A mass under a sine"
[model]
name = "lugre"
stiffness = 1e5
damping = 316
coulomb_force = 1
static_force = 1.5
stribeck_velocity = 1e-3
[body]
mass = 1
[load]
force = 2
[integrator]
duration = 0.01
"""
COLUMNS = "time, position, velocity, friction, load, bristle"
MODELS = ", ".join(model["name"] for model in json.loads(run("models", "--json").stdout))
METHODS = "cvode, sdirk2, backward-euler, explicit-euler, semi-implicit-euler, runge-kutta-4"
SIGNAL = "a finite number, a table with a type (constant, ramp, sine, steps, table, csv), or a list of these"

# What lies beside every scenario.
FILES = {
    "good.toml": GOOD,
    "nomodel.toml": "[body]\nmass = 1\n",
    "massless.toml": GOOD[:GOOD.index("[body]")],
    "bad.csv": "time, u\n0, 1\n1, two\n",
    "empty.csv": "time, u\n",
    "falling.csv": "time, u\n0, 1\n1, 2\n0.5, 3\n",
    "other.csv": "t, u\n0, 1\n1, 2\n",
    "words.csv": "alpha, beta\n0, 1\n1, 2\n",
    "nan.csv": "t, error\n0, 1\n1, nan\n",
    "timeless.csv": "error\n1\n2\n",
    "unmoved.csv": "t, torque, x\n" + "".join(f"{i}e-3, {i % 7}, 1\n" for i in range(300)),
    "undriven.csv": "t, torque, x\n" + "".join(f"{i}e-3, 0.5, {i % 7}\n" for i in range(300)),
    "short.csv": "t, torque, x\n" + "".join(f"{i}e-3, {i % 7}, {i % 5}\n" for i in range(50)),
    "milliseconds.csv": "t, torque, x\n" + "".join(f"{i}, {i % 7}, {i % 5}\n" for i in range(300)),
    "degrees.csv": "t, torque, x, velocity\n" + "".join(f"{i}e-3, {i % 7}, {57.3e-3 * i}, 1\n" for i in range(300)),
    "backwards.csv": "t, torque, x\n" + "".join(f"{i if i != 200 else 7}e-3, {i % 7}, {i % 5}\n" for i in range(300)),
    "all_nan.csv": "t, torque, x\n" + "".join(f"{i}e-3, nan, {i % 5}\n" for i in range(300)),
    "huge.csv": "t, torque, x\n" + "".join(f"{i}e-3, {i % 7 if i != 150 else 1e300}, {i % 5}\n" for i in range(300)),
    "undeviating.csv": "velocity, torque, deviation\n" + "".join(f"{i}, 1, {i - 3}\n" for i in range(1, 9)),
    "few.csv": "velocity, torque\n1, 1\n2, 1\n-1, -1\n",
    "furlongs.csv": "t, torque, x [furlong]\n" + "".join(f"{i}e-3, {i % 7}, {i % 5}\n" for i in range(300)),
}


def changed(line, replacement):
    """The good scenario with another text in place of one line."""
    assert GOOD.count(line + "\n") == 1, line
    return GOOD.replace(line + "\n", replacement + "\n")


def model(**values):
    """The good scenario with other parameters; None leaves one out."""
    text = GOOD
    for key, value in values.items():
        line = next(line for line in text.splitlines() if line.startswith(key + " "))
        text = text.replace(line + "\n", "" if value is None else f"{key} = {value}\n")
    return text


def force(value):
    return changed("force = 2", f"force = {value}")


def integrator(text):
    return changed("duration = 0.01", text)


def output(text):
    return GOOD + "[output]\n" + text


# What is wrong: the scenario, where in it, and the rest of the line.
SCENARIOS = {
    # parameters
    "missing parameter": (model(stiffness=None), "2:1",
                          "'model.stiffness' is missing: must be a number in [1e-15, 1e15]"),
    "negative parameter": (model(stiffness=-1), "4:13", "model.stiffness = -1: must be in [1e-15, 1e15]"),
    "zero parameter": (model(stiffness="0.0"), "4:13", "model.stiffness = 0: must be in [1e-15, 1e15]"),
    "NaN parameter": (model(damping="nan"), "5:11", "model.damping = nan: must be in [0, 1e15]"),
    "infinite parameter": (model(coulomb_force="inf"), "6:17", "model.coulomb_force = inf: must be in [1e-15, 1e15]"),
    "minus infinity": (model(coulomb_force="-inf"), "6:17", "model.coulomb_force = -inf: must be in [1e-15, 1e15]"),
    "text parameter": (model(stiffness='"1e5"'), "4:13", "model.stiffness = '1e5': must be a number in [1e-15, 1e15]"),
    "boolean parameter": (model(stiffness="true"), "4:13", "model.stiffness = true: must be a number in [1e-15, 1e15]"),
    "list parameter": (model(stiffness="[1]"), "4:13", "model.stiffness = [ 1 ]: must be a number in [1e-15, 1e15]"),
    "date parameter": (model(stiffness="2024-02-29"), "4:17", "not valid TOML:", "dates are not used"),
    "small number, as it was written": (model(damping="-1e-6"), "5:11",
                                        "model.damping = -1e-06: must be in [0, 1e15]"),
    "FS below FC": (model(static_force=0.5), "7:16", "model.static_force = 0.5: must be >= coulomb_force"),
    "Stribeck exponent too large": (changed("damping = 316", "damping = 316\nstribeck_exponent = 2.5"), "6:21",
                                    "model.stribeck_exponent = 2.5: must be in [0.5, 2]"),
    "Stribeck exponent too small": (changed("damping = 316", "damping = 316\nstribeck_exponent = 0.4"), "6:21",
                                    "model.stribeck_exponent = 0.4: must be in [0.5, 2]"),
    "viscous exponent zero": ('[model]\nname = "viscous"\nviscous = 1\nexponent = 0\n', "4:12",
                              "model.exponent = 0: must be in [0.1, 10]"),
    "asymmetric FS below FC": ("""[model]
name = "asymmetric-stribeck"
coulomb_force_plus = 1
static_force_plus = 1
stribeck_velocity_plus = 1
coulomb_force_minus = 2
static_force_minus = 1
stribeck_velocity_minus = 1
""", "7:22", "model.static_force_minus = 1: must be >= coulomb_force_minus"),
    "negative infinite damping velocity": (changed("damping = 316", "damping = 316\ndamping_velocity = -inf"), "6:20",
                                           "model.damping_velocity = -inf: must be >= 1e-15, or inf"),
    "infinite initial state": (GOOD + "[initial]\nbristle = inf\n", "16:11", "initial.bristle = inf: must be finite"),
    "state of another model": (GOOD + "[initial]\nmode = 1\n", "16:1", "unknown key 'initial.mode' (1)"),
    # names and keys
    "unknown model": (changed('name = "lugre"', 'name = "lugr"'), "3:8",
                      f"model.name = 'lugr': must be one of {MODELS}; did you mean 'lugre'?"),
    "unknown model far from all": (changed('name = "lugre"', 'name = "quantum"'), "3:8",
                                   f"model.name = 'quantum': must be one of {MODELS}\n"),
    "model without name": (changed('name = "lugre"', ""), "2:1", f"'model.name' is missing: must be one of {MODELS}"),
    "half a bristle": ('[model]\nname = "haessig-bristle"\nbristles = 20.5\nstiffness = 1\nlargest_bend = 1\n', "3:12",
                       "model.bristles = 20.5: must be a whole number from 1 to 64"),
    "negative seed": ('[model]\nname = "haessig-bristle"\nseed = -1\nstiffness = 1\nlargest_bend = 1\n', "3:8",
                      "model.seed = -1: must be a whole number from 0 to 2^32 - 1"),
    "seed not a number": ('[model]\nname = "haessig-bristle"\nseed = nan\nstiffness = 1\nlargest_bend = 1\n', "3:8",
                          "model.seed = nan: must be a whole number from 0 to 2^32 - 1"),
    "seed in words": ('[model]\nname = "haessig-bristle"\nseed = "one"\nstiffness = 1\nlargest_bend = 1\n', "3:8",
                      "model.seed = 'one': must be a whole number from 0 to 2^32 - 1"),
    "unknown preset": ('[model]\npreset = "canudas-1994"\n', "2:10", "model.preset = 'canudas-1994': must be one of ",
                       "; did you mean 'canudas-1995'?"),
    "preset of another model": ('[model]\nname = "tanh"\npreset = "canudas-1995"\n', "2:8",
                                "model.name = 'tanh': must be 'lugre', the model of the preset 'canudas-1995'"),
    "preset that no longer fits": ('[model]\npreset = "canudas-1995"\ncoulomb_force = 2\n', "1:1",
                                   "model.static_force = 1.5: must be >= coulomb_force"),
    "model name a number": (changed('name = "lugre"', "name = 3"), "3:8", "model.name = 3: must be a text in quotes"),
    "mistyped key of the file": (changed('title = "A mass under a sine"', 'titel = "A"'), "1:1",
                                 "unknown key 'titel' ('A'); did you mean 'title'?"),
    "mistyped table": (GOOD.replace("[load]", "[laod]"), "11:2",
                       "unknown key 'laod' (force = 2); did you mean 'load'?"),
    "mistyped required table": (GOOD.replace("[integrator]", "[integratr]"), "13:2",
                                "unknown key 'integratr' (duration = 0.01); did you mean 'integrator'?"),
    "mistyped required parameter": (GOOD.replace("stiffness", "stifness"), "4:1",
                                    "unknown key 'model.stifness' (100000); did you mean 'stiffness'?"),
    "mistyped optional parameter": (changed("damping = 316", "damping = 316\nviscuos = 0.4"), "6:1",
                                    "unknown key 'model.viscuos' (0.4); did you mean 'viscous'?"),
    "unknown key far from all": (changed("damping = 316", "damping = 316\ncolour = 3"), "6:1",
                                 "unknown key 'model.colour' (3)\n"),
    "unknown key of the body": (changed("mass = 1", "mass = 1\nvelocty = 1"), "11:1",
                                "unknown key 'body.velocty' (1); did you mean 'velocity'?"),
    "unknown key of the load": (changed("force = 2", "forse = 2"), "12:1",
                                "unknown key 'load.forse' (2); did you mean 'force'?"),
    "mistyped spring": (GOOD + "[load.sprng]\nstiffness = 1\n", "15:7",
                        "unknown key 'load.sprng' (stiffness = 1); did you mean 'spring'?"),
    "unknown key of the spring": (GOOD + "[load.spring]\nstiffness = 1\nanchr = 1\n", "17:1",
                                  "unknown key 'load.spring.anchr' (1); did you mean 'anchor'?"),
    "unknown key of the controller": (GOOD + "[load.controller]\nproportionl = 1\n", "16:1",
                                      "unknown key 'load.controller.proportionl' (1); did you mean 'proportional'?"),
    "unknown key of a signal": (force('{type="sine", amplitude=1, frequency=1, fase=1}'), "12:49",
                                "unknown key 'load.force.fase' (1); did you mean 'phase'?"),
    "unknown key of the integrator": (integrator("duration = 1\nstpe = 1e-3"), "15:1",
                                      "unknown key 'integrator.stpe' (0.001); did you mean 'step'?"),
    "unknown key of the output": (output("intervall = 1"), "16:1",
                                  "unknown key 'output.intervall' (1); did you mean 'interval'?"),
    "derivative of a controlled velocity": (GOOD + '[load.controller]\non = "velocity"\nderivative = 1\n', "17:1",
                                            "unknown key 'load.controller.derivative' (1)"),
    "controller on something else": (GOOD + '[load.controller]\non = "force"\n', "16:6",
                                     "load.controller.on = 'force': must be one of position, velocity"),
    # what moves
    "no model": (GOOD[GOOD.index("[body]"):], "1:1", "'model' is missing: must be a table [model]"),
    "model no table": ("model = 3\n", "1:9", "model = 3: must be a table [model]"),
    "list of models": ("[[model]]\nname = 'lugre'\n", "1:1", "model = [ { name = 'lugre' } ]: must be a table [model]"),
    "neither body nor motion": (GOOD.replace("[body]\nmass = 1\n", ""), "1:1",
                                "'body' is missing: must be a table [body], or [motion] instead"),
    "motion beside body": (GOOD + "[motion]\nvelocity = 1\n", "15:1",
                           "[motion] imposes the velocity: it cannot be combined with [body] or [load]"),
    "motion beside load": (GOOD.replace("[body]\nmass = 1\n", "[motion]\nvelocity = 1\n"), "9:1",
                           "[motion] imposes the velocity: it cannot be combined with [body] or [load]"),
    "motion without velocity": (GOOD[:GOOD.index("[body]")] + "[motion]\n[integrator]\nduration = 1\n", "9:1",
                                f"'motion.velocity' is missing: must be {SIGNAL}"),
    "no mass": (changed("mass = 1", "position = 1"), "9:1", "'body.mass' is missing: must be a number > 0 and finite"),
    "mass zero": (changed("mass = 1", "mass = 0"), "10:8", "body.mass = 0: must be > 0 and finite"),
    "infinite velocity": (changed("mass = 1", "mass = 1\nvelocity = inf"), "11:12",
                          "body.velocity = inf: must be finite"),
    "spring without stiffness": (GOOD + "[load.spring]\ndamping = 1\n", "15:1",
                                 "'load.spring.stiffness' is missing: must be a number >= 0 and finite"),
    "negative gain": (GOOD + "[load.controller]\nintegral = -1\n", "16:12",
                      "load.controller.integral = -1: must be >= 0 and finite"),
    # integrator and output
    "no integrator": (GOOD[:GOOD.index("[integrator]")], "1:1",
                      "'integrator' is missing: must be a table [integrator]"),
    "unknown method": (integrator('duration = 1\nmethod = "sdirk3"'), "15:10",
                       f"integrator.method = 'sdirk3': must be one of {METHODS}; did you mean 'sdirk2'?"),
    "no duration": (integrator(""), "13:1", "'integrator.duration' is missing: must be a number > 0 and finite"),
    "duration zero": (integrator("duration = 0"), "14:12", "integrator.duration = 0: must be > 0 and finite"),
    "duration negative": (integrator("duration = -5"), "14:12", "integrator.duration = -5: must be > 0 and finite"),
    "duration NaN": (integrator("duration = nan"), "14:12", "integrator.duration = nan: must be > 0 and finite"),
    "duration infinite": (integrator("duration = inf"), "14:12", "integrator.duration = inf: must be > 0 and finite"),
    "step zero": (integrator("duration = 1\nstep = 0"), "15:8", "integrator.step = 0: must be > 0 and finite"),
    "step longer than the run": (integrator("duration = 1\nstep = 2"), "15:8",
                                 "integrator.step = 2: must be > 0 and at most the duration"),
    "steps without end": (integrator("duration = 1e9\nstep = 1e-9"), "15:8",
                          "integrator.step = 1e-09: must be >= duration / max_steps (1e+18 steps, more than "
                          "max_steps = 100000000: raise step or max_steps, or shorten duration)"),
    "rows without end": (output("interval = 1e-15"), "16:12", "output.interval = 1e-15: must be >= duration / 1e7 ("),
    "steps not whole": (integrator("duration = 1\nmax_steps = 1.5"), "15:13",
                        "integrator.max_steps = 1.5: must be a whole number from 1 to 1e15"),
    "no steps": (integrator("duration = 1\nmax_steps = 0"), "15:13",
                 "integrator.max_steps = 0: must be a whole number from 1 to 1e15"),
    "an input far too fast": (
        force('{type="sine", amplitude=1, frequency=1e18}').replace("duration = 0.01", 'duration = 5\nmethod = "cvode"'),
        "13:1", "integrator.max_steps = 100000000: at least 5e+19 steps are needed for an input that changes within 1e-18 s:"
                " raise max_steps, shorten duration, or take a slower input"),
    "a body's method for an imposed velocity": (
        GOOD[:GOOD.index("[body]")] + '[motion]\nvelocity = 1\n[integrator]\nduration = 1\nmethod = "sdirk2"\n', "13:10",
        "integrator.method = 'sdirk2': must be one of cvode, midpoint"),
    "an imposed velocity's method for a body": (integrator('duration = 1\nmethod = "midpoint"'), "15:10",
                                                f"integrator.method = 'midpoint': must be one of {METHODS}"),
    "column twice": (output('columns = ["time", "time"]'), "16:20", "output.columns = 'time': must be named once"),
    "interval zero": (output("interval = 0"), "16:12", "output.interval = 0: must be > 0 and finite"),
    "tolerance too small": (integrator('duration = 1\nmethod = "cvode"\nrelative_tolerance = 1e-30'), "16:22",
                            "integrator.relative_tolerance = 1e-30: must be in [1e-13, 1e-2]"),
    "step for the accurate solver": (integrator('duration = 1\nmethod = "cvode"\nstep = 1'), "16:8",
                                     "integrator.step = 1: must be left out"),
    "tolerance for fixed steps": (integrator("duration = 1\nrelative_tolerance = 1e-6"), "15:22",
                                  "integrator.relative_tolerance = 1e-06: must be left out"),
    "unknown column": (output('columns = ["time", "position", "velocity", "friction", "bristles"]'), "16:56",
                       f"output.columns = 'bristles': must be one of {COLUMNS}; did you mean 'bristle'?"),
    "column that is a number": (output("columns = [1]"), "16:11",
                                "output.columns = [ 1 ]: must be a list of texts in quotes, each one of " + COLUMNS),
    "no columns": (output("columns = []"), "16:11", "output.columns = []: must be a list of texts in quotes"),
    "columns no list": (output('columns = "time"'), "16:11",
                        "output.columns = 'time': must be a list of texts in quotes"),
    # signals
    "unknown signal": (force('{type="triangle"}'), "12:15",
                       "load.force.type = 'triangle': must be one of constant, ramp, sine, steps, table, csv"),
    "signal without type": (force("{value=1}"), "12:9",
                            "'load.force.type' is missing: must be one of constant, ramp, sine, steps, table, csv"),
    "signal that is text": (force('"2 N"'), "12:9", f"load.force = '2 N': must be {SIGNAL}"),
    "signal that is true": (force("true"), "12:9", f"load.force = true: must be {SIGNAL}"),
    "signal NaN": (force("nan"), "12:9", f"load.force = nan: must be {SIGNAL}"),
    "empty list of signals": (force("[]"), "12:9", f"load.force = []: must be {SIGNAL}"),
    "list in a list": (force("[1, [2]]"), "12:13", f"load.force = [ 2 ]: must be {SIGNAL}"),
    "infinite signal in a list": (force("[1, inf]"), "12:13", f"load.force = inf: must be {SIGNAL}"),
    "ramp that ends at its start": (force('{type="ramp", to=1, start=2, end=2}'), "12:42",
                                    "load.force.end = 2: must be > start (2)"),
    "ramp that ends before its start": (force('{type="ramp", to=1, start=2, end=1}'), "12:42",
                                        "load.force.end = 1: must be > start (2)"),
    "smooth no boolean": (force('{type="ramp", to=1, end=1, smooth=1}'), "12:43",
                          "load.force.smooth = 1: must be true or false"),
    "frequency zero": (force('{type="sine", amplitude=1, frequency=0}'), "12:46",
                       "load.force.frequency = 0: must be > 0 and finite"),
    "steps of which times fall": (force('{type="steps", times=[1, 0.5], values=[1, 2]}'), "12:30",
                                  "load.force.times = [ 1, 0.5 ]: must be strictly increasing"),
    "table of which times repeat": (force('{type="table", times=[1, 1], values=[1, 2]}'), "12:30",
                                    "load.force.times = [ 1, 1 ]: must be strictly increasing"),
    "lengths that differ": (force('{type="table", times=[1, 2], values=[1]}'), "12:9",
                            "'load.force.times' has 2 numbers and 'load.force.values' 1: must be equally many"),
    "no times": (force('{type="steps", times=[], values=[]}'), "12:30",
                 "load.force.times = []: must be a list of numbers, each finite"),
    "times that are text": (force('{type="steps", times=[0, "1"], values=[1, 2]}'), "12:34",
                            "load.force.times = '1': must be a list of numbers, each finite"),
    "values infinite": (force('{type="steps", times=[0, 1], values=[1, inf]}'), "12:49",
                        "load.force.values = inf: must be a list of numbers, each finite"),
    # CSV files of signals
    "CSV that is not there": (force('{type="csv", file="none.csv", value="u"}'), "12:27",
                              "load.force.file = 'none.csv': must be a readable file: there is none at"),
    "CSV that is a folder": (force('{type="csv", file=".", value="u"}'), "12:27",
                             "load.force.file = '.': must be a readable file: there is none at"),
    "CSV without that column": (force('{type="csv", file="falling.csv", value="v"}'), "12:48",
                                "load.force.value = 'v': must be one of the columns of", "falling.csv: time, u"),
    "CSV without that time": (force('{type="csv", file="falling.csv", value="u", time="t"}'), "12:58",
                              "load.force.time = 't': must be one of the columns of", "falling.csv: time, u"),
    "CSV without the usual time": (force('{type="csv", file="other.csv", value="u"}'), "12:9",
                                   "'load.force.time' is missing: must be one of the columns of", "other.csv: t, u"),
    "CSV with a bad cell": (force('{type="csv", file="bad.csv", value="u"}'), "",
                            "bad.csv:3:4: u = 'two': must be a finite number"),
    "CSV without rows": (force('{type="csv", file="empty.csv", value="u"}'), "",
                         "empty.csv: has no rows; a header line and at least one row of numbers are needed"),
    "CSV of which times fall": (force('{type="csv", file="falling.csv", value="u"}'), "",
                                "falling.csv: column 'time' falls or repeats in row 3 (0.5): must increase strictly"),
    # TOML itself
    "empty file": ("", "1:1", "'model' is missing: must be a table [model]"),
    "value left out": (model(stiffness=""), "4:13", "not valid TOML:"),
    "table not closed": (GOOD.replace("[body]", "[body"), "9:6", "not valid TOML:"),
    "text not closed": (changed('name = "lugre"', 'name = "lugre'), "3:14", "not valid TOML:"),
    "key twice": (changed("mass = 1", "mass = 1\nmass = 2"), "11:8", "not valid TOML:", "mass"),
    "table twice": (GOOD + "[body]\nmass = 2\n", "15:1", "not valid TOML:", "body"),
    "decimal comma": (model(damping="3,16"), "5:12", "not valid TOML:"),
    "number beyond range": (model(stiffness="1e999"), "4:18", "not valid TOML:", "1e999"),
    "binary junk": (bytes(range(256)), "1:1", "not valid TOML:"),
    "half a character": (b"title = '\xc3'\n" + GOOD.encode(), "1:9", "not valid TOML:"),
    "null bytes": (b"\0" * 1000, "1:1", "not valid TOML:"),
    "tables a thousand deep": ("x = " + "[" * 1000 + "]" * 1000, "1:", "not valid TOML:"),
}

# What is wrong: the arguments, and what the line must hold.
ARGUMENTS = {
    "scenario that is not there": (["simulate", "none.toml"], "cannot read none.toml: No such file or directory"),
    "folder as scenario": (["simulate", "."], "cannot read .: it is a folder, not a file"),
    "name with a line break": (["simulate", "a\nb.toml"], "cannot read a?b.toml: No such file or directory"),
    "file as out folder": (["simulate", "good.toml", "--out", "good.toml"],
                           "cannot create folder good.toml: Not a directory"),
    "file above the out folder": (["simulate", "good.toml", "--out", "good.toml/o"],
                                  "cannot create folder good.toml/o: Not a directory"),
    "folder with the name of the result": (["simulate", "good.toml", "--out", "taken"],
                                           "cannot write taken/good.csv: Is a directory"),
    "no scenario": (["simulate"], "SCENARIO is required"),
    "out without folder": (["simulate", "good.toml", "--out"], "--out"),
    "two scenarios": (["simulate", "good.toml", "more.toml"], "not expected: more.toml"),
    "no command below mesh": (["mesh"], "A subcommand is required", "--help"),
    "unknown command": (["simulat", "good.toml"], "unknown command 'simulat', did you mean 'simulate'?", "--help"),
    "unknown command far from all": (["frobnicate"], "unknown command 'frobnicate' (see stiction --help)"),
    "unknown option": (["--frobnicate"], "unknown option '--frobnicate' (see stiction --help)"),
    "unknown option of a command": (["reproduce", "--quikc"], "--quikc"),
    "unknown experiment": (["reproduce", "scalar/fgi04"],
                           "unknown experiment 'scalar/fgi04', did you mean 'scalar/fig04'?"),
    "unknown experiment after a known one": (["reproduce", "scalar/fig04", "nonsense"],
                                             "unknown experiment 'nonsense'; "),
    "file as out folder of experiments": (["reproduce", "scalar/fig04", "--out", "good.toml"],
                                          "cannot create folder good.toml: Not a directory"),
    "unknown model": (["models", "lugr"], "unknown model 'lugr', did you mean 'lugre'?"),
    "unknown model in JSON": (["models", "quantum", "--json"], "unknown model 'quantum'; "),
    "unknown model of presets": (["models", "lugr", "--presets"], "unknown model 'lugr', did you mean 'lugre'?"),
    "advice without a step": (["advise", "good.toml"], "--dt is required"),
    "advice without a file": (["advise", "--dt", "1e-3"], "MODEL is required"),
    "advice on a file that is not there": (["advise", "none.toml", "--dt", "1e-3"],
                                           "cannot read none.toml: No such file or directory"),
    "advice on a file without model": (["advise", "nomodel.toml", "--dt", "1e-3"],
                                       "nomodel.toml:1:1: 'model' is missing: must be a table [model]"),
    "advice without mass": (["advise", "massless.toml", "--dt", "1e-3"],
                            "massless.toml has no mass: give --mass, or a table [body] with mass"),
    "advice for a step of zero": (["advise", "good.toml", "--dt", "0"], "dt = 0: must be > 0 and finite"),
    "advice for a negative step": (["advise", "good.toml", "--dt", "-1e-3"], "dt = -0.001: must be > 0 and finite"),
    "advice for a step that is no number": (["advise", "good.toml", "--dt", "nan"], "dt = nan: must be > 0 and finite"),
    "advice for an infinite step": (["advise", "good.toml", "--dt", "inf"], "dt = inf: must be > 0 and finite"),
    "advice for a step that is a word": (["advise", "good.toml", "--dt", "fast"], "--dt"),
    "advice for no mass": (["advise", "good.toml", "--dt", "1e-3", "--mass", "0"], "mass = 0: must be > 0 and finite"),
    "advice for a speed of zero": (["advise", "good.toml", "--dt", "1e-3", "--speed", "0"],
                                   "speed = 0: must be > 0 and finite"),
    "identification without a log": (["identify"], "LOG is required (or --experiment-plan"),
    "a plan and a log": (["identify", "unmoved.csv", "--experiment-plan"], "--experiment-plan makes a plan and reads no LOG"),
    "a plan without limits": (["identify", "--experiment-plan"], "torque = 0: must be a number > 0"),
    "identification from a log that is not there": (["identify", "none.csv"],
                                                    "cannot read none.csv: No such file or directory"),
    "identification from a log with a word": (["identify", "bad.csv"], "bad.csv:3:4: u = 'two': must be a finite number"),
    "identification from other columns": (["identify", "other.csv"],
                                          "other.csv: has no column recognised as position: name it with --column "
                                          "position=NAME; it has: t, u"),
    "identification from a column that is not there": (["identify", "unmoved.csv", "--column", "position=y"],
                                                       "unmoved.csv: has no column 'y'; it has: t, torque, x"),
    "identification with a quantity that is not known": (["identify", "unmoved.csv", "--column", "mood=x"],
                                                         "--column mood: not a quantity; must be one of time, torque"),
    "identification with half a column": (["identify", "unmoved.csv", "--column", "x"],
                                          "--column 'x': must be quantity=name, e.g. torque=tau"),
    "identification in a unit that is not known": (["identify", "unmoved.csv", "--unit", "position=furlong"],
                                                   "--unit: unit 'furlong' of position is unknown: must be one of rad"),
    "identification in a unit in brackets that is not known": (["identify", "furlongs.csv"],
                                                               "furlongs.csv: unit 'furlong' of position is unknown"),
    "identification without motion": (["identify", "unmoved.csv"], "unmoved.csv: the position is constant (1)"),
    "identification without torque": (["identify", "undriven.csv"], "undriven.csv: the torque is constant (0.5)"),
    "identification from few rows": (["identify", "short.csv"],
                                     "short.csv: has 50 rows with numbers in all columns; at least 200 are needed"),
    "inspection without a log": (["inspect"], "LOG is required"),
    "inspection of a log that is not there": (["inspect", "none.csv"], "cannot read none.csv: No such file or directory"),
    "inspection of a log with a word": (["inspect", "bad.csv"], "bad.csv:3:4: u = 'two': must be a finite number"),
    "inspection of an empty log": (["inspect", "empty.csv"], "empty.csv: has no rows"),
    "inspection of other columns": (["inspect", "words.csv"], "words.csv: has no column that is recognised: name them, as with --column time=NAME; it has: alpha"),
    "inspection with half a column": (["inspect", "unmoved.csv", "--column", "x"], "--column 'x': must be quantity=name"),
    "inspection in a unit that is not known": (["inspect", "unmoved.csv", "--unit", "position=furlong"],
                                               "--unit: unit 'furlong' of position is unknown: must be one of rad"),
    "inspection in a unit of nothing": (["inspect", "unmoved.csv", "--unit", "position=0rad"],
                                        "--unit: unit '0rad' of position: its number must be finite and not 0"),
    "inspection with a torque constant of nothing": (["inspect", "unmoved.csv", "--torque-constant", "0"],
                                                     "torque constant = 0: must be a finite number other than 0"),
    "inspection with a torque constant and no current": (["inspect", "unmoved.csv", "--torque-constant", "1"],
                                                         "unmoved.csv: there is a torque constant, and no column"),
    "identification in degrees": (["identify", "degrees.csv"],
                                  "degrees.csv: the change of position is 57.3 times what the velocity says; is a unit "
                                  "wrong (see --unit)?"),
    "identification backwards": (["identify", "backwards.csv"], "backwards.csv: time must increase: 0.007 s after 0.199 s"),
    "identification from NaN": (["identify", "all_nan.csv"], "all_nan.csv: has 0 rows with numbers in all columns"),
    "identification from a huge number": (["identify", "huge.csv"], "huge.csv: torque = 1e+300 in row 151: must be a finite "
                                          "number of at most 1e+15"),
    "identification with a negative deviation": (["identify", "undeviating.csv"],
                                                 "undeviating.csv: deviation = -2 in row 1: must be > 0"),
    "identification from few steady points": (["identify", "few.csv"],
                                              "few.csv: has 3 steady points; at least 6 are needed"),
    "identification of a model that is not known": (["identify", "unmoved.csv", "--model", "magic"],
                                                    "model = 'magic': cannot be identified; must be one of lugre"),
    "identification with a negative mass": (["identify", "unmoved.csv", "--mass", "-1"],
                                            "mass = -1: must be > 0 and finite"),
    "identification with an exponent out of range": (["identify", "unmoved.csv", "--stribeck-exponent", "5"],
                                                     "stribeck_exponent = 5: must be"),
    "detection without a log": (["detect"], "LOG is required"),
    "detection in a log that is not there": (["detect", "none.csv"], "cannot read none.csv: No such file or directory"),
    "detection in a log with a word": (["detect", "bad.csv"], "bad.csv:3:4: u = 'two': must be a finite number"),
    "detection in a log with NaN": (["detect", "nan.csv"], "nan.csv:3:4: error = 'nan': must be a finite number"),
    "detection in a log without rows": (["detect", "empty.csv"], "empty.csv: has no rows"),
    "detection without an error": (["detect", "other.csv"], "other.csv: has no column recognised as the error: give "
                                   "--error, or --reference and --position; it has: t, u"),
    "detection in a column that is not there": (["detect", "other.csv", "--error", "v"],
                                                "other.csv: has no column 'v'; it has: t, u"),
    "detection with a reference that is not there": (["detect", "other.csv", "--error", "u", "--reference", "r"],
                                                     "other.csv: has no column 'r'; it has: t, u"),
    "detection in a log whose time falls": (["detect", "falling.csv", "--error", "u"],
                                            "falling.csv: column 'time' must increase strictly: 0.5 after 1 in row 3"),
    "detection from a time without time": (["detect", "other.csv", "--error", "u", "--time", "t", "--from", "soon"],
                                           "--from"),
    "detection from a time that is not known": (["detect", "timeless.csv", "--from", "1"],
                                                "timeless.csv: --from needs a column of time: name it with --time"),
    "detection in another loop": (["detect", "other.csv", "--error", "u", "--loop", "force"], "--loop"),
    "argument of list": (["list", "scalar"], "not expected: scalar"),
}


class BadInput(command_line.TestCase):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            (self.folder / name).write_text(text)
        (self.folder / "taken/good.csv").mkdir(parents=True)

    def test_good_scenario_runs(self):
        """Else the cases below would show nothing."""
        process = run("simulate", "good.toml", cwd=self.folder)
        self.assertEqual((process.returncode, process.stderr), (0, ""))

    def test_bad_scenarios_are_refused_with_one_clear_line_and_leave_no_trace(self):
        scenario = self.folder / "case.toml"
        out = self.folder / "out"
        out.mkdir()
        (out / "case.csv").write_text("of an earlier run")
        for name, (text, place, *fragments) in SCENARIOS.items():
            with self.subTest(name):
                scenario.write_bytes(text if isinstance(text, bytes) else text.encode())
                before = content(self.folder)
                process = run("simulate", scenario, "--out", out)
                where = f"stiction: {scenario}:{place}" if place else "stiction: "
                where += ": " if place and not place.endswith(":") else ""
                self.assert_one_line(process, 2, where, *fragments)
                self.assertEqual(process.stdout, "")
                self.assertEqual(content(self.folder), before)
                fresh = self.folder / "fresh"
                self.assertEqual(run("simulate", scenario, "--out", fresh).returncode, 2)
                self.assertFalse(fresh.exists(), "a folder was made for nothing")

    def test_bad_arguments_are_refused_with_one_clear_line_and_leave_no_trace(self):
        for name, (arguments, *fragments) in ARGUMENTS.items():
            with self.subTest(name):
                before = sorted(self.folder.rglob("*"))
                process = run(*arguments, cwd=self.folder)
                self.assert_one_line(process, 2, *fragments)
                self.assertEqual(process.stdout, "")
                self.assertEqual(sorted(self.folder.rglob("*")), before)


if __name__ == "__main__":
    command_line.main()
