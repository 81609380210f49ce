// `stiction bench spatial`: static friction of many contacts, and the time of other solvers for the same answers.
#pragma once

#include <string>
#include <vector>

namespace stiction::bench {

/// Time of one call over many problems.
struct SpatialRow {
  std::string what;
  std::size_t contacts = 0;
  int sides = 0;  // of pyramids; 0: exact cones
  std::size_t problems = 0;
  double median = 0, rare = 0;  // [µs]; rare: the 99th percentile
  double ratio = 0;             // median of a baseline over ours for the same program and problems; 0: our own row
  double ratio_to_cones = 0;    // and over ours with exact cones
  double deviation = 0;         // of the answers, relative; of verdicts: how many differ
};
struct SpatialExponent {
  std::string what;
  std::size_t max_contacts;  // contacts
  double exponent = 0;       // of the median against contacts, from 100 on
};
struct ProjectionRow {
  std::string cone;
  double median = 0;  // [ns]
};
struct SpatialBench {
  std::vector<SpatialRow> rows;
  std::vector<SpatialExponent> exponents;
  std::vector<ProjectionRow> projections;
  bool with_clp = false;
};

inline constexpr double longest_spatial_row = 12;  // [s], of ours
inline constexpr double longest_baseline = 4;      // [s]

SpatialBench spatial_bench();
/// Of our row with exact cones.
double median_of(const std::vector<SpatialRow>& rows, const std::string& what, std::size_t contacts);

}  // namespace stiction::bench
