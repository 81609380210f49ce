#include <cmath>
#include <utility>

#include "lab.h"

namespace stiction::lab {

Claim& Claim::as_info(std::string why) {
  expect = Expect::info;
  reason = std::move(why);
  return *this;
}

Claim& Claim::as_refuted(std::string why) {
  expect = Expect::refuted;
  reason = std::move(why);
  return *this;
}

Claim within(std::string name, Source source, double published, double measured, double tolerance, std::string unit) {
  return {std::move(name), std::move(source), published, measured,
          std::move(unit), "within",          tolerance, std::abs(measured - published) <= tolerance};
}

Claim at_most(std::string name, Source source, double published, double measured, std::string unit, double tolerance) {
  return {std::move(name), std::move(source), published, measured,
          std::move(unit), "at most",         tolerance, measured <= published + tolerance};
}

Claim at_least(std::string name, Source source, double published, double measured, std::string unit, double tolerance) {
  return {std::move(name), std::move(source), published, measured,
          std::move(unit), "at least",        tolerance, measured >= published - tolerance};
}

void Context::check() const {
  if (cancelled && cancelled()) {
    throw Cancelled();
  }
}

void Context::step(double fraction) const {
  check();
  if (progress) {
    progress(fraction);
  }
}

}  // namespace stiction::lab
