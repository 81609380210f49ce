// What a run is given is checked at its entry, whichever that is; it can be stopped, and tells how far it is.
#include <gtest/gtest.h>

#include <limits>

#include "stiction/sim/line.h"
#include "stiction/sim/sampled.h"
#include "stiction/sim/two_bodies.h"
#include "support/models.h"

namespace stiction::sim::limits_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const auto lugre = test::table2_lugre();

template <class Call>
std::string complaint_of(const Call& call) {
  try {
    call();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "nothing";
}

/// Calls that must all refuse the same options.
template <class Check>
void for_each_entry(const Options& options, Method fixed, const Check& check) {
  Options body = options;
  body.method = options.method == Method::cvode ? Method::cvode : fixed;
  Options imposed = body;
  imposed.method = body.method == Method::cvode ? Method::cvode : Method::midpoint;
  check("simulate", complaint_of([&] { simulate(lugre, {}, {}, body); }));
  check("simulate any", complaint_of([&] { simulate(scalar::AnyModel(lugre), {}, {}, body); }));
  check("two bodies", complaint_of([&] { simulate(lugre, {}, {}, {}, {}, body); }));
  check("drive", complaint_of([&] { drive(lugre, 0.01, imposed); }));
  check("drive any", complaint_of([&] { drive(scalar::AnyModel(lugre), 0.01, imposed); }));
}

TEST(Limits, EveryEntryChecksItsOptions) {
  struct Case {
    Options options;
    const char* message;
  };
  for (const Case& c : {
           Case{{.method = Method::sdirk2, .step = 0}, "step = 0: must be > 0 and at most the duration"},
           Case{{.method = Method::sdirk2, .step = nan}, "step = nan: must be > 0 and at most the duration"},
           Case{{.method = Method::sdirk2, .step = infinity}, "step = inf: must be > 0 and at most the duration"},
           Case{{.duration = nan}, "duration = nan: must be > 0 and finite"},
           Case{{.method = Method::sdirk2, .duration = -1}, "duration = -1: must be > 0 and finite"},
           Case{{.output_interval = 0}, "output_interval = 0: must be > 0 and finite"},
           Case{{.relative_tolerance = nan}, "relative_tolerance = nan: must be in [1e-13, 1e-2]"},
           Case{{.max_steps = 0}, "max_steps = 0: must be > 0"},
           Case{{.output_interval = 1e-12},
                "output_interval = 1e-12: must be >= duration / 1e7 (1e+12 rows, of which at most 1e7 are allowed: "
                "raise "
                "output_interval, or shorten duration)"},
           Case{{.method = Method::sdirk2, .output_interval = 1, .step = 1e-12},
                "step = 1e-12: must be >= duration / max_steps (1e+12 steps, more than max_steps = "
                "100000000: raise step or max_steps, or shorten duration)"},
       }) {
    for_each_entry(c.options, Method::sdirk2,
                   [&](const char* entry, const std::string& message) { EXPECT_EQ(message, c.message) << entry; });
  }
}

TEST(Limits, EveryMethodDoesWhatItSaysOrIsRefused) {
  for (const Method method : {Method::cvode, Method::sdirk2, Method::backward_euler, Method::explicit_euler,
                              Method::semi_implicit_euler, Method::runge_kutta_4, Method::midpoint}) {
    const Options options{.method = method, .duration = 0.1};
    const std::string name = std::string("method = ") + name_of(method) + ": must be ";
    const auto offered = [&](Entry entry) {
      const auto& methods = methods_of(entry);
      return std::find(methods.begin(), methods.end(), method) != methods.end();
    };
    EXPECT_EQ(complaint_of([&] { simulate(lugre, {}, {}, options); }),
              offered(Entry::body) ? "nothing"
                                   : name +
                                         "cvode, sdirk2, backward-euler, explicit-euler, semi-implicit-euler or "
                                         "runge-kutta-4 for a body");
    EXPECT_EQ(complaint_of([&] { simulate(lugre, {}, {}, {}, {}, options); }),
              offered(Entry::two_bodies) ? "nothing" : name + "cvode, sdirk2 or backward-euler for two bodies");
    EXPECT_EQ(complaint_of([&] { drive(lugre, 0.01, options); }),
              offered(Entry::imposed_velocity) ? "nothing" : name + "cvode or midpoint for an imposed velocity");
    if (!offered(Entry::body) || method == Method::cvode) {
      const auto next = fixed_step(method, lugre, 1, Load{}, 0, LineState<scalar::LuGre>{}, 1e-3);
      EXPECT_TRUE(std::isnan(next.state.velocity) && std::isnan(next.friction)) << "not a fixed step of a body";
    }
  }
}

TEST(Limits, EveryMethodThatIsOfferedGivesAnAnswerOfItsOwn) {
  // A stiff bristle under a push: the schemes differ, so that one that runs as another would be seen.
  const auto soft = scalar::LuGre::make(
      {.stiffness = 100, .damping = 5, .coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.1});
  const Load push{.force = Sine{2, 7}};
  std::vector<double> ends;
  for (const Method method : methods_of(Entry::body)) {
    ends.push_back(simulate(soft, {}, push, {.method = method, .step = 1e-2}).position.back());
  }
  for (const Method method : methods_of(Entry::two_bodies)) {
    ends.push_back(simulate(soft, {}, {}, push, {}, {.method = method, .step = 1e-2}).position_1.back());
  }
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(std::adjacent_find(ends.begin(), ends.end()), ends.end());
}

TEST(Limits, BodiesLoadsAndStatesAreCheckedWithTheirNames) {
  EXPECT_EQ(complaint_of([] { simulate(lugre, {.mass = 0}, {}, {}); }), "mass = 0: must be > 0 and finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {.velocity = nan}, {}, {}); }), "velocity = nan: must be finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {}, {.mass = -3}, {}, {}, {}); }),
            "body_2.mass = -3: must be > 0 and finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {}, {}, {.spring = Spring{.stiffness = -1}}, {}, {}); }),
            "load_1.spring.stiffness = -1: must be >= 0 and finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {}, {.controller = Pid{.integral = nan}}, {}); }),
            "controller.integral = nan: must be >= 0 and finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {}, {}, {}, {nan}); }), "bristle = nan: must be finite");
  EXPECT_EQ(complaint_of([] { simulate(lugre, {}, {}, {}, {}, {}, {infinity}); }), "bristle = inf: must be finite");
  EXPECT_EQ(complaint_of([] { drive(lugre, 0.1, {}, {nan}); }), "bristle = nan: must be finite");
  const std::array<double, 2> two{0, 0};
  EXPECT_EQ(complaint_of([&] { simulate(scalar::AnyModel(lugre), {}, {}, {}, two); }),
            "states has 2 numbers: must be as many as the model has, or none");
}

TEST(Limits, SignalsThatCannotBeEvaluatedAreRefused) {
  const auto of = [](const Signal& force) { return complaint_of([&] { simulate(lugre, {}, {.force = force}, {}); }); };
  EXPECT_EQ(of(Ramp{0, 1, 0.5, 0.5}), "force: 0.5 at t = 0.5 s: must be a ramp's end after its start");
  EXPECT_EQ(of(Table{{}, {}}), "force: 0 at t = 0 s: must be as many values as times, and at least one");
  EXPECT_EQ(of(Table{{0, 1}, {0}}), "force: 1 at t = 0 s: must be as many values as times, and at least one");
  EXPECT_EQ(of(Steps{{0, 1, 1}, {1, 2, 3}}), "force: 1 at t = 1 s: must be a finite time, later than the previous one");
  EXPECT_EQ(of(Sine{1, infinity}), "force: inf at t = 0 s: must be finite");
  EXPECT_EQ(of(nan), "force: nan at t = 0 s: must be finite");
}

TEST(Limits, AnInputFarTooFastIsRefusedAtOnceWithWhatToRaise) {
  const Load load{.force = Sine{1, 1e18}};
  EXPECT_EQ(complaint_of([&] { simulate(lugre, {}, load, {.duration = 5}); }),
            "max_steps = 100000000: at least 5e+19 steps are needed for an input that changes within 1e-18 s: raise "
            "max_steps, shorten duration, or take a slower input");
  const auto sampled = simulate(lugre, {}, load, {.method = Method::sdirk2});
  EXPECT_EQ(sampled.note, "an input changes within 1e-18 s: steps of 0.001 s sample it, but do not follow it");
  EXPECT_EQ(simulate(lugre, {}, {.force = Sine{1, 100}}, {.method = Method::sdirk2}).note, "");
}

TEST(Limits, EveryRunStopsWhenAskedAndKeepsItsRows) {
  const auto check = [](const char* what, auto&& run) {
    for (const Method method : {Method::cvode, Method::sdirk2}) {
      std::stop_source source;
      std::vector<double> seen;
      Options options{.method = method, .duration = 1000, .output_interval = 1e-2, .step = 1e-4};
      options.stop = source.get_token();
      options.progress = [&](double fraction) {
        seen.push_back(fraction);
        if (fraction > 0.01) {
          source.request_stop();
        }
      };
      const auto rows = run(options);
      EXPECT_TRUE(rows.interrupted) << what;
      EXPECT_FALSE(rows.diverged) << what;
      ASSERT_FALSE(rows.time.empty()) << what;
      EXPECT_GT(rows.time.back(), 1) << what;
      EXPECT_LT(rows.time.back(), 100) << what;
      EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << what;
    }
  };
  const Load push{.force = Sine{0.5, 10}};
  check("simulate", [&](const Options& options) { return simulate(lugre, {}, push, options); });
  check("two bodies", [&](const Options& options) { return simulate(lugre, {}, {}, push, {}, options); });
  check("drive", [&](Options options) {
    options.method = options.method == Method::cvode ? Method::cvode : Method::midpoint;
    return drive(lugre, Sine{0.1, 10}, options);
  });
}

TEST(Limits, ProgressMayThrow) {
  struct Enough {};
  for (const Method method : {Method::cvode, Method::sdirk2}) {
    Options options{.method = method};
    options.progress = [](double) { throw Enough(); };
    EXPECT_THROW(simulate(lugre, {}, {.force = Sine{0.5, 10}}, options), Enough);
  }
}

TEST(Limits, ASampledBodyChecksWhatItIsGiven) {
  SampledBody<scalar::LuGre> body{lugre};
  EXPECT_EQ(complaint_of([&] { body.hold(nan, 1e-3); }), "force = nan: must be finite");
  EXPECT_EQ(complaint_of([&] { body.hold(1, -1); }), "dt = -1: must be >= 0 and finite");
  body.substeps = 0;
  EXPECT_EQ(complaint_of([&] { body.hold(1, 1e-3); }), "substeps = 0: must be in [1, 10000]");
  body = {lugre, 0};
  EXPECT_EQ(complaint_of([&] { body.hold(1, 1e-3); }), "mass = 0: must be > 0 and finite");
  EXPECT_EQ(body.state, LineState<scalar::LuGre>{}) << "nothing has moved";
}

}  // namespace
}  // namespace stiction::sim::limits_test
