#include "haptics/paper_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "stiction/problem.h"

namespace stiction::lab {
namespace {

using test::message_of;
using ::testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PaperScenes, PathsHaveALength) {
  for (const double duration : {std::numeric_limits<double>::quiet_NaN(), infinity, -1.0, 0.0, 1e6}) {
    EXPECT_THAT(message_of<InvalidParameter>([&] { paper_path("peg-and-hole", duration); }), HasSubstr("duration"));
  }
}

TEST(PaperScenes, NamesAreKnown) {
  EXPECT_THAT(message_of<InvalidParameter>([] { paper_scene("dor"); }), HasSubstr("engine-bay or door"));
  EXPECT_EQ(scene_catalogue().scenes.size(), paper_scenes().size());
}

TEST(PaperScenes, AreReadByNameWithTheirHand) {
  const io::HapticScene scene = io::read_haptic_scene("peg-and-hole", scene_catalogue());
  EXPECT_EQ(scene.scene.moving.name, "peg");
  EXPECT_EQ(scene.duration, 60);
  EXPECT_EQ(scene.hand.path.poses().back().pose.position, paper_path("peg-and-hole", 60).poses().back().pose.position);
}

// Whoever links the library alone has no scenes but those of files.
TEST(PaperScenes, AreNotPartOfTheLibrary) {
  EXPECT_THAT(message_of<io::InputError>([] { io::parse_haptic_scene("built_in = 'door'", "s.toml"); }),
              HasSubstr("s.toml"));
  EXPECT_THAT(message_of<io::InputError>([] { io::read_haptic_scene("door"); }), HasSubstr("door"));
}

TEST(PaperScenes, BaselinesAreMethodsOfSceneFiles) {
  const auto choice = [](const std::string& friction) {
    return io::parse_haptic_scene("built_in = 'peg-and-hole'\n[friction]\n" + friction, "s.toml", {}, scene_catalogue())
        .scene.friction;
  };
  EXPECT_TRUE(choice("method = 'springs'\nstiffness_ratio = 0.1").custom);
  EXPECT_FALSE(choice("method = 'pyramid'").custom);
  EXPECT_THAT(message_of<io::InputError>([&] { choice("method = 'springs'\nstiffness_ratio = 0"); }),
              HasSubstr("friction.stiffness_ratio = 0: must be > 0"));
}

}  // namespace
}  // namespace stiction::lab
