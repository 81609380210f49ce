# STICTION_DENSE_CERES: Ceres without SuiteSparse, CXSparse and LAPACK, for wheels. Identification solves dense problems with
# Eigen. The sparse solvers would make a wheel 7 MB larger, and bind it to their licences (GPL and LGPL).
get_target_property(type Ceres::ceres TYPE)
if(NOT type STREQUAL "STATIC_LIBRARY")
  message(FATAL_ERROR "STICTION_DENSE_CERES needs a static Ceres, as Debian has it")
endif()
add_library(stiction_dense_ceres STATIC src/identify/dense_ceres.c)
set_target_properties(stiction_dense_ceres PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
set_target_properties(Ceres::ceres PROPERTIES INTERFACE_LINK_LIBRARIES "Threads::Threads;glog::glog;gflags;Eigen3::Eigen;stiction_dense_ceres")
