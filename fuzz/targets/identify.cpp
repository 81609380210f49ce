// Identification from a log of 200 to 455 samples that bytes describe: a friction axis with noise, steps of any size,
// and exceptional values. It is refused, or its numbers are finite and lie in their intervals.
#include "stiction/identify/identify.h"

#include "fuzz/support.h"
#include "stiction/scalar/lugre.h"

namespace identify = stiction::identify;
using stiction::fuzz::Bytes;

namespace {

/// A mass on a table: position and torque of a push that changes with time.
identify::Recording recording_from(Bytes& bytes) {
  identify::Recording log{"log", {}, {}, {}};
  const std::size_t samples = 200 + bytes.byte();
  const double dt = std::array{1e-4, 1e-3, 1e-3, 2e-3, 1e-2, 2e-2, 5e-2, 0.1}[bytes.below(8)];
  const double coulomb = std::abs(bytes.finite_number(100));
  const double viscous = std::abs(bytes.finite_number(10));
  const double mass = 0.01 + std::abs(bytes.finite_number(100));
  const double amplitude = bytes.finite_number(1e3);
  const double frequency = std::abs(bytes.finite_number(1 / dt));
  const double noise = static_cast<double>(bytes.below(8)) * 1e-3;
  double position = 0;
  double velocity = 0;
  unsigned random = 1;
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) * dt;
    const double push = amplitude * std::sin(frequency * t);
    // Implicit in the friction: it stops the mass and never turns it back.
    const double free = velocity + dt / mass * push;
    const double stopped = std::max(std::abs(free) - dt / mass * coulomb, 0.0) / (1 + dt / mass * viscous);
    velocity = std::copysign(stopped, free);
    position += dt * velocity;
    random = random * 1664525U + 1013904223U;
    const double wobble = noise * (random / 4294967296.0 - 0.5);
    log.time.push_back(t);
    log.torque.push_back(push * (1 + wobble));
    log.position.push_back(position + 1e-3 * wobble);
  }
  for (std::size_t changes = bytes.below(4); changes > 0; --changes) {
    const std::array columns{&log.time, &log.torque, &log.position};
    (*columns[bytes.below(3)])[(std::size_t{bytes.byte()} * samples) / 256] = bytes.any_number();
  }
  if (bytes.flag()) {
    log.reference = identify::Recording::Reference::velocity;
    const std::size_t length = samples - bytes.below(2);
    log.commanded.assign(length, bytes.any_number());
  }
  return log;
}

identify::Sweep sweep_from(Bytes& bytes) {
  identify::Sweep sweep{"sweep", {}, {}, {}};
  for (std::size_t rows = bytes.below(12); rows > 0; --rows) {
    sweep.velocity.push_back(bytes.any_number());
    sweep.torque.push_back(bytes.any_number());
  }
  return sweep;
}

void check(const identify::Estimate& estimate) {
  if (estimate.determined) {
    FUZZ_REQUIRE(std::isfinite(estimate.value) && std::isfinite(estimate.deviation) && estimate.deviation >= 0);
    FUZZ_REQUIRE(estimate.low <= estimate.value && estimate.value <= estimate.high);
  }
}

}  // namespace

FUZZ_TARGET(identify)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  const auto& names = identify::identifiable();
  identify::Options options;
  options.model = names[bytes.below(names.size())];
  options.held_out = bytes.flag();
  if (bytes.flag()) {
    options.mass = bytes.any_number();
  }
  options.stribeck_exponent = bytes.flag() ? bytes.any_number() : 2;
  identify::Data data;
  const unsigned what = bytes.byte();
  if (what % 4 != 3) {
    data.recordings.push_back(recording_from(bytes));
  }
  if (what % 4 > 1) {
    data.sweeps.push_back(sweep_from(bytes));
  }
  if (bytes.flag()) {  // at the end, so that inputs from before it mean the same
    options.drive = bytes.flag() ? identify::DrivenBy::motion : identify::DrivenBy::automatic;
    for (identify::Recording& log : data.recordings) {
      if (bytes.flag()) {
        log.velocity.assign(log.time.size(), bytes.any_number());
      }
      if (bytes.flag()) {
        log.external.assign(log.time.size(), bytes.any_number());
      }
    }
  }
  stiction::fuzz::accepted<identify::BadData>([&] {
    stiction::fuzz::accepted<stiction::InvalidParameter>([&] {
      const auto fits = identify::identify(data, options);
      FUZZ_REQUIRE(!fits.empty());
      for (const auto& fit : fits) {
        if (fit.refusal.empty()) {
          FUZZ_REQUIRE(std::isfinite(fit.mass) && std::isfinite(fit.excess) && std::isfinite(fit.explained));
          std::ranges::for_each(fit.estimates, check);
        }
      }
    });
  });
}
