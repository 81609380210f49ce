// Rows of `stiction bench`: our code against a baseline, timed in turn.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace stiction::cli {

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

/// Contact patches: the paper's equations written out plainly are the baseline.
std::vector<Row> planar_rows();
/// Bodies on contact patches, against explicit Runge-Kutta steps.
std::vector<Row> planar_body_rows();

}  // namespace stiction::cli
