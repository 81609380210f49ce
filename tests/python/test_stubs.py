"""The package is typed: stubs are as the extension is, and type checkers accept them."""

import ast
import os
import re
import subprocess
import sys
import types
import typing

import numpy as np
import pytest
from conftest import SOURCE

PACKAGE = SOURCE / "python/stiction"


def test_stubs_are_up_to_date():
    done = subprocess.run([sys.executable, "-B", str(SOURCE / "python/make_stubs.py"), "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr


def test_stubs_can_be_read():
    stubs = sorted((PACKAGE / "_core").glob("*.pyi"))
    assert len(stubs) >= 9 and (PACKAGE / "py.typed").exists()
    for path in stubs:
        ast.parse(path.read_text(encoding="utf-8"))


def check(*paths, folder=None):
    """What mypy says to these files, as strict as it can be."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", "--cache-dir",
                           os.environ.get("MYPY_CACHE_DIR", os.devnull), *map(str, paths)], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "MYPYPATH": str(SOURCE / "python"), "PYTHONPATH": ""})
    return done.stdout + done.stderr


def test_a_type_checker_accepts_package_examples_and_documentation(tmp_path):
    page = (SOURCE / "docs/how-to/use-from-python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    (tmp_path / "page.py").write_text("\n".join(blocks), encoding="utf-8")
    assert check(PACKAGE, *sorted(SOURCE.glob("examples/0*.py")), tmp_path / "page.py", folder=tmp_path) == ""


WRONG = {
    "scalar.LuGre(stiffnes=1)": "Unexpected keyword argument",
    "FRICTION.force(FRICTION.at_rest(), 'fast')": "No overload variant",
    "planar.Patch.disc(0.01).wrench([1, 0, 0], rule='simpson')": "Literal",
    "sim.body(FRICTION, 1, 1, method='euler')": "Literal",
    "FRICTION.solve(FRICTION.at_rest(), 0, 1, 1e-3).bristle": "no attribute",
    "control.Pid(proportional='high')": "incompatible type",
    "sim.advise(FRICTION, 1, 1e-3)['recomended']": 'TypedDict "Advice" has no key',
    "geometry.box([1, 1, 1]).volume()": "not callable",
    "stiction.identify({}, mas=1)": "Unexpected keyword argument",
}


def test_a_type_checker_finds_mistakes(tmp_path):
    lines = ["import stiction", "from stiction import control, geometry, planar, scalar, sim",
             "FRICTION = scalar.preset('olsson-1998-table2')", *WRONG]
    (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = check(tmp_path / "wrong.py", folder=tmp_path)
    for number, (line, message) in enumerate(WRONG.items(), 4):
        found = [text for text in said.splitlines() if f"wrong.py:{number}: error:" in text]
        assert any(message in text for text in found), f"{line}: {found}"


def test_types_are_known():
    """`Any` stands where there is nothing better to say: what a mapping of the user's holds, and dtypes."""
    for path in sorted((PACKAGE / "_core").glob("*.pyi")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef) or node.name == "__array__":
                continue
            types = [argument.annotation for argument in (*node.args.args, *node.args.kwonlyargs) if argument.arg != "self"] + [node.returns]
            assert None not in types, f"{path.name}: {node.name}"
            for text in map(ast.unparse, types):
                words = re.findall(r"\w+", text.replace("dict[str, Any]", ""))
                assert not {"Any", "object"} & set(words), f"{path.name}: {node.name}: {text}"
                assert "np.ndarray" not in text and "numpy." not in text and "::" not in text


def of_type(value, kind):
    """Whether a value is of a type, as hints have it."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype == typing.get_args(inner[1])[0]
    if origin in (typing.Union, types.UnionType):
        return any(of_type(value, choice) for choice in inner)
    if origin is typing.Literal:
        return value in inner
    if origin is list:
        return isinstance(value, list) and all(of_type(item, inner[0]) for item in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(of_type, value, inner))
    if origin is dict:
        return isinstance(value, dict) and all(of_type(key, inner[0]) and of_type(item, inner[1]) for key, item in value.items())
    if typing.is_typeddict(kind):
        hints = hints_of(kind)
        keys = set(hints) if kind.__total__ else set(hints) & set(value)
        return set(value) == keys and all(of_type(value[key], hints[key]) for key in keys)
    return isinstance(value, (int, float) if kind is float else kind)


def hints_of(kind):
    from stiction import geometry, results, scalar

    return typing.get_type_hints(kind, None, {**vars(results), "Model": scalar.Model, "Mesh": geometry.Mesh, "BlimanSorine2": scalar.BlimanSorine2})


def samples():
    """Something of each type of results.py."""
    from stiction import _core, control, geometry, haptics, identification, planar, results, scalar, sim

    lugre, speed = scalar.preset("olsson-1998-table2"), np.linspace(0.005, 0.5, 40)
    sweep = {"velocity": speed, "torque": 1 + 0.4 * speed + 0.5 * np.exp(-((speed / 0.02) ** 2))}
    scene = haptics.Scene("cube-and-corner")
    renderer = scene.renderer()
    logs = [identification.read_log(SOURCE / path) for path in ("tests/data/id_C_motion.csv", "examples/logs/steady_friction.csv")]
    loop = scalar.preset("table2-bliman-sorine-2")
    fits = _core.identification.identify([], [sweep], "stribeck")
    t = np.arange(2000) * 2e-3
    log = {"time": t, "position": np.sin(2 * t), "torque": np.sign(np.cos(2 * t)) + 0.1 * np.sin(1e4 * t)}
    moved = _core.identification.identify([log], [], "coulomb", "motion")[0]
    report = {**moved["motion"], "findings": [{"name": "delay", "value": 1.0, "unit": "s", "text": "late"}]}
    experiment = _core.lab.reproduce("scalar/fig03", True)
    return {
        results.Field: scalar.LuGre.fields[0], results.Preset: scalar.presets()[0],
        results.DirectionalFriction: control.AsymmetricIdentifier(inertia=1, min_velocity=0.1, **needed(control.AsymmetricIdentifier)).friction,
        results.BlimanSorineFeatures: control.bliman_sorine_features(loop),
        results.BlimanSorineFit: control.identify_bliman_sorine(np.zeros(10), np.zeros(10)),
        results.EllipsoidError: planar.LimitEllipsoid.of_radius(0.01).error(planar.Patch.disc(0.01), 100),
        results.SceneParts: geometry.scene("cube-and-corner"), results.Cycle: renderer.step([0, 0, 0.5]),
        results.Contacts: renderer.contacts(), results.HapticRun: scene.run(0.01), results.Advice: sim.advise(lugre, 1.0, 1e-3),
        results.Recording: logs[0][0][0], results.Sweep: logs[1][1][0],
        results.PlannedRun: identification.plan(1.0, 1.0, 1.0)[0][0], results.FitRow: moved, results.MotionReport: report,
        results.MotionStep: report["steps"][0], results.MotionTrack: report["tracks"][0], results.Finding: report["findings"][0],
        results.EstimateRow: fits[0]["estimates"][0],
        results.ExperimentRow: _core.lab.experiments()[0], results.ReproductionRow: experiment, results.ClaimRow: experiment["claims"][0],
        results.Figure: experiment["figures"][0], results.Series: experiment["figures"][0]["series"][0],
    }


def needed(kind):
    """The other required parameters of a controller."""
    return {field["name"]: 1.0 for field in kind.fields if field["default"] is None and field["name"] not in ("inertia", "min_velocity")}


def test_dictionaries_have_the_keys_and_types_that_are_declared():
    for kind, value in samples().items():
        hints = hints_of(kind)
        if kind.__total__:
            assert set(value) == set(hints), kind
        for key, item in value.items():
            assert of_type(item, hints[key]), f"{kind.__name__}.{key}: {item!r}"


def test_words_are_those_that_the_library_knows():
    from stiction import scalar, sim

    known = {method for of in ("body", "two_bodies", "drive") for method in sim.methods(of)}
    stub = (PACKAGE / "_core/sim.pyi").read_text(encoding="utf-8")
    declared = re.search(r"def body\(.*?method: Literal\[(.*?)\]", stub)[1]
    assert set(ast.literal_eval(f"[{declared}]")) == known
    for name in scalar.models():
        assert f"class {scalar.models()[name].__name__}(Model)" in (PACKAGE / "_core/scalar.pyi").read_text(encoding="utf-8")
