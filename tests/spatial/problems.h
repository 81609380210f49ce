// Problems of static friction for the tests: the stored instances with answers of independent code, and random ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "stiction/spatial/static_friction.h"
#include "stiction/vector.h"
#include "support/data_folder.h"

namespace stiction::spatial::test {

struct Problem {
  std::vector<Contact> contacts;
  Load load;
};

struct Instance {
  std::string name;
  Problem problem;
  nlohmann::json reference;
  int rank = 0;

  /// Of the pyramid with so many sides, or of the exact cone.
  [[nodiscard]] const nlohmann::json& answers(int sides) const {
    return reference.at(sides == 0 ? "cone" : "pyramid_" + std::to_string(sides));
  }
};

inline Instance read_instance(const std::filesystem::path& file) {
  const auto all = nlohmann::json::parse(std::ifstream(file));
  Instance result{all.at("name"), {}, all.at("reference"), all.at("derived").at("rank_W")};
  const auto& c = all.at("contacts");
  for (std::size_t i = 0; i < all.at("k").get<std::size_t>(); ++i) {
    Contact contact;
    contact.arm = c.at("r")[i].get<Vector3>();
    contact.normal = c.at("N")[i].get<Vector3>();
    contact.u = c.at("Tu")[i].get<Vector3>();
    contact.friction = c.at("mu")[i].get<double>();
    contact.normal_force = std::abs(c.at("kn")[i].get<double>() * c.at("depth")[i].get<double>());
    contact.key = static_cast<std::int64_t>(i);
    result.problem.contacts.push_back(contact);
  }
  const auto force = all.at("derived").at("F").get<Vector3>();
  const auto torque = all.at("derived").at("tau").get<Vector3>();
  Load& load = result.problem.load;
  load.wrench = {force[0], force[1], force[2], torque[0], torque[1], torque[2]};
  load.gradient = all.at("derived").at("gradient_K").get<Matrix6>();
  load.mass = all.at("derived").at("mass_matrix_D").get<Matrix6>();
  load.length = all.at("length_scale");
  return result;
}

inline std::vector<Instance> instances() {
  std::vector<Instance> all;
  for (const auto& entry : std::filesystem::directory_iterator(stiction::test::data_folder() + "/spatial")) {
    all.push_back(read_instance(entry.path()));
  }
  std::sort(all.begin(), all.end(), [](const Instance& a, const Instance& b) { return a.name < b.name; });
  return all;
}

/// What a random problem may have in it.
struct Kind {
  double max_contacts = 40;
  double decades = 9;      // of normal forces, in three of ten problems; one decade in the others
  bool printed = false;    // nothing that the printed program does not have: no torsion, no anisotropy
  bool symmetric = false;  // a gradient without the turning of normal forces
};

/// Contacts of a coupled body, all kinds of trouble among them: one contact, coplanar ones, ones on a line, twice the
/// same, without friction, without normal force, over many decades.
inline Problem random_problem(std::mt19937& random, const Kind& of) {
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> part(0, 1);
  const auto unit = [&] {
    const Vector3 v{any(random), any(random), any(random)};
    return scaled(1 / norm(v), v);
  };
  Problem result;
  const int kind = static_cast<int>(7 * part(random));
  const auto n = static_cast<std::size_t>(std::pow(of.max_contacts, part(random)));
  const double decades = part(random) < 0.3 ? of.decades : 1;
  const Vector3 floor = unit();
  const Vector3 line = unit();
  for (std::size_t i = 0; i < n; ++i) {
    Contact c;
    c.arm = {0.05 * any(random), 0.05 * any(random), 0.05 * any(random)};
    if (kind == 0) {
      c.arm = difference(c.arm, scaled(dot(c.arm, floor) + 0.03, floor));  // all in one plane
    } else if (kind == 1) {
      c.arm = scaled(c.arm[0], line);  // all on one line
    }
    c.normal = kind < 3 ? floor : unit();  // all the same, or from all sides
    c.normal_force = std::pow(10, -decades * part(random)) * (part(random) < 0.05 ? 0 : 1);
    c.friction = part(random) < 0.1 ? 0 : 2 * part(random);
    if (i > 0 && part(random) < 0.1) {
      c = result.contacts.back();
    }
    if (kind == 4 && !of.printed) {
      c.friction_v = part(random);
    }
    if (kind == 5 && !of.printed && part(random) < 0.5) {
      c.torsion = 0.02 * part(random);
    }
    c.key = static_cast<std::int64_t>(i);
    result.contacts.push_back(c);
  }
  const double scale = std::pow(10, -3 + 4 * part(random));
  for (std::size_t i = 0; i < 6; ++i) {
    result.load.wrench[i] = scale * any(random) * (i < 3 ? 1 : 0.05);
    result.load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    result.load.mass[i][i] = i < 3 ? 0.5 : 1e-3;
  }
  for (const Contact& c : result.contacts) {
    // −k N Nᵀ and its torques
    const Vector3 t = cross(c.arm, c.normal);
    const Vector6 w{c.normal[0], c.normal[1], c.normal[2], t[0], t[1], t[2]};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        result.load.gradient[i][j] -= 500 * w[i] * w[j];
      }
    }
  }
  // [F_n]× in ∂τ/∂x: the gradient is not symmetric
  for (std::size_t i = 0; i < result.contacts.size() && !of.symmetric; ++i) {
    const Contact& c = result.contacts[i];
    const Vector3 f = scaled(c.normal_force, c.normal);
    result.load.gradient[3][1] -= f[2];
    result.load.gradient[3][2] += f[1];
    result.load.gradient[4][0] += f[2];
    result.load.gradient[4][2] -= f[0];
    result.load.gradient[5][0] -= f[1];
    result.load.gradient[5][1] += f[0];
  }
  result.load.length = 0.05;
  return result;
}

}  // namespace stiction::spatial::test
