"""Calls that fit no signature: one line that names the argument, what was given and what is allowed."""

import numpy as np
import pytest

import stiction
from stiction import _calls, _signatures, control, geometry, planar, scalar, sim, spatial

LUGRE = scalar.LuGre(stiffness=1e5, damping=316, coulomb_force=1, static_force=1.5, stribeck_velocity=1e-3)
FRICTION, PATCH = planar.Friction.waltersson_p1(), planar.Patch.disc(0.01)
REDUCED, BRISTLES = planar.Reduced(FRICTION, PATCH), planar.Distributed(FRICTION, PATCH)
SINGLE = np.zeros((2, len(BRISTLES)), np.float32)
BATCH = planar.ReducedBatch([planar.SurfaceTable(PATCH, 4)], FRICTION, np.full(3, 0.01), 1e-4)
GMS = scalar.GmsBatch([scalar.preset("table2-gms")])

CALLS = {
    # Keywords
    "unknown": (lambda: sim.body(LUGRE, mass=1, dration=3), "sim.body has no parameter 'dration'; it has model, mass, duration, force, "),
    "missing": (lambda: sim.body(LUGRE), "sim.body needs mass, duration"),
    "missing of overloads": (lambda: LUGRE.force(LUGRE.states(3)), "Model.force needs velocity"),
    "too many": (lambda: sim.body(LUGRE, 1, 2, 3), "sim.body takes 3 arguments without a name, not 4; it has model, mass, duration, "),
    "of a class": (lambda: spatial.Pyramid(mu=0.3, side=4), "Pyramid has no parameter 'side'; it has mu, sides, inscribed"),
    "none of a class": (lambda: spatial.CircularCone(), "CircularCone needs mu"),
    "of a model": (lambda: scalar.LuGre(stiffnes=1), "LuGre has no parameter 'stiffnes'; it has stiffness, damping, "),
    "of contacts": (lambda: spatial.StaticFriction(3).set(arms=1), "StaticFriction.set has no parameter 'arms'; it has arm, normal, "),
    "of a state": (lambda: LUGRE.state(bend=1), "a state of lugre has no parameter 'bend'; it has bristle"),
    "twice": (lambda: LUGRE.advance(LUGRE.at_rest(), 0.1, 1e-3, velocity=0.1), "Model.advance was given velocity twice"),
    "no parameters": (lambda: scalar.presets(1), "scalar.presets takes 0 arguments without a name, not 1; it has none"),
    # Types
    "state": (lambda: LUGRE.force(3, 4), "Model.force: state: must be a scalar.State, not 3 (int)"),
    "text": (lambda: scalar.Friction(LUGRE).step("a", 3), "Friction.step: velocity: must be a number, not 'a' (str)"),
    "array": (lambda: LUGRE.advance(LUGRE.at_rest(), np.zeros((2, 3)), 1e-3),
              "Model.advance: velocity: must be a number, not a float64 array of shape (2, 3)"),
    "none": (lambda: sim.SampledBody(None, 1.0), "SampledBody: model: must be a scalar.Model, not None"),
    "no patch": (lambda: planar.Reduced(FRICTION, None), "Reduced: patch: must be a planar.Patch, not None"),
    "no models": (lambda: scalar.GmsBatch([None]), "GmsBatch: models: must be a list, each a scalar.Model, not a list of length 1"),
    "whole": (lambda: geometry.PointShell(geometry.box([1, 1, 1]), 10.5), "PointShell: points: must be a whole number, not 10.5 (float)"),
    "list": (lambda: scalar.Joints([LUGRE, 3]), "Joints: models: must be a list, each a scalar.Model, not a list of length 2"),
    "word": (lambda: PATCH.wrench([1, 0, 0], rule=3), "Patch.wrench: rule: must be 'exact' or 'midpoint' or 'bilinear', not 3 (int)"),
    "setter": (lambda: setattr(scalar.Friction(LUGRE), "state", 3), "Friction.state: must be a scalar.State, not 3 (int)"),
    "function": (lambda: planar.Patch.function(3, [0, 0], [1, 1]), "Patch.function: pressure: must be a function, not 3 (int)"),
    "states": (lambda: GMS.step((np.zeros((4, 1), np.float32), np.zeros(1, np.int32)), 0.1, 1e-3),
               "GmsBatch.step: states: must be a tuple of a float64 array, a int32 array, not a tuple of a float32 array of shape (4, 1), "),
    "operator": (lambda: control.Compensator(3), "Compensator: model: must be a scalar.Model, not 3 (int)"),
    # Shapes, and types that the library itself looks at
    "z": (lambda: REDUCED.step(np.zeros(4), [0, 0, 0], 1, 1e-3), "z has shape (4,): must be (3,)"),
    "rows": (lambda: REDUCED.step(np.zeros((2, 3)), np.zeros((3, 3)), 1, 1e-3), "twist has shape (3, 3): must be (2, 3)"),
    "out": (lambda: BRISTLES.step(SINGLE, [0, 0, 0], 1, 1e-3, out=SINGLE), "out has numbers of type float32: must be float64"),
    "batch": (lambda: BATCH.step(np.zeros((3, 3), np.float32), np.zeros((3, 3)), np.zeros(3), 1e-3),
              "states has numbers of type float32: must be float64"),
    "words for numbers": (lambda: LUGRE.force(LUGRE.states(2), ["a", "b"]), "velocity: must be float64 or float32 numbers, not <U1"),
    "velocity": (lambda: LUGRE.force(LUGRE.states(2), np.zeros(3)), "velocity has shape (3,): must be (2,)"),
    "mesh": (lambda: geometry.Mesh(np.zeros((3, 2)), [[0, 1, 2]]), "vertices has shape (3, 2): must be (n, 3)"),
    "signal": (lambda: sim.body(LUGRE, 1, 1, force="x"), "force: must be a number, or (times, values)"),
    "friction of a batch": (lambda: planar.ReducedBatch([planar.SurfaceTable(PATCH, 4)], 3, np.full(3, 0.01), 1e-4),
                            "friction: must be a planar.Friction, or a list of them, not 3 (int)"),
    "declared": (lambda: spatial.linear_program("published", 4, False, [[1, 0, 0]], [[0, 0, 1]], 1, 1, np.ones(6), -np.eye(6), np.eye(6),
                                                declared=3), "declared: must be a list of words, not 3 (int)"),
    "whose": (lambda: stiction.identify({"velocity": [1.0], "torque": [1.0]}, mas=1), "identify() got an unexpected keyword argument 'mas'"),
}


@pytest.mark.parametrize("name", CALLS)
def test_one_clear_line(name):
    call, text = CALLS[name]
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    said = str(error.value)
    assert said.startswith(text)
    assert "\n" not in said and len(said) < 300 and "incompatible" not in said


def functions(module):
    """Every function of a module and of its classes, with the label that messages give it."""
    for name, member in vars(module).items():
        if isinstance(member, type):
            yield from _calls._functions(member)
        elif type(member) is type(len):
            yield f"{module.__name__}.{name}", member


def test_every_function_is_put_into_words():
    """Whatever is called with what nothing takes answers in one line; operators let the other side try."""
    class Strange:
        pass

    asked = 0
    for module in (getattr(stiction._core, name) for name in ("scalar", "planar", "spatial", "control", "geometry", "haptics", "sim")):
        for label, function in functions(module):
            if type(function) is not type(len) or "_pybind11" in label:  # its own
                continue
            try:
                result = function(Strange(), Strange(), Strange(), strange=Strange())
                assert result is NotImplemented, label
            except TypeError as error:
                said = str(error)
                assert "\n" not in said and "incompatible" not in said and len(said) < 400, said
                asked += 1
    assert asked > 300


def test_a_function_of_the_user_may_fail_in_its_own_way():
    def wrong(x, y):
        raise TypeError("incompatible function arguments. The following argument types are supported: none\nreally")

    with pytest.raises(TypeError, match="really"):
        planar.Patch.function(wrong, [0, 0], [1, 1])


OLD = """f(*args, **kwargs)
Overloaded function.

1. f(self: stiction.scalar.Model, x: float, *, how: Literal['a', 'b'] = 'a', out: Optional[Tuple[float, List[int]]] = None) -> numpy.ndarray[numpy.float64]

The first: (x) -> y.

2. f(self: stiction.scalar.Model, x: ArrayLike, **kwargs) -> Tuple[float, numpy.ndarray[bool]]
"""
NEW = OLD.replace("x: float", "x: typing.SupportsFloat | typing.SupportsIndex").replace(
    "Optional[Tuple[float, List[int]]]", "tuple[typing.SupportsFloat | typing.SupportsIndex, collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex]] | None")


@pytest.mark.parametrize("doc", [OLD, NEW])
def test_signatures_of_every_pybind11(doc):
    first, second = _signatures.signatures("f", doc)
    assert [p.name for p in first.parameters] == ["self", "x", "*", "how", "out"]
    assert [p.default for p in first.parameters] == [None, None, None, "'a'", "None"]
    assert _calls.plain(first.parameters[1].type) == "float"
    assert _calls.plain(first.parameters[4].type).replace("Sequence", "list") == "tuple[float, list[int]] | None"
    assert first.doc == "The first: (x) -> y." and second.doc == ""
    assert _calls.plain(second.result).replace("Tuple", "tuple") == "tuple[float, NDArray[bool]]"
    assert [p.name for p in second.parameters] == ["self", "x", "**kwargs"]
    assert _calls.message("F.f", "f", doc, (LUGRE,), {}) == "F.f needs x"
    assert _calls.message("F.f", "f", doc, (LUGRE, 1.0), {"how": 3}).startswith("F.f: how: must be 'a' or 'b', not 3 (int)")
