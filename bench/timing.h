// Speed, always as a ratio to a baseline that runs in the same process, is compiled with the same flags, and is checked
// to give the same answer before it is timed.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace stiction::bench {

struct Timing {
  double median = 0;  // [ns] for one operation
  double worst = 0;
};

inline constexpr int many_rounds = 201;
inline constexpr int few_rounds = 5;

/// Times two ways of doing the same in turn, so that both see the same machine. `operations` in each call.
std::pair<Timing, Timing> time_both(int operations, const std::function<void()>& ours,
                                    const std::function<void()>& baseline, int rounds = many_rounds);

struct Row {
  std::string what;
  std::string baseline;
  Timing ours, theirs;
  double deviation = 0;  // largest difference of the answers, relative
};

/// Throws where the answers differ by more than is allowed.
void require_same(const std::string& what, double deviation, double allowed);

/// Axes, against Runge-Kutta steps and against joints one by one.
std::vector<Row> scalar_rows();
/// Contact patches: the paper's equations written out plainly are the baseline.
std::vector<Row> planar_rows();
/// Bodies on contact patches, against explicit Runge-Kutta steps.
std::vector<Row> planar_body_rows();

}  // namespace stiction::bench
