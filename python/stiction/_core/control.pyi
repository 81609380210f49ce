# Written by python/make_stubs.py from the extension: do not edit.
"""Compensation, observers, detection and passivity."""

from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from stiction import results as _results

from . import scalar as _scalar
class AdaptiveCompensator:
    """LuGre compensation that learns how large the friction is.
    
    Parameters, all by keyword:
        mass [kg]: J, mass or inertia of the body; > 0 and finite
        adaptation [1/m^2]: γ, adaptation gain of θ̂; >= 0 and finite
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        min_theta [-]: lower limit of θ̂·φ; > 0 and finite; default 0.1
        max_theta [-]: upper limit of θ̂·φ; > 0 and finite; default 4
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1"""
    fields: tuple[_results.Field, ...]
    def __init__(self, model: _scalar.Model, *, mass: float, adaptation: float, gain: float, min_theta: float = ..., max_theta: float = ..., scale: float = ...) -> None:
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
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, velocity: ArrayLike, position: ArrayLike, error: ArrayLike, applied: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, position: float, error: float, applied: float, dt: float) -> float:
        """The friction [N] estimated at this sample; `applied` acted since the last one [N]."""
    @property
    def theta(self) -> npt.NDArray[np.float64]:
        """What was learned [-]."""

class AdaptiveHarmonicCompensator:
    """The same with friction that varies over one revolution of a shaft.
    
    Parameters, all by keyword:
        mass [kg]: J, mass or inertia of the body; > 0 and finite
        adaptation [1/m^2]: γ, adaptation gain of θ̂; >= 0 and finite
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        min_theta [-]: lower limit of θ̂·φ; > 0 and finite; default 0.1
        max_theta [-]: upper limit of θ̂·φ; > 0 and finite; default 4
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1"""
    fields: tuple[_results.Field, ...]
    def __init__(self, model: _scalar.Model, *, mass: float, adaptation: float, gain: float, min_theta: float = ..., max_theta: float = ..., scale: float = ...) -> None:
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
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, velocity: ArrayLike, position: ArrayLike, error: ArrayLike, applied: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, position: float, error: float, applied: float, dt: float) -> float:
        """The friction [N] estimated at this sample; `applied` acted since the last one [N]."""
    @property
    def theta(self) -> npt.NDArray[np.float64]:
        """What was learned [-]."""

class AsymmetricCompensator:
    """Static friction that differs between the directions.
    
    Parameters, all by keyword:
        coulomb_plus [N]: F_C for v > 0; >= 0 and finite
        viscous_plus [N s/m]: F_v for v > 0; >= 0 and finite; default 0
        coulomb_minus [N]: F_C for v < 0; >= 0 and finite
        viscous_minus [N s/m]: F_v for v < 0; >= 0 and finite; default 0
        saturation_velocity [m/s]: v_s, where s(v) reaches 1; > 0 and finite
        share [-]: share of the friction that is compensated; in [0, 2]; default 1"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, coulomb_plus: float, coulomb_minus: float, saturation_velocity: float, viscous_plus: float = ..., viscous_minus: float = ..., share: float = ...) -> None:
        ...
    @overload
    def force(self, velocity: float) -> float:  # type: ignore[overload-overlap, unused-ignore]
        """The force [N] to add at a velocity [m/s]."""
    @overload
    def force(self, velocity: ArrayLike) -> npt.NDArray[np.float64]:
        """Of an array."""
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
    fields: tuple[_results.Field, ...]
    def __init__(self, *, inertia: float, min_velocity: float, filter_time: float, memory: float = ..., coulomb_deviation: float = ..., viscous_deviation: float = ...) -> None:
        ...
    def copy(self) -> AsymmetricIdentifier:
        """A snapshot, with the state."""
    @property
    def friction(self) -> _results.DirectionalFriction:
        """What was learned so far [N], [N s/m]."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, force: ArrayLike, velocity: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, force: float, velocity: float, dt: float) -> float:
        """One sample; gives the Coulomb friction forwards [N] so far."""

class Compensator:
    """The friction of any scalar model, at the measured or the wanted velocity."""
    fields: tuple[_results.Field, ...]
    def __init__(self, model: _scalar.Model, *, scale: float = ..., saturation_velocity: float = ...) -> None:
        """scale [-] multiplies the friction; saturation_velocity [m/s] for models that jump."""
    def copy(self) -> Compensator:
        """A snapshot, with the state."""
    def run(self, velocity: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, velocity: float, dt: float) -> float:
        """The force [N] to add at this velocity [m/s]."""

class Detection:
    """What the error of a loop says about friction."""
    @property
    def confidence(self) -> float:
        """In the verdict, 0 to 0.999; 0 if it cannot tell."""
    @property
    def effective_samples(self) -> float:
        """Of independent samples, given their correlation."""
    @property
    def excess_kurtosis(self) -> float:
        """Of the residual: 0 for Gaussian, above 0 for heavy tails [-]."""
    @property
    def explained(self) -> float:
        """Share of its variance that follows the reference linearly [-]."""
    @property
    def kurtosis_spread(self) -> float:
        """Its standard deviation for a Gaussian residual [-]."""
    @property
    def largest(self) -> float:
        """Magnitude of the error [as the error]."""
    @property
    def reason(self) -> str:
        """The verdict in words."""
    @property
    def reversal_effect(self) -> float:
        """Mean error that changes sign with the reversals, over the rms of the residual [-]."""
    @property
    def reversal_p(self) -> float:
        """Probability of the effect without friction."""
    @property
    def reversal_spread(self) -> float:
        """Its standard deviation [-]."""
    @property
    def reversals(self) -> int:
        """Of the reference."""
    @property
    def rms(self) -> float:
        """Of the error, without its mean [as the error]."""
    @property
    def samples(self) -> int:
        """How many were used."""
    @property
    def tail_p(self) -> float:
        """Probability of the tails without friction."""
    @property
    def verdict(self) -> Literal['friction', 'no friction', 'cannot tell']:
        """'friction', 'no friction' or 'cannot tell'."""

class Encoder:
    """A position rounded to whole counts.
    
    Parameters, all by keyword:
        counts [-]: counts per revolution; a whole number from 1 to 2^32 - 1
        revolution [rad]: one revolution; of a linear scale, the length of that many counts [m]; > 0 and finite; default 6.28319"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, counts: float, revolution: float = ...) -> None:
        ...
    @overload
    def read(self, position: float) -> float:  # type: ignore[overload-overlap, unused-ignore]
        """The position [rad] as it is read."""
    @overload
    def read(self, position: ArrayLike) -> npt.NDArray[np.float64]:
        """Of an array."""
    @property
    def resolution(self) -> float:
        """[rad]"""

class Knocker:
    """Short pulses in the direction of the control signal.
    
    Parameters, all by keyword:
        amplitude [N]: A; >= 0 and finite
        period [s]: T, from one pulse to the next; > 0 and finite
        width [s]: τ <= T, length of a pulse; > 0 and finite"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, amplitude: float, period: float, width: float) -> None:
        ...
    def copy(self) -> Knocker:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, control: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, control: float, dt: float) -> float:
        """The force [N] to hold for dt [s] beside the control."""

class LuGreObserver:
    """LuGre friction estimated by an observer that the loop's error drives.
    
    Parameters, all by keyword:
        gain [1/s]: k, weight of the loop's error (1/m for a velocity); >= 0 and finite
        scale [-]: s, multiplies all forces; >= 0 and finite; default 1
        headroom [-]: largest deflection over F_S/σ0; >= 1 and finite; default 4"""
    fields: tuple[_results.Field, ...]
    def __init__(self, model: _scalar.Model, *, gain: float, scale: float = ..., headroom: float = ...) -> None:
        ...
    @property
    def bristle(self) -> float:
        """[m]"""
    @bristle.setter
    def bristle(self, value: float) -> None: ...
    def copy(self) -> LuGreObserver:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, velocity: ArrayLike, error: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
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
    fields: tuple[_results.Field, ...]
    def __init__(self, *, inertia: float, bandwidth: float, coulomb_gain: float, saturation_velocity: float, viscous_gain: float = ..., max_coulomb: float = ..., max_viscous: float = ...) -> None:
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
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, reference: ArrayLike, velocity: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
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
        """Whether it is positive real."""
    @property
    def real_part(self) -> float:
        """There; 0 where none is negative."""
    @property
    def text(self) -> str:
        """The verdict in words."""

class PathCompensator:
    """Dahl's or Bliman and Sorine's model driven by the way covered."""
    fields: tuple[_results.Field, ...]
    def __init__(self, model: _scalar.Model, *, dead_band: float = ..., share: float = ...) -> None:
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
    fields: tuple[_results.Field, ...]
    def __init__(self, *, proportional: float, integral: float = ..., derivative: float = ..., derivative_corner: float = ..., tracking_time: float = ..., min_output: float = ..., max_output: float = ...) -> None:
        ...
    def copy(self) -> Pid:
        """A snapshot, with the state."""
    @property
    def integral(self) -> float:
        """[N]"""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, error: ArrayLike, error_rate: ArrayLike, feed_forward: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
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
    fields: tuple[_results.Field, ...]
    def __init__(self, *, amplitude: float, period: float) -> None:
        ...
    def copy(self) -> SineDither:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def step(self, dt: float) -> float:
        """The force [N] to hold for dt [s]."""

class SquareDither:
    """A square wave that is added.
    
    Parameters, all by keyword:
        amplitude [N]: A; >= 0 and finite
        period [s]: T; > 0 and finite"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, amplitude: float, period: float) -> None:
        ...
    def copy(self) -> SquareDither:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def step(self, dt: float) -> float:
        """The force [N] to hold for dt [s]."""

class VelocityEstimator:
    """Velocity from sampled positions.
    
    Parameters, all by keyword:
        corner [rad/s]: ω, corner of the filter (inf: no filter); > 0, or inf; default inf"""
    fields: tuple[_results.Field, ...]
    def __init__(self, *, corner: float = ...) -> None:
        ...
    def copy(self) -> VelocityEstimator:
        """A snapshot, with the state."""
    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
    def run(self, position: ArrayLike, dt: float) -> npt.NDArray[np.float64]:
        """`step` for each sample in turn, arrays of shape (n,); gives (n,)."""
    def step(self, position: float, dt: float) -> float:
        """The velocity [m/s] at this sample."""

def bliman_sorine_features(model: _scalar.Model, settled_share: float = 0.05) -> _results.BlimanSorineFeatures:
    """Of its loop after a reversal [N], [m]."""

def detect_friction(error: ArrayLike, reference: ArrayLike | None = None, loop: Literal['position', 'velocity'] = 'position', significance: float = 0.01, slides: bool = False) -> Detection:
    """Does the error of a control loop, sampled evenly, show friction?"""

def identify_bliman_sorine(position: ArrayLike, force: ArrayLike, settled_share: float = 0.05) -> _results.BlimanSorineFit:
    """Bliman and Sorine's second-order model from a slow loop: positions [m] and friction [N]."""

def passivity(model: _scalar.Model, mass: float, loop: Literal['position', 'velocity'] = 'position', **kwargs: float) -> tuple[PassivityVerdict, list[tuple[str, float, float, bool]]]:
    """Is compensation of LuGre friction by an observer covered by the passivity theorem, in a loop with PID gains (proportional, integral, derivative)? (verdict, [(condition, left, right, holds)])."""

def positive_real(numerator: Sequence[float], denominator: Sequence[float]) -> PassivityVerdict:
    """Coefficients from the highest power of s down, at most 9."""
