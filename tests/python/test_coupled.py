"""Body and friction in one implicit step: several joints, and patches."""
import numpy as np
import pytest

from stiction import planar, scalar

LUGRE = scalar.LuGre(stiffness=5e3, damping=5, coulomb_force=0.8, static_force=1.0, stribeck_velocity=0.01, viscous=0.05)
RUBBER = planar.Friction(stiffness=2e4, damping=100, coulomb=0.5, static_level=0.5, stribeck_velocity=1e-3)
MOBILITY = np.array([[2, 0.3, 1], [0.3, 1.5, -2], [1, -2, 900.0]])


def test_joints_take_one_coupled_step():
    joints = scalar.Joints([LUGRE])
    state, velocity = LUGRE.at_rest(), 0.0
    for i in range(200):
        free = velocity + 1e-3 * 400 * 0.01 * i
        expected = LUGRE.solve(state, free, 400.0, 1e-3, velocity)
        assert joints.solve([free], [[400.0]], [velocity], 1e-3)[0] == expected.force
        state, velocity = expected.state, expected.velocity
    pair = scalar.Joints([LUGRE, LUGRE])
    force = pair.solve([0.1, -0.1], [[400, -150], [-150, 300]], [0, 0], 1e-3)
    assert force[0] > 0 > force[1] and len(pair) == 2
    assert pair.converged and pair.residual < 1e-12 and 1 < pair.iterations < 10
    pair.rest_under([0.1, 0.2])
    assert pair.step([0, 0], 1e-3) == pytest.approx([0.1, 0.2])


def test_bad_input_of_joints_is_refused():
    pair = scalar.Joints([LUGRE, LUGRE])
    for wrong in [([0.1], [[400.0]], [0, 0]), ([0.1, 0], [400.0, 1], [0, 0])]:
        with pytest.raises(ValueError, match="has shape"):
            pair.solve(*wrong, 1e-3)
    with pytest.raises(ValueError, match="dt"):
        pair.solve([0, 0], np.eye(2), [0, 0], -1)
    with pytest.raises(TypeError):
        scalar.Joints([None])


@pytest.mark.parametrize("make", [planar.Reduced, planar.Distributed])
def test_patch_meets_its_equation(make):
    model = make(RUBBER, planar.Patch.rectangle(0.1, 0.1))
    state, twist = model.state(), np.zeros(3)
    for i in range(100):
        free = np.array([1e-3 * i, 0, 0.01])
        before = state.copy()
        solved = model.solve(state, free, MOBILITY, 3, 1e-3, twist)
        assert np.array_equal(state, before)  # a state is a value
        assert solved.converged and solved.residual < 1e-9
        assert solved.twist == pytest.approx(free + 1e-3 * MOBILITY @ solved.wrench, abs=1e-9)
        wrench, twist, state = solved
        assert np.array_equal(wrench, solved.wrench) and np.array_equal(state, solved.state)
    assert np.hypot(*solved.wrench[:2]) <= 0.5 * 3 * 1.01 and solved.wrench[0] < 0
    assert np.array_equal(model.solve(state, [1, 0, 0], MOBILITY, 0.0, 1e-3).wrench, np.zeros(3))


def test_bad_input_of_patches_is_refused():
    model, z = planar.Reduced(RUBBER, planar.Patch.rectangle(0.1, 0.1)), np.zeros(3)
    for wrong, message in [((z, [np.nan, 0, 0], MOBILITY, 1, 1e-3), "free_twist"),
                           ((z, [0, 0], MOBILITY, 1, 1e-3), "free_twist"),
                           ((z, [0, 0, 0], np.eye(2), 1, 1e-3), "mobility"),
                           ((z, [0, 0, 0], np.full((3, 3), np.inf), 1, 1e-3), "mobility"),
                           ((z, [0, 0, 0], MOBILITY, -1, 1e-3), "normal_force"),
                           ((z, [0, 0, 0], MOBILITY, 1, -1e-3), "dt"),
                           ((z + np.nan, [0, 0, 0], MOBILITY, 1, 1e-3), "z")]:
        with pytest.raises(ValueError, match=message):
            model.solve(*wrong)
