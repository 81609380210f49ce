// Figs. 26 to 32: a box between two fingers, whose grip is loosened and tightened. Three states for a contact against
// many bristles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "../lab.h"
#include "held_box.h"
#include "paper_setup.h"

namespace stiction::lab::planar_in_hand {
namespace {

/// The centre of mass at the end of the data, which were made with the authors' code.
struct Pose {
  double x, y, angle;
};
struct Published {
  Pose distributed, reduced;
};

struct Case {
  std::string name;
  Hold hold;
  planar::PressureGrid (*grid)(std::size_t n, double side);
  std::optional<Published> published = {};
};

std::vector<Case> cases() {
  const Hold far_sine{0.025, sine(3.6, 0.9)};
  const Hold far_dip{0.025, dip(2.9, 4, 30)};
  const Hold near_sine{0.002, sine(1.73, 0.91)};
  const Hold near_dip{0.002, dip(0.84, 2, 32.5)};
  using planar::paper::circle;
  using planar::paper::gradient_line_x;
  using planar::paper::square;
  return {
      {"case 1, circle, sine", far_sine, circle,
       Published{{0.0144959730235, -0.0217318707387, -0.898145791886},
                 {0.0143215020965, -0.0218768068491, -0.906323725946}}},
      {"case 1, circle, dip", far_dip, circle,
       Published{{0.0147760959168, -0.021506808243, -0.886205429034},
                 {0.0145982615743, -0.021653290916, -0.894386276022}}},
      {"case 1, square, sine", far_sine, square},
      {"case 1, square, dip", far_dip, square},
      {"case 1, gradient line, sine", far_sine, gradient_line_x},
      {"case 1, gradient line, dip", far_dip, gradient_line_x},
      {"case 2, circle, sine", near_sine, circle,
       Published{{0.000720694386024, -0.0193114898836, -0.152444767115},
                 {0.000793538472944, -0.0182673975605, -0.14834615542}}},
      {"case 2, circle, dip", near_dip, circle},
      {"case 2, square, sine", near_sine, square},
      {"case 2, square, dip", near_dip, square},
      {"case 2, gradient line, sine", near_sine, gradient_line_x,
       Published{{-0.00324401296384, -0.018710354826, -0.694069084659},
                 {-0.00323094020911, -0.0202018595415, -0.680122039836}}},
      {"case 2, gradient line, dip", near_dip, gradient_line_x},
  };
}

struct Runs {
  sim::PlanarRun distributed, reduced;
};

}  // namespace

Result run(const Context& context) {
  const planar::Friction friction = planar::preset::waltersson_p1();
  constexpr double length_tolerance = 1e-5;  // [m]
  constexpr double angle_tolerance = 1e-4;   // [rad]
  const auto options = [](double duration) {
    return sim::PlanarOptions{
        .duration = duration, .relative_tolerance = 1e-7, .absolute_tolerance = 1e-9, .max_step = 1e-2};
  };
  const auto distributed = [&](const Hold& hold, const planar::Patch& patch, double duration = 2) {
    return sim::simulate(held_box(hold), planar::Distributed::make({friction, patch}), {.position = {hold.mass_at, 0}},
                         options(duration));
  };
  const auto reduced = [&](const Hold& hold, const planar::Patch& patch, double duration = 2) {
    return sim::simulate(held_box(hold), authors_reduced(friction, patch), {.position = {hold.mass_at, 0}},
                         options(duration));
  };

  Result result;
  result.notes =
      "A box of 0.15 × 0.08 m and 0.2 kg between two equal fingers with contacts of 20 mm, whose centre is 25 mm (case "
      "1) or 2 mm (case 2) from the centre of mass. The grip swings as a sine, or has a dip of 0.2 s. Reduced models "
      "use "
      "the authors' table. In case 1 with a square contact the dip of 2.9 N lies between the thresholds of the two "
      "models: one slips, the other holds.";
  Table summary{"summary",
                {{"case", std::vector<std::string>{}},
                 {"y at the end, distributed [m]", std::vector<double>{}},
                 {"y at the end, reduced [m]", std::vector<double>{}},
                 {"angle at the end, distributed [rad]", std::vector<double>{}},
                 {"angle at the end, reduced [rad]", std::vector<double>{}},
                 {"largest distance over way [-]", std::vector<double>{}},
                 {"largest angle between over angle [-]", std::vector<double>{}}},
                true};
  std::vector<double> final_angles;  // by the distributed model
  const auto all = cases();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Case& c = all[k];
    context.step(static_cast<double>(k) / static_cast<double>(all.size() + 1));
    const planar::Patch patch(c.grid(21, 0.02));
    const Runs runs{distributed(c.hold, patch), reduced(c.hold, patch)};
    const Apart difference = apart(runs.distributed, runs.reduced, c.hold);
    const sim::PlanarState& many = runs.distributed.rows.back().state;
    const sim::PlanarState& three = runs.reduced.rows.back().state;
    final_angles.push_back(std::abs(many.angle));
    std::get<std::vector<std::string>>(summary.columns[0].values).push_back(c.name);
    const std::array numbers{many.position.y, three.position.y,    many.angle,
                             three.angle,     difference.position, difference.angle};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(summary.columns[1 + i].values).push_back(numbers[i]);
    }

    Claim follows =
        at_most(c.name + ": largest distance between reduced and distributed over the way",
                "Figs. 27 to 31: the reduced model follows the distributed one", 0.1, difference.position, "-");
    if (c.name == "case 1, square, dip") {
      follows.as_refuted("the dip lies between the two models' thresholds of slipping");
    }
    result.claims.push_back(follows);
    if (c.published) {
      const auto same = [&](const char* model, const Pose& expected, const sim::PlanarState& measured) {
        const std::string name = fmt::format("{}, {}: ", c.name, model);
        result.claims.push_back(
            within(name + "x at the end", planar_data, expected.x, measured.position.x, length_tolerance, "m"));
        result.claims.push_back(
            within(name + "y at the end", planar_data, expected.y, measured.position.y, length_tolerance, "m"));
        result.claims.push_back(
            within(name + "angle at the end", planar_data, expected.angle, measured.angle, angle_tolerance, "rad"));
      };
      same("distributed", c.published->distributed, many);
      same("reduced", c.published->reduced, three);
    }

    std::string table = c.name;
    std::erase(table, ',');
    std::replace(table.begin(), table.end(), ' ', '_');
    Table curves{table, {{"time [s]", column(runs.distributed, [](const auto& r) { return r.time; })}}};
    curves.columns.push_back(
        {"normal force [N]", column(runs.distributed, [](const auto& r) { return r.normal_force; })});
    for (const auto& [model, run] : {std::pair("distributed", &runs.distributed), {"reduced", &runs.reduced}}) {
      curves.columns.push_back(
          {fmt::format("x {} [m]", model), column(*run, [](const auto& r) { return r.state.position.x; })});
      curves.columns.push_back(
          {fmt::format("y {} [m]", model), column(*run, [](const auto& r) { return r.state.position.y; })});
      curves.columns.push_back(
          {fmt::format("angle {} [rad]", model), column(*run, [](const auto& r) { return r.state.angle; })});
      curves.columns.push_back(
          {fmt::format("fx {} [N]", model), column(*run, [](const auto& r) { return r.wrench.x; })});
      curves.columns.push_back(
          {fmt::format("fy {} [N]", model), column(*run, [](const auto& r) { return r.wrench.y; })});
      curves.columns.push_back(
          {fmt::format("torque {} [N m]", model), column(*run, [](const auto& r) { return r.wrench.torque; })});
    }
    result.tables.push_back(curves);
  }
  result.tables.push_back(summary);
  const auto figure = [&](const char* name, const char* title, const char* label, std::size_t part,
                          const std::vector<std::string>& sets) {
    Figure f{name, title, "time [s]", label, {}};
    for (const std::string& set : sets) {
      std::string shown = set.substr(std::string_view("case_1_").size());
      std::replace(shown.begin(), shown.end(), '_', ' ');
      f.series.push_back({set, 0, 2 + part, shown + ", distributed"});
      f.series.push_back({set, 0, 8 + part, shown + ", reduced"});
    }
    result.figures.push_back(f);
  };
  figure("fig27_angle", "Case 1, circle: angle", "angle [rad]", 2, {"case_1_circle_sine", "case_1_circle_dip"});
  figure("fig28_forces", "Case 1, circle: force along y of one finger", "force [N]", 4,
         {"case_1_circle_sine", "case_1_circle_dip"});
  figure("fig29_31_y", "Case 2, sine: height of the centre of mass", "y [m]", 1,
         {"case_2_circle_sine", "case_2_square_sine", "case_2_gradient_line_sine"});
  figure("fig29_31_angle", "Case 2, sine: angle", "angle [rad]", 2,
         {"case_2_circle_sine", "case_2_square_sine", "case_2_gradient_line_sine"});
  figure("fig29_31_dip", "Case 2, dip: height of the centre of mass", "y [m]", 1,
         {"case_2_circle_dip", "case_2_square_dip", "case_2_gradient_line_dip"});
  figure("fig32_torque", "Case 2, circle: torque of one finger", "torque [N m]", 5,
         {"case_2_circle_sine", "case_2_circle_dip"});
  figure("threshold", "Case 1, square, dip: between the thresholds", "angle [rad]", 2, {"case_1_square_dip"});

  const auto angle_of = [&](const char* name) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
    return final_angles[static_cast<std::size_t>(at - all.begin())];
  };
  result.claims.push_back(at_least("case 2, sine: angle of the gradient line over the circle's",
                                   "Section VI-C: a much larger change with the gradient line", 3,
                                   angle_of("case 2, gradient line, sine") / angle_of("case 2, circle, sine"), "-"));
  result.claims.push_back(within("case 2, sine: angle of the square over the circle's",
                                 "Section VI-C: circle and square move alike", 1,
                                 angle_of("case 2, square, sine") / angle_of("case 2, circle, sine"), 0.3, "-"));
  result.claims.push_back(within("case 1, square, dip, distributed: angle at the end", planar_data, 0.231821,
                                 angle_of("case 1, square, dip"), 1e-3, "rad"));

  // Which dip makes the box slip, by the angle at the dip's end
  const planar::Patch square(planar::paper::square());
  const auto slip = [&](double low, const auto& model) {
    context.step(static_cast<double>(all.size()) / static_cast<double>(all.size() + 1));
    return std::abs(model(Hold{0.025, dip(low, 4, 30)}, square, 0.5).rows.back().state.angle);
  };
  constexpr double slipping = 0.01;  // [rad]; a box that holds turns by less than a tenth of it
  result.claims.push_back(at_least("case 1, square, distributed: angle after a dip of 2.90 N", "slips in the data",
                                   slipping, slip(2.90, distributed), "rad"));
  result.claims.push_back(at_most("case 1, square, distributed: angle after a dip of 2.95 N", "holds in the data",
                                  slipping / 10, slip(2.95, distributed), "rad"));
  result.claims.push_back(at_least("case 1, square, reduced: angle after a dip of 2.85 N", "slips in the data",
                                   slipping, slip(2.85, reduced), "rad"));
  result.claims.push_back(at_most("case 1, square, reduced: angle after a dip of 2.90 N", "holds in the data",
                                  slipping / 10, slip(2.90, reduced), "rad"));
  return result;
}

}  // namespace stiction::lab::planar_in_hand
