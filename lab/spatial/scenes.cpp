#include "scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/vector.h"

namespace stiction::lab {
namespace {

using spatial::Contact;

constexpr double half_side = 0.05;   // of the cube [m]
constexpr double peg_radius = 0.02;  // [m]
constexpr double peg_half = 0.05;    // half its height [m]
constexpr double all_forces = 30;    // [N]
constexpr double stiffest = 2000;    // of one contact [N/m]
constexpr double soft_from = 20;     // contacts; with more, each is softer, so that their sum is constant

Contact contact_of(Family family, std::size_t of, std::int64_t key, Random& random) {
  Contact c;
  const double a = 2 * random.uniform() - 1;
  const double b = 2 * random.uniform() - 1;
  if (family == Family::cube_in_corner) {
    const auto face = static_cast<std::size_t>(3 * random.uniform());
    c.normal = {};
    c.normal[face] = 1;
    c.arm[face] = -half_side;
    c.arm[(face + 1) % 3] = half_side * a;
    c.arm[(face + 2) % 3] = half_side * b;
  } else {
    const double angle = std::numbers::pi * a;
    c.arm = {peg_radius * std::cos(angle), peg_radius * std::sin(angle), peg_half * b};
    c.normal = {-std::cos(angle), -std::sin(angle), 0};
  }
  c.normal_force = all_forces / static_cast<double>(of) * (0.2 + 1.6 * random.uniform());
  c.friction = 0.3 + 0.5 * random.uniform();
  c.key = key;
  return c;
}

Vector6 random_wrench(Random& random) {
  Vector6 wrench{};
  for (std::size_t i = 0; i < 6; ++i) {
    wrench[i] = random.gaussian() * (i < 3 ? 1 : half_side);
  }
  return wrench;
}

double stiffness_of_one(std::size_t contacts) {
  return stiffest * std::min(1.0, soft_from / static_cast<double>(contacts));
}

}  // namespace

Matrix6 spring_gradient(const std::vector<Contact>& contacts, double contact_stiffness) {
  Matrix6 k{};
  Vector3 normal_force{};
  for (const Contact& c : contacts) {
    const Vector3 t = cross(c.arm, c.normal);
    const Vector6 w{c.normal[0], c.normal[1], c.normal[2], t[0], t[1], t[2]};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        k[i][j] -= contact_stiffness * w[i] * w[j];
      }
    }
    normal_force = sum(normal_force, scaled(c.normal_force, c.normal));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    k[i][i] -= i < 3 ? hand_stiffness : hand_rotational_stiffness;
  }
  // ∂τ/∂x has [F_n]×
  for (std::size_t i = 0; i < 3; ++i) {
    k[3 + i][(i + 1) % 3] -= normal_force[(i + 2) % 3];
    k[3 + i][(i + 2) % 3] += normal_force[(i + 1) % 3];
  }
  return k;
}

ContactScene contact_scene(Family family, std::size_t contacts, Random& random) {
  ContactScene scene{family, {}, {}};
  for (std::size_t i = 0; i < contacts; ++i) {
    scene.contacts.push_back(contact_of(family, contacts, static_cast<std::int64_t>(i), random));
  }
  scene.load.wrench = random_wrench(random);
  scene.load.gradient = spring_gradient(scene.contacts, stiffness_of_one(contacts));
  for (std::size_t i = 0; i < 6; ++i) {
    scene.load.mass[i][i] = i < 3 ? 0.5 : 8e-4;
  }
  scene.load.length = half_side;
  return scene;
}

void load_to_ratio(ContactScene& scene, double ratio, spatial::StaticFriction& solver) {
  if (!solver.set(scene.contacts, scene.load)) {
    return;
  }
  const spatial::Verdict verdict = solver.verdict({}, true);
  // If the bounds do not agree, the one that guarantees the verdict
  const double factor = ratio < 1 ? verdict.factor : verdict.factor_limit;
  for (double& component : scene.load.wrench) {
    component *= ratio * factor;
  }
}

void next_frame(ContactScene& scene, double share, Random& random) {
  const double size = norm(Vector3{scene.load.wrench[0], scene.load.wrench[1], scene.load.wrench[2]});
  const Vector6 step = random_wrench(random);
  for (std::size_t i = 0; i < 6; ++i) {
    scene.load.wrench[i] += share * size * step[i];
  }
  std::int64_t newest = 0;
  for (const Contact& c : scene.contacts) {
    newest = std::max(newest, c.key.value_or(0));
  }
  for (Contact& c : scene.contacts) {
    if (random.uniform() < share) {
      c = contact_of(scene.family, scene.contacts.size(), ++newest, random);
    }
  }
  scene.load.gradient = spring_gradient(scene.contacts, stiffness_of_one(scene.contacts.size()));
}

}  // namespace stiction::lab
