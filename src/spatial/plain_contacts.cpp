#include "plain_contacts.h"

namespace stiction::spatial {
namespace {

Vector3 at(const Lanes3& x, std::size_t i) noexcept {
  const std::size_t lane = i % lane_count;
  return {x[0][lane], x[1][lane], x[2][lane]};
}

bool is_plain(const Contact& c) noexcept {
  return c.torsion == 0 && !c.dynamic_friction && !c.friction_v && c.declared == Declared::nothing && c.u[0] == 0 &&
         c.u[1] == 0 && c.u[2] == 0;
}

}  // namespace

bool PlainContacts::read(std::span<const Contact> contacts) noexcept {
  n_ = contacts.size();
  for (std::size_t i = 0; i < n_; ++i) {
    const Contact& c = contacts[i];
    if (!is_plain(c)) {
      return false;
    }
    PlainBlock& block = blocks_[i / lane_count];
    const std::size_t lane = i % lane_count;
    for (std::size_t a = 0; a < 3; ++a) {
      block.arm[a][lane] = c.arm[a];
      block.u[a][lane] = c.normal[a];
    }
    block.force[lane] = c.normal_force;
    block.radius[lane] = c.friction;
  }
  for (std::size_t i = n_; i % lane_count != 0; ++i) {  // unused lanes must contribute nothing
    PlainBlock& block = blocks_[i / lane_count];
    const std::size_t lane = i % lane_count;
    for (std::size_t a = 0; a < 3; ++a) {
      block.arm[a][lane] = 0;
      block.u[a][lane] = a == 2 ? 1 : 0;
      block.share[a][lane] = 0;
    }
    block.force[lane] = block.radius[lane] = 0;
  }
  return true;
}

bool PlainContacts::usable() const noexcept { return plain_kernels().usable(used()); }
double PlainContacts::prepare() noexcept { return plain_kernels().prepare(used()); }

Vector3 PlainContacts::arm(std::size_t i) const noexcept { return at(blocks_[i / lane_count].arm, i); }
ContactTangents PlainContacts::tangents(std::size_t i) const noexcept {
  const PlainBlock& b = blocks_[i / lane_count];
  return {at(b.u, i), at(b.v, i)};
}

void PlainContacts::fill(Balls<2>& discs, double per_length, double per_force) const noexcept {
  discs.resize(n_);
  plain_kernels().fill(used(), discs, per_length, per_force);
}

void PlainContacts::set_share(std::size_t i, const Vector3& share) noexcept {
  for (std::size_t a = 0; a < 3; ++a) {
    blocks_[i / lane_count].share[a][i % lane_count] = share[a];
  }
}
void PlainContacts::recall(Balls<2>& discs) const noexcept { plain_kernels().recall(used(), discs); }
void PlainContacts::find_shares(const Balls<2>& discs) noexcept { plain_kernels().find_shares(used(), discs); }
Vector3 PlainContacts::share(std::size_t i) const noexcept { return at(blocks_[i / lane_count].share, i); }

void PlainContacts::report(const Balls<2>& discs, double per_length, const Moving& moving,
                           std::span<ContactResult> results) const noexcept {
  plain_kernels().report(used(), discs, per_length, moving, results.first(n_));
}

}  // namespace stiction::spatial
