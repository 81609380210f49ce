#include "mujoco_rows.h"

#ifdef STICTION_HAS_MUJOCO
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#if mjVERSION_HEADER >= 300  // takes a file from memory by another call
#undef STICTION_HAS_MUJOCO
#endif
#endif

namespace stiction::baselines {

#ifdef STICTION_HAS_MUJOCO

namespace {

int rows_of_one_contact(int condim, const std::string& cone) {
  const std::string dimension = "condim=\"" + std::to_string(condim) + "\"";
  const std::string xml = R"(<mujoco><option cone=")" + cone + R"("/><worldbody><geom type="plane" size="1 1 1" )" +
                          dimension + R"(/><body pos="0 0 0.0999"><freejoint/><geom type="sphere" size="0.1" )" +
                          dimension + "/></body></worldbody></mujoco>";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  if (mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size())) != 0) {
    throw std::runtime_error("MuJoCo takes no file from memory");
  }
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  std::array<char, 500> error{};
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(
      mj_loadXML("model.xml", files.get(), error.data(), static_cast<int>(error.size())), mj_deleteModel);
  mj_deleteVFS(files.get());
  if (model == nullptr) {
    throw std::runtime_error(std::string("MuJoCo: ") + error.data());
  }
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  mj_forward(model.get(), data.get());
  return data->nefc;
}

}  // namespace

bool has_mujoco() { return true; }
std::array<MujocoRows, 4> mujoco_rows() {
  auto all = stored_mujoco_rows;
  for (MujocoRows& rows : all) {
    rows.elliptic = rows_of_one_contact(rows.condim, "elliptic");
    rows.pyramidal = rows_of_one_contact(rows.condim, "pyramidal");
  }
  return all;
}

#else

bool has_mujoco() { return false; }
std::array<MujocoRows, 4> mujoco_rows() { return stored_mujoco_rows; }

#endif

}  // namespace stiction::baselines
