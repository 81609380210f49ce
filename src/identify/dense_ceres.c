// The functions of SuiteSparse, CXSparse and LAPACK that Ceres's archive refers to, for builds without them
// (cmake/dense_ceres.cmake). Our problems are dense and solved with Eigen, so that none of these is ever called.
#include <stdio.h>
#include <stdlib.h>

_Noreturn void stiction_absent_solver(void) {
  fputs(
      "stiction: Ceres was asked for a solver of SuiteSparse or LAPACK, and was linked without "
      "(STICTION_DENSE_CERES)\n",
      stderr);
  abort();
}

#define ABSENT(name) void name(void) __attribute__((alias("stiction_absent_solver")))
ABSENT(cholmod_amd);
ABSENT(cholmod_analyze);
ABSENT(cholmod_analyze_p);
ABSENT(cholmod_camd);
ABSENT(cholmod_factorize);
ABSENT(cholmod_finish);
ABSENT(cholmod_free_dense);
ABSENT(cholmod_free_factor);
ABSENT(cholmod_free_sparse);
ABSENT(cholmod_print_common);
ABSENT(cholmod_solve);
ABSENT(cholmod_start);
ABSENT(cholmod_triplet_to_sparse);
ABSENT(cholmod_zeros);
ABSENT(cs_di_amd);
ABSENT(cs_di_calloc);
ABSENT(cs_di_chol);
ABSENT(cs_di_cholsol);
ABSENT(cs_di_compress);
ABSENT(cs_di_counts);
ABSENT(cs_di_cumsum);
ABSENT(cs_di_etree);
ABSENT(cs_di_free);
ABSENT(cs_di_ipvec);
ABSENT(cs_di_lsolve);
ABSENT(cs_di_ltsolve);
ABSENT(cs_di_malloc);
ABSENT(cs_di_multiply);
ABSENT(cs_di_nfree);
ABSENT(cs_di_pinv);
ABSENT(cs_di_post);
ABSENT(cs_di_pvec);
ABSENT(cs_di_schol);
ABSENT(cs_di_sfree);
ABSENT(cs_di_spfree);
ABSENT(cs_di_symperm);
ABSENT(cs_di_transpose);
ABSENT(dgeqrf_);
ABSENT(dormqr_);
ABSENT(dpotrf_);
ABSENT(dpotrs_);
ABSENT(dtrtrs_);
