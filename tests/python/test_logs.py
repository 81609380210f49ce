"""Logs from files and frames of other tools."""

import struct
import sys
import types

import numpy as np
import pytest

import stiction
from stiction import _logs, identification

T = np.arange(0, 10, 5e-3)
MOTION = {"t": T, "q": np.sin(T), "dq": np.cos(T), "tau": 0.3 * np.sign(np.cos(T)) + 0.1 * np.cos(T)}


def assert_motion(log, **options):
    (recording,), sweeps, notes = identification.read_log(log, **options)
    assert not sweeps and any("torque: " in note for note in notes)
    np.testing.assert_allclose(recording["time"], T, atol=1e-6)
    np.testing.assert_allclose(recording["position"], MOTION["q"], atol=1e-12)
    np.testing.assert_allclose(recording["torque"], MOTION["tau"], atol=1e-12)


def test_mappings_arrays_and_files(tmp_path):
    assert_motion(MOTION)
    assert_motion({**MOTION, "label": np.array(["run"] * T.size), "gain": 3.0})
    assert_motion(np.array(list(zip(*MOTION.values())), dtype=[(name, float) for name in MOTION]))
    np.savez(tmp_path / "log.npz", **MOTION, version=3)
    assert_motion(tmp_path / "log.npz")
    lines = ["time;actual position [deg];i_q [A]"] + [
        f"{t:.15g};{np.degrees(q):.15g};{tau / 0.2:.15g}".replace(".", ",") for t, q, tau in zip(T, MOTION["q"], MOTION["tau"])]
    (tmp_path / "log.txt").write_text("\n".join(lines))
    assert_motion(tmp_path / "log.txt", columns={"current": "i_q [A]"}, torque_constant=0.2)


def test_joints_of_a_matrix():
    table = {"time": T, "q": np.c_[T, MOTION["q"]], "tau": np.c_[T, MOTION["tau"]]}
    assert_motion(table, columns={"torque": "tau_2"})
    with pytest.raises(ValueError, match="could be tau_1, tau_2"):
        identification.read_log(table)


def test_times_of_frames():
    class Frame:
        columns = ["stamp", "q", "tau"]

        def __getitem__(self, key):
            return np.datetime64("2026-05-01") + (1e9 * T).astype("m8[ns]") if key == "stamp" else MOTION[key]

    assert_motion(Frame())


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library):
    module = pytest.importorskip(library)
    assert_motion(module.DataFrame(MOTION))


def test_parquet(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pandas.DataFrame(MOTION).to_parquet(tmp_path / "log.parquet")
    assert_motion(tmp_path / "log.parquet")


def cdr(time, names, *parts):
    """A JointState as ROS 2 serialises it."""
    data = bytearray(b"\0\1\0\0")

    def put(kind, size, value):
        data.extend(b"\0" * (-(len(data) - 4) % size) + struct.pack("<" + kind, value))

    def text(value):
        put("I", 4, len(value) + 1)
        data.extend(value.encode() + b"\0")

    put("i", 4, int(time))
    put("I", 4, round(1e9 * (time - int(time))))
    text("base")
    put("I", 4, len(names))
    for name in names:
        text(name)
    for part in parts:
        put("I", 4, len(part))
        for item in part:
            put("d", 8, item)
    return bytes(data)


def test_joint_states(tmp_path, monkeypatch):
    messages = [cdr(1.7e9 + t, ["shoulder", "elbow"], [t, q], [1, v], [0.5, tau])
                for t, q, v, tau in zip(*MOTION.values())]
    time, names, parts = _logs.joint_state(messages[3])
    assert time == pytest.approx(1.7e9 + T[3], abs=1e-6) and names == ["shoulder", "elbow"]
    assert parts[0] == (T[3], MOTION["q"][3]) and parts[2] == (0.5, MOTION["tau"][3])
    # The package mcap is not needed to know what is done with what it reads.
    schema = types.SimpleNamespace(name="sensor_msgs/msg/JointState")
    reader = types.SimpleNamespace(iter_messages=lambda: [
        (schema, None, types.SimpleNamespace(data=data, log_time=0)) for data in messages])
    module = types.ModuleType("mcap.reader")
    module.make_reader = lambda stream: reader
    monkeypatch.setitem(sys.modules, "mcap", types.ModuleType("mcap"))
    monkeypatch.setitem(sys.modules, "mcap.reader", module)
    (tmp_path / "log.mcap").write_bytes(b"")
    assert_motion(tmp_path / "log.mcap", columns={"joint": "elbow"})
    assert len(identification.read_log(tmp_path / "log.mcap")[0]) == 2
    with pytest.raises(ValueError, match="no joint 'wrist'; there are shoulder, elbow"):
        identification.read_log(tmp_path / "log.mcap", columns={"joint": "wrist"})
    with pytest.raises(ValueError, match="several joints"):
        identification.inspect(tmp_path / "log.mcap")
    messages[5] = messages[5][:70]
    with pytest.raises(ValueError, match="JointState is damaged"):
        identification.read_log(tmp_path / "log.mcap")


def test_formats_that_need_a_package_say_which(tmp_path, monkeypatch):
    for name, missing, text in (("log.mcap", "mcap.reader", "needs the package mcap"), ("log.parquet", "pyarrow.parquet", "needs pyarrow or pandas")):
        monkeypatch.setitem(sys.modules, missing, None)
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(ImportError, match=text):
            identification.read_log(tmp_path / name)


def test_inspect():
    found = identification.inspect(MOTION)
    assert found["clock"]["interval"] == pytest.approx(5e-3) and found["clock"]["position_over_velocity"] == pytest.approx(1, abs=1e-3)
    assert found["linear_fit"]["coulomb"] == pytest.approx(0.3, abs=2e-3) and found["linear_fit"]["viscous"] == pytest.approx(0.1, abs=2e-3)
    assert {row["effect"]: row["supported"] for row in found["support"]}["Coulomb friction"]
    assert found["velocity"].shape == found["torque"].shape == T.shape
    assert set(found["signals"]) == {"position", "velocity", "torque"}
    assert not identification.inspect({"t": T, "q": MOTION["q"]})["support"][0]["supported"]


@pytest.mark.parametrize("bad, message", [({}, "no columns of numbers"), ({"t": ["a", "b"]}, "no columns of numbers"),
                                          ({"alpha": T}, "no column that is recognised")])
def test_what_is_no_log(bad, message):
    with pytest.raises(ValueError, match=message):
        identification.inspect(bad)
    with pytest.raises(TypeError, match="log: must be a path"):
        identification.inspect(3)


def test_identify_takes_frames_with_the_names_of_a_robot():
    v = np.concatenate([np.geomspace(1e-3, 1, 30), -np.geomspace(1e-3, 1, 30)])
    friction = np.sign(v) * (1 + 0.5 * np.exp(-((v / 0.02) ** 2))) + 0.4 * v + 1e-3 * np.cos(2.5 * np.arange(60))
    table = np.array(list(zip(v, friction)), dtype=[("joint_velocity", float), ("joint_effort", float)])
    fit = stiction.identify(table, "stribeck", held_out=False)
    assert fit.parameters["coulomb_force"] == pytest.approx(1, rel=0.05)
