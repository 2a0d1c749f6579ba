/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_blocks.c - see fp_blocks.h. */
#ifdef _OPENMP
#include <omp.h>
#endif
#include "numerics/product/fp_blocks.h"
#include "numerics/product/workspace.h"
#include "src/base/base.h"

enum { LINE = 8 };                                      /* doubles: threads share no line of the cache */

void fp_blocks_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B, const fp_way *way)
{
    const long m = nmod_mat_nrows(A), K = nmod_mat_ncols(A), n = nmod_mat_ncols(B);
    REQUIRE(C != A && C != B && nmod_mat_nrows(B) == K && nmod_mat_nrows(C) == m && nmod_mat_ncols(C) == n,
            "%ld x %ld times %ld x %ld", m, K, (long)nmod_mat_nrows(B), n);
    if (K == 0) nmod_mat_zero(C);
    if (m == 0 || n == 0 || K == 0) return;
    int threads = 1;
#ifdef _OPENMP
    if ((double)m * (double)K * (double)n > 4e6) threads = omp_get_max_threads();
#endif
    const long high = m < way->high ? m : way->high, down = (m + high - 1) / high;
    long wide = way->wide;
    while (wide > way->narrow && down * ((n + wide - 1) / wide) < threads) wide /= 2;
    if (n < wide) wide = n;
    const long across = (n + wide - 1) / wide;
    const size_t each = (way->room(high, wide, K, way->with) + LINE - 1) / LINE * LINE;
    double *work = workspace_take((size_t)threads * each);
    #pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (long k = 0; k < down * across; k++) {
        size_t self = 0;
#ifdef _OPENMP
        self = (size_t)omp_get_thread_num();
#endif
        const long i = k % down * high, j = k / down * wide;
        const fp_block x = { C, A, B, i, j, m - i < high ? m - i : high, n - j < wide ? n - j : wide,
                             work + self * each };
        way->multiply(&x, way->with);
    }
    workspace_give(work);
}
