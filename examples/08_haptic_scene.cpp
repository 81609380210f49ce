// A peg is set on a bracket, dragged along and lifted, as a hand would feel it: from two STL files to forces.
#include <cmath>
#include <cstdio>

#include "stiction/io/haptic_scene.h"

namespace haptics = stiction::haptics;

int main() {
  const stiction::io::HapticScene scene = stiction::io::read_haptic_scene(PEG_ON_BRACKET);
  const haptics::PreparedScene prepared(scene.scene);
  haptics::Renderer renderer = prepared.renderer();
  const double period = renderer.params().period;
  int held = 0;
  int slides = 0;
  const auto cycles = static_cast<int>(std::lround(scene.duration / period));
  for (int k = 0; k < cycles; ++k) {
    const haptics::Cycle& cycle = renderer.step(scene.hand.path.at(k * period), false);
    held += cycle.phase == haptics::Phase::held ? 1 : 0;
    slides += cycle.phase == haptics::Phase::slides ? 1 : 0;
    if (k % 250 == 0) {
      std::printf("%.2f s: %3zu contacts, force on the hand %7.3f %7.3f %7.3f N\n", k * period, cycle.contacts,
                  cycle.output[0], cycle.output[1], cycle.output[2]);
    }
  }
  std::printf("held in %d cycles, sliding in %d of %d\n", held, slides, cycles);
  return held > 0 && slides > 0 ? 0 : 1;
}
