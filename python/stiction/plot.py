"""Plots in one style, with matplotlib. Nothing else of the package imports this module.

Every function returns the matplotlib figure; where `axes` is given, it draws there and returns the figure of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from cycler import cycler  # of matplotlib
    from matplotlib import pyplot
except ImportError as error:  # pragma: no cover: depends on what is installed
    raise ImportError("stiction.plot needs matplotlib (pip install matplotlib; Debian: python3-matplotlib)") from error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .identification import Fit
    from .reproduction import Reproduction

__all__ = ["STYLE", "fit", "force_curve", "limit_surface", "reproduction", "trajectory"]

#: The style of all plots, as matplotlib's parameters.
STYLE: dict[Any, Any] = {
    "figure.figsize": (7.2, 4.4),
    "figure.constrained_layout.use": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=["#1b4965", "#c8553d", "#588157", "#8d6a9f", "#e09f3e", "#5f6c7b"]),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "lines.linewidth": 1.4,
    "legend.frameon": False,
    "font.size": 10,
    "svg.hashsalt": "stiction",
}
_UNITS = {"time": "s", "position": "m", "velocity": "m/s", "friction": "N", "load": "N", "x": "m", "y": "m", "angle": "rad",
          "vx": "m/s", "vy": "m/s", "spin": "rad/s", "fx": "N", "fy": "N", "torque": "N m", "normal_force": "N",
          "bristle": "m"}


def _label(name: str) -> str:
    return f"{name} [{_UNITS[name]}]" if name in _UNITS else name


def trajectory(columns: Mapping[str, NDArray[np.float64]], names: Sequence[str] = ()) -> Any:
    """Columns of a simulation over its time, one panel for each name; without names all but the states of the model."""
    shown = list(names) or [name for name in columns if name != "time" and name in _UNITS and name != "bristle"]
    for name in shown:
        if name not in columns:
            raise ValueError(f"there is no column '{name}'; there are {', '.join(columns)}")
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(len(shown), 1, sharex=True, squeeze=False,
                                       figsize=(7.2, 1.0 + 1.5 * len(shown)))
        for axis, name in zip(axes[:, 0], shown):
            axis.plot(columns["time"], columns[name])
            axis.set_ylabel(_label(name))
        axes[-1, 0].set_xlabel("time [s]")
    return figure


def force_curve(models: Any, velocity: ArrayLike, axes: Any = None) -> Any:
    """Friction after sliding for long over the velocity [m/s], of one scalar model or several."""
    several = models if isinstance(models, (list, tuple)) else [models]
    velocity = np.asarray(velocity, float)
    with pyplot.rc_context(STYLE):
        axes = pyplot.subplots()[1] if axes is None else axes
        for model in several:
            states = model.states(velocity.size)
            force = np.zeros(velocity.size)
            for k in range(60):  # each step longer than the last: the state settles, whatever its time
                force, states = model.step(states, velocity, 1e-4 * 1.3**k)
            axes.plot(velocity, force, label=model.name)
        axes.set_xlabel("velocity [m/s]")
        axes.set_ylabel("friction [N]")
        if len(several) > 1:
            axes.legend()
    return axes.figure


def limit_surface(patch: Any, friction: float = 1.0, axes: Any = None, azimuth: int = 72, elevation: int = 36) -> Any:
    """The limit surface of a patch in 3-D: all wrenches of sliding, for friction = mu f_N [N]."""
    _, wrenches = patch.limit_surface(azimuth, elevation)
    closed = np.concatenate([wrenches, wrenches[:, :1]], axis=1) * friction
    with pyplot.rc_context({**STYLE, "figure.figsize": (5.6, 5.2)}):
        if axes is None:
            axes = pyplot.figure().add_subplot(projection="3d")
        axes.plot_surface(closed[..., 0], closed[..., 1], closed[..., 2], rstride=1, cstride=1, cmap="cividis",
                          linewidth=0, alpha=0.85)
        axes.set_xlabel("f_x [N]")
        axes.set_ylabel("f_y [N]")
        axes.set_zlabel("torque [N m]")
    return axes.figure


def fit(result: Fit, axes: Any = None) -> Any:
    """What an identification measured and what its model predicts, a panel for each signal, and the steady friction."""
    panels = len(result.channels) + (1 if len(result.steady) else 0)
    with pyplot.rc_context(STYLE):
        if axes is None:
            axes = pyplot.subplots(max(panels, 1), 1, squeeze=False, figsize=(7.2, 1.0 + 2.0 * max(panels, 1)))[1][:, 0]
        axes = np.atleast_1d(axes)
        for axis, channel in zip(axes, result.channels):
            axis.plot(channel["time"], channel["measured"], label="measured", color="#5f6c7b", linewidth=0.8)
            axis.plot(channel["time"], channel["predicted"], label=result.name)
            axis.set_title(channel["recording"], fontsize=9)
            axis.set_xlabel("time [s]")
            axis.set_ylabel(channel["quantity"])
            axis.legend()
        if len(result.steady):
            velocity, torque, _, predicted, used = result.steady.T
            order = np.argsort(velocity)
            axes[-1].plot(velocity, torque, ".", label="measured", color="#5f6c7b")
            axes[-1].plot(velocity[order], predicted[order], label=result.name)
            if (used == 0).any():
                axes[-1].plot(velocity[used == 0], torque[used == 0], "x", label="not used")
            axes[-1].set_xlabel("velocity")
            axes[-1].set_ylabel("steady friction")
            axes[-1].legend()
    return axes[0].figure


def reproduction(result: Reproduction) -> list[Any]:
    """The figures of an experiment."""
    styles = {"lines": "-", "points": ".", "linespoints": ".-"}
    figures = []
    with pyplot.rc_context(STYLE):
        for drawing in result.figures:
            figure, axis = pyplot.subplots()
            for series in drawing["series"]:
                columns = list(result.tables[series["table"]].values())
                plot = axis.step if series["style"] == "steps" else axis.plot
                arguments = [] if series["style"] == "steps" else [styles.get(series["style"], "-")]
                plot(columns[series["x"]], columns[series["y"]], *arguments, label=series["label"])
            axis.set_title(drawing["title"])
            axis.set_xlabel(drawing["x_label"])
            axis.set_ylabel(drawing["y_label"])
            if drawing["x_log"]:
                axis.set_xscale("log")
            if drawing["y_log"]:
                axis.set_yscale("log")
            if any(series["label"] for series in drawing["series"]):
                axis.legend()
            figures.append(figure)
    return figures
