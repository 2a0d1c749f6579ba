/* SPDX-License-Identifier: GPL-3.0-or-later
 * spectra.c - see spectra.h. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/spectra.h"

/* LAPACK stores matrices column by column: A row by row is A' for it, and A' has the same singular values. */
double *singular_values(long rows, long cols, const double *A)
{
    const long n = rows < cols ? rows : cols;
    const size_t numbers = (size_t)(rows * cols);
    double *copy = must_calloc(numbers, sizeof *copy), *s = must_calloc((size_t)n, sizeof *s);
    double *off = must_calloc((size_t)n, sizeof *off), none[1];
    for (size_t k = 0; k < numbers; k++) {
        if (!isfinite(A[k])) die("a weight is not finite, so its matrix has no singular values; try a lower rate");
        copy[k] = A[k];
    }
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', (int)cols, (int)rows, copy, (int)cols, s, none, 1, none, 1, off))
        die("the singular values of a matrix of %ld x %ld do not converge", rows, cols);
    free(copy);
    free(off);
    return s;
}

spectrum spectrum_of(long rows, long cols, const double *A)
{
    const long n = rows < cols ? rows : cols;
    double *s = singular_values(rows, cols, A);
    spectrum r = { .largest = s[0], .smallest = s[n - 1] };
    for (long k = 0; k < n && s[0] > 0; k++) r.stable_rank += (s[k] / s[0]) * (s[k] / s[0]);
    free(s);
    return r;
}

/* R[D, D], column by column, of A' = Q R with Q' Q = I. */
static double *triangle(long D, long d, const double *A)
{
    double *copy = must_calloc((size_t)(D * d), sizeof *copy), *tau = must_calloc((size_t)D, sizeof *tau);
    double *R = must_calloc((size_t)(D * D), sizeof *R);
    memcpy(copy, A, (size_t)(D * d) * sizeof *copy);
    REQUIRE(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, (int)d, (int)D, copy, (int)d, tau) == 0, "QR of %ld x %ld", d, D);
    for (long j = 0; j < D; j++) memcpy(R + j * D, copy + j * d, (size_t)(j + 1) * sizeof *R);
    free(copy);
    free(tau);
    return R;
}

/* A' B = Q1 (R1 R2') Q2'. */
spectrum spectrum_of_product(long D, long d, const double *A, const double *B)
{
    REQUIRE(0 < D && D <= d, "%ld rows of %ld numbers", D, d);
    double *R1 = triangle(D, d, A), *R2 = triangle(D, d, B), *P = must_calloc((size_t)(D * D), sizeof *P);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)D, (int)D, (int)D, 1, R1, (int)D, R2, (int)D, 0, P,
                (int)D);
    const spectrum s = spectrum_of(D, D, P);
    free(R1);
    free(R2);
    free(P);
    return s;
}

double spectrum_condition(spectrum s) { return s.smallest > 0 ? s.largest / s.smallest : INFINITY; }

/* ---- a model ----------------------------------------------------------------------------------------------- */

static void add(spectra *s, long layer, const char *matrix, long head, spectrum of)
{
    s->row = must_realloc(s->row, (size_t)s->n + 1, sizeof *s->row);
    s->row[s->n++] = (spectra_row){ layer, head, matrix, of };
}

/* W (out x in), as it is stored; NULL: the model has none of this name. */
static double *weight_of(gpt *M, long layer, const char *what, const param **p)
{
    char name[LAYER_NAME];
    *p = params_find(&gpt_net(M)->table, layer_name(name, layer, what));
    if (!*p) return NULL;
    double *W = must_calloc((size_t)((*p)->rows * (*p)->cols), sizeof *W);
    params_get(*p, gpt_net(M)->o, gpt_net(M)->w, W);
    return W;
}

static double *identity(long d)
{
    double *W = must_calloc((size_t)(d * d), sizeof *W);
    for (long k = 0; k < d; k++) W[k * d + k] = 1;
    return W;
}

/* W_Q^a is rows a D, ..., a D + D - 1 of the stored weight, transposed. */
static void add_heads(spectra *s, const gpt_config *c, long layer, const double *Q, const double *K)
{
    const long d = c->d, D = d / c->h;
    for (long a = 0; a < c->h; a++)
        add(s, layer, "qk", a, spectrum_of_product(D, d, Q + a * D * d, K + a * D * d));
}

spectra spectra_of(gpt *M, const gpt_config *c)
{
    static const struct { const char *name, *weight; } matrix[] = { { "q", "attn.q" }, { "k", "attn.k" },
        { "v", "attn.v" }, { "o", "attn.o" }, { "fc", "mlp.fc" }, { "proj", "mlp.proj" } };
    spectra s = { NULL, 0 };
    for (long i = 0; i < c->L; i++) {
        double *W[COUNT(matrix)] = { NULL };
        for (size_t k = 0; k < COUNT(matrix); k++) {
            const param *p;
            W[k] = weight_of(M, i, matrix[k].weight, &p);
            if (W[k]) add(&s, i, matrix[k].name, -1, spectrum_of(p->rows, p->cols, W[k]));
        }
        for (int k = 0; k < 2; k++) if (!W[k]) W[k] = identity(c->d);
        add_heads(&s, c, i, W[0], W[1]);
        for (size_t k = 0; k < COUNT(matrix); k++) free(W[k]);
    }
    return s;
}

void spectra_free(spectra *s)
{
    free(s->row);
    *s = (spectra){ NULL, 0 };
}

double spectra_query_condition(const spectra *s)
{
    double sum = 0;
    long n = 0;
    for (long k = 0; k < s->n; k++) {
        if (strcmp(s->row[k].matrix, "q") != 0) continue;
        sum += log(spectrum_condition(s->row[k].s));
        n++;
    }
    return n ? exp(sum / (double)n) : 1;
}

void spectra_write(FILE *f, const spectra *s, long step)
{
    for (long k = 0; k < s->n; k++) {
        const spectra_row *r = &s->row[k];
        char head[24] = "";
        if (r->head >= 0) snprintf(head, sizeof head, "%ld", r->head);
        fprintf(f, "%ld,%ld,%s,%s,%.9g,%.9g,%.9g,%.9g\n", step, r->layer, r->matrix, head, r->s.largest, r->s.smallest,
                spectrum_condition(r->s), r->s.stable_rank);
    }
}
