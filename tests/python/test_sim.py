"""Scenarios, bodies, advice, identification and experiments."""

import json
import os
import subprocess

import numpy as np
import pytest

import stiction
from conftest import SOURCE
from stiction import identification, planar, scalar, sim

SERVO = scalar.preset("olsson-1998-table2")


@pytest.mark.parametrize("name", ["servo_pid_hunting", "lugre_stick_slip", "stribeck_block_on_ramp", "imposed_velocity",
                                  "in_hand_slip", "spinning_disc", "pushed_slider"])
def test_scenario_files_give_what_the_command_line_writes(name, source, tmp_path):
    columns = stiction.simulate(source / f"examples/scenarios/{name}.toml")
    cli = os.environ.get("STICTION_CLI")
    if not cli or not os.path.exists(cli):
        pytest.skip("the command line was not built")
    subprocess.run([cli, "simulate", str(source / f"examples/scenarios/{name}.toml"), "--out", str(tmp_path)], check=True,
                   capture_output=True)
    written = next(tmp_path.rglob("*.csv"))
    rows = np.genfromtxt(written, delimiter=",", names=True)
    assert set(rows.dtype.names) == set(columns)
    for key in columns:
        np.testing.assert_allclose(columns[key], rows[key], rtol=1e-11, atol=1e-300)  # twelve digits are written


@pytest.mark.parametrize("method", ["sdirk2", "cvode"])
def test_body_has_the_bits_of_cpp(method, reference):
    run = sim.body(SERVO, 0.0023, 2, force=([0, 2], [0, 0.5]), method=method, output_interval=0.125)
    assert run["position"].tolist() == reference[f"simulate {method}"]


def test_dictionaries_and_models():
    scenario = {"title": 'a "push"', "model": SERVO, "body": {"mass": 0.0023},
                "load": {"force": {"type": "ramp", "to": 0.2, "end": 0.5}},
                "integrator": {"method": "sdirk2", "step": 1e-3, "duration": 1.0}, "output": {"interval": 0.01}}
    run = stiction.simulate(scenario)
    assert run["time"][-1] == pytest.approx(1) and abs(run["velocity"][-1]) < 1e-9  # held
    assert 'name = "lugre"' in sim.to_toml(scenario)


def test_reference_of_another_program(source):
    """Stick-slip (Olsson et al. 1998, Fig. 6) by a program without shared code."""
    rows = np.genfromtxt(source / "tests/data/g_stickslip_lugre.csv", delimiter=",", skip_header=1, names=True)
    until = 12.0
    keep = rows["t"] <= until
    run = sim.body(scalar.preset("canudas-1995"), 1, until, spring_stiffness=2, anchor=([0, until], [0, 0.1 * until]),
                   output_interval=rows["t"][1])
    position = np.interp(rows["t"][keep], run["time"], run["position"])
    assert np.abs(position - rows["x"][keep]).max() < 2e-4


def test_drive_and_start():
    state = SERVO.at_rest(0.2)
    run = sim.drive(SERVO, 0.01, 1, method="midpoint", state=state)
    assert run["friction"][-1] == pytest.approx(SERVO.steady_force(0.01), rel=1e-3)
    assert run["bristle"][0] == state.bristle and set(sim.methods()) >= {"cvode", "sdirk2", "backward-euler"}
    assert sim.methods("drive") == ["cvode", "midpoint"] and run.solver == "midpoint" and run.steps == 1000
    loaded = sim.drive(SERVO, 0.01, 1, normal=2.0)
    assert loaded["friction"][-1] == pytest.approx(2 * SERVO.steady_force(0.01), rel=1e-3)


def test_sampled_body():
    body = sim.SampledBody(SERVO, 0.0023)
    for _ in range(1000):
        body.hold(0.2, 1e-3)
    assert abs(body.velocity) < 1e-9 and 0 < body.position < 0.01  # held by the bristle
    for _ in range(1000):
        body.hold(0.5, 1e-3, substeps=2)
    assert body.velocity > 1
    run = sim.body(SERVO, 0.0023, 1, force=0.2, method="sdirk2", step=1e-3)
    fresh = sim.SampledBody(SERVO, 0.0023)
    for _ in range(1000):
        fresh.hold(0.2, 1e-3)
    assert fresh.position == run["position"][-1]
    model, mass = scalar.load_model(str(SOURCE / "examples/models/servo.toml"))
    assert model.name == "lugre" and mass > 0
    with pytest.raises(ValueError, match="mass"):
        sim.SampledBody(SERVO, 0)
    with pytest.raises(ValueError, match="dt"):
        fresh.hold(0, -1)


def test_a_motor_helps_a_gear_to_hold_a_weight():
    gear = scalar.Gear(coulomb_force=0.1, motor_gain=0.2, external_gain=0.05)
    for method in ("cvode", "sdirk2", "backward-euler"):
        held = sim.body(gear, 0.03, 1.0, force=-2.0, motor=1.5, method=method)
        assert np.all(held["position"] == 0)
        assert sim.body(gear, 0.03, 1.0, force=-2.0, method=method)["position"][-1] < 0
        assert sim.body(gear, 0.03, 1.0, force=-0.5, method=method)["position"][-1] < 0  # the same sum


def test_two_bodies_slide_until_they_move_as_one():
    """A block thrown on a table that is free to move: Coulomb friction takes the relative speed off at a constant rate."""
    friction = scalar.Coulomb(coulomb_force=2.0)
    run = sim.two_bodies(friction, (1.0, 3.0), 2.0, velocity=(1.0, 0.0))
    # a = F (1/m1 + 1/m2) = 8/3 m/s^2, so that both have m1 v / (m1 + m2) = 0.25 m/s after 0.375 s
    sliding = run["time"] < 0.374
    np.testing.assert_allclose(
        (run["velocity_1"] - run["velocity_2"])[sliding], (1 - 8 / 3 * run["time"])[sliding], atol=1e-9
    )
    together = run["time"] > 0.376
    assert np.array_equal(run["velocity_1"][together], run["velocity_2"][together])
    np.testing.assert_allclose(run["velocity_1"][together], 0.25, atol=1e-9)
    steps = sim.two_bodies(friction, (1.0, 3.0), 2.0, velocity=(1.0, 0.0), method="sdirk2", step=1e-3)
    assert steps["velocity_2"][-1] == pytest.approx(0.25, abs=1e-6)
    with pytest.raises(ValueError, match="mass"):
        sim.two_bodies(friction, (1.0, -3.0), 1.0)


@pytest.mark.parametrize("kind", ["reduced", "distributed"])
def test_planar_steps_stop_a_sliding_disc(kind):
    """Sliding without spin: deceleration mu g, and rest after v/(mu g)."""
    friction = planar.Friction(stiffness=1e5, damping=20, coulomb=0.6, static=0.8, stribeck_velocity=1e-3)
    patch = planar.Patch.disc(0.02)
    model = planar.Reduced(friction, patch) if kind == "reduced" else planar.Distributed(friction, patch)
    body = sim.PlanarSteps(model, 0.5, 1e-4, carried=True)
    body.velocity = (0.5, 0, 0)
    weight = 0.5 * 9.81
    for _ in range(20):
        wrench = body.step((0, 0, 0), weight, 1e-3)
    assert wrench[0] == pytest.approx(-friction.coulomb * weight, rel=0.02) and abs(wrench[1]) < 1e-9
    for _ in range(400):
        body.step((0, 0, 0), weight, 1e-3)
    assert abs(body.velocity[0]) < 1e-6
    assert body.position[0] == pytest.approx(0.5**2 / (2 * friction.coulomb * 9.81), rel=0.05)
    assert body.error < 1e-6 and body.iterations >= 0 and abs(body.angle) < 1e-9
    with pytest.raises(ValueError, match="inertia"):
        sim.PlanarSteps(model, 0.5, 0)
    with pytest.raises(ValueError, match="normal_force"):
        body.step((0, 0, 0), -1, 1e-3)
    for bad in ((np.nan, 0, 0), (0, np.inf, 0)):
        with pytest.raises(ValueError, match="load = "):
            body.step(bad, 1, 1e-3)
    with pytest.raises(ValueError, match="velocity = nan"):
        body.velocity = (0, np.nan, 0)
    with pytest.raises(ValueError, match="position = nan"):
        body.position = (np.nan, 0)
    with pytest.raises(ValueError, match="angle = nan"):
        body.angle = np.nan
    with pytest.raises(ValueError, match="at = nan"):
        sim.PlanarSteps(model, 1, 1, at=(np.nan, 0))


@pytest.mark.parametrize("kind", ["reduced", "distributed"])
def test_at_is_the_origin_of_the_patch(kind):
    friction = planar.Friction.waltersson_p0()
    line = planar.Patch.paper("gradient-line")
    model = planar.Reduced if kind == "reduced" else planar.Distributed
    here = sim.PlanarSteps(model(friction, line), 0.2, 1e-4, carried=True)
    there = sim.PlanarSteps(model(friction, line.moved([0.03, -0.02])), 0.2, 1e-4, carried=True, at=(-0.03, 0.02))
    for _ in range(50):
        a, b = here.step((0.5, -1.5, 0.002), 1, 1e-4), there.step((0.5, -1.5, 0.002), 1, 1e-4)
    assert abs(here.position[0]) > 1e-6 and here.position == pytest.approx(there.position, rel=1e-9)
    assert planar.wrench_at(b, [0, 0], [0.03, -0.02]) == pytest.approx(a, rel=1e-6)


def test_arm_keeps_its_energy_and_friction_holds_it():
    arm = sim.TwoLinkArm(
        length_1=0.5, mass_1=2, centre_1=0.25, inertia_1=0.05, mass_2=1, centre_2=0.2, inertia_2=0.02, gravity=9.81
    )
    q, v = np.array([0.3, -0.7]), np.array([0.5, 1.1])
    np.testing.assert_allclose(arm.mass_matrix(q) @ arm.mobility(q), np.eye(2), atol=1e-14)
    assert arm.kinetic_energy(q, v) == pytest.approx(v @ arm.mass_matrix(q) @ v / 2)
    small = 1e-6
    slope = [(arm.potential_energy(q + d) - arm.potential_energy(q - d)) / (2 * small) for d in small * np.eye(2)]
    np.testing.assert_allclose(arm.gravity_torque(q), slope, rtol=1e-7)
    np.testing.assert_allclose(
        arm.mass_matrix(q) @ arm.acceleration(q, v, (1, 2)) + arm.coriolis(q, v, v) + arm.gravity_torque(q), (1, 2)
    )
    strong = scalar.Coulomb(coulomb_force=20.0)
    held = sim.MovingArm(arm, strong, strong)
    for _ in range(1000):
        friction = held.step((0, 0), 1e-3)
    assert np.array_equal(held.position, (0, 0)) and np.array_equal(held.velocity, (0, 0))
    np.testing.assert_allclose(friction, -arm.gravity_torque((0, 0)), rtol=1e-9)
    weak = scalar.Coulomb(coulomb_force=0.01)
    falling = sim.MovingArm(arm, weak, weak)
    for _ in range(100):
        falling.step((0, 0), 1e-4)
    free = arm.acceleration((0, 0), (0, 0), (0, 0))
    assert falling.velocity[0] == pytest.approx(free[0] * 0.01, rel=0.05)
    mixed = sim.MovingArm(arm, strong, SERVO)  # another model in each joint
    mixed.step((0, 0), 1e-3)
    assert mixed.velocity[0] == 0 and mixed.velocity[1] != 0
    with pytest.raises(ValueError, match="mass_2"):
        sim.TwoLinkArm(
            length_1=0.5, mass_1=2, centre_1=0.25, inertia_1=0.05, mass_2=-1, centre_2=0.2, inertia_2=0.02, gravity=0
        )


def test_advice():
    advice = sim.advise(SERVO, 0.0023, 1e-3)
    assert advice["recommended"] == "sdirk2" and advice["breakaway"] == pytest.approx(0.33, rel=0.05)
    assert {row["method"] for row in advice["schemes"]} >= {"explicit-euler", "sdirk2"} and not advice["creeps"]


def log(name, source):
    rows = np.genfromtxt(source / f"tests/data/{name}.csv", delimiter=",", skip_header=1, names=True)
    return {key: rows[key] for key in rows.dtype.names}


def test_identification_finds_the_servo(source):
    """The logs of control/identification: Table 2 with noise; the truth is 260 N m/rad and so on."""
    paths = [source / f"tests/data/{name}.csv" for name in ("id_A_sweep", "id_B_presliding", "id_C_motion")]
    fit = stiction.identify(paths, "lugre", held_out=False, max_samples=3000)
    assert fit.ok and fit.name == "lugre" and fit.model.name == "lugre"
    assert fit.parameters["stiffness"] == pytest.approx(260, rel=0.02)
    low, high = fit.intervals["coulomb_force"]
    assert low < fit.model.coulomb_force < high and fit.estimates["coulomb_force"].unit
    assert fit.mass == pytest.approx(0.0023, rel=0.02) and fit.channels and fit.correlation.shape[0] == len(fit.estimates)
    # The same from arrays
    recordings, sweeps, notes = [], [], []
    for path in paths:
        more, tables, said = identification.read_log(str(path))
        recordings, sweeps, notes = recordings + more, sweeps + tables, notes + said
    again = stiction.identify(recordings + sweeps, "lugre", held_out=False, max_samples=3000)
    assert again.parameters == fit.parameters and notes


def test_steady_friction_and_frames():
    v = np.linspace(0.001, 0.5, 60)
    friction = 1 + 0.4 * v + 0.5 * np.exp(-((v / 0.01) ** 2))
    table = {"velocity": np.concatenate([v, -v]), "torque": np.concatenate([friction, -friction])}

    class Frame:  # what a data frame looks like
        columns = ["velocity", "u"]

        def __getitem__(self, key):
            return table["torque"] if key == "u" else table[key]

    fit = stiction.identify(table, "stribeck", held_out=False)
    assert fit.parameters["coulomb_force"] == pytest.approx(1, rel=0.02)
    assert fit.steady.shape[1] == 5
    again = stiction.identify(Frame(), "stribeck", held_out=False, columns={"torque": "u"})
    assert again.parameters == fit.parameters


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_identify_names_a_number_that_it_cannot_use(bad):
    t = np.arange(300) * 1e-3
    recording = {"time": t, "torque": np.sin(20 * t), "position": 0.01 * np.sin(20 * t)}
    for column in recording:
        spoilt = {name: values.copy() for name, values in recording.items()}
        spoilt[column][41] = bad
        with pytest.raises(ValueError, match=f"{column} = .* in row 42"):
            stiction.identify(spoilt, "lugre")


def test_identify_names_columns_of_a_frame_that_it_does_not_use():
    v = np.geomspace(1e-3, 1, 20)
    friction = 1 + 0.4 * v + 0.5 * np.exp(-((v / 0.02) ** 2)) + 1e-3 * np.cos(np.arange(20) * 2.5)
    table = np.zeros(40, dtype=[("velocity", float), ("torque", float), ("temperature", float)])
    table["velocity"], table["torque"] = np.concatenate([v, -v]), np.concatenate([friction, -friction])
    fit = stiction.identify(table, "stribeck", held_out=False)
    assert "columns that were not used: temperature" in fit.warnings


def test_identify_by_measured_motion():
    t = np.arange(4000) * 2e-3
    v = 0.4 * np.sin(1.3 * t) + 0.2 * np.sin(3.5 * t + 1)
    a = np.gradient(v, t)
    noise = 2e-3 * np.random.default_rng(1).standard_normal(t.size)
    log = {"time": t, "position": np.cumsum(v) * 2e-3, "velocity": v, "external": 0.1 * np.sin(7 * t),
           "torque": 0.02 * a + 0.3 * np.sign(v) + 0.2 * v + 0.05 - 0.1 * np.sin(7 * t) + noise}
    fit = stiction.identify(log, drive="motion")
    assert fit.ok
    low, high = fit.intervals["coulomb_force"]
    assert low <= 0.3 <= high
    assert abs(fit.nuisance["offset"].value - 0.05) < 0.01
    report = fit.motion
    assert report is not None and report["held_out_error"] <= report["coulomb_viscous_error"] < report["constant_error"]
    assert report["steps"][0]["model"] == "Coulomb + viscous + offset"
    (track,) = report["tracks"]
    assert len(track["time"]) == len(track["predicted"]) and 0.25 < track["held_out"].mean() < 0.35
    # Rows without a number are left out, and one that is unusable is named
    log["torque"][5] = np.nan
    assert any("rows without numbers left out" in warning for warning in stiction.identify(log, drive="motion").warnings)
    with pytest.raises(ValueError, match="torque is constant"):
        stiction.identify({**log, "external": np.zeros(t.size), "torque": np.ones(t.size)}, drive="motion")


def test_plan():
    runs, instructions = identification.plan(1.0, 1.0, 6.0, friction=0.3)
    assert {run["name"] for run in runs} >= {"sweep", "presliding", "motion"} and len(instructions) > 20
    assert all(np.isfinite(run["reference"]).all() and run["mode"] in ("torque", "velocity") for run in runs)
    assert "lugre" in identification.identifiable()


def test_experiments():
    ids = [e.id for e in stiction.experiments()]
    assert "scalar/fig02" in ids and "planar/limit-curves" in ids
    seen = []
    result = stiction.reproduce("scalar/fig02", quick=True, progress=seen.append)
    assert result.ok and result.claims[0].name and result.tables and result.figures
    assert all(isinstance(x, float) for x in seen)
    table = next(iter(result.tables.values()))
    assert all(len(column) > 0 for column in table.values())
    assert json.dumps([claim.__dict__ for claim in result.claims])


def wrong_calls():
    recording = {"time": [0, 1], "torque": [0, 1], "position": [0, 1]}
    return {
        "no file": (ValueError, "nothing.toml", lambda: stiction.simulate("nothing.toml")),
        "bad table": (ValueError, "scenario", lambda: stiction.simulate({"model": {"name": "lugre"}})),
        "bad value": (TypeError, "cannot hold", lambda: stiction.simulate({"model": {"name": object()}})),
        "method": (ValueError, "there is no method", lambda: sim.body(SERVO, 1, 1, method="best")),
        "mass": (ValueError, "mass", lambda: sim.body(SERVO, -1, 1)),
        "duration": (ValueError, "duration", lambda: sim.body(SERVO, 1, -1)),
        "NaN step": (ValueError, "step", lambda: sim.body(SERVO, 1, 1, method="sdirk2", step=np.nan)),
        "signal": (TypeError, "force: must be", lambda: sim.body(SERVO, 1, 1, force="strong")),
        "times": (ValueError, "force: 0 at t = 0 s: must be a finite time, later", lambda: sim.body(
            SERVO, 1, 1, force=([0, 0], [1, 2]))),
        "NaN force": (ValueError, "force: nan at t = 0 s", lambda: sim.body(SERVO, 1, 1, force=np.nan)),
        "NaN later": (ValueError, "force_2: nan at t = 0.5 s: must be finite", lambda: sim.two_bodies(
            SERVO, (1, 1), 1, force_2=([0, 0.5], [0, np.nan]))),
        "scheme for two bodies": (ValueError, "no method 'explicit-euler' here; there are cvode, sdirk2, backward-euler",
                                  lambda: sim.two_bodies(SERVO, (1, 1), 1, method="explicit-euler")),
        "scheme for a velocity": (ValueError, "no method 'sdirk2' here; there are cvode, midpoint",
                                  lambda: sim.drive(SERVO, 1, 1, method="sdirk2")),
        "no step": (ValueError, "step = 0", lambda: sim.body(SERVO, 1, 1, method="sdirk2", step=0)),
        "too many rows": (ValueError, "1e\\+12 rows, of which at most 1e7 are allowed",
                          lambda: sim.body(SERVO, 1, 1, output_interval=1e-12)),
        "too many steps": (ValueError, "1e\\+06 steps, more than max_steps = 1000: raise step or max_steps",
                           lambda: sim.drive(SERVO, 1, 1, method="midpoint", step=1e-6, max_steps=1000)),
        "NaN held": (ValueError, "force = nan", lambda: sim.SampledBody(SERVO, 1).hold(np.nan, 1e-3)),
        "substeps": (ValueError, "substeps = 0", lambda: sim.SampledBody(SERVO, 1).hold(0, 1e-3, substeps=0)),
        "entry": (ValueError, "of = 'best'", lambda: sim.methods("best")),
        "state": (TypeError, "dahl", lambda: sim.body(SERVO, 1, 1, state=scalar.preset("table2-dahl").at_rest())),
        "many": (ValueError, "one model", lambda: sim.body(scalar.Coulomb(coulomb_force=[1, 2]), 1, 1)),
        "advice": (ValueError, "dt", lambda: sim.advise(SERVO, 1, -1)),
        "model to identify": (ValueError, "cannot be identified", lambda: stiction.identify(recording, "magic")),
        "short log": (ValueError, None, lambda: stiction.identify(recording, "lugre")),
        "lengths": (ValueError, "torque has 1", lambda: stiction.identify({**recording, "torque": [1]}, "lugre")),
        "column": (ValueError, "needs 'position'", lambda: stiction.identify({"time": [0, 1], "torque": [0, 1]}, "lugre")),
        "key of a recording": (ValueError, "'temperature' is not known in a recording; there are: name, time, torque, position",
                               lambda: stiction.identify({**recording, "temperature": [0, 1]}, "lugre")),
        "key of a table": (ValueError, "'F_meas' is not known in a table of steady friction; there are: name, velocity",
                           lambda: stiction.identify({"velocity": [1], "F_meas": [1]}, "stribeck")),
        "two references": (ValueError, "not both", lambda: stiction.identify(
            {**recording, "velocity_reference": [0, 1], "position_reference": [0, 1]}, "lugre")),
        "no column": (ValueError, "there is no column", lambda: stiction.identify(recording, columns={"torque": "u"})),
        "data": (TypeError, "data: must be", lambda: stiction.identify(3)),
        "drive": (ValueError, "drive 'hand': must be auto, motion, torque or loop", lambda: stiction.identify(recording, drive="hand")),
        "measured velocity": (ValueError, "velocity has 1", lambda: stiction.identify({**recording, "velocity": [1]}, drive="motion")),
        "model for motion": (ValueError, "'dahl' cannot be fitted to motion", lambda: stiction.identify(recording, "dahl", drive="motion")),
        "known mass": (ValueError, "mass = -1", lambda: stiction.identify(recording, "lugre", mass=-1)),
        "plan": (ValueError, None, lambda: identification.plan(-1, 1, 1)),
        "experiment": (ValueError, "there is no experiment", lambda: stiction.reproduce("scalar/fig99")),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()


def test_a_run_tells_what_finished_it():
    friction = scalar.Viscous(viscous=1.0, exponent=0.1)
    run = sim.body(friction, 1, 5, velocity=1.0)  # stops at t = 1/0.9 s after 1/1.9 m, with an infinite slope there
    assert run.solver == "sdirk2" and run.note.startswith("cvode gave up at t = 1.1111") and run.steps > 0
    assert run["position"][-1] == pytest.approx(1 / 1.9, abs=1e-7) and isinstance(run, dict)
    plain = sim.body(SERVO, 1, 0.1)
    assert plain.solver == "cvode" and plain.note == ""
    with pytest.raises(RuntimeError, match="gave up after max_steps = 100 steps"):
        sim.body(SERVO, 1, 10, force=([0, 10], [0, 5]), max_steps=100)


@pytest.mark.parametrize("call", ["body", "scenario"])
def test_divergence_is_an_exception_everywhere(call):
    stiff = scalar.LuGre(stiffness=1e5, damping=316.0, coulomb_force=1.0, static_force=1.5, stribeck_velocity=1e-3)
    with pytest.raises(RuntimeError, match="no longer finite after t = "):
        if call == "body":
            sim.body(stiff, 1, 10, velocity=0.1, method="explicit-euler", step=0.01)
        else:
            stiction.simulate({"model": stiff, "body": {"mass": 1, "velocity": 0.1},
                               "integrator": {"method": "explicit-euler", "step": 0.01, "duration": 10.0}})


def test_python_callbacks_may_fail():
    with pytest.raises(ZeroDivisionError):
        stiction.reproduce("scalar/fig02", quick=True, progress=lambda fraction: 1 / 0)
