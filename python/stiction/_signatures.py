"""Signatures of the extension's functions, as pybind11 writes them into their documentation."""

from __future__ import annotations

import re
from typing import NamedTuple

_OPEN, _CLOSE = "([{<", ")]}>"


class Parameter(NamedTuple):
    """One of a signature; `name` may be "*", "*args" or "**kwargs", then without a type."""

    name: str
    type: str
    default: str | None


class Signature(NamedTuple):
    """One overload, with its documentation."""

    parameters: list[Parameter]
    result: str
    doc: str


def split(text: str, separator: str = ",") -> list[str]:
    """Parts of a text between separators that stand outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in _OPEN:
            depth += 1
        elif c in _CLOSE and text[i - 1 : i + 1] != "->":
            depth -= 1
        elif depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i].strip())
            start = i + len(separator)
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _parameter(text: str) -> Parameter:
    name, *rest = split(text, ":")
    if text.startswith("*") or not rest:
        return Parameter(name.split("=")[0].strip(), "", None)
    kind, *default = split(":".join(rest), "=")
    return Parameter(name, kind, " = ".join(default) if default else None)


def signatures(name: str, doc: str | None) -> list[Signature]:
    """All overloads of a function."""
    found: list[Signature] = []
    heads = list(re.finditer(rf"^(?:\d+\. )?{re.escape(name)}\((.*)\) -> (.*)$", doc or "", re.MULTILINE))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(doc or "")
        found.append(Signature([_parameter(part) for part in split(head[1])], head[2].strip(), (doc or "")[head.end() : end].strip()))
    return found
