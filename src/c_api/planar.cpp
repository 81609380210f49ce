#include <initializer_list>
#include <memory>

#include "error.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/slip.h"

using stiction::c_api::guarded;
using stiction::c_api::null_pointer;
namespace planar = stiction::planar;

struct stiction_patch {
  planar::Patch patch;
};
struct stiction_reduced {
  planar::Reduced<planar::SurfaceTable> model;
};
struct stiction_bristles {
  planar::Distributed model;
};

namespace {

planar::Friction friction_from(const stiction_patch_friction& f) noexcept {
  return {f.stiffness,         f.damping,       f.viscous,
          f.coulomb,           f.static_level,  f.stribeck_exponent,
          f.stribeck_velocity, f.elastic_share, f.elasto_plastic != 0};
}
planar::Twist twist_from(const stiction_twist& t) noexcept { return {t.x, t.y, t.spin}; }
stiction_wrench wrench_from(const planar::Wrench& w) noexcept { return {w.x, w.y, w.torque}; }

/// STICTION_OK if all are finite; otherwise the message is stored.
int usable(const char* field, std::initializer_list<double> values, const stiction::Range& range = stiction::finite) {
  for (const double value : values) {
    if (!range.holds(value)) {
      return stiction::c_api::failed(stiction::Problem{field, value, range.text});
    }
  }
  return STICTION_OK;
}

/// Checks the arguments that all steps have in common.
int usable_step(const stiction_twist& twist, double normal_force, double dt) {
  if (!stiction::c_api::usable_dt(dt)) {
    return STICTION_INVALID;
  }
  const int status = usable("twist", {twist.x, twist.y, twist.spin});
  return status == STICTION_OK ? usable("normal_force", {normal_force}, stiction::non_negative) : status;
}

}  // namespace

stiction_patch_friction stiction_patch_friction_default(void) {
  const auto f = planar::preset::waltersson_p1();
  return {f.stiffness,         f.damping,       f.viscous,
          f.coulomb,           f.static_level,  f.stribeck_exponent,
          f.stribeck_velocity, f.elastic_share, f.elasto_plastic ? 1 : 0};
}

int stiction_patch_from_points(const double* x, const double* y, const double* share, std::size_t n,
                               stiction_patch** patch) {
  if (patch != nullptr) {
    *patch = nullptr;
  }
  if (x == nullptr || y == nullptr || share == nullptr || patch == nullptr) {
    return null_pointer();
  }
  return guarded([&] {
    const planar::Points points{{x, x + n}, {y, y + n}, {share, share + n}};
    *patch = std::make_unique<stiction_patch>(stiction_patch{planar::Patch(points)}).release();
  });
}

int stiction_patch_from_grid(const double* pressure, std::size_t columns, std::size_t rows, double corner_x,
                             double corner_y, double width, double height, stiction_patch** patch) {
  if (patch != nullptr) {
    *patch = nullptr;
  }
  if (pressure == nullptr || patch == nullptr) {
    return null_pointer();
  }
  if (columns == 0 || rows == 0 || columns > planar::max_patch_points / rows) {
    return stiction::c_api::failed(
        {"columns x rows", static_cast<double>(columns) * static_cast<double>(rows), "in [1, 1e6]"});
  }
  return guarded([&] {
    const planar::PressureGrid grid{columns, rows,   {corner_x, corner_y},
                                    width,   height, {pressure, pressure + columns * rows}};
    *patch = std::make_unique<stiction_patch>(stiction_patch{planar::Patch(grid)}).release();
  });
}

void stiction_patch_free(stiction_patch* patch) { const std::unique_ptr<stiction_patch> owned(patch); }

int stiction_patch_sizes_of(const stiction_patch* patch, stiction_patch_sizes* sizes) {
  if (patch == nullptr || sizes == nullptr) {
    return null_pointer();
  }
  const planar::Patch& p = patch->patch;
  *sizes = {p.centre_of_pressure().x, p.centre_of_pressure().y, p.radius(), p.torque_radius(), p.mean_square_radius()};
  return STICTION_OK;
}

int stiction_patch_wrench(const stiction_patch* patch, const stiction_twist* twist, stiction_wrench* wrench) {
  if (patch == nullptr || twist == nullptr || wrench == nullptr) {
    return null_pointer();
  }
  if (const int status = usable("twist", {twist->x, twist->y, twist->spin}); status != STICTION_OK) {
    return status;
  }
  *wrench = wrench_from(planar::coulomb_wrench(patch->patch, twist_from(*twist)));
  return STICTION_OK;
}

int stiction_patch_slip(const stiction_patch* patch, const stiction_wrench* load, double friction,
                        stiction_slip* slip) {
  if (patch == nullptr || load == nullptr || slip == nullptr) {
    return null_pointer();
  }
  int status = usable("load", {load->x, load->y, load->torque});
  status = status == STICTION_OK ? usable("friction", {friction}, stiction::non_negative) : status;
  if (status != STICTION_OK) {
    return status;
  }
  const auto answer = planar::slip(patch->patch, {load->x, load->y, load->torque}, friction);
  *slip = {answer.factor, answer.gap, {answer.twist.x, answer.twist.y, answer.twist.spin}};
  return STICTION_OK;
}

int stiction_reduced_create(const stiction_patch_friction* friction, const stiction_patch* patch, std::size_t cells,
                            stiction_reduced** model) {
  if (model != nullptr) {
    *model = nullptr;
  }
  if (friction == nullptr || patch == nullptr || model == nullptr) {
    return null_pointer();
  }
  return guarded([&] {
    auto made =
        planar::Reduced<planar::SurfaceTable>::make({friction_from(*friction), patch->patch.pressure_moments(),
                                                     planar::SurfaceTable(patch->patch, cells == 0 ? 24 : cells)});
    *model = std::make_unique<stiction_reduced>(stiction_reduced{std::move(made)}).release();
  });
}

void stiction_reduced_free(stiction_reduced* model) { const std::unique_ptr<stiction_reduced> owned(model); }

int stiction_reduced_step(const stiction_reduced* model, stiction_reduced_state* state, const stiction_twist* twist,
                          double normal_force, double dt, stiction_wrench* wrench) {
  if (model == nullptr || state == nullptr || twist == nullptr || wrench == nullptr) {
    return null_pointer();
  }
  int status = usable_step(*twist, normal_force, dt);
  status = status == STICTION_OK ? usable("state", {state->x, state->y, state->rotation}) : status;
  if (status != STICTION_OK) {
    return status;
  }
  const auto next = model->model.step({state->x, state->y, state->rotation}, twist_from(*twist), normal_force, dt);
  *state = {next.state.x, next.state.y, next.state.rotation};
  *wrench = wrench_from(next.wrench);
  return STICTION_OK;
}

int stiction_bristles_create(const stiction_patch_friction* friction, const stiction_patch* patch,
                             stiction_bristles** model) {
  if (model != nullptr) {
    *model = nullptr;
  }
  if (friction == nullptr || patch == nullptr || model == nullptr) {
    return null_pointer();
  }
  return guarded([&] {
    *model = std::make_unique<stiction_bristles>(
                 stiction_bristles{planar::Distributed::make({friction_from(*friction), patch->patch})})
                 .release();
  });
}

void stiction_bristles_free(stiction_bristles* model) { const std::unique_ptr<stiction_bristles> owned(model); }

std::size_t stiction_bristles_count(const stiction_bristles* model) {
  return model == nullptr ? 0 : model->model.state_size();
}

int stiction_bristles_step(const stiction_bristles* model, double* state, const stiction_twist* twist,
                           double normal_force, double dt, stiction_wrench* wrench) {
  if (model == nullptr || state == nullptr || twist == nullptr || wrench == nullptr) {
    return null_pointer();
  }
  if (const int status = usable_step(*twist, normal_force, dt); status != STICTION_OK) {
    return status;
  }
  *wrench = wrench_from(model->model.step({state, model->model.state_size()}, twist_from(*twist), normal_force, dt));
  return STICTION_OK;
}
