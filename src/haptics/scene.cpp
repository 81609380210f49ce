#include "stiction/haptics/scene.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "render_checks.h"
#include "stiction/geometry/triangle_tree.h"

namespace stiction::haptics {
namespace {

/// About the point c instead of the centre of mass: I + m (|d|² 1 − d dᵀ), d from one to the other.
Matrix3 inertia_about(const geometry::MassProperties& solid, const Vector3& c) {
  const Vector3 d = difference(c, solid.centre);
  Matrix3 result = solid.inertia;
  for (std::size_t i = 0; i < 3; ++i) {
    result[i][i] += solid.mass * dot(d, d);
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] -= solid.mass * d[i] * d[j];
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<FrictionStep> make_friction(const FrictionChoice& choice, std::size_t max_contacts) {
  if (choice.custom) {
    return choice.custom(max_contacts);
  }
  const bool by_sides = choice.method == FrictionMethod::pyramid || choice.method == FrictionMethod::switched;
  const bool none = choice.sides == 0 && choice.method == FrictionMethod::switched;
  if (by_sides && !none && (choice.sides < 4 || choice.sides > 64 || choice.sides % 2 != 0)) {
    throw InvalidParameter({"sides", static_cast<double>(choice.sides), "an even whole number from 4 to 64"});
  }
  switch (choice.method) {
    case FrictionMethod::cone:
      return make_cone_program(max_contacts, 0, choice.metric);
    case FrictionMethod::pyramid:
      return make_cone_program(max_contacts, choice.sides, choice.metric);
    case FrictionMethod::switched:
      return make_switched_friction(max_contacts, choice.sides);
    case FrictionMethod::none:
      break;
  }
  return nullptr;
}

PreparedScene::PreparedScene(SceneDescription description, const geometry::Cache& cache,
                             const geometry::Progress& progress)
    : description_(std::move(description)) {
  static_cast<void>(checked(description_.render));
  if (!is_pose(description_.start, 1e-6)) {
    throw InvalidParameter({"start", description_.start.position[0], "a pose within 1e9 m"});
  }
  const bool moving_shell = std::ranges::any_of(description_.fixed, [](const FixedPart& p) { return !p.has_shell; });
  const bool moving_field = std::ranges::any_of(description_.fixed, [](const FixedPart& p) { return p.has_shell; });
  const double steps =
      static_cast<double>(description_.fixed.size()) + (moving_shell ? 1.0 : 0.0) + (moving_field ? 1.0 : 0.0);
  const auto part_of_progress = [&](double fraction) {
    if (progress) {
      progress((static_cast<double>(made_) + fraction) / steps);
    }
  };
  const auto add_field = [&](const Part& part) {
    auto made = geometry::cached_distance_field(part.mesh, part.field, cache, part_of_progress);
    fields_.push_back(std::move(made.thing));
    ++made_;
    from_cache_ += made.from_cache ? 1 : 0;
    return &fields_.back();
  };
  const auto add_shell = [&](const Part& part) {
    auto made = geometry::cached_point_shell(part.mesh, part.shell, cache, part_of_progress);
    shells_.push_back(std::move(made.thing));
    ++made_;
    from_cache_ += made.from_cache ? 1 : 0;
    return &shells_.back();
  };
  const auto* shell = moving_shell ? add_shell(description_.moving) : nullptr;
  const auto* field = moving_field ? add_field(description_.moving) : nullptr;
  for (const FixedPart& part : description_.fixed) {
    uses_.push_back(part.has_shell ? Use{field, add_shell(part)} : Use{add_field(part), shell});
  }
  const geometry::MassProperties solid = geometry::mass_properties(description_.moving.mesh, 1);
  body_.centre = description_.centre.value_or(solid.centre);
  body_.inertia_per_mass = inertia_about(solid, body_.centre);
  for (Vector3& row : body_.inertia_per_mass) {
    row = scaled(1 / solid.mass, row);
  }
  for (const auto& each : fields_) {
    description_.render.max_motion = std::min(description_.render.max_motion, each.band());
  }
  require_shallow_start();
}

void PreparedScene::require_shallow_start() const {
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const FixedPart& part = description_.fixed[i];
    const geometry::DistanceField& field = *uses_[i].field;
    // Beyond the band the field only gives a bound: the depth is computed from the mesh.
    std::vector<Vector3> deep;
    for (const geometry::ShellPoint& point : uses_[i].shell->points()) {
      const Vector3 p =
          part.has_shell ? to_body(description_.start, point.position) : to_world(description_.start, point.position);
      if (const auto sample = field.at(p); sample.value < 0 && !sample.exact) {
        deep.push_back(p);
      }
    }
    if (deep.empty()) {
      continue;
    }
    const geometry::TriangleTree tree(part.has_shell ? description_.moving.mesh : part.mesh);
    double depth = 0;
    for (const Vector3& p : deep) {
      depth = std::max(depth, tree.closest(p).distance);
    }
    std::array<char, 120> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "%.3g mm, deeper than the band of its distance field, %.3g mm",
                  1e3 * depth, 1e3 * field.band());
    throw StartTooDeep("start: " + description_.moving.name + " is inside " + part.name + " by " + numbers.data() +
                           ": start farther out, or widen the band",
                       depth);
  }
}

std::vector<BodyPair> PreparedScene::pairs() const {
  std::vector<BodyPair> pairs;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const FixedPart& part = description_.fixed[i];
    pairs.push_back({.field = uses_[i].field,
                     .shell = uses_[i].shell,
                     .shell_moves = !part.has_shell,
                     .friction = part.friction,
                     .sliding_friction = part.sliding_friction,
                     .contact_stiffness = part.contact_stiffness});
  }
  return pairs;
}

Renderer PreparedScene::renderer(const RenderParams& params, const FrictionChoice& friction) const {
  static_cast<void>(checked(params));  // before max_contacts is used as a capacity
  Renderer result(pairs(), body_, params, make_friction(friction, static_cast<std::size_t>(params.max_contacts)),
                  friction.separation);
  result.reset_pose(description_.start);
  return result;
}

}  // namespace stiction::haptics
