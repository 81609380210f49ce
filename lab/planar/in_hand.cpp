// Figs. 26 to 32: a box between two fingers, whose grip is loosened and tightened. Three states for a contact against
// many bristles.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "../lab.h"
#include "held_box.h"
#include "paper_setup.h"

namespace stiction::lab::planar_in_hand {
namespace {

/// The centre of mass at the end, by the authors' code or in their figures.
struct Ends {
  DrawnPose distributed, reduced;
};

/// Which contact, where the centre of mass is, and how the grip changes.
struct Case {
  std::string name;
  Hold hold;
  planar::PressureGrid (*grid)(std::size_t n, double side);
  const char* figure = nullptr;    // that shows it; none: an addition
  std::optional<Ends> data = {};   // of the authors' code
  std::optional<Ends> drawn = {};  // read from the vector drawing
  HalfLine half = {};

  [[nodiscard]] std::string table() const {
    std::string table = name;
    std::erase(table, ',');
    std::ranges::replace(table, ' ', '_');
    return table;
  }
};

std::vector<Case> cases() {
  const Hold far_sine{0.025, sine(3.6, 0.9)};
  const Hold far_dip{0.025, dip(2.9, 4, 30)};
  const Hold near_sine{0.002, sine(1.73, 0.91)};
  const Hold near_dip{0.002, dip(0.84, 2, 32.5)};
  using planar::paper::circle;
  using planar::paper::gradient_line_x;
  using planar::paper::square;
  const HalfLine in27{1.9e-4, 3.9e-4, 0.016};
  const HalfLine in29{2.3e-5, 3.5e-4, 2.7e-3};
  const HalfLine in30{1.9e-5, 3.3e-4, 2.3e-3};
  const HalfLine in31{1.3e-4, 3.6e-4, 0.0116};
  return {
      {"case 1, circle, sine", far_sine, circle, "Fig. 27",
       Ends{{0.0144959730235, -0.0217318707387, -0.898145791886}, {0.0143215020965, -0.0218768068491, -0.906323725946}},
       Ends{{0.014496, -0.021732, -0.89815}, {0.014322, -0.021877, -0.90632}}, in27},
      {"case 1, circle, dip", far_dip, circle, "Fig. 27",
       Ends{{0.0147760959168, -0.021506808243, -0.886205429034}, {0.0145982615743, -0.021653290916, -0.894386276022}},
       Ends{{0.014776, -0.021507, -0.8862}, {0.014598, -0.021653, -0.89439}}, in27},
      {"case 1, square, sine", far_sine, square},
      {"case 1, square, dip", far_dip, square},
      {"case 1, gradient line, sine", far_sine, gradient_line_x},
      {"case 1, gradient line, dip", far_dip, gradient_line_x},
      {"case 2, circle, sine", near_sine, circle, "Fig. 29",
       Ends{{0.000720694386024, -0.0193114898836, -0.152444767115},
            {0.000793538472944, -0.0182673975605, -0.14834615542}},
       Ends{{0.0007207, -0.019312, -0.15244}, {0.00079354, -0.018267, -0.14835}}, in29},
      {"case 2, circle, dip",
       near_dip,
       circle,
       "Fig. 29",
       {},
       Ends{{0.00079808, -0.019483, -0.126}, {0.00078229, -0.01971, -0.12608}},
       in29},
      {"case 2, square, sine",
       near_sine,
       square,
       "Fig. 30",
       {},
       Ends{{0.0008294, -0.018829, -0.14015}, {0.00092475, -0.017481, -0.13559}},
       in30},
      {"case 2, square, dip",
       near_dip,
       square,
       "Fig. 30",
       {},
       Ends{{0.00090146, -0.019534, -0.11836}, {0.00088517, -0.019772, -0.11866}},
       in30},
      {"case 2, gradient line, sine", near_sine, gradient_line_x, "Fig. 31",
       Ends{{-0.00324401296384, -0.018710354826, -0.694069084659},
            {-0.00323094020911, -0.0202018595415, -0.680122039836}},
       Ends{{-0.003244, -0.018712, -0.69407}, {-0.0032309, -0.020202, -0.68012}}, in31},
      {"case 2, gradient line, dip",
       near_dip,
       gradient_line_x,
       "Fig. 31",
       {},
       Ends{{-0.0056058, -0.021689, -0.54073}, {-0.0056502, -0.021547, -0.54319}},
       in31},
  };
}

struct Runs {
  Case setup;
  sim::PlanarRun distributed, reduced;
};
const Runs& find(const std::vector<Runs>& all, std::string_view name) {
  return *std::ranges::find_if(all, [&](const Runs& runs) { return runs.setup.name == name; });
}

const sim::PlanarState& end_of(const sim::PlanarRun& run) { return run.rows.back().state; }

void claim_ends(Result& result, const Runs& runs) {
  const Case& c = runs.setup;
  const auto same = [&](const std::string& name, const Source& source, const DrawnPose& expected,
                        const sim::PlanarState& measured, const HalfLine& tolerance) {
    result.claims.push_back(within(name + "x at the end", source, expected.x, measured.position.x, tolerance.x, "m"));
    result.claims.push_back(within(name + "y at the end", source, expected.y, measured.position.y, tolerance.y, "m"));
    result.claims.push_back(
        within(name + "angle at the end", source, expected.angle, measured.angle, tolerance.angle, "rad"));
  };
  if (c.data) {
    constexpr HalfLine solver{1e-5, 1e-5, 1e-4};
    const Source data = from_authors(planar_data);
    same(c.name + ", distributed: ", data, c.data->distributed, end_of(runs.distributed), solver);
    same(c.name + ", reduced: ", data, c.data->reduced, end_of(runs.reduced), solver);
  }
  if (c.drawn) {
    const Source figure = from_figure(c.figure);
    same(c.name + ", distributed, drawn: ", figure, c.drawn->distributed, end_of(runs.distributed), c.half);
    same(c.name + ", reduced, drawn: ", figure, c.drawn->reduced, end_of(runs.reduced), c.half);
  }
}

/// Largest force along y and torque of one finger, read from Figs. 28 and 32 to half the width of a line.
void claim_peaks(Result& result, const std::vector<Runs>& all) {
  struct Peaks {
    const char* figure;
    const char* setup;
    bool reduced;
    double force, torque, half_force, half_torque;
  };
  constexpr std::array<Peaks, 8> peaks{{{"Fig. 28", "case 1, circle, sine", false, 1.0766, 0.032961, 2.6e-3, 2.9e-4},
                                        {"Fig. 28", "case 1, circle, sine", true, 1.0784, 0.032691, 2.6e-3, 2.9e-4},
                                        {"Fig. 28", "case 1, circle, dip", false, 1.0591, 0.028927, 2.6e-3, 2.9e-4},
                                        {"Fig. 28", "case 1, circle, dip", true, 1.056, 0.028068, 2.6e-3, 2.9e-4},
                                        {"Fig. 32", "case 2, circle, sine", false, 1.1986, 8.9625e-3, 0.0192, 2.2e-4},
                                        {"Fig. 32", "case 2, circle, sine", true, 1.1955, 8.9053e-3, 0.0192, 2.2e-4},
                                        {"Fig. 32", "case 2, circle, dip", false, 2.0337, 0.010421, 0.0192, 2.2e-4},
                                        {"Fig. 32", "case 2, circle, dip", true, 2.033, 0.01114, 0.0192, 2.2e-4}}};
  for (const Peaks& p : peaks) {
    const Runs& runs = find(all, p.setup);
    double force = 0;
    double torque = 0;
    for (const sim::PlanarRow& row : (p.reduced ? runs.reduced : runs.distributed).rows) {
      force = std::max(force, row.wrench.y);
      torque = std::max(torque, row.wrench.torque);
    }
    const std::string name = fmt::format("{}, {}: ", p.setup, p.reduced ? "reduced" : "distributed");
    result.claims.push_back(
        within(name + "largest force along y, drawn", from_figure(p.figure), p.force, force, p.half_force, "N"));
    result.claims.push_back(
        within(name + "largest torque, drawn", from_figure(p.figure), p.torque, torque, p.half_torque, "N m"));
  }
}

/// What Section VI-C says of case 1.
void claim_pivot(Result& result, const std::vector<Runs>& all) {
  const sim::PlanarState& sine_end = end_of(find(all, "case 1, circle, sine").distributed);
  const sim::PlanarState& dip_end = end_of(find(all, "case 1, circle, dip").distributed);
  result.claims.push_back(within("case 1, circle: angle with grip 2 over that with grip 1",
                                 from_figure("Fig. 27: similar, 0.8862 over 0.89815 rad"), 0.987,
                                 dip_end.angle / sine_end.angle, 0.02, "-"));
  result.claims.push_back(within("case 1, circle: distance of the centre of mass from the finger at the end",
                                 printed("Section VI-C: the finger is akin to a pivot; 10 % is ours"), 0.025,
                                 std::hypot(sine_end.position.x, sine_end.position.y), 2.5e-3, "m"));
}

/// What Section VI-C says of case 2.
void claim_statements(Result& result, const std::vector<Runs>& all) {
  const auto angle_of = [&](std::string_view name) { return std::abs(end_of(find(all, name).distributed).angle); };
  const double circle = angle_of("case 2, circle, sine");
  result.claims.push_back(at_least("case 2, sine: angle of the gradient line over the circle's",
                                   printed("Section VI-C: a much larger change with the gradient line; 3 is ours"), 3,
                                   angle_of("case 2, gradient line, sine") / circle, "-"));
  result.claims.push_back(within("case 2, sine: angle of the square over the circle's",
                                 from_figure("Figs. 29 and 30: 0.14015 over 0.15244 rad"), 0.919,
                                 angle_of("case 2, square, sine") / circle, 0.02, "-"));
  result.claims.push_back(within("case 2, circle: angle with grip 2 over that with grip 1",
                                 from_figure("Fig. 29: the profile matters, 0.126 over 0.15244 rad"), 0.827,
                                 angle_of("case 2, circle, dip") / circle, 0.02, "-"));
  const auto torsion = [](const planar::PressureGrid& grid) { return planar::Patch(grid).torque_radius(); };
  result.claims.push_back(at_most("torsional friction of the gradient line over the circle's",
                                  printed("Section VI-C: less than the circle or square"), 1,
                                  torsion(planar::paper::gradient_line_x()) / torsion(planar::paper::circle()), "-"));
  // Sine on a gradient line: after 1 s it slips down only
  const std::vector<sim::PlanarRow>& rows = find(all, "case 2, gradient line, sine").distributed.rows;
  const sim::PlanarState& middle = rows.at(rows.size() / 2).state;
  const sim::PlanarState& last = rows.back().state;
  result.claims.push_back(within("case 2, gradient line, sine: way along y after 1 s", from_figure("Fig. 31"), -5.18e-3,
                                 last.position.y - middle.position.y, 3.6e-4, "m"));
  result.claims.push_back(at_most("case 2, gradient line, sine: turn after 1 s over all of it",
                                  printed("Section VI-C: later it only slips in the tangential direction; 2 % is ours"),
                                  0.02, std::abs(last.angle - middle.angle) / std::abs(last.angle), "-"));
  result.claims.push_back(within("case 1, square, dip, distributed: angle at the end", from_authors(planar_data),
                                 0.231821, angle_of("case 1, square, dip"), 1e-3, "rad"));
}

/// Fig. 26: outlines of the box at five times, the finger, and the way of the centre of mass.
void snapshots(Result& result, const char* name, const char* title, const Runs& runs) {
  Figure figure{name, title, "x [m]", "y [m]", {}};
  figure.equal_units = true;
  Table boxes{name, {}};
  const auto& rows = runs.distributed.rows;
  // Where it rests, later outlines lie on earlier ones: each has another style
  constexpr std::array<const char*, 5> styles{"lines", "lines", "lines", "points", "dashes"};
  for (std::size_t k = 0; k < styles.size(); ++k) {
    const sim::PlanarState state =
        k == 0 ? sim::PlanarState{.position = {runs.setup.hold.mass_at, 0}} : rows.at(rows.size() * k / 4 - 1).state;
    const double c = std::cos(state.angle);
    const double s = std::sin(state.angle);
    std::array<std::vector<double>, 2> outline;
    for (const auto& [x, y] : {std::pair(1, 1), {-1, 1}, {-1, -1}, {1, -1}, {1, 1}}) {
      const planar::Point corner{0.075 * x, 0.04 * y};
      outline[0].push_back(state.position.x + c * corner.x - s * corner.y);
      outline[1].push_back(state.position.y + s * corner.x + c * corner.y);
    }
    const std::string time = fmt::format("t = {:g} s", 0.5 * static_cast<double>(k));
    boxes.columns.push_back({"x, " + time + " [m]", outline[0]});
    boxes.columns.push_back({"y, " + time + " [m]", outline[1]});
    figure.series.push_back({name, boxes.columns.size() - 2, boxes.columns.size() - 1, time, styles.at(k)});
  }
  const std::string finger = std::string(name) + "_finger";
  std::array<std::vector<double>, 2> rim;
  for (int k = 0; k <= 60; ++k) {
    rim[0].push_back(0.01 * std::cos(k * std::numbers::pi / 30));
    rim[1].push_back(0.01 * std::sin(k * std::numbers::pi / 30));
  }
  figure.series.push_back({finger, 0, 1, "finger"});
  figure.series.push_back({runs.setup.table(), 2, 3, "centre of mass"});
  result.tables.push_back(boxes);
  result.tables.push_back({finger, {{"x [m]", rim[0]}, {"y [m]", rim[1]}}});
  result.figures.push_back(figure);
}

/// Columns: time, normal force, then those of add_motion for the distributed and the reduced model.
void add_figures(Result& result, const std::vector<Runs>& all) {
  const auto figure = [&](const char* name, const std::string& title, const std::string& set, bool forces, bool grip) {
    Figure f{name, title, "time [s]", "pose, forces", {}};
    const std::string first = find(all, set + ", sine").setup.table();
    const std::string second = find(all, set + ", dip").setup.table();
    const std::vector<ShownRun> runs{{first, 2, "distributed, grip 1"},
                                     {first, 2 + part_count, "reduced, grip 1"},
                                     {second, 2, "distributed, grip 2", "dashes"},
                                     {second, 2 + part_count, "reduced, grip 2", "dashes"}};
    if (forces) {
      add_panels(f, runs, {MotionPart::force_x, MotionPart::force_y, MotionPart::torque});
    } else {
      add_panels(f, runs, {MotionPart::x, MotionPart::y, MotionPart::angle});
    }
    if (grip) {
      f.series.push_back({first, 0, 1, "grip 1", "lines", "normal force [N]"});
      f.series.push_back({second, 0, 1, "grip 2", "dashes", "normal force [N]"});
    }
    result.figures.push_back(f);
  };
  snapshots(result, "fig26a", "Case 1: the centre of mass 25 mm from the finger", find(all, "case 1, circle, sine"));
  snapshots(result, "fig26b", "Case 2: the centre of mass 2 mm from the finger", find(all, "case 2, circle, sine"));
  figure("fig27", "Case 1, circle: pose of the centre of mass", "case 1, circle", false, true);
  figure("fig28", "Case 1, circle: forces of one finger", "case 1, circle", true, false);
  figure("fig29", "Case 2, circle: pose of the centre of mass", "case 2, circle", false, true);
  figure("fig30", "Case 2, square: pose of the centre of mass", "case 2, square", false, false);
  figure("fig31", "Case 2, gradient line: pose of the centre of mass", "case 2, gradient line", false, false);
  figure("fig32", "Case 2, circle: forces of one finger", "case 2, circle", true, false);
  figure("threshold", "Case 1, square: grip 2 lies between the thresholds of the models", "case 1, square", false,
         true);
}

Table motion_of(const Runs& runs) {
  Table table{runs.setup.table(), {{"time [s]", column_of(runs.distributed, [](const auto& r) { return r.time; })}}};
  table.columns.push_back(
      {"normal force [N]", column_of(runs.distributed, [](const auto& r) { return r.normal_force; })});
  add_motion(table, "distributed", runs.distributed);
  add_motion(table, "reduced", runs.reduced);
  return table;
}

/// A row of the summary, and whether the reduced model follows the distributed one.
void summarise(Result& result, Table& summary, const Runs& runs) {
  const Apart difference = apart(runs.distributed, runs.reduced, runs.setup.hold);
  const sim::PlanarState& many = end_of(runs.distributed);
  const sim::PlanarState& three = end_of(runs.reduced);
  std::get<std::vector<std::string>>(summary.columns[0].values).push_back(runs.setup.name);
  const std::array numbers{many.position.y, three.position.y,    many.angle,
                           three.angle,     difference.position, difference.angle};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::get<std::vector<double>>(summary.columns[1 + i].values).push_back(numbers[i]);
  }
  const bool shown = runs.setup.figure != nullptr;
  Claim follows = at_most(runs.setup.name + ": largest distance between reduced and distributed over the way",
                          shown ? printed("Section VI-C: the reduced model follows the distributed one; 10 % is ours")
                                : requirement("the same where the paper shows no run"),
                          0.1, difference.position, "-");
  if (runs.setup.name == "case 1, square, dip") {
    follows.as_refuted("the dip lies between the two models' thresholds of slipping");
  }
  result.claims.push_back(follows);
}

}  // namespace

Result run(const Context& context) {
  const planar::Friction friction = planar::preset::waltersson_p1();
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
      "1) or 2 mm (case 2) from the centre of mass. The grip swings as a sine (1), or has a dip of 0.2 s (2). Reduced "
      "models use the authors' table. In case 1 with a square contact the dip of 2.9 N lies between the thresholds of "
      "the two models: one slips, the other holds. Numbers called drawn are read from the vector drawings of Figs. 27 "
      "to 32, to half the width of a line.";
  Table summary{"summary",
                {{"case", std::vector<std::string>{}},
                 {"y at the end, distributed [m]", std::vector<double>{}},
                 {"y at the end, reduced [m]", std::vector<double>{}},
                 {"angle at the end, distributed [rad]", std::vector<double>{}},
                 {"angle at the end, reduced [rad]", std::vector<double>{}},
                 {"largest distance over way [-]", std::vector<double>{}},
                 {"largest angle between over angle [-]", std::vector<double>{}}},
                true};
  std::vector<Runs> all;
  const std::vector<Case> setups = cases();
  for (const Case& c : setups) {
    context.step(static_cast<double>(all.size()) / static_cast<double>(setups.size() + 1));
    const planar::Patch patch(c.grid(21, 0.02));
    const Runs& runs = all.emplace_back(Runs{c, distributed(c.hold, patch), reduced(c.hold, patch)});
    summarise(result, summary, runs);
    claim_ends(result, runs);
    result.tables.push_back(motion_of(runs));
  }
  result.tables.push_back(summary);
  add_figures(result, all);
  claim_peaks(result, all);
  claim_pivot(result, all);
  claim_statements(result, all);

  // Which dip makes the box slip, by the angle at the dip's end
  const planar::Patch square(planar::paper::square());
  const auto slip = [&](double low, const auto& model) {
    context.step(1);
    return std::abs(model(Hold{0.025, dip(low, 4, 30)}, square, 0.5).rows.back().state.angle);
  };
  constexpr double slipping = 0.01;  // [rad]; a box that holds turns by less than a tenth of it
  result.claims.push_back(at_least("case 1, square, distributed: angle after a dip of 2.90 N",
                                   from_authors("slips in data made with the authors' code"), slipping,
                                   slip(2.90, distributed), "rad"));
  result.claims.push_back(at_most("case 1, square, distributed: angle after a dip of 2.95 N",
                                  from_authors("holds in data made with the authors' code"), slipping / 10,
                                  slip(2.95, distributed), "rad"));
  result.claims.push_back(at_least("case 1, square, reduced: angle after a dip of 2.85 N",
                                   from_authors("slips in data made with the authors' code"), slipping,
                                   slip(2.85, reduced), "rad"));
  result.claims.push_back(at_most("case 1, square, reduced: angle after a dip of 2.90 N",
                                  from_authors("holds in data made with the authors' code"), slipping / 10,
                                  slip(2.90, reduced), "rad"));
  return result;
}

}  // namespace stiction::lab::planar_in_hand
