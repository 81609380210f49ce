// Haptic scenes: prepared once, run headless, or stepped by the caller.
#include <cmath>
#include <memory>

#include "core.h"
#include "haptics/paper_scenes.h"
#include "long_call.h"
#include "stiction/geometry/cache.h"
#include "stiction/haptics/insertability.h"
#include "stiction/haptics/servo.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/io/file.h"
#include "stiction/io/haptic_scene.h"
#include "value.h"

namespace stiction::python {
namespace {

using haptics::Cycle;
using haptics::Pose;

struct Scene {
  io::HapticScene file;
  haptics::PreparedScene prepared;
};

struct Renderer {
  std::shared_ptr<Scene> scene;  // what it looks at
  haptics::Renderer renderer;
  OwnFlag busy;
};

std::shared_ptr<Scene> make_scene(const PathLike& source, const As<"str">& text, const PathLike& cache) {
  const std::string name = source.is_none() ? "scene" : path_text(source);
  if (source.is_none() == text.is_none()) {
    throw py::value_error("source, text: exactly one of them must be given");
  }
  geometry::Cache folder;
  if (!cache.is_none()) {
    folder.folder = path_text(cache);
  }
  const bool given = !text.is_none();
  const std::string content = given ? py::cast<std::string>(text) : "";
  LongCall call;
  return call.run([&] {
    io::HapticScene file = given ? io::parse_haptic_scene(content, "scene", {}, lab::scene_catalogue(), call.reporter())
                                 : io::read_haptic_scene(name, lab::scene_catalogue(), call.reporter());
    haptics::PreparedScene prepared(file.scene, folder, call.reporter());
    return std::make_shared<Scene>(Scene{std::move(file), std::move(prepared)});
  });
}

Pose pose_from(const ArrayLike& position, const ArrayLike& quaternion) {
  Pose pose;
  pose.position = vector_of<3>(position, "position");
  if (!quaternion.is_none()) {
    const auto q = vector_of<4>(quaternion, "quaternion");
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(std::abs(size - 1) < 1e-3)) {
      throw py::value_error("quaternion: its length is " + std::to_string(size) + ": must be 1 within 0.001");
    }
    pose.rotation = haptics::rotation_of({q[0] / size, q[1] / size, q[2] / size, q[3] / size});
  }
  for (const double x : pose.position) {
    if (!std::isfinite(x)) {
      throw py::value_error("position: every number must be finite");
    }
  }
  return pose;
}

py::array_t<double> quaternion_array(const Pose& pose) {
  const haptics::Quaternion q = haptics::quaternion_of(pose.rotation);
  return to_array(std::array<double, 4>{q.w, q.x, q.y, q.z});
}

const char* phase_name(haptics::Phase phase) {
  constexpr std::array names{"free", "held", "slides", "fault"};
  return names[static_cast<std::size_t>(phase)];
}

As<"stiction.results.Cycle", py::dict> cycle_dict(const Cycle& cycle) {
  py::dict result;
  result["phase"] = phase_name(cycle.phase);
  result["position"] = to_array(cycle.body.position);
  result["quaternion"] = quaternion_array(cycle.body);
  result["motion"] = to_array(cycle.motion);
  result["coupling"] = to_array(cycle.coupling);
  result["output"] = to_array(cycle.output);
  result["contacts"] = cycle.contacts;
  result["touching"] = cycle.touching;
  result["sliding"] = cycle.sliding;
  result["separating"] = cycle.separating;
  result["deepest"] = cycle.deepest;
  result["microseconds"] = cycle.microseconds[3];
  return result;
}

As<"stiction.results.Contacts", py::dict> contact_arrays(const Renderer& self) {
  const std::size_t n = self.renderer.contact_count();
  const auto vectors = [&](Vector3 haptics::ContactForce::*member) {
    py::array_t<double> result({n, std::size_t{3}});
    for (std::size_t i = 0; i < n; ++i) {
      const haptics::ContactForce contact = self.renderer.contact(i);
      std::copy((contact.*member).begin(), (contact.*member).end(), result.mutable_data() + 3 * i);
    }
    return result;
  };
  py::array_t<double> depth(static_cast<py::ssize_t>(n));
  py::array_t<bool> slides(static_cast<py::ssize_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const haptics::ContactForce contact = self.renderer.contact(i);
    depth.mutable_data()[i] = contact.depth;
    slides.mutable_data()[i] = contact.state == spatial::ContactState::slides;
  }
  py::dict result;
  result["position"] = vectors(&haptics::ContactForce::position);
  result["normal"] = vectors(&haptics::ContactForce::normal);
  result["normal_force"] = vectors(&haptics::ContactForce::normal_force);
  result["friction"] = vectors(&haptics::ContactForce::friction);
  result["depth"] = depth;
  result["slides"] = slides;
  return result;
}

/// The whole motion of the scene's hand, as fast as it goes.
As<"stiction.results.HapticRun", py::dict> run_scene(const Scene& scene, const As<"float">& duration, long every) {
  const double seconds = duration.is_none() ? scene.file.duration : py::cast<double>(duration);
  if (!(seconds > 0) || !(seconds <= 1e5)) {
    throw py::value_error("duration = " + std::to_string(seconds) + ": must be > 0 and at most 100000");
  }
  if (every < 1) {
    throw py::value_error("every = " + std::to_string(every) + ": must be at least 1");
  }
  using Kind = io::HandDescription::Kind;
  if (scene.file.hand.kind == Kind::udp) {
    throw py::value_error("hand.kind = udp: must be path or mass, or step a renderer yourself");
  }
  LongCall call;
  const auto rows = call.run([&] {
    std::vector<haptics::ServoCycle> kept;
    haptics::Renderer renderer = scene.prepared.renderer();
    const auto device = [&]() -> std::unique_ptr<haptics::Device> {
      if (scene.file.hand.kind == Kind::mass) {
        return std::make_unique<haptics::SimulatedHand>(scene.file.hand.path, scene.prepared.moving_body().centre,
                                                        scene.file.hand.mass);
      }
      return std::make_unique<haptics::PlaybackDevice>(scene.file.hand.path);
    }();
    haptics::ServoOptions options;
    options.duration = seconds;
    options.real_time = false;
    options.stop = [stop = call.stop()] { return stop.stop_requested(); };
    long number = 0;
    haptics::run_servo(renderer, *device, options, nullptr, [&](const haptics::ServoCycle& cycle) {
      if (number++ % every == 0) {
        kept.push_back(cycle);
      }
    });
    return kept;
  });
  const auto numbers = [&](const auto& value) {
    py::array_t<double> result(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      result.mutable_data()[i] = static_cast<double>(value(rows[i]));
    }
    return result;
  };
  const auto vectors = [&](std::size_t width, const auto& value) {
    py::array_t<double> result({rows.size(), width});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = value(rows[i]);
      std::copy(row.begin(), row.end(), result.mutable_data() + width * i);
    }
    return result;
  };
  const auto turn = [](const Pose& pose) {
    const haptics::Quaternion q = haptics::quaternion_of(pose.rotation);
    return std::array<double, 4>{q.w, q.x, q.y, q.z};
  };
  using Row = haptics::ServoCycle;
  py::dict result;
  result["time"] = numbers([](const Row& r) { return r.time; });
  result["hand_position"] = vectors(3, [](const Row& r) { return r.hand.pose.position; });
  result["hand_quaternion"] = vectors(4, [&](const Row& r) { return turn(r.hand.pose); });
  result["position"] = vectors(3, [](const Row& r) { return r.cycle.body.position; });
  result["quaternion"] = vectors(4, [&](const Row& r) { return turn(r.cycle.body); });
  result["coupling"] = vectors(6, [](const Row& r) { return r.cycle.coupling; });
  result["output"] = vectors(6, [](const Row& r) { return r.output; });
  result["contacts"] = numbers([](const Row& r) { return r.cycle.contacts; });
  result["sliding"] = numbers([](const Row& r) { return r.cycle.sliding; });
  result["deepest"] = numbers([](const Row& r) { return r.cycle.deepest; });
  result["phase"] = numbers([](const Row& r) { return static_cast<int>(r.cycle.phase); });
  result["microseconds"] = numbers([](const Row& r) { return r.cycle.microseconds[3]; });
  return result;
}

py::dict trial_dict(const haptics::InsertionTrial& trial) {
  py::dict result;
  result["friction"] = trial.friction;
  result["inserted"] = trial.inserted;
  result["force"] = trial.force;
  result["distance"] = trial.distance;
  return result;
}

As<"stiction.results.Insertability", py::dict> find_insertability(const Scene& scene, double tolerance,
                                                                  double max_force, double max_friction, int sweep,
                                                                  double resolution) {
  LongCall call;
  const auto found = call.run([&] {
    return haptics::find_insertability(scene.prepared, scene.file.hand.path, scene.file.scene.friction,
                                       {.tolerance = tolerance, .max_force = max_force},
                                       {.max_friction = max_friction, .sweep = sweep, .resolution = resolution},
                                       call.reporter());
  });
  py::dict result;
  result["insertable"] = found.insertable;
  result["not_insertable"] = found.not_insertable;
  py::list trials;
  for (const haptics::InsertionTrial& trial : found.trials) {
    trials.append(trial_dict(trial));
  }
  result["trials"] = trials;
  return result;
}

}  // namespace

void bind_haptics(py::module_& root) {
  py::module_ m = part(root, "haptics", "6-DoF haptic rendering with static friction.");
  m.def("built_in_scenes", &lab::paper_scenes, "Names of the scenes that need no files.");
  py::class_<Renderer, std::shared_ptr<Renderer>> renderer(m, "Renderer", "One cycle after the other.");
  bind_no_value(renderer, "make another with renderer() of its scene");
  py::class_<Scene, std::shared_ptr<Scene>> scene(m, "Scene", "Parts, friction and a hand, prepared for rendering.");
  bind_no_value(scene, "keep its name, file or text, and make it again with a folder as cache=");
  scene
      .def(py::init(&make_scene), py::arg("source") = py::none(), py::kw_only(), py::arg("text") = py::none(),
           py::arg("cache") = py::none(),
           "The name of a built-in scene or a TOML file, or its text. cache: folder for fields and shells.")
      .def_property_readonly(
          "duration", [](const Scene& s) { return s.file.duration; }, "Of the hand's motion [s].")
      .def_property_readonly(
          "centre", [](const Scene& s) { return to_array(s.prepared.moving_body().centre); },
          "Where the hand holds the part, in its frame [m].")
      .def_property_readonly(
          "from_cache", [](const Scene& s) { return s.prepared.from_cache(); },
          "How many fields and shells came from the cache.")
      .def("run", &run_scene, py::arg("duration") = py::none(), py::arg("every") = 1,
           "The hand's motion as fast as it goes: named arrays, one row for every so many cycles. SI units; phase is 0 "
           "free, 1 held, 2 slides, 3 fault.")
      .def(
          "renderer",
          [](const std::shared_ptr<Scene>& s) {
            return std::make_shared<Renderer>(Renderer{s, s->prepared.renderer(), {}});
          },
          "A renderer that the caller steps.")
      .def("insertability", &find_insertability, py::arg("tolerance") = 1e-3, py::arg("max_force") = infinity,
           py::arg("max_friction") = 2.0, py::arg("sweep") = 9, py::arg("resolution") = 0.01,
           "The largest friction with which the part arrives: a sweep, then bisection. Lengths [m], forces [N].");
  renderer
      .def(
          "step",
          [](Renderer& self, const ArrayLike& position, const ArrayLike& quaternion, bool forces) {
            const Pose hand = pose_from(position, quaternion);
            const InUse guard(self.busy.flag, "this renderer is");
            {
              const py::gil_scoped_release release;
              self.renderer.step(hand, forces);
            }
            return cycle_dict(self.renderer.last());
          },
          py::arg("position"), py::arg("quaternion") = py::none(), py::arg("forces") = true,
          "A cycle with the hand there: position [m], unit quaternion (w, x, y, z). Wrenches are force [N] and torque "
          "[N m]: coupling on the part, output on the hand.")
      .def(
          "reset_pose",
          [](Renderer& self, const ArrayLike& position, const ArrayLike& quaternion) {
            const Pose pose = pose_from(position, quaternion);
            const InUse guard(self.busy.flag, "this renderer is");
            self.renderer.reset_pose(pose);
          },
          py::arg("position"), py::arg("quaternion") = py::none(), "Puts the part, and the hand, somewhere, at rest.")
      .def(
          "contacts",
          [](Renderer& self) {
            const InUse guard(self.busy.flag, "this renderer is");
            return contact_arrays(self);
          },
          "Those of the last cycle, as arrays; forces on the part [N].");
}

}  // namespace stiction::python
