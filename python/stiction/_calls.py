"""Clear messages for calls of the extension with arguments that fit no signature, instead of all signatures and values."""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._signatures import Parameter, Signature, signatures, split

_WORDS = {"float": "a number", "int": "a whole number", "bool": "True or False", "str": "a text", "ArrayLike": "numbers",
          "dict": "a dictionary", "Callable": "a function", "bytes": "bytes", "None": "None"}


def plain(kind: str) -> str:
    """A type as pybind11 writes it, in whatever version, as type hints have it."""
    kind = re.sub(r"typing\.SupportsFloat(?: \| typing\.SupportsIndex)?", "float", kind)
    kind = re.sub(r"typing\.SupportsInt(?: \| typing\.SupportsIndex)?|typing\.SupportsIndex", "int", kind)
    kind = re.sub(r"typing\.Annotated\[numpy\.typing\.ArrayLike, numpy\.(\w+)(?:, \"[^\"]*\")?\]", r"NDArray[\1]", kind)
    kind = re.sub(r"numpy\.typing\.NDArray\[(?:numpy\.)?(\w+)\]", r"NDArray[\1]", kind)
    kind = re.sub(r"numpy\.ndarray\[(?:numpy\.)?(\w+)(?:, [^\]]*)?\]", r"NDArray[\1]", kind)
    kind = re.sub(r"\b(?:collections\.abc|typing)\.", "", kind)
    kind = re.sub(r"\b(List|Dict|Tuple)\b", lambda match: match[1].lower(), kind)
    kind = re.sub(r"\bAnnotated\[(.*), \"[^\"]*\"\]", r"\1", kind)
    while match := re.search(r"\b(Optional|Union)\[", kind):
        depth, end = 1, match.end()
        while depth:
            depth += {"[": 1, "]": -1}.get(kind[end], 0)
            end += 1
        inside = " | ".join(split(kind[match.end() : end - 1])) + (" | None" if match[1] == "Optional" else "")
        kind = kind[: match.start()] + inside + kind[end:]
    return kind


def _is(value: Any, convert: Callable[[Any], Any]) -> bool:
    try:
        convert(value)
    except (TypeError, ValueError):
        return False
    return True


def fits(kind: str, value: Any) -> bool:
    """Whether a value may be one of a type; True where that cannot be told."""
    choices = split(kind, "|")
    if len(choices) != 1:
        return any(fits(choice, value) for choice in choices)
    head, _, inside = kind.partition("[")
    inner = split(inside.removesuffix("]"))
    if head in ("float", "int"):
        return not isinstance(value, str) and _is(value, float if head == "float" else operator.index)
    if head == "None":
        return value is None
    if head == "str":
        return isinstance(value, (str, bytes))
    if head == "Literal":
        return isinstance(value, str)
    if head == "bytes":
        return isinstance(value, bytes)
    if head == "Callable":
        return callable(value)
    if head == "dict":
        return isinstance(value, dict)
    if head == "NDArray":
        return isinstance(value, np.ndarray) and (not inner or any(str(value.dtype) == name for name in split(inner[0], "|")))
    if head in ("list", "Sequence"):
        if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str):
            return False
        return all(fits(inner[0], item) for item in value)
    if head == "tuple":
        return isinstance(value, Sequence) and len(value) == len(inner) and all(map(fits, inner, value))
    if re.fullmatch(r"stiction\.[\w.]+", head):
        return any(base.__name__ == head.rsplit(".", 1)[1] for base in type(value).__mro__)
    return True


def words(kind: str) -> str:
    """A type in words."""
    choices = split(kind, "|")
    if len(choices) != 1:
        return ", ".join(map(words, choices[:-1])) + " or " + words(choices[-1])
    head, _, inside = kind.partition("[")
    inner = split(inside.removesuffix("]"))
    if head == "NDArray":
        return f"a {' or '.join(split(inner[0], '|'))} array" if inner else "an array"
    if head in ("list", "Sequence") and inner:
        return f"a list, each {words(inner[0])}"
    if head == "tuple":
        return "a tuple of " + ", ".join(map(words, inner))
    if head == "Literal":
        return " or ".join(inner)
    if head.startswith("stiction."):
        return f"a {head.removeprefix('stiction.')}"
    return _WORDS.get(head, kind)


def describe(value: Any) -> str:
    """A value in a few words, however large it is."""
    if isinstance(value, np.ndarray):
        return f"a {value.dtype} array of shape {value.shape}"
    if isinstance(value, (tuple, list)) and 0 < len(value) <= 4 and any(isinstance(item, np.ndarray) for item in value):
        return f"a {type(value).__name__} of " + ", ".join(map(describe, value))
    if isinstance(value, (int, float, str, bytes, complex)) or value is None:
        text = repr(value)
        return f"{text if len(text) <= 40 else text[:37] + '...'}" + ("" if value is None or isinstance(value, bool) else
                                                                    f" ({type(value).__name__})")
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}" + (f" of length {len(value)}" if isinstance(value, (list, tuple)) else "")


class _Failure(NamedTuple):
    fitting: int  # arguments that fit
    text: str


def _failure(label: str, signature: Signature, given: tuple[Any, ...], named: dict[str, Any]) -> _Failure:
    """Why arguments do not fit one overload."""
    parameters = [p._replace(type=plain(p.type)) for p in signature.parameters]
    stars = [i for i, p in enumerate(parameters) if p.name in ("*", "*args")]
    positional = [p for p in parameters[: stars[0] if stars else None] if not p.name.startswith("*")]
    known = [p for p in parameters if not p.name.startswith("*")]
    shown = [p.name for p in known if p.name != "self"]
    takes = f"; it has {', '.join(shown)}" if shown else "; it has none"
    any_name = any(p.name.startswith("**") for p in parameters)
    values: list[tuple[Parameter, Any]] = list(zip(positional, given))
    values += [(p, named[p.name]) for p in known if p.name in named]
    fitting = sum(fits(p.type, value) for p, value in values)
    for name in named:
        if name not in [p.name for p in known] and not any_name:
            return _Failure(fitting, f"{label} has no parameter '{name}'{takes}")
    if len(given) > len(positional) and not any(p.name == "*args" for p in parameters):
        most = len([p for p in positional if p.name != "self"])
        count = len(given) - (len(positional) - most)
        return _Failure(fitting, f"{label} takes {most} arguments without a name, not {count}{takes}")
    twice = [p.name for p in positional[: len(given)] if p.name in named]
    if twice:
        return _Failure(fitting, f"{label} was given {twice[0]} twice")
    there = {p.name for p, _ in values}
    missing = [p.name for p in known if p.name not in there and p.default is None]
    if missing:
        return _Failure(fitting, f"{label} needs {', '.join(missing)}")
    for p, value in values:
        if not fits(p.type, value):
            name = "" if re.fullmatch(r"arg\d+", p.name) else f" {p.name}:"
            return _Failure(fitting, f"{label}:{name} must be {words(p.type)}, not {describe(value)}")
    return _Failure(-1, "")


def message(label: str, name: str, doc: str, given: tuple[Any, ...], named: dict[str, Any] | None) -> str:
    """What is wrong with a call that fits no overload, in one line."""
    failures = [_failure(label, signature, given, named or {}) for signature in signatures(name, doc)]
    best = max(failures, key=lambda failure: failure.fitting)  # the first of several
    if best.text:
        return best.text
    values = [describe(value) for value in given] + [f"{key}={describe(value)}" for key, value in (named or {}).items()]
    return f"{label} does not take ({', '.join(values)})"


def _functions(kind: type) -> list[tuple[str, Any]]:
    found = []
    for name, member in vars(kind).items():
        if isinstance(member, property):
            found += [(name, function) for function in (member.fget, member.fset) if function is not None]
        else:
            found.append((kind.__name__ if name == "__init__" else name, member))
    return [(name if name == kind.__name__ else f"{kind.__name__}.{name}", getattr(f, "__func__", f)) for name, f in found]


def equip(core: Any) -> None:
    """From now on errors of all functions of the extension are put into words by `message`."""
    for module in filter(inspect.ismodule, vars(core).values()):
        short = module.__name__.rsplit(".", 1)[1]
        for name, member in vars(module).items():
            functions = _functions(member) if inspect.isclass(member) else [(f"{short}.{name}", member)]
            for label, function in functions:
                if inspect.isbuiltin(function):
                    core.explain_errors(function, label)
