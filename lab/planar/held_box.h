// The box between two fingers of Figs. 26 to 35.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numbers>
#include <string>
#include <vector>

#include "../lab.h"
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
std::vector<double> column_of(const sim::PlanarRun& run, const Of& of) {
  std::vector<double> values;
  for (const auto& row : run.rows) {
    values.push_back(of(row));
  }
  return values;
}

/// Pose of the centre of mass and wrench of one finger, as columns of a table.
enum class MotionPart { x, y, angle, force_x, force_y, torque };
inline constexpr std::size_t part_count = 6;
inline void add_motion(Table& table, const std::string& name, const sim::PlanarRun& run) {
  const auto add = [&](const char* what, const char* unit, const auto& of) {
    table.columns.push_back({std::string(what) + ", " + name + " [" + unit + "]", column_of(run, of)});
  };
  add("x", "m", [](const auto& row) { return row.state.position.x; });
  add("y", "m", [](const auto& row) { return row.state.position.y; });
  add("angle", "rad", [](const auto& row) { return row.state.angle; });
  add("fx", "N", [](const auto& row) { return row.wrench.x; });
  add("fy", "N", [](const auto& row) { return row.wrench.y; });
  add("torque", "N m", [](const auto& row) { return row.wrench.torque; });
}

/// A run in a table of motions: its label, and its first column.
struct ShownRun {
  std::string table;
  std::size_t first;
  std::string label;
  std::string style = "lines";
};
/// Panels of a figure over the time, one for each part: the curves of all runs.
inline void add_panels(Figure& figure, const std::vector<ShownRun>& runs, std::initializer_list<MotionPart> parts) {
  constexpr std::array labels{"x [m]",       "y [m]", "angle [rad]", "force along x [N]", "force along y [N]",
                              "torque [N m]"};
  figure.panels_in_a_row = 1;
  for (const MotionPart part : parts) {
    const auto at = static_cast<std::size_t>(part);
    for (const ShownRun& run : runs) {
      figure.series.push_back({run.table, 0, run.first + at, run.label, run.style, labels.at(at)});
    }
  }
}

/// Where a pose is drawn in a figure of the paper at the end of the run, read from its vector drawing.
struct DrawnPose {
  double x, y, angle;
};
/// Half the width of a line in such a figure, in the units of its axes.
struct HalfLine {
  double x, y, angle;
};

}  // namespace stiction::lab
