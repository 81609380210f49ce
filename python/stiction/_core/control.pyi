# Written by python/make_stubs.py from the extension: do not edit.
"""Compensation, observers, detection and passivity."""

from collections.abc import Callable, Iterator
from typing import Any, Optional, overload

import numpy as np
from numpy.typing import ArrayLike

from . import planar, scalar

class AdaptiveCompensator:
    """LuGre compensation that learns how large the friction is.
    
    Parameters, all by keyword:
        mass [kg]: J, mass or inertia of the body; > 0 and finite
        adaptation [1/m^2]: γ, adaptation gain of θ̂; >= 0 and finite
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        min_theta [-]: lower limit of θ̂·φ; > 0 and finite; default 0.1
        max_theta [-]: upper limit of θ̂·φ; > 0 and finite; default 4
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1"""
    def __init__(self, model: scalar.Model, **kwargs: Any) -> None:
        ...
    @property
    def bristle(self) -> float:
        """[m]"""
    def copy(self) -> AdaptiveCompensator:
        """A snapshot, with the state."""
    @property
    def friction_ratio(self) -> float:
        """Learned friction over that of the model."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, velocity: Any, position: Any, error: Any, applied: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, position: float, error: float, applied: float, dt: float) -> float:
        """The friction [N] estimated at this sample; `applied` acted since the last one [N]."""
    @property
    def theta(self) -> np.ndarray:
        ...

class AdaptiveHarmonicCompensator:
    """The same with friction that varies over one revolution of a shaft.
    
    Parameters, all by keyword:
        mass [kg]: J, mass or inertia of the body; > 0 and finite
        adaptation [1/m^2]: γ, adaptation gain of θ̂; >= 0 and finite
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        min_theta [-]: lower limit of θ̂·φ; > 0 and finite; default 0.1
        max_theta [-]: upper limit of θ̂·φ; > 0 and finite; default 4
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1"""
    def __init__(self, model: scalar.Model, **kwargs: Any) -> None:
        ...
    @property
    def bristle(self) -> float:
        """[m]"""
    def copy(self) -> AdaptiveHarmonicCompensator:
        """A snapshot, with the state."""
    @property
    def friction_ratio(self) -> float:
        """Learned friction over that of the model."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, velocity: Any, position: Any, error: Any, applied: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, position: float, error: float, applied: float, dt: float) -> float:
        """The friction [N] estimated at this sample; `applied` acted since the last one [N]."""
    @property
    def theta(self) -> np.ndarray:
        ...

class AsymmetricCompensator:
    """Static friction that differs between the directions.
    
    Parameters, all by keyword:
        coulomb_plus [N]: F_C for v > 0; >= 0 and finite
        viscous_plus [N s/m]: F_v for v > 0; >= 0 and finite; default 0
        coulomb_minus [N]: F_C for v < 0; >= 0 and finite
        viscous_minus [N s/m]: F_v for v < 0; >= 0 and finite; default 0
        saturation_velocity [m/s]: v_s, where s(v) reaches 1; > 0 and finite
        share [-]: share of the friction that is compensated; in [0, 2]; default 1"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def force(self, velocity: np.ndarray) -> Any:
        """The force [N] to add, for one velocity or an array."""
    @property
    def slope_at_rest(self) -> float:
        """[N s/m]"""

class AsymmetricIdentifier:
    """Learns Coulomb and viscous friction of both directions while the drive runs.
    
    Parameters, all by keyword:
        inertia [kg]: J, mass or inertia of the drive; > 0 and finite
        min_velocity [m/s]: v_min, below which samples are ignored; > 0 and finite
        filter_time [s]: τ, of the filter on both sides; > 0 and finite
        memory [s]: time constant with which old data are forgotten; > 0, or inf; default inf
        coulomb_deviation [-]: standard deviation of the first guess of F_C; > 0 and finite; default 1
        viscous_deviation [s/m]: standard deviation of the first guess of F_v; > 0 and finite; default 1"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> AsymmetricIdentifier:
        """A snapshot, with the state."""
    @property
    def friction(self) -> dict:
        """What was learned so far [N], [N s/m]."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, force: Any, velocity: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, force: float, velocity: float, dt: float) -> float:
        """One sample; gives the Coulomb friction forwards [N] so far."""

class Compensator:
    """The friction of any scalar model, at the measured or the wanted velocity."""
    def __init__(self, model: scalar.Model, **kwargs: Any) -> None:
        """scale [-] multiplies the friction; saturation_velocity [m/s] for models that jump."""
    def copy(self) -> Compensator:
        """A snapshot, with the state."""
    def run(self, velocity: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, dt: float) -> float:
        """The force [N] to add at this velocity [m/s]."""

class Detection:
    """What the error of a loop says about friction."""
    @property
    def confidence(self) -> float:
        ...
    @property
    def effective_samples(self) -> float:
        ...
    @property
    def excess_kurtosis(self) -> float:
        ...
    @property
    def explained(self) -> float:
        ...
    @property
    def kurtosis_spread(self) -> float:
        ...
    @property
    def largest(self) -> float:
        ...
    @property
    def reason(self) -> str:
        ...
    @property
    def reversal_effect(self) -> float:
        ...
    @property
    def reversal_p(self) -> float:
        ...
    @property
    def reversal_spread(self) -> float:
        ...
    @property
    def reversals(self) -> int:
        ...
    @property
    def rms(self) -> float:
        ...
    @property
    def samples(self) -> int:
        ...
    @property
    def tail_p(self) -> float:
        ...
    @property
    def verdict(self) -> str:
        ...

class Encoder:
    """A position rounded to whole counts.
    
    Parameters, all by keyword:
        counts [-]: counts per revolution; a whole number from 1 to 2^32 - 1
        revolution [rad]: one revolution; of a linear scale, the length of that many counts [m]; > 0 and finite; default 6.28319"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def read(self, position: np.ndarray) -> Any:
        """Of one position or an array."""
    @property
    def resolution(self) -> float:
        """[rad]"""

class Knocker:
    """Short pulses in the direction of the control signal.
    
    Parameters, all by keyword:
        amplitude [N]: A; >= 0 and finite
        period [s]: T, from one pulse to the next; > 0 and finite
        width [s]: τ <= T, length of a pulse; > 0 and finite"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> Knocker:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, control: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, control: float, dt: float) -> float:
        """The force [N] to hold for dt [s] beside the control."""

class LuGreObserver:
    """LuGre friction estimated by an observer that the loop's error drives.
    
    Parameters, all by keyword:
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1
        headroom [-]: largest deflection over F_S/σ0; >= 1 and finite; default 4"""
    def __init__(self, model: scalar.Model, **kwargs: Any) -> None:
        ...
    @property
    def bristle(self) -> float:
        """[m]"""
    @bristle.setter
    def bristle(self, value: Any) -> None: ...
    def copy(self) -> LuGreObserver:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, velocity: Any, error: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, error: float, dt: float) -> float:
        """The friction [N] estimated at this sample."""

class MracCoulomb:
    """A velocity loop that learns Coulomb and viscous friction by a reference model.
    
    Parameters, all by keyword:
        inertia [kg]: J, mass or inertia of the drive; > 0 and finite
        bandwidth [1/s]: a, of the reference model; > 0 and finite
        coulomb_gain [N/m]: γ, adaptation of the Coulomb level; >= 0 and finite
        viscous_gain [kg/m]: γ_v, adaptation of the viscous coefficient; >= 0 and finite; default 0
        saturation_velocity [m/s]: v_s, where s(v) reaches 1; > 0 and finite
        max_coulomb [N]: bound on the Coulomb level; > 0, or inf; default inf
        max_viscous [N s/m]: bound on the viscous coefficient; > 0, or inf; default inf"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> MracCoulomb:
        """A snapshot, with the state."""
    @property
    def coulomb(self) -> float:
        """[N]"""
    @property
    def error(self) -> float:
        """v - v_m [m/s]"""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, reference: Any, velocity: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, reference: float, velocity: float, dt: float) -> float:
        """The whole command [N] to hold for dt [s]."""
    @property
    def viscous(self) -> float:
        """[N s/m]"""

class PassivityVerdict:
    """Whether a transfer function is positive real."""
    @property
    def frequency(self) -> float:
        """Where the real part is least [rad/s]."""
    @property
    def passive(self) -> bool:
        ...
    @property
    def real_part(self) -> float:
        ...
    @property
    def text(self) -> str:
        ...

class PathCompensator:
    """Dahl's or Bliman and Sorine's model driven by the way covered."""
    def __init__(self, model: scalar.Model, **kwargs: Any) -> None:
        """dead_band [m]; share [-] of the friction that is compensated."""
    def copy(self) -> PathCompensator:
        """A snapshot, with the state."""
    def step(self, position: float) -> float:
        """The force [N] at this position [m]."""

class Pid:
    """PI and PID control with limits and anti-windup.
    
    Parameters, all by keyword:
        proportional [N/m]: K_p; finite
        integral [N/(m s)]: K_i; finite; default 0
        derivative [N s/m]: K_d; finite; default 0
        derivative_corner [rad/s]: corner of the derivative filter, if the rate is not given; > 0, or inf; default inf
        tracking_time [s]: T_t, anti-windup (0: at once); >= 0 and finite; default 0
        min_output [N]: lower limit of the output; a number, or inf; default -inf
        max_output [N]: upper limit of the output; a number, or inf; default inf"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> Pid:
        """A snapshot, with the state."""
    @property
    def integral(self) -> float:
        """[N]"""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, error: Any, error_rate: Any, feed_forward: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, error: float, error_rate: float, feed_forward: float, dt: float) -> float:
        """The output [N] for an error, its rate and a feed-forward, to be held for dt [s]."""
    def step_error(self, error: float, dt: float) -> float:
        """Where the rate is not known: its filtered difference."""

class SineDither:
    """A sine that is added.
    
    Parameters, all by keyword:
        amplitude [N]: A; >= 0 and finite
        period [s]: T; > 0 and finite"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> SineDither:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict:
        ...
    def step(self, dt: float) -> float:
        """The force [N] to hold for dt [s]."""

class SquareDither:
    """A square wave that is added.
    
    Parameters, all by keyword:
        amplitude [N]: A; >= 0 and finite
        period [s]: T; > 0 and finite"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> SquareDither:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict:
        ...
    def step(self, dt: float) -> float:
        """The force [N] to hold for dt [s]."""

class VelocityEstimator:
    """Velocity from sampled positions.
    
    Parameters, all by keyword:
        corner [rad/s]: ω, corner of the filter (inf: no filter); > 0, or inf; default inf"""
    def __init__(self, **kwargs: Any) -> None:
        ...
    def copy(self) -> VelocityEstimator:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict:
        ...
    def run(self, position: Any, dt: float) -> np.ndarray:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, position: float, dt: float) -> float:
        """The velocity [m/s] at this sample."""

def bliman_sorine_features(model: scalar.Model, settled_share: float = 0.05) -> dict:
    """Of its loop after a reversal [N], [m]."""

def detect_friction(error: Any, reference: Any = None, loop: str = 'position', significance: float = 0.01, slides: bool = False) -> Detection:
    """Does the error of a control loop, sampled evenly, show friction?"""

def identify_bliman_sorine(position: Any, force: Any, settled_share: float = 0.05) -> dict:
    """Bliman and Sorine's second-order model from a slow loop: positions [m] and friction [N]."""

def passivity(model: scalar.Model, mass: float, loop: str = 'position', **kwargs: Any) -> tuple:
    """Is compensation of LuGre friction by an observer covered by the passivity theorem, in a loop with PID gains (proportional, integral, derivative)? (verdict, [(condition, left, right, holds)])."""

def positive_real(numerator: list[float], denominator: list[float]) -> PassivityVerdict:
    """Coefficients from the highest power of s down, at most 9."""
