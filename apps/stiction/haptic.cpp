#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "haptic_baselines.h"
#include "haptic_film.h"
#include "haptics/paper_scenes.h"
#include "interrupt.h"
#include "json_text.h"
#include "mesh_input.h"
#include "progress.h"
#include "stiction/haptics/insertability.h"
#include "stiction/haptics/overruns.h"
#include "stiction/haptics/udp_device.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/haptic_scene.h"

namespace stiction::cli {
namespace {

using haptics::Pose;
using haptics::PreparedScene;
using haptics::Renderer;

PreparedScene prepare(const HapticArguments& arguments, haptics::SceneDescription description) {
  MeshArguments mesh;
  mesh.cache = arguments.cache;
  mesh.no_cache = arguments.no_cache;
  ProgressBar bar;
  try {
    return PreparedScene(std::move(description), cache_of(mesh),
                         [&](double fraction) { bar.show("fields and shells", fraction); });
  } catch (const haptics::StartTooDeep& problem) {
    throw io::InputError(fmt::format("{}: {}", arguments.scene, problem.what()));
  }
}

std::unique_ptr<haptics::Device> make_device(const io::HandDescription& hand, const PreparedScene& scene) {
  using Kind = io::HandDescription::Kind;
  if (hand.kind == Kind::mass) {
    return std::make_unique<haptics::SimulatedHand>(hand.path, scene.moving_body().centre, hand.mass);
  }
  if (hand.kind == Kind::udp) {
    auto device = std::make_unique<haptics::UdpDevice>(haptics::UdpOptions{.port = hand.port});
    complain(fmt::format("waiting for poses at 127.0.0.1:{}", device->port()));
    return device;
  }
  return std::make_unique<haptics::PlaybackDevice>(hand.path);
}

constexpr double frames_per_second = 30;

/// The columns of cycles.csv.
class Record {
 public:
  void add(const haptics::ServoCycle& servo) {
    const haptics::Cycle& cycle = servo.cycle;
    std::size_t column = 0;
    const auto put = [&](double value) { columns_[column++].push_back(value); };
    put(servo.time);
    for (const Pose& pose : {servo.hand.pose, cycle.body}) {
      const haptics::Quaternion q = haptics::quaternion_of(pose.rotation);
      for (const double value : {pose.position[0], pose.position[1], pose.position[2], q.w, q.x, q.y, q.z}) {
        put(value);
      }
    }
    for (const auto& wrench : {cycle.coupling, servo.output}) {
      std::ranges::for_each(wrench, put);
    }
    for (const std::size_t count : {cycle.contacts, cycle.touching, cycle.sliding, cycle.separating}) {
      put(static_cast<double>(count));
    }
    put(cycle.deepest);
    put(static_cast<double>(cycle.phase));
    put(servo.gain);
    std::ranges::for_each(cycle.microseconds, put);
    put(1e6 * servo.late);
    put(1e6 * servo.cpu);
    put(static_cast<double>(servo.switches));
  }
  [[nodiscard]] std::string csv() const { return io::to_csv(names(), columns_); }

 private:
  static const std::vector<std::string>& names() {
    static const std::vector<std::string> all = [] {
      std::vector<std::string> list{"time"};
      for (const char* who : {"hand", "body"}) {
        for (const char* axis : {"x", "y", "z", "qw", "qx", "qy", "qz"}) {
          list.push_back(fmt::format("{}_{}", who, axis));
        }
      }
      for (const char* what : {"coupling", "output"}) {
        for (const char* axis : {"fx", "fy", "fz", "tx", "ty", "tz"}) {
          list.push_back(fmt::format("{}_{}", what, axis));
        }
      }
      list.insert(list.end(), {"contacts", "touching", "sliding", "separating", "deepest", "phase", "gain", "find_us",
                               "springs_us", "friction_us", "cycle_us", "late_us", "thread_us", "switches"});
      return list;
    }();
    return all;
  }

  std::vector<std::vector<double>> columns_ = std::vector<std::vector<double>>(names().size());
};

/// Numbers of all cycles, for the summary.
class Timing {
 public:
  explicit Timing(std::size_t expected) {
    for (auto* list : {&microseconds_, &busy_, &contacts_}) {
      list->reserve(expected);
    }
  }
  void add(const haptics::ServoCycle& servo) {
    microseconds_.push_back(1e6 * servo.wall);
    contacts_.push_back(static_cast<double>(servo.cycle.contacts));
    if (servo.cycle.contacts >= many) {
      busy_.push_back(1e6 * servo.wall);
    }
    deepest_ = std::max(deepest_, servo.cycle.deepest);
    force_ = std::max(force_, std::hypot(servo.cycle.coupling[0], servo.cycle.coupling[1], servo.cycle.coupling[2]));
    ++phases_[static_cast<std::size_t>(servo.cycle.phase)];
  }
  /// The same cycles again: a cycle's own time is the minimum over its runs.
  void add_again(std::size_t number, const haptics::ServoCycle& servo) {
    if (least_.empty()) {
      least_ = microseconds_;
    }
    if (number < least_.size()) {
      least_[number] = std::min(least_[number], 1e6 * servo.wall);
    }
  }
  [[nodiscard]] nlohmann::json json() const {
    const auto summary = [](std::vector<double> values) {
      std::ranges::sort(values);
      const auto at = [&](double share) {
        return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
      };
      return nlohmann::json{{"count", values.size()}, {"median", at(0.5)}, {"rare", at(0.999)}, {"largest", at(1)}};
    };
    return {{"cycle_us", summary(microseconds_)},
            {"cycle_us_50_contacts", summary(busy_)},
            {"cycle_us_best_of_runs", summary(least_)},
            {"contacts", summary(contacts_)},
            {"phases", {{"free", phases_[0]}, {"held", phases_[1]}, {"slides", phases_[2]}, {"fault", phases_[3]}}},
            {"deepest", deepest_},
            {"largest_force", force_}};
  }

 private:
  static constexpr std::size_t many = 50;
  std::vector<double> microseconds_, busy_, contacts_, least_;
  std::array<long, 4> phases_{};
  double deepest_ = 0, force_ = 0;
};

std::string overruns_csv(const haptics::Overruns& overruns) {
  const std::vector<std::string> names{"cycle", "time",     "cycle_us",    "thread_us", "switches",
                                       "waits", "contacts", "replayed_us", "blame"};
  std::vector<std::vector<double>> columns(names.size());
  for (const haptics::Overrun& o : overruns.all()) {
    std::size_t column = 0;
    for (const double value :
         {static_cast<double>(o.number), o.cycle.time, 1e6 * o.cycle.wall, 1e6 * o.cycle.cpu,
          static_cast<double>(o.cycle.switches), static_cast<double>(o.cycle.waits),
          static_cast<double>(o.cycle.cycle.contacts), 1e6 * o.replayed, static_cast<double>(overruns.blame(o))}) {
      columns[column++].push_back(value);
    }
  }
  return io::to_csv(names, columns);
}

void print(const HapticArguments& arguments, const PreparedScene& scene, const haptics::ServoReport& report,
           const Timing& timing, const haptics::Overruns& overruns) {
  using haptics::Blame;
  nlohmann::json all = timing.json();
  all["cycles"] = report.cycles;
  all["seconds"] = report.seconds;
  all["safe"] = report.safe;
  all["skipped"] = report.skipped;
  all["latest_us"] = 1e6 * report.latest;
  all["overruns"] = {{"all", report.overruns},
                     {"system", overruns.count(Blame::system)},
                     {"system_by_replay", overruns.cleared()},
                     {"waited", overruns.count(Blame::waited)},
                     {"own", overruns.count(Blame::own)}};
  all["from_cache"] = scene.from_cache();
  all["fields_and_shells"] = scene.made();
  // Interruptions of any loop on this machine, if there are overruns to explain
  constexpr double max_watch_time = 10;  // [s]
  haptics::Halts halts;
  const double watched = std::min(report.seconds, max_watch_time);
  if (report.overruns > 0 && !interrupted()) {
    halts = haptics::find_halts(watched, overruns.budget());
    all["empty_loop"] = {{"seconds", watched},
                         {"halts", halts.count},
                         {"as_own_time", halts.as_own},
                         {"longest_us", 1e6 * halts.longest}};
  }
  if (arguments.json) {
    fmt::print("{}\n", json_text(all));
    return;
  }
  const auto row = [&](const char* what, const char* key) {
    const nlohmann::json& s = all[key];
    fmt::print("{:<28} {:>10.1f} {:>10.1f} {:>10.1f}\n", what, s["median"].get<double>(), s["rare"].get<double>(),
               s["largest"].get<double>());
  };
  fmt::print("{} cycles in {:.2f} s; {} of {} fields and shells from the cache\n", report.cycles, report.seconds,
             scene.from_cache(), scene.made());
  fmt::print("{:<28} {:>10} {:>10} {:>10}\n", "", "median", "99.9 %", "largest");
  row("cycle [us]", "cycle_us");
  row("with 50 contacts or more", "cycle_us_50_contacts");
  if (arguments.repeat > 1) {
    row(fmt::format("best of {} runs [us]", arguments.repeat).c_str(), "cycle_us_best_of_runs");
  }
  row("contacts", "contacts");
  const nlohmann::json& phases = all["phases"];
  fmt::print("free {}, held {}, sliding {}, without a motion {} cycles\n", phases["free"].dump(), phases["held"].dump(),
             phases["slides"].dump(), phases["fault"].dump());
  fmt::print("deepest contact {:.3f} mm, largest force on the hand {:.3f} N\n", 1e3 * all["deepest"].get<double>(),
             all["largest_force"].get<double>());
  fmt::print("cycles over the period: {}; by their own work: {}\n", report.overruns, overruns.count(Blame::own));
  if (report.overruns > 0) {
    fmt::print("  the system took the core (thread time within the period, no wait): {}\n",
               overruns.count(Blame::system) - overruns.cleared());
    fmt::print("  did not recur in a replay (at most {:.0f} us, the same result): {}\n",
               1e6 * overruns.longest_replay(), overruns.cleared());
    fmt::print("  waited: {}\n", overruns.count(Blame::waited));
    fmt::print("  an empty loop of {:.1f} s, halted for longer than the period: {}; seen by its thread time: {}\n",
               watched, halts.count, halts.count - halts.as_own);
  }
  if (report.latest > 0) {
    fmt::print("woken up at most {:.0f} us late; {} periods skipped\n", 1e6 * report.latest, report.skipped);
  }
  if (report.safe > 0) {
    fmt::print("no fresh pose in {} cycles: no force\n", report.safe);
  }
  fmt::print("written: {}/cycles.csv, overruns.csv, contacts.csv{}\n", one_line(arguments.out),
             arguments.no_pictures ? "" : ", scene.png, scene.glb");
}

void stop_when_interrupted(double /*fraction*/) {
  if (interrupted()) {
    throw io::InputError("interrupted");
  }
}

/// null if there is none.
nlohmann::json or_null(std::optional<double> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

}  // namespace

int haptic_insertability(const InsertabilityArguments& arguments) {
  const io::HapticScene file = io::read_haptic_scene(arguments.scene, lab::scene_catalogue());
  if (file.hand.kind == io::HandDescription::Kind::udp) {
    throw io::InputError(fmt::format("{}: hand.kind = udp: must be path: insertability needs a path", arguments.scene));
  }
  const PreparedScene scene = prepare(arguments, file.scene);
  const haptics::InsertionGoal goal{.tolerance = arguments.tolerance, .max_force = arguments.max_force};
  const haptics::InsertabilitySearch search{
      .max_friction = arguments.max_friction, .sweep = arguments.sweep, .resolution = arguments.resolution};
  haptics::Insertability found;
  {
    ProgressBar bar;
    found = haptics::find_insertability(scene, file.hand.path, file.scene.friction, goal, search, [&](double fraction) {
      bar.show("insertions", fraction);
      stop_when_interrupted(fraction);
    });
  }
  const haptics::FrictionChoice springs =
      baselines::with_method(file.scene.friction, baselines::Method::springs, file.stiffness_ratio);
  const double doubtful = found.not_insertable.value_or(arguments.max_friction);
  const haptics::InsertionTrial by_springs =
      haptics::try_insertion(scene, file.hand.path, doubtful, springs, goal, stop_when_interrupted);
  if (arguments.json) {
    nlohmann::json trials = nlohmann::json::array();
    for (const haptics::InsertionTrial& t : found.trials) {
      trials.push_back(
          {{"friction", t.friction}, {"inserted", t.inserted}, {"force", t.force}, {"distance", t.distance}});
    }
    fmt::print("{}\n", json_text(nlohmann::json{{"insertable", or_null(found.insertable)},
                                                {"not_insertable", or_null(found.not_insertable)},
                                                {"trials", trials},
                                                {"springs",
                                                 {{"friction", doubtful},
                                                  {"inserted", by_springs.inserted},
                                                  {"force", by_springs.force},
                                                  {"distance", by_springs.distance}}}}));
    return exit_good;
  }
  fmt::print("{:>10} {:>10} {:>12} {:>14}\n", "friction", "inserted", "force [N]", "distance [mm]");
  for (const haptics::InsertionTrial& t : found.trials) {
    fmt::print("{:>10.4f} {:>10} {:>12.3f} {:>14.3f}\n", t.friction, t.inserted ? "yes" : "no", t.force,
               1e3 * t.distance);
  }
  if (!found.insertable) {
    fmt::print("It does not go in, whatever the friction.\n");
  } else if (!found.not_insertable) {
    fmt::print("It goes in with every friction up to {}.\n", arguments.max_friction);
  } else {
    fmt::print("It goes in up to a friction of {:.4f}, and does not from {:.4f} on.\n", *found.insertable,
               *found.not_insertable);
  }
  fmt::print("Frictional springs would say, at {:.4f}: it {} ({:.3f} N, {:.3f} mm away).\n", doubtful,
             by_springs.inserted ? "goes in" : "does not", by_springs.force, 1e3 * by_springs.distance);
  return exit_good;
}

int haptic(const HapticArguments& arguments) {
  io::HapticScene file = io::read_haptic_scene(arguments.scene, lab::scene_catalogue());
  if (arguments.duration) {
    if (!(*arguments.duration > 0 && *arguments.duration <= 1e5)) {
      throw io::InputError(fmt::format("--duration = {}: must be > 0 and at most 1e5 s", *arguments.duration));
    }
    file.duration = *arguments.duration;
  }
  const bool live = file.hand.kind == io::HandDescription::Kind::udp;
  if (arguments.repeat > 1 && (live || arguments.realtime)) {
    throw io::InputError("--repeat: must be 1 in real time");
  }
  if (arguments.priority > 0 && !live && !arguments.realtime) {
    throw io::InputError(
        fmt::format("--priority {}: must be with --realtime or a udp hand: a loop that never rests "
                    "would starve everything else on its core",
                    arguments.priority));
  }
  const PreparedScene scene = prepare(arguments, file.scene);
  Renderer renderer = scene.renderer();
  const std::unique_ptr<haptics::Device> device = make_device(file.hand, scene);
  const bool real_time = arguments.realtime || live;
  catch_interrupts();

  Record record;
  const double period = renderer.params().period;
  constexpr double initial_capacity = 1e6;  // cycles
  const auto expected = static_cast<std::size_t>(std::min(file.duration / period + 1, initial_capacity));
  Timing timing(expected);
  Film film(!arguments.no_pictures);
  ProgressBar bar;
  haptics::ServoOptions options;
  options.duration = file.duration;
  options.real_time = real_time;
  options.time_out = file.hand.time_out;
  options.priority = arguments.priority;
  options.forces_every = std::max(1L, std::lround(1 / (frames_per_second * renderer.params().period)));
  options.stop = [] { return interrupted(); };
  haptics::Overruns overruns(period, expected);
  long cycle_number = 0;
  const auto after = [&](const haptics::ServoCycle& cycle) {
    timing.add(cycle);
    overruns.add(cycle);
    if (cycle.forces) {
      film.add(cycle, renderer);
      bar.show("cycles", cycle.time / file.duration);
    }
    if (cycle_number++ % arguments.every == 0) {
      record.add(cycle);
    }
  };
  const haptics::ServoReport report = haptics::run_servo(renderer, *device, options, nullptr, after);
  if (arguments.priority > 0 && !report.had_priority) {
    complain(fmt::format("--priority {}: the system did not grant it", arguments.priority));
  }
  for (int run = 1; run < arguments.repeat && !interrupted(); ++run) {
    Renderer again = scene.renderer();
    const std::unique_ptr<haptics::Device> same = make_device(file.hand, scene);
    std::size_t number = 0;
    haptics::run_servo(again, *same, options, nullptr,
                       [&](const haptics::ServoCycle& cycle) { timing.add_again(number++, cycle); });
  }
  if (!interrupted()) {
    overruns.settle([&] { return scene.renderer(); });
  }
  bar.clear();

  const std::filesystem::path folder = arguments.out;
  io::make_folder(folder);
  io::write_text(folder / "cycles.csv", record.csv());
  io::write_text(folder / "overruns.csv", overruns_csv(overruns));
  film.write(folder, scene.description());
  print(arguments, scene, report, timing, overruns);
  return interrupted() ? exit_interrupted : exit_good;
}

}  // namespace stiction::cli
