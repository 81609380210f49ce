#include "reference_logs.h"

#include <initializer_list>

namespace stiction::lab {
namespace {

constexpr std::initializer_list<double> sweep{
// v_mean, torque_mean, torque_std_of_mean
#include "id_A_sweep.inc"
};
constexpr std::initializer_list<double> presliding{
// t, torque_cmd, torque_meas, x_meas
#include "id_B_presliding.inc"
};
constexpr std::initializer_list<double> motion{
// t, v_ref, torque_meas, x_meas
#include "id_C_motion.inc"
};

std::vector<double> column(std::initializer_list<double> rows, std::size_t index, std::size_t columns) {
  std::vector<double> values;
  values.reserve(rows.size() / columns);
  for (std::size_t i = index; i < rows.size(); i += columns) {
    values.push_back(rows.begin()[i]);
  }
  return values;
}

}  // namespace

identify::Data reference_logs() {
  using identify::Recording;
  identify::Data data;
  data.sweeps = {{"A, sweep", column(sweep, 0, 3), column(sweep, 1, 3), column(sweep, 2, 3)}};
  data.recordings = {{"B, presliding",
                      column(presliding, 0, 4),
                      column(presliding, 1, 4),
                      column(presliding, 3, 4),
                      Recording::Reference::none,
                      {}},
                     {"C, motion", column(motion, 0, 4), column(motion, 2, 4), column(motion, 3, 4),
                      Recording::Reference::velocity, column(motion, 1, 4)}};
  return data;
}

}  // namespace stiction::lab
