// A scene as the user describes it, and as prepared for the renderer: meshes become distance fields and point shells.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/cache.h"
#include "stiction/geometry/mesh.h"
#include "stiction/haptics/friction_step.h"
#include "stiction/haptics/renderer.h"

namespace stiction::haptics {

struct Part {
  std::string name;
  geometry::Mesh mesh;
  geometry::FieldParams field = {256, 8};  // if it has a field
  geometry::ShellParams shell;             // if it has a shell
};
struct FixedPart : Part {
  bool has_shell = false;                        // and the moving part a field; otherwise vice versa
  double friction = 0.5;                         // μ with the moving part
  std::optional<double> sliding_friction = {};   // μ_d, at most μ; none: as at rest
  std::optional<double> contact_stiffness = {};  // [N/m]; none: that of the parameters
};

/// The method that computes friction.
enum class FrictionMethod : std::uint8_t {
  cone,      // the quadratic program with exact cones
  pyramid,   // the same with pyramids
  switched,  // as published: all or nothing
  none,
};
/// Makes the friction step of a renderer with so many contacts at most.
using FrictionMaker = std::function<std::unique_ptr<FrictionStep>(std::size_t max_contacts)>;
struct FrictionChoice {
  FrictionMethod method = FrictionMethod::cone;
  int sides = 8;  // of pyramids, and of `switched`; 0 there: exact cones
  spatial::Metric metric = spatial::Metric::stiffness;
  Separation separation = Separation::pulled;
  FrictionMaker custom = {};  // a method of your own, in place of `method`
};

/// The meshes of fixed parts are in the world frame; poses of the moving part are those of its mesh.
struct SceneDescription {
  Part moving;
  std::vector<FixedPart> fixed;
  std::optional<Vector3> centre;  // where the hand holds the moving part, in its frame; default: its centre of mass [m]
  Pose start;
  RenderParams render;  // max_motion is at most the band of any field
  FrictionChoice friction;
};

/// The friction step for a choice; null for FrictionMethod::none. Throws InvalidParameter.
STICTION_EXPORT std::unique_ptr<FrictionStep> make_friction(const FrictionChoice& choice, std::size_t max_contacts);

/// The moving part starts deeper inside a fixed one than distances are known. The message is one line.
class STICTION_EXPORT StartTooDeep : public Error {
 public:
  StartTooDeep(const std::string& message, double depth) : Error(message), depth_(depth) {}
  [[nodiscard]] double depth() const noexcept { return depth_; }  // [m]

 private:
  double depth_;
};

/// Owns the fields and shells that renderers refer to: it must outlive its renderers.
class STICTION_EXPORT PreparedScene {
 public:
  /// Throws InvalidParameter, MeshError, StartTooDeep.
  explicit PreparedScene(SceneDescription description, const geometry::Cache& cache = {},
                         const geometry::Progress& progress = {});

  [[nodiscard]] const SceneDescription& description() const noexcept { return description_; }
  [[nodiscard]] const MovingBody& moving_body() const noexcept { return body_; }
  [[nodiscard]] std::vector<BodyPair> pairs() const;

  /// With the body at its start pose. Parameters and friction may be overridden; fields and shells stay the same.
  [[nodiscard]] Renderer renderer() const { return renderer(description_.render, description_.friction); }
  [[nodiscard]] Renderer renderer(const RenderParams& params, const FrictionChoice& friction) const;

  /// The number of fields and shells, and how many of them came from the cache.
  [[nodiscard]] std::size_t made() const noexcept { return made_; }
  [[nodiscard]] std::size_t from_cache() const noexcept { return from_cache_; }
  [[nodiscard]] const std::deque<geometry::DistanceField>& fields() const noexcept { return fields_; }
  [[nodiscard]] const std::deque<geometry::PointShell>& shells() const noexcept { return shells_; }

 private:
  void require_shallow_start() const;

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
