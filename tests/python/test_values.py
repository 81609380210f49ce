"""Objects are values: pickled, copied, compared and shown, each with the same bits again, also in another process."""

import copy
import dataclasses
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import stiction
from stiction import _values, control, geometry, haptics, planar, scalar, sim, spatial

PRESETS = {row["name"]: row["model"] for row in scalar.presets()}
SPEED = np.linspace(0.005, 0.5, 40)
LUGRE = scalar.LuGre(stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3)


def moved(model):
    """States that have seen something: a state, and those of many contacts."""
    state, states = model.at_rest(0.1), model.states(7)
    for v in (0.3, -0.02, 0.004):
        state = model.advance(state, v, 1e-3)
        states = model.advance(states, v * np.arange(7), 1e-3)
    return state, states


def patches():
    grid = np.array([[1.0, 2, 3], [0, 1, 7]])
    return {
        "grid": planar.Patch.grid(grid, 1e-3, 2e-3, [0.1, -0.3]),
        "points": planar.Patch.points([0, 0.01, 0.03], [0.1, 0, 0], [1, 2, 0.7]),
        "disc": planar.Patch.disc(0.013),
        "rectangle": planar.Patch.rectangle(0.03, 0.01, 5, 4),
        "polygon": planar.Patch.polygon([[[0, 0], [0.04, 0], [0, 0.03]]], 12, 11),
        "paper": planar.Patch.paper("non-convex-1", 11),
        "scaled": planar.Patch.disc(0.013).scaled(1 / 3),
        "moved": planar.Patch.grid(grid, 1e-3, 2e-3).moved([0.1, 0.7]).scaled(0.9),
    }


def solver():
    made = spatial.StaticFriction(3)
    made.set(arm=[[0.1, 0, 0], [0, 0.1, 0], [-0.1, -0.1, 0]], normal=[[0, 0, 1]] * 3, normal_force=[1, 2, 3], friction=0.3,
             wrench=[0.1, 0.2, 0, 0, 0, 0.01], gradient=-1000 * np.eye(6), mass=np.eye(6), torsion=0.01,
             declared=["nothing", "sticks", "slides"], key=[4, 5, 6], dynamic_friction=0.2)
    return made


def mechanism():
    arm = sim.TwoLinkArm(length_1=1, mass_1=2, centre_1=0.5, inertia_1=0.1, mass_2=1, centre_2=0.3, inertia_2=0.05, gravity=9.81)
    moving = sim.MovingArm(arm, LUGRE, PRESETS["olsson-1998-table2"])
    for _ in range(5):
        moving.step([1, 2], 1e-3)
    body = sim.SampledBody(LUGRE, 2.0)
    body.hold(10, 1e-2, substeps=3)
    return arm, moving, body


def objects():
    """One of everything, by name."""
    friction, patch = planar.Friction.waltersson_p1(), planar.Patch.disc(0.013)
    table = planar.SurfaceTable(patch, 8)
    reduced = planar.Reduced(friction, patch)
    batch = planar.ReducedBatch([table], [friction, planar.Friction.waltersson_p0()], np.array([0.01, 0.02]), 1e-4)
    batch.resize(1, 0.03, 2e-4)
    bristles = planar.Distributed(friction, patch)
    shares = bristles.shares[::-1] / bristles.shares.sum()
    steps = sim.PlanarSteps(reduced, 1.0, 1e-3, at=[0.1, 0])
    steps.step([30, 1, 0.1], 5.0, 1e-3)
    arm, moving, body = mechanism()
    joint = scalar.Friction(LUGRE)
    joint.step(0.1, 1e-3)
    held = solver()
    run = sim.body(LUGRE, 1.0, 0.01, force=3.0)
    observer = control.LuGreObserver(LUGRE, gain=2.0)
    observer.step(0.1, 0.01, 1e-3)
    pid = control.Pid(proportional=2, integral=3)
    pid.step(1, 0.1, 0.2, 1e-3)
    seen = {
        "joint": joint,
        "solved": LUGRE.solve(LUGRE.at_rest(), 0.1, 1.0, 1e-3),
        "gms batch": scalar.GmsBatch([PRESETS["table2-gms"]] * 2),
        "planar friction": friction,
        "table": table,
        "batch": batch,
        "single batch": planar.ReducedBatchF([table], friction, np.array([0.01, 0.02]), 1e-4),
        "distributed": bristles,
        "distributed with shares": bristles.with_shares(shares),
        "soft finger": planar.SoftFinger(0.01, largest=0.02),
        "soft finger model": planar.SoftFingerModel(friction, planar.SoftFinger(0.01), 10.0),
        "ellipsoid": planar.LimitEllipsoid.fitted(patch, directions=100),
        "slip": planar.slip(patch, [1, 2, 0.01], 1.5),
        "patch step": reduced.solve(np.zeros(3), [0.1, 0, 1], np.eye(3), 1.0, 1e-3),
        "planar steps": steps,
        "circular cone": spatial.CircularCone(0.3),
        "box cone": spatial.BoxCone(0.3, 0.4),
        "elliptic cone": spatial.EllipticCone([0.3, 0.4, 0.01]),
        "pyramid": spatial.Pyramid(0.3, 8, False),
        "mujoco pyramid": spatial.MujocoPyramid([0.3, 0.4]),
        "pair": spatial.StaticDynamic(0.4, 0.3),
        "friction polygon": spatial.FrictionPolygon(6),
        "closure": spatial.force_closure(np.vstack([np.eye(6), -np.eye(6)])),
        "solver": held,
        "empty solver": spatial.StaticFriction(4, 8),
        "verdict": held.verdict(),
        "solution": held.solve(),
        "program": spatial.linear_program("six-row", 4, False, [[0.1, 0, 0]], [[0, 0, 1]], 1, 0.3, [1, 0, 0, 0, 0, 0],
                                          -np.eye(6), np.eye(6)),
        "pid": pid,
        "observer": observer,
        "encoder": control.Encoder(counts=1000),
        "asymmetric": control.AsymmetricCompensator(coulomb_plus=1, viscous_plus=2, coulomb_minus=3, viscous_minus=4,
                                                    saturation_velocity=0.1),
        "path": control.PathCompensator(PRESETS["table2-dahl"]),
        "detection": control.detect_friction(np.sin(np.arange(300.0)) ** 3),
        "passivity": control.positive_real([1], [1, 1]),
        "mesh": geometry.box([1, 2, 3]),
        "arm": arm,
        "moving arm": moving,
        "body": body,
        "run": run,
        "fit": stiction.identify({"velocity": SPEED, "torque": 1 + 0.4 * SPEED + 0.5 * np.exp(-((SPEED / 0.02) ** 2))}, "stribeck"),
        "experiment": stiction.experiments()[0],
    }
    for surface in ("table", "ellipsoid", "angles", "axisymmetric"):
        seen[f"reduced {surface}"] = planar.Reduced(friction, patch, surface)
    seen["resized"] = reduced.resized(0.02, 3e-4)
    for name, model in PRESETS.items():
        state, states = moved(model)
        seen |= {f"model {name}": model, f"state {name}": state, f"states {name}": states}
    seen["models"] = scalar.LuGre(stiffness=[1e4, 2e4], damping=[1.0, 2.0], coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3)
    return seen | {f"patch {name}": patch for name, patch in patches().items()}


OBJECTS = objects()
WITHOUT_EQUAL = {"path"}  # no one asks whether two compensators are equal


def content(value):
    """What is inside, to the bit."""
    return _values._reduce(value)[1][1] if hasattr(type(value), "_parts") else pickle.dumps(value)


def same_object(a, b):
    assert type(a) is type(b)
    assert content(a) == content(b)


def again(name):
    """In another process: the object, made here, and what it was pickled to there."""
    return name, OBJECTS[name]


@pytest.mark.parametrize("name", OBJECTS)
def test_pickles_and_copies_are_the_same_to_the_bit(name):
    value = OBJECTS[name]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same_object(pickle.loads(pickle.dumps(value, protocol)), value)
    for other in (copy.copy(value), copy.deepcopy(value), copy.deepcopy([value])[0]):
        same_object(other, value)
        if name not in WITHOUT_EQUAL:
            assert other == value and not other != value
    assert value != "something else" and repr(value)


def test_every_public_class_is_here():
    """A class of the extension is a value, or says why it is none. Dataclasses are values anyway."""
    none = {"Mesh"}
    seen = {type(value) for value in OBJECTS.values()}
    for module in (scalar, planar, spatial, control, geometry, haptics, sim):
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__.startswith("stiction.") and kind.__name__ not in none:
                if dataclasses.is_dataclass(kind):
                    continue
                assert hasattr(kind, "_parts") or hasattr(kind, "_instead"), kind
    assert {spatial.Verdict, planar.Patch, control.Pid, scalar.State, scalar.States, sim.Columns} <= seen


def test_changed_objects_are_other_ones():
    state, states = moved(LUGRE)
    assert LUGRE.advance(state, 0.1, 1e-3) != state and LUGRE.advance(states, 0.1, 1e-3) != states
    assert planar.Patch.disc(0.013) != planar.Patch.disc(0.0131)
    assert planar.Patch.disc(0.013) == planar.Patch.disc(0.013)
    assert spatial.Pyramid(0.3, 8) != spatial.Pyramid(0.3, 6) and spatial.Pyramid(0.3, 4) != spatial.CircularCone(0.3)
    one, two = control.Pid(proportional=1, integral=1), control.Pid(proportional=1, integral=1)
    assert one == two
    two.step(1, 0, 0, 0.1)
    assert one != two
    many = scalar.Coulomb(coulomb_force=np.arange(1.0, 2001))
    other = np.arange(1.0, 2001)
    other[1000] = 7  # in the middle, which a printed array leaves out
    assert many == scalar.Coulomb(coulomb_force=np.arange(1.0, 2001)) and many != scalar.Coulomb(coulomb_force=other)


def test_what_goes_on_from_a_copy_is_the_same():
    for name in ("pid", "observer", "moving arm", "body", "planar steps", "joint"):
        first, second = OBJECTS[name], pickle.loads(pickle.dumps(OBJECTS[name]))
        first = copy.deepcopy(first)
        for value in (first, second):
            for _ in range(10):
                if name == "pid":
                    value.step(0.3, 0.1, 0.2, 1e-3)
                elif name == "observer":
                    value.step(0.3, 0.1, 1e-3)
                elif name == "moving arm":
                    value.step([0.3, 0.1], 1e-3)
                elif name == "body":
                    value.hold(0.3, 1e-3)
                elif name == "planar steps":
                    value.step([0.3, 0.1, 0.01], 2.0, 1e-3)
                else:
                    value.step(0.01, 1e-3)
        same_object(first, second)


def test_a_solver_forgets_its_solutions_and_keeps_its_problem():
    used = solver()
    used.solve()
    made = pickle.loads(pickle.dumps(used))
    with pytest.raises(RuntimeError, match="there is no solution yet"):
        made.contacts
    used.forget()
    assert made.solve() == used.solve() and made.verdict(exactly=True) == used.verdict(exactly=True)


# Across processes ----------------------------------------------------------------------------------------------------


def _force(job):
    model, state, velocity = job
    return model.force(state, velocity), model.advance(state, velocity, 1e-3)


def test_processes_share_models_and_states():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        jobs = [(model, moved(model)[0], 0.01) for model in PRESETS.values()]
        results = pool.map(_force, jobs)
    for job, (force, state) in zip(jobs, results):
        assert force == _force(job)[0] and state == _force(job)[1]


def test_another_process_reads_and_writes_the_same(tmp_path):
    names = [name for name in OBJECTS if not name.startswith("model")]
    path = tmp_path / "all.pickle"
    path.write_bytes(pickle.dumps({name: OBJECTS[name] for name in names}))
    code = ("import pickle, sys; path = sys.argv[1]\n"
            "with open(path, 'rb') as file: all = pickle.load(file)\n"
            "with open(path, 'wb') as file: pickle.dump(all, file)")
    subprocess.run([sys.executable, "-B", "-c", code, str(path)], check=True)
    back = pickle.loads(path.read_bytes())
    for name in names:
        same_object(back[name], OBJECTS[name])


# Damage --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["state table2-gms", "model olsson-1998-table2", "patch points", "pid",
                                  "solver", "run", "detection", "mesh"])
def test_a_damaged_pickle_is_an_exception(name):
    """Every byte changed in turn, and every length cut off: an exception, or the same object; never another one."""
    value = OBJECTS[name]
    whole = pickle.dumps(value)
    step = max(1, len(whole) // 700)
    for at in range(0, len(whole), step):
        for damaged in (whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:], whole[:at]):
            try:
                found = pickle.loads(damaged)
            except Exception as error:  # noqa: BLE001: whatever pickle says
                assert not isinstance(error, SystemError)
                continue
            if type(found) is type(value):
                same_object(found, value)


def test_messages_about_damaged_pickles():
    kind, inside, checksum = _values._reduce(OBJECTS["patch disc"])[1]
    with pytest.raises(pickle.UnpicklingError, match="this pickle of a planar.Patch is damaged"):
        _values.restore(kind, inside[:-1], checksum)
    with pytest.raises(pickle.UnpicklingError, match="this pickle of a planar.Friction is damaged"):
        _values.restore(planar.Friction, inside, checksum)
    with pytest.raises(pickle.UnpicklingError, match="is damaged"):
        _values.restore("Patch", inside, checksum)


def remade(kind, **parts):
    inside = pickle.dumps(parts)
    return _values.restore(kind, inside, _values._checksum(kind, inside))


def test_states_of_another_version_are_refused():
    parts = LUGRE.at_rest(0.5)._parts()
    assert remade(scalar.State, **parts) == LUGRE.at_rest(0.5)
    for change, message in [({"version": "0.1.0"}, "it was written by version 0.1.0"),
                            ({"names": ("bend",)}, "the states of lugre are others in this version"),
                            ({"model": "lugre-2"}, "there is no model 'lugre-2'"),
                            ({"model": "elasto-plastic", "names": ("bristle", "other")}, "are others in this version"),
                            ({"count": 2}, "it has 8 bytes: must be 16"), ({"bytes": b""}, "it has 0 bytes: must be 8")]:
        with pytest.raises(pickle.UnpicklingError, match=message):
            remade(scalar.State, **{**parts, **change})
    with pytest.raises(pickle.UnpicklingError, match="is no scalar.LuGre of this version: LuGre has no parameter 'sigma'"):
        remade(scalar.LuGre, **LUGRE.parameters, sigma=1.0)
    with pytest.raises(pickle.UnpicklingError, match="is no scalar.LuGre of this version: stiffness = -1: must be in"):
        remade(scalar.LuGre, **{**LUGRE.parameters, "stiffness": -1.0})


class Special(scalar.LuGre):
    """A user's own class."""


class SpecialPid(control.Pid):
    """A user's own class."""


def test_subclasses():
    made = Special(**LUGRE.parameters)
    assert type(pickle.loads(pickle.dumps(made))) is Special and made != LUGRE
    with pytest.raises(TypeError, match="a subclass of control.Pid cannot be pickled: define __reduce__"):
        pickle.dumps(SpecialPid(proportional=1))


def test_what_is_no_value_says_what_to_do():
    mesh = geometry.sphere(0.1, 2)
    patch = planar.Patch.disc(0.01)
    for value, advice in [(geometry.Solid.ball(1), "keep the mesh that meshed"), (geometry.TriangleTree(mesh), "keep its mesh"),
                          (geometry.PointShell(mesh, 100, 2), "cache="), (scalar.Joints([LUGRE]), "keep its models"),
                          (planar.FrozenStiffness(planar.Friction.waltersson_p1(), patch), "make it again"),
                          (control.Compensator(LUGRE), "copy()")]:
        with pytest.raises(TypeError, match="cannot be pickled or copied: .*" + advice.replace("(", r"\(").replace(")", r"\)")):
            pickle.dumps(value)
        assert repr(value).startswith("<")
    compensator = control.Compensator(LUGRE)
    assert copy.copy(compensator).step(0.1, 1e-3) == compensator.step(0.1, 1e-3)


# Shown ---------------------------------------------------------------------------------------------------------------


def names_of(module):
    found = {}
    exec(f"from {module} import *", found)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_a_model_is_shown_as_the_call_that_makes_it(name):
    model = PRESETS[name]
    assert eval(repr(model), names_of("stiction.scalar")) == model


def test_there_is_a_preset_of_each_model():
    assert {type(model) for model in PRESETS.values()} == set(scalar.models().values())


@pytest.mark.parametrize("name", ["models", "planar friction", "circular cone", "box cone", "elliptic cone", "pyramid",
                                  "mujoco pyramid", "pair", "friction polygon", "empty solver", "table", "distributed", "resized",
                                  "reduced ellipsoid", "soft finger", "soft finger model", "encoder", "asymmetric", "arm",
                                  *(f"patch {name}" for name in patches())])
def test_other_objects_are_shown_as_the_call_that_makes_them(name):
    value = OBJECTS[name]
    module = type(value).__module__
    assert eval(repr(value), names_of(module)) == value


def test_long_objects_are_shown_short():
    large = planar.Patch.grid(np.ones((40, 40)), 1e-3, 1e-3)
    function = planar.Patch.function(lambda x, y: 1 + x, [0, 0], [0.01, 0.01], 8, 8)
    for value in (large, function, scalar.Coulomb(coulomb_force=np.arange(1.0, 2001)), OBJECTS["mesh"], moved(LUGRE)[1], OBJECTS["solver"]):
        assert len(repr(value)) < 200 and repr(value).startswith("<")
    assert repr(large) == "<Patch of 1600 points, torque radius 0.0153039 m>"
    assert "coulomb_force=float64 (2000,), from 1 to 2000" in repr(scalar.Coulomb(coulomb_force=np.arange(1.0, 2001)))


def test_results_are_shown_as_tables():
    for name in ("verdict", "solution", "slip", "run", "fit", "closure", "detection", "solved", "patch step"):
        lines = repr(OBJECTS[name]).splitlines()
        assert 3 <= len(lines) <= 30 and all(len(line) <= 120 for line in lines), name
    assert repr(OBJECTS["run"]).splitlines()[0] == f"{len(OBJECTS['run']['time'])} rows by cvode, {OBJECTS['run'].steps} steps"
    assert any(line.split() == ["status", "holds"] or line.split() == ["status", "slips"] for line in repr(OBJECTS["verdict"]).splitlines())


def test_objects_that_new_made_are_refused():
    """Without __init__ there is nothing inside: in a process of its own, because using that would crash it."""
    done = subprocess.run([sys.executable, "-c", USE_WHAT_NEW_MADE], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    used, refused = map(int, done.stdout.split())
    assert used > 300 and refused > 0.8 * used


USE_WHAT_NEW_MADE = """
import inspect
from stiction import _core

def classes(scope):
    for member in vars(scope).values():
        if inspect.ismodule(member):
            yield from classes(member)
        elif inspect.isclass(member) and member.__module__.startswith("stiction."):
            yield member
            yield from classes(member)

used = refused = 0
for kind in set(classes(_core)):
    try:
        empty = kind.__new__(kind)
    except TypeError:  # an exception or a type of numbers
        continue
    for name in dir(kind):
        if name in ("__init__", "__class__", "__setstate__") or name in dir(object) and name not in ("__repr__", "__eq__", "__reduce__"):
            continue
        for given in ((), (1.0,), (empty,), (1.0, 1.0), (empty, 1.0)):
            used += 1
            try:
                member = getattr(empty, name)
                if callable(member):
                    member(*given)
            except Exception as error:
                refused += isinstance(error, TypeError)
print(used, refused)
"""
