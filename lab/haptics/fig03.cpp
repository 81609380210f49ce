// The friction cone and the pyramid that approximates it.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "../lab.h"
#include "stiction/spatial/static_friction.h"
#include "stiction/viz/picture.h"

namespace stiction::lab::haptics_fig03 {
namespace {

using geometry::Mesh;

/// A pyramid of height 1 with its apex at the origin, whose section is a regular polygon with that circumradius.
Mesh cone(std::uint32_t sides, double radius, double phase) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}};
  for (std::uint32_t i = 0; i < sides; ++i) {
    const double angle = phase + 2 * std::numbers::pi * i / sides;
    mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), 1});
  }
  for (std::uint32_t i = 0; i < sides; ++i) {
    const std::uint32_t a = 2 + i;
    const std::uint32_t b = 2 + (i + 1) % sides;
    mesh.triangles.push_back({0, b, a});
    mesh.triangles.push_back({1, a, b});
  }
  return mesh;
}

/// The largest tangential load that a contact with a normal force of 1 N can hold, by direction.
struct Strength {
  double minimum, maximum;
  std::vector<double> by_direction = {};  // [N], even steps of the angle
};
constexpr int directions = 720;
Strength strength(int sides, double friction) {
  spatial::StaticFriction solver(3, sides);
  Strength result{1e300, 0};
  for (int i = 0; i < directions; ++i) {
    const double angle = 2 * std::numbers::pi * i / directions;
    spatial::Contact contact;
    contact.normal_force = 1;
    contact.friction = friction;
    contact.u = {1, 0, 0};
    spatial::Load load;
    load.wrench = {std::cos(angle), std::sin(angle), 0, 0, 0, 0};
    for (std::size_t k = 0; k < 6; ++k) {
      load.gradient[k][k] = -1;
      load.mass[k][k] = 1;
    }
    if (!solver.set(std::array{contact}, load)) {
      continue;
    }
    const double held = solver.verdict({}, true).factor;
    result.minimum = std::min(result.minimum, held);
    result.maximum = std::max(result.maximum, held);
    result.by_direction.push_back(held);
  }
  return result;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  constexpr double friction = 0.8;
  result.notes =
      "Eq. 13's pyramid stands around the cone: along its edges it holds 1/cos(π/ℓ) of what the cone holds. The load "
      "that one contact holds is asked of the solver in 720 directions.";
  Table table{"strength",
              {{"sides [-]", std::vector<double>{}},
               {"least [N]", std::vector<double>{}},
               {"most [N]", std::vector<double>{}},
               {"1/cos(pi/l) [-]", std::vector<double>{}}},
              true};
  const auto add = [&](const std::array<double, 4>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(row.at(k));
    }
  };
  Table by_direction{"by_direction", {{"direction [deg]", std::vector<double>{}}}};
  for (int i = 0; i < directions; ++i) {
    std::get<std::vector<double>>(by_direction.columns[0].values).push_back(360.0 * i / directions);
  }
  Figure figure{"strength",
                "What one contact holds, pressed with 1 N, by the direction of the load",
                "direction [deg]",
                "load [N]",
                {}};
  for (const int sides : {4, 8, 16}) {
    context.step(sides / 32.0);
    const Strength held = strength(sides, friction);
    by_direction.columns.push_back({fmt::format("{} sides [N]", sides), held.by_direction});
    figure.series.push_back({"by_direction", 0, by_direction.columns.size() - 1, fmt::format("{} sides", sides)});
    const double edge = 1 / std::cos(std::numbers::pi / sides);
    add({static_cast<double>(sides), held.minimum, held.maximum, edge});
    result.claims.push_back(within(fmt::format("ℓ = {}: strength along an edge over the cone's", sides),
                                   from_theory("eq. 13: 1/cos(π/ℓ)"), edge, held.maximum / friction, 1e-4, "-"));
    result.claims.push_back(within(fmt::format("ℓ = {}: strength across a side over the cone's", sides),
                                   from_theory("eq. 13: 1"), 1, held.minimum / friction, 1e-4, "-"));
  }
  result.tables.push_back(table);
  result.tables.push_back(by_direction);
  result.figures.push_back(figure);
  const Mesh round = cone(96, friction, 0);
  for (const std::uint32_t sides : {4U, 8U}) {
    // Its corners are at θ_j ± π/ℓ, with θ_j = (2j + 1)π/ℓ
    const Mesh pyramid = cone(sides, friction / std::cos(std::numbers::pi / sides), 0);
    const std::array<viz::PictureBody, 2> bodies{
        {{.mesh = &round, .pose = {}, .colour = {0.9, 0.55, 0.15}, .opacity = 1},
         {.mesh = &pyramid, .pose = {}, .colour = {0.3, 0.45, 0.75}, .opacity = 0.35}}};
    result.pictures.push_back(
        {fmt::format("pyramid_{}", sides),
         fmt::format("The friction cone in its pyramid of {} sides, μ = {}", sides, friction),
         viz::to_png(viz::draw(bodies, {}, viz::camera_around(geometry::bounds(pyramid), {0.5, -1, 0.5}),
                               {.width = 640, .height = 480}))});
  }
  return result;
}

}  // namespace stiction::lab::haptics_fig03
