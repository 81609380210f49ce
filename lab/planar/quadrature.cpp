// How many bristles a patch needs: the paper's cells against better placed points.
#include <fmt/format.h>

#include <algorithm>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_quadrature {
namespace {

using planar::Patch;

constexpr double radius = 0.01;  // [m]
constexpr double side = 0.02;    // [m]

struct Rule {
  std::string name;
  Patch patch;
};

planar::PressureGrid disc_by_area(std::size_t n) {
  return planar::pressure_grid([](double x, double y) { return x * x + y * y <= radius * radius ? 1.0 : 0.0; },
                               {-radius, -radius}, {radius, radius}, n, n, 16);
}

std::vector<Rule> disc_rules() {
  std::vector<Rule> disc;
  for (const std::size_t n : {9U, 13U, 21U, 33U}) {
    disc.push_back({fmt::format("paper's mask, N = {}", n), Patch(planar::paper::circle(n, side))});
  }
  for (const std::size_t n : {5U, 7U, 9U, 13U, 21U}) {
    disc.push_back({fmt::format("cells by covered area, N = {}", n), Patch(disc_by_area(n))});
  }
  for (const auto& [rings, sectors] : std::vector<std::pair<std::size_t, std::size_t>>{
           {2, 9}, {3, 7}, {3, 11}, {4, 9}, {4, 13}, {5, 13}, {6, 17}, {8, 24}}) {
    disc.push_back({fmt::format("polar, {} x {}", rings, sectors), Patch(planar::disc_points(radius, rings, sectors))});
  }
  return disc;
}
std::vector<Rule> square_rules() {
  std::vector<Rule> square_patch;
  for (const std::size_t n : {5U, 9U, 13U, 21U}) {
    square_patch.push_back({fmt::format("paper's cells, N = {}", n), Patch(planar::paper::square(n, side))});
  }
  for (const std::size_t n : {4U, 6U, 8U, 10U, 12U}) {
    square_patch.push_back({fmt::format("Gauss, {} x {}", n, n), Patch(planar::rectangle_points(side, side, n, n))});
  }
  return square_patch;
}

/// The wrenches of a patch on the velocity profile of Fig. 5.
std::vector<planar::Wrench> wrenches_of(const Context& context, const Patch& patch) {
  const double dt = context.quick ? 1e-3 : 1e-4;
  std::vector<double> time;
  for (long k = 0; k <= std::lround(paper_profile_duration / dt); ++k) {
    time.push_back(static_cast<double>(k) * dt);
  }
  return follow(planar::Distributed::make({planar::preset::waltersson_p1(), patch}), paper_profile, time,
                context.quick ? 1 : 10);
}

/// A curve for each kind of rule, by the first words of their names.
void draw_errors(const char* shape, const std::vector<Rule>& rules, const std::vector<WrenchError>& errors,
                 Result& result) {
  Figure figure{shape, fmt::format("Error against the number of bristles, {}", shape), "bristles", "error [-]", {}};
  const auto kind_of = [&](std::size_t i) { return rules[i].name.substr(0, rules[i].name.find(',')); };
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (i == 0 || kind_of(i) != kind_of(i - 1)) {
      const std::string name = fmt::format("{}_{}", shape, figure.series.size() / 2 + 1);
      result.tables.push_back({name,
                               {{"bristles", std::vector<double>{}},
                                {"force error [-]", std::vector<double>{}},
                                {"torque error [-]", std::vector<double>{}}}});
      figure.series.push_back({name, 0, 1, kind_of(i) + ", force", "linespoints"});
      figure.series.push_back({name, 0, 2, kind_of(i) + ", torque", "linespoints"});
    }
    const std::array row{static_cast<double>(rules[i].patch.size()), errors[i].force, errors[i].torque};
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::get<std::vector<double>>(result.tables.back().columns[c].values).push_back(row[c]);
    }
  }
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
}

/// The errors of all rules against the finest one.
std::vector<WrenchError> judge(const Context& context, const char* shape, const std::vector<Rule>& rules,
                               const Patch& finest, Result& result) {
  const auto truth = wrenches_of(context, finest);
  Table table{shape,
              {{"rule", std::vector<std::string>{}},
               {"bristles", std::vector<double>{}},
               {"force error [-]", std::vector<double>{}},
               {"torque error [-]", std::vector<double>{}}},
              true};
  std::vector<WrenchError> errors;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    context.step(static_cast<double>(i) / static_cast<double>(rules.size()));
    errors.push_back(error_of(wrenches_of(context, rules[i].patch), truth, equal_weights(truth.size())));
    std::get<std::vector<std::string>>(table.columns[0].values).push_back(rules[i].name);
    std::get<std::vector<double>>(table.columns[1].values).push_back(static_cast<double>(rules[i].patch.size()));
    std::get<std::vector<double>>(table.columns[2].values).push_back(errors.back().force);
    std::get<std::vector<double>>(table.columns[3].values).push_back(errors.back().torque);
  }
  // The fewest points that are as good as the paper's 21 × 21 in force and torque
  const auto paper = static_cast<std::size_t>(
      std::find_if(rules.begin(), rules.end(), [](const Rule& r) { return r.name.ends_with("N = 21"); }) -
      rules.begin());
  std::size_t best = paper;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (errors[i].force <= errors[paper].force && errors[i].torque <= errors[paper].torque &&
        rules[i].patch.size() < rules[best].patch.size()) {
      best = i;
    }
  }
  result.claims.push_back(
      at_least(fmt::format("{}: bristles of 21 x 21 cells over those of {}, which is as good", shape, rules[best].name),
               requirement("a better rule needs far fewer"), 4,
               static_cast<double>(rules[paper].patch.size()) / static_cast<double>(rules[best].patch.size()), "-"));
  result.tables.push_back(table);
  draw_errors(shape, rules, errors, result);
  return errors;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "The velocity profile of Fig. 5, distributed model, p = 1. Errors are root mean squares over the largest "
      "value, against very many points: 24 rings of 91 for the disc, 101 × 101 cells for the square. The paper's "
      "mask of a disc is a stair-step that covers 91.5 % of it at N = 21, so more cells help little; points on "
      "rings, or cells that count for the area they cover, need far fewer. Gauss rules of odd order have a point in "
      "the middle, where these motions turn, and are left out.";
  const auto on_disc = judge(context, "disc", disc_rules(), Patch(planar::disc_points(radius, 24, 91)), result);
  judge(context, "square", square_rules(), Patch(planar::paper::square(101, side)), result);
  result.claims.push_back(at_least("disc: torque error of the mask with N = 33 over that of 8 rings of 24",
                                   requirement("more cells of the mask cannot reach it"), 5,
                                   on_disc[3].torque / on_disc.back().torque, "-"));
  result.claims.push_back(at_most("disc: torque error of 21 x 21 cells by covered area",
                                  requirement("a third of a per cent"), 0.003, on_disc[8].torque, "-"));
  return result;
}

}  // namespace stiction::lab::planar_quadrature
