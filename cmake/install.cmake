# Installs headers and libraries so that find_package(stiction) gives stiction::stiction and, where built, stiction::sim.
# Each component has its own export set: a user of the models alone needs none of the simulation's dependencies.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)

function(stiction_install target export_set)
  install(TARGETS ${target} EXPORT ${export_set})
  install(EXPORT ${export_set} NAMESPACE stiction:: DESTINATION ${package_folder})
endfunction()

stiction_install(stiction stictionTargets)
install(DIRECTORY include/stiction/control include/stiction/planar include/stiction/scalar include/stiction/spatial DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
file(GLOB common_headers include/stiction/*.h)
install(FILES ${common_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
if(STICTION_C)
  stiction_install(stiction_c stictionCTargets)
endif()
if(STICTION_SIM)
  stiction_install(stiction_sim stictionSimTargets)
  install(DIRECTORY include/stiction/sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endif()

if(STICTION_IDENTIFY)
  stiction_install(stiction_identify stictionIdentifyTargets)
  install(DIRECTORY include/stiction/identify DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endif()

if(STICTION_GEOMETRY)
  stiction_install(stiction_geometry stictionGeometryTargets)
  install(DIRECTORY include/stiction/geometry DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endif()

if(STICTION_HAPTICS)
  stiction_install(stiction_haptics stictionHapticsTargets)
  install(DIRECTORY include/stiction/haptics DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endif()

if(STICTION_VIZ)
  stiction_install(stiction_viz stictionVizTargets)
  install(DIRECTORY include/stiction/viz DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endif()

set(stiction_static TRUE)
if(BUILD_SHARED_LIBS)
  set(stiction_static FALSE)
endif()
configure_package_config_file(cmake/stictionConfig.cmake.in stictionConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stictionConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/stictionConfigVersion.cmake
        DESTINATION ${package_folder})

# What the help and the manual pages name in their examples.
if(STICTION_APPS)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "__pycache__" EXCLUDE)
endif()
