"""The published figures and tables, computed, with claims that compare them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._core import lab as _lab

__all__ = ["Claim", "Experiment", "Reproduction", "experiments", "reproduce"]


@dataclass(frozen=True)
class Claim:
    """A published number beside the computed one."""

    name: str
    source: str
    published: float
    measured: float
    unit: str
    relation: str
    tolerance: float
    holds: bool
    expect: str
    reason: str
    ok: bool


@dataclass(frozen=True)
class Experiment:
    """What `reproduce` can be asked for."""

    id: str
    title: str
    source: str


@dataclass(frozen=True)
class Reproduction:
    """What an experiment computed: tables of named columns, and claims."""

    id: str
    title: str
    source: str
    claims: list[Claim]
    tables: dict[str, dict[str, np.ndarray]] = field(repr=False)
    figures: list[dict[str, Any]] = field(repr=False)
    notes: str = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether every claim turned out as expected."""
        return all(claim.ok for claim in self.claims)

    def plot(self) -> Any:
        """The figures; see stiction.plot.reproduction."""
        from . import plot

        return plot.reproduction(self)


def experiments() -> list[Experiment]:
    """All experiments, in the order of the report."""
    return [Experiment(**row) for row in _lab.experiments()]


def reproduce(id: str, quick: bool = False, progress: Callable[[float], None] | None = None) -> Reproduction:
    """Runs an experiment, e.g. "scalar/fig03", and returns its data and claims. `quick` lowers its resolution."""
    row = _lab.reproduce(id, quick, progress)
    return Reproduction(**{**row, "claims": [Claim(**claim) for claim in row["claims"]]})
