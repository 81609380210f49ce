#include <array>

#include "control/experiments.h"
#include "control/more.h"
#include "haptics/experiments.h"
#include "lab.h"
#include "planar/experiments.h"
#include "scalar/experiments.h"
#include "spatial/experiments.h"

namespace stiction::lab {

std::span<const Experiment> experiments() {
  constexpr const char* olsson =
      "Olsson, Åström, Canudas de Wit, Gäfvert, Lischinsky: Friction Models and Friction Compensation, 1998";
  constexpr const char* waltersson =
      "Waltersson, Karayiannidis: Planar Friction Modelling with LuGre Dynamics and Limit Surfaces, arXiv:2308.01123";
  constexpr const char* haptic = "6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming";
  static const auto all = std::to_array<Experiment>({
      {"scalar/fig01", "Friction against displacement, from rest through break-away", olsson, fig01_rabinowicz},
      {"scalar/fig02", "Break-away force against the rate of the applied force", olsson, fig02_breakaway},
      {"scalar/fig03", "Presliding displacement under a force that never reaches break-away", olsson, fig03_presliding},
      {"scalar/fig04", "Frictional lag: friction against a velocity that rises and falls", olsson, fig04_lag},
      {"scalar/fig05", "Static friction models and the Stribeck curve", olsson, fig05_static_curves},
      {"scalar/fig06", "The hysteresis loop of Dahl's model, for several exponents", olsson, fig06_dahl_loop},
      {"scalar/fig07", "Response of a servo with Bliman-Sorine friction to a small sinusoidal torque", olsson,
       fig07_bliman_sorine_response},
      {"scalar/fig08", "Response of a servo with LuGre friction to a small sinusoidal torque", olsson,
       fig08_lugre_response},
      {"scalar/fig09", "The states of Bliman and Sorine's model, and the ideal trajectory", olsson, fig09_phase_plane},
      {"scalar/fig11", "Small displacements under a torque in one direction", olsson, fig11_one_way_torque},
      {"scalar/fig12", "Small displacements under a torque that changes its sign", olsson, fig12_changing_torque},
      {"scalar/damping", "Small free oscillations in presliding against eqs. 27 to 29", olsson, presliding_damping},
      {"scalar/dissipativity", "Where LuGre dissipates, and where it gives energy", olsson, lugre_dissipativity},
      {"scalar/bliman-sorine-limits", "Bliman and Sorine's models: small ε, steady state, one-way motion", olsson,
       bliman_sorine_limits},
      {"scalar/stick-slip", "A mass pulled by a spring: stick-slip with LuGre and with Stribeck friction",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       stick_slip},
      {"scalar/comparison", "Every model on one imposed motion", olsson, comparison},
      {"scalar/breakaway-rates", "Break-away against the rate of the applied force and the time at rest, every model",
       olsson, breakaway_rates},
      {"scalar/lag-loops", "Frictional lag against frequency, load and viscosity", olsson, lag_loops},
      {"scalar/stick-slip-all", "A mass pulled by a spring, every model", olsson, stick_slip_all},
      {"scalar/hunting", "Hunting under PID control, every model",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995", hunting},
      {"scalar/vibration-drift", "Drift under a vibration below break-away, every model",
       "Dupont, Hayward, Armstrong, Altpeter: Single State Elastoplastic Friction Models, 2002", vibration_drift},
      {"scalar/bristle-spread", "Haessig and Friedland's bristles: mean and spread of a random friction", olsson,
       bristle_spread},
      {"scalar/rolling", "Rolling friction: a coefficient that grows with the load", olsson, rolling},
      {"scalar/stiction-gate", "The gate against creep: does a loaded body stay where it is for 100 s?", "this project",
       stiction_gate},
      {"scalar/capabilities", "What each model captures: measured numbers and ticks", "this project", capability_table},
      {"control/table1", "What friction costs a velocity loop, and what compensation brings", olsson,
       compensation_table1},
      {"control/fig13-16", "Velocity tracking with friction, and with an observer that compensates it", olsson,
       velocity_tracking_figs13_to_16},
      {"control/fig18-20", "A servo whose friction doubles: fixed and adaptive compensation", olsson,
       servo_figs18_to_20},
      {"control/sensitivity", "Compensation with an observer whose parameters are wrong", olsson, observer_sensitivity},
      {"control/dither", "Dither and knocker against stiction", olsson, dither_against_stiction},
      {"control/hunting", "Hunting under PID control, with and without compensation",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       hunting_compensated},
      {"control/mrac", "Coulomb friction adapted by model reference: a telescope drive", olsson, mrac_coulomb},
      {"control/asymmetric", "Friction that differs between the directions, compensated and learned", olsson,
       asymmetric_compensation},
      {"control/path", "Compensation in path coordinates with Dahl's and Bliman and Sorine's models", olsson,
       path_compensation},
      {"control/cascade", "Compensation in a cascade: inner loop, lag, delay, over-compensation", olsson, cascade},
      {"control/detector", "Does the tracking error show friction? Verdicts on many logs", olsson, friction_detector},
      {"control/bliman-sorine-identification", "Four parameters from a friction loop, or a refusal", olsson,
       bliman_sorine_identification},
      {"control/identification", "The parameters of Table 2 from noisy logs, with confidence, or a refusal", olsson,
       identification},
      {"control/arm", "Two links with friction in both joints, with and without observers", olsson, two_link_arm},
      {"planar/fixed-velocity",
       "Six contact surfaces on one velocity profile: many bristles against three states (Figs. 5, 13, 17, 19-22)",
       waltersson, planar_fixed_velocity},
      {"planar/drift", "A disc under swinging loads below break-away (Figs. 6, 23-25)", waltersson, planar_drift},
      {"planar/in-hand", "A box between two fingers, slipping and sticking (Figs. 26-32)", waltersson, planar_in_hand},
      {"planar/soft-finger", "A box between soft fingers, whose contact follows the grip (Figs. 33-35, Table IV)",
       waltersson, planar_soft_finger},
      {"planar/variants", "Frozen stiffness under a swinging normal force; bounded bristles", waltersson,
       planar_variants},
      {"planar/quadrature", "How many bristles a patch needs", waltersson, planar_quadrature},
      {"planar/timing", "Cost of steps and tables (Tables II, V, VI)", waltersson, planar_timing},
      {"planar/resolution", "Error against the cells of the patch and of the table (Figs. 9, 36, 37)", waltersson,
       planar_resolution},
      {"planar/limit-curves", "Limit curves, and the centre of rotation without force (Figs. 14-16)", waltersson,
       planar_limit_curves},
      {"planar/slip", "From loads to motion: slip, a sliding and spinning disc, pushing",
       "Goyal, Ruina, Papadopoulos: Planar Sliding with Dry Friction, Wear 143, 1991", planar_slip},
      {"planar/stepping", "Steps of the force as the centre of rotation moves (Figs. 8, 10)", waltersson,
       planar_stepping},
      {"spatial/cone-rows", "Numbers for one contact: condim and the kind of cone, MuJoCo's rows beside ours",
       "lecture notes: Coulomb Friction Model", spatial_cone_rows},
      {"spatial/cone-nesting", "Pyramids inside and around the friction cone, and how wrong they are",
       "lecture notes: Coulomb Friction Model", spatial_cone_nesting},
      {"spatial/contact-cost", "Cost against the number of contacts (Fig. 1)", haptic, spatial_contact_cost},
      {"spatial/lp-and-qp", "The linear program, the quadratic program, and this library, 98 contacts (Fig. 5)", haptic,
       spatial_lp_and_qp},
      {"spatial/chatter", "Full friction or none: the rattle near the threshold", haptic, spatial_chatter},
      {"spatial/slip-angle", "Does friction oppose slip? Two metrics of the least motion", haptic, spatial_slip_angle},
      {"haptics/cube-and-corner", "A cube against a corner: a minute of motion, and held by friction", haptic,
       haptics_cube_and_corner},
      {"haptics/peg-and-hole", "A peg and a hole 1 % too small: a minute of motion, and held by friction", haptic,
       haptics_peg_and_hole},
      {"haptics/engine-bay", "A starter in an engine bay: a minute of motion, and held by friction", haptic,
       haptics_engine_bay},
      {"haptics/door", "A window motor in a door: a minute of motion, and held by friction", haptic, haptics_door},
      {"haptics/fig06", "Lifting a body off: friction that sticks, and the rule against it (Fig. 6)", haptic,
       haptics_fig06},
      {"haptics/fig07", "Static damping: how far a body goes in one cycle (Fig. 7)", haptic, haptics_fig07},
  });
  return all;
}

}  // namespace stiction::lab
