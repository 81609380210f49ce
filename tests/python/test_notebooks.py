"""The notebooks run from top to bottom: their code cells, one after the other, in one namespace. No Jupyter is needed."""

import json

import pytest
from conftest import SOURCE

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")
NOTEBOOKS = sorted(SOURCE.glob("examples/notebooks/*.ipynb"))


def test_there_are_three():
    assert [path.name[:2] for path in NOTEBOOKS] == ["03", "04", "05"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    names = {}
    for number, cell in enumerate(notebook["cells"]):
        assert not cell.get("outputs"), f"cell {number} has outputs: clear them before it is kept"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
    matplotlib.pyplot.close("all")
