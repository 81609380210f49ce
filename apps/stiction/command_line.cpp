#include "command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "commands.h"
#include "complain.h"
#include "self_description.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/cvode.h"
#include "stiction/version.h"

namespace {

namespace cli = stiction::cli;

int fail(const std::string& message) {
  cli::complain(message);
  return cli::exit_bad_input;
}

/// A program may be started without standard streams. The first files that it opens would then get their descriptors,
/// and output would be written into them: reserves the descriptors, so that writing to them fails instead.
void hold_standard_files() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (::fcntl(file, F_GETFD) == -1 && errno == EBADF) {
      [[maybe_unused]] const int held = ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

/// The message for a first word that is neither a command nor an option; empty where it is one.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) {
    const bool known = app.get_option_no_throw(word) != nullptr;
    return known ? "" : fmt::format("unknown option '{}' (see stiction --help)", word);
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    return {};
  }
  const std::string near = stiction::io::closest(word, names);
  return fmt::format("unknown command '{}'{} (see stiction --help)", word,
                     near.empty() ? "" : fmt::format(", did you mean '{}'?", near));
}

void examples(CLI::App* command, std::initializer_list<const char*> lines) {
  std::string text = "Examples:";
  for (const char* line : lines) {
    text += std::string("\n  stiction ") + line;
  }
  command->footer(text);
}

void add_mesh_options(CLI::App* command, cli::MeshArguments& mesh) {
  command->add_option("MESH", mesh.file, "The surface of a solid: .stl, .obj or .ply")->required();
  command->add_option("--scale", mesh.scale, "Metres for one unit of the file, e.g. 0.001")->capture_default_str();
  command->add_option("--cache", mesh.cache, "Folder to keep the result in (default: the user's)");
  command->add_flag("--no-cache", mesh.no_cache, "Make it without storing it");
  command->add_option("--figure", mesh.figure, "Draw it: FILE.svg or FILE.png");
  command->add_flag("--json", mesh.json, "Print an object");
}

void add_scene_options(CLI::App* command, cli::HapticArguments& haptic_scene) {
  command->add_option("--cache", haptic_scene.cache, "Folder for fields and shells (default: the user's)");
  command->add_flag("--no-cache", haptic_scene.no_cache, "Make them without storing them");
  command->add_flag("--json", haptic_scene.json, "Print an object");
}

/// The commands in the order of the help, with the arguments that the parser fills in.
struct CommandLine {
  CLI::App app{"Friction models, simulation and reproduced experiments.", "stiction"};
  int exit_code = cli::exit_good;
  std::string model;
  bool models_json = false;
  bool list_presets = false;
  bool as_bam = false;
  bool list_json = false;
  cli::ReproduceArguments arguments;
  cli::SimulateArguments simulation;
  cli::AdviseArguments question;
  cli::DetectArguments log;
  cli::InspectArguments inspection;
  cli::IdentifyArguments logs;
  cli::LimitSurfaceArguments surface;
  cli::SdfArguments field;
  cli::ShellArguments points;
  cli::HapticArguments scene;
  cli::InsertabilityArguments insertion;
  bool bench_json = false;
  std::string bench_group;
  cli::RepairArguments repair;
  bool doctor_json = false;
  std::string shell_name;
  std::string share;

  CommandLine();
  int run(int argc, char** argv);

  void add_models();
  void add_list();
  void add_reproduce();
  void add_simulate();
  void add_advise();
  void add_detect();
  void add_inspect();
  void add_identify();
  void add_limit_surface();
  void add_sdf();
  void add_shell();
  void add_haptic();
  void add_bench();
  void add_mesh();
  void add_doctor();
  void add_self_description();
};

CommandLine::CommandLine() {
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good, 1 a claim does not hold or a solution diverged, 2 bad input or a file that cannot be "
      "written, 130 interrupted.");
  add_models();
  add_list();
  add_reproduce();
  add_simulate();
  add_advise();
  add_detect();
  add_inspect();
  add_identify();
  add_limit_surface();
  add_sdf();
  add_shell();
  add_haptic();
  add_bench();
  add_mesh();
  add_doctor();
  add_self_description();
}

void CommandLine::add_models() {
  auto* models = app.add_subcommand("models", "Models with equations, parameters, units and ranges");
  models->add_option("NAME", model,
                     "One model in detail; or a model's TOML file, or a servo's JSON file of Rhoban/bam");
  models->add_flag("--json", models_json, "Print an array of objects");
  models->add_flag("--presets", list_presets, "Published parameter sets instead");
  models->add_flag("--bam", as_bam, "Print the gear of a file as a servo's JSON file of Rhoban/bam, not as TOML");
  examples(models, {"models", "models lugre", "models --presets --json", "models m6.json", "models servo.toml --bam"});
  models->callback([&] {
    if (as_bam || model.ends_with(".json") || model.ends_with(".toml")) {
      if (models_json || list_presets) {
        throw stiction::io::InputError(
            "a model's file is printed as TOML, or with --bam: leave out --json and --presets");
      }
      exit_code = cli::model_file(model, as_bam);
    } else {
      exit_code = list_presets ? cli::presets(model, models_json) : cli::models(model, models_json);
    }
  });
}

void CommandLine::add_list() {
  auto* list = app.add_subcommand("list", "Experiments that can be reproduced");
  list->add_flag("--json", list_json, "Print an array of objects");
  examples(list, {"list", "list --json"});
  list->callback([this] { exit_code = cli::list_experiments(list_json); });
}

void CommandLine::add_reproduce() {
  auto* reproduce = app.add_subcommand("reproduce", "Run experiments: CSV, SVG, result.json and one report.html");
  reproduce->add_option("ID", arguments.ids, "Experiments, e.g. scalar/fig02 (default: all)");
  reproduce->add_flag("--all", arguments.all, "Every experiment");
  reproduce->add_flag("--quick", arguments.quick, "Lower resolution or duration, every claim");
  reproduce->add_option("--out", arguments.out, "Folder for the results")->capture_default_str();
  reproduce->add_flag("--json", arguments.json, "Print the results as JSON instead of a table");
  examples(reproduce, {"reproduce scalar/fig03 --quick", "reproduce scalar/fig02 planar/limit-curves --out results",
                       "reproduce --all --quick --json"});
  reproduce->callback([this] { exit_code = cli::reproduce(arguments); });
}

void CommandLine::add_simulate() {
  auto* simulate = app.add_subcommand("simulate", "Run a scenario described in a TOML file (docs/scenarios.md)");
  simulate->add_option("SCENARIO", simulation.scenario, "The TOML file")->required();
  simulate->add_option("--out", simulation.out, "Folder for the CSV file and the figure")->capture_default_str();
  simulate->add_flag("--no-figure", simulation.no_figure, "No figure, only numbers");
  simulate->add_flag("--json", simulation.json, "Print an object");
  examples(simulate, {"simulate examples/scenarios/lugre_stick_slip.toml",
                      "simulate examples/scenarios/in_hand_slip.toml --out results --json"});
  simulate->callback([this] { exit_code = cli::simulate(simulation); });
}

void CommandLine::add_advise() {
  auto* advise = app.add_subcommand("advise", "Which scheme and step suit a model: stable, creeping, passive?");
  advise->add_option("MODEL", question.file, "A TOML file with a [model] table, e.g. a scenario")->required();
  advise->add_option("--dt", question.step, "Step [s]")->required();
  advise->add_option("--mass", question.mass, "Mass [kg] or inertia [kg m^2] (default: [body].mass, or the preset's)");
  advise->add_option("--speed", question.speed, "Speed of sliding [m/s] (default: ten times the model's own scale)");
  advise->add_flag("--json", question.json, "Print an object");
  examples(advise, {"advise examples/scenarios/servo_pid_hunting.toml --dt 1e-3",
                    "advise examples/scenarios/servo_pid_hunting.toml --dt 1e-4 --json"});
  advise->callback([this] { exit_code = cli::advise(question); });
}

void CommandLine::add_detect() {
  auto* detect = app.add_subcommand("detect", "Does a log of a control loop show friction?");
  detect->add_option("LOG", log.file, "CSV with a header: an error, or a reference and a measured position")
      ->required();
  detect->add_option("--error", log.error, "Column of the error (default: guessed by its name)");
  detect->add_option("--reference", log.reference, "Column of the reference");
  detect->add_option("--position", log.position, "Column of the measured position; the error is reference minus this");
  detect->add_option("--time", log.time, "Column of the time [s]");
  detect->add_option("--loop", log.loop, "What is controlled (default: by the name of the reference)")
      ->check(CLI::IsMember({"position", "velocity"}));
  detect->add_option("--from", log.from, "Ignore the log before this time [s], e.g. the start-up");
  detect->add_flag("--slides", log.slides, "The body slides to and fro, though no reference says so");
  detect->add_flag("--json", log.json, "Print an object");
  examples(detect, {"detect examples/logs/servo_with_friction.csv",
                    "detect examples/logs/servo_with_friction.csv --from 1 --json"});
  detect->callback([this] { exit_code = cli::detect(log); });
}

void CommandLine::add_inspect() {
  auto* inspect = app.add_subcommand("inspect", "What is in a log, and which friction models it can support");
  inspect->add_option("LOG", inspection.logs, "Text with columns (CSV of any dialect), or MATLAB's .mat")->required();
  inspect->add_option("--out", inspection.out, "Folder for tables and figures (default: none)");
  inspect
      ->add_option("--column", inspection.columns,
                   "Column of a quantity, e.g. torque=tau, or torque=3 in a file without names (may be repeated)")
      ->allow_extra_args(false);
  inspect
      ->add_option("--unit", inspection.units,
                   "Unit of a quantity, e.g. position=deg or position=0.00153rad (may be repeated)")
      ->allow_extra_args(false);
  inspect->add_option("--torque-constant", inspection.torque_constant, "The torque is the current times this [N m/A]");
  inspect->add_flag("--json", inspection.json, "Print an array of objects");
  examples(inspect, {"inspect examples/logs/steady_friction.csv", "inspect run1.csv run2.mat --out out/inspect",
                     "inspect servo.csv --column torque=present_current --unit torque=0.0018Nm --json"});
  inspect->callback([this] { exit_code = cli::inspect(inspection); });
}

void CommandLine::add_identify() {
  auto* identify = app.add_subcommand("identify", "Fit a friction model to logs, with confidence intervals");
  identify->add_option("LOG", logs.logs, "CSV files: recordings, and tables of steady friction");
  identify->add_option("--model", logs.model, "lugre, elasto-plastic, dahl, gms, ...; auto chooses")
      ->capture_default_str();
  identify->add_option("--drive", logs.drive, "What moves the model: auto, motion, torque, loop")
      ->capture_default_str();
  identify->add_option("--out", logs.out, "Folder for model.toml, fit.json, figures")->capture_default_str();
  identify->add_option("--column", logs.columns, "Column of a quantity, e.g. torque=tau (may be repeated)")
      ->allow_extra_args(false);
  identify->add_option("--unit", logs.units, "Unit of a quantity, e.g. position=deg (may be repeated)")
      ->allow_extra_args(false);
  identify->add_option("--torque-constant", logs.torque_constant, "The torque is the current times this [N m/A]");
  identify->add_option("--mass", logs.mass, "Mass [kg] or inertia [kg m^2], where it is known");
  identify->add_option("--stribeck-exponent", logs.stribeck_exponent, "Shape of the Stribeck drop, not fitted")
      ->capture_default_str();
  identify->add_flag("--json", logs.json, "Print the result as JSON");
  identify->add_flag("--experiment-plan", logs.plan,
                     "Instead: write the experiments to run on the axis for identification");
  identify->add_option("--max-torque", logs.limits.torque, "Plan: largest command [N] or [N m]");
  identify->add_option("--max-speed", logs.limits.speed, "Plan: largest speed [m/s] or [rad/s]");
  identify->add_option("--travel", logs.limits.travel, "Plan: from end to end [m] or [rad]");
  identify->add_option("--rate", logs.limits.sample_rate, "Plan: samples per second")->capture_default_str();
  identify->add_option("--friction", logs.limits.friction, "Plan: break-away [N] or [N m], where roughly known");
  identify->add_option("--stiffness", logs.limits.stiffness, "Plan: presliding stiffness, where roughly known");
  examples(identify, {"identify examples/logs/steady_friction.csv --model stribeck",
                      "identify run1.csv run2.csv --model lugre --mass 0.0023 --unit position=deg",
                      "identify --experiment-plan --max-torque 2 --max-speed 10 --travel 3"});
  identify->callback([this] { exit_code = cli::identify(logs); });
}

void CommandLine::add_limit_surface() {
  auto* limit_surface = app.add_subcommand("limit-surface", "Friction of a sliding contact patch in every direction");
  limit_surface->add_option("PATCH", surface.file, "A TOML file with a [patch] table (docs/planar/patch-files.md)")
      ->required();
  limit_surface->add_option("--cells", surface.quarter, "Directions for a quarter turn")->capture_default_str();
  limit_surface->add_option("--out", surface.out, "Folder for the table (CSV) and the mesh (PLY)")
      ->capture_default_str();
  limit_surface->add_option("--load", surface.load, "FX,FY,TORQUE on the body [N, N m]: does it slip, and which way?")
      ->delimiter(',')
      ->expected(1, 3);
  limit_surface->add_option("--at", surface.load_at, "X,Y where the load acts [m] (default: the centre of pressure)")
      ->delimiter(',')
      ->expected(1, 2);
  limit_surface->add_option("--friction", surface.friction, "mu f_N for the load [N]")->capture_default_str();
  limit_surface->add_option("--figure", surface.figure, "Draw the surface: FILE.svg or FILE.png");
  limit_surface->add_flag("--json", surface.json, "Print an object");
  examples(limit_surface, {"limit-surface examples/patches/soft_finger.toml --figure surface.svg",
                           "limit-surface examples/patches/tactile_image.toml --load 0.5,0,0.001 --friction 2"});
  limit_surface->callback([this] { exit_code = cli::limit_surface(surface); });
}

void CommandLine::add_sdf() {
  auto* sdf = app.add_subcommand("sdf", "Make and inspect the signed distance field of a mesh");
  add_mesh_options(sdf, field);
  sdf->add_option("--resolution", field.resolution, "Cells along the longest side, 32 to 1024")->capture_default_str();
  sdf->add_option("--band", field.band, "Cells on each side of the surface, 1 to resolution/16")->capture_default_str();
  sdf->add_option("--slice", field.slice, "Plane of the figure, e.g. z=0.01 [m] (default: through the middle)");
  sdf->add_option("--check", field.check_points, "Random points to compare with the exact distance")
      ->capture_default_str();
  examples(sdf, {"sdf examples/meshes/bracket.stl --resolution 96 --figure slice.png",
                 "sdf part.stl --scale 0.001 --slice z=0.01 --json"});
  sdf->callback([this] { exit_code = cli::sdf(field); });
}

void CommandLine::add_shell() {
  auto* shell = app.add_subcommand("shell", "Make and inspect the nested point shell of a mesh");
  add_mesh_options(shell, points);
  shell->add_option("--points", points.points, "How many, 1 to 1000000")->capture_default_str();
  shell->add_option("--levels", points.levels, "Nested levels, 1 to 20")->capture_default_str();
  shell->add_option("--seed", points.seed, "Another seed, another shell")->capture_default_str();
  shell->add_option("--out", points.out, "Write points, normals and levels: FILE.ply");
  examples(shell, {"shell examples/meshes/peg.stl --points 672 --figure shell.png",
                   "shell part.stl --scale 0.001 --out shell.ply"});
  shell->callback([this] { exit_code = cli::shell(points); });
}

void CommandLine::add_haptic() {
  auto* haptic = app.add_subcommand("haptic", "Render a scene to a hand: contacts, friction, forces (6 DoF)");
  haptic->add_option("SCENE", scene.scene,
                     "A TOML file (docs/haptics/scene-files.md), or cube-and-corner, peg-and-hole, engine-bay, door");
  add_scene_options(haptic, scene);
  haptic->add_option("--out", scene.out, "Folder for cycles, contacts and pictures")->capture_default_str();
  haptic->add_option("--duration", scene.duration, "Seconds to run (default: those of the scene)");
  haptic->add_option("--every", scene.every, "Cycles for a row of cycles.csv")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  haptic->add_option("--repeat", scene.repeat, "Runs of the same motion, to tell a cycle's own time from the system's")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  haptic->add_flag("--realtime", scene.realtime, "At the rate of the servo (default: as fast as it goes)");
  haptic
      ->add_option("--priority", scene.priority, "With --realtime: real-time priority, 1 to 99 (needs the right to it)")
      ->check(CLI::Range(1, 99));
  haptic->add_flag("--no-pictures", scene.no_pictures, "Neither a picture nor an animation");
  auto* insertability = haptic->add_subcommand("insertability", "The largest friction with which a part goes in");
  insertability->add_option("SCENE", insertion.scene, "As above; the hand's path leads the part in")->required();
  add_scene_options(insertability, insertion);
  insertability->add_option("--tolerance", insertion.tolerance, "Distance from the end that counts as in [m]")
      ->capture_default_str();
  insertability->add_option("--max-force", insertion.max_force, "Largest force of the hand [N]");
  insertability->add_option("--max-friction", insertion.max_friction, "Largest coefficient tried")
      ->capture_default_str();
  insertability->add_option("--sweep", insertion.sweep, "Coefficients before the bisection")->capture_default_str();
  insertability->add_option("--resolution", insertion.resolution, "Resolution of the bisection")->capture_default_str();
  examples(haptic, {"haptic peg-and-hole --duration 5", "haptic examples/scenes/peg_on_bracket.toml --json",
                    "haptic insertability examples/scenes/peg_in_hole.toml"});
  examples(insertability, {"haptic insertability examples/scenes/peg_in_hole.toml",
                           "haptic insertability peg-and-hole --max-friction 1 --json"});
  haptic->callback([this, insertability] {
    if (insertability->parsed()) {
      exit_code = cli::haptic_insertability(insertion);
    } else if (scene.scene.empty()) {
      throw CLI::RequiredError("SCENE");
    } else {
      exit_code = cli::haptic(scene);
    }
  });
}

void CommandLine::add_bench() {
  auto* bench = app.add_subcommand("bench", "Speed as ratios to baselines measured in the same run");
  bench->add_option("GROUP", bench_group, "Only these (default: all)")->check(CLI::IsMember({"planar", "spatial"}));
  bench->add_flag("--json", bench_json, "Print an array of objects");
  examples(bench, {"bench", "bench planar --json"});
  bench->callback([this] { exit_code = cli::bench(bench_group, bench_json); });
}

void CommandLine::add_mesh() {
  auto* mesh = app.add_subcommand("mesh", "Repair a mesh");
  mesh->require_subcommand(1);
  auto* mesh_repair = mesh->add_subcommand("repair", "Weld, fill holes, orient; says what was changed");
  mesh_repair->add_option("FILE", repair.file, "An open or damaged surface: .stl, .obj or .ply")->required();
  mesh_repair->add_option("--out", repair.out, "Write it to FILE.stl or FILE.ply (default: out/NAME-repaired.stl)");
  mesh_repair->add_option("--scale", repair.scale, "Metres for one unit of the file, e.g. 0.001")
      ->capture_default_str();
  mesh_repair->add_option("--weld", repair.weld,
                          "Vertices closer than this become one [m] (default: 1e-6 of its size)");
  mesh_repair->add_option("--max-edges", repair.max_edges, "Larger holes stay open (default: any is filled)");
  mesh_repair->add_flag("--json", repair.json, "Print an object");
  examples(mesh, {"mesh repair part.stl --scale 0.001"});
  examples(mesh_repair, {"mesh repair part.stl", "mesh repair part.stl --scale 0.001 --out closed.ply --json",
                         "mesh repair part.obj --weld 1e-5 --max-edges 50"});
  mesh_repair->callback([this] { exit_code = cli::mesh_repair(repair); });
}

void CommandLine::add_doctor() {
  auto* doctor = app.add_subcommand("doctor", "What is installed, which optional parts work, CPU features in use");
  doctor->add_flag("--json", doctor_json, "Print an object");
  examples(doctor, {"doctor", "doctor --json"});
  doctor->callback([this] { exit_code = cli::doctor(doctor_json); });
}

void CommandLine::add_self_description() {
  // Hidden from the help: these two are for packages and for the start-up files of shells (docs/install.md).
  auto* completion = app.add_subcommand("completion", "Print the completion of a shell")->group("");
  completion->add_option("SHELL", shell_name, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  examples(completion, {"completion bash"});
  completion->callback([this] { fmt::print("{}", cli::completion(app, shell_name)); });
  auto* manual = app.add_subcommand("manual", "Write manual pages and completions")->group("");
  manual->add_option("--out", share, "Folder for them, as below /usr/share")->required();
  examples(manual, {"manual --out share"});
  manual->callback([this] { cli::write_self_description(app, share); });
}

int CommandLine::run(int argc, char** argv) {
  if (argc < 2) {
    return cli::overview();
  }
  if (const std::string problem = unknown_command(app, argv[1]); !problem.empty()) {
    return fail(problem);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      return app.exit(error);  // --help and --version
    }
    return fail(fmt::format("{} (see stiction --help)", error.what()));
  } catch (const stiction::sim::SolverFailure& error) {
    cli::complain(error.what());
    return cli::exit_claim_failed;
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  return exit_code;
}

}  // namespace

int stiction::cli::command_line(int argc, char** argv) {
  hold_standard_files();
  const int exit_code = CommandLine().run(argc, argv);
  const bool printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (!printed && exit_code != cli::exit_bad_input) {  // lost output is a failure
    return fail(fmt::format("cannot write the results to standard output: {}", std::strerror(errno)));
  }
  return exit_code;
}
