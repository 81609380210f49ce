// A bounded memory of a signal, so that a model can look back in time without the heap.
#pragma once

#include <array>
#include <cstddef>

namespace stiction::scalar {

/// The latest samples of a signal, with linear interpolation; before the first sample it has the value of that sample.
template <class Real, std::size_t Capacity>
struct DelayLine {
  std::array<Real, Capacity> time{};
  std::array<Real, Capacity> value{};
  std::size_t count = 0;   // samples in use
  std::size_t newest = 0;  // index of the latest

  /// Adds a sample. It replaces the latest one if that is closer than `spacing` to its predecessor, so that the line
  /// reaches back over (Capacity − 2)·spacing.
  constexpr void push(Real now, Real sample, Real spacing) noexcept {
    const bool crowded = count > 1 && time[newest] - time[before(newest)] < spacing;
    if (!crowded && count > 0) {
      newest = (newest + 1) % Capacity;
    }
    time[newest] = now;
    value[newest] = sample;
    count += !crowded && count < Capacity ? 1 : 0;
  }

  /// The signal at time t, which may lie between the latest sample and the present value.
  constexpr Real at(Real t, Real now, Real present) const noexcept {
    Real later_time = now;
    Real later = present;
    std::size_t i = newest;
    for (std::size_t seen = 0; seen < count; ++seen) {
      if (!(time[i] > t)) {
        const Real gap = later_time - time[i];
        return gap > Real(0) ? value[i] + (later - value[i]) * ((t - time[i]) / gap) : value[i];
      }
      later_time = time[i];
      later = value[i];
      i = before(i);
    }
    return later;
  }

  friend constexpr bool operator==(const DelayLine&, const DelayLine&) = default;

 private:
  static constexpr std::size_t before(std::size_t i) noexcept { return i == 0 ? Capacity - 1 : i - 1; }
};

}  // namespace stiction::scalar
