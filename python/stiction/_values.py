"""What makes objects of the extension values: pickle, copy, == and repr, for all classes alike.

A class says with `_parts()` what makes its objects again: the keywords of its constructor, or what its `_remake` takes.
`_fields` are the attributes that == compares and a table shows, where the parts are not for people. A class that cannot
be pickled has `_instead`, which says what to do.
"""

from __future__ import annotations

import dataclasses
import inspect
import pickle
import zlib
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

_T = TypeVar("_T")
_PROTOCOL = 4
_LONG = 100  # numbers: more are not shown


def _name(kind: type) -> str:
    return f"{kind.__module__.removeprefix('stiction.')}.{kind.__qualname__}"


def _checksum(kind: type, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(_name(kind).encode()))


def _reduce(self: Any) -> tuple[Any, ...]:
    kind = type(self)
    if hasattr(kind, "_instead"):
        raise TypeError(f"a {_name(kind)} cannot be pickled or copied: {kind._instead}")
    if hasattr(kind, "_remake") and "_parts" not in vars(kind) and not kind.__module__.startswith("stiction."):
        raise TypeError(f"a subclass of {_name(kind.__mro__[1])} cannot be pickled: define __reduce__")
    content = pickle.dumps(self._parts(), _PROTOCOL)
    return restore, (kind, content, _checksum(kind, content))


def restore(kind: type, content: bytes, checksum: int) -> Any:
    """What a pickle calls: the object with these parts. UnpicklingError where it is damaged or of another version."""
    if not (isinstance(kind, type) and hasattr(kind, "_parts") and isinstance(content, bytes)):
        raise pickle.UnpicklingError("this pickle of an object of stiction is damaged")
    if _checksum(kind, content) != checksum:
        raise pickle.UnpicklingError(f"this pickle of a {_name(kind)} is damaged")
    try:
        parts = pickle.loads(content)
        remake = getattr(kind, "_remake", None)
        return remake(parts) if remake else kind(**parts)
    except (ValueError, TypeError, KeyError) as error:
        raise pickle.UnpicklingError(f"this pickle is no {_name(kind)} of this version: {error}") from error


def _copy(self: Any) -> Any:
    function, arguments = _reduce(self)
    return function(*arguments)


def _deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    return _copy(self)


def same(a: Any, b: Any) -> bool:
    """==, where arrays are equal if all of their elements are."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


def _equal(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    fields = getattr(type(self), "_fields", None)
    if fields:
        return all(same(getattr(self, name), getattr(other, name)) for name in fields)
    return same(self._parts(), other._parts())


def count(value: Any) -> int:
    """How many numbers a value shows."""
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, (list, tuple)) else 1


def expression(value: Any) -> str:
    """A value as Python writes it, without names that the reader would have to import."""
    if isinstance(value, np.ndarray):
        return expression(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(expression, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    return repr(value)


def call(name: str, parts: dict[str, Any]) -> str:
    """What makes the object again; where that were too long, something in angle brackets."""
    if count(parts) <= _LONG:
        text = f"{name}(" + ", ".join(f"{key}={expression(value)}" for key, value in parts.items()) + ")"
        if "<" not in text:
            return text
    return f"<{name}: " + ", ".join(f"{key}={short(value)}" for key, value in parts.items()) + ">"


def short(value: Any) -> str:
    """A value in a line of a table."""
    if isinstance(value, np.ndarray) and value.size > 6:
        if value.dtype.kind not in "fiub" or not np.isfinite(value).any():
            return f"{value.dtype} {value.shape}"
        low, high = np.nanmin(value), np.nanmax(value)
        return f"{value.dtype} {value.shape}, from {low:.6g} to {high:.6g}"
    if isinstance(value, np.ndarray):
        return "[" + ", ".join(map(short, value.tolist())) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(short, value)) + "]" if count(value) <= 6 else f"{len(value)} items"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= 80 else text[:77] + "..."


def table(title: str, rows: dict[str, Any]) -> str:
    """A result as a short table."""
    width = max(map(len, rows), default=0)
    return "\n".join([title, *(f"  {name:<{width}}  {short(value)}" for name, value in rows.items())])


def _repr(self: Any) -> str:
    kind = type(self)
    fields = getattr(kind, "_fields", None)
    if fields:
        return table(_name(kind), {name: getattr(self, name) for name in fields})
    if not hasattr(kind, "_parts") or hasattr(kind, "_remake"):
        return f"<{_name(kind)}>"
    return call(kind.__name__, self._parts())


def _array(self: Any, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
    """The values as NumPy takes them: shared where they can be."""
    values: npt.NDArray[Any] = self.values
    if dtype is None or np.dtype(dtype) == values.dtype:
        return values.copy() if copy else values
    if copy is False:
        raise ValueError(f"float64 values cannot become {np.dtype(dtype)} without a copy")
    return values.astype(dtype)


def _fields_of(self: Any) -> dict[str, Any]:
    return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def value(kind: type[_T]) -> type[_T]:
    """Gives the methods to a class; what it defines itself stays."""
    own = vars(kind)
    if dataclasses.is_dataclass(kind) and "_parts" not in own:
        kind._parts = _fields_of  # type: ignore[attr-defined]
    methods: dict[str, Any] = {"__reduce__": _reduce, "__copy__": _copy, "__deepcopy__": _deepcopy, "__repr__": _repr}
    if "_instead" not in own and "__eq__" not in own:
        methods |= {"__eq__": _equal, "__hash__": None}
    for name, method in methods.items():
        if name not in own:
            setattr(kind, name, method)
    return kind


def equip(core: Any) -> None:
    """Makes values of all classes of the extension that say how."""
    for module in filter(inspect.ismodule, vars(core).values()):
        for kind in filter(inspect.isclass, vars(module).values()):
            if {"_parts", "_instead", "_fields"} & vars(kind).keys():
                value(kind)
            if "values" in vars(kind):
                setattr(kind, "__array__", _array)
