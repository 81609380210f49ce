// Figs. 8 to 11: with friction the contact force leaves the normal and the body stays; without it does not, and the
// body follows the hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "drive.h"
#include "experiments.h"
#include "stiction/spatial/vector.h"

namespace stiction::lab {
namespace {

using haptics::FrictionMethod;
using haptics::Pose;
using haptics::Vec3;

constexpr double friction = 0.5;

struct Place {
  const char* scene;
  const char* name;
  Vec3 clear, pressed;
  Vec3 one, other;  // unit, along the surface
};

}  // namespace

Result haptics_fig08_11(const Context& context) {
  const std::array<Place, 4> places{
      {{"engine-bay", "starter on the engine", {0.08, -0.08, 0}, {0.08, -0.055, 0}, {1, 0, 0}, {0, 0, 1}},{"engine-bay", "starter in pocket", {-0.005, 0.03, 0}, {-0.005, 0.046, 0}, {1, 0, 0}, {0, 0, 1}},
       {"door", "motor in the door", {0.24, -0.19, 0.005}, {0.24, -0.19, -0.022}, {1, 0, 0}, {0, 1, 0}},{"door", "motor in the door", {0.24, -0.19, 0.005}, {0.24, -0.277, -0.022}, {1, 0, 0}, {0, 0,1}}}};
  for (auto& place : places) {
    const haptics::PreparedScene& scene = prepared(place.scene, context.quick);
    for (auto method : {FrictionMethod::cone, FrictionMethod::switched, FrictionMethod::none}) {
      haptics::FrictionChoice choice = scene.description().friction;
      choice.method = method;
      haptics::Renderer r = renderer_with(scene, friction, choice, scene.description().render);
      r.place(settled(scene, {place.clear}, {place.pressed}, context));
      auto hand = [&](double t) {
        double a = 4 * std::numbers::pi * t;
        double rad = 0.0005 * (t<.5?1.5:1)* std::min(1.0, t / 0.25);
        Vec3 p = place.pressed;
        p = spatial::sum(p, spatial::scaled(rad * std::cos(a), place.one));
        p = spatial::sum(p, spatial::scaled(rad * std::sin(a), place.other));
        if (t > 1) p = spatial::sum(p, spatial::scaled((t - 1) * 0.03, place.one));
        return Pose{p};
      };
      auto m = drive(r, hand, 2, context);
      double off = 0, st = 0;
      for (auto& x : m) {
        if (x.time < 1&&x.time>=.5) off = std::max(off, spatial::norm(spatial::difference(x.cycle.body.position, m[500].cycle.body.position)));
        st = std::max(st, x.steepest);
      }
      auto ang = [](const Moment& x) { return angle(x.normal, spatial::negative(linear(x.cycle.coupling))); };
      std::vector<Moment> m1(m.begin()+500, m.begin() + 1000), m2(m.begin() + 1000, m.end());
      for (auto& mm : {m1, m2})
        fmt::print("{} {}: offset {} steepest {} angle {} {} {} contacts {} rank {} fric us {} normal {} held {}\n", place.name, (int)method, off, st, quantile(mm, 0, ang), quantile(mm, .5, ang), quantile(mm, 1, ang), quantile(mm, .5, [](auto& x) { return (double)x.cycle.contacts; }), quantile(mm, .5, [](auto& x) { return (double)x.cycle.rank; }), quantile(mm, .5, [](auto& x) { return x.cycle.microseconds[2]; }), quantile(mm, .5, [](auto& x) { return spatial::norm(x.normal); }),
                   quantile(mm, .5, [](auto& x) { return x.cycle.phase == haptics::Phase::held ? 1.0 : 0; }));
    }
  }
  return {};
}

}  // namespace stiction::lab
