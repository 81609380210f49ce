// A RapidCheck property as a GoogleTest, with the number of cases and the seed in the code.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "support/models.h"

namespace stiction::test {

/// The sanitizers look for faults that show in few cases, and are slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int fewer_cases = 50;
#else
inline constexpr int fewer_cases = 1;
#endif

/// Fails unless the property held in this many cases. RC_PARAMS="seed=…" in the environment tries other cases.
template <class Property>
void holds_for(int cases, Property&& property) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  rc::detail::TestParams params;
  params.seed = 20240229;
  if (std::getenv("RC_PARAMS") != nullptr) {
    params = rc::detail::configuration().testParams;
  }
  params.maxSuccess = cases / fewer_cases;
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
  rc::detail::SuccessResult success;
  if (!result.match(success)) {
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    FAIL() << message.str();
  }
  ASSERT_EQ(success.numSuccess, params.maxSuccess);
  std::cout << metadata.id << ": " << success.numSuccess << " cases\n";
}

/// Uniform in [low, high]; shrinks towards low.
inline rc::Gen<double> between(double low, double high) {
  constexpr std::int64_t steps = std::int64_t{1} << 40U;
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, steps + 1)),
                      [=](std::int64_t i) {
                        const double fraction = static_cast<double>(i) / static_cast<double>(steps);
                        return low + (high - low) * fraction;
                      });
}

inline rc::Gen<double> log_between(double low, double high) {
  return rc::gen::map(between(0, 1), [=](double s) { return low * std::pow(high / low, s); });
}

/// Either sign, magnitudes from `low` to `high` over all decades, and sometimes 0 or ± high itself.
inline rc::Gen<double> signed_between(double low, double high) {
  return rc::gen::map(between(-1.1, 1.1), [=](double s) {
    const double size = std::abs(s);
    return size < 0.05 ? 0.0 : std::copysign(low * std::pow(high / low, std::min(size, 1.0)), s);
  });
}

template <class Model>
Model any_model() {
  return Model::make(drawn_params<Model>([](const Interval& i) { return *log_between(i.low, i.high); }));
}

/// Any model of a kind (model_kinds.h).
template <class Kind>
auto any_model(const Kind& kind) {
  return kind.drawn([](const Interval& i) { return *log_between(i.low, i.high); });
}

}  // namespace stiction::test
