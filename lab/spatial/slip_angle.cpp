// Does friction oppose slip? The angle between the two at sliding contacts, for both metrics of the motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "scenes.h"
#include "stiction/vector.h"

namespace stiction::lab::spatial_slip_angle {
namespace {

using spatial::Metric;
using spatial::StaticFriction;

struct Angles {
  std::vector<double> all;  // between friction and the direction opposite to slip [deg]
};

/// Adds the angles of one solution. Contacts that barely move have no direction of slip.
void add(Angles& angles, const ContactScene& scene, const spatial::Solution& s, const StaticFriction& solver) {
  const Vector3 shift{s.motion[0], s.motion[1], s.motion[2]};
  const Vector3 rotation{s.motion[3], s.motion[4], s.motion[5]};
  std::vector<Vector3> slips;
  double largest = 0;
  for (const auto& c : scene.contacts) {
    const Vector3 displacement = sum(shift, cross(rotation, c.arm));
    slips.push_back(difference(displacement, scaled(dot(displacement, c.normal), c.normal)));
    largest = std::max(largest, norm(slips.back()));
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const auto& contact = solver.contacts()[i];
    if (contact.state != spatial::ContactState::slides || norm(slips[i]) < 1e-2 * largest) {
      continue;
    }
    const double across = norm(cross(contact.friction, slips[i]));
    const double along = -dot(contact.friction, slips[i]);
    angles.all.push_back(std::atan2(across, along) * 180 / std::numbers::pi);
  }
}

}  // namespace

Result run(const Context& context) {
  const std::size_t problems = context.quick ? 40 : 400;
  Result result;
  result.notes =
      "The program as published seeks the motion of least kinetic energy. Its friction is opposite to Wᵀy, but the "
      "slip "
      "is that of Δ = −D⁻¹Kᵀy: the two agree only where mass and stiffness are in proportion. With the elastic energy "
      "of the springs instead, Δ = y, and friction is opposite to slip, as Coulomb's is. A cube in a corner and a peg "
      "in a hole, 30 contacts, sliding; contacts whose slip is below 1 % of the largest are left out.";
  constexpr std::size_t contacts = 30;
  StaticFriction solver(contacts);
  std::array<Angles, 2> angles;
  constexpr std::array metrics{Metric::stiffness, Metric::mass};
  for (std::size_t k = 0; k < problems; ++k) {
    context.step(static_cast<double>(k) / static_cast<double>(problems));
    Random random(k + 1);
    ContactScene scene = contact_scene(k % 2 == 0 ? Family::cube_in_corner : Family::peg_in_hole, contacts, random);
    load_to_ratio(scene, 1.2 + random.uniform(), solver);
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      if (solver.set(scene.contacts, scene.load)) {
        const auto s = solver.solve({.metric = metrics.at(m), .gap = 1e-13, .polish = 6, .warm = false});
        add(angles.at(m), scene, s, solver);
      }
    }
  }
  Table table{"angles",
              {{"share of contacts [-]", std::vector<double>{}},
               {"stiffness metric [deg]", std::vector<double>{}},
               {"mass metric [deg]", std::vector<double>{}}},
              true};
  for (Angles& a : angles) {
    std::sort(a.all.begin(), a.all.end());
  }
  constexpr int steps = 50;
  const auto at = [](const Angles& a, double share) {
    return a.all.at(static_cast<std::size_t>(share * static_cast<double>(a.all.size() - 1)));
  };
  for (int k = 0; k <= steps; ++k) {
    const double share = static_cast<double>(k) / steps;
    std::get<std::vector<double>>(table.columns[0].values).push_back(share);
    std::get<std::vector<double>>(table.columns[1].values).push_back(std::max(1e-9, at(angles[0], share)));
    std::get<std::vector<double>>(table.columns[2].values).push_back(at(angles[1], share));
  }
  result.tables.push_back(table);
  result.claims.push_back(at_least("sliding contacts looked at", requirement("enough to judge by"), 100,
                                   static_cast<double>(angles[0].all.size()), "-"));
  result.claims.push_back(at_most("stiffness metric: largest angle between friction and the way against slip",
                                  from_theory("Coulomb: opposite"), 0, angles[0].all.back(), "deg", 1e-4));
  result.claims.push_back(at_most("mass metric, as published: largest angle between friction and the way against slip",
                                  from_theory("Coulomb: opposite"), 0, angles[1].all.back(), "deg", 1)
                              .as_refuted("least kinetic energy is not Coulomb friction where contacts slide"));
  result.claims.push_back(at_most("mass metric, as published: median of that angle", from_theory("Coulomb: opposite"),
                                  0, at(angles[1], 0.5), "deg", 1)
                              .as_info("depends on the mass, which the published program leaves open"));
  Figure figure{"angles",
                "Angle between friction and the way against slip",
                "share of sliding contacts",
                "angle [deg]",
                {{"angles", 0, 1, "stiffness metric"}, {"angles", 0, 2, "mass metric, as published"}}};
  figure.y_log = true;
  result.figures.push_back(figure);
  return result;
}

}  // namespace stiction::lab::spatial_slip_angle
