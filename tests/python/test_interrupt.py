"""Ctrl-C reaches every long call within a moment, whatever threads the call uses."""

import os
import signal
import subprocess
import sys
import time

import pytest

START = """
import sys
import numpy as np
import stiction
from stiction import geometry, haptics, scalar, sim
servo = scalar.preset("olsson-1998-table2")
spring = dict(spring_stiffness=1e6, position=1.0)
free = scalar.Coulomb(coulomb_force=0.0)
source = sys.argv[1]
def planar(method):
    return stiction.simulate({
        "patch": {"shape": "disc", "radius": 0.02}, "friction": {"preset": "waltersson-p0"},
        "contact": {"model": "distributed", "normal_force": 5.0},
        "body": {"mass": 0.5, "inertia": 1e-4, "velocity": [0.5, 0.0]},
        "load": {"fx": {"type": "sine", "amplitude": 6.0, "frequency": 20.0}},
        "integrator": {"duration": 5e4, "method": method}})
"""

CALLS = {
    "body, accurate": "sim.body(free, 1.0, 1e4, output_interval=1.0, **spring)",
    "body, fixed steps": "sim.body(servo, 1.0, 9e4, method='sdirk2', output_interval=1.0)",
    "two bodies": "sim.two_bodies(servo, (1.0, 1.0), 9e4, method='sdirk2', output_interval=1.0)",
    "drive": "sim.drive(servo, 0.1, 9e4, method='midpoint', output_interval=1.0)",
    "scenario": "stiction.simulate({'model': servo, 'body': {'mass': 1.0}, 'integrator': {'duration': 9e4}})",
    "patch, accurate": "planar('accurate')",
    "patch, fixed steps": "planar('fixed')",
    "identify": "stiction.identify([f'{source}/tests/data/id_{n}.csv' for n in ('A_sweep', 'B_presliding', 'C_motion')])",
    "reproduce": "stiction.reproduce('scalar/stiction-gate')",
    "haptic run": "haptics.Scene('cube-and-corner').run(duration=1e5, every=100000)",
    "distance field": "geometry.DistanceField(geometry.scene('engine-bay')['fixed'], resolution=900)",
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_stops(name, source, tmp_path):
    code = START + f"""
try:
    print("started", flush=True)
    {CALLS[name]}
except KeyboardInterrupt:
    print("stopped", flush=True)
else:
    print("ended by itself", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
    try:
        assert process.stdout.readline() == "started\n", process.stderr.read()
        time.sleep(1.5)
        assert process.poll() is None, process.communicate()
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=30)
        assert (printed, complaint) == ("stopped\n", "")
        assert time.monotonic() - start < 3  # the machine may be busy
    finally:
        process.kill()
        process.wait()


def test_another_signal_handler_runs_while_a_call_goes_on(source):
    code = START + """
import signal, time
seen = []
signal.signal(signal.SIGALRM, lambda number, frame: seen.append(time.monotonic()))
signal.setitimer(signal.ITIMER_REAL, 0.2)
start = time.monotonic()
sim.body(servo, 1.0, 5e3, method='sdirk2', output_interval=1.0)
end = time.monotonic()
print(len(seen), seen[0] - start < 0.7 * (end - start) or end - start < 0.5)
"""
    printed = subprocess.run([sys.executable, "-c", code, str(source)], check=True, capture_output=True, text=True).stdout
    assert printed == "1 True\n"


def test_long_calls_work_in_other_threads(source):
    code = START + """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    runs = list(pool.map(lambda mass: sim.body(servo, mass, 1.0, force=0.5), [1.0, 1.0, 2.0, 2.0]))
print(all(np.array_equal(runs[0][k], runs[1][k]) for k in runs[0]), np.array_equal(runs[1]["velocity"], runs[2]["velocity"]))
"""
    printed = subprocess.run([sys.executable, "-c", code, str(source)], check=True, capture_output=True, text=True).stdout
    assert printed == "True False\n"
