"""Contact patches: the same bits as C++, the authors' numbers, closed forms, and exceptions for wrong input."""

import gc
import os
import subprocess
import threading
import time

import numpy as np
import pytest

from stiction import planar

DT = 2.0**-10
P1 = planar.Friction.waltersson_p1()


def twist_at(i):
    """As in reference.cpp."""
    return np.array([((5 * i) % 17 - 8) * 2.0**-11, ((3 * i) % 13 - 6) * 2.0**-11, ((7 * i) % 11 - 5) * 2.0**-4])


def paper_profile(t):
    ramp = lambda a, b: np.clip((t - a) / (b - a), 0, 1)
    c = 0.015
    return np.array([c * (ramp(0.8, 1.4) - ramp(1.6, 2.2)), 0.4 * c * (ramp(2.4, 2.7) - ramp(4.3, 4.6)),
                     ramp(0, 0.6) - ramp(3.4, 4.0)]).T


@pytest.fixture(scope="module")
def patch():
    return planar.Patch.paper("non-convex-2")


def test_limit_surface_and_slip_have_the_bits_of_cpp(patch, reference):
    twists = np.array([twist_at(i) for i in range(1, 40)])
    assert np.array_equal(patch.wrench(twists).ravel(), reference["limit-surface"])
    assert np.array_equal(patch.wrench(twists[3]), patch.wrench(twists)[3])
    loads = twists * [8, 8, 1 / 64]
    assert np.array_equal(planar.slip_factors(patch, loads, 0.5).ravel(), reference["slip"])
    for load, row in zip(loads, np.reshape(reference["slip"], (-1, 4))):
        answer = planar.slip(patch, load, 0.5)
        assert (answer.factor, *answer.twist) == tuple(row) and answer.proven and answer.gap <= 1e-9
        assert answer.slips == (row[0] <= 1) == (not planar.holds(patch, load, 0.5))
    constants = [patch.torque_radius, patch.mean_square_radius, *patch.centre_of_pressure]
    assert constants == reference["patch"]


@pytest.mark.parametrize("surface", ["table", "ellipsoid", "angles", "axisymmetric"])
def test_reduced_has_the_bits_of_cpp(patch, surface, reference):
    shape = planar.Patch.paper("circle") if surface == "axisymmetric" else patch
    model = planar.Reduced(P1, shape, surface)
    z, wrenches = np.zeros(3), []
    for i in range(64):
        wrench, z = model.step(z, twist_at(i // 4), 2, DT)
        wrenches.append(wrench)
    assert np.array_equal(np.ravel(wrenches), reference[f"reduced {surface}"])


def test_distributed_has_the_bits_of_cpp(patch, reference):
    model = planar.Distributed(P1, patch)
    z, single = model.state(), []
    for i in range(64):
        wrench, z = model.step(z, twist_at(i // 4), 2, DT)
        single.append(wrench)
    assert np.array_equal(np.ravel(single), reference["distributed"])
    rows, again = model.run(model.state(), np.array([twist_at(i // 4) for i in range(64)]), 2, DT)
    assert np.array_equal(rows, single) and np.array_equal(z, again)


def make_batch(kind, patch, n):
    tables = [planar.SurfaceTable(patch), planar.SurfaceTable(planar.Patch.paper("square"))]
    frictions = [planar.Friction.waltersson_p0() if i % 3 == 0 else P1 for i in range(n)]
    return kind(tables, frictions, (np.arange(n) + 4) * 2.0**-11, 2.0**-14, np.arange(n) % 2)


def test_batch_has_the_bits_of_cpp(patch, reference):
    n = 37
    batch = make_batch(planar.ReducedBatch, patch, n)
    states, twists = batch.states(), np.array([twist_at(i) for i in range(n)]).T.copy()
    forces = 1 + np.arange(n) / 8
    for _ in range(5):
        out, states = batch.step(states, twists, forces, DT)
    assert np.array_equal(out.ravel(), reference["batch"])
    short = make_batch(planar.ReducedBatchF, patch, n)
    z, single = short.states(), None
    for _ in range(5):
        single, z = short.step(z, twists.astype(np.float32), forces.astype(np.float32), DT)
    assert single.dtype == z.dtype == np.float32
    np.testing.assert_allclose(single[:2], out[:2], atol=2e-5 * 1.2 * forces.max())


def test_rows_are_single_patches(patch):
    model = planar.Reduced(P1, patch)
    z, twists, force = np.zeros((7, 3)), np.array([twist_at(i) for i in range(7)]), np.linspace(1, 2, 7)
    wrench, z = model.step(z, twists, force, DT)
    for i in range(7):
        one_wrench, one_state = model.step(np.zeros(3), twists[i], force[i], DT)
        assert np.array_equal(one_wrench, wrench[i]) and np.array_equal(one_state, z[i])
        assert np.array_equal(model.wrench(z[i], twists[i], force[i]), model.wrench(z, twists, force)[i])
        assert np.array_equal(model.rate(z[i], twists[i]), model.rate(z, twists)[i])
        assert np.array_equal(model.advance(z[i], twists[i], DT), model.advance(z, twists, DT)[i])
    assert np.array_equal(model.advance(np.zeros((7, 3)), twists, DT), z)
    half = model.resized(model.torque_radius / 2, model.mean_square_radius / 4)
    assert half.torque_radius == model.torque_radius / 2 and model.friction == P1
    short, _ = model.step(np.zeros((7, 3), np.float32), twists.astype(np.float32), force, DT)
    np.testing.assert_allclose(short, wrench, rtol=1e-6)


def test_bristles_give_the_authors_numbers(source):
    rows = np.genfromtxt(source / "tests/data/planar_distributed_square.csv", delimiter=",", skip_header=1, names=True)
    model = planar.Distributed(P1, planar.Patch.paper("square"))
    z, step, until = model.state(), 1e-5, 0.95
    twists = paper_profile(np.arange(round(until / step) + 1) * step)
    for k, twist in enumerate(twists):
        wrench, z = model.euler_step(z, twist, 1, step)
        if k % 5000 == 0:
            row = rows[k // 5000]
            assert wrench == pytest.approx([row["fx_N"], row["fy_N"], row["tau_Nm"]], abs=1e-9)


def test_limit_surface_of_the_authors(source):
    rows = np.genfromtxt(source / "tests/data/planar_limit_surface_Square.csv", delimiter=",", skip_header=1, names=True)
    patch = planar.Patch.paper("square", 101)
    twists = np.stack([rows["vx_m_s"], rows["vy_m_s"], rows["omega_rad_s"]], axis=1)
    expected = np.stack([rows["fx_bilinear_N"], rows["fy_bilinear_N"], rows["tau_bilinear_Nm"]], axis=1)
    np.testing.assert_allclose(patch.authors_wrench(twists), expected, atol=1e-9)
    np.testing.assert_allclose(patch.wrench(twists)[:, :2], expected[:, :2], atol=2e-2)


def test_closed_forms():
    disc = planar.Patch.disc(0.01, 40, 64)
    assert disc.torque_radius == pytest.approx(2 / 3 * 0.01, rel=1e-3)
    assert disc.mean_square_radius == pytest.approx(0.5 * 0.01**2, rel=1e-9)
    rectangle = planar.Patch.rectangle(0.02, 0.01)
    assert rectangle.mean_square_radius == pytest.approx((0.02**2 + 0.01**2) / 12, rel=1e-9)
    corners = np.array([[0, 0], [0.02, 0], [0.02, 0.01], [0, 0.01]])
    polygon = planar.Patch.polygon([corners], 20, 10)
    assert polygon.centre_of_pressure == pytest.approx([0.01, 0.005])
    assert polygon.mean_square_radius == pytest.approx(rectangle.mean_square_radius, rel=5e-3)
    grid = planar.Patch.grid(np.ones((10, 20)), 1e-3, 1e-3)
    assert grid.wrench([1, 0, 0]) == pytest.approx([-1, 0, 0]) and len(grid) == 200
    assert grid.moved([1, 2]).centre_of_pressure == pytest.approx([1.01, 2.005])
    assert grid.scaled(2).torque_radius == pytest.approx(2 * grid.torque_radius)
    finger = planar.SoftFinger(reach=0.01, exponent=2)
    pressure = planar.soft_finger_pressure(finger.radius(8), finger.power(8))
    a = finger.radius(8)
    made = planar.Patch.function(pressure, [-a, -a], [a, a], 64, 64)
    assert a == pytest.approx(0.02) and made.torque_radius == pytest.approx(finger.torque_radius(8), rel=2e-3)
    assert made.mean_square_radius == pytest.approx(finger.mean_square_radius(8), rel=2e-3)
    weighted = planar.Patch.rectangle(0.02, 0.02, pressure=lambda x, y: 1 + 50 * x)
    assert weighted.centre_of_pressure[0] > 0
    parabolic = planar.Patch.disc(0.01, pressure=lambda share: 1 - share**2)
    assert parabolic.torque_radius < disc.torque_radius
    points = planar.Patch.points([0, 1, 0], [0, 0, 1], [1, 1, 2])
    assert points.share.sum() == 1 and points.centre_of_pressure == pytest.approx([0.25, 0.5])
    assert np.hypot(points.x, points.y).max() == pytest.approx(points.radius)
    assert points.y.size == 3 and eval(repr(points), {"Patch": planar.Patch}) == points


def test_limit_surface_is_closed_and_odd(patch):
    twists, wrenches = patch.limit_surface(24, 12)
    assert twists.shape == wrenches.shape == (12, 24, 3)
    assert np.array_equal(patch.wrench(twists.reshape(-1, 3)), wrenches.reshape(-1, 3))
    np.testing.assert_allclose(patch.wrench(-twists.reshape(-1, 3)), -wrenches.reshape(-1, 3), atol=1e-12)
    assert (np.einsum("ijk,ijk->ij", twists, wrenches) < 0).all()  # it opposes every motion
    centre = patch.forceless_centre_of_rotation
    about = planar.twist_at([0, 0, 1.0], centre, [0, 0])
    assert np.abs(patch.wrench(about)[:2]).max() < 1e-6
    for rule in ("midpoint", "bilinear"):
        assert np.abs(patch.wrench(twists[3], rule) - wrenches[3]).max() < 0.1


def test_frames():
    twist, wrench = [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    moved_twist, moved_wrench = planar.twist_at(twist, [0, 0], [1, 2]), planar.wrench_at(wrench, [0, 0], [1, 2])
    assert np.dot(moved_twist, moved_wrench) == pytest.approx(np.dot(twist, wrench))  # power does not change


def test_ellipsoid(patch):
    ellipsoid = planar.LimitEllipsoid.of_radius(0.01)
    assert ellipsoid.wrench([0, 0, 1.0]) == pytest.approx([0, 0, -0.01])
    assert np.array_equal(np.diag(ellipsoid.matrix), [1, 1, 0.01**2])
    fitted = planar.LimitEllipsoid.fitted(patch)
    assert fitted.error(patch)["wrench_rms"] < ellipsoid.error(patch)["wrench_rms"]
    twists = np.array([twist_at(i) for i in range(1, 9)])
    assert np.array_equal(fitted.wrench(twists)[2], fitted.wrench(twists[2]))
    assert ellipsoid.slip([1, 0, 0], 0.5).factor == pytest.approx(0.5)
    assert ellipsoid.pushed([0, 0], [1, 0]) == pytest.approx([1, 0, 0])


def test_pushing(patch):
    disc = planar.Patch.disc(0.05, 12, 25)
    twist, load, contact = planar.pushed(disc, 0.3, [-0.05, 0], [1, 0], [0.01, 0])
    assert contact == "sticks" and twist == pytest.approx([0.01, 0, 0], abs=1e-9) and load[0] == pytest.approx(0.3)
    assert planar.pushed(disc, 0.3, [-0.05, 0], [1, 0], [-0.01, 0])[2] == "parts"
    assert planar.pushed(disc, 0.3, [-0.05, 0], [1, 0], [0.01, 0.1], 0.1)[2] == "slides"


def test_soft_finger_and_frozen_stiffness(patch):
    finger = planar.SoftFinger(reach=0.01, exponent=2)
    model = planar.SoftFingerModel(P1, finger, 10)
    z = np.zeros(3)
    for _ in range(2000):
        wrench, z = model.step(z, [0.01, 0, 0], 5, DT)
    assert wrench[0] == pytest.approx(-5 * (1 + 0.2 * 0.01), rel=1e-3)
    frozen = planar.FrozenStiffness(P1, patch)
    frozen.press(2)
    for _ in range(2000):
        wrench = frozen.step([0.01, 0, 0], DT)
    assert wrench[0] == pytest.approx(-2 * (1 + 0.2 * 0.01), rel=1e-3)


def test_bristles_other_calls(patch):
    model = planar.Distributed(P1, patch)
    z = model.advance(model.state(), [0.01, 0, 0.1], DT)
    rate, wrench = model.rate(z, [0.01, 0, 0.1], 2)
    assert np.array_equal(wrench, model.wrench(z, [0.01, 0, 0.1], 2)) and rate.shape == z.shape
    assert len(model) == len(patch) == model.shares.size and model.friction == P1
    shares = np.zeros(len(model))
    shares[0] = 1
    assert not np.array_equal(model.with_shares(shares).wrench(z, [0.01, 0, 0.1], 2), wrench)
    assert np.array_equal(model.wrench(z, [0.01, 0, 0.1], 2), wrench)  # the old one stays as it was


STATE_CALLS = {
    "advance": lambda model, z, out: model.advance(z, [0.01, 0, 0.1], DT, out=out),
    "step": lambda model, z, out: model.step(z, [0.01, 0, 0.1], 2, DT, out=out)[1],
    "run": lambda model, z, out: model.run(z, [[0.01, 0, 0.1], [0, 0.02, 0]], 2, DT, out=out)[1],
    "euler_step": lambda model, z, out: model.euler_step(z, [0.01, 0, 0.1], 2, 1e-6, out=out)[1],
}


@pytest.mark.parametrize("name", STATE_CALLS)
def test_bristles_are_a_value(patch, name):
    model, call = planar.Distributed(P1, patch), STATE_CALLS[name]
    z = model.advance(model.state(), [0, 0.003, 1], DT)
    before = z.copy()
    moved = call(model, z, None)
    assert np.array_equal(z, before) and not np.array_equal(moved, before)
    assert np.array_equal(call(model, z.tolist(), None), moved)
    other = model.state()
    assert call(model, z, other) is other and np.array_equal(other, moved) and np.array_equal(z, before)
    assert call(model, z, z) is z and np.array_equal(z, moved)  # in place, where asked for


@pytest.mark.parametrize("kind", [planar.ReducedBatch, planar.ReducedBatchF])
def test_states_of_a_batch_are_a_value(patch, kind):
    n = 5
    batch = make_batch(kind, patch, n)
    states = batch.states()
    twists, forces = np.full((3, n), 0.01, states.dtype), np.ones(n, states.dtype)
    wrenches, moved = batch.step(states, twists, forces, DT)
    assert not states.any() and moved.any()
    other, room = batch.states(), np.empty_like(wrenches)
    results = batch.step(states, twists, forces, DT, out=other, wrench_out=room)
    assert results[0] is room and results[1] is other and not states.any()
    assert np.array_equal(room, wrenches) and np.array_equal(other, moved)
    assert batch.step(states, twists, forces, DT, out=states)[1] is states and np.array_equal(states, moved)
    whole = np.zeros((4, n), states.dtype)  # out overlaps the states, one row on
    assert np.array_equal(batch.step(whole[:3], twists, forces, DT, out=whole[1:])[1], moved)


def test_surface_table(patch):
    table = planar.SurfaceTable(patch, 12)
    v = np.array([0.3, -0.2, 0.5])
    h, gradient = table(v), table.gradient(v)
    step = 1e-7
    for k in range(3):
        ahead = table(v + step * np.eye(3)[k])
        assert (ahead - h) / step == pytest.approx(gradient[:, k], abs=1e-5)
    assert np.array_equal(table(np.stack([v, -v]))[1], -h) and table.cells == 12
    assert np.array_equal(planar.Reduced(P1, patch, cells=12).surface(v), h)


def test_friction_parameters():
    friction = planar.Friction(stiffness=1e6, damping=800, coulomb=1, static_level=1.2, stribeck_velocity=1e-3,
                               viscous=0.2)
    assert friction == P1 and friction.static_level == 1.2 and friction.elasto_plastic
    with pytest.raises(ValueError, match="static = 0.5: must be >= coulomb"):
        planar.Friction(stiffness=1e6, damping=800, coulomb=1, static_level=0.5, stribeck_velocity=1e-3)
    with pytest.raises(TypeError, match="needs stiffness"):
        planar.Friction()


def test_patch_files(source):
    patch = planar.load_patch(str(source / "examples/patches/tactile_image.toml"))
    assert patch.torque_radius > 0
    with pytest.raises(ValueError, match="nothing.toml"):
        planar.load_patch("nothing.toml")
    with pytest.raises(ValueError, match="text"):
        planar.parse_patch("[patch]\nshape = 3")


def wrong_calls():
    patch = planar.Patch.paper("square")
    reduced, many, table = planar.Reduced(P1, patch), planar.Distributed(P1, patch), planar.SurfaceTable(patch)
    batch = make_batch(planar.ReducedBatch, patch, 5)
    z3, z5, f5 = np.zeros(3), np.zeros((3, 5)), np.ones(5)
    return {
        "twist": (ValueError, r"twist has shape \(2,\)", lambda: patch.wrench([1, 2])),
        "twists": (ValueError, r"twist has shape \(4, 2\): must be \(n, 3\)", lambda: patch.wrench(np.zeros((4, 2)))),
        "dimensions": (ValueError, r"twist has shape \(1, 1, 3\)", lambda: patch.wrench(np.zeros((1, 1, 3)))),
        "text": (TypeError, "twist: must be", lambda: patch.wrench("abc")),
        "rule": (ValueError, "there is no rule 'best'", lambda: patch.wrench([1, 0, 0], "best")),
        "mask": (ValueError, "there is no mask", lambda: planar.Patch.paper("star")),
        "negative pressure": (ValueError, "pressure", lambda: planar.Patch.grid([[1, -1]], 1, 1)),
        "NaN pressure": (ValueError, "pressure", lambda: planar.Patch.grid([[1, np.nan]], 1, 1)),
        "no pressure": (ValueError, None, lambda: planar.Patch.grid(np.zeros((3, 3)), 1, 1)),
        "no cells": (ValueError, None, lambda: planar.Patch.grid(np.zeros((0, 3)), 1, 1)),
        "lengths": (ValueError, "y has shape", lambda: planar.Patch.points([0, 1], [0], [1, 1])),
        "radius": (ValueError, "radius", lambda: planar.Patch.disc(-1)),
        "rings": (ValueError, "rings", lambda: planar.Patch.disc(1, -3)),
        "pressure function": (TypeError, None, lambda: planar.Patch.rectangle(1, 1, pressure=lambda x, y: "much")),
        "pressure fails": (ZeroDivisionError, None, lambda: planar.Patch.rectangle(1, 1, pressure=lambda x, y: 1 / 0)),
        "surface": (ValueError, "there is no surface", lambda: planar.Reduced(P1, patch, "cube")),
        "cells": (ValueError, None, lambda: planar.SurfaceTable(patch, 0)),
        "dt": (ValueError, "dt = -1", lambda: reduced.step(z3, z3, 1, -1)),
        "dt of bristles": (ValueError, "dt = -?nan", lambda: many.step(many.state(), z3, 1, np.nan)),
        "rows": (ValueError, "twist has shape", lambda: reduced.step(np.zeros((2, 3)), np.zeros((3, 3)), 1, DT)),
        "forces": (ValueError, "normal_force has shape", lambda: reduced.step(np.zeros((2, 3)), np.zeros((2, 3)), [1, 2, 3], DT)),
        "bristles": (ValueError, "z has shape", lambda: many.step(np.zeros((2, 5)), z3, 1, DT)),
        "bristles out": (ValueError, "out has shape", lambda: many.step(many.state(), z3, 1, DT, out=np.zeros((2, 5)))),
        "bristles out in float32": (TypeError, r"^out has numbers of type float32: must be float64$",
                                    lambda: many.step(many.state(), z3, 1, DT, out=many.state().astype(np.float32))),
        "bristles out in a list": (TypeError, "^out: must be a NumPy array$",
                                   lambda: many.step(many.state(), z3, 1, DT, out=[[0.0], [0.0]])),
        "bristles out in columns": (ValueError, "in rows",
                                    lambda: many.step(many.state(), z3, 1, DT, out=np.asfortranarray(many.state()))),
        "bristles out read-only": (ValueError, "writeable", lambda: many.advance(
            many.state(), z3, DT, out=np.broadcast_to(0.0, many.state().shape))),
        "shares": (ValueError, "shares has shape", lambda: many.with_shares([1])),
        "batch states": (ValueError, "states has shape", lambda: batch.step(np.zeros((5, 3)), z5, f5, DT)),
        "batch twists": (ValueError, "twists has shape", lambda: batch.step(batch.states(), np.zeros((3, 4)), f5, DT)),
        "batch forces": (ValueError, "normal_forces has shape", lambda: batch.step(batch.states(), z5, np.ones(4), DT)),
        "batch type": (TypeError, "^states has numbers of type float32: must be float64$",
                       lambda: batch.step(batch.states().astype(np.float32), z5, f5, DT)),
        "batch force type": (TypeError, "^normal_forces has numbers of type int64: must be float64$",
                             lambda: batch.step(batch.states(), z5, np.ones(5, int), DT)),
        "batch out type": (TypeError, "^out: must be a NumPy array$", lambda: batch.step(batch.states(), z5, f5, DT, out=[1])),
        "batch negative force": (ValueError, "normal_forces = -1: must be >= 0 and finite",
                                 lambda: batch.step(batch.states(), z5, -f5, DT)),
        "batch NaN u": (ValueError, r"mean_square_radius = nan: must be in \[0, 1e14\]",
                        lambda: planar.ReducedBatch([table], P1, f5, np.nan)),
        "batch part of a surface": (ValueError, "surface = 0.5", lambda: planar.ReducedBatch([table], P1, f5, 1.0, 0.5)),
        "batch resized to NaN": (ValueError, "torque_radius = nan", lambda: batch.resize(0, np.nan, 1.0)),
        "batch u of NaN": (ValueError, "mean_square_radius = nan", lambda: batch.resize(0, 1.0, np.nan)),
        "resized to NaN": (ValueError, "torque_radius = nan", lambda: reduced.resized(np.nan, 1e-4)),
        "resized with NaN": (ValueError, "mean_square_radius = nan", lambda: reduced.resized(0.01, np.nan)),
        "resized to less than nothing": (ValueError, "torque_radius = -1", lambda: reduced.resized(-1, 1e-4)),
        "negative force": (ValueError, "normal_force = -1: must be >= 0", lambda: reduced.step(z3, z3, -1, DT)),
        "one negative force": (ValueError, "normal_force = -2",
                               lambda: reduced.wrench(np.zeros((2, 3)), np.zeros((2, 3)), [1, -2])),
        "NaN force": (ValueError, "normal_force = nan", lambda: many.step(many.state(), z3, np.nan, DT)),
        "negative force of bristles": (ValueError, "normal_force = -1", lambda: many.wrench(many.state(), z3, -1)),
        "negative forces of a run": (ValueError, "normal_force = -1", lambda: many.run(many.state(), [z3], [-1], DT)),
        "negative force of a finger": (ValueError, "normal_force = -1",
                                       lambda: planar.SoftFinger(reach=0.01).torque_radius(-1)),
        "negative force, frozen": (ValueError, "normal_force = -1", lambda: planar.FrozenStiffness(P1, patch).press(-1)),
        "shares that are negative": (ValueError, "shares = -1", lambda: many.with_shares([-1, 2] + [0] * (len(many) - 2))),
        "shares without sum 1": (ValueError, r"shares \(their sum\) = 2: must be 1", lambda: many.with_shares([2] + [0] * (len(many) - 1))),
        "NaN load": (ValueError, "load = nan: must be finite", lambda: planar.slip(patch, [np.nan, 0, 0], 1)),
        "infinite load": (ValueError, "load = inf", lambda: planar.slip(patch, [0, 0, np.inf], 1)),
        "NaN load that holds": (ValueError, "load = nan", lambda: planar.holds(patch, [np.nan, 0, 0], 1)),
        "friction": (ValueError, "friction = -1: must be >= 0", lambda: planar.slip(patch, [1, 0, 0], -1)),
        "NaN friction": (ValueError, "friction = nan", lambda: planar.slip_factors(patch, [[1, 0, 0]], np.nan)),
        "ellipsoid of nothing": (ValueError, "torque_radius = 0", lambda: planar.LimitEllipsoid.of_radius(0)),
        "NaN on an ellipsoid": (ValueError, "load", lambda: planar.LimitEllipsoid.of_radius(1).slip([np.nan, 0, 0], 1)),
        "pushed along nothing": (ValueError, "normal = 0", lambda: planar.pushed(patch, 1, [0, 0], [0, 0], [1, 0])),
        "pushed with NaN": (ValueError, "velocity = nan", lambda: planar.pushed(patch, 1, [0, 0], [1, 0], [np.nan, 0])),
        "axisymmetric line": (ValueError, "asymmetry of the patch = 1",
                              lambda: planar.Reduced(P1, planar.Patch.points([0, 1], [0, 0], [1, 1]), "axisymmetric")),
        "axisymmetric square": (ValueError, "axisymmetric", lambda: planar.Reduced(P1, patch, "axisymmetric")),
        "polygon pressure": (ValueError, "^pressure = -1: must be >= 0 and finite$",
                             lambda: planar.Patch.polygon([[[0, 0], [0.01, 0], [0, 0.01]]], pressure=lambda x, y: -1)),
        "cells below": (ValueError, r"cells = -1: must be in \[1, 1000\]", lambda: planar.Reduced(P1, patch, cells=-1)),
        "cells above": (ValueError, "cells = 1001", lambda: planar.SurfaceTable(patch, 1001)),
        "too many cells": (ValueError, "columns x rows", lambda: planar.Patch.polygon([[[0, 0], [1, 0], [0, 1]]], 10**6, 2)),
        "twice the same loop": (ValueError, "area", lambda: planar.Patch.polygon(2 * [[[0, 0], [1, 0], [0, 1]]])),
        "NaN corner": (ValueError, "corner = nan", lambda: planar.Patch.grid([[1]], 1, 1, [np.nan, 0])),
        "tiny": (ValueError, r"radius = 1e-13: must be in \[1e-12, 1e6\]", lambda: planar.Patch.disc(1e-13)),
        "finger's exponent": (ValueError, r"exponent = 0.4: must be in \[0.5, 1000\]",
                              lambda: planar.SoftFinger(reach=1, exponent=0.4)),
        "batch out": (ValueError, "out has shape", lambda: batch.step(batch.states(), z5, f5, DT, out=np.zeros((3, 4)))),
        "batch dt": (ValueError, "dt", lambda: batch.step(batch.states(), z5, f5, -DT)),
        "batch surface": (ValueError, "surface = 1", lambda: planar.ReducedBatch([table], P1, f5, 1.0, 1)),
        "batch frictions": (ValueError, "2 frictions for 5", lambda: planar.ReducedBatch([table], [P1, P1], f5, 1.0)),
        "batch none": (TypeError, None, lambda: planar.ReducedBatch([None], P1, f5, 1.0)),
        "batch radius": (ValueError, None, lambda: planar.ReducedBatch([table], P1, -f5, 1.0)),
        "batch size": (IndexError, "5 patches", lambda: batch.resize(5, 1.0, 1.0)),
        "coefficient": (ValueError, "coefficient", lambda: planar.pushed(patch, 1, [0, 0], [1, 0], [1, 0], -1)),
        "finger": (ValueError, "reach", lambda: planar.SoftFinger(reach=-1)),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()


def test_one_point_has_all_its_friction():
    for patch in (planar.Patch.points([0], [0], [1]), planar.Patch.points([0.1] * 3, [0.7] * 3, [1] * 3)):
        assert patch.torque_radius == patch.radius == 0
        for surface in ("table", "ellipsoid", "angles", "axisymmetric"):
            model = planar.Reduced(planar.Friction.waltersson_p0(), patch, surface)
            wrench, _ = model.step(np.zeros(3), [0.003, 0.004, 20], 2, 1.0)
            assert wrench == pytest.approx([-1.2, -1.6, 0], rel=5e-3), surface
        batch = planar.ReducedBatch([planar.SurfaceTable(patch)], planar.Friction.waltersson_p0(), [0.0], 0.0)
        out, _ = batch.step(batch.states(), np.array([[0.003], [0.004], [20.0]]), np.array([2.0]), 1.0)
        assert out[:, 0] == pytest.approx([-1.2, -1.6, 0], rel=5e-3)


def test_rows_count_from_the_top_everywhere(tmp_path):
    image = np.array([[0, 1, 6], [0, 0, 1.0]])  # most at the top right
    expected = [0.01 * 7 / 8, 0.005 * 6 / 8]
    given = planar.Patch.grid(image, 0.01, 0.01, [-0.015, -0.01])
    assert given.centre_of_pressure == pytest.approx(expected)
    np.savetxt(tmp_path / "image.csv", image, delimiter=",")
    (tmp_path / "patch.toml").write_text('[patch]\nshape = "grid"\nfile = "image.csv"\nwidth = 0.03\nheight = 0.02\n')
    read = planar.load_patch(str(tmp_path / "patch.toml"))
    assert read.centre_of_pressure == pytest.approx(given.centre_of_pressure)
    assert np.array_equal(read.share, given.share) and np.array_equal(given.share, image[image > 0] / 8)
    places = planar.Patch.function(lambda x, y: y, [0, 0], [1, 4], 1, 4, 1)
    assert places.share == pytest.approx([3.5 / 8, 2.5 / 8, 1.5 / 8, 0.5 / 8])  # from the top


def test_polygons_that_cross_themselves():
    bow_tie = planar.Patch.polygon([[[0, 0], [2, 2], [2, 0], [0, 2]]])
    assert bow_tie.centre_of_pressure == pytest.approx([1, 1])
    assert bow_tie.mean_square_radius == pytest.approx(2 / 3, rel=2e-3)
    apart = planar.Patch.polygon([[[0, 0], [2, 0], [2, 2], [0, 2]], [[1, 1], [3, 1], [3, 3], [1, 3]]], 30, 30)
    assert apart.centre_of_pressure == pytest.approx([1.5, 1.5])
    middle = np.hypot(apart.x, apart.y) < 0.5
    assert not middle.any()  # what both have in common is outside


def test_answers_that_are_unknown_say_so(patch):
    assert np.isnan(planar.slip_factors(patch, [[np.nan, 0, 0], [1, 0, 0]], 1)[0]).all()
    assert planar.slip_factors(patch, [[np.nan, 0, 0], [1, 0, 0]], 1)[1, 0] == pytest.approx(1)


def test_nan_shows(patch):
    assert np.isnan(patch.wrench([np.nan, 0, 0])).any()
    wrench, _ = planar.Reduced(P1, patch).step(np.zeros(3), [np.nan, 0, 0], 1, DT)
    assert np.isnan(wrench).any()
    batch = make_batch(planar.ReducedBatch, patch, 5)
    assert np.isnan(batch.step(batch.states(), np.full((3, 5), np.nan), np.ones(5), DT)[0]).any()


def test_objects_keep_what_they_use():
    reduced = planar.Reduced(planar.Friction.waltersson_p1(), planar.Patch.paper("square"))
    batch = planar.ReducedBatch([planar.SurfaceTable(planar.Patch.paper("square"))], P1, np.full(8, 0.01), 1e-5)
    gc.collect()
    assert np.isfinite(reduced.step(np.zeros(3), [1e-3, 0, 0], 1, DT)[0]).all()
    assert np.isfinite(batch.step(batch.states(), np.full((3, 8), 1e-3), np.ones(8), DT)[0]).all()


def test_two_threads_do_not_share_a_batch(patch):
    n = 20_000
    batch = planar.ReducedBatch([planar.SurfaceTable(patch)], P1, np.full(n, 0.01), 1e-5)
    twists, forces, errors, done = np.full((3, n), 1e-3), np.ones(n), [], []

    def work():
        states = batch.states()
        for _ in range(60):
            try:
                batch.step(states, twists, forces, DT, out=states)
                done.append(1)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done and len(done) + len(errors) == 240
    assert set(errors) <= {"this batch is in use by another thread: give each thread its own"}


def test_cost_of_many_patches_is_printed(patch, capsys):
    """The best of many steps, in turn with a C++ program that does the same. Printed, not judged: machines are shared."""
    n = 100_000
    batch = planar.ReducedBatch([planar.SurfaceTable(patch)], P1, np.full(n, 0.01), 1e-5)
    states, twists, forces, out = batch.states(), np.full((3, n), 1e-3), np.ones(n), np.empty((3, n))
    ours = theirs = 1e9
    for _ in range(3):
        for _ in range(30):
            start = time.perf_counter()
            batch.step(states, twists, forces, DT, out=states, wrench_out=out)
            ours = min(ours, time.perf_counter() - start)
        if "STICTION_REFERENCE" in os.environ:
            said = subprocess.run([os.environ["STICTION_REFERENCE"], "time"], check=True, capture_output=True, text=True)
            theirs = min(theirs, float.fromhex(said.stdout.split()[1]))
    assert np.isfinite(out).all()
    with capsys.disabled():
        print(f"\n1e5 patches: {ours * 1e3:.3f} ms a step, {ours / theirs:.3f} of C++")
