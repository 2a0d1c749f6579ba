/* version.c - see version.h.  The Makefile defines SOURCE_COMMIT. */
#include "src/base/version.h"
#include <cblas.h>
#include <gmp.h>
#include <gsl/gsl_version.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>
#include "numerics/flint_compat.h"

#ifndef SOURCE_COMMIT
#define SOURCE_COMMIT "unknown"
#endif
#ifdef __clang__
#define COMPILER "clang", __clang_major__, __clang_minor__, __clang_patchlevel__
#else
#define COMPILER "gcc", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__
#endif

const char *source_commit(void) { return SOURCE_COMMIT; }

/* "OpenBLAS 0.3.21": of its configuration the first two words. */
static int blas_words(const char *text)
{
    const size_t first = strcspn(text, " ");
    return (int)(text[first] ? first + 1 + strcspn(text + first + 1, " ") : first);
}

const char *build_text(void)
{
    static char text[160];
    const char *blas = openblas_get_config();
    if (!text[0])
        snprintf(text, sizeof text, "%s; %s %d.%d.%d; FLINT %s; GMP %s; MPFR %s; GSL %s; %.*s",
                 source_commit(), COMPILER, flint_version, gmp_version, mpfr_get_version(), gsl_version,
                 blas_words(blas), blas);
    return text;
}
