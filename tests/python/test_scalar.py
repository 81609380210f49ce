"""Scalar models: the same bits as C++, for one contact and for many; wrong input is an exception."""

import copy
import gc
import pickle
import threading
import timeit

import numpy as np
import pytest

import stiction
from stiction import scalar

DT = 2.0**-10
PRESETS = {row["name"]: row for row in scalar.presets()}
CANUDAS = dict(stiffness=1e5, damping=1e5**0.5, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3, viscous=0.4)


def velocity_at(i):
    """As in reference.cpp."""
    phase = i % 64
    return 0.0 if phase < 8 else (1 if phase < 40 else -1) * 2.0 ** (phase % 8 - 10)


def same_bits(a, b):
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape
    return np.array_equal(a.view(np.int64), b.view(np.int64)) or np.array_equal(a, b, equal_nan=True)


def test_version_is_that_of_the_header(source):
    assert f'"{stiction.__version__}"' in (source / "include/stiction/version.h").read_text()


def test_presets_are_of_models():
    covered = {row["model"].name for row in PRESETS.values()}
    assert covered <= set(scalar.models()) and len(covered) >= 25


@pytest.mark.parametrize("name", PRESETS)
def test_models_say_what_they_are(name):
    model = scalar.preset(name)
    assert model.equation and isinstance(model.state_names, (list, tuple)) and isinstance(model.mode_names, (list, tuple))
    state = model.at_rest()
    for column in (*model.state_names, *model.mode_names):
        assert np.isfinite(getattr(state, column))
    with pytest.raises(AttributeError, match="has no 'colour'"):
        state.colour


@pytest.mark.parametrize("name", PRESETS)
def test_one_contact_has_the_bits_of_cpp(name, reference):
    model = PRESETS[name]["model"]
    state = model.at_rest()
    forces, rates, powers = [], [], []
    for i in range(128):
        v = velocity_at(i)
        rates.append(model.rate(state, v))
        state = model.advance(state, v, DT)
        forces.append(model.force(state, v))
        powers.append(model.dissipated_power(state, v))
    assert same_bits(forces, reference[f"force {name}"])
    assert same_bits(powers, reference[f"power {name}"])
    used = len(state.values)
    of_cpp = np.reshape(reference[f"rate {name}"], (128, -1))
    assert same_bits(np.array(rates).reshape(128, used), of_cpp[:, :used])
    assert same_bits(state.values, reference[f"states {name}"][:used])


@pytest.mark.parametrize("name", PRESETS)
def test_coupled_step_has_the_bits_of_cpp(name, reference):
    model, mass = PRESETS[name]["model"], PRESETS[name]["mass"]
    state, velocity, joint, joint_velocity = model.at_rest(), 0.0, scalar.Friction(model), 0.0
    solved, of_joint = [], []
    for i in range(128):
        push = (i % 32) * 2.0**-5
        force, velocity, state = model.solve(state, velocity + DT / mass * push, 1 / mass, DT, velocity)
        solved += [force, velocity]
        f, joint_velocity = joint.solve(joint_velocity + DT / mass * push, 1 / mass, DT, joint_velocity)
        of_joint += [f, joint_velocity]
    assert same_bits(solved, reference[f"solve {name}"])
    assert same_bits(of_joint, reference[f"solve {name}"])
    assert joint.state == state


@pytest.mark.parametrize("name", PRESETS)
def test_many_contacts_are_many_single_ones(name):
    model, mass = PRESETS[name]["model"], PRESETS[name]["mass"]
    n = 9
    load = np.linspace(-0.2, 0.2, n)
    states, single = model.at_rest(load), [model.at_rest(x) for x in load]
    assert len(states) == n and [states[i] for i in range(n)] == single
    velocity = np.array([velocity_at(5 * i) for i in range(n)])
    assert same_bits(model.rate(states, velocity), [model.rate(s, v) for s, v in zip(single, velocity)])
    states = model.advance(states, velocity, DT)
    single = [model.advance(s, v, DT) for s, v in zip(single, velocity)]
    assert [states[i] for i in range(n)] == single
    assert same_bits(model.force(states, velocity), [model.force(s, v) for s, v in zip(single, velocity)])
    assert same_bits(model.force(states, velocity, load),
                     [model.force(s, v, u) for s, v, u in zip(single, velocity, load)])
    assert same_bits(model.dissipated_power(states, velocity),
                     [model.dissipated_power(s, v) for s, v in zip(single, velocity)])
    if hasattr(model, "energy"):
        assert same_bits(model.energy(states), [model.energy(s) for s in single])
    force, moved, states = model.solve(states, velocity, 1 / mass, DT, velocity)
    solved = [model.solve(s, v, 1 / mass, DT, v) for s, v in zip(single, velocity)]
    assert same_bits(force, [x.force for x in solved]) and same_bits(moved, [x.velocity for x in solved])
    assert [states[i] for i in range(n)] == [x.state for x in solved]
    # By default the present velocity is what the C++ call without it takes
    fresh = model.at_rest(load)
    force, moved, _ = model.solve(fresh, velocity, 1 / mass, DT)
    assert same_bits(force, [model.solve(model.at_rest(x), v, 1 / mass, DT).force for x, v in zip(load, velocity)])


@pytest.mark.parametrize("name", PRESETS)
def test_step_moves_on_and_gives_the_force(name):
    model = PRESETS[name]["model"]
    velocity = np.array([velocity_at(5 * i) for i in range(9)])
    states, single = model.states(9), [model.at_rest() for _ in range(9)]
    force, states = model.step(states, velocity, DT)
    stepped = [model.step(s, v, DT) for s, v in zip(single, velocity)]
    # The library's batches promise the last bits only where both sides are compiled alike
    np.testing.assert_allclose(force, [f for f, _ in stepped], rtol=4e-15, atol=1e-300)
    np.testing.assert_allclose(states.values, [s.values for _, s in stepped], rtol=4e-15, atol=1e-300)
    joint = scalar.Friction(model)
    assert (joint.step(velocity[-1], DT), joint.state) == stepped[-1]


@pytest.mark.parametrize("name", PRESETS)
def test_calls_return_new_states(name):
    model, mass = PRESETS[name]["model"], PRESETS[name]["mass"]
    velocity = np.array([velocity_at(5 * i) for i in range(9)])
    calls = {
        "advance": lambda states, out=None: model.advance(states, velocity, DT, out=out),
        "step": lambda states, out=None: model.step(states, velocity, DT, out=out)[-1],
        "solve": lambda states, out=None: model.solve(states, velocity, 1 / mass, DT, out=out)[-1],
    }
    for call_name, call in calls.items():
        states = model.advance(model.at_rest(np.linspace(-0.2, 0.2, 9)), 0.01, DT)
        before = states.copy()
        moved = call(states)
        assert states == before and moved is not states, call_name
        other = model.states(9)
        assert call(states, other) is other and other == moved and states == before, call_name
        assert call(states, states) is states and states == moved, call_name  # in place, where asked for


def test_out_must_fit():
    model, other = scalar.LuGre(**CANUDAS), scalar.Dahl(stiffness=1, coulomb_force=1)
    states = model.states(5)
    with pytest.raises(ValueError, match="out has 4 states of lugre: must be 5 of lugre"):
        model.step(states, 0.1, DT, out=model.states(4))
    with pytest.raises(ValueError, match="out has 5 states of dahl: must be 5 of lugre"):
        model.solve(states, 0.1, 1.0, DT, out=other.states(5))
    with pytest.raises(TypeError):
        model.advance(states, 0.1, DT, out=np.zeros(5))


def test_models_with_their_own_parameters():
    stiffness = np.array([1e4, 1e5, 1e6])
    models = scalar.LuGre(**{**CANUDAS, "stiffness": stiffness})
    assert len(models) == 3 and np.array_equal(models.stiffness, stiffness)
    states = models.at_rest(0.5)
    assert np.array_equal(states.bristle, 0.5 / stiffness)
    velocity = np.array([1e-3, -1e-4, 0.1])
    force, moved, states = models.solve(states, velocity, 1.0, 1e-3)
    for i, k in enumerate(stiffness):
        one = scalar.LuGre(**{**CANUDAS, "stiffness": k})
        solved = one.solve(one.at_rest(0.5), velocity[i], 1.0, 1e-3)
        assert (force[i], moved[i], states[i]) == (solved.force, solved.velocity, solved.state)
    gms = scalar.Gms(stiffness=[[1e4, 2e4], [3e4, 4e4]], share=[0.5, 0.5], attraction=10, coulomb_force=1,
                     static_force=1.5, stribeck_velocity=1e-3)
    assert len(gms) == 2 and gms.states().values.shape == (2, 2)
    with pytest.raises(ValueError, match=r"stiffness = -1: must be in \[1e-15, 1e15\] \(model 1 of 2\)"):
        scalar.LuGre(**{**CANUDAS, "stiffness": [1, -1]})
    with pytest.raises(ValueError, match="is for 2 models, others for 3"):
        scalar.LuGre(**{**CANUDAS, "stiffness": [1, 2, 3], "damping": [1, 2]})


def test_gms_batch_is_what_single_models_give():
    models = [scalar.Gms(stiffness=[1e4 * (i + 1), 2e4], share=[0.4, 0.6], attraction=10, coulomb_force=1,
                         static_force=1.5, stribeck_velocity=1e-3) for i in range(5)]
    batch = scalar.GmsBatch(models)
    assert len(batch) == 5 and batch.elements == 2
    states, velocity = batch.states(), np.linspace(-1e-2, 1e-2, 5)
    friction, (force, slipping) = batch.step(states, velocity, 1e-2)
    assert not states[0].any() and not states[1].any() and force.any()  # states are a value
    single = [m.step(m.at_rest(), v, 1e-2) for m, v in zip(models, velocity)]
    np.testing.assert_allclose(friction, [f for f, _ in single], rtol=4e-15)
    np.testing.assert_allclose(force.T, [s.values for _, s in single], rtol=4e-15)
    assert np.array_equal(slipping, [s.slipping for _, s in single])
    _, there = batch.step(states, velocity, 1e-2, out=states)
    assert there[0] is states[0] and np.array_equal(states[0], force) and np.array_equal(states[1], slipping)
    for wrong in [np.zeros((2, 4)), np.zeros((5, 2)), np.zeros(10)]:
        with pytest.raises(ValueError, match="forces of states have shape"):
            batch.step((wrong, slipping), velocity, 1e-2)
        with pytest.raises(ValueError, match="forces of out have shape"):
            batch.step(states, velocity, 1e-2, out=(wrong, slipping))
    with pytest.raises(TypeError):
        batch.step((force.astype(np.float32), slipping), velocity, 1e-2)


def test_single_precision_goes_in_and_out():
    model = scalar.preset("olsson-1998-table2")
    velocity = np.linspace(-1, 1, 50)
    long, short = model.states(50), model.states(50)
    for _ in range(3):
        a, long = model.step(long, velocity, DT)
        b, short = model.step(short, velocity.astype(np.float32), DT)
    assert a.dtype == np.float64 and b.dtype == np.float32
    np.testing.assert_allclose(a, b, rtol=2e-6)


def test_arrays_are_not_copied():
    model = scalar.LuGre(**CANUDAS)
    states = model.states(100)
    view = states.values
    force = np.zeros(100)
    assert model.step(states, np.full(100, 0.01), DT, out=states, force_out=force)[0] is force
    assert np.array_equal(view[:, 0], states.bristle) and view[0, 0] != 0  # the view sees the step
    view[:] = 1e-6
    assert states[3].bristle == 1e-6
    wide = np.zeros((100, 3))  # columns of a table, with a stride
    wide[:, 1] = np.linspace(-1, 1, 100)
    model.step(model.states(100), wide[:, 1], DT, force_out=wide[:, 2])
    np.testing.assert_allclose(wide[:, 2], model.step(model.states(100), wide[:, 1].copy(), DT)[0], rtol=4e-15)


def test_views_outlive_their_states():
    model = scalar.LuGre(**CANUDAS)
    view = model.at_rest(np.full(1000, 0.5)).values
    del model
    gc.collect()
    assert np.array_equal(view, np.full((1000, 1), 0.5 / 1e5))
    joint = scalar.Friction(scalar.LuGre(**CANUDAS))
    gc.collect()
    assert joint.force(0.0) == 0


@pytest.mark.parametrize("name", PRESETS)
def test_states_are_values(name):
    model = PRESETS[name]["model"]
    state = model.advance(model.at_rest(), 0.01, DT)
    assert model.restore(model.save(state)) == state
    states = model.advance(model.states(3), 0.01, DT)
    assert model.restore(model.save(states), 3) == states
    saved = copy.deepcopy(states)
    states = model.advance(states, -0.02, DT)
    states[1] = state
    assert states[-2] == state and saved[1] == state
    assert states.copy() == states
    values = states.values.copy()
    states.values = values
    assert np.array_equal(states.values, values)
    for k, state_name in enumerate(model.state_names[: values.shape[1]]):
        assert np.array_equal(getattr(states, state_name), values[:, k])
        assert getattr(model.state(**{state_name: 1e-7}), state_name) == 1e-7
    assert name is not None and repr(state) and repr(states)
    again = pickle.loads(pickle.dumps(model))
    assert again == model and type(again) is type(model)
    assert scalar.parse_model(model.to_toml()) == model


def test_guards_and_transitions():
    coulomb = scalar.Coulomb(coulomb_force=1)
    state = coulomb.at_rest()
    guards = coulomb.guards(state, 0.0, 2.0)
    assert guards.min() < 0  # the load is more than it holds
    slipping = coulomb.transition(state, int(np.argmin(guards)))
    assert slipping.mode == 1 and coulomb.force(slipping, 1e-3) == 1
    assert coulomb.force(state, 0.0, 0.7) == 0.7 and coulomb.sees_load
    assert scalar.LuGre(**CANUDAS).guards(scalar.LuGre(**CANUDAS).at_rest(), 0, 0).size == 0
    with pytest.raises(IndexError):
        coulomb.transition(state, 2)


def test_what_only_some_models_have():
    model = scalar.LuGre(**CANUDAS)
    assert model.energy(model.at_rest(1.0)) == pytest.approx(0.5 / 1e5)
    assert model.steady_force(1.0) == pytest.approx(1.4)
    assert model.linearised(1.0)[0] == pytest.approx(1e5**0.5)
    assert model.dissipativity_margin(0.0) == 6.0 and model.largest_deflection() == 1.5e-5
    assert scalar.Coulomb(coulomb_force=2).breakaway_force() == 2
    assert not hasattr(scalar.Tanh, "energy") and model.velocity_scale > 0


REFERENCE_COLUMNS = {"F_coulomb_viscous": "table2-coulomb", "F_stribeck": "table2-stribeck", "F_tanh": "table2-tanh",
                     "F_stribeck_asym": "table2-asymmetric-stribeck", "F_brown_mcphee": "table2-brown-mcphee",
                     "F_specker": "table2-specker", "F_bs2": "table2-bliman-sorine-2", "F_lugre": "olsson-1998-table2",
                     "F_lugre22": "table2-lugre-fading", "F_elastoplastic": "table2-elasto-plastic",
                     "F_gms": "table2-gms", "F_leuven": "table2-leuven", "F_reset": "table2-reset-integrator"}


@pytest.mark.parametrize("column", REFERENCE_COLUMNS)
def test_imposed_velocity_as_another_program_has_it(column, source):
    """tests/data/h_imposed_velocity.csv shares no code with the library."""
    rows = np.genfromtxt(source / "tests/data/h_imposed_velocity.csv", delimiter=",", skip_header=1, names=True,
                         deletechars="")
    joint, dt = scalar.Friction(scalar.preset(REFERENCE_COLUMNS[column])), 1e-3
    speed = lambda t: 0.02 * np.sin(np.pi * t) + 0.006 * np.sin(3 * np.pi * t)
    forces = []
    for i in range(4000):
        joint.step(speed((i + 0.5) * dt), dt)
        if (i + 1) % 20 == 0:
            forces.append(joint.force(rows["v"][(i + 1) // 20]))
    moving = np.abs(rows["v"][1:]) > 1e-4
    expected = rows[column][1:]
    off = np.abs(np.array(forces) - expected)[moving].max() / np.ptp(expected)
    assert off < 2e-3


def wrong_calls():
    model = scalar.LuGre(**CANUDAS)
    states, state, five = model.states(5), model.at_rest(), np.zeros(5)
    nan = float("nan")
    return {
        "negative dt": (ValueError, "dt = -1", lambda: model.advance(state, 0.0, -1.0)),
        "negative dt, many": (ValueError, "dt = -1", lambda: model.step(states, five, -1.0)),
        "NaN dt": (ValueError, "dt = -?nan", lambda: model.solve(states, five, 1.0, nan)),
        "infinite dt": (ValueError, "dt = inf", lambda: model.advance(states, five, float("inf"))),
        "negative mobility": (ValueError, "mobility = -1", lambda: model.solve(state, 0.0, -1.0, 1e-3)),
        "NaN among mobilities": (ValueError, "mobility = -?nan",
                                 lambda: model.solve(states, five, np.array([1, 1, nan, 1, 1]), 1e-3)),
        "wrong length": (ValueError, r"velocity has shape \(4,\): must be \(5,\)",
                         lambda: model.force(states, np.zeros(4))),
        "wrong dimension": (ValueError, r"velocity has shape \(5, 1\)", lambda: model.step(states, np.zeros((5, 1)), 1e-3)),
        "complex": (TypeError, "complex128", lambda: model.force(states, five + 1j)),
        "text": (TypeError, "velocity: must be", lambda: model.force(states, np.array(list("abcde")))),
        "object": (TypeError, None, lambda: model.force(states, object())),
        "out of another type": (TypeError, "force_out: must be float64", lambda: model.force(states, five, force_out=np.zeros(5, int))),
        "out of another shape": (ValueError, "force_out has shape", lambda: model.force(states, five, force_out=np.zeros(6))),
        "out is a list": (TypeError, "force_out: must be a NumPy array", lambda: model.force(states, five, force_out=[0] * 5)),
        "out is read-only": (ValueError, "read-only",
                             lambda: model.force(states, five, force_out=np.broadcast_to(np.zeros(1), 5))),
        "state of another model": (TypeError, "a state of dahl was given to lugre",
                                   lambda: model.force(scalar.Dahl(stiffness=1, coulomb_force=1).at_rest(), 0.0)),
        "state of another model, many": (TypeError, "dahl", lambda: model.force(
            scalar.Dahl(stiffness=1, coulomb_force=1).states(5), five)),
        "states for other models": (ValueError, "5 states were given to 3 models", lambda: scalar.LuGre(
            **{**CANUDAS, "viscous": [1, 2, 3]}).force(states, five)),
        "number of states": (ValueError, "-1 states", lambda: model.states(-1)),
        "no such state": (TypeError, "no parameter 'force'", lambda: model.state(force=1)),
        "index": (IndexError, "there are 5 states", lambda: states[5]),
        "NaN parameter": (ValueError, "stiffness = -?nan", lambda: scalar.LuGre(**{**CANUDAS, "stiffness": nan})),
        "relation": (ValueError, ">= coulomb_force", lambda: scalar.LuGre(**{**CANUDAS, "static_force": 0.5})),
        "missing": (TypeError, "LuGre needs stiffness, damping", lambda: scalar.LuGre()),
        "unknown": (TypeError, "no parameter 'stifness'", lambda: scalar.LuGre(**CANUDAS, stifness=1)),
        "positional": (TypeError, None, lambda: scalar.LuGre(1e5)),
        "text for a number": (TypeError, "stiffness: must be", lambda: scalar.LuGre(**{**CANUDAS, "stiffness": "1"})),
        "saved states of others": (ValueError, "not saved states", lambda: model.restore(b"12345")),
        "attribute": (AttributeError, "lugre has no 'mass'", lambda: model.mass),
        "preset": (ValueError, "there is no preset", lambda: scalar.preset("nobody")),
        "model text": (ValueError, "nothing", lambda: scalar.parse_model('[model]\nname = "nothing"')),
        "values": (ValueError, "values has shape", lambda: setattr(states, "values", np.zeros(5))),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()


def test_nan_shows_as_in_cpp():
    for row in PRESETS.values():
        model = row["model"]
        states = model.states(3)
        force, velocity, _ = model.solve(states, np.array([0.0, np.nan, 0.0]), 1 / row["mass"], DT)
        assert np.isnan(velocity[1]) and np.isfinite(velocity[[0, 2]]).all(), model.name


def test_two_threads_do_not_share_states():
    model = scalar.LuGre(**CANUDAS)
    states, velocity = model.states(200_000), np.full(200_000, 0.01)
    errors, done = [], []

    def work():
        for _ in range(40):
            try:
                model.solve(states, velocity, 1.0, DT, out=states)
                done.append(1)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) + len(errors) == 160 and done
    assert set(errors) <= {"these states are in use by another thread: give each thread its own"}
    assert errors  # the lock of the interpreter is not held meanwhile, so some must have met
    assert np.isfinite(states.values).all()


@pytest.mark.parametrize("what", ["copy", "values", "column", "item", "save", "equal", "energy", "power", "deepcopy"])
def test_states_are_not_read_while_another_thread_moves_them_on(what):
    model = scalar.LuGre(**CANUDAS)
    states, velocity = model.states(400_000), np.full(400_000, 0.01)
    read = {
        "copy": states.copy,
        "values": lambda: states.values,
        "column": lambda: states.bristle,
        "item": lambda: states[0],
        "save": lambda: model.save(states),
        "equal": lambda: states == states,
        "energy": lambda: model.energy(states),
        "power": lambda: model.dissipated_power(states, 0.1),
        "deepcopy": lambda: copy.deepcopy(states),
    }[what]
    read()
    refused = []
    for _ in range(5):  # until the calls meet
        thread = threading.Thread(target=lambda: model.solve(states, velocity, 1.0, DT, out=states))
        thread.start()
        while thread.is_alive() and not refused:
            try:
                read()
            except RuntimeError as error:
                refused.append(str(error))
        thread.join()
        if refused:
            break
    assert refused == ["these states are in use by another thread: give each thread its own"]
    read()


def test_a_model_serves_many_threads():
    model = scalar.LuGre(**CANUDAS)
    velocity = np.linspace(-1, 1, 5000)
    results = [None] * 4

    def work(k):
        states = model.states(5000 - k)  # other lengths, so that the batch is made anew again and again
        for _ in range(20):
            results[k], states = model.step(states, velocity[k:], DT)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(1, 4):
        np.testing.assert_array_equal(results[0][k:], results[k])


def test_counts_are_integers():
    bend = {"stiffness": 13, "largest_bend": 1e-3}
    model = scalar.HaessigBristle(**bend, bristles=3, seed=2**32 - 1)
    assert model.parameters["bristles"] == 3 and type(model.parameters["seed"]) is int
    assert [type(field["default"]) for field in model.fields[2:]] == [int, int]
    assert scalar.HaessigBristle(**bend, bristles=[2, 3]).parameters["bristles"].dtype == np.int64
    for bristles in (20.5, -1, 0, 65, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"^bristles = .*: must be a whole number from 1 to 64$"):
            scalar.HaessigBristle(**bend, bristles=bristles)
    with pytest.raises(ValueError, match=r"^seed = 0.5: must be .* \(model 1 of 2\)$"):
        scalar.HaessigBristle(**bend, seed=[0, 0.5])


def test_cost_of_a_call_is_printed(capsys):
    model = scalar.LuGre(**CANUDAS)
    joint, state = scalar.Friction(model), model.at_rest()
    best = lambda call: min(timeit.repeat(call, number=20_000, repeat=5)) / 20_000 * 1e9
    with capsys.disabled():
        print(f"\none call: Friction.step {best(lambda: joint.step(0.1, 1e-3)):.0f} ns, "
              f"Model.force {best(lambda: model.force(state, 0.1)):.0f} ns, "
              f"Model.advance {best(lambda: model.advance(state, 0.1, 1e-3)):.0f} ns, "
              f"Model.solve {best(lambda: model.solve(state, 0.1, 1.0, 1e-3)):.0f} ns")


def test_documentation_has_units():
    for model in scalar.models().values():
        for field in model.fields:
            assert f"{field['name']} [{field['unit']}]" in model.__doc__


def test_a_gear_knows_what_it_transmits():
    gear = scalar.Gear(coulomb_force=0.1, motor_gain=0.2, external_gain=0.05)
    state = gear.transmitting(gear.at_rest(), motor_force=3, external_force=-3)
    assert gear.force(gear.advance(state, 1.0, DT), 1.0) == pytest.approx(0.1 + 0.2 * 3 + 0.05 * 3)
    assert gear.restore(gear.save(state)) == state != gear.at_rest()
    # A motor that holds part of a weight: nothing moves.
    held = gear.solve(gear.at_rest(), -0.5 * DT / 0.03, 1 / 0.03, DT, 0.0, motor_force=1.5, external_force=-2)
    assert held.velocity == 0 and held.force == pytest.approx(-0.5)
    assert held.state == gear.transmitting(gear.at_rest(), motor_force=1.5, external_force=-2)
    falls = gear.solve(gear.at_rest(), -0.5 * DT / 0.03, 1 / 0.03, DT, 0.0)
    assert falls.velocity < 0
    motor = np.array([0.0, 1.5, 3.0])
    force, velocity, states = gear.solve(gear.states(3), -0.5 * DT / 0.03, 1 / 0.03, DT, np.zeros(3), motor_force=motor,
                                         external_force=motor - 0.5)
    assert velocity[0] < 0 and velocity[2] == 0
    again = gear.transmitting(gear.states(3), motor_force=motor, external_force=motor - 0.5)
    assert np.allclose(gear.force(gear.advance(again, 1.0, DT), 1.0), 0.1 + np.abs(0.05 * (motor - 0.5) - 0.2 * motor))
    lugre = scalar.LuGre(**CANUDAS)
    assert lugre.transmitting(lugre.at_rest(0.5), motor_force=1, external_force=2) == lugre.at_rest(0.5)
    with pytest.raises(ValueError, match="stribeck_velocity = inf: must be finite"):
        scalar.Gear(coulomb_force=0.1, stribeck_force=1)
    servo = scalar.preset("servo-mx64")
    assert isinstance(servo, scalar.Gear) and servo.parameters["motor_gain"] == 0.3114720375111298


def test_servos_of_bam_are_read_and_written(tmp_path):
    servo = scalar.preset("servo-xl330")
    file = tmp_path / "m6.json"
    file.write_text(scalar.bam_json(servo, actuator="xl330", kt=0.366, armature=0.0018))
    gear, rest = scalar.load_bam(file)
    assert gear == servo
    assert rest == {"model": "m6", "actuator": "xl330", "kt": 0.366, "R": None, "armature": 0.0018, "q_offset": None}
    assert scalar.load_model(file) == (servo, 0.0018)
    assert '"model": "m1"' in scalar.bam_json(scalar.Gear(coulomb_force=1), actuator="mine")
    with pytest.raises(ValueError, match="cannot say this friction"):
        scalar.bam_json(servo, actuator="xl330", model="m2")
    with pytest.raises(ValueError, match="must be one of m1"):
        scalar.bam_json(servo, actuator="xl330", model="m9")
    with pytest.raises(TypeError, match="lugre"):
        scalar.bam_json(scalar.LuGre(**CANUDAS), actuator="mine")
