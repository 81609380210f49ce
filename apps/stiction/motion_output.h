// What `stiction identify` writes of a model that the measured motion drives.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lab.h"
#include "stiction/identify/motion.h"

namespace stiction::cli {

nlohmann::ordered_json json_of_motion(const identify::MotionFit& fit);

/// Tables and figures: torque over time, friction over velocity, and the residual over time, position and velocity.
lab::Result pictures_of_motion(const identify::MotionFit& fit);

/// Prints how well it predicts, the steps from simple to rich, and the remarks.
void print_prediction(const identify::MotionFit& fit);
void print_remarks(const identify::MotionFit& fit);

/// Comments for model.toml: what the file of a friction model has no place for.
std::string external_comments(const identify::MotionFit& fit);

}  // namespace stiction::cli
