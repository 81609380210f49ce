# Written by python/make_stubs.py from the extension: do not edit.
"""The published figures and tables, computed."""

from collections.abc import Callable, Sequence

from stiction import results as _results

def command_line(words: Sequence[str]) -> int:
    """The program stiction with these words, of which the first is its name: the exit code."""

def experiments() -> list[_results.ExperimentRow]:
    """All experiments: id, title, source."""

def reproduce(id: str, quick: bool = False, progress: Callable[[float], None] | None = None) -> _results.ReproductionRow:
    """Runs one: claims, tables and figures as plain data."""
