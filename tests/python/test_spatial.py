"""Cones, grasps and static friction: against closed forms and the answers of other programs in tests/data/spatial."""

import json
import threading

import numpy as np
import pytest

from stiction import spatial

RANDOM = np.random.default_rng(3)
CONES = {
    "circular": spatial.CircularCone(0.7),
    "flat": spatial.CircularCone(3.0),
    "box": spatial.BoxCone(0.3, 0.9),
    "elliptic 3": spatial.EllipticCone([0.3, 0.9]),
    "elliptic 4": spatial.EllipticCone([0.3, 0.9, 0.02]),
    "elliptic 6": spatial.EllipticCone([0.3, 0.9, 0.02, 0.01, 0.01]),
    "pyramid": spatial.Pyramid(0.5, 8),
    "pyramid around": spatial.Pyramid(0.5, 5, inscribed=False),
    "MuJoCo 3": spatial.MujocoPyramid([0.4, 0.6]),
    "MuJoCo 6": spatial.MujocoPyramid([0.4, 0.6, 0.1, 0.2, 0.3]),
}


@pytest.mark.parametrize("name", CONES)
def test_projection_is_the_nearest_force(name):
    cone = CONES[name]
    f = RANDOM.normal(size=(200, cone.dimension))
    p = cone.project(f)
    assert cone.contains(p, 1e-9).all()
    distance = np.linalg.norm(f - p, axis=1)
    margin = cone.margin(f)
    outside = margin < 0
    np.testing.assert_allclose(-margin[outside], distance[outside], atol=1e-9)
    assert (distance[~outside] < 1e-12).all() and outside.any()
    # Moreau: f = P(f) + P_polar(f), orthogonal; and the polar is the dual turned round
    polar = cone.project_polar(f)
    np.testing.assert_allclose(p + polar, f, atol=1e-9)
    np.testing.assert_allclose(np.einsum("ij,ij->i", p, polar), 0, atol=1e-8)
    np.testing.assert_allclose(cone.project_dual(-f), -polar, atol=1e-9)
    assert (cone.dual_margin(cone.project_dual(f)) > -1e-9).all()
    # One by one
    assert cone.margin(f[3]) == margin[3] and np.array_equal(cone.project(f[3]), p[3])
    assert cone.contains(f[3]) == (margin[3] >= 0)
    # Supports
    inside = p / np.maximum(p[:, 2 if name in ("circular", "flat", "box") or "pyramid" in name else 0], 1e-12)[:, None]
    d = f[0]
    reached = max(0, (inside @ d).max())
    assert cone.section_support(d, 1.0) >= reached - 1e-9
    assert cone.support(d) in (0, np.inf) and cone.friction_support(d, 2.0) >= 0


def test_weighted_projection():
    cone = spatial.CircularCone(0.5)
    f, weights = np.array([3.0, 1.0, 1.0]), np.array([1.0, 2.0, 5.0])
    p = cone.project(f, weights)
    assert abs(cone.margin(p)) < 1e-9
    cost = lambda x: (weights * (x - f) ** 2).sum()
    for _ in range(2000):
        other = cone.project(p + 0.05 * RANDOM.normal(size=3))
        assert cost(other) >= cost(p) - 1e-9
    with pytest.raises(TypeError, match="no projection with weights"):
        spatial.MujocoPyramid([1, 1]).project(f, weights)


def test_shapes_of_cones():
    cone = spatial.CircularCone(0.7)
    assert cone.half_angle == pytest.approx(np.arctan(0.7)) and cone.mu == 0.7
    assert cone.ray(0.3) == pytest.approx([0.7 * np.cos(0.3), 0.7 * np.sin(0.3), 1])
    assert abs(cone.margin(cone.ray(1.0))) < 1e-12
    pyramid = spatial.Pyramid(0.5, 8)
    assert pyramid.edges.shape == (8, 3) and np.hypot(*pyramid.edges[3, :2]) == pytest.approx(0.5)
    assert CONES["MuJoCo 6"].edges.shape == (10, 6) and CONES["elliptic 6"].edges.size == 0
    frame = spatial.frame([1, 2, 3])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(frame) == pytest.approx(1) and frame[2] == pytest.approx(np.array([1, 2, 3]) / 14**0.5)
    assert np.array_equal(spatial.frame([1, 2, 3], x_normal=True)[0], frame[2])
    pair = spatial.StaticDynamic(0.6, 0.4)
    assert pair.coefficient(0.0) == pair.mu_s == 0.6 and pair.coefficient(0.1) == pair.mu_d == 0.4
    assert pair.sliding_friction([3, 4], 10) == pytest.approx([-2.4, -3.2])


def test_friction_polygon():
    polygon = spatial.FrictionPolygon(6)
    f = np.array([0.3, 0.7])
    corner, here, following = polygon.decompose(f)
    b = np.zeros(6)
    b[corner], b[(corner + 1) % 6] = here, following
    assert polygon.compose(b) == pytest.approx(f) and b.min() >= 0
    assert b.sum() == pytest.approx(polygon.needed(f) * polygon.scale)
    assert polygon.scale == pytest.approx(1 / np.cos(np.pi / 6)) and polygon.sides == 6
    assert polygon.corner(1) == pytest.approx([np.cos(np.pi / 3), np.sin(np.pi / 3)])


def test_force_closure():
    angles = np.arange(3) * 2 * np.pi / 3
    around = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    soft = spatial.wrench_generators(around, -around, 0.5, torsion=0.1, sides=8)
    answer = spatial.force_closure(soft)
    assert soft.shape == (3 * 10, 6) and answer.closed and answer.margin > 0 and answer.rank == 6 and answer.converged
    two = spatial.force_closure(spatial.wrench_generators(around[:2], -around[:2], 0.1))
    assert not two.closed and two.margin <= 0
    # Its proof: no generator pushes against the direction
    assert (spatial.wrench_generators(around[:2], -around[:2], 0.1) @ two.direction >= -1e-9).all()


def instances(source):
    return sorted((source / "tests/data/spatial").glob("*.json"))


def arguments(case):
    contacts, derived = case["contacts"], case["derived"]
    return dict(arm=np.array(contacts["r"]), normal=np.array(contacts["N"]), friction=np.array(contacts["mu"]),
                normal_force=np.abs(np.array(contacts["kn"]) * np.array(contacts["depth"])), u=np.array(contacts["Tu"]),
                wrench=derived["F"] + derived["tau"], gradient=derived["gradient_K"], mass=derived["mass_matrix_D"],
                length=case["length_scale"])


def test_verdicts_hand_out_their_proof():
    arm = np.array([[x, y, -0.02] for x in (-0.05, 0.05) for y in (-0.03, 0.03)])
    normal = np.tile([0.0, 0.0, 1.0], (4, 1))
    gradient = np.diag([-1000.0] * 3 + [-2.5] * 3)
    wrench = np.array([3.0, 1.0, 0.0, 0.0, 0.0, 0.02])
    solver = spatial.StaticFriction(4)
    with pytest.raises(RuntimeError, match="call verdict first"):
        solver.verdict_friction
    solver.set(arm, normal, 2.45, 0.5, wrench, gradient, np.eye(6), length=0.05)
    verdict = solver.verdict(exactly=True)
    assert verdict.proven and verdict.converged and verdict.status == ("holds" if verdict.holds else "slips")
    friction, torque = solver.verdict_friction
    assert friction.shape == (4, 3) and not torque.any()
    needed = wrench + gradient @ verdict.motion
    held = np.concatenate([friction.sum(axis=0), np.cross(arm, friction).sum(axis=0)])
    assert held == pytest.approx(-verdict.factor * needed, abs=1e-12)
    assert (np.hypot(friction[:, 0], friction[:, 1]) <= 0.5 * 2.45 * (1 + 1e-12)).all()
    y = verdict.mechanism
    slip = y[:3] + np.cross(y[3:], arm)
    limit = 0.5 * 2.45 * np.hypot(slip[:, 0], slip[:, 1]).sum() / (needed @ y)
    assert verdict.factor <= limit == pytest.approx(verdict.factor_limit, rel=1e-9)
    solution = solver.solve()
    assert solution.converged and solution.status == "converged"
    y = solution.multiplier
    slip = y[:3] + np.cross(y[3:], arm)
    bound = y @ wrench + 0.5 * y @ gradient @ y - 0.5 * 2.45 * np.hypot(slip[:, 0], slip[:, 1]).sum()
    assert solution.objective - bound <= solution.gap * (1 + 1e-6) + 1e-15
    solver.forget()


def test_a_body_without_contacts_follows_its_load():
    solver = spatial.StaticFriction(4)
    solver.set(np.zeros((0, 3)), np.zeros((0, 3)), [], [], [1, 0, 0, 0, 0, 0], -np.eye(6), np.eye(6))
    assert solver.solve().motion == pytest.approx([1, 0, 0, 0, 0, 0])
    assert solver.verdict().rank == 0


@pytest.mark.parametrize("sides", [0, 4, 8, 16])
def test_verdicts_of_other_programs(sides, source):
    seen = 0
    for path in instances(source):
        case = json.loads(path.read_text())
        expected = case["reference"]["cone" if sides == 0 else f"pyramid_{sides}"]
        if "verdict" not in expected or case["k"] == 0:
            continue
        solver = spatial.StaticFriction(max(case["k"], 1), sides)
        solver.set(**arguments(case))
        verdict = solver.verdict(exactly=True, metric="mass", warm=False)
        assert verdict.proven, case["name"]
        assert verdict.holds == (expected["verdict"] == "static"), case["name"]
        if expected.get("gamma") and 1e-6 < expected["gamma"] < 1e6:
            assert verdict.critical_ratio == pytest.approx(expected["gamma"], rel=1e-6), case["name"]
            assert verdict.factor <= verdict.factor_limit * (1 + 1e-9)
        solution = solver.solve(metric="mass")
        assert solution.converged
        if expected["qp_objective"] > 1e-3 * case["reference"]["frictionless_objective"]:
            assert solution.objective == pytest.approx(expected["qp_objective"], rel=1e-5), case["name"]
            assert solution.gap <= 1e-6 * solution.objective and solution.motion.shape == (6,)
        friction, torque, slides = solver.contacts
        assert friction.shape == (case["k"], 3) and torque.shape == slides.shape == (case["k"],)
        limit = np.array(case["derived"]["mu_times_normal_force"])
        around = 1.0 if sides == 0 else 1 / np.cos(np.pi / sides)
        assert (np.linalg.norm(friction, axis=1) <= limit * around * (1 + 1e-9) + 1e-15).all()
        seen += 1
    assert seen >= 15


def test_linear_programs(source):
    case = json.loads((source / "tests/data/spatial/corner3_k4_static.json").read_text())
    given = arguments(case)
    del given["u"]
    printed = spatial.linear_program("published", 8, False, **given)
    assert printed.matrix.shape == (printed.row_lower.size, printed.lower.size) == (12 + 10 * 4, 12 + 2 * 4)
    six = spatial.linear_program("six-row", 8, True, **given)
    assert six.matrix.shape[0] == 6 and six.cost[-1] == -1 and six.upper.size == six.lower.size
    assert printed.violation(np.zeros(printed.lower.size))[0] > 0 and printed.row_upper.size == 52


def plate():
    """A plate on four points in the plane of its centre of mass, so that friction and load meet there."""
    arm = np.array([[x, y, 0.0] for x in (-0.05, 0.05) for y in (-0.05, 0.05)])
    return dict(arm=arm, normal=np.tile([0.0, 0, 1], (4, 1)), normal_force=np.full(4, 2.5), friction=np.full(4, 0.5),
                gradient=-np.diag([1000, 1000, 1000, 2.5, 2.5, 2.5]), mass=np.diag([1, 1, 1, 1e-3, 1e-3, 1e-3]),
                length=0.05)


def test_declared_and_more():
    solver = spatial.StaticFriction(10)
    push = lambda share: [5 * share, 0, 0, 0, 0, 0]
    solver.set(wrench=push(0.9), **plate(), torsion=0.001, key=np.arange(4), dynamic_friction=0.3)
    assert solver.verdict().holds and solver.capacity == 10
    solver.set(wrench=push(1.1), **plate())
    verdict = solver.verdict(exactly=True)
    assert not verdict.holds and verdict.factor == pytest.approx(1 / 1.1, rel=1e-6)
    solution = solver.solve()
    friction, _, slides = solver.contacts
    assert slides.all() and friction[:, 0].sum() == pytest.approx(-5, rel=1e-6) and solution.motion[0] > 0
    solver.set(wrench=push(0.1), **plate(), declared=["slides", "sticks", "nothing", "nothing"])
    assert not solver.verdict().declaration.right and solver.verdict().declaration.contact == 0
    solver.set(wrench=push(1.1), **plate(), declared=["sticks"] * 4, dynamic_friction=None, friction_v=None, key=None)
    assert not solver.verdict().declaration.right and solver.verdict().declaration.contact is None


def test_solutions_that_stop_say_why():
    solver = spatial.StaticFriction(4)
    solver.set(wrench=[5.5, 0, 0, 0, 0, 0], **plate())
    assert solver.solve(max_iterations=1, warm=False).status == "max_iterations"
    assert solver.verdict(exactly=True, max_iterations=1).status in ("slips", "unproven")
    solver.set(wrench=[1, 0, 0, 0, 0, 0], **{**plate(), "gradient": np.diag([1000.0, -1, -1, -1, -1, -1])})
    solution = solver.solve()
    assert solution.status == "not_definite" and not solution.converged and solution.gap == np.inf


def wrong_calls():
    solver, empty = spatial.StaticFriction(4), spatial.StaticFriction(4)
    good = dict(wrench=np.ones(6), **plate())
    with_ = lambda **other: (lambda: solver.set(**{**good, **other}))
    return {
        "coefficient": (ValueError, "mu = -1", lambda: spatial.CircularCone(-1)),
        "NaN": (ValueError, "mu = -?nan", lambda: spatial.EllipticCone([np.nan, 1])),
        "how many": (ValueError, "mu has 4 numbers", lambda: spatial.EllipticCone([1, 1, 1, 1])),
        "sides": (ValueError, "sides", lambda: spatial.Pyramid(1, 2)),
        "negative sides": (ValueError, "sides", lambda: spatial.Pyramid(1, -2)),
        "force": (ValueError, r"f has shape \(2,\): must be \(3,\)", lambda: spatial.CircularCone(1).project([1, 2])),
        "weights": (ValueError, "weights = 0", lambda: spatial.CircularCone(1).project([1, 2, 3], [1, 0, 1])),
        "polygon": (ValueError, "sides", lambda: spatial.FrictionPolygon(2)),
        "pair": (ValueError, "mu_s", lambda: spatial.StaticDynamic(0.1, 0.2)),
        "grasp": (ValueError, "normals has shape", lambda: spatial.wrench_generators(np.zeros((2, 3)), np.zeros((1, 3)), 1)),
        "normal": (ValueError, "normal = 0", lambda: spatial.wrench_generators(np.zeros((1, 3)), np.zeros((1, 3)), 1)),
        "generators": (ValueError, "generators", lambda: spatial.force_closure(np.zeros((3, 5)))),
        "none": (ValueError, "at least one", lambda: spatial.force_closure(np.zeros((0, 6)))),
        "capacity": (ValueError, "capacity = 0", lambda: spatial.StaticFriction(0)),
        "odd sides": (ValueError, "sides", lambda: spatial.StaticFriction(4, 5)),
        "too many": (ValueError, "5 contacts: there is room for 4", with_(
            arm=np.zeros((5, 3)), normal=np.tile([0.0, 0, 1], (5, 1)), normal_force=1.0, friction=1.0)),
        "no unit": (ValueError, "normal = 1.73205: must be of length 1", with_(normal=np.full((4, 3), 1.0))),
        "negative": (ValueError, "normal_force = -1: must be >= 0", with_(normal_force=-1.0)),
        "negative across": (ValueError, "friction_v = -1: must be >= 0", with_(friction_v=-1.0)),
        "negative sliding": (ValueError, "dynamic_friction = -1: must be >= 0", with_(dynamic_friction=-1.0)),
        "part of a key": (ValueError, "whole", with_(key=0.5)),
        "not finite": (ValueError, "finite", with_(wrench=np.full(6, np.nan))),
        "length": (ValueError, r"length = 1e-10: must be in \[1e-9, 1e9\]", with_(length=1e-10)),
        "matrix": (ValueError, "gradient has shape", with_(gradient=np.eye(3))),
        "NaN gradient": (ValueError, "finite", with_(gradient=np.full((6, 6), np.nan))),
        "infinite gradient": (ValueError, "finite", with_(gradient=np.diag([-np.inf, -1, -1, -1, -1, -1]))),
        "singular gradient": (ValueError, "gradient: must be a regular", with_(gradient=-np.ones((6, 6)))),
        "no mass": (ValueError, "mass: must be symmetric and positive", with_(mass=np.zeros((6, 6)))),
        "singular mass": (ValueError, "mass: must be symmetric and positive", with_(mass=np.diag([1, 1, 1, 1, 1, 0]))),
        "negative mass": (ValueError, "mass: must be symmetric and positive", with_(mass=-np.eye(6))),
        "skew mass": (ValueError, "mass: must be symmetric and positive", with_(mass=np.eye(6) + np.eye(6, k=1))),
        "arm": (ValueError, "arm has shape", with_(arm=np.zeros(3))),
        "declared": (ValueError, "declared", with_(declared=["flies"] * 4)),
        "declared few": (ValueError, "declared has 1", with_(declared=["sticks"])),
        "keyword": (TypeError, "no parameter 'colour'", with_(colour=1)),
        "not set": (RuntimeError, "call set first", lambda: empty.verdict()),
        "not solved": (RuntimeError, "call solve first", lambda: empty.contacts),
        "metric": (ValueError, "metric", lambda: (solver.set(**good), solver.solve(metric="time"))),
        "gap": (ValueError, "gap", lambda: (solver.set(**good), solver.solve(gap=-1))),
        "form": (ValueError, "form", lambda: spatial.linear_program("short", 8, False, **good)),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()


def test_two_threads_do_not_share_a_solver():
    random = np.random.default_rng(0)
    n = 400
    normal = random.normal(size=(n, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    solver = spatial.StaticFriction(n)
    solver.set(arm=random.normal(size=(n, 3)), normal=normal, normal_force=1.0, friction=0.5, wrench=random.normal(size=6),
               gradient=-np.eye(6), mass=np.eye(6))
    errors, done = [], []

    def work():
        for _ in range(50):
            try:
                solver.solve(warm=False, gap=1e-12)
                done.append(1)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done and len(done) + len(errors) == 200
    assert set(errors) <= {"this solver is in use by another thread: give each thread its own"}
