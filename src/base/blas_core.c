/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas_core.c - see blas_core.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/blas_core.h"

#define NAMED  "OPENBLAS_CORETYPE"
#define CHOSEN "PROVABLY_BLAS_CORE"      /* the value of NAMED that we set ourselves */

/* The features that a core uses, from few to many; 0 where OpenBLAS has no AVX2 kernels for it. */
static int level_of(const char *name)
{
    if (!name) return 0;
    static const struct { const char *name; int level; } core[] = {
        { "Haswell", 1 }, { "Zen", 1 }, { "SkylakeX", 2 }, { "Cooperlake", 3 }, { "SapphireRapids", 3 } };
    for (size_t k = 0; k < sizeof core / sizeof *core; k++) if (strcmp(core[k].name, name) == 0) return core[k].level;
    return 0;
}

const char *blas_core_of_cpu(void)
{
#if defined __x86_64__ && defined __GNUC__
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (avx512 && __builtin_cpu_supports("avx512bf16")) return "Cooperlake";
    if (avx512) return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return NULL;
}

bool blas_core_is_slower(const char *name, const char *best) { return level_of(name) < level_of(best); }

blas_core_action blas_core_decide(const char *named, const char *chosen, const char *loaded, const char *best)
{
    if (named && chosen && strcmp(named, chosen) == 0) return BLAS_CORE_KEEP;
    if (named) return BLAS_CORE_UNSET;
    return loaded && blas_core_is_slower(loaded, best) ? BLAS_CORE_SET : BLAS_CORE_KEEP;
}

void blas_core_before(void)
{
    if (blas_core_decide(getenv(NAMED), getenv(CHOSEN), NULL, NULL) == BLAS_CORE_UNSET) unsetenv(NAMED);
    unsetenv("OPENBLAS_VERBOSE");
}

bool blas_core_after(const char *loaded)
{
    const char *best = blas_core_of_cpu();
    return blas_core_decide(getenv(NAMED), getenv(CHOSEN), loaded, best) == BLAS_CORE_SET && best &&
           setenv(CHOSEN, best, 1) == 0 && setenv(NAMED, best, 1) == 0;
}
