// Random patches under random motions and loads, with parameters from the whole of their ranges: results are finite,
// wrenches stay within what the limit surface allows, friction takes power from every steady motion, a load's factor is
// the least over all motions, batches follow models one by one, NaN shows, and no call takes long.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"
#include "stiction/sim/planar_steps.h"
#include "torture.h"

namespace stiction::torture {
namespace {

using namespace planar;  // NOLINT(google-build-using-namespace)

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double longest_call = 2;  // [s], on a machine that is busy with other things

/// What a case has found wrong; the first is kept.
struct Verdict {
  const char* text = nullptr;
  double value = 0, bound = 0;

  void at_most(double found, double limit, const char* what) {
    if (text == nullptr && !(found <= limit)) {  // NaN fails
      *this = {what, found, limit};
    }
  }
  void holds(bool good, const char* what) { at_most(good ? 0 : 1, 0, what); }
};

double between(Random& random, double low, double high) { return low + (high - low) * random.unit(); }

/// Over its whole range, and often at its ends.
double wild(Random& random, const Range& range) {
  switch (random.bits() % 12) {
    case 0:
      return range.low;
    case 1:
      return range.high;
    default: {
      const double low = std::max(range.low, 1e-6);
      return std::clamp(random.log_between(low, range.high), low, range.high);
    }
  }
}

Friction any_friction(Random& random) {
  Friction f;
  for (const auto& field : friction_fields) {
    f.*field.member = wild(random, field.range);
  }
  f.static_level = std::min(f.coulomb * random.log_between(1, 100), coefficients.high);
  f.elasto_plastic = random.one_in(2);
  if (random.one_in(2)) {
    f.stribeck_exponent = 2;
  }
  return f;
}

struct AnyPatch {
  Patch patch;
  double aspect;  // of cells; its limit surface has rounding of 2e-12 times this
};

AnyPatch any_grid(Random& random, double size, Point corner) {
  const std::size_t columns = 1 + random.bits() % 8;
  const std::size_t rows = 1 + random.bits() % 8;
  const double aspect = random.one_in(2) ? 1 : random.log_between(1e-3, 1e3);
  PressureGrid grid{columns, rows, corner, size, size * aspect, {}};
  for (std::size_t k = 0; k < columns * rows; ++k) {
    grid.pressure.push_back(random.one_in(4) ? 0 : random.log_between(1e-6, 1));
  }
  grid.pressure[random.bits() % grid.pressure.size()] = 1;
  return {Patch(grid), 64 * std::max(aspect, 1 / aspect)};
}

AnyPatch any_points(Random& random, double size, Point corner) {
  Points points;
  const std::size_t count = 1 + random.bits() % 12;
  const bool on_a_line = random.one_in(4);
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0 && random.one_in(6)) {
      points.add({points.x.back(), points.y.back()}, random.unit());
    } else {
      const double x = between(random, -size, size);
      points.add(corner + Point{x, on_a_line ? 2 * x : between(random, -size, size)},
                 random.one_in(6) ? 0 : random.log_between(1e-6, 1));
    }
  }
  points.share[random.bits() % count] = 1;
  return {Patch(points), 1};
}

/// Loops that cross themselves and each other. Where they happen to enclose nothing, a triangle.
AnyPatch any_polygon(Random& random, double size, Point corner) {
  std::vector<std::vector<Point>> loops(1 + random.bits() % 3);
  for (auto& loop : loops) {
    for (std::size_t k = 3 + random.bits() % 8; k > 0; --k) {
      const auto raster = [&] { return std::floor(8 * random.unit()) / 8; };
      loop.push_back(corner + Point{size * (random.one_in(2) ? raster() : random.unit()),
                                    size * (random.one_in(2) ? raster() : random.unit())});
    }
  }
  const std::size_t cells = 1 + random.bits() % 12;
  try {
    const auto grid = polygon_grid(loops, cells, cells);
    return {Patch(grid), 144 * std::max(grid.width / grid.height, grid.height / grid.width)};
  } catch (const InvalidParameter&) {
    return {Patch(polygon_grid({{corner, corner + Point{size, 0}, corner + Point{0, size}}}, cells, cells)), 144};
  }
}

AnyPatch any_patch(Random& random) {
  const double size = random.log_between(1e-8, 1e2);
  const double away = random.one_in(2) ? 0 : random.log_between(1e-3, 1e3);
  const Point corner{between(random, -away, away), between(random, -away, away)};
  switch (random.bits() % 5) {
    case 0:
      return any_points(random, size, corner);
    case 1:
      return any_polygon(random, size + 1e-12 * away, corner);
    case 2:
      return {Patch(disc_points(size, 1 + random.bits() % 4, 1 + random.bits() % 9)), 1};
    case 3:
      return {Patch(Points{{corner.x}, {corner.y}, {1}}), 1};
    default:
      return any_grid(random, size, corner);
  }
}

/// A motion of some size, with the speeds of sliding and of spinning at `reach` over many decades of each other.
Twist any_twist(Random& random, double reach, double fastest) {
  const double speed = random.log_between(1e-12, fastest);
  const double angle = between(random, 0, 6.283185307179586);
  const double spin =
      random.one_in(4) ? 0 : random.sign() * speed / std::max(reach, 1e-12) * random.log_between(1e-4, 1);
  switch (random.bits() % 8) {
    case 0:
      return {};
    case 1:
      return {0, 0, spin};
    default:
      return {speed * std::cos(angle), speed * std::sin(angle), spin};
  }
}

// The limit surface, and loads on it
// -----------------------------------------------------------------------------------

Verdict limit_surface_case(Random& random) {
  Verdict verdict;
  const auto [patch, aspect] = any_patch(random);
  const double r = patch.torque_radius();
  const double tolerance = 1e-11 + 4e-12 * aspect;
  for (int k = 0; k < 16; ++k) {
    const Twist v = any_twist(random, patch.radius(), 1e6);
    const Twist w = any_twist(random, patch.radius(), 1e6);
    const Wrench f = coulomb_wrench(patch, v);
    verdict.at_most(std::hypot(f.x, f.y), 1 + tolerance, "force of the limit surface");
    verdict.at_most(std::abs(f.torque), r * (1 + tolerance) + tolerance * patch.radius(),
                    "torque of the limit surface");
    const double size = std::hypot(v.x, v.y) + std::abs(v.spin) * patch.radius();
    verdict.at_most(power(f, v), tolerance * size, "power given by friction");
    // No other wrench of the surface takes more power.
    const Wrench other = coulomb_wrench(patch, w);
    verdict.at_most(power(f, v) - power(other, v), 2 * tolerance * size, "power below the maximum");
    const Wrench back = coulomb_wrench(patch, {-v.x, -v.y, -v.spin});
    verdict.holds(back.x == -f.x && back.y == -f.y && back.torque == -f.torque, "the surface is odd");
  }
  verdict.holds(std::isnan(coulomb_wrench(patch, {nan, 0, 1}).x), "NaN of a twist shows");
  return verdict;
}

Verdict slip_case(Random& random) {
  Verdict verdict;
  const auto [patch, aspect] = any_patch(random);
  const double r = patch.torque_radius();
  const double size = random.log_between(1e-100, 1e100);
  const Wrench load{size * between(random, -1, 1), size * between(random, -1, 1),
                    random.one_in(3) ? 0 : size * r * between(random, -1, 1) * random.log_between(1e-6, 1)};
  const double friction = size * random.log_between(1e-3, 1e3);
  const Slip s = slip(patch, load, friction);
  const double tolerance = 1e-9 + 1e-11 * aspect + s.gap;
  verdict.at_most(s.gap, 1, "gap");
  verdict.holds(s.factor > 0 && s.factor < infinity, "factor is a number");
  // The power of the motion that starts, over that of the load
  const double taken = -friction * power(coulomb_wrench(patch, s.twist), s.twist);
  if (r > 0) {
    verdict.at_most(std::abs(taken / power(load, s.twist) / s.factor - 1), tolerance, "factor of its own motion");
  }
  for (int k = 0; k < 16; ++k) {  // no other motion takes less
    const Twist v = any_twist(random, patch.radius(), 1);
    const double given = power(load, v);
    if (given > 1e-6 * (std::hypot(load.x, load.y) * std::hypot(v.x, v.y) + std::abs(load.torque * v.spin))) {
      const double other = -friction * power(coulomb_wrench(patch, v), v) / given;
      verdict.at_most(s.factor * (1 - tolerance), other, "factor above that of another motion");
    }
  }
  if (std::abs(s.factor - 1) > 10 * tolerance) {
    verdict.holds(holds(patch, load, friction) == !s.slips(), "holds and slip agree");
  }
  verdict.holds(std::isnan(slip(patch, {load.x, nan, 0}, friction).factor), "NaN of a load shows");
  verdict.holds(!holds(patch, load, nan), "NaN of friction does not hold");
  return verdict;
}

// Friction in motion
// -----------------------------------------------------------------------------------------------------

/// |σ₀ z| ≤ μ_S, |dz/dt| ≤ |v| (1 + |z|/z̄) with z̄ ≥ μ_C/σ₀: the largest force for one newton at a speed.
double largest_force(const Friction& f, double speed) {
  return f.static_level + f.damping * speed * (1 + f.static_level / f.coulomb) + f.viscous * speed;
}

Verdict distributed_case(Random& random) {
  Verdict verdict;
  const Friction f = any_friction(random);
  const Patch patch = any_patch(random).patch;
  const double radius = patch.radius();
  const auto model = Distributed::make({f, patch});
  std::vector<double> z(model.state_size());
  const double most = f.static_level / f.stiffness;
  for (int k = 0; k < 16; ++k) {
    const Twist v = any_twist(random, radius, 1e3);
    const double force = random.one_in(6) ? 0 : random.log_between(1e-3, 1e4);
    const Wrench w = model.step(z, v, force, random.one_in(8) ? 0 : random.log_between(1e-7, 1));
    const double speed = std::hypot(v.x, v.y) + std::abs(v.spin) * radius;
    const double bound = force * largest_force(f, speed) * (1 + 1e-9);
    verdict.at_most(std::hypot(w.x, w.y), bound, "force of many bristles");
    verdict.at_most(std::abs(w.torque), bound * radius, "torque of many bristles");
    for (std::size_t i = 0; i < model.size(); ++i) {
      verdict.at_most(std::hypot(z[i], z[model.size() + i]), most * (1 + 1e-9), "deflection of a bristle");
    }
    // Without damping and viscosity: inside the limit surface of μ_S f_N, seen from any direction
    Friction plain = f;
    plain.damping = plain.viscous = 0;
    const Wrench elastic = Distributed::make({plain, patch}).wrench(z, v, force);
    const Twist u = any_twist(random, radius, 1);
    const double allowed = -f.static_level * force * power(coulomb_wrench(patch, u, Rule::midpoint), u);
    verdict.at_most(power(elastic, u), allowed * (1 + 1e-9) + 1e-300, "wrench outside the limit surface");
  }
  const Twist v = any_twist(random, radius, 1);
  for (int k = 0; k < 40; ++k) {
    model.advance(z, v, 1e3 * most / (std::hypot(v.x, v.y) + std::abs(v.spin) * radius + 1e-12));
  }
  verdict.at_most(power(model.wrench(z, v, 1), v), 0, "power given by steady sliding");
  z[random.bits() % z.size()] = nan;
  const Wrench shown = model.step(z, {0.1, 0.1, 1}, 1, 1e-3);
  verdict.holds(std::isnan(shown.x) || std::isnan(shown.y) || std::isnan(shown.torque), "NaN of a state shows");
  return verdict;
}

template <class Surface>
void check_reduced(const Reduced<Surface>& model, const Patch& patch, Random& random, Verdict& verdict) {
  const Friction& f = model.params().friction;
  const double r = patch.torque_radius();
  const double most = 1.4142135623730951 * f.static_level / f.stiffness;  // |h| ≤ √2
  typename Reduced<Surface>::State z;
  for (int k = 0; k < 16; ++k) {
    const Twist v = any_twist(random, r, 1e3);
    const double force = random.one_in(6) ? 0 : random.log_between(1e-3, 1e4);
    const auto next = model.step(z, v, force, random.one_in(8) ? 0 : random.log_between(1e-7, 1));
    z = next.state;
    const double speed = std::sqrt(v.x * v.x + v.y * v.y + r * r * v.spin * v.spin);
    const double bound = 1.5 * force * largest_force(f, speed);
    verdict.at_most(std::hypot(next.wrench.x, next.wrench.y), bound, "force of three states");
    verdict.at_most(std::abs(next.wrench.torque),
                    bound * r + force * f.viscous * patch.mean_square_radius() * std::abs(v.spin) * (1 + 1e-9),
                    "torque of three states");
    verdict.at_most(std::hypot(z.x, z.y), most * (1 + 1e-9), "deflection of three states");
    verdict.at_most(std::abs(z.rotation), most * r * (1 + 1e-9), "deflection by turning");
  }
  const Twist v = any_twist(random, r, 1);
  for (int k = 0; k < 40; ++k) {
    z = model.advance(z, v, 1e3 * most / (std::hypot(v.x, v.y) + std::abs(v.spin) * r + 1e-12));
  }
  verdict.at_most(power(model.wrench(z, v, 1), v), 1e-12 * largest_force(f, 1), "power given by steady sliding");
  const Wrench shown = model.step(z, {0.1, nan, 1}, 1, 1e-3).wrench;
  verdict.holds(std::isnan(shown.x) || std::isnan(shown.y), "NaN of a twist shows");
}

Verdict reduced_case(Random& random) {
  Verdict verdict;
  const Friction f = any_friction(random);
  const Patch patch = any_patch(random).patch;
  const std::size_t cells = 1 + random.bits() % 9;
  switch (random.bits() % 3) {
    case 0:
      check_reduced(Reduced<SurfaceTable>::make({f, patch.pressure_moments(), SurfaceTable(patch, cells)}), patch,
                    random, verdict);
      break;
    case 1:
      check_reduced(Reduced<AngleTable>::make({f, patch.pressure_moments(), AngleTable(patch, cells)}), patch, random,
                    verdict);
      break;
    default:
      check_reduced(Reduced<Ellipsoid>::make({f, patch.pressure_moments(), {}}), patch, random, verdict);
  }
  return verdict;
}

/// A batch in double precision follows models one by one; one in single precision stays within bounds.
Verdict batch_case(Random& random) {
  Verdict verdict;
  constexpr std::size_t n = 5;
  std::vector<SurfaceTable> tables;
  std::vector<Patch> patches;
  for (int k = 0; k < 2; ++k) {
    patches.push_back(any_patch(random).patch);
    tables.emplace_back(patches.back(), 1 + random.bits() % 9);
  }
  std::vector<ReducedBatch::Item> items;
  std::vector<ReducedBatchF::Item> items_f;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t which = random.bits() % 2;
    items.push_back({any_friction(random), which, patches[which].torque_radius(), patches[which].mean_square_radius()});
    items_f.push_back({items[i].friction, which, items[i].torque_radius, items[i].mean_square_radius});
  }
  const ReducedBatch batch(tables, items);
  const ReducedBatchF batch_f(tables, items_f);
  std::array<double, 3 * n> z{};
  std::array<double, 3 * n> w{};
  std::array<float, 3 * n> z_f{};
  std::array<float, 3 * n> w_f{};
  for (int k = 0; k < 16; ++k) {
    std::array<double, 3 * n> v{};
    std::array<double, n> force{};
    for (std::size_t i = 0; i < n; ++i) {
      const Twist twist = any_twist(random, items[i].torque_radius, 1e3);
      v[i] = twist.x;
      v[n + i] = twist.y;
      v[2 * n + i] = twist.spin;
      force[i] = random.log_between(1e-3, 1e4);
    }
    const auto before = z;
    const double dt = random.log_between(1e-7, 1);
    batch.step(z, v, force, dt, w);
    std::array<float, 3 * n> short_v{};
    std::array<float, n> short_force{};
    std::transform(v.begin(), v.end(), short_v.begin(), [](double x) { return static_cast<float>(x); });
    std::transform(force.begin(), force.end(), short_force.begin(), [](double x) { return static_cast<float>(x); });
    batch_f.step(z_f, short_v, short_force, static_cast<float>(dt), w_f);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& [friction, surface, r, u] = items[i];
      const auto model = Reduced<SurfaceTable>::make({friction, {r, u, {}}, tables[surface]});
      const auto next =
          model.step({before[i], before[n + i], before[2 * n + i]}, {v[i], v[n + i], v[2 * n + i]}, force[i], dt);
      const double speed = std::sqrt(v[i] * v[i] + v[n + i] * v[n + i] + r * r * v[2 * n + i] * v[2 * n + i]);
      const double scale = force[i] * largest_force(friction, speed);
      verdict.at_most(std::hypot(w[i] - next.wrench.x, w[n + i] - next.wrench.y), 1e-7 * scale, "batch and one by one");
      verdict.at_most(std::hypot(w_f[i], w_f[n + i]), 1.6 * scale, "force in single precision");
      verdict.at_most(std::abs(w_f[2 * n + i]),
                      1.6 * scale * r + 1.01 * force[i] * friction.viscous * u * std::abs(v[2 * n + i]) + 1e-30,
                      "torque in single precision");
    }
  }
  return verdict;
}

Verdict steps_case(Random& random) {
  Verdict verdict;
  const Patch patch = any_patch(random).patch;
  const auto model = Reduced<SurfaceTable>::make(
      {any_friction(random), patch.pressure_moments(), SurfaceTable(patch, 1 + random.bits() % 9)});
  const Point cop = patch.centre_of_pressure();
  const bool carried = random.one_in(2);
  sim::PlanarSteps<sim::ReducedContact<SurfaceTable>> steps({random.log_between(1e-6, 1e4),
                                                             random.log_between(1e-9, 1e4),
                                                             1 + static_cast<int>(random.bits() % 3),
                                                             carried,
                                                             {-cop.x, -cop.y}},
                                                            {model});
  for (int k = 0; k < 16; ++k) {
    const double size = random.log_between(1e-6, 1e6);
    sim::PlanarInput input{
        {size * between(random, -1, 1), size * between(random, -1, 1), size * between(random, -1, 1)},
        random.one_in(6) ? 0 : random.log_between(1e-3, 1e5)};
    double dt = random.log_between(1e-7, 1);
    const bool bad = random.one_in(8);
    if (bad) {
      (random.one_in(2)   ? input.load.y
       : random.one_in(2) ? input.normal_force
                          : dt) = random.one_in(2) ? nan : -infinity;
    }
    const auto before = steps.velocity;
    const Wrench w = steps.step(input, dt);
    if (bad || std::isnan(steps.error())) {
      verdict.holds(std::isnan(w.x) && std::isnan(steps.error()), "a step that was not taken shows");
    }
    if (bad) {
      verdict.holds(steps.velocity == before, "NaN moves nothing");
    }
    const auto& [x, y, spin] = steps.velocity;
    verdict.holds(std::isfinite(x + y + spin + steps.position.x + steps.position.y + steps.angle), "state is finite");
    if (std::hypot(x, y) > 1e9 || std::abs(spin) > 1e12) {
      break;  // thrown away
    }
  }
  return verdict;
}

// ----------------------------------------------------------------------------------------------------------------------

struct Part {
  const char* name;
  Verdict (*run)(Random&);
};
constexpr std::array parts{Part{"limit-surface", limit_surface_case},
                           Part{"slip", slip_case},
                           Part{"distributed", distributed_case},
                           Part{"reduced", reduced_case},
                           Part{"batch", batch_case},
                           Part{"steps", steps_case}};

int run(const Options& options) {
  constexpr double steps_of_case = 16;
  int failures = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!options.only.empty() && options.only != parts[p].name) {
      continue;
    }
    const auto count = static_cast<std::int64_t>(std::ceil(options.steps / steps_of_case / parts.size()));
    const std::int64_t first = options.single_case >= 0 ? options.single_case : 0;
    const std::int64_t last = options.single_case >= 0 ? first + 1 : count;
    double longest = 0;
    int wrong = 0;
    for (std::int64_t k = first; k < last; ++k) {
      Random random(case_seed(options.seed, p, static_cast<std::uint64_t>(k)));
      const auto start = std::chrono::steady_clock::now();
      Verdict verdict = parts[p].run(random);
      const double seconds = seconds_since(start);
      verdict.at_most(seconds, longest_call, "seconds of a case");
      longest = std::max(longest, seconds);
      if (verdict.text != nullptr && ++wrong <= 5) {
        std::fprintf(stderr, "%s: %s: %.9g, at most %.9g: --only %s --seed %llu --case %lld\n", parts[p].name,
                     verdict.text, verdict.value, verdict.bound, parts[p].name,
                     static_cast<unsigned long long>(options.seed), static_cast<long long>(k));
      }
    }
    std::printf("%-14s %lld cases of 16 steps, %d wrong, longest %.3g s\n", parts[p].name,
                static_cast<long long>(last - first), wrong, longest);
    failures += wrong;
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace stiction::torture

int main(int argc, char** argv) { return stiction::torture::run(stiction::torture::options_from(argc, argv, 1e7)); }
