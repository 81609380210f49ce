// The lab: each published figure or table is an experiment that computes its curves and compares numbers taken from
// them with what was published. Nothing in the library depends on it.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stiction/problem.h"

namespace stiction::lab {

/// The expected outcome of a claim. `refuted`: the published statement is shown to be wrong. `info`: not judged here.
enum class Expect { reproduced, refuted, info };

/// What the published number of a claim rests on.
enum class Evidence {
  printed,      // a number or a statement in the text or a table of the paper
  figure,       // read from a curve or an axis of the paper's figure
  authors,      // the authors' code or data
  program,      // an independent program: another solver, another library
  theory,       // a closed form, or a law that follows from the equations
  requirement,  // what this project asks of itself
};

/// The source of a published number: the kind of evidence, and where it is found.
struct Source {
  Evidence evidence = Evidence::requirement;
  std::string where;
};

inline Source printed(std::string where) { return {Evidence::printed, std::move(where)}; }
inline Source from_figure(std::string where) { return {Evidence::figure, std::move(where)}; }
inline Source from_authors(std::string where) { return {Evidence::authors, std::move(where)}; }
inline Source from_program(std::string where) { return {Evidence::program, std::move(where)}; }
inline Source from_theory(std::string where) { return {Evidence::theory, std::move(where)}; }
inline Source requirement(std::string where) { return {Evidence::requirement, std::move(where)}; }

/// A published number and the computed one.
struct Claim {
  std::string name;
  Source source;
  double published = 0;
  double measured = 0;
  std::string unit;
  std::string relation;  // "within", "at most", "at least"
  double tolerance = 0;  // absolute, in the unit
  bool holds = false;
  Expect expect = Expect::reproduced;
  std::string reason = {};

  /// As expected: holds if reproduced, does not if refuted.
  [[nodiscard]] bool ok() const { return expect == Expect::info || holds == (expect == Expect::reproduced); }

  Claim& as_info(std::string why);
  Claim& as_refuted(std::string why);
};

/// |measured − published| ≤ tolerance
Claim within(std::string name, Source source, double published, double measured, double tolerance, std::string unit);
/// measured ≤ published + tolerance
Claim at_most(std::string name, Source source, double published, double measured, std::string unit,
              double tolerance = 0);
/// measured ≥ published − tolerance
Claim at_least(std::string name, Source source, double published, double measured, std::string unit,
               double tolerance = 0);

struct Column {
  std::string name;  // with its unit, e.g. "position [m]"
  std::variant<std::vector<double>, std::vector<std::string>> values;
};

/// Columns of one length; written as <name>.csv and, where `shown`, printed in the report.
struct Table {
  std::string name;
  std::vector<Column> columns;
  bool shown = false;
};

struct Series {
  std::string table;
  std::size_t x = 0, y = 1;  // columns, from 0
  std::string label;
  /// lines, dashes, points, linespoints, steps, boxes (bars from 0), cells (of a regular grid), or box_plots: lower
  /// whisker, first quartile, median, third quartile and upper whisker in the columns y to y + 4.
  std::string style = "lines";
  std::string panel = {};  // label of the y axis of the panel that shows it; empty: a panel of its own
  std::size_t value = 0;   // column that colours cells and points, above 0
};

/// Written as <name>.svg.
struct Figure {
  std::string name;
  std::string title;
  std::string x_label, y_label;
  std::vector<Series> series;
  bool x_log = false, y_log = false;
  std::size_t panels_in_a_row = 0;        // above 0: small panels, one for each `panel` of the series
  bool equal_units = false;               // a unit has the same length along both axes
  std::vector<std::string> x_names = {};  // shown along the x axis in place of 1, 2, …
};

/// Written as <name>.png.
struct Picture {
  std::string name;
  std::string title;
  std::string png;  // the bytes of the file
};

struct Result {
  std::vector<Claim> claims;
  std::vector<Table> tables;
  std::vector<Figure> figures;
  std::string notes = {};  // explanation for the reader, one paragraph
  std::vector<Picture> pictures = {};
};

/// Thrown inside an experiment when the user has pressed Ctrl-C.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

/// The context of an experiment.
struct Context {
  bool quick = false;                                  // lower resolution or duration, never fewer claims
  std::function<void(double fraction)> progress = {};  // 0 to 1
  std::function<bool()> cancelled = {};

  /// Must be called regularly: shows progress, and throws if the user has asked to stop. Thread-safe.
  void step(double fraction) const;
  /// The same without progress, for long parts of a step.
  void check() const;
};

struct Experiment {
  const char* id;  // "scalar/fig02"
  const char* title;
  const char* source;
  Result (*run)(const Context&);
  double seconds = 1;  // approximate duration in quick mode: the longest are started first
};

/// All experiments, in the order of the report.
std::span<const Experiment> experiments();

/// A finished experiment.
struct Finished {
  const Experiment* experiment = nullptr;
  Result result;
  double seconds = 0;
};

struct Canvas {
  std::size_t width = 760, height = 460;  // [pixels]
  int font_size = 13;
};
/// Draws an .svg or .png file with gnuplot; the script sets everything but terminal and output. Throws InputError for
/// another kind of file and FileError if it cannot be drawn; files are always complete.
void draw(const std::filesystem::path& target, const Canvas& canvas, const std::string& script);

/// Writes the tables as folder/*.csv, the figures as folder/*.svg and the pictures as folder/*.png.
void write(const Result& result, const std::filesystem::path& folder, const Context& context = {});

/// Runs an experiment and writes folder/<id>/*.csv, *.svg and, last, result.json.
Finished run_and_write(const Experiment& experiment, const Context& context, const std::filesystem::path& folder);

/// Writes folder/report.html: one self-contained file with every figure beside its claims.
void write_report(std::span<const Finished> finished, const std::filesystem::path& folder);

/// result.json of one experiment, and of several as an array.
std::string to_json(const Finished& finished);
std::string to_json(std::span<const Finished> finished);

}  // namespace stiction::lab
