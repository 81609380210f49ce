// Contact problems over nine decades of normal forces and of loads, with duplicates, degenerate ranks, torsion,
// anisotropy and pyramids: whatever the solver says is proven by what it hands out, and is finite.
#include <array>
#include <random>

#include "spatial/certificate.h"
#include "spatial/problems.h"
#include "torture.h"

namespace stiction::torture {
namespace {

using spatial::ContactResult;
using spatial::Metric;
using spatial::Solution;
using spatial::StaticFriction;
using spatial::Verdict;
using spatial::test::Checker;
using spatial::test::Problem;
using spatial::test::Quad;

struct Counts {
  long undecided = 0;  // verdicts that are not proven
  long open = 0;       // exact verdicts whose factor is not known to the gap
  long stopped = 0;    // solutions that did not converge
  int worst_iterations = 0;
};

/// What is wrong with a case; nothing where all is well.
std::string run_case(std::uint64_t seed, Counts& counts) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed ^ (seed >> 32U)));
  std::uniform_real_distribution<double> part(0, 1);
  Problem p = spatial::test::random_problem(random, {.max_contacts = part(random) < 0.1 ? 200.0 : 20.0});
  const double scale = std::pow(10, part(random) < 0.3 ? -12 * part(random) : 0);
  for (double& component : p.load.wrench) {
    component *= scale;
  }
  constexpr std::array kinds{0, 0, 0, 4, 8, 16};
  const int sides = kinds.at(static_cast<std::size_t>(6 * part(random)));
  const Metric metric = part(random) < 0.5 ? Metric::stiffness : Metric::mass;
  const bool exactly = part(random) < 0.5;
  StaticFriction solver(p.contacts.size(), sides);
  if (!solver.set(p.contacts, p.load)) {
    return "refused";
  }
  const Checker<Quad> checker(p.contacts, p.load, sides, metric);
  const Verdict verdict = solver.verdict({.metric = metric}, exactly);
  counts.undecided += verdict.proven() ? 0 : 1;
  counts.open += exactly && !verdict.converged ? 1 : 0;
  if (std::string problem = checker.check(verdict, solver.verdict_friction()); !problem.empty()) {
    return "verdict: " + problem;
  }
  const Solution solution = solver.solve({.metric = metric});
  counts.stopped += solution.converged() ? 0 : 1;
  counts.worst_iterations = std::max({counts.worst_iterations, solution.iterations, verdict.iterations});
  double sum = solution.objective + solution.gap;
  for (const double component : solution.motion) {
    sum += component;
  }
  for (const ContactResult& contact : solver.contacts()) {
    sum += contact.friction[0] + contact.friction[1] + contact.friction[2] + contact.torque;
  }
  if (!std::isfinite(sum)) {
    return "solution: not finite";
  }
  if (std::string problem = checker.check(solution, solver.contacts()); !problem.empty()) {
    return "solution: " + problem;
  }
  StaticFriction free(1);
  static_cast<void>(free.set({}, p.load));
  return solution.objective <= free.solve({.metric = metric}).objective * (1 + 1e-12) ? ""
                                                                                      : "solution: worse than none";
}

int run(const Options& options) {
  const auto count = static_cast<std::int64_t>(options.steps);
  const std::int64_t first = options.single_case >= 0 ? options.single_case : 0;
  const std::int64_t last = options.single_case >= 0 ? first + 1 : count;
  Counts counts;
  int wrong = 0;
  for (std::int64_t k = first; k < last; ++k) {
    const std::string problem = run_case(case_seed(options.seed, 0, static_cast<std::uint64_t>(k)), counts);
    if (!problem.empty() && ++wrong <= 10) {
      std::fprintf(stderr, "%s: --seed %llu --case %lld\n", problem.c_str(),
                   static_cast<unsigned long long>(options.seed), static_cast<long long>(k));
    }
  }
  std::printf(
      "%lld problems, %d wrong; %ld verdicts not proven, %ld factors open, %ld solutions not converged, at most "
      "%d iterations\n",
      static_cast<long long>(last - first), wrong, counts.undecided, counts.open, counts.stopped,
      counts.worst_iterations);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace stiction::torture

int main(int argc, char** argv) { return stiction::torture::run(stiction::torture::options_from(argc, argv, 1e6)); }
