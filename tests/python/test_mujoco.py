"""The bridge to MuJoCo: its core here, and the whole of it where the mujoco wheel is installed."""

import numpy as np
import pytest

from stiction import planar, scalar

ARM = """<mujoco><option timestep="0.001" integrator="Euler"/><worldbody><body>
<joint name="shoulder" type="hinge" axis="0 1 0" {}/>
<geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01" mass="0.5" contype="0" conaffinity="0"/>
</body></worldbody></mujoco>"""
SLOPE = """<mujoco><compiler angle="degree"/><option timestep="0.001"/><worldbody>
<geom name="floor" type="plane" size="5 5 0.1" euler="0 {0} 0" condim="1"/>
<body pos="{1} 0 {2}" euler="0 {0} 0"><freejoint/>
<geom name="box" type="box" size="0.05 0.05 0.05" mass="1" condim="1"/></body></worldbody></mujoco>"""
GRIPPER = """<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody>
<body pos="-0.03 0 0"><joint name="left" type="slide" axis="1 0 0"/><geom type="box" size="0.01 0.02 0.02" mass="0.2" condim="1"/></body>
<body pos="0.03 0 0"><joint name="right" type="slide" axis="1 0 0"/><geom type="box" size="0.01 0.02 0.02" mass="0.2" condim="1"/></body>
<body><joint type="slide" axis="1 0 0"/><geom type="box" size="0.02 0.02 0.02" mass="0.1" condim="1"/></body>
</worldbody></mujoco>"""
RUBBER = planar.Friction(stiffness=2e4, damping=100, coulomb=0.5, static_level=0.5, stribeck_velocity=1e-3)
LUGRE = scalar.LuGre(stiffness=5e3, damping=5, coulomb_force=0.8, static_force=1.0, stribeck_velocity=0.01, viscous=0.05)


def wheel():
    return pytest.importorskip("mujoco", reason="the mujoco wheel is not installed (pip install mujoco)")


def slope(mujoco, degrees):
    angle = np.radians(degrees)
    return mujoco.MjModel.from_xml_string(SLOPE.format(degrees, 0.05 * np.sin(angle), 0.05 * np.cos(angle)))


def test_normals_are_held():
    random = np.random.default_rng(3)
    for n in (0, 1, 3, 8):
        jacobian = random.normal(size=(3 + n, 6))  # more rows than degrees of freedom: the contacts are redundant
        jacobian[3:, :2] = 0
        w, free = jacobian @ jacobian.T, random.normal(size=3 + n)
        free[3:] = jacobian[3:] @ random.normal(size=6)
        held = np.linalg.pinv(w[3:, 3:], rcond=1e-6) @ np.column_stack([w[3:, :3], free[3:]])
        twist, mobility = planar.hold_normals(w, free)
        np.testing.assert_allclose(twist, free[:3] - w[:3, 3:] @ held[:, 3], atol=1e-6)
        np.testing.assert_allclose(mobility, w[:3, :3] - w[:3, 3:] @ held[:, :3], atol=1e-6)
    with pytest.raises(ValueError, match=r"w has shape \(3, 3\)"):
        planar.hold_normals(np.eye(3), np.zeros(4))


def test_joint_is_held_for_a_hundred_seconds(capsys):
    mujoco = wheel()
    from stiction.mujoco import MujocoFriction

    def creep(xml, make):
        model = mujoco.MjModel.from_xml_string(xml)
        data = mujoco.MjData(model)
        step = make(model, data)
        for _ in range(1000):
            step()
        start = data.qpos[0]
        for _ in range(100_000):
            step()
        return abs(data.qpos[0] - start)

    def ours(friction):
        def make(model, data):
            bridge = MujocoFriction(model, {"shoulder": friction})
            bridge.rest(data)
            return lambda: bridge.step(data)

        return make

    lugre = creep(ARM.format(""), ours(LUGRE))
    coulomb = creep(ARM.format(""), ours(scalar.Coulomb(coulomb_force=1)))
    theirs = creep(ARM.format('frictionloss="1"'), lambda model, data: lambda: mujoco.mj_step(model, data))
    motor = ARM.format("").replace("</mujoco>", '''<actuator><dcmotor joint="shoulder" motorconst="1e-6 1e-6"
        resistance="1" lugre="5000 5 0.8 1.0 0.01"/></actuator></mujoco>''')
    try:
        of_motor = f"{creep(motor, lambda model, data: lambda: mujoco.mj_step(model, data)):.3g} rad"
    except ValueError:
        of_motor = "not in this version"
    with capsys.disabled():
        print(f"\ncreep in 100 s at 1 ms: Coulomb {coulomb:.3g} rad, LuGre {lugre:.3g} rad, "
              f"MuJoCo {mujoco.__version__} frictionloss {theirs:.3g} rad, its motor with LuGre friction {of_motor}")
    assert lugre < 1e-9 and coulomb < 1e-12 and theirs > 1e-6


def test_box_on_a_slope():
    mujoco = wheel()
    from stiction.mujoco import MujocoFriction

    def run(degrees, steps):
        model = slope(mujoco, degrees)
        data = mujoco.MjData(model)
        bridge = MujocoFriction(model, contacts={("box", "floor"): (RUBBER, planar.Patch.rectangle(0.1, 0.1))})
        for _ in range(500):
            bridge.step(data)
        start = data.qpos[:3].copy()
        for _ in range(steps):
            bridge.step(data)
        assert bridge.contacts[0].normal_force == pytest.approx(9.81 * np.cos(np.radians(degrees)), abs=0.1)
        return np.linalg.norm(data.qpos[:3] - start), np.linalg.norm(data.qvel[:3])

    assert run(20, 3000)[0] < 1e-6
    angle = np.radians(35)
    acceleration = 9.81 * (np.sin(angle) - 0.5 * np.cos(angle))
    assert run(35, 1000)[1] == pytest.approx(1.5 * acceleration, rel=0.05)


@pytest.mark.parametrize("friction", [scalar.Coulomb(coulomb_force=2),
                                      scalar.LuGre(stiffness=1e5, damping=100, coulomb_force=2, static_force=2,
                                                   stribeck_velocity=0.01)], ids=["coulomb", "lugre"])
def test_gripper_holds_what_it_squeezes(friction):
    mujoco = wheel()
    from stiction.mujoco import MujocoFriction

    def drift(push):
        model = mujoco.MjModel.from_xml_string(GRIPPER)
        data = mujoco.MjData(model)
        bridge = MujocoFriction(model, {"left": friction, "right": friction})
        data.qfrc_applied[:] = [10, -10, push]
        for _ in range(1000):
            bridge.step(data)
        start = data.qpos[2]
        for _ in range(2000):
            bridge.step(data)
        return (data.qpos[2] - start) / 2

    assert abs(drift(1)) < 1e-5  # without the constraint forces in the load: 0.045 m/s
    assert drift(5) == pytest.approx(2 * (5 - 4) / 0.5, abs=0.2)


def test_what_it_cannot_do():
    mujoco = wheel()
    from stiction.mujoco import MujocoFriction

    arm = mujoco.MjModel.from_xml_string(ARM.format('frictionloss="1"'))
    with pytest.raises(ValueError, match="frictionloss of its own"):
        MujocoFriction(arm, {"shoulder": LUGRE})
    with pytest.raises(ValueError, match="there is no joint 'elbow'"):
        MujocoFriction(arm, {"elbow": LUGRE})
    with pytest.raises(ValueError, match="neither a hinge"):
        MujocoFriction(slope(mujoco, 10), {0: LUGRE})
    with pytest.raises(ValueError, match="condim must be 1"):
        MujocoFriction(arm, contacts={(0, 0): (RUBBER, planar.Patch.rectangle(0.1, 0.1))})
    model = mujoco.MjModel.from_xml_string(ARM.format(""))
    data = mujoco.MjData(model)
    bridge = MujocoFriction(model, {"shoulder": LUGRE})
    data.qfrc_applied[0] = -0.1
    bridge.step(data)
    assert data.qfrc_applied[0] == -0.1 and bridge.joint_forces.shape == (1,)
    bridge.add_passive(data)
