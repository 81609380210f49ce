#include "stiction/haptics/renderer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "matrix.h"
#include "render_checks.h"

namespace stiction::haptics {
namespace {

using Clock = std::chrono::steady_clock;

/// cos 87°: a pull at a larger angle to the normal does not separate a contact.
constexpr double min_pull = 0.05;

/// Cosine above the minimum at which a contact has its full stiffness: contacts fade in at edges instead of snapping.
constexpr double fade_in_cosine = 0.3;

double microseconds(Clock::time_point from, Clock::time_point to) noexcept {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

Vector3 linear(const Vector6& a) noexcept { return {a[0], a[1], a[2]}; }
Vector3 angular(const Vector6& a) noexcept { return {a[3], a[4], a[5]}; }

void add(SpringWrench& sum, const SpringWrench& part) noexcept {
  for (std::size_t i = 0; i < 6; ++i) {
    sum.wrench[i] += part.wrench[i];
    for (std::size_t j = 0; j < 6; ++j) {
      sum.gradient[i][j] += part.gradient[i][j];
    }
  }
}

/// Components whose squares and sums do not overflow.
bool is_usable(const Vector6& a) noexcept {
  return std::ranges::all_of(a, [](double x) { return std::abs(x) < 1e100; });
}

}  // namespace

Renderer::Renderer(std::span<const BodyPair> pairs, const MovingBody& body, const RenderParams& params,
                   std::unique_ptr<FrictionStep> friction, Separation separation, Slope slope)
    : pairs_(pairs.begin(), pairs.end()),
      moving_(body),
      params_(checked(params)),
      coupling_{params.coupling_stiffness, params.coupling_rotational_stiffness},
      friction_(std::move(friction)),
      separation_(separation),
      slope_(slope),
      adaptation_(params.parallel_contacts, 1 - std::exp(-params.period / std::max(params.stiffness_lag, 1e-9))) {
  const auto max_contacts = static_cast<std::size_t>(params.max_contacts);
  check(pairs, body);
  if (friction_ && friction_->by_gaps() && !pairs_.empty()) {
    const auto band = [](const BodyPair& pair) { return pair.field->band(); };
    margin_ = 0.25 * band(*std::ranges::min_element(pairs_, {}, band));
    // A point moves by at most half the margin and |∇T| ≤ √3: no point can penetrate without having been found
    params_.max_motion = std::min(params_.max_motion, 0.5 * margin_);
  }
  for (const BodyPair& pair : pairs_) {
    finders_.emplace_back(*pair.field, *pair.shell, pair.shell_moves, max_contacts, margin_);
    // The point of the body farthest from its centre
    if (pair.shell_moves) {
      for (const geometry::ShellPoint& p : pair.shell->points()) {
        reach_ = std::max(reach_, norm(difference(p.position, body.centre)));
      }
    } else {
      const geometry::Box& box = pair.field->solid();
      for (unsigned corner = 0; corner < 8; ++corner) {
        const Vector3 p{(corner & 1U) != 0 ? box.high[0] : box.low[0], (corner & 2U) != 0 ? box.high[1] : box.low[1],
                        (corner & 4U) != 0 ? box.high[2] : box.low[2]};
        reach_ = std::max(reach_, norm(difference(p, body.centre)));
      }
    }
  }
  reach_ = std::max(reach_, 1e-6);
  seen_.reserve(max_contacts);
  found_.reserve(max_contacts);
  contacts_.reserve(max_contacts);
  points_.reserve(max_contacts);
  separates_.reserve(max_contacts);
  forces_.reserve(max_contacts);
  load_.length = reach_;
}

bool Renderer::reset_pose(const Pose& body) noexcept {
  if (!is_pose(body)) {
    return false;
  }
  // A warm-up cycle: a full contact search that touches all memory, so that the first real cycle does not have to
  const StiffnessAdaptation adaptation = adaptation_;
  rest(body);
  step(body);
  adaptation_ = adaptation;
  rest(body);
  return true;
}

void Renderer::rest(const Pose& body) noexcept {
  cycle_ = {.body = body};
  hand_ = body;
  last_hand_ = body;
  velocity_ = {};
  hand_velocity_ = {};
  since_seen_ = 0;
  contacts_.clear();
  if (friction_) {
    friction_->reset();
  }
}

const Cycle& Renderer::step(const Pose& hand, bool forces) noexcept {
  want_forces_ = forces;
  const auto start = Clock::now();
  last_hand_ = hand_;
  if (is_pose(hand)) {
    hand_ = hand;
  }
  if (since_seen_ == 0 || margin_ > 0) {
    find_contacts();
  } else {
    follow_contacts();
  }
  since_seen_ = (since_seen_ + 1) % params_.contact_search_interval;
  const auto found = Clock::now();
  SpringWrench contacts;
  if (margin_ > 0) {
    add_gaps();
  } else {
    add_springs(contacts);
  }
  const Vector6 coupling = coupling_wrench(coupling_, hand_, cycle_.body, moving_.centre);
  without_contacts_ = {};
  add_coupling(without_contacts_, coupling_, coupling);
  if (params_.mass > 0) {
    add_inertia(without_contacts_);
  }
  SpringWrench all = without_contacts_;
  add(all, contacts);
  const auto springs_done = Clock::now();
  const FrictionMotion found_motion = find_motion(all, coupling);
  if (!is_usable(found_motion) || !move(found_motion)) {
    stop();
  }
  cycle_.sliding = static_cast<std::size_t>(std::ranges::count_if(
      forces_, [](const spatial::ContactResult& f) { return f.state == spatial::ContactState::slides; }));
  const auto end = Clock::now();
  cycle_.microseconds = {microseconds(start, found), microseconds(found, springs_done), microseconds(springs_done, end),
                         microseconds(start, end)};
  return cycle_;
}

/// Whether a motion was found, and it and the contact forces are finite.
bool Renderer::is_usable(const FrictionMotion& found) const noexcept {
  double forces = 0;  // a sum: not finite if any of them is not
  for (const spatial::ContactResult& f : forces_) {
    forces += std::abs(f.friction[0]) + std::abs(f.friction[1]) + std::abs(f.friction[2]) + std::abs(f.torque);
  }
  if (friction_) {
    for (const double normal : friction_->normal_forces()) {
      forces += std::abs(normal);
    }
  }
  return found.phase != Phase::fault && haptics::is_usable(found.motion) && std::isfinite(forces);
}

/// Moves the body; false if the result is not usable.
bool Renderer::move(const FrictionMotion& found) noexcept {
  cycle_.phase = found.phase;
  cycle_.rank = found.rank;
  cycle_.motion = found.motion;
  // Inertia limits the motion of a body with mass; a massless one would jump to its equilibrium
  if (found.phase == Phase::slides && params_.mass == 0) {
    cycle_.motion = scaled(1 - params_.static_damping, cycle_.motion);
  }
  cycle_.motion = within_reach(cycle_.motion);
  if (margin_ > 0) {
    cycle_.motion = before_penetration(cycle_.motion);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    velocity_[i] = cycle_.motion[i] / params_.period;
  }
  const Pose body = moved(cycle_.body, moving_.centre, linear(cycle_.motion), angular(cycle_.motion));
  cycle_.coupling = coupling_wrench(coupling_, hand_, body, moving_.centre);
  if (params_.mass > 0) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double damping = i < 3 ? params_.coupling_damping : params_.coupling_rotational_damping;
      cycle_.coupling[i] += damping * (hand_velocity_[i] - velocity_[i]);
    }
  }
  if (!is_pose(body) || !haptics::is_usable(cycle_.coupling)) {
    return false;
  }
  cycle_.body = body;
  cycle_.output = saturated({params_.force_limit, params_.torque_limit}, negative(cycle_.coupling));
  return true;
}

/// The fault state: the body stays, the output is zero, and the state of the last cycle is discarded.
void Renderer::stop() noexcept {
  cycle_ = {
      .phase = Phase::fault, .body = cycle_.body, .touching = cycle_.touching, .field_queries = cycle_.field_queries};
  velocity_ = {};
  hand_velocity_ = {};
  since_seen_ = 0;
  found_.clear();
  contacts_.clear();
  points_.clear();
  separates_.clear();
  forces_.clear();
  if (friction_) {
    friction_->reset();
  }
}

void Renderer::find_contacts() noexcept {
  seen_.clear();
  cycle_.touching = 0;
  cycle_.field_queries = 0;
  cycle_.deepest = 0;
  for (std::uint32_t pair = 0; pair < finders_.size(); ++pair) {
    const auto touches = finders_[pair].find(cycle_.body);
    cycle_.touching += finders_[pair].touching();
    cycle_.field_queries += finders_[pair].field_queries();
    for (const Touch& touch : touches) {
      if (seen_.size() == seen_.capacity()) {
        break;
      }
      const double cosine = dot(touch.push, touch.slope) / std::max(norm(touch.slope), 1e-12);
      const double weight = params_.min_normal_cosine <= -1 || margin_ > 0
                                ? 1
                                : std::min(1.0, (cosine - params_.min_normal_cosine) / fade_in_cosine);
      if (!(weight > 0)) {
        continue;
      }
      seen_.push_back({pair, touch, weight});
      cycle_.deepest = std::max(cycle_.deepest, touch.depth);
    }
  }
  seen_from_ = cycle_.body;
  found_ = seen_;
  cycle_.contacts = found_.size();
}

/// Extrapolates the contacts of the last search: a point of the body that has moved by u is less deep by e · u.
/// Contacts that have separated may return; new ones are found by the next search.
void Renderer::follow_contacts() noexcept {
  found_.clear();
  cycle_.field_queries = 0;
  cycle_.deepest = 0;
  for (const Found& seen : seen_) {
    Touch touch = seen.touch;
    const Vector3 now = to_world(cycle_.body, to_body(seen_from_, touch.position));
    const Vector3 displacement = difference(now, touch.position);
    touch.depth -= dot(touch.slope, displacement);
    if (!(touch.depth > 0)) {
      continue;
    }
    if (pairs_[seen.pair].shell_moves) {  // position and normal move with the body
      touch.position = now;
      touch.push = rotate(cycle_.body.rotation, rotate_back(seen_from_.rotation, touch.push));
    }
    found_.push_back({seen.pair, touch, seen.weight});
    cycle_.deepest = std::max(cycle_.deepest, touch.depth);
  }
  cycle_.contacts = found_.size();
}

void Renderer::add_springs(SpringWrench& sum) noexcept {
  const Vector3 centre = to_world(cycle_.body, moving_.centre);
  adaptation_.begin();
  for (const Found& found : found_) {
    adaptation_.count(found.touch.push, found.weight);
  }
  adaptation_.end();
  contacts_.clear();
  points_.clear();
  SpringWrench staying;  // springs of fixed shells
  SpringWrench moving;   // springs of shells that move with the body
  bool any_staying = false;
  bool any_moving = false;
  for (const Found& found : found_) {
    const BodyPair& pair = pairs_[found.pair];
    const Touch& touch = found.touch;
    const Vector3 arm = difference(touch.position, centre);
    const double stiffness =
        found.weight * pair.contact_stiffness.value_or(params_.contact_stiffness) * adaptation_.factor(touch.push);
    (pair.shell_moves ? any_moving : any_staying) = true;
    add_spring(pair.shell_moves ? moving : staying, touch, arm, stiffness, slope_);
    spatial::Contact contact;
    contact.arm = arm;
    contact.normal = touch.push;
    contact.normal_force = stiffness * touch.depth;
    contact.friction = pair.friction;
    contact.dynamic_friction = pair.sliding_friction;
    contact.key = static_cast<std::int64_t>(found.pair) << 32 | found.touch.point;
    contacts_.push_back(contact);
    points_.push_back({touch.position, touch.depth, stiffness});
  }
  // Rotating normals and changing arms can make the gradient indefinite. These terms are then left out: the
  // equilibrium that the cycles converge to is the same.
  const auto with_rotation = [&](bool rotation) {
    sum = {};
    for (const auto& [springs, any, shell_moves] :
         {std::tuple{&staying, any_staying, false}, std::tuple{&moving, any_moving, true}}) {
      SpringWrench part = *springs;
      if (any && rotation) {
        add_rotation(part, shell_moves);
      }
      add(sum, part);
    }
  };
  with_rotation(true);
  Matrix6 all = sum.gradient;
  add_block(all, 0, 0, -coupling_.stiffness, identity_rotation);
  add_block(all, 3, 3, -coupling_.rotational_stiffness, identity_rotation);
  if (!found_.empty() && !pulls_back(all)) {
    with_rotation(false);
  }
}

/// Gaps instead of springs: d, and the normals along which they change, d + e · v ≥ 0.
void Renderer::add_gaps() noexcept {
  constexpr double min_steepness = 0.1;  // below this |∇d| the field has no clear direction: the shell's normal is used
  const Vector3 centre = to_world(cycle_.body, moving_.centre);
  contacts_.clear();
  points_.clear();
  for (const Found& found : found_) {
    const BodyPair& pair = pairs_[found.pair];
    const Touch& touch = found.touch;
    const double steepness = norm(touch.slope);
    const bool clear = steepness > min_steepness;
    spatial::Contact contact;
    contact.arm = difference(touch.position, centre);
    contact.normal = clear ? scaled(1 / steepness, touch.slope) : touch.push;
    contact.friction = pair.friction;
    contact.key = static_cast<std::int64_t>(found.pair) << 32 | touch.point;
    contacts_.push_back(contact);
    points_.push_back({touch.position, clear ? touch.depth / steepness : touch.depth,
                       pair.contact_stiffness.value_or(params_.contact_stiffness)});
  }
}

/// Backward Euler for M dv/dt = wrench: M (Δ/h − v)/h = wrench(Δ), so M v/h is added and −M/h² to the gradient.
void Renderer::add_inertia(SpringWrench& sum) noexcept {
  const double h = params_.period;
  const Matrix3& rotation = cycle_.body.rotation;
  const Matrix3 inertia = product(product(rotation, moving_.inertia_per_mass), transposed(rotation));
  const Vector3 moved_by = difference(to_world(hand_, moving_.centre), to_world(last_hand_, moving_.centre));
  const Vector3 rotated_by = rotation_vector(product(hand_.rotation, transposed(last_hand_.rotation)));
  const Vector3 spin = angular(velocity_);
  const Vector3 momentum = scaled(params_.mass, rotate(inertia, spin));
  const Vector3 gyroscopic = cross(spin, momentum);
  for (std::size_t i = 0; i < 3; ++i) {
    hand_velocity_[i] = moved_by[i] / h;
    hand_velocity_[3 + i] = rotated_by[i] / h;
    sum.wrench[i] += params_.mass * velocity_[i] / h + params_.coupling_damping * hand_velocity_[i];
    sum.wrench[3 + i] += momentum[i] / h - gyroscopic[i] + params_.coupling_rotational_damping * hand_velocity_[3 + i];
  }
  add_block(sum.gradient, 0, 0, -params_.mass / (h * h) - params_.coupling_damping / h, identity_rotation);
  add_block(sum.gradient, 3, 3, -params_.mass / (h * h), inertia);
  add_block(sum.gradient, 3, 3, -params_.coupling_rotational_damping / h, identity_rotation);
}

/// Separating contacts lose their friction, and keep their normal force.
void Renderer::release_separating(const Vector6& frictionless, const Vector6& coupling) noexcept {
  const Vector3 pull = linear(coupling);
  cycle_.separating = 0;
  separates_.assign(contacts_.size(), 0);
  for (std::size_t i = 0; separation_ != Separation::none && i < contacts_.size(); ++i) {
    spatial::Contact& c = contacts_[i];
    const Vector3 displacement = sum(linear(frictionless), cross(angular(frictionless), c.arm));
    const bool pulled = separation_ == Separation::as_published || dot(pull, c.normal) > min_pull * norm(pull);
    if (pulled && dot(displacement, c.normal) > 0 && dot(displacement, pull) > 0) {
      separates_[i] = 1;
      c.friction = 0;
      c.dynamic_friction.reset();
      ++cycle_.separating;
    }
  }
}

FrictionMotion Renderer::find_motion(const SpringWrench& sum, const Vector6& coupling) noexcept {
  forces_.assign(contacts_.size(), {.state = spatial::ContactState::slides});
  separates_.assign(contacts_.size(), 0);
  cycle_.separating = 0;
  Vector6 frictionless{};
  if (!solve(sum.gradient, negative(sum.wrench), frictionless)) {
    return {{}, Phase::fault};
  }
  if (contacts_.empty()) {
    return {frictionless, Phase::free};
  }
  if (!friction_) {
    return {frictionless, Phase::slides};
  }
  if (!(margin_ > 0)) {  // contacts with gaps never pull
    release_separating(frictionless, coupling);
  }
  load_.wrench = sum.wrench;
  load_.gradient = sum.gradient;
  load_.mass = {};
  const double mass = params_.mass > 0 ? params_.mass : 1;
  const Matrix3& rotation = cycle_.body.rotation;
  add_block(load_.mass, 0, 0, mass, identity_rotation);
  add_block(load_.mass, 3, 3, mass, product(product(rotation, moving_.inertia_per_mass), transposed(rotation)));
  return friction_->step({.contacts = contacts_,
                          .points = points_,
                          .load = &load_,
                          .without_contacts = &without_contacts_,
                          .frictionless = frictionless,
                          .body = cycle_.body,
                          .centre = to_world(cycle_.body, moving_.centre),
                          .forces = want_forces_},
                         forces_);
}

Vector6 Renderer::within_reach(Vector6 motion) const noexcept {
  const double largest = norm(linear(motion)) + norm(angular(motion)) * reach_;
  if (largest > params_.max_motion) {
    for (double& component : motion) {
      component *= params_.max_motion / largest;
    }
  }
  return motion;
}

/// The motion, halved until no point is deeper than before or than a hundredth of a cell: gaps are only linearised.
Vector6 Renderer::before_penetration(Vector6 motion) const noexcept {
  constexpr int max_halvings = 10;
  for (int halving = 0; halving < max_halvings; ++halving) {
    const Pose body = moved(cycle_.body, moving_.centre, linear(motion), angular(motion));
    const bool clear = std::ranges::all_of(found_, [&](const Found& found) {
      const BodyPair& pair = pairs_[found.pair];
      const Vector3& point = pair.shell->points()[found.touch.point].position;
      const double depth = -pair.field->value(pair.shell_moves ? to_world(body, point) : to_body(body, point));
      return depth <= std::max(found.touch.depth, 0.01 * pair.field->spacing());
    });
    if (clear) {
      return motion;
    }
    motion = scaled(0.5, motion);
  }
  return {};
}

ContactForce Renderer::contact(std::size_t i) const noexcept {
  const spatial::Contact& c = contacts_[i];
  const auto normal_forces = friction_ ? friction_->normal_forces() : std::span<const double>{};
  return {.pair = found_[i].pair,
          .point = found_[i].touch.point,
          .position = points_[i].position,
          .normal = c.normal,
          .normal_force = scaled(i < normal_forces.size() ? normal_forces[i] : c.normal_force, c.normal),
          .friction = forces_[i].friction,
          .depth = points_[i].depth,
          .state = forces_[i].state,
          .separates = separates_[i] != 0};
}

}  // namespace stiction::haptics
