// A scene as a user describes it, and as the renderer needs it: meshes become fields and shells.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/geometry/cache.h"
#include "stiction/geometry/mesh.h"
#include "stiction/haptics/friction_step.h"
#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

struct Part {
  std::string name;
  geometry::Mesh mesh;
  geometry::FieldParams field = {256, 8};  // where it has a field
  geometry::ShellParams shell;             // where it has a shell
};
struct FixedPart : Part {
  bool has_shell = false;  // and the moving part a field; otherwise the other way round
  double friction = 0.5;   // μ with the moving part
  double sliding_friction = -1;
  double contact_stiffness = -1;  // [N/m]; < 0: that of the parameters
};

/// How friction is found.
enum class FrictionMethod : std::uint8_t {
  cone,      // the quadratic program with exact cones
  pyramid,   // the same with pyramids
  switched,  // the paper's: all or nothing
  none,
  springs,           // Yamane's
  explicit_springs,  // the same, the balance of a cycle not knowing how they change
  staggered,         // Kaufman's
  gauss_seidel,      // Duriez's
  constraint,        // without penetration, by staggered projections
};
struct FrictionChoice {
  FrictionMethod method = FrictionMethod::cone;
  int sides = 8;  // of pyramids, and of `switched`; 0 there: exact cones
  spatial::Metric metric = spatial::Metric::stiffness;
  Separation separation = Separation::pulled;
  double rigidity = 1;  // `staggered`, `gauss_seidel`: of contacts, over their springs; `constraint`: over 1e5 of them
  double spring = 1;    // `springs`: stiffness along the surface over that across it
};

/// The fixed parts are where their meshes are; poses of the moving part are those of its mesh.
struct SceneDescription {
  Part moving;
  std::vector<FixedPart> fixed;
  std::optional<Vec3> centre;  // where the hand holds the moving part, in its frame; else its centre of mass [m]
  Pose start;
  RenderParams render;  // most_motion is at most the band of any field
  FrictionChoice friction;
};

/// The friction step of a choice; none for FrictionMethod::none. Throws InvalidParameter.
std::unique_ptr<FrictionStep> make_friction(const FrictionChoice& choice, std::size_t most_contacts);

/// Owns the fields and shells that a renderer looks at: keep it as long as its renderers.
class PreparedScene {
 public:
  /// Throws InvalidParameter, MeshError.
  explicit PreparedScene(SceneDescription description, const geometry::Cache& cache = {},
                         const geometry::Progress& progress = {});

  [[nodiscard]] const SceneDescription& description() const noexcept { return description_; }
  [[nodiscard]] const MovingBody& moving_body() const noexcept { return body_; }
  [[nodiscard]] std::vector<BodyPair> pairs() const;

  /// With the body at the start. Changed parameters and choices may be given; fields and shells stay.
  [[nodiscard]] Renderer renderer() const { return renderer(description_.render, description_.friction); }
  [[nodiscard]] Renderer renderer(const RenderParams& params, const FrictionChoice& friction) const;

  /// How many fields and shells there are, and how many came from the cache.
  [[nodiscard]] std::size_t made() const noexcept { return made_; }
  [[nodiscard]] std::size_t from_cache() const noexcept { return from_cache_; }
  [[nodiscard]] const std::deque<geometry::DistanceField>& fields() const noexcept { return fields_; }
  [[nodiscard]] const std::deque<geometry::PointShell>& shells() const noexcept { return shells_; }

 private:
  SceneDescription description_;
  MovingBody body_;
  std::deque<geometry::DistanceField> fields_;
  std::deque<geometry::PointShell> shells_;
  struct Use {
    const geometry::DistanceField* field;
    const geometry::PointShell* shell;
  };
  std::vector<Use> uses_;  // of each fixed part
  std::size_t made_ = 0, from_cache_ = 0;
};

}  // namespace stiction::haptics
