/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_embed.c - embeddings on the CPU. */
#include "src/train/cpu/row.h"

VECTOR_CLONES static void sum_of(real *restrict y, const real *restrict a, const real *restrict b, long C)
{
    for (long c = 0; c < C; c++) y[c] = a[c] + b[c];
}

static void cpu_embed_fwd(void *to, const int32_t *tok, const void *wte, const void *wpe, long R, long T, long C)
{
    real *y = to;
    const real *token = wte, *position = wpe;
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r++) sum_of(y + r * C, token + tok[r] * C, position + r % T * C, C);
}

/* Rows of wte may meet in one token: each thread adds them in their order, in columns of its own. */
static void cpu_embed_bwd(void *wte, void *wpe, const void *from, const int32_t *tok, long R, long T, long C, long V)
{
    real *dtoken = wte, *dposition = wpe;
    const real *dy = from;
    for (long r = 0; r < R; r++) REQUIRE(tok[r] >= 0 && tok[r] < V, "token %ld of %ld", (long)tok[r], V);
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long c = 0; c < C; c += COLUMNS)
        for (long r = 0; r < R; r++) {
            const long n = C - c < COLUMNS ? C - c : COLUMNS;
            add_row(dtoken + tok[r] * C + c, dy + r * C + c, n);
            add_row(dposition + r % T * C + c, dy + r * C + c, n);
        }
}

void cpu_fill_embed(ops *o)
{
    o->embed_fwd = cpu_embed_fwd;
    o->embed_bwd = cpu_embed_bwd;
}
