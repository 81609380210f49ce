#include "bridge.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "stiction/planar/held_normals.h"

namespace stiction::integrations {
namespace {

double dot(const double* a, const double* b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 cross(const double* a, const double* b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::vector<scalar::AnyModel> models_of(const std::vector<MujocoFriction::Joint>& joints) {
  std::vector<scalar::AnyModel> models;
  for (const auto& joint : joints) {
    models.push_back(joint.model);
  }
  return models;
}

bool is_pair(const mjContact& contact, int a, int b) noexcept {
  return (contact.geom1 == a && contact.geom2 == b) || (contact.geom1 == b && contact.geom2 == a);
}

}  // namespace

MujocoFriction::MujocoFriction(const mjModel* model, const std::vector<Joint>& joints,
                               const std::vector<Contact>& contacts)
    : joints_(models_of(joints)) {
  for (const auto& joint : joints) {
    if (joint.joint < 0 || joint.joint >= model->njnt) {
      throw Error("there is no joint " + std::to_string(joint.joint));
    }
    if (model->jnt_type[joint.joint] != mjJNT_HINGE && model->jnt_type[joint.joint] != mjJNT_SLIDE) {
      throw Error("joint " + std::to_string(joint.joint) + " is neither a hinge nor a slide");
    }
    const int dof = model->jnt_dofadr[joint.joint];
    if (model->dof_frictionloss[dof] != 0) {
      throw Error("joint " + std::to_string(joint.joint) + " has a frictionloss of its own");
    }
    dof_.push_back(dof);
  }
  for (const auto& contact : contacts) {
    for (const int geom : {contact.geom, contact.other}) {
      if (geom < 0 || geom >= model->ngeom) {
        throw Error("there is no geom " + std::to_string(geom));
      }
      if (model->geom_condim[geom] != 1) {
        throw Error("geom " + std::to_string(geom) + " has friction of its own: its condim must be 1");
      }
    }
    patches_.push_back({contact.geom, contact.other,
                        planar::Reduced<planar::SurfaceTable>::make({contact.friction, contact.patch.pressure_moments(),
                                                                     planar::SurfaceTable(contact.patch)})});
  }
  const std::size_t n = dof_.size();
  const auto all = static_cast<std::size_t>(model->nv);
  force_.resize(n);
  free_.resize(n);
  velocity_.resize(n);
  mobility_.resize(n * n);
  load_.resize(all);
  free_of_all_.resize(all);
  column_.resize(all);
  applied_.resize(all);
}

/// All that acts but friction: passive − bias + applied + actuators + last constraint forces + forces on bodies. The
/// constraint forces of this step follow from its friction; those of the last step stand for them.
void MujocoFriction::load_of(const mjModel* model, const mjData* data) {
  for (std::size_t i = 0; i < load_.size(); ++i) {
    load_[i] = data->qfrc_passive[i] - data->qfrc_bias[i] + data->qfrc_applied[i] + data->qfrc_actuator[i] +
               data->qfrc_constraint[i];
  }
  for (int body = 1; body < model->nbody; ++body) {
    const double* const push = data->xfrc_applied + 6 * body;
    if (std::any_of(push, push + 6, [](double x) { return x != 0; })) {
      mj_applyFT(model, const_cast<mjData*>(data), push, push + 3, data->xipos + 3 * body, body, load_.data());
    }
  }
}

void MujocoFriction::rest(const mjModel* model, mjData* data) {
  mj_forward(model, data);
  load_of(model, data);
  for (std::size_t i = 0; i < dof_.size(); ++i) {
    force_[i] = load_[static_cast<std::size_t>(dof_[i])];
  }
  joints_.rest_under(force_);
}

void MujocoFriction::read_normal_forces(const mjModel* model, const mjData* data) {
  for (Patch& patch : patches_) {
    patch.normal_force = 0;
    for (int c = 0; c < data->ncon; ++c) {
      if (is_pair(data->contact[c], patch.geom, patch.other)) {
        std::array<double, 6> force{};
        mj_contactForce(model, data, c, force.data());
        patch.normal_force += force[0];
      }
    }
  }
}

void MujocoFriction::step(const mjModel* model, mjData* data) {
  if (!started_) {
    mj_forward(model, data);  // for the normal forces of the first step
    read_normal_forces(model, data);
    started_ = true;
  }
  mj_step1(model, data);
  mj_fwdActuation(model, data);
  std::copy_n(data->qfrc_applied, applied_.size(), applied_.begin());
  for (Patch& patch : patches_) {
    add_contact_friction(model, data, patch);
  }
  load_of(model, data);
  mj_solveM(model, data, free_of_all_.data(), load_.data(), 1);
  const double h = model->opt.timestep;
  const std::size_t n = dof_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto dof = static_cast<std::size_t>(dof_[i]);
    velocity_[i] = data->qvel[dof];
    free_[i] = velocity_[i] + h * free_of_all_[dof];
    std::fill(column_.begin(), column_.end(), 0.0);
    column_[dof] = 1;
    mj_solveM(model, data, column_.data(), column_.data(), 1);
    for (std::size_t j = 0; j < n; ++j) {
      mobility_[j * n + i] = column_[static_cast<std::size_t>(dof_[j])];
    }
  }
  joints_.solve({free_, mobility_, velocity_, h}, force_);
  for (std::size_t i = 0; i < n; ++i) {
    data->qfrc_applied[dof_[i]] -= force_[i];
  }
  mj_step2(model, data);
  std::copy(applied_.begin(), applied_.end(), data->qfrc_applied);
  read_normal_forces(model, data);
}

void MujocoFriction::add_passive(const mjModel* model, mjData* data) {
  for (std::size_t i = 0; i < dof_.size(); ++i) {
    velocity_[i] = data->qvel[dof_[i]];
  }
  joints_.step(velocity_, model->opt.timestep, force_);
  for (std::size_t i = 0; i < dof_.size(); ++i) {
    data->qfrc_passive[dof_[i]] -= force_[i];
  }
}

/// The twist of `geom` over `other` at the middle of their contacts, and its mobility, with the normals held: else a
/// box would seem to tip freely about its contacts.
void MujocoFriction::add_contact_friction(const mjModel* model, mjData* data, Patch& contact) {
  const auto nv = static_cast<std::size_t>(model->nv);
  std::vector<int> touching;
  Vector3 at{};
  Vector3 normal{};
  for (int c = 0; c < data->ncon; ++c) {
    if (is_pair(data->contact[c], contact.geom, contact.other) && data->contact[c].dist <= 0) {
      touching.push_back(c);
      // MuJoCo's normals point from geom1 to geom2; ours into the body that carries the patch
      const double sign = data->contact[c].geom2 == contact.geom ? 1 : -1;
      for (std::size_t k = 0; k < 3; ++k) {
        at[k] += data->contact[c].pos[k];
        normal[k] += sign * data->contact[c].frame[k];
      }
    }
  }
  const double length = std::sqrt(dot(normal.data(), normal.data()));
  if (touching.empty() || !(length > 0) || !(contact.normal_force > 0)) {
    contact.state = {};
    contact.twist = {};
    contact.wrench = {};
    return;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    at[k] /= static_cast<double>(touching.size());
    normal[k] /= length;
  }
  // x of the geom in the plane of contact, or y where x stands on it
  const double* const axes = data->geom_xmat + 9 * contact.geom;
  Vector3 x{axes[0], axes[3], axes[6]};
  if (std::abs(dot(x.data(), normal.data())) > 0.9) {
    x = {axes[1], axes[4], axes[7]};
  }
  const double along = dot(x.data(), normal.data());
  for (std::size_t k = 0; k < 3; ++k) {
    x[k] -= along * normal[k];
  }
  const double size = std::sqrt(dot(x.data(), x.data()));
  for (double& component : x) {
    component /= size;
  }
  const Vector3 y = cross(normal.data(), x.data());

  // Rows of J: the twist (x, y, spin), then the speed along the normal at each contact
  const int body = model->geom_bodyid[contact.geom];
  const int other = model->geom_bodyid[contact.other];
  std::vector<double> translation(3 * nv), rotation(3 * nv), translation_2(3 * nv), rotation_2(3 * nv);
  const auto row = [&](const double* point, const double* direction, bool spin) {
    mj_jac(model, data, translation.data(), rotation.data(), point, body);
    mj_jac(model, data, translation_2.data(), rotation_2.data(), point, other);
    std::vector<double> result(nv);
    for (std::size_t i = 0; i < nv; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        result[i] += direction[k] * (spin ? rotation[k * nv + i] - rotation_2[k * nv + i]
                                          : translation[k * nv + i] - translation_2[k * nv + i]);
      }
    }
    return result;
  };
  std::vector<std::vector<double>> rows{row(at.data(), x.data(), false), row(at.data(), y.data(), false),
                                        row(at.data(), normal.data(), true)};
  for (const int c : touching) {
    rows.push_back(row(data->contact[c].pos, normal.data(), false));
  }
  // M⁻¹ Jᵀ, and the free velocities J (v + h M⁻¹ load)
  load_of(model, data);
  mj_solveM(model, data, free_of_all_.data(), load_.data(), 1);
  const std::size_t count = rows.size();
  std::vector<double> w(count * count), free(count);
  for (std::size_t a = 0; a < count; ++a) {
    mj_solveM(model, data, column_.data(), rows[a].data(), 1);
    for (std::size_t b = 0; b < count; ++b) {
      for (std::size_t i = 0; i < nv; ++i) {
        w[b * count + a] += rows[b][i] * column_[i];
      }
    }
    for (std::size_t i = 0; i < nv; ++i) {
      free[a] += rows[a][i] * (data->qvel[i] + model->opt.timestep * free_of_all_[i]);
    }
  }
  const planar::HeldNormals held = planar::hold_normals(w, free);
  const auto solved = contact.model.solve(contact.state, {.free_twist = held.free_twist,
                                                          .mobility = held.mobility,
                                                          .normal_force = contact.normal_force,
                                                          .twist = contact.twist,
                                                          .dt = model->opt.timestep});
  contact.wrench = solved.wrench;
  contact.twist = solved.twist;
  contact.state = solved.state;
  for (std::size_t i = 0; i < nv; ++i) {
    data->qfrc_applied[i] +=
        rows[0][i] * contact.wrench.x + rows[1][i] * contact.wrench.y + rows[2][i] * contact.wrench.torque;
  }
}

}  // namespace stiction::integrations
