// `stiction bench`: all timings, and how they are reported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/controller_timing.h"
#include "scalar/model_timing.h"
#include "spatial_timing.h"
#include "timing.h"

namespace stiction::bench {

struct Benchmarks {
  std::vector<Row> rows;
  std::vector<lab::ModelTiming> models;
  std::vector<lab::ControllerTiming> controllers;
  std::optional<SpatialBench> spatial;
};

/// `group`: planar, spatial, or empty for all.
Benchmarks run_benchmarks(const std::string& group);

/// Tables for readers, on standard output.
void print(const Benchmarks& benchmarks);
/// An array of objects.
std::string to_json(const Benchmarks& benchmarks);

}  // namespace stiction::bench
