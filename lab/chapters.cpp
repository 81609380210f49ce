#include "chapters.h"

#include <algorithm>
#include <array>

namespace stiction::lab {
namespace {

constexpr std::array<Chapter, 5> chapters{{
    {"scalar", "Friction of one axis",
     "From Coulomb's law to bristles: how models break away, creep, hunt and lose energy, beside numbers of "
     "independent "
     "code and closed forms."},
    {"control", "Friction compensation and identification",
     "Observers, adaptation, dither and detectors on the servo of the paper, and its parameters found again from noisy "
     "logs."},
    {"planar", "Friction of a contact patch",
     "Many bristles, three states, limit surfaces: every figure and table of the paper, its authors' files, and what "
     "it costs."},
    {"spatial", "Friction cones, and the static friction of many contacts",
     "Which friction can hold a load, how the body moves if none can, and how fast that is known: beside the paper's "
     "programs and a solver off the shelf."},
    {"haptics", "Static friction in the hand",
     "Two meshes, a hand, a thousand cycles a second. The first experiment shows on one screen why springs are not "
     "enough and what the solver does instead. Then the paper, figure by figure: contact that gives way (Fig. 2), the "
     "scenes and their rates, no stickiness and static damping (Figs. 6, 7), forces that leave the normal (Figs. 8 to "
     "11), the force to insert a peg (Fig. 12), holding and sliding by turns (Fig. 14), the baselines (Figs. 15 to 18) "
     "and "
     "their costs, and what the paper leaves for the future."},
}};

}  // namespace

Chapter chapter_of(std::string_view experiment) noexcept {
  const std::string_view group = experiment.substr(0, experiment.find('/'));
  const auto* const found = std::ranges::find(chapters, group, &Chapter::group);
  return found != chapters.end() ? *found : Chapter{group, "", ""};
}

}  // namespace stiction::lab
