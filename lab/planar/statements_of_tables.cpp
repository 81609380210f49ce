// Statements of the paper about pre-computed limit surfaces, and about the reduced model that uses them.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "directions.h"
#include "paper_setup.h"
#include "statements.h"

namespace stiction::lab::planar_statements {
namespace {

using planar::AngleTable;
using planar::Distributed;
using planar::Patch;
using planar::Wrench;

/// Section VI-D: what has to be computed again when a soft finger's load changes.
void soft_fingers(const Context& context, Result& result) {
  const int n = context.quick ? 400 : 4000;
  const auto table_of = [](double load, double exponent) {
    return AngleTable(Patch(planar::paper::soft_finger(load, exponent)), 20, planar::authors_bilinear_wrench);
  };
  const AngleTable reference = table_of(1, 2);
  const auto square_table = [](double size) {
    return AngleTable(Patch(planar::paper::square(21, size)), 20, planar::authors_bilinear_wrench);
  };
  result.claims.push_back(at_most("squares of 20 and 5 mm: difference of their normalised limit surfaces",
                                  printed("Section V-D: re-sized without re-calculation"), 0,
                                  largest_difference(square_table(side), square_table(side / 4), n), "-", 1e-9));
  const auto no_table = planar::Ellipsoid{};
  const double of_ellipsoid = largest_difference(reference, no_table, n);
  double of_size = 0;
  double of_exponent = 0;
  std::vector<double> loads;
  std::vector<double> sizes;
  std::vector<double> exponents;
  // The loads of the experiment in hand: 1.73 ± 0.91 N
  for (int k = 0; k <= 8; ++k) {
    const double load = 1.73 + 0.91 * (k - 4) / 4;
    loads.push_back(load);
    sizes.push_back(largest_difference(reference, table_of(load, 2), n));
    exponents.push_back(largest_difference(reference, table_of(load, 2 * load), n));
    of_size = std::max(of_size, sizes.back());
    of_exponent = std::max(of_exponent, exponents.back());
  }
  const std::vector<double> level(loads.size(), of_ellipsoid);
  result.tables.push_back({"soft_finger",
                           {{"normal force [N]", loads},
                            {"k = 2, size follows [-]", sizes},
                            {"k = 2 f_N, size and pressure follow [-]", exponents},
                            {"ellipsoid [-]", level}}});
  result.figures.push_back({"soft_finger",
                            "Limit surface of a soft finger: largest difference from that of 1 N, k = 2",
                            "normal force [N]",
                            "largest difference in h [-]",
                            {{"soft_finger", 0, 1, "k = 2", "linespoints"},
                             {"soft_finger", 0, 2, "k = 2 f_N", "linespoints"},
                             {"soft_finger", 0, 3, "ellipsoid"}}});
  result.claims.push_back(
      at_most("k = 2, loads of the experiment: change of the limit surface over the ellipsoid's error",
              printed("Section VI-D: the limit surface does not need to be re-calculated; taken as "
                      "a quarter"),
              0.25, of_size / of_ellipsoid, "-"));
  result.claims.push_back(
      at_most("k = 2 f_N, loads of the experiment: change of the limit surface over the ellipsoid's error",
              printed("Section VI-D: the exponent has only a minor impact; taken as a quarter"), 0.25,
              of_exponent / of_ellipsoid, "-"));
}

/// Section V-D: the sampled velocities are scaled by the size of the contact. Section VI-D: the samples of the gradient
/// line are the least even ones.
void sampling(Result& result) {
  constexpr int quarter = 20;
  const auto largest_step = [&](const Patch& patch, double unit, std::vector<double>* steps) {
    double largest = 0;
    for (int j = 0; j < quarter; ++j) {
      double of_ring = 0;
      for (int i = 0; i < 4 * quarter; ++i) {
        const auto sample = [&](int a, int b) {
          const double theta = a * pi / 2 / quarter;
          const double phi = b * pi / 2 / quarter;
          const Wrench w = planar::coulomb_wrench(
              patch, {unit * std::cos(theta) * std::sin(phi), unit * std::sin(theta) * std::sin(phi), std::cos(phi)});
          return std::array{w.x, w.y, w.torque / patch.torque_radius()};
        };
        const auto from = sample(i, j);
        const auto to = sample(i, j + 1);
        of_ring = std::max(of_ring, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
      }
      largest = std::max(largest, of_ring);
      if (steps != nullptr) {
        steps->push_back(of_ring);
      }
    }
    return largest;
  };
  Table table{"sampling", {{"phi [deg]", std::vector<double>{}}}};
  for (int j = 0; j < quarter; ++j) {
    std::get<std::vector<double>>(table.columns[0].values).push_back(90 * (j + 0.5) / quarter);
  }
  Figure figure{"sampling",
                "Largest step of the limit surface between neighbouring samples, N_ls = 20",
                "phi: 0 spinning, 90 sliding [deg]",
                "step in h [-]",
                {}};
  std::array<double, 3> scaled{};
  double gain = 0;                          // of the scaled samples, in the worst shape
  constexpr std::array shapes{0U, 1U, 3U};  // square, circle, gradient line
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const auto& [name, grid] = paper_shapes[shapes[s]];
    const Patch patch(grid(21, side));
    std::vector<double> steps;
    scaled[s] = largest_step(patch, patch.torque_radius(), &steps);
    gain = std::max(gain, scaled[s] / largest_step(patch, 1, nullptr));
    table.columns.push_back({fmt::format("{} [-]", name), steps});
    figure.series.push_back({"sampling", 0, s + 1, name, "linespoints"});
  }
  result.tables.push_back(table);
  result.figures.push_back(figure);
  result.claims.push_back(
      at_most("largest step between samples with velocities scaled by r, over that without: worst "
              "of square, circle and gradient line",
              printed("Section V-D: a more even distribution; taken as half"), 0.5, gain, "-"));
  result.claims.push_back(at_least("gradient line: largest step between samples over that of square and circle",
                                   printed("Section VI-D: a less uniform distribution"), 1,
                                   scaled[2] / std::max(scaled[0], scaled[1]), "-"));
}

/// The gradient line on the profile of Fig. 5: the wrench each millisecond.
struct GradientLine {
  double step =
      0;  // of the distributed model's force, as the centre of rotation passes the cell at the centre of pressure
  std::vector<Wrench> cells, fine, reduced, ellipsoid;
};
std::size_t sample_at(double t) { return static_cast<std::size_t>(std::lround(t / 1e-3)); }

GradientLine follow_gradient_line(const Context& context) {
  const planar::Friction friction = planar::preset::waltersson_p1();
  const planar::PressureGrid grid = planar::paper::gradient_line(21, side);
  const Patch patch(grid);
  // The same pressure, constant in each cell, with many bristles in each: along the line and across it
  constexpr std::size_t along = 9;
  constexpr std::size_t across = 5;
  constexpr double cell = side / 21;
  planar::PressureGrid finer{across, 21 * along, {-cell / 2, -side / 2}, cell / across, cell / along, {}};
  for (std::size_t i = 0; i < across * finer.rows; ++i) {
    finer.pressure.push_back(grid.pressure[grid.index(10, i / across / along)]);
  }
  std::vector<double> time;
  const double dt = context.quick ? 5e-4 : 1e-4;
  for (long k = 0; k <= std::lround(paper_profile_duration / dt); ++k) {
    time.push_back(static_cast<double>(k) * dt);
  }
  const auto run = [&](const auto& model) {
    context.check();
    return follow(model, paper_profile, time, context.quick ? 2 : 10);
  };
  double step = 0;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (std::abs(patch.points().y[i]) < side / 42) {
      step = 2 * patch.points().share[i];  // it turns its share of the force round
    }
  }
  return {step, run(Distributed::make({friction, patch})), run(Distributed::make({friction, Patch(finer)})),
          run(authors_reduced(friction, patch)), run(authors_ellipsoid(friction, patch))};
}

/// Sections V-B and VI-A.
void gradient_line(const Context& context, Result& result) {
  const GradientLine line = follow_gradient_line(context);
  // A rotation about the centre of pressure, at 0.7 s
  const auto force = [&](const std::vector<Wrench>& w) { return std::hypot(w[sample_at(0.7)].x, w[sample_at(0.7)].y); };
  result.claims.push_back(
      at_least("gradient line turning about the centre of pressure: tangential force, reduced model",
               printed("Section VI-A: non-zero, and in the reduced model"), 0.05, force(line.reduced), "N"));
  result.claims.push_back(within("the same, off the distributed model", from_theory("half a step of its force"), 0,
                                 force(line.reduced) - force(line.cells), line.step / 2, "N"));
  result.claims.push_back(
      at_most("the same, ellipsoid", printed("Section V-B: always zero"), 0, force(line.ellipsoid), "N", 1e-9));

  // While the centre of rotation moves along the line the force falls; at each cell of the distributed model it rises
  const auto risen = [&](const std::vector<Wrench>& w) {
    double sum = 0;
    for (std::size_t k = sample_at(0.8); k < sample_at(1.05); ++k) {
      sum += std::max(0.0, w[k + 1].x - w[k].x);
    }
    return sum / (w[sample_at(0.8)].x - w[sample_at(1.05)].x);
  };
  result.claims.push_back(at_least("gradient line, 0.8 to 1.05 s: rises of the falling force, distributed, of its fall",
                                   requirement("steps: a tenth"), 0.1, risen(line.cells), "-"));
  result.claims.push_back(at_most("the same, reduced",
                                  printed("Section VI-A: no discrete force steps; taken as a "
                                          "hundredth"),
                                  0.01, risen(line.reduced), "-"));
  const auto weights = equal_weights(line.cells.size());
  const WrenchError from_cells = error_of(line.reduced, line.cells, weights);
  const WrenchError from_fine = error_of(line.reduced, line.fine, weights);
  const auto attributed =
      printed("Section VI-A: a large part of the error is the distributed model's steps; taken as half");
  result.claims.push_back(
      at_least("gradient line: share of the reduced model's mean square error in force that goes "
               "with the steps",
               attributed, 0.5, 1 - square(from_fine.force / from_cells.force), "-"));
  result.claims.push_back(at_least("gradient line: the same share of its error in torque", attributed, 0.5,
                                   1 - square(from_fine.torque / from_cells.torque), "-"));
  Table table{"gradient_line", {{"time [s]", std::vector<double>{}}}};
  for (const char* column : {"distributed, 21 cells [N]", "distributed, many bristles a cell [N]", "reduced [N]"}) {
    table.columns.push_back({column, std::vector<double>{}});
  }
  for (std::size_t k = sample_at(0.6); k <= sample_at(1.6); ++k) {
    const std::array values{1e-3 * static_cast<double>(k), line.cells[k].x, line.fine[k].x, line.reduced[k].x};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::get<std::vector<double>>(table.columns[i].values).push_back(values[i]);
    }
  }
  result.tables.push_back(table);
  result.figures.push_back({"gradient_line",
                            "Gradient line: force along x while the centre of rotation moves along it",
                            "time [s]",
                            "force along x [N]",
                            {{"gradient_line", 0, 1, "distributed, 21 cells"},
                             {"gradient_line", 0, 2, "distributed, many bristles a cell"},
                             {"gradient_line", 0, 3, "reduced"}}});
}

}  // namespace

void reduced_model(const Context& context, Result& result) {
  soft_fingers(context, result);
  sampling(result);
  gradient_line(context, result);
}

}  // namespace stiction::lab::planar_statements
