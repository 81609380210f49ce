"""Plots: that what is drawn is what was computed, and that nothing is imported before it is asked for."""

import subprocess
import sys

import numpy as np
import pytest

import stiction
from stiction import planar, scalar, sim

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")
from stiction import plot  # noqa: E402

SERVO = scalar.preset("olsson-1998-table2")


@pytest.fixture(autouse=True)
def closed():
    yield
    matplotlib.pyplot.close("all")


def test_matplotlib_is_not_imported_by_the_package():
    code = "import sys, stiction; assert 'matplotlib' not in sys.modules and 'mujoco' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_trajectory():
    run = sim.body(SERVO, 0.0023, 0.1, force=0.1)
    figure = plot.trajectory(run, ["position", "friction"])
    assert len(figure.axes) == 2 and np.array_equal(figure.axes[1].lines[0].get_ydata(), run["friction"])
    assert figure.axes[0].get_ylabel() == "position [m]"
    with pytest.raises(ValueError, match="there is no column 'colour'"):
        plot.trajectory(run, ["colour"])


def test_force_curve():
    v = np.linspace(0.001, 0.1, 30)
    figure = plot.force_curve([SERVO, scalar.preset("table2-stribeck")], v)
    lines = figure.axes[0].lines
    np.testing.assert_allclose(lines[0].get_ydata(), [SERVO.steady_force(x) for x in v], rtol=1e-6)
    np.testing.assert_allclose(lines[0].get_ydata(), lines[1].get_ydata(), rtol=1e-3)


def test_limit_surface():
    figure = plot.limit_surface(planar.Patch.paper("square", 11), 2.0)
    assert figure.axes[0].name == "3d" and figure.axes[0].get_zlabel() == "torque [N m]"
    assert figure.axes[0].get_xlim()[1] >= 2.0 * 0.99


def test_fit(tmp_path):
    v = np.linspace(0.01, 0.5, 30)
    result = stiction.identify({"velocity": v, "torque": 1 + 0.4 * v + np.exp(-((v / 0.05) ** 2))}, "stribeck", held_out=False)
    figure = result.plot()
    assert np.array_equal(figure.axes[-1].lines[0].get_xdata(), v)
    figure.savefig(tmp_path / "fit.svg")
    assert (tmp_path / "fit.svg").stat().st_size > 1000


def test_reproduction():
    result = stiction.reproduce("scalar/fig03", quick=True)
    figures = result.plot()
    assert len(figures) == len(result.figures) > 0 and figures[0].axes[0].lines


def test_reproduction_draws_the_figures_of_an_experiment():
    result = stiction.reproduce("scalar/fig03", quick=True)
    figures = plot.reproduction(result)
    assert len(figures) == len(result.figures) > 0
    series = result.figures[0]["series"]
    lines = figures[0].axes[0].lines
    assert len(lines) == len(series)
    columns = list(result.tables[series[0]["table"]].values())
    assert np.array_equal(lines[0].get_ydata(), columns[series[0]["y"]])
    assert set(plot.STYLE) <= set(matplotlib.rcParams)
