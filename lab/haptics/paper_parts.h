// The four pairs of parts of "6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming", rebuilt at
// the paper's sizes from descriptions of our own. Metres.
#pragma once

#include "stiction/export.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"
#include "stiction/geometry/point_shell.h"

namespace stiction::lab {

/// One part has a distance field, the other a point shell. Each mesh is in its own frame. Translated by `moving_at`,
/// without rotation, the moving part is at its place, or at the start of its path.
struct PaperParts {
  geometry::Mesh fixed;
  geometry::Mesh moving;
  bool shell_moves = true;  // the moving part has the shell, the fixed one the field; otherwise vice versa
  geometry::FieldParams field;
  geometry::ShellParams shell;
  Vector3 moving_at{};

  [[nodiscard]] const geometry::Mesh& field_mesh() const noexcept { return shell_moves ? fixed : moving; }
  [[nodiscard]] const geometry::Mesh& shell_mesh() const noexcept { return shell_moves ? moving : fixed; }
};

/// A cube of 10 cm and a floor with two walls, which have the shell. In the corner it touches all three.
PaperParts cube_and_corner(const geometry::Progress& progress = {});
/// A peg with a diameter of 2 cm, and a block whose hole is 1 % smaller. The start is just above the hole.
PaperParts peg_and_hole(const geometry::Progress& progress = {});
/// A starter motor and the pocket of an engine bay that it must be rotated into, between ribs, pipes and bolts.
PaperParts engine_bay(const geometry::Progress& progress = {});
/// A window motor and a door with its pressed ribs, beams and openings; the door has the shell.
PaperParts door(const geometry::Progress& progress = {});

}  // namespace stiction::lab
