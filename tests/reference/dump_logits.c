/* SPDX-License-Identifier: GPL-3.0-or-later
 * dump_logits.c - the logits of a checkpoint for transformers_logits.py: on each line those of one token.
 *
 *     dump_logits MODEL TOKEN...             in doubles, with 17 digits */
#include <stdlib.h>
#include "src/checkpoint/forward.h"

typedef struct { long rows, V; double *logits; } kept;

static void keep(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer;
    const kept *k = with;
    for (long r = 0; stage == STAGE_LOGITS && r < X->rows; r++)
        for (long c = 0; c < X->cols; c++) k->logits[r * k->V + first + c] = mat_get_d(X, r, c);
}

int main(int argc, char **argv)
{
    if (argc < 3) die("dump_logits takes a file or folder of weights, and tokens");
    weights w = weights_open(argv[1]);
    transformer D = transformer_of(&w);
    char *why = forward_refuses(&D);
    if (why) die("%s: %s", argv[1], why);
    const long n = argc - 2;
    long *token = must_calloc((size_t)n, sizeof *token);
    for (long k = 0; k < n; k++) {
        token[k] = atol(argv[k + 2]);
        if (token[k] < 0 || token[k] >= D.V) die("token %ld is not in the vocabulary of %ld", token[k], D.V);
    }
    const kept to = { n, D.outputs, must_calloc((size_t)(n * D.outputs), sizeof(double)) };
    const arith R = arith_f64();
    scope s = scope_open(&R, 0, 0);
    s.frugal = true;
    const weight_source W = weights_of_file(&D);
    const token_list t = { n, token, NULL, 0 };
    forward_run(&s, &W, &t, keep, (void *)(uintptr_t)&to);
    scope_close(&s);
    for (long r = 0; r < n; r++)
        for (long c = 0; c < D.outputs; c++) printf("%.17g%c", to.logits[r * D.outputs + c], c + 1 < D.outputs ? ' ' : '\n');
    free(to.logits);
    free(token);
    transformer_free(&D);
    weights_close(&w);
    return 0;
}
