// The box between two fingers of Figs. 26 to 35.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "stiction/sim/planar_body.h"

namespace stiction::lab {

using NormalForce = std::function<double(double interval)>;  // of the intervals of 10 ms, 0, 1, …

/// Sine or dip; the dip's depth is at the threshold of slipping in case 1.
inline NormalForce sine(double mean, double amplitude) {
  return [=](double i) { return mean + amplitude * std::sin(4 * std::numbers::pi * 0.01 * i); };
}
inline NormalForce dip(double low, double high, double from) {
  return [=](double i) { return i > from && i < 50 ? low : high; };
}

struct Hold {
  double mass_at;  // centre of mass, along x from the middle of the contact [m]
  NormalForce normal_force;
};

inline sim::PlanarBody held_box(const Hold& hold) {
  sim::PlanarBody body;
  body.mass = 0.2;
  body.inertia = body.mass / 12 * (0.15 * 0.15 + 0.08 * 0.08);
  body.gravity = {0, -9.81};
  body.contacts = 2;
  body.normal_force = [force = hold.normal_force](double t) { return force(std::floor(t / 0.01)); };
  for (int i = 1; i < 200; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return body;
}

/// The largest distance between the centres of mass over the largest displacement from the start; the same for angles.
struct Apart {
  double position = 0, angle = 0;
};
inline Apart apart(const sim::PlanarRun& truth, const sim::PlanarRun& model, const Hold& hold) {
  Apart between;
  Apart longest;
  for (std::size_t i = 0; i < truth.rows.size(); ++i) {
    const sim::PlanarState& a = truth.rows[i].state;
    const sim::PlanarState& b = model.rows[i].state;
    between.position = std::max(between.position, std::hypot(a.position.x - b.position.x, a.position.y - b.position.y));
    between.angle = std::max(between.angle, std::abs(a.angle - b.angle));
    longest.position = std::max(longest.position, std::hypot(a.position.x - hold.mass_at, a.position.y));
    longest.angle = std::max(longest.angle, std::abs(a.angle));
  }
  return {between.position / longest.position, between.angle / longest.angle};
}

template <class Of>
std::vector<double> column(const sim::PlanarRun& run, const Of& of) {
  std::vector<double> values;
  for (const auto& row : run.rows) {
    values.push_back(of(row));
  }
  return values;
}

}  // namespace stiction::lab
