// The sub-commands. Each returns the exit code; bad input is thrown and reported by main in one line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stiction/identify/plan.h"

namespace stiction::cli {

inline constexpr int exit_good = 0;
inline constexpr int exit_claim_failed = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_interrupted = 130;

int models(const std::string& name, bool json);
/// A model's file as TOML, or as a servo's file of Rhoban/bam.
int model_file(const std::string& file, bool as_bam);
/// The parameter sets, of one model where it is named.
int presets(const std::string& model_name, bool json);
int list_experiments(bool json);

struct ReproduceArguments {
  std::vector<std::string> ids;
  bool all = false;
  bool quick = false;
  bool json = false;
  std::string out = "out";
};
int reproduce(const ReproduceArguments& arguments);

struct SimulateArguments {
  std::string scenario;
  std::string out = "out";
  bool no_figure = false;
  bool json = false;
};
int simulate(const SimulateArguments& arguments);

struct AdviseArguments {
  std::string file;
  double step = 0;  // [s]
  std::optional<double> mass, speed;
  bool json = false;
};
int advise(const AdviseArguments& arguments);

struct DetectArguments {
  std::string file;
  std::string error, reference, position, time;  // columns; empty: guessed by their names
  std::string loop;                              // position, velocity, or empty: by the name of the reference
  std::optional<double> from;                    // [s]
  bool slides = false;
  bool json = false;
};
int detect(const DetectArguments& arguments);

struct IdentifyArguments {
  std::vector<std::string> logs;
  std::string model = "auto";
  std::string drive = "auto";  // or motion, torque, loop
  std::string out = "out";
  std::vector<std::string> columns, units;  // quantity=name
  std::optional<double> torque_constant;    // [N m/A]
  std::optional<double> mass;
  double stribeck_exponent = 2;
  bool json = false;
  bool plan = false;  // instead of a fit: what to run on the axis
  identify::Limits limits;
};
int identify(const IdentifyArguments& arguments);

struct InspectArguments {
  std::vector<std::string> logs;
  std::string out;                          // folder for tables and figures; empty: none
  std::vector<std::string> columns, units;  // quantity=name
  std::optional<double> torque_constant;    // [N m/A]
  bool json = false;
};
int inspect(const InspectArguments& arguments);

struct LimitSurfaceArguments {
  std::string file;
  std::string out = "out";
  int quarter = 20;  // cells for a quarter turn
  bool json = false;
  std::vector<double> load;     // f_x, f_y [N], torque [N m]; empty: none
  std::vector<double> load_at;  // x, y [m]; empty: the centre of pressure
  double friction = 1;          // mu f_N [N]
  std::string figure;
};
int limit_surface(const LimitSurfaceArguments& arguments);

/// Arguments common to `sdf` and `shell`.
struct MeshArguments {
  std::string file;
  double scale = 1;   // metres for one unit of the file
  std::string cache;  // folder; empty: the user's
  bool no_cache = false;
  std::string figure;
  bool json = false;
};
struct SdfArguments : MeshArguments {
  double resolution = 256;
  double band = 4;    // [cells]
  std::string slice;  // "z=0.01"; empty: the middle, across the shortest side
  int check_points = 2000;
};
int sdf(const SdfArguments& arguments);

struct ShellArguments : MeshArguments {
  int points = 8000;
  int levels = 8;
  std::uint64_t seed = 1;
  std::string out;  // .ply
};
int shell(const ShellArguments& arguments);

struct RepairArguments {
  std::string file;
  double scale = 1;                      // metres for one unit of the file
  std::string out;                       // .stl or .ply; empty: out/<name>-repaired.stl
  double weld = 0;                       // [m]; 0: as the library chooses
  std::optional<std::size_t> max_edges;  // of a hole; none: any
  bool json = false;
};
int mesh_repair(const RepairArguments& arguments);

/// Reports what is installed, and which parts work.
int doctor(bool json);
/// Typical tasks, with an example each.
int overview();

struct HapticArguments {
  std::string scene;               // a file, or the name of a scene that is built in
  std::optional<double> duration;  // [s]; none: that of the scene
  std::string cache;               // folder; empty: the user's
  bool no_cache = false;
  bool json = false;
  std::string out = "out";
  int every = 10;         // cycles for a row of cycles.csv
  int repeat = 1;         // runs of the same motion: a cycle's own time is the minimum over them
  bool realtime = false;  // at the servo's rate, instead of as fast as it goes
  int priority = 0;       // of SCHED_FIFO, in real time; 0: as it is
  bool no_pictures = false;
};
int haptic(const HapticArguments& arguments);

struct InsertabilityArguments : HapticArguments {
  double tolerance = 1e-3;   // [m]
  double max_force = 1e300;  // [N]
  double max_friction = 2;
  int sweep = 9;
  double resolution = 0.01;
};
int haptic_insertability(const InsertabilityArguments& arguments);

/// `group`: planar, spatial, or empty for all.
int bench(const std::string& group, bool json);

}  // namespace stiction::cli
