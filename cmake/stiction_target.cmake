# Flags for our own targets alone; users who link the library inherit none of them.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Which processors the build is for. By default any x86-64 of the second level (2009), where the loops of the kernels
# (src/simd.h) are also compiled for the third and fourth; with STICTION_NATIVE this machine's alone.
set(stiction_x86 FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(stiction_x86 TRUE)
endif()
include(CheckCXXSourceCompiles)
set(stiction_levels "")
if(STICTION_NATIVE)
  set(stiction_processor -march=native)
  set(CMAKE_REQUIRED_FLAGS -march=native)
  check_cxx_source_compiles("#if !defined(__FMA__)\n#error\n#endif\nint main() {}" STICTION_NATIVE_HAS_FMA)
  unset(CMAKE_REQUIRED_FLAGS)
elseif(stiction_x86 AND NOT CMAKE_CXX_FLAGS MATCHES "-march") # who has chosen a processor gets it
  if(PROJECT_IS_TOP_LEVEL)
    set(stiction_processor -march=x86-64-v2)
  endif()
  # Functions of the kernels are internal where all is inlined, which a build without optimisation or with sanitizers does not do.
  set(CMAKE_REQUIRED_FLAGS -march=x86-64-v4)
  check_cxx_source_compiles("int main() { return __builtin_cpu_supports(\"avx512vl\"); }" STICTION_HAS_LEVELS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(STICTION_HAS_LEVELS AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(stiction_levels v3 v4)
  endif()
endif()

# Results must not depend on the compiler's mood: no contraction, no fast-math. Trapping and errno are not used, and saying
# so lets loops vectorise without changing a single result.
function(stiction_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-trapping-math -fno-math-errno ${stiction_processor})
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
  endif()
endfunction()

# stiction_kernels(<target> <sources> [FUSED <sources>]): adds files that define tables of kernels, and compiles them for each level.
# Those after FUSED may contract multiplications and additions: their results come with their own proof.
function(stiction_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FUSED")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_FUSED})
  set(options -O3)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-psabi -Wno-maybe-uninitialized) # GCC warns of its own intrinsics
    # [[gnu::flatten]] does not reach into copies of functions with fewer arguments. (-fno-ipa-sra says the same, but clang-tidy refuses it.)
    list(APPEND options --param=ipa-sra-max-replacements=0)
    if(stiction_x86)
      list(APPEND options -mprefer-vector-width=512)
    endif()
  endif()
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:${options}>")
  set_source_files_properties(${arg_FUSED} PROPERTIES COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:${options};-ffp-contract=fast>")
  target_sources(${target} PRIVATE ${sources})
  foreach(level ${stiction_levels})
    add_library(${target}_${level} OBJECT ${sources})
    stiction_flags(${target}_${level})
    target_compile_options(${target}_${level} PRIVATE -march=x86-64-${level})
    target_compile_definitions(${target}_${level} PRIVATE STICTION_LEVEL=${level} STICTION_LEVELS)
    target_include_directories(${target}_${level} PRIVATE ${stiction_SOURCE_DIR}/include)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
  if(stiction_levels)
    target_compile_definitions(${target} PRIVATE STICTION_LEVELS)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # GCC collects garbage from 128 MB on, a fifth of the time of a large file
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=1000000)
  endif()
endfunction()

# Eight sources of a target at a time: what they include, and templates that they share, are then compiled once for the
# eight. Sources with options of their own stay alone. OFF is for clang-tidy, and for work on one file.
function(stiction_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STICTION_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(STICTION_UNITY) # a local name may be one of another file; clang-tidy reads each file by itself, with this warning
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
endfunction()

# For code that has no loops of its own that take time. Not -O1, which inlines nothing small: the linker keeps one copy of a
# function for the whole program, and a copy of `decay` from here made every solve with a Stribeck curve half as slow again.
function(stiction_offline target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # sees what is unset only on paths that are never taken
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# stiction_library(<target> <export name> <sources>): a library that is installed as stiction::<export name>.
function(stiction_library target export_name)
  add_library(${target} ${ARGN})
  add_library(stiction::${export_name} ALIAS ${target})
  stiction_flags(${target})
  # While the version starts with 0, each minor version has an interface of its own. No DEFINE_SYMBOL: shared and static
  # libraries are made of the same objects.
  set_target_properties(
    ${target} PROPERTIES EXPORT_NAME ${export_name} VERSION ${PROJECT_VERSION}
                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} DEFINE_SYMBOL "")
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${stiction_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
