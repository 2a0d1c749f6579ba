/* SPDX-License-Identifier: GPL-3.0-or-later
 * libraries.c - see libraries.h. */
#include "numerics/libraries.h"
#include <cblas.h>
#include <gmp.h>
#include <gsl/gsl_version.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/elementary/elementary.h"
#include "numerics/flint_compat.h"
#include "numerics/product/residues.h"
#include "numerics/product/workspace.h"
#include "src/base/memory.h"
#include "src/base/version.h"

static void *lib_malloc(size_t n)                          { return must_calloc(n, 1); }
static void *lib_calloc(size_t n, size_t size)             { return must_calloc(n, size); }
static void *lib_realloc(void *p, size_t n)                { return must_realloc(p, n, 1); }
static void *gmp_realloc(void *p, size_t old, size_t n)    { (void)old; return must_realloc(p, n, 1); }
static void  gmp_free(void *p, size_t n)                   { (void)n; free(p); }

void libraries_init(void)
{
    mp_set_memory_functions(lib_malloc, gmp_realloc, gmp_free);
    __flint_set_memory_functions(lib_malloc, lib_calloc, lib_realloc, free);
}

void libraries_clear(void)
{
    residue_systems_clear();
    workspace_clear();
    elementary_exp_clear();
    elementary_normal_clear();
    mpfr_free_cache();
    flint_cleanup();
}

#ifdef __clang__
#define COMPILER "clang", __clang_major__, __clang_minor__, __clang_patchlevel__
#else
#define COMPILER "gcc", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__
#endif

/* "OpenBLAS 0.3.21": of its configuration the first two words. */
static int blas_words(const char *text)
{
    const size_t first = strcspn(text, " ");
    return (int)(text[first] ? first + 1 + strcspn(text + first + 1, " ") : first);
}

const char *libraries_text(void)
{
    static char text[160];
    const char *blas = openblas_get_config();
    if (!text[0])
        snprintf(text, sizeof text, "%s; %s %d.%d.%d; FLINT %s; GMP %s; MPFR %s; GSL %s; %.*s",
                 version_commit(), COMPILER, flint_version, gmp_version, mpfr_get_version(), gsl_version,
                 blas_words(blas), blas);
    return text;
}

void libraries_print_version(FILE *f, const char *program)
{
    const char *libraries = strchr(libraries_text(), ';');
    fprintf(f, "%s %s (%s)\n", program, version_number(), version_commit());
    if (libraries) fprintf(f, "%s\n", libraries + 2);
}
