"""The published figures and tables, computed, with claims that compare them.

>>> import stiction
>>> figure = stiction.reproduce("scalar/fig03", quick=True)
>>> figure.ok
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._core import lab as _lab
from ._values import table, value
from .results import Figure

__all__ = ["Claim", "Experiment", "Reproduction", "experiments", "reproduce"]


@value
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
    expect: Literal["reproduced", "refuted", "info"]
    reason: str
    ok: bool


@value
@dataclass(frozen=True)
class Experiment:
    """What `reproduce` can be asked for."""

    id: str
    title: str
    source: str


@value
@dataclass(frozen=True, eq=False, repr=False)
class Reproduction:
    """What an experiment computed: tables of named columns, and claims."""

    id: str
    title: str
    source: str
    claims: list[Claim]
    tables: dict[str, dict[str, npt.NDArray[np.float64] | list[str]]]
    figures: list[Figure]
    notes: str

    def __repr__(self) -> str:
        return table(f"{self.id}: {self.title}", {claim.name: f"{claim.measured:.6g} {claim.unit}, published {claim.published:.6g}"
                                                 + ("" if claim.ok else ": not as expected") for claim in self.claims})

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
    return Reproduction(id=row["id"], title=row["title"], source=row["source"], claims=[Claim(**claim) for claim in row["claims"]],
                        tables=row["tables"], figures=row["figures"], notes=row["notes"])
