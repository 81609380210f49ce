// Figs. 9, 36 and 37: how the error falls with the number of cells, and with that of the table of the limit surface.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_resolution {
namespace {

/// The times of the wrenches, and the share of the duration that each represents.
struct Steps {
  std::vector<double> time, weight;
};
/// Steps of 0.1 ms. In quick mode, after break-away, a longer step precedes each one; its wrench is not used, because
/// its bristles do not lag correctly.
Steps steps(bool quick) {
  constexpr double fine = 1e-4;
  constexpr double broken_away = 0.1;  // [s]
  const double skipped = quick ? 2.4e-3 : 0;
  Steps result{{0}, {0}};
  double t = 0;
  while (t < paper_profile_duration - fine / 2) {
    const double skip = t < broken_away - fine / 2 ? 0 : skipped;
    if (skip > 0) {
      result.time.push_back(t + skip);
      result.weight.push_back(0);
    }
    t += skip + fine;
    result.time.push_back(t);
    result.weight.push_back((skip + fine) / paper_profile_duration);
  }
  return result;
}

using Errors = std::map<std::size_t, WrenchError>;  // by N or N_ls

/// Errors of the data.
struct Published {
  const char* shape;
  planar::PressureGrid (*grid)(std::size_t n, double side);
  planar::Friction friction;
  WrenchError distributed21, reduced21, table5, table20;
};
constexpr std::array<Published, 4> shapes{{
    {"square",
     planar::paper::square,
     planar::preset::waltersson_p1(),
     {0.000824513, 0.000925565},
     {0.000666007, 0.00415642},
     {0.00670953, 0.00979758},
     {0.000570649, 0.000912709}},
    {"circle",
     planar::paper::circle,
     planar::preset::waltersson_p1(),
     {0.00929072, 0.0255615},
     {0.00880716, 0.0277745},
     {0.0103251, 0.0162453},
     {0.000649372, 0.000966682}},
    {"gradient line",
     planar::paper::gradient_line,
     planar::preset::waltersson_p1(),
     {0.0155328, 0.0154492},
     {0.0180736, 0.0186162},
     {0.0247251, 0.0367684},
     {0.00356668, 0.00544013}},
    {"gradient line, p = 0",
     planar::paper::gradient_line,
     planar::preset::waltersson_p0(),
     {0.0168674, 0.0165218},
     {0.0179814, 0.0169758},
     {0.0294652, 0.0437795},
     {0.00425044, 0.00647747}},
}};

}  // namespace

Result run(const Context& context) {
  const Steps taken = steps(context.quick);
  const std::vector<double>& times = taken.time;
  const std::vector<std::size_t> cells = context.quick ? std::vector<std::size_t>{5, 9, 21, 25, 33}
                                                       : std::vector<std::size_t>{5, 9, 13, 17, 21, 25, 29, 33};
  const std::vector<std::size_t> quarters =
      context.quick ? std::vector<std::size_t>{5, 20, 33} : std::vector<std::size_t>{5, 9, 13, 17, 20, 25, 29, 33};

  Result result;
  result.notes =
      "The velocity profile of Fig. 5, friction p = 1, and p = 0 where it says so. Errors are root mean squares over "
      "the largest force or torque. "
      "Against N: the distance to 101 × 101 cells, of the distributed and of the reduced model. Against N_ls: the "
      "distance to a table with N_ls = 100. All with the authors' masks and their bilinear rule. The masks of circle "
      "and "
      "gradient line change their shape with N, so these errors do not fall steadily.";
  std::map<std::string, Errors> distributed;
  std::map<std::string, Errors> reduced;
  std::map<std::string, Errors> table;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const auto& shape = shapes[s];
    const planar::Friction& friction = shape.friction;
    const planar::Patch finest(shape.grid(101, 0.02));
    // The velocity is given at the centre of pressure of the finest grid
    const auto run = [&](const auto& model, const planar::Patch& patch) {
      context.step((static_cast<double>(s) + 0.5) / static_cast<double>(shapes.size()));
      const auto profile = [&](double t) {
        return planar::at_point(paper_profile(t), finest.centre_of_pressure(), patch.centre_of_pressure());
      };
      return follow(model, profile, times);
    };
    const auto truth = run(planar::Distributed::make({friction, finest}), finest);
    for (const std::size_t n : cells) {
      const planar::Patch patch(shape.grid(n, 0.02));
      distributed[shape.shape][n] =
          error_of(run(planar::Distributed::make({friction, patch}), patch), truth, taken.weight);
      reduced[shape.shape][n] = error_of(run(authors_reduced(friction, patch), patch), truth, taken.weight);
    }
    const planar::Patch patch(shape.grid(21, 0.02));
    const auto on_own = [&](std::size_t quarter) {
      return follow(authors_reduced(friction, patch, quarter), paper_profile, times);
    };
    const auto finest_table = on_own(100);
    for (const std::size_t quarter : quarters) {
      table[shape.shape][quarter] = error_of(on_own(quarter), finest_table, taken.weight);
    }
  }

  const auto add = [&](const char* name, const char* axis, const std::map<std::string, Errors>& all) {
    Table errors{name, {{axis, std::vector<double>{}}}, true};
    for (const auto& [shape, by_number] : all) {
      std::vector<double> number;
      std::vector<double> force;
      std::vector<double> torque;
      for (const auto& [n, e] : by_number) {
        number.push_back(static_cast<double>(n));
        force.push_back(e.force);
        torque.push_back(e.torque);
      }
      errors.columns[0].values = number;
      errors.columns.push_back({shape + ", force", force});
      errors.columns.push_back({shape + ", torque", torque});
    }
    result.tables.push_back(errors);
    Figure figure{name, fmt::format("Normalised error against {}", axis), axis, "error over largest value [-]", {}};
    figure.y_log = true;
    for (std::size_t i = 1; i < errors.columns.size(); ++i) {
      figure.series.push_back({name, 0, i, errors.columns[i].name, "linespoints"});
    }
    result.figures.push_back(figure);
  };
  add("fig9_distributed", "N", distributed);
  add("fig36_reduced", "N", reduced);
  add("fig37_table", "N_ls", table);

  for (const auto& shape : shapes) {
    const std::string name = shape.shape;
    const auto same = [&](const char* what, const WrenchError& expected, const WrenchError& measured) {
      constexpr double share = 0.1;  // the error is due to the masks, not the steps; long steps change it slightly
      result.claims.push_back(within(fmt::format("{}: force error, {}", name, what), planar_data, expected.force,
                                     measured.force, share * expected.force, "-"));
      result.claims.push_back(within(fmt::format("{}: torque error, {}", name, what), planar_data, expected.torque,
                                     measured.torque, share * expected.torque, "-"));
    };
    same("distributed, N = 21", shape.distributed21, distributed[name][21]);
    same("reduced, N = 21", shape.reduced21, reduced[name][21]);
    same("reduced, N_ls = 5", shape.table5, table[name][5]);
    same("reduced, N_ls = 20", shape.table20, table[name][20]);
    const auto falls = [&](const char* what, const char* source, Errors& errors) {
      result.claims.push_back(at_most(fmt::format("{}: force error at 33 over that at 5, {}", name, what), source, 0.5,
                                      errors[33].force / errors[5].force, "-"));
      result.claims.push_back(at_most(fmt::format("{}: torque error at 33 over that at 5, {}", name, what), source, 0.5,
                                      errors[33].torque / errors[5].torque, "-"));
    };
    falls("distributed, N", "Fig. 9: falls with N", distributed[name]);
    falls("reduced, N", "Fig. 36: falls with N", reduced[name]);
    falls("table, N_ls", "Fig. 37: falls with N_ls", table[name]);
  }
  result.claims.push_back(at_least("circle, distributed: torque error at N = 25 over that at N = 21",
                                   "data: not monotone with these masks", 1.1,
                                   distributed["circle"][25].torque / distributed["circle"][21].torque, "-"));
  result.claims.push_back(at_most("circle: force error, reduced over distributed, N = 21",
                                  "Section VI-D: a slight advantage of the reduced model", 1,
                                  reduced["circle"][21].force / distributed["circle"][21].force, "-"));
  result.claims.push_back(at_most("square: torque error, reduced over distributed, N = 21",
                                  "Section VI-D: a slight advantage of the reduced model", 1,
                                  reduced["square"][21].torque / distributed["square"][21].torque, "-")
                              .as_refuted("the torque of the square is worse with three states, in the data too"));
  result.claims.push_back(at_least("table, N_ls = 20: force error of the gradient line over the circle's",
                                   "Fig. 37: slower for the gradient line", 3,
                                   table["gradient line"][20].force / table["circle"][20].force, "-"));
  return result;
}

}  // namespace stiction::lab::planar_resolution
