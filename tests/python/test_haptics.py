"""Haptic scenes against what the forces must be, and what cannot be used."""

import threading

import numpy as np
import pytest

from stiction import geometry, haptics

SCENE = """
[moving]
mesh = "{folder}/cube.ply"
points = 400
levels = 5
[[fixed]]
mesh = "{folder}/plate.ply"
resolution = 64
friction = 0.5
[hand]
poses = [[0, 0, 0, 0.022], [0.1, 0, 0, 0.015], [0.4, 0, 0, 0.015], [1.2, 0.02, 0, 0.015]]
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    geometry.box([0.04, 0.04, 0.04], 4).save(str(folder / "cube.ply"))
    geometry.box([0.2, 0.2, 0.02], 4).moved([0, 0, -0.01]).save(str(folder / "plate.ply"))
    (folder / "scene.toml").write_text(SCENE.format(folder=folder))
    return haptics.Scene(folder / "scene.toml", cache=folder / "cache"), folder


def test_run_gives_the_force_of_the_coupling(scene):
    run = scene[0].run()
    assert scene[0].duration == 1.2 and run["time"].shape == (1200,) and run["coupling"].shape == (1200, 6)
    force = 500 * (run["hand_position"] - run["position"])
    held = np.abs(run["quaternion"][:, 0]) > 0.99999999
    assert np.allclose(run["coupling"][held, :3], force[held], atol=1e-3)
    assert run["phase"][0] == 0 and run["phase"][390] == 1 and run["phase"][-1] == 2
    # Coulomb while it slides
    assert -run["output"][-1, 0] / run["output"][-1, 2] == pytest.approx(0.5, abs=0.01)
    assert np.array_equal(scene[0].run()["coupling"], run["coupling"])
    assert scene[0].run(0.1, every=10)["time"].shape == (10,)


def test_a_stepped_renderer_gives_the_same_bits(scene):
    run = scene[0].run(0.5)
    renderer = scene[0].renderer()
    for k in range(500):
        cycle = renderer.step(run["hand_position"][k], run["hand_quaternion"][k], forces=False)
        assert np.array_equal(cycle["coupling"], run["coupling"][k])
    cycle = renderer.step(run["hand_position"][-1])
    contacts = renderer.contacts()
    assert len(contacts["depth"]) == cycle["contacts"] > 20
    assert contacts["depth"].max() == cycle["deepest"]
    assert (contacts["normal"][:, 2] > 0.9).all()
    renderer.reset_pose([0, 0, 0.1])
    assert renderer.step([0, 0, 0.1])["phase"] == "free"


def test_a_renderer_keeps_its_scene():
    renderer = haptics.Scene("peg-and-hole").renderer()  # the scene has no other owner
    assert renderer.step([0, 0, 0.04])["phase"] in ("free", "held", "slides")
    assert "peg-and-hole" in haptics.built_in_scenes()


def test_insertability():
    scene = haptics.Scene(text='built_in = "peg-and-hole"\n[hand]\nposes = [[0, 0, 0, 0.046], [1, 0, 0, 0.01]]\n')
    found = scene.insertability(tolerance=0.004, max_friction=4, sweep=3, resolution=1)
    assert found["insertable"] >= 0
    assert [t["friction"] for t in found["trials"]] == sorted(t["friction"] for t in found["trials"])


def test_bad_input(scene):
    for arguments, says in [
        (dict(source="nowhere.toml"), "nowhere.toml"),
        (dict(text='built_in = "dor"'), "did you mean 'door'"),
        (dict(text=""), "moving"),
        (dict(text='built_in = "door"\n[render]\nmax_contacts = nan'), "max_contacts"),
        (dict(), "exactly one"),
        (dict(source="door", text="x"), "exactly one"),
    ]:
        with pytest.raises((ValueError, OSError), match=says):
            haptics.Scene(**arguments)
    renderer = scene[0].renderer()
    for arguments, says in [(([0, 0],), "position"), (([0, 0, np.nan],), "finite"), (([0, 0, 0], [1, 1, 0, 0]), "length is 1.41"),
                            (([0, 0, 0], [1, 0, 0]), "quaternion")]:
        with pytest.raises(ValueError, match=says):
            renderer.step(*arguments)
    for arguments, says in [((0,), "duration"), ((float("nan"),), "duration"), ((1, 0), "every")]:
        with pytest.raises(ValueError, match=says):
            scene[0].run(*arguments)
    assert renderer.step([1e300, 0, 0])["phase"] != "fault"  # no place for a hand: it is where it was
    with pytest.raises(ValueError, match="resolution"):
        scene[0].insertability(resolution=0)
    with pytest.raises(ValueError, match="tolerance"):
        scene[0].insertability(tolerance=-1)


def test_threads_that_share_a_renderer_are_told(scene):
    renderer = scene[0].renderer()
    errors = []

    def work():
        for _ in range(3000):
            try:
                renderer.step([0, 0, 0.015])
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("renderer" in error for error in errors)
