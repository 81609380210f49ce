// The outcome of claims, and how many have which: what reports print.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "lab.h"

namespace stiction::lab {

/// What became of a claim. "Reproduced" is said only of what a paper prints, draws or ships; agreement with another
/// program or with theory is "confirmed", and a goal of this project is "met".
enum class Outcome { reproduced, confirmed, met, refuted, unexpected, info };

Outcome outcome_of(const Claim& claim) noexcept;

/// "reproduced", "confirmed", "met", "refuted", "not as expected", "info"
const char* name_of(Outcome outcome) noexcept;

/// "printed", "figure", "authors", "program", "theory", "requirement"
const char* name_of(Evidence evidence) noexcept;

/// Numbers of claims by outcome; those that hold as expected also by evidence.
class Tally {
 public:
  void add(const Claim& claim) noexcept;
  void add(const Finished& finished) noexcept;
  void add(const Tally& other) noexcept;

  [[nodiscard]] std::size_t count(Outcome outcome) const noexcept {
    return outcomes_[static_cast<std::size_t>(outcome)];
  }
  [[nodiscard]] std::size_t count(Evidence evidence) const noexcept {
    return evidence_[static_cast<std::size_t>(evidence)];
  }
  /// All but those for information.
  [[nodiscard]] std::size_t judged() const noexcept;
  [[nodiscard]] std::size_t as_expected() const noexcept { return judged() - count(Outcome::unexpected); }

  /// "14 reproduced (9 printed, 5 read from figures), 3 confirmed (3 theory), 1 refuted"
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::size_t, 6> outcomes_{};
  std::array<std::size_t, 6> evidence_{};
};

Tally tally_of(std::span<const Finished> finished) noexcept;

}  // namespace stiction::lab
