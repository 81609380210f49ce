// The number of unknowns of a contact, by its number of directions and the kind of cone: MuJoCo's rows and ours.
#include <fmt/format.h>

#include <cmath>

#include "../control/statistics.h"
#include "../lab.h"
#include "mujoco_rows.h"
#include "stiction/spatial/elliptic_cone.h"
#include "stiction/spatial/mujoco_pyramid.h"

namespace stiction::lab::spatial_cone_rows {
namespace {

/// Sizes of our types.
struct Ours {
  std::size_t elliptic, pyramidal;
};
template <std::size_t N>
Ours ours() {
  return {std::tuple_size_v<typename spatial::EllipticCone<N>::Force>,
          std::tuple_size_v<typename spatial::MujocoPyramid<N>::Coefficients>};
}

/// The notes' elliptic cone has its inequality the wrong way round.
void judge_printed_cone(Result& result) {
  const spatial::EllipticCone<3> cone{{0.6, 0.3}};
  Random random(4);
  constexpr int forces = 2000;
  int agree = 0;
  for (int k = 0; k < forces; ++k) {
    const std::array f{std::abs(random.gaussian()), random.gaussian(), random.gaussian()};
    const double ratio = std::hypot(f[1] / cone.mu[0], f[2] / cone.mu[1]);
    agree += (f[0] <= ratio) == cone.contains(f) ? 1 : 0;
  }
  result.claims.push_back(
      within("share of pressing forces on which the printed K_e and the elliptic cone agree",
             printed("notes: K_e = {f_1 ≥ 0, f_1² ≤ Σ f_i²/μ_{i−1}²}"), 1, static_cast<double>(agree) / forces, 0, "-")
          .as_refuted("as printed K_e has the forces that slip and not those that hold: it must be f_1² ≥ Σ f_i²/μ²"));
}

}  // namespace

Result run(const Context& context) {
  context.step(0);
  Result result;
  result.notes = fmt::format(
      "A sphere on a plane makes one contact. condim 1 is without friction, 3 adds sliding, 4 torsion, 6 rolling. An "
      "elliptic cone takes one number for each direction; a pyramid takes two for each direction but the normal. "
      "MuJoCo's rows are {}.",
      baselines::has_mujoco() ? "asked of the library itself" : "stored: this program was built without it");
  const std::array our{ours<1>(), ours<3>(), ours<4>(), ours<6>()};
  constexpr std::array<std::size_t, 4> notes_elliptic{1, 3, 4, 6};
  constexpr std::array<std::size_t, 4> notes_pyramidal{1, 4, 6, 10};
  const auto theirs = baselines::mujoco_rows();
  Table table{"rows",
              {{"condim", std::vector<double>{}},
               {"elliptic, MuJoCo", std::vector<double>{}},
               {"elliptic, here", std::vector<double>{}},
               {"pyramidal, MuJoCo", std::vector<double>{}},
               {"pyramidal, here", std::vector<double>{}}},
              true};
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const int condim = theirs.at(i).condim;
    const std::array<double, 5> values{static_cast<double>(condim), static_cast<double>(theirs.at(i).elliptic),
                                       static_cast<double>(our.at(i).elliptic),
                                       static_cast<double>(theirs.at(i).pyramidal),
                                       static_cast<double>(our.at(i).pyramidal)};
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(values.at(k));
    }
    const auto compare = [&](const char* cone, std::size_t as_published, double mujoco, double ours) {
      result.claims.push_back(within(fmt::format("condim {}, {}: MuJoCo's rows", condim, cone),
                                     printed("notes: table of conditions"), static_cast<double>(as_published), mujoco,
                                     0, "-"));
      result.claims.push_back(within(fmt::format("condim {}, {}: our numbers", condim, cone),
                                     from_program("MuJoCo's rows"), mujoco, ours, 0, "-"));
    };
    compare("elliptic", notes_elliptic.at(i), values[1], values[2]);
    compare("pyramidal", notes_pyramidal.at(i), values[3], values[4]);
  }
  result.tables.push_back(table);
  judge_printed_cone(result);
  result.figures.push_back({"rows",
                            "Numbers for one contact",
                            "condim",
                            "numbers",
                            {{"rows", 0, 2, "elliptic", "linespoints"},
                             {"rows", 0, 4, "pyramidal", "linespoints"},
                             {"rows", 0, 1, "elliptic, MuJoCo", "points"},
                             {"rows", 0, 3, "pyramidal, MuJoCo", "points"}}});
  return result;
}

}  // namespace stiction::lab::spatial_cone_rows
