#include <array>

#include "lab.h"

namespace stiction::lab {

// Each experiment has its own file, lab/<part>/<file>.cpp, with the function `run` in namespace <part>_<file>, so that
// several files can be compiled together whatever names they use inside.
#define STICTION_EXPERIMENT(name) \
  namespace name {                \
  Result run(const Context&);     \
  }
STICTION_EXPERIMENT(control_adaptive_arm)
STICTION_EXPERIMENT(control_adaptive_position)
STICTION_EXPERIMENT(control_arm)
STICTION_EXPERIMENT(control_asymmetric)
STICTION_EXPERIMENT(control_bliman_sorine_identification)
STICTION_EXPERIMENT(control_cascade)
STICTION_EXPERIMENT(control_detector)
STICTION_EXPERIMENT(control_dither)
STICTION_EXPERIMENT(control_feed_forward)
STICTION_EXPERIMENT(control_fig13_16)
STICTION_EXPERIMENT(control_fig18_20)
STICTION_EXPERIMENT(control_hunting)
STICTION_EXPERIMENT(control_identification)
STICTION_EXPERIMENT(control_mrac)
STICTION_EXPERIMENT(control_path)
STICTION_EXPERIMENT(control_sensitivity)
STICTION_EXPERIMENT(control_table1)
STICTION_EXPERIMENT(haptics_abrupt_motion)
STICTION_EXPERIMENT(haptics_baseline_costs)
STICTION_EXPERIMENT(haptics_beyond)
STICTION_EXPERIMENT(haptics_cone_size_guess)
STICTION_EXPERIMENT(haptics_fig01)
STICTION_EXPERIMENT(haptics_fig02)
STICTION_EXPERIMENT(haptics_fig03)
STICTION_EXPERIMENT(haptics_fig05)
STICTION_EXPERIMENT(haptics_fig06)
STICTION_EXPERIMENT(haptics_fig07)
STICTION_EXPERIMENT(haptics_fig08_11)
STICTION_EXPERIMENT(haptics_fig12)
STICTION_EXPERIMENT(haptics_fig14)
STICTION_EXPERIMENT(haptics_fig15)
STICTION_EXPERIMENT(haptics_fig16)
STICTION_EXPERIMENT(haptics_fig17)
STICTION_EXPERIMENT(haptics_fig18)
STICTION_EXPERIMENT(haptics_insertability)
STICTION_EXPERIMENT(haptics_snake_stiffness)
STICTION_EXPERIMENT(haptics_story)
STICTION_EXPERIMENT(planar_drift)
STICTION_EXPERIMENT(planar_fixed_velocity)
STICTION_EXPERIMENT(planar_in_hand)
STICTION_EXPERIMENT(planar_limit_curves)
STICTION_EXPERIMENT(planar_quadrature)
STICTION_EXPERIMENT(planar_recognition)
STICTION_EXPERIMENT(planar_resolution)
STICTION_EXPERIMENT(planar_slip)
STICTION_EXPERIMENT(planar_soft_finger)
STICTION_EXPERIMENT(planar_statements)
STICTION_EXPERIMENT(planar_stepping)
STICTION_EXPERIMENT(planar_timing)
STICTION_EXPERIMENT(planar_variants)
STICTION_EXPERIMENT(scalar_bliman_sorine_limits)
STICTION_EXPERIMENT(scalar_breakaway_rates)
STICTION_EXPERIMENT(scalar_bristle_spread)
STICTION_EXPERIMENT(scalar_bristle_stiffness)
STICTION_EXPERIMENT(scalar_capabilities)
STICTION_EXPERIMENT(scalar_comparison)
STICTION_EXPERIMENT(scalar_damping)
STICTION_EXPERIMENT(scalar_dissipativity)
STICTION_EXPERIMENT(scalar_fig01)
STICTION_EXPERIMENT(scalar_fig02)
STICTION_EXPERIMENT(scalar_fig03)
STICTION_EXPERIMENT(scalar_fig04)
STICTION_EXPERIMENT(scalar_fig05)
STICTION_EXPERIMENT(scalar_fig06)
STICTION_EXPERIMENT(scalar_fig07)
STICTION_EXPERIMENT(scalar_fig08)
STICTION_EXPERIMENT(scalar_fig09)
STICTION_EXPERIMENT(scalar_fig11)
STICTION_EXPERIMENT(scalar_fig12)
STICTION_EXPERIMENT(scalar_gear)
STICTION_EXPERIMENT(scalar_hunting)
STICTION_EXPERIMENT(scalar_lag_loops)
STICTION_EXPERIMENT(scalar_rolling)
STICTION_EXPERIMENT(scalar_stick_slip)
STICTION_EXPERIMENT(scalar_stick_slip_all)
STICTION_EXPERIMENT(scalar_stiction_gate)
STICTION_EXPERIMENT(scalar_vibration_drift)
STICTION_EXPERIMENT(spatial_chatter)
STICTION_EXPERIMENT(spatial_cone_nesting)
STICTION_EXPERIMENT(spatial_cone_rows)
STICTION_EXPERIMENT(spatial_contact_cost)
STICTION_EXPERIMENT(spatial_declared)
STICTION_EXPERIMENT(spatial_lp_and_qp)
STICTION_EXPERIMENT(spatial_slip_angle)
#undef STICTION_EXPERIMENT
namespace haptics_scenes {
Result cube_and_corner(const Context&);
Result peg_and_hole(const Context&);
Result engine_bay(const Context&);
Result door(const Context&);
}  // namespace haptics_scenes

std::span<const Experiment> experiments() {
  constexpr const char* olsson =
      "Olsson, Åström, Canudas de Wit, Gäfvert, Lischinsky: Friction Models and Friction Compensation, 1998";
  constexpr const char* waltersson =
      "Waltersson, Karayiannidis: Planar Friction Modelling with LuGre Dynamics and Limit Surfaces, arXiv:2308.01123";
  constexpr const char* haptic = "6-DoF Haptic Rendering of Static Coulomb Friction Using Linear Programming";
  static const auto all = std::to_array<Experiment>({
      {"scalar/fig01", "Friction against displacement, from rest through break-away", olsson, scalar_fig01::run},
      {"scalar/fig02", "Break-away force against the rate of the applied force", olsson, scalar_fig02::run},
      {"scalar/fig03", "Presliding displacement under a force that never reaches break-away", olsson,
       scalar_fig03::run},
      {"scalar/fig04", "Frictional lag: friction against a velocity that rises and falls", olsson, scalar_fig04::run},
      {"scalar/fig05", "Static friction models and the Stribeck curve", olsson, scalar_fig05::run},
      {"scalar/fig06", "The hysteresis loop of Dahl's model, for several exponents", olsson, scalar_fig06::run},
      {"scalar/fig07", "Response of a servo with Bliman-Sorine friction to a small sinusoidal torque", olsson,
       scalar_fig07::run},
      {"scalar/fig08", "Response of a servo with LuGre friction to a small sinusoidal torque", olsson,
       scalar_fig08::run},
      {"scalar/fig09", "The states of Bliman and Sorine's model, and the ideal trajectory", olsson, scalar_fig09::run},
      {"scalar/fig11", "Small displacements under a torque in one direction", olsson, scalar_fig11::run},
      {"scalar/fig12", "Small displacements under a torque that changes its sign", olsson, scalar_fig12::run},
      {"scalar/damping", "Small free oscillations in presliding against eqs. 27 to 29", olsson, scalar_damping::run},
      {"scalar/dissipativity", "Where LuGre dissipates, and where it generates energy", olsson,
       scalar_dissipativity::run},
      {"scalar/bliman-sorine-limits", "Bliman and Sorine's models: small ε, steady state, one-way motion", olsson,
       scalar_bliman_sorine_limits::run},
      {"scalar/stick-slip", "A mass pulled by a spring: stick-slip with LuGre and with Stribeck friction",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       scalar_stick_slip::run},
      {"scalar/comparison", "Every model on one imposed motion", olsson, scalar_comparison::run, 2},
      {"scalar/breakaway-rates", "Break-away against the rate of the applied force and the time at rest, every model",
       olsson, scalar_breakaway_rates::run, 2},
      {"scalar/lag-loops", "Frictional lag against frequency, load and viscosity", olsson, scalar_lag_loops::run, 2},
      {"scalar/stick-slip-all", "A mass pulled by a spring, every model", olsson, scalar_stick_slip_all::run, 2},
      {"scalar/hunting", "Hunting under PID control, every model",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       scalar_hunting::run, 3},
      {"scalar/vibration-drift", "Drift under a vibration below break-away, every model",
       "Dupont, Hayward, Armstrong, Altpeter: Single State Elastoplastic Friction Models, 2002",
       scalar_vibration_drift::run},
      {"scalar/bristle-spread", "Haessig and Friedland's bristles: mean and spread of a random friction", olsson,
       scalar_bristle_spread::run},
      {"scalar/bristle-stiffness", "Bristles whose stiffness depends on the velocity", olsson,
       scalar_bristle_stiffness::run},
      {"scalar/rolling", "Rolling friction: a coefficient that grows with the load", olsson, scalar_rolling::run},
      {"scalar/gear", "Servos with a pendulum: large steps, and held weights",
       "Duclusaud, Passault: Extended Friction Models for the Physics Simulation of Servo Actuators, 2025",
       scalar_gear::run},
      {"scalar/stiction-gate", "The gate against creep: does a loaded body stay where it is for 100 s?", "this project",
       scalar_stiction_gate::run, 30},
      {"scalar/capabilities", "What each model captures: measured numbers and ticks", "this project",
       scalar_capabilities::run, 2},
      {"control/table1", "What friction costs a velocity loop, and what compensation brings", olsson,
       control_table1::run, 2},
      {"control/fig13-16", "Velocity tracking with friction, and with an observer that compensates it", olsson,
       control_fig13_16::run},
      {"control/fig18-20", "A servo whose friction doubles: fixed and adaptive compensation", olsson,
       control_fig18_20::run},
      {"control/adaptive-position", "Adaptive compensation with a regressor of position and velocity (eq. 31)", olsson,
       control_adaptive_position::run},
      {"control/feed-forward", "Friction fed forward along the reference, beside feedback", olsson,
       control_feed_forward::run},
      {"control/sensitivity", "Compensation with an observer whose parameters are wrong", olsson,
       control_sensitivity::run},
      {"control/dither", "Dither and knocker against stiction", olsson, control_dither::run},
      {"control/hunting", "Hunting under PID control, with and without compensation",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       control_hunting::run, 2},
      {"control/mrac", "Coulomb friction adapted by model reference: a telescope drive", olsson, control_mrac::run},
      {"control/asymmetric", "Friction that differs between the directions, compensated and learned", olsson,
       control_asymmetric::run},
      {"control/path", "Compensation in path coordinates with Dahl's and Bliman and Sorine's models", olsson,
       control_path::run},
      {"control/cascade", "Compensation in a cascade: inner loop, lag, delay, over-compensation", olsson,
       control_cascade::run, 2},
      {"control/detector", "Does the tracking error show friction? Verdicts on many logs", olsson,
       control_detector::run, 4},
      {"control/bliman-sorine-identification", "Four parameters from a friction loop, or a refusal", olsson,
       control_bliman_sorine_identification::run},
      {"control/identification", "The parameters of Table 2 from noisy logs, with confidence, or a refusal", olsson,
       control_identification::run, 8},
      {"control/arm", "Two links with friction in both joints, with and without observers", olsson, control_arm::run},
      {"control/adaptive-arm", "Two links of which nothing is known, neither masses nor friction", olsson,
       control_adaptive_arm::run},
      {"planar/fixed-velocity",
       "Six contact surfaces on one velocity profile: many bristles against three states (Figs. 5, 13, 17, 19-22)",
       waltersson, planar_fixed_velocity::run, 3},
      {"planar/drift", "A disc under swinging loads below break-away (Figs. 6, 23-25)", waltersson, planar_drift::run,
       2},
      {"planar/in-hand", "A box between two fingers, slipping and sticking (Figs. 26-32)", waltersson,
       planar_in_hand::run, 3},
      {"planar/soft-finger", "A box between soft fingers, whose contact follows the grip (Figs. 33-35, Table IV)",
       waltersson, planar_soft_finger::run},
      {"planar/variants", "Frozen stiffness under a swinging normal force; bounded bristles", waltersson,
       planar_variants::run},
      {"planar/quadrature", "How many bristles a patch needs", waltersson, planar_quadrature::run},
      {"planar/timing", "Cost of steps and tables (Tables II, V, VI)", waltersson, planar_timing::run},
      {"planar/resolution", "Error against the cells of the patch and of the table (Figs. 9, 36, 37)", waltersson,
       planar_resolution::run, 8},
      {"planar/limit-curves",
       "Contact surfaces, limit curves, and the centre of rotation without force (Figs. 8, 14-16)", waltersson,
       planar_limit_curves::run},
      {"planar/slip", "From loads to motion: slip, a sliding and spinning disc, pushing",
       "Goyal, Ruina, Papadopoulos: Planar Sliding with Dry Friction, Wear 143, 1991", planar_slip::run},
      {"planar/stepping", "Steps of the force as the centre of rotation moves (Figs. 8, 10)", waltersson,
       planar_stepping::run},
      {"planar/statements", "What the paper says in words: numbers for statements without a figure", waltersson,
       planar_statements::run},
      {"planar/recognition", "A contact's size, pressure, r and p_s from tactile images and from wrenches", waltersson,
       planar_recognition::run, 2},
      {"spatial/cone-rows", "Numbers for one contact: condim and the kind of cone, MuJoCo's rows beside ours",
       "lecture notes: Coulomb Friction Model", spatial_cone_rows::run},
      {"spatial/cone-nesting", "Pyramids inside and around the friction cone, and how wrong they are",
       "lecture notes: Coulomb Friction Model", spatial_cone_nesting::run},
      {"spatial/contact-cost", "Cost against the number of contacts (Fig. 1)", haptic, spatial_contact_cost::run},
      {"spatial/lp-and-qp", "The linear program, the quadratic program, and this library, 98 contacts (Fig. 5)", haptic,
       spatial_lp_and_qp::run},
      {"spatial/chatter", "Full friction or none: the rattle near the threshold", haptic, spatial_chatter::run},
      {"spatial/declared", "Contacts whose state is declared: right and wrong (section 7)", haptic,
       spatial_declared::run},
      {"spatial/slip-angle", "Does friction oppose slip? Two metrics of the least motion", haptic,
       spatial_slip_angle::run},
      {"haptics/springs-or-cones", "Why springs fail, and what the solver does", haptic, haptics_story::run},
      {"haptics/fig01", "Contact search and friction against the number of contacts, in the paper's scene (Fig. 1)",
       haptic, haptics_fig01::run},
      {"haptics/fig02", "A peg 1 % too large: contacts that give way and contacts that do not (Fig. 2)", haptic,
       haptics_fig02::run},
      {"haptics/fig03", "The friction cone and its pyramid", haptic, haptics_fig03::run},
      {"haptics/fig05", "The linear and the quadratic program on cycles of the paper's scene, 98 contacts (Fig. 5)",
       haptic, haptics_fig05::run},
      {"haptics/cube-and-corner", "A cube against a corner: a minute of motion, and held by friction", haptic,
       haptics_scenes::cube_and_corner, 4},
      {"haptics/peg-and-hole", "A peg and a hole 1 % too small: a minute of motion, and held by friction", haptic,
       haptics_scenes::peg_and_hole, 4},
      {"haptics/engine-bay", "A starter in an engine bay: a minute of motion, and held by friction", haptic,
       haptics_scenes::engine_bay, 5},
      {"haptics/door", "A window motor in a door: a minute of motion, and held by friction", haptic,
       haptics_scenes::door, 5},
      {"haptics/fig06", "Lifting a body off: friction that sticks, and the rule against it (Fig. 6)", haptic,
       haptics_fig06::run},
      {"haptics/fig07", "Static damping: how far a body goes in one cycle (Fig. 7)", haptic, haptics_fig07::run},
      {"haptics/fig08-11",
       "The contact force leaves the normal: starter on the engine, motor in the door (Figs. 8 to 11)", haptic,
       haptics_fig08_11::run, 4},
      {"haptics/fig12", "Least force to insert a peg against the friction coefficient (Fig. 12)", haptic,
       haptics_fig12::run, 4},
      {"haptics/fig14", "A cube that is held and slides by turns (Fig. 14)", haptic, haptics_fig14::run},
      {"haptics/fig15", "A cube held in a corner: staggered projections and Gauss–Seidel beside this library (Fig. 15)",
       haptic, haptics_fig15::run},
      {"haptics/fig16", "Frictional springs creep after the hand, and how stiff they may be (Fig. 16)", haptic,
       haptics_fig16::run},
      {"haptics/fig17", "A hand like a snake pushes a peg in that friction should hold (Fig. 17)", haptic,
       haptics_fig17::run, 4},
      {"haptics/fig18",
       "A starter that friction keeps out and springs let in: on one chosen path, and on random ones (Fig. 18)", haptic,
       haptics_fig18::run, 5},
      {"haptics/insertability", "Insertability and friction: contacts without penetration, and penalty (section 3)",
       haptic, haptics_insertability::run},
      {"haptics/snake-stiffness", "A hand like a snake, and the stiffness of the coupling (section 5.6)", haptic,
       haptics_snake_stiffness::run},
      {"haptics/abrupt-motion", "A hand that leaves a wall abruptly, and the rule against stickiness (section 5.6)",
       haptic, haptics_abrupt_motion::run},
      {"haptics/cone-size-guess", "Which contacts hold? A guess by the size of their cones (section 7)", haptic,
       haptics_cone_size_guess::run},
      {"haptics/baseline-costs", "What each way to friction costs in a haptic loop", haptic,
       haptics_baseline_costs::run, 5},
      {"haptics/beyond", "Contacts that hold while others slide, a part with a mass, two rates", "this project",
       haptics_beyond::run, 4},
  });
  return all;
}

}  // namespace stiction::lab
