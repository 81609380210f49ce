#!/usr/bin/env python3
"""A hand for `stiction haptic` with `kind = "udp"`: sends poses, gives way to the forces that come back.

  stiction haptic SCENE.toml --realtime      in one terminal, with port = 4567 in [hand] and a duration in [run]
  examples/haptics/udp_hand.py --port 4567 --at 0 0 0.06 --to 0 0 0.045      in another

The hand goes from one place to the other and back, again and again. The packets are those of docs/haptics/devices.md.
"""
import argparse
import math
import socket
import struct
import time

POSE = struct.Struct("<4sHHQd3d4d")  # magic, version, kind, sequence, seconds, position, quaternion w x y z
FORCE = struct.Struct("<4sHHQd3d3dII")  # magic, version, kind, sequence, seconds, force, torque, phase, safe
assert POSE.size == FORCE.size == 80
PHASES = ["free", "held", "slides", "fault"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--at", type=float, nargs=3, default=[0, 0, 0.06], help="one end of the way [m]")
    parser.add_argument("--to", type=float, nargs=3, default=[0, 0, 0.04], help="the other end [m]")
    parser.add_argument("--period", type=float, default=4, help="there and back [s]")
    parser.add_argument("--seconds", type=float, default=10, help="how long")
    parser.add_argument("--rate", type=float, default=500, help="poses a second")
    parser.add_argument("--stiffness", type=float, default=400, help="of the hand, by which it gives way [N/m]")
    arguments = parser.parse_args()

    device = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    device.connect((arguments.host, arguments.port))
    device.setblocking(False)
    start = time.monotonic()
    force, phase, safe, answers = (0.0, 0.0, 0.0), 0, 1, 0
    yielded = [0.0, 0.0, 0.0]
    steps = int(arguments.seconds * arguments.rate)
    for sequence in range(1, steps + 1):
        due = start + sequence / arguments.rate
        time.sleep(max(0.0, due - time.monotonic()))
        now = time.monotonic() - start
        share = 0.5 - 0.5 * math.cos(2 * math.pi * now / arguments.period)
        # A twentieth of the way to where its spring and the force agree: slower than the loop, so that both are calm
        yielded = [y + 0.05 * (f / arguments.stiffness - y) for y, f in zip(yielded, force)]
        position = [a + share * (b - a) + y for a, b, y in zip(arguments.at, arguments.to, yielded)]
        try:
            device.send(POSE.pack(b"STIC", 1, 1, sequence, now, *position, 1.0, 0.0, 0.0, 0.0))
            while True:
                packet = device.recv(200)
                if len(packet) != FORCE.size:
                    continue
                magic, version, kind, _, _, *numbers = FORCE.unpack(packet)
                if (magic, version, kind) == (b"STIC", 1, 2):
                    force, phase, safe = tuple(numbers[:3]), numbers[6], numbers[7]
                    answers += 1
        except BlockingIOError:
            pass
        except ConnectionRefusedError:
            force = (0.0, 0.0, 0.0)  # nobody listens there yet, or any more
        if sequence % max(1, int(arguments.rate / 4)) == 0:
            name = "safe" if safe else PHASES[phase]
            print(f"{now:6.2f} s  {name:6}  force {force[0]:8.3f} {force[1]:8.3f} {force[2]:8.3f} N", flush=True)
    print(f"{steps} poses sent, {answers} answers")
    return 0 if answers else 1


if __name__ == "__main__":
    raise SystemExit(main())
