"""Stiction's friction in a running MuJoCo model, with the `mujoco` wheel: scalar models in joints, patches in contacts.

    friction = MujocoFriction(model, joints={"shoulder": scalar.LuGre(...)})
    friction.rest(data)
    while data.time < 10:
        friction.step(data)   # instead of mujoco.mj_step(model, data)

In each step it runs mj_step1 and mj_fwdActuation, reads bias, passive, applied and actuator forces, the constraint forces
of the last step and the mobility of joints and contacts, solves body and friction together, writes the friction into
qfrc_applied, runs mj_step2, and gives qfrc_applied back as it was. Set the frictionloss of these joints to 0 and the condim of these geoms to 1, so that there
is one friction. The integrator must be Euler's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import planar as _planar
from ._core import scalar as _scalar

try:
    import mujoco as _mujoco
except ImportError as error:  # pragma: no cover: depends on what is installed
    raise ImportError("stiction.mujoco needs the mujoco wheel (pip install mujoco); the bridge for C++ is in "
                      "integrations/mujoco") from error

__all__ = ["MujocoFriction"]

Array = npt.NDArray[np.float64]


def _id(model: Any, kind: Any, name: str | int, what: str) -> int:
    number = name if isinstance(name, int) else _mujoco.mj_name2id(model, kind, name)
    count = model.njnt if kind == _mujoco.mjtObj.mjOBJ_JOINT else model.ngeom
    if not 0 <= number < count:
        raise ValueError(f"there is no {what} {name!r}")
    return number


class _Contact:
    """A patch that `geom` carries over `other`."""

    def __init__(self, geom: int, other: int, friction: _planar.Friction, patch: _planar.Patch):
        self.geom, self.other = geom, other
        self.patch = _planar.Reduced(friction, patch)
        self.normal_force = 0.0
        self.reset()

    def reset(self) -> None:
        """As after the contact was lost."""
        self.state, self.twist, self.wrench = np.zeros(3), np.zeros(3), np.zeros(3)


class MujocoFriction:
    """Friction of chosen joints and contacts of a model; `step` replaces mj_step."""

    def __init__(self, model: Any, joints: Mapping[str | int, _scalar.Model] | None = None,
                 contacts: Mapping[tuple[str | int, str | int], tuple[_planar.Friction, _planar.Patch]] | None = None):
        """`joints`: scalar models by hinges or slides; `contacts`: (friction, patch) by pairs of geoms, the first of
        which carries the patch."""
        self.model = model
        self.dofs = []
        for name in joints or {}:
            joint = _id(model, _mujoco.mjtObj.mjOBJ_JOINT, name, "joint")
            if int(model.jnt_type[joint]) not in (int(_mujoco.mjtJoint.mjJNT_HINGE), int(_mujoco.mjtJoint.mjJNT_SLIDE)):
                raise ValueError(f"joint {name!r} is neither a hinge nor a slide")
            dof = int(model.jnt_dofadr[joint])
            if model.dof_frictionloss[dof] != 0:
                raise ValueError(f"joint {name!r} has a frictionloss of its own")
            self.dofs.append(dof)
        self.joints = _scalar.Joints(list((joints or {}).values()))
        self.joint_forces = np.zeros(len(self.dofs))
        self.contacts = []
        for (geom, other), (friction, patch) in (contacts or {}).items():
            pair = [_id(model, _mujoco.mjtObj.mjOBJ_GEOM, name, "geom") for name in (geom, other)]
            for number in pair:
                if model.geom_condim[number] != 1:
                    raise ValueError(f"geom {number} has friction of its own: its condim must be 1")
            self.contacts.append(_Contact(pair[0], pair[1], friction, patch))
        self._started = False

    def _load(self, data: Any) -> Array:
        # The constraint forces of this step follow from its friction; those of the last step stand for them.
        load: Array = data.qfrc_passive - data.qfrc_bias + data.qfrc_applied + data.qfrc_actuator + data.qfrc_constraint
        for body in np.flatnonzero(np.any(data.xfrc_applied, axis=1)):
            push = data.xfrc_applied[body]
            _mujoco.mj_applyFT(self.model, data, push[:3], push[3:], data.xipos[body], int(body), load)
        return load

    def _solve_mass(self, data: Any, rows: Array) -> Array:
        result = np.zeros_like(rows)
        _mujoco.mj_solveM(self.model, data, result, np.ascontiguousarray(rows))
        return result

    def rest(self, data: Any) -> None:
        """Puts the joints to rest under the load of the present configuration."""
        _mujoco.mj_forward(self.model, data)
        self.joints.rest_under(self._load(data)[self.dofs])

    def step(self, data: Any) -> None:
        """One step of the model's time step, friction included."""
        model, h = self.model, self.model.opt.timestep
        if not self._started:
            _mujoco.mj_forward(model, data)  # for the normal forces of the first step
            self._read_normal_forces(data)
            self._started = True
        _mujoco.mj_step1(model, data)
        _mujoco.mj_fwdActuation(model, data)
        applied = data.qfrc_applied.copy()
        for contact in self.contacts:
            self._add_contact(data, contact)
        if self.dofs:
            free = self._solve_mass(data, self._load(data)[None])[0]
            unit = np.zeros((len(self.dofs), model.nv))
            unit[np.arange(len(self.dofs)), self.dofs] = 1
            mobility = self._solve_mass(data, unit)[:, self.dofs]
            velocity = data.qvel[self.dofs]
            self.joint_forces = self.joints.solve(velocity + h * free[self.dofs], mobility, velocity, h)
            data.qfrc_applied[self.dofs] -= self.joint_forces
        _mujoco.mj_step2(model, data)
        data.qfrc_applied[:] = applied
        self._read_normal_forces(data)

    def add_passive(self, data: Any) -> None:
        """The uncoupled option, for a passive callback: adds -F(v) of the joints to qfrc_passive. It runs before the
        load is known, so a loaded joint creeps, and a stiff bristle limits the step."""
        self.joint_forces = self.joints.step(data.qvel[self.dofs], self.model.opt.timestep)
        data.qfrc_passive[self.dofs] -= self.joint_forces

    def _touching(self, data: Any, contact: _Contact) -> list[Any]:
        return [c for c in data.contact[: data.ncon] if {c.geom1, c.geom2} == {contact.geom, contact.other}]

    def _read_normal_forces(self, data: Any) -> None:
        for contact in self.contacts:
            contact.normal_force = 0.0
            force = np.zeros(6)
            for i in range(data.ncon):
                if {data.contact[i].geom1, data.contact[i].geom2} == {contact.geom, contact.other}:
                    _mujoco.mj_contactForce(self.model, data, i, force)
                    contact.normal_force += force[0]

    def _add_contact(self, data: Any, contact: _Contact) -> None:
        model, nv = self.model, self.model.nv
        touching = [c for c in self._touching(data, contact) if c.dist <= 0]
        # MuJoCo's normals point from geom1 to geom2; ours into the body that carries the patch
        normal = sum(((1 if c.geom2 == contact.geom else -1) * c.frame[:3] for c in touching), np.zeros(3))
        length = np.linalg.norm(normal)
        if not touching or not length > 0 or not contact.normal_force > 0:
            contact.reset()
            return
        normal = normal / length
        at = np.mean([c.pos for c in touching], axis=0)
        axes = data.geom_xmat[contact.geom].reshape(3, 3)
        x = axes[:, 0] if abs(axes[:, 0] @ normal) <= 0.9 else axes[:, 1]
        x = x - (x @ normal) * normal
        x = x / np.linalg.norm(x)
        y = np.cross(normal, x)

        def jacobians(point: Array) -> tuple[Array, Array]:
            moving, turning = np.zeros((3, nv)), np.zeros((3, nv))
            moving_2, turning_2 = np.zeros((3, nv)), np.zeros((3, nv))
            _mujoco.mj_jac(model, data, moving, turning, point, int(model.geom_bodyid[contact.geom]))
            _mujoco.mj_jac(model, data, moving_2, turning_2, point, int(model.geom_bodyid[contact.other]))
            return moving - moving_2, turning - turning_2

        moving, turning = jacobians(at)
        rows = np.array([x @ moving, y @ moving, normal @ turning]
                        + [normal @ jacobians(np.array(c.pos))[0] for c in touching])
        w = rows @ self._solve_mass(data, rows).T
        acceleration = self._solve_mass(data, self._load(data)[None])[0]
        free = rows @ (data.qvel + model.opt.timestep * acceleration)
        twist, mobility = _planar.hold_normals(w, free)
        contact.wrench, contact.twist, contact.state = contact.patch.solve(
            contact.state, twist, mobility, contact.normal_force, model.opt.timestep, contact.twist)
        data.qfrc_applied[:] += rows[:3].T @ contact.wrench
