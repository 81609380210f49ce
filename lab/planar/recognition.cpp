// The authors' future work: parameters of a contact's shape (size, pressure, r, p_s) from tactile images and from
// measured wrenches, with their errors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "../control/statistics.h"
#include "../lab.h"
#include "../log_slope.h"
#include "contact_shapes.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "stiction/viz/picture.h"

namespace stiction::lab::planar_recognition {
namespace {

using planar::Patch;
using planar::Point;
using planar::Twist;
using planar::Wrench;

constexpr double normal_force = 2;  // [N]
constexpr double friction = 0.5;    // μ
constexpr double sliding_force = friction * normal_force;
constexpr double lever = 0.01;              // noise of a torque over that of a force [m]
constexpr std::size_t wrench_count = 60;    // measured for one contact
constexpr double inside_three = 0.9973002;  // share of a normal distribution within three standard deviations

/// Sizes, pressures, places and directions at random, so that the contact lies within the image.
ShapeParameters random_shape(Shape shape, double force, Random& random) {
  const auto between = [&](double low, double high) { return low + (high - low) * random.uniform(); };
  const double x = between(-1.5e-3, 1.5e-3);
  const double y = between(-1.5e-3, 1.5e-3);
  if (shape == Shape::finger) {
    return {force, x, y, std::log(between(5e-3, 9e-3)), std::log(between(1.3, 4)), 0};
  }
  const double length = between(12e-3, 16e-3);
  return {force, x, y, std::log(length), std::log(length * between(0.35, 0.65)), between(0, 2 * pi)};
}

/// A measurement of one contact, to be fitted with any shape.
struct Measured {
  std::function<ShapeFit(Shape)> fit;
  std::vector<double> best_errors;  // standard errors that the best estimate can have; empty: those of the fit
};

Measured from_image(Shape shape, const ShapeParameters& p, double level, Random& random) {
  auto image = tactile_image(shape, p, 12);
  const double noise = level * std::ranges::max(image);
  for (double& force : image) {
    force += noise * random.gaussian();
  }
  return {[image, noise](Shape as) { return fit_to_image(as, image, noise); }, {}};
}

std::vector<Twist> random_twists(Random& random) {
  std::vector<Twist> twists;
  constexpr double spin_length = 6e-3;  // [m]
  while (twists.size() < wrench_count) {
    const std::array d{random.gaussian(), random.gaussian(), random.gaussian()};
    const double size = std::hypot(d[0], d[1], d[2]);
    twists.push_back({d[0] / size, d[1] / size, d[2] / (size * spin_length)});
  }
  return twists;
}
Measured from_wrenches(Shape shape, const ShapeParameters& p, double level, Random& random) {
  const auto twists = random_twists(random);
  auto wrenches = sliding_wrenches(shape, p, twists, true);
  const double noise = level * p[0];
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    wrenches[i] += noise * (i % 3 == 2 ? lever : 1) * random.gaussian();
  }
  return {[=](Shape as) { return fit_to_wrenches(as, twists, wrenches, noise, noise * lever); },
          ideal_fit_to_wrenches(shape, p, twists, noise, noise * lever).errors()};
}

struct Sensor {
  const char* name;
  const char* measurement;
  double force;  // f_N, or μ f_N [N]
  Measured (*measure)(Shape shape, const ShapeParameters& p, double level, Random& random);
  std::array<double, 3> levels;  // of noise
};
constexpr std::array<Sensor, 2> sensors{
    {{"image", "a tactile image", normal_force, from_image, {0.01, 0.05, 0.1}},
     {"wrenches", "60 wrenches", sliding_force, from_wrenches, {0.001, 0.005, 0.02}}}};

/// Sums over the trials of one quantity.
struct Score {
  double error = 0;     // squares of relative errors
  double standard = 0;  // squares of relative standard errors
  double z = 0;         // squares of errors over standard errors
  double inside = 0;    // errors within three standard errors
};
struct Scores {
  std::vector<Score> of;  // by quantity
  double recognised = 0;  // share of trials in which this shape fits best
};

Scores try_shape(const Context& context, const Sensor& sensor, Shape shape, double level, int trials) {
  Scores scores;
  scores.of.resize(quantities_of(shape).size());
  for (int k = 0; k < trials; ++k) {
    context.check();
    Random random(static_cast<std::uint64_t>(1000 * k) + 10 * static_cast<std::uint64_t>(shape) +
                  static_cast<std::uint64_t>(1e6 * level));
    const ShapeParameters p = random_shape(shape, sensor.force, random);
    const Measured measured = sensor.measure(shape, p, level, random);
    double best = infinity;
    Shape found = shape;
    for (const Shape as : shapes) {
      const ShapeFit fit = measured.fit(as);
      // Akaike's criterion
      const double criterion = fit.chi_square + 2 * static_cast<double>(count_of(as));
      if (criterion < best) {
        best = criterion;
        found = as;
      }
      if (as != shape) {
        continue;
      }
      const auto truth = values_of(shape, p);
      const auto values = values_of(shape, fit.at);
      const auto errors = fit.errors();
      for (std::size_t q = 0; q < truth.size(); ++q) {
        const double error = values[q] - truth[q];
        const double standard = measured.best_errors.empty() ? errors[q] : measured.best_errors[q];
        scores.of[q].error += square(error / truth[q]);
        scores.of[q].standard += square(standard / truth[q]);
        scores.of[q].z += square(error / errors[q]);
        scores.of[q].inside += std::abs(error) <= 3 * errors[q] ? 1 : 0;
      }
    }
    scores.recognised += found == shape ? 1.0 / trials : 0;
  }
  return scores;
}

/// All shapes and noises of one sensor.
struct Study {
  std::vector<std::vector<Scores>> at;  // by shape and noise
  int trials = 0;

  [[nodiscard]] double rms(Shape shape, std::size_t level, std::size_t quantity, double Score::*of) const {
    return std::sqrt(at.at(static_cast<std::size_t>(shape)).at(level).of.at(quantity).*of / trials);
  }
};

void draw_errors(const Sensor& sensor, const Study& study, Shape shape, Result& result) {
  const std::string name = fmt::format("{}_{}", sensor.name, name_of(shape));
  Table table{name, {{"noise [-]", std::vector<double>(sensor.levels.begin(), sensor.levels.end())}}, true};
  Figure figure{name,
                fmt::format("Parameters of a {} from {}: standard error (lines) and error (points), rms over trials",
                            name_of(shape), sensor.measurement),
                "noise over the largest force [-]",
                "relative error [-]",
                {}};
  const auto names = quantities_of(shape);
  for (const bool standard : {true, false}) {
    for (std::size_t q = 0; q < names.size(); ++q) {
      std::vector<double> values;
      for (std::size_t level = 0; level < sensor.levels.size(); ++level) {
        values.push_back(study.rms(shape, level, q, standard ? &Score::standard : &Score::error));
      }
      table.columns.push_back({fmt::format("{}, {} [-]", names[q], standard ? "standard error" : "error"), values});
      figure.series.push_back({name, 0, table.columns.size() - 1,
                               standard ? names[q] : fmt::format("{}, error", names[q]),
                               standard ? "lines" : "points"});
    }
  }
  figure.x_log = true;
  figure.y_log = true;
  result.tables.push_back(table);
  result.figures.push_back(figure);
}

Study try_sensor(const Context& context, const Sensor& sensor, int trials, double from, Result& result) {
  Study study;
  study.trials = trials;
  for (const Shape shape : shapes) {
    study.at.emplace_back();
    for (const double level : sensor.levels) {
      context.step(from);
      study.at.back().push_back(try_shape(context, sensor, shape, level, trials));
    }
    draw_errors(sensor, study, shape, result);
  }
  return study;
}

/// The share of a study's estimates within three standard errors, and the extremes of the rms of error over standard
/// error, for the quantities that `counts` selects.
struct Calibration {
  double inside = 0, smallest = infinity, largest = 0;
  double estimates = 0, trials = 0;  // trials: of one quantity
};
template <class Counts>
Calibration calibration_of(const Study& study, const Counts& counts) {
  Calibration c;
  for (const Shape shape : shapes) {
    const auto& levels = study.at.at(static_cast<std::size_t>(shape));
    for (std::size_t q = 0; q < levels[0].of.size(); ++q) {
      if (!counts(shape, q)) {
        continue;
      }
      double z = 0;
      for (const Scores& scores : levels) {
        z += scores.of[q].z;
        c.inside += scores.of[q].inside;
      }
      c.trials = static_cast<double>(levels.size()) * study.trials;
      c.estimates += c.trials;
      c.smallest = std::min(c.smallest, std::sqrt(z / c.trials));
      c.largest = std::max(c.largest, std::sqrt(z / c.trials));
    }
  }
  c.inside /= c.estimates;
  return c;
}
void judge_errors(const char* what, const Calibration& c, Result& result) {
  const auto normal = from_theory("normal errors, within three deviations of the number of trials");
  // Estimates of one trial depend on each other: the number of independent ones is taken as that of the trials
  result.claims.push_back(at_least(fmt::format("{}: share of estimates within three standard errors", what), normal,
                                   inside_three, c.inside, "-",
                                   3 * std::sqrt(inside_three * (1 - inside_three) / c.trials)));
  const double spread = 3 / std::sqrt(2 * c.trials);
  result.claims.push_back(
      at_most(fmt::format("{}: largest rms of error over standard error", what), normal, 1, c.largest, "-", spread));
  result.claims.push_back(
      at_least(fmt::format("{}: smallest rms of error over standard error", what), normal, 1, c.smallest, "-", spread));
}

void draw_recognised(const std::array<Study, 2>& studies, Result& result) {
  Figure figure{
      "recognised", "Share of contacts whose shape is recognised", "noise over the largest force [-]", "share [-]", {}};
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    Table table{fmt::format("recognised_{}", sensors.at(s).name),
                {{"noise [-]", std::vector<double>(sensors.at(s).levels.begin(), sensors.at(s).levels.end())}},
                true};
    for (const Shape shape : shapes) {
      std::vector<double> share;
      for (const Scores& scores : studies.at(s).at.at(static_cast<std::size_t>(shape))) {
        share.push_back(scores.recognised);
      }
      table.columns.push_back({fmt::format("{} [-]", name_of(shape)), share});
      figure.series.push_back({table.name, 0, table.columns.size() - 1,
                               fmt::format("{}, {}", name_of(shape), sensors.at(s).name), "linespoints"});
    }
    result.tables.push_back(table);
  }
  figure.x_log = true;
  result.figures.push_back(figure);
}

/// How a ripple of the pressure shows in the friction force of a rotation about one of its zeros, where the rest of the
/// pressure gives none. For many waves it is 1/(q σ)² of all.
void fine_detail(const Context& context, Result& result) {
  constexpr double sigma = 4e-3;  // of a round pressure [m]
  constexpr double reach = 4.5 * sigma;
  // Fine along the ripple alone
  const std::size_t columns = context.quick ? 480 : 960;
  constexpr std::size_t rows = 90;
  std::vector<double> wave_numbers;
  std::vector<double> responses;
  std::vector<double> expected;
  for (const double wave : {4.24e-3, 3e-3, 2.12e-3, 1.5e-3}) {
    context.check();
    const double q = 2 * pi / wave;
    const Patch patch(planar::pressure_grid(
        [&](double x, double y) { return std::exp(-(x * x + y * y) / (2 * sigma * sigma)) * (1 + std::sin(q * x)); },
        {-reach, -reach}, {reach, reach}, columns, rows, 1));
    const Point cop = patch.centre_of_pressure();
    const Wrench w = planar::coulomb_wrench(patch, {-cop.y, cop.x, 1});
    wave_numbers.push_back(1e-3 * q);
    responses.push_back(std::hypot(w.x, w.y));
    expected.push_back(1 / square(q * sigma));
  }
  result.tables.push_back(
      {"detail",
       {{"wave number [rad/mm]", wave_numbers}, {"force over mu f_N [-]", responses}, {"1/(q sigma)² [-]", expected}}});
  Figure figure{"detail",
                "A ripple of the pressure in the friction force",
                "wave number q [rad/mm]",
                "force over mu f_N [-]",
                {{"detail", 0, 1, "exact integral", "points"}, {"detail", 0, 2, "1/(q σ)², many waves"}}};
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
  result.claims.push_back(within("ripple of the pressure: exponent of its force over the wave number",
                                 from_theory("Fourier transform of |ρ|: power falls with q³, force with q²"), -2,
                                 log_slope(wave_numbers, responses), 0.1, "-"));
}

/// μ needs both: wrenches have only μ f_N, an image only f_N.
void both_sensors(const Context& context, int trials, Result& result) {
  double z = 0;
  for (int k = 0; k < trials; ++k) {
    context.check();
    Random random(static_cast<std::uint64_t>(k) + 77);
    ShapeParameters p = random_shape(Shape::finger, normal_force, random);
    const ShapeFit image = from_image(Shape::finger, p, 0.05, random).fit(Shape::finger);
    p[0] *= friction;
    const ShapeFit wrenches = from_wrenches(Shape::finger, p, 0.005, random).fit(Shape::finger);
    const double estimate = wrenches.at[0] / image.at[0];
    const double relative = std::hypot(std::sqrt(wrenches.covariance[0][0]) / wrenches.at[0],
                                       std::sqrt(image.covariance[0][0]) / image.at[0]);
    z += square((estimate / friction - 1) / relative) / trials;
  }
  result.claims.push_back(within("μ from an image and wrenches: rms of error over standard error",
                                 from_theory("normal errors, within three deviations of the number of trials"), 1,
                                 std::sqrt(z), 3 / std::sqrt(2.0 * trials), "-"));
}

/// Images with 5 % of noise, the outline that is found, and its centre of pressure.
void show_images(Result& result) {
  constexpr std::size_t scale = 18;  // pixels of a cell
  constexpr std::size_t edge = taxels * scale;
  constexpr std::size_t gap = 12;
  viz::Image picture{shapes.size() * (edge + gap) - gap, edge, {}};
  picture.rgb.assign(3 * picture.width * picture.height, 255);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    Random random(5 + s);
    const ShapeParameters p = random_shape(shapes.at(s), normal_force, random);
    auto image = tactile_image(shapes.at(s), p, 12);
    const double largest = std::ranges::max(image);
    for (double& force : image) {
      force += 0.05 * largest * random.gaussian();
    }
    const ShapeFit fit = fit_to_image(shapes.at(s), image, 0.05 * largest);
    const auto set = [&](std::size_t x, std::size_t y, std::array<std::uint8_t, 3> colour) {
      std::ranges::copy(
          colour, picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (y * picture.width + s * (edge + gap) + x)));
    };
    for (std::size_t y = 0; y < edge; ++y) {
      for (std::size_t x = 0; x < edge; ++x) {
        const double share = std::clamp(image[y / scale * taxels + x / scale] / largest, 0.0, 1.0);
        const auto grey = static_cast<std::uint8_t>(std::lround(255 - 200 * share));
        set(x, y, {grey, grey, grey});
      }
    }
    const auto dot = [&](Point at, std::array<std::uint8_t, 3> colour, long radius) {
      const long x = std::lround((at.x / taxel_pitch + taxels / 2.0) * scale);
      const long y = std::lround((taxels / 2.0 - at.y / taxel_pitch) * scale);
      for (long j = std::max(0L, y - radius); j <= std::min<long>(edge - 1, y + radius); ++j) {
        for (long i = std::max(0L, x - radius); i <= std::min<long>(edge - 1, x + radius); ++i) {
          set(static_cast<std::size_t>(i), static_cast<std::size_t>(j), colour);
        }
      }
    };
    for (const Point& at : outline_of(shapes.at(s), fit.at)) {
      dot(at, {214, 39, 40}, 1);
    }
    dot(centre_of_pressure(shapes.at(s), fit.at), {31, 119, 180}, 3);
  }
  result.pictures.push_back(
      {"images",
       "Tactile images of a finger, a pad and a wedge with 5 % of noise; red: the outline that is "
       "found, blue: its centre of pressure",
       viz::to_png(picture)});
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "Contacts of random size, pressure, place and direction: a soft finger (a, k), a pad of uniform pressure and a "
      "wedge whose pressure falls along its length as that of the gradient line. Once they are seen as tactile "
      "images of 16 × 16 cells over 24 mm, once as 60 wrenches of Coulomb friction for known random motions about a "
      "sensor. Noise is normal: on each cell relative to the most loaded one, on forces relative to μ f_N, on "
      "torques 10 mm times that. Parameters are found by least squares; r and the distance of p_s from the centre of "
      "pressure follow from them, with standard errors. The shape is recognised by Akaike's criterion. What wrenches "
      "cannot tell: μ and f_N apart, since only their product occurs; and fine detail of the pressure. The power "
      "dissipated by a turn about a point is the pressure's convolution with the distance |ρ|, whose Fourier "
      "transform falls with the cube of the wave number, so that the pressure is determined in principle and hardly "
      "in practice. So a finger's k is found badly and its r well. Raw images: the image itself is taken as the "
      "patch, without cells below three deviations of the noise and without a model of its shape; the paper's "
      "shapes, moved and rotated.";
  const int trials = context.quick ? 4 : 30;
  std::array<Study, 2> studies;
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    studies.at(s) = try_sensor(context, sensors.at(s), trials, 0.4 * static_cast<double>(s), result);
  }
  const auto& [images, wrenches] = studies;
  judge_errors("tactile images", calibration_of(images, [](Shape, std::size_t) { return true; }), result);
  judge_errors("wrenches, r and p_s", calibration_of(wrenches, [](Shape, std::size_t q) { return q >= 2; }), result);

  const auto recognised = [](const Study& study) {  // with the two smaller noises, worst shape
    double least = 1;
    for (const auto& levels : study.at) {
      least = std::min({least, levels[0].recognised, levels[1].recognised});
    }
    return least;
  };
  double size_error = 0;  // with 5 %
  for (const Shape shape : shapes) {
    size_error = std::max(size_error, images.rms(shape, 1, 0, &Score::error));
  }
  const auto nineteen = requirement("nineteen of twenty");
  result.claims.push_back(at_least("tactile images, up to 5 % of noise: share of shapes recognised, worst shape",
                                   nineteen, 0.95, recognised(images), "-"));
  result.claims.push_back(at_least("wrenches, up to 0.5 % of noise: share of shapes recognised, worst shape", nineteen,
                                   0.95, recognised(wrenches), "-"));
  result.claims.push_back(at_most("tactile images, 5 % of noise: error of a or of the length, rms of the worst shape",
                                  requirement("2 %"), 0.02, size_error, "-"));
  const auto standard = [](const Study& study, std::size_t q) {
    return study.rms(Shape::finger, 1, q, &Score::standard);
  };
  result.claims.push_back(at_most("finger, wrenches with 0.5 % of noise: standard error of r", requirement("1 %"), 0.01,
                                  standard(wrenches, 2), "-"));
  result.claims.push_back(at_least("finger, wrenches: relative standard error of k over that of r",
                                   requirement("k is not identified: over ten times"), 10,
                                   standard(wrenches, 1) / standard(wrenches, 2), "-"));
  draw_recognised(studies, result);
  context.step(0.8);
  both_sensors(context, 3 * trials, result);
  try_raw_images(context, result);
  context.step(0.9);
  fine_detail(context, result);
  show_images(result);
  return result;
}

}  // namespace stiction::lab::planar_recognition
