// Fig. 1: the time of a whole cycle, contact search and static friction, against the number of contacts, in the paper's
// scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../lab.h"
#include "drive.h"
#include "paper_scenes.h"

namespace stiction::lab::haptics_fig01 {
namespace {

using haptics::FrictionMethod;

constexpr double bin = 10;  // contacts in one row of the table
enum Stage : std::size_t { search = 0, springs = 1, friction = 2, all = 3 };

struct Method {
  FrictionMethod method;
  const char* name;
};
constexpr std::array<Method, 2> methods{
    {{FrictionMethod::switched, "as published, 4 sides"}, {FrictionMethod::cone, "cones"}}};

double contacts_of(const Moment& m) { return static_cast<double>(m.cycle.contacts); }
double milliseconds(const Moment& m, Stage stage) { return m.cycle.microseconds.at(stage) / 1000; }

std::vector<Moment> with_contacts(const std::vector<Moment>& moments, double from, double below) {
  std::vector<Moment> chosen;
  std::ranges::copy_if(moments, std::back_inserter(chosen),
                       [&](const Moment& m) { return contacts_of(m) >= from && contacts_of(m) < below; });
  return chosen;
}

/// Medians for each ten contacts.
Table medians(const std::string& name, const std::vector<Moment>& moments) {
  constexpr std::size_t enough = 5;  // cycles for a median
  std::vector<double> contacts;
  std::array<std::vector<double>, 4> times;
  std::vector<double> lookups;
  for (double from = 1; from <= quantile(moments, 1, contacts_of); from += bin) {
    const std::vector<Moment> chosen = with_contacts(moments, from, from + bin);
    if (chosen.size() < enough) {
      continue;
    }
    contacts.push_back(quantile(chosen, 0.5, contacts_of));
    for (const Stage stage : {search, springs, friction, all}) {
      times.at(stage).push_back(quantile(chosen, 0.5, [&](const Moment& m) { return milliseconds(m, stage); }));
    }
    lookups.push_back(
        quantile(chosen, 0.5, [](const Moment& m) { return static_cast<double>(m.cycle.field_queries); }));
  }
  return {name,
          {{"contacts [-]", contacts},
           {"contact search [ms]", times[search]},
           {"contact springs [ms]", times[springs]},
           {"friction [ms]", times[friction]},
           {"whole cycle [ms]", times[all]},
           {"points looked up [-]", lookups}},
          true};
}

}  // namespace

Result run(const Context& context) {
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  const double duration = context.quick ? 3 : 60;
  const haptics::Trajectory path = paper_path("cube-and-corner", duration);
  Result result;
  Figure figure{"fig01", "Contact search and static friction, each cycle", "contacts", "time of a cycle [ms]", {}};
  figure.y_log = true;
  std::vector<Moment> first;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    haptics::FrictionChoice choice = scene.description().friction;  // pyramids of 4 sides
    choice.method = methods.at(m).method;
    haptics::Renderer renderer = scene.renderer(scene.description().render, choice);
    const double done = 0.5 * static_cast<double>(m);
    const std::vector<Moment> moments =
        drive(renderer, [&](double t) { return path.at(t); }, duration, context, {done, done + 0.5, false});
    const std::vector<Moment> touching = with_contacts(moments, 1, infinity);
    const std::string cycles = fmt::format("cycles_{}", m);
    result.tables.push_back(
        {cycles,
         {{"contacts [-]", numbers(touching, contacts_of)},
          {"whole cycle [ms]", numbers(touching, [](const Moment& x) { return milliseconds(x, all); })}}});
    result.tables.push_back(medians(fmt::format("medians_{}", m), moments));
    figure.series.push_back({cycles, 0, 1, methods.at(m).name, "points"});
    figure.series.push_back(
        {result.tables.back().name, 0, 4, fmt::format("{}, median", methods.at(m).name), "linespoints"});
    first = m == 0 ? moments : first;
  }
  result.figures = {figure,
                    {"stages",
                     "What takes the time, as published, medians",
                     "contacts",
                     "time [ms]",
                     {{"medians_0", 0, 1, "contact search", "linespoints"},
                      {"medians_0", 0, 2, "contact springs", "linespoints"},
                      {"medians_0", 0, 3, "friction", "linespoints"}}}};
  const geometry::PointShell& shell = scene.shells().front();
  const auto points = static_cast<double>(shell.points().size());
  const geometry::DistanceField& field = scene.fields().front();
  const auto cells = static_cast<double>(std::ranges::max(field.data().blocks) * geometry::FieldData::side);
  const double most = quantile(first, 1, contacts_of);
  const auto lookups = [&](const Moment& m) { return static_cast<double>(m.cycle.field_queries) / points; };
  const std::vector<Moment> hundred = with_contacts(first, 100 - bin, 100 + bin);
  result.notes = fmt::format(
      "The paper's scene: a cube with a distance field of 256 cells along its side, band included, and a corner with "
      "{:g} points in {} levels, under a hand that presses, drags and rotates the cube in the corner for {:g} s of its "
      "time. Each point is a cycle: search for contacts, their springs, and friction by the paper's program (pyramids "
      "of four sides, friction or none) or by cones. Times are of one core of this machine; quick runs share it with "
      "others.",
      points, shell.levels(), duration);
  result.claims = {
      within("points of the corner's shell", requirement("the scene of Fig. 1: 7,772"), 7772, points, 0, "-"),
      within("levels of the corner's shell", requirement("the scene of Fig. 1: 8"), 8,
             static_cast<double>(shell.levels()), 0, "-"),
      within("cells of the cube's field", requirement("the scene of Fig. 1: 256 × 256 × 256"), 256, cells, 0, "-"),
      at_least("most contacts in a cycle", requirement("as many as in Fig. 1: 100"), 100, most, "-"),
      at_most("points looked up in a cycle over all points, median of cycles with contact",
              requirement("nested levels spare most of them"), 0.5,
              quantile(with_contacts(first, 1, infinity), 0.5, lookups), "-"),
      at_most("whole cycle with 90 to 110 contacts, median", printed("Fig. 1, caption: under 1 ms at 100"), 1,
              hundred.empty() ? 0 : quantile(hundred, 0.5, [](const Moment& m) { return milliseconds(m, all); }), "ms")
          .as_info("depends on the machine"),
      at_most("whole cycle with 90 to 110 contacts, 99 % of them", printed("Fig. 1, caption: under 1 ms at 100"), 1,
              hundred.empty() ? 0 : quantile(hundred, 0.99, [](const Moment& m) { return milliseconds(m, all); }), "ms")
          .as_info("depends on the machine"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_fig01
