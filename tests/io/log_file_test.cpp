#include "stiction/io/log_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/temp_folder.h"
#include "stiction/io/file.h"

namespace stiction::io::log_file {
namespace {

using test::message_of;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::size_t rows = 400;

double position(double t) { return std::sin(5 * t); }
double velocity(double t) { return 5 * std::cos(5 * t); }
double torque(double t) { return 0.3 * std::copysign(1, velocity(t)) + 0.1 * std::sin(7 * t); }

/// A log with these names, for t, q, dq and τ, and these factors.
std::string log_with(const std::string& names, std::array<double, 4> factors = {1, 1, 1, 1}) {
  std::string text = names + "\n";
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    text += fmt::format("{:.9g},{:.9g},{:.9g},{:.9g}\n", factors[0] * t, factors[1] * position(t),
                        factors[2] * velocity(t), factors[3] * torque(t));
  }
  return text;
}

Log read(const std::string& text, const LogOptions& options = {}) {
  const test::TempFolder folder;
  return read_log(folder.write("log.csv", text), options);
}

void expect_the_motion(const Log& log) {
  ASSERT_EQ(log.data.recordings.size(), 1U);
  const auto& r = log.data.recordings[0];
  ASSERT_EQ(r.time.size(), rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    ASSERT_NEAR(r.time[k], t, 1e-6) << k;
    ASSERT_NEAR(r.position[k], position(t), 1e-7) << k;
    ASSERT_NEAR(r.torque[k], torque(t), 1e-7) << k;
  }
}

class NamesOfALog : public ::testing::TestWithParam<const char*> {};

TEST_P(NamesOfALog, AreRecognised) { expect_the_motion(read(log_with(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(
    , NamesOfALog,
    ::testing::Values("t,q,qd,tau", "time,q2,dq2,q2_tau_J_compensate", "Time,Position,Velocity,Effort",
                      "timestamp,actual_q_0,actual_qd_0,actual_moment_0",
                      "time,joint_1_position,joint_1_velocity,joint_1_effort", "t,position_encoder,speed,torque",
                      "stamp,motor.position,motor.velocity,motor.torque", "time_s,pos_rad,vel_rad_s,torque_Nm",
                      "TIME (s),ANGLE (rad),SPEED (rad/s),TORQUE (N.m)",
                      "time,/joint_states/position[0],/joint_states/velocity[0],/joint_states/effort[0]",
                      "t,presentPosition,presentVelocity,presentTorque", "Zeit,Lage,Drehzahl,Drehmoment",
                      "t,theta_meas,omega_meas,tau_meas"));

TEST(ReadLog, TakesUnitsFromBracketsARowTheNameAndTheOptions) {
  const std::array<double, 4> factors{1e3, 180 / std::numbers::pi, 30 / std::numbers::pi, 1e3};
  expect_the_motion(read(log_with("t [ms],q [deg],v [rpm],tau [mNm]", factors)));
  expect_the_motion(read(log_with("t,q,v,tau\nms,\xC2\xB0,1/min,mNm", factors)));
  expect_the_motion(read(log_with("time_ms,pos_deg,speed_rpm,torque_mNm", factors)));
  expect_the_motion(read(log_with("t,q,v,tau", factors),
                         {{}, {{"time", "ms"}, {"position", "deg"}, {"velocity", "rpm"}, {"torque", "mNm"}}, {}}));
  // A unit with a number: counts of an encoder, a slow clock.
  expect_the_motion(
      read(log_with("t,q,v,tau", {2, 100, 1, 1}), {{}, {{"time", "0.5s"}, {"position", "0.01 rad"}}, {}}));
}

TEST(ReadLog, TakesAColumnByItsNumberWhereThereAreNoNames) {
  std::string text = log_with("");
  text.erase(0, 1);
  expect_the_motion(read(text, {{{"time", "1"}, {"position", "2"}, {"torque", "4"}}, {}, {}}));
}

TEST(ReadLog, TakesTheCurrentTimesTheTorqueConstant) {
  const std::string text = log_with("t,present_position,present_velocity,present_current", {1, 1, 1, 10});
  const Log log = read(text, {{}, {}, 0.1});
  expect_the_motion(log);
  EXPECT_THAT(log.notes, Contains("torque: the current times 0.1 N m/A"));
  expect_the_motion(read(text, {{{"torque", "present_current"}}, {{"torque", "0.1Nm"}}, {}}));
  EXPECT_THAT(message_of<InputError>([&] { (void)read(text); }),
              HasSubstr("the current does: --column torque=present_current --unit torque=0.1Nm"));
  EXPECT_THAT(message_of<InputError>([&] { (void)read(text, {{}, {}, 0.0}); }), HasSubstr("torque constant = 0: must"));
  EXPECT_THAT(message_of<InputError>([&] {
                (void)read(log_with("t,q,v,tau"), {{}, {}, 1.0});
              }),
              HasSubstr("no column recognised as current"));
}

TEST(ReadLog, TellsJointsApart) {
  std::string text = "t,q1,q2,tau1,tau2,dq2\n";
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    text += fmt::format("{:.9g},{},{:.9g},1,{:.9g},{:.9g}\n", t, k % 7, position(t), torque(t), velocity(t));
  }
  expect_the_motion(read(text, {{{"torque", "tau2"}}, {}, {}}));
  const std::string both = "t,q1,q2,tau1,tau2\n0,1,2,3,4\n1,2,3,4,5\n";
  EXPECT_THAT(message_of<InputError>([&] { (void)read(both); }),
              HasSubstr("name it with --column torque=NAME; could be tau1, tau2"));
}

TEST(ReadLog, PrefersWhatIsSaidToBeMeasured) {
  expect_the_motion(read(log_with("t,q_measured,qd_measured,tau_measured")));
  std::string text = "t,q,tau_feedback,tau_feedforward,tau_measured\n";
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    text += fmt::format("{:.9g},{:.9g},1,2,{:.9g}\n", t, position(t), torque(t));
  }
  expect_the_motion(read(text));
}

TEST(ReadLog, DoesNotTakeErrorsAndModelsForMeasurements) {
  const auto has = [&](const std::string& names) {
    return message_of<InputError>([&] { (void)read(log_with(names)); });
  };
  EXPECT_THAT(has("t,position_error,v,tau_model"), HasSubstr("no column recognised as torque"));
  EXPECT_THAT(has("t,q_temperature,v_limit,tau"), HasSubstr("no column recognised as position"));
}

TEST(ReadLog, CountsTimeSince1970FromTheFirstRow) {
  std::string text = "timestamp,q,tau\n";
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    text += fmt::format("{},{:.9g},{:.9g}\n", 1'700'000'000'000'000'000 + 5'000'000 * static_cast<long>(k), position(t),
                        torque(t));
  }
  const Log log = read(text);
  expect_the_motion(log);
  EXPECT_THAT(log.notes, Contains(HasSubstr("in ns")));
}

TEST(ReadLog, BringsSeveralClocksToTheSlowest) {
  // The position every 5 ms, the torque every millisecond, on a clock of its own that begins earlier.
  std::string text = "time,q,time,tau\n";
  const std::size_t fast = 5 * rows + 100;
  for (std::size_t k = 0; k < fast; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    const double u = -0.05 + 1e-3 * static_cast<double>(k);
    text += k < rows ? fmt::format("{:.9g},{:.9g}", t, position(t)) : ",";
    text += fmt::format(",{:.9g},{:.9g}\n", u, 2 * u + (k % 2 == 0 ? 1 : -1));
  }
  const Log log = read(text);
  ASSERT_EQ(log.data.recordings.size(), 1U);
  const auto& r = log.data.recordings[0];
  ASSERT_GE(r.time.size(), rows - 1);
  for (std::size_t k = 5; k < r.time.size(); ++k) {
    EXPECT_NEAR(r.torque[k], 2 * r.time[k], 0.21);  // the mean of five rows
    EXPECT_NEAR(r.position[k], position(r.time[k]), 1e-7);
  }
  EXPECT_THAT(log.notes, Contains(HasSubstr("2 clocks: all signals resampled to 'time'")));
}

TEST(ReadLog, BringsSignalsOfDifferentRowsTogether) {
  std::string text = "time,q,tau\n";
  for (std::size_t k = 0; k < 2 * rows; ++k) {
    const double t = 2.5e-3 * static_cast<double>(k);
    text += k % 2 == 0 ? fmt::format("{:.9g},{:.9g},\n", t, 3 * t) : fmt::format("{:.9g},,{:.9g}\n", t, 2 * t);
  }
  const Log log = read(text);
  ASSERT_EQ(log.data.recordings.size(), 1U);
  const auto& r = log.data.recordings[0];
  ASSERT_GE(r.time.size(), rows - 1);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    EXPECT_NEAR(r.position[k], 3 * r.time[k], 1e-9);
    EXPECT_NEAR(r.torque[k], 2 * r.time[k], 1e-9);
  }
}

TEST(ReadLog, IntegratesTheVelocityWhereThereIsNoPosition) {
  std::string text = "t,speed,torque\n";
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 5e-3 * static_cast<double>(k);
    text += fmt::format("{:.9g},{:.9g},{:.9g}\n", t, velocity(t), torque(t));
  }
  const Log log = read(text);
  EXPECT_THAT(log.notes, Contains("there is no position: it is the integral of the velocity"));
  const auto& r = log.data.recordings.at(0);
  for (std::size_t k = 0; k < rows; ++k) {
    ASSERT_NEAR(r.position[k], position(r.time[k]), 1e-3);
  }
}

TEST(ReadLog, TakesSlowLogsAndLeavesThemToTheFit) {
  const Log log = read(log_with("t,q,v,tau", {100, 1, 0.01, 1}));
  EXPECT_NEAR(log.data.recordings.at(0).time[1], 0.5, 1e-9);
}

TEST(ReadLog, LeavesOutRepeatedTimesUnlessTheyAreMany) {
  std::string text = "t,q,tau\n";
  for (int k = 0; k < 400; ++k) {
    text += fmt::format("{},{},1\n", k % 20 == 19 ? k - 1 : k, k);
  }
  const Log log = read(text);
  EXPECT_EQ(log.data.recordings.at(0).time.size(), 380U);
  EXPECT_THAT(log.notes, Contains("20 rows with the time of the row before left out"));
  text = "t,q,tau\n";
  for (int k = 0; k < 400; ++k) {
    text += fmt::format("{},{},1\n", k / 2, k);
  }
  EXPECT_THAT(message_of<InputError>([&] { (void)read(text); }), HasSubstr("200 of 400 rows have the time of the row"));
}

TEST(ReadLog, SaysHowAClockThatIsOffIsCorrected) {
  const std::string text = log_with("t,q,v,tau", {2, 1, 1, 1});
  EXPECT_THAT(message_of<InputError>([&] { (void)read(text); }), HasSubstr("--unit time=0.5s"));
  expect_the_motion(read(text, {{}, {{"time", "0.5s"}}, {}}));
}

}  // namespace
}  // namespace stiction::io::log_file
