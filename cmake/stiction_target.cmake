# Flags for our own targets alone; users who link the library inherit none of them.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Results must not depend on the compiler's mood: no contraction, no fast-math. Trapping and errno are not used, and saying
# so lets loops vectorise without changing a single result.
function(stiction_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-trapping-math -fno-math-errno)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
  endif()
  if(STICTION_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # GCC collects garbage from 128 MB on, a fifth of the time of a large file
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=1000000)
  endif()
endfunction()

# Eight sources of a target at a time: what they include, and templates that they share, are then compiled once for the
# eight. Sources with options of their own stay alone. OFF is for clang-tidy, and for work on one file.
option(STICTION_UNITY "Compile several sources of the apps, the bindings and the tests at a time" ${PROJECT_IS_TOP_LEVEL})
function(stiction_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STICTION_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# stiction_library(<target> <export name> <sources>): a library that is installed as stiction::<export name>.
function(stiction_library target export_name)
  add_library(${target} ${ARGN})
  add_library(stiction::${export_name} ALIAS ${target})
  stiction_flags(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name} VERSION ${PROJECT_VERSION} SOVERSION
                                                                                        ${PROJECT_VERSION_MAJOR})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${stiction_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
