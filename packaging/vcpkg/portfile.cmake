# An overlay port: vcpkg install stiction --overlay-ports=packaging/vcpkg. It builds the sources around it, so it must be
# used from a clone; a port in vcpkg's own registry would fetch a release here instead.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    c STICTION_C
    sim STICTION_SIM
    identify STICTION_IDENTIFY
    geometry STICTION_GEOMETRY
    haptics STICTION_HAPTICS
    viz STICTION_VIZ
    apps STICTION_APPS)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} -DSTICTION_ENGINES=OFF -DSTICTION_PYTHON=OFF -DSTICTION_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME stiction CONFIG_PATH lib/cmake/stiction)
if("apps" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES stiction AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
