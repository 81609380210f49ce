# Installs headers and libraries so that find_package(stiction) gives stiction::stiction and, where built, stiction::sim.
include(CMakePackageConfigHelpers)

set(components stiction)
set(header_folders scalar)
if(STICTION_SIM)
  list(APPEND components stiction_sim)
  list(APPEND header_folders sim)
endif()
install(TARGETS ${components} EXPORT stictionTargets)
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
install(DIRECTORY include/stiction/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction FILES_MATCHING REGEX
                                                                                      "/stiction/[a-z_]+\\.h$")
foreach(folder ${header_folders})
  install(DIRECTORY include/stiction/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
endforeach()
configure_package_config_file(cmake/stictionConfig.cmake.in stictionConfig.cmake INSTALL_DESTINATION
                              ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
write_basic_package_version_file(stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/stictionConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/stictionConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
