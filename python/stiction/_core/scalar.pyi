# Written by python/make_stubs.py from the extension: do not edit.
"""Friction models of one axis."""

import os
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

class Friction:
    """A model together with the state of one joint: the fastest calls for a single one."""
    def __init__(self, model: Model) -> None:
        ...
    def dissipated_power(self, velocity: float) -> float:
        """Power turned into heat [W]."""
    @overload
    def force(self, velocity: float) -> float:  # type: ignore[overload-overlap, unused-ignore]
        """Resistance [N] at the present state."""
    @overload
    def force(self, velocity: float, load: float) -> float:
        """The same; a contact that sticks holds the load [N]."""
    @property
    def model(self) -> Model:
        """As it was given."""
    def rest_under(self, load: float) -> None:
        """Puts the state to rest under a load [N]."""
    def solve(self, free_velocity: float, mobility: float, dt: float, velocity: float | None = None, load: float | None = None, *, motor_force: float | None = None, external_force: float | None = None) -> tuple[float, float]:
        """Moves state and body on together; gives (force [N], velocity [m/s]). motor_force and external_force [N]: the two sides of a gear, those of the state unless given."""
    @property
    def state(self) -> State:
        """At present; may be set."""
    @state.setter
    def state(self, value: State) -> None: ...
    def step(self, velocity: float, dt: float) -> float:
        """Moves the state on over dt [s] at a constant velocity [m/s] and returns the force [N] there."""

class GmsBatch:
    """Many Generalized Maxwell-Slip joints in columns, for speed. States are a pair of arrays: forces (elements, n) [N], and int32 (n,) of the elements that slip."""
    def __init__(self, models: Sequence[Model]) -> None:
        ...
    def __len__(self) -> int:
        ...
    @property
    def elements(self) -> int:
        """Of each joint."""
    def states(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
        """States of joints at rest without load."""
    def step(self, states: tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]], velocity: ArrayLike, dt: float, *, out: tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]] | None = None) -> tuple[npt.NDArray[np.float64], tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]]:
        """(friction of each joint (n,) [N], states). out: a pair of arrays for the new states, which may be the given ones."""

class Joints:
    """n joints with friction, coupled through the inverse mass matrix W:  v+ = v_free - dt W F."""
    def __init__(self, models: Sequence[Model]) -> None:
        ...
    def __len__(self) -> int:
        ...
    @property
    def converged(self) -> bool:
        """Whether the last solve met its tolerance."""
    @property
    def iterations(self) -> int:
        """Newton iterations of the last solve."""
    @property
    def residual(self) -> float:
        """Of the last solve: the largest |v+ - v_free + dt W F| [rad/s]."""
    def rest_under(self, load: ArrayLike) -> None:
        """Puts every joint to rest under its load."""
    def solve(self, free_velocity: ArrayLike, mobility: ArrayLike, velocity: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """Moves the states on by dt [s] with the mechanism; the friction of each joint (n,), for W (n, n)."""
    def step(self, velocity: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """Without the load: the friction at the given velocities."""

class Model:
    """A friction model of one axis: parameters and pure functions. A State is a value, and so are the States of n contacts: calls return new ones, or with out=states write them there."""
    fields: tuple[_results.Field, ...]
    def __getattr__(self, arg0: str) -> float | npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]:
        ...
    def __len__(self) -> int:
        """Models in this object: 1, or n where parameters are arrays."""
    @overload
    def advance(self, state: State, velocity: float, dt: float) -> State:
        """The state after dt [s] at a constant velocity [m/s]."""
    @overload
    def advance(self, states: States, velocity: ArrayLike, dt: float, *, out: States | None = None) -> States:
        """The same for n contacts."""
    @overload
    def at_rest(self, load: float = 0.0) -> State:  # type: ignore[overload-overlap, unused-ignore]
        """The State that carries a load [N] without motion. (Of n models their States.)"""
    @overload
    def at_rest(self, load: ArrayLike) -> States:
        """The States that carry loads (n,) [N]."""
    @overload
    def dissipated_power(self, state: State, velocity: float) -> float:
        """Power turned into heat [W]."""
    @overload
    def dissipated_power(self, states: States, velocity: ArrayLike) -> npt.NDArray[np.float32 | np.float64]:
        ...
    equation: str
    @overload
    def force(self, state: State, velocity: float, load: float | None = None) -> float:
        """Resistance F [N] of  m dv/dt = u - F.  A contact that sticks holds the load [N], where one is given."""
    @overload
    def force(self, states: States, velocity: ArrayLike, load: ArrayLike | None = None, *, force_out: npt.NDArray[np.float32 | np.float64] | None = None) -> npt.NDArray[np.float32 | np.float64]:
        """The same for n contacts; velocity and load are numbers or arrays of shape (n,)."""
    def guards(self, state: State, velocity: float, load: float) -> npt.NDArray[np.float64]:
        """Positive inside the present mode; the fall of one through zero is an event. Empty for models without modes."""
    mode_names: tuple[str, ...]
    name: str
    @property
    def parameters(self) -> dict[str, float | npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]]:
        """Values by name; arrays where there are n."""
    @overload
    def rate(self, state: State, velocity: float) -> npt.NDArray[np.float64]:
        """Time derivatives of the continuous states, for ODE solvers."""
    @overload
    def rate(self, states: States, velocity: ArrayLike) -> npt.NDArray[np.float64]:
        ...
    @overload
    def restore(self, saved: bytes) -> State:
        """From `save`: a State."""
    @overload
    def restore(self, saved: bytes, n: int) -> States:
        """n States."""
    @overload
    def save(self, state: State) -> bytes:
        """A State, or States, as bytes for `restore`, of this build on this kind of machine."""
    @overload
    def save(self, states: States) -> bytes:
        ...
    @property
    def sees_load(self) -> bool:
        """Whether the load matters to `force`."""
    @overload
    def solve(self, state: State, free_velocity: float, mobility: float, dt: float, velocity: float | None = None, load: float | None = None, *, motor_force: float | None = None, external_force: float | None = None) -> Solved:
        """(force, velocity, state): body and friction in one implicit step,  velocity+ = free_velocity - mobility dt force,  with the force in the law at the new state.  free_velocity [m/s]: after dt [s] without friction; mobility [1/kg]; velocity [m/s]: the present one, free_velocity unless given; load [N]: for models that see it; motor_force and external_force [N]: the two sides of a gear, those of the state unless given."""
    @overload
    def solve(self, states: States, free_velocity: ArrayLike, mobility: ArrayLike, dt: float, velocity: ArrayLike | None = None, load: ArrayLike | None = None, *, out: States | None = None, force_out: npt.NDArray[np.float32 | np.float64] | None = None, velocity_out: npt.NDArray[np.float32 | np.float64] | None = None, motor_force: ArrayLike | None = None, external_force: ArrayLike | None = None) -> tuple[npt.NDArray[np.float32 | np.float64], npt.NDArray[np.float32 | np.float64], States]:
        """(forces, velocities, states): the same for n contacts. out: States for the new ones, which may be the given ones; force_out and velocity_out: arrays."""
    source: str
    def state(self, **kwargs: float) -> State:
        """A State with these continuous states, e.g. state(bristle=1e-6); those left out are as at rest."""
    @property
    def state_names(self) -> tuple[str, ...]:
        """The continuous states, in the order of `State.values`."""
    def states(self, n: int | None = None) -> States:
        """States of n contacts at rest without load."""
    @overload
    def step(self, state: State, velocity: float, dt: float) -> tuple[float, State]:
        """(force, state): `advance`, then the force [N] at the new state."""
    @overload
    def step(self, states: States, velocity: ArrayLike, dt: float, *, out: States | None = None, force_out: npt.NDArray[np.float32 | np.float64] | None = None) -> tuple[npt.NDArray[np.float32 | np.float64], States]:
        """(forces, states): the same for n contacts, by the library's batches where it has them. out: States for the new ones, which may be the given ones; force_out: an array."""
    title: str
    def to_toml(self) -> str:
        """The table [model] for scenario and model files."""
    def transition(self, state: State, guard: int) -> State:
        """The state after the event of a guard."""
    @overload
    def transmitting(self, state: State, *, motor_force: float, external_force: float) -> State:
        """The state of a gear that transmits these forces [N]: of its motor, at the output, and all others but friction. Unchanged for models of no gear."""
    @overload
    def transmitting(self, states: States, *, motor_force: ArrayLike, external_force: ArrayLike) -> States:
        """The same for n contacts; the forces are numbers or arrays of shape (n,)."""
    @property
    def velocity_scale(self) -> float:
        """A speed on which the friction changes [m/s]."""

class Solved(tuple[float, float, State]):
    """What a coupled step gives: velocity = free_velocity - mobility dt force."""
    @property
    def force(self) -> float:
        """Resistance over the step [N]."""
    @property
    def state(self) -> State:
        """At the end of the step."""
    @property
    def velocity(self) -> float:
        """At the end of the step [m/s]."""

class State:
    """The state of one contact: a value. `Model.at_rest` and `Model.state` make one."""
    def __array__(self, dtype: npt.DTypeLike = ..., copy: bool | None = ...) -> npt.NDArray[Any]: ...
    def __getattr__(self, arg0: str) -> float:
        ...
    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The continuous states, in the order of the model's state_names, read-only. A view, not a copy, for models without modes."""

class States:
    """States of n contacts: a value, as an array of numbers is. `Model.at_rest` and `Model.states` make them; indexing gives and takes a State."""
    def __array__(self, dtype: npt.DTypeLike = ..., copy: bool | None = ...) -> npt.NDArray[Any]: ...
    def __getattr__(self, arg0: str) -> npt.NDArray[np.float64]:
        ...
    def __getitem__(self, arg0: int) -> State:
        ...
    def __len__(self) -> int:
        ...
    def __setitem__(self, arg0: int, arg1: State) -> None:
        ...
    def copy(self) -> States:
        """The same states, on their own."""
    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The continuous states, (n, number of states); may be set. A view on them, not a copy, for models without modes: not to be read while another thread moves the states on. Of others a copy, which is read-only."""
    @values.setter
    def values(self, value: ArrayLike) -> None: ...

class Armstrong(Model):
    """Armstrong's seven parameters: stick spring, lag and rising static friction.
    
        stick: F = σ0 (x - x0);  slip: F = [F_C + F_S(γ,t_d)/(1 + (v(t-τ_L)/v_S)^2)] sgn v + F_v v;  F_S(γ,t_d) = F_Sa + (F_Sinf - F_Sa) t_d/(t_d + γ)
    
    States: displacement, dwell, clock. Modes: mode.
    Source: Olsson et al. 1998, eqs. 7 to 9.
    More: docs/models/armstrong.md, and `stiction models armstrong`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, stiffness in stick; in [1e-15, 1e15]
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        static_excess [N]: F_Sinf, break-away above F_C after a long rest; in [0, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        lag [s]: τ_L, by which the Stribeck term follows the velocity; in [0, 1e15]; default 0
        dwell_time [s]: γ, in which half the static excess is regained; in [1e-15, 1e15]"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    static_excess: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    lag: float | npt.NDArray[np.float64]
    dwell_time: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, coulomb_force: ArrayLike, static_excess: ArrayLike, stribeck_velocity: ArrayLike, dwell_time: ArrayLike, viscous: ArrayLike = ..., lag: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class AsymmetricStribeck(Model):
    """Stribeck friction with its own curve for each direction.
    
        as stribeck, with the parameters *_plus for v > 0 and *_minus for v < 0
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, eqs. 5 and 6.
    More: docs/models/stribeck.md, and `stiction models asymmetric-stribeck`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force_plus [N]: F_C for positive velocity; in [1e-15, 1e15]
        static_force_plus [N]: F_S >= F_C for positive velocity; in [1e-15, 1e15]
        stribeck_velocity_plus [m/s]: v_S for positive velocity; in [1e-15, 1e15]
        stribeck_exponent_plus [-]: δ for positive velocity; in [0.5, 2]; default 2
        viscous_plus [N s/m]: F_v for positive velocity; in [0, 1e15]; default 0
        coulomb_force_minus [N]: F_C for negative velocity; in [1e-15, 1e15]
        static_force_minus [N]: F_S >= F_C for negative velocity; in [1e-15, 1e15]
        stribeck_velocity_minus [m/s]: v_S for negative velocity; in [1e-15, 1e15]
        stribeck_exponent_minus [-]: δ for negative velocity; in [0.5, 2]; default 2
        viscous_minus [N s/m]: F_v for negative velocity; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force_plus: float | npt.NDArray[np.float64]
    static_force_plus: float | npt.NDArray[np.float64]
    stribeck_velocity_plus: float | npt.NDArray[np.float64]
    stribeck_exponent_plus: float | npt.NDArray[np.float64]
    viscous_plus: float | npt.NDArray[np.float64]
    coulomb_force_minus: float | npt.NDArray[np.float64]
    static_force_minus: float | npt.NDArray[np.float64]
    stribeck_velocity_minus: float | npt.NDArray[np.float64]
    stribeck_exponent_minus: float | npt.NDArray[np.float64]
    viscous_minus: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force_plus: ArrayLike, static_force_plus: ArrayLike, stribeck_velocity_plus: ArrayLike, coulomb_force_minus: ArrayLike, static_force_minus: ArrayLike, stribeck_velocity_minus: ArrayLike, stribeck_exponent_plus: ArrayLike = ..., viscous_plus: ArrayLike = ..., stribeck_exponent_minus: ArrayLike = ..., viscous_minus: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class BlimanSorine(Model):
    """Bliman and Sorine, general form of order 1 to 4.
    
        dx/dt = |v| A x + B v,  F = C x + F_v v
    
    States: x1, x2, x3, x4. Modes: none.
    Source: Olsson et al. 1998, eq. 15.
    More: docs/models/bliman-sorine.md, and `stiction models bliman-sorine`.
    
    Parameters, all by keyword; an array of n gives n models:
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        a [1/m]: A, all eigenvalues stable; n x n numbers, row by row, n from 1 to 4, each in [-1e15, 1e15]
        b [N/m]: B, how the direction drives the states; n numbers, n from 1 to 4, each in [-1e15, 1e15]
        c [-]: C, how the states make the force; n numbers, as many as b, each in [-1e15, 1e15]"""
    fields: tuple[_results.Field, ...]
    viscous: float | npt.NDArray[np.float64]
    a: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    b: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    c: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    def __init__(self, *, a: ArrayLike, b: ArrayLike, c: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class BlimanSorine1(Model):
    """Bliman and Sorine, first order: Coulomb friction with presliding.
    
        dx1/dt = (f1 v - |v| x1)/ε,  F = x1 + F_v v
    
    States: x1. Modes: none.
    Source: Olsson et al. 1998, eq. 16.
    More: docs/models/bliman-sorine.md, and `stiction models bliman-sorine-1`.
    
    Parameters, all by keyword; an array of n gives n models:
        force [N]: f1, friction after sliding for long; in [1e-15, 1e15]
        distance [m]: ε, distance over which friction builds up; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    distance: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, force: ArrayLike, distance: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class BlimanSorine2(Model):
    """Bliman and Sorine, second order: presliding and a stiction peak.
    
        dx1/dt = (f1 v - |v| x1)/(η ε),  dx2/dt = (-f2 v - |v| x2)/ε,  F = x1 + x2 + F_v v
    
    States: x1, x2. Modes: none.
    Source: Olsson et al. 1998, eq. 17.
    More: docs/models/bliman-sorine.md, and `stiction models bliman-sorine-2`.
    
    Parameters, all by keyword; an array of n gives n models:
        force_1 [N]: f1 > force_2; f1 - f2 is friction after sliding for long; in [1e-15, 1e15]
        force_2 [N]: f2, of the slow part, which makes the peak; in [1e-15, 1e15]
        ratio [-]: η, distance of the fast part over that of the slow one; in [0.001, 0.999]
        distance [m]: ε, distance over which the peak fades; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    force_1: float | npt.NDArray[np.float64]
    force_2: float | npt.NDArray[np.float64]
    ratio: float | npt.NDArray[np.float64]
    distance: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, force_1: ArrayLike, force_2: ArrayLike, ratio: ArrayLike, distance: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class BrownMcPhee(Model):
    """Smooth friction with a stiction-like peak (Brown and McPhee).
    
        F = F_C tanh(4 v/v_t) + (F_S - F_C) (v/v_t)/((v/v_t)^2/4 + 3/4)^2 + F_v v
    
    States: none. Modes: none.
    Source: Brown and McPhee 2016.
    More: docs/models/brown-mcphee.md, and `stiction models brown-mcphee`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, height of the peak; in [1e-15, 1e15]
        transition_velocity [m/s]: v_t, speed of the peak; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    transition_velocity: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, transition_velocity: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Coulomb(Model):
    """Coulomb friction, set-valued at rest.
    
        F = F_C sgn v + F_v v;  v = 0: F = clip(load, -F_C, F_C)
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, eq. 1.
    More: docs/models/coulomb.md, and `stiction models coulomb`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at rest and sliding; in [0, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Dahl(Model):
    """Dahl friction: presliding with hysteresis, no stiction.
    
        dF/dt = σ |w|^α sgn(w) v,  w = 1 - (F/F_C) sgn v
    
    States: force. Modes: none.
    Source: Olsson et al. 1998, eqs. 10 and 11.
    More: docs/models/dahl.md, and `stiction models dahl`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ, stiffness at F = 0; in [1e-15, 1e15]
        coulomb_force [N]: F_C, friction after sliding for long; in [1e-15, 1e15]
        exponent [-]: α, shape of the stress-strain curve; in [0.01, 100]; default 1"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    exponent: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, coulomb_force: ArrayLike, exponent: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class ElastoPlastic(Model):
    """Elasto-plastic friction: LuGre without drift under vibration.
    
        dz/dt = v (1 - α(z,v) z/z_ss(v)),  z_ss = g(v) sgn(v)/σ0,  F = σ0 z + σ1(v) dz/dt + F_v v
    
    States: bristle. Modes: none.
    Source: Dupont et al. 2002.
    More: docs/models/elasto-plastic.md, and `stiction models elasto-plastic`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, presliding stiffness; in [1e-15, 1e15]
        damping [N s/m]: σ1, damping of the bristle; in [0, 1e15]
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, largest friction at rest; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        damping_velocity [m/s]: v_d, speed above which the damping fades (inf: never); >= 1e-15, or inf; default inf
        elastic_share [-]: σ0 z_ba/F_C, elastic part of the presliding range; in [0.001, 0.999]; default 0.7"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    damping: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    damping_velocity: float | npt.NDArray[np.float64]
    elastic_share: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, damping: ArrayLike, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ..., damping_velocity: ArrayLike = ..., elastic_share: ArrayLike = ...) -> None:
        ...
    def dissipativity_margin(self, velocity: float) -> float:
        """4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven."""
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def largest_deflection(self) -> float:
        """F_S/σ0, the largest that is reached from rest [m]."""
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    def steady_force(self, velocity: float) -> float:
        """Friction after sliding at this velocity [m/s] for long [N]."""
    title: str

class Gear(Model):
    """Friction of a gear: grows with what its motor and the load transmit, set-valued at rest.
    
        F = f sgn v + b v;  v = 0: F = load up to f;  f = f_0 + |k_e τ_e - k_m τ_m| + S (f_s + |k_es τ_e - k_ms τ_m| + q);  S = exp(-|v/v_S|^α);  q = q_e τ_e^2 where |τ_e| < |τ_m|, q_m τ_m^2 where |τ_e| > |τ_m|, 0 unless τ_e and τ_m are opposed
    
    States: none. Modes: mode.
    Source: Duclusaud and Passault 2025.
    More: docs/models/gear.md, and `stiction models gear`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: f_0, friction at speed without load; in [0, 1e15]
        stribeck_force [N]: f_s, what is added at rest; in [0, 1e15]; default 0
        motor_gain [-]: k_m, friction for each newton of the motor; in [0, 1000]; default 0
        external_gain [-]: k_e, friction for each newton from outside; in [0, 1000]; default 0
        motor_stribeck_gain [-]: k_ms, what is added to k_m at rest; in [0, 1000]; default 0
        external_stribeck_gain [-]: k_es, what is added to k_e at rest; in [0, 1000]; default 0
        motor_quadratic_gain [1/N]: q_m, friction at rest with the square of the motor's force, while it is driven back; in [0, 1000]; default 0
        external_quadratic_gain [1/N]: q_e, friction at rest with the square of the external force, while the motor drives; in [0, 1000]; default 0
        stribeck_velocity [m/s]: v_S, speed of the drop; finite if anything is added at rest; >= 1e-15, or inf; default inf
        stribeck_exponent [-]: α, shape of the drop; in [0.5, 100]; default 2
        viscous [N s/m]: b, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    stribeck_force: float | npt.NDArray[np.float64]
    motor_gain: float | npt.NDArray[np.float64]
    external_gain: float | npt.NDArray[np.float64]
    motor_stribeck_gain: float | npt.NDArray[np.float64]
    external_stribeck_gain: float | npt.NDArray[np.float64]
    motor_quadratic_gain: float | npt.NDArray[np.float64]
    external_quadratic_gain: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, stribeck_force: ArrayLike = ..., motor_gain: ArrayLike = ..., external_gain: ArrayLike = ..., motor_stribeck_gain: ArrayLike = ..., external_stribeck_gain: ArrayLike = ..., motor_quadratic_gain: ArrayLike = ..., external_quadratic_gain: ArrayLike = ..., stribeck_velocity: ArrayLike = ..., stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class GearElastoPlastic(Model):
    """Elasto-plastic friction with that of a gear as g(v).
    
        dz/dt = v (1 - α(z,v) z/z_ss),  z_ss = f sgn(v)/σ0,  F = σ0 z + σ1(v) dz/dt + b v;  f as of gear
    
    States: bristle. Modes: none.
    Source: Duclusaud and Passault 2025, with the bristle of Dupont et al. 2002.
    More: docs/models/gear.md, and `stiction models gear-elasto-plastic`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, presliding stiffness; in [1e-15, 1e15]
        damping [N s/m]: σ1, damping of the bristle; in [0, 1e15]
        coulomb_force [N]: f_0, friction at speed without load; in [0, 1e15]
        stribeck_force [N]: f_s, what is added at rest; in [0, 1e15]; default 0
        motor_gain [-]: k_m, friction for each newton of the motor; in [0, 1000]; default 0
        external_gain [-]: k_e, friction for each newton from outside; in [0, 1000]; default 0
        motor_stribeck_gain [-]: k_ms, what is added to k_m at rest; in [0, 1000]; default 0
        external_stribeck_gain [-]: k_es, what is added to k_e at rest; in [0, 1000]; default 0
        motor_quadratic_gain [1/N]: q_m, friction at rest with the square of the motor's force, while it is driven back; in [0, 1000]; default 0
        external_quadratic_gain [1/N]: q_e, friction at rest with the square of the external force, while the motor drives; in [0, 1000]; default 0
        stribeck_velocity [m/s]: v_S, speed of the drop; finite if anything is added at rest; >= 1e-15, or inf; default inf
        stribeck_exponent [-]: α, shape of the drop; in [0.5, 100]; default 2
        viscous [N s/m]: b, viscous coefficient; in [0, 1e15]; default 0
        damping_velocity [m/s]: v_d, speed above which the damping fades (inf: never); >= 1e-15, or inf; default inf
        elastic_share [-]: σ0 z_ba/C, elastic part of the presliding range; C: dry friction at high speed; in [0.001, 0.999]; default 0.7"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    damping: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    stribeck_force: float | npt.NDArray[np.float64]
    motor_gain: float | npt.NDArray[np.float64]
    external_gain: float | npt.NDArray[np.float64]
    motor_stribeck_gain: float | npt.NDArray[np.float64]
    external_stribeck_gain: float | npt.NDArray[np.float64]
    motor_quadratic_gain: float | npt.NDArray[np.float64]
    external_quadratic_gain: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    damping_velocity: float | npt.NDArray[np.float64]
    elastic_share: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, damping: ArrayLike, coulomb_force: ArrayLike, stribeck_force: ArrayLike = ..., motor_gain: ArrayLike = ..., external_gain: ArrayLike = ..., motor_stribeck_gain: ArrayLike = ..., external_stribeck_gain: ArrayLike = ..., motor_quadratic_gain: ArrayLike = ..., external_quadratic_gain: ArrayLike = ..., stribeck_velocity: ArrayLike = ..., stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ..., damping_velocity: ArrayLike = ..., elastic_share: ArrayLike = ...) -> None:
        ...
    def dissipativity_margin(self, velocity: float) -> float:
        """4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven."""
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class GearLuGre(Model):
    """LuGre bristle with the friction of a gear as g(v).
    
        dz/dt = v - σ0 |v| z / f;  F = σ0 z + σ1(v) dz/dt + b v;  f as of gear;  σ1(v) = σ1 exp(-(v/v_d)^2)
    
    States: bristle. Modes: none.
    Source: Duclusaud and Passault 2025, with the bristle of Canudas de Wit et al. 1995.
    More: docs/models/gear.md, and `stiction models gear-lugre`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, presliding stiffness; in [1e-15, 1e15]
        damping [N s/m]: σ1, damping of the bristle; in [0, 1e15]
        coulomb_force [N]: f_0, friction at speed without load; in [0, 1e15]
        stribeck_force [N]: f_s, what is added at rest; in [0, 1e15]; default 0
        motor_gain [-]: k_m, friction for each newton of the motor; in [0, 1000]; default 0
        external_gain [-]: k_e, friction for each newton from outside; in [0, 1000]; default 0
        motor_stribeck_gain [-]: k_ms, what is added to k_m at rest; in [0, 1000]; default 0
        external_stribeck_gain [-]: k_es, what is added to k_e at rest; in [0, 1000]; default 0
        motor_quadratic_gain [1/N]: q_m, friction at rest with the square of the motor's force, while it is driven back; in [0, 1000]; default 0
        external_quadratic_gain [1/N]: q_e, friction at rest with the square of the external force, while the motor drives; in [0, 1000]; default 0
        stribeck_velocity [m/s]: v_S, speed of the drop; finite if anything is added at rest; >= 1e-15, or inf; default inf
        stribeck_exponent [-]: α, shape of the drop; in [0.5, 100]; default 2
        viscous [N s/m]: b, viscous coefficient; in [0, 1e15]; default 0
        damping_velocity [m/s]: v_d, speed above which the damping fades (inf: never); >= 1e-15, or inf; default inf"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    damping: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    stribeck_force: float | npt.NDArray[np.float64]
    motor_gain: float | npt.NDArray[np.float64]
    external_gain: float | npt.NDArray[np.float64]
    motor_stribeck_gain: float | npt.NDArray[np.float64]
    external_stribeck_gain: float | npt.NDArray[np.float64]
    motor_quadratic_gain: float | npt.NDArray[np.float64]
    external_quadratic_gain: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    damping_velocity: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, damping: ArrayLike, coulomb_force: ArrayLike, stribeck_force: ArrayLike = ..., motor_gain: ArrayLike = ..., external_gain: ArrayLike = ..., motor_stribeck_gain: ArrayLike = ..., external_stribeck_gain: ArrayLike = ..., motor_quadratic_gain: ArrayLike = ..., external_quadratic_gain: ArrayLike = ..., stribeck_velocity: ArrayLike = ..., stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ..., damping_velocity: ArrayLike = ...) -> None:
        ...
    def dissipativity_margin(self, velocity: float) -> float:
        """4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven."""
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Gms(Model):
    """Generalized Maxwell-Slip: presliding with memory, Stribeck effect and lag.
    
        stick: dFi/dt = ki v until |Fi| = αi s(v);  slip: dFi/dt = sgn(v) C (αi - |Fi|/s(v)) until v = 0;  F = sum Fi + F_v v
    
    States: force_1, force_2, force_3, force_4, force_5, force_6, force_7, force_8, force_9, force_10, force_11, force_12, force_13, force_14, force_15, force_16. Modes: slipping.
    Source: Al-Bender, Lampaert and Swevers 2005.
    More: docs/models/gms.md, and `stiction models gms`.
    
    Parameters, all by keyword; an array of n gives n models:
        attraction [N/s]: C, how fast a slipping element follows s(v); in [1e-15, 1e15]
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, largest friction at rest; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        stiffness [N/m]: ki, stiffness of each element; 1 to 16 numbers, each in [1e-15, 1e15]
        share [-]: αi, share of each element in s(v); as many as stiffness, of sum 1, each in [1e-15, 1e15]"""
    fields: tuple[_results.Field, ...]
    attraction: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    stiffness: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    share: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    def __init__(self, *, attraction: ArrayLike, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, stiffness: ArrayLike, share: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    def steady_force(self, velocity: float) -> float:
        """Friction after sliding at this velocity [m/s] for long [N]."""
    title: str

class HaessigBristle(Model):
    """Haessig and Friedland's bristle model, with seeded randomness.
    
        F = sum σ0 (x - b_i);  |x - b_i| = δ_s: b_i += U δ_s sgn(x - b_i)
    
    States: bend_1, bend_2, bend_3, bend_4, bend_5, bend_6, bend_7, bend_8, bend_9, bend_10, bend_11, bend_12, bend_13, bend_14, bend_15, bend_16, bend_17, bend_18, bend_19, bend_20, bend_21, bend_22, bend_23, bend_24, bend_25, bend_26, bend_27, bend_28, bend_29, bend_30, bend_31, bend_32, bend_33, bend_34, bend_35, bend_36, bend_37, bend_38, bend_39, bend_40, bend_41, bend_42, bend_43, bend_44, bend_45, bend_46, bend_47, bend_48, bend_49, bend_50, bend_51, bend_52, bend_53, bend_54, bend_55, bend_56, bend_57, bend_58, bend_59, bend_60, bend_61, bend_62, bend_63, bend_64. Modes: snaps.
    Source: Olsson et al. 1998, eq. 12.
    More: docs/models/haessig-bristle.md, and `stiction models haessig-bristle`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, stiffness of one bristle; in [1e-15, 1e15]
        largest_bend [m]: δ_s, deflection at which a bristle snaps; in [1e-15, 1e15]
        bristles [-]: N, number of bristles; a whole number from 1 to 64; default 20
        seed [-]: selects the random sequence; a whole number from 0 to 2^32 - 1; default 0"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    largest_bend: float | npt.NDArray[np.float64]
    bristles: int | npt.NDArray[np.int64]
    seed: int | npt.NDArray[np.int64]
    def __init__(self, *, stiffness: ArrayLike, largest_bend: ArrayLike, bristles: ArrayLike = ..., seed: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class JournalBearing(Model):
    """Lubricated journal bearing with the dynamics of its oil film.
    
        F = f_m k_c (ε - ε_tr)^2 sgn U + K2 U/sqrt(1 - ε^2);  ε: journal centre in a short-bearing film, fourth order
    
    States: x, y, vx, vy. Modes: mode.
    Source: Olsson et al. 1998, eq. 18 (Harnoy and Friedland 1994), film completed.
    More: docs/models/journal-bearing.md, and `stiction models journal-bearing`.
    
    Parameters, all by keyword; an array of n gives n models:
        radius [m]: R, of the journal; in [1e-4, 1e4]
        length [m]: L, of the bearing; in [1e-4, 1e4]
        clearance [m]: C, radial clearance; in [1e-8, 0.1]
        viscosity [Pa s]: μ, of the oil; in [1e-4, 1e4]
        mass [kg]: M, of the journal; in [1e-4, 1e4]
        load [N]: W, carried by the bearing; in [1e-4, 1e4]
        contact_onset [-]: ε_tr, eccentricity at which asperities touch; in [0.001, 0.999]
        contact_stiffness [N]: k_c > W/(1 - ε_tr)^2, of the asperities; in [1e-15, 1e15]
        contact_friction [-]: f_m, friction coefficient of the asperities; in [0, 10]"""
    fields: tuple[_results.Field, ...]
    radius: float | npt.NDArray[np.float64]
    length: float | npt.NDArray[np.float64]
    clearance: float | npt.NDArray[np.float64]
    viscosity: float | npt.NDArray[np.float64]
    mass: float | npt.NDArray[np.float64]
    load: float | npt.NDArray[np.float64]
    contact_onset: float | npt.NDArray[np.float64]
    contact_stiffness: float | npt.NDArray[np.float64]
    contact_friction: float | npt.NDArray[np.float64]
    def __init__(self, *, radius: ArrayLike, length: ArrayLike, clearance: ArrayLike, viscosity: ArrayLike, mass: ArrayLike, load: ArrayLike, contact_onset: ArrayLike, contact_stiffness: ArrayLike, contact_friction: ArrayLike) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Karnopp(Model):
    """Karnopp friction: a band of velocities counts as rest.
    
        rest: F = load while |load| <= F_S, then v = ±DV;  |v| > DV: F = g(v) sgn v + F_v v, at DV v = 0
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, Section 3 (Karnopp 1985).
    More: docs/models/karnopp.md, and `stiction models karnopp`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, break-away force; in [1e-15, 1e15]
        zero_velocity [m/s]: DV, speed below which the body rests; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        stribeck_velocity [m/s]: v_S, speed of the drop from F_S to F_C (0: none); in [0, 1e15]; default 0
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    zero_velocity: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, zero_velocity: ArrayLike, viscous: ArrayLike = ..., stribeck_velocity: ArrayLike = ..., stribeck_exponent: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class KarnoppOriginal(Model):
    """Karnopp friction as published: momentum gathers inside the band of zero velocity.
    
        |v| < DV: dx/dt = 0, F = clip(load, ±F_S);  else F = g(v) sgn v + F_v v
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, Section 3 (Karnopp 1985).
    More: docs/models/karnopp.md, and `stiction models karnopp-original`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, break-away force; in [1e-15, 1e15]
        zero_velocity [m/s]: DV, speed below which the body rests; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        stribeck_velocity [m/s]: v_S, speed of the drop from F_S to F_C (0: none); in [0, 1e15]; default 0
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    zero_velocity: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, zero_velocity: ArrayLike, viscous: ArrayLike = ..., stribeck_velocity: ArrayLike = ..., stribeck_exponent: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Leuven(Model):
    """Leuven model, Maxwell-slip form: presliding with memory inside a bristle equation.
    
        dz/dt = v (1 - sgn(v) sgn(Fh) |Fh/s(v)|^n),  Fh = sum of Maxwell-slip elements in z,  F = Fh + σ1 dz/dt + F_v v
    
    States: force_1, force_2, force_3, force_4, force_5, force_6, force_7, force_8, force_9, force_10, force_11, force_12, force_13, force_14, force_15, force_16. Modes: none.
    Source: Swevers et al. 2000, Lampaert et al. 2002.
    More: docs/models/leuven.md, and `stiction models leuven`.
    
    Parameters, all by keyword; an array of n gives n models:
        damping [N s/m]: σ1, damping of the deflection; in [0, 1e15]
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, largest friction at rest; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        exponent [-]: n, sharpness of the transition to sliding; in [1, 20]; default 1
        stiffness [N/m]: ki, stiffness of each element; 1 to 16 numbers, each in [1e-15, 1e15]
        limit [N]: Wi, force at which each element slips; sum >= F_S; as many as stiffness, each in [1e-15, 1e15]"""
    fields: tuple[_results.Field, ...]
    damping: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    exponent: float | npt.NDArray[np.float64]
    stiffness: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    limit: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    def __init__(self, *, damping: ArrayLike, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, stiffness: ArrayLike, limit: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ..., exponent: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    def steady_force(self, velocity: float) -> float:
        """Friction after sliding at this velocity [m/s] for long [N]."""
    title: str

class LoadDependentDahl(Model):
    """Dahl friction that grows with the load, the sum of all other forces.
    
        dF0/dt = σ |w|^α sgn(w) v,  w = 1 - (F0/F_C) sgn v,  F = (1 + μ |load|/F_C) F0
    
    States: force. Modes: none.
    Source: Dahl's model with the gear efficiency of load-dependent-stribeck.
    More: docs/models/load-dependent.md, and `stiction models load-dependent-dahl`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ, stiffness at F = 0 without load; in [1e-15, 1e15]
        coulomb_force [N]: F_C, friction without load; in [1e-15, 1e15]
        exponent [-]: α, shape of the stress-strain curve; in [0.01, 100]; default 1
        load_gain [-]: μ, rise of F_C for each newton of load; in [0, 1e15]"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    exponent: float | npt.NDArray[np.float64]
    load_gain: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, coulomb_force: ArrayLike, load_gain: ArrayLike, exponent: ArrayLike = ...) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class LoadDependentStribeck(Model):
    """Stribeck friction that grows with the load, the sum of all other forces.
    
        F = (1 + μ |load|/F_C) (g(v) sgn v + F_v v);  v = 0: F = load up to (1 + μ |load|/F_C) F_S
    
    States: none. Modes: mode.
    Source: gear efficiency models, e.g. Pelchen, Schweiger and Otter 2002.
    More: docs/models/load-dependent.md, and `stiction models load-dependent-stribeck`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed without load; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, break-away force without load; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient without load; in [0, 1e15]; default 0
        load_gain [-]: μ, rise of F_C for each newton of load; in [0, 1e15]"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    load_gain: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, load_gain: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class LuGre(Model):
    """LuGre bristle model.
    
        dz/dt = v - σ0 |v| z / g(v);  F = σ0 z + σ1(v) dz/dt + F_v v;  g = F_C + (F_S - F_C) exp(-|v/v_S|^δ);  σ1(v) = σ1 exp(-(v/v_d)^2)
    
    States: bristle. Modes: none.
    Source: Olsson et al. 1998, eqs. 20 to 22.
    More: docs/models/lugre.md, and `stiction models lugre`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, presliding stiffness; in [1e-15, 1e15]
        damping [N s/m]: σ1, damping of the bristle; in [0, 1e15]
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, largest friction at rest; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0
        damping_velocity [m/s]: v_d, speed above which the damping fades (inf: never); >= 1e-15, or inf; default inf"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    damping: float | npt.NDArray[np.float64]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    damping_velocity: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, damping: ArrayLike, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ..., damping_velocity: ArrayLike = ...) -> None:
        ...
    def dissipativity_margin(self, velocity: float) -> float:
        """4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven."""
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def largest_deflection(self) -> float:
        """F_S/σ0, the largest that is reached from rest [m]."""
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    def steady_force(self, velocity: float) -> float:
        """Friction after sliding at this velocity [m/s] for long [N]."""
    title: str

class ResetIntegrator(Model):
    """Reset integrator: a bristle cut off at its limit, with stiction.
    
        dz/dt = v inside |z| < z0, else 0;  F = (1 + a) σ0 z + σ1 dz/dt inside, σ0 z0 sgn v while sliding
    
    States: bristle. Modes: mode.
    Source: Olsson et al. 1998, eqs. 13 and 14.
    More: docs/models/reset-integrator.md, and `stiction models reset-integrator`.
    
    Parameters, all by keyword; an array of n gives n models:
        stiffness [N/m]: σ0, sliding friction over z0; in [1e-15, 1e15]
        largest_deflection [m]: z0, where the bristle slides; in [1e-15, 1e15]
        stiction [-]: a, break-away above sliding friction: F_S/F_C - 1; in [0, 1e15]; default 0
        damping [N s/m]: σ1, damping inside the limits; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    stiffness: float | npt.NDArray[np.float64]
    largest_deflection: float | npt.NDArray[np.float64]
    stiction: float | npt.NDArray[np.float64]
    damping: float | npt.NDArray[np.float64]
    def __init__(self, *, stiffness: ArrayLike, largest_deflection: ArrayLike, stiction: ArrayLike = ..., damping: ArrayLike = ...) -> None:
        ...
    @overload
    def energy(self, state: State) -> float:
        """Elastic energy [J] of a State."""
    @overload
    def energy(self, states: States) -> npt.NDArray[np.float64]:
        """Of each of States."""
    equation: str
    def linearised(self, mass: float) -> tuple[float, float]:
        """(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg]."""
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Specker(Model):
    """Smooth friction with a break-away velocity (Specker, Simscape).
    
        F = sqrt(2e) (F_S - F_C) exp(-(v/v_St)^2) v/v_St + F_C tanh(v/v_C) + F_v v;  v_St = sqrt(2) v_b, v_C = v_b/10
    
    States: none. Modes: none.
    Source: Specker et al. 2014.
    More: docs/models/specker.md, and `stiction models specker`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, height of the peak; in [1e-15, 1e15]
        breakaway_velocity [m/s]: v_b, speed of the peak; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    breakaway_velocity: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, breakaway_velocity: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Stiction(Model):
    """Stiction with Coulomb and viscous friction.
    
        F = F_C sgn v + F_v v;  v = 0: F = load while |load| <= F_S
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, eq. 4.
    More: docs/models/stiction.md, and `stiction models stiction`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, sliding friction; in [0, 1e15]
        static_force [N]: F_S >= F_C, break-away force; in [0, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Stribeck(Model):
    """Stribeck friction, set-valued at rest.
    
        F = [F_C + (F_S - F_C) exp(-|v/v_S|^δ)] sgn v + F_v v;  v = 0: F = load while |load| <= F_S
    
    States: none. Modes: mode.
    Source: Olsson et al. 1998, eqs. 5 and 6.
    More: docs/models/stribeck.md, and `stiction models stribeck`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, friction at high speed; in [1e-15, 1e15]
        static_force [N]: F_S >= F_C, largest friction at rest; in [1e-15, 1e15]
        stribeck_velocity [m/s]: v_S, speed of the drop; in [1e-15, 1e15]
        stribeck_exponent [-]: δ, shape of the drop; in [0.5, 2]; default 2
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    static_force: float | npt.NDArray[np.float64]
    stribeck_velocity: float | npt.NDArray[np.float64]
    stribeck_exponent: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, static_force: ArrayLike, stribeck_velocity: ArrayLike, stribeck_exponent: ArrayLike = ..., viscous: ArrayLike = ...) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Tabulated(Model):
    """Sliding friction from measured points, set-valued at rest.
    
        F = curve(|v|) sgn v;  v = 0: F = load while |load| <= F_S
    
    States: none. Modes: mode.
    Source: measured by the user.
    More: docs/models/tabulated.md, and `stiction models tabulated`.
    
    Parameters, all by keyword; an array of n gives n models:
        static_force [N]: F_S >= first force, break-away force; in [1e-15, 1e15]
        speed [m/s]: where friction was measured; 1 to 32 numbers, strictly increasing, each in [0, 1e15]
        force [N]: friction at each speed; as many as speed, each in [0, 1e15]"""
    fields: tuple[_results.Field, ...]
    static_force: float | npt.NDArray[np.float64]
    speed: npt.NDArray[np.float64] | list[npt.NDArray[np.float64]]
    def __init__(self, *, static_force: ArrayLike, speed: ArrayLike, force: ArrayLike) -> None:
        ...
    def breakaway_force(self, direction: float = 1.0) -> float:
        """The largest load that is held at rest [N], in the direction of a sign."""
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Tanh(Model):
    """Coulomb friction smoothed by tanh.
    
        F = F_C tanh(v/v_0) + F_v v
    
    States: none. Modes: none.
    Source: common regularisation; see the model's page.
    More: docs/models/tanh.md, and `stiction models tanh`.
    
    Parameters, all by keyword; an array of n gives n models:
        coulomb_force [N]: F_C, sliding friction; in [0, 1e15]
        transition_velocity [m/s]: v_0, width of the ramp at rest; in [1e-15, 1e15]
        viscous [N s/m]: F_v, viscous coefficient; in [0, 1e15]; default 0"""
    fields: tuple[_results.Field, ...]
    coulomb_force: float | npt.NDArray[np.float64]
    transition_velocity: float | npt.NDArray[np.float64]
    viscous: float | npt.NDArray[np.float64]
    def __init__(self, *, coulomb_force: ArrayLike, transition_velocity: ArrayLike, viscous: ArrayLike = ...) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

class Viscous(Model):
    """Viscous friction, linear or power law.
    
        F = F_v |v|^δ sgn v
    
    States: none. Modes: none.
    Source: Olsson et al. 1998, eqs. 2 and 3.
    More: docs/models/viscous.md, and `stiction models viscous`.
    
    Parameters, all by keyword; an array of n gives n models:
        viscous [N (s/m)^δ]: F_v, viscous coefficient; in [0, 1e15]
        exponent [-]: δ, power of the speed; in [0.1, 10]; default 1"""
    fields: tuple[_results.Field, ...]
    viscous: float | npt.NDArray[np.float64]
    exponent: float | npt.NDArray[np.float64]
    def __init__(self, *, viscous: ArrayLike, exponent: ArrayLike = ...) -> None:
        ...
    equation: str
    mode_names: tuple[str, ...]
    name: str
    source: str
    title: str

def bam_json(gear: Model, *, actuator: str, kt: float | None = None, R: float | None = None, armature: float | None = None, q_offset: float | None = None, model: str | None = None) -> str:
    """The text of a servo's JSON file of Rhoban/bam. model: m1 to m6, the simplest that has this friction unless given."""

def load_bam(path: str | os.PathLike[str]) -> tuple[Model, dict[str, Any]]:
    """(Gear, dict) of a servo's JSON file of Rhoban/bam: its friction, and model (m1 to m6), actuator, kt [N m/A], R [ohm], armature [kg m2] and q_offset [rad], None where the file has none."""

def load_model(path: str | os.PathLike[str]) -> tuple[Model, float | None]:
    """(model, mass or None) of a TOML file with a table [model]: a scenario, or what an identification wrote. Or of a servo's JSON file of Rhoban/bam, with its armature [kg m2] as the mass."""

def models() -> dict[str, type[Model]]:
    """The classes of models by their names on the command line and in files."""

def parse_model(text: str) -> Model:
    """The same from text."""

def preset(name: str) -> Model:
    """A published parameter set by its name."""

def presets() -> list[_results.Preset]:
    """All published parameter sets: name, model, axis, mass [kg or kg m^2] and source."""
