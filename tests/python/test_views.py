"""Arrays of objects are views that share their memory, keep it alive, and cannot be written where it must not change."""

import gc
import weakref

import numpy as np
import pytest

import stiction
from stiction import geometry, planar, scalar, sim, spatial

LUGRE = scalar.LuGre(stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3)
PATCH = planar.Patch.grid(np.arange(1.0, 31).reshape(5, 6), 1e-3, 1e-3)
MESH = geometry.box([1, 2, 3])


def program():
    return spatial.linear_program("six-row", 4, False, [[0.1, 0, 0]], [[0, 0, 1]], 1, 0.3, np.ones(6), -np.eye(6), np.eye(6))


VIEWS = {
    "patch x": (lambda: planar.Patch.disc(0.02), "x"),
    "patch y": (lambda: planar.Patch.disc(0.02), "y"),
    "patch share": (lambda: planar.Patch.disc(0.02), "share"),
    "shares": (lambda: planar.Distributed(planar.Friction.waltersson_p1(), PATCH), "shares"),
    "vertices": (lambda: geometry.box([1, 2, 3]), "vertices"),
    "triangles": (lambda: geometry.box([1, 2, 3]), "triangles"),
    "positions": (lambda: geometry.PointShell(MESH, 200, 3), "positions"),
    "normals": (lambda: geometry.PointShell(MESH, 200, 3), "normals"),
    "state": (lambda: LUGRE.at_rest(0.3), "values"),
    "cost": (program, "cost"),
    "row_lower": (program, "row_lower"),
    "upper": (program, "upper"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_attributes_are_views_that_cannot_be_written(name):
    make, attribute = VIEWS[name]
    owner = make()
    first, second = getattr(owner, attribute), getattr(owner, attribute)
    assert first.size > 0 and np.shares_memory(first, second) and not first.flags.owndata
    assert not first.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        first[...] = 0
    before = first.copy()
    gone = weakref.ref(owner) if hasattr(type(owner), "__weakref__") else None
    del owner, second
    gc.collect()
    noise = [np.full(before.size, 7.0) for _ in range(100)]  # would take the place of what was freed
    assert np.array_equal(first, before) and (gone is None or gone() is not None) and len(noise) == 100


def test_points_of_a_shell_are_one_table():
    shell = geometry.PointShell(MESH, 200, 3)
    assert shell.positions.strides == shell.normals.strides == (48, 8)
    assert shell.positions.shape == (len(shell), 3)
    np.testing.assert_allclose(np.linalg.norm(shell.normals, axis=1), 1)


@pytest.mark.parametrize("row", scalar.presets(), ids=lambda row: row["name"])
def test_states_are_arrays(row):
    model = row["model"]
    states = model.advance(model.states(5), np.linspace(-0.1, 0.1, 5), 1e-3)
    values = np.asarray(states)
    assert values.shape == (5, len(model.state_names)) and np.array_equal(values, states.values)
    assert np.array_equal(np.asarray(states[3]), values[3]) and np.array_equal(states[3].values, values[3])
    if model.mode_names or not model.state_names:
        return
    assert np.array(states).flags.writeable and not np.shares_memory(np.array(states), states.values)


def test_states_share_their_memory():
    states = LUGRE.states(4)
    table = np.asarray(states)
    assert np.shares_memory(table, states.values) and table.flags.writeable
    table[2] = 7e-6
    assert states[2].bristle == 7e-6 and np.array_equal(states.bristle, [0, 0, 7e-6, 0])
    LUGRE.advance(states, 0.01, 1e-3, out=states)
    assert table[2, 0] == states[2].bristle != 7e-6
    del states
    gc.collect()
    assert np.isfinite(table).all()
    assert np.asarray(LUGRE.states(3), np.float32).dtype == np.float32
    one = np.asarray(LUGRE.at_rest(0.5))
    assert one.shape == (1,) and not one.flags.writeable
    with pytest.raises(ValueError, match="copy"):
        LUGRE.states(3).__array__(np.float32, copy=False)


def test_a_copy_of_states_with_modes_cannot_be_written_in_vain():
    model = scalar.preset("table2-karnopp") if scalar.preset("table2-karnopp").mode_names else scalar.preset("table2-stiction")
    states = model.states(3)
    if states.values.size:
        with pytest.raises(ValueError, match="read-only"):
            states.values[0] = 1
    gms = scalar.preset("table2-gms")
    states = gms.states(3)
    with pytest.raises(ValueError, match="read-only"):
        states.values[0] = 1
    states.values = np.full(states.values.shape, 0.01)
    assert (states.values == 0.01).all()


def test_columns_of_a_run_own_what_the_simulator_made():
    run = sim.body(LUGRE, 1.0, 0.05, force=3.0)
    for column in run.values():
        assert not column.flags.owndata and column.base is not None and column.flags.writeable
    velocity = run["velocity"]
    before = velocity.copy()
    del run
    gc.collect()
    noise = [np.full(before.size, 7.0) for _ in range(100)]
    assert np.array_equal(velocity, before) and len(noise) == 100
    speed = np.linspace(0.005, 0.5, 40)
    fit = stiction.identify({"velocity": speed, "torque": 1 + 0.4 * speed + 0.5 * np.exp(-((speed / 0.02) ** 2))}, "stribeck")
    assert fit.steady.shape == (40, 5)
