// Figs. 5, 13, 17 and 19 to 22: six contact surfaces moved along one velocity profile. How well three states represent
// many bristles, with the limit surface and with an ellipsoid.
#include <fmt/format.h>

#include <algorithm>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_fixed_velocity {
namespace {

using planar::Wrench;

/// The statistics in a box of Fig. 22.
struct Box {
  double first = 0, median = 0, third = 0;  // quartiles
  double low = 0, high = 0;                 // whiskers: Q1 − 1.5 IQR and Q3 + 1.5 IQR
};
Box box_of(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    const double quantile = share * static_cast<double>(errors.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(quantile), errors.size() - 2);
    return errors[i] + (quantile - static_cast<double>(i)) * (errors[i + 1] - errors[i]);
  };
  const Box box{at(0.25), at(0.5), at(0.75)};
  const double reach = 1.5 * (box.third - box.first);
  return {box.first, box.median, box.third, box.first - reach, box.third + reach};
}

struct Boxes {
  Box force, torque;
};
Boxes distance(const std::vector<Wrench>& model, const std::vector<Wrench>& truth) {
  std::vector<double> force;
  std::vector<double> torque;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    force.push_back(std::hypot(model[i].x - truth[i].x, model[i].y - truth[i].y));
    torque.push_back(std::abs(model[i].torque - truth[i].torque));
  }
  return {box_of(force), box_of(torque)};
}

struct Runs {
  std::vector<Wrench> distributed, surface, authors, ellipsoid;
};

/// Upper quartiles of the errors, and the wrench of the distributed model at 1.5 s.
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

}  // namespace

Result run(const Context& context) {
  constexpr double interval = 2e-3;  // of the data
  const double dt = context.quick ? 5e-5 : 1e-5;
  const auto per_row = static_cast<std::size_t>(std::lround(interval / dt));
  const planar::Friction friction = planar::preset::waltersson_p1();
  std::vector<double> steps;
  for (int k = 0; k < std::lround(paper_profile_duration / dt); ++k) {
    steps.push_back(k * dt);
  }
  std::vector<double> time;
  std::array<std::vector<double>, 3> twist;
  std::vector<double> scaled_spin;  // to the size of the velocities, for the figure
  for (int k = 0; k < std::lround(paper_profile_duration / interval); ++k) {
    time.push_back(k * interval);
    const planar::Twist v = paper_profile(time.back());
    twist[0].push_back(v.x);
    twist[1].push_back(v.y);
    twist[2].push_back(v.spin);
    scaled_spin.push_back(v.spin / 50);
  }

  Result result;
  result.notes =
      "Contact surfaces of 20 mm with 1 N on them, 21 × 21 cells with the paper's masks, friction p = 1, "
      "elasto-plastic. "
      "The velocity at the centre of pressure is the same for all; it moves the centre of rotation into the contact "
      "and out. Errors are distances to the model of many bristles with the same cells. Exact: a table of the exact "
      "limit surface. Authors': the paper's table over angles with its bilinear rule. Where the patch slides without "
      "turning, or rests, no model errs: hence the small lower quartiles.";
  result.tables.push_back({"profile",
                           {{"time [s]", time},
                            {"vx [m/s]", twist[0]},
                            {"vy [m/s]", twist[1]},
                            {"spin [rad/s]", twist[2]},
                            {"spin [50 rad/s]", scaled_spin}}});
  Table boxes{"boxes",
              {{"shape", std::vector<std::string>{}},
               {"model", std::vector<std::string>{}},
               {"quantity", std::vector<std::string>{}},
               {"Q1 - 1.5 IQR", std::vector<double>{}},
               {"Q1", std::vector<double>{}},
               {"median", std::vector<double>{}},
               {"Q3", std::vector<double>{}},
               {"Q3 + 1.5 IQR", std::vector<double>{}}},
              true};
  const auto add_box = [&](const char* shape, const char* model, const char* quantity, const Box& box) {
    const auto text = [&](std::size_t column, const char* value) {
      std::get<std::vector<std::string>>(boxes.columns[column].values).emplace_back(value);
    };
    text(0, shape);
    text(1, model);
    text(2, quantity);
    const std::array numbers{box.low, box.first, box.median, box.third, box.high};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(boxes.columns[3 + i].values).push_back(numbers[i]);
    }
  };

  std::array<std::vector<double>, 5> fig22;  // surface; median and Q3 with limit surface, with ellipsoid
  std::vector<Claim> reproduction;
  double others = 0;  // largest upper quartile of the force error on surfaces that are no line with a gradient
  double gradient = 0;
  double pure_rotation = 0;
  double ellipsoid_rotation = 0;
  for (std::size_t s = 0; s < paper_shapes.size(); ++s) {
    const char* const name = paper_shapes[s].name;
    const planar::Patch patch(paper_shapes[s].grid(21, 0.02));
    const auto run = [&](const auto& model) {
      context.step((static_cast<double>(s) + 0.5) / static_cast<double>(paper_shapes.size()));
      return follow(model, paper_profile, steps, per_row, [&] { context.check(); });
    };
    const Runs runs{
        run(planar::Distributed::make({friction, patch})),
        run(planar::Reduced<planar::SurfaceTable>::make(
            {friction, patch.pressure_moments(), planar::SurfaceTable(patch)})),
        run(authors_reduced(friction, patch)),
        run(authors_ellipsoid(friction, patch)),
    };
    const Boxes exact = distance(runs.surface, runs.distributed);
    const Boxes authors = distance(runs.authors, runs.distributed);
    const Boxes ellipsoid = distance(runs.ellipsoid, runs.distributed);
    for (const auto& [model, box] : {std::pair("exact", exact), {"authors'", authors}, {"ellipsoid", ellipsoid}}) {
      add_box(name, model, "force [N]", box.force);
      add_box(name, model, "torque [N m]", box.torque);
    }

    const std::array row{static_cast<double>(s + 1), exact.force.median, exact.force.third, ellipsoid.force.median,
                         ellipsoid.force.third};
    for (std::size_t i = 0; i < row.size(); ++i) {
      fig22[i].push_back(row[i]);
    }

    const auto beats = [&](const char* what, double ours, double theirs) {
      result.claims.push_back(at_most(fmt::format("{}: {} error, limit surface over ellipsoid", name, what),
                                      "Fig. 22: the limit surface is closer on every surface", 1, ours / theirs, "-"));
    };
    beats("median force", exact.force.median, ellipsoid.force.median);
    beats("upper quartile of the force", exact.force.third, ellipsoid.force.third);
    beats("median torque", exact.torque.median, ellipsoid.torque.median);
    beats("upper quartile of the torque", exact.torque.third, ellipsoid.torque.third);
    if (std::string_view(name) == "gradient line") {
      gradient = authors.force.third;
      const auto turning = static_cast<std::size_t>(std::lround(0.7 / interval));
      pure_rotation = runs.authors[turning].x;
      ellipsoid_rotation = runs.ellipsoid[turning].x;
    } else {
      others = std::max(others, authors.force.third);
    }

    for (const Published& p : published) {
      if (std::string_view(p.shape) == name) {
        const auto same = [&](const char* what, double expected, double measured, double share, const char* unit) {
          reproduction.push_back(within(fmt::format("{}: {}", name, what), planar_data, expected, measured,
                                        share * std::abs(expected), unit));
        };
        const Wrench at = runs.distributed[static_cast<std::size_t>(std::lround(1.5 / interval))];
        same("force along x of the distributed model at 1.5 s", p.force_x, at.x, 1e-5, "N");
        same("torque of the distributed model at 1.5 s", p.torque, at.torque, 1e-5, "N m");
        same("upper quartile of the force error, authors' table", p.surface_force, authors.force.third, 0.02, "N");
        same("upper quartile of the torque error, authors' table", p.surface_torque, authors.torque.third, 0.02, "N m");
        same("upper quartile of the force error, ellipsoid", p.ellipsoid_force, ellipsoid.force.third, 0.02, "N");
        same("upper quartile of the torque error, ellipsoid", p.ellipsoid_torque, ellipsoid.torque.third, 0.02, "N m");
      }
    }

    std::string table = name;
    std::replace(table.begin(), table.end(), ' ', '_');
    const auto column = [](const std::vector<Wrench>& rows, double Wrench::*part) {
      std::vector<double> values;
      for (const Wrench& w : rows) {
        values.push_back(w.*part);
      }
      return values;
    };
    Table curves{table, {{"time [s]", time}}};
    for (const auto& [model, rows] : {std::pair("distributed", &runs.distributed),
                                      {"exact", &runs.surface},
                                      {"authors'", &runs.authors},
                                      {"ellipsoid", &runs.ellipsoid}}) {
      curves.columns.push_back({fmt::format("fx {} [N]", model), column(*rows, &Wrench::x)});
      curves.columns.push_back({fmt::format("fy {} [N]", model), column(*rows, &Wrench::y)});
      curves.columns.push_back({fmt::format("torque {} [N m]", model), column(*rows, &Wrench::torque)});
    }
    result.tables.push_back(curves);
    const auto figure = [&](const char* what, const char* label, std::size_t part) {
      result.figures.push_back({fmt::format("{}_{}", table, what),
                                fmt::format("{}: {}", name, label),
                                "time [s]",
                                label,
                                {{table, 0, 1 + part, "distributed"},
                                 {table, 0, 10 + part, "ellipsoid"},
                                 {table, 0, 4 + part, "limit surface"}}});
    };
    figure("fx", "force along x [N]", 0);
    figure("torque", "torque [N m]", 2);
  }
  result.tables.push_back(boxes);
  result.tables.push_back({"fig22",
                           {{"surface", fig22[0]},
                            {"limit surface: median [N]", fig22[1]},
                            {"limit surface: Q3 [N]", fig22[2]},
                            {"ellipsoid: median [N]", fig22[3]},
                            {"ellipsoid: Q3 [N]", fig22[4]}}});
  Figure errors{"fig22",
                "Error of the force: median and upper quartile",
                "surface: square, circle, line, gradient line, non-convex 1, non-convex 2",
                "error [N]",
                {}};
  errors.y_log = true;
  for (const std::size_t column : {3U, 4U, 1U, 2U}) {
    errors.series.push_back({"fig22", 0, column, result.tables.back().columns[column].name, "points"});
  }
  result.figures.insert(result.figures.begin(),
                        {{"profile",
                          "The velocity profile",
                          "time [s]",
                          "velocity [m/s], spin [50 rad/s]",
                          {{"profile", 0, 1, "vx"}, {"profile", 0, 2, "vy"}, {"profile", 0, 4, "spin"}}},
                         errors});
  result.claims.insert(result.claims.end(), reproduction.begin(), reproduction.end());
  result.claims.push_back(
      at_least("upper quartile of the force error, authors' table: gradient line over the worst other surface",
               "Section VI: the gradient line has a significantly higher error", 2, gradient / others, "-"));
  result.claims.push_back(within("gradient line: force along x while it turns about its centre of pressure",
                                 planar_data, 0.1079958, pure_rotation, 1e-5, "N"));
  result.claims.push_back(within("gradient line: the same with the ellipsoid",
                                 "Section V: always zero with the ellipsoid", 0, ellipsoid_rotation, 1e-12, "N"));
  return result;
}

}  // namespace stiction::lab::planar_fixed_velocity
