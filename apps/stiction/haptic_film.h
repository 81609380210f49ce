// Output of `stiction haptic`: the moment of the largest force as a picture and a table, and the whole motion as an
// animation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/haptics/servo.h"
#include "stiction/viz/gltf.h"
#include "stiction/viz/scene_picture.h"

namespace stiction::cli {

class Film {
 public:
  /// Without pictures only the table is written.
  explicit Film(bool pictures) : pictures_(pictures) {}

  void add(const haptics::ServoCycle& servo, const haptics::Renderer& renderer);
  /// contacts.csv, scene.png, scene.glb
  void write(const std::filesystem::path& folder, const haptics::SceneDescription& scene) const;

 private:
  [[nodiscard]] std::string contacts() const;

  bool pictures_;
  double largest_ = -1;  // force so far [N]
  viz::AnimationFrame strongest_;
  std::vector<haptics::ContactForce> contacts_;
  std::vector<viz::AnimationFrame> frames_;
};

}  // namespace stiction::cli
