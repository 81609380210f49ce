/* The C interface, from C: every function, its answers against closed forms and against the numbers that C++ printed,
 * and every kind of wrong input. Prints what fails; the exit code is the number of failures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/stiction.h"

static int failures = 0;

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, stiction_last_error()); \
      ++failures;                                                                         \
    }                                                                                     \
  } while (0)

static int near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance * fabs(b); }

static const double stiffness = 1e5, damping = 316.2, coulomb = 1, level = 1.5, speed = 1e-3, viscous = 0.4;

static struct stiction_model* make_lugre(void) {
  const struct stiction_parameter parameters[] = {
      {"stiffness", &stiffness, 1},   {"damping", &damping, 1},         {"coulomb_force", &coulomb, 1},
      {"static_force", &level, 1},    {"stribeck_velocity", &speed, 1}, {"viscous", &viscous, 1},
  };
  struct stiction_model* model = NULL;
  CHECK(stiction_model_create("lugre", parameters, 6, &model) == STICTION_OK);
  return model;
}

/* A body under a load below break-away is held, and one above breaks away. */
static void a_joint_is_held(void) {
  struct stiction_model* model = make_lugre();
  double state;
  struct stiction_moved moved = {0, 0};
  double velocity = 0, position = 0;
  const double dt = 1e-3, mass = 1;
  CHECK(stiction_state_size(model) == sizeof state);
  CHECK(stiction_state_count(model) == 1 && strcmp(stiction_state_name(model, 0), "bristle") == 0);
  CHECK(stiction_state_name(model, 1) == NULL);
  CHECK(stiction_at_rest(model, 0, &state) == STICTION_OK && state == 0);
  for (int i = 0; i < 10000; ++i) {
    const double push = i < 4000 ? 1.2 * i / 4000 : 1.2;
    const struct stiction_coupled_step step = {
        .free_velocity = velocity + dt / mass * push, .mobility = 1 / mass, .velocity = velocity, .dt = dt};
    CHECK(stiction_solve(model, &state, &step, &moved) == STICTION_OK);
    velocity = moved.velocity;
    position += dt * velocity;
  }
  CHECK(fabs(velocity) < 1e-12 && near(moved.force, 1.2, 1e-9) && fabs(position) < 1e-4);
  for (int i = 0; i < 10000; ++i) {
    const struct stiction_coupled_step step = {
        .free_velocity = velocity + dt / mass * 2.0, .mobility = 1 / mass, .velocity = velocity, .dt = dt};
    stiction_solve(model, &state, &step, &moved);
    velocity = moved.velocity;
  }
  CHECK(velocity > 0.5);
  stiction_model_free(model);
}

/* Friction that follows the load: twice as much under a load of F_C with a gain of 1. */
static void a_given_load_is_seen(void) {
  const double one = 1, gain = 1, load = 1;
  const struct stiction_parameter parameters[] = {
      {"stiffness", &stiffness, 1}, {"coulomb_force", &one, 1}, {"load_gain", &gain, 1}};
  struct stiction_model* model = NULL;
  double state;
  struct stiction_moved moved = {0, 0};
  struct stiction_coupled_step step = {.free_velocity = 10, .mobility = 1, .velocity = 10, .dt = 1e-3};
  CHECK(stiction_model_create("load-dependent-dahl", parameters, 3, &model) == STICTION_OK);
  CHECK(stiction_at_rest(model, 0, &state) == STICTION_OK);
  CHECK(stiction_solve(model, &state, &step, &moved) == STICTION_OK && near(moved.force, 1, 1e-2));
  step.load = &load;
  CHECK(stiction_solve(model, &state, &step, &moved) == STICTION_OK && near(moved.force, 2, 1e-2));
  stiction_model_free(model);
}

/* A gear that loses a tenth of its motor's force and a fifth of the weight: 1 + 0.3 + 0.4 N. */
static void a_gear_knows_what_it_transmits(void) {
  const double one = 1, tenth = 0.1, fifth = 0.2;
  const struct stiction_parameter parameters[] = {
      {"coulomb_force", &one, 1}, {"motor_gain", &tenth, 1}, {"external_gain", &fifth, 1}};
  struct stiction_model* model = NULL;
  double state[8], force = 0;
  struct stiction_moved moved = {0, 0};
  const struct stiction_coupled_step step = {.free_velocity = 10, .mobility = 1, .velocity = 10, .dt = 1e-3};
  CHECK(stiction_model_create("gear", parameters, 3, &model) == STICTION_OK);
  CHECK(stiction_state_size(model) <= sizeof state);
  CHECK(stiction_at_rest(model, 0, state) == STICTION_OK);
  CHECK(stiction_force(model, state, 1, &force) == STICTION_OK && force == 1);
  CHECK(stiction_transmit(model, state, 3, -2) == STICTION_OK);
  CHECK(stiction_force(model, state, 1, &force) == STICTION_OK && near(force, 1.7, 1e-12));
  CHECK(stiction_solve(model, state, &step, &moved) == STICTION_OK && near(moved.force, 1.7, 1e-12));
  CHECK(stiction_transmit(model, state, NAN, 0) == STICTION_INVALID);
  CHECK(stiction_transmit(model, state, 0, HUGE_VAL) == STICTION_INVALID);
  CHECK(stiction_transmit(NULL, state, 0, 0) == STICTION_INVALID);
  CHECK(stiction_transmit(model, NULL, 0, 0) == STICTION_INVALID);
  stiction_model_free(model);
}

static void calls_agree(void) {
  struct stiction_model* model = make_lugre();
  double one = 0, many[3] = {0, 0, 0}, force = 0, rate = 0, under = 0, value = 0;
  const double velocity[3] = {0.01, -0.01, 0};
  double forces[3];
  CHECK(stiction_step_many(model, many, 3, velocity, 1e-3, forces) == STICTION_OK);
  CHECK(stiction_step(model, &one, 0.01, 1e-3, &force) == STICTION_OK);
  CHECK(force == forces[0] && one == many[0] && forces[1] == -forces[0] && forces[2] == 0);
  CHECK(stiction_force(model, &one, 0.01, &value) == STICTION_OK && value == force);
  CHECK(stiction_force_under_load(model, &one, 0.01, 3, &under) == STICTION_OK && under == force);
  CHECK(stiction_rate(model, &one, 0.01, &rate) == STICTION_OK);
  CHECK(near(force, stiffness * one + damping * rate + viscous * 0.01, 1e-12));
  CHECK(stiction_get_states(model, &one, &value) == STICTION_OK && value == one);
  value = 1e-6;
  CHECK(stiction_set_states(model, &one, &value) == STICTION_OK && one == 1e-6);
  CHECK(stiction_step(model, &one, 0.01, 1e-3, NULL) == STICTION_OK);
  stiction_model_free(model);
}

/* Each model with every parameter 1, or the default, or lists of two: most can be made so. All are described. */
static void every_model_is_described(void) {
  size_t made = 0;
  CHECK(stiction_model_count() >= 25 && stiction_model_name(stiction_model_count()) == NULL);
  for (size_t m = 0; m < stiction_model_count(); ++m) {
    const char* name = stiction_model_name(m);
    const size_t count = stiction_parameter_count(name);
    struct stiction_parameter parameters[16];
    static const double numbers[2] = {1, 1}, halves[2] = {0.5, 0.5};
    struct stiction_parameter_info info;
    struct stiction_model* model = NULL;
    CHECK(count > 0 && count < 16);
    for (size_t i = 0; i < count; ++i) {
      CHECK(stiction_parameter_at(name, i, &info) == STICTION_OK);
      CHECK(info.name != NULL && info.unit != NULL && info.range != NULL && info.meaning != NULL);
      parameters[i].name = info.name;
      parameters[i].values = strcmp(info.name, "share") == 0 || !info.is_list ? (info.is_list ? halves : numbers) : numbers;
      parameters[i].count = info.is_list ? 2 : 1;
    }
    CHECK(stiction_parameter_at(name, count, &info) == STICTION_UNKNOWN);
    if (stiction_model_create(name, parameters, count, &model) == STICTION_OK) {
      void* state = calloc(1, stiction_state_size(model));
      struct stiction_moved moved = {0, 0};
      CHECK(stiction_at_rest(model, 0.1, state) == STICTION_OK);
      const struct stiction_coupled_step step = {.free_velocity = 1e-4, .mobility = 1, .dt = 1e-3};
      CHECK(stiction_solve(model, state, &step, &moved) == STICTION_OK && isfinite(moved.velocity));
      CHECK(near(moved.velocity, 1e-4 - 1e-3 * moved.force, 1e-6) || fabs(moved.velocity) < 1e-9);
      free(state);
      ++made;
    } else {
      CHECK(model == NULL && strstr(stiction_last_error(), "must be") != NULL);
    }
    stiction_model_free(model);
  }
  CHECK(made > 10);
}

static void wrong_input_has_a_status_and_a_message(void) {
  struct stiction_model* model = make_lugre();
  struct stiction_model* none = model;
  const double wrong = -1;
  const struct stiction_coupled_step good = {.mobility = 1, .dt = 1e-3};
  const struct stiction_coupled_step backwards = {.mobility = -1, .dt = 1e-3};
  const struct stiction_parameter negative[] = {{"stiffness", &wrong, 1}};
  const struct stiction_parameter unknown[] = {{"colour", &wrong, 1}};
  const struct stiction_parameter list[] = {{"stiffness", &wrong, 2}};
  const struct stiction_parameter nameless[] = {{NULL, &wrong, 1}};
  struct stiction_moved moved;
  double state = 0, force = 0;
  CHECK(stiction_model_create("lugre", negative, 1, &none) == STICTION_INVALID && none == NULL);
  CHECK(strcmp(stiction_last_error(), "stiffness = -1: must be in [1e-15, 1e15]") == 0);
  CHECK(stiction_model_create("lugre", unknown, 1, &none) == STICTION_UNKNOWN);
  CHECK(strcmp(stiction_last_error(), "lugre has no parameter 'colour'") == 0);
  CHECK(stiction_model_create("lugre", list, 1, &none) == STICTION_INVALID);
  CHECK(stiction_model_create("lugre", nameless, 1, &none) == STICTION_INVALID);
  CHECK(stiction_model_create("lugre", NULL, 0, &none) == STICTION_INVALID);
  CHECK(strstr(stiction_last_error(), "stiffness = nan") != NULL || strstr(stiction_last_error(), "stiffness = -nan"));
  CHECK(stiction_model_create("glue", NULL, 0, &none) == STICTION_UNKNOWN);
  CHECK(strcmp(stiction_last_error(), "there is no model 'glue'") == 0);
  CHECK(stiction_model_create(NULL, NULL, 0, &none) == STICTION_INVALID);
  CHECK(stiction_model_create("lugre", NULL, 3, &none) == STICTION_INVALID);
  CHECK(stiction_model_create("lugre", NULL, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_step(model, &state, 0, -1, &force) == STICTION_INVALID);
  CHECK(strcmp(stiction_last_error(), "dt = -1: must be >= 0 and finite") == 0);
  CHECK(stiction_step(model, &state, 0, NAN, &force) == STICTION_INVALID);
  CHECK(stiction_solve(model, &state, &backwards, &moved) == STICTION_INVALID);
  CHECK(stiction_solve(model, NULL, &good, &moved) == STICTION_INVALID);
  CHECK(stiction_solve(NULL, &state, &good, &moved) == STICTION_INVALID);
  CHECK(stiction_solve(model, &state, NULL, &moved) == STICTION_INVALID);
  CHECK(stiction_force(NULL, &state, 0, &force) == STICTION_INVALID && stiction_state_size(NULL) == 0);
  CHECK(stiction_at_rest(NULL, 0, &state) == STICTION_INVALID && stiction_parameter_count(NULL) == 0);
  CHECK(stiction_parameter_count("glue") == 0 && stiction_state_name(NULL, 0) == NULL);
  stiction_model_free(NULL);
  stiction_model_free(model);
}

/* Every pointer of every call may be NULL, one after the other; nothing crashes, and nothing says OK. */
static void no_pointer_is_followed_that_is_null(void) {
  struct stiction_model* model = make_lugre();
  struct stiction_model* none = NULL;
  const struct stiction_parameter no_values[] = {{"stiffness", NULL, 1}};
  struct stiction_parameter_info info;
  double state = 0, value = 0;
  CHECK(stiction_parameter_at(NULL, 0, &info) == STICTION_INVALID);
  CHECK(stiction_parameter_at("lugre", 0, NULL) == STICTION_INVALID);
  CHECK(stiction_model_create("lugre", no_values, 1, &none) == STICTION_INVALID && none == NULL);
  CHECK(stiction_at_rest(model, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_get_states(NULL, &state, &value) == STICTION_INVALID);
  CHECK(stiction_get_states(model, NULL, &value) == STICTION_INVALID);
  CHECK(stiction_get_states(model, &state, NULL) == STICTION_INVALID);
  CHECK(stiction_set_states(NULL, &state, &value) == STICTION_INVALID);
  CHECK(stiction_set_states(model, NULL, &value) == STICTION_INVALID);
  CHECK(stiction_set_states(model, &state, NULL) == STICTION_INVALID);
  CHECK(stiction_force(model, NULL, 0, &value) == STICTION_INVALID);
  CHECK(stiction_force(model, &state, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_force_under_load(NULL, &state, 0, 0, &value) == STICTION_INVALID);
  CHECK(stiction_force_under_load(model, NULL, 0, 0, &value) == STICTION_INVALID);
  CHECK(stiction_force_under_load(model, &state, 0, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_rate(NULL, &state, 0, &value) == STICTION_INVALID);
  CHECK(stiction_rate(model, NULL, 0, &value) == STICTION_INVALID);
  CHECK(stiction_rate(model, &state, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_step(NULL, &state, 0, 1e-3, &value) == STICTION_INVALID);
  CHECK(stiction_step(model, NULL, 0, 1e-3, &value) == STICTION_INVALID);
  CHECK(stiction_solve(model, &state, &(struct stiction_coupled_step){.mobility = 1, .dt = 1e-3}, NULL) ==
        STICTION_INVALID);
  CHECK(stiction_step_many(NULL, &state, 1, &value, 1e-3, NULL) == STICTION_INVALID);
  CHECK(stiction_step_many(model, NULL, 1, &value, 1e-3, NULL) == STICTION_INVALID);
  CHECK(stiction_step_many(model, &state, 1, NULL, 1e-3, NULL) == STICTION_INVALID);
  CHECK(stiction_step_many(model, NULL, 0, NULL, 1e-3, NULL) == STICTION_OK);
  CHECK(stiction_state_count(NULL) == 0);
  CHECK(strcmp(stiction_last_error(), "a pointer is NULL") == 0);
  stiction_model_free(model);
}

/* What is not a number comes out as such; a time or mobility that cannot be is refused, and the state stays. */
static void nan_is_seen_in_every_model(void) {
  for (size_t m = 0; m < stiction_model_count(); ++m) {
    const char* name = stiction_model_name(m);
    const size_t count = stiction_parameter_count(name);
    struct stiction_parameter parameters[16];
    static const double one = 1, half = 0.5, less = 0.1, thousand = 1e3, minus = -1;
    struct stiction_parameter_info info;
    struct stiction_model* model = NULL;
    for (size_t i = 0; i < count; ++i) {
      CHECK(stiction_parameter_at(name, i, &info) == STICTION_OK);
      parameters[i].name = info.name;
      parameters[i].count = 1;
      parameters[i].values = &one;
      if (strcmp(info.name, "force_2") == 0 || strstr(info.name, "ratio") != NULL || strcmp(info.name, "clearance") == 0 ||
          strcmp(info.name, "zero_velocity") == 0 || strcmp(info.name, "elastic_share") == 0) {
        parameters[i].values = &less;
      } else if (strcmp(info.name, "contact_onset") == 0) {
        parameters[i].values = &half;
      } else if (strcmp(info.name, "contact_stiffness") == 0) {
        parameters[i].values = &thousand;
      } else if (strcmp(info.name, "a") == 0) {
        parameters[i].values = &minus;
      } else if (strncmp(info.name, "viscous", 7) == 0 && strncmp(name, "karnopp", 7) == 0) {
        static const double zero = 0;
        parameters[i].values = &zero;
      }
    }
    CHECK(stiction_model_create(name, parameters, count, &model) == STICTION_OK);
    if (model == NULL) {
      printf("%s: %s\n", name, stiction_last_error());
      continue;
    }
    const size_t size = stiction_state_size(model);
    void* state = calloc(1, size);
    void* before = calloc(1, size);
    struct stiction_moved moved = {0, 0};
    double force = 0;
    const struct stiction_coupled_step at_once = {.free_velocity = 0.1, .mobility = 1, .velocity = 0.1, .dt = 0};
    const struct stiction_coupled_step no_time = {.free_velocity = 0.1, .mobility = 1, .velocity = 0.1, .dt = NAN};
    const struct stiction_coupled_step no_mobility = {.free_velocity = 0.1, .mobility = NAN, .velocity = 0.1, .dt = 1e-3};
    const struct stiction_coupled_step no_velocity = {.free_velocity = NAN, .mobility = 1, .dt = 1e-3};
    CHECK(stiction_at_rest(model, 0.05, state) == STICTION_OK);
    memcpy(before, state, size);
    CHECK(stiction_step(model, state, 0.1, -1e-3, &force) == STICTION_INVALID);
    CHECK(stiction_step(model, state, 0.1, INFINITY, &force) == STICTION_INVALID);
    CHECK(stiction_solve(model, state, &no_time, &moved) == STICTION_INVALID);
    CHECK(stiction_solve(model, state, &no_mobility, &moved) == STICTION_INVALID);
    CHECK(memcmp(before, state, size) == 0);
    CHECK(stiction_solve(model, state, &at_once, &moved) == STICTION_OK);
    CHECK(moved.velocity == 0.1 && isfinite(moved.force));
    CHECK(stiction_force(model, state, NAN, &force) == STICTION_OK && isnan(force));
    CHECK(stiction_step(model, state, NAN, 1e-3, &force) == STICTION_OK && isnan(force));
    CHECK(stiction_at_rest(model, 0, state) == STICTION_OK);
    CHECK(stiction_solve(model, state, &no_velocity, &moved) == STICTION_OK);
    CHECK(isnan(moved.force) && isnan(moved.velocity));
    free(state);
    free(before);
    stiction_model_free(model);
  }
}

static void lists_and_names_of_any_length(void) {
  const double numbers[2] = {1, 1};
  struct stiction_model* model = NULL;
  char long_name[2000];
  const struct stiction_parameter twice[] = {{"coulomb_force", numbers, 1}, {"coulomb_force", numbers, 1}};
  const struct stiction_parameter endless[] = {{"stiffness", numbers, (size_t)-1}};
  const struct stiction_parameter named[] = {{long_name, numbers, 1}};
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = '\0';
  CHECK(stiction_model_create("coulomb", twice, 2, &model) == STICTION_INVALID && model == NULL);
  CHECK(strcmp(stiction_last_error(), "the parameter 'coulomb_force' is given twice") == 0);
  CHECK(stiction_model_create("gms", endless, 1, &model) == STICTION_INVALID && model == NULL);
  CHECK(strstr(stiction_last_error(), "stiffness has 1.84467e+19 numbers: must be 1 to 16 numbers") != NULL);
  CHECK(stiction_model_create("coulomb", named, 1, &model) == STICTION_UNKNOWN);
  CHECK(stiction_model_create(long_name, NULL, 0, &model) == STICTION_UNKNOWN);
  CHECK(stiction_parameter_count(long_name) == 0);
}

static void no_patch_is_followed_that_is_null(void) {
  const double x[1] = {0}, share[1] = {1}, pressure[4] = {1, 1, 1, 1};
  const struct stiction_twist twist = {0.01, 0, 0}, bad_twist = {NAN, 0, 0};
  const struct stiction_wrench load = {1, 0, 0};
  const struct stiction_patch_friction friction = stiction_patch_friction_default();
  struct stiction_patch* patch = NULL;
  struct stiction_reduced* reduced = NULL;
  struct stiction_bristles* bristles = NULL;
  struct stiction_patch_sizes sizes;
  struct stiction_reduced_state z = {0, 0, 0};
  struct stiction_wrench wrench;
  struct stiction_slip slip;
  double state[8] = {0};
  CHECK(stiction_patch_from_points(x, NULL, share, 1, &patch) == STICTION_INVALID);
  CHECK(stiction_patch_from_points(x, x, NULL, 1, &patch) == STICTION_INVALID);
  CHECK(stiction_patch_from_points(x, x, share, 1, NULL) == STICTION_INVALID);
  CHECK(stiction_patch_from_points(x, x, share, (size_t)-1, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_grid(NULL, 2, 2, 0, 0, 1, 1, &patch) == STICTION_INVALID);
  CHECK(stiction_patch_from_grid(pressure, 2, 2, 0, 0, 1, 1, NULL) == STICTION_INVALID);
  CHECK(stiction_patch_from_grid(pressure, (size_t)-1, 2, 0, 0, 1, 1, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_grid(pressure, 0, 2, 0, 0, 1, 1, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_grid(pressure, 2, 2, NAN, 0, 1, 1, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_grid(pressure, 2, 2, 0, 0, -1, 1, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_grid(pressure, 2, 2, 0, 0, 0.01, 0.01, &patch) == STICTION_OK);
  CHECK(stiction_patch_sizes_of(NULL, &sizes) == STICTION_INVALID);
  CHECK(stiction_patch_sizes_of(patch, NULL) == STICTION_INVALID);
  CHECK(stiction_patch_wrench(NULL, &twist, &wrench) == STICTION_INVALID);
  CHECK(stiction_patch_wrench(patch, NULL, &wrench) == STICTION_INVALID);
  CHECK(stiction_patch_wrench(patch, &twist, NULL) == STICTION_INVALID);
  CHECK(stiction_patch_slip(NULL, &load, 1, &slip) == STICTION_INVALID);
  CHECK(stiction_patch_slip(patch, NULL, 1, &slip) == STICTION_INVALID);
  CHECK(stiction_patch_slip(patch, &load, 1, NULL) == STICTION_INVALID);
  CHECK(stiction_patch_slip(patch, &load, NAN, &slip) == STICTION_INVALID);
  CHECK(stiction_patch_slip(patch, &load, -1, &slip) == STICTION_INVALID);
  CHECK(stiction_reduced_create(&friction, NULL, 0, &reduced) == STICTION_INVALID);
  CHECK(stiction_reduced_create(&friction, patch, 0, NULL) == STICTION_INVALID);
  CHECK(stiction_reduced_create(&friction, patch, (size_t)-1, &reduced) == STICTION_INVALID && reduced == NULL);
  CHECK(stiction_bristles_create(NULL, patch, &bristles) == STICTION_INVALID);
  CHECK(stiction_bristles_create(&friction, NULL, &bristles) == STICTION_INVALID);
  CHECK(stiction_bristles_create(&friction, patch, NULL) == STICTION_INVALID);
  CHECK(stiction_reduced_create(&friction, patch, 0, &reduced) == STICTION_OK);
  CHECK(stiction_bristles_create(&friction, patch, &bristles) == STICTION_OK);
  CHECK(stiction_reduced_step(NULL, &z, &twist, 1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, NULL, &twist, 1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, &z, NULL, 1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, &z, &twist, 1, 1e-3, NULL) == STICTION_INVALID);
  CHECK(stiction_bristles_step(NULL, state, &twist, 1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_bristles_step(bristles, state, NULL, 1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_bristles_step(bristles, state, &twist, 1, 1e-3, NULL) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, &z, &twist, -1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, &z, &twist, NAN, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_bristles_step(bristles, state, &twist, -1, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_bristles_step(bristles, state, &twist, INFINITY, 1e-3, &wrench) == STICTION_INVALID);
  CHECK(stiction_reduced_step(reduced, &z, &bad_twist, 1, 1e-3, &wrench) != STICTION_OK || isnan(wrench.x));
  CHECK(stiction_bristles_step(bristles, state, &bad_twist, 1, 1e-3, &wrench) != STICTION_OK || isnan(wrench.x));
  stiction_reduced_free(NULL);
  stiction_bristles_free(NULL);
  stiction_reduced_free(reduced);
  stiction_bristles_free(bristles);
  stiction_patch_free(patch);
}

static void patches(void) {
  const double pressure[4] = {1, 1, 1, 1};
  struct stiction_patch* patch = NULL;
  struct stiction_patch_sizes sizes;
  const struct stiction_twist along = {0.01, 0, 0}, still = {0, 0, 0};
  struct stiction_wrench wrench;
  struct stiction_slip slip;
  const struct stiction_wrench load = {0.5, 0, 0};
  struct stiction_patch_friction friction = stiction_patch_friction_default();
  struct stiction_reduced* reduced = NULL;
  struct stiction_reduced_state z = {0, 0, 0};
  struct stiction_bristles* bristles = NULL;
  CHECK(stiction_patch_from_grid(pressure, 2, 2, 0, 0, 0.01, 0.01, &patch) == STICTION_OK);
  CHECK(stiction_patch_sizes_of(patch, &sizes) == STICTION_OK);
  CHECK(near(sizes.centre_x, 0.01, 1e-12) && near(sizes.centre_y, 0.01, 1e-12));
  /* The mean distance from the centre of a square of side a is a (√2 + asinh 1)/6. */
  CHECK(near(sizes.torque_radius, 0.02 * (sqrt(2) + asinh(1)) / 6, 1e-9));
  CHECK(stiction_patch_wrench(patch, &along, &wrench) == STICTION_OK && near(wrench.x, -1, 1e-9));
  CHECK(stiction_patch_wrench(patch, &still, &wrench) == STICTION_OK && wrench.x == 0);
  CHECK(stiction_patch_slip(patch, &load, 1, &slip) == STICTION_OK && near(slip.factor, 2, 1e-6) && slip.twist.x > 0);
  CHECK(stiction_reduced_create(&friction, patch, 0, &reduced) == STICTION_OK);
  CHECK(stiction_bristles_create(&friction, patch, &bristles) == STICTION_OK);
  CHECK(stiction_bristles_count(bristles) == 8);
  {
    /* Rows count from the top; and a grid that could not be in memory is refused. */
    const double top_heavy[6] = {0, 1, 6, 0, 0, 1}, one = 1, nowhere = 0;
    struct stiction_patch* other = NULL;
    struct stiction_twist slides = {0.003, 0.004, 20};
    struct stiction_reduced* point = NULL;
    struct stiction_reduced_state at_rest = {0, 0, 0};
    CHECK(stiction_patch_from_grid(top_heavy, 3, 2, -0.015, -0.01, 0.01, 0.01, &other) == STICTION_OK);
    CHECK(stiction_patch_sizes_of(other, &sizes) == STICTION_OK);
    CHECK(near(sizes.centre_x, 0.01 * 7 / 8, 1e-15) && near(sizes.centre_y, 0.005 * 6 / 8, 1e-15));
    stiction_patch_free(other);
    CHECK(stiction_patch_from_grid(&one, (size_t)-1, (size_t)-1, 0, 0, 1, 1, &other) == STICTION_INVALID);
    /* One point has all its friction, and no torque. */
    CHECK(stiction_patch_from_points(&nowhere, &nowhere, &one, 1, &other) == STICTION_OK);
    CHECK(stiction_reduced_create(&friction, other, 0, &point) == STICTION_OK);
    CHECK(stiction_reduced_step(point, &at_rest, &slides, 2, 1, &wrench) == STICTION_OK);
    CHECK(near(wrench.x, -2 * 0.6, 1e-2) && near(wrench.y, -2 * 0.8, 1e-2) && wrench.torque == 0);
    stiction_reduced_free(point);
    stiction_patch_free(other);
  }
  double state[8] = {0};
  struct stiction_wrench of_bristles = {0, 0, 0};
  for (int i = 0; i < 3000; ++i) {
    CHECK(stiction_reduced_step(reduced, &z, &along, 3, 1e-3, &wrench) == STICTION_OK);
    CHECK(stiction_bristles_step(bristles, state, &along, 3, 1e-3, &of_bristles) == STICTION_OK);
  }
  /* g(0.01 m/s) is mu_C to the last digit at ten times the Stribeck velocity; and the viscous part. */
  CHECK(near(wrench.x, -3 * (1 + 0.2 * 0.01), 1e-6) && near(of_bristles.x, wrench.x, 1e-6));
  CHECK(stiction_reduced_step(reduced, &z, &along, 3, -1, &wrench) == STICTION_INVALID);
  CHECK(stiction_bristles_step(bristles, NULL, &along, 3, 1e-3, &wrench) == STICTION_INVALID);
  {
    const struct stiction_twist unknown = {NAN, 0, 0};
    const struct stiction_wrench no_load = {INFINITY, 0, 0};
    const struct stiction_reduced_state before = z;
    CHECK(stiction_reduced_step(reduced, &z, &along, -3, 1e-3, &wrench) == STICTION_INVALID);
    CHECK(strcmp(stiction_last_error(), "normal_force = -3: must be >= 0 and finite") == 0);
    CHECK(stiction_bristles_step(bristles, state, &along, NAN, 1e-3, &wrench) == STICTION_INVALID);
    CHECK(stiction_reduced_step(reduced, &z, &unknown, 3, 1e-3, &wrench) == STICTION_INVALID);
    CHECK(stiction_bristles_step(bristles, state, &unknown, 3, 1e-3, &wrench) == STICTION_INVALID);
    CHECK(z.x == before.x && state[0] == state[0]); /* nothing has changed */
    CHECK(stiction_patch_wrench(patch, &unknown, &wrench) == STICTION_INVALID);
    CHECK(stiction_patch_slip(patch, &no_load, 1, &slip) == STICTION_INVALID);
    CHECK(stiction_patch_slip(patch, &load, -1, &slip) == STICTION_INVALID);
    }
  stiction_reduced_free(reduced);
  stiction_bristles_free(bristles);
  friction.coulomb = -1;
  CHECK(stiction_reduced_create(&friction, patch, 0, &reduced) == STICTION_INVALID && reduced == NULL);
  CHECK(strcmp(stiction_last_error(), "coulomb = -1: must be in [1e-5, 1e3]") == 0);
  CHECK(stiction_bristles_create(&friction, patch, &bristles) == STICTION_INVALID && bristles == NULL);
  CHECK(stiction_reduced_create(NULL, patch, 0, &reduced) == STICTION_INVALID);
  stiction_patch_free(patch);
  const double x[3] = {0, 1, 0}, y[3] = {0, 0, 1}, share[3] = {1, 1, 2}, bad[3] = {1, NAN, 1};
  CHECK(stiction_patch_from_points(x, y, share, 3, &patch) == STICTION_OK);
  CHECK(stiction_patch_sizes_of(patch, &sizes) == STICTION_OK && near(sizes.centre_y, 0.5, 1e-12));
  stiction_patch_free(patch);
  CHECK(stiction_patch_from_points(x, y, bad, 3, &patch) == STICTION_INVALID && patch == NULL);
  CHECK(stiction_patch_from_points(NULL, y, share, 3, &patch) == STICTION_INVALID);
  CHECK(stiction_patch_from_points(x, y, share, 0, &patch) == STICTION_INVALID);
  CHECK(stiction_bristles_count(NULL) == 0);
  stiction_patch_free(NULL);
}

int main(void) {
  CHECK(strlen(stiction_version()) >= 5);
  a_joint_is_held();
  a_given_load_is_seen();
  a_gear_knows_what_it_transmits();
  calls_agree();
  every_model_is_described();
  wrong_input_has_a_status_and_a_message();
  no_pointer_is_followed_that_is_null();
  nan_is_seen_in_every_model();
  lists_and_names_of_any_length();
  patches();
  no_patch_is_followed_that_is_null();
  printf(failures == 0 ? "all hold\n" : "%d failed\n", failures);
  return failures;
}
