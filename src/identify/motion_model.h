// A friction model along measured motion: linear in most of its numbers, which are solved for; the others are searched.
//   τ(t + shift) = J q̈ + Σ βᵢ φᵢ(q, q̇; θ) + c₀ + a sin q + b cos q
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "motion_data.h"
#include "stiction/math.h"

namespace stiction::identify {

enum class FrictionKind { dry, stribeck, lugre, elasto_plastic, gms };

/// How the external torque may depend on the position.
enum class Gravity { none, slope, full };  // nothing; sin(q − q̄); and cos(q − q̄) − 1

/// Which terms a model has.
struct Structure {
  FrictionKind kind = FrictionKind::dry;
  Gravity gravity = Gravity::none;
  bool inertia = false;
  bool asymmetric = false;  // viscous friction of each direction; dry and stribeck alone
  bool shift = false;       // of the torque's time
  bool viscous = true;
  bool damping = true;  // of the bristle
  bool drop = true;     // F_S > F_C, of a bristle

  friend bool operator==(const Structure&, const Structure&) = default;
  [[nodiscard]] bool bristle() const { return kind >= FrictionKind::lugre; }
};

/// In words, e.g. "Coulomb + viscous + offset + inertia".
std::string words_of(const Structure& structure);

/// A number that is searched: in its logarithm, or as it is.
struct Searched {
  enum class What { width, stribeck_velocity, reach, excess, elastic_share, shift };
  What what;
  bool logarithmic;
  double lower, upper;         // of the search's coordinate
  std::vector<double> trials;  // coordinates to start from
};

/// A number that is solved for.
struct Linear {
  enum class What {
    coulomb,
    excess,
    element,
    viscous,
    viscous_plus,
    viscous_minus,
    damping,
    inertia,
    offset,
    sine,
    cosine
  };
  What what;
  bool positive;
};

/// Sums over a block of samples.
struct Gram {
  Eigen::MatrixXd xx;
  Eigen::VectorXd xy;
  double yy = 0;
  double count = 0;
  Gram& operator+=(const Gram& other);
  Gram& operator-=(const Gram& other);
  /// Sum of squared residuals.
  [[nodiscard]] double cost(const Eigen::VectorXd& beta) const;
};

/// Least squares with some numbers ≥ 0, by dropping those that would be negative and taking back those that would help.
Eigen::VectorXd solve(const Gram& sum, const std::vector<Linear>& numbers);

/// One structure on the data.
class MotionModel {
 public:
  MotionModel(const MotionData& data, const Structure& structure, const MotionOptions& options);

  [[nodiscard]] const Structure& structure() const { return structure_; }
  [[nodiscard]] const std::vector<Searched>& searched() const { return searched_; }
  [[nodiscard]] const std::vector<Linear>& linear() const { return linear_; }
  [[nodiscard]] const MotionData& data() const { return data_; }
  [[nodiscard]] double exponent() const { return exponent_; }
  [[nodiscard]] std::size_t unknowns() const { return searched_.size() + linear_.size(); }

  /// The value of a searched number from its coordinate; `otherwise` if the structure has none.
  [[nodiscard]] double value(const std::vector<double>& at, Searched::What what, double otherwise) const;

  /// A row for each sample, a column for each linear number.
  void fill(const std::vector<double>& at, Eigen::MatrixXd& columns, Eigen::VectorXd& target) const;

  /// Sums over the blocks, and over the held-out samples at the end.
  [[nodiscard]] std::vector<Gram> grams(const std::vector<double>& at) const;

 private:
  void fill_friction(const std::vector<double>& at, const std::vector<double>& velocity,
                     const std::vector<double>& position, Eigen::MatrixXd& columns) const;

  const MotionData& data_;
  Structure structure_;
  double exponent_;
  std::optional<double> mass_;
  std::vector<Searched> searched_;
  std::vector<Linear> linear_;
};

/// Displacements at which the elements of a Maxwell-slip model slip, relative to the first.
inline constexpr std::size_t motion_elements = 6;
inline constexpr double element_ratio = 2.5;
inline constexpr double element_attraction = 100;  // C/F_C [1/s]: elements follow the Stribeck curve at once

/// A fitted structure.
struct MotionFitted {
  Structure structure;
  std::vector<double> at;
  Eigen::VectorXd beta;
  std::vector<double> block_errors;  // mean square on each block, fitted to the others
  double error = 0;                  // root of their mean [N]
  bool usable = false;
};

/// The best fit to the blocks, or to all samples. Starts from a fit of another structure where they share numbers.
MotionFitted fit_structure(const MotionModel& model, const MotionFitted* start, const MotionOptions& options,
                           bool all_samples);

/// Solves for the linear numbers, and predicts each block from the others.
void score(const MotionModel& model, MotionFitted& fit, bool all_samples);

/// The torque at every sample.
Eigen::VectorXd predict(const MotionModel& model, const MotionFitted& fit);

/// Whether the richer fit predicts blocks better, beyond the scatter of the gain between blocks.
bool supported(const MotionFitted& simple, const MotionFitted& rich);

}  // namespace stiction::identify
