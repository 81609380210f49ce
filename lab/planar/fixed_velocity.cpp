// Figs. 5, 13, 17 and 19 to 22: six contact surfaces moved along one velocity profile. How well three states represent
// many bristles, with the limit surface and with an ellipsoid.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "../lab.h"
#include "error_boxes.h"
#include "paper_setup.h"

namespace stiction::lab::planar_fixed_velocity {
namespace {

using planar::Wrench;

constexpr double interval = 2e-3;  // of the data [s]

struct Runs {
  std::vector<Wrench> distributed, surface, authors, ellipsoid;
};
const Wrench& at_time(const std::vector<Wrench>& rows, double time) {
  return rows.at(static_cast<std::size_t>(std::lround(time / interval)));
}

/// Upper quartiles of the errors, and the wrench of the distributed model at 1.5 s, in the authors' data.
struct Published {
  const char* shape;
  double surface_force, surface_torque, ellipsoid_force, ellipsoid_torque;  // upper quartiles [N], [N m]
  double force_x, torque;                                                   // [N], [N m]
};
constexpr std::array<Published, 4> published{
    {{"square", 0.0012202, 2.2960e-05, 0.094004, 0.00020803, -0.9160390, -0.002502324},
     {"circle", 0.0014866, 2.4824e-05, 0.087779, 0.00026155, -0.9484489, -0.001608935},
     {"gradient line", 0.017773, 6.6447e-05, 0.087960, 0.00040551, -1.0030, -4.635928e-06},
     {"non-convex 1", 0.00091115, 1.8106e-05, 0.13620, 0.0010922, -0.8703657, -0.004298215}}};

/// Upper quartile and upper whisker of the ellipsoid's errors, read from the vector drawing of Fig. 22.
struct DrawnBoxes {
  const char* shape;
  double force_third, force_high, torque_third, torque_high;  // [N], [N m]
};
constexpr std::array<DrawnBoxes, 6> drawn_boxes{{{"circle", 0.08829, 0.1272, 2.578e-4, 6.209e-4},
                                                 {"square", 0.09414, 0.1195, 2.041e-4, 4.63e-4},
                                                 {"line", 0.05655, 0.1358, 3.991e-4, 8.872e-4},
                                                 {"gradient line", 0.088, 0.202, 4.094e-4, 9.278e-4},
                                                 {"non-convex 1", 0.137, 0.3301, 1.15e-3, 2.694e-3},
                                                 {"non-convex 2", 0.07148, 0.1525, 2.98e-4, 6.981e-4}}};
constexpr double half_line_force = 4.0e-3;   // half the width of a line in Fig. 22 [N]
constexpr double half_line_torque = 3.2e-5;  // [N m]

/// What a figure shows where the velocity is constant: the force along x at 1.5 s, along y at 3 s, the torque at 0.7 s.
struct Plateaus {
  double force_x, force_y, torque;
};
struct DrawnCurves {
  const char* figure;
  const char* shape;
  bool ellipsoid;  // the reduced model: with an ellipsoid, or with a limit surface
  Plateaus distributed, reduced;
  double half_force, half_torque;  // half the width of a line [N], [N m]
};
constexpr std::array<DrawnCurves, 5> drawn_curves{
    {{"Fig. 13", "circle", true, {-0.9484, -0.5987, -6.384e-3}, {-0.9238, -0.6876, -6.362e-3}, 0.0173, 1.11e-4},
     {"Fig. 17", "circle", false, {-0.9484, -0.5987, -6.384e-3}, {-0.948, -0.5972, -6.363e-3}, 0.0173, 1.11e-4},
     {"Fig. 19", "gradient line", false, {-1.002, -0.8256, -4.06e-3}, {-1.003, -0.824, -3.992e-3}, 0.0194, 7.5e-5},
     {"Fig. 20", "non-convex 1", false, {-0.8704, -0.02594, -8.617e-3}, {-0.8697, -0.03634, -8.607e-3}, 0.0173, 1.5e-4},
     {"Fig. 21",
      "non-convex 2",
      false,
      {-0.9182, -0.4807, -6.584e-3},
      {-0.9177, -0.4826, -6.551e-3},
      0.0179,
      1.13e-4}}};

/// Columns of the table of a shape: time, then force along x and y and torque of each model.
constexpr std::size_t distributed_at = 1;
constexpr std::size_t exact_at = 4;
constexpr std::size_t authors_at = 7;
constexpr std::size_t ellipsoid_at = 10;

std::string table_of(std::string_view shape) {
  std::string table(shape);
  std::ranges::replace(table, ' ', '_');
  return table;
}

Table curves_of(const std::string& shape, const std::vector<double>& time, const Runs& runs) {
  const auto column = [](const std::vector<Wrench>& rows, double Wrench::*part) {
    std::vector<double> values;
    for (const Wrench& w : rows) {
      values.push_back(w.*part);
    }
    return values;
  };
  Table curves{table_of(shape), {{"time [s]", time}}};
  for (const auto& [model, rows] : {std::pair("distributed", &runs.distributed),
                                    {"exact", &runs.surface},
                                    {"authors'", &runs.authors},
                                    {"ellipsoid", &runs.ellipsoid}}) {
    curves.columns.push_back({fmt::format("fx {} [N]", model), column(*rows, &Wrench::x)});
    curves.columns.push_back({fmt::format("fy {} [N]", model), column(*rows, &Wrench::y)});
    curves.columns.push_back({fmt::format("torque {} [N m]", model), column(*rows, &Wrench::torque)});
  }
  return curves;
}

/// Forces in one panel and torque in another, of the distributed model and of others (a label and a first column).
Figure forces_figure(const char* name, const std::string& title, const std::string& table,
                     const std::vector<std::pair<std::string, std::size_t>>& models) {
  Figure figure{name, title, "time [s]", "force, torque", {}};
  figure.panels_in_a_row = 1;
  constexpr std::array labels{"force [N]", "torque [N m]"};
  for (const bool torque : {false, true}) {
    for (const auto& [label, at] : models) {
      const std::string style = at == distributed_at ? "lines" : "dashes";
      if (torque) {
        figure.series.push_back({table, 0, at + 2, "torque, " + label, style, labels[1]});
      } else {
        figure.series.push_back({table, 0, at, "fx, " + label, style, labels[0]});
        figure.series.push_back({table, 0, at + 1, "fy, " + label, style, labels[0]});
      }
    }
  }
  return figure;
}

void add_figures(Result& result) {
  const std::pair<std::string, std::size_t> many{"distributed", distributed_at};
  const std::pair<std::string, std::size_t> surface{"reduced", authors_at};
  const std::pair<std::string, std::size_t> ellipsoid{"ellipsoid", ellipsoid_at};
  Figure fig05 = forces_figure("fig05", "Circle, distributed model, on the velocity profile", "circle", {many});
  fig05.series.push_back({"profile", 0, 1, "vx", "lines", "velocity [m/s]"});
  fig05.series.push_back({"profile", 0, 2, "vy", "lines", "velocity [m/s]"});
  fig05.series.push_back({"profile", 0, 3, "spin", "lines", "spin [rad/s]"});
  result.figures.push_back(fig05);
  result.figures.push_back(
      forces_figure("fig13", "Circle: distributed, and reduced with an ellipsoid", "circle", {many, ellipsoid}));
  result.figures.push_back(
      forces_figure("fig17", "Circle: distributed, and reduced with the limit surface", "circle", {many, surface}));
  result.figures.push_back(
      forces_figure("fig19", "Gradient line: distributed and reduced", "gradient_line", {many, surface}));
  result.figures.push_back(
      forces_figure("fig20", "Non-convex 1: distributed and reduced", "non-convex_1", {many, surface}));
  result.figures.push_back(
      forces_figure("fig21", "Non-convex 2: distributed and reduced", "non-convex_2", {many, surface}));
  result.figures.push_back(forces_figure("square", "Square: distributed and reduced", "square", {many, surface}));
  result.figures.push_back(forces_figure("line", "Line: distributed and reduced", "line", {many, surface}));
}

void compare_models(Result& result, const char* name, const Boxes& exact, const Boxes& authors,
                    const Boxes& ellipsoid) {
  const auto beats = [&](const char* what, double ours, double theirs) {
    result.claims.push_back(at_most(fmt::format("{}: {} error, limit surface over ellipsoid", name, what),
                                    from_figure("Fig. 22: the limit surface is closer on every surface"), 1,
                                    ours / theirs, "-"));
  };
  beats("median force", authors.force.median, ellipsoid.force.median);
  beats("upper quartile of the force", authors.force.third, ellipsoid.force.third);
  beats("median torque", authors.torque.median, ellipsoid.torque.median);
  beats("upper quartile of the torque", authors.torque.third, ellipsoid.torque.third);
  const Source own = requirement("the exact surface, too, is closer than an ellipsoid");
  result.claims.push_back(
      at_most(fmt::format("{}: upper quartile of the force error, exact surface over ellipsoid", name), own, 1,
              exact.force.third / ellipsoid.force.third, "-"));
  result.claims.push_back(
      at_most(fmt::format("{}: upper quartile of the torque error, exact surface over ellipsoid", name), own, 1,
              exact.torque.third / ellipsoid.torque.third, "-"));
}

void compare_with_data(Result& result, std::string_view name, const Runs& runs, const Boxes& authors,
                       const Boxes& ellipsoid) {
  for (const Published& p : published) {
    if (p.shape != name) {
      continue;
    }
    const auto same = [&](const char* what, double expected, double measured, double share, const char* unit) {
      result.claims.push_back(within(fmt::format("{}: {}", name, what), from_authors(planar_data), expected, measured,
                                     share * std::abs(expected), unit));
    };
    const Wrench& at = at_time(runs.distributed, 1.5);
    same("force along x of the distributed model at 1.5 s", p.force_x, at.x, 1e-5, "N");
    same("torque of the distributed model at 1.5 s", p.torque, at.torque, 1e-5, "N m");
    same("upper quartile of the force error, authors' table", p.surface_force, authors.force.third, 0.02, "N");
    same("upper quartile of the torque error, authors' table", p.surface_torque, authors.torque.third, 0.02, "N m");
    same("upper quartile of the force error, ellipsoid", p.ellipsoid_force, ellipsoid.force.third, 0.02, "N");
    same("upper quartile of the torque error, ellipsoid", p.ellipsoid_torque, ellipsoid.torque.third, 0.02, "N m");
  }
}

/// The velocity is held over 10 ms at its value at their start, and the wrench is taken at their end.
std::vector<Wrench> follow_as_drawn(const auto& model, bool quick) {
  constexpr double held = 0.01;
  const int in_each = quick ? 10 : 100;
  std::vector<double> times;
  for (int k = 0; k <= std::lround(paper_profile_duration / held) * in_each; ++k) {
    times.push_back(k * held / in_each);
  }
  const auto profile = [](double t) { return paper_profile(held * std::max(std::ceil(t / held - 1e-6) - 1, 0.0)); };
  auto wrenches = follow(model, profile, times, static_cast<std::size_t>(in_each));
  wrenches.erase(wrenches.begin());
  return wrenches;
}

void compare_with_figures(Result& result, std::string_view name, const Runs& runs, const Boxes& authors,
                          const Boxes& ellipsoid) {
  for (const DrawnBoxes& drawn : drawn_boxes) {
    if (drawn.shape != name) {
      continue;
    }
    // One of the 500 errors may lie on the other side of a quartile
    const auto same = [&](const char* what, double expected, double measured, double half_line, const char* unit) {
      result.claims.push_back(within(fmt::format("{}: {} of the {} error, ellipsoid, drawn", name, what,
                                                 unit == std::string_view("N") ? "force" : "torque"),
                                     from_figure("Fig. 22"), expected, measured, half_line, unit));
    };
    same("upper quartile", drawn.force_third, ellipsoid.force.third, half_line_force + ellipsoid.force.third_gap, "N");
    same("upper whisker", drawn.force_high, ellipsoid.force.high, half_line_force, "N");
    same("upper quartile", drawn.torque_third, ellipsoid.torque.third, half_line_torque + ellipsoid.torque.third_gap,
         "N m");
    same("upper whisker", drawn.torque_high, ellipsoid.torque.high, half_line_torque, "N m");
  }
  if (name == "gradient line") {  // the other boxes of the limit surface are as thin as a line
    const Source fig22 = from_figure("Fig. 22");
    result.claims.push_back(within("gradient line: upper quartile of the force error, limit surface, drawn", fig22,
                                   0.01803, authors.force.third, half_line_force, "N"));
    result.claims.push_back(within("gradient line: upper whisker of the force error, limit surface, drawn", fig22,
                                   0.04333, authors.force.high, half_line_force, "N"));
  }
  for (const DrawnCurves& drawn : drawn_curves) {
    if (drawn.shape != name) {
      continue;
    }
    const auto same = [&](const char* model, const Plateaus& expected, const std::vector<Wrench>& rows) {
      const auto claim = [&](const char* what, double value, double measured, double half_line, const char* unit) {
        result.claims.push_back(within(fmt::format("{}, {}: {}", name, model, what), from_figure(drawn.figure), value,
                                       measured, half_line, unit));
      };
      claim("force along x at 1.5 s", expected.force_x, at_time(rows, 1.5).x, drawn.half_force, "N");
      claim("force along y at 3 s", expected.force_y, at_time(rows, 3).y, drawn.half_force, "N");
      claim("torque at 0.7 s", expected.torque, at_time(rows, 0.7).torque, drawn.half_torque, "N m");
    };
    if (drawn.ellipsoid) {
      same("ellipsoid", drawn.reduced, runs.ellipsoid);
    } else {
      same("distributed", drawn.distributed, runs.distributed);
      same("reduced", drawn.reduced, runs.authors);
    }
  }
}

/// Where the gradient line turns about its centre of pressure, its force is not zero (0.7 s).
void gradient_line(Result& result, const Runs& runs, double error, double others) {
  result.claims.push_back(
      at_least("upper quartile of the force error, authors' table: gradient line over the worst other surface",
               printed("Section VI-A: the gradient line has a significantly higher error; twice is ours"), 2,
               error / others, "-"));
  // As the centre of rotation moves along the line, a cell after the other turns its force round
  const auto largest_step = [](const std::vector<Wrench>& rows) {
    double step = 0;
    for (long i = std::lround(0.8 / interval); i < std::lround(1.4 / interval); ++i) {
      const auto at = static_cast<std::size_t>(i);
      step = std::max(step, std::abs(rows.at(at + 1).x - rows.at(at).x));
    }
    return step;
  };
  result.claims.push_back(at_most("gradient line: largest step of the force in 2 ms, reduced over distributed",
                                  printed("Section VI-A: the reduced model has no discrete steps; a quarter is ours"),
                                  0.25, largest_step(runs.authors) / largest_step(runs.distributed), "-"));
  const double turning = at_time(runs.authors, 0.7).x;
  result.claims.push_back(within("gradient line: force along x while it turns about its centre of pressure",
                                 from_authors(planar_data), 0.1079958, turning, 1e-5, "N"));
  result.claims.push_back(
      within("gradient line: the same, drawn", from_figure("Fig. 19"), 0.108, turning, 0.0194, "N"));
  result.claims.push_back(within("gradient line: the same with the ellipsoid",
                                 printed("Section V-B: always zero with the ellipsoid"), 0,
                                 at_time(runs.ellipsoid, 0.7).x, 1e-12, "N"));
}

}  // namespace

Result run(const Context& context) {
  const double dt = context.quick ? 5e-5 : 1e-5;
  const auto per_row = static_cast<std::size_t>(std::lround(interval / dt));
  const planar::Friction friction = planar::preset::waltersson_p1();
  std::vector<double> steps;
  for (int k = 0; k < std::lround(paper_profile_duration / dt); ++k) {
    steps.push_back(k * dt);
  }
  std::vector<double> time;
  std::array<std::vector<double>, 3> twist;
  for (int k = 0; k < std::lround(paper_profile_duration / interval); ++k) {
    time.push_back(k * interval);
    const planar::Twist v = paper_profile(time.back());
    twist[0].push_back(v.x);
    twist[1].push_back(v.y);
    twist[2].push_back(v.spin);
  }

  Result result;
  result.notes =
      "Contact surfaces of 20 mm with 1 N on them, 21 × 21 cells with the paper's masks, friction p = 1, "
      "elasto-plastic. The velocity at the centre of pressure is the same for all; it moves the centre of rotation "
      "into "
      "the contact and out. Errors are distances to the model of many bristles with the same cells. Reduced, authors': "
      "the paper's table over angles with its bilinear rule. Exact: a table of the exact limit surface, in the CSV "
      "files. Fig. 22: the caption puts the whiskers at 1.5 times the interquartile range beyond the box; they are "
      "drawn to the farthest error within, here as there, of a run that holds the velocity over 10 ms, as the authors' "
      "did. Where the patch slides without turning, or rests, no model "
      "errs: hence the small lower quartiles. Numbers called drawn are read from the vector drawings, to half the "
      "width "
      "of a line.";
  result.tables.push_back(
      {"profile", {{"time [s]", time}, {"vx [m/s]", twist[0]}, {"vy [m/s]", twist[1]}, {"spin [rad/s]", twist[2]}}});
  BoxPlots plots;
  Runs of_gradient;
  double gradient = 0;
  double others = 0;  // largest upper quartile of the force error on surfaces that are no line with a gradient
  double done = 0;
  for (const PaperShape& shape : paper_shapes) {
    const planar::Patch patch(shape.grid(21, 0.02));
    const auto run = [&](const auto& model) {
      context.step((done + 0.5) / static_cast<double>(paper_shapes.size()));
      return follow(model, paper_profile, steps, per_row, [&] { context.check(); });
    };
    Runs runs{
        run(planar::Distributed::make({friction, patch})),
        run(planar::Reduced<planar::SurfaceTable>::make(
            {friction, patch.pressure_moments(), planar::SurfaceTable(patch)})),
        run(authors_reduced(friction, patch)),
        run(authors_ellipsoid(friction, patch)),
    };
    const Boxes exact = distance(runs.surface, runs.distributed);
    const Boxes authors = distance(runs.authors, runs.distributed);
    const Boxes ellipsoid = distance(runs.ellipsoid, runs.distributed);
    plots.add(shape.name, exact, authors, ellipsoid);
    const auto truth = follow_as_drawn(planar::Distributed::make({friction, patch}), context.quick);
    const Boxes drawn_authors = distance(follow_as_drawn(authors_reduced(friction, patch), context.quick), truth);
    const Boxes drawn_ellipsoid = distance(follow_as_drawn(authors_ellipsoid(friction, patch), context.quick), truth);
    plots.add_drawn(shape.name, drawn_authors, drawn_ellipsoid);
    compare_models(result, shape.name, exact, authors, ellipsoid);
    compare_with_data(result, shape.name, runs, authors, ellipsoid);
    compare_with_figures(result, shape.name, runs, drawn_authors, drawn_ellipsoid);
    result.tables.push_back(curves_of(shape.name, time, runs));
    if (std::string_view(shape.name) == "gradient line") {
      gradient = authors.force.third;
      of_gradient = std::move(runs);
    } else {
      others = std::max(others, authors.force.third);
    }
    ++done;
  }
  add_figures(result);
  plots.write_to(result);
  gradient_line(result, of_gradient, gradient, others);
  return result;
}

}  // namespace stiction::lab::planar_fixed_velocity
