"""`help()` is worth reading: everything public is described, with units, and the examples of modules run."""

import doctest
import inspect
import pydoc
import re

import pytest
from conftest import SOURCE

import stiction
from stiction import control, geometry, haptics, identification, planar, reproduction, results, scalar, sim, spatial
from stiction._signatures import signatures

MODULES = [stiction, scalar, planar, spatial, control, geometry, haptics, sim, identification, reproduction, results]
MODELS = scalar.models()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_of_modules(module):
    assert ">>> " in module.__doc__
    done = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert done.failed == 0 and done.attempted >= 2


def members(module):
    """(name, object) of all that a module offers, with methods and properties."""
    for name in module.__all__:
        thing = getattr(module, name)
        yield name, thing
        if inspect.isclass(thing):
            for inner, member in vars(thing).items():
                if not inner.startswith("_") and (callable(member) or isinstance(member, (property, staticmethod))):
                    yield f"{name}.{inner}", member


def described(name, thing):
    """Whether there are words beside the signature; those of the first overload are enough."""
    doc = inspect.getdoc(thing.fget if isinstance(thing, property) and thing.__doc__ is None else thing) or ""
    found = signatures(name.rsplit(".", 1)[-1], doc)
    return any(signature.doc for signature in found) if found else bool(doc.strip())


@pytest.mark.parametrize("module", MODULES[1:8], ids=lambda module: module.__name__)
def test_everything_public_is_described(module):
    missing = [name for name, thing in members(module) if not isinstance(thing, (str, tuple)) and not described(name, thing)]
    assert not missing


@pytest.mark.parametrize("name", MODELS)
def test_help_of_a_model(name):
    kind = MODELS[name]
    text = pydoc.plain(pydoc.render_doc(kind))
    assert kind.equation in text and kind.source in text and kind.title in text
    for field in kind.fields:
        line = next(line for line in text.splitlines() if f"{field['name']} [{field['unit']}]: {field['meaning']}" in line)
        assert field["range"] in line
        if field["default"] is not None:
            assert f"default {field['default']:g}" in line
    model = next(row["model"] for row in scalar.presets() if row["model"].name == name)
    states = re.search(r"States: (.*?)\. Modes: (.*?)\.\n", text)
    assert set(model.state_names) <= set(states[1].split(", ")) and states[2] == (", ".join(model.mode_names) or "none")
    page = SOURCE / re.search(r"More: (docs/models/[\w-]+\.md)", text)[1]
    assert f"`{name}`" in page.read_text(encoding="utf-8")


def test_help_of_controllers_lists_their_parameters():
    for kind in (getattr(control, name) for name in control.__all__):
        for field in getattr(kind, "fields", ()):
            assert field["name"] in kind.__doc__ + (kind.__init__.__doc__ or ""), kind


def test_names_are_those_that_users_write():
    for module in MODULES[1:8]:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isbuiltin(thing):
                assert thing.__module__ in (module.__name__, "stiction.results"), name
                assert "_core" not in (thing.__doc__ or "")
