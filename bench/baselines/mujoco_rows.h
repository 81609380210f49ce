// How many rows of constraints MuJoCo makes for one contact.
#pragma once

#include <array>

namespace stiction::baselines {

struct MujocoRows {
  int condim;
  int elliptic, pyramidal;  // rows
};

/// As MuJoCo makes them; its own answer is compared with these in the tests.
inline constexpr std::array<MujocoRows, 4> stored_mujoco_rows{{{1, 1, 1}, {3, 3, 4}, {4, 4, 6}, {6, 6, 10}}};

/// Whether this was built with MuJoCo.
bool has_mujoco();
/// Asked of MuJoCo where this was built with it, by a sphere that lies on a plane; else the stored ones.
std::array<MujocoRows, 4> mujoco_rows();

}  // namespace stiction::baselines
