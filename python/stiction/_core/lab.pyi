# Written by python/make_stubs.py from the extension: do not edit.
"""The published figures and tables, computed."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

def command_line(words: list[str]) -> int:
    """The program stiction with these words, of which the first is its name: the exit code."""

def experiments() -> list:
    """All experiments: id, title, source."""

def reproduce(id: str, quick: bool = False, progress: Optional[Callable[[float], None]] = None) -> dict:
    """Runs one: claims, tables and figures as plain data."""
