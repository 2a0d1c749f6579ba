/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas.c - see blas.h. */
#include "numerics/blas.h"
#include <cblas.h>
#include <dlfcn.h>
#include <lapacke.h>
#include <pthread.h>
#include <string.h>
#include "src/base/base.h"
#include "src/base/blas_core.h"

extern char *openblas_get_corename(void);            /* which <cblas.h> declares since 0.3.22 alone */

#define FUNCTIONS(F) \
    F(cblas_ddot) F(cblas_dgemm) F(cblas_dgemv) F(cblas_dger) F(cblas_dnrm2) F(cblas_dscal) F(cblas_sgemm) \
    F(cblas_sgemv) F(cblas_ssyrk) F(openblas_get_config) F(openblas_get_corename) F(openblas_get_num_threads) \
    F(openblas_get_parallel) F(openblas_set_num_threads) \
    F(LAPACKE_dbdsqr) F(LAPACKE_dgels) F(LAPACKE_dgelsy) F(LAPACKE_dgeqp3) F(LAPACKE_dgeqrf) F(LAPACKE_dgesv) \
    F(LAPACKE_dgesvd) F(LAPACKE_dgetrf) F(LAPACKE_dgetri) F(LAPACKE_dposv)
#define FIELD(name) __typeof__(&name) name;
#define NAME(name)  #name,
static struct { FUNCTIONS(FIELD) } library;
static const char *const names[] = { FUNCTIONS(NAME) };
static bool is_open;

static void *opened(const char *file)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle ? NULL : dlerror();
    if (why && (strstr(why, "failed to map") || strcasestr(why, "cannot allocate")))
        die("out of memory while %s is loaded (%s); raise the limit (ulimit -v), or end other programs", file, why);
    if (why) die("cannot load %s: %s; `make deps` installs it", file, why);
    return handle;
}

static void *symbol(void *blas, void *lapacke, const char *name)
{
    void *f = dlsym(name[0] == 'L' ? lapacke : blas, name);
    if (!f) die("the installed OpenBLAS or LAPACKE has no %s; `make deps` installs one that has it", name);
    return f;
}

/* OpenBLAS reads the environment while it is loaded: where it then runs a slower core than the CPU allows, it is loaded
 * once more with the better one named. */
static void *open_blas(void)
{
    static const char file[] = "libopenblas.so.0";
    blas_core_before();
    void *blas = opened(file);
    char *(*corename)(void) = (__typeof__(corename))symbol(blas, NULL, "openblas_get_corename");
    if (!blas_core_after(corename())) return blas;
    dlclose(blas);
    return opened(file);
}

static void open_libraries(void)
{
    void *blas = open_blas(), *lapacke = opened("liblapacke.so.3"), **field = (void **)(void *)&library;
    for (size_t k = 0; k < COUNT(names); k++) field[k] = symbol(blas, lapacke, names[k]);
    __atomic_store_n(&is_open, true, __ATOMIC_RELEASE);
}

bool blas_is_open(void) { return __atomic_load_n(&is_open, __ATOMIC_ACQUIRE); }

static __typeof__(&library) functions(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!blas_is_open()) pthread_once(&once, open_libraries);
    return &library;
}

/* ---- OpenBLAS */

typedef enum CBLAS_ORDER order;
typedef enum CBLAS_TRANSPOSE transposed;
typedef enum CBLAS_UPLO half;

double cblas_ddot(blasint n, const double *x, blasint dx, const double *y, blasint dy)
{
    return functions()->cblas_ddot(n, x, dx, y, dy);
}
double cblas_dnrm2(blasint n, const double *x, blasint dx) { return functions()->cblas_dnrm2(n, x, dx); }
void cblas_dscal(blasint n, double a, double *x, blasint dx) { functions()->cblas_dscal(n, a, x, dx); }
void cblas_dger(order by, blasint m, blasint n, double a, const double *x, blasint dx, const double *y, blasint dy,
                double *A, blasint lda)
{
    functions()->cblas_dger(by, m, n, a, x, dx, y, dy, A, lda);
}
void cblas_dgemv(order by, transposed t, blasint m, blasint n, double a, const double *A, blasint lda, const double *x,
                 blasint dx, double b, double *y, blasint dy)
{
    functions()->cblas_dgemv(by, t, m, n, a, A, lda, x, dx, b, y, dy);
}
void cblas_sgemv(order by, transposed t, blasint m, blasint n, float a, const float *A, blasint lda, const float *x,
                 blasint dx, float b, float *y, blasint dy)
{
    functions()->cblas_sgemv(by, t, m, n, a, A, lda, x, dx, b, y, dy);
}
void cblas_dgemm(order by, transposed s, transposed t, blasint m, blasint n, blasint k, double a, const double *A,
                 blasint lda, const double *B, blasint ldb, double b, double *C, blasint ldc)
{
    functions()->cblas_dgemm(by, s, t, m, n, k, a, A, lda, B, ldb, b, C, ldc);
}
void cblas_sgemm(order by, transposed s, transposed t, blasint m, blasint n, blasint k, float a, const float *A,
                 blasint lda, const float *B, blasint ldb, float b, float *C, blasint ldc)
{
    functions()->cblas_sgemm(by, s, t, m, n, k, a, A, lda, B, ldb, b, C, ldc);
}
void cblas_ssyrk(order by, half of, transposed t, blasint n, blasint k, float a, const float *A, blasint lda, float b,
                 float *C, blasint ldc)
{
    functions()->cblas_ssyrk(by, of, t, n, k, a, A, lda, b, C, ldc);
}
char *openblas_get_config(void)               { return functions()->openblas_get_config(); }
char *openblas_get_corename(void)             { return functions()->openblas_get_corename(); }
int   openblas_get_num_threads(void)          { return functions()->openblas_get_num_threads(); }
int   openblas_get_parallel(void)             { return functions()->openblas_get_parallel(); }
void  openblas_set_num_threads(int n)         { functions()->openblas_set_num_threads(n); }

/* ---- LAPACKE */

lapack_int LAPACKE_dbdsqr(int by, char half_of, lapack_int n, lapack_int ncvt, lapack_int nru, lapack_int ncc,
                          double *d, double *e, double *Vt, lapack_int ldvt, double *U, lapack_int ldu, double *C,
                          lapack_int ldc)
{
    return functions()->LAPACKE_dbdsqr(by, half_of, n, ncvt, nru, ncc, d, e, Vt, ldvt, U, ldu, C, ldc);
}
lapack_int LAPACKE_dgels(int by, char t, lapack_int m, lapack_int n, lapack_int k, double *A, lapack_int lda, double *B,
                         lapack_int ldb)
{
    return functions()->LAPACKE_dgels(by, t, m, n, k, A, lda, B, ldb);
}
lapack_int LAPACKE_dgelsy(int by, lapack_int m, lapack_int n, lapack_int k, double *A, lapack_int lda, double *B,
                          lapack_int ldb, lapack_int *pivots, double rcond, lapack_int *rank)
{
    return functions()->LAPACKE_dgelsy(by, m, n, k, A, lda, B, ldb, pivots, rcond, rank);
}
lapack_int LAPACKE_dgeqp3(int by, lapack_int m, lapack_int n, double *A, lapack_int lda, lapack_int *pivots,
                          double *tau)
{
    return functions()->LAPACKE_dgeqp3(by, m, n, A, lda, pivots, tau);
}
lapack_int LAPACKE_dgeqrf(int by, lapack_int m, lapack_int n, double *A, lapack_int lda, double *tau)
{
    return functions()->LAPACKE_dgeqrf(by, m, n, A, lda, tau);
}
lapack_int LAPACKE_dgesv(int by, lapack_int n, lapack_int k, double *A, lapack_int lda, lapack_int *pivots, double *B,
                         lapack_int ldb)
{
    return functions()->LAPACKE_dgesv(by, n, k, A, lda, pivots, B, ldb);
}
lapack_int LAPACKE_dgesvd(int by, char left, char right, lapack_int m, lapack_int n, double *A, lapack_int lda,
                          double *s, double *U, lapack_int ldu, double *Vt, lapack_int ldvt, double *superb)
{
    return functions()->LAPACKE_dgesvd(by, left, right, m, n, A, lda, s, U, ldu, Vt, ldvt, superb);
}
lapack_int LAPACKE_dgetrf(int by, lapack_int m, lapack_int n, double *A, lapack_int lda, lapack_int *pivots)
{
    return functions()->LAPACKE_dgetrf(by, m, n, A, lda, pivots);
}
lapack_int LAPACKE_dgetri(int by, lapack_int n, double *A, lapack_int lda, const lapack_int *pivots)
{
    return functions()->LAPACKE_dgetri(by, n, A, lda, pivots);
}
lapack_int LAPACKE_dposv(int by, char half_of, lapack_int n, lapack_int k, double *A, lapack_int lda, double *B,
                         lapack_int ldb)
{
    return functions()->LAPACKE_dposv(by, half_of, n, k, A, lda, B, ldb);
}
