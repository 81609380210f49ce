"""Meshes, distance fields and point shells against closed forms."""

import gc

import numpy as np
import pytest

from stiction import geometry


@pytest.fixture(scope="module")
def ball():
    return geometry.DistanceField(geometry.sphere(0.1, 5), 64)


def test_shapes_and_integrals():
    box = geometry.box([1, 2, 3])
    assert box.volume == pytest.approx(6) and box.area == pytest.approx(22) and box.closed
    assert np.array_equal(box.bounds[1], [0.5, 1, 1.5])
    mass, centre, inertia = box.mass_properties(2.0)
    assert mass == pytest.approx(12) and centre == pytest.approx([0, 0, 0], abs=1e-12)
    assert np.diag(inertia) == pytest.approx([13, 10, 5])
    assert geometry.cylinder(1, 2, 256).volume == pytest.approx(2 * np.pi, rel=1e-3)
    assert geometry.rounded_box([1, 1, 1], 0.2).volume < 1
    assert geometry.block_with_hole([1, 1, 1], 0.2).volume == pytest.approx(1 - np.pi * 0.04, rel=1e-2)
    assert geometry.corner(1, 0.1, 3).volume == pytest.approx(1.2 * 1.1 * 1.1 - 1)
    assert geometry.corner(1, 0.1, 2).closed and geometry.tube([[0, 0, 0], [0, 0, 1]], 0.1).closed
    moved = box.moved([1, 0, 0])
    assert moved.mass_properties(1.0)[1] == pytest.approx([1, 0, 0], abs=1e-12)
    turned = box.rotated([0, 0, 1], np.pi / 2)
    assert turned.bounds[1] == pytest.approx([1, 0.5, 1.5])
    both = box + box.moved([9, 0, 0])
    assert both.volume == pytest.approx(12) and len(both.triangles) == 2 * len(box.triangles)
    assert geometry.Mesh(box.vertices, box.triangles) == box and "triangles" in repr(box)


def test_files(tmp_path):
    ball = geometry.sphere(0.1, 3)
    for ending in ("stl", "ply"):
        ball.save(str(tmp_path / f"ball.{ending}"))
        mesh, report = geometry.load_mesh(str(tmp_path / f"ball.{ending}")).checked()
        assert mesh.volume == pytest.approx(ball.volume, rel=1e-5) and isinstance(report, str)
    assert "welded" in geometry.load_mesh(str(tmp_path / "ball.stl")).checked()[1]


def test_distances(ball):
    points = np.random.default_rng(0).normal(size=(500, 3))
    points *= (0.1 + np.random.default_rng(1).uniform(-0.008, 0.008, size=(500, 1))) / np.linalg.norm(points, axis=1)[:, None]
    value, gradient, exact = ball.at(points)
    truth = np.linalg.norm(points, axis=1) - 0.1
    assert exact.all() and np.abs(value - truth).max() < ball.spacing / 2
    assert np.einsum("ij,ij->i", gradient, points / np.linalg.norm(points, axis=1)[:, None]).min() > 0.9
    assert np.array_equal(ball.value(points), value) and ball.value(points[0]) == value[0]
    one, slope, certain = ball.at(points[0])
    assert one == value[0] and np.array_equal(slope, gradient[0]) and certain
    far = ball.value([0, 0, 0.5])
    assert 0 < far <= 0.4 and 0 <= ball.clearance([0, 0, 0.5]) <= 0.4 and ball.clearance(points[:5]).shape == (5,)
    assert np.isnan(ball.value([np.nan, 0, 0])) and ball.bytes > 1000 and ball.band > 0
    assert np.isnan(geometry.TriangleTree(geometry.box([1, 1, 1])).closest([np.nan, 0, 0])[0])
    distance, nearest = geometry.TriangleTree(geometry.sphere(0.1, 5)).closest(points)
    assert np.abs(distance - np.abs(truth)).max() < 1e-3 and nearest.shape == (500, 3)


def test_shell():
    shell = geometry.PointShell(geometry.sphere(0.1, 4), 500, 4)
    assert len(shell) == 500 and shell.positions.shape == shell.normals.shape == (500, 3)
    assert np.linalg.norm(shell.positions, axis=1) == pytest.approx(0.1, rel=1e-2)
    assert np.einsum("ij,ij->i", shell.positions, shell.normals).min() > 0.09
    assert (np.diff(shell.spacing) < 0).all() and shell.levels.max() == len(shell.spacing) - 1


def test_solids_and_scenes():
    solid = geometry.Solid.block([0.1, 0.1, 0.1]) - geometry.Solid.rod(0.02, 0.2)
    mesh = solid.meshed(0.004)
    assert mesh.volume == pytest.approx(1e-3 - np.pi * 0.02**2 * 0.1, rel=0.03)
    assert solid.distance([0, 0, 0]) == pytest.approx(0.02)
    joined = geometry.Solid.ball(0.05) + geometry.Solid.ball(0.05).moved([0.2, 0, 0]).rotated([0, 0, 1], np.pi)
    assert joined.distance([-0.2, 0, 0]) == pytest.approx(-0.05)
    pipe = geometry.Solid.pipe([[0, 0, 0], [0.1, 0, 0], [0.1, 0.2, 0]], 0.01)
    assert pipe.distance([0.05, 0, 0.03]) == pytest.approx(0.02) and pipe.distance([0.1, 0.1, 0]) == pytest.approx(-0.01)
    low, high = pipe.box
    np.testing.assert_allclose([low, high], [[-0.01, -0.01, -0.01], [0.11, 0.21, 0.01]])
    with pytest.raises(ValueError, match="radius"):
        geometry.Solid.pipe([[0, 0, 0], [1, 0, 0]], -1)
    assert (geometry.Solid.ball(0.05) & geometry.Solid.ball(0.05).moved([0.2, 0, 0])).distance([0, 0, 0]) > 0
    scene = geometry.scene("cube-and-corner")
    assert scene["fixed"].closed and scene["moving"].volume == pytest.approx(1e-3, rel=1e-2)
    assert scene["moving_at"].shape == (3,) and scene["shell_moves"] in (True, False)


def test_cache(tmp_path):
    mesh = geometry.sphere(0.1, 3)
    first = geometry.DistanceField(mesh, 32, 2, cache=tmp_path)
    assert list(tmp_path.iterdir())
    assert geometry.DistanceField(mesh, 32, 2, cache=tmp_path).value([0, 0, 0.1]) == first.value([0, 0, 0.1])
    shell = geometry.PointShell(mesh, 100, 3, cache=str(tmp_path))
    assert np.array_equal(geometry.PointShell(mesh, 100, 3, cache=str(tmp_path)).positions, shell.positions)


def test_fields_outlive_meshes():
    field = geometry.DistanceField(geometry.sphere(0.1, 3), 32, 2)
    tree = geometry.TriangleTree(geometry.sphere(0.1, 3))
    gc.collect()
    assert field.value([0, 0, 0]) < 0 < tree.closest([0, 0, 0])[0]


def wrong_calls():
    box = geometry.box([1, 1, 1])
    open_box = geometry.Mesh(box.vertices, box.triangles[:-1])
    return {
        "size": (ValueError, None, lambda: geometry.box([1, -1, 1])),
        "shape of a size": (ValueError, "size has shape", lambda: geometry.box([1, 1])),
        "index": (ValueError, r"triangles\[0, 2\] = 8: must be the index of one of 8 vertices", lambda: geometry.Mesh(box.vertices, [[0, 1, 8]])),
        "half an index": (ValueError, "= 0.5: must be the index", lambda: geometry.Mesh(box.vertices, [[0, 1, 0.5]])),
        "NaN index": (ValueError, "= nan: must be the index", lambda: geometry.Mesh(box.vertices, [[0, 1, np.nan]])),
        "huge index": (ValueError, "must be the index", lambda: geometry.Mesh(box.vertices, np.array([[0, 1, 2**63]], np.uint64))),
        "no triangles": (ValueError, "no triangles", lambda: geometry.Mesh(box.vertices, np.zeros((0, 3)))),
        "no vertices": (ValueError, "index of one of 0", lambda: geometry.Mesh(np.zeros((0, 3)), [[0, 1, 2]])),
        "nothing": (ValueError, "has shape", lambda: geometry.Mesh([], [])),
        "flat list": (ValueError, "triangles has shape", lambda: geometry.Mesh(box.vertices, [0, 1, 2])),
        "words": (TypeError, "vertices: must be", lambda: geometry.Mesh([["a", "b", "c"]], [[0, 0, 0]])),
        "complex": (TypeError, "vertices: must be", lambda: geometry.Mesh(box.vertices * 1j, box.triangles)),
        "NaN mesh": (ValueError, "vertex 0 is", lambda: geometry.Mesh(box.vertices * np.nan, box.triangles)),
        "far away": (ValueError, "within 1e\\+09 m", lambda: geometry.Mesh(box.vertices * 1e12, box.triangles)),
        "NaN offset": (ValueError, "offset = nan", lambda: box.moved([0, np.nan, 0])),
        "axis": (ValueError, "axis = 2: must be of length 1", lambda: box.rotated([0, 0, 2], 1)),
        "angle": (ValueError, "angle = inf", lambda: box.rotated([0, 0, 1], np.inf)),
        "walls": (ValueError, "walls = 4: must be 1, 2 or 3", lambda: geometry.corner(1, 0.1, 4)),
        "divisions": (ValueError, "divisions = 100000", lambda: geometry.box([1, 1, 1], 100000)),
        "half a point": (TypeError, "points: must be a whole number, not 10.5", lambda: geometry.PointShell(box, 10.5)),
        "NaN points": (TypeError, "points: must be a whole number, not nan", lambda: geometry.PointShell(box, np.nan)),
        "NaN levels": (TypeError, "levels: must be a whole number, not nan", lambda: geometry.PointShell(box, 10, np.nan)),
        "no levels": (ValueError, "levels = 0", lambda: geometry.PointShell(box, 10, 0)),
        "NaN resolution": (ValueError, "resolution = nan", lambda: geometry.DistanceField(box, np.nan)),
        "band": (ValueError, "band = 5", lambda: geometry.DistanceField(box, 64, 5)),
        "places": (ValueError, "points has shape", lambda: geometry.DistanceField(box, 32, 2).value(np.zeros((2, 2)))),
        "pipe": (ValueError, "path = nan", lambda: geometry.Solid.pipe([[0, 0, 0], [np.nan, 0, 0]], 0.1)),
        "negative index": (ValueError, "index", lambda: geometry.Mesh(box.vertices, [[0, 1, -1]])),
        "vertices": (ValueError, "vertices has shape", lambda: geometry.Mesh(np.zeros((3, 2)), [[0, 1, 2]])),
        "not closed": (ValueError, None, lambda: geometry.DistanceField(open_box, 32, 2)),
        "check": (ValueError, None, lambda: open_box.checked()),
        "NaN vertex": (ValueError, None, lambda: geometry.Mesh(box.vertices * np.nan, box.triangles).checked()),
        "resolution": (ValueError, "resolution", lambda: geometry.DistanceField(box, 3)),
        "points": (ValueError, "points", lambda: geometry.PointShell(box, -5)),
        "empty": (ValueError, None, lambda: geometry.PointShell(geometry.Mesh(np.zeros((3, 3)), [[0, 1, 2]]), 10)),
        "where": (ValueError, "points has shape", lambda: geometry.TriangleTree(box).closest([1, 2])),
        "file": (OSError, "nothing.stl", lambda: geometry.load_mesh("nothing.stl")),
        "ending": ((ValueError, OSError), None, lambda: box.save("box.txt")),
        "folder": (OSError, "cannot write", lambda: box.save("/nowhere/at/all/box.stl")),
        "scene": (ValueError, "there is no scene", lambda: geometry.scene("kitchen")),
        "density": (ValueError, "density", lambda: box.mass_properties(-1)),
        "spacing": (ValueError, None, lambda: geometry.Solid.ball(1).meshed(-1)),
    }


@pytest.mark.parametrize("case", wrong_calls())
def test_wrong_input_is_an_exception(case):
    kind, message, call = wrong_calls()[case]
    with pytest.raises(kind, match=message):
        call()
