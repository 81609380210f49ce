#include "tally.h"

#include <fmt/format.h>

#include <numeric>

namespace stiction::lab {
namespace {

bool is_of_a_paper(Evidence evidence) {
  return evidence == Evidence::printed || evidence == Evidence::figure || evidence == Evidence::authors;
}

/// What a kind of evidence is called in a sentence.
struct Kind {
  Evidence evidence;
  const char* text;
};

struct Row {
  Outcome outcome;
  std::span<const Kind> kinds;
};

constexpr std::array paper{Kind{Evidence::printed, "printed"}, Kind{Evidence::figure, "read from figures"},
                           Kind{Evidence::authors, "authors' code or data"}};
constexpr std::array agreement{Kind{Evidence::program, "independent programs"}, Kind{Evidence::theory, "theory"}};
constexpr std::array rows{Row{Outcome::reproduced, paper}, Row{Outcome::confirmed, agreement}, Row{Outcome::met, {}},
                          Row{Outcome::refuted, {}},       Row{Outcome::unexpected, {}},       Row{Outcome::info, {}}};

/// "a, b" from a and b; either may be empty.
std::string joined(const std::string& a, const std::string& b) { return a + (a.empty() || b.empty() ? "" : ", ") + b; }

}  // namespace

Outcome outcome_of(const Claim& claim) noexcept {
  if (claim.expect == Expect::info) {
    return Outcome::info;
  }
  if (!claim.ok()) {
    return Outcome::unexpected;
  }
  if (claim.expect == Expect::refuted) {
    return Outcome::refuted;
  }
  return is_of_a_paper(claim.source.evidence)             ? Outcome::reproduced
         : claim.source.evidence == Evidence::requirement ? Outcome::met
                                                          : Outcome::confirmed;
}

const char* name_of(Outcome outcome) noexcept {
  constexpr std::array names{"reproduced", "confirmed", "met", "refuted", "not as expected", "info"};
  return names[static_cast<std::size_t>(outcome)];
}

const char* name_of(Evidence evidence) noexcept {
  constexpr std::array names{"printed", "figure", "authors", "program", "theory", "requirement"};
  return names[static_cast<std::size_t>(evidence)];
}

void Tally::add(const Claim& claim) noexcept {
  const Outcome outcome = outcome_of(claim);
  ++outcomes_[static_cast<std::size_t>(outcome)];
  if (outcome == Outcome::reproduced || outcome == Outcome::confirmed || outcome == Outcome::met) {
    ++evidence_[static_cast<std::size_t>(claim.source.evidence)];
  }
}

void Tally::add(const Finished& finished) noexcept {
  for (const Claim& claim : finished.result.claims) {
    add(claim);
  }
}

void Tally::add(const Tally& other) noexcept {
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    outcomes_[i] += other.outcomes_[i];
  }
  for (std::size_t i = 0; i < evidence_.size(); ++i) {
    evidence_[i] += other.evidence_[i];
  }
}

std::size_t Tally::judged() const noexcept {
  return std::accumulate(outcomes_.begin(), outcomes_.end(), std::size_t{0}) - count(Outcome::info);
}

std::string Tally::text() const {
  std::string sentence;
  for (const auto& [outcome, kinds] : rows) {
    if (count(outcome) == 0) {
      continue;
    }
    std::string parts;
    for (const auto& [evidence, text] : kinds) {
      parts = joined(parts, count(evidence) == 0 ? "" : fmt::format("{} {}", count(evidence), text));
    }
    sentence = joined(sentence, fmt::format("{} {}{}", count(outcome),
                                            outcome == Outcome::info ? "for information" : name_of(outcome),
                                            parts.empty() ? "" : " (" + parts + ")"));
  }
  return sentence.empty() ? "none" : sentence;
}

Tally tally_of(std::span<const Finished> finished) noexcept {
  Tally tally;
  for (const Finished& one : finished) {
    tally.add(one);
  }
  return tally;
}

}  // namespace stiction::lab
