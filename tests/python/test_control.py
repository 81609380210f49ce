"""Controllers: the same bits as C++, one sample at a time and over a recording; wrong input is an exception."""

import numpy as np
import pytest

from stiction import control, scalar

DT = 2.0**-10
SERVO = scalar.preset("olsson-1998-table2")


def velocity_at(i):
    phase = i % 64
    return 0.0 if phase < 8 else (1 if phase < 40 else -1) * 2.0 ** (phase % 8 - 10)


V = np.array([velocity_at(i) for i in range(128)])
E = np.array([(i % 9 - 4) * 2.0**-8 for i in range(128)])


def made():
    """Each controller, and what it is fed with."""
    return {
        "pid": (control.Pid(proportional=4, integral=2, derivative=0.5, tracking_time=0.25, min_output=-0.25,
                            max_output=0.25), (E, V, E / 2)),
        "estimator": (control.VelocityEstimator(corner=200), (E,)),
        "observer": (control.LuGreObserver(SERVO, gain=2), (V, E)),
        "adaptive": (control.AdaptiveCompensator(SERVO, mass=0.0023, adaptation=1e6, gain=2), (V, 0 * V, E, E / 4)),
        "compensator": (control.Compensator(SERVO, scale=0.5), (V,)),
        "mrac": (control.MracCoulomb(inertia=0.0023, bandwidth=20, coulomb_gain=8, viscous_gain=0.5,
                                     saturation_velocity=0.01), (E, V)),
    }


@pytest.mark.parametrize("name", made())
def test_same_bits_as_cpp(name, reference):
    controller, samples = made()[name]
    again = controller.copy()
    one_by_one = [controller.step(*row, DT) for row in zip(*(column.tolist() for column in samples))]
    assert one_by_one == reference[name]
    assert np.array_equal(again.run(*samples, DT), one_by_one)


def test_copies_are_snapshots():
    controller, samples = made()["adaptive"]
    controller.run(*(column[:50] for column in samples), DT)
    snapshot = controller.copy()
    a = controller.run(*(column[50:] for column in samples), DT)
    assert np.array_equal(snapshot.run(*(column[50:] for column in samples), DT), a)
    assert controller.theta == snapshot.theta and controller.friction_ratio == 1 / controller.theta[0]
    assert abs(controller.bristle) < 1 and controller.parameters["gain"] == 2


def test_encoder_and_estimator():
    encoder = control.Encoder(counts=1000)
    assert encoder.resolution == pytest.approx(2 * np.pi / 1000)
    for counts in (0, -1, 20.5, np.nan, 2**32):
        with pytest.raises(ValueError, match=r"^counts = .*: must be a whole number from 1 to 2\^32 - 1$"):
            control.Encoder(counts=counts)
    x = np.linspace(0, 1, 50)
    np.testing.assert_allclose(encoder.read(x), x, atol=encoder.resolution / 2 * 1.0001)
    assert encoder.read(0.5) == encoder.read(np.array([0.5]))[0]
    plain = control.VelocityEstimator()
    assert plain.run(x, 0.01)[1:] == pytest.approx(np.diff(x) / 0.01)


def test_pid_limits_and_rate():
    pid = control.Pid(proportional=1, integral=100, max_output=0.5, min_output=-0.5)
    out = pid.run(np.ones(100), 0.0, 0.0, 0.01)
    assert out.max() == 0.5 and abs(pid.integral) <= 0.5
    by_difference = control.Pid(proportional=0, derivative=1)
    by_difference.step_error(0.0, 0.01)
    assert by_difference.step_error(0.02, 0.01) == pytest.approx(2)


def test_directions():
    both = control.AsymmetricCompensator(coulomb_plus=1, coulomb_minus=2, saturation_velocity=0.01)
    assert both.force(np.array([-1.0, 0, 1])) == pytest.approx([-2, 0, 1]) and both.force(0.005) == pytest.approx(0.5)
    assert both.slope_at_rest == pytest.approx(200)
    learner = control.AsymmetricIdentifier(inertia=1, min_velocity=0.01, filter_time=0.01, coulomb_deviation=100,
                                           viscous_deviation=100)
    t = np.arange(40_000) * 1e-3
    v = np.where(np.sin(t) >= 0, 0.2 + 0.1 * np.sin(5 * t), -0.3 - 0.1 * np.sin(7 * t))
    a = np.gradient(v, t)
    force = np.where(v > 0, 1.0 + 0.5 * v, -2.0 + 0.7 * v) + a
    learner.run(force, v, 1e-3)
    learned = learner.friction
    assert learned["coulomb_plus"] == pytest.approx(1, abs=0.05) and learned["coulomb_minus"] == pytest.approx(2, abs=0.05)
    assert learned["viscous_plus"] == pytest.approx(0.5, abs=0.2)


def test_dither_and_knocker():
    for kind in (control.SineDither, control.SquareDither):
        dither = kind(amplitude=2, period=0.01)
        held = [dither.step(0.0013) for _ in range(100)]
        assert abs(np.sum(held)) < 1e-9 and max(held) > 1  # 13 whole periods: no push to one side
    knocker = control.Knocker(amplitude=1, period=0.1, width=0.01)
    pulses = knocker.run(np.arange(1000) * 1e-3, 1e-3)
    assert pulses.max() == 1 and (pulses > 0).sum() == pytest.approx(90, abs=12)


def test_path_and_turn_compensators():
    dahl = scalar.preset("table2-dahl")
    path = control.PathCompensator(dahl)
    forces = [path.step(x) for x in np.linspace(0, 0.1, 100)]
    assert forces[0] == 0 and forces[-1] == pytest.approx(dahl.coulomb_force, rel=1e-3)
    assert path.copy().step(0.1) == forces[-1]
    assert control.PathCompensator(scalar.preset("table2-bliman-sorine-2"), share=0.5, dead_band=1e-3).step(0.0) == 0
    turn = control.AdaptiveHarmonicCompensator(SERVO, mass=0.0023, adaptation=1e6, gain=2)
    assert turn.theta.shape == (3,) and np.isfinite(turn.step(0.1, 0.2, 0.0, 0.3, DT))
    mrac = made()["mrac"][0]
    mrac.run(0.1, V, DT)
    assert mrac.coulomb >= 0 and mrac.viscous >= 0 and np.isfinite(mrac.error)
    observer = made()["observer"][0]
    observer.bristle = 1e-4
    assert observer.bristle == 1e-4


def test_detector(source):
    time, reference, position = np.loadtxt(source / "examples/logs/servo_with_friction.csv", delimiter=",", skiprows=2).T
    error = reference - position
    found = control.detect_friction(error, reference)
    assert isinstance(found, control.Detection)
    assert found.verdict == "friction" and found.confidence > 0.9 and found.samples == error.size
    assert 0 < found.effective_samples <= found.samples and found.reversals > 10 and found.reversal_p < 1e-3
    assert abs(found.reversal_effect) > 2 * found.reversal_spread > 0 and found.kurtosis_spread > 0
    assert np.isfinite(found.excess_kurtosis) and 0 <= found.explained <= 1
    noise = np.random.default_rng(1).normal(size=2000)
    assert control.detect_friction(noise).verdict != "friction" and control.detect_friction(noise).tail_p > 0.001
    assert control.detect_friction(noise[:50]).verdict == "cannot tell"


def test_passivity():
    assert control.positive_real([1, 1], [1, 2]).passive
    unstable = control.positive_real([1], [1, -1])
    assert not unstable.passive and "left half plane" in unstable.text
    verdict, conditions = control.passivity(SERVO, 0.0023, proportional=10, derivative=1.5, integral=1)
    assert verdict.passive == all(row[3] for row in conditions) and len(conditions) == 3
    verdict, conditions = control.passivity(SERVO, 0.0023, proportional=10, derivative=0.1, integral=1)
    assert not verdict.passive and verdict.real_part < 0 and verdict.frequency >= 0
    assert len(control.passivity(SERVO, 0.0023, "velocity", proportional=1)[1]) == 2


def test_bliman_sorine_features():
    model = scalar.preset("table2-bliman-sorine-2")
    features = control.bliman_sorine_features(model)
    assert features["peak_force"] > features["kinetic_force"] > 0
    joint = scalar.Friction(model)
    x = np.concatenate([np.linspace(0, 1, 4000), np.linspace(1, 0, 4000), np.linspace(0, 1, 4000)]) * 40 * features["settling_distance"] / 4
    force = [joint.step(dx / 1e-3, 1e-3) - model.viscous * dx / 1e-3 for dx in np.diff(x, prepend=x[0])]
    fit = control.identify_bliman_sorine(x, force)
    assert fit["verdict"] == "identified" and fit["half_loops"] >= 1
    assert fit["model"].force_1 == pytest.approx(model.force_1, rel=0.1)
    assert control.identify_bliman_sorine([0, 1], [0, 1])["model"] is None


def wrong_calls():
    pid = control.Pid(proportional=1)
    return {
        "missing": (TypeError, "Pid needs proportional", lambda: control.Pid()),
        "unknown": (TypeError, "no parameter 'p'", lambda: control.Pid(proportional=1, p=2)),
        "range": (ValueError, "corner = 0", lambda: control.VelocityEstimator(corner=0)),
        "relation": (ValueError, ">= min_theta", lambda: control.AdaptiveCompensator(
            SERVO, mass=1, adaptation=1, gain=1, min_theta=2, max_theta=1)),
        "model": (TypeError, "must be one LuGre", lambda: control.LuGreObserver(scalar.Coulomb(coulomb_force=1), gain=1)),
        "path model": (TypeError, "must be one Dahl", lambda: control.PathCompensator(SERVO)),
        "dt": (ValueError, "dt = -1", lambda: pid.step(0.0, 0.0, 0.0, -1.0)),
        "dt of a run": (ValueError, "dt = -?nan", lambda: pid.run(E, V, 0.0, np.nan)),
        "lengths": (ValueError, "has shape", lambda: pid.run(E, V[:5], 0.0, DT)),
        "text": (TypeError, None, lambda: pid.step("a", 0.0, 0.0, DT)),
        "scale": (ValueError, "scale = -1", lambda: control.Compensator(SERVO, scale=-1)),
        "reference": (ValueError, "reference has 5", lambda: control.detect_friction(E, V[:5])),
        "loop": (ValueError, "loop", lambda: control.detect_friction(E, loop="force")),
        "significance": (ValueError, "significance", lambda: control.detect_friction(E, significance=2)),
        "mass": (ValueError, "mass = -1", lambda: control.passivity(SERVO, -1, proportional=1)),
        "force": (ValueError, "force has 1", lambda: control.identify_bliman_sorine([0, 1], [0])),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()


def test_a_sample_that_is_not_finite_changes_nothing():
    pid = control.Pid(proportional=1, integral=1)
    pid.step(1.0, 0.0, 0.0, DT)
    before = pid.integral
    assert np.isnan(pid.step(np.nan, 0.0, 0.0, DT)) and pid.integral == before
