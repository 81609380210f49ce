/* Stiction from C and every language that calls C: scalar and planar friction as plain structs and functions.
 *
 * Conventions: SI units. A scalar model returns the resistance F of  m dv/dt = u - F; a patch returns the wrench on the
 * moving body, at the centre of pressure. Models are made once and never change: any number of threads may use one.
 * States are the caller's memory. Nothing throws through this interface. A function that can fail returns a status, and
 * stiction_last_error() says in one line what was wrong. Calls other than *_create allocate nothing.
 */
#ifndef STICTION_STICTION_H
#define STICTION_STICTION_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */

#include "stiction/export.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a call returns. */
enum stiction_status {
  STICTION_OK = 0,
  STICTION_INVALID = 1, /* a value, or a pointer that must not be NULL */
  STICTION_UNKNOWN = 2, /* no model or parameter of that name */
  STICTION_NO_MEMORY = 3
};

/* The library's version, "0.2.0". */
STICTION_EXPORT const char* stiction_version(void);

/* Why the last call that failed in this thread did. Never NULL. */
STICTION_EXPORT const char* stiction_last_error(void);

/* ---- Friction of one axis -----------------------------------------------------------------------------------------
 */

/* A model with its parameters. */
struct stiction_model;

/* One parameter by its name, as `stiction models NAME` lists it: one number, or several where it is a list. */
struct stiction_parameter {
  const char* name;
  const double* values;
  size_t count;
};

/* What is known of a parameter. */
struct stiction_parameter_info {
  const char* name;
  const char* unit;
  const char* range;
  const char* meaning;
  double fallback; /* NaN: it must be given */
  int is_list;
};

/* One step of a body together with its friction:  velocity+ = free_velocity - mobility dt force. */
struct stiction_coupled_step {
  double free_velocity; /* at the end of the step without friction [m/s] */
  double mobility;      /* 1/mass [1/kg], >= 0 */
  double velocity;      /* at the start [m/s]; free_velocity where it is not known */
  double dt;            /* [s], >= 0 */
  const double* load;   /* all forces but friction [N], for models whose friction follows it; NULL: estimated */
};

/* What a coupled step gives. */
struct stiction_moved {
  double force;    /* resistance over the step [N] */
  double velocity; /* at its end [m/s] */
};

/* Models and their parameters; NULL and STICTION_UNKNOWN beyond the last. */
STICTION_EXPORT size_t stiction_model_count(void);
STICTION_EXPORT const char* stiction_model_name(size_t index);
STICTION_EXPORT size_t stiction_parameter_count(const char* model_name);
STICTION_EXPORT int stiction_parameter_at(const char* model_name, size_t index, struct stiction_parameter_info* info);

/* Makes a model; `*model` is NULL where that fails. To be freed by stiction_model_free, which takes NULL too. */
STICTION_EXPORT int stiction_model_create(const char* name, const struct stiction_parameter* parameters, size_t count,
                                          struct stiction_model** model);
STICTION_EXPORT void stiction_model_free(struct stiction_model* model);

/* A state is stiction_state_size() bytes, aligned as a double, of which copies are snapshots. stiction_at_rest begins
 * one; no other bytes may be given to the calls below. */
STICTION_EXPORT size_t stiction_state_size(const struct stiction_model* model);
STICTION_EXPORT int stiction_at_rest(const struct stiction_model* model, double load, void* state);

/* The continuous states in it, e.g. the bristle's deflection. */
STICTION_EXPORT size_t stiction_state_count(const struct stiction_model* model);
STICTION_EXPORT const char* stiction_state_name(const struct stiction_model* model, size_t index);
STICTION_EXPORT int stiction_get_states(const struct stiction_model* model, const void* state, double* values);
STICTION_EXPORT int stiction_set_states(const struct stiction_model* model, void* state, const double* values);

/* What a gear transmits from now on: the force of its motor, at the output, and all others but friction [N]. It is kept
 * in the state. No effect on models of no gear. */
STICTION_EXPORT int stiction_transmit(const struct stiction_model* model, void* state, double motor_force,
                                      double external_force);

/* Resistance [N]; a contact that sticks holds the load [N]. */
STICTION_EXPORT int stiction_force(const struct stiction_model* model, const void* state, double velocity,
                                   double* force);
STICTION_EXPORT int stiction_force_under_load(const struct stiction_model* model, const void* state, double velocity,
                                              double load, double* force);
/* Time derivatives of the continuous states. */
STICTION_EXPORT int stiction_rate(const struct stiction_model* model, const void* state, double velocity,
                                  double* rates);
/* Moves the state on over dt [s] at a constant velocity [m/s]; `force` [N] there, or NULL. */
STICTION_EXPORT int stiction_step(const struct stiction_model* model, void* state, double velocity, double dt,
                                  double* force);
/* Moves body and friction on together. */
STICTION_EXPORT int stiction_solve(const struct stiction_model* model, void* state,
                                   const struct stiction_coupled_step* step, struct stiction_moved* moved);
/* n contacts with states one behind the other. `force` may be NULL. */
STICTION_EXPORT int stiction_step_many(const struct stiction_model* model, void* states, size_t n,
                                       const double* velocity, double dt, double* force);

/* ---- Contact patches ----------------------------------------------------------------------------------------------
 */

struct stiction_twist {
  double x, y; /* velocity at the centre of pressure [m/s] */
  double spin; /* [rad/s] */
};
struct stiction_wrench {
  double x, y;   /* [N] */
  double torque; /* about the centre of pressure [N m] */
};

/* Friction per newton of normal force. Begin with stiction_patch_friction_default(). */
struct stiction_patch_friction {
  double stiffness;         /* [1/m], > 0 */
  double damping;           /* [s/m], >= 0 */
  double viscous;           /* [s/m], >= 0 */
  double coulomb;           /* mu_C [-], > 0 */
  double static_level;      /* mu_S [-], >= mu_C */
  double stribeck_exponent; /* in [0.5, 2] */
  double stribeck_velocity; /* [m/s], > 0 */
  double elastic_share;     /* in (0, 1) */
  int elasto_plastic;       /* 0: LuGre, which creeps */
};
/* Waltersson and Karayiannidis, Table I, with the Stribeck effect. */
STICTION_EXPORT struct stiction_patch_friction stiction_patch_friction_default(void);

/* Where the normal force acts. */
struct stiction_patch;
struct stiction_patch_sizes {
  double centre_x, centre_y; /* centre of pressure [m] */
  double radius;             /* the farthest point from it [m] */
  double torque_radius;      /* torque of a pure rotation for mu f_N = 1 [m] */
  double mean_square_radius; /* [m^2] */
};
/* From n points with shares of the normal force. */
STICTION_EXPORT int stiction_patch_from_points(const double* x, const double* y, const double* share, size_t n,
                                               struct stiction_patch** patch);
/* From pressures in cells, row by row from the top (the largest y), each from left to right; the lower left corner and
 * the size of a cell [m]. */
STICTION_EXPORT int stiction_patch_from_grid(const double* pressure, size_t columns, size_t rows, double corner_x,
                                             double corner_y, double width, double height,
                                             struct stiction_patch** patch);
STICTION_EXPORT void stiction_patch_free(struct stiction_patch* patch);
STICTION_EXPORT int stiction_patch_sizes_of(const struct stiction_patch* patch, struct stiction_patch_sizes* sizes);

/* The limit surface: the wrench of Coulomb friction for mu f_N = 1. */
STICTION_EXPORT int stiction_patch_wrench(const struct stiction_patch* patch, const struct stiction_twist* twist,
                                          struct stiction_wrench* wrench);

/* What a load does to a patch with friction mu f_N [N]: it slips where factor <= 1. */
struct stiction_slip {
  double factor;
  double gap;
  struct stiction_twist twist;
};
STICTION_EXPORT int stiction_patch_slip(const struct stiction_patch* patch, const struct stiction_wrench* load,
                                        double friction, struct stiction_slip* slip);

/* A patch with three states. `cells` of its table, 0: 24. */
struct stiction_reduced;
struct stiction_reduced_state {
  double x, y;     /* [m] */
  double rotation; /* [m^2] */
};
STICTION_EXPORT int stiction_reduced_create(const struct stiction_patch_friction* friction,
                                            const struct stiction_patch* patch, size_t cells,
                                            struct stiction_reduced** model);
STICTION_EXPORT void stiction_reduced_free(struct stiction_reduced* model);
/* Moves the state on over dt [s] at a constant twist under a normal force [N]; the wrench there. */
STICTION_EXPORT int stiction_reduced_step(const struct stiction_reduced* model, struct stiction_reduced_state* state,
                                          const struct stiction_twist* twist, double normal_force, double dt,
                                          struct stiction_wrench* wrench);

/* A patch of many bristles, whose state is stiction_bristles_count() numbers, 0 at the start. */
struct stiction_bristles;
STICTION_EXPORT int stiction_bristles_create(const struct stiction_patch_friction* friction,
                                             const struct stiction_patch* patch, struct stiction_bristles** model);
STICTION_EXPORT void stiction_bristles_free(struct stiction_bristles* model);
STICTION_EXPORT size_t stiction_bristles_count(const struct stiction_bristles* model);
STICTION_EXPORT int stiction_bristles_step(const struct stiction_bristles* model, double* state,
                                           const struct stiction_twist* twist, double normal_force, double dt,
                                           struct stiction_wrench* wrench);

#if defined(__cplusplus)
}
#endif

#endif
