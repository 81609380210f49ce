// Static friction of a body with up to 24 contacts over many decades of normal force. Verdicts are proven, solutions
// are finite, friction stays in its cones, and the same problem gives the same answer.
#include "stiction/spatial/static_friction.h"

#include <vector>

#include "fuzz/support.h"
#include "tests/spatial/certificate.h"

namespace spatial = stiction::spatial;
using stiction::Vector3;
using stiction::fuzz::all_finite;
using stiction::fuzz::Bytes;

namespace {

Vector3 vector_from(Bytes& bytes, double limit) {
  return {bytes.finite_number(limit), bytes.finite_number(limit), bytes.finite_number(limit)};
}

/// A unit vector: an axis, or any direction.
Vector3 unit_from(Bytes& bytes) {
  const std::size_t axis = bytes.below(8);
  if (axis < 6) {
    Vector3 v{};
    v[axis % 3] = axis < 3 ? 1 : -1;
    return v;
  }
  auto v = vector_from(bytes, 1e6);
  const double length = std::hypot(v[0], v[1], v[2]);
  if (!(length > 1e-6)) {
    return {0, 0, 1};
  }
  for (double& x : v) {
    x /= length;
  }
  return v;
}

std::vector<spatial::Contact> contacts_from(Bytes& bytes) {
  std::vector<spatial::Contact> contacts(bytes.below(25));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto& contact = contacts[i];
    const unsigned kind = bytes.byte();
    if (i > 0 && kind % 8 == 7) {
      contact = contacts[bytes.below(i)];  // a duplicate
      continue;
    }
    contact.arm = vector_from(bytes, 1e3);
    contact.normal = unit_from(bytes);
    contact.normal_force = std::abs(bytes.finite_number(1e9));
    contact.friction = std::abs(bytes.finite_number(1e3));
    if ((kind & 8U) != 0) {
      contact.dynamic_friction = contact.friction * bytes.byte() / 255.0;
    }
    if ((kind & 16U) != 0) {
      contact.friction_v = std::abs(bytes.finite_number(1e3));
    }
    contact.torsion = (kind & 32U) != 0 ? std::abs(bytes.finite_number(1)) : 0;
    contact.declared = static_cast<spatial::Declared>((kind >> 6U) % 3);
    contact.key = static_cast<std::int64_t>(i);
  }
  return contacts;
}

spatial::Load load_from(Bytes& bytes) {
  spatial::Load load;
  for (double& x : load.wrench) {
    x = bytes.finite_number(1e9);
  }
  double sum = 0;
  for (const double x : load.wrench) {
    sum += std::abs(x);
  }
  if (sum < spatial::Load::smallest) {
    load.wrench = {};
  }
  load.length = bytes.flag() ? 1 : std::abs(bytes.finite_number(1e3));
  for (std::size_t i = 0; i < 6; ++i) {
    load.gradient[i][i] = -std::abs(bytes.flag() ? bytes.finite_number(1e9) : 1000.0);
    load.mass[i][i] = std::abs(bytes.flag() ? bytes.finite_number(1e6) : 1.0);
  }
  if (bytes.flag()) {
    load.gradient[bytes.below(6)][bytes.below(6)] = bytes.finite_number(1e9);
  }
  return load;
}

/// The problem, as a test can take it.
void print(std::span<const spatial::Contact> contacts, const spatial::Load& load, int sides,
           const spatial::Options& options) {
  std::fprintf(stderr, "sides %d, metric %s\nload ", sides,
               options.metric == spatial::Metric::mass ? "mass" : "stiffness");
  for (const double x : load.wrench) {
    std::fprintf(stderr, " %.17g", x);
  }
  std::fprintf(stderr, " length %.17g\n", load.length);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      if (load.gradient[i][j] != 0 || load.mass[i][j] != 0) {
        std::fprintf(stderr, "[%zu][%zu] gradient %.17g mass %.17g\n", i, j, load.gradient[i][j], load.mass[i][j]);
      }
    }
  }
  for (const auto& c : contacts) {
    std::fprintf(
        stderr,
        "arm %.17g %.17g %.17g normal %.17g %.17g %.17g force %.17g friction %.17g dynamic %.17g friction_v %.17g "
        "torsion %.17g declared %d\n",
        c.arm[0], c.arm[1], c.arm[2], c.normal[0], c.normal[1], c.normal[2], c.normal_force, c.friction,
        c.dynamic_friction.value_or(c.friction), c.friction_v.value_or(c.friction), c.torsion,
        static_cast<int>(c.declared));
  }
}

void check(const spatial::Verdict& verdict) {
  FUZZ_REQUIRE(verdict.factor >= 0 && verdict.factor_limit >= 0);
  FUZZ_REQUIRE(verdict.factor <= verdict.factor_limit);
  FUZZ_REQUIRE(verdict.status != spatial::VerdictStatus::holds || verdict.factor >= 1);
  FUZZ_REQUIRE(verdict.status != spatial::VerdictStatus::slips || verdict.factor_limit < 1);
  FUZZ_REQUIRE(verdict.status != spatial::VerdictStatus::not_finite ||
               (verdict.factor == 0 && verdict.factor_limit == stiction::infinity));
  FUZZ_REQUIRE(verdict.rank >= 0 && verdict.rank <= 6);
  FUZZ_REQUIRE(all_finite(verdict.motion));
}

void check(const spatial::Solution& solution, std::span<const spatial::Contact> contacts,
           std::span<const spatial::ContactResult> results, int sides) {
  const bool moves = solution.status != spatial::SolutionStatus::not_definite &&
                     solution.status != spatial::SolutionStatus::not_finite;
  FUZZ_REQUIRE(all_finite(solution.motion) && std::isfinite(solution.objective));
  FUZZ_REQUIRE(moves ? std::isfinite(solution.gap) : solution.gap == stiction::infinity);
  FUZZ_REQUIRE(results.size() == contacts.size());
  // A pyramid that circumscribes a cone is wider at its edges.
  const double wider = sides == 0 ? 1 : 1 / std::cos(M_PI / sides);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto& c = contacts[i];
    const auto& f = results[i].friction;
    const double coefficient = std::max(c.friction, c.friction_v.value_or(0));
    FUZZ_REQUIRE(all_finite(f) && std::isfinite(results[i].torque));
    FUZZ_REQUIRE(std::hypot(f[0], f[1], f[2]) <= coefficient * c.normal_force * wider * (1 + 1e-6));
    FUZZ_REQUIRE(std::abs(results[i].torque) <= c.torsion * c.normal_force * wider * (1 + 1e-6));
  }
}

}  // namespace

FUZZ_TARGET(static_friction)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  const int sides = std::array{0, 0, 4, 8, 16}[bytes.below(5)];
  spatial::Options options;
  options.metric = bytes.flag() ? spatial::Metric::mass : spatial::Metric::stiffness;
  const auto contacts = contacts_from(bytes);
  const auto load = load_from(bytes);
  spatial::StaticFriction problem(24, sides);
  if (!problem.set(contacts, load)) {
    return;
  }
  // Contacts that are declared to slide hold nothing
  auto holding = contacts;
  for (auto& contact : holding) {
    contact.normal_force *= contact.declared == spatial::Declared::slides ? 0 : 1;
  }
  const spatial::test::Checker<spatial::test::Quad> checker(holding, load, sides, options.metric);
  for (const bool exactly : {false, true}) {
    const auto verdict = problem.verdict(options, exactly);
    check(verdict);
    const std::string wrong = verdict.proven() ? checker.check(verdict, problem.verdict_friction()) : "";
    if (!wrong.empty()) {
      print(contacts, load, sides, options);
      std::fprintf(stderr, "%s verdict: %s\n", exactly ? "exact" : "quick", wrong.c_str());
    }
    FUZZ_REQUIRE(wrong.empty());
  }
  const auto first = problem.solve(options);
  check(first, contacts, problem.contacts(), sides);
  const std::vector<spatial::ContactResult> friction(problem.contacts().begin(), problem.contacts().end());
  check(problem.solve(options), contacts, problem.contacts(), sides);  // from the last one
  problem.forget();
  FUZZ_REQUIRE(problem.solve(options).motion == first.motion);
  for (std::size_t i = 0; i < friction.size(); ++i) {
    FUZZ_REQUIRE(problem.contacts()[i].friction == friction[i].friction);
  }
}
