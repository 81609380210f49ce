#include "stiction/identify/motion.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "motion_choice.h"
#include "motion_diagnosis.h"
#include "motion_filter.h"
#include "motion_report.h"
#include "signals.h"
#include "stiction/identify/identify.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::identify {
namespace {

std::optional<FrictionKind> kind_of(const std::string& name) {
  const auto& names = motion_models();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<FrictionKind>(found - names.begin());
}

void check(const MotionOptions& options) {
  if (options.model != "auto" && !kind_of(options.model)) {
    std::string names = "auto";
    for (const std::string& name : motion_models()) {
      names += ", " + name;
    }
    throw BadData(
        fmt::format("model '{}' cannot be fitted to motion and torque: must be one of {}", options.model, names));
  }
  if (options.mass && !(*options.mass > 0 && *options.mass <= 1e15)) {
    throw BadData(fmt::format("mass = {:g}: must be > 0 and finite", *options.mass));
  }
  if (!scalar::stribeck_exponents.holds(options.stribeck_exponent)) {
    throw BadData(fmt::format("stribeck_exponent = {:g}: must be {}", options.stribeck_exponent,
                              scalar::stribeck_exponents.text));
  }
  if (!(options.max_shift >= 0 && options.max_shift <= 0.1)) {
    throw BadData(fmt::format("max_shift = {:g}: must be 0 to 0.1", options.max_shift));
  }
  if (options.max_samples < 1000) {
    throw BadData(fmt::format("max_samples = {}: must be at least 1000", options.max_samples));
  }
}

/// The whole way from recordings to the report.
class MotionFitting {
 public:
  MotionFitting(const std::vector<Recording>& recordings, MotionOptions options) : options_(std::move(options)) {
    for (const Recording& one : recordings) {
      logs_.push_back(clean(one, result_.notes));
    }
  }

  MotionFit run() {
    choose_filter();
    data_ = prepared(half_width_, options_.max_samples);
    yardstick_ = yardstick_of(data_);
    data_.level = std::abs(yardstick_.coulomb);
    data_.offset = yardstick_.offset;
    report(0.1);
    Choice choice = choose_structure(data_, options_, kind_of(options_.model),
                                     [&](double fraction) { report(0.1 + 0.7 * fraction); });
    result_.steps = std::move(choice.steps);
    MotionFitted trained = std::move(choice.chosen);
    require(trained);
    refine_filter(trained);
    MotionFitted whole = settled(trained);
    require(whole);
    never_worse_than_yardstick(trained, whole);
    describe(trained, whole);
    return std::move(result_);
  }

 private:
  void report(double fraction) const {
    if (options_.progress) {
      options_.progress(fraction);
    }
  }

  static void require(const MotionFitted& fit) {
    if (!fit.usable) {
      throw BadData("the numbers in these recordings are too large, too small or too few for any model");
    }
  }

  [[nodiscard]] MotionData prepared(double half_width, std::size_t samples) const {
    return prepare_motion(logs_, half_width, measured_velocity_, samples);
  }
  [[nodiscard]] MotionModel model_for(const Structure& structure) const { return {data_, structure, options_}; }

  /// The filter with which a bristle and a curve predict the torque best, on a sample of the data. From the noise
  /// alone it would be too wide: friction changes faster than the motion.
  void choose_filter() {
    half_width_ = half_width_for(logs_);
    measured_velocity_ = velocity_is_better(logs_, half_width_);
    for (const CleanLog& one : logs_) {
      narrowest_ = std::min(narrowest_, 2.5 * one.interval);
    }
    double min_error = infinity;
    const double widest = half_width_;
    for (double width = widest; width >= 0.999 * narrowest_ && width > 0.03 * widest; width /= 2) {
      report(0.02);
      MotionData few = prepared(width, options_.max_samples);
      const YardstickFit yardstick = yardstick_of(few);
      few.level = std::abs(yardstick.coulomb);
      few.offset = yardstick.offset;
      double error = infinity;
      for (const FrictionKind kind : {FrictionKind::stribeck, FrictionKind::lugre}) {
        const MotionModel model(few, {.kind = kind, .gravity = Gravity::slope, .inertia = true}, options_);
        const MotionFitted fit = fit_structure(model, nullptr, options_, false);
        error = fit.usable ? std::min(error, logged_error(few, predict(model, fit), false)) : error;
      }
      if (error < 0.985 * min_error) {
        min_error = error;
        half_width_ = width;
      }
    }
  }

  /// A narrower filter, as long as the chosen model predicts the logged torque better with it.
  void refine_filter(MotionFitted& trained) {
    for (int round = 0; round < 3; ++round) {
      report(0.8);
      MotionData before = std::move(data_);
      const auto predicted = [&](const MotionData& data, const MotionFitted& fit) {
        return logged_error(data, predict(MotionModel(data, fit.structure, options_), fit), false);
      };
      const double error = predicted(before, trained);
      data_ = half_width_ > 1.999 * narrowest_ ? prepared(half_width_ / 2, options_.max_samples) : MotionData{};
      MotionFitted tried;
      if (data_.size() > 0) {
        data_.level = before.level;
        data_.offset = before.offset;
        tried = fit_structure(model_for(trained.structure), &trained, options_, false);
      }
      if (!tried.usable || !(predicted(data_, tried) < 0.995 * error)) {
        data_ = std::move(before);
        return;
      }
      half_width_ /= 2;
      trained = std::move(tried);
      yardstick_ = yardstick_of(data_);
    }
  }

  /// Fits all samples, and drops what they do not determine unless the left-out blocks need it.
  MotionFitted settled(MotionFitted& trained) {
    for (int round = 0;; ++round) {
      report(0.8 + 0.02 * round);
      const MotionModel model = model_for(trained.structure);
      MotionFitted whole = fit_structure(model, &trained, options_, true);
      const auto estimates = estimates_of(model, whole, {});
      bool simplified = false;
      if (round < 8) {
        for (const Structure& simpler : without_undetermined(model, whole, estimates)) {
          MotionFitted tried = fit_structure(model_for(simpler), &trained, options_, false);
          if (tried.usable && !supported(tried, trained)) {
            trained = std::move(tried);
            simplified = true;
            break;
          }
        }
      }
      if (!simplified) {
        return whole;  // what is still not determined is reported as such: it is needed together with the others
      }
    }
  }

  void never_worse_than_yardstick(MotionFitted& trained, MotionFitted& whole) {
    result_.yardstick = yardstick_.error;
    result_.constant = yardstick_.constant;
    result_.error = logged_error(data_, predict(model_for(trained.structure), trained), true);
    if (!(result_.error > yardstick_.error) || options_.model != "auto") {
      return;
    }
    result_.notes.push_back(fmt::format(
        "{} predicts the last 30 % worse than Coulomb + viscous ({:.4g} against {:.4g}): the latter is returned",
        words_of(trained.structure), result_.error, yardstick_.error));
    const Structure plain;
    trained = fit_structure(model_for(plain), nullptr, options_, false);
    whole = fit_structure(model_for(plain), &trained, options_, true);
    require(trained);
    require(whole);
    result_.error = logged_error(data_, predict(model_for(plain), trained), true);
  }

  void describe(const MotionFitted& trained, const MotionFitted& whole) {
    const MotionModel model = model_for(whole.structure);
    const auto estimates = estimates_of(model, whole, {other_filter(whole, 1.5), other_filter(whole, 1 / 1.5)});
    for (const Estimate& e : estimates) {
      const bool external =
          e.name == "offset" || e.name == "gravity_sin" || e.name == "gravity_cos" || e.name == "shift";
      (external ? result_.external : result_.estimates).push_back(e);
      result_.mass = e.name == "mass" ? e.value : result_.mass;
    }
    result_.mass = options_.mass.value_or(result_.mass);
    result_.model = model_of(model, whole);
    result_.model_name = result_.model ? result_.model->name() : "";
    result_.undetermined = undetermined_by(whole.structure, options_, result_.estimates);
    result_.corner = corner_of(data_.half_width);
    result_.measured_velocity = measured_velocity_;
    result_.noise = data_.noise;
    result_.samples = data_.size();
    result_.sign_width = model.value(whole.at, Searched::What::width, 0);
    const double unexplained = square(result_.error / std::max(result_.constant, 1e-300));
    result_.explained = 1 - unexplained;
    add_tracks(predict(model_for(trained.structure), trained), model, whole);
    judge();
  }

  /// The change of the numbers with a wider or narrower filter: what depends on it, the data do not tell.
  std::vector<double> other_filter(const MotionFitted& whole, double factor) {
    MotionData wide = prepared(factor * data_.half_width, options_.max_samples);
    wide.level = data_.level;
    wide.offset = data_.offset;
    const MotionModel model(wide, whole.structure, options_);
    const MotionFitted fit = fit_structure(model, &whole, options_, true);
    std::vector<double> change;
    const auto before = named_numbers(model_for(whole.structure), whole);
    const auto after = named_numbers(model, fit);
    for (std::size_t i = 0; i < before.size(); ++i) {
      change.push_back(fit.usable ? after[i].value - before[i].value : 0);
    }
    return change;
  }

  void add_tracks(const Eigen::VectorXd& predicted, const MotionModel& model, const MotionFitted& whole) {
    MotionFitted without_friction = whole;
    for (std::size_t i = 0; i < model.linear().size(); ++i) {
      const auto what = model.linear()[i].what;
      const bool external = what == Linear::What::inertia || what == Linear::What::offset ||
                            what == Linear::What::sine || what == Linear::What::cosine;
      without_friction.beta[static_cast<Eigen::Index>(i)] *= external ? 1 : 0;
    }
    const Eigen::VectorXd final = predict(model, whole);
    const Eigen::VectorXd rest = predict(model, without_friction);
    const auto n = static_cast<Eigen::Index>(data_.size());
    const Eigen::VectorXd torque = Eigen::Map<const Eigen::VectorXd>(data_.torque.data(), n);
    for (const MotionData::Part& part : data_.parts) {
      MotionTrack track;
      track.recording = part.name;
      for (std::size_t k = part.begin; k < part.end; ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        track.time.push_back(data_.time[k]);
        track.position.push_back(data_.position[k]);
        track.velocity.push_back(data_.velocity[k]);
        track.torque.push_back(data_.logged[k]);
        track.predicted.push_back(predicted[row]);
        track.friction.push_back(torque[row] - rest[row]);
        track.held_out.push_back(data_.block[k] == MotionData::held_out ? 1 : 0);
      }
      result_.tracks.push_back(std::move(track));
    }
    result_.findings =
        diagnose({logs_, data_, torque - final, final - rest, data_.level, whole.structure.gravity != Gravity::none});
    const auto shift = std::find_if(result_.external.begin(), result_.external.end(),
                                    [](const Estimate& e) { return e.name == "shift"; });
    if (shift != result_.external.end()) {
      result_.findings.push_back(
          {"delay", shift->value, "s",
           fmt::format("the torque {} the motion by {:.1f} ms ({:.1f} to {:.1f}): filters, bus or sensor",
                       shift->value > 0 ? "lags" : "leads", 1e3 * std::abs(shift->value),
                       1e3 * (shift->value > 0 ? shift->low : -shift->high),
                       1e3 * (shift->value > 0 ? shift->high : -shift->low))});
    }
  }

  void judge() {
    if (!result_.model) {
      const bool reversed = yardstick_.coulomb < 0 || yardstick_.viscous < 0;
      result_.refusal = reversed ? "the torque acts along the motion, not against it: is its sign, or that of the "
                                   "position, reversed?"
                                 : "no friction is seen in these data";
    } else if (const auto problem = result_.model->params().check()) {
      result_.refusal = fmt::format("the numbers found are no valid model: {} = {:g}, which must be {}", problem->field,
                                    problem->value, problem->allowed);
    } else if (!(std::min(result_.error, result_.yardstick) < result_.constant)) {
      result_.refusal = fmt::format(
          "not even Coulomb + viscous predicts the last 30 % better than a constant torque "
          "({:.4g} against {:.4g})",
          result_.error, result_.constant);
    }
    if (result_.error > result_.yardstick && result_.refusal.empty()) {
      result_.notes.push_back(fmt::format(
          "Coulomb + viscous without bounds (F_C = {:.4g}, F_v = {:.4g}) predicts the last 30 % better: {:.4g} against "
          "{:.4g}",
          yardstick_.coulomb, yardstick_.viscous, result_.yardstick, result_.error));
    }
    if (!result_.refusal.empty()) {
      result_.model.reset();
    }
  }

  MotionOptions options_;
  std::vector<CleanLog> logs_;
  double half_width_ = 0;
  double narrowest_ = infinity;  // of the filters that the sampling allows [s]
  bool measured_velocity_ = false;
  MotionData data_;
  YardstickFit yardstick_;
  MotionFit result_;
};

}  // namespace

const std::vector<std::string>& motion_models() {
  static const std::vector<std::string> names{"coulomb", "stribeck", "lugre", "elasto-plastic", "gms"};
  return names;
}

MotionFit fit_motion(const std::vector<Recording>& recordings, const MotionOptions& options) {
  check(options);
  if (recordings.empty()) {
    throw BadData("there are no recordings of motion and torque to identify from");
  }
  return MotionFitting(recordings, options).run();
}

}  // namespace stiction::identify
