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
}
Result haptics_fig02(const Context& context) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  for (auto method:{FrictionMethod::cone,FrictionMethod::staggered,FrictionMethod::gauss_seidel}) for (double rig : {3.,10.,30.,300.,1000.,3000.}) for (double mu:{0.,0.5}) {
    if (method==FrictionMethod::cone&&rig>1) continue;
    haptics::FrictionChoice choice = scene.description().friction;
    choice.method=method; choice.rigidity=rig; choice.separation=haptics::Separation::none;
    haptics::Renderer r = renderer_with(scene, mu, choice, scene.description().render);
    Pose start{{0,0,0.046}};
    r.place(start);
    auto m=drive(r,[&](double t){ Pose h=start; h.position[2]-=0.02*std::min(t,1.6); return h;},1.8,context);
    fmt::print("method {} rig {} mu {}: z {} force {} contacts {} {} deepest {} {} fault {}\n",(int)method,rig,mu,m.back().cycle.body.position[2],m.back().cycle.coupling[2],m[600].cycle.contacts,m.back().cycle.contacts,quantile(m,1,[](auto&x){return x.cycle.deepest;}),m.back().cycle.deepest,std::count_if(m.begin(),m.end(),[](auto&x){return x.cycle.phase==haptics::Phase::fault;}));
  }
  return {};
}
}
