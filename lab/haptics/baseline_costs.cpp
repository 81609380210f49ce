// The cost of each method of friction, on the same motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "paper_scenes.h"

namespace stiction::lab::haptics_baseline_costs {
namespace {

using baselines::Method;
using baselines::with_method;

struct Variant {
  const char* name;
  Method method;
};
constexpr std::array<Variant, 7> variants{{{"cones (ours)", Method::cone},
                                           {"pyramids, 8 sides", Method::pyramid},
                                           {"all or none, 8 sides", Method::switched},
                                           {"frictional springs", Method::springs},
                                           {"staggered projections", Method::staggered},
                                           {"Gauss-Seidel", Method::gauss_seidel},
                                           {"no friction", Method::none}}};

}  // namespace

Result run(const Context& context) {
  const haptics::PreparedScene& cube = prepared("cube-and-corner", context.quick);
  const double duration = context.quick ? 6 : 60;
  constexpr double compared = 2.5;  // [s] of the motion, over which forces are compared
  const haptics::Trajectory path = paper_path("cube-and-corner", duration);
  Result result;
  result.notes =
      "The cube in its corner, the same hand for all. Times are those of the friction step alone, medians over cycles "
      "with 65 to 80 contacts, with 90 to 106, and over the cycles with contact of the first 2.5 s, which are the ones "
      "compared. Staggered projections and "
      "Gauss–Seidel "
      "stop at a change of forces of 1e-6, or after 200 rounds; they find normal forces as well. Ratios depend on the "
      "machine. As a check that all solve the same task, the mean force on the hand is compared.";
  Table table{"costs",
              {{"method", std::vector<std::string>{}},
               {"72 contacts [us]", std::vector<double>{}},
               {"98 contacts [us]", std::vector<double>{}},
               {"first 2.5 s [us]", std::vector<double>{}},
               {"99.9 % [us]", std::vector<double>{}},
               {"whole cycles a second, 98 contacts", std::vector<double>{}},
               {"mean force [N]", std::vector<double>{}}},
              true};
  Figure figure{"costs", "The friction step against the contacts", "contacts", "time [us]", {}, false, true};
  std::array<std::array<double, 3>, variants.size()> cost{};
  std::array<double, variants.size()> mean_force{};
  for (std::size_t w = 0; w < variants.size(); ++w) {
    const Method method = variants.at(w).method;
    haptics::FrictionChoice choice = with_method(cube.description().friction, method);
    choice.sides = 8;
    const bool slow = method == Method::staggered || method == Method::gauss_seidel;
    const double seconds = slow && context.quick ? compared : duration;
    haptics::Renderer renderer = cube.renderer(cube.description().render, choice);
    const double share = 1.0 / variants.size();
    const auto moments = drive(renderer, [&](double t) { return path.at(t); }, seconds, context,
                               {share * static_cast<double>(w), share * static_cast<double>(w + 1), false});
    const auto median = [&](std::size_t least, std::size_t most, std::size_t stage, double quantile_share) {
      std::vector<Moment> chosen;
      std::ranges::copy_if(moments, std::back_inserter(chosen),
                           [&](const Moment& m) { return m.cycle.contacts >= least && m.cycle.contacts <= most; });
      return chosen.empty()
                 ? 0.0
                 : quantile(chosen, quantile_share, [&](const Moment& m) { return m.cycle.microseconds.at(stage); });
    };
    constexpr std::size_t friction_stage = 2;
    constexpr std::size_t all_stages = 3;
    std::vector<Moment> shared;
    std::ranges::copy_if(moments, std::back_inserter(shared),
                         [&](const Moment& m) { return m.time < compared && m.cycle.contacts > 0; });
    cost.at(w) = {median(65, 80, friction_stage, 0.5), median(90, 106, friction_stage, 0.5),
                  quantile(shared, 0.5, [](const Moment& m) { return m.cycle.microseconds.at(friction_stage); })};
    Table points{fmt::format("way_{}", w),
                 {{"contacts [-]", std::vector<double>{}}, {"friction step [us]", std::vector<double>{}}}};
    for (std::size_t i = 0; i < moments.size(); i += 7) {
      std::get<std::vector<double>>(points.columns[0].values).push_back(static_cast<double>(moments[i].cycle.contacts));
      std::get<std::vector<double>>(points.columns[1].values)
          .push_back(moments[i].cycle.microseconds.at(friction_stage));
    }
    result.tables.push_back(points);
    figure.series.push_back({points.name, 0, 1, variants.at(w).name, "points"});
    for (const Moment& m : moments) {
      if (m.time < compared) {
        mean_force.at(w) +=
            std::hypot(m.cycle.coupling[0], m.cycle.coupling[1], m.cycle.coupling[2]) / (1000 * compared);
      }
    }
    std::get<std::vector<std::string>>(table.columns[0].values).emplace_back(variants.at(w).name);
    const double cycle_time = median(90, 106, all_stages, 0.5);
    const double cycles_a_second = cycle_time > 0 ? 1e6 / cycle_time : 0;
    const std::array<double, 6> row{cost.at(w)[0],   cost.at(w)[1],
                                    cost.at(w)[2],   median(1, 100000, friction_stage, 0.999),
                                    cycles_a_second, mean_force.at(w)};
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k + 1].values).push_back(row.at(k));
    }
  }
  result.tables.push_back(table);
  result.figures.push_back(figure);
  const std::string machine = "depends on the machine";
  const auto ratio = [&](std::size_t way) { return cost.at(way)[2] / cost[0][2]; };
  result.claims.push_back(at_least("staggered projections cost, over cones",
                                   printed("Fig. 15: about 50 times the paper's"), 50, ratio(4), "-")
                              .as_info(machine));
  result.claims.push_back(
      at_least("Gauss-Seidel costs, over cones", printed("Fig. 15: about 50 times the paper's"), 50, ratio(5), "-")
          .as_info(machine));
  result.claims.push_back(at_most("cones cost, over frictional springs",
                                  printed("Section 5.6: the paper's program about 6 times"), 6, 1 / ratio(3), "-")
                              .as_info(machine));
  for (const std::size_t w : {std::size_t{4}, std::size_t{5}}) {
    result.claims.push_back(within(fmt::format("{}: mean force on the hand over that with cones", variants.at(w).name),
                                   from_program("the same task"), 1, mean_force.at(w) / mean_force[0], 0.05, "-"));
  }
  return result;
}

}  // namespace stiction::lab::haptics_baseline_costs
