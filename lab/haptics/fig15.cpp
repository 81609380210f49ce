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
using haptics::Phase;
using haptics::Pose;
using haptics::Vec3;
}
Result haptics_fig15(const Context& context) {
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  Pose pressed{{0.045,0.045,0.045},haptics::rotation_by({.2,-.2,0})};
  Pose start=settled(scene,{{0.06,0.06,0.06}},pressed,context);
  for (double A:{0.001,0.002,0.004}) 
  for (double rig:{1.,1e4})
  for (auto method:{FrictionMethod::cone,FrictionMethod::switched,FrictionMethod::staggered,FrictionMethod::gauss_seidel,FrictionMethod::springs}) {
    if(rig>1&&(method==FrictionMethod::cone||method==FrictionMethod::switched)) continue;
    haptics::FrictionChoice choice = scene.description().friction;
    choice.method=method; choice.rigidity=rig; choice.spring=rig;
    auto params=scene.description().render; 
    haptics::Renderer r = renderer_with(scene, 1, choice, params);
    r.place(start);
    auto hand=[&](double t){ Pose h=pressed; double a=A*std::sin(2*std::numbers::pi*2*t); h.position[0]+=a*.7; h.position[1]-=a*.7; return h;};
    auto m=drive(r,hand,1,context);
    int held=0; double way=0;
    for(size_t k=0;k<m.size();k++){ bool h=m[k].cycle.phase==Phase::held; held+=h; way=std::max(way,spatial::norm(spatial::difference(m[k].cycle.body.position,start.position)));}
    fmt::print("A {} rig {} {}: contacts {} held {} way {:.3e} end {:.3e} us {} fault {}\n",A,rig,(int)method,quantile(m,.5,[](auto&x){return (double)x.cycle.contacts;}),held,way,spatial::norm(spatial::difference(m.back().cycle.body.position,start.position)),quantile(m,.5,[](auto&x){return x.cycle.microseconds[2];}), std::count_if(m.begin(),m.end(),[](auto&x){return x.cycle.phase==Phase::fault;}));
  }
  return {};
}
}
