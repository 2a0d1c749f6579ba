/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_certificate.c - see relu_certificate.h. */
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu.h"

static const mat *or_zero(trial *t, const mat *Z, const mat *W1, const mat *W2)
{
    return Z ? Z : mat_zero(&t->s, W2->rows, W1->cols);
}

static void draft_net(draft *d, const char *const names[3], const mat *W1, const mat *W2, const mat *Z)
{
    draft_matrix(d, names[0], W1);
    draft_matrix(d, names[1], W2);
    draft_matrix(d, names[2], Z);
}

static const char *const first_net[] = { "W1", "W2", "Z" }, *const second_net[] = { "V1", "V2", "Y" };

void certify_relu_equal(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                        const mat *V1, const mat *V2, const mat *Y)
{
    if (!certify_wanted(t)) return;
    draft d;
    draft_open(&d, t->record.certifier, "relu-eq");
    draft_net(&d, first_net, W1, W2, or_zero(t, Z, W1, W2));
    draft_net(&d, second_net, V1, V2, or_zero(t, Y, V1, V2));
    draft_close(&d, t->record.certifier, name);
}

/* W2 ReLU(W1 x) + Z x */
static const mat *value_at(scope *s, const mat *W1, const mat *W2, const mat *Z, const mat *x)
{
    const mat *hidden = mat_phi(s, mat_mul(s, W1, x), ACT_RELU, (place){ 0 });
    return mat_add(s, mat_mul(s, W2, hidden), mat_mul(s, Z, x));
}

/* Networks of few neurons that differ do so on an open cone, so a few dozen points are enough in practice. */
void certify_relu_differ(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z,
                         const mat *V1, const mat *V2, const mat *Y)
{
    if (!certify_wanted(t)) return;
    scope *s = &t->s;
    const mat *skip = or_zero(t, Z, W1, W2), *other = or_zero(t, Y, V1, V2);
    for (int attempt = 0; attempt < 64; attempt++) {
        char label[32];
        snprintf(label, sizeof label, "point %d", attempt);
        const mat *x = relu_draw(s, label, W1->cols, 1, 2 + attempt);
        if (mat_compare(value_at(s, W1, W2, skip, x), value_at(s, V1, V2, other, x), -1).is != REFUTED) continue;
        draft d;
        draft_open(&d, t->record.certifier, "relu-neq");
        draft_net(&d, first_net, W1, W2, skip);
        draft_net(&d, second_net, V1, V2, other);
        draft_matrix(&d, "x", x);
        draft_close(&d, t->record.certifier, name);
        return;
    }
}

/* y with y A = 0 and y b != 0, if linear algebra refutes.  b is Z, not -Z: that does not change which y there are. */
static bool find_y(fmpq_mat_t y, const mat *W1, const mat *W2, const mat *Z)
{
    const long m = W1->rows, in = W1->cols, outputs = W2->rows;
    fmpq_mat_t A, b, w1, w2, z;
    fmpq_mat_init(A, outputs * in, m);
    fmpq_mat_init(b, outputs * in, 1);
    fmpq_mat_init(w1, m, in);
    fmpq_mat_init(w2, outputs, m);
    fmpq_mat_init(z, outputs, in);
    relu_from_mat(w1, W1);
    relu_from_mat(w2, W2);
    relu_from_mat(z, Z);
    for (long i = 0; i < outputs; i++)
        for (long l = 0; l < in; l++) {
            fmpq_set(fmpq_mat_entry(b, i * in + l, 0), fmpq_mat_entry(z, i, l));
            for (long j = 0; j < m; j++)
                fmpq_mul(fmpq_mat_entry(A, i * in + l, j), fmpq_mat_entry(w2, i, j), fmpq_mat_entry(w1, j, l));
        }
    int64_t work = RELU_WORK;
    subset S = subset_sum(A, b, &work);
    const bool found = S.is == REFUTED && S.has_y;
    for (long k = 0; found && k < outputs * in; k++)
        fmpq_set(fmpq_mat_entry(y, k / in, k % in), fmpq_mat_entry(S.y, 0, k));
    subset_clear(&S);
    fmpq_mat_clear(A);
    fmpq_mat_clear(b);
    fmpq_mat_clear(w1);
    fmpq_mat_clear(w2);
    fmpq_mat_clear(z);
    return found;
}

static void print_y(FILE *f, const fmpq_mat_t y)
{
    fprintf(f, "matrix y %ld %ld\n", (long)fmpq_mat_nrows(y), (long)fmpq_mat_ncols(y));
    for (long i = 0; i < fmpq_mat_nrows(y); i++)
        for (long l = 0; l < fmpq_mat_ncols(y); l++) {
            char *text = fmpq_get_str(NULL, 10, fmpq_mat_entry(y, i, l));
            fprintf(f, "%s%c", text, l + 1 < fmpq_mat_ncols(y) ? ' ' : '\n');
            flint_free(text);
        }
}

enum { MOST_ENUMERATED = 16 };                                  /* of proofcheck */

void certify_no_j(trial *t, const char *name, const mat *W1, const mat *W2, const mat *Z)
{
    if (!certify_wanted(t)) return;
    fmpq_mat_t y;
    fmpq_mat_init(y, W2->rows, W1->cols);
    const bool by_y = find_y(y, W1, W2, Z);
    if (by_y || W1->rows <= MOST_ENUMERATED) {
        draft d;
        draft_open(&d, t->record.certifier, "no-j");
        draft_net(&d, first_net, W1, W2, Z);
        if (by_y) print_y(d.f, y);
        else fputs("enumerate\n", d.f);
        draft_close(&d, t->record.certifier, name);
    }
    fmpq_mat_clear(y);
}
