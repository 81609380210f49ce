// Figs. 9, 36 and 37: how the error falls with the number of cells, and with that of the table of the limit surface.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>

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

/// Errors in the authors' data.
struct Published {
  WrenchError distributed21, reduced21, table5, table20;
};
/// Errors at N = 5 and N_ls = 5, read from the vector drawings of Figs. 9, 36 and 37.
struct Drawn {
  WrenchError distributed, reduced, table;
};
/// Half the width of a line in these.
constexpr Drawn half_line{{1.4e-3, 2.2e-3}, {9.7e-4, 2.6e-3}, {4.6e-4, 6.9e-4}};

/// One of the six curves of each figure.
struct Curve {
  const char* name;
  std::size_t shape;
  bool stribeck;  // p = 1, else p = 0
  Drawn drawn;
  std::optional<Published> published = {};

  [[nodiscard]] planar::Friction friction() const {
    return stribeck ? planar::preset::waltersson_p1() : planar::preset::waltersson_p0();
  }
};

struct Shape {
  const char* name;
  planar::PressureGrid (*grid)(std::size_t n, double side);
};
constexpr std::array<Shape, 3> shapes{{{"square", planar::paper::square},
                                       {"circle", planar::paper::circle},
                                       {"gradient line", planar::paper::gradient_line}}};

/// p = 1 where the name does not say otherwise.
std::vector<Curve> paper_curves() {
  return {
      {"square",
       0,
       true,
       {{0.014297, 0.016393}, {0.005081, 0.033669}, {0.0067095, 0.0097976}},
       Published{{0.000824513, 0.000925565},
                 {0.000666007, 0.00415642},
                 {0.00670953, 0.00979758},
                 {0.000570649, 0.000912709}}},
      {"circle",
       1,
       true,
       {{0.04865, 0.12942}, {0.037643, 0.15593}, {0.010325, 0.016245}},
       Published{{0.00929072, 0.0255615}, {0.00880716, 0.0277745}, {0.0103251, 0.0162453}, {0.000649372, 0.000966682}}},
      {"gradient line",
       2,
       true,
       {{0.07722, 0.075961}, {0.059032, 0.050656}, {0.024725, 0.036768}},
       Published{{0.0155328, 0.0154492}, {0.0180736, 0.0186162}, {0.0247251, 0.0367684}, {0.00356668, 0.00544013}}},
      {"gradient line, p = 0",
       2,
       false,
       {{0.07664, 0.078361}, {0.067359, 0.056749}, {0.029465, 0.043779}},
       Published{{0.0168674, 0.0165218}, {0.0179814, 0.0169758}, {0.0294652, 0.0437795}, {0.00425044, 0.00647747}}},
      {"square, p = 0", 0, false, {{0.014544, 0.018377}, {0.00614, 0.039426}, {0.0080198, 0.011605}}},
      {"circle, p = 0", 1, false, {{0.055707, 0.15185}, {0.045018, 0.18357}, {0.012341, 0.019252}}}};
}

/// Errors of all curves, by their name.
struct AllErrors {
  std::map<std::string, Errors> distributed, reduced, table;
};

/// The curves of one shape. Tables of its limit surface depend on no friction: each is made once for both p.
void add_errors(AllErrors& errors, const Shape& shape, const std::vector<Curve>& curves, const Context& context,
                double done) {
  const std::vector<std::size_t> cells =
      context.quick ? std::vector<std::size_t>{5, 7, 9, 13, 17, 21, 25, 33}
                    : std::vector<std::size_t>{5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35};
  const std::vector<std::size_t> quarters =
      context.quick ? std::vector<std::size_t>{5, 7, 9, 13, 20, 33}
                    : std::vector<std::size_t>{5, 7, 9, 11, 13, 15, 17, 20, 21, 23, 25, 27, 29, 31, 33, 35};
  const Steps taken = steps(context.quick);
  const planar::Patch finest(shape.grid(101, 0.02));
  // The velocity is given at the centre of pressure of the finest grid
  const auto run = [&](const auto& model, const planar::Patch& patch) {
    context.step(done);
    const auto profile = [&](double t) {
      return planar::at_point(paper_profile(t), finest.centre_of_pressure(), patch.centre_of_pressure());
    };
    return follow(model, profile, taken.time);
  };
  const auto with_friction = [](planar::Reduced<planar::AngleTable> model, const Curve& curve) {
    auto parameters = model.params();
    parameters.friction = curve.friction();
    return planar::Reduced<planar::AngleTable>::make(parameters);
  };
  std::map<std::string, std::vector<planar::Wrench>> truth;
  for (const Curve& curve : curves) {
    truth[curve.name] = run(planar::Distributed::make({curve.friction(), finest}), finest);
  }
  for (const std::size_t n : cells) {
    const planar::Patch patch(shape.grid(n, 0.02));
    const auto model = authors_reduced(curves.front().friction(), patch);
    for (const Curve& curve : curves) {
      errors.distributed[curve.name][n] =
          error_of(run(planar::Distributed::make({curve.friction(), patch}), patch), truth[curve.name], taken.weight);
      errors.reduced[curve.name][n] =
          error_of(run(with_friction(model, curve), patch), truth[curve.name], taken.weight);
    }
  }
  const planar::Patch patch(shape.grid(21, 0.02));
  const auto finest_table = authors_reduced(curves.front().friction(), patch, 100);
  for (const Curve& curve : curves) {
    truth[curve.name] = follow(with_friction(finest_table, curve), paper_profile, taken.time);
  }
  for (const std::size_t quarter : quarters) {
    context.step(done);
    const auto model = authors_reduced(curves.front().friction(), patch, quarter);
    for (const Curve& curve : curves) {
      errors.table[curve.name][quarter] =
          error_of(follow(with_friction(model, curve), paper_profile, taken.time), truth[curve.name], taken.weight);
    }
  }
}

/// A figure with the panels and axes of the paper.
void add_figure(Result& result, const char* name, const char* title, const char* axis,
                const std::map<std::string, Errors>& all) {
  Table errors{name, {{axis, std::vector<double>{}}}, true};
  Figure figure{name, title, axis, "error", {}};
  figure.panels_in_a_row = 1;
  for (const bool torque : {false, true}) {
    for (const auto& [curve, by_number] : all) {
      std::vector<double> number;
      std::vector<double> error;
      for (const auto& [n, e] : by_number) {
        number.push_back(static_cast<double>(n));
        error.push_back(torque ? e.torque : e.force);
      }
      errors.columns[0].values = number;
      figure.series.push_back({name, 0, errors.columns.size(), curve.ends_with("p = 0") ? curve : curve + ", p = 1",
                               "linespoints", torque ? "RMSE/τ max [-]" : "RMSE/f max [-]"});
      errors.columns.push_back({curve + (torque ? ", torque" : ", force"), error});
    }
  }
  result.tables.push_back(errors);
  result.figures.push_back(figure);
}

/// The claims of one curve.
void claim_curve(Result& result, const Curve& curve, AllErrors& errors) {
  const std::string name = curve.name;
  Errors& distributed = errors.distributed[name];
  Errors& reduced = errors.reduced[name];
  Errors& table = errors.table[name];
  const auto same = [&](const std::string& what, const Source& source, const WrenchError& expected,
                        const WrenchError& measured, const WrenchError& tolerance) {
    result.claims.push_back(within(fmt::format("{}: force error, {}", name, what), source, expected.force,
                                   measured.force, tolerance.force, "-"));
    result.claims.push_back(within(fmt::format("{}: torque error, {}", name, what), source, expected.torque,
                                   measured.torque, tolerance.torque, "-"));
  };
  if (curve.published) {
    const auto data = [&](const char* what, const WrenchError& expected, const WrenchError& measured) {
      constexpr double share = 0.1;  // the error is due to the masks, not the steps; long steps change it slightly
      same(what, from_authors(planar_data), expected, measured, {share * expected.force, share * expected.torque});
    };
    data("distributed, N = 21", curve.published->distributed21, distributed[21]);
    data("reduced, N = 21", curve.published->reduced21, reduced[21]);
    data("reduced, N_ls = 5", curve.published->table5, table[5]);
    data("reduced, N_ls = 20", curve.published->table20, table[20]);
  }
  same("distributed, N = 5, drawn", from_figure("Fig. 9"), curve.drawn.distributed, distributed[5],
       half_line.distributed);
  same("reduced, N = 5, drawn", from_figure("Fig. 36"), curve.drawn.reduced, reduced[5], half_line.reduced);
  same("table, N_ls = 5, drawn", from_figure("Fig. 37"), curve.drawn.table, table[5], half_line.table);
  const auto falls = [&](const char* what, const char* figure, Errors& by_number) {
    result.claims.push_back(at_most(fmt::format("{}: force error at 33 over that at 5, {}", name, what),
                                    from_figure(figure), 0.5, by_number[33].force / by_number[5].force, "-"));
    result.claims.push_back(at_most(fmt::format("{}: torque error at 33 over that at 5, {}", name, what),
                                    from_figure(figure), 0.5, by_number[33].torque / by_number[5].torque, "-"));
  };
  falls("distributed, N", "Fig. 9: falls with N", distributed);
  falls("reduced, N", "Fig. 36: falls with N", reduced);
  falls("table, N_ls", "Fig. 37: falls with N_ls", table);
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "The velocity profile of Fig. 5, friction p = 1, and p = 0 where it says so. Errors are root mean squares over "
      "the largest force or torque. Against N: the distance to 101 × 101 cells, of the distributed and of the reduced "
      "model. Against N_ls: the distance to a table with N_ls = 100. All with the authors' masks and their bilinear "
      "rule. The masks of circle and gradient line change their shape with N, so these errors do not fall steadily. "
      "Numbers called drawn are read from the vector drawings, to half the width of a line.";
  const std::vector<Curve> curves = paper_curves();
  AllErrors errors;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    std::vector<Curve> of_shape;
    std::ranges::copy_if(curves, std::back_inserter(of_shape), [s](const Curve& curve) { return curve.shape == s; });
    add_errors(errors, shapes.at(s), of_shape, context, (static_cast<double>(s) + 0.5) / shapes.size());
  }
  add_figure(result, "fig09", "Distributed model: error against 101 × 101 cells", "N", errors.distributed);
  add_figure(result, "fig36", "Reduced model: error against 101 × 101 cells", "N", errors.reduced);
  add_figure(result, "fig37", "Reduced model: error against N_ls = 100", "N_ls", errors.table);
  for (const Curve& curve : curves) {
    claim_curve(result, curve, errors);
  }
  auto& [distributed, reduced, table] = errors;
  result.claims.push_back(at_least("circle, distributed: torque error at N = 25 over that at N = 21",
                                   from_figure("Fig. 9: not monotone, 0.0325 over 0.0256"), 1.1,
                                   distributed["circle"][25].torque / distributed["circle"][21].torque, "-"));
  const Source advantage = printed("Section VI-D: a slight advantage of the reduced model");
  result.claims.push_back(at_most("circle: force error, reduced over distributed, N = 21", advantage, 1,
                                  reduced["circle"][21].force / distributed["circle"][21].force, "-"));
  result.claims.push_back(
      at_most("square: torque error, reduced over distributed, N = 21", advantage, 1,
              reduced["square"][21].torque / distributed["square"][21].torque, "-")
          .as_refuted("the torque of the square is worse with three states, in Figs. 9 and 36 too"));
  result.claims.push_back(at_least("table, N_ls = 20: force error of the gradient line over the circle's",
                                   printed("Section VI-D: slower for the gradient line; 3 is ours"), 3,
                                   table["gradient line"][20].force / table["circle"][20].force, "-"));
  return result;
}

}  // namespace stiction::lab::planar_resolution
